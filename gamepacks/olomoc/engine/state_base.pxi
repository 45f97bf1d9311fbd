# The data of a state and what all modules of the engine share: rules, frames, lasting effects, questions to a player.

cdef enum:
    MAX_CARDS = 320
    MAX_BOXES = 20
    MAX_CARD_CAPACITIES = 16

cdef struct Card:
    # A profile, or after all profiles, a hostile.
    int32_t rank
    int32_t radius
    # By Stat; the number 0 is unused.
    int32_t stats[5]
    int32_t boxes
    int8_t life[MAX_BOXES]
    int32_t ap
    int32_t acts
    int32_t reactions[3]
    bint prefer_riposte
    int32_t capacities
    int16_t capacity[MAX_CARD_CAPACITIES]

# Masks of the place and the verb of an action code, and what is to be decided after the end.
cdef enum:
    POINT_MASK = (1 << POINT_BITS) - 1
    VERB_MASK = 0x7FFFFFFF >> ARGUMENT_BITS << ARGUMENT_BITS
    NO_DECISION = 0

cdef enum:
    # In place of a Place of the wire: there is no such figure.
    ABSENT = 0
    HOSTILE = 2
    CORRUPTED = 3
    STUNNED = 1
    # As many as a profile, a gear card and an agenda can have together.
    MAX_SPECIFIC = 28
    NO_CARD = -1
    TOP_LIMIT = 2
    # So many are kept within the table; there is no bound, more are kept outside of it.
    NEAR_LASTING = 32
    NEAR_RAISED = 64
    NEAR_FRAMES = 48
    VALUES = 48

# The places of what frames hold, by the frame's kind (constants.FrameKind). Only the engine knows them.
cdef enum:
    # F_PLANNING
    LAID = 0
    # F_PHASE
    FIRST = 0
    # F_CARD
    PLAYER = 0
    CHOSEN = 1
    # F_ACTIVATION. BY: an ActivatedBy; bits of ENTERED and SKIPPED: main 1, other 2.
    MAIN = 0
    OTHER = 1
    BY = 2
    ENTERED = 3
    SKIPPED = 4
    # F_CAPACITY, F_MOVE, F_WINDOW
    USER = 0
    SLOT = 1
    TARGET = 2
    GOAL = 1
    WAITING = 1
    REACTOR = 2
    WAY_OUT = 3
    # F_ATTACK
    ATTACKER = 0
    DEFENDER = 1
    ATTACK_KIND = 2
    CHARGING = 3
    ATTACK_SLOT = 4
    REACTION = 5
    SECOND_REACTION = 6
    DICE = 7
    DIFFICULTY = 8
    DODGE_DICE = 9
    DODGE_DIFFICULTY = 10
    RIPOSTE_DICE = 11
    RIPOSTE_DIFFICULTY = 12
    SUCCESSES = 13
    DODGED = 14
    RIPOSTED = 15
    NET = 16
    FATED = 17
    PROGRAM = 18
    TACTIC_TAKEN = 19
    RIPOSTE_STAT = 21
    ADDED = 22
    DODGE_ADDED = 23
    RIPOSTE_ADDED = 24
    ROLLED_FOR = 25
    # F_EFFECTS: bound names 0 to 15, then
    OWNER = 16
    SOURCE = 17
    COUNT = 18
    FACE = 19
    ATTACKING = 20
    CAUSE = 21
    RUNS = 22
    STAGE = 23
    HELD = 24
    HELD_HIGH = 25
    HELD_PIECES = 26
    HELD_PIECES_HIGH = 27
    EXTRA = 28
    EXTRA2 = 29
    EXTRA3 = 30
    EXTRA4 = 31
    FROM_TRIGGER = 32
    SCOPE = 33
    # Of a whole capacity that attacks, as bits of figures: whom R took a wound off, and whom T saves from all that follow; then by
    # figure, a byte each, the wounds that protection took off. An attack has each of these once (OLO-LIFE-03, 04).
    REDUCED = 33
    STOPPED = 34
    SHIELDED = 35
    # F_TRIGGERS: pairs of numbers from ITEMS on. Of what answers to one moment MAX_ITEMS lie in each of several frames, one on
    # the other; the top one, which says what comes next, has the rest.
    ITEM_COUNT = 0
    ITEM = 1
    ITEM_TARGET = 2
    ITEMS = 4
    MAX_ITEMS = 22
    # F_HOSTILE_PHASE
    RUN = 0
    TURN = 1
    # F_HOSTILE
    ACTS = 1
    RUNNER = 2
    LINE = 3
    AIM = 4
    # F_MECHANISM
    WHY = 0
    CARDS = 1
    # Cards drawn by a Mechanism and those within it, kept by the outermost one.
    DRAWN = 2
    # F_GO
    WAY_KIND = 0
    ELEMENT = 1
    GO_ASK = 2
    CHOOSER = 3
    ABOUT = 4
    DISTANCE = 5
    WORD = 6
    REFERENCE = 7
    RULERS = 8
    DECLINABLE = 9
    # F_PICK; CHOOSER and DECLINABLE as in F_GO
    PICK_ASK = 0
    LOW = 1
    HIGH = 2
    PIECES_LOW = 4
    PIECES_HIGH = 5
    # F_ROLL
    ROLL_DICE = 0
    ROLL_DIFFICULTY = 1
    ROLLER = 2
    ROLL_STAT = 3
    # F_DIE
    SIDES = 0

cdef struct Figure:
    int8_t where
    # 0, 1, or HOSTILE.
    int8_t player
    int16_t card
    int16_t gear
    int16_t ap
    int16_t ap_given
    int16_t ticked
    int16_t noirceur
    int16_t states
    int16_t marches
    int16_t attacks
    int8_t acted
    int8_t lost
    # By capacity: uses counted by its frequency, and in this phase.
    uint8_t uses[SLOTS]
    uint8_t used[SLOTS]

cdef struct Mark:
    # Of a marker: tag, tainted, inches around it in ticks (-1 for no zone).
    int16_t tag
    int16_t tainted
    int32_t zone

cdef struct Piece:
    # A piece laid by player 1: rotation and place.
    int16_t rotation
    int16_t x
    int16_t y

cdef struct Lasting:
    # An effect that lasts: its node, whom it is on (-1: anybody), what it is worth, whose it is, when it ends. One for an attack or
    # a roll ends with the frame at the height of its home; home is 0 for all others.
    int32_t node
    int32_t subject
    int32_t owner
    int32_t bearer
    int32_t until
    int32_t cycle
    int32_t phase
    int32_t home
    int32_t value[3]

cdef struct Frame:
    int32_t kind
    int32_t pc
    int32_t v[VALUES]

cdef struct Raised:
    int32_t trigger
    int32_t one
    int32_t two

cdef struct Specific:
    # The specific capacities of a figure, made from its cards.
    int32_t count
    int16_t slot[MAX_SPECIFIC]
    int16_t capacity[MAX_SPECIFIC]
    uint64_t continuous
    uint64_t triggers

cdef struct StateData:
    # The seat that is player 1; -1 before it is known.
    int32_t first_seat
    int32_t agenda
    int32_t layout
    int32_t cycle
    int32_t phase
    int32_t priority
    int32_t traque
    int32_t active
    # Why it is over (0: it is not), and the returns of players 0 and 1.
    int32_t over
    int32_t won[2]
    # In the start Mechanism, nothing triggers and no capacity matters (OLO-MECH-05).
    int32_t starting
    # While several are hit at once, endings and triggers wait (OLO-END-05); 0 at every decision.
    int32_t held
    int32_t losses
    int32_t line[2]
    int32_t vp[2]
    int32_t fiel[2]
    # Masks of ministries in hand and played; the cards of a plan by slot, 1 to 5; masks of slots shown and peeked at.
    int32_t hand[2]
    int32_t used[2]
    int32_t plan[2][6]
    int32_t shown[2]
    int32_t peeked[2]
    # Activation cards (mask of ranks - 1) and Propaganda cards of each player.
    int32_t cards[2]
    int32_t propaganda[2]
    # A hidden decision that waits for the other player's; -1 for none.
    int32_t committed[2]
    int32_t fallen
    # Artefact cards: in the pile (by index), the open one, the discard in order.
    int32_t pile[MAX_ARTEFACTS]
    int32_t open_card
    int32_t discarded
    int32_t discard[MAX_ARTEFACTS]
    int32_t profile[2][3]
    int32_t equipment[2][3]
    int32_t tokens[MAX_TOKENS]
    int32_t laid
    Piece pieces[64]
    uint64_t tainted_pieces
    Figure figure[16]
    Mark mark[64]
    Discs discs
    # Made from the rest: the specific capacities by figure, those of the agenda's rules, and what any of them waits for.
    Specific specific[16]
    Specific agenda_rules
    uint64_t continuous
    uint64_t triggers
    # What is asked and of which player; made by running the top frame.
    int32_t decision, deciding_player
    # What a frame that ended hands to the one below it.
    int32_t result
    int32_t raised_count
    int32_t lasting_count
    Lasting lasting[NEAR_LASTING]
    int32_t depth
    Frame frame[NEAR_FRAMES]
    # Empty at every decision, and so never copied.
    Raised raised[NEAR_RAISED]

cdef inline int note(StateBase m, int kind, int a=0, int b=0, int c=0, int d=0, int e=0, int f=0) except -1:
    """Tell that something happened (constants.EventKind)."""
    if m.notes is not None:
        m.notes.append((kind, a, b, c, d, e, f))
    return 0

cdef inline Frame* frame_at(StateBase m, int height) noexcept:
    return &m.t.frame[height] if height < NEAR_FRAMES else &m.blocks[height // NEAR_FRAMES - 1][height % NEAR_FRAMES]

cdef inline Frame* top(StateBase m) noexcept:
    return frame_at(m, m.t.depth - 1)

cdef inline Lasting* lasting_at(StateBase m, int place) noexcept:
    return &m.t.lasting[place] if place < NEAR_LASTING else &m.far_lasting[place - NEAR_LASTING]

cdef inline Raised* raised_at(StateBase m, int place) noexcept:
    return &m.t.raised[place] if place < NEAR_RAISED else &m.far_raised[place - NEAR_RAISED]

cdef inline bint is_hostile(StateBase m, int figure) noexcept:
    return m.t.figure[figure].player == HOSTILE

cdef inline bint on_bloc(StateBase m, int figure) noexcept:
    return m.t.figure[figure].where == PLACE_BLOC

cdef inline bint stunned(StateBase m, int figure) noexcept:
    return m.t.figure[figure].states & STUNNED

cdef inline bint are_foes(StateBase m, int one, int other) noexcept:
    """Adverse to each other, or one of them hostile to a player's."""
    return m.t.figure[one].player != m.t.figure[other].player

cdef inline int rank_of(StateBase m, int figure) noexcept:
    return m.rules.card[m.t.figure[figure].card].rank

cdef inline int first_argument(int code) noexcept:
    """The first argument of a code without a place."""
    return code >> FIRST_SHIFT & 255

cdef inline int second_argument(int code) noexcept:
    """The second argument of a code without a place."""
    return code >> SECOND_SHIFT & 255


# -- rules -------------------------------------------------------------------------------------------------------------
# A card set and the options of a table, made ready for play: immutable, shared by all states of a match.

# Effects of a continuous capacity, and those that hit several without asking anybody or leaving anything to chance.
CONTINUOUS_OPS = frozenset({Op.MOD, Op.STAT, Op.PROTECT, Op.FORBID, Op.PERMIT, Op.SIGHT})
PLAIN_OPS = CONTINUOUS_OPS | {
    Op.WOUND, Op.HEAL, Op.NOIRCEUR, Op.FIEL, Op.TRAQUE, Op.STATE, Op.AP, Op.TAINT, Op.TOKEN, Op.VP, Op.PRIORITY, Op["IF"],
    Op.EACH,
}


cdef class OlomocRules:
    cdef readonly object ruleset
    cdef readonly object drafter
    cdef readonly object values
    cdef readonly object options
    cdef readonly Ruler move_ruler
    cdef readonly Ruler push_ruler
    cdef readonly int profiles
    cdef readonly int list_step
    cdef readonly int rest_ap, rest_limit, march_ap, charge_ap, charge_limit, riposte_ap, riposte_limit, dodge_limit
    cdef readonly int opportunity_ap, opportunity_limit, propaganda_rank
    cdef readonly bint any_tie, attack_taints_only, both_reactions, felled_riposte, next_box_only, enter_first
    cdef readonly bint stun_stays, spawn_acts, choose_ap, secret_build, placed
    # The same with places listed farther apart, once it was asked for.
    cdef OlomocRules thinned
    # -1: by a roll; reactions of hostiles: by profile (0), none (1), free (2).
    cdef readonly int start_seat, hostile_reactions, agenda, layout
    cdef Card card[MAX_CARDS]
    # By card, the affiliations as bits.
    cdef readonly list card_ministries
    cdef readonly list capacities
    # By capacity, the effects that it has all the time, as bits of Op; 0 for one that is used or triggered.
    cdef readonly list continuous
    cdef readonly tuple nodes
    cdef readonly tuple programs
    cdef readonly tuple boards
    cdef readonly list plain_program

    def __init__(self, ruleset, options, values, drafter):
        cdef int i
        self.ruleset, self.options, self.values, self.drafter = ruleset, options, values, drafter
        self.move_ruler = Ruler(values.move_ruler_length, values.move_ruler_width)
        self.push_ruler = Ruler(values.push_ruler_length, values.push_ruler_width)
        self.rest_ap, self.rest_limit, self.march_ap = values.rest_ap, values.rest_limit, values.march_ap
        self.charge_ap, self.charge_limit = values.charge_ap, values.charge_limit
        self.riposte_ap, self.riposte_limit, self.dodge_limit = values.riposte_ap, values.riposte_limit, values.dodge_limit
        self.opportunity_ap, self.opportunity_limit = values.opportunity_ap, values.opportunity_limit
        self.propaganda_rank = values.propaganda_rank
        self.list_step = options.list_step
        self.any_tie = options.tie_rule == "any"
        self.attack_taints_only = options.tainted_box == "attack_only"
        self.both_reactions = options.reaction_limit == "both"
        self.felled_riposte = options.felled_riposte
        self.next_box_only = options.reinforced_scope == "next_box"
        self.enter_first = options.entry == "compulsory"
        self.stun_stays = options.hostile_stun == "permanent"
        self.spawn_acts = options.spawn_acts
        self.choose_ap = options.propaganda_ap == "choose"
        self.secret_build = options.build == "secret"
        self.placed = options.bloc == "placed"
        self.start_seat = {"random": -1, "seat0": 0, "seat1": 1}[options.start_number]
        self.hostile_reactions = ("profile", "none", "free").index(options.hostile_reactions)
        self.agenda = _number(options.agenda, ruleset.agendas)
        self.layout = NONE if self.placed else _number(options.bloc, ruleset.layouts)
        cards = [*ruleset.profiles, *ruleset.hostiles]
        if len(cards) > MAX_CARDS:
            raise ValueError(f"a card set has at most {MAX_CARDS} profiles and hostiles, not {len(cards)}")
        self.profiles = len(ruleset.profiles)
        self.card_ministries = [card.ministries for card in cards]
        for i, card in enumerate(cards):
            self.set_card(i, card)
        self.capacities = list(ruleset.capacities)
        self.nodes, self.programs = ruleset.nodes, ruleset.programs
        self.continuous = [self.find_continuous(capacity) for capacity in self.capacities]
        self.boards = tuple(Board([piece.shape for piece in layout.pieces]) for layout in ruleset.layouts)
        self.plain_program = [self.is_plain(program) for program in range(len(self.programs))]

    cdef OlomocRules coarse(self):
        """Equal rules with places listed twice as far apart, and an inch at least, for bots that search (OLO-GEO-62)."""
        if self.thinned is None:
            self.thinned = OlomocRules(self.ruleset, self.options, self.values, self.drafter)
            self.thinned.list_step = max(100, 2 * self.list_step)
        return self.thinned

    def set_card(self, int number, profile):
        cdef Card* card = &self.card[number]
        cdef int i
        card.rank, card.radius, card.ap, card.acts = profile.rank, profile.radius, profile.ap, profile.acts
        card.prefer_riposte = profile.prefer_riposte
        for i in range(4):
            card.stats[i + 1] = profile.stats[i]
        for i in range(3):
            card.reactions[i] = profile.reactions[i]
        card.boxes = len(profile.life)
        for i in range(card.boxes):
            card.life[i] = profile.life[i]
        card.capacities = min(len(profile.capacities), MAX_CARD_CAPACITIES)
        for i in range(card.capacities):
            card.capacity[i] = profile.capacities[i]

    def is_plain(self, int program):
        """Whether a list of effects asks nobody, leaves nothing to chance and moves nothing."""
        if program < 0:
            return True
        return all(
            node.op in PLAIN_OPS and self.is_plain(node.then) and self.is_plain(node.otherwise)
            for node in self.programs[program]
        )

    def find_continuous(self, found):
        if found.active or found.trigger != Trigger.CONTINUOUS:
            return 0
        return self.program_ops(found.program)

    def program_ops(self, int program):
        """The effects that last, in a list and those within it, as bits of Op."""
        cdef uint64_t bits = 0
        if program < 0:
            return 0
        for node in self.programs[program]:
            if node.op in CONTINUOUS_OPS:
                bits |= <uint64_t> 1 << <int> node.op
            elif node.op == OP_IF:
                bits |= <uint64_t> self.program_ops(node.then) | <uint64_t> self.program_ops(node.otherwise)
        return bits

    def __reduce__(self):
        return OlomocRules, (self.ruleset, self.options, self.values, self.drafter)


cdef int _number(str wanted, tuple among) except -2:
    for one in among:
        if one.id == wanted:
            return one.index
    return NONE


# -- cache of places ---------------------------------------------------------------------------------------------------
# Results of searches for places. They hold as long as nothing on the board moves.
#
# Whether there is any place to go to, and which one is the best, takes a search (:mod:`cext.geometry.branch_and_bound`); the same is asked
# whenever a decision is listed, checked and explained. States that were cloned share a cache until one of them moves something.

cdef class PlaceCache:
    cdef Board board
    cdef Discs discs
    cdef dict found
    cdef dict best

    def __cinit__(self):
        self.found, self.best = {}, {}

    cdef bint fits(self, Board board, const Discs* discs) noexcept:
        """Whether its answers are about this position."""
        return self.board is board and memcmp(&self.discs, discs, sizeof(Discs)) == 0

    cdef int32_t find(self, Plan* plan) except -2:
        """A legal place of a plan, packed; -1 if there is none. A plan that is bound to the best places has one if any place fits."""
        key = key_of(plan)
        place = self.found.get(key)
        if place is None:
            place = self.found[key] = find_place(plan)
        return place

    cdef int bind_best(self, Plan* plan) except -1:
        """Bind a plan with a direction word to its best places."""
        key = key_of(plan)
        place = self.best.get(key)
        if place is None:
            find_best(plan)
            self.best[key] = plan.best_place
        else:
            set_best(plan, place)
        return 0


cdef tuple key_of(const Plan* plan):
    """Cache key of a plan: its numbers, without the position and the sizes of the rulers."""
    about, distance = 0, 0
    if plan.kind == PLACE:
        about, distance = plan.target, plan.distance
    elif plan.kind == CHARGE:
        about, distance = plan.target, plan.blind
    elif plan.kind == ENTER:
        about = plan.edge
    return (
        plan.kind, plan.element, plan.r, about, distance, plan.reference if plan.towards else -1, plan.towards,
        <size_t> plan.move_ruler, <size_t> plan.push_ruler,
    )


# -- frames, events and lasting effects --------------------------------------------------------------------------------
# A table of Olomòc: what lies on it, and the stack of all that is pending.
#
# Everything is in one struct of whole numbers, so that a clone is a copy of memory. A *frame* is something that is going on;
# the top one says what comes next. It is run by the function of its kind, with -1 or with the code that answers what it
# asked: see turn_flow.pxi.



cdef class StateBase(State):
    """The state's data; :class:`OlomocState` is what plays."""

    cdef OlomocRules rules
    cdef Board board
    # What was found out about places, for this position only; shared with clones.
    cdef PlaceCache place_cache
    # Where the next piece of scenery may lie, once that was looked for; the tag of each piece, -1 for none.
    cdef list scenery_list, piece_tags
    cdef StateData t
    # What does not fit into the table: frames in blocks of NEAR_FRAMES, which never move, effects that last, and events.
    cdef Frame** blocks
    cdef Lasting* far_lasting
    cdef Raised* far_raised
    cdef int block_count, lasting_room, raised_room
    # What happened, for whoever wants to tell of it; None while nobody does.
    cdef public list notes
    # What taking a code here makes happen, for whoever asked last: (code, seat, notes). Gone with the next step.
    cdef tuple kept_notes


    def __dealloc__(self):
        cdef int i
        for i in range(self.block_count):
            free(self.blocks[i])
        free(self.blocks)
        free(self.far_lasting)
        free(self.far_raised)


cdef Frame* push_frame(StateBase m, int kind) except NULL:
    """Begin something: a new frame on top, all zero."""
    cdef Frame* frame
    make_room(m, m.t.depth)
    frame = frame_at(m, m.t.depth)
    m.t.depth += 1
    memset(frame, 0, sizeof(Frame))
    frame.kind = kind
    return frame


cdef int make_room(StateBase m, int height) except -1:
    """A block more where a frame at a height needs one. Frames stay where they are."""
    cdef Frame** blocks
    while height // NEAR_FRAMES > m.block_count:
        blocks = <Frame**> realloc(m.blocks, (m.block_count + 1) * sizeof(Frame*))
        if blocks == NULL:
            raise MemoryError
        m.blocks = blocks
        blocks[m.block_count] = <Frame*> malloc(NEAR_FRAMES * sizeof(Frame))
        if blocks[m.block_count] == NULL:
            raise MemoryError
        m.block_count += 1
    return 0


cdef int pop_frame(StateBase m, int result) except -1:
    """End the top frame and hand a result to the one below."""
    m.t.depth -= 1
    m.t.result = result
    return 0


cdef int ask(StateBase m, int what, int player) except -1:
    """Wait for a decision of a player, or for chance (player -1); 1, which tells the loop to stop."""
    m.t.decision, m.t.deciding_player = what, player
    return 1


cdef int raise_event(StateBase m, int trigger, int one, int two) except -1:
    """Something happened that capacities may wait for. ``one`` and ``two`` are the names bound (section 6.7)."""
    cdef Raised* raised
    if not m.t.triggers >> trigger & 1 or m.t.starting:
        return 0
    if m.t.raised_count >= NEAR_RAISED + m.raised_room:
        raised = <Raised*> realloc(m.far_raised, (m.raised_room + NEAR_RAISED) * sizeof(Raised))
        if raised == NULL:
            raise MemoryError
        m.far_raised = raised
        m.raised_room += NEAR_RAISED
    raised = raised_at(m, m.t.raised_count)
    m.t.raised_count += 1
    raised.trigger, raised.one, raised.two = trigger, one, two
    return 0


cdef int add_specific(StateBase m, Specific* specific, int slot, int capacity) except -1:
    cdef object card = m.rules.capacities[capacity]
    if specific.count == MAX_SPECIFIC:
        raise OverflowError(f"more than {MAX_SPECIFIC} specific capacities")
    specific.slot[specific.count] = slot
    specific.capacity[specific.count] = capacity
    specific.count += 1
    specific.continuous |= <uint64_t> m.rules.continuous[capacity]
    if not card.active and card.trigger != Trigger.CONTINUOUS:
        specific.triggers |= <uint64_t> 1 << <int> card.trigger
    return 0


cdef int refresh_specific(StateBase m) except -1:
    """Gather the specific capacities of all figures from their cards, gear and the agenda.

    Those that are out of action keep theirs: what answers to their own loss may still wait.
    """
    cdef Figure* figure
    cdef Card* card
    cdef Specific* specific
    cdef int i, k
    cdef object agenda = m.rules.ruleset.agendas[m.t.agenda] if m.t.agenda >= 0 else None
    m.t.continuous = m.t.triggers = 0
    memset(&m.t.agenda_rules, 0, sizeof(Specific))
    if agenda is not None:
        for k, capacity in enumerate(agenda.rules):
            add_specific(m, &m.t.agenda_rules, k, capacity)
    m.t.continuous, m.t.triggers = m.t.agenda_rules.continuous, m.t.agenda_rules.triggers
    for i in range(16):
        figure, specific = &m.t.figure[i], &m.t.specific[i]
        memset(specific, 0, sizeof(Specific))
        if figure.where == ABSENT:
            continue
        card = &m.rules.card[figure.card]
        for k in range(card.capacities):
            add_specific(m, specific, PROFILE_CAPACITY + k, card.capacity[k])
        if figure.gear >= 0:
            for k, capacity in enumerate(m.rules.ruleset.gear[figure.gear].capacities):
                add_specific(m, specific, GEAR_CAPACITY + k, capacity)
        if agenda is not None and figure.player != HOSTILE:
            for k, capacity in enumerate(agenda.capacities):
                add_specific(m, specific, AGENDA_CAPACITY + k, capacity)
        m.t.continuous |= specific.continuous
        m.t.triggers |= specific.triggers
    return 0


cdef int set_layout(StateBase m) except -1:
    """Take the board of the layout, or of the scenery laid so far."""
    if m.t.layout >= 0:
        m.board = <Board> m.rules.boards[m.t.layout]
        m.piece_tags = [piece.tag for piece in m.rules.ruleset.layouts[m.t.layout].pieces]
        return 0
    pool = m.rules.ruleset.pool
    m.piece_tags = [pool[i].tag for i in range(m.t.laid) if m.t.pieces[i].rotation >= 0]
    m.board = Board([
        laid_piece(pool[i], m.t.pieces[i].rotation, m.t.pieces[i].x, m.t.pieces[i].y)
        for i in range(m.t.laid) if m.t.pieces[i].rotation >= 0
    ])
    return 0


def laid_piece(loose, int rotation, int x, int y):
    """The piece of scenery that a loose one becomes at a place. Raises ShapeError if it leaves the board."""
    if loose.radius:
        return SceneryPiece.disc(x, y, loose.radius, obstructing=loose.obstructing, zone=loose.zone)
    return SceneryPiece.polygon(turned(loose.corners, rotation, x, y), obstructing=loose.obstructing, zone=loose.zone)


cdef Lasting* new_lasting(StateBase m) except NULL:
    """Room for one more effect that lasts, at the end."""
    cdef Lasting* room
    if m.t.lasting_count >= NEAR_LASTING + m.lasting_room:
        room = <Lasting*> realloc(m.far_lasting, (m.lasting_room + NEAR_LASTING) * sizeof(Lasting))
        if room == NULL:
            raise MemoryError
        m.far_lasting = room
        m.lasting_room += NEAR_LASTING
    m.t.lasting_count += 1
    return lasting_at(m, m.t.lasting_count - 1)


cdef int end_effects(StateBase m, int until) except -1:
    """End the effects that last until now; with the cycle ends all but what lasts for the game (OLO-EOC-03)."""
    cdef int i, kept = 0
    cdef Lasting* one
    for i in range(m.t.lasting_count):
        one = lasting_at(m, i)
        if one.until != UNTIL_GAME if until == UNTIL_CYCLE else one.until == until:
            note(m, EVENT_EFFECT_ENDED, one.node, one.subject)
        else:
            kept = keep(m, one, i, kept)
    m.t.lasting_count = kept
    return 0


cdef int end_within(StateBase m, int until, int home) except -1:
    """End the effects for an attack or a roll whose home is at this height, or above it."""
    cdef int i, kept = 0
    cdef Lasting* one
    for i in range(m.t.lasting_count):
        one = lasting_at(m, i)
        if one.until == until and one.home >= home:
            note(m, EVENT_EFFECT_ENDED, one.node, one.subject)
        else:
            kept = keep(m, one, i, kept)
    m.t.lasting_count = kept
    return 0


cdef int end_effects_on(StateBase m, int subject) except -1:
    """End the effects on somebody."""
    cdef int i, kept = 0
    cdef Lasting* one
    for i in range(m.t.lasting_count):
        one = lasting_at(m, i)
        if one.subject == subject:
            note(m, EVENT_EFFECT_ENDED, one.node, subject)
        else:
            kept = keep(m, one, i, kept)
    m.t.lasting_count = kept
    return 0


cdef int keep(StateBase m, const Lasting* one, int place, int kept) noexcept:
    """Close the gap before an effect that goes on; the number of those that do."""
    if kept < place:
        memcpy(lasting_at(m, kept), one, sizeof(Lasting))
    return kept + 1


cdef int copy_table(StateBase m, StateBase copy) except -1:
    """Copy what a table holds into a new one. Frames above the top are never looked at."""
    cdef int near = min(m.t.depth, <int> NEAR_FRAMES), i, far
    memcpy(&copy.t, &m.t, <size_t> (<char*> &m.t.frame[near] - <char*> &m.t))
    if m.t.depth > NEAR_FRAMES:
        make_room(copy, m.t.depth - 1)
        for i in range(NEAR_FRAMES, m.t.depth, NEAR_FRAMES):
            far = min(m.t.depth - i, <int> NEAR_FRAMES)
            memcpy(frame_at(copy, i), frame_at(m, i), far * sizeof(Frame))
    if m.t.lasting_count > NEAR_LASTING:
        copy.far_lasting = <Lasting*> malloc(m.lasting_room * sizeof(Lasting))
        if copy.far_lasting == NULL:
            raise MemoryError
        copy.lasting_room = m.lasting_room
        memcpy(copy.far_lasting, m.far_lasting, (m.t.lasting_count - NEAR_LASTING) * sizeof(Lasting))
    return 0


# -- questions to a player or to chance --------------------------------------------------------------------------------
# Small questions that many rules ask: which element, how many successes, what face. The answer goes to the frame below.

cdef int ask_pick(StateBase m, int what, int player, uint64_t discs, uint64_t pieces, bint declinable) except -1:
    """Ask a player to pick one of some elements; the result is the element, or -1 for none."""
    cdef Frame* frame = push_frame(m, F_PICK)
    frame.v[PICK_ASK], frame.v[CHOOSER], frame.v[DECLINABLE] = what, player, declinable
    frame.v[LOW], frame.v[HIGH] = <int32_t> discs, <int32_t> (discs >> 32)
    frame.v[PIECES_LOW], frame.v[PIECES_HIGH] = <int32_t> pieces, <int32_t> (pieces >> 32)
    return 0


cdef uint64_t picked_discs(const Frame* frame) noexcept:
    """The figures and markers that may be picked."""
    return <uint64_t> <unsigned int> frame.v[LOW] | <uint64_t> <unsigned int> frame.v[HIGH] << 32


cdef uint64_t picked_pieces(const Frame* frame) noexcept:
    return <uint64_t> <unsigned int> frame.v[PIECES_LOW] | <uint64_t> <unsigned int> frame.v[PIECES_HIGH] << 32


cdef int pick_step(StateBase m, Frame* frame, int code) except -1:
    if code < 0:
        return ask(m, frame.v[PICK_ASK], frame.v[CHOOSER])
    pop_frame(m, -1 if code == VERB_NO else first_argument(code))
    return 0


cdef int ask_roll(StateBase m, int figure, int stat, int dice, int difficulty) except -1:
    """Roll a pool of dice; the result is the number of successes (OLO-ROLL-01, 08)."""
    cdef Frame* frame = push_frame(m, F_ROLL)
    frame.v[ROLLER], frame.v[ROLL_STAT], frame.v[ROLL_DICE], frame.v[ROLL_DIFFICULTY] = figure, stat, dice, difficulty
    return 0


cdef int roll_step(StateBase m, Frame* frame, int code) except -1:
    if frame.v[ROLL_DICE] <= 0:
        pop_frame(m, 0)
        return 0
    if code < 0:
        return ask(m, DECISION_CHANCE_POOL, -1)
    note(
        m, EVENT_DICE_ROLLED, frame.v[ROLLER], frame.v[ROLL_DICE], frame.v[ROLL_DIFFICULTY], first_argument(code)
    )
    pop_frame(m, first_argument(code))
    return 0


cdef int ask_die(StateBase m, int sides) except -1:
    """Roll one die whose face matters; the result is the face (OLO-COMP-07)."""
    cdef Frame* frame = push_frame(m, F_DIE)
    frame.v[SIDES] = sides
    return 0


cdef int die_step(StateBase m, Frame* frame, int code) except -1:
    if code < 0:
        return ask(m, DECISION_CHANCE_DIE, -1)
    note(m, EVENT_DIE_ROLLED, frame.v[SIDES], first_argument(code))
    pop_frame(m, first_argument(code))
    return 0

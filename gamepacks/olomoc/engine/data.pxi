# The data of a state: structs and constants, and the short functions that all of the rules use.

cdef enum:
    MAX_CARDS = 320
    MAX_BOXES = 20
    MAX_CARD_CAPACITIES = 16

cdef struct Card:
    # A card: the profiles come first, then the hostile profiles.
    int32_t rank
    int32_t radius
    # Indexed by Stat; the number 0 is unused.
    int32_t stats[5]
    int32_t boxes
    int8_t life[MAX_BOXES]
    int32_t ap
    int32_t acts
    int32_t reactions[3]
    bint prefer_riposte
    int32_t capacities
    int16_t capacity[MAX_CARD_CAPACITIES]

# Masks of the place and the verb of an action code, and the decision after the end.
cdef enum:
    POINT_MASK = (1 << POINT_BITS) - 1
    VERB_MASK = 0x7FFFFFFF >> ARGUMENT_BITS << ARGUMENT_BITS
    NO_DECISION = 0

cdef enum:
    # A further value of ``Figure.where``, which is a Place: there is no such figure.
    ABSENT = 0
    # A further value of ``Figure.player``.
    HOSTILE = 2
    # The bit of a stunned figure in ``Figure.states``.
    STUNNED = 1 << (STATE_STUNNED - 1)
    # Maximum number of specific capacities of a figure: those of a profile, a gear card and an agenda together.
    MAX_SPECIFIC = 28
    NO_CARD = -1
    # The mask of the ministries of the pack, without the Axe.
    PACK_MINISTRIES = (1 << AXE) - 1
    # Maximum number of marches, and of attacks, of a figure in a phase (OLO-MARCH-01, OLO-ATT-01).
    PHASE_LIMIT = 2
    # Numbers of effects that last, raised events and frames that StateData holds; further ones are allocated outside of it.
    INLINE_LASTING = 32
    INLINE_RAISED = 64
    INLINE_FRAMES = 16
    VALUES = 48

# Indices into the values of a frame, by its kind (constants.FrameKind). Only the engine uses them.
cdef enum:
    # F_PLANNING, F_BUILD: the number of cards laid, or of picks made
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
    MOVE_GOAL = 3
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
    # F_EFFECTS: bound names from 0 on, then
    OWNER = MAX_NAMES
    SOURCE = 17
    COUNT = 18
    FACE = 19
    ATTACKING = 20
    CAUSE = 21
    RUNNING_PROGRAM = 22
    STAGE = 23
    HELD = 24
    HELD_HIGH = 25
    HELD_PIECES = 26
    HELD_PIECES_HIGH = 27
    EXTRA = 28
    EXTRA2 = 29
    EXTRA3 = 30
    EXTRA4 = 31
    IS_ROOT = 32
    SCOPE = 33
    # Of a whole capacity that attacks: as bits, the figures for which a reinforced box has taken a wound off, and those whose
    # tainted box stops all further wounds; then, in a byte for each figure, the wounds that protection has taken off. Each of
    # these applies once in an attack (OLO-LIFE-03, 04).
    REDUCED = 33
    STOPPED = 34
    SHIELDED = 35
    # F_TRIGGERS: pairs of numbers from ITEMS on. If the capacities that answer at one time need several frames, all but the top
    # one hold MAX_ITEMS; the top one holds the rest and decides what comes next.
    ITEM_COUNT = 0
    ITEM = 1
    ITEM_TARGET = 2
    ITEMS = 4
    MAX_ITEMS = 22
    # F_HOSTILE_PHASE
    HOSTILES_RUN = 0
    TURN = 1
    # F_HOSTILE
    ACTS = 1
    RUNNER = 2
    LINE = 3
    AIM = 4
    # F_MECHANISM
    MECHANISM_CAUSE = 0
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
    # Uses of each capacity: those that its frequency counts, and those in this phase.
    uint8_t uses[SLOTS]
    uint8_t used[SLOTS]

cdef struct Mark:
    # A marker: its tag, whether it is tainted, the radius of its zone in ticks (-1 for no zone).
    int16_t tag
    int16_t tainted
    int32_t zone

cdef struct PlacedPiece:
    # A piece of scenery that player 1 placed: rotation and place.
    int16_t rotation
    int16_t x
    int16_t y

cdef struct Lasting:
    # An effect that lasts: its node, subject (-1: anybody), values, owner, and end. An effect that lasts for an attack or a roll
    # ends with the frame at the height of its home; home is 0 for all others.
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
    # A process that is under way: its FrameKind, its stage, and its values by the indices above.
    int32_t kind
    int32_t pc
    int32_t v[VALUES]

cdef struct Raised:
    # An event to which capacities may answer: its trigger, and the two names that it binds (-1 for none).
    int32_t trigger
    int32_t one
    int32_t two

cdef struct Specific:
    # The specific capacities of a figure, made from its cards.
    int32_t count
    int16_t slot[MAX_SPECIFIC]
    int16_t capacity[MAX_SPECIFIC]
    # The kinds of their continuous effects, as bits of Op, and their triggers, as bits of Trigger.
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
    # The cause of the end (an EndCause; 0 before it), and the returns of players 0 and 1.
    int32_t over
    int32_t won[2]
    # Whether the start Mechanism is carried out, in which nothing triggers and no capacity has an effect (OLO-MECH-05).
    int32_t starting
    # Greater than 0 while several figures are hit at once, when endings and triggers wait (OLO-END-05); 0 at every decision.
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
    PlacedPiece pieces[ELEMENTS - DISCS]
    uint64_t tainted_pieces
    Figure figure[FIGURES]
    Mark mark[DISCS]
    Discs discs
    # Derived: the specific capacities of each figure and those of the agenda's rules; masks of their effects and triggers.
    Specific specific[FIGURES]
    Specific agenda_rules
    uint64_t continuous
    uint64_t triggers
    # The pending decision and its player; running the top frame sets both.
    int32_t decision, deciding_player
    # The result that an ended frame gives to the one below it.
    int32_t result
    int32_t raised_count
    int32_t lasting_count
    Lasting lasting[INLINE_LASTING]
    int32_t depth
    Frame frame[INLINE_FRAMES]
    # Empty at every decision; therefore never copied.
    Raised raised[INLINE_RAISED]

cdef inline int add_trace(StateBase s, int kind, int a=0, int b=0, int c=0, int d=0, int e=0, int f=0) except -1:
    """Add an event (constants.EventKind and its numbers) to the trace, if one is kept."""
    if s.trace is not None:
        s.trace.append((kind, a, b, c, d, e, f))
    return 0

cdef inline Frame* frame_at(StateBase s, int height) noexcept:
    return &s.d.frame[height] if height < INLINE_FRAMES else &s.blocks[height // INLINE_FRAMES - 1][height % INLINE_FRAMES]

cdef inline Frame* top(StateBase s) noexcept:
    return frame_at(s, s.d.depth - 1)

cdef inline Lasting* lasting_at(StateBase s, int place) noexcept:
    return &s.d.lasting[place] if place < INLINE_LASTING else &s.overflow_lasting[place - INLINE_LASTING]

cdef inline Raised* raised_at(StateBase s, int place) noexcept:
    return &s.d.raised[place] if place < INLINE_RAISED else &s.overflow_raised[place - INLINE_RAISED]

cdef inline bint is_hostile(StateBase s, int figure) noexcept:
    return s.d.figure[figure].player == HOSTILE

cdef inline bint on_bloc(StateBase s, int figure) noexcept:
    return s.d.figure[figure].where == PLACE_BLOC

cdef inline bint stunned(StateBase s, int figure) noexcept:
    return s.d.figure[figure].states & STUNNED

cdef inline bint are_foes(StateBase s, int one, int other) noexcept:
    """Whether two figures are of different players, or one of them is a hostile and the other is not."""
    return s.d.figure[one].player != s.d.figure[other].player

cdef inline int rank_of(StateBase s, int figure) noexcept:
    return s.rules.card[s.d.figure[figure].card].rank

cdef inline int first_argument(int code) noexcept:
    """The first argument of a code without a place."""
    return code >> FIRST_SHIFT & 255

cdef inline int second_argument(int code) noexcept:
    """The second argument of a code without a place."""
    return code >> SECOND_SHIFT & 255

cdef inline bint decided_in_secret(int decision) noexcept:
    """Whether both players take the decision, unseen by each other."""
    return decision == DECISION_PLAN_MINISTRY or decision == DECISION_PLAN_CARD or decision == DECISION_BUILD

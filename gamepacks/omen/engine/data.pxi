# The configuration of a game (:class:`GameConfig`) and the base class that holds the data of a state.

cdef enum:
    VIEWERS = 3
    MAX_FRAMES = 112
    MAX_CONTEXTS = 10
    MAX_QUEUED = 48
    MAX_OPEN_EVENTS = 32
    MAX_MODS = 48
    MAX_DEFERRED = 16
    MAX_LOGGED = 256
    MAX_ON_SIDE = 24
    ENRAGED_STRENGTH = 4
    NO_LIMIT = -1
    # Piles of a City come in pairs, one for each seat.
    SEATS = 2

# Kinds of frames. The stack of frames holds everything that is pending; the topmost continues first.
cdef enum:
    FR_BLOCK = 1
    FR_EFFECT = 2
    FR_ABILITY = 3
    FR_CARD = 4
    FR_PLAY = 5
    FR_OP = 6
    FR_REACT = 7
    FR_DRAIN = 8
    FR_DRAW = 9
    FR_PRIZE = 10
    FR_WAR = 11
    FR_RAZE = 12
    FR_TRIUMPH = 13
    FR_OFFER = 14
    FR_PEEK = 15
    FR_SPIRIT = 16
    FR_FREE = 17
    FR_CURSE = 18
    FR_COST = 19
    FR_WINDOW = 20
    FR_MODE = 21

# Windows in which cards can be used outside of the main actions of Surge.
cdef enum:
    WIN_NONE = 0
    WIN_START = 1
    WIN_END = 2
    WIN_AFTER = 3

# Kinds of variables.
cdef enum:
    VAR_NOTHING = 0
    VAR_NUMBER = 1
    VAR_SEAT = 2
    VAR_CITY = 3
    VAR_CARDS = 4

# The target of a modifier of one card, in addition to those of program.Target.
cdef enum:
    TG_CARD = 3

cdef struct TokenSet:
    uint64_t[4] w

cdef struct CompiledCard:
    uint8_t kind
    uint8_t type
    uint8_t cost
    uint8_t offering
    uint8_t strength
    uint8_t invoke
    uint16_t traits
    int16_t hold_points
    uint8_t copies
    uint8_t abilities
    uint16_t hooks
    int16_t first_ability

cdef struct CompiledAbility:
    uint8_t hook
    uint8_t card
    uint8_t may
    uint8_t zone
    uint8_t turn
    uint8_t before
    uint8_t limit
    uint8_t number
    uint16_t steps
    int16_t label
    int32_t when
    int32_t event
    int32_t cost
    int32_t cond
    int32_t do

# A physical card. cext.knowledge reads and writes `known` (the viewers who know the card, as a mask) and `belief`.
cdef struct Token:
    uint64_t known
    int32_t card
    Belief[VIEWERS] belief
    uint8_t zone
    uint8_t prev
    uint8_t next
    uint8_t owner
    uint8_t enraged
    # A prize won this turn; a Unit used in this Portent; a Unit discarded for a free trait this turn.
    uint8_t fresh
    uint8_t used
    uint8_t trait_used
    # A prize that was laid face down this turn and that the other seat has not seen.
    uint8_t laid
    # Abilities (a bit each) that were used this turn, this game.
    uint8_t turn_uses
    uint8_t game_uses

# A modifier that is in force.
cdef struct ActiveMod:
    uint8_t what
    uint8_t target
    uint8_t who
    uint8_t controller
    uint8_t is_set
    uint8_t until
    uint8_t city
    # For a City: the only seat for which it holds; NONE for both.
    uint8_t seat
    uint8_t source
    uint8_t left
    int16_t value
    int32_t sel

cdef struct EventRecord:
    uint8_t type
    uint8_t by
    uint8_t who
    uint8_t token
    uint8_t card
    uint8_t enraged
    uint8_t city
    uint8_t source
    uint8_t to
    uint8_t cause
    # Viewers who saw the face of the card, as a mask.
    uint8_t seen
    int16_t n

cdef struct Var:
    uint8_t kind
    int16_t value
    TokenSet cards

# An ability that is being carried out.
cdef struct Context:
    uint8_t source
    uint8_t card
    uint8_t controller
    uint8_t city
    uint8_t cause
    # Decks that it searches, as bits; they are shuffled when it ends.
    uint8_t searched
    int16_t ability
    int16_t logged
    EventRecord event
    TokenSet revealed
    TokenSet looked
    # Cards bound to variables that have not moved since.
    TokenSet present
    Var[MAX_VARS] vars

cdef struct QueuedTrigger:
    uint8_t trigger
    uint8_t token
    uint8_t card
    uint8_t controller
    uint8_t city
    uint16_t moment
    int16_t ability
    EventRecord event

# A block of effects deferred to the end of the turn.
cdef struct Deferred:
    uint8_t source
    uint8_t card
    uint8_t controller
    uint8_t city
    uint8_t cause
    int16_t ability
    int32_t node

cdef struct Frame:
    uint8_t kind
    uint8_t stage
    uint8_t seat
    uint8_t city
    uint8_t token
    uint8_t a
    uint8_t b
    uint8_t c
    int16_t n
    int16_t m
    int32_t node
    EventRecord event
    TokenSet set

cdef struct Data:
    uint8_t phase
    uint8_t stage
    uint8_t active
    uint8_t first
    uint16_t turn
    int16_t supply
    int16_t[2] coins
    # The counter of each seat, for card texts.
    int16_t[2] counter
    uint8_t[MAX_CITIES] left
    uint8_t razed
    uint8_t drafted
    # Set-up.
    uint8_t round
    uint8_t dealt
    uint8_t whims_drawn
    uint8_t[2] commit
    # Turn.
    uint8_t wealth_left
    uint8_t wealth_draws
    uint8_t wealth_coins
    uint8_t wealth_lost
    uint8_t spoils
    uint8_t prizes_used
    uint8_t challenges_taken
    uint8_t relic_taken
    uint8_t offers
    uint8_t resolved
    uint8_t war_blocked
    uint8_t changed
    # Whether an event has happened since TRIUMPH was checked (edition traits; OMENT-TRIUMPH-03).
    uint8_t check_triumph
    uint8_t window
    uint8_t declined
    uint8_t window_used
    uint8_t feats_new
    uint8_t cancelled
    uint16_t triggers
    uint16_t actions
    uint16_t moment
    uint8_t caps
    uint8_t ending
    uint8_t regions
    # The decision (0: none) and the seat that makes it (-1: chance); advance() sets both.
    uint8_t decision
    int16_t decider
    # Piles: doubly linked lists of tokens.
    uint8_t[PILE_COUNT] head
    uint8_t[PILE_COUNT] tail
    uint8_t[PILE_COUNT] size
    uint8_t tokens
    uint8_t depth
    uint8_t contexts
    uint8_t queued
    uint8_t open_events
    uint8_t open_events_seen
    uint8_t mods
    uint8_t deferred_count
    uint16_t logged
    uint16_t step_logged
    Token[MAX_CARDS] token
    Frame[MAX_FRAMES] frame
    Context[MAX_CONTEXTS] context
    QueuedTrigger[MAX_QUEUED] queue
    EventRecord[MAX_OPEN_EVENTS] open_event
    ActiveMod[MAX_MODS] mod
    Deferred[MAX_DEFERRED] deferred
    EventRecord[MAX_LOGGED] log


cdef void copy_data(Data* target, const Data* source) noexcept nogil:
    """Copy the data of a state; of its lists only the used entries."""
    memcpy(target, source, <const char*> &source.token[source.tokens] - <const char*> source)
    copy_pending(target, source)


cdef void copy_pending(Data* target, const Data* source) noexcept nogil:
    """Copy what is pending (frames, contexts, triggers, events), the changes of values and the log of events.

    The numbers of these entries must be equal already.
    """
    memcpy(target.frame, source.frame, source.depth * sizeof(Frame))
    memcpy(target.context, source.context, source.contexts * sizeof(Context))
    memcpy(target.queue, source.queue, source.queued * sizeof(QueuedTrigger))
    memcpy(target.open_event, source.open_event, source.open_events * sizeof(EventRecord))
    memcpy(target.mod, source.mod, source.mods * sizeof(ActiveMod))
    memcpy(target.deferred, source.deferred, source.deferred_count * sizeof(Deferred))
    memcpy(target.log, source.log, source.logged * sizeof(EventRecord))


cdef enum:
    # HIDDEN: a node reads hidden cards. GUARDED: whether an effect is carried out depends on hidden cards.
    HIDDEN = 1
    GUARDED = 2

cdef struct Env:
    # Environment of an expression: controller, City, source card; context for variables and event, or NULL.
    uint8_t you
    uint8_t city
    uint8_t source
    uint8_t card
    bint printed
    # Viewers who must know a face before the expression may read it, as a mask (OMENX-HID-07).
    uint8_t reader
    Context* context
    const EventRecord* event

# -- sets of tokens ---------------------------------------------------------------------------------------------------

cdef inline bint has(const TokenSet* set, int token) noexcept nogil:
    return set.w[token >> 6] >> (token & 63) & 1

cdef inline void insert(TokenSet* set, int token) noexcept nogil:
    set.w[token >> 6] |= <uint64_t> 1 << (token & 63)

cdef inline void remove(TokenSet* set, int token) noexcept nogil:
    set.w[token >> 6] &= ~(<uint64_t> 1 << (token & 63))

cdef inline void clear(TokenSet* set) noexcept nogil:
    set.w[0] = set.w[1] = set.w[2] = set.w[3] = 0

cdef inline int size_of(const TokenSet* set) noexcept nogil:
    return (
        __builtin_popcountll(set.w[0]) + __builtin_popcountll(set.w[1])
        + __builtin_popcountll(set.w[2]) + __builtin_popcountll(set.w[3])
    )

cdef inline bint has_any(const TokenSet* set) noexcept nogil:
    """Whether a set has a token."""
    return (set.w[0] | set.w[1] | set.w[2] | set.w[3]) != 0

cdef inline void unite(TokenSet* set, const TokenSet* other) noexcept nogil:
    cdef int i
    for i in range(4):
        set.w[i] |= other.w[i]

# -- places -----------------------------------------------------------------------------------------------------------

cdef inline int side_of(int city, int seat) noexcept nogil:
    return PILE_SIDE + SEATS * city + seat

cdef inline int relic_of(int city, int seat) noexcept nogil:
    return PILE_RELIC + SEATS * city + seat

cdef inline bint in_city(int zone) noexcept nogil:
    return PILE_SIDE <= zone < PILE_SIDE + SEATS * MAX_CITIES

cdef inline bint relic_in_city(int zone) noexcept nogil:
    return PILE_RELIC <= zone < PILE_RELIC + SEATS * MAX_CITIES

cdef inline int city_of(int zone) noexcept nogil:
    """The City of a side or of a Relic's place."""
    return (zone - (PILE_RELIC if zone >= PILE_RELIC else PILE_SIDE)) >> 1

cdef inline int seat_of_side(int zone) noexcept nogil:
    return zone & 1

cdef inline bint in_hand(int zone) noexcept nogil:
    return zone == PILE_HAND or zone == PILE_HAND_B

cdef inline bint is_chance(int decision) noexcept nogil:
    """Whether chance makes this decision."""
    return decision < DECISION_EMISSARY or decision == DECISION_CHANCE_DIE

cdef inline int bit(int seat) noexcept nogil:
    return 1 << seat

cdef inline bint is_prize(int kind) noexcept nogil:
    return kind == KIND_REWARD or kind == KIND_KRATER

cdef extern from *:
    int __builtin_ctzll(unsigned long long) noexcept nogil
    int __builtin_popcountll(unsigned long long) noexcept nogil


cdef int EVERY_STEP = (1 << (PHASE_CLOSE + 1)) - (1 << PHASE_WEALTH)


cdef int copies_of(GameConfig config, const CompiledCard* card) noexcept:
    """The number of physical copies of a card in a game with these options (OMEN-SETUP-01)."""
    if card.kind == KIND_UNIT:
        if card.type == UNIT_TYPE_SPIRIT and not config.spirits or card.type == UNIT_TYPE_HERO and not config.heroes:
            return 0
    elif card.kind == KIND_FEAT:
        return 2
    elif card.kind == KIND_CHALLENGE:
        return card.copies if config.challenges != CHALLENGES_NONE else 0
    elif card.kind == KIND_WHIM:
        return card.copies if config.whims else 0
    elif card.kind == KIND_RELIC:
        return card.copies if config.relics else 0
    return card.copies


cdef class GameConfig:
    """Options, set-up numbers and compiled cards of a game; all states of the game share it.

    ``program``: the compiled card set; ``setup``: the numbers of section 10.3 of RULES.md (``coin_supply`` None: no
    limit); ``options``: those of section 3 by name (``oldest_seat`` 0 or 1), a missing one has its default.
    """

    cdef readonly object program
    cdef list counts
    cdef readonly int edition
    cdef bint omega
    cdef readonly int cities, prizes_per_city, hand, start_coins, hand_limit, coin_limit, city_limit, coin_supply
    cdef readonly int start, oldest, draft, challenges, first_wealth, sacked_tie, myriad_keep
    cdef readonly bint spirits, heroes, draft_swap, whims, relics, feat_either, feat_optional, up_to, spirit_played
    cdef readonly bint spirit_player, enter_opposing, combined, prizes_count, trait_once, tie_second, auto_single
    cdef readonly int trigger_cap, action_cap, max_turns
    cdef readonly int card_count, ability_count, code_length
    cdef CompiledCard* card
    cdef CompiledAbility* ability
    cdef int32_t* code
    # Bits HIDDEN and GUARDED of each node.
    cdef uint8_t* hidden_bits
    # Masks that make searches unnecessary: steps with use abilities outside Surge, and the types of events that matter.
    cdef readonly uint64_t react_before, react_after, auto_events, logged_events
    cdef readonly uint64_t static_what
    cdef readonly uint32_t use_steps


    def __init__(self, program, setup, options):
        self.program = program
        self.edition = int(program.edition)
        self.omega = self.edition == ED_OMEGA
        self.cities = setup["cities"]
        self.prizes_per_city = setup["prizes_per_city"]
        self.hand = setup["hand"]
        self.start_coins = setup["coins"]
        self.hand_limit = setup["hand_limit"]
        self.coin_limit = setup["coin_limit"]
        self.city_limit = setup["city_limit"]
        self.coin_supply = NO_LIMIT if setup.get("coin_supply") is None else setup["coin_supply"]
        if not 1 <= self.cities <= MAX_CITIES:
            raise ValueError(f"{self.cities} Cities; 1 to {MAX_CITIES} are possible")
        self.start = Start[options.get("start", "oldest").upper()]
        self.oldest = int(options.get("oldest_seat", 0))
        self.draft = Draft[options.get("draft", "none").upper()]
        self.spirits = options.get("spirits", False) or self.draft != DRAFT_NONE
        self.heroes = options.get("heroes", False) or self.draft != DRAFT_NONE
        self.draft_swap = options.get("draft_first", "same") == "swap"
        self.challenges = Challenges[options.get("challenges", "none").upper()]
        self.whims = options.get("whims", False)
        self.relics = options.get("relics", False)
        self.feat_either = options.get("feat_end", "opposing") == "either"
        self.feat_optional = options.get("feat_claim", "auto") == "optional"
        self.up_to = options.get("survivors", "max_count") == "up_to"
        self.spirit_played = options.get("spirit_trigger", "enter") == "played"
        self.spirit_player = options.get("spirit_order", "printed") == "player"
        self.enter_opposing = options.get("enter_on_opposing_turn", True)
        self.combined = options.get("combined", False)
        self.first_wealth = options.get("first_turn_wealth", 2 if self.omega else 3)
        self.sacked_tie = SackedTie[options.get("sacked_tie", "nobody").upper()]
        self.myriad_keep = options.get("myriad_keep_weight", 1)
        self.prizes_count = options.get("kraters_count_for_limit", True)
        self.trait_once = options.get("trait_once", True)
        self.tie_second = options.get("final_tie", "shared") == "second_player"
        self.trigger_cap = options.get("trigger_cap", 60)
        self.action_cap = options.get("action_cap", 200)
        self.max_turns = options.get("max_turns", 300)
        self.auto_single = options.get("auto_single", True)
        self.load_program(program)

    def __dealloc__(self):
        free(self.card)
        free(self.ability)
        free(self.code)
        free(self.hidden_bits)

    def composition(self):
        """Number of physical copies of each card, by index."""
        if self.counts is None:
            self.counts = [copies_of(self, &self.card[card]) for card in range(self.card_count)]
        return self.counts

    cdef int load_program(self, object program) except -1:
        """Copy the program into C arrays, and collect the event types and steps that abilities depend on."""
        cdef int i, j, kind
        cdef CompiledAbility* ability
        numbers = program.cards
        self.card_count = len(numbers) // CARD_LENGTH
        self.ability_count = len(program.abilities) // ABILITY_LENGTH
        self.code_length = len(program.code)
        if self.card_count > MAX_CARDS:
            raise ValueError(f"{self.card_count} different cards; at most {MAX_CARDS} are possible")
        self.card = <CompiledCard*> calloc(self.card_count + 1, sizeof(CompiledCard))
        self.ability = <CompiledAbility*> calloc(self.ability_count + 1, sizeof(CompiledAbility))
        self.code = <int32_t*> calloc(self.code_length + 1, sizeof(int32_t))
        self.hidden_bits = <uint8_t*> calloc(self.code_length + 1, sizeof(uint8_t))
        if self.card == NULL or self.ability == NULL or self.code == NULL or self.hidden_bits == NULL:
            raise MemoryError()
        for i in range(self.card_count):
            j = i * CARD_LENGTH
            self.card[i].kind = numbers[j + CF_KIND]
            self.card[i].type = numbers[j + CF_TYPE]
            self.card[i].cost = numbers[j + CF_COST]
            self.card[i].offering = numbers[j + CF_OFFERING]
            self.card[i].strength = numbers[j + CF_STRENGTH]
            self.card[i].invoke = numbers[j + CF_INVOKE]
            self.card[i].traits = numbers[j + CF_TRAITS]
            self.card[i].hold_points = numbers[j + CF_HOLD_POINTS]
            self.card[i].copies = numbers[j + CF_COPIES]
            self.card[i].first_ability = numbers[j + CF_FIRST_ABILITY]
            self.card[i].abilities = numbers[j + CF_ABILITIES]
        numbers = program.code
        for i in range(self.code_length):
            self.code[i] = numbers[i]
        nodes = ProgramAnalysis.of(program)
        for i in nodes.hidden:
            self.hidden_bits[i] |= HIDDEN
        for i in nodes.guarded:
            self.hidden_bits[i] |= GUARDED
        numbers = program.abilities
        for i in range(self.ability_count):
            j = i * ABILITY_LENGTH
            ability = &self.ability[i]
            ability.hook = numbers[j + AF_HOOK]
            ability.card = numbers[j + AF_CARD]
            ability.label = numbers[j + AF_LABEL]
            ability.may = numbers[j + AF_MAY]
            ability.when = numbers[j + AF_WHEN]
            ability.zone = numbers[j + AF_IN]
            ability.steps = numbers[j + AF_STEPS]
            ability.turn = numbers[j + AF_TURN]
            ability.event = numbers[j + AF_EVENT]
            ability.before = numbers[j + AF_BEFORE]
            ability.limit = numbers[j + AF_LIMIT]
            ability.cost = numbers[j + AF_COST]
            ability.cond = numbers[j + AF_COND]
            ability.do = numbers[j + AF_DO]
            ability.number = i - self.card[ability.card].first_ability
            self.card[ability.card].hooks |= 1 << ability.hook
            kind = self.card[ability.card].kind
            if ability.hook == H_USE and not is_prize(kind):
                self.use_steps |= ability.steps if ability.steps else EVERY_STEP
            if ability.event and ability.hook == H_REACT:
                if ability.before:
                    self.react_before |= <uint64_t> 1 << self.code[ability.event + F_TYPE]
                else:
                    self.react_after |= <uint64_t> 1 << self.code[ability.event + F_TYPE]
            if ability.event and ability.hook == H_AUTO:
                self.auto_events |= <uint64_t> 1 << self.code[ability.event + F_TYPE]
            if ability.hook == H_STATIC and ability.do:
                for j in range(self.code[ability.do]):
                    kind = self.code[ability.do + 1 + j]
                    self.static_what |= <uint64_t> 1 << self.code[kind + 1]
        self.logged_events = program.events_asked
        return 0


cdef class CoreState(State):
    """Base class of :class:`OmenState`: the data on which the rules work."""

    cdef readonly GameConfig config
    cdef Data d
    cdef list trace
    cdef Codes scratch
    # Whether static abilities are being evaluated, which do not apply to one another (OMENX-FX-21).
    cdef bint in_static

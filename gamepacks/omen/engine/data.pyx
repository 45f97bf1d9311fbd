"""The configuration of a game (:class:`GameConfig`) and the base class that holds the data of a state."""

from libc.stdint cimport int32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free

from cext.state cimport State
from gamepacks.omen.cards.analysis import ProgramAnalysis
from gamepacks.omen.v1.omen_enums import Challenges, Draft, SackedTie, Start

cdef int EVERY_STEP = (1 << (PHASE_CLOSE + 1)) - (1 << PHASE_WEALTH)


cdef int copies_of(GameConfig config, const Card* card) noexcept:
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
        free(self.secret)

    def composition(self):
        """Number of physical copies of each card, by index."""
        if self.counts is None:
            self.counts = [copies_of(self, &self.card[card]) for card in range(self.card_count)]
        return self.counts

    cdef int load_program(self, object program) except -1:
        # Copy the program into C arrays and collect the event types and steps that abilities depend on.
        cdef int i, j, kind
        cdef Ability* ability
        numbers = program.cards
        self.card_count = len(numbers) // CARD_LENGTH
        self.ability_count = len(program.abilities) // ABILITY_LENGTH
        self.code_length = len(program.code)
        if self.card_count > MAX_CARDS:
            raise ValueError(f"{self.card_count} different cards; at most {MAX_CARDS} are possible")
        self.card = <Card*> calloc(self.card_count + 1, sizeof(Card))
        self.ability = <Ability*> calloc(self.ability_count + 1, sizeof(Ability))
        self.code = <int32_t*> calloc(self.code_length + 1, sizeof(int32_t))
        self.secret = <uint8_t*> calloc(self.code_length + 1, sizeof(uint8_t))
        if self.card == NULL or self.ability == NULL or self.code == NULL or self.secret == NULL:
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
            self.secret[i] |= HIDDEN
        for i in nodes.guarded:
            self.secret[i] |= GUARDED
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
    """Base class of :class:`gamepacks.omen.engine.state.OmenState`: the data on which the engine's modules work."""

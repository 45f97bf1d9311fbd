# The options and the card set of a game as C values.

cdef enum:
    OP_ADVANCE = 1
    OP_DRAW = 2
    OP_CYCLE = 3
    OP_KEY = 4

cdef enum:
    LIGHTNING = 1
    BOOK = 2

# Formulas of Arcana tokens and their counters (section 16.3 of RULES.md).
cdef enum:
    FORMULA_FIXED = 1
    FORMULA_PER = 2
    FORMULA_IF = 3
    FORMULA_MOST = 4
    FORMULA_TABLE = 5
    FORMULA_SUM = 6

cdef enum:
    AT_LEAST = 1
    EQUAL = 2
    AT_MOST = 3

cdef enum:
    COUNTER_RUNES = 1
    COUNTER_PYRAMID = 2
    COUNTER_COLOURS = 3
    COUNTER_EGREGORS = 4
    COUNTER_SNAKES = 5
    COUNTER_THRUSTS = 6
    COUNTER_PRESTIGE = 7
    COUNTER_ARCANA = 8
    COUNTER_LAPS = 9
    COUNTER_SETS = 10

# A condition of a filter that is not set.
cdef enum:
    UNSET = -1

cdef struct CompiledEffect:
    uint8_t op
    uint8_t n
    uint8_t colour

cdef struct CompiledPower:
    uint8_t trigger
    uint8_t effects
    CompiledEffect[MAX_EFFECTS] effect

cdef struct CompiledEgregor:
    uint8_t snake
    uint8_t thrust
    uint8_t renegade
    uint8_t primitive
    uint8_t key
    uint8_t key_book
    uint8_t powers
    CompiledPower[MAX_POWERS] power

cdef struct CompiledFilter:
    int8_t renegade
    int8_t primitive
    int8_t key
    # UNSET, LIGHTNING, BOOK, or 0 for a card without a power.
    int8_t trigger
    int8_t colour
    int16_t snake_min
    int16_t snake_max
    int16_t thrust_min
    int16_t thrust_max
    int16_t load_min
    int16_t load_max

cdef struct CompiledCounter:
    uint8_t what
    # A type, or ANY_TYPE for all.
    uint8_t colour
    # For sets: a bit for each type.
    uint8_t colours
    CompiledFilter filter

cdef struct CompiledFormula:
    uint8_t kind
    uint8_t comparison
    bint ties
    bint bounded
    CompiledCounter counter
    int32_t n
    int32_t otherwise
    int32_t each
    int32_t most
    int32_t value
    # Range of a sum's parts in OmegaRules.formula, or of a table's values in OmegaRules.number.
    int32_t first
    int32_t count


_OPS = {"advance": OP_ADVANCE, "draw": OP_DRAW, "cycle": OP_CYCLE, "key": OP_KEY}
_KINDS = {
    "fixed": FORMULA_FIXED, "per": FORMULA_PER, "if": FORMULA_IF, "most": FORMULA_MOST, "table": FORMULA_TABLE,
    "sum": FORMULA_SUM,
}
_COMPARISONS = {">=": AT_LEAST, "=": EQUAL, "<=": AT_MOST}
_COUNTERS = {
    "runes_on_egregors": COUNTER_RUNES, "runes_in_pyramid": COUNTER_PYRAMID, "colours_on_egregors": COUNTER_COLOURS,
    "egregors": COUNTER_EGREGORS, "snake_sum": COUNTER_SNAKES, "thrust_sum": COUNTER_THRUSTS,
    "prestige": COUNTER_PRESTIGE, "arcana_count": COUNTER_ARCANA, "laps": COUNTER_LAPS, "sets": COUNTER_SETS,
}
_TRIGGERS = {None: UNSET, "lightning": LIGHTNING, "book": BOOK, "none": 0}


cdef class OmegaRules:
    """The options and the card set of a game, compiled; immutable."""

    cdef int players
    # The squares of the Ritual Disc, and the offset of the Eye.
    cdef readonly int squares
    cdef readonly int eye
    # -1 for a random one.
    cdef int start_player
    # Kinds of Arcana tokens, and the number of tokens that ends the game.
    cdef int kinds
    cdef readonly int arcanic
    cdef bint eye_cross, final_turn_capture, nonwhite, up_to_recovery, end_of_turn, disown_any
    cdef bint consecutive, key_discard, key_fires, mask_once, up_to_power, arcana_cap, zero_bonus
    cdef int red_limit
    cdef int max_turns
    # Runes dealt up to each place in the order of play.
    cdef uint8_t[SEATS] dealt
    cdef uint8_t[TYPES] total
    cdef uint8_t[TOKENS] copies
    cdef CompiledEgregor[CARDS] card
    # The formula of each kind of token, by its number, then the parts of sums.
    cdef CompiledFormula* formula
    # The values of the tables of formulas.
    cdef int32_t* number

    def __init__(self, int players, options, cards):
        """``options`` is an OmegaOptions, ``cards`` a checked OmegaCards."""
        cdef int i
        memset(&self.card, 0, sizeof(self.card))
        self.players = players
        self.squares = cards.disc.squares
        self.eye = cards.disc.eye_offset
        self.start_player = -1 if options.start_player is None else options.start_player
        self.arcanic = 6 if players == 4 else 7
        self.eye_cross = options.eye_trigger == "cross"
        self.final_turn_capture = options.final_turn_capture
        self.red_limit = RedLimit[options.red_limit.upper()]
        self.nonwhite = options.black_takes == "nonwhite"
        self.up_to_recovery = options.recovery == "up_to"
        self.end_of_turn = options.exhaustion == "end_of_turn"
        self.disown_any = options.disown_limit == "any"
        self.consecutive = options.green_pairing == "consecutive"
        self.key_discard = options.key_unchosen == "discard"
        self.key_fires = options.key_fires_lightning
        self.mask_once = options.mask_moves == "once"
        self.up_to_power = options.power_amount == "up_to"
        self.arcana_cap = options.arcana_cap
        self.zero_bonus = options.prestige_zero_bonus
        self.max_turns = options.max_turns
        for i, count in enumerate(cards.runes.counts()):
            self.total[i] = count
        dealt = 0
        for i, size in enumerate(codes.HANDS[players]):
            dealt += size
            self.dealt[i] = dealt
        self.kinds = len(cards.arcana)
        for i, token in enumerate(cards.arcana):
            self.copies[i] = token.copies
        for i, card in enumerate(cards.egregors):
            compile_card(&self.card[i], card)
        self.compile_tokens([token.points for token in cards.arcana])

    def __dealloc__(self):
        free(self.formula)
        free(self.number)

    cdef int compile_tokens(self, list formulas) except -1:
        cdef int i, j
        cdef list numbers = []
        # Parts of sums are appended, so that the loop reaches them too.
        for formula in formulas:
            if formula.kind == "sum":
                formulas.extend(formula.of)
            elif formula.kind == "table":
                numbers.extend(formula.values)
        self.formula = <CompiledFormula*> calloc(len(formulas), sizeof(CompiledFormula))
        self.number = <int32_t*> calloc(len(numbers) + 1, sizeof(int32_t))
        if self.formula == NULL or self.number == NULL:
            raise MemoryError()
        for i, number in enumerate(numbers):
            self.number[i] = number
        i, j = self.kinds, 0
        for place, formula in enumerate(formulas):
            compile_formula(&self.formula[<int> place], formula)
            if formula.kind == "sum":
                self.formula[<int> place].first, self.formula[<int> place].count = i, len(formula.of)
                i += len(formula.of)
            elif formula.kind == "table":
                self.formula[<int> place].first, self.formula[<int> place].count = j, len(formula.values)
                j += len(formula.values)
        return 0

    cdef int passed(self, int steps) noexcept nogil:
        """Number of times that the Eye has been passed after so many steps (OMEGA-DISC-03)."""
        # With eye_trigger cross the Eye counts on leaving it.
        cdef int past = steps - self.eye - (1 if self.eye_cross else 0)
        return 0 if past < 0 else past // self.squares + 1

    def passings(self, int start, int moved):
        """Number of times that a move of ``moved`` squares from ``start`` steps passes the Eye (OMEGA-DISC-03)."""
        return self.passed(start + moved) - self.passed(start)


cdef int compile_card(CompiledEgregor* out, card) except -1:
    cdef int p, e
    out.snake = card.snake
    out.thrust = card.thrust
    out.renegade = card.renegade
    out.primitive = card.primitive
    out.powers = len(card.powers)
    for p, power in enumerate(card.powers):
        out.power[p].trigger = _TRIGGERS[power.trigger]
        out.power[p].effects = len(power.effects)
        for e, effect in enumerate(power.effects):
            out.power[p].effect[e].op = _OPS[effect.op]
            out.power[p].effect[e].n = effect.n
            out.power[p].effect[e].colour = colour_of(effect)
            if effect.op == "key":
                out.key = effect.n
                out.key_book = power.trigger == "book"
    return 0


cdef int colour_of(model) except -1:
    colour = getattr(model, "color", None)
    return ANY_TYPE if colour is None else codes.TYPE_NAMES.index(colour)


cdef int compile_formula(CompiledFormula* out, formula) except -1:
    out.kind = _KINDS[formula.kind]
    if formula.kind not in ("fixed", "sum"):
        compile_counter(&out.counter, formula.what)
    if formula.kind in ("fixed", "per", "if", "most"):
        out.n = formula.n
    if formula.kind == "per":
        out.each = formula.each
        out.bounded = formula.max is not None
        out.most = formula.max or 0
    elif formula.kind == "if":
        out.comparison = _COMPARISONS[formula.cmp]
        out.value = formula.value
        out.otherwise = formula.otherwise
    elif formula.kind == "most":
        out.ties = formula.tie == "all"
    return 0


cdef int compile_counter(CompiledCounter* out, what) except -1:
    out.what = _COUNTERS[what.counter]
    out.colour = colour_of(what)
    for name in getattr(what, "colors", ()):
        out.colours |= 1 << <int> codes.TYPE_NAMES.index(name)
    if what.counter == "egregors":
        out.filter.renegade = flag(what.filter.renegade)
        out.filter.primitive = flag(what.filter.primitive)
        out.filter.key = flag(what.filter.key)
        out.filter.trigger = _TRIGGERS[what.filter.trigger]
        name = what.filter.with_color
        out.filter.colour = UNSET if name is None else codes.TYPE_NAMES.index(name)
        out.filter.snake_min, out.filter.snake_max = bounds_of(what.filter.snake_min, what.filter.snake_max)
        out.filter.thrust_min, out.filter.thrust_max = bounds_of(what.filter.thrust_min, what.filter.thrust_max)
        out.filter.load_min, out.filter.load_max = bounds_of(what.filter.load_min, what.filter.load_max)
    return 0


cdef int flag(value) except -2:
    return UNSET if value is None else bool(value)


cdef tuple bounds_of(low, high):
    return (-1 if low is None else low, 32_767 if high is None else high)

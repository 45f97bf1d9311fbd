"""The options and the card set of a game as C values."""

from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from gamepacks.omega.codes_enums cimport *

from gamepacks.omega import codes
from gamepacks.omega.v1.omega_enums import RedLimit

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

    def compile_tokens(self, list formulas):
        cdef int i, j
        cdef list numbers = []
        # Parts of sums are appended, so that the loop reaches them too.
        for formula in formulas:
            if formula.kind == "sum":
                formulas.extend(formula.of)
            elif formula.kind == "table":
                numbers.extend(formula.values)
        self.formula = <Formula*> calloc(len(formulas), sizeof(Formula))
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

    cdef int passed(self, int steps) noexcept nogil:
        """Number of times that the Eye has been passed after so many steps (OMEGA-DISC-03)."""
        # With eye_trigger cross the Eye counts on leaving it.
        cdef int past = steps - self.eye - (1 if self.eye_cross else 0)
        return 0 if past < 0 else past // self.squares + 1

    def passings(self, int start, int moved):
        """Number of times that a move of ``moved`` squares from ``start`` steps passes the Eye (OMEGA-DISC-03)."""
        return self.passed(start + moved) - self.passed(start)


cdef int compile_card(Card* out, card) except -1:
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


cdef int compile_formula(Formula* out, formula) except -1:
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


cdef int compile_counter(Counter* out, what) except -1:
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
        out.filter.snake_min, out.filter.snake_max = within(what.filter.snake_min, what.filter.snake_max)
        out.filter.thrust_min, out.filter.thrust_max = within(what.filter.thrust_min, what.filter.thrust_max)
        out.filter.load_min, out.filter.load_max = within(what.filter.load_min, what.filter.load_max)
    return 0


cdef int flag(value) except -2:
    return UNSET if value is None else bool(value)


cdef tuple within(low, high):
    return (-1 if low is None else low, 32_767 if high is None else high)

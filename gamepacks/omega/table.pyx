"""The tables that a game of OMEGA is played by: the options as C values, the card set as arrays."""

from libc.string cimport memset

from gamepacks.omega import codes

# The numbers in table.pxd are those of codes.py: checked here, so that they cannot drift apart.
if [verb.number for verb in codes.BOOK.verbs] != list(range(35)) or codes.KEY_PLACE.number << 24 != V_KEY_PLACE:
    raise ImportError("table.pxd and codes.py disagree about verbs")
if (codes.Phase.SETUP_ALTAR, codes.Phase.OVER) != (P_SETUP_ALTAR, P_OVER):
    raise ImportError("table.pxd and codes.py disagree about phases")
if (codes.Frame.BAG_DRAW, codes.Frame.BOOK) != (F_BAG_DRAW, F_BOOK):
    raise ImportError("table.pxd and codes.py disagree about frames")

_OPS = {"advance": OP_ADVANCE, "draw": OP_DRAW, "cycle": OP_CYCLE, "key": OP_KEY}


cdef class Rules:
    """Options and card set of one table, compiled; immutable."""

    def __init__(self, int players, options, cards):
        """``options`` is an OmegaOptions, ``cards`` a checked OmegaCards of 42 Egregors and 42 tokens."""
        cdef int i, p, e
        memset(&self.card, 0, sizeof(self.card))
        self.players = players
        self.squares = cards.disc.squares
        self.eye = cards.disc.eye_offset
        self.start_player = -1 if options.start_player is None else options.start_player
        self.arcanic = 6 if players == 4 else 7
        self.eye_cross = options.eye_trigger == "cross"
        self.final_turn_capture = options.final_turn_capture
        self.red_limit = ("per_rune", "per_batch", "per_turn").index(options.red_limit)
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
        self.max_turns = options.max_turns
        for i, count in enumerate(cards.runes.counts()):
            self.total[i] = count
        self.kinds = len(cards.arcana)
        for i, token in enumerate(cards.arcana):
            self.copies[i] = token.copies
        for i, card in enumerate(cards.egregors):
            self.card[i].snake = card.snake
            self.card[i].thrust = card.thrust
            self.card[i].renegade = card.renegade
            self.card[i].primitive = card.primitive
            self.card[i].powers = len(card.powers)
            for p, power in enumerate(card.powers):
                self.card[i].power[p].trigger = LIGHTNING if power.trigger == "lightning" else BOOK
                self.card[i].power[p].effects = len(power.effects)
                for e, effect in enumerate(power.effects):
                    colour = getattr(effect, "color", None)
                    self.card[i].power[p].effect[e].op = _OPS[effect.op]
                    self.card[i].power[p].effect[e].n = effect.n
                    self.card[i].power[p].effect[e].colour = NO_COLOUR if colour is None else codes.TYPE_NAMES.index(colour)
                    if effect.op == "key":
                        self.card[i].key = effect.n
                        self.card[i].key_book = power.trigger == "book"

    cdef int passed(self, int steps) noexcept nogil:
        # OMEGA-DISC-03; with eye_trigger cross the Eye counts on leaving it.
        cdef int past = steps - self.eye - (1 if self.eye_cross else 0)
        return 0 if past < 0 else past // self.squares + 1

    def passings(self, int start, int moved):
        """How often a move of so many squares from ``start`` steps passes the Eye (OMEGA-DISC-03)."""
        return self.passed(start + moved) - self.passed(start)

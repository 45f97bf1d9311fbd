"""The state of Omen as the engine sees it; the rules are in the other modules of this pack."""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy

from cext.state cimport C_CHANCE, C_SIMULTANEOUS, C_TERMINAL, Codes, State
from gamepacks.omen.engine.dump cimport dump
from gamepacks.omen.engine.loop cimport answer, chance_answer, options, outcomes, seen_by, settle
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.private cimport decline_of
from gamepacks.omen.engine.redeal cimport redeal
from gamepacks.omen.engine.score cimport score_of, winners_of
from gamepacks.omen.engine.setup cimport lay_out
from gamepacks.omen.engine.stack cimport context, front, top
from gamepacks.omen.engine.stats cimport cost_in, stat_of, strength_on, to_resolve, units_on, weight_of
from gamepacks.omen.engine.table cimport (
    bit, Data, FR_ABILITY, FR_CARD, FR_COST, FR_CURSE, FR_DRAW, FR_EFFECT, FR_FREE, FR_MODE, FR_OFFER, FR_PEEK,
    FR_PLAY, FR_SPIRIT, FR_WAR, Frame, is_chance, Rules, Set, side_of, Table,
)
from gamepacks.omen.engine.turn cimport met, wealth_left
from gamepacks.omen.engine.vocabulary cimport *



cdef class OmenState(Table):
    """A game of Omen; made by the games of :mod:`gamepacks.omen.game`."""

    def __init__(self, object game, Rules rules not None):
        """The table before the set-up, gone on to the first decision or chance node."""
        self.game = game
        self.rules = rules
        self.scratch = Codes()
        lay_out(self)
        settle(self)

    # -- State --------------------------------------------------------------------------------------------------------

    cpdef int actor(self) except? -100:
        if self.d.ask == ASK_NOTHING:
            return C_TERMINAL
        return self.d.asked

    cpdef uint32_t seats_to_act(self) except? 0xFFFFFFFF:
        if self.d.asked == C_SIMULTANEOUS and self.d.ask:
            return (self.d.commit[0] == NONE) | (self.d.commit[1] == NONE) << 1
        return bit(self.d.asked) if not is_chance(self.d.ask) else 0

    cpdef int32_t decline_code(self) except? -100:
        return decline_of(self)

    cpdef State clone(self):
        cdef OmenState copy = OmenState.__new__(OmenState)
        copy.game = self.game
        copy.rules = self.rules
        copy.scratch = Codes()
        memcpy(&copy.d, &self.d, sizeof(Data))
        return copy

    cpdef tuple returns(self):
        cdef int winners = winners_of(self)
        if winners == 3:
            return (0.0, 0.0)
        return (1.0, -1.0) if winners == 1 else (-1.0, 1.0)

    cpdef State resample(self, int viewer, object rng):
        cdef OmenState other = self.clone()
        if viewer != -2:
            redeal(self, other, viewer if viewer >= 0 else 2, rng)
        return other

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef uint8_t[MAX_CARDS] tokens
        out.size = 0
        if is_chance(self.d.ask):
            return 0
        if self.d.asked == C_SIMULTANEOUS:
            if not 0 <= seat < 2 or self.d.commit[seat] != NONE:
                return 0
            return options(self, seat, out, tokens)
        if seat != -1 and seat != self.d.asked:
            return 0
        return options(self, self.d.asked, out, tokens)

    cdef int fill_chance(self, Codes out) except -1:
        out.size = 0
        if self.actor() != C_CHANCE:
            return 0
        return outcomes(self, out)

    cpdef bint is_legal(self, int32_t code, int seat=-1) except -1:
        cdef Codes out = Codes()
        cdef Py_ssize_t i
        if self.actor() == C_CHANCE:
            if seat != -1:
                return False
            self.fill_chance(out)
        else:
            self.fill_legal(seat, out)
        for i in range(out.size):
            if out.code[i] == code:
                return True
        return False

    cdef int step(self, int32_t code, int seat) except -1:
        cdef uint8_t[MAX_CARDS] tokens
        cdef Codes out = self.scratch
        cdef Py_ssize_t i
        if is_chance(self.d.ask):
            chance_answer(self, code)
        else:
            if self.d.asked != C_SIMULTANEOUS:
                seat = self.d.asked
            options(self, seat, out, tokens)
            for i in range(out.size):
                if out.code[i] == code:
                    answer(self, code, tokens[i], seat)
                    break
            else:
                raise ValueError(f"{code} is no option here")
        settle(self)
        return 0

    # -- what there is to see -----------------------------------------------------------------------------------------

    @property
    def ask(self):
        """What is to be decided, and by whom: numbers of codes.Ask and a seat (-1 chance, -2 both at once)."""
        return (self.d.ask, self.d.asked)

    @property
    def phase(self):
        """A number of codes.Phase."""
        return self.d.phase

    @property
    def active(self):
        """The seat whose turn it is; None in the set-up."""
        return None if self.d.active == NONE else self.d.active

    @property
    def first(self):
        """The seat that had the first turn; None before it is known."""
        return None if self.d.first == NONE else self.d.first

    @property
    def turn(self):
        """Number of the turn, from 1; 0 in the set-up."""
        return self.d.turn

    @property
    def ending(self):
        """Why the game has ended: bits 1 Cities, 2 Feats, 4 Challenges, 8 turn cap; 0 before."""
        return self.d.ending

    @property
    def token_count(self):
        """How many physical cards there are, all kinds together."""
        return self.d.tokens

    def scores(self):
        """Points of both seats, as if the game ended now."""
        return (score_of(self, 0), score_of(self, 1))

    def winners(self):
        """The seats that win, as if the game ended now; both where they share the win."""
        cdef int mask = winners_of(self)
        return tuple([seat for seat in range(2) if mask >> seat & 1])

    def strength(self, int city, int seat):
        """strength(side)."""
        return strength_on(self, city, seat)

    def units(self, int city, int seat):
        """count(side)."""
        return units_on(self, city, seat)

    def feats_met(self):
        """How many Feats the Active player would achieve if they were tested now."""
        cdef Set cards
        return met(self, PILE_FEATS_UP + self.d.active, &cards) if self.d.active != NONE else 0

    def embattled(self, int city):
        """Is a City war-torn, or to be Sacked, as it stands?"""
        return self.d.active != NONE and bool(to_resolve(self, city))

    def side(self, int city, int seat):
        """The Units of a side in order of entry: (card, enraged, strength, weight, owner) of each."""
        cdef int token = self.d.head[side_of(city, seat)]
        units = []
        while token != NONE:
            units.append((
                self.d.token[token].card, bool(self.d.token[token].enraged), stat_of(self, token, ST_STRENGTH),
                weight_of(self, token), self.d.token[token].owner,
            ))
            token = self.d.token[token].next
        return units

    def pile(self, int pile):
        """The cards of a pile in their order: (card, known, fresh, owner) of each; known is a mask of viewers."""
        cdef int token = self.d.head[pile]
        cards = []
        while token != NONE:
            cards.append((
                self.d.token[token].card, self.d.token[token].known, bool(self.d.token[token].fresh),
                self.d.token[token].owner,
            ))
            token = self.d.token[token].next
        return cards

    def keepers(self):
        """At KEEP: the cards of the Units among which the seat chooses, in the order of the bits of its codes."""
        if self.d.ask != ASK_KEEP:
            return []
        return [unit[0] for unit in self.side(top(self).city, top(self).seat)]

    def triggers(self):
        """At ORDER: what waits, as (Trigger, card, ability index) in the order of the codes."""
        cdef int i
        return [
            (self.d.queue[i].trigger, self.d.queue[i].card, self.d.queue[i].ability) for i in range(front(self))
        ] if self.d.ask == ASK_ORDER else []

    def choices(self):
        """At CHOOSE: the texts of all options, by number."""
        cdef int node
        if self.d.ask != ASK_CHOOSE:
            return []
        node = top(self).node
        labels = self.rules.program.labels
        return [labels[self.rules.code[node + 4 + 2 * i]] for i in range(self.rules.code[node + 3])]

    def deed(self):
        """At UNIT, CARD, CITY and MAY: what is chosen for, as (Effect, Zone, card): the effect that a card or City is
        picked for, of PUT and RETURN where to, and the card that goes to a City. None stands for what there is not; a
        Unit that is played has no effect."""
        cdef Frame* frame
        cdef int op, card = NONE, to = -1
        if not self.d.depth:
            card = self.d.head[PILE_RESOLVING]
            return (E_RELIC, None, self.d.token[card].card) if self.d.ask == ASK_CITY and card != NONE else None
        frame = top(self)
        if frame.kind == FR_PLAY:
            return (None, None, frame.event.card)
        if frame.kind == FR_CURSE:
            return (E_DESTROY if frame.a == Q_CURSE else E_DISCARD, None, None)
        if frame.kind == FR_FREE:
            return (E_PUT, Z_HAND if frame.a == M_FATE else Z_DECK_TOP, None)
        if frame.kind == FR_DRAW:
            return (E_DRAW, None, None)
        if frame.kind == FR_COST:
            op = self.rules.code[frame.node]
            if op == COST_RETURN:
                return (E_RETURN, Z_HAND, None)
            return (E_DISCARD if op == COST_DISCARD else E_DESTROY, None, None)
        if frame.kind != FR_EFFECT:
            return None
        op = self.rules.code[frame.node]
        if op == E_PUT or op == E_RETURN:
            to = self.rules.code[frame.node + 2]
        if self.d.ask == ASK_CITY and frame.token != NONE:
            card = self.d.token[frame.token].card
        return (op, None if to < 0 else to, None if card == NONE else card)

    def shown_to(self):
        """At chance about a Unit that is looked at or revealed, not drawn: those who see it, as a mask of viewers; -1
        elsewhere."""
        if self.d.ask != ASK_C_UNIT or top(self).kind != FR_PEEK:
            return -1
        return top(self).b

    def offered(self):
        """At MAY: the effects that are carried out if it is done, as (Effect, Zone): of PUT and RETURN where to; none
        where something is paid for, or drawn."""
        cdef Frame* frame
        cdef int node = 0, i, effect, op
        if self.d.ask != ASK_MAY:
            return []
        frame = top(self)
        if frame.kind == FR_ABILITY:
            node = self.rules.ability[context(self).ability].do
        elif frame.kind == FR_EFFECT and self.rules.code[frame.node] in (E_MAY, E_REPEAT):
            node = self.rules.code[frame.node + 2]
        if not node:
            return []
        found = []
        for i in range(self.rules.code[node]):
            effect = self.rules.code[node + 1 + i]
            op = self.rules.code[effect]
            found.append((op, self.rules.code[effect + 2] if op == E_PUT or op == E_RETURN else None))
        return found

    def price(self, int seat, int card):
        """The least Cost at which a Unit of a hand can be played, as far as coins go; -1 where the hand has none."""
        cdef int token = self.d.head[PILE_HAND + seat], city, cost, least = -1
        while token != NONE:
            if self.d.token[token].card == card:
                for city in range(self.rules.cities):
                    cost = cost_in(self, token, city)
                    if least < 0 or cost < least:
                        least = cost
            token = self.d.token[token].next
        return least

    def source(self):
        """The card whose play or ability is going on; None for none."""
        cdef int i, kind
        for i in range(self.d.depth - 1, -1, -1):
            kind = self.d.frame[i].kind
            if kind == FR_ABILITY or kind == FR_EFFECT:
                return self.d.context[self.d.contexts - 1].card if self.d.contexts else None
            if kind in (FR_CARD, FR_PLAY, FR_FREE, FR_OFFER, FR_MODE, FR_CURSE, FR_SPIRIT):
                return self.d.frame[i].m if kind == FR_CARD and self.d.frame[i].b else self.d.frame[i].event.card
        return None

    def at_war(self):
        """The City that is being resolved; None for none."""
        cdef int i
        for i in range(self.d.depth - 1, -1, -1):
            if self.d.frame[i].kind == FR_WAR:
                return self.d.frame[i].city
        return None

    def numbers(self):
        """Counters by name."""
        return {
            "coins": (self.d.coins[0], self.d.coins[1]), "counter": (self.d.counter[0], self.d.counter[1]), "supply": None if self.d.supply < 0 else self.d.supply,
            "left": tuple([self.d.left[i] for i in range(self.rules.cities)]),
            "razed": tuple([bool(self.d.razed >> i & 1) for i in range(self.rules.cities)]),
            "wealth_draws": self.d.draws, "wealth_coins": self.d.gains, "prizes_used": self.d.prizes_used,
            "drafted": bool(self.d.drafted), "actions": self.d.actions, "triggers": self.d.triggers,
            "offer_left": top(self).n if self.d.ask == ASK_SPLIT else 0,
            "wealth_left": wealth_left(self), "round": self.d.round, "committed": (self.d.commit[0] != NONE, self.d.commit[1] != NONE),
        }

    def naming(self):
        """At NAME: what is named, a number of program.Name; -1 elsewhere."""
        return self.rules.code[top(self).node + 1] if self.d.ask == ASK_NAME else -1

    def dump(self):
        """Everything as plain values, see :mod:`gamepacks.omen.engine.dump`."""
        return dump(self)

    def go_on(self):
        """Go on from wherever the table was put to the next decision, chance node or end."""
        settle(self)

    def code_seen(self, int32_t code, int seat=-1):
        """The viewers who may know a code that is taken now, as a mask: bits 0 and 1 the seats, bit 2 the spectator."""
        cdef uint8_t[MAX_CARDS] tokens
        cdef Codes out = Codes()
        cdef Py_ssize_t i
        cdef int token = NONE
        if not is_chance(self.d.ask):
            if self.d.asked != C_SIMULTANEOUS:
                seat = self.d.asked
            options(self, seat, out, tokens)
            for i in range(out.size):
                if out.code[i] == code:
                    token = tokens[i]
            if self.d.asked >= 0 and code == decline_of(self):
                return bit(seat)
        return seen_by(self, code, token, seat)

    def journal(self, int32_t code, int seat=-1):
        """What happens when a code is taken here: tuples (Event, by, who, card, city, from, to, n, cause, seen, extra).

        255 stands for nobody and nothing; ``seen`` is the mask of the viewers who see the card (or the extra).
        """
        cdef OmenState other = self.clone()
        cdef list told = []
        (<Table> other).story = told
        other.step(code, seat)
        return told

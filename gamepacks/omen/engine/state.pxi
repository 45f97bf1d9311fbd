# The state class of Omen, which the service uses.

cdef class OmenState(CoreState):
    """A state of Omen. :meth:`gamepacks.omen.game.OmenGame.initial_state` makes the first."""

    def __init__(self, object game, GameConfig config not None):
        """Set up the cards and advance to the first decision or chance node."""
        self.game = game
        self.config = config
        self.scratch = Codes.__new__(Codes)
        place_cards(self)
        advance(self)

    # -- State --------------------------------------------------------------------------------------------------------

    cpdef int actor(self) except? -100:
        if self.d.decision == 0:
            return C_TERMINAL
        return self.d.decider

    cpdef uint32_t seats_to_act(self) except? 0xFFFFFFFF:
        if self.d.decider == C_SIMULTANEOUS and self.d.decision:
            return (self.d.commit[0] == NONE) | (self.d.commit[1] == NONE) << 1
        return bit(self.d.decider) if not is_chance(self.d.decision) else 0

    cpdef int32_t decline_code(self) except? -100:
        return decline_code_of(self)

    cpdef State clone(self):
        cdef OmenState copy = OmenState.__new__(OmenState)
        copy.game = self.game
        copy.config = self.config
        copy.scratch = Codes.__new__(Codes)
        copy_data(&copy.d, &self.d)
        return copy

    cpdef tuple returns(self):
        cdef int winners = winners_of(self)
        if winners == 3:
            return (0.0, 0.0)
        return (1.0, -1.0) if winners == 1 else (-1.0, 1.0)

    cpdef State resample(self, int viewer, object rng):
        cdef OmenState other = self.clone()
        if viewer != -2:
            resample(self, other, viewer if viewer >= 0 else 2, rng)
        return other

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef uint8_t[MAX_CARDS] tokens
        out.size = 0
        if is_chance(self.d.decision):
            return 0
        if self.d.decider == C_SIMULTANEOUS:
            if not 0 <= seat < 2 or self.d.commit[seat] != NONE:
                return 0
            return fill_options(self, seat, out, tokens)
        if seat != -1 and seat != self.d.decider:
            return 0
        return fill_options(self, self.d.decider, out, tokens)

    cdef int fill_chance(self, Codes out) except -1:
        out.size = 0
        if self.actor() != C_CHANCE:
            return 0
        return fill_outcomes(self, out)

    cpdef bint is_legal(self, int32_t code, int seat=-1) except -1:
        cdef Codes out = Codes.__new__(Codes)
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
        if is_chance(self.d.decision):
            apply_outcome(self, code)
        else:
            if self.d.decider != C_SIMULTANEOUS:
                seat = self.d.decider
            fill_options(self, seat, out, tokens)
            for i in range(out.size):
                if out.code[i] == code:
                    apply_option(self, code, tokens[i], seat)
                    break
            else:
                raise ValueError(f"{code} is not an option here")
        advance(self)
        return 0

    # -- queries ------------------------------------------------------------------------------------------------------

    @property
    def decision(self):
        """The pending decision (a Decision; 0 at the end) and its seat (-1: chance, -2: both seats at once)."""
        return (self.d.decision, self.d.decider)

    @property
    def phase(self):
        """The Phase."""
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
        """The causes of the end of the game: bits 1 Cities, 2 Feats, 4 Challenges, 8 turn cap; 0 before."""
        return self.d.ending

    @property
    def token_count(self):
        """Number of physical cards of all kinds."""
        return self.d.tokens

    def scores(self):
        """Points of both seats, as if the game ended now."""
        return (score_of(self, 0), score_of(self, 1))

    def winners(self):
        """The seats that win, as if the game ended now; both where they share the win."""
        cdef int mask = winners_of(self)
        return tuple([seat for seat in range(2) if mask >> seat & 1])

    def strength(self, int city, int seat):
        """Strength of a side of a City."""
        return strength_on(self, city, seat)

    def units(self, int city, int seat):
        """Number of Units on a side of a City, by weight."""
        return units_on(self, city, seat)

    def feats_met(self):
        """Number of Feats that the Active player would achieve if they were tested now."""
        cdef TokenSet cards
        return met_claims(self, PILE_FEATS_UP + self.d.active, &cards) if self.d.active != NONE else 0

    def is_war_torn(self, int city):
        """Whether a City would be resolved in War now (war-torn, or Sacked)."""
        return self.d.active != NONE and bool(is_war_torn(self, city))

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

    def keep_candidates(self):
        """At KEEP: the cards of the Units among which the seat chooses, in the order of the bits of its codes."""
        if self.d.decision != DECISION_KEEP:
            return []
        return [unit[0] for unit in self.side(top(self).city, top(self).seat)]

    def queued_triggers(self):
        """At ORDER: the queued triggers as (Trigger, card, ability index) in the order of the codes."""
        cdef int i
        return [
            (self.d.queue[i].trigger, self.d.queue[i].card, self.d.queue[i].ability) for i in range(simultaneous_count(self))
        ] if self.d.decision == DECISION_ORDER else []

    def choice_labels(self):
        """At CHOOSE: the texts of all options, by number."""
        cdef int node
        if self.d.decision != DECISION_CHOOSE:
            return []
        node = top(self).node
        labels = self.config.program.labels
        return [labels[self.config.code[node + 4 + 2 * i]] for i in range(self.config.code[node + 3])]

    def chosen_effect(self):
        """At UNIT, CARD, CITY and MAY: the effect for which a card or City is chosen, as (EffectKind, Zone, card): the zone is
        the target of PUT and RETURN, the card is the one that goes to a City; missing parts are None. A Unit that is
        played has no effect."""
        cdef Frame* frame
        cdef int op, card = NONE, to = -1
        if not self.d.depth:
            card = self.d.head[PILE_RESOLVING]
            return (E_RELIC, None, self.d.token[card].card) if self.d.decision == DECISION_CITY and card != NONE else None
        frame = top(self)
        if frame.kind == FR_PLAY:
            return (None, None, frame.event.card)
        if frame.kind == FR_CURSE:
            return (E_DESTROY if frame.a == Q_CURSE else E_DISCARD, None, None)
        if frame.kind == FR_FREE:
            return (E_PUT, ZONE_HAND if frame.a == MODE_FATE else ZONE_DECK_TOP, None)
        if frame.kind == FR_DRAW:
            return (E_DRAW, None, None)
        if frame.kind == FR_COST:
            op = self.config.code[frame.node]
            if op == COST_RETURN:
                return (E_RETURN, ZONE_HAND, None)
            return (E_DISCARD if op == COST_DISCARD else E_DESTROY, None, None)
        if frame.kind != FR_EFFECT:
            return None
        op = self.config.code[frame.node]
        if op == E_PUT or op == E_RETURN:
            to = self.config.code[frame.node + 2]
        if self.d.decision == DECISION_CITY and frame.token != NONE:
            card = self.d.token[frame.token].card
        return (op, None if to < 0 else to, None if card == NONE else card)

    def peek_viewers(self):
        """At the chance node of a Unit that is looked at or revealed, not drawn: its viewers as a mask; -1 elsewhere."""
        if self.d.decision != DECISION_CHANCE_UNIT or top(self).kind != FR_PEEK:
            return -1
        return top(self).b

    def optional_effects(self):
        """At MAY: the effects that are carried out if the seat accepts, as (EffectKind, Zone), with the target zone of PUT and
        RETURN; empty for payments and draws."""
        cdef Frame* frame
        cdef int node = 0, i, effect, op
        if self.d.decision != DECISION_MAY:
            return []
        frame = top(self)
        if frame.kind == FR_ABILITY:
            node = self.config.ability[context(self).ability].do
        elif frame.kind == FR_EFFECT and self.config.code[frame.node] in (E_MAY, E_REPEAT):
            node = self.config.code[frame.node + 2]
        if not node:
            return []
        found = []
        for i in range(self.config.code[node]):
            effect = self.config.code[node + 1 + i]
            op = self.config.code[effect]
            found.append((op, self.config.code[effect + 2] if op == E_PUT or op == E_RETURN else None))
        return found

    def lowest_cost(self, int seat, int card):
        """The lowest Cost over all Cities of a Unit of a hand; -1 if the hand has no such Unit."""
        cdef int token = self.d.head[PILE_HAND + seat], city, cost, least = -1
        while token != NONE:
            if self.d.token[token].card == card:
                for city in range(self.config.cities):
                    cost = cost_in(self, token, city, seat)
                    if least < 0 or cost < least:
                        least = cost
            token = self.d.token[token].next
        return least

    def source(self):
        """The card that is being played or whose ability is carried out; None if there is none."""
        cdef int i, kind
        for i in range(self.d.depth - 1, -1, -1):
            kind = self.d.frame[i].kind
            if kind == FR_ABILITY or kind == FR_EFFECT:
                return self.d.context[self.d.contexts - 1].card if self.d.contexts else None
            if kind in (FR_CARD, FR_PLAY, FR_FREE, FR_OFFER, FR_MODE, FR_CURSE, FR_SPIRIT):
                return self.d.frame[i].m if kind == FR_CARD and self.d.frame[i].b else self.d.frame[i].event.card
        return None

    def war_city(self):
        """The City that is being resolved; None if there is none."""
        cdef int i
        for i in range(self.d.depth - 1, -1, -1):
            if self.d.frame[i].kind == FR_WAR:
                return self.d.frame[i].city
        return None

    def counters(self):
        """Counters by name."""
        return {
            "coins": (self.d.coins[0], self.d.coins[1]), "counter": (self.d.counter[0], self.d.counter[1]), "supply": None if self.d.supply < 0 else self.d.supply,
            "left": tuple([self.d.left[i] for i in range(self.config.cities)]),
            "razed": tuple([bool(self.d.razed >> i & 1) for i in range(self.config.cities)]),
            "wealth_draws": self.d.wealth_draws, "wealth_coins": self.d.wealth_coins, "prizes_used": self.d.prizes_used,
            "drafted": bool(self.d.drafted), "actions": self.d.actions, "triggers": self.d.triggers,
            "offer_left": top(self).n if self.d.decision == DECISION_SPLIT else 0,
            "wealth_left": wealth_left(self), "round": self.d.round, "committed": (self.d.commit[0] != NONE, self.d.commit[1] != NONE),
        }

    def named_kind(self):
        """At NAME: the kind of thing that is named (program.NameKind); -1 elsewhere."""
        return self.config.code[top(self).node + 1] if self.d.decision == DECISION_NAME else -1

    def dump_state(self):
        """The whole state as plain values, see :func:`dump_state`."""
        return dump_state(self)

    def advance(self):
        """Advance to the next decision, chance node or the end."""
        advance(self)

    def code_viewers(self, int32_t code, int seat=-1):
        """Viewers who may know a code that is applied now, as a mask: bits 0 and 1 the seats, bit 2 the spectator."""
        cdef uint8_t[MAX_CARDS] tokens
        cdef Codes out = Codes.__new__(Codes)
        cdef Py_ssize_t i
        cdef int token = NONE
        if not is_chance(self.d.decision):
            if self.d.decider != C_SIMULTANEOUS:
                seat = self.d.decider
            fill_options(self, seat, out, tokens)
            for i in range(out.size):
                if out.code[i] == code:
                    token = tokens[i]
            if self.d.decider >= 0 and code == decline_code_of(self):
                return bit(seat)
        return seen_by(self, code, token, seat)

    def trace_of(self, int32_t code, int seat=-1):
        """The events of applying a code to this state: tuples (Event, by, who, card, city, from, to, n, cause, seen, extra).

        255 stands for nobody and nothing; ``seen`` is the mask of the viewers who see the card (or the extra).
        """
        cdef OmenState other = self.clone()
        cdef list trace = []
        (<CoreState> other).trace = trace
        other.step(code, seat)
        return trace

# The state of a game of OMEGA: its data, and the compiled rules behind the engine's State interface.
#
# After each action or outcome the state is at the next decision, chance node or end. The phase says which part of the
# turn this is; the topmost frame of the stack, if there is one, is resolved first (OMEGA-MAIN-06).
#
# ============  ==========================================================
# moves         legal actions and outcomes
# actions       the effect of each action and outcome
# turn_flow     the game between decisions: set-up, phases, endings
# scoring       scores and points of tokens
# resampling    states that a viewer cannot distinguish
# search        the planner bot's search and evaluation
# guide         the guide of tree searches
# ruleset       options and card set as C values
# data          the structs, and functions that change single parts
# ============  ==========================================================

cdef class OmegaState(State):
    """A state of OMEGA; made by :class:`gamepacks.omega.game.Omega`."""

    cdef readonly OmegaRules rules
    cdef StateData data


    def __init__(self, object game, OmegaRules rules not None):
        """The state before the set-up."""
        cdef int i
        self.game = game
        self.rules = rules
        memset(&self.data, 0, sizeof(StateData))
        self.data.phase = PHASE_SETUP_ALTAR
        self.data.start = rules.start_player
        self.data.active = rules.start_player
        self.data.announcer = -1
        for i in range(TYPES):
            self.data.bag[i] = rules.total[i]
            self.data.bag_size += rules.total[i]
        for i in range(GALLERY_SLOTS):
            self.data.gallery[i] = NONE
        self.data.deck = (<uint64_t> 1 << CARDS) - 1
        for i in range(STACKS):
            self.data.top[i] = NONE
            self.data.hidden[i] = TOKENS // STACKS
        for i in range(rules.kinds):
            self.data.pool[i] = rules.copies[i]
        for i in range(rules.players):
            self.data.player[i].mask = -1
        self.data.batch_seat = NONE
        self.data.batch_index = NONE

    def dump(self):
        """The whole state as plain Python values; cards and tokens by number, 255 for none."""
        return dump_data(self.rules, &self.data)

    def load(self, values):
        """Set the whole state from the values of dump(); the caller has checked that each is in its range."""
        load_data(&self.data, values)

    def is_settled(self):
        """Whether the state is at a decision with a choice, a chance node or the end, as a step leaves it."""
        cdef OmegaState other = self.clone()
        cdef Codes out = Codes()
        run_to_next_node(other.rules, &other.data)
        if other.data.depth != self.data.depth or other.data.phase != self.data.phase:
            return False
        if other.data.turn != self.data.turn:
            return False
        if self.actor() == C_CHANCE:
            self.fill_chance(out)
        elif self.actor() >= 0:
            self.fill_legal(-1, out)
        return self.actor() == C_TERMINAL or out.size > 0

    # -- single values, cheaper than dump() ---------------------------------------

    @property
    def phase(self):
        """The phase, a number of omega_enums.Phase."""
        return self.data.phase

    @property
    def active(self):
        """The active seat; -1 before the first turn is known."""
        return self.data.active

    @property
    def pending(self):
        """The topmost frame, (kind of FrameKind, a, b, c); None if no frame is pending."""
        cdef Frame* frame
        if not self.data.depth:
            return None
        frame = &self.data.stack[self.data.depth - 1]
        return (frame.kind, frame.a, frame.b, frame.c)

    @property
    def dealt_seat(self):
        """The seat that gets the next rune of the deal."""
        return dealt_seat(self.rules, &self.data)

    @property
    def turn(self):
        """Number of the turn, from 1; 0 in the set-up."""
        return self.data.turn

    @property
    def ending(self):
        """Bits of codes.Ending; 0 while no ending has been announced."""
        return self.data.ending

    def card_at(self, int seat, int place):
        """The card number of an Egregor in play; None if there is none."""
        if not (0 <= seat < self.rules.players and 0 <= place < self.data.player[seat].row_size):
            return None
        return self.data.player[seat].row[place].card

    def gallery_card(self, int slot):
        """The card number in a slot of the gallery; None if it is empty."""
        if not 0 <= slot < GALLERY_SLOTS or self.data.gallery[slot] == NONE:
            return None
        return self.data.gallery[slot]

    def token_at(self, int stack):
        """The visible token of a stack; None if there is none."""
        if not 0 <= stack < STACKS or self.data.top[stack] == NONE:
            return None
        return self.data.top[stack]

    def token_points(self, int seat):
        """The points of each of a seat's tokens, in order of taking, if the judgement were now."""
        cdef int i
        return [
            token_points(self.rules, &self.data, self.data.player[seat].token[i], seat, NULL).least
            for i in range(self.data.player[seat].token_count)
        ]

    def score_parts(self):
        """(runes, gold, Arcana, Prestige bonus) of each seat, if the judgement were now (OMEGA-SCORE-01)."""
        cdef SeatScore[SEATS] scores
        cdef int seat
        score_seats(self.rules, &self.data, scores)
        return [
            (scores[seat].runes, scores[seat].gold, scores[seat].arcana, scores[seat].bonus)
            for seat in range(self.rules.players)
        ]

    def arcana_bounds(self, int seat):
        """Bounds (least, most) of the points of a seat's tokens, given what the seat knows. They differ only where a
        token depends on who has most runes of a type in the pyramid."""
        cdef Bounds points = held_token_points(self.rules, &self.data, seat)
        return (points.least, points.most)

    def trace_of(self, int32_t code):
        """The trace of a step: (kind of codes.TraceKind, a, b, c) in order of time."""
        cdef OmegaState other = self.clone()
        cdef Trace trace
        cdef int i
        trace.count = 0
        other.data.trace = &trace
        try:
            other.step(code, -1)
        finally:
            other.data.trace = NULL
        return [
            (trace.entry[i].kind, trace.entry[i].a, trace.entry[i].b, trace.entry[i].c) for i in range(trace.count)
        ]

    # -- State ---------------------------------------

    cpdef int actor(self) except? -100:
        cdef int phase = self.data.phase, kind
        if self.data.depth:
            kind = self.data.stack[self.data.depth - 1].kind
            if kind == FRAME_KIND_BAG_DRAW or kind == FRAME_KIND_FLIP or kind == FRAME_KIND_LOOK:
                return C_CHANCE
            if kind == FRAME_KIND_RECOVER:
                # OMEGA-TURN-02
                return self.data.stack[self.data.depth - 1].a
            return self.data.active
        if phase == PHASE_OVER:
            return C_TERMINAL
        if phase == PHASE_DRAW or phase == PHASE_MAIN:
            return self.data.active
        return C_CHANCE

    cpdef State clone(self):
        cdef OmegaState copy = OmegaState.__new__(OmegaState)
        copy.game = self.game
        copy.rules = self.rules
        memcpy(&copy.data, &self.data, sizeof(StateData))
        return copy

    cpdef tuple returns(self):
        return scoring.returns(self.game, self)

    cpdef State resample(self, int viewer, object rng):
        cdef OmegaState other = self.clone()
        # At the judgement everything is face up (section 15.6).
        if viewer != -2 and self.data.phase != PHASE_OVER:
            resample(self.rules, &self.data, &other.data, viewer, rng)
        return other

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef int actor = self.actor()
        out.size = 0
        if actor < 0 or seat != -1 and seat != actor:
            return 0
        if self.data.depth:
            return list_frame_actions(self.rules, &self.data, out)
        if self.data.phase == PHASE_DRAW:
            return list_draw_actions(&self.data, out)
        return list_main_actions(self.rules, &self.data, out)

    cdef int fill_chance(self, Codes out) except -1:
        out.size = 0
        if self.actor() != C_CHANCE:
            return 0
        return list_outcomes(self.rules, &self.data, out)

    cdef int step(self, int32_t code, int seat) except -1:
        if self.actor() == C_CHANCE:
            apply_outcome(self.rules, &self.data, code)
        elif self.data.depth:
            apply_frame_action(self.rules, &self.data, code)
        elif self.data.phase == PHASE_DRAW:
            apply_draw_action(&self.data, code)
        else:
            apply_main_action(self.rules, &self.data, code)
        run_to_next_node(self.rules, &self.data)
        if self.data.overflow:
            raise RuntimeError(f"the frame stack or the trace of OMEGA overflowed (code {code})")
        return 0


# -- the state as Python values ---------------------------------------


cdef dict dump_data(OmegaRules rules, const StateData* s):
    cdef int i
    return {
        "phase": s.phase, "start_seat": s.start, "active_seat": s.active, "dealt": s.dealt, "bag": runes(s.bag),
        "absent": runes(s.absent), "altar": runes(s.altar), "gallery": [s.gallery[i] for i in range(GALLERY_SLOTS)],
        "deck": cards_of(s.deck), "discard": cards_of(s.discard), "looked": cards_of(s.looked),
        "certain": cards_of(s.certain), "tops": [s.top[i] for i in range(STACKS)],
        "hidden": [s.hidden[i] for i in range(STACKS)], "pool": [s.pool[i] for i in range(rules.kinds)],
        "seats": [dump_player(&s.player[i]) for i in range(rules.players)], "turn": s.turn,
        "gain_used": bool(s.gain_used), "disowned": s.disowned, "last_mask": bool(s.last_mask),
        "mask_moved": bool(s.mask_moved), "bag_was_empty": bool(s.bag_was_empty), "red_used": bool(s.red_used),
        "green_pending": bool(s.green_pending), "batch": runes(s.batch), "batch_seat": s.batch_seat,
        "batch_index": s.batch_index, "batch_shown": bool(s.batch_shown), "keys": s.keys,
        "replaced": [s.replaced[i] for i in range(s.replaced_count)], "ending": s.ending, "announcer": s.announcer,
        "final_turns_left": s.final_turns_left,
        "frames": [(s.stack[i].kind, s.stack[i].a, s.stack[i].b, s.stack[i].c) for i in range(s.depth)],
    }


cdef dict dump_player(const Player* player):
    cdef int i
    return {
        "pyramid": runes(player.pyramid), "shown": runes(player.shown), "mask": player.mask,
        "lost_egregor": bool(player.lost), "prestige": player.prestige, "steps": player.steps,
        "tokens": [player.token[i] for i in range(player.token_count)],
        "egregors": [dump_egregor(&player.row[i]) for i in range(player.row_size)],
    }


cdef dict dump_egregor(const EgregorState* egregor):
    return {
        "card": egregor.card, "load": runes(egregor.load), "gained": bool(egregor.gained), "used": egregor.used,
        "old_blacks": egregor.old_blacks,
    }


cdef list runes(const unsigned char* counts):
    cdef int type
    return [counts[type] for type in range(TYPES)]


cdef list cards_of(uint64_t mask):
    cdef int card
    return [card for card in range(CARDS) if mask >> card & 1]


cdef int load_data(StateData* s, values) except -1:
    cdef int i
    memset(s, 0, sizeof(StateData))
    s.phase, s.start, s.active, s.dealt = values["phase"], values["start_seat"], values["active_seat"], values["dealt"]
    s.bag_size = copy_numbers(s.bag, values["bag"])
    copy_numbers(s.absent, values["absent"])
    s.altar_size = copy_numbers(s.altar, values["altar"])
    copy_numbers(s.gallery, values["gallery"])
    s.deck, s.discard = mask_of(values["deck"]), mask_of(values["discard"])
    s.looked, s.certain = mask_of(values["looked"]), mask_of(values["certain"])
    copy_numbers(s.top, values["tops"])
    copy_numbers(s.hidden, values["hidden"])
    copy_numbers(s.pool, values["pool"])
    for i, player in enumerate(values["seats"]):
        load_player(&s.player[i], player)
    s.turn, s.gain_used, s.disowned = values["turn"], values["gain_used"], values["disowned"]
    s.last_mask, s.mask_moved, s.bag_was_empty = values["last_mask"], values["mask_moved"], values["bag_was_empty"]
    s.red_used, s.green_pending = values["red_used"], values["green_pending"]
    s.batch_size = copy_numbers(s.batch, values["batch"])
    s.batch_seat, s.batch_index = values["batch_seat"], values["batch_index"]
    s.batch_shown = values["batch_shown"]
    s.keys, s.replaced_count = values["keys"], len(values["replaced"])
    copy_numbers(s.replaced, values["replaced"])
    s.ending, s.announcer, s.final_turns_left = values["ending"], values["announcer"], values["final_turns_left"]
    s.depth = len(values["frames"])
    for i, (kind, a, b, c) in enumerate(values["frames"]):
        s.stack[i].kind, s.stack[i].a, s.stack[i].b, s.stack[i].c = kind, a, b, c
    return 0


cdef int load_player(Player* player, values) except -1:
    cdef int i
    copy_numbers(player.pyramid, values["pyramid"])
    copy_numbers(player.shown, values["shown"])
    player.mask, player.lost = values["mask"], values["lost_egregor"]
    player.prestige, player.steps = values["prestige"], values["steps"]
    player.token_count = len(values["tokens"])
    copy_numbers(player.token, values["tokens"])
    player.row_size = len(values["egregors"])
    for i, egregor in enumerate(values["egregors"]):
        player.row[i].card, player.row[i].gained = egregor["card"], egregor["gained"]
        player.row[i].used, player.row[i].old_blacks = egregor["used"], egregor["old_blacks"]
        player.row[i].total = copy_numbers(player.row[i].load, egregor["load"])
    return 0


cdef int copy_numbers(unsigned char* counts, values) except -1:
    """Copy numbers; returns their sum, which matters for runes only."""
    cdef int i, number, total = 0
    for i, number in enumerate(values):
        counts[i] = number
        total += number
    return total


cdef uint64_t mask_of(cards) except? 0:
    cdef uint64_t mask = 0
    cdef int card
    for card in cards:
        mask |= <uint64_t> 1 << card
    return mask

# The compiled state of a game of Olomòc: the interface of the engine, and queries for views and labels.

# -- the state ---------------------------------------------------------------------------------------------------------

cdef class OlomocState(StateBase):
    """A state of Olomòc; :meth:`gamepacks.olomoc.game.Olomoc.initial_state` makes the first."""

    def __init__(self, object game, OlomocRules rules not None):
        """The beginning of a game."""
        self.game, self.rules = game, rules
        self.board, self.piece_tags = Board(), []
        start_game(self)

    @classmethod
    def load(cls, object game, OlomocRules rules not None, values):
        """Returns the state with these values, and the result of :func:`load_state`."""
        state = cls(game, rules)
        return state, load_state(state, values)

    def dump(self):
        """The whole state as plain values by name."""
        return dump_state(self)

    def progress(self):
        """Progress of a state between two actions, None elsewhere; see :func:`progress_of`."""
        return progress_of(self)

    def trace_of(self, int code, int seat=-1):
        """The trace of a step: the EventKind and the numbers of each event, in order of time. The last trace is cached."""
        cdef OlomocState probe
        if self.kept_trace is None or self.kept_trace[0] != code or self.kept_trace[1] != seat:
            probe = self.clone()
            probe.trace = []
            probe.apply_unchecked(code, seat)
            self.kept_trace = code, seat, tuple(probe.trace)
        return self.kept_trace[2]

    # -- players and decisions -----------------------------------------------------------------------------------------------

    @property
    def decision(self):
        """The Decision that a player or chance must take; None after the end."""
        return Decision(self.d.decision) if self.d.decision else None

    @property
    def deciding_player(self):
        """The player who decides; -1 where chance or both do, or nobody."""
        return self.d.deciding_player

    def seat_of(self, int player):
        """The seat of a player; before the numbers are known, player and seat are one."""
        return player ^ max(self.d.first_seat, 0)

    def player_of(self, int seat):
        """The number of the player on a seat."""
        return seat ^ max(self.d.first_seat, 0)

    @property
    def pool(self):
        """Dice and difficulty of the pending roll; None if there is none."""
        if self.d.decision != DECISION_CHANCE_POOL:
            return None
        return top(self).v[ROLL_DICE], top(self).v[ROLL_DIFFICULTY]

    @property
    def die(self):
        """The sides of the pending die; 0 if there is none."""
        return top(self).v[0] if self.d.decision == DECISION_CHANCE_DIE else 0

    def stat(self, int figure, int stat):
        """The value of a characteristic (Stat) of a figure, with all modifiers."""
        check_figure(self, figure)
        if not STAT_TECHNIQUE <= stat <= STAT_DODGE:
            raise ValueError(f"characteristics are 1 to 4 (Stat), not {stat}")
        return stat_of(self, figure, stat)

    def threatens(self, int figure):
        """The elements in the threat zone of a figure, as a mask of figures and markers."""
        cdef uint64_t found = 0
        cdef int i
        if not 0 <= figure < FIGURES:
            raise ValueError(f"figures are 0 to 15, not {figure}")
        for i in range(DISCS):
            if self.d.discs.present >> i & 1 and in_zone(self, figure, i):
                found |= <uint64_t> 1 << i
        return found

    def is_engaged(self, int figure):
        """Whether a figure on the board is in a foe's threat zone."""
        if not 0 <= figure < FIGURES:
            raise ValueError(f"figures are 0 to 15, not {figure}")
        return bool(self.d.figure[figure].where == PLACE_BLOC and engaged(self, figure))

    def is_covered(self, int figure):
        """Whether a figure on the board is in cover (OLO-COVER-01)."""
        check_figure(self, figure)
        return bool(self.d.figure[figure].where == PLACE_BLOC and covered(self, figure))

    def sees(self, int one, int other):
        """Whether there is a line of sight from a figure or marker to an element, by geometry or by an effect (OLO-LOS)."""
        if not (0 <= one < DISCS and exists(self, one) and exists(self, other)):
            raise ValueError(f"{one} and {other} are not both on the board")
        return bool(sees(self, one, other))

    def foes(self, int figure):
        """The foes of a figure that are on the board, as a mask."""
        check_figure(self, figure)
        return foes_of(self, figure)

    def active_figures(self):
        """The rouages that are active: activated, and coordinated."""
        cdef Frame* frame
        cdef int i, turn
        for i in range(self.d.depth - 1, -1, -1):
            frame = frame_at(self, i)
            if frame.kind == F_ACTIVATION:
                return tuple([frame.v[turn] for turn in (MAIN, OTHER) if may_act(self, frame, frame.v[turn])])
        return ()

    def specific(self, int figure):
        """The specific capacities of a figure: (number in USE, capacity of the card set)."""
        cdef int i
        check_figure(self, figure)
        return [
            (self.d.specific[figure].slot[i], self.d.specific[figure].capacity[i]) for i in range(self.d.specific[figure].count)
        ]

    def why_unusable(self, int figure, int slot):
        """The reason and sentence why an active rouage may not use a capacity now; None if it may (OLO-CAP)."""
        check_figure(self, figure)
        return why_unusable(self, figure, slot)

    def attacks(self, int figure):
        """The attacks that a figure's position allows: (number in USE: 2 frontal, 3 ranged, 4 charge; target, dice, difficulty)."""
        cdef uint64_t targets
        cdef int slot, target, stat
        cdef Pool pool
        cdef list found = []
        check_figure(self, figure)
        if self.d.figure[figure].where != PLACE_BLOC:
            return found
        for slot in (USE_FRONTAL, USE_RANGED, USE_CHARGE):
            stat = STAT_SHOOT if slot == USE_RANGED else STAT_COMBAT
            if slot == USE_FRONTAL:
                targets = frontal_targets(self, figure, slot)
            elif slot == USE_RANGED:
                targets = ranged_targets(self, figure, slot)
            else:
                targets = 0 if engaged(self, figure) else charge_targets(self, figure, slot)
            for target in range(FIGURES):
                if targets >> target & 1:
                    pool = pool_of(self, figure, stat, ROLE_ATTACKER, slot, target, slot == USE_CHARGE, slot == USE_RANGED)
                    if pool.dice:
                        found.append((slot, target, pool.dice, pool.difficulty))
        return found

    def rolls_of(self, int code):
        """Dice and difficulty of each roll that a legal code can bring about at once, as things stand: (dice, difficulty).

        At ACT these are the rolls against each target that the capacity could be aimed at; else the list has one entry at most. Empty
        for a code that brings no roll of its own. What is done in between (a reaction, a trigger) can still change a roll.
        """
        cdef Frame* frame = top(self)
        cdef int verb = code & VERB_MASK, what = self.d.decision
        if what == DECISION_ACT and verb == VERB_USE:
            return self.rolls_of_use(first_argument(code), second_argument(code))
        if what == DECISION_TARGET and frame.kind == F_PICK and frame_at(self, self.d.depth - 2).kind == F_CAPACITY:
            frame = frame_at(self, self.d.depth - 2)
            return self.rolls_of_use(frame.v[USER], frame.v[SLOT], first_argument(code))
        if what == DECISION_CHARGE and verb == VERB_CHARGE:
            return self.rolls_of_use(frame.v[USER], USE_CHARGE, code >> POINT_BITS & 15)
        if what == DECISION_OPPORTUNITY and verb == VERB_YES:
            return as_list(pool_of(self, frame.v[REACTOR], STAT_COMBAT, ROLE_ATTACKER, USE_OPPORTUNITY, frame.v[USER], False, False))
        if what == DECISION_FATE and verb == VERB_YES:
            if frame.kind == F_ATTACK:
                return [(frame.v[DICE], frame.v[DIFFICULTY])]
            return [(frame.v[EXTRA] >> 8, frame.v[EXTRA] & 255)]
        if what == DECISION_REACT and verb == VERB_REACT and first_argument(code) < SPECIFIC:
            return as_list(reaction_pool(self, frame, first_argument(code) + 1))
        return []

    cdef list rolls_of_use(self, int figure, int slot, int target=-1):
        """The rolls of an active capacity, against one target or against each that there is."""
        cdef int32_t[VALUES] scope
        cdef uint64_t targets
        cdef int number, i
        cdef list found = []
        if slot in (USE_FRONTAL, USE_RANGED, USE_CHARGE):
            return sorted({roll[2:] for roll in self.attacks(figure) if roll[0] == slot and target in (-1, roll[1])})
        if slot < SPECIFIC:
            return found
        number = capacity_at(self, figure, slot)
        capacity = self.rules.capacities[number]
        for node in self.rules.programs[capacity.program]:
            if not own_roll(node):
                continue
            if node.of != WHO_TARGET:
                return as_list(pool_of(self, figure, node.stat, ROLE_ATTACKER, SPECIFIC + number, -1, False, False))
            if target >= 0:
                return as_list(pool_of(self, figure, node.stat, ROLE_ATTACKER, SPECIFIC + number, target, False, False))
            new_scope(self, scope, figure, number)
            targets = targets_with_dice(self, figure, capacity, scope).discs
            for i in range(DISCS):
                if targets >> i & 1:
                    found += as_list(pool_of(self, figure, node.stat, ROLE_ATTACKER, SPECIFIC + number, i, False, False))
            return sorted(set(found))
        return found

    # -- the pending decision ---------------------------------------------------------------------------------------------

    def frames(self):
        """Summaries of the stack frames, the outermost first: (FrameKind, elements that take part, card).

        The elements stand in the order of ``Pending.rouages``; -1 for one that is not known. ``card`` is the number in USE of a
        capacity, or the program of running effects; -1 for all other kinds.
        """
        return [frame_summary(frame_at(self, i)) for i in range(self.d.depth)]

    def waiting(self):
        """At ORDER: the waiting effects in the order of FIRST: (capacity or -1, node or -1, element or bearer, -1 for none)."""
        cdef Frame* frame = top(self)
        cdef int32_t* numbers
        cdef uint64_t ready
        cdef int i, bearer, k
        if self.d.decision != DECISION_ORDER:
            return []
        if frame.kind == F_WINDOW:
            ready = window_class(self, frame)
            return [(-1, -1, i) for i in range(FIGURES) if ready >> i & 1]
        if frame.kind == F_EFFECTS:
            node = self.rules.programs[frame.v[RUNNING_PROGRAM]][frame.pc].index
            return [(-1, node, i) for i in elements_left(frame)]
        found = []
        for i in waiting_items(self):
            numbers = item_at(self, self.d.depth - 1, i)
            bearer, k = (numbers[0] >> 8) - 1, numbers[0] & 255
            capacity = self.d.specific[bearer].capacity[k] if bearer >= 0 else self.d.agenda_rules.capacity[k]
            found.append((capacity, -1, bearer))
        return found

    def offered(self):
        """At TRIGGER: (bearer, -1 for a rule of the agenda; capacity)."""
        cdef int32_t* numbers
        cdef int bearer, k
        if self.d.decision != DECISION_TRIGGER:
            raise ValueError("no capacity is offered")
        numbers = item_at(self, self.d.depth - 1, top(self).v[ITEM])
        bearer, k = (numbers[0] >> 8) - 1, numbers[0] & 255
        return bearer, self.d.specific[bearer].capacity[k] if bearer >= 0 else self.d.agenda_rules.capacity[k]

    def choice(self):
        """At CHOICE: the number of the node that offers it."""
        if self.d.decision != DECISION_CHOICE:
            raise ValueError("nothing is to be chosen")
        return self.rules.programs[top(self).v[RUNNING_PROGRAM]][top(self).pc].index

    def going(self):
        """At a decision about a place: the change of place, as (element, kind of plan, element or edge, ticks); else None.

        Kinds: 0 move, 1 push, 2 enter, 3 place, 4 charge.
        """
        cdef Frame* frame = top(self)
        if self.d.decision == NO_DECISION or frame.kind != F_GO:
            return None
        return frame.v[ELEMENT], frame.v[WAY_KIND], frame.v[ABOUT], frame.v[DISTANCE]

    def way_of_move(self):
        """The ways that the pending move may take: "any", or only "base", "push" or "move" (OLO-MOVE-05)."""
        cdef Frame* frame = top(self)
        if self.d.decision == NO_DECISION or frame.kind != F_GO:
            return "any"
        return {WAY_ANY: "any", WAY_BASE: "base", WAY_PUSH_RULER: "push", WAY_MOVE_RULER: "move"}[frame.v[RULERS]]

    def table(self):
        """A copy of the board with all its elements, for measuring."""
        cdef int i
        table = Measuring(self.board, self.rules.move_ruler, self.rules.push_ruler)
        for i in range(DISCS):
            if self.d.discs.present >> i & 1:
                table.put(i, self.d.discs.x[i] // STEP, self.d.discs.y[i] // STEP, self.d.discs.r[i])
        return table

    def displacement(self):
        """The change of place of the pending decision, to check places; None without one, or if all places are legal."""
        cdef Frame* frame = top(self)
        if self.d.decision == NO_DECISION or frame.kind != F_GO:
            return None
        if frame.v[WAY_KIND] == MOVE:
            displacement = self.table().move(frame.v[ELEMENT], self.way_of_move())
        else:
            displacement = self.displacement_for(frame.v[ELEMENT], frame.v[WAY_KIND], frame.v[ABOUT], frame.v[DISTANCE])
        if frame.v[WORD] != DIRECTION_NONE:
            word = frame.v[WORD]
            displacement = displacement.towards(frame.v[REFERENCE], away=word in (2, 4), directly=word >= 3)
        return displacement

    def displacement_for(self, int element, int kind, int about=-1, int distance=0):
        """The change of place of a figure or marker by a kind of plan, as in :meth:`going`; None where all places are legal."""
        table = self.table()
        if kind == ENTER:
            return table.enter(about, self.rules.card[self.d.figure[element].card].radius)
        if kind == PLACE:
            radius = self.rules.card[self.d.figure[element].card].radius if element < FIGURES else self.d.discs.r[element]
            if about == element:
                return None
            if self.d.discs.present >> element & 1:
                table.remove(element)
            return table.placement(about, distance, radius)
        if kind == PUSH:
            return table.push(element)
        return table.charge(element, about) if kind == CHARGE else table.move(element)

    # -- State ------------------------------------------------------------------------------------------------------------

    cpdef int actor(self) except? -100:
        cdef int what = self.d.decision
        if what == NO_DECISION:
            return C_TERMINAL
        if what <= DECISION_CHANCE_DIE:
            return C_CHANCE
        if decided_in_secret(what):
            return C_SIMULTANEOUS
        return self.d.deciding_player ^ (1 if self.d.first_seat == 1 else 0)

    cpdef uint32_t seats_to_act(self) except? 0xFFFFFFFF:
        cdef int actor = self.actor(), player
        cdef uint32_t seats_to_act = 0
        if actor == C_SIMULTANEOUS:
            for player in range(2):
                if self.d.committed[player] < 0:
                    seats_to_act |= 1 << (player ^ self.d.first_seat)
            return seats_to_act
        return 0 if actor < 0 else (<uint32_t> 1) << actor

    cdef int player_asked(self, int seat) except -2:
        """The player on a seat (-1: the actor), if it owes a decision; else -1."""
        cdef int actor = self.actor()
        if actor == C_SIMULTANEOUS:
            if not 0 <= seat < 2 or self.d.committed[seat ^ self.d.first_seat] >= 0:
                return -1
            return seat ^ self.d.first_seat
        if actor < 0 or seat != -1 and seat != actor:
            return -1
        return self.d.deciding_player

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef int player = self.player_asked(seat)
        out.size = 0
        return 0 if player < 0 else fill_choices(self, player, out)

    cdef int fill_chance(self, Codes out) except -1:
        out.size = 0
        return fill_outcomes(self, out)

    cpdef bint is_legal(self, int32_t code, int seat=-1) except -1:
        cdef int player
        cdef Codes out
        cdef int i
        if self.actor() == C_CHANCE:
            if seat != -1:
                return False
            out = Codes()
            fill_outcomes(self, out)
            for i in range(<int> out.size):
                if out.code[i] == code:
                    return True
            return False
        player = self.player_asked(seat)
        return player >= 0 and is_choice(self, player, code)

    cdef int step(self, int32_t code, int seat) except -1:
        cdef int player
        self.kept_trace = None
        if self.actor() == C_SIMULTANEOUS:
            player = seat ^ self.d.first_seat
            self.d.committed[player] = code
            if self.d.committed[1 - player] < 0:
                return 0
        return apply_code(self, code)

    cpdef State clone(self):
        cdef OlomocState copy = OlomocState.__new__(OlomocState)
        copy.game, copy.rules, copy.board, copy.piece_tags = self.game, self.rules, self.board, self.piece_tags
        copy.scenery_list = self.scenery_list
        copy.place_cache = self.place_cache
        copy_data(self, copy)
        return copy

    cpdef tuple returns(self):
        cdef int seat
        if not self.d.over:
            return 0.0, 0.0
        return tuple([float(self.d.won[seat ^ self.d.first_seat]) for seat in range(2)])

    cpdef State resample(self, int viewer, object rng):
        cdef OlomocState copy = self.clone()
        if viewer != OMNISCIENT and self.d.decision != NO_DECISION:
            draw_hidden(copy, -1 if viewer < 0 else viewer ^ max(self.d.first_seat, 0), rng)
        return copy


cdef tuple frame_summary(const Frame* frame):
    """A frame as in :meth:`OlomocState.frames`."""
    cdef int kind = frame.kind
    if kind == F_ACTIVATION:
        return kind, (frame.v[MAIN], frame.v[OTHER]), -1
    if kind == F_CAPACITY:
        return kind, (frame.v[USER],), frame.v[SLOT]
    if kind == F_WINDOW:
        return kind, (frame.v[REACTOR], frame.v[USER]), -1
    if kind == F_ATTACK:
        return kind, (frame.v[ATTACKER], frame.v[DEFENDER]), -1
    if kind == F_GO:
        return kind, (frame.v[ELEMENT],), -1
    if kind == F_ROLL:
        return kind, (frame.v[ROLLER],), -1
    if kind == F_MOVE or kind == F_HOSTILE:
        return kind, (frame.v[USER],), -1
    return kind, (), frame.v[RUNNING_PROGRAM] if kind == F_EFFECTS else -1


cdef list as_list(Pool pool):
    return [(pool.dice, pool.difficulty)]


cdef int check_figure(OlomocState state, int figure) except -1:
    if not 0 <= figure < FIGURES or state.d.figure[figure].card < 0:
        raise ValueError(f"there is no rouage {figure}")
    return 0

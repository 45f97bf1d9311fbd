# The state: turn flow, legal actions, outcomes. Where the text and the options leave no choice, play goes on by itself:
# after each action or outcome the state stands at the next decision, chance node, or end.

cdef class OminoesState(State):
    """A state of Ominoes; made by :class:`gamepacks.ominoes.game.Ominoes`."""

    cdef readonly OminoesRules rules
    cdef StateData data

    def __init__(self, object game, OminoesRules rules not None):
        """The state before the set-up."""
        self.game = game
        self.rules = rules
        memset(&self.data, 0, sizeof(StateData))
        self.data.reroll_cell = NOWHERE
        self.data.start = rules.start_seat
        if rules.start_seat == NOWHERE:
            self.data.active = NOWHERE
            self.data.phase = PHASE_START_PLAYER
        else:
            self.data.active = rules.start_seat
            self.data.phase = PHASE_SET_UP

    def load(self, bytes board, int phase, start, int placed, int turns, scores, int rolled, bint last_die, reroll_cell):
        """Set the data of the state; the caller has checked them."""
        cdef int cell, seat
        memset(&self.data, 0, sizeof(StateData))
        for cell in range(self.rules.shape.cells):
            if board[cell]:
                put(self.rules, &self.data, cell, board[cell])
        for seat in range(self.rules.players):
            self.data.scores[seat] = scores[seat]
        self.data.phase = phase
        self.data.start = NOWHERE if start is None else start
        self.data.placed = placed
        self.data.turns = turns
        self.data.rolled = rolled
        self.data.last_die = last_die
        self.data.reroll_cell = NOWHERE if reroll_cell is None else reroll_cell
        self.data.active = NOWHERE if start is None else (start + placed + turns) % self.rules.players

    # -- properties ---------------------------------------------------------------------------------------------------

    @property
    def phase(self):
        """The phase, a number of the contract's Phase."""
        return self.data.phase

    @property
    def active(self):
        """The seat whose turn it is; None before the first turn; after the end, the seat of the last turn or of the next."""
        return None if self.data.active == NOWHERE else self.data.active

    @property
    def start(self):
        """The seat that begins; None if chance has not decided it yet."""
        return None if self.data.start == NOWHERE else self.data.start

    @property
    def placed(self):
        """Number of dice placed in the set-up; 0 after it."""
        return self.data.placed

    @property
    def turns(self):
        """Number of finished turns."""
        return self.data.turns

    @property
    def rolled(self):
        """The face of the die in hand; 0 for none."""
        return self.data.rolled

    @property
    def last_die(self):
        """Whether it was the last die off the board when it was rolled (OMI-ADD-02)."""
        return bool(self.data.last_die)

    @property
    def reroll_cell(self):
        """The cell of the die that is being rerolled; None for none."""
        return None if self.data.reroll_cell == NOWHERE else self.data.reroll_cell

    @property
    def on_board(self):
        """Number of dice on the board."""
        return self.data.on_board

    @property
    def board(self):
        """The face on each cell, row by row, one byte each; 0 for none."""
        return self.data.board[:self.rules.shape.cells]

    @property
    def scores(self):
        """Points by seat."""
        cdef int seat
        return tuple([self.data.scores[seat] for seat in range(self.rules.players)])

    def face(self, int cell):
        """The face on a cell of the board; 0 for none."""
        return self.data.board[cell] if 0 <= cell < self.rules.shape.cells else 0

    def groups(self, seat=None):
        """The groups of a seat (None: the active one) that are on the board now: ``[(god, [cells])]``.

        Each set of dice is there once, under the first god that it fits (OMI-SCORE-01, OMI-SCORE-02, OMI-SCORE-08).
        """
        cdef Group[MAX_GROUPS] groups
        cdef int i, count = find_groups(self.rules, &self.data, self.data.active if seat is None else seat, groups, MAX_GROUPS)
        return [(groups[i].god, self.connected(groups[i].god, groups[i].lowest)) for i in range(count)]

    def connected(self, int god, int cell):
        """The cells of all dice of a god or wild that are connected with the one on ``cell``; empty if it is neither."""
        cdef uint8_t[LARGEST_BOARD] cells
        cdef int i, count
        if self.face(cell) not in (god, FACE_YAY_RA, FACE_OMINOTEP):
            return []
        count = connected(self.rules, &self.data, god, cell, cells)
        return sorted([cells[i] for i in range(count)])

    def path(self, int cell, int end):
        """The 4 cells of one way of exactly 3 steps (OMI-MOVE-03), always the same one; None when there is none."""
        cdef uint8_t[LARGEST_BOARD] free
        cdef uint8_t[4] path
        cdef int i
        free_cells(self.rules, &self.data, free)
        if not three_step_path(&self.rules.shape, free, cell, end, path):
            return None
        return [path[i] for i in range(4)]

    def any_moves(self):
        """Whether any die that the rolled one allows to move can go exactly 3 steps (OMI-MOVE-06)."""
        return bool(any_move(self.rules, &self.data))

    def winners(self):
        """The seats that have won; before the end, those that would win if it ended now by points (OMI-END-02)."""
        cdef int seat, best = max(self.scores)
        return [seat for seat in range(self.rules.players) if self.data.scores[seat] == best]

    # -- State ----------------------------------------------------------------------------------------------------------

    cpdef int actor(self) except? -100:
        cdef int phase = self.data.phase
        if phase == PHASE_OVER:
            return C_TERMINAL
        if phase == PHASE_ROLL or phase == PHASE_REROLLING or phase == PHASE_START_PLAYER or phase == PHASE_SET_UP_ROLL:
            return C_CHANCE
        return self.data.active

    cpdef State clone(self):
        cdef OminoesState copy = OminoesState.__new__(OminoesState)
        copy.game = self.game
        copy.rules = self.rules
        memcpy(&copy.data, &self.data, sizeof(StateData))
        return copy

    cpdef tuple returns(self):
        cdef int seat, winners = 0, best = 0, players = self.rules.players
        cdef double won
        for seat in range(players):
            if self.data.scores[seat] > best:
                best, winners = self.data.scores[seat], 0
            if self.data.scores[seat] == best:
                winners += 1
        won = (<double> players / winners - 1) / (players - 1)
        return tuple([
            won if self.data.scores[seat] == best else -1.0 / (players - 1) for seat in range(players)
        ])

    cpdef bint is_legal(self, int32_t code, int seat=-1) except -1:
        cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, rest = code >> SHIFT_MOVE_END & 0xFFFF
        cdef int phase = self.data.phase, cells = self.rules.shape.cells, i, count
        cdef Group[MAX_GROUPS] groups
        if seat != -1 and self.actor() != seat:
            return False
        if verb == VERB_MOVE:
            return (
                phase == PHASE_MOVE and first < cells and rest < cells and can_move(self.rules, &self.data, first, rest)
            )
        if verb == VERB_SCORE:
            if phase != PHASE_SCORE_AFTER_MOVE and phase != PHASE_SCORE_AFTER_ADD:
                return False
            count = find_groups(self.rules, &self.data, self.data.active, groups, MAX_GROUPS)
            for i in range(count):
                if groups[i].god == first and groups[i].lowest == rest:
                    return True
            return False
        if rest:
            return False
        if verb == VERB_ROLL:
            return (phase == PHASE_ROLL or phase == PHASE_REROLLING or phase == PHASE_SET_UP_ROLL) and FACE_HORUS <= first <= FACE_OMINOTEP
        if verb == VERB_ADD or verb == VERB_PLACE:
            if verb == VERB_ADD and phase != PHASE_ADD or verb == VERB_PLACE and phase != PHASE_SET_UP and phase != PHASE_SET_UP_EXTRA:
                return False
            return first < cells and self.rules.open_cells[first] and not self.data.board[first]
        if verb == VERB_REROLL:
            return phase == PHASE_REROLL and first < cells and self.data.board[first] != 0
        if verb == VERB_DECLINE:
            return (
                (phase == PHASE_SCORE_AFTER_MOVE or phase == PHASE_SCORE_AFTER_ADD)
                and self.rules.optional_scoring and first == 0
            )
        return verb == VERB_START_PLAYER and phase == PHASE_START_PLAYER and first < self.rules.players

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef int actor = self.actor(), phase = self.data.phase, i, count
        cdef Group[MAX_GROUPS] groups
        out.size = 0
        if actor < 0 or seat != -1 and seat != actor:
            return 0
        if phase == PHASE_ADD:
            return push_free(self.rules, &self.data, VERB_ADD, out)
        if phase == PHASE_MOVE:
            return push_moves(self.rules, &self.data, out)
        if phase == PHASE_REROLL:
            return push_dice(self.rules, &self.data, VERB_REROLL, out)
        if phase == PHASE_SET_UP or phase == PHASE_SET_UP_EXTRA:
            return push_free(self.rules, &self.data, VERB_PLACE, out)
        count = find_groups(self.rules, &self.data, self.data.active, groups, MAX_GROUPS)
        for i in range(count):
            out.push(VERB_SCORE | groups[i].god | groups[i].lowest << SHIFT_SCORE_LOWEST)
        if self.rules.optional_scoring:
            out.push(VERB_DECLINE)
        return 0

    cdef int fill_chance(self, Codes out) except -1:
        cdef int i
        out.size = 0
        if self.data.phase == PHASE_START_PLAYER:
            for i in range(self.rules.players):
                out.push_weighted(VERB_START_PLAYER | i, 1)
        elif self.actor() == C_CHANCE:
            for i in range(FACE_HORUS, FACE_OMINOTEP + 1):
                out.push_weighted(VERB_ROLL | i, 1)
        return 0

    cdef int step(self, int32_t code, int seat) except -1:
        cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, second = code >> SHIFT_MOVE_END & 0xFF, face
        if verb == VERB_ROLL:
            if self.data.phase == PHASE_REROLLING:
                # Nothing else follows from the new face (OMI-MOVE-07).
                second = self.data.reroll_cell
                self.data.reroll_cell = NOWHERE
                take(self.rules, &self.data, second)
                put(self.rules, &self.data, second, first)
                self.after_move()
            elif self.data.phase == PHASE_ROLL:
                self.data.rolled = first
                self.data.last_die = self.data.on_board == DICE - 1
                self.after_roll()
            else:
                self.data.rolled = first
                self.data.phase = PHASE_SET_UP_EXTRA
        elif verb == VERB_ADD:
            put(self.rules, &self.data, first, self.data.rolled)
            self.after_add()
        elif verb == VERB_MOVE:
            face = self.data.board[first]
            take(self.rules, &self.data, first)
            put(self.rules, &self.data, second, face)
            self.after_move()
        elif verb == VERB_SCORE:
            self.score_group(first, second)
        elif verb == VERB_REROLL:
            self.data.reroll_cell = first
            self.data.phase = PHASE_REROLLING
        elif verb == VERB_PLACE:
            face = self.data.rolled if self.data.rolled else self.rules.own_god[self.data.active]
            put(self.rules, &self.data, first, face)
            self.data.rolled = 0
            self.data.placed += 1
            self.next_set_up()
        elif verb == VERB_DECLINE:
            if self.data.phase == PHASE_SCORE_AFTER_MOVE:
                self.go_on_to_add()
            else:
                self.end_turn()
        else:
            self.data.start = self.data.active = first
            self.data.phase = PHASE_SET_UP
        return 0

    # -- turn flow -------------------------------------------------------------------------------------------------------

    cdef void next_set_up(self) noexcept nogil:
        if self.data.placed == self.rules.set_up_dice:
            self.data.placed = 0
            self.begin_turn()
            return
        self.data.active = (self.data.start + self.data.placed) % self.rules.players
        self.data.phase = PHASE_SET_UP if self.data.placed < 2 * self.rules.players else PHASE_SET_UP_ROLL

    cdef void begin_turn(self) noexcept nogil:
        self.data.active = (self.data.start + self.data.turns) % self.rules.players
        self.data.phase = PHASE_ROLL

    cdef void after_roll(self) noexcept nogil:
        if self.data.rolled == FACE_OMINOTEP:
            if self.data.on_board:
                self.data.phase = PHASE_REROLL
            else:
                self.after_move()
        elif any_move(self.rules, &self.data):
            self.data.phase = PHASE_MOVE
        else:
            # OMI-MOVE-05, OMI-MOVE-06
            self.after_move()

    cdef void after_move(self) noexcept nogil:
        # The first of the two looks for groups (OMI-SCORE-03), whether or not a die was moved (R11).
        cdef Group[MAX_GROUPS] groups
        if find_groups(self.rules, &self.data, self.data.active, groups, 1):
            self.data.phase = PHASE_SCORE_AFTER_MOVE
        else:
            self.go_on_to_add()

    cdef void go_on_to_add(self) noexcept nogil:
        # OMI-ADD-02 is judged at the roll (OMI-ADD-03), unless dice scored since then count.
        if self.data.last_die and not (self.rules.late_add and self.data.on_board < DICE - 1):
            self.after_add()
        else:
            self.data.phase = PHASE_ADD

    cdef void after_add(self) noexcept nogil:
        cdef Group[MAX_GROUPS] groups
        self.data.rolled = 0
        self.data.last_die = 0
        if find_groups(self.rules, &self.data, self.data.active, groups, 1):
            self.data.phase = PHASE_SCORE_AFTER_ADD
        else:
            self.end_turn()

    cdef void end_turn(self) noexcept nogil:
        self.data.turns += 1
        if self.data.turns == self.rules.max_turns:
            # OMI-END-02
            self.finish()
        else:
            self.begin_turn()

    cdef void score_group(self, int god, int cell) noexcept nogil:
        self.data.scores[self.data.active] += take_group(self.rules, &self.data, god, cell)
        if self.data.scores[self.data.active] >= self.rules.target:
            # OMI-END-01
            self.finish()
        elif self.data.phase == PHASE_SCORE_AFTER_MOVE:
            self.after_move()
        else:
            self.after_add()

    cdef void finish(self) noexcept nogil:
        self.data.phase = PHASE_OVER
        self.data.rolled = 0
        self.data.last_die = 0
        self.data.active = (self.data.start + self.data.turns) % self.rules.players

"""The course of the game, compiled. Rule ids (OMI-...) are those of RULES.md.

Where the text and the options leave no choice, play goes on by itself: after each action or outcome the state stands at
the next decision, chance node, or end.
"""

from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memcpy, memset

from cext.grid cimport three_step_path
from cext.state cimport C_CHANCE, C_TERMINAL, Codes, State
from gamepacks.ominoes.board cimport (
    Group, LARGEST_BOARD, MOST_GROUPS, NOWHERE, Rules, Table, any_move, can_move, connected, find_groups,
    free_cells, push_dice, push_free, push_moves, put, take, take_group,
)
from gamepacks.ominoes.codes_enums cimport *
from gamepacks.ominoes.v1.ominoes_enums cimport *



cdef class OminoesState(State):
    """A table of Ominoes; made by :class:`gamepacks.ominoes.game.Ominoes`."""

    def __init__(self, object game, Rules rules not None):
        """The table before the set-up."""
        self.game = game
        self.rules = rules
        memset(&self.table, 0, sizeof(Table))
        self.table.reroll_cell = NOWHERE
        self.table.start = rules.start_seat
        if rules.start_seat == NOWHERE:
            self.table.active = NOWHERE
            self.table.phase = PHASE_START_PLAYER
        else:
            self.table.active = rules.start_seat
            self.table.phase = PHASE_SET_UP

    def load(self, bytes board, int phase, start, int placed, int turns, scores, int rolled, bint last_die, reroll_cell):
        """Put the table into any position; whoever calls has checked that it is one."""
        cdef int cell, seat
        memset(&self.table, 0, sizeof(Table))
        for cell in range(self.rules.shape.cells):
            if board[cell]:
                put(self.rules, &self.table, cell, board[cell])
        for seat in range(self.rules.players):
            self.table.scores[seat] = scores[seat]
        self.table.phase = phase
        self.table.start = NOWHERE if start is None else start
        self.table.placed = placed
        self.table.turns = turns
        self.table.rolled = rolled
        self.table.last_die = last_die
        self.table.reroll_cell = NOWHERE if reroll_cell is None else reroll_cell
        self.table.active = NOWHERE if start is None else (start + placed + turns) % self.rules.players

    # -- what there is to see -----------------------------------------------------------------------------------------

    @property
    def phase(self):
        """What is to happen next, a number of codes.Phase."""
        return self.table.phase

    @property
    def active(self):
        """The seat whose turn it is (at the end: who had the last one or would have the next); None before the first."""
        return None if self.table.active == NOWHERE else self.table.active

    @property
    def start(self):
        """The seat that begins; None where it is not known yet."""
        return None if self.table.start == NOWHERE else self.table.start

    @property
    def placed(self):
        """Dice placed in the set-up; 0 once it is over."""
        return self.table.placed

    @property
    def turns(self):
        """Turns that are over."""
        return self.table.turns

    @property
    def rolled(self):
        """The face of the die in hand; 0 for none."""
        return self.table.rolled

    @property
    def last_die(self):
        """Was it the last die off the board when it was rolled (OMI-ADD-02)?"""
        return bool(self.table.last_die)

    @property
    def reroll_cell(self):
        """The cell of the die that is being rerolled; None for none."""
        return None if self.table.reroll_cell == NOWHERE else self.table.reroll_cell

    @property
    def on_board(self):
        """How many dice lie on the board."""
        return self.table.on_board

    @property
    def board(self):
        """The face on each cell, row by row, one byte each; 0 for none."""
        return self.table.board[:self.rules.shape.cells]

    @property
    def scores(self):
        """Points by seat."""
        cdef int seat
        return tuple([self.table.scores[seat] for seat in range(self.rules.players)])

    def face(self, int cell):
        """The face on a cell of the board; 0 for none."""
        return self.table.board[cell] if 0 <= cell < self.rules.shape.cells else 0

    def groups(self, seat=None):
        """The groups of a seat (None: the active one) that are on the board now: ``[(god, [cells])]``.

        Each set of dice is there once, under the first god that it fits (OMI-SCORE-01, OMI-SCORE-02, OMI-SCORE-08).
        """
        cdef Group[MOST_GROUPS] groups
        cdef int i, count = find_groups(self.rules, &self.table, self.table.active if seat is None else seat, groups, MOST_GROUPS)
        return [(groups[i].god, self.connected(groups[i].god, groups[i].lowest)) for i in range(count)]

    def connected(self, int god, int cell):
        """The cells of all dice of a god or wild that are connected with the one on ``cell``; empty if it is neither."""
        cdef uint8_t[LARGEST_BOARD] cells
        cdef int i, count
        if self.face(cell) not in (god, FACE_YAY_RA, FACE_OMINOTEP):
            return []
        count = connected(self.rules, &self.table, god, cell, cells)
        return sorted([cells[i] for i in range(count)])

    def path(self, int cell, int end):
        """The 4 cells of one way of exactly 3 steps (OMI-MOVE-03), always the same one; None when there is none."""
        cdef uint8_t[LARGEST_BOARD] free
        cdef uint8_t[4] path
        cdef int i
        free_cells(self.rules, &self.table, free)
        if not three_step_path(&self.rules.shape, free, cell, end, path):
            return None
        return [path[i] for i in range(4)]

    def any_moves(self):
        """Can any die that the rolled one lets move go exactly 3 steps (OMI-MOVE-06)?"""
        return bool(any_move(self.rules, &self.table))

    def winners(self):
        """The seats that have won; before the end, those that would if it ended now by points (OMI-END-02)."""
        cdef int seat, best = max(self.scores)
        return [seat for seat in range(self.rules.players) if self.table.scores[seat] == best]

    # -- State ----------------------------------------------------------------------------------------------------------

    cpdef int actor(self) except? -100:
        cdef int phase = self.table.phase
        if phase == PHASE_OVER:
            return C_TERMINAL
        if phase == PHASE_ROLL or phase == PHASE_REROLLING or phase == PHASE_START_PLAYER or phase == PHASE_SET_UP_ROLL:
            return C_CHANCE
        return self.table.active

    cpdef State clone(self):
        cdef OminoesState copy = OminoesState.__new__(OminoesState)
        copy.game = self.game
        copy.rules = self.rules
        memcpy(&copy.table, &self.table, sizeof(Table))
        return copy

    cpdef tuple returns(self):
        cdef int seat, winners = 0, best = 0, players = self.rules.players
        cdef double won
        for seat in range(players):
            if self.table.scores[seat] > best:
                best, winners = self.table.scores[seat], 0
            if self.table.scores[seat] == best:
                winners += 1
        won = (<double> players / winners - 1) / (players - 1)
        return tuple([
            won if self.table.scores[seat] == best else -1.0 / (players - 1) for seat in range(players)
        ])

    cpdef bint is_legal(self, int32_t code, int seat=-1) except -1:
        cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, rest = code >> SHIFT_MOVE_END & 0xFFFF
        cdef int phase = self.table.phase, cells = self.rules.shape.cells, i, count
        cdef Group[MOST_GROUPS] groups
        if seat != -1 and self.actor() != seat:
            return False
        if verb == VERB_MOVE:
            return (
                phase == PHASE_MOVE and first < cells and rest < cells and can_move(self.rules, &self.table, first, rest)
            )
        if verb == VERB_SCORE:
            if phase != PHASE_SCORE_AFTER_MOVE and phase != PHASE_SCORE_AFTER_ADD:
                return False
            count = find_groups(self.rules, &self.table, self.table.active, groups, MOST_GROUPS)
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
            return first < cells and self.rules.open_cells[first] and not self.table.board[first]
        if verb == VERB_REROLL:
            return phase == PHASE_REROLL and first < cells and self.table.board[first] != 0
        if verb == VERB_DECLINE:
            return (
                (phase == PHASE_SCORE_AFTER_MOVE or phase == PHASE_SCORE_AFTER_ADD)
                and self.rules.optional_scoring and first == 0
            )
        return verb == VERB_START_PLAYER and phase == PHASE_START_PLAYER and first < self.rules.players

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef int actor = self.actor(), phase = self.table.phase, i, count
        cdef Group[MOST_GROUPS] groups
        out.size = 0
        if actor < 0 or seat != -1 and seat != actor:
            return 0
        if phase == PHASE_ADD:
            return push_free(self.rules, &self.table, VERB_ADD, out)
        if phase == PHASE_MOVE:
            return push_moves(self.rules, &self.table, out)
        if phase == PHASE_REROLL:
            return push_dice(self.rules, &self.table, VERB_REROLL, out)
        if phase == PHASE_SET_UP or phase == PHASE_SET_UP_EXTRA:
            return push_free(self.rules, &self.table, VERB_PLACE, out)
        count = find_groups(self.rules, &self.table, self.table.active, groups, MOST_GROUPS)
        for i in range(count):
            out.push(VERB_SCORE | groups[i].god | groups[i].lowest << SHIFT_SCORE_LOWEST)
        if self.rules.optional_scoring:
            out.push(VERB_DECLINE)
        return 0

    cdef int fill_chance(self, Codes out) except -1:
        cdef int i
        out.size = 0
        if self.table.phase == PHASE_START_PLAYER:
            for i in range(self.rules.players):
                out.push_weighted(VERB_START_PLAYER | i, 1)
        elif self.actor() == C_CHANCE:
            for i in range(FACE_HORUS, FACE_OMINOTEP + 1):
                out.push_weighted(VERB_ROLL | i, 1)
        return 0

    cdef int step(self, int32_t code, int seat) except -1:
        cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, second = code >> SHIFT_MOVE_END & 0xFF, face
        if verb == VERB_ROLL:
            if self.table.phase == PHASE_REROLLING:
                # Nothing else follows from the new face (OMI-MOVE-07).
                second = self.table.reroll_cell
                self.table.reroll_cell = NOWHERE
                take(self.rules, &self.table, second)
                put(self.rules, &self.table, second, first)
                self.after_move()
            elif self.table.phase == PHASE_ROLL:
                self.table.rolled = first
                self.table.last_die = self.table.on_board == DICE - 1
                self.after_roll()
            else:
                self.table.rolled = first
                self.table.phase = PHASE_SET_UP_EXTRA
        elif verb == VERB_ADD:
            put(self.rules, &self.table, first, self.table.rolled)
            self.after_add()
        elif verb == VERB_MOVE:
            face = self.table.board[first]
            take(self.rules, &self.table, first)
            put(self.rules, &self.table, second, face)
            self.after_move()
        elif verb == VERB_SCORE:
            self.score_group(first, second)
        elif verb == VERB_REROLL:
            self.table.reroll_cell = first
            self.table.phase = PHASE_REROLLING
        elif verb == VERB_PLACE:
            face = self.table.rolled if self.table.rolled else self.rules.own_god[self.table.active]
            put(self.rules, &self.table, first, face)
            self.table.rolled = 0
            self.table.placed += 1
            self.next_set_up()
        elif verb == VERB_DECLINE:
            if self.table.phase == PHASE_SCORE_AFTER_MOVE:
                self.go_on_to_add()
            else:
                self.end_turn()
        else:
            self.table.start = self.table.active = first
            self.table.phase = PHASE_SET_UP
        return 0

    # -- the course of the game -------------------------------------------------------------------------------------------

    cdef void next_set_up(self) noexcept nogil:
        if self.table.placed == self.rules.set_up_dice:
            self.table.placed = 0
            self.begin_turn()
            return
        self.table.active = (self.table.start + self.table.placed) % self.rules.players
        self.table.phase = PHASE_SET_UP if self.table.placed < 2 * self.rules.players else PHASE_SET_UP_ROLL

    cdef void begin_turn(self) noexcept nogil:
        self.table.active = (self.table.start + self.table.turns) % self.rules.players
        self.table.phase = PHASE_ROLL

    cdef void after_roll(self) noexcept nogil:
        if self.table.rolled == FACE_OMINOTEP:
            if self.table.on_board:
                self.table.phase = PHASE_REROLL
            else:
                self.after_move()
        elif any_move(self.rules, &self.table):
            self.table.phase = PHASE_MOVE
        else:
            # OMI-MOVE-05, OMI-MOVE-06
            self.after_move()

    cdef void after_move(self) noexcept nogil:
        # The first of the two looks for groups (OMI-SCORE-03), whether or not a die was moved (R11).
        cdef Group[MOST_GROUPS] groups
        if find_groups(self.rules, &self.table, self.table.active, groups, 1):
            self.table.phase = PHASE_SCORE_AFTER_MOVE
        else:
            self.go_on_to_add()

    cdef void go_on_to_add(self) noexcept nogil:
        # OMI-ADD-02 is judged at the roll (OMI-ADD-03), unless dice scored since then count.
        if self.table.last_die and not (self.rules.late_add and self.table.on_board < DICE - 1):
            self.after_add()
        else:
            self.table.phase = PHASE_ADD

    cdef void after_add(self) noexcept nogil:
        cdef Group[MOST_GROUPS] groups
        self.table.rolled = 0
        self.table.last_die = 0
        if find_groups(self.rules, &self.table, self.table.active, groups, 1):
            self.table.phase = PHASE_SCORE_AFTER_ADD
        else:
            self.end_turn()

    cdef void end_turn(self) noexcept nogil:
        self.table.turns += 1
        if self.table.turns == self.rules.max_turns:
            # OMI-END-02
            self.finish()
        else:
            self.begin_turn()

    cdef void score_group(self, int god, int cell) noexcept nogil:
        self.table.scores[self.table.active] += take_group(self.rules, &self.table, god, cell)
        if self.table.scores[self.table.active] >= self.rules.target:
            # OMI-END-01
            self.finish()
        elif self.table.phase == PHASE_SCORE_AFTER_MOVE:
            self.after_move()
        else:
            self.after_add()

    cdef void finish(self) noexcept nogil:
        self.table.phase = PHASE_OVER
        self.table.rolled = 0
        self.table.last_die = 0
        self.table.active = (self.table.start + self.table.turns) % self.rules.players

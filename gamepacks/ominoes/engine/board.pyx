"""The board of Ominoes, compiled: dice on it, where they can go, groups. Rule ids are those of RULES.md.

:class:`OminoesRules` holds the numbers that follow from the options of a match; ``StateData`` is all that changes.
Boards of up to 8 x 8 keep a word of 64 bits for each face; larger ones work on arrays.
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memset

from cext.grid cimport (
    Shape, around64, component, component64, count64, lowest64, make_shape, three_step_ends, three_step_ends64,
)
from cext.state cimport Codes
from gamepacks.ominoes.codes_enums cimport *
from gamepacks.ominoes.v1.ominoes_enums cimport *


cdef class OminoesRules:
    """The numbers that follow from the options of a match. ``gods`` is the favoured god of each seat, as a face."""

    def __init__(
        self,
        list gods,
        int size,
        int target,
        int max_turns,
        object start_player,
        bint extra_setup_die,
        bint late_add,
        bint all_wild_groups,
        bint optional_scoring,
        bint expert,
    ):
        cdef int seat, god, cell, row, column, middle = size // 2
        if not 6 <= size <= 12 or size % 2 or not 2 <= len(gods) <= SEATS:
            raise ValueError(f"no board of {size} x {size} with {len(gods)} players")
        make_shape(&self.shape, size, size)
        self.size = size
        self.narrow = size <= 8
        self.players = len(gods)
        self.target = target
        self.max_turns = max_turns
        self.start_seat = NOWHERE if start_player is None else start_player
        self.extra_setup_die = extra_setup_die
        self.late_add = late_add
        self.all_wild_groups = all_wild_groups
        self.optional_scoring = optional_scoring
        self.expert = expert
        self.set_up_dice = self.players * (3 if extra_setup_die else 2)
        for seat in range(self.players):
            self.own_god[seat] = gods[seat]
            self.collected[seat][0] = gods[seat]
            self.collected_count[seat] = 1
            for god in range(FACE_HORUS, FACE_KHEPRI + 1):
                # Whatever nobody favours is shared by all (OMI-P3-01, OMI-P2-01).
                if god not in gods:
                    self.collected[seat][self.collected_count[seat]] = god
                    self.collected_count[seat] += 1
        for cell in range(size * size):
            row, column = cell // size, cell % size
            self.open_cells[cell] = not (
                expert and middle - 1 <= row <= middle and middle - 1 <= column <= middle
            )
            if self.narrow and self.open_cells[cell]:
                self.open64 |= <uint64_t> 1 << cell

    @property
    def fixed_start(self):
        """The seat that begins; None: chance decides (OMI-SETUP-00)."""
        return None if self.start_seat == NOWHERE else self.start_seat

    def collects(self, int seat):
        """The gods that a seat collects, as faces: its own first."""
        return [self.collected[seat][i] for i in range(self.collected_count[seat])]

    def is_open(self, int cell):
        """Is the cell on the board and not closed?"""
        return 0 <= cell < self.shape.cells and bool(self.open_cells[cell])


# -- dice -------------------------------------------------------------------------------------------------------------

cdef void put(OminoesRules rules, StateData* data, int cell, int face) noexcept nogil:
    """Put a die on an empty cell."""
    data.board[cell] = face
    data.on_board += 1
    if rules.narrow:
        data.dice[face] |= <uint64_t> 1 << cell
        data.dice[0] |= <uint64_t> 1 << cell


cdef void take(OminoesRules rules, StateData* data, int cell) noexcept nogil:
    """Take the die off a cell."""
    if rules.narrow:
        data.dice[data.board[cell]] &= ~(<uint64_t> 1 << cell)
        data.dice[0] &= ~(<uint64_t> 1 << cell)
    data.board[cell] = 0
    data.on_board -= 1


cdef void free_cells(OminoesRules rules, const StateData* data, uint8_t* free) noexcept nogil:
    """Mark the cells that are open and empty (OMI-EXPERT-01)."""
    cdef int cell
    for cell in range(rules.shape.cells):
        free[cell] = rules.open_cells[cell] and not data.board[cell]


cdef inline uint64_t free64(OminoesRules rules, const StateData* data) noexcept nogil:
    return rules.open64 & ~data.dice[0]


cdef int push_free(OminoesRules rules, const StateData* data, int verb, Codes out) except -1:
    """The verb with each cell that is open and empty (OMI-ADD-01)."""
    cdef uint64_t free
    cdef int cell
    if rules.narrow:
        free = free64(rules, data)
        while free:
            out.push(verb | lowest64(free))
            free &= free - 1
        return 0
    for cell in range(rules.shape.cells):
        if rules.open_cells[cell] and not data.board[cell]:
            out.push(verb | cell)
    return 0


cdef int push_dice(OminoesRules rules, const StateData* data, int verb, Codes out) except -1:
    """The verb with each cell that has a die (OMI-MOVE-07)."""
    cdef int cell
    for cell in range(rules.shape.cells):
        if data.board[cell]:
            out.push(verb | cell)
    return 0


# -- moves ------------------------------------------------------------------------------------------------------------

cdef bint may_move(const StateData* data, int cell) noexcept nogil:
    """Does the rolled die let the one on this cell move (OMI-MOVE-01, OMI-MOVE-02)?"""
    cdef int face = data.board[cell]
    return face != 0 and (face == data.rolled or data.rolled == FACE_YAY_RA)


cdef bint can_move(OminoesRules rules, const StateData* data, int cell, int end) noexcept nogil:
    """May the die on ``cell`` move, and end on ``end`` (OMI-MOVE-03)?"""
    cdef uint8_t[LARGEST_BOARD] free
    cdef uint8_t[LARGEST_BOARD] ends
    if not may_move(data, cell):
        return False
    if rules.narrow:
        return three_step_ends64(&rules.shape, free64(rules, data), cell) >> end & 1
    free_cells(rules, data, free)
    three_step_ends(&rules.shape, free, cell, ends)
    return ends[end]


cdef inline uint64_t movers64(const StateData* data) noexcept nogil:
    return data.dice[0 if data.rolled == FACE_YAY_RA else data.rolled]


cdef bint any_move(OminoesRules rules, const StateData* data) noexcept nogil:
    """Can any die that the rolled one lets move go exactly 3 steps (OMI-MOVE-06)?"""
    cdef uint8_t[LARGEST_BOARD] free
    cdef uint8_t[LARGEST_BOARD] ends
    cdef uint64_t movers, empty
    cdef int cell
    if rules.narrow:
        movers = movers64(data)
        empty = free64(rules, data)
        while movers:
            if three_step_ends64(&rules.shape, empty, lowest64(movers)):
                return True
            movers &= movers - 1
        return False
    free_cells(rules, data, free)
    for cell in range(rules.shape.cells):
        if may_move(data, cell) and three_step_ends(&rules.shape, free, cell, ends):
            return True
    return False


cdef int push_moves(OminoesRules rules, const StateData* data, Codes out) except -1:
    """All moves, by die and end (OMI-MOVE-04)."""
    cdef uint8_t[LARGEST_BOARD] free
    cdef uint8_t[LARGEST_BOARD] ends
    cdef uint64_t movers, empty, word
    cdef int cell, end
    if rules.narrow:
        movers = movers64(data)
        empty = free64(rules, data)
        while movers:
            cell = lowest64(movers)
            movers &= movers - 1
            word = three_step_ends64(&rules.shape, empty, cell)
            while word:
                out.push(VERB_MOVE | cell | lowest64(word) << SHIFT_MOVE_END)
                word &= word - 1
        return 0
    free_cells(rules, data, free)
    for cell in range(rules.shape.cells):
        if may_move(data, cell) and three_step_ends(&rules.shape, free, cell, ends):
            for end in range(rules.shape.cells):
                if ends[end]:
                    out.push(VERB_MOVE | cell | end << SHIFT_MOVE_END)
    return 0


# -- groups -----------------------------------------------------------------------------------------------------------

cdef inline uint64_t members64(const StateData* data, int god) noexcept nogil:
    return data.dice[god] | data.dice[FACE_YAY_RA] | data.dice[FACE_OMINOTEP]


cdef inline void mark_members(OminoesRules rules, const StateData* data, int god, uint8_t* members) noexcept nogil:
    cdef int cell
    for cell in range(rules.shape.cells):
        members[cell] = data.board[cell] == god or data.board[cell] >= FACE_YAY_RA


cdef int connected(OminoesRules rules, const StateData* data, int god, int cell, uint8_t* cells) noexcept nogil:
    """List the dice of a god or wild that are connected with the one on ``cell``; returns how many."""
    cdef uint8_t[LARGEST_BOARD] members
    cdef uint8_t[LARGEST_BOARD] seen
    mark_members(rules, data, god, members)
    memset(seen, 0, rules.shape.cells)
    return component(&rules.shape, members, cell, seen, cells)


cdef int take_group(OminoesRules rules, StateData* data, int god, int cell) noexcept nogil:
    """Take the group of a god with the die on ``cell`` off the board; returns its points (OMI-SCORE-04)."""
    cdef uint8_t[LARGEST_BOARD] cells
    cdef uint64_t group
    cdef int i, points
    if rules.narrow:
        group = component64(&rules.shape, members64(data, god), <uint64_t> 1 << cell)
        points = count64(group)
        while group:
            take(rules, data, lowest64(group))
            group &= group - 1
        return points
    points = connected(rules, data, god, cell, cells)
    for i in range(points):
        take(rules, data, cells[i])
    return points


cdef int find_groups(OminoesRules rules, const StateData* data, int seat, Group* groups, int most) noexcept nogil:
    """Fill in the first ``most`` groups of a seat, by its gods and their lowest cells; returns how many.

    Each set of dice comes once, under the first god that it fits (OMI-SCORE-01, OMI-SCORE-02, OMI-SCORE-08).
    """
    if rules.narrow:
        return find_narrow(rules, data, seat, groups, most)
    return find_wide(rules, data, seat, groups, most)


cdef int find_narrow(OminoesRules rules, const StateData* data, int seat, Group* groups, int most) noexcept nogil:
    cdef const Shape* shape = &rules.shape
    cdef uint64_t members, left, group, seed, wild_groups = 0
    cdef int i, god, found = 0
    for i in range(rules.collected_count[seat]):
        god = rules.collected[seat][i]
        members = members64(data, god)
        # Dice without a neighbour are in no group.
        left = members & around64(shape, members)
        while count64(left) >= GROUP:
            seed = left & (0 - left)
            group = component64(shape, left, seed)
            left &= ~group
            if count64(group) < GROUP:
                continue
            if not group & data.dice[god]:
                # Wilds alone: the same dice would come again with each god.
                if not rules.all_wild_groups or wild_groups & seed:
                    continue
                wild_groups |= seed
            groups[found].god = god
            groups[found].lowest = lowest64(seed)
            found += 1
            if found == most:
                return found
    return found


cdef int find_wide(OminoesRules rules, const StateData* data, int seat, Group* groups, int most) noexcept nogil:
    cdef uint8_t[LARGEST_BOARD] members
    cdef uint8_t[LARGEST_BOARD] seen
    cdef uint8_t[LARGEST_BOARD] group
    cdef uint8_t[LARGEST_BOARD] wild_groups
    cdef int i, j, god, cell, dice, cells = rules.shape.cells, found = 0
    cdef bint all_wild
    memset(wild_groups, 0, cells)
    for i in range(rules.collected_count[seat]):
        god = rules.collected[seat][i]
        mark_members(rules, data, god, members)
        memset(seen, 0, cells)
        for cell in range(cells):
            if seen[cell] or not members[cell]:
                continue
            dice = component(&rules.shape, members, cell, seen, group)
            if dice < GROUP:
                continue
            all_wild = True
            for j in range(dice):
                if data.board[group[j]] == god:
                    all_wild = False
            if all_wild:
                if not rules.all_wild_groups or wild_groups[cell]:
                    continue
                wild_groups[cell] = 1
            groups[found].god = god
            groups[found].lowest = cell
            found += 1
            if found == most:
                return found
    return found

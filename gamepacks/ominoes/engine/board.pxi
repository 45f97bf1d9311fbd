# The board: its dice, their moves, groups. Boards of up to 8 x 8 keep a word of 64 bits for each face; larger ones
# three.

cdef class OminoesRules:
    """The constants that follow from the options of a match. ``gods`` is the favoured god of each seat, as a face."""

    cdef Shape shape
    cdef bint narrow
    cdef readonly int size
    cdef readonly int players
    cdef readonly int target
    cdef readonly int max_turns
    cdef readonly int set_up_dice
    cdef int start_seat  # NOWHERE: chance decides
    cdef readonly bint extra_setup_die
    cdef readonly bint late_add
    cdef readonly bint all_wild_groups
    cdef readonly bint optional_scoring
    cdef readonly bint expert
    cdef uint8_t[LARGEST_BOARD] open_cells
    cdef WideSet open  # narrow boards use the first word
    # Larger boards: the bit of each cell, and the cell of each bit.
    cdef uint8_t[LARGEST_BOARD] bit
    cdef uint8_t[192] cell
    cdef Shape window
    cdef uint8_t[SEATS] own_god
    cdef uint8_t[SEATS] collected_count
    cdef uint8_t[SEATS][4] collected

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
        make_shape(&self.window, 8, 8)
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
                # A god that nobody favours is shared by all (OMI-P3-01, OMI-P2-01).
                if god not in gods:
                    self.collected[seat][self.collected_count[seat]] = god
                    self.collected_count[seat] += 1
        for cell in range(size * size):
            row, column = cell // size, cell % size
            self.open_cells[cell] = not (
                expert and middle - 1 <= row <= middle and middle - 1 <= column <= middle
            )
            self.bit[cell] = cell if self.narrow else row * WIDE_STRIDE + column
            self.cell[self.bit[cell]] = cell
            if self.open_cells[cell]:
                wide_insert(&self.open, self.bit[cell])

    @property
    def fixed_start(self):
        """The seat that begins; None: chance decides (OMI-SETUP-00)."""
        return None if self.start_seat == NOWHERE else self.start_seat

    def collects(self, int seat):
        """The gods that a seat collects, as faces: its own first."""
        return [self.collected[seat][i] for i in range(self.collected_count[seat])]

    def is_open(self, int cell):
        """Whether the cell is on the board and not closed."""
        return 0 <= cell < self.shape.cells and bool(self.open_cells[cell])


# -- dice -------------------------------------------------------------------------------------------------------------

cdef void put(OminoesRules rules, StateData* data, int cell, int face) noexcept nogil:
    """Put a die on an empty cell."""
    data.board[cell] = face
    data.on_board += 1
    wide_insert(&data.dice[face], rules.bit[cell])
    wide_insert(&data.dice[0], rules.bit[cell])


cdef void take(OminoesRules rules, StateData* data, int cell) noexcept nogil:
    """Take the die off a cell."""
    wide_remove(&data.dice[data.board[cell]], rules.bit[cell])
    wide_remove(&data.dice[0], rules.bit[cell])
    data.board[cell] = 0
    data.on_board -= 1


cdef void free_cells(OminoesRules rules, const StateData* data, uint8_t* free) noexcept nogil:
    """Mark the cells that are open and empty (OMI-EXPERT-01)."""
    cdef int cell
    for cell in range(rules.shape.cells):
        free[cell] = rules.open_cells[cell] and not data.board[cell]


cdef inline uint64_t free64(OminoesRules rules, const StateData* data) noexcept nogil:
    return rules.open.w[0] & ~data.dice[0].w[0]


cdef inline void free_wide(OminoesRules rules, const StateData* data, WideSet* free) noexcept nogil:
    cdef int i
    for i in range(3):
        free.w[i] = rules.open.w[i] & ~data.dice[0].w[i]


cdef int push_cells(OminoesRules rules, const WideSet* cells, int verb, Codes out) except -1:
    """List a verb with each cell of a set."""
    cdef int i
    cdef uint64_t left
    cdef int32_t* code = out.room(LARGEST_BOARD)
    for i in range(1 if rules.narrow else 3):
        left = cells.w[i]
        while left:
            code[0] = verb | rules.cell[64 * i + lowest64(left)]
            code += 1
            left &= left - 1
    out.size = code - out.code
    return 0


cdef int push_free(OminoesRules rules, const StateData* data, int verb, Codes out) except -1:
    """List a verb with each cell that is open and empty (OMI-ADD-01)."""
    cdef WideSet free
    free_wide(rules, data, &free)
    return push_cells(rules, &free, verb, out)


cdef int push_dice(OminoesRules rules, const StateData* data, int verb, Codes out) except -1:
    """List a verb with each cell that has a die (OMI-MOVE-07)."""
    return push_cells(rules, &data.dice[0], verb, out)


# -- moves ------------------------------------------------------------------------------------------------------------

cdef bint may_move(const StateData* data, int cell) noexcept nogil:
    """Whether the rolled die allows the one on this cell to move (OMI-MOVE-01, OMI-MOVE-02)."""
    cdef int face = data.board[cell]
    return face != 0 and (face == data.rolled or data.rolled == FACE_YAY_RA)


cdef inline uint64_t wide_ends(OminoesRules rules, const WideSet* free, int bit) noexcept nogil:
    """The ends of moves of a die, in its window."""
    return three_step_ends64(&rules.window, wide_window(free, bit), 3 * 8 + 3)


cdef bint can_move(OminoesRules rules, const StateData* data, int cell, int end) noexcept nogil:
    """Whether the die on ``cell`` may move and end on ``end`` (OMI-MOVE-03)."""
    cdef WideSet free
    cdef int rows, columns
    if not may_move(data, cell):
        return False
    if rules.narrow:
        return three_step_ends64(&rules.shape, free64(rules, data), cell) >> end & 1
    rows = end // rules.size - cell // rules.size + 3
    columns = end % rules.size - cell % rules.size + 3
    if not (0 <= rows <= 6 and 0 <= columns <= 6):
        return False
    free_wide(rules, data, &free)
    return wide_ends(rules, &free, rules.bit[cell]) >> (8 * rows + columns) & 1


cdef inline const WideSet* movers(const StateData* data) noexcept nogil:
    return &data.dice[0 if data.rolled == FACE_YAY_RA else data.rolled]


cdef bint any_move(OminoesRules rules, const StateData* data) noexcept nogil:
    """Whether any die that the rolled one allows to move can go exactly 3 steps (OMI-MOVE-06)."""
    cdef WideSet free, left = movers(data)[0]
    cdef uint64_t empty
    cdef int i
    if rules.narrow:
        empty = free64(rules, data)
        while left.w[0]:
            if three_step_ends64(&rules.shape, empty, lowest64(left.w[0])):
                return True
            left.w[0] &= left.w[0] - 1
        return False
    free_wide(rules, data, &free)
    for i in range(3):
        while left.w[i]:
            if wide_ends(rules, &free, 64 * i + lowest64(left.w[i])):
                return True
            left.w[i] &= left.w[i] - 1
    return False


cdef int push_moves(OminoesRules rules, const StateData* data, Codes out) except -1:
    """List all moves, by die and end (OMI-MOVE-04)."""
    cdef WideSet free, left = movers(data)[0]
    cdef uint64_t empty, word
    cdef int i, bit, cell, corner, end
    cdef int32_t* code
    if rules.narrow:
        empty = free64(rules, data)
        code = out.room(count64(left.w[0]) * MAX_ENDS)
        while left.w[0]:
            cell = lowest64(left.w[0])
            left.w[0] &= left.w[0] - 1
            word = three_step_ends64(&rules.shape, empty, cell)
            while word:
                code[0] = VERB_MOVE | cell | lowest64(word) << SHIFT_MOVE_END
                code += 1
                word &= word - 1
        out.size = code - out.code
        return 0
    free_wide(rules, data, &free)
    for i in range(3):
        while left.w[i]:
            bit = 64 * i + lowest64(left.w[i])
            left.w[i] &= left.w[i] - 1
            cell = rules.cell[bit]
            # The place of the window's first cell, which need not be on the board.
            corner = cell - 3 * rules.size - 3
            word = wide_ends(rules, &free, bit)
            while word:
                end = lowest64(word)
                out.push(VERB_MOVE | cell | (corner + (end >> 3) * rules.size + (end & 7)) << SHIFT_MOVE_END)
                word &= word - 1
    return 0


# -- groups -----------------------------------------------------------------------------------------------------------

cdef inline uint64_t members64(const StateData* data, int god) noexcept nogil:
    return data.dice[god].w[0] | data.dice[FACE_YAY_RA].w[0] | data.dice[FACE_OMINOTEP].w[0]


cdef void members_of(const StateData* data, int god, WideSet* members) noexcept nogil:
    """The dice of a god and the wild ones."""
    cdef int i
    for i in range(3):
        members.w[i] = data.dice[god].w[i] | data.dice[FACE_YAY_RA].w[i] | data.dice[FACE_OMINOTEP].w[i]


cdef int connected(OminoesRules rules, const StateData* data, int god, int cell, uint8_t* cells) noexcept nogil:
    """List the dice of a god or wild that are connected with the one on ``cell``; returns their number."""
    cdef WideSet members, group
    cdef int i, dice = 0
    members_of(data, god, &members)
    if rules.narrow:
        group.w[0] = component64(&rules.shape, members.w[0], <uint64_t> 1 << cell)
        group.w[1] = group.w[2] = 0
    else:
        wide_component(&members, rules.bit[cell], &group)
    for i in range(3):
        while group.w[i]:
            cells[dice] = rules.cell[64 * i + lowest64(group.w[i])]
            dice += 1
            group.w[i] &= group.w[i] - 1
    return dice


cdef int take_group(OminoesRules rules, StateData* data, int god, int cell) noexcept nogil:
    """Take the group of a god with the die on ``cell`` off the board; returns its points (OMI-SCORE-04)."""
    cdef uint8_t[LARGEST_BOARD] cells
    cdef int i, points = connected(rules, data, god, cell, cells)
    for i in range(points):
        take(rules, data, cells[i])
    return points


cdef int find_groups(OminoesRules rules, const StateData* data, int seat, Group* groups, int limit) noexcept nogil:
    """Fill in the first ``limit`` groups of a seat, by its gods and their lowest cells; returns how many.

    Each set of dice comes once, under the first god that it fits (OMI-SCORE-01, OMI-SCORE-02, OMI-SCORE-08).
    """
    if rules.narrow:
        return find_narrow(rules, data, seat, groups, limit)
    return find_wide(rules, data, seat, groups, limit)


cdef int find_narrow(OminoesRules rules, const StateData* data, int seat, Group* groups, int limit) noexcept nogil:
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
            if not group & data.dice[god].w[0]:
                # Wilds alone: the same dice would come again with each god.
                if not rules.all_wild_groups or wild_groups & seed:
                    continue
                wild_groups |= seed
            groups[found].god = god
            groups[found].lowest = lowest64(seed)
            found += 1
            if found == limit:
                return found
    return found


cdef int find_wide(OminoesRules rules, const StateData* data, int seat, Group* groups, int limit) noexcept nogil:
    cdef WideSet members, left, group, wild_groups
    cdef int i, j, god, seed, found = 0
    wild_groups.w[0] = wild_groups.w[1] = wild_groups.w[2] = 0
    for i in range(rules.collected_count[seat]):
        god = rules.collected[seat][i]
        members_of(data, god, &members)
        # Dice without a neighbour are in no group.
        wide_around(&members, &members, &left)
        while wide_count(&left) >= GROUP:
            seed = wide_lowest(&left)
            wide_component(&left, seed, &group)
            for j in range(3):
                left.w[j] &= ~group.w[j]
            if wide_count(&group) < GROUP:
                continue
            for j in range(3):
                members.w[j] = group.w[j] & data.dice[god].w[j]
            if not wide_any(&members):
                # Wilds alone: the same dice would come again with each god.
                if not rules.all_wild_groups or wide_has(&wild_groups, seed):
                    continue
                wide_insert(&wild_groups, seed)
            groups[found].god = god
            groups[found].lowest = rules.cell[seed]
            found += 1
            if found == limit:
                return found
    return found

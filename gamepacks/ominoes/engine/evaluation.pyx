"""The evaluation of a state for a seat, which the greedy bot maximises.

The unit is a hundredth of a point. All numbers are whole, so that the bot plays the same on every machine.
"""

from libc.math cimport tanh
from libc.stdint cimport int32_t, uint8_t
from libc.string cimport memset

from cext.grid cimport component
from cext.state cimport Codes, State
from cext.tree_search cimport Guide
from gamepacks.ominoes.engine.board cimport (
    Group, LARGEST_BOARD, MOST_GROUPS, connected, find_groups, free_cells,
)
from gamepacks.ominoes.codes_enums cimport *
from gamepacks.ominoes.engine.state cimport OminoesState
from gamepacks.ominoes.v1.ominoes_enums cimport *

cdef enum:
    POINT = 100
    # A die of a group that is there and not scored yet.
    GROUPED = 90
    PAIR = 20
    # Three of a god with room beside them: one more die makes four points.
    THREE = 110
    # The same for a seat that is about to add the fitting die.
    SURE_FOUR = 390
    # For the seat that plays next, what others have counts more: it comes to play first.
    NEXT_PERCENT = 120
    OTHER_PERCENT = 60

# An evaluation that is nearly as good as a won game.
cdef double LEAD = 1000.0


def best_actions(OminoesState state not None, int seat):
    """The legal actions of the seat to act with the highest evaluation: one, or several that are equal."""
    cdef Codes legal = Codes()
    cdef int32_t best = 0
    cdef int32_t value
    cdef Py_ssize_t i
    cdef list actions = []
    state.fill_legal(seat, legal)
    for i in range(legal.size):
        value = value_of(state, legal.code[i], seat)
        if not actions or value > best:
            best, actions = value, []
        if value == best:
            actions.append(legal.code[i])
    return actions


def evaluate(OminoesState state not None, int seat):
    """The evaluation for a seat: points and prospects together."""
    return look(state, seat)


cdef class OminoesGuide(Guide):
    """Evaluation for tree searches: the greedy bot's, as an expected return."""

    has_values = True

    cdef int fill_values(self, State state, double* values, int seats) except -1:
        cdef int seat
        for seat in range(seats):
            values[seat] = tanh(look(<OminoesState> state, seat) / LEAD)
        return 0


cdef int32_t value_of(OminoesState state, int32_t code, int seat) except? -0x7FFFFFFF:
    """The evaluation after an action: the mean over the six faces where a die is rerolled."""
    cdef OminoesState after = state.clone()
    cdef OminoesState rolled
    cdef int32_t total = 0
    cdef int face
    after.step(code, seat)
    if after.data.phase != PHASE_REROLLING:
        return settled(after, seat)
    for face in range(FACE_HORUS, FACE_OMINOTEP + 1):
        rolled = after.clone()
        rolled.step(VERB_ROLL | face, -1)
        total += settled(rolled, seat)
    return total // 6


cdef int32_t settled(OminoesState state, int seat) except? -0x7FFFFFFF:
    """The evaluation after the seat has scored what it can, the largest groups first. Changes the state."""
    cdef Group[MOST_GROUPS] groups
    cdef uint8_t[LARGEST_BOARD] cells
    cdef int i, count, dice, most, best
    while (
        (state.data.phase == PHASE_SCORE_AFTER_MOVE or state.data.phase == PHASE_SCORE_AFTER_ADD) and state.data.active == seat
    ):
        count = find_groups(state.rules, &state.data, seat, groups, MOST_GROUPS)
        most = best = 0
        for i in range(count):
            dice = connected(state.rules, &state.data, groups[i].god, groups[i].lowest, cells)
            if dice > most:
                most, best = dice, i
        state.step(VERB_SCORE | groups[best].god | groups[best].lowest << SHIFT_SCORE_LOWEST, seat)
    return look(state, seat)


cdef int32_t look(OminoesState state, int seat) noexcept nogil:
    cdef int other, i, god, weight, following = (seat + 1) % state.rules.players
    cdef int32_t[FACE_KHEPRI + 1] prospects
    cdef int32_t result = 0
    cdef bint adds = state.data.phase == PHASE_ADD and state.data.active == seat
    for god in range(FACE_HORUS, FACE_KHEPRI + 1):
        prospects[god] = prospects_of(state, god, False)
    for other in range(state.rules.players):
        weight = 100 if other == seat else -NEXT_PERCENT if other == following else -OTHER_PERCENT
        result += weight * state.data.scores[other] * POINT // 100
        for i in range(state.rules.collected_count[other]):
            god = state.rules.collected[other][i]
            if other == seat and adds and (state.data.rolled == god or state.data.rolled >= FACE_YAY_RA):
                result += prospects_of(state, god, True)
            else:
                result += weight * prospects[god] // 100
    return result


cdef int32_t prospects_of(OminoesState state, int god, bint adds) noexcept nogil:
    """What the dice of a god promise to a seat that collects it; ``adds``: and is to add a fitting die now."""
    cdef uint8_t[LARGEST_BOARD] members
    cdef uint8_t[LARGEST_BOARD] seen
    cdef uint8_t[LARGEST_BOARD] cells
    cdef uint8_t[LARGEST_BOARD] free
    cdef int cell, i, dice, room
    cdef int32_t result = 0
    cdef bint sure = False
    for cell in range(state.rules.shape.cells):
        members[cell] = state.data.board[cell] == god or state.data.board[cell] >= FACE_YAY_RA
    free_cells(state.rules, &state.data, free)
    memset(seen, 0, state.rules.shape.cells)
    for cell in range(state.rules.shape.cells):
        if seen[cell] or not members[cell]:
            continue
        dice = component(&state.rules.shape, members, cell, seen, cells)
        if dice >= 4:
            result += dice * GROUPED
            continue
        room = 0
        for i in range(dice):
            room += room_beside(state, cells[i], free)
        if room == 0:
            continue
        if dice == 3:
            if adds and not sure:
                sure = True
                result += SURE_FOUR
            else:
                result += THREE
        elif dice == 2:
            result += PAIR
        result += room
    return result


cdef int room_beside(OminoesState state, int cell, const uint8_t* free) noexcept nogil:
    cdef int i, room = 0
    for i in range(state.rules.shape.degree[cell]):
        room += free[state.rules.shape.around[cell][i]]
    return room

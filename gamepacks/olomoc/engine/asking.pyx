"""Small questions that many rules ask: which element, how many successes, what face. The answer goes to the frame below."""

from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.table cimport (
    C_DIE, C_POOL, CHOOSER, DECLINABLE, F_DIE, F_PICK, F_ROLL, HIGH, LOW, PICK_ASK, PIECES_HIGH, PIECES_LOW, ROLL_DICE,
    ROLL_DIFFICULTY, ROLL_STAT, ROLLER, SIDES, V_NO, ask, note, pop_frame, push_frame,
)
from gamepacks.olomoc.terms cimport N_DICE_ROLLED, N_DIE_ROLLED


cdef int ask_pick(OlomocTable m, int what, int player, uint64_t discs, uint64_t pieces, bint declinable) except -1:
    """Ask a player for one of some elements; the result is the element, or -1 for none."""
    cdef Frame* frame = push_frame(m, F_PICK)
    frame.v[PICK_ASK], frame.v[CHOOSER], frame.v[DECLINABLE] = what, player, declinable
    frame.v[LOW], frame.v[HIGH] = <int32_t> discs, <int32_t> (discs >> 32)
    frame.v[PIECES_LOW], frame.v[PIECES_HIGH] = <int32_t> pieces, <int32_t> (pieces >> 32)
    return 0


cdef uint64_t picked_discs(const Frame* frame) noexcept:
    """The figures and markers that may be picked."""
    return <uint64_t> <unsigned int> frame.v[LOW] | <uint64_t> <unsigned int> frame.v[HIGH] << 32


cdef uint64_t picked_pieces(const Frame* frame) noexcept:
    return <uint64_t> <unsigned int> frame.v[PIECES_LOW] | <uint64_t> <unsigned int> frame.v[PIECES_HIGH] << 32


cdef int pick_step(OlomocTable m, Frame* frame, int code) except -1:
    if code < 0:
        return ask(m, frame.v[PICK_ASK], frame.v[CHOOSER])
    pop_frame(m, -1 if code == V_NO else first_argument(code))
    return 0


cdef int ask_roll(OlomocTable m, int figure, int stat, int dice, int difficulty) except -1:
    """Roll a pool of dice; the result is the number of successes (OLO-ROLL-01, 08)."""
    cdef Frame* frame = push_frame(m, F_ROLL)
    frame.v[ROLLER], frame.v[ROLL_STAT], frame.v[ROLL_DICE], frame.v[ROLL_DIFFICULTY] = figure, stat, dice, difficulty
    return 0


cdef int roll_step(OlomocTable m, Frame* frame, int code) except -1:
    if frame.v[ROLL_DICE] <= 0:
        pop_frame(m, 0)
        return 0
    if code < 0:
        return ask(m, C_POOL, -1)
    note(
        m, N_DICE_ROLLED, frame.v[ROLLER], frame.v[ROLL_DICE], frame.v[ROLL_DIFFICULTY], first_argument(code)
    )
    pop_frame(m, first_argument(code))
    return 0


cdef int ask_die(OlomocTable m, int sides) except -1:
    """Roll one die whose face matters; the result is the face (OLO-COMP-07)."""
    cdef Frame* frame = push_frame(m, F_DIE)
    frame.v[SIDES] = sides
    return 0


cdef int die_step(OlomocTable m, Frame* frame, int code) except -1:
    if code < 0:
        return ask(m, C_DIE, -1)
    note(m, N_DIE_ROLLED, frame.v[SIDES], first_argument(code))
    pop_frame(m, first_argument(code))
    return 0

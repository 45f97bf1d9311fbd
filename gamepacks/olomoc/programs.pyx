"""Beginning the effects of a card, and effects that last."""

from libc.stdint cimport int32_t

from libc.string cimport memcpy

from gamepacks.olomoc.modifiers cimport subject_of, values_of
from gamepacks.olomoc.table cimport (
    F_EFFECTS, FROM_TRIGGER, HOSTILE_PHASE, Lasting, MAX_LASTING, OWNER, RUNS, SCOPE, STAGE, VALUES, end_effects, note, push_frame,
)
from gamepacks.olomoc.terms cimport N_EFFECT_STARTED, U_HOSTILE_PHASE, U_NEXT_PHASE, U_PHASE


cdef int run_program(OlomocTable m, int program, int32_t* scope, bint root) except -1:
    """Begin a list of effects in a scope; ``root``: it is the whole of a capacity or card, not a part of another list."""
    cdef Frame* frame
    if program < 0:
        return 0
    frame = push_frame(m, F_EFFECTS)
    memcpy(frame.v, scope, SCOPE * sizeof(int32_t))
    frame.v[RUNS], frame.v[STAGE], frame.v[FROM_TRIGGER] = program, 0, root
    return 0


cdef int add_lasting(OlomocTable m, object node, int32_t* scope) except -1:
    """Begin an effect that lasts; the same one on the same element begins anew (OLO-GEN-04)."""
    cdef Lasting* one = NULL
    cdef int subject = subject_of(node, scope), i
    cdef tuple values
    for i in range(m.t.lasting_count):
        if m.t.lasting[i].node == <int> node.index and m.t.lasting[i].subject == subject:
            one = &m.t.lasting[i]
    if one == NULL:
        if m.t.lasting_count == MAX_LASTING:
            return 0
        one = &m.t.lasting[m.t.lasting_count]
        m.t.lasting_count += 1
    values = values_of(m, node, scope)
    one.node, one.subject, one.owner, one.bearer = node.index, subject, scope[OWNER], scope[0]
    one.until, one.cycle, one.phase = node.until, m.t.cycle, m.t.phase
    for i in range(3):
        one.value[i] = values[i]
    note(m, N_EFFECT_STARTED, node.index, subject)
    return 0


cdef int phase_effects_end(OlomocTable m) except -1:
    """End what ends with this phase; an effect until the end of the next phase began in an earlier one."""
    cdef Lasting* one
    cdef int i
    for i in range(m.t.lasting_count):
        one = &m.t.lasting[i]
        if one.until == U_NEXT_PHASE and one.phase != m.t.phase:
            one.until = U_PHASE
    end_effects(m, U_PHASE)
    if m.t.phase == HOSTILE_PHASE:
        end_effects(m, U_HOSTILE_PHASE)
    return 0

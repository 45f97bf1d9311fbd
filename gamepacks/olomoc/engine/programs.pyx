"""Beginning the effects of a card, and effects that last."""

from libc.stdint cimport int32_t

from libc.string cimport memcpy

from gamepacks.olomoc.engine.modifiers cimport subject_of, values_of
from gamepacks.olomoc.engine.table cimport (
    ATTACKING, F_ATTACK, F_EFFECTS, F_TRIGGERS, F_WINDOW, FROM_TRIGGER, HOSTILE_PHASE, Lasting, OWNER, PROGRAM, RUNS, SCOPE, STAGE,
    VALUES, end_effects, end_within, frame_at, lasting_at, new_lasting, note, pop_frame, push_frame,
)
from gamepacks.olomoc.terms cimport (
    N_EFFECT_STARTED, OP_ATTACK, T_ATTACK_DECLARED, T_ATTACK_END, T_ROLLED, U_ATTACK, U_CARD, U_HOSTILE_PHASE, U_NEXT_PHASE, U_PHASE,
    U_ROLL,
)
from gamepacks.olomoc.engine.triggers cimport answered
from gamepacks.olomoc.engine.window cimport attack_under_way


cdef int run_program(OlomocTable m, int program, int32_t* scope, bint root) except -1:
    """Begin a list of effects in a scope; ``root``: it is the whole of a capacity or card, not a part of another list."""
    cdef Frame* frame
    if program < 0:
        return 0
    frame = push_frame(m, F_EFFECTS)
    memcpy(frame.v, scope, SCOPE * sizeof(int32_t))
    frame.v[RUNS], frame.v[STAGE], frame.v[FROM_TRIGGER] = program, 0, root
    return 0


cdef int end_program(OlomocTable m) except -1:
    """Leave the list of effects on top, done or not. A capacity that attacks by itself is an attack that ends with it."""
    cdef int height = m.t.depth - 1
    if frame_at(m, height).v[FROM_TRIGGER] and m.t.lasting_count:
        end_within(m, U_ATTACK, height)
        end_within(m, U_ROLL, height)
    return pop_frame(m, 1)


# -- effects that last ----------------------------------------------------------------------------------------------------

cdef int attack_home(OlomocTable m) except -1:
    """The height of the attack that an effect for an attack or a roll is meant for.

    That is the attack under way; the attack that such effects are listed for before it is made; the capacity that attacks
    without a reaction window. What answers to a moment of an attack means that attack, whatever it does itself.
    """
    cdef Frame* frame
    cdef int i, own = 0
    for i in range(m.t.depth - 1, 0, -1):
        frame = frame_at(m, i)
        if frame.kind == F_ATTACK or frame.kind == F_WINDOW and attack_under_way(frame):
            return i
        if frame.kind != F_EFFECTS:
            continue
        if i < m.t.depth - 1 and frame.v[STAGE] and m.rules.programs[frame.v[RUNS]][frame.pc].op == OP_ATTACK:
            return i + 1
        if frame.v[FROM_TRIGGER]:
            if not own:
                own = i
            if frame.v[ATTACKING] and not answers_attack(m, i - 1):
                return i
    return own


cdef bint answers_attack(OlomocTable m, int height) except -1:
    """Whether what lies on a frame answers to a moment of an attack."""
    cdef int trigger
    if frame_at(m, height).kind == F_ATTACK:
        return True
    if frame_at(m, height).kind != F_TRIGGERS:
        return False
    trigger = answered(m, height)
    return trigger == T_ATTACK_DECLARED or trigger == T_ROLLED or trigger == T_ATTACK_END


cdef int root_height(OlomocTable m) noexcept:
    """The height of the whole capacity or card that the effects on top are of."""
    cdef int i = m.t.depth - 1
    while not frame_at(m, i).v[FROM_TRIGGER]:
        i -= 1
    return i


cdef Frame* root_of(OlomocTable m) noexcept:
    return frame_at(m, root_height(m))


cdef int roll_home(OlomocTable m) except -1:
    """The height of what the roll of the effects on top belongs to: an attack that they make, or they alone."""
    cdef Frame* below
    cdef int i = root_height(m)
    below = frame_at(m, i - 1)
    return i - 1 if below.kind == F_ATTACK and below.v[PROGRAM] == frame_at(m, i).v[RUNS] else i


cdef int add_lasting(OlomocTable m, object node, int32_t* scope) except -1:
    """Begin an effect that lasts; the same one of the same bearer on the same element begins anew.

    Of two bearers or players it lasts twice, and does not add up for that (OLO-GEN-04).
    """
    cdef Lasting* one = NULL
    cdef Lasting* old
    cdef int subject = subject_of(node, scope), i
    cdef tuple values = values_of(m, node, scope)
    for i in range(m.t.lasting_count):
        old = lasting_at(m, i)
        if old.node == <int> node.index and old.subject == subject and old.owner == scope[OWNER] and old.bearer == scope[0]:
            one = old
    if one == NULL:
        one = new_lasting(m)
    one.node, one.subject, one.owner, one.bearer = node.index, subject, scope[OWNER], scope[0]
    one.until, one.cycle, one.phase = node.until, m.t.cycle, m.t.phase
    one.home = attack_home(m) if one.until == U_ATTACK or one.until == U_ROLL else 0
    for i in range(3):
        one.value[i] = values[i]
    note(m, N_EFFECT_STARTED, node.index, subject)
    return 0


cdef int phase_effects_end(OlomocTable m) except -1:
    """End what ends with this phase; an effect until the end of the next phase began in an earlier one.

    After the fifth there is no next planning phase: such an effect lasts until the cycle ends (OLO-EOC-03). One for a card that no card ended (in the hostile phase, after both cards) does not outlast the phase (OLO-HPH-04).
    """
    cdef Lasting* one
    cdef int i
    for i in range(m.t.lasting_count):
        one = lasting_at(m, i)
        if one.until == U_NEXT_PHASE and one.phase != m.t.phase and m.t.phase != HOSTILE_PHASE:
            one.until = U_PHASE
    end_effects(m, U_CARD)
    end_effects(m, U_PHASE)
    if m.t.phase == HOSTILE_PHASE:
        end_effects(m, U_HOSTILE_PHASE)
    return 0

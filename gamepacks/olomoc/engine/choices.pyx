"""What may be decided now, and what chance may bring (5.5, 5.8)."""

from libc.stdint cimport uint32_t, uint64_t

from cext.geometry.board cimport DISCS, LAST, STEP, lowest
from cext.geometry.plan cimport PUSH, Plan, is_legal
from gamepacks.olomoc.engine.activation cimport may_act, may_coordinate, push_acts
from gamepacks.olomoc.engine.asking cimport first_argument, picked_discs, picked_pieces, second_argument
from gamepacks.olomoc.engine.attack cimport push_reactions
from gamepacks.olomoc.engine.build cimport hands, push_build, scenery_codes, scenery_fault
from gamepacks.olomoc.engine.capacities cimport push_rests
from gamepacks.olomoc.engine.effects cimport effects_left
from gamepacks.olomoc.engine.hostiles cimport line_that_applies
from gamepacks.olomoc.engine.moves cimport any_end, charge_targets, make_plan, may_charge, push_charges, push_ends
from gamepacks.olomoc.engine.phases cimport push_propaganda
from gamepacks.olomoc.engine.planning cimport push_plan
from gamepacks.olomoc.engine.table cimport (
    C_AGENDA, C_CARD, C_DIE, C_FALLEN, C_HAND, C_LAYOUT, C_NUMBER, C_POOL, CHARGE_UP, CHOSEN, D_ACT, D_BUILD, D_CHARGE, D_CHOICE, D_DRAFT,
    D_EDGE, D_ENTER, D_FATE, D_GEAR, D_GO, D_HOST_GO, D_HOST_LINE, D_HOST_TARGET, D_HOSTILE, D_OPP, D_ORDER, D_PICK, D_PLAN_CARD,
    D_PLAN_MIN, D_PROP, D_PROP_AP, D_PUSH, D_REACT, D_REST, D_SCENERY, D_TACTIC, D_TARGET, D_TRIGGER, DECLINABLE, DEFENDER,
    F_EFFECTS, F_WINDOW, Frame, MAX_ARTEFACTS, NET, PLACE_BITS, PLAYERS_FIGURES, ROLL_DICE, ROLL_DIFFICULTY, RUNS, SIDES, USER,
    V_AGENDA, V_CARD, V_CHARGE, V_CHOOSE, V_DEAL, V_EDGE, V_FACE, V_FIRST, V_GO, V_HOSTILE, V_LAYOUT, V_NO, V_REACT, V_SCENERY,
    V_SEAT, V_SUCCESSES, V_TACTIC, V_TARGET, V_YES, VERB, WAY_KIND, WORD, on_bloc, stunned, top,
)
from gamepacks.olomoc.terms cimport WORD_NONE
from gamepacks.olomoc.engine.triggers cimport waiting_items
from gamepacks.olomoc.engine.window cimport window_class


cdef int fill_choices(OlomocTable m, int player, Codes out) except -1:
    """All that a player who is asked may decide; of places a sample (OLO-GEO-60)."""
    cdef Frame* frame = top(m)
    cdef int what = m.t.ask, code
    if what == D_GO or what == D_ENTER or what == D_PUSH or what == D_HOST_GO:
        return push_places(m, frame, out)
    if what == D_CHARGE:
        return push_charges(m, frame.v[USER], charge_targets(m, frame.v[USER], CHARGE_UP), out)
    if what == D_TARGET or what == D_PICK or what == D_HOST_TARGET:
        return push_elements(frame, out)
    if what == D_OPP or what == D_FATE or what == D_TRIGGER:
        out.push(V_NO)
        out.push(V_YES)
        return 0
    for code in choice_list(m, frame, what, player):
        out.push(code)
    return 0


cdef list choice_list(OlomocTable m, Frame* frame, int what, int player):
    """The same where no places are to be listed."""
    cdef list found = []
    cdef int i
    if what == D_ACT:
        push_acts(m, frame, found)
    elif what == D_PLAN_MIN or what == D_PLAN_CARD:
        push_plan(m, player, what == D_PLAN_MIN, found)
    elif what == D_BUILD or what == D_DRAFT or what == D_GEAR:
        push_build(m, player, found)
    elif what == D_REACT:
        found.append(V_NO)
        push_reactions(m, frame, found)
    elif what == D_TACTIC:
        found = [V_NO, V_TACTIC, V_TACTIC | 1 << 18]
        if not on_bloc(m, frame.v[DEFENDER]):
            found.pop()
        elif frame.v[NET] >= 2 and not stunned(m, frame.v[DEFENDER]):
            found.append(V_TACTIC | 2 << 18)
    elif what == D_REST:
        push_rests(m, frame.v[USER], found)
    elif what == D_PROP:
        push_propaganda(m, player, found)
    elif what == D_PROP_AP:
        found = [
            V_CHOOSE | i << 18 for i in range(3)
            if i == 0 or m.t.figure[frame.v[CHOSEN]].ap + i <= m.t.figure[frame.v[CHOSEN]].ap_given
        ]
    elif what == D_ORDER:
        found = [V_FIRST | i << 18 for i in range(waiting_count(m, frame))]
    elif what == D_CHOICE:
        node = m.rules.programs[frame.v[RUNS]][frame.pc]
        found = [V_CHOOSE | i << 18 for i in range(len(node.options))]
        if node.flag:
            found.insert(0, V_NO)
    elif what == D_HOSTILE:
        found = [V_HOSTILE | i << 18 for i in range(PLAYERS_FIGURES, 16) if on_bloc(m, i) and not m.t.figure[i].acted]
    elif what == D_HOST_LINE:
        i = line_that_applies(m, frame)
        found.append(V_NO if i < 0 else V_CHOOSE | i << 18)
    elif what == D_EDGE:
        found = sorted([V_EDGE | <int> edge << 18 for edge in m.rules.ruleset.agendas[m.t.agenda].edges])
    elif what == D_SCENERY:
        found = scenery_codes(m)
    return found


cdef int waiting_count(OlomocTable m, Frame* frame) except -1:
    """How many wait for their order."""
    cdef uint64_t ready
    cdef int count = 0
    if frame.kind == F_WINDOW:
        ready = window_class(m, frame)
        while ready:
            ready &= ready - 1
            count += 1
        return count
    if frame.kind == F_EFFECTS:
        return effects_left(frame)
    return len(waiting_items(m))


cdef bint may_stay(OlomocTable m, const Frame* frame) except -1:
    """Whether NO is allowed: a push without a direction word, what may be declined, and where there is no place."""
    if frame.v[DECLINABLE] or frame.v[WAY_KIND] == PUSH and frame.v[WORD] == WORD_NONE:
        return True
    return not any_end(m, frame)


cdef int push_places(OlomocTable m, Frame* frame, Codes out) except -1:
    cdef bint stay = frame.v[DECLINABLE] or frame.v[WAY_KIND] == PUSH and frame.v[WORD] == WORD_NONE
    if stay:
        out.push(V_NO)
    push_ends(m, frame, V_GO, out)
    if out.size == 0:
        out.push(V_NO)
    return 0


cdef int push_elements(Frame* frame, Codes out) except -1:
    cdef uint64_t left = picked_discs(frame)
    if frame.v[DECLINABLE]:
        out.push(V_NO)
    while left:
        out.push(V_TARGET | lowest(left) << 18)
        left &= left - 1
    left = picked_pieces(frame)
    while left:
        out.push(V_TARGET | (DISCS + lowest(left)) << 18)
        left &= left - 1
    return 0


cdef bint is_choice(OlomocTable m, int player, int32_t code) except -1:
    """Whether a player who is asked may decide so; of places every point of the lattice is looked at (OLO-GEO-62)."""
    cdef Frame* frame = top(m)
    cdef int what = m.t.ask, x = (code & PLACE_BITS) >> 11, y = code & 2047, target
    cdef Plan plan
    cdef Codes out
    if code < 0:
        return False
    if what == D_GO or what == D_ENTER or what == D_PUSH or what == D_HOST_GO:
        if code == V_NO:
            return may_stay(m, frame)
        if code & ~PLACE_BITS != V_GO or x > LAST or y > LAST:
            return False
        make_plan(m, frame, &plan)
        return is_legal(&plan, x * STEP, y * STEP)
    if what == D_CHARGE:
        target = code >> 22 & 15
        if code & VERB != V_CHARGE or x > LAST or y > LAST:
            return False
        return may_charge(m, frame.v[USER], target, x, y)
    if what == D_SCENERY and code & VERB == V_SCENERY:
        if x > LAST or y > LAST or m.rules.ruleset.pool[m.t.laid].radius and code >> 22 & 15:
            return False
        return scenery_fault(m, code >> 22 & 15, x, y) is None
    out = Codes()
    fill_choices(m, player, out)
    for x in range(<int> out.size):
        if out.code[x] == code:
            return True
    return False


# -- chance ---------------------------------------------------------------------------------------------------------------

cdef int fill_outcomes(OlomocTable m, Codes out) except -1:
    """The outcomes of a chance node with their weights (5.8)."""
    cdef int what = m.t.ask, i, count
    cdef Frame* frame = top(m)
    if what == C_POOL:
        return fill_pool(frame.v[ROLL_DICE], frame.v[ROLL_DIFFICULTY], out)
    if what == C_DIE:
        for i in range(1, frame.v[SIDES] + 1):
            out.push_weighted(V_FACE | i << 18, 1)
    elif what == C_CARD:
        for i in range(MAX_ARTEFACTS):
            if m.t.pile[i]:
                out.push_weighted(V_CARD | i << 18, m.t.pile[i])
    else:
        count = 2
        if what == C_AGENDA:
            count = len(m.rules.ruleset.agendas)
        elif what == C_LAYOUT:
            count = len(m.rules.ruleset.layouts)
        elif what == C_FALLEN:
            count = 7
        elif what == C_HAND:
            count = 20
        for i in range(count):
            out.push_weighted(outcome_verb(what) | i << 18, 1)
    return 0


cdef int outcome_verb(int what) noexcept:
    if what == C_NUMBER:
        return V_SEAT
    if what == C_AGENDA:
        return V_AGENDA
    return V_LAYOUT if what == C_LAYOUT else V_DEAL


cdef int fill_pool(int dice, int difficulty, Codes out) except -1:
    """k successes of n dice have the weight C(n, k) (7 - T)^k (T - 1)^(n - k)."""
    cdef uint64_t choose = 1, weight
    cdef int k, i
    for k in range(dice + 1):
        weight = choose
        for i in range(k):
            weight *= 7 - difficulty
        for i in range(dice - k):
            weight *= difficulty - 1
        out.push_weighted(V_SUCCESSES | k << 18, <uint32_t> weight)
        choose = choose * (dice - k) // (k + 1)
    return 0

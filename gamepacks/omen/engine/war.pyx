"""Resolving a City in the War step, and TRIUMPH."""

from libc.stdint cimport uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.drawing cimport start_prize
from gamepacks.omen.engine.lasting cimport end_mods
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport before, can_destroy, leave_city
from gamepacks.omen.engine.picks cimport lowest, same_copies
from gamepacks.omen.engine.stack cimport env_of, in_steps, pop, push
from gamepacks.omen.engine.stats cimport changed, strength_on, type_of, weight_of
from gamepacks.omen.engine.table cimport (
    Ability, Card, clear, Env, EVERYONE, FR_DRAIN, FR_RAZE, FR_TRIUMPH, Frame, has, insert, MOST_ON_SIDE, Set, side_of,
    size_of, Table,
)
from gamepacks.omen.engine.values cimport holds
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport emit, open_move

# Stages of a City's resolution.
cdef enum:
    BEGIN = 0
    CALLED = 1
    COMPARE = 2
    TAKEN = 3
    RAZING = 4
    FIRST = 5
    SECOND = 6
    LEAVING = 7
    OVER = 8
    # Nobody has won.
    NOBODY = 2


cdef int run_war(Table t, Frame* frame) except -1:
    """resolve(c) of section 9.6; ``m`` is the winner."""
    cdef int city = frame.city, stage = frame.stage
    if stage == BEGIN:
        frame.stage = CALLED
        if t.d.phase == PH_WAR:
            t.d.resolved |= 1 << city
        before(t, EV_WAR_BEGIN, t.d.active, t.d.active, NONE, city, 0, BY_WAR)
    elif stage == CALLED:
        frame.stage = COMPARE
        if t.d.verdict:
            # OMENX-LOOP-04
            t.d.verdict = 0
            t.d.stuck |= 1 << city
            frame.stage = OVER
            return 0
        emit(t, EV_WAR_BEGIN, t.d.active, t.d.active, NONE, city, NONE, NONE, 0, BY_WAR, EVERYONE)
        push(t, FR_DRAIN)
    elif stage == COMPARE:
        frame.stage = TAKEN
        compare_sides(t, frame)
        if frame.m != NOBODY:
            start_prize(t, city, frame.m, BY_WAR)
    elif stage == TAKEN:
        frame.stage = RAZING
        if not t.rules.omega:
            # OMENT-TRIUMPH-03
            push(t, FR_TRIUMPH)
    elif stage == RAZING:
        if not t.rules.omega and frame.m != NOBODY and not t.d.left[city]:
            # OMENT-RAZE-02
            frame.stage = OVER
            push(t, FR_RAZE).city = city
            return 0
        frame.stage = FIRST
    elif stage == FIRST or stage == SECOND:
        frame.seat = t.d.active if frame.m == NOBODY else frame.m
        if stage == SECOND:
            frame.seat = 1 - frame.seat
        t.d.ask, t.d.asked = ASK_KEEP, frame.seat
    elif stage == LEAVING:
        frame.stage = OVER
        leave(t, frame)
    else:
        end_mods(t, FOR_WAR, NONE)
        pop(t)
    return 0


cdef int compare_sides(Table t, Frame* frame) except -1:
    # OMEN-WAR-07, -08, -09, OMENT-WAR-03, -04
    cdef int city = frame.city, seat, token, i
    cdef int[2] strength, helpers
    for seat in range(2):
        strength[seat], helpers[seat] = strength_on(t, city, seat), 0
        token = t.d.head[side_of(city, seat)]
        while token != NONE:
            if t.rules.omega:
                helpers[seat] += type_of(t, token) == T_SOLDIER
            else:
                helpers[seat] += t.rules.card[t.d.token[token].card].traits >> TR_BOLSTER & 1
            token = t.d.token[token].next
    if strength[0] != strength[1]:
        frame.m = 0 if strength[0] > strength[1] else 1
    elif (changed(t, W_WIN_TIES, TG_SEAT, 0, 0) > 0) != (changed(t, W_WIN_TIES, TG_SEAT, 1, 0) > 0):
        # OMENX-FX-26
        frame.m = 0 if changed(t, W_WIN_TIES, TG_SEAT, 0, 0) > 0 else 1
    elif helpers[0] != helpers[1]:
        frame.m = 0 if helpers[0] > helpers[1] else 1
    elif t.rules.omega or t.rules.sacked_tie == 0:
        frame.m = NOBODY
    else:
        frame.m = t.d.active if t.rules.sacked_tie == 1 else 1 - t.d.active
    emit(t, EV_WAR_RESULT, t.d.active, NONE if frame.m == NOBODY else frame.m, NONE, city, NONE, NONE, 0, BY_WAR, EVERYONE)
    if t.story is not None:
        t.story.append((*t.story.pop()[:10], (strength[0], strength[1], helpers[0], helpers[1])))
    return 0


# -- survivors --------------------------------------------------------------------------------------------------------


cdef int keep_weight(Table t, int token) noexcept:
    # OMEN-WAR-13, OMENT-WAR-06
    cdef int weight
    if t.rules.omega:
        weight = weight_of(t, token)
    else:
        weight = t.rules.myriad_keep if t.rules.card[t.d.token[token].card].traits >> TR_MYRIAD & 1 else 1
    weight = changed(t, W_KEEP_WEIGHT, TG_SEL, token, weight)
    return weight if weight > 1 else 1


cdef int keep_options(Table t, Frame* frame, Codes out) except -1:
    """The sets of Units that the seat may keep, as masks over its Units there in their order (OMEN-WAR-14)."""
    cdef int[MOST_ON_SIDE] weight, token
    cdef int count = 0, allowance = 1 if frame.m == frame.seat else 2, forced = 0, best = 0, i, j, one
    one = t.d.head[side_of(frame.city, frame.seat)]
    while one != NONE and count < MOST_ON_SIDE:
        token[count], weight[count] = one, keep_weight(t, one)
        if not can_destroy(t, one):
            # OMENX-FX-16
            forced |= 1 << count
            allowance -= weight[count]
        count += 1
        one = t.d.token[one].next
    if not t.rules.up_to or not t.rules.omega:
        # The largest count that the allowance leaves room for: of one Unit or two, as each weighs 1 at least.
        for i in range(count):
            if forced >> i & 1:
                continue
            if best < weight[i] <= allowance:
                best = weight[i]
            for j in range(i):
                if not forced >> j & 1 and best < weight[i] + weight[j] <= allowance:
                    best = weight[i] + weight[j]
    if best == 0:
        out.push(V_KEEP | forced)
    for i in range(count):
        if forced >> i & 1 or repeated(t, token, forced, i, NONE):
            continue
        if weight[i] <= allowance and (not best or weight[i] == best):
            if best or t.rules.up_to and t.rules.omega:
                out.push(V_KEEP | forced | 1 << i)
    for i in range(count):
        for j in range(i):
            if forced >> i & 1 or forced >> j & 1 or repeated(t, token, forced, j, NONE) or repeated(t, token, forced, i, j):
                continue
            if weight[i] + weight[j] <= allowance and (not best or weight[i] + weight[j] == best):
                if best or t.rules.up_to and t.rules.omega:
                    out.push(V_KEEP | forced | 1 << i | 1 << j)
    sort(out)
    return 0


cdef bint repeated(Table t, const int* token, int forced, int i, int beside) noexcept:
    # Is a unit the copy of an earlier one, so that the same set is listed already?
    cdef int j
    for j in range(i):
        if j != beside and not forced >> j & 1 and same_copies(t, token[i], token[j]):
            return True
    return False


cdef void sort(Codes out) noexcept:
    cdef Py_ssize_t i, j
    cdef int code
    for i in range(1, out.size):
        code, j = out.code[i], i
        while j > 0 and out.code[j - 1] > code:
            out.code[j] = out.code[j - 1]
            j -= 1
        out.code[j] = code


cdef int answer_keep(Table t, Frame* frame, int mask) except -1:
    cdef int token = t.d.head[side_of(frame.city, frame.seat)]
    if frame.stage == FIRST:
        clear(&frame.set)
    while token != NONE:
        if mask & 1:
            insert(&frame.set, token)
        mask >>= 1
        token = t.d.token[token].next
    frame.stage += 1
    return 0


cdef int leave(Table t, Frame* frame) except -1:
    # What is not kept leaves together (OMEN-WAR-15).
    cdef Set leaving
    cdef int seat, token
    clear(&leaving)
    for seat in range(2):
        token = t.d.head[side_of(frame.city, seat)]
        while token != NONE:
            if not has(&frame.set, token):
                insert(&leaving, token)
            token = t.d.token[token].next
    if frame.m == NOBODY and not size_of(&leaving):
        # OMENX-LOOP-04
        t.d.stuck |= 1 << frame.city
    return leave_city(t, &leaving, t.d.active, BY_WAR)


# -- TRIUMPH ----------------------------------------------------------------------------------------------------------


cdef void triumphs(Table t, Set* out) noexcept:
    """The Active player's Units whose requirement is met in this step (OMENT-TRIUMPH-01)."""
    cdef int city, token, i
    cdef Card* card
    cdef Ability* ability
    cdef Env env
    clear(out)
    if t.d.phase < PH_WEALTH or t.d.phase >= PH_OVER:
        return
    for city in range(t.rules.cities):
        token = t.d.head[side_of(city, t.d.active)]
        while token != NONE:
            card = &t.rules.card[t.d.token[token].card]
            for i in range(card.abilities if card.hooks >> H_TRIUMPH & 1 else 0):
                ability = &t.rules.ability[card.first_ability + i]
                if ability.hook == H_TRIUMPH and in_steps(t, ability.steps):
                    env_of(t, &env, t.d.active, token, city)
                    if holds(t, &env, ability.when) and holds(t, &env, ability.cond):
                        insert(out, token)
            token = t.d.token[token].next


cdef int run_triumph(Table t, Frame* frame) except -1:
    """Those that qualify leave one at a time; the others are tested again (OMENT-TRIUMPH-04)."""
    cdef Set cards
    triumphs(t, &cards)
    if not size_of(&cards):
        pop(t)
    elif size_of(&cards) == 1:
        move_triumph(t, lowest(t, &cards))
    else:
        t.d.ask, t.d.asked = ASK_TRIUMPH, t.d.active
    return 0


cdef int move_triumph(Table t, int token) except -1:
    open_move(t, token, PILE_USED + t.d.active)
    emit(t, EV_TRIUMPH, t.d.active, t.d.active, token, NONE, Z_CITY, Z_USED, 0, BY_RULE, EVERYONE)
    return 0

# War: the resolution of a City, and the Units that stay (section 9.6).

# Stages of a City's resolution.
cdef enum:
    WAR_BEGIN = 0
    WAR_BEGUN = 1
    WAR_COMPARE = 2
    WAR_PRIZE_TAKEN = 3
    WAR_RAZE = 4
    WAR_FIRST_KEEPS = 5
    WAR_SECOND_KEEPS = 6
    WAR_LEAVE = 7
    WAR_OVER = 8
    # Nobody has won.
    NOBODY = 2


cdef int run_war(CoreState s, Frame* frame) except -1:
    """Continue to resolve a City (section 9.6); ``m`` is the winner."""
    cdef int city = frame.city, stage = frame.stage
    if stage == WAR_BEGIN:
        frame.stage = WAR_BEGUN
        if s.d.phase == PHASE_WAR:
            s.d.resolved |= 1 << city
        offer_reactions(s, EVENT_TYPE_WAR_BEGIN, s.d.active, s.d.active, NONE, city, 0, CAUSE_WAR)
    elif stage == WAR_BEGUN:
        frame.stage = WAR_COMPARE
        if s.d.cancelled:
            # OMENX-LOOP-04
            s.d.cancelled = 0
            s.d.war_blocked |= 1 << city
            frame.stage = WAR_OVER
            return 0
        emit(s, EVENT_TYPE_WAR_BEGIN, s.d.active, s.d.active, NONE, city, NONE, NONE, 0, CAUSE_WAR, EVERYONE)
        push(s, FR_DRAIN)
    elif stage == WAR_COMPARE:
        frame.stage = WAR_PRIZE_TAKEN
        compare_sides(s, frame)
        if frame.m != NOBODY:
            start_prize(s, city, frame.m, CAUSE_WAR)
    elif stage == WAR_PRIZE_TAKEN:
        frame.stage = WAR_RAZE
        if not s.config.omega:
            # OMENT-TRIUMPH-03
            push(s, FR_TRIUMPH)
    elif stage == WAR_RAZE:
        if not s.config.omega and frame.m != NOBODY and not s.d.left[city]:
            # OMENT-RAZE-02
            frame.stage = WAR_OVER
            push(s, FR_RAZE).city = city
            return 0
        frame.stage = WAR_FIRST_KEEPS
    elif stage == WAR_FIRST_KEEPS or stage == WAR_SECOND_KEEPS:
        frame.seat = s.d.active if frame.m == NOBODY else frame.m
        if stage == WAR_SECOND_KEEPS:
            frame.seat = 1 - frame.seat
        s.d.decision, s.d.decider = DECISION_KEEP, frame.seat
    elif stage == WAR_LEAVE:
        frame.stage = WAR_OVER
        destroy_unkept(s, frame)
    else:
        end_modifiers(s, FOR_WAR, NONE)
        pop(s)
    return 0


cdef int compare_sides(CoreState s, Frame* frame) except -1:
    # OMEN-WAR-07, -08, -09, OMENT-WAR-03, -04
    cdef int city = frame.city, seat, token, i
    cdef int[2] strength, tie_breakers
    for seat in range(2):
        strength[seat], tie_breakers[seat] = strength_on(s, city, seat), 0
        token = s.d.head[side_of(city, seat)]
        while token != NONE:
            if s.config.omega:
                tie_breakers[seat] += type_of(s, token) == UNIT_TYPE_SOLDIER
            else:
                tie_breakers[seat] += s.config.card[s.d.token[token].card].traits >> TRAIT_BOLSTER & 1
            token = s.d.token[token].next
    if strength[0] != strength[1]:
        frame.m = 0 if strength[0] > strength[1] else 1
    elif (modified(s, W_WIN_TIES, TG_SEAT, 0, 0) > 0) != (modified(s, W_WIN_TIES, TG_SEAT, 1, 0) > 0):
        # OMENX-FX-26
        frame.m = 0 if modified(s, W_WIN_TIES, TG_SEAT, 0, 0) > 0 else 1
    elif tie_breakers[0] != tie_breakers[1]:
        frame.m = 0 if tie_breakers[0] > tie_breakers[1] else 1
    elif s.config.omega or s.config.sacked_tie == SACKED_TIE_NOBODY:
        frame.m = NOBODY
    else:
        frame.m = s.d.active if s.config.sacked_tie == SACKED_TIE_ACTIVE else 1 - s.d.active
    emit(s, EVENT_TYPE_WAR_RESULT, s.d.active, NONE if frame.m == NOBODY else frame.m, NONE, city, NONE, NONE, 0, CAUSE_WAR, EVERYONE)
    if s.trace is not None:
        s.trace.append((*s.trace.pop()[:10], (strength[0], strength[1], tie_breakers[0], tie_breakers[1])))
    return 0


# -- survivors --------------------------------------------------------------------------------------------------------


cdef int keep_weight(CoreState s, int token) noexcept:
    # OMEN-WAR-13, OMENT-WAR-06
    cdef int weight
    if s.config.omega:
        weight = weight_of(s, token)
    else:
        weight = s.config.myriad_keep if s.config.card[s.d.token[token].card].traits >> TRAIT_MYRIAD & 1 else 1
    weight = modified(s, W_KEEP_WEIGHT, TG_SEL, token, weight)
    return weight if weight > 1 else 1


cdef int keep_options(CoreState s, Frame* frame, Codes out) except -1:
    """List the sets of Units that the seat may keep, as masks over its Units in that City (OMEN-WAR-14)."""
    cdef int[MAX_ON_SIDE] weight, token
    cdef int count = 0, allowance = 1 if frame.m == frame.seat else 2, forced = 0, best = 0, i, j, one
    one = s.d.head[side_of(frame.city, frame.seat)]
    while one != NONE and count < MAX_ON_SIDE:
        token[count], weight[count] = one, keep_weight(s, one)
        if not can_destroy(s, one):
            # OMENX-FX-16
            forced |= 1 << count
            allowance -= weight[count]
        count += 1
        one = s.d.token[one].next
    if not s.config.up_to or not s.config.omega:
        # The largest weight within the allowance; at most two Units fit, as each weighs 1 at least.
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
        if forced >> i & 1 or is_repeated(s, token, forced, i, NONE):
            continue
        if weight[i] <= allowance and (not best or weight[i] == best):
            if best or s.config.up_to and s.config.omega:
                out.push(V_KEEP | forced | 1 << i)
    for i in range(count):
        for j in range(i):
            if forced >> i & 1 or forced >> j & 1 or is_repeated(s, token, forced, j, NONE) or is_repeated(s, token, forced, i, j):
                continue
            if weight[i] + weight[j] <= allowance and (not best or weight[i] + weight[j] == best):
                if best or s.config.up_to and s.config.omega:
                    out.push(V_KEEP | forced | 1 << i | 1 << j)
    sort_codes(out)
    return 0


cdef bint is_repeated(CoreState s, const int* token, int forced, int i, int beside) noexcept:
    # Whether an earlier Unit is an equal copy, so that the same set is listed already.
    cdef int j
    for j in range(i):
        if j != beside and not forced >> j & 1 and same_copies(s, token[i], token[j]):
            return True
    return False


cdef void sort_codes(Codes out) noexcept:
    cdef Py_ssize_t i, j
    cdef int code
    for i in range(1, out.size):
        code, j = out.code[i], i
        while j > 0 and out.code[j - 1] > code:
            out.code[j] = out.code[j - 1]
            j -= 1
        out.code[j] = code


cdef int apply_keep(CoreState s, Frame* frame, int mask) except -1:
    cdef int token = s.d.head[side_of(frame.city, frame.seat)]
    if frame.stage == WAR_FIRST_KEEPS:
        clear(&frame.set)
    while token != NONE:
        if mask & 1:
            insert(&frame.set, token)
        mask >>= 1
        token = s.d.token[token].next
    frame.stage += 1
    return 0


cdef int destroy_unkept(CoreState s, Frame* frame) except -1:
    # The Units that are not kept leave together (OMEN-WAR-15).
    cdef TokenSet leaving
    cdef int seat, token
    clear(&leaving)
    for seat in range(2):
        token = s.d.head[side_of(frame.city, seat)]
        while token != NONE:
            if not has(&frame.set, token):
                insert(&leaving, token)
            token = s.d.token[token].next
    if frame.m == NOBODY and not size_of(&leaving):
        # OMENX-LOOP-04
        s.d.war_blocked |= 1 << frame.city
    return destroy_units(s, &leaving, s.d.active, CAUSE_WAR)

# Permanent capacities that answer to events, and their order if several wait at the same time (OLO-GEN-02, 5.6).
#
# A TRIGGERS frame holds the capacities that answer at one time, each as two numbers: the bearer (plus 1; 0 for a rule of the
# agenda) with the place in the bearer's list, and the trigger with its two names (plus 1 each). If more wait than one frame holds,
# full frames lie below the one that decides what comes next; the items of all of them are numbered from the lowest frame on.

cdef enum:
    # Index of the result that the frame below waits for.
    SAVED_RESULT = 3
    TRIGGERS_NEXT = 0
    TRIGGERS_ORDERING = 1
    TRIGGERS_OFFERED = 2
    TRIGGERS_ANSWER_AIMED = 3
    TRIGGERS_RUN = 4
    # A full frame; the rest is in the one above.
    TRIGGERS_FULL = 5
    # Maximum number of capacities that the verb FIRST can number; the others get a number when some of these are done.
    MAX_ORDERED = 256


cdef int flush_events(StateBase s) except -1:
    """Push a frame with the capacities that answer to the raised events."""
    cdef Frame* frame = NULL
    cdef Raised* raised
    cdef int i, bearer
    for i in range(s.d.raised_count):
        raised = raised_at(s, i)
        for bearer in range(-1, FIGURES):
            if specific_of(s, bearer).triggers >> raised.trigger & 1:
                frame = gather(s, frame, raised, bearer)
    s.d.raised_count = 0
    return 0


cdef Specific* specific_of(StateBase s, int bearer) noexcept:
    return &s.d.agenda_rules if bearer < 0 else &s.d.specific[bearer]


cdef Frame* gather(StateBase s, Frame* frame, Raised* raised, int bearer) except? NULL:
    """Add a bearer's capacities that answer to an event to a frame, or to a new one; returns the frame on top."""
    cdef Specific* specific = specific_of(s, bearer)
    cdef int k, count
    for k in range(specific.count):
        if not answers(s, bearer, k, raised.trigger, raised.one, raised.two) or under_way(s, bearer, k):
            continue
        if frame == NULL or frame.v[ITEM_COUNT] == MAX_ITEMS:
            if frame != NULL:
                frame.pc = TRIGGERS_FULL
            frame = push_frame(s, F_TRIGGERS)
            frame.v[SAVED_RESULT], frame.v[ITEM] = s.d.result, -1
        count = frame.v[ITEM_COUNT]
        frame.v[ITEMS + 2 * count] = (bearer + 1) << 8 | k
        frame.v[ITEMS + 2 * count + 1] = raised.trigger << 16 | (raised.one + 1) << 8 | (raised.two + 1)
        frame.v[ITEM_COUNT] = count + 1
    return frame


cdef bint under_way(StateBase s, int bearer, int k) noexcept:
    """Whether a capacity is being resolved: it does not answer to events of its own resolution (5.6)."""
    cdef Frame* frame
    cdef int i
    for i in range(s.d.depth):
        frame = frame_at(s, i)
        if frame.kind == F_TRIGGERS and (frame.pc == TRIGGERS_ANSWER_AIMED or frame.pc == TRIGGERS_RUN):
            if item_at(s, i, frame.v[ITEM])[0] == ((bearer + 1) << 8 | k):
                return True
    return False


cdef int lowest_of(StateBase s, int height) noexcept:
    """The height of the lowest of the frames that belong to the TRIGGERS frame at a height."""
    while frame_at(s, height - 1).kind == F_TRIGGERS and frame_at(s, height - 1).pc == TRIGGERS_FULL:
        height -= 1
    return height


cdef int32_t* item_at(StateBase s, int height, int item) noexcept:
    """The two numbers of an item that waits in the TRIGGERS frame at a height."""
    return &frame_at(s, lowest_of(s, height) + item // MAX_ITEMS).v[ITEMS + 2 * (item % MAX_ITEMS)]


cdef int answered(StateBase s, int height) noexcept:
    """The trigger of the item that is resolved in the TRIGGERS frame at a height."""
    return item_at(s, height, frame_at(s, height).v[ITEM])[1] >> 16


cdef int bind_answered(StateBase s, int height, int32_t* scope) except -1:
    """Bind the names of the event to which the item that is resolved answers."""
    cdef int names = item_at(s, height, frame_at(s, height).v[ITEM])[1]
    return bind_trigger(s, scope, names >> 16, (names >> 8 & 255) - 1, (names & 255) - 1)


cdef bint answers(StateBase s, int bearer, int k, int trigger, int one, int two) except -1:
    """Whether a capacity answers to an event: its bearer can, its condition holds, it has a use left and the tokens."""
    cdef int32_t[VALUES] scope
    cdef Specific* specific = specific_of(s, bearer)
    cdef int number = specific.capacity[k], where
    capacity = s.rules.capacities[number]
    if capacity.active or capacity.trigger != trigger or trigger == TRIGGER_REACTION:
        return False
    if bearer >= 0:
        where = s.d.figure[bearer].where
        # A rouage that goes out of action answers only to its own loss.
        if where == PLACE_OUT:
            if not (trigger == TRIGGER_OUT or trigger == TRIGGER_WOUNDED) or one != bearer:
                return False
        elif where != PLACE_BLOC and not (where == PLACE_OFF and capacity.off_bloc):
            return False
        if not affordable(s, bearer, specific.slot[k]):
            return False
    if trigger == TRIGGER_CONTACT and capacity.trigger_sel is not None:
        new_scope(s, scope, bearer, number)
        bind_trigger(s, scope, trigger, one, two)
        if not fits(s, capacity.trigger_sel, scope, two):
            return False
    if (trigger == TRIGGER_ENTERED or trigger == TRIGGER_LEFT) and not zone_meant(s, capacity.trigger_zone, bearer, one, two):
        return False
    new_scope(s, scope, bearer, number)
    bind_trigger(s, scope, trigger, one, two)
    if capacity.cond is not None and not holds(s, capacity.cond, scope):
        return False
    if trigger == TRIGGER_ROLLED and rerolls_nothing(s, capacity.program, scope):
        return False
    return capacity.target is None or count_of(targets_with_dice(s, bearer, capacity, scope)) > 0


cdef bint zone_meant(StateBase s, int tag, int bearer, int mover, int zone) except -1:
    """Whether a trigger means a zone: of a tag, or else a foe's threat zone that the bearer has, enters or leaves."""
    if tag >= 0:
        return zone >= FIGURES and tag_of(s, zone) == tag
    return zone < FIGURES and (zone == bearer or mover == bearer)


# -- resolving --------------------------------------------------------------------------------------------------------

cdef int class_of(StateBase s, int item) noexcept:
    """The class of an item, by which items are ordered: without a player (1), the priority holder's (2), the other player's (3)."""
    cdef int bearer = (item >> 8) - 1
    if bearer < 0 or s.d.figure[bearer].player == HOSTILE:
        return 1
    return 2 if s.d.figure[bearer].player == s.d.priority else 3


cdef list waiting_items(StateBase s):
    """The numbers, in the TRIGGERS frame on top, of the items whose order must be chosen."""
    cdef int i, k, item, order, first = 4, lowest = lowest_of(s, s.d.depth - 1)
    cdef const Frame* frame
    cdef list found = []
    for i in range(lowest, s.d.depth):
        frame = frame_at(s, i)
        for k in range(frame.v[ITEM_COUNT]):
            item = frame.v[ITEMS + 2 * k]
            order = class_of(s, item) if item >= 0 else 4
            if order < first:
                first = order
                found = []
            if order == first and item >= 0 and len(found) < MAX_ORDERED:
                found.append((i - lowest) * MAX_ITEMS + k)
    return found


cdef int triggers_step(StateBase s, Frame* frame, int code) except -1:
    cdef int item, bearer, k, names, player, trigger, one, two
    cdef int32_t[VALUES] scope
    cdef int32_t* numbers
    cdef list ready
    cdef Elements targets
    if frame.pc == TRIGGERS_NEXT or frame.pc == TRIGGERS_ORDERING:
        ready = waiting_items(s)
        if not ready:
            s.d.depth = lowest_of(s, s.d.depth - 1) + 1
            return pop_frame(s, frame.v[SAVED_RESULT])
        item = ready[0]
        if len(ready) > 1:
            frame.pc = TRIGGERS_ORDERING
            if code < 0:
                item = item_at(s, s.d.depth - 1, item)[0]
                return ask(s, DECISION_ORDER, s.d.priority if class_of(s, item) < 3 else 1 - s.d.priority)
            item = ready[first_argument(code)]
        frame.v[ITEM] = item
        frame.pc = TRIGGERS_OFFERED
        return 0
    numbers = item_at(s, s.d.depth - 1, frame.v[ITEM])
    bearer, k = (numbers[0] >> 8) - 1, numbers[0] & 255
    names = numbers[1]
    trigger, one, two = names >> 16, (names >> 8 & 255) - 1, (names & 255) - 1
    capacity = s.rules.capacities[specific_of(s, bearer).capacity[k]]
    new_scope(s, scope, bearer, capacity.index)
    bind_trigger(s, scope, trigger, one, two)
    player = chooser_of(s, scope)
    if frame.pc == TRIGGERS_OFFERED:
        # Its condition may no longer hold after what was resolved meanwhile.
        if answers(s, bearer, k, trigger, one, two):
            if capacity.optional and code < 0:
                return ask(s, DECISION_TRIGGER, player)
            if not capacity.optional or code == VERB_YES:
                frame.pc = TRIGGERS_RUN
                if capacity.target is not None:
                    frame.pc = TRIGGERS_ANSWER_AIMED
                    targets = targets_with_dice(s, bearer, capacity, scope)
                    ask_pick(s, DECISION_TARGET, player, targets.discs, targets.pieces, False)
                else:
                    start_answer(s, bearer, k, capacity, scope)
                return 0
        finish_item(frame, numbers)
    elif frame.pc == TRIGGERS_ANSWER_AIMED:
        frame.pc = TRIGGERS_RUN
        frame.v[ITEM_TARGET] = s.d.result
        scope[WHO_TARGET] = s.d.result
        start_answer(s, bearer, k, capacity, scope)
    else:
        finish_item(frame, numbers)
    return 0


cdef int finish_item(Frame* frame, int32_t* numbers) noexcept:
    numbers[0] = -1
    frame.v[ITEM] = -1
    frame.pc = TRIGGERS_NEXT
    return 0


cdef int start_answer(StateBase s, int bearer, int k, object capacity, int32_t* scope) except -1:
    """Pay for a capacity and run its effects; if it attacks a target, that may react first (section 6.3)."""
    if bearer >= 0:
        pay(s, bearer, s.d.specific[bearer].slot[k])
        if capacity.attack == ATTACK_KIND_FRONTAL or capacity.attack == ATTACK_KIND_RANGED:
            return start_attack(
                s, bearer, scope[WHO_TARGET], capacity.attack, s.d.specific[bearer].slot[k], False, capacity.program
            )
    scope[ATTACKING] = capacity.attack
    return run_program(s, capacity.program, scope, True)

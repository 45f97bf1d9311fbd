"""Permanent capacities that answer to what happens, and the order of what waits at the same time (OLO-GEN-02, 5.6).

A TRIGGERS frame holds the capacities that answer to events of one moment, each as two numbers: bearer (plus 1; 0 for a rule of the
agenda) and its place in the bearer's list; the event's two names (plus 1 each). Where more wait than one frame holds, full frames
lie below the one that says what comes next; together they are numbered from the lowest frame on.
"""

from libc.stdint cimport int32_t, uint64_t

from cext.geometry.board cimport FIGURES
from gamepacks.olomoc.engine.asking cimport ask_pick, first_argument
from gamepacks.olomoc.engine.attack cimport start_attack
from gamepacks.olomoc.engine.capacities cimport affordable, bind_trigger, fair_targets, pay
from gamepacks.olomoc.engine.query cimport Elements, chooser_of, count_of, fits, holds, new_scope
from gamepacks.olomoc.engine.programs cimport run_program
from gamepacks.olomoc.engine.card_rolls cimport rerolls_nothing
from gamepacks.olomoc.engine.facts cimport tag_of
from gamepacks.olomoc.engine.table cimport (
    ATTACKING, BLOC, D_ORDER, D_TARGET, D_TRIGGER, F_TRIGGERS, HOSTILE, ITEM, ITEM_COUNT, ITEM_TARGET, ITEMS, MAX_ITEMS, OFF, OUT,
    Raised, Specific, V_YES, VALUES, ask, frame_at, pop_frame, push_frame, raised_at,
)
from gamepacks.olomoc.terms cimport (
    A_FRONTAL, A_RANGED, T_CONTACT, T_CYCLE_END, T_ENTERED, T_GAME_END, T_LEFT, T_OUT, T_REACTION, T_ROLLED, T_WOUNDED, WHO_TARGET,
)

cdef enum:
    # Where the frame keeps the result that the frame below waits for.
    SAVED = 3
    NEXT = 0
    ORDERING = 1
    OFFERED = 2
    AIMED = 3
    RUN = 4
    # A full frame; the rest is in the one above.
    FULL = 5
    # FIRST can name so many; of more, the others can be named when some of these are done.
    MOST_ORDERED = 256


cdef int flush_events(OlomocTable m) except -1:
    """Gather the capacities that answer to what was raised, in one frame."""
    cdef Frame* frame = NULL
    cdef Raised* raised
    cdef int i, bearer
    for i in range(m.t.raised_count):
        raised = raised_at(m, i)
        for bearer in range(-1, FIGURES):
            if specific_of(m, bearer).triggers >> raised.trigger & 1:
                frame = gather(m, frame, raised, bearer)
    m.t.raised_count = 0
    return 0


cdef Specific* specific_of(OlomocTable m, int bearer) noexcept:
    return &m.t.agenda_rules if bearer < 0 else &m.t.specific[bearer]


cdef Frame* gather(OlomocTable m, Frame* frame, Raised* raised, int bearer) except? NULL:
    cdef Specific* specific = specific_of(m, bearer)
    cdef int k, count
    for k in range(specific.count):
        if not answers(m, bearer, k, raised.trigger, raised.one, raised.two) or under_way(m, bearer, k):
            continue
        if frame == NULL or frame.v[ITEM_COUNT] == MAX_ITEMS:
            if frame != NULL:
                frame.pc = FULL
            frame = push_frame(m, F_TRIGGERS)
            frame.v[SAVED], frame.v[ITEM] = m.t.result, -1
        count = frame.v[ITEM_COUNT]
        frame.v[ITEMS + 2 * count] = (bearer + 1) << 8 | k
        frame.v[ITEMS + 2 * count + 1] = raised.trigger << 16 | (raised.one + 1) << 8 | (raised.two + 1)
        frame.v[ITEM_COUNT] = count + 1
    return frame


cdef bint under_way(OlomocTable m, int bearer, int k) noexcept:
    """A trigger never fires for what its own resolution caused (5.6)."""
    cdef Frame* frame
    cdef int i
    for i in range(m.t.depth):
        frame = frame_at(m, i)
        if frame.kind == F_TRIGGERS and (frame.pc == AIMED or frame.pc == RUN):
            if item_at(m, i, frame.v[ITEM])[0] == ((bearer + 1) << 8 | k):
                return True
    return False


cdef int lowest_of(OlomocTable m, int height) noexcept:
    """The height of the lowest of the frames that belong to the TRIGGERS frame at a height."""
    while frame_at(m, height - 1).kind == F_TRIGGERS and frame_at(m, height - 1).pc == FULL:
        height -= 1
    return height


cdef int32_t* item_at(OlomocTable m, int height, int item) noexcept:
    """The two numbers of one of those that wait in the TRIGGERS frame at a height."""
    return &frame_at(m, lowest_of(m, height) + item // MAX_ITEMS).v[ITEMS + 2 * (item % MAX_ITEMS)]


cdef int answered(OlomocTable m, int height) noexcept:
    """The event that what is resolved in the TRIGGERS frame at a height answers to."""
    return item_at(m, height, frame_at(m, height).v[ITEM])[1] >> 16


cdef int bind_answered(OlomocTable m, int height, int32_t* scope) except -1:
    """Bind the names of that event."""
    cdef int names = item_at(m, height, frame_at(m, height).v[ITEM])[1]
    return bind_trigger(m, scope, names >> 16, (names >> 8 & 255) - 1, (names & 255) - 1)


cdef bint answers(OlomocTable m, int bearer, int k, int trigger, int one, int two) except -1:
    """Whether a capacity answers to an event: its bearer can, its condition holds, it has a use left and the tokens."""
    cdef int32_t[VALUES] scope
    cdef Specific* specific = specific_of(m, bearer)
    cdef int number = specific.capacity[k], where
    capacity = m.rules.capacities[number]
    if capacity.active or capacity.trigger != trigger or trigger == T_REACTION:
        return False
    if bearer >= 0:
        where = m.t.figure[bearer].where
        # A rouage that goes out answers to that only.
        if where == OUT:
            if not (trigger == T_OUT or trigger == T_WOUNDED) or one != bearer:
                return False
        elif where != BLOC and not (where == OFF and capacity.off_bloc):
            return False
        if not affordable(m, bearer, specific.slot[k]):
            return False
    if trigger == T_CONTACT and capacity.trigger_sel is not None:
        new_scope(m, scope, bearer, number)
        bind_trigger(m, scope, trigger, one, two)
        if not fits(m, capacity.trigger_sel, scope, two):
            return False
    if (trigger == T_ENTERED or trigger == T_LEFT) and not zone_meant(m, capacity.trigger_zone, bearer, one, two):
        return False
    new_scope(m, scope, bearer, number)
    bind_trigger(m, scope, trigger, one, two)
    if capacity.cond is not None and not holds(m, capacity.cond, scope):
        return False
    if trigger == T_ROLLED and rerolls_nothing(m, capacity.program, scope):
        return False
    return capacity.target is None or count_of(fair_targets(m, bearer, capacity, scope)) > 0


cdef bint zone_meant(OlomocTable m, int tag, int bearer, int mover, int zone) except -1:
    """The zone of a tag; without one a foe's threat zone: the bearer's, or any that the bearer enters or leaves."""
    if tag >= 0:
        return zone >= FIGURES and tag_of(m, zone) == tag
    return zone < FIGURES and (zone == bearer or mover == bearer)


# -- resolving --------------------------------------------------------------------------------------------------------

cdef int class_of(OlomocTable m, int item) noexcept:
    """Nobody's (1), the priority holder's (2), the other player's (3)."""
    cdef int bearer = (item >> 8) - 1
    if bearer < 0 or m.t.figure[bearer].player == HOSTILE:
        return 1
    return 2 if m.t.figure[bearer].player == m.t.priority else 3


cdef list waiting_items(OlomocTable m):
    """The numbers, in the TRIGGERS frame on top, of those among which the order is to be set."""
    cdef int i, k, item, order, first = 4, lowest = lowest_of(m, m.t.depth - 1)
    cdef const Frame* frame
    cdef list found = []
    for i in range(lowest, m.t.depth):
        frame = frame_at(m, i)
        for k in range(frame.v[ITEM_COUNT]):
            item = frame.v[ITEMS + 2 * k]
            order = class_of(m, item) if item >= 0 else 4
            if order < first:
                first = order
                found = []
            if order == first and item >= 0 and len(found) < MOST_ORDERED:
                found.append((i - lowest) * MAX_ITEMS + k)
    return found


cdef int triggers_step(OlomocTable m, Frame* frame, int code) except -1:
    cdef int item, bearer, k, names, player, trigger, one, two
    cdef int32_t[VALUES] scope
    cdef int32_t* numbers
    cdef list ready
    cdef Elements targets
    if frame.pc == NEXT or frame.pc == ORDERING:
        ready = waiting_items(m)
        if not ready:
            m.t.depth = lowest_of(m, m.t.depth - 1) + 1
            return pop_frame(m, frame.v[SAVED])
        item = ready[0]
        if len(ready) > 1:
            frame.pc = ORDERING
            if code < 0:
                item = item_at(m, m.t.depth - 1, item)[0]
                return ask(m, D_ORDER, m.t.priority if class_of(m, item) < 3 else 1 - m.t.priority)
            item = ready[first_argument(code)]
        frame.v[ITEM] = item
        frame.pc = OFFERED
        return 0
    numbers = item_at(m, m.t.depth - 1, frame.v[ITEM])
    bearer, k = (numbers[0] >> 8) - 1, numbers[0] & 255
    names = numbers[1]
    trigger, one, two = names >> 16, (names >> 8 & 255) - 1, (names & 255) - 1
    capacity = m.rules.capacities[specific_of(m, bearer).capacity[k]]
    new_scope(m, scope, bearer, capacity.index)
    bind_trigger(m, scope, trigger, one, two)
    player = chooser_of(m, scope)
    if frame.pc == OFFERED:
        # What was resolved meanwhile may have taken away its reason.
        if answers(m, bearer, k, trigger, one, two):
            if capacity.optional and code < 0:
                return ask(m, D_TRIGGER, player)
            if not capacity.optional or code == V_YES:
                frame.pc = RUN
                if capacity.target is not None:
                    frame.pc = AIMED
                    targets = fair_targets(m, bearer, capacity, scope)
                    ask_pick(m, D_TARGET, player, targets.discs, targets.pieces, False)
                else:
                    start(m, bearer, k, capacity, scope)
                return 0
        finish_item(frame, numbers)
    elif frame.pc == AIMED:
        frame.pc = RUN
        frame.v[ITEM_TARGET] = m.t.result
        scope[WHO_TARGET] = m.t.result
        start(m, bearer, k, capacity, scope)
    else:
        finish_item(frame, numbers)
    return 0


cdef int finish_item(Frame* frame, int32_t* numbers) noexcept:
    numbers[0] = -1
    frame.v[ITEM] = -1
    frame.pc = NEXT
    return 0


cdef int start(OlomocTable m, int bearer, int k, object capacity, int32_t* scope) except -1:
    """Pay and run the effects; what attacks a target is answered first, as where it is used (section 6.3)."""
    if bearer >= 0:
        pay(m, bearer, m.t.specific[bearer].slot[k])
        if capacity.attack == A_FRONTAL or capacity.attack == A_RANGED:
            return start_attack(
                m, bearer, scope[WHO_TARGET], capacity.attack, m.t.specific[bearer].slot[k], False, capacity.program
            )
    scope[ATTACKING] = capacity.attack
    return run_program(m, capacity.program, scope, True)

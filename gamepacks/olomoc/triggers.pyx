"""Permanent capacities that answer to what happens, and the order of what waits at the same time (OLO-GEN-02, 5.6).

A TRIGGERS frame holds the capacities that answer to events of one moment, each as two numbers: bearer (plus 1; 0 for a rule of the
agenda) and its place in the bearer's list; the event's two names (plus 1 each).
"""

from libc.stdint cimport int32_t, uint64_t

from cext.geometry.board cimport FIGURES
from gamepacks.olomoc.asking cimport ask_pick, first_argument
from gamepacks.olomoc.capacities cimport affordable, bind_trigger, capacity_targets, pay
from gamepacks.olomoc.query cimport Elements, chooser_of, count_of, fits, holds, new_scope
from gamepacks.olomoc.programs cimport run_program
from gamepacks.olomoc.card_rolls cimport rerolls_nothing
from gamepacks.olomoc.facts cimport tag_of
from gamepacks.olomoc.table cimport (
    ATTACKING, BLOC, D_ORDER, D_TARGET, D_TRIGGER, F_TRIGGERS, HOSTILE, ITEM, ITEM_COUNT, ITEM_TARGET, ITEMS, MAX_FRAMES,
    MAX_ITEMS, OFF, OUT, Raised, Specific, V_YES, VALUES, ask, pop_frame, push_frame, top,
)
from gamepacks.olomoc.terms cimport (
    T_CONTACT, T_CYCLE_END, T_ENTERED, T_GAME_END, T_LEFT, T_OUT, T_REACTION, T_ROLLED, T_WOUNDED, WHO_TARGET,
)

cdef enum:
    # Where the frame keeps the result that the frame below waits for.
    SAVED = 3
    NEXT = 0
    ORDERING = 1
    OFFERED = 2
    AIMED = 3
    RUN = 4
    # Frames that must be left for what a trigger does.
    ROOM = 24


cdef int flush_events(OlomocTable m) except -1:
    """Gather the capacities that answer to what was raised, in one frame."""
    cdef Frame* frame = NULL
    cdef Raised* raised
    cdef int i, bearer
    for i in range(m.t.raised_count):
        raised = &m.t.raised[i]
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
        if frame == NULL:
            if m.t.depth > MAX_FRAMES - ROOM:
                return NULL
            frame = push_frame(m, F_TRIGGERS)
            frame.v[SAVED], frame.v[ITEM] = m.t.result, -1
        count = frame.v[ITEM_COUNT]
        if count == MAX_ITEMS:
            return frame
        frame.v[ITEMS + 2 * count] = (bearer + 1) << 8 | k
        frame.v[ITEMS + 2 * count + 1] = raised.trigger << 16 | (raised.one + 1) << 8 | (raised.two + 1)
        frame.v[ITEM_COUNT] = count + 1
    return frame


cdef bint under_way(OlomocTable m, int bearer, int k) noexcept:
    """A trigger never fires for what its own resolution caused (5.6)."""
    cdef int i, item
    for i in range(m.t.depth):
        if m.t.frame[i].kind == F_TRIGGERS and m.t.frame[i].v[ITEM] >= 0:
            item = m.t.frame[i].v[ITEM]
            if m.t.frame[i].v[ITEMS + 2 * item] == ((bearer + 1) << 8 | k) and m.t.frame[i].pc >= AIMED:
                return True
    return False


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
    return capacity.target is None or count_of(capacity_targets(m, bearer, capacity, scope)) > 0


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


cdef list waiting_items(OlomocTable m, const Frame* frame):
    """The places, in the frame, of those among which the order is to be set."""
    cdef int i, order, first = 4
    cdef list found = []
    for i in range(frame.v[ITEM_COUNT]):
        if frame.v[ITEMS + 2 * i] < 0:
            continue
        order = class_of(m, frame.v[ITEMS + 2 * i])
        if order < first:
            first = order
            found = []
        if order == first:
            found.append(i)
    return found


cdef int triggers_step(OlomocTable m, Frame* frame, int code) except -1:
    cdef int item, bearer, k, names, player, trigger, one, two
    cdef int32_t[VALUES] scope
    cdef list ready
    cdef Elements targets
    if frame.pc == NEXT or frame.pc == ORDERING:
        ready = waiting_items(m, frame)
        if not ready:
            pop_frame(m, frame.v[SAVED])
            return 0
        item = ready[0]
        if len(ready) > 1:
            frame.pc = ORDERING
            if code < 0:
                item = frame.v[ITEMS + 2 * item]
                return ask(m, D_ORDER, m.t.priority if class_of(m, item) < 3 else 1 - m.t.priority)
            item = ready[first_argument(code)]
        frame.v[ITEM] = item
        frame.pc = OFFERED
        return 0
    item = frame.v[ITEM]
    bearer, k = (frame.v[ITEMS + 2 * item] >> 8) - 1, frame.v[ITEMS + 2 * item] & 255
    names = frame.v[ITEMS + 2 * item + 1]
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
                    targets = capacity_targets(m, bearer, capacity, scope)
                    ask_pick(m, D_TARGET, player, targets.discs, targets.pieces, False)
                else:
                    start(m, bearer, k, capacity, scope)
                return 0
        finish_item(frame, item)
    elif frame.pc == AIMED:
        frame.pc = RUN
        frame.v[ITEM_TARGET] = m.t.result
        scope[WHO_TARGET] = m.t.result
        start(m, bearer, k, capacity, scope)
    else:
        finish_item(frame, item)
    return 0


cdef int finish_item(Frame* frame, int item) noexcept:
    frame.v[ITEMS + 2 * item] = -1
    frame.v[ITEM] = -1
    frame.pc = NEXT
    return 0


cdef int start(OlomocTable m, int bearer, int k, object capacity, int32_t* scope) except -1:
    """Pay and run the effects."""
    if bearer >= 0:
        pay(m, bearer, m.t.specific[bearer].slot[k])
    scope[ATTACKING] = capacity.attack
    return run_program(m, capacity.program, scope, True)

# Capacities: their conditions and costs, the generic capacities, and those that are triggered.

# -- use of capacities -------------------------------------------------------------------------------------------------
# Using capacities: what may be used, what it costs, and the generic ones (OLO-CAP, REST, MARCH, ATT, CHARGE, STUN).

# What a capacity frame waits for.
cdef enum:
    CAPACITY_STARTED = 0
    CAPACITY_RESTING = 1
    CAPACITY_GOING = 2
    CAPACITY_AIMED = 4
    CAPACITY_CHARGING = 5
    CAPACITY_CHARGED = 6
    CAPACITY_ENTERED_NOW = 7
    CAPACITY_USED_NOW = 8
    CAPACITY_FINISHED = 9


cdef int capacity_at(StateBase m, int figure, int slot) except -2:
    """The specific capacity that a figure has at a slot of USE; -1 for none."""
    cdef int i
    for i in range(m.t.specific[figure].count):
        if m.t.specific[figure].slot[i] == slot:
            return m.t.specific[figure].capacity[i]
    return -1


cdef int bit_of(StateBase m, int figure, int slot) except -2:
    """A capacity as in ``Node.caps``."""
    return slot if slot < SPECIFIC else SPECIFIC + capacity_at(m, figure, slot)


cdef int cost_of(StateBase m, int figure, int slot) except -1:
    """Tokens that a use costs (OLO-CAP-03, 04); hostiles pay none (OLO-HOST-04). Entering is no capacity: nothing makes it free."""
    if slot == USE_ENTER:
        return 1
    if is_hostile(m, figure) or costs_nothing(m, figure, bit_of(m, figure, slot)):
        return 0
    if slot == USE_REST:
        return m.rules.rest_ap
    if slot == USE_MARCH:
        return m.rules.march_ap
    if slot == USE_CHARGE:
        return m.rules.charge_ap
    return 1 if slot < SPECIFIC else m.rules.capacities[capacity_at(m, figure, slot)].cost_ap


cdef int pay(StateBase m, int figure, int slot) except -1:
    """Pay for a use and count it (OLO-CAP-02 to 04)."""
    cdef Figure* f = &m.t.figure[figure]
    cdef int tokens = cost_of(m, figure, slot), noirceur = 0, i
    if slot >= SPECIFIC:
        capacity = m.rules.capacities[capacity_at(m, figure, slot)]
        if not costs_nothing(m, figure, bit_of(m, figure, slot)):
            noirceur = capacity.cost_noirceur
        f.uses[slot] = min(255, f.uses[slot] + 1)
        if capacity.attack != NO_ATTACK:
            f.attacks += 1
    f.used[slot] = min(255, f.used[slot] + 1)
    note(m, EVENT_CAPACITY_USED, figure, slot, tokens, noirceur)
    change_ap(m, figure, -tokens, CHANGE_CAUSE_COST, bit_of(m, figure, slot))
    for i in range(noirceur):
        receive_noirceur(m, figure, CHANGE_CAUSE_COST, bit_of(m, figure, slot))
    return 0


cdef bint affordable(StateBase m, int figure, int slot) except -1:
    """Whether a specific capacity has a use left and the tokens for it are there (OLO-CAP-02, 03, 06)."""
    cdef Figure* f = &m.t.figure[figure]
    cdef int bit = bit_of(m, figure, slot)
    capacity = m.rules.capacities[bit - SPECIFIC]
    if f.ap < cost_of(m, figure, slot) or forbidden(m, figure, bit):
        return False
    if capacity.attack != NO_ATTACK and f.attacks >= TOP_LIMIT + more_uses(m, figure, bit):
        return False
    return capacity.freq == 0 or f.uses[slot] < <int> capacity.freq + more_uses(m, figure, bit)


# -- may it be used? ------------------------------------------------------------------------------------------------------

cdef bint usable(StateBase m, int figure, int slot) except -1:
    """Whether an active figure may use a capacity now, with a target, a roll and a place (OLO-CAP-05, 08)."""
    return why_unusable(m, figure, slot) is None


cdef object why_unusable(StateBase m, int figure, int slot):
    """The reason and the sentence why a capacity may not be used; None if it may."""
    cdef Figure* f = &m.t.figure[figure]
    cdef int bit, limit
    cdef bint off = f.where == PLACE_OFF
    if slot >= SPECIFIC:
        return why_not_specific(m, figure, slot)
    if slot != USE_ENTER and slot > USE_CHARGE:
        return Reason.NO_SUCH_CAPACITY, "it is no active capacity"
    if slot == USE_ENTER:
        if m.rules.enter_first or not off:
            return Reason.NO_SUCH_CAPACITY, "entering is no choice here (OLO-ENTER-01)"
        if f.ap < 1:
            return Reason.TOO_FEW_TOKENS, "entering costs a token (OLO-ENTER-01)"
        return None if could_enter(m, figure) else (Reason.NO_TARGET, "there is no place to enter (OLO-ENTER-02)")
    if off:
        return Reason.OFF_BLOC, "a rouage off the board cannot do that (OLO-CAP-09)"
    if stunned(m, figure) and slot != USE_REST:
        return Reason.STUNNED, "a stunned rouage can only rest (OLO-STUN-02)"
    if f.ap < cost_of(m, figure, slot):
        return Reason.TOO_FEW_TOKENS, f"it costs {cost_of(m, figure, slot)} tokens, and there are {f.ap} (OLO-CAP-03)"
    if forbidden(m, figure, slot):
        return Reason.FORBIDDEN, "an effect forbids it"
    if slot == USE_REST:
        limit = m.rules.rest_limit
        if limit and f.used[USE_REST] >= limit + more_uses(m, figure, USE_REST):
            return Reason.USED_UP, "it was used as often as the phase allows (OLO-CAP-02)"
        found = []
        push_rests(m, figure, found)
        return None if found else (Reason.NO_TARGET, "there is nothing to be removed (OLO-REST-02)")
    if (slot == USE_MARCH or slot == USE_CHARGE) and f.marches >= TOP_LIMIT + more_uses(m, figure, slot):
        return Reason.USED_UP, "two marches in a phase at most (OLO-MARCH-01)"
    if slot != USE_MARCH and f.attacks >= TOP_LIMIT + more_uses(m, figure, slot):
        return Reason.USED_UP, "two attacks in a phase at most (OLO-ATT-01)"
    if slot == USE_MARCH:
        return None if could_move(m, figure) else (Reason.NO_TARGET, "there is no place to march to (OLO-MOVE-02)")
    if slot == USE_RANGED:
        if stat_of(m, figure, 2) == 0:
            return Reason.NO_TARGET, "the Shooting is 0 (OLO-GEN-08)"
        if engaged(m, figure) and not lifted(m, figure, slot, IGNORE_FREE):
            return Reason.NOT_FREE, "an engaged rouage cannot shoot (OLO-SHOT-01)"
        return None if ranged_targets(m, figure, slot) else (Reason.NO_TARGET, "there is no target (OLO-SHOT-02, 06)")
    if stat_of(m, figure, 1) == 0:
        return Reason.NO_TARGET, "the Combat is 0 (OLO-GEN-08)"
    if slot == USE_FRONTAL:
        return None if frontal_targets(m, figure, slot) else (Reason.NO_TARGET, "there is no target (OLO-ATT-02)")
    if m.rules.charge_limit and f.used[USE_CHARGE] >= m.rules.charge_limit + more_uses(m, figure, slot):
        return Reason.USED_UP, "it was used as often as the phase allows (OLO-CAP-02)"
    if engaged(m, figure) and not lifted(m, figure, slot, IGNORE_FREE):
        return Reason.NOT_FREE, "an engaged rouage cannot charge (OLO-CHARGE-01)"
    return None if any_charge(m, figure, slot) else (Reason.NO_TARGET, "there is nobody to be charged (OLO-CHARGE-04)")


cdef object why_not_specific(StateBase m, int figure, int slot):
    cdef Figure* f = &m.t.figure[figure]
    cdef int32_t[VALUES] scope
    cdef int number = capacity_at(m, figure, slot)
    if number < 0:
        return Reason.NO_SUCH_CAPACITY, "it has no such capacity"
    capacity = m.rules.capacities[number]
    if not capacity.active:
        return Reason.NO_SUCH_CAPACITY, "it is a permanent capacity (OLO-CAP-05)"
    if f.where == PLACE_OFF and not capacity.off_bloc:
        return Reason.OFF_BLOC, "a rouage off the board cannot do that (OLO-CAP-09)"
    if stunned(m, figure):
        return Reason.STUNNED, "a stunned rouage can only rest (OLO-STUN-02)"
    if not affordable(m, figure, slot):
        if f.ap < cost_of(m, figure, slot):
            return Reason.TOO_FEW_TOKENS, f"it costs {cost_of(m, figure, slot)} tokens (OLO-CAP-03)"
        if forbidden(m, figure, SPECIFIC + number):
            return Reason.FORBIDDEN, "an effect forbids it"
        return Reason.USED_UP, "it was used as often as allowed, or two attacks were made (OLO-CAP-02, 06)"
    new_scope(m, scope, figure, number)
    if capacity.cond is not None and not holds(m, capacity.cond, scope):
        return Reason.NO_TARGET, "its condition does not hold"
    if capacity.target is not None and not count_of(fair_targets(m, figure, capacity, scope)):
        return Reason.NO_TARGET, "there is no target (OLO-CAP-08, OLO-ROLL-08)"
    for node in m.rules.programs[capacity.program]:
        if own_roll(node) and node.of != WHO_TARGET and not dice_against(m, figure, node, number, -1):
            return Reason.NO_TARGET, "there is no die to be rolled (OLO-GEN-08, OLO-ROLL-08)"
        if node.op == OP_MOVE and not goes_somewhere(m, figure, node, scope):
            return Reason.NO_TARGET, "there is no place to go to (OLO-CAP-08)"
    return None


cdef bint own_roll(object node) except -1:
    """Whether an effect is a roll of the bearer's."""
    return node.op == OP_ROLL and node.who == WHO_SELF


cdef bint dice_against(StateBase m, int figure, object node, int capacity, int target) except -1:
    """Whether a roll of a capacity would have a die; ``target`` -1: whatever it is against."""
    return has_dice(m, figure, node.stat, ROLE_ATTACKER, SPECIFIC + capacity, target, False)


cdef bint goes_somewhere(StateBase m, int figure, object node, int32_t* scope) except -1:
    """Whether the bearer could go where a move of its own sends it; what is not known yet is no hindrance."""
    cdef Frame frame
    cdef int about = node.of
    if node.who != WHO_SELF or node.up_to or not on_bloc(m, figure) or about >= 0 and not exists(m, scope[about]):
        return True
    simple_frame(&frame, MOVE, figure)
    frame.v[RULERS], frame.v[WORD], frame.v[REFERENCE] = node.way, node.direction, scope[about] if about >= 0 else -1
    return any_end(m, &frame)


cdef Elements capacity_targets(StateBase m, int figure, object capacity, int32_t* scope) except *:
    """The elements that a specific capacity may target (OLO-LOS-05)."""
    cdef Elements found = select(m, capacity.target, scope)
    cdef uint64_t left
    cdef int i
    if capacity.target_sight and figure >= 0:
        left = found.discs
        while left:
            i = lowest(left)
            left &= left - 1
            if not sees(m, figure, i):
                found.discs &= ~(<uint64_t> 1 << i)
        left = found.pieces
        while left:
            i = lowest(left)
            left &= left - 1
            if not sees(m, figure, DISCS + i):
                found.pieces &= ~(<uint64_t> 1 << i)
    return narrowed(m, capacity.target, scope, found)


cdef Elements fair_targets(StateBase m, int figure, object capacity, int32_t* scope) except *:
    """The targets against which at least one die is left, if the capacity rolls against its target (OLO-GEN-08, OLO-ROLL-08)."""
    cdef Elements found = capacity_targets(m, figure, capacity, scope), left
    cdef int i
    if figure < 0:
        return found
    for node in m.rules.programs[capacity.program]:
        if own_roll(node) and node.of == WHO_TARGET:
            left = found
            while left.discs:
                i = lowest(left.discs)
                left.discs &= left.discs - 1
                if not dice_against(m, figure, node, capacity.index, i):
                    found.discs &= ~(<uint64_t> 1 << i)
            while left.pieces:
                i = lowest(left.pieces)
                left.pieces &= left.pieces - 1
                if not dice_against(m, figure, node, capacity.index, DISCS + i):
                    found.pieces &= ~(<uint64_t> 1 << i)
    return found


cdef bint may_use_trigger(StateBase m, int figure, int slot, int trigger, int one, int two) except -1:
    """Whether a permanent capacity of a figure answers to a trigger, its condition and cost included."""
    cdef int32_t[VALUES] scope
    cdef int number = capacity_at(m, figure, slot)
    if number < 0:
        return False
    capacity = m.rules.capacities[number]
    if capacity.active or capacity.trigger != trigger or m.t.starting or not affordable(m, figure, slot):
        return False
    if trigger == TRIGGER_REACTION and stunned(m, figure) or m.t.figure[figure].where != PLACE_BLOC and not capacity.off_bloc:
        return False
    new_scope(m, scope, figure, number)
    bind_trigger(m, scope, trigger, one, two)
    if capacity.cond is not None and not holds(m, capacity.cond, scope):
        return False
    return capacity.target is None or count_of(fair_targets(m, figure, capacity, scope)) > 0


cdef int bind_trigger(StateBase m, int32_t* scope, int trigger, int one, int two) except -1:
    """Bind the names of a trigger (section 6.7)."""
    if trigger in (TRIGGER_ATTACK_DECLARED, TRIGGER_REACTION, TRIGGER_ROLLED, TRIGGER_ATTACK_END):
        scope[WHO_ATTACKER], scope[WHO_DEFENDER] = one, two
    elif trigger in (TRIGGER_WOUNDED, TRIGGER_OUT):
        scope[WHO_VICTIM], scope[WHO_KILLER] = one, two
    elif trigger in (TRIGGER_NOIRCEUR, TRIGGER_STUNNED):
        scope[WHO_VICTIM] = one
    elif trigger == TRIGGER_COORDINATED:
        scope[WHO_MAIN], scope[WHO_MOVER] = one, two
    elif trigger == TRIGGER_MECHANISM:
        scope[CAUSE] = one
    else:
        scope[WHO_MOVER] = one
    return 0


cdef int push_rests(StateBase m, int figure, list found) except -1:
    """The options of a Rest (OLO-REST-01); a stunned rouage has only its own stun (OLO-STUN-02)."""
    cdef bint blind = lifted(m, figure, USE_REST, IGNORE_SIGHT)
    cdef int i
    for i in range(FIGURES):
        if m.t.figure[i].player != m.t.figure[figure].player or not on_bloc(m, i):
            continue
        if i != figure and (stunned(m, figure) or not within(m, figure, i, INCH) or not (blind or sees(m, figure, i))):
            continue
        if m.t.figure[i].noirceur and not stunned(m, figure):
            found.append(VERB_REST | i << FIRST_SHIFT)
        if stunned(m, i):
            found.append(VERB_REST | i << FIRST_SHIFT | 1 << SECOND_SHIFT)
    return 0


# -- using it -------------------------------------------------------------------------------------------------------------

cdef int use(StateBase m, int figure, int slot) except -1:
    """Use an active capacity: pay, count, and go on to what it asks (OLO-GEN-06)."""
    cdef Frame* frame = push_frame(m, F_CAPACITY)
    cdef Figure* f = &m.t.figure[figure]
    frame.v[USER], frame.v[SLOT], frame.v[TARGET] = figure, slot, -1
    if slot == USE_MARCH or slot == USE_CHARGE:
        f.marches += 1
    if slot == USE_FRONTAL or slot == USE_RANGED or slot == USE_CHARGE:
        f.attacks += 1
    pay(m, figure, slot)
    return 0


cdef int capacity_step(StateBase m, Frame* frame, int code) except -1:
    cdef int figure = frame.v[USER], slot = frame.v[SLOT], pc = frame.pc, player = decider(m, figure), place
    if pc == CAPACITY_STARTED:
        return start(m, frame)
    if pc == CAPACITY_RESTING:
        if code < 0:
            return ask(m, DECISION_REST, player)
        frame.pc = CAPACITY_USED_NOW
        if second_argument(code):
            set_state(m, first_argument(code), second_argument(code), False)
        else:
            lose_noirceur(m, first_argument(code), 1, CHANGE_CAUSE_REST)
    elif pc == CAPACITY_GOING:
        frame.pc = CAPACITY_USED_NOW
        if m.t.result >= 0:
            start_move(m, figure, m.t.result)
    elif pc == CAPACITY_AIMED:
        aim(m, frame, m.t.result)
    elif pc == CAPACITY_CHARGING:
        if code < 0:
            return ask(m, DECISION_CHARGE, player)
        frame.pc = CAPACITY_CHARGED
        frame.v[TARGET] = code >> POINT_BITS & 15
        start_move(m, figure, code & POINT_MASK)
    elif pc == CAPACITY_CHARGED:
        frame.pc = CAPACITY_USED_NOW
        if on_bloc(m, figure):
            start_attack(m, figure, frame.v[TARGET], ATTACK_KIND_FRONTAL, slot, True, -1)
    elif pc == CAPACITY_ENTERED_NOW:
        frame.pc = CAPACITY_USED_NOW
        if m.t.result >= 0:
            relocate(m, figure, m.t.result, MOVEMENT_MOVE)
    elif pc == CAPACITY_USED_NOW:
        frame.pc = CAPACITY_FINISHED
        raise_event(m, TRIGGER_USED, figure, -1)
    else:
        pop_frame(m, 1)
    return 0


cdef int start(StateBase m, Frame* frame) except -1:
    """The first question of a capacity."""
    cdef int figure = frame.v[USER], slot = frame.v[SLOT], player = decider(m, figure)
    cdef int32_t[VALUES] scope
    cdef Elements targets
    if slot == USE_REST:
        frame.pc = CAPACITY_RESTING
    elif slot == USE_MARCH:
        frame.pc = CAPACITY_GOING
        ask_go(m, MOVE, figure, DECISION_GO, player)
    elif slot == USE_ENTER:
        frame.pc = CAPACITY_ENTERED_NOW
        ask_go(m, ENTER, figure, DECISION_ENTER, player)
        top(m).v[ABOUT] = m.t.line[player]
    elif slot == USE_CHARGE:
        frame.pc = CAPACITY_CHARGING
    elif slot == USE_FRONTAL:
        frame.pc = CAPACITY_AIMED
        ask_pick(m, DECISION_TARGET, player, frontal_targets(m, figure, slot), 0, False)
    elif slot == USE_RANGED:
        frame.pc = CAPACITY_AIMED
        ask_pick(m, DECISION_TARGET, player, ranged_targets(m, figure, slot), 0, False)
    else:
        capacity = m.rules.capacities[capacity_at(m, figure, slot)]
        if capacity.target is None:
            return aim(m, frame, -1)
        new_scope(m, scope, figure, capacity.index)
        targets = fair_targets(m, figure, capacity, scope)
        # What was received as its cost may have changed who fits.
        if not count_of(targets):
            frame.pc = CAPACITY_USED_NOW
            return 0
        if targets.discs:
            targets.discs = wanted_by_instinct(m, figure, targets.discs)
        frame.pc = CAPACITY_AIMED
        ask_pick(m, DECISION_TARGET, player, targets.discs, targets.pieces, False)
    return 0


cdef int aim(StateBase m, Frame* frame, int target) except -1:
    """The target is known: attack, or run the effects."""
    cdef int figure = frame.v[USER], slot = frame.v[SLOT]
    cdef int32_t[VALUES] scope
    frame.pc = CAPACITY_USED_NOW
    frame.v[TARGET] = target
    if slot == USE_FRONTAL or slot == USE_RANGED:
        return start_attack(m, figure, target, ATTACK_KIND_FRONTAL if slot == USE_FRONTAL else ATTACK_KIND_RANGED, slot, False, -1)
    capacity = m.rules.capacities[capacity_at(m, figure, slot)]
    if capacity.attack == ATTACK_KIND_FRONTAL or capacity.attack == ATTACK_KIND_RANGED:
        return start_attack(m, figure, target, capacity.attack, slot, False, capacity.program)
    new_scope(m, scope, figure, capacity.index)
    scope[WHO_TARGET] = target
    scope[ATTACKING] = capacity.attack
    return run_program(m, capacity.program, scope, True)


# -- triggers ----------------------------------------------------------------------------------------------------------
# Permanent capacities that answer to what happens, and the order of what waits at the same time (OLO-GEN-02, 5.6).
#
# A TRIGGERS frame holds the capacities that answer to events of one moment, each as two numbers: bearer (plus 1; 0 for a rule of the
# agenda) and its place in the bearer's list; the event's two names (plus 1 each). Where more wait than one frame holds, full frames
# lie below the one that says what comes next; together they are numbered from the lowest frame on.

cdef enum:
    # Where the frame keeps the result that the frame below waits for.
    SAVED = 3
    TRIGGERS_NEXT = 0
    TRIGGERS_ORDERING = 1
    TRIGGERS_OFFERED = 2
    TRIGGERS_ANSWER_AIMED = 3
    TRIGGERS_RUN = 4
    # A full frame; the rest is in the one above.
    TRIGGERS_FULL = 5
    # FIRST can name so many; of more, the others can be named when some of these are done.
    MOST_ORDERED = 256


cdef int flush_events(StateBase m) except -1:
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


cdef Specific* specific_of(StateBase m, int bearer) noexcept:
    return &m.t.agenda_rules if bearer < 0 else &m.t.specific[bearer]


cdef Frame* gather(StateBase m, Frame* frame, Raised* raised, int bearer) except? NULL:
    cdef Specific* specific = specific_of(m, bearer)
    cdef int k, count
    for k in range(specific.count):
        if not answers(m, bearer, k, raised.trigger, raised.one, raised.two) or under_way(m, bearer, k):
            continue
        if frame == NULL or frame.v[ITEM_COUNT] == MAX_ITEMS:
            if frame != NULL:
                frame.pc = TRIGGERS_FULL
            frame = push_frame(m, F_TRIGGERS)
            frame.v[SAVED], frame.v[ITEM] = m.t.result, -1
        count = frame.v[ITEM_COUNT]
        frame.v[ITEMS + 2 * count] = (bearer + 1) << 8 | k
        frame.v[ITEMS + 2 * count + 1] = raised.trigger << 16 | (raised.one + 1) << 8 | (raised.two + 1)
        frame.v[ITEM_COUNT] = count + 1
    return frame


cdef bint under_way(StateBase m, int bearer, int k) noexcept:
    """A trigger never fires for what its own resolution caused (5.6)."""
    cdef Frame* frame
    cdef int i
    for i in range(m.t.depth):
        frame = frame_at(m, i)
        if frame.kind == F_TRIGGERS and (frame.pc == TRIGGERS_ANSWER_AIMED or frame.pc == TRIGGERS_RUN):
            if item_at(m, i, frame.v[ITEM])[0] == ((bearer + 1) << 8 | k):
                return True
    return False


cdef int lowest_of(StateBase m, int height) noexcept:
    """The height of the lowest of the frames that belong to the TRIGGERS frame at a height."""
    while frame_at(m, height - 1).kind == F_TRIGGERS and frame_at(m, height - 1).pc == TRIGGERS_FULL:
        height -= 1
    return height


cdef int32_t* item_at(StateBase m, int height, int item) noexcept:
    """The two numbers of one of those that wait in the TRIGGERS frame at a height."""
    return &frame_at(m, lowest_of(m, height) + item // MAX_ITEMS).v[ITEMS + 2 * (item % MAX_ITEMS)]


cdef int answered(StateBase m, int height) noexcept:
    """The event that what is resolved in the TRIGGERS frame at a height answers to."""
    return item_at(m, height, frame_at(m, height).v[ITEM])[1] >> 16


cdef int bind_answered(StateBase m, int height, int32_t* scope) except -1:
    """Bind the names of that event."""
    cdef int names = item_at(m, height, frame_at(m, height).v[ITEM])[1]
    return bind_trigger(m, scope, names >> 16, (names >> 8 & 255) - 1, (names & 255) - 1)


cdef bint answers(StateBase m, int bearer, int k, int trigger, int one, int two) except -1:
    """Whether a capacity answers to an event: its bearer can, its condition holds, it has a use left and the tokens."""
    cdef int32_t[VALUES] scope
    cdef Specific* specific = specific_of(m, bearer)
    cdef int number = specific.capacity[k], where
    capacity = m.rules.capacities[number]
    if capacity.active or capacity.trigger != trigger or trigger == TRIGGER_REACTION:
        return False
    if bearer >= 0:
        where = m.t.figure[bearer].where
        # A rouage that goes out answers to that only.
        if where == PLACE_OUT:
            if not (trigger == TRIGGER_OUT or trigger == TRIGGER_WOUNDED) or one != bearer:
                return False
        elif where != PLACE_BLOC and not (where == PLACE_OFF and capacity.off_bloc):
            return False
        if not affordable(m, bearer, specific.slot[k]):
            return False
    if trigger == TRIGGER_CONTACT and capacity.trigger_sel is not None:
        new_scope(m, scope, bearer, number)
        bind_trigger(m, scope, trigger, one, two)
        if not fits(m, capacity.trigger_sel, scope, two):
            return False
    if (trigger == TRIGGER_ENTERED or trigger == TRIGGER_LEFT) and not zone_meant(m, capacity.trigger_zone, bearer, one, two):
        return False
    new_scope(m, scope, bearer, number)
    bind_trigger(m, scope, trigger, one, two)
    if capacity.cond is not None and not holds(m, capacity.cond, scope):
        return False
    if trigger == TRIGGER_ROLLED and rerolls_nothing(m, capacity.program, scope):
        return False
    return capacity.target is None or count_of(fair_targets(m, bearer, capacity, scope)) > 0


cdef bint zone_meant(StateBase m, int tag, int bearer, int mover, int zone) except -1:
    """The zone of a tag; without one a foe's threat zone: the bearer's, or any that the bearer enters or leaves."""
    if tag >= 0:
        return zone >= FIGURES and tag_of(m, zone) == tag
    return zone < FIGURES and (zone == bearer or mover == bearer)


# -- resolving --------------------------------------------------------------------------------------------------------

cdef int class_of(StateBase m, int item) noexcept:
    """Nobody's (1), the priority holder's (2), the other player's (3)."""
    cdef int bearer = (item >> 8) - 1
    if bearer < 0 or m.t.figure[bearer].player == HOSTILE:
        return 1
    return 2 if m.t.figure[bearer].player == m.t.priority else 3


cdef list waiting_items(StateBase m):
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


cdef int triggers_step(StateBase m, Frame* frame, int code) except -1:
    cdef int item, bearer, k, names, player, trigger, one, two
    cdef int32_t[VALUES] scope
    cdef int32_t* numbers
    cdef list ready
    cdef Elements targets
    if frame.pc == TRIGGERS_NEXT or frame.pc == TRIGGERS_ORDERING:
        ready = waiting_items(m)
        if not ready:
            m.t.depth = lowest_of(m, m.t.depth - 1) + 1
            return pop_frame(m, frame.v[SAVED])
        item = ready[0]
        if len(ready) > 1:
            frame.pc = TRIGGERS_ORDERING
            if code < 0:
                item = item_at(m, m.t.depth - 1, item)[0]
                return ask(m, DECISION_ORDER, m.t.priority if class_of(m, item) < 3 else 1 - m.t.priority)
            item = ready[first_argument(code)]
        frame.v[ITEM] = item
        frame.pc = TRIGGERS_OFFERED
        return 0
    numbers = item_at(m, m.t.depth - 1, frame.v[ITEM])
    bearer, k = (numbers[0] >> 8) - 1, numbers[0] & 255
    names = numbers[1]
    trigger, one, two = names >> 16, (names >> 8 & 255) - 1, (names & 255) - 1
    capacity = m.rules.capacities[specific_of(m, bearer).capacity[k]]
    new_scope(m, scope, bearer, capacity.index)
    bind_trigger(m, scope, trigger, one, two)
    player = chooser_of(m, scope)
    if frame.pc == TRIGGERS_OFFERED:
        # What was resolved meanwhile may have taken away its reason.
        if answers(m, bearer, k, trigger, one, two):
            if capacity.optional and code < 0:
                return ask(m, DECISION_TRIGGER, player)
            if not capacity.optional or code == VERB_YES:
                frame.pc = TRIGGERS_RUN
                if capacity.target is not None:
                    frame.pc = TRIGGERS_ANSWER_AIMED
                    targets = fair_targets(m, bearer, capacity, scope)
                    ask_pick(m, DECISION_TARGET, player, targets.discs, targets.pieces, False)
                else:
                    start_answer(m, bearer, k, capacity, scope)
                return 0
        finish_item(frame, numbers)
    elif frame.pc == TRIGGERS_ANSWER_AIMED:
        frame.pc = TRIGGERS_RUN
        frame.v[ITEM_TARGET] = m.t.result
        scope[WHO_TARGET] = m.t.result
        start_answer(m, bearer, k, capacity, scope)
    else:
        finish_item(frame, numbers)
    return 0


cdef int finish_item(Frame* frame, int32_t* numbers) noexcept:
    numbers[0] = -1
    frame.v[ITEM] = -1
    frame.pc = TRIGGERS_NEXT
    return 0


cdef int start_answer(StateBase m, int bearer, int k, object capacity, int32_t* scope) except -1:
    """Pay and run the effects; what attacks a target is answered first, as where it is used (section 6.3)."""
    if bearer >= 0:
        pay(m, bearer, m.t.specific[bearer].slot[k])
        if capacity.attack == ATTACK_KIND_FRONTAL or capacity.attack == ATTACK_KIND_RANGED:
            return start_attack(
                m, bearer, scope[WHO_TARGET], capacity.attack, m.t.specific[bearer].slot[k], False, capacity.program
            )
    scope[ATTACKING] = capacity.attack
    return run_program(m, capacity.program, scope, True)

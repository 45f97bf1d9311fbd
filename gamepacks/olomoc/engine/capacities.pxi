# Capacities: their costs and conditions, and their use (OLO-CAP, REST, MARCH, ATT, CHARGE, STUN).

# Stages of a capacity frame.
cdef enum:
    CAPACITY_STARTED = 0
    CAPACITY_RESTING = 1
    CAPACITY_GOING = 2
    CAPACITY_AIMED = 4
    CAPACITY_CHARGING = 5
    CAPACITY_CHARGED = 6
    CAPACITY_ENTERING = 7
    CAPACITY_CARRIED_OUT = 8
    CAPACITY_FINISHED = 9


cdef int capacity_at(StateBase s, int figure, int slot) except -2:
    """The specific capacity that a figure has at a slot of USE; -1 for none."""
    cdef int i
    for i in range(s.d.specific[figure].count):
        if s.d.specific[figure].slot[i] == slot:
            return s.d.specific[figure].capacity[i]
    return -1


cdef int bit_of(StateBase s, int figure, int slot) except -2:
    """The bit number of a capacity, as in ``Node.caps``."""
    return slot if slot < SPECIFIC else SPECIFIC + capacity_at(s, figure, slot)


cdef int cost_of(StateBase s, int figure, int slot) except -1:
    """Tokens that a use costs (OLO-CAP-03, 04); hostiles pay none (OLO-HOST-04). Entering is not a capacity: no effect makes it free."""
    if slot == USE_ENTER:
        return 1
    if is_hostile(s, figure) or costs_nothing(s, figure, bit_of(s, figure, slot)):
        return 0
    if slot == USE_REST:
        return s.rules.rest_ap
    if slot == USE_MARCH:
        return s.rules.march_ap
    if slot == USE_CHARGE:
        return s.rules.charge_ap
    return 1 if slot < SPECIFIC else s.rules.capacities[capacity_at(s, figure, slot)].cost_ap


cdef int pay(StateBase s, int figure, int slot) except -1:
    """Pay for a use and count it (OLO-CAP-02 to 04)."""
    cdef Figure* f = &s.d.figure[figure]
    cdef int tokens = cost_of(s, figure, slot), noirceur = 0, i
    if slot >= SPECIFIC:
        capacity = s.rules.capacities[capacity_at(s, figure, slot)]
        if not costs_nothing(s, figure, bit_of(s, figure, slot)):
            noirceur = capacity.cost_noirceur
        f.uses[slot] = min(255, f.uses[slot] + 1)
        if capacity.attack != NO_ATTACK:
            f.attacks += 1
    f.used[slot] = min(255, f.used[slot] + 1)
    add_trace(s, EVENT_CAPACITY_USED, figure, slot, tokens, noirceur)
    change_ap(s, figure, -tokens, CHANGE_CAUSE_COST, bit_of(s, figure, slot))
    for i in range(noirceur):
        receive_noirceur(s, figure, CHANGE_CAUSE_COST, bit_of(s, figure, slot))
    return 0


cdef bint affordable(StateBase s, int figure, int slot) except -1:
    """Whether a specific capacity has a use left and the tokens for it are there (OLO-CAP-02, 03, 06)."""
    cdef Figure* f = &s.d.figure[figure]
    cdef int bit = bit_of(s, figure, slot)
    capacity = s.rules.capacities[bit - SPECIFIC]
    if f.ap < cost_of(s, figure, slot) or forbidden(s, figure, bit):
        return False
    if capacity.attack != NO_ATTACK and f.attacks >= PHASE_LIMIT + more_uses(s, figure, bit):
        return False
    return capacity.freq == 0 or f.uses[slot] < <int> capacity.freq + more_uses(s, figure, bit)


# -- conditions -----------------------------------------------------------------------------------------------------------

cdef bint usable(StateBase s, int figure, int slot) except -1:
    """Whether an active figure may use a capacity now, with a target, a roll and a place (OLO-CAP-05, 08)."""
    return why_unusable(s, figure, slot) is None


cdef object why_unusable(StateBase s, int figure, int slot):
    """The reason and the sentence why a capacity may not be used; None if it may."""
    cdef Figure* f = &s.d.figure[figure]
    cdef int bit, limit
    cdef bint off = f.where == PLACE_OFF
    if slot >= SPECIFIC:
        return why_specific_unusable(s, figure, slot)
    if slot != USE_ENTER and slot > USE_CHARGE:
        return Reason.NO_SUCH_CAPACITY, "it is not an active capacity"
    if slot == USE_ENTER:
        if s.rules.enter_first or not off:
            return Reason.NO_SUCH_CAPACITY, "this rouage cannot enter now (OLO-ENTER-01)"
        if f.ap < 1:
            return Reason.TOO_FEW_TOKENS, "entering costs a token (OLO-ENTER-01)"
        return None if could_enter(s, figure) else (Reason.NO_TARGET, "there is no place to enter (OLO-ENTER-02)")
    if off:
        return Reason.OFF_BLOC, "a rouage off the board cannot do that (OLO-CAP-09)"
    if stunned(s, figure) and slot != USE_REST:
        return Reason.STUNNED, "a stunned rouage can only rest (OLO-STUN-02)"
    if f.ap < cost_of(s, figure, slot):
        return Reason.TOO_FEW_TOKENS, f"it costs {cost_of(s, figure, slot)} tokens, and there are {f.ap} (OLO-CAP-03)"
    if forbidden(s, figure, slot):
        return Reason.FORBIDDEN, "an effect forbids it"
    if slot == USE_REST:
        limit = s.rules.rest_limit
        if limit and f.used[USE_REST] >= limit + more_uses(s, figure, USE_REST):
            return Reason.USED_UP, "it was used as often as the phase allows (OLO-CAP-02)"
        found = []
        push_rests(s, figure, found)
        return None if found else (Reason.NO_TARGET, "there is nothing to be removed (OLO-REST-02)")
    if (slot == USE_MARCH or slot == USE_CHARGE) and f.marches >= PHASE_LIMIT + more_uses(s, figure, slot):
        return Reason.USED_UP, "two marches in a phase at most (OLO-MARCH-01)"
    if slot != USE_MARCH and f.attacks >= PHASE_LIMIT + more_uses(s, figure, slot):
        return Reason.USED_UP, "two attacks in a phase at most (OLO-ATT-01)"
    if slot == USE_MARCH:
        return None if could_move(s, figure) else (Reason.NO_TARGET, "there is no place to march to (OLO-MOVE-02)")
    if slot == USE_RANGED:
        if stat_of(s, figure, 2) == 0:
            return Reason.NO_TARGET, "the Shooting is 0 (OLO-GEN-08)"
        if engaged(s, figure) and not lifted(s, figure, slot, IGNORE_FREE):
            return Reason.NOT_FREE, "an engaged rouage cannot shoot (OLO-SHOT-01)"
        return None if ranged_targets(s, figure, slot) else (Reason.NO_TARGET, "there is no target (OLO-SHOT-02, 06)")
    if stat_of(s, figure, 1) == 0:
        return Reason.NO_TARGET, "the Combat is 0 (OLO-GEN-08)"
    if slot == USE_FRONTAL:
        return None if frontal_targets(s, figure, slot) else (Reason.NO_TARGET, "there is no target (OLO-ATT-02)")
    if s.rules.charge_limit and f.used[USE_CHARGE] >= s.rules.charge_limit + more_uses(s, figure, slot):
        return Reason.USED_UP, "it was used as often as the phase allows (OLO-CAP-02)"
    if engaged(s, figure) and not lifted(s, figure, slot, IGNORE_FREE):
        return Reason.NOT_FREE, "an engaged rouage cannot charge (OLO-CHARGE-01)"
    return None if any_charge(s, figure, slot) else (Reason.NO_TARGET, "there is nobody to be charged (OLO-CHARGE-04)")


cdef object why_specific_unusable(StateBase s, int figure, int slot):
    cdef Figure* f = &s.d.figure[figure]
    cdef int32_t[VALUES] scope
    cdef int number = capacity_at(s, figure, slot)
    if number < 0:
        return Reason.NO_SUCH_CAPACITY, "it has no such capacity"
    capacity = s.rules.capacities[number]
    if not capacity.active:
        return Reason.NO_SUCH_CAPACITY, "it is a permanent capacity (OLO-CAP-05)"
    if f.where == PLACE_OFF and not capacity.off_bloc:
        return Reason.OFF_BLOC, "a rouage off the board cannot do that (OLO-CAP-09)"
    if stunned(s, figure):
        return Reason.STUNNED, "a stunned rouage can only rest (OLO-STUN-02)"
    if not affordable(s, figure, slot):
        if f.ap < cost_of(s, figure, slot):
            return Reason.TOO_FEW_TOKENS, f"it costs {cost_of(s, figure, slot)} tokens (OLO-CAP-03)"
        if forbidden(s, figure, SPECIFIC + number):
            return Reason.FORBIDDEN, "an effect forbids it"
        return Reason.USED_UP, "it was used as often as allowed, or two attacks were made (OLO-CAP-02, 06)"
    new_scope(s, scope, figure, number)
    if capacity.cond is not None and not holds(s, capacity.cond, scope):
        return Reason.NO_TARGET, "its condition does not hold"
    if capacity.target is not None and not count_of(targets_with_dice(s, figure, capacity, scope)):
        return Reason.NO_TARGET, "there is no target (OLO-CAP-08, OLO-ROLL-08)"
    for node in s.rules.programs[capacity.program]:
        if own_roll(node) and node.of != WHO_TARGET and not dice_against(s, figure, node, number, -1):
            return Reason.NO_TARGET, "there is no die to be rolled (OLO-GEN-08, OLO-ROLL-08)"
        if node.op == OP_MOVE and not own_move_possible(s, figure, node, scope):
            return Reason.NO_TARGET, "there is no place to go to (OLO-CAP-08)"
    return None


cdef bint own_roll(object node) except -1:
    """Whether an effect is a roll of the bearer."""
    return node.op == OP_ROLL and node.who == WHO_SELF


cdef bint dice_against(StateBase s, int figure, object node, int capacity, int target) except -1:
    """Whether a roll of a capacity would have a die against ``target`` (-1: against any)."""
    return has_dice(s, figure, node.stat, ROLE_ATTACKER, SPECIFIC + capacity, target, False)


cdef bint own_move_possible(StateBase s, int figure, object node, int32_t* scope) except -1:
    """Whether the bearer could carry out a move of its own, as far as its conditions are known already."""
    cdef Frame frame
    cdef int about = node.of
    if node.who != WHO_SELF or node.up_to or not on_bloc(s, figure) or about >= 0 and not exists(s, scope[about]):
        return True
    set_go_frame(&frame, MOVE, figure)
    frame.v[RULERS], frame.v[WORD], frame.v[REFERENCE] = node.way, node.direction, scope[about] if about >= 0 else -1
    return has_end_place(s, &frame)


cdef Elements capacity_targets(StateBase s, int figure, object capacity, int32_t* scope) except *:
    """The elements that a specific capacity may target (OLO-LOS-05)."""
    cdef Elements found = select(s, capacity.target, scope)
    cdef uint64_t left
    cdef int i
    if capacity.target_sight and figure >= 0:
        left = found.discs
        while left:
            i = lowest(left)
            left &= left - 1
            if not sees(s, figure, i):
                found.discs &= ~(<uint64_t> 1 << i)
        left = found.pieces
        while left:
            i = lowest(left)
            left &= left - 1
            if not sees(s, figure, DISCS + i):
                found.pieces &= ~(<uint64_t> 1 << i)
    return narrowed(s, capacity.target, scope, found)


cdef Elements targets_with_dice(StateBase s, int figure, object capacity, int32_t* scope) except *:
    """The targets against which at least one die is left, if the capacity rolls against its target (OLO-GEN-08, OLO-ROLL-08)."""
    cdef Elements found = capacity_targets(s, figure, capacity, scope), left
    cdef int i
    if figure < 0:
        return found
    for node in s.rules.programs[capacity.program]:
        if own_roll(node) and node.of == WHO_TARGET:
            left = found
            while left.discs:
                i = lowest(left.discs)
                left.discs &= left.discs - 1
                if not dice_against(s, figure, node, capacity.index, i):
                    found.discs &= ~(<uint64_t> 1 << i)
            while left.pieces:
                i = lowest(left.pieces)
                left.pieces &= left.pieces - 1
                if not dice_against(s, figure, node, capacity.index, DISCS + i):
                    found.pieces &= ~(<uint64_t> 1 << i)
    return found


cdef bint may_use_trigger(StateBase s, int figure, int slot, int trigger, int one, int two) except -1:
    """Whether a permanent capacity of a figure answers to a trigger, its condition and cost included."""
    cdef int32_t[VALUES] scope
    cdef int number = capacity_at(s, figure, slot)
    if number < 0:
        return False
    capacity = s.rules.capacities[number]
    if capacity.active or capacity.trigger != trigger or s.d.starting or not affordable(s, figure, slot):
        return False
    if trigger == TRIGGER_REACTION and stunned(s, figure) or s.d.figure[figure].where != PLACE_BLOC and not capacity.off_bloc:
        return False
    new_scope(s, scope, figure, number)
    bind_trigger(s, scope, trigger, one, two)
    if capacity.cond is not None and not holds(s, capacity.cond, scope):
        return False
    return capacity.target is None or count_of(targets_with_dice(s, figure, capacity, scope)) > 0


cdef int bind_trigger(StateBase s, int32_t* scope, int trigger, int one, int two) except -1:
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


cdef int push_rests(StateBase s, int figure, list found) except -1:
    """The options of a Rest (OLO-REST-01); a stunned rouage has only its own stun (OLO-STUN-02)."""
    cdef bint ignores_sight = lifted(s, figure, USE_REST, IGNORE_SIGHT)
    cdef int i
    for i in range(FIGURES):
        if s.d.figure[i].player != s.d.figure[figure].player or not on_bloc(s, i):
            continue
        if i != figure and (stunned(s, figure) or not within(s, figure, i, INCH) or not (ignores_sight or sees(s, figure, i))):
            continue
        if s.d.figure[i].noirceur and not stunned(s, figure):
            found.append(VERB_REST | i << FIRST_SHIFT)
        if stunned(s, i):
            found.append(VERB_REST | i << FIRST_SHIFT | 1 << SECOND_SHIFT)
    return 0


# -- use ------------------------------------------------------------------------------------------------------------------

cdef int use_capacity(StateBase s, int figure, int slot) except -1:
    """Use an active capacity: pay for it, count the use, and push its frame (OLO-GEN-06)."""
    cdef Frame* frame = push_frame(s, F_CAPACITY)
    cdef Figure* f = &s.d.figure[figure]
    frame.v[USER], frame.v[SLOT], frame.v[TARGET] = figure, slot, -1
    if slot == USE_MARCH or slot == USE_CHARGE:
        f.marches += 1
    if slot == USE_FRONTAL or slot == USE_RANGED or slot == USE_CHARGE:
        f.attacks += 1
    pay(s, figure, slot)
    return 0


cdef int capacity_step(StateBase s, Frame* frame, int code) except -1:
    cdef int figure = frame.v[USER], slot = frame.v[SLOT], pc = frame.pc, player = decider(s, figure), place
    if pc == CAPACITY_STARTED:
        return start_capacity(s, frame)
    if pc == CAPACITY_RESTING:
        if code < 0:
            return ask(s, DECISION_REST, player)
        frame.pc = CAPACITY_CARRIED_OUT
        if second_argument(code):
            set_state(s, first_argument(code), second_argument(code), False)
        else:
            lose_noirceur(s, first_argument(code), 1, CHANGE_CAUSE_REST)
    elif pc == CAPACITY_GOING:
        frame.pc = CAPACITY_CARRIED_OUT
        if s.d.result >= 0:
            start_move(s, figure, s.d.result)
    elif pc == CAPACITY_AIMED:
        resolve_target(s, frame, s.d.result)
    elif pc == CAPACITY_CHARGING:
        if code < 0:
            return ask(s, DECISION_CHARGE, player)
        frame.pc = CAPACITY_CHARGED
        frame.v[TARGET] = code >> POINT_BITS & 15
        start_move(s, figure, code & POINT_MASK)
    elif pc == CAPACITY_CHARGED:
        frame.pc = CAPACITY_CARRIED_OUT
        if on_bloc(s, figure):
            start_attack(s, figure, frame.v[TARGET], ATTACK_KIND_FRONTAL, slot, True, -1)
    elif pc == CAPACITY_ENTERING:
        frame.pc = CAPACITY_CARRIED_OUT
        if s.d.result >= 0:
            relocate(s, figure, s.d.result, MOVEMENT_MOVE)
    elif pc == CAPACITY_CARRIED_OUT:
        frame.pc = CAPACITY_FINISHED
        raise_event(s, TRIGGER_USED, figure, -1)
    else:
        pop_frame(s, 1)
    return 0


cdef int start_capacity(StateBase s, Frame* frame) except -1:
    """Begin a capacity: ask for the first decision that it needs."""
    cdef int figure = frame.v[USER], slot = frame.v[SLOT], player = decider(s, figure)
    cdef int32_t[VALUES] scope
    cdef Elements targets
    if slot == USE_REST:
        frame.pc = CAPACITY_RESTING
    elif slot == USE_MARCH:
        frame.pc = CAPACITY_GOING
        ask_go(s, MOVE, figure, DECISION_GO, player)
    elif slot == USE_ENTER:
        frame.pc = CAPACITY_ENTERING
        ask_go(s, ENTER, figure, DECISION_ENTER, player)
        top(s).v[ABOUT] = s.d.line[player]
    elif slot == USE_CHARGE:
        frame.pc = CAPACITY_CHARGING
    elif slot == USE_FRONTAL:
        frame.pc = CAPACITY_AIMED
        ask_pick(s, DECISION_TARGET, player, frontal_targets(s, figure, slot), 0, False)
    elif slot == USE_RANGED:
        frame.pc = CAPACITY_AIMED
        ask_pick(s, DECISION_TARGET, player, ranged_targets(s, figure, slot), 0, False)
    else:
        capacity = s.rules.capacities[capacity_at(s, figure, slot)]
        if capacity.target is None:
            return resolve_target(s, frame, -1)
        new_scope(s, scope, figure, capacity.index)
        targets = targets_with_dice(s, figure, capacity, scope)
        # The Noirceur received as its cost may have changed which elements fit.
        if not count_of(targets):
            frame.pc = CAPACITY_CARRIED_OUT
            return 0
        if targets.discs:
            targets.discs = wanted_by_instinct(s, figure, targets.discs)
        frame.pc = CAPACITY_AIMED
        ask_pick(s, DECISION_TARGET, player, targets.discs, targets.pieces, False)
    return 0


cdef int resolve_target(StateBase s, Frame* frame, int target) except -1:
    """Continue with a target: attack, or run the effects."""
    cdef int figure = frame.v[USER], slot = frame.v[SLOT]
    cdef int32_t[VALUES] scope
    frame.pc = CAPACITY_CARRIED_OUT
    frame.v[TARGET] = target
    if slot == USE_FRONTAL or slot == USE_RANGED:
        return start_attack(s, figure, target, ATTACK_KIND_FRONTAL if slot == USE_FRONTAL else ATTACK_KIND_RANGED, slot, False, -1)
    capacity = s.rules.capacities[capacity_at(s, figure, slot)]
    if capacity.attack == ATTACK_KIND_FRONTAL or capacity.attack == ATTACK_KIND_RANGED:
        return start_attack(s, figure, target, capacity.attack, slot, False, capacity.program)
    new_scope(s, scope, figure, capacity.index)
    scope[WHO_TARGET] = target
    scope[ATTACKING] = capacity.attack
    return run_program(s, capacity.program, scope, True)

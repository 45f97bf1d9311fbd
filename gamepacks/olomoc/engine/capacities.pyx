"""Using capacities: what may be used, what it costs, and the generic ones (OLO-CAP, REST, MARCH, ATT, CHARGE, STUN)."""

from libc.stdint cimport int32_t

from libc.stdint cimport uint64_t

from cext.geometry.board cimport DISCS, FIGURES, INCH, lowest
from cext.geometry.plan cimport ENTER, MOVE
from gamepacks.olomoc.engine.asking cimport ask_pick, first_argument, second_argument
from gamepacks.olomoc.engine.attack cimport start_attack
from gamepacks.olomoc.engine.facts cimport engaged, exists, sees, within
from gamepacks.olomoc.engine.hostiles cimport wanted_by_instinct
from gamepacks.olomoc.engine.harm cimport change_ap, lose_noirceur, receive_noirceur, set_state
from gamepacks.olomoc.engine.modifiers cimport costs_nothing, forbidden, lifted, more_uses, stat_of
from gamepacks.olomoc.engine.moves cimport (
    any_charge, any_end, ask_go, could_enter, could_move, relocate, simple_frame, start_move,
)
from gamepacks.olomoc.engine.programs cimport run_program
from gamepacks.olomoc.engine.query cimport count_of, decider, holds, narrowed, new_scope, select
from gamepacks.olomoc.engine.table cimport (
    ABOUT, ATTACKING, BLOC, CAUSE, CHARGE_UP, COMPASS, D_CHARGE, D_ENTER, D_GO, D_REST, D_TARGET, ENTERING,
    F_CAPACITY, FRONTAL, Figure, MARCH, OFF, PLACE_BITS, RANGED, REST, RULERS, SLOT, SPECIFIC, TARGET, TOP_LIMIT, USER,
    V_CHARGE, V_REST, VALUES, WORD, ask, is_hostile, note, on_bloc, pop_frame, push_frame, raise_event,
    stunned, top,
)
from gamepacks.olomoc.engine.targets cimport frontal_targets, has_dice, ranged_targets
from gamepacks.olomoc.terms cimport (
    A_FRONTAL, A_NONE, A_RANGED, HOW_MOVE, I_FREE, I_SIGHT, N_CAPACITY_USED, OP_MOVE, OP_ROLL, PER_GAME, PER_PHASE,
    ROLE_ATTACKER, T_ATTACK_DECLARED, T_ATTACK_END, T_CONTACT, T_COORDINATED, T_ENTERED, T_LEFT, T_MECHANISM, T_NOIRCEUR, T_OUT,
    T_REACTION, T_ROLLED, T_STUNNED, T_USED, T_WOUNDED, WHO_ATTACKER, WHO_DEFENDER, WHO_KILLER, WHO_MAIN, WHO_MOVER, WHO_SELF,
    WHO_TARGET, WHO_VICTIM, WHY_COST, WHY_REST,
)

from gamepacks.olomoc.codes import Reason

# What a capacity frame waits for.
cdef enum:
    STARTED = 0
    RESTING = 1
    GOING = 2
    AIMED = 4
    CHARGING = 5
    CHARGED = 6
    ENTERED_NOW = 7
    USED_NOW = 8
    FINISHED = 9


cdef int capacity_at(OlomocTable m, int figure, int slot) except -2:
    """The specific capacity that a figure has at a slot of USE; -1 for none."""
    cdef int i
    for i in range(m.t.specific[figure].count):
        if m.t.specific[figure].slot[i] == slot:
            return m.t.specific[figure].capacity[i]
    return -1


cdef int bit_of(OlomocTable m, int figure, int slot) except -2:
    """A capacity as in ``Node.caps``."""
    return slot if slot < SPECIFIC else SPECIFIC + capacity_at(m, figure, slot)


cdef int cost_of(OlomocTable m, int figure, int slot) except -1:
    """Tokens that a use costs (OLO-CAP-03, 04); hostiles pay none (OLO-HOST-04). Entering is no capacity: nothing makes it free."""
    if slot == ENTERING:
        return 1
    if is_hostile(m, figure) or costs_nothing(m, figure, bit_of(m, figure, slot)):
        return 0
    if slot == REST:
        return m.rules.rest_ap
    if slot == MARCH:
        return m.rules.march_ap
    if slot == CHARGE_UP:
        return m.rules.charge_ap
    return 1 if slot < SPECIFIC else m.rules.capacities[capacity_at(m, figure, slot)].cost_ap


cdef int pay(OlomocTable m, int figure, int slot) except -1:
    """Pay for a use and count it (OLO-CAP-02 to 04)."""
    cdef Figure* f = &m.t.figure[figure]
    cdef int tokens = cost_of(m, figure, slot), noirceur = 0, i
    if slot >= SPECIFIC:
        capacity = m.rules.capacities[capacity_at(m, figure, slot)]
        if not costs_nothing(m, figure, bit_of(m, figure, slot)):
            noirceur = capacity.cost_noirceur
        f.uses[slot] = min(255, f.uses[slot] + 1)
        if capacity.attack != A_NONE:
            f.attacks += 1
    f.used[slot] = min(255, f.used[slot] + 1)
    note(m, N_CAPACITY_USED, figure, slot, tokens, noirceur)
    change_ap(m, figure, -tokens, WHY_COST, bit_of(m, figure, slot))
    for i in range(noirceur):
        receive_noirceur(m, figure, WHY_COST, bit_of(m, figure, slot))
    return 0


cdef bint affordable(OlomocTable m, int figure, int slot) except -1:
    """Whether a specific capacity has a use left and the tokens for it are there (OLO-CAP-02, 03, 06)."""
    cdef Figure* f = &m.t.figure[figure]
    cdef int bit = bit_of(m, figure, slot)
    capacity = m.rules.capacities[bit - SPECIFIC]
    if f.ap < cost_of(m, figure, slot) or forbidden(m, figure, bit):
        return False
    if capacity.attack != A_NONE and f.attacks >= TOP_LIMIT + more_uses(m, figure, bit):
        return False
    return capacity.freq == 0 or f.uses[slot] < <int> capacity.freq + more_uses(m, figure, bit)


# -- may it be used? ------------------------------------------------------------------------------------------------------

cdef bint usable(OlomocTable m, int figure, int slot) except -1:
    """Whether an active figure may use a capacity now, with a target, a roll and a place (OLO-CAP-05, 08)."""
    return why_unusable(m, figure, slot) is None


cdef object why_unusable(OlomocTable m, int figure, int slot):
    """Why not, as a reason and a sentence; None if it may."""
    cdef Figure* f = &m.t.figure[figure]
    cdef int bit, limit
    cdef bint off = f.where == OFF
    if slot >= SPECIFIC:
        return why_not_specific(m, figure, slot)
    if slot != ENTERING and slot > CHARGE_UP:
        return Reason.NO_SUCH_CAPACITY, "it is no active capacity"
    if slot == ENTERING:
        if m.rules.enter_first or not off:
            return Reason.NO_SUCH_CAPACITY, "entering is no choice here (OLO-ENTER-01)"
        if f.ap < 1:
            return Reason.TOO_FEW_TOKENS, "entering costs a token (OLO-ENTER-01)"
        return None if could_enter(m, figure) else (Reason.NO_TARGET, "there is no place to enter (OLO-ENTER-02)")
    if off:
        return Reason.OFF_BLOC, "a rouage off the board cannot do that (OLO-CAP-09)"
    if stunned(m, figure) and slot != REST:
        return Reason.STUNNED, "a stunned rouage can only rest (OLO-STUN-02)"
    if f.ap < cost_of(m, figure, slot):
        return Reason.TOO_FEW_TOKENS, f"it costs {cost_of(m, figure, slot)} tokens, and there are {f.ap} (OLO-CAP-03)"
    if forbidden(m, figure, slot):
        return Reason.FORBIDDEN, "an effect forbids it"
    if slot == REST:
        limit = m.rules.rest_limit
        if limit and f.used[REST] >= limit + more_uses(m, figure, REST):
            return Reason.USED_UP, "it was used as often as the phase allows (OLO-CAP-02)"
        found = []
        push_rests(m, figure, found)
        return None if found else (Reason.NO_TARGET, "there is nothing to be removed (OLO-REST-02)")
    if (slot == MARCH or slot == CHARGE_UP) and f.marches >= TOP_LIMIT + more_uses(m, figure, slot):
        return Reason.USED_UP, "two marches in a phase at most (OLO-MARCH-01)"
    if slot != MARCH and f.attacks >= TOP_LIMIT + more_uses(m, figure, slot):
        return Reason.USED_UP, "two attacks in a phase at most (OLO-ATT-01)"
    if slot == MARCH:
        return None if could_move(m, figure) else (Reason.NO_TARGET, "there is no place to march to (OLO-MOVE-02)")
    if slot == RANGED:
        if stat_of(m, figure, 2) == 0:
            return Reason.NO_TARGET, "the Shooting is 0 (OLO-GEN-08)"
        if engaged(m, figure) and not lifted(m, figure, slot, I_FREE):
            return Reason.NOT_FREE, "an engaged rouage cannot shoot (OLO-SHOT-01)"
        return None if ranged_targets(m, figure, slot) else (Reason.NO_TARGET, "there is no target (OLO-SHOT-02, 06)")
    if stat_of(m, figure, 1) == 0:
        return Reason.NO_TARGET, "the Combat is 0 (OLO-GEN-08)"
    if slot == FRONTAL:
        return None if frontal_targets(m, figure, slot) else (Reason.NO_TARGET, "there is no target (OLO-ATT-02)")
    if m.rules.charge_limit and f.used[CHARGE_UP] >= m.rules.charge_limit + more_uses(m, figure, slot):
        return Reason.USED_UP, "it was used as often as the phase allows (OLO-CAP-02)"
    if engaged(m, figure) and not lifted(m, figure, slot, I_FREE):
        return Reason.NOT_FREE, "an engaged rouage cannot charge (OLO-CHARGE-01)"
    return None if any_charge(m, figure, slot) else (Reason.NO_TARGET, "there is nobody to be charged (OLO-CHARGE-04)")


cdef object why_not_specific(OlomocTable m, int figure, int slot):
    cdef Figure* f = &m.t.figure[figure]
    cdef int32_t[VALUES] scope
    cdef int number = capacity_at(m, figure, slot)
    if number < 0:
        return Reason.NO_SUCH_CAPACITY, "it has no such capacity"
    capacity = m.rules.capacities[number]
    if not capacity.active:
        return Reason.NO_SUCH_CAPACITY, "it is a permanent capacity (OLO-CAP-05)"
    if f.where == OFF and not capacity.off_bloc:
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


cdef bint dice_against(OlomocTable m, int figure, object node, int capacity, int target) except -1:
    """Whether a roll of a capacity would have a die; ``target`` -1: whatever it is against."""
    return has_dice(m, figure, node.stat, ROLE_ATTACKER, SPECIFIC + capacity, target, False)


cdef bint goes_somewhere(OlomocTable m, int figure, object node, int32_t* scope) except -1:
    """Whether the bearer could go where a move of its own sends it; what is not known yet is no hindrance."""
    cdef Frame frame
    cdef int about = node.of
    if node.who != WHO_SELF or node.up_to or not on_bloc(m, figure) or about >= 0 and not exists(m, scope[about]):
        return True
    simple_frame(&frame, MOVE, figure)
    frame.v[RULERS], frame.v[WORD], frame.v[COMPASS] = node.way, node.direction, scope[about] if about >= 0 else -1
    return any_end(m, &frame)


cdef Elements capacity_targets(OlomocTable m, int figure, object capacity, int32_t* scope) except *:
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


cdef Elements fair_targets(OlomocTable m, int figure, object capacity, int32_t* scope) except *:
    """Those of them against which a die is left, if the capacity rolls against its target (OLO-GEN-08, OLO-ROLL-08)."""
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


cdef bint may_use_trigger(OlomocTable m, int figure, int slot, int trigger, int one, int two) except -1:
    """Whether a permanent capacity of a figure answers to a trigger, its condition and cost included."""
    cdef int32_t[VALUES] scope
    cdef int number = capacity_at(m, figure, slot)
    if number < 0:
        return False
    capacity = m.rules.capacities[number]
    if capacity.active or capacity.trigger != trigger or m.t.starting or not affordable(m, figure, slot):
        return False
    if trigger == T_REACTION and stunned(m, figure) or m.t.figure[figure].where != BLOC and not capacity.off_bloc:
        return False
    new_scope(m, scope, figure, number)
    bind_trigger(m, scope, trigger, one, two)
    if capacity.cond is not None and not holds(m, capacity.cond, scope):
        return False
    return capacity.target is None or count_of(fair_targets(m, figure, capacity, scope)) > 0


cdef int bind_trigger(OlomocTable m, int32_t* scope, int trigger, int one, int two) except -1:
    """Bind the names of a trigger (section 6.7)."""
    if trigger in (T_ATTACK_DECLARED, T_REACTION, T_ROLLED, T_ATTACK_END):
        scope[WHO_ATTACKER], scope[WHO_DEFENDER] = one, two
    elif trigger in (T_WOUNDED, T_OUT):
        scope[WHO_VICTIM], scope[WHO_KILLER] = one, two
    elif trigger in (T_NOIRCEUR, T_STUNNED):
        scope[WHO_VICTIM] = one
    elif trigger == T_COORDINATED:
        scope[WHO_MAIN], scope[WHO_MOVER] = one, two
    elif trigger == T_MECHANISM:
        scope[CAUSE] = one
    else:
        scope[WHO_MOVER] = one
    return 0


cdef int push_rests(OlomocTable m, int figure, list found) except -1:
    """What a Rest could remove (OLO-REST-01); a stunned rouage only its own stun (OLO-STUN-02)."""
    cdef bint blind = lifted(m, figure, REST, I_SIGHT)
    cdef int i
    for i in range(FIGURES):
        if m.t.figure[i].player != m.t.figure[figure].player or not on_bloc(m, i):
            continue
        if i != figure and (stunned(m, figure) or not within(m, figure, i, INCH) or not (blind or sees(m, figure, i))):
            continue
        if m.t.figure[i].noirceur and not stunned(m, figure):
            found.append(V_REST | i << 18)
        if stunned(m, i):
            found.append(V_REST | i << 18 | 1 << 10)
    return 0


# -- using it -------------------------------------------------------------------------------------------------------------

cdef int use(OlomocTable m, int figure, int slot) except -1:
    """Use an active capacity: pay, count, and go on to what it asks (OLO-GEN-06)."""
    cdef Frame* frame = push_frame(m, F_CAPACITY)
    cdef Figure* f = &m.t.figure[figure]
    frame.v[USER], frame.v[SLOT], frame.v[TARGET] = figure, slot, -1
    if slot == MARCH or slot == CHARGE_UP:
        f.marches += 1
    if slot == FRONTAL or slot == RANGED or slot == CHARGE_UP:
        f.attacks += 1
    pay(m, figure, slot)
    return 0


cdef int capacity_step(OlomocTable m, Frame* frame, int code) except -1:
    cdef int figure = frame.v[USER], slot = frame.v[SLOT], pc = frame.pc, player = decider(m, figure), place
    if pc == STARTED:
        return start(m, frame)
    if pc == RESTING:
        if code < 0:
            return ask(m, D_REST, player)
        frame.pc = USED_NOW
        if second_argument(code):
            set_state(m, first_argument(code), second_argument(code) - 1, False)
        else:
            lose_noirceur(m, first_argument(code), 1, WHY_REST)
    elif pc == GOING:
        frame.pc = USED_NOW
        if m.t.result >= 0:
            start_move(m, figure, m.t.result)
    elif pc == AIMED:
        aim(m, frame, m.t.result)
    elif pc == CHARGING:
        if code < 0:
            return ask(m, D_CHARGE, player)
        frame.pc = CHARGED
        frame.v[TARGET] = code >> 22 & 15
        start_move(m, figure, code & PLACE_BITS)
    elif pc == CHARGED:
        frame.pc = USED_NOW
        if on_bloc(m, figure):
            start_attack(m, figure, frame.v[TARGET], A_FRONTAL, slot, True, -1)
    elif pc == ENTERED_NOW:
        frame.pc = USED_NOW
        if m.t.result >= 0:
            relocate(m, figure, m.t.result, HOW_MOVE)
    elif pc == USED_NOW:
        frame.pc = FINISHED
        raise_event(m, T_USED, figure, -1)
    else:
        pop_frame(m, 1)
    return 0


cdef int start(OlomocTable m, Frame* frame) except -1:
    """The first question of a capacity."""
    cdef int figure = frame.v[USER], slot = frame.v[SLOT], player = decider(m, figure)
    cdef int32_t[VALUES] scope
    cdef Elements targets
    if slot == REST:
        frame.pc = RESTING
    elif slot == MARCH:
        frame.pc = GOING
        ask_go(m, MOVE, figure, D_GO, player)
    elif slot == ENTERING:
        frame.pc = ENTERED_NOW
        ask_go(m, ENTER, figure, D_ENTER, player)
        top(m).v[ABOUT] = m.t.line[player]
    elif slot == CHARGE_UP:
        frame.pc = CHARGING
    elif slot == FRONTAL:
        frame.pc = AIMED
        ask_pick(m, D_TARGET, player, frontal_targets(m, figure, slot), 0, False)
    elif slot == RANGED:
        frame.pc = AIMED
        ask_pick(m, D_TARGET, player, ranged_targets(m, figure, slot), 0, False)
    else:
        capacity = m.rules.capacities[capacity_at(m, figure, slot)]
        if capacity.target is None:
            return aim(m, frame, -1)
        new_scope(m, scope, figure, capacity.index)
        targets = fair_targets(m, figure, capacity, scope)
        # What was received as its cost may have changed who fits.
        if not count_of(targets):
            frame.pc = USED_NOW
            return 0
        if targets.discs:
            targets.discs = wanted_by_instinct(m, figure, targets.discs)
        frame.pc = AIMED
        ask_pick(m, D_TARGET, player, targets.discs, targets.pieces, False)
    return 0


cdef int aim(OlomocTable m, Frame* frame, int target) except -1:
    """The target is known: attack, or run the effects."""
    cdef int figure = frame.v[USER], slot = frame.v[SLOT]
    cdef int32_t[VALUES] scope
    frame.pc = USED_NOW
    frame.v[TARGET] = target
    if slot == FRONTAL or slot == RANGED:
        return start_attack(m, figure, target, A_FRONTAL if slot == FRONTAL else A_RANGED, slot, False, -1)
    capacity = m.rules.capacities[capacity_at(m, figure, slot)]
    if capacity.attack == A_FRONTAL or capacity.attack == A_RANGED:
        return start_attack(m, figure, target, capacity.attack, slot, False, capacity.program)
    new_scope(m, scope, figure, capacity.index)
    scope[WHO_TARGET] = target
    scope[ATTACKING] = capacity.attack
    return run_program(m, capacity.program, scope, True)

# Combat: legal targets, reactions, the attack sequence, opportunity attacks.

# -- targets and reactions ---------------------------------------------------------------------------------------------
# Legal targets, and the rouages that may react (OLO-ATT, SHOT, RIPO, DODGE, OPP, HOST-05).

cdef uint64_t frontal_targets(StateBase s, int figure, int bit) except? 0xFFFFFFFF:
    """The foes that a figure engages, sees and has dice against (OLO-ATT-02, OLO-ROLL-08)."""
    return with_dice(s, figure, STAT_COMBAT, bit, engaged_foes_in_sight(s, figure, bit), False)


cdef uint64_t with_dice(StateBase s, int figure, int stat, int bit, uint64_t targets, bint shooting) except? 0xFFFFFFFF:
    """The targets against which a figure would roll at least one die."""
    cdef uint64_t left = targets
    cdef int foe
    while left:
        foe = lowest(left)
        left &= left - 1
        if not has_dice(s, figure, stat, ROLE_ATTACKER, bit, foe, shooting):
            targets &= ~(<uint64_t> 1 << foe)
    return targets


cdef uint64_t engaged_foes_in_sight(StateBase s, int figure, int bit) except? 0xFFFFFFFF:
    """The foes that a figure engages and sees (OLO-ATT-02)."""
    cdef uint64_t left = foes_of(s, figure), found = 0
    cdef bint ignores_engaged, ignores_sight
    cdef int foe
    if not left or not on_bloc(s, figure):
        return 0
    ignores_engaged, ignores_sight = lifted(s, figure, bit, IGNORE_ENGAGED), lifted(s, figure, bit, IGNORE_SIGHT)
    while left:
        foe = lowest(left)
        left &= left - 1
        if (ignores_engaged or engages(s, figure, foe)) and (ignores_sight or sees(s, figure, foe)):
            found |= <uint64_t> 1 << foe
    return found


cdef uint64_t ranged_targets(StateBase s, int figure, int bit) except? 0xFFFFFFFF:
    """The nearest foes, several on an exact tie, that a free figure may shoot at with dice left (OLO-SHOT-01 to 06)."""
    return with_dice(s, figure, STAT_SHOOT, bit, nearest_shooting_targets(s, figure, bit), True)


cdef uint64_t nearest_shooting_targets(StateBase s, int figure, int bit) except? 0xFFFFFFFF:
    """The nearest of the foes that a free figure may shoot at (OLO-SHOT-01 to 03)."""
    cdef uint64_t left = foes_of(s, figure), found = 0
    cdef int foe
    if not on_bloc(s, figure) or not left or engaged(s, figure) and not lifted(s, figure, bit, IGNORE_FREE):
        return 0
    while left:
        foe = lowest(left)
        left &= left - 1
        if can_shoot_at(s, figure, foe, bit):
            found |= <uint64_t> 1 << foe
    if found and not lifted(s, figure, bit, IGNORE_NEAREST):
        found = nearest_of(&s.board.scenery, &s.d.discs, s.d.discs.x[figure], s.d.discs.y[figure], found)
    return found


cdef bint can_shoot_at(StateBase s, int figure, int target, int bit) except -1:
    """Whether a foe is in sight and free (OLO-SHOT-02)."""
    if not on_bloc(s, target) or engaged(s, target) and not lifted(s, figure, bit, IGNORE_ENGAGED):
        return False
    return sees(s, figure, target) or lifted(s, figure, bit, IGNORE_SIGHT)


cdef bint has_dice(StateBase s, int figure, int stat, int role, int bit, int target, bint shooting) except -1:
    """Whether a characteristic above 0 would be rolled with at least one die (OLO-GEN-08, OLO-ROLL-08)."""
    cdef Pool pool
    if not stat_of(s, figure, stat):
        return False
    if not shooting and not (s.d.lasting_count or s.d.continuous >> OP_MOD & 1):
        return True
    pool = pool_of(s, figure, stat, role, bit, target, False, shooting)
    return pool.dice > 0


# -- costs and conditions of reactions -----------------------------------------------------------------------------------

cdef int reaction_cost(StateBase s, int figure, int slot) except -1:
    """Tokens that a reaction costs; hostiles have none and pay none (OLO-HOST-04)."""
    if is_hostile(s, figure) or costs_nothing(s, figure, slot):
        return 0
    if slot == USE_DODGE:
        return 1
    return s.rules.riposte_ap if slot == USE_RIPOSTE else s.rules.opportunity_ap


cdef bint may_react(StateBase s, int figure, int slot) except -1:
    """Whether a figure on the board, not stunned, has the tokens and a use left for a reaction.

    There are no reactions in the start Mechanism (OLO-MECH-05).
    """
    cdef Figure* f = &s.d.figure[figure]
    cdef int limit
    if s.d.starting or not on_bloc(s, figure) or stunned(s, figure) or forbidden(s, figure, slot):
        return False
    if is_hostile(s, figure):
        if s.rules.hostile_reactions:
            return s.rules.hostile_reactions == 2
        limit = s.rules.card[f.card].reactions[0 if slot == USE_RIPOSTE else 1 if slot == USE_DODGE else 2]
        return f.used[slot] < limit + more_uses(s, figure, slot)
    if f.ap < reaction_cost(s, figure, slot):
        return False
    limit = s.rules.dodge_limit
    if slot == USE_RIPOSTE:
        limit = s.rules.riposte_limit
    elif slot == USE_OPPORTUNITY:
        limit = s.rules.opportunity_limit
    return limit == 0 or f.used[slot] < limit + more_uses(s, figure, slot)


cdef bint may_dodge(StateBase s, int figure, int attacker) except -1:
    """Whether a figure may dodge (OLO-DODGE-01); it must see the attacker, which is its target (OLO-LOS-05)."""
    return (
        may_react(s, figure, USE_DODGE) and has_dice(s, figure, STAT_DODGE, ROLE_DEFENDER, USE_DODGE, attacker, False)
        and (sees(s, figure, attacker) or lifted(s, figure, USE_DODGE, IGNORE_SIGHT))
    )


cdef bint may_riposte(StateBase s, int figure, int attacker, bint shooting) except -1:
    """Whether a figure may make a riposte: with Combat in its threat zone, with Shooting as in a shot at any foe (OLO-RIPO-02)."""
    if not may_react(s, figure, USE_RIPOSTE) or not on_bloc(s, attacker):
        return False
    if shooting:
        return (
            (not engaged(s, figure) or lifted(s, figure, USE_RIPOSTE, IGNORE_FREE)) and can_shoot_at(s, figure, attacker, USE_RIPOSTE)
            and has_dice(s, figure, STAT_SHOOT, ROLE_DEFENDER, USE_RIPOSTE, attacker, True)
        )
    return (
        in_zone(s, figure, attacker) and (sees(s, figure, attacker) or lifted(s, figure, USE_RIPOSTE, IGNORE_SIGHT))
        and has_dice(s, figure, STAT_COMBAT, ROLE_DEFENDER, USE_RIPOSTE, attacker, False)
    )


cdef bint may_attack_mover(StateBase s, int figure, int mover) except -1:
    """Whether a figure may make an opportunity attack on a mover in its zone (OLO-OPP-01 to 03)."""
    return (
        may_react(s, figure, USE_OPPORTUNITY) and in_zone(s, figure, mover)
        and (sees(s, figure, mover) or lifted(s, figure, USE_OPPORTUNITY, IGNORE_SIGHT))
        and has_dice(s, figure, STAT_COMBAT, ROLE_ATTACKER, USE_OPPORTUNITY, mover, False)
    )


cdef int pay_reaction(StateBase s, int figure, int slot) except -1:
    """Pay and count a reaction."""
    cdef Figure* f = &s.d.figure[figure]
    change_ap(s, figure, -reaction_cost(s, figure, slot), CHANGE_CAUSE_COST, slot)
    f.used[slot] = min(255, f.used[slot] + 1)
    return 0


# -- the attack sequence -----------------------------------------------------------------------------------------------
# The attack sequence (OLO-SEQ), frontal, ranged, in a charge, or by a specific capacity.
#
# A specific capacity that attacks opens the reaction window and then runs its effects: the reactions are rolled with the
# first roll in them.

# Stages of the attack sequence.
cdef enum:
    ATTACK_DECLARED = 0
    ATTACK_CHECKING = 1
    ATTACK_REACTING = 2
    ATTACK_SETTING = 3
    ATTACK_ROLLED = 4
    ATTACK_DODGE_ROLLED = 5
    ATTACK_RIPOSTE_ROLLED = 6
    ATTACK_FATE = 7
    ATTACK_REROLLED = 8
    ATTACK_COUNTED = 9
    ATTACK_TACTIC = 10
    ATTACK_PUSHING = 11
    ATTACK_WOUNDING = 12
    ATTACK_ANSWERING = 13
    ATTACK_ENDING = 14
    ATTACK_OVER = 15
    ATTACK_RUNNING = 16
    ATTACK_LATE_RIPOSTE = 18


cdef int start_attack(StateBase s, int attacker, int target, int kind, int slot, bint charging, int program) except -1:
    """Declare an attack that has been paid (OLO-SEQ-01); ``program`` -1, or the effects of a specific capacity."""
    cdef Frame* frame = push_frame(s, F_ATTACK)
    frame.v[ATTACKER], frame.v[DEFENDER], frame.v[ATTACK_KIND] = attacker, target, kind
    frame.v[ATTACK_SLOT], frame.v[CHARGING], frame.v[PROGRAM] = slot, charging, program
    add_trace(s, EVENT_ATTACK_DECLARED, attacker, target, kind, slot)
    return 0


cdef int attack_bit(StateBase s, const Frame* frame) except -2:
    """The bit number of the attacking capacity, as in ``Node.caps``."""
    cdef int slot = frame.v[ATTACK_SLOT]
    return slot if slot < SPECIFIC else SPECIFIC + capacity_at(s, frame.v[ATTACKER], slot)


cdef int attack_scope(StateBase s, const Frame* frame, int32_t* scope, int capacity) except -1:
    """The scope of the specific capacity whose attack is on top, with the names of the event that it answers to, if any."""
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER]
    new_scope(s, scope, attacker, capacity)
    if frame_at(s, s.d.depth - 2).kind == F_TRIGGERS:
        bind_answered(s, s.d.depth - 2, scope)
    scope[WHO_TARGET] = scope[WHO_DEFENDER] = target
    scope[WHO_ATTACKER] = attacker
    scope[ATTACKING] = frame.v[ATTACK_KIND]
    return 0


cdef bint still_legal(StateBase s, const Frame* frame) except -1:
    """Whether the attack is still legal (OLO-SEQ-02)."""
    cdef int32_t[VALUES] scope
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], bit
    if not on_bloc(s, attacker) or not on_bloc(s, target):
        return False
    bit = attack_bit(s, frame)
    if frame.v[PROGRAM] >= 0:
        capacity = s.rules.capacities[bit - SPECIFIC]
        attack_scope(s, frame, scope, bit - SPECIFIC)
        return capacity_targets(s, attacker, capacity, scope).discs >> target & 1
    if frame.v[ATTACK_KIND] == ATTACK_KIND_RANGED:
        return nearest_shooting_targets(s, attacker, bit) >> target & 1
    return engaged_foes_in_sight(s, attacker, bit) >> target & 1


# -- reactions ------------------------------------------------------------------------------------------------------------

cdef bint is_reaction(StateBase s, const Frame* frame, int code) except -1:
    """Whether REACT with a kind of reaction is possible, as things stand."""
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], kind = first_argument(code), taken = frame.v[REACTION]
    if not on_bloc(s, target) or not on_bloc(s, attacker):
        return False
    if taken and (not s.rules.both_reactions or taken > REACTION_RIPOSTE_SHOOT or kind >= SPECIFIC):
        return False
    if kind == 0:
        return taken != REACTION_DODGE and may_dodge(s, target, attacker)
    if kind == 1 or kind == 2:
        return (taken == 0 or taken == REACTION_DODGE) and may_riposte(s, target, attacker, kind == 2)
    return kind >= SPECIFIC and may_use_trigger(s, target, kind, TRIGGER_REACTION, attacker, target)


cdef int push_reactions(StateBase s, const Frame* frame, list found) except -1:
    """The reactions that are possible, as codes."""
    cdef int kind, i, target = frame.v[DEFENDER]
    for kind in range(3):
        if is_reaction(s, frame, VERB_REACT | kind << FIRST_SHIFT):
            found.append(VERB_REACT | kind << FIRST_SHIFT)
    for i in range(s.d.specific[target].count):
        kind = s.d.specific[target].slot[i]
        if s.d.specific[target].triggers >> TRIGGER_REACTION & 1 and is_reaction(s, frame, VERB_REACT | kind << FIRST_SHIFT):
            found.append(VERB_REACT | kind << FIRST_SHIFT)
    return 0


cdef int hostile_reaction(StateBase s, const Frame* frame) except -1:
    """The reaction of a hostile by its profile: -1 or a kind of REACT (OLO-HOST-05)."""
    cdef int turn, kind
    cdef bint first = s.rules.card[s.d.figure[frame.v[DEFENDER]].card].prefer_riposte
    for turn in range(2):
        if (turn == 0) == first:
            for kind in range(1, 3):
                if is_reaction(s, frame, VERB_REACT | kind << FIRST_SHIFT):
                    return VERB_REACT | kind << FIRST_SHIFT
        elif is_reaction(s, frame, VERB_REACT):
            return VERB_REACT
    return VERB_NO


cdef int react(StateBase s, Frame* frame, int code) except -1:
    """Declare and pay a reaction (OLO-SEQ-03)."""
    cdef int kind = first_argument(code), target = frame.v[DEFENDER], capacity
    cdef int32_t[VALUES] scope
    if kind >= SPECIFIC:
        frame.v[REACTION] = kind
        capacity = capacity_at(s, target, kind)
        add_trace(s, EVENT_REACTION_DECLARED, target, REACTION_CAPACITY, capacity)
        pay(s, target, kind)
        new_scope(s, scope, target, capacity)
        scope[WHO_ATTACKER], scope[WHO_DEFENDER] = frame.v[ATTACKER], target
        scope[ATTACKING] = s.rules.capacities[capacity].attack
        run_program(s, s.rules.capacities[capacity].program, scope, True)
        return 0
    add_trace(s, EVENT_REACTION_DECLARED, target, kind + 1, -1)
    pay_reaction(s, target, USE_DODGE if kind == 0 else USE_RIPOSTE)
    if frame.v[REACTION]:
        frame.v[SECOND_REACTION] = kind + 1
    else:
        frame.v[REACTION] = kind + 1
    return 0


cdef Pool reaction_pool(StateBase s, const Frame* frame, int kind) except *:
    """Dice and difficulty of a dodge or riposte, from present positions and states (OLO-SEQ-04); ``kind`` as in REACTION."""
    cdef int stat = STAT_DODGE if kind == REACTION_DODGE else STAT_SHOOT if kind == REACTION_RIPOSTE_SHOOT else STAT_COMBAT
    return fixed_pool(
        s, frame.v[DEFENDER], stat, ROLE_DEFENDER, USE_DODGE if kind == REACTION_DODGE else USE_RIPOSTE, frame.v[ATTACKER], False, kind == REACTION_RIPOSTE_SHOOT
    )


cdef int set_reactions(StateBase s, Frame* frame) except -1:
    """Fix dice and difficulty of the reactions from present positions and states (OLO-SEQ-04)."""
    cdef int i, kind
    cdef Pool pool
    for i in range(2):
        kind = frame.v[REACTION + i]
        if kind == 0 or kind > REACTION_RIPOSTE_SHOOT:
            continue
        pool = reaction_pool(s, frame, kind)
        if kind == REACTION_DODGE:
            frame.v[DODGE_DICE], frame.v[DODGE_DIFFICULTY], frame.v[DODGE_ADDED] = pool.dice, pool.difficulty, pool.added
        else:
            frame.v[RIPOSTE_STAT] = STAT_SHOOT if kind == REACTION_RIPOSTE_SHOOT else STAT_COMBAT
            frame.v[RIPOSTE_DICE], frame.v[RIPOSTE_DIFFICULTY] = pool.dice, pool.difficulty
            frame.v[RIPOSTE_ADDED] = pool.added
    return 0


cdef bint is_riposte(int reaction) noexcept:
    return REACTION_RIPOSTE_COMBAT <= reaction <= REACTION_RIPOSTE_SHOOT


cdef bint rolled_dodge(const Frame* frame) noexcept:
    """Whether the reaction that was rolled last is a dodge."""
    return frame.v[REACTION + frame.v[ROLLED_FOR] - 1] == REACTION_DODGE


cdef int roll_reactions(StateBase s, Frame* frame) except -1:
    """Roll the next reaction in the declared order (OLO-REACT-01); returns whether there was one. ROLLED_FOR counts them."""
    cdef int reaction
    while frame.v[ROLLED_FOR] < 2:
        reaction = frame.v[REACTION + frame.v[ROLLED_FOR]]
        frame.v[ROLLED_FOR] += 1
        if reaction == REACTION_DODGE:
            ask_roll(s, frame.v[DEFENDER], STAT_DODGE, frame.v[DODGE_DICE], frame.v[DODGE_DIFFICULTY])
            return 1
        if is_riposte(reaction):
            ask_roll(s, frame.v[DEFENDER], frame.v[RIPOSTE_STAT], frame.v[RIPOSTE_DICE], frame.v[RIPOSTE_DIFFICULTY])
            return 1
    return 0


# -- the sequence ---------------------------------------------------------------------------------------------------------

cdef int attack_step(StateBase s, Frame* frame, int code) except -1:
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], pc = frame.pc
    if pc == ATTACK_DECLARED:
        frame.pc = ATTACK_CHECKING
        raise_event(s, TRIGGER_ATTACK_DECLARED, attacker, target)
    elif pc == ATTACK_CHECKING:
        # Nothing is refunded (A43).
        frame.pc = ATTACK_REACTING if still_legal(s, frame) else ATTACK_ENDING
    elif pc == ATTACK_REACTING:
        return reaction_window(s, frame, code)
    elif pc == ATTACK_SETTING:
        set_pools(s, frame)
    elif pc <= ATTACK_REROLLED:
        return roll_attack(s, frame, code)
    elif pc <= ATTACK_PUSHING:
        return tactic_step(s, frame, code)
    elif pc == ATTACK_WOUNDING:
        frame.pc = ATTACK_ANSWERING
        wound(s, target, frame.v[NET], attacker, True)
    elif pc == ATTACK_ANSWERING:
        frame.pc = ATTACK_ENDING
        if s.rules.felled_riposte or on_bloc(s, target):
            wound(s, attacker, frame.v[RIPOSTED] + frame.v[RIPOSTE_ADDED], target, True)
    elif pc == ATTACK_ENDING:
        frame.pc = ATTACK_OVER
        raise_event(s, TRIGGER_ATTACK_END, attacker, target)
    elif pc == ATTACK_OVER:
        end_within(s, UNTIL_ATTACK, s.d.depth - 1)
        end_within(s, UNTIL_ROLL, s.d.depth - 1)
        pop_frame(s, 1)
    elif pc == ATTACK_RUNNING:
        # The effects of a capacity are done. If none of them was a roll, a riposte is rolled now; a dodge has nothing to cancel.
        frame.pc = ATTACK_ANSWERING
        if frame.v[ROLLED_FOR] == 0:
            frame.v[ROLLED_FOR] = 0 if is_riposte(frame.v[REACTION]) else 1
            if is_riposte(frame.v[REACTION + frame.v[ROLLED_FOR]]):
                frame.pc = ATTACK_LATE_RIPOSTE
                roll_reactions(s, frame)
    else:
        frame.v[RIPOSTED] = s.d.result
        frame.pc = ATTACK_ANSWERING
    return 0


cdef int reaction_window(StateBase s, Frame* frame, int code) except -1:
    """Ask for reactions: one, or by the option both a riposte and a dodge (OLO-SEQ-03, OLO-REACT-01)."""
    cdef list possible
    if code < 0:
        if is_hostile(s, frame.v[DEFENDER]):
            code = hostile_reaction(s, frame)
        else:
            possible = []
            push_reactions(s, frame, possible)
            if possible:
                return ask(s, DECISION_REACT, s.d.figure[frame.v[DEFENDER]].player)
            code = VERB_NO
    if code == VERB_NO:
        frame.pc = ATTACK_SETTING
    else:
        if frame.v[REACTION] or not s.rules.both_reactions:
            frame.pc = ATTACK_SETTING
        react(s, frame, code)
    return 0


cdef int set_pools(StateBase s, Frame* frame) except -1:
    """Fix the pools and make the attack roll, or run the effects of a specific capacity (OLO-SEQ-04)."""
    cdef Pool pool
    cdef int32_t[VALUES] scope
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], bit, stat
    # An effect of the reaction may have changed what is possible.
    if not on_bloc(s, attacker) or not on_bloc(s, target):
        frame.pc = ATTACK_ENDING
        return 0
    bit = attack_bit(s, frame)
    set_reactions(s, frame)
    if frame.v[PROGRAM] >= 0:
        frame.pc = ATTACK_RUNNING
        attack_scope(s, frame, scope, bit - SPECIFIC)
        run_program(s, frame.v[PROGRAM], scope, True)
        return 0
    stat = STAT_SHOOT if frame.v[ATTACK_KIND] == ATTACK_KIND_RANGED else STAT_COMBAT
    pool = fixed_pool(s, attacker, stat, ROLE_ATTACKER, bit, target, frame.v[CHARGING], stat == STAT_SHOOT)
    frame.v[DICE], frame.v[DIFFICULTY], frame.v[ADDED] = pool.dice, pool.difficulty, pool.added
    frame.pc = ATTACK_ROLLED
    ask_roll(s, attacker, stat, pool.dice, pool.difficulty)
    return 0


cdef int roll_attack(StateBase s, Frame* frame, int code) except -1:
    """Make both rolls, then offer fate (OLO-SEQ-05, 06, OLO-FATE-04)."""
    cdef int attacker = frame.v[ATTACKER], pc = frame.pc
    if pc == ATTACK_ROLLED:
        frame.v[SUCCESSES] = s.d.result
        frame.pc = ATTACK_DODGE_ROLLED
    elif pc == ATTACK_DODGE_ROLLED or pc == ATTACK_RIPOSTE_ROLLED:
        if pc == ATTACK_RIPOSTE_ROLLED:
            if rolled_dodge(frame):
                frame.v[DODGED] = s.d.result
            else:
                frame.v[RIPOSTED] = s.d.result
        frame.pc = ATTACK_RIPOSTE_ROLLED if roll_reactions(s, frame) else ATTACK_FATE
        return 0
    elif pc == ATTACK_FATE:
        if frame.v[DICE] > 0 and not frame.v[FATED] and not is_hostile(s, attacker) and is_active(s, attacker):
            if code < 0:
                return ask(s, DECISION_FATE, s.d.figure[attacker].player)
            if code == VERB_YES:
                frame.v[FATED] = 1
                frame.pc = ATTACK_REROLLED
                add_trace(s, EVENT_FATE_TEMPTED, attacker)
                receive_noirceur(s, attacker, CHANGE_CAUSE_FATE)
                if not s.d.over:
                    ask_roll(
                        s, attacker, STAT_SHOOT if frame.v[ATTACK_KIND] == ATTACK_KIND_RANGED else STAT_COMBAT,
                        frame.v[DICE], frame.v[DIFFICULTY],
                    )
                return 0
        frame.pc = ATTACK_COUNTED
        raise_event(s, TRIGGER_ROLLED, attacker, frame.v[DEFENDER])
    else:
        frame.v[SUCCESSES] = s.d.result
        frame.pc = ATTACK_FATE
    return 0


cdef int successes_dodged(const Frame* frame) noexcept:
    """The successes that a dodge takes away, with those added to it."""
    return max(0, frame.v[DODGED] + frame.v[DODGE_ADDED])


cdef int tactic_step(StateBase s, Frame* frame, int code) except -1:
    """Ask for the tactic and carry it out (OLO-SEQ-07, 08, OLO-TACT)."""
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], pc = frame.pc, pushed
    if pc == ATTACK_COUNTED:
        end_within(s, UNTIL_ROLL, s.d.depth - 1)
        frame.v[NET] = max(0, max(0, frame.v[SUCCESSES] + frame.v[ADDED]) - successes_dodged(frame))
        add_trace(s, EVENT_ATTACK_RESOLVED, attacker, target, frame.v[NET])
        frame.pc = ATTACK_WOUNDING
        if frame.v[ATTACK_KIND] == ATTACK_KIND_FRONTAL and frame.v[NET] and not is_hostile(s, attacker) and on_bloc(s, attacker):
            frame.pc = ATTACK_TACTIC
        return 0
    if pc == ATTACK_TACTIC:
        if code < 0:
            return ask(s, DECISION_TACTIC, s.d.figure[attacker].player)
        if code == VERB_NO:
            frame.pc = ATTACK_WOUNDING
            return 0
        frame.v[TACTIC_TAKEN] = first_argument(code) + 1
        add_trace(s, EVENT_TACTIC_CHOSEN, attacker, frame.v[TACTIC_TAKEN])
        if frame.v[TACTIC_TAKEN] == TACTIC_STUN:
            frame.v[NET] -= 2
            frame.pc = ATTACK_WOUNDING
            set_state(s, target, STATE_STUNNED, True)
            return 0
        frame.v[NET] -= 1
        frame.pc = ATTACK_PUSHING
        ask_go(s, PUSH, attacker if frame.v[TACTIC_TAKEN] == TACTIC_PUSH_SELF else target, DECISION_PUSH, s.d.figure[attacker].player)
        return 0
    frame.pc = ATTACK_WOUNDING
    pushed = attacker if frame.v[TACTIC_TAKEN] == TACTIC_PUSH_SELF else target
    if s.d.result >= 0 and on_bloc(s, pushed):
        relocate(s, pushed, s.d.result, MOVEMENT_PUSH)
    return 0

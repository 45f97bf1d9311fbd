# Combat: legal targets, reactions, the attack sequence, opportunity attacks.

# -- targets and reactions ---------------------------------------------------------------------------------------------
# Legal targets, and the rouages that may react (OLO-ATT, SHOT, RIPO, DODGE, OPP, HOST-05).

cdef uint64_t frontal_targets(StateBase m, int figure, int bit) except? 0xFFFFFFFF:
    """The foes that a figure engages, sees and has dice against (OLO-ATT-02, OLO-ROLL-08)."""
    return with_dice(m, figure, STAT_COMBAT, bit, engaged_foes_in_sight(m, figure, bit), False)


cdef uint64_t with_dice(StateBase m, int figure, int stat, int bit, uint64_t targets, bint shooting) except? 0xFFFFFFFF:
    """The targets against which a figure would roll at least one die."""
    cdef uint64_t left = targets
    cdef int foe
    while left:
        foe = lowest(left)
        left &= left - 1
        if not has_dice(m, figure, stat, ROLE_ATTACKER, bit, foe, shooting):
            targets &= ~(<uint64_t> 1 << foe)
    return targets


cdef uint64_t engaged_foes_in_sight(StateBase m, int figure, int bit) except? 0xFFFFFFFF:
    """The foes that a figure engages and sees (OLO-ATT-02)."""
    cdef uint64_t left = foes_of(m, figure), found = 0
    cdef bint apart, blind
    cdef int foe
    if not left or not on_bloc(m, figure):
        return 0
    apart, blind = lifted(m, figure, bit, IGNORE_ENGAGED), lifted(m, figure, bit, IGNORE_SIGHT)
    while left:
        foe = lowest(left)
        left &= left - 1
        if (apart or engages(m, figure, foe)) and (blind or sees(m, figure, foe)):
            found |= <uint64_t> 1 << foe
    return found


cdef uint64_t ranged_targets(StateBase m, int figure, int bit) except? 0xFFFFFFFF:
    """The nearest foes, several on an exact tie, that a free figure may shoot at with dice left (OLO-SHOT-01 to 06)."""
    return with_dice(m, figure, STAT_SHOOT, bit, nearest_shooting_targets(m, figure, bit), True)


cdef uint64_t nearest_shooting_targets(StateBase m, int figure, int bit) except? 0xFFFFFFFF:
    """The nearest of the foes that a free figure may shoot at (OLO-SHOT-01 to 03)."""
    cdef uint64_t left = foes_of(m, figure), found = 0
    cdef int foe
    if not on_bloc(m, figure) or not left or engaged(m, figure) and not lifted(m, figure, bit, IGNORE_FREE):
        return 0
    while left:
        foe = lowest(left)
        left &= left - 1
        if can_shoot_at(m, figure, foe, bit):
            found |= <uint64_t> 1 << foe
    if found and not lifted(m, figure, bit, IGNORE_NEAREST):
        found = nearest_of(&m.board.scenery, &m.t.discs, m.t.discs.x[figure], m.t.discs.y[figure], found)
    return found


cdef bint can_shoot_at(StateBase m, int figure, int target, int bit) except -1:
    """Whether a foe is in sight and free (OLO-SHOT-02)."""
    if not on_bloc(m, target) or engaged(m, target) and not lifted(m, figure, bit, IGNORE_ENGAGED):
        return False
    return sees(m, figure, target) or lifted(m, figure, bit, IGNORE_SIGHT)


cdef bint has_dice(StateBase m, int figure, int stat, int role, int bit, int target, bint shooting) except -1:
    """Whether a characteristic above 0 would be rolled with at least one die (OLO-GEN-08, OLO-ROLL-08)."""
    cdef Pool pool
    if not stat_of(m, figure, stat):
        return False
    if not shooting and not (m.t.lasting_count or m.t.continuous >> OP_MOD & 1):
        return True
    pool = pool_of(m, figure, stat, role, bit, target, False, shooting)
    return pool.dice > 0


# -- reactions ------------------------------------------------------------------------------------------------------------

cdef int reaction_cost(StateBase m, int figure, int slot) except -1:
    """Tokens that a reaction costs; hostiles have none and pay none (OLO-HOST-04)."""
    if is_hostile(m, figure) or costs_nothing(m, figure, slot):
        return 0
    if slot == USE_DODGE:
        return 1
    return m.rules.riposte_ap if slot == USE_RIPOSTE else m.rules.opportunity_ap


cdef bint may_react(StateBase m, int figure, int slot) except -1:
    """Whether a figure on the board, not stunned, has the tokens and a use left for a reaction.

    Nothing answers what the start Mechanism does (OLO-MECH-05).
    """
    cdef Figure* f = &m.t.figure[figure]
    cdef int limit
    if m.t.starting or not on_bloc(m, figure) or stunned(m, figure) or forbidden(m, figure, slot):
        return False
    if is_hostile(m, figure):
        if m.rules.hostile_reactions:
            return m.rules.hostile_reactions == 2
        limit = m.rules.card[f.card].reactions[0 if slot == USE_RIPOSTE else 1 if slot == USE_DODGE else 2]
        return f.used[slot] < limit + more_uses(m, figure, slot)
    if f.ap < reaction_cost(m, figure, slot):
        return False
    limit = m.rules.dodge_limit
    if slot == USE_RIPOSTE:
        limit = m.rules.riposte_limit
    elif slot == USE_OPPORTUNITY:
        limit = m.rules.opportunity_limit
    return limit == 0 or f.used[slot] < limit + more_uses(m, figure, slot)


cdef bint may_dodge(StateBase m, int figure, int attacker) except -1:
    """Whether a figure may dodge (OLO-DODGE-01); it must see the attacker, which is its target (OLO-LOS-05)."""
    return (
        may_react(m, figure, USE_DODGE) and has_dice(m, figure, STAT_DODGE, ROLE_DEFENDER, USE_DODGE, attacker, False)
        and (sees(m, figure, attacker) or lifted(m, figure, USE_DODGE, IGNORE_SIGHT))
    )


cdef bint may_riposte(StateBase m, int figure, int attacker, bint shooting) except -1:
    """Whether a figure may make a riposte: with Combat in its threat zone, with Shooting as in a shot at any foe (OLO-RIPO-02)."""
    if not may_react(m, figure, USE_RIPOSTE) or not on_bloc(m, attacker):
        return False
    if shooting:
        return (
            (not engaged(m, figure) or lifted(m, figure, USE_RIPOSTE, IGNORE_FREE)) and can_shoot_at(m, figure, attacker, USE_RIPOSTE)
            and has_dice(m, figure, STAT_SHOOT, ROLE_DEFENDER, USE_RIPOSTE, attacker, True)
        )
    return (
        in_zone(m, figure, attacker) and (sees(m, figure, attacker) or lifted(m, figure, USE_RIPOSTE, IGNORE_SIGHT))
        and has_dice(m, figure, STAT_COMBAT, ROLE_DEFENDER, USE_RIPOSTE, attacker, False)
    )


cdef bint may_attack_mover(StateBase m, int figure, int mover) except -1:
    """Whether a figure may make an opportunity attack on a mover in its zone (OLO-OPP-01 to 03)."""
    return (
        may_react(m, figure, USE_OPPORTUNITY) and in_zone(m, figure, mover)
        and (sees(m, figure, mover) or lifted(m, figure, USE_OPPORTUNITY, IGNORE_SIGHT))
        and has_dice(m, figure, STAT_COMBAT, ROLE_ATTACKER, USE_OPPORTUNITY, mover, False)
    )


cdef int pay_reaction(StateBase m, int figure, int slot) except -1:
    """Pay and count a reaction."""
    cdef Figure* f = &m.t.figure[figure]
    change_ap(m, figure, -reaction_cost(m, figure, slot), CHANGE_CAUSE_COST, slot)
    f.used[slot] = min(255, f.used[slot] + 1)
    return 0


# -- the attack sequence -----------------------------------------------------------------------------------------------
# The attack sequence (OLO-SEQ), frontal, ranged, in a charge, or by a specific capacity.
#
# A specific capacity that attacks opens the reaction window and then runs its effects: the reactions are rolled with the
# first roll in them.

# Stages of the attack sequence.
cdef enum:
    DECLARED = 0
    CHECKING = 1
    REACTING = 2
    SETTING = 3
    ATTACK_ROLLED = 4
    DODGE_ROLLED = 5
    RIPOSTE_ROLLED = 6
    FATE = 7
    REROLLED = 8
    COUNTED = 9
    TACTIC = 10
    PUSHING = 11
    WOUNDING = 12
    ANSWERING = 13
    ENDING = 14
    OVER = 15
    RUNNING = 16
    LATE_RIPOSTE = 18


cdef int start_attack(StateBase m, int attacker, int target, int kind, int slot, bint charging, int program) except -1:
    """Declare an attack that has been paid (OLO-SEQ-01); ``program`` -1, or the effects of a specific capacity."""
    cdef Frame* frame = push_frame(m, F_ATTACK)
    frame.v[ATTACKER], frame.v[DEFENDER], frame.v[ATTACK_KIND] = attacker, target, kind
    frame.v[ATTACK_SLOT], frame.v[CHARGING], frame.v[PROGRAM] = slot, charging, program
    add_trace(m, EVENT_ATTACK_DECLARED, attacker, target, kind, slot)
    return 0


cdef int attack_bit(StateBase m, const Frame* frame) except -2:
    """The attacking capacity, as in ``Node.caps``."""
    cdef int slot = frame.v[ATTACK_SLOT]
    return slot if slot < SPECIFIC else SPECIFIC + capacity_at(m, frame.v[ATTACKER], slot)


cdef int attack_scope(StateBase m, const Frame* frame, int32_t* scope, int capacity) except -1:
    """The scope of the specific capacity whose attack is on top, with the names of the event that it answers to, if any."""
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER]
    new_scope(m, scope, attacker, capacity)
    if frame_at(m, m.t.depth - 2).kind == F_TRIGGERS:
        bind_answered(m, m.t.depth - 2, scope)
    scope[WHO_TARGET] = scope[WHO_DEFENDER] = target
    scope[WHO_ATTACKER] = attacker
    scope[ATTACKING] = frame.v[ATTACK_KIND]
    return 0


cdef bint still_legal(StateBase m, const Frame* frame) except -1:
    """Whether the attack is still legal (OLO-SEQ-02)."""
    cdef int32_t[VALUES] scope
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], bit
    if not on_bloc(m, attacker) or not on_bloc(m, target):
        return False
    bit = attack_bit(m, frame)
    if frame.v[PROGRAM] >= 0:
        capacity = m.rules.capacities[bit - SPECIFIC]
        attack_scope(m, frame, scope, bit - SPECIFIC)
        return capacity_targets(m, attacker, capacity, scope).discs >> target & 1
    if frame.v[ATTACK_KIND] == ATTACK_KIND_RANGED:
        return nearest_shooting_targets(m, attacker, bit) >> target & 1
    return engaged_foes_in_sight(m, attacker, bit) >> target & 1


# -- reactions ------------------------------------------------------------------------------------------------------------

cdef bint is_reaction(StateBase m, const Frame* frame, int code) except -1:
    """Whether REACT with a kind of reaction is possible, as things stand."""
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], kind = first_argument(code), taken = frame.v[REACTION]
    if not on_bloc(m, target) or not on_bloc(m, attacker):
        return False
    if taken and (not m.rules.both_reactions or taken > REACTION_RIPOSTE_SHOOT or kind >= SPECIFIC):
        return False
    if kind == 0:
        return taken != REACTION_DODGE and may_dodge(m, target, attacker)
    if kind == 1 or kind == 2:
        return (taken == 0 or taken == REACTION_DODGE) and may_riposte(m, target, attacker, kind == 2)
    return kind >= SPECIFIC and may_use_trigger(m, target, kind, TRIGGER_REACTION, attacker, target)


cdef int push_reactions(StateBase m, const Frame* frame, list found) except -1:
    """The reactions that are possible, as codes."""
    cdef int kind, i, target = frame.v[DEFENDER]
    for kind in range(3):
        if is_reaction(m, frame, VERB_REACT | kind << FIRST_SHIFT):
            found.append(VERB_REACT | kind << FIRST_SHIFT)
    for i in range(m.t.specific[target].count):
        kind = m.t.specific[target].slot[i]
        if m.t.specific[target].triggers >> TRIGGER_REACTION & 1 and is_reaction(m, frame, VERB_REACT | kind << FIRST_SHIFT):
            found.append(VERB_REACT | kind << FIRST_SHIFT)
    return 0


cdef int hostile_reaction(StateBase m, const Frame* frame) except -1:
    """The reaction of a hostile by its profile: -1 or a kind of REACT (OLO-HOST-05)."""
    cdef int turn, kind
    cdef bint first = m.rules.card[m.t.figure[frame.v[DEFENDER]].card].prefer_riposte
    for turn in range(2):
        if (turn == 0) == first:
            for kind in range(1, 3):
                if is_reaction(m, frame, VERB_REACT | kind << FIRST_SHIFT):
                    return VERB_REACT | kind << FIRST_SHIFT
        elif is_reaction(m, frame, VERB_REACT):
            return VERB_REACT
    return VERB_NO


cdef int react(StateBase m, Frame* frame, int code) except -1:
    """Declare and pay a reaction (OLO-SEQ-03)."""
    cdef int kind = first_argument(code), target = frame.v[DEFENDER], capacity
    cdef int32_t[VALUES] scope
    if kind >= SPECIFIC:
        frame.v[REACTION] = kind
        capacity = capacity_at(m, target, kind)
        add_trace(m, EVENT_REACTION_DECLARED, target, REACTION_CAPACITY, capacity)
        pay(m, target, kind)
        new_scope(m, scope, target, capacity)
        scope[WHO_ATTACKER], scope[WHO_DEFENDER] = frame.v[ATTACKER], target
        scope[ATTACKING] = m.rules.capacities[capacity].attack
        run_program(m, m.rules.capacities[capacity].program, scope, True)
        return 0
    add_trace(m, EVENT_REACTION_DECLARED, target, kind + 1, -1)
    pay_reaction(m, target, USE_DODGE if kind == 0 else USE_RIPOSTE)
    if frame.v[REACTION]:
        frame.v[SECOND_REACTION] = kind + 1
    else:
        frame.v[REACTION] = kind + 1
    return 0


cdef Pool reaction_pool(StateBase m, const Frame* frame, int kind) except *:
    """Dice and difficulty of a dodge or riposte, from present positions and states (OLO-SEQ-04); ``kind`` as in REACTION."""
    cdef int stat = STAT_DODGE if kind == REACTION_DODGE else STAT_SHOOT if kind == REACTION_RIPOSTE_SHOOT else STAT_COMBAT
    return fixed_pool(
        m, frame.v[DEFENDER], stat, ROLE_DEFENDER, USE_DODGE if kind == REACTION_DODGE else USE_RIPOSTE, frame.v[ATTACKER], False, kind == REACTION_RIPOSTE_SHOOT
    )


cdef int set_reactions(StateBase m, Frame* frame) except -1:
    """Fix dice and difficulty of the reactions from present positions and states (OLO-SEQ-04)."""
    cdef int i, kind
    cdef Pool pool
    for i in range(2):
        kind = frame.v[REACTION + i]
        if kind == 0 or kind > REACTION_RIPOSTE_SHOOT:
            continue
        pool = reaction_pool(m, frame, kind)
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


cdef int roll_reactions(StateBase m, Frame* frame) except -1:
    """Roll the next reaction in the declared order (OLO-REACT-01); returns whether there was one. ROLLED_FOR counts them."""
    cdef int reaction
    while frame.v[ROLLED_FOR] < 2:
        reaction = frame.v[REACTION + frame.v[ROLLED_FOR]]
        frame.v[ROLLED_FOR] += 1
        if reaction == REACTION_DODGE:
            ask_roll(m, frame.v[DEFENDER], STAT_DODGE, frame.v[DODGE_DICE], frame.v[DODGE_DIFFICULTY])
            return 1
        if is_riposte(reaction):
            ask_roll(m, frame.v[DEFENDER], frame.v[RIPOSTE_STAT], frame.v[RIPOSTE_DICE], frame.v[RIPOSTE_DIFFICULTY])
            return 1
    return 0


# -- the sequence ---------------------------------------------------------------------------------------------------------

cdef int attack_step(StateBase m, Frame* frame, int code) except -1:
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], pc = frame.pc
    if pc == DECLARED:
        frame.pc = CHECKING
        raise_event(m, TRIGGER_ATTACK_DECLARED, attacker, target)
    elif pc == CHECKING:
        # Nothing is refunded (A43).
        frame.pc = REACTING if still_legal(m, frame) else ENDING
    elif pc == REACTING:
        return reaction_window(m, frame, code)
    elif pc == SETTING:
        set_pools(m, frame)
    elif pc <= REROLLED:
        return rolls(m, frame, code)
    elif pc <= PUSHING:
        return tactic(m, frame, code)
    elif pc == WOUNDING:
        frame.pc = ANSWERING
        wound(m, target, frame.v[NET], attacker, True)
    elif pc == ANSWERING:
        frame.pc = ENDING
        if m.rules.felled_riposte or on_bloc(m, target):
            wound(m, attacker, frame.v[RIPOSTED] + frame.v[RIPOSTE_ADDED], target, True)
    elif pc == ENDING:
        frame.pc = OVER
        raise_event(m, TRIGGER_ATTACK_END, attacker, target)
    elif pc == OVER:
        end_within(m, UNTIL_ATTACK, m.t.depth - 1)
        end_within(m, UNTIL_ROLL, m.t.depth - 1)
        pop_frame(m, 1)
    elif pc == RUNNING:
        # The effects of a capacity are done; a riposte that no roll of theirs came with is rolled now. A dodge has nothing to cancel.
        frame.pc = ANSWERING
        if frame.v[ROLLED_FOR] == 0:
            frame.v[ROLLED_FOR] = 0 if is_riposte(frame.v[REACTION]) else 1
            if is_riposte(frame.v[REACTION + frame.v[ROLLED_FOR]]):
                frame.pc = LATE_RIPOSTE
                roll_reactions(m, frame)
    else:
        frame.v[RIPOSTED] = m.t.result
        frame.pc = ANSWERING
    return 0


cdef int reaction_window(StateBase m, Frame* frame, int code) except -1:
    """Ask for reactions: one, or by the option both a riposte and a dodge (OLO-SEQ-03, OLO-REACT-01)."""
    cdef list possible
    if code < 0:
        if is_hostile(m, frame.v[DEFENDER]):
            code = hostile_reaction(m, frame)
        else:
            possible = []
            push_reactions(m, frame, possible)
            if possible:
                return ask(m, DECISION_REACT, m.t.figure[frame.v[DEFENDER]].player)
            code = VERB_NO
    if code == VERB_NO:
        frame.pc = SETTING
    else:
        if frame.v[REACTION] or not m.rules.both_reactions:
            frame.pc = SETTING
        react(m, frame, code)
    return 0


cdef int set_pools(StateBase m, Frame* frame) except -1:
    """Fix the pools and make the attack roll, or run the effects of a specific capacity (OLO-SEQ-04)."""
    cdef Pool pool
    cdef int32_t[VALUES] scope
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], bit, stat
    # An effect of the reaction may have changed what is possible.
    if not on_bloc(m, attacker) or not on_bloc(m, target):
        frame.pc = ENDING
        return 0
    bit = attack_bit(m, frame)
    set_reactions(m, frame)
    if frame.v[PROGRAM] >= 0:
        frame.pc = RUNNING
        attack_scope(m, frame, scope, bit - SPECIFIC)
        run_program(m, frame.v[PROGRAM], scope, True)
        return 0
    stat = STAT_SHOOT if frame.v[ATTACK_KIND] == ATTACK_KIND_RANGED else STAT_COMBAT
    pool = fixed_pool(m, attacker, stat, ROLE_ATTACKER, bit, target, frame.v[CHARGING], stat == STAT_SHOOT)
    frame.v[DICE], frame.v[DIFFICULTY], frame.v[ADDED] = pool.dice, pool.difficulty, pool.added
    frame.pc = ATTACK_ROLLED
    ask_roll(m, attacker, stat, pool.dice, pool.difficulty)
    return 0


cdef int rolls(StateBase m, Frame* frame, int code) except -1:
    """Make both rolls, then offer fate (OLO-SEQ-05, 06, OLO-FATE-04)."""
    cdef int attacker = frame.v[ATTACKER], pc = frame.pc
    if pc == ATTACK_ROLLED:
        frame.v[SUCCESSES] = m.t.result
        frame.pc = DODGE_ROLLED
    elif pc == DODGE_ROLLED or pc == RIPOSTE_ROLLED:
        if pc == RIPOSTE_ROLLED:
            if rolled_dodge(frame):
                frame.v[DODGED] = m.t.result
            else:
                frame.v[RIPOSTED] = m.t.result
        frame.pc = RIPOSTE_ROLLED if roll_reactions(m, frame) else FATE
        return 0
    elif pc == FATE:
        if frame.v[DICE] > 0 and not frame.v[FATED] and not is_hostile(m, attacker) and is_active(m, attacker):
            if code < 0:
                return ask(m, DECISION_FATE, m.t.figure[attacker].player)
            if code == VERB_YES:
                frame.v[FATED] = 1
                frame.pc = REROLLED
                add_trace(m, EVENT_FATE_TEMPTED, attacker)
                receive_noirceur(m, attacker, CHANGE_CAUSE_FATE)
                if not m.t.over:
                    ask_roll(
                        m, attacker, STAT_SHOOT if frame.v[ATTACK_KIND] == ATTACK_KIND_RANGED else STAT_COMBAT,
                        frame.v[DICE], frame.v[DIFFICULTY],
                    )
                return 0
        frame.pc = COUNTED
        raise_event(m, TRIGGER_ROLLED, attacker, frame.v[DEFENDER])
    else:
        frame.v[SUCCESSES] = m.t.result
        frame.pc = FATE
    return 0


cdef int dodged(const Frame* frame) noexcept:
    """The successes that a dodge takes away, with those added to it."""
    return max(0, frame.v[DODGED] + frame.v[DODGE_ADDED])


cdef int tactic(StateBase m, Frame* frame, int code) except -1:
    """Ask for the tactic and carry it out (OLO-SEQ-07, 08, OLO-TACT)."""
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], pc = frame.pc, pushed
    if pc == COUNTED:
        end_within(m, UNTIL_ROLL, m.t.depth - 1)
        frame.v[NET] = max(0, max(0, frame.v[SUCCESSES] + frame.v[ADDED]) - dodged(frame))
        add_trace(m, EVENT_ATTACK_RESOLVED, attacker, target, frame.v[NET])
        frame.pc = WOUNDING
        if frame.v[ATTACK_KIND] == ATTACK_KIND_FRONTAL and frame.v[NET] and not is_hostile(m, attacker) and on_bloc(m, attacker):
            frame.pc = TACTIC
        return 0
    if pc == TACTIC:
        if code < 0:
            return ask(m, DECISION_TACTIC, m.t.figure[attacker].player)
        if code == VERB_NO:
            frame.pc = WOUNDING
            return 0
        frame.v[TACTIC_TAKEN] = first_argument(code) + 1
        add_trace(m, EVENT_TACTIC_CHOSEN, attacker, frame.v[TACTIC_TAKEN])
        if frame.v[TACTIC_TAKEN] == TACTIC_STUN:
            frame.v[NET] -= 2
            frame.pc = WOUNDING
            set_state(m, target, STATE_STUNNED, True)
            return 0
        frame.v[NET] -= 1
        frame.pc = PUSHING
        ask_go(m, PUSH, attacker if frame.v[TACTIC_TAKEN] == TACTIC_PUSH_SELF else target, DECISION_PUSH, m.t.figure[attacker].player)
        return 0
    frame.pc = WOUNDING
    pushed = attacker if frame.v[TACTIC_TAKEN] == TACTIC_PUSH_SELF else target
    if m.t.result >= 0 and on_bloc(m, pushed):
        relocate(m, pushed, m.t.result, MOVEMENT_PUSH)
    return 0

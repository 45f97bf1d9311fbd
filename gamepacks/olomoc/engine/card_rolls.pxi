# Effects of cards that roll characteristics, and rerolls.

# Stages of a roll. EXTRA holds its dice and difficulty, EXTRA2 its successes, EXTRA3 what is added, EXTRA4 whether it
# was rolled again by fate.
cdef enum:
    EFFECT_ROLL_FRESH = 0
    EFFECT_ROLL_ROLLED = 1
    EFFECT_ROLL_ANSWERED = 2
    EFFECT_ROLL_FATE = 3
    EFFECT_ROLL_AGAIN = 4
    EFFECT_ROLL_COUNTED = 5


cdef Frame* attack_of(StateBase s, Frame* frame) noexcept:
    """The attack by a specific capacity to which the effects of a frame belong; NULL if there is none."""
    cdef Frame* below
    cdef int i
    for i in range(s.d.depth - 1, -1, -1):
        below = frame_at(s, i)
        if below.kind == F_ATTACK:
            return below if below.v[PROGRAM] >= 0 else NULL
        if below.kind != F_EFFECTS:
            return NULL
    return NULL


cdef int roll_effect(StateBase s, Frame* frame, object node, int code) except -1:
    """Roll a characteristic, with support and fate (OLO-ROLL, OLO-FATE); reactions to the capacity are rolled with it."""
    cdef int who = frame.v[<int> node.who], stage = frame.v[STAGE], target = -1, of = node.of, taken
    cdef Frame* attack
    cdef Pool pool
    if of >= 0:
        target = frame.v[of]
    if stage == EFFECT_ROLL_FRESH:
        if not 0 <= who < FIGURES or not (on_bloc(s, who) or s.d.figure[who].where == PLACE_OFF):
            add_trace(s, EVENT_EFFECT_SKIPPED, node.index)
            return next_effect(frame)
        pool = fixed_pool(
            s, who, node.stat, ROLE_ATTACKER, SPECIFIC + frame.v[SOURCE] if frame.v[SOURCE] >= 0 else SPECIFIC - 1,
            target if target >= 0 and exists(s, target) else -1, False, False,
        )
        frame.v[EXTRA], frame.v[EXTRA3], frame.v[EXTRA4] = pool.dice << 8 | pool.difficulty, pool.added, 0
        frame.v[STAGE] = EFFECT_ROLL_ROLLED
        return ask_roll(s, who, node.stat, pool.dice, pool.difficulty)
    attack = attack_of(s, frame)
    if stage == EFFECT_ROLL_ROLLED or stage == EFFECT_ROLL_ANSWERED:
        if stage == EFFECT_ROLL_ROLLED:
            frame.v[EXTRA2] = s.d.result
        elif rolled_dodge(attack):
            attack.v[DODGED] = s.d.result
        else:
            attack.v[RIPOSTED] = s.d.result
        frame.v[STAGE] = EFFECT_ROLL_ANSWERED if attack != NULL and roll_reactions(s, attack) else EFFECT_ROLL_FATE
        return 0
    if stage == EFFECT_ROLL_FATE:
        if frame.v[EXTRA] >> 8 and not frame.v[EXTRA4] and not is_hostile(s, who) and is_active(s, who):
            if code < 0:
                return ask(s, DECISION_FATE, s.d.figure[who].player)
            if code == VERB_YES:
                frame.v[EXTRA4], frame.v[STAGE] = 1, EFFECT_ROLL_AGAIN
                add_trace(s, EVENT_FATE_TEMPTED, who)
                receive_noirceur(s, who, CHANGE_CAUSE_FATE)
                return 0 if s.d.over else ask_roll(s, who, node.stat, frame.v[EXTRA] >> 8, frame.v[EXTRA] & 255)
        frame.v[STAGE] = EFFECT_ROLL_COUNTED
        return raise_event(s, TRIGGER_ROLLED, who, target)
    if stage == EFFECT_ROLL_AGAIN:
        frame.v[EXTRA2], frame.v[STAGE] = s.d.result, EFFECT_ROLL_FATE
        return 0
    end_within(s, UNTIL_ROLL, roll_frame(s))
    frame.v[COUNT] = max(0, frame.v[EXTRA2] + frame.v[EXTRA3])
    if attack != NULL and who == attack.v[ATTACKER]:
        # A dodge does not take the same successes from a second roll (OLO-DODGE-01).
        taken = min(frame.v[COUNT], successes_dodged(attack))
        frame.v[COUNT] -= taken
        attack.v[DODGE_ADDED] -= taken
    next_effect(frame)
    return run_program(s, node.then if frame.v[COUNT] else node.otherwise, frame.v, False)


# -- rerolls ------------------------------------------------------------------------------------------------------------

cdef struct UnusedRoll:
    # A roll that was made and not used yet: its frame, the index of its successes there, the figure and the characteristic.
    Frame* frame
    int successes
    int roller
    int dice
    int difficulty
    int stat


cdef bint matches_roll_of(
    StateBase s, object on, int32_t* scope, int roller, int role, int bit, int stat, int target
) except -1:
    """Whether the filter ``on`` matches this roll."""
    cdef int who = on.who
    return (who < 0 or scope[who] == roller) and matches_roll(s, on, scope, role, bit, stat, target)


cdef UnusedRoll triggering_roll(StateBase s, object on, int32_t* scope) except *:
    """The roll that triggered, or the reaction rolled with it, if the filter ``on`` matches it; otherwise without a frame."""
    cdef UnusedRoll found = UnusedRoll(NULL, 0, -1, 0, 0, 0)
    cdef Frame* frame
    cdef int i, who, bit, of, stat
    cdef bint counted = False
    for i in range(s.d.depth - 1, -1, -1):
        frame = frame_at(s, i)
        if frame.kind == F_EFFECTS and frame.v[STAGE] == EFFECT_ROLL_COUNTED and not counted and is_roll(s, frame):
            # The reaction to a capacity that attacks is in the attack frame below.
            counted = True
            node = s.rules.programs[frame.v[RUNNING_PROGRAM]][frame.pc]
            who, of = frame.v[<int> node.who], node.of
            bit = SPECIFIC + frame.v[SOURCE] if frame.v[SOURCE] >= 0 else SPECIFIC - 1
            if matches_roll_of(s, on, scope, who, ROLE_ATTACKER, bit, node.stat, frame.v[of] if of >= 0 else -1):
                return UnusedRoll(frame, EXTRA2, who, frame.v[EXTRA] >> 8, frame.v[EXTRA] & 255, node.stat)
            if attack_of(s, frame) == NULL:
                return found
        elif frame.kind == F_WINDOW and not counted:
            if matches_roll_of(s, on, scope, frame.v[REACTOR], ROLE_ATTACKER, USE_OPPORTUNITY, STAT_COMBAT, frame.v[USER]):
                found = UnusedRoll(frame, SUCCESSES, frame.v[REACTOR], frame.v[DICE], frame.v[DIFFICULTY], STAT_COMBAT)
            return found
        elif frame.kind == F_ATTACK:
            who, of = frame.v[ATTACKER], frame.v[DEFENDER]
            bit, stat = attack_bit(s, frame), STAT_SHOOT if frame.v[ATTACK_KIND] == ATTACK_KIND_RANGED else STAT_COMBAT
            if not counted and matches_roll_of(s, on, scope, who, ROLE_ATTACKER, bit, stat, of):
                return UnusedRoll(frame, SUCCESSES, who, frame.v[DICE], frame.v[DIFFICULTY], stat)
            if frame.v[DODGE_DICE] and matches_roll_of(s, on, scope, of, ROLE_DEFENDER, USE_DODGE, STAT_DODGE, who):
                return UnusedRoll(frame, DODGED, of, frame.v[DODGE_DICE], frame.v[DODGE_DIFFICULTY], STAT_DODGE)
            if frame.v[RIPOSTE_DICE] and matches_roll_of(
                s, on, scope, of, ROLE_DEFENDER, USE_RIPOSTE, frame.v[RIPOSTE_STAT], who
            ):
                stat = frame.v[RIPOSTE_STAT]
                found = UnusedRoll(frame, RIPOSTED, of, frame.v[RIPOSTE_DICE], frame.v[RIPOSTE_DIFFICULTY], stat)
            return found
    return found


cdef bint is_roll(StateBase s, const Frame* frame) except -1:
    """Whether a frame of effects is at a roll."""
    cdef tuple program = s.rules.programs[frame.v[RUNNING_PROGRAM]]
    return frame.pc < len(program) and program[frame.pc].op == OP_ROLL


cdef int dice_to_reroll(StateBase s, object node, int32_t* scope, UnusedRoll* rolled) except -1:
    """The number of dice that an effect would reroll; the roll is put where ``rolled`` points."""
    cdef int count
    rolled[0] = triggering_roll(s, node.on, scope)
    if rolled.frame == NULL:
        return 0
    count = rolled.dice
    if node.flag:
        count = max(0, count - rolled.frame.v[rolled.successes])
    return count if node.n is None else max(0, min(count, value(s, node.n, scope)))


cdef bint rerolls_nothing(StateBase s, int program, int32_t* scope) except -1:
    """Whether a list of effects has only rerolls, and there is no die to reroll (OLO-CAP-08)."""
    cdef UnusedRoll rolled
    for node in s.rules.programs[program]:
        if node.op != OP_REROLL or dice_to_reroll(s, node, scope, &rolled):
            return False
    return True


cdef int reroll_effect(StateBase s, Frame* frame, object node) except -1:
    """Reroll the roll that triggered: all dice, or only failures, up to a number of them."""
    cdef UnusedRoll rolled
    cdef int count = dice_to_reroll(s, node, frame.v, &rolled), failures
    if frame.v[STAGE] == 0:
        if not count:
            add_trace(s, EVENT_EFFECT_SKIPPED, node.index)
            return next_effect(frame)
        # Failures first: a player would not throw away a success.
        failures = max(0, rolled.dice - rolled.frame.v[rolled.successes])
        frame.v[EXTRA] = max(0, rolled.frame.v[rolled.successes] - max(0, count - failures)) if count < rolled.dice else 0
        frame.v[STAGE] = 1
        add_trace(s, EVENT_ROLL_SET, rolled.roller, rolled.stat, count, rolled.difficulty)
        return ask_roll(s, rolled.roller, rolled.stat, count, rolled.difficulty)
    if rolled.frame != NULL:
        rolled.frame.v[rolled.successes] = frame.v[EXTRA] + s.d.result
    return next_effect(frame)

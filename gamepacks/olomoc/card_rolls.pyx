"""Effects of cards that roll characteristics, and that roll again."""

from libc.stdint cimport int32_t

from cext.geometry.board cimport DISCS, FIGURES
from gamepacks.olomoc.asking cimport ask_roll
from gamepacks.olomoc.attack cimport roll_reactions
from gamepacks.olomoc.facts cimport exists
from gamepacks.olomoc.harm cimport receive_noirceur
from gamepacks.olomoc.modifiers cimport Pool, pool_of
from gamepacks.olomoc.programs cimport run_program
from gamepacks.olomoc.query cimport is_active, value
from gamepacks.olomoc.table cimport (
    ADDED, ATTACKER, COUNT, D_FATE, DEFENDER, DICE, DIFFICULTY, DODGE_ADDED, DODGE_DICE, DODGED, EXTRA, EXTRA2, EXTRA3, EXTRA4,
    F_ATTACK, F_EFFECTS, F_WINDOW, PROGRAM, REACTOR, RIPOSTE_ADDED, RIPOSTED, RIPOSTE_DICE, ROLLED_FOR, SOURCE, SPECIFIC, STAGE,
    SUCCESSES, USER, V_YES, ask, end_effects, is_hostile, note, on_bloc, raise_event, OFF,
)
from gamepacks.olomoc.terms cimport (
    N_EFFECT_SKIPPED, N_FATE_TEMPTED, ROLE_ANY, ROLE_ATTACKER, ROLE_DEFENDER, T_ROLLED, U_ROLL,
)

# How far a roll is. EXTRA holds its dice and difficulty, EXTRA2 its successes, EXTRA3 what is added, EXTRA4 whether it
# was rolled again by fate.
cdef enum:
    FRESH = 0
    ROLLED = 1
    ANSWERED = 2
    FATE = 3
    AGAIN = 4
    COUNTED = 5


cdef inline int next_effect(Frame* frame) noexcept:
    frame.pc += 1
    frame.v[STAGE] = 0
    return 0


cdef Frame* attack_of(OlomocTable m, Frame* frame) noexcept:
    """The attack by a specific capacity to which the effects of a frame belong; NULL if they are none."""
    cdef int i
    for i in range(m.t.depth - 1, -1, -1):
        if m.t.frame[i].kind == F_ATTACK:
            return &m.t.frame[i] if m.t.frame[i].v[PROGRAM] >= 0 else NULL
        if m.t.frame[i].kind != F_EFFECTS:
            return NULL
    return NULL


cdef int roll_effect(OlomocTable m, Frame* frame, object node, int code) except -1:
    """A characteristic roll with support and fate (OLO-ROLL, OLO-FATE); reactions to the capacity are rolled with it."""
    cdef int who = frame.v[<int> node.who], stage = frame.v[STAGE], target = -1, of = node.of
    cdef Frame* attack
    cdef Pool pool
    if of >= 0:
        target = frame.v[of]
    if stage == FRESH:
        if not 0 <= who < FIGURES or not (on_bloc(m, who) or m.t.figure[who].where == OFF):
            note(m, N_EFFECT_SKIPPED, node.index)
            return next_effect(frame)
        pool = pool_of(
            m, who, node.stat, ROLE_ATTACKER, SPECIFIC + frame.v[SOURCE] if frame.v[SOURCE] >= 0 else SPECIFIC - 1,
            target if target >= 0 and exists(m, target) else -1, False, False,
        )
        frame.v[EXTRA], frame.v[EXTRA3], frame.v[EXTRA4] = pool.dice << 8 | pool.difficulty, pool.added, 0
        frame.v[STAGE] = ROLLED
        return ask_roll(m, who, node.stat, pool.dice, pool.difficulty)
    attack = attack_of(m, frame)
    if stage == ROLLED or stage == ANSWERED:
        if stage == ROLLED:
            frame.v[EXTRA2] = m.t.result
        elif attack.v[ROLLED_FOR] == 1:
            attack.v[DODGED] = max(0, m.t.result + attack.v[DODGE_ADDED])
        else:
            attack.v[RIPOSTED] = max(0, m.t.result + attack.v[RIPOSTE_ADDED])
        frame.v[STAGE] = ANSWERED if attack != NULL and roll_reactions(m, attack) else FATE
        return 0
    if stage == FATE:
        if frame.v[EXTRA] >> 8 and not frame.v[EXTRA4] and not is_hostile(m, who) and is_active(m, who):
            if code < 0:
                return ask(m, D_FATE, m.t.figure[who].player)
            if code == V_YES:
                frame.v[EXTRA4], frame.v[STAGE] = 1, AGAIN
                note(m, N_FATE_TEMPTED, who)
                receive_noirceur(m, who)
                return 0 if m.t.over else ask_roll(m, who, node.stat, frame.v[EXTRA] >> 8, frame.v[EXTRA] & 255)
        frame.v[STAGE] = COUNTED
        frame.v[EXTRA2] = max(0, frame.v[EXTRA2] + frame.v[EXTRA3])
        return raise_event(m, T_ROLLED, who, target)
    if stage == AGAIN:
        frame.v[EXTRA2], frame.v[STAGE] = m.t.result, FATE
        return 0
    end_effects(m, U_ROLL)
    frame.v[COUNT] = frame.v[EXTRA2]
    if attack != NULL:
        frame.v[COUNT] = max(0, frame.v[COUNT] - attack.v[DODGED])
    next_effect(frame)
    return run_program(m, node.then if frame.v[COUNT] else node.otherwise, frame.v, False)


# -- rolling again ------------------------------------------------------------------------------------------------------

cdef Frame* rolling(OlomocTable m, int* dice, int* difficulty, int* successes, int* roller, object on, int32_t* scope) noexcept:
    """The roll that triggered, of those that ``on`` means: where its successes stand; NULL if there is none."""
    cdef Frame* frame
    cdef int i, who = on.who, role = on.role
    if who >= 0:
        who = scope[who]
    for i in range(m.t.depth - 1, -1, -1):
        frame = &m.t.frame[i]
        if frame.kind == F_ATTACK:
            if (who < 0 or who == frame.v[ATTACKER]) and role != ROLE_DEFENDER:
                dice[0], difficulty[0], successes[0], roller[0] = frame.v[DICE], frame.v[DIFFICULTY], SUCCESSES, frame.v[ATTACKER]
                return frame
            if (who < 0 or who == frame.v[DEFENDER]) and role != ROLE_ATTACKER and frame.v[ROLLED_FOR]:
                roller[0] = frame.v[DEFENDER]
                if frame.v[ROLLED_FOR] == 1 and frame.v[DODGE_DICE]:
                    dice[0], difficulty[0], successes[0] = frame.v[DODGE_DICE], frame.v[DODGE_DICE + 1], DODGED
                else:
                    dice[0], difficulty[0], successes[0] = frame.v[RIPOSTE_DICE], frame.v[RIPOSTE_DICE + 1], RIPOSTED
                return frame
            return NULL
        if frame.kind == F_WINDOW and (who < 0 or who == frame.v[REACTOR]):
            dice[0], difficulty[0], successes[0], roller[0] = frame.v[DICE], frame.v[DIFFICULTY], SUCCESSES, frame.v[REACTOR]
            return frame
        if frame.kind == F_EFFECTS and frame.v[STAGE] == COUNTED and frame.v[EXTRA] >> 8:
            dice[0], difficulty[0], successes[0], roller[0] = frame.v[EXTRA] >> 8, frame.v[EXTRA] & 255, EXTRA2, frame.v[0]
            return frame
    return NULL


cdef int reroll_effect(OlomocTable m, Frame* frame, object node) except -1:
    """Roll again what triggered: all dice, or the failures only, so many at most."""
    cdef int dice = 0, difficulty = 0, place = 0, roller = 0, count
    cdef Frame* rolled = rolling(m, &dice, &difficulty, &place, &roller, node.on, frame.v)
    if rolled == NULL or dice == 0:
        note(m, N_EFFECT_SKIPPED, node.index)
        return next_effect(frame)
    if frame.v[STAGE] == 0:
        count = dice
        if node.flag:
            count = max(0, dice - rolled.v[place])
        if node.n is not None:
            count = min(count, value(m, node.n, frame.v))
        if count <= 0:
            return next_effect(frame)
        # Failures first: a player would not throw away a success.
        frame.v[EXTRA] = max(0, rolled.v[place] - max(0, count - max(0, dice - rolled.v[place]))) if count < dice else 0
        frame.v[STAGE] = 1
        return ask_roll(m, roller, 0, count, difficulty)
    rolled.v[place] = frame.v[EXTRA] + m.t.result
    return next_effect(frame)

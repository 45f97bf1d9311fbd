"""The attack sequence (OLO-SEQ), frontal, ranged, in a charge, or by a specific capacity.

A specific capacity that attacks opens the reaction window and then runs its effects: the reactions are rolled with the
first roll in them.
"""

from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.asking cimport ask_roll, first_argument
from gamepacks.olomoc.engine.capacities cimport capacity_at, capacity_targets, may_use_trigger, pay
from gamepacks.olomoc.engine.facts cimport engages, is_free, sees
from gamepacks.olomoc.engine.harm cimport receive_noirceur, set_state, wound
from gamepacks.olomoc.engine.modifiers cimport Pool, fixed_pool, lifted
from gamepacks.olomoc.engine.moves cimport ask_go, relocate
from gamepacks.olomoc.engine.programs cimport run_program
from gamepacks.olomoc.engine.query cimport is_active, new_scope
from gamepacks.olomoc.engine.table cimport (
    ADDED, ATTACK_KIND, ATTACK_SLOT, ATTACKER, ATTACKING, CHARGING, CHARGE_UP, D_FATE, D_PUSH, D_REACT, D_TACTIC, DEFENDER, DICE,
    DIFFICULTY, DODGE, DODGE_ADDED, DODGE_DICE, DODGE_DIFFICULTY, DODGED, F_ATTACK, F_TRIGGERS, FATED, NET, PROGRAM, REACTION, RIPOSTE,
    RIPOSTE_ADDED, RIPOSTE_DICE, RIPOSTE_DIFFICULTY, RIPOSTE_STAT, RIPOSTED, ROLLED_FOR, SECOND_REACTION, SPECIFIC, SUCCESSES,
    TACTIC_TAKEN, V_NO, V_REACT, V_YES, VALUES, ask, end_within, is_hostile, note, on_bloc, pop_frame,
    frame_at, push_frame, raise_event, top,
)
from gamepacks.olomoc.engine.targets cimport (
    aimed_at, may_dodge, may_riposte, pay_reaction, struck,
)
from gamepacks.olomoc.engine.triggers cimport bind_answered
from gamepacks.olomoc.terms cimport (
    A_FRONTAL, A_RANGED, HOW_PUSH, N_ATTACK_DECLARED, N_ATTACK_RESOLVED, N_FATE_TEMPTED, N_REACTION_DECLARED, N_TACTIC_CHOSEN,
    ROLE_ATTACKER, ROLE_DEFENDER, STAT_COMBAT, STAT_DODGE, STAT_SHOOT, T_ATTACK_DECLARED, T_ATTACK_END, T_REACTION, T_ROLLED,
    U_ATTACK, U_ROLL, WHO_ATTACKER, WHO_DEFENDER, WHO_TARGET, WHY_FATE,
)
from cext.geometry.plan cimport PUSH

# What is done of the sequence.
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
    # Reactions as in REACT, plus one; 0 for none.
    BY_DODGE = 1
    BY_COMBAT = 2
    BY_SHOOTING = 3


cdef int start_attack(OlomocTable m, int attacker, int target, int kind, int slot, bint charging, int program) except -1:
    """Declare an attack that has been paid (OLO-SEQ-01); ``program`` -1, or the effects of a specific capacity."""
    cdef Frame* frame = push_frame(m, F_ATTACK)
    frame.v[ATTACKER], frame.v[DEFENDER], frame.v[ATTACK_KIND] = attacker, target, kind
    frame.v[ATTACK_SLOT], frame.v[CHARGING], frame.v[PROGRAM] = slot, charging, program
    note(m, N_ATTACK_DECLARED, attacker, target, kind, slot)
    return 0


cdef int attack_bit(OlomocTable m, const Frame* frame) except -2:
    """The attacking capacity, as in ``Node.caps``."""
    cdef int slot = frame.v[ATTACK_SLOT]
    return slot if slot < SPECIFIC else SPECIFIC + capacity_at(m, frame.v[ATTACKER], slot)


cdef int attack_scope(OlomocTable m, const Frame* frame, int32_t* scope, int capacity) except -1:
    """The scope of the specific capacity whose attack is on top; of one that answers to a moment, with the names of that."""
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER]
    new_scope(m, scope, attacker, capacity)
    if frame_at(m, m.t.depth - 2).kind == F_TRIGGERS:
        bind_answered(m, m.t.depth - 2, scope)
    scope[WHO_TARGET] = scope[WHO_DEFENDER] = target
    scope[WHO_ATTACKER] = attacker
    scope[ATTACKING] = frame.v[ATTACK_KIND]
    return 0


cdef bint still_legal(OlomocTable m, const Frame* frame) except -1:
    """OLO-SEQ-02."""
    cdef int32_t[VALUES] scope
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], bit
    if not on_bloc(m, attacker) or not on_bloc(m, target):
        return False
    bit = attack_bit(m, frame)
    if frame.v[PROGRAM] >= 0:
        capacity = m.rules.capacities[bit - SPECIFIC]
        attack_scope(m, frame, scope, bit - SPECIFIC)
        return capacity_targets(m, attacker, capacity, scope).discs >> target & 1
    if frame.v[ATTACK_KIND] == A_RANGED:
        return aimed_at(m, attacker, bit) >> target & 1
    return struck(m, attacker, bit) >> target & 1


# -- reactions ------------------------------------------------------------------------------------------------------------

cdef bint is_reaction(OlomocTable m, const Frame* frame, int code) except -1:
    """Whether REACT with a kind of reaction is possible, as things stand."""
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], kind = first_argument(code), taken = frame.v[REACTION]
    if not on_bloc(m, target) or not on_bloc(m, attacker):
        return False
    if taken and (not m.rules.both_reactions or taken > BY_SHOOTING or kind >= SPECIFIC):
        return False
    if kind == 0:
        return taken != BY_DODGE and may_dodge(m, target, attacker)
    if kind == 1 or kind == 2:
        return (taken == 0 or taken == BY_DODGE) and may_riposte(m, target, attacker, kind == 2)
    return kind >= SPECIFIC and may_use_trigger(m, target, kind, T_REACTION, attacker, target)


cdef int push_reactions(OlomocTable m, const Frame* frame, list found) except -1:
    """The reactions that are possible, as codes."""
    cdef int kind, i, target = frame.v[DEFENDER]
    for kind in range(3):
        if is_reaction(m, frame, V_REACT | kind << 18):
            found.append(V_REACT | kind << 18)
    for i in range(m.t.specific[target].count):
        kind = m.t.specific[target].slot[i]
        if m.t.specific[target].triggers >> T_REACTION & 1 and is_reaction(m, frame, V_REACT | kind << 18):
            found.append(V_REACT | kind << 18)
    return 0


cdef int hostile_reaction(OlomocTable m, const Frame* frame) except -1:
    """What a hostile does by its profile: -1 or a kind of REACT (OLO-HOST-05)."""
    cdef int turn, kind
    cdef bint first = m.rules.card[m.t.figure[frame.v[DEFENDER]].card].prefer_riposte
    for turn in range(2):
        if (turn == 0) == first:
            for kind in range(1, 3):
                if is_reaction(m, frame, V_REACT | kind << 18):
                    return V_REACT | kind << 18
        elif is_reaction(m, frame, V_REACT):
            return V_REACT
    return V_NO


cdef int react(OlomocTable m, Frame* frame, int code) except -1:
    """Declare and pay a reaction (OLO-SEQ-03)."""
    cdef int kind = first_argument(code), target = frame.v[DEFENDER], capacity
    cdef int32_t[VALUES] scope
    if kind >= SPECIFIC:
        frame.v[REACTION] = kind
        capacity = capacity_at(m, target, kind)
        note(m, N_REACTION_DECLARED, target, 3, capacity)
        pay(m, target, kind)
        new_scope(m, scope, target, capacity)
        scope[WHO_ATTACKER], scope[WHO_DEFENDER] = frame.v[ATTACKER], target
        scope[ATTACKING] = m.rules.capacities[capacity].attack
        run_program(m, m.rules.capacities[capacity].program, scope, True)
        return 0
    note(m, N_REACTION_DECLARED, target, kind, -1)
    pay_reaction(m, target, DODGE if kind == 0 else RIPOSTE)
    if frame.v[REACTION]:
        frame.v[SECOND_REACTION] = kind + 1
    else:
        frame.v[REACTION] = kind + 1
    return 0


cdef Pool reaction_pool(OlomocTable m, const Frame* frame, int kind) except *:
    """Dice and difficulty of a dodge or riposte, from present positions and states (OLO-SEQ-04); ``kind`` as in REACTION."""
    cdef int stat = STAT_DODGE if kind == BY_DODGE else STAT_SHOOT if kind == BY_SHOOTING else STAT_COMBAT
    return fixed_pool(
        m, frame.v[DEFENDER], stat, ROLE_DEFENDER, DODGE if kind == BY_DODGE else RIPOSTE, frame.v[ATTACKER], False, kind == BY_SHOOTING
    )


cdef int set_reactions(OlomocTable m, Frame* frame) except -1:
    """Fix dice and difficulty of the reactions from present positions and states (OLO-SEQ-04)."""
    cdef int i, kind
    cdef Pool pool
    for i in range(2):
        kind = frame.v[REACTION + i]
        if kind != 0 and kind <= BY_SHOOTING:
            pool = reaction_pool(m, frame, kind)
        if kind == BY_DODGE:
            frame.v[DODGE_DICE], frame.v[DODGE_DIFFICULTY], frame.v[DODGE_ADDED] = pool.dice, pool.difficulty, pool.added
        elif is_riposte(kind):
            frame.v[RIPOSTE_STAT] = STAT_SHOOT if kind == BY_SHOOTING else STAT_COMBAT
            frame.v[RIPOSTE_DICE], frame.v[RIPOSTE_DIFFICULTY] = pool.dice, pool.difficulty
            frame.v[RIPOSTE_ADDED] = pool.added
    return 0


cdef bint is_riposte(int reaction) noexcept:
    return BY_COMBAT <= reaction <= BY_SHOOTING


cdef bint rolled_dodge(const Frame* frame) noexcept:
    """Whether the reaction that was rolled last is a dodge."""
    return frame.v[REACTION + frame.v[ROLLED_FOR] - 1] == BY_DODGE


cdef int roll_reactions(OlomocTable m, Frame* frame) except -1:
    """Roll the next reaction in the order declared (OLO-REACT-01); whether there was one. ROLLED_FOR counts them."""
    cdef int reaction
    while frame.v[ROLLED_FOR] < 2:
        reaction = frame.v[REACTION + frame.v[ROLLED_FOR]]
        frame.v[ROLLED_FOR] += 1
        if reaction == BY_DODGE:
            ask_roll(m, frame.v[DEFENDER], STAT_DODGE, frame.v[DODGE_DICE], frame.v[DODGE_DIFFICULTY])
            return 1
        if is_riposte(reaction):
            ask_roll(m, frame.v[DEFENDER], frame.v[RIPOSTE_STAT], frame.v[RIPOSTE_DICE], frame.v[RIPOSTE_DIFFICULTY])
            return 1
    return 0


# -- the sequence ---------------------------------------------------------------------------------------------------------

cdef int attack_step(OlomocTable m, Frame* frame, int code) except -1:
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], pc = frame.pc
    if pc == DECLARED:
        frame.pc = CHECKING
        raise_event(m, T_ATTACK_DECLARED, attacker, target)
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
        raise_event(m, T_ATTACK_END, attacker, target)
    elif pc == OVER:
        end_within(m, U_ATTACK, m.t.depth - 1)
        end_within(m, U_ROLL, m.t.depth - 1)
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


cdef int reaction_window(OlomocTable m, Frame* frame, int code) except -1:
    """OLO-SEQ-03: one reaction, or both a riposte and a dodge by the option (OLO-REACT-01)."""
    cdef list possible
    if code < 0:
        if is_hostile(m, frame.v[DEFENDER]):
            code = hostile_reaction(m, frame)
        else:
            possible = []
            push_reactions(m, frame, possible)
            if possible:
                return ask(m, D_REACT, m.t.figure[frame.v[DEFENDER]].player)
            code = V_NO
    if code == V_NO:
        frame.pc = SETTING
    else:
        if frame.v[REACTION] or not m.rules.both_reactions:
            frame.pc = SETTING
        react(m, frame, code)
    return 0


cdef int set_pools(OlomocTable m, Frame* frame) except -1:
    """OLO-SEQ-04 and the attack roll; a specific capacity runs its effects instead."""
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
    stat = STAT_SHOOT if frame.v[ATTACK_KIND] == A_RANGED else STAT_COMBAT
    pool = fixed_pool(m, attacker, stat, ROLE_ATTACKER, bit, target, frame.v[CHARGING], stat == STAT_SHOOT)
    frame.v[DICE], frame.v[DIFFICULTY], frame.v[ADDED] = pool.dice, pool.difficulty, pool.added
    frame.pc = ATTACK_ROLLED
    ask_roll(m, attacker, stat, pool.dice, pool.difficulty)
    return 0


cdef int rolls(OlomocTable m, Frame* frame, int code) except -1:
    """Both rolls, then fate (OLO-SEQ-05, 06, OLO-FATE-04)."""
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
                return ask(m, D_FATE, m.t.figure[attacker].player)
            if code == V_YES:
                frame.v[FATED] = 1
                frame.pc = REROLLED
                note(m, N_FATE_TEMPTED, attacker)
                receive_noirceur(m, attacker, WHY_FATE)
                if not m.t.over:
                    ask_roll(
                        m, attacker, STAT_SHOOT if frame.v[ATTACK_KIND] == A_RANGED else STAT_COMBAT,
                        frame.v[DICE], frame.v[DIFFICULTY],
                    )
                return 0
        frame.pc = COUNTED
        raise_event(m, T_ROLLED, attacker, frame.v[DEFENDER])
    else:
        frame.v[SUCCESSES] = m.t.result
        frame.pc = FATE
    return 0


cdef int dodged(const Frame* frame) noexcept:
    """The successes that a dodge takes away, with what is added to them."""
    return max(0, frame.v[DODGED] + frame.v[DODGE_ADDED])


cdef int tactic(OlomocTable m, Frame* frame, int code) except -1:
    """OLO-SEQ-07, 08 (OLO-TACT)."""
    cdef int attacker = frame.v[ATTACKER], target = frame.v[DEFENDER], pc = frame.pc, pushed
    if pc == COUNTED:
        end_within(m, U_ROLL, m.t.depth - 1)
        frame.v[NET] = max(0, max(0, frame.v[SUCCESSES] + frame.v[ADDED]) - dodged(frame))
        note(m, N_ATTACK_RESOLVED, attacker, target, frame.v[NET])
        frame.pc = WOUNDING
        if frame.v[ATTACK_KIND] == A_FRONTAL and frame.v[NET] and not is_hostile(m, attacker) and on_bloc(m, attacker):
            frame.pc = TACTIC
        return 0
    if pc == TACTIC:
        if code < 0:
            return ask(m, D_TACTIC, m.t.figure[attacker].player)
        if code == V_NO:
            frame.pc = WOUNDING
            return 0
        frame.v[TACTIC_TAKEN] = first_argument(code) + 1
        note(m, N_TACTIC_CHOSEN, attacker, first_argument(code))
        if first_argument(code) == 2:
            frame.v[NET] -= 2
            frame.pc = WOUNDING
            set_state(m, target, 0, True)
            return 0
        frame.v[NET] -= 1
        frame.pc = PUSHING
        ask_go(m, PUSH, attacker if first_argument(code) == 0 else target, D_PUSH, m.t.figure[attacker].player)
        return 0
    frame.pc = WOUNDING
    pushed = attacker if frame.v[TACTIC_TAKEN] == 1 else target
    if m.t.result >= 0 and on_bloc(m, pushed):
        relocate(m, pushed, m.t.result, HOW_PUSH)
    return 0

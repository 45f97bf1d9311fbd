"""Whom one may attack, and who may react (OLO-ATT, SHOT, RIPO, DODGE, OPP, HOST-05)."""

from cext.geometry.board cimport lowest, nearest_of
from gamepacks.olomoc.engine.facts cimport engaged, engages, foes_of, in_zone, is_free, sees
from gamepacks.olomoc.engine.harm cimport change_ap
from gamepacks.olomoc.engine.modifiers cimport Pool, costs_nothing, forbidden, lifted, more_uses, pool_of, stat_of
from gamepacks.olomoc.engine.table cimport DODGE, Figure, OPPORTUNITY, RIPOSTE, is_hostile, on_bloc, stunned
from gamepacks.olomoc.terms cimport (
    I_ENGAGED, I_FREE, I_NEAREST, I_SIGHT, OP_MOD, ROLE_ATTACKER, ROLE_DEFENDER, STAT_COMBAT, STAT_DODGE, STAT_SHOOT, WHY_COST,
)


cdef uint64_t frontal_targets(OlomocTable m, int figure, int bit) except? 0xFFFFFFFF:
    """The foes that a figure engages, sees and has dice against (OLO-ATT-02, OLO-ROLL-08)."""
    return with_dice(m, figure, STAT_COMBAT, bit, struck(m, figure, bit), False)


cdef uint64_t with_dice(OlomocTable m, int figure, int stat, int bit, uint64_t targets, bint shooting) except? 0xFFFFFFFF:
    """Those targets against which a figure would roll at least one die."""
    cdef uint64_t left = targets
    cdef int foe
    while left:
        foe = lowest(left)
        left &= left - 1
        if not has_dice(m, figure, stat, ROLE_ATTACKER, bit, foe, shooting):
            targets &= ~(<uint64_t> 1 << foe)
    return targets


cdef uint64_t struck(OlomocTable m, int figure, int bit) except? 0xFFFFFFFF:
    """The foes that a figure engages and sees (OLO-ATT-02)."""
    cdef uint64_t left = foes_of(m, figure), found = 0
    cdef bint apart, blind
    cdef int foe
    if not left or not on_bloc(m, figure):
        return 0
    apart, blind = lifted(m, figure, bit, I_ENGAGED), lifted(m, figure, bit, I_SIGHT)
    while left:
        foe = lowest(left)
        left &= left - 1
        if (apart or engages(m, figure, foe)) and (blind or sees(m, figure, foe)):
            found |= <uint64_t> 1 << foe
    return found


cdef uint64_t ranged_targets(OlomocTable m, int figure, int bit) except? 0xFFFFFFFF:
    """The nearest foes, several on an exact tie, that a free figure may shoot at with dice left (OLO-SHOT-01 to 06)."""
    return with_dice(m, figure, STAT_SHOOT, bit, aimed_at(m, figure, bit), True)


cdef uint64_t aimed_at(OlomocTable m, int figure, int bit) except? 0xFFFFFFFF:
    """The nearest of the foes that a free figure may shoot at (OLO-SHOT-01 to 03)."""
    cdef uint64_t left = foes_of(m, figure), found = 0
    cdef int foe
    if not on_bloc(m, figure) or not left or engaged(m, figure) and not lifted(m, figure, bit, I_FREE):
        return 0
    while left:
        foe = lowest(left)
        left &= left - 1
        if can_shoot_at(m, figure, foe, bit):
            found |= <uint64_t> 1 << foe
    if found and not lifted(m, figure, bit, I_NEAREST):
        found = nearest_of(&m.board.scenery, &m.t.discs, m.t.discs.x[figure], m.t.discs.y[figure], found)
    return found


cdef bint can_shoot_at(OlomocTable m, int figure, int target, int bit) except -1:
    """Whether a foe is in sight and free (OLO-SHOT-02)."""
    if not on_bloc(m, target) or engaged(m, target) and not lifted(m, figure, bit, I_ENGAGED):
        return False
    return sees(m, figure, target) or lifted(m, figure, bit, I_SIGHT)


cdef bint has_dice(OlomocTable m, int figure, int stat, int role, int bit, int target, bint shooting) except -1:
    """Whether a characteristic above 0 would be rolled with at least one die (OLO-GEN-08, OLO-ROLL-08)."""
    cdef Pool pool
    if not stat_of(m, figure, stat):
        return False
    if not shooting and not (m.t.lasting_count or m.t.continuous >> OP_MOD & 1):
        return True
    pool = pool_of(m, figure, stat, role, bit, target, False, shooting)
    return pool.dice > 0


# -- reactions ------------------------------------------------------------------------------------------------------------

cdef int reaction_cost(OlomocTable m, int figure, int slot) except -1:
    """Tokens that a reaction costs; hostiles have none and pay none (OLO-HOST-04)."""
    if is_hostile(m, figure) or costs_nothing(m, figure, slot):
        return 0
    if slot == DODGE:
        return 1
    return m.rules.riposte_ap if slot == RIPOSTE else m.rules.opportunity_ap


cdef bint may_react(OlomocTable m, int figure, int slot) except -1:
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
        limit = m.rules.card[f.card].reactions[0 if slot == RIPOSTE else 1 if slot == DODGE else 2]
        return f.used[slot] < limit + more_uses(m, figure, slot)
    if f.ap < reaction_cost(m, figure, slot):
        return False
    limit = m.rules.dodge_limit
    if slot == RIPOSTE:
        limit = m.rules.riposte_limit
    elif slot == OPPORTUNITY:
        limit = m.rules.opportunity_limit
    return limit == 0 or f.used[slot] < limit + more_uses(m, figure, slot)


cdef bint may_dodge(OlomocTable m, int figure, int attacker) except -1:
    """OLO-DODGE-01; it targets the attacker, which must be seen (OLO-LOS-05)."""
    return (
        may_react(m, figure, DODGE) and has_dice(m, figure, STAT_DODGE, ROLE_DEFENDER, DODGE, attacker, False)
        and (sees(m, figure, attacker) or lifted(m, figure, DODGE, I_SIGHT))
    )


cdef bint may_riposte(OlomocTable m, int figure, int attacker, bint shooting) except -1:
    """With Combat if the attacker is in the threat zone; with Shooting as in a shot, but not the nearest (OLO-RIPO-02)."""
    if not may_react(m, figure, RIPOSTE) or not on_bloc(m, attacker):
        return False
    if shooting:
        return (
            (not engaged(m, figure) or lifted(m, figure, RIPOSTE, I_FREE)) and can_shoot_at(m, figure, attacker, RIPOSTE)
            and has_dice(m, figure, STAT_SHOOT, ROLE_DEFENDER, RIPOSTE, attacker, True)
        )
    return (
        in_zone(m, figure, attacker) and (sees(m, figure, attacker) or lifted(m, figure, RIPOSTE, I_SIGHT))
        and has_dice(m, figure, STAT_COMBAT, ROLE_DEFENDER, RIPOSTE, attacker, False)
    )


cdef bint may_seize(OlomocTable m, int figure, int mover) except -1:
    """Whether a figure may make an opportunity attack on a mover in its zone (OLO-OPP-01 to 03)."""
    return (
        may_react(m, figure, OPPORTUNITY) and in_zone(m, figure, mover)
        and (sees(m, figure, mover) or lifted(m, figure, OPPORTUNITY, I_SIGHT))
        and has_dice(m, figure, STAT_COMBAT, ROLE_ATTACKER, OPPORTUNITY, mover, False)
    )


cdef int pay_reaction(OlomocTable m, int figure, int slot) except -1:
    """Pay and count a reaction."""
    cdef Figure* f = &m.t.figure[figure]
    change_ap(m, figure, -reaction_cost(m, figure, slot), WHY_COST, slot)
    f.used[slot] = min(255, f.used[slot] + 1)
    return 0

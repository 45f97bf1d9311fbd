# Modifiers by effects that last and by continuous capacities: of rolls, characteristics, uses and sight (OLO-GEN-04,
# OLO-ROLL).
#
# The masks of the state say whether any such effect is in force; if none is, no effect is looked up.

cdef list NOTHING = []


cdef list effects_in_force(StateBase s, int op):
    """The effects of a kind that are in force, as (node, subject or -1 for anybody, bearer, owner, three values)."""
    cdef Lasting* one
    cdef int i
    cdef list found
    # No capacity can influence the start Mechanism (OLO-MECH-05).
    if s.d.starting or not (s.d.lasting_count or s.d.continuous >> op & 1):
        return NOTHING
    found = []
    for i in range(s.d.lasting_count):
        one = lasting_at(s, i)
        node = s.rules.nodes[one.node]
        if node.op == op:
            found.append((node, one.subject, one.bearer, one.owner, one.value[0], one.value[1], one.value[2]))
    if s.d.continuous >> op & 1:
        add_continuous(s, op, &s.d.agenda_rules, -1, found)
        for i in range(FIGURES):
            if s.d.specific[i].continuous >> op & 1:
                add_continuous(s, op, &s.d.specific[i], i, found)
    return found


cdef int add_continuous(StateBase s, int op, Specific* specific, int bearer, list found) except -1:
    """Add the effects of a kind of a bearer's continuous capacities."""
    cdef int32_t[VALUES] scope
    cdef int i
    for i in range(specific.count):
        if not s.rules.continuous[specific.capacity[i]] >> op & 1:
            continue
        capacity = s.rules.capacities[specific.capacity[i]]
        # Off the board only capacities that say so are in force (OLO-CAP-09).
        if bearer >= 0 and s.d.figure[bearer].where != PLACE_BLOC and not (capacity.off_bloc and s.d.figure[bearer].where == PLACE_OFF):
            continue
        new_scope(s, scope, bearer, specific.capacity[i])
        if capacity.cond is None or holds(s, capacity.cond, scope):
            add_program(s, op, capacity.program, scope, bearer, found)
    return 0


cdef int add_program(StateBase s, int op, int program, int32_t* scope, int bearer, list found) except -1:
    """Add the effects of a kind of a list, and of the lists whose condition holds."""
    if program < 0:
        return 0
    for node in s.rules.programs[program]:
        if node.op == OP_IF:
            add_program(s, op, node.then if holds(s, node.cond, scope) else node.otherwise, scope, bearer, found)
        elif node.op == op:
            found.append((node, subject_of(node, scope), bearer, scope[OWNER], *values_of(s, node, scope)))
    return 0


cdef int subject_of(object node, int32_t* scope) except -2:
    """The figure that a lasting effect is on; -1 for anybody."""
    cdef int who = node.on.who if node.on is not None else node.who
    return scope[who] if who >= 0 else -1


cdef tuple values_of(StateBase s, object node, int32_t* scope):
    """The values of a lasting effect."""
    cdef int op = node.op
    if op == OP_MOD:
        return tuple([0 if part is None else value(s, part, scope) for part in (node.dice, node.difficulty, node.successes)])
    if op == OP_STAT:
        return value(s, node.set if node.set is not None else node.add, scope), 0, 0
    if op == OP_PROTECT:
        return value(s, node.n, scope), 0, 0
    return 0, 0, 0


def larger(int one, int other):
    """The larger in magnitude of two values, which alone counts if they have the same name (OLO-GEN-04, A29)."""
    return other if abs(other) > abs(one) else one


cdef int sight_rule(StateBase s, int figure, int which) except -2:
    """The rule that effects set for the cover (0) or the blocked sight (1) of a figure; -1 for none."""
    cdef int ruled = -1, said
    for node, subject, _, _, _, _, _ in effects_in_force(s, OP_SIGHT):
        if subject == figure:
            said = node.blocks if which else node.cover
            if said >= 0:
                ruled = said
    return ruled


cdef int stat_of(StateBase s, int figure, int stat) except -1:
    """A characteristic with all modifiers, at least 0."""
    cdef int total = s.rules.card[s.d.figure[figure].card].stats[stat]
    cdef dict added
    if not (s.d.lasting_count or s.d.continuous >> OP_STAT & 1):
        return total
    added = {}
    for node, subject, _, _, first, _, _ in effects_in_force(s, OP_STAT):
        if subject == figure and node.stat == stat:
            if node.set is not None:
                total = first
            else:
                added[node.name] = larger(added.get(node.name, 0), first)
    return max(0, total + sum(added.values()))


cdef int protection(StateBase s, int figure) except -1:
    """Number of wounds that protection takes off an attack."""
    cdef dict by_name = {}
    for node, subject, _, _, first, _, _ in effects_in_force(s, OP_PROTECT):
        if subject == figure:
            by_name[node.name] = larger(by_name.get(node.name, 0), first)
    return max(0, sum(by_name.values()))


cdef bint forbidden(StateBase s, int figure, int bit) except -1:
    """Whether an effect forbids a capacity, given as in ``Node.caps``."""
    for node, subject, _, _, _, _, _ in effects_in_force(s, OP_FORBID):
        if subject == figure and node.caps >> bit & 1:
            return True
    return False


cdef bint costs_nothing(StateBase s, int figure, int bit) except -1:
    """Whether an effect makes a capacity free of cost (OLO-CAP-04)."""
    for node, subject, _, _, _, _, _ in effects_in_force(s, OP_PERMIT):
        if subject == figure and node.flag and node.caps >> bit & 1:
            return True
    return False


cdef int more_uses(StateBase s, int figure, int bit) except -1:
    """The number of uses that effects add to a capacity."""
    cdef dict by_name = {}
    for node, subject, _, _, _, _, _ in effects_in_force(s, OP_PERMIT):
        if subject == figure and node.extra and node.caps >> bit & 1:
            by_name[node.name] = larger(by_name.get(node.name, 0), node.extra)
    return sum(by_name.values())


cdef bint lifted(StateBase s, int figure, int bit, int condition) except -1:
    """Whether an effect lifts a condition (constants.Ignore) of a capacity."""
    for node, subject, _, _, _, _, _ in effects_in_force(s, OP_PERMIT):
        if subject == figure and node.ignore >> condition & 1 and node.caps >> bit & 1:
            return True
    return False


cdef Pool pool_of(
    StateBase s, int figure, int stat, int role, int bit, int target, bint charging, bint shooting, list counted=None
) except *:
    """Dice and difficulty of a roll in the present position (OLO-ROLL-01 to 08, OLO-SHOT-05), with successes that are added.

    ``bit`` is the capacity that rolls, as in ``Node.caps``; ``target`` -1 for none. What changes the dice is added to ``counted``.
    """
    cdef Pool pool
    cdef int32_t[VALUES] scope
    cdef dict by_name
    pool.dice, pool.difficulty, pool.added = stat_of(s, figure, stat), 5, 0
    if charging:
        add_modifier(&pool, counted, MODIFIER_KIND_CHARGE, -1, 0, -1, 0)
    if target >= 0 and supported(s, figure, target):
        add_modifier(&pool, counted, MODIFIER_KIND_SUPPORT, -1, 0, -1, 0)
    if shooting:
        if far(s, figure, target) and not lifted(s, figure, bit, IGNORE_LONG_RANGE):
            add_modifier(&pool, counted, MODIFIER_KIND_LONG_RANGE, -1, -2, 0, 0)
        if covered(s, target) and not lifted(s, figure, bit, IGNORE_COVER):
            add_modifier(&pool, counted, MODIFIER_KIND_COVER, -1, -1, 0, 0)
    if s.d.lasting_count or s.d.continuous >> OP_MOD & 1:
        by_name = {}
        for node, subject, bearer, owner, dice, difficulty, successes in effects_in_force(s, OP_MOD):
            on = node.on
            if subject != figure and (subject != -1 or on.players_only and is_hostile(s, figure)):
                continue
            new_scope(s, scope, bearer, -1)
            scope[OWNER] = owner
            if not matches_roll(s, on, scope, role, bit, stat, target):
                continue
            old = by_name.get(node.name, (0, 0, 0))
            by_name[node.name] = (larger(old[0], dice), larger(old[1], difficulty), larger(old[2], successes))
        for name, (dice, difficulty, successes) in by_name.items():
            add_modifier(&pool, counted, MODIFIER_KIND_CARD, name, dice, difficulty, successes)
    pool.dice = max(0, min(pool.dice, 12))
    pool.difficulty = max(2, min(pool.difficulty, 6))
    if not pool.dice:
        pool.added = 0
    return pool


cdef Pool fixed_pool(
    StateBase s, int figure, int stat, int role, int bit, int target, bint charging, bint shooting
) except *:
    """Like pool_of, for a roll whose dice are fixed now (OLO-SEQ-04); the trace gets the pool and its modifiers."""
    cdef Pool pool
    cdef list counted
    if s.trace is None:
        return pool_of(s, figure, stat, role, bit, target, charging, shooting)
    counted = stat_changes(s, figure, stat)
    pool = pool_of(s, figure, stat, role, bit, target, charging, shooting, counted)
    add_trace(s, EVENT_ROLL_SET, figure, stat, pool.dice, pool.difficulty)
    s.trace.extend(counted)
    return pool


cdef int add_modifier(Pool* pool, list counted, int what, int name, int dice, int difficulty, int successes) except -1:
    """Add a modifier to a pool, and to its trace entries if they are kept."""
    pool.dice += dice
    pool.difficulty += difficulty
    pool.added += successes
    if counted is not None and (dice or difficulty or successes):
        counted.append((EVENT_MODIFIER, what, name, dice, difficulty, successes, 0))
    return 0


cdef list stat_changes(StateBase s, int figure, int stat):
    """The changes of a characteristic against the card, as trace entries of the modifiers of a roll."""
    cdef int printed = s.rules.card[s.d.figure[figure].card].stats[stat]
    cdef dict added = {}
    cdef list found = []
    for node, subject, _, _, first, _, _ in effects_in_force(s, OP_STAT):
        if subject == figure and node.stat == stat:
            if node.set is not None:
                found = [(EVENT_MODIFIER, MODIFIER_KIND_STAT, node.name, first - printed, 0, 0, 0)]
            else:
                added[node.name] = larger(added.get(node.name, 0), first)
    found += [(EVENT_MODIFIER, MODIFIER_KIND_STAT, name, first, 0, 0, 0) for name, first in added.items()]
    return [one for one in found if one[3]]


cdef bint matches_roll(StateBase s, object on, int32_t* scope, int role, int bit, int stat, int target) except -1:
    """Whether a card's filter of rolls matches a roll, whoever rolls."""
    if on.role != ROLE_ANY and on.role != role or not (on.stats >> stat & 1 and on.caps >> bit & 1):
        return False
    return on.target is None or target >= 0 and fits(s, on.target, scope, target)

# Queries of a state: distance, sight and threat, selectors, numbers and conditions of cards, modifiers of rolls.

cdef struct Elements:
    # Figures and markers, and pieces of scenery.
    uint64_t discs
    uint64_t pieces

cdef struct Pool:
    int dice
    int difficulty
    # Successes that are added.
    int added


# -- geometry ----------------------------------------------------------------------------------------------------------
# What can be read off the table: distances, threat zones, engagement, support, sight, cover.
#
# OlomocRules OLO-MEAS, OLO-LOS, OLO-THREAT, OLO-COVER, OLO-ROLL-02. Elements: figures 0 to 15, markers to 63, scenery from 64.

cdef int64_t LONG_RANGE = 4 * INCH


cdef bint exists(StateBase m, int element) noexcept:
    """Whether an element lies on the board."""
    if element >= DISCS:
        return element < DISCS + m.board.scenery.pieces
    return element >= 0 and m.t.discs.present >> element & 1


cdef bint within(StateBase m, int one, int other, int64_t distance) noexcept:
    """Whether two elements on the board are at a distance of each other (OLO-MEAS-03, 05)."""
    if one >= DISCS:
        if other >= DISCS:
            return False
        one, other = other, one
    return is_within(
        &m.board.scenery, &m.t.discs, one, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one], other, distance
    )


cdef bint in_zone(StateBase m, int figure, int element) noexcept:
    """Whether an element is in the threat zone of a figure (OLO-THREAT-01, 02)."""
    return (
        figure != element and on_bloc(m, figure) and not stunned(m, figure) and exists(m, element)
        and within(m, figure, element, INCH)
    )


cdef bint engages(StateBase m, int figure, int other) noexcept:
    """OLO-THREAT-03."""
    return are_foes(m, figure, other) and in_zone(m, figure, other)


cdef bint engaged(StateBase m, int figure) noexcept:
    """Whether a figure on the board is in a foe's threat zone (OLO-THREAT-03)."""
    cdef uint64_t left = foes_of(m, figure)
    cdef int foe
    while left:
        foe = lowest(left)
        left &= left - 1
        if in_zone(m, foe, figure):
            return True
    return False


cdef bint is_free(StateBase m, int figure) noexcept:
    """A figure on the board that is not engaged (OLO-THREAT-03, 06)."""
    return on_bloc(m, figure) and not engaged(m, figure)


cdef bint supported(StateBase m, int figure, int target) noexcept:
    """Whether another figure of the same side has the target in its threat zone (OLO-ROLL-02)."""
    cdef int i
    for i in range(FIGURES):
        if i != figure and i != target and m.t.figure[i].player == m.t.figure[figure].player and in_zone(m, i, target):
            return True
    return False


cdef bint touches(StateBase m, int one, int other) noexcept:
    """Whether two elements on the board are in contact (OLO-MEAS-04)."""
    if one >= DISCS:
        one, other = other, one
    if one >= DISCS:
        return False
    if other >= DISCS:
        return touches_piece(&m.board.scenery, other - DISCS, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one])
    return touched_discs(&m.t.discs, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one], one) >> other & 1


cdef bint sees(StateBase m, int one, int other) except -1:
    """Whether there is a line of sight from a figure or marker to an element (OLO-LOS-01 to 06)."""
    if one == other:
        return exists(m, one)
    if not exists(m, one) or not exists(m, other):
        return False
    if sight_rule(m, one, 1) == 0 or (other < FIGURES and sight_rule(m, other, 1) == 0):
        return True
    if other >= DISCS:
        return sees_piece(
            &m.board.scenery, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one], other - DISCS, NULL
        )
    return sees_disc(
        &m.board.scenery, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one],
        m.t.discs.x[other], m.t.discs.y[other], m.t.discs.r[other], NULL,
    )


cdef bint covered(StateBase m, int figure) except -1:
    """Whether a figure is in cover (OLO-COVER-01)."""
    cdef int ruled = sight_rule(m, figure, 0)
    if ruled >= 0:
        return ruled
    return in_cover(&m.board.scenery, m.t.discs.x[figure], m.t.discs.y[figure], m.t.discs.r[figure])


cdef bint far(StateBase m, int one, int other) noexcept:
    """Whether the gap of two figures is more than 4 inches (OLO-SHOT-05)."""
    return compare_gap(
        &m.board.scenery, &m.t.discs, m.t.discs.x[one], m.t.discs.y[one], m.t.discs.r[one], other, LONG_RANGE
    ) > 0


cdef uint64_t figures_where(StateBase m, int where) noexcept:
    """The figures on the board, or off it."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(FIGURES):
        if m.t.figure[i].where == where:
            found |= <uint64_t> 1 << i
    return found


cdef uint64_t foes_of(StateBase m, int figure) noexcept:
    """The foes of a figure that are on the board."""
    cdef uint64_t found = 0
    cdef int i
    for i in range(FIGURES):
        if m.t.figure[i].where == PLACE_BLOC and m.t.figure[i].player != m.t.figure[figure].player:
            found |= <uint64_t> 1 << i
    return found


cdef uint64_t in_zone_of_tag(StateBase m, int figure, int tag) except? 0xFFFFFFFF:
    """The zones of a tag (any: -1) that a figure is in: markers as bits 16 to 63; bit 0 stands for a zone of the scenery."""
    cdef uint64_t left = m.t.discs.present >> FIGURES << FIGURES, found = 0
    cdef int i
    if not on_bloc(m, figure):
        return 0
    while left:
        i = lowest(left)
        left &= left - 1
        if m.t.mark[i].zone >= 0 and (tag < 0 or m.t.mark[i].tag == tag) and within(m, figure, i, m.t.mark[i].zone):
            found |= <uint64_t> 1 << i
    for i in range(m.board.scenery.pieces):
        if is_zone(&m.board.scenery, i) and (tag < 0 or tag_of(m, DISCS + i) == tag) and touches(m, figure, DISCS + i):
            found |= 1
    return found


cdef int tag_of(StateBase m, int element) except -2:
    """The tag of a marker or piece of scenery; -1 for none."""
    if element >= DISCS:
        return m.piece_tags[element - DISCS]
    return m.t.mark[element].tag if element >= FIGURES else -1


# -- selectors, numbers and conditions of cards ------------------------------------------------------------------------
# What cards ask: players, numbers, selectors and conditions (section 6.7), in the scope of running effects.
#
# A *scope* is the values of an effects frame: the bound names (elements, -1 for unbound), whose effects they are, the
# capacity they belong to, the successes and the face in hand.

cdef int NAMES = 16


cdef int new_scope(StateBase m, int32_t* scope, int bearer, int capacity) except -1:
    """The scope of a capacity's effects: only its bearer is bound."""
    cdef int i
    memset(scope, 0, VALUES * sizeof(int32_t))
    for i in range(NAMES):
        scope[i] = -1
    scope[WHO_SELF] = bearer
    scope[OWNER] = m.t.figure[bearer].player if bearer >= 0 else -1
    scope[SOURCE] = capacity
    scope[CAUSE] = -1
    return 0


cdef int chooser_of(StateBase m, int32_t* scope) noexcept:
    """The player who takes the choices of an effect: its owner; for a hostile who runs it, for nobody the priority holder (OLO-GEN-11)."""
    if scope[OWNER] == HOSTILE:
        return decider(m, scope[WHO_SELF])
    return scope[OWNER] if scope[OWNER] >= 0 else m.t.priority


cdef int decider(StateBase m, int figure) noexcept:
    """The player who decides for a rouage: its own; for a hostile who runs it, or else the priority holder (OLO-GEN-11)."""
    cdef Frame* frame
    cdef int i
    if not is_hostile(m, figure):
        return m.t.figure[figure].player
    for i in range(m.t.depth - 1, -1, -1):
        frame = frame_at(m, i)
        if frame.kind == F_HOSTILE and frame.v[USER] == figure:
            return frame.v[RUNNER]
    return m.t.priority


cdef int player_of(StateBase m, int player, int32_t* scope) noexcept:
    """The player that a card names; -1 for nobody. BOTH is for the caller."""
    cdef int who
    if player >= PLAYER_OF:
        who = scope[player - PLAYER_OF]
        return m.t.figure[who].player if 0 <= who < FIGURES and not is_hostile(m, who) else -1
    if player == PLAYER_ACTIVE:
        return m.t.active
    if player == PLAYER_PASSIVE:
        return 1 - m.t.active
    if player == PLAYER_PRIORITY:
        return m.t.priority
    if player == PLAYER_OPPONENT:
        return 1 - chooser_of(m, scope)
    return chooser_of(m, scope)


cdef int value(StateBase m, object val, int32_t* scope) except? -1000000:
    """A number of a card."""
    cdef int kind = val.kind, who = val.who, number = 0
    cdef int element = scope[who] if who >= 0 else -1
    cdef bint figure = 0 <= element < FIGURES
    if kind == VALUE_CONST:
        number = val.a
    elif kind == VALUE_SUCCESSES:
        number = scope[COUNT]
    elif kind == VALUE_FACE:
        number = scope[FACE]
    elif kind == VALUE_COUNT:
        number = count_of(select(m, val.sel, scope))
    elif kind == VALUE_TOKEN:
        number = val.a
        if val.player >= 0:
            number += max(0, player_of(m, val.player, scope))
        number = m.t.tokens[number]
    elif not figure:
        number = 0
    elif kind == VALUE_STAT:
        number = stat_of(m, element, val.a)
    elif kind == VALUE_AP:
        number = m.t.figure[element].ap
    elif kind == VALUE_NOIRCEUR:
        number = m.t.figure[element].noirceur
    elif kind == VALUE_RANK:
        number = rank_of(m, element)
    elif kind == VALUE_BOXES_TICKED:
        number = m.t.figure[element].ticked
    else:
        number = m.rules.card[m.t.figure[element].card].boxes - m.t.figure[element].ticked
    number = number * <int> val.mul + <int> val.add
    if val.low is not None:
        number = max(number, <int> val.low)
    if val.high is not None:
        number = min(number, <int> val.high)
    return number


cdef bint compared(int one, int op, int other) noexcept:
    """Indices of constants.COMPARISONS."""
    if op == 0:
        return one < other
    if op == 1:
        return one <= other
    if op == 2:
        return one == other
    if op == 3:
        return one >= other
    return one > other if op == 4 else one != other


cdef bint is_active(StateBase m, int figure) noexcept:
    """Whether a rouage is being activated, or coordinated (OLO-FATE-03)."""
    cdef Frame* frame
    cdef int i
    for i in range(m.t.depth - 1, -1, -1):
        frame = frame_at(m, i)
        if frame.kind == F_ACTIVATION:
            return frame.v[MAIN] == figure or frame.v[OTHER] == figure
    return False


cdef bint ministry_shown(StateBase m, int player) noexcept:
    """Whether a player's ministry of this cycle has been revealed."""
    cdef int slot
    for slot in range(1, 6):
        if m.t.shown[player] >> slot & 1 and m.t.plan[player][slot] >= MINISTRY:
            return True
    return False


cdef bint holds(StateBase m, object cond, int32_t* scope) except -1:
    """Whether a condition holds."""
    cdef int kind = cond.kind, a = cond.a, b = cond.b
    cdef int one, other
    if kind == COND_NOT:
        return not holds(m, cond.parts[0], scope)
    if kind == COND_ALL:
        return all([holds(m, part, scope) for part in cond.parts])
    if kind == COND_ANY:
        return any([holds(m, part, scope) for part in cond.parts])
    if kind == COND_EXISTS:
        return count_of(select(m, cond.sel, scope)) >= <int> cond.n
    if kind == COND_CYCLE:
        return cond.n >> m.t.cycle & 1
    if kind == COND_PHASE:
        return cond.n >> m.t.phase & 1
    if kind == COND_PRIORITY:
        return player_of(m, a, scope) == m.t.priority
    if kind == COND_MINISTRY_REVEALED:
        one = player_of(m, a, scope)
        return one >= 0 and ministry_shown(m, one)
    if kind == COND_CMP:
        return compared(value(m, cond.left, scope), cond.op, value(m, cond.right, scope))
    if kind == COND_CAUSE:
        return scope[CAUSE] == <int> cond.n
    one = scope[a] if a >= 0 else -1
    other = scope[b] if b >= 0 and kind != COND_USED else -1
    if kind == COND_SAME:
        return one >= 0 and one == other
    if kind == COND_IS:
        return one >= 0 and is_or_was(m, cond.sel, scope, one)
    if kind == COND_CONTACT:
        return exists(m, one) and exists(m, other) and touches(m, one, other)
    if kind == COND_WITHIN:
        return exists(m, one) and exists(m, other) and within(m, one, other, cond.n)
    if not 0 <= one < FIGURES:
        return False
    if kind == COND_FREE:
        return is_free(m, one)
    if kind == COND_ENGAGED:
        return m.t.figure[one].where == PLACE_BLOC and engaged(m, one)
    if kind == COND_ENGAGES:
        return 0 <= other < FIGURES and engages(m, one, other)
    if kind == COND_ON_BLOC:
        return m.t.figure[one].where == PLACE_BLOC
    if kind == COND_IN_COVER:
        return m.t.figure[one].where == PLACE_BLOC and covered(m, one)
    if kind == COND_STATUS:
        # Hostiles have no status (A50).
        return not is_hostile(m, one) and cond.n >> status_of(m, one) & 1
    if kind == COND_STATE:
        return m.t.figure[one].states >> (<int> cond.n - 1) & 1
    if kind == COND_NOIRCEUR_MIN:
        return m.t.figure[one].noirceur >= <int> cond.n
    if kind == COND_RANK_CMP:
        return 0 <= other < FIGURES and compared(rank_of(m, one), cond.op, rank_of(m, other))
    if kind == COND_ACTIVE:
        return is_active(m, one)
    return uses_in_phase(m, one, cond.n) <= b


cdef int uses_in_phase(StateBase m, int figure, object caps) except -1:
    """The number of uses of the capacities of ``caps`` (as in a node) in this phase."""
    cdef int i, total = 0
    for i in range(SPECIFIC):
        if caps >> i & 1:
            total += m.t.figure[figure].used[i]
    for i in range(m.t.specific[figure].count):
        if caps >> (SPECIFIC + m.t.specific[figure].capacity[i]) & 1:
            total += m.t.figure[figure].used[m.t.specific[figure].slot[i]]
    return total


# -- selectors ----------------------------------------------------------------------------------------------------------

cdef int count_of(Elements elements) noexcept:
    """The number of elements."""
    cdef int count = 0
    while elements.discs:
        elements.discs &= elements.discs - 1
        count += 1
    while elements.pieces:
        elements.pieces &= elements.pieces - 1
        count += 1
    return count


cdef bint on_side(StateBase m, int side, int32_t* scope, int figure) noexcept:
    """Whether a figure is on the side that a selector names, seen from the owner: the bearer may be gone, its number another's."""
    cdef int player = m.t.figure[figure].player, own = scope[OWNER]
    if side == SIDE_ANY:
        return True
    if side == SIDE_HOSTILE:
        return player == HOSTILE
    if side == SIDE_PLAYER:
        return player != HOSTILE
    if own < 0:
        # Nobody's effect knows no sides (OLO-GEN-05 speaks of capacities).
        return True
    if side == SIDE_ALLY:
        return player == own
    if side == SIDE_ENEMY:
        # For a hostile, both players' (OLO-HOST-03).
        return player != own and player != HOSTILE
    return player != own


cdef bint is_or_was(StateBase m, object sel, int32_t* scope, int element) except -1:
    """Whether a selector matches an element; with ``where: any`` also a rouage that is out of action."""
    if sel.where == WHERE_ANY and 0 <= element < FIGURES and m.t.figure[element].where == PLACE_OUT:
        return is_figure(m, sel, scope, element) and placed_as(m, sel, scope, element)
    return fits(m, sel, scope, element)


cdef bint fits(StateBase m, object sel, int32_t* scope, int element) except -1:
    """Whether an element fits a selector, before any of those that fit are picked."""
    cdef int kind = sel.kind, name
    cdef Figure* figure
    if sel.not_self and element == scope[WHO_SELF]:
        return False
    if kind == KIND_ROUAGE:
        if not 0 <= element < FIGURES:
            return False
        figure = &m.t.figure[element]
        name = sel.where
        if figure.where != PLACE_BLOC and figure.where != PLACE_OFF or name == WHERE_BLOC and figure.where != PLACE_BLOC:
            return False
        if name == WHERE_OFF and figure.where != PLACE_OFF or not is_figure(m, sel, scope, element):
            return False
    elif not exists(m, element) or (element >= DISCS) != (kind == KIND_SCENERY) or element < FIGURES:
        return False
    name = sel.tag
    if name >= 0 and (element < FIGURES or tag_of(m, element) != name):
        return False
    return placed_as(m, sel, scope, element)


cdef bint is_figure(StateBase m, object sel, int32_t* scope, int element) except -1:
    """Whether a rouage is of the side, state, rank and so on that a selector says, wherever it is."""
    cdef Figure* figure = &m.t.figure[element]
    cdef int name
    if sel.kind != KIND_ROUAGE or sel.tag >= 0 or sel.not_self and element == scope[WHO_SELF]:
        return False
    if not on_side(m, sel.side, scope, element):
        return False
    # Hostiles have no status (A50).
    if sel.status and (is_hostile(m, element) or not sel.status >> status_of(m, element) & 1):
        return False
    if figure.states & <int> sel.states != <int> sel.states:
        return False
    if sel.rank_min >= 0 and rank_of(m, element) < <int> sel.rank_min:
        return False
    if sel.rank_max >= 0 and rank_of(m, element) > <int> sel.rank_max:
        return False
    name = sel.ministry
    if name >= 0 and not m.rules.card_ministries[figure.card] >> name & 1:
        return False
    name = sel.profile
    return name < 0 or figure.card == (name if name < 256 else m.rules.profiles + name - 256)


cdef bint placed_as(StateBase m, object sel, int32_t* scope, int element) except -1:
    """Whether an element lies as a selector wants it."""
    cdef int who = sel.of, other
    if sel.within >= 0:
        other = scope[who]
        if not exists(m, element) or not exists(m, other) or not within(m, other, element, sel.within):
            return False
    who = sel.contact
    if who >= 0 and not (exists(m, element) and exists(m, scope[who]) and touches(m, scope[who], element)):
        return False
    who = sel.sight
    if who >= 0 and not (0 <= scope[who] < DISCS and sees(m, scope[who], element)):
        return False
    who = sel.zone_of
    if who >= 0 and not (0 <= scope[who] < FIGURES and in_zone(m, scope[who], element)):
        return False
    return sel.zone < 0 or 0 <= element < FIGURES and in_zone_of_tag(m, element, sel.zone) != 0


cdef Elements select(StateBase m, object sel, int32_t* scope) except *:
    """The elements that fit a selector; where it picks, those among which it picks (:func:`narrowed` goes on)."""
    cdef Elements found = Elements(0, 0)
    cdef uint64_t left
    cdef int kind = sel.kind, i
    if kind == KIND_ROUAGE:
        left = figures_where(m, PLACE_BLOC) | figures_where(m, PLACE_OFF)
    elif kind == KIND_MARKER:
        left = m.t.discs.present >> FIGURES << FIGURES
    else:
        for i in range(m.board.scenery.pieces):
            if fits(m, sel, scope, DISCS + i):
                found.pieces |= <uint64_t> 1 << i
        return found
    while left:
        i = lowest(left)
        left &= left - 1
        if fits(m, sel, scope, i):
            found.discs |= <uint64_t> 1 << i
    return found


cdef Elements narrowed(StateBase m, object sel, int32_t* scope, Elements found) except *:
    """The fitting elements that a selector's pick (nearest, ...) prefers; all for ALL and CHOOSE."""
    cdef int pick = sel.pick, who = sel.of, i, best = -1, measure
    cdef uint64_t left = found.discs, kept = 0
    if pick == PICK_ALL or pick == PICK_CHOOSE:
        return found
    if pick == PICK_NEAREST or pick == PICK_FARTHEST:
        return by_distance(m, found, scope[who] if who >= 0 else -1, pick == PICK_FARTHEST)
    while left:
        i = lowest(left)
        left &= left - 1
        if i >= FIGURES:
            continue
        measure = rank_of(m, i) if pick == PICK_HIGHEST_RANK else 9 - rank_of(m, i)
        if measure > best:
            best, kept = measure, 0
        if measure == best:
            kept |= <uint64_t> 1 << i
    found.discs = kept
    return found


cdef Elements by_distance(StateBase m, Elements found, int reference, bint farthest) noexcept:
    """The elements with the smallest (or largest) gap to another one: several on a tie, all if the other is off the board.

    What lies off the board has no distance. One of the two is a figure or marker: between pieces nothing is measured.
    """
    cdef Elements kept = Elements(0, 0)
    cdef Elements left = found
    cdef Root root, best
    cdef int64_t radius, shift, best_shift = 0
    cdef int element, sign
    best.square, best.cross, best.length = 0, 0, 1
    if not exists(m, reference) or reference >= DISCS and found.pieces:
        return found
    left.discs &= m.t.discs.present
    if reference < DISCS:
        left.discs &= ~(<uint64_t> 1 << reference)
    while left.discs or left.pieces:
        if left.discs:
            element = lowest(left.discs)
            left.discs &= left.discs - 1
            root = root_to(&m.board.scenery, &m.t.discs, m.t.discs.x[element], m.t.discs.y[element], reference, &radius)
            shift = m.t.discs.r[element]
        else:
            element = DISCS + lowest(left.pieces)
            left.pieces &= left.pieces - 1
            root = root_to(&m.board.scenery, &m.t.discs, m.t.discs.x[reference], m.t.discs.y[reference], element, &shift)
        sign = -1
        if kept.discs or kept.pieces:
            sign = compare_roots(root, best, shift - best_shift)
            sign = -sign if farthest else sign
        if sign < 0:
            kept, best, best_shift = Elements(0, 0), root, shift
        if sign <= 0 and element < DISCS:
            kept.discs |= <uint64_t> 1 << element
        elif sign <= 0:
            kept.pieces |= <uint64_t> 1 << (element - DISCS)
    return kept


# -- modifiers of rolls and characteristics ----------------------------------------------------------------------------
# What effects that last and continuous capacities do to rolls, characteristics, uses and sight (OLO-GEN-04, OLO-ROLL).
#
# Nothing is looked up while no such effect is in play, which the masks of the table tell.

cdef list NOTHING = []


cdef list running(StateBase m, int op):
    """The effects of a kind that are in force, as (node, subject or -1 for anybody, bearer, owner, three values)."""
    cdef Lasting* one
    cdef int i
    cdef list found
    # No capacity can influence the start Mechanism (OLO-MECH-05).
    if m.t.starting or not (m.t.lasting_count or m.t.continuous >> op & 1):
        return NOTHING
    found = []
    for i in range(m.t.lasting_count):
        one = lasting_at(m, i)
        node = m.rules.nodes[one.node]
        if node.op == op:
            found.append((node, one.subject, one.bearer, one.owner, one.value[0], one.value[1], one.value[2]))
    if m.t.continuous >> op & 1:
        add_continuous(m, op, &m.t.agenda_rules, -1, found)
        for i in range(FIGURES):
            if m.t.specific[i].continuous >> op & 1:
                add_continuous(m, op, &m.t.specific[i], i, found)
    return found


cdef int add_continuous(StateBase m, int op, Specific* specific, int bearer, list found) except -1:
    cdef int32_t[VALUES] scope
    cdef int i
    for i in range(specific.count):
        if not m.rules.continuous[specific.capacity[i]] >> op & 1:
            continue
        capacity = m.rules.capacities[specific.capacity[i]]
        # Off the board only what says so (OLO-CAP-09).
        if bearer >= 0 and m.t.figure[bearer].where != PLACE_BLOC and not (capacity.off_bloc and m.t.figure[bearer].where == PLACE_OFF):
            continue
        new_scope(m, scope, bearer, specific.capacity[i])
        if capacity.cond is None or holds(m, capacity.cond, scope):
            add_program(m, op, capacity.program, scope, bearer, found)
    return 0


cdef int add_program(StateBase m, int op, int program, int32_t* scope, int bearer, list found) except -1:
    if program < 0:
        return 0
    for node in m.rules.programs[program]:
        if node.op == OP_IF:
            add_program(m, op, node.then if holds(m, node.cond, scope) else node.otherwise, scope, bearer, found)
        elif node.op == op:
            found.append((node, subject_of(node, scope), bearer, scope[OWNER], *values_of(m, node, scope)))
    return 0


cdef int subject_of(object node, int32_t* scope) except -2:
    """The figure that a lasting effect is on; -1 for anybody."""
    cdef int who = node.on.who if node.on is not None else node.who
    return scope[who] if who >= 0 else -1


cdef tuple values_of(StateBase m, object node, int32_t* scope):
    """The values of a lasting effect."""
    cdef int op = node.op
    if op == OP_MOD:
        return tuple([0 if part is None else value(m, part, scope) for part in (node.dice, node.difficulty, node.successes)])
    if op == OP_STAT:
        return value(m, node.set if node.set is not None else node.add, scope), 0, 0
    if op == OP_PROTECT:
        return value(m, node.n, scope), 0, 0
    return 0, 0, 0


def larger(int one, int other):
    """The value that counts of two with the same name: the larger in magnitude (OLO-GEN-04, A29)."""
    return other if abs(other) > abs(one) else one


cdef int sight_rule(StateBase m, int figure, int which) except -2:
    """The rule that effects set for the cover (0) or the blocked sight (1) of a figure; -1 for none."""
    cdef int ruled = -1, said
    for node, subject, _, _, _, _, _ in running(m, OP_SIGHT):
        if subject == figure:
            said = node.blocks if which else node.cover
            if said >= 0:
                ruled = said
    return ruled


cdef int stat_of(StateBase m, int figure, int stat) except -1:
    """A characteristic with everything that changes it, at least 0."""
    cdef int total = m.rules.card[m.t.figure[figure].card].stats[stat]
    cdef dict added
    if not (m.t.lasting_count or m.t.continuous >> OP_STAT & 1):
        return total
    added = {}
    for node, subject, _, _, first, _, _ in running(m, OP_STAT):
        if subject == figure and node.stat == stat:
            if node.set is not None:
                total = first
            else:
                added[node.name] = larger(added.get(node.name, 0), first)
    return max(0, total + sum(added.values()))


cdef int protection(StateBase m, int figure) except -1:
    """Number of wounds that protection takes off an attack."""
    cdef dict by_name = {}
    for node, subject, _, _, first, _, _ in running(m, OP_PROTECT):
        if subject == figure:
            by_name[node.name] = larger(by_name.get(node.name, 0), first)
    return max(0, sum(by_name.values()))


cdef bint forbidden(StateBase m, int figure, int bit) except -1:
    """Whether an effect forbids a capacity, given as in ``Node.caps``."""
    for node, subject, _, _, _, _, _ in running(m, OP_FORBID):
        if subject == figure and node.caps >> bit & 1:
            return True
    return False


cdef bint costs_nothing(StateBase m, int figure, int bit) except -1:
    """Whether an effect makes a capacity free of cost (OLO-CAP-04)."""
    for node, subject, _, _, _, _, _ in running(m, OP_PERMIT):
        if subject == figure and node.flag and node.caps >> bit & 1:
            return True
    return False


cdef int more_uses(StateBase m, int figure, int bit) except -1:
    """The number of uses that effects add to a capacity."""
    cdef dict by_name = {}
    for node, subject, _, _, _, _, _ in running(m, OP_PERMIT):
        if subject == figure and node.extra and node.caps >> bit & 1:
            by_name[node.name] = larger(by_name.get(node.name, 0), node.extra)
    return sum(by_name.values())


cdef bint lifted(StateBase m, int figure, int bit, int condition) except -1:
    """Whether an effect lifts a condition (constants.Ignore) of a capacity."""
    for node, subject, _, _, _, _, _ in running(m, OP_PERMIT):
        if subject == figure and node.ignore >> condition & 1 and node.caps >> bit & 1:
            return True
    return False


cdef Pool pool_of(
    StateBase m, int figure, int stat, int role, int bit, int target, bint charging, bint shooting, list counted=None
) except *:
    """Dice and difficulty of a roll as things stand (OLO-ROLL-01 to 08, OLO-SHOT-05), with successes that are added.

    ``bit`` is the capacity that rolls, as in ``Node.caps``; ``target`` -1 for none. What changes the dice is added to ``counted``.
    """
    cdef Pool pool
    cdef int32_t[VALUES] scope
    cdef dict by_name
    pool.dice, pool.difficulty, pool.added = stat_of(m, figure, stat), 5, 0
    if charging:
        count_in(&pool, counted, MODIFIER_KIND_CHARGE, -1, 0, -1, 0)
    if target >= 0 and supported(m, figure, target):
        count_in(&pool, counted, MODIFIER_KIND_SUPPORT, -1, 0, -1, 0)
    if shooting:
        if far(m, figure, target) and not lifted(m, figure, bit, IGNORE_LONG_RANGE):
            count_in(&pool, counted, MODIFIER_KIND_LONG_RANGE, -1, -2, 0, 0)
        if covered(m, target) and not lifted(m, figure, bit, IGNORE_COVER):
            count_in(&pool, counted, MODIFIER_KIND_COVER, -1, -1, 0, 0)
    if m.t.lasting_count or m.t.continuous >> OP_MOD & 1:
        by_name = {}
        for node, subject, bearer, owner, dice, difficulty, successes in running(m, OP_MOD):
            on = node.on
            if subject != figure and (subject != -1 or on.players_only and is_hostile(m, figure)):
                continue
            new_scope(m, scope, bearer, -1)
            scope[OWNER] = owner
            if not concerns_roll(m, on, scope, role, bit, stat, target):
                continue
            old = by_name.get(node.name, (0, 0, 0))
            by_name[node.name] = (larger(old[0], dice), larger(old[1], difficulty), larger(old[2], successes))
        for name, (dice, difficulty, successes) in by_name.items():
            count_in(&pool, counted, MODIFIER_KIND_CARD, name, dice, difficulty, successes)
    pool.dice = max(0, min(pool.dice, 12))
    pool.difficulty = max(2, min(pool.difficulty, 6))
    if not pool.dice:
        pool.added = 0
    return pool


cdef Pool fixed_pool(
    StateBase m, int figure, int stat, int role, int bit, int target, bint charging, bint shooting
) except *:
    """Like pool_of, for a roll whose dice are fixed now (OLO-SEQ-04); notes the pool and its modifiers."""
    cdef Pool pool
    cdef list counted
    if m.notes is None:
        return pool_of(m, figure, stat, role, bit, target, charging, shooting)
    counted = stat_changes(m, figure, stat)
    pool = pool_of(m, figure, stat, role, bit, target, charging, shooting, counted)
    note(m, EVENT_ROLL_SET, figure, stat, pool.dice, pool.difficulty)
    m.notes.extend(counted)
    return pool


cdef int count_in(Pool* pool, list counted, int what, int name, int dice, int difficulty, int successes) except -1:
    """A modifier of a roll."""
    pool.dice += dice
    pool.difficulty += difficulty
    pool.added += successes
    if counted is not None and (dice or difficulty or successes):
        counted.append((EVENT_MODIFIER, what, name, dice, difficulty, successes, 0))
    return 0


cdef list stat_changes(StateBase m, int figure, int stat):
    """The changes of a characteristic against the card, as notes of the modifiers of a roll."""
    cdef int printed = m.rules.card[m.t.figure[figure].card].stats[stat]
    cdef dict added = {}
    cdef list found = []
    for node, subject, _, _, first, _, _ in running(m, OP_STAT):
        if subject == figure and node.stat == stat:
            if node.set is not None:
                found = [(EVENT_MODIFIER, MODIFIER_KIND_STAT, node.name, first - printed, 0, 0, 0)]
            else:
                added[node.name] = larger(added.get(node.name, 0), first)
    found += [(EVENT_MODIFIER, MODIFIER_KIND_STAT, name, first, 0, 0, 0) for name, first in added.items()]
    return [one for one in found if one[3]]


cdef bint concerns_roll(StateBase m, object on, int32_t* scope, int role, int bit, int stat, int target) except -1:
    """Whether a card's filter of rolls matches a roll, whoever rolls."""
    if on.role != ROLE_ANY and on.role != role or not (on.stats >> stat & 1 and on.caps >> bit & 1):
        return False
    return on.target is None or target >= 0 and fits(m, on.target, scope, target)

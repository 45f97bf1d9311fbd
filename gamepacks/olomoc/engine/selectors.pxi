# Players, numbers, selectors and conditions of cards (section 6.7), in the scope of running effects.
#
# A *scope* is the values of an effects frame: the bound names (elements, -1 for unbound), whose effects they are, the
# capacity they belong to, the successes and the face in hand.


cdef int new_scope(StateBase s, int32_t* scope, int bearer, int capacity) except -1:
    """The scope of a capacity's effects: only its bearer is bound."""
    cdef int i
    memset(scope, 0, VALUES * sizeof(int32_t))
    for i in range(MAX_NAMES):
        scope[i] = -1
    scope[WHO_SELF] = bearer
    scope[OWNER] = s.d.figure[bearer].player if bearer >= 0 else -1
    scope[SOURCE] = capacity
    scope[CAUSE] = -1
    return 0


cdef int chooser_of(StateBase s, int32_t* scope) noexcept:
    """The player who makes the choices of an effect: its owner; for a hostile the player who runs it; without an owner the
    priority holder (OLO-GEN-11)."""
    if scope[OWNER] == HOSTILE:
        return decider(s, scope[WHO_SELF])
    return scope[OWNER] if scope[OWNER] >= 0 else s.d.priority


cdef int decider(StateBase s, int figure) noexcept:
    """The player who decides for a rouage: its own; for a hostile the player who runs it, or else the priority holder (OLO-GEN-11)."""
    cdef Frame* frame
    cdef int i
    if not is_hostile(s, figure):
        return s.d.figure[figure].player
    for i in range(s.d.depth - 1, -1, -1):
        frame = frame_at(s, i)
        if frame.kind == F_HOSTILE and frame.v[USER] == figure:
            return frame.v[RUNNER]
    return s.d.priority


cdef int player_of(StateBase s, int player, int32_t* scope) noexcept:
    """The player that a card names; -1 for nobody. The caller handles BOTH."""
    cdef int who
    if player >= PLAYER_OF:
        who = scope[player - PLAYER_OF]
        return s.d.figure[who].player if 0 <= who < FIGURES and not is_hostile(s, who) else -1
    if player == PLAYER_ACTIVE:
        return s.d.active
    if player == PLAYER_PASSIVE:
        return 1 - s.d.active
    if player == PLAYER_PRIORITY:
        return s.d.priority
    if player == PLAYER_OPPONENT:
        return 1 - chooser_of(s, scope)
    return chooser_of(s, scope)


cdef int value(StateBase s, object val, int32_t* scope) except? -1000000:
    """The value of a number on a card."""
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
        number = count_of(select(s, val.sel, scope))
    elif kind == VALUE_TOKEN:
        number = val.a
        if val.player >= 0:
            number += max(0, player_of(s, val.player, scope))
        number = s.d.tokens[number]
    elif not figure:
        number = 0
    elif kind == VALUE_STAT:
        number = stat_of(s, element, val.a)
    elif kind == VALUE_AP:
        number = s.d.figure[element].ap
    elif kind == VALUE_NOIRCEUR:
        number = s.d.figure[element].noirceur
    elif kind == VALUE_RANK:
        number = rank_of(s, element)
    elif kind == VALUE_BOXES_TICKED:
        number = s.d.figure[element].ticked
    else:
        number = s.rules.card[s.d.figure[element].card].boxes - s.d.figure[element].ticked
    number = number * <int> val.mul + <int> val.add
    if val.low is not None:
        number = max(number, <int> val.low)
    if val.high is not None:
        number = min(number, <int> val.high)
    return number


cdef bint compared(int one, int op, int other) noexcept:
    """The result of a comparison; ``op`` is an index of constants.COMPARISONS."""
    if op == 0:
        return one < other
    if op == 1:
        return one <= other
    if op == 2:
        return one == other
    if op == 3:
        return one >= other
    return one > other if op == 4 else one != other


cdef bint is_active(StateBase s, int figure) noexcept:
    """Whether a rouage is being activated, or coordinated (OLO-FATE-03)."""
    cdef Frame* frame
    cdef int i
    for i in range(s.d.depth - 1, -1, -1):
        frame = frame_at(s, i)
        if frame.kind == F_ACTIVATION:
            return frame.v[MAIN] == figure or frame.v[OTHER] == figure
    return False


cdef bint ministry_shown(StateBase s, int player) noexcept:
    """Whether a player's ministry of this cycle has been revealed."""
    cdef int slot
    for slot in range(1, 6):
        if s.d.shown[player] >> slot & 1 and s.d.plan[player][slot] >= MINISTRY:
            return True
    return False


cdef bint holds(StateBase s, object cond, int32_t* scope) except -1:
    """Whether a condition holds."""
    cdef int kind = cond.kind, a = cond.a, b = cond.b
    cdef int one, other
    if kind == COND_NOT:
        return not holds(s, cond.parts[0], scope)
    if kind == COND_ALL:
        return all([holds(s, part, scope) for part in cond.parts])
    if kind == COND_ANY:
        return any([holds(s, part, scope) for part in cond.parts])
    if kind == COND_EXISTS:
        return count_of(select(s, cond.sel, scope)) >= <int> cond.n
    if kind == COND_CYCLE:
        return cond.n >> s.d.cycle & 1
    if kind == COND_PHASE:
        return cond.n >> s.d.phase & 1
    if kind == COND_PRIORITY:
        return player_of(s, a, scope) == s.d.priority
    if kind == COND_MINISTRY_REVEALED:
        one = player_of(s, a, scope)
        return one >= 0 and ministry_shown(s, one)
    if kind == COND_CMP:
        return compared(value(s, cond.left, scope), cond.op, value(s, cond.right, scope))
    if kind == COND_CAUSE:
        return scope[CAUSE] == <int> cond.n
    one = scope[a] if a >= 0 else -1
    other = scope[b] if b >= 0 and kind != COND_USED else -1
    if kind == COND_SAME:
        return one >= 0 and one == other
    if kind == COND_IS:
        return one >= 0 and is_or_was(s, cond.sel, scope, one)
    if kind == COND_CONTACT:
        return exists(s, one) and exists(s, other) and touches(s, one, other)
    if kind == COND_WITHIN:
        return exists(s, one) and exists(s, other) and within(s, one, other, cond.n)
    if not 0 <= one < FIGURES:
        return False
    if kind == COND_FREE:
        return is_free(s, one)
    if kind == COND_ENGAGED:
        return s.d.figure[one].where == PLACE_BLOC and engaged(s, one)
    if kind == COND_ENGAGES:
        return 0 <= other < FIGURES and engages(s, one, other)
    if kind == COND_ON_BLOC:
        return s.d.figure[one].where == PLACE_BLOC
    if kind == COND_IN_COVER:
        return s.d.figure[one].where == PLACE_BLOC and covered(s, one)
    if kind == COND_STATUS:
        # Hostiles have no status (A50).
        return not is_hostile(s, one) and cond.n >> status_of(s, one) & 1
    if kind == COND_STATE:
        return s.d.figure[one].states >> (<int> cond.n - 1) & 1
    if kind == COND_NOIRCEUR_MIN:
        return s.d.figure[one].noirceur >= <int> cond.n
    if kind == COND_RANK_CMP:
        return 0 <= other < FIGURES and compared(rank_of(s, one), cond.op, rank_of(s, other))
    if kind == COND_ACTIVE:
        return is_active(s, one)
    return uses_in_phase(s, one, cond.n) <= b


cdef int uses_in_phase(StateBase s, int figure, object caps) except -1:
    """The number of uses of the capacities of ``caps`` (as in a node) in this phase."""
    cdef int i, total = 0
    for i in range(SPECIFIC):
        if caps >> i & 1:
            total += s.d.figure[figure].used[i]
    for i in range(s.d.specific[figure].count):
        if caps >> (SPECIFIC + s.d.specific[figure].capacity[i]) & 1:
            total += s.d.figure[figure].used[s.d.specific[figure].slot[i]]
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


cdef bint on_side(StateBase s, int side, int32_t* scope, int figure) noexcept:
    """Whether a figure is on the side that a selector names. The owner counts, as the bearer may have left the game."""
    cdef int player = s.d.figure[figure].player, own = scope[OWNER]
    if side == SIDE_ANY:
        return True
    if side == SIDE_HOSTILE:
        return player == HOSTILE
    if side == SIDE_PLAYER:
        return player != HOSTILE
    if own < 0:
        # An effect without an owner makes no difference between sides (OLO-GEN-05 is about capacities).
        return True
    if side == SIDE_ALLY:
        return player == own
    if side == SIDE_ENEMY:
        # For a hostile, the rouages of both players (OLO-HOST-03).
        return player != own and player != HOSTILE
    return player != own


cdef bint is_or_was(StateBase s, object sel, int32_t* scope, int element) except -1:
    """Whether a selector matches an element; with ``where: any`` also a rouage that is out of action."""
    if sel.where == WHERE_ANY and 0 <= element < FIGURES and s.d.figure[element].where == PLACE_OUT:
        return is_figure(s, sel, scope, element) and placed_as(s, sel, scope, element)
    return fits(s, sel, scope, element)


cdef bint fits(StateBase s, object sel, int32_t* scope, int element) except -1:
    """Whether an element fits a selector, before any of those that fit are picked."""
    cdef int kind = sel.kind, name
    cdef Figure* figure
    if sel.not_self and element == scope[WHO_SELF]:
        return False
    if kind == KIND_ROUAGE:
        if not 0 <= element < FIGURES:
            return False
        figure = &s.d.figure[element]
        name = sel.where
        if figure.where != PLACE_BLOC and figure.where != PLACE_OFF or name == WHERE_BLOC and figure.where != PLACE_BLOC:
            return False
        if name == WHERE_OFF and figure.where != PLACE_OFF or not is_figure(s, sel, scope, element):
            return False
    elif not exists(s, element) or (element >= DISCS) != (kind == KIND_SCENERY) or element < FIGURES:
        return False
    name = sel.tag
    if name >= 0 and (element < FIGURES or tag_of(s, element) != name):
        return False
    return placed_as(s, sel, scope, element)


cdef bint is_figure(StateBase s, object sel, int32_t* scope, int element) except -1:
    """Whether a rouage is of the side, state, rank and so on that a selector says, wherever it is."""
    cdef Figure* figure = &s.d.figure[element]
    cdef int name
    if sel.kind != KIND_ROUAGE or sel.tag >= 0 or sel.not_self and element == scope[WHO_SELF]:
        return False
    if not on_side(s, sel.side, scope, element):
        return False
    # Hostiles have no status (A50).
    if sel.status and (is_hostile(s, element) or not sel.status >> status_of(s, element) & 1):
        return False
    if figure.states & <int> sel.states != <int> sel.states:
        return False
    if sel.rank_min >= 0 and rank_of(s, element) < <int> sel.rank_min:
        return False
    if sel.rank_max >= 0 and rank_of(s, element) > <int> sel.rank_max:
        return False
    name = sel.ministry
    if name >= 0 and not s.rules.card_ministries[figure.card] >> name & 1:
        return False
    name = sel.profile
    return name < 0 or figure.card == (name if name < 256 else s.rules.profiles + name - 256)


cdef bint placed_as(StateBase s, object sel, int32_t* scope, int element) except -1:
    """Whether the place of an element fits a selector."""
    cdef int who = sel.of, other
    if sel.within >= 0:
        other = scope[who]
        if not exists(s, element) or not exists(s, other) or not within(s, other, element, sel.within):
            return False
    who = sel.contact
    if who >= 0 and not (exists(s, element) and exists(s, scope[who]) and touches(s, scope[who], element)):
        return False
    who = sel.sight
    if who >= 0 and not (0 <= scope[who] < DISCS and sees(s, scope[who], element)):
        return False
    who = sel.zone_of
    if who >= 0 and not (0 <= scope[who] < FIGURES and in_zone(s, scope[who], element)):
        return False
    return sel.zone < 0 or 0 <= element < FIGURES and in_zone_of_tag(s, element, sel.zone) != 0


cdef Elements select(StateBase s, object sel, int32_t* scope) except *:
    """The elements that fit a selector, before it picks among them; :func:`narrowed` does that."""
    cdef Elements found = Elements(0, 0)
    cdef uint64_t left
    cdef int kind = sel.kind, i
    if kind == KIND_ROUAGE:
        left = figures_where(s, PLACE_BLOC) | figures_where(s, PLACE_OFF)
    elif kind == KIND_MARKER:
        left = s.d.discs.present >> FIGURES << FIGURES
    else:
        for i in range(s.board.scenery.pieces):
            if fits(s, sel, scope, DISCS + i):
                found.pieces |= <uint64_t> 1 << i
        return found
    while left:
        i = lowest(left)
        left &= left - 1
        if fits(s, sel, scope, i):
            found.discs |= <uint64_t> 1 << i
    return found


cdef Elements narrowed(StateBase s, object sel, int32_t* scope, Elements found) except *:
    """The fitting elements that a selector's pick (nearest, ...) prefers; all for ALL and CHOOSE."""
    cdef int pick = sel.pick, who = sel.of, i, best = -1, measure
    cdef uint64_t left = found.discs, kept = 0
    if pick == PICK_ALL or pick == PICK_CHOOSE:
        return found
    if pick == PICK_NEAREST or pick == PICK_FARTHEST:
        return by_distance(s, found, scope[who] if who >= 0 else -1, pick == PICK_FARTHEST)
    while left:
        i = lowest(left)
        left &= left - 1
        if i >= FIGURES:
            continue
        measure = rank_of(s, i) if pick == PICK_HIGHEST_RANK else 9 - rank_of(s, i)
        if measure > best:
            best, kept = measure, 0
        if measure == best:
            kept |= <uint64_t> 1 << i
    found.discs = kept
    return found


cdef Elements by_distance(StateBase s, Elements found, int reference, bint farthest) noexcept:
    """The elements with the smallest (or largest) gap to another one: several on a tie, all if the other is off the board.

    What lies off the board has no distance. One of the two is a figure or marker: between pieces nothing is measured.
    """
    cdef Elements kept = Elements(0, 0)
    cdef Elements left = found
    cdef Root root, best
    cdef int64_t radius, shift, best_shift = 0
    cdef int element, sign
    best.square, best.cross, best.length = 0, 0, 1
    if not exists(s, reference) or reference >= DISCS and found.pieces:
        return found
    left.discs &= s.d.discs.present
    if reference < DISCS:
        left.discs &= ~(<uint64_t> 1 << reference)
    while left.discs or left.pieces:
        if left.discs:
            element = lowest(left.discs)
            left.discs &= left.discs - 1
            root = root_to(&s.board.scenery, &s.d.discs, s.d.discs.x[element], s.d.discs.y[element], reference, &radius)
            shift = s.d.discs.r[element]
        else:
            element = DISCS + lowest(left.pieces)
            left.pieces &= left.pieces - 1
            root = root_to(&s.board.scenery, &s.d.discs, s.d.discs.x[reference], s.d.discs.y[reference], element, &shift)
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

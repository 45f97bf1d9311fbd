# Effects of cards that change places: pushes, placements, moves, attacks, hostiles and markers that appear.

cdef int chooser_of_node(StateBase s, object node, int32_t* scope) except -1:
    """The player that an effect names for its choices; otherwise as in :func:`chooser_of`."""
    cdef int player = player_of(s, node.by, scope)
    return player if player >= 0 else chooser_of(s, scope)


cdef int bind_direction(StateBase s, Frame* frame, object node) except -1:
    """Bind the decision on top to the direction word of an effect (OLO-DIR)."""
    if node.direction != DIRECTION_NONE:
        top(s).v[WORD], top(s).v[REFERENCE] = node.direction, frame.v[<int> node.of]
    return 0


cdef bint has_reference(StateBase s, Frame* frame, object node, int element) except -1:
    """Whether the element that a direction word refers to is on the board."""
    cdef int other
    if node.direction == DIRECTION_NONE:
        return True
    other = frame.v[<int> node.of]
    return exists(s, other) and other != element


cdef int skip_impossible_effect(StateBase s, Frame* frame, object node) except -1:
    """Skip an effect that cannot be carried out (OLO-GEN-09)."""
    add_trace(s, EVENT_EFFECT_SKIPPED, node.index)
    next_effect(frame)
    return 0


cdef int push_effect(StateBase s, Frame* frame, object node) except -1:
    """Push an element (OLO-PUSH-01 to 04)."""
    cdef int element = frame.v[<int> node.who]
    if frame.v[STAGE] == 0:
        if not 0 <= element < DISCS or not exists(s, element) or not has_reference(s, frame, node, element):
            return skip_impossible_effect(s, frame, node)
        frame.v[STAGE] = 1
        ask_go(s, PUSH, element, DECISION_PUSH, chooser_of_node(s, node, frame.v))
        top(s).v[DECLINABLE] = node.direction == DIRECTION_NONE
        return bind_direction(s, frame, node)
    next_effect(frame)
    if s.d.result >= 0 and exists(s, element):
        relocate(s, element, s.d.result, MOVEMENT_PUSH)
    return 0


cdef int place_effect(StateBase s, Frame* frame, object node) except -1:
    """Place an element within a distance of another one or in contact with it (OLO-PLACE-01)."""
    cdef int element = frame.v[<int> node.who], other
    if frame.v[STAGE] == 0:
        other = frame.v[<int> (node.contact if node.contact >= 0 else node.of)]
        if not 0 <= element < DISCS or not exists(s, other) or not placeable(s, element):
            return skip_impossible_effect(s, frame, node)
        if other == element and node.contact >= 0:
            return skip_impossible_effect(s, frame, node)
        frame.v[STAGE] = 1
        ask_go(s, PLACE, element, DECISION_PUSH, chooser_of_node(s, node, frame.v))
        top(s).v[ABOUT], top(s).v[DISTANCE] = other, CONTACT if node.contact >= 0 else node.within
        top(s).v[DECLINABLE] = node.up_to
        return 0
    next_effect(frame)
    if s.d.result >= 0:
        relocate(s, element, s.d.result, MOVEMENT_PLACEMENT)
    return 0


cdef bint placeable(StateBase s, int element) noexcept:
    return exists(s, element) or element < FIGURES and s.d.figure[element].where == PLACE_OFF


cdef int move_effect(StateBase s, Frame* frame, object node) except -1:
    """Move an element. Opportunity attacks answer to the move of a figure (OLO-OPP-06); markers can be moved, too (OLO-MOVE-09)."""
    cdef int element = frame.v[<int> node.who]
    if frame.v[STAGE] == 0:
        if not 0 <= element < DISCS or not exists(s, element) or not has_reference(s, frame, node, element):
            return skip_impossible_effect(s, frame, node)
        if node.flag and element < FIGURES and s.d.figure[element].marches >= PHASE_LIMIT + more_uses(s, element, USE_MARCH):
            return skip_impossible_effect(s, frame, node)
        frame.v[STAGE] = 1
        ask_go(s, MOVE, element, DECISION_GO, chooser_of_node(s, node, frame.v))
        top(s).v[RULERS], top(s).v[DECLINABLE] = node.way, node.up_to
        return bind_direction(s, frame, node)
    next_effect(frame)
    if s.d.result < 0 or not exists(s, element):
        return 0
    if element >= FIGURES:
        return relocate(s, element, s.d.result, MOVEMENT_MOVE)
    if node.flag:
        s.d.figure[element].marches += 1
    return start_move(s, element, s.d.result)


# -- attacks --------------------------------------------------------------------------------------------------------------

cdef int attack_effect(StateBase s, Frame* frame, object node, int code) except -1:
    """Make a frontal or ranged attack or a charge now, if it is possible."""
    cdef int attacker = frame.v[<int> node.who], target = frame.v[<int> node.of], kind = node.attack, slot
    cdef Figure* f
    if frame.v[STAGE] == 0:
        if not 0 <= attacker < FIGURES or not 0 <= target < FIGURES or not attack_possible(s, attacker, target, node):
            return skip_impossible_effect(s, frame, node)
        f = &s.d.figure[attacker]
        slot = USE_CHARGE if kind == ATTACK_KIND_CHARGE else USE_FRONTAL if kind == ATTACK_KIND_FRONTAL else USE_RANGED
        if not node.flag:
            change_ap(s, attacker, -cost_of(s, attacker, slot), CHANGE_CAUSE_COST, slot)
        if node.count:
            f.attacks += 1
            f.marches += kind == ATTACK_KIND_CHARGE
        frame.v[STAGE] = 1 if kind == ATTACK_KIND_CHARGE else 3
        if node.then >= 0:
            run_program(s, node.then, frame.v, False)
        return 0
    if frame.v[STAGE] == 1:
        frame.v[STAGE] = 2
        ask_go(s, CHARGE, attacker, DECISION_GO, chooser_of(s, frame.v))
        top(s).v[ABOUT] = target
        return 0
    if frame.v[STAGE] == 2:
        frame.v[STAGE] = 3
        if s.d.result >= 0:
            start_move(s, attacker, s.d.result)
        return 0
    next_effect(frame)
    if not on_bloc(s, attacker):
        # It went out of action on its way.
        return 0
    if kind == ATTACK_KIND_CHARGE:
        return start_attack(s, attacker, target, ATTACK_KIND_FRONTAL, USE_CHARGE, True, -1)
    return start_attack(s, attacker, target, kind, USE_FRONTAL if kind == ATTACK_KIND_FRONTAL else USE_RANGED, False, -1)


cdef bint attack_possible(StateBase s, int attacker, int target, object node) except -1:
    cdef Figure* f = &s.d.figure[attacker]
    cdef int kind = node.attack
    cdef int slot = USE_CHARGE if kind == ATTACK_KIND_CHARGE else USE_FRONTAL if kind == ATTACK_KIND_FRONTAL else USE_RANGED
    cdef int limit = PHASE_LIMIT + more_uses(s, attacker, slot)
    if not on_bloc(s, attacker) or not on_bloc(s, target) or stunned(s, attacker) or forbidden(s, attacker, slot):
        return False
    if node.count and (f.attacks >= limit or kind == ATTACK_KIND_CHARGE and f.marches >= limit):
        return False
    if not node.flag and f.ap < cost_of(s, attacker, slot):
        return False
    if kind == ATTACK_KIND_FRONTAL:
        return frontal_targets(s, attacker, slot) >> target & 1
    if kind == ATTACK_KIND_RANGED:
        return ranged_targets(s, attacker, slot) >> target & 1
    if not is_free(s, attacker) and not lifted(s, attacker, slot, IGNORE_FREE):
        return False
    return can_charge(s, attacker, target, slot)


# -- hostiles and markers -------------------------------------------------------------------------------------------------

cdef bint spot_of(StateBase s, object spot, int32_t* scope, int* x, int* y) except -1:
    """The lattice point that a card names; False if there is none."""
    cdef int kind = spot.kind, element = -1, i
    if kind == SPOT_AT:
        x[0], y[0] = spot.x, spot.y
        return True
    if kind == SPOT_CENTRE:
        x[0] = y[0] = LAST // 2
        return True
    if kind == SPOT_EDGE:
        i = spot.a
        x[0] = LAST if i == 1 else 0 if i == 3 else LAST // 2
        y[0] = LAST if i == 0 else 0 if i == 2 else LAST // 2
        return True
    if kind == SPOT_NEAR:
        element = scope[<int> spot.a]
    else:
        for i in range(FIGURES, DISCS + s.board.scenery.pieces):
            if element < 0 and exists(s, i) and tag_of(s, i) == <int> spot.a:
                element = i
    if not exists(s, element):
        return False
    if element < DISCS:
        x[0], y[0] = s.d.discs.x[element] // STEP, s.d.discs.y[element] // STEP
    else:
        i = s.board.scenery.piece_first[element - DISCS]
        x[0], y[0] = s.board.scenery.part[i].x // STEP, s.board.scenery.part[i].y // STEP
    return True


cdef int spawn_effect(StateBase s, int32_t* scope, object node) except -1:
    """Put hostiles as near as possible to a spot (OLO-HOST-01, OLO-COMP-08, OLO-PLACE-02)."""
    cdef int x = 0, y = 0, i
    if not spot_of(s, node.spot, scope, &x, &y):
        return add_trace(s, EVENT_EFFECT_SKIPPED, node.index)
    for i in range(value(s, node.n, scope)):
        spawn_hostile(s, node.profile, x, y)
    return 0


cdef int spawn_hostile(StateBase s, int profile, int x, int y) except -1:
    """Put a hostile at the nearest free place, if there is one and fewer than ten are on the board."""
    cdef int index = -1, card = s.rules.profiles + profile, place, i
    cdef Figure* f
    place = nearest_free(&s.board.scenery, &s.d.discs, x, y, s.rules.card[card].radius)
    for i in range(FIGURES - 1, 5, -1):
        # An index that became free in this phase is taken last: an effect may still refer to the figure that had it.
        if s.d.figure[i].where == ABSENT or s.d.figure[i].where == PLACE_OUT and (index < 0 or s.d.figure[index].where == PLACE_OUT):
            index = i
    if index < 0 or place < 0:
        return 0
    f = &s.d.figure[index]
    memset(f, 0, sizeof(Figure))
    f.player, f.card, f.gear = HOSTILE, card, -1
    f.acted = s.d.phase == HOSTILE_PHASE and not s.rules.spawn_acts
    set_down(s, index, place, s.rules.card[card].radius)
    refresh_specific(s)
    add_trace(s, EVENT_HOSTILE_SPAWNED, index, profile, x_of(place), y_of(place))
    return raise_event(s, TRIGGER_ENTERED_BLOC, index, -1)


cdef int marker_effect(StateBase s, int32_t* scope, object node) except -1:
    """Put a marker, move one to a spot, or take one away."""
    cdef int element, x = 0, y = 0, radius, place
    if node.do == MARKER_PUT:
        if not spot_of(s, node.spot, scope, &x, &y) or not put_marker(s, node.tag, node.radius, -1, node.flag, x, y):
            add_trace(s, EVENT_EFFECT_SKIPPED, node.index)
        return 0
    element = scope[<int> node.who]
    if not FIGURES <= element < DISCS or not exists(s, element):
        return add_trace(s, EVENT_EFFECT_SKIPPED, node.index)
    if node.do == MARKER_REMOVE:
        s.d.discs.present &= ~(<unsigned long long> 1 << element)
        return add_trace(s, EVENT_MARKER_REMOVED, element)
    if not spot_of(s, node.spot, scope, &x, &y):
        return add_trace(s, EVENT_EFFECT_SKIPPED, node.index)
    radius = s.d.discs.r[element]
    s.d.discs.present &= ~(<unsigned long long> 1 << element)
    place = nearest_free(&s.board.scenery, &s.d.discs, x, y, radius)
    s.d.discs.present |= <unsigned long long> 1 << element
    if place >= 0:
        set_down(s, element, place, radius)
        add_trace(s, EVENT_MARKER_MOVED, element, x_of(place), y_of(place))
    return 0


cdef int put_marker(StateBase s, int tag, int radius, int zone, bint tainted, int x, int y) except -1:
    """Put a new marker at the nearest free place, with the lowest free number; returns whether it could (OLO-GEN-09)."""
    cdef int place = nearest_free(&s.board.scenery, &s.d.discs, x, y, radius), i
    for i in range(FIGURES, DISCS):
        if not s.d.discs.present >> i & 1:
            break
    else:
        return 0
    if place < 0:
        return 0
    s.d.mark[i].tag, s.d.mark[i].zone, s.d.mark[i].tainted = tag, zone, tainted
    set_down(s, i, place, radius)
    add_trace(s, EVENT_MARKER_PLACED, i, x_of(place), y_of(place))
    return 1

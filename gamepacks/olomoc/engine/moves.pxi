# End places and changes of place: moves, pushes, placements, entering, charges (OLO-MOVE, PUSH, PLACE, DIR, ENTER).
#
# A GO frame asks for an end place and hands it, packed, to the frame below (-1 for staying). A MOVE frame carries out a move
# that was announced: those whose threat zone it leaves may attack first (OLO-OPP).

cdef enum:
    # Places of charges that are listed for a step of 50.
    MAX_LISTED = 640


# -- end places -----------------------------------------------------------------------------------------------------------

cdef int start_plan(StateBase s, const Frame* frame, Plan* plan) except -1:
    """The plan of a GO frame; a direction word is set, its best distance is not computed yet."""
    cdef int kind = frame.v[WAY_KIND], element = frame.v[ELEMENT], rulers = frame.v[RULERS], word = frame.v[WORD]
    cdef int radius = s.rules.card[s.d.figure[element].card].radius if element < FIGURES else s.d.discs.r[element]
    if kind == ENTER:
        plan_entry(plan, &s.board.scenery, &s.d.discs, element, radius, frame.v[ABOUT], &s.rules.move_ruler.size)
    elif kind == PLACE:
        plan_placement(plan, &s.board.scenery, &s.d.discs, element, radius, frame.v[ABOUT], frame.v[DISTANCE])
    elif kind == PUSH or rulers == WAY_PUSH_RULER:
        plan_push(plan, &s.board.scenery, &s.d.discs, element, &s.rules.push_ruler.size)
    elif rulers == WAY_MOVE_RULER:
        # The same rules with the longer ruler: neither the shorter one nor the base's own size.
        plan_push(plan, &s.board.scenery, &s.d.discs, element, &s.rules.move_ruler.size)
    elif rulers == WAY_BASE:
        plan_shift(plan, &s.board.scenery, &s.d.discs, element)
    elif kind == CHARGE:
        plan_charge(
            plan, &s.board.scenery, &s.d.discs, element, frame.v[ABOUT], &s.rules.move_ruler.size, &s.rules.push_ruler.size
        )
        plan.blind = lifted(s, element, USE_CHARGE, IGNORE_SIGHT)
    else:
        plan_move(plan, &s.board.scenery, &s.d.discs, element, &s.rules.move_ruler.size, &s.rules.push_ruler.size)
    if word != DIRECTION_NONE:
        set_direction(plan, frame.v[REFERENCE], -1 if word == DIRECTION_AWAY or word == DIRECTION_DIRECTLY_AWAY else 1)
    return 0


cdef int make_plan(StateBase s, const Frame* frame, Plan* plan) except -1:
    """The plan of a GO frame."""
    cdef int word = frame.v[WORD]
    start_plan(s, frame, plan)
    if word == DIRECTION_DIRECTLY_TOWARDS or word == DIRECTION_DIRECTLY_AWAY:
        cache_of(s).bind_best(plan)
    return 0


cdef PlaceCache cache_of(StateBase s):
    """The cache of places for the present position."""
    if s.place_cache is None or not s.place_cache.fits(s.board, &s.d.discs):
        s.place_cache = PlaceCache()
        s.place_cache.board, s.place_cache.discs = s.board, s.d.discs
    return s.place_cache


cdef uint64_t foes_near(StateBase s, int element) noexcept:
    """The figures whose threat zones matter to a mover."""
    return foes_of(s, element) if element < FIGURES else 0


cdef bint has_end_place(StateBase s, const Frame* frame) except -1:
    """Whether there is a legal end place on the whole lattice (OLO-CAP-08)."""
    cdef Plan plan
    # If any place fits a direction word, there is a best one.
    start_plan(s, frame, &plan)
    return cache_of(s).find(&plan) >= 0


cdef int push_end_places(StateBase s, const Frame* frame, int verb, Codes out) except -1:
    """The listed places of a GO frame, as codes of a verb."""
    cdef Plan plan
    cdef int room = list_capacity(s.rules.list_step), count, i
    cdef Py_ssize_t start = out.size
    while out.capacity < start + room:
        out.grow()
    make_plan(s, frame, &plan)
    count = list_places(&plan, s.rules.list_step, foes_near(s, frame.v[ELEMENT]), &out.code[start], room)
    for i in range(count):
        out.code[start + i] |= verb
    out.size += count
    return 0


cdef bint could_move(StateBase s, int figure) except -1:
    """Whether a figure on the board could march anywhere."""
    cdef Frame frame
    set_go_frame(&frame, MOVE, figure)
    return has_end_place(s, &frame)


cdef bint could_enter(StateBase s, int figure) except -1:
    """Whether a rouage off the board could enter anywhere (OLO-ENTER-02)."""
    cdef Frame frame
    set_go_frame(&frame, ENTER, figure)
    frame.v[ABOUT] = s.d.line[s.d.figure[figure].player]
    return has_end_place(s, &frame)


cdef int set_go_frame(Frame* frame, int kind, int element) noexcept:
    """Set a frame to a change of place without further conditions."""
    frame.kind = F_GO
    frame.v[WAY_KIND], frame.v[ELEMENT], frame.v[ABOUT], frame.v[WORD], frame.v[RULERS] = kind, element, -1, DIRECTION_NONE, 0
    return 0


# -- charges --------------------------------------------------------------------------------------------------------------

cdef bint can_charge(StateBase s, int figure, int foe, int bit) except -1:
    """Whether a figure may charge a foe (OLO-CHARGE-04)."""
    return may_strike(s, figure, foe, bit) and charge_possible(s, figure, foe)


cdef bint may_strike(StateBase s, int figure, int foe, int bit) except -1:
    """Whether a figure may charge a foe, with dice to roll, if there is a place for it (OLO-CHARGE-01, 05, OLO-ROLL-08)."""
    return (
        foes_of(s, figure) >> foe & 1 and (sees(s, figure, foe) or lifted(s, figure, bit, IGNORE_SIGHT))
        and has_dice(s, figure, STAT_COMBAT, ROLE_ATTACKER, bit, foe, False)
    )


cdef uint64_t charge_targets(StateBase s, int figure, int bit) except? 0xFFFFFFFF:
    """The foes that a figure may charge."""
    cdef uint64_t left = foes_of(s, figure), found = 0
    cdef int foe
    while left:
        foe = lowest(left)
        left &= left - 1
        if can_charge(s, figure, foe, bit):
            found |= <uint64_t> 1 << foe
    return found


cdef bint any_charge(StateBase s, int figure, int bit) except -1:
    """Whether a figure may charge any foe."""
    cdef uint64_t left = foes_of(s, figure)
    while left:
        if can_charge(s, figure, lowest(left), bit):
            return True
        left &= left - 1
    return False


cdef bint charge_possible(StateBase s, int figure, int target) except -1:
    """Whether there is a place from which a charge would strike."""
    cdef Frame frame
    # A target farther away than the longest move and the threat zone together is the most frequent case.
    if not within(s, figure, target, INCH + <long> (2 * s.rules.move_ruler.size.diagonal) + 4 * 12500):
        return False
    set_go_frame(&frame, CHARGE, figure)
    frame.v[ABOUT] = target
    return has_end_place(s, &frame)


cdef int push_charges(StateBase s, int figure, uint64_t targets, Codes out) except -1:
    """List CHARGE for each target, with the listed places, at most MAX_LISTED (for a step of 50) in all (OLO-GEO-76).

    If there are more, each target keeps an equal share of the list, and its places are spread evenly.
    """
    cdef Frame frame
    cdef int target, count = 0, most = MAX_LISTED * 2500 // (s.rules.list_step * s.rules.list_step)
    cdef uint64_t left = targets
    cdef Py_ssize_t start, listed, share, i
    while left:
        left &= left - 1
        count += 1
    share = most // max(count, 1)
    while targets:
        target = lowest(targets)
        targets &= targets - 1
        start = out.size
        set_go_frame(&frame, CHARGE, figure)
        frame.v[ABOUT] = target
        push_end_places(s, &frame, VERB_CHARGE | target << POINT_BITS, out)
        listed = out.size - start
        if listed > share:
            for i in range(share):
                out.code[start + i] = out.code[start + i * listed // share]
            out.size = start + share
    return 0


cdef bint may_charge(StateBase s, int figure, int target, int x, int y) except -1:
    """Whether a figure may charge a target with an end at a place, in lattice steps."""
    cdef Frame frame
    cdef Plan plan
    if not may_strike(s, figure, target, USE_CHARGE):
        return False
    set_go_frame(&frame, CHARGE, figure)
    frame.v[ABOUT] = target
    make_plan(s, &frame, &plan)
    return is_legal(&plan, x * STEP, y * STEP)


# -- asking for an end place, and moving ----------------------------------------------------------------------------------

cdef int ask_go(StateBase s, int kind, int element, int what, int chooser) except -1:
    """Push a GO frame, which asks for an end place; the caller may add conditions to it before it runs."""
    cdef Frame* frame = push_frame(s, F_GO)
    set_go_frame(frame, kind, element)
    frame.v[GO_ASK], frame.v[CHOOSER] = what, chooser
    return 0


cdef int go_step(StateBase s, Frame* frame, int code) except -1:
    """Ask for the end place; NO is legal if the frame may be declined, or if no place is legal (D-ENTER, D-GO, D-PUSH)."""
    if code < 0:
        return ask(s, frame.v[GO_ASK], frame.v[CHOOSER])
    pop_frame(s, -1 if code == VERB_NO else code & POINT_MASK)
    return 0


cdef int start_move(StateBase s, int figure, int place) except -1:
    """Announce a move."""
    cdef Frame* frame = push_frame(s, F_MOVE)
    frame.v[USER], frame.v[GOAL] = figure, place
    add_trace(s, EVENT_MOVE_ANNOUNCED, figure, x_of(place), y_of(place))
    return 0


cdef int move_step(StateBase s, Frame* frame, int code) except -1:
    """Carry out an announced move: opportunity attacks, then the move (OLO-OPP-05). The result is 1 if it was made."""
    cdef int figure = frame.v[USER], place = frame.v[GOAL]
    cdef Frame* window
    cdef uint64_t zones
    if frame.pc == 0:
        frame.pc = 1
        raise_event(s, TRIGGER_MOVE_ANNOUNCED, figure, -1)
    elif frame.pc == 1:
        frame.pc = 2
        zones = zones_left(s, figure, place)
        if zones:
            window = push_frame(s, F_WINDOW)
            window.v[USER], window.v[WAITING], window.v[MOVE_GOAL] = figure, <int> zones, place
    elif not on_bloc(s, figure) or not spot_free(
        &s.board.scenery, &s.d.discs, x_of(place) * STEP, y_of(place) * STEP, s.d.discs.r[figure], figure
    ):
        pop_frame(s, 0)
    else:
        pop_frame(s, 1)
        relocate(s, figure, place, MOVEMENT_MOVE)
    return 0


cdef uint64_t zones_left(StateBase s, int figure, int place) except? 0xFFFFFFFF:
    """The foes whose threat zone a move to a place would leave (OLO-GEO-77)."""
    cdef uint64_t left = foes_of(s, figure), found = 0
    cdef int foe, x, y
    if not on_bloc(s, figure):
        return 0
    while left:
        foe = lowest(left)
        left &= left - 1
        if in_zone(s, foe, figure):
            found |= <uint64_t> 1 << foe
    if not found:
        return 0
    x, y = s.d.discs.x[figure], s.d.discs.y[figure]
    s.d.discs.x[figure], s.d.discs.y[figure] = x_of(place) * STEP, y_of(place) * STEP
    left = found
    while left:
        foe = lowest(left)
        left &= left - 1
        if in_zone(s, foe, figure):
            found &= ~(<uint64_t> 1 << foe)
    s.d.discs.x[figure], s.d.discs.y[figure] = x, y
    return found


cdef int set_down(StateBase s, int element, int place, int radius) except -1:
    """Put a figure or marker on the board, without any consequence by the rules."""
    s.d.discs.present |= <uint64_t> 1 << element
    s.d.discs.x[element], s.d.discs.y[element] = x_of(place) * STEP, y_of(place) * STEP
    s.d.discs.r[element] = radius
    if element < FIGURES:
        s.d.figure[element].where = PLACE_BLOC
    return 0


cdef int relocate(StateBase s, int element, int place, int how) except -1:
    """Change the place of a figure (also from off the board) or marker: contact with tainted elements, zones, triggers."""
    cdef int radius = s.rules.card[s.d.figure[element].card].radius if element < FIGURES else s.d.discs.r[element]
    cdef bint was_on_board = s.d.discs.present >> element & 1
    cdef int old_x = s.d.discs.x[element] // STEP, old_y = s.d.discs.y[element] // STEP
    cdef uint64_t discs = 0, pieces = 0, zones = 0, marker_zones = 0, scenery_zones = 0, now
    if was_on_board:
        if old_x == x_of(place) and old_y == y_of(place):
            return 0
        contacts(s, element, &discs, &pieces)
        zones, marker_zones, scenery_zones = threatening_foes(s, element), zones_of_markers(s, element), zones_of_scenery(s, element)
    set_down(s, element, place, radius)
    if was_on_board:
        add_trace(s, EVENT_MOVED, element, how, old_x, old_y, x_of(place), y_of(place))
    else:
        add_trace(s, EVENT_ENTERED_BLOC, element, x_of(place), y_of(place))
    if element >= FIGURES:
        return 0
    touch_tainted(s, element, discs, pieces)
    if not was_on_board:
        raise_event(s, TRIGGER_ENTERED_BLOC, element, -1)
    else:
        raise_event(s, TRIGGER_MOVED, element, -1)
    if s.d.triggers >> TRIGGER_CONTACT & 1:
        raise_contacts(s, element, discs, pieces)
    if s.d.triggers & ((<uint64_t> 1 << TRIGGER_ENTERED) | (<uint64_t> 1 << TRIGGER_LEFT)):
        now = threatening_foes(s, element)
        raise_for(s, TRIGGER_ENTERED, element, now & ~zones)
        raise_for(s, TRIGGER_LEFT, element, zones & ~now)
        now = zones_of_markers(s, element)
        raise_for(s, TRIGGER_ENTERED, element, now & ~marker_zones)
        raise_for(s, TRIGGER_LEFT, element, marker_zones & ~now)
        now = zones_of_scenery(s, element)
        raise_for_pieces(s, TRIGGER_ENTERED, element, now & ~scenery_zones)
        raise_for_pieces(s, TRIGGER_LEFT, element, scenery_zones & ~now)
    return 0


cdef int raise_for(StateBase s, int trigger, int figure, uint64_t elements) except -1:
    while elements:
        raise_event(s, trigger, figure, lowest(elements))
        elements &= elements - 1
    return 0


cdef int raise_contacts(StateBase s, int figure, uint64_t discs, uint64_t pieces) except -1:
    cdef uint64_t now_discs = 0, now_pieces = 0
    contacts(s, figure, &now_discs, &now_pieces)
    now_discs &= ~discs
    now_pieces &= ~pieces
    raise_for(s, TRIGGER_CONTACT, figure, now_discs)
    return raise_for_pieces(s, TRIGGER_CONTACT, figure, now_pieces)


cdef int raise_for_pieces(StateBase s, int trigger, int figure, uint64_t pieces) except -1:
    while pieces:
        raise_event(s, trigger, figure, DISCS + lowest(pieces))
        pieces &= pieces - 1
    return 0


cdef int contacts(StateBase s, int element, uint64_t* discs, uint64_t* pieces) noexcept:
    """The elements with which a figure or marker is in contact."""
    cdef int x = s.d.discs.x[element], y = s.d.discs.y[element], r = s.d.discs.r[element]
    discs[0] = touched_discs(&s.d.discs, x, y, r, element)
    pieces[0] = touched_pieces(&s.board.scenery, x, y, r)
    return 0


cdef uint64_t threatening_foes(StateBase s, int figure) except? 0xFFFFFFFF:
    """The foes in whose threat zone a figure is; 0 if no capacity waits for that."""
    cdef uint64_t left, found = 0
    cdef int foe
    if figure >= FIGURES or not s.d.triggers & ((<uint64_t> 1 << TRIGGER_ENTERED) | (<uint64_t> 1 << TRIGGER_LEFT)):
        return 0
    left = foes_of(s, figure)
    while left:
        foe = lowest(left)
        left &= left - 1
        if in_zone(s, foe, figure):
            found |= <uint64_t> 1 << foe
    return found


cdef uint64_t zones_of_markers(StateBase s, int figure) except? 0xFFFFFFFF:
    """The markers in whose zone a figure is; 0 if no capacity waits for that."""
    if figure >= FIGURES or not s.d.triggers & ((<uint64_t> 1 << TRIGGER_ENTERED) | (<uint64_t> 1 << TRIGGER_LEFT)):
        return 0
    return in_zone_of_tag(s, figure, -1) >> FIGURES << FIGURES


cdef uint64_t zones_of_scenery(StateBase s, int figure) except? 0xFFFFFFFF:
    """The zones of the scenery on which a figure stands; 0 if no capacity waits for that."""
    cdef uint64_t discs = 0, pieces = 0
    cdef int i
    if figure >= FIGURES or not s.d.triggers & ((<uint64_t> 1 << TRIGGER_ENTERED) | (<uint64_t> 1 << TRIGGER_LEFT)):
        return 0
    contacts(s, figure, &discs, &pieces)
    for i in range(s.board.scenery.pieces):
        if not is_zone(&s.board.scenery, i):
            pieces &= ~(<uint64_t> 1 << i)
    return pieces


cdef int touch_tainted(StateBase s, int figure, uint64_t discs, uint64_t pieces) except -1:
    """Noirceur for each tainted element that a figure touches and did not before (OLO-NOIR-03, OLO-ENTER-04)."""
    cdef uint64_t now_discs = 0, now_pieces = 0, left
    cdef int element
    if is_hostile(s, figure):
        return 0
    contacts(s, figure, &now_discs, &now_pieces)
    left = (now_discs & ~discs) >> FIGURES << FIGURES
    now_pieces &= ~pieces & s.d.tainted_pieces
    while left or now_pieces:
        if left:
            element = lowest(left)
            left &= left - 1
            if not s.d.mark[element].tainted:
                continue
        else:
            element = DISCS + lowest(now_pieces)
            now_pieces &= now_pieces - 1
        if s.d.figure[figure].noirceur < CORRUPTED:
            add_trace(s, EVENT_CONTACT_TAINTED, figure, element)
            receive_noirceur(s, figure, CHANGE_CAUSE_CONTACT)
    return 0

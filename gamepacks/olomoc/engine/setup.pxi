# The set-up (OLO-SETUP) and both ways of building cabales (OLO-CABAL).

# Stages of the frame GAME: what is done next. CABALES waits for nothing, READY while the cabales are built.
cdef enum:
    NUMBERS = 0
    AGENDA = 1
    LAYOUT = 2
    MARKERS = 3
    SCENERY = 4
    EDGES = 5
    FALLEN = 6
    HANDS = 7
    CABALES = 8
    READY = 9
    PLAYING = 10


cdef enum:
    # Rouages of a cabale, and all of its cards. Places for scenery are listed by steps of LIST_STEP, away from the edge, where
    # only contact is legal.
    RANKS = 3
    PICKS = 6
    LIST_STEP = 100
    LIST_MARGIN = 200
    LIST_LAST = 1400


cdef int game_step(StateBase s, Frame* frame, int code) except -1:
    """Run the set-up from the roll for player numbers on, then one cycle after the other."""
    cdef int pc = frame.pc
    cdef object agenda
    if pc == NUMBERS:
        if s.rules.start_seat < 0 and code < 0:
            return ask(s, DECISION_CHANCE_NUMBER, -1)
        s.d.first_seat = s.rules.start_seat if s.rules.start_seat >= 0 else first_argument(code)
        add_trace(s, EVENT_NUMBERS_ROLLED, s.d.first_seat)
    elif pc == AGENDA:
        if s.rules.agenda < 0 and code < 0:
            return ask(s, DECISION_CHANCE_AGENDA, -1)
        s.d.agenda = s.rules.agenda if s.rules.agenda >= 0 else first_argument(code)
        add_trace(s, EVENT_AGENDA_CHOSEN, s.d.agenda)
    elif pc == LAYOUT:
        if not s.rules.placed:
            agenda = s.rules.ruleset.agendas[s.d.agenda]
            s.d.layout = agenda.layout if agenda.layout >= 0 else s.rules.layout
            if s.d.layout < 0:
                if code < 0:
                    return ask(s, DECISION_CHANCE_LAYOUT, -1)
                s.d.layout = first_argument(code)
            add_trace(s, EVENT_LAYOUT_CHOSEN, s.d.layout)
        set_layout(s)
    elif pc == MARKERS:
        put_markers(s)
    elif pc == SCENERY:
        return lay_scenery(s, frame, code)
    elif pc == EDGES:
        if code < 0:
            return ask(s, DECISION_EDGE, 1)
        choose_edge(s, first_argument(code))
    elif pc == FALLEN:
        if code < 0:
            return ask(s, DECISION_CHANCE_FALLEN, -1)
        s.d.fallen = first_argument(code)
        add_trace(s, EVENT_FALLEN_MINISTRY, s.d.fallen)
    elif pc == HANDS:
        if code < 0:
            return ask(s, DECISION_CHANCE_HAND, -1)
        deal(s, first_argument(code))
    elif pc == CABALES:
        for artefact in s.rules.ruleset.artefacts:
            s.d.pile[<int> artefact.index] = artefact.copies
        push_frame(s, F_BUILD)
    elif pc == READY:
        recruit(s)
    else:
        push_frame(s, F_CYCLE)
        return 0
    frame.pc = pc + 1
    return 0


cdef int put_markers(StateBase s) except -1:
    """Put the markers of the agenda and the layout, and taint elements (OLO-SETUP-09)."""
    agenda = s.rules.ruleset.agendas[s.d.agenda]
    layout = s.rules.ruleset.layouts[s.d.layout] if s.d.layout >= 0 else None
    for marker in (*agenda.markers, *(layout.markers if layout is not None else ())):
        put_marker(s, marker.tag, marker.radius, marker.zone, marker.tainted, marker.x, marker.y)
    if layout is not None:
        for number, piece in enumerate(layout.pieces):
            if piece.tainted:
                s.d.tainted_pieces |= <unsigned long long> 1 << <int> number
    return 0


# -- scenery (OLO-SETUP-03) -----------------------------------------------------------------------------------------------

cdef object scenery_fault(StateBase s, int rotation, int x, int y):
    """The reason why the next piece of scenery may not lie at a place: "off", "edge" or "near"; None if it may."""
    loose = s.rules.ruleset.pool[s.d.laid]
    try:
        piece = laid_piece(loose, rotation, x, y)
    except ShapeError:
        return "off"
    return setup_fault(piece, [other for other in s.board.pieces if not other.zone], marker_parts(s))


cdef list marker_parts(StateBase s):
    """The markers on the board, as parts."""
    cdef int i
    return [Part(((s.d.discs.x[i], s.d.discs.y[i]),), s.d.discs.r[i]) for i in range(FIGURES, DISCS) if s.d.discs.present >> i & 1]


cdef list scenery_codes(StateBase s):
    """The places for the next piece on a grid of an inch; if none of these is legal, one of the whole lattice.

    NO only if there is none at all (5.5). Kept until a piece is laid.
    """
    cdef int rotation, x, y
    cdef list found = []
    if s.scenery_list is None:
        turns = turned_pieces(s)
        for rotation, placement in turns:
            for x, y in placement.places(LIST_STEP, LIST_MARGIN, LIST_LAST):
                found.append(VERB_SCENERY | rotation << POINT_BITS | point_at(x, y))
        if not found:
            for rotation, placement in turns:
                place = placement.any_place()
                if place is not None:
                    x, y = place
                    found = [VERB_SCENERY | rotation << POINT_BITS | point_at(x, y)]
                    break
        s.scenery_list = found or [VERB_NO]
    return s.scenery_list


cdef list turned_pieces(StateBase s):
    """The placements of the next piece, by rotation, among the elements from which it must keep its distance."""
    cdef int rotation
    cdef list found = []
    loose = s.rules.ruleset.pool[s.d.laid]
    others = [] if loose.zone else [piece.parts() for piece in s.board.pieces if not piece.zone]
    if not loose.zone:
        others += [(marker,) for marker in marker_parts(s)]
    for rotation in range(1 if loose.radius else 16):
        try:
            found.append((rotation, SceneryPlacement(loose_parts(((0, 0),) if loose.radius else loose.corners, loose.radius, rotation), others)))
        except ShapeError:
            # Rounded to the lattice, the turned outline is not a polygon.
            continue
    return found


cdef int lay_scenery(StateBase s, Frame* frame, int code) except -1:
    cdef int number = s.d.laid
    if s.d.layout >= 0 or number == len(s.rules.ruleset.pool):
        frame.pc += 1
        return 0
    if code < 0:
        return ask(s, DECISION_SCENERY, 0)
    s.d.laid += 1
    s.scenery_list = None
    s.d.pieces[number].rotation = -1
    s.d.pieces[number].x = s.d.pieces[number].y = 0
    if code != VERB_NO:
        s.d.pieces[number].rotation = code >> POINT_BITS & 15
        s.d.pieces[number].x, s.d.pieces[number].y = x_of(code), y_of(code)
        set_layout(s)
        if s.rules.ruleset.pool[number].tainted:
            s.d.tainted_pieces |= <unsigned long long> 1 << (s.board.scenery.pieces - 1)
        add_trace(
            s, EVENT_SCENERY_PLACED, DISCS + s.board.scenery.pieces - 1, s.d.pieces[number].rotation, s.d.pieces[number].x,
            s.d.pieces[number].y,
        )
    return 0


# -- edges, hostiles, ministries --------------------------------------------------------------------------------------

cdef int choose_edge(StateBase s, int edge) except -1:
    """Player 2 takes an edge, player 1 the other (OLO-SETUP-04); then the agenda's hostiles appear (OLO-SETUP-09)."""
    agenda = s.rules.ruleset.agendas[s.d.agenda]
    s.d.line[1] = edge
    s.d.line[0] = agenda.edges[1] if agenda.edges[0] == edge else agenda.edges[0]
    add_trace(s, EVENT_LINE_CHOSEN, 1, s.d.line[1] + 1)
    add_trace(s, EVENT_LINE_CHOSEN, 0, s.d.line[0] + 1)
    for profile, x, y in agenda.hostiles:
        spawn_hostile(s, profile, x, y)
    return 0


cdef tuple hands(int fallen):
    """The hands that player 1 can get: three of the six ministries left, by their numbers (OLO-SETUP-05)."""
    return tuple(combinations([number for number in range(7) if number != fallen], 3))


cdef int deal(StateBase s, int outcome) except -1:
    cdef int hand = 0, number, player
    for number in hands(s.d.fallen)[outcome]:
        hand |= 1 << number
    s.d.hand[0] = hand | 1 << AXE
    s.d.hand[1] = PACK_MINISTRIES & ~hand & ~(1 << s.d.fallen) | 1 << AXE
    for player in range(2):
        add_trace(s, EVENT_MINISTRIES_DEALT, player, s.d.hand[player])
    return 0


# -- cabales --------------------------------------------------------------------------------------------------------------

cdef tuple cabales_of(StateBase s):
    return tuple([
        Cabale(
            (s.d.profile[player][0], s.d.profile[player][1], s.d.profile[player][2]),
            (s.d.equipment[player][0], s.d.equipment[player][1], s.d.equipment[player][2]),
        )
        for player in range(2)
    ])


cdef int drafting_player(const Frame* frame) noexcept:
    """The player whose pick it is in a draft: rouages from player 1 on, gear from player 2 on (OLO-CABAL-01)."""
    return frame.v[LAID] % 2 if frame.v[LAID] < PICKS else 1 - frame.v[LAID] % 2


cdef int push_build(StateBase s, int player, list found) except -1:
    """List the legal picks of a player; in a secret build those for the next rank or slot (OLO-GEAR-04)."""
    cdef int done = top(s).v[LAID], rank, pick, slot
    cabales = cabales_of(s)
    if done < (RANKS if s.rules.secret_build else PICKS):
        for pick in s.rules.drafter.legal_profiles(cabales, player, not s.rules.secret_build):
            rank = s.rules.card[pick].rank
            if not s.rules.secret_build or rank == done + 1:
                found.append(VERB_PICK | pick << FIRST_SHIFT)
        return 0
    for pick, slot in s.rules.drafter.legal_gear(cabales, player, not s.rules.secret_build):
        if not s.rules.secret_build or slot == done - RANKS:
            found.append(VERB_EQUIP | pick << FIRST_SHIFT | slot << SECOND_SHIFT)
    return 0


cdef int take_pick(StateBase s, int player, int code) except -1:
    """Take a rouage or gear."""
    cdef int card = first_argument(code)
    if code & VERB_MASK == VERB_PICK:
        s.d.profile[player][s.rules.card[card].rank - 1] = card
        return add_trace(s, EVENT_ROUAGE_RECRUITED, player, 3 * player + s.rules.card[card].rank - 1, card)
    s.d.equipment[player][second_argument(code)] = card
    return add_trace(s, EVENT_GEAR_ASSIGNED, 3 * player + second_argument(code), card)


cdef int build_step(StateBase s, Frame* frame, int code) except -1:
    cdef int player
    if frame.v[LAID] == (PICKS if s.rules.secret_build else 2 * PICKS):
        pop_frame(s, 0)
        return add_trace(s, EVENT_CABALES_REVEALED)
    if code < 0:
        if s.rules.secret_build:
            return ask(s, DECISION_BUILD, -1)
        return ask(s, DECISION_DRAFT if frame.v[LAID] < PICKS else DECISION_GEAR, drafting_player(frame))
    if s.rules.secret_build:
        for player in range(2):
            take_pick(s, player, s.d.committed[player])
            s.d.committed[player] = -1
    else:
        take_pick(s, drafting_player(frame), code)
    frame.v[LAID] += 1
    return 0


cdef int recruit(StateBase s) except -1:
    """Set the figures of the cabales, and give each three activation cards and a Propaganda (OLO-SETUP-08, 09)."""
    cdef Figure* f
    cdef int i
    for i in range(PLAYERS_FIGURES):
        f = &s.d.figure[i]
        f.where, f.player = PLACE_OFF, i // 3
        f.card, f.gear = s.d.profile[i // 3][i % 3], s.d.equipment[i // 3][i % 3]
    for i in range(2):
        s.d.cards[i], s.d.propaganda[i] = 7, 1
    refresh_specific(s)
    return add_trace(s, EVENT_GAME_STARTED)

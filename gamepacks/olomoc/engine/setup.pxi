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
    # Rouages of a cabale, and its cards in all; listed scenery keeps from the edge, where nothing but contact is legal.
    RANKS = 3
    PICKS = 6
    LIST_STEP = 100
    LIST_MARGIN = 200
    LIST_LAST = 1400
    LINE_BETWEEN = 2


cdef int game_step(StateBase m, Frame* frame, int code) except -1:
    """Run the set-up from the roll for player numbers on, then one cycle after the other."""
    cdef int pc = frame.pc
    cdef object agenda
    if pc == NUMBERS:
        if m.rules.start_seat < 0 and code < 0:
            return ask(m, DECISION_CHANCE_NUMBER, -1)
        m.t.first_seat = m.rules.start_seat if m.rules.start_seat >= 0 else first_argument(code)
        add_trace(m, EVENT_NUMBERS_ROLLED, m.t.first_seat)
    elif pc == AGENDA:
        if m.rules.agenda < 0 and code < 0:
            return ask(m, DECISION_CHANCE_AGENDA, -1)
        m.t.agenda = m.rules.agenda if m.rules.agenda >= 0 else first_argument(code)
        add_trace(m, EVENT_AGENDA_CHOSEN, m.t.agenda)
    elif pc == LAYOUT:
        if not m.rules.placed:
            agenda = m.rules.ruleset.agendas[m.t.agenda]
            m.t.layout = agenda.layout if agenda.layout >= 0 else m.rules.layout
            if m.t.layout < 0:
                if code < 0:
                    return ask(m, DECISION_CHANCE_LAYOUT, -1)
                m.t.layout = first_argument(code)
            add_trace(m, EVENT_LAYOUT_CHOSEN, m.t.layout)
        set_layout(m)
    elif pc == MARKERS:
        put_markers(m)
    elif pc == SCENERY:
        return lay_scenery(m, frame, code)
    elif pc == EDGES:
        if code < 0:
            return ask(m, DECISION_EDGE, 1)
        choose_edge(m, first_argument(code))
    elif pc == FALLEN:
        if code < 0:
            return ask(m, DECISION_CHANCE_FALLEN, -1)
        m.t.fallen = first_argument(code)
        add_trace(m, EVENT_FALLEN_MINISTRY, m.t.fallen)
    elif pc == HANDS:
        if code < 0:
            return ask(m, DECISION_CHANCE_HAND, -1)
        deal(m, first_argument(code))
    elif pc == CABALES:
        for artefact in m.rules.ruleset.artefacts:
            m.t.pile[<int> artefact.index] = artefact.copies
        push_frame(m, F_BUILD)
    elif pc == READY:
        recruit(m)
    else:
        push_frame(m, F_CYCLE)
        return 0
    frame.pc = pc + 1
    return 0


cdef int put_markers(StateBase m) except -1:
    """Put the markers of the agenda and the layout, and taint elements (OLO-SETUP-09)."""
    agenda = m.rules.ruleset.agendas[m.t.agenda]
    layout = m.rules.ruleset.layouts[m.t.layout] if m.t.layout >= 0 else None
    for marker in (*agenda.markers, *(layout.markers if layout is not None else ())):
        put_marker(m, marker.tag, marker.radius, marker.zone, marker.tainted, marker.x, marker.y)
    if layout is not None:
        for number, piece in enumerate(layout.pieces):
            if piece.tainted:
                m.t.tainted_pieces |= <unsigned long long> 1 << <int> number
    return 0


# -- scenery (OLO-SETUP-03) -----------------------------------------------------------------------------------------------

cdef object scenery_fault(StateBase m, int rotation, int x, int y):
    """The reason why the next piece of scenery may not lie at a place: "off", "edge" or "near"; None if it may."""
    loose = m.rules.ruleset.pool[m.t.laid]
    try:
        piece = laid_piece(loose, rotation, x, y)
    except ShapeError:
        return "off"
    return setup_fault(piece, [other for other in m.board.pieces if not other.zone], marker_parts(m))


cdef list marker_parts(StateBase m):
    """The markers on the board, as parts."""
    cdef int i
    return [Part(((m.t.discs.x[i], m.t.discs.y[i]),), m.t.discs.r[i]) for i in range(FIGURES, DISCS) if m.t.discs.present >> i & 1]


cdef list scenery_codes(StateBase m):
    """The places for the next piece on a grid of an inch; if none of these is legal, one of the whole lattice.

    NO only if there is none at all (5.5). Kept until a piece is laid.
    """
    cdef int rotation, x, y
    cdef list found = []
    if m.scenery_list is None:
        turns = turned_pieces(m)
        for rotation, placement in turns:
            for x, y in placement.places(LIST_STEP, LIST_MARGIN, LIST_LAST):
                found.append(VERB_SCENERY | rotation << POINT_BITS | x << 11 | y)
        if not found:
            for rotation, placement in turns:
                place = placement.any_place()
                if place is not None:
                    x, y = place
                    found = [VERB_SCENERY | rotation << POINT_BITS | x << 11 | y]
                    break
        m.scenery_list = found or [VERB_NO]
    return m.scenery_list


cdef list turned_pieces(StateBase m):
    """The placements of the next piece, by rotation, among the elements from which it must keep its distance."""
    cdef int rotation
    cdef list found = []
    loose = m.rules.ruleset.pool[m.t.laid]
    others = [] if loose.zone else [piece.parts() for piece in m.board.pieces if not piece.zone]
    if not loose.zone:
        others += [(marker,) for marker in marker_parts(m)]
    for rotation in range(1 if loose.radius else 16):
        try:
            found.append((rotation, SceneryPlacement(loose_parts(((0, 0),) if loose.radius else loose.corners, loose.radius, rotation), others)))
        except ShapeError:
            # Rounded to the lattice, the turned outline is none.
            continue
    return found


cdef int lay_scenery(StateBase m, Frame* frame, int code) except -1:
    cdef int number = m.t.laid
    if m.t.layout >= 0 or number == len(m.rules.ruleset.pool):
        frame.pc += 1
        return 0
    if code < 0:
        return ask(m, DECISION_SCENERY, 0)
    m.t.laid += 1
    m.scenery_list = None
    m.t.pieces[number].rotation = -1
    m.t.pieces[number].x = m.t.pieces[number].y = 0
    if code != VERB_NO:
        m.t.pieces[number].rotation = code >> POINT_BITS & 15
        m.t.pieces[number].x, m.t.pieces[number].y = (code & POINT_MASK) >> 11, code & 2047
        set_layout(m)
        if m.rules.ruleset.pool[number].tainted:
            m.t.tainted_pieces |= <unsigned long long> 1 << (m.board.scenery.pieces - 1)
        add_trace(
            m, EVENT_SCENERY_PLACED, DISCS + m.board.scenery.pieces - 1, m.t.pieces[number].rotation, m.t.pieces[number].x,
            m.t.pieces[number].y,
        )
    return 0


# -- edges, hostiles, ministries --------------------------------------------------------------------------------------

cdef int choose_edge(StateBase m, int edge) except -1:
    """Player 2 takes an edge, player 1 the other (OLO-SETUP-04); then the agenda's hostiles appear (OLO-SETUP-09)."""
    agenda = m.rules.ruleset.agendas[m.t.agenda]
    m.t.line[1] = edge
    m.t.line[0] = agenda.edges[1] if agenda.edges[0] == edge else agenda.edges[0]
    add_trace(m, EVENT_LINE_CHOSEN, 1, m.t.line[1] + 1)
    add_trace(m, EVENT_LINE_CHOSEN, 0, m.t.line[0] + 1)
    for profile, x, y in agenda.hostiles:
        spawn_hostile(m, profile, x, y)
    return 0


cdef tuple hands(int fallen):
    """The hands that player 1 can get: three of the six ministries left, by their numbers (OLO-SETUP-05)."""
    return tuple(combinations([number for number in range(7) if number != fallen], 3))


cdef int deal(StateBase m, int outcome) except -1:
    cdef int hand = 0, number, player
    for number in hands(m.t.fallen)[outcome]:
        hand |= 1 << number
    m.t.hand[0] = hand | 1 << AXE
    m.t.hand[1] = 127 & ~hand & ~(1 << m.t.fallen) | 1 << AXE
    for player in range(2):
        add_trace(m, EVENT_MINISTRIES_DEALT, player, m.t.hand[player])
    return 0


# -- cabales --------------------------------------------------------------------------------------------------------------

cdef tuple cabales_of(StateBase m):
    return tuple([
        Cabale(
            (m.t.profile[player][0], m.t.profile[player][1], m.t.profile[player][2]),
            (m.t.equipment[player][0], m.t.equipment[player][1], m.t.equipment[player][2]),
        )
        for player in range(2)
    ])


cdef int drafting(const Frame* frame) noexcept:
    """The player whose pick it is in a draft: rouages from player 1 on, gear from player 2 on (OLO-CABAL-01)."""
    return frame.v[LAID] % 2 if frame.v[LAID] < PICKS else 1 - frame.v[LAID] % 2


cdef int push_build(StateBase m, int player, list found) except -1:
    """The legal picks of a player; in a secret build for the rank or slot whose turn it is (OLO-GEAR-04)."""
    cdef int done = top(m).v[LAID], rank, pick, slot
    cabales = cabales_of(m)
    if done < (RANKS if m.rules.secret_build else PICKS):
        for pick in m.rules.drafter.legal_profiles(cabales, player, not m.rules.secret_build):
            rank = m.rules.card[pick].rank
            if not m.rules.secret_build or rank == done + 1:
                found.append(VERB_PICK | pick << FIRST_SHIFT)
        return 0
    for pick, slot in m.rules.drafter.legal_gear(cabales, player, not m.rules.secret_build):
        if not m.rules.secret_build or slot == done - RANKS:
            found.append(VERB_EQUIP | pick << FIRST_SHIFT | slot << SECOND_SHIFT)
    return 0


cdef int take(StateBase m, int player, int code) except -1:
    """Take a rouage or gear."""
    cdef int card = first_argument(code)
    if code & VERB_MASK == VERB_PICK:
        m.t.profile[player][m.rules.card[card].rank - 1] = card
        return add_trace(m, EVENT_ROUAGE_RECRUITED, player, 3 * player + m.rules.card[card].rank - 1, card)
    m.t.equipment[player][second_argument(code)] = card
    return add_trace(m, EVENT_GEAR_ASSIGNED, 3 * player + second_argument(code), card)


cdef int build_step(StateBase m, Frame* frame, int code) except -1:
    cdef int player
    if frame.v[LAID] == (PICKS if m.rules.secret_build else 2 * PICKS):
        pop_frame(m, 0)
        return add_trace(m, EVENT_CABALES_REVEALED)
    if code < 0:
        if m.rules.secret_build:
            return ask(m, DECISION_BUILD, -1)
        return ask(m, DECISION_DRAFT if frame.v[LAID] < PICKS else DECISION_GEAR, drafting(frame))
    if m.rules.secret_build:
        for player in range(2):
            take(m, player, m.t.committed[player])
            m.t.committed[player] = -1
    else:
        take(m, drafting(frame), code)
    frame.v[LAID] += 1
    return 0


cdef int recruit(StateBase m) except -1:
    """Set the figures of the cabales, and give each three activation cards and a Propaganda (OLO-SETUP-08, 09)."""
    cdef Figure* f
    cdef int i
    for i in range(PLAYERS_FIGURES):
        f = &m.t.figure[i]
        f.where, f.player = PLACE_OFF, i // 3
        f.card, f.gear = m.t.profile[i // 3][i % 3], m.t.equipment[i // 3][i % 3]
    for i in range(2):
        m.t.cards[i], m.t.propaganda[i] = 7, 1
    refresh_specific(m)
    return add_trace(m, EVENT_GAME_STARTED)

# Conversion between states and plain values.

def dump_state(StateBase m):
    """The whole state as plain values by name; equal states have equal ones."""
    cdef int i, player
    return {
        "first_seat": m.t.first_seat,
        "agenda": m.t.agenda,
        "layout": m.t.layout,
        "cycle": m.t.cycle,
        "phase": m.t.phase,
        "priority": m.t.priority,
        "traque": m.t.traque,
        "active": m.t.active,
        "over": m.t.over,
        "won": [m.t.won[0], m.t.won[1]],
        "starting": m.t.starting,
        "losses": m.t.losses,
        "line": [m.t.line[0], m.t.line[1]],
        "vp": [m.t.vp[0], m.t.vp[1]],
        "fiel": [m.t.fiel[0], m.t.fiel[1]],
        "hand": [m.t.hand[0], m.t.hand[1]],
        "used": [m.t.used[0], m.t.used[1]],
        "plan": [m.t.plan[player][i] for player in range(2) for i in range(6)],
        "shown": [m.t.shown[0], m.t.shown[1]],
        "peeked": [m.t.peeked[0], m.t.peeked[1]],
        "cards": [m.t.cards[0], m.t.cards[1]],
        "propaganda": [m.t.propaganda[0], m.t.propaganda[1]],
        "committed": [m.t.committed[0], m.t.committed[1]],
        "fallen": m.t.fallen,
        "pile": [m.t.pile[i] for i in range(MAX_ARTEFACTS)],
        "open_card": m.t.open_card,
        "discard": [m.t.discard[i] for i in range(m.t.discarded)],
        "profile": [m.t.profile[player][i] for player in range(2) for i in range(3)],
        "equipment": [m.t.equipment[player][i] for player in range(2) for i in range(3)],
        "tokens": [m.t.tokens[i] for i in range(MAX_TOKENS)],
        "pieces": [
            {"rotation": m.t.pieces[i].rotation, "x": m.t.pieces[i].x, "y": m.t.pieces[i].y} for i in range(m.t.laid)
        ],
        "tainted_pieces": m.t.tainted_pieces,
        "figures": [figure_values(m, i) for i in range(FIGURES) if m.t.figure[i].where != ABSENT],
        "marks": [
            {
                "element": i, "tag": m.t.mark[i].tag, "x": m.t.discs.x[i] // STEP, "y": m.t.discs.y[i] // STEP,
                "radius": m.t.discs.r[i], "tainted": m.t.mark[i].tainted, "zone": m.t.mark[i].zone,
            }
            for i in range(FIGURES, DISCS) if m.t.discs.present >> i & 1
        ],
        "lasting": [lasting_values(lasting_at(m, i)) for i in range(m.t.lasting_count)],
        "frames": [frame_values(frame_at(m, i)) for i in range(m.t.depth)],
    }


cdef dict figure_values(StateBase m, int index):
    cdef Figure* f = &m.t.figure[index]
    cdef bint there = f.where == PLACE_BLOC
    cdef int i
    return {
        "index": index, "where": f.where, "card": f.card, "gear": f.gear,
        "x": m.t.discs.x[index] // STEP if there else 0, "y": m.t.discs.y[index] // STEP if there else 0,
        "ap": f.ap, "ap_given": f.ap_given, "ticked": f.ticked, "noirceur": f.noirceur, "states": f.states,
        "marches": f.marches, "attacks": f.attacks, "acted": f.acted, "lost": f.lost,
        "uses": [number for i in range(SLOTS) if f.uses[i] for number in (i, f.uses[i])],
        "used": [number for i in range(SLOTS) if f.used[i] for number in (i, f.used[i])],
    }


cdef dict lasting_values(const Lasting* one):
    return {
        "node": one.node, "subject": one.subject, "owner": one.owner, "bearer": one.bearer, "until": one.until,
        "cycle": one.cycle, "phase": one.phase, "home": one.home, "value": [one.value[0], one.value[1], one.value[2]],
    }


cdef dict frame_values(const Frame* frame):
    """The values of a frame, without the zeros at its end."""
    cdef int count = VALUES, i
    while count and frame.v[count - 1] == 0:
        count -= 1
    return {"kind": frame.kind, "pc": frame.pc, "values": [frame.v[i] for i in range(count)]}


# -- what is to be decided between two actions -------------------------------------------------------------------------

def progress_of(StateBase m):
    """The decision of a state that is not in the middle of an effect; None for other states.

    The values are those of the position message: ``first_player``, ``activation`` (None where nobody is active) and
    ``hostiles_run``. Together with the other values of the state they give its frames.
    """
    cdef int i
    cdef Frame* frame
    cdef dict found = {"first_player": -1, "activation": None, "hostiles_run": 0}
    for i in range(m.t.depth):
        frame = frame_at(m, i)
        if frame.kind == F_PHASE:
            found["first_player"] = frame.v[FIRST]
        elif frame.kind == F_ACTIVATION:
            found["activation"] = {
                "main": frame.v[MAIN], "coordinated": frame.v[OTHER], "by": frame.v[BY], "entered": frame.v[ENTERED],
                "skipped": frame.v[SKIPPED],
            }
        elif frame.kind == F_HOSTILE_PHASE:
            found["hostiles_run"] = frame.v[RUN]
    return found if frames_between(m, found) == [frame_values(frame_at(m, i)) for i in range(m.t.depth)] else None


cdef list frames_between(StateBase m, dict progress):
    """The frames of a state in which nothing is in the middle of an effect."""
    cdef int stage, laid = 0, player, slot
    if m.t.over:
        return []
    stage = game_stage(m)
    cdef list frames = [as_frame(F_GAME, stage)]
    if stage == READY:
        for player in range(2):
            for slot in range(3):
                laid += (m.t.profile[player][slot] >= 0) + (m.t.equipment[player][slot] >= 0)
        return [*frames, as_frame(F_BUILD, 0, (laid // 2 if m.rules.secret_build else laid,))]
    if stage != PLAYING:
        return frames
    if m.t.phase == 0:
        for slot in range(1, 6):
            laid += m.t.plan[0][slot] != NO_CARD
        return [*frames, as_frame(F_CYCLE, 3), as_frame(F_PLANNING, 0, (laid,))]
    if m.t.phase == HOSTILE_PHASE:
        return [*frames, as_frame(F_CYCLE, 9), as_frame(F_HOSTILE_PHASE, 1, (progress["hostiles_run"], m.t.active))]
    first, activation = progress["first_player"], progress["activation"]
    frames += [
        as_frame(F_CYCLE, m.t.phase + 3), as_frame(F_PHASE, 3 if m.t.active == first else 4, (first,)),
        as_frame(F_CARD, 3 if activation is None else 1, (m.t.active,)),
    ]
    if activation is not None:
        places = (activation["main"], activation["coordinated"], activation["by"], activation["entered"], activation["skipped"])
        frames.append(as_frame(F_ACTIVATION, 1, places))
    return frames


cdef int game_stage(StateBase m) except -1:
    """The stage of the frame GAME, derived from the other values; see :func:`game_step`."""
    if m.t.first_seat < 0:
        return NUMBERS
    if m.t.agenda < 0:
        return AGENDA
    if not m.rules.placed and m.t.layout < 0:
        return LAYOUT
    if m.rules.placed and m.t.laid < len(m.rules.ruleset.pool):
        return SCENERY
    if m.t.line[0] < 0:
        return EDGES
    if m.t.fallen < 0:
        return FALLEN
    if not (m.t.hand[0] or m.t.used[0] or m.t.cycle):
        return HANDS
    return READY if m.t.figure[0].where == ABSENT else PLAYING


cdef dict as_frame(int kind, int pc, tuple values=()):
    """A frame as :func:`dump_state` writes it."""
    cdef int count = len(values)
    while count and values[count - 1] == 0:
        count -= 1
    return {"kind": kind, "pc": pc, "values": list(values[:count])}


# -- loading -----------------------------------------------------------------------------------------------------------

def load_state(StateBase m, dict values):
    """Give a fresh state these values. Returns the names of those that fit no decision, chance node or end.

    With the values of :func:`dump_state` there are none. In place of ``frames`` there can be ``progress``, as :func:`progress_of`
    gives it. Raises ShapeError where scenery leaves the board, and LookupError with the number of an element that overlaps
    another one or leaves the board. All numbers must be in the ranges that :mod:`gamepacks.olomoc.positions` checks.
    """
    cdef int i
    fill(m, values)
    set_layout(m)
    for i in range(DISCS):
        if m.t.discs.present >> i & 1 and not spot_free(
            &m.board.scenery, &m.t.discs, m.t.discs.x[i], m.t.discs.y[i], m.t.discs.r[i], i
        ):
            raise LookupError(i)
    refresh_specific(m)
    before = dump_state(m)
    run(m)
    after = dump_state(m)
    found = [name for name in after if after[name] != before[name]]
    return found if found or committed_fits(m) else ["committed"]


cdef bint committed_fits(StateBase m) except -1:
    """Whether hidden decisions wait only for the other player's, and each may be taken."""
    cdef int player
    cdef int32_t code
    cdef bint hidden = m.t.decision in (DECISION_PLAN_MINISTRY, DECISION_PLAN_CARD, DECISION_BUILD), legal
    for player in range(2):
        code = m.t.committed[player]
        if code < 0:
            continue
        if not hidden or m.t.committed[1 - player] >= 0:
            return False
        m.t.committed[player] = -1
        legal = is_choice(m, player, code)
        m.t.committed[player] = code
        if not legal:
            return False
    return True


cdef int fill(StateBase m, dict values) except -1:
    cdef int i, k, player
    cdef Figure* f
    cdef Frame* frame
    cdef Lasting* lasting
    # A fresh state has gone as far as it can: markers of the agenda may lie there already.
    m.t.discs.present = 0
    for i in range(PLAYERS_FIGURES + 10):
        m.t.figure[i].where = ABSENT
    m.t.first_seat, m.t.agenda, m.t.layout = values["first_seat"], values["agenda"], values["layout"]
    m.t.cycle, m.t.phase, m.t.priority, m.t.traque = values["cycle"], values["phase"], values["priority"], values["traque"]
    m.t.active, m.t.over, m.t.starting = values["active"], values["over"], values["starting"]
    m.t.losses, m.t.fallen, m.t.open_card = values["losses"], values["fallen"], values["open_card"]
    for player in range(2):
        m.t.won[player], m.t.line[player], m.t.vp[player] = values["won"][player], values["line"][player], values["vp"][player]
        m.t.fiel[player], m.t.hand[player], m.t.used[player] = values["fiel"][player], values["hand"][player], values["used"][player]
        m.t.shown[player], m.t.peeked[player] = values["shown"][player], values["peeked"][player]
        m.t.cards[player], m.t.propaganda[player] = values["cards"][player], values["propaganda"][player]
        m.t.committed[player] = values["committed"][player]
        for i in range(6):
            m.t.plan[player][i] = values["plan"][6 * player + i]
        for i in range(3):
            m.t.profile[player][i], m.t.equipment[player][i] = values["profile"][3 * player + i], values["equipment"][3 * player + i]
    for i in range(MAX_ARTEFACTS):
        m.t.pile[i] = values["pile"][i]
    m.t.discarded = len(values["discard"])
    for i in range(m.t.discarded):
        m.t.discard[i] = values["discard"][i]
    for i in range(MAX_TOKENS):
        m.t.tokens[i] = values["tokens"][i]
    m.t.laid = len(values["pieces"])
    for i in range(m.t.laid):
        piece = values["pieces"][i]
        m.t.pieces[i].rotation, m.t.pieces[i].x, m.t.pieces[i].y = piece["rotation"], piece["x"], piece["y"]
    m.t.tainted_pieces = values["tainted_pieces"]
    for figure in values["figures"]:
        i = figure["index"]
        f = &m.t.figure[i]
        f.where, f.card, f.gear = figure["where"], figure["card"], figure["gear"]
        f.player = i // 3 if i < PLAYERS_FIGURES else HOSTILE
        f.ap, f.ap_given, f.ticked, f.noirceur = figure["ap"], figure["ap_given"], figure["ticked"], figure["noirceur"]
        f.states, f.marches, f.attacks = figure["states"], figure["marches"], figure["attacks"]
        f.acted, f.lost = figure["acted"], figure["lost"]
        for k in range(0, len(figure["uses"]), 2):
            f.uses[<int> figure["uses"][k]] = figure["uses"][k + 1]
        for k in range(0, len(figure["used"]), 2):
            f.used[<int> figure["used"][k]] = figure["used"][k + 1]
        if f.where == PLACE_BLOC:
            set_down(m, i, figure["x"] << 11 | figure["y"], m.rules.card[f.card].radius)
    for mark in values["marks"]:
        i = mark["element"]
        m.t.mark[i].tag, m.t.mark[i].tainted, m.t.mark[i].zone = mark["tag"], mark["tainted"], mark["zone"]
        set_down(m, i, mark["x"] << 11 | mark["y"], mark["radius"])
    m.t.lasting_count = 0
    for one in values["lasting"]:
        lasting = new_lasting(m)
        lasting.node, lasting.subject, lasting.owner, lasting.bearer = one["node"], one["subject"], one["owner"], one["bearer"]
        lasting.until, lasting.cycle, lasting.phase = one["until"], one["cycle"], one["phase"]
        lasting.home = one["home"]
        for k in range(3):
            lasting.value[k] = one["value"][k]
    m.t.depth = 0
    frames = values["frames"] if "frames" in values else frames_between(m, values["progress"])
    for pending in frames:
        frame = push_frame(m, pending["kind"])
        frame.pc = pending["pc"]
        for k in range(len(pending["values"])):
            frame.v[k] = pending["values"][k]
    return 0

# Conversion between states and plain values.

def dump_state(StateBase s):
    """The whole state as plain values by name; equal states have equal ones."""
    cdef int i, player
    return {
        "first_seat": s.d.first_seat,
        "agenda": s.d.agenda,
        "layout": s.d.layout,
        "cycle": s.d.cycle,
        "phase": s.d.phase,
        "priority": s.d.priority,
        "traque": s.d.traque,
        "active": s.d.active,
        "over": s.d.over,
        "won": [s.d.won[0], s.d.won[1]],
        "starting": s.d.starting,
        "losses": s.d.losses,
        "line": [s.d.line[0], s.d.line[1]],
        "vp": [s.d.vp[0], s.d.vp[1]],
        "fiel": [s.d.fiel[0], s.d.fiel[1]],
        "hand": [s.d.hand[0], s.d.hand[1]],
        "used": [s.d.used[0], s.d.used[1]],
        "plan": [s.d.plan[player][i] for player in range(2) for i in range(6)],
        "shown": [s.d.shown[0], s.d.shown[1]],
        "peeked": [s.d.peeked[0], s.d.peeked[1]],
        "cards": [s.d.cards[0], s.d.cards[1]],
        "propaganda": [s.d.propaganda[0], s.d.propaganda[1]],
        "committed": [s.d.committed[0], s.d.committed[1]],
        "fallen": s.d.fallen,
        "pile": [s.d.pile[i] for i in range(MAX_ARTEFACTS)],
        "open_card": s.d.open_card,
        "discard": [s.d.discard[i] for i in range(s.d.discarded)],
        "profile": [s.d.profile[player][i] for player in range(2) for i in range(3)],
        "equipment": [s.d.equipment[player][i] for player in range(2) for i in range(3)],
        "tokens": [s.d.tokens[i] for i in range(MAX_TOKENS)],
        "pieces": [
            {"rotation": s.d.pieces[i].rotation, "x": s.d.pieces[i].x, "y": s.d.pieces[i].y} for i in range(s.d.laid)
        ],
        "tainted_pieces": s.d.tainted_pieces,
        "figures": [figure_values(s, i) for i in range(FIGURES) if s.d.figure[i].where != ABSENT],
        "marks": [
            {
                "element": i, "tag": s.d.mark[i].tag, "x": s.d.discs.x[i] // STEP, "y": s.d.discs.y[i] // STEP,
                "radius": s.d.discs.r[i], "tainted": s.d.mark[i].tainted, "zone": s.d.mark[i].zone,
            }
            for i in range(FIGURES, DISCS) if s.d.discs.present >> i & 1
        ],
        "lasting": [lasting_values(lasting_at(s, i)) for i in range(s.d.lasting_count)],
        "frames": [frame_values(frame_at(s, i)) for i in range(s.d.depth)],
    }


cdef dict figure_values(StateBase s, int index):
    cdef Figure* f = &s.d.figure[index]
    cdef bint there = f.where == PLACE_BLOC
    cdef int i
    return {
        "index": index, "where": f.where, "card": f.card, "gear": f.gear,
        "x": s.d.discs.x[index] // STEP if there else 0, "y": s.d.discs.y[index] // STEP if there else 0,
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


# -- progress between two actions --------------------------------------------------------------------------------------

def progress_of(StateBase s):
    """The decision of a state that is not in the middle of an effect; None for other states.

    The values are those of the position message: ``first_player``, ``activation`` (None where nobody is active) and
    ``hostiles_run``. Together with the other values of the state they give its frames.
    """
    cdef int i
    cdef Frame* frame
    cdef dict found = {"first_player": -1, "activation": None, "hostiles_run": 0}
    for i in range(s.d.depth):
        frame = frame_at(s, i)
        if frame.kind == F_PHASE:
            found["first_player"] = frame.v[FIRST]
        elif frame.kind == F_ACTIVATION:
            found["activation"] = {
                "main": frame.v[MAIN], "coordinated": frame.v[OTHER], "by": frame.v[BY], "entered": frame.v[ENTERED],
                "skipped": frame.v[SKIPPED],
            }
        elif frame.kind == F_HOSTILE_PHASE:
            found["hostiles_run"] = frame.v[HOSTILES_RUN]
    return found if frames_between(s, found) == [frame_values(frame_at(s, i)) for i in range(s.d.depth)] else None


cdef list frames_between(StateBase s, dict progress):
    """The frames of a state in which nothing is in the middle of an effect."""
    cdef int stage, laid = 0, player, slot
    if s.d.over:
        return []
    stage = game_stage(s)
    cdef list frames = [as_frame(F_GAME, stage)]
    if stage == READY:
        for player in range(2):
            for slot in range(3):
                laid += (s.d.profile[player][slot] >= 0) + (s.d.equipment[player][slot] >= 0)
        return [*frames, as_frame(F_BUILD, 0, (laid // 2 if s.rules.secret_build else laid,))]
    if stage != PLAYING:
        return frames
    if s.d.phase == 0:
        for slot in range(1, 6):
            laid += s.d.plan[0][slot] != NO_CARD
        return [*frames, as_frame(F_CYCLE, 3), as_frame(F_PLANNING, 0, (laid,))]
    if s.d.phase == HOSTILE_PHASE:
        return [*frames, as_frame(F_CYCLE, 9), as_frame(F_HOSTILE_PHASE, 1, (progress["hostiles_run"], s.d.active))]
    first, activation = progress["first_player"], progress["activation"]
    frames += [
        as_frame(F_CYCLE, s.d.phase + 3), as_frame(F_PHASE, 3 if s.d.active == first else 4, (first,)),
        as_frame(F_CARD, 3 if activation is None else 1, (s.d.active,)),
    ]
    if activation is not None:
        places = (activation["main"], activation["coordinated"], activation["by"], activation["entered"], activation["skipped"])
        frames.append(as_frame(F_ACTIVATION, 1, places))
    return frames


cdef int game_stage(StateBase s) except -1:
    """The stage of the frame GAME, derived from the other values; see :func:`game_step`."""
    if s.d.first_seat < 0:
        return NUMBERS
    if s.d.agenda < 0:
        return AGENDA
    if not s.rules.placed and s.d.layout < 0:
        return LAYOUT
    if s.rules.placed and s.d.laid < len(s.rules.ruleset.pool):
        return SCENERY
    if s.d.line[0] < 0:
        return EDGES
    if s.d.fallen < 0:
        return FALLEN
    if not (s.d.hand[0] or s.d.used[0] or s.d.cycle):
        return HANDS
    return READY if s.d.figure[0].where == ABSENT else PLAYING


cdef dict as_frame(int kind, int pc, tuple values=()):
    """A frame as :func:`dump_state` writes it."""
    cdef int count = len(values)
    while count and values[count - 1] == 0:
        count -= 1
    return {"kind": kind, "pc": pc, "values": list(values[:count])}


# -- loading -----------------------------------------------------------------------------------------------------------

def load_state(StateBase s, dict values):
    """Give a fresh state these values. Returns the names of those that fit no decision, chance node or end.

    With the values of :func:`dump_state` there are none. In place of ``frames`` there can be ``progress``, as :func:`progress_of`
    gives it. Raises ShapeError where scenery leaves the board, and LookupError with the number of an element that overlaps
    another one or leaves the board. All numbers must be in the ranges that :mod:`gamepacks.olomoc.positions` checks.
    """
    cdef int i
    fill_state(s, values)
    set_layout(s)
    for i in range(DISCS):
        if s.d.discs.present >> i & 1 and not spot_free(
            &s.board.scenery, &s.d.discs, s.d.discs.x[i], s.d.discs.y[i], s.d.discs.r[i], i
        ):
            raise LookupError(i)
    refresh_specific(s)
    before = dump_state(s)
    run(s)
    after = dump_state(s)
    found = [name for name in after if after[name] != before[name]]
    return found if found or committed_fits(s) else ["committed"]


cdef bint committed_fits(StateBase s) except -1:
    """Whether hidden decisions wait only for the other player's, and each may be taken."""
    cdef int player
    cdef int32_t code
    cdef bint hidden = decided_in_secret(s.d.decision), legal
    for player in range(2):
        code = s.d.committed[player]
        if code < 0:
            continue
        if not hidden or s.d.committed[1 - player] >= 0:
            return False
        s.d.committed[player] = -1
        legal = is_choice(s, player, code)
        s.d.committed[player] = code
        if not legal:
            return False
    return True


cdef int fill_state(StateBase s, dict values) except -1:
    cdef int i, k, player
    cdef Figure* f
    cdef Frame* frame
    cdef Lasting* lasting
    # A new state has run to its first decision: markers of the agenda may lie on the board already.
    s.d.discs.present = 0
    for i in range(PLAYERS_FIGURES + 10):
        s.d.figure[i].where = ABSENT
    s.d.first_seat, s.d.agenda, s.d.layout = values["first_seat"], values["agenda"], values["layout"]
    s.d.cycle, s.d.phase, s.d.priority, s.d.traque = values["cycle"], values["phase"], values["priority"], values["traque"]
    s.d.active, s.d.over, s.d.starting = values["active"], values["over"], values["starting"]
    s.d.losses, s.d.fallen, s.d.open_card = values["losses"], values["fallen"], values["open_card"]
    for player in range(2):
        s.d.won[player], s.d.line[player], s.d.vp[player] = values["won"][player], values["line"][player], values["vp"][player]
        s.d.fiel[player], s.d.hand[player], s.d.used[player] = values["fiel"][player], values["hand"][player], values["used"][player]
        s.d.shown[player], s.d.peeked[player] = values["shown"][player], values["peeked"][player]
        s.d.cards[player], s.d.propaganda[player] = values["cards"][player], values["propaganda"][player]
        s.d.committed[player] = values["committed"][player]
        for i in range(6):
            s.d.plan[player][i] = values["plan"][6 * player + i]
        for i in range(3):
            s.d.profile[player][i], s.d.equipment[player][i] = values["profile"][3 * player + i], values["equipment"][3 * player + i]
    for i in range(MAX_ARTEFACTS):
        s.d.pile[i] = values["pile"][i]
    s.d.discarded = len(values["discard"])
    for i in range(s.d.discarded):
        s.d.discard[i] = values["discard"][i]
    for i in range(MAX_TOKENS):
        s.d.tokens[i] = values["tokens"][i]
    s.d.laid = len(values["pieces"])
    for i in range(s.d.laid):
        piece = values["pieces"][i]
        s.d.pieces[i].rotation, s.d.pieces[i].x, s.d.pieces[i].y = piece["rotation"], piece["x"], piece["y"]
    s.d.tainted_pieces = values["tainted_pieces"]
    for figure in values["figures"]:
        i = figure["index"]
        f = &s.d.figure[i]
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
            set_down(s, i, point_at(figure["x"], figure["y"]), s.rules.card[f.card].radius)
    for mark in values["marks"]:
        i = mark["element"]
        s.d.mark[i].tag, s.d.mark[i].tainted, s.d.mark[i].zone = mark["tag"], mark["tainted"], mark["zone"]
        set_down(s, i, point_at(mark["x"], mark["y"]), mark["radius"])
    s.d.lasting_count = 0
    for one in values["lasting"]:
        lasting = new_lasting(s)
        lasting.node, lasting.subject, lasting.owner, lasting.bearer = one["node"], one["subject"], one["owner"], one["bearer"]
        lasting.until, lasting.cycle, lasting.phase = one["until"], one["cycle"], one["phase"]
        lasting.home = one["home"]
        for k in range(3):
            lasting.value[k] = one["value"][k]
    s.d.depth = 0
    frames = values["frames"] if "frames" in values else frames_between(s, values["progress"])
    for pending in frames:
        frame = push_frame(s, pending["kind"])
        frame.pc = pending["pc"]
        for k in range(len(pending["values"])):
            frame.v[k] = pending["values"][k]
    return 0

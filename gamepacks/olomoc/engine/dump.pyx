"""States as plain values, and back (see :mod:`gamepacks.olomoc.positions.checks` for what is refused)."""

from cext.geometry.board cimport DISCS, FIGURES, STEP, spot_free
from libc.stdint cimport int32_t

from gamepacks.olomoc.engine.choices cimport is_choice
from gamepacks.olomoc.engine.course cimport run
from gamepacks.olomoc.engine.moves cimport set_down
from gamepacks.olomoc.engine.rules cimport Rules
from gamepacks.olomoc.engine.table cimport (
    ABSENT, BLOC, D_BUILD, D_PLAN_CARD, D_PLAN_MIN, Figure, Frame, HOSTILE, Lasting, MAX_ARTEFACTS, MAX_TOKENS, OlomocTable,
    PLAYERS_FIGURES, SLOTS, VALUES, frame_at, lasting_at, new_lasting, push_frame, refresh_specific, set_layout,
)

from cext.geometry import ShapeError
from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.olomoc.positions.checks import Checker

def dump(OlomocTable m):
    """The fields of the position message; equal states have equal ones."""
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
        "pending": [m.t.pending[0], m.t.pending[1]],
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


cdef dict figure_values(OlomocTable m, int index):
    cdef Figure* f = &m.t.figure[index]
    cdef bint there = f.where == BLOC
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
    """What a frame holds, without the zeros at its end."""
    cdef int count = VALUES, i
    while count and frame.v[count - 1] == 0:
        count -= 1
    return {"kind": frame.kind, "pc": frame.pc, "values": [frame.v[i] for i in range(count)]}


def load(OlomocTable m, values):
    """Put a fresh state into the position that :func:`dump` gave. Raises InvalidPosition with every fault found."""
    faults = Checker(m.rules, values).faults()
    if faults:
        raise InvalidPosition(faults)
    fill(m, values)
    faults = board_faults(m)
    if not faults:
        refresh_specific(m)
        run(m)
        faults = [Fault(field, "does not belong to a decision, a roll or the end") for field in changed(values, dump(m))]
    if not faults:
        faults = pending_faults(m)
    if faults:
        raise InvalidPosition(faults)
    return m


cdef list pending_faults(OlomocTable m):
    """A hidden decision that waits for the other player's must be one that may be taken, and only one can wait."""
    cdef int player
    cdef int32_t code
    cdef list found = []
    cdef bint hidden = m.t.ask == D_PLAN_MIN or m.t.ask == D_PLAN_CARD or m.t.ask == D_BUILD
    for player in range(2):
        code = m.t.pending[player]
        if code < 0:
            continue
        m.t.pending[player] = -1
        if not hidden or m.t.pending[1 - player] >= 0 or not is_choice(m, player, code):
            found.append(Fault(f"pending[{player}]", "is no decision that waits"))
        m.t.pending[player] = code
    return found


def changed(dict before, dict after):
    """The fields that going on to the next decision changes, which must be none."""
    return [field for field in after if after[field] != before[field]]


cdef int fill(OlomocTable m, dict values) except -1:
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
        m.t.pending[player] = values["pending"][player]
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
        if f.where == BLOC:
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
    for pending in values["frames"]:
        frame = push_frame(m, pending["kind"])
        frame.pc = pending["pc"]
        for k in range(len(pending["values"])):
            frame.v[k] = pending["values"][k]
    return 0


cdef list board_faults(OlomocTable m):
    """Overlaps, and what leaves the board (OLO-INV-01)."""
    cdef int i
    found = []
    try:
        set_layout(m)
    except ShapeError as error:
        return [Fault("pieces", str(error))]
    if m.t.tainted_pieces >> m.board.scenery.pieces and m.board.scenery.pieces < 64:
        found.append(Fault("tainted_pieces", f"there are {m.board.scenery.pieces} pieces"))
    for i in range(DISCS):
        if m.t.discs.present >> i & 1 and not spot_free(
            &m.board.scenery, &m.t.discs, m.t.discs.x[i], m.t.discs.y[i], m.t.discs.r[i], i
        ):
            found.append(Fault("figures" if i < FIGURES else "marks", f"{i} lies off the board, or on something (OLO-INV-01)"))
    return found

"""Wounds, losses, Noirceur, Fiel, the hunt, states, and the endings they bring (OLO-LIFE, OUT, NOIR, FIEL, TRAQ, END)."""

from cext.geometry.board cimport FIGURES
from gamepacks.olomoc.engine.modifiers cimport protection
from gamepacks.olomoc.engine.rules cimport Card
from gamepacks.olomoc.engine.table cimport (
    BLOC, CORRUPTED, F_CARD, F_EFFECTS, Figure, HOSTILE, MINISTRY, OFF, OUT, PLAYER, REDUCED, SHIELDED, SOURCE, SPECIFIC, STOPPED, end_effects_on, frame_at,
    is_hostile, note, raise_event,
)
from gamepacks.olomoc.terms cimport (
    END_BY_BOTH_FIEL, END_BY_CYCLES, END_BY_FIEL, END_BY_TRAQUE, N_AP_CHANGED, N_FIEL_CHANGED, N_GAME_OVER, N_HEALED,
    N_NOIRCEUR_CHANGED, N_ROUAGE_OUT, N_STATE_CHANGED, N_STATUS_CHANGED, N_TRAQUE_CHANGED, N_VP_CHANGED, N_WOUNDS_TAKEN, T_NOIRCEUR,
    T_OUT, T_STUNNED, T_WOUNDED, BY_ARTEFACT, BY_CAPACITY, BY_GENERIC, BY_MINISTRY, WHY_BOX, WHY_CORRUPTED, WHY_EFFECT, WHY_LOSS,
)

cdef enum:
    REINFORCED = 1
    TAINTED_BOX = 2
    LIMIT = 3
    # What brings a change is told in one number.
    SOURCES = 1 << 16


cdef int source_of(OlomocTable m, int why, int what) except -1:
    """What brings a change, as kind * SOURCES + number; 0 for a rule alone.

    ``what`` is a capacity as in ``Node.caps``; -1 for none, or for the one whose effects are carried out.
    """
    cdef int i
    if m.notes is None:
        return 0
    if what >= 0:
        return BY_GENERIC * SOURCES + what if what < SPECIFIC else BY_CAPACITY * SOURCES + what - SPECIFIC
    if why != WHY_EFFECT:
        return 0
    i = m.t.depth - 1
    if frame_at(m, i).v[SOURCE] >= 0:
        return BY_CAPACITY * SOURCES + frame_at(m, i).v[SOURCE]
    while frame_at(m, i).kind == F_EFFECTS:
        i -= 1
    if frame_at(m, i).kind == F_CARD:
        return BY_MINISTRY * SOURCES + m.t.plan[frame_at(m, i).v[PLAYER]][m.t.phase] - MINISTRY
    return BY_ARTEFACT * SOURCES + m.t.open_card


cdef int change_ap(OlomocTable m, int figure, int change, int why, int what=-1) except -1:
    """Give or take action tokens, from none to those given in this cycle (OLO-AP-02)."""
    cdef Figure* f = &m.t.figure[figure]
    cdef int ap = max(0, min(f.ap + change, f.ap_given))
    if ap != f.ap:
        note(m, N_AP_CHANGED, figure, f.ap, ap, why, source_of(m, why, what))
        f.ap = ap
    return 0


# -- life lines -----------------------------------------------------------------------------------------------------------

cdef int wound(OlomocTable m, int figure, int count, int author, bint attack, int32_t* suffered=NULL) except -1:
    """Wounds, of an attack (OLO-LIFE-02 to 05) or not (OLO-LIFE-07); ``author`` -1 for none (OLO-OUT-04).

    An attack that wounds in several parts keeps in ``suffered`` what it has but once: REDUCED, STOPPED, SHIELDED.
    """
    cdef Figure* f = &m.t.figure[figure]
    cdef const Card* card = &m.rules.card[f.card]
    cdef int given = count, ticked = 0, taints = 0, i
    cdef bint blackened, stopped = False
    if f.where != BLOC and f.where != OFF or count <= 0:
        return 0
    if attack:
        stopped = suffered != NULL and suffered[STOPPED - REDUCED] >> figure & 1
        if not stopped:
            count -= shielded(m, figure, count, suffered)
            if reinforced(m, card, f.ticked, count) and not (suffered != NULL and suffered[0] >> figure & 1):
                count -= 1
                if suffered != NULL:
                    suffered[0] |= 1 << figure
    while not stopped and ticked < count and f.ticked < card.boxes:
        blackened = card.life[f.ticked] == TAINTED_BOX
        f.ticked += 1
        ticked += 1
        if blackened:
            taints += 1
            if attack:
                if suffered != NULL:
                    suffered[STOPPED - REDUCED] |= 1 << figure
                break
    note(m, N_WOUNDS_TAKEN, figure, given, given - count, count - ticked, ticked)
    if ticked == 0:
        return 0
    if f.ticked == card.boxes:
        raise_event(m, T_WOUNDED, figure, author)
        put_out(m, figure, author)
        return check_endings(m)
    raise_event(m, T_WOUNDED, figure, author)
    if attack or not m.rules.attack_taints_only:
        for i in range(taints):
            receive_noirceur(m, figure, WHY_BOX)
    return 0


cdef int shielded(OlomocTable m, int figure, int count, int32_t* suffered) except -1:
    """How many of so many wounds protection takes off, less what it took off in this attack already."""
    cdef int place = SHIELDED - REDUCED + figure // 4, shift = 8 * (figure % 4), before = 0, taken
    if suffered != NULL:
        before = suffered[place] >> shift & 255
    taken = max(0, min(count, protection(m, figure) - before))
    if suffered != NULL:
        suffered[place] = suffered[place] & ~(255 << shift) | min(255, before + taken) << shift
    return taken


cdef bint reinforced(OlomocTable m, const Card* card, int first, int count) noexcept:
    """Whether a reinforced box takes a wound off an attack: in the boxes that it would tick, none behind a tainted one."""
    cdef int i
    for i in range(first, min(first + count, card.boxes)):
        if card.life[i] == REINFORCED:
            return True
        if m.rules.next_box_only or card.life[i] == TAINTED_BOX:
            return False
    return False


cdef int heal(OlomocTable m, int figure, int boxes) except -1:
    """Untick the last boxes."""
    cdef Figure* f = &m.t.figure[figure]
    boxes = min(boxes, f.ticked)
    if boxes > 0:
        f.ticked -= boxes
        note(m, N_HEALED, figure, boxes)
    return 0


cdef int put_out(OlomocTable m, int figure, int author) except -1:
    """Out of action (OLO-OUT-01 to 04); the endings are checked between the hunt and the Noirceur (OLO-END-04)."""
    cdef bint hostile = is_hostile(m, figure)
    m.t.losses += 1
    m.t.figure[figure].lost = m.t.losses
    note(m, N_ROUAGE_OUT, figure, author)
    leave_board(m, figure)
    raise_event(m, T_OUT, figure, author)
    if hostile:
        return 0
    change_traque(m, 1, WHY_LOSS)
    if not m.t.over and author >= 0 and m.t.figure[author].where != OUT:
        receive_noirceur(m, author, WHY_LOSS)
    return 0


cdef int leave_board(OlomocTable m, int figure) except -1:
    """A figure leaves the game with all its tokens (OLO-OUT-01, OLO-INV-08); what is on a hostile ends."""
    cdef Figure* f = &m.t.figure[figure]
    f.where = OUT
    f.ap = f.ap_given = f.noirceur = f.states = 0
    m.t.discs.present &= ~(<unsigned long long> 1 << figure)
    end_effects_on(m, figure)
    # Its capacities stay gathered: they may answer to its loss.
    return 0


# -- Noirceur, Fiel, the hunt ---------------------------------------------------------------------------------------------

cdef int receive_noirceur(OlomocTable m, int figure, int why, int what=-1) except -1:
    """One Noirceur; a corrupted rouage's turns into Fiel (OLO-NOIR-02, 04). Hostiles hold none (OLO-NOIR-06)."""
    cdef Figure* f = &m.t.figure[figure]
    if f.player == HOSTILE or f.where != BLOC and f.where != OFF or m.t.over:
        return 0
    if f.noirceur == CORRUPTED:
        change_fiel(m, f.player, 1, WHY_CORRUPTED)
    else:
        change_noirceur(m, figure, f.noirceur + 1, why, what)
    raise_event(m, T_NOIRCEUR, figure, -1)
    return 0


cdef int change_noirceur(OlomocTable m, int figure, int noirceur, int why, int what) except -1:
    """Hold so many Noirceur; the status of the rouage may change by that (OLO-NOIR-01)."""
    cdef int before = m.t.figure[figure].noirceur
    cdef int status = status_of(m, figure)
    m.t.figure[figure].noirceur = noirceur
    note(m, N_NOIRCEUR_CHANGED, figure, before, noirceur, why, source_of(m, why, what))
    if status_of(m, figure) != status:
        note(m, N_STATUS_CHANGED, figure, status, status_of(m, figure))
    return 0


cdef int status_of(OlomocTable m, int figure) noexcept:
    """Healthy, tainted or corrupted (OLO-NOIR-01)."""
    cdef int noirceur = m.t.figure[figure].noirceur
    return 0 if noirceur == 0 else 2 if noirceur == CORRUPTED else 1


cdef int lose_noirceur(OlomocTable m, int figure, int count, int why) except -1:
    count = min(count, m.t.figure[figure].noirceur)
    if count > 0:
        change_noirceur(m, figure, m.t.figure[figure].noirceur - count, why, -1)
    return 0


cdef int change_fiel(OlomocTable m, int player, int change, int why) except -1:
    cdef int fiel = max(0, min(m.t.fiel[player] + change, LIMIT))
    if fiel != m.t.fiel[player]:
        note(m, N_FIEL_CHANGED, player, m.t.fiel[player], fiel, why, source_of(m, why, -1))
        m.t.fiel[player] = fiel
    return check_endings(m)


cdef int change_traque(OlomocTable m, int change, int why) except -1:
    cdef int traque = max(0, min(m.t.traque + change, LIMIT))
    if traque != m.t.traque:
        note(m, N_TRAQUE_CHANGED, m.t.traque, traque, why, source_of(m, why, -1))
        m.t.traque = traque
    return check_endings(m)


cdef int change_vp(OlomocTable m, int player, int change) except -1:
    """Victory points, never below 0."""
    cdef int vp = max(0, m.t.vp[player] + change)
    if vp != m.t.vp[player]:
        note(m, N_VP_CHANGED, player, m.t.vp[player], vp, WHY_EFFECT, source_of(m, WHY_EFFECT, -1))
        m.t.vp[player] = vp
    return 0


cdef int set_state(OlomocTable m, int figure, int state, bint there) except -1:
    """Add or remove the token of a state (OLO-STATE-01)."""
    cdef Figure* f = &m.t.figure[figure]
    if f.where != BLOC and f.where != OFF or (f.states >> state & 1) == there:
        return 0
    f.states ^= 1 << state
    note(m, N_STATE_CHANGED, figure, state, there)
    if there and state == 0:
        raise_event(m, T_STUNNED, figure, -1)
    return 0


# -- endings --------------------------------------------------------------------------------------------------------------

cdef int hold_endings(OlomocTable m) except -1:
    """Several are hit at once: look for endings when all are (OLO-END-05)."""
    m.t.held += 1
    return 0


cdef int release_endings(OlomocTable m) except -1:
    m.t.held -= 1
    return check_endings(m)


cdef int check_endings(OlomocTable m) except -1:
    """The hunt first, then Fiel (OLO-END-02 to 04)."""
    if m.t.held or m.t.over:
        return 0
    if m.t.traque >= LIMIT:
        finish(m, END_BY_TRAQUE)
    elif m.t.fiel[0] >= LIMIT and m.t.fiel[1] >= LIMIT:
        finish(m, END_BY_BOTH_FIEL)
    elif m.t.fiel[0] >= LIMIT or m.t.fiel[1] >= LIMIT:
        finish(m, END_BY_FIEL)
    return 0


cdef int finish(OlomocTable m, int cause) except -1:
    """The game is over (OLO-END-01 to 03, 06)."""
    cdef int player, better
    m.t.over = cause
    for player in range(2):
        if cause == END_BY_BOTH_FIEL:
            m.t.won[player] = -1
        elif cause == END_BY_FIEL:
            m.t.won[player] = -1 if m.t.fiel[player] >= LIMIT else 1
        else:
            better = m.t.vp[player] - m.t.vp[1 - player]
            m.t.won[player] = (better > 0) - (better < 0)
    note(m, N_GAME_OVER, cause)
    return 0

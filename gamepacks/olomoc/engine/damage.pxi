# Damage and its consequences: wounds, losses, Noirceur, Fiel, the hunt, states, and the endings that they bring.
#
# The rules are OLO-LIFE, OLO-OUT, OLO-NOIR, OLO-FIEL, OLO-TRAQ and OLO-END.

cdef int source_of(StateBase m, int why, int what) except -1:
    """The source of a change, as kind * SOURCE_RADIX + number; 0 for a rule alone.

    ``what`` is a capacity as in ``Node.caps``; -1 for none, or for the one whose effects are carried out.
    """
    cdef int i
    if m.trace is None:
        return 0
    if what >= 0:
        return SOURCE_KIND_GENERIC * SOURCE_RADIX + what if what < SPECIFIC else SOURCE_KIND_CAPACITY * SOURCE_RADIX + what - SPECIFIC
    if why != CHANGE_CAUSE_EFFECT:
        return 0
    i = m.t.depth - 1
    if frame_at(m, i).v[SOURCE] >= 0:
        return SOURCE_KIND_CAPACITY * SOURCE_RADIX + frame_at(m, i).v[SOURCE]
    while frame_at(m, i).kind == F_EFFECTS:
        i -= 1
    if frame_at(m, i).kind == F_CARD:
        return SOURCE_KIND_MINISTRY * SOURCE_RADIX + m.t.plan[frame_at(m, i).v[PLAYER]][m.t.phase] - MINISTRY
    return SOURCE_KIND_ARTEFACT * SOURCE_RADIX + m.t.open_card


cdef int change_ap(StateBase m, int figure, int change, int why, int what=-1) except -1:
    """Give or take action tokens, from none to those given in this cycle (OLO-AP-02)."""
    cdef Figure* f = &m.t.figure[figure]
    cdef int ap = max(0, min(f.ap + change, f.ap_given))
    if ap != f.ap:
        add_trace(m, EVENT_AP_CHANGED, figure, f.ap, ap, why, source_of(m, why, what))
        f.ap = ap
    return 0


# -- life lines -----------------------------------------------------------------------------------------------------------

cdef int wound(StateBase m, int figure, int count, int author, bint attack, int32_t* suffered=NULL) except -1:
    """Wounds, of an attack (OLO-LIFE-02 to 05) or not (OLO-LIFE-07); ``author`` -1 for none (OLO-OUT-04).

    An attack that wounds in several parts keeps in ``suffered`` what it has but once: REDUCED, STOPPED, SHIELDED.
    """
    cdef Figure* f = &m.t.figure[figure]
    cdef const Card* card = &m.rules.card[f.card]
    cdef int given = count, ticked = 0, taints = 0, i
    cdef bint blackened, stopped = False
    if f.where != PLACE_BLOC and f.where != PLACE_OFF or count <= 0:
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
        blackened = card.life[f.ticked] == BOX_TAINTED
        f.ticked += 1
        ticked += 1
        if blackened:
            taints += 1
            if attack:
                if suffered != NULL:
                    suffered[STOPPED - REDUCED] |= 1 << figure
                break
    add_trace(m, EVENT_WOUNDS_TAKEN, figure, given, given - count, count - ticked, ticked)
    if ticked == 0:
        return 0
    if f.ticked == card.boxes:
        raise_event(m, TRIGGER_WOUNDED, figure, author)
        put_out(m, figure, author)
        return check_endings(m)
    raise_event(m, TRIGGER_WOUNDED, figure, author)
    if attack or not m.rules.attack_taints_only:
        for i in range(taints):
            receive_noirceur(m, figure, CHANGE_CAUSE_TAINTED_BOX)
    return 0


cdef int shielded(StateBase m, int figure, int count, int32_t* suffered) except -1:
    """The number of wounds that protection takes off, less those that it took off in this attack already."""
    cdef int place = SHIELDED - REDUCED + figure // 4, shift = 8 * (figure % 4), before = 0, taken
    if suffered != NULL:
        before = suffered[place] >> shift & 255
    taken = max(0, min(count, protection(m, figure) - before))
    if suffered != NULL:
        suffered[place] = suffered[place] & ~(255 << shift) | min(255, before + taken) << shift
    return taken


cdef bint reinforced(StateBase m, const Card* card, int first, int count) noexcept:
    """Whether a reinforced box takes a wound off an attack: in the boxes that it would tick, none behind a tainted one."""
    cdef int i
    for i in range(first, min(first + count, card.boxes)):
        if card.life[i] == BOX_REINFORCED:
            return True
        if m.rules.next_box_only or card.life[i] == BOX_TAINTED:
            return False
    return False


cdef int heal(StateBase m, int figure, int boxes) except -1:
    """Untick the last boxes."""
    cdef Figure* f = &m.t.figure[figure]
    boxes = min(boxes, f.ticked)
    if boxes > 0:
        f.ticked -= boxes
        add_trace(m, EVENT_HEALED, figure, boxes)
    return 0


cdef int put_out(StateBase m, int figure, int author) except -1:
    """Put a figure out of action (OLO-OUT-01 to 04); the endings are checked between the hunt and the Noirceur (OLO-END-04)."""
    cdef bint hostile = is_hostile(m, figure)
    m.t.losses += 1
    m.t.figure[figure].lost = m.t.losses
    add_trace(m, EVENT_ROUAGE_OUT, figure, author)
    leave_board(m, figure)
    raise_event(m, TRIGGER_OUT, figure, author)
    if hostile:
        return 0
    change_traque(m, 1, CHANGE_CAUSE_LOSS)
    if not m.t.over and author >= 0 and m.t.figure[author].where != PLACE_OUT:
        receive_noirceur(m, author, CHANGE_CAUSE_LOSS)
    return 0


cdef int leave_board(StateBase m, int figure) except -1:
    """Remove a figure with all its tokens (OLO-OUT-01, OLO-INV-08); effects on a hostile end."""
    cdef Figure* f = &m.t.figure[figure]
    f.where = PLACE_OUT
    f.ap = f.ap_given = f.noirceur = f.states = 0
    m.t.discs.present &= ~(<unsigned long long> 1 << figure)
    end_effects_on(m, figure)
    # Its capacities stay gathered: they may answer to its loss.
    return 0


# -- Noirceur, Fiel, the hunt ---------------------------------------------------------------------------------------------

cdef int receive_noirceur(StateBase m, int figure, int why, int what=-1) except -1:
    """Give a figure one Noirceur, which a corrupted rouage turns into Fiel (OLO-NOIR-02, 04). Hostiles hold none (OLO-NOIR-06)."""
    cdef Figure* f = &m.t.figure[figure]
    if f.player == HOSTILE or f.where != PLACE_BLOC and f.where != PLACE_OFF or m.t.over:
        return 0
    if f.noirceur == CORRUPTED:
        change_fiel(m, f.player, 1, CHANGE_CAUSE_CORRUPTED)
    else:
        change_noirceur(m, figure, f.noirceur + 1, why, what)
    raise_event(m, TRIGGER_NOIRCEUR, figure, -1)
    return 0


cdef int change_noirceur(StateBase m, int figure, int noirceur, int why, int what) except -1:
    """Set the Noirceur of a rouage, which may change its status (OLO-NOIR-01)."""
    cdef int before = m.t.figure[figure].noirceur
    cdef int status = status_of(m, figure)
    m.t.figure[figure].noirceur = noirceur
    add_trace(m, EVENT_NOIRCEUR_CHANGED, figure, before, noirceur, why, source_of(m, why, what))
    if status_of(m, figure) != status:
        add_trace(m, EVENT_STATUS_CHANGED, figure, status, status_of(m, figure))
    return 0


cdef int status_of(StateBase m, int figure) noexcept:
    """The Status of a rouage: healthy, tainted or corrupted (OLO-NOIR-01)."""
    cdef int noirceur = m.t.figure[figure].noirceur
    return STATUS_HEALTHY if noirceur == 0 else STATUS_CORRUPTED if noirceur == CORRUPTED else STATUS_TAINTED


cdef int lose_noirceur(StateBase m, int figure, int count, int why) except -1:
    count = min(count, m.t.figure[figure].noirceur)
    if count > 0:
        change_noirceur(m, figure, m.t.figure[figure].noirceur - count, why, -1)
    return 0


cdef int change_fiel(StateBase m, int player, int change, int why) except -1:
    cdef int fiel = max(0, min(m.t.fiel[player] + change, TRACK_END))
    if fiel != m.t.fiel[player]:
        add_trace(m, EVENT_FIEL_CHANGED, player, m.t.fiel[player], fiel, why, source_of(m, why, -1))
        m.t.fiel[player] = fiel
    return check_endings(m)


cdef int change_traque(StateBase m, int change, int why) except -1:
    cdef int traque = max(0, min(m.t.traque + change, TRACK_END))
    if traque != m.t.traque:
        add_trace(m, EVENT_TRAQUE_CHANGED, m.t.traque, traque, why, source_of(m, why, -1))
        m.t.traque = traque
    return check_endings(m)


cdef int change_vp(StateBase m, int player, int change) except -1:
    """Change the victory points of a player, which are never below 0."""
    cdef int vp = max(0, m.t.vp[player] + change)
    if vp != m.t.vp[player]:
        add_trace(m, EVENT_VP_CHANGED, player, m.t.vp[player], vp, CHANGE_CAUSE_EFFECT, source_of(m, CHANGE_CAUSE_EFFECT, -1))
        m.t.vp[player] = vp
    return 0


cdef int set_state(StateBase m, int figure, int state, bint there) except -1:
    """Add or remove the token of a state (OLO-STATE-01)."""
    cdef Figure* f = &m.t.figure[figure]
    if f.where != PLACE_BLOC and f.where != PLACE_OFF or (f.states >> (state - 1) & 1) == there:
        return 0
    f.states ^= 1 << (state - 1)
    add_trace(m, EVENT_STATE_CHANGED, figure, state, there)
    if there and state == STATE_STUNNED:
        raise_event(m, TRIGGER_STUNNED, figure, -1)
    return 0


# -- endings --------------------------------------------------------------------------------------------------------------

cdef int hold_endings(StateBase m) except -1:
    """Defer the check of endings while several figures are hit at once (OLO-END-05)."""
    m.t.held += 1
    return 0


cdef int release_endings(StateBase m) except -1:
    m.t.held -= 1
    return check_endings(m)


cdef int check_endings(StateBase m) except -1:
    """End the game if the hunt, or else Fiel, has reached its limit (OLO-END-02 to 04)."""
    if m.t.held or m.t.over:
        return 0
    if m.t.traque >= TRACK_END:
        finish(m, END_CAUSE_TRAQUE)
    elif m.t.fiel[0] >= TRACK_END and m.t.fiel[1] >= TRACK_END:
        finish(m, END_CAUSE_BOTH_FIEL)
    elif m.t.fiel[0] >= TRACK_END or m.t.fiel[1] >= TRACK_END:
        finish(m, END_CAUSE_FIEL)
    return 0


cdef int finish(StateBase m, int cause) except -1:
    """End the game and set the returns (OLO-END-01 to 03, 06)."""
    cdef int player, better
    m.t.over = cause
    for player in range(2):
        if cause == END_CAUSE_BOTH_FIEL:
            m.t.won[player] = -1
        elif cause == END_CAUSE_FIEL:
            m.t.won[player] = -1 if m.t.fiel[player] >= TRACK_END else 1
        else:
            better = m.t.vp[player] - m.t.vp[1 - player]
            m.t.won[player] = (better > 0) - (better < 0)
    add_trace(m, EVENT_GAME_OVER, cause)
    return 0

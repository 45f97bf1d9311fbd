# Damage and its consequences: wounds, losses, Noirceur, Fiel, the hunt, states, and the endings that they bring.
#
# The rules are OLO-LIFE, OLO-OUT, OLO-NOIR, OLO-FIEL, OLO-TRAQ and OLO-END.

cdef int source_of(StateBase s, int cause, int what) except -1:
    """The source of a change, as kind * SOURCE_RADIX + number; 0 for a rule alone.

    ``what`` is a capacity as in ``Node.caps``; -1 for none, or for the capacity whose effects are carried out.
    """
    cdef int i
    if s.trace is None:
        return 0
    if what >= 0:
        return SOURCE_KIND_GENERIC * SOURCE_RADIX + what if what < SPECIFIC else SOURCE_KIND_CAPACITY * SOURCE_RADIX + what - SPECIFIC
    if cause != CHANGE_CAUSE_EFFECT:
        return 0
    i = s.d.depth - 1
    if frame_at(s, i).v[SOURCE] >= 0:
        return SOURCE_KIND_CAPACITY * SOURCE_RADIX + frame_at(s, i).v[SOURCE]
    while frame_at(s, i).kind == F_EFFECTS:
        i -= 1
    if frame_at(s, i).kind == F_CARD:
        return SOURCE_KIND_MINISTRY * SOURCE_RADIX + s.d.plan[frame_at(s, i).v[PLAYER]][s.d.phase] - MINISTRY
    return SOURCE_KIND_ARTEFACT * SOURCE_RADIX + s.d.open_card


cdef int change_ap(StateBase s, int figure, int change, int cause, int what=-1) except -1:
    """Give or take action tokens, from none to those given in this cycle (OLO-AP-02)."""
    cdef Figure* f = &s.d.figure[figure]
    cdef int ap = max(0, min(f.ap + change, f.ap_given))
    if ap != f.ap:
        add_trace(s, EVENT_AP_CHANGED, figure, f.ap, ap, cause, source_of(s, cause, what))
        f.ap = ap
    return 0


# -- life lines -----------------------------------------------------------------------------------------------------------

cdef int wound(StateBase s, int figure, int count, int author, bint attack, int32_t* suffered=NULL) except -1:
    """Wound a figure, by an attack (OLO-LIFE-02 to 05) or otherwise (OLO-LIFE-07); ``author`` -1 for none (OLO-OUT-04).

    An attack that wounds in several parts keeps in ``suffered`` what applies to it once: REDUCED, STOPPED, SHIELDED.
    """
    cdef Figure* f = &s.d.figure[figure]
    cdef const Card* card = &s.rules.card[f.card]
    cdef int given = count, ticked = 0, taints = 0, i
    cdef bint is_tainted, stopped = False
    if f.where != PLACE_BLOC and f.where != PLACE_OFF or count <= 0:
        return 0
    if attack:
        stopped = suffered != NULL and suffered[STOPPED - REDUCED] >> figure & 1
        if not stopped:
            count -= shielded(s, figure, count, suffered)
            if reinforced(s, card, f.ticked, count) and not (suffered != NULL and suffered[0] >> figure & 1):
                count -= 1
                if suffered != NULL:
                    suffered[0] |= 1 << figure
    while not stopped and ticked < count and f.ticked < card.boxes:
        is_tainted = card.life[f.ticked] == BOX_TAINTED
        f.ticked += 1
        ticked += 1
        if is_tainted:
            taints += 1
            if attack:
                if suffered != NULL:
                    suffered[STOPPED - REDUCED] |= 1 << figure
                break
    add_trace(s, EVENT_WOUNDS_TAKEN, figure, given, given - count, count - ticked, ticked)
    if ticked == 0:
        return 0
    if f.ticked == card.boxes:
        raise_event(s, TRIGGER_WOUNDED, figure, author)
        put_out(s, figure, author)
        return check_endings(s)
    raise_event(s, TRIGGER_WOUNDED, figure, author)
    if attack or not s.rules.attack_taints_only:
        for i in range(taints):
            receive_noirceur(s, figure, CHANGE_CAUSE_TAINTED_BOX)
    return 0


cdef int shielded(StateBase s, int figure, int count, int32_t* suffered) except -1:
    """The number of wounds that protection takes off, less those that it took off in this attack already."""
    cdef int place = SHIELDED - REDUCED + figure // 4, shift = 8 * (figure % 4), before = 0, taken
    if suffered != NULL:
        before = suffered[place] >> shift & 255
    taken = max(0, min(count, protection(s, figure) - before))
    if suffered != NULL:
        suffered[place] = suffered[place] & ~(255 << shift) | min(255, before + taken) << shift
    return taken


cdef bint reinforced(StateBase s, const Card* card, int first, int count) noexcept:
    """Whether a reinforced box takes a wound off an attack: in the boxes that it would tick, none behind a tainted one."""
    cdef int i
    for i in range(first, min(first + count, card.boxes)):
        if card.life[i] == BOX_REINFORCED:
            return True
        if s.rules.next_box_only or card.life[i] == BOX_TAINTED:
            return False
    return False


cdef int heal(StateBase s, int figure, int boxes) except -1:
    """Untick the boxes that were ticked last."""
    cdef Figure* f = &s.d.figure[figure]
    boxes = min(boxes, f.ticked)
    if boxes > 0:
        f.ticked -= boxes
        add_trace(s, EVENT_HEALED, figure, boxes)
    return 0


cdef int put_out(StateBase s, int figure, int author) except -1:
    """Put a figure out of action (OLO-OUT-01 to 04); the endings are checked between the hunt and the Noirceur (OLO-END-04)."""
    cdef bint hostile = is_hostile(s, figure)
    s.d.losses += 1
    s.d.figure[figure].lost = s.d.losses
    add_trace(s, EVENT_ROUAGE_OUT, figure, author)
    leave_board(s, figure)
    raise_event(s, TRIGGER_OUT, figure, author)
    if hostile:
        return 0
    change_traque(s, 1, CHANGE_CAUSE_LOSS)
    if not s.d.over and author >= 0 and s.d.figure[author].where != PLACE_OUT:
        receive_noirceur(s, author, CHANGE_CAUSE_LOSS)
    return 0


cdef int leave_board(StateBase s, int figure) except -1:
    """Remove a figure with all its tokens (OLO-OUT-01, OLO-INV-08); effects on a hostile end."""
    cdef Figure* f = &s.d.figure[figure]
    f.where = PLACE_OUT
    f.ap = f.ap_given = f.noirceur = f.states = 0
    s.d.discs.present &= ~(<unsigned long long> 1 << figure)
    end_effects_on(s, figure)
    # Its specific capacities stay in the state: they may answer to its loss.
    return 0


# -- Noirceur, Fiel, the hunt ---------------------------------------------------------------------------------------------

cdef int receive_noirceur(StateBase s, int figure, int cause, int what=-1) except -1:
    """Give a figure one Noirceur, which a corrupted rouage turns into Fiel (OLO-NOIR-02, 04). Hostiles hold none (OLO-NOIR-06)."""
    cdef Figure* f = &s.d.figure[figure]
    if f.player == HOSTILE or f.where != PLACE_BLOC and f.where != PLACE_OFF or s.d.over:
        return 0
    if f.noirceur == CORRUPTED:
        change_fiel(s, f.player, 1, CHANGE_CAUSE_CORRUPTED)
    else:
        change_noirceur(s, figure, f.noirceur + 1, cause, what)
    raise_event(s, TRIGGER_NOIRCEUR, figure, -1)
    return 0


cdef int change_noirceur(StateBase s, int figure, int noirceur, int cause, int what) except -1:
    """Set the Noirceur of a rouage, which may change its status (OLO-NOIR-01)."""
    cdef int before = s.d.figure[figure].noirceur
    cdef int status = status_of(s, figure)
    s.d.figure[figure].noirceur = noirceur
    add_trace(s, EVENT_NOIRCEUR_CHANGED, figure, before, noirceur, cause, source_of(s, cause, what))
    if status_of(s, figure) != status:
        add_trace(s, EVENT_STATUS_CHANGED, figure, status, status_of(s, figure))
    return 0


cdef int status_of(StateBase s, int figure) noexcept:
    """The Status of a rouage: healthy, tainted or corrupted (OLO-NOIR-01)."""
    cdef int noirceur = s.d.figure[figure].noirceur
    return STATUS_HEALTHY if noirceur == 0 else STATUS_CORRUPTED if noirceur == CORRUPTED else STATUS_TAINTED


cdef int lose_noirceur(StateBase s, int figure, int count, int cause) except -1:
    count = min(count, s.d.figure[figure].noirceur)
    if count > 0:
        change_noirceur(s, figure, s.d.figure[figure].noirceur - count, cause, -1)
    return 0


cdef int change_fiel(StateBase s, int player, int change, int cause) except -1:
    cdef int fiel = max(0, min(s.d.fiel[player] + change, TRACK_END))
    if fiel != s.d.fiel[player]:
        add_trace(s, EVENT_FIEL_CHANGED, player, s.d.fiel[player], fiel, cause, source_of(s, cause, -1))
        s.d.fiel[player] = fiel
    return check_endings(s)


cdef int change_traque(StateBase s, int change, int cause) except -1:
    cdef int traque = max(0, min(s.d.traque + change, TRACK_END))
    if traque != s.d.traque:
        add_trace(s, EVENT_TRAQUE_CHANGED, s.d.traque, traque, cause, source_of(s, cause, -1))
        s.d.traque = traque
    return check_endings(s)


cdef int change_vp(StateBase s, int player, int change) except -1:
    """Change the victory points of a player, which are never below 0."""
    cdef int vp = max(0, s.d.vp[player] + change)
    if vp != s.d.vp[player]:
        add_trace(s, EVENT_VP_CHANGED, player, s.d.vp[player], vp, CHANGE_CAUSE_EFFECT, source_of(s, CHANGE_CAUSE_EFFECT, -1))
        s.d.vp[player] = vp
    return 0


cdef int set_state(StateBase s, int figure, int state, bint there) except -1:
    """Add or remove the token of a state (OLO-STATE-01)."""
    cdef Figure* f = &s.d.figure[figure]
    if f.where != PLACE_BLOC and f.where != PLACE_OFF or (f.states >> (state - 1) & 1) == there:
        return 0
    f.states ^= 1 << (state - 1)
    add_trace(s, EVENT_STATE_CHANGED, figure, state, there)
    if there and state == STATE_STUNNED:
        raise_event(s, TRIGGER_STUNNED, figure, -1)
    return 0


# -- endings --------------------------------------------------------------------------------------------------------------

cdef int hold_endings(StateBase s) except -1:
    """Defer the check of endings while several figures are hit at once (OLO-END-05)."""
    s.d.held += 1
    return 0


cdef int release_endings(StateBase s) except -1:
    s.d.held -= 1
    return check_endings(s)


cdef int check_endings(StateBase s) except -1:
    """End the game if the hunt, or else Fiel, has reached its limit (OLO-END-02 to 04)."""
    if s.d.held or s.d.over:
        return 0
    if s.d.traque >= TRACK_END:
        finish(s, END_CAUSE_TRAQUE)
    elif s.d.fiel[0] >= TRACK_END and s.d.fiel[1] >= TRACK_END:
        finish(s, END_CAUSE_BOTH_FIEL)
    elif s.d.fiel[0] >= TRACK_END or s.d.fiel[1] >= TRACK_END:
        finish(s, END_CAUSE_FIEL)
    return 0


cdef int finish(StateBase s, int cause) except -1:
    """End the game and set the returns (OLO-END-01 to 03, 06)."""
    cdef int player, better
    s.d.over = cause
    for player in range(2):
        if cause == END_CAUSE_BOTH_FIEL:
            s.d.won[player] = -1
        elif cause == END_CAUSE_FIEL:
            s.d.won[player] = -1 if s.d.fiel[player] >= TRACK_END else 1
        else:
            better = s.d.vp[player] - s.d.vp[1 - player]
            s.d.won[player] = (better > 0) - (better < 0)
    add_trace(s, EVENT_GAME_OVER, cause)
    return 0

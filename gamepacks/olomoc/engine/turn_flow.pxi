# The flow of a cycle: tokens, Mechanism, planning, five phases, the hostile phase, the end (OLO-CYC, MECH, PHASE, HPH, EOC).

cdef enum:
    CYCLES = 4
    # Cards that are drawn in one Mechanism at most (OLO-INV-07).
    MAX_MECHANISM_CARDS = 12


# -- the cycle ------------------------------------------------------------------------------------------------------------

cdef int cycle_step(StateBase s, Frame* frame, int code) except -1:
    """Run a cycle (OLO-CYC-01)."""
    cdef Frame* new
    cdef int pc = frame.pc
    frame.pc = pc + 1
    if pc == 0:
        give_tokens(s)
        return raise_event(s, TRIGGER_CYCLE_START, -1, -1)
    if pc == 1:
        new = push_frame(s, F_MECHANISM)
        new.v[MECHANISM_CAUSE], new.v[CARDS] = CAUSE_START, 1
    elif pc == 2:
        push_frame(s, F_PLANNING)
    elif pc <= 7:
        if pc == 3:
            # Uses before the first phase belong to no phase (OLO-CAP-02).
            clear_counters(s)
        s.d.phase = pc - 2
        new = push_frame(s, F_PHASE)
        new.v[FIRST] = -1
    elif pc == 8:
        s.d.phase = HOSTILE_PHASE
        push_frame(s, F_HOSTILE_PHASE)
    elif pc == 9:
        push_frame(s, F_END_OF_CYCLE)
    else:
        pop_frame(s, 1)
    return 0


cdef int give_tokens(StateBase s) except -1:
    """Give the rouages their action tokens (OLO-AP-01, 02)."""
    cdef Figure* f
    cdef int i
    s.d.cycle += 1
    s.d.phase = 0
    clear_counters(s)
    add_trace(s, EVENT_CYCLE_STARTED, s.d.cycle)
    for i in range(PLAYERS_FIGURES):
        f = &s.d.figure[i]
        if f.where == PLACE_BLOC or f.where == PLACE_OFF:
            f.ap = f.ap_given = s.rules.card[f.card].ap
            add_trace(s, EVENT_TOKENS_GIVEN, i, f.ap)
    return 0


# -- the Mechanism --------------------------------------------------------------------------------------------------------

cdef int mechanism_step(StateBase s, Frame* frame, int code) except -1:
    """Draw a card, give priority, carry out its effect (OLO-MECH-01 to 05)."""
    cdef int32_t[VALUES] scope
    cdef Frame* whole = outermost(s)
    cdef int card
    if frame.pc == 1:
        # The card's effect is done.
        frame.pc = 0
        frame.v[CARDS] -= 1
        if frame.v[MECHANISM_CAUSE] == CAUSE_START:
            s.d.starting = 0
        else:
            raise_event(s, TRIGGER_MECHANISM, frame.v[MECHANISM_CAUSE], -1)
        return 0
    if frame.v[CARDS] <= 0 or whole.v[DRAWN] >= MAX_MECHANISM_CARDS:
        pop_frame(s, 1)
        return 0
    reshuffle(s)
    if code < 0:
        return ask(s, DECISION_CHANCE_CARD, -1)
    card = first_argument(code)
    if s.d.open_card >= 0:
        s.d.discard[s.d.discarded] = s.d.open_card
        s.d.discarded += 1
    s.d.pile[card] -= 1
    s.d.open_card = card
    whole.v[DRAWN] += 1
    artefact = s.rules.ruleset.artefacts[card]
    s.d.priority = artefact.player
    if whole.v[MECHANISM_CAUSE] != CAUSE_EFFECT:
        # Between cards nobody is active: choices that a card gives to the active player are the priority holder's (A74).
        s.d.active = s.d.priority
    add_trace(s, EVENT_MECHANISM, frame.v[MECHANISM_CAUSE], card, artefact.player)
    frame.pc = 1
    if frame.v[MECHANISM_CAUSE] == CAUSE_START:
        s.d.starting = 1
    new_scope(s, scope, -1, -1)
    return run_program(s, artefact.program, scope, True)


cdef Frame* outermost(StateBase s) noexcept:
    """The outermost Mechanism that is under way, which counts the cards (OLO-INV-07)."""
    cdef int i = 0
    while frame_at(s, i).kind != F_MECHANISM:
        i += 1
    return frame_at(s, i)


cdef int reshuffle(StateBase s) except -1:
    """Turn the discard into the pile when a card is needed and none is left; the open card stays (OLO-MECH-03)."""
    cdef int i
    for i in range(MAX_ARTEFACTS):
        if s.d.pile[i]:
            return 0
    for i in range(s.d.discarded):
        s.d.pile[s.d.discard[i]] += 1
    add_trace(s, EVENT_ARTEFACT_RESHUFFLED, s.d.discarded)
    s.d.discarded = 0
    memset(s.d.discard, 0, sizeof(s.d.discard))
    return 0


# -- a phase --------------------------------------------------------------------------------------------------------------

cdef int rank_of_card(StateBase s, int player, int card) except -1:
    if card >= MINISTRY:
        return s.rules.ruleset.ministries[card - MINISTRY].rank
    return s.rules.propaganda_rank if card == PROPAGANDA else rank_of(s, 3 * player + card)


cdef int phase_step(StateBase s, Frame* frame, int code) except -1:
    """Run a phase (OLO-PHASE-01 to 04, 10 to 12)."""
    cdef int pc = frame.pc, slot = s.d.phase, player
    cdef int[2] cards
    cdef int[2] ranks
    cdef Frame* new
    frame.pc = pc + 1
    for player in range(2):
        cards[player] = s.d.plan[player][slot]
        ranks[player] = rank_of_card(s, player, cards[player])
    if pc == 0:
        add_trace(s, EVENT_PHASE_STARTED, slot)
        for player in range(2):
            s.d.shown[player] |= 1 << slot
            s.d.peeked[player] &= ~(1 << slot)
        add_trace(s, EVENT_CARDS_REVEALED, slot, cards[0], cards[1], ranks[0], ranks[1], first_by_rank(s, cards, ranks))
        return raise_event(s, TRIGGER_REVEALED, -1, -1)
    if pc == 1:
        if ranks[0] == ranks[1] and (s.rules.any_tie or cards[0] < 3 and cards[1] < 3):
            new = push_frame(s, F_MECHANISM)
            new.v[MECHANISM_CAUSE], new.v[CARDS] = CAUSE_TIE, 1
        return 0
    if pc == 2 or pc == 3:
        if pc == 2:
            frame.v[FIRST] = first_by_rank(s, cards, ranks)
            if frame.v[FIRST] < 0:
                frame.v[FIRST] = s.d.priority
        s.d.active = frame.v[FIRST] if pc == 2 else 1 - frame.v[FIRST]
        new = push_frame(s, F_CARD)
        new.v[PLAYER] = s.d.active
        return 0
    if pc == 4:
        add_trace(s, EVENT_PHASE_ENDED, slot)
        return raise_event(s, TRIGGER_PHASE_END, -1, -1)
    close_phase(s)
    pop_frame(s, 1)
    return 0


cdef bint both_ministries(int* cards) noexcept:
    return cards[0] >= MINISTRY and cards[1] >= MINISTRY


cdef int first_by_rank(StateBase s, int* cards, int* ranks) noexcept:
    """The player who is active first; -1 on a tie, which is broken by priority (OLO-PHASE-02 to 04)."""
    if both_ministries(cards) and ranks[0] != ranks[1]:
        return s.d.priority
    return 0 if ranks[0] > ranks[1] else 1 if ranks[1] > ranks[0] else -1


cdef int close_phase(StateBase s) except -1:
    """End effects and clear the counters of the phase; numbers of hostiles that left are free again (OLO-PHASE-12)."""
    cdef int i
    cdef bint gone = False
    phase_effects_end(s)
    clear_counters(s)
    for i in range(PLAYERS_FIGURES, FIGURES):
        if s.d.figure[i].where == PLACE_OUT:
            memset(&s.d.figure[i], 0, sizeof(Figure))
            gone = True
    if gone:
        refresh_specific(s)
    return 0


cdef int clear_counters(StateBase s) except -1:
    """Clear the marches, attacks and uses that are counted by the phase."""
    cdef Figure* f
    cdef int i
    for i in range(FIGURES):
        f = &s.d.figure[i]
        f.marches = f.attacks = 0
        memset(f.used, 0, SLOTS)
        clear_uses(s, i, PER_PHASE)
    return 0


cdef int clear_uses(StateBase s, int figure, int per) except -1:
    """Clear the uses that are counted by the phase, or by the cycle (OLO-CAP-02)."""
    cdef int k, slot
    for k in range(s.d.specific[figure].count):
        slot = s.d.specific[figure].slot[k]
        if s.d.figure[figure].uses[slot] and s.rules.capacities[s.d.specific[figure].capacity[k]].per == per:
            s.d.figure[figure].uses[slot] = 0
    return 0


# -- playing a card -------------------------------------------------------------------------------------------------------

cdef int card_step(StateBase s, Frame* frame, int code) except -1:
    """Resolve a card of a plan (OLO-PHASE-05 to 10)."""
    cdef int player = frame.v[PLAYER], card = s.d.plan[player][s.d.phase], pc = frame.pc
    if pc == 0:
        frame.pc = 1
        return play_card(s, frame, player, card)
    if pc == 1:
        frame.pc = 2
        add_trace(s, EVENT_CARD_ENDED, player)
        return raise_event(s, TRIGGER_CARD_END, player, -1)
    if pc == 2:
        end_effects(s, UNTIL_CARD)
        pop_frame(s, 1)
        return 0
    return propaganda(s, frame, code)


cdef int play_card(StateBase s, Frame* frame, int player, int card) except -1:
    cdef int32_t[VALUES] scope
    cdef int figure = 3 * player + card
    if card >= MINISTRY:
        add_trace(s, EVENT_MINISTRY_RESOLVED, player, card - MINISTRY)
        new_scope(s, scope, -1, -1)
        scope[OWNER] = player
        return run_program(s, s.rules.ruleset.ministries[card - MINISTRY].program, scope, True)
    if s.d.plan[1 - player][s.d.phase] >= MINISTRY:
        # Blocked whatever the ranks (OLO-PHASE-06).
        return add_trace(s, EVENT_CARD_BLOCKED, player, card)
    if card == PROPAGANDA:
        frame.pc = 3
        return 0
    if s.d.figure[figure].where == PLACE_OUT:
        return add_trace(s, EVENT_CARD_VOID, player, card)
    return activate(s, figure, ACTIVATED_BY_CARD)


cdef int activate(StateBase s, int figure, int by) except -1:
    cdef Frame* new = push_frame(s, F_ACTIVATION)
    new.v[MAIN], new.v[OTHER], new.v[BY] = figure, -1, by
    return 0


cdef int push_propaganda(StateBase s, int player, list found) except -1:
    """The rouages that a Propaganda may activate (OLO-PHASE-08)."""
    cdef int i
    for i in range(3 * player, 3 * player + 3):
        if s.d.figure[i].where == PLACE_BLOC or s.d.figure[i].where == PLACE_OFF:
            found.append(VERB_ACTIVATE | i << FIRST_SHIFT)
    if not found:
        found.append(VERB_NO)
    return 0


cdef int propaganda(StateBase s, Frame* frame, int code) except -1:
    """Choose a rouage, give tokens back, activate it (OLO-PHASE-08, A36)."""
    cdef int figure
    if frame.pc == 3:
        if code < 0:
            return ask(s, DECISION_PROPAGANDA, frame.v[PLAYER])
        if code == VERB_NO:
            frame.pc = 1
            return 0
        figure = first_argument(code)
        if s.rules.choose_ap:
            frame.v[CHOSEN] = figure
            frame.pc = 4
            return 0
        change_ap(s, figure, 2, CHANGE_CAUSE_PROPAGANDA)
    else:
        if code < 0:
            return ask(s, DECISION_PROPAGANDA_TOKENS, frame.v[PLAYER])
        figure = frame.v[CHOSEN]
        change_ap(s, figure, first_argument(code), CHANGE_CAUSE_PROPAGANDA)
    frame.pc, frame.v[CHOSEN] = 1, 0
    return activate(s, figure, ACTIVATED_BY_PROPAGANDA)


# -- the hostile phase ----------------------------------------------------------------------------------------------------

cdef int hostiles_step(StateBase s, Frame* frame, int code) except -1:
    """Run the hostile phase (OLO-HPH-01 to 05)."""
    cdef Frame* new
    cdef int i
    if frame.pc == 0:
        frame.pc = 1
        add_trace(s, EVENT_HOSTILE_PHASE_STARTED)
        s.d.active = frame.v[TURN] = s.d.priority
        for i in range(PLAYERS_FIGURES, FIGURES):
            s.d.figure[i].acted = 0
        return raise_event(s, TRIGGER_HOSTILE_PHASE_START, -1, -1)
    if frame.pc == 1:
        for i in range(PLAYERS_FIGURES, FIGURES):
            if on_bloc(s, i) and not s.d.figure[i].acted and frame.v[HOSTILES_RUN] < MAX_HOSTILE_RUNS:
                s.d.active = frame.v[TURN]
                if code < 0:
                    return ask(s, DECISION_HOSTILE, frame.v[TURN])
                frame.v[TURN] = 1 - frame.v[TURN]
                frame.v[HOSTILES_RUN] += 1
                s.d.figure[first_argument(code)].acted = 1
                new = push_frame(s, F_HOSTILE)
                new.v[USER], new.v[RUNNER] = first_argument(code), s.d.active
                return 0
        frame.pc = 2
        add_trace(s, EVENT_HOSTILE_PHASE_ENDED)
        return raise_event(s, TRIGGER_HOSTILE_PHASE_END, -1, -1)
    close_phase(s)
    pop_frame(s, 1)
    return 0


# -- the end of a cycle ---------------------------------------------------------------------------------------------------

cdef int end_step(StateBase s, Frame* frame, int code) except -1:
    """End a cycle (OLO-EOC-01, 02); after the fourth the game ends (OLO-END-01)."""
    cdef int pc = frame.pc
    frame.pc = pc + 1
    if pc == 0:
        return raise_event(s, TRIGGER_CYCLE_END, -1, -1)
    if pc == 1:
        corrupted_fiel(s)
    elif pc == 2:
        take_cards_back(s)
        end_effects(s, UNTIL_CYCLE)
        add_trace(s, EVENT_CYCLE_ENDED, s.d.cycle)
        if s.d.cycle == CYCLES:
            raise_event(s, TRIGGER_GAME_END, -1, -1)
        else:
            pop_frame(s, 1)
    else:
        finish(s, END_CAUSE_CYCLES)
    return 0


cdef int corrupted_fiel(StateBase s) except -1:
    """Give Fiel for every corrupted rouage in play, as one effect for both players (OLO-EOC-02, A77)."""
    cdef int i
    hold_endings(s)
    for i in range(PLAYERS_FIGURES):
        if s.d.figure[i].noirceur == CORRUPTED and (s.d.figure[i].where == PLACE_BLOC or s.d.figure[i].where == PLACE_OFF):
            change_fiel(s, s.d.figure[i].player, 1, CHANGE_CAUSE_CYCLE_END)
    return release_endings(s)


cdef int take_cards_back(StateBase s) except -1:
    """Use up ministries, give a Propaganda for each rouage lost, and return the other cards (steps 3 to 6)."""
    cdef int player, slot, rank, i
    for player in range(2):
        for slot in range(1, 6):
            if s.d.plan[player][slot] >= MINISTRY:
                s.d.used[player] |= 1 << (s.d.plan[player][slot] - MINISTRY)
            s.d.plan[player][slot] = NO_CARD
        s.d.shown[player] = s.d.peeked[player] = 0
        for rank in range(3):
            if s.d.cards[player] >> rank & 1 and s.d.figure[3 * player + rank].where == PLACE_OUT:
                s.d.cards[player] &= ~(1 << rank)
                s.d.propaganda[player] += 1
    for i in range(FIGURES):
        clear_uses(s, i, PER_CYCLE)
    return 0

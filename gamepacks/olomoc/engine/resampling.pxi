# Resampling of hidden information (5.9): face-down plans, hands, cabales that are built in secret.
#
# Only what the viewer knows goes into the draw, never the truth. The Artefact pile needs nothing: it is drawn when it must be.

cdef int draw_hidden(StateBase m, int viewer, Rng rng) except -1:
    """Draw what ``viewer`` (a player; -1 for the spectator) does not know."""
    cdef int player
    if m.t.decision == DECISION_BUILD:
        for player in range(2):
            if player != viewer:
                draw_build(m, player, rng)
    if m.t.hand[0] | m.t.hand[1] | m.t.used[0] | m.t.used[1] == 0:
        return 0
    if viewer < 0:
        draw_hands(m, rng)
    for player in range(2):
        if player != viewer:
            if top(m).kind == F_PLANNING:
                draw_planning(m, player, top(m).v[LAID], rng)
            elif planned_slots(m, player):
                draw_plan(m, player, seen_slots(m, player, viewer), rng)
    return 0


cdef int draw_build(StateBase m, int player, Rng rng) except -1:
    """Draw a cabale built so far, and the committed decision, one legal pick after the other."""
    cdef int done = top(m).v[LAID], step, i
    cdef bint waits = m.t.committed[player] >= 0
    cdef list found
    for i in range(3):
        m.t.profile[player][i] = m.t.equipment[player][i] = -1
    for step in range(done + waits):
        top(m).v[LAID] = step
        found = []
        push_build(m, player, found)
        code = found[rng.below(len(found))]
        if step == done:
            m.t.committed[player] = code
        elif step < 3:
            m.t.profile[player][step] = code >> FIRST_SHIFT & 255
        else:
            m.t.equipment[player][second_argument(code)] = code >> FIRST_SHIFT & 255
    top(m).v[LAID] = done
    return 0


# -- hands (for the spectator) --------------------------------------------------------------------------------------------

cdef int draw_hands(StateBase m, Rng rng) except -1:
    """Draw hands that agree with the ministries shown and allow a legal plan."""
    cdef int known0 = shown_ministries(m, 0), known1 = shown_ministries(m, 1), hand, other, number
    cdef list deals = []
    for deal in hands(m.t.fallen):
        hand = 0
        for number in deal:
            hand |= 1 << number
        other = 127 & ~hand & ~(1 << m.t.fallen)
        if known0 & ~hand or known1 & ~other:
            continue
        if plannable(m, 0, hand | 1 << AXE) and plannable(m, 1, other | 1 << AXE):
            deals.append((hand | 1 << AXE, other | 1 << AXE))
    deal = deals[rng.below(len(deals))]
    for number in range(2):
        give_hand(m, number, deal[number])
    return 0


cdef int shown_ministries(StateBase m, int player) noexcept:
    """The ministries, of the seven, that a player has shown in this game."""
    cdef int found = m.t.used[player], slot
    for slot in range(1, 6):
        if m.t.shown[player] >> slot & 1 and m.t.plan[player][slot] >= MINISTRY:
            found |= 1 << (m.t.plan[player][slot] - MINISTRY)
    return found & 127


cdef bint plannable(StateBase m, int player, int whole) except -1:
    """Whether a whole hand allows a plan with the present face-down slots."""
    cdef int slots = planned_slots(m, player) & ~m.t.shown[player], left = whole & ~m.t.used[player], number
    if top(m).kind == F_PLANNING or not planned_slots(m, player) or shown_ministry(m, player) >= 0:
        return True
    for number in range(8):
        if left >> number & 1 and ministry_slots(m, number) & slots:
            return True
    return False


cdef int give_hand(StateBase m, int player, int whole) except -1:
    """Set a hand to a whole one less the ministries used and shown in the plan; a hidden one of the plan is in it again."""
    cdef int slot, shown = shown_ministry(m, player)
    m.t.hand[player] = whole & ~m.t.used[player]
    if shown >= 0:
        m.t.hand[player] &= ~(1 << shown)
    for slot in range(1, 6):
        if m.t.plan[player][slot] >= MINISTRY and not m.t.shown[player] >> slot & 1:
            # Any card of the hand stands for it until the plan is drawn.
            m.t.plan[player][slot] = MINISTRY + lowest(m.t.hand[player])
    return 0


cdef int shown_ministry(StateBase m, int player) noexcept:
    """The ministry that is turned up in a plan; -1 for none."""
    cdef int slot
    for slot in range(1, 6):
        if m.t.shown[player] >> slot & 1 and m.t.plan[player][slot] >= MINISTRY:
            return m.t.plan[player][slot] - MINISTRY
    return -1


# -- plans ----------------------------------------------------------------------------------------------------------------

cdef int planned_slots(StateBase m, int player) noexcept:
    cdef int slot, found = 0
    for slot in range(1, 6):
        if m.t.plan[player][slot] != NO_CARD:
            found |= 1 << slot
    return found


cdef int seen_slots(StateBase m, int player, int viewer) noexcept:
    """The slots of a player's plan whose cards a viewer knows."""
    return m.t.shown[player] | (m.t.peeked[player] if viewer == 1 - player else 0)


cdef int whole_hand(StateBase m, int player) noexcept:
    """The hand with the ministry that lies face down in the plan."""
    cdef int slot, hand = m.t.hand[player]
    for slot in range(1, 6):
        if m.t.plan[player][slot] >= MINISTRY and not m.t.shown[player] >> slot & 1:
            hand |= 1 << (m.t.plan[player][slot] - MINISTRY)
    return hand


cdef list plain_cards(StateBase m, int player):
    """The activation and Propaganda cards of a player in this cycle."""
    cdef int rank
    return [rank for rank in range(3) if m.t.cards[player] >> rank & 1] + [PROPAGANDA] * m.t.propaganda[player]


cdef int draw_planning(StateBase m, int player, int done, Rng rng) except -1:
    """Draw an incomplete plan with as many cards, and the committed decision."""
    cdef int slot, number, hand = whole_hand(m, player), step, last
    cdef bint waits = m.t.committed[player] >= 0
    cdef list pairs, rest = plain_cards(m, player)
    if not done and not waits:
        return 0
    for slot in range(1, 6):
        m.t.plan[player][slot] = NO_CARD
    pairs = [
        (number, slot) for number in range(8) if hand >> number & 1
        for slot in range(1, 6) if ministry_slots(m, number) >> slot & 1
    ]
    pick = pairs[rng.below(len(pairs))]
    number, last = pick
    rng.shuffle(rest)
    m.t.hand[player] = hand
    for step in range(done + waits):
        slot, card = last, MINISTRY + number
        if step:
            slot = 1
            while m.t.plan[player][slot] != NO_CARD:
                slot += 1
            card = rest[step - 1]
        if step == done:
            m.t.committed[player] = VERB_PLAN | slot << FIRST_SHIFT | <int> card << SECOND_SHIFT
        else:
            m.t.plan[player][slot] = card
            if not step:
                m.t.hand[player] &= ~(1 << number)
    return 0


cdef int draw_plan(StateBase m, int player, int seen, Rng rng) except -1:
    """Draw the face-down cards of a complete plan; each assignment that obeys the constraint is equally likely."""
    cdef int slot, number, hand = whole_hand(m, player)
    cdef list closed = [slot for slot in range(1, 6) if not seen >> slot & 1], rest = plain_cards(m, player), pairs
    cdef bint ministry_seen = False
    if not closed:
        return 0
    for slot in range(1, 6):
        if seen >> slot & 1:
            if m.t.plan[player][slot] >= MINISTRY:
                ministry_seen = True
            else:
                rest.remove(m.t.plan[player][slot])
    if not ministry_seen:
        pairs = [
            (number, slot) for number in range(8) if hand >> number & 1 for slot in closed if ministry_slots(m, number) >> slot & 1
        ]
        number, slot = pairs[rng.below(len(pairs))]
        m.t.hand[player] = hand & ~(1 << number)
        m.t.plan[player][slot] = MINISTRY + number
        closed.remove(slot)
    rng.shuffle(rest)
    for slot, card in zip(closed, rest):
        m.t.plan[player][slot] = card
    return 0

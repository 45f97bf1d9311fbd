# Resampling of hidden information (5.9): face-down plans, hands, cabales that are built in secret.
#
# The draw uses only what the viewer knows, never the true hidden cards. The Artefact pile has no order: a card of it is drawn by
# chance when it is needed.

cdef int draw_hidden(StateBase s, int viewer, Rng rng) except -1:
    """Draw what ``viewer`` (a player; -1 for the spectator) does not know."""
    cdef int player
    if s.d.decision == DECISION_BUILD:
        for player in range(2):
            if player != viewer:
                draw_build(s, player, rng)
    if s.d.hand[0] | s.d.hand[1] | s.d.used[0] | s.d.used[1] == 0:
        return 0
    if viewer < 0:
        draw_hands(s, rng)
    for player in range(2):
        if player != viewer:
            if top(s).kind == F_PLANNING:
                draw_planning(s, player, top(s).v[LAID], rng)
            elif planned_slots(s, player):
                draw_plan(s, player, seen_slots(s, player, viewer), rng)
    return 0


cdef int draw_build(StateBase s, int player, Rng rng) except -1:
    """Draw a cabale built so far, and the committed decision, one legal pick after the other."""
    cdef int done = top(s).v[LAID], step, i
    cdef bint waits = s.d.committed[player] >= 0
    cdef list found
    for i in range(3):
        s.d.profile[player][i] = s.d.equipment[player][i] = -1
    for step in range(done + waits):
        top(s).v[LAID] = step
        found = []
        push_build(s, player, found)
        code = found[rng.below(len(found))]
        if step == done:
            s.d.committed[player] = code
        elif step < 3:
            s.d.profile[player][step] = first_argument(code)
        else:
            s.d.equipment[player][second_argument(code)] = first_argument(code)
    top(s).v[LAID] = done
    return 0


# -- hands (for the spectator) --------------------------------------------------------------------------------------------

cdef int draw_hands(StateBase s, Rng rng) except -1:
    """Draw hands that agree with the ministries shown and allow a legal plan."""
    cdef int known0 = shown_ministries(s, 0), known1 = shown_ministries(s, 1), hand, other, number
    cdef list deals = []
    for deal in hands(s.d.fallen):
        hand = 0
        for number in deal:
            hand |= 1 << number
        other = PACK_MINISTRIES & ~hand & ~(1 << s.d.fallen)
        if known0 & ~hand or known1 & ~other:
            continue
        if plannable(s, 0, hand | 1 << AXE) and plannable(s, 1, other | 1 << AXE):
            deals.append((hand | 1 << AXE, other | 1 << AXE))
    deal = deals[rng.below(len(deals))]
    for number in range(2):
        give_hand(s, number, deal[number])
    return 0


cdef int shown_ministries(StateBase s, int player) noexcept:
    """The ministries, of the seven, that a player has shown in this game."""
    cdef int found = s.d.used[player], slot
    for slot in range(1, 6):
        if s.d.shown[player] >> slot & 1 and s.d.plan[player][slot] >= MINISTRY:
            found |= 1 << (s.d.plan[player][slot] - MINISTRY)
    return found & PACK_MINISTRIES


cdef bint plannable(StateBase s, int player, int whole) except -1:
    """Whether a whole hand allows a plan with the present face-down slots."""
    cdef int slots = planned_slots(s, player) & ~s.d.shown[player], left = whole & ~s.d.used[player], number
    if top(s).kind == F_PLANNING or not planned_slots(s, player) or shown_ministry(s, player) >= 0:
        return True
    for number in range(8):
        if left >> number & 1 and ministry_slots(s, number) & slots:
            return True
    return False


cdef int give_hand(StateBase s, int player, int whole) except -1:
    """Set a hand to a whole one less the ministries used and shown in the plan; a hidden one of the plan is put back into it."""
    cdef int slot, shown = shown_ministry(s, player)
    s.d.hand[player] = whole & ~s.d.used[player]
    if shown >= 0:
        s.d.hand[player] &= ~(1 << shown)
    for slot in range(1, 6):
        if s.d.plan[player][slot] >= MINISTRY and not s.d.shown[player] >> slot & 1:
            # Any card of the hand stands for it until the plan is drawn.
            s.d.plan[player][slot] = MINISTRY + lowest(s.d.hand[player])
    return 0


cdef int shown_ministry(StateBase s, int player) noexcept:
    """The ministry that is turned up in a plan; -1 for none."""
    cdef int slot
    for slot in range(1, 6):
        if s.d.shown[player] >> slot & 1 and s.d.plan[player][slot] >= MINISTRY:
            return s.d.plan[player][slot] - MINISTRY
    return -1


# -- plans ----------------------------------------------------------------------------------------------------------------

cdef int planned_slots(StateBase s, int player) noexcept:
    cdef int slot, found = 0
    for slot in range(1, 6):
        if s.d.plan[player][slot] != NO_CARD:
            found |= 1 << slot
    return found


cdef int seen_slots(StateBase s, int player, int viewer) noexcept:
    """The slots of a player's plan whose cards a viewer knows."""
    return s.d.shown[player] | (s.d.peeked[player] if viewer == 1 - player else 0)


cdef int whole_hand(StateBase s, int player) noexcept:
    """The hand with the ministry that lies face down in the plan."""
    cdef int slot, hand = s.d.hand[player]
    for slot in range(1, 6):
        if s.d.plan[player][slot] >= MINISTRY and not s.d.shown[player] >> slot & 1:
            hand |= 1 << (s.d.plan[player][slot] - MINISTRY)
    return hand


cdef list plain_cards(StateBase s, int player):
    """The activation and Propaganda cards of a player in this cycle."""
    cdef int rank
    return [rank for rank in range(3) if s.d.cards[player] >> rank & 1] + [PROPAGANDA] * s.d.propaganda[player]


cdef int draw_planning(StateBase s, int player, int done, Rng rng) except -1:
    """Draw an incomplete plan with as many cards, and the committed decision."""
    cdef int slot, number, hand = whole_hand(s, player), step, last
    cdef bint waits = s.d.committed[player] >= 0
    cdef list pairs, rest = plain_cards(s, player)
    if not done and not waits:
        return 0
    for slot in range(1, 6):
        s.d.plan[player][slot] = NO_CARD
    pairs = [
        (number, slot) for number in range(8) if hand >> number & 1
        for slot in range(1, 6) if ministry_slots(s, number) >> slot & 1
    ]
    pick = pairs[rng.below(len(pairs))]
    number, last = pick
    rng.shuffle(rest)
    s.d.hand[player] = hand
    for step in range(done + waits):
        slot, card = last, MINISTRY + number
        if step:
            slot = 1
            while s.d.plan[player][slot] != NO_CARD:
                slot += 1
            card = rest[step - 1]
        if step == done:
            s.d.committed[player] = VERB_PLAN | slot << FIRST_SHIFT | <int> card << SECOND_SHIFT
        else:
            s.d.plan[player][slot] = card
            if not step:
                s.d.hand[player] &= ~(1 << number)
    return 0


cdef int draw_plan(StateBase s, int player, int seen, Rng rng) except -1:
    """Draw the face-down cards of a complete plan; each assignment that obeys the constraint is equally likely."""
    cdef int slot, number, hand = whole_hand(s, player)
    cdef list closed = [slot for slot in range(1, 6) if not seen >> slot & 1], rest = plain_cards(s, player), pairs
    cdef bint ministry_seen = False
    if not closed:
        return 0
    for slot in range(1, 6):
        if seen >> slot & 1:
            if s.d.plan[player][slot] >= MINISTRY:
                ministry_seen = True
            else:
                rest.remove(s.d.plan[player][slot])
    if not ministry_seen:
        pairs = [
            (number, slot) for number in range(8) if hand >> number & 1 for slot in closed if ministry_slots(s, number) >> slot & 1
        ]
        number, slot = pairs[rng.below(len(pairs))]
        s.d.hand[player] = hand & ~(1 << number)
        s.d.plan[player][slot] = MINISTRY + number
        closed.remove(slot)
    rng.shuffle(rest)
    for slot, card in zip(closed, rest):
        s.d.plan[player][slot] = card
    return 0

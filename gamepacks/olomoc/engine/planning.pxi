# Secret planning (OLO-PLAN), and effects that show or change plans.
#
# Both players lay five cards, one at a time, and do not see each other's: a decision waits until both have decided.

cdef int ministry_slots(StateBase s, int ministry) except -1:
    """The slots in which a ministry may lie, as bits 1 to 5 (OLO-PLAN-02)."""
    return s.rules.ruleset.ministries[ministry].slots


cdef int lowest_empty(StateBase s, int player) noexcept:
    cdef int slot
    for slot in range(1, 6):
        if s.d.plan[player][slot] == NO_CARD:
            return slot
    return 0


cdef int copies_in_plan(StateBase s, int player, int card) noexcept:
    """The number of copies of a card in a plan."""
    cdef int slot, count = 0
    for slot in range(1, 6):
        count += s.d.plan[player][slot] == card
    return count


cdef int push_plan(StateBase s, int player, bint ministry, list found) except -1:
    """The legal plans: a ministry of the hand into an allowed slot, then a card into the lowest empty one."""
    cdef int card, slot
    if ministry:
        for slot in range(1, 6):
            for card in range(8):
                if s.d.hand[player] >> card & 1 and ministry_slots(s, card) >> slot & 1:
                    found.append(VERB_PLAN | slot << FIRST_SHIFT | (MINISTRY + card) << SECOND_SHIFT)
        return 0
    slot = lowest_empty(s, player)
    for card in range(3):
        if s.d.cards[player] >> card & 1 and not copies_in_plan(s, player, card):
            found.append(VERB_PLAN | slot << FIRST_SHIFT | card << SECOND_SHIFT)
    if copies_in_plan(s, player, PROPAGANDA) < s.d.propaganda[player]:
        found.append(VERB_PLAN | slot << FIRST_SHIFT | PROPAGANDA << SECOND_SHIFT)
    return 0


cdef int lay_card(StateBase s, int player, int code) except -1:
    """Put a card face down into the plan."""
    cdef int slot = first_argument(code), card = second_argument(code)
    s.d.plan[player][slot] = card
    if card >= MINISTRY:
        s.d.hand[player] &= ~(1 << (card - MINISTRY))
    return add_trace(s, EVENT_PLAN_LAID, player, slot, card)


cdef int planning_step(StateBase s, Frame* frame, int code) except -1:
    """Let both players plan five cards; a ``code`` of 0 or more means that both have decided."""
    cdef int player
    if frame.v[LAID] == 5:
        pop_frame(s, 0)
        add_trace(s, EVENT_PLANNED)
        return raise_event(s, TRIGGER_PLANNED, -1, -1)
    if code < 0:
        return ask(s, DECISION_PLAN_CARD if frame.v[LAID] else DECISION_PLAN_MINISTRY, -1)
    for player in range(2):
        lay_card(s, player, s.d.committed[player])
        s.d.committed[player] = -1
    frame.v[LAID] += 1
    return 0


cdef int change_plan(StateBase s, int player, int viewer, int what, int slots) except -1:
    """Show face-down cards of a plan to one player or to both, or exchange two (section 6.7, op ``plan``).

    An exchange that would break the constraint of a ministry, or that includes a card that is shown, is not made. Nobody but the owner can tell
    whether it was made.
    """
    cdef int slot, first = 0, second = 0, hidden, card
    if player < 0:
        return 0
    hidden = slots & ~s.d.shown[player]
    for slot in range(5, 0, -1):
        if s.d.plan[player][slot] == NO_CARD or s.d.phase >= slot:
            hidden &= ~(1 << slot)
        elif slots >> slot & 1:
            first, second = slot, first
    if what == PLAN_PEEK:
        if viewer != player and hidden:
            s.d.peeked[player] |= hidden
            add_trace(s, EVENT_PLAN_PEEKED, player, hidden)
    elif what == PLAN_REVEAL:
        s.d.shown[player] |= hidden
        s.d.peeked[player] &= ~hidden
        for slot in range(1, 6):
            if hidden >> slot & 1:
                add_trace(s, EVENT_PLAN_PEEKED, player, 1 << slot)
    elif first and second and hidden >> first & hidden >> second & 1:
        if may_lie(s, player, first, second) and may_lie(s, player, second, first):
            card = s.d.plan[player][first]
            s.d.plan[player][first], s.d.plan[player][second] = s.d.plan[player][second], card
            card = s.d.peeked[player]
            s.d.peeked[player] = (
                card & ~(1 << first | 1 << second) | (card >> first & 1) << second | (card >> second & 1) << first
            )
            add_trace(s, EVENT_PLAN_CHANGED, player, first, second)
    return 0


cdef bint may_lie(StateBase s, int player, int source, int slot) except -1:
    """Whether the card of a slot might lie in another one."""
    cdef int card = s.d.plan[player][source]
    return card < MINISTRY or ministry_slots(s, card - MINISTRY) >> slot & 1

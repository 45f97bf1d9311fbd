"""Placing runes, and what they do then (sections 5 and 6 of RULES.md)."""

from gamepacks.omega.engine.disc cimport advance
from gamepacks.omega.engine.pieces cimport from_altar, from_pyramid, into_pyramid, lay, lift, push, top
from gamepacks.omega.engine.table cimport (
    BLACK, BLUE, CAUSE_BLUE, Egregor, F_BAG_DRAW, F_DRAW, F_RED, GREEN, NONE, NO_COLOUR, RED, Rules, Table,
)


cdef void place_rune(Rules rules, Table* t, int place, int type) noexcept nogil:
    """A rune of the pyramid goes on an own Egregor and triggers (OMEGA-ORDER-01)."""
    from_pyramid(t, t.active, type)
    lay(&t.player[t.active].row[place], type)
    if type != GREEN:
        t.green_pending = 0
    if type == BLUE:
        # OMEGA-BLUE-01
        advance(rules, t, 2, CAUSE_BLUE)
    elif type == RED:
        # OMEGA-RED-01
        push(t, F_RED, place, 1, 0)
    elif type == GREEN and rules.consecutive:
        t.green_pending = not t.green_pending
        if not t.green_pending:
            push(t, F_DRAW, 1, NO_COLOUR, 0)


cdef void place_pair(Table* t, int first, int second) noexcept nogil:
    # OMEGA-GREEN-01, OMEGA-GREEN-02
    from_pyramid(t, t.active, GREEN)
    from_pyramid(t, t.active, GREEN)
    lay(&t.player[t.active].row[first], GREEN)
    lay(&t.player[t.active].row[second], GREEN)
    push(t, F_DRAW, 1, NO_COLOUR, 0)


cdef void swap_black(Table* t, int seat, int place, int type) noexcept nogil:
    # OMEGA-BLACK-02, OMEGA-BLACK-03
    cdef Egregor* egregor = &t.player[seat].row[place]
    if type == BLACK:
        egregor.old_blacks -= 1
    lift(egregor, type)
    lay(egregor, BLACK)
    from_pyramid(t, t.active, BLACK)
    into_pyramid(t, t.active, type)


cdef void pull_red(Table* t) noexcept nogil:
    # OMEGA-RED-01, OMEGA-RED-03
    from_altar(t, RED)
    lay(&t.player[t.active].row[top(t).a], RED)
    t.red_used = 1
    top(t).b -= 1


cdef void draw(Table* t, int type) noexcept nogil:
    """One of the draws that the topmost frame gives: a rune of the altar, or (NONE) one at random from the bag."""
    top(t).a -= 1
    if type == NONE:
        push(t, F_BAG_DRAW, 0, 0, 0)
    else:
        from_altar(t, type)
        into_pyramid(t, t.active, type)

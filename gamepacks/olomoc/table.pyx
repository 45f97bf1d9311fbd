"""A table of Olomòc: what lies on it, and the stack of all that is pending.

Everything is in one struct of whole numbers, so that a clone is a copy of memory. A *frame* is something that is going on;
the top one says what comes next. It is run by the function of its kind, with -1 or with the code that answers what it
asked. See :mod:`gamepacks.olomoc.course`.
"""

from libc.string cimport memcpy, memset

from gamepacks.olomoc.rules cimport Card

from cext.geometry import Piece as SceneryPiece
from cext.geometry import turned
from gamepacks.olomoc.terms import AGENDA_CAPACITY, GEAR_CAPACITY, PROFILE_CAPACITY, Trigger, Until

cdef int UNTIL_CYCLE = Until.CYCLE
cdef int UNTIL_GAME = Until.GAME


cdef class OlomocTable(State):
    """The state's data; :class:`gamepacks.olomoc.state.OlomocState` is what plays."""


cdef Frame* push_frame(OlomocTable m, int kind) except NULL:
    """Begin something: a new frame on top, all zero."""
    cdef Frame* frame
    if m.t.depth == MAX_FRAMES:
        raise OverflowError("too much is going on at once")
    frame = &m.t.frame[m.t.depth]
    m.t.depth += 1
    memset(frame, 0, sizeof(Frame))
    frame.kind = kind
    return frame


cdef int pop_frame(OlomocTable m, int result) except -1:
    """End the top frame and hand a result to the one below."""
    m.t.depth -= 1
    m.t.result = result
    return 0


cdef int ask(OlomocTable m, int what, int player) except -1:
    """Wait for a decision of a player, or for chance (player -1); 1, which tells the course to stop."""
    m.t.ask, m.t.asked = what, player
    return 1


cdef int raise_event(OlomocTable m, int trigger, int one, int two) except -1:
    """Something happened that capacities may wait for. ``one`` and ``two`` are the names bound (section 6.7)."""
    cdef Raised* raised
    if not m.t.triggers >> trigger & 1 or m.t.starting or m.t.raised_count == MAX_RAISED:
        return 0
    raised = &m.t.raised[m.t.raised_count]
    m.t.raised_count += 1
    raised.trigger, raised.one, raised.two = trigger, one, two
    return 0


cdef int add_specific(OlomocTable m, Specific* specific, int slot, int capacity) except -1:
    cdef object card = m.rules.capacities[capacity]
    if specific.count < MAX_SPECIFIC:
        specific.slot[specific.count] = slot
        specific.capacity[specific.count] = capacity
        specific.count += 1
        specific.continuous |= <uint64_t> m.rules.continuous[capacity]
        if not card.active and card.trigger != Trigger.CONTINUOUS:
            specific.triggers |= <uint64_t> 1 << <int> card.trigger
    return 0


cdef int refresh_specific(OlomocTable m) except -1:
    """Gather the specific capacities of all figures from their cards, gear and the agenda.

    Those that are out of action keep theirs: what answers to their own loss may still wait.
    """
    cdef Figure* figure
    cdef Card* card
    cdef Specific* specific
    cdef int i, k
    cdef object agenda = m.rules.ruleset.agendas[m.t.agenda] if m.t.agenda >= 0 else None
    m.t.continuous = m.t.triggers = 0
    memset(&m.t.agenda_rules, 0, sizeof(Specific))
    if agenda is not None:
        for k, capacity in enumerate(agenda.rules):
            add_specific(m, &m.t.agenda_rules, k, capacity)
    m.t.continuous, m.t.triggers = m.t.agenda_rules.continuous, m.t.agenda_rules.triggers
    for i in range(16):
        figure, specific = &m.t.figure[i], &m.t.specific[i]
        memset(specific, 0, sizeof(Specific))
        if figure.where == ABSENT:
            continue
        card = &m.rules.card[figure.card]
        for k in range(card.capacities):
            add_specific(m, specific, PROFILE_CAPACITY + k, card.capacity[k])
        if figure.gear >= 0:
            for k, capacity in enumerate(m.rules.ruleset.gear[figure.gear].capacities[:8]):
                add_specific(m, specific, GEAR_CAPACITY + k, capacity)
        if agenda is not None and figure.player != HOSTILE:
            for k, capacity in enumerate(agenda.capacities[:16]):
                add_specific(m, specific, AGENDA_CAPACITY + k, capacity)
        m.t.continuous |= specific.continuous
        m.t.triggers |= specific.triggers
    return 0


cdef int set_layout(OlomocTable m) except -1:
    """Take the board of the layout, or of the scenery laid so far."""
    if m.t.layout >= 0:
        m.board = <Board> m.rules.boards[m.t.layout]
        m.piece_tags = [piece.tag for piece in m.rules.ruleset.layouts[m.t.layout].pieces]
        return 0
    pool = m.rules.ruleset.pool
    m.piece_tags = [pool[i].tag for i in range(m.t.laid) if m.t.pieces[i].rotation >= 0]
    m.board = Board([
        laid_piece(pool[i], m.t.pieces[i].rotation, m.t.pieces[i].x, m.t.pieces[i].y)
        for i in range(m.t.laid) if m.t.pieces[i].rotation >= 0
    ])
    return 0


def laid_piece(loose, int rotation, int x, int y):
    """The piece of scenery that a loose one becomes at a place. Raises ShapeError if it leaves the board."""
    if loose.radius:
        return SceneryPiece.disc(x, y, loose.radius, obstructing=loose.obstructing, zone=loose.zone)
    return SceneryPiece.polygon(turned(loose.corners, rotation, x, y), obstructing=loose.obstructing, zone=loose.zone)


cdef int end_effects(OlomocTable m, int until) except -1:
    """End the effects that last until now; with the cycle ends all but what lasts for the game (OLO-EOC-03)."""
    cdef int i, kept = 0
    cdef Lasting* one
    for i in range(m.t.lasting_count):
        one = &m.t.lasting[i]
        if until == UNTIL_CYCLE:
            if one.until != UNTIL_GAME:
                continue
        elif one.until == until:
            continue
        if kept < i:
            memcpy(&m.t.lasting[kept], one, sizeof(Lasting))
        kept += 1
    m.t.lasting_count = kept
    return 0

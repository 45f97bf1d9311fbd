"""What follows from cards that are hidden from somebody: found out once for a card set (:mod:`gamepacks.omen.cards.nodes`)."""

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.stack cimport top
from gamepacks.omen.engine.table cimport (
    Ability, FR_COST, FR_EFFECT, FR_MODE, Frame, GUARDED, HIDDEN, Table,
)
from gamepacks.omen.engine.vocabulary cimport *


cdef bint depends(Table t, int node) noexcept nogil:
    """Does a selector, amount, condition, cost or effect look at hidden cards?"""
    return t.rules.secret[node] & HIDDEN


cdef bint guarded(Table t, int node) noexcept nogil:
    """Does it depend on hidden cards whether an effect asks something at all?"""
    return t.rules.secret[node] != 0


cdef bint use_depends(Table t, int card) noexcept nogil:
    """Does it depend on hidden cards whether a card can be used or can react, or what can be done with it?"""
    cdef Ability* ability
    cdef int i
    for i in range(t.rules.card[card].abilities):
        ability = &t.rules.ability[t.rules.card[card].first_ability + i]
        if depends(t, ability.when) or depends(t, ability.cost):
            return True
    return False


cdef bint options_depend(Table t) noexcept:
    """Do the options of what is asked follow from hidden cards? Then a single one is asked, too (OMENX-ATOM-03)."""
    cdef Frame* frame
    if t.d.ask == ASK_SURGE:
        return True
    if not t.d.depth:
        return False
    frame = top(t)
    if frame.kind == FR_MODE:
        return use_depends(t, t.d.token[frame.token].card)
    return (frame.kind == FR_EFFECT or frame.kind == FR_COST) and depends(t, frame.node)

"""Private decisions: those that exist only because of cards that others cannot see (OMENX-HID-05)."""

from libc.stdint cimport uint8_t

from cext.state cimport Codes
from gamepacks.omen.engine.hidden cimport depends, guarded, use_depends
from gamepacks.omen.engine.loop cimport options
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.stack cimport context, top
from gamepacks.omen.engine.table cimport Ability, FR_ABILITY, FR_EFFECT, Frame, in_hand, Table
from gamepacks.omen.engine.vocabulary cimport *


cdef int decline_of(Table t) except -2:
    """The code by which the seat that is asked declines a private decision; -1 where what is asked is for all to see."""
    cdef Frame* frame
    cdef Ability* ability
    cdef int ask = t.d.ask
    if ask == ASK_REACT or ask == ASK_ACT:
        return V_PASS if unforeseen(t) else -1
    if ask == ASK_CHALLENGE:
        return V_CHALLENGE_NONE if unforeseen(t) else -1
    if ask == ASK_FEAT:
        return V_FEAT_DONE if unforeseen(t) else -1
    if not t.d.depth:
        return -1
    frame = top(t)
    if ask == ASK_MAY:
        if frame.kind == FR_ABILITY:
            ability = &t.rules.ability[context(t).ability]
            return V_SKIP if depends(t, ability.cond) or depends(t, ability.cost) else -1
        return V_SKIP if guarded(t, frame.node) else -1
    if (ask == ASK_CARD or ask == ASK_UNIT) and frame.kind == FR_EFFECT and frame.c:
        return V_STOP if guarded(t, frame.node) else -1
    return -1


cdef bint unforeseen(Table t) except -1:
    # Is every card that is offered one of which others cannot know that it is?
    cdef uint8_t[MAX_CARDS] tokens
    cdef Codes out = t.scratch
    cdef Ability* ability
    cdef Py_ssize_t i
    cdef int card, j
    cdef bint hidden
    options(t, t.d.asked, out, tokens)
    for i in range(out.size):
        if tokens[i] == NONE or in_hand(t.d.token[tokens[i]].zone):
            continue
        card = t.d.token[tokens[i]].card
        hidden = use_depends(t, card)
        for j in range(t.rules.card[card].abilities):
            ability = &t.rules.ability[t.rules.card[card].first_ability + j]
            hidden |= depends(t, ability.cond)
        if not hidden:
            return False
    return True

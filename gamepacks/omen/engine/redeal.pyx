"""Another table that a viewer cannot tell from the true one (OMENX-HID-04, -06).

Faces that the viewer does not know are dealt anew over the cards that it does not know. That somebody is asked, or has
choices at all, is for everyone to see; so a deal that would leave the seat asked with none is drawn again.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from cext.random cimport Rng
from cext.state cimport C_SIMULTANEOUS, Codes
from gamepacks.omen.engine.beliefs cimport deal_anew
from gamepacks.omen.engine.loop cimport options, outcomes
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.table cimport Data, is_prize, Record, Table
from gamepacks.omen.engine.vocabulary cimport *

cdef int TRIES = 400


cdef int redeal(Table truth, Table out, int viewer, object rng) except -1:
    """Change ``out``, a clone of ``truth``, into such a table. ``viewer``: 0 and 1 the seats, 2 the spectator."""
    cdef Codes wanted = Codes()
    cdef uint8_t[MAX_CARDS] tokens
    cdef int number
    if truth.d.ask >= ASK_EMISSARY and truth.d.asked == viewer:
        options(truth, viewer, wanted, tokens)
    for number in range(TRIES):
        memcpy(&out.d, &truth.d, sizeof(Data))
        deal_anew(out, viewer, rng)
        mix_fresh(out, viewer, rng)
        correct(truth, out, viewer)
        if possible(out, viewer, wanted):
            return 0
    # Nothing else has been found that would ask the same: the truth is possible at any rate.
    memcpy(&out.d, &truth.d, sizeof(Data))
    return 0


cdef void mix_fresh(Table t, int viewer, object rng):
    # Of the prizes of a hand that a viewer does not know, and those laid down from it this turn, any may be those won
    # this turn.
    cdef Rng dice = rng
    cdef int[MAX_CARDS] at
    cdef int seat, token, zone, count, i, j
    for seat in range(2):
        count = 0
        for token in range(t.d.tokens):
            zone = t.d.token[token].zone
            if t.d.token[token].known >> viewer & 1 or not is_prize(t.rules.card[t.d.token[token].card].kind):
                continue
            if zone == PILE_HAND + seat or zone == PILE_USED + seat and t.d.token[token].laid:
                at[count] = token
                count += 1
        for i in range(count - 1, 0, -1):
            j = dice.bounded(i + 1)
            t.d.token[at[i]].fresh, t.d.token[at[j]].fresh = t.d.token[at[j]].fresh, t.d.token[at[i]].fresh


cdef bint possible(Table t, int viewer, Codes wanted) except -1:
    cdef Codes out = t.scratch
    cdef uint8_t[MAX_CARDS] tokens
    cdef Py_ssize_t i
    if t.d.ask == ASK_NOTHING or t.d.asked == C_SIMULTANEOUS:
        return True
    if t.d.ask < ASK_EMISSARY:
        outcomes(t, out)
        return out.size > 0
    options(t, t.d.asked, out, tokens)
    if t.d.asked != viewer:
        return out.size > (1 if t.rules.auto_single else 0)
    if out.size != wanted.size:
        return False
    for i in range(out.size):
        if out.code[i] != wanted.code[i]:
            return False
    return True


cdef void mend(Table truth, Table out, Record* record, int viewer) noexcept:
    # What is remembered of a card whose face has changed is remembered of its new face.
    if record.token != NONE and not record.seen >> viewer & 1 and record.card == truth.d.token[record.token].card:
        record.card = out.d.token[record.token].card


cdef void correct(Table truth, Table out, int viewer) noexcept:
    cdef int i
    for i in range(out.d.logged):
        mend(truth, out, &out.d.log[i], viewer)
    for i in range(out.d.afters):
        mend(truth, out, &out.d.after[i], viewer)
    for i in range(out.d.queued):
        mend(truth, out, &out.d.queue[i].event, viewer)
    for i in range(out.d.contexts):
        mend(truth, out, &out.d.context[i].event, viewer)
    for i in range(out.d.depth):
        mend(truth, out, &out.d.frame[i].event, viewer)

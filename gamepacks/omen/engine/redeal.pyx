"""Another table that a viewer cannot tell from the true one (OMENX-HID-04, -06).

Faces that the viewer does not know are dealt anew over the cards that it does not know. Whoever looks on while a seat is
asked can notice that the game stands still; so a deal that would leave the seat asked without a choice is drawn again,
and where such deals are rare one is searched for: two faces at a time are exchanged, as long as that gives the seat more
choices. The true table is never what is left.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from cext.random cimport Rng
from cext.state cimport C_SIMULTANEOUS, Codes
from gamepacks.omen.engine.beliefs cimport deal_anew, exchange, family, forget_what_fits_not
from gamepacks.omen.engine.hidden cimport options_depend
from gamepacks.omen.engine.loop cimport options, outcomes
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.table cimport Data, is_chance, is_prize, Record, Table
from gamepacks.omen.engine.vocabulary cimport *

# Deals before one is searched for, and deals that a search starts from.
cdef int TRIES = 100
cdef int SEARCHES = 20
cdef int POSSIBLE = 1 << 20


cdef int redeal(Table truth, Table out, int viewer, object rng) except -1:
    """Change ``out``, a clone of ``truth``, into such a table. ``viewer``: 0 and 1 the seats, 2 the spectator.

    Raises RuntimeError if none is found.
    """
    cdef Codes wanted = Codes()
    cdef uint8_t[MAX_CARDS] tokens
    cdef int number
    if not is_chance(truth.d.ask) and truth.d.asked == viewer:
        options(truth, viewer, wanted, tokens)
    for number in range(TRIES):
        deal(truth, out, viewer, rng)
        if choices(out, viewer, wanted) == POSSIBLE:
            return 0
    for number in range(SEARCHES):
        deal(truth, out, viewer, rng)
        if search(truth, out, viewer, wanted, rng):
            return 0
    raise RuntimeError(f"no deal of the cards that viewer {viewer} does not know leaves seat {truth.d.asked} a choice")


cdef int deal(Table truth, Table out, int viewer, object rng) except -1:
    memcpy(&out.d, &truth.d, sizeof(Data))
    deal_anew(out, viewer, rng)
    mix_fresh(out, viewer, rng)
    correct(truth, out, viewer)
    return 0


cdef int mix_fresh(Table t, int viewer, object rng) except -1:
    # Of the prizes of a hand that a viewer does not know, and those laid down from it this turn, any may be those won
    # this turn.
    cdef Rng dice = rng
    cdef int[MAX_CARDS] at
    cdef int seat, token, zone, count, fresh, i, j
    for seat in range(2):
        count = fresh = 0
        for token in range(t.d.tokens):
            zone = t.d.token[token].zone
            if t.d.token[token].known >> viewer & 1 or not is_prize(t.rules.card[t.d.token[token].card].kind):
                continue
            if zone == PILE_HAND + seat or zone == PILE_USED + seat and t.d.token[token].laid:
                at[count] = token
                count += 1
                fresh += t.d.token[token].fresh
        # How many there are is known; which they are is drawn without regard to which they were.
        for i in range(count - 1, 0, -1):
            j = dice.bounded(i + 1)
            at[i], at[j] = at[j], at[i]
        for i in range(count):
            t.d.token[at[i]].fresh = i < fresh
    return 0


cdef bint search(Table truth, Table out, int viewer, Codes wanted, Rng dice) except -1:
    """Exchange faces that the viewer does not know while that leaves the seat asked with more choices; False where no
    exchange does before there are enough."""
    cdef int[MAX_CARDS] at
    cdef int count = 0, i, j, have, now
    cdef bint better = True
    for i in range(out.d.tokens):
        if not out.d.token[i].known >> viewer & 1:
            at[count] = i
            count += 1
    for i in range(count - 1, 0, -1):
        j = dice.bounded(i + 1)
        at[i], at[j] = at[j], at[i]
    have = choices(out, viewer, wanted)
    if have == POSSIBLE:
        return True
    while better:
        better = False
        for i in range(count):
            for j in range(i):
                if out.d.token[at[i]].card == out.d.token[at[j]].card or family(out, at[i]) != family(out, at[j]):
                    continue
                if not exchange(&out.d.token[at[i]], &out.d.token[at[j]], viewer):
                    continue
                memories(truth, out, viewer)
                now = choices(out, viewer, wanted)
                if now <= have:
                    exchange(&out.d.token[at[i]], &out.d.token[at[j]], viewer)
                    memories(truth, out, viewer)
                    continue
                have, better = now, True
                if have == POSSIBLE:
                    forget_what_fits_not(out, viewer)
                    return True
    return False


cdef int choices(Table t, int viewer, Codes wanted) except -1:
    """POSSIBLE where the seat asked has what it is seen to have; else how near to that the table is, from 0."""
    cdef Codes out = t.scratch
    cdef uint8_t[MAX_CARDS] tokens
    cdef Py_ssize_t i, same = 0
    if t.d.ask == ASK_NOTHING or t.d.asked == C_SIMULTANEOUS:
        return POSSIBLE
    if is_chance(t.d.ask):
        outcomes(t, out)
        return POSSIBLE if out.size > 0 else 0
    options(t, t.d.asked, out, tokens)
    if t.d.asked != viewer:
        if out.size > 1 or out.size == 1 and (not t.rules.auto_single or options_depend(t)):
            return POSSIBLE
        return <int> out.size
    for i in range(min(out.size, wanted.size)):
        same += out.code[i] == wanted.code[i]
    return POSSIBLE if out.size == wanted.size == same else <int> same


cdef void mend(Table truth, Table out, Record* record, int viewer) noexcept:
    # What is remembered of a card whose face has changed is remembered of its new face.
    if record.token != NONE and not record.seen >> viewer & 1 and record.card == truth.d.token[record.token].card:
        record.card = out.d.token[record.token].card


cdef void memories(Table truth, Table out, int viewer) noexcept:
    """Let what is remembered of faces follow from the true memories and the faces as they are dealt now."""
    memcpy(&out.d.log, &truth.d.log, sizeof(truth.d.log))
    memcpy(&out.d.after, &truth.d.after, sizeof(truth.d.after))
    memcpy(&out.d.queue, &truth.d.queue, sizeof(truth.d.queue))
    memcpy(&out.d.context, &truth.d.context, sizeof(truth.d.context))
    memcpy(&out.d.frame, &truth.d.frame, sizeof(truth.d.frame))
    correct(truth, out, viewer)


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

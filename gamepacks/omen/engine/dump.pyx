"""The whole table as plain Python values, and back (for :mod:`gamepacks.omen.positions`).

Cards are numbered by where they lie, so that equal tables give equal values however their cards came to lie there.
"""

from libc.stdint cimport uint8_t
from libc.string cimport memset

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.table cimport (
    clear, Context, Data, Frame, has, insert, Later, Mod, Queued, Record, Set, Table, TG_CARD, Token,
)
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport put_last

PILES = 64
# Piles whose order everyone can follow, or that lie in the order of arrival.
ORDERED = frozenset({
    PILE_TOP, PILE_TOP_B, PILE_BOTTOM, PILE_BOTTOM_B, PILE_DISCARD, PILE_DISCARD_B, PILE_RESOLVING, PILE_ASIDE,
    *range(PILE_PRIZES, PILE_COUNT),
})
COUNTERS = (
    "round", "dealt", "whims_drawn", "wealth_draws", "wealth_coins", "wealth_lost", "spoils", "prizes_used",
    "challenges_taken", "relic_taken", "offers", "resolved", "stuck", "recheck", "window", "window_used", "triggers",
    "actions", "caps", "verdict", "counter_a", "counter_b",
)


cdef tuple item(const Token* one):
    return (
        one.card, one.known, one.owner + 1 if one.owner < 2 else 0,
        one.enraged | one.fresh << 1 | one.used << 2 | one.traited << 3 | one.laid << 4, one.turn_uses, one.game_uses, one.since[0],
        one.since[1], one.since[2], one.history[0], one.history[1], one.history[2],
    )


cdef tuple record(const Record* r, list numbers):
    return (
        (r.type, r.by, r.who, r.card, r.enraged, r.city, r.source, r.to, r.cause, r.seen, r.n), number(numbers, r.token),
    )


cdef int number(list numbers, int token) except -1:
    return 0 if token == NONE else numbers[token]


cdef list of_set(const Set* set, list numbers, int tokens):
    return sorted([numbers[token] for token in range(tokens) if has(set, token)])


cdef int point(list pointers, int place, int token) except -1:
    if token != NONE:
        pointers[token].append(place)
    return 0


cdef int point_all(list pointers, int place, const Set* set) except -1:
    cdef int token
    for token in range(len(pointers)):
        if has(set, token):
            pointers[token].append(place)
    return 0


cdef list pointers_of(Table t):
    """By card, all that points to it: what tells apart copies that are alike and lie in one pile."""
    cdef int i, j
    cdef list pointers = [[] for _ in range(t.d.tokens)]
    for i in range(t.d.depth):
        point(pointers, 4 * i, t.d.frame[i].token)
        point(pointers, 4 * i + 1, t.d.frame[i].event.token)
        point_all(pointers, 4 * i + 2, &t.d.frame[i].set)
    for i in range(t.d.contexts):
        point(pointers, 1000 + 40 * i, t.d.context[i].source)
        point(pointers, 1001 + 40 * i, t.d.context[i].event.token)
        point_all(pointers, 1002 + 40 * i, &t.d.context[i].revealed)
        point_all(pointers, 1003 + 40 * i, &t.d.context[i].looked)
        point_all(pointers, 1012 + 40 * i, &t.d.context[i].present)
        for j in range(MAX_VARS):
            point_all(pointers, 1004 + 40 * i + j, &t.d.context[i].vars[j].cards)
    for i in range(t.d.queued):
        point(pointers, 10_000 + 2 * i, t.d.queue[i].token)
        point(pointers, 10_001 + 2 * i, t.d.queue[i].event.token)
    for i in range(t.d.mods):
        if t.d.mod[i].target == TG_CARD:
            point(pointers, 20_000 + 2 * i, t.d.mod[i].who)
        point(pointers, 20_001 + 2 * i, t.d.mod[i].source)
    for i in range(t.d.laters):
        point(pointers, 60_000 + i, t.d.later[i].source)
    point(pointers, 30_000, t.d.commit[0])
    point(pointers, 30_001, t.d.commit[1])
    for i in range(t.d.afters):
        point(pointers, 40_000 + i, t.d.after[i].token)
    for i in range(t.d.logged):
        point(pointers, 50_000 + i, t.d.log[i].token)
    return pointers


cpdef dict dump(Table t):
    """All there is, by name; see :func:`load`."""
    cdef int pile, token, i, j
    cdef Frame* f
    cdef Context* x
    cdef Queued* q
    cdef Mod* m
    piles, order = [], []
    pointers = pointers_of(t)
    for pile in range(PILES):
        if not t.d.size[pile]:
            continue
        tokens = []
        token = t.d.head[pile]
        while token != NONE:
            tokens.append((item(&t.d.token[token]), pointers[token], token))
            token = t.d.token[token].next
        if pile not in ORDERED:
            tokens.sort()
        piles.append((pile, [entry[0] for entry in tokens]))
        order.extend([entry[2] for entry in tokens])
    numbers = [0] * t.d.tokens
    for i, token in enumerate(order):
        numbers[token] = i + 1
    frames, abilities, queue, changes = [], [], [], []
    for i in range(t.d.depth):
        f = &t.d.frame[i]
        frames.append((
            (f.kind, f.stage, f.seat, f.city, f.a, f.b, f.c, f.n, f.m, f.node), number(numbers, f.token),
            record(&f.event, numbers), of_set(&f.set, numbers, t.d.tokens),
        ))
    for i in range(t.d.contexts):
        x = &t.d.context[i]
        abilities.append((
            (x.card, x.controller, x.city, x.cause, x.ability, x.logged, x.searched), number(numbers, x.source),
            record(&x.event, numbers), of_set(&x.revealed, numbers, t.d.tokens), of_set(&x.looked, numbers, t.d.tokens),
            of_set(&x.present, numbers, t.d.tokens),
            [(x.vars[j].kind, x.vars[j].value, of_set(&x.vars[j].cards, numbers, t.d.tokens)) for j in range(MAX_VARS)],
        ))
    moments = {moment: i for i, moment in enumerate(sorted({t.d.queue[i].moment for i in range(t.d.queued)}), 1)}
    for i in range(t.d.queued):
        q = &t.d.queue[i]
        queue.append((
            (q.trigger, q.card, q.controller, q.city, q.ability, moments[q.moment]), number(numbers, q.token),
            record(&q.event, numbers),
        ))
    for i in range(t.d.mods):
        m = &t.d.mod[i]
        changes.append((
            (m.what, m.target, NONE if m.target == TG_CARD else m.who, m.controller, m.is_set, m.until, m.city, m.left,
             m.value, m.sel),
            number(numbers, m.who) if m.target == TG_CARD else 0, number(numbers, m.source),
        ))
    later = [
        ((t.d.later[i].card, t.d.later[i].controller, t.d.later[i].city, t.d.later[i].cause, t.d.later[i].ability,
          t.d.later[i].node), number(numbers, t.d.later[i].source))
        for i in range(t.d.laters)
    ]
    return {
        "phase": t.d.phase, "stage": t.d.stage, "active": t.d.active, "first": t.d.first, "turn": t.d.turn,
        "supply": t.d.supply, "coins": [t.d.coins[0], t.d.coins[1]],
        "left": [t.d.left[i] for i in range(t.rules.cities)],
        "razed": [i for i in range(t.rules.cities) if t.d.razed >> i & 1], "drafted": bool(t.d.drafted),
        "counters": [
            t.d.round, t.d.dealt, t.d.whims_drawn, t.d.draws, t.d.gains, t.d.lost, t.d.spoils, t.d.prizes_used,
            t.d.challenges_taken, t.d.relic_taken, t.d.offers, t.d.resolved, t.d.stuck, t.d.recheck, t.d.window,
            t.d.window_used, t.d.triggers, t.d.actions, t.d.caps, t.d.verdict, t.d.counter[0], t.d.counter[1],
        ],
        "committed": [number(numbers, t.d.commit[0]), number(numbers, t.d.commit[1])], "ending": t.d.ending,
        "regions": t.d.regions, "piles": piles, "frames": frames, "abilities": abilities, "queue": queue,
        "reactions": [record(&t.d.after[i], numbers) for i in range(t.d.afters)], "changes": changes, "later": later,
        "log": [record(&t.d.log[i], numbers) for i in range(t.d.logged)], "log_before_step": t.d.step_logged,
    }


cdef int fill(Record* r, entry) except -1:
    values, token = entry
    r.type, r.by, r.who, r.card, r.enraged, r.city, r.source, r.to, r.cause, r.seen, r.n = values
    r.token = token - 1 if token else NONE
    return 0


cdef int fill_set(Set* set, numbers) except -1:
    clear(set)
    for token in numbers:
        insert(set, token - 1)
    return 0


cpdef int load(Table t, dict values) except -1:
    """Put a table into any position; whoever calls has checked that every value is in its range."""
    cdef int pile, i, j
    cdef Token* one
    cdef Frame* f
    cdef Context* x
    cdef Queued* q
    cdef Mod* m
    cdef Later* l
    memset(&t.d, 0, sizeof(Data))
    for pile in range(PILES):
        t.d.head[pile] = t.d.tail[pile] = NONE
    for pile, cards in values["piles"]:
        for card, known, owner, marks, turn_uses, game_uses, *beliefs in cards:
            one = &t.d.token[t.d.tokens]
            one.card, one.known, one.turn_uses, one.game_uses = card, known, turn_uses, game_uses
            one.owner = owner - 1 if owner else 3
            one.enraged, one.fresh, one.used, one.traited = marks & 1, marks >> 1 & 1, marks >> 2 & 1, marks >> 3 & 1
            one.laid = marks >> 4 & 1
            for i in range(3):
                one.since[i], one.history[i] = beliefs[i], beliefs[3 + i]
            t.d.tokens += 1
            put_last(t, t.d.tokens - 1, pile)
    t.d.phase, t.d.stage, t.d.active, t.d.first = values["phase"], values["stage"], values["active"], values["first"]
    t.d.turn, t.d.supply, t.d.drafted, t.d.ending = values["turn"], values["supply"], values["drafted"], values["ending"]
    t.d.coins[0], t.d.coins[1] = values["coins"]
    for i in range(t.rules.cities):
        t.d.left[i] = values["left"][i]
    for i in values["razed"]:
        t.d.razed |= 1 << i
    (
        t.d.round, t.d.dealt, t.d.whims_drawn, t.d.draws, t.d.gains, t.d.lost, t.d.spoils, t.d.prizes_used,
        t.d.challenges_taken, t.d.relic_taken, t.d.offers, t.d.resolved, t.d.stuck, t.d.recheck, t.d.window,
        t.d.window_used, t.d.triggers, t.d.actions, t.d.caps, t.d.verdict, t.d.counter[0], t.d.counter[1],
    ) = values["counters"]
    for i in range(2):
        j = values["committed"][i]
        t.d.commit[i] = j - 1 if j else NONE
    t.d.regions, t.d.step_logged = values["regions"], values["log_before_step"]
    for numbers, token, event, cards in values["frames"]:
        f = &t.d.frame[t.d.depth]
        f.kind, f.stage, f.seat, f.city, f.a, f.b, f.c, f.n, f.m, f.node = numbers
        f.token = token - 1 if token else NONE
        fill(&f.event, event)
        fill_set(&f.set, cards)
        t.d.depth += 1
    for numbers, token, event, revealed, looked, present, variables in values["abilities"]:
        x = &t.d.context[t.d.contexts]
        x.card, x.controller, x.city, x.cause, x.ability, x.logged, x.searched = numbers
        x.source = token - 1 if token else NONE
        fill(&x.event, event)
        fill_set(&x.revealed, revealed)
        fill_set(&x.looked, looked)
        fill_set(&x.present, present)
        for j in range(MAX_VARS):
            x.vars[j].kind, x.vars[j].value = variables[j][0], variables[j][1]
            fill_set(&x.vars[j].cards, variables[j][2])
        t.d.contexts += 1
    for numbers, token, event in values["queue"]:
        q = &t.d.queue[t.d.queued]
        q.trigger, q.card, q.controller, q.city, q.ability, q.moment = numbers
        q.token = token - 1 if token else NONE
        fill(&q.event, event)
        t.d.queued += 1
        t.d.moment = q.moment
    for event in values["reactions"]:
        fill(&t.d.after[t.d.afters], event)
        t.d.afters += 1
    t.d.attended = t.d.afters
    for numbers, token, source in values["changes"]:
        m = &t.d.mod[t.d.mods]
        m.what, m.target, m.who, m.controller, m.is_set, m.until, m.city, m.left, m.value, m.sel = numbers
        if m.target == TG_CARD:
            m.who = token - 1 if token else NONE
        m.source = source - 1 if source else NONE
        t.d.mods += 1
    for numbers, source in values["later"]:
        l = &t.d.later[t.d.laters]
        l.card, l.controller, l.city, l.cause, l.ability, l.node = numbers
        l.source = source - 1 if source else NONE
        t.d.laters += 1
    for event in values["log"]:
        fill(&t.d.log[t.d.logged], event)
        t.d.logged += 1
    return 0

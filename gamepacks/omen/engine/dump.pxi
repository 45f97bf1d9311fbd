# The whole state as plain Python values, and back (for :mod:`gamepacks.omen.positions`).
#
# Cards are numbered by their places, so that equal states give equal values regardless of their history.

# Piles with an order.
ORDERED = frozenset({
    PILE_TOP, PILE_TOP_B, PILE_BOTTOM, PILE_BOTTOM_B, PILE_DISCARD, PILE_DISCARD_B, PILE_RESOLVING, PILE_ASIDE,
    *range(PILE_PRIZES, PILE_COUNT),
})
COUNTERS = (
    "round", "dealt", "whims_drawn", "wealth_draws", "wealth_coins", "wealth_lost", "spoils", "prizes_used",
    "challenges_taken", "relic_taken", "offers", "resolved", "war_blocked", "check_triumph", "window", "window_used", "triggers",
    "actions", "caps", "cancelled", "counter_a", "counter_b",
)


cdef tuple token_values(const Token* one):
    return (
        one.card, one.known, one.owner + 1 if one.owner < 2 else 0,
        one.enraged | one.fresh << 1 | one.used << 2 | one.trait_used << 3 | one.laid << 4, one.turn_uses, one.game_uses,
        one.belief[0].since, one.belief[1].since, one.belief[2].since,
        one.belief[0].history, one.belief[1].history, one.belief[2].history,
    )


cdef tuple dump_record(const EventRecord* r, list numbers):
    return (
        (r.type, r.by, r.who, r.card, r.enraged, r.city, r.source, r.to, r.cause, r.seen, r.n), number_of(numbers, r.token),
    )


cdef int number_of(list numbers, int token) except -1:
    return 0 if token == NONE else numbers[token]


cdef list numbers_of_set(const TokenSet* set, list numbers, int tokens):
    return sorted([numbers[token] for token in range(tokens) if has(set, token)])


cdef int add_pointer(list pointers, int place, int token) except -1:
    if token != NONE:
        pointers[token].append(place)
    return 0


cdef int add_pointers(list pointers, int place, const TokenSet* set) except -1:
    cdef int token
    for token in range(len(pointers)):
        if has(set, token):
            pointers[token].append(place)
    return 0


cdef list pointers_of(CoreState s):
    """List the references to each card, which distinguish equal copies in one pile."""
    cdef int i, j
    cdef list pointers = [[] for _ in range(s.d.tokens)]
    for i in range(s.d.depth):
        add_pointer(pointers, 4 * i, s.d.frame[i].token)
        add_pointer(pointers, 4 * i + 1, s.d.frame[i].event.token)
        add_pointers(pointers, 4 * i + 2, &s.d.frame[i].set)
    for i in range(s.d.contexts):
        add_pointer(pointers, 1000 + 40 * i, s.d.context[i].source)
        add_pointer(pointers, 1001 + 40 * i, s.d.context[i].event.token)
        add_pointers(pointers, 1002 + 40 * i, &s.d.context[i].revealed)
        add_pointers(pointers, 1003 + 40 * i, &s.d.context[i].looked)
        add_pointers(pointers, 1012 + 40 * i, &s.d.context[i].present)
        for j in range(MAX_VARS):
            add_pointers(pointers, 1004 + 40 * i + j, &s.d.context[i].vars[j].cards)
    for i in range(s.d.queued):
        add_pointer(pointers, 10_000 + 2 * i, s.d.queue[i].token)
        add_pointer(pointers, 10_001 + 2 * i, s.d.queue[i].event.token)
    for i in range(s.d.mods):
        if s.d.mod[i].target == TG_CARD:
            add_pointer(pointers, 20_000 + 2 * i, s.d.mod[i].who)
        add_pointer(pointers, 20_001 + 2 * i, s.d.mod[i].source)
    for i in range(s.d.deferred_count):
        add_pointer(pointers, 60_000 + i, s.d.deferred[i].source)
    add_pointer(pointers, 30_000, s.d.commit[0])
    add_pointer(pointers, 30_001, s.d.commit[1])
    for i in range(s.d.open_events):
        add_pointer(pointers, 40_000 + i, s.d.open_event[i].token)
    for i in range(s.d.logged):
        add_pointer(pointers, 50_000 + i, s.d.log[i].token)
    return pointers


cpdef dict dump_state(CoreState s):
    """Return the whole state as plain values by name; :func:`load_state` reads them."""
    cdef int pile, token, i, j
    cdef Frame* f
    cdef Context* x
    cdef QueuedTrigger* q
    cdef ActiveMod* m
    piles, order = [], []
    pointers = pointers_of(s)
    for pile in range(PILE_COUNT):
        if not s.d.size[pile]:
            continue
        tokens = []
        token = s.d.head[pile]
        while token != NONE:
            tokens.append((token_values(&s.d.token[token]), pointers[token], token))
            token = s.d.token[token].next
        if pile not in ORDERED:
            tokens.sort()
        piles.append((pile, [entry[0] for entry in tokens]))
        order.extend([entry[2] for entry in tokens])
    numbers = [0] * s.d.tokens
    for i, token in enumerate(order):
        numbers[token] = i + 1
    frames, abilities, queue, changes = [], [], [], []
    for i in range(s.d.depth):
        f = &s.d.frame[i]
        frames.append((
            (f.kind, f.stage, f.seat, f.city, f.a, f.b, f.c, f.n, f.m, f.node), number_of(numbers, f.token),
            dump_record(&f.event, numbers), numbers_of_set(&f.set, numbers, s.d.tokens),
        ))
    for i in range(s.d.contexts):
        x = &s.d.context[i]
        abilities.append((
            (x.card, x.controller, x.city, x.cause, x.ability, x.logged, x.searched), number_of(numbers, x.source),
            dump_record(&x.event, numbers), numbers_of_set(&x.revealed, numbers, s.d.tokens), numbers_of_set(&x.looked, numbers, s.d.tokens),
            numbers_of_set(&x.present, numbers, s.d.tokens),
            [(x.vars[j].kind, x.vars[j].value, numbers_of_set(&x.vars[j].cards, numbers, s.d.tokens)) for j in range(MAX_VARS)],
        ))
    moments = {moment: i for i, moment in enumerate(sorted({s.d.queue[i].moment for i in range(s.d.queued)}), 1)}
    for i in range(s.d.queued):
        q = &s.d.queue[i]
        queue.append((
            (q.trigger, q.card, q.controller, q.city, q.ability, moments[q.moment]), number_of(numbers, q.token),
            dump_record(&q.event, numbers),
        ))
    for i in range(s.d.mods):
        m = &s.d.mod[i]
        changes.append((
            (m.what, m.target, NONE if m.target == TG_CARD else m.who, m.controller, m.is_set, m.until, m.city, m.left,
             m.value, m.sel, m.seat),
            number_of(numbers, m.who) if m.target == TG_CARD else 0, number_of(numbers, m.source),
        ))
    later = [
        ((s.d.deferred[i].card, s.d.deferred[i].controller, s.d.deferred[i].city, s.d.deferred[i].cause, s.d.deferred[i].ability,
          s.d.deferred[i].node), number_of(numbers, s.d.deferred[i].source))
        for i in range(s.d.deferred_count)
    ]
    return {
        "phase": s.d.phase, "stage": s.d.stage, "active": s.d.active, "first": s.d.first, "turn": s.d.turn,
        "supply": s.d.supply, "coins": [s.d.coins[0], s.d.coins[1]],
        "left": [s.d.left[i] for i in range(s.config.cities)],
        "razed": [i for i in range(s.config.cities) if s.d.razed >> i & 1], "drafted": bool(s.d.drafted),
        "counters": [
            s.d.round, s.d.dealt, s.d.whims_drawn, s.d.wealth_draws, s.d.wealth_coins, s.d.wealth_lost, s.d.spoils, s.d.prizes_used,
            s.d.challenges_taken, s.d.relic_taken, s.d.offers, s.d.resolved, s.d.war_blocked, s.d.check_triumph, s.d.window,
            s.d.window_used, s.d.triggers, s.d.actions, s.d.caps, s.d.cancelled, s.d.counter[0], s.d.counter[1],
        ],
        "committed": [number_of(numbers, s.d.commit[0]), number_of(numbers, s.d.commit[1])], "ending": s.d.ending,
        "regions": s.d.regions, "piles": piles, "frames": frames, "abilities": abilities, "queue": queue,
        "reactions": [dump_record(&s.d.open_event[i], numbers) for i in range(s.d.open_events)], "changes": changes, "later": later,
        "log": [dump_record(&s.d.log[i], numbers) for i in range(s.d.logged)], "log_before_step": s.d.step_logged,
    }


cdef int load_record(EventRecord* r, entry) except -1:
    values, token = entry
    r.type, r.by, r.who, r.card, r.enraged, r.city, r.source, r.to, r.cause, r.seen, r.n = values
    r.token = token - 1 if token else NONE
    return 0


cdef int fill_set(TokenSet* set, numbers) except -1:
    clear(set)
    for token in numbers:
        insert(set, token - 1)
    return 0


cpdef int load_state(CoreState s, dict values) except -1:
    """Set a state to the values of :func:`dump_state`; the caller has checked their ranges."""
    cdef int pile, i, j
    cdef Token* one
    cdef Frame* f
    cdef Context* x
    cdef QueuedTrigger* q
    cdef ActiveMod* m
    cdef Deferred* l
    memset(&s.d, 0, sizeof(Data))
    for pile in range(PILE_COUNT):
        s.d.head[pile] = s.d.tail[pile] = NONE
    for pile, cards in values["piles"]:
        for card, known, owner, marks, turn_uses, game_uses, *beliefs in cards:
            one = &s.d.token[s.d.tokens]
            one.card, one.known, one.turn_uses, one.game_uses = card, known, turn_uses, game_uses
            one.owner = owner - 1 if owner else 3
            one.enraged, one.fresh, one.used, one.trait_used = marks & 1, marks >> 1 & 1, marks >> 2 & 1, marks >> 3 & 1
            one.laid = marks >> 4 & 1
            for i in range(3):
                one.belief[i].since, one.belief[i].history = beliefs[i], beliefs[3 + i]
            s.d.tokens += 1
            put_last(s, s.d.tokens - 1, pile)
    s.d.phase, s.d.stage, s.d.active, s.d.first = values["phase"], values["stage"], values["active"], values["first"]
    s.d.turn, s.d.supply, s.d.drafted, s.d.ending = values["turn"], values["supply"], values["drafted"], values["ending"]
    s.d.coins[0], s.d.coins[1] = values["coins"]
    for i in range(s.config.cities):
        s.d.left[i] = values["left"][i]
    for i in values["razed"]:
        s.d.razed |= 1 << i
    (
        s.d.round, s.d.dealt, s.d.whims_drawn, s.d.wealth_draws, s.d.wealth_coins, s.d.wealth_lost, s.d.spoils, s.d.prizes_used,
        s.d.challenges_taken, s.d.relic_taken, s.d.offers, s.d.resolved, s.d.war_blocked, s.d.check_triumph, s.d.window,
        s.d.window_used, s.d.triggers, s.d.actions, s.d.caps, s.d.cancelled, s.d.counter[0], s.d.counter[1],
    ) = values["counters"]
    for i in range(2):
        j = values["committed"][i]
        s.d.commit[i] = j - 1 if j else NONE
    s.d.regions, s.d.step_logged = values["regions"], values["log_before_step"]
    for numbers, token, event, cards in values["frames"]:
        f = &s.d.frame[s.d.depth]
        f.kind, f.stage, f.seat, f.city, f.a, f.b, f.c, f.n, f.m, f.node = numbers
        f.token = token - 1 if token else NONE
        load_record(&f.event, event)
        fill_set(&f.set, cards)
        s.d.depth += 1
    for numbers, token, event, revealed, looked, present, variables in values["abilities"]:
        x = &s.d.context[s.d.contexts]
        x.card, x.controller, x.city, x.cause, x.ability, x.logged, x.searched = numbers
        x.source = token - 1 if token else NONE
        load_record(&x.event, event)
        fill_set(&x.revealed, revealed)
        fill_set(&x.looked, looked)
        fill_set(&x.present, present)
        for j in range(MAX_VARS):
            x.vars[j].kind, x.vars[j].value = variables[j][0], variables[j][1]
            fill_set(&x.vars[j].cards, variables[j][2])
        s.d.contexts += 1
    for numbers, token, event in values["queue"]:
        q = &s.d.queue[s.d.queued]
        q.trigger, q.card, q.controller, q.city, q.ability, q.moment = numbers
        q.token = token - 1 if token else NONE
        load_record(&q.event, event)
        s.d.queued += 1
        s.d.moment = q.moment
    for event in values["reactions"]:
        load_record(&s.d.open_event[s.d.open_events], event)
        s.d.open_events += 1
    s.d.open_events_seen = s.d.open_events
    for numbers, token, source in values["changes"]:
        m = &s.d.mod[s.d.mods]
        m.what, m.target, m.who, m.controller, m.is_set, m.until, m.city, m.left, m.value, m.sel, m.seat = numbers
        if m.target == TG_CARD:
            m.who = token - 1 if token else NONE
        m.source = source - 1 if source else NONE
        s.d.mods += 1
    for numbers, source in values["later"]:
        l = &s.d.deferred[s.d.deferred_count]
        l.card, l.controller, l.city, l.cause, l.ability, l.node = numbers
        l.source = source - 1 if source else NONE
        s.d.deferred_count += 1
    for event in values["log"]:
        load_record(&s.d.log[s.d.logged], event)
        s.d.logged += 1
    return 0

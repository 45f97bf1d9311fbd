# Hidden information: dependence on hidden cards, private decisions, and resampling.
#
# :func:`resample` makes another state that a viewer cannot tell from the true one (OMENX-HID-04, -06): faces that the
# viewer does not know are dealt again over the cards that it does not know. Every viewer can see that a seat has to
# decide; so a deal that leaves the deciding seat without a choice is drawn again. If valid deals are rare, one is searched
# for by exchanging two faces at a time as long as that gives the seat more choices. The true deal is never used as a
# fallback.

# == dependence on hidden cards =======================================================================================


cdef bint depends_on_hidden(CoreState s, int node) noexcept nogil:
    """Whether a selector, amount, condition, cost or effect depends on hidden cards."""
    return s.config.hidden_bits[node] & HIDDEN


cdef bint guarded(CoreState s, int node) noexcept nogil:
    """Whether the existence of an effect's decision depends on hidden cards."""
    return s.config.hidden_bits[node] != 0


cdef bint use_depends_on_hidden(CoreState s, int card) noexcept nogil:
    """Whether the use of a card, its reaction, or its options depend on hidden cards."""
    cdef CompiledAbility* ability
    cdef int i
    for i in range(s.config.card[card].abilities):
        ability = &s.config.ability[s.config.card[card].first_ability + i]
        if depends_on_hidden(s, ability.when) or depends_on_hidden(s, ability.cost):
            return True
    return False


cdef bint options_depend_on_hidden(CoreState s) noexcept:
    """Whether the options of the decision depend on hidden cards. If so, even a single option is offered (OMENX-ATOM-03)."""
    cdef Frame* frame
    if s.d.decision == DECISION_SURGE:
        return True
    if not s.d.depth:
        return False
    frame = top(s)
    if frame.kind == FR_MODE:
        return use_depends_on_hidden(s, s.d.token[frame.token].card)
    return (frame.kind == FR_EFFECT or frame.kind == FR_COST) and depends_on_hidden(s, frame.node)


# == private decisions ================================================================================================


cdef int decline_code_of(CoreState s) except -2:
    """The code by which the deciding seat declines a private decision; -1 for a public decision."""
    cdef Frame* frame
    cdef CompiledAbility* ability
    cdef int decision = s.d.decision
    if decision == DECISION_REACT or decision == DECISION_ACT:
        return V_PASS if all_options_hidden(s) else -1
    if decision == DECISION_CHALLENGE:
        return V_CHALLENGE_NONE if all_options_hidden(s) else -1
    if decision == DECISION_FEAT:
        return V_FEAT_DONE if all_options_hidden(s) else -1
    if not s.d.depth:
        return -1
    frame = top(s)
    if decision == DECISION_MAY:
        if frame.kind == FR_ABILITY:
            ability = &s.config.ability[context(s).ability]
            return V_SKIP if depends_on_hidden(s, ability.cond) or depends_on_hidden(s, ability.cost) else -1
        return V_SKIP if guarded(s, frame.node) else -1
    if (decision == DECISION_CARD or decision == DECISION_UNIT) and frame.kind == FR_EFFECT and frame.c:
        return V_STOP if guarded(s, frame.node) else -1
    return -1


cdef bint all_options_hidden(CoreState s) except -1:
    # Whether every option names a card whose availability is hidden from the other viewers.
    cdef uint8_t[MAX_CARDS] tokens
    cdef Codes out = s.scratch
    cdef CompiledAbility* ability
    cdef Py_ssize_t i
    cdef int card, j
    cdef bint hidden
    fill_options(s, s.d.decider, out, tokens)
    for i in range(out.size):
        if tokens[i] == NONE or in_hand(s.d.token[tokens[i]].zone):
            continue
        card = s.d.token[tokens[i]].card
        hidden = use_depends_on_hidden(s, card)
        for j in range(s.config.card[card].abilities):
            ability = &s.config.ability[s.config.card[card].first_ability + j]
            hidden |= depends_on_hidden(s, ability.cond)
        if not hidden:
            return False
    return True


# == resampling =======================================================================================================


# Random deals before a search begins, and deals from which a search starts.
cdef int RANDOM_DEALS = 100
cdef int SEARCHES = 20
cdef int VALID_DEAL = 1 << 20


cdef int resample(CoreState truth, CoreState out, int viewer, Rng rng) except -1:
    """Change ``out``, a clone of ``truth``, into a state that the viewer cannot tell from it.

    ``viewer``: 0 and 1 the seats, 2 the spectator.

    Raises RuntimeError if none is found.
    """
    cdef Codes wanted = Codes()
    cdef uint8_t[MAX_CARDS] tokens
    cdef int number
    if not is_chance(truth.d.decision) and truth.d.decider == viewer:
        fill_options(truth, viewer, wanted, tokens)
    for number in range(RANDOM_DEALS):
        redeal_faces(truth, out, viewer, rng)
        if rate_deal(out, viewer, wanted) == VALID_DEAL:
            return 0
    for number in range(SEARCHES):
        redeal_faces(truth, out, viewer, rng)
        if search_deal(truth, out, viewer, wanted, rng):
            return 0
    raise RuntimeError(f"no deal of the cards that viewer {viewer} does not know leaves seat {truth.d.decider} a choice")


cdef int redeal_faces(CoreState truth, CoreState out, int viewer, Rng rng) except -1:
    copy_data(&out.d, &truth.d)
    redeal_unknown(out, viewer, rng)
    mix_fresh(out, viewer, rng)
    update_records(truth, out, viewer)
    return 0


cdef int mix_fresh(CoreState s, int viewer, Rng rng) except -1:
    # As far as the viewer knows, each unknown prize of a hand, or laid down from it this turn, may have been won this turn.
    cdef int[MAX_CARDS] at
    cdef int seat, token, zone, count, fresh, i, j
    for seat in range(2):
        count = fresh = 0
        for token in range(s.d.tokens):
            zone = s.d.token[token].zone
            if s.d.token[token].known >> viewer & 1 or not is_prize(s.config.card[s.d.token[token].card].kind):
                continue
            if zone == PILE_HAND + seat or zone == PILE_USED + seat and s.d.token[token].laid:
                at[count] = token
                count += 1
                fresh += s.d.token[token].fresh
        # Their number is public; which ones they are is drawn independently of the truth.
        for i in range(count - 1, 0, -1):
            j = rng.bounded(i + 1)
            at[i], at[j] = at[j], at[i]
        for i in range(count):
            s.d.token[at[i]].fresh = i < fresh
    return 0


cdef bint search_deal(CoreState truth, CoreState out, int viewer, Codes wanted, Rng rng) except -1:
    """Exchange faces that the viewer does not know, as long as that gives the deciding seat more choices. Returns whether
    the deal is valid when no further exchange does."""
    cdef int[MAX_CARDS] at
    cdef Items items = items_of(out)
    cdef int count = 0, i, j, have, now
    cdef bint better = True
    for i in range(out.d.tokens):
        if not out.d.token[i].known >> viewer & 1:
            at[count] = i
            count += 1
    for i in range(count - 1, 0, -1):
        j = rng.bounded(i + 1)
        at[i], at[j] = at[j], at[i]
    have = rate_deal(out, viewer, wanted)
    if have == VALID_DEAL:
        return True
    while better:
        better = False
        for i in range(count):
            for j in range(i):
                if out.d.token[at[i]].card == out.d.token[at[j]].card or back_group(out, at[i]) != back_group(out, at[j]):
                    continue
                if not exchange(out, at[i], at[j], viewer):
                    continue
                update_remembered(truth, out, viewer)
                now = rate_deal(out, viewer, wanted)
                if now <= have:
                    exchange(out, at[i], at[j], viewer)
                    update_remembered(truth, out, viewer)
                    continue
                have, better = now, True
                if have == VALID_DEAL:
                    drop_inconsistent(&items, viewer)
                    return True
    return False


cdef int rate_deal(CoreState s, int viewer, Codes wanted) except -1:
    """Returns VALID_DEAL if the deciding seat has the choice that the viewer knows it has; otherwise the number of its
    options that agree with that choice, from 0."""
    cdef Codes out = s.scratch
    cdef uint8_t[MAX_CARDS] tokens
    cdef Py_ssize_t i, same = 0
    if s.d.decision == 0 or s.d.decider == C_SIMULTANEOUS:
        return VALID_DEAL
    if is_chance(s.d.decision):
        fill_outcomes(s, out)
        return VALID_DEAL if out.size > 0 else 0
    fill_options(s, s.d.decider, out, tokens)
    if s.d.decider != viewer:
        if out.size > 1 or out.size == 1 and (not s.config.auto_single or options_depend_on_hidden(s)):
            return VALID_DEAL
        return <int> out.size
    for i in range(min(out.size, wanted.size)):
        same += out.code[i] == wanted.code[i]
    return VALID_DEAL if out.size == wanted.size == same else <int> same


cdef void update_record(CoreState truth, CoreState out, EventRecord* record, int viewer) noexcept:
    # Let a record of a card whose face was dealt anew name the new face.
    if record.token != NONE and not record.seen >> viewer & 1 and record.card == truth.d.token[record.token].card:
        record.card = out.d.token[record.token].card


cdef void update_remembered(CoreState truth, CoreState out, int viewer) noexcept:
    """Set the records of events to the true ones, with the faces that are dealt now."""
    copy_pending(&out.d, &truth.d)
    update_records(truth, out, viewer)


cdef void update_records(CoreState truth, CoreState out, int viewer) noexcept:
    cdef int i
    for i in range(out.d.logged):
        update_record(truth, out, &out.d.log[i], viewer)
    for i in range(out.d.open_events):
        update_record(truth, out, &out.d.open_event[i], viewer)
    for i in range(out.d.queued):
        update_record(truth, out, &out.d.queue[i].event, viewer)
    for i in range(out.d.contexts):
        update_record(truth, out, &out.d.context[i].event, viewer)
    for i in range(out.d.depth):
        update_record(truth, out, &out.d.frame[i].event, viewer)

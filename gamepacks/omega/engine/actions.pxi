# The effect of each action and of each outcome of chance on the state (sections 4 to 9 and 15 of RULES.md).

# Each verb with two arguments has 8 bits for the first.
cdef enum:
    SECOND_SHIFT = SHIFT_CAPTURE_PLACE


cdef void apply_draw_action(StateData* s, int32_t code) noexcept nogil:
    """Apply an action of the Draw phase (OMEGA-DRAW-01). The phase ends when the rune is in the pyramid."""
    if code & ~0xFFFFFF == VERB_TAKE_BAG:
        push_frame(s, FRAME_KIND_BAG_DRAW, 0, 0, 0)
    else:
        from_altar(s, code & 0xFF)
        into_pyramid(s, s.active, code & 0xFF)
        begin_main(s)


cdef void apply_main_action(OmegaRules rules, StateData* s, int32_t code) noexcept nogil:
    """Apply an action of the Main phase. Some only push the frame of the next decision."""
    cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, second = code >> SECOND_SHIFT & 0xFF
    cdef Player* player = &s.player[s.active]
    s.last_mask = verb == VERB_MASK
    if verb != VERB_PLACE:
        # The type of a rune becomes public when it is placed: until then PLACE must not change the views of others.
        s.green_pending = 0
    if verb == VERB_END_MAIN:
        end_main(rules, s)
    elif verb == VERB_SUMMON:
        declare_gain(s, NONE, first)
    elif verb == VERB_CAPTURE:
        declare_gain(s, first, second)
    elif verb == VERB_PLACE:
        push_frame(s, FRAME_KIND_TARGET, first, 0, 0)
    elif verb == VERB_PLACE_BLACK:
        # The announcement is public: the pyramid has a black.
        if not player.shown[BLACK]:
            player.shown[BLACK] = 1
        push_frame(s, FRAME_KIND_BLACK_TARGET, 0, 0, 0)
    elif verb == VERB_PAIR:
        push_frame(s, FRAME_KIND_PAIR_FIRST, 0, 0, 0)
    elif verb == VERB_DISOWN:
        s.disowned += 1
        lose_egregor(rules, s, s.active, first)
    elif verb == VERB_MASK:
        # OMEGA-MASK-03
        s.mask_moved = 1
        player.mask = first
        add_trace(s, TRACE_MASK, s.active, first, 0)
    else:
        use_book(rules, s, first, second)


cdef void end_main(OmegaRules rules, StateData* s) noexcept nogil:
    # OMEGA-ENDPH-01
    cdef Player* player = &s.player[s.active]
    cdef int place, thrust = 0
    s.phase = PHASE_END
    add_trace(s, TRACE_PHASE, PHASE_END, 0, 0)
    for place in range(player.row_size):
        thrust += rules.card[player.row[place].card].thrust
    advance(rules, s, thrust, CAUSE_END_PHASE)


cdef void apply_frame_action(OmegaRules rules, StateData* s, int32_t code) noexcept nogil:
    """Apply an action of the decision that the topmost frame asks for."""
    cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, second = code >> SECOND_SHIFT & 0xFF
    cdef Frame frame = top_frame(s)[0]
    if verb == VERB_ADD:
        s.batch[first] += 1
        s.batch_size += 1
    elif verb == VERB_CONFIRM:
        s.depth -= 1
        confirm_batch(rules, s)
    elif verb == VERB_TARGET:
        s.depth -= 1
        place_rune(rules, s, first, frame.a)
    elif verb == VERB_PAIR_FIRST:
        s.depth -= 1
        push_frame(s, FRAME_KIND_PAIR_SECOND, first, 0, 0)
    elif verb == VERB_PAIR_SECOND:
        s.depth -= 1
        place_pair(s, frame.a, first)
    elif verb == VERB_BLACK_TARGET:
        s.depth -= 1
        push_frame(s, FRAME_KIND_BLACK_TAKE, first, second, 0)
    elif verb == VERB_BLACK_TAKE:
        s.depth -= 1
        swap_black(s, frame.a, frame.b, first)
    elif verb == VERB_PULL:
        pull_red(s)
    elif verb == VERB_DECLINE:
        # A declined offer is used up (A05).
        s.red_used = 1
        top_frame(s).b -= 1
    elif verb == VERB_TAKE_ALTAR:
        draw_rune(s, first)
    elif verb == VERB_TAKE_BAG:
        draw_rune(s, NONE)
    elif verb == VERB_SEARCH_BAG:
        top_frame(s).a -= 1
        draw_colour(s, first)
    elif verb == VERB_ARCANA:
        take_token(s, first)
    elif verb == VERB_RECOVER:
        recover_rune(s, first)
    elif verb == VERB_CYCLE:
        cycle_rune(s, first, second)
    elif verb == VERB_STOP:
        if frame.kind == FRAME_KIND_RECOVER:
            top_frame(s).c = 0
        else:
            top_frame(s).a = 0
    elif verb == VERB_KEY_NONE:
        s.keys = 0
        add_trace(s, TRACE_KEPT, s.active, 0, 0)
    elif verb == VERB_KEY_TAKE:
        choose_key_card(rules, s, first)
    elif verb == VERB_KEY_PLACE:
        s.depth -= 1
        replace_key(rules, s, first, frame.a)


# -- gaining and losing Egregors (section 4) ---------------------------------------


cdef void declare_gain(StateData* s, int seat, int index) noexcept nogil:
    """Begin a summon (``seat`` NONE, ``index`` a slot of the gallery) or a capture; the batch follows."""
    s.batch_seat, s.batch_index = seat, index
    push_frame(s, FRAME_KIND_BATCH, 0, 0, 0)


cdef void confirm_batch(OmegaRules rules, StateData* s) noexcept nogil:
    """Reveal the complete batch and gain the Egregor (order of resolution: section 4.2)."""
    cdef Player* player = &s.player[s.active]
    cdef int i, card
    s.gain_used = 1
    s.batch_shown = 1
    for i in range(TYPES):
        if player.shown[i] < s.batch[i]:
            player.shown[i] = s.batch[i]
    if s.batch_seat == NONE:
        card = s.gallery[s.batch_index]
        s.gallery[s.batch_index] = NONE
        add_trace(s, TRACE_CONFIRMED, NONE, card, player.prestige)
        gain_egregor(rules, s, card)
    else:
        # OMEGA-CAPTURE-10, OMEGA-CAPTURE-11
        player.prestige += 1
        add_trace(s, TRACE_CONFIRMED, s.batch_seat, s.player[s.batch_seat].row[s.batch_index].card, player.prestige)
        lose_egregor(rules, s, s.batch_seat, s.batch_index)


cdef void lose_egregor(OmegaRules rules, StateData* s, int seat, int place) noexcept nogil:
    """Return the white runes, then let the loser recover others (OMEGA-RECOVER-01, OMEGA-RECOVER-02)."""
    cdef EgregorState* egregor = &s.player[seat].row[place]
    cdef int snake = rules.card[egregor.card].snake
    if egregor.load[WHITE]:
        add_trace(s, TRACE_WHITES_BACK, seat, egregor.load[WHITE], 0)
    while egregor.load[WHITE]:
        remove_rune(egregor, WHITE)
        into_pyramid(s, seat, WHITE)
    push_frame(s, FRAME_KIND_RECOVER, seat, place, snake if snake < egregor.total else egregor.total)


cdef void recover_rune(StateData* s, int type) noexcept nogil:
    # OMEGA-RECOVER-03
    cdef Frame* frame = top_frame(s)
    remove_rune(&s.player[frame.a].row[frame.b], type)
    into_pyramid(s, frame.a, type)
    frame.c -= 1


cdef void finish_recovery(OmegaRules rules, StateData* s) noexcept nogil:
    """Move the rest of the runes to the bag (OMEGA-RECOVER-05) and the card to its new place."""
    cdef Frame frame = top_frame(s)[0]
    cdef EgregorState* egregor = &s.player[frame.a].row[frame.b]
    cdef int type, card = egregor.card
    s.depth -= 1
    add_trace(s, TRACE_LOST, frame.a, card, frame.a == s.active)
    for type in range(TYPES):
        if egregor.load[type]:
            add_trace(s, TRACE_TO_BAG, frame.a, type, egregor.load[type])
        while egregor.load[type]:
            remove_rune(egregor, type)
            into_bag(s, type)
    remove_egregor(s, frame.a, frame.b)
    if frame.a == s.active:
        # OMEGA-DISOWN-05
        s.discard |= <uint64_t> 1 << card
    else:
        # OMEGA-CAPTURE-13
        s.player[frame.a].lost = 1
        gain_egregor(rules, s, card)


cdef void remove_egregor(StateData* s, int seat, int place) noexcept nogil:
    cdef Player* player = &s.player[seat]
    cdef int i
    for i in range(place, player.row_size - 1):
        player.row[i] = player.row[i + 1]
    player.row_size -= 1
    memset(&player.row[player.row_size], 0, sizeof(EgregorState))
    if player.mask == place:
        # OMEGA-DISOWN-06
        player.mask = -1
        add_trace(s, TRACE_MASK, seat, -1, 0)
    elif player.mask > place:
        player.mask -= 1


cdef void gain_egregor(OmegaRules rules, StateData* s, int card) noexcept nogil:
    """Put the card with the batch on it into the active player's row; the batch triggers (OMEGA-SUMMON-05)."""
    cdef Player* player = &s.player[s.active]
    cdef int place = player.row_size, type, reds
    cdef EgregorState* egregor = &player.row[place]
    cdef unsigned char[TYPES] batch
    memset(egregor, 0, sizeof(EgregorState))
    egregor.card = card
    egregor.gained = 1
    for type in range(TYPES):
        batch[type] = s.batch[type]
        egregor.load[type] = s.batch[type]
        egregor.total += s.batch[type]
        while s.batch[type]:
            s.batch[type] -= 1
            from_pyramid(s, s.active, type)
    s.batch_size = s.batch_shown = 0
    s.batch_seat = s.batch_index = NONE
    player.row_size += 1
    if place == 0 and not rules.card[card].renegade:
        # OMEGA-MASK-02
        player.mask = 0
        add_trace(s, TRACE_MASK, s.active, 0, 0)
    # The last frame pushed is resolved first (OMEGA-ORDER-02).
    push_frame(s, FRAME_KIND_LIGHTNING, place, card, 0)
    s.green_pending = rules.consecutive and batch[GREEN] & 1
    if batch[GREEN] >= 2:
        # OMEGA-GREEN-04
        push_frame(s, FRAME_KIND_DRAW, batch[GREEN] // 2, ANY_TYPE, 0)
    reds = batch[RED]
    if reds and rules.red_limit == RED_LIMIT_PER_BATCH:
        reds = 1
    push_frame(s, FRAME_KIND_RED, place, reds, 0)
    if batch[BLUE]:
        # OMEGA-BLUE-02
        advance(rules, s, 2 * batch[BLUE], CAUSE_BLUE)


# -- placing runes (sections 5 and 6) ---------------------------------------


cdef void place_rune(OmegaRules rules, StateData* s, int place, int type) noexcept nogil:
    """Place a rune from the pyramid on an Egregor of the active player; it triggers (OMEGA-ORDER-01)."""
    from_pyramid(s, s.active, type)
    add_rune(&s.player[s.active].row[place], type)
    if type != GREEN:
        s.green_pending = 0
    if type == BLUE:
        # OMEGA-BLUE-01
        advance(rules, s, 2, CAUSE_BLUE)
    elif type == RED:
        # OMEGA-RED-01
        push_frame(s, FRAME_KIND_RED, place, 1, 0)
    elif type == GREEN and rules.consecutive:
        s.green_pending = not s.green_pending
        if not s.green_pending:
            push_frame(s, FRAME_KIND_DRAW, 1, ANY_TYPE, 0)


cdef void place_pair(StateData* s, int first, int second) noexcept nogil:
    # OMEGA-GREEN-01, OMEGA-GREEN-02
    from_pyramid(s, s.active, GREEN)
    from_pyramid(s, s.active, GREEN)
    add_rune(&s.player[s.active].row[first], GREEN)
    add_rune(&s.player[s.active].row[second], GREEN)
    push_frame(s, FRAME_KIND_DRAW, 1, ANY_TYPE, 0)


cdef void swap_black(StateData* s, int seat, int place, int type) noexcept nogil:
    # OMEGA-BLACK-02, OMEGA-BLACK-03
    cdef EgregorState* egregor = &s.player[seat].row[place]
    if type == BLACK:
        egregor.old_blacks -= 1
    remove_rune(egregor, type)
    add_rune(egregor, BLACK)
    from_pyramid(s, s.active, BLACK)
    into_pyramid(s, s.active, type)


cdef void pull_red(StateData* s) noexcept nogil:
    # OMEGA-RED-01, OMEGA-RED-03
    from_altar(s, RED)
    add_rune(&s.player[s.active].row[top_frame(s).a], RED)
    s.red_used = 1
    top_frame(s).b -= 1


cdef void draw_rune(StateData* s, int type) noexcept nogil:
    """Take one of the draws of the topmost frame: a rune of the altar, or a random one of the bag (``type`` NONE)."""
    top_frame(s).a -= 1
    if type == NONE:
        push_frame(s, FRAME_KIND_BAG_DRAW, 0, 0, 0)
    else:
        from_altar(s, type)
        into_pyramid(s, s.active, type)


# -- powers of Egregors (section 8) ---------------------------------------


cdef void use_book(OmegaRules rules, StateData* s, int place, int power) noexcept nogil:
    # OMEGA-POWER-02, OMEGA-POWER-03
    cdef int card = s.player[s.active].row[place].card
    push_frame(s, FRAME_KIND_BOOK, place, card, power << 4)
    # The effect of a Key reads and sets the marks itself (OMEGA-KEY-12).
    if rules.card[card].power[power].effect[0].op != OP_KEY:
        s.player[s.active].row[place].used |= 1 << power


cdef bint run_power(OmegaRules rules, StateData* s) noexcept nogil:
    """Run the next effect of the topmost frame's power, in printed order (OMEGA-POWER-06). False if none is left."""
    cdef Frame* frame = top_frame(s)
    cdef int card = frame.b, power = frame.c >> 4, number = frame.c & 15
    if frame.kind == FRAME_KIND_LIGHTNING:
        # OMEGA-POWER-01: all lightning powers of the card, one after the other.
        while power < rules.card[card].powers and (
            rules.card[card].power[power].trigger != LIGHTNING or number >= rules.card[card].power[power].effects
        ):
            power += 1
            number = 0
    if power >= rules.card[card].powers or number >= rules.card[card].power[power].effects:
        return False
    if frame.kind == FRAME_KIND_LIGHTNING and number == 0:
        add_trace(s, TRACE_LIGHTNING, frame.a, card, power)
    frame.c = power << 4 | number + 1
    run_effect(rules, s, frame.a, &rules.card[card].power[power].effect[number])
    return True


cdef void run_effect(OmegaRules rules, StateData* s, int place, const CompiledEffect* what) noexcept nogil:
    if what.op == OP_ADVANCE:
        # OMEGA-THRUST-01
        advance(rules, s, what.n, CAUSE_POWER)
    elif what.op == OP_DRAW:
        # OMEGA-HAND-01
        push_frame(s, FRAME_KIND_DRAW, what.n, what.colour, 1)
    elif what.op == OP_CYCLE:
        # OMEGA-CYCLE-01
        push_frame(s, FRAME_KIND_CYCLE, what.n, what.colour, 0)
    else:
        begin_key(rules, s, place)


# -- Hand of Fate with a colour, Runic Cycling ---------------------------------------


cdef bint draw_colour(StateData* s, int type) noexcept nogil:
    """Draw a rune of a type from the altar, else from the bag (OMEGA-HAND-02). False if neither has one."""
    if s.altar[type]:
        from_altar(s, type)
        add_trace(s, TRACE_DREW, type, False, 0)
    elif s.bag[type]:
        add_trace(s, TRACE_DREW, type, True, 0)
        from_bag(s, type)
    else:
        if s.bag_size:
            # The failed search is public.
            s.absent[type] = 1
        return False
    into_pyramid(s, s.active, type)
    return True


cdef void cycle_rune(StateData* s, int place, int type) noexcept nogil:
    # OMEGA-CYCLE-01, OMEGA-CYCLE-05
    remove_rune(&s.player[s.active].row[place], type)
    into_pyramid(s, s.active, type)
    top_frame(s).a -= 1


# -- Summoning Key ---------------------------------------


cdef void begin_key(OmegaRules rules, StateData* s, int place) noexcept nogil:
    """Add up the Keys that take part (OMEGA-KEY-02, OMEGA-KEY-12); the player looks at that many cards (OMEGA-KEY-01)."""
    cdef Player* player = &s.player[s.active]
    cdef int i, power = 0, card, total = 0
    s.keys = s.replaced_count = 0
    for i in range(player.row_size):
        card = player.row[i].card
        if not rules.card[card].key:
            continue
        for power in range(rules.card[card].powers):
            if rules.card[card].power[power].effect[0].op == OP_KEY:
                break
        if rules.card[card].key_book and player.row[i].used >> power & 1 and i != place:
            continue
        if rules.card[card].key_book:
            player.row[i].used |= 1 << power
        total += rules.card[card].key
        s.keys |= 1 << i
    push_frame(s, FRAME_KIND_LOOK, CARDS if total > CARDS else total, 0, 0)


cdef void choose_key_card(OmegaRules rules, StateData* s, int card) noexcept nogil:
    """Choose a card; if several Keys are left, the player chooses which of them it replaces."""
    cdef int place = 0
    if s.keys & (s.keys - 1):
        push_frame(s, FRAME_KIND_KEY_PLACE, card, 0, 0)
        return
    while not s.keys >> place & 1:
        place += 1
    replace_key(rules, s, place, card)


cdef void replace_key(OmegaRules rules, StateData* s, int place, int card) noexcept nogil:
    """Replace a Key by a card (OMEGA-KEY-05 to OMEGA-KEY-09)."""
    cdef Player* player = &s.player[s.active]
    s.looked &= ~(<uint64_t> 1 << card)
    s.certain &= s.looked
    s.discard |= <uint64_t> 1 << player.row[place].card
    add_trace(s, TRACE_REPLACED, place, player.row[place].card, card)
    player.row[place].card = card
    player.row[place].used = 0
    if player.mask == place and rules.card[card].renegade:
        # OMEGA-MASK-05
        player.mask = -1
        add_trace(s, TRACE_MASK, s.active, -1, 0)
    s.keys &= ~(1 << place)
    s.replaced[s.replaced_count] = place
    s.replaced_count += 1


cdef void end_key(OmegaRules rules, StateData* s) noexcept nogil:
    """Finish the Key: the cards that were not chosen leave (OMEGA-KEY-10)."""
    cdef int i
    s.depth -= 1
    if rules.key_discard:
        s.discard |= s.looked
    else:
        s.deck |= s.looked
    s.looked = s.certain = 0
    if rules.key_fires:
        # Resolved in the order of replacement: the last frame pushed is resolved first.
        for i in range(s.replaced_count - 1, -1, -1):
            push_frame(s, FRAME_KIND_LIGHTNING, s.replaced[i], s.player[s.active].row[s.replaced[i]].card, 0)
    s.replaced_count = 0
    memset(s.replaced, 0, sizeof(s.replaced))


# -- the Ritual Disc and the Arcana (section 9) ---------------------------------------


cdef void advance(OmegaRules rules, StateData* s, int squares, int cause) noexcept nogil:
    # OMEGA-DISC-01 to OMEGA-DISC-03
    cdef Player* player = &s.player[s.active]
    cdef int before = rules.passed(player.steps), passings
    player.steps += squares
    if squares:
        add_trace(s, TRACE_PAWN, cause, player.steps - squares, player.steps)
    passings = rules.passed(player.steps) - before
    if passings > 0:
        # There are no more tokens than TOKENS (OMEGA-ARCANA-03).
        push_frame(s, FRAME_KIND_ARCANA, TOKENS if passings > TOKENS else passings, 0, 0)


cdef void take_token(StateData* s, int stack) noexcept nogil:
    # OMEGA-ARCANA-01, OMEGA-ARCANA-02
    cdef Player* player = &s.player[s.active]
    player.token[player.token_count] = s.top[stack]
    player.token_count += 1
    s.top[stack] = NONE
    top_frame(s).a -= 1
    push_frame(s, FRAME_KIND_FLIP, stack, 0, 0)


# -- outcomes of chance (section 15.5) ---------------------------------------


cdef void begin_main(StateData* s) noexcept nogil:
    """Begin the Main phase."""
    s.phase = PHASE_MAIN
    add_trace(s, TRACE_PHASE, PHASE_MAIN, 0, 0)


cdef void apply_outcome(OmegaRules rules, StateData* s, int32_t code) noexcept nogil:
    """Apply an outcome of chance."""
    cdef int verb = code & ~0xFFFFFF, what = code & 0xFF, i = 0
    if verb == VERB_ALTAR_RUNE:
        # OMEGA-SETUP-01, OMEGA-UPKEEP-01
        from_bag(s, what)
        s.altar[what] += 1
        s.altar_size += 1
    elif verb == VERB_DEAL:
        # OMEGA-SETUP-06, OMEGA-SETUP-07
        from_bag(s, what)
        s.player[dealt_seat(rules, s)].pyramid[what] += 1
        s.dealt += 1
    elif verb == VERB_BAG_RUNE:
        # OMEGA-DRAW-02
        s.depth -= 1
        from_bag(s, what)
        s.player[s.active].pyramid[what] += 1
        if s.phase == PHASE_DRAW:
            begin_main(s)
    elif verb == VERB_GALLERY_CARD:
        # OMEGA-SETUP-02, OMEGA-UPKEEP-02
        s.deck &= ~(<uint64_t> 1 << what)
        for i in range(GALLERY_SLOTS):
            if s.gallery[i] == NONE:
                s.gallery[i] = what
                break
    elif verb == VERB_LOOK:
        # OMEGA-KEY-01
        s.deck &= ~(<uint64_t> 1 << what)
        s.looked |= <uint64_t> 1 << what
        top_frame(s).a -= 1
    elif verb == VERB_FLIP:
        # OMEGA-SETUP-03, OMEGA-ARCANA-02
        if s.depth:
            i = top_frame(s).a
            s.depth -= 1
        else:
            while s.top[i] != NONE:
                i += 1
        s.top[i] = what
        s.hidden[i] -= 1
        s.pool[what] -= 1
    else:
        # OMEGA-SETUP-05
        s.start = s.active = what

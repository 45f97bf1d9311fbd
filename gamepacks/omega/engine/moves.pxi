# The legal actions of each decision and the outcomes of each chance node (sections 15.3 to 15.5 of RULES.md).

cdef int count_colours(const EgregorState* egregor) noexcept nogil:
    # Black is not a colour (OMEGA-PLACE-03).
    cdef int type, count = 0
    for type in range(BLACK):
        count += egregor.load[type] != 0
    return count


cdef inline int colour_limit(OmegaRules rules, int card) noexcept nogil:
    return 1 if rules.card[card].primitive else 2


cdef bint can_carry(OmegaRules rules, const EgregorState* egregor, int type) noexcept nogil:
    # OMEGA-PLACE-02 to OMEGA-PLACE-06
    if type >= BLACK or egregor.total >= MAX_LOAD:
        return False
    return egregor.load[type] != 0 or count_colours(egregor) < colour_limit(rules, egregor.card)


cdef bint can_lose_to_black(OmegaRules rules, const EgregorState* egregor) noexcept nogil:
    # OMEGA-WHITE-03, OMEGA-BLACK-06
    cdef int type
    if egregor.load[WHITE] >= 2:
        return False
    for type in range(WHITE):
        if egregor.load[type]:
            return True
    return rules.nonwhite and egregor.old_blacks and egregor.load[BLACK]


cdef int largest_batch(const Player* player, const unsigned char* batch, int limit) noexcept nogil:
    """The size of the largest batch that contains ``batch`` (section 15.4)."""
    cdef int type, size = 0, used = 0, first = 0, second = 0
    for type in range(BLACK):
        if batch[type]:
            size += player.pyramid[type]
            used += 1
        elif player.pyramid[type] > first:
            second = first
            first = player.pyramid[type]
        elif player.pyramid[type] > second:
            second = player.pyramid[type]
    if limit - used >= 1:
        size += first
    if limit - used >= 2:
        size += second
    return MAX_LOAD if size > MAX_LOAD else size


cdef int smallest_batch(const StateData* s) noexcept nogil:
    # OMEGA-SUMMON-01, OMEGA-CAPTURE-01
    if s.batch_seat == NONE:
        return 1
    return s.player[s.batch_seat].row[s.batch_index].total + 1


cdef int batch_colour_limit(OmegaRules rules, const StateData* s) noexcept nogil:
    if s.batch_seat == NONE:
        return colour_limit(rules, s.gallery[s.batch_index])
    return colour_limit(rules, s.player[s.batch_seat].row[s.batch_index].card)


cdef bint can_add(
    const Player* player, const unsigned char* batch, int size, int limit, int needed, int type
) noexcept nogil:
    # The batch can always be completed (OMEGA-CAPTURE-14).
    cdef unsigned char[TYPES] larger
    cdef int i, used = 0
    if size >= MAX_LOAD or batch[type] >= player.pyramid[type]:
        return False
    for i in range(TYPES):
        larger[i] = batch[i]
    larger[type] += 1
    for i in range(BLACK):
        used += larger[i] != 0
    return used <= limit and largest_batch(player, larger, limit) >= needed


cdef bint can_place(OmegaRules rules, const Player* player, int type) noexcept nogil:
    cdef int place
    if not player.pyramid[type]:
        return False
    for place in range(player.row_size):
        if can_carry(rules, &player.row[place], type):
            return True
    return False


cdef bint can_pair_second(OmegaRules rules, const Player* player, int first, int place) noexcept nogil:
    if not can_carry(rules, &player.row[place], GREEN):
        return False
    return place != first or player.row[place].total <= MAX_LOAD - 2


cdef bint can_pair_first(OmegaRules rules, const Player* player, int place) noexcept nogil:
    cdef int second
    if not can_carry(rules, &player.row[place], GREEN):
        return False
    for second in range(player.row_size):
        if can_pair_second(rules, player, place, second):
            return True
    return False


cdef bint can_pair(OmegaRules rules, const Player* player) noexcept nogil:
    cdef int place
    if player.pyramid[GREEN] < 2:
        return False
    for place in range(player.row_size):
        if can_pair_first(rules, player, place):
            return True
    return False


cdef bint can_capture(OmegaRules rules, const StateData* s, int seat, int place) noexcept nogil:
    # OMEGA-CAPTURE-01 to OMEGA-CAPTURE-09, OMEGA-MAIN-02
    cdef const Player* owner = &s.player[seat]
    cdef unsigned char[TYPES] nothing
    cdef int i
    if s.gain_used or seat == s.active or s.announcer >= 0 and not rules.final_turn_capture:
        return False
    if owner.row_size < 2 or place >= owner.row_size or owner.lost:
        return False
    if owner.mask == place or owner.row[place].total >= MAX_LOAD:
        return False
    for i in range(TYPES):
        nothing[i] = 0
    return largest_batch(
        &s.player[s.active], nothing, colour_limit(rules, owner.row[place].card)
    ) > owner.row[place].total


cdef bint can_disown(OmegaRules rules, const StateData* s, int place) noexcept nogil:
    # OMEGA-DISOWN-01 to OMEGA-DISOWN-04
    cdef const Player* player = &s.player[s.active]
    if not s.gain_used or s.disowned and not rules.disown_any or player.row_size < 2:
        return False
    return place < player.row_size and not player.row[place].gained


cdef bint can_mask(OmegaRules rules, const StateData* s, int place) noexcept nogil:
    # OMEGA-MASK-03 to OMEGA-MASK-06
    cdef const Player* player = &s.player[s.active]
    if place >= player.row_size or player.mask == place or rules.card[player.row[place].card].renegade:
        return False
    return not (s.mask_moved if rules.mask_once else s.last_mask)


cdef bint bag_may_hold(OmegaRules rules, const StateData* s, int type) noexcept nogil:
    """Whether by public facts the bag may hold a rune of a type (OMEGA-POWER-05)."""
    cdef int seat, hidden = s.bag[type]
    # The bag is empty, or a failed search has shown that it has none.
    if not s.bag_size or s.absent[type]:
        return False
    for seat in range(rules.players):
        hidden += s.player[seat].pyramid[type] - s.player[seat].shown[type]
    return hidden > 0


cdef bint can_use(OmegaRules rules, const StateData* s, int place, int power) noexcept nogil:
    # OMEGA-POWER-02, OMEGA-POWER-05
    cdef const Player* player = &s.player[s.active]
    cdef const CompiledEffect* effect
    cdef int card, number, other
    if place >= player.row_size:
        return False
    card = player.row[place].card
    if power >= rules.card[card].powers or rules.card[card].power[power].trigger != BOOK:
        return False
    if player.row[place].used >> power & 1:
        return False
    for number in range(rules.card[card].power[power].effects):
        effect = &rules.card[card].power[power].effect[number]
        if effect.op == OP_ADVANCE:
            return True
        if effect.op == OP_DRAW:
            if effect.colour == ANY_TYPE:
                if s.altar_size or s.bag_size:
                    return True
            elif s.altar[effect.colour] or bag_may_hold(rules, s, effect.colour):
                return True
        elif effect.op == OP_CYCLE:
            for other in range(player.row_size):
                if player.row[other].total if effect.colour == ANY_TYPE else player.row[other].load[effect.colour]:
                    return True
        elif s.deck or s.discard:
            return True
    return False


cdef bint can_replace_key(OmegaRules rules, const StateData* s, int card, int place) noexcept nogil:
    # OMEGA-KEY-03, OMEGA-KEY-04
    if not s.keys >> place & 1 or not s.looked >> card & 1 or rules.card[card].key:
        return False
    return not rules.card[card].primitive or count_colours(&s.player[s.active].row[place]) <= 1


cdef bint can_replace_any_key(OmegaRules rules, const StateData* s, int card) noexcept nogil:
    cdef int place
    for place in range(MAX_ROW):
        if can_replace_key(rules, s, card, place):
            return True
    return False


cdef int list_draw_actions(const StateData* s, Codes out) except -1:
    # OMEGA-DRAW-01, OMEGA-GREEN-01, OMEGA-HAND-01
    cdef int type
    for type in range(TYPES):
        if s.altar[type]:
            out.push(VERB_TAKE_ALTAR | type)
    if s.bag_size:
        out.push(VERB_TAKE_BAG)
    return 0


cdef int list_main_actions(OmegaRules rules, const StateData* s, Codes out) except -1:
    cdef const Player* player = &s.player[s.active]
    cdef const Player* other
    cdef int slot, seat, place, type, power, any_colour = 0
    for type in range(BLACK):
        any_colour |= player.pyramid[type]
    if not s.gain_used:
        if any_colour:
            for slot in range(GALLERY_SLOTS):
                if s.gallery[slot] != NONE:
                    out.push(VERB_SUMMON | slot)
        for seat in range(rules.players):
            for place in range(s.player[seat].row_size):
                if can_capture(rules, s, seat, place):
                    out.push(VERB_CAPTURE | seat | place << SHIFT_CAPTURE_PLACE)
    for type in range(BLACK):
        if can_place(rules, player, type):
            out.push(VERB_PLACE | type)
    if player.pyramid[BLACK] and any_black_target(rules, s):
        out.push(VERB_PLACE_BLACK)
    if not rules.consecutive and can_pair(rules, player):
        out.push(VERB_PAIR)
    for place in range(player.row_size):
        if can_disown(rules, s, place):
            out.push(VERB_DISOWN | place)
    for place in range(player.row_size):
        if can_mask(rules, s, place):
            out.push(VERB_MASK | place)
    for place in range(player.row_size):
        for power in range(rules.card[player.row[place].card].powers):
            if can_use(rules, s, place, power):
                out.push(VERB_USE_BOOK | place | power << SHIFT_USE_BOOK_POWER)
    if player.row_size < MAX_ROW:
        out.push(VERB_END_MAIN)
    return 0


cdef bint any_black_target(OmegaRules rules, const StateData* s) noexcept nogil:
    cdef int seat, place
    for seat in range(rules.players):
        if seat != s.active:
            for place in range(s.player[seat].row_size):
                if can_lose_to_black(rules, &s.player[seat].row[place]):
                    return True
    return False


cdef int list_frame_actions(OmegaRules rules, const StateData* s, Codes out) except -1:
    """List the legal actions of the decision that the topmost frame asks for."""
    cdef const Frame* top = &s.stack[s.depth - 1]
    cdef const Player* player = &s.player[s.active]
    cdef const EgregorState* egregor
    cdef int kind = top.kind, type, place, seat, card
    if kind == FRAME_KIND_BATCH:
        for type in range(BLACK):
            if can_add(player, s.batch, s.batch_size, batch_colour_limit(rules, s), smallest_batch(s), type):
                out.push(VERB_ADD | type)
        if s.batch_size >= smallest_batch(s):
            out.push(VERB_CONFIRM)
    elif kind == FRAME_KIND_TARGET:
        for place in range(player.row_size):
            if can_carry(rules, &player.row[place], top.a):
                out.push(VERB_TARGET | place)
    elif kind == FRAME_KIND_PAIR_FIRST:
        for place in range(player.row_size):
            if can_pair_first(rules, player, place):
                out.push(VERB_PAIR_FIRST | place)
    elif kind == FRAME_KIND_PAIR_SECOND:
        for place in range(player.row_size):
            if can_pair_second(rules, player, top.a, place):
                out.push(VERB_PAIR_SECOND | place)
    elif kind == FRAME_KIND_BLACK_TARGET:
        for seat in range(rules.players):
            if seat != s.active:
                for place in range(s.player[seat].row_size):
                    if can_lose_to_black(rules, &s.player[seat].row[place]):
                        out.push(VERB_BLACK_TARGET | seat | place << SHIFT_BLACK_TARGET_PLACE)
    elif kind == FRAME_KIND_BLACK_TAKE:
        egregor = &s.player[top.a].row[top.b]
        for type in range(TYPES):
            if type != WHITE and egregor.load[type] and (type != BLACK or rules.nonwhite and egregor.old_blacks):
                out.push(VERB_BLACK_TAKE | type)
    elif kind == FRAME_KIND_RED:
        out.push(VERB_PULL)
        out.push(VERB_DECLINE)
    elif kind == FRAME_KIND_DRAW:
        if top.b == ANY_TYPE:
            list_draw_actions(s, out)
        elif s.altar[top.b]:
            out.push(VERB_TAKE_ALTAR | top.b)
        else:
            out.push(VERB_SEARCH_BAG | top.b)
        if top.c and rules.up_to_power:
            out.push(VERB_STOP)
    elif kind == FRAME_KIND_ARCANA:
        for place in range(STACKS):
            if s.top[place] != NONE:
                out.push(VERB_ARCANA | place)
    elif kind == FRAME_KIND_RECOVER:
        egregor = &s.player[top.a].row[top.b]
        for type in range(TYPES):
            if type != WHITE and egregor.load[type]:
                out.push(VERB_RECOVER | type)
        if rules.up_to_recovery:
            out.push(VERB_STOP)
    elif kind == FRAME_KIND_CYCLE:
        for place in range(player.row_size):
            for type in range(TYPES):
                if player.row[place].load[type] and (top.b == ANY_TYPE or top.b == type):
                    out.push(VERB_CYCLE | place | type << SHIFT_CYCLE_TYPE)
        if rules.up_to_power:
            out.push(VERB_STOP)
    elif kind == FRAME_KIND_KEY:
        for card in range(CARDS):
            if s.looked >> card & 1 and can_replace_any_key(rules, s, card):
                out.push(VERB_KEY_TAKE | card)
        out.push(VERB_KEY_NONE)
    elif kind == FRAME_KIND_KEY_PLACE:
        for place in range(MAX_ROW):
            if can_replace_key(rules, s, top.a, place):
                out.push(VERB_KEY_PLACE | place)
    return 0


# -- outcomes of chance (section 15.5) ---------------------------------------

cdef bint all_dealt(OmegaRules rules, const StateData* s) noexcept nogil:
    return s.dealt >= rules.dealt[rules.players - 1]


cdef int dealt_seat(OmegaRules rules, const StateData* s) noexcept nogil:
    """The seat that gets the next rune of the deal."""
    cdef int place = 0
    while s.dealt >= rules.dealt[place]:
        place += 1
    return (s.start + place) % rules.players


cdef int list_outcomes(OmegaRules rules, const StateData* s, Codes out) except -1:
    """List the outcomes of a chance node with their weights."""
    cdef int kind = s.stack[s.depth - 1].kind if s.depth else 0
    cdef int phase = s.phase, i
    if kind == FRAME_KIND_FLIP or kind == 0 and phase == PHASE_SETUP_ARCANA:
        for i in range(rules.kinds):
            if s.pool[i]:
                out.push_weighted(VERB_FLIP | i, s.pool[i])
    elif kind == FRAME_KIND_LOOK or kind == 0 and (phase == PHASE_SETUP_GALLERY or phase == PHASE_UPKEEP_GALLERY):
        for i in range(CARDS):
            if s.deck >> i & 1:
                out.push_weighted((VERB_LOOK if kind else VERB_GALLERY_CARD) | i, 1)
    elif kind == 0 and phase == PHASE_START_PLAYER:
        for i in range(rules.players):
            out.push_weighted(VERB_START_PLAYER | i, 1)
    else:
        for i in range(TYPES):
            if s.bag[i]:
                if kind == FRAME_KIND_BAG_DRAW:
                    out.push_weighted(VERB_BAG_RUNE | i, s.bag[i])
                else:
                    out.push_weighted((VERB_DEAL if phase == PHASE_DEAL else VERB_ALTAR_RUNE) | i, s.bag[i])
    return 0

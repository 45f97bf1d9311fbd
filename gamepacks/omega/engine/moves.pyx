"""What may be done: the legality tests (section 15.4 of RULES.md), compiled. Rule ids are those of RULES.md."""

from cext.state cimport Codes
from gamepacks.omega.engine.table cimport (
    BLACK, BOOK, CARDS, Effect, Egregor, F_ARCANA, F_BATCH, F_BLACK_TAKE, F_BLACK_TARGET, F_CYCLE, F_DRAW, F_KEY,
    F_KEY_PLACE, F_PAIR_FIRST, F_PAIR_SECOND, F_RECOVER, F_RED, F_TARGET, FULL, Frame, GREEN, NONE, NO_COLOUR,
    OP_ADVANCE, OP_CYCLE, OP_DRAW, Player, ROW, Rules, SECOND, SLOTS, STACKS, TYPES, Table, V_ADD, V_ARCANA, V_BLACK,
    V_BLACK_TAKE, V_BLACK_TARGET, V_BOOK, V_CAPTURE, V_CONFIRM, V_CYCLE, V_DECLINE, V_DISOWN, V_END, V_KEY_NONE,
    V_KEY_PLACE, V_KEY_TAKE, V_MASK, V_PAIR, V_PAIR_FIRST, V_PAIR_SECOND, V_PLACE, V_PULL, V_RECOVER, V_SEARCH_BAG,
    V_STOP, V_SUMMON, V_TAKE_ALTAR, V_TAKE_BAG, V_TARGET, WHITE,
)


cdef int colours(const Egregor* egregor) noexcept nogil:
    # Blacks are no colour (OMEGA-PLACE-03).
    cdef int type, count = 0
    for type in range(BLACK):
        count += egregor.load[type] != 0
    return count


cdef inline int limit(Rules rules, int card) noexcept nogil:
    return 1 if rules.card[card].primitive else 2


cdef bint takes(Rules rules, const Egregor* egregor, int type) noexcept nogil:
    # OMEGA-PLACE-02 to OMEGA-PLACE-06
    if type >= BLACK or egregor.total >= FULL:
        return False
    return egregor.load[type] != 0 or colours(egregor) < limit(rules, egregor.card)


cdef bint black_fits(Rules rules, const Egregor* egregor) noexcept nogil:
    # OMEGA-WHITE-03, OMEGA-BLACK-06
    cdef int type
    if egregor.load[WHITE] >= 2:
        return False
    for type in range(WHITE):
        if egregor.load[type]:
            return True
    return rules.nonwhite and egregor.old_blacks and egregor.load[BLACK]


cdef int reach(const Player* player, const unsigned char* batch, int limit) noexcept nogil:
    # How large a batch can become that has these runes already (section 15.4).
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
    return FULL if size > FULL else size


cdef int need(const Table* table) noexcept nogil:
    # OMEGA-SUMMON-01, OMEGA-CAPTURE-01
    if table.batch_seat == NONE:
        return 1
    return table.player[table.batch_seat].row[table.batch_index].total + 1


cdef int limit_of(Rules rules, const Table* table) noexcept nogil:
    if table.batch_seat == NONE:
        return limit(rules, table.gallery[table.batch_index])
    return limit(rules, table.player[table.batch_seat].row[table.batch_index].card)


cdef bint adds(const Player* player, const unsigned char* batch, int size, int limit, int needed, int type) noexcept nogil:
    # OMEGA-CAPTURE-14: no dead end
    cdef unsigned char[TYPES] larger
    cdef int i, used = 0
    if size >= FULL or batch[type] >= player.pyramid[type]:
        return False
    for i in range(TYPES):
        larger[i] = batch[i]
    larger[type] += 1
    for i in range(BLACK):
        used += larger[i] != 0
    return used <= limit and reach(player, larger, limit) >= needed


cdef bint can_place(Rules rules, const Player* player, int type) noexcept nogil:
    cdef int place
    if not player.pyramid[type]:
        return False
    for place in range(player.owned):
        if takes(rules, &player.row[place], type):
            return True
    return False


cdef bint can_pair_second(Rules rules, const Player* player, int first, int place) noexcept nogil:
    if not takes(rules, &player.row[place], GREEN):
        return False
    return place != first or player.row[place].total <= FULL - 2


cdef bint can_pair_first(Rules rules, const Player* player, int place) noexcept nogil:
    cdef int second
    if not takes(rules, &player.row[place], GREEN):
        return False
    for second in range(player.owned):
        if can_pair_second(rules, player, place, second):
            return True
    return False


cdef bint can_pair(Rules rules, const Player* player) noexcept nogil:
    cdef int place
    if player.pyramid[GREEN] < 2:
        return False
    for place in range(player.owned):
        if can_pair_first(rules, player, place):
            return True
    return False


cdef bint can_capture(Rules rules, const Table* table, int seat, int place) noexcept nogil:
    # OMEGA-CAPTURE-01 to OMEGA-CAPTURE-09, OMEGA-MAIN-02
    cdef const Player* owner = &table.player[seat]
    cdef unsigned char[TYPES] nothing
    cdef int i
    if table.gain_used or seat == table.active or table.announcer >= 0 and not rules.final_turn_capture:
        return False
    if owner.owned < 2 or place >= owner.owned or owner.lost or owner.mask == place or owner.row[place].total >= FULL:
        return False
    for i in range(TYPES):
        nothing[i] = 0
    return reach(
        &table.player[table.active], nothing, limit(rules, owner.row[place].card)
    ) > owner.row[place].total


cdef bint can_disown(Rules rules, const Table* table, int place) noexcept nogil:
    # OMEGA-DISOWN-01 to OMEGA-DISOWN-04
    cdef const Player* player = &table.player[table.active]
    if not table.gain_used or table.disowned and not rules.disown_any or player.owned < 2:
        return False
    return place < player.owned and not player.row[place].gained


cdef bint can_mask(Rules rules, const Table* table, int place) noexcept nogil:
    # OMEGA-MASK-03 to OMEGA-MASK-06
    cdef const Player* player = &table.player[table.active]
    if place >= player.owned or player.mask == place or rules.card[player.row[place].card].renegade:
        return False
    return not (table.mask_moved if rules.mask_once else table.last_mask)


cdef bint bag_may_hold(Rules rules, const Table* table, int type) noexcept nogil:
    """Can the bag have a rune of a type, by public facts (OMEGA-POWER-05)?"""
    cdef int seat, unseen = table.bag[type]
    # A search in vain has shown that there is none; or all are seen.
    if not table.bag_size or table.absent[type]:
        return False
    for seat in range(rules.players):
        unseen += table.player[seat].pyramid[type] - table.player[seat].shown[type]
    return unseen > 0


cdef bint can_use(Rules rules, const Table* table, int place, int power) noexcept nogil:
    # OMEGA-POWER-02, OMEGA-POWER-05
    cdef const Player* player = &table.player[table.active]
    cdef const Effect* effect
    cdef int card, number, other
    if place >= player.owned:
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
            if effect.colour == NO_COLOUR:
                if table.altar_size or table.bag_size:
                    return True
            elif table.altar[effect.colour] or bag_may_hold(rules, table, effect.colour):
                return True
        elif effect.op == OP_CYCLE:
            for other in range(player.owned):
                if player.row[other].total if effect.colour == NO_COLOUR else player.row[other].load[effect.colour]:
                    return True
        elif table.deck or table.discard:
            return True
    return False


cdef bint key_fits(Rules rules, const Table* table, int card, int place) noexcept nogil:
    # OMEGA-KEY-03, OMEGA-KEY-04
    if not table.keys >> place & 1 or not table.looked >> card & 1 or rules.card[card].key:
        return False
    return not rules.card[card].primitive or colours(&table.player[table.active].row[place]) <= 1


cdef bint key_fits_any(Rules rules, const Table* table, int card) noexcept nogil:
    cdef int place
    for place in range(ROW):
        if key_fits(rules, table, card, place):
            return True
    return False


cdef int push_draw(const Table* table, Codes out) except -1:
    # OMEGA-DRAW-01, OMEGA-GREEN-01, OMEGA-HAND-01
    cdef int type
    for type in range(TYPES):
        if table.altar[type]:
            out.push(V_TAKE_ALTAR | type)
    if table.bag_size:
        out.push(V_TAKE_BAG)
    return 0


cdef int push_main(Rules rules, const Table* table, Codes out) except -1:
    cdef const Player* player = &table.player[table.active]
    cdef const Player* other
    cdef int slot, seat, place, type, power, any_colour = 0
    for type in range(BLACK):
        any_colour |= player.pyramid[type]
    if not table.gain_used:
        if any_colour:
            for slot in range(SLOTS):
                if table.gallery[slot] != NONE:
                    out.push(V_SUMMON | slot)
        for seat in range(rules.players):
            for place in range(table.player[seat].owned):
                if can_capture(rules, table, seat, place):
                    out.push(V_CAPTURE | seat | place << SECOND)
    for type in range(BLACK):
        if can_place(rules, player, type):
            out.push(V_PLACE | type)
    if player.pyramid[BLACK] and any_black_target(rules, table):
        out.push(V_BLACK)
    if not rules.consecutive and can_pair(rules, player):
        out.push(V_PAIR)
    for place in range(player.owned):
        if can_disown(rules, table, place):
            out.push(V_DISOWN | place)
    for place in range(player.owned):
        if can_mask(rules, table, place):
            out.push(V_MASK | place)
    for place in range(player.owned):
        for power in range(rules.card[player.row[place].card].powers):
            if can_use(rules, table, place, power):
                out.push(V_BOOK | place | power << SECOND)
    if player.owned < ROW:
        out.push(V_END)
    return 0


cdef bint any_black_target(Rules rules, const Table* table) noexcept nogil:
    cdef int seat, place
    for seat in range(rules.players):
        if seat != table.active:
            for place in range(table.player[seat].owned):
                if black_fits(rules, &table.player[seat].row[place]):
                    return True
    return False


cdef int push_frame(Rules rules, const Table* table, Codes out) except -1:
    """The options of the decision that the topmost frame asks for."""
    cdef const Frame* top = &table.stack[table.depth - 1]
    cdef const Player* player = &table.player[table.active]
    cdef const Egregor* egregor
    cdef int kind = top.kind, type, place, seat, card
    if kind == F_BATCH:
        for type in range(BLACK):
            if adds(player, table.batch, table.batch_size, limit_of(rules, table), need(table), type):
                out.push(V_ADD | type)
        if table.batch_size >= need(table):
            out.push(V_CONFIRM)
    elif kind == F_TARGET:
        for place in range(player.owned):
            if takes(rules, &player.row[place], top.a):
                out.push(V_TARGET | place)
    elif kind == F_PAIR_FIRST:
        for place in range(player.owned):
            if can_pair_first(rules, player, place):
                out.push(V_PAIR_FIRST | place)
    elif kind == F_PAIR_SECOND:
        for place in range(player.owned):
            if can_pair_second(rules, player, top.a, place):
                out.push(V_PAIR_SECOND | place)
    elif kind == F_BLACK_TARGET:
        for seat in range(rules.players):
            if seat != table.active:
                for place in range(table.player[seat].owned):
                    if black_fits(rules, &table.player[seat].row[place]):
                        out.push(V_BLACK_TARGET | seat | place << SECOND)
    elif kind == F_BLACK_TAKE:
        egregor = &table.player[top.a].row[top.b]
        for type in range(TYPES):
            if type != WHITE and egregor.load[type] and (type != BLACK or rules.nonwhite and egregor.old_blacks):
                out.push(V_BLACK_TAKE | type)
    elif kind == F_RED:
        out.push(V_PULL)
        out.push(V_DECLINE)
    elif kind == F_DRAW:
        if top.b == NO_COLOUR:
            push_draw(table, out)
        elif table.altar[top.b]:
            out.push(V_TAKE_ALTAR | top.b)
        else:
            out.push(V_SEARCH_BAG | top.b)
        if top.c and rules.up_to_power:
            out.push(V_STOP)
    elif kind == F_ARCANA:
        for place in range(STACKS):
            if table.top[place] != NONE:
                out.push(V_ARCANA | place)
    elif kind == F_RECOVER:
        egregor = &table.player[top.a].row[top.b]
        for type in range(TYPES):
            if type != WHITE and egregor.load[type]:
                out.push(V_RECOVER | type)
        if rules.up_to_recovery:
            out.push(V_STOP)
    elif kind == F_CYCLE:
        for place in range(player.owned):
            for type in range(TYPES):
                if player.row[place].load[type] and (top.b == NO_COLOUR or top.b == type):
                    out.push(V_CYCLE | place | type << SECOND)
        if rules.up_to_power:
            out.push(V_STOP)
    elif kind == F_KEY:
        for card in range(CARDS):
            if table.looked >> card & 1 and key_fits_any(rules, table, card):
                out.push(V_KEY_TAKE | card)
        out.push(V_KEY_NONE)
    elif kind == F_KEY_PLACE:
        for place in range(ROW):
            if key_fits(rules, table, top.a, place):
                out.push(V_KEY_PLACE | place)
    return 0

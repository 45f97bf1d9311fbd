"""Choosing cards: the options of a decision as codes, and the picks of an effect with a selector (OMENX-FX-02 to -08)."""

from libc.stdint cimport int32_t, uint8_t, uint64_t

from cext.state cimport Codes
from gamepacks.omen.engine.hidden cimport depends
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.ops cimport can_destroy, can_enrage, can_enter
from gamepacks.omen.engine.stack cimport ability_of, here, read_as
from gamepacks.omen.engine.stats cimport cost_in, forbidden, limit_on, stat_of, units_on, weight_of
from gamepacks.omen.engine.table cimport (
    bit, city_of, clear, Env, FR_COST, FR_EFFECT, Frame, has, in_city, in_hand, insert, is_prize, relic_in_city, remove, seat_of_side,
    Set, size_of, Table, TG_CARD, Token,
)
from gamepacks.omen.engine.values cimport amount, candidates, city_ref, seat_of
from gamepacks.omen.engine.vocabulary cimport *

# Bits of an argument in the codes of Units and cards.
cdef int CITY_SHIFT = 1
cdef int CARD_SHIFT = 4
cdef int PLACE_SHIFT = 12
cdef int NTH_SHIFT = 8
cdef int LARGEST_NTH = 15


# -- options ----------------------------------------------------------------------------------------------------------


cdef int push_option(Codes out, uint8_t* tokens, int code, int token) except -1:
    """An option, and the card that it means (NONE: none); not twice (identical copies are one option)."""
    cdef Py_ssize_t i
    for i in range(out.size):
        if out.code[i] == code:
            return 0
    if out.size >= MAX_CARDS:
        raise OverflowError("too many options")
    tokens[out.size] = token
    out.push(code)
    return 0


cdef inline int rank(int32_t code) noexcept nogil:
    # Units in Cities by seat, City, card; other cards by card; copies that can be told apart side by side.
    cdef int verb = code & ~0xFFFFFF, card
    if verb == V_UNIT or verb == V_PORTENT or verb == V_TRIUMPH:
        card = (code >> CARD_SHIFT & 0xFF) << 8 | code >> PLACE_SHIFT & LARGEST_NTH
        return (code & 1) << 19 | (code >> CITY_SHIFT & 7) << 16 | card
    return (code & 0xFF) << 8 | code >> NTH_SHIFT & LARGEST_NTH


cdef int sort_options(Codes out, uint8_t* tokens) except -1:
    """In canonical order, whatever the order of the cards (OMENX-ATOM-05)."""
    cdef Py_ssize_t i, j
    cdef int32_t code
    cdef uint8_t token
    for i in range(1, out.size):
        code, token, j = out.code[i], tokens[i], i
        while j > 0 and rank(out.code[j - 1]) > rank(code):
            out.code[j], tokens[j] = out.code[j - 1], tokens[j - 1]
            j -= 1
        out.code[j], tokens[j] = code, token
    return 0


cdef uint64_t key_of(Table t, int token) noexcept:
    # What tells apart two copies of a card, besides what is known of them.
    cdef Token* one = &t.d.token[token]
    cdef uint64_t key
    cdef int i
    key = one.zone
    key = key << 1 | one.enraged
    key = key << 1 | one.fresh
    key = key << 1 | one.used
    key = key << 1 | one.traited
    key = key << 1 | one.laid
    key = key << 2 | one.owner
    key = key << 8 | one.turn_uses
    key = key << 8 | one.game_uses
    for i in range(t.d.mods):
        if t.d.mod[i].target == TG_CARD and t.d.mod[i].who == token:
            key += (<uint64_t> (t.d.mod[i].what + 1) << 40) + (<uint64_t> (t.d.mod[i].value + 512) << 28)
    return key


cdef int lowest(Table t, const Set* cards) noexcept:
    """The first of a set in an order that does not depend on how cards are numbered; NONE of an empty set."""
    cdef int i, best = NONE
    for i in range(t.d.tokens):
        if has(cards, i) and (
            best == NONE or t.d.token[i].card < t.d.token[best].card
            or t.d.token[i].card == t.d.token[best].card and key_of(t, i) < key_of(t, best)
        ):
            best = i
    return best


cdef int nth_of(Table t, const Set* cards, int token) noexcept:
    # How many different copies of the card come before this one.
    cdef uint64_t mine = key_of(t, token), other, last
    cdef int i, j, nth = 0
    cdef bint seen
    for i in range(t.d.tokens):
        if i == token or not has(cards, i) or t.d.token[i].card != t.d.token[token].card:
            continue
        other = key_of(t, i)
        if other >= mine:
            continue
        seen = False
        for j in range(i):
            if has(cards, j) and t.d.token[j].card == t.d.token[token].card and key_of(t, j) == other:
                seen = True
        if not seen:
            nth += 1
    return nth if nth < LARGEST_NTH else LARGEST_NTH


cdef int push_places(Table t, int verb, const Set* cards, Codes out, uint8_t* tokens) except -1:
    """Units in Cities as options."""
    cdef int token, zone, other
    cdef Set side
    for token in range(t.d.tokens):
        if not has(cards, token):
            continue
        zone = t.d.token[token].zone
        clear(&side)
        other = t.d.head[zone]
        while other != NONE:
            insert(&side, other)
            other = t.d.token[other].next
        push_option(out, tokens, (
            verb | seat_of_side(zone) | city_of(zone) << CITY_SHIFT | t.d.token[token].card << CARD_SHIFT
            | nth_of(t, &side, token) << PLACE_SHIFT
        ), token)
    return 0


cdef int push_cards(Table t, int verb, const Set* cards, Codes out, uint8_t* tokens) except -1:
    """Cards of a hand, pile or list as options."""
    cdef int token
    for token in range(t.d.tokens):
        if has(cards, token):
            push_option(out, tokens, verb | t.d.token[token].card | nth_of(t, cards, token) << NTH_SHIFT, token)
    return 0


# -- picking ----------------------------------------------------------------------------------------------------------


cdef int selector_of(Table t, Frame* frame) noexcept nogil:
    """The selector by which an effect or cost picks."""
    cdef int32_t* e = &t.rules.code[frame.node]
    if frame.kind == FR_COST:
        return e[1]
    if e[0] == E_SWAP:
        return e[2] if frame.m else e[1]
    if e[0] == E_MOD or e[0] == E_FORBID:
        return e[3]
    if e[0] == E_REVEAL:
        return e[4]
    if e[0] == E_RELIC or e[0] == E_CLAIM or e[0] == E_FOR_EACH:
        return e[2]
    if e[0] == E_GRANT:
        return e[5]
    return e[1]


cdef bint picks_unit(Table t, int sel) noexcept nogil:
    """Is a Unit in a City picked (UNIT), not a card (CARD)?"""
    return t.rules.code[sel + S_ZONE] == Z_CITY and t.rules.code[sel + S_KIND] == K_UNIT


cdef void reads(Table t, Frame* frame, Env* env) noexcept:
    """Selectors as read by the ability; those of a cost by whoever pays it (``a`` is the seat + 1)."""
    here(t, env)
    if frame.kind == FR_COST and frame.a:
        read_as(env, frame.a - 1)


cdef int begin_pick(Table t, Frame* frame, int sel) noexcept:
    """Prepare a frame: who picks (seat), how many (n; -1: all), whether fewer will do (c)."""
    cdef int32_t* s = &t.rules.code[sel]
    cdef Env env
    cdef int side, pick = s[S_PICK]
    reads(t, frame, &env)
    clear(&frame.set)
    frame.n = amount(t, &env, s[S_N]) if s[S_N] else 1
    if frame.n < 0:
        frame.n = 0
    if s[S_COUNT] == N_ALL:
        frame.n = -1
    frame.c = s[S_COUNT] == N_UP_TO
    side = seat_of(t, &env, s[S_SIDE])
    if side >= 2:
        side = env.you
    frame.seat = env.you
    if pick == PICK_OPP:
        frame.seat = 1 - env.you
    elif pick == PICK_OWNER:
        frame.seat = side
    elif pick == PICK_DEFAULT and s[S_ZONE] == Z_HAND and discards(t, frame):
        # OMENX-FX-04
        frame.seat = side
    return 0


cdef bint discards(Table t, Frame* frame) noexcept nogil:
    return t.rules.code[frame.node] == (COST_DISCARD if frame.kind == FR_COST else E_DISCARD)


cdef void narrow(Table t, int pick, Set* out) noexcept:
    # Only the cards with the highest or lowest value are left.
    cdef int token, value, best = 0, stat = pick & 3
    cdef bint lowest = pick >= PICK_LOWEST, found = False
    for token in range(t.d.tokens):
        if has(out, token):
            value = stat_of(t, token, stat)
            if not found or (value < best if lowest else value > best):
                best, found = value, True
    for token in range(t.d.tokens):
        if has(out, token) and stat_of(t, token, stat) != best:
            remove(out, token)


cdef void pick_options(Table t, Frame* frame, int sel, Set* out) noexcept:
    """What can be picked next."""
    cdef Env env
    cdef int token, op = t.rules.code[frame.node]
    cdef bint reads_face
    reads(t, frame, &env)
    # Whoever picks by a face knows it; to put a card into a City or carry it out is to read it.
    env.reader = bit(frame.seat)
    reads_face = frame.kind == FR_EFFECT and (op == E_RUN or op == E_DEPLOY)
    candidates(t, &env, sel, reads_face or t.rules.code[sel + S_PICK] >= PICK_HIGHEST, out)
    for token in range(t.d.tokens):
        if has(out, token) and (has(&frame.set, token) or not allowed(t, frame, &env, token)):
            remove(out, token)
    if t.rules.code[sel + S_PICK] >= PICK_HIGHEST:
        narrow(t, t.rules.code[sel + S_PICK], out)


cdef bint unseen(Table t, int seat, const Set* cards) noexcept:
    # Does a seat not know one of these?
    cdef int token
    for token in range(t.d.tokens):
        if has(cards, token) and not t.d.token[token].known >> seat & 1:
            return True
    return False


cdef int go_on_picking(Table t, Frame* frame, int sel) except -1:
    """1 when the picks are complete (in ``set``), 0 after asking for the next."""
    cdef Set options
    cdef int token, size
    pick_options(t, frame, sel, &options)
    size = size_of(&options)
    if not size or frame.n == 0:
        return 1
    if frame.n < 0 or not frame.c and size <= frame.n and not depends(t, frame.node):
        for token in range(t.d.tokens):
            if has(&options, token):
                insert(&frame.set, token)
        return 1
    if t.rules.code[sel + S_PICK] == PICK_RANDOM or unseen(t, frame.seat, &options):
        # Who picks among cards that he cannot see picks at random (OMENX-CHANCE-06).
        t.d.ask, t.d.asked = ASK_C_HAND, -1
    else:
        t.d.ask, t.d.asked = ASK_UNIT if picks_unit(t, sel) else ASK_CARD, frame.seat
    return 0


# -- what can be picked at all ----------------------------------------------------------------------------------------


cdef bint city_fits(Table t, const Env* env, int ref, int city, int from_) noexcept:
    """Is a City one that an effect means? ``from_``: the City that a Unit is in, or NONE."""
    if ref == CR_ANY:
        return city != from_
    if ref == CR_OTHER:
        return city != (from_ if from_ != NONE else env.city)
    return city == city_ref(t, env, ref) and city != from_


cdef int deploy_cost(Table t, const Env* env, int effect, int token, int city) noexcept:
    cdef int32_t* e = &t.rules.code[effect]
    cdef int cost
    if e[4] == PAY_FREE:
        return 0
    cost = cost_in(t, token, city)
    if e[4] == PAY_LESS:
        cost -= amount(t, env, e[5])
    return cost if cost > 0 else 0


cdef bint put_fits(Table t, int token, int to) noexcept:
    """Can a card of this kind lie there at all (OMEN-REWARD-07)?"""
    cdef int kind = t.rules.card[t.d.token[token].card].kind
    if to == Z_DECK_TOP or to == Z_DECK_BOTTOM or to == Z_DISCARD:
        return kind == K_UNIT
    if to == Z_USED or to == Z_PRIZE:
        return is_prize(kind)
    return kind == K_UNIT or kind == K_WHIM or is_prize(kind)


cdef bint lies_there(Table t, int zone, int to, int seat) noexcept nogil:
    # Is a card where it would be put?
    if to == Z_DECK_TOP:
        return zone == PILE_TOP or zone == PILE_TOP_B
    if to == Z_DECK_BOTTOM:
        return zone == PILE_BOTTOM or zone == PILE_BOTTOM_B
    if to == Z_HAND:
        return zone == PILE_HAND + seat
    if to == Z_DISCARD:
        return zone == PILE_DISCARD or zone == PILE_DISCARD_B
    return zone == PILE_OUT or to == Z_USED and zone == PILE_USED + seat


cdef bint payable(Table t, const Env* env, int cost) noexcept:
    """Can a cost be paid in full (OMENX-FX-10)?"""
    cdef int32_t* c = &t.rules.code[cost]
    cdef Set cards
    cdef int token, seat, wanted
    if not cost:
        return True
    if c[0] == COST_COINS:
        return amount(t, env, c[1]) <= t.d.coins[env.you]
    candidates(t, env, c[1], False, &cards)
    for token in range(t.d.tokens):
        if has(&cards, token) and c[0] == COST_DESTROY and not can_destroy(t, token):
            remove(&cards, token)
        if has(&cards, token) and c[0] == COST_DISCARD and forbidden(t, W_DISCARD, NONE, token):
            remove(&cards, token)
    wanted = 1
    if t.rules.code[c[1] + S_COUNT] == N_EXACT and t.rules.code[c[1] + S_N]:
        wanted = amount(t, env, t.rules.code[c[1] + S_N])
    return size_of(&cards) >= wanted


cdef bint allowed(Table t, Frame* frame, const Env* env, int token) noexcept:
    # Has an effect a legal result for this card (OMENX-FX-08)?
    cdef int32_t* e = &t.rules.code[frame.node]
    cdef int op = e[0], zone = t.d.token[token].zone, city, seat, other
    if frame.kind == FR_COST:
        if op == COST_DESTROY:
            return can_destroy(t, token)
        return op != COST_DISCARD or not forbidden(t, W_DISCARD, NONE, token)
    if op == E_MOVE:
        if not in_city(zone) or forbidden(t, W_MOVE, NONE, token):
            return False
        for city in range(t.rules.cities):
            if city_fits(t, env, e[2], city, city_of(zone)):
                if can_enter(t, token, seat_of_side(zone), city, NONE):
                    return True
        return False
    if op == E_SEIZE or op == E_GIVE:
        if not in_city(zone) or forbidden(t, W_MOVE, NONE, token):
            return False
        seat = env.you if op == E_SEIZE else 1 - seat_of_side(zone)
        return seat != seat_of_side(zone) and can_enter(t, token, seat, city_of(zone), NONE)
    if op == E_SWAP:
        if not in_city(zone):
            return False
        if not frame.m:
            return True
        for other in range(t.d.tokens):
            if has(&frame.set, other):
                return other != token and t.d.token[other].zone != zone and swap_fits(t, other, token)
        return False
    if op == E_ENRAGE:
        return can_enrage(t, token)
    if op == E_UNRAGE:
        return t.d.token[token].enraged
    if op == E_DESTROY:
        return can_destroy(t, token)
    if op == E_DISCARD:
        return not forbidden(t, W_DISCARD, zone - PILE_HAND if in_hand(zone) else NONE, token)
    if op == E_DEPLOY:
        if t.rules.card[t.d.token[token].card].kind != K_UNIT or in_city(zone):
            return False
        seat = seat_of(t, env, e[3])
        if seat >= 2:
            return False
        for city in range(t.rules.cities):
            if city_fits(t, env, e[2], city, NONE) and can_enter(t, token, seat, city, NONE):
                if deploy_cost(t, env, frame.node, token, city) <= t.d.coins[env.you]:
                    return True
        return False
    if op == E_PUT:
        seat = seat_of(t, env, e[3])
        if e[2] == Z_PRIZE:
            # A City takes no more than it began with.
            city = city_ref(t, env, e[4])
            if city >= t.rules.cities or t.d.razed >> city & 1 or t.d.left[city] >= t.rules.prizes_per_city:
                return False
        return put_fits(t, token, e[2]) and not in_city(zone) and not lies_there(t, zone, e[2], seat)
    if op == E_RETURN:
        return in_city(zone)
    if op == E_READY_PRIZE:
        return is_prize(t.rules.card[t.d.token[token].card].kind)
    if op == E_RUN:
        return token != env.source and ability_of(t, t.d.token[token].card, e[2], 0) >= 0
    if op == E_CLAIM:
        return zone == PILE_FEATS_UP + env.you or zone == PILE_CHALLENGES
    if op == E_RELIC:
        return zone == PILE_RELICS if e[1] == 0 else relic_in_city(zone)
    return True


cdef bint swap_fits(Table t, int one, int other) noexcept:
    # Two Units may change places if both sides still keep their limits.
    cdef int zone1 = t.d.token[one].zone, zone2 = t.d.token[other].zone
    cdef int w1 = weight_of(t, one), w2 = weight_of(t, other)
    return (
        not t.d.razed >> city_of(zone1) & 1 and not t.d.razed >> city_of(zone2) & 1
        and units_on(t, city_of(zone1), seat_of_side(zone1)) - w1 + w2 <= limit(t, zone1)
        and units_on(t, city_of(zone2), seat_of_side(zone2)) - w2 + w1 <= limit(t, zone2)
    )


cdef inline int limit(Table t, int zone) noexcept:
    return limit_on(t, city_of(zone), seat_of_side(zone))


cdef bint same_copies(Table t, int one, int other) noexcept:
    """Can nobody tell two cards of a pile apart?"""
    return t.d.token[one].card == t.d.token[other].card and key_of(t, one) == key_of(t, other)

"""The beginning and the end of a turn, and of the game (sections 4.10, 4.13, 6.7)."""

from gamepacks.omen.engine.abilities cimport start_later
from gamepacks.omen.engine.beliefs cimport show
from gamepacks.omen.engine.lasting cimport end_mods
from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.score cimport endings
from gamepacks.omen.engine.stats cimport changed
from gamepacks.omen.engine.table cimport clear, EVERYONE, has, insert, NO_LIMIT, Set, side_of, size_of, Table, Token
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport emit, tell

# Stages of a turn, as in turn.pyx.
cdef enum:
    ENTERING = 0
    BODY = 2
    MORE = 3


cdef int begin_turn(Table t, int seat) except -1:
    """A new turn (OMEN-TURN-01)."""
    cdef int token
    cdef Token* one
    end_mods(t, FOR_YOUR_NEXT_TURN, seat)
    t.d.turn += 1
    t.d.active = seat
    t.d.phase, t.d.stage = PH_WEALTH, ENTERING
    t.d.draws = t.d.gains = t.d.lost = t.d.spoils = 0
    t.d.prizes_used = t.d.challenges_taken = t.d.relic_taken = t.d.offers = 0
    t.d.resolved = t.d.stuck = 0
    t.d.triggers = t.d.actions = 0
    t.d.caps = 0
    t.d.logged = t.d.step_logged = 0
    for token in range(t.d.tokens):
        one = &t.d.token[token]
        one.fresh = one.used = one.traited = one.laid = one.turn_uses = 0
    tell(t, EV_TURN_START, seat, seat, t.d.turn, BY_RULE)
    return 0


cdef int over_limit(Table t, Set* out) noexcept:
    # How many cards the hand has too many, and which of them may go (OMEN-EOT-01, -02, -04, OMENT-EOT-01, -03, -04).
    cdef int token = t.d.head[PILE_HAND + t.d.active], count = 0, kind
    clear(out)
    while token != NONE:
        kind = t.rules.card[t.d.token[token].card].kind
        if kind == K_UNIT or kind == K_REWARD:
            insert(out, token)
        count += kind != K_KRATER or t.rules.prizes_count
        token = t.d.token[token].next
    return count - changed(t, W_HAND_LIMIT, TG_SEAT, t.d.active, t.rules.hand_limit)


cdef int close(Table t) except -1:
    cdef Set cards
    cdef int limit, city, token
    cdef bint again
    if t.d.stage == BODY:
        if t.d.laters:
            return start_later(t)
        if over_limit(t, &cards) > 0 and size_of(&cards):
            t.d.ask, t.d.asked = ASK_LIMIT, t.d.active
            return 0
        # OMEN-EOT-05, OMENT-EOT-02
        limit = changed(t, W_COIN_LIMIT, TG_SEAT, t.d.active, t.rules.coin_limit)
        if limit < 0:
            limit = 0
        t.d.stage = MORE
        if t.d.coins[t.d.active] > limit:
            limit = t.d.coins[t.d.active] - limit
            t.d.coins[t.d.active] -= limit
            if t.d.supply != NO_LIMIT:
                t.d.supply += limit
            tell(t, EV_LOSE_COINS, t.d.active, t.d.active, limit, BY_LIMIT)
        for city in range(t.rules.cities):
            # OMEN-ENRAGE-05, -06
            token = t.d.head[side_of(city, t.d.active)]
            while token != NONE:
                if t.d.token[token].enraged:
                    t.d.token[token].enraged = 0
                    emit(t, EV_UNRAGE, t.d.active, t.d.active, token, city, NONE, NONE, 0, BY_RULE, EVERYONE)
                token = t.d.token[token].next
        return 0
    # OMENX-FX-27
    again = changed(t, W_EXTRA_TURN, TG_SEAT, t.d.active, 0) > 0
    end_mods(t, FOR_WAR, NONE)
    end_mods(t, FOR_STEP, NONE)
    end_mods(t, FOR_TURN, t.d.active)
    tell(t, EV_TURN_END, t.d.active, t.d.active, t.d.turn, BY_RULE)
    t.d.ending = endings(t)
    if t.d.ending:
        return finish(t)
    if t.rules.omega and t.d.size[PILE_FEATS_DOWN + t.d.active] + t.d.size[PILE_FEATS_ROTATED + t.d.active] >= 5:
        tell(t, EV_FINAL_TURN, t.d.active, t.d.active, 0, BY_RULE)
    return begin_turn(t, t.d.active if again else 1 - t.d.active)


cdef int finish(Table t) except -1:
    """The end: both hands are shown (OMEN-SCORE-06)."""
    cdef int seat, token
    t.d.phase, t.d.stage = PH_OVER, 0
    for seat in range(2):
        token = t.d.head[PILE_HAND + seat]
        while token != NONE:
            show(t, token, EVERYONE)
            token = t.d.token[token].next
    if t.d.ending & 8:
        tell(t, EV_TURN_CAP, NONE, NONE, t.d.turn, BY_RULE)
    tell(t, EV_GAME_OVER, NONE, NONE, t.d.ending, BY_RULE)
    return 0


cdef void units_in_hand(Table t, bint sheddable, Set* out) noexcept:
    cdef int token = t.d.head[PILE_HAND + t.d.active]
    clear(out)
    if sheddable:
        over_limit(t, out)
        return
    while token != NONE:
        if t.rules.card[t.d.token[token].card].kind == K_UNIT:
            insert(out, token)
        token = t.d.token[token].next

"""The course of the game by itself: set-up, the four phases of a turn, endings, final turns (sections 2, 3, 10)."""

from gamepacks.omega.engine.gaining cimport recovered
from gamepacks.omega.engine.outcomes cimport all_dealt, begin_main
from gamepacks.omega.engine.moves cimport bag_may_hold
from gamepacks.omega.engine.pieces cimport note, push, top
from gamepacks.omega.engine.powers cimport draw_colour, end_key, fire
from gamepacks.omega.engine.table cimport (
    BLACK, E_ARCANIC, E_EXHAUSTION, E_MAX_TURNS, E_RUNIC, F_ARCANA, F_BAG_DRAW, F_BOOK, F_CYCLE, F_DRAW, F_FLIP, F_KEY,
    F_LIGHTNING, F_LOOK, F_RECOVER, F_RED, FULL, FULL_ALTAR, Frame, H_ANNOUNCED, H_OVER, H_PHASE, H_RESHUFFLED,
    H_STACK_EMPTY, H_TURN, NONE, NO_COLOUR, PER_TURN, P_DEAL, P_DRAW, P_END, P_OVER, P_SETUP_ALTAR, P_SETUP_ARCANA, P_SETUP_GALLERY, P_START_PLAYER, P_UPKEEP_ALTAR, P_UPKEEP_GALLERY,
    Player, RED, Rules, SLOTS, STACKS, Table,
)


cdef void settle(Rules rules, Table* t) noexcept nogil:
    """Go on until somebody, or chance, has something to choose, or the game is over."""
    while True:
        if t.depth:
            if frame_waits(rules, t):
                return
        elif phase_waits(rules, t):
            return


# -- what is pending ---------------------------------------


cdef bint frame_waits(Rules rules, Table* t) noexcept nogil:
    """Does the topmost frame wait for a choice? Else it has been resolved."""
    cdef int kind = top(t).kind
    if kind == F_RED:
        if red_waits(rules, t):
            return True
    elif kind == F_DRAW:
        if draw_waits(rules, t):
            return True
        if top(t).a:
            return False
    elif kind == F_ARCANA:
        if arcana_wait(rules, t):
            return True
    elif kind == F_FLIP:
        if t.hidden[top(t).a]:
            return True
        note(t, H_STACK_EMPTY, top(t).a, 0, 0)
    elif kind == F_BAG_DRAW:
        if t.bag_size:
            return True
    elif kind == F_RECOVER:
        if top(t).c and t.player[top(t).a].row[top(t).b].total:
            return True
        recovered(rules, t)
        return False
    elif kind == F_CYCLE:
        if cycle_waits(t):
            return True
    elif kind == F_LOOK:
        if look_waits(t):
            return True
        t.depth -= 1
        push(t, F_KEY, 0, 0, 0)
        return False
    elif kind == F_KEY:
        if t.keys:
            return True
        end_key(rules, t)
        return False
    elif kind == F_LIGHTNING or kind == F_BOOK:
        if fire(rules, t):
            return False
    else:
        return True
    t.depth -= 1
    return False


cdef bint red_waits(Rules rules, Table* t) noexcept nogil:
    # OMEGA-RED-04, OMEGA-RED-05
    cdef Frame* frame = top(t)
    if rules.red_limit == PER_TURN and t.red_used:
        return False
    return frame.b and t.altar[RED] and t.player[t.active].row[frame.a].total < FULL


cdef bint draw_waits(Rules rules, Table* t) noexcept nogil:
    cdef Frame* frame = top(t)
    if not frame.a:
        return False
    if frame.b == NO_COLOUR:
        # OMEGA-GREEN-05
        if t.altar_size or t.bag_size:
            return True
        frame.a = 0
    elif rules.up_to_power and frame.c:
        if t.altar[frame.b] or bag_may_hold(rules, t, frame.b):
            return True
        frame.a = 0
    else:
        # OMEGA-HAND-02: nothing to choose.
        frame.a -= 1
        if not draw_colour(t, frame.b):
            frame.a = 0
    return False


cdef bint arcana_wait(Rules rules, Table* t) noexcept nogil:
    # OMEGA-ARCANA-03; OMEGA-ARCANA-05
    cdef int stack
    if not top(t).a or rules.arcana_cap and t.player[t.active].held >= rules.arcanic:
        return False
    for stack in range(STACKS):
        if t.top[stack] != NONE:
            return True
    return False


cdef bint cycle_waits(Table* t) noexcept nogil:
    # OMEGA-CYCLE-01, OMEGA-CYCLE-03
    cdef Frame* frame = top(t)
    cdef Player* player = &t.player[t.active]
    cdef int place
    if frame.a:
        for place in range(player.owned):
            if player.row[place].total if frame.b == NO_COLOUR else player.row[place].load[frame.b]:
                return True
    return False


cdef bint look_waits(Table* t) noexcept nogil:
    if top(t).a and not t.deck and t.discard:
        # OMEGA-KEY-11
        t.certain = t.looked
        t.deck, t.discard = t.discard, 0
        note(t, H_RESHUFFLED, 0, 0, 0)
    return top(t).a and t.deck


# -- the phases ---------------------------------------


cdef bint phase_waits(Rules rules, Table* t) noexcept nogil:
    """Does the phase wait for somebody or chance? Else it has gone on."""
    cdef int phase = t.phase, i
    if phase == P_SETUP_ALTAR or phase == P_UPKEEP_ALTAR:
        # OMEGA-UPKEEP-05
        if t.altar_size < FULL_ALTAR and t.bag_size:
            return True
        t.phase = P_SETUP_GALLERY if phase == P_SETUP_ALTAR else P_UPKEEP_GALLERY
    elif phase == P_SETUP_GALLERY or phase == P_UPKEEP_GALLERY:
        for i in range(SLOTS):
            if t.gallery[i] == NONE:
                if not t.deck and t.discard:
                    # OMEGA-UPKEEP-04
                    t.deck, t.discard = t.discard, 0
                    note(t, H_RESHUFFLED, 0, 0, 0)
                if t.deck:
                    return True
        t.phase = P_SETUP_ARCANA if phase == P_SETUP_GALLERY else P_DRAW
        if t.phase == P_DRAW:
            note(t, H_PHASE, P_DRAW, 0, 0)
    elif phase == P_SETUP_ARCANA:
        for i in range(STACKS):
            if t.top[i] == NONE:
                return True
        t.phase = P_START_PLAYER
    elif phase == P_START_PLAYER:
        if t.start < 0:
            return True
        t.phase = P_DEAL
    elif phase == P_DEAL:
        if not all_dealt(rules, t):
            return True
        begin_turn(rules, t)
    elif phase == P_DRAW:
        # OMEGA-DRAW-03
        if t.altar_size or t.bag_size:
            return True
        begin_main(t)
    elif phase == P_END:
        end_turn(rules, t)
    else:
        return True
    return False


cdef void begin_turn(Rules rules, Table* t) noexcept nogil:
    # OMEGA-TURN-03
    cdef int seat, place
    t.turn += 1
    t.gain_used = t.disowned = t.last_mask = t.mask_moved = t.red_used = t.green_pending = 0
    t.latch = t.bag_size == 0
    t.player[t.active].lost = 0
    for seat in range(rules.players):
        for place in range(t.player[seat].owned):
            t.player[seat].row[place].gained = t.player[seat].row[place].used = 0
            t.player[seat].row[place].old_blacks = t.player[seat].row[place].load[BLACK]
    t.phase = P_UPKEEP_ALTAR
    note(t, H_TURN, t.active, t.turn, t.announcer >= 0)


cdef void end_turn(Rules rules, Table* t) noexcept nogil:
    if t.announcer < 0:
        # OMEGA-END-06, OMEGA-END-07
        t.ending = endings(rules, t)
        if t.ending:
            t.announcer = t.active
            note(t, H_ANNOUNCED, t.active, t.ending, 0)
            t.final_left = rules.players - 1
    else:
        # OMEGA-FINAL-01
        t.final_left -= 1
    if t.announcer >= 0 and t.final_left == 0:
        # OMEGA-FINAL-05
        t.phase = P_OVER
        note(t, H_OVER, 0, 0, 0)
    elif rules.max_turns and t.turn >= rules.max_turns:
        t.ending |= E_MAX_TURNS
        t.phase = P_OVER
        note(t, H_OVER, 0, 0, 0)
    else:
        t.active = (t.active + 1) % rules.players
        begin_turn(rules, t)


cdef int endings(Rules rules, const Table* t) noexcept nogil:
    # OMEGA-END-01, OMEGA-END-03, OMEGA-END-04
    cdef const Player* player = &t.player[t.active]
    cdef int place, full = 0, found = 0
    for place in range(player.owned):
        full += player.row[place].total == FULL
    if player.held >= rules.arcanic:
        found |= E_ARCANIC
    if full == SLOTS:
        found |= E_RUNIC
    if t.latch and not rules.end_of_turn or t.bag_size == 0 and rules.end_of_turn:
        found |= E_EXHAUSTION
    return found

"""What each decision does: the draw, the menu of the Main phase, and whatever it asks for then (section 15.3)."""

from libc.stdint cimport int32_t

from gamepacks.omega.engine.disc cimport advance, take_token
from gamepacks.omega.engine.gaining cimport confirm, declare, lose, recover
from gamepacks.omega.engine.pieces cimport from_altar, into_pyramid, note, push, top
from gamepacks.omega.engine.placing cimport draw, place_pair, place_rune, pull_red, swap_black
from gamepacks.omega.engine.powers cimport cycle, draw_colour, replace, take_key, use_book
from gamepacks.omega.engine.outcomes cimport begin_main
from gamepacks.omega.engine.table cimport (
    BLACK, CAUSE_END, F_BAG_DRAW, F_BLACK_TAKE, F_BLACK_TARGET, F_PAIR_FIRST, F_PAIR_SECOND, F_RECOVER, F_TARGET,
    Frame, H_KEPT, H_MASK, H_PHASE, NONE, P_END, Player, Rules, SECOND, Table, V_ADD, V_ARCANA, V_BLACK, V_BLACK_TAKE, V_BLACK_TARGET,
    V_CAPTURE, V_CONFIRM, V_CYCLE, V_DECLINE, V_DISOWN, V_END, V_KEY_NONE, V_KEY_PLACE, V_KEY_TAKE, V_MASK, V_PAIR,
    V_PAIR_FIRST, V_PAIR_SECOND, V_PLACE, V_PULL, V_RECOVER, V_SEARCH_BAG, V_STOP, V_SUMMON, V_TAKE_ALTAR,
    V_TAKE_BAG, V_TARGET,
)


cdef void draw_step(Table* t, int32_t code) noexcept nogil:
    # OMEGA-DRAW-01; the phase is over when the rune is in the pyramid.
    if code & ~0xFFFFFF == V_TAKE_BAG:
        push(t, F_BAG_DRAW, 0, 0, 0)
    else:
        from_altar(t, code & 0xFF)
        into_pyramid(t, t.active, code & 0xFF)
        begin_main(t)


cdef void main_step(Rules rules, Table* t, int32_t code) noexcept nogil:
    """An action of the Main phase; some only announce what is chosen next."""
    cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, second = code >> SECOND & 0xFF
    cdef Player* player = &t.player[t.active]
    t.last_mask = verb == V_MASK
    if verb != V_PLACE:
        # Which rune is placed shows when it lies: until then a waiting green waits, whatever was announced.
        t.green_pending = 0
    if verb == V_END:
        end_main(rules, t)
    elif verb == V_SUMMON:
        declare(t, NONE, first)
    elif verb == V_CAPTURE:
        declare(t, first, second)
    elif verb == V_PLACE:
        push(t, F_TARGET, first, 0, 0)
    elif verb == V_BLACK:
        # Announced in the open: everyone knows now that a black is there.
        if not player.shown[BLACK]:
            player.shown[BLACK] = 1
        push(t, F_BLACK_TARGET, 0, 0, 0)
    elif verb == V_PAIR:
        push(t, F_PAIR_FIRST, 0, 0, 0)
    elif verb == V_DISOWN:
        t.disowned += 1
        lose(rules, t, t.active, first)
    elif verb == V_MASK:
        # OMEGA-MASK-03
        t.mask_moved = 1
        player.mask = first
        note(t, H_MASK, t.active, first, 0)
    else:
        use_book(rules, t, first, second)


cdef void end_main(Rules rules, Table* t) noexcept nogil:
    # OMEGA-ENDPH-01
    cdef Player* player = &t.player[t.active]
    cdef int place, thrust = 0
    t.phase = P_END
    note(t, H_PHASE, P_END, 0, 0)
    for place in range(player.owned):
        thrust += rules.card[player.row[place].card].thrust
    advance(rules, t, thrust, CAUSE_END)


cdef void frame_step(Rules rules, Table* t, int32_t code) noexcept nogil:
    """The answer to what the topmost frame asks."""
    cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, second = code >> SECOND & 0xFF
    cdef Frame frame = top(t)[0]
    if verb == V_ADD:
        t.batch[first] += 1
        t.batch_size += 1
    elif verb == V_CONFIRM:
        t.depth -= 1
        confirm(rules, t)
    elif verb == V_TARGET:
        t.depth -= 1
        place_rune(rules, t, first, frame.a)
    elif verb == V_PAIR_FIRST:
        t.depth -= 1
        push(t, F_PAIR_SECOND, first, 0, 0)
    elif verb == V_PAIR_SECOND:
        t.depth -= 1
        place_pair(t, frame.a, first)
    elif verb == V_BLACK_TARGET:
        t.depth -= 1
        push(t, F_BLACK_TAKE, first, second, 0)
    elif verb == V_BLACK_TAKE:
        t.depth -= 1
        swap_black(t, frame.a, frame.b, first)
    elif verb == V_PULL:
        pull_red(t)
    elif verb == V_DECLINE:
        # Declining uses the offer up (A05).
        t.red_used = 1
        top(t).b -= 1
    elif verb == V_TAKE_ALTAR:
        draw(t, first)
    elif verb == V_TAKE_BAG:
        draw(t, NONE)
    elif verb == V_SEARCH_BAG:
        top(t).a -= 1
        draw_colour(t, first)
    elif verb == V_ARCANA:
        take_token(t, first)
    elif verb == V_RECOVER:
        recover(t, first)
    elif verb == V_CYCLE:
        cycle(t, first, second)
    elif verb == V_STOP:
        if frame.kind == F_RECOVER:
            top(t).c = 0
        else:
            top(t).a = 0
    elif verb == V_KEY_NONE:
        t.keys = 0
        note(t, H_KEPT, t.active, 0, 0)
    elif verb == V_KEY_TAKE:
        take_key(rules, t, first)
    elif verb == V_KEY_PLACE:
        t.depth -= 1
        replace(rules, t, first, frame.a)

# The game between decisions: set-up, phases, pending frames, endings (sections 2, 3 and 10 of RULES.md).

cdef void run_to_next_node(OmegaRules rules, StateData* s) noexcept nogil:
    """Run the game to its next decision, chance node or end."""
    while True:
        if s.depth:
            if frame_waits(rules, s):
                return
        elif phase_waits(rules, s):
            return


# -- pending frames ---------------------------------------


cdef bint frame_waits(OmegaRules rules, StateData* s) noexcept nogil:
    """Whether the topmost frame waits for a decision or an outcome; if not, it is resolved."""
    cdef int kind = top_frame(s).kind
    if kind == FRAME_KIND_RED:
        if red_waits(rules, s):
            return True
    elif kind == FRAME_KIND_DRAW:
        if draw_waits(rules, s):
            return True
        if top_frame(s).a:
            return False
    elif kind == FRAME_KIND_ARCANA:
        if arcana_wait(rules, s):
            return True
    elif kind == FRAME_KIND_FLIP:
        if s.hidden[top_frame(s).a]:
            return True
        add_trace(s, TRACE_STACK_EMPTY, top_frame(s).a, 0, 0)
    elif kind == FRAME_KIND_BAG_DRAW:
        if s.bag_size:
            return True
    elif kind == FRAME_KIND_RECOVER:
        if top_frame(s).c and s.player[top_frame(s).a].row[top_frame(s).b].total:
            return True
        finish_recovery(rules, s)
        return False
    elif kind == FRAME_KIND_CYCLE:
        if cycle_waits(s):
            return True
    elif kind == FRAME_KIND_LOOK:
        if look_waits(s):
            return True
        s.depth -= 1
        push_frame(s, FRAME_KIND_KEY, 0, 0, 0)
        return False
    elif kind == FRAME_KIND_KEY:
        if s.keys:
            return True
        end_key(rules, s)
        return False
    elif kind == FRAME_KIND_LIGHTNING or kind == FRAME_KIND_BOOK:
        if run_power(rules, s):
            return False
    else:
        return True
    s.depth -= 1
    return False


cdef bint red_waits(OmegaRules rules, StateData* s) noexcept nogil:
    # OMEGA-RED-04, OMEGA-RED-05
    cdef Frame* frame = top_frame(s)
    if rules.red_limit == RED_LIMIT_PER_TURN and s.red_used:
        return False
    return frame.b and s.altar[RED] and s.player[s.active].row[frame.a].total < MAX_LOAD


cdef bint draw_waits(OmegaRules rules, StateData* s) noexcept nogil:
    cdef Frame* frame = top_frame(s)
    if not frame.a:
        return False
    if frame.b == ANY_TYPE:
        # OMEGA-GREEN-05
        if s.altar_size or s.bag_size:
            return True
        frame.a = 0
    elif rules.up_to_power and frame.c:
        if s.altar[frame.b] or bag_may_hold(rules, s, frame.b):
            return True
        frame.a = 0
    else:
        # OMEGA-HAND-02: there is no choice.
        frame.a -= 1
        if not draw_colour(s, frame.b):
            frame.a = 0
    return False


cdef bint arcana_wait(OmegaRules rules, StateData* s) noexcept nogil:
    # OMEGA-ARCANA-03; OMEGA-ARCANA-05
    cdef int stack
    if not top_frame(s).a or rules.arcana_cap and s.player[s.active].token_count >= rules.arcanic:
        return False
    for stack in range(STACKS):
        if s.top[stack] != NONE:
            return True
    return False


cdef bint cycle_waits(StateData* s) noexcept nogil:
    # OMEGA-CYCLE-01, OMEGA-CYCLE-03
    cdef Frame* frame = top_frame(s)
    cdef Player* player = &s.player[s.active]
    cdef int place
    if frame.a:
        for place in range(player.row_size):
            if player.row[place].total if frame.b == ANY_TYPE else player.row[place].load[frame.b]:
                return True
    return False


cdef bint look_waits(StateData* s) noexcept nogil:
    if top_frame(s).a and not s.deck and s.discard:
        # OMEGA-KEY-11
        s.certain = s.looked
        s.deck, s.discard = s.discard, 0
        add_trace(s, TRACE_RESHUFFLED, 0, 0, 0)
    return top_frame(s).a and s.deck


# -- the phases ---------------------------------------


cdef bint phase_waits(OmegaRules rules, StateData* s) noexcept nogil:
    """Whether the phase waits for a decision or an outcome; if not, the next one begins."""
    cdef int phase = s.phase, i
    if phase == PHASE_SETUP_ALTAR or phase == PHASE_UPKEEP_ALTAR:
        # OMEGA-UPKEEP-05
        if s.altar_size < ALTAR_SIZE and s.bag_size:
            return True
        s.phase = PHASE_SETUP_GALLERY if phase == PHASE_SETUP_ALTAR else PHASE_UPKEEP_GALLERY
    elif phase == PHASE_SETUP_GALLERY or phase == PHASE_UPKEEP_GALLERY:
        for i in range(GALLERY_SLOTS):
            if s.gallery[i] == NONE:
                if not s.deck and s.discard:
                    # OMEGA-UPKEEP-04
                    s.deck, s.discard = s.discard, 0
                    add_trace(s, TRACE_RESHUFFLED, 0, 0, 0)
                if s.deck:
                    return True
        s.phase = PHASE_SETUP_ARCANA if phase == PHASE_SETUP_GALLERY else PHASE_DRAW
        if s.phase == PHASE_DRAW:
            add_trace(s, TRACE_PHASE, PHASE_DRAW, 0, 0)
    elif phase == PHASE_SETUP_ARCANA:
        for i in range(STACKS):
            if s.top[i] == NONE:
                return True
        s.phase = PHASE_START_PLAYER
    elif phase == PHASE_START_PLAYER:
        if s.start < 0:
            return True
        s.phase = PHASE_DEAL
    elif phase == PHASE_DEAL:
        if not all_dealt(rules, s):
            return True
        begin_turn(rules, s)
    elif phase == PHASE_DRAW:
        # OMEGA-DRAW-03
        if s.altar_size or s.bag_size:
            return True
        begin_main(s)
    elif phase == PHASE_END:
        end_turn(rules, s)
    else:
        return True
    return False


cdef void begin_turn(OmegaRules rules, StateData* s) noexcept nogil:
    # OMEGA-TURN-03
    cdef int seat, place
    s.turn += 1
    s.gain_used = s.disowned = s.last_mask = s.mask_moved = s.red_used = s.green_pending = 0
    s.bag_was_empty = s.bag_size == 0
    s.player[s.active].lost = 0
    for seat in range(rules.players):
        for place in range(s.player[seat].row_size):
            s.player[seat].row[place].gained = s.player[seat].row[place].used = 0
            s.player[seat].row[place].old_blacks = s.player[seat].row[place].load[BLACK]
    s.phase = PHASE_UPKEEP_ALTAR
    add_trace(s, TRACE_TURN, s.active, s.turn, s.announcer >= 0)


cdef void end_turn(OmegaRules rules, StateData* s) noexcept nogil:
    if s.announcer < 0:
        # OMEGA-END-06, OMEGA-END-07
        s.ending = endings(rules, s)
        if s.ending:
            s.announcer = s.active
            add_trace(s, TRACE_ANNOUNCED, s.active, s.ending, 0)
            s.final_turns_left = rules.players - 1
    else:
        # OMEGA-FINAL-01
        s.final_turns_left -= 1
    if s.announcer >= 0 and s.final_turns_left == 0:
        # OMEGA-FINAL-05
        s.phase = PHASE_OVER
        add_trace(s, TRACE_OVER, 0, 0, 0)
    elif rules.max_turns and s.turn >= rules.max_turns:
        s.ending |= ENDING_MAX_TURNS
        s.phase = PHASE_OVER
        add_trace(s, TRACE_OVER, 0, 0, 0)
    else:
        s.active = (s.active + 1) % rules.players
        begin_turn(rules, s)


cdef int endings(OmegaRules rules, const StateData* s) noexcept nogil:
    # OMEGA-END-01, OMEGA-END-03, OMEGA-END-04
    cdef const Player* player = &s.player[s.active]
    cdef int place, full = 0, found = 0
    for place in range(player.row_size):
        full += player.row[place].total == MAX_LOAD
    if player.token_count >= rules.arcanic:
        found |= ENDING_ARCANIC
    if full == GALLERY_SLOTS:
        found |= ENDING_RUNIC
    if s.bag_was_empty and not rules.end_of_turn or s.bag_size == 0 and rules.end_of_turn:
        found |= ENDING_EXHAUSTION
    return found

# The state's base class: the stack of frames, events, effects that last, and questions to a player or to chance.
#
# Everything is in one struct of whole numbers, so that a clone is a copy of memory. A *frame* is a process that is under way;
# the top one decides what comes next. The function of its kind runs it, with -1 or with the code of the decision that it
# waited for: see turn_flow.pxi.



cdef class StateBase(State):
    """Base class of :class:`OlomocState`, with its data."""

    cdef OlomocRules rules
    cdef Board board
    # Cache of places, valid for this position only; shared with clones.
    cdef PlaceCache place_cache
    # Cache of the legal places of the next piece of scenery; the tag of each piece, -1 for none.
    cdef list scenery_list, piece_tags
    cdef StateData d
    # Overflow of StateData: frames in blocks of INLINE_FRAMES, which never move, effects that last, and raised events.
    cdef Frame** blocks
    cdef Lasting* overflow_lasting
    cdef Raised* overflow_raised
    cdef int block_count, lasting_room, raised_room
    # The events of a step, for those who asked for a trace; None otherwise.
    cdef public list trace
    # Cache of the last trace that was asked for: (code, seat, events). A step clears it.
    cdef tuple kept_trace


    def __dealloc__(self):
        cdef int i
        for i in range(self.block_count):
            free(self.blocks[i])
        free(self.blocks)
        free(self.overflow_lasting)
        free(self.overflow_raised)


cdef Frame* push_frame(StateBase s, int kind) except NULL:
    """Push a new frame, all zero."""
    cdef Frame* frame
    make_room(s, s.d.depth)
    frame = frame_at(s, s.d.depth)
    s.d.depth += 1
    memset(frame, 0, sizeof(Frame))
    frame.kind = kind
    return frame


cdef int make_room(StateBase s, int height) except -1:
    """Allocate a further block if a frame at a height needs it. Frames stay at their addresses."""
    cdef Frame** blocks
    while height // INLINE_FRAMES > s.block_count:
        blocks = <Frame**> realloc(s.blocks, (s.block_count + 1) * sizeof(Frame*))
        if blocks == NULL:
            raise MemoryError
        s.blocks = blocks
        blocks[s.block_count] = <Frame*> malloc(INLINE_FRAMES * sizeof(Frame))
        if blocks[s.block_count] == NULL:
            raise MemoryError
        s.block_count += 1
    return 0


cdef int pop_frame(StateBase s, int result) except -1:
    """Pop the top frame and give a result to the one below."""
    s.d.depth -= 1
    s.d.result = result
    return 0


cdef int ask(StateBase s, int what, int player) except -1:
    """Wait for a decision of a player, or for chance (player -1); returns 1, which stops the main loop."""
    s.d.decision, s.d.deciding_player = what, player
    return 1


cdef int raise_event(StateBase s, int trigger, int one, int two) except -1:
    """Raise an event to which capacities may answer. ``one`` and ``two`` are the names bound (section 6.7)."""
    cdef Raised* raised
    if not s.d.triggers >> trigger & 1 or s.d.starting:
        return 0
    if s.d.raised_count >= INLINE_RAISED + s.raised_room:
        raised = <Raised*> realloc(s.overflow_raised, (s.raised_room + INLINE_RAISED) * sizeof(Raised))
        if raised == NULL:
            raise MemoryError
        s.overflow_raised = raised
        s.raised_room += INLINE_RAISED
    raised = raised_at(s, s.d.raised_count)
    s.d.raised_count += 1
    raised.trigger, raised.one, raised.two = trigger, one, two
    return 0


cdef int add_specific(StateBase s, Specific* specific, int slot, int capacity) except -1:
    cdef object card = s.rules.capacities[capacity]
    if specific.count == MAX_SPECIFIC:
        raise OverflowError(f"more than {MAX_SPECIFIC} specific capacities")
    specific.slot[specific.count] = slot
    specific.capacity[specific.count] = capacity
    specific.count += 1
    specific.continuous |= <uint64_t> s.rules.continuous[capacity]
    if not card.active and card.trigger != Trigger.CONTINUOUS:
        specific.triggers |= <uint64_t> 1 << <int> card.trigger
    return 0


cdef int refresh_specific(StateBase s) except -1:
    """Gather the specific capacities of all figures from their cards, gear and the agenda.

    Figures that are out of action keep theirs: a capacity that answers to the loss of its bearer may still wait.
    """
    cdef Figure* figure
    cdef Card* card
    cdef Specific* specific
    cdef int i, k
    cdef object agenda = s.rules.ruleset.agendas[s.d.agenda] if s.d.agenda >= 0 else None
    s.d.continuous = s.d.triggers = 0
    memset(&s.d.agenda_rules, 0, sizeof(Specific))
    if agenda is not None:
        for k, capacity in enumerate(agenda.rules):
            add_specific(s, &s.d.agenda_rules, k, capacity)
    s.d.continuous, s.d.triggers = s.d.agenda_rules.continuous, s.d.agenda_rules.triggers
    for i in range(FIGURES):
        figure, specific = &s.d.figure[i], &s.d.specific[i]
        memset(specific, 0, sizeof(Specific))
        if figure.where == ABSENT:
            continue
        card = &s.rules.card[figure.card]
        for k in range(card.capacities):
            add_specific(s, specific, PROFILE_CAPACITY + k, card.capacity[k])
        if figure.gear >= 0:
            for k, capacity in enumerate(s.rules.ruleset.gear[figure.gear].capacities):
                add_specific(s, specific, GEAR_CAPACITY + k, capacity)
        if agenda is not None and figure.player != HOSTILE:
            for k, capacity in enumerate(agenda.capacities):
                add_specific(s, specific, AGENDA_CAPACITY + k, capacity)
        s.d.continuous |= specific.continuous
        s.d.triggers |= specific.triggers
    return 0


cdef int set_layout(StateBase s) except -1:
    """Set the board to that of the layout, or to the scenery placed so far."""
    if s.d.layout >= 0:
        s.board = <Board> s.rules.boards[s.d.layout]
        s.piece_tags = [piece.tag for piece in s.rules.ruleset.layouts[s.d.layout].pieces]
        return 0
    pool = s.rules.ruleset.pool
    s.piece_tags = [pool[i].tag for i in range(s.d.laid) if s.d.pieces[i].rotation >= 0]
    s.board = Board([
        laid_piece(pool[i], s.d.pieces[i].rotation, s.d.pieces[i].x, s.d.pieces[i].y)
        for i in range(s.d.laid) if s.d.pieces[i].rotation >= 0
    ])
    return 0


def laid_piece(loose, int rotation, int x, int y):
    """Place a loose piece of scenery. Raises ShapeError if it leaves the board."""
    if loose.radius:
        return SceneryPiece.disc(x, y, loose.radius, obstructing=loose.obstructing, zone=loose.zone)
    return SceneryPiece.polygon(turned(loose.corners, rotation, x, y), obstructing=loose.obstructing, zone=loose.zone)


cdef Lasting* new_lasting(StateBase s) except NULL:
    """Append an entry for an effect that lasts."""
    cdef Lasting* room
    if s.d.lasting_count >= INLINE_LASTING + s.lasting_room:
        room = <Lasting*> realloc(s.overflow_lasting, (s.lasting_room + INLINE_LASTING) * sizeof(Lasting))
        if room == NULL:
            raise MemoryError
        s.overflow_lasting = room
        s.lasting_room += INLINE_LASTING
    s.d.lasting_count += 1
    return lasting_at(s, s.d.lasting_count - 1)


cdef int end_effects(StateBase s, int until) except -1:
    """End the effects of a duration; the end of a cycle ends all but those for the game (OLO-EOC-03)."""
    cdef int i, kept = 0
    cdef Lasting* one
    for i in range(s.d.lasting_count):
        one = lasting_at(s, i)
        if one.until != UNTIL_GAME if until == UNTIL_CYCLE else one.until == until:
            add_trace(s, EVENT_EFFECT_ENDED, one.node, one.subject)
        else:
            kept = keep_lasting(s, one, i, kept)
    s.d.lasting_count = kept
    return 0


cdef int end_within(StateBase s, int until, int home) except -1:
    """End the effects for an attack or a roll whose home is at a height of the stack, or above it."""
    cdef int i, kept = 0
    cdef Lasting* one
    for i in range(s.d.lasting_count):
        one = lasting_at(s, i)
        if one.until == until and one.home >= home:
            add_trace(s, EVENT_EFFECT_ENDED, one.node, one.subject)
        else:
            kept = keep_lasting(s, one, i, kept)
    s.d.lasting_count = kept
    return 0


cdef int end_effects_on(StateBase s, int subject) except -1:
    """End the effects on a figure."""
    cdef int i, kept = 0
    cdef Lasting* one
    for i in range(s.d.lasting_count):
        one = lasting_at(s, i)
        if one.subject == subject:
            add_trace(s, EVENT_EFFECT_ENDED, one.node, subject)
        else:
            kept = keep_lasting(s, one, i, kept)
    s.d.lasting_count = kept
    return 0


cdef int keep_lasting(StateBase s, const Lasting* one, int place, int kept) noexcept:
    """Append an effect that has not ended to those kept; returns their number."""
    if kept < place:
        memcpy(lasting_at(s, kept), one, sizeof(Lasting))
    return kept + 1


cdef int copy_data(StateBase s, StateBase copy) except -1:
    """Copy the data of a state into a new one. Frames above the top are never read."""
    cdef int inline_count = min(s.d.depth, <int> INLINE_FRAMES), i, count
    memcpy(&copy.d, &s.d, <size_t> (<char*> &s.d.frame[inline_count] - <char*> &s.d))
    if s.d.depth > INLINE_FRAMES:
        make_room(copy, s.d.depth - 1)
        for i in range(INLINE_FRAMES, s.d.depth, INLINE_FRAMES):
            count = min(s.d.depth - i, <int> INLINE_FRAMES)
            memcpy(frame_at(copy, i), frame_at(s, i), count * sizeof(Frame))
    if s.d.lasting_count > INLINE_LASTING:
        copy.overflow_lasting = <Lasting*> malloc(s.lasting_room * sizeof(Lasting))
        if copy.overflow_lasting == NULL:
            raise MemoryError
        copy.lasting_room = s.lasting_room
        memcpy(copy.overflow_lasting, s.overflow_lasting, (s.d.lasting_count - INLINE_LASTING) * sizeof(Lasting))
    return 0


# -- questions to a player or to chance --------------------------------------------------------------------------------
# Decisions and rolls that many rules need: which element, how many successes, what face. The frame below gets the result.

cdef int ask_pick(StateBase s, int what, int player, uint64_t discs, uint64_t pieces, bint declinable) except -1:
    """Ask a player to pick one of some elements; the result is the element, or -1 for none."""
    cdef Frame* frame = push_frame(s, F_PICK)
    frame.v[PICK_ASK], frame.v[CHOOSER], frame.v[DECLINABLE] = what, player, declinable
    frame.v[LOW], frame.v[HIGH] = <int32_t> discs, <int32_t> (discs >> 32)
    frame.v[PIECES_LOW], frame.v[PIECES_HIGH] = <int32_t> pieces, <int32_t> (pieces >> 32)
    return 0


cdef uint64_t picked_discs(const Frame* frame) noexcept:
    """The figures and markers that may be picked."""
    return <uint64_t> <unsigned int> frame.v[LOW] | <uint64_t> <unsigned int> frame.v[HIGH] << 32


cdef uint64_t picked_pieces(const Frame* frame) noexcept:
    return <uint64_t> <unsigned int> frame.v[PIECES_LOW] | <uint64_t> <unsigned int> frame.v[PIECES_HIGH] << 32


cdef int pick_step(StateBase s, Frame* frame, int code) except -1:
    if code < 0:
        return ask(s, frame.v[PICK_ASK], frame.v[CHOOSER])
    pop_frame(s, -1 if code == VERB_NO else first_argument(code))
    return 0


cdef int ask_roll(StateBase s, int figure, int stat, int dice, int difficulty) except -1:
    """Roll a pool of dice; the result is the number of successes (OLO-ROLL-01, 08)."""
    cdef Frame* frame = push_frame(s, F_ROLL)
    frame.v[ROLLER], frame.v[ROLL_STAT], frame.v[ROLL_DICE], frame.v[ROLL_DIFFICULTY] = figure, stat, dice, difficulty
    return 0


cdef int roll_step(StateBase s, Frame* frame, int code) except -1:
    if frame.v[ROLL_DICE] <= 0:
        pop_frame(s, 0)
        return 0
    if code < 0:
        return ask(s, DECISION_CHANCE_POOL, -1)
    add_trace(
        s, EVENT_DICE_ROLLED, frame.v[ROLLER], frame.v[ROLL_DICE], frame.v[ROLL_DIFFICULTY], first_argument(code)
    )
    pop_frame(s, first_argument(code))
    return 0


cdef int ask_die(StateBase s, int sides) except -1:
    """Roll one die whose face matters; the result is the face (OLO-COMP-07)."""
    cdef Frame* frame = push_frame(s, F_DIE)
    frame.v[SIDES] = sides
    return 0


cdef int die_step(StateBase s, Frame* frame, int code) except -1:
    if code < 0:
        return ask(s, DECISION_CHANCE_DIE, -1)
    add_trace(s, EVENT_DIE_ROLLED, frame.v[SIDES], first_argument(code))
    pop_frame(s, first_argument(code))
    return 0

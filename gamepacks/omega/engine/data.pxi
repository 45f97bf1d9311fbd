# The state of a game in C: plain structs, copied by memcpy, and the inline functions that change single parts.

cdef enum:
    MAX_FRAMES = 24
    MAX_TRACE = 256

cdef struct EgregorState:
    uint8_t card
    uint8_t total
    uint8_t gained
    uint8_t used
    uint8_t old_blacks
    uint8_t[TYPES] load

cdef struct Player:
    uint8_t[TYPES] pyramid
    uint8_t[TYPES] shown
    # Egregors in the row.
    uint8_t row_size
    int8_t mask
    uint8_t lost
    uint8_t token_count
    uint16_t prestige
    int32_t steps
    EgregorState[MAX_ROW] row
    uint8_t[TOKENS] token

cdef struct Frame:
    uint8_t kind
    uint8_t a
    uint8_t b
    uint8_t c

cdef struct TraceEntry:
    uint8_t kind
    int32_t a
    int32_t b
    int32_t c

cdef struct Trace:
    int count
    TraceEntry[MAX_TRACE] entry

cdef struct StateData:
    # Where a step records what it does, if a caller asks for that; otherwise NULL.
    Trace* trace
    # Whether the stack or the trace was too short: an error in the rules, raised after the step.
    uint8_t overflow
    uint8_t phase
    int8_t start
    int8_t active
    uint8_t dealt
    uint8_t[TYPES] bag
    uint8_t bag_size
    uint8_t[TYPES] absent
    uint8_t[TYPES] altar
    uint8_t altar_size
    uint8_t[GALLERY_SLOTS] gallery
    uint64_t deck
    uint64_t discard
    uint64_t looked
    uint64_t certain
    uint8_t[STACKS] top
    uint8_t[STACKS] hidden
    uint8_t[TOKENS] pool
    Player[SEATS] player
    int32_t turn
    uint8_t gain_used
    uint8_t disowned
    uint8_t last_mask
    uint8_t mask_moved
    uint8_t bag_was_empty
    uint8_t red_used
    uint8_t green_pending
    uint8_t[TYPES] batch
    uint8_t batch_size
    uint8_t batch_seat
    uint8_t batch_index
    uint8_t batch_shown
    uint8_t keys
    uint8_t replaced_count
    uint8_t[MAX_ROW] replaced
    uint8_t ending
    int8_t announcer
    uint8_t final_turns_left
    uint8_t depth
    Frame[MAX_FRAMES] stack

cdef inline Frame* top_frame(StateData* s) noexcept nogil:
    return &s.stack[s.depth - 1]

cdef inline void push_frame(StateData* s, int kind, int a, int b, int c) noexcept nogil:
    """Put a frame on the stack: it is resolved before all below it (OMEGA-MAIN-06)."""
    cdef Frame* frame
    if s.depth == MAX_FRAMES:
        s.overflow = 1
        return
    frame = &s.stack[s.depth]
    frame.kind, frame.a, frame.b, frame.c = kind, a, b, c
    s.depth += 1

cdef inline void add_trace(StateData* s, int kind, int a, int b, int c) noexcept nogil:
    """Record an entry of the trace, if one is recorded."""
    cdef TraceEntry* entry
    if s.trace == NULL:
        return
    if s.trace.count == MAX_TRACE:
        s.overflow = 1
    else:
        entry = &s.trace.entry[s.trace.count]
        entry.kind, entry.a, entry.b, entry.c = kind, a, b, c
        s.trace.count += 1

cdef inline void into_pyramid(StateData* s, int seat, int type) noexcept nogil:
    # The rune enters face up: its type is public from now on.
    s.player[seat].pyramid[type] += 1
    s.player[seat].shown[type] += 1

cdef inline void from_pyramid(StateData* s, int seat, int type) noexcept nogil:
    cdef Player* player = &s.player[seat]
    player.pyramid[type] -= 1
    if player.shown[type]:
        player.shown[type] -= 1

cdef inline void into_bag(StateData* s, int type) noexcept nogil:
    s.bag[type] += 1
    s.bag_size += 1
    s.absent[type] = 0

cdef inline void from_bag(StateData* s, int type) noexcept nogil:
    s.bag[type] -= 1
    s.bag_size -= 1
    if not s.bag_size:
        # OMEGA-END-05
        s.bag_was_empty = 1
        add_trace(s, TRACE_BAG_OUT, s.active, 0, 0)

cdef inline void from_altar(StateData* s, int type) noexcept nogil:
    s.altar[type] -= 1
    s.altar_size -= 1

cdef inline void add_rune(EgregorState* egregor, int type) noexcept nogil:
    egregor.load[type] += 1
    egregor.total += 1

cdef inline void remove_rune(EgregorState* egregor, int type) noexcept nogil:
    egregor.load[type] -= 1
    egregor.total -= 1
    # At most as many old blacks as blacks.
    if egregor.old_blacks > egregor.load[BLACK]:
        egregor.old_blacks = egregor.load[BLACK]



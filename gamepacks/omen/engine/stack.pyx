"""What is pending: frames, the abilities that are being carried out, and the queue of those that were triggered."""

from libc.string cimport memcpy, memset

from gamepacks.omen.engine.numbers cimport *
from gamepacks.omen.engine.table cimport (
    bit, Context, Env, EVERYONE, FR_ABILITY, Frame, MOST_CONTEXTS, MOST_FRAMES, MOST_QUEUED, Queued, Record, Set, Table,
    unite, VAR_CARDS,
)
from gamepacks.omen.engine.vocabulary cimport *
from gamepacks.omen.engine.zones cimport tell

# Frames that one ability can need above its own: blocks and effects, 8 deep (V-15), and what they start.
cdef int ROOM = 40
# Bits of Data.caps.
cdef int TRIGGERS = 1
cdef int ACTIONS = 2


cdef void no_record(Record* record) noexcept nogil:
    """Nothing has happened."""
    memset(record, 0, sizeof(Record))
    record.type = record.by = record.who = record.token = record.card = record.city = NONE
    record.source = record.to = NONE
    record.seen = EVERYONE


cdef Frame* push(Table t, int kind) except NULL:
    """A new topmost frame, all zero but for its names of nothing."""
    cdef Frame* frame
    if t.d.depth == MOST_FRAMES:
        raise OverflowError("too much is pending at once")
    frame = &t.d.frame[t.d.depth]
    memset(frame, 0, sizeof(Frame))
    frame.kind = kind
    frame.token = frame.city = NONE
    no_record(&frame.event)
    t.d.depth += 1
    return frame


cdef Frame* top(Table t) noexcept nogil:
    return &t.d.frame[t.d.depth - 1]


cdef void pop(Table t) noexcept nogil:
    t.d.depth -= 1


cdef Context* context(Table t) noexcept nogil:
    """The ability that is being carried out."""
    return &t.d.context[t.d.contexts - 1]


cdef void bind_cards(Table t, int slot, const Set* cards) noexcept nogil:
    """Bind cards to a variable of that ability (-1: to none)."""
    cdef Context* ctx = context(t)
    if slot >= 0:
        ctx.vars[slot].kind, ctx.vars[slot].cards = VAR_CARDS, cards[0]
        unite(&ctx.present, cards)


cdef void here(Table t, Env* env) noexcept nogil:
    """Expressions as read by that ability."""
    cdef Context* ctx = context(t)
    env.you, env.city, env.source, env.card = ctx.controller, ctx.city, ctx.source, ctx.card
    env.reader = bit(ctx.controller)
    env.still, env.context, env.event = False, ctx, &ctx.event


cdef void read_as(Env* env, int seat) noexcept nogil:
    """The same expression as read by a seat."""
    env.you, env.reader = seat, bit(seat)


cdef void env_of(Table t, Env* env, int you, int token, int city) noexcept nogil:
    """Expressions as read by a card that does nothing yet."""
    env.you, env.city, env.source, env.reader = you, city, token, bit(you)
    env.card = t.d.token[token].card if token != NONE else NONE
    env.still, env.context, env.event = False, NULL, NULL


cdef bint in_steps(Table t, int steps) noexcept nogil:
    """Is this one of the steps (a mask; 0: of any)?"""
    return not steps or t.d.phase >= PH_WEALTH and steps >> (t.d.phase - PH_WEALTH) & 1


cdef bint right_turn(Table t, int turn, int seat) noexcept nogil:
    return turn == TURN_ANY or (turn == TURN_OWN) == (t.d.active == seat)


cdef int ability_of(Table t, int card, int hook, int first) noexcept nogil:
    """The next ability of a card with a hook, from its ability ``first`` on; -1 for none."""
    cdef int i
    if not t.rules.card[card].hooks >> hook & 1:
        return -1
    for i in range(first, t.rules.card[card].abilities):
        if t.rules.ability[t.rules.card[card].first_ability + i].hook == hook:
            return t.rules.card[card].first_ability + i
    return -1


# -- abilities --------------------------------------------------------------------------------------------------------


cdef bint can_begin(Table t) noexcept nogil:
    """Is there room for one more ability inside those that are being carried out?"""
    return t.d.contexts < MOST_CONTEXTS and t.d.depth < MOST_FRAMES - ROOM


cdef int begin(
    Table t, int ability, int token, int card, int controller, int city, int cause, const Record* event
) except -1:
    """Start an ability; what is beneath goes on when it is over. Too deep inside others it is dropped."""
    cdef Context* ctx
    if not can_begin(t):
        return cap_triggers(t)
    ctx = &t.d.context[t.d.contexts]
    memset(ctx, 0, sizeof(Context))
    ctx.source, ctx.card, ctx.controller, ctx.city, ctx.cause = token, card, controller, city, cause
    ctx.ability = ability
    ctx.logged = t.d.logged
    if event == NULL:
        no_record(&ctx.event)
    else:
        memcpy(&ctx.event, event, sizeof(Record))
    t.d.contexts += 1
    push(t, FR_ABILITY)
    return 0


cdef int cap_triggers(Table t) except -1:
    if not t.d.caps & TRIGGERS:
        t.d.caps |= TRIGGERS
        tell(t, EV_TRIGGER_CAP_HIT, NONE, NONE, t.d.triggers, BY_RULE)
    return 0


cdef int act(Table t) except -1:
    """A main action, use card or react card has been taken (OMENX-LOOP-03)."""
    t.d.actions += 1
    if t.d.actions >= t.rules.action_cap and not t.d.caps & ACTIONS:
        t.d.caps |= ACTIONS
        tell(t, EV_ACTION_CAP_HIT, NONE, NONE, t.d.actions, BY_RULE)
    return 0


# -- the queue --------------------------------------------------------------------------------------------------------


cdef int enqueue(
    Table t, int trigger, int ability, int token, int card, int controller, int city, const Record* event
) except -1:
    """A triggered ability waits (OMENX-FX-06)."""
    cdef Queued* queued
    if t.d.queued == MOST_QUEUED:
        return cap_triggers(t)
    queued = &t.d.queue[t.d.queued]
    queued.trigger, queued.ability, queued.token, queued.card = trigger, ability, token, card
    queued.controller, queued.city, queued.moment = controller, city, t.d.moment
    if event == NULL:
        no_record(&queued.event)
    else:
        memcpy(&queued.event, event, sizeof(Record))
    t.d.queued += 1
    return 0


cdef int front(Table t) noexcept nogil:
    """How many at the front of the queue were triggered at the same moment."""
    cdef int count = 0
    while count < t.d.queued and t.d.queue[count].moment == t.d.queue[0].moment:
        count += 1
    return count


cdef void dequeue(Table t, int place) noexcept nogil:
    cdef int i
    for i in range(place, t.d.queued - 1):
        t.d.queue[i] = t.d.queue[i + 1]
    t.d.queued -= 1

# The interpreter of card effects (section 6.7).

cdef inline int next_effect(Frame* frame) noexcept:
    # The effect of the program that comes after the present one, from its beginning.
    frame.pc += 1
    frame.v[STAGE] = 0
    return 0


# -- programs ----------------------------------------------------------------------------------------------------------
# Beginning the effects of a card, and effects that last.

cdef int run_program(StateBase m, int program, int32_t* scope, bint root) except -1:
    """Begin a list of effects in a scope; ``root``: it is the whole of a capacity or card, not a part of another list."""
    cdef Frame* frame
    if program < 0:
        return 0
    frame = push_frame(m, F_EFFECTS)
    memcpy(frame.v, scope, SCOPE * sizeof(int32_t))
    frame.v[RUNS], frame.v[STAGE], frame.v[FROM_TRIGGER] = program, 0, root
    return 0


cdef int end_program(StateBase m) except -1:
    """Leave the list of effects on top, done or not. A capacity that attacks by itself is an attack that ends with it."""
    cdef int height = m.t.depth - 1
    if frame_at(m, height).v[FROM_TRIGGER] and m.t.lasting_count:
        end_within(m, UNTIL_ATTACK, height)
        end_within(m, UNTIL_ROLL, height)
    return pop_frame(m, 1)


# -- effects that last ----------------------------------------------------------------------------------------------------

cdef int attack_frame(StateBase m) except -1:
    """The index of the stack frame of the attack that an effect for an attack or a roll applies to.

    That is the attack under way; the attack that such effects are listed for before it is made; the capacity that attacks
    without a reaction window. What answers to a moment of an attack means that attack, whatever it does itself.
    """
    cdef Frame* frame
    cdef int i, own = 0
    for i in range(m.t.depth - 1, 0, -1):
        frame = frame_at(m, i)
        if frame.kind == F_ATTACK or frame.kind == F_WINDOW and attack_under_way(frame):
            return i
        if frame.kind != F_EFFECTS:
            continue
        if i < m.t.depth - 1 and frame.v[STAGE] and m.rules.programs[frame.v[RUNS]][frame.pc].op == OP_ATTACK:
            return i + 1
        if frame.v[FROM_TRIGGER]:
            if not own:
                own = i
            if frame.v[ATTACKING] and not answers_attack(m, i - 1):
                return i
    return own


cdef bint answers_attack(StateBase m, int height) except -1:
    """Whether what lies on a frame answers to a moment of an attack."""
    cdef int trigger
    if frame_at(m, height).kind == F_ATTACK:
        return True
    if frame_at(m, height).kind != F_TRIGGERS:
        return False
    trigger = answered(m, height)
    return trigger == TRIGGER_ATTACK_DECLARED or trigger == TRIGGER_ROLLED or trigger == TRIGGER_ATTACK_END


cdef int root_height(StateBase m) noexcept:
    """The height of the whole capacity or card that the effects on top are of."""
    cdef int i = m.t.depth - 1
    while not frame_at(m, i).v[FROM_TRIGGER]:
        i -= 1
    return i


cdef Frame* root_of(StateBase m) noexcept:
    return frame_at(m, root_height(m))


cdef int roll_frame(StateBase m) except -1:
    """The index of the frame that the roll of the effects on top belongs to: the attack that they make, or their own."""
    cdef Frame* below
    cdef int i = root_height(m)
    below = frame_at(m, i - 1)
    return i - 1 if below.kind == F_ATTACK and below.v[PROGRAM] == frame_at(m, i).v[RUNS] else i


cdef int add_lasting(StateBase m, object node, int32_t* scope) except -1:
    """Begin an effect that lasts; the same one of the same bearer on the same element begins anew.

    Of two bearers or players it lasts twice, and does not add up for that (OLO-GEN-04).
    """
    cdef Lasting* one = NULL
    cdef Lasting* old
    cdef int subject = subject_of(node, scope), i
    cdef tuple values = values_of(m, node, scope)
    for i in range(m.t.lasting_count):
        old = lasting_at(m, i)
        if old.node == <int> node.index and old.subject == subject and old.owner == scope[OWNER] and old.bearer == scope[0]:
            one = old
    if one == NULL:
        one = new_lasting(m)
    one.node, one.subject, one.owner, one.bearer = node.index, subject, scope[OWNER], scope[0]
    one.until, one.cycle, one.phase = node.until, m.t.cycle, m.t.phase
    one.home = attack_frame(m) if one.until == UNTIL_ATTACK or one.until == UNTIL_ROLL else 0
    for i in range(3):
        one.value[i] = values[i]
    note(m, EVENT_EFFECT_STARTED, node.index, subject)
    return 0


cdef int phase_effects_end(StateBase m) except -1:
    """End what ends with this phase; an effect until the end of the next phase began in an earlier one.

    After the fifth there is no next planning phase: such an effect lasts until the cycle ends (OLO-EOC-03). One for a card that no
    card ended (in the hostile phase, after both cards) does not outlast the phase (OLO-HPH-04).
    """
    cdef Lasting* one
    cdef int i
    for i in range(m.t.lasting_count):
        one = lasting_at(m, i)
        if one.until == UNTIL_NEXT_PHASE and one.phase != m.t.phase and m.t.phase != HOSTILE_PHASE:
            one.until = UNTIL_PHASE
    end_effects(m, UNTIL_CARD)
    end_effects(m, UNTIL_PHASE)
    if m.t.phase == HOSTILE_PHASE:
        end_effects(m, UNTIL_HOSTILE_PHASE)
    return 0


# -- effects -----------------------------------------------------------------------------------------------------------
# The interpreter of card effects (section 6.7): one list of effects, one after the other.
#
# A frame holds the scope (bound names and so on), the list, and how far it is; STAGE tells how far the present effect is.
# What cannot be carried out is skipped (OLO-GEN-09). Effects that move or attack are in ``card_moves``, rolls in ``card_rolls``.

cdef int effects_step(StateBase m, Frame* frame, int code) except -1:
    """Carry out the present effect, or go on to the next one."""
    cdef tuple program = m.rules.programs[frame.v[RUNS]]
    cdef int op
    if frame.pc >= len(program):
        return end_program(m)
    node = program[frame.pc]
    op = node.op
    if op == OP_CHOOSE:
        return choose_effect(m, frame, node, code)
    if op == OP_EACH:
        return each_effect(m, frame, node, code)
    if op == OP_PICK:
        return pick_effect(m, frame, node)
    if op == OP_ACTIVATE:
        return activate_effect(m, frame, node)
    if op == OP_PUSH:
        return push_effect(m, frame, node)
    if op == OP_PLACE:
        return place_effect(m, frame, node)
    if op == OP_MOVE:
        return move_effect(m, frame, node)
    if op == OP_ATTACK:
        return attack_effect(m, frame, node, code)
    if op == OP_ROLL:
        return roll_effect(m, frame, node, code)
    if op == OP_REROLL:
        return reroll_effect(m, frame, node)
    if op == OP_DIE:
        return die_effect(m, frame, node)
    next_effect(frame)
    if op == OP_IF:
        return run_program(m, node.then if holds(m, node.cond, frame.v) else node.otherwise, frame.v, False)
    if op == OP_MECHANISM:
        frame = push_frame(m, F_MECHANISM)
        frame.v[WHY], frame.v[CARDS] = CAUSE_EFFECT, node.n.a
        return 0
    if op == OP_SPAWN:
        return spawn_effect(m, frame.v, node)
    if op == OP_MARKER:
        return marker_effect(m, frame.v, node)
    if op == OP_PLAN:
        return change_plan(m, player_of(m, node.player, frame.v), chooser_of(m, frame.v), node.do, node.slots)
    if op == OP_SKIP:
        return skip_effect(m, frame, node.do)
    return plain_effect(m, frame, node, op)


cdef int change_token(StateBase m, object node, int token, int32_t* scope) except -1:
    """Add to a counter or set it."""
    cdef int before = m.t.tokens[token]
    m.t.tokens[token] = value(m, node.set, scope) if node.set is not None else before + value(m, node.n, scope)
    return note(m, EVENT_TOKEN_CHANGED, token, before, m.t.tokens[token])


cdef int plain_effect(StateBase m, Frame* frame, object node, int op) except -1:
    """Effects that ask nobody and move nothing."""
    cdef int who = node.who, number, i, element
    element = frame.v[who] if who >= 0 else -1
    if op in (OP_MOD, OP_STAT, OP_PROTECT, OP_FORBID, OP_PERMIT, OP_SIGHT):
        if who >= 0 and element < 0:
            return note(m, EVENT_EFFECT_SKIPPED, node.index)
        return add_lasting(m, node, frame.v)
    if op == OP_PRIORITY:
        number = player_of(m, node.player, frame.v)
        if number >= 0 and number != m.t.priority:
            m.t.priority = number
            if between_cards(m):
                m.t.active = number
            note(m, EVENT_PRIORITY_CHANGED, number)
        return 0
    if op == OP_TOKEN:
        if node.player < 0:
            return change_token(m, node, node.token, frame.v)
        for i in range(2):
            if node.player == PLAYER_BOTH or player_of(m, node.player, frame.v) == i:
                change_token(m, node, node.token + i, frame.v)
        return 0
    number = value(m, node.n, frame.v) if node.n is not None else 0
    if op == OP_TRAQUE:
        return change_traque(m, number, CHANGE_CAUSE_EFFECT)
    if op == OP_FIEL or op == OP_VP:
        hold_endings(m)
        for i in range(2):
            if node.player == PLAYER_BOTH or player_of(m, node.player, frame.v) == i:
                if op == OP_FIEL:
                    change_fiel(m, i, number, CHANGE_CAUSE_EFFECT)
                else:
                    change_vp(m, i, number)
        return release_endings(m)
    if op == OP_TAINT:
        return taint(m, element, node.flag)
    if op == OP_DESPAWN:
        return despawn(m, element)
    if not 0 <= element < FIGURES or not (on_bloc(m, element) or m.t.figure[element].where == PLACE_OFF):
        return note(m, EVENT_EFFECT_SKIPPED, node.index)
    if op == OP_WOUND:
        # Without an author, nobody receives Noirceur for a loss (OLO-OUT-04).
        wound(m, element, number, frame.v[WHO_SELF], frame.v[ATTACKING] != 0, &root_of(m).v[REDUCED])
    elif op == OP_HEAL:
        heal(m, element, number)
    elif op == OP_NOIRCEUR:
        if number < 0:
            lose_noirceur(m, element, -number, CHANGE_CAUSE_EFFECT)
        for i in range(number):
            receive_noirceur(m, element, CHANGE_CAUSE_EFFECT)
    elif op == OP_STATE:
        set_state(m, element, node.state, node.flag)
    elif op == OP_AP:
        change_ap(m, element, number, CHANGE_CAUSE_EFFECT)
    return 0


cdef bint between_cards(StateBase m) noexcept:
    """Whether a Mechanism of the start or of a tie is carried out: no player is active but the priority holder (OLO-GEN-11)."""
    cdef int i
    for i in range(m.t.depth):
        if frame_at(m, i).kind == F_MECHANISM:
            return frame_at(m, i).v[WHY] != CAUSE_EFFECT
    return False


cdef int taint(StateBase m, int element, bint tainted) except -1:
    """A marker or piece becomes tainted or clean; who touches it already gets nothing (OLO-NOIR-05)."""
    if element >= DISCS and exists(m, element):
        if tainted:
            m.t.tainted_pieces |= <unsigned long long> 1 << (element - DISCS)
        else:
            m.t.tainted_pieces &= ~(<unsigned long long> 1 << (element - DISCS))
    elif FIGURES <= element < DISCS and exists(m, element):
        m.t.mark[element].tainted = tainted
    else:
        return 0
    return note(m, EVENT_TAINT_CHANGED, element, tainted)


cdef int despawn(StateBase m, int element) except -1:
    """A hostile or marker leaves the board; that is no loss for the hunt."""
    if 0 <= element < FIGURES and is_hostile(m, element) and on_bloc(m, element):
        leave_board(m, element)
        note(m, EVENT_HOSTILE_REMOVED, element)
    elif FIGURES <= element < DISCS and exists(m, element):
        m.t.discs.present &= ~(<unsigned long long> 1 << element)
        note(m, EVENT_MARKER_REMOVED, element)
    return 0


cdef int skip_effect(StateBase m, Frame* frame, int what) except -1:
    """A step that does not happen."""
    cdef int i
    if what == SKIP_REST:
        # The rest of the whole capacity, from the innermost list to the outermost.
        while top(m).kind == F_EFFECTS:
            i = top(m).v[FROM_TRIGGER]
            end_program(m)
            if i:
                break
        return 0
    for i in range(m.t.depth - 1, -1, -1):
        frame = frame_at(m, i)
        if frame.kind == F_ACTIVATION:
            frame.v[SKIPPED] |= 3 if what == SKIP_ENTRY else 4
            break
    return 0


cdef int die_effect(StateBase m, Frame* frame, object node) except -1:
    """One die: its face is bound; by a table, or one list for all faces."""
    if frame.v[STAGE] == 0:
        frame.v[STAGE] = 1
        return ask_die(m, node.sides)
    frame.v[FACE] = m.t.result
    next_effect(frame)
    return run_program(m, node.options[m.t.result - 1] if node.options else node.then, frame.v, False)


cdef int choose_effect(StateBase m, Frame* frame, object node, int code) except -1:
    """A player chooses one of several lists (CHOOSE), or none where it may be declined (NO)."""
    cdef int chooser = player_of(m, node.by, frame.v)
    if code < 0:
        return ask(m, DECISION_CHOICE, chooser if chooser >= 0 else chooser_of(m, frame.v))
    next_effect(frame)
    if code == VERB_NO:
        return 0
    note(m, EVENT_CHOICE_MADE, chooser, first_argument(code))
    return run_program(m, node.options[first_argument(code)], frame.v, False)


cdef int store_elements(Frame* frame, Elements elements) noexcept:
    """Store in a frame the elements that the effect is still to be carried out for."""
    frame.v[HELD], frame.v[HELD_HIGH] = <int> elements.discs, <int> (elements.discs >> 32)
    frame.v[HELD_PIECES], frame.v[HELD_PIECES_HIGH] = <int> elements.pieces, <int> (elements.pieces >> 32)
    return 0


cdef Elements stored_elements(const Frame* frame) noexcept:
    cdef Elements elements
    elements.discs = <unsigned long long> <unsigned int> frame.v[HELD] | <unsigned long long> <unsigned int> frame.v[HELD_HIGH] << 32
    elements.pieces = (
        <unsigned long long> <unsigned int> frame.v[HELD_PIECES]
        | <unsigned long long> <unsigned int> frame.v[HELD_PIECES_HIGH] << 32
    )
    return elements


cdef int effects_left(const Frame* frame) noexcept:
    """The number of elements for which the effect is still to be carried out."""
    return count_of(stored_elements(frame))


cdef list elements_left(const Frame* frame):
    """The elements that the effect is still to be carried out for, ascending."""
    cdef Elements elements = stored_elements(frame)
    cdef int i
    return [nth(elements, i) for i in range(count_of(elements))]


cdef Elements without(Elements elements, int element) noexcept:
    if element < DISCS:
        elements.discs &= ~(<unsigned long long> 1 << element)
    else:
        elements.pieces &= ~(<unsigned long long> 1 << (element - DISCS))
    return elements


cdef int nth(Elements elements, int index) noexcept:
    """The element at a place in ascending order."""
    while elements.discs:
        if index == 0:
            return lowest(elements.discs)
        elements.discs &= elements.discs - 1
        index -= 1
    while elements.pieces:
        if index == 0:
            return DISCS + lowest(elements.pieces)
        elements.pieces &= elements.pieces - 1
        index -= 1
    return -1


cdef int pick_effect(StateBase m, Frame* frame, object node) except -1:
    """Choose elements one by one; with up to (or none fitting) fewer. The last one is bound."""
    cdef object sel = node.sel
    cdef int chooser
    cdef Elements fitting
    if frame.v[STAGE] == 0:
        frame.v[EXTRA], frame.v[EXTRA2], frame.v[EXTRA3] = value(m, sel.count, frame.v), 0, 0
        frame.v[<int> node.bind] = frame.v[WHO_PICKED] = -1
        store_elements(frame, Elements(0, 0))
    elif m.t.result >= 0:
        frame.v[<int> node.bind] = frame.v[WHO_PICKED] = m.t.result
        frame.v[EXTRA] -= 1
        store_elements(frame, joined(stored_elements(frame), m.t.result))
    else:
        frame.v[EXTRA] = 0
    fitting = select(m, sel, frame.v)
    fitting.discs &= ~stored_elements(frame).discs
    fitting.pieces &= ~stored_elements(frame).pieces
    fitting = narrowed(m, sel, frame.v, fitting)
    if frame.v[EXTRA] <= 0 or not count_of(fitting):
        next_effect(frame)
        return 0
    frame.v[STAGE] = 1
    chooser = player_of(m, sel.by, frame.v)
    return ask_pick(
        m, DECISION_PICK, chooser if chooser >= 0 else chooser_of(m, frame.v), fitting.discs, fitting.pieces, sel.up_to
    )


cdef Elements joined(Elements elements, int element) noexcept:
    if element < DISCS:
        elements.discs |= <unsigned long long> 1 << element
    else:
        elements.pieces |= <unsigned long long> 1 << (element - DISCS)
    return elements


cdef int each_effect(StateBase m, Frame* frame, object node, int code) except -1:
    """Carry out effects for every element that fits now.

    Where it asks nothing, moves nothing and leaves nothing to chance, it hits all at once (OLO-END-05); else the owner sets
    the order, one by one.
    """
    cdef Elements left
    cdef int element, count
    cdef bint plain = m.rules.plain_program[<int> node.then]
    if frame.v[STAGE] == 0:
        frame.v[STAGE] = 1
        store_elements(frame, narrowed(m, node.sel, frame.v, select(m, node.sel, frame.v)))
        if plain:
            hold_endings(m)
    left = stored_elements(frame)
    count = count_of(left)
    if count == 0:
        next_effect(frame)
        if plain:
            release_endings(m)
        return 0
    element = nth(left, 0)
    if not plain and count > 1:
        if code < 0:
            return ask(m, DECISION_ORDER, chooser_of(m, frame.v))
        element = nth(left, first_argument(code))
    store_elements(frame, without(left, element))
    frame.v[<int> node.bind] = element
    return run_program(m, node.then, frame.v, False)


cdef int activate_effect(StateBase m, Frame* frame, object node) except -1:
    """Run hostiles (OLO-HPH-03), or activate a rouage, without coordination."""
    cdef Elements fitting
    cdef int chooser = player_of(m, node.by, frame.v), element
    if chooser < 0:
        chooser = chooser_of(m, frame.v)
    if node.sel is None:
        element = frame.v[<int> node.who]
        next_effect(frame)
        return activate_by_effect(m, element, chooser)
    if frame.v[STAGE] == 0:
        frame.v[EXTRA] = value(m, node.n, frame.v)
        store_elements(frame, Elements(0, 0))
    elif frame.v[STAGE] == 1:
        element = m.t.result
        frame.v[EXTRA] -= 1
        store_elements(frame, joined(stored_elements(frame), element))
        frame.v[STAGE] = 2
        return activate_by_effect(m, element, chooser)
    fitting = select(m, node.sel, frame.v)
    fitting.discs &= ~stored_elements(frame).discs & ((1 << FIGURES) - 1)
    fitting = narrowed(m, node.sel, frame.v, fitting)
    if frame.v[EXTRA] <= 0 or not fitting.discs:
        next_effect(frame)
        return 0
    frame.v[STAGE] = 1
    return ask_pick(m, DECISION_PICK, chooser, fitting.discs, 0, False)


cdef int activate_by_effect(StateBase m, int element, int player) except -1:
    cdef Frame* frame
    if not 0 <= element < FIGURES:
        return 0
    if is_hostile(m, element):
        if on_bloc(m, element):
            frame = push_frame(m, F_HOSTILE)
            frame.v[USER], frame.v[RUNNER] = element, player
    elif on_bloc(m, element) or m.t.figure[element].where == PLACE_OFF:
        frame = push_frame(m, F_ACTIVATION)
        frame.v[MAIN], frame.v[OTHER], frame.v[BY] = element, -1, ACTIVATED_BY_EFFECT
    return 0


# -- effects that move or attack ---------------------------------------------------------------------------------------
# Effects of cards that change places: pushes, placements, moves, attacks, hostiles and markers that appear.

cdef int chooser(StateBase m, object node, int32_t* scope) except -1:
    cdef int player = player_of(m, node.by, scope)
    return player if player >= 0 else chooser_of(m, scope)


cdef int bind_direction(StateBase m, Frame* frame, object node) except -1:
    """Bind the decision on top to the direction word of an effect (OLO-DIR)."""
    if node.direction != DIRECTION_NONE:
        top(m).v[WORD], top(m).v[REFERENCE] = node.direction, frame.v[<int> node.of]
    return 0


cdef bint can_compare(StateBase m, Frame* frame, object node, int element) except -1:
    """Whether what a direction word refers to is there."""
    cdef int other
    if node.direction == DIRECTION_NONE:
        return True
    other = frame.v[<int> node.of]
    return exists(m, other) and other != element


cdef int skipped(StateBase m, Frame* frame, object node) except -1:
    """Skip an effect that cannot be carried out (OLO-GEN-09)."""
    note(m, EVENT_EFFECT_SKIPPED, node.index)
    next_effect(frame)
    return 0


cdef int push_effect(StateBase m, Frame* frame, object node) except -1:
    """A push (OLO-PUSH-01 to 04)."""
    cdef int element = frame.v[<int> node.who]
    if frame.v[STAGE] == 0:
        if not 0 <= element < DISCS or not exists(m, element) or not can_compare(m, frame, node, element):
            return skipped(m, frame, node)
        frame.v[STAGE] = 1
        ask_go(m, PUSH, element, DECISION_PUSH, chooser(m, node, frame.v))
        top(m).v[DECLINABLE] = node.direction == DIRECTION_NONE
        return bind_direction(m, frame, node)
    next_effect(frame)
    if m.t.result >= 0 and exists(m, element):
        relocate(m, element, m.t.result, MOVEMENT_PUSH)
    return 0


cdef int place_effect(StateBase m, Frame* frame, object node) except -1:
    """A placement within a distance of an element or in contact with one (OLO-PLACE-01)."""
    cdef int element = frame.v[<int> node.who], other
    if frame.v[STAGE] == 0:
        other = frame.v[<int> (node.contact if node.contact >= 0 else node.of)]
        if not 0 <= element < DISCS or not exists(m, other) or not placeable(m, element):
            return skipped(m, frame, node)
        if other == element and node.contact >= 0:
            return skipped(m, frame, node)
        frame.v[STAGE] = 1
        ask_go(m, PLACE, element, DECISION_PUSH, chooser(m, node, frame.v))
        top(m).v[ABOUT], top(m).v[DISTANCE] = other, CONTACT if node.contact >= 0 else node.within
        top(m).v[DECLINABLE] = node.up_to
        return 0
    next_effect(frame)
    if m.t.result >= 0:
        relocate(m, element, m.t.result, MOVEMENT_PLACEMENT)
    return 0


cdef bint placeable(StateBase m, int element) noexcept:
    return exists(m, element) or element < FIGURES and m.t.figure[element].where == PLACE_OFF


cdef int move_effect(StateBase m, Frame* frame, object node) except -1:
    """A move; opportunity attacks answer it (OLO-OPP-06). Markers can be moved, too (OLO-MOVE-09)."""
    cdef int element = frame.v[<int> node.who]
    if frame.v[STAGE] == 0:
        if not 0 <= element < DISCS or not exists(m, element) or not can_compare(m, frame, node, element):
            return skipped(m, frame, node)
        if node.flag and element < FIGURES and m.t.figure[element].marches >= TOP_LIMIT + more_uses(m, element, USE_MARCH):
            return skipped(m, frame, node)
        frame.v[STAGE] = 1
        ask_go(m, MOVE, element, DECISION_GO, chooser(m, node, frame.v))
        top(m).v[RULERS], top(m).v[DECLINABLE] = node.way, node.up_to
        return bind_direction(m, frame, node)
    next_effect(frame)
    if m.t.result < 0 or not exists(m, element):
        return 0
    if element >= FIGURES:
        return relocate(m, element, m.t.result, MOVEMENT_MOVE)
    if node.flag:
        m.t.figure[element].marches += 1
    return start_move(m, element, m.t.result)


# -- attacks --------------------------------------------------------------------------------------------------------------

cdef int attack_effect(StateBase m, Frame* frame, object node, int code) except -1:
    """Make a frontal or ranged attack or a charge now, if it is possible."""
    cdef int attacker = frame.v[<int> node.who], target = frame.v[<int> node.of], kind = node.attack, slot
    cdef Figure* f
    if frame.v[STAGE] == 0:
        if not 0 <= attacker < FIGURES or not 0 <= target < FIGURES or not attack_possible(m, attacker, target, node):
            return skipped(m, frame, node)
        f = &m.t.figure[attacker]
        slot = USE_CHARGE if kind == ATTACK_KIND_CHARGE else USE_FRONTAL if kind == ATTACK_KIND_FRONTAL else USE_RANGED
        if not node.flag:
            change_ap(m, attacker, -cost_of(m, attacker, slot), CHANGE_CAUSE_COST, slot)
        if node.count:
            f.attacks += 1
            f.marches += kind == ATTACK_KIND_CHARGE
        frame.v[STAGE] = 1 if kind == ATTACK_KIND_CHARGE else 3
        if node.then >= 0:
            run_program(m, node.then, frame.v, False)
        return 0
    if frame.v[STAGE] == 1:
        frame.v[STAGE] = 2
        ask_go(m, CHARGE, attacker, DECISION_GO, chooser_of(m, frame.v))
        top(m).v[ABOUT] = target
        return 0
    if frame.v[STAGE] == 2:
        frame.v[STAGE] = 3
        if m.t.result >= 0:
            start_move(m, attacker, m.t.result)
        return 0
    next_effect(frame)
    if not on_bloc(m, attacker):
        # It fell on the way.
        return 0
    if kind == ATTACK_KIND_CHARGE:
        return start_attack(m, attacker, target, ATTACK_KIND_FRONTAL, USE_CHARGE, True, -1)
    return start_attack(m, attacker, target, kind, USE_FRONTAL if kind == ATTACK_KIND_FRONTAL else USE_RANGED, False, -1)


cdef bint attack_possible(StateBase m, int attacker, int target, object node) except -1:
    cdef Figure* f = &m.t.figure[attacker]
    cdef int kind = node.attack
    cdef int slot = USE_CHARGE if kind == ATTACK_KIND_CHARGE else USE_FRONTAL if kind == ATTACK_KIND_FRONTAL else USE_RANGED
    cdef int limit = TOP_LIMIT + more_uses(m, attacker, slot)
    if not on_bloc(m, attacker) or not on_bloc(m, target) or stunned(m, attacker) or forbidden(m, attacker, slot):
        return False
    if node.count and (f.attacks >= limit or kind == ATTACK_KIND_CHARGE and f.marches >= limit):
        return False
    if not node.flag and f.ap < cost_of(m, attacker, slot):
        return False
    if kind == ATTACK_KIND_FRONTAL:
        return frontal_targets(m, attacker, slot) >> target & 1
    if kind == ATTACK_KIND_RANGED:
        return ranged_targets(m, attacker, slot) >> target & 1
    if not is_free(m, attacker) and not lifted(m, attacker, slot, IGNORE_FREE):
        return False
    return can_charge(m, attacker, target, slot)


# -- what appears ---------------------------------------------------------------------------------------------------------

cdef bint spot_of(StateBase m, object spot, int32_t* scope, int* x, int* y) except -1:
    """The lattice point that a card names; False if there is none."""
    cdef int kind = spot.kind, element = -1, i
    if kind == SPOT_AT:
        x[0], y[0] = spot.x, spot.y
        return True
    if kind == SPOT_CENTRE:
        x[0] = y[0] = LAST // 2
        return True
    if kind == SPOT_EDGE:
        i = spot.a
        x[0] = LAST if i == 1 else 0 if i == 3 else LAST // 2
        y[0] = LAST if i == 0 else 0 if i == 2 else LAST // 2
        return True
    if kind == SPOT_NEAR:
        element = scope[<int> spot.a]
    else:
        for i in range(FIGURES, DISCS + m.board.scenery.pieces):
            if element < 0 and exists(m, i) and tag_of(m, i) == <int> spot.a:
                element = i
    if not exists(m, element):
        return False
    if element < DISCS:
        x[0], y[0] = m.t.discs.x[element] // STEP, m.t.discs.y[element] // STEP
    else:
        i = m.board.scenery.piece_first[element - DISCS]
        x[0], y[0] = m.board.scenery.part[i].x // STEP, m.board.scenery.part[i].y // STEP
    return True


cdef int spawn_effect(StateBase m, int32_t* scope, object node) except -1:
    """Hostiles appear as near as possible to a spot (OLO-HOST-01, OLO-COMP-08, OLO-PLACE-02)."""
    cdef int x = 0, y = 0, i
    if not spot_of(m, node.spot, scope, &x, &y):
        return note(m, EVENT_EFFECT_SKIPPED, node.index)
    for i in range(value(m, node.n, scope)):
        spawn_hostile(m, node.profile, x, y)
    return 0


cdef int spawn_hostile(StateBase m, int profile, int x, int y) except -1:
    """A hostile at the nearest free place; nothing happens if there is none, or if ten are on the board."""
    cdef int index = -1, card = m.rules.profiles + profile, place, i
    cdef Figure* f
    place = nearest_free(&m.board.scenery, &m.t.discs, x, y, m.rules.card[card].radius)
    for i in range(FIGURES - 1, 5, -1):
        # An index that is free since this phase is taken last: something may still speak of who had it.
        if m.t.figure[i].where == ABSENT or m.t.figure[i].where == PLACE_OUT and (index < 0 or m.t.figure[index].where == PLACE_OUT):
            index = i
    if index < 0 or place < 0:
        return 0
    f = &m.t.figure[index]
    memset(f, 0, sizeof(Figure))
    f.player, f.card, f.gear = HOSTILE, card, -1
    f.acted = m.t.phase == HOSTILE_PHASE and not m.rules.spawn_acts
    set_down(m, index, place, m.rules.card[card].radius)
    refresh_specific(m)
    note(m, EVENT_HOSTILE_SPAWNED, index, profile, place >> 11, place & 2047)
    return raise_event(m, TRIGGER_ENTERED_BLOC, index, -1)


cdef int marker_effect(StateBase m, int32_t* scope, object node) except -1:
    """Put a marker, move one to a spot, or take one away."""
    cdef int element, x = 0, y = 0, radius, place
    if node.do == MARKER_PUT:
        if not spot_of(m, node.spot, scope, &x, &y) or not put_marker(m, node.tag, node.radius, -1, node.flag, x, y):
            note(m, EVENT_EFFECT_SKIPPED, node.index)
        return 0
    element = scope[<int> node.who]
    if not FIGURES <= element < DISCS or not exists(m, element):
        return note(m, EVENT_EFFECT_SKIPPED, node.index)
    if node.do == MARKER_REMOVE:
        m.t.discs.present &= ~(<unsigned long long> 1 << element)
        return note(m, EVENT_MARKER_REMOVED, element)
    if not spot_of(m, node.spot, scope, &x, &y):
        return note(m, EVENT_EFFECT_SKIPPED, node.index)
    radius = m.t.discs.r[element]
    m.t.discs.present &= ~(<unsigned long long> 1 << element)
    place = nearest_free(&m.board.scenery, &m.t.discs, x, y, radius)
    m.t.discs.present |= <unsigned long long> 1 << element
    if place >= 0:
        set_down(m, element, place, radius)
        note(m, EVENT_MARKER_MOVED, element, place >> 11, place & 2047)
    return 0


cdef int put_marker(StateBase m, int tag, int radius, int zone, bint tainted, int x, int y) except -1:
    """A new marker at the nearest free place, with the lowest free number; whether there is one (OLO-GEN-09)."""
    cdef int place = nearest_free(&m.board.scenery, &m.t.discs, x, y, radius), i
    for i in range(FIGURES, DISCS):
        if not m.t.discs.present >> i & 1:
            break
    else:
        return 0
    if place < 0:
        return 0
    m.t.mark[i].tag, m.t.mark[i].zone, m.t.mark[i].tainted = tag, zone, tainted
    set_down(m, i, place, radius)
    note(m, EVENT_MARKER_PLACED, i, place >> 11, place & 2047)
    return 1


# -- effects that roll -------------------------------------------------------------------------------------------------
# Effects of cards that roll characteristics, and that roll again.

# How far a roll is. EXTRA holds its dice and difficulty, EXTRA2 its successes, EXTRA3 what is added, EXTRA4 whether it
# was rolled again by fate.
cdef enum:
    EFFECT_ROLL_FRESH = 0
    EFFECT_ROLL_ROLLED = 1
    EFFECT_ROLL_ANSWERED = 2
    EFFECT_ROLL_FATE = 3
    EFFECT_ROLL_AGAIN = 4
    EFFECT_ROLL_COUNTED = 5


cdef Frame* attack_of(StateBase m, Frame* frame) noexcept:
    """The attack by a specific capacity to which the effects of a frame belong; NULL if they are none."""
    cdef Frame* below
    cdef int i
    for i in range(m.t.depth - 1, -1, -1):
        below = frame_at(m, i)
        if below.kind == F_ATTACK:
            return below if below.v[PROGRAM] >= 0 else NULL
        if below.kind != F_EFFECTS:
            return NULL
    return NULL


cdef int roll_effect(StateBase m, Frame* frame, object node, int code) except -1:
    """A characteristic roll with support and fate (OLO-ROLL, OLO-EFFECT_ROLL_FATE); reactions to the capacity are rolled with it."""
    cdef int who = frame.v[<int> node.who], stage = frame.v[STAGE], target = -1, of = node.of, taken
    cdef Frame* attack
    cdef Pool pool
    if of >= 0:
        target = frame.v[of]
    if stage == EFFECT_ROLL_FRESH:
        if not 0 <= who < FIGURES or not (on_bloc(m, who) or m.t.figure[who].where == PLACE_OFF):
            note(m, EVENT_EFFECT_SKIPPED, node.index)
            return next_effect(frame)
        pool = fixed_pool(
            m, who, node.stat, ROLE_ATTACKER, SPECIFIC + frame.v[SOURCE] if frame.v[SOURCE] >= 0 else SPECIFIC - 1,
            target if target >= 0 and exists(m, target) else -1, False, False,
        )
        frame.v[EXTRA], frame.v[EXTRA3], frame.v[EXTRA4] = pool.dice << 8 | pool.difficulty, pool.added, 0
        frame.v[STAGE] = EFFECT_ROLL_ROLLED
        return ask_roll(m, who, node.stat, pool.dice, pool.difficulty)
    attack = attack_of(m, frame)
    if stage == EFFECT_ROLL_ROLLED or stage == EFFECT_ROLL_ANSWERED:
        if stage == EFFECT_ROLL_ROLLED:
            frame.v[EXTRA2] = m.t.result
        elif rolled_dodge(attack):
            attack.v[DODGED] = m.t.result
        else:
            attack.v[RIPOSTED] = m.t.result
        frame.v[STAGE] = EFFECT_ROLL_ANSWERED if attack != NULL and roll_reactions(m, attack) else EFFECT_ROLL_FATE
        return 0
    if stage == EFFECT_ROLL_FATE:
        if frame.v[EXTRA] >> 8 and not frame.v[EXTRA4] and not is_hostile(m, who) and is_active(m, who):
            if code < 0:
                return ask(m, DECISION_FATE, m.t.figure[who].player)
            if code == VERB_YES:
                frame.v[EXTRA4], frame.v[STAGE] = 1, EFFECT_ROLL_AGAIN
                note(m, EVENT_FATE_TEMPTED, who)
                receive_noirceur(m, who, CHANGE_CAUSE_FATE)
                return 0 if m.t.over else ask_roll(m, who, node.stat, frame.v[EXTRA] >> 8, frame.v[EXTRA] & 255)
        frame.v[STAGE] = EFFECT_ROLL_COUNTED
        return raise_event(m, TRIGGER_ROLLED, who, target)
    if stage == EFFECT_ROLL_AGAIN:
        frame.v[EXTRA2], frame.v[STAGE] = m.t.result, EFFECT_ROLL_FATE
        return 0
    end_within(m, UNTIL_ROLL, roll_frame(m))
    frame.v[COUNT] = max(0, frame.v[EXTRA2] + frame.v[EXTRA3])
    if attack != NULL and who == attack.v[ATTACKER]:
        # What a dodge takes from one roll it does not take from the next (OLO-DODGE-01).
        taken = min(frame.v[COUNT], dodged(attack))
        frame.v[COUNT] -= taken
        attack.v[DODGE_ADDED] -= taken
    next_effect(frame)
    return run_program(m, node.then if frame.v[COUNT] else node.otherwise, frame.v, False)


# -- rolling again ------------------------------------------------------------------------------------------------------

cdef struct Rolled:
    # A roll that was made and not used yet: its frame, where its successes stand in it, who rolled, with what.
    Frame* frame
    int successes
    int roller
    int dice
    int difficulty
    int stat


cdef bint is_own_roll(StateBase m, object on, int32_t* scope, int roller, int role, int bit, int stat, int target) except -1:
    """Whether ``on`` means this roll."""
    cdef int who = on.who
    return (who < 0 or scope[who] == roller) and concerns_roll(m, on, scope, role, bit, stat, target)


cdef Rolled rolling(StateBase m, object on, int32_t* scope) except *:
    """The roll that triggered, or the reaction that was rolled with it, if ``on`` means it; without a frame if not."""
    cdef Rolled found = Rolled(NULL, 0, -1, 0, 0, 0)
    cdef Frame* frame
    cdef int i, who, bit, of, stat
    cdef bint counted = False
    for i in range(m.t.depth - 1, -1, -1):
        frame = frame_at(m, i)
        if frame.kind == F_EFFECTS and frame.v[STAGE] == EFFECT_ROLL_COUNTED and not counted and is_roll(m, frame):
            # Of a capacity that attacks, the reaction to it stands in the attack below.
            counted = True
            node = m.rules.programs[frame.v[RUNS]][frame.pc]
            who, of = frame.v[<int> node.who], node.of
            bit = SPECIFIC + frame.v[SOURCE] if frame.v[SOURCE] >= 0 else SPECIFIC - 1
            if is_own_roll(m, on, scope, who, ROLE_ATTACKER, bit, node.stat, frame.v[of] if of >= 0 else -1):
                return Rolled(frame, EXTRA2, who, frame.v[EXTRA] >> 8, frame.v[EXTRA] & 255, node.stat)
            if attack_of(m, frame) == NULL:
                return found
        elif frame.kind == F_WINDOW and not counted:
            if is_own_roll(m, on, scope, frame.v[REACTOR], ROLE_ATTACKER, USE_OPPORTUNITY, STAT_COMBAT, frame.v[USER]):
                found = Rolled(frame, SUCCESSES, frame.v[REACTOR], frame.v[DICE], frame.v[DIFFICULTY], STAT_COMBAT)
            return found
        elif frame.kind == F_ATTACK:
            who, of = frame.v[ATTACKER], frame.v[DEFENDER]
            bit, stat = attack_bit(m, frame), STAT_SHOOT if frame.v[ATTACK_KIND] == ATTACK_KIND_RANGED else STAT_COMBAT
            if not counted and is_own_roll(m, on, scope, who, ROLE_ATTACKER, bit, stat, of):
                return Rolled(frame, SUCCESSES, who, frame.v[DICE], frame.v[DIFFICULTY], stat)
            if frame.v[DODGE_DICE] and is_own_roll(m, on, scope, of, ROLE_DEFENDER, USE_DODGE, STAT_DODGE, who):
                return Rolled(frame, DODGED, of, frame.v[DODGE_DICE], frame.v[DODGE_DIFFICULTY], STAT_DODGE)
            if frame.v[RIPOSTE_DICE] and is_own_roll(m, on, scope, of, ROLE_DEFENDER, USE_RIPOSTE, frame.v[RIPOSTE_STAT], who):
                stat = frame.v[RIPOSTE_STAT]
                found = Rolled(frame, RIPOSTED, of, frame.v[RIPOSTE_DICE], frame.v[RIPOSTE_DIFFICULTY], stat)
            return found
    return found


cdef bint is_roll(StateBase m, const Frame* frame) except -1:
    """Whether a frame of effects is at a roll."""
    cdef tuple program = m.rules.programs[frame.v[RUNS]]
    return frame.pc < len(program) and program[frame.pc].op == OP_ROLL


cdef int dice_again(StateBase m, object node, int32_t* scope, Rolled* rolled) except -1:
    """The number of dice that an effect would roll again; the roll is put where ``rolled`` points."""
    cdef int count
    rolled[0] = rolling(m, node.on, scope)
    if rolled.frame == NULL:
        return 0
    count = rolled.dice
    if node.flag:
        count = max(0, count - rolled.frame.v[rolled.successes])
    return count if node.n is None else max(0, min(count, value(m, node.n, scope)))


cdef bint rerolls_nothing(StateBase m, int program, int32_t* scope) except -1:
    """Whether all that a list of effects does is to roll again, and there is nothing to be rolled again (OLO-CAP-08)."""
    cdef Rolled rolled
    for node in m.rules.programs[program]:
        if node.op != OP_REROLL or dice_again(m, node, scope, &rolled):
            return False
    return True


cdef int reroll_effect(StateBase m, Frame* frame, object node) except -1:
    """Roll again what triggered: all dice, or the failures only, so many at most."""
    cdef Rolled rolled
    cdef int count = dice_again(m, node, frame.v, &rolled), failures
    if frame.v[STAGE] == 0:
        if not count:
            note(m, EVENT_EFFECT_SKIPPED, node.index)
            return next_effect(frame)
        # Failures first: a player would not throw away a success.
        failures = max(0, rolled.dice - rolled.frame.v[rolled.successes])
        frame.v[EXTRA] = max(0, rolled.frame.v[rolled.successes] - max(0, count - failures)) if count < rolled.dice else 0
        frame.v[STAGE] = 1
        note(m, EVENT_ROLL_SET, rolled.roller, rolled.stat, count, rolled.difficulty)
        return ask_roll(m, rolled.roller, rolled.stat, count, rolled.difficulty)
    if rolled.frame != NULL:
        rolled.frame.v[rolled.successes] = frame.v[EXTRA] + m.t.result
    return next_effect(frame)

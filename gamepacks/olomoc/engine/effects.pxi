# The interpreter of card effects (section 6.7).

cdef inline int next_effect(Frame* frame) noexcept:
    # The effect of the program that comes after the present one, from its beginning.
    frame.pc += 1
    frame.v[STAGE] = 0
    return 0


# -- programs ----------------------------------------------------------------------------------------------------------
# Beginning the effects of a card, and effects that last.

cdef int run_program(StateBase s, int program, int32_t* scope, bint root) except -1:
    """Begin a list of effects in a scope; ``root``: it is the whole of a capacity or card, not a part of another list."""
    cdef Frame* frame
    if program < 0:
        return 0
    frame = push_frame(s, F_EFFECTS)
    memcpy(frame.v, scope, SCOPE * sizeof(int32_t))
    frame.v[RUNNING_PROGRAM], frame.v[STAGE], frame.v[IS_ROOT] = program, 0, root
    return 0


cdef int end_program(StateBase s) except -1:
    """Leave the list of effects on top, done or not. A capacity that attacks without a reaction window is an attack that ends here."""
    cdef int height = s.d.depth - 1
    if frame_at(s, height).v[IS_ROOT] and s.d.lasting_count:
        end_within(s, UNTIL_ATTACK, height)
        end_within(s, UNTIL_ROLL, height)
    return pop_frame(s, 1)


# -- effects that last ----------------------------------------------------------------------------------------------------

cdef int attack_frame(StateBase s) except -1:
    """The index of the stack frame of the attack that an effect for an attack or a roll applies to.

    That is the attack under way, or the attack before which the effect is listed, or the capacity that attacks without a
    reaction window. A capacity that answers to an event of an attack refers to that attack, whatever it does itself.
    """
    cdef Frame* frame
    cdef int i, own = 0
    for i in range(s.d.depth - 1, 0, -1):
        frame = frame_at(s, i)
        if frame.kind == F_ATTACK or frame.kind == F_WINDOW and attack_under_way(frame):
            return i
        if frame.kind != F_EFFECTS:
            continue
        if i < s.d.depth - 1 and frame.v[STAGE] and s.rules.programs[frame.v[RUNNING_PROGRAM]][frame.pc].op == OP_ATTACK:
            return i + 1
        if frame.v[IS_ROOT]:
            if not own:
                own = i
            if frame.v[ATTACKING] and not answers_attack(s, i - 1):
                return i
    return own


cdef bint answers_attack(StateBase s, int height) except -1:
    """Whether the frame above one answers to an event of an attack."""
    cdef int trigger
    if frame_at(s, height).kind == F_ATTACK:
        return True
    if frame_at(s, height).kind != F_TRIGGERS:
        return False
    trigger = answered(s, height)
    return trigger == TRIGGER_ATTACK_DECLARED or trigger == TRIGGER_ROLLED or trigger == TRIGGER_ATTACK_END


cdef int root_height(StateBase s) noexcept:
    """The height of the frame of the whole capacity or card that the effects on top belong to."""
    cdef int i = s.d.depth - 1
    while not frame_at(s, i).v[IS_ROOT]:
        i -= 1
    return i


cdef Frame* root_of(StateBase s) noexcept:
    return frame_at(s, root_height(s))


cdef int roll_frame(StateBase s) except -1:
    """The index of the frame that the roll of the effects on top belongs to: the attack that they make, or their own."""
    cdef Frame* below
    cdef int i = root_height(s)
    below = frame_at(s, i - 1)
    return i - 1 if below.kind == F_ATTACK and below.v[PROGRAM] == frame_at(s, i).v[RUNNING_PROGRAM] else i


cdef int add_lasting(StateBase s, object node, int32_t* scope) except -1:
    """Begin an effect that lasts; the same one of the same bearer on the same element begins anew.

    Begun by two bearers or players it lasts twice, but it does not add up (OLO-GEN-04).
    """
    cdef Lasting* one = NULL
    cdef Lasting* old
    cdef int subject = subject_of(node, scope), i
    cdef tuple values = values_of(s, node, scope)
    for i in range(s.d.lasting_count):
        old = lasting_at(s, i)
        if old.node == <int> node.index and old.subject == subject and old.owner == scope[OWNER] and old.bearer == scope[0]:
            one = old
    if one == NULL:
        one = new_lasting(s)
    one.node, one.subject, one.owner, one.bearer = node.index, subject, scope[OWNER], scope[0]
    one.until, one.cycle, one.phase = node.until, s.d.cycle, s.d.phase
    one.home = attack_frame(s) if one.until == UNTIL_ATTACK or one.until == UNTIL_ROLL else 0
    for i in range(3):
        one.value[i] = values[i]
    add_trace(s, EVENT_EFFECT_STARTED, node.index, subject)
    return 0


cdef int phase_effects_end(StateBase s) except -1:
    """End what ends with this phase; an effect until the end of the next phase began in an earlier one.

    After the fifth there is no next planning phase: such an effect lasts until the cycle ends (OLO-EOC-03). One for a card that no
    card ended (in the hostile phase, after both cards) does not outlast the phase (OLO-HPH-04).
    """
    cdef Lasting* one
    cdef int i
    for i in range(s.d.lasting_count):
        one = lasting_at(s, i)
        if one.until == UNTIL_NEXT_PHASE and one.phase != s.d.phase and s.d.phase != HOSTILE_PHASE:
            one.until = UNTIL_PHASE
    end_effects(s, UNTIL_CARD)
    end_effects(s, UNTIL_PHASE)
    if s.d.phase == HOSTILE_PHASE:
        end_effects(s, UNTIL_HOSTILE_PHASE)
    return 0


# -- effects -----------------------------------------------------------------------------------------------------------
# The effects of a list are carried out one after the other.
#
# A frame holds the scope (bound names and so on), the list, and the index of the present effect; STAGE is the stage of that effect.
# An effect that cannot be carried out is skipped (OLO-GEN-09). Effects that move or attack are in ``card_moves``, rolls in ``card_rolls``.

cdef int effects_step(StateBase s, Frame* frame, int code) except -1:
    """Carry out the present effect, or go on to the next one."""
    cdef tuple program = s.rules.programs[frame.v[RUNNING_PROGRAM]]
    cdef int op
    if frame.pc >= len(program):
        return end_program(s)
    node = program[frame.pc]
    op = node.op
    if op == OP_CHOOSE:
        return choose_effect(s, frame, node, code)
    if op == OP_EACH:
        return each_effect(s, frame, node, code)
    if op == OP_PICK:
        return pick_effect(s, frame, node)
    if op == OP_ACTIVATE:
        return activate_effect(s, frame, node)
    if op == OP_PUSH:
        return push_effect(s, frame, node)
    if op == OP_PLACE:
        return place_effect(s, frame, node)
    if op == OP_MOVE:
        return move_effect(s, frame, node)
    if op == OP_ATTACK:
        return attack_effect(s, frame, node, code)
    if op == OP_ROLL:
        return roll_effect(s, frame, node, code)
    if op == OP_REROLL:
        return reroll_effect(s, frame, node)
    if op == OP_DIE:
        return die_effect(s, frame, node)
    next_effect(frame)
    if op == OP_IF:
        return run_program(s, node.then if holds(s, node.cond, frame.v) else node.otherwise, frame.v, False)
    if op == OP_MECHANISM:
        frame = push_frame(s, F_MECHANISM)
        frame.v[MECHANISM_CAUSE], frame.v[CARDS] = CAUSE_EFFECT, node.n.a
        return 0
    if op == OP_SPAWN:
        return spawn_effect(s, frame.v, node)
    if op == OP_MARKER:
        return marker_effect(s, frame.v, node)
    if op == OP_PLAN:
        return change_plan(s, player_of(s, node.player, frame.v), chooser_of(s, frame.v), node.do, node.slots)
    if op == OP_SKIP:
        return skip_effect(s, frame, node.do)
    return plain_effect(s, frame, node, op)


cdef int change_token(StateBase s, object node, int token, int32_t* scope) except -1:
    """Add to a counter or set it."""
    cdef int before = s.d.tokens[token]
    s.d.tokens[token] = value(s, node.set, scope) if node.set is not None else before + value(s, node.n, scope)
    return add_trace(s, EVENT_TOKEN_CHANGED, token, before, s.d.tokens[token])


cdef int plain_effect(StateBase s, Frame* frame, object node, int op) except -1:
    """Carry out an effect that needs no decision and moves nothing."""
    cdef int who = node.who, number, i, element
    element = frame.v[who] if who >= 0 else -1
    if op in (OP_MOD, OP_STAT, OP_PROTECT, OP_FORBID, OP_PERMIT, OP_SIGHT):
        if who >= 0 and element < 0:
            return add_trace(s, EVENT_EFFECT_SKIPPED, node.index)
        return add_lasting(s, node, frame.v)
    if op == OP_PRIORITY:
        number = player_of(s, node.player, frame.v)
        if number >= 0 and number != s.d.priority:
            s.d.priority = number
            if between_cards(s):
                s.d.active = number
            add_trace(s, EVENT_PRIORITY_CHANGED, number)
        return 0
    if op == OP_TOKEN:
        if node.player < 0:
            return change_token(s, node, node.token, frame.v)
        for i in range(2):
            if node.player == PLAYER_BOTH or player_of(s, node.player, frame.v) == i:
                change_token(s, node, node.token + i, frame.v)
        return 0
    number = value(s, node.n, frame.v) if node.n is not None else 0
    if op == OP_TRAQUE:
        return change_traque(s, number, CHANGE_CAUSE_EFFECT)
    if op == OP_FIEL or op == OP_VP:
        hold_endings(s)
        for i in range(2):
            if node.player == PLAYER_BOTH or player_of(s, node.player, frame.v) == i:
                if op == OP_FIEL:
                    change_fiel(s, i, number, CHANGE_CAUSE_EFFECT)
                else:
                    change_vp(s, i, number)
        return release_endings(s)
    if op == OP_TAINT:
        return taint(s, element, node.flag)
    if op == OP_DESPAWN:
        return despawn(s, element)
    if not 0 <= element < FIGURES or not (on_bloc(s, element) or s.d.figure[element].where == PLACE_OFF):
        return add_trace(s, EVENT_EFFECT_SKIPPED, node.index)
    if op == OP_WOUND:
        # Without an author, nobody receives Noirceur for a loss (OLO-OUT-04).
        wound(s, element, number, frame.v[WHO_SELF], frame.v[ATTACKING] != 0, &root_of(s).v[REDUCED])
    elif op == OP_HEAL:
        heal(s, element, number)
    elif op == OP_NOIRCEUR:
        if number < 0:
            lose_noirceur(s, element, -number, CHANGE_CAUSE_EFFECT)
        for i in range(number):
            receive_noirceur(s, element, CHANGE_CAUSE_EFFECT)
    elif op == OP_STATE:
        set_state(s, element, node.state, node.flag)
    elif op == OP_AP:
        change_ap(s, element, number, CHANGE_CAUSE_EFFECT)
    return 0


cdef bint between_cards(StateBase s) noexcept:
    """Whether a Mechanism of the start or of a tie is carried out, in which only the priority holder is active (OLO-GEN-11)."""
    cdef int i
    for i in range(s.d.depth):
        if frame_at(s, i).kind == F_MECHANISM:
            return frame_at(s, i).v[MECHANISM_CAUSE] != CAUSE_EFFECT
    return False


cdef int taint(StateBase s, int element, bint tainted) except -1:
    """Make a marker or piece of scenery tainted or clean; figures that touch it already get no Noirceur (OLO-NOIR-05)."""
    if element >= DISCS and exists(s, element):
        if tainted:
            s.d.tainted_pieces |= <unsigned long long> 1 << (element - DISCS)
        else:
            s.d.tainted_pieces &= ~(<unsigned long long> 1 << (element - DISCS))
    elif FIGURES <= element < DISCS and exists(s, element):
        s.d.mark[element].tainted = tainted
    else:
        return 0
    return add_trace(s, EVENT_TAINT_CHANGED, element, tainted)


cdef int despawn(StateBase s, int element) except -1:
    """Remove a hostile or marker from the board, which is not a loss for the hunt."""
    if 0 <= element < FIGURES and is_hostile(s, element) and on_bloc(s, element):
        leave_board(s, element)
        add_trace(s, EVENT_HOSTILE_REMOVED, element)
    elif FIGURES <= element < DISCS and exists(s, element):
        s.d.discs.present &= ~(<unsigned long long> 1 << element)
        add_trace(s, EVENT_MARKER_REMOVED, element)
    return 0


cdef int skip_effect(StateBase s, Frame* frame, int what) except -1:
    """Skip a step of the rules."""
    cdef int i
    if what == SKIP_REST:
        # The rest of the whole capacity, from the innermost list to the outermost.
        while top(s).kind == F_EFFECTS:
            i = top(s).v[IS_ROOT]
            end_program(s)
            if i:
                break
        return 0
    for i in range(s.d.depth - 1, -1, -1):
        frame = frame_at(s, i)
        if frame.kind == F_ACTIVATION:
            frame.v[SKIPPED] |= 3 if what == SKIP_ENTRY else 4
            break
    return 0


cdef int die_effect(StateBase s, Frame* frame, object node) except -1:
    """Roll one die and bind its face; then run the list of that face, or the one for all faces."""
    if frame.v[STAGE] == 0:
        frame.v[STAGE] = 1
        return ask_die(s, node.sides)
    frame.v[FACE] = s.d.result
    next_effect(frame)
    return run_program(s, node.options[s.d.result - 1] if node.options else node.then, frame.v, False)


cdef int choose_effect(StateBase s, Frame* frame, object node, int code) except -1:
    """Let a player choose one of several lists (CHOOSE), or none if it may be declined (NO)."""
    cdef int chooser = player_of(s, node.by, frame.v)
    if code < 0:
        return ask(s, DECISION_CHOICE, chooser if chooser >= 0 else chooser_of(s, frame.v))
    next_effect(frame)
    if code == VERB_NO:
        return 0
    add_trace(s, EVENT_CHOICE_MADE, chooser, first_argument(code))
    return run_program(s, node.options[first_argument(code)], frame.v, False)


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


cdef int count_left(const Frame* frame) noexcept:
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


cdef int pick_effect(StateBase s, Frame* frame, object node) except -1:
    """Let a player choose elements one by one, fewer with ``up to`` or if fewer fit. The last one is bound."""
    cdef object sel = node.sel
    cdef int chooser
    cdef Elements fitting
    if frame.v[STAGE] == 0:
        frame.v[EXTRA], frame.v[EXTRA2], frame.v[EXTRA3] = value(s, sel.count, frame.v), 0, 0
        frame.v[<int> node.bind] = frame.v[WHO_PICKED] = -1
        store_elements(frame, Elements(0, 0))
    elif s.d.result >= 0:
        frame.v[<int> node.bind] = frame.v[WHO_PICKED] = s.d.result
        frame.v[EXTRA] -= 1
        store_elements(frame, joined(stored_elements(frame), s.d.result))
    else:
        frame.v[EXTRA] = 0
    fitting = select(s, sel, frame.v)
    fitting.discs &= ~stored_elements(frame).discs
    fitting.pieces &= ~stored_elements(frame).pieces
    fitting = narrowed(s, sel, frame.v, fitting)
    if frame.v[EXTRA] <= 0 or not count_of(fitting):
        next_effect(frame)
        return 0
    frame.v[STAGE] = 1
    chooser = player_of(s, sel.by, frame.v)
    return ask_pick(
        s, DECISION_PICK, chooser if chooser >= 0 else chooser_of(s, frame.v), fitting.discs, fitting.pieces, sel.up_to
    )


cdef Elements joined(Elements elements, int element) noexcept:
    if element < DISCS:
        elements.discs |= <unsigned long long> 1 << element
    else:
        elements.pieces |= <unsigned long long> 1 << (element - DISCS)
    return elements


cdef int each_effect(StateBase s, Frame* frame, object node, int code) except -1:
    """Carry out effects for every element that fits now.

    Effects without a decision, chance or change of place hit all elements at once (OLO-END-05); for others the owner chooses
    the next element each time.
    """
    cdef Elements left
    cdef int element, count
    cdef bint plain = s.rules.plain_program[<int> node.then]
    if frame.v[STAGE] == 0:
        frame.v[STAGE] = 1
        store_elements(frame, narrowed(s, node.sel, frame.v, select(s, node.sel, frame.v)))
        if plain:
            hold_endings(s)
    left = stored_elements(frame)
    count = count_of(left)
    if count == 0:
        next_effect(frame)
        if plain:
            release_endings(s)
        return 0
    element = nth(left, 0)
    if not plain and count > 1:
        if code < 0:
            return ask(s, DECISION_ORDER, chooser_of(s, frame.v))
        element = nth(left, first_argument(code))
    store_elements(frame, without(left, element))
    frame.v[<int> node.bind] = element
    return run_program(s, node.then, frame.v, False)


cdef int activate_effect(StateBase s, Frame* frame, object node) except -1:
    """Run hostiles (OLO-HPH-03), or activate a rouage, without coordination."""
    cdef Elements fitting
    cdef int chooser = player_of(s, node.by, frame.v), element
    if chooser < 0:
        chooser = chooser_of(s, frame.v)
    if node.sel is None:
        element = frame.v[<int> node.who]
        next_effect(frame)
        return activate_by_effect(s, element, chooser)
    if frame.v[STAGE] == 0:
        frame.v[EXTRA] = value(s, node.n, frame.v)
        store_elements(frame, Elements(0, 0))
    elif frame.v[STAGE] == 1:
        element = s.d.result
        frame.v[EXTRA] -= 1
        store_elements(frame, joined(stored_elements(frame), element))
        frame.v[STAGE] = 2
        return activate_by_effect(s, element, chooser)
    fitting = select(s, node.sel, frame.v)
    fitting.discs &= ~stored_elements(frame).discs & ((1 << FIGURES) - 1)
    fitting = narrowed(s, node.sel, frame.v, fitting)
    if frame.v[EXTRA] <= 0 or not fitting.discs:
        next_effect(frame)
        return 0
    frame.v[STAGE] = 1
    return ask_pick(s, DECISION_PICK, chooser, fitting.discs, 0, False)


cdef int activate_by_effect(StateBase s, int element, int player) except -1:
    cdef Frame* frame
    if not 0 <= element < FIGURES:
        return 0
    if is_hostile(s, element):
        if on_bloc(s, element):
            frame = push_frame(s, F_HOSTILE)
            frame.v[USER], frame.v[RUNNER] = element, player
    elif on_bloc(s, element) or s.d.figure[element].where == PLACE_OFF:
        frame = push_frame(s, F_ACTIVATION)
        frame.v[MAIN], frame.v[OTHER], frame.v[BY] = element, -1, ACTIVATED_BY_EFFECT
    return 0

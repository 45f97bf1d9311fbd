"""The interpreter of card effects (section 6.7): one list of effects, one after the other.

A frame holds the scope (bound names and so on), the list, and how far it is; STAGE tells how far the present effect is.
What cannot be carried out is skipped (OLO-GEN-09). Effects that move or attack are in ``card_moves``, rolls in ``card_rolls``.
"""

from libc.stdint cimport int32_t

from cext.geometry.board cimport DISCS, FIGURES, lowest
from gamepacks.olomoc.engine.asking cimport ask_die, ask_pick, first_argument
from gamepacks.olomoc.engine.card_moves cimport attack_effect, marker_effect, move_effect, place_effect, push_effect, spawn_effect
from gamepacks.olomoc.engine.card_rolls cimport reroll_effect, roll_effect
from gamepacks.olomoc.engine.facts cimport exists
from gamepacks.olomoc.engine.harm cimport (
    change_ap, change_fiel, change_traque, change_vp, heal, hold_endings, leave_board, lose_noirceur, receive_noirceur,
    release_endings, set_state, wound,
)
from gamepacks.olomoc.engine.planning cimport change_plan
from gamepacks.olomoc.engine.programs cimport add_lasting, end_program, next_effect, root_of, run_program
from gamepacks.olomoc.engine.query cimport Elements, chooser_of, count_of, holds, narrowed, player_of, select, value
from gamepacks.olomoc.engine.table cimport (
    ATTACKING, BLOC, BY, CARDS, COUNT, D_CHOICE, D_ORDER, D_PICK, EXTRA, EXTRA2, EXTRA3, F_ACTIVATION, F_EFFECTS, F_HOSTILE,
    F_MECHANISM, FACE, FROM_TRIGGER, REDUCED, HELD, HELD_HIGH, HELD_PIECES, HELD_PIECES_HIGH, MAIN, OFF, OTHER, RUNNER, RUNS, SKIPPED, STAGE,
    USER, V_NO, WHY, ask, frame_at, is_hostile, note, on_bloc, push_frame, top,
)
from gamepacks.olomoc.terms cimport (
    BOTH_PLAYERS, CAUSE_EFFECT, N_CHOICE_MADE, N_EFFECT_SKIPPED, N_HOSTILE_REMOVED, N_MARKER_REMOVED, N_PRIORITY_CHANGED,
    N_TAINT_CHANGED, N_TOKEN_CHANGED, OP_ACTIVATE, OP_AP, OP_ATTACK, OP_CHOOSE, OP_DESPAWN, OP_DIE, OP_EACH, OP_FIEL, OP_FORBID,
    OP_HEAL, OP_IF, OP_MARKER, OP_MECHANISM, OP_MOD, OP_MOVE, OP_NOIRCEUR, OP_PERMIT, OP_PICK, OP_PLACE, OP_PLAN, OP_PRIORITY,
    OP_PROTECT, OP_PUSH, OP_REROLL, OP_ROLL, OP_SIGHT, OP_SKIP, OP_SPAWN, OP_STAT, OP_STATE, OP_TAINT, OP_TOKEN, OP_TRAQUE, OP_VP,
    OP_WOUND, P_ALL, P_CHOOSE, SKIP_ACTIVATION, SKIP_ENTRY, SKIP_REST, WHO_PICKED, WHO_SELF, WHY_EFFECT,
)


cdef int effects_step(OlomocTable m, Frame* frame, int code) except -1:
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


cdef int change_token(OlomocTable m, object node, int token, int32_t* scope) except -1:
    """Add to a counter or set it."""
    cdef int before = m.t.tokens[token]
    m.t.tokens[token] = value(m, node.set, scope) if node.set is not None else before + value(m, node.n, scope)
    return note(m, N_TOKEN_CHANGED, token, before, m.t.tokens[token])


cdef int plain_effect(OlomocTable m, Frame* frame, object node, int op) except -1:
    """Effects that ask nobody and move nothing."""
    cdef int who = node.who, number, i, element
    element = frame.v[who] if who >= 0 else -1
    if op in (OP_MOD, OP_STAT, OP_PROTECT, OP_FORBID, OP_PERMIT, OP_SIGHT):
        if who >= 0 and element < 0:
            return note(m, N_EFFECT_SKIPPED, node.index)
        return add_lasting(m, node, frame.v)
    if op == OP_PRIORITY:
        number = player_of(m, node.player, frame.v)
        if number >= 0 and number != m.t.priority:
            m.t.priority = number
            if between_cards(m):
                m.t.active = number
            note(m, N_PRIORITY_CHANGED, number)
        return 0
    if op == OP_TOKEN:
        if node.player < 0:
            return change_token(m, node, node.token, frame.v)
        for i in range(2):
            if node.player == BOTH_PLAYERS or player_of(m, node.player, frame.v) == i:
                change_token(m, node, node.token + i, frame.v)
        return 0
    number = value(m, node.n, frame.v) if node.n is not None else 0
    if op == OP_TRAQUE:
        return change_traque(m, number, WHY_EFFECT)
    if op == OP_FIEL or op == OP_VP:
        hold_endings(m)
        for i in range(2):
            if node.player == BOTH_PLAYERS or player_of(m, node.player, frame.v) == i:
                if op == OP_FIEL:
                    change_fiel(m, i, number, WHY_EFFECT)
                else:
                    change_vp(m, i, number)
        return release_endings(m)
    if op == OP_TAINT:
        return taint(m, element, node.flag)
    if op == OP_DESPAWN:
        return despawn(m, element)
    if not 0 <= element < FIGURES or not (on_bloc(m, element) or m.t.figure[element].where == OFF):
        return note(m, N_EFFECT_SKIPPED, node.index)
    if op == OP_WOUND:
        # Without an author, nobody receives Noirceur for a loss (OLO-OUT-04).
        wound(m, element, number, frame.v[WHO_SELF], frame.v[ATTACKING] != 0, &root_of(m).v[REDUCED])
    elif op == OP_HEAL:
        heal(m, element, number)
    elif op == OP_NOIRCEUR:
        if number < 0:
            lose_noirceur(m, element, -number, WHY_EFFECT)
        for i in range(number):
            receive_noirceur(m, element, WHY_EFFECT)
    elif op == OP_STATE:
        set_state(m, element, node.state, node.flag)
    elif op == OP_AP:
        change_ap(m, element, number, WHY_EFFECT)
    return 0


cdef bint between_cards(OlomocTable m) noexcept:
    """Whether a Mechanism of the start or of a tie is carried out: no player is active but the priority holder (OLO-GEN-11)."""
    cdef int i
    for i in range(m.t.depth):
        if frame_at(m, i).kind == F_MECHANISM:
            return frame_at(m, i).v[WHY] != CAUSE_EFFECT
    return False


cdef int taint(OlomocTable m, int element, bint tainted) except -1:
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
    return note(m, N_TAINT_CHANGED, element, tainted)


cdef int despawn(OlomocTable m, int element) except -1:
    """A hostile or marker leaves the board; that is no loss for the hunt."""
    if 0 <= element < FIGURES and is_hostile(m, element) and on_bloc(m, element):
        leave_board(m, element)
        note(m, N_HOSTILE_REMOVED, element)
    elif FIGURES <= element < DISCS and exists(m, element):
        m.t.discs.present &= ~(<unsigned long long> 1 << element)
        note(m, N_MARKER_REMOVED, element)
    return 0


cdef int skip_effect(OlomocTable m, Frame* frame, int what) except -1:
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


cdef int die_effect(OlomocTable m, Frame* frame, object node) except -1:
    """One die: its face is bound; by a table, or one list for all faces."""
    if frame.v[STAGE] == 0:
        frame.v[STAGE] = 1
        return ask_die(m, node.sides)
    frame.v[FACE] = m.t.result
    next_effect(frame)
    return run_program(m, node.options[m.t.result - 1] if node.options else node.then, frame.v, False)


cdef int choose_effect(OlomocTable m, Frame* frame, object node, int code) except -1:
    """A player chooses one of several lists (CHOOSE), or none where it may be declined (NO)."""
    cdef int chooser = player_of(m, node.by, frame.v)
    if code < 0:
        return ask(m, D_CHOICE, chooser if chooser >= 0 else chooser_of(m, frame.v))
    next_effect(frame)
    if code == V_NO:
        return 0
    note(m, N_CHOICE_MADE, chooser, first_argument(code))
    return run_program(m, node.options[first_argument(code)], frame.v, False)


cdef int hold(Frame* frame, Elements elements) noexcept:
    """Keep elements that are still to be served."""
    frame.v[HELD], frame.v[HELD_HIGH] = <int> elements.discs, <int> (elements.discs >> 32)
    frame.v[HELD_PIECES], frame.v[HELD_PIECES_HIGH] = <int> elements.pieces, <int> (elements.pieces >> 32)
    return 0


cdef Elements held(const Frame* frame) noexcept:
    cdef Elements elements
    elements.discs = <unsigned long long> <unsigned int> frame.v[HELD] | <unsigned long long> <unsigned int> frame.v[HELD_HIGH] << 32
    elements.pieces = (
        <unsigned long long> <unsigned int> frame.v[HELD_PIECES]
        | <unsigned long long> <unsigned int> frame.v[HELD_PIECES_HIGH] << 32
    )
    return elements


cdef int effects_left(const Frame* frame) noexcept:
    """How many elements are still to be served."""
    return count_of(held(frame))


cdef list elements_left(const Frame* frame):
    """The elements that are still to be served, ascending."""
    cdef Elements elements = held(frame)
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


cdef int pick_effect(OlomocTable m, Frame* frame, object node) except -1:
    """Choose elements one by one; with up to (or none fitting) fewer. The last one is bound."""
    cdef object sel = node.sel
    cdef int chooser
    cdef Elements fitting
    if frame.v[STAGE] == 0:
        frame.v[EXTRA], frame.v[EXTRA2], frame.v[EXTRA3] = value(m, sel.count, frame.v), 0, 0
        frame.v[<int> node.bind] = frame.v[WHO_PICKED] = -1
        hold(frame, Elements(0, 0))
    elif m.t.result >= 0:
        frame.v[<int> node.bind] = frame.v[WHO_PICKED] = m.t.result
        frame.v[EXTRA] -= 1
        hold(frame, joined(held(frame), m.t.result))
    else:
        frame.v[EXTRA] = 0
    fitting = select(m, sel, frame.v)
    fitting.discs &= ~held(frame).discs
    fitting.pieces &= ~held(frame).pieces
    fitting = narrowed(m, sel, frame.v, fitting)
    if frame.v[EXTRA] <= 0 or not count_of(fitting):
        next_effect(frame)
        return 0
    frame.v[STAGE] = 1
    chooser = player_of(m, sel.by, frame.v)
    return ask_pick(
        m, D_PICK, chooser if chooser >= 0 else chooser_of(m, frame.v), fitting.discs, fitting.pieces, sel.up_to
    )


cdef Elements joined(Elements elements, int element) noexcept:
    if element < DISCS:
        elements.discs |= <unsigned long long> 1 << element
    else:
        elements.pieces |= <unsigned long long> 1 << (element - DISCS)
    return elements


cdef int each_effect(OlomocTable m, Frame* frame, object node, int code) except -1:
    """The same for every element that fits now.

    Where it asks nothing, moves nothing and leaves nothing to chance, it hits all at once (OLO-END-05); else the owner sets
    the order, one by one.
    """
    cdef Elements left
    cdef int element, count
    cdef bint plain = m.rules.plain_program[<int> node.then]
    if frame.v[STAGE] == 0:
        frame.v[STAGE] = 1
        hold(frame, narrowed(m, node.sel, frame.v, select(m, node.sel, frame.v)))
        if plain:
            hold_endings(m)
    left = held(frame)
    count = count_of(left)
    if count == 0:
        next_effect(frame)
        if plain:
            release_endings(m)
        return 0
    element = nth(left, 0)
    if not plain and count > 1:
        if code < 0:
            return ask(m, D_ORDER, chooser_of(m, frame.v))
        element = nth(left, first_argument(code))
    hold(frame, without(left, element))
    frame.v[<int> node.bind] = element
    return run_program(m, node.then, frame.v, False)


cdef int activate_effect(OlomocTable m, Frame* frame, object node) except -1:
    """Run hostiles (OLO-HPH-03), or activate a rouage, without coordination."""
    cdef Elements fitting
    cdef int chooser = player_of(m, node.by, frame.v), element
    if chooser < 0:
        chooser = chooser_of(m, frame.v)
    if node.sel is None:
        element = frame.v[<int> node.who]
        next_effect(frame)
        return activate(m, element, chooser)
    if frame.v[STAGE] == 0:
        frame.v[EXTRA] = value(m, node.n, frame.v)
        hold(frame, Elements(0, 0))
    elif frame.v[STAGE] == 1:
        element = m.t.result
        frame.v[EXTRA] -= 1
        hold(frame, joined(held(frame), element))
        frame.v[STAGE] = 2
        return activate(m, element, chooser)
    fitting = select(m, node.sel, frame.v)
    fitting.discs &= ~held(frame).discs & ((1 << FIGURES) - 1)
    fitting = narrowed(m, node.sel, frame.v, fitting)
    if frame.v[EXTRA] <= 0 or not fitting.discs:
        next_effect(frame)
        return 0
    frame.v[STAGE] = 1
    return ask_pick(m, D_PICK, chooser, fitting.discs, 0, False)


cdef int activate(OlomocTable m, int element, int player) except -1:
    cdef Frame* frame
    if not 0 <= element < FIGURES:
        return 0
    if is_hostile(m, element):
        if on_bloc(m, element):
            frame = push_frame(m, F_HOSTILE)
            frame.v[USER], frame.v[RUNNER] = element, player
    elif on_bloc(m, element) or m.t.figure[element].where == OFF:
        frame = push_frame(m, F_ACTIVATION)
        frame.v[MAIN], frame.v[OTHER], frame.v[BY] = element, -1, 2
    return 0

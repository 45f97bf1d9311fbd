"""Checks of the numbers of a position's frames together, with the card set and with what is on the table.

A stack that passes here can be carried out to the end: every number that the engine takes from a frame is one that it
could have put there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from gamepacks.api.errors import Fault
from gamepacks.olomoc.codes import MINISTRY, PROPAGANDA
from gamepacks.olomoc.constants import PROFILE_CAPACITY, Act, ActivatedBy, AttackKind, Op, Tactic, Trigger
from gamepacks.olomoc.positions import frames as at
from gamepacks.olomoc.positions.frames import CHARGES, ENTERS, MOVES, PLACES, PUSHES, Kind
from gamepacks.olomoc.positions.stack import FIGURES, Layer, Stack
from gamepacks.olomoc.ruleset import Node

REST, MARCH, FRONTAL, RANGED, CHARGE, ENTERING = 0, 1, 2, 3, 4, 8
SPECIFIC = PROFILE_CAPACITY
Wrong = tuple[int | None, str]
"""A place of a frame (None for the whole frame), and what is wrong there."""


def meaning_faults(stack: Stack) -> Iterator[Fault]:
    """Every fault of the frames of a stack that has none by itself."""
    for layer in stack.layers:
        if layer.kind in _MEANINGS:
            for place, message in _MEANINGS[layer.kind](stack, layer):
                where = f"frames[{layer.number}]"
                yield Fault(where if place is None else f"{where}.values[{place}]", message)


def _runs(stack: Stack, layer: Layer, *programs: int) -> Iterator[Wrong]:
    """The effects that lie on a frame must be some of these."""
    above = stack.above(layer)
    if above is not None and above.kind == Kind.EFFECTS and above[at.RUNS] not in programs:
        yield None, "runs other effects than its card says"


# -- what numbers mean together --------------------------------------------------------------------------------------


def _phase(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    if (layer[at.FIRST] >= 0) != (layer.pc >= 3):
        yield at.FIRST, "is known once the cards are played, and not before"


def _mechanism(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    card = stack.values["open_card"]
    if layer.pc == 0 and stack.above(layer) is None and not layer[at.CARDS]:
        yield at.CARDS, "no card is to be drawn"
    elif layer.pc == 1:
        if card < 0:
            yield None, "no card is open"
        else:
            yield from _runs(stack, layer, stack.ruleset.artefacts[card].program)


def _card(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    player = layer[at.PLAYER]
    phase, above = stack.below(layer), stack.above(layer)
    if player != (phase[at.FIRST] if phase.pc == 3 else 1 - phase[at.FIRST]) or player != stack.values["active"]:
        yield at.PLAYER, "is not the active player"
        return
    card = stack.values["plan"][6 * player + stack.values["phase"]]
    if card >= MINISTRY:
        if layer.pc != 2 and (above is None or above.kind != Kind.EFFECTS):
            yield None, "the card is a ministry"
        yield from _runs(stack, layer, stack.ruleset.ministries[card - MINISTRY].program)
    elif above is not None and above.kind == Kind.EFFECTS:
        yield None, "the card is no ministry"
    elif layer.pc >= 3 and card != PROPAGANDA:
        yield None, "the card is no Propaganda"
    elif layer.pc == 4 and (layer[at.CHOSEN] // 3 != player or not stack.in_play(layer[at.CHOSEN])):
        yield at.CHOSEN, "is no rouage of the player in play"


def _activation(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    main, other, above = layer[at.MAIN], layer[at.OTHER], stack.above(layer)
    below = stack.below(layer)
    if (layer[at.BY] == ActivatedBy.EFFECT) != (below.kind == Kind.EFFECTS):
        yield at.BY, "is not what activates it"
    if below.kind == Kind.CARD and main // 3 != below[at.PLAYER]:
        yield at.MAIN, "is no rouage of the active player"
    if other >= 0 and (other == main or other // 3 != main // 3):
        yield at.OTHER, "cannot be coordinated by the main rouage"
    if layer.pc == 2:
        figure = other if layer[at.ENTERED] >> 2 else main
        if above is not None and above[at.ELEMENT] != figure:
            yield at.ENTERED, "is not who enters"
    elif layer[at.ENTERED] >> 2:
        yield at.ENTERED, "nobody enters"
    if above is not None and above.kind == Kind.CAPACITY and above[at.USER] not in (main, other):
        yield at.MAIN, "is not who uses the capacity"


def _capacity(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    slot, above = layer[at.SLOT], stack.above(layer)
    generic = {1: (REST,), 2: (MARCH,), 4: (FRONTAL, RANGED), 5: (CHARGE,), 6: (CHARGE,), 7: (ENTERING,)}
    if slot < SPECIFIC:
        allowed = generic.get(layer.pc, (REST, MARCH, FRONTAL, RANGED, CHARGE, ENTERING))
        if slot not in allowed or layer[at.USER] >= 6:
            yield at.SLOT, "is no capacity that waits for this"
        if layer.pc == 6:
            yield from _aimed(stack, layer, layer[at.USER], at.TARGET)
        yield from _runs(stack, layer)
        return
    capacity = stack.capacity_at(layer[at.USER], slot)
    if capacity is None or not capacity.active:
        yield at.SLOT, "is no active capacity of the rouage"
    elif layer.pc in generic and (layer.pc != 4 or capacity.target is None):
        yield at.SLOT, "is no capacity that waits for this"
    else:
        yield from _runs(stack, layer, capacity.program)
        if above is not None and above.kind == Kind.MOVE:
            yield None, "the capacity is no march"


def _aimed(stack: Stack, layer: Layer, one: int, place: int) -> Iterator[Wrong]:
    """At a place there must be another figure."""
    if not 0 <= layer[place] < FIGURES or layer[place] == one:
        yield place, "is no other rouage"


def _window(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    if layer.pc >= 2:
        yield from _aimed(stack, layer, layer[at.USER], at.REACTOR)
    yield from _pools(layer, (at.DICE, at.DIFFICULTY))


def _attack(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    slot, program, pc = layer[at.ATTACK_SLOT], layer[at.PROGRAM], layer.pc
    yield from _aimed(stack, layer, layer[at.ATTACKER], at.DEFENDER)
    yield from _pools(
        layer,
        (at.DICE, at.DIFFICULTY),
        (at.DODGE_DICE, at.DODGE_DIFFICULTY),
        (at.RIPOSTE_DICE, at.RIPOSTE_DIFFICULTY),
    )
    if slot < SPECIFIC:
        if slot not in (FRONTAL, RANGED, CHARGE) or program != -1 or pc >= 16:
            yield at.ATTACK_SLOT, "is no attack"
        elif (slot == RANGED) != (layer[at.ATTACK_KIND] == AttackKind.RANGED):
            yield at.ATTACK_KIND, "is not the kind of that attack"
    else:
        capacity = stack.capacity_at(layer[at.ATTACKER], slot)
        if capacity is None or capacity.program != program or capacity.attack != layer[at.ATTACK_KIND]:
            yield at.ATTACK_SLOT, "is no attack of the rouage"
        elif 4 <= pc <= 12:
            yield None, "a capacity runs its effects instead"
    yield from _reactions(stack, layer)
    if pc == 10 and (layer[at.ATTACKER] >= 6 or layer[at.NET] < 1):
        yield at.NET, "leaves no tactic to choose"
    above = stack.above(layer)
    if pc == 11 and above is not None:
        pushed = layer[at.ATTACKER] if layer[at.TACTIC_TAKEN] == Tactic.PUSH_SELF + 1 else layer[at.DEFENDER]
        if above[at.ELEMENT] != pushed:
            yield at.TACTIC_TAKEN, "is not who is pushed"


def _reactions(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    """The reactions that were declared, and the effects of one that is a capacity."""
    reaction, program = layer[at.REACTION], layer[at.PROGRAM]
    if reaction < SPECIFIC:
        if reaction > 3:
            yield at.REACTION, "is no reaction"
        yield from _runs(stack, layer, program if layer.pc == 16 else -1)
        return
    capacity = stack.capacity_at(layer[at.DEFENDER], reaction)
    if capacity is None or capacity.trigger != Trigger.REACTION:
        yield at.REACTION, "is no reaction of the defender"
    else:
        yield from _runs(stack, layer, program if layer.pc == 16 else capacity.program)


def _triggers(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    count = layer[at.ITEM_COUNT]
    first, running = stack.group(layer)
    now = running[at.ITEM]
    if layer.pc == at.FULL:
        if count != at.MAX_ITEMS or layer[at.ITEM] != -1:
            yield at.ITEM_COUNT, "is not full"
            return
    elif (now >= 0) != (layer.pc >= 2) or now >= first + count:
        yield at.ITEM, "is none of those that wait"
        return
    now -= first
    if any(layer.values[at.ITEMS + 2 * count :]):
        yield at.ITEM_COUNT, "more capacities wait"
    for number in range(count):
        place = at.ITEMS + 2 * number
        item, names = layer[place], layer[place + 1]
        if item == -1 and number != now:
            continue
        bearer, k = (item >> 8) - 1, item & 255
        known = item >= 0 and (bearer < 0 or bearer in stack.figures)
        capacities = list(stack.specific(bearer).values()) if known else []
        if k >= len(capacities):
            yield place, "is no capacity that is there"
            continue
        capacity = capacities[k]
        one, two = (names >> 8 & 255) - 1, (names & 255) - 1
        if capacity.active or names >> 16 != capacity.trigger or max(one, two) > 127:
            yield place + 1, "is nothing that the capacity answers to"
        elif any(0 <= name < FIGURES and name not in stack.figures for name in (one, two)):
            yield place + 1, "speaks of a rouage that is not there"
        elif number == now:
            yield from _runs(stack, running, capacity.program)
            if running.pc == 3 and capacity.target is None:
                yield place, "needs no target"
            above = stack.above(running)
            if above is not None and above.kind == Kind.ATTACK and above[at.ATTACKER] != bearer:
                yield place, "is not who attacks"


def _hostile(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    card = stack.cards[stack.figures[layer[at.USER]]["card"]]
    above = stack.above(layer)
    if layer[at.ACTS] > card.acts:
        yield at.ACTS, f"it acts {card.acts} times"
    if layer[at.LINE] >= max(1, len(card.instinct)):
        yield at.LINE, "its Instinct has no such line"
        return
    if layer.pc >= 2 or (above is not None and above.kind != Kind.TRIGGERS):
        line = card.instinct[layer[at.LINE]] if card.instinct else None
        ways = {Act.MOVE: MOVES, Act.CHARGE: CHARGES}
        if line is None or line.act == Act.STOP:
            yield at.LINE, "is no line that acts"
        elif layer.pc == 3 and above is not None and above[at.WAY_KIND] != ways.get(line.act, -1):
            yield at.LINE, "goes nowhere"
        elif layer.pc == 4 and line.act != Act.CHARGE:
            yield at.LINE, "is no charge"
        elif above is not None and above.kind == Kind.CAPACITY:
            capacity = stack.capacity_at(layer[at.USER], above[at.SLOT])
            if line.act != Act.USE or capacity is None or capacity.index != line.capacity:
                yield at.LINE, "uses another capacity"
    if layer.pc >= 3:
        yield from _aimed(stack, layer, layer[at.USER], at.AIM)


# -- questions -------------------------------------------------------------------------------------------------------


def _go(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    way, element, about = layer[at.WAY_KIND], layer[at.ELEMENT], layer[at.ABOUT]
    enters = way == ENTERS
    if enters and not (element < 6 and stack.is_off(element)):
        yield at.ELEMENT, "is no rouage off the board"
    elif not enters and not stack.exists(element) and not (way == PLACES and stack.is_off(element)):
        yield at.ELEMENT, "is not on the board"
    if enters and about != stack.values["line"][min(element, 5) // 3]:
        yield at.ABOUT, "is not the deployment line"
    elif way == PLACES and not stack.exists(about) and about != element:
        yield at.ABOUT, "is not on the board"
    elif way == CHARGES and (element >= FIGURES or about == element or not (about < FIGURES and stack.exists(about))):
        yield at.ABOUT, "is nobody to be charged"
    elif way in (MOVES, PUSHES) and about != -1:
        yield at.ABOUT, "names nothing here"
    if way == PLACES and layer[at.DISTANCE] < -1:
        yield at.DISTANCE, "is no distance"
    if layer[at.WORD] and (layer[at.COMPASS] == element or not stack.exists(layer[at.COMPASS])):
        yield at.COMPASS, "is nothing to go towards or away from"


def _pick(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    discs = _mask(layer[at.LOW], layer[at.HIGH])
    pieces = _mask(layer[at.PIECES_LOW], layer[at.PIECES_HIGH])
    there = [*stack.marks, *(figure for figure in stack.figures if stack.in_play(figure))]
    below = stack.below(layer)
    if not (discs or pieces) or discs & ~sum(1 << element for element in there) or pieces >> stack.pieces:
        yield at.LOW, "must be elements that are there"
    elif below.kind == Kind.EFFECTS and _node(stack, below).op == Op.ACTIVATE:
        if pieces or discs >> FIGURES:
            yield at.LOW, "must be rouages"
    elif below.kind == Kind.HOSTILE or (below.kind == Kind.CAPACITY and _attacks(stack, below)):
        others = sum(1 << figure for figure in stack.figures if stack.exists(figure) and figure != below[at.USER])
        if pieces or discs & ~others:
            yield at.LOW, "must be other rouages on the board"


def _attacks(stack: Stack, layer: Layer) -> bool:
    """Whether the capacity of a frame is an attack on one target."""
    capacity = stack.capacity_at(layer[at.USER], layer[at.SLOT])
    return capacity is None or capacity.attack in (AttackKind.FRONTAL, AttackKind.RANGED)


# -- running effects -------------------------------------------------------------------------------------------------


def _node(stack: Stack, layer: Layer) -> Node:
    return stack.ruleset.programs[layer[at.RUNS]][layer.pc]


def _effects(stack: Stack, layer: Layer) -> Iterator[Wrong]:
    program, above = stack.ruleset.programs[layer[at.RUNS]], stack.above(layer)
    if not -1 <= layer[at.SOURCE] < len(stack.ruleset.capacities):
        yield at.SOURCE, "is no capacity"
    if layer[at.OWNER] == 2 and not (layer[0] >= 6 or layer[0] < 0):
        yield at.OWNER, "is not whose it is"
    if layer[at.STAGE] == 0:
        if above is not None and above.kind != Kind.TRIGGERS:
            node = program[layer.pc - 1]
            yield from _runs(stack, layer, node.then, node.otherwise, *node.options)
            if above.kind == Kind.ATTACK and (node.who < 0 or above[at.ATTACKER] != layer[node.who]):
                yield node.who, "is not who attacks"
        return
    node = program[layer.pc]
    who = layer[node.who] if node.who >= 0 else -1
    if above is not None and above.kind == Kind.GO and above[at.ELEMENT] != who:
        yield node.who, "is not who goes"
    if node.op == Op.ATTACK:
        if not 0 <= who < FIGURES:
            yield node.who, "is no rouage"
        else:
            yield from _aimed(stack, layer, who, node.of)
        yield from _runs(stack, layer, node.then)
    elif node.op in (Op.EACH, Op.PICK) or (node.op == Op.ACTIVATE and node.sel is not None):
        yield from _held(stack, layer, node)
    elif node.op == Op.ACTIVATE:
        yield at.STAGE, "nobody is picked"
    elif node.op == Op.ROLL:
        yield from _rolled(stack, layer, node)
    elif node.op == Op.DIE and above is not None and above[at.SIDES] != node.sides:
        yield None, "the die has other sides"


def _held(stack: Stack, layer: Layer, node: Node) -> Iterator[Wrong]:
    """Elements that were picked, or are still to be served; effects for each of them."""
    figures = _mask(layer[at.HELD], layer[at.HELD_HIGH]) & ((1 << FIGURES) - 1)
    if figures & ~sum(1 << figure for figure in stack.figures):
        yield at.HELD, "there is no such rouage"
    if node.op == Op.EACH:
        yield from _runs(stack, layer, node.then)


def _rolled(stack: Stack, layer: Layer, node: Node) -> Iterator[Wrong]:
    """A characteristic roll that is under way: its dice and difficulty, what was rolled, what is added."""
    dice, difficulty, above = layer[at.EXTRA] >> 8, layer[at.EXTRA] & 255, stack.above(layer)
    if not (0 <= layer[node.who] < FIGURES):
        yield node.who, "is no rouage"
    if not (0 <= dice <= 12 and 2 <= difficulty <= 6):
        yield at.EXTRA, "is no dice and difficulty"
    for place, low, high in ((at.EXTRA2, 0, 1000), (at.EXTRA3, -100, 100), (at.EXTRA4, 0, 1)):
        if not low <= layer[place] <= high:
            yield place, f"{layer[place]} is not from {low} to {high}"
    if layer[at.STAGE] == 2 and not _of_attack(stack, layer):
        yield at.STAGE, "nobody reacts to it"
    if above is not None and layer[at.STAGE] in (1, 4):
        rolled = above[at.ROLL_DICE], above[at.ROLL_DIFFICULTY], above[at.ROLLER]
        if rolled != (dice, difficulty, layer[node.who]):
            yield at.EXTRA, "is not what is rolled"


def _of_attack(stack: Stack, layer: Layer) -> bool:
    """Whether effects belong to an attack by a specific capacity."""
    while layer.kind == Kind.EFFECTS:
        layer = stack.below(layer)
    return layer.kind == Kind.ATTACK and layer[at.PROGRAM] >= 0


def _mask(low: int, high: int) -> int:
    """Elements as bits, of two halves that are kept as signed numbers."""
    return (high & 0xFFFF_FFFF) << 32 | low & 0xFFFF_FFFF


def _pools(layer: Layer, *pairs: tuple[int, int]) -> Iterator[Wrong]:
    """Dice need a difficulty that can be met."""
    for dice, difficulty in pairs:
        if layer[dice] and layer[difficulty] < 2:
            yield difficulty, "is no difficulty"


_MEANINGS: Mapping[Kind, Callable[[Stack, Layer], Iterator[Wrong]]] = {
    Kind.PHASE: _phase,
    Kind.CARD: _card,
    Kind.ACTIVATION: _activation,
    Kind.CAPACITY: _capacity,
    Kind.WINDOW: _window,
    Kind.ATTACK: _attack,
    Kind.EFFECTS: _effects,
    Kind.TRIGGERS: _triggers,
    Kind.HOSTILE: _hostile,
    Kind.MECHANISM: _mechanism,
    Kind.GO: _go,
    Kind.PICK: _pick,
}

"""Checks of hidden information: noninterference, resampling, private and simultaneous decisions."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

from cext.playout import PlayoutTooLong, playout
from cext.random import Rng
from cext.state import SIMULTANEOUS, TERMINAL, State
from gamepacks.api.errors import IllegalAction
from gamepacks.api.game import Game, viewers
from gamepacks.api.kit.base import CheckFailed, Node, Subject, check
from gamepacks.api.kit.messages import differences, leaves
from gamepacks.api.kit.play import ODD_CODES, some
from gamepacks.api.types import OMNISCIENT, Code, Seat, Viewer

PROBES = 8
"""Number of resampled states that decide if a value is unknown to a viewer."""
DRAWS = 64
"""Number of resampled states on each side of a comparison of odds."""
MAX_DECLINED = 1000
"""Maximum number of successive private decisions that are declined."""
COMPARISONS = 40
"""Maximum number of comparisons of odds in one check."""


def observed(game: Game[Any], state: State, viewer: Viewer, probes: list[int]) -> dict[str, object]:
    """Returns everything that a viewer is shown of a state, with the refusals of some codes."""
    private = state.decline_code() != -1 and viewer not in (state.actor(), OMNISCIENT)
    shown: dict[str, object] = {
        "view": game.view(state, viewer).SerializeToString(deterministic=True),
        "seats to act": None if private else (state.actor(), state.seats_to_act()),
        "returns at the end": state.returns() if state.actor() == TERMINAL else None,
    }
    if viewer >= 0:
        legal = state.legal(viewer)
        shown["legal list"] = legal
        shown["labels"] = [game.label(state, Code(code)) for code in legal]
        shown["action messages"] = [game.action(state, Code(c)).SerializeToString(deterministic=True) for c in legal]
        shown["refusals"] = [_refusal(state, code, viewer) for code in probes]
    return shown


def _refusal(state: State, code: int, seat: int) -> object:
    if state.is_legal(code, seat):
        return "legal"
    try:
        state.apply(code, seat)
    except IllegalAction as refused:
        return (refused.reason, refused.message, sorted(refused.details.items()), str(refused))
    raise CheckFailed(f"the illegal action {code} of seat {seat} was taken")


@check("noninterference", cost="one walk per game; some nodes resampled for each viewer, and what it is shown")
def noninterference(subject: Subject) -> str:
    """Two states that differ only in values unknown to a viewer give it the same views, seats to act, legal lists,
    labels, actions and refusals, byte for byte; and a step that a viewer may not know, or that changes none of the
    unknown values, gives it the same events. This also holds if private decisions of others follow the step in one of
    the states only, or of different seats, and are declined: no other viewer learns of these decisions."""
    rng = Rng(subject.seed)
    compared = 0
    for walk in subject.walks():
        twins: dict[Viewer, CachedState] = {}
        pool: list[int] = []
        ours: CachedState | None = None
        for node in walk:
            ours = CachedState(node.state) if ours is None else ours
            later = None if node.actor == TERMINAL else CachedState(node.after())
            pool = [*pool[-40:], *some(node.choices(), rng)]
            probes = [*ODD_CODES, *some(pool, rng)]
            for viewer in viewers(node.game.players):
                if node.sampled:
                    twins[viewer] = CachedState(node.state.resample(viewer, rng))
                    _compare(node, viewer, node.state, twins[viewer].state, probes)
                    compared += 1
                    _check_unknown_codes(node, viewer, rng)
                if viewer in twins and later is not None:
                    twin = _walk_along(node, viewer, (ours, later), twins.pop(viewer), probes, rng)
                    if twin is not None:
                        twins[viewer] = twin
            # The walk itself goes on with its own state, which is the same.
            ours = later
    return f"{compared} pairs of states"


class CachedState:
    """A state that does not change, with its bytes and the leaves of its position, each computed once."""

    def __init__(self, state: State) -> None:
        self.state = state

    @functools.cached_property
    def data(self) -> bytes:
        return self.state.to_bytes()

    @functools.cached_property
    def leaves(self) -> dict[str, Any]:
        return leaves(self.state.game.position(self.state))


def _compare(node: Node, viewer: Viewer, state: State, twin: State, probes: list[int]) -> None:
    ours = observed(node.game, state, viewer, probes)
    theirs = observed(node.game, twin, viewer, probes)
    for what, value in ours.items():
        if theirs[what] != value:
            node.fail(
                f"{_name(viewer)} can distinguish two states that differ only in values unknown to it, by: {what}"
            )


def _walk_along(
    node: Node, viewer: Viewer, ours: tuple[CachedState, CachedState], twin: CachedState, probes: list[int], rng: Rng
) -> CachedState | None:
    """Apply the walk's step to the twin too, and compare the events; returns the twin after the step, or None.

    A step may rightly reveal the values that differ. If it changes none of them, and they are still unknown to the
    viewer, its events must not reveal them either.
    """
    before, stepped = ours
    if twin.data == before.data or not twin.state.is_legal(node.code, node.seat):
        return None
    steps = _steps_of(node, viewer, node.state), _steps_of(node, viewer, twin.state)
    after = stepped if len(steps[0]) == 1 else CachedState(steps[0][-1][-1])
    moved = steps[1][-1][-1]
    later = CachedState(moved)
    secret = differences(before.leaves, twin.leaves)
    untouched = secret == differences(after.leaves, later.leaves) and all(
        old.leaves.get(path) == new.leaves.get(path) for old, new in ((before, after), (twin, later)) for path in secret
    )
    if not untouched or not _unknown(after.state, after.leaves, secret, viewer, rng):
        return None
    _compare_events(node, viewer, *steps)
    _compare(node, viewer, after.state, moved, probes)
    return later if after is stepped else None


def _steps_of(node: Node, viewer: Viewer, before: State) -> list[Step]:
    """Returns the walk's step from a state, followed by declining all private decisions of others that it causes."""
    steps: list[Step] = []
    code, seat = node.code, node.mover
    while True:
        after = before.clone()
        after.apply(code, -1 if seat is None else seat)
        steps.append((before, seat, code, after))
        declining = after.decline_code()
        if declining == -1 or after.actor() == viewer:
            return steps
        if len(steps) > MAX_DECLINED:
            node.fail(f"more than {MAX_DECLINED} private decisions follow each other")
        before, code, seat = after, declining, Seat(after.actor())


def _unknown(state: State, values: dict[str, Any], paths: set[str], viewer: Viewer, rng: Rng) -> bool:
    """Returns whether resampling varies every one of these values."""
    left = set(paths)
    for _ in range(PROBES):
        if not left:
            break
        other = leaves(state.game.position(state.resample(viewer, rng)))
        left = {path for path in left if values.get(path) == other.get(path)}
    return not left


def _check_unknown_codes(node: Node, viewer: Viewer, rng: Rng) -> None:
    """Check that two steps that a viewer may not know, and cannot distinguish afterwards, give it the same events."""
    pair = _pair(node, viewer, rng)
    if pair is not None:
        values, others = (leaves(node.game.position(after)) for *_, after in pair)
        secret = differences(values, others)
        if secret and _unknown(pair[0][-1], values, secret, viewer, rng):
            _compare_events(node, viewer, [pair[0]], [pair[1]])


Step = tuple[State, Seat | None, int, State]
"""State before the step, seat, code, state after the step."""


def _compare_events(node: Node, viewer: Viewer, ours: list[Step], theirs: list[Step]) -> None:
    """Compare the events of two steps, with those of the declined private decisions that follow them."""
    compared = []
    for steps in (ours, theirs):
        before, seat, code, _ = steps[0]
        knows = node.game.knows_code(before, seat, Code(code), viewer)
        events = [
            event.SerializeToString(deterministic=True)
            for before, seat, code, after in steps
            for event in node.game.events(before, seat, Code(code), after, viewer)
        ]
        compared.append((knows, events))
    if compared[0] != compared[1]:
        node.fail(f"the events of a step for {_name(viewer)} depend on values unknown to it")


@check("resampling", cost="one walk per game; some nodes resampled, 40 comparisons of 64 with 64")
def resampling(subject: Subject) -> str:
    """A resampled state is valid, as a position and when it is played on; with the same generator it is the
    same; the omniscient viewer gets the state itself, as everybody does if nothing is hidden; and values unknown to a
    viewer are drawn from its knowledge, never from the true state: with the same generator, states that it cannot
    distinguish give the same one, as the omniscient viewer sees it, and the odds do not depend on the true values."""
    rng = Rng(subject.seed)
    count = comparisons = 0
    card = subject.game.capabilities
    for node in subject.sampled_nodes():
        before = node.state.to_bytes()
        for viewer in (rng.choice(viewers(node.game.players)), OMNISCIENT):
            count += 1
            seed = rng.bits64()
            other = node.state.resample(viewer, Rng(seed))
            node.require(node.state.to_bytes() == before, "resample() changes the state that it is called on")
            _check_possible(node, other)
            data = other.to_bytes()
            node.require(node.state.resample(viewer, Rng(seed)).to_bytes() == data, "resampling is not deterministic")
            if viewer == OMNISCIENT or not (card.hidden or card.simultaneous):
                node.require(
                    data == before, f"resampling for {_name(viewer)}, from whom nothing is hidden, changes the state"
                )
            _check_source(node, viewer, other, rng)
            _check_playable(node, other, rng)
        for viewer in viewers(node.game.players):
            if comparisons < COMPARISONS:
                comparisons += _check_odds(node, viewer, rng)
    return f"{count} states, {comparisons} odds compared"


def _check_possible(node: Node, other: State) -> None:
    node.require(type(other) is type(node.state), f"resample() returns a {type(other).__name__}")
    node.require(other.game is node.game, "the game of a resampled state is another object")
    data = other.to_bytes()
    try:
        again = node.game.restore(node.game.messages.position.FromString(data))
    except Exception as error:
        raise CheckFailed(f"a resampled state is refused as a position: {type(error).__name__}: {error}") from error
    node.require(again.to_bytes() == data, "a resampled state is not restored from its bytes")


def _check_playable(node: Node, other: State, rng: Rng) -> None:
    try:
        playout(other, rng, 30)
    except PlayoutTooLong:
        return
    except Exception as error:
        raise CheckFailed(f"a resampled state cannot be played on: {type(error).__name__}: {error}") from error


def _check_source(node: Node, viewer: Viewer, twin: State, rng: Rng) -> None:
    """Check that two states that the viewer cannot distinguish are resampled to the same state."""
    for seed in (rng.bits64(), rng.bits64()):
        ours, theirs = (
            node.game.view(state.resample(viewer, Rng(seed)), OMNISCIENT).SerializeToString(deterministic=True)
            for state in (node.state, twin)
        )
        if ours != theirs:
            node.fail(
                f"resampling for {_name(viewer)} depends on values unknown to it: with the same generator, two states"
                " that it cannot distinguish give different ones. Draw from the unknown values in an order that does"
                " not depend on the true state (sort them), and never fall back to the true state"
            )


def _check_odds(node: Node, viewer: Viewer, rng: Rng) -> bool:
    """Compare resampling after two steps that the viewer cannot distinguish; False if there are none here."""
    pair = _pair(node, viewer, rng)
    if pair is None:
        return False
    first, second = (leaves(node.game.position(after)) for *_, after in pair)
    secret = differences(first, second)
    if not secret:
        return False
    hits = []
    for *_, after in pair:
        drawn = (leaves(node.game.position(after.resample(viewer, rng))) for _ in range(DRAWS))
        hits.append(sum(not secret & differences(first, values) for values in drawn))
    share = sum(hits) / (2 * DRAWS)
    deviation = (2 * DRAWS * share * (1 - share)) ** 0.5
    if abs(hits[0] - hits[1]) > 5 * deviation + 1:
        node.fail(
            f"resampling for {_name(viewer)} depends on values unknown to it: the true values were drawn"
            f" {hits[0]} of {DRAWS} times, but {hits[1]} times when others were true"
        )
    return True


def _pair(node: Node, viewer: Viewer, rng: Rng) -> tuple[Step, Step] | None:
    """Returns two steps that the viewer may not know and that give it the same view; None if there are none."""
    seen: dict[bytes, Step] = {}
    for code in some(node.choices(), rng):
        if not node.game.knows_code(node.state, node.mover, Code(code), viewer):
            step = (node.state, node.mover, code, node.after(code))
            view = node.game.view(step[-1], viewer).SerializeToString(deterministic=True)
            if view in seen:
                return seen[view], step
            seen[view] = step
    return None


@check("private-decisions", cost="one walk per game; at each node one question, at private ones all viewers")
def private_decisions(subject: Subject) -> str:
    """A private decision belongs to one seat; declining it is a legal action that no other viewer knows."""
    count = 0
    for node in subject.nodes():
        declining = node.state.decline_code()
        if declining == -1:
            continue
        count += 1
        node.require(node.actor >= 0, "a private decision does not belong to a single seat")
        node.require(node.state.is_legal(declining, node.seat), f"decline_code() is {declining}, which is not legal")
        knows = node.game.knows_code(node.state, Seat(node.seat), Code(declining), Viewer(node.seat))
        node.require(knows, "the seat does not know its own code for declining")
        for viewer in viewers(node.game.players):
            knows = node.game.knows_code(node.state, Seat(node.seat), Code(declining), viewer)
            node.require(
                int(viewer) == node.seat or not knows,
                f"{_name(viewer)} knows the code that declines a private decision",
            )
    return f"{count} decisions" if count else "no private decisions"


@check("simultaneous", cost="one walk per game; at each simultaneous node the orders of at most 3 seats")
def simultaneous(subject: Subject) -> str:
    """A simultaneous decision changes nothing for others who have not decided and cannot be repeated; the result
    does not depend on the order in which the decisions arrive."""
    rng = Rng(subject.seed)
    count = 0
    for node in subject.nodes():
        if node.actor == SIMULTANEOUS:
            count += 1
            seats = [seat for seat in range(node.game.players) if node.state.seats_to_act() >> seat & 1]
            if len(seats) > 1:
                _check_waiting(node, Seat(node.seat), rng)
            _check_order(node, seats, rng)
    return f"{count} nodes" if count else "no simultaneous decisions"


def _check_waiting(node: Node, seat: Seat, rng: Rng) -> None:
    codes = some(node.state.legal(seat), rng)
    first, *others = [node.after(code) for code in codes]
    node.require(
        first.actor() == SIMULTANEOUS,
        f"the node ended with the decision of seat {seat}, although others have not decided",
    )
    node.require(
        first.seats_to_act() == node.state.seats_to_act() & ~(1 << seat),
        f"seat {seat} has decided, but seats_to_act() is not the other seats",
    )
    node.require(not first.legal(seat), f"seat {seat} has decided, but has legal actions")
    node.require(not first.is_legal(codes[0], seat), f"seat {seat} can decide twice")
    for viewer in viewers(node.game.players):
        if int(viewer) == seat:
            continue
        for code in codes:
            knows = node.game.knows_code(node.state, seat, Code(code), viewer)
            node.require(not knows, f"{_name(viewer)} knows the decision of seat {seat} before all others have decided")
        expected = observed(node.game, first, viewer, codes)
        for code, other in zip(codes[1:], others, strict=True):
            if observed(node.game, other, viewer, codes) != expected:
                node.fail(f"{_name(viewer)} sees the decision of seat {seat} before all others have decided")
            ours, theirs = (node.state, seat, codes[0], first), (node.state, seat, code, other)
            _compare_events(node, viewer, [ours], [theirs])


def _check_order(node: Node, seats: list[int], rng: Rng) -> None:
    decisions = {seat: rng.choice(node.state.legal(seat)) for seat in seats}
    results = set()
    for order in _orders(seats):
        state = node.state.clone()
        for seat in order:
            state.apply(decisions[seat], seat)
        results.add((state.to_bytes(), state.actor(), state.returns()))
    node.require(len(results) == 1, "the result depends on the order in which decisions arrive")


def _orders(seats: list[int]) -> Iterator[tuple[int, ...]]:
    """All orders of the first three seats, the others after them; and the reverse of all."""
    for order in itertools.permutations(seats[:3]):
        yield (*order, *seats[3:])
    yield tuple(reversed(seats))


def _name(viewer: Viewer) -> str:
    return {-1: "the spectator", -2: "the omniscient viewer"}.get(viewer, f"seat {viewer}")

"""Two states that a viewer cannot tell apart give that viewer the same output of the service.

One match begins from a position, another from a position that a viewer cannot tell from it. Both are played with the
same actions; private decisions of others, which may be pending in one of them only, or for different seats, are
declined. Whenever a decision is pending that all may see, the viewer's events, sequence numbers, view, seats to act and
clocks are the same, as long as no card that differs was used.
"""

from __future__ import annotations

from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL, State
from engine_service.hosting.listing import legal_page
from engine_service.match_enums import ChanceSource
from engine_service.matches.sealing import PositionSealer, rules_context
from engine_service.model import Policy, TimeControl
from engine_service.rpc import responses
from gamepacks.api.game import viewers
from gamepacks.api.kit.messages import differences, leaves
from gamepacks.api.registry import Registry
from gamepacks.api.types import Code, Seat, Viewer
from tests.support.games import guards, kuhn
from tests.support.hosting import SECRET, Hosted, HostedMatch, hosting

PACKS = (guards.PACK, kuhn.PACK)
GAMES: list[tuple[str, int, dict[str, str], int]] = [
    ("guards", 3, {}, 4),
    ("kuhn", 3, {}, 4),
    ("omen", 2, {"heroes": "true", "relics": "true", "whims": "true", "challenges": "normal"}, 200),
    ("omen-traits", 2, {}, 200),
    ("omega", 3, {}, 60),
    ("olomoc", 2, {}, 60),
]
"""Game, players, options, and the most random steps before the two matches begin."""
PRIVATE = {"guards", "omen"}
"""Games in which these random walks reach private decisions."""
WALKS = 12
COMPARED = 8
"""Minimum number of compared pairs of states of a game."""
STEPS = 8
"""Maximum number of steps in both matches."""
CLOCKS = TimeControl(per_match_ms=3_600_000)


def at_random(state: State, rng: Rng, steps: int) -> State:
    """Returns the state after ``steps`` random steps or more, at a public decision.

    In every second case it is one after which a private decision follows, if the game has any.
    """
    state, decision = state.clone(), state
    wanted = bool(rng.below(2))
    for _ in range(5_000):
        actor = state.actor()
        if wanted and state.decline_code() != -1:
            return decision
        if actor == TERMINAL:
            break
        if actor >= 0 and state.decline_code() == -1:
            if steps <= 0 and not wanted:
                break
            decision = state.clone()
        steps -= 1
        if actor == CHANCE:
            state.apply(rng.weighted(state.chance()))
        else:
            seat = actor if actor >= 0 else (state.seats_to_act() & -state.seats_to_act()).bit_length() - 1
            state.apply(rng.choice(state.legal(seat)), seat)
    return state


def displayed(table: HostedMatch, viewer: Viewer) -> tuple[Any, ...]:
    """Returns all output of the match for the viewer so far."""
    live = table.live
    events = [responses.event(event) for event in table.events(viewer, labels=True, sentences=True)]
    for event in events:
        event.ClearField("time_ms")
    observation = responses.observation(live.observation(viewer))
    clocks = [seat.clock_ms for seat in live.info(viewer).seats]
    shown = [event.SerializeToString(deterministic=True) for event in events]
    numbers = live.info(viewer).seq, observation.seq
    legal = legal_page(live, Seat(viewer), False, True, 0, "", table.hosted.limits) if viewer >= 0 else None
    # What the seat simulates with a seed of its own.
    simulated = live.visible_state(viewer, Rng(5))
    state = simulated.seq, simulated.state.to_bytes()
    return shown, observation.SerializeToString(deterministic=True), numbers, clocks, legal, state


class World:
    """A match that is played from a position, and its output for one viewer."""

    def __init__(self, table: HostedMatch, viewer: Viewer, start: State) -> None:
        self.table, self.viewer = table, viewer
        self.before = leaves(start.game.position(start))
        self.asked = 0

    @property
    def state(self) -> State:
        return self.table.live.snapshot.game_state

    async def step(self, seat: int, code: int) -> None:
        await self.table.play(seat, code)

    async def decline_all(self) -> None:
        now = self.table.live.snapshot
        while now.decline_code != -1 and now.actor != self.viewer:
            self.table.hosted.time.skip(700)
            await self.table.play(now.actor, now.decline_code)
            self.asked += 1
            now = self.table.live.snapshot

    def unknown(self, paths: set[str], rng: Rng) -> bool:
        """Returns whether the viewer can still know none of these values."""
        values, left = leaves(self.state.game.position(self.state)), set(paths)
        for _ in range(8):
            other = leaves(self.state.game.position(self.state.resample(self.viewer, rng)))
            left = {path for path in left if values.get(path) == other.get(path)}
        return not left


def sealed_position(state: State) -> Any:
    """Returns the position of a state with the seals of the service."""
    game = state.game
    options = game.options_message().SerializeToString(deterministic=True)
    digest = game.card_set.digest if game.card_set else b""
    position = game.position(state)
    context = rules_context(game.id, game.rules_version, game.players, options, digest)
    PositionSealer(SECRET).seal(context, position)
    return position


async def world(h: Hosted, game: Any, state: State, options: dict[str, str], viewer: Viewer) -> World:
    table = await h.new_match(
        game.id,
        game.players,
        option_texts=options,
        position=sealed_position(state),
        policy=Policy(chance=ChanceSource.HOST),
        time_control=CLOCKS,
        ephemeral=True,
    )
    return World(table, viewer, state)


def leads_to_private(state: State, code: int, seat: int) -> bool:
    after = state.clone()
    after.apply(code, seat)
    return after.decline_code() != -1


async def together(ours: World, theirs: World, rng: Rng) -> bool:
    """Take one step in both matches, with what follows from it; returns False if it is not possible in both.

    A step that leads to a private decision is preferred.
    """
    state = ours.state
    seat = state.actor() if state.actor() >= 0 else (state.seats_to_act() & -state.seats_to_act()).bit_length() - 1
    codes = state.legal(seat)
    code = next((code for code in codes if leads_to_private(state, code, seat)), rng.choice(codes))
    if code not in theirs.state.legal(seat):
        return False
    for each in (ours, theirs):
        await each.step(seat, code)
        await each.decline_all()
    while CHANCE in (ours.table.live.snapshot.actor, theirs.table.live.snapshot.actor):
        outcomes = [{code for code, _ in each.state.chance()} for each in (ours, theirs)]
        both = sorted(outcomes[0] & outcomes[1])
        if not both:
            return False
        chosen = rng.choice(both)
        for each in (ours, theirs):
            await each.table.host.provide_outcomes(each.table.name, each.table.host_token, [Code(chosen)])
            await each.decline_all()
    return True


def untouched(ours: World, theirs: World, secret: set[str], rng: Rng) -> bool:
    """Returns whether all values that differ are unchanged, and still unknown to the viewer."""
    now = [leaves(each.state.game.position(each.state)) for each in (ours, theirs)]
    same = all(
        each.before.get(path) == values.get(path)
        for each, values in zip((ours, theirs), now, strict=True)
        for path in secret
    )
    return same and differences(*now) == secret and ours.unknown(secret, rng)


@pytest.mark.parametrize(("name", "players", "options", "depth"), GAMES, ids=[game[0] for game in GAMES])
async def test_indistinguishable_states_give_equal_output(
    name: str, players: int, options: dict[str, str], depth: int
) -> None:
    rng = Rng(7)
    compared = asked = 0
    installed = ("omen", "omega", "olomoc")
    # Two hosts: what one waits for is no time in the other world.
    async with hosting(packs=PACKS, installed=installed) as here, hosting(packs=PACKS, installed=installed) as there:
        registry: Registry = here.registry
        game = registry.game(name).configure(players, options)
        for number in range(10 * WALKS):
            # In the middle of an effect all of a position changes with each step, so more walks are needed there.
            if number >= WALKS and compared >= COMPARED:
                break
            start = at_random(game.initial_state(), rng, 1 + rng.below(depth))
            if start.actor() == TERMINAL:
                continue
            viewer = rng.choice(viewers(players))
            twin = start.resample(viewer, rng)
            secret = differences(leaves(start.game.position(start)), leaves(twin.game.position(twin)))
            if not secret:
                continue
            ours = await world(here, game, start, options, viewer)
            theirs = await world(there, game, twin, options, viewer)
            for _ in range(STEPS):
                if not untouched(ours, theirs, secret, rng):
                    break
                assert displayed(ours.table, viewer) == displayed(theirs.table, viewer), (
                    f"walk {number}, viewer {viewer}"
                )
                compared += 1
                if ours.state.actor() == TERMINAL or not await together(ours, theirs, rng):
                    break
            asked += ours.asked + theirs.asked
    assert compared >= COMPARED
    assert bool(asked) == (name in PRIVATE)

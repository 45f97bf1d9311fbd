"""The invariants of section 12 of RULES.md after every step of random games, and the bounds of a turn."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import BOOK
from gamepacks.omega.engine.rules import OmegaState
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F, book, library, lightning, values
from tests.omega.invariants import check_state, check_step
from tests.omega.scenario import OmegaScenario, Player
from tests.omega.test_options import VALUES

DENSE = {
    **{f"key {n}": F(n % 5, n % 3, (book if n % 2 else lightning)(("key", 1 + n % 3))) for n in range(8)},
    **{f"cycle {n}": F(n % 4, 1, (book if n % 2 else lightning)(("cycle", 1 + n % 3))) for n in range(6)},
    **{f"draw {n}": F(n % 4, 2, (book if n % 2 else lightning)(("draw", 2, codes.TYPE_NAMES[n]))) for n in range(6)},
    **{f"both {n}": F(2, 1, book(("draw", 1), ("cycle", 1)), lightning(("advance", 3), ("draw", 2))) for n in range(4)},
    **{f"renegade {n}": F(n, n, renegade=True) for n in range(4)},
    **{f"primitive {n}": F(n, n, lightning(("draw", 1)), primitive=True) for n in range(5)},
}
"""A set in which nearly every card has something that seldom happens."""


def preferred(rng: Rng, state: OmegaState) -> int:
    """Returns a random action; ending the main phase and declining are less likely than others."""
    legal = state.legal()
    better = [code for code in legal if BOOK.verb(code) not in (codes.END_MAIN, codes.STOP, codes.KEY_NONE)]
    return rng.choice(better if better and rng.below(6) else legal)


def play(game: Omega, seed: int, steps: int, *, eager: bool) -> dict[str, int]:
    """Play at random and assert all invariants after each step; returns how often each verb was taken."""
    rng, state = Rng(seed), game.initial_state()
    before, seen, in_turn, turn = check_state(game, state), dict[str, int](), 0, 0
    for _ in range(steps):
        if state.actor() == TERMINAL:
            break
        if state.actor() == CHANCE:
            code = rng.weighted(state.chance())
        else:
            in_turn = in_turn + 1 if state.turn == turn else 1
            turn = state.turn
            code = preferred(rng, state) if eager else rng.choice(state.legal())
        # OMEGA-INV-12: a turn has an end; none of these comes near to so many decisions.
        assert in_turn < 600, "OMEGA-INV-12"
        name = BOOK.verb(code).name
        seen[name] = seen.get(name, 0) + 1
        state.apply(code)
        after = check_state(game, state)
        check_step(before, after)
        # Between turns everybody has four at most, and nothing is pending.
        if state.phase == Phase.UPKEEP_ALTAR:
            assert all(len(player["egregors"]) <= 4 for player in after["seats"]), "OMEGA-INV-05"
            assert not after["frames"] and after["batch"] == [0] * 6
        before = after
    return seen


@pytest.mark.rule(
    "OMEGA-INV-01", "OMEGA-INV-02", "OMEGA-INV-03", "OMEGA-INV-04", "OMEGA-INV-05", "OMEGA-INV-06",
    "OMEGA-INV-07", "OMEGA-INV-08", "OMEGA-INV-09", "OMEGA-INV-10", "OMEGA-INV-11",
)  # fmt: skip
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("eager", [False, True])
def test_random_games_keep_the_invariants(players: int, eager: bool) -> None:
    """A whole game of each kind with the house set."""
    game = Omega.configure(players, {"max_turns": 40 * players})
    seen = play(game, 10 * players + eager, 20_000, eager=eager)
    assert {"SUMMON", "PLACE", "CONFIRM", "END_MAIN", "ARCANA"} <= set(seen)


@pytest.mark.rule("OMEGA-INV-12")
@given(
    players=st.integers(2, 4),
    options=st.fixed_dictionaries(
        {name: st.sampled_from(values) for name, values in VALUES.items() if name not in ("start_player", "max_turns")}
    ),
    seed=st.integers(0, 1 << 32),
    squares=st.sampled_from([1, 2, 12, 28]),
    dense=st.booleans(),
    eager=st.booleans(),
)
@settings(max_examples=100, deadline=None, derandomize=True)
def test_any_options_keep_the_invariants(
    players: int, options: dict[str, Any], seed: int, squares: int, dense: bool, eager: bool
) -> None:
    cards = library(DENSE if dense else None, squares=squares, eye=1 + seed % squares)
    game = Omega.configure(players, {**options, "card_set": "fixture", "max_turns": 60}, cards)
    play(game, seed, 1_200, eager=eager)


@pytest.mark.rule("OMEGA-INV-12")
def test_eager_games_of_the_dense_set_cover_all_verbs() -> None:
    """The games of the tests above have actions of every verb."""
    seen: dict[str, int] = {}
    for players in (2, 3, 4):
        for number, options in enumerate(({}, {"power_amount": "up_to", "recovery": "up_to"})):
            cards = library(DENSE, squares=12, eye=12)
            game = Omega.configure(players, {**options, "card_set": "fixture", "max_turns": 60}, cards)
            for verb, count in play(game, players + number, 3_000, eager=True).items():
                seen[verb] = seen.get(verb, 0) + count
    assert set(seen) == {verb.name for verb in BOOK.verbs}


@pytest.mark.rule("OMEGA-INV-12")
def test_a_turn_is_bounded_a_game_is_not() -> None:
    """No action can be repeated endlessly: a Mask move needs another action before it, and a book is used once."""
    cards = {"A": F(1, 0, book(("advance", 1)))}
    scenario = OmegaScenario(cards=cards).at(Player("K", {"A": "", "Z1": ""}), Player("", {"Z2": "GG"}))
    taken = 0
    while scenario.phase is Phase.MAIN and scenario.active == 0:
        others = [code for code in scenario.state.legal() if BOOK.verb(code) is not codes.END_MAIN]
        if not others:
            break
        scenario.take_code(others[0])
        taken += 1
    # The book, a Mask move, the swap of one black, another Mask move, and the placing of what was taken.
    assert taken < 20
    assert Omega.capabilities.max_plies == 50_000


@pytest.mark.rule("OMEGA-INV-10")
def test_no_batch_comes_to_a_dead_end() -> None:
    """Every batch that can be built can be completed and confirmed: brute force over pyramids."""
    rng = Rng(3)
    for _ in range(150):
        hand = "".join(f"{rng.below(4)}{letter}" for letter in "BGRVWK")
        load = rng.below(7)
        primitive = bool(rng.below(2))
        scenario = OmegaScenario(cards={"A": F(1, 1, primitive=primitive)}).at(
            Player(hand), Player("", {"A": load * "V", "Z1": ""}, mask="Z1")
        )
        counts = [int(digit) for digit in hand[:-2:2]]
        ordered = sorted(counts, reverse=True)
        most = min(10, ordered[0] if primitive else ordered[0] + ordered[1])
        assert ("1 A" in scenario.offers(codes.CAPTURE)) == (most > load), (hand, load, primitive)
        if most <= load:
            continue
        scenario.take(codes.CAPTURE, 1, "A")
        # What is offered is exactly what leaves a batch of sufficient size within reach.
        batch = [0] * 5
        while scenario.offers(codes.ADD):
            offered = {code & 0xFF for code in scenario.state.legal() if BOOK.verb(code) is codes.ADD}
            assert offered == {
                colour for colour in range(5) if _reach(counts, batch, colour, 1 if primitive else 2) > load
            }
            colour = rng.choice(sorted(offered))
            batch[colour] += 1
            scenario.take(codes.ADD, colour)
        assert scenario.verbs() == {"CONFIRM"}
        assert sum(batch) > load


def _reach(hand: list[int], batch: list[int], colour: int, limit: int) -> int:
    """The size of the largest batch that has these runes and one more of the colour; 0 where there is none."""
    larger = [count + (number == colour) for number, count in enumerate(batch)]
    if larger[colour] > hand[colour] or sum(larger) > 10:
        return 0
    best = 0
    for first in range(5):
        for second in range(5):
            chosen = {first} if limit == 1 else {first, second}
            if all(count == 0 or number in chosen for number, count in enumerate(larger)):
                best = max(best, min(10, sum(hand[number] for number in chosen)))
    return best


def test_card_values_of_fixtures_are_stable() -> None:
    assert values() == values()

"""Difficult hands: resampled states against an oracle that counts every state that is possible for a viewer."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, perm
from typing import Any

import pytest

from cext.random import Rng
from gamepacks.omega import codes
from gamepacks.omega.codes import GREEN, WHITE
from gamepacks.omega.v1.omega_enums import FrameKind
from tests.omega.fixtures import F, book
from tests.omega.invariants import check_state
from tests.omega.scenario import OmegaScenario, Player, counts

Hand = tuple[int, ...]
VIEWER = 2
CARDS = {"P": F(1, 1, primitive=True)}


def odds(scenario: OmegaScenario, allowed: Callable[[Hand], bool]) -> dict[Hand, float]:
    """The odds of each pyramid of seat 0 for seat 2, which has seen no rune of the others."""
    values = scenario.values
    pyramids = [player["pyramid"] for player in values["seats"]]
    pool = [bag + first + second for bag, first, second in zip(values["bag"], pyramids[0], pyramids[1], strict=True)]
    size, room = sum(pyramids[0]), sum(pyramids[1])
    found: dict[Hand, Fraction] = {}
    for hand in itertools.product(*(range(min(count, size) + 1) for count in pool)):
        if sum(hand) != size or not allowed(hand):
            continue
        # What the bag has none of lies in the other pyramid.
        forced = sum(count - held for count, held, none in zip(pool, hand, values["absent"], strict=True) if none)
        ways = Fraction(perm(room, forced), perm(sum(pool) - size, forced))
        for count, held in zip(pool, hand, strict=True):
            ways *= comb(count, held)
        if ways:
            found[hand] = ways
    total = sum(found.values())
    return {hand: float(ways / total) for hand, ways in found.items()}


def drawn(scenario: OmegaScenario, tries: int) -> Counter[Hand]:
    rng, hands = Rng(5), Counter[Hand]()
    for _ in range(tries):
        other = scenario.state.resample(VIEWER, rng)
        check_state(scenario.game, other)
        assert other.legal(), "the resampled hand does not allow what is being placed"
        hands[tuple(other.dump()["seats"][0]["pyramid"])] += 1
    return hands


def agree(found: Counter[Hand], expected: dict[Hand, float], tries: int) -> None:
    assert set(found) <= set(expected)
    for hand, chance in expected.items():
        deviation = (tries * chance * (1 - chance)) ** 0.5
        assert abs(found[hand] - tries * chance) < 5 * deviation + 1, (hand, found[hand], tries * chance)


def none_of(letters: str) -> list[bool]:
    return [letter in letters for letter in "BGRVWK"]


def largest(hand: Sequence[int], colours: int) -> int:
    return sum(sorted(hand[:5])[-colours:])


BATCHES: dict[str, tuple[str, str, str, str, str, int, int]] = {
    # hand of seat 0, of seat 1, bag, absent types, target of 9 runes or fewer, colours, needed
    "two colours, ten runes": ("6R 4B", "WW", "B VV KK GG", "W", "Z1", 2, 10),
    "two of three colours": ("5R 4B 2V", "WKK", "BB VV GG 12K", "", "Z1", 2, 9),
    "one colour": ("10V", "BR", "VV 9B 9R 9G 9W 9K", "", "P", 1, 10),
    "one colour, what the bag lacks elsewhere": ("9R G", "GGW", "RR VV 9K", "GW", "P", 1, 9),
    "an exact fit": ("5R 5B", "", "VVV KKK", "", "Z1", 2, 10),
}


@pytest.mark.parametrize("name", BATCHES)
def test_a_rare_hand_for_a_batch_is_drawn_with_its_exact_odds(name: str) -> None:
    hand, other, bag, absent, target, colours, needed = BATCHES[name]
    load = "9K" if target == "P" else "9V"
    row = {target: f"{needed - 1}{load[1:]}", "Z2": ""}
    scenario = OmegaScenario(3, CARDS).at(
        Player(hand), Player(other, row, mask="Z2"), bag=bag, rest=2, absent=none_of(absent)
    )
    scenario.take(codes.CAPTURE, 1, target)
    expected, tries = odds(scenario, lambda hand: largest(hand, colours) >= needed), 3_000
    agree(drawn(scenario, tries), expected, tries)
    # A batch under way is of the new hand, whatever the true one is.
    scenario.take_code(scenario.state.legal()[0])
    agree(drawn(scenario, tries), expected, tries)


def test_a_rare_rune_that_is_being_placed_is_drawn_with_its_exact_odds() -> None:
    scenario = OmegaScenario(3).at(
        Player("VKK", {"Z0": "5V 4W"}), Player("KW", {"Z1": ""}), bag="V 9R 9B 6G 9K WW", rest=2, absent=none_of("")
    )
    scenario.take(codes.PLACE, "V")
    tries = 3_000
    agree(drawn(scenario, tries), odds(scenario, lambda hand: hand[GREEN] + hand[WHITE] >= 1), tries)


def test_a_pair_under_way_is_known_to_be_one() -> None:
    scenario = OmegaScenario(3).at(
        Player("VVK", {"Z0": "V", "Z1": "W", "Z3": "B"}), Player("KW", {"Z2": ""}), bag="V 9R 9B 6G 9K WW", rest=2
    )
    scenario.take(codes.PAIR)
    one_left = {scenario.state.resample(VIEWER, Rng(seed)).pending for seed in range(600)}
    assert {pending[0] for pending in one_left if pending} == {FrameKind.TARGET, FrameKind.PAIR_FIRST}
    scenario.take(codes.PAIR_FIRST, "Z3")
    tries = 2_000
    agree(drawn(scenario, tries), odds(scenario, lambda hand: hand[GREEN] >= 2), tries)
    second = {scenario.state.resample(VIEWER, Rng(seed)).pending for seed in range(60)}
    # On which Egregor the first one will lie shows when both do.
    assert second == {(FrameKind.PAIR_SECOND, place, 0, 0) for place in range(3)}


def test_the_one_card_that_fits_a_key_is_found() -> None:
    """After a card has been chosen, one of those looked at fits a Key; here only one card does."""
    cards: dict[str, Any] = {"K1": F(1, 1, book(("key", 1))), "K2": F(1, 1, book(("key", 2)))}
    cards |= {f"P{number}": F(1, 1, primitive=True) for number in range(39)}
    scenario = OmegaScenario(3, cards).at(
        Player("R", {"K1": "RB", "K2": "GV"}),
        Player("V"),
        gallery=("P0", "P1", "P2", "P3"),
    )
    scenario.book("K1")
    scenario.look("Z41", "P5", "P6")
    scenario.key("Z41")
    rng, looked = Rng(3), Counter[int]()
    for _ in range(600):
        other = scenario.state.resample(VIEWER, rng)
        check_state(scenario.game, other)
        assert other.pending == (FrameKind.KEY_PLACE, scenario.card("Z41"), 0, 0)
        looked.update(set(other.dump()["looked"]) - {scenario.card("Z41")})
    # The other two are drawn from all that is unseen.
    assert set(looked) == {scenario.card(f"P{number}") for number in range(4, 39)}
    assert all(abs(count - 1200 / 35) < 35 for count in looked.values())


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_resampling_does_not_depend_on_hidden_facts(viewer: int) -> None:
    """States that a viewer cannot distinguish are resampled to the same state with the same generator."""
    hands = {"batch": ("3R 3B VK", "RRV"), "place": ("VGK", "RRV"), "main": ("RRVVK", "BG")}
    for kind, (hand, other) in hands.items():
        scenario = OmegaScenario(3).at(
            Player(hand, {"Z0": "V"}), Player(other, {"Z1": "RR", "Z2": ""}, mask="Z2"), Player("WK")
        )
        if kind == "batch":
            scenario.take(codes.CAPTURE, 1, "Z1")
            scenario.take(codes.ADD, "R")
        elif kind == "place":
            scenario.take(codes.PLACE, "V")
        rng = Rng(7)
        for seed in range(40):
            twin = scenario.state.resample(viewer, rng)
            ours, theirs = (state.resample(viewer, Rng(seed)).to_bytes() for state in (scenario.state, twin))
            assert ours == theirs


def test_a_position_that_no_hand_allows_is_an_error_not_the_truth() -> None:
    """Such a position is refused when it is restored, so it is made by hand here."""
    scenario = OmegaScenario(3).at(
        Player("RR", {"Z0": "V"}), Player("V", {"Z1": "RR", "Z2": ""}, mask="Z2"), Player("W")
    )
    values = scenario.state.dump()
    values["frames"] = [(FrameKind.TARGET, codes.WHITE, 0, 0)]
    values["seats"][0]["egregors"][0]["load"] = counts("10V")
    values["bag"][GREEN] -= 9
    scenario.state.load(values)
    with pytest.raises(RuntimeError, match="no pyramid of the active player allows"):
        scenario.state.resample(VIEWER, Rng(1))

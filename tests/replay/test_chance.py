"""Verifiable chance: compared with an independent implementation and known answers, and tested for fairness."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

import pytest

from cext.chance import SEED_BYTES, UID_BYTES, advance, commitment, outcome
from cext.random import Rng
from cext.state import CHANCE, TERMINAL, State
from gamepacks.api.registry import Registry

SEED = bytes(range(32))
UID = bytes(range(16))
DIE = [(face, 1) for face in range(1, 7)]


def reference_outcome(seed: bytes, uid: bytes, ply: int, outcomes: list[tuple[int, int]]) -> tuple[int, int]:
    """Returns the outcome and the number of draws, by the documented algorithm."""
    total = sum(weight for _, weight in outcomes)
    counter = 0
    while True:
        message = uid + ply.to_bytes(8, "little") + counter.to_bytes(4, "little")
        draw = int.from_bytes(blake2b(message, digest_size=32, key=seed).digest()[:8], "little")
        if draw < 2**64 - 2**64 % total:
            break
        counter += 1
    pick = draw % total
    for code, weight in outcomes:
        if pick < weight:
            return code, counter + 1
        pick -= weight
    raise AssertionError


def test_outcomes_equal_known_answers() -> None:
    """Known outcomes, which must never change, because every roll of every match depends on them."""
    assert (SEED_BYTES, UID_BYTES) == (32, 16)
    assert commitment(SEED).hex() == "cb2f5160fc1f7e05a55ef49d340b48da2e5a78099d53393351cd579dd42503d6"
    assert [outcome(SEED, UID, ply, DIE) for ply in range(20)] == [
        *(1, 6, 3, 5, 2, 1, 5, 3, 4, 2),
        *(4, 3, 5, 1, 3, 5, 2, 5, 2, 3),
    ]
    assert outcome(SEED, UID, 2**40, DIE) == reference_outcome(SEED, UID, 2**40, DIE)[0]


@pytest.mark.parametrize("round_", range(20))
def test_outcomes_equal_an_independent_computation(round_: int) -> None:
    rng = Rng(round_)
    seed = bytes(rng.below(256) for _ in range(32))
    uid = bytes(rng.below(256) for _ in range(16))
    for _ in range(50):
        outcomes = [(rng.below(2**32 - 1) - 2**31, 1 + rng.below(1_000)) for _ in range(1 + rng.below(40))]
        ply = rng.bits64() >> (1 + rng.below(63))
        assert outcome(seed, uid, ply, outcomes) == reference_outcome(seed, uid, ply, outcomes)[0]


def test_draws_that_would_be_biased_are_repeated() -> None:
    outcomes = [(0, 2**62), (1, 1), (2, 2**62)]  # nearly half of all draws fall beyond the last even multiple
    draws = Counter()
    for ply in range(500):
        expected, drawn = reference_outcome(SEED, UID, ply, [*outcomes, (3, 2**60)])
        draws[drawn] += 1
        assert outcome(SEED, UID, ply, [*outcomes, (3, 2**60)]) == expected
    assert len(draws) > 2
    assert outcome(SEED, UID, 0, [(7, 2**64 - 1)]) == 7
    assert outcome(SEED, UID, 0, [(7, 1)]) == 7


def test_seed_uid_and_ply_each_change_the_roll_and_nothing_else_does() -> None:
    many = [(code, 1) for code in range(1 << 16)]
    rolls = {
        outcome(SEED, UID, 3, many),
        outcome(SEED[::-1], UID, 3, many),
        outcome(SEED, UID[::-1], 3, many),
        outcome(SEED, UID, 4, many),
    }
    assert len(rolls) == 4
    assert outcome(SEED, UID, 3, many) == outcome(SEED, UID, 3, list(many))


def test_rolls_follow_their_weights() -> None:
    """Chi squared over 20,000 rolls; the seed is fixed, so the value is always the same, far below the bound."""
    weights = {1: 1, 2: 2, 3: 3, 4: 10, 5: 4}
    rolls = Counter(outcome(SEED, UID, ply, list(weights.items())) for ply in range(20_000))
    expected = {code: 1_000 * weight for code, weight in weights.items()}
    chi_squared = sum((rolls[code] - count) ** 2 / count for code, count in expected.items())
    assert chi_squared < 18.5  # one in a thousand, with four degrees of freedom


def test_neighbouring_plies_are_independent() -> None:
    pairs = Counter((outcome(SEED, UID, ply, DIE), outcome(SEED, UID, ply + 1, DIE)) for ply in range(36_000))
    chi_squared = sum((pairs[a, b] - 1_000) ** 2 / 1_000 for a in range(1, 7) for b in range(1, 7))
    assert chi_squared < 66.7  # one in a thousand, with 35 degrees of freedom


@pytest.mark.parametrize(
    ("seed", "uid", "ply", "outcomes"),
    [
        (SEED[1:], UID, 0, DIE),
        (b"", UID, 0, DIE),
        (SEED, UID[1:], 0, DIE),
        (SEED, UID + b"x", 0, DIE),
        (SEED, UID, -1, DIE),
        (SEED, UID, 0, []),
        (SEED, UID, 0, [(1, 0)]),
        (SEED, UID, 0, [(1, 1), (2, -1)]),
        (SEED, UID, 0, [(1, 2**64)]),
        (SEED, UID, 0, [(1, 2**63), (2, 2**63)]),
    ],
)
def test_invalid_weights_raise_value_error(seed: bytes, uid: bytes, ply: int, outcomes: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError):
        outcome(seed, uid, ply, outcomes)


def test_only_seeds_can_be_committed_to() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        commitment(SEED[1:])


def test_advance_draws_the_same_outcomes() -> None:
    """A whole game by both: the same rolls, the same states, and the state that was given stays as it was."""
    table = Registry.load(only=["ominoes"]).game("ominoes").game.configure(2)
    rng, state, ply = Rng(5), table.initial_state(), 0
    while state.actor() == CHANCE:
        state.apply(outcome(SEED, UID, ply, state.chance()))
        ply += 1
    longest = 0
    while state.actor() != TERMINAL:
        seat, codes = state.actor(), state.legal()
        code = codes[rng.below(len(codes))]
        before = state.to_bytes()
        step = advance(state, code, seat, SEED, UID, ply, 100)
        assert step is not None and state.to_bytes() == before
        after, rolls, actor, seats_to_act = step
        state.apply(code, seat)
        ply += 1
        rolled = []
        while state.actor() == CHANCE:
            rolled.append(outcome(SEED, UID, ply, state.chance()))
            state.apply(rolled[-1])
            ply += 1
        assert (after.to_bytes(), rolls) == (state.to_bytes(), rolled)
        assert (actor, seats_to_act) == (state.actor(), state.seats_to_act())
        longest = max(longest, len(rolls))
    assert longest > 0


def test_advance_returns_none_at_decisions_and_refuses_invalid_input() -> None:
    state = Broken()
    assert advance(state, 1, 0, SEED, UID, 0, 9) is None
    assert advance(state, 0, 1, SEED, UID, 0, 9) is None
    step = advance(state, 0, 0, SEED, UID, 0, 3)
    assert step is not None and step[0].rolls == [7, 7, 7] == step[1] and state.rolls == []
    assert step[2:] == (CHANCE, 0)
    for outcomes in ([], [(7, 0)], [(7, 1), (8, 0)]):
        with pytest.raises(ValueError):
            advance(Broken(outcomes), 0, 0, SEED, UID, 0, 3)
    with pytest.raises(ValueError):
        advance(state, 0, 0, SEED[1:], UID, 0, 3)
    with pytest.raises(ValueError):
        advance(state, 0, 0, SEED, UID, -1, 3)


class Broken(State):
    """A state with one decision of seat 0, and then endless chance nodes."""

    def __init__(self, outcomes: list[tuple[int, int]] | None = None, rolls: list[int] | None = None) -> None:
        self.outcomes = [(7, 1)] if outcomes is None else outcomes
        self.rolls = [] if rolls is None else rolls
        self.rolling = False

    def actor(self) -> int:
        return CHANCE if self.rolling else 0

    def legal(self, seat: int = -1) -> list[int]:
        return [] if self.rolling or seat > 0 else [0]

    def chance(self) -> list[tuple[int, int]]:
        return self.outcomes if self.rolling else []

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        if self.rolling:
            self.rolls.append(code)
        self.rolling = True

    def clone(self) -> Broken:
        return Broken(self.outcomes, list(self.rolls))

"""Tests of the generator of play-outs: known answers, no bias, the same numbers on every machine."""

from __future__ import annotations

from collections import Counter

import pytest

from cext.random import Rng

MASK = 2**64 - 1


def rotate(x: int, k: int) -> int:
    return (x << k | x >> (64 - k)) & MASK


class Xoshiro:
    """xoshiro256**, written down once more."""

    def __init__(self, state: list[int]) -> None:
        self.state = list(state)

    def next(self) -> int:
        s = self.state
        result = rotate(s[1] * 5 & MASK, 7) * 9 & MASK
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
        return result

    def below(self, n: int) -> int:
        """Lemire: the upper half of a product, unless its lower half is among the few that would be too many."""
        while True:
            product = (self.next() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32


def splitmix(seed: int, count: int) -> list[int]:
    words = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = (seed ^ seed >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        words.append(z ^ z >> 31)
    return words


def test_reference_algorithms_give_published_values() -> None:
    # Both from the reference implementations of Blackman and Vigna.
    assert splitmix(1234567, 3) == [6457827717110365317, 3203168211198807973, 9817491932198370423]
    xoshiro = Xoshiro([1, 2, 3, 4])
    assert [xoshiro.next() for _ in range(4)] == [11520, 0, 1509978240, 1215971899390074240]


@pytest.mark.parametrize("seed", [0, 1, 42, 2**63, MASK, 2**64 + 5, -1])
def test_the_generator_is_xoshiro_seeded_by_splitmix(seed: int) -> None:
    rng, plain = Rng(seed), Xoshiro(splitmix(seed & MASK, 4))
    assert [rng.bits64() for _ in range(100)] == [plain.next() for _ in range(100)]


def test_known_answers() -> None:
    # A change of these breaks every seeded bot and test: they are the same on every machine, for ever.
    rng = Rng(2024)
    assert [rng.bits64() for _ in range(2)] == [1029197146548041518, 14427268137155694693]
    assert [rng.below(6) for _ in range(12)] == [0, 0, 4, 1, 2, 1, 3, 0, 4, 5, 5, 2]


@pytest.mark.parametrize("n", [1, 2, 6, 7, 1000, 3 << 30, 2**32 - 1])
def test_below_is_unbiased_by_rejection(n: int) -> None:
    # For 3 << 30 a quarter of all draws has to be thrown away.
    rng, plain = Rng(7), Xoshiro(splitmix(7, 4))
    drawn = [rng.below(n) for _ in range(2000)]
    assert drawn == [plain.below(n) for _ in range(2000)]
    assert all(0 <= number < n for number in drawn)


def test_below_is_uniform() -> None:
    rng = Rng(3)
    counts = Counter(rng.below(6) for _ in range(60_000))
    assert sorted(counts) == list(range(6))
    # Five standard deviations; the seed is fixed, so this holds always or never.
    assert all(abs(count - 10_000) < 5 * (60_000 * 1 / 6 * 5 / 6) ** 0.5 for count in counts.values())


def test_below_refuses_zero() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Rng(1).below(0)


def test_choice_takes_any_item() -> None:
    rng = Rng(1)
    assert {rng.choice("abc") for _ in range(50)} == set("abc")
    with pytest.raises(ValueError, match="at least 1"):
        rng.choice([])


def test_shuffle_gives_every_order() -> None:
    rng = Rng(5)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(6000):
        items = [1, 2, 3]
        rng.shuffle(items)
        counts[tuple(items)] += 1
    assert len(counts) == 6
    assert all(abs(count - 1000) < 5 * (6000 * 1 / 6 * 5 / 6) ** 0.5 for count in counts.values())
    empty: list[int] = []
    rng.shuffle(empty)
    assert empty == []


def test_weighted_follows_the_weights() -> None:
    rng = Rng(9)
    counts = Counter(rng.weighted([(10, 1), (20, 2), (30, 5)]) for _ in range(8000))
    for code, expected in ((10, 1000), (20, 2000), (30, 5000)):
        assert abs(counts[code] - expected) < 250
    assert Rng(1).weighted([(4, 2**32 - 1)]) == 4


@pytest.mark.parametrize("outcomes", [[], [(1, 2**32)], [(1, 2**31), (2, 2**31)]])
def test_weights_out_of_range_are_refused(outcomes: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="must add up to"):
        Rng(1).weighted(outcomes)


def test_fork_is_independent_of_its_source() -> None:
    rng, twin = Rng(4), Rng(4)
    fork = rng.fork()
    assert fork.bits64() == twin.fork().bits64()
    streams = [rng.bits64() for _ in range(5)], [fork.bits64() for _ in range(5)]
    assert not set(streams[0]) & set(streams[1])

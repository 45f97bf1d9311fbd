"""Matches with a seed given by the host: equal seeds give equal outcomes, and the match is marked as seeded."""

from __future__ import annotations

import hashlib

import pytest

from cext.chance import outcome, seed_of_number
from engine_service import errors
from engine_service.match_enums import ChanceSource, RecordKind
from engine_service.matches.verify import verify
from engine_service.model import ForkSetup, MatchSetup, Policy
from tests.support.games import kuhn
from tests.support.hosting import Hosted, HostedMatch, SeatSetup, hosting

SEEDED = Policy(chance=ChanceSource.SEEDED)
DEALS = {"deals": "5"}


def rolls(t: HostedMatch) -> list[int]:
    return [record.code for record in t.live.log.after(0) if record.kind is RecordKind.CHANCE]


async def played(h: Hosted, seed: int, **setup: object) -> HostedMatch:
    """Returns a match of five deals in which everyone checks."""
    t = await h.new_match("kuhn", policy=SEEDED, seed=seed, option_texts=DEALS, **setup)
    for _ in range(5):
        for seat in (0, 1):
            await t.play(seat, kuhn.CHECK())
    return t


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_equal_seeds_give_equal_outcomes(ephemeral: bool) -> None:
    async with hosting() as h:
        first, second, other = [await played(h, seed, ephemeral=ephemeral) for seed in (7, 7, 8)]
        assert rolls(first) == rolls(second) != rolls(other)
        assert len(rolls(first)) == 10
        assert (await h.host.get(first.name)).seed == (await h.host.get(second.name)).seed == seed_of_number(7)


async def test_seeded_match_is_marked_for_everyone() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=SEEDED, seed=1)
        info = await h.host.get(t.name)
        assert info.policy.chance is ChanceSource.SEEDED and not info.seed
        assert t.live.header.policy.chance is ChanceSource.SEEDED


async def test_outcomes_can_be_computed_from_the_number_alone() -> None:
    seed = hashlib.blake2b(b"omnilude seed" + (9).to_bytes(8, "little"), digest_size=32).digest()
    assert seed_of_number(9) == seed
    async with hosting() as h:
        t = await played(h, 9)
        state = t.live.game.initial_state()
        assert rolls(t)[0] == outcome(seed, bytes(16), 0, state.chance())


async def test_replay_of_a_seeded_match_is_proved() -> None:
    async with hosting() as h:
        t = await played(h, 3)
        report = verify(await h.host.get_replay(t.name), h.registry)
        assert report.rolls_proved == 10


async def test_copy_has_a_fair_seed_of_its_own() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=SEEDED, seed=3)
        forked = await h.host.fork(t.name, ForkSetup(), token=t.host_token)
        assert forked.match.policy.chance is ChanceSource.SEED
        with pytest.raises(errors.InvalidField) as refusal:
            await h.host.fork(t.name, ForkSetup(policy=SEEDED), token=t.host_token)
        assert refusal.value.faults[0].field == "seed"


@pytest.mark.parametrize(
    ("policy", "seed", "message"),
    [
        (SEEDED, None, "must be set if policy.chance is SEEDED"),
        (Policy(), 1, "must not be set if policy.chance is SEED"),
        (Policy(chance=ChanceSource.HOST), 1, "must not be set if policy.chance is HOST"),
    ],
)
async def test_seed_and_policy_must_agree(policy: Policy, seed: int | None, message: str) -> None:
    async with hosting() as h:
        with pytest.raises(errors.InvalidField) as refusal:
            await h.host.create(MatchSetup("kuhn", [SeatSetup(), SeatSetup()], policy=policy, seed=seed))
        (fault,) = refusal.value.faults
        assert (fault.field, fault.message) == ("seed", message)

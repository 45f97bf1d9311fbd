"""A request_id identifies one request with all its parameters and its caller."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from engine_service import errors
from engine_service.match_enums import ChanceSource
from engine_service.model import ForkSetup, MatchSetup, Policy, SeatSetup
from gamepacks.api.types import Code, Seat
from tests.support.games import kuhn
from tests.support.hosting import BOT, Hosted, HostedMatch, hosting

CHECK, BET = Code(kuhn.CHECK()), Code(kuhn.BET())
SETUP = MatchSetup("kuhn", [SeatSetup(), SeatSetup()])

Ask = tuple[Callable[..., Awaitable[object]], dict[str, Any], dict[str, Any]]
"""A call, its first arguments, and another value for each argument."""


async def started(h: Hosted, ephemeral: bool, **setup: Any) -> HostedMatch:
    return await h.new_match("kuhn", ephemeral=ephemeral, **setup)


async def creating(h: Hosted, ephemeral: bool) -> Ask:
    setup = replace(SETUP, ephemeral=ephemeral)
    return partial(h.host.create, client_key="k"), {"setup": setup}, {"setup": replace(setup, labels={"a": "b"})}


async def copying(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral)
    setup = ForkSetup([SeatSetup(), SeatSetup()], ephemeral=ephemeral)
    first = {"setup": setup, "seq": 0, "token": t.host_token}
    return (
        partial(h.host.fork, t.name, client_key="k"),
        first,
        {"setup": replace(setup, seats=[BOT, BOT]), "seq": 5, "token": ""},
    )


async def joining(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral, join=False)
    first = {"player": "Ada", "seat": None, "token": ""}
    return (
        partial(h.host.join, t.name, client_key="k"),
        first,
        {"player": "Eve", "seat": Seat(0), "token": t.host_token},
    )


async def leaving(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral, policy=Policy(manual_start=True))
    return partial(h.host.leave, t.name), {"token": t.tokens[0]}, {"token": t.tokens[1]}


async def starting(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral, policy=Policy(manual_start=True))
    return partial(h.host.start_match, t.name), {"token": t.host_token}, {"token": t.tokens[1]}


async def cancelling(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral)
    return partial(h.host.cancel, t.name), {"token": t.host_token, "reason": "a"}, {"token": "", "reason": "b"}


async def acting(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral)
    first = {"token": t.tokens[0], "action": CHECK, "expected_seq": None, "validate_only": False}
    return (
        partial(h.host.submit_action, t.name),
        first,
        {"token": t.tokens[1], "action": BET, "expected_seq": 5, "validate_only": True},
    )


async def resigning(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral)
    return partial(h.host.resign, t.name), {"token": t.tokens[0]}, {"token": t.tokens[1]}


async def asking_to_undo(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral)
    await t.play(0, CHECK)
    first = {"token": t.tokens[0], "to_seq": None, "reason": "a"}
    return partial(h.host.request_undo, t.name), first, {"token": t.tokens[1], "to_seq": 5, "reason": "b"}


async def answering(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral)
    await t.play(0, CHECK)
    asked = await h.host.request_undo(t.name, t.tokens[0])
    first = {"token": t.tokens[1], "request_seq": asked.seq, "accept": False, "reason": "a"}
    others = {"token": t.tokens[0], "request_seq": asked.seq - 1, "accept": True, "reason": "b"}
    return partial(h.host.answer_undo, t.name), first, others


async def withdrawing(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral)
    await t.play(0, CHECK)
    await h.host.request_undo(t.name, t.tokens[0])
    return partial(h.host.withdraw_undo, t.name), {"token": t.tokens[0]}, {"token": t.tokens[1]}


async def supplying(h: Hosted, ephemeral: bool) -> Ask:
    t = await started(h, ephemeral, policy=Policy(chance=ChanceSource.HOST))
    first = {"token": t.host_token, "codes": [Code(kuhn.DEAL(1))]}
    return partial(h.host.provide_outcomes, t.name), first, {"token": t.tokens[0], "codes": [Code(kuhn.DEAL(2))]}


@pytest.mark.parametrize("ephemeral", [False, True], ids=["stored", "ephemeral"])
@pytest.mark.parametrize(
    "prepare",
    [
        creating, copying, joining, leaving, starting, cancelling, acting, resigning, asking_to_undo, answering,
        withdrawing, supplying,
    ],
)  # fmt: skip
async def test_request_id_with_any_difference_is_refused(
    prepare: Callable[[Hosted, bool], Awaitable[Ask]], ephemeral: bool
) -> None:
    async with hosting() as h:
        call, asked, others = await prepare(h, ephemeral)
        assert set(others) == set(asked)
        first = await call(**asked, request_id="r")
        if "client_key" not in getattr(call, "keywords", {}):
            del others["token"]  # says who calls, and another caller's request is another
        for name, other in others.items():
            # A token that may not do this is refused for itself, before its request_id is looked up.
            with pytest.raises((errors.RequestIdReused, errors.AccessDenied)):
                await call(**{**asked, name: other}, request_id="r")
        assert await call(**asked, request_id="r") == first


async def test_newest_answers_about_ephemeral_matches_are_kept() -> None:
    async with hosting(ephemeral_requests=2) as h:
        setup = replace(SETUP, ephemeral=True)
        first, second, third = [
            (await h.host.create(setup, request_id=name, client_key="k")).match.name for name in "abc"
        ]
        for name, known in (("b", second), ("c", third)):
            assert (await h.host.create(setup, request_id=name, client_key="k")).match.name == known
        assert (await h.host.create(setup, request_id="a", client_key="k")).match.name not in (first, second, third)


@pytest.mark.parametrize("ephemeral", [False, True], ids=["stored", "ephemeral"])
async def test_request_id_of_another_caller_is_another_request(ephemeral: bool) -> None:
    async with hosting() as h:
        setup = replace(SETUP, ephemeral=ephemeral)
        mine = await h.host.create(setup, "r", "mine")
        theirs = await h.host.create(setup, "r", "theirs")
        assert mine.match.name != theirs.match.name and mine.host_token != theirs.host_token
        again = await h.host.create(setup, "r", "mine")
        assert (again.match.name, again.host_token) == (mine.match.name, mine.host_token)
        name = mine.match.name
        ada, bob = [await h.host.join(name, "x", None, "", "r", key) for key in ("ada's", "bob's")]
        assert (ada.seat, bob.seat) == (0, 1) and ada.token != bob.token
        assert (await h.host.join(name, "x", None, "", "r", "ada's")).token == ada.token
        live = await h.host.live_match(name)
        first = await h.host.submit_action(name, ada.token, CHECK, request_id="r")
        second = await h.host.submit_action(name, bob.token, CHECK, request_id="r")
        assert second.action_seq == first.action_seq + 1 <= live.seq
        copies = [await h.host.fork(name, ForkSetup(ephemeral=ephemeral), 5, mine.host_token, "r", k) for k in "ab"]
        assert len({copy.host_token for copy in copies}) == 2


@pytest.mark.parametrize("wrong", ["", "k" * 65])
async def test_request_with_an_invalid_client_key_is_refused(wrong: str) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", join=False)
        for call in (
            h.host.create(SETUP, "r", wrong),
            h.host.join(t.name, "x", None, "", "r", wrong),
            h.host.fork(t.name, ForkSetup(), 0, t.host_token, "r", wrong),
        ):
            with pytest.raises(errors.InvalidField, match="client_key"):
                await call
        assert t.log() == []


async def test_wrong_token_with_a_used_request_id_is_refused() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        await t.play(0, CHECK, request_id="r")
        await h.host.join((await h.new_match("kuhn", join=False)).name, "x", None, "", "r", "k")
        for call in (
            h.host.submit_action(t.name, "wrong", CHECK, request_id="r"),
            h.host.leave(t.name, "wrong", "r"),
            h.host.fork(t.name, ForkSetup(), 5, "wrong", "r", "k"),
            h.host.join(t.name, "x", None, "wrong", "r", "k"),
        ):
            with pytest.raises(errors.TokenInvalid):
                await call

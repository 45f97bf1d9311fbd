"""OMEGA through the engine: whole matches in process and over gRPC, replays that verify."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from engine_service.match_enums import MatchState, SeatKind, UndoPolicy
from engine_service.matches.verify import verify
from engine_service.model import Policy, SeatSetup
from gamepacks.api.registry import Registry
from gamepacks.omega import Omega
from gamepacks.omega.v1 import omega_pb2 as pb
from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as service
from tests.support.hosting import hosting
from tests.support.rpc_errors import refused
from tests.support.server import Running, running_server
from tests.support.wire import get_replay, new_match

GOLDEN = Path(__file__).parents[2] / "gamepacks" / "omega" / "golden"


def packed(message: object) -> AnyMessage:
    holder = AnyMessage()
    holder.Pack(message)
    return holder


def test_the_registry_finds_the_game_and_its_bots() -> None:
    loaded = Registry.load(only=["omega"], strict=True).game("omega")
    assert loaded.game is Omega
    assert {"random", "monte-carlo"} <= set(loaded.bots)
    assert len(loaded.bots) >= 3


def test_there_are_golden_replays_of_each_option_and_number_of_seats() -> None:
    names = {file.stem for file in GOLDEN.glob("*.txt")}
    assert {"omega-2p", "omega-3p", "omega-4p"} <= names
    for option in Omega.options_type.model_fields:
        assert option == "card_set" or any(f"-{option}-" in name for name in names), option


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_whole_matches_with_undoing_are_stored_and_verified(players: int) -> None:
    async with hosting(packs=(), installed=["omega"]) as h:
        t = await h.new_match(
            "omega", players, policy=Policy(undo=UndoPolicy.FREE), options=packed(pb.Options(max_turns=30))
        )
        await t.play_at_random(random.Random(players), 10_000, undo=0.02)
        info = await h.host.get(t.name)
        assert info.state is MatchState.FINISHED and info.result is not None
        report = verify(await h.host.get_replay(t.name), h.registry)
        assert report.result == info.result and report.rolls_proved > 0
        assert await h.state_of(t) == t.live.snapshot.game_state.to_bytes()


async def test_bots_play_a_match_in_the_service() -> None:
    async with hosting(packs=(), installed=["omega"]) as h:
        bots = [SeatSetup(SeatKind.BOT, "random") for _ in range(3)]
        t = await h.new_match("omega", 3, seats=bots, options=packed(pb.Options(max_turns=20)))
        assert (await h.host.get(t.name)).state is MatchState.FINISHED


@pytest.fixture
async def running() -> object:
    async with running_server(only=["omega"]) as running:
        yield running


@pytest.mark.parametrize("players", [2, 3, 4])
async def test_a_match_over_the_wire(running: Running, players: int) -> None:
    rnd = random.Random(players)
    table = await new_match(running, "omega", players, options=packed(pb.Options(max_turns=2 * players)))
    match = await table.play_out(lambda legal: rnd.choice(list(legal)))
    assert match.state == match_pb2.MATCH_STATE_FINISHED
    assert len(match.result.places) == players
    verify(await get_replay(running.matches, table.name), Registry.load(only=["omega"]))


async def test_the_wire_keeps_secrets_and_refuses_with_reasons(running: Running) -> None:
    table = await new_match(running, "omega", 3, options=packed(pb.Options(start_player=0)))
    views = []
    for token in ("", *table.seats):
        view = pb.View()
        assert (await table.observe(token)).view.Unpack(view)
        views.append(view)
    assert [bool(player.pyramid) for player in views[0].players] == [False] * 3
    for seat in range(3):
        assert [bool(player.pyramid) for player in views[seat + 1].players] == [seat == number for number in range(3)]
    legal = await table.legal(0)
    assert legal.codes
    assert not (await table.legal(1)).codes
    action = packed(pb.Action(end_main=pb.Plain()))
    call = running.matches.SubmitAction(
        service.SubmitActionRequest(name=table.name, token=table.seats[0], typed_action=action, expected_seq=legal.seq)
    )
    answer = await refused(call)
    assert answer.reason == "ILLEGAL_ACTION" and "WRONG_PHASE" in answer.metadata.values()

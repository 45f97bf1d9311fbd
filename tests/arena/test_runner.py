"""Whole tournaments against a real service: bots that behave and bots that do not, stops and resumption."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format

from omnilude.arena import runner
from omnilude.arena.config import ConfigError, Tournament
from omnilude.arena.results import Conduct, JournalError, MatchResult, Results, read_journal
from omnilude.arena.runner import Arena, Progress, ServiceFaulty, ServiceLost, seed_of
from omnilude.v1 import match_pb2
from omnilude.v1.replay_pb2 import Replay, ReplayHeader
from tests.support.games import kuhn, sealed
from tests.support.server import Running, ServiceProcess, running_server

BOTS = "tests.arena.bots:"
WIRE_BOT = Path(__file__).with_name("wire_bot.py")


@pytest.fixture
async def service() -> AsyncIterator[Running]:
    settings = {"server.heartbeat_seconds": 0.5}
    async with running_server(packs=[sealed.PACK, kuhn.PACK], only=["ominoes"], settings=settings) as running:
        yield running


def tournament(*bots: dict[str, Any] | str, **changes: Any) -> Tournament:
    """Returns a round robin of Kuhn's poker; a bot's name alone is a class of `tests.arena.bots`."""
    entries = [{"name": bot.lower(), "python": BOTS + bot} if isinstance(bot, str) else bot for bot in bots]
    given = {"game": "kuhn", "format": {"kind": "round-robin"}, "bots": entries, "clock": {"per_move": 20}}
    return Tournament.model_validate({**given, **changes})


SERVICE_BOT = {"name": "random", "service": "random"}


async def play(given: Tournament, folder: Path, service: Running, **more: Any) -> Results:
    return await asyncio.wait_for(Arena(given, folder, service.target, **more).run(), 240)


async def test_results_and_replays_of_a_round_robin_are_stored(service: Running, tmp_path: Path) -> None:
    given = tournament("First", "Any", SERVICE_BOT, format={"kind": "round-robin", "rounds": 2})
    steps: list[Progress] = []
    results = await play(given, tmp_path, service, on_result=steps.append)
    seen = [progress.result for progress in steps]
    assert len(results.by_match) == len(seen) == 12
    assert [(progress.played, progress.planned) for progress in steps] == [(played, 12) for played in range(1, 13)]
    for result in results.ordered():
        assert set(result.conduct) == {Conduct.PLAYED}
        assert sorted(result.places) in ([1, 1], [1, 2]) and result.records > 3
        assert (tmp_path / "replays" / result.replay).stat().st_size > 100
    lines = (tmp_path / "results.jsonl").read_text().splitlines()
    assert len(lines) == 13 and json.loads(lines[0])["tournament"]["game"] == "kuhn"


async def test_matches_of_an_encounter_have_the_same_deal(service: Running, tmp_path: Path) -> None:
    given = tournament("First", {"name": "again", "python": BOTS + "First"})
    await play(given, tmp_path, service)
    listed = (
        await service.matches.ListMatches(
            __import__("omnilude.v1.match_service_pb2", fromlist=["x"]).ListMatchesRequest()
        )
    ).matches
    assert len(listed) == 2
    assert {match.policy.chance for match in listed} == {match_pb2.CHANCE_SOURCE_SEEDED}
    assert len({match.seed for match in listed}) == 1
    assert {match.labels["encounter"] for match in listed} == {"0.0", "0.1"}


FAILING = [
    ("Raising", Conduct.CRASHED, {}),
    ("Cheating", Conduct.ILLEGAL, {}),
    ("Forgetting", Conduct.ILLEGAL, {}),
    ("Misspelling", Conduct.ILLEGAL, {}),
    ("Resigning", Conduct.RESIGNED, {}),
    ("Exiting", Conduct.CRASHED, {"restarts": 0}),
    ("Hanging", Conduct.LATE, {}),
    ("Allocating", Conduct.CRASHED, {"memory_mb": 800}),
]


@pytest.mark.parametrize(("bot", "conduct", "entry"), FAILING)
async def test_bot_that_fails_loses_with_the_right_verdict(
    service: Running, tmp_path: Path, bot: str, conduct: Conduct, entry: dict[str, Any]
) -> None:
    failing = {"name": "failing", "python": BOTS + bot, **entry}
    given = tournament("First", failing, clock={"per_move": 5}, options={"deals": 5})
    results = await play(given, tmp_path, service)
    assert len(results.by_match) == 2
    found = set()
    for result in results.ordered():
        seat = result.seats.index("failing")
        if result.conduct[seat] is not Conduct.PLAYED:
            assert result.places == (2, 1)[:: 1 if seat == 0 else -1]
            assert result.conduct[1 - seat] is Conduct.PLAYED
        found.add(result.conduct[seat])
    assert found == {conduct}


async def test_bot_that_closes_its_connection_is_disconnected(service: Running, tmp_path: Path) -> None:
    leaving = {"name": "leaving", "command": [sys.executable, str(WIRE_BOT), "disconnects"], "restarts": 1}
    given = tournament(
        SERVICE_BOT,
        leaving,
        clock={"per_move": 2},
        at_once=1,
        start_timeout=10,
        options={"deals": 5},
        format={"kind": "round-robin", "rounds": 3},
    )
    results = await play(given, tmp_path, service)
    found = [result.conduct[result.seats.index("leaving")] for result in results.ordered()]
    # It is restarted when it is absent; after its last restart it forfeits without a wait.
    assert found == [Conduct.DISCONNECTED, Conduct.ABSENT] * 2 + [Conduct.ABSENT] * 2
    assert all(result.places[result.seats.index("leaving")] == 2 for result in results.ordered())
    assert sum(result.seconds == 0 for result in results.ordered()) == 4


@pytest.mark.parametrize(("faults", "fails"), [(2, False), (3, True)])
async def test_fault_of_the_rules_costs_no_bot_and_the_match_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faults: int, fails: bool
) -> None:
    left = [faults]
    apply = kuhn.KuhnState.apply_unchecked

    def apply_or_fail(self: kuhn.KuhnState, code: int, seat: int = -1) -> None:
        if left[0]:
            left[0] -= 1
            raise KeyError("the ace of spades")
        apply(self, code, seat)

    monkeypatch.setattr(kuhn.KuhnState, "apply_unchecked", apply_or_fail)
    async with running_server(packs=[kuhn.PACK], only=["ominoes"]) as service:
        given = tournament("First", SERVICE_BOT, at_once=1)
        if fails:
            with pytest.raises(ServiceFaulty, match="ended 3 times"):
                await play(given, tmp_path, service)
        else:
            results = await play(given, tmp_path, service)
            assert [result.conduct for result in results.ordered()] == [(Conduct.PLAYED, Conduct.PLAYED)] * 2


async def test_bot_that_floods_its_output_plays_on(service: Running, tmp_path: Path) -> None:
    results = await play(tournament("Flooding", SERVICE_BOT), tmp_path, service)
    assert {conduct for result in results.ordered() for conduct in result.conduct} == {Conduct.PLAYED}


async def test_bot_that_does_not_connect_forfeits(service: Running, tmp_path: Path) -> None:
    sleeping = {"name": "sleeping", "command": [sys.executable, "-c", "input()"]}
    given = tournament(SERVICE_BOT, sleeping, start_timeout=1.0)
    results = await play(given, tmp_path, service)
    for result in results.ordered():
        seat = result.seats.index("sleeping")
        assert result.conduct[seat] is Conduct.ABSENT and result.places[seat] == 2


async def test_stopped_tournament_resumes(service: Running, tmp_path: Path) -> None:
    given = tournament("First", "Any", format={"kind": "round-robin", "rounds": 3}, at_once=1)
    seen: list[MatchResult] = []
    running: asyncio.Task[Results]

    def stop(progress: Progress) -> None:
        seen.append(progress.result)
        if len(seen) == 2:
            running.cancel()

    running = asyncio.ensure_future(play(given, tmp_path, service, on_result=stop))
    with pytest.raises(asyncio.CancelledError):
        await running
    # As if it had been killed in the middle of a line.
    with (tmp_path / "results.jsonl").open("ab") as journal:
        journal.write(b'{"encounter": 1, "rot')
    again: list[MatchResult] = []
    results = await play(given, tmp_path, service, on_result=lambda progress: again.append(progress.result))
    assert len(results.by_match) == 6 and len(again) == 4
    assert [results.by_match[result.encounter, result.rotation] for result in seen] == seen
    whole = await play(given, tmp_path / "whole", service)
    assert [r.seats for r in whole.ordered()] == [r.seats for r in results.ordered()]


async def test_folder_of_another_tournament_is_refused(service: Running, tmp_path: Path) -> None:
    await play(tournament("First", SERVICE_BOT), tmp_path, service)
    with pytest.raises(JournalError, match="another tournament"):
        await play(tournament("First", SERVICE_BOT, seed=2), tmp_path, service)


async def test_three_bots_meet_at_one_table(service: Running, tmp_path: Path) -> None:
    given = tournament("First", "Any", SERVICE_BOT, seats=3)
    results = await play(given, tmp_path, service)
    assert [result.seats for result in results.ordered()] == [
        ("first", "any", "random"),
        ("any", "random", "first"),
        ("random", "first", "any"),
    ]


def test_seeds_depend_on_tournament_and_encounter() -> None:
    seeds = {seed_of(seed, encounter) for seed in range(20) for encounter in range(20)}
    assert len(seeds) == 400 and all(0 <= seed < 1 << 63 for seed in seeds)


async def test_encounters_start_from_the_openings_in_turn(service: Running, tmp_path: Path) -> None:
    game = kuhn.KuhnGame.configure(2, {"deals": 5})
    positions = [game.position(game.initial_state()) for _ in range(2)]
    positions[1].deal, positions[1].winnings[:] = 1, [1, -1]
    file = tmp_path / "openings.jsonl"
    file.write_text("\n".join(json_format.MessageToJson(position, indent=None) for position in positions) + "\n\n")
    given = tournament(
        "First", SERVICE_BOT, openings=file, options={"deals": 5}, format={"kind": "round-robin", "rounds": 3}
    )
    results = await play(given, tmp_path / "arena", service)
    assert len(results.by_match) == 6
    for result in results.ordered():
        replay = Replay.FromString((tmp_path / "arena" / "replays" / result.replay).read_bytes())
        opening = type(positions[0]).FromString(ReplayHeader.FromString(replay.header).position.value)
        assert opening == positions[result.encounter % 2]


async def test_invalid_openings_are_refused_by_line(service: Running, tmp_path: Path) -> None:
    file = tmp_path / "openings.jsonl"
    file.write_text('{"deal": 0}\n{"deal": "x"}\n{\n')
    with pytest.raises(ConfigError) as refused:
        await play(tournament("First", SERVICE_BOT, openings=file), tmp_path, service)
    assert [fault.partition(":")[0] for fault in refused.value.faults] == ["line 2", "line 3"]
    file.write_text("\n")
    with pytest.raises(ConfigError, match="there is no position"):
        await play(tournament("First", SERVICE_BOT, openings=file), tmp_path, service)


async def test_tournament_resumes_after_its_service_was_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "RECONNECT_TIMEOUT", 0.5)
    monkeypatch.setattr(runner, "CALL_TIMEOUT", 5.0)
    given = tournament(
        "First",
        {"name": "again", "python": BOTS + "First"},
        game="ominoes",
        options={"target": 1},
        format={"kind": "round-robin", "rounds": 3},
        at_once=1,
    )
    seen: list[MatchResult] = []
    (tmp_path / "service").mkdir()
    with ServiceProcess(tmp_path / "service", "--packs.only", "ominoes") as service:

        def kill(progress: Progress) -> None:
            seen.append(progress.result)
            if len(seen) == 2:
                service.kill()

        with pytest.raises(ServiceLost):
            await Arena(given, tmp_path / "arena", service.target, on_result=kill).run()
    assert len(seen) == 2
    with ServiceProcess(tmp_path / "service", "--packs.only", "ominoes") as service:
        results = await Arena(given, tmp_path / "arena", service.target).run()
    assert results.ordered()[:2] == seen
    assert [result.seats for result in results.ordered()] == [("first", "again"), ("again", "first")] * 3


ARENA_PROGRAM = """
import asyncio, sys
from pathlib import Path
from omnilude.arena.config import Tournament
from omnilude.arena.runner import Arena

given = Tournament.model_validate_json(sys.argv[1])
asyncio.run(Arena(given, Path(sys.argv[2]), sys.argv[3]).run())
"""


async def test_tournament_resumes_after_the_arena_was_killed(service: Running, tmp_path: Path) -> None:
    given = tournament("First", SERVICE_BOT, format={"kind": "round-robin", "rounds": 40}, at_once=1)
    folder = tmp_path / "arena"
    arguments = [given.model_dump_json(), str(folder), service.target]
    arena = await asyncio.create_subprocess_exec(sys.executable, "-c", ARENA_PROGRAM, *arguments)
    journal = folder / "results.jsonl"
    async with asyncio.timeout(120):
        while not journal.exists() or journal.read_bytes().count(b"\n") < 3:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    arena.kill()
    await arena.wait()
    before = read_journal(journal)[1].ordered()
    assert 2 <= len(before) < 80
    results = await play(given, folder, service)
    assert results.ordered()[: len(before)] == before
    assert [result.seats for result in results.ordered()] == [("first", "random"), ("random", "first")] * 40

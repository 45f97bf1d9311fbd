"""The service as a process: start, kill during play, restart, graceful end."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import grpc
import pytest

from engine_service.config import example_toml
from engine_service.store.sqlite_file import backup
from omnilude.v1 import match_pb2, match_service_pb2_grpc, play_service_pb2_grpc
from omnilude.v1 import match_service_pb2 as pb
from omnilude.v1 import play_service_pb2 as play_pb
from tests.support.server import ServiceProcess
from tests.support.waiting import until

MATCHES = 6


class Playing:
    """Plays both seats of some matches of Ominoes over one stream, and records the acknowledged moves."""

    def __init__(self, target: str, tables: list[tuple[str, list[str]]], rng: random.Random) -> None:
        self.tables = tables
        self.rng = rng
        self.acknowledged: dict[str, list[tuple[int, int]]] = {name: [] for name, _ in tables}
        self.count = 0
        self._sent: dict[int, int] = {}
        self._channel = grpc.insecure_channel(target)
        self._requests: list[play_pb.PlayRequest] = []
        self._ready = threading.Condition()

    def run(self, enough: int, then: Any) -> None:
        """Play until the given number of moves is acknowledged; then call ``then`` and continue until the stream
        breaks."""
        attach = [
            play_pb.Attach(channel=2 * number + seat, match=name, token=token)
            for number, (name, tokens) in enumerate(self.tables)
            for seat, token in enumerate(tokens)
        ]
        self._put(play_pb.PlayRequest(hello=play_pb.Hello(), attach=attach))
        with pytest.raises(grpc.RpcError):
            for response in play_service_pb2_grpc.PlayServiceStub(self._channel).Play(self._stream()):
                self._take(response)
                if self.count >= enough and then is not None:
                    then()
                    then = None
        self._put(None)
        self._channel.close()

    def _take(self, response: play_pb.PlayResponse) -> None:
        for result in response.results:
            assert not result.error, result
            name = self.tables[result.channel // 2][0]
            self.acknowledged[name].append((result.action_seq, self._sent[result.channel]))
            self.count += 1
        moves = []
        for turn in response.turns:
            self._sent[turn.channel] = code = turn.codes[self.rng.randrange(len(turn.codes))]
            moves.append(play_pb.Move(channel=turn.channel, seq=turn.seq, code=code))
        if moves:
            self._put(play_pb.PlayRequest(moves=moves))

    def _put(self, request: Any) -> None:
        with self._ready:
            self._requests.append(request)
            self._ready.notify()

    def _stream(self) -> Any:
        while True:
            with self._ready:
                while not self._requests:
                    self._ready.wait()
                request = self._requests.pop(0)
            if request is None:
                return
            yield request


def new_matches(target: str) -> list[tuple[str, list[str]]]:
    with grpc.insecure_channel(target) as channel:
        matches = match_service_pb2_grpc.MatchServiceStub(channel)
        tables = []
        for _ in range(MATCHES):
            created = matches.CreateMatch(pb.CreateMatchRequest(game="games/ominoes", seats=[pb.SeatSetup()] * 2))
            tokens = [
                matches.JoinMatch(pb.JoinMatchRequest(name=created.match.name, player=f"p{seat}")).token
                for seat in range(2)
            ]
            tables.append((created.match.name, tokens))
        return tables


def actions_of(target: str, name: str) -> list[tuple[int, int]]:
    """Returns the actions in the log, as a spectator sees them; Ominoes hides nothing."""
    with grpc.insecure_channel(target) as channel:
        matches = match_service_pb2_grpc.MatchServiceStub(channel)
        newest = matches.GetMatch(pb.GetMatchRequest(name=name)).match.seq
        found = []
        call = matches.WatchMatch(pb.WatchMatchRequest(name=name))
        for message in call:
            for event in message.events:
                if event.kind == match_pb2.RECORD_KIND_ACTION:
                    found.append((event.seq, event.code))
            if message.seq >= newest:
                break
        call.cancel()
        return found


@pytest.mark.parametrize("durability", ["full", "normal"])
def test_acknowledged_actions_survive_a_kill(tmp_path: Path, durability: str) -> None:
    """The service is killed (kill -9) three times; play continues each time from the acknowledged moves."""
    rng = random.Random(9)
    with ServiceProcess(tmp_path, "--packs.only", "ominoes", "--store.durability", durability) as service:
        tables = new_matches(service.target)
        before: dict[str, list[tuple[int, int]]] = {name: [] for name, _ in tables}
        for round_ in range(3):
            playing = Playing(service.target, tables, rng)
            playing.run(40, service.kill)
            assert playing.count >= 40
            service.start()
            for name, acknowledged in playing.acknowledged.items():
                kept = actions_of(service.target, name)
                assert kept[: len(before[name])] == before[name], "what was there is still there"
                assert set(acknowledged) <= set(kept), f"round {round_}: an acknowledged action is gone"
                before[name] = kept
        assert service.terminate() == 0


def descendants(pid: int) -> set[int]:
    """Returns the child processes of a process, their children, and so on."""
    own = {int(n) for task in Path(f"/proc/{pid}/task").iterdir() for n in (task / "children").read_text().split()}
    return own.union(*map(descendants, own))


def runs(pid: int) -> bool:
    """Returns whether a process is running and not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def test_bot_processes_end_when_the_service_is_killed(tmp_path: Path) -> None:
    """This holds for a process that is deciding and for an idle one."""
    bot = pb.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player="monte-carlo")
    with ServiceProcess(tmp_path, "--packs.only", "ominoes", "--limits.bot_workers", "2") as service:
        with grpc.insecure_channel(service.target) as channel:
            request = pb.CreateMatchRequest(game="games/ominoes", seats=[bot, bot])
            match_service_pb2_grpc.MatchServiceStub(channel).CreateMatch(request)
        started: set[int] = set()

        def thinking() -> bool:
            started.update(descendants(service.pid))
            return len(started) >= 2

        await until(thinking)
        service.kill()
        await until(lambda: not any(map(runs, started)))


def test_sigterm_ends_gracefully_with_everything_kept(tmp_path: Path) -> None:
    rng = random.Random(3)
    with ServiceProcess(tmp_path, "--packs.only", "ominoes") as service:
        tables = new_matches(service.target)
        playing = Playing(service.target, tables, rng)
        playing.run(30, lambda: service.send(signal.SIGTERM))
        assert service.wait() == 0
        assert '"event": "shut down"' in service.log.read_text(encoding="utf-8")
        service.start()
        for name, acknowledged in playing.acknowledged.items():
            assert set(acknowledged) <= set(actions_of(service.target, name))


def test_sigint_ends_as_well(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path, "--packs.only", "ominoes", "--server.uvloop", "true") as service:
        service.send(signal.SIGINT)
        assert service.wait() == 0


def test_second_service_on_the_same_database_is_refused(tmp_path: Path) -> None:
    with ServiceProcess(tmp_path, "--packs.only", "ominoes") as service:
        tables = new_matches(service.target)
        done = run("--server.port", "0", "--metrics.enabled", "false", cwd=tmp_path)
        assert done.returncode == 2
        (shown,) = done.stderr.splitlines()
        assert shown.startswith("[store] path: omnilude.sqlite3 is in use by another service")
        assert f"(process {service.pid})" in shown
        backup(tmp_path / "omnilude.sqlite3", tmp_path / "copy")
        assert len(new_matches(service.target)) == MATCHES
        service.kill()
        service.start()  # what a killed service leaves behind stops nobody
        assert actions_of(service.target, tables[0][0]) == []
        assert service.terminate() == 0


def run(*flags: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    root = Path(__file__).parents[2]
    return subprocess.run(
        [sys.executable, "-m", "engine_service", *flags],
        cwd=cwd,
        env={"PYTHONPATH": str(root), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_invalid_flag_is_refused_with_key_and_range(tmp_path: Path) -> None:
    done = run("--server.port", "70000", cwd=tmp_path)
    assert done.returncode == 2
    assert "flag: [server] port:" in done.stderr and "from 0 to 65535" in done.stderr
    assert "Traceback" not in done.stderr


def test_invalid_file_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "omnilude.toml").write_text("[server]\nport = 'x'\n", encoding="utf-8")
    done = run(cwd=tmp_path)
    assert done.returncode == 2
    assert "omnilude.toml: [server] port:" in done.stderr


def test_example_can_be_printed_and_used(tmp_path: Path) -> None:
    done = run("--example-config", cwd=tmp_path)
    assert done.returncode == 0 and done.stdout == example_toml()


def test_help_names_every_setting(tmp_path: Path) -> None:
    done = run("--help", cwd=tmp_path)
    assert done.returncode == 0
    for flag in ("--config", "--server.port", "--store.durability", "--limits.live_matches", "--packs.only"):
        assert flag in done.stdout


def test_log_of_a_run_contains_no_token(tmp_path: Path) -> None:
    """No token is logged, at level debug either."""
    with ServiceProcess(tmp_path, "--packs.only", "ominoes") as service:
        tables = new_matches(service.target)
        assert service.terminate() == 0
    lines = service.log.read_text(encoding="utf-8")
    assert "MatchService/JoinMatch" in lines
    for _, tokens in tables:
        for token in tokens:
            assert token not in lines

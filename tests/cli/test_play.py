"""``omnilude play``: a person at a terminal."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from typer.testing import Result

from engine_service.matches.verify import verify
from gamepacks.ominoes.v1 import ominoes_pb2
from omnilude import Client, MatchHandle, Open, SeatHandle, ServiceBot, clocks
from omnilude.v1 import match_pb2
from omnilude.v1.match_pb2 import Match, MatchEvent
from omnilude.v1.replay_pb2 import Replay
from omnilude_cli import rendering
from omnilude_cli.local_packs import registry
from omnilude_cli.service import own_command
from omnilude_cli.terminal_player import Quit, TerminalPlayer, describe, result_lines

Run = Callable[..., Result]
FIRST = "all\n1\n"
"""Lists all actions and takes the first."""


def test_game_against_a_bot_is_played_to_the_end(run: Run, target: str, tmp_path: Path) -> None:
    save = tmp_path / "mine.omr"
    flags = ["--server", target, "-o", "target=4", "--opponents", "greedy", "--name", "ann", "--save", save]
    shown = run("play", "ominoes", *flags, input=FIRST * 2000)
    assert shown.exit_code == 0
    assert "ominoes: ann, greedy. You have seat 0." in shown.stdout
    assert "you: Place Ra on" in shown.stdout
    assert "greedy (seat 1): " in shown.stdout
    assert "chance: " in shown.stdout
    assert "you (seat 0)    0 of 4 points" in shown.stdout and "greedy (seat 1)    0 of 4 points" in shown.stdout
    assert re.search(r"^1\. (ann|greedy) \(seat [01]\)  \+1\.00$", shown.stdout, re.MULTILINE)
    report = verify(Replay.FromString(save.read_bytes()), registry())
    assert report.players == ("ann", "greedy")


@pytest.mark.parametrize(("game", "prize"), [("omen", "a Reward"), ("omen-traits", "a Krater")])
def test_event_sentences_are_shown(run: Run, target: str, game: str, prize: str) -> None:
    flags = ["--server", target, "--opponents", "greedy", "--name", "ann", "-o", "max_turns=20"]
    shown = run("play", game, *flags, input=FIRST * 2000)
    assert shown.exit_code == 0
    assert "  A turn begins: greedy (seat 1)." in shown.stdout
    assert re.search(
        r"^  War for the (left|middle|right) City, Strength \d+ to \d+.*: .* wins\.$", shown.stdout, re.MULTILINE
    )
    assert f"takes {prize} from the " in shown.stdout
    assert re.search(r"^greedy \(seat 1\): Play .* to the \w+ City$", shown.stdout, re.MULTILINE)


def test_choice_by_cell_help_and_undo(run: Run, target: str) -> None:
    # The other player's die may lie anywhere: only what is chosen on an empty board is sure to be free.
    lines = ["?", "horus", "7", "c4", "undo", "b3", "quit"]
    flags = ["--server", target, "-o", "start_player=0", "--opponents", "random", "--name", "ann"]
    shown = run("play", "ominoes", *flags, input="\n".join(lines) + "\n")
    assert shown.exit_code == 0
    assert "take your last action back" in shown.stdout
    assert "No action matches 'horus'" in shown.stdout
    assert "Place Ra on ...\n" in shown.stdout and " 64 h8" in shown.stdout, "a number not to be seen shows the list"
    assert "you: Place Ra on c4" in shown.stdout
    assert "undone (to record " in shown.stdout
    assert shown.stdout.index("undone (") < shown.stdout.index("you: Place Ra on b3")
    assert "You leave; the match continues." in shown.stdout


def test_match_of_three_with_a_chosen_seat(run: Run, target: str) -> None:
    flags = ["--server", target, "--players", "3", "--seat", "1", "--opponents", "random", "--name", "ann"]
    shown = run("play", "ominoes", *flags, input="")
    assert "ominoes: random, ann, random. You have seat 1." in shown.stdout
    assert shown.exit_code == 0


def test_default_opponent_is_the_bot_of_the_pack(run: Run, target: str) -> None:
    assert ": ann, greedy. You" in run("play", "ominoes", "--server", target, "--name", "ann", input="").stdout


def test_player_names_replace_seat_numbers() -> None:
    text = "▶ seat 0  Seat 1: seat 2, seat 33, reseat 0, seats 0"
    assert rendering.with_names(text, ["ann", "b", ""]) == (
        "▶ ann (seat 0)  b (seat 1): seat 2, seat 33, reseat 0, seats 0"
    )


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        (["chess"], 1, "there is no game 'chess'"),
        (["ominoes", "--seat", "5"], 2, "the seats of 2 players are 0 to 1"),
        (["ominoes", "-o", "expert"], 2, "write it as NAME=VALUE"),
        (["ominoes", "-o", "board_size=7"], 1, "board_size: "),
        (["ominoes", "--players", "9"], 1, "(INVALID_PLAYER_COUNT)"),
        (["ominoes", "--players", "2", "--opponents", "random,greedy"], 2, "2 opponents are too many for 2 players"),
        (["ominoes", "--opponents", ","], 2, "--opponents is empty"),
        (["ominoes", "--opponents", "hal"], 1, "(UNKNOWN_BOT)"),
        (["ominoes", "--opponents", "mcts:much"], 2, "'much' is not a number of play-outs, nor a time"),
        (["ominoes", "--opponents", "random:5"], 1, "only these bots take a budget: monte-carlo, mcts"),
        (["ominoes", "--opponents", "mcts:2000000"], 1, "at most 1000000"),
    ],
)
def test_invalid_requests_to_play_are_refused(run: Run, target: str, flags: list[str], code: int, words: str) -> None:
    shown = run("play", *flags, "--server", target)
    assert shown.exit_code == code
    assert words in shown.stderr


# -- a seat whose other side the test plays ----------------------------------------------------------------------------


class Script:
    """Simulated input of a person; records the output."""

    def __init__(self, seat: SeatHandle, match: Match, lines: Iterator[str]) -> None:
        self._lines = lines
        self._out = io.StringIO()
        console = Console(file=self._out, width=120)
        self.terminal_player = TerminalPlayer(console, self._ask, seat, rendering.terminal_pack(match))
        self.prompts: list[str] = []

    @property
    def shown(self) -> str:
        return self._out.getvalue()

    def _ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return next(self._lines)


def test_event_sentences_of_the_service_are_shown(client: Client) -> None:
    match = client.create("ominoes", [Open(), ServiceBot("random")])
    script = Script(match.join("alice"), match.get(), iter(()))
    event = MatchEvent(kind=match_pb2.RECORD_KIND_ACTION, label="play it", sentences=["Seat 0 achieves it", "So it is"])
    script.terminal_player._print_event(match.get(), event)
    assert script.shown == "you: play it\n  Seat 0 achieves it\n  So it is\n"


@pytest.fixture
def client(target: str) -> Iterator[Client]:
    with Client(target) as made:
        yield made


def table(client: Client, **create: Any) -> tuple[MatchHandle, SeatHandle, SeatHandle]:
    match = client.create("ominoes", [Open(), Open()], options={"start_player": 0}, **create)
    return match, match.join("ann", 0), match.join("bob", 1)


def test_late_decision_is_reported(client: Client) -> None:
    match, ann, bob = table(client)

    def lines() -> Iterator[str]:
        bob.resign()
        yield "c4"

    script = Script(ann, match.created, lines())
    ended = script.terminal_player.play()
    assert "Too late: " in script.shown
    assert "bob (seat 1) resigned" in script.shown
    assert result_lines(ended) == ["1. ann (seat 0)  +1.00", "2. bob (seat 1)  resigned or out of time  -1.00"]


def test_resignation_needs_confirmation(client: Client) -> None:
    match, ann, _ = table(client)
    script = Script(ann, match.created, iter(["resign", "no", "resign", "y"]))
    script.terminal_player.play()
    assert script.prompts.count("Resign the match? (y/n) ") == 2
    assert "you resigned" in script.shown


def answer_moves(ann: SeatHandle, bob: SeatHandle, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let bob move as soon as ann has moved."""
    submit = ann.submit_action

    def submit_and_let_bob_move(*arguments: Any, **settings: Any) -> Any:
        answer = submit(*arguments, **settings)
        bob.submit_action(bob.legal_actions().codes[0])
        return answer

    monkeypatch.setattr(ann, "submit_action", submit_and_let_bob_move)


def test_undo_needs_consent(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match, ann, bob = table(client)

    def lines() -> Iterator[str]:
        yield "undo"  # there is nothing to take back yet
        yield "c4"
        yield "undo"
        bob.answer_undo(bob.get().seq, False, "no mercy")
        yield "board"
        yield "all"
        yield "1"
        yield "quit"

    answer_moves(ann, bob, monkeypatch)
    script = Script(ann, match.created, lines())
    with pytest.raises(Quit):
        script.terminal_player.play()
    assert "Refused: " in script.shown
    assert "The undo needs the consent of the others; `withdraw` cancels the request." in script.shown
    assert "bob (seat 1) declined the undo: no mercy" in script.shown


def test_undo_request_is_withdrawn(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    match, ann, bob = table(client)

    def lines() -> Iterator[str]:
        yield "withdraw"  # there is no request yet
        yield "c4"
        yield "undo"
        yield "withdraw"
        yield "quit"

    answer_moves(ann, bob, monkeypatch)
    script = Script(ann, match.created, lines())
    with pytest.raises(Quit):
        script.terminal_player.play()
    assert "You have not requested an undo." in script.shown
    kinds = [event.kind for event in next(iter(client.match(match.name).watch())).events]
    assert kinds[-2:] == [match_pb2.RECORD_KIND_UNDO_REQUESTED, match_pb2.RECORD_KIND_UNDO_WITHDRAWN]


@pytest.mark.parametrize(("answer", "undone"), [("y", True), ("n", False)])
def test_undo_request_of_an_opponent_is_prompted(
    client: Client, monkeypatch: pytest.MonkeyPatch, answer: str, undone: bool
) -> None:
    match, ann, bob = table(client)
    ann.submit_action(ann.legal_actions().codes[0])
    bob.submit_action(bob.legal_actions().codes[0])
    bob.request_undo(reason="a slip")
    reply = ann.answer_undo

    def reply_and_let_bob_resign(request_seq: int, accept: bool, reason: str = "") -> Any:
        given = reply(request_seq, accept, reason)
        assert given.undone is undone
        bob.resign()
        return given

    monkeypatch.setattr(ann, "answer_undo", reply_and_let_bob_resign)
    script = Script(ann, match.created, iter([answer]))
    script.terminal_player.play()
    assert script.prompts[0] == "Accept the undo? (y/n) "
    assert "bob (seat 1) requested an undo (to record " in script.shown
    assert "a slip" in script.shown


def test_answer_to_an_obsolete_undo_request_is_ignored(client: Client) -> None:
    match, ann, bob = table(client)
    ann.submit_action(ann.legal_actions().codes[0])
    bob.submit_action(bob.legal_actions().codes[0])
    bob.request_undo()

    def lines() -> Iterator[str]:
        bob.resign()
        yield "y"

    script = Script(ann, match.created, lines())
    script.terminal_player.play()
    assert "The request no longer exists." in script.shown


def test_clock_is_shown(client: Client) -> None:
    match, ann, _ = table(client, time_control=clocks(per_match=300))
    script = Script(ann, match.created, iter(["quit"]))
    with pytest.raises(Quit):
        script.terminal_player.play()
    assert re.search(r"Your clock: (299|300) s", script.shown)


def test_pack_that_is_not_installed_is_drawn_by_its_fields() -> None:
    foreign = Match(game="games/elsewhere", rules_version="1")
    draw = rendering.view_renderer(foreign)
    view = ominoes_pb2.View(board_size=8, board=[0, 2], pit_closed=True, players=[ominoes_pb2.Player(score=3)])
    assert draw(view).splitlines() == [
        "board_size: 8",
        "board: [FACE_UNSPECIFIED, FACE_RA]",
        "pit_closed: true",
        "players {",
        "  score: 3",
        "}",
    ]


def test_match_under_other_rules_is_not_drawn_by_the_installed_pack() -> None:
    match = Match(game="games/ominoes", rules_version="other")
    view = ominoes_pb2.View(board_size=8)
    assert rendering.view_renderer(match)(view) == rendering.plain(view)
    pack = rendering.terminal_pack(match)
    assert (pack.parse_text(view, "c4"), pack.explain(view, "c4")) == (None, "")


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (MatchEvent(kind=match_pb2.RECORD_KIND_JOINED, seat=1, text="bob"), "bob takes seat 1"),
        (MatchEvent(kind=match_pb2.RECORD_KIND_ACTION, label="bid 3"), "WHO: bid 3"),
        (MatchEvent(kind=match_pb2.RECORD_KIND_ACTION), "WHO makes a choice that is hidden"),
        (MatchEvent(kind=match_pb2.RECORD_KIND_ACTION, sentences=["WHO draws a card."]), ""),
        (MatchEvent(kind=match_pb2.RECORD_KIND_CHANCE), "chance: the outcome is hidden"),
        (MatchEvent(kind=match_pb2.RECORD_KIND_CHANCE, sentences=["WHO draws a card."]), ""),
        (MatchEvent(kind=match_pb2.RECORD_KIND_CHANCE, label="a six"), "chance: a six"),
        (MatchEvent(kind=match_pb2.RECORD_KIND_TIMED_OUT), "WHO ran out of time"),
        (MatchEvent(kind=match_pb2.RECORD_KIND_UNDO_DECLINED, text="no"), "WHO declined the undo: no"),
        (MatchEvent(kind=match_pb2.RECORD_KIND_CANCELLED, text="late"), "the host cancelled the match: late"),
        (MatchEvent(kind=match_pb2.RECORD_KIND_FAULTED, text="f00d"), "the game's rules failed; incident f00d"),
    ],
)
def test_events_are_described(event: MatchEvent, line: str) -> None:
    assert describe(event, "WHO", ["ann", "bob"]) == line


def test_every_kind_of_record_is_described() -> None:
    for name, number in match_pb2.RecordKind.items():
        event = MatchEvent(kind=number, text="x")
        assert bool(describe(event, "WHO", ["ann", "bob"])) is (name != "RECORD_KIND_UNSPECIFIED"), name


def test_cancelled_match_shows_no_result() -> None:
    assert result_lines(Match(state=match_pb2.MATCH_STATE_CANCELLED)) == ["no result"]


# -- at a real terminal ------------------------------------------------------------------------------------------------


class Terminal:
    """A process on its own pseudo-terminal."""

    def __init__(self, command: list[str]) -> None:
        self._screen, inner = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "50"}
        self.process = subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner, env=environment)
        os.close(inner)
        self.shown = ""

    def wait_for(self, words: str) -> None:
        """Read until the words come that were not shown yet."""
        seen = len(self.shown)
        assert self._comes(words, seen, 60.0), f"no {words!r} in: {self.shown[seen:]}"

    def interrupt_until(self, words: str) -> None:
        """Press Ctrl-C, and again like a person where nothing happens: Python does not hear one that comes in the
        instant between its last look at signals and its wait for a line."""
        seen = len(self.shown)
        for _ in range(12):
            self.process.send_signal(signal.SIGINT)
            if self._comes(words, seen, 5.0):
                return
        raise AssertionError(f"no {words!r} in: {self.shown[seen:]}")

    def _comes(self, words: str, seen: int, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while words not in self.shown[seen:]:
            ready, _, _ = select.select([self._screen], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                return False
            self.shown += os.read(self._screen, 65536).decode(errors="replace")
        return True

    def type(self, line: str) -> None:
        os.write(self._screen, f"{line}\r".encode())

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._screen)


def test_play_at_a_terminal_with_a_private_service() -> None:
    terminal = Terminal(own_command("play", "ominoes", "-o", "start_player=0", "--name", "ann"))
    try:
        terminal.wait_for("Your move (64 of 64; ? for help):")
        terminal.type("c4")
        terminal.wait_for("Your move (62 of 62; ? for help):")
        assert "Place Ra on c4" in terminal.shown
        assert "\x1b[" in terminal.shown, "in colours"
        terminal.type("undo")
        terminal.wait_for("Your move (64 of 64; ? for help):")
        terminal.type("resign")
        terminal.wait_for("(y/n)")
        terminal.type("y")
        terminal.wait_for("2. ann (seat 0)  resigned")
        assert terminal.process.wait(timeout=60) == 0
    finally:
        terminal.close()


def test_ctrl_c_leaves_the_match() -> None:
    terminal = Terminal(own_command("play", "ominoes", "--name", "ann"))
    try:
        terminal.wait_for("? for help):")
        terminal.interrupt_until("You leave and resign the match.")
        assert terminal.process.wait(timeout=60) == 0
    finally:
        terminal.close()

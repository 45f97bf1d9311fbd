"""Input at the terminal that is not in the list: points of a fine grid, refused actions, questions about cards."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count

import pytest
from rich.console import Console
from typer.testing import Result

from gamepacks.api.types import Code
from gamepacks.olomoc import codes
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from omnilude import Client, Open, SeatHandle
from omnilude_cli import rendering
from omnilude_cli.terminal_player import MAX_CHANGED, MAX_LISTED, TALL_BOARD, Quit, TerminalPlayer
from tests.olomoc.in_play import walk
from tests.olomoc.scenes import go, parts

Run = Callable[..., Result]


def between_actions(state: OlomocState) -> bool:
    """Returns whether the state is between actions, so that a match can start from its position."""
    return not state.game.position(state).HasField("pending")


@pytest.fixture
def march() -> tuple[OlomocState, int]:
    """A state in which seat 0 acts, and its action after which it may choose of many places to move to."""
    for state in walk(1):
        if state.actor() == 0 and between_actions(state):
            for code in state.legal(0):
                after = state.clone()
                after.apply(code, 0)
                if after.decision == Decision.GO and after.actor() == 0 and len(after.legal(0)) > MAX_LISTED:
                    return state.clone(), code
    raise AssertionError("nobody marches")


@pytest.fixture
def going(march: tuple[OlomocState, int]) -> OlomocState:
    """Seat 0 is asked where a rouage moves to, and may choose of many places."""
    state, code = march
    after = state.clone()
    after.apply(code, 0)
    return after


@pytest.fixture
def table(target: str, march: tuple[OlomocState, int], going: OlomocState) -> Iterator[tuple[SeatHandle, list[str]]]:
    before, code = march
    with Client(target) as client:
        game = before.game
        seats = [Open(), Open()]
        match = client.create("olomoc", seats, options=game.options_message(), position=game.position(before))
        ann = match.join("ann", 0)
        match.join("bob", 1)
        ann.submit_action(code)
        yield ann, [game.label(going, Code(code)) for code in going.legal(0)]


def sit(seat: SeatHandle, *lines: str) -> str:
    """Returns the output for a person who types these lines and then leaves."""
    out, typed = io.StringIO(), iter([*lines, "quit"])
    terminal_player = TerminalPlayer(
        Console(file=out, width=120), lambda prompt: next(typed), seat, rendering.terminal_pack(seat.get())
    )
    with pytest.raises(Quit):
        terminal_player.play()
    return out.getvalue()


def test_point_outside_the_list_is_typed(going: OlomocState, table: tuple[SeatHandle, list[str]]) -> None:
    seat, labels = table
    listed = {code for code in going.legal(0) if parts(code).verb is codes.GO}
    near = [go(parts(code).x + 1, parts(code).y) for code in listed]
    free = next(parts(code) for code in near if code not in listed and going.is_legal(code, 0))
    shown = sit(seat, "99 99", "0, 0", f"{free.x / 100}, {free.y / 100}")
    assert "Refused: (9900, 9900) is not a point of the board" in shown
    assert "Refused: (0.00, 0.00): the base of " in shown and "would not lie wholly on the board" in shown
    who = labels[-1].rpartition(" to ")[0]
    assert f"you: {who} to ({free.x / 100:.2f}, {free.y / 100:.2f})" in shown


def test_point_of_the_list_is_marked_on_the_board(table: tuple[SeatHandle, list[str]]) -> None:
    seat, labels = table
    place_text = labels[-1].rpartition(" to ")[2]
    shown = sit(seat, "board", "all", place_text)
    assert shown.count("moves: up to where?") >= 2
    assert "+ " in shown.partition("up to where?")[0], "places are marked"
    assert f"{labels[-1].rpartition(' (')[0]} ...\n" in shown, "what all have in common is written once"
    assert f"you: {labels[-1]}" in shown


def test_questions_are_answered(table: tuple[SeatHandle, list[str]]) -> None:
    seat, _ = table
    shown = sit(seat, "?", "? Tremor", "? xyzzy")
    assert "or one that is not listed (? tells how), or `all`" in " ".join(shown.split())
    assert "7.25, 3.5" in shown, "the pack's own help follows"
    assert "Tremor: Artefact 113, 213." in shown
    assert "The game has no explanation of 'xyzzy'." in shown


def test_player_returns_to_a_match_that_it_left(run: Run, target: str) -> None:
    flags = ["--server", target, "-o", "start_player=0", "--opponents", "random", "--name", "ann"]
    left = run("play", "ominoes", *flags, input="c4\nquit\n")
    assert left.exit_code == 0 and "You leave; the match continues." in left.stdout
    token, *command = left.stdout.splitlines()[-1].split()
    assert command[:2] == ["omnilude", "play"]
    again = {"OMNILUDE_TOKEN": token.removeprefix("OMNILUDE_TOKEN=")}
    back = run(*command[1:], env=again, input="resign\ny\n")
    assert back.exit_code == 0
    assert "You have seat 0." in back.stdout and "you: Place Ra on c4" in back.stdout
    assert "2. ann (seat 0)  resigned" in back.stdout
    for wrong, words in (
        (["--match", "matches/none", "--token", "x", "--server", target], "no match"),
        ([*command[3:], "--token", "x" * 43], "TOKEN_INVALID"),
        (["--match", command[-3]], "--match needs --server and --token"),
    ):
        refused = run("play", "ominoes", *wrong)
        assert refused.exit_code != 0 and words in refused.stderr, wrong
    other = run("play", "omega", *command[3:], env=again)
    assert other.exit_code == 2 and "is a match of ominoes" in other.stderr
    beyond = run("play", "ominoes", *command[3:], "--seat", "5", env=again)
    assert beyond.exit_code == 2 and "has no seat 5" in beyond.stderr


def stays_with_seat_0(state: OlomocState) -> bool:
    """Returns whether seat 0 has a small question to answer, and another one after its first answer."""
    after = state.clone()
    after.apply(state.legal(0)[0], 0)
    return 1 < len(state.legal(0)) <= MAX_LISTED and after.actor() == 0 and len(after.legal(0)) > 1


@pytest.mark.parametrize(("changing", "drawings"), [(MAX_CHANGED, 1), (MAX_CHANGED + 1, 2)])
def test_tall_board_is_drawn_again_when_more_than_a_few_lines_have_changed(
    target: str, changing: int, drawings: int
) -> None:
    state = next(s.clone() for s in walk(1) if s.actor() == 0 and between_actions(s) and stays_with_seat_0(s))
    game, numbers = state.game, count(1)

    def drawn(view: object, choices: object) -> str:
        number = next(numbers)
        same = [f"row {row} of the board" for row in range(TALL_BOARD - changing)]
        return "\n".join([*same, *(f"line {row} of rendering {number}" for row in range(changing))])

    with Client(target) as client:
        seats = [Open(), Open()]
        match = client.create("olomoc", seats, options=game.options_message(), position=game.position(state))
        ann = match.join("ann", 0)
        match.join("bob", 1)
        out, typed = io.StringIO(), iter(["1", "quit"])
        pack = replace(rendering.terminal_pack(ann.get()), render=drawn)
        with pytest.raises(Quit):
            TerminalPlayer(Console(file=out, width=120), lambda prompt: next(typed), ann, pack).play()
    shown = out.getvalue()
    assert shown.count("row 0 of the board") == drawings
    assert [f"line {changing - 1} of rendering {number}" in shown for number in (1, 2)] == [True, True]

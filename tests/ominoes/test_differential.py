"""The compiled rules against the plain ones of reference.py, in lock-step over random games with random options."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamepacks.api.types import CHANCE, TERMINAL, Code, Seat, Viewer
from gamepacks.ominoes import Ominoes, codes
from gamepacks.ominoes.codes import BOOK
from gamepacks.ominoes.engine.rules import OminoesState
from gamepacks.ominoes.options import DEFAULT_GODS, DEFAULT_TARGETS
from gamepacks.ominoes.v1.ominoes_enums import Face
from tests.ominoes.reference import Action, Options, Reference

WORDS = {Face.HORUS: "horus", Face.RA: "ra", Face.APEP: "apep", Face.KHEPRI: "khepri"}
WORDS |= {Face.YAY_RA: "yay-ra", Face.OMINOTEP: "ominotep"}


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, dict[str, Any]]:
    """A number of players and options, all of them drawn."""
    players = draw(st.integers(2, 4))
    gods = st.permutations(["horus", "ra", "apep", "khepri"]).map(lambda gods: tuple(gods[:players]))
    return players, draw(
        st.fixed_dictionaries(
            {
                "board_size": st.sampled_from([6, 8, 10, 12]),
                "extra_setup_die": st.booleans(),
                "late_add": st.booleans(),
                "all_wild_groups": st.booleans(),
                "optional_scoring": st.booleans(),
                "expert": st.booleans(),
                "max_turns": st.integers(1, 120),
            },
            optional={
                "gods": gods,
                "target": st.integers(4, 60),
                "start_player": st.integers(0, players - 1),
            },
        )
    )


def as_action(state: OminoesState, code: int) -> Action:
    """A code of the pack in the words of the reference."""
    size = state.rules.size
    verb = BOOK.verb(code)
    arguments = verb.unpack(code)
    if verb is codes.START_PLAYER:
        return ("start", arguments[0])
    if verb is codes.ROLL:
        return ("roll", WORDS[Face(arguments[0])])
    if verb is codes.DECLINE:
        return ("decline",)
    if verb is codes.SCORE:
        cells = state.connected(*arguments)
        return ("score", WORDS[Face(arguments[0])], frozenset(divmod(cell, size) for cell in cells))
    return (verb.name.lower(), *(divmod(cell, size) for cell in arguments))


def by_action(state: OminoesState, listed: list[int]) -> dict[Action, int]:
    actions = {as_action(state, code): code for code in listed}
    assert len(actions) == len(listed)
    return actions


def check_equal(state: OminoesState, table: Reference) -> None:
    size = state.rules.size
    assert {divmod(cell, size): WORDS[Face(face)] for cell, face in enumerate(state.board) if face} == table.board
    assert list(state.scores) == table.scores
    assert state.turns == table.turns
    assert (state.rolled and WORDS[Face(state.rolled)]) == (table.rolled or 0)
    assert state.last_die == table.last_die
    assert list(state.returns()) == pytest.approx(table.returns())


def play(players: int, options: dict[str, Any], seed: int, hoards: bool) -> None:
    """Play one game; with ``hoards`` players leave groups unscored where that is allowed, so that the board fills."""
    rng = random.Random(seed)
    game = Ominoes.configure(players, options)
    state = game.initial_state()
    table = Reference(
        Options(**{"gods": DEFAULT_GODS[players], "target": DEFAULT_TARGETS[players], **options})  # type: ignore[arg-type]
    )
    while True:
        check_equal(state, table)
        assert state.actor() == table.actor()
        if state.actor() == TERMINAL:
            assert state.winners() == table.winners()
            assert state.legal() == state.chance() == []
            return
        if state.actor() == CHANCE:
            assert {weight for _, weight in state.chance()} == {1}
            offered = by_action(state, [code for code, _ in state.chance()])
            expected = table.chance()
        else:
            offered = by_action(state, state.legal())
            expected = table.legal()
        assert len(expected) == len(offered)
        assert set(expected) == set(offered)
        action: Action = ("decline",) if hoards and ("decline",) in offered else rng.choice(expected)
        take(state, offered[action], rng)
        table.apply(action)


def take(state: OminoesState, code: int, rng: random.Random) -> None:
    """Take a code; at some steps check that position, action message and code convert both ways."""
    if rng.random() < 0.1:
        explain(state, Code(code))
    state.apply(code)


def explain(state: OminoesState, code: Code) -> None:
    game, seat = state.game, Seat(max(state.actor(), 0))
    restored = game.restore(state.game.position(state))
    assert restored.to_bytes() == state.to_bytes()
    assert restored.legal() == state.legal()
    assert game.parse(state, seat, game.action(state, code)) == code
    assert game.label(state, code)
    after = state.clone()
    after.apply(code)
    assert game.events(state, seat, code, after, Viewer(-1))
    assert game.render(game.view(after, Viewer(-1)))


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(0, 2**32), st.booleans())
def test_any_game(table: tuple[int, dict[str, Any]], seed: int, hoards: bool) -> None:
    play(*table, seed, hoards)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_games_with_default_options(players: int, seed: int) -> None:
    play(players, {}, seed, False)


@pytest.mark.parametrize("size", [6, 8, 10])
@pytest.mark.parametrize("late_add", [False, True])
def test_games_on_full_boards(size: int, late_add: bool) -> None:
    options = {"board_size": size, "late_add": late_add, "optional_scoring": True, "target": 100, "max_turns": 80}
    play(4, {**options, "expert": size == 6}, size, hoards=True)
    play(4, options, size, hoards=False)

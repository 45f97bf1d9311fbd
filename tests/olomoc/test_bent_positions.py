"""Positions that nobody could have reached are refused by a named field, or can be played to the end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from gamepacks.api.errors import InvalidPosition
from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.positions import frames
from gamepacks.olomoc.positions.frames import EFFECT_DONE, EFFECT_STAGES, ROWS, Kind
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tools.olomoc_bend import TABLES, bend_game, nodes

TABLE = Path(frames.__file__).parents[1].joinpath("engine", "state_base.pxd").read_text(encoding="utf-8")


def in_c() -> dict[str, int]:
    """The constants of state_base.pxd by name."""
    return {name: int(number) for name, number in re.findall(r"^    ([A-Z][A-Z_0-9]+) = (\d+)$", TABLE, re.MULTILINE)}


def test_the_rows_speak_of_the_numbers_of_the_engine() -> None:
    known = in_c()
    assert {f"F_{kind.name}": kind.value for kind in Kind} == {
        name: number for name, number in known.items() if re.match(r"F_[A-Z]+$", name)
    }
    places = {name: value for name, value in vars(frames).items() if name.isupper() and isinstance(value, int)}
    compared = {name for name in places if name in known}
    assert len(compared) > 70
    assert {name: places[name] for name in compared} == {name: known[name] for name in compared}


def test_every_kind_has_a_row_and_lies_on_something() -> None:
    assert set(ROWS) == set(Kind)
    placed = {over.kind for row in ROWS.values() for over in sum(row.stages.values(), ())}
    placed |= {over.kind for overs in (*EFFECT_STAGES.values(), *EFFECT_DONE.values()) for over in overs}
    assert placed == {*Kind, None} - {Kind.GAME}


def at(ask: Decision, **options: object) -> tuple[Olomoc, pb.Position]:
    """A position of a random match at a kind of decision."""
    game = Olomoc.configure(2, options)
    assert isinstance(game, Olomoc)
    for seed in range(20):
        for state in nodes(game, seed):
            if state.decision == ask:
                return game, game.position(state)
    raise AssertionError(f"nobody is ever asked {ask.name}")


def fields(game: Olomoc, position: pb.Position) -> set[str]:
    """The fields for which a position is refused."""
    with pytest.raises(InvalidPosition) as caught:
        game.restore(position)
    return {re.sub(r"\d+", "N", fault.field) for fault in caught.value.faults}


def _set(place: int, value: int) -> Callable[[pb.Position], None]:
    def change(position: pb.Position) -> None:
        values = position.frames[-1].values
        values.extend([0] * (place + 1 - len(values)))
        values[place] = value

    return change


def _drop_top(position: pb.Position) -> None:
    position.frames.pop()


def _stage(position: pb.Position) -> None:
    position.frames[-1].pc += 1


@pytest.mark.parametrize(
    "ask, change, field",
    [
        (Decision.GO, _set(frames.ELEMENT, 40), "frames[N].values[N]"),
        (Decision.GO, _set(frames.CHOOSER, 2), "frames[N].values[N]"),
        (Decision.GO, _set(frames.ABOUT, 3), "frames[N].values[N]"),
        (Decision.GO, _drop_top, "frames[N].pc"),
        (Decision.GO, _stage, "frames[N].pc"),
        (Decision.TARGET, _set(frames.HIGH, 1 << 30), "frames[N].values[N]"),
        (Decision.FATE, _set(frames.DIFFICULTY, 1), "frames[N].values[N]"),
        (Decision.FATE, _set(frames.DEFENDER, 15), "frames[N].values[N]"),
        (Decision.REACT, _set(frames.ATTACK_SLOT, 60), "frames[N].values[N]"),
        (Decision.TACTIC, _set(frames.NET, 0), "frames[N].values[N]"),
        (Decision.CHANCE_POOL, _set(frames.ROLL_DIFFICULTY, 1), "frames[N].values[N]"),
        (Decision.HOSTILE_LINE, _set(frames.LINE, 30), "frames[N].values[N]"),
        (Decision.ACT, _set(frames.OTHER, 6), "frames[N].values[N]"),
        (Decision.PLAN_CARD, _set(frames.LAID, 3), "plan"),
    ],
)
def test_a_bent_stack_is_refused_by_name(ask: Decision, change: Callable[[pb.Position], None], field: str) -> None:
    game, position = at(ask)
    game.restore(position)
    change(position)
    assert field in fields(game, position)


def test_a_hidden_decision_must_be_one_that_may_be_taken() -> None:
    game, position = at(Decision.PLAN_CARD)
    position.pending[0] = 7
    assert fields(game, position) == {"pending[N]"}


def test_bent_positions_are_refused_or_played_to_the_end() -> None:
    counts = Counter[str]()
    for seed in range(len(TABLES)):
        counts += bend_game(seed, every=40, copies=8)
    assert counts["refused"] > 200
    assert counts["sound"] > 15

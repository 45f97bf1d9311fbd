"""Conversion between action codes and messages, as declared by the verbs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gamepacks.api import ActionCodec, Argument, CodeBook, IllegalAction, InvalidMessage, Verb
from tests.support.protos import compile_proto

pb = compile_proto(Path(__file__).with_name("codec.proto"))
SIZE = 5
"""The state of these tests is the size of a board."""

BOOK = CodeBook(
    BID := Verb("BID", amount=8),
    TAKE := Verb("TAKE", "take_rune", type=Argument(2, "rune", offset=1), count=4),
    GO := Verb("GO", to=8),
    GROUP := Verb("GROUP", lowest=8),
    PASS := Verb("PASS"),
    ROLL := Verb("ROLL", face=3),
    DEAL := Verb("DEAL", card=8),
    outcomes=(ROLL, DEAL),
)


def encode_cell(size: int, cell: int) -> Any:
    return pb.Cell(row=cell // size, column=cell % size)


def decode_cell(size: int, cell: Any) -> int:
    if not 0 <= cell.row < size:
        raise IllegalAction("OUT_OF_BOARD", "there is no such row")
    return int(cell.row * size + cell.column)


CODEC: ActionCodec[Any] = ActionCodec(
    BOOK,
    pb.Action,
    parts={pb.Cell: (encode_cell, decode_cell)},
    verbs={
        GROUP: (
            lambda size, code: pb.Group(cells=[encode_cell(size, cell) for cell in (*GROUP.unpack(code), size - 1)]),
            lambda size, group: GROUP(min(decode_cell(size, cell) for cell in group.cells)),
        )
    },
)


@pytest.mark.parametrize(
    ("code", "action"),
    [
        (BID(0), pb.Action(bid=0)),
        (BID(7), pb.Action(bid=7)),
        (TAKE(1, 3), pb.Action(take_rune=pb.Take(rune=2, count=3))),
        (GO(7), pb.Action(go=pb.Go(to=pb.Cell(row=1, column=2)))),
        (GROUP(2), pb.Action(group=pb.Group(cells=[pb.Cell(column=2), pb.Cell(column=4)]))),
        (PASS(), pb.Action(**{"pass": pb.Pass()})),
        (ROLL(6), pb.Action(roll=6)),
    ],
)
def test_codes_and_messages_convert_to_each_other(code: int, action: Any) -> None:
    assert CODEC.message(SIZE, code) == action
    assert CODEC.code(SIZE, type(action).FromString(action.SerializeToString())) == code


@pytest.mark.parametrize(
    ("action", "reason", "message"),
    [
        (pb.Action(), "INCOMPLETE_ACTION", "action is not set"),
        (pb.Action(go=pb.Go()), "INCOMPLETE_ACTION", "to is not set"),
        (pb.Action(take_rune=pb.Take(count=1)), "INCOMPLETE_ACTION", "rune is not set"),
        (pb.Action(take_rune=pb.Take(rune=1)), "INCOMPLETE_ACTION", "count is not set"),
        (pb.Action(take_rune=pb.Take(rune=1, count=99)), "NOT_AN_OPTION", "no take_rune with type 0, count 99"),
        (pb.Action(bid=-1), "NOT_AN_OPTION", "no bid with amount -1"),
        (pb.Action(roll=8), "NOT_AN_OUTCOME", "no roll with face 8"),
        (pb.Action(go=pb.Go(to=pb.Cell(row=9))), "OUT_OF_BOARD", "no such row"),
    ],
)
def test_message_without_a_code_is_refused(action: Any, reason: str, message: str) -> None:
    with pytest.raises(IllegalAction, match=message) as refused:
        CODEC.code(SIZE, action)
    assert refused.value.reason == reason


def test_message_of_another_type_is_refused() -> None:
    with pytest.raises(InvalidMessage, match=r"must be a tests\.codec\.v1\.Action, not a Go"):
        CODEC.code(SIZE, pb.Go())


def test_outcome_without_a_field_has_no_message() -> None:
    with pytest.raises(ValueError, match="DEAL has no action message"):
        CODEC.message(SIZE, DEAL(1))


@pytest.mark.parametrize(
    ("verbs", "message"),
    [
        ([Verb("BID", seat=2, amount=8)], "bid is a number, but BID has 2 arguments"),
        ([Verb("PASS", seat=2)], r"PASS has the fields \['seat'\], which are not those of tests.codec.v1.Action.pass"),
        ([Verb("GO", to=2)], "tests.codec.v1.Go.to is a message; give a converter"),
        ([Verb("DEAL", card=2)], "tests.codec.v1.Action.bid belongs to no verb"),
    ],
)
def test_verb_that_does_not_fit_its_field_is_refused(verbs: list[Verb], message: str) -> None:
    others = [Verb(verb.name, verb.message, **dict.fromkeys(verb.fields, 4)) for verb in BOOK.verbs if verb is not DEAL]
    if message.endswith("belongs to no verb"):
        others = []
    names = {verb.name for verb in verbs}
    with pytest.raises(ValueError, match=message):
        ActionCodec(CodeBook(*verbs, *(verb for verb in others if verb.name not in names)), pb.Action, parts={})


def test_message_without_a_oneof_is_refused() -> None:
    with pytest.raises(ValueError, match=r"NoOneof must have one oneof"):
        ActionCodec(CodeBook(Verb("BID", amount=8)), pb.NoOneof)

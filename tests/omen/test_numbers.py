"""The C constants of Omen are the numbers of its Python enumerations."""

from __future__ import annotations

import re
from enum import IntEnum
from pathlib import Path

import pytest

import gamepacks.omen
from gamepacks.omen import codes
from gamepacks.omen.cards import program

FOLDER = Path(gamepacks.omen.__file__).with_name("engine")
PROGRAM: dict[type[IntEnum], str] = {
    program.Edition: "ED_", program.CardKind: "K_", program.UnitType: "T_", program.Trait: "TR_", program.Hook: "H_",
    program.Step: "STEP_", program.Turn: "TURN_", program.Limit: "LIMIT_", program.SeatRef: "SR_",
    program.CityRef: "CR_", program.Zone: "Z_", program.Stat: "ST_", program.Cmp: "CMP_", program.Pick: "PICK_",
    program.Count: "N_", program.Sel: "S_", program.Evf: "F_", program.Since: "SINCE_", program.Amount: "A_",
    program.Pred: "P_", program.Cost: "COST_", program.Pay: "PAY_", program.What: "W_", program.Target: "TG_",
    program.For: "FOR_", program.Over: "OVER_", program.Name: "NAME_", program.Effect: "E_", program.Event: "EV_",
    program.Cause: "BY_", program.CardField: "CF_", program.AbilityField: "AF_",
}  # fmt: skip
CODES: dict[type[IntEnum], str] = {
    codes.Phase: "PH_", codes.Mode: "M_", codes.Ask: "ASK_", codes.Trigger: "Q_", codes.Pile: "PILE_",
}  # fmt: skip
LENGTHS = (program.Sel, program.Evf, program.CardField, program.AbilityField)


def constants(file: str) -> dict[str, int]:
    """The constants of a .pxd of enumerations."""
    lines = (FOLDER / file).read_text(encoding="utf-8").splitlines()
    found = [re.fullmatch(r"    (\w+) = (\d+)(?: << (\d+))?", line) for line in lines]
    return {match[1]: int(match[2]) << int(match[3] or 0) for match in found if match}


def expected(prefixes: dict[type[IntEnum], str]) -> dict[str, int]:
    """What they should be."""
    numbers = {prefix + member.name: member.value for enum, prefix in prefixes.items() for member in enum}
    return numbers | {prefixes[enum] + "LENGTH": len(enum) for enum in LENGTHS if enum in prefixes}


def test_vocabulary() -> None:
    limits = {name: getattr(program, name) for name in ("MAX_VARS", "MAX_CARDS", "MAX_CITIES", "VAR")}
    assert constants("vocabulary.pxd") == expected(PROGRAM) | limits


def test_codes() -> None:
    verbs = {f"V_{verb.name}": int(verb.number << 24) for verb in codes.BOOK.verbs}
    assert constants("numbers.pxd") == expected(CODES) | verbs | {"NONE": codes.NONE}


@pytest.mark.parametrize("enum", [*PROGRAM, *CODES], ids=lambda enum: enum.__name__)
def test_numbers_are_distinct(enum: type[IntEnum]) -> None:
    values = [member.value for member in enum.__members__.values()]
    assert len(set(values)) == len(values)

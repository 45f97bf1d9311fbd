"""Enums and C constants that are generated from contracts and Python modules."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from cext.codegen import generate_from_proto, generate_from_python, generate_tags
from gamepacks.ominoes import codes
from gamepacks.ominoes.v1 import ominoes_enums, ominoes_pb2

PROTO = """
syntax = "proto3";
package test.v1;

// A day "of rest".
enum RestDay {
  // Never sent.
  REST_DAY_UNSPECIFIED = 0;
  // The first.
  REST_DAY_SATURDAY = 1;
  // The second.
  // It is the last, too.
  REST_DAY_SUNDAY = 2;
}

enum Zero {
  ZERO_NONE = 0;
  ZERO_1 = 1;
}
"""

MODULE = '''
from enum import IntEnum, IntFlag
from gamepacks.api import CodeBook, Verb

C_CONSTANTS = {"Ask": "ASK", "Ending": "E", "BOOK": "VERB", "DICE": "", "ASKS": "", "RED": ""}

class Ask(IntEnum):
    """What is asked."""

    CARD = 1
    UNIT = CARD + 3

class Ending(IntFlag):
    TIME = 1 << 2

PLACE = {"seat": 1, "city": 3}
DICE: int = 2 * 13
ASKS = len(Ask)
GREEN, RED = 0, 1
BOOK = CodeBook(START := Verb("START"), MOVE := Verb("MOVE", start=8, end=8), Verb("PUT", card=8, **PLACE))
'''


def constants(path: Path) -> dict[str, int]:
    """The C constants of a generated file."""
    lines = [line.split(" = ") for line in path.read_text().splitlines() if " = " in line]
    return {name.strip(): int(value) for name, value in lines}


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_proto_enums_become_int_enums_and_c_constants(tmp_path: Path) -> None:
    source = tmp_path / "days.proto"
    source.write_text(PROTO)
    python, pxd = generate_from_proto(source, tmp_path, tmp_path)
    assert (python.name, pxd.name) == ("days_enums.py", "days_enums.pxd")
    days = load(python)
    assert {day.name: day.value for day in days.RestDay} == {"SATURDAY": 1, "SUNDAY": 2}
    assert days.RestDay.__doc__ == "A day 'of rest'."
    assert {zero.name: zero.value for zero in days.Zero} == {"NONE": 0, "_1": 1}, (
        "only a value named UNSPECIFIED is left out"
    )
    assert constants(pxd) == {"REST_DAY_SATURDAY": 1, "REST_DAY_SUNDAY": 2, "ZERO_NONE": 0, "ZERO_1": 1}


def test_proto_value_without_the_prefix_of_its_enum_is_refused(tmp_path: Path) -> None:
    source = tmp_path / "days.proto"
    source.write_text(PROTO.replace("ZERO_NONE", "NOTHING"))
    with pytest.raises(ValueError, match="NOTHING of enum Zero must begin with ZERO_"):
        generate_from_proto(source, tmp_path, tmp_path)


def test_tags_have_the_number_and_the_wire_type_of_each_field(tmp_path: Path) -> None:
    types = "int32", "bool", "RestDay", "double", "float", "string", "Nights", "repeated string", "repeated int32"
    fields = [f"{kind} f{number} = {number};" for number, kind in enumerate(types, 1)]
    fields.append("repeated int32 unpacked = 16 [packed = false];")
    source = tmp_path / "days.proto"
    source.write_text(f"{PROTO}message Nights {{ {' '.join(fields)} }}")
    pxd = generate_tags(source, tmp_path, tmp_path, ["Nights"])
    wire_types = (0, 0, 0, 1, 5, 2, 2, 2, 2)
    expected = {f"TAG_NIGHTS_F{number}": number * 8 + kind for number, kind in enumerate(wire_types, 1)}
    assert constants(pxd) == expected | {"TAG_NIGHTS_UNPACKED": 128}
    with pytest.raises(KeyError):
        generate_tags(source, tmp_path, tmp_path, ["Days"])


def test_python_module_becomes_c_constants(tmp_path: Path) -> None:
    source = tmp_path / "codes.py"
    source.write_text(MODULE)
    pxd = generate_from_python(source)
    assert pxd == tmp_path / "codes_enums.pxd"
    assert constants(pxd) == {
        **{"ASK_CARD": 1, "ASK_UNIT": 4, "E_TIME": 4, "DICE": 26, "ASKS": 2, "RED": 1},
        **{"VERB_START": 0, "VERB_MOVE": 1 << 24, "VERB_PUT": 2 << 24},
        **{"SHIFT_MOVE_START": 0, "SHIFT_MOVE_END": 8},
        **{"SHIFT_PUT_CARD": 0, "SHIFT_PUT_SEAT": 8, "SHIFT_PUT_CITY": 9},
    }


def test_integer_of_another_module_of_the_tree_is_found(tmp_path: Path) -> None:
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "units.py").write_text("BITS = 5\nWIDTH = 2 * BITS\n")
    source = tmp_path / "game" / "codes.py"
    source.write_text('from game.units import WIDTH as WIDE\nC_CONSTANTS = {"TOP": ""}\nTOP = WIDE + 1\n')
    pxd = generate_from_python(source)
    assert pxd is not None and constants(pxd) == {"TOP": 11}


def test_module_without_c_constants_gives_no_file(tmp_path: Path) -> None:
    source = tmp_path / "codes.py"
    source.write_text("DICE = 26\n")
    assert generate_from_python(source) is None
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('C_CONSTANTS = {"Phase": "P"}', "names Phase, which is not defined there"),
        ('C_CONSTANTS = {"N": ""}\nN = int("3")', "codes.py:2: no integer that can be read"),
        ('from other import M\nC_CONSTANTS = {"N": ""}\nN = M', "codes.py:3: other is not in the source tree"),
    ],
)
def test_constant_that_cannot_be_read_is_refused(tmp_path: Path, text: str, message: str) -> None:
    source = tmp_path / "codes.py"
    source.write_text(text)
    with pytest.raises(ValueError, match=message):
        generate_from_python(source)


def test_unchanged_file_is_not_written_again(tmp_path: Path) -> None:
    source = tmp_path / "codes.py"
    source.write_text(MODULE)
    pxd = generate_from_python(source)
    assert pxd is not None
    before = pxd.stat().st_mtime_ns
    generate_from_python(source)
    assert pxd.stat().st_mtime_ns == before


def test_a_pack_has_the_numbers_of_its_contract_and_its_code_book() -> None:
    assert {f"PHASE_{phase.name}": phase.value for phase in ominoes_enums.Phase} == {
        name: number for name, number in ominoes_pb2.Phase.items() if number
    }
    found = constants(Path(codes.__file__).with_name("codes_enums.pxd"))
    assert {name: found[f"VERB_{name}"] for name in ("ROLL", "ADD")} == {"ROLL": 1 << 24, "ADD": 7 << 24}
    assert codes.MOVE(3, 5) == found["VERB_MOVE"] | 3 << found["SHIFT_MOVE_START"] | 5 << found["SHIFT_MOVE_END"]

"""Options as mappings, texts and messages."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.api.errors import InvalidOptions
from gamepacks.ominoes import Ominoes
from gamepacks.ominoes.options import OminoesOptions
from gamepacks.ominoes.v1 import ominoes_pb2 as pb


def test_the_options_message_has_every_option_set() -> None:
    message = Ominoes.configure(4).options_message()
    assert message == pb.Options(
        board_size=8,
        gods=[pb.GOD_RA, pb.GOD_KHEPRI, pb.GOD_APEP, pb.GOD_HORUS],
        target=13,
        extra_setup_die=False,
        late_add=False,
        all_wild_groups=True,
        optional_scoring=False,
        max_turns=1000,
        expert=False,
    )
    # The one that is not set stands for chance.
    assert not message.HasField("start_player")


ALL = {
    "board_size": 10,
    "gods": ("horus", "khepri"),
    "target": 17,
    "start_player": 1,
    "extra_setup_die": True,
    "late_add": True,
    "all_wild_groups": False,
    "optional_scoring": True,
    "max_turns": 77,
    "expert": True,
}


def test_a_message_a_mapping_and_texts_mean_the_same() -> None:
    by_mapping = Ominoes.configure(2, ALL)
    texts: dict[str, Any] = {name: str(value).lower() for name, value in ALL.items()}
    texts["gods"] = "horus, khepri"
    assert Ominoes.configure(2, texts).options == by_mapping.options
    assert Ominoes.configure(2, by_mapping.options_message()).options == by_mapping.options
    assert Ominoes.configure(2, by_mapping.options).options == by_mapping.options
    assert by_mapping.options == OminoesOptions(**ALL)


def test_the_message_has_a_field_for_each_option_and_no_other() -> None:
    assert [field.name for field in pb.Options.DESCRIPTOR.fields] == list(OminoesOptions.model_fields)
    assert set(ALL) == set(OminoesOptions.model_fields)


def test_options_reach_the_rules() -> None:
    rules = Ominoes.configure(2, ALL).rules
    assert (rules.size, rules.players, rules.target, rules.max_turns, rules.fixed_start) == (10, 2, 17, 77, 1)
    assert (rules.extra_setup_die, rules.late_add, rules.optional_scoring, rules.expert) == (True, True, True, True)
    assert rules.all_wild_groups is False
    assert rules.set_up_dice == 6


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("board_size", 5, "from 6 to 12, a multiple of 2"),
        ("target", 0, "from 1 to 100"),
        ("target", 101, "from 1 to 100"),
        ("start_player", -1, "from 0 to 3"),
        ("start_player", 2, "0 to 1"),
        ("max_turns", 0, "from 1 to 10000"),
        ("max_turns", 10_001, "from 1 to 10000"),
        ("expert", "perhaps", "bool"),
        ("gods", "ra,seth", "horus, ra, apep, khepri"),
        ("colour", "red", "board_size"),
    ],
)
def test_a_bad_option_is_named_with_what_is_allowed(name: str, value: object, allowed: str) -> None:
    with pytest.raises(InvalidOptions) as caught:
        Ominoes.configure(2, {name: value})
    (fault,) = caught.value.faults
    assert fault.field.startswith(name)
    assert allowed in fault.message


def test_every_bad_option_is_named() -> None:
    with pytest.raises(InvalidOptions) as caught:
        Ominoes.configure(2, {"board_size": 5, "target": 0, "max_turns": "many"})
    assert [fault.field for fault in caught.value.faults] == ["board_size", "target", "max_turns"]


def test_an_unknown_god_in_a_message_is_refused() -> None:
    with pytest.raises(InvalidOptions) as caught:
        Ominoes.configure(2, pb.Options(gods=[pb.GOD_RA, 9]))  # type: ignore[list-item]
    assert caught.value.faults[0].field == "gods[1]"

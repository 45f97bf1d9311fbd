"""Options: from texts, messages and models; to messages and specs; and everything that is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from google.protobuf.message import Message
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, model_validator

from gamepacks.api import (
    Fault,
    InvalidMessage,
    InvalidOptions,
    InvalidPlayerCount,
    Options,
    OptionSpec,
    PackError,
    message_values,
)
from tests.support.games.kuhn import KuhnGame
from tests.support.games.sealed import SealedGame, SealedOptions
from tests.support.protos import compile_proto

messages = compile_proto(Path(__file__).with_name("options.proto"))

God = Literal["ra", "yay_ra"]


class Sample(Options):
    size: int = Field(8, ge=6, le=12, multiple_of=2, description="Length of a side.")
    fast: bool = Field(False, description="Fast.")
    rate: float = Field(0.5, ge=0, le=2.5)
    god: God | None = Field(None, description="A god.")
    gods: tuple[God, ...] = ()
    steps: tuple[Annotated[int, Field(ge=1, le=9)], ...] | None = Field((1, 2), description="Steps.")
    title: str = Field("a game", max_length=10)
    target: int | None = Field(None, gt=0, lt=100)
    edge: Literal[3, 6] = Field(6, title="Board side")

    def check(self, players: int) -> list[Fault]:
        return [Fault("gods", f"one for each of {players} players")] if len(self.gods) not in (0, players) else []


def faults(given: Any, players: int = 2) -> dict[str, str]:
    with pytest.raises(InvalidOptions) as refused:
        Sample.parse(given, players)
    return {fault.field: fault.message for fault in refused.value.faults}


def test_nothing_given_means_the_defaults() -> None:
    assert Sample.parse(None, 2) == Sample.parse({}, 2) == Sample.parse(messages.Options(), 2) == Sample()


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("size", "10", 10),
        ("fast", "true", True),
        ("fast", "no", False),
        ("rate", "1.25", 1.25),
        ("god", "ra", "ra"),
        ("god", " YAY_RA ", "yay_ra"),
        ("god", "", None),
        ("gods", "ra, Yay_Ra", ("ra", "yay_ra")),
        ("gods", "", ()),
        ("steps", "3,4,", (3, 4)),
        ("steps", "", (1, 2)),
        ("title", "", ""),
        ("title", "a,b", "a,b"),
        ("target", "99", 99),
        ("target", "", None),
        ("edge", "3", 3),
    ],
)
def test_texts_of_a_command_line_are_understood(name: str, text: str, value: object) -> None:
    assert getattr(Sample.parse({name: text}, 2), name) == value


@pytest.mark.parametrize(
    ("name", "value", "field", "message"),
    [
        ("size", "5", "size", "from 6 to 12, a multiple of 2"),
        ("size", 7, "size", "multiple of 2"),
        ("size", "eight", "size", "allowed: integer"),
        ("size", 8.5, "size", "allowed: integer"),
        ("size", None, "size", "allowed: integer"),
        ("fast", "perhaps", "fast", "allowed: bool"),
        ("rate", "3", "rate", "allowed: number from 0"),
        ("god", "horus", "god", "one of ra, yay_ra"),
        ("gods", "ra,horus", "gods[1]", "one of ra, yay_ra"),
        ("gods", 5, "gods", "one of ra, yay_ra"),
        ("steps", "1,0", "steps[1]", "integer from 1 to 9"),
        ("target", "0", "target", "integer from 1 to 99"),
        ("target", "100", "target", "integer from 1 to 99"),
        ("edge", "4", "edge", "one of 3, 6"),
        ("title", "far too long", "title", "allowed: text"),
        ("colour", "red", "colour", "there is no such option; options: size, fast, rate"),
    ],
)
def test_a_bad_value_is_refused_by_field_with_what_is_allowed(name: str, value: Any, field: str, message: str) -> None:
    found = faults({name: value})
    assert list(found) == [field]
    assert message in found[field]


def test_all_faults_are_named_not_just_the_first() -> None:
    assert list(faults({"size": 99, "god": "x", "colour": 1})) == ["size", "god", "colour"]


def test_a_check_of_several_options_sees_the_players() -> None:
    assert faults({"gods": "ra"}, players=3) == {"gods": "one for each of 3 players"}
    assert Sample.parse({"gods": "ra,ra,ra"}, 3).gods == ("ra",) * 3
    assert faults(Sample(gods=("ra",))) == {"gods": "one for each of 2 players"}


def test_a_fault_of_the_whole_model_has_no_field() -> None:
    class Whole(Options):
        low: int = 1
        high: int = 2

        @model_validator(mode="after")
        def _ordered(self) -> Whole:
            if self.low > self.high:
                raise ValueError("low is above high")
            return self

    with pytest.raises(InvalidOptions, match=r"options: .*low is above high"):
        Whole.parse({"low": 5}, 2)


def test_options_of_another_game_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError, match="SealedOptions"):
        Sample.parse(SealedOptions(), 2)


# -- messages ----------------------------------------------------------------------------------------------------------

samples = st.builds(
    Sample,
    size=st.sampled_from([6, 8, 10, 12]),
    fast=st.booleans(),
    rate=st.sampled_from([0.0, 0.5, 2.5]),
    god=st.sampled_from([None, "ra", "yay_ra"]),
    gods=st.sampled_from([(), ("ra", "yay_ra"), ("ra", "ra")]),
    steps=st.lists(st.integers(1, 9), min_size=1, max_size=4).map(tuple),
    title=st.text(max_size=10),
    target=st.none() | st.integers(1, 99),
    edge=st.sampled_from([3, 6]),
)


@given(samples)
def test_a_message_gives_the_options_back(options: Sample) -> None:
    message = options.to_message(messages.Options)
    assert Sample.parse(type(message).FromString(message.SerializeToString()), 2) == options


@given(samples)
def test_texts_give_the_options_back(options: Sample) -> None:
    texts = {}
    for name, value in options:
        parts = value if isinstance(value, tuple) else [value]
        texts[name] = ",".join(str(part) for part in parts if part is not None)
    assert Sample.parse(texts, 2) == options


def test_a_default_message_has_every_option_set_but_those_without_a_value() -> None:
    message = Sample().to_message(messages.Options)
    assert [field.name for field, _ in message.ListFields()] == ["size", "fast", "rate", "steps", "title", "edge"]
    assert message_values(message) == {
        "size": 8,
        "fast": False,
        "rate": 0.5,
        "steps": [1, 2],
        "title": "a game",
        "edge": 6,
    }


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (messages.Options(size=7), "size"),
        (messages.Options(god=0), "god"),
        (messages.Options(god=77), "god"),
        (messages.Options(gods=[1, 0]), "gods[1]"),
        (messages.Options(steps=[10]), "steps[0]"),
    ],
)
def test_a_bad_message_is_refused_by_field(message: Message, field: str) -> None:
    assert list(faults(message)) == [field]


def test_a_message_of_another_type_is_no_options() -> None:
    with pytest.raises(InvalidMessage) as refused:
        SealedGame.configure(2, messages.Other(size=1))
    assert refused.value.faults == (Fault("options", "a tests.api.options.v1.Other, not a tests.sealed.v1.Options"),)


def test_a_message_that_lacks_a_field_or_a_value_is_the_packs_fault() -> None:
    class More(Options):
        size: int = 8
        missing: int = 1

    class Wrong(Options):
        god: Literal["ra", "seth"] = "seth"

    with pytest.raises(PackError, match=r"tests\.api\.options\.v1\.Options has no field missing"):
        More().to_message(messages.Options)
    with pytest.raises(PackError, match=r"GodName has no value for the choice 'seth'"):
        Wrong().to_message(messages.Options)


# -- specs -------------------------------------------------------------------------------------------------------------


def test_specs_have_type_default_and_range() -> None:
    specs = {spec.name: spec for spec in Sample.specs()}
    assert list(specs) == ["size", "fast", "rate", "god", "gods", "steps", "title", "target", "edge"]
    assert specs["size"] == OptionSpec("size", "Length of a side.", "integer", "8", 6, 12, 2, (), False, "Size")
    assert specs["fast"] == OptionSpec("fast", "Fast.", "bool", "false", None, None, None, (), False, "Fast")
    # A bound that is not a whole number is not told.
    assert specs["rate"] == OptionSpec("rate", "", "number", "0.5", 0, None, None, (), False, "Rate")
    assert specs["god"] == OptionSpec("god", "A god.", "choice", "", None, None, None, ("ra", "yay_ra"), False, "God")
    assert specs["gods"] == OptionSpec("gods", "", "choice", "", None, None, None, ("ra", "yay_ra"), True, "Gods")
    assert specs["steps"] == OptionSpec("steps", "Steps.", "integer", "1,2", 1, 9, None, (), True, "Steps")
    assert specs["title"] == OptionSpec("title", "", "text", "a game", None, None, None, (), False, "Title")
    assert specs["target"] == OptionSpec("target", "", "integer", "", 1, 99, None, (), False, "Target")
    assert specs["edge"] == OptionSpec("edge", "", "choice", "6", None, None, None, ("3", "6"), False, "Board side")
    assert specs["god"].choice_titles == ("ra", "yay ra")


def test_spec_has_the_default_of_a_factory() -> None:
    class Made(Options):
        sizes: tuple[int, ...] = Field(default_factory=lambda: (4, 5))

    assert Made.specs()[0].default == "4,5"


@pytest.mark.parametrize("annotation", [dict[str, int], int | str, bytes, list[int]])
def test_an_option_of_another_type_is_the_packs_fault(annotation: Any) -> None:
    odd = type("Odd", (Options,), {"__annotations__": {"odd": annotation}, "odd": Field(default=None)})
    with pytest.raises(PackError, match="an option may be"):
        odd.specs()


# -- configure ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [-1, 0, 1, 4, 1000])
def test_a_wrong_number_of_players_is_refused_with_the_range(players: int) -> None:
    with pytest.raises(InvalidPlayerCount, match=f"players: the game takes 2 to 3 players, not {players}") as refused:
        KuhnGame.configure(players)
    assert (refused.value.minimum, refused.value.maximum) == (2, 3)


def test_a_game_is_configured_in_three_ways_alike() -> None:
    by_name = KuhnGame.configure(3, {"ranks": "7", "order": "rotating"})
    by_message = KuhnGame.configure(3, by_name.options_message())
    by_model = KuhnGame.configure(3, by_name.options)
    assert by_name.options == by_message.options == by_model.options
    assert by_name.options.ranks == 7


@pytest.mark.parametrize(
    "given",
    [{"gods": ["ra"] * 101}, {"gods": ",".join(["ra"] * 101)}, messages.Options(gods=[99] * 60_000)],
    ids=["list", "text", "message"],
)
def test_of_a_list_that_is_too_long_no_entry_is_looked_at(given: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(*_: Any) -> Any:
        raise AssertionError("an entry was looked at")

    monkeypatch.setattr("gamepacks.api.options._enum_text", looked)
    monkeypatch.setattr(Sample, "model_validate", looked)
    assert faults(given) == {"gods": "must have at most 100 entries"}

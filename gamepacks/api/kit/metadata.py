"""Checks of a game's capability card and options."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS
from gamepacks.api.errors import InvalidOptions, InvalidPlayerCount
from gamepacks.api.game import viewers
from gamepacks.api.kit.base import CheckFailed, Subject, check
from gamepacks.api.options import OptionSpec
from gamepacks.api.self_check import self_check


@check("card", cost="one walk per game; p resamplings each until something hidden is found")
def card(subject: Subject) -> str:
    """The capability card is true: chance, hidden knowledge and simultaneous decisions occur if and only if it says so,
    and exactly the player counts that it names are accepted."""
    self_check(subject.game)
    stated = subject.game.capabilities
    for players in (stated.min_players - 1, stated.max_players + 1):
        try:
            subject.game.configure(players)
        except InvalidPlayerCount:
            continue
        raise CheckFailed(
            f"the card says {stated.min_players} to {stated.max_players} players, but {players} are accepted"
        )
    rng = Rng(subject.seed)
    found = {"chance": False, "hidden": False, "simultaneous": False}
    for walk in subject.walks():
        before = 0
        for node in walk:
            found["chance"] |= node.actor == CHANCE
            found["simultaneous"] |= node.actor == SIMULTANEOUS
            seats_to_act = node.state.seats_to_act()
            # Decisions already made at a simultaneous node are hidden by its nature, so only a new node is checked.
            if not found["hidden"] and (node.actor != SIMULTANEOUS or seats_to_act & ~before):
                found["hidden"] = _hides(node.game, node.state, rng)
            before = seats_to_act if node.actor == SIMULTANEOUS else 0
    for fact, seen in found.items():
        if seen != getattr(stated, fact):
            seen_text = "was seen" if seen else "was never seen"
            raise CheckFailed(
                f"the card says {fact}={getattr(stated, fact)}, but it {seen_text} in {subject.games} games"
            )
    return ", ".join(fact for fact, seen in found.items() if seen) or "no chance, no hidden information"


def _hides(game: Any, state: Any, rng: Rng) -> bool:
    """Returns whether the state has anything that some viewer does not know."""
    truth = state.to_bytes()
    return any(state.resample(viewer, rng).to_bytes() != truth for viewer in viewers(game.players))


_KINDS = {
    "bool": {FieldDescriptor.TYPE_BOOL},
    "integer": {
        FieldDescriptor.TYPE_INT32,
        FieldDescriptor.TYPE_INT64,
        FieldDescriptor.TYPE_UINT32,
        FieldDescriptor.TYPE_UINT64,
        FieldDescriptor.TYPE_SINT32,
        FieldDescriptor.TYPE_SINT64,
    },
    "number": {FieldDescriptor.TYPE_DOUBLE, FieldDescriptor.TYPE_FLOAT},
    "text": {FieldDescriptor.TYPE_STRING},
}
_KINDS["choice"] = {FieldDescriptor.TYPE_ENUM} | _KINDS["integer"] | _KINDS["text"]


@check("options", cost="no play; some values per option")
def options(subject: Subject) -> str:
    """Each option has a description, a default and a matching field of the options message; the options of every setup
    are restored from their message; and each bad value is refused with the option's name."""
    specs = subject.game.options_type.specs()
    fields = subject.game.messages.options.DESCRIPTOR.fields_by_name
    names = {spec.name for spec in specs}
    if names != set(fields):
        raise CheckFailed(f"options {sorted(names ^ set(fields))} are in the model or in the message, not in both")
    for spec in specs:
        _check_field(spec, fields[spec.name])
    for setup in subject.setups():
        subject.place = setup.name
        _check_round_trip(subject, setup.game)
        if not setup.changes:
            _check_defaults(subject, setup.game)
    players = subject.game.capabilities.min_players
    refused = 0
    for name, value in _bad_values(specs):
        subject.place = f"{players} players, {name}={value!r}"
        _check_refused(subject, players, name, value)
        refused += 1
    return f"{len(specs)} options, {len(subject.setups())} setups, {refused} bad values"


def _check_field(spec: OptionSpec, field: Any) -> None:
    if not spec.description:
        raise CheckFailed(f"option {spec.name} has no description")
    if field.type not in _KINDS[spec.kind]:
        raise CheckFailed(
            f"option {spec.name} is of kind {spec.kind}, but the type of the message's field does not fit"
        )
    if bool(field.is_repeated) != spec.repeated:
        raise CheckFailed(f"option {spec.name} is repeated in the model or in the message, not in both")
    if not spec.repeated and not field.has_presence:
        raise CheckFailed(f"option {spec.name} must be an optional field, so that one that is not set has the default")
    if field.enum_type is not None:
        prefix = "".join(f"_{c}" if c.isupper() else c for c in field.enum_type.name).lstrip("_").upper() + "_"
        stated = {prefix + choice.upper() for choice in spec.choices}
        values = {value.name for value in field.enum_type.values if value.number != 0}
        if stated != values:
            raise CheckFailed(f"option {spec.name}: {sorted(stated ^ values)} are choices or enum values, not both")


def _check_round_trip(subject: Subject, game: Any) -> None:
    message = game.options_message()
    back = subject.game.configure(game.players, type(message).FromString(message.SerializeToString()))
    if back.options != game.options:
        raise CheckFailed(f"options are not restored from their message: {game.options} became {back.options}")


def _check_defaults(subject: Subject, game: Any) -> None:
    """Check that the text of each option's default gives the value that the option has by default."""
    for spec in game.options_type.specs():
        try:
            again = subject.game.configure(game.players, {spec.name: spec.default}).options
        except InvalidOptions as error:
            raise CheckFailed(f"option {spec.name}: its default {spec.default!r} is refused: {error}") from error
        if again != game.options:
            raise CheckFailed(f"option {spec.name}: the text {spec.default!r} of its default means another value")


def _bad_values(specs: list[OptionSpec]) -> Iterator[tuple[str, Any]]:
    yield "no_such_option", "1"
    for spec in specs:
        values: list[Any] = []
        if spec.kind in ("integer", "number"):
            # An integer without bounds must be limited to the range of its field.
            values += [spec.minimum - 1] if spec.minimum is not None else [-(2**70)]
            values += [spec.maximum + 1] if spec.maximum is not None else [2**70]
            values += ["a word", 1.5 if spec.kind == "integer" else "1;5"]
            if spec.multiple_of is not None and spec.multiple_of > 1 and spec.kind == "integer":
                values.append((spec.minimum or 0) + 1)
        elif spec.kind == "choice":
            values += ["no such choice", "unspecified"]
        elif spec.kind == "bool":
            values += ["perhaps", 7]
        for value in values:
            yield spec.name, [value] if spec.repeated else value


def _check_refused(subject: Subject, players: int, name: str, value: Any) -> None:
    try:
        game = subject.game.configure(players, {name: value})
    except InvalidOptions as error:
        if not all(fault.field.startswith(name) and fault.message for fault in error.faults):
            raise CheckFailed(f"the refusal of a bad value of {name} does not name the option: {error}") from error
        return
    try:
        game.options_message()
    except Exception as error:
        raise CheckFailed(f"option {name} accepts {value!r}, which its field of the message cannot hold") from error
    if not (isinstance(value, int) and abs(value) >= 2**70):
        raise CheckFailed(f"option {name} accepts the bad value {value!r}")

"""Options of a game: a pydantic model for the pack, and the pack's options message for clients.

The model's fields and the message's fields have the same names; the message's are ``optional`` (or ``repeated``), so
that one that is not set takes the default. An enum of the message stands for a ``Literal`` of the model: ``GOD_RA``
of ``enum God`` is ``"ra"``.
"""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from annotated_types import Ge, Gt, Le, Lt, MultipleOf
from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from gamepacks.api.errors import Fault, InvalidOptions, PackError

MAX_LIST_ENTRIES = 100
"""Maximum number of entries of an option that holds a list."""

OptionKind = Literal["bool", "integer", "number", "choice", "text"]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option, for catalogues and command lines. ``default`` is its text form, empty for none; ``title`` is its name
    for people."""

    name: str
    description: str
    kind: OptionKind
    default: str
    minimum: int | None
    maximum: int | None
    multiple_of: int | None
    choices: tuple[str, ...]
    repeated: bool
    title: str

    @property
    def choice_titles(self) -> tuple[str, ...]:
        """Names of the choices for people."""
        return tuple(choice.replace("_", " ") for choice in self.choices)


class Options(BaseModel):
    """Base of every pack's options. Give each field a default, its bounds, and a description with its rule id; and a
    title where its name in words, such as "Board size" for ``board_size``, does not do.

    A field is a bool, int, float, str or a Literal, a tuple of one of these, or any of it ``| None``. A check that
    needs the number of players goes into :meth:`check`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=False, validate_default=True)

    def check(self, players: int) -> list[Fault]:
        """Faults that depend on the player count or on several options together."""
        return []

    @classmethod
    def parse(cls, given: Mapping[str, Any] | Options | Message | None, players: int) -> Self:
        """Options from names and values (texts allowed), from a model or from the pack's message.

        Raises InvalidOptions with every fault.
        """
        if isinstance(given, cls):
            options = given
        else:
            if isinstance(given, Message):
                given = message_values(given)
            elif isinstance(given, Options):
                raise TypeError(f"options of another game: {type(given).__name__}")
            values = {name: cls._from_text(name, value) for name, value in (given or {}).items()}
            _check_lengths({name: len(value) for name, value in values.items() if isinstance(value, list | tuple)})
            values = {name: value for name, value in values.items() if value is not _DEFAULT}
            try:
                options = cls.model_validate(values)
            except ValidationError as error:
                raise InvalidOptions([_fault(cls, entry) for entry in error.errors()]) from None
        if faults := options.check(players):
            raise InvalidOptions(faults)
        return options

    @classmethod
    def _from_text(cls, name: str, value: Any) -> Any:
        """A value from a command line: ``a,b,c`` for a list, choices in any case, nothing for the default.

        All other texts are left to pydantic.
        """
        if not isinstance(value, str) or name not in cls.model_fields:
            return value
        shape = _shape(cls.model_fields[name])
        if not value and shape.kind != "text":
            return _DEFAULT
        if shape.repeated:
            return [_choice(shape, part.strip()) for part in value.split(",") if part.strip()]
        return _choice(shape, value.strip()) if shape.choices else value

    @classmethod
    def specs(cls) -> list[OptionSpec]:
        """Returns the specifications of all options, in order."""
        return [_spec(name, field) for name, field in cls.model_fields.items()]

    def to_message(self, message_type: type[Message]) -> Message:
        """The pack's options message with every option set (one whose value is None stays unset).

        Raises PackError where the message has no such field or no such enum value.
        """
        message = message_type()
        fields = message.DESCRIPTOR.fields_by_name
        for name in type(self).model_fields:
            value = getattr(self, name)
            if value is None:
                continue
            if name not in fields:
                raise PackError(f"{message.DESCRIPTOR.full_name} has no field {name}")
            enum: Any = fields[name].enum_type
            if enum is not None:
                value = (
                    [_enum_number(enum, v) for v in value] if isinstance(value, tuple) else _enum_number(enum, value)
                )
            if isinstance(value, tuple | list):
                getattr(message, name).extend(value)
            else:
                setattr(message, name, value)
        return message


_DEFAULT = object()
"""Sentinel for the text that selects the default."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """Type of one value of an option, whether the option holds a list of values, and their bounds."""

    kind: OptionKind
    choices: tuple[Any, ...]
    repeated: bool
    metadata: tuple[Any, ...]


def _shape(field: FieldInfo) -> _Shape:
    annotation: Any = field.annotation
    metadata = list(field.metadata)
    repeated = False
    while True:
        origin = typing.get_origin(annotation)
        arguments = [a for a in typing.get_args(annotation) if a not in (type(None), Ellipsis)]
        if origin in (typing.Union, types.UnionType) and len(arguments) == 1:
            annotation = arguments[0]
        elif origin is tuple:
            annotation, repeated = arguments[0], True
        elif origin is typing.Annotated:
            annotation = arguments[0]
            metadata += (part for a in arguments[1:] for part in (a.metadata if isinstance(a, FieldInfo) else [a]))
        else:
            break
    if origin is Literal:
        return _Shape("choice", tuple(arguments), repeated, tuple(metadata))
    kinds: dict[Any, OptionKind] = {bool: "bool", int: "integer", float: "number", str: "text"}
    if annotation not in kinds:
        raise PackError(f"an option may be bool, int, float, str, a Literal or a tuple of these, not {annotation}")
    return _Shape(kinds[annotation], (), repeated, tuple(metadata))


def _choice(shape: _Shape, text: str) -> Any:
    """Returns the choice that a text names, or the text itself if it names none."""
    return next((choice for choice in shape.choices if _text(choice).lower() == text.lower()), text)


def _spec(name: str, field: FieldInfo) -> OptionSpec:
    shape = _shape(field)
    bounds: dict[type, Any] = {type(entry): entry for entry in shape.metadata}
    minimum = bounds[Ge].ge if Ge in bounds else None
    maximum = bounds[Le].le if Le in bounds else None
    if shape.kind == "integer":
        minimum = bounds[Gt].gt + 1 if Gt in bounds else minimum
        maximum = bounds[Lt].lt - 1 if Lt in bounds else maximum
    return OptionSpec(
        name=name,
        description=field.description or "",
        kind=shape.kind,
        default=_text(field.get_default(call_default_factory=True, validated_data={})),
        minimum=_whole(minimum),
        maximum=_whole(maximum),
        multiple_of=_whole(bounds[MultipleOf].multiple_of) if MultipleOf in bounds else None,
        choices=tuple(_text(choice) for choice in shape.choices),
        repeated=shape.repeated,
        title=field.title or name.replace("_", " ").capitalize(),
    )


def _text(value: Any) -> str:
    """A value in the form that the command line takes."""
    if value is None:
        return ""
    if isinstance(value, tuple | list):
        return ",".join(_text(part) for part in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _whole(bound: Any) -> int | None:
    """Returns a bound as a whole number, for the catalogue; None if it is not whole."""
    return int(bound) if bound is not None and bound == int(bound) else None


def _fault(cls: type[Options], entry: Mapping[str, Any]) -> Fault:
    """Convert an error of pydantic to a fault: the field, and the allowed range."""
    location = list(entry["loc"])
    if not location:
        return Fault("options", str(entry["msg"]))
    name = str(location[0])
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).lstrip(".")
    if name not in cls.model_fields:
        return Fault(path, f"there is no such option; options: {', '.join(cls.model_fields) or 'none'}")
    spec = _spec(name, cls.model_fields[name])
    allowed = spec.kind if not spec.choices else "one of " + ", ".join(spec.choices)
    if spec.minimum is not None:
        allowed += f" from {spec.minimum}"
    if spec.maximum is not None:
        allowed += f" to {spec.maximum}"
    if spec.multiple_of is not None:
        allowed += f", a multiple of {spec.multiple_of}"
    return Fault(path, f"{entry['msg']}; allowed: {allowed}")


# -- the pack's message ------------------------------------------------------------------------------------------------


def message_values(message: Message) -> dict[str, Any]:
    """The options that are set in a pack's options message, by name, in the form that :meth:`Options.parse` takes.

    Raises InvalidOptions where a list is too long.
    """
    values: dict[str, Any] = {}
    _check_lengths({field.name: len(value) for field, value in message.ListFields() if field.is_repeated})
    for field, value in message.ListFields():
        if field.enum_type is not None:
            value = [_enum_text(field, v) for v in value] if field.is_repeated else _enum_text(field, value)
        elif field.is_repeated:
            value = list(value)
        values[field.name] = value
    return values


def _check_lengths(lengths: Mapping[str, int]) -> None:
    """Raises InvalidOptions naming every list that is too long."""
    wrong = [name for name, length in lengths.items() if length > MAX_LIST_ENTRIES]
    if wrong:
        raise InvalidOptions([Fault(name, f"must have at most {MAX_LIST_ENTRIES} entries") for name in wrong])


def _enum_prefix(enum: EnumDescriptor) -> str:
    """buf's rule: values carry the enum's name in capitals."""
    words = "".join(f"_{letter}" if letter.isupper() else letter for letter in enum.name).lstrip("_")
    return words.upper() + "_"


def _enum_number(enum: EnumDescriptor, text: str) -> int:
    value = enum.values_by_name.get(_enum_prefix(enum) + text.upper())
    if value is None:
        raise PackError(f"the enum {enum.full_name} has no value for the choice {text!r}")
    return int(value.number)


def _enum_text(field: FieldDescriptor, number: int) -> str:
    enum = field.enum_type
    assert enum is not None
    value = enum.values_by_number.get(number)
    return str(number) if value is None else value.name.removeprefix(_enum_prefix(enum)).lower()

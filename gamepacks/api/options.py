"""Options of a game: a pydantic model on the pack's side, the pack's options message on the wire.

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

from annotated_types import Ge, Le, MultipleOf
from google.protobuf.descriptor import EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from gamepacks.api.errors import Fault, InvalidOptions

OptionKind = Literal["bool", "integer", "number", "choice", "text"]


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option, for catalogues and command lines. ``default`` is its text form, empty for none."""

    name: str
    description: str
    kind: OptionKind
    default: str
    minimum: int | None
    maximum: int | None
    multiple_of: int | None
    choices: tuple[str, ...]
    repeated: bool


class Options(BaseModel):
    """Base of every pack's options. Give each field a default, its bounds, and a description with its rule id.

    A check that needs the number of players goes into :meth:`check`.
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
            try:
                options = cls.model_validate(values)
            except ValidationError as error:
                raise InvalidOptions([_fault(cls, entry) for entry in error.errors()]) from None
        if faults := options.check(players):
            raise InvalidOptions(faults)
        return options

    @classmethod
    def _from_text(cls, name: str, value: Any) -> Any:
        """Lists arrive from command lines as ``a,b,c``; pydantic reads the other texts itself."""
        if isinstance(value, str) and name in cls.model_fields and _shape(cls.model_fields[name])[1]:
            return [part.strip() for part in value.split(",") if part.strip()]
        return value

    @classmethod
    def specs(cls) -> list[OptionSpec]:
        """All options, in order."""
        return [_spec(name, field) for name, field in cls.model_fields.items()]

    def to_message(self, message_type: type[Message]) -> Message:
        """The pack's options message with every option set (one whose value is None stays unset)."""
        message = message_type()
        fields = message.DESCRIPTOR.fields_by_name
        for name in type(self).model_fields:
            value = getattr(self, name)
            if value is None:
                continue
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


def message_values(message: Message) -> dict[str, Any]:
    """The options that are set in a pack's options message, by name, in the form that :meth:`Options.parse` takes."""
    values: dict[str, Any] = {}
    for field, value in message.ListFields():
        if field.enum_type is not None:
            value = [_enum_text(field, v) for v in value] if _is_repeated(field) else _enum_text(field, value)
        elif _is_repeated(field):
            value = list(value)
        values[field.name] = value
    return values


def _is_repeated(field: FieldDescriptor) -> bool:
    return bool(field.is_repeated)


def _enum_prefix(enum: EnumDescriptor) -> str:
    """buf's rule: values carry the enum's name in capitals."""
    words = "".join(f"_{letter}" if letter.isupper() else letter for letter in enum.name).lstrip("_")
    return words.upper() + "_"


def _enum_number(enum: EnumDescriptor, text: str) -> int:
    return int(enum.values_by_name[_enum_prefix(enum) + text.upper()].number)


def _enum_text(field: FieldDescriptor, number: int) -> str:
    enum = field.enum_type
    assert enum is not None
    value = enum.values_by_number.get(number)
    return str(number) if value is None else value.name.removeprefix(_enum_prefix(enum)).lower()


def _shape(field: FieldInfo) -> tuple[Any, bool]:
    """The type of one value, without ``| None`` and ``tuple[..., ...]``, and whether it is a list."""
    kind, repeated = field.annotation, False
    while True:
        origin = typing.get_origin(kind)
        arguments = [a for a in typing.get_args(kind) if a not in (type(None), Ellipsis)]
        if origin in (typing.Union, types.UnionType):
            kind = arguments[0]
        elif origin in (tuple, list):
            kind, repeated = arguments[0], True
        else:
            return kind, repeated


def _spec(name: str, field: FieldInfo) -> OptionSpec:
    kind, repeated = _shape(field)
    choices = tuple(str(choice) for choice in typing.get_args(kind)) if typing.get_origin(kind) is Literal else ()
    kinds: dict[Any, OptionKind] = {bool: "bool", int: "integer", float: "number"}
    bounds: dict[type, Any] = {type(entry): entry for entry in field.metadata}
    default = field.get_default(call_default_factory=False)
    if isinstance(default, tuple | list):
        text = ",".join(str(value) for value in default)
    elif isinstance(default, bool):
        text = str(default).lower()
    else:
        text = "" if default is None else str(default)
    return OptionSpec(
        name=name,
        description=field.description or "",
        kind="choice" if choices else kinds.get(kind, "text"),
        default=text,
        minimum=bounds[Ge].ge if Ge in bounds else None,
        maximum=bounds[Le].le if Le in bounds else None,
        multiple_of=bounds[MultipleOf].multiple_of if MultipleOf in bounds else None,
        choices=choices,
        repeated=repeated,
    )


def _fault(cls: type[Options], entry: Mapping[str, Any]) -> Fault:
    """pydantic's finding in the words of this API: the field, and the range that is allowed."""
    location = list(entry["loc"])
    name = str(location[0]) if location else ""
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).lstrip(".")
    if name not in cls.model_fields:
        return Fault(path, f"no such option; there are: {', '.join(cls.model_fields)}")
    spec = _spec(name, cls.model_fields[name])
    allowed = spec.kind if not spec.choices else "one of " + ", ".join(spec.choices)
    if spec.minimum is not None or spec.maximum is not None:
        allowed += f" from {spec.minimum} to {spec.maximum}"
    if spec.multiple_of is not None:
        allowed += f", a multiple of {spec.multiple_of}"
    return Fault(path, f"{entry['msg']}; allowed: {allowed}")

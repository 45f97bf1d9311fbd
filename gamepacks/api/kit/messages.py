"""Protobuf messages taken apart and bent, for checks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_BOUNDS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}
UNSET = object()


def leaves(message: Message, path: str = "") -> dict[str, Any]:
    """All values that are set, by path: ``dice[3].face``. ``dice#`` is the length of a list."""
    values: dict[str, Any] = {}
    for field, value in message.ListFields():
        name = f"{path}.{field.name}".lstrip(".")
        if not field.is_repeated:
            values |= _leaf(name, value)
            continue
        values[f"{name}#"] = len(value)
        for index, item in enumerate(sorted(value.items()) if _is_map(field) else value):
            values |= _leaf(f"{name}[{index}]", item)
    return values


def _leaf(name: str, value: Any) -> dict[str, Any]:
    return {name: True, **leaves(value, name)} if isinstance(value, Message) else {name: value}


def mutations(message: Message) -> Iterator[Message]:
    """Copies of a message with one thing changed in each: a number, a flag, an item dropped or doubled, a part unset or
    set though it was not."""
    for field in message.DESCRIPTOR.fields:
        for value in _other_values(field, message):
            copy = type(message)()
            copy.CopyFrom(message)
            copy.ClearField(field.name)
            if value is not UNSET:
                _assign(copy, field, value)
            yield copy


def _assign(message: Message, field: Any, value: Any) -> None:
    if field.is_repeated:
        getattr(message, field.name).extend(value)
    elif isinstance(value, Message):
        getattr(message, field.name).CopyFrom(value)
    else:
        setattr(message, field.name, value)


def _other_values(field: Any, message: Message) -> Iterator[Any]:
    """What else a field could hold."""
    value = getattr(message, field.name)
    if _is_map(field):
        yield UNSET
    elif field.is_repeated:
        items = list(value)
        if items:
            yield UNSET
            yield items[:-1]
            yield [*items, items[0]]
        else:
            yield [_zero(field, message)]
        for index, item in enumerate(items):
            for other in _other_items(field, item):
                yield [*items[:index], other, *items[index + 1 :]]
    elif field.message_type is not None and not message.HasField(field.name):
        yield type(value)()
    else:
        if field.has_presence and message.HasField(field.name):
            yield UNSET
        yield from _other_items(field, value)


def _other_items(field: Any, value: Any) -> Iterator[Any]:
    """Other single values: neighbours, bounds, nonsense."""
    if field.message_type is not None:
        yield from mutations(value)
    elif field.cpp_type in _BOUNDS:
        low, high = _BOUNDS[field.cpp_type]
        yield from sorted(v for v in {value - 1, value + 1, 0, -1, low, high} if low <= v <= high and v != value)
    elif field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        yield not value
    elif field.type == FieldDescriptor.TYPE_BYTES:
        yield value + b"\xff\x00"
        yield value[1:]
    elif field.type == FieldDescriptor.TYPE_STRING:
        yield value + "nonsense"
        yield value[1:]
    else:
        yield from (value + 1.0, float("nan"), float("inf"))


def _zero(field: Any, message: Message) -> Any:
    """An item of a list that has none."""
    if field.message_type is not None:
        return getattr(type(message)(), field.name).add()
    if field.type == FieldDescriptor.TYPE_BYTES:
        return b""
    return "" if field.type == FieldDescriptor.TYPE_STRING else 0


def _is_map(field: Any) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry

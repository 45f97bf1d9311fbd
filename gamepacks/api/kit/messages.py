"""Values of protobuf messages by path, and modified copies of messages, for checks."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_BOUNDS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
    FieldDescriptor.CPPTYPE_ENUM: (-(2**31), 2**31 - 1),
}


def leaves(message: Message) -> dict[str, Any]:
    """All values that are set, by path: ``dice[3].face``. ``dice#`` is the length of a list."""
    values: dict[str, Any] = {}
    _collect(message, "", values)
    return values


def _collect(message: Message, prefix: str, values: dict[str, Any]) -> None:
    for field, value in message.ListFields():
        name, is_list, is_message, is_map = _shape(field)
        path = prefix + name
        if not is_list:
            if is_message:
                values[path] = True
                _collect(value, f"{path}.", values)
            else:
                values[path] = value
            continue
        values[f"{path}#"] = len(value)
        if is_map:
            for index, item in enumerate(sorted(value.items())):
                values[f"{path}[{index}]"] = tuple(
                    part.SerializeToString(deterministic=True) if isinstance(part, Message) else part for part in item
                )
        elif is_message:
            for index, item in enumerate(value):
                values[f"{path}[{index}]"] = True
                _collect(item, f"{path}[{index}].", values)
        else:
            for index, item in enumerate(value):
                values[f"{path}[{index}]"] = item


@functools.cache
def _shape(field: FieldDescriptor) -> tuple[str, bool, bool, bool]:
    """Name of a field, and whether it is a list, a message (or a list of them), a map."""
    return field.name, field.is_repeated, field.message_type is not None, _is_map(field)


def differences(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> set[str]:
    """The paths whose values, as :func:`leaves` gives them, differ."""
    return {path for path, _ in ours.items() ^ theirs.items()}


class Change(NamedTuple):
    """A change of one field of a message."""

    path: tuple[tuple[str, int | None], ...]
    """Fields that lead to the message with the field, each with the item's number where it is a list."""
    field: str
    contents: tuple[Any, ...]
    """The new contents of the field: nothing, one value, or the items of a list."""

    def applied(self, message: Message) -> Message:
        """A copy of the message with this change."""
        copy = type(message)()
        copy.CopyFrom(message)
        inside = copy
        for name, index in self.path:
            inside = getattr(inside, name) if index is None else getattr(inside, name)[index]
        inside.ClearField(self.field)
        for value in self.contents:
            _put(inside, inside.DESCRIPTOR.fields_by_name[self.field], value)
        return copy


def changes(message: Message) -> Iterator[Change]:
    """Yield changes of a message: other numbers and flags, items removed or repeated, parts cleared or set."""
    for field in message.DESCRIPTOR.fields:
        yield from _changes_of(field, message)


def _put(message: Message, field: Any, value: Any) -> None:
    if field.is_repeated:
        getattr(message, field.name).append(value)
    elif isinstance(value, Message):
        getattr(message, field.name).CopyFrom(value)
    else:
        setattr(message, field.name, value)


def _changes_of(field: Any, message: Message) -> Iterator[Change]:
    name, value = field.name, getattr(message, field.name)
    if _is_map(field):
        yield Change((), name, ())
    elif field.is_repeated:
        items = tuple(value)
        if items:
            yield Change((), name, ())
            yield Change((), name, items[:-1])
            yield Change((), name, (*items, items[0]))
        else:
            yield Change((), name, (_zero(field, message),))
        for index, item in enumerate(items):
            if isinstance(item, Message):
                yield from _inside(name, index, item)
            else:
                for other in _other_values(field, item):
                    yield Change((), name, (*items[:index], other, *items[index + 1 :]))
    elif field.message_type is not None and not message.HasField(name):
        yield Change((), name, (type(value)(),))
    else:
        if field.has_presence and message.HasField(name):
            yield Change((), name, ())
        if isinstance(value, Message):
            yield from _inside(name, None, value)
        else:
            for other in _other_values(field, value):
                yield Change((), name, (other,))


def _inside(name: str, index: int | None, part: Message) -> Iterator[Change]:
    for change in changes(part):
        yield Change(((name, index), *change.path), change.field, change.contents)


def _other_values(field: Any, value: Any) -> Iterator[Any]:
    """Other single values: neighbours, bounds, invalid texts."""
    if field.cpp_type in _BOUNDS:
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

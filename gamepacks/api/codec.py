"""Conversion between action codes and the pack's action messages, as the verbs of a code book declare it.

The action message has one ``oneof``, with a field for each verb. If that field is a message, each argument of the verb
is a field of it; a verb with a single argument can be a number or an enum itself::

    BOOK = CodeBook(                                        message Action {
        BID := Verb("BID", card=8),                           oneof action {
        TAKE := Verb("TAKE", "take_rune", type=Argument(        int32 bid = 1;
            8, "rune", offset=1                                 TakeRune take_rune = 2;  // Rune rune = 1;
        )),                                                     Pass pass = 3;
        PASS := Verb("PASS"),                                 }
    )                                                       }

    CODEC = ActionCodec(BOOK, pb.Action)

Values that differ from the argument by more than an offset, such as a cell of a board whose size is an option, or the
id of a card, are converted by functions of the pack: for all fields of a message type (``parts``), for all arguments of
a name (``arguments``), or for a whole verb (``verbs``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from google.protobuf.message import Message

from gamepacks.api.codes import Argument, CodeBook, Verb
from gamepacks.api.errors import Fault, IllegalAction, InvalidMessage
from gamepacks.api.types import Code

ActionT = TypeVar("ActionT", bound=Message)

PartConverter = tuple[Callable[[Any, int], Message], Callable[[Any, Any], int]]
"""(state, argument) -> part of a message, and (state, part) -> argument."""
ArgumentConverter = tuple[Callable[[Any, int], Any], Callable[[Any, Any], int]]
"""(state, argument) -> value of a field, and (state, value) -> argument."""
VerbConverter = tuple[Callable[[Any, int], Message], Callable[[Any, Any], Code]]
"""(state, code) -> the verb's message, and (state, verb's message) -> code."""


class ActionCodec(Generic[ActionT]):
    """Converts the codes of a code book to action messages and back.

    ``parts`` has converters for arguments whose field is a message of that type, ``arguments`` for arguments by name,
    ``verbs`` for whole verbs. A converter that reads a message may raise IllegalAction.
    """

    def __init__(
        self,
        book: CodeBook,
        action_type: type[ActionT],
        *,
        parts: Mapping[type[Message], PartConverter] | None = None,
        arguments: Mapping[str, ArgumentConverter] | None = None,
        verbs: Mapping[Verb, VerbConverter] | None = None,
    ) -> None:
        """Raises ValueError for a message without a oneof, or a verb that does not fit its field.

        A verb without a field in the message is an outcome of chance that has no message.
        """
        descriptor = action_type.DESCRIPTOR
        if len(descriptor.oneofs) != 1:
            raise ValueError(f"{descriptor.full_name} must have one oneof, with a field for each verb")
        self.book = book
        self.action_type = action_type
        self._oneof = descriptor.oneofs[0].name
        self._parts = {kind.DESCRIPTOR.full_name: converter for kind, converter in (parts or {}).items()}
        self._arguments = dict(arguments or {})
        self._verbs = dict(verbs or {})
        fields = {field.name: field for field in descriptor.oneofs[0].fields}
        self._fields: dict[Verb, Any] = {verb: fields[verb.message] for verb in book.verbs if verb.message in fields}
        self._by_field = {field.name: verb for verb, field in self._fields.items()}
        for name in fields:
            if name not in self._by_field:
                raise ValueError(f"{descriptor.full_name}.{name} belongs to no verb")
        for verb, field in self._fields.items():
            self._check(verb, field)

    def _check(self, verb: Verb, field: Any) -> None:
        if verb in self._verbs:
            return
        if field.message_type is None:
            if len(verb.arguments) != 1:
                raise ValueError(f"{field.full_name} is a number, but {verb.name} has {len(verb.arguments)} arguments")
            return
        names = {argument.field for argument in verb.arguments}
        if names != set(field.message_type.fields_by_name):
            raise ValueError(f"{verb.name} has the fields {sorted(names)}, which are not those of {field.full_name}")
        for part in field.message_type.fields:
            if part.message_type is not None and part.message_type.full_name not in self._parts:
                raise ValueError(f"{part.full_name} is a message; give a converter of it in parts")

    def message(self, state: Any, code: int) -> ActionT:
        """The message of a code. Raises ValueError for a number that is not a code, or one without a message."""
        verb = self.book.verb(code)
        field = self._fields.get(verb)
        if field is None:
            raise ValueError(f"{verb.name} has no action message")
        action = self.action_type()
        if verb in self._verbs:
            getattr(action, field.name).CopyFrom(self._verbs[verb][0](state, code))
            return action
        arguments = zip(verb.arguments, verb.unpack(code), strict=True)
        if field.message_type is None:
            for argument, value in arguments:
                setattr(action, field.name, self._value(state, argument, value))
            return action
        inner = getattr(action, field.name)
        inner.SetInParent()
        for argument, value in arguments:
            kind = field.message_type.fields_by_name[argument.field].message_type
            if kind is None:
                setattr(inner, argument.field, self._value(state, argument, value))
            else:
                getattr(inner, argument.field).CopyFrom(self._parts[kind.full_name][0](state, value))
        return action

    def code(self, state: Any, action: Message) -> Code:
        """Returns the code of a message, legal or not.

        Raises InvalidMessage for a message of another type, and IllegalAction with the reason INCOMPLETE_ACTION (a
        field is not set), NOT_AN_OPTION or NOT_AN_OUTCOME (a number that no code can have).
        """
        if not isinstance(action, self.action_type):
            wanted = self.action_type.DESCRIPTOR.full_name
            raise InvalidMessage([Fault("action", f"must be a {wanted}, not a {type(action).__name__}")])
        name = action.WhichOneof(self._oneof)
        if name is None:
            raise _not_set(self._oneof)
        verb = self._by_field[name]
        given: Any = getattr(action, name)
        if verb in self._verbs:
            return self._verbs[verb][1](state, given)
        field = self._fields[verb]
        if field.message_type is None:
            values = [self._number(state, field, given, verb.arguments[0])]
        else:
            fields = field.message_type.fields_by_name
            values = [self._argument(state, fields[argument.field], given, argument) for argument in verb.arguments]
        if not verb.fits(*values):
            reason = "NOT_AN_OUTCOME" if verb in self.book.outcomes else "NOT_AN_OPTION"
            text = ", ".join(f"{part} {value}" for part, value in zip(verb.fields, values, strict=True))
            raise IllegalAction(reason, f"there is no {name} with {text}", field=name)
        return verb(*values)

    def _argument(self, state: Any, field: Any, given: Any, argument: Argument) -> int:
        value = getattr(given, field.name)
        if field.has_presence and not given.HasField(field.name):
            raise _not_set(field.name)
        if field.message_type is None:
            return self._number(state, field, value, argument)
        return self._parts[field.message_type.full_name][1](state, value)

    def _value(self, state: Any, argument: Argument, value: int) -> Any:
        converter = self._arguments.get(argument.field)
        return value + argument.offset if converter is None else converter[0](state, value)

    def _number(self, state: Any, field: Any, value: Any, argument: Argument) -> int:
        if value == "" or (field.enum_type is not None and value == 0):
            raise _not_set(field.name)
        converter = self._arguments.get(argument.field)
        return int(value - argument.offset) if converter is None else converter[1](state, value)


def _not_set(field: str) -> IllegalAction:
    return IllegalAction("INCOMPLETE_ACTION", f"{field} is not set", field=field)

"""Action codes for packs in Python: a verb in the high bits, its small arguments below.

::

    BOOK = CodeBook(
        PASS := Verb("PASS"),
        MOVE := Verb("MOVE", source=8, target=8),
    )
    code = MOVE(3, 12)
    BOOK.verb(code) is MOVE and MOVE.unpack(code) == (3, 12)
    BOOK.name(code) == "MOVE source=3 target=12"

A verb's number is its place in the book, and an argument's place follows from the fields before it: a code keeps its
meaning as long as verbs and fields are only ever added at the end (and a verb's fields stay as they are).

A verb also says how it looks as the pack's action message: :class:`gamepacks.api.codec.ActionCodec` converts both ways.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from cext.codegen import ARGUMENT_BITS
from gamepacks.api.types import Code

MAX_VERBS = 1 << (31 - ARGUMENT_BITS)
"""Seven bits remain for the verb, and the sign is never used."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a verb that differs from the field of the action message that holds it."""

    bits: int
    """Width in the code."""
    field: str = ""
    """Name of the message's field; empty: that of the argument."""
    offset: int = 0
    """The field's value minus the argument: 1 where codes count from 0 and an enum of the message from 1."""


class Verb:
    """One kind of action or outcome, with named arguments of so many bits each (the first is the lowest).

    ``message`` is the field of the action message that stands for the verb; by default the verb's name in lower case.
    An argument is given by its width, or as an :class:`Argument`.
    """

    __slots__ = ("_layout", "_number", "arguments", "fields", "message", "name")

    def __init__(self, name: str, message: str = "", /, **arguments: int | Argument) -> None:
        self.arguments = tuple(
            Argument(given.bits, given.field or field, given.offset)
            if isinstance(given, Argument)
            else Argument(given, field)
            for field, given in arguments.items()
        )
        """Fields of the action message for the arguments."""
        widths = [argument.bits for argument in self.arguments]
        if any(width < 1 for width in widths) or sum(widths) > ARGUMENT_BITS:
            given = dict(zip(arguments, widths, strict=True))
            raise ValueError(f"{name}: fields of 1 bit and more, {ARGUMENT_BITS} bits in all, not {given}")
        self.name = name
        self.message = message or name.lower()
        self.fields: tuple[str, ...] = tuple(arguments)
        self._number = -1
        layout = []
        shift = 0
        for width in widths:
            layout.append((shift, (1 << width) - 1))
            shift += width
        self._layout = tuple(layout)

    @property
    def number(self) -> int:
        """Place in the book."""
        if self._number < 0:
            raise ValueError(f"{self.name} is in no CodeBook")
        return self._number

    def enter(self, number: int) -> None:
        """Take a place in a book; for :class:`CodeBook`. Raises ValueError if it has one already."""
        if self._number >= 0:
            raise ValueError(f"{self.name} is in a CodeBook already")
        self._number = number

    def __call__(self, *arguments: int) -> Code:
        """The code with these arguments, in order of the fields. Raises ValueError where one does not fit."""
        if len(arguments) != len(self._layout):
            raise ValueError(f"{self.name} takes {len(self._layout)} arguments, not {len(arguments)}")
        code = self.number << ARGUMENT_BITS
        for argument, (shift, mask) in zip(arguments, self._layout, strict=True):
            if not 0 <= argument <= mask:
                name = self.fields[self._layout.index((shift, mask))]
                raise ValueError(f"{self.name}: {name} is {argument}, which is not from 0 to {mask}")
            code |= argument << shift
        return Code(code)

    def unpack(self, code: int) -> tuple[int, ...]:
        """The arguments of a code of this verb. Raises ValueError for a code of another one."""
        if code >> ARGUMENT_BITS != self.number:
            raise ValueError(f"code {code} is no {self.name}")
        return tuple((code >> shift) & mask for shift, mask in self._layout)

    def fits(self, *arguments: int) -> bool:
        """Can these arguments be packed at all?"""
        return len(arguments) == len(self._layout) and all(
            0 <= argument <= mask for argument, (_, mask) in zip(arguments, self._layout, strict=True)
        )

    def __repr__(self) -> str:
        return f"Verb({', '.join([repr(self.name), *self.fields])})"


class CodeBook:
    """All verbs of a game, in the order that numbers them; ``outcomes`` are those that only chance takes."""

    def __init__(self, *verbs: Verb, outcomes: Collection[Verb] = ()) -> None:
        names = [verb.name for verb in verbs]
        if len(set(names)) < len(names):
            raise ValueError(f"a verb stands twice in {names}")
        if not 1 <= len(verbs) <= MAX_VERBS:
            raise ValueError(f"a book holds 1 to {MAX_VERBS} verbs, not {len(verbs)}")
        for number, verb in enumerate(verbs):
            verb.enter(number)
        self.verbs = verbs
        self.outcomes = frozenset(outcomes)

    def verb(self, code: int) -> Verb:
        """The verb of a code. Raises ValueError for a number that is no code of this book."""
        number = code >> ARGUMENT_BITS
        if not 0 <= number < len(self.verbs):
            raise ValueError(f"{code} is no code of this game")
        return self.verbs[number]

    def name(self, code: int) -> str:
        """A code in words, for developers: ``MOVE source=3 target=12``. Raises ValueError as verb() does."""
        verb = self.verb(code)
        values = zip(verb.fields, verb.unpack(code), strict=True)
        return " ".join([verb.name, *(f"{field}={value}" for field, value in values)])

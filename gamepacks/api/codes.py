"""Action codes for packs in Python: a verb in the high bits, and its arguments in the bits below.

::

    BOOK = CodeBook(
        PASS := Verb("PASS"),
        MOVE := Verb("MOVE", source=8, target=8),
    )
    code = MOVE(3, 12)
    BOOK.verb(code) is MOVE and MOVE.unpack(code) == (3, 12)
    BOOK.name(code) == "MOVE source=3 target=12"

A verb's number is its place in the book, and an argument's place follows from the fields before it, or is given: a code
keeps its meaning as long as verbs are only ever added at the end, and a verb's fields stay as they are.

A verb also defines the form of the pack's action message: :class:`gamepacks.api.codec.ActionCodec` converts both ways.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from cext.codegen import ARGUMENT_BITS
from gamepacks.api.types import Code

CODE_BITS = 31
"""Bits of a code: the sign is never used."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of a verb that differs from the field of the action message that holds it."""

    bits: int
    """Width in the code."""
    field: str = ""
    """Name of the message's field; empty: that of the argument."""
    offset: int = 0
    """The field's value minus the argument: 1 where codes count from 0 and an enum of the message from 1."""
    shift: int | None = None
    """Number of the lowest bit in the code; None: the argument begins where the one before it ends."""


class Verb:
    """A kind of action or outcome, with named arguments and their widths in bits (the first is the lowest).

    ``message`` is the field of the action message that stands for the verb; by default the verb's name in lower case.
    An argument is given by its width, or as an :class:`Argument`.
    """

    __slots__ = ("_first", "_layout", "_mask", "arguments", "fields", "message", "name")

    def __init__(self, name: str, message: str = "", /, **arguments: int | Argument) -> None:
        self.arguments = tuple(
            replace(given, field=given.field or field) if isinstance(given, Argument) else Argument(given, field)
            for field, given in arguments.items()
        )
        """Fields of the action message for the arguments."""
        self.name = name
        self.message = message or name.lower()
        self.fields: tuple[str, ...] = tuple(arguments)
        self._first = -1
        layout = []
        used = shift = 0
        for argument in self.arguments:
            shift = shift if argument.shift is None else argument.shift
            mask = (1 << argument.bits) - 1
            if argument.bits < 1 or used & mask << shift:
                raise ValueError(f"{name}: {argument.field} must have 1 bit or more that no other argument has")
            layout.append((shift, mask))
            used |= mask << shift
            shift += argument.bits
        self._layout = tuple(layout)
        self._mask = used

    def enter(self, number: int, argument_bits: int) -> None:
        """Take a place in a book; for :class:`CodeBook`.

        Raises ValueError if it has one already, or if the arguments do not fit into the bits below the verb.
        """
        if self._first >= 0:
            raise ValueError(f"{self.name} is in a CodeBook already")
        if self._mask >> argument_bits:
            raise ValueError(f"{self.name}: the arguments do not fit into {argument_bits} bits")
        self._first = number << argument_bits

    def __call__(self, *arguments: int) -> Code:
        """The code with these arguments, in order of the fields. Raises ValueError where one does not fit."""
        if len(arguments) != len(self._layout):
            raise ValueError(f"{self.name} takes {len(self._layout)} arguments, not {len(arguments)}")
        if self._first < 0:
            raise ValueError(f"{self.name} is not in a CodeBook")
        code = self._first
        for argument, (shift, mask) in zip(arguments, self._layout, strict=True):
            if not 0 <= argument <= mask:
                name = self.fields[self._layout.index((shift, mask))]
                raise ValueError(f"{self.name}: {name} is {argument}, which is not from 0 to {mask}")
            code |= argument << shift
        return Code(code)

    def unpack(self, code: int) -> tuple[int, ...]:
        """The arguments of a code of this verb. Raises ValueError for a code of another one."""
        if not self.owns(code):
            raise ValueError(f"code {code} is not a {self.name}")
        return tuple((code >> shift) & mask for shift, mask in self._layout)

    def owns(self, code: int) -> bool:
        """Whether this is a code of the verb: no bit is set that belongs to no argument."""
        return code & ~self._mask == self._first

    def fits(self, *arguments: int) -> bool:
        """Whether the arguments fit into their bits."""
        return len(arguments) == len(self._layout) and all(
            0 <= argument <= mask for argument, (_, mask) in zip(arguments, self._layout, strict=True)
        )

    def __repr__(self) -> str:
        return f"Verb({', '.join([repr(self.name), *self.fields])})"


class CodeBook:
    """The verbs of a game, numbered in their order; None keeps a number free.

    ``outcomes`` are the verbs that only chance takes. ``argument_bits`` are the bits of a code below the verb.
    """

    def __init__(
        self, *verbs: Verb | None, outcomes: Collection[Verb] = (), argument_bits: int = ARGUMENT_BITS
    ) -> None:
        self.verbs = tuple(verb for verb in verbs if verb is not None)
        names = [verb.name for verb in self.verbs]
        if len(set(names)) < len(names):
            raise ValueError(f"a verb is repeated in {names}")
        most = 1 << (CODE_BITS - argument_bits)
        if not self.verbs or len(verbs) > most:
            raise ValueError(f"a book holds 1 to {most} verbs, not {len(verbs)}")
        for number, verb in enumerate(verbs):
            if verb is not None:
                verb.enter(number, argument_bits)
        self.outcomes = frozenset(outcomes)
        self._numbered = verbs
        self._argument_bits = argument_bits

    def verb(self, code: int) -> Verb:
        """The verb of a code. Raises ValueError for a number that is not a code of this book."""
        number = code >> self._argument_bits
        verb = self._numbered[number] if 0 <= number < len(self._numbered) else None
        if verb is None or not verb.owns(code):
            raise ValueError(f"{code} is not a code of this game")
        return verb

    def name(self, code: int) -> str:
        """A code in words, for developers: ``MOVE source=3 target=12``. Raises ValueError as verb() does."""
        verb = self.verb(code)
        values = zip(verb.fields, verb.unpack(code), strict=True)
        return " ".join([verb.name, *(f"{field}={value}" for field, value in values)])

"""Named action codes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamepacks.api import Argument, CodeBook, Verb

BOOK = CodeBook(
    PASS := Verb("PASS"),
    MOVE := Verb("MOVE", source=8, target=8, flag=1),
    PAY := Verb("PAY", amount=24),
)


@given(st.integers(0, 255), st.integers(0, 255), st.integers(0, 1))
def test_code_round_trip(source: int, target: int, flag: int) -> None:
    code = MOVE(source, target, flag)
    assert BOOK.verb(code) is MOVE
    assert MOVE.unpack(code) == (source, target, flag)
    assert BOOK.name(code) == f"MOVE source={source} target={target} flag={flag}"


def test_codes_are_positive_32_bit_numbers_and_differ_between_verbs() -> None:
    book = CodeBook(*(Verb(f"V{number}", rest=24) for number in range(128)))
    codes = {verb(argument) for verb in book.verbs for argument in (0, 1, 0xFFFFFF)}
    assert len(codes) == 3 * 128
    assert min(codes) == 0
    assert max(codes) == 2**31 - 1


def test_the_layout_of_a_code_is_fixed() -> None:
    # Logs hold these numbers: a change of the layout would change what they mean.
    assert PASS() == 0
    assert MOVE(3, 12, 1) == 1 << 24 | 1 << 16 | 12 << 8 | 3
    assert PAY(5) == 2 << 24 | 5


@pytest.mark.parametrize("arguments", [(256, 0, 0), (0, -1, 0), (0, 0, 2)])
def test_an_argument_that_does_not_fit_is_refused(arguments: tuple[int, int, int]) -> None:
    assert not MOVE.fits(*arguments)
    with pytest.raises(ValueError, match=r"MOVE: (source|target|flag) is"):
        MOVE(*arguments)


def test_a_wrong_number_of_arguments_is_refused() -> None:
    assert not MOVE.fits(1, 2)
    with pytest.raises(ValueError, match="MOVE takes 3 arguments, not 2"):
        MOVE(1, 2)


@pytest.mark.parametrize("code", [3 << 24, 2**31 - 1, -1, -(2**31)])
def test_a_number_that_is_no_code_is_refused(code: int) -> None:
    with pytest.raises(ValueError, match="is not a code of this game"):
        BOOK.verb(code)


def test_a_code_of_another_verb_is_not_unpacked() -> None:
    with pytest.raises(ValueError, match="is not a MOVE"):
        MOVE.unpack(PASS())


def test_a_verb_is_declared_within_24_bits() -> None:
    with pytest.raises(ValueError, match="do not fit into 24 bits"):
        CodeBook(Verb("WIDE", a=20, b=5))
    with pytest.raises(ValueError, match="1 bit or more"):
        Verb("NARROW", a=0)


def test_a_book_may_give_shifts_free_numbers_and_another_width_of_arguments() -> None:
    go, hit = Verb("GO", point=22), Verb("HIT", target=Argument(4, shift=22), point=Argument(22, shift=0))
    book = CodeBook(go, None, hit, argument_bits=26)
    assert (go(5), hit(3, 5)) == (5, 2 << 26 | 3 << 22 | 5)
    assert book.verb(hit(3, 5)) is hit and hit.unpack(hit(3, 5)) == (3, 5)
    assert book.verbs == (go, hit)
    for code in (1 << 26, 1 << 22):
        with pytest.raises(ValueError, match="is not a code of this game"):
            book.verb(code)
    with pytest.raises(ValueError, match="no other argument has"):
        Verb("TWICE", a=Argument(4, shift=2), b=Argument(4, shift=0))


def test_a_book_refuses_doubles_and_verbs_of_another_book() -> None:
    with pytest.raises(ValueError, match="is repeated"):
        CodeBook(Verb("A"), Verb("A"))
    with pytest.raises(ValueError, match="in a CodeBook already"):
        CodeBook(PASS)
    with pytest.raises(ValueError, match="1 to 128 verbs"):
        CodeBook()


def test_a_verb_without_a_book_makes_no_codes() -> None:
    with pytest.raises(ValueError, match="is not in a CodeBook"):
        Verb("LONELY")()

"""Checks of texts that others read: names, reasons and labels in every request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from engine_service import errors
from engine_service.model import ForkSetup, MatchSetup, SeatSetup
from engine_service.text import is_readable, name_fault, text_fault
from gamepacks.api.types import Seat
from tests.support.games import kuhn
from tests.support.hosting import HostedMatch, hosting, invited

UNREADABLE = {
    "clear screen": "please\x1b[2J",
    "window title": "\x1b]0;owned\x07",
    "line feed": "yes\n12  ben: resigned",
    "line separator": "yes\u2028no",
    "bidirectional override": "ann\u202egnp",
    "bidirectional isolate": "ann\u2066ben",
    "zero width": "an\u200bn",
    "C1 control": "a\x9b2J",
    "private use": "\ue000",
    "no-break blank": "a\u00a0b",
    "blank": "   ",
    "hangul fillers": "\u3164\u3164",
    "blank braille": "\u2800",
    "combining marks alone": "\u0301",
}
unreadable = pytest.mark.parametrize("text", UNREADABLE.values(), ids=UNREADABLE)


@unreadable
def test_control_characters_and_blank_texts_are_not_readable(text: str) -> None:
    assert not is_readable(text)
    assert text_fault(text, 100) and name_fault(text, 100)


@pytest.mark.parametrize("text", ["ann", "Élodie", "李雷", "नमस्ते", "Zoë & Co. #1", "e\u0301", "♞", "🎲", "-"])
def test_texts_of_any_script_are_readable(text: str) -> None:
    assert is_readable(text)
    assert not text_fault(text, 100) and not name_fault(text, 100)


def test_text_has_its_length_and_a_name_no_blank_at_its_ends() -> None:
    assert not text_fault("", 3) and not text_fault("abc", 3) and text_fault("abcd", 3)
    assert text_fault("", 3, at_least=1) and name_fault("", 3)
    assert not text_fault(" a ", 3) and name_fault(" a", 3) and name_fault("a ", 3)


def calls_with_text(t: HostedMatch, text: str) -> dict[str, Callable[[], Awaitable[object]]]:
    """Yield every call of the host with a text that others read."""
    host, open_seats = t.host, [SeatSetup()] * 2
    return {
        "a player's name": lambda: host.join(t.name, text),
        "an invited player's name": lambda: host.create(MatchSetup("kuhn", [SeatSetup(), invited(text)])),
        "a label's key": lambda: host.create(MatchSetup("kuhn", open_seats, labels={text: "x"})),
        "a label's value": lambda: host.create(MatchSetup("kuhn", open_seats, labels={"x": text})),
        "a label of a copy": lambda: host.fork(t.name, ForkSetup(labels={"x": text}), token=t.host_token),
        "an undo": lambda: host.request_undo(t.name, t.tokens[0], reason=text),
        "an answer": lambda: host.answer_undo(t.name, t.tokens[1], 1, False, text),
        "an answer on a stream": lambda: host.answer_undo_for_seat(t.live, Seat(1), 1, False, text),
        "a cancellation": lambda: host.cancel(t.name, t.host_token, text),
    }


@unreadable
async def test_every_request_refuses_unreadable_texts(text: str) -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        await t.play(0, kuhn.CHECK())
        before = t.log()
        for what, call in calls_with_text(t, text).items():
            with pytest.raises(errors.InvalidField):
                await call()
            assert t.log() == before, what

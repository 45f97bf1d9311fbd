"""Events for each viewer, resumed from any record, and noninterference at the level of the service."""

from __future__ import annotations

from typing import Any

import pytest

from engine_service import errors
from engine_service.match_enums import RecordKind, UndoPolicy
from engine_service.matches.events import SENTENCES_WEIGHT, UNDO_WEIGHT, EventCursor
from engine_service.model import Event, Policy
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Viewer
from tests.support.games import kuhn, sealed
from tests.support.hosting import HostedMatch, hosting

FREE = Policy(undo=UndoPolicy.FREE)
EVERYONE = [Viewer(0), Viewer(1), SPECTATOR, OMNISCIENT]


def displayed(event: Event) -> tuple[object, ...]:
    """Returns an event in a form that compares by value."""
    details = [message.SerializeToString(deterministic=True) for message in event.details]
    return (event.seq, event.kind, event.seat, event.code, details, event.label, event.text, event.to_seq)


async def played(h: object, ephemeral: bool = False) -> HostedMatch:
    t = await h.new_match("kuhn", policy=FREE, option_texts={"deals": "3"}, ephemeral=ephemeral)  # type: ignore[attr-defined]
    await t.play(0, kuhn.CHECK())
    await t.play(1, kuhn.BET())
    await t.host.request_undo(t.name, t.tokens[1], reason="slip")
    await t.play(1, kuhn.CHECK())
    await t.play(0, kuhn.BET())
    await t.host.request_undo(t.name, t.tokens[0], 6)
    await t.play(1, kuhn.BET())
    await t.play(0, kuhn.FOLD())
    return t


async def test_card_events_by_viewer() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        for viewer, known in ((0, [True, False]), (1, [False, True]), (-1, [False, False]), (-2, [True, True])):
            deals = [e for e in t.events(viewer, labels=True) if e.kind is RecordKind.CHANCE]
            assert [e.code is not None for e in deals] == known
            assert [bool(e.label) for e in deals] == known
            assert [e.details[0].dealt.HasField("card") for e in deals] == known


async def test_resuming_anywhere_gives_the_same_events() -> None:
    async with hosting() as h:
        t = await played(h)
        for viewer in EVERYONE:
            whole = [displayed(e) for e in t.events(viewer, labels=True)]
            assert [e[0] for e in whole] == list(range(1, t.live.seq + 1))
            for after in range(t.live.seq + 1):
                assert [displayed(e) for e in t.events(viewer, after, labels=True)] == whole[after:]


async def test_live_events_equal_events_read_later() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE, join=False, option_texts={"deals": "2"})
        cursors = {viewer: EventCursor(t.live, viewer) for viewer in EVERYONE}
        seen: dict[Viewer, list[Event]] = {viewer: [] for viewer in EVERYONE}

        def pull() -> None:
            for viewer, cursor in cursors.items():
                seen[viewer] += cursor.next(1)
                seen[viewer] += cursor.next()
                assert cursor.seq == t.live.seq and cursor.next() == []

        for player in ("Ada", "Bob"):
            t.tokens.append((await h.host.join(t.name, player)).token)
            pull()
        for seat, code in ((2, kuhn.BET()), (3, kuhn.CALL()), (2, kuhn.CHECK())):
            await h.host.submit_action(t.name, t.tokens[seat], code)
            pull()
        await h.host.request_undo(t.name, t.tokens[3])
        pull()
        for viewer in EVERYONE:
            assert [displayed(e) for e in seen[viewer]] == [displayed(e) for e in t.events(viewer)]
        texts = [e.text for e in seen[SPECTATOR] if e.text]
        assert texts == ["Ada", "Bob"]


async def test_sentences_use_the_view_of_the_viewer(monkeypatch: pytest.MonkeyPatch) -> None:
    def describe_event(game: kuhn.KuhnGame, event: Any, view: Any = None) -> str:
        if not event.HasField("dealt"):
            return ""
        card = event.dealt.card if event.dealt.HasField("card") else "a card"
        return f"seat {event.dealt.seat} is dealt {card}; {view.deck_size} are left"

    async with hosting() as h:
        t = await h.new_match("kuhn", option_texts={"deals": "1"})
        await t.play(0, kuhn.CHECK())
        assert not any(e.sentences for e in t.events(0, sentences=True)), "the pack has no sentences"
        monkeypatch.setattr(kuhn.KuhnGame, "describe_event", describe_event)
        dealt = t.live.log.after(0)[3].code & 0xFF
        assert [e.sentences for e in t.events(0, sentences=True)][3:] == [
            (f"seat 0 is dealt {dealt}; 3 are left",),
            ("seat 1 is dealt a card; 2 are left",),
            (),
        ]
        assert t.events(SPECTATOR, sentences=True)[3].sentences == ("seat 0 is dealt a card; 3 are left",)
        assert not any(e.sentences for e in t.events(0, labels=True))


async def test_exception_in_a_sentence_is_a_pack_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def describe_event(game: kuhn.KuhnGame, event: Any, view: Any = None) -> str:
        raise ZeroDivisionError

    monkeypatch.setattr(kuhn.KuhnGame, "describe_event", describe_event)
    async with hosting() as h:
        t = await h.new_match("kuhn")
        with pytest.raises(errors.PackFault):
            t.events(0, sentences=True)


async def test_batches_have_fewer_events_with_sentences() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn", policy=FREE)
        for _ in range(60):
            await t.play(0, kuhn.CHECK())
            await h.host.request_undo(t.name, t.tokens[0])
        cursor, parts = EventCursor(t.live, SPECTATOR), []
        while part := cursor.next(200):
            parts.append([displayed(event) for event in part])
        assert [event for part in parts for event in part] == [displayed(event) for event in t.events(SPECTATOR)]
        assert max(sum(event[1] is RecordKind.UNDONE for event in part) for part in parts) <= 200 // UNDO_WEIGHT
        assert all(part for part in parts) and EventCursor(t.live, SPECTATOR, t.live.seq - 1).next(1)
        assert len(EventCursor(t.live, SPECTATOR).next(50, sentences=True)) <= 50 // SENTENCES_WEIGHT


async def test_labels_only_on_request() -> None:
    async with hosting() as h:
        t = await played(h)
        assert not any(e.label for e in t.events(OMNISCIENT))
        labelled = [e.label for e in t.events(1, labels=True) if e.kind is RecordKind.ACTION]
        assert labelled[:2] == ["check", "bet a chip"]


async def test_hidden_decision_shows_that_it_was_made_and_nothing_else() -> None:
    """Two matches that differ only in a hidden bid give everyone else the same bytes."""
    async with hosting() as h:
        seen: list[dict[Viewer, list[tuple[object, ...]]]] = []
        for bid in (2, 9):
            t = await h.new_match("sealed")
            await t.play(0, sealed.BID(bid))
            seen.append({viewer: [displayed(e) for e in t.events(viewer, labels=True)] for viewer in EVERYONE})
            last = t.events(1)[-1]
            assert (last.kind, last.seat, last.code, last.label) == (RecordKind.ACTION, 0, None, "")
        for viewer in (Viewer(1), SPECTATOR):
            assert seen[0][viewer] == seen[1][viewer]
        for viewer in (Viewer(0), OMNISCIENT):
            assert seen[0][viewer] != seen[1][viewer]


async def test_service_hides_a_simultaneous_code_whatever_the_pack_says() -> None:
    class Talkative(sealed.SealedGame):
        id = "talkative"

        def knows_code(self, *_: object) -> bool:
            return True

    class Pack:
        @sealed.hookimpl
        def omnilude_games(self) -> list[type[sealed.SealedGame]]:
            return [Talkative]

    async with hosting(packs=[Pack()]) as h:
        t = await h.new_match("talkative")
        await t.play(0, sealed.BID(2))
        await t.play(1, sealed.BID(3))
        codes = {v: [e.code for e in t.events(v) if e.kind is RecordKind.ACTION] for v in EVERYONE}
        assert codes == {0: [2, None], 1: [None, 3], SPECTATOR: [None, None], OMNISCIENT: [2, 3]}
        shown = t.events(SPECTATOR)[-1].details[-1].shown
        assert list(shown.bids) == [2, 3]


async def test_seq_beyond_the_log_is_refused() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        for after in (-1, t.live.seq + 1):
            with pytest.raises(errors.InvalidField):
                EventCursor(t.live, SPECTATOR, after)

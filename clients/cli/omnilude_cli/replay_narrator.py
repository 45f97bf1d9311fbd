"""Narration of a replay: each record with its label, sentences and board, by the rules that are installed here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cext.state import State
from engine_service.errors import CardSetNotLoaded, RulesNotLoaded
from engine_service.log.header import Header, set_up
from engine_service.log.records import STEPS, Record
from engine_service.log.replay import records_of
from engine_service.match_enums import RecordKind, SeatKind
from gamepacks.api.game import Game, event_sentences
from gamepacks.api.registry import Registry
from gamepacks.api.scene import standalone
from gamepacks.api.types import OMNISCIENT, CardSet, Code, Seat
from omnilude.v1.match_pb2 import MatchEvent
from omnilude.v1.replay_pb2 import Replay
from omnilude_cli.console import one_line


@dataclass(frozen=True, slots=True)
class NarratedRecord:
    """One record with its sentences, and the board after it."""

    event: MatchEvent
    """The event for the omniscient host."""
    sentences: tuple[str, ...]
    """The pack's sentences about it, besides the label."""
    board: str | None
    """The board as text with Rich markup, if the pack draws one."""


class ReplayNarrator:
    """Narrates a replay. Without the rules, steps are described by their codes, and there are no boards."""

    def __init__(self, replay: Replay, registry: Registry) -> None:
        self.header = Header.decode(replay.header)
        self.records = records_of(replay)
        self.result = replay.result if replay.HasField("result") else None
        self.players = [one_line(seat.player) if seat.kind is SeatKind.BOT else "" for seat in self.header.seats]
        """The players' names by seat, as of the last narrated record."""
        self._game: Game[Any] | None = None
        self._states: list[tuple[int, State]] = []
        """The state after each step in force, with the step's record; the initial state first."""
        self.missing: str
        """The reason why the match cannot be replayed here; empty if it can."""
        try:
            self._game, state = set_up(self.header, registry)
            self._states.append((0, state))
            self.missing = ""
        except RulesNotLoaded:
            self.missing = "its rules are not installed here"
        except CardSetNotLoaded as error:
            self.missing = f"{error} (see --card-sets)"

    @property
    def cards(self) -> CardSet | None:
        """The card set of the match, in a game with cards whose rules are installed."""
        return None if self._game is None else self._game.card_set

    def narrate(self, *, boards: bool = False) -> Iterator[NarratedRecord]:
        """Yield every record in order. Raises IllegalAction if the log violates the rules."""
        for record in self.records:
            label, sentences = self._take(record)
            event = MatchEvent(
                seq=record.seq,
                kind=int(record.kind),  # type: ignore[arg-type]
                seat=record.seat,
                label=label,
                time_ms=record.time_ms,
                text=record.text,
                to_seq=record.to_seq,
            )
            yield NarratedRecord(
                event, sentences, self.board() if boards and record.kind in STEPS | {RecordKind.UNDONE} else None
            )

    def go_to_end(self) -> None:
        """Take all records without narrating them. Raises IllegalAction if the log violates the rules."""
        for record in self.records:
            self._advance(record)

    def who(self, seat: int) -> str:
        """Describe a seat by its player's name; a negative seat is chance."""
        return "chance" if seat < 0 else f"{self.players[seat] or 'nobody'} (seat {seat})"

    def board(self) -> str | None:
        """Render the current view of the omniscient host as text; None if the rules are missing."""
        if self._game is None:
            return None
        return self._game.render(self._game.view(self._states[-1][1], OMNISCIENT))

    def svg(self) -> str | None:
        """Render the current view of the omniscient host as a file of SVG; None if the rules are missing."""
        if self._game is None:
            return None
        return standalone(self._game.svg(self._game.view(self._states[-1][1], OMNISCIENT)))

    def _take(self, record: Record) -> tuple[str, tuple[str, ...]]:
        """Apply a record; returns its label and the pack's sentences."""
        self._advance(record)
        if record.kind not in STEPS:
            return "", ()
        if self._game is None:
            return f"code {record.code}", ()
        state, after = self._states[-2][1], self._states[-1][1]
        seat = None if record.seat < 0 else Seat(record.seat)
        events = self._game.events(state, seat, Code(record.code), after, OMNISCIENT)
        return self._game.label(state, Code(record.code)), event_sentences(self._game, events, after, OMNISCIENT)

    def _advance(self, record: Record) -> None:
        """Apply a record."""
        if record.kind is RecordKind.JOINED:
            self.players[record.seat] = one_line(record.text)
        if record.kind is RecordKind.UNDONE:
            while self._states and self._states[-1][0] > record.to_seq:
                self._states.pop()
        if record.kind in STEPS and self._game is not None:
            after = self._states[-1][1].clone()
            after.apply(record.code, record.seat)
            self._states.append((record.seq, after))

"""Logs for tests, written without the service: a match of any game, record by record, valid or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from google.protobuf.any_pb2 import Any as PackedAny
from google.protobuf.message import Message

from cext.chance import commitment, outcome
from cext.random import Rng
from cext.state import CHANCE, State
from engine_service.log.header import Header
from engine_service.log.records import STEPS, Record
from engine_service.log.replay import export
from engine_service.log.results import empty_result, final_result
from engine_service.match_enums import AbsencePolicy, EndReason, RecordKind, SeatKind
from engine_service.model import Result, SeatSetup
from gamepacks.api.game import Game
from gamepacks.api.registry import Registry
from omnilude.v1.replay_pb2 import Replay
from tests.support.games import faulty, kuhn, sealed, suits

REGISTRY = Registry.load(only=(), extra=[kuhn.PACK, sealed.PACK, faulty.PACK, suits.PACK], strict=True)
SEED = bytes(range(32))
UID = bytes(range(100, 116))


def pack_any(message: Message) -> PackedAny:
    packed = PackedAny()
    packed.Pack(message, deterministic=True)
    return packed


def header_of(game: Game[Any], /, **changed: Any) -> Header:
    """Returns the header of a match of this game, with open seats."""
    header = Header(
        match="matches/m1",
        uid=UID,
        game=game.id,
        rules_version=game.rules_version,
        engine_version="0.1.0",
        options=pack_any(game.options_message()),
        seed_commitment=commitment(SEED),
        seats=(SeatSetup(),) * game.players,
        create_ms=1_700_000_000_000,
    )
    return replace(header, **changed)


class Recorder:
    """Builder of a log. Records are appended as given; :meth:`continue_play` and :meth:`act` add those that follow."""

    def __init__(self, game: Game[Any], /, start: State | None = None, seed: bytes = SEED, **header: Any) -> None:
        self.game = game
        self.header = header_of(game, **header)
        self.seed = seed
        self.start = start or game.initial_state()
        self.state = self.start.clone()
        self.lines: list[list[Record]] = [[]]
        """The steps in force after each record."""
        self.log: list[Record] = []
        self.out: set[int] = set()
        self.result: Result | None = None
        self.time_ms = 0

    def add(self, kind: RecordKind, seat: int = -1, code: int = 0, to_seq: int = 0, text: str = "") -> Record:
        """Append a record, and apply it to the state if it is a step."""
        record = Record(len(self.log) + 1, kind, seat, code, self.time_ms, to_seq, text)
        self.log.append(record)
        if kind is RecordKind.UNDONE:
            steps = self.lines[to_seq] if 0 <= to_seq < len(self.lines) else self.lines[-1]
        else:
            steps = self.lines[-1]
        self.lines.append([*steps, record] if kind in STEPS else steps)
        if kind in (RecordKind.ACTION, RecordKind.CHANCE, RecordKind.OUTCOME_PROVIDED):
            self.state.apply_unchecked(code, seat)
        elif kind is RecordKind.UNDONE:
            self.state = self.start.clone()
            for step in self.steps:
                self.state.apply_unchecked(step.code, step.seat)
        elif kind in (RecordKind.RESIGNED, RecordKind.TIMED_OUT):
            self.out.add(seat)
        elif kind is RecordKind.FINISHED:
            self.result = self.outcome()
        elif kind is RecordKind.CANCELLED:
            self.result = empty_result(EndReason.CANCELLED)
        elif kind is RecordKind.FAULTED:
            self.result = empty_result(EndReason.PACK_FAULT)
        self.time_ms += 7
        return record

    @property
    def steps(self) -> list[Record]:
        """The steps in force."""
        return self.lines[-1]

    def undo_targets(self) -> list[int]:
        """Returns the records in force after which a step is in force."""
        undone = [record for record in self.log if record.kind is RecordKind.UNDONE]
        last = self.steps[-1].seq if self.steps else 0
        return [seq for seq in range(1, last) if not any(back.to_seq < seq < back.seq for back in undone)]

    def outcome(self) -> Result | None:
        forfeited = self.out if self.header.policy.absence is AbsencePolicy.FORFEIT else set()
        return final_result(self.state, self.game.players, forfeited, self.game.capabilities)

    def begin(self) -> Recorder:
        """Seat all players, start play, and continue to the first decision."""
        for seat, meant in enumerate(self.header.seats):
            if meant.kind is not SeatKind.BOT:
                self.add(RecordKind.JOINED, seat, text=f"player {seat}")
        self.add(RecordKind.STARTED)
        self.continue_play()
        return self

    def continue_play(self, kind: RecordKind = RecordKind.CHANCE) -> None:
        """Append the outcomes of chance from the seed, and the end of the match once it is reached."""
        while self.result is None:
            if self.outcome() is not None:
                self.add(RecordKind.FINISHED)
            elif self.state.actor() == CHANCE:
                code = outcome(self.seed, self.header.uid, len(self.lines[-1]), self.state.chance())
                self.add(kind, -1, code)
            else:
                return

    def seats_to_act(self) -> list[int]:
        """Returns the seats to act."""
        return [seat for seat in range(self.game.players) if self.state.seats_to_act() >> seat & 1]

    def act(self, seat: int, code: int) -> Record:
        """Append an action and the records that follow it; returns the record of the action."""
        record = self.add(RecordKind.ACTION, seat, code)
        self.continue_play()
        return record

    def act_at_random(self, rng: Rng) -> Record:
        seat = rng.choice(self.seats_to_act())
        return self.act(seat, rng.choice(self.state.legal(seat)))

    def undo(self, seat: int, to_seq: int, agree: Iterable[int] = ()) -> None:
        """Append an undo request, its acceptance by seats, and the undo."""
        self.add(RecordKind.UNDO_REQUESTED, seat, to_seq=to_seq, text="a slip")
        for other in agree:
            self.add(RecordKind.UNDO_ACCEPTED, other, to_seq=to_seq)
        self.add(RecordKind.UNDONE, seat, to_seq=to_seq)

    def finish(self, rng: Rng) -> Recorder:
        """Play at random to the end."""
        while self.result is None:
            self.act_at_random(rng)
        return self

    def replay(self, records: Sequence[Record] | None = None, **changed: Any) -> Replay:
        """Returns the replay of the log (or of ``records``), with a valid chain."""
        seed = self.seed if self.result is not None else b""
        given = {"seed": seed, "result": self.result, **changed}
        return export(self.header.encode(), self.log if records is None else records, **given)


def kuhn_match(seed: int = 1, players: int = 3, deals: int = 5, **header: Any) -> Recorder:
    """Returns a finished match with chance and hidden cards."""
    game = kuhn.KuhnGame.configure(players, {"deals": deals, "ranks": 6})
    return Recorder(game, **header).begin().finish(Rng(seed))


def sealed_match(players: int = 3, **header: Any) -> Recorder:
    """Returns a match of simultaneous decisions, started but not played."""
    return Recorder(sealed.SealedGame.configure(players), **header).begin()

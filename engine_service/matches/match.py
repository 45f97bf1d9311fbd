"""A match in memory: a cache of its log, small enough for thousands, and what can be asked of it."""

from __future__ import annotations

import secrets
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar
from typing import Any as Untyped

from google.protobuf.message import Message

from cext.random import Rng
from cext.state import State
from engine_service.errors import InvalidField, LimitReached, MatchNotStarted, PackFault
from engine_service.guard import RULES, PackRaised
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.log.records import Record, RecordKind, RecordLog
from engine_service.matches import absence, clocks, seats
from engine_service.matches.clocks import NEVER
from engine_service.matches.draft import Draft
from engine_service.matches.info import match_info
from engine_service.matches.numbering import Numbering
from engine_service.matches.past import Past
from engine_service.matches.progress import PendingUndo, Progress, to_act
from engine_service.model import LegalAction, MatchImport, MatchInfo, MatchState, Observation
from engine_service.timing import TimeSource
from gamepacks.api.game import Game
from gamepacks.api.registry import LoadedGame
from gamepacks.api.services import VisibleState
from gamepacks.api.types import CHANCE, OMNISCIENT, SPECTATOR, Code, Seat, Viewer

if TYPE_CHECKING:
    from asyncio import Future

T = TypeVar("T")


class Listener(Protocol):
    """Whoever follows a match."""

    @property
    def viewer(self) -> Viewer:
        """As whom: each viewer has a limit of its own."""

    def on_change(self, live: LiveMatch) -> None:
        """Something was recorded. Called on the event loop once for each commit; quick, and it must not raise."""


class Keeper(Protocol):
    """What a match needs of the host that keeps it."""

    time: TimeSource
    limits: Limits

    def fault(self, live: LiveMatch, error: BaseException) -> PackFault:
        """Take note that the match's pack raised; the match is ended soon. Returns what to tell the caller."""

    def uptime_at(self, monotonic_ms: int) -> int:
        """How long services had run on the store, all together, at a moment of this one's life."""

    def loaded(self, live: LiveMatch) -> None:
        """Take note that a stored match has come into memory."""


class LiveMatch:
    """A match in memory. Only the host's writers change it, by swapping in a new :class:`Progress`."""

    __slots__ = (
        "chain",
        "ephemeral",
        "epoch_ms",
        "game",
        "gone",
        "header",
        "header_bytes",
        "host_digest",
        "host_nonce",
        "imported",
        "incident",
        "keeper",
        "key",
        "listeners",
        "loaded",
        "log",
        "name",
        "now",
        "numbering",
        "past",
        "points",
        "private_points",
        "seed",
        "thinking",
        "touched_ms",
        "turn",
        "version",
    )

    def __init__(
        self,
        keeper: Keeper,
        header: Header,
        header_bytes: bytes,
        loaded: LoadedGame,
        game: Game[Untyped],
        now: Progress,
    ) -> None:
        self.keeper = keeper
        self.header = header
        self.header_bytes = header_bytes
        self.loaded = loaded
        self.game = game
        self.now = now
        self.name = header.match
        self.key = 0
        """The store's number for it; 0 for an ephemeral match."""
        self.ephemeral = False
        self.imported: MatchImport | None = None
        """Set where it came as a replay."""
        self.seed = self.host_nonce = self.host_digest = self.chain = b""
        self.log = RecordLog()
        self.past = Past()
        self.points = array("q")
        """Records after which a decision has stood, in order."""
        self.private_points: set[int] = set()
        """Those of the points at which the decision was private."""
        self.numbering = Numbering()
        self.epoch_ms = 0
        """The monotonic time from which record times count."""
        self.touched_ms = 0
        self.listeners: tuple[Listener, ...] = ()
        self.version = 0
        """Grows whenever what :meth:`info` tells has changed by more than seq and clocks."""
        self.turn: deque[Future[None]] | None = None
        """Set while somebody writes: those who wait for their turn to write, in order."""
        self.thinking: frozenset[tuple[int, int]] = frozenset()
        """(seat, decision_seq) of decisions that bots in worker processes are at."""
        self.incident = ""
        """Of the pack's fault, once it has one."""
        self.gone = False
        """Has it left memory? Another object may stand for the match now."""

    # -- where it stands -------------------------------------------------------------------------------------------

    @property
    def game_id(self) -> str:
        """The game's bare id."""
        return self.header.game

    @property
    def state(self) -> MatchState:
        """Where the match stands in its life."""
        return self.now.state

    @property
    def seq(self) -> int:
        """seq of the newest record."""
        return self.now.seq

    @property
    def decision_seq(self) -> int:
        """The record after which the present decision node has stood: what a move has to name."""
        return self.now.decision_seq

    @property
    def seats_to_act(self) -> int:
        """Bit mask of the seats that owe a decision, service bots and stand-ins included."""
        return self.now.seats_to_act

    @property
    def in_play(self) -> bool:
        """Has play begun (and perhaps ended), so that there is something to observe?"""
        return self.now.started_ms != 0

    @property
    def awaits_chance(self) -> bool:
        """Is an outcome of the host awaited?"""
        return self.now.state is MatchState.ACTIVE and self.now.actor == CHANCE

    @property
    def undo_pending(self) -> PendingUndo | None:
        """The request to go back that waits for answers."""
        return self.now.undo

    @property
    def sampled(self) -> bool:
        """Are the legal lists of the present decision only samples of a finer grid? Raises PackFault."""
        return self.game.capabilities.continuous and self.ask(lambda: self.game.sampled(self.now.game_state))

    @property
    def secretive(self) -> bool:
        """Is there anything that one of its players may not know?"""
        return self.game.capabilities.hidden or self.game.capabilities.simultaneous

    def owes(self, seat: int) -> bool:
        """Does this seat's own player owe a decision? Not where the service plays for the seat."""
        now = self.now
        return bool((now.seats_to_act & ~now.served) >> seat & 1)

    # -- what its viewers may know ---------------------------------------------------------------------------------

    def viewer_of(self, token: str) -> Viewer:
        """Whose eyes a token opens: OMNISCIENT for the host, a seat, SPECTATOR for none. Raises TokenInvalid."""
        return seats.viewer_of(token, self.now.seats, self.host_digest)

    def seat_of(self, token: str) -> Seat:
        """The seat of a token. Raises TokenMissing, TokenInvalid, NotAllowed."""
        return seats.seat_of(token, self.now.seats, self.host_digest)

    def require_host(self, token: str) -> None:
        """Raises TokenMissing, TokenInvalid, NotAllowed where the token is not the host's."""
        seats.require_host(token, self.now.seats, self.host_digest)

    def info(self, viewer: Viewer = SPECTATOR) -> MatchInfo:
        """The match, as everyone may know it; its seq is the viewer's."""
        now = self.now
        return match_info(
            self.header,
            state=now.state,
            seats=now.seats,
            seq=self.numbering.told(viewer, self.told_until(viewer)),
            started_ms=now.started_ms,
            ended_ms=now.ended_ms,
            result=now.result,
            seed=self.seed,
            clocks_ms=self.clocks_ms(),
            ephemeral=self.ephemeral,
            to_act=to_act(now, viewer),
            imported=self.imported,
        )

    def observe(self, viewer: Viewer) -> Observation:
        """The game, as a viewer may know it. Raises MatchNotStarted, PackFault."""
        now = self.now
        if not self.in_play:
            raise MatchNotStarted()
        seq, state = self._shown(viewer)
        return self._observed(viewer, seq, state, now.visible_owing(viewer), self.awaits_chance, self.clocks_ms())

    def observe_past(self, viewer: Viewer, seq: int) -> Observation | None:
        """The game as a viewer could know it after the viewer's record ``seq``; None where play had not begun then.

        Raises InvalidField where the log does not reach so far, PackFault.
        """
        newest = self.numbering.told(viewer, self.seq)
        if not 1 <= seq <= newest:
            raise InvalidField.one("seq", f"the match has records 1 to {newest}")
        seq = self.last_record(viewer, seq)
        if seq >= self.told_until(viewer):
            return self.observe(viewer) if self.in_play else None
        if not any(self.log.kind_of(earlier) is RecordKind.STARTED for earlier in range(1, seq + 1)):
            return None
        state = self.state_after(seq)
        seats_to_act = 0 if self._hides_decision(viewer, state) else self.ask(state.seats_to_act)
        return self._observed(viewer, seq, state, seats_to_act, awaits_chance=False, clocks_ms=())

    def _hides_decision(self, viewer: Viewer, state: State) -> bool:
        return viewer != OMNISCIENT and self.ask(state.decline_code) != -1 and self.ask(state.actor) != viewer

    def last_record(self, viewer: Viewer, seq: int) -> int:
        """The last record so far that is, to the viewer, within the first ``seq``."""
        return min(self.numbering.last(viewer, seq), self.seq)

    def told_until(self, viewer: Viewer) -> int:
        """The record up to which the viewer is told what has happened.

        While a seat is at a private decision, the others are not told of the newest record: with it comes all that
        follows of itself, and that is not known before the decision is made.
        """
        if not self.now.hides_decision(viewer):
            return self.seq
        seq = self.seq
        while seq and not self.numbering.knows(viewer, seq):
            seq -= 1
        return max(0, seq - 1)

    def _observed(
        self, viewer: Viewer, seq: int, state: State, seats_to_act: int, awaits_chance: bool, clocks_ms: tuple[int, ...]
    ) -> Observation:
        return Observation(
            seq=self.numbering.told(viewer, seq),
            view=self.ask(lambda: self.game.view(state, viewer)),
            to_act=tuple(Seat(seat) for seat in range(len(self.now.seats)) if seats_to_act >> seat & 1),
            awaits_chance=awaits_chance,
            clocks_ms=clocks_ms,
            position=self.ask(lambda: self.game.position(state)) if viewer == OMNISCIENT else None,
        )

    def _shown(self, viewer: Viewer) -> tuple[int, State]:
        """The record up to which the viewer is told what has happened, and the state as it was then."""
        now = self.now
        if not now.hides_decision(viewer):
            return now.seq, now.game_state
        seq = self.told_until(viewer)
        return seq, self.state_after(seq)

    def legal(self, seat: int) -> list[int]:
        """The legal codes of a seat's own player; empty where it owes no decision. Raises PackFault."""
        now = self.now
        if not (now.seats_to_act & ~now.served) >> seat & 1:
            return []
        # ask(), written out: nothing of a pack is asked more often.
        RULES.depth += 1
        try:
            return now.game_state.legal(seat)
        except BaseException as error:
            raise self.keeper.fault(self, error) from None
        finally:
            RULES.depth -= 1

    def legal_typed(self, codes: Sequence[int]) -> list[LegalAction]:
        """Codes from :meth:`legal` with their messages and labels. Raises PackFault."""
        game, state = self.game, self.now.game_state
        return self.ask(
            lambda: [LegalAction(Code(c), game.action(state, Code(c)), game.label(state, Code(c))) for c in codes]
        )

    def resample_position(self, seat: int) -> Message:
        """One whole position that the seat cannot tell from the true one. Raises PackFault."""
        rng = Rng(secrets.randbits(64))
        position: Message = self.ask(lambda: self.game.position(self.now.game_state.resample(seat, rng)))
        return position

    def look(self, viewer: Viewer) -> VisibleState:
        """What a pack's service may look at for a viewer. Raises MatchNotStarted, PackFault."""
        if not self.in_play:
            raise MatchNotStarted()
        seq, state = self._shown(viewer)
        if viewer == OMNISCIENT or not self.secretive:
            seen = self.ask(state.clone)
        else:
            rng = Rng(secrets.randbits(64))
            seen = self.ask(lambda: state.resample(viewer, rng))
        return VisibleState(self.name, self.numbering.told(viewer, seq), self.game, seen, viewer)

    def decision_at(self, seq: int) -> int:
        """What :attr:`decision_seq` was after a record; 0 where no decision had stood yet."""
        at = bisect_right(self.points, seq)
        return self.points[at - 1] if at else 0

    def state_after(self, seq: int) -> State:
        """A copy of the state as it was after a record (0: before the first). Raises PackFault, and ends the match."""
        try:
            return self.past.state_after(seq, self.log, self.header, self.game)[0]
        except PackRaised as raised:
            raise self.keeper.fault(self, raised.error) from None

    def records_after(self, seq: int, limit: int | None = None) -> list[Record]:
        """The records behind ``seq``: everything, secret or not."""
        return self.log.after(seq, limit)

    def ask(self, call: Callable[[], T]) -> T:
        """The answer of a call of the pack. Raises PackFault, and ends the match, where the pack raises."""
        try:
            with RULES:
                return call()
        except PackRaised as raised:
            raise self.keeper.fault(self, raised.error) from None

    # -- time ------------------------------------------------------------------------------------------------------

    def time_ms(self) -> int:
        """Milliseconds since the match was created; it never goes back."""
        time_ms, least = self.keeper.time.monotonic_ms() - self.epoch_ms, self.now.time_ms
        return time_ms if time_ms > least else least

    def uptime_of(self, progress: Progress) -> int:
        """The service's uptime at the newest record of this progress: what the match's row keeps."""
        return self.keeper.uptime_at(self.epoch_ms + progress.time_ms)

    def clocks_ms(self) -> tuple[int, ...]:
        """What each seat has left; empty without clocks and once the match has ended."""
        now, control = self.now, self.header.time_control
        if control is None or now.state.ended:
            return ()
        left = now.clocks or clocks.fresh(control, len(now.seats))
        spent = 0 if now.decline_code != -1 else self.time_ms() - now.since_ms
        return tuple(
            clocks.left_ms(control, left, now.used if self.owes(seat) else (), seat, spent if self.owes(seat) else 0)
            for seat in range(len(now.seats))
        )

    def time_left_ms(self, seat: int) -> int | None:
        """Milliseconds until the seat is late; None without clocks."""
        control, now = self.header.time_control, self.now
        if control is not None and now.decline_code != -1 and self.owes(seat):
            return (
                None if control.private_ms is None else clocks.private_left_ms(control, self.time_ms() - now.since_ms)
            )
        left = self.clocks_ms()
        return left[seat] if left else None

    def deadline_ms(self) -> int:
        """The monotonic time at which the first seat that is to act will be late; NEVER where no clock runs."""
        deadline = absence.deadline_ms(self.header, self.now)
        return NEVER if deadline >= NEVER else deadline + self.epoch_ms

    # -- following it ----------------------------------------------------------------------------------------------

    def subscribe(self, listener: Listener) -> None:
        """Tell this listener of every commit from now on.

        Raises LimitReached. Seats, the host and spectators never use up each other's room.
        """
        limits, viewer = self.keeper.limits, listener.viewer
        if viewer == SPECTATOR:
            name, limit, who = "spectators_per_match", limits.spectators_per_match, "without a token"
        else:
            name, limit, who = "streams_per_seat", limits.streams_per_seat, "with one token"
        if len(self.listeners) >= limit and sum(known.viewer == viewer for known in self.listeners) >= limit:
            raise LimitReached(name, limit, f"at most {limit} streams may follow one match {who}")
        self.listeners = (*self.listeners, listener)

    def unsubscribe(self, listener: Listener) -> None:
        """Tell this listener no more; nothing happens where it was not told."""
        self.listeners = tuple(known for known in self.listeners if known is not listener)

    # -- writing ---------------------------------------------------------------------------------------------------

    def draft(self) -> Draft:
        """An empty write of this moment."""
        time_ms, time = self.time_ms(), self.keeper.time
        return Draft(self.header, self.game, self.seed, self.log, self.past, self.numbering, self.now, time_ms, time)

    def adopt_whole(self, draft: Draft, log: RecordLog, past: Past) -> None:
        """Make a draft of the whole log the truth of a match that nobody has seen yet."""
        self.log, self.past, self.now = log, past, draft.after
        self.points = array("q", draft.points)
        self.private_points = set(draft.private_points)
        self.numbering.extend(draft.private_records.items())

    def adopt(self, draft: Draft) -> None:
        """Make a draft that is on disk the truth. Listeners are told by whoever calls this."""
        before, after = self.now, draft.after
        self.log.extend(draft.records)
        self.points.extend(draft.points)
        self.private_points.update(draft.private_points)
        self.numbering.extend(draft.private_records.items())
        for back in draft.went_back:
            self.past.went_back(*back, self.log, self.header, self.game)
        self.past.reached(after, self.log)
        self.now = after
        if before.state is not after.state or before.seats is not after.seats:
            self.version += 1

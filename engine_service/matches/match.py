"""A match in memory: a cache of its log, small enough for thousands of matches, and the queries on it."""

from __future__ import annotations

import secrets
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol, TypeVar
from typing import Any as Untyped

from google.protobuf.message import Message

from cext.random import Rng
from cext.state import State
from engine_service.errors import InvalidField, LimitReached, MatchNotEnded, MatchNotStarted, PackFault, UnknownSeat
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.log.history import History
from engine_service.log.records import STEPS, Record, RecordLog
from engine_service.match_enums import MatchState, RecordKind
from engine_service.matches import absence, clocks, tokens
from engine_service.matches.clocks import NEVER
from engine_service.matches.draft import Draft
from engine_service.matches.numbering import Numbering
from engine_service.matches.rows import match_info
from engine_service.matches.scenes import SceneCache, action_targets, touched_parts
from engine_service.matches.sealing import PositionSealer, context_of
from engine_service.matches.snapshot import ACTION, MatchSnapshot, PendingUndo, to_act
from engine_service.model import LegalAction, MatchImport, MatchInfo, Observation, has_ended
from engine_service.pack_guard import PACK_GUARD, PackPending, PackRaised
from engine_service.timing import TimeSource
from gamepacks.api.game import Game
from gamepacks.api.registry import LoadedGame
from gamepacks.api.services import VisibleState
from gamepacks.api.types import CHANCE, OMNISCIENT, SPECTATOR, Seat, Viewer

if TYPE_CHECKING:
    from asyncio import Future

T = TypeVar("T")

LAST_RECORDS = 8
"""Number of records before a scene that are searched for the actions to mark in it."""


class Listener(Protocol):
    """Follows a match."""

    @property
    def viewer(self) -> Viewer:
        """The viewer for whom it follows the match; the number of streams is limited for each viewer."""

    def on_change(self, live: LiveMatch) -> None:
        """Called on the event loop once after each commit; must be quick and must not raise."""


class MatchContext(Protocol):
    """Interface of the host that a match uses."""

    time: TimeSource
    limits: Limits
    sealer: PositionSealer
    scenes: SceneCache

    def fault(self, live: LiveMatch, error: BaseException) -> PackFault:
        """Log a fault of the match's pack, schedule the end of the match, and return the error for the caller.

        The loss of an isolated pack's process ends the match only if it is repeated.
        """

    def uptime_at(self, monotonic_ms: int) -> int:
        """Returns the total uptime of services on the store at a time of the monotonic clock."""

    def loaded(self, live: LiveMatch) -> None:
        """Called after a stored match was loaded."""

    def has_claim(self, live: LiveMatch) -> bool:
        """Returns whether this service handles the match's clocks and bots; exactly one service that shares a store
        does."""


class LiveMatch:
    """A match in memory. Only the host's writers change it, by setting a new :class:`MatchSnapshot`."""

    __slots__ = (
        "bots_deciding",
        "chain",
        "context",
        "decision_points",
        "ephemeral",
        "epoch_ms",
        "evicted",
        "game",
        "header",
        "header_bytes",
        "history",
        "host_digest",
        "host_nonce",
        "imported",
        "incident",
        "key",
        "listeners",
        "loaded",
        "name",
        "numbering",
        "private_decision_points",
        "process_losses",
        "seed",
        "snapshot",
        "touched_ms",
        "version",
        "write_queue",
    )

    def __init__(
        self,
        context: MatchContext,
        header: Header,
        header_bytes: bytes,
        loaded: LoadedGame,
        game: Game[Untyped],
        snapshot: MatchSnapshot,
    ) -> None:
        self.context = context
        self.header = header
        self.header_bytes = header_bytes
        self.loaded = loaded
        self.game = game
        self.snapshot = snapshot
        self.name = header.match
        self.key = 0
        """Primary key in the store; 0 for an ephemeral match."""
        self.ephemeral = False
        self.imported: MatchImport | None = None
        """Set if it was imported as a replay."""
        self.seed = self.host_nonce = self.host_digest = self.chain = b""
        self.history = History(header, game)
        self.decision_points = array("q")
        """Records after which a new decision was pending, in order."""
        self.private_decision_points: set[int] = set()
        """The decision points at which the decision was private."""
        self.numbering = Numbering()
        self.epoch_ms = 0
        """Monotonic time from which record times count."""
        self.touched_ms = 0
        self.listeners: tuple[Listener, ...] = ()
        self.version = 0
        """Grows whenever :meth:`info` has changed by more than seq and clocks."""
        self.write_queue: deque[Future[None]] | None = None
        """Set while the write lock is held: the writes that wait for it, in order."""
        self.bots_deciding: frozenset[tuple[int, int]] = frozenset()
        """(seat, decision_seq) of the decisions that service bots are making in tasks."""
        self.incident = ""
        """Incident id of the pack's fault; empty if there is none."""
        self.process_losses = 0
        """Number of calls of an isolated pack for this match that ended the pack's process."""
        self.evicted = False
        """Whether it has left the cache; another object may represent the match now."""

    # -- state -----------------------------------------------------------------------------------------------------

    @property
    def log(self) -> RecordLog:
        """The records, secret ones included."""
        return self.history.log

    @property
    def game_id(self) -> str:
        """The game's id, without ``games/``."""
        return self.header.game

    @property
    def state(self) -> MatchState:
        """State of the match's life cycle."""
        return self.snapshot.state

    @property
    def seq(self) -> int:
        """seq of the newest record."""
        return self.snapshot.seq

    @property
    def decision_seq(self) -> int:
        """Record since which the present decision is pending; an action has to name it."""
        return self.snapshot.decision_seq

    @property
    def seats_to_act(self) -> int:
        """Bit mask of the seats to act, service seats included."""
        return self.snapshot.seats_to_act

    @property
    def in_play(self) -> bool:
        """Whether play has begun (and perhaps ended), so that there is something to observe."""
        return self.snapshot.started_ms != 0

    @property
    def awaits_chance(self) -> bool:
        """Whether an outcome of the host is awaited."""
        return self.snapshot.state is MatchState.ACTIVE and self.snapshot.actor == CHANCE

    @property
    def undo_pending(self) -> PendingUndo | None:
        """The pending undo request."""
        return self.snapshot.undo

    @property
    def sampled(self) -> bool:
        """Whether the legal lists of the present decision are only samples of a finer grid. Raises PackFault."""
        return self.game.capabilities.continuous and self.call_pack(lambda: self.game.sampled(self.snapshot.game_state))

    @property
    def has_hidden_information(self) -> bool:
        """Whether the game has secrets: hidden information or simultaneous decisions."""
        return self.game.capabilities.hidden or self.game.capabilities.simultaneous

    def must_act(self, seat: int) -> bool:
        """Returns whether this seat's own player is to act; False for a service seat."""
        now = self.snapshot
        return bool((now.seats_to_act & ~now.service_seats) >> seat & 1)

    # -- views -----------------------------------------------------------------------------------------------------

    def viewer_of(self, token: str) -> Viewer:
        """Returns the viewer of a token: OMNISCIENT for the host's, a seat, SPECTATOR without one. Raises
        TokenInvalid."""
        return tokens.viewer_of(token, self.snapshot.seats, self.host_digest)

    def seat_of(self, token: str) -> Seat:
        """Returns the seat of a token. Raises TokenMissing, TokenInvalid, NotAllowed."""
        return tokens.seat_of(token, self.snapshot.seats, self.host_digest)

    def require_host(self, token: str) -> None:
        """Check that the token is the host's. Raises TokenMissing, TokenInvalid, NotAllowed."""
        tokens.require_host(token, self.snapshot.seats, self.host_digest)

    def require_open_view(self, seat: Seat, viewer: Viewer) -> None:
        """Check that the view of a seat is open to a viewer: the match has ended, or it is the host.

        Raises UnknownSeat, MatchNotEnded.
        """
        if not 0 <= seat < len(self.snapshot.seats):
            raise UnknownSeat(seat, len(self.snapshot.seats))
        if not has_ended(self.state) and viewer != OMNISCIENT:
            raise MatchNotEnded("observing it as another seat")

    def info(self, viewer: Viewer = SPECTATOR) -> MatchInfo:
        """Returns the public view of the match, with the viewer's sequence number."""
        now = self.snapshot
        return match_info(
            self.header,
            state=now.state,
            seats=now.seats,
            seq=self.numbering.viewer_seq(viewer, self.visible_seq(viewer)),
            started_ms=now.started_ms,
            ended_ms=now.ended_ms,
            result=now.result,
            seed=self.seed,
            clocks_ms=self.clocks_ms(),
            ephemeral=self.ephemeral,
            to_act=to_act(now, viewer),
            imported=self.imported,
        )

    def observation(self, viewer: Viewer, scene: bool = False) -> Observation:
        """Returns the observation of the game for a viewer; ``scene``: also draw it. Raises MatchNotStarted,
        PackFault."""
        now = self.snapshot
        if not self.in_play:
            raise MatchNotStarted()
        seq, state = self._shown(viewer)
        return self._observed(
            viewer, seq, state, now.visible_seats_to_act(viewer), self.awaits_chance, self.clocks_ms(), scene
        )

    def past_observation(
        self, viewer: Viewer, seq: int, scene: bool = False, seat: Seat | None = None
    ) -> Observation | None:
        """Returns the observation after the viewer's record ``seq``; None if play had not begun then.

        ``seat``: return the observation of that seat instead. Raises InvalidField if there is no such record,
        PackFault.
        """
        newest = self.numbering.viewer_seq(viewer, self.seq)
        if not 1 <= seq <= newest:
            raise InvalidField.one("seq", f"the match has records 1 to {newest}")
        seq = self.match_seq(viewer, seq)
        if seat is not None:
            viewer = Viewer(seat)
        if seq >= self.visible_seq(viewer):
            return self.observation(viewer, scene) if self.in_play else None
        if not any(self.log.kind_of(earlier) is RecordKind.STARTED for earlier in range(1, seq + 1)):
            return None
        state = self.state_after(seq)
        seats_to_act = 0 if self._hides_decision(viewer, state) else self.call_pack(state.seats_to_act)
        return self._observed(viewer, seq, state, seats_to_act, awaits_chance=False, clocks_ms=(), scene=scene)

    def _hides_decision(self, viewer: Viewer, state: State) -> bool:
        return (
            viewer != OMNISCIENT and self.call_pack(state.decline_code) != -1 and self.call_pack(state.actor) != viewer
        )

    def match_seq(self, viewer: Viewer, seq: int) -> int:
        """Returns the last record so far that, to the viewer, is within the first ``seq``."""
        return min(self.numbering.match_seq(viewer, seq), self.seq)

    def visible_seq(self, viewer: Viewer) -> int:
        """Returns the last record that the viewer is sent now.

        While a seat is at a private decision, the others are not sent the newest record yet, because it is sent with
        all that follows from it, and that is not known before the decision is made.
        """
        if not self.snapshot.hides_decision(viewer):
            return self.seq
        seq = self.seq
        while seq and not self.numbering.knows(viewer, seq):
            seq -= 1
        return max(0, seq - 1)

    def _observed(
        self,
        viewer: Viewer,
        seq: int,
        state: State,
        seats_to_act: int,
        awaits_chance: bool,
        clocks_ms: tuple[int, ...],
        scene: bool,
    ) -> Observation:
        view = self.call_pack(lambda: self.game.view(state, viewer))
        return Observation(
            seq=self.numbering.viewer_seq(viewer, seq),
            view=view,
            to_act=tuple(Seat(seat) for seat in range(len(self.snapshot.seats)) if seats_to_act >> seat & 1),
            awaits_chance=awaits_chance,
            clocks_ms=clocks_ms,
            position=self._sealed_position(state) if viewer == OMNISCIENT else None,
            scene=self._scene(viewer, seq, view) if scene else "",
        )

    def _scene(self, viewer: Viewer, seq: int, view: Message) -> str:
        key = (self.name, int(viewer), seq)
        return self.context.scenes.scene(key, self.game, view, lambda: self._last_touched(viewer, seq))

    def _last_touched(self, viewer: Viewer, seq: int) -> list[str]:
        """Returns the parts that the last actions of one other seat up to a record touched, as far as the viewer knows
        the actions."""
        first = acting = -1
        looked, at = 0, seq
        while at and looked < LAST_RECORDS:
            record = self.log[at]
            # Records that the viewer may not know must make no difference to it.
            if self.numbering.knows(viewer, at):
                looked += 1
                if record.kind not in STEPS:
                    break
                if record.kind is ACTION:
                    if record.seat == viewer or acting not in (-1, record.seat):
                        break
                    first, acting = at, record.seat
            at -= 1
        if first < 0:
            return []
        records = [self.log[at] for at in range(first, seq + 1)]
        return touched_parts(self.name, self.game, viewer, self.state_after(first - 1), records)

    def _shown(self, viewer: Viewer) -> tuple[int, State]:
        """Returns the last record that the viewer is sent now, and the state after it."""
        now = self.snapshot
        if not now.hides_decision(viewer):
            return now.seq, now.game_state
        seq = self.visible_seq(viewer)
        return seq, self.state_after(seq)

    def legal(self, seat: int) -> list[int]:
        """Returns the legal codes of a seat's own player; empty if it is not to act. Raises PackFault."""
        now = self.snapshot
        if not (now.seats_to_act & ~now.service_seats) >> seat & 1:
            return []
        # call_pack, written out: this is the most frequent call of a pack.
        PACK_GUARD.depth += 1
        try:
            return now.game_state.legal(seat)
        except PackPending:
            raise
        except BaseException as error:
            raise self.context.fault(self, error) from None
        finally:
            PACK_GUARD.depth -= 1

    def legal_typed(self, codes: Sequence[int], scene_of: int | None = None) -> list[LegalAction]:
        """Returns codes from :meth:`legal` with their messages and labels, and with their targets in the scene of the
        seat ``scene_of`` if given. Raises PackFault."""
        game, state = self.game, self.snapshot.game_state
        actions = self.call_pack(lambda: [LegalAction(*typed) for typed in game.typed_actions(state, codes)])
        if scene_of is None or not actions:
            return actions
        view = self.call_pack(lambda: game.view(state, Viewer(scene_of)))
        touched = action_targets(self.name, game, view, [entry.action for entry in actions])
        return [replace(entry, targets=parts) for entry, parts in zip(actions, touched, strict=True)]

    def resample_position(self, seat: int, key: bytes = b"") -> Message:
        """Returns a whole position that the seat cannot tell from the true one. Raises PackFault.

        Each key (32 secret bytes) gets its own position, and the same one again after the same record; callers that
        wait for an isolated pack need that. Without a key, each call draws another position.
        """
        drawn = blake2b(f"{self.name} {seat} {self.seq}".encode(), digest_size=8, key=key or secrets.token_bytes(32))
        rng = Rng(int.from_bytes(drawn.digest()))
        return self._sealed_position(self.call_pack(lambda: self.snapshot.game_state.resample(seat, rng)))

    def _sealed_position(self, state: State) -> Message:
        """Returns the position message of a state, sealed. Raises PackFault."""
        position: Message = self.call_pack(lambda: self.game.position(state))
        self.context.sealer.seal(context_of(self.header), position)
        return position

    def visible_state(self, viewer: Viewer, rng: Rng | None = None) -> VisibleState:
        """Returns a state that the viewer cannot tell from the true one, drawn with ``rng`` (None: a random seed).

        Raises MatchNotStarted, PackFault.
        """
        if not self.in_play:
            raise MatchNotStarted()
        seq, state = self._shown(viewer)
        if viewer == OMNISCIENT or not self.has_hidden_information:
            seen = self.call_pack(state.clone)
        else:
            drawn = rng or Rng(secrets.randbits(64))
            seen = self.call_pack(lambda: state.resample(viewer, drawn))
        return VisibleState(self.name, self.numbering.viewer_seq(viewer, seq), self.game, seen, viewer)

    def decision_at(self, seq: int) -> int:
        """Returns the :attr:`decision_seq` after a record; 0 if there had been no decision yet."""
        at = bisect_right(self.decision_points, seq)
        return self.decision_points[at - 1] if at else 0

    def state_after(self, seq: int) -> State:
        """Returns a copy of the state after a record (0: before the first). Raises PackFault, and ends the match."""
        try:
            with PACK_GUARD:
                return self.history.state_after(seq)[0]
        except PackRaised as raised:
            raise self.context.fault(self, raised.error) from None

    def call_pack(self, call: Callable[[], T]) -> T:
        """Returns the result of a pack call. If the pack raises, ends the match and raises PackFault."""
        try:
            with PACK_GUARD:
                return call()
        except PackRaised as raised:
            raise self.context.fault(self, raised.error) from None

    # -- time ------------------------------------------------------------------------------------------------------

    def time_ms(self) -> int:
        """Returns the milliseconds since the match was created; they never decrease."""
        time_ms, least = self.context.time.monotonic_ms() - self.epoch_ms, self.snapshot.time_ms
        return time_ms if time_ms > least else least

    def uptime_of(self, snapshot: MatchSnapshot) -> int:
        """Returns the service's uptime at the newest record of a snapshot, which is stored with the match."""
        return self.context.uptime_at(self.epoch_ms + snapshot.time_ms)

    def clocks_ms(self) -> tuple[int, ...]:
        """Returns the time that each seat has left; empty without clocks and after the end."""
        now, control = self.snapshot, self.header.time_control
        if control is None or not control.has_clocks or has_ended(now.state):
            return ()
        left = now.clocks or clocks.full_clocks(control, len(now.seats))
        spent = 0 if now.decline_code != -1 else self.time_ms() - now.since_ms
        return tuple(
            clocks.left_ms(
                control, left, now.used if self.must_act(seat) else (), seat, spent if self.must_act(seat) else 0
            )
            for seat in range(len(now.seats))
        )

    def time_left_ms(self, seat: int) -> int | None:
        """Returns the milliseconds until the seat is late; None without clocks."""
        control, now = self.header.time_control, self.snapshot
        if control is not None and now.decline_code != -1 and self.must_act(seat):
            return (
                None if control.private_ms is None else clocks.private_left_ms(control, self.time_ms() - now.since_ms)
            )
        left = self.clocks_ms()
        return left[seat] if left else None

    def deadline_ms(self) -> int:
        """Returns the monotonic time at which the first seat to act will be late; NEVER if no clock runs."""
        deadline = absence.deadline_ms(self.header, self.snapshot)
        return NEVER if deadline >= NEVER else deadline + self.epoch_ms

    # -- listeners -------------------------------------------------------------------------------------------------

    def subscribe(self, listener: Listener) -> None:
        """Notify a listener of every commit from now on.

        Raises LimitReached. Spectators, seats and the host have limits of their own.
        """
        limits, viewer = self.context.limits, listener.viewer
        if viewer == SPECTATOR:
            name, limit, who = "spectators_per_match", limits.spectators_per_match, "without a token"
        else:
            name, limit, who = "streams_per_seat", limits.streams_per_seat, "with one token"
        if len(self.listeners) >= limit and sum(known.viewer == viewer for known in self.listeners) >= limit:
            raise LimitReached(name, limit, f"at most {limit} streams {who} may follow one match")
        self.listeners = (*self.listeners, listener)

    def unsubscribe(self, listener: Listener) -> None:
        """Stop notifying a listener."""
        self.listeners = tuple(known for known in self.listeners if known is not listener)

    # -- writing ---------------------------------------------------------------------------------------------------

    def draft(self) -> Draft:
        """Returns an empty draft that begins now."""
        return self._draft(self.history)

    def replay_draft(self) -> Draft:
        """Returns an empty draft on which a whole log is replayed, with a history of its own."""
        return self._draft(History(self.header, self.game, self.snapshot.game_state))

    def _draft(self, history: History) -> Draft:
        return Draft(
            self.header,
            self.game,
            history,
            self.snapshot,
            seed=self.seed,
            numbering=self.numbering,
            time_ms=self.time_ms(),
            time=self.context.time,
        )

    def load(self, draft: Draft) -> None:
        """Take over a replayed draft, with the records added to it since, into a match that nobody has used yet."""
        self.history = draft.history
        self._take_over(draft, draft.records[self.log.last_seq :])

    def commit(self, draft: Draft) -> None:
        """Take over a draft that is stored. The caller notifies the listeners."""
        before, after = self.snapshot, draft.after
        self._take_over(draft, draft.records)
        if before.state is not after.state or before.seats is not after.seats:
            self.version += 1

    def commit_move(self, snapshot: MatchSnapshot, seat: int, code: int, rolls: Sequence[int]) -> None:
        """Take over an action and the outcomes by seed that followed: :meth:`commit` for the fast path."""
        self.log.append_move(seat, code, rolls, snapshot.time_ms)
        self.decision_points.append(snapshot.seq)
        self.snapshot = snapshot
        self._keep_state()

    def _take_over(self, draft: Draft, records: Sequence[Record]) -> None:
        for record in records:
            self.history.append(record)
        self.decision_points.extend(draft.decision_points)
        self.private_decision_points.update(draft.private_decision_points)
        self.numbering.extend(draft.private_records.items())
        self.snapshot = draft.after
        self._keep_state()

    def _keep_state(self) -> None:
        if self.log.last_seq:
            # A pack that fails here fails again, and is reported, when that state is needed.
            with suppress(PackRaised), PACK_GUARD:
                self.history.keep_state(self.snapshot.game_state, self.snapshot.plies)

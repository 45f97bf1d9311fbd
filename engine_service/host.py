"""The application service: everything that can be done with matches, whatever lane of the wire asks for it.

Values of :mod:`engine_service.model` and messages of packs go in and come out; refusals are raised as
:class:`engine_service.errors.EngineError`. Nothing here knows gRPC.

One event loop, no threads: all methods belong to the loop that :meth:`MatchHost.start` was awaited on. Every write
follows one rule: plan on a copy, put it on disk, only then change what others see. A write that fails has changed
nothing.

Any call that takes a token raises TokenInvalid for one that is not of the match, any that names a match
UnknownMatch (or RulesNotLoaded, for one stored under other rules), any that writes StoreUnavailable or ShuttingDown,
any that asks the pack PackFault. Methods list only what else they raise.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, fields

from google.protobuf.message import Message

from engine_service.invitations import Invitee, Players
from engine_service.limits import Limits
from engine_service.match import LiveMatch
from engine_service.model import (
    ChanceAnswer,
    Created,
    ForkSetup,
    Joined,
    LegalPage,
    MatchInfo,
    MatchPage,
    MatchQuery,
    MatchSetup,
    Observed,
    Submitted,
    UndoAnswer,
)
from engine_service.store.base import Store
from engine_service.timing import SystemTime, TimeSource
from gamepacks.api.registry import Registry
from gamepacks.api.types import Code, Seat, Viewer
from omnilude.v1.replay_pb2 import Replay


@dataclass(slots=True)
class Stats:
    """Counters since the start, for whoever measures; plain numbers, read at any time."""

    matches_created: int = 0
    matches_ended: int = 0
    actions: int = 0
    chance_outcomes: int = 0
    bot_decisions: int = 0
    bot_failures: int = 0
    refused_actions: int = 0
    time_outs: int = 0
    pack_faults: int = 0
    store_failures: int = 0
    matches_loaded: int = 0
    matches_unloaded: int = 0


class MatchHost:
    """Hosts matches. See the module for the rules that all methods follow."""

    stats: Stats
    players: Players
    """Who is connected under a name: ``players.connect(name, key, games, invitee)`` and ``players.disconnect(...)``."""
    limits: Limits

    def __init__(
        self,
        registry: Registry,
        store: Store,
        *,
        secret: bytes,
        limits: Limits,
        engine_version: str,
        time: TimeSource | None = None,
    ) -> None:
        """``secret`` (32 bytes) keys all tokens; ``time`` is replaced in tests only."""

    async def start(self) -> None:
        """Take up unfinished matches that need the service itself: running clocks, service bots to move."""

    async def drain(self, timeout_s: float) -> None:
        """Stop taking writes (ShuttingDown), stop clocks and bots, and wait for the writes under way."""

    async def close(self) -> None:
        """drain(), end the worker processes, close the store."""

    # -- matches ---------------------------------------------------------------------------------------------------

    async def create(self, setup: MatchSetup, request_id: str = "") -> Created:
        """A new match; it starts at once where all seats are bots' (or invited players' who are connected).

        Raises UnknownGame, UnknownBot, InvalidPlayerCount, InvalidOption, InvalidPosition, InvalidField,
        MalformedMessage, LimitReached, RequestIdReused.
        """

    async def get(self, name: str) -> MatchInfo:
        """One match. ``name`` is ``matches/{id}`` everywhere."""

    async def list(self, query: MatchQuery) -> MatchPage:
        """Matches, newest first. Raises InvalidField, InvalidPageToken."""

    async def join(
        self, name: str, player: str, seat: Seat | None = None, token: str = "", request_id: str = ""
    ) -> Joined:
        """Take a seat (None: the first free one); the host's token opens one that is kept for an invited player.

        Raises SeatTaken, UnknownSeat, MatchStarted, NotAllowed, InvalidField, RequestIdReused.
        """

    async def leave(self, name: str, token: str, request_id: str = "") -> MatchInfo:
        """Give the token's seat back before the start. Raises TokenMissing, NotAllowed, MatchStarted."""

    async def start_match(self, name: str, token: str, request_id: str = "") -> MatchInfo:
        """Start a match with manual_start. Raises TokenMissing, NotAllowed, SeatsOpen, MatchStarted."""

    async def cancel(self, name: str, token: str, reason: str = "", request_id: str = "") -> MatchInfo:
        """End the match without a result. Raises TokenMissing, NotAllowed, MatchEnded, InvalidField."""

    async def observe(self, name: str, token: str = "") -> Observed:
        """The match and what the caller sees of the game (None before the start)."""

    # -- play ------------------------------------------------------------------------------------------------------

    async def legal_actions(
        self, name: str, token: str, *, typed: bool = False, page_size: int = 0, page_token: str = ""
    ) -> LegalPage:
        """The legal actions of the token's seat, none where it owes no decision.

        Raises TokenMissing, NotAllowed, MatchNotStarted, InvalidField, InvalidPageToken.
        """

    async def submit(
        self,
        name: str,
        token: str,
        move: Code | Message,
        *,
        expected_seq: int | None = None,
        validate_only: bool = False,
        request_id: str = "",
    ) -> Submitted:
        """Take an action: a code, the pack's action message, or an Any that holds one.

        Raises TokenMissing, NotAllowed, NotYourTurn, StaleSequence, ActionRefused, MalformedMessage, MatchNotStarted,
        MatchEnded, RequestIdReused.
        """

    async def resign(self, name: str, token: str, request_id: str = "") -> MatchInfo:
        """Give the match up for the token's seat. Raises TokenMissing, NotAllowed, MatchNotStarted, MatchEnded."""

    async def request_undo(
        self, name: str, token: str, to_seq: int | None = None, reason: str = "", request_id: str = ""
    ) -> UndoAnswer:
        """Ask to go back to the state after ``to_seq`` (None: before the seat's last action).

        Raises TokenMissing, NotAllowed, UndoNotAllowed, MatchNotStarted, MatchEnded, InvalidField.
        """

    async def answer_undo(
        self, name: str, token: str, accept: bool, reason: str = "", request_id: str = ""
    ) -> UndoAnswer:
        """Agree to the pending request or refuse it. Raises TokenMissing, NotAllowed, NoUndoPending, InvalidField."""

    async def supply_chance(
        self, name: str, token: str, codes: Sequence[Code], request_id: str = ""
    ) -> ChanceAnswer:
        """Outcomes for the chance nodes to come, in order; each is checked when its node comes.

        An impossible one is dropped with all behind it: with ActionRefused when its node is there now.
        Raises TokenMissing, NotAllowed, ChanceNotAwaited, ActionRefused, MatchEnded, LimitReached.
        """

    # -- copies ----------------------------------------------------------------------------------------------------

    async def fork(
        self, name: str, setup: ForkSetup, seq: int = 0, token: str = "", request_id: str = ""
    ) -> Created:
        """Copy a match up to record ``seq`` (0: from the start of play) into a new one.

        The caller has been found to be one who may create matches. Raises MatchNotEnded (secrets, and not the host),
        and as :meth:`create`; InvalidField where nothing settled stands after ``seq``.
        """

    async def get_replay(self, name: str, token: str = "") -> Replay:
        """The whole log; before the end for the host only. Raises MatchNotEnded."""

    async def import_replay(self, data: bytes) -> MatchInfo:
        """Verify the replay of an ended match and keep it under its own name.

        Raises ReplayTorn, ReplayInvalid, RulesNotLoaded, MatchExists, LimitReached.
        """

    # -- streams: authenticate once, then act on the match itself ----------------------------------------------------

    async def find(self, name: str) -> LiveMatch:
        """The match, loaded from the store where it is not in memory."""

    def peek(self, name: str) -> LiveMatch | None:
        """The match, if it is in memory."""

    def play(
        self, live: LiveMatch, seat: Seat, move: Code | Message, expected_seq: int
    ) -> Submitted | Awaitable[Submitted]:
        """:meth:`submit` for a stream that has shown the seat's token: at once where nothing has to be waited for.

        An ephemeral match that no one else is writing to answers at once, after its listeners were told; else the
        answer (or the error) comes from the awaitable. Raises as :meth:`submit`.
        """

    async def resign_seat(self, live: LiveMatch, seat: Seat) -> None:
        """:meth:`resign` for a stream. Raises MatchNotStarted, MatchEnded."""

    async def answer_undo_for(self, live: LiveMatch, seat: Seat, accept: bool, reason: str = "") -> UndoAnswer:
        """:meth:`answer_undo` for a stream. Raises NoUndoPending, InvalidField."""

    @property
    def live_count(self) -> int:
        """Matches in memory."""

"""The errors of the service, one class for each reason of ``omnilude.v1.ErrorReason``.

::

    EngineError              .reason .message .metadata .faults
    ├── InvalidRequest       what was sent is wrong, whatever the match is like
    │   ├── InvalidField  InvalidOption  InvalidPlayerCount  InvalidPosition  MalformedMessage
    │   ├── InvalidPageToken  RequestIdReused
    │   └── ReplayTorn  ReplayInvalid
    ├── NotFound
    │   └── UnknownGame  UnknownMatch  UnknownBot  UnknownSeat  UnknownHandle
    ├── AccessDenied
    │   └── TokenMissing  TokenInvalid  NotAllowed
    ├── WrongState           right at another time, or for another match
    │   ├── NotYourTurn  MatchNotStarted  MatchStarted  MatchEnded  MatchNotEnded  SeatTaken  SeatsOpen
    │   ├── StaleSequence  UndoNotAllowed  NoUndoPending  ChanceNotAwaited
    │   └── RulesNotLoaded  CardSetNotLoaded  MatchElsewhere  MatchExists  PlayerNameTaken
    ├── ActionRefused        the rules of the game say no
    ├── Exhausted
    │   └── LimitReached  SlowConsumer
    ├── Unavailable          nothing was changed; the same call may succeed later
    │   └── StoreUnavailable  ShuttingDown  SimulationLost
    └── ServerFault          ours or a pack's; the log has more under the incident id
        └── PackFault  InternalFault

Each RPC interface maps ``reason`` to its own form in one place. No message, fault or metadata of an error may hold what
the caller cannot know: no codes of others, tokens, seeds or texts of foreign exceptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Self

from cext.errors import PicklableError
from gamepacks.api.errors import Fault


class EngineError(PicklableError, Exception):
    """Root of all deliberate refusals; everything else that is raised is a defect.

    ``reason`` is the name of an ``ErrorReason`` without its prefix, ``message`` says it to a person, ``metadata`` holds
    every dynamic value of the message as text, ``faults`` names each wrong field (empty where no field is to blame).
    """

    reason: ClassVar[str]

    def __init__(self, message: str, faults: Sequence[Fault] = (), **metadata: str | int) -> None:
        super().__init__(message)
        self.message = message
        self.faults = tuple(faults)
        self.metadata = {key: str(value) for key, value in metadata.items()}


# -- what was sent is wrong ------------------------------------------------------------------------------------


class InvalidRequest(EngineError):
    """The request can never be right, whatever the match is like."""

    @classmethod
    def of(cls, *faults: Fault) -> Self:
        """The error whose message lists all faults."""
        return cls("; ".join(f"{fault.field}: {fault.message}" for fault in faults), faults)

    @classmethod
    def one(cls, field: str, message: str) -> Self:
        """The error for a single field."""
        return cls.of(Fault(field, message))


class InvalidField(InvalidRequest):
    """A field is missing, malformed or out of range."""

    reason = "INVALID_FIELD"


class InvalidOption(InvalidRequest):
    """The game has no such option, or its value is out of range."""

    reason = "INVALID_OPTION"


class InvalidPlayerCount(InvalidRequest):
    """The game is not played by so many."""

    reason = "INVALID_PLAYER_COUNT"

    def __init__(self, players: int, minimum: int, maximum: int) -> None:
        taken = str(minimum) if minimum == maximum else f"{minimum} to {maximum}"
        message = f"the game takes {taken} players, not {players}"
        super().__init__(message, (Fault("seats", message),), minimum=minimum, maximum=maximum)


class InvalidPosition(InvalidRequest):
    """The given position breaks an invariant of the game."""

    reason = "INVALID_POSITION"


class MalformedMessage(InvalidRequest):
    """An Any holds another type than the one wanted, or bytes that are no such message."""

    reason = "MALFORMED_MESSAGE"


class InvalidPageToken(InvalidRequest):
    """The page token is not one of this listing."""

    reason = "INVALID_PAGE_TOKEN"

    def __init__(self) -> None:
        message = "not a page token of this listing, or its decision is past"
        super().__init__(message, (Fault("page_token", message),))


class RequestIdReused(InvalidRequest):
    """The same request_id came with another request."""

    reason = "REQUEST_ID_REUSED"

    def __init__(self) -> None:
        message = "this request_id was used for another request"
        super().__init__(message, (Fault("request_id", message),))


class ReplayTorn(InvalidRequest):
    """The replay cannot be read: cut short, or no replay at all."""

    reason = "REPLAY_TORN"


class ReplayInvalid(InvalidRequest):
    """The replay was edited; ``seq`` is the first record that does not hold (0: the header or the whole)."""

    reason = "REPLAY_INVALID"

    def __init__(self, seq: int, message: str) -> None:
        super().__init__(f"record {seq}: {message}" if seq else message, seq=seq)
        self.seq = seq


# -- what was asked for is not here ----------------------------------------------------------------------------


class NotFound(EngineError):
    """Something that was named does not exist here."""


class UnknownGame(NotFound):
    """No such game is loaded."""

    reason = "UNKNOWN_GAME"

    def __init__(self, game: str, known: Iterable[str]) -> None:
        super().__init__(f"no game {game!r} is loaded; there are: {', '.join(known) or 'none'}", game=game)


class UnknownMatch(NotFound):
    """No such match, or an ephemeral one that was dropped."""

    reason = "UNKNOWN_MATCH"

    def __init__(self, name: str) -> None:
        super().__init__(f"no match {name!r}", match=name)


class UnknownBot(NotFound):
    """The game offers no bot of that name."""

    reason = "UNKNOWN_BOT"

    def __init__(self, game: str, bot: str, known: Iterable[str]) -> None:
        there = ", ".join(known) or "none"
        super().__init__(f"game {game!r} has no bot {bot!r}; there are: {there}", game=game, bot=bot)


class UnknownSeat(NotFound):
    """The match has no such seat."""

    reason = "UNKNOWN_SEAT"

    def __init__(self, seat: int, players: int) -> None:
        super().__init__(f"no seat {seat}: seats are 0 to {players - 1}", seat=seat)


class UnknownHandle(NotFound):
    """No state of a simulation is open under this handle."""

    reason = "UNKNOWN_HANDLE"

    def __init__(self, handle: int) -> None:
        super().__init__(f"no state is open under the handle {handle}, or its lease has ended", handle=handle)


# -- who may ---------------------------------------------------------------------------------------------------


class AccessDenied(EngineError):
    """The caller has not shown that it may do this."""


class TokenMissing(AccessDenied):
    """The call needs a token and has none."""

    reason = "TOKEN_MISSING"

    def __init__(self, needed: str) -> None:
        super().__init__(f"this needs {needed}", needed=needed)


class TokenInvalid(AccessDenied):
    """The token is not one of this match, or of this service."""

    reason = "TOKEN_INVALID"

    def __init__(self, of: str = "match") -> None:
        super().__init__(f"not a token of this {of}")


class NotAllowed(AccessDenied):
    """The token is of this match but does not allow this."""

    reason = "NOT_ALLOWED"


# -- not now ---------------------------------------------------------------------------------------------------


class WrongState(EngineError):
    """The same call could be right at another time, or on another match."""


class NotYourTurn(WrongState):
    """The seat does not owe a decision now."""

    reason = "NOT_YOUR_TURN"

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} does not owe a decision now", seat=seat)


class MatchNotStarted(WrongState):
    """The match has not started."""

    reason = "MATCH_NOT_STARTED"

    def __init__(self) -> None:
        super().__init__("the match has not started")


class MatchStarted(WrongState):
    """The match has started already."""

    reason = "MATCH_STARTED"

    def __init__(self) -> None:
        super().__init__("the match has started already")


class MatchEnded(WrongState):
    """The match has ended."""

    reason = "MATCH_ENDED"

    def __init__(self) -> None:
        super().__init__("the match has ended")


class MatchNotEnded(WrongState):
    """The request is allowed only after the end of the match, or before it only for some callers."""

    reason = "MATCH_NOT_ENDED"

    def __init__(self, what: str, *, host_may: bool = True) -> None:
        who = f"{what} is for its host only" if host_may else f"{what} is not possible: cancel it first"
        super().__init__(f"while the match goes on, {who}", what=what)


class SeatTaken(WrongState):
    """The seat is taken, or no seat is free."""

    reason = "SEAT_TAKEN"


class SeatsOpen(WrongState):
    """Seats are still open."""

    reason = "SEATS_OPEN"

    def __init__(self, seats: Sequence[int]) -> None:
        listed = ", ".join(map(str, seats))
        super().__init__(f"seats still open: {listed}", seats=listed)


class StaleSequence(WrongState):
    """Another action came first; ``seq`` is the match's newest."""

    reason = "STALE_SEQUENCE"

    def __init__(self, seq: int) -> None:
        super().__init__(f"the decision is past; the match is at {seq}", seq=seq)


class UndoNotAllowed(WrongState):
    """The match does not allow undoing, or there is nothing to undo, or not to there."""

    reason = "UNDO_NOT_ALLOWED"


class NoUndoPending(WrongState):
    """No request to undo is pending, or not the one that was answered, or the seat has none to answer or withdraw."""

    reason = "NO_UNDO_PENDING"


class ChanceNotAwaited(WrongState):
    """The match's chance does not come from the host, or no outcome is awaited."""

    reason = "CHANCE_NOT_AWAITED"


class RulesNotLoaded(WrongState):
    """Stored under rules that this service does not have."""

    reason = "RULES_NOT_LOADED"

    def __init__(self, game: str, rules_version: str) -> None:
        super().__init__(
            f"rules {rules_version!r} of game {game!r} are not loaded", game=game, rules_version=rules_version
        )


class CardSetNotLoaded(WrongState):
    """Stored under a card set that this service does not have, or has with other cards."""

    reason = "CARD_SET_NOT_LOADED"

    def __init__(self, game: str, card_set: str, digest: bytes, here: bytes | None) -> None:
        """``digest`` is that of the set it was played with, ``here`` that of the set of this id here, if any."""
        message = f"played with the card set {card_set!r} of game {game!r}, digest {_short(digest)}, which is not here"
        if here is not None:
            message += f"; the one here has the digest {_short(here)}"
        super().__init__(message, game=game, card_set=card_set, digest=digest.hex())


class MatchElsewhere(WrongState):
    """The match is not stored, and another service that shares the store has it in memory."""

    reason = "MATCH_ELSEWHERE"

    def __init__(self, match: str, address: str, url: str) -> None:
        """``address`` and ``url`` are where clients reach that service by gRPC and by HTTP; empty if it has none of its
        own."""
        where = f"at {address}" if address else "in a service that has no address of its own"
        super().__init__(f"{match} is not stored; it is {where}", match=match, address=address, url=url)


def _short(digest: bytes) -> str:
    return f"{digest.hex()[:12]}..." if digest else "none"


class MatchExists(WrongState):
    """A match of that name, or the same match under another name, is here already; ``name`` is the one that is here."""

    reason = "MATCH_EXISTS"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} is here already", match=name)


class PlayerNameTaken(WrongState):
    """The name belongs to another key, or another stream with the same key has taken it over."""

    reason = "PLAYER_NAME_TAKEN"

    def __init__(self, player: str, *, taken_over: bool = False) -> None:
        what = "was taken over by another stream with the same key" if taken_over else "belongs to another key"
        super().__init__(f"the name {player!r} {what}", player=player)


# -- the rules say no ------------------------------------------------------------------------------------------


class ActionRefused(EngineError):
    """The action (or the supplied outcome of chance) is not legal; ``pack_reason`` is a word of the pack's closed list.

    It goes only to the seat that tried (or the host that supplied).
    """

    reason = "ILLEGAL_ACTION"

    def __init__(
        self, message: str, pack_reason: str, code: int | None, details: Mapping[str, str | int] | None = None
    ) -> None:
        known: dict[str, str | int] = {**(details or {}), "pack_reason": pack_reason}
        if code is not None:
            known["code"] = code
        super().__init__(message)
        self.metadata = {key: str(value) for key, value in known.items()}
        self.pack_reason = pack_reason


# -- too much, or not now --------------------------------------------------------------------------------------


class Exhausted(EngineError):
    """More is asked than is configured to be given."""


class LimitReached(Exhausted):
    """A configured limit is reached: ``limit`` is its name in the configuration, ``value`` what it is set to.

    ``retry_ms``: when the same may go well, for a limit of what is under way; 0 where waiting alone does not help.
    """

    reason = "LIMIT_REACHED"

    def __init__(self, limit: str, value: int, message: str, retry_ms: int = 0) -> None:
        super().__init__(message, (), limit=limit, value=value)
        self.retry_ms = retry_ms


class SlowConsumer(Exhausted):
    """The reader is too slow: it can resume after ``seq``."""

    reason = "SLOW_CONSUMER"

    def __init__(self, seq: int) -> None:
        super().__init__(f"too slow; resume after {seq}", seq=seq)


class Unavailable(EngineError):
    """Nothing was changed; the same call may succeed later."""


class StoreUnavailable(Unavailable):
    """The store cannot be used now (locked, disk full)."""

    reason = "STORE_UNAVAILABLE"

    def __init__(self) -> None:
        super().__init__("the store cannot be used now; nothing was changed")


class ShuttingDown(Unavailable):
    """The service is shutting down."""

    reason = "SHUTTING_DOWN"

    def __init__(self) -> None:
        super().__init__("the service is shutting down; connect again")


class SimulationLost(Unavailable):
    """The process that held the states of a simulation has ended."""

    reason = "SIMULATION_LOST"

    def __init__(self) -> None:
        super().__init__("the process that held the states has ended; open a new stream")


# -- our faults ------------------------------------------------------------------------------------------------


class ServerFault(EngineError):
    """Not the caller's doing; ``incident`` finds more in the log."""

    def __init__(self, message: str, incident: str) -> None:
        super().__init__(message, (), incident=incident)
        self.incident = incident


class PackFault(ServerFault):
    """The pack failed inside its rules: the match ended as a server fault, or a simulation could not be done."""

    reason = "PACK_FAULT"

    def __init__(self, incident: str, consequence: str = "the match cannot go on") -> None:
        super().__init__(f"the game's rules failed; {consequence} (incident {incident})", incident)


class InternalFault(ServerFault):
    """A defect of the service."""

    reason = "INTERNAL"

    def __init__(self, incident: str) -> None:
        super().__init__(f"a defect of the service (incident {incident})", incident)

"""The errors of the service, one class for each reason of ``omnilude.v1.ErrorReason``.

::

    EngineError              .reason .message .metadata .faults
    ├── InvalidRequest       the request is wrong in any state of the match
    │   ├── InvalidField  InvalidOption  InvalidPlayerCount  InvalidPosition  MalformedMessage
    │   ├── InvalidPageToken  RequestIdReused
    │   └── ReplayMalformed  ReplayInvalid
    ├── NotFound
    │   └── UnknownGame  UnknownMatch  UnknownBot  UnknownSeat  UnknownHandle
    ├── AccessDenied
    │   └── TokenMissing  TokenInvalid  NotAllowed
    ├── WrongState           the request may succeed at another time, or for another match
    │   ├── NotYourTurn  MatchNotStarted  MatchStarted  MatchEnded  MatchNotEnded  SeatTaken  SeatsOpen
    │   ├── StaleSequence  UndoNotAllowed  NoUndoPending  ChanceNotAwaited
    │   └── RulesNotLoaded  CardSetNotLoaded  MatchElsewhere  MatchExists  PlayerNameTaken
    ├── ActionRefused        the rules of the game do not allow the action
    ├── Exhausted
    │   └── LimitReached  SlowConsumer
    ├── Unavailable          nothing was changed; the same call may succeed later
    │   └── StoreUnavailable  ShuttingDown  SimulationLost
    └── ServerFault          a defect of the service or of a pack; the log has more under the incident id
        └── PackFault  InternalFault

Each RPC interface maps ``reason`` to its own form in one place. No message, fault or metadata of an error may hold what
the caller cannot know: no codes of others, tokens, seeds or texts of foreign exceptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar, Self

from cext.errors import PicklableError
from gamepacks.api.errors import Fault

RETRY_MS = 1_000
"""Delay after which a caller may repeat a call that was refused because too many others are under way."""


class EngineError(PicklableError, Exception):
    """Base of all errors that callers get; any other exception is a defect.

    ``reason`` is the name of an ``ErrorReason`` without its prefix, ``message`` is for a person, ``metadata`` holds the
    variable values of the message as text, ``faults`` names each wrong field (empty if no field is at fault).
    """

    reason: ClassVar[str]

    def __init__(self, message: str, faults: Sequence[Fault] = (), **metadata: str | int) -> None:
        super().__init__(message)
        self.message = message
        self.faults = tuple(faults)
        self.metadata = {key: str(value) for key, value in metadata.items()}


# -- invalid requests -----------------------------------------------------------------------------------------


class InvalidRequest(EngineError):
    """The request is invalid in any state of the match."""

    @classmethod
    def of(cls, *faults: Fault) -> Self:
        """Returns the error whose message lists all faults."""
        return cls("; ".join(f"{fault.field}: {fault.message}" for fault in faults), faults)

    @classmethod
    def one(cls, field: str, message: str) -> Self:
        """Returns the error for a single field."""
        return cls.of(Fault(field, message))


class InvalidField(InvalidRequest):
    """A field is missing, malformed or out of range."""

    reason = "INVALID_FIELD"


class InvalidOption(InvalidRequest):
    """The game has no such option, or its value is out of range."""

    reason = "INVALID_OPTION"


class InvalidPlayerCount(InvalidRequest):
    """The game does not take this number of players."""

    reason = "INVALID_PLAYER_COUNT"

    def __init__(self, players: int, minimum: int, maximum: int) -> None:
        taken = str(minimum) if minimum == maximum else f"{minimum} to {maximum}"
        message = f"the game takes {taken} players, not {players}"
        super().__init__(message, (Fault("seats", message),), minimum=minimum, maximum=maximum)


class InvalidPosition(InvalidRequest):
    """The given position breaks an invariant of the game."""

    reason = "INVALID_POSITION"


class MalformedMessage(InvalidRequest):
    """An Any holds a message of another type, or bytes that cannot be parsed."""

    reason = "MALFORMED_MESSAGE"


class InvalidPageToken(InvalidRequest):
    """The page token does not belong to this list."""

    reason = "INVALID_PAGE_TOKEN"

    def __init__(self) -> None:
        message = "the page token belongs to another list or to an earlier decision"
        super().__init__(message, (Fault("page_token", message),))


class RequestIdReused(InvalidRequest):
    """The same request_id came with another request."""

    reason = "REQUEST_ID_REUSED"

    def __init__(self) -> None:
        message = "this request_id was used for another request"
        super().__init__(message, (Fault("request_id", message),))


class ReplayMalformed(InvalidRequest):
    """The replay cannot be read: it is truncated, or not a replay."""

    reason = "REPLAY_MALFORMED"


class ReplayInvalid(InvalidRequest):
    """The replay was edited; ``seq`` is the first invalid record (0: the header, or the replay as a whole)."""

    reason = "REPLAY_INVALID"

    def __init__(self, seq: int, message: str) -> None:
        super().__init__(f"record {seq}: {message}" if seq else message, seq=seq)
        self.seq = seq


# -- not found -------------------------------------------------------------------------------------------------


class NotFound(EngineError):
    """A resource that the request names does not exist here."""


class UnknownGame(NotFound):
    """No such game is loaded."""

    reason = "UNKNOWN_GAME"

    def __init__(self, game: str, known: Iterable[str]) -> None:
        super().__init__(f"no game {game!r} is loaded; loaded are: {', '.join(known) or 'none'}", game=game)


class UnknownMatch(NotFound):
    """No such match, or an ephemeral one that was dropped."""

    reason = "UNKNOWN_MATCH"

    def __init__(self, name: str) -> None:
        super().__init__(f"there is no match {name!r}", match=name)


class UnknownBot(NotFound):
    """The game offers no bot of that name."""

    reason = "UNKNOWN_BOT"

    def __init__(self, game: str, bot: str, known: Iterable[str]) -> None:
        bots = ", ".join(known) or "none"
        super().__init__(f"game {game!r} has no bot {bot!r}; its bots: {bots}", game=game, bot=bot)


class UnknownSeat(NotFound):
    """The match has no such seat."""

    reason = "UNKNOWN_SEAT"

    def __init__(self, seat: int, players: int) -> None:
        super().__init__(f"there is no seat {seat}; the seats are 0 to {players - 1}", seat=seat)


class UnknownHandle(NotFound):
    """No state of a simulation is open under this handle."""

    reason = "UNKNOWN_HANDLE"

    def __init__(self, handle: int) -> None:
        super().__init__(f"no state is open under the handle {handle}, or its lease has ended", handle=handle)


# -- access ----------------------------------------------------------------------------------------------------


class AccessDenied(EngineError):
    """The caller has not proved that it may do this."""


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


# -- state -----------------------------------------------------------------------------------------------------


class WrongState(EngineError):
    """The same call may succeed at another time, or on another match."""


class NotYourTurn(WrongState):
    """The seat is not to act now."""

    reason = "NOT_YOUR_TURN"

    def __init__(self, seat: int) -> None:
        super().__init__(f"seat {seat} is not to act now", seat=seat)


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
    """The request is allowed only after the end of the match, or until then only for its host."""

    reason = "MATCH_NOT_ENDED"

    def __init__(self, what: str, *, host_may: bool = True) -> None:
        rule = "is allowed only to its host" if host_may else "is not possible; cancel it first"
        super().__init__(f"before the match has ended, {what} {rule}", what=what)


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
    """Another action came first; ``seq`` is the newest record."""

    reason = "STALE_SEQUENCE"

    def __init__(self, seq: int) -> None:
        super().__init__(f"that decision was answered already; the newest record is {seq}", seq=seq)


class UndoNotAllowed(WrongState):
    """The match does not allow undo, there is nothing to undo, or play cannot go back to that record."""

    reason = "UNDO_NOT_ALLOWED"


class NoUndoPending(WrongState):
    """No undo request is pending that the seat could answer or withdraw, or not the one that it named."""

    reason = "NO_UNDO_PENDING"


class ChanceNotAwaited(WrongState):
    """The host does not provide the outcomes of chance in this match, or none is awaited."""

    reason = "CHANCE_NOT_AWAITED"


class RulesNotLoaded(WrongState):
    """The match was stored with rules that this service has not loaded."""

    reason = "RULES_NOT_LOADED"

    def __init__(self, game: str, rules_version: str) -> None:
        super().__init__(
            f"rules {rules_version!r} of game {game!r} are not loaded", game=game, rules_version=rules_version
        )


class CardSetNotLoaded(WrongState):
    """The match was stored with a card set that this service has not loaded, or has with other cards."""

    reason = "CARD_SET_NOT_LOADED"

    def __init__(self, game: str, card_set: str, digest: bytes, here: bytes | None) -> None:
        """``digest`` is that of the match's card set, ``here`` that of the loaded set with the same id, if any."""
        message = f"card set {card_set!r} of game {game!r} with the digest {_short(digest)} is not loaded"
        if here is not None:
            message += f"; the loaded one has the digest {_short(here)}"
        super().__init__(message, game=game, card_set=card_set, digest=digest.hex())


class MatchElsewhere(WrongState):
    """The match is ephemeral, and another service that shares the store has it in memory."""

    reason = "MATCH_ELSEWHERE"

    def __init__(self, match: str, address: str, url: str) -> None:
        """``address`` (gRPC) and ``url`` (HTTP) are those of the other service; empty if it has none of its own."""
        where = f"at {address}" if address else "by a service that has no address of its own"
        super().__init__(f"{match} is ephemeral and served {where}", match=match, address=address, url=url)


def _short(digest: bytes) -> str:
    return f"{digest.hex()[:12]}..." if digest else "none"


class MatchExists(WrongState):
    """A match of that name, or the same match under another name, exists already; ``name`` is its name here."""

    reason = "MATCH_EXISTS"

    def __init__(self, name: str) -> None:
        super().__init__(f"{name} exists already", match=name)


class PlayerNameTaken(WrongState):
    """The player's name belongs to another key, or another stream with the same key has taken it over."""

    reason = "PLAYER_NAME_TAKEN"

    def __init__(self, player: str, *, taken_over: bool = False) -> None:
        what = "was taken over by another stream with the same key" if taken_over else "belongs to another key"
        super().__init__(f"the name {player!r} {what}", player=player)


# -- illegal actions ------------------------------------------------------------------------------------------


class ActionRefused(EngineError):
    """The action (or the provided outcome of chance) is not legal; ``pack_reason`` is one of the pack's closed list.

    It goes only to the seat that submitted it (or the host that provided it).
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


# -- limits and availability -----------------------------------------------------------------------------------


class Exhausted(EngineError):
    """The request exceeds a limit of the configuration."""


class LimitReached(Exhausted):
    """A configured limit is reached: ``limit`` is its name in the configuration, ``value`` its value.

    ``retry_ms``: time after which the same call may succeed; 0 if waiting alone does not help.
    """

    reason = "LIMIT_REACHED"

    def __init__(self, limit: str, value: int, message: str, retry_ms: int = 0) -> None:
        super().__init__(message, (), limit=limit, value=value)
        self.retry_ms = retry_ms


class SlowConsumer(Exhausted):
    """The reader is too slow: it can resume after ``seq``."""

    reason = "SLOW_CONSUMER"

    def __init__(self, seq: int) -> None:
        super().__init__(f"the stream was read too slowly; resume after record {seq}", seq=seq)


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


# -- defects --------------------------------------------------------------------------------------------------


class ServerFault(EngineError):
    """A fault that the caller did not cause; ``incident`` finds more in the log."""

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
        super().__init__(f"the service failed because of a defect (incident {incident})", incident)

"""The calls of CatalogService, MatchService and the packs' services as data: one function for each RPC.

An :class:`Operation` holds the request, the conversion of the response, and whether the call may be repeated. The
transports of the synchronous and of the asyncio client make it.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from google.protobuf.message import Message

from omnilude.packs import GameInfo, WrongMessage, option_texts, pack
from omnilude.v1 import catalog_pb2, match_pb2, match_service_pb2

if TYPE_CHECKING:
    from omnilude.v1.match_pb2 import MatchPolicy, MatchState, TimeControl
    from omnilude.v1.match_service_pb2 import SeatSetup

T = TypeVar("T")
CATALOG_SERVICE = "omnilude.v1.CatalogService"
MATCH_SERVICE = "omnilude.v1.MatchService"
UPLOAD_BYTES = 1 << 20
"""Size of the parts of an uploaded replay; by default a service accepts messages of up to 4 MiB."""


@dataclass(frozen=True, slots=True)
class Operation(Generic[T]):
    """One call whose response is finite."""

    service: str
    method: str
    request: Message | Sequence[Message]
    """The request; for a client stream, all requests in order."""
    response_type: type[Message]
    read: Callable[[Any], T]
    """Converts the response, or the list of all responses of a server stream, to the result."""
    repeatable: bool
    """Whether the call may be repeated safely: it only reads, or it carries a request_id."""
    kind: Literal["unary_unary", "unary_stream", "stream_unary"] = "unary_unary"
    """Kind of the RPC, as gRPC names it."""

    @property
    def path(self) -> str:
        """The path of the method: ``/omnilude.v1.MatchService/GetMatch``."""
        return f"/{self.service}/{self.method}"


def _same(response: T) -> T:
    return response


def _request_id() -> str:
    return uuid.uuid4().hex


def _client_key() -> str:
    """Returns a random key for one request, which only repetitions of that request must carry."""
    return secrets.token_urlsafe(24)


def game_name(game: str) -> str:
    """Returns the resource name of a game: ``games/ominoes`` for ``ominoes`` or ``games/ominoes``."""
    return game if game.startswith("games/") else f"games/{game}"


def match_name(match: str) -> str:
    """Returns the resource name of a match: ``matches/abc`` for ``abc`` or ``matches/abc``."""
    return match if match.startswith("matches/") else f"matches/{match}"


# -- CatalogService --------------------------------------------------------------------------------------------------


def list_games(page_size: int = 0, page_token: str = "") -> Operation[catalog_pb2.ListGamesResponse]:
    """List one page of the games."""
    request = catalog_pb2.ListGamesRequest(page_size=page_size, page_token=page_token)
    return Operation(CATALOG_SERVICE, "ListGames", request, catalog_pb2.ListGamesResponse, _same, True)


def get_game(game: str) -> Operation[catalog_pb2.GetGameResponse]:
    """Get one game and its descriptors."""
    request = catalog_pb2.GetGameRequest(name=game_name(game))
    return Operation(CATALOG_SERVICE, "GetGame", request, catalog_pb2.GetGameResponse, _same, True)


# -- MatchService ----------------------------------------------------------------------------------------------------


def _call(method: str, request: Message, read: Callable[[Any], T], repeatable: bool = True) -> Operation[T]:
    return Operation(MATCH_SERVICE, method, request, getattr(match_service_pb2, f"{method}Response"), read, repeatable)


def create_match(
    game: str,
    seats: Iterable[SeatSetup],
    *,
    options: Mapping[str, object] | Message | None = None,
    time_control: TimeControl | None = None,
    policy: MatchPolicy | None = None,
    position: Message | None = None,
    seed: int | None = None,
    ephemeral: bool = False,
    labels: Mapping[str, str] | None = None,
) -> Operation[match_service_pb2.CreateMatchResponse]:
    """Create a match; options by name, or as the pack's options message."""
    message = isinstance(options, Message)
    request = match_service_pb2.CreateMatchRequest(
        game=game_name(game),
        seats=seats,
        options=pack(options) if isinstance(options, Message) else None,
        option_texts={} if message else option_texts(options or {}),  # type: ignore[arg-type]
        time_control=time_control,
        policy=policy,
        position=pack(position) if position is not None else None,
        seed=seed,
        ephemeral=ephemeral,
        labels=labels,
        request_id=_request_id(),
        client_key=_client_key(),
    )
    return _call("CreateMatch", request, _same)


def get_match(match: str) -> Operation[match_service_pb2.GetMatchResponse]:
    """Get the current state of a match, and the seats of disconnected players."""
    return _call("GetMatch", match_service_pb2.GetMatchRequest(name=match_name(match)), _same)


def list_matches(
    *,
    game: str = "",
    states: Iterable[MatchState] = (),
    labels: Mapping[str, str] | None = None,
    player: str = "",
    to_act: bool = False,
    imported: bool | None = None,
    page_size: int = 0,
    page_token: str = "",
) -> Operation[match_service_pb2.ListMatchesResponse]:
    """List one page of the matches, newest first; with ``to_act`` only those in which ``player`` is to act."""
    request = match_service_pb2.ListMatchesRequest(
        page_size=page_size,
        page_token=page_token,
        game=game_name(game) if game else "",
        states=states,
        labels=labels,
        player=player,
        to_act=to_act,
        imported=imported,
    )
    return _call("ListMatches", request, _same)


def join_match(
    match: str, player: str, *, seat: int | None = None, token: str = ""
) -> Operation[match_service_pb2.JoinMatchResponse]:
    """Take a seat, by default the first free one."""
    request = match_service_pb2.JoinMatchRequest(
        name=match_name(match),
        player=player,
        seat=seat,
        token=token,
        request_id=_request_id(),
        client_key=_client_key(),
    )
    return _call("JoinMatch", request, _same)


def leave_match(match: str, token: str) -> Operation[match_pb2.Match]:
    """Leave the seat before the match starts."""
    request = match_service_pb2.LeaveMatchRequest(name=match_name(match), token=token, request_id=_request_id())
    return _call("LeaveMatch", request, _match)


def start_match(match: str, token: str) -> Operation[match_pb2.Match]:
    """Start a match that was created with manual_start."""
    request = match_service_pb2.StartMatchRequest(name=match_name(match), token=token, request_id=_request_id())
    return _call("StartMatch", request, _match)


def observe_match(
    match: str, token: str = "", *, seq: int | None = None, scene: bool = False
) -> Operation[match_service_pb2.ObserveMatchResponse]:
    """Get the view of the token's holder, now or after a record; with ``scene`` also as an SVG document."""
    request = match_service_pb2.ObserveMatchRequest(name=match_name(match), token=token, seq=seq, scene=scene)
    return _call("ObserveMatch", request, _same)


def list_legal_actions(
    match: str, token: str, *, typed: bool = False, page_size: int = 0, page_token: str = ""
) -> Operation[match_service_pb2.ListLegalActionsResponse]:
    """List one page of the legal actions of the token's seat."""
    request = match_service_pb2.ListLegalActionsRequest(
        name=match_name(match), token=token, typed=typed, page_size=page_size, page_token=page_token
    )
    return _call("ListLegalActions", request, _same)


def submit_action(
    match: str, token: str, action: int | Message, *, expected_seq: int | None = None, validate_only: bool = False
) -> Operation[match_service_pb2.SubmitActionResponse]:
    """Take an action, given as its code or as the pack's action message."""
    request = match_service_pb2.SubmitActionRequest(
        name=match_name(match),
        token=token,
        expected_seq=expected_seq,
        validate_only=validate_only,
        request_id=_request_id(),
    )
    if isinstance(action, Message):
        request.typed_action.CopyFrom(pack(action))
    else:
        request.code = action
    return _call("SubmitAction", request, _same)


def watch_match(
    match: str,
    token: str = "",
    *,
    after_seq: int = 0,
    views: bool = False,
    labels: bool = False,
    sentences: bool = False,
) -> match_service_pb2.WatchMatchRequest:
    """Returns the request to watch a match after record ``after_seq``."""
    return match_service_pb2.WatchMatchRequest(
        name=match_name(match),
        token=token,
        after_seq=after_seq,
        views=views,
        labels=labels,
        sentences=sentences,
    )


def resign_match(match: str, token: str) -> Operation[match_pb2.Match]:
    """Resign the match for the token's seat."""
    request = match_service_pb2.ResignMatchRequest(name=match_name(match), token=token, request_id=_request_id())
    return _call("ResignMatch", request, _match)


def cancel_match(match: str, token: str, reason: str = "") -> Operation[match_pb2.Match]:
    """End the match without a result; with an empty token as the operator of the service."""
    request = match_service_pb2.CancelMatchRequest(
        name=match_name(match), token=token, reason=reason, request_id=_request_id()
    )
    return _call("CancelMatch", request, _match)


def delete_match(match: str) -> Operation[match_service_pb2.DeleteMatchResponse]:
    """Delete a match that has ended, as the operator of the service."""
    request = match_service_pb2.DeleteMatchRequest(name=match_name(match), request_id=_request_id())
    return _call("DeleteMatch", request, _same)


def request_undo(
    match: str, token: str, *, to_seq: int | None = None, reason: str = ""
) -> Operation[match_service_pb2.RequestUndoResponse]:
    """Request an undo to the state after record ``to_seq``, by default before the seat's last action."""
    request = match_service_pb2.RequestUndoRequest(
        name=match_name(match), token=token, to_seq=to_seq, reason=reason, request_id=_request_id()
    )
    return _call("RequestUndo", request, _same)


def answer_undo(
    match: str, token: str, request_seq: int, accept: bool, reason: str = ""
) -> Operation[match_service_pb2.AnswerUndoResponse]:
    """Accept or decline the undo request of event ``request_seq``."""
    request = match_service_pb2.AnswerUndoRequest(
        name=match_name(match),
        token=token,
        request_seq=request_seq,
        accept=accept,
        reason=reason,
        request_id=_request_id(),
    )
    return _call("AnswerUndo", request, _same)


def withdraw_undo(match: str, token: str) -> Operation[match_service_pb2.WithdrawUndoResponse]:
    """Withdraw the seat's own undo request."""
    request = match_service_pb2.WithdrawUndoRequest(name=match_name(match), token=token, request_id=_request_id())
    return _call("WithdrawUndo", request, _same)


def provide_outcomes(
    match: str, token: str, codes: Iterable[int]
) -> Operation[match_service_pb2.ProvideOutcomesResponse]:
    """Provide outcomes for the next chance nodes."""
    request = match_service_pb2.ProvideOutcomesRequest(
        name=match_name(match), token=token, codes=codes, request_id=_request_id()
    )
    return _call("ProvideOutcomes", request, _same)


def fork_match(
    match: str,
    *,
    seq: int = 0,
    seats: Iterable[SeatSetup] = (),
    time_control: TimeControl | None = None,
    policy: MatchPolicy | None = None,
    ephemeral: bool = False,
    labels: Mapping[str, str] | None = None,
    token: str = "",
) -> Operation[match_service_pb2.ForkMatchResponse]:
    """Copy a match up to a record into a new one."""
    request = match_service_pb2.ForkMatchRequest(
        name=match_name(match),
        token=token,
        seq=seq,
        seats=seats,
        time_control=time_control,
        policy=policy,
        ephemeral=ephemeral,
        labels=labels,
        request_id=_request_id(),
        client_key=_client_key(),
    )
    return _call("ForkMatch", request, _same)


def get_replay(match: str, token: str = "") -> Operation[bytes]:
    """Get the whole log, as the bytes of a replay file."""
    request = match_service_pb2.GetReplayRequest(name=match_name(match), token=token)
    return Operation(
        MATCH_SERVICE, "GetReplay", request, match_service_pb2.GetReplayResponse, _replay, True, "unary_stream"
    )


def import_replay(replay: bytes) -> Operation[match_pb2.Match]:
    """Upload a replay, which the service verifies and stores as a match."""
    requests = [
        match_service_pb2.ImportReplayRequest(data=replay[start : start + UPLOAD_BYTES])
        for start in range(0, len(replay), UPLOAD_BYTES)
    ]
    response_type = match_service_pb2.ImportReplayResponse
    return Operation(MATCH_SERVICE, "ImportReplay", requests, response_type, _match, False, "stream_unary")


# -- services of packs -----------------------------------------------------------------------------------------------


def pack_call(game: GameInfo, method: str, match: str, token: str, fields: Mapping[str, Any]) -> Operation[Message]:
    """Call one of the pack's own services about a match. Raises WrongMessage if there is no such call or field."""
    found = game.calls.get(method)
    if found is None:
        known = ", ".join(sorted(game.calls)) or "none"
        raise WrongMessage(f"the pack of {game.id} has no call {method!r}; its calls: {known}")
    try:
        request = found.request(name=match_name(match), token=token, **fields)
    except (TypeError, ValueError) as error:
        raise WrongMessage(f"{method}: {error}") from error
    return Operation(found.service, method, request, found.response, _same, True)


def _match(response: Any) -> match_pb2.Match:
    match: match_pb2.Match = response.match
    return match


def _replay(responses: Iterable[match_service_pb2.GetReplayResponse]) -> bytes:
    return b"".join(response.part.SerializeToString(deterministic=True) for response in responses)

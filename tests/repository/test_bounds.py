"""The comments of the wire contract state every limit that a client can reach, with its current value."""

from __future__ import annotations

import pytest

from engine_service.config import ServerSettings
from engine_service.hosting.replays import max_imported_records
from engine_service.limits import Limits
from engine_service.log.header import MAX_SEATS, NAME_LENGTH, PACK_MESSAGE_BYTES
from engine_service.log.replay import MAX_BYTES
from engine_service.match_enums import MatchState
from engine_service.matches import play as pack_messages
from engine_service.rpc import errors, requests, watch
from engine_service.rpc.play import channels
from engine_service.rpc.play import service as play
from engine_service.server import HARD_MESSAGE_FACTOR
from tools.rpc_docs import FILE_MESSAGES, FILE_SERVICES, MESSAGE_FIELDS, SERVICE_METHODS, read_contract

LIMITS, SERVER = Limits(), ServerSettings()
MIB = 1024 * 1024
DAY = 86_400


def _comments() -> dict[str, str]:
    """Returns every comment of omnilude.v1, by "File", "Service", "Service.Method", "Message" or "Message.field"."""
    found: dict[str, str] = {}
    for file in read_contract():
        if file.proto.package != "omnilude.v1":
            continue
        for index, service in enumerate(file.proto.service):
            found[service.name] = file.comments[FILE_SERVICES, index]
            for number, method in enumerate(service.method):
                name = f"{service.name}.{method.name}"
                found[name] = file.comments[FILE_SERVICES, index, SERVICE_METHODS, number]
        for index, message in enumerate(file.proto.message_type):
            found[message.name] = file.comments[FILE_MESSAGES, index]
            for number, field in enumerate(message.field):
                name = f"{message.name}.{field.name}"
                found[name] = file.comments[FILE_MESSAGES, index, MESSAGE_FIELDS, number]
        for enum in file.proto.enum_type:
            found[enum.name] = next(text for path, text in file.comments.items() if path == (5, 0))
    return {name: " ".join(text.split()) for name, text in found.items()}


COMMENTS = _comments()
NAMES = f"1 to {NAME_LENGTH} letters, digits"
ANY = f"at most {PACK_MESSAGE_BYTES} bytes"
CLOCK = f"{LIMITS.clock_max_ms // 1000} seconds"
REASON = f"up to {LIMITS.reason_length} characters"
PLAYER = f"1 to {LIMITS.player_name_length} characters"
STALLED = f"for {SERVER.stall_seconds:.0f} seconds ends with SLOW_CONSUMER"
MESSAGE = f"at most {SERVER.max_message_bytes // MIB} MiB"
LIST_PAGE = f"0 means {LIMITS.list_page_default}; more than {LIMITS.list_page_max} counts as {LIMITS.list_page_max}"
LEGAL_PAGE = f"0 means {LIMITS.legal_page_default}; more than {LIMITS.legal_page_max} counts as"
LABELS = (
    f"At most {LIMITS.labels} tags, keys of 1 to {LIMITS.label_key_length} and values of up to "
    f"{LIMITS.label_value_length} characters"
)


@pytest.mark.parametrize(
    ("place", "bound"),
    [
        ("MatchService", f"any text up to {LIMITS.request_id_length} characters"),
        ("MatchService", f"kept for {LIMITS.request_retention_s // DAY} days"),
        ("MatchService", f"the newest {LIMITS.ephemeral_requests}."),
        ("MatchService", f"A request has {MESSAGE}"),
        ("MatchService", f"at most {SERVER.max_request_entries} entries of repeated fields"),
        ("MatchService", f"at most {pack_messages.MAX_ENTRIES} entries in all its lists"),
        ("MatchService", f"beyond {HARD_MESSAGE_FACTOR * SERVER.max_message_bytes // MIB} MiB gRPC itself refuses"),
        ("MatchService", f"{ANY} of value"),
        ("MatchService", f"At most {SERVER.max_concurrent_rpcs} concurrent calls and streams"),
        ("MatchService", f"{SERVER.max_rpcs_per_peer} from one address"),
        ("MatchService", f"{SERVER.max_rpcs_per_connection} on one connection"),
        ("MatchService", f"{LIMITS.live_matches} matches in memory"),
        ("MatchService", f"whose log reaches {LIMITS.log_records} records is cancelled"),
        ("MatchService.WatchMatch", f"{LIMITS.spectators_per_match} streams without a token"),
        ("MatchService.WatchMatch", f"{LIMITS.streams_per_seat} streams and channels with each seat's token"),
        ("CreateMatchRequest.game", NAMES),
        ("CreateMatchRequest.seats", f"{MAX_SEATS} at most"),
        ("CreateMatchRequest.options", ANY),
        ("CreateMatchRequest.option_texts", f"At most {requests.MAX_OPTION_TEXTS}, each"),
        ("CreateMatchRequest.option_texts", f"at most {requests.OPTION_TEXT_LENGTH} characters"),
        ("CreateMatchRequest.position", ANY),
        ("CreateMatchRequest.ephemeral", f"for {LIMITS.ephemeral_retention_s} seconds after the end"),
        ("CreateMatchRequest.ephemeral", f"of the {LIMITS.ephemeral_retained} that ended last"),
        ("CreateMatchRequest.ephemeral", f"record for {LIMITS.ephemeral_idle_s} seconds"),
        ("CreateMatchRequest.labels", LABELS),
        ("SeatSetup.player", PLAYER),
        ("SeatSetup.budget", f"{LIMITS.bot_playouts_max} play-outs and {LIMITS.bot_milliseconds_max} milliseconds"),
        ("GetMatchRequest.name", NAMES),
        ("ListMatchesRequest.page_size", LIST_PAGE),
        ("ListMatchesRequest.states", f"at most {len(MatchState)}, none of them UNSPECIFIED"),
        ("ListMatchesRequest.labels", f"at most {LIMITS.labels}."),
        ("JoinMatchRequest.player", PLAYER),
        ("ListLegalActionsRequest.page_size", LEGAL_PAGE),
        ("SubmitActionRequest.typed_action", ANY),
        ("WatchMatchResponse", STALLED),
        ("WatchMatchResponse", f"({SERVER.heartbeat_seconds:.0f} s, configurable)"),
        ("WatchMatchResponse.events", f"{watch.EVENTS_PER_MESSAGE} at most"),
        ("CancelMatchRequest.reason", REASON),
        ("RequestUndoRequest.reason", REASON),
        ("AnswerUndoRequest.reason", REASON),
        ("UndoAnswer.reason", REASON),
        ("ProvideOutcomesRequest.codes", f"at most {LIMITS.queued_outcomes} queued"),
        ("ImportReplayRequest.data", f"at most {LIMITS.replay_bytes} bytes"),
        ("ImportReplayRequest.data", f"at most {max_imported_records(LIMITS)} records"),
        ("Match.seats", f"{MAX_SEATS} at most"),
        ("Match.labels", f"at most {LIMITS.labels}"),
        ("ReplayHeader.players", f"1 to {MAX_SEATS}"),
        ("TimeControl.per_move", f"at most {CLOCK}"),
        ("TimeControl.per_match", f"at most {CLOCK}"),
        ("TimeControl.increment", f"0 to {CLOCK}"),
        ("PlayService.Play", f"a request of {MESSAGE} and {SERVER.max_request_entries} entries"),
        ("PlayService.Play", f"at most {SERVER.max_stream_channels} channels on a stream"),
        ("PlayService.Play", f"{LIMITS.streams_per_seat} channels and watch streams with one seat's token"),
        ("PlayService.Play", STALLED),
        ("PlayService.Play", f"within {play.HELLO_SECONDS} seconds"),
        ("Hello.player", PLAYER),
        ("CreateMatchRequest.client_key", f"up to {LIMITS.request_id_length} characters"),
        ("Hello.player_key", f"for {LIMITS.player_name_retention_s} seconds after"),
        ("Hello.player_key", f"up to {LIMITS.request_id_length} characters"),
        ("Hello.games", NAMES),
        ("Hello.games", f"at most {play.MAX_GAMES};"),
        ("Attach.match", NAMES),
        ("Move.typed_action", ANY),
        ("Update.events", f"{channels.EVENTS_PER_REPORT} at most"),
        ("SimulationService.Simulate", f"no request has named it for {LIMITS.simulation_lease_s} seconds"),
        ("SimulationService.Simulate", f"{LIMITS.simulation_streams_per_client} streams of one client"),
        ("SimulationService.Simulate", f"{LIMITS.simulation_states} states and {LIMITS.simulation_bytes} bytes"),
        ("SimulationService.Simulate", f"{LIMITS.simulation_cpu_s} seconds of processor time"),
        ("SimulationService.Simulate", f"{LIMITS.simulation_request_s} seconds for a request"),
        ("SimulationService.Simulate", f"a response have {MESSAGE}"),
        ("GetGameRequest.name", NAMES),
        ("ListGamesRequest.page_size", LIST_PAGE),
        ("ErrorReason", f"longer than {errors.TEXT_BYTES} bytes is cut"),
        ("ErrorReason", f"at most {errors.FAULTS_BYTES} bytes"),
        ("ErrorReason", errors.MORE.format(12)),
    ],
)
def test_contract_states_the_limit(place: str, bound: str) -> None:
    assert bound in COMMENTS[place]


def test_contract_states_the_maximum_size_of_a_replay_file() -> None:
    (torn,) = (
        text
        for file in read_contract()
        for text in file.comments.values()
        if text.strip().startswith("The replay cannot be read")
    )
    assert f"{MAX_BYTES // MIB} MiB" in torn

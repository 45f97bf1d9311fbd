"""Limits of the service, with their defaults and ranges.

A call that exceeds a limit is refused with LIMIT_REACHED and the name of the field, or with INVALID_FIELD if a string
is too long.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Limits(BaseModel):
    """Section ``[limits]`` of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    live_matches: int = Field(
        20_000,
        ge=1,
        le=1_000_000,
        description="Maximum number of matches in memory: unfinished ephemeral matches and cached stored matches.",
    )
    ephemeral_retention_s: int = Field(
        600,
        ge=0,
        le=604_800,
        description="Seconds for which an ephemeral match is kept after its end, so that clients can fetch its replay.",
    )
    ephemeral_retained: int = Field(
        10_000,
        ge=0,
        le=1_000_000,
        description="Maximum number of ended ephemeral matches that are kept; the oldest are dropped first.",
    )
    ephemeral_idle_s: int = Field(
        10_800,
        ge=1,
        le=604_800,
        description="Seconds without a record or a stream after which an unfinished ephemeral match is cancelled.",
    )
    idle_unload_s: int = Field(
        300, ge=1, le=604_800, description="Seconds without use after which a stored match is evicted from memory."
    )
    spectators_per_match: int = Field(
        1_000,
        ge=1,
        le=100_000,
        description="Maximum number of concurrent streams that follow one match without a token of it.",
    )
    streams_per_seat: int = Field(
        32,
        ge=1,
        le=100_000,
        description="Maximum number of concurrent streams that follow one match with the same token, of a seat or of "
        "the host.",
    )
    queued_writes: int = Field(
        200,
        ge=1,
        le=1_000_000,
        description="Maximum number of queued writes to one match; further ones are refused with LIMIT_REACHED and may "
        "be retried.",
    )
    log_records: int = Field(
        200_000,
        ge=1_000,
        le=10_000_000,
        description="Maximum number of records of one match; a match that exceeds it is cancelled.",
    )
    queued_outcomes: int = Field(
        1_000,
        ge=1,
        le=1_000_000,
        description="Maximum number of outcomes of chance that a host may provide in advance.",
    )
    labels: int = Field(16, ge=0, le=1_000, description="Maximum number of labels of one match.")
    label_key_length: int = Field(32, ge=1, le=1_000, description="Maximum number of characters of a label's key.")
    label_value_length: int = Field(
        128, ge=1, le=10_000, description="Maximum number of characters of a label's value."
    )
    player_name_length: int = Field(64, ge=1, le=1_000, description="Maximum number of characters of a player's name.")
    player_name_retention_s: int = Field(
        60,
        ge=0,
        le=31_536_000,
        description="Seconds for which a player's name stays reserved for its key after the player has disconnected. "
        "While seats of unfinished matches are reserved for the player, the name stays reserved in any case.",
    )
    player_names_retained: int = Field(
        100_000,
        ge=0,
        le=10_000_000,
        description="Maximum number of names of disconnected players that stay reserved; the oldest are released "
        "first.",
    )
    reason_length: int = Field(
        256,
        ge=0,
        le=10_000,
        description="Maximum number of characters of the reason of an undo request, an answer or a cancellation.",
    )
    request_id_length: int = Field(
        64, ge=1, le=1_000, description="Maximum number of characters of a request_id, a client key or a player key."
    )
    request_retention_s: int = Field(
        2_592_000,
        ge=3_600,
        le=315_360_000,
        description="Seconds of the service's uptime for which the answer to a request_id is kept; after that the same "
        "request counts as a new one.",
    )
    ephemeral_requests: int = Field(
        10_000,
        ge=0,
        le=10_000_000,
        description="Maximum number of answers kept for the request_ids of ephemeral matches; the oldest are dropped "
        "first.",
    )
    clock_max_ms: int = Field(
        31_536_000_000, ge=1_000, le=315_360_000_000, description="Maximum time of a clock, in milliseconds."
    )
    private_decision_ms: int = Field(
        30_000,
        ge=1,
        le=31_536_000_000,
        description="Default time limit of a private decision in a match with clocks, in milliseconds.",
    )
    legal_page_default: int = Field(1_000, ge=1, le=100_000, description="Default number of legal actions on a page.")
    legal_page_max: int = Field(5_000, ge=1, le=1_000_000, description="Maximum number of legal actions on a page.")
    list_page_default: int = Field(50, ge=1, le=10_000, description="Default number of matches on a page.")
    list_page_max: int = Field(200, ge=1, le=10_000, description="Maximum number of matches on a page.")
    replay_bytes: int = Field(
        16_777_216,
        ge=1_024,
        le=1_073_741_824,
        description="Maximum size of a replay that is sent or imported, in bytes.",
    )
    max_lag_ms: int = Field(
        2_000,
        ge=1,
        le=3_600_000,
        description="Milliseconds for which a call may be queued when the service is overloaded; after that it is "
        "refused with LIMIT_REACHED and may be retried.",
    )
    pack_calls: int = Field(
        32, ge=1, le=10_000, description="Maximum number of calls of packs' services that are running or queued."
    )
    pack_call_timeout_s: int = Field(
        20,
        ge=1,
        le=86_400,
        description="Seconds after which a call of a pack's service is abandoned. An observer of a pack that has not "
        "returned after this time is not called again.",
    )
    rules_timeout_s: int = Field(
        20,
        ge=1,
        le=86_400,
        description="Seconds for which the rules of a pack may block the event loop; after that, their match ends as a "
        "server fault. Compiled rules cannot be interrupted, so the service exits after three times as long.",
    )
    isolated_call_ms: int = Field(
        2_000,
        ge=10,
        le=3_600_000,
        description="Milliseconds after which the process of an isolated pack is killed if a call has not returned.",
    )
    isolated_memory_mib: int = Field(
        1_024, ge=128, le=1_048_576, description="Maximum memory of one process of an isolated pack, in MiB."
    )
    imports: int = Field(4, ge=1, le=10_000, description="Maximum number of replay imports that are running or queued.")
    bot_workers: int = Field(
        1, ge=1, le=256, description="Number of processes for slow service bots, started when first needed."
    )
    bot_milliseconds: int = Field(
        1_000,
        ge=1,
        le=3_600_000,
        description="Milliseconds that a service bot has for one decision if its seat has no budget.",
    )
    bot_playouts: int = Field(
        2_000,
        ge=1,
        le=100_000_000,
        description="Play-outs that a service bot has for one decision if its seat has no budget.",
    )
    bot_milliseconds_max: int = Field(
        30_000,
        ge=1,
        le=3_600_000,
        description="Maximum number of milliseconds in the budget of a seat's service bot.",
    )
    bot_playouts_max: int = Field(
        1_000_000,
        ge=1,
        le=100_000_000,
        description="Maximum number of play-outs in the budget of a seat's service bot.",
    )
    bot_timeout_s: int = Field(
        60,
        ge=1,
        le=86_400,
        description="Seconds after which a random action replaces the decision of a service bot that has not answered.",
    )
    simulation_workers: int = Field(
        -1,
        ge=-1,
        le=256,
        description="Number of processes for simulations, started when first needed, which run at low priority. -1: "
        "one fewer than there are processors, but at least one. 0: no simulations.",
    )
    simulation_streams_per_client: int = Field(
        4,
        ge=1,
        le=10_000,
        description="Maximum number of simulation streams of one client (an IPv4 address or an IPv6 /64 network).",
    )
    simulation_states: int = Field(
        100_000, ge=1, le=100_000_000, description="Maximum number of states that one simulation stream may hold."
    )
    simulation_bytes: int = Field(
        67_108_864,
        ge=1_024,
        le=1_099_511_627_776,
        description="Maximum size of the states that one simulation stream may hold, in bytes; each state counts as "
        "the size of its position when it was opened.",
    )
    simulation_cpu_s: int = Field(
        240,
        ge=1,
        le=100_000,
        description="Maximum processor time of the simulations of one client, in seconds per minute.",
    )
    simulation_request_s: int = Field(
        10,
        ge=1,
        le=3_600,
        description="Time limit of one simulation request, in seconds. After twice as long, its process is killed, and "
        "all states in it are lost.",
    )
    simulation_lease_s: int = Field(
        600,
        ge=1,
        le=604_800,
        description="Seconds without use after which a state of a simulation is dropped.",
    )
    simulation_memory_mib: int = Field(
        2_048, ge=128, le=1_048_576, description="Maximum memory of one simulation process, in MiB."
    )

"""The limits of the service: defaults, ranges and meanings.

A call that reaches a limit is refused with LIMIT_REACHED and the field's name (or INVALID_FIELD if a text is too long).
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Limits(BaseModel):
    """Section ``[limits]`` of the configuration."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    live_matches: int = Field(
        20_000, ge=1, le=1_000_000, description="Unfinished ephemeral matches, and durable matches in memory."
    )
    ephemeral_retention_s: int = Field(
        600, ge=0, le=604_800, description="Seconds for which an ephemeral match is kept after its end for its replay."
    )
    ephemeral_retained: int = Field(
        10_000, ge=0, le=1_000_000, description="Ended ephemeral matches kept at most; the oldest go first."
    )
    ephemeral_idle_s: int = Field(
        10_800,
        ge=1,
        le=604_800,
        description="Seconds without a record or a stream after which an unfinished ephemeral match is cancelled.",
    )
    idle_unload_s: int = Field(
        300, ge=1, le=604_800, description="Seconds without use after which a stored match leaves memory."
    )
    spectators_per_match: int = Field(
        1_000, ge=1, le=100_000, description="Streams that follow one match at once without a token of it."
    )
    streams_per_seat: int = Field(
        32, ge=1, le=100_000, description="Streams that follow one match at once with one seat's token, or the host's."
    )
    queued_writes: int = Field(
        200,
        ge=1,
        le=1_000_000,
        description="Writes that wait for their turn on one match; beyond it: LIMIT_REACHED, to be tried again.",
    )
    log_records: int = Field(
        200_000, ge=1_000, le=10_000_000, description="Records of one match; one that grows beyond is cancelled."
    )
    queued_outcomes: int = Field(
        1_000, ge=1, le=1_000_000, description="Outcomes of chance that a host may supply in advance."
    )
    labels: int = Field(16, ge=0, le=1_000, description="Labels of one match.")
    label_key_length: int = Field(32, ge=1, le=1_000, description="Characters of a label's key.")
    label_value_length: int = Field(128, ge=1, le=10_000, description="Characters of a label's value.")
    player_name_length: int = Field(64, ge=1, le=1_000, description="Characters of a player's name.")
    player_name_kept_s: int = Field(
        60,
        ge=0,
        le=31_536_000,
        description="Seconds for which a player's name belongs to its key after the connection has ended; while seats "
        "of unfinished matches are kept for the player, it does in any case.",
    )
    player_names_kept: int = Field(
        100_000,
        ge=0,
        le=10_000_000,
        description="Names of players who are not connected that are kept for their keys; the oldest go first.",
    )
    reason_length: int = Field(256, ge=0, le=10_000, description="Characters of a reason given for others to read.")
    request_id_length: int = Field(64, ge=1, le=1_000, description="Characters of a request_id, and of a player key.")
    request_retention_s: int = Field(
        2_592_000,
        ge=3_600,
        le=315_360_000,
        description="Seconds of the service's running for which the answer to a request_id is kept; after that the "
        "same request is a new one.",
    )
    ephemeral_requests: int = Field(
        10_000,
        ge=0,
        le=10_000_000,
        description="Answers kept for repeated request_ids of ephemeral matches; the oldest go first.",
    )
    clock_max_ms: int = Field(
        31_536_000_000, ge=1_000, le=315_360_000_000, description="The longest clock, in milliseconds."
    )
    private_decision_ms: int = Field(
        30_000,
        ge=1,
        le=31_536_000_000,
        description="Time for a private decision where a match has clocks and does not say, in milliseconds.",
    )
    legal_page_default: int = Field(1_000, ge=1, le=100_000, description="Legal actions of a page, when not asked for.")
    legal_page_max: int = Field(5_000, ge=1, le=1_000_000, description="The most legal actions of a page.")
    list_page_default: int = Field(50, ge=1, le=10_000, description="Matches of a page, when not asked for.")
    list_page_max: int = Field(200, ge=1, le=10_000, description="The most matches of a page.")
    replay_bytes: int = Field(
        16_777_216, ge=1_024, le=1_073_741_824, description="Size of a replay that is sent or imported."
    )
    max_lag_ms: int = Field(
        2_000,
        ge=1,
        le=3_600_000,
        description="Milliseconds for which a call waits for its turn where the service is overloaded; beyond it: "
        "LIMIT_REACHED, to be tried again.",
    )
    pack_calls: int = Field(
        32, ge=1, le=10_000, description="Calls of services that packs bring, under way or waiting, at once."
    )
    pack_call_timeout_s: int = Field(
        20,
        ge=1,
        le=86_400,
        description="Seconds after which an answer of a pack's service is given up, and a pack's observer of matches "
        "that has not returned is called no more.",
    )
    rules_timeout_s: int = Field(
        20,
        ge=1,
        le=86_400,
        description="Seconds for which a pack's rules may hold the event loop; then their match ends as a server "
        "fault. Compiled rules that cannot be stopped end the service after three times as long.",
    )
    isolated_call_ms: int = Field(
        2_000,
        ge=10,
        le=3_600_000,
        description="Milliseconds for one call of the rules of an isolated pack; then its process is ended.",
    )
    isolated_memory_mib: int = Field(
        1_024, ge=128, le=1_048_576, description="Memory of one process of an isolated pack, in MiB."
    )
    imports: int = Field(4, ge=1, le=10_000, description="Replays that are taken in, or wait for it, at once.")
    bot_workers: int = Field(
        1, ge=1, le=256, description="Processes for service bots that think long, started when first needed."
    )
    bot_milliseconds: int = Field(
        1_000, ge=1, le=3_600_000, description="Time of a service bot for one decision, where its seat has no budget."
    )
    bot_playouts: int = Field(
        2_000,
        ge=1,
        le=100_000_000,
        description="Play-outs of a service bot for one decision, where its seat has no budget.",
    )
    bot_milliseconds_most: int = Field(
        30_000, ge=1, le=3_600_000, description="Most time that a seat can give its service bot for one decision."
    )
    bot_playouts_most: int = Field(
        1_000_000,
        ge=1,
        le=100_000_000,
        description="Most play-outs that a seat can give its service bot for one decision.",
    )
    bot_timeout_s: int = Field(
        60,
        ge=1,
        le=86_400,
        description="Seconds after which a bot that has not answered is replaced for this decision.",
    )
    simulation_workers: int = Field(
        -1,
        ge=-1,
        le=256,
        description="Processes for simulations, started when first needed; they take what other processes leave. "
        "-1: one for each processor but one, at least one. 0: the service does not simulate.",
    )
    simulation_streams_per_client: int = Field(
        4, ge=1, le=10_000, description="Simulation streams of one client (an address, or an IPv6 network) at once."
    )
    simulation_states: int = Field(
        100_000, ge=1, le=100_000_000, description="States that one simulation stream may hold."
    )
    simulation_bytes: int = Field(
        67_108_864,
        ge=1_024,
        le=1_099_511_627_776,
        description="Bytes of the states that one simulation stream may hold, as positions of the size that they had "
        "when they were opened.",
    )
    simulation_cpu_s: int = Field(
        240, ge=1, le=100_000, description="Seconds of processor time that simulations of one client may use a minute."
    )
    simulation_request_s: int = Field(
        10,
        ge=1,
        le=3_600,
        description="Seconds for one request of a simulation; its process is ended after twice as long, with all "
        "states in it.",
    )
    simulation_lease_s: int = Field(
        600, ge=1, le=604_800, description="Seconds after which a state of a simulation that no request names is gone."
    )
    simulation_memory_mib: int = Field(
        2_048, ge=128, le=1_048_576, description="Memory of one process for simulations, in MiB."
    )

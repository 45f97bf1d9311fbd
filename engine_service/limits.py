"""The limits of the service: defaults, ranges and meanings.

A call that reaches a limit is refused with LIMIT_REACHED and the name of the field, or with INVALID_FIELD if a text is
too long.
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
        description="Most matches in memory: unfinished ephemeral ones, and cached stored ones.",
    )
    ephemeral_retention_s: int = Field(
        600,
        ge=0,
        le=604_800,
        description="Seconds for which an ended ephemeral match is kept, so that its replay can be fetched.",
    )
    ephemeral_retained: int = Field(
        10_000,
        ge=0,
        le=1_000_000,
        description="Most ended ephemeral matches that are kept; the oldest are dropped first.",
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
        1_000, ge=1, le=100_000, description="Most concurrent streams that follow one match without a token of it."
    )
    streams_per_seat: int = Field(
        32,
        ge=1,
        le=100_000,
        description="Most concurrent streams that follow one match with the same seat's token, or the host's.",
    )
    queued_writes: int = Field(
        200,
        ge=1,
        le=1_000_000,
        description="Most queued writes to one match; beyond it: LIMIT_REACHED, which may be retried.",
    )
    log_records: int = Field(
        200_000, ge=1_000, le=10_000_000, description="Most records of one match; a match that exceeds it is cancelled."
    )
    queued_outcomes: int = Field(
        1_000, ge=1, le=1_000_000, description="Most outcomes of chance that a host may provide in advance."
    )
    labels: int = Field(16, ge=0, le=1_000, description="Most labels of one match.")
    label_key_length: int = Field(32, ge=1, le=1_000, description="Most characters of a label's key.")
    label_value_length: int = Field(128, ge=1, le=10_000, description="Most characters of a label's value.")
    player_name_length: int = Field(64, ge=1, le=1_000, description="Most characters of a player's name.")
    player_name_kept_s: int = Field(
        60,
        ge=0,
        le=31_536_000,
        description="Seconds for which a player's name stays reserved for its key after the connection has ended; "
        "while seats of unfinished matches are reserved for the player, it stays reserved in any case.",
    )
    player_names_kept: int = Field(
        100_000,
        ge=0,
        le=10_000_000,
        description="Most names of disconnected players that are reserved; the oldest are dropped first.",
    )
    reason_length: int = Field(
        256,
        ge=0,
        le=10_000,
        description="Most characters of the reason of an undo request, an answer or a cancellation.",
    )
    request_id_length: int = Field(
        64, ge=1, le=1_000, description="Most characters of a request_id, a client key or a player key."
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
        description="Most answers kept for request_ids of ephemeral matches; the oldest are dropped first.",
    )
    clock_max_ms: int = Field(
        31_536_000_000, ge=1_000, le=315_360_000_000, description="Longest time of a clock, in milliseconds."
    )
    private_decision_ms: int = Field(
        30_000,
        ge=1,
        le=31_536_000_000,
        description="Default time limit of a private decision in a match with clocks, in milliseconds.",
    )
    legal_page_default: int = Field(1_000, ge=1, le=100_000, description="Default number of legal actions of a page.")
    legal_page_max: int = Field(5_000, ge=1, le=1_000_000, description="Most legal actions of a page.")
    list_page_default: int = Field(50, ge=1, le=10_000, description="Default number of matches of a page.")
    list_page_max: int = Field(200, ge=1, le=10_000, description="Most matches of a page.")
    replay_bytes: int = Field(
        16_777_216, ge=1_024, le=1_073_741_824, description="Most bytes of a replay that is sent or imported."
    )
    max_lag_ms: int = Field(
        2_000,
        ge=1,
        le=3_600_000,
        description="Milliseconds for which a call may be queued when the service is overloaded; beyond it: "
        "LIMIT_REACHED, which may be retried.",
    )
    pack_calls: int = Field(
        32, ge=1, le=10_000, description="Most calls of services of packs that are running or queued."
    )
    pack_call_timeout_s: int = Field(
        20,
        ge=1,
        le=86_400,
        description="Seconds after which a call of a pack's service is abandoned, and an observer of a pack that has "
        "not returned is not called again.",
    )
    rules_timeout_s: int = Field(
        20,
        ge=1,
        le=86_400,
        description="Seconds for which the rules of a pack may block the event loop; after that their match ends as a "
        "server fault. Compiled rules cannot be interrupted, so they end the service after three times as long.",
    )
    isolated_call_ms: int = Field(
        2_000,
        ge=10,
        le=3_600_000,
        description="Milliseconds after which the process of an isolated pack is ended if a call has not returned.",
    )
    isolated_memory_mib: int = Field(
        1_024, ge=128, le=1_048_576, description="Most memory of one process of an isolated pack, in MiB."
    )
    imports: int = Field(4, ge=1, le=10_000, description="Most replays that are being imported or queued for it.")
    bot_workers: int = Field(
        1, ge=1, le=256, description="Number of processes for slow service bots, started when first needed."
    )
    bot_milliseconds: int = Field(
        1_000,
        ge=1,
        le=3_600_000,
        description="Milliseconds of a service bot for one decision if its seat has no budget.",
    )
    bot_playouts: int = Field(
        2_000,
        ge=1,
        le=100_000_000,
        description="Play-outs of a service bot for one decision if its seat has no budget.",
    )
    bot_milliseconds_most: int = Field(
        30_000,
        ge=1,
        le=3_600_000,
        description="Most milliseconds of the budget of a seat's service bot for one decision.",
    )
    bot_playouts_most: int = Field(
        1_000_000,
        ge=1,
        le=100_000_000,
        description="Most play-outs of the budget of a seat's service bot for one decision.",
    )
    bot_timeout_s: int = Field(
        60,
        ge=1,
        le=86_400,
        description="Seconds after which a random action replaces the decision of a bot that has not answered.",
    )
    simulation_workers: int = Field(
        -1,
        ge=-1,
        le=256,
        description="Number of processes for simulations, started when first needed, which run at low priority. "
        "-1: one less than there are processors, at least one. 0: the service does not simulate.",
    )
    simulation_streams_per_client: int = Field(
        4, ge=1, le=10_000, description="Most simulation streams of one client (an address, or an IPv6 network)."
    )
    simulation_states: int = Field(
        100_000, ge=1, le=100_000_000, description="Most states that one simulation stream may hold."
    )
    simulation_bytes: int = Field(
        67_108_864,
        ge=1_024,
        le=1_099_511_627_776,
        description="Most bytes of the states that one simulation stream may hold, each counted as the size of its "
        "position when it was opened.",
    )
    simulation_cpu_s: int = Field(
        240, ge=1, le=100_000, description="Most processor seconds per minute of the simulations of one client."
    )
    simulation_request_s: int = Field(
        10,
        ge=1,
        le=3_600,
        description="Time limit of one request of a simulation, in seconds; its process is ended after twice as long, "
        "with all states in it.",
    )
    simulation_lease_s: int = Field(
        600,
        ge=1,
        le=604_800,
        description="Seconds after which a state of a simulation that no request has named is dropped.",
    )
    simulation_memory_mib: int = Field(
        2_048, ge=128, le=1_048_576, description="Most memory of one process for simulations, in MiB."
    )

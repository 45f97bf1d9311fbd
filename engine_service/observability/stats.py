"""Counters since the start of the service."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Stats:
    """Counters, which only grow."""

    matches_created: int = 0
    matches_ended: int = 0
    matches_deleted: int = 0
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
    pack_timeouts: int = 0
    simulation_requests: int = 0
    simulation_refusals: int = 0
    simulation_steps: int = 0
    simulation_cpu_s: float = 0.0
    simulation_workers_lost: int = 0

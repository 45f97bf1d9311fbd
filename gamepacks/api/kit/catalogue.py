"""The catalogue of checks, and running all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from gamepacks.api.kit import card_sets, golden, metadata, play, scenes, secrets, speed, values
from gamepacks.api.kit.base import Check, CheckFailed, Subject

CATALOGUE: tuple[Check, ...] = (
    metadata.card,
    metadata.options,
    card_sets.cards,
    values.determinism,
    values.round_trips,
    values.clones,
    play.legal_lists,
    play.illegal_input,
    play.typed_actions,
    play.chance,
    values.explaining,
    scenes.scenes,
    secrets.noninterference,
    secrets.resampling,
    secrets.private_decisions,
    secrets.simultaneous,
    values.position_faults,
    play.termination,
    play.returns,
    golden.golden,
    speed.speed,
)
"""Every check; basic ones come first, as their failures explain later ones."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one check."""

    check: Check
    passed: bool
    note: str
    """A note on what was checked, or the failure and its place."""
    seconds: float


def run_all(subject: Subject) -> Iterator[Outcome]:
    """Run every check; one that fails does not stop the others."""
    for check in CATALOGUE:
        start = perf_counter()
        try:
            passed, note = True, check.run(subject)
        except CheckFailed as failed:
            passed, note = False, str(failed)
        yield Outcome(check, passed, note, perf_counter() - start)

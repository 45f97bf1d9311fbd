"""The conformance kit: a catalogue of checks that every pack must pass.

``omnilude pack check NAME`` runs it; :class:`ConformanceSuite` makes pytest tests of it; :func:`run_all` is for
everything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamepacks.api.kit.base import Check, CheckFailed, GameSetup, Node, Subject, Walk
from gamepacks.api.kit.catalogue import CATALOGUE, Outcome, run_all

if TYPE_CHECKING:
    from gamepacks.api.kit.suite import ConformanceSuite

__all__ = [
    "CATALOGUE",
    "Check",
    "CheckFailed",
    "ConformanceSuite",
    "GameSetup",
    "Node",
    "Outcome",
    "Subject",
    "Walk",
    "run_all",
]


def __getattr__(name: str) -> object:
    # The suite needs pytest, which only those who test have installed.
    if name == "ConformanceSuite":
        from gamepacks.api.kit.suite import ConformanceSuite

        return ConformanceSuite
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Results of a tournament, and the journal that stores them as JSON lines."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import IO, Any, Self


class Conduct(StrEnum):
    """Verdict on a bot in a match."""

    PLAYED = "played"
    """It played to the end."""
    RESIGNED = "resigned"
    LATE = "late"
    """Its clock ran out while its process was alive and connected."""
    CRASHED = "crashed"
    """Its process ended, or its code raised an exception."""
    ILLEGAL = "illegal"
    """It chose an action that was not legal."""
    ABSENT = "absent"
    """It did not connect in time."""
    DISCONNECTED = "disconnected"
    """Its clock ran out while its process was alive, but had no connection to the service."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """Result of a match."""

    encounter: int
    rotation: int
    seats: tuple[str, ...]
    """Names of the bots by seat."""
    places: tuple[int, ...]
    """Places by seat, from 1; equal places are shared."""
    returns: tuple[float, ...]
    """Returns by seat."""
    conduct: tuple[Conduct, ...]
    """Verdicts by seat."""
    match: str
    """``matches/{id}``; empty if the match could not start."""
    records: int
    seconds: float
    think_seconds: tuple[float, ...] = ()
    """Time for the decisions of each seat, from the times of the records."""
    replay: str = ""
    """Name of its replay file."""

    def scores(self) -> dict[str, float]:
        """Returns the score of each bot, from 0 to 1: the share of opponents that it beat; equal places count half."""
        others = len(self.places) - 1
        found = {}
        for bot, place in zip(self.seats, self.places, strict=True):
            beaten = sum(other > place for other in self.places)
            equal = sum(other == place for other in self.places) - 1
            found[bot] = (beaten + equal / 2) / others
        return found


@dataclass(slots=True)
class Results:
    """Results of a tournament so far."""

    by_match: dict[tuple[int, int], MatchResult] = field(default_factory=dict)
    """Results by number of the encounter and rotation."""

    def add(self, result: MatchResult) -> None:
        """Add a result. Raises ValueError if the match has one already."""
        key = result.encounter, result.rotation
        if key in self.by_match:
            raise ValueError(f"encounter {key[0]}, rotation {key[1]} has a result already")
        self.by_match[key] = result

    def of(self, encounter: int, rotations: int) -> list[MatchResult] | None:
        """Returns the results of an encounter; None if it is not complete."""
        found = [self.by_match.get((encounter, rotation)) for rotation in range(rotations)]
        return [result for result in found if result is not None] if None not in found else None

    def encounters(self, rotations: int) -> dict[int, dict[str, float]]:
        """Returns the mean score of each bot in each complete encounter."""
        scores: dict[int, dict[str, float]] = {}
        for number in {number for number, _ in self.by_match}:
            whole = self.of(number, rotations)
            if whole is not None:
                each = [result.scores() for result in whole]
                scores[number] = {bot: sum(one[bot] for one in each) / len(each) for bot in each[0]}
        return scores

    def ordered(self) -> list[MatchResult]:
        """Returns all results in the order of the schedule."""
        return [self.by_match[key] for key in sorted(self.by_match)]


class JournalError(ValueError):
    """A journal is damaged, in use, or belongs to another tournament."""


class Journal:
    """File of results: a first line with the tournament, then a line for each match.

    Each line is synchronised to disk. An incomplete last line, after a crash, is removed when the file is opened. Only
    one process can open the file at a time.
    """

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self.path = path
        self._file = file

    @classmethod
    def open(cls, path: Path, tournament: Mapping[str, Any]) -> tuple[Self, Results]:
        """Open or create the journal of a tournament, and read its results.

        Raises JournalError if it belongs to another tournament, is damaged, or is in use.
        """
        import fcntl

        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise JournalError(f"{path} is in use by another arena") from None
        try:
            results = cls._read(path, file, tournament)
        except BaseException:
            file.close()
            raise
        return cls(path, file), results

    @classmethod
    def _read(cls, path: Path, file: IO[bytes], tournament: Mapping[str, Any]) -> Results:
        file.seek(0)
        data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            file.truncate(len(whole))
        lines = whole.splitlines()
        if not lines:
            _append(file, {"tournament": tournament})
            return Results()
        head = _parse(path, 1, lines[0])
        if head.get("tournament") != json.loads(json.dumps(tournament)):
            raise JournalError(f"{path} holds results of another tournament: its file has changed; use another folder")
        return _results(path, lines[1:])

    def append(self, result: MatchResult) -> None:
        """Append a result and synchronise it to disk. Raises OSError."""
        _append(self._file, asdict(result))

    def close(self) -> None:
        """Close the file and release its lock."""
        self._file.close()


def read_journal(path: Path) -> tuple[dict[str, Any], Results]:
    """Read the tournament and the results of a journal, even while an arena writes it. Raises JournalError, OSError."""
    data = path.read_bytes()
    lines = data[: data.rfind(b"\n") + 1].splitlines()
    if not lines:
        raise JournalError(f"{path} is empty")
    return _parse(path, 1, lines[0]).get("tournament", {}), _results(path, lines[1:])


def _append(file: IO[bytes], entry: Mapping[str, Any]) -> None:
    file.write(json.dumps(entry, separators=(",", ":")).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


def _parse(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except ValueError:
        entry = None
    if not isinstance(entry, dict):
        raise JournalError(f"{path}, line {number}: no JSON object")
    return entry


def _results(path: Path, lines: Sequence[bytes]) -> Results:
    results = Results()
    for number, line in enumerate(lines, start=2):
        entry = _parse(path, number, line)
        try:
            for key in ("seats", "places", "returns", "think_seconds"):
                entry[key] = tuple(entry[key])
            entry["conduct"] = tuple(Conduct(conduct) for conduct in entry["conduct"])
            results.add(MatchResult(**entry))
        except (KeyError, TypeError, ValueError) as error:
            raise JournalError(f"{path}, line {number}: no result of a match: {error}") from None
    return results

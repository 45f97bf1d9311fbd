"""Models of a tournament file: game, format, bots, clocks, limits. The file is validated before a bot starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from omnilude.arena.schedule import Gauntlet, Knockout, Ladder, RoundRobin, Schedule, SequentialTest, Swiss
from omnilude.arena.statistics import Sprt
from omnilude.models import ServiceBot


class ConfigError(ValueError):
    """A tournament file is invalid; ``faults`` has a sentence for each fault."""

    def __init__(self, path: Path, faults: list[str]) -> None:
        super().__init__(path, faults)
        self.path = path
        self.faults = faults

    def __str__(self) -> str:
        return f"{self.path}: " + "; ".join(self.faults)


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RoundRobinFormat(_Section):
    """Each group of bots that fills the seats of a match meets ``rounds`` times."""

    kind: Literal["round-robin"]
    rounds: int = Field(1, ge=1, le=100_000, description="Encounters of each group of bots.")

    def schedule(self, bots: list[str], seats: int) -> Schedule:
        return RoundRobin(bots, seats, self.rounds)


class GauntletFormat(_Section):
    """The first bot meets all others."""

    kind: Literal["gauntlet"]
    rounds: int = Field(1, ge=1, le=100_000, description="Encounters of the first bot with each group of others.")

    def schedule(self, bots: list[str], seats: int) -> Schedule:
        return Gauntlet(bots, seats, self.rounds)


class SwissFormat(_Section):
    """Bots with equal points meet."""

    kind: Literal["swiss"]
    rounds: int = Field(ge=1, le=1000, description="Rounds.")

    def schedule(self, bots: list[str], seats: int) -> Schedule:
        return Swiss(bots, seats, self.rounds)


class KnockoutFormat(_Section):
    """The loser of each pairing is eliminated."""

    kind: Literal["knockout"]
    rounds: int = Field(1, ge=1, le=1000, description="Encounters of a pairing.")
    extra: int = Field(4, ge=0, le=1000, description="Maximum number of further encounters of a level pairing.")

    def schedule(self, bots: list[str], seats: int) -> Schedule:
        return Knockout(bots, seats, self.rounds, self.extra)


class LadderFormat(_Section):
    """Each bot challenges the one above it, from the bottom up."""

    kind: Literal["ladder"]
    rounds: int = Field(1, ge=1, le=1000, description="Passes from the bottom to the top.")

    def schedule(self, bots: list[str], seats: int) -> Schedule:
        return Ladder(bots, seats, self.rounds)


class SprtFormat(_Section):
    """Two bots meet until a sequential test of the first one's Elo difference ends."""

    kind: Literal["sprt"]
    elo0: float = Field(0.0, description="Elo difference of the hypothesis that the first bot is not better.")
    elo1: float = Field(50.0, description="Elo difference of the hypothesis that it is better.")
    alpha: float = Field(0.05, gt=0, lt=0.5, description="Probability of 'better' where elo0 is true.")
    beta: float = Field(0.05, gt=0, lt=0.5, description="Probability of 'not better' where elo1 is true.")
    max_pairs: int = Field(
        5000, ge=1, le=1_000_000, description="Maximum number of encounters, after which the test ends undecided."
    )

    def test(self) -> Sprt:
        return Sprt(self.elo0, self.elo1, self.alpha, self.beta)

    def schedule(self, bots: list[str], seats: int) -> Schedule:
        return SequentialTest(bots, seats, self.test(), self.max_pairs)


Format = Annotated[
    RoundRobinFormat | GauntletFormat | SwissFormat | KnockoutFormat | LadderFormat | SprtFormat,
    Field(discriminator="kind"),
]


class BotEntry(_Section):
    """A bot: of the service, a Python class, or any program that connects to the service."""

    name: str = Field(
        min_length=1, max_length=48, pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.+-]*$", description="Name of the bot."
    )
    service: str | None = Field(None, description="Bot of the service, and its budget: greedy, mcts:500, mcts:2s.")
    python: str | None = Field(None, description="A class: 'package.module:Class', or 'path/to/file.py:Class'.")
    command: list[str] | None = Field(
        None, min_length=1, description="Program that connects to the service, with arguments."
    )
    engine: list[str] | None = Field(
        None, min_length=1, description="Program of an engine (docs/engine-protocol.md), with arguments."
    )
    environment: dict[str, str] = Field(default_factory=dict, description="Environment variables of its process.")
    memory_mb: int | None = Field(None, ge=64, description="Maximum address space of each of its processes, in MiB.")
    processes: int | None = Field(None, ge=1, description="Maximum number of its processes; beyond it they are killed.")
    restarts: int = Field(
        3, ge=0, le=1000, description="Number of times that its process is restarted, when it ends or does not connect."
    )

    @field_validator("service")
    @classmethod
    def _budget(cls, service: str | None) -> str | None:
        if service is not None:
            ServiceBot.parse(service)
        return service

    @model_validator(mode="after")
    def _one_kind(self) -> BotEntry:
        given = [kind for kind in ("service", "python", "command", "engine") if getattr(self, kind) is not None]
        if len(given) != 1:
            raise ValueError(f"bot {self.name!r}: one of service, python, command, engine is needed, not {len(given)}")
        return self

    @property
    def has_process(self) -> bool:
        """Returns whether the arena starts a process for the bot."""
        return self.service is None


class Clock(_Section):
    """Time control in seconds; a bot whose time runs out loses."""

    per_move: float | None = Field(10.0, gt=0, description="Time for each decision.")
    per_match: float | None = Field(None, gt=0, description="Time for all decisions of a seat.")
    increment: float = Field(0.0, ge=0, description="Added to per_match after each decision.")


class Tournament(_Section):
    """Settings of a tournament."""

    game: str = Field(min_length=1, description="Id of the game, as `omnilude games` lists it.")
    options: dict[str, Any] = Field(default_factory=dict, description="Options of the game, by name.")
    seats: int = Field(2, ge=2, le=16, description="Number of players of each match.")
    format: Format
    bots: list[BotEntry] = Field(min_length=2, description="The bots, strongest first.")
    seed: int = Field(1, ge=0, lt=1 << 63, description="Seed of all outcomes of chance.")
    at_once: int = Field(
        default_factory=lambda: 2 * (os.cpu_count() or 1),
        ge=1,
        le=1000,
        description="Maximum number of simultaneous matches.",
    )
    clock: Clock = Field(default_factory=lambda: Clock())
    start_timeout: float = Field(30.0, gt=0, description="Seconds within which a bot must connect.")
    server: str | None = Field(None, description="Address of a service; by default one is started.")
    openings: Path | None = Field(None, description="File with a position message as JSON in each line.")
    ephemeral: bool = Field(True, description="Keep the matches at the service in memory only.")

    @model_validator(mode="after")
    def _playable(self) -> Tournament:
        names = [bot.name for bot in self.bots]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two bots are called {name!r}")
        self.format.schedule(names, self.seats)
        if self.clock.per_move is None and self.clock.per_match is None:
            raise ValueError(
                "clock: per_move or per_match is needed; otherwise a bot that hangs would block the tournament"
            )
        return self


def load(path: Path) -> Tournament:
    """Read a tournament file (YAML). Raises ConfigError with every fault, and OSError."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigError(path, [" ".join(str(error).split())]) from None
    if not isinstance(data, dict):
        raise ConfigError(path, ["a mapping with game, format and bots is needed"])
    try:
        return Tournament.model_validate(data)
    except ValidationError as error:
        raise ConfigError(path, sentences_of(error)) from None


def sentences_of(error: ValidationError) -> list[str]:
    """Returns a sentence for each fault."""
    return [_sentence(fault) for fault in error.errors()]


def _sentence(fault: Any) -> str:
    place = ".".join(str(part) for part in fault["loc"])
    message = fault["msg"].removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


TEMPLATE = """\
# A tournament of bots. `omnilude arena run FILE` plays it, and resumes it after an interruption.

game: ominoes              # `omnilude games` lists the games
options: {}                # options of the game, by name
seats: 2                   # players of each match
seed: 1                    # seed of all outcomes of chance; the rotations of an encounter share theirs

format:
  kind: round-robin        # or gauntlet, swiss, knockout, ladder, sprt
  rounds: 10               # encounters of each pair; an encounter is one match for each order of the seats

bots:
  - name: greedy
    service: greedy        # a bot of the service
  - name: monte-carlo
    service: monte-carlo
  # - name: mine
  #   python: my_bot.py:MyBot      # a class of the Python client
  # - name: other
  #   command: [node, bot.js]      # any program that connects to the service, by the environment variables
  #   memory_mb: 1024              # OMNILUDE_TARGET, OMNILUDE_PLAYER and OMNILUDE_PLAYER_KEY
  #   processes: 20
  #   restarts: 3
  # - name: engine
  #   engine: [./engine, --fast]   # a program that reads turns and writes moves (docs/engine-protocol.md)

clock:
  per_move: 10             # seconds; a bot whose time runs out loses

at_once: 4                 # simultaneous matches
# server: localhost:7878   # address of a running service; by default one is started for the tournament
"""

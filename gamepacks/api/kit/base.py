"""What all checks use: the game under test, its configured games, random walks, and failures with their place."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamepacks.api.errors import InvalidOptions, error_location
from gamepacks.api.game import Game
from gamepacks.api.options import OptionSpec
from gamepacks.api.types import Seat

OPENING = 6
"""Number of plies of each walk that are checked closely; roughly as many again whenever its length doubles. For setups
with a changed option it is half of that, because the rest equals the default options."""


class CheckFailed(AssertionError):
    """A pack fails a check; the message names the problem, the configured game and the place."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """A game configured for a check."""

    game: Game[Any]
    changes: Mapping[str, Any]
    """Values of the options that do not have their default."""

    @property
    def name(self) -> str:
        """``2 players, ranks=7``."""
        return ", ".join([f"{self.game.players} players", *(f"{name}={text}" for name, text in self.changes.items())])


@dataclass(frozen=True, slots=True)
class Node:
    """A state on a walk, before the walk goes on. Checks may read the state and clone it, not change it."""

    walk: Walk
    ply: int
    state: State
    actor: int
    seat: int
    """The seat that acts next on this walk; -1 at chance nodes and at the end."""
    code: int
    """The code that the walk takes next; -1 at the end."""
    sampled: bool
    """True for the nodes of a walk that costly checks use: a few dozen of several hundred."""

    @property
    def game(self) -> Game[Any]:
        return self.walk.setup.game

    @property
    def mover(self) -> Seat | None:
        """The seat as ``Game.events`` takes it: None for chance."""
        return None if self.seat < 0 else Seat(self.seat)

    def choices(self) -> list[int]:
        """The codes that may be taken next: actions of :attr:`seat`, or outcomes of chance."""
        if self.actor == CHANCE:
            return [code for code, _ in self.state.chance()]
        return [] if self.actor == TERMINAL else self.state.legal(self.seat)

    def after(self, code: int | None = None) -> State:
        """A clone in which the walk's code, or another one, has been taken."""
        state = self.state.clone()
        state.apply(self.code if code is None else code, self.seat)
        return state

    def fail(self, problem: str) -> NoReturn:
        """Fail the check here."""
        raise CheckFailed(problem)

    def require(self, holds: bool, problem: str) -> None:
        """Fail the check here unless ``holds``."""
        if not holds:
            self.fail(problem)


@dataclass(frozen=True, slots=True)
class Walk:
    """One random match, from the first state to the end or the bound on plies."""

    subject: Subject
    setup: GameSetup
    seed: int
    limit: int

    def __iter__(self) -> Iterator[Node]:
        """Yield all nodes in order; the last one is terminal unless the walk has reached its limit of plies."""
        rng = Rng(self.seed)
        sampling = rng.fork()
        self.subject.place = self.place(0)
        state = self.setup.game.initial_state()
        opening = OPENING // 2 if self.setup.changes else OPENING
        for ply in range(self.limit + 1):
            self.subject.place = self.place(ply)
            actor = state.actor()
            seat, code = _next(state, actor, rng)
            # All of the opening, then ever fewer; the end always.
            sampled = ply < opening or actor == TERMINAL or sampling.below(ply) < opening
            yield Node(self, ply, state, actor, seat, code, sampled)
            if actor == TERMINAL:
                return
            state.apply(code, seat)

    def place(self, ply: int) -> str:
        """The walk and the place in it, for messages."""
        return f"{self.setup.name}; walk seed {self.seed}, ply {ply}"


def _next(state: State, actor: int, rng: Rng) -> tuple[int, int]:
    """Returns the seat and code that the walk takes next. Raises CheckFailed if there is none."""
    if actor == TERMINAL:
        return -1, -1
    if actor == CHANCE:
        outcomes = state.chance()
        if problem := chance_problem(outcomes):
            raise CheckFailed(problem)
        return -1, rng.weighted(outcomes)
    seat = actor
    if actor == SIMULTANEOUS:
        seats_to_act = state.seats_to_act()
        if not seats_to_act:
            raise CheckFailed("actor() is SIMULTANEOUS, but no seat must act")
        seat = rng.choice([seat for seat in range(32) if seats_to_act >> seat & 1])
    legal = state.legal(seat)
    if not legal:
        raise CheckFailed(f"seat {seat} must act but has no legal action")
    return seat, rng.choice(legal)


def chance_problem(outcomes: list[tuple[int, int]]) -> str:
    """Returns the fault of a list of outcomes; empty for none."""
    if not outcomes:
        return "a chance node has no outcomes"
    for code, weight in outcomes:
        if not _is_int(code) or not 0 <= code < 1 << 31:
            return f"outcome {code!r} is not a code; it must be a whole number from 0 to 2**31 - 1"
        if not _is_int(weight) or weight < 1:
            return f"outcome {code} has the weight {weight!r}; it must be a whole number of at least 1"
    if len({code for code, _ in outcomes}) < len(outcomes):
        return f"an outcome is repeated in {outcomes}"
    if sum(weight for _, weight in outcomes) >= 1 << 32:
        return "the weights of the outcomes add up to 2**32 or more"
    return ""


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass
class Subject:
    """The game under test, and the number of random matches for each check.

    The same seed and number of games give the same checks.
    """

    game: type[Game[Any]]
    seed: int = 1
    games: int = 20
    """Random matches of each check that plays any; at least one is played with each value of each option."""
    golden: Path | None = None
    """Folder of the golden replays; None: the folder ``golden`` beside the module of the game."""
    place: str = field(default="before play", init=False)
    """The place that the check has reached, for errors of the pack."""
    _setups: list[GameSetup] = field(default_factory=list, init=False, repr=False)
    _shared_setups: list[GameSetup] = field(default_factory=list, init=False, repr=False)

    def setups(self) -> list[GameSetup]:
        """Returns setups with the default options at every player count, then with one changed option or another of the
        pack's own card sets each."""
        if not self._setups:
            card = self.game.capabilities
            counts = range(card.min_players, card.max_players + 1)
            self._setups += [GameSetup(self.game.configure(players), {}) for players in counts]
            changes = [*_changes(self.game.options_type.specs()), *self._other_card_sets()]
            for number, (name, text) in enumerate(changes):
                # Each change at one player count; if it is not valid there, at the next one where it is.
                for players in [*counts[number % len(counts) :], *counts]:
                    if (setup := self._changed(players, {name: text})) is not None:
                        self._setups.append(setup)
                        break
        return self._setups

    def shared_setups(self) -> list[GameSetup]:
        """Returns at most as many setups as there are games, if possible: the default options at every player count,
        and the changes of :meth:`setups` distributed over the others."""
        if not self._shared_setups:
            default = [setup for setup in self.setups() if not setup.changes]
            shared: deque[GameSetup] = deque()
            for setup in self.setups()[len(default) :]:
                if len(default) + len(shared) < self.games or not self._add(setup.changes, shared):
                    shared.append(setup)
            self._shared_setups = [*default, *shared]
        return self._shared_setups

    def _add(self, changes: Mapping[str, Any], shared: deque[GameSetup]) -> bool:
        """Add the changes to the first setup where they are valid, and move it to the end; False if there is none."""
        for number, setup in enumerate(shared):
            if not setup.changes.keys() & changes.keys():
                both = self._changed(setup.game.players, {**setup.changes, **changes})
                if both is not None:
                    del shared[number]
                    shared.append(both)
                    return True
        return False

    def _changed(self, players: int, changes: Mapping[str, Any]) -> GameSetup | None:
        """Returns the setup with these changes; None if they are not valid together or for the player count."""
        try:
            return GameSetup(self.game.configure(players, changes), changes)
        except InvalidOptions:
            return None

    def _other_card_sets(self) -> Iterator[tuple[str, str]]:
        """Yield the pack's own card sets that no setup uses yet."""
        played = {setup.game.card_set.id for setup in self._setups if setup.game.card_set is not None}
        own = () if self.game.card_source is None else self.game.card_source.own.ids
        return (("card_set", name) for name in own if name not in played)

    def walks(self, default: bool = False) -> Iterator[Walk]:
        """Yield random matches of the setups in turn (with ``default``: those of default options).

        If there are more setups than games, changes of options share setups.
        """
        setups = self.setups() if len(self.setups()) <= self.games else self.shared_setups()
        setups = [setup for setup in setups if not (default and setup.changes)]
        for number in range(max(self.games, len(setups))):
            yield Walk(self, setups[number % len(setups)], self.seed + number, self.game.capabilities.max_plies)

    def nodes(self) -> Iterator[Node]:
        """All nodes of all walks."""
        for walk in self.walks():
            yield from walk

    def sampled_nodes(self) -> Iterator[Node]:
        """Some nodes of all walks."""
        return (node for node in self.nodes() if node.sampled)

    def golden_folder(self) -> Path:
        """The folder of the golden replays."""
        return self.golden or Path(inspect.getfile(self.game)).parent / "golden"


def _changes(specs: list[OptionSpec]) -> Iterator[tuple[str, str]]:
    """Values other than the default, as texts, for each option that takes no list and no free text."""
    for spec in specs:
        if spec.repeated:
            continue
        if spec.kind == "bool":
            values = ["true", "false"]
        elif spec.kind == "choice":
            values = list(spec.choices)
        else:
            values = [str(bound) for bound in (spec.minimum, spec.maximum) if bound is not None]
        for value in values:
            if value != spec.default:
                yield spec.name, value


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the catalogue."""

    name: str
    proves: str
    """The property of packs that pass."""
    cost: str
    """The cost, for a game of p plies with a choices each."""
    function: Callable[[Subject], str]

    def run(self, subject: Subject) -> str:
        """Check a game; returns a note on what was checked. Raises CheckFailed."""
        subject.place = "before play"
        try:
            return self.function(subject)
        except CheckFailed as failed:
            raise CheckFailed(f"{failed} [{subject.place}]") from failed.__cause__
        except Exception as error:
            raise CheckFailed(
                f"the pack raised {type(error).__name__} at {error_location(error)}: {error} [{subject.place}]"
            ) from error


def check(name: str, cost: str) -> Callable[[Callable[[Subject], str]], Check]:
    """Decorator that makes a check of a function, whose docstring states what the check proves."""

    def make(function: Callable[[Subject], str]) -> Check:
        return Check(name, " ".join((function.__doc__ or "").split()), cost, function)

    return make


def legal_problem(codes: list[int]) -> str:
    """Returns the fault of a list of legal codes; empty for none."""
    for code in codes:
        if not _is_int(code) or not 0 <= code < 1 << 31:
            return f"legal action {code!r} is not a code; it must be a whole number from 0 to 2**31 - 1"
    return "" if len(set(codes)) == len(codes) else f"an action is repeated in the legal list {codes}"

"""The registry: finds packs, loads each in isolation from the others, and leaves broken ones out.

A pack that does not come with the engine can be loaded in a process of its own first (:mod:`gamepacks.api.load_probe`).
Each pack has a plug-in manager of its own, so that its faults (a failed import, a misspelt hook or one that raises, a
game that fails its check) affect no other pack, and a broken pack is removed completely.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, TextIO, TypeVar

import pluggy
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import Message

from gamepacks.api import hooks
from gamepacks.api.bots import LEVELS, MonteCarloBot, PackBot, RandomBot, RegretBot, TreeSearchBot
from gamepacks.api.cards import BrokenCards, CardLibrary, load_libraries
from gamepacks.api.errors import PackError, UnknownGame, error_location, is_interrupt
from gamepacks.api.game import Game
from gamepacks.api.load_probe import LoadFault, inspect_load, limit_time, probe, write_report
from gamepacks.api.options import Options
from gamepacks.api.self_check import self_check
from gamepacks.api.services import PackService, ServiceCall, calls_of
from gamepacks.api.types import CardSet

log = logging.getLogger(__name__)

T = TypeVar("T")

OWN_DISTRIBUTION = "omnilude"
"""Packs of this distribution come with the engine."""


@dataclass(frozen=True, slots=True)
class LoadedGame:
    """A game that can be played, with the pack that brings it and the bots that can play it."""

    game: type[Game[Any]]
    pack: str
    """Name of the pack's entry point."""
    distribution: str
    """The installed distribution that brings the pack; empty for a pack given as an object."""
    version: str
    """Version of that distribution; empty for a pack given as an object."""
    bots: Mapping[str, PackBot]
    """Bots by name: the general ones, the pack's own, and those that other packs bring for it."""
    services: tuple[ServiceDescriptor, ...] = ()
    """The gRPC services that look at its matches."""
    library: CardLibrary[Any] | None = None
    """Its card sets: the pack's own, and those that the operator installed; None for a game without cards."""

    @property
    def card_sets(self) -> tuple[CardSet, ...]:
        """The card sets that it can be played with; the first is the default."""
        return () if self.library is None else self.library.card_sets

    @property
    def executor(self) -> Executor | None:
        """The executor of calls that must not block the caller; None: the rules run in the calling thread, and
        quickly."""
        return None

    def configure(self, players: int, options: Mapping[str, Any] | Options | Message | None = None) -> Game[Any]:
        """Returns a configured game, with all card sets: see :meth:`gamepacks.api.game.Game.configure`."""
        if self.library is None:
            return self.game.configure(players, options)
        return self.game.configure(players, options, self.library)


@dataclass(frozen=True, slots=True)
class LoadedPack:
    """A pack that was loaded, with what it brings."""

    name: str
    distribution: str
    version: str
    games: tuple[type[Game[Any]], ...]
    bots: tuple[PackBot, ...]
    calls: tuple[ServiceCall, ...]
    """The calls of its gRPC services."""
    manager: pluggy.PluginManager = field(repr=False)
    """Calls the hooks of this pack alone."""

    @property
    def observes(self) -> bool:
        """True if the pack has the hook ``omnilude_match_event``."""
        return bool(self.manager.hook.omnilude_match_event.get_hookimpls())

    def notify_match_event(self, match: str, game: str, kind: str) -> None:
        """Call its hook ``omnilude_match_event``, if it has it. Raises whatever the pack raises."""
        self.manager.hook.omnilude_match_event(match=match, game=game, kind=kind)


@dataclass(frozen=True, slots=True)
class BrokenPack:
    """A pack that is installed but was left out."""

    pack: str
    distribution: str
    version: str
    error: str
    """Type of the error: ``ModuleNotFoundError``; or what it did to its process: ``ThreadLeft``."""
    where: str
    """Module and line that raised it: ``acme.rules:31``; "?" where that is unknown."""
    message: str

    @property
    def summary(self) -> str:
        """The error in one line, for an operator."""
        return f"{self.error} at {self.where}: {self.message}"


@dataclass(frozen=True, slots=True)
class _Source:
    """The source of a pack: its name, its distribution, and how it is imported."""

    name: str
    distribution: str
    version: str
    load: Callable[[], object]

    @classmethod
    def of_entry_point(cls, entry: EntryPoint) -> Self:
        dist = entry.dist
        return cls(entry.name, dist.name if dist else "", dist.version if dist else "", entry.load)


class Registry:
    """The games and bots of all packs that could be loaded. It has no global state."""

    def __init__(
        self, packs: Iterable[LoadedPack], broken: Iterable[BrokenPack] = (), card_sets: Iterable[Path] = ()
    ) -> None:
        self.packs: tuple[LoadedPack, ...] = tuple(packs)
        self.broken: tuple[BrokenPack, ...] = tuple(broken)
        kinds = [game for pack in self.packs for game in pack.games]
        libraries, left_out = load_libraries(
            card_sets, {kind.id: kind.card_source for kind in kinds if kind.card_source}
        )
        self.broken_cards: tuple[BrokenCards, ...] = tuple(left_out)
        self.games: Mapping[str, LoadedGame] = MappingProxyType(_games(self.packs, libraries))
        """Games by id, in order of the ids."""

    @classmethod
    def load(
        cls,
        only: Iterable[str] | None = None,
        without: Iterable[str] = (),
        extra: Iterable[object] = (),
        strict: bool = False,
        card_sets: Iterable[Path] = (),
        probe_s: float | None = None,
    ) -> Self:
        """Load the installed packs, and the pack objects in ``extra`` after them.

        ``only`` and ``without`` choose among the installed ones by the name of the entry point. ``card_sets`` are files
        and folders with further card sets. With ``strict`` a broken pack or card file is an error. Raises PackError
        then, and where ``only`` or ``without`` names no installed pack; CardFileError where a path of ``card_sets``
        leads nowhere.

        With ``probe_s`` an installed pack that does not come with the engine is loaded in a process of its own first.
        One that is not loaded there within so many seconds, ends that process, changes its signal handlers or leaves a
        thread or a process is broken, and does not come into this process.
        """
        sources = [_Source.of_entry_point(entry) for entry in entry_points(group=hooks.ENTRY_POINT_GROUP)]
        sources = _select(sources, only, frozenset(without))
        sources.sort(key=lambda source: (source.name, source.distribution))
        sources += [_Source(_object_name(pack), "", "", lambda pack=pack: pack) for pack in extra]  # type: ignore[misc]
        foreign = [(s.name, s.distribution) for s in sources if s.distribution not in ("", OWN_DISTRIBUTION)]
        faults = {} if probe_s is None else probe(foreign, probe_s)
        packs: list[LoadedPack] = []
        broken: list[BrokenPack] = []
        for source in sources:
            fault = faults.get((source.name, source.distribution))
            cause: BaseException | None = None
            if fault is None:
                try:
                    packs.append(_load(source, packs))
                    continue
                except BaseException as error:  # a pack may even call sys.exit() when it is imported
                    if is_interrupt(error):
                        raise
                    fault, cause = _load_fault(error), error
            broken.append(
                BrokenPack(source.name, source.distribution, source.version, fault.error, fault.where, fault.message)
            )
            log.warning("pack %s (%s) is left out: %s", source.name, source.distribution, broken[-1].summary)
            if strict:
                raise PackError(f"pack {source.name}: {broken[-1].summary}") from cause
        registry = cls(packs, broken, card_sets)
        for cards in registry.broken_cards:
            log.warning("card file %s is left out: %s", cards.path, cards.summary)
            if strict:
                raise PackError(f"card file {cards.path}: {cards.summary}")
        return registry

    def game(self, game_id: str) -> LoadedGame:
        """The game of that id. Raises UnknownGame."""
        loaded = self.games.get(game_id)
        if loaded is None:
            raise UnknownGame(game_id, self.games)
        return loaded


def _select(sources: list[_Source], only: Iterable[str] | None, without: frozenset[str]) -> list[_Source]:
    wanted = None if only is None else frozenset(only)
    installed = {source.name for source in sources}
    for name in sorted((wanted or frozenset()) | without):
        if name not in installed:
            raise PackError(f"no pack {name!r} is installed; installed are: {', '.join(sorted(installed)) or 'none'}")
    return [s for s in sources if s.name not in without and (wanted is None or s.name in wanted)]


def _object_name(pack: object) -> str:
    return str(getattr(pack, "__name__", type(pack).__name__))


def _load_fault(error: BaseException) -> LoadFault:
    return LoadFault(type(error).__name__, error_location(error), " ".join(str(error).split()))


def load_in_probe(name: str, distribution: str, report: str, places: str, seconds: float) -> None:
    """Main program of a probe process: load a pack and report."""
    (entry,) = (
        entry
        for entry in entry_points(group=hooks.ENTRY_POINT_GROUP, name=name)
        if entry.dist is not None and entry.dist.name == distribution
    )
    global _places
    _places = limit_time(places, seconds)
    write_report(report, inspect_load(lambda: _load(_Source.of_entry_point(entry), []), _load_fault))


_places: TextIO
"""File of a probe process, which stays open until its end."""


def _load(source: _Source, others: list[LoadedPack]) -> LoadedPack:
    for other in others:
        if other.name == source.name:
            raise PackError(f"the name is taken by the pack of {other.distribution or 'an object'}")
    manager = _manager(source.load(), source.name)
    games = tuple(_flat(manager.hook.omnilude_games(), type, "omnilude_games"))
    bots = tuple(_flat(manager.hook.omnilude_bots(), PackBot, "omnilude_bots"))
    services = _flat(manager.hook.omnilude_services(), PackService, "omnilude_services")
    for game in games:
        if not issubclass(game, Game):
            raise PackError(f"omnilude_games returned {game.__name__}, which is not a Game")
        self_check(game)
    _check_game_ids(games, others)
    _check_bots(bots, others)
    _check_levels(games, bots)
    calls = tuple(_checked_calls(services, games, others))
    return LoadedPack(source.name, source.distribution, source.version, games, bots, calls, manager)


def _manager(pack: object, pack_name: str) -> pluggy.PluginManager:
    """A plug-in manager with this pack alone, all its hooks checked against their specifications."""
    manager = pluggy.PluginManager(hooks.PROJECT)
    manager.add_hookspecs(hooks)
    manager.register(pack, name=pack_name)
    manager.check_pending()
    if not manager.get_hookcallers(pack):
        raise PackError("the pack marks no function with @hookimpl")
    for name in sorted(vars(manager.hook)):
        if callable(getattr(pack, name, None)) and not getattr(manager.hook, name).get_hookimpls():
            raise PackError(f"{name} is not marked with @hookimpl")
    return manager


def _flat(answers: Iterable[Iterable[T]], kind: type[T], hook: str) -> list[T]:
    """The answers of one pack's implementations of a hook as one list, each item checked."""
    items = [item for answer in answers for item in answer]
    for item in items:
        if not isinstance(item, kind):
            raise PackError(f"{hook} returned {item!r}, which is not a {kind.__name__}")
    return items


def _check_game_ids(games: Iterable[type[Game[Any]]], others: list[LoadedPack]) -> None:
    taken = {game.id: f"the pack {other.name}" for other in others for game in other.games}
    for game in games:
        if game.id in taken:
            raise PackError(f"the game id {game.id!r} is taken by {taken[game.id]}")
        taken[game.id] = "itself"


def _check_bots(bots: Iterable[PackBot], others: list[LoadedPack]) -> None:
    """Raise PackError if two bots of one name can play the same game."""
    taken: list[tuple[str, str | None, str]] = [(bot.name, None, "the engine") for bot in _general_bots()]
    taken += [(bot.name, bot.game_id, f"the pack {other.name}") for other in others for bot in other.bots]
    for bot in bots:
        for fact in ("name", "description"):
            text = getattr(bot, fact, None)
            if not isinstance(text, str) or not text:
                raise PackError(f"{type(bot).__name__}.{fact} is missing or not a text")
        for name, game_id, owner in taken:
            if name == bot.name and (game_id is None or bot.game_id is None or game_id == bot.game_id):
                raise PackError(f"the bot name {bot.name!r} is taken by {owner}")
        taken.append((bot.name, bot.game_id, "itself"))


def _check_levels(games: Iterable[type[Game[Any]]], bots: Iterable[PackBot]) -> None:
    """Raise PackError if the levels of a game are not the three levels, or name a bot that does not play it."""
    for game in games:
        if tuple(game.levels) != LEVELS:
            raise PackError(f"the levels of {game.id} are {', '.join(game.levels)}; they must be {', '.join(LEVELS)}")
        able = {bot.name for bot in (*_general_bots(), *bots) if _plays(bot, game)}
        for name, level in game.levels.items():
            if level.bot not in able:
                raise PackError(f"the level {name} of {game.id} names the bot {level.bot!r}, which does not play it")


def _checked_calls(
    services: Iterable[PackService], games: Iterable[type[Game[Any]]], others: list[LoadedPack]
) -> Iterable[ServiceCall]:
    own = {game.id for game in games}
    taken = {call.service.service.full_name: f"the pack {other.name}" for other in others for call in other.calls}
    for service in services:
        calls = calls_of(service)
        name = service.service.full_name
        if name in taken:
            raise PackError(f"the service {name} is taken by {taken[name]}")
        taken[name] = "itself"
        if foreign := sorted(set(service.game_ids) - own):
            raise PackError(f"the service {name} names games that are not the pack's: {', '.join(foreign)}")
        yield from calls


def _general_bots() -> tuple[PackBot, ...]:
    return (RandomBot(), MonteCarloBot(), TreeSearchBot(), RegretBot())


def _plays(bot: PackBot, game: type[Game[Any]]) -> bool:
    card = game.capabilities
    if isinstance(bot, RegretBot):
        # It needs whole lists of actions, which a continuous game does not have.
        return (card.hidden or card.simultaneous) and not card.continuous
    return bot.game_id in (None, game.id)


def _games(packs: tuple[LoadedPack, ...], libraries: Mapping[str, CardLibrary[Any]]) -> dict[str, LoadedGame]:
    bots = [*_general_bots(), *(bot for pack in packs for bot in pack.bots)]
    games: dict[str, LoadedGame] = {}
    for pack in packs:
        for game in pack.games:
            able = {bot.name: bot for bot in bots if _plays(bot, game)}
            bots_of = MappingProxyType(able)
            library = libraries.get(game.id)
            looking = [call.service.service for call in pack.calls if game.id in call.service.game_ids]
            services = tuple({service.full_name: service for service in looking}.values())
            games[game.id] = LoadedGame(game, pack.name, pack.distribution, pack.version, bots_of, services, library)
    return dict(sorted(games.items()))

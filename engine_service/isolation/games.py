"""Proxies of the games, states, bots and services of isolated packs, and the registry that holds them."""

from __future__ import annotations

import copy
import inspect
import pickle
from abc import update_abstractmethods
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar

from google.protobuf.message import Message

from cext.random import Rng
from cext.state import CHANCE, State
from engine_service.hosting.workers import pickled_libraries
from engine_service.isolation.process import PackProcess
from engine_service.isolation.worker import (
    ConfigureReply,
    GameKey,
    ProcessSettings,
    StateValues,
    StepReply,
    dump,
    find_game,
    find_state,
)
from engine_service.limits import Limits
from engine_service.pack_guard import DEFERRAL, PackPending, ProcessLost
from gamepacks.api.bots import PackBot, Turn
from gamepacks.api.errors import PackError
from gamepacks.api.game import Game
from gamepacks.api.options import Options
from gamepacks.api.registry import LoadedGame, LoadedPack, Registry
from gamepacks.api.types import CardSet, Code, Seat, Viewer

CACHED_STEPS = 4_096
"""Maximum number of cached steps of one pack; the streams of a match take the same step one after the other."""
CACHED_ANSWERS = 1_024
"""Maximum number of answers of one pack that are kept for callers that wait for them."""
DEFERRED = ("query", "step", "resample", "choose")
"""Calls that change nothing, so that an answer can be kept."""
ALL = "all"
"""Name that selects all packs."""

C = TypeVar("C", bound=type)


def _forwarding(kind: C) -> C:
    """Define the methods of Game that a proxy does not define itself: the process answers them."""
    for name, method in vars(Game).items():
        if inspect.isfunction(method) and not name.startswith("_") and name not in vars(kind):

            def forward(self: Any, *arguments: Any, _name: str = name) -> Any:
                return self.process.call("query", self, _name, arguments)

            setattr(kind, name, forward)
    update_abstractmethods(kind)
    return kind


@_forwarding
class IsolatedGame(Game[Any, Any]):
    """Proxy of a configured game. It has the class attributes of the game as its own."""

    def __init__(self, kind: type[Game[Any]], key: GameKey, card_set: CardSet | None, process: _RulesProcess) -> None:
        self.id, self.title, self.summary = kind.id, kind.title, kind.summary  # type: ignore[misc]
        self.rules_version, self.capabilities = kind.rules_version, kind.capabilities  # type: ignore[misc]
        self.options_type, self.messages = kind.options_type, kind.messages  # type: ignore[misc]
        self.card_source, self.levels = kind.card_source, kind.levels  # type: ignore[misc]
        self.players = key.players
        self.key = key
        self.process = process
        self._card_set = card_set

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IsolatedGame):
            return NotImplemented
        return self.key == other.key and self.card_set == other.card_set

    def __hash__(self) -> int:
        return hash(self.key)

    def __reduce__(self) -> tuple[Any, ...]:
        return find_game, (self.key,)

    @property
    def card_set(self) -> CardSet | None:
        """The card set in use."""
        return self._card_set

    def options_message(self) -> Message:
        """Returns the pack's options message with every option set."""
        return self.messages.options.FromString(self.key.options)

    def initial_state(self) -> State:
        """Returns the state before the first step."""
        return IsolatedState(self, self.process.call("initial_state", self.key))

    def restore(self, position: Message) -> State:
        """Returns the state of a position. Raises InvalidPosition."""
        return IsolatedState(self, self.process.call("restore", self.key, position))

    def position(self, state: Any) -> Message:
        """Returns the whole state as a message."""
        return self.messages.position.FromString(state.to_bytes())

    def knows_code(self, before: Any, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        """Returns whether the viewer may know the code."""
        knows_code = self.process.step(self.key, before, code, -1 if seat is None else seat).knows_code
        return knows_code[viewer]  # the host (-2) and a spectator (-1) are the last two


class IsolatedState(State):
    """Proxy of a state. It is a value: the process keeps nothing about it that is not in its bytes."""

    __slots__ = ("values",)

    values: StateValues

    def __init__(self, game: IsolatedGame, values: StateValues) -> None:
        self.game = game
        self.values = values

    def __reduce__(self) -> tuple[Any, ...]:
        return find_state, (self.game.key, self.values.data)

    def _query(self, method: str, *arguments: Any) -> Any:
        return self.game.process.call("query", self, method, arguments)

    def actor(self) -> int:
        """Returns the seat to act, or CHANCE, SIMULTANEOUS or TERMINAL."""
        return self.values.actor

    def seats_to_act(self) -> int:
        """Returns the bit mask of the seats to act."""
        return self.values.seats_to_act

    def legal(self, seat: int = -1) -> list[int]:
        """Returns the legal codes of a seat (-1: the actor)."""
        values = self.values
        if values.legal is None or (seat == -1 and values.actor < 0):
            legal: list[int] = self._query("legal", seat)
            return legal
        return list(values.legal.get(values.actor if seat == -1 else seat, ()))

    def chance(self) -> list[tuple[int, int]]:
        """Returns the outcomes at a chance node, with their weights."""
        return list(self.values.outcomes)

    def decline_code(self) -> int:
        """Returns the code that declines a private decision; -1 at every other node."""
        return self.values.decline_code

    def is_legal(self, code: int, seat: int = -1) -> bool:
        """Returns whether the seat may take this code now."""
        values = self.values
        if values.actor == CHANCE:
            return seat == -1 and any(code == outcome for outcome, _ in values.outcomes)
        if values.legal is None or seat == -1:
            return bool(self._query("is_legal", code, seat))
        return code in values.legal.get(seat, ())

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        """Take a code known to be legal."""
        self.values = self.game.process.step(self.game.key, self, code, seat).values

    def clone(self) -> IsolatedState:
        """Returns an equal state."""
        return IsolatedState(self.game, self.values)

    def returns(self) -> tuple[float, ...]:
        """Returns the return of each seat."""
        known = self.values.returns
        return tuple(self._query("returns")) if known is None else known

    def resample(self, viewer: int, rng: Rng) -> IsolatedState:
        """Returns another state that the viewer cannot tell from this one."""
        process: PackProcess = self.game.process
        return IsolatedState(self.game, process.call("resample", self.game.key, self, viewer, rng.bits64()))

    def to_bytes(self) -> bytes:
        """Returns the bytes of the position."""
        return self.values.data


class _RulesProcess(PackProcess):
    """The process of a pack's rules, and a cache of the newest steps that were taken there."""

    def __init__(self, name: str, settings: ProcessSettings, call_s: float) -> None:
        super().__init__(name, settings, call_s)
        self.executor = ThreadPoolExecutor(1, f"rules of pack {name}")
        """Its thread waits for the process, which answers one call at a time."""
        self._steps: OrderedDict[tuple[GameKey, bytes, int, int], StepReply] = OrderedDict()
        self._answers: OrderedDict[bytes, Future[Any]] = OrderedDict()
        """By request."""

    def call(self, method: str, *arguments: Any) -> Any:
        """See PackProcess. Raises PackPending within :func:`await_pack` while the answer is not there."""
        if not DEFERRAL.on or method not in DEFERRED:
            return super().call(method, *arguments)
        request = dump((method, arguments))
        answer = self._answers.get(request)
        if answer is None:
            try:
                answer = self.executor.submit(super().call, method, *arguments)
            except RuntimeError:
                raise ProcessLost("the service ends") from None
            self._answers[request] = answer
            if len(self._answers) > CACHED_ANSWERS:
                self._answers.popitem(last=False)
        if not answer.done():
            raise PackPending(answer)
        self._answers.move_to_end(request)
        try:
            return answer.result()
        except BaseException as error:
            del self._answers[request]
            if isinstance(error, CancelledError):
                raise ProcessLost("the service ends") from None
            raise

    def close(self) -> None:
        """End the process."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        super().close()

    def step(self, key: GameKey, before: IsolatedState, code: int, seat: int) -> StepReply:
        """Take a legal step; returns the state after it, from the cache if it was taken before."""
        step = key, before.values.data, code, seat
        known = self._steps.get(step)
        if known is None:
            known = self._steps[step] = self.call("step", key, before, code, seat)
            if len(self._steps) > CACHED_STEPS:
                self._steps.popitem(last=False)
        return known


@dataclass(frozen=True, slots=True)
class IsolatedLoadedGame(LoadedGame):
    """A loaded game that configures proxies."""

    process: _RulesProcess | None = field(default=None, repr=False)

    @property
    def executor(self) -> Executor | None:
        """The thread that waits for the process."""
        return None if self.process is None else self.process.executor

    def configure(self, players: int, options: Mapping[str, Any] | Options | Message | None = None) -> Game[Any]:
        """Configure a proxy: see :meth:`LoadedGame.configure`."""
        assert self.process is not None
        kind = pickle.dumps(self.game)
        made: ConfigureReply = self.process.call("configure", self.game.id, kind, players, options)
        key = GameKey(self.game.id, kind, players, made.options)
        return IsolatedGame(self.game, key, made.card_set, self.process)  # type: ignore[abstract]  # they are forwarded


class IsolatedBot(PackBot):
    """Proxy of a quick bot of a pack, or for an isolated game: the service does not wait for it within a write, unless
    the decision is private.

    ``process`` is the process in which it makes private decisions; None: that of the service.
    """

    def __init__(self, bot: PackBot, process: PackProcess | None) -> None:
        self._bot = bot
        self._process = process
        self.name, self.description, self.game_id = bot.name, bot.description, bot.game_id
        self.takes_budget, self.inline_private = bot.takes_budget, bot.inline or bot.inline_private

    def __reduce__(self) -> tuple[Any, ...]:
        return copy.copy, (self._bot,)

    def choose(self, turn: Turn) -> Code:
        """Returns the code that the bot chooses."""
        if self._process is None:
            return self._bot.choose(turn)
        # A random generator cannot be pickled: the process makes its own from the seed.
        sent = replace(turn, rng=None)  # type: ignore[arg-type]
        return Code(self._process.call("choose", self._bot, sent, turn.rng.bits64()))


@dataclass(frozen=True, slots=True)
class IsolatedPack(LoadedPack):
    """A pack whose observers run in its process."""

    process: PackProcess | None = field(default=None, repr=False)

    def notify_match_event(self, match: str, game: str, kind: str) -> None:
        """Call its observers. Raises what the pack raises, or ProcessLost."""
        assert self.process is not None
        self.process.call("observe", {"match": match, "game": game, "kind": kind})


class Isolation:
    """The processes of the isolated packs of one service."""

    def __init__(self, processes: Iterable[PackProcess] = ()) -> None:
        self._processes = tuple(processes)

    @property
    def processes_lost(self) -> int:
        """Number of processes that ended in a call or had to be ended."""
        return sum(process.lost for process in self._processes)

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.close()


def isolate(registry: Registry, names: Collection[str], limits: Limits) -> tuple[Registry, Isolation]:
    """Returns a registry in which the named packs ("all": every pack) are isolated, and their processes.

    Waits until the processes of their rules have started; those of their services and observers start when they are
    needed. Raises PackError if a name is not a loaded pack's, or a pack cannot be isolated.
    """
    if not names:
        return registry, Isolation()
    loaded_names = {pack.name for pack in registry.packs}
    if unknown := sorted(set(names) - loaded_names - {ALL}):
        raise PackError(f"no pack {unknown[0]!r} is loaded; loaded are: {', '.join(sorted(loaded_names)) or 'none'}")
    isolated = copy.copy(registry)
    libraries = pickled_libraries(registry)
    rules: dict[str, _RulesProcess] = {}
    packs: list[LoadedPack] = []
    processes: list[PackProcess] = []
    for pack in registry.packs:
        if ALL not in names and pack.name not in names:
            packs.append(pack)
            continue
        settings = ProcessSettings(libraries, _pickled(pack), limits.isolated_memory_mib)
        rules[pack.name] = _RulesProcess(pack.name, settings, limits.isolated_call_ms / 1000)
        services_process = PackProcess(pack.name, settings, limits.pack_call_timeout_s)
        processes += [rules[pack.name], services_process]
        calls = tuple(
            replace(call, _answer=partial(services_process.call, "answer", call._answer)) for call in pack.calls
        )
        packs.append(
            IsolatedPack(
                pack.name, pack.distribution, pack.version, pack.games, pack.bots, calls, pack.manager, services_process
            )
        )
    isolation = Isolation(processes)
    try:
        for process in rules.values():
            process.start()
    except BaseException:
        isolation.close()
        raise
    isolated.packs = tuple(packs)
    games = {name: _isolated_game(loaded, registry, rules) for name, loaded in registry.games.items()}
    isolated.games = MappingProxyType(games)
    return isolated, isolation


def _isolated_game(loaded: LoadedGame, registry: Registry, rules: Mapping[str, _RulesProcess]) -> LoadedGame:
    """Returns a game in which proxies replace what an isolated pack provides: the game itself, and quick bots.

    A quick bot gets a proxy if its pack or the pack of the game is isolated.
    """
    owners = {id(bot): pack.name for pack in registry.packs for bot in pack.bots}
    rules_process = rules.get(loaded.pack)
    bots: dict[str, PackBot] = {}
    for name, bot in loaded.bots.items():
        process = rules.get(owners.get(id(bot), ""))
        quick = bot.inline or bot.inline_private
        needs_proxy = quick and (process is not None or rules_process is not None)
        bots[name] = IsolatedBot(bot, process) if needs_proxy else bot
    values = {name: getattr(loaded, name) for name in LoadedGame.__slots__} | {"bots": MappingProxyType(bots)}
    return LoadedGame(**values) if rules_process is None else IsolatedLoadedGame(**values, process=rules_process)


def _pickled(pack: LoadedPack) -> bytes:
    """Returns the pickled data that a process of the pack needs. Raises PackError if it cannot be pickled."""
    hook = pack.manager.hook.omnilude_match_event
    observers = [(found.function, tuple(found.argnames)) for found in hook.get_hookimpls()]
    try:
        return pickle.dumps((pack.games, observers))
    except Exception as error:
        raise PackError(f"pack {pack.name} cannot be isolated: {type(error).__name__}: {error}") from error

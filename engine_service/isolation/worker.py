"""Main loop of an isolated pack's process, which answers calls of the pack's games, states, bots and services.

A request is a pickled pair, the name of a method of :class:`_Calls` and its arguments. Proxies of games and states
are pickled as calls of :func:`find_game` and :func:`find_state`, so the arguments arrive as the pack's own objects.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import socket
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from google.protobuf import descriptor_pool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from cext.random import Rng
from cext.state import State
from engine_service.hosting.workers import configured_game, initialise, limit_memory, make_game
from gamepacks.api.bots import PackBot, Turn
from gamepacks.api.errors import error_location
from gamepacks.api.game import Game
from gamepacks.api.options import Options
from gamepacks.api.services import VisibleState
from gamepacks.api.types import OMNISCIENT, SIMULTANEOUS, SPECTATOR, TERMINAL, CardSet, Code, Seat, Viewer

CACHED_STATES = 4_096
"""Maximum number of states that a process keeps; others are restored from their positions."""
OUT_OF_MEMORY = 97
"""Exit code of a process whose pack ran into a MemoryError, which may have left anything inconsistent."""


class GameKey(NamedTuple):
    """A configured game."""

    game_id: str
    kind: bytes
    """The game class, pickled."""
    players: int
    options: bytes
    """The serialised options message, every option set."""


class ConfigureReply(NamedTuple):
    """Reply to configure: the values of a configured game that its proxy needs."""

    options: bytes
    card_set: CardSet | None


class StateValues(NamedTuple):
    """Values of a state that its proxy returns without a call."""

    data: bytes
    """``to_bytes()``, from which the state can be restored."""
    actor: int
    seats_to_act: int
    decline_code: int
    legal: Mapping[int, list[int]] | None
    """Legal codes of the seats to act; None for a continuous game, whose long lists are requested by calls."""
    outcomes: list[tuple[int, int]]
    returns: tuple[float, ...] | None
    """None before the end of the game."""


class StepReply(NamedTuple):
    """The state after a step, and the viewers who may know the step's code: by seat, then host and spectator."""

    values: StateValues
    knows_code: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class ProcessSettings:
    """Settings of a process."""

    libraries: Mapping[str, bytes]
    """The pickled card sets of each game with cards."""
    pack: bytes
    """The pickled tuple of game classes and observers of the pack."""
    memory_mib: int


@dataclass(frozen=True, slots=True)
class ErrorReply:
    """The reply to a call in which the pack has raised."""

    error: bytes
    """The pickled exception; empty if it cannot be pickled."""
    kind: str
    location: str
    """Module and line in the pack."""


class _Pickler(pickle.Pickler):
    """Pickles protobuf messages by their full names: the modules of their classes need not be importable."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Message):
            return _message, (value.DESCRIPTOR.full_name, value.SerializeToString(deterministic=True))
        return NotImplemented


def _message(full_name: str, data: bytes) -> Message:
    return GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(full_name)).FromString(data)


def dump(value: object) -> bytes:
    """Pickle a request or a reply."""
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def serve(pipe: socket.socket, settings: ProcessSettings) -> None:
    """Answer calls until the service closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    initialise(settings.libraries)
    limit_memory(settings.memory_mib)
    connection = Connection(pipe.detach())
    games, observers = pickle.loads(settings.pack)  # imports the pack
    for kind in games:
        # A pack may load data at its first use; that happens now, so that it does not count against a call.
        with suppress(Exception):
            make_game(kind.id, pickle.dumps(kind), kind.capabilities.min_players, None)
    calls = _Calls(observers)
    connection.send_bytes(b"")
    while True:
        try:
            request = connection.recv_bytes()
        except EOFError:
            return
        connection.send_bytes(_reply(calls, request))


def _reply(calls: _Calls, request: bytes) -> bytes:
    try:
        method, arguments = pickle.loads(request)
        return dump(getattr(calls, method)(*arguments))
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except BaseException as error:  # the pack's: this process runs nothing else
        return dump(_raised(error))


def _raised(error: BaseException) -> ErrorReply:
    try:
        pickled = pickle.dumps(error)
        pickle.loads(pickled)
    except Exception:
        pickled = b""
    return ErrorReply(pickled, type(error).__name__, error_location(error))


_states: OrderedDict[tuple[GameKey, bytes], State] = OrderedDict()


def find_game(key: GameKey) -> Game[Any]:
    """Returns the configured game. Raises whatever the pack raises."""
    return configured_game(key.game_id, key.kind, key.players, key.options)


def find_state(key: GameKey, data: bytes) -> State:
    """Returns the cached state of these bytes, which callers must not change. Raises whatever the pack raises."""
    state = _states.get((key, data))
    if state is None:
        game = find_game(key)
        state = game.restore(game.messages.position.FromString(data))
        _remember(key, data, state)
    else:
        _states.move_to_end((key, data))
    return state


def _remember(key: GameKey, data: bytes, state: State) -> None:
    _states[key, data] = state
    if len(_states) > CACHED_STATES:
        _states.popitem(last=False)


def _values(key: GameKey, state: State) -> StateValues:
    """Cache a new state, and return its values."""
    data = state.to_bytes()
    _remember(key, data, state)
    actor = state.actor()
    seats = state.seats_to_act() if actor >= 0 or actor == SIMULTANEOUS else 0
    legal = None
    if not state.game.capabilities.continuous:
        legal = {seat: state.legal(seat) for seat in range(state.game.players) if seats >> seat & 1}
    returns = tuple(state.returns()) if actor == TERMINAL else None
    return StateValues(data, actor, seats, state.decline_code(), legal, state.chance(), returns)


class _Calls:
    """The calls that the process answers. Each raises whatever the pack raises."""

    def __init__(self, observers: list[tuple[Callable[..., object], tuple[str, ...]]]) -> None:
        self._observers = observers

    def configure(
        self, game_id: str, kind: bytes, players: int, options: Mapping[str, Any] | Options | Message | None
    ) -> ConfigureReply:
        """Configure a game; returns the values that its proxy needs."""
        if not isinstance(options, Message):
            options = make_game(game_id, kind, players, options).options_message()
        data = options.SerializeToString(deterministic=True)
        game = configured_game(game_id, kind, players, data)
        return ConfigureReply(game.options_message().SerializeToString(deterministic=True), game.card_set)

    def initial_state(self, key: GameKey) -> StateValues:
        """Returns the values of the state before the first step."""
        return _values(key, find_game(key).initial_state())

    def restore(self, key: GameKey, position: Message) -> StateValues:
        """Returns the values of the state of a position."""
        return _values(key, find_game(key).restore(position))

    def step(self, key: GameKey, before: State, code: int, seat: int) -> StepReply:
        """Take a legal action or an outcome of chance; returns the values of the state after it."""
        after = before.clone()
        after.apply_unchecked(code, seat)
        game, by = before.game, None if seat == -1 else Seat(seat)
        viewers = [*map(Viewer, range(game.players)), OMNISCIENT, SPECTATOR]
        knows_code = tuple(game.knows_code(before, by, Code(code), viewer) for viewer in viewers)
        return StepReply(_values(key, after), knows_code)

    def resample(self, key: GameKey, state: State, viewer: int, seed: int) -> StateValues:
        """Returns the values of another state that the viewer cannot tell from this one."""
        return _values(key, state.resample(viewer, Rng(seed)))

    def query(self, target: Game[Any] | State, method: str, arguments: tuple[Any, ...]) -> Any:
        """Returns the result of a method of a game or of a state that changes nothing."""
        return getattr(target, method)(*arguments)

    def choose(self, bot: PackBot, turn: Turn, seed: int) -> int:
        """Returns the code that a bot chooses."""
        return int(bot.choose(replace(turn, state=turn.state.clone(), rng=Rng(seed))))

    def answer(self, method: Callable[[Message, VisibleState], Any], request: Message, visible: VisibleState) -> Any:
        """Returns the answer of a service of the pack."""
        return method(request, replace(visible, state=visible.state.clone()))

    def observe(self, event: Mapping[str, str]) -> None:
        """Notify the pack's observers of a match's start or end."""
        for observer, names in self._observers:
            observer(**{name: event[name] for name in names})

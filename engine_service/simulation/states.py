"""States of one stream in a worker process, and the operations on them.

A request works on copies of the states that it changes. The copies replace the states when the whole request has
succeeded, so a refused request has changed nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import DecodeError

from cext.code_lists import CodeLists
from cext.playout import playouts, yield_if_due
from cext.random import Rng
from cext.state import State
from engine_service.errors import (
    ActionRefused,
    EngineError,
    InvalidField,
    LimitReached,
    MalformedMessage,
    NotYourTurn,
    ReplayInvalid,
    UnknownHandle,
)
from engine_service.hosting.workers import configured_game
from engine_service.log.header import Header, state_at_start
from engine_service.log.history import History
from engine_service.log.replay import read, records_of
from gamepacks.api.bots import flat_search, tree_search
from gamepacks.api.errors import IllegalAction
from gamepacks.api.game import Game
from gamepacks.api.types import CHANCE, OMNISCIENT, SIMULTANEOUS, SPECTATOR, Viewer
from omnilude.v1 import simulation_service_pb2 as pb

CHECK_TIME_EVERY = 64
"""Number of entries of an operation after which the time is checked."""
PLAYOUTS_AT_ONCE = 8
"""Number of play-outs after which the time is checked."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StateSource:
    """A state to open, with everything that a worker process needs for it."""

    handle: int
    game_id: str
    game: bytes
    """The game class, pickled."""
    players: int
    options: bytes
    position: bytes | None = None
    """The position message; None: the initial state."""
    replay: bytes = b""
    """A replay file: the state is the one after its record ``seq``."""
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Quota:
    """Limits of one stream."""

    states: int
    bytes: int
    request_s: int


class RefusedRequest(Exception):
    """A request is refused; ``field`` is the path of its invalid part, empty if there is none."""

    def __init__(self, error: EngineError, field: str) -> None:
        super().__init__(error, field)
        self.error = error
        self.field = field


class RequestTimeout(Exception):
    """A request has exceeded its time limit."""


class Simulation:
    """The open states of one stream."""

    def __init__(self, quota: Quota) -> None:
        self.quota = quota
        self.states: dict[int, State] = {}
        self.sizes: dict[int, int] = {}
        """Bytes of each state: the size of its position when it was opened."""
        self.bytes = 0
        self._used_at: dict[int, float] = {}

    def run(self, sources: Sequence[StateSource], data: bytes, response_bytes: int) -> tuple[bytes, int]:
        """Run a serialised SimulateRequest whose ``opens`` are ``sources``; ``response_bytes`` bounds its results.

        Returns the serialised results and the number of steps that were taken. Raises RefusedRequest, and whatever a
        pack raises; then nothing has changed.
        """
        try:
            request = pb.SimulateRequest.FromString(data)
        except DecodeError:
            error = MalformedMessage("the request cannot be parsed as a message of its type")
            raise RefusedRequest(error, "") from None
        if len(request.opens) != len(sources):
            raise RefusedRequest(MalformedMessage("opens must come before operations in the request's bytes"), "opens")
        run = _Run(self, time.monotonic() + self.quota.request_s)
        response = pb.SimulateResponse()
        for number, source in enumerate(sources):
            run.place = f"opens[{number}]"
            run.checked(lambda source=source: run.open(source))  # type: ignore[misc]
        for number, operation in enumerate(request.operations):
            kind = operation.WhichOneof("operation")
            run.place = f"operations[{number}]"
            if kind is None:
                raise RefusedRequest(InvalidField.one(run.place, "an operation must be set"), run.place)
            run.place += f".{kind}"
            result = response.results.add()
            run.checked(lambda: run.operations[kind](getattr(operation, kind), result))  # noqa: B023
        answer = response.SerializeToString()
        if len(answer) > response_bytes:
            message = f"the results have {len(answer)} bytes; the limit is {response_bytes}: split the request"
            raise RefusedRequest(LimitReached("server.max_message_bytes", response_bytes, message), "")
        self._commit(run)
        return answer, run.steps

    def _commit(self, run: _Run) -> None:
        now = time.monotonic()
        self.states.update(run.changed)
        self.sizes.update(run.sizes)
        self.bytes = run.bytes
        for handles in run.used:
            self._used_at.update(dict.fromkeys(handles, now))
        if run.released:
            for handle in [handle for handle, state in run.changed.items() if state is None]:
                self._forget(handle)

    def expire(self, lease_s: float) -> None:
        """Drop the states that have not been used for ``lease_s`` seconds."""
        before = time.monotonic() - lease_s
        for handle in [handle for handle, used_at in self._used_at.items() if used_at < before]:
            self.bytes -= self.sizes[handle]
            self._forget(handle)

    def _forget(self, handle: int) -> None:
        self.states.pop(handle, None)
        self.sizes.pop(handle, None)
        self._used_at.pop(handle, None)


class _Run:
    """One request under way."""

    def __init__(self, simulation: Simulation, deadline: float) -> None:
        self._open = simulation.states
        self._open_sizes = simulation.sizes
        self._quota = simulation.quota
        self._deadline = deadline
        self.changed: dict[int, State] = {}
        """The states that this request has created or changed; None for a released one."""
        self.sizes: dict[int, int] = {}
        self.bytes = simulation.bytes
        self._count = len(simulation.states)
        self.used: list[Sequence[int]] = []
        self.released = False
        self.steps = 0
        self.place = ""
        self._entry = ""
        self.operations: dict[str, Callable[[Any, pb.SimulationResult], None]] = {
            "clone": self._clone,
            "apply": self._apply,
            "legal": self._legal,
            "summarize": self._summarize,
            "observe": self._observe,
            "outcomes": self._outcomes,
            "draw": self._draw,
            "play_out": self._play_out,
            "search": self._search,
            "release": self._release,
        }

    def checked(self, work: Callable[[], None]) -> None:
        """Run a part of the request. Raises RefusedRequest, which names the invalid part."""
        self._entry = ""
        try:
            work()
        except RequestTimeout:
            limit = self._quota.request_s
            message = f"a request may take at most {limit} s: split it"
            raise RefusedRequest(LimitReached("simulation_request_s", limit, message), self.place) from None
        except MemoryError:
            raise RefusedRequest(LimitReached("memory", 0, "the process has no memory left for this"), "") from None
        except EngineError as error:
            raise RefusedRequest(error, self.place + self._entry) from None

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            raise RequestTimeout
        yield_if_due()

    def _timed(self, entries: Sequence[T]) -> Iterator[tuple[int, T]]:
        """Enumerate the entries; check the time and yield the processor before every CHECK_TIME_EVERY-th."""
        for index, entry in enumerate(entries):
            if index % CHECK_TIME_EVERY == 0:
                self._check_time()
            yield index, entry

    # -- states --------------------------------------------------------------------------------------------------------

    def _states(self, handles: Sequence[int], field: str = "handles") -> list[State]:
        """Returns the states of handles."""
        changed, opened = self.changed, self._open
        found = [changed[handle] if handle in changed else opened.get(handle) for handle in handles]
        for index, state in enumerate(found):
            if state is None:
                self._entry = f".{field}[{index}]"
                raise UnknownHandle(handles[index])
        self.used.append(handles)
        return cast("list[State]", found)

    def _put(self, handle: int, state: State | None, size: int) -> None:
        """Set the state of a handle; None releases it. Raises LimitReached."""
        before = self.sizes[handle] if handle in self.sizes else self._open_sizes.get(handle, 0)
        self._count += bool(size) - bool(before)
        self.bytes += size - before
        quota = self._quota
        if self._count > quota.states:
            raise LimitReached("simulation_states", quota.states, f"at most {quota.states} states may be open")
        if self.bytes > quota.bytes:
            raise LimitReached("simulation_bytes", quota.bytes, f"open states may have at most {quota.bytes} bytes")
        self.changed[handle] = cast(State, state)
        self.sizes[handle] = size

    def _same_length(self, message: Any, *fields: str) -> None:
        lengths = {field: len(getattr(message, field)) for field in fields}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{field} has {length}" for field, length in lengths.items())
            raise InvalidField.one(self.place, f"the lists must have the same length: {found}")

    def _check_range(self, value: int, low: int, state: State, field: str, index: int) -> None:
        """Check that a seat or viewer is in the range from ``low`` to the last seat. Raises InvalidField."""
        if not low <= value < state.game.players:
            self._entry = f".{field}[{index}]"
            raise InvalidField.one(self.place + self._entry, f"must be from {low} to {state.game.players - 1}")

    def _to_act(self, state: State, seats: Sequence[int], index: int) -> int:
        """Returns the seat of an entry, or the first seat to act; -1 if there is none."""
        if seats and seats[index] != -1:
            self._check_range(seats[index], -1, state, "seats", index)
            return seats[index]
        actor = state.actor()
        if actor == SIMULTANEOUS:
            acting = state.seats_to_act()
            return (acting & -acting).bit_length() - 1
        return actor if actor >= 0 else -1

    # -- opening -------------------------------------------------------------------------------------------------------

    def open(self, source: StateSource) -> None:
        """Open a state."""
        game = configured_game(source.game_id, source.game, source.players, source.options)
        if source.replay:
            state = self._replayed(game, source)
        elif source.position is None:
            state = game.initial_state()
        else:
            state = game.restore(game.messages.position.FromString(source.position))
        self._put(source.handle, state, max(1, len(state.to_bytes())))
        self.used.append((source.handle,))

    def _replayed(self, game: Game[Any], source: StateSource) -> State:
        """Returns the state after a record of a replay file."""
        replay = read(source.replay)
        header, records = Header.decode(replay.header), records_of(replay)
        if not 0 <= source.seq <= len(records):
            self._entry = ".replay.seq"
            raise InvalidField.one(self.place + self._entry, f"the replay has records 1 to {len(records)}")
        history = History(header, game)
        for record in records[: source.seq]:
            try:
                history.append(record)
            except ValueError:
                raise ReplayInvalid(record.seq, "not the next record") from None
        state = state_at_start(header, game)
        for index, step in self._timed(list(history.steps_back())[::-1]):
            try:
                state.apply(step.code, step.seat)
            except IllegalAction:
                raise ReplayInvalid(step.seq, f"step {index + 1} is not legal") from None
        return state

    # -- operations ----------------------------------------------------------------------------------------------------

    def _clone(self, message: pb.CloneStates, result: pb.SimulationResult) -> None:
        self._same_length(message, "sources", "targets")
        sources, targets = message.sources, message.targets
        viewer, rng = message.viewer, Rng(message.seed)
        resample = message.HasField("viewer")
        self.used.append(targets)
        for index, (source, target) in self._timed(list(zip(sources, targets, strict=True))):
            state = self.changed[source] if source in self.changed else self._open.get(source)
            if state is None:
                self._entry = f".sources[{index}]"
                raise UnknownHandle(source)
            if resample:
                if not SPECTATOR <= viewer < state.game.players:
                    self._entry = ".viewer"
                    raise InvalidField.one(self.place + self._entry, f"must be from -1 to {state.game.players - 1}")
                copy = state.resample(viewer, rng.fork())
            else:
                copy = state.clone()
            self._put(target, copy, self.sizes[source] if source in self.sizes else self._open_sizes[source])
        self.used.append(sources)

    def _apply(self, message: pb.ApplySteps, result: pb.SimulationResult) -> None:
        seats = message.seats
        self._same_length(message, "handles", "codes", *(["seats"] if seats else []))
        handles, codes = message.handles, message.codes
        changed = self.changed
        for index, (handle, state) in self._timed(list(zip(handles, self._states(handles), strict=True))):
            seat = -1
            if seats:
                seat = seats[index]
                self._check_range(seat, -1, state, "seats", index)
            if handle not in changed:
                changed[handle] = state.clone()
            try:
                changed[handle].apply(codes[index], seat)
            except IllegalAction as illegal:
                self._entry = f".codes[{index}]"
                raise ActionRefused(illegal.message, illegal.reason, codes[index], illegal.details) from None
        self.steps += len(codes)

    def _legal(self, message: pb.ListLegal, result: pb.SimulationResult) -> None:
        seats = message.seats
        if seats:
            self._same_length(message, "handles", "seats")
        lists = CodeLists()
        for index, state in self._timed(self._states(message.handles)):
            if seats:
                self._check_range(seats[index], -1, state, "seats", index)
                lists.add_legal(state, seats[index])
            else:
                lists.add_legal(state)
        result.legal.MergeFromString(lists.message())

    def _summarize(self, message: pb.SummarizeStates, result: pb.SimulationResult) -> None:
        states, offsets, returns = self._states(message.handles), [0], list[float]()
        for _, state in self._timed(states):
            returns += state.returns()
            offsets.append(len(returns))
        summaries = result.summaries
        summaries.actors.extend([state.actor() for state in states])
        summaries.seats_to_act.extend([state.seats_to_act() for state in states])
        summaries.offsets.extend(offsets)
        summaries.returns.extend(returns)

    def _observe(self, message: pb.ObserveStates, result: pb.SimulationResult) -> None:
        self._same_length(message, "handles", "viewers")
        for index, state in self._timed(self._states(message.handles)):
            viewer = message.viewers[index]
            self._check_range(viewer, OMNISCIENT, state, "viewers", index)
            packed = AnyMessage()
            packed.Pack(state.game.view(state, Viewer(viewer)), deterministic=True)
            result.views.views.append(packed)

    def _outcomes(self, message: pb.ListOutcomes, result: pb.SimulationResult) -> None:
        listed = result.outcomes
        offsets = [0]
        for _, state in self._timed(self._states(message.handles)):
            outcomes = state.chance()
            listed.codes.extend([code for code, _ in outcomes])
            listed.weights.extend([weight for _, weight in outcomes])
            offsets.append(len(listed.codes))
        listed.offsets.extend(offsets)

    def _draw(self, message: pb.DrawOutcomes, result: pb.SimulationResult) -> None:
        rng, lists, changed = Rng(message.seed), CodeLists(), self.changed
        for _, (handle, state) in self._timed(list(zip(message.handles, self._states(message.handles), strict=True))):
            if handle not in changed and state.actor() == CHANCE:
                changed[handle] = state.clone()
            lists.draw(changed.get(handle, state), rng)
        self.steps += lists.count
        result.drawn.MergeFromString(lists.message())

    def _play_out(self, message: pb.PlayOut, result: pb.SimulationResult) -> None:
        if message.count < 1:
            self._entry = ".count"
            raise InvalidField.one(self.place + self._entry, "must be at least 1")
        rng = Rng(message.seed)
        done = result.play_outs
        done.offsets.append(0)
        for state in self._states(message.handles):
            own, total, plies = rng.fork(), [0.0] * state.game.players, 0
            for start in range(0, message.count, PLAYOUTS_AT_ONCE):
                self._check_time()
                sums, more = playouts(state, own, min(PLAYOUTS_AT_ONCE, message.count - start))
                plies += more
                total = [one + other for one, other in zip(total, sums, strict=True)]
            done.counts.append(message.count)
            done.plies.append(plies)
            done.mean_returns.extend([value / message.count for value in total])
            done.offsets.append(len(done.mean_returns))
            self.steps += plies

    def _search(self, message: pb.SearchStates, result: pb.SimulationResult) -> None:
        seats = message.seats
        if seats:
            self._same_length(message, "handles", "seats")
        if not message.iterations and not message.milliseconds:
            raise InvalidField.one(self.place, "iterations or milliseconds must be set")
        if message.algorithm not in pb.SearchAlgorithm.values():
            self._entry = ".algorithm"
            raise InvalidField.one(self.place + self._entry, "must be TREE (1) or FLAT (2), or unset")
        rng = Rng(message.seed)
        found = result.search
        found.offsets.append(0)
        found.line_offsets.append(0)
        for index, state in enumerate(self._states(message.handles)):
            seat = self._to_act(state, seats, index)
            if seat < 0 or not state.seats_to_act() >> seat & 1:
                self._entry = f".handles[{index}]"
                raise NotYourTurn(seat)
            ranking, line = self._searched(message, state, seat, rng.fork())
            found.seats.append(seat)
            found.codes.extend([code for code, _, _ in ranking])
            found.visits.extend([visits for _, visits, _ in ranking])
            found.mean_returns.extend([mean for _, _, mean in ranking])
            found.offsets.append(len(found.codes))
            found.line_seats.extend([seat for seat, _ in line])
            found.line_codes.extend([code for _, code in line])
            found.line_offsets.append(len(found.line_codes))

    def _searched(
        self, message: pb.SearchStates, state: State, seat: int, rng: Rng
    ) -> tuple[list[tuple[int, int, float]], list[tuple[int, int]]]:
        """Returns the ranking and the principal line of one search."""
        self._check_time()
        left = self._deadline - time.monotonic()
        asked = message.milliseconds / 1000
        seconds = min(asked, left) if asked else left
        if message.algorithm == pb.SEARCH_ALGORITHM_FLAT:
            ranking = flat_search(state, seat, rng, message.iterations, seconds)
            done, line = sum(visits for _, visits, _ in ranking), [(seat, ranking[0][0])]
        else:
            search = tree_search(state.game)
            done = search.run(state, seat, rng, iterations=message.iterations, seconds=seconds)
            ranking, line = search.ranking(seat), search.principal_line()
        if seconds == left and done < (message.iterations or done + 1):
            raise RequestTimeout
        return ranking, line

    def _release(self, message: pb.ReleaseStates, result: pb.SimulationResult) -> None:
        self._states(message.handles)
        for handle in message.handles:
            self._put(handle, None, 0)
        self.released = True

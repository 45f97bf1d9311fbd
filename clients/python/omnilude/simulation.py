"""Requests of a simulation stream: operations on states that the service holds, and their results.

The synchronous and the asyncio client use them: see :meth:`omnilude.Client.simulation`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any, Generic, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message

from omnilude.errors import Fault, OmniludeError, from_reason
from omnilude.operations import game_name, match_name
from omnilude.packs import option_texts, pack
from omnilude.v1 import simulation_service_pb2 as pb

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StateSummary:
    """Seats to act and returns of a state."""

    actor: int
    """The seat to act; -1 for chance, -2 if several seats decide at once, -3 in a terminal state."""
    seats_to_act: Sequence[int]
    returns: Sequence[float]
    """Returns by seat; before the end, those that the game would have if it ended now."""


@dataclass(frozen=True, slots=True)
class PlayOuts:
    """Results of random play-outs from a state."""

    count: int
    mean_returns: Sequence[float]
    """Mean returns by seat."""
    plies: int
    """Number of actions and outcomes of all play-outs."""


@dataclass(frozen=True, slots=True)
class SearchedAction:
    """Statistics of an action at the root of a search."""

    code: int
    visits: int
    mean_return: float
    """Mean return of the searching seat."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of a search from a state."""

    seat: int
    actions: Sequence[SearchedAction]
    """Actions at the root, best first."""
    line: Sequence[tuple[int, int]]
    """The principal variation as (seat, code); the seat is -1 for chance."""


class PendingResult(Generic[T]):
    """The result of an operation, available when its request has been run."""

    def __init__(self, convert: Callable[[Any], T]) -> None:
        self._convert = convert
        self._message: pb.SimulationResult | None = None
        self._value: T | None = None

    @property
    def message(self) -> Any:
        """The protobuf message, with packed arrays. Raises RuntimeError before the request has been run."""
        if self._message is None:
            raise RuntimeError("the request has not been run")
        kind = self._message.WhichOneof("result")
        return None if kind is None else getattr(self._message, kind)

    @property
    def value(self) -> T:
        """The result, converted when it is first read. Raises RuntimeError before the request has been run."""
        if self._value is None:
            self._value = self._convert(self.message)
        return self._value


class SimulationRequest:
    """Operations of one round trip, made by :meth:`Simulation.request`. The service runs them in order, all or none.

    States are named by their handles. ``seats`` are needed only if several seats decide at once.
    """

    def __init__(self, handles: Iterator[int]) -> None:
        self._handles = handles
        self._results: list[PendingResult[Any]] = []
        self.message = pb.SimulateRequest()
        """The protobuf message."""

    # -- opening states ------------------------------------------------------------------------------------------------

    def open_game(
        self,
        game: str,
        players: int,
        *,
        options: Mapping[str, object] | Message | None = None,
        position: Message | None = None,
    ) -> int:
        """Open the initial state of a game, or a position; returns the handle."""
        message = options if isinstance(options, Message) else None
        source = pb.GameSource(
            game=game_name(game),
            players=players,
            options=None if message is None else pack(message),
            option_texts=option_texts(options) if isinstance(options, Mapping) else {},
            position=None if position is None else pack(position),
        )
        return self._open(game=source)

    def open_match(self, match: str, token: str, *, seed: int = 0) -> int:
        """Open a random state of a live match, consistent with the view of the token's seat; returns the handle."""
        return self._open(match=pb.MatchSource(name=match_name(match), token=token, seed=seed))

    def open_replay(self, replay: str | bytes, seq: int) -> int:
        """Open the state after a record of an ended match (by its name) or of a replay file; returns the handle."""
        if isinstance(replay, bytes):
            return self._open(replay=pb.ReplaySource(data=replay, seq=seq))
        return self._open(replay=pb.ReplaySource(match=match_name(replay), seq=seq))

    def _open(self, **source: Any) -> int:
        handle = next(self._handles)
        self.message.opens.add(handle=handle, **source)
        return handle

    # -- operations ----------------------------------------------------------------------------------------------------

    def clone(self, states: Sequence[int], *, viewer: int | None = None, seed: int = 0) -> list[int]:
        """Copy states; returns the handles of the copies.

        With ``viewer`` (a seat, or -1 for a spectator), the copies are resampled: consistent with its view, otherwise
        random.
        """
        targets = list(islice(self._handles, len(states)))
        self._add(_nothing, clone=pb.CloneStates(sources=states, targets=targets, viewer=viewer, seed=seed))
        return targets

    def apply(self, states: Sequence[int], codes: Sequence[int], seats: Sequence[int] = ()) -> None:
        """Apply an action or an outcome of chance in each state; a state may be listed several times."""
        self._add(_nothing, apply=pb.ApplySteps(handles=states, codes=codes, seats=seats))

    def draw(self, states: Sequence[int], *, seed: int) -> PendingResult[list[Sequence[int]]]:
        """Draw and apply outcomes of chance until a decision is pending or the game has ended; returns their codes."""
        return self._add(_lists, draw=pb.DrawOutcomes(handles=states, seed=seed))

    def legal(self, states: Sequence[int], seats: Sequence[int] = ()) -> PendingResult[list[Sequence[int]]]:
        """List the legal actions of the seat to act, or of given seats."""
        return self._add(_lists, legal=pb.ListLegal(handles=states, seats=seats))

    def outcomes(self, states: Sequence[int]) -> PendingResult[list[Sequence[tuple[int, int]]]]:
        """List the outcomes of chance as (code, weight); empty at other nodes."""
        return self._add(_outcomes, outcomes=pb.ListOutcomes(handles=states))

    def summarize(self, states: Sequence[int]) -> PendingResult[list[StateSummary]]:
        """Returns the seats to act and the returns of each state."""
        return self._add(_summaries, summarize=pb.SummarizeStates(handles=states))

    def observe(self, states: Sequence[int], viewers: Sequence[int]) -> PendingResult[list[AnyMessage]]:
        """Returns the pack's views for viewers: seats, -1 for a spectator, -2 for the omniscient viewer.

        ``client.game(...).messages.unpack`` decodes one.
        """
        return self._add(_views, observe=pb.ObserveStates(handles=states, viewers=viewers))

    def play_out(self, states: Sequence[int], *, count: int, seed: int) -> PendingResult[list[PlayOuts]]:
        """Play copies of each state to the end at random, ``count`` times."""
        return self._add(_play_outs, play_out=pb.PlayOut(handles=states, count=count, seed=seed))

    def search(
        self,
        states: Sequence[int],
        seats: Sequence[int] = (),
        *,
        iterations: int = 0,
        milliseconds: int = 0,
        seed: int = 0,
        flat: bool = False,
    ) -> PendingResult[list[SearchResult]]:
        """Search for the best action from each state, by tree search or flat Monte Carlo."""
        algorithm = pb.SEARCH_ALGORITHM_FLAT if flat else pb.SEARCH_ALGORITHM_TREE
        search = pb.SearchStates(
            handles=states,
            seats=seats,
            iterations=iterations,
            milliseconds=milliseconds,
            seed=seed,
            algorithm=algorithm,
        )
        return self._add(_searched, search=search)

    def release(self, states: Sequence[int]) -> None:
        """End the leases of states."""
        self._add(_nothing, release=pb.ReleaseStates(handles=states))

    def _add(self, convert: Callable[[Any], T], **operation: Any) -> PendingResult[T]:
        self.message.operations.add(**operation)
        result = PendingResult(convert)
        self._results.append(result)
        return result

    def receive(self, response: pb.SimulateResponse) -> Sequence[pb.OpenedState]:
        """Store the results of a response; returns the properties of the states that it opened.

        Raises the error for which the request was refused.
        """
        if response.HasField("error"):
            raise _error(response.error)
        for result, message in zip(self._results, response.results, strict=True):
            result._message = message
        return response.opened


def _error(error: pb.SimulationError) -> OmniludeError:
    faults = [Fault(error.field, error.message)] if error.field else []
    message = f"{error.field}: {error.message}" if error.field else error.message
    return from_reason(error.reason, message, dict(error.metadata), faults)


def _nothing(message: Any) -> None:
    return None


def _lists(message: pb.LegalLists | pb.DrawnOutcomes) -> list[Sequence[int]]:
    codes = message.codes
    return [codes[start:end] for start, end in pairwise(message.offsets)]


def _outcomes(message: pb.OutcomeLists) -> list[Sequence[tuple[int, int]]]:
    outcomes = list(zip(message.codes, message.weights, strict=True))
    return [outcomes[start:end] for start, end in pairwise(message.offsets)]


def _summaries(message: pb.StateSummaries) -> list[StateSummary]:
    found = []
    spans = pairwise(message.offsets)
    for actor, mask, (start, end) in zip(message.actors, message.seats_to_act, spans, strict=True):
        acting = [seat for seat in range(mask.bit_length()) if mask >> seat & 1]
        found.append(StateSummary(actor, acting, message.returns[start:end]))
    return found


def _views(message: pb.StateViews) -> list[AnyMessage]:
    return list(message.views)


def _play_outs(message: pb.PlayOutResults) -> list[PlayOuts]:
    spans = pairwise(message.offsets)
    return [
        PlayOuts(count, message.mean_returns[start:end], plies)
        for count, plies, (start, end) in zip(message.counts, message.plies, spans, strict=True)
    ]


def _searched(message: pb.SearchResults) -> list[SearchResult]:
    actions = [SearchedAction(*each) for each in zip(message.codes, message.visits, message.mean_returns, strict=True)]
    line = list(zip(message.line_seats, message.line_codes, strict=True))
    spans = zip(pairwise(message.offsets), pairwise(message.line_offsets), strict=True)
    return [
        SearchResult(seat, actions[start:end], line[line_start:line_end])
        for seat, ((start, end), (line_start, line_end)) in zip(message.seats, spans, strict=True)
    ]

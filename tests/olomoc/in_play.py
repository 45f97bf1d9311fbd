"""States of real matches for tests that look at a board: random play until rouages of both players stand on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

MIN_ROUAGES = 4
"""Number of rouages on the board that a state must have."""


def walk(seed: int, **options: object) -> Iterator[OlomocState]:
    """The states of a random match; each is the same object, one step further."""
    state = Olomoc.configure(2, options).initial_state()
    assert isinstance(state, OlomocState)
    rng = Rng(seed)
    while (actor := state.actor()) != TERMINAL:
        yield state
        if actor == CHANCE:
            state.apply(rng.weighted(state.chance()))
            continue
        seats_to_act = state.seats_to_act()
        seat = rng.choice([seat for seat in range(2) if seats_to_act >> seat & 1]) if actor == SIMULTANEOUS else actor
        state.apply(rng.choice(state.legal(seat)), seat)
    yield state


def steps(state: OlomocState, seed: int) -> Iterator[tuple[OlomocState, int | None, int]]:
    """Yields state, seat (None for chance) and code of every step of a random match; the state is the same object."""
    rng = Rng(seed)
    while (actor := state.actor()) != TERMINAL:
        if actor == CHANCE:
            seat, code = None, rng.weighted(state.chance())
        else:
            seat = actor if actor != SIMULTANEOUS else (0 if state.seats_to_act() & 1 else 1)
            code = rng.choice(state.legal(seat))
        yield state, seat, code
        state.apply(code, -1 if seat is None else seat)


def view_of(state: State, viewer: int = -1) -> pb.View:
    """The view of a state for a viewer."""
    view = state.game.view(state, viewer)
    assert isinstance(view, pb.View)
    return view


def on_board(state: OlomocState) -> list[int]:
    """The rouages that stand on the board."""
    return [figure["index"] for figure in state.dump()["figures"] if figure["where"] == pb.PLACE_BLOC]


@cache
def in_play(seed: int) -> OlomocState:
    """The first state of a match in which enough rouages of both players stand on the board and somebody is active."""
    for state in walk(seed):
        there = on_board(state)
        both = {index < 3 for index in there if index < 6} == {True, False}
        if len(there) >= MIN_ROUAGES and both and state.actor() >= 0 and state.active_figures():
            return state.clone()
    raise AssertionError(f"seed {seed} never puts {MIN_ROUAGES} rouages on the board")

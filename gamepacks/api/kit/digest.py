"""Digest of a random match, to compare processes: ``python -m gamepacks.api.kit.digest``.

Arguments: module and qualified name of the game, the seed, then for each setup the players and the options message in
hexadecimal. Prints one digest for each setup.
"""

from __future__ import annotations

import functools
import importlib
import sys
from hashlib import blake2b
from typing import Any

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamepacks.api.errors import IllegalAction
from gamepacks.api.game import Game, viewers
from gamepacks.api.types import OMNISCIENT, Code, Seat

EXPLAINED_PLIES = 60
"""Number of plies whose labels, views, events and refusals are included; later plies only add their states."""


def digest(game: Game[Any], seed: int) -> str:
    """Returns a BLAKE2b digest of a random match: states, choices, labels, actions, views, events, refusals."""
    rng = Rng(seed)
    found = blake2b(digest_size=16)
    state = game.initial_state()
    for ply in range(game.capabilities.max_plies):
        actor = state.actor()
        found.update(state.to_bytes())
        if actor == TERMINAL:
            found.update(repr(state.returns()).encode())
            break
        seat, choices = _choices(state, actor)
        code = rng.weighted(state.chance()) if actor == CHANCE else rng.choice(choices)
        before = state.clone()
        state.apply(code, seat)
        found.update(repr((actor, state.seats_to_act(), choices, code)).encode())
        if ply < EXPLAINED_PLIES:
            _explain(found, game, before, seat, choices, code, state, rng)
    return found.hexdigest()


def _choices(state: State, actor: int) -> tuple[int, list[int]]:
    if actor == CHANCE:
        return -1, [code for code, _ in state.chance()]
    seat = actor
    if actor == SIMULTANEOUS:
        seats_to_act = state.seats_to_act()
        seat = (seats_to_act & -seats_to_act).bit_length() - 1
    return seat, state.legal(seat)


def _explain(
    found: Any, game: Game[Any], before: State, seat: int, choices: list[int], code: int, after: State, rng: Rng
) -> None:
    mover = None if seat < 0 else Seat(seat)
    for choice in choices[:20]:
        found.update(game.label(before, Code(choice)).encode())
        if mover is not None:
            found.update(game.action(before, Code(choice)).SerializeToString(deterministic=True))
    for viewer in [*viewers(game.players), OMNISCIENT]:
        found.update(game.view(before, viewer).SerializeToString(deterministic=True))
        for event in game.events(before, mover, Code(code), after, viewer):
            found.update(event.SerializeToString(deterministic=True))
        found.update(before.resample(viewer, rng.fork()).to_bytes())
    try:
        before.clone().apply(2**31 - 1, seat)
    except IllegalAction as refused:
        found.update(repr((refused.reason, refused.message, refused.details)).encode())


def main(arguments: list[str]) -> None:
    """Print the digests that the arguments ask for."""
    module, name, seed, *setups = arguments
    game_type: Any = functools.reduce(getattr, name.split("."), importlib.import_module(module))
    for players, options in zip(setups[::2], setups[1::2], strict=True):
        message = game_type.messages.options.FromString(bytes.fromhex(options))
        print(digest(game_type.configure(int(players), message), int(seed)))


if __name__ == "__main__":
    main(sys.argv[1:])

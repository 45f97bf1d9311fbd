"""Bend positions of Olomòc: ``python -m tools.olomoc_bend --games 200 [--first N]``.

Positions of random games of the house set, with many options, are changed in one place or two, above all in what they
say to be going on. Each must be refused with a named field, or be as good as any: it comes back from its bytes, shows
itself, can be imagined anew by every viewer, and is played to the end. Run it in a process of its own: a position that
the compiled rules cannot bear would end it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from cext.playout import playout
from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.api.errors import InvalidPosition
from gamepacks.api.game import viewers
from gamepacks.api.kit.messages import mutations
from gamepacks.api.types import OMNISCIENT, Code
from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.engine.state import OlomocState
from gamepacks.olomoc.positions.frames import VALUES, Kind
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

MOST_PLIES = 4_000
TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"build": "secret", "reaction_limit": "both", "list_step": 100},
    {"bloc": "placed", "entry": "first_token", "propaganda_ap": "choose", "list_step": 100},
    {"hostile_reactions": "free", "rest_limit": 0, "tie_rule": "activation_only", "list_step": 100},
    {"spawn_acts": False, "hostile_stun": "permanent", "propaganda_rank": 9, "list_step": 100},
)


class BendError(AssertionError):
    """A bent position was accepted, and is not sound."""


def nodes(game: Olomoc, seed: int) -> Iterator[OlomocState]:
    """The states of a random game; each is the same object, gone on."""
    rng, state = Rng(seed), game.initial_state()
    while (actor := state.actor()) != TERMINAL:
        yield state
        if actor == CHANCE:
            state.apply_unchecked(rng.weighted(state.chance()))
            continue
        seats_to_act = state.seats_to_act()
        seat = rng.choice([seat for seat in range(2) if seats_to_act >> seat & 1]) if actor == SIMULTANEOUS else actor
        state.apply_unchecked(rng.choice(state.legal(seat)), seat)
    yield state


def bent_stacks(position: pb.Position, rng: Rng, count: int) -> Iterator[pb.Position]:
    """Copies in which what is going on was changed: numbers, stages, kinds, frames that go or come."""
    for _ in range(count):
        bent = pb.Position()
        bent.CopyFrom(position)
        for _ in range(1 + rng.below(2)):
            if bent.frames:
                _bend(bent, rng)
        yield bent


def _bend(bent: pb.Position, rng: Rng) -> None:
    number, way = rng.below(len(bent.frames)), rng.below(12)
    frame = bent.frames[number]
    if way == 0:
        frame.pc = rng.below(20)
    elif way == 1:
        frame.kind = rng.below(len(Kind) + 1)
    elif way == 2:
        del bent.frames[number]
    elif way == 3:
        bent.frames.pop()
    elif way == 4:
        bent.frames.add(kind=rng.below(len(Kind)), pc=rng.below(18))
    elif way == 5 and frame.values:
        frame.values[rng.below(len(frame.values))] = rng.below(1 << 31) - (1 << 30)
    else:
        values = [*frame.values, *[0] * (VALUES - len(frame.values))]
        values[rng.below(34)] = rng.below(24) - 2
        while values and not values[-1]:
            values.pop()
        frame.ClearField("values")
        frame.values.extend(values)


def is_sound(game: Olomoc, bent: pb.Position, rng: Rng) -> bool:
    """Whether a bent position is accepted; then it was played to the end. Raises BendError where it should have been
    refused, or was without a reason."""
    try:
        state = game.restore(bent)
    except InvalidPosition as error:
        if not error.faults or not all(fault.field and fault.message for fault in error.faults):
            raise BendError(f"refused without a field: {error}") from error
        return False
    try:
        _comes_back(game, state)
        for viewer in (*viewers(2), OMNISCIENT):
            game.view(state, viewer)
            if viewer != OMNISCIENT:
                game.restore(game.position(state.resample(viewer, rng)))
        for seat in range(2):
            for code in state.legal(seat)[:20]:
                game.label(state, Code(code))
        playout(state, rng, MOST_PLIES)
        _comes_back(game, state)
    except Exception as error:
        raise BendError(f"accepted, then {type(error).__name__}: {error}") from error
    return True


def _comes_back(game: Olomoc, state: OlomocState) -> None:
    data = state.to_bytes()
    if game.restore(pb.Position.FromString(data)).to_bytes() != data:
        raise BendError("does not come back from its bytes")


def bend_game(seed: int, every: int, copies: int) -> Counter[str]:
    """Bend about one in ``every`` positions of a random game: counts of those refused, and of those sound."""
    game = Olomoc.configure(2, TABLES[seed % len(TABLES)])
    assert isinstance(game, Olomoc)
    rng, counts = Rng(seed), Counter[str]()
    for state in nodes(game, seed):
        if rng.below(every):
            continue
        position = game.position(state)
        others = list(mutations(position))
        rng.shuffle(others)
        for bent in (*others[:copies], *bent_stacks(position, rng, copies)):
            assert isinstance(bent, pb.Position)
            try:
                counts["sound" if is_sound(game, bent, rng) else "refused"] += 1
            except BendError as error:
                raise BendError(f"game {seed}: {error}\n{bent}") from error
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--every", type=int, default=15)
    parser.add_argument("--copies", type=int, default=20)
    args = parser.parse_args()
    started, counts = time.perf_counter(), Counter[str]()
    for seed in range(args.first, args.first + args.games):
        counts += bend_game(seed, args.every, args.copies)
    print(f"{args.games} games: {dict(counts)} in {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

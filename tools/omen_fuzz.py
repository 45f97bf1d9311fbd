"""Play random games with random card sets of Omen: ``python -m tools.omen_fuzz --games 2000``.

No card that the loader accepts may hang or crash a game, or break an invariant.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.api.cards import CardLibrary, LoadedCards, digest
from gamepacks.api.game import viewers
from gamepacks.api.types import CardSet, Code, Seat
from gamepacks.omen import Omen, OmenTraits
from gamepacks.omen.cards.analysis import ProgramAnalysis
from gamepacks.omen.codes import BOOK
from gamepacks.omen.engine.rules import OmenState
from gamepacks.omen.game import OmenGame
from gamepacks.omen.messages import CODEC
from tools.omen_cards import omega_set, traits_set

MAX_PLIES = 60_000
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"spirits": True, "heroes": True, "whims": True, "relics": True, "challenges": "normal", "start": "emissary"},
    {"draft": "keep2of3", "relics": True, "survivors": "up_to", "feat_claim": "optional", "spirit_order": "player"},
    {"heroes": True, "whims": True, "relics": True, "challenges": "long", "auto_single": False, "trigger_cap": 10},
    {"draft": "open20", "whims": True, "feat_end": "either", "spirit_trigger": "played", "max_turns": 20},
)
TRAITS_OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"trait_once": False, "myriad_keep_weight": 2, "sacked_tie": "active"},
    {"auto_single": False, "action_cap": 50, "first_turn_wealth": 2},
)


class FuzzError(AssertionError):
    """A game broke an invariant."""


def game_of(seed: int) -> OmenGame[Any, Any]:
    """Returns the game of a seed: random cards and some options. Raises ValueError if the loader refuses the cards."""
    omega = seed % 2 == 0
    kind: type[OmenGame[Any, Any]] = Omen if omega else OmenTraits
    choices = OPTIONS if omega else TRAITS_OPTIONS
    file = omega_set(seed) if omega else traits_set(seed)
    card_set = CardSet(file.id, file.title, False, digest(file))
    library = CardLibrary([LoadedCards(file, card_set, Path(f"{file.id}.yaml"))])
    game = kind.configure(2, {"card_set": file.id, **choices[seed // 2 % len(choices)]}, library)
    assert isinstance(game, OmenGame)
    ProgramAnalysis(game.config.program)
    return game


def check(state: OmenState) -> None:
    """Check the invariants after a step. Raises FuzzError."""
    numbers = state.counters()
    supply = numbers["supply"]
    coins = numbers["coins"]
    if min(coins) < 0 or (supply is not None and supply + sum(coins) != state.config.coin_supply):
        raise FuzzError(f"coins {coins} and supply {supply}")
    cards = sum(len(cards) for _, cards in state.dump_state()["piles"])
    if cards != state.token_count:
        raise FuzzError(f"{cards} cards lie in piles, not {state.token_count}")


def play(game: OmenGame[Any, Any], seed: int, deep: int = 40) -> int:
    """Play one random game, with thorough checks every ``deep`` plies; returns its plies. Raises FuzzError."""
    rng = Rng(seed)
    state = game.initial_state()
    for ply in range(MAX_PLIES):
        actor = state.actor()
        if actor == TERMINAL:
            return ply
        seat = actor if actor >= 0 else -1
        if actor == SIMULTANEOUS:
            seat = next(s for s in range(2) if state.seats_to_act() >> s & 1)
        if actor == CHANCE:
            code = rng.weighted(state.chance())
        else:
            legal = state.legal(seat)
            if not legal or len(set(legal)) != len(legal):
                raise FuzzError(f"legal actions {legal}")
            check_actions(game, state, legal)
            code = rng.choice(legal)
        if ply % deep == 0:
            check_state(game, state, code, seat, rng)
        state.apply(code, seat)
        check(state)
    raise FuzzError(f"no end after {MAX_PLIES} plies")


def check_actions(game: OmenGame[Any, Any], state: OmenState, legal: Sequence[int]) -> None:
    """Check the messages and labels of all legal codes. Raises FuzzError."""
    for code in legal:
        verb = BOOK.verb(code)
        values = dict(zip(verb.fields, verb.unpack(code), strict=True))
        if verb(*values.values()) != code:
            raise FuzzError(f"{verb.name} {values} is not {code}")
        if values.get("city", 0) >= game.config.cities or values.get("card", 0) >= game.config.card_count:
            raise FuzzError(f"{verb.name} {values} names a City or a card that does not exist")
        if "city" in values and "card" in values:
            side = state.side(values["city"], values["seat"])
            if all(card != values["card"] for card, *_ in side):
                raise FuzzError(f"{verb.name} {values} names a Unit that is not there")
        if CODEC.code(state, CODEC.message(state, code)) != code:
            raise FuzzError(f"{verb.name} {values} is not restored from its message")
        if not game.label(state, Code(code)):
            raise FuzzError(f"{verb.name} {values} has no label")


def check_state(game: OmenGame[Any, Any], state: OmenState, code: int, seat: int, rng: Rng) -> None:
    """Check the position, resampling, views and events of a state. Raises FuzzError."""
    data = state.to_bytes()
    if game.restore(state.game.position(state)).to_bytes() != data:
        raise FuzzError("a state restored from its position differs")
    after = state.clone()
    after.apply(code, seat)
    for viewer in viewers(2):
        other = state.resample(viewer, rng)
        if game.view(other, viewer) != game.view(state, viewer):
            raise FuzzError(f"viewer {viewer} sees a difference in a resampled state")
        if viewer >= 0 and other.legal(viewer) != state.legal(viewer):
            raise FuzzError(f"seat {viewer} has other actions in a resampled state")
        game.restore(other.game.position(other))
        game.events(state, None if seat < 0 else Seat(seat), Code(code), after, viewer)
    if state.to_bytes() != data:
        raise FuzzError("a query has changed the state")


def main() -> None:
    """Play the games and report failures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="number of the first set")
    parser.add_argument("--per-set", type=int, default=2)
    arguments = parser.parse_args()
    games = plies = refused = failed = 0
    seed = arguments.first
    start = time.monotonic()
    while games < arguments.games:
        seed += 1
        try:
            game = game_of(seed - 1)
        except ValueError as error:
            refused += 1
            print(f"set {seed - 1} refused: {error}", flush=True)
            continue
        for number in range(1000 * (seed - 1), 1000 * (seed - 1) + arguments.per_set):
            games += 1
            try:
                plies += play(game, number)
            except Exception as error:
                failed += 1
                print(f"set {seed - 1}, game {number}: {type(error).__name__}: {str(error)[:300]}", flush=True)
    seconds = time.monotonic() - start
    print(f"{games} games, {plies} plies in {seconds:.0f} s; {refused} sets refused, {failed} games failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

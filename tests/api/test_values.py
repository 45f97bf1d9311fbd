"""Games and states as values: compared, copied and pickled, whether their pack is compiled or not."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, State
from gamepacks.api import Game
from gamepacks.api.registry import Registry
from tests.support.games import kuhn, sealed, suits

REGISTRY = Registry.load(extra=[kuhn.PACK, sealed.PACK, suits.PACK], strict=True)
games = pytest.mark.parametrize("name", sorted(REGISTRY.games))


def table(name: str) -> Game[Any]:
    loaded = REGISTRY.games[name]
    return loaded.configure(loaded.game.capabilities.min_players)


def played(state: State, rng: Rng, plies: int = 40) -> State:
    """The state after some steps at random."""
    state = state.clone()
    for _ in range(plies):
        codes = [code for code, _ in state.chance()] if state.actor() == CHANCE else []
        seats = [seat for seat in range(state.game.players) if state.seats_to_act() >> seat & 1]
        if not codes and not seats:
            break
        seat = -1 if codes else rng.choice(seats)
        state.apply(rng.choice(codes or state.legal(seat)), seat)
    return state


@games
def test_a_game_is_equal_to_another_of_the_same_table_and_to_its_pickle(name: str) -> None:
    game = table(name)
    for other in (table(name), pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert game == other and hash(game) == hash(other)
        assert other.options_message() == game.options_message() and other.card_set == game.card_set
    more = REGISTRY.games[name].game.capabilities.max_players
    if more > game.players:
        assert game != REGISTRY.games[name].configure(more)
    assert game != object()


def test_games_with_different_options_are_unequal() -> None:
    few, many = (kuhn.KuhnGame.configure(2, {"ranks": ranks}) for ranks in (3, 13))
    assert few != many and few != sealed.SealedGame.configure(2)


def test_a_game_with_a_card_set_of_the_operator_is_pickled_with_it() -> None:
    own = suits.SOURCE.own.pick("short-1")
    mine = dataclasses.replace(own, card_set=dataclasses.replace(own.card_set, id="mine"))
    game = suits.SuitsGame.configure(2, {"card_set": "mine"}, suits.SOURCE.own.with_set(mine))
    again = pickle.loads(pickle.dumps(game))
    assert again == game and again.card_set == game.card_set and again.card_set.id == "mine"
    assert game != suits.SuitsGame.configure(2, {"card_set": "short-1"})


@games
@pytest.mark.parametrize("seed", range(3))
def test_a_state_is_equal_to_its_copies_and_to_its_pickle(name: str, seed: int) -> None:
    state = played(table(name).initial_state(), Rng(seed))
    for other in (state.clone(), copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert other is not state and other == state
        assert type(other) is type(state) and other.to_bytes() == state.to_bytes()
        after, before = played(other, Rng(seed), 1), state.to_bytes()
        assert (after == state) == (after.to_bytes() == before)
        assert played(other, Rng(seed)) == played(state, Rng(seed)), "both can be played on, and alike"


@games
def test_states_of_other_games_and_other_things_are_not_equal(name: str) -> None:
    state = table(name).initial_state()
    assert state != state.to_bytes() and state is not None
    other = table("sealed" if name == "kuhn" else "kuhn").initial_state()
    assert state != other
    several = [state, other]
    assert several.index(other) == 1


@games
def test_state_is_not_hashable(name: str) -> None:
    with pytest.raises(TypeError, match=r"to_bytes\(\)"):
        hash(table(name).initial_state())

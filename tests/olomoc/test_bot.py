"""The bots of the pack: their choices are legal, repeatable and independent of secrets, and they beat random play."""

from __future__ import annotations

from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from gamepacks.api.bots import Budget, PackBot, RandomBot, Turn
from gamepacks.api.registry import Registry
from gamepacks.api.types import Seat
from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.scenes import Marker, Rouage, scene


def evaluate(state: State, seat: int) -> float:
    """The evaluation of a state for a seat."""
    return Olomoc.guide.evaluate(state, seat, Rng(1))


BOTS = Registry.load(only=["olomoc"], strict=True).game("olomoc").bots
TACTICIAN = BOTS["tactician"]
own_bots = pytest.mark.parametrize("bot", [TACTICIAN, BOTS["greedy"]], ids=lambda bot: bot.name)


def asked(state: State) -> Seat:
    """The first of the seats to act."""
    if state.actor() != SIMULTANEOUS:
        return Seat(state.actor())
    return Seat(0 if state.seats_to_act() & 1 else 1)


def play(game: Olomoc, seats: tuple[PackBot, PackBot], seed: int, playouts: int) -> OlomocState:
    """A whole game."""
    state, rng = game.initial_state(), Rng(seed)
    while state.actor() != TERMINAL:
        if state.actor() == CHANCE:
            state.apply(rng.weighted(state.chance()))
            continue
        seat = asked(state)
        state.apply(
            seats[seat].choose(Turn(game, state.resample(seat, rng), seat, rng, Budget(playouts=playouts))), seat
        )
    return state


@own_bots
@pytest.mark.parametrize("options", [{}, {"build": "secret", "entry": "first_token", "list_step": 25}])
def test_bot_chooses_legal_actions_and_leaves_the_state_alone(bot: PackBot, options: dict[str, str | int]) -> None:
    state, rng = Olomoc.configure(2, options).initial_state(), Rng(7)
    while state.actor() != TERMINAL:
        if state.actor() == CHANCE:
            state.apply(rng.weighted(state.chance()))
            continue
        seat = asked(state)
        sample = state.resample(seat, rng)
        before = sample.to_bytes()
        choice = bot.choose(Turn(state.game, sample, seat, Rng(5), Budget(playouts=2)))
        assert state.is_legal(choice, seat)
        assert sample.to_bytes() == before
        # The same state, seed and budget give the same choice.
        assert choice == bot.choose(Turn(state.game, sample.clone(), seat, Rng(5), Budget(playouts=2)))
        state.apply(choice, seat)


def test_tactician_keeps_to_its_time_budget() -> None:
    """With no time to think, and with a little, it still answers with something legal."""
    state, rng = Olomoc.configure(2).initial_state(), Rng(1)
    assert isinstance(state, OlomocState)
    while state.decision != Decision.ENTER:
        code = rng.weighted(state.chance()) if state.actor() == CHANCE else rng.choice(state.legal(asked(state)))
        state.apply(code, -1 if state.actor() == CHANCE else asked(state))
    for milliseconds in (1, 5):
        seat = asked(state)
        assert state.is_legal(
            TACTICIAN.choose(Turn(state.game, state.clone(), seat, rng, Budget(milliseconds=milliseconds))), seat
        )


def test_evaluation_does_not_use_hidden_information() -> None:
    rng = Rng(3)
    state = Olomoc.configure(2).initial_state()
    seen = 0
    while state.actor() != TERMINAL:
        if state.actor() == CHANCE:
            state.apply(rng.weighted(state.chance()))
            continue
        seat = asked(state)
        twin = state.resample(seat, rng)
        assert evaluate(state, seat) == evaluate(twin, seat)
        seen += twin.to_bytes() != state.to_bytes()
        state.apply(rng.choice(state.legal(seat)), seat)
    assert seen > 20


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"vp": [3, 0]}, {"vp": [0, 3]}),
        ({"fiel": [0, 2]}, {"fiel": [2, 0]}),
        ({}, {2: Rouage((400, 400), ticked=3)}),
        ({}, {2: Rouage((400, 400), noirceur=3)}),
        ({}, {2: Rouage((400, 400), stunned=True)}),
        ({3: Rouage(out_of_action=True)}, {}),
        ({2: Rouage((600, 400))}, {2: Rouage((100, 400))}),
    ],
    ids=["points", "fiel", "wounds", "noirceur", "stun", "loss", "nearer"],
)
def test_evaluation_prefers_the_better_position(better: dict[int | str, Any], worse: dict[int | str, Any]) -> None:
    """The evaluation ranks two positions for player 1 (seat 0), and in the opposite order for player 2."""
    seen = []
    for said in (better, worse):
        figures = {
            2: Rouage((400, 400)),
            3: Rouage((1200, 1200)),
            **{key: who for key, who in said.items() if key in (2, 3)},
        }
        counters = {str(key): value for key, value in said.items() if key not in (2, 3)}
        state = scene(figures, markers=[Marker((900, 400))], **counters)
        seen.append((evaluate(state, 0), evaluate(state, 1)))
        assert seen[-1][0] == pytest.approx(-seen[-1][1])
    assert seen[0][0] > seen[1][0]


@own_bots
def test_bot_beats_random_play(bot: PackBot) -> None:
    won = 0.0
    for seed in range(4):
        game = Olomoc.configure(2, {"agenda": ("survey", "hearths")[seed % 2]})
        assert isinstance(game, Olomoc)
        seats: tuple[PackBot, PackBot] = (bot, RandomBot()) if seed < 2 else (RandomBot(), bot)
        won += play(game, seats, seed, 12).returns()[seed // 2] > 0
    assert won >= 3

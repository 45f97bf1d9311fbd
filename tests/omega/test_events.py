"""Events hold all public facts: a front end can follow a game by them without views."""

from __future__ import annotations

from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.types import Seat, Viewer
from gamepacks.omega import Omega
from gamepacks.omega.codes import NONE, RED
from gamepacks.omega.engine.rules import OmegaState
from gamepacks.omega.v1 import omega_pb2 as pb
from tests.omega.fixtures import library
from tests.omega.test_invariants import DENSE, preferred


class PublicTracker:
    """A front end that derives the public state from a spectator's events."""

    def __init__(self, players: int) -> None:
        self.altar = [0] * 6
        self.bag = 155
        self.gallery = [NONE] * 4
        self.discard: set[int] = set()
        self.tops = [NONE] * 6
        self.hands = [0] * players
        self.rows: list[list[tuple[int, list[int]]]] = [[] for _ in range(players)]
        self.masks: list[int | None] = [None] * players
        self.steps = [0] * players
        self.prestige = [0] * players
        self.tokens: list[list[int]] = [[] for _ in range(players)]
        self.target: pb.Target = pb.Target()
        self.batch = [0] * 6
        self.recovered = [0] * 6
        self.active = self.turn = self.ending = self.phase = 0
        self.over: pb.Judgement | None = None

    def observe(self, event: pb.Event) -> None:
        kind = event.WhichOneof("event")
        assert kind is not None
        getattr(self, f"on_{kind}", lambda what: None)(getattr(event, kind))

    def on_altar_refilled(self, what: Any) -> None:
        self.altar[what.rune - 1] += 1
        self.bag -= 1

    def on_gallery_refilled(self, what: Any) -> None:
        assert self.gallery[what.slot] == NONE
        self.gallery[what.slot] = what.card.card

    def on_deck_reshuffled(self, what: Any) -> None:
        assert what.cards == len(self.discard)
        self.discard.clear()

    def on_rune_drawn(self, what: Any) -> None:
        self.hands[what.seat] += 1
        if what.source == pb.SOURCE_ALTAR:
            self.altar[what.rune - 1] -= 1
        else:
            assert (what.rune == 0) == (what.source == pb.SOURCE_BAG)
            self.bag -= 1

    def on_gain_declared(self, what: Any) -> None:
        self.target = what.target

    def on_egregor_gained(self, what: Any) -> None:
        self.batch, self.prestige[what.seat] = list(what.batch), what.prestige
        if not what.HasField("loser"):
            assert self.gallery[self.target.slot] == what.card.card
            self.gallery[self.target.slot] = NONE
            self._gain(what.seat, what.card.card)
        else:
            assert what.loser == self.target.seat
            assert self.rows[what.loser][self.target.place][0] == what.card.card

    def _gain(self, seat: int, card: int) -> None:
        self.rows[seat].append((card, self.batch))
        self.hands[seat] -= sum(self.batch)

    def on_runes_recovered(self, what: Any) -> None:
        self.hands[what.seat] += sum(what.runes)
        self.recovered = [a + b for a, b in zip(self.recovered, what.runes, strict=True)]

    def on_egregor_lost(self, what: Any) -> None:
        row = self.rows[what.seat]
        (place,) = (number for number, (card, _) in enumerate(row) if card == what.card.card)
        _, load = row.pop(place)
        # What it carried has come back or gone to the bag, rune by rune.
        assert load == [a + b for a, b in zip(self.recovered, what.to_bag, strict=True)]
        self.recovered = [0] * 6
        self.bag += sum(what.to_bag)
        mask = self.masks[what.seat]
        if mask is not None and mask >= place:
            self.masks[what.seat] = None if mask == place else mask - 1
        if what.disowned:
            self.discard.add(what.card.card)
        else:
            self._gain(self.active, what.card.card)

    def on_runes_placed(self, what: Any) -> None:
        for place in what.places:
            self.rows[what.seat][place][1][what.rune - 1] += 1
            self.hands[what.seat] -= 1

    def on_black_swapped(self, what: Any) -> None:
        load = self.rows[what.owner][what.place][1]
        load[what.rune - 1] -= 1
        load[5] += 1

    def on_red_offered(self, what: Any) -> None:
        if what.pulled:
            self.altar[RED] -= 1
            self.rows[what.seat][what.place][1][RED] += 1

    def on_pawn_advanced(self, what: Any) -> None:
        assert what.from_steps == self.steps[what.seat] < what.to_steps
        self.steps[what.seat] = what.to_steps

    def on_arcana_taken(self, what: Any) -> None:
        assert self.tops[what.stack] == what.token.token
        self.tops[what.stack] = NONE
        self.tokens[what.seat].append(what.token.token)
        assert what.held == len(self.tokens[what.seat])

    def on_arcana_flipped(self, what: Any) -> None:
        assert self.tops[what.stack] == NONE
        self.tops[what.stack] = what.token.token

    def on_mask_moved(self, what: Any) -> None:
        self.masks[what.seat] = what.place if what.HasField("place") else None

    def on_rune_cycled(self, what: Any) -> None:
        self.rows[what.seat][what.place][1][what.rune - 1] -= 1
        self.hands[what.seat] += 1

    def on_key_replaced(self, what: Any) -> None:
        old, load = self.rows[what.seat][what.place]
        assert old == what.old_card.card
        self.rows[what.seat][what.place] = (what.new_card.card, load)
        self.discard.add(old)

    def on_end_announced(self, what: Any) -> None:
        assert what.seat == self.active
        self.ending = what.ending

    def on_turn_started(self, what: Any) -> None:
        assert what.turn == self.turn + 1
        assert what.final == (self.ending > 0)
        self.active, self.turn = what.seat, what.turn

    def on_phase_changed(self, what: Any) -> None:
        assert what.seat == self.active
        self.phase = what.phase

    def on_judgement(self, what: Any) -> None:
        self.over = what

    def agrees(self, state: OmegaState) -> None:
        """Assert that the state equals the one derived from the events."""
        values = state.dump()
        assert self.altar == values["altar"]
        assert self.bag == sum(values["bag"])
        assert self.gallery == values["gallery"]
        assert self.discard == set(values["discard"])
        assert self.tops == values["tops"]
        for seat, player in enumerate(values["seats"]):
            # A batch that has been shown still lies in the pyramid until the loser has picked.
            assert self.hands[seat] == sum(player["pyramid"]), seat
            assert self.steps[seat] == player["steps"]
            assert self.prestige[seat] == player["prestige"]
            assert self.tokens[seat] == player["tokens"]
            assert self.masks[seat] == (None if player["mask"] < 0 else player["mask"])
            if not any(self.recovered):
                assert self.rows[seat] == [(card["card"], card["load"]) for card in player["egregors"]]
        if self.turn:
            assert (self.turn, self.active) == (values["turn"], values["active_seat"])
        assert (self.over is not None) == (state.actor() == TERMINAL)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("dense", [False, True])
def test_public_state_can_be_derived_from_the_events(players: int, dense: bool) -> None:
    options = {"max_turns": 80, "recovery": "up_to" if dense else "exact", "key_fires_lightning": dense}
    if dense:
        game = Omega.configure(players, {**options, "card_set": "fixture"}, library(DENSE, squares=12, eye=12))
    else:
        game = Omega.configure(players, options)
    rng, state, follower = Rng(players), game.initial_state(), PublicTracker(players)
    for _ in range(4_000):
        actor, before = state.actor(), state.clone()
        if actor == TERMINAL:
            break
        code = rng.weighted(state.chance()) if actor == CHANCE else preferred(rng, state)
        state.apply(code)
        for event in game.events(before, Seat(actor) if actor >= 0 else None, code, state, Viewer(-1)):
            follower.observe(event)
        follower.agrees(state)
    assert follower.turn > 10
    if follower.over is not None:
        assert list(follower.over.winners) == list(game.view(state, Viewer(-1)).winners)


def test_view_shows_the_rest_of_a_batch_while_the_loser_recovers() -> None:
    """The events of a capture come in its order, so that a front end can show each of them."""
    rng, state, kinds = Rng(3), Omega.configure(2, {"max_turns": 200}).initial_state(), list[str]()
    while state.actor() != TERMINAL and "egregor_lost" not in kinds:
        actor, before = state.actor(), state.clone()
        code = rng.weighted(state.chance()) if actor == CHANCE else preferred(rng, state)
        state.apply(code)
        events = state.game.events(before, Seat(actor) if actor >= 0 else None, code, state, Viewer(-1))
        kinds += [event.WhichOneof("event") for event in events]
    assert kinds.index("gain_declared") < kinds.index("egregor_gained") < kinds.index("egregor_lost")

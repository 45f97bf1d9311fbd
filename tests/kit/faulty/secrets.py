"""Faulty games for the checks of secrets."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from google.protobuf.message import Message

from cext.knowledge import Knowledge
from cext.random import Rng
from cext.state import TERMINAL, State
from gamepacks.api import (
    OMNISCIENT,
    Code,
    IllegalAction,
    Seat,
    Viewer,
)
from tests.kit.faulty.base import caught
from tests.support.games import guards, kuhn
from tests.support.games.guards import GuardsGame, GuardsState
from tests.support.games.kuhn import BOOK, CALL, CHECK, KuhnGame, KuhnState
from tests.support.games.sealed import BID, NONE, SealedGame, SealedState

# -- noninterference --------------------------------------------------------------------------------------------------

LEAK = "can distinguish two states that differ only in values unknown to it, by: "


@caught("noninterference", f"(seat .|the spectator) {LEAK}view")
class ViewShowsAllCards(KuhnGame):
    def view(self, state: State, viewer: Viewer) -> Message:
        return super().view(state, OMNISCIENT)


@caught("noninterference", f"the spectator {LEAK}view")
class SpectatorSeesASum(KuhnGame):
    """Reveals no card, but a fact about the cards by the size of the message."""

    def view(self, state: State, viewer: Viewer) -> Message:
        assert isinstance(state, KuhnState)
        view = super().view(state, viewer)
        if viewer == -1:
            cards = [card for hand in self.hands for card in state.zones.kinds(hand)]
            view.deck_size += 200 * (sum(cards) > 2)
        return view


class LeakyListState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        codes = super().legal(seat)
        cards = [card for hand in self.game.hands for card in self.zones.kinds(hand)]
        return codes[::-1] if sum(cards) % 2 else codes


@caught("noninterference", f"seat . {LEAK}legal list")
class OrderOfTheListTells(KuhnGame):
    state_type = LeakyListState


@caught("noninterference", f"seat . {LEAK}labels")
class LabelTells(KuhnGame):
    def label(self, state: State, code: Code) -> str:
        assert isinstance(state, KuhnState)
        if BOOK.verb(code) is CALL:
            best = max(card for hand in self.hands for card in state.zones.kinds(hand))
            return f"call (the best card is {best})"
        return super().label(state, code)


@caught("noninterference", f"seat . {LEAK}refusals")
class RefusalTells(KuhnGame):
    def why_illegal(self, state: KuhnState, code: int, seat: int = -1) -> IllegalAction:
        if state.actor() >= 0 and seat >= 0:
            return IllegalAction("NO", "no", best=max(card for hand in self.hands for card in state.zones.kinds(hand)))
        return super().why_illegal(state, code, seat)


@caught("noninterference", "the events of a step for (seat .|the spectator) depend on values unknown to it")
class DealIsToldToAll(KuhnGame):
    def events(self, before: State, seat: Seat | None, code: Code, after: State, viewer: Viewer) -> Sequence[Message]:
        return super().events(before, seat, code, after, OMNISCIENT)


@caught("noninterference", "the events of a step for (seat .|the spectator) depend on values unknown to it")
class CheckShowsTheCard(KuhnGame):
    def events(self, before: State, seat: Seat | None, code: Code, after: State, viewer: Viewer) -> Sequence[Message]:
        events = list(super().events(before, seat, code, after, viewer))
        if BOOK.verb(code) is CHECK:
            assert isinstance(before, KuhnState)
            card = before.zones.kinds(self.hands[before.actor()])[0]
            events.append(kuhn.messages.Event(dealt=kuhn.messages.Dealt(seat=before.actor(), card=card)))
        return events


# -- resampling -------------------------------------------------------------------------------------------------------


class TruthfulState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        return self.clone()


@caught("resampling", "depends on values unknown to it: the true values were drawn 64 of 64 times, but 0 times")
class ResamplesToTheTruth(KuhnGame):
    state_type = TruthfulState


class PeepingState(SealedState):
    def resample(self, viewer: int, rng: Rng) -> SealedState:
        return self.clone()


@caught("resampling", "depends on values unknown to it: the true values were drawn 64 of 64 times, but 0 times")
class ResamplesToTheTrueBids(SealedGame):
    state_type = PeepingState


class HalfTruthfulState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        return self.clone() if rng.below(2) else super().resample(viewer, rng)


@caught("resampling", "depends on values unknown to it")
class ResamplesOftenToTheTruth(KuhnGame):
    state_type = HalfTruthfulState


class GivesUpState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        other = super().resample(viewer, rng)
        # As if some of the draws did not fit and none were tried after them.
        return self.clone() if rng.below(8) == 0 else other


@caught("resampling", "depends on values unknown to it: with the same generator, two states")
class FallsBackToTheTruth(KuhnGame):
    state_type = GivesUpState


class CardTwiceState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        other = super().resample(viewer, rng)
        entries = [other.zones.knowledge.entry(item) for item in range(self.game.options.ranks)]
        for hand in self.game.hands:
            for item in other.zones.items[hand]:
                entries[item] = (0, *entries[item][1:])
        other.zones.knowledge = Knowledge(self.game.players + 1, entries)
        return other


@caught("resampling", "a resampled state is refused as a position: InvalidPosition")
class ResamplesACardTwice(KuhnGame):
    state_type = CardTwiceState


class CountingState(KuhnState):
    draws = itertools.count()

    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        return super().resample(viewer, Rng(next(self.draws)))


@caught("resampling", "resampling is not deterministic")
class ResamplesByItsOwnDice(KuhnGame):
    state_type = CountingState


class InPlaceState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        other = super().resample(viewer, rng)
        self.zones = other.zones.clone()
        return other


@caught("resampling", r"resample\(\) changes the state that it is called on")
class ResamplesInPlace(KuhnGame):
    state_type = InPlaceState


class JudgeGuessesState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        return super().resample(-1 if viewer == OMNISCIENT else viewer, rng)


@caught("resampling", "resampling for the omniscient viewer, from whom nothing is hidden, changes the state")
class JudgeGuesses(KuhnGame):
    state_type = JudgeGuessesState


class BrokenTwinState(SealedState):
    def resample(self, viewer: int, rng: Rng) -> SealedState:
        other = super().resample(viewer, rng)
        other.points = other.points[:1]
        return other


@caught("resampling", "a resampled state is refused as a position: InvalidPosition: points: 1 values for")
class ResamplesToNonsense(SealedGame):
    state_type = BrokenTwinState


# -- simultaneous -----------------------------------------------------------------------------------------------------


class FirstWinsState(SealedState):
    """The first bid counts for more: the points depend on the order of the bids."""

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        first = all(bid == NONE for bid in self.bids)
        super().apply_unchecked(code, seat)
        if first:
            self.coins[seat] = max(0, self.coins[seat] - 1)


@caught("simultaneous", "the result depends on the order in which decisions arrive")
class FirstComeFirstServed(SealedGame):
    state_type = FirstWinsState


@caught("simultaneous", "(seat .|the spectator) sees the decision of seat . before all others have decided")
class BidsLieOpen(SealedGame):
    def view(self, state: State, viewer: Viewer) -> Message:
        assert isinstance(state, SealedState)
        view = super().view(state, viewer)
        view.round += 100 * sum(bid for bid in state.bids if bid != NONE)
        return view


@caught("simultaneous", "the events of a step for (seat .|the spectator) depend on values unknown to it")
class BidsAreTold(SealedGame):
    def events(self, before: State, seat: Seat | None, code: Code, after: State, viewer: Viewer) -> Sequence[Message]:
        return super().events(before, seat, code, after, OMNISCIENT)


@caught("simultaneous", "knows the decision of seat . before all others have decided")
class CodesAreTold(SealedGame):
    def knows_code(self, before: State, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return True


class SecondThoughtsState(SealedState):
    def legal(self, seat: int = -1) -> list[int]:
        if seat < 0 or seat >= len(self.coins) or self.actor() == TERMINAL:
            return []
        return [BID(amount) for amount in range(self.coins[seat] + 1)]


@caught("simultaneous", "seat . has decided, but has legal actions")
class DecidesTwice(SealedGame):
    state_type = SecondThoughtsState


class OneIsEnoughState(SealedState):
    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.bids = [0] * len(self.bids)
        self.bids[seat] = NONE
        super().apply_unchecked(code, seat)


@caught("simultaneous", r"(the node ended with the decision of seat .|seat . has decided, but seats_to_act\(\))")
class OneDecisionEndsIt(SealedGame):
    state_type = OneIsEnoughState


# -- private-decisions ------------------------------------------------------------------------------------------------


@caught("private-decisions", "(seat .|the spectator) knows the code that declines a private decision")
class EverybodyKnowsWhoDeclined(GuardsGame):
    def knows_code(self, before: State, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return code == guards.LET() or super().knows_code(before, seat, code, viewer)


class DeclinedByNothingState(GuardsState):
    def decline_code(self) -> int:
        return guards.TAKE(1) if self.pending else -1


@caught("private-decisions", r"decline_code\(\) is -?[0-9]+, which is not legal")
class DeclinedByNothing(GuardsGame):
    state_type = DeclinedByNothingState


@caught("noninterference", "(the events of a step for (seat .|the spectator)|(seat .|the spectator) can distinguish)")
class TellsWhoIsAsked(GuardsGame):
    """Asks each seat that has a guard; the event of the blocked coins reveals which seat was asked."""

    def events(self, before: State, seat: Seat | None, code: Code, after: State, viewer: Viewer) -> Sequence[Message]:
        told = list(super().events(before, seat, code, after, viewer))
        if code == guards.LET():
            told.append(guards.messages.Event(blocked_by=0))
        return told

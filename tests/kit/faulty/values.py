"""Faulty games for the checks of states as values."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from google.protobuf.message import Message

from cext.state import State
from gamepacks.api import (
    OMNISCIENT,
    Code,
    Fault,
    Game,
    InvalidPosition,
    Seat,
    Viewer,
)
from tests.kit.faulty.base import FAULTS, caught
from tests.support.games import kuhn
from tests.support.games.kuhn import KuhnGame, KuhnState
from tests.support.games.sealed import NONE, SealedGame, SealedState

# -- determinism ------------------------------------------------------------------------------------------------------


@caught("determinism", "the same match differs in another process, with PYTHONHASHSEED=")
class OrderOfASet(KuhnGame):
    def label(self, state: State, code: Code) -> str:
        return super().label(state, code) + " " + "".join({*"abcdefghijkl"})


@caught("determinism", "the same match differs when it is played twice in one process")
class CountsItsViews(KuhnGame):
    views = itertools.count()

    def view(self, state: State, viewer: Viewer) -> Message:
        view = super().view(state, viewer)
        view.deal = next(self.views)
        return view


def local_game() -> type[Game[Any]]:
    class Local(KuhnGame):
        pass

    return Local


FAULTS.append(("determinism", local_game(), "the match cannot be played in another process: AttributeError"))


# -- round-trips ------------------------------------------------------------------------------------------------------


@caught("round-trips", "a restored state has other bytes")
class ForgetsBids(SealedGame):
    def restore(self, position: Any) -> SealedState:
        state = super().restore(position)
        state.bids = [NONE] * self.players
        return state


class SecretBonusState(SealedState):
    """Whether the next point counts double is in no position."""

    double = False

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        points = self.points[:]
        super().apply_unchecked(code, seat)
        if self.points != points and self.double:
            self.points = [2 * new - old for new, old in zip(self.points, points, strict=True)]
        self.double = not self.double

    def clone(self) -> SealedState:
        other = super().clone()
        other.double = self.double  # type: ignore[attr-defined]
        return other


@caught("round-trips", "a restored state has another future")
class PositionIsNotAll(SealedGame):
    state_type = SecretBonusState


class OtherBytesState(SealedState):
    def to_bytes(self) -> bytes:
        return super().to_bytes() + b"\x08\x01"


@caught("round-trips", r"to_bytes\(\) differs from the bytes of position\(\)")
class BytesAreNotThePosition(SealedGame):
    state_type = OtherBytesState


@caught("round-trips", "the game of a restored state is another object")
class RestoresForAnotherTable(SealedGame):
    def restore(self, position: Any) -> SealedState:
        state = super().restore(position)
        state.game = type(self)(self.players, self.options)
        return state


# -- clones -----------------------------------------------------------------------------------------------------------


class SharedState(SealedState):
    def clone(self) -> SealedState:
        other = super().clone()
        other.coins = self.coins
        return other


@caught("clones", "playing on a clone changes the original state")
class ClonesShareTheirCoins(SealedGame):
    state_type = SharedState


class SelfState(SealedState):
    def clone(self) -> SealedState:
        return self


@caught("clones", r"clone\(\) returns the state itself")
class CloneIsItself(SealedGame):
    state_type = SelfState


class ForgetfulState(SealedState):
    def clone(self) -> SealedState:
        other = super().clone()
        other.bids = [NONE] * len(self.bids)
        return other


@caught("clones", "a clone has other bytes")
class CloneForgetsBids(SealedGame):
    state_type = ForgetfulState


class PlainCloneState(SealedState):
    def clone(self) -> SealedState:
        return SealedState(self.game, self.round, self.coins[:], self.points[:], self.bids[:])


@caught("clones", r"clone\(\) returns a SealedState")
class CloneIsOfAnotherType(SealedGame):
    state_type = PlainCloneState


# -- explaining -------------------------------------------------------------------------------------------------------


@caught("explaining", r"view\(\), .* or resample\(\) changes the state")
class LookingCostsACoin(SealedGame):
    def label(self, state: State, code: Code) -> str:
        assert isinstance(state, SealedState)
        state.coins[0] = max(0, state.coins[0] - 1)
        return super().label(state, code)


@caught("explaining", "another view of 0")
class ViewChanges(KuhnGame):
    views = itertools.count()

    def view(self, state: State, viewer: Viewer) -> Message:
        view = super().view(state, viewer)
        view.deal = next(self.views)
        return view


@caught("explaining", r"view\(\) returns a Event")
class ViewIsAnEvent(KuhnGame):
    def view(self, state: State, viewer: Viewer) -> Message:
        return kuhn.messages.Event() if isinstance(state, KuhnState) and state.moves else super().view(state, viewer)


@caught("explaining", r"explain\(\) returns a NoneType")
class ExplainsByNothing(KuhnGame):
    def explain(self, view: Message, text: str) -> Any:
        return None if text else "Ask about a card."


@caught("explaining", r"parse_text\(\) returns a View")
class ReadsAView(KuhnGame):
    def parse_text(self, view: Message, text: str) -> Message | None:
        return view if text == "3, 4" else None


@caught("explaining", "the pack raised ValueError")
class ReadsNumbersOnly(KuhnGame):
    def parse_text(self, view: Message, text: str) -> Message | None:
        int(text or 0)
        return None


@caught("explaining", r"render_choices\(\) returns a list")
class DrawsLines(KuhnGame):
    def render_choices(self, view: Message, choices: Sequence[Message]) -> Any:
        return ["a line"]


@caught("explaining", r"describe_event\(\) returns a bytes")
class TellsBytes(KuhnGame):
    def describe_event(self, event: Message, view: Message | None = None) -> Any:
        return b"it happened"


@caught("explaining", r"events\(\) returns a View")
class EventIsAView(KuhnGame):
    def events(self, before: State, seat: Seat | None, code: Code, after: State, viewer: Viewer) -> Sequence[Message]:
        return [self.view(after, viewer)]


@caught("explaining", "the omniscient viewer does not know a code")
class JudgeKnowsNothing(KuhnGame):
    def knows_code(self, before: State, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return viewer != OMNISCIENT


@caught("explaining", "seat . does not know the code of its own action")
class ForgetsOwnAction(SealedGame):
    def knows_code(self, before: State, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return viewer == OMNISCIENT


# -- position-faults --------------------------------------------------------------------------------------------------


@caught("position-faults", "a modified position raised (IndexError|ValueError|ZeroDivisionError), not InvalidPosition")
class RestoresWithoutCare(SealedGame):
    def restore(self, position: Any) -> SealedState:
        state = SealedState(self, position.round, list(position.coins), list(position.points), list(position.bids))
        if state.bids[self.players - 1] > state.coins[self.players - 1]:
            raise InvalidPosition([Fault("bids", "too high")])
        return state


@caught("position-faults", "a modified position is accepted, but then raises")
class RestoresAnything(SealedGame):
    def restore(self, position: Any) -> SealedState:
        return SealedState(self, position.round, list(position.coins), list(position.points), list(position.bids))


@caught("position-faults", "the refusal of a modified position names no field")
class RefusesPositionsWithoutAField(SealedGame):
    def restore(self, position: Any) -> SealedState:
        try:
            return super().restore(position)
        except InvalidPosition:
            raise InvalidPosition([]) from None

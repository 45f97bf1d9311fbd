"""Faulty games for the checks of play and its end."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

from google.protobuf.message import Message

from cext.state import CHANCE, State
from gamepacks.api import (
    Code,
    IllegalAction,
    Seat,
)
from tests.kit.faulty.base import caught
from tests.support.games import kuhn, sealed
from tests.support.games.kuhn import CALL, DEAL, FOLD, KuhnGame, KuhnState
from tests.support.games.sealed import BID, NONE, SealedGame, SealedState

# -- legal-lists ------------------------------------------------------------------------------------------------------


class DoublingState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return super().legal(seat) * 2


@caught("legal-lists", "an action is repeated in the legal list")
class ListsTwice(KuhnGame):
    state_type = DoublingState


class HugeCodeState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return [code + (1 << 31) for code in super().legal(seat)]


@caught("legal-lists", "is not a code; it must be a whole number from 0 to")
class CodesOf33Bits(KuhnGame):
    state_type = HugeCodeState


class SecretMoveState(SealedState):
    def is_legal(self, code: int, seat: int = -1) -> bool:
        return super().is_legal(code, seat) or (bool(self.legal(seat)) and code == BID(self.coins[seat] + 1))


@caught("legal-lists", r"is not listed for seat ., but is_legal\(\) is True")
class TakesMoreThanItLists(SealedGame):
    state_type = SecretMoveState


class DeadOptionState(SealedState):
    def is_legal(self, code: int, seat: int = -1) -> bool:
        return super().is_legal(code, seat) and BID.unpack(code) != (0,)


@caught("legal-lists", r"is listed for seat ., but is_legal\(\) is False")
class ListsMoreThanItTakes(SealedGame):
    state_type = DeadOptionState


class EveryoneState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return super().legal(-1)


@caught("legal-lists", "seat . need not decide, but has 2 legal actions")
class ListsForEveryone(KuhnGame):
    state_type = EveryoneState


class WrongOwingState(KuhnState):
    def seats_to_act(self) -> int:
        return 0b11


@caught("legal-lists", r"no seat acts, but seats_to_act\(\) is 0b11")
class EverybodyOwes(KuhnGame):
    state_type = WrongOwingState


class ShuffledListState(SealedState):
    turns = itertools.count()

    def legal(self, seat: int = -1) -> list[int]:
        codes = super().legal(seat)
        return codes[::-1] if next(self.turns) % 2 else codes


@caught("legal-lists", "a second call gives another legal list of seat .")
class ListChanges(SealedGame):
    state_type = ShuffledListState


class StuckState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return [code for code in super().legal(seat) if code != CALL() and code != FOLD()]


@caught("legal-lists", "seat . must act but has no legal action")
class GetsStuck(KuhnGame):
    state_type = StuckState


@caught("legal-lists", r"sampled\(\) is True in a game that is not continuous")
class SamplesWithoutAGrid(KuhnGame):
    def sampled(self, state: State) -> bool:
        return True


@caught("legal-lists", r"is not listed for seat ., but is_legal\(\) is True")
class TakesMoreThanAListThatIsNoSample(SealedGame):
    capabilities = dataclasses.replace(SealedGame.capabilities, continuous=True)
    state_type = SecretMoveState

    def sampled(self, state: State) -> bool:
        return False


# -- illegal-input ----------------------------------------------------------------------------------------------------


class TakesAllState(KuhnState):
    def apply(self, code: int, seat: int = -1) -> None:
        if self.actor() >= 0 and not self.is_legal(code):
            code = self.legal()[0]
        super().apply(code, seat if self.actor() == CHANCE else -1)


@caught("illegal-input", "the illegal action -?[0-9]+ of seat -?[0-9]+ was accepted")
class TakesAnyCode(KuhnGame):
    state_type = TakesAllState


class AnySeatState(KuhnState):
    def is_legal(self, code: int, seat: int = -1) -> bool:
        return super().is_legal(code, -1 if self.actor() != CHANCE else seat)


@caught("illegal-input", "the illegal action -?[0-9]+ of seat -?[0-9]+ was accepted")
class TakesAnySeat(KuhnGame):
    state_type = AnySeatState


class CrashingState(SealedState):
    def is_legal(self, code: int, seat: int = -1) -> bool:
        return BID.unpack(code)[0] <= self.coins[seat] and self.bids[seat] == NONE


@caught("illegal-input", "the pack raised ValueError at tests.kit.faulty.play:[0-9]+: code -1 is not a BID")
class CrashesOnNonsense(SealedGame):
    state_type = CrashingState


@caught("illegal-input", "the reason 'not allowed' is not a word in capitals")
class ReasonInSmallLetters(KuhnGame):
    def why_illegal(self, state: KuhnState, code: int, seat: int = -1) -> IllegalAction:
        return IllegalAction("not allowed", "not allowed")


@caught("illegal-input", "the refusal NO has no message")
class RefusesWithoutAWord(KuhnGame):
    def why_illegal(self, state: KuhnState, code: int, seat: int = -1) -> IllegalAction:
        return IllegalAction("NO", "")


@caught("illegal-input", "changed the state")
class RefusalCostsACoin(SealedGame):
    def why_illegal(self, state: SealedState, code: int, seat: int = -1) -> IllegalAction:
        state.coins[0] = max(0, state.coins[0] - 1)
        return super().why_illegal(state, code, seat)


# -- typed-actions ----------------------------------------------------------------------------------------------------


@caught("typed-actions", "two choices have the same label")
class SameLabels(KuhnGame):
    def label(self, state: State, code: Code) -> str:
        return "move"


@caught("typed-actions", "the label '' is not one line of text")
class NoLabels(KuhnGame):
    def label(self, state: State, code: Code) -> str:
        return ""


@caught("typed-actions", "the message of action [0-9]+ parses to [0-9]+")
class ActionForgetsTheBid(SealedGame):
    def action(self, state: State, code: Code) -> Message:
        return sealed.messages.Action()


@caught("typed-actions", r"parse\(\) of Action\(.*\) raised ValueError, not IllegalAction")
class ParsesWithoutCare(SealedGame):
    def parse(self, state: State, seat: Seat, action: Any) -> Code:
        return BID(action.bid)


@caught("typed-actions", r"parse\(\) of Action\(.*\) returned -[0-9]+, which is not a code")
class ParsesToNoCode(SealedGame):
    def parse(self, state: State, seat: Seat, action: Any) -> Code:
        return Code(action.bid)


@caught("typed-actions", r"action\(\) returns a View")
class ActionIsAView(KuhnGame):
    def action(self, state: State, code: Code) -> Message:
        return kuhn.messages.View()


# -- chance -----------------------------------------------------------------------------------------------------------


class NeverState(KuhnState):
    def chance(self) -> list[tuple[int, int]]:
        return [(code, weight - (number == 0)) for number, (code, weight) in enumerate(super().chance())]


@caught("chance", "outcome 0 has the weight 0; it must be a whole number")
class WeightOfNothing(KuhnGame):
    state_type = NeverState


class HalfState(KuhnState):
    def chance(self) -> list[tuple[int, Any]]:
        return [(code, 0.5) for code, _ in super().chance()]


@caught("chance", "outcome 0 has the weight 0.5; it must be a whole number")
class WeightOfAHalf(KuhnGame):
    state_type = HalfState


class TwiceState(KuhnState):
    def chance(self) -> list[tuple[int, int]]:
        return super().chance() * 2


@caught("chance", "an outcome is repeated")
class OutcomeTwice(KuhnGame):
    state_type = TwiceState


class AlwaysState(KuhnState):
    def chance(self) -> list[tuple[int, int]]:
        return super().chance() or [(DEAL(0), 1)]


@caught("chance", "there are outcomes although chance does not act")
class ChanceAtAnyTime(KuhnGame):
    state_type = AlwaysState


# -- termination ------------------------------------------------------------------------------------------------------


@caught("termination", "the match has not ended after 5 plies")
class LongerThanItSays(SealedGame):
    capabilities = dataclasses.replace(SealedGame.capabilities, max_plies=5)


# -- returns ----------------------------------------------------------------------------------------------------------


class GenerousState(SealedState):
    def returns(self) -> tuple[float, ...]:
        return tuple(value / 2 + 0.25 for value in super().returns())


@caught("returns", r"returns \(.*\) do not add up to 0, but the card says zero_sum")
class EverybodyWins(SealedGame):
    state_type = GenerousState


class DoubleState(SealedState):
    def returns(self) -> tuple[float, ...]:
        return tuple(2 * value for value in super().returns())


@caught("returns", r"returns \(.*\) are not from -1.0 to 1.0")
class WinsTwice(SealedGame):
    state_type = DoubleState


class ShortState(SealedState):
    def returns(self) -> tuple[float, ...]:
        return super().returns()[1:]


@caught("returns", "it must be a tuple with a number for each of 2 seats")
class ForgetsASeat(SealedGame):
    state_type = ShortState


class NotANumberState(SealedState):
    def returns(self) -> tuple[float, ...]:
        return (float("nan"), *super().returns()[1:])


@caught("returns", r"returns\(\) gives \(nan")
class ReturnsNoNumber(SealedGame):
    state_type = NotANumberState

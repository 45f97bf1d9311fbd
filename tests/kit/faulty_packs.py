"""Deliberately faulty games, each with one fault that one check of the kit must name.

They are the tiny games of :mod:`tests.support.games` with something spoilt. ``FAULTS`` says which check catches which,
and with what words.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from time import process_time
from typing import Any, Literal

from google.protobuf.message import Message
from pydantic import Field

from cext.random import Rng
from cext.state import CHANCE, TERMINAL, State
from gamepacks.api import (
    OMNISCIENT,
    Code,
    Fault,
    Game,
    IllegalAction,
    InvalidPosition,
    Options,
    Seat,
    Viewer,
)
from tests.support.games import kuhn, sealed
from tests.support.games.kuhn import BET, BOOK, CALL, CHECK, DEAL, FOLD, KuhnGame, KuhnOptions, KuhnState
from tests.support.games.sealed import BID, NONE, SealedGame, SealedOptions, SealedState

FAULTS: list[tuple[str, type[Game[Any]], str]] = []
"""Name of the check, the faulty game, and what the failure must say (a regular expression)."""


def caught(check: str, words: str) -> Any:
    """Enter a faulty game into FAULTS."""

    def enter(game: type[Game[Any]]) -> type[Game[Any]]:
        FAULTS.append((check, game, words))
        return game

    return enter


# -- card --------------------------------------------------------------------------------------------------------------


@caught("card", "the card says chance=True, yet it was never seen in")
class SaysChance(SealedGame):
    capabilities = dataclasses.replace(SealedGame.capabilities, chance=True)


@caught("card", "the card says hidden=False, yet it was seen in")
class DeniesSecrets(KuhnGame):
    capabilities = dataclasses.replace(KuhnGame.capabilities, hidden=False)


@caught("card", "the card says simultaneous=False, yet it was seen in")
class DeniesSimultaneous(SealedGame):
    capabilities = dataclasses.replace(SealedGame.capabilities, simultaneous=False)


@caught("card", "the card says hidden=True, yet it was never seen in")
class SaysHidden(SealedGame):
    capabilities = dataclasses.replace(SealedGame.capabilities, hidden=True)


@caught("card", "the card says 2 to 4 players, yet 1 are taken")
class TakesAnyCount(SealedGame):
    @classmethod
    def configure(cls, players: int, options: Any = None) -> Any:
        return cls(players, cls.options_type.parse(options, players))


# -- options -----------------------------------------------------------------------------------------------------------


class MoreOptions(KuhnOptions):
    extra: int = Field(1, ge=0, le=5, description="Not in the message.")


@caught("options", r"options \['extra'\] are in the model or in the message, not in both")
class OptionWithoutField(KuhnGame):
    options_type = MoreOptions

    def options_message(self) -> Message:
        return kuhn.messages.Options(ranks=self.options.ranks, deals=self.options.deals)


class SilentOptions(SealedOptions):
    rounds: int = Field(3, ge=1, le=9)


@caught("options", "option rounds has no description")
class OptionWithoutDescription(SealedGame):
    options_type = SilentOptions


class TextOptions(SealedOptions):
    rounds: str = Field("", description="A number in the message.")  # type: ignore[assignment]


@caught("options", "option rounds is of kind text, which the message's field does not hold")
class OptionOfAnotherKind(SealedGame):
    options_type = TextOptions

    def __init__(self, players: int, options: Any) -> None:
        super().__init__(players, SealedOptions())

    def options_message(self) -> Message:
        return sealed.messages.Options()


class WildOrder(KuhnOptions):
    order: Literal["fixed", "rotating", "wild"] = Field("fixed", description="Who begins.")  # type: ignore[assignment]


@caught("options", r"option order: \['ORDER_WILD'\] are choices or enum values, not both")
class ChoiceWithoutValue(KuhnGame):
    options_type = WildOrder


class UnboundOptions(SealedOptions):
    coins: int = Field(10, ge=1, description="As many as you like.")


@caught("options", "option coins takes 1180591620717411303424, which its field of the message does not hold")
class OptionWithoutBound(SealedGame):
    options_type = UnboundOptions


class LaxOptions(SealedOptions):
    @classmethod
    def parse(cls, given: Any, players: int) -> Any:
        if isinstance(given, dict) and str(given.get("rounds", "1")) not in "123456789":
            return cls()
        return super().parse(given, players)


@caught("options", "option rounds takes the bad value")
class OptionTakesAnything(SealedGame):
    options_type = LaxOptions


class VagueOptions(SealedOptions):
    @classmethod
    def parse(cls, given: Any, players: int) -> Any:
        from gamepacks.api import InvalidOptions

        try:
            return super().parse(given, players)
        except InvalidOptions:
            raise InvalidOptions([Fault("options", "something is wrong")]) from None


@caught("options", "the bad value of no_such_option is refused without its name")
class RefusalWithoutName(SealedGame):
    options_type = VagueOptions


class ForgetfulOptions(SealedOptions):
    def to_message(self, message_type: type[Message]) -> Message:
        return message_type(rounds=self.rounds)


@caught("options", "options do not come back from their message")
class OptionForgotten(SealedGame):
    options_type = ForgetfulOptions


# -- determinism -------------------------------------------------------------------------------------------------------


@caught("determinism", "the same match differs in another process, with PYTHONHASHSEED=")
class OrderOfASet(KuhnGame):
    def label(self, state: State, code: Code) -> str:
        return super().label(state, code) + " " + "".join({*"abcdefghijkl"})


@caught("determinism", "the same match, played twice in one process, differs")
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


# -- round-trips -------------------------------------------------------------------------------------------------------


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


@caught("round-trips", "a restored state plays on differently")
class PositionIsNotAll(SealedGame):
    state_type = SecretBonusState


class OtherBytesState(SealedState):
    def to_bytes(self) -> bytes:
        return super().to_bytes() + b"\x08\x01"


@caught("round-trips", r"to_bytes\(\) are not the bytes of position\(\)")
class BytesAreNotThePosition(SealedGame):
    state_type = OtherBytesState


@caught("round-trips", "a restored state does not know its game")
class RestoresForAnotherTable(SealedGame):
    def restore(self, position: Any) -> SealedState:
        state = super().restore(position)
        state.game = type(self)(self.players, self.options)
        return state


# -- clones ------------------------------------------------------------------------------------------------------------


class SharedState(SealedState):
    def clone(self) -> SealedState:
        other = super().clone()
        other.coins = self.coins
        return other


@caught("clones", "playing on a clone changes the state it was made from")
class ClonesShareTheirCoins(SealedGame):
    state_type = SharedState


class SelfState(SealedState):
    def clone(self) -> SealedState:
        return self


@caught("clones", r"clone\(\) gives the state itself")
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


@caught("clones", r"clone\(\) gives a SealedState")
class CloneIsOfAnotherType(SealedGame):
    state_type = PlainCloneState


# -- legal-lists -------------------------------------------------------------------------------------------------------


class DoublingState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return super().legal(seat) * 2


@caught("legal-lists", "an action stands twice in the legal list")
class ListsTwice(KuhnGame):
    state_type = DoublingState


class HugeCodeState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return [code + (1 << 31) for code in super().legal(seat)]


@caught("legal-lists", "is no code: a whole number from 0 to")
class CodesOf33Bits(KuhnGame):
    state_type = HugeCodeState


class SecretMoveState(SealedState):
    def is_legal(self, code: int, seat: int = -1) -> bool:
        return super().is_legal(code, seat) or (bool(self.legal(seat)) and code == BID(self.coins[seat] + 1))


@caught("legal-lists", "is not listed for seat ., yet is_legal")
class TakesMoreThanItLists(SealedGame):
    state_type = SecretMoveState


class DeadOptionState(SealedState):
    def is_legal(self, code: int, seat: int = -1) -> bool:
        return super().is_legal(code, seat) and BID.unpack(code) != (0,)


@caught("legal-lists", "is listed for seat ., yet not is_legal")
class ListsMoreThanItTakes(SealedGame):
    state_type = DeadOptionState


class EveryoneState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return super().legal(-1)


@caught("legal-lists", "seat . owes=False, yet has 2 legal actions")
class ListsForEveryone(KuhnGame):
    state_type = EveryoneState


class WrongOwingState(KuhnState):
    def owing(self) -> int:
        return 0b11


@caught("legal-lists", r"no seat acts, yet owing\(\) is 0b11")
class EverybodyOwes(KuhnGame):
    state_type = WrongOwingState


class ShuffledListState(SealedState):
    turns = itertools.count()

    def legal(self, seat: int = -1) -> list[int]:
        codes = super().legal(seat)
        return codes[::-1] if next(self.turns) % 2 else codes


@caught("legal-lists", "the legal list of seat . changes when asked again")
class ListChanges(SealedGame):
    state_type = ShuffledListState


class StuckState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return [code for code in super().legal(seat) if code != CALL() and code != FOLD()]


@caught("legal-lists", "seat . owes a decision and has no legal action")
class GetsStuck(KuhnGame):
    state_type = StuckState


# -- illegal-input -----------------------------------------------------------------------------------------------------


class TakesAllState(KuhnState):
    def apply(self, code: int, seat: int = -1) -> None:
        if self.actor() >= 0 and not self.is_legal(code):
            code = self.legal()[0]
        super().apply(code, seat if self.actor() == CHANCE else -1)


@caught("illegal-input", "the illegal action -?[0-9]+ of seat -?[0-9]+ was taken")
class TakesAnyCode(KuhnGame):
    state_type = TakesAllState


class AnySeatState(KuhnState):
    def is_legal(self, code: int, seat: int = -1) -> bool:
        return super().is_legal(code, -1 if self.actor() != CHANCE else seat)


@caught("illegal-input", "the illegal action -?[0-9]+ of seat -?[0-9]+ was taken")
class TakesAnySeat(KuhnGame):
    state_type = AnySeatState


class CrashingState(SealedState):
    def is_legal(self, code: int, seat: int = -1) -> bool:
        return BID.unpack(code)[0] <= self.coins[seat] and self.bids[seat] == NONE


@caught("illegal-input", "the pack raised ValueError at tests.kit.faulty_packs:[0-9]+: code -1 is no BID")
class CrashesOnNonsense(SealedGame):
    state_type = CrashingState


class SmallReasonState(KuhnState):
    def why_illegal(self, code: int, seat: int = -1) -> IllegalAction:
        return IllegalAction("not allowed", "not allowed")


@caught("illegal-input", "the reason 'not allowed' is no word in capitals")
class ReasonInSmallLetters(KuhnGame):
    state_type = SmallReasonState


class MuteState(KuhnState):
    def why_illegal(self, code: int, seat: int = -1) -> IllegalAction:
        return IllegalAction("NO", "")


@caught("illegal-input", "the refusal NO has no message")
class RefusesWithoutAWord(KuhnGame):
    state_type = MuteState


class PunishingState(SealedState):
    def why_illegal(self, code: int, seat: int = -1) -> IllegalAction:
        self.coins[0] = max(0, self.coins[0] - 1)
        return super().why_illegal(code, seat)


@caught("illegal-input", "changed the state")
class RefusalCostsACoin(SealedGame):
    state_type = PunishingState


# -- typed-actions -----------------------------------------------------------------------------------------------------


@caught("typed-actions", "two choices have the same label")
class SameLabels(KuhnGame):
    def label(self, state: State, code: Code) -> str:
        return "move"


@caught("typed-actions", "the label '' is not one line of text")
class NoLabels(KuhnGame):
    def label(self, state: State, code: Code) -> str:
        return ""


@caught("typed-actions", "action [0-9]+ comes back from its message as [0-9]+")
class ActionForgetsTheBid(SealedGame):
    def action(self, state: State, code: Code) -> Message:
        return sealed.messages.Action()


@caught("typed-actions", r"parse\(\) of Action\(.*\) raised ValueError, not IllegalAction")
class ParsesWithoutCare(SealedGame):
    def parse(self, state: State, seat: Seat, action: Any) -> Code:
        return BID(action.bid)


@caught("typed-actions", r"parse\(\) of Action\(.*\) gave -[0-9]+, which is no code")
class ParsesToNoCode(SealedGame):
    def parse(self, state: State, seat: Seat, action: Any) -> Code:
        return Code(action.bid)


@caught("typed-actions", r"action\(\) gives a View")
class ActionIsAView(KuhnGame):
    def action(self, state: State, code: Code) -> Message:
        return kuhn.messages.View()


# -- chance ------------------------------------------------------------------------------------------------------------


class NeverState(KuhnState):
    def chance(self) -> list[tuple[int, int]]:
        return [(code, weight - (number == 0)) for number, (code, weight) in enumerate(super().chance())]


@caught("chance", "outcome 0 has weight 0, not a whole number from 1")
class WeightOfNothing(KuhnGame):
    state_type = NeverState


class HalfState(KuhnState):
    def chance(self) -> list[tuple[int, Any]]:
        return [(code, 0.5) for code, _ in super().chance()]


@caught("chance", "outcome 0 has weight 0.5, not a whole number from 1")
class WeightOfAHalf(KuhnGame):
    state_type = HalfState


class TwiceState(KuhnState):
    def chance(self) -> list[tuple[int, int]]:
        return super().chance() * 2


@caught("chance", "an outcome stands twice")
class OutcomeTwice(KuhnGame):
    state_type = TwiceState


class AlwaysState(KuhnState):
    def chance(self) -> list[tuple[int, int]]:
        return super().chance() or [(DEAL(0), 1)]


@caught("chance", "there are outcomes where chance does not act")
class ChanceAtAnyTime(KuhnGame):
    state_type = AlwaysState


# -- explaining --------------------------------------------------------------------------------------------------------


@caught("explaining", "explaining a state changes it")
class LookingCostsACoin(SealedGame):
    def label(self, state: State, code: Code) -> str:
        assert isinstance(state, SealedState)
        state.coins[0] = max(0, state.coins[0] - 1)
        return super().label(state, code)


@caught("explaining", "the view of 0 changes when asked again")
class ViewChanges(KuhnGame):
    views = itertools.count()

    def view(self, state: State, viewer: Viewer) -> Message:
        view = super().view(state, viewer)
        view.deal = next(self.views)
        return view


@caught("explaining", r"view\(\) gives a Event")
class ViewIsAnEvent(KuhnGame):
    def view(self, state: State, viewer: Viewer) -> Message:
        return kuhn.messages.Event() if isinstance(state, KuhnState) and state.moves else super().view(state, viewer)


@caught("explaining", r"events\(\) gives a View")
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


# -- leak-law ----------------------------------------------------------------------------------------------------------

LEAK = "can tell two states apart that differ only in what it cannot know, by: "


@caught("leak-law", f"(seat .|the spectator) {LEAK}view")
class ViewShowsAllCards(KuhnGame):
    def view(self, state: State, viewer: Viewer) -> Message:
        return super().view(state, OMNISCIENT)


@caught("leak-law", f"the spectator {LEAK}view")
class SpectatorSeesASum(KuhnGame):
    """Not a card, but enough to tell: the size of the message."""

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


@caught("leak-law", f"seat . {LEAK}legal list")
class OrderOfTheListTells(KuhnGame):
    state_type = LeakyListState


@caught("leak-law", f"seat . {LEAK}labels")
class LabelTells(KuhnGame):
    def label(self, state: State, code: Code) -> str:
        assert isinstance(state, KuhnState)
        if BOOK.verb(code) is CALL:
            best = max(card for hand in self.hands for card in state.zones.kinds(hand))
            return f"call (the best card is {best})"
        return super().label(state, code)


class LeakyRefusalState(KuhnState):
    def why_illegal(self, code: int, seat: int = -1) -> IllegalAction:
        if self.actor() >= 0 and seat >= 0:
            return IllegalAction(
                "NO", "no", best=max(card for hand in self.game.hands for card in self.zones.kinds(hand))
            )
        return super().why_illegal(code, seat)


@caught("leak-law", f"seat . {LEAK}refusals")
class RefusalTells(KuhnGame):
    state_type = LeakyRefusalState


@caught("leak-law", "(seat .|the spectator) learns from the events of a step what it cannot know")
class DealIsToldToAll(KuhnGame):
    def events(self, before: State, seat: Seat | None, code: Code, after: State, viewer: Viewer) -> Sequence[Message]:
        return super().events(before, seat, code, after, OMNISCIENT)


@caught("leak-law", "(seat .|the spectator) learns from the events of a step what it cannot know")
class CheckShowsTheCard(KuhnGame):
    def events(self, before: State, seat: Seat | None, code: Code, after: State, viewer: Viewer) -> Sequence[Message]:
        events = list(super().events(before, seat, code, after, viewer))
        if BOOK.verb(code) is CHECK:
            assert isinstance(before, KuhnState)
            card = before.zones.kinds(self.hands[before.actor()])[0]
            events.append(kuhn.messages.Event(dealt=kuhn.messages.Dealt(seat=before.actor(), card=card)))
        return events


# -- resampling --------------------------------------------------------------------------------------------------------


class TruthfulState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        return self.clone()


@caught("resampling", "depends on what it cannot know: what was true came out 64 times of 64, and 0 times")
class ResamplesToTheTruth(KuhnGame):
    state_type = TruthfulState


class HalfTruthfulState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        return self.clone() if rng.below(2) else super().resample(viewer, rng)


@caught("resampling", "depends on what it cannot know")
class ResamplesOftenToTheTruth(KuhnGame):
    state_type = HalfTruthfulState


class CardTwiceState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        other = super().resample(viewer, rng)
        for hand in self.game.hands:
            other.zones.items[hand] = [(0, *rest) for _, *rest in other.zones.items[hand]]  # type: ignore[misc]
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


@caught("resampling", "resampling changes the state it starts from")
class ResamplesInPlace(KuhnGame):
    state_type = InPlaceState


class JudgeGuessesState(KuhnState):
    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        return super().resample(-1 if viewer == OMNISCIENT else viewer, rng)


@caught("resampling", "resampling for the omniscient viewer changes a state it knows all of")
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


# -- simultaneous ------------------------------------------------------------------------------------------------------


class FirstWinsState(SealedState):
    """Who bids first counts for more: the order is kept in the points at once."""

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        first = all(bid == NONE for bid in self.bids)
        super().apply_unchecked(code, seat)
        if first:
            self.coins[seat] = max(0, self.coins[seat] - 1)


@caught("simultaneous", "the outcome depends on the order in which decisions arrive")
class FirstComeFirstServed(SealedGame):
    state_type = FirstWinsState


@caught("simultaneous", "(seat .|the spectator) sees what seat . has decided while others owe theirs")
class BidsLieOpen(SealedGame):
    def view(self, state: State, viewer: Viewer) -> Message:
        assert isinstance(state, SealedState)
        view = super().view(state, viewer)
        view.round += 100 * sum(bid for bid in state.bids if bid != NONE)
        return view


@caught("simultaneous", "learns from the events of a step what it cannot know")
class BidsAreTold(SealedGame):
    def events(self, before: State, seat: Seat | None, code: Code, after: State, viewer: Viewer) -> Sequence[Message]:
        return super().events(before, seat, code, after, OMNISCIENT)


@caught("simultaneous", "knows seat .'s decision while others owe theirs")
class CodesAreTold(SealedGame):
    def knows_code(self, before: State, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return True


class SecondThoughtsState(SealedState):
    def legal(self, seat: int = -1) -> list[int]:
        if seat < 0 or seat >= len(self.coins) or self.actor() == TERMINAL:
            return []
        return [BID(amount) for amount in range(self.coins[seat] + 1)]


@caught("simultaneous", "seat . has decided and has legal actions")
class DecidesTwice(SealedGame):
    state_type = SecondThoughtsState


class OneIsEnoughState(SealedState):
    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.bids = [0] * len(self.bids)
        self.bids[seat] = NONE
        super().apply_unchecked(code, seat)


@caught(
    "simultaneous", "(the node is over before seat .'s decision was the last one|seat . has decided and still owes)"
)
class OneDecisionEndsIt(SealedGame):
    state_type = OneIsEnoughState


# -- position-faults ---------------------------------------------------------------------------------------------------


@caught("position-faults", "a bent position raised (IndexError|ValueError|ZeroDivisionError), not InvalidPosition")
class RestoresWithoutCare(SealedGame):
    def restore(self, position: Any) -> SealedState:
        state = SealedState(self, position.round, list(position.coins), list(position.points), list(position.bids))
        if state.bids[self.players - 1] > state.coins[self.players - 1]:
            raise InvalidPosition([Fault("bids", "too high")])
        return state


@caught("position-faults", "a bent position is accepted, then raises")
class RestoresAnything(SealedGame):
    def restore(self, position: Any) -> SealedState:
        return SealedState(self, position.round, list(position.coins), list(position.points), list(position.bids))


@caught("position-faults", "a bent position is refused without a field")
class RefusesPositionsWithoutAField(SealedGame):
    def restore(self, position: Any) -> SealedState:
        try:
            return super().restore(position)
        except InvalidPosition:
            raise InvalidPosition([]) from None


# -- termination -------------------------------------------------------------------------------------------------------


@caught("termination", "no end after 5 plies, the card's max_plies")
class LongerThanItSays(SealedGame):
    capabilities = dataclasses.replace(SealedGame.capabilities, max_plies=5)


# -- returns -----------------------------------------------------------------------------------------------------------


class GenerousState(SealedState):
    def returns(self) -> tuple[float, ...]:
        return tuple(value / 2 + 0.25 for value in super().returns())


@caught("returns", r"returns \(.*\) do not add up to 0, as the card says")
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


@caught("returns", "not a number for each of 2 seats")
class ForgetsASeat(SealedGame):
    state_type = ShortState


class NotANumberState(SealedState):
    def returns(self) -> tuple[float, ...]:
        return (float("nan"), *super().returns()[1:])


@caught("returns", r"returns\(\) gives \(nan")
class ReturnsNoNumber(SealedGame):
    state_type = NotANumberState


# -- golden ------------------------------------------------------------------------------------------------------------


@caught("golden", "there is no golden replay; write some with: omnilude pack golden ungolden")
class NeverWritten(KuhnGame):
    id = "ungolden"


@caught("golden", "ply 0: the label of [0-9]+ was 'deal the .' and is 'get the .'")
class OtherWords(KuhnGame):
    def label(self, state: State, code: Code) -> str:
        return super().label(state, code).replace("deal", "get")


class HighAnteState(KuhnState):
    def bets(self) -> list[int]:
        return [bet + 1 for bet in super().bets()]


@caught("golden", r"ply [0-9]+: .* leads to another state: other rules need a new version")
class OtherRules(KuhnGame):
    state_type = HighAnteState


@caught("golden", "it is of rules version 1, not 2: write it anew")
class NewVersion(KuhnGame):
    rules_version = "2"


class NoBetState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return [code for code in super().legal(seat) if code != BET()]


@caught("golden", r"ply [0-9]+: [0-9]+ \(bet a chip\) is not legal any more")
class FewerMoves(KuhnGame):
    state_type = NoBetState


class NarrowOptions(Options):
    ranks: int = Field(4, ge=3, le=13, description="Cards.")
    order: Literal["fixed"] = Field("fixed", description="Who begins.")


@caught("golden", "its table is refused: deals: no such option")
class FewerOptions(KuhnGame):
    options_type = NarrowOptions


class SwappedReturnsState(KuhnState):
    def returns(self) -> tuple[float, ...]:
        return tuple(-value for value in super().returns())


@caught("golden", "it ended with .*, and does so no more")
class OtherWinner(KuhnGame):
    state_type = SwappedReturnsState


# -- speed -------------------------------------------------------------------------------------------------------------


class SlowState(KuhnState):
    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        until = process_time() + 0.02
        while process_time() < until:
            pass
        super().apply_unchecked(code, seat)


@caught("speed", "a step takes [0-9.]+ ms of processor time, more than 5 ms")
class Slow(KuhnGame):
    state_type = SlowState

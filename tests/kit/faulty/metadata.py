"""Faulty games for the checks of metadata."""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

from google.protobuf.message import Message
from pydantic import Field

from gamepacks.api import (
    Fault,
)
from tests.kit.faulty.base import caught
from tests.support.games import kuhn, sealed
from tests.support.games.kuhn import KuhnGame, KuhnOptions
from tests.support.games.sealed import SealedGame, SealedOptions

# -- card -------------------------------------------------------------------------------------------------------------


@caught("card", "the card says chance=True, but it was never seen in")
class SaysChance(SealedGame):
    capabilities = dataclasses.replace(SealedGame.capabilities, chance=True)


@caught("card", "the card says hidden=False, but it was seen in")
class DeniesSecrets(KuhnGame):
    capabilities = dataclasses.replace(KuhnGame.capabilities, hidden=False)


@caught("card", "the card says simultaneous=False, but it was seen in")
class DeniesSimultaneous(SealedGame):
    capabilities = dataclasses.replace(SealedGame.capabilities, simultaneous=False)


@caught("card", "the card says hidden=True, but it was never seen in")
class SaysHidden(SealedGame):
    capabilities = dataclasses.replace(SealedGame.capabilities, hidden=True)


@caught("card", "the card says 2 to 4 players, but 1 are accepted")
class TakesAnyCount(SealedGame):
    @classmethod
    def configure(cls, players: int, options: Any = None) -> Any:
        return cls(players, cls.options_type.parse(options, players))


# -- options ----------------------------------------------------------------------------------------------------------


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


@caught("options", "option rounds is of kind text, but the type of the message's field does not fit")
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


@caught("options", "option coins accepts 1180591620717411303424, which its field of the message cannot hold")
class OptionWithoutBound(SealedGame):
    options_type = UnboundOptions


class LaxOptions(SealedOptions):
    @classmethod
    def parse(cls, given: Any, players: int) -> Any:
        if isinstance(given, dict) and str(given.get("rounds", "1")) not in "123456789":
            return cls()
        return super().parse(given, players)


@caught("options", "option rounds accepts the bad value")
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


@caught("options", "the refusal of a bad value of no_such_option does not name the option")
class RefusalWithoutName(SealedGame):
    options_type = VagueOptions


class ForgetfulOptions(SealedOptions):
    def to_message(self, message_type: type[Message]) -> Message:
        return message_type(rounds=self.rounds)


@caught("options", "options are not restored from their message")
class OptionForgotten(SealedGame):
    options_type = ForgetfulOptions

"""Faulty games for the checks of golden replays and of speed."""

from __future__ import annotations

from time import process_time
from typing import Literal

from pydantic import Field

from cext.state import State
from gamepacks.api import (
    Code,
    Options,
)
from tests.kit.faulty.base import caught
from tests.support.games.kuhn import BET, KuhnGame, KuhnState

# -- golden -----------------------------------------------------------------------------------------------------------


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


@caught("golden", r"ply [0-9]+: .* leads to another state; changed rules need a new rules version")
class OtherRules(KuhnGame):
    state_type = HighAnteState


@caught("golden", "the replay is of rules version 1, not 2: write it again")
class NewVersion(KuhnGame):
    rules_version = "2"


class NoBetState(KuhnState):
    def legal(self, seat: int = -1) -> list[int]:
        return [code for code in super().legal(seat) if code != BET()]


@caught("golden", r"ply [0-9]+: [0-9]+ \(bet a chip\) is no longer legal")
class FewerMoves(KuhnGame):
    state_type = NoBetState


class NarrowOptions(Options):
    ranks: int = Field(4, ge=3, le=13, description="Cards.")
    order: Literal["fixed"] = Field("fixed", description="Who begins.")


@caught("golden", "the options of the replay are refused: deals: there is no such option")
class FewerOptions(KuhnGame):
    options_type = NarrowOptions


class SwappedReturnsState(KuhnState):
    def returns(self) -> tuple[float, ...]:
        return tuple(-value for value in super().returns())


@caught("golden", "the match no longer ends with .*")
class OtherWinner(KuhnGame):
    state_type = SwappedReturnsState


# -- speed ------------------------------------------------------------------------------------------------------------


class SlowState(KuhnState):
    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        until = process_time() + 0.02
        while process_time() < until:
            pass
        super().apply_unchecked(code, seat)


@caught("speed", "a step takes [0-9.]+ ms of processor time, more than 5 ms")
class Slow(KuhnGame):
    state_type = SlowState

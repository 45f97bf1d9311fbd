"""A tiny simultaneous game: each round all seats bid in secret; the one highest bid wins a point and is paid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from google.protobuf.message import Message
from pydantic import Field

from cext.random import Rng
from cext.state import SIMULTANEOUS, TERMINAL, State
from gamepacks.api.codes import CodeBook, Verb
from gamepacks.api.errors import Fault, IllegalAction, InvalidPosition
from gamepacks.api.game import Game, MessageTypes
from gamepacks.api.hooks import hookimpl
from gamepacks.api.options import Options
from gamepacks.api.outcome import share_win
from gamepacks.api.types import OMNISCIENT, Capabilities, Code, Seat, Viewer
from tests.support.protos import compile_proto

messages = compile_proto(Path(__file__).with_name("sealed.proto"))

BOOK = CodeBook(BID := Verb("BID", amount=8))
NONE = -1


class SealedOptions(Options):
    rounds: int = Field(3, ge=1, le=9, description="Rounds to play.")
    coins: int = Field(10, ge=1, le=200, multiple_of=1, description="Coins of each seat at the start.")


class SealedState(State):
    """``bids`` are those of the round so far, NONE where a seat has not bid."""

    __slots__ = ("bids", "coins", "points", "round")

    def __init__(self, game: SealedGame, round_: int, coins: list[int], points: list[int], bids: list[int]) -> None:
        self.game = game
        self.round = round_
        self.coins = coins
        self.points = points
        self.bids = bids

    def actor(self) -> int:
        return TERMINAL if self.round == self.game.options.rounds else SIMULTANEOUS

    def seats_to_act(self) -> int:
        if self.round == self.game.options.rounds:
            return 0
        return sum(1 << seat for seat, bid in enumerate(self.bids) if bid == NONE)

    def legal(self, seat: int = -1) -> list[int]:
        if seat < 0 or not self.seats_to_act() >> seat & 1:
            return []
        return [BID(amount) for amount in range(self.coins[seat] + 1)]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        (self.bids[seat],) = BID.unpack(code)
        if NONE not in self.bids:
            winner = winner_of(self.bids)
            if winner != NONE:
                self.points[winner] += 1
                self.coins[winner] -= self.bids[winner]
            self.bids = [NONE] * len(self.bids)
            self.round += 1

    def clone(self) -> SealedState:
        return type(self)(self.game, self.round, self.coins[:], self.points[:], self.bids[:])

    def returns(self) -> tuple[float, ...]:
        best = max(self.points)
        return share_win(len(self.points), [seat for seat, points in enumerate(self.points) if points == best])

    def resample(self, viewer: int, rng: Rng) -> SealedState:
        other = self.clone()
        if viewer != OMNISCIENT:
            for seat, bid in enumerate(self.bids):
                if bid != NONE and seat != viewer:
                    other.bids[seat] = rng.below(self.coins[seat] + 1)
        return other


def winner_of(bids: Sequence[int]) -> int:
    """Returns the seat of the one highest bid; NONE for a tie."""
    best = max(bids)
    return bids.index(best) if bids.count(best) == 1 else NONE


class SealedGame(Game[SealedOptions, SealedState]):
    id = "sealed"
    title = "Sealed bids"
    summary = "Each round all seats bid in secret; the one highest bid wins a point and is paid."
    rules_version = "1"
    capabilities = Capabilities(
        min_players=2, max_players=4, chance=False, hidden=False, simultaneous=True, max_plies=12
    )
    options_type = SealedOptions
    state_type: ClassVar[type[SealedState]] = SealedState
    messages = MessageTypes(messages.Options, messages.View, messages.Action, messages.Event, messages.Position)

    def initial_state(self) -> SealedState:
        n = self.players
        return self.state_type(self, 0, [self.options.coins] * n, [0] * n, [NONE] * n)

    def position(self, state: SealedState) -> Message:
        return messages.Position(round=state.round, coins=state.coins, points=state.points, bids=state.bids)

    def restore(self, position: Message) -> SealedState:
        faults = []
        for name, low, high in (
            ("coins", 0, self.options.coins),
            ("points", 0, self.options.rounds),
            ("bids", NONE, self.options.coins),
        ):
            values = list(getattr(position, name))
            if len(values) != self.players:
                faults.append(Fault(name, f"{len(values)} values for {self.players} seats"))
            faults += [
                Fault(f"{name}[{seat}]", f"{value} is not from {low} to {high}")
                for seat, value in enumerate(values)
                if not low <= value <= high
            ]
        if not 0 <= position.round <= self.options.rounds:
            faults.append(Fault("round", f"{position.round} is not from 0 to {self.options.rounds}"))
        elif sum(position.points) > position.round:
            faults.append(Fault("points", "more points than rounds were played"))
        if not faults:
            if NONE not in position.bids:
                faults.append(Fault("bids", "every seat has bid, so the round is over"))
            if position.round == self.options.rounds and any(bid != NONE for bid in position.bids):
                faults.append(Fault("bids", "a bid after the end"))
            faults += [
                Fault(f"bids[{seat}]", "more than the seat's coins")
                for seat, bid in enumerate(position.bids)
                if bid > position.coins[seat]
            ]
        if faults:
            raise InvalidPosition(faults)
        return self.state_type(self, position.round, list(position.coins), list(position.points), list(position.bids))

    def view(self, state: SealedState, viewer: Viewer) -> Message:
        seats_to_act = state.seats_to_act()
        return messages.View(
            round=state.round,
            coins=state.coins,
            points=state.points,
            own_bid=state.bids[viewer] if viewer >= 0 else NONE,
            seats_to_act=[seat for seat in range(self.players) if seats_to_act >> seat & 1],
        )

    def action(self, state: SealedState, code: Code) -> Message:
        return messages.Action(bid=BID.unpack(code)[0])

    def parse(self, state: SealedState, seat: Seat, action: Message) -> Code:
        if not BID.fits(action.bid):
            raise IllegalAction("NO_SUCH_BID", f"no bid can be {action.bid}")
        return BID(action.bid)

    def why_illegal(self, state: SealedState, code: int, seat: int = -1) -> IllegalAction:
        if state.actor() == TERMINAL:
            return IllegalAction("GAME_OVER", "the game is over")
        if not 0 <= seat < len(state.bids):
            return IllegalAction("NO_SUCH_SEAT", f"there is no seat {seat}", seat=seat)
        if state.bids[seat] != NONE:
            return IllegalAction("ALREADY_BID", f"seat {seat} has bid in this round", seat=seat)
        return IllegalAction("TOO_MUCH", f"seat {seat} has {state.coins[seat]} coins", coins=state.coins[seat])

    def label(self, state: SealedState, code: Code) -> str:
        return f"bid {BID.unpack(code)[0]}"

    def events(
        self, before: SealedState, seat: Seat | None, code: Code, after: SealedState, viewer: Viewer
    ) -> Sequence[Message]:
        assert seat is not None
        (bid,) = BID.unpack(code)
        placed = messages.Placed(seat=seat)
        if viewer in (seat, OMNISCIENT):
            placed.bid = bid
        events = [messages.Event(placed=placed)]
        if after.round > before.round:
            bids = [*before.bids]
            bids[seat] = bid
            events.append(messages.Event(shown=messages.Shown(bids=bids, winner=winner_of(bids))))
        return events

    def knows_code(self, before: SealedState, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return viewer in (seat, OMNISCIENT)


class SealedPack:
    """The pack, as an object for ``Registry.load(extra=[PACK])``."""

    @hookimpl
    def omnilude_games(self) -> list[type[SealedGame]]:
        return [SealedGame]


PACK = SealedPack()

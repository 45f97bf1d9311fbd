"""Goofspiel: the state and the game. Rule ids as in RULES.md."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from gamepacks import api
from goofspiel import game_pb2 as pb

BOOK = api.CodeBook(PRIZE := api.Verb("PRIZE", card=8), BID := api.Verb("BID", card=8), outcomes=[PRIZE])


class GoofspielOptions(api.Options):
    cards: int = Field(13, ge=3, le=13, description="Cards of each hand, and prizes (GOOF-SETUP-01).")
    ties: Literal["discard", "carry"] = Field("discard", description="A prize without a winner (GOOF-BID-03).")


class GoofspielState(api.MessageState[pb.Position]):
    def actor(self) -> int:
        if len(self.data.prizes) > len(self.data.seats[0].played):
            return api.SIMULTANEOUS
        return api.CHANCE if len(self.data.prizes) < self.game.options.cards else api.TERMINAL

    def seats_to_act(self) -> int:
        waiting = self.actor() == api.SIMULTANEOUS
        return sum(1 << number for number, seat in enumerate(self.data.seats) if waiting and not seat.bid)

    def chance(self) -> list[tuple[int, int]]:
        return [(PRIZE(card), 1) for card in self.unused(self.data.prizes)] if self.actor() == api.CHANCE else []

    def legal(self, seat: int = -1) -> list[int]:
        waiting = seat >= 0 and self.seats_to_act() >> seat & 1
        return [BID(card) for card in self.unused(self.data.seats[seat].played)] if waiting else []

    def unused(self, used: Sequence[int]) -> list[int]:
        return [card for card in range(1, self.game.options.cards + 1) if card not in used]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        if BOOK.verb(code) is PRIZE:
            self.data.prizes.extend(PRIZE.unpack(code))
            return
        (self.data.seats[seat].bid,) = BID.unpack(code)
        if not self.seats_to_act():
            for each in self.data.seats:
                each.played.append(each.bid)
                each.bid = 0

    def points(self) -> list[int]:
        """Points by seat: the one highest bid takes the prize (GOOF-BID-02)."""
        points, carried = [0] * self.game.players, 0
        for prize, *bids in zip(self.data.prizes, *(seat.played for seat in self.data.seats), strict=False):
            if bids.count(max(bids)) == 1:
                points[bids.index(max(bids))] += prize + carried
                carried = 0
            elif self.game.options.ties == "carry":
                carried += prize
        return points

    def returns(self) -> tuple[float, ...]:
        points = self.points()
        return api.share_win(len(points), [seat for seat, won in enumerate(points) if won == max(points)])

    def resample(self, viewer: int, rng: api.Rng) -> "GoofspielState":
        other = self.clone()
        for number, seat in enumerate(other.data.seats):
            if seat.bid and viewer not in (number, api.OMNISCIENT):
                seat.bid = rng.choice(self.unused(seat.played))
        return other


class Goofspiel(api.MessageGame[GoofspielOptions, GoofspielState]):
    id, title, rules_version = "goofspiel", "Goofspiel", "1"
    summary = "Bid cards in secret, all at once; the one highest bid takes the prize."
    capabilities = api.Capabilities(2, 5, chance=True, hidden=False, simultaneous=True, max_plies=13 * 6)
    options_type, state_type = GoofspielOptions, GoofspielState
    messages, codec = api.MessageTypes.of(pb), api.ActionCodec(BOOK, pb.Action)

    def start(self) -> pb.Position:
        return pb.Position(seats=[pb.Seat() for _ in range(self.players)])

    def faults(self, state: GoofspielState) -> Iterator[api.Fault]:
        prizes, seats = state.data.prizes, state.data.seats
        bids = {f"seats[{n}]": [*seat.played, *([seat.bid] if seat.bid else [])] for n, seat in enumerate(seats)}
        for field, cards in {"prizes": prizes, **bids}.items():
            if len({*cards} & {*state.unused(())}) != len(cards):
                yield api.Fault(field, f"must be different cards from 1 to {self.options.cards}")
        decided = {len(seat.played) for seat in seats}
        if len(seats) != self.players or len(decided) != 1 or len(prizes) - min(decided) not in (0, 1):
            yield api.Fault("seats", "must be one for each seat, with a card for each prize that is decided")
        elif all(seat.bid for seat in seats) or (len(prizes) in decided and any(seat.bid for seat in seats)):
            yield api.Fault("seats", "must have no bids if no prize is bid for, and not all of them")

    def view(self, state: GoofspielState, viewer: api.Viewer) -> pb.View:
        view = pb.View(position=state.data, points=state.points())
        for number, seat in enumerate(view.position.seats):
            seat.bid = seat.bid if viewer in (number, api.OMNISCIENT) else 0
        return view

    def events(self, before: GoofspielState, seat: Any, code: int, after: GoofspielState, viewer: int) -> list[Any]:
        bids = [bid for each in after.data.seats for bid in each.played[len(before.data.seats[0].played) :]]
        return [pb.Event(bids=bids)] if bids else []

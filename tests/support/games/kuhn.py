"""A tiny game with hidden cards and chance: Kuhn's poker, for two or three, on :mod:`gamepacks.api.zones`.

Each seat puts in a chip and is dealt one card that only it sees. From the first seat on, each checks or bets a chip;
after a bet each other seat calls or folds, once. The highest card of those who stay wins what is in.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

from google.protobuf.message import Message
from pydantic import Field

from cext.random import Rng
from cext.state import CHANCE, TERMINAL, State
from gamepacks.api.codes import CodeBook, Verb
from gamepacks.api.errors import Fault, IllegalAction, InvalidPosition
from gamepacks.api.game import Game, MessageTypes
from gamepacks.api.hooks import hookimpl
from gamepacks.api.options import Options
from gamepacks.api.types import OMNISCIENT, Capabilities, Code, Seat, Viewer
from gamepacks.api.zones import UNKNOWN, Deck, Layout, Pile, Zones
from tests.support.protos import compile_proto

messages = compile_proto(Path(__file__).with_name("kuhn.proto"))

BOOK = CodeBook(
    DEAL := Verb("DEAL", card=4),
    CHECK := Verb("CHECK"),
    BET := Verb("BET"),
    CALL := Verb("CALL"),
    FOLD := Verb("FOLD"),
)
LABELS = {CHECK: "check", BET: "bet a chip", CALL: "call", FOLD: "fold"}
MOVES = {CHECK: 1, BET: 2, CALL: 3, FOLD: 4}
"""By verb, the number in the Move enum."""
VERBS = {number: verb for verb, number in MOVES.items()}


class KuhnOptions(Options):
    ranks: int = Field(4, ge=3, le=13, description="Cards in the deck, one of each rank.")
    deals: int = Field(1, ge=1, le=5, description="Deals to play.")
    order: Literal["fixed", "rotating"] = Field("fixed", description="Who begins each deal.")

    def check(self, players: int) -> list[Fault]:
        if self.ranks <= players:
            return [
                Fault("ranks", f"{self.ranks} cards are too few for {players} players; allowed: from {players + 1}")
            ]
        return []


class KuhnState(State):
    """``moves`` are the verbs of this deal so far; all else of a deal follows from them."""

    __slots__ = ("deal", "moves", "winnings", "zones")

    def __init__(self, game: KuhnGame, deal: int, winnings: list[int], moves: list[Verb], zones: Zones) -> None:
        self.game = game
        self.deal = deal
        self.winnings = winnings
        self.moves = moves
        self.zones = zones

    def first_seat(self) -> int:
        return self.deal % self.game.players if self.game.options.order == "rotating" else 0

    def dealt(self) -> int:
        """Returns the number of seats that have their card."""
        return sum(self.zones.size(hand) for hand in self.game.hands)

    def mover(self) -> int:
        """Returns the seat that makes the next move of this deal; -1 when it is over."""
        return mover_after(self.moves, self.first_seat(), self.game.players)

    def actor(self) -> int:
        if self.deal == self.game.options.deals:
            return TERMINAL
        return CHANCE if self.dealt() < self.game.players else self.mover()

    def legal(self, seat: int = -1) -> list[int]:
        actor = self.actor()
        if actor < 0 or seat not in (-1, actor):
            return []
        return [CALL(), FOLD()] if BET in self.moves else [CHECK(), BET()]

    def chance(self) -> list[tuple[int, int]]:
        if self.actor() != CHANCE:
            return []
        return [(DEAL(card), weight) for card, weight in self.zones.outcomes(self.game.deck)]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        verb = BOOK.verb(code)
        if verb is DEAL:
            (card,) = DEAL.unpack(code)
            seat = (self.first_seat() + self.dealt()) % self.game.players
            hand = self.game.hands[seat]
            self.zones.draw(self.game.deck, hand, seen_by=0, kind=card)
            return
        self.moves.append(verb)
        if self.mover() < 0:
            self._settle()

    def bets(self) -> list[int]:
        bets = [1] * self.game.players
        for seat, verb in zip(move_order(self.moves, self.first_seat(), self.game.players), self.moves, strict=False):
            bets[seat] += verb in (BET, CALL)
        return bets

    def folded(self) -> list[bool]:
        folded = [False] * self.game.players
        for seat, verb in zip(move_order(self.moves, self.first_seat(), self.game.players), self.moves, strict=False):
            folded[seat] = verb is FOLD
        return folded

    def showdown(self) -> tuple[list[int], int]:
        """Returns the cards that are shown, by seat, and the winner of a deal whose moves are all made."""
        folded = self.folded()
        cards = [self.zones.kinds(hand)[0] for hand in self.game.hands]
        shown = [UNKNOWN if out else card for card, out in zip(cards, folded, strict=True)]
        return shown, shown.index(max(shown))

    def _settle(self) -> None:
        _, winner = self.showdown()
        bets = self.bets()
        for seat, bet in enumerate(bets):
            self.winnings[seat] -= bet
        self.winnings[winner] += sum(bets)
        for hand in self.game.hands:
            self.zones.move(hand, self.game.deck, seen_by=0, kind=self.zones.kinds(hand)[0])
        self.zones.shuffle(self.game.deck)
        self.moves = []
        self.deal += 1

    def clone(self) -> KuhnState:
        return type(self)(self.game, self.deal, self.winnings[:], self.moves[:], self.zones.clone())

    def returns(self) -> tuple[float, ...]:
        most = 2 * (self.game.players - 1) * self.game.options.deals
        return tuple(chips / most for chips in self.winnings)

    def resample(self, viewer: int, rng: Rng) -> KuhnState:
        other = self.clone()
        other.zones = self.zones.resample(Viewer(viewer), rng)
        return other


def move_order(moves: Sequence[Verb], first: int, players: int) -> list[int]:
    """Returns the seats that make the moves of a deal, as far as it is known: after a bet every other seat has one
    move."""
    until = moves.index(BET) + 1 if BET in moves else players
    count = until + players - 1 if BET in moves else players
    return [(first + number) % players for number in range(count)]


def mover_after(moves: Sequence[Verb], first: int, players: int) -> int:
    order = move_order(moves, first, players)
    return order[len(moves)] if len(moves) < len(order) else -1


class KuhnGame(Game[KuhnOptions, KuhnState]):
    id = "kuhn"
    title = "Kuhn's poker"
    summary = "One hidden card each, one round of betting: the smallest poker."
    rules_version = "1"
    capabilities = Capabilities(min_players=2, max_players=3, chance=True, hidden=True, simultaneous=False, max_plies=8)
    options_type = KuhnOptions
    state_type: ClassVar[type[KuhnState]] = KuhnState
    messages = MessageTypes(messages.Options, messages.View, messages.Action, messages.Event, messages.Position)

    def __init__(self, players: int, options: KuhnOptions) -> None:
        super().__init__(players, options)
        deck = Deck("deck", start=dict.fromkeys(range(options.ranks), 1))
        self.layout = Layout(players, [deck, *(Pile(f"hand/{seat}", owner=Seat(seat)) for seat in range(players))])
        self.deck = self.layout["deck"]
        self.hands = [self.layout[f"hand/{seat}"] for seat in range(players)]

    def initial_state(self) -> KuhnState:
        return self.state_type(self, 0, [0] * self.players, [], Zones(self.layout))

    def position(self, state: KuhnState) -> Message:
        moves = [MOVES[verb] for verb in state.moves]
        return messages.Position(deal=state.deal, winnings=state.winnings, moves=moves, zones=state.zones.dump())

    def restore(self, position: Message) -> KuhnState:
        faults = []
        try:
            zones = Zones.load(self.layout, position.zones)
        except InvalidPosition as error:
            faults += error.faults
        if not 0 <= position.deal <= self.options.deals:
            faults.append(Fault("deal", f"{position.deal} is not from 0 to {self.options.deals}"))
        if len(position.winnings) != self.players or sum(position.winnings) != 0:
            faults.append(Fault("winnings", f"one number for each of {self.players} seats, 0 in all"))
        most = 2 * (self.players - 1) * min(position.deal, self.options.deals)
        if any(abs(chips) > most for chips in position.winnings):
            faults.append(Fault("winnings", f"more than {most}"))
        if faults:
            raise InvalidPosition(faults)
        state = self.state_type(self, position.deal, list(position.winnings), [], zones)
        for number, move in enumerate(position.moves):
            verb = VERBS.get(move)
            if verb is None or verb() not in state.legal():
                raise InvalidPosition([Fault(f"moves[{number}]", f"{move} is not possible here")])
            state.moves.append(verb)
            if state.mover() < 0:
                raise InvalidPosition([Fault("moves", "the deal is over, yet its cards are not back in the deck")])
        self._check_hands(state)
        return state

    def _check_hands(self, state: KuhnState) -> None:
        """Hands fill up from the first seat on, a card each that its seat alone knows; the deck has no known cards."""
        dealt = state.dealt() if state.deal < self.options.deals else 0
        holders = [(state.first_seat() + number) % self.players for number in range(dealt)]
        for seat, hand in enumerate(self.hands):
            known = [state.zones.knowledge.known(item) for item in state.zones.items[hand]]
            if known != [self.layout.mask(Seat(seat))] * (seat in holders):
                raise InvalidPosition([Fault("zones", f"the hand of seat {seat} cannot be so")])
        if state.zones.items[self.deck] or state.zones.bottoms[self.deck] or state.zones.knowledge.regions:
            raise InvalidPosition([Fault("zones", "the deck cannot be so")])

    def view(self, state: KuhnState, viewer: Viewer) -> Message:
        hands = [state.zones.kinds(hand, viewer) for hand in self.hands]
        return messages.View(
            deal=state.deal,
            cards=[hand[0] if hand else UNKNOWN for hand in hands],
            winnings=state.winnings,
            bets=state.bets(),
            folded=state.folded(),
            deck_size=state.zones.size(self.deck),
            to_act=max(state.actor(), -1),
        )

    def action(self, state: KuhnState, code: Code) -> Message:
        return messages.Action(move=MOVES[BOOK.verb(code)])

    def parse(self, state: KuhnState, seat: Seat, action: Message) -> Code:
        verb = VERBS.get(action.move)
        if verb is None:
            raise IllegalAction("NO_SUCH_MOVE", "the action names no move")
        return verb()

    def why_illegal(self, state: KuhnState, code: int, seat: int = -1) -> IllegalAction:
        actor = state.actor()
        if actor == TERMINAL:
            return IllegalAction("GAME_OVER", "the game is over")
        if actor == CHANCE:
            return IllegalAction("CHANCE", "a card is to be dealt")
        if seat not in (-1, actor):
            return IllegalAction("NOT_YOUR_TURN", f"seat {actor} is to move", actor=actor)
        allowed = "call or fold" if BET in state.moves else "check or bet"
        return IllegalAction("NO_SUCH_MOVE", f"seat {actor} may {allowed}")

    def label(self, state: KuhnState, code: Code) -> str:
        verb = BOOK.verb(code)
        return f"deal the {DEAL.unpack(code)[0]}" if verb is DEAL else LABELS[verb]

    def events(
        self, before: KuhnState, seat: Seat | None, code: Code, after: KuhnState, viewer: Viewer
    ) -> Sequence[Message]:
        verb = BOOK.verb(code)
        if verb is DEAL:
            dealt = messages.Dealt(seat=(before.first_seat() + before.dealt()) % self.players)
            if viewer in (dealt.seat, OMNISCIENT):
                (dealt.card,) = DEAL.unpack(code)
            return [messages.Event(dealt=dealt)]
        moved = messages.Event(moved=messages.Moved(seat=before.mover(), move=MOVES[verb]))
        if after.deal == before.deal:
            return [moved]
        last = before.clone()
        last.moves.append(verb)
        cards, winner = last.showdown()
        return [moved, messages.Event(shown=messages.Shown(cards=cards, winner=winner))]

    def knows_code(self, before: KuhnState, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        if BOOK.verb(code) is not DEAL:
            return True
        return viewer in ((before.first_seat() + before.dealt()) % self.players, OMNISCIENT)


class KuhnPack:
    """The pack, as an object for ``Registry.load(extra=[PACK])``."""

    @hookimpl
    def omnilude_games(self) -> list[type[KuhnGame]]:
        return [KuhnGame]


PACK = KuhnPack()

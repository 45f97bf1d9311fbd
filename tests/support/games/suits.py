"""A tiny game with cards as data: they lie open, seats take one each in turn, and points decide.

Its own sets are ``house`` and ``short``; they lie beside this module as YAML.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from google.protobuf.message import Message
from pydantic import Field

from cext.random import Rng
from cext.state import TERMINAL, State
from gamepacks.api import (
    Capabilities,
    CardFile,
    CardFinding,
    CardGame,
    CardLibrary,
    CardModel,
    CardOptions,
    CardSource,
    Code,
    Fault,
    IllegalAction,
    InvalidOptions,
    InvalidPosition,
    MessageTypes,
    Seat,
    Viewer,
    hookimpl,
    share_win,
)
from gamepacks.api.scene import Scene
from tests.support.protos import compile_proto

MY_SET = """\
id: mine
game: suits
title: My suits
status: transcribed
cards:
  - {id: low, worth: [{kind: flat, n: 0}]}
  - {id: high, worth: [{kind: flat, n: 9}]}
  - {id: middle, worth: [{kind: flat, n: 4}]}
"""
"""A card set of one's own, as a file."""

messages = compile_proto(Path(__file__).with_name("suits.proto"))


class Flat(CardModel):
    """So many points."""

    kind: Literal["flat"]
    n: int = Field(ge=0, le=9)


class PerTaken(CardModel):
    """``n`` points for each card that the seat has."""

    kind: Literal["per-taken"]
    n: int = Field(ge=0, le=3)


Worth = Annotated[Flat | PerTaken, Field(discriminator="kind")]


class SuitCard(CardModel):
    """A card."""

    id: str = Field(min_length=1, max_length=20)
    worth: tuple[Worth, ...] = Field(min_length=1, max_length=2)
    art: str | None = Field(None, max_length=40)


class SuitCards(CardFile):
    """A card set of the game."""

    game: Literal["suits"]
    cards: tuple[SuitCard, ...] = Field(max_length=12)

    def check(self) -> Iterator[CardFinding]:
        ids = [card.id for card in self.cards]
        for number, name in enumerate(ids):
            if name in ids[:number]:
                yield CardFinding(("cards", number, "id"), "the id stands twice")
        if len(self.cards) < 3:
            yield CardFinding(("cards",), f"{len(self.cards)} cards are too few; from 3")

    def warnings(self) -> Iterator[CardFinding]:
        for number, card in enumerate(self.cards):
            if card.worth == (Flat(kind="flat", n=0),):
                yield CardFinding(("cards", number, "worth"), "worth nothing")


SOURCE = CardSource(
    "suits", SuitCards, *(Path(__file__).with_name(f"suits-{name}.yaml") for name in ("house", "short"))
)


class SuitsOptions(CardOptions):
    hands: int = Field(1, ge=1, le=2, description="Cards for each seat.")


class SuitsState(State):
    """``taken`` are indices of cards, in order."""

    __slots__ = ("taken",)

    def __init__(self, game: SuitsGame, taken: list[int]) -> None:
        self.game = game
        self.taken = taken

    def actor(self) -> int:
        over = len(self.taken) == self.game.players * self.game.options.hands
        return TERMINAL if over else len(self.taken) % self.game.players

    def legal(self, seat: int = -1) -> list[int]:
        if self.actor() < 0 or seat not in (-1, self.actor()):
            return []
        return [card for card in range(len(self.game.cards.cards)) if card not in self.taken]

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.taken.append(code)

    def points(self, seat: int) -> int:
        own = self.taken[seat :: self.game.players]
        worths = (worth for card in own for worth in self.game.cards.cards[card].worth)
        return sum(worth.n * (len(own) if worth.kind == "per-taken" else 1) for worth in worths)

    def clone(self) -> SuitsState:
        return SuitsState(self.game, self.taken[:])

    def returns(self) -> tuple[float, ...]:
        points = [self.points(seat) for seat in range(self.game.players)]
        return share_win(self.game.players, [seat for seat, got in enumerate(points) if got == max(points)])

    def resample(self, viewer: int, rng: Rng) -> SuitsState:
        return self.clone()


class SuitsGame(CardGame[SuitsOptions, SuitCards, SuitsState]):
    id = "suits"
    title = "Suits"
    summary = "Take the best of the cards that lie open."
    rules_version = "1"
    capabilities = Capabilities(
        min_players=2, max_players=3, chance=False, hidden=False, simultaneous=False, max_plies=6
    )
    options_type = SuitsOptions
    card_source: ClassVar[CardSource[Any]] = SOURCE
    messages = MessageTypes(messages.Options, messages.View, messages.Action, messages.Event, messages.Position)

    def __init__(self, players: int, options: SuitsOptions, library: CardLibrary[SuitCards]) -> None:
        super().__init__(players, options, library)
        if len(self.cards.cards) < players * options.hands:
            raise InvalidOptions(
                [Fault("card_set", f"{len(self.cards.cards)} cards are too few for {players} players")]
            )

    def initial_state(self) -> SuitsState:
        return SuitsState(self, [])

    def position(self, state: SuitsState) -> Message:
        return messages.Position(taken=[self.cards.cards[card].id for card in state.taken])

    def restore(self, position: Message) -> SuitsState:
        state = self.initial_state()
        ids = [card.id for card in self.cards.cards]
        for number, name in enumerate(position.taken):
            if name not in ids or ids.index(name) not in state.legal():
                raise InvalidPosition([Fault(f"taken[{number}]", "that card cannot be taken there")])
            state.taken.append(ids.index(name))
        return state

    def view(self, state: SuitsState, viewer: Viewer) -> Message:
        return messages.View(
            table=[card.id for number, card in enumerate(self.cards.cards) if number not in state.taken],
            points=[state.points(seat) for seat in range(self.players)],
            to_act=max(state.actor(), -1),
            cards=self.card_set.title,
        )

    def action(self, state: SuitsState, code: Code) -> Message:
        return messages.Action(card=self.cards.cards[code].id)

    def parse(self, state: SuitsState, seat: Seat, action: Message) -> Code:
        ids = [card.id for card in self.cards.cards]
        if action.card not in ids:
            raise IllegalAction("NO_SUCH_CARD", "no card has this id")
        return Code(ids.index(action.card))

    def why_illegal(self, state: SuitsState, code: int, seat: int = -1) -> IllegalAction:
        if state.actor() < 0:
            return IllegalAction("GAME_OVER", "the game is over")
        if seat not in (-1, state.actor()):
            return IllegalAction("NOT_YOUR_TURN", "another seat takes")
        return IllegalAction("NO_SUCH_CARD", "no such card lies there")

    def label(self, state: SuitsState, code: Code) -> str:
        return f"take {self.cards.cards[code].id}"

    def events(
        self, before: SuitsState, seat: Seat | None, code: Code, after: SuitsState, viewer: Viewer
    ) -> Sequence[Message]:
        return [messages.Event(seat=before.actor(), card=self.cards.cards[code].id)]

    def render(self, view: Message) -> str:
        return f"{view.cards}: {' '.join(view.table)}"

    def svg(self, view: Message) -> str:
        scene = Scene(100, 20 * len(view.table), "Suits")
        for row, card in enumerate(view.table):
            scene.group(f"card-{card}", card, y=20 * row).text(0, 16, card)
        return scene.svg()

    def targets(self, view: Message, choices: Sequence[Message]) -> Sequence[Sequence[str]]:
        return [(f"card-{choice.card}",) for choice in choices]


class SuitsPack:
    """The pack, as an object for ``Registry.load(extra=[PACK])``."""

    @hookimpl
    def omnilude_games(self) -> list[type[SuitsGame]]:
        return [SuitsGame]


PACK = SuitsPack()

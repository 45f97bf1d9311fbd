"""Scenarios for the tests of OMEGA: positions written by hand, and play in the words of the game.

::

    scenario = OmegaScenario(cards={"Anna": F(1, 3)}).at(Player("RRB", {"Anna": "VV"}), Player("V"), altar="RRK")
    scenario.place("R", "Anna")
    scenario.pull()
    assert scenario.load(0, "Anna") == "RRVV"

Runes are letters: B blue, G gold, R red, V green, W white, K black; ``"3R K"`` is ``"RRRK"``. Cards, and places of
Egregors, are named by the card. After each step the invariants of section 12 are asserted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import pytest

from cext.errors import IllegalAction
from cext.state import CHANCE
from gamepacks.api.codes import Verb
from gamepacks.api.types import SPECTATOR, Code, Seat, Viewer
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import BOOK, LETTERS, NONE
from gamepacks.omega.engine.rules import OmegaState
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.v1.omega_enums import FrameKind, Phase
from tests.omega.fixtures import library
from tests.omega.invariants import TOTALS, check_state, check_step

DEALT = {2: 9, 3: 15, 4: 20}


def counts(runes: str) -> list[int]:
    """Runes by type: ``"3R K"``."""
    found = [0] * 6
    for number, letter in re.findall(r"(\d*)([A-Z])", runes):
        found[LETTERS.index(letter)] += int(number or 1)
    return found


def letters(found: Sequence[int]) -> str:
    """Counts as letters, in canonical order."""
    return "".join(letter * count for letter, count in zip(LETTERS, found, strict=True))


@dataclass
class Player:
    """The possessions of a seat in a position."""

    hand: str = ""
    row: Mapping[str, str] = field(default_factory=dict)
    mask: str | None = None
    steps: int = 0
    prestige: int = 0
    lost: bool = False
    tokens: Sequence[str] = ()
    shown: str = ""


class OmegaScenario:
    """A game, its state, and the spectator's events of the last steps."""

    def __init__(
        self,
        players: int = 2,
        cards: Mapping[str, Any] | None = None,
        *,
        set_: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.game: Omega = Omega.configure(players, {"card_set": "fixture", **options}, library(cards, **(set_ or {})))
        self.state: OmegaState = self.game.initial_state()
        self.names = [card.name for card in self.game.cards.egregors]
        self.token_ids = [token.id for token in self.game.cards.arcana]
        self.events: list[pb.Event] = []

    # -- positions ---------------------------------------

    def position(
        self,
        *seats: Player,
        phase: Phase = Phase.MAIN,
        active: int | None = None,
        start: int | None = 0,
        turn: int | None = None,
        altar: str = "",
        bag: str | None = None,
        rest: int | None = None,
        gallery: Sequence[str | None] = ("Z38", "Z39", "Z40", "Z41"),
        deck: Iterable[str] | None = None,
        discard: Iterable[str] = (),
        tops: Sequence[str | None] | None = None,
        hidden: Sequence[int] | None = None,
        gained: str | None = None,
        used: Mapping[str, int] | None = None,
        new_blacks: Mapping[str, int] | None = None,
        **fields: Any,
    ) -> pb.Position:
        """Returns a position.

        With ``bag``, all runes that are named nowhere lie in the pyramid of the seat ``rest``. In the Draw phase the
        altar is filled up with runes of its first type.
        """
        if active is None:
            # After an announcement the last turn was that of the seat before the announcer.
            over = phase is Phase.OVER and fields.get("announcer") is not None
            active = (fields["announcer"] - 1) % self.game.players if over else 0
        if phase is Phase.DRAW:
            # The Upkeep has filled it.
            altar += altar[:1] * (6 - sum(counts(altar)))
        given = [*seats, *(Player() for _ in range(self.game.players - len(seats)))]
        hands = [counts(player.hand) for player in given]
        loads = [counts(load) for player in given for load in player.row.values()]
        left = [
            total - counts(altar)[type_] - sum(hand[type_] for hand in hands) - sum(load[type_] for load in loads)
            for type_, total in enumerate(TOTALS)
        ]
        if bag is not None:
            assert rest is not None, "say whose pyramid takes the rest"
            for type_, count in enumerate(counts(bag)):
                hands[rest][type_] += left[type_] - count
            left = counts(bag)
        in_play = [name for player in given for name in player.row] + [name for name in gallery if name]
        others = [name for name in self.names if name not in in_play]
        if deck is None:
            piles = [name for name in others if name not in set(discard)], [*discard]
        else:
            piles = [*deck], [name for name in others if name not in set(deck)]
        held = [token for player in given for token in player.tokens]
        first = self.token_ids[0]
        tops = [first] * 6 if tops is None else tops
        if hidden is None:
            hidden, missing = [6] * 6, len(held) - sum(token is None for token in tops)
            for stack in range(5, -1, -1):
                taken = min(6, max(missing, 0))
                hidden[stack] -= taken
                missing -= taken
        pool = [token.copies - list(tops).count(token.id) - held.count(token.id) for token in self.game.cards.arcana]
        if turn is None:
            # A turn that is late enough for all that a position may have.
            turn = 100 * self.game.players + 1 + (active - (start or 0)) % self.game.players
        values: dict[str, Any] = {
            "phase": phase,
            "start_seat": start,
            "active_seat": active,
            "dealt": DEALT[self.game.players],
            "turn": turn,
            "bag": left,
            "absent": [False] * 6,
            "altar": counts(altar),
            "gallery": [-1 if name is None else self.card(name) for name in gallery],
            "deck": sorted(map(self.card, piles[0])),
            "discard": sorted(map(self.card, piles[1])),
            "tops": [-1 if token is None else self.token_ids.index(token) for token in tops],
            "hidden": hidden,
            "pool": pool,
            "gain_used": gained is not None,
            "bag_was_empty": not sum(left),
            "batch": [0] * 6,
        }
        values.update(fields)
        position = pb.Position(**values)
        due = sum(frame.a for frame in position.frames if int(frame.kind) == FrameKind.ARCANA)
        for number, (player, hand) in enumerate(zip(given, hands, strict=True)):
            seat = position.seats.add(
                pyramid=hand,
                shown=counts(player.shown),
                lost_egregor=player.lost,
                prestige=player.prestige,
                steps=self._steps(player, due if number == active else 0),
                tokens=[self.token_ids.index(token) for token in player.tokens],
            )
            if player.mask is not None:
                seat.mask = [*player.row].index(player.mask)
            for name, load in player.row.items():
                seat.egregors.add(
                    card=self.card(name),
                    load=counts(load),
                    gained=name == gained,
                    used=(used or {}).get(name, 0),
                    old_blacks=counts(load)[5] - (new_blacks or {}).get(name, 0),
                )
        return position

    def _steps(self, player: Player, due: int) -> int:
        """The steps of a player, with the further rounds that its tokens, and those that are due, need."""
        steps = player.steps
        while self.game.rules.passings(0, steps) < len(player.tokens) + due:
            steps += self.game.rules.squares
        return steps

    def at(self, *seats: Player, **fields: Any) -> Self:
        """Go to a position; see position()."""
        self.state = self.game.restore(self.position(*seats, **fields))
        check_state(self.game, self.state)
        return self

    def begun(self) -> Self:
        """Play the set-up, with the first outcome of each chance node."""
        while self.state.turn == 0:
            self.take_code(self.state.chance()[0][0])
        return self

    # -- codes in words ---------------------------------------

    def card(self, name: str) -> int:
        return self.names.index(name)

    def code(self, verb: Verb, *words: str | int) -> Code:
        """A code from words: runes by letter, cards by name, tokens by id."""
        arguments: list[int] = []
        fields = verb.fields
        for name, word in zip(fields, words, strict=True):
            if isinstance(word, int):
                arguments.append(word)
            elif name == "type":
                arguments.append(LETTERS.index(word))
            elif name == "card":
                arguments.append(self.card(word))
            elif name == "token":
                arguments.append(self.token_ids.index(word))
            elif name == "slot":
                arguments.append(self.state.dump()["gallery"].index(self.card(word)))
            else:
                seat = arguments[0] if "seat" in fields else self.active
                arguments.append(self.row(seat).index(word))
        return verb(*arguments)

    def arguments_in_words(self, code: int) -> str:
        """The arguments of a code in words."""
        verb = BOOK.verb(code)
        words: list[str] = []
        numbers = verb.unpack(code)
        for name, number in zip(verb.fields, numbers, strict=True):
            if name == "type":
                words.append(LETTERS[number])
            elif name == "card":
                words.append(self.names[number])
            elif name == "token":
                words.append(self.token_ids[number])
            elif name == "slot":
                words.append(self.names[self.state.dump()["gallery"][number]])
            elif name == "place":
                words.append(self.row(numbers[0] if "seat" in verb.fields else self.active)[number])
            else:
                words.append(str(number))
        return " ".join(words)

    def offers(self, verb: Verb) -> set[str]:
        """The legal codes of a verb in words; a verb without arguments gives {""}."""
        return {self.arguments_in_words(code) for code in self.state.legal() if BOOK.verb(code) is verb}

    def outcomes(self) -> dict[str, int]:
        """The outcomes of the chance node in words, with weights."""
        return {self.arguments_in_words(code): weight for code, weight in self.state.chance()}

    def verbs(self) -> set[str]:
        """The verbs that are legal now."""
        return {BOOK.verb(code).name for code in self.state.legal()}

    # -- play ---------------------------------------

    def take_code(self, code: int) -> None:
        """Apply a code, keep its events, and assert the invariants."""
        before = self.state.clone()
        actor = self.state.actor()
        self.state.apply(code)
        check_step(before.dump(), check_state(self.game, self.state))
        seat = Seat(actor) if actor >= 0 else None
        self.events += self.game.events(before, seat, Code(code), self.state, SPECTATOR)

    def take(self, verb: Verb, *words: str | int) -> None:
        self.take_code(self.code(verb, *words))

    def batch(self, runes: str) -> None:
        for type_, count in enumerate(counts(runes)):
            for _ in range(count):
                self.take(codes.ADD, type_)
        self.take(codes.CONFIRM)

    def summon(self, name: str, runes: str) -> None:
        self.take(codes.SUMMON, name)
        self.batch(runes)

    def capture(self, seat: int, name: str, runes: str) -> None:
        self.take(codes.CAPTURE, seat, name)
        self.batch(runes)

    def place(self, rune: str, name: str) -> None:
        self.take(codes.PLACE, rune)
        self.take(codes.TARGET, name)

    def pair(self, first: str, second: str) -> None:
        self.take(codes.PAIR)
        self.take(codes.PAIR_FIRST, first)
        self.take(codes.PAIR_SECOND, second)

    def black(self, seat: int, name: str, rune: str) -> None:
        self.take(codes.PLACE_BLACK)
        self.take(codes.BLACK_TARGET, seat, name)
        self.take(codes.BLACK_TAKE, rune)

    def disown(self, name: str, runes: str = "") -> None:
        self.take(codes.DISOWN, name)
        self.recover(runes)

    def recover(self, runes: str) -> None:
        for rune in runes:
            self.take(codes.RECOVER, rune)

    def mask(self, name: str) -> None:
        self.take(codes.MASK, name)

    def book(self, name: str, power: int = 0) -> None:
        self.take(codes.USE_BOOK, name, power)

    def pull(self) -> None:
        self.take(codes.PULL)

    def decline(self) -> None:
        self.take(codes.DECLINE)

    def altar_rune(self, rune: str) -> None:
        """Take a rune of this type from the altar."""
        self.take(codes.TAKE_ALTAR, rune)

    def bag_rune(self, rune: str) -> None:
        """Draw one from the bag, which is of this type."""
        self.take(codes.TAKE_BAG)
        self.take(codes.BAG_RUNE, rune)

    def token(self, stack: int, flip: str | None = None) -> None:
        """Take a token; the next one of the stack is turned up."""
        self.take(codes.ARCANA, stack)
        if self.state.pending and self.state.actor() == CHANCE:
            self.take(codes.FLIP, flip or next(iter(self.outcomes())))

    def cycle(self, name: str, runes: str) -> None:
        for rune in runes:
            self.take(codes.CYCLE, name, rune)

    def look(self, *names: str) -> None:
        for name in names:
            self.take(codes.LOOK, name)

    def key(self, name: str | None) -> None:
        if name is None:
            self.take(codes.KEY_NONE)
        else:
            self.take(codes.KEY_TAKE, name)

    def end(self) -> None:
        self.take(codes.END_MAIN)

    def upkeep(self, altar: str = "", gallery: Sequence[str] = ()) -> None:
        """Apply the outcomes of an upkeep."""
        for rune in letters(counts(altar)):
            self.take(codes.ALTAR_RUNE, rune)
        for name in gallery:
            self.take(codes.GALLERY_CARD, name)

    def chance(self) -> None:
        """Apply the first outcome of each chance node up to the next decision or the end."""
        while self.state.actor() == CHANCE:
            self.take_code(self.state.chance()[0][0])

    def finish_turn(self) -> None:
        """End the main phase; tokens are taken from the first stack; chance is resolved."""
        if self.phase is Phase.DRAW:
            self.take_code(self.state.legal()[0])
            self.chance()
        self.end()
        self.chance()
        while self.state.pending is not None:
            self.take_code(self.state.legal()[0])
            self.chance()

    def refused(self, verb: Verb, *words: str | int, seat: int = -1) -> str:
        """The reason of a refusal; asserts that the state is unchanged."""
        return self.refused_code(self.code(verb, *words), seat)

    def refused_code(self, code: int, seat: int = -1) -> str:
        before = self.state.to_bytes()
        with pytest.raises(IllegalAction) as caught:
            self.state.apply(code, seat)
        assert self.state.to_bytes() == before
        assert code not in self.state.legal() or seat not in (-1, self.state.actor())
        assert caught.value.message
        return caught.value.reason

    # -- looking ---------------------------------------

    @property
    def phase(self) -> Phase:
        return Phase(self.state.phase)

    @property
    def active(self) -> int:
        return self.state.active

    @property
    def values(self) -> dict[str, Any]:
        return self.state.dump()

    def player(self, seat: int) -> dict[str, Any]:
        return self.values["seats"][seat]  # type: ignore[no-any-return]

    def hand(self, seat: int) -> str:
        return letters(self.player(seat)["pyramid"])

    def row(self, seat: int) -> list[str]:
        return [self.names[card["card"]] for card in self.player(seat)["egregors"]]

    def egregor(self, seat: int, name: str) -> dict[str, Any]:
        return self.player(seat)["egregors"][self.row(seat).index(name)]  # type: ignore[no-any-return]

    def load(self, seat: int, name: str) -> str:
        return letters(self.egregor(seat, name)["load"])

    def masked(self, seat: int) -> str | None:
        place = self.player(seat)["mask"]
        return None if place < 0 else self.row(seat)[place]

    def steps(self, seat: int) -> int:
        return int(self.player(seat)["steps"])

    def held(self, seat: int) -> int:
        return len(self.player(seat)["tokens"])

    @property
    def altar(self) -> str:
        return letters(self.values["altar"])

    def bag(self, rune: str) -> int:
        return int(self.values["bag"][LETTERS.index(rune)])

    @property
    def bag_size(self) -> int:
        return sum(self.values["bag"])

    @property
    def gallery(self) -> list[str | None]:
        return [None if card == NONE else self.names[card] for card in self.values["gallery"]]

    def pile(self, name: str) -> set[str]:
        """The deck, discard or looked pile."""
        return {self.names[card] for card in self.values[name]}

    def view(self, viewer: int = -1) -> pb.View:
        return self.game.view(self.state, Viewer(viewer))

    def kinds(self) -> list[str]:
        """The kinds of the events so far, in order."""
        return [kind for event in self.events if (kind := event.WhichOneof("event"))]

    def event(self, kind: str) -> Any:
        """The last event of a kind."""
        return [getattr(event, kind) for event in self.events if event.WhichOneof("event") == kind][-1]

    def points(self, seat: int) -> tuple[int, int, int, int]:
        """Runes, gold, Arcana and bonus, if the judgement were now."""
        return self.state.score_parts()[seat]

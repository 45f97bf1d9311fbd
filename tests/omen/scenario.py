"""Plays the worked examples of RULES.md: sets a position, takes steps by readable names, compares what is expected.

The notation is that of section 12.1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from cext.state import CHANCE, TERMINAL
from gamepacks.api import OMNISCIENT, Code, Seat, Viewer
from gamepacks.omen import codes
from gamepacks.omen.cards.program import NameKind
from gamepacks.omen.codes import BOOK, Pile, Trigger
from gamepacks.omen.engine.rules import OmenState
from gamepacks.omen.game import Omen, OmenGame, OmenTraits
from gamepacks.omen.v1.omen_enums import Benefit, Decision, EventType, Mode, Phase, Trait, UnitType
from tests.omen import positions, sets

SEATS = "AB"
_CHANCE = {
    Decision.CHANCE_UNIT: "deck",
    Decision.CHANCE_PRIZE: "prizes",
    Decision.CHANCE_WHIM: "whims",
    Decision.CHANCE_HAND: "random",
    Decision.CHANCE_DEAL: "dealt",
}
_WORDS = {
    codes.SURGE_END: "end", codes.FEAT_DONE: "done", codes.ROTATE_NONE: "none", codes.CHALLENGE_NONE: "none",
    codes.OFFER_NONE: "none", codes.STOP: "stop", codes.FATE_DRAW: "draw", codes.DO: "do", codes.SKIP: "skip",
    codes.PASS: "pass", codes.WHIM_DRAW: "draw", codes.WHIM_STOP: "stop", codes.WHIM_KEEP: "none",
}  # fmt: skip
_MODES = {Mode.FATE: "FATE", Mode.RECRUIT: "RECRUIT", Mode.PILFER: "PILFER"}


class Scenario:
    """A state of a game, played by labels such as ``A SURGE b6a``.

    ``draws`` says what chance does: outcomes to come, by "deck", "prizes", "whims", "random", "dealt"; where nothing
    is said, the first outcome is taken. Decisions with one option are taken here where they follow from hidden cards;
    with ``single`` all are, for games with the option auto_single off.
    """

    def __init__(
        self,
        game: OmenGame[Any, Any],
        state: OmenState,
        draws: Mapping[str, Sequence[str]] | None = None,
        *,
        single: bool = False,
        first: bool = False,
    ) -> None:
        self.game, self.state = game, state
        self.draws = {name: list(cards) for name, cards in (draws or {}).items()}
        self.events: list[Any] = []
        self.takes_single = single or game.config.auto_single
        self.first = first
        self.settle(())

    # -- steps -----------------------------------------------

    def play(self, *steps: str) -> Scenario:
        """Take the steps in order; chance nodes in between are resolved."""
        left = list(steps)
        while left:
            self.settle(left)
            step = left.pop(0)
            seat, kind, option = step.split(" ", 2)
            if kind == "MODE" and not (self.decision() or "").endswith("MODE"):
                continue  # A placeholder Beast without an ability can only be played, so nothing is asked.
            asked = self.decision()
            assert asked == f"{seat} {kind}" or self._must_decide(seat, kind), f"{step}: the decision is {asked}"
            choices = self._labels(SEATS.index(seat))
            wanted = _canonical(option)
            assert wanted in choices, f"{step}: there are {sorted(choices)}"
            self.take(choices[wanted], SEATS.index(seat))
        self.settle(())
        return self

    def _must_decide(self, seat: str, kind: str) -> bool:
        return Decision(self.state.decision[0]).name == kind and bool(
            self.state.seats_to_act() >> SEATS.index(seat) & 1
        )

    def settle(self, ahead: Sequence[str]) -> None:
        """Resolve chance nodes and single options, unless the next scripted step takes that option."""
        while True:
            actor = self.state.actor()
            if actor == CHANCE:
                self.take(self._outcome(), -1)
            elif actor >= 0 and self.takes_single and len(self.state.legal()) == 1:
                if (
                    ahead
                    and ahead[0].rsplit(" ", 1)[0] == self.decision()
                    and _canonical(ahead[0].split(" ", 2)[2]) in (self._labels(actor))
                ):
                    return
                self.take(self.state.legal()[0], actor)
            elif self.first and not ahead and self.state.decision[0] in (Decision.DRAFT, Decision.PICK, Decision.CITY):
                seat = actor if actor >= 0 else next(seat for seat in range(2) if self.state.seats_to_act() >> seat & 1)
                self.take(self.state.legal(seat)[0], seat)
            else:
                return

    def take(self, code: int, seat: int) -> None:
        """Apply a code and collect its events."""
        before = self.state.clone()
        self.state.apply(code, seat)
        mover = None if seat < 0 else Seat(seat)
        self.events += self.game.events(before, mover, Code(code), self.state, OMNISCIENT)

    def _outcome(self) -> int:
        if Decision(self.state.decision[0]) is Decision.CHANCE_DIE:
            thrown = self.draws.get("dice") or ["1"]
            return BOOK.verb(self.state.chance()[0][0])(int(thrown.pop(0)))
        outcomes = {self.card(BOOK.verb(code).unpack(code)[0]): code for code, _ in self.state.chance()}
        waiting = self.draws.get(_CHANCE.get(Decision(self.state.decision[0]), ""), [])
        for number, card in enumerate(waiting):
            if card in outcomes:
                del waiting[number]
                return outcomes[card]
        return self.state.chance()[0][0]

    # -- the pending decision --------------------------------

    def card(self, index: int) -> str:
        """A card's id."""
        return self.game.compiled.faces[index].id.removeprefix("fixture:")

    def decision(self) -> str | None:
        """The pending decision: ``A SURGE``; None at the end."""
        if self.state.actor() == TERMINAL:
            return None
        ask, seat = Decision(self.state.decision[0]), self.state.decision[1]
        if seat < 0:
            seats_to_act = "".join(SEATS[seat] for seat in range(2) if self.state.seats_to_act() >> seat & 1)
            return f"{seats_to_act} {ask.name}"
        return f"{SEATS[seat]} {ask.name}"

    def options(self, seat: int = -1) -> list[str]:
        """Returns the labels of the legal actions, in the order of the list."""
        return list(self._labels(self.state.actor() if seat < 0 else seat))

    def _labels(self, seat: int) -> dict[str, int]:
        return {self.label(code, seat): code for code in self.state.legal(seat)}

    def label(self, code: int, seat: int) -> str:
        """The label of a code in the notation of RULES.md."""
        verb = BOOK.verb(code)
        if verb in _WORDS:
            return _WORDS[verb]
        values = dict(zip(verb.fields, verb.unpack(code), strict=True))
        nth = f"#{values['nth']}" if values.get("nth") else ""
        if "card" in values and "city" in values:
            return f"{SEATS[values['seat']]}/{values['city'] + 1}/{self.card(values['card'])}{nth}"
        if "card" in values:
            return self.card(values["card"]) + nth
        if verb in (codes.WEALTH, codes.SPLIT):
            return Benefit(values["benefit"]).name.lower()
        if verb is codes.MODE:
            mode = Mode(values["mode"])
            return _MODES.get(mode, mode.name.lower())
        if "city" in values:
            return str(values["city"] + 1)
        if verb is codes.SPIRIT:
            return "ab"[values["which"]]
        if verb is codes.KEEP:
            kept = [
                self.card(card)
                for place, card in enumerate(self.state.keep_candidates())
                if values["units"] >> place & 1
            ]
            return _canonical("+".join(kept)) or "-"
        if verb is codes.CHOOSE:
            return str(values["option"] + 1)
        if verb is codes.COUNT:
            return str(values["n"])
        if verb is codes.NAME:
            return self._named(values["number"])
        assert verb is codes.ORDER, verb
        trigger, card, _ = self.state.queued_triggers()[values["number"]]
        kind = Trigger(trigger)
        return self.card(card) + ("" if kind in (Trigger.ABILITY, Trigger.SPIRIT) else f"/{kind.name}")

    def _named(self, number: int) -> str:
        what = self.state.named_kind()
        if what == NameKind.TYPE:
            return UnitType(number).name.lower()
        return Trait(number).name if what == NameKind.TRAIT else SEATS[number]

    # -- what there is ---------------------------------------

    def pile(self, pile: int) -> list[str]:
        """The ids of the cards of a pile; ``!`` marks an Enraged Unit."""
        if Pile.SIDE <= pile < Pile.RELIC:
            units = self.state.side((pile - Pile.SIDE) // 2, (pile - Pile.SIDE) % 2)
            return [self.card(card) + "!" * enraged for card, enraged, *_ in units]
        return [self.card(item[0]) for item in self.state.pile(int(pile))]

    def of_kind(self, seat: int, *kinds: str) -> list[str]:
        """Cards of a hand of some kinds."""
        faces = {face.id: face.kind.name.lower() for face in self.game.compiled.faces}
        return [card for card in self.pile(Pile.HAND + seat) if faces[card] in kinds]

    def sees(self, seat: int) -> list[str]:
        """The cards that a seat sees in the other hand."""
        view = self.game.view(self.state, Viewer(seat))
        return [slot.card.id for slot in view.players[1 - seat].hand if slot.HasField("card")]

    def count(self, event: str) -> int:
        """Number of events of a type (of coins: their sum)."""
        number = EventType[event.upper()]
        found = [happened for happened in self.events if happened.type == number]
        return sum(happened.count for happened in found) if event.endswith("_coins") else len(found)

    def value(self, key: str) -> Any:
        """The value that an example calls ``A.hand``, ``c1.B``, ``deck`` and so on."""
        numbers = self.state.counters()
        if match := re.fullmatch(r"([AB])\.(\w+)", key):
            return self._of_seat(SEATS.index(match[1]), match[2], numbers)
        if match := re.fullmatch(r"c(\d)\.(\w+)", key):
            return self._of_city(int(match[1]) - 1, match[2], numbers)
        over = self.state.phase == Phase.OVER
        match key:
            case "deck":
                return sum(len(self.pile(pile)) for pile in (Pile.DECK, Pile.TOP, Pile.BOTTOM))
            case "deck_top":
                top = self.pile(Pile.TOP) or self.pile(Pile.DECK)
                return top[0] if len(top) == 1 or self.pile(Pile.TOP) else None
            case "discard":
                return self.pile(Pile.DISCARD)
            case "supply":
                return numbers["supply"]
            case "first":
                return None if self.state.first is None else SEATS[self.state.first]
            case "relic_row":
                return self.pile(Pile.RELICS)
            case "piles":
                return {
                    SEATS[seat]: sum(len(self.pile(p + seat)) for p in (Pile.CHOSEN, Pile.DECK, Pile.HAND))
                    for seat in range(2)
                }
            case "box":
                return len(self.pile(Pile.OUT)) + len(self.pile(Pile.DRAFT_POOL))
            case "score":
                return dict(zip(SEATS, self.state.scores(), strict=True))
            case "over":
                return over
            case "winner":
                winners = self.state.winners() if over else ()
                return "shared" if len(winners) == 2 else SEATS[winners[0]] if winners else None
            case "ask":
                return self.decision()
            case "options":
                return self.options()
        raise KeyError(key)

    def _of_seat(self, seat: int, name: str, numbers: Mapping[str, Any]) -> Any:
        match name:
            case "coins":
                return numbers["coins"][seat]
            case "hand":
                return self.of_kind(seat, "unit")
            case "prizes":
                return self.of_kind(seat, "reward", "krater")
            case "whims":
                return self.of_kind(seat, "whim")
            case "sees":
                return self.sees(seat)
        pile = {
            "used": Pile.USED, "area": Pile.USED, "challenges": Pile.TAKEN, "feats_down": Pile.FEATS_DOWN,
            "feats_rotated": Pile.FEATS_ROTATED,
        }[name]  # fmt: skip
        return self.pile(pile + seat)

    def _of_city(self, city: int, name: str, numbers: Mapping[str, Any]) -> Any:
        if name in SEATS:
            return self.pile(Pile.SIDE + 2 * city + SEATS.index(name))
        if name == "strength":
            return [self.state.strength(city, seat) for seat in range(2)]
        if name == "left":
            return numbers["left"][city]
        if name == "razed":
            return numbers["razed"][city]
        assert name == "relic"
        for seat in range(2):
            for relic in self.pile(Pile.RELIC + 2 * city + seat):
                return [relic, SEATS[seat]]
        return None

    def check(self, **expected: Any) -> None:
        """Compare; keys as in :meth:`value`, with ``__`` for the dot (``A__hand``)."""
        self.expect({name.replace("__", "."): value for name, value in expected.items()})

    def expect(self, expected: Mapping[str, Any]) -> None:
        """Compare the results with those that an example expects."""
        for key, wanted in expected.items():
            if key == "count":
                for event, times in wanted.items():
                    assert self.count(event) == times, f"{event}: {self.count(event)} times, not {times}"
                continue
            found = self.value(key)
            if key == "options":
                assert sorted(found) == sorted(map(_canonical, wanted)), f"options: {found}, not {wanted}"
            elif isinstance(wanted, list) and not key.endswith((".relic", ".strength")):
                assert Counter(found) == Counter(wanted), f"{key}: {found}, not {wanted}"
            else:
                assert found == wanted, f"{key}: {found}, not {wanted}"


def _canonical(option: str) -> str:
    return "+".join(sorted(option.split("+"))) if "+" in option else option


def scenario(
    given: Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
    *,
    edition: str = "omega",
    extra: Mapping[str, list[dict[str, Any]]] | None = None,
    single: bool = False,
    first: bool = False,
    house: bool = False,
) -> Scenario:
    """A scenario in the position of an example.

    ``extra`` are further cards of the set, by section; ``house`` takes the cards of the house sets.
    """
    sketch = positions.Sketch(given, edition, options or {}, extra or {}, house)
    library = sets.library(*sketch.card_sets())
    game_type = Omen if edition == "omega" else OmenTraits
    chosen = {**(options or {}), **sketch.types(), "card_set": "fixture"}
    if chosen.get("combined"):
        chosen["more_sets"] = ["other"]
    if single:
        chosen["auto_single"] = False
    game = game_type.configure(2, chosen, library)
    assert isinstance(game, OmenGame)
    return Scenario(game, sketch.state(game), sketch.draws(), single=single, first=first)


def play(example: Mapping[str, Any], *, single: bool, house: bool = False) -> Scenario:
    """Play an example in the notation of section 12.1 and compare.

    With ``single`` decisions with one option are asked as well.
    """
    given = example.get("given", {})
    if single and given.get("step") == "war" and "count" in example["expect"]:
        # War begins with the Surge that ends, so that all of its events are heard.
        given = {**given, "step": "surge"}
    found = scenario(
        given,
        example.get("options"),
        edition=example.get("edition", "omega"),
        single=single,
        first=example.get("policy") == "first",
        house=house,
    )
    found.play(*example.get("do", ()))
    expected = dict(example["expect"])
    if not single:
        expected.pop("count", None)
    found.expect(expected)
    return found

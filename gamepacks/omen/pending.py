"""Checks of what is pending in a position: frames, abilities, queue, lasting changes, remembered events.

The seal of a position says that the engine has written it; these checks keep the interpreter within its tables even
where somebody has made a seal of his own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamepacks.api.errors import Fault
from gamepacks.omen.cards.nodes import Nodes
from gamepacks.omen.cards.program import MAX_VARS, Cause, Event, For, Target, What
from gamepacks.omen.codes import NONE
from gamepacks.omen.v1 import position_pb2 as pb

if TYPE_CHECKING:
    from gamepacks.omen.game import OmenGame

MOST = {"frames": 80, "abilities": 10, "queue": 48, "reactions": 32, "changes": 48, "later": 16, "log": 256}
(
    BLOCK, EFFECT, ABILITY, CARD, PLAY, OP, REACT, DRAIN, DRAW, PRIZE, WAR, RAZE, TRIUMPH, OFFER, PEEK, SPIRIT, FREE,
    CURSE, COST, WINDOW, MODE,
) = range(1, 22)  # fmt: skip
"""Kinds of frames, as in table.pxd."""
_ABOUT_A_CARD = frozenset({CARD, PLAY, OFFER, SPIRIT, FREE, CURSE, MODE})
_ABOUT_A_CITY = frozenset({PRIZE, WAR, RAZE})
_IN_AN_ABILITY = frozenset({BLOCK, EFFECT, ABILITY, COST})
_NONE_EVENT = ((NONE, NONE, NONE, NONE, 0, NONE, NONE, NONE, 0, 7, 0), 0)


class Pending:
    """Looks for faults of the pending part of a position and collects its values."""

    def __init__(self, game: OmenGame[Any, Any], position: pb.Position, values: dict[str, Any], tokens: int) -> None:
        self.rules = game.rules
        self.position = position
        self.turn = values
        self.tokens = tokens
        self.faults: list[Fault] = []
        self.nodes = Nodes.of(game.rules.program) if position.frames or position.changes or position.later else None

    def values(self) -> dict[str, Any]:
        """The values for dump.load."""
        position = self.position
        for name, most in MOST.items():
            if len(getattr(position, name)) > most:
                self.fault(name, f"at most {most}")
        if self.faults:
            return {}
        return {
            "frames": self._frames(),
            "abilities": [self._ability(f"abilities[{at}]", a) for at, a in enumerate(position.abilities)],
            "queue": [self._waiting(f"queue[{at}]", w) for at, w in enumerate(position.queue)],
            "reactions": [self._event(f"reactions[{at}]", e) for at, e in enumerate(position.reactions)],
            "changes": [self._change(f"changes[{at}]", c) for at, c in enumerate(position.changes)],
            "later": [self._put_off(f"later[{at}]", later) for at, later in enumerate(position.later)],
            "log": [self._event(f"log[{at}]", e) for at, e in enumerate(position.log)],
        }

    def fault(self, field: str, message: str) -> None:
        """Note one."""
        self.faults.append(Fault(field, message))

    def _require(self, holds: bool, field: str, message: str) -> None:
        if not holds:
            self.fault(field, message)

    def _numbers(self, field: str, given: Any, bounds: list[tuple[int, int]]) -> tuple[int, ...]:
        if len(given) != len(bounds):
            self.fault(field, f"{len(given)} numbers, not {len(bounds)}")
            return tuple(low for low, _ in bounds)
        for at, (value, (low, high)) in enumerate(zip(given, bounds, strict=True)):
            self._require(low <= value <= high or value == NONE == high, f"{field}[{at}]", f"not from {low} to {high}")
        return tuple(given)

    def _token(self, field: str, token: int) -> int:
        self._require(0 <= token <= self.tokens, field, "no such card")
        return token

    def _cards(self, field: str, cards: Any) -> list[int]:
        numbers = list(cards)
        rising = numbers == sorted(set(numbers)) and all(1 <= n <= self.tokens for n in numbers)
        self._require(rising, field, "must be numbers of cards, ascending")
        return numbers

    def _event(self, field: str, event: pb.PastEvent) -> tuple[tuple[int, ...], int]:
        if not event.values and not event.token:
            return _NONE_EVENT
        cards, cities = self.rules.card_count - 1, self.rules.cities - 1
        bounds = [(0, len(Event)), (0, 1), (0, 1), (0, cards), (0, 1), (0, cities), (0, 63), (0, 63), (0, len(Cause)),
                  (0, 7), (-30_000, 30_000)]  # fmt: skip
        numbers = tuple(event.values)
        if len(numbers) != len(bounds):
            self.fault(field, f"{len(numbers)} numbers, not {len(bounds)}")
            return _NONE_EVENT
        for at, (value, (low, high)) in enumerate(zip(numbers, bounds, strict=True)):
            self._require(low <= value <= high or value == NONE, f"{field}.values[{at}]", f"not from {low} to {high}")
        return numbers, self._token(f"{field}.token", event.token)

    # -- frames ----------------------------------------------

    def _frames(self) -> list[Any]:
        frames = []
        abilities = 0
        depth = len(self.position.frames)
        self._require(depth == 0 or 4 <= self.turn["phase"] < 12 or self.turn["phase"] == 1, "frames", "not here")
        for at, frame in enumerate(self.position.frames):
            field = f"frames[{at}]"
            small = (0, 255)
            bounds = [(1, MODE), (0, 20), small, small, small, small, small, (-1, 32_767), (-32_768, 32_767),
                      (0, len(self.rules.program.code))]  # fmt: skip
            numbers = self._numbers(f"{field}.values", frame.values, bounds)
            abilities += numbers[0] == ABILITY
            self._frame(field, numbers, frame, abilities)
            frames.append(
                (numbers, self._token(f"{field}.token", frame.token), self._event(f"{field}.event", frame.event),
                 self._cards(f"{field}.cards", frame.cards))
            )  # fmt: skip
        self._require(abilities == len(self.position.abilities), "abilities", "one for each frame of an ability")
        return frames

    def _frame(self, field: str, numbers: tuple[int, ...], frame: pb.PendingFrame, abilities: int) -> None:
        kind, _, seat, city, a, b, _, n, _, node = numbers
        nodes = self.nodes
        assert nodes is not None
        self._require(seat < 2, f"{field}.values[2]", "no seat")
        self._require(city == NONE or city < self.rules.cities, f"{field}.values[3]", "no City")
        if kind in _ABOUT_A_CITY:
            self._require(city != NONE, f"{field}.values[3]", "a City is wanted")
        if kind in _ABOUT_A_CARD:
            self._require(frame.token > 0, f"{field}.token", "a card is wanted")
        if kind in _IN_AN_ABILITY:
            self._require(abilities > 0, field, "no ability is being carried out")
        if kind == BLOCK:
            self._require(
                node in nodes.blocks and 0 <= n <= nodes.blocks.get(node, 0), f"{field}.values[9]", "no block"
            )
        elif kind == EFFECT:
            self._require(node in nodes.effects, f"{field}.values[9]", "no effect")
        elif kind == COST:
            self._require(node in nodes.costs and a <= 2, f"{field}.values[9]", "no cost")
        elif kind == CARD and a != 2:
            self._require(0 <= n < self.rules.ability_count, f"{field}.values[7]", "no ability")
        elif kind == SPIRIT:
            self._require(b < self.rules.card_count, f"{field}.values[5]", "no card")
        elif kind in (OP, REACT):
            self._require(a < len(Event) or kind == REACT, f"{field}.values[4]", "no event")
        elif kind == PEEK:
            self._require(a < 2, f"{field}.values[4]", "no deck")
        elif kind == WAR:
            self._require(0 <= numbers[8] <= 2, f"{field}.values[8]", "no winner")

    # -- the rest --------------------------------------------

    def _ability(self, field: str, ability: pb.PendingAbility) -> Any:
        rules = self.rules
        bounds = [
            (0, rules.card_count - 1),
            (0, 1),
            (0, 255),
            (0, len(Cause)),
            (0, rules.ability_count - 1),
            (0, 256),
            (0, 3),
        ]
        numbers = self._numbers(f"{field}.values", ability.values, bounds)
        self._require(numbers[2] == NONE or numbers[2] < rules.cities, f"{field}.values[2]", "no City")
        self._require(ability.token > 0, f"{field}.token", "a card is wanted")
        variables = []
        if len(ability.variables) != MAX_VARS:
            self.fault(f"{field}.variables", f"{len(ability.variables)}, not {MAX_VARS}")
        for at, variable in enumerate(ability.variables):
            place = f"{field}.variables[{at}]"
            self._require(variable.kind <= 4, f"{place}.kind", "no kind of variable")
            self._require(-30_000 <= variable.value <= 30_000, f"{place}.value", "out of range")
            variables.append((variable.kind, variable.value, self._cards(f"{place}.cards", variable.cards)))
        return (
            numbers, self._token(f"{field}.token", ability.token), self._event(f"{field}.event", ability.event),
            self._cards(f"{field}.revealed", ability.revealed), self._cards(f"{field}.looked", ability.looked),
            self._cards(f"{field}.present", ability.present), variables,
        )  # fmt: skip

    def _waiting(self, field: str, waiting: pb.Waiting) -> Any:
        rules = self.rules
        bounds = [(0, 3), (0, rules.card_count - 1), (0, 1), (0, 255), (-1, rules.ability_count - 1), (1, 48)]
        numbers = self._numbers(f"{field}.values", waiting.values, bounds)
        self._require(numbers[0] != 0 or numbers[4] >= 0, f"{field}.values[4]", "no ability")
        self._require(numbers[3] == NONE or numbers[3] < rules.cities, f"{field}.values[3]", "no City")
        self._require(waiting.token > 0, f"{field}.token", "a card is wanted")
        return numbers, self._token(f"{field}.token", waiting.token), self._event(f"{field}.event", waiting.event)

    def _change(self, field: str, change: pb.LastingChange) -> Any:
        assert self.nodes is not None
        most = len(self.rules.program.code)
        bounds = [(0, len(What)), (0, 3), (0, 255), (0, 1), (0, 1), (0, len(For)), (0, 255), (0, 2), (-30_000, 30_000),
                  (0, most)]  # fmt: skip
        numbers = self._numbers(f"{field}.values", change.values, bounds)
        if numbers[1] == Target.SEL:
            self._require(numbers[9] in self.nodes.sels, f"{field}.values[9]", "no selector")
        return numbers, self._token(f"{field}.token", change.token), self._token(f"{field}.source", change.source)

    def _put_off(self, field: str, later: pb.PutOff) -> Any:
        assert self.nodes is not None
        rules = self.rules
        bounds = [(0, rules.card_count - 1), (0, 1), (0, 255), (0, len(Cause)), (0, rules.ability_count - 1),
                  (0, len(rules.program.code))]  # fmt: skip
        numbers = self._numbers(f"{field}.values", later.values, bounds)
        self._require(numbers[2] == NONE or numbers[2] < rules.cities, f"{field}.values[2]", "no City")
        self._require(numbers[5] in self.nodes.blocks, f"{field}.values[5]", "no block")
        self._require(later.token > 0, f"{field}.token", "a card is wanted")
        return numbers, self._token(f"{field}.token", later.token)

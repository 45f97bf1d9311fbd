"""Iteration over the effects of cards, each with its path and the names bound there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from gamepacks.olomoc.cards import effects as ef
from gamepacks.olomoc.cards.models import Capacity, OlomocCards
from gamepacks.olomoc.cards.vocabulary import Cond, Selector, Val

EVENT_NAMES: Mapping[str, tuple[str, ...]] = {
    "activated": ("mover",),
    "activation_end": ("mover",),
    "entered_bloc": ("mover",),
    "move_announced": ("mover",),
    "moved": ("mover",),
    "entered": ("mover",),
    "left": ("mover",),
    "contact": ("mover",),
    "attack_declared": ("attacker", "defender"),
    "reaction": ("attacker", "defender"),
    "rolled": ("attacker", "defender"),
    "attack_end": ("attacker", "defender"),
    "wounded": ("victim", "killer"),
    "out": ("victim", "killer"),
    "noirceur": ("victim",),
    "stunned": ("victim",),
    "used": ("mover",),
    "coordinated": ("main", "mover"),
}
"""The names that the moment of a trigger binds."""
_WHO_FIELDS = {
    "who", "of", "contact", "sight", "zone_of", "free", "engaged", "engages", "on_bloc", "in_cover", "active", "near",
    "element", "target",
}  # fmt: skip
_PLAYER_FIELDS = {"player", "by", "priority", "ministry_revealed"}


@dataclass(frozen=True, slots=True)
class Source:
    """A list of effects of a card, and the capacity or card that runs it."""

    table: str
    card: str
    field: str
    do: tuple[ef.Effect, ...]
    capacity: Capacity | None
    bearer: bool
    """Whether a rouage bears it, so that ``self`` is bound."""
    owned: bool
    """Whether it has an owner, so that selectors mean allies by default."""
    anywhere: bool
    """Whether selectors include rouages off the board by default (OLO-MECH-04)."""

    def names(self) -> dict[str, str]:
        """The names bound at its start, each with its side (\"\" if unknown)."""
        bound = {"self": "self"} if self.bearer else {}
        if self.capacity:
            if self.capacity.target:
                bound["target"] = side_of(self.capacity.target, self)
            if self.capacity.on:
                bound |= dict.fromkeys(EVENT_NAMES.get(self.capacity.on.event, ()), "")
        return bound


@dataclass(frozen=True, slots=True)
class Site:
    """An effect with its path and the names bound there."""

    source: Source
    effect: ef.Effect
    path: str
    names: Mapping[str, str]
    values: frozenset[str]
    """The values that are bound: ``successes``, ``face``."""
    top: ef.Effect
    """The effect of the card's top-level list that contains it."""


def sources(cards: OlomocCards) -> Iterator[Source]:
    """Yield every list of effects of a set."""
    for table in ("profiles", "hostiles", "gear", "agendas"):
        for card in getattr(cards, table):
            for number, capacity in enumerate(card.capacities):
                yield Source(table, card.id, f"capacities[{number}]", capacity.do, capacity, True, True, False)
    for agenda in cards.agendas:
        for number, rule in enumerate(agenda.rules):
            yield Source("agendas", agenda.id, f"rules[{number}]", rule.do, rule, False, False, False)
    for ministry in cards.ministries:
        yield Source("ministries", ministry.id, "", ministry.do, None, False, True, False)
    for artefact in cards.artefacts:
        yield Source("artefacts", artefact.id, "", artefact.do, None, False, False, artefact.scope == "all")


def side_of(selector: Selector, source: Source) -> str:
    """Returns the side that a selector means; "" if it can be an enemy."""
    if selector.kind != "rouage":
        return "none"
    side = selector.side or ("ally" if source.owned else "any")
    return "ally" if side == "ally" else ""


def sites(source: Source) -> Iterator[Site]:
    """Yield every effect of a list, including nested ones, depth first."""
    prefix = f"{source.field}.do" if source.field else "do"
    yield from _sites(source, source.do, prefix, source.names(), frozenset(), None)


def _sites(
    source: Source,
    do: tuple[ef.Effect, ...],
    path: str,
    names: dict[str, str],
    values: frozenset[str],
    top: ef.Effect | None,
) -> Iterator[Site]:
    names = dict(names)
    for number, effect in enumerate(do):
        here = f"{path}[{number}]"
        yield Site(source, effect, here, dict(names), values, top or effect)
        for part, inner, bound, known in _nested(source, effect):
            yield from _sites(source, inner, f"{here}.{part}", names | bound, values | known, top or effect)
        if isinstance(effect, ef.PickOne):
            side = side_of(effect.of, source)
            names["picked"] = side
            if effect.bind:
                names[effect.bind] = side


def _nested(
    source: Source, effect: ef.Effect
) -> Iterator[tuple[str, tuple[ef.Effect, ...], dict[str, str], frozenset[str]]]:
    """Yield the lists inside an effect, with the additional names and values that are bound in them."""
    none: frozenset[str] = frozenset()
    if isinstance(effect, ef.Each):
        yield "do", effect.do, {effect.bind: side_of(effect.of, source)}, none
    elif isinstance(effect, ef.Roll):
        yield "then", effect.then, {}, frozenset(("successes",))
        yield "else", effect.otherwise, {}, frozenset(("successes",))
    elif isinstance(effect, ef.If):
        yield "then", effect.then, {}, none
        yield "else", effect.otherwise, {}, none
    elif isinstance(effect, ef.Choose):
        for number, option in enumerate(effect.options):
            yield f"options[{number}].do", option.do, {}, none
    elif isinstance(effect, ef.Die):
        yield "then", effect.then, {}, frozenset(("face",))
        for number, part in enumerate(effect.table):
            yield f"table[{number}]", part, {}, frozenset(("face",))


def operands(model: BaseModel, path: str = "") -> Iterator[tuple[str, str, str]]:
    """Yield the references of a model outside its lists of effects: (path, kind, text), kind ``name`` or ``value``."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        here = f"{path}.{name.rstrip('_')}".lstrip(".")
        if value is None or name in ("do", "then", "otherwise", "table", "options"):
            continue
        if isinstance(model, Val) and name in ("successes", "face"):
            yield path, "value", name
        elif isinstance(model, Cond) and name in ("contact", "within", "rank_cmp", "same"):
            yield from ((here, "name", part) for part in _texts(name, value))
        elif isinstance(value, str):
            if name in _PLAYER_FIELDS and value.startswith("of("):
                yield here, "name", value[3:-1]
            elif name in _WHO_FIELDS and not (isinstance(model, ef.On) and value == "any"):
                yield here, "name", value
        elif isinstance(value, BaseModel):
            yield from operands(value, here)
        elif isinstance(value, tuple):
            for number, part in enumerate(value):
                if isinstance(part, BaseModel):
                    yield from operands(part, f"{here}[{number}]")


def _texts(name: str, value: tuple[object, ...]) -> list[str]:
    parts = (value[0], value[2]) if name == "rank_cmp" else value[:2]
    return [str(part) for part in parts]


def selectors(model: BaseModel, path: str = "") -> Iterator[tuple[str, Selector]]:
    """Yield every selector in a model outside its lists of effects."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        here = f"{path}.{name.rstrip('_')}".lstrip(".")
        if name in ("do", "then", "otherwise", "table", "options"):
            continue
        for number, part in enumerate(value if isinstance(value, tuple) else (value,)):
            if isinstance(part, BaseModel):
                place = f"{here}[{number}]" if isinstance(value, tuple) else here
                if isinstance(part, Selector):
                    yield place, part
                yield from selectors(part, place)

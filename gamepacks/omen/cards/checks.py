"""Checks of a card's abilities that the models cannot express (RULES.md, section 11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

from gamepacks.api.cards import CardFinding, CardModel
from gamepacks.omen.cards import language, queries
from gamepacks.omen.cards.grammar import CARD_WHATS, SEAT_WHATS
from gamepacks.omen.cards.language import Ability
from gamepacks.omen.cards.program import BEFORE, MAX_VARS
from gamepacks.omen.cards.queries import EventFilter, Selector, TraitName, TypeName
from gamepacks.omen.cards.usage import HIDDEN_EVENTS, Place, alias, unread

MAX_DEPTH = 8
MAX_EFFECTS = 40
"""Effects of one card (V-15)."""

_HERE = frozenset({"enter", "portent", "react", "auto", "destroyed", "triumph"})
"""Hooks whose abilities have a City of their own: of the source, or of the event."""

_IN_CITY = frozenset({"soldier", "beast", "oracle", "spirit", "trait", "relic"})
"""Cards that work in a City unless they say otherwise. A Spirit's abilities happen when it is invoked too, and then
there is no City."""

_WHERE_IT_LIES = frozenset({"static", "use", "end_game"})
"""Hooks whose abilities have the City in which their card lies, if it lies in one."""

_SEATS: dict[type[CardModel], tuple[str, ...]] = {
    Selector: ("side",), EventFilter: ("by", "who"), queries.CoinsOf: ("coins",), queries.HandOf: ("hand",),
    queries.FeatsOf: ("feats",), queries.CounterOf: ("counter",), queries.TurnOf: ("turn_of",),
    language.TakeCoins: ("from_",), language.Look: ("side",), language.Reveal: ("side",), language.Deploy: ("side",),
    **dict.fromkeys(
        (
            language.Draw, language.Coins, language.LoseCoins, language.Put, language.Shuffle, language.Return,
            language.TakePrize, language.ShedPrize, language.Mod, language.Grant, language.Forbid, language.Score,
            language.Choose, language.May, language.Pay, language.Counter,
        ),
        ("who",),
    ),
}  # fmt: skip
_LISTED = {"type": get_args(TypeName), "trait": get_args(TraitName)}
"""Keys of selectors that hold a list, or the name of something bound; and the words that a list may hold."""
_EACH = (
    language.Draw, language.Coins, language.LoseCoins, language.Shuffle, language.ShedPrize, language.Mod,
    language.Grant, language.Forbid, language.Score, language.Counter,
)  # fmt: skip
"""Effects whose ``who`` may be ``each``."""
_CITIES: dict[type[CardModel], str] = {
    Selector: "city", EventFilter: "city", queries.PrizesOf: "prizes", queries.WarTorn: "war_torn",
    queries.Depleted: "depleted", language.Look: "city", language.Deploy: "city", language.Move: "city",
    language.TakePrize: "city", language.RelicEffect: "city", language.Mod: "city", language.Forbid: "city",
    language.Put: "city", language.Resolve: "city",
}  # fmt: skip
_USES: dict[type[CardModel], tuple[tuple[str, str], ...]] = {
    Selector: (("same_as", "cards"), ("not_", "cards")),
    queries.StatOf: (("of", "cards"),),
    queries.IsLike: (("is_", "cards"),),
    queries.VarOf: (("var", "number"),),
}
"""Fields that use a variable, and what it must hold."""
_FACES = (
    "type",
    "not_type",
    "trait",
    "enraged",
    "id",
    "cost",
    "offering",
    "strength",
    "self_",
    "not_self",
    "same_as",
    "not_",
)
_BEFORE = frozenset(event.name.lower() for event in BEFORE)


@dataclass(frozen=True, slots=True)
class _Scope:
    """The names that are bound at one point of an ability, and its context."""

    ability: Ability
    here: bool
    depth: int = 0
    top: bool = False
    """Whether this is the selector of the effect itself."""
    variables: dict[str, str] = field(default_factory=dict)

    def inner(self, **changes: Any) -> _Scope:
        """A nested scope with its own names."""
        return replace(self, variables=dict(self.variables), **changes)


def check_card(abilities: Sequence[Ability], place: Place, static: frozenset[str], on: str) -> Iterator[CardFinding]:
    """Faults of a card's abilities; ``static`` is what static modifiers of the set change.

    ``on`` is the kind of card as :class:`gamepacks.omen.cards.grammar.HookGrammar` has it.
    """
    lies_in_city = on in _IN_CITY
    spirit = on == "spirit"
    effects = 0
    for number, ability in enumerate(abilities):
        at = (*place, "abilities", number)
        yield from unread(ability, at, on)
        yield from _hooks(ability, at)
        names: set[str] = set()
        lies = ability.in_ == "city" or (ability.in_ is None and lies_in_city and ability.hook in _WHERE_IT_LIES)
        scope = _Scope(ability, lies or (ability.hook in _HERE and not spirit))
        for name in ("when", "event", "cost", "cond", "do"):
            value = getattr(ability, name)
            if value is not None:
                yield from _walk(value, (*at, name), scope, names)
        effects += sum(isinstance(part, language.EFFECTS) for part in parts(ability))
        if len(names) > MAX_VARS:
            yield CardFinding(at, f"has {len(names)} names; an ability can have at most {MAX_VARS} (V-12)")
        if ability.hook == "static":
            yield from _static(ability, at, static)
        if ability.hook in ("claim", "triumph") and ability.cond is not None:
            yield from _open(ability.cond, (*at, "cond"))
    if effects > MAX_EFFECTS:
        yield CardFinding(
            (*place, "abilities"), f"have {effects} effects; a card can have at most {MAX_EFFECTS} (V-15)"
        )


def parts(value: Any) -> Iterator[CardModel]:
    """Yield all models inside a value, itself included."""
    if isinstance(value, CardModel):
        yield value
        for name in type(value).model_fields:
            yield from parts(getattr(value, name))
    elif isinstance(value, tuple):
        for part in value:
            yield from parts(part)


def _children(value: Any, place: Place) -> Iterator[tuple[Any, Place]]:
    if isinstance(value, CardModel):
        for name, info in type(value).model_fields.items():
            yield getattr(value, name), (*place, info.alias or name)
    elif isinstance(value, tuple):
        for number, part in enumerate(value):
            yield part, (*place, number)


# -- hooks -------------------------------------------------------------------------------------------------------------


def _hooks(ability: Ability, at: Place) -> Iterator[CardFinding]:
    if ability.do == ():
        yield CardFinding((*at, "do"), "must have at least one effect")
    if ability.timing == "before":
        if ability.hook != "react":
            yield CardFinding((*at, "timing"), "before is allowed for react abilities only (V-13)")
        if ability.event is not None and ability.event.type not in _BEFORE:
            yield CardFinding((*at, "timing"), f"before is not allowed with the event {ability.event.type} (V-13)")
    wanted = {"static": (language.Mod, language.Forbid, language.Grant), "end_game": (language.Score,)}.get(
        ability.hook
    )
    if wanted is not None:
        for number, effect in enumerate(ability.do or ()):
            if not isinstance(effect, wanted):
                ops = "mod, forbid and grant" if ability.hook == "static" else "score"
                yield CardFinding(
                    (*at, "do", number, "op"), f"an ability with hook {ability.hook} can have only {ops} (V-11)"
                )


# -- names, Cities, nesting --------------------------------------------------------------------------------------------


def _walk(value: Any, place: Place, scope: _Scope, names: set[str]) -> Iterator[CardFinding]:
    if isinstance(value, CardModel):
        yield from _references(value, place, scope)
        yield from _meaning(value, place, scope)
        if isinstance(value, language.EFFECTS) and scope.depth > MAX_DEPTH:
            yield CardFinding(place, f"must not be nested more than {MAX_DEPTH} levels deep (V-15)")
    for part, at in _children(value, place):
        if part is None or isinstance(part, str | int):
            continue
        inner = scope
        name = at[-1]
        if isinstance(value, queries.EachCity | queries.SomeCity | queries.CitiesWhere) or (
            isinstance(value, language.ChooseCity) and name == "cond"
        ):
            inner = scope.inner(here=True)
        elif isinstance(value, EventFilter) and name == "card":
            inner = _Scope(scope.ability, scope.here)
        elif isinstance(value, language.Later) and name == "do":
            inner = _Scope(scope.ability, scope.here, scope.depth + 1)
        elif name in ("do", "then", "else") and isinstance(value, CardModel):
            inner = scope.inner(depth=scope.depth + 1)
            if isinstance(value, language.ForEach):
                kind = {"cities": "city", "seats": "seat"}.get(
                    value.over if isinstance(value.over, str) else "", "cards"
                )
                inner.variables[value.as_] = kind
                names.add(value.as_)
        yield from _walk(part, at, inner, names)
    yield from _bind(value, place, scope, names)


def _bind(value: Any, place: Place, scope: _Scope, names: set[str]) -> Iterator[CardFinding]:
    kind = ""
    name: str | None = None
    if isinstance(value, Selector | language.Look | language.Reveal):
        name, kind = value.as_, "cards"
    elif isinstance(value, language.Let):
        name, kind = value.name, "number"
    elif isinstance(value, language.Roll):
        name, kind = value.as_, "number"
    elif isinstance(value, language.Name):
        name, kind = value.as_, value.what
    elif isinstance(value, language.ChooseCity):
        name, kind = value.as_, "city"
    if name is None:
        return
    if name in _RESERVED:
        yield CardFinding(place, f"{name} is a reserved word and cannot be a name (V-12)")
    scope.variables[name] = kind
    names.add(name)


_RESERVED = frozenset({"you", "opp", "each", "active", "opposing", "any", "here", "other", "all"})


def _references(value: CardModel, place: Place, scope: _Scope) -> Iterator[CardFinding]:
    for name in _SEATS.get(type(value), ()):
        seat = getattr(value, name)
        if seat in (None, "you", "opp", "active", "opposing"):
            continue
        at = (*place, alias(value, name))
        if seat == "each":
            if name != "who" or not isinstance(value, _EACH):
                yield CardFinding(at, "must be a single seat, not each")
        elif seat == "any":
            if not isinstance(value, Selector):
                yield CardFinding(at, "any is allowed as the side of a selector only, not as a seat")
        else:
            yield from _use(seat, "seat", at, scope)
    city_field = _CITIES.get(type(value))
    if city_field is not None:
        city, at = getattr(value, city_field), (*place, city_field)
        if city == "here":
            default = (
                "city" not in value.model_fields_set and isinstance(value, language.Look) and value.zone != "prize"
            )
            if not scope.here and not default:
                yield CardFinding(at, "here is not allowed, as the ability has no City (V-12)")
        elif city == "other":
            if not isinstance(value, Selector | language.Deploy | language.Move | language.RelicEffect):
                yield CardFinding(at, "other is not allowed here (V-12)")
            elif not isinstance(value, language.Move) and not scope.here:
                yield CardFinding(at, "other is not allowed, as the ability has no City (V-12)")
        elif city not in (None, "any"):
            yield from _use(city, "city", at, scope)
    for name, kind in _USES.get(type(value), ()):
        used = getattr(value, name)
        if used is not None:
            yield from _use(used, kind, (*place, alias(value, name)), scope)
    if isinstance(value, Selector):
        for name, words in _LISTED.items():
            used = getattr(value, name)
            if isinstance(used, str) and used in words and used not in scope.variables:
                yield CardFinding((*place, name), f"must be a list, even with a single word: [{used}] (V-12)")
            elif isinstance(used, str):
                yield from _use(used, name, (*place, name), scope)


def _use(name: str, kind: str, at: Place, scope: _Scope) -> Iterator[CardFinding]:
    held = scope.variables.get(name)
    if held is None:
        yield CardFinding(at, f"{name} is not defined here (V-12)")
    elif held != kind:
        yield CardFinding(at, f"{name} holds a {held}; it must hold a {kind} (V-12)")


# -- what effects may do -----------------------------------------------------------------------------------------------


def _meaning(value: CardModel, place: Place, scope: _Scope) -> Iterator[CardFinding]:
    match value:
        case language.Discard() | language.Cost(discard=Selector()):
            sel = value.sel if isinstance(value, language.Discard) else value.discard
            at = (*place, "sel" if isinstance(value, language.Discard) else "discard")
            assert sel is not None
            if sel.zone != "hand":
                yield CardFinding(
                    (*at, "zone"),
                    "must be hand: cards are discarded from a hand, and Units in Cities are destroyed (V-14)",
                )
            if sel.kind not in (None, "unit"):
                yield CardFinding(
                    (*at, "kind"), "must be unit: only Units are discarded (OMEN-REWARD-06, OMEN-WHIM-08, V-14)"
                )
        case language.Put(sel=sel, to=to):
            if sel.zone == "city":
                yield CardFinding(
                    (*place, "sel", "zone"), "must not be city: use destroy or return for Units in Cities"
                )
            if to in ("discard", "deck_top", "deck_bottom") and sel.kind not in (None, "unit"):
                yield CardFinding(
                    (*place, "sel", "kind"), f"must be unit: only Units go to {to} (OMEN-REWARD-07, V-14)"
                )
            if to in ("used", "out") and sel.zone == "hand" and sel.side != "you":
                yield CardFinding(
                    (*place, "sel", "side"),
                    "must be you: nobody can make the other player lay down a card of their hand (V-14)",
                )
        case language.Run(hook=hook) if hook in ("static", "claim", "triumph", "end_game"):
            yield CardFinding((*place, "hook"), f"abilities with hook {hook} cannot be carried out by an effect (V-18)")
        case language.Cancel() | language.Replace():
            ability = scope.ability
            if ability.hook != "react" or ability.timing != "before":
                yield CardFinding((*place, "op"), "is allowed only in a react ability with timing before (V-13)")
        case language.Later() if any(isinstance(part, language.Cancel | language.Replace) for part in parts(value)):
            yield CardFinding((*place, "do"), "must not cancel or replace the event, which is over by then (V-13)")
        case language.Score() if scope.ability.hook != "end_game":
            yield CardFinding((*place, "op"), "is allowed only in an ability with hook end_game (V-11)")
        case language.Mod():
            yield from _mod(value, place)
        case language.Forbid():
            if (value.sel, value.who if value.city is None else None, value.city).count(None) != 2:
                yield CardFinding(
                    place,
                    "must have exactly one of sel (cards), who (a seat) and city (a City; with who: for one seat only)",
                )
        case _:
            pass
    if isinstance(value, language._Lasting) and (value.for_ == "static") != (
        scope.ability.hook == "static" and value.for_ is not None
    ):
        yield CardFinding((*place, "for"), "must be static in a static ability, and only there")
    if isinstance(value, language._Lasting) and value.until is not None and scope.ability.hook == "static":
        yield CardFinding(
            (*place, "until"), "must not be set in a static ability, which ends when its card leaves its place"
        )
    for name in ("sel", "a", "b", "over"):
        sel = getattr(value, name, None)
        if (
            isinstance(sel, Selector)
            and sel.zone is None
            and not isinstance(value, language.RelicEffect | language.Claim | queries.IsLike)
        ):
            yield CardFinding((*place, name, "zone"), "is missing (V-01)")
    if isinstance(value, language.Cost):
        for name in ("discard", "destroy", "return_"):
            sel = getattr(value, name)
            if sel is not None and sel.zone is None:
                yield CardFinding((*place, alias(value, name), "zone"), "is missing (V-01)")
    if isinstance(value, EventFilter) and value.card is not None:
        for name in ("same_as", "not_"):
            if getattr(value.card, name) is not None:
                yield CardFinding((*place, "card", alias(value.card, name)), "must not be set in an event filter")


def _mod(mod: language.Mod, place: Place) -> Iterator[CardFinding]:
    target = "sel" if mod.what in CARD_WHATS else "who" if mod.what in SEAT_WHATS else "city"
    if mod.what == "cost" and mod.city is not None:
        target = "city"
        if mod.sel is not None or mod.by is None:
            yield CardFinding(
                (*place, "city"), "with city, the Cost must change by a number (by), for all Units (no sel)"
            )
    elif mod.what == "cost" and mod.who is not None:
        yield CardFinding((*place, "who"), "is allowed for cost only together with city (V-11)")
    if getattr(mod, target) is None:
        yield CardFinding((*place, target), f"is missing: a change of {mod.what} needs it")
    if mod.what == "never_war":
        if mod.by is not None or mod.set is not None:
            yield CardFinding((*place, "set"), "must not be set, nor by: never_war takes no number")
    elif (mod.by is None) == (mod.set is None):
        yield CardFinding(place, "must have exactly one of by and set")
    if (mod.what == "type") != isinstance(mod.set, str):
        yield CardFinding((*place, "set"), "must be the name of a type for what: type, and a number for all else")


# -- static and claim --------------------------------------------------------------------------------------------------


def statically_changed(abilities: Iterable[Ability]) -> frozenset[str]:
    """Values that static modifiers of a set change."""
    changed = {
        effect.what
        for ability in abilities
        if ability.hook == "static"
        for effect in ability.do or ()
        if isinstance(effect, language.Mod)
    }
    return frozenset(changed | ({"weight"} if "type" in changed else set()))


def _static(ability: Ability, at: Place, changed: frozenset[str]) -> Iterator[CardFinding]:
    used: set[str] = set()
    for part in parts(ability):
        if isinstance(part, Selector):
            used |= {name for name in ("cost", "offering", "strength") if getattr(part, name) is not None}
            used |= {"type"} if part.type or part.not_type else set()
            used |= {"weight"} if part.weigh else set()
            used |= {part.pick.partition(":")[2]} if part.pick else set()
        elif isinstance(part, queries.UnitsOf | queries.WarTorn):
            used.add("weight")
        elif isinstance(part, queries.StatOf):
            used.add(part.stat)
        elif isinstance(part, queries.TotalOf):
            used.add(part.total)
    if loop := sorted(used & changed):
        yield CardFinding(at, f"must not depend on {', '.join(loop)}, which static modifiers change (OMENX-FX-21)")


def _open(cond: Any, at: Place) -> Iterator[CardFinding]:
    """Faults of a claim that reads hidden cards; numbers of cards are public (V-16)."""
    for value, place in _walk_places(cond, at):
        if isinstance(value, Selector):
            faces = [name for name in _FACES if getattr(value, name) is not None]
            if value.zone == "deck_top" or (value.zone == "hand" and value.side != "you" and faces):
                yield CardFinding(place, "must not read hidden cards; only their number is public (V-16)")
        elif isinstance(value, EventFilter) and value.card is not None and value.type in HIDDEN_EVENTS:
            yield CardFinding((*place, "card"), "must not be set: the cards of these events are hidden (V-16)")
        elif isinstance(value, queries.TotalOf) and value.of.zone == "hand" and value.of.side != "you":
            yield CardFinding(place, "must not read hidden cards; only their number is public (V-16)")


def _walk_places(value: Any, place: Place) -> Iterator[tuple[CardModel, Place]]:
    if isinstance(value, CardModel):
        yield value, place
    for part, at in _children(value, place):
        yield from _walk_places(part, at)


def unknown_ids(abilities: Sequence[Ability], at: Place, known: set[str]) -> Iterator[CardFinding]:
    """Faults of selectors that name a card which the set does not have."""
    for value, place in _walk_places(abilities, at):
        if isinstance(value, Selector):
            for number, name in enumerate(value.id or ()):
                if name not in known:
                    yield CardFinding((*place, "id", number), f"there is no card {name} (V-12)")


# -- warnings ----------------------------------------------------------------------------------------------------------


def warnings(abilities: Sequence[Ability], at: Place) -> Iterator[CardFinding]:
    """Warnings: valid data that is probably a mistake."""
    for number, ability in enumerate(abilities):
        if ability.hook == "enter" and not ability.may:
            for effect_number, effect in enumerate(ability.do or ()):
                if isinstance(effect, language.Move) and effect.sel.side in ("you", "any"):
                    yield CardFinding(
                        (*at, number, "do", effect_number),
                        "can cause an endless loop: a mandatory move of a Unit that enters (V-17)",
                    )
        for value, place in _walk_places(ability, (*at, number)):
            if isinstance(value, language.ShedPrize) and value.who != "you":
                yield CardFinding(
                    place, "makes the other player lay down a prize; correct only if the card says so (A-40, V-14)"
                )

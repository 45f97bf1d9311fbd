"""Checks by the grammar: keys that have no effect, and abilities that read hidden cards (V-11, V-23)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from gamepacks.api.cards import CardFinding, CardModel
from gamepacks.omen.cards import language, queries
from gamepacks.omen.cards.grammar import EVENTS, HOOKS, LISTS, OPERATIONS, SELECTORS, SIDED, Key
from gamepacks.omen.cards.language import Ability
from gamepacks.omen.cards.queries import EventFilter, Selector

Place = tuple[str | int, ...]
HIDDEN_EVENTS = frozenset({"draw", "to_hand", "to_deck", "look", "prize_taken", "prize_shed", "whim_passed"})
"""Events whose cards are hidden from some viewers."""
_FACES = ("type", "not_type", "trait", "id", "cost", "offering", "strength", "not_")
"""Filters that read the faces of cards."""
_IN_HAND = ("cost", "invoke", "offering")
"""Values that a static ability of a card in a hand may change there, as no other viewer notices."""
_COST_ZONES = {"discard": ("hand",), "destroy": ("city", *LISTS), "return_": ("city", *LISTS)}
_CHECKED_ELSEWHERE = frozenset({"put", "discard"})
"""Operations whose zones checks.py checks."""


def alias(model: CardModel, name: str) -> str:
    """The name of a field in card files."""
    return type(model).model_fields[name].alias or name


def given(model: CardModel) -> dict[str, Any]:
    """The keys of a model that differ from their defaults, by their names in card files."""
    fields = type(model).model_fields
    return {
        info.alias or name: getattr(model, name)
        for name, info in fields.items()
        if getattr(model, name) != info.get_default()
    }


@dataclass(frozen=True, slots=True)
class _ReadContext:
    """What decides whether a key is read, and what it may read, at one point of an ability."""

    ability: Ability
    use: str = ""
    """Use of the next selector or event filter."""
    carried_out: bool = False
    """Whether the ability is being carried out when this is read."""
    reads_face: bool = False
    """Whether the faces of the cards that the next selector finds are read, whatever its filters."""
    target: bool = False
    """Whether the next selector is tested on each card separately, as for a modifier of all matching cards."""
    everyone: bool = False
    """Whether only public values may be read."""


def unread(ability: Ability, at: Place, on: str) -> Iterator[CardFinding]:
    """Faults of an ability: keys that nothing reads, hidden cards that it reads. ``on``: its kind of card."""
    hook = HOOKS[ability.hook]
    if on not in hook.cards:
        rule = "V-09" if on == "trait" else "V-08"
        where = " or ".join(hook.cards)
        yield CardFinding(
            (*at, "hook"), f"{ability.hook} is not allowed on a card of kind {on}, only on {where} ({rule})"
        )
        return
    keys = {name: value for name, value in given(ability).items() if name != "hook"}
    for name in sorted(set(hook.needs) - keys.keys()):
        yield CardFinding((*at, name), f"is missing: an ability with hook {ability.hook} needs it (V-11)")
    for name, value in sorted(keys.items(), key=lambda item: item[0]):
        key = hook.keys.get(name)
        spirit = on == "spirit" and ability.hook == "enter"
        if key is None or (spirit and name in ("when", "limit", "turn")) or (name == "label" and not spirit):
            yield CardFinding((*at, name), f"has no effect with hook {ability.hook} (V-11)")
        elif key.values and not set(value if isinstance(value, tuple) else (value,)) <= set(key.values):
            yield CardFinding((*at, name), f"must be {' or '.join(key.values)} with hook {ability.hook} (V-11)")
    yield from _where(ability, at, on)
    static = ability.hook == "static"
    context = _ReadContext(ability, everyone=static)
    if ability.event is not None:
        if ability.hook == "discarded" and ability.event.type != "discard":
            yield CardFinding((*at, "event", "type"), "must be discard (V-11)")
        yield from _walk(ability.event, (*at, "event"), replace(context, use="trigger"))
    if ability.when is not None:
        yield from _walk(ability.when, (*at, "when"), context)
    inside = replace(context, carried_out=ability.hook not in ("static", "claim", "triumph", "end_game"))
    for name in ("cost", "cond", "do"):
        yield from _walk(getattr(ability, name), (*at, name), inside)


def _where(ability: Ability, at: Place, on: str) -> Iterator[CardFinding]:
    if ability.hook not in ("static", "end_game"):
        return
    home = ability.in_ or ("hand" if on in ("hero", "reward", "whim") else "city")
    if home == "city" and on in ("beast", "hero", "reward", "whim"):
        rule = {"beast": "OMEN-BEAST-01", "hero": "OMEN-HERO-07"}.get(on, "it is never in a City")
        yield CardFinding((*at, "in"), f"a {on} has no ability in a City ({rule}, V-08)")
    elif (home == "hand" and on == "relic") or (home == "used" and on != "reward"):
        yield CardFinding((*at, "in"), f"a {on} is never there (V-11)")
    if ability.hook == "static" and home == "hand":
        for number, effect in enumerate(ability.do or ()):
            own = (
                isinstance(effect, language.Mod) and effect.what in _IN_HAND and effect.sel is not None
                and effect.sel.zone == "hand" and effect.sel.side == "you"
            )  # fmt: skip
            if not own:
                yield CardFinding(
                    (*at, "do", number),
                    "would reveal that its card is in the hand: from there a static ability can change cost, invoke "
                    "and offering of cards in the same hand only (V-23)",
                )


# -- the walk ----------------------------------------------------------------------------------------------------------


def _walk(value: Any, at: Place, context: _ReadContext) -> Iterator[CardFinding]:
    if isinstance(value, tuple):
        for number, part in enumerate(value):
            yield from _walk(part, (*at, number), context)
        return
    if not isinstance(value, CardModel):
        return
    if isinstance(value, Selector):
        yield from _selector(value, at, context)
        yield from _secret(value, at, context)
    elif isinstance(value, EventFilter):
        yield from _filter(value, at, context)
    elif isinstance(value, language.EFFECTS):
        yield from _effect(value, at, context)
        return
    elif isinstance(value, language.Cost):
        yield from _cost_zones(value, at)
    for name, info in type(value).model_fields.items():
        inner = replace(context, use=_use(value, name, context), reads_face=_reads_face(value), target=False)
        yield from _walk(getattr(value, name), (*at, info.alias or name), inner)


def _use(value: CardModel, name: str, context: _ReadContext) -> str:
    # The use of a selector or event filter inside an amount, predicate, cost or event filter.
    if isinstance(value, queries.Exists):
        return "exists"
    if isinstance(value, queries.IsLike):
        return "match"
    if isinstance(value, language.Cost):
        return "cost"
    if isinstance(value, EventFilter):
        return "event"
    if isinstance(value, queries.Happened | queries.EventsOf):
        return "past"
    if isinstance(value, queries.CountOf | queries.UnitsOf | queries.TotalOf):
        return "count"
    return context.use


def _reads_face(value: CardModel) -> bool:
    return isinstance(value, queries.UnitsOf | queries.TotalOf) or (
        isinstance(value, queries.Exists) and value.exists.weigh
    )


def _unread(
    model: CardModel, keys: dict[str, Key], at: Place, what: str, skip: frozenset[str] = frozenset()
) -> Iterator[CardFinding]:
    for name, value in given(model).items():
        key = keys.get(name)
        if name in skip:
            continue
        if key is None:
            yield CardFinding((*at, name), f"has no effect in {what} (V-11)")
        elif key.values and _form(value) not in key.values:
            yield CardFinding((*at, name), f"must be {' or '.join(key.values)} in {what} (V-11)")


def _form(value: Any) -> str:
    # The form of a key n.
    return value if isinstance(value, str) else "up_to" if isinstance(value, queries.UpTo) else "amount"


def _selector(sel: Selector, at: Place, context: _ReadContext) -> Iterator[CardFinding]:
    meaning, keys = SELECTORS[context.use or "pick"]
    yield from _unread(sel, keys, at, meaning)
    if "zone" not in keys or sel.zone is None:
        return
    if sel.city != "any" and sel.zone != "city":
        yield CardFinding((*at, "city"), f"has no effect in the zone {sel.zone} (V-11)")
    if sel.side != "you" and sel.zone not in SIDED:
        yield CardFinding((*at, "side"), f"has no effect in the zone {sel.zone} (V-11)")
    if sel.top is not None and sel.zone in LISTS:
        yield CardFinding((*at, "top"), f"has no effect in the zone {sel.zone} (V-11)")


def _filter(evf: EventFilter, at: Place, context: _ReadContext) -> Iterator[CardFinding]:
    use = context.use or "past"
    meaning, keys = EVENTS[use]
    yield from _unread(evf, keys, at, meaning, frozenset({"type"}))
    if evf.since == "ability" and not context.carried_out:
        yield CardFinding((*at, "since"), "must not be ability, as no ability is being carried out here (V-11)")
    if evf.card is not None and evf.type in HIDDEN_EVENTS:
        claim = context.ability.hook in ("claim", "triumph")
        if not claim and (context.everyone or evf.who != "you"):
            yield CardFinding(
                (*at, "card"), "is allowed only with who: you, as others may not have seen the card (V-23)"
            )


def _cost_zones(cost: language.Cost, at: Place) -> Iterator[CardFinding]:
    for name, zones in _COST_ZONES.items():
        sel = getattr(cost, name)
        if sel is not None and sel.zone is not None and sel.zone not in zones and name != "discard":
            yield CardFinding((*at, alias(cost, name), "zone"), f"must be {' or '.join(zones)} (V-11)")


def _effect(effect: Any, at: Place, context: _ReadContext) -> Iterator[CardFinding]:
    operation = OPERATIONS[effect.op]
    static = context.ability.hook == "static"
    keys = {name: value for name, value in given(effect).items() if name != "op"}
    for name in keys:
        key = operation.keys[name]
        if key.only is not None and getattr(effect, key.only.key) not in key.only.values:
            wanted = f"{key.only.key} {' or '.join(key.only.values)}"
            yield CardFinding((*at, name), f"has an effect only with {wanted} (V-11)")
    match effect:
        case language.Reveal(zone="hand", sel=Selector()):
            for name in ("side", "n", "as"):
                if name in keys:
                    yield CardFinding((*at, name), "must not be set together with a selector (V-11)")
        case language.Reveal(zone="deck_top", sel=Selector()):
            yield CardFinding((*at, "sel"), "has an effect only with zone hand (V-11)")
        case language.Put(to="prize"):
            if effect.city in (None, "any"):
                yield CardFinding((*at, "city"), "must be a City: here, or one that was chosen (V-11)")
            if effect.sel.kind not in ("reward", "krater") and (effect.sel.kind, effect.sel.zone) != (None, "used"):
                yield CardFinding((*at, "sel", "kind"), "must be a prize: only prizes go back to a City (V-11)")
        case language.RelicEffect(do="place", sel=Selector(zone=str())):
            yield CardFinding(
                (*at, "sel", "zone"), "must not be set: Relics are placed from the row at the side (V-11)"
            )
        case language.Mod(what="weight" | "keep_weight", set=int() as low) if low < 1:
            yield CardFinding((*at, "set"), "must be at least 1 (V-11)")
        case language.Grant(what="play_in" | "portent_use" | "extra_turn") if static:
            yield CardFinding((*at, "what"), "cannot be granted by a static ability (V-11)")
        case language.Grant(what="portent_use", sel=None) | language.Grant(what="play_in", step=None):
            yield CardFinding(
                (*at, "sel" if effect.what == "portent_use" else "step"), f"is missing: {effect.what} needs it (V-11)"
            )
        case _:
            pass
    for name, info in type(effect).model_fields.items():
        value = getattr(effect, name)
        key_name = info.alias or name
        if isinstance(value, Selector):
            zones = operation.zones
            if zones and value.zone is not None and value.zone not in zones and effect.op not in _CHECKED_ELSEWHERE:
                yield CardFinding((*at, key_name, "zone"), f"must be {' or '.join(zones)} for {effect.op} (V-11)")
            use = "static" if static else operation.keys[key_name].use
            face = effect.op in ("run", "deploy", "for_each")
            target = static or (effect.op in ("mod", "forbid") and value.n == "all")
            inner = replace(context, use=use, reads_face=face, target=target)
            yield from _walk(value, (*at, key_name), inner)
        else:
            yield from _walk(value, (*at, key_name), replace(context, use="", reads_face=False, target=False))


# -- hidden cards -----------------------------------------------------------------------------------------------------


def _secret(sel: Selector, at: Place, context: _ReadContext) -> Iterator[CardFinding]:
    """Faults of selectors that read cards which the reader does not know (OMENX-HID-07, V-23)."""
    if sel.same_as is not None or context.ability.hook in ("claim", "triumph", "end_game"):
        # Claims are looked at more closely (V-16); at the end both hands are open (OMEN-SCORE-06).
        return
    faces = [name for name in _FACES if getattr(sel, name) is not None]
    reads = bool(faces) or context.reads_face or (sel.pick or "").partition(":")[2] != ""
    if not reads or context.target:
        return
    if sel.zone == "hand" and (context.everyone or sel.side != "you"):
        whose = "a hand" if context.everyone else "the other player's hand"
        yield CardFinding(
            at,
            f"must not read the faces of {whose}: look at or reveal it first, and select from those cards (zone set, "
            "or same_as); numbers of cards are public (V-23)",
        )
    elif sel.zone == "deck_top" and context.use in ("count", "exists", "each"):
        yield CardFinding(at, "must not read the top of the deck: look at or reveal it first (V-23)")
    elif sel.zone == "used" and sel.id is not None and (context.everyone or sel.side != "you"):
        yield CardFinding((*at, "id"), "must not be set: which prizes were laid down is hidden (V-23)")

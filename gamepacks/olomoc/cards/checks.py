"""Checks of the loader across cards and inside effects (section 7 of RULES.md)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import BaseModel

from gamepacks.olomoc.cards import effects as ef
from gamepacks.olomoc.cards.models import Capacity, OlomocCards, Profile
from gamepacks.olomoc.cards.scopes import Site, Source, operands, selectors, sites, sources
from gamepacks.olomoc.cards.vocabulary import Val
from gamepacks.olomoc.constants import GENERIC, MAX_TOKENS, MINISTRIES
from gamepacks.olomoc.options import OlomocOptions

MAX_DICE = 12
TABLES = ("factions", "profiles", "hostiles", "gear", "ministries", "artefacts", "agendas", "pieces", "layouts")


class Finding(NamedTuple):
    """A fault or warning: the card (empty: the set), the field, and the message with the number of the check."""

    card: str
    field: str
    message: str
    table: str = ""
    """The table of the card; empty: the first table that has its id."""

    def place(self, cards: OlomocCards) -> tuple[str | int, ...]:
        """Returns the path of the field in the file."""
        path: list[str | int] = []
        if self.card:
            for table in (self.table,) if self.table else TABLES:
                ids = [card.id for card in getattr(cards, table)]
                if self.card in ids:
                    path = [table, ids.index(self.card)]
                    break
        for part in re.findall(r"[^.\[\]]+", self.field):
            path.append(int(part) if part.isdigit() else part)
        return tuple(path)


def card_faults(cards: OlomocCards) -> list[Finding]:
    """Returns all faults that can be found without a board."""
    found = [*_ids(cards), *_references(cards), *_packs(cards), *_lasting_values(cards), *_texts(cards)]
    known = _Known.of(cards)
    for source in sources(cards):
        found += [
            *_capacity(source),
            *(fault for site in sites(source) for fault in _site(known, site)),
            *_wounds(source),
            *_termination(source),
        ]
    return [*found, *_instincts(cards), *_dice(cards)]


def warnings(cards: OlomocCards) -> list[Finding]:
    """Returns warnings, which do not make a set invalid (OLO-V-07, OLO-V-08, OLO-V-22)."""
    numbers = [number for artefact in cards.artefacts for number in artefact.printed()]
    found = []
    if sum(number[0] == "1" for number in numbers) != 6:
        found.append(Finding("", "artefacts", "must have six numbers for each player (OLO-V-07)"))
    copies = [artefact.copies for artefact in cards.artefacts]
    if 1 not in copies or max(copies, default=0) < 2:
        found.append(
            Finding("", "artefacts", "must have a card that occurs once and one that occurs more than once (OLO-V-08)")
        )
    return [*found, *_known(cards)]


# -- ids and references ------------------------------------------------------------------------------------------------


def _ids(cards: OlomocCards) -> Iterator[Finding]:
    for table in TABLES:
        counts = Counter(card.id for card in getattr(cards, table))
        yield from (
            Finding(name, "id", f"is repeated in {table} (OLO-V-02)", table) for name, n in counts.items() if n > 1
        )
    seen: set[str] = set()
    for source in sources(cards):
        if source.capacity:
            name, field = source.capacity.id, f"{source.field}.id"
            if name in seen:
                yield Finding(source.card, field, "is used by another capacity (OLO-V-02)", source.table)
            if name in GENERIC or name == "attack":
                yield Finding(source.card, field, "is the name of a generic capacity (OLO-V-02)", source.table)
            seen.add(name)


def _references(cards: OlomocCards) -> Iterator[Finding]:
    ids = {table: {card.id for card in getattr(cards, table)} for table in TABLES}

    def unknown(card: str, field: str, table: str, name: str | None) -> Iterator[Finding]:
        if name is not None and name not in ids[table]:
            yield Finding(card, field, f"there is no {name} in {table} (OLO-V-02)")

    for profile in cards.profiles:
        for faction in profile.factions:
            yield from unknown(profile.id, "factions", "factions", faction)
    for gear in cards.gear:
        yield from unknown(gear.id, "affiliation.faction", "factions", gear.affiliation.faction)
        yield from unknown(gear.id, "affiliation.rouage", "profiles", gear.affiliation.rouage)
    for agenda in cards.agendas:
        yield from unknown(agenda.id, "layout", "layouts", agenda.layout)
        for number, hostile in enumerate(agenda.hostiles):
            yield from unknown(agenda.id, f"hostiles[{number}].profile", "hostiles", hostile.profile)
    yield from _counters(cards)
    for layout in cards.layouts:
        for number, piece in enumerate(layout.pieces):
            yield from unknown(layout.id, f"pieces[{number}].piece", "pieces", piece.piece)
    for hostile_profile in cards.hostiles:
        own = {capacity.id for capacity in hostile_profile.capacities}
        for number, line in enumerate(hostile_profile.instinct):
            if line.use is not None and line.use not in own:
                yield Finding(
                    hostile_profile.id, f"instinct[{number}].use", "is not a capacity of this hostile (OLO-V-02)"
                )


def _counters(cards: OlomocCards) -> Iterator[Finding]:
    """Faults of counters: one that is both shared and each player's, or too many in all."""
    shared = {name for agenda in cards.agendas for name in agenda.tokens}
    own = {name for agenda in cards.agendas for name in agenda.player_tokens}
    for agenda in cards.agendas:
        for name in agenda.player_tokens:
            if name in shared:
                yield Finding(agenda.id, "player_tokens", f"{name} is a shared counter as well (OLO-V-02)")
    if (count := len(shared) + 2 * len(own)) > MAX_TOKENS:
        yield Finding(
            "",
            "agendas",
            f"have {count} counters, those of a player counted twice; at most {MAX_TOKENS} are allowed (OLO-V-02)",
        )


@dataclass(frozen=True, slots=True)
class _Known:
    """The ids that effects can name."""

    tags: set[str]
    tokens: set[str]
    player_tokens: set[str]
    capacities: set[str]
    figures: set[str]
    hostiles: set[str]

    @classmethod
    def of(cls, cards: OlomocCards) -> _Known:
        """The names that a card set defines."""
        tags = {marker.tag for agenda in cards.agendas for marker in agenda.markers}
        tags |= {marker.tag for layout in cards.layouts for marker in layout.markers}
        tags |= {piece.tag for piece in cards.pieces if piece.tag}
        for source in sources(cards):
            for site in sites(source):
                if isinstance(site.effect, ef.MarkerEffect) and site.effect.tag:
                    tags.add(site.effect.tag)
        hostiles = {hostile.id for hostile in cards.hostiles}
        return cls(
            tags,
            {name for agenda in cards.agendas for name in agenda.tokens},
            {name for agenda in cards.agendas for name in agenda.player_tokens},
            {source.capacity.id for source in sources(cards) if source.capacity},
            hostiles | {profile.id for profile in cards.profiles},
            hostiles,
        )


def _site(known: _Known, site: Site) -> Iterator[Finding]:
    """Faults of one effect (OLO-V-02, OLO-V-18, OLO-V-19)."""
    effect, card = site.effect, site.source.card

    def fault(field: str, message: str) -> Finding:
        return Finding(card, f"{site.path}.{field}".rstrip("."), message, site.source.table)

    for path, kind, text in operands(effect):
        if kind == "name" and text not in site.names:
            bound = isinstance(effect, ef.Each) and text == effect.bind
            if not bound:
                yield fault(path, f"{text} is not defined here (OLO-V-18)")
        elif kind == "value" and text not in site.values:
            yield fault(path, f"{text} is not defined here: there is no roll or die before (OLO-V-18)")
    yield from _ids_in(known, effect, fault)
    until = getattr(effect, "until", None)
    event = site.source.capacity.on.event if site.source.capacity and site.source.capacity.on else ""
    in_attack = event in ("attack_declared", "reaction", "rolled", "attack_end")
    attacks = site.source.capacity is not None and site.source.capacity.attack != "none"
    if until in ("roll", "attack") and not (in_attack or attacks):
        yield fault("for", f"{until} is allowed only in effects that happen during an attack (OLO-V-19)")
    continuous = site.source.capacity is not None and site.source.capacity.timing == "permanent" and not event
    if until == "game" and not (continuous or site.source.table in ("agendas", "gear")):
        yield fault("for", "game is allowed only for agendas, gear and permanent capacities without on (OLO-V-19)")
    if continuous and not isinstance(effect, ef.Mod | ef.SetStat | ef.Protect | ef.Forbid | ef.Permit | ef.Sight):
        yield fault(
            "op", "must be mod, stat, protect, forbid, permit or sight in a permanent capacity without on (OLO-V-19)"
        )
    if isinstance(effect, ef.Reroll) and event != "rolled":
        yield fault("op", "reroll is allowed only with on: rolled (OLO-V-19)")


def _ids_in(known: _Known, effect: ef.Effect, fault: Callable[[str, str], Finding]) -> Iterator[Finding]:
    for path, selector in selectors(effect):
        for name in ("tag", "zone"):
            if (tag := getattr(selector, name)) is not None and tag not in known.tags:
                yield fault(f"{path}.{name}", f"no marker or piece has the tag {tag} (OLO-V-02)")
        if selector.name is not None and selector.name not in known.figures:
            yield fault(f"{path}.name", f"there is no profile {selector.name} (OLO-V-02)")
    for model in _models(effect):
        for name in getattr(model, "caps", ()):
            if name not in known.capacities and name not in GENERIC and name != "attack":
                yield fault("caps", f"there is no capacity {name} (OLO-V-02)")
        if isinstance(model, Val) and model.token is not None:
            yield from _counter(known, "token", model.token, model.player, fault)
        if isinstance(model, ef.At) and model.near_tag is not None and model.near_tag not in known.tags:
            yield fault("spot.near_tag", f"no marker or piece has the tag {model.near_tag} (OLO-V-02)")
    if isinstance(effect, ef.Token):
        yield from _counter(known, "name", effect.name, effect.player, fault)
    if isinstance(effect, ef.Spawn) and effect.profile not in known.hostiles:
        yield fault("profile", f"there is no hostile {effect.profile} (OLO-V-02)")


def _counter(
    known: _Known, field: str, name: str, player: str | None, fault: Callable[[str, str], Finding]
) -> Iterator[Finding]:
    """Check that a counter exists, and that the effect names a player if and only if each player has that counter."""
    if name not in known.tokens | known.player_tokens:
        yield fault(field, f"no agenda has the counter {name} (OLO-V-02)")
    elif name in known.player_tokens and player is None:
        yield fault("player", f"is missing: each player has a counter {name} (OLO-V-02)")
    elif name in known.tokens and player is not None:
        yield fault("player", f"must not be set: the counter {name} is shared by both players (OLO-V-02)")


def _models(model: BaseModel) -> Iterator[BaseModel]:
    """Yield a model and all models in it, outside of lists of effects."""
    yield model
    for name in type(model).model_fields:
        value = getattr(model, name)
        if name not in ("do", "then", "otherwise", "table", "options"):
            for part in value if isinstance(value, tuple) else (value,):
                if isinstance(part, BaseModel):
                    yield from _models(part)


# -- decks of cards ----------------------------------------------------------------------------------------------------


def _packs(cards: OlomocCards) -> Iterator[Finding]:
    """Faults of the decks of ministries and Artefact cards (OLO-V-05, OLO-V-07)."""
    if (total := sum(ministry.copies for ministry in cards.ministries)) != 9:
        yield Finding("", "ministries", f"have {total} cards; 9 are needed (OLO-V-05)")
    counts: Counter[str] = Counter(ministry.affiliation for ministry in cards.ministries)
    for name in (*MINISTRIES, "axe"):
        if counts[name] != 1:
            yield Finding("", "ministries", f"have {counts[name]} entries for {name}; one is needed (OLO-V-05)")
    for ministry in cards.ministries:
        if ministry.copies != (2 if ministry.affiliation == "axe" else 1):
            yield Finding(
                ministry.id, "copies", "must be 2 for the Axe and 1 for every other ministry (OLO-V-05)", "ministries"
            )
        if len(set(ministry.slots)) < len(ministry.slots):
            yield Finding(ministry.id, "slots", "a slot is repeated (OLO-V-05)", "ministries")
        if ministry.affiliation != "axe" and any(
            _of_hostiles(source) for source in sources(cards) if source.card == ministry.id
        ):
            yield Finding(ministry.id, "do", "must not affect hostiles: only the Axe does (OLO-HOST-03)", "ministries")
        if ministry.affiliation == "securite" and ministry.slots != (3,):
            yield Finding(ministry.id, "slots", "must be [3] for Sécurité (OLO-V-05, OLO-PLAN-02)", "ministries")
    if (total := sum(artefact.copies for artefact in cards.artefacts)) != 12:
        yield Finding("", "artefacts", f"have {total} cards; 12 are needed (OLO-V-07)")


def _of_hostiles(source: Source) -> bool:
    """Whether a ministry's effects select hostiles."""
    return source.table == "ministries" and any(
        selector.side == "hostile" and isinstance(site.effect, ef.PickOne | ef.Each | ef.Activate)
        for site in sites(source)
        for _, selector in selectors(site.effect)
    )


def _lasting_values(cards: OlomocCards) -> Iterator[Finding]:
    values = OlomocOptions().values(cards.options.model_dump(exclude_none=True))
    yield from (Finding("", f"options.{fault.field}", f"{fault.message} (OLO-V-15)") for fault in values.faults())
    for name, field in OlomocOptions.model_fields.items():
        given = getattr(cards.options, name, None)
        bounds = {type(part).__name__: part for part in field.metadata}
        if given is not None and not bounds["Ge"].ge <= given <= bounds["Le"].le:
            yield Finding(
                "", f"options.{name}", f"{given} is not from {bounds['Ge'].ge} to {bounds['Le'].le} (OLO-V-15)"
            )


def _texts(cards: OlomocCards) -> Iterator[Finding]:
    for table in TABLES:
        for card in getattr(cards, table):
            for model in _models(card):
                for name in ("name", "text"):
                    value = getattr(model, name, None)
                    if isinstance(value, str) and value != unicodedata.normalize("NFC", value):
                        yield Finding(card.id, name, "must be in Unicode normalization form NFC (OLO-V-23)", table)


# -- capacities --------------------------------------------------------------------------------------------------------


def _capacity(source: Source) -> Iterator[Finding]:
    """Faults of the fields of a capacity (OLO-V-16, OLO-V-18, OLO-V-20)."""
    capacity = source.capacity
    if capacity is None:
        return
    bound = source.names()
    for part, model in (("if", capacity.cond), ("target", capacity.target), ("on", capacity.on)):
        allowed = bound if part == "if" else {name: "" for name in bound if name != "target"}
        for path, kind, text in operands(model) if model else ():
            if kind == "value" or text not in allowed:
                field = f"{source.field}.{part}.{path}".rstrip(".")
                yield Finding(source.card, field, f"{text} is not defined here (OLO-V-18)", source.table)
    if capacity.attack in ("frontal", "ranged") and (capacity.target is None or capacity.target.kind != "rouage"):
        yield Finding(
            source.card,
            f"{source.field}.target",
            f"must be a rouage for an attack of kind {capacity.attack} (OLO-V-16)",
            source.table,
        )
    if capacity.timing == "active" and capacity.cost.ap < 1 and capacity.freq is None:
        yield Finding(
            source.card,
            f"{source.field}.freq",
            "is missing: an active capacity that costs no tokens needs a frequency (OLO-V-20)",
            source.table,
        )
    if source.table == "agendas" and source.field.startswith("rules") and capacity.timing == "active":
        yield Finding(source.card, f"{source.field}.timing", "must be permanent for a rule of an agenda", source.table)
    if source.table == "agendas" and source.field.startswith("rules") and capacity.on is None:
        yield Finding(source.card, f"{source.field}.on", "is missing: a rule of an agenda needs it", source.table)


def _wounds(source: Source) -> Iterator[Finding]:
    """Check that a capacity that can wound a foe is an attack, for the limit of attacks (OLO-V-16, OLO-CAP-06)."""
    capacity = source.capacity
    if capacity is None or capacity.attack != "none" or not source.bearer:
        return
    for site in sites(source):
        effect = site.effect
        foe = isinstance(effect, ef.Wound) and site.names.get(effect.who, "") == ""
        if foe or (isinstance(effect, ef.MakeAttack) and not effect.count):
            yield Finding(
                source.card,
                f"{source.field}.attack",
                f"must not be none, as {site.path} can wound a foe (OLO-V-16)",
                source.table,
            )
            return


_CAUSES: dict[type[BaseModel], tuple[str, ...]] = {
    ef.Wound: ("wounded", "out", "noirceur"),
    ef.Noirceur: ("noirceur",),
    ef.SetState: ("stunned",),
    ef.Push: ("moved", "entered", "left", "contact", "noirceur"),
    ef.Place: ("moved", "entered", "left", "contact", "noirceur", "entered_bloc"),
    ef.Spawn: ("entered_bloc",),
    ef.Move: ("move_announced", "moved", "entered", "left", "contact", "noirceur", "wounded", "out"),
    ef.Roll: ("rolled", "noirceur"),
    ef.MakeAttack: ("attack_declared", "reaction", "rolled", "attack_end", "wounded", "out", "noirceur", "moved",
                    "entered", "left", "contact", "stunned", "move_announced", "used"),
    ef.Mechanism: ("mechanism",),
    ef.Activate: ("activated", "activation_end", "entered_bloc", "attack_declared", "reaction", "rolled", "attack_end",
                  "wounded", "out", "noirceur", "moved", "entered", "left", "contact", "stunned", "move_announced",
                  "used"),
}  # fmt: skip


def _termination(source: Source) -> Iterator[Finding]:
    """Check that gains are limited and that no capacity triggers itself endlessly (OLO-V-20)."""
    capacity = source.capacity
    if capacity is None or capacity.freq is not None:
        return
    event = capacity.on.event if capacity.on else ""
    for site in sites(source):
        effect = site.effect
        gains = isinstance(effect, ef.Ap) and not (effect.n.const is not None and effect.n.const <= 0)
        frees = isinstance(effect, ef.Permit) and (effect.free or effect.extra > 0) and bool(event)
        if (gains and event != "cycle_start") or frees:
            yield Finding(
                source.card,
                f"{source.field}.freq",
                f"is missing: {site.path} needs a frequency (OLO-V-20)",
                source.table,
            )
        if event in _CAUSES.get(type(effect), ()):
            yield Finding(
                source.card,
                f"{source.field}.freq",
                f"is missing: {site.path} can cause {event} again (OLO-V-20)",
                source.table,
            )


def _instincts(cards: OlomocCards) -> Iterator[Finding]:
    """Faults of the lines of Instincts (OLO-V-21)."""
    for hostile in cards.hostiles:
        last = hostile.instinct[-1]
        if last.cond is not None and last.do != "stop":
            yield Finding(hostile.id, "instinct", "the last line must have no condition, or be stop (OLO-V-21)")
    for card in (*cards.hostiles,):
        for number, line in enumerate(card.instinct):
            for path, _, text in operands(line.cond) if line.cond else ():
                if text not in ("self",):
                    yield Finding(card.id, f"instinct[{number}].if.{path}", f"{text} is not defined here (OLO-V-18)")


def _gain(capacities: tuple[Capacity, ...], stat: str) -> int:
    """Returns the maximum number of dice that capacities can add to a roll of a characteristic."""
    total = 0
    for capacity in capacities:
        total += sum(_dice_of(effect, stat) for effect in capacity.do)
    return total


def _dice_of(effect: ef.Effect, stat: str) -> int:
    if isinstance(effect, ef.Mod) and (not effect.on.stats or stat in effect.on.stats):
        return _most(effect.dice)
    if isinstance(effect, ef.SetStat) and effect.stat == stat:
        return _most(effect.add or effect.set or Val(const=0))
    nested: list[ef.Effect] = []
    if isinstance(effect, ef.Roll | ef.If | ef.Die):
        nested += effect.then
    if isinstance(effect, ef.Roll | ef.If):
        nested += effect.otherwise
    if isinstance(effect, ef.Each):
        nested += effect.do
    if isinstance(effect, ef.Choose):
        return max(sum(_dice_of(part, stat) for part in option.do) for option in effect.options)
    return sum(_dice_of(part, stat) for part in nested)


def _most(value: Val) -> int:
    if value.const is not None:
        return max(0, value.mul * value.const + value.add)
    return max(0, value.max if value.max is not None else 6 * abs(value.mul) + value.add)


def _dice(cards: OlomocCards) -> Iterator[Finding]:
    """Check the number of dice that a roll can have (OLO-V-17)."""
    for stat in ("technique", "combat", "shoot", "dodge"):
        carried = max((_gain(gear.capacities, stat) for gear in cards.gear), default=0)
        lists = [card.do for card in cards.ministries] + [card.do for card in cards.artefacts]
        played = max((sum(_dice_of(effect, stat) for effect in do) for do in lists), default=0)
        mission = max((_gain(agenda.capacities, stat) for agenda in cards.agendas), default=0)
        for profile in (*cards.profiles, *cards.hostiles):
            gear = carried + mission if isinstance(profile, Profile) else 0
            most = getattr(profile, stat) + _gain(profile.capacities, stat) + gear + played
            if most > MAX_DICE:
                yield Finding(
                    profile.id, stat, f"allows rolls of up to {most} dice; at most {MAX_DICE} are allowed (OLO-V-17)"
                )


# -- facts -------------------------------------------------------------------------------------------------------------

_FACTS: dict[str, dict[str, object]] = {
    "Pétra Kantor": {"ministries": ("securite",), "technique": 2, "combat": 4, "rank": 3},
    "Kubik Oktobar": {"ministries": ("progres",)},
    "Dominik Kralov": {"ministries": ("effort",)},
    "Hynek Novotny": {"shoot": 5},
}


def _known(cards: OlomocCards) -> Iterator[Finding]:
    """Warnings about differences from the facts in the rulebook (OLO-V-22, section 8.2)."""
    for profile in cards.profiles:
        for field, value in _FACTS.get(profile.name, {}).items():
            if field in profile.known and getattr(profile, field) != value:
                yield Finding(profile.id, field, f"the rulebook says {value}, not {getattr(profile, field)} (OLO-V-22)")
        for field in profile.known:
            if field not in _FACTS.get(profile.name, {}) and field not in ("name", "life", "dodge", "shoot", "combat"):
                yield Finding(
                    profile.id, "known", f"the rulebook does not state the {field} of {profile.name} (OLO-V-22)"
                )

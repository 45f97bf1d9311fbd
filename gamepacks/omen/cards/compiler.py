"""Compiles card files into a :class:`gamepacks.omen.cards.program.Program`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gamepacks.omen.cards import language, program, queries
from gamepacks.omen.cards.files import AnyFile, Card, OmegaFile, OmegaUnit, TraitsUnit, Whim
from gamepacks.omen.cards.grammar import OPERATIONS, Operand
from gamepacks.omen.cards.language import Ability
from gamepacks.omen.cards.program import Program
from gamepacks.omen.v1.omen_enums import Cause, EventType, Kind, Phase, Trait, UnitType, Zone

_KINDS = {
    "units": Kind.UNIT,
    "rewards": Kind.REWARD,
    "kraters": Kind.KRATER,
    "feats": Kind.FEAT,
    "challenges": Kind.CHALLENGE,
    "whims": Kind.WHIM,
    "relics": Kind.RELIC,
}
_ANY_PRIZE = -1


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card of a compiled set with its id and record."""

    id: str
    kind: Kind
    card: Card
    set_id: str


@dataclass(frozen=True, slots=True)
class CompiledSet:
    """A compiled set, and the faces of its cards by index."""

    program: Program
    faces: tuple[CardFace, ...]

    def index(self, card_id: str) -> int | None:
        """The index of a card by its id."""
        return next((number for number, face in enumerate(self.faces) if face.id == card_id), None)


def compile_files(files: Sequence[AnyFile]) -> CompiledSet:
    """Compile one set, or several together (OMENT-COMB-01), whose ids then are ``set:id``."""
    faces = [
        CardFace(f"{file.id}:{card.id}" if len(files) > 1 else card.id, _KINDS[section], card, file.id)
        for file in files
        for section, cards in file.sections()
        for card in cards
    ]
    faces.sort(key=lambda face: (face.kind, face.id))
    writer = _Writer({(face.set_id, face.card.id): number for number, face in enumerate(faces)})
    cards: list[int] = []
    abilities: list[int] = []
    for number, face in enumerate(faces):
        first = len(abilities) // len(program.AbilityField)
        own = [writer.ability(ability, face, number) for ability in face.card.abilities]
        cards += _card(face, first, len(own))
        for fields in own:
            abilities += fields
    edition = program.Edition.OMEGA if isinstance(files[0], OmegaFile) else program.Edition.TRAITS
    compiled = Program(
        edition, tuple(cards), tuple(abilities), tuple(writer.heap.code), tuple(writer.labels), writer.events_asked
    )
    return CompiledSet(compiled, tuple(faces))


def _card(face: CardFace, first: int, count: int) -> list[int]:
    card = face.card
    values = dict.fromkeys(program.CardField, 0)
    values[program.CardField.KIND] = face.kind
    values[program.CardField.COPIES] = card.copies
    values[program.CardField.FIRST_ABILITY] = first
    values[program.CardField.ABILITIES] = count
    if isinstance(card, OmegaUnit | TraitsUnit):
        values[program.CardField.COST] = card.cost
        values[program.CardField.OFFERING] = card.offering
        values[program.CardField.STRENGTH] = card.strength
    if isinstance(card, OmegaUnit):
        values[program.CardField.TYPE] = UnitType[card.type.upper()]
        values[program.CardField.INVOKE] = card.invoke or 0
    if isinstance(card, TraitsUnit):
        values[program.CardField.TRAITS] = _mask(Trait[name] for name in card.traits)
    if isinstance(card, Whim):
        values[program.CardField.HOLD_POINTS] = card.hold_points
    return [int(values[name]) for name in program.CardField]


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


class _Writer:
    """Writes the nodes of one program."""

    def __init__(self, cards: dict[tuple[str, str], int]) -> None:
        self.heap = program.Heap()
        self.labels: list[str] = []
        self.events_asked = 0
        self._cards = cards
        self._set = ""
        self._slots: dict[str, int] = {}
        self._static = False
        self._relics = "city"

    def ability(self, ability: Ability, face: CardFace, number: int) -> list[int]:
        """The numbers of an ability; its nodes go on the heap."""
        self._set, self._slots, self._static = face.set_id, {}, ability.hook == "static"
        fields = dict.fromkeys(program.AbilityField, 0)
        field = program.AbilityField
        fields[field.HOOK] = program.Hook[ability.hook.upper()]
        fields[field.CARD] = number
        fields[field.LABEL] = -1 if ability.label is None else self._label(ability.label)
        fields[field.MAY] = ability.may
        fields[field.IN] = _home(ability, face.kind, face.card)
        fields[field.STEPS] = self._steps(ability.step)
        fields[field.TURN] = program.Turn[(ability.turn or "any").upper()]
        if face.kind in (Kind.REWARD, Kind.KRATER) and ability.hook == "use":
            fields[field.STEPS] = 1 << Phase.SURGE
            fields[field.TURN] = program.Turn.OWN
        fields[field.WHEN] = self._pred(ability.when)
        fields[field.EVENT] = self._evf(ability.event)
        fields[field.BEFORE] = ability.timing == "before"
        fields[field.LIMIT] = program.Limit[(ability.limit or "none").upper()]
        fields[field.COST] = self._cost(ability.cost)
        fields[field.COND] = self._pred(ability.cond)
        fields[field.DO] = self._block(ability.do)
        fields[field.VARS] = len(self._slots)
        return [int(fields[name]) for name in program.AbilityField]

    # -- small things ----------------------------------------

    def _label(self, text: str) -> int:
        if text not in self.labels:
            self.labels.append(text)
        return self.labels.index(text)

    def _slot(self, name: str) -> int:
        return self._slots.setdefault(name, len(self._slots))

    def _slot_or_none(self, name: str | None) -> int:
        return -1 if name is None else self._slot(name)

    def _seat(self, name: str | None) -> int:
        if name is None:
            return -1
        member = program.SeatRef.__members__.get(name.upper())
        return program.VAR + self._slot(name) if member is None else member

    def _city(self, name: str | None) -> int:
        if name is None:
            return program.CityRef.ANY
        member = program.CityRef.__members__.get(name.upper())
        return program.VAR + self._slot(name) if member is None else member

    def _steps(self, names: Sequence[str] | None) -> int:
        return _mask(Phase[name.upper()] for name in names or ())

    # -- queries ---------------------------------------------

    def _sel(self, sel: queries.Selector | None, kind: int = Kind.UNIT, zone: str = "city") -> int:
        """A selector; ``kind`` and ``zone`` are those of cards where it names none."""
        if sel is None:
            return 0
        s = program.SelectorField
        values: dict[program.SelectorField, int] = dict.fromkeys(s, 0)
        values[s.ZONE] = Zone[(sel.zone or zone).upper()]
        values[s.SIDE] = self._seat(sel.side)
        values[s.OWNER] = self._seat(sel.owner)
        values[s.CITY] = self._city(sel.city)
        if sel.kind in ("reward", "krater") or (sel.kind is None and sel.zone == "used"):
            values[s.KIND] = _ANY_PRIZE
        else:
            values[s.KIND] = kind if sel.kind is None else Kind[sel.kind.upper()]
        values[s.TYPE] = self._set_of(sel.type, UnitType)
        values[s.NOT_TYPE] = self._set_of(sel.not_type, UnitType)
        values[s.TRAIT] = self._set_of(sel.trait, Trait)
        values[s.ENRAGED] = -1 if sel.enraged is None else sel.enraged
        if sel.id is not None:
            values[s.IDS] = self.heap.list([self._cards[self._set, name] for name in sel.id])
        values[s.COST] = self._compare(sel.cost)
        values[s.OFFERING] = self._compare(sel.offering)
        values[s.STRENGTH] = self._compare(sel.strength)
        if sel.self_ or sel.not_self is False:
            values[s.SELF] = 1
        elif sel.not_self or sel.self_ is False:
            values[s.SELF] = 2
        values[s.SAME_AS] = self._slot_or_none(sel.same_as)
        values[s.NOT] = self._slot_or_none(sel.not_)
        values[s.TOP] = sel.top or 0
        values[s.WEIGH] = sel.weigh
        if sel.n == "all":
            values[s.COUNT] = program.Count.ALL
        elif isinstance(sel.n, queries.UpTo):
            values[s.COUNT], values[s.N] = program.Count.UP_TO, self._amount(sel.n.up_to)
        elif sel.n is not None:
            values[s.N] = self._amount(sel.n)
        values[s.PICK] = self._pick(sel.pick)
        values[s.AS] = self._slot_or_none(sel.as_)
        return self.heap.node(*(int(values[name]) for name in s))

    def _set_of(self, names: Any, enum: Any) -> int:
        if names is None:
            return 0
        if isinstance(names, str):
            return -1 - self._slot(names)
        return _mask(enum[name.upper()] for name in names)

    def _pick(self, pick: str | None) -> int:
        if pick is None:
            return program.Pick.DEFAULT
        how, _, stat = pick.partition(":")
        return program.Pick[how.upper()] + (program.Stat[stat.upper()] if stat else 0)

    def _compare(self, given: queries.CompareTo | None) -> int:
        if given is None:
            return 0
        pairs = [
            (program.Cmp[name.upper()], self._amount(getattr(given, name)))
            for name in ("eq", "ne", "lt", "le", "gt", "ge")
            if getattr(given, name) is not None
        ]
        return self.heap.node(len(pairs), *(number for pair in pairs for number in pair))

    def _evf(self, evf: queries.EventFilter | None) -> int:
        if evf is None:
            return 0
        e = program.EventFilterField
        values: dict[program.EventFilterField, int] = {
            e.TYPE: EventType[evf.type.upper()],
            e.BY: self._seat(evf.by),
            e.WHO: self._seat(evf.who),
            e.CARD: self._sel(evf.card),
            e.CITY: self._city(evf.city),
            e.FROM: -1 if evf.from_ is None else Zone[evf.from_.upper()],
            e.TO: -1 if evf.to is None else Zone[evf.to.upper()],
            e.CAUSE: _mask(Cause[name.upper()] for name in evf.cause or ()),
            e.SINCE: program.Since[evf.since.upper()],
            e.SUM: evf.sum,
            e.SELF: evf.self_,
        }
        return self.heap.node(*(int(values[name]) for name in e))

    def _asked(self, evf: queries.EventFilter) -> int:
        self.events_asked |= 1 << EventType[evf.type.upper()]
        return self._evf(evf)

    def _amount(self, amount: Any) -> int:
        node, a = self.heap.node, program.Amount
        match amount:
            case int():
                return node(a.INT, amount)
            case queries.CountOf(count=sel):
                return node(a.COUNT, self._sel(sel))
            case queries.UnitsOf(units=sel):
                return node(a.UNITS, self._sel(sel))
            case queries.StatOf(stat=stat, of=name):
                return node(a.STAT, program.Stat[stat.upper()], self._slot(name))
            case queries.TotalOf(total=stat, of=sel):
                return node(a.TOTAL, program.Stat[stat.upper()], self._sel(sel))
            case queries.CoinsOf(coins=seat):
                return node(a.COINS, self._seat(seat))
            case queries.HandOf(hand=seat):
                return node(a.HAND, self._seat(seat))
            case queries.DeckSize():
                return node(a.DECK)
            case queries.PrizesOf(prizes=city):
                return node(a.PRIZES, self._city(city))
            case queries.FeatsOf(feats=seat):
                return node(a.FEATS, self._seat(seat))
            case queries.CounterOf(counter=seat):
                return node(a.COUNTER, self._seat(seat))
            case queries.TurnNumber():
                return node(a.TURN)
            case queries.CitiesWhere(cities=pred):
                return node(a.CITIES, self._pred(pred))
            case queries.EventsOf(events=evf):
                return node(a.EVENTS, self._asked(evf))
            case queries.VarOf(var=name):
                return node(a.VAR, self._slot(name))
            case queries.Added(add=parts):
                return self._several(a.ADD, parts)
            case queries.Smallest(min=parts):
                return self._several(a.MIN, parts)
            case queries.Largest(max=parts):
                return self._several(a.MAX, parts)
            case queries.Difference(sub=(left, right)):
                return node(a.SUB, self._amount(left), self._amount(right))
            case queries.Product(mul=(left, by)):
                return node(a.MUL, self._amount(left), by)
            case queries.HalfDown(half_down=of):
                return node(a.HALF_DOWN, self._amount(of))
            case queries.HalfUp(half_up=of):
                return node(a.HALF_UP, self._amount(of))
        raise AssertionError(amount)

    def _several(self, kind: program.Amount, parts: Sequence[Any]) -> int:
        pointers = [self._amount(part) for part in parts]
        return self.heap.node(kind, len(pointers), *pointers)

    def _pred(self, pred: Any) -> int:
        node, k = self.heap.node, program.Pred
        match pred:
            case None:
                return 0
            case queries.AllOf(all=parts) | queries.AnyOf(any=parts):
                pointers = [self._pred(part) for part in parts]
                return node(k.ALL if isinstance(pred, queries.AllOf) else k.ANY, len(pointers), *pointers)
            case queries.Not(not_=of):
                return node(k.NOT, self._pred(of))
            case queries.Compared(cmp=(left, op, right)):
                return node(k.CMP, self._amount(left), program.Cmp[op.upper()], self._amount(right))
            case queries.Exists(exists=sel):
                return node(k.EXISTS, self._sel(sel))
            case queries.EachCity(each_city=of):
                return node(k.EACH_CITY, self._pred(of))
            case queries.SomeCity(some_city=of):
                return node(k.SOME_CITY, self._pred(of))
            case queries.Happened(happened=evf, op=op, n=n):
                return node(k.HAPPENED, self._asked(evf), program.Cmp[op.upper()], self._amount(n))
            case queries.IsLike(is_=name, like=sel):
                return node(k.IS, self._slot(name), self._sel(sel))
            case queries.InStep(step=steps):
                return node(k.STEP, self._steps(steps))
            case queries.TurnOf(turn_of=seat):
                return node(k.TURN_OF, self._seat(seat))
            case queries.FirstTurn():
                return node(k.FIRST_TURN)
            case queries.WarTorn(war_torn=city):
                return node(k.WAR_TORN, self._city(city))
            case queries.Depleted(depleted=city):
                return node(k.DEPLETED, self._city(city))
        raise AssertionError(pred)

    # -- effects ---------------------------------------------

    def _cost(self, cost: language.Cost | None) -> int:
        if cost is None:
            return 0
        if cost.coins is not None:
            return self.heap.node(program.CostKind.COINS, self._amount(cost.coins))
        if cost.discard is not None:
            return self.heap.node(program.CostKind.DISCARD, self._sel(cost.discard))
        if cost.destroy is not None:
            return self.heap.node(program.CostKind.DESTROY, self._sel(cost.destroy))
        return self.heap.node(program.CostKind.RETURN, self._sel(cost.return_))

    def _block(self, effects: Sequence[Any] | None) -> int:
        if not effects:
            return 0
        return self.heap.list([self._effect(effect) for effect in effects])

    def _effect(self, effect: Any) -> int:
        numbers = [int(number) for number in self._operands(effect)]
        return self.heap.node(program.EffectKind[effect.op.upper()], *numbers)

    def _operands(self, effect: Any) -> Sequence[int]:
        match effect:
            case language.Claim():
                kind = Kind[effect.kind.upper()]
                return kind, self._sel(effect.sel, kind)
            case language.Mod() | language.Grant() | language.Forbid():
                return self._lasting(effect)
            case language.Choose():
                options = [
                    number
                    for option in effect.options
                    for number in (self._label(option.label), self._block(option.do))
                ]
                return self._seat(effect.who), effect.n, len(effect.options), *options
            case language.Counter():
                given = effect.by if effect.set is None else effect.set
                return self._seat(effect.who), effect.set is not None, self._amount(given)
            case language.RelicEffect():
                self._relics = "side" if effect.do == "place" else "city"
            case language.Reveal(zone="hand", sel=None):
                # A number of cards of the hand, or the whole hand.
                n = "all" if effect.n is None else effect.n
                sel = queries.Selector.model_validate({"zone": "hand", "side": effect.side, "n": n, "as": effect.as_})
                effect = effect.model_copy(update={"sel": sel})
        names = {info.alias or name: name for name, info in type(effect).model_fields.items()}
        return [
            number
            for name, key in OPERATIONS[effect.op].keys.items()
            for number in self._operand(key.operand, getattr(effect, names[name]))
        ]

    def _operand(self, kind: Operand, value: Any) -> Sequence[int]:
        """The numbers of a key, by its kind of operand."""
        match kind:
            case Operand.SEAT:
                return (self._seat(value),)
            case Operand.AMOUNT:
                return (0 if value is None else self._amount(value),)
            case Operand.CITY:
                return (self._city(value),)
            case Operand.SLOT:
                return (self._slot_or_none(value),)
            case Operand.SEL:
                return (self._sel(value),)
            case Operand.RELIC_SEL:
                return (self._sel(value, Kind.RELIC, self._relics),)
            case Operand.BLOCK:
                return (self._block(value),)
            case Operand.PRED:
                return (self._pred(value),)
            case Operand.COST:
                return (self._cost(value),)
            case Operand.FLAG | Operand.NUMBER:
                return (value,)
            case Operand.ZONE:
                return (Zone[value.upper()],)
            case Operand.HOOK:
                return (program.Hook[value.upper()],)
            case Operand.NAMED:
                return (program.NameKind[value.upper()],)
            case Operand.REMOVED:
                return (value == "remove",)
            case Operand.PAY:
                less = isinstance(value, language.Less)
                return program.PayKind.LESS if less else program.PayKind[value.upper()], self._amount(
                    value.less
                ) if less else 0
            case Operand.OVER:
                sel = isinstance(value, queries.Selector)
                return program.Over.SEL if sel else program.Over[value.upper()], self._sel(value) if sel else 0
        raise AssertionError(kind)

    def _lasting(self, effect: language.Mod | language.Grant | language.Forbid) -> Sequence[int]:
        how_long = program.For.STATIC if self._static else _how_long(effect)
        match effect:
            case language.Mod():
                what = program.What[effect.what.upper()]
                target, operand = self._target(effect.sel, effect.who, effect.city)
                if isinstance(effect.set, str):
                    value, sets = self._amount(int(UnitType[effect.set.upper()])), True
                elif effect.by is not None:
                    value, sets = self._amount(effect.by), False
                else:
                    value, sets = self._amount(1 if effect.set is None else effect.set), True
                return what, target, operand, sets, value, how_long, self._only_seat(effect)
            case language.Grant():
                what = _GRANTS[effect.what]
                seat, n = self._seat(effect.who), self._amount(effect.n)
                return what, seat, n, how_long, self._sel(effect.sel), self._steps(effect.step)
            case language.Forbid():
                what = _FORBIDS.get(effect.what) or program.What[effect.what.upper()]
                target, operand = self._target(effect.sel, effect.who, effect.city)
                return what, target, operand, how_long, self._only_seat(effect)
        raise AssertionError(effect)

    def _target(self, sel: queries.Selector | None, who: str | None, city: str | None) -> tuple[int, int]:
        if sel is not None:
            return program.Target.SEL, self._sel(sel)
        if city is not None:
            return program.Target.CITY, self._city(city)
        return program.Target.SEAT, self._seat(who)

    def _only_seat(self, effect: language.Mod | language.Forbid) -> int:
        """The seat for which alone a change in a City holds; -1 for both."""
        return self._seat(effect.who if effect.city is not None else None)


def _how_long(effect: language.Mod | language.Grant | language.Forbid) -> program.For:
    if effect.until == "your_next_turn":
        return program.For.YOUR_NEXT_TURN
    return program.For[(effect.for_ or "turn").upper()]


_GRANTS = {
    "wealth_action": program.What.WEALTH_ACTIONS,
    "prize_use": program.What.PRIZE_USES,
    "offering": program.What.OFFERINGS,
    "challenge": program.What.CHALLENGES,
    "portent_use": program.What.PORTENT_USE,
    "play_in": program.What.PLAY_IN,
    "win_ties": program.What.WIN_TIES,
    "extra_turn": program.What.EXTRA_TURN,
}
_FORBIDS = {"invoke": program.What.USE_INVOKE}


def _home(ability: Ability, kind: Kind, card: Card) -> Zone:
    """The zone where an ability works: ``in``, or its default (section 10.5)."""
    if ability.in_ is not None:
        return Zone[ability.in_.upper()]
    if kind is Kind.RELIC:
        return Zone.CITY
    if kind is not Kind.UNIT or (isinstance(card, OmegaUnit) and card.type == "hero"):
        return Zone.HAND
    return Zone.CITY

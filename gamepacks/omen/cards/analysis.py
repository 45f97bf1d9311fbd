"""Verification and analysis of a compiled program: a walk over all nodes from the abilities.

The interpreter does not check its program, so this module does: with a program that passes, the interpreter reads no
memory outside of it.

The walk also finds what depends on cards that are hidden from somebody: selectors, amounts, conditions and costs that
look at faces in a hand, among cards that lie face down or that were looked at. The interpreter asks for more than one
might expect there, and keeps decisions private whose existence follows from them (OMENX-HID-05, OMENX-ATOM-03).
"""

from __future__ import annotations

from functools import lru_cache

from gamepacks.omen.cards.grammar import OPERATIONS, Operand
from gamepacks.omen.cards.program import (
    MAX_VARS,
    VAR,
    AbilityField,
    Amount,
    CostKind,
    EffectKind,
    EventFilterField,
    Over,
    Pick,
    Pred,
    Program,
    SelectorField,
    Target,
    What,
)  # fmt: skip
from gamepacks.omen.v1.omen_enums import EventType, Zone

_S, _A, _C, _V, _SEL, _B, _P, _E, _COST, _INT, _BOUND = range(11)
"""Operands: seat, amount, City, slot or none, selector, block, predicate, event filter, cost, plain number, slot."""
_SHAPES: dict[Operand, tuple[int, ...]] = {
    **dict.fromkeys(Operand, (_INT,)),
    Operand.SEAT: (_S,), Operand.AMOUNT: (_A,), Operand.CITY: (_C,), Operand.SLOT: (_V,), Operand.SEL: (_SEL,),
    Operand.RELIC_SEL: (_SEL,), Operand.BLOCK: (_B,), Operand.PRED: (_P,), Operand.COST: (_COST,),
    Operand.PAY: (_INT, _A),
}  # fmt: skip
"""The numbers of each kind of operand; those of OVER and OWN are read apart."""
_EFFECTS: dict[EffectKind, tuple[int, ...]] = {
    EffectKind[op.upper()]: tuple(kind for key in operation.keys.values() for kind in _SHAPES[key.operand])
    for op, operation in OPERATIONS.items()
    if not any(key.operand in (Operand.OWN, Operand.OVER) for key in operation.keys.values())
} | {
    EffectKind.CLAIM: (_INT, _SEL),
    EffectKind.GRANT: (_INT, _S, _A, _INT, _SEL, _INT),
    EffectKind.COUNTER: (_S, _INT, _A),
}
_AMOUNTS: dict[Amount, tuple[int, ...]] = {
    Amount.INT: (_INT,), Amount.COUNT: (_SEL,), Amount.UNITS: (_SEL,), Amount.STAT: (_INT, _BOUND),
    Amount.TOTAL: (_INT, _SEL), Amount.COINS: (_S,), Amount.HAND: (_S,), Amount.DECK: (), Amount.PRIZES: (_C,),
    Amount.FEATS: (_S,), Amount.COUNTER: (_S,), Amount.TURN: (), Amount.CITIES: (_P,), Amount.EVENTS: (_E,),
    Amount.VAR: (_BOUND,), Amount.SUB: (_A, _A), Amount.MUL: (_A, _INT), Amount.HALF_DOWN: (_A,), Amount.HALF_UP: (_A,),
}  # fmt: skip
_PREDS: dict[Pred, tuple[int, ...]] = {
    Pred.NOT: (_P,), Pred.CMP: (_A, _INT, _A), Pred.EXISTS: (_SEL,), Pred.EACH_CITY: (_P,), Pred.SOME_CITY: (_P,),
    Pred.HAPPENED: (_E, _INT, _A), Pred.IS: (_BOUND, _SEL), Pred.STEP: (_INT,), Pred.TURN_OF: (_S,),
    Pred.FIRST_TURN: (), Pred.WAR_TORN: (_C,), Pred.DEPLETED: (_C,),
}  # fmt: skip
_HIDDEN_ZONES = frozenset({Zone.HAND, Zone.DECK_TOP, Zone.SET, Zone.USED})
_FACES = (
    SelectorField.TYPE, SelectorField.NOT_TYPE, SelectorField.TRAIT, SelectorField.IDS, SelectorField.COST,
    SelectorField.OFFERING, SelectorField.STRENGTH, SelectorField.SELF,
)  # fmt: skip
"""Fields of a selector that read faces of cards (0: unused). The number of cards of a kind in a zone is public."""
_FITTING = frozenset({EffectKind.DEPLOY, EffectKind.RUN})
"""Effects for which it depends on a card's face whether it can be picked, without any filter."""
_HIDDEN_MOVES = frozenset(
    {EventType.DRAW, EventType.TO_HAND, EventType.TO_DECK, EventType.PRIZE_TAKEN, EventType.PRIZE_SHED}
)
MAX_NESTING = 64
"""Maximum depth of nested nodes; far more than a card needs, far less than would exhaust the stack."""


class ProgramAnalysis:
    """The nodes of a program that depend on hidden cards. Raises ValueError for an invalid program."""

    def __init__(self, program: Program) -> None:
        self.code = program.code
        self.labels = len(program.labels)
        self.blocks: dict[int, int] = {}
        """Pointers to blocks, with the number of their effects."""
        self.effects: set[int] = set()
        self.sels: set[int] = set()
        self.costs: set[int] = set()
        self.hidden: set[int] = set()
        """Pointers to nodes of any kind that depend on hidden cards themselves; not on those of blocks in them."""
        self.guarded: set[int] = set()
        """Pointers to effects that are carried out or not according to hidden cards."""
        self._depth = 0
        self._hidden_slots: set[int] = set()
        self._faces_forbid_discards = False
        self._walk(program)
        if self._faces_forbid_discards:
            # Now every discard from a hand is known to look at faces.
            self.sels.clear()
            self._walk(program)

    def _walk(self, program: Program) -> None:
        width = len(AbilityField)
        for at in range(0, len(program.abilities), width):
            ability = program.abilities[at : at + width]
            self._hidden_slots = set()
            self._pred(ability[AbilityField.WHEN])
            guard = self._pred(ability[AbilityField.COND])
            self._evf(ability[AbilityField.EVENT])
            self._cost(ability[AbilityField.COST])
            self._block(ability[AbilityField.DO], guard)

    @classmethod
    def of(cls, program: Program) -> ProgramAnalysis:
        """The analysis of a program, from a cache."""
        return _nodes(program)

    def _read(self, pointer: int, count: int) -> tuple[int, ...]:
        if pointer < 1 or pointer + count > len(self.code):
            raise ValueError(f"there is no node of {count} numbers at {pointer}")
        return self.code[pointer : pointer + count]

    def _list(self, pointer: int) -> tuple[int, ...]:
        (count,) = self._read(pointer, 1)
        if count < 0:
            raise ValueError(f"the list at {pointer} has {count} entries")
        return self._read(pointer + 1, count)

    def _slot(self, slot: int) -> None:
        if not -1 <= slot < MAX_VARS:
            raise ValueError(f"there is no variable {slot}")

    def _reference(self, value: int) -> None:
        if value >= VAR:
            self._slot(value - VAR)

    def _operands(self, shape: tuple[int, ...], values: tuple[int, ...]) -> bool:
        """Check operands that are not blocks; returns whether one of them depends on hidden cards."""
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise ValueError("nodes are nested too deep")
        hidden = False
        for kind, value in zip(shape, values, strict=True):
            if kind in (_S, _C):
                self._reference(value)
            elif kind == _V or (kind == _BOUND and value != -1):
                self._slot(value)
                hidden |= kind == _BOUND and value in self._hidden_slots
            elif kind == _BOUND:
                raise ValueError("an operand must be a variable")
            elif kind == _A:
                hidden |= self._amount(value)
            elif kind == _SEL:
                hidden |= self._sel(value)
            elif kind == _P:
                hidden |= self._pred(value)
            elif kind == _E:
                hidden |= self._evf(value)
            elif kind == _COST:
                hidden |= self._cost(value)
        self._depth -= 1
        return hidden

    def _note(self, pointer: int, hidden: bool) -> bool:
        if hidden:
            self.hidden.add(pointer)
        return hidden

    def _block(self, pointer: int, guarded: bool) -> None:
        if not pointer:
            return
        effects = self._list(pointer)
        self.blocks[pointer] = len(effects)
        self._depth += 1
        if self._depth > MAX_NESTING:
            raise ValueError("nodes are nested too deep")
        for effect in effects:
            self._effect(effect, guarded)
        self._depth -= 1

    def _effect(self, pointer: int, guarded: bool) -> None:
        op = EffectKind(self._read(pointer, 1)[0])
        self.effects.add(pointer)
        if guarded:
            self.guarded.add(pointer)
        if op in _EFFECTS:
            shape = _EFFECTS[op]
            values = self._read(pointer + 1, len(shape))
        elif op == EffectKind.CHOOSE:
            who, n, count = self._read(pointer + 1, 3)
            if not 0 <= count <= 8:
                raise ValueError(f"a choice has {count} options")
            pairs = self._read(pointer + 4, 2 * count)
            if any(not 0 <= label < self.labels for label in pairs[::2]):
                raise ValueError("a choice has an option without a label")
            shape, values = (_S, _INT, *[_B] * count), (who, n, *pairs[1::2])
        elif op == EffectKind.FOR_EACH:
            over, sel, slot, block = self._read(pointer + 1, 4)
            shape, values = (_SEL if over == Over.SEL else _INT, _V, _B), (sel, slot, block)
        else:
            values = self._read(pointer + 1, 7 if op == EffectKind.MOD else 5)
            target = {Target.SEL: _SEL, Target.SEAT: _S, Target.CITY: _C}[Target(values[1])]
            shape = (_INT, _INT, target, _INT, _A, _INT, _S) if op == EffectKind.MOD else (_INT, _INT, target, _INT, _S)
        plain = [(kind, value) for kind, value in zip(shape, values, strict=True) if kind != _B]
        hidden = self._operands(tuple(kind for kind, _ in plain), tuple(value for _, value in plain))
        if op == EffectKind.FORBID and values[0] == What.DISCARD and values[1] == Target.SEL:
            self._faces_forbid_discards = True
        if op in _FITTING or (op == EffectKind.DISCARD and self._faces_forbid_discards):
            hidden |= self._zone(values[0]) in _HIDDEN_ZONES
        self._note(pointer, hidden)
        if op == EffectKind.LOOK or (op in (EffectKind.LET, EffectKind.FOR_EACH) and hidden):
            self._hidden_slots.update(value for kind, value in plain if kind == _V)
        # The steps after an unpaid cost do not show if it could have been paid.
        within = guarded or (hidden and op in (EffectKind.IF, EffectKind.REPEAT, EffectKind.FOR_EACH))
        for kind, value in zip(shape, values, strict=True):
            if kind == _B:
                self._block(value, within)

    def _zone(self, sel: int) -> int:
        return self._read(sel, len(SelectorField))[SelectorField.ZONE] if sel else -1

    def _amount(self, pointer: int) -> bool:
        if not pointer:
            return False
        op = Amount(self._read(pointer, 1)[0])
        if op in _AMOUNTS:
            shape = _AMOUNTS[op]
            hidden = self._operands(shape, self._read(pointer + 1, len(shape)))
            if op == Amount.TOTAL:
                hidden |= self._zone(self._read(pointer + 1, len(shape))[1]) in _HIDDEN_ZONES
            return self._note(pointer, hidden)
        amounts = self._list(pointer + 1)
        return self._note(pointer, self._operands((_A,) * len(amounts), amounts))

    def _pred(self, pointer: int) -> bool:
        if not pointer:
            return False
        op = Pred(self._read(pointer, 1)[0])
        if op in _PREDS:
            shape = _PREDS[op]
            return self._note(pointer, self._operands(shape, self._read(pointer + 1, len(shape))))
        preds = self._list(pointer + 1)
        return self._note(pointer, self._operands((_P,) * len(preds), preds))

    def _sel(self, pointer: int) -> bool:
        if not pointer or pointer in self.sels:
            return pointer in self.hidden
        sel = self._read(pointer, len(SelectorField))
        self.sels.add(pointer)
        self._reference(sel[SelectorField.SIDE])
        self._reference(sel[SelectorField.CITY])
        for key in (SelectorField.SAME_AS, SelectorField.NOT, SelectorField.AS):
            self._slot(sel[key])
        for key in (SelectorField.TYPE, SelectorField.TRAIT):
            if sel[key] < 0:
                self._slot(-1 - sel[key])
        if sel[SelectorField.IDS]:
            self._list(sel[SelectorField.IDS])
        hidden = sel[SelectorField.SAME_AS] in self._hidden_slots or sel[SelectorField.NOT] in self._hidden_slots
        for key in (SelectorField.COST, SelectorField.OFFERING, SelectorField.STRENGTH):
            if sel[key]:
                (count,) = self._read(sel[key], 1)
                hidden |= self._operands((_A,) * count, self._read(sel[key] + 1, 2 * count)[1::2])
        hidden |= self._operands((_A,), (sel[SelectorField.N],))
        if sel[SelectorField.ZONE] in _HIDDEN_ZONES:
            looks = (
                any(sel[key] for key in _FACES)
                or sel[SelectorField.OWNER] >= 0
                or sel[SelectorField.PICK] >= Pick.HIGHEST
            )
            hidden |= looks or sel[SelectorField.SAME_AS] >= 0 or sel[SelectorField.NOT] >= 0
            if sel[SelectorField.AS] >= 0:
                self._hidden_slots.add(sel[SelectorField.AS])
        return self._note(pointer, hidden)

    def _evf(self, pointer: int) -> bool:
        if not pointer:
            return False
        evf = self._read(pointer, len(EventFilterField))
        for key in (EventFilterField.BY, EventFilterField.WHO, EventFilterField.CITY):
            self._reference(evf[key])
        self._sel(evf[EventFilterField.CARD])
        return self._note(pointer, bool(evf[EventFilterField.CARD]) and evf[EventFilterField.TYPE] in _HIDDEN_MOVES)

    def _cost(self, pointer: int) -> bool:
        if not pointer:
            return False
        kind, value = self._read(pointer, 2)
        self.costs.add(pointer)
        hidden = self._operands((_A,) if CostKind(kind) == CostKind.COINS else (_SEL,), (value,))
        if kind == CostKind.DISCARD and self._faces_forbid_discards:
            hidden |= self._zone(value) in _HIDDEN_ZONES
        return self._note(pointer, hidden)


@lru_cache(maxsize=16)
def _nodes(program: Program) -> ProgramAnalysis:
    return ProgramAnalysis(program)

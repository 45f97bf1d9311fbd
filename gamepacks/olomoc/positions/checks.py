"""Checks of a position without playing on (section 3.16 of RULES.md): ranges, references, counts.

The board itself (what overlaps what) is looked at when the position has been put into a state, in ``dump.pyx``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamepacks.api.errors import Fault
from gamepacks.olomoc.codes import MINISTRY, PROPAGANDA
from gamepacks.olomoc.constants import AXE, Op, Until
from gamepacks.olomoc.engine.state_base import OlomocRules
from gamepacks.olomoc.positions.frames import MAX_FRAMES
from gamepacks.olomoc.positions.meaning import meaning_faults
from gamepacks.olomoc.positions.progress import BUILDING, progress_faults
from gamepacks.olomoc.positions.stack import Stack
from gamepacks.olomoc.ruleset import Profile

FIGURES, ELEMENTS, SLOTS, MAX_TOKENS, MAX_ARTEFACTS = 16, 64, 64, 16, 12
SUBJECTS = 129
"""The elements that an effect can be on: none, or any with a number."""
BEARERS = 19
"""The possible owners: a rouage, a player, nobody."""
LARGEST_MARKER = 60_000
OFF, BLOC, OUT = 1, 2, 3
PAIRS = (
    ("won", -1, 1), ("line", -1, 3), ("vp", 0, 1_000_000), ("fiel", 0, 3), ("hand", 0, 255), ("used", 0, 255),
    ("shown", 0, 62), ("peeked", 0, 62), ("cards", 0, 7), ("propaganda", 0, 4), ("pending", -1, (1 << 31) - 1),
)  # fmt: skip
"""Fields with a number for each player, and their ranges."""


class Checker:
    """Looks for faults of a position, given as plain values (``OlomocState.dump``)."""

    def __init__(self, rules: OlomocRules, values: Mapping[str, Any]) -> None:
        self._rules = rules
        self._set = rules.ruleset
        self._values = values
        self._faults: list[Fault] = []
        self._cards: tuple[Profile, ...] = (*self._set.profiles, *self._set.hostiles)

    def faults(self) -> list[Fault]:
        """Every fault. What depends on a number is not looked at where that number is out of its range."""
        self._numbers()
        self._lists()
        if not self._faults:
            self._figures()
            self._marks()
            self._lasting()
        if not self._faults:
            self._counts()
            self._plans()
            stack = Stack(self._rules, self._values)
            self._faults += stack.faults()
            if not self._faults:
                self._faults += progress_faults(self._rules, self._values)
            if not self._faults:
                self._faults += meaning_faults(stack)
        return self._faults

    def _fault(self, field: str, message: str) -> None:
        self._faults.append(Fault(field, message))

    def _range(self, field: str, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            self._fault(field, f"{value} is not from {low} to {high}")

    # -- ranges --------------------------------------------------------------------------------------------------------

    def _numbers(self) -> None:
        values, cards = self._values, self._set
        for field, low, high in (
            ("first_seat", -1, 1), ("agenda", -1, len(cards.agendas) - 1), ("layout", -1, len(cards.layouts) - 1),
            ("cycle", 0, 4), ("phase", 0, 6), ("priority", 0, 1), ("traque", 0, 3), ("active", 0, 1), ("over", 0, 4),
            ("starting", 0, 1), ("losses", 0, 10_000), ("fallen", -1, 6),
            ("open_card", -1, len(cards.artefacts) - 1),
        ):  # fmt: skip
            self._range(field, values[field], low, high)
        for field, low, high in PAIRS:
            if len(values[field]) != 2:
                self._fault(field, f"{len(values[field])} numbers, not one for each player")
            for player, value in enumerate(values[field]):
                self._range(f"{field}[{player}]", value, low, high)

    def _lists(self) -> None:
        values, cards = self._values, self._set
        for field, length, low, high in (
            ("plan", 12, -1, MINISTRY + AXE),
            ("profile", 6, -1, len(cards.profiles) - 1),
            ("equipment", 6, -1, len(cards.gear) - 1),
            ("tokens", MAX_TOKENS, -1_000_000, 1_000_000),
            ("pile", MAX_ARTEFACTS, 0, 12),
        ):
            if len(values[field]) != length:
                self._fault(field, f"{len(values[field])} numbers, not {length}")
            for place, value in enumerate(values[field]):
                self._range(f"{field}[{place}]", value, low, high)
        for field, most in (
            ("discard", MAX_ARTEFACTS), ("pieces", len(cards.pool)), ("figures", FIGURES),
            ("marks", ELEMENTS - FIGURES),
            ("lasting", SUBJECTS * BEARERS * len(cards.nodes)), ("frames", MAX_FRAMES),
        ):  # fmt: skip
            if len(values[field]) > most:
                self._fault(field, f"{len(values[field])} entries, more than {most}")
        for place, card in enumerate(values["discard"]):
            self._range(f"discard[{place}]", card, 0, len(cards.artefacts) - 1)
        for place, piece in enumerate(values["pieces"]):
            self._range(f"pieces[{place}].rotation", piece["rotation"], -1, 15)
            for axis in ("x", "y"):
                self._range(f"pieces[{place}].{axis}", piece[axis], 0, 1600)
        for place, card in enumerate(values["plan"]):
            if PROPAGANDA < card < MINISTRY or (place % 6 == 0 and card >= 0):
                self._fault(f"plan[{place}]", f"no card {card} can lie there")
        if values["pieces"] and not self._rules.placed:
            self._fault("pieces", "the option bloc lets nobody lay scenery")

    # -- what stands on the board --------------------------------------------------------------------------------------

    def _figures(self) -> None:
        last = -1
        for place, figure in enumerate(self._values["figures"]):
            where = f"figures[{place}]"
            index = figure["index"]
            if not last < index < FIGURES:
                self._fault(f"{where}.index", f"{index} is not from {last + 1} to {FIGURES - 1}")
                continue
            last = index
            self._figure(where, figure, index)
        players = [figure["index"] for figure in self._values["figures"] if figure["index"] < 6]
        if players not in ([], list(range(6))):
            self._fault("figures", "all six players' rouages, or none before the cabales are built")

    def _figure(self, where: str, figure: Mapping[str, Any], index: int) -> None:
        first = 0 if index < 6 else self._rules.profiles
        last = self._rules.profiles - 1 if index < 6 else len(self._cards) - 1
        if not first <= figure["card"] <= last:
            self._fault(f"{where}.card", f"{figure['card']} is not from {first} to {last}")
            return
        card = self._cards[figure["card"]]
        for field, low, high in (
            ("where", OFF if index < 6 else BLOC, OUT),
            ("gear", -1, len(self._set.gear) - 1 if index < 6 else -1),
            ("x", 0, 1600), ("y", 0, 1600), ("ap_given", 0, card.ap), ("ap", 0, figure["ap_given"]),
            ("ticked", 0, len(card.life)), ("noirceur", 0, 3 if index < 6 else 0), ("states", 0, 1),
            ("marches", 0, 9),
            ("attacks", 0, 9), ("acted", 0, 1), ("lost", 0, self._values["losses"]),
        ):  # fmt: skip
            self._range(f"{where}.{field}", figure[field], low, high)
        if figure["where"] == BLOC:
            margin = -(-card.radius // 127)
            for axis in ("x", "y"):
                self._range(f"{where}.{axis}", figure[axis], margin, 1600 - margin)
        elif figure["x"] or figure["y"]:
            self._fault(f"{where}.x", "only a rouage on the board has a place")
        if index < 6:
            self._life(where, figure, card)
            if self._values["profile"][index] != figure["card"] or self._values["equipment"][index] != figure["gear"]:
                self._fault(f"{where}.card", "is not the one of the cabale, or not its gear")
        for field in ("uses", "used"):
            self._uses(f"{where}.{field}", figure[field])

    def _life(self, where: str, figure: Mapping[str, Any], card: Profile) -> None:
        """OLO-OUT-01, OLO-INV-08."""
        out = figure["where"] == OUT
        if out != (figure["ticked"] == len(card.life)) or out != (figure["lost"] > 0):
            self._fault(f"{where}.ticked", "a rouage is out of action if, and only if, all its boxes are ticked")
        if out and (figure["ap"] or figure["noirceur"] or figure["states"]):
            self._fault(f"{where}.ap", "a rouage that is out of action holds no token (OLO-INV-08)")

    def _uses(self, field: str, pairs: list[int]) -> None:
        numbers = pairs[::2]
        if len(pairs) % 2 or numbers != sorted(set(numbers)) or any(not 0 <= number < SLOTS for number in numbers):
            self._fault(field, f"capacities from 0 to {SLOTS - 1}, ascending, each with its uses")
        elif any(not 1 <= uses <= 255 for uses in pairs[1::2]):
            self._fault(field, "uses are from 1 to 255")

    def _marks(self) -> None:
        last = FIGURES - 1
        for place, mark in enumerate(self._values["marks"]):
            where = f"marks[{place}]"
            if not last < mark["element"] < ELEMENTS:
                self._fault(f"{where}.element", f"{mark['element']} is not from {last + 1} to {ELEMENTS - 1}")
                continue
            last = mark["element"]
            for field, low, high in (
                ("tag", -1, len(self._set.tags) - 1), ("radius", 1, LARGEST_MARKER), ("tainted", 0, 1),
                ("zone", -1, 406_400),
            ):  # fmt: skip
                self._range(f"{where}.{field}", mark[field], low, high)
            if 1 <= mark["radius"] <= LARGEST_MARKER:
                margin = -(-mark["radius"] // 127)
                for axis in ("x", "y"):
                    self._range(f"{where}.{axis}", mark[axis], margin, 1600 - margin)

    def _lasting(self) -> None:
        begun: set[tuple[int, ...]] = set()
        lasting_ops = {Op.MOD, Op.STAT, Op.PROTECT, Op.FORBID, Op.PERMIT, Op.SIGHT}
        for place, effect in enumerate(self._values["lasting"]):
            where = f"lasting[{place}]"
            for field, low, high in (
                ("node", 0, len(self._set.nodes) - 1), ("subject", -1, 127), ("owner", -1, 2), ("bearer", -1, 15),
                ("until", 0, Until.GAME), ("cycle", 0, 4), ("phase", 0, 6),
            ):  # fmt: skip
                self._range(f"{where}.{field}", effect[field], low, high)
            whose = effect["node"], effect["subject"], effect["owner"], effect["bearer"]
            if whose in begun:
                self._fault(f"{where}.node", "lasts on the same element already (OLO-GEN-04)")
            begun.add(whose)
            ends_in_attack = effect["until"] in (Until.ROLL, Until.ATTACK)
            last = len(self._values["frames"]) - 1 if not self._values["over"] else effect["home"]
            if not (1 <= effect["home"] <= last if ends_in_attack else effect["home"] == 0):
                self._fault(f"{where}.home", "names a frame if, and only if, it ends with an attack or a roll")
            if 0 <= effect["node"] < len(self._set.nodes) and self._set.nodes[effect["node"]].op not in lasting_ops:
                self._fault(f"{where}.node", "is no effect that lasts")
            if len(effect["value"]) != 3 or any(not -1000 <= value <= 1000 for value in effect["value"]):
                self._fault(f"{where}.value", "three numbers from -1000 to 1000")

    # -- counts --------------------------------------------------------------------------------------------------------

    def _counts(self) -> None:
        values = self._values
        out = sum(figure["where"] == OUT for figure in values["figures"] if figure["index"] < 6)
        changes = any(node.op == Op.TRAQUE for node in self._set.nodes)
        if values["traque"] < min(out, 3) or (values["traque"] != min(out, 3) and not changes):
            self._fault("traque", f"{out} rouages are out of action (OLO-INV-05)")
        lost = [figure["lost"] for figure in values["figures"] if figure["lost"]]
        if len(set(lost)) < len(lost):
            self._fault("losses", "two rouages stand in one place of the row of those that are out")
        if not values["over"] and (values["traque"] >= 3 or max(values["fiel"]) >= 3):
            self._fault("over", "the game has ended (OLO-END-02, OLO-END-03)")
        if values["over"] and values["frames"]:
            self._fault("frames", "nothing is carried out once the game is over")
        if not values["over"] and not values["frames"]:
            self._fault("frames", "something must be carried out")
        if (values["frames"][:1] and values["frames"][0]["pc"] >= BUILDING) or values["over"]:
            self._artefacts()

    def _artefacts(self) -> None:
        """OLO-INV-04."""
        values = self._values
        for card in self._set.artefacts:
            there = (
                values["pile"][card.index] + values["discard"].count(card.index) + (values["open_card"] == card.index)
            )
            if there != card.copies:
                self._fault(f"pile[{card.index}]", f"{there} of the {card.copies} cards {card.number} (OLO-INV-04)")

    def _plans(self) -> None:
        """Cards of a plan are the player's own, at most one of them a ministry (OLO-PLAN-01)."""
        values = self._values
        for player in range(2):
            plan = values["plan"][6 * player + 1 : 6 * player + 6]
            for rank in range(3):
                if plan.count(rank) > (values["cards"][player] >> rank & 1):
                    self._fault("plan", f"player {player} has no such activation card of rank {rank + 1}")
            if plan.count(PROPAGANDA) > values["propaganda"][player]:
                self._fault("plan", f"player {player} has {values['propaganda'][player]} Propaganda cards")
            ministries = [(slot, card - MINISTRY) for slot, card in enumerate(plan, 1) if card >= MINISTRY]
            if len(ministries) > 1:
                self._fault("plan", f"player {player} has laid more than one ministry")
            for slot, number in ministries:
                if not self._set.ministries[number].slots >> slot & 1:
                    self._fault(f"plan[{6 * player + slot}]", "the ministry may not lie there (OLO-PLAN-02)")
            if values["cycle"] and values["cards"][player].bit_count() + values["propaganda"][player] != 4:
                self._fault(f"cards[{player}]", "activation and Propaganda cards are four (OLO-PLAN-03)")

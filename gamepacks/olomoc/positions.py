"""Conversion between states and position messages; every fault of a position is reported.

A position between two actions can be written by hand: places, counters, and the current activation. A state in the
middle of an effect is sealed, and only the engine writes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from cext.geometry import ShapeError
from cext.geometry.units import LAST, SIDE, STEP
from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.api.sealed import read_pending, write_pending
from gamepacks.olomoc.codes import MINISTRY, PROPAGANDA
from gamepacks.olomoc.constants import (
    AXE,
    BASES,
    CORRUPTED,
    HOSTILE_PHASE,
    MAX_ARTEFACTS,
    MAX_HOSTILE_RUNS,
    MAX_TOKENS,
    PLAYERS_FIGURES,
    SLOTS,
    TRACK_END,
    Op,
    Until,
)
from gamepacks.olomoc.elements import FIRST_MARKER, FIRST_PIECE
from gamepacks.olomoc.engine.rules import OlomocRules
from gamepacks.olomoc.ruleset import CompiledProfile
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from gamepacks.olomoc.v1.olomoc_enums import ActivatedBy, EndCause

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.rules import OlomocState
    from gamepacks.olomoc.game import Olomoc

RANKS, SLOTS_OF_PLAN, LAST_PHASE = 3, 5, 5
SUBJECTS = 129
"""Number of possible subjects of an effect: none, or an element."""
BEARERS = 19
"""Number of possible owners of an effect: a rouage, a player, nobody."""
MAX_MARKER_RADIUS = max(BASES.values())
PAIRS = (
    ("won", -1, 1), ("line", -1, 3), ("vp", 0, 1_000_000), ("fiel", 0, TRACK_END), ("hand", 0, 255), ("used", 0, 255),
    ("shown", 0, 62), ("peeked", 0, 62), ("cards", 0, 7), ("propaganda", 0, 4), ("committed", -1, (1 << 31) - 1),
)  # fmt: skip
"""Fields with a number for each player, and their ranges."""
PROGRESS = ("first_player", "activation", "hostiles_run")
"""Fields that determine the pending decision between two actions; in the middle of an effect ``pending`` does."""
LASTING_OPS = frozenset({Op.MOD, Op.STAT, Op.PROTECT, Op.FORBID, Op.PERMIT, Op.SIGHT})


def to_message(state: OlomocState) -> pb.Position:
    """Returns the position message of a state; equal states give equal messages."""
    values, progress = state.dump(), state.progress()
    pending = {name: values.pop(name) for name in ("frames", "starting")}
    pending["frames"] = [[frame["kind"], frame["pc"], *frame["values"]] for frame in pending["frames"]]
    pending["homes"] = [effect.pop("home") for effect in values["lasting"]]
    if progress is not None:
        return pb.Position(**values, **progress)
    position = pb.Position(**values)
    write_pending(position, pending)
    return position


def values_of(message: Message) -> dict[str, Any]:
    """Convert a message to plain values by name, as in ``OlomocState.dump``; None for a message that is not set."""
    values: dict[str, Any] = {}
    for name, is_message, is_repeated in _fields(message.DESCRIPTOR):
        value = getattr(message, name)
        if is_message and not is_repeated:
            values[name] = values_of(value) if message.HasField(name) else None
        elif is_message:
            values[name] = [values_of(part) for part in value]
        else:
            values[name] = list(value) if is_repeated else value
    return values


@cache
def _fields(descriptor: Descriptor) -> tuple[tuple[str, bool, bool], ...]:
    """The fields of a message: name, whether its values are messages, whether it is repeated."""
    return tuple((field.name, field.message_type is not None, field.is_repeated) for field in descriptor.fields)


def restore(game: Olomoc, position: pb.Position) -> OlomocState:
    """Returns the state of a position. Raises InvalidPosition with every fault."""
    from gamepacks.olomoc.engine.rules import OlomocState

    values = values_of(position)
    progress = {name: values.pop(name) for name in PROGRESS}
    if position.HasField("pending"):
        pending = read_pending(position)
        values["starting"] = pending["starting"]
        values["frames"] = [{"kind": kind, "pc": pc, "values": rest} for kind, pc, *rest in pending["frames"]]
        homes = pending["homes"]
    else:
        values |= {"starting": 0, "progress": progress}
        homes = [0] * len(values["lasting"])
        if faults := Checker(game.rules, values).faults():
            raise InvalidPosition(faults)
    for effect, home in zip(values["lasting"], homes, strict=True):
        effect["home"] = home
    try:
        state, unfit = OlomocState.load(game, game.rules, values)
    except ShapeError as error:
        raise InvalidPosition([Fault("pieces", str(error))]) from error
    except LookupError as error:
        (element,) = error.args
        field = "figures" if element < FIRST_MARKER else "marks"
        message = f"element {element} is not wholly on the board, or overlaps something (OLO-INV-01)"
        raise InvalidPosition([Fault(field, message)]) from error
    unfit = ["pending.state" if name == "frames" and "frames" in values else name for name in unfit]
    if unfit:
        message = "does not fit the pending decision: the game would go on without one"
        raise InvalidPosition([Fault(_PROGRESS_FIELD.get(name, name), message) for name in unfit])
    for seat in range(2):
        if state.seats_to_act() >> seat & 1 and not state.legal(seat):
            message = f"seat {seat} must decide, but has no legal action (OLO-INV-06)"
            raise InvalidPosition([Fault("activation", message)])
    return state


_PROGRESS_FIELD = {"frames": "activation", "starting": "activation"}
"""Fields of a position by the values of the state that follow from them."""


class Checker:
    """Finds faults of a position between two actions: ranges, references, counts (section 3.16 of RULES.md).

    ``values`` are those of ``OlomocState.dump``, with ``progress`` in place of the frames. Overlaps on the board are
    found when the values are loaded into a state.
    """

    def __init__(self, rules: OlomocRules, values: Mapping[str, Any]) -> None:
        self._rules = rules
        self._set = rules.ruleset
        self._values = values
        self._faults: list[Fault] = []
        self._cards: tuple[CompiledProfile, ...] = (*self._set.profiles, *self._set.hostiles)

    def faults(self) -> list[Fault]:
        """Returns every fault; values that depend on a number out of its range are not checked."""
        self._numbers()
        self._lists()
        if not self._faults:
            self._figures()
            self._marks()
            self._lasting()
        if not self._faults:
            self._counts()
            self._plans()
        if not self._faults:
            if self._values["over"]:
                self._ending()
            else:
                self._set_up()
                self._cabales()
                self._cycle()
        return self._faults

    def _fault(self, field: str, message: str) -> None:
        self._faults.append(Fault(field, message))

    def _range(self, field: str, value: int, low: int, high: int) -> None:
        if not low <= value <= high:
            self._fault(field, f"{value} is not from {low} to {high}")

    def _plan(self, player: int) -> list[int]:
        """The cards of slots 1 to 5."""
        plan: list[int] = self._values["plan"][6 * player + 1 : 6 * player + 6]
        return plan

    # -- ranges --------------------------------------------------------------------------------------------------------

    def _numbers(self) -> None:
        values, cards = self._values, self._set
        for field, low, high in (
            ("first_seat", -1, 1), ("agenda", -1, len(cards.agendas) - 1), ("layout", -1, len(cards.layouts) - 1),
            ("cycle", 0, 4), ("phase", 0, 6), ("priority", 0, 1), ("traque", 0, 3), ("active", 0, 1), ("over", 0, 4),
            ("losses", 0, 10_000), ("fallen", -1, 6),
            ("open_card", -1, len(cards.artefacts) - 1),
        ):  # fmt: skip
            self._range(field, values[field], low, high)
        for field, low, high in PAIRS:
            if len(values[field]) != 2:
                self._fault(field, f"has {len(values[field])} entries; one for each player is needed")
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
                self._fault(field, f"has {len(values[field])} entries; {length} are needed")
            for place, value in enumerate(values[field]):
                self._range(f"{field}[{place}]", value, low, high)
        for field, most in (
            ("discard", MAX_ARTEFACTS), ("pieces", len(cards.pool)), ("figures", FIRST_MARKER),
            ("marks", FIRST_PIECE - FIRST_MARKER),
            ("lasting", SUBJECTS * BEARERS * len(cards.nodes)),
        ):  # fmt: skip
            if len(values[field]) > most:
                self._fault(field, f"has {len(values[field])} entries; at most {most} are possible")
        for place, card in enumerate(values["discard"]):
            self._range(f"discard[{place}]", card, 0, len(cards.artefacts) - 1)
        for place, piece in enumerate(values["pieces"]):
            self._range(f"pieces[{place}].rotation", piece["rotation"], -1, 15)
            for axis in ("x", "y"):
                self._range(f"pieces[{place}].{axis}", piece[axis], 0, LAST)
        for place, card in enumerate(values["plan"]):
            if PROPAGANDA < card < MINISTRY or (place % 6 == 0 and card >= 0):
                self._fault(f"plan[{place}]", f"card {card} cannot be in this slot")
        if values["pieces"] and not self._rules.placed:
            self._fault("pieces", "must be empty, as the option bloc is not placed")

    # -- elements on the board --------------------------------------------------------------------------------------

    def _figures(self) -> None:
        last = -1
        for place, figure in enumerate(self._values["figures"]):
            where = f"figures[{place}]"
            index = figure["index"]
            if not last < index < FIRST_MARKER:
                self._fault(f"{where}.index", f"{index} is not from {last + 1} to {FIRST_MARKER - 1}")
                continue
            last = index
            self._figure(where, figure, index)
        players = [figure["index"] for figure in self._values["figures"] if figure["index"] < PLAYERS_FIGURES]
        if players not in ([], list(range(PLAYERS_FIGURES))):
            self._fault("figures", "must have all six rouages of the players, or none before the cabales are built")

    def _figure(self, where: str, figure: Mapping[str, Any], index: int) -> None:
        first = 0 if index < PLAYERS_FIGURES else self._rules.profiles
        last = self._rules.profiles - 1 if index < PLAYERS_FIGURES else len(self._cards) - 1
        if not first <= figure["card"] <= last:
            self._fault(f"{where}.card", f"{figure['card']} is not from {first} to {last}")
            return
        card = self._cards[figure["card"]]
        for field, low, high in (
            ("where", pb.PLACE_OFF if index < PLAYERS_FIGURES else pb.PLACE_BLOC, pb.PLACE_OUT),
            ("gear", -1, len(self._set.gear) - 1 if index < PLAYERS_FIGURES else -1),
            ("x", 0, LAST), ("y", 0, LAST), ("ap_given", 0, card.ap), ("ap", 0, figure["ap_given"]),
            ("ticked", 0, len(card.life)), ("states", 0, 1), ("marches", 0, 9), ("attacks", 0, 9),
            ("noirceur", 0, CORRUPTED if index < PLAYERS_FIGURES else 0), ("acted", 0, 1),
            ("lost", 0, self._values["losses"]),
        ):  # fmt: skip
            self._range(f"{where}.{field}", figure[field], low, high)
        if figure["where"] == pb.PLACE_BLOC:
            margin = -(-card.radius // STEP)
            for axis in ("x", "y"):
                self._range(f"{where}.{axis}", figure[axis], margin, LAST - margin)
        elif figure["x"] or figure["y"]:
            self._fault(f"{where}.x", "must be 0, as must y, for a rouage off the board")
        if index < PLAYERS_FIGURES:
            self._life(where, figure, card)
            if self._values["profile"][index] != figure["card"] or self._values["equipment"][index] != figure["gear"]:
                self._fault(f"{where}.card", "does not match profile and equipment")
        for field in ("uses", "used"):
            self._uses(f"{where}.{field}", figure[field])

    def _life(self, where: str, figure: Mapping[str, Any], card: CompiledProfile) -> None:
        """Check the life boxes and tokens of a player's rouage (OLO-OUT-01, OLO-INV-08)."""
        out = figure["where"] == pb.PLACE_OUT
        if out != (figure["ticked"] == len(card.life)) or out != (figure["lost"] > 0):
            self._fault(f"{where}.ticked", "must be all boxes if and only if the rouage is out of action")
        if out and (figure["ap"] or figure["noirceur"] or figure["states"]):
            self._fault(f"{where}.ap", "must be 0 for a rouage out of action, as must noirceur and states (OLO-INV-08)")

    def _uses(self, field: str, pairs: list[int]) -> None:
        numbers = pairs[::2]
        if len(pairs) % 2 or numbers != sorted(set(numbers)) or any(not 0 <= number < SLOTS for number in numbers):
            self._fault(field, f"must have pairs of a capacity, from 0 to {SLOTS - 1} in ascending order, and its uses")
        elif any(not 1 <= uses <= 255 for uses in pairs[1::2]):
            self._fault(field, "must have uses from 1 to 255")

    def _marks(self) -> None:
        last = FIRST_MARKER - 1
        for place, mark in enumerate(self._values["marks"]):
            where = f"marks[{place}]"
            if not last < mark["element"] < FIRST_PIECE:
                self._fault(f"{where}.element", f"{mark['element']} is not from {last + 1} to {FIRST_PIECE - 1}")
                continue
            last = mark["element"]
            for field, low, high in (
                ("tag", -1, len(self._set.tags) - 1), ("radius", 1, MAX_MARKER_RADIUS), ("tainted", 0, 1),
                ("zone", -1, 2 * SIDE),
            ):  # fmt: skip
                self._range(f"{where}.{field}", mark[field], low, high)
            if 1 <= mark["radius"] <= MAX_MARKER_RADIUS:
                margin = -(-mark["radius"] // STEP)
                for axis in ("x", "y"):
                    self._range(f"{where}.{axis}", mark[axis], margin, LAST - margin)

    def _lasting(self) -> None:
        begun: set[tuple[int, ...]] = set()
        for place, effect in enumerate(self._values["lasting"]):
            where = f"lasting[{place}]"
            for field, low, high in (
                ("node", 0, len(self._set.nodes) - 1), ("subject", -1, 127), ("owner", -1, 2), ("bearer", -1, 15),
                ("until", 0, Until.GAME), ("cycle", 0, 4), ("phase", 0, 6),
            ):  # fmt: skip
                self._range(f"{where}.{field}", effect[field], low, high)
            whose = effect["node"], effect["subject"], effect["owner"], effect["bearer"]
            if whose in begun:
                self._fault(f"{where}.node", "is repeated for the same element (OLO-GEN-04)")
            begun.add(whose)
            if effect["until"] in (Until.ROLL, Until.ATTACK):
                self._fault(f"{where}.until", "must not be an attack or a roll, as none is in progress")
            if 0 <= effect["node"] < len(self._set.nodes) and self._set.nodes[effect["node"]].op not in LASTING_OPS:
                self._fault(f"{where}.node", "is not a lasting effect")
            if len(effect["value"]) != 3 or any(not -1000 <= value <= 1000 for value in effect["value"]):
                self._fault(f"{where}.value", "must have three numbers from -1000 to 1000")

    # -- counts --------------------------------------------------------------------------------------------------------

    def _counts(self) -> None:
        values = self._values
        out = sum(figure["where"] == pb.PLACE_OUT for figure in values["figures"] if figure["index"] < PLAYERS_FIGURES)
        changes = any(node.op == Op.TRAQUE for node in self._set.nodes)
        if values["traque"] < min(out, 3) or (values["traque"] != min(out, 3) and not changes):
            self._fault("traque", f"does not fit the {out} rouages out of action (OLO-INV-05)")
        lost = [figure["lost"] for figure in values["figures"] if figure["lost"]]
        if len(set(lost)) < len(lost):
            self._fault("losses", "does not fit: two rouages have the same value of lost")
        if not values["over"] and (values["traque"] >= 3 or max(values["fiel"]) >= 3):
            self._fault("over", "must be set, as the game has ended (OLO-END-02, OLO-END-03)")
        if any(values["hand"]) or any(values["used"]):
            self._artefacts()

    def _artefacts(self) -> None:
        """Check that every Artefact card is in exactly one place (OLO-INV-04)."""
        values = self._values
        for card in self._set.artefacts:
            there = (
                values["pile"][card.index] + values["discard"].count(card.index) + (values["open_card"] == card.index)
            )
            if there != card.copies:
                self._fault(
                    f"pile[{card.index}]",
                    f"there are {there} cards {card.number} in all, not {card.copies} (OLO-INV-04)",
                )

    def _plans(self) -> None:
        """Check that the cards of a plan belong to the player, with at most one ministry (OLO-PLAN-01)."""
        values = self._values
        for player in range(2):
            plan = self._plan(player)
            for rank in range(3):
                if plan.count(rank) > (values["cards"][player] >> rank & 1):
                    self._fault("plan", f"has an activation card of rank {rank + 1} that player {player} does not have")
            if plan.count(PROPAGANDA) > values["propaganda"][player]:
                self._fault(
                    "plan", f"has more Propaganda cards than the {values['propaganda'][player]} of player {player}"
                )
            ministries = [(slot, card - MINISTRY) for slot, card in enumerate(plan, 1) if card >= MINISTRY]
            if len(ministries) > 1:
                self._fault("plan", f"has more than one ministry of player {player}")
            for slot, number in ministries:
                if not self._set.ministries[number].slots >> slot & 1:
                    self._fault(f"plan[{6 * player + slot}]", "the ministry is not allowed in this slot (OLO-PLAN-02)")
            if values["cycle"] and values["cards"][player].bit_count() + values["propaganda"][player] != 4:
                self._fault(f"cards[{player}]", "activation and Propaganda cards must be four in all (OLO-PLAN-03)")

    # -- the progress of the game --------------------------------------------------------------------------------------

    def _ending(self) -> None:
        """Check the cause of the end and the winners (OLO-END-01 to OLO-END-03, OLO-END-06)."""
        values = self._values
        cause, full = values["over"], [fiel >= 3 for fiel in values["fiel"]]
        if cause == EndCause.BOTH_FIEL:
            true, won = all(full), [-1, -1]
        elif cause == EndCause.FIEL:
            true, won = sum(full) == 1, [-1 if lost else 1 for lost in full]
        else:
            true = values["traque"] >= 3 if cause == EndCause.TRAQUE else values["cycle"] == 4
            better = values["vp"][0] - values["vp"][1]
            sign = (better > 0) - (better < 0)
            won = [sign, -sign]
        if not true:
            self._fault("over", "is not a cause that fits the values")
        if values["won"] != won:
            self._fault("won", "does not fit the cause of the end (OLO-END-06)")
        if values["progress"] != {"first_player": -1, "activation": None, "hostiles_run": 0}:
            self._fault("activation", "must not be set once the game is over")

    def _set_up(self) -> None:
        """Check the order of the set-up (OLO-SETUP-01 to OLO-SETUP-05)."""
        values, rules = self._values, self._rules
        pool = len(self._set.pool) if rules.placed else 0
        if any(values["won"]):
            self._fault("won", "must be 0 before the end")
        if rules.placed and values["layout"] >= 0:
            self._fault("layout", "must not be set, as player 0 lays the scenery")
        dealt = any(values["hand"]) or any(values["used"])
        earlier = ""
        for field, known, begun in (
            ("first_seat", values["first_seat"] >= 0, values["first_seat"] >= 0),
            ("agenda", values["agenda"] >= 0, values["agenda"] >= 0),
            ("layout", rules.placed or values["layout"] >= 0, values["layout"] >= 0),
            ("pieces", len(values["pieces"]) == pool, bool(values["pieces"])),
            ("line", min(values["line"]) >= 0, max(values["line"]) >= 0),
            ("fallen", values["fallen"] >= 0, values["fallen"] >= 0),
            ("hand", dealt, dealt),
        ):
            if earlier and begun:
                self._fault(field, f"must not be set before {earlier}")
            if not known:
                earlier = earlier or field
        if earlier == "line" and max(values["line"]) >= 0:
            self._fault("line", "must be set for both players, or for none (OLO-SETUP-04)")
        if earlier and (values["figures"] and earlier in ("first_seat", "agenda", "layout", "pieces", "line")):
            self._fault("figures", "must be empty before the edges are chosen (OLO-SETUP-09)")
        if earlier and (any(values["pile"]) or values["open_card"] >= 0 or values["discard"]):
            self._fault("pile", "must be empty before the cabales are built, as must open_card and discard")
        edges = self._set.agendas[values["agenda"]].edges if values["agenda"] >= 0 else values["line"]
        if min(values["line"]) >= 0 and sorted(values["line"]) != sorted(edges):
            self._fault("line", "must be the edges of the agenda (OLO-SETUP-04)")
        if dealt and values["fallen"] >= 0:
            self._hands()
        if earlier and (any(card >= 0 for card in [*values["profile"], *values["equipment"]])):
            self._fault("profile", f"must be empty before {earlier} is set")

    def _hands(self) -> None:
        """Check that each player has an Axe and three ministries in hand, planned or used (OLO-SETUP-05)."""
        values = self._values
        whole = [0, 0]
        for player in range(2):
            planned = _ministries(self._plan(player))
            whole[player] = values["hand"][player] | values["used"][player] | sum(1 << card for card in planned)
            if whole[player].bit_count() != 4 or not whole[player] >> AXE & 1:
                self._fault(
                    f"hand[{player}]", "must, with plan and used, have an Axe and three ministries (OLO-SETUP-05)"
                )
        if whole[0] & whole[1] != 1 << AXE or (whole[0] | whole[1]) >> values["fallen"] & 1:
            self._fault("hand", "has a ministry that is in two places, or the fallen one")

    def _cabales(self) -> None:
        """Check the rouages and gear taken, and the rouages in play (OLO-CABAL-01 to OLO-CABAL-03)."""
        values, secret = self._values, self._rules.secret_build
        taken = [
            [sum(card >= 0 for card in values[field][RANKS * player : RANKS * player + RANKS]) for player in range(2)]
            for field in ("profile", "equipment")
        ]
        total = sum(taken[0]) + sum(taken[1])
        for kind, field in enumerate(("profile", "equipment")):
            # In a draft player 1 takes rouages first and player 2 gear; in secret both take a card at the same time.
            ahead, behind = (taken[kind][0], taken[kind][1]) if kind == 0 else (taken[kind][1], taken[kind][0])
            if ahead - behind not in ((0,) if secret else (0, 1)):
                self._fault(field, f"cannot have {taken[kind][0]} and {taken[kind][1]} cards of the players")
            for player in range(2):
                own = values[field][RANKS * player : RANKS * player + RANKS]
                if secret and any(card < 0 for card in own[: taken[kind][player]]):
                    self._fault(field, f"player {player} must have taken cards in order of rank")
        if sum(taken[1]) and sum(taken[0]) < PLAYERS_FIGURES:
            self._fault("equipment", "must be empty before all rouages are taken")
        for place, card in enumerate(values["profile"]):
            if card >= 0 and self._set.profiles[card].rank != place % RANKS + 1:
                self._fault(f"profile[{place}]", f"must be a rouage of rank {place % RANKS + 1}")
        playing = sum(figure["index"] < PLAYERS_FIGURES for figure in values["figures"]) == PLAYERS_FIGURES
        if playing != (total == 2 * PLAYERS_FIGURES):
            self._fault("figures", "must have the rouages of the cabales once these are complete, and not before")
        if not playing and (any(values["cards"]) or any(values["propaganda"])):
            self._fault("cards", "must be 0 before the cabales are complete, as must propaganda")

    def _cycle(self) -> None:
        """Check the phase, the plans and the ministries used (OLO-CYC-01, OLO-PLAN-01, OLO-EOC-02)."""
        values = self._values
        cycle, phase, progress = values["cycle"], values["phase"], values["progress"]
        playing = any(figure["index"] < PLAYERS_FIGURES for figure in values["figures"])
        if playing != (cycle > 0) or (phase and not cycle):
            self._fault("cycle", "must be at least 1 once the cabales are complete, and 0 before")
        if not cycle and (any(card >= 0 for card in values["plan"]) or any(values["used"])):
            self._fault("plan", "must be empty before the first cycle, as must used")
        laid = sum(card >= 0 for card in self._plan(0))
        if phase and laid != SLOTS_OF_PLAN:
            self._fault("plan", "must have a card in every slot in a phase")
        for player in range(2):
            plan = self._plan(player)
            if sum(card >= 0 for card in plan) != laid or len(_ministries(plan)) != min(laid, 1):
                self._fault("plan", f"must have {laid} cards of player {player}, one of them a ministry")
            shown = (1 << min(phase, SLOTS_OF_PLAN) + 1) - 2 if phase else 0
            if shown & ~values["shown"][player] or (not phase and values["shown"][player]):
                message = "must have the cards of this phase and those before, none before the first phase"
                self._fault(f"shown[{player}]", message)
            if cycle and values["used"][player].bit_count() != cycle - 1:
                self._fault(f"used[{player}]", "must have one ministry for each finished cycle")
        if 1 <= phase <= LAST_PHASE:
            self._range("first_player", progress["first_player"], 0, 1)
            if not self._faults:
                self._activation(progress["activation"])
        else:
            self._range("first_player", progress["first_player"], -1, -1)
            if progress["activation"] is not None:
                self._fault("activation", "must not be set outside the phases 1 to 5")
        self._range("hostiles_run", progress["hostiles_run"], 0, MAX_HOSTILE_RUNS if phase == HOSTILE_PHASE else 0)

    def _activation(self, activation: Mapping[str, int] | None) -> None:
        """Check the activation by the active player's card; only a Propaganda card can be without one."""
        values = self._values
        player, slot = values["active"], values["phase"] - 1
        card = self._plan(player)[slot]
        if card >= MINISTRY or self._plan(1 - player)[slot] >= MINISTRY:
            self._fault(
                "activation", "must not be set: a ministry was revealed, so no rouage is activated (OLO-PHASE-06)"
            )
            return
        if activation is None:
            if card != PROPAGANDA:
                self._fault("activation", "must be set, as the card is not Propaganda")
            return
        main, other = activation["main"], activation["coordinated"]
        rouages = range(RANKS * player, RANKS * player + RANKS)
        if main not in rouages or (card != PROPAGANDA and main != RANKS * player + card):
            self._fault("activation.main", "must be the rouage of the active player's card")
        if other >= 0 and (other == main or other not in rouages):
            self._fault("activation.coordinated", "must be another rouage of the active player")
        self._range("activation.coordinated", other, -1, PLAYERS_FIGURES - 1)
        if activation["by"] != (ActivatedBy.PROPAGANDA if card == PROPAGANDA else ActivatedBy.CARD):
            self._fault("activation.by", "must match the active player's card")
        for field in ("entered", "skipped"):
            self._range(f"activation.{field}", activation[field], 0, 3)


def _ministries(plan: Sequence[int]) -> list[int]:
    return [card - MINISTRY for card in plan if card >= MINISTRY]

"""Event messages of a step, from the trace of the engine, without what the viewer may not know."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from cext.random import Rng
from gamepacks.api.types import OMNISCIENT, Viewer
from gamepacks.olomoc import knowledge
from gamepacks.olomoc.constants import GENERIC_NAMES, SOURCE_RADIX, EventKind
from gamepacks.olomoc.elements import card_of, ruler_pose
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from gamepacks.olomoc.v1.olomoc_enums import Decision, ModifierKind, Movement, SourceKind

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.rules import OlomocState

TraceEntry = tuple[int, ...]

_SEEN = ("cycle", "phase", "priority", "traque", "vp", "fiel", "figures", "marks", "discard", "open_card", "frames")
"""Fields of a position that hide nothing once the game is under way."""
_CAUSED = frozenset(
    {
        EventKind.AP_CHANGED,
        EventKind.NOIRCEUR_CHANGED,
        EventKind.FIEL_CHANGED,
        EventKind.TRAQUE_CHANGED,
        EventKind.VP_CHANGED,
    }
)
"""Kinds of events with a cause; the number behind it is the source."""


def event_messages(
    before: OlomocState, seat: int | None, code: int, after: OlomocState, viewer: Viewer
) -> list[pb.Event]:
    """The events of a step for a viewer."""
    builder = _EventBuilder(before, after, viewer)
    events: list[pb.Event] = []
    for entry in before.trace_of(code, -1 if seat is None else seat):
        if entry[0] == EventKind.MODIFIER:
            # It belongs to the roll that was fixed just before.
            events[-1].roll_set.modifiers.append(builder.modifier(*entry[1:6]))
        elif (event := builder.event(entry)) is not None:
            events.append(event)
    return events


class _EventBuilder:
    def __init__(self, before: OlomocState, after: OlomocState, viewer: Viewer) -> None:
        self.before = before
        self.after = after
        self.viewer = viewer

    def event(self, entry: TraceEntry) -> pb.Event | None:
        """The message of a trace entry; None if the viewer gets none."""
        kind = EventKind(entry[0])
        event = pb.Event()
        part: Any = getattr(event, kind.name.lower())
        part.SetInParent()
        fields = part.DESCRIPTOR.fields
        numbers = self.hidden(kind, list(entry[1:]))
        if numbers is None:
            return None
        for field, number in zip(fields, numbers, strict=False):
            if field.message_type is not None or field.is_repeated or field.type == field.TYPE_STRING:
                break
            setattr(part, field.name, bool(number) if field.type == field.TYPE_BOOL else number)
        self.decorate(kind, part)
        if kind in _CAUSED and (source := numbers[len(fields) - 1]):
            part.source.CopyFrom(self.source(*divmod(source, SOURCE_RADIX)))
        return event

    def modifier(self, kind: int, name: int, dice: int, difficulty: int, successes: int) -> pb.Modifier:
        """The message of a modifier of a roll."""
        called = ModifierKind(kind).name.lower().replace("_", " ") if name < 0 else self.before.game.ruleset.names[name]
        return pb.Modifier(
            kind=kind,  # type: ignore[arg-type]
            name=called,
            dice=dice,
            difficulty=difficulty,
            successes=successes,
        )

    def source(self, kind: int, index: int) -> pb.Source:
        """The message of the capacity or card that causes a change; all of them are public."""
        rules = self.before.game.ruleset
        if kind == SourceKind.GENERIC:
            name = GENERIC_NAMES[index]
        else:
            cards = {
                SourceKind.CAPACITY: rules.capacities,
                SourceKind.MINISTRY: rules.ministries,
                SourceKind.ARTEFACT: rules.artefacts,
            }
            name = cards[SourceKind(kind)][index].name
        return pb.Source(kind=kind, index=index, name=name)  # type: ignore[arg-type]

    def hidden(self, kind: EventKind, numbers: list[int]) -> list[int] | None:
        """The numbers of a trace entry as the viewer may know them; None if the viewer gets no message."""
        if kind == EventKind.PLAN_LAID and not knowledge.sees_all(self.before, self.viewer, numbers[0]):
            return [numbers[0], 0, -1]
        if kind == EventKind.PLAN_CHANGED and not knowledge.sees_all(self.before, self.viewer, numbers[0]):
            # Whether a constraint forbade it would tell of the ministry that lies face down.
            return None
        if kind == EventKind.MINISTRIES_DEALT and self.viewer == -1:
            return [numbers[0], 0]
        if self.before.decision == Decision.BUILD and self.viewer != OMNISCIENT:
            if kind == EventKind.ROUAGE_RECRUITED and not knowledge.sees_all(self.before, self.viewer, numbers[0]):
                return [numbers[0], numbers[1], -1]
            if kind == EventKind.GEAR_ASSIGNED and not knowledge.sees_all(self.before, self.viewer, numbers[0] // 3):
                return [3 * (numbers[0] // 3), -1]
        return numbers

    def decorate(self, kind: EventKind, part: Any) -> None:
        """Fill in the fields that are not in the engine's numbers: poses of rulers, sight lines, the score, names."""
        if kind == EventKind.MOVED and part.kind != pb.MOVEMENT_PLACEMENT:
            self.ruler(part, part.from_x, part.from_y, push=part.kind == Movement.PUSH)
        elif kind == EventKind.ATTACK_DECLARED:
            self.sight(part)
        elif kind == EventKind.DICE_ROLLED:
            part.faces.extend(faces(self.before, part.dice, part.difficulty, part.successes))
        elif kind == EventKind.GAME_OVER:
            dump = self.after.dump()
            part.vp.extend(dump["vp"])
            part.fiel.extend(dump["fiel"])
            part.winners.extend(seat for seat, value in enumerate(self.after.returns()) if value > 0)
        elif kind == EventKind.ENTERED_BLOC:
            self.entry(part)
        elif kind == EventKind.TOKEN_CHANGED:
            rules = self.before.game.ruleset
            part.name = rules.tokens[part.token]
            if (owner := rules.counter_owner(part.token)) >= 0:
                part.player = owner

    def ruler(self, part: Any, x: int, y: int, push: bool) -> None:
        """Fill in a possible pose of the ruler: the mover goes back to its start on a copy of the board."""
        table = self.before.table()
        radius = self.radius(part.rouage)
        table.put(part.rouage, x, y, radius)
        displacement = table.push(part.rouage) if push else table.move(part.rouage)
        self.pose(part, displacement.pose(part.x, part.y), table)

    def entry(self, part: Any) -> None:
        table = self.before.table()
        edge = self.after.dump()["line"][part.rouage // 3]
        displacement = table.enter(edge, self.radius(part.rouage))
        self.pose(part, displacement.pose(part.x, part.y), table)

    def pose(self, part: Any, pose: Any, table: Any) -> None:
        lying = ruler_pose(pose, table)
        if lying is not None:
            part.pose.CopyFrom(lying)

    def radius(self, figure: int) -> int:
        """The radius of a rouage's base in ticks."""
        rules = self.before.game.ruleset
        for part in self.after.dump()["figures"]:
            if part["index"] == figure:
                return card_of(rules, part["card"]).radius
        raise LookupError(f"no rouage {figure}")

    def sight(self, part: Any) -> None:
        """Fill in a line of sight, if attacker and target are still on the board."""
        table = self.after.table()
        ours = table.present >> part.attacker & 1 and table.present >> part.target & 1
        line = table.sight_line(part.attacker, part.target) if ours else None
        if line is not None:
            part.sight.CopyFrom(pb.Segment(from_x=line[0], from_y=line[1], to_x=line[2], to_y=line[3]))


def faces(before: OlomocState, dice: int, difficulty: int, successes: int) -> list[int]:
    """The faces of the dice of a roll, for display: only their successes are drawn (section 5.8 of RULES.md).

    Which dice succeed and what each shows are spread evenly by a digest of what everybody sees, so that all viewers,
    and a replay, see the same dice and no secret shows in them.
    """
    dump = before.dump()
    seen = tuple(dump[name] for name in _SEEN), dice, difficulty, successes
    rng = Rng(int.from_bytes(sha256(repr(seen).encode()).digest()[:8], "little"))
    shown = [difficulty + rng.below(7 - difficulty) for _ in range(successes)]
    shown += [1 + rng.below(difficulty - 1) for _ in range(dice - successes)]
    rng.shuffle(shown)
    return shown

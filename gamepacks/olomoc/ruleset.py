"""A card set as the engine reads it: numbers instead of ids, ticks instead of inches, effect lists as programs.

:func:`gamepacks.olomoc.cards.compile.compile_rules` makes it of the checked data. A *program* is a tuple of nodes;
nested lists of effects are programs of their own, named by their number. So a frame of running effects is (program,
next node, bound names): whole numbers only.
"""

from __future__ import annotations

from dataclasses import dataclass

from cext.geometry import Piece
from gamepacks.olomoc.constants import (
    NO_ATTACK,
    Act,
    Affiliation,
    CondKind,
    Criterion,
    Direction,
    Kind,
    MarkerDo,
    Op,
    Per,
    Pick,
    PlanDo,
    Player,
    Role,
    Side,
    SkipDo,
    SpotKind,
    Trigger,
    Until,
    ValKind,
    Way,
    Where,
)
from gamepacks.olomoc.v1.cards_enums import GearKind

NONE = -1
"""Stands for an absent number."""
ALL_CAPACITIES = -1
"""``caps`` of an effect on every capacity."""


@dataclass(frozen=True, slots=True)
class CompiledVal:
    """A number: ``mul`` * value + ``add``, limited to the range from ``low`` to ``high``.

    ``a`` is the constant, the Stat, or the token; ``who`` whose it is; ``player`` whose counter, NONE for a shared one.
    """

    kind: ValKind = ValKind.CONST
    a: int = 0
    who: int = NONE
    sel: CompiledSelector | None = None
    mul: int = 1
    add: int = 0
    low: int | None = None
    high: int | None = None
    player: int = NONE


@dataclass(frozen=True, slots=True)
class CompiledSelector:
    """A selector: elements that meet all given conditions; -1 (or None) stands for a condition that is not given."""

    kind: Kind = Kind.ROUAGE
    side: Side = Side.ALLY
    where: Where = Where.BLOC
    within: int = NONE
    """Ticks from ``of``."""
    of: int = NONE
    contact: int = NONE
    """A bound name that it touches."""
    sight: int = NONE
    """A bound name that sees it."""
    zone_of: int = NONE
    """A bound name in whose threat zone it is."""
    zone: int = NONE
    """A tag in whose zone it is: of a marker with a zone, or of a zone of the scenery."""
    status: int = 0
    """Bits of Status, 0 for any."""
    states: int = 0
    """Bits of State (number 1 is bit 0) that it must have."""
    rank_min: int = NONE
    rank_max: int = NONE
    ministry: int = NONE
    profile: int = NONE
    """For ``name``: a profile, or 256 + a hostile profile."""
    tag: int = NONE
    """The tag of a marker or piece."""
    not_self: bool = False
    pick: Pick = Pick.ALL
    by: int = Player.OWNER
    count: CompiledVal = CompiledVal(a=1)
    """The number of elements that are picked, where ``pick`` is not ALL."""
    up_to: bool = False


@dataclass(frozen=True, slots=True)
class CompiledCond:
    """A condition, by kind:

    EXISTS sel, n (at least so many) · FREE, ENGAGED, ON_BLOC, IN_COVER, ACTIVE a (who) · ENGAGES a engages b ·
    STATUS a, n (bits) · STATE a, n (state) · NOIRCEUR_MIN a, n · RANK_CMP a, op, b · CONTACT a, b ·
    WITHIN a, b, n ticks · CYCLE, PHASE n (bits, 1 << number; phase 6 is the hostile phase) ·
    PRIORITY, MINISTRY_REVEALED a (player) ·
    CMP left, op, right · USED n (bits as ``caps``), a: who, b: at most so often in this phase · CAUSE n (Cause) ·
    NOT, ALL, ANY parts · IS a fits sel · SAME a, b are one element.
    """

    kind: CondKind
    a: int = NONE
    b: int = NONE
    n: int = 0
    op: int = 0
    """A number in ``constants.COMPARISONS``."""
    left: CompiledVal | None = None
    right: CompiledVal | None = None
    sel: CompiledSelector | None = None
    parts: tuple[CompiledCond, ...] = ()


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot on the board: AT x, y · NEAR who · NEAR_TAG tag (of a marker or piece) · EDGE (middle) · CENTRE."""

    kind: SpotKind
    a: int = NONE
    x: int = 0
    y: int = 0


@dataclass(frozen=True, slots=True)
class CompiledOn:
    """The rolls that a modifier is about: those of ``who`` (NONE: of anybody) in that role, with these capacities and
    stats, against a target that fits."""

    who: int = 0
    role: Role = Role.ANY
    caps: int = ALL_CAPACITIES
    stats: int = 15
    """Bits of Stat."""
    target: CompiledSelector | None = None
    players_only: bool = False
    """Whether hostiles are left out, as for a ministry other than the Axe (OLO-HOST-03)."""


@dataclass(frozen=True, slots=True)
class Node:
    """One effect. ``op`` determines which operands are used (section 6.7); all others have their defaults."""

    index: int
    """Its number among all nodes of the set, by which a lasting effect is identified."""
    op: Op
    who: int = NONE
    """A bound name."""
    of: int = NONE
    """Another bound name: what a direction word or a distance refers to, the target of a roll."""
    player: int = Player.OWNER
    by: int = Player.OWNER
    """The player who chooses."""
    n: CompiledVal | None = None
    dice: CompiledVal | None = None
    difficulty: CompiledVal | None = None
    successes: CompiledVal | None = None
    add: CompiledVal | None = None
    set: CompiledVal | None = None
    flag: bool = False
    """STATE: add (else remove) · TAINT: tainted (else clean) · MARKER: tainted · MOVE: counts as a march · REROLL:
    failures only · ATTACK: free of cost · PERMIT: free of cost · CHOOSE: may be declined."""
    count: bool = False
    """ATTACK: it counts against the limit of the phase."""
    up_to: bool = False
    """PLACE, MOVE: may be declined."""
    state: int = NONE
    stat: int = NONE
    direction: Direction = Direction.NONE
    way: Way = Way.ANY
    within: int = NONE
    """Ticks."""
    contact: int = NONE
    """A bound name that a placement must touch."""
    until: Until = Until.CYCLE
    name: int = NONE
    """The name that OLO-GEN-04 compares, as a number in ``Ruleset.names``."""
    on: CompiledOn | None = None
    caps: int = ALL_CAPACITIES
    """Bits: 1 << number of a generic capacity; 1 << (16 + global number) of another one."""
    ignore: int = 0
    """Bits of Ignore."""
    extra: int = 0
    """PERMIT: additional uses."""
    attack: int = NO_ATTACK
    """An AttackKind, or NO_ATTACK."""
    profile: int = NONE
    """SPAWN: a hostile profile."""
    spot: Spot | None = None
    radius: int = 0
    """MARKER: in ticks."""
    tag: int = NONE
    do: MarkerDo | PlanDo | SkipDo | int = 0
    """MARKER, PLAN, SKIP: what is done."""
    token: int = NONE
    slots: int = 0
    """PLAN: bits, 1 << slot (1 to 5)."""
    cover: int = NONE
    """SIGHT: 0 never in cover, 1 always; -1 as it stands."""
    blocks: int = NONE
    """SIGHT: 0 blocks no sight (for SIGHT of scenery); -1 as it stands."""
    sides: int = 6
    """DIE: 6 or 3."""
    sel: CompiledSelector | None = None
    bind: int = NONE
    """PICK, EACH: the name that is bound."""
    cond: CompiledCond | None = None
    then: int = NONE
    """A program: EACH: what is done for each."""
    otherwise: int = NONE
    """A program."""
    options: tuple[int, ...] = ()
    """CHOOSE: programs · DIE: programs by face, if it has a table."""
    option_texts: tuple[str, ...] = ()
    """CHOOSE: for people."""


@dataclass(frozen=True, slots=True)
class CompiledCapacity:
    """A specific capacity of a profile, a gear card or an agenda."""

    index: int
    id: str
    name: str
    text: str
    active: bool
    cost_ap: int
    cost_noirceur: int
    freq: int
    """Uses per ``per``; 0: unlimited."""
    per: Per
    attack: int
    """An AttackKind, or NO_ATTACK."""
    cond: CompiledCond | None
    target: CompiledSelector | None
    target_sight: bool
    trigger: Trigger
    trigger_zone: int
    """ENTERED, LEFT: a tag; -1: any threat zone of a foe."""
    trigger_sel: CompiledSelector | None
    """CONTACT: what is touched."""
    optional: bool
    program: int
    off_bloc: bool
    label: int
    """``name`` as a number, for OLO-GEN-04."""


@dataclass(frozen=True, slots=True)
class CompiledLine:
    """A line of an Instinct."""

    cond: CompiledCond | None
    act: Act
    mode: Direction
    capacity: int
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class CompiledProfile:
    """A rouage of a player, or a hostile."""

    index: int
    id: str
    name: str
    factions: int
    """Bits."""
    ministries: int
    """Bits of affiliations."""
    rank: int
    base: int
    """Millimetres."""
    radius: int
    """Ticks."""
    stats: tuple[int, int, int, int]
    life: tuple[int, ...]
    """Boxes, see :class:`gamepacks.olomoc.constants.Box`."""
    ap: int
    capacities: tuple[int, ...]
    hostile: bool = False
    acts: int = 0
    instinct: tuple[CompiledLine, ...] = ()
    reactions: tuple[int, int, int] = (0, 0, 0)
    """Ripostes, dodges, opportunity attacks in a phase."""
    prefer_riposte: bool = False


@dataclass(frozen=True, slots=True)
class CompiledGear:
    """Equipment or a gift."""

    index: int
    id: str
    name: str
    kind: GearKind
    affiliation: Affiliation
    affiliated: int
    """A ministry, a faction or a profile, by the kind of affiliation."""
    capacities: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CompiledMinistry:
    """A ministry card; its index is that of ``constants.MINISTRIES``, 7 for the Axe."""

    index: int
    id: str
    name: str
    text: str
    affiliation: int
    rank: int
    slots: int
    """Bits, 1 << slot (1 to 5)."""
    program: int
    label: int


@dataclass(frozen=True, slots=True)
class CompiledArtefact:
    """An Artefact card; copies with the same number are one of these."""

    index: int
    id: str
    name: str
    text: str
    number: str
    player: int
    """The player number, 0 or 1, that it names."""
    copies: int
    bloc: bool
    """Touches rouages on the board only."""
    program: int
    label: int


@dataclass(frozen=True, slots=True)
class CompiledMarker:
    """A marker that an agenda or a layout lays down."""

    tag: int
    radius: int
    x: int
    y: int
    tainted: bool
    zone: int
    """Ticks around it, -1 for none."""


@dataclass(frozen=True, slots=True)
class CompiledPieceAt:
    """A piece of scenery of a layout."""

    name: str
    shape: Piece
    tainted: bool
    tag: int


@dataclass(frozen=True, slots=True)
class CompiledPiece:
    """A piece of scenery that a player lays (``bloc`` = placed): corners about its origin, or a radius in ticks."""

    id: str
    name: str
    corners: tuple[tuple[int, int], ...]
    radius: int
    obstructing: bool
    zone: bool
    tainted: bool
    tag: int


@dataclass(frozen=True, slots=True)
class CompiledLayout:
    """Scenery and markers of a board."""

    index: int
    id: str
    name: str
    pieces: tuple[CompiledPieceAt, ...]
    markers: tuple[CompiledMarker, ...]


@dataclass(frozen=True, slots=True)
class CompiledAgenda:
    """A mission."""

    index: int
    id: str
    name: str
    text: str
    edges: tuple[int, int]
    layout: int
    """-1: any."""
    markers: tuple[CompiledMarker, ...]
    hostiles: tuple[tuple[int, int, int], ...]
    """Hostile profile, x, y."""
    capacities: tuple[int, ...]
    rules: tuple[int, ...]
    """Capacities without an owner."""
    tokens: tuple[int, ...]
    """The shared counters it uses."""
    player_tokens: tuple[int, ...]
    """Player 1's of the counters that each player has; player 2's is one more."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A whole card set."""

    id: str
    title: str
    status: str
    factions: tuple[tuple[str, str], ...]
    """Id and name."""
    exclusive_factions: bool
    profiles: tuple[CompiledProfile, ...]
    hostiles: tuple[CompiledProfile, ...]
    gear: tuple[CompiledGear, ...]
    ministries: tuple[CompiledMinistry, ...]
    artefacts: tuple[CompiledArtefact, ...]
    agendas: tuple[CompiledAgenda, ...]
    layouts: tuple[CompiledLayout, ...]
    pool: tuple[CompiledPiece, ...]
    capacities: tuple[CompiledCapacity, ...]
    programs: tuple[tuple[Node, ...], ...]
    nodes: tuple[Node, ...]
    program_names: tuple[str, ...]
    """Name of the capacity or card that a program belongs to, by program."""
    names: tuple[str, ...]
    tags: tuple[str, ...]
    tokens: tuple[str, ...]
    """Names of the counters: the shared ones, then two of each that the players have."""
    first_player_token: int
    """The first counter that is one player's."""

    def counter_owner(self, token: int) -> int:
        """The player whose counter this is; NONE for a shared one."""
        return NONE if token < self.first_player_token else (token - self.first_player_token) & 1

    def node_name(self, node: int) -> str:
        """The name of the capacity or card that an effect is of; empty for none."""
        programs = zip(self.programs, self.program_names, strict=True)
        return next((name for program, name in programs if any(part.index == node for part in program)), "")

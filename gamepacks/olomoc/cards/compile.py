"""Compiler of checked card data to the form that the engine reads: ids become numbers, inches become ticks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gamepacks.olomoc import constants
from gamepacks.olomoc.cards import effects as ef
from gamepacks.olomoc.cards import models
from gamepacks.olomoc.cards.board_checks import shape_of
from gamepacks.olomoc.cards.scopes import sources
from gamepacks.olomoc.cards.texts import Scope, Texts, member, ticks
from gamepacks.olomoc.cards.vocabulary import Cond, Selector, Val
from gamepacks.olomoc.ruleset import (
    ALL_CAPACITIES,
    NONE,
    CompiledAgenda,
    CompiledArtefact,
    CompiledCapacity,
    CompiledCond,
    CompiledGear,
    CompiledLayout,
    CompiledLine,
    CompiledMarker,
    CompiledMinistry,
    CompiledOn,
    CompiledPiece,
    CompiledPieceAt,
    CompiledProfile,
    CompiledSelector,
    CompiledVal,
    Node,
    Ruleset,
    Spot,
)
from gamepacks.olomoc.v1 import olomoc_enums as wire
from gamepacks.olomoc.v1.cards_enums import GearKind

_PLAYERS = {constants.Side.ANY: constants.Side.PLAYER, constants.Side.FOE: constants.Side.ENEMY}
_GEAR_KINDS = {"equipment": GearKind.EQUIPMENT, "don": GearKind.GIFT}


def compile_rules(cards: models.OlomocCards) -> Ruleset:
    """Returns the set in the engine's form. The data must have passed the checks of section 7."""
    return _Compiler(cards).rules()


class _Compiler:
    def __init__(self, cards: models.OlomocCards) -> None:
        self.cards = cards
        self.names, self.tags = Texts(), Texts()
        shared = dict.fromkeys(token for agenda in cards.agendas for token in agenda.tokens)
        self.player_tokens = tuple(dict.fromkeys(name for agenda in cards.agendas for name in agenda.player_tokens))
        # Each player's counter: player 1's, and player 2's behind it.
        self.tokens = Texts([*shared, *(name for name in self.player_tokens for _ in range(2))])
        self.factions = [faction.id for faction in cards.factions]
        self.profile_ids = [profile.id for profile in cards.profiles]
        self.hostile_ids = [hostile.id for hostile in cards.hostiles]
        self.capacity_ids = [source.capacity.id for source in sources(cards) if source.capacity]
        self.capacities: dict[int, CompiledCapacity] = {}
        self.nodes: list[Node] = []
        self.programs: list[tuple[Node, ...]] = []
        self.program_names: list[str] = []

    def rules(self) -> Ruleset:
        cards = self.cards
        return Ruleset(
            id=cards.id,
            title=cards.title,
            status=cards.status,
            factions=tuple((faction.id, faction.name) for faction in cards.factions),
            exclusive_factions=cards.exclusive_factions,
            profiles=tuple(self.profile(number, card) for number, card in enumerate(cards.profiles)),
            hostiles=tuple(self.hostile(number, card) for number, card in enumerate(cards.hostiles)),
            gear=tuple(self.gear(number, card) for number, card in enumerate(cards.gear)),
            ministries=self.ministries(),
            artefacts=self.artefacts(),
            agendas=tuple(self.agenda(number, card) for number, card in enumerate(cards.agendas)),
            layouts=tuple(self.layout(number, card) for number, card in enumerate(cards.layouts)),
            pool=tuple(self.loose(card) for card in cards.pieces),
            capacities=tuple(self.capacities[number] for number in range(len(self.capacity_ids))),
            programs=tuple(self.programs),
            program_names=tuple(self.program_names),
            nodes=tuple(self.nodes),
            names=tuple(self.names.texts),
            tags=tuple(self.tags.texts),
            tokens=tuple(self.tokens.texts),
            first_player_token=len(self.tokens.texts) - 2 * len(self.player_tokens),
        )

    # -- cards ---------------------------------------------------------------------------------------------------------

    def profile(self, number: int, card: models.Profile) -> CompiledProfile:
        return CompiledProfile(
            index=number,
            id=card.id,
            name=card.name,
            factions=sum(1 << self.factions.index(faction) for faction in card.factions),
            ministries=sum(1 << constants.AFFILIATIONS.index(name) for name in set(card.ministries)),
            rank=card.rank,
            base=card.base,
            radius=constants.BASES[card.base],
            stats=(card.technique, card.combat, card.shoot, card.dodge),
            life=tuple("SRT".index(box) for box in card.life),
            ap=card.ap,
            capacities=self.own(card.capacities),
        )

    def hostile(self, number: int, card: models.Hostile) -> CompiledProfile:
        capacities = self.own(card.capacities)
        reactions = card.reactions
        scope = Scope(owned=True, anywhere=False, bearer=True, name=card.name)
        return CompiledProfile(
            index=number,
            id=card.id,
            name=card.name,
            factions=0,
            ministries=sum(1 << constants.AFFILIATIONS.index(name) for name in set(card.ministries)),
            rank=card.rank,
            base=card.base,
            radius=constants.BASES[card.base],
            stats=(card.technique, card.combat, card.shoot, card.dodge),
            life=tuple("SRT".index(box) for box in card.life),
            ap=0,
            capacities=capacities,
            hostile=True,
            acts=card.acts,
            instinct=tuple(self.line(scope, line) for line in card.instinct),
            reactions=(reactions.riposte, reactions.dodge, reactions.opportunity),
            prefer_riposte=reactions.prefer[0] == "riposte",
        )

    def line(self, scope: Scope, line: models.Line) -> CompiledLine:
        return CompiledLine(
            cond=self.cond(scope, line.cond) if line.cond else None,
            act=member(constants.Act, line.do),
            mode=member(constants.Direction, line.mode),
            capacity=self.capacity_ids.index(line.use) if line.use else NONE,
            criteria=tuple(member(constants.Criterion, name) for name in line.target),
        )

    def gear(self, number: int, card: models.Gear) -> CompiledGear:
        belongs = card.affiliation
        if belongs.ministry is not None:
            kind, affiliated = constants.Affiliation.MINISTRY, constants.AFFILIATIONS.index(belongs.ministry)
        elif belongs.faction is not None:
            kind, affiliated = constants.Affiliation.FACTION, self.factions.index(belongs.faction)
        else:
            kind, affiliated = constants.Affiliation.ROUAGE, self.profile_ids.index(belongs.rouage or "")
        return CompiledGear(
            index=number,
            id=card.id,
            name=card.name,
            kind=_GEAR_KINDS[card.kind],
            affiliation=kind,
            affiliated=affiliated,
            capacities=self.own(card.capacities, card.text),
        )

    def ministries(self) -> tuple[CompiledMinistry, ...]:
        found: dict[int, CompiledMinistry] = {}
        for card in self.cards.ministries:
            number = constants.AFFILIATIONS.index(card.affiliation)
            others = card.affiliation != "axe"
            scope = Scope(owned=True, anywhere=False, bearer=False, name=card.name, players_only=others)
            found[number] = CompiledMinistry(
                index=number,
                id=card.id,
                name=card.name,
                text=card.text,
                affiliation=number,
                rank=card.rank,
                slots=sum(1 << slot for slot in card.slots),
                program=self.program(scope, card.do),
                label=self.names[card.name],
            )
        return tuple(found[number] for number in sorted(found))

    def artefacts(self) -> tuple[CompiledArtefact, ...]:
        found: list[CompiledArtefact] = []
        for card in self.cards.artefacts:
            scope = Scope(owned=False, anywhere=card.scope == "all", bearer=False, name=card.name)
            program = self.program(scope, card.do)
            for number in dict.fromkeys(card.printed()):
                found.append(
                    CompiledArtefact(
                        index=len(found),
                        id=card.id,
                        name=card.name,
                        text=card.text,
                        number=number,
                        player=int(number[0]) - 1,
                        copies=card.printed().count(number),
                        bloc=card.scope == "bloc",
                        program=program,
                        label=self.names[card.name],
                    )
                )
        return tuple(found)

    def agenda(self, number: int, card: models.Agenda) -> CompiledAgenda:
        return CompiledAgenda(
            index=number,
            id=card.id,
            name=card.name,
            text=card.text,
            edges=(constants.EDGES.index(card.edges[0]), constants.EDGES.index(card.edges[1])),
            layout=NONE if card.layout is None else [layout.id for layout in self.cards.layouts].index(card.layout),
            markers=tuple(self.marker(marker) for marker in card.markers),
            hostiles=tuple((self.hostile_ids.index(part.profile), part.x, part.y) for part in card.hostiles),
            capacities=self.own(card.capacities, card.text),
            rules=tuple(self.capacity(rule, owned=False, bearer=False) for rule in card.rules),
            tokens=tuple(self.tokens[token] for token in card.tokens),
            player_tokens=tuple(self.tokens[token] for token in card.player_tokens),
        )

    def marker(self, marker: models.Marker) -> CompiledMarker:
        radius, zone = constants.BASES[marker.size], ticks(marker.zone)
        return CompiledMarker(self.tags[marker.tag], radius, marker.x, marker.y, marker.tainted, zone)

    def layout(self, number: int, card: models.Layout) -> CompiledLayout:
        pieces = {piece.id: piece for piece in self.cards.pieces}
        placed = []
        for part in card.pieces:
            piece = pieces[part.piece]
            tainted = piece.tainted if part.tainted is None else part.tainted
            shape = shape_of(piece, part.at, part.rotation)
            placed.append(CompiledPieceAt(piece.name, shape, tainted, self.tags[piece.tag]))
        markers = tuple(self.marker(marker) for marker in card.markers)
        return CompiledLayout(number, card.id, card.name, tuple(placed), markers)

    def loose(self, piece: models.Piece) -> CompiledPiece:
        corners, radius = piece.shape.poly or (), 0
        if piece.shape.disc is not None:
            x, y, radius = piece.shape.disc
            corners = ((x, y),)
        return CompiledPiece(
            piece.id, piece.name, corners, radius, piece.obstructing, piece.zone, piece.tainted, self.tags[piece.tag]
        )

    # -- capacities ----------------------------------------------------------------------------------------------------

    def own(self, capacities: Sequence[models.Capacity], text: str = "") -> tuple[int, ...]:
        return tuple(self.capacity(capacity, owned=True, bearer=True, text=text) for capacity in capacities)

    def capacity(self, card: models.Capacity, owned: bool, bearer: bool, text: str = "") -> int:
        """Compile a capacity; if it has no text, it gets the ``text`` of its card."""
        scope = Scope(owned, anywhere=False, bearer=bearer, name=card.name, aimed=card.target is not None)
        number = self.capacity_ids.index(card.id)
        on = card.on
        trigger = constants.Trigger.CONTINUOUS if on is None else member(constants.Trigger, on.event)
        self.capacities[number] = CompiledCapacity(
            index=number,
            id=card.id,
            name=card.name,
            text=card.text or text,
            active=card.timing == "active",
            cost_ap=card.cost.ap,
            cost_noirceur=card.cost.noirceur,
            freq=card.freq.n if card.freq else 0,
            per=member(constants.Per, card.freq.per) if card.freq else constants.Per.PHASE,
            attack=constants.NO_ATTACK if card.attack == "none" else member(wire.AttackKind, card.attack),
            cond=self.cond(scope, card.cond) if card.cond else None,
            target=self.sel(scope, card.target) if card.target else None,
            target_sight=card.sight,
            trigger=trigger,
            trigger_zone=self.tags[on.zone] if on else NONE,
            trigger_sel=self.sel(scope, on.what) if on and on.what else None,
            optional=card.optional,
            program=self.program(scope, card.do),
            off_bloc=card.off_bloc,
            label=self.names[card.name],
        )
        return number

    def caps(self, names: Sequence[str]) -> int:
        if not names:
            return ALL_CAPACITIES
        mask = 0
        for name in names:
            if name == "attack":
                mask |= sum(1 << constants.GENERIC.index(part) for part in ("frontal", "ranged", "charge"))
                continue
            generic = name in constants.GENERIC
            mask |= 1 << (
                constants.GENERIC.index(name) if generic else constants.SPECIFIC + self.capacity_ids.index(name)
            )
        return mask

    # -- numbers, selectors, conditions --------------------------------------------------------------------------------

    def val(self, scope: Scope, val: Val) -> CompiledVal:
        kinds = constants.ValKind
        kind, a, sel = kinds.CONST, val.const or 0, None
        if val.successes:
            kind = kinds.SUCCESSES
        elif val.face or val.die:
            kind = kinds.FACE
        elif val.count is not None:
            kind, sel = kinds.COUNT, self.sel(scope, val.count)
        elif val.stat is not None:
            kind, a = kinds.STAT, member(wire.Stat, val.stat)
        elif val.what is not None:
            kind = member(kinds, val.what)
        elif val.token is not None:
            kind, a = kinds.TOKEN, self.tokens[val.token]
        player = NONE if val.player is None else scope.player(val.player)
        return CompiledVal(kind, a, scope.who(val.of), sel, val.mul, val.add, val.min, val.max, player)

    def touched(self, scope: Scope, sel: Selector) -> CompiledSelector:
        """The selector of the elements that an effect changes, without hostiles if the card has no effect on them."""
        found = self.sel(scope, sel)
        return replace(found, side=_PLAYERS.get(found.side, found.side)) if scope.players_only else found

    def described(self, scope: Scope, sel: Selector) -> CompiledSelector:
        """The selector of the target of a roll, which the effect does not change: it may be the bearer (OLO-GEN-07)."""
        return replace(self.sel(scope, sel), not_self=bool(sel.not_self))

    def sel(self, scope: Scope, sel: Selector) -> CompiledSelector:
        side = sel.side or ("ally" if scope.owned else "any")
        where = sel.where or ("any" if scope.anywhere else "bloc")
        figures = self.profile_ids, self.hostile_ids
        profile = NONE
        if sel.name is not None:
            profile = figures[0].index(sel.name) if sel.name in figures[0] else 256 + figures[1].index(sel.name)
        return CompiledSelector(
            kind=member(constants.Kind, sel.kind),
            side=member(constants.Side, side),
            where=member(constants.Where, where),
            within=ticks(sel.within),
            of=scope.who(sel.of),
            contact=scope.who(sel.contact),
            sight=scope.who(sel.sight),
            zone_of=scope.who(sel.zone_of),
            zone=self.tags[sel.zone],
            status=sum(1 << member(wire.Status, name) for name in set(sel.status)),
            states=sum(1 << (member(wire.State, name) - 1) for name in set(sel.state)),
            rank_min=NONE if sel.rank_min is None else sel.rank_min,
            rank_max=NONE if sel.rank_max is None else sel.rank_max,
            ministry=NONE if sel.ministry is None else constants.AFFILIATIONS.index(sel.ministry),
            profile=profile,
            tag=self.tags[sel.tag],
            not_self=scope.bearer if sel.not_self is None else sel.not_self,
            pick=member(constants.Pick, sel.pick),
            by=scope.player(sel.by),
            count=self.val(scope, sel.count),
            up_to=sel.up_to,
        )

    def cond(self, scope: Scope, cond: Cond) -> CompiledCond:
        kinds, who = constants.CondKind, scope.who
        for name in ("free", "engaged", "on_bloc", "in_cover", "active"):
            if (value := getattr(cond, name)) is not None:
                return CompiledCond(member(kinds, name), a=who(value))
        for name in ("priority", "ministry_revealed"):
            if (value := getattr(cond, name)) is not None:
                return CompiledCond(member(kinds, name), a=scope.player(value))
        for name, parts in (("all", cond.all_), ("any", cond.any_), ("not", cond.not_ and (cond.not_,))):
            if parts:
                return CompiledCond(member(kinds, name), parts=tuple(self.cond(scope, part) for part in parts))
        for name in ("cycle", "phase"):
            if (numbers := getattr(cond, name)) is not None:
                return CompiledCond(member(kinds, name), n=sum(1 << number for number in set(numbers)))
        if cond.exists is not None:
            return CompiledCond(kinds.EXISTS, n=cond.min or 1, sel=self.sel(scope, cond.exists))
        if cond.is_ is not None:
            return CompiledCond(kinds.IS, a=who(cond.of), sel=self.sel(scope, cond.is_))
        if cond.engages is not None:
            return CompiledCond(kinds.ENGAGES, a=who(cond.engages), b=who(cond.of))
        if cond.status is not None:
            return CompiledCond(kinds.STATUS, a=who(cond.of), n=1 << member(wire.Status, cond.status))
        if cond.state is not None:
            return CompiledCond(kinds.STATE, a=who(cond.of), n=member(wire.State, cond.state))
        if cond.noirceur_min is not None:
            return CompiledCond(kinds.NOIRCEUR_MIN, a=who(cond.of), n=cond.noirceur_min)
        if cond.rank_cmp is not None:
            left, op, right = cond.rank_cmp
            return CompiledCond(kinds.RANK_CMP, a=who(left), b=who(right), op=constants.COMPARISONS.index(op))
        if cond.same is not None:
            return CompiledCond(kinds.SAME, a=who(cond.same[0]), b=who(cond.same[1]))
        if cond.contact is not None:
            return CompiledCond(kinds.CONTACT, a=who(cond.contact[0]), b=who(cond.contact[1]))
        if cond.within is not None:
            return CompiledCond(kinds.WITHIN, a=who(cond.within[0]), b=who(cond.within[1]), n=ticks(cond.within[2]))
        if cond.cmp is not None:
            one, op, other = cond.cmp
            left_val, right_val = self.val(scope, one), self.val(scope, other)
            return CompiledCond(kinds.CMP, left=left_val, op=constants.COMPARISONS.index(op), right=right_val)
        if cond.used is not None:
            return CompiledCond(kinds.USED, a=who(cond.used.of), n=self.caps(cond.used.caps), b=cond.used.max)
        assert cond.cause is not None
        return CompiledCond(kinds.CAUSE, n=member(wire.Cause, cond.cause))

    # -- effects -------------------------------------------------------------------------------------------------------

    def program(self, scope: Scope, do: Sequence[ef.Effect]) -> int:
        """Number a list of effects; the lists in it are numbered first."""
        nodes: list[Node] = []
        for effect in do:
            if (sides := _die_in(effect)) is not None:
                nodes.append(self.node(lambda index, n=sides: Node(index, constants.Op.DIE, sides=n)))  # type: ignore[misc]
            nodes.append(self.effect(scope, effect))
        self.programs.append(tuple(nodes))
        self.program_names.append(scope.name)
        return len(self.programs) - 1

    def node(self, make: Callable[[int], Node]) -> Node:
        node = make(len(self.nodes))
        self.nodes.append(node)
        return node

    def effect(self, scope: Scope, effect: ef.Effect) -> Node:
        from gamepacks.olomoc.cards.nodes import operands

        fields = operands(self, scope, effect)
        op = member(constants.Op, effect.op)
        return self.node(lambda index: Node(index, op, **fields))

    def spot(self, scope: Scope, spot: ef.At) -> Spot:
        kinds = constants.SpotKind
        if spot.at is not None:
            return Spot(kinds.AT, x=spot.at[0], y=spot.at[1])
        if spot.near is not None:
            return Spot(kinds.NEAR, a=scope.who(spot.near))
        if spot.near_tag is not None:
            return Spot(kinds.NEAR_TAG, a=self.tags[spot.near_tag])
        return Spot(kinds.EDGE, a=constants.EDGES.index(spot.edge)) if spot.edge else Spot(kinds.CENTRE)

    def on(self, scope: Scope, on: ef.On) -> CompiledOn:
        return CompiledOn(
            who=NONE if on.who == "any" else scope.who(on.who),
            role=member(constants.Role, on.role),
            caps=self.caps(on.caps),
            stats=sum(1 << member(wire.Stat, stat) for stat in set(on.stats)) or sum(1 << stat for stat in wire.Stat),
            target=self.described(scope, on.target) if on.target else None,
            players_only=scope.players_only,
        )


def _die_in(effect: ef.Effect) -> int | None:
    """The sides of the die that a number of an effect asks for."""
    for name in type(effect).model_fields:
        value = getattr(effect, name)
        if isinstance(value, Val) and value.die is not None:
            return int(value.die[1])
    return None

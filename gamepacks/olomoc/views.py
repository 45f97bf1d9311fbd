"""The view message of a state for one viewer (section 5.9 of RULES.md)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gamepacks.api.types import Viewer
from gamepacks.olomoc import knowledge
from gamepacks.olomoc.constants import PLAYERS_FIGURES, FrameKind, Until
from gamepacks.olomoc.elements import FIRST_MARKER, FIRST_PIECE, card_of, pieces_on_board, shapes_on_board
from gamepacks.olomoc.labels import capacity_name, card_name, life_line
from gamepacks.olomoc.options import OMITTED_VALUES
from gamepacks.olomoc.prompts import situation
from gamepacks.olomoc.ruleset import CompiledArtefact, CompiledCapacity, CompiledMinistry, CompiledPiece, Ruleset
from gamepacks.olomoc.v1 import olomoc_pb2 as pb
from gamepacks.olomoc.v1.olomoc_enums import Decision, Stat

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.rules import OlomocState


def view_message(state: OlomocState, viewer: Viewer) -> pb.View:
    """Returns the view message of a state for one viewer; nothing in it depends on what the viewer cannot know."""
    return _View(state, viewer).message()


def card_set_info(rules: Ruleset) -> pb.CardSetInfo:
    """Id, title and status of the card set."""
    return pb.CardSetInfo(id=rules.id, title=rules.title, status=rules.status)


def ministry_info(card: CompiledMinistry) -> pb.MinistryInfo:
    """A ministry card."""
    slots = [slot for slot in range(1, 6) if card.slots >> slot & 1]
    return pb.MinistryInfo(index=card.index, name=card.name, rank=card.rank, slots=slots, text=card.text)


def artefact_info(card: CompiledArtefact, copies: int = 1) -> pb.ArtefactInfo:
    """An Artefact card, and how many of it."""
    return pb.ArtefactInfo(index=card.index, name=card.name, number=card.number, text=card.text, copies=copies)


def capacity_info(capacity: CompiledCapacity, number: int) -> pb.CapacityInfo:
    """A specific capacity by its number at its bearer; nothing of how often it was used."""
    return pb.CapacityInfo(
        number=number,
        name=capacity.name,
        text=capacity.text,
        active=capacity.active,
        ap=capacity.cost_ap,
        noirceur=capacity.cost_noirceur,
    )


class CardInfos:
    """Messages of the cards of one ruleset, each made once: views hold copies of them."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self.card_set = card_set_info(rules)
        self.ministries = [ministry_info(card) for card in rules.ministries]
        self.artefacts = [artefact_info(card) for card in rules.artefacts]
        self._capacities: dict[tuple[int, int], pb.CapacityInfo] = {}
        self._rouages: dict[tuple[int, int], pb.Rouage] = {}

    def capacity(self, capacity: int, number: int) -> pb.CapacityInfo:
        """Returns a capacity by its index in the ruleset and its number at its bearer."""
        info = self._capacities.get((capacity, number))
        if info is None:
            info = self._capacities[capacity, number] = capacity_info(self._rules.capacities[capacity], number)
        return info

    def rouage(self, card: int, gear: int) -> pb.Rouage:
        """Returns the printed values of a rouage by its card and its gear (-1: none), numbered as in positions."""
        info = self._rouages.get((card, gear))
        if info is None:
            profile = card_of(self._rules, card)
            info = self._rouages[card, gear] = pb.Rouage(
                profile=profile.index,
                name=profile.name,
                rank=profile.rank,
                base=profile.base,
                life=life_line(profile),
                gear=pb.Card(index=gear, name=self._rules.gear[gear].name) if gear >= 0 else None,
            )
        return info


class _View:
    def __init__(self, state: OlomocState, viewer: Viewer) -> None:
        self.state = state
        self.viewer = viewer
        self.game = state.game
        self.rules = state.game.ruleset
        self.infos: CardInfos = state.game.card_infos
        self.dump: dict[str, Any] = state.dump()

    def message(self) -> pb.View:
        dump, rules = self.dump, self.rules
        view = pb.View(
            card_set=self.infos.card_set,
            layout=rules.layouts[dump["layout"]].name if dump["layout"] >= 0 else "",
            cycle=dump["cycle"],
            phase=dump["phase"],
            decision=self.state.decision or 0,  # type: ignore[arg-type]
            deciding_seats=[seat for seat in range(2) if self.state.seats_to_act() >> seat & 1],
            priority_player=dump["priority"],
            traque=dump["traque"],
            players=[self.player(player) for player in range(2)],
            rouages=[
                *self.recruits(),
                *(self.rouage(figure) for figure in dump["figures"] if figure["where"]),
            ],
            markers=[self.marker(mark) for mark in dump["marks"]],
            scenery=list(self.scenery()),
            pool=list(self.loose()),
            discarded=[self.infos.artefacts[number] for number in dump["discard"]],
            pile=list(self.pile()),
            effects=[self.effect(effect) for effect in dump["lasting"]],
            pending=list(self.pending()),
            end_cause=dump["over"],
            winners=list(self.winners()),
            values=[pb.Counter(name=name, value=getattr(self.game.values, name)) for name in OMITTED_VALUES],
        )
        if dump["agenda"] >= 0:
            agenda = rules.agendas[dump["agenda"]]
            view.agenda.CopyFrom(pb.AgendaInfo(index=agenda.index, name=agenda.name, text=agenda.text))
            view.counters.extend(
                pb.Counter(name=rules.tokens[token], value=dump["tokens"][token]) for token in agenda.tokens
            )
        if dump["phase"] and not dump["over"]:
            view.active_player = dump["active"]
        if dump["fallen"] >= 0:
            view.fallen.CopyFrom(pb.Card(index=dump["fallen"], name=rules.ministries[dump["fallen"]].name))
        if dump["open_card"] >= 0:
            view.artefact.CopyFrom(self.infos.artefacts[dump["open_card"]])
        if (pool := self.state.pool) is not None:
            view.pool_rolled.CopyFrom(pb.Pool(dice=pool[0], difficulty=pool[1]))
        for number, player in enumerate(view.players):
            if player.HasField("seat") and player.seat == self.viewer:
                view.viewing_player = number
        view.situation = situation(view)
        return view

    # -- players -------------------------------------------------------------------------------------------------------

    def player(self, player: int) -> pb.PlayerInfo:
        dump = self.dump
        hand = knowledge.known_hand(dump, self.state, self.viewer, player)
        size = int(dump["hand"][player]).bit_count() + knowledge.planned_ministry(dump, player).bit_count()
        info = pb.PlayerInfo(
            vp=dump["vp"][player],
            fiel=dump["fiel"][player],
            line=dump["line"][player] + 1,
            hand=list(self.ministries(hand or 0)),
            hand_size=size,
            used=list(self.ministries(self.used(player))),
            plan=list(self.plan(player)),
            activation_cards=[3 * player + rank for rank in range(3) if dump["cards"][player] >> rank & 1],
            propaganda_cards=dump["propaganda"][player],
            decided=bool(dump["committed"][player] >= 0),
            counters=list(self.counters(player)),
        )
        if dump["first_seat"] >= 0:
            info.seat = self.state.seat_of(player)
        return info

    def counters(self, player: int) -> Iterator[pb.Counter]:
        if self.dump["agenda"] >= 0:
            for token in self.rules.agendas[self.dump["agenda"]].player_tokens:
                yield pb.Counter(name=self.rules.tokens[token], value=self.dump["tokens"][token + player])

    def used(self, player: int) -> int:
        """The ministries played, and the one that is shown in this cycle."""
        used = int(self.dump["used"][player])
        for slot, card in enumerate(self.dump["plan"][6 * player : 6 * player + 6]):
            if card >= 8 and self.dump["shown"][player] >> slot & 1:
                used |= 1 << (card - 8)
        return used

    def ministries(self, mask: int) -> Iterator[pb.MinistryInfo]:
        for number, info in enumerate(self.infos.ministries):
            if mask >> number & 1:
                yield info

    def plan(self, player: int) -> Iterator[pb.PlanSlot]:
        """The five slots. While both plan, others see how far a player is by the number of decisions, not by slots."""
        if not self.dump["cycle"]:
            return
        planning = self.state.decision in (Decision.PLAN_MINISTRY, Decision.PLAN_CARD)
        all_of_it = knowledge.sees_all(self.state, self.viewer, player)
        profiles = tuple(self.dump["profile"][3 * player : 3 * player + 3])
        for slot in range(1, 6):
            card = int(self.dump["plan"][6 * player + slot])
            if planning and not all_of_it:
                yield pb.PlanSlot()
                continue
            laid = pb.PlanSlot(filled=card >= 0, revealed=bool(self.dump["shown"][player] >> slot & 1))
            known = knowledge.known_card(self.dump, self.state, self.viewer, player, slot) if card >= 0 else None
            if known is not None:
                laid.card = known
                laid.name = card_name(self.rules, profiles, known)
            yield laid

    # -- what stands on the board --------------------------------------------------------------------------------------

    def recruits(self) -> Iterator[pb.Rouage]:
        """The cabales while they are being built: what there is of a rouage before it comes into play."""
        dump = self.dump
        there = {figure["index"] for figure in dump["figures"] if figure["where"]}
        for index, number in enumerate(dump["profile"]):
            if number < 0 or index in there:
                continue
            recruit = pb.Rouage(index=index, player=index // 3, place=pb.PLACE_OFF)
            if not knowledge.building(self.state) or knowledge.sees_all(self.state, self.viewer, index // 3):
                recruit.MergeFrom(self.infos.rouage(number, dump["equipment"][index]))
                recruit.stats.extend(self.rules.profiles[number].stats)
            yield recruit

    def rouage(self, figure: dict[str, Any]) -> pb.Rouage:
        index = figure["index"]
        player = index // 3 if index < PLAYERS_FIGURES else None
        rouage = pb.Rouage(index=index, place=figure["where"])
        if player is not None:
            rouage.player = player
            if knowledge.building(self.state) and not knowledge.sees_all(self.state, self.viewer, player):
                return pb.Rouage(index=index, player=player, place=pb.PLACE_OFF)
        self.describe(rouage, figure)
        if figure["where"] == pb.PLACE_BLOC:
            rouage.centre.CopyFrom(pb.Point(x=figure["x"], y=figure["y"]))
            mask = self.state.threatens(index)
            rouage.threatens.extend([number for number in range(FIRST_MARKER) if mask >> number & 1])
            rouage.engaged = self.state.is_engaged(index)
        return rouage

    def describe(self, rouage: pb.Rouage, figure: dict[str, Any]) -> None:
        """Fill in the public facts of a rouage, wherever it is."""
        index = figure["index"]
        rouage.MergeFrom(self.infos.rouage(figure["card"], figure["gear"] if index < PLAYERS_FIGURES else -1))
        rouage.stats.extend([self.state.stat(index, stat) for stat in Stat])
        for name in ("ticked", "ap", "ap_given", "noirceur", "marches", "attacks"):
            setattr(rouage, name, figure[name])
        if figure["states"] & 1:
            rouage.states.append(pb.STATE_STUNNED)
        rouage.active = index in self.state.active_figures()
        uses = dict(zip(figure["uses"][::2], figure["uses"][1::2], strict=True))
        for number, capacity_index in self.state.specific(index):
            rouage.capacities.append(self.infos.capacity(capacity_index, number))
            if number in uses:
                rouage.capacities[-1].uses = uses[number]

    def marker(self, mark: dict[str, Any]) -> pb.MarkerInfo:
        info = pb.MarkerInfo(
            element=mark["element"],
            tag=self.rules.tags[mark["tag"]] if mark["tag"] >= 0 else "",
            centre=pb.Point(x=mark["x"], y=mark["y"]),
            radius=mark["radius"],
            tainted=bool(mark["tainted"]),
        )
        if mark["zone"] >= 0:
            info.zone = mark["zone"]
        return info

    def scenery(self) -> Iterator[pb.SceneryInfo]:
        names = pieces_on_board(self.state, self.dump)
        for place, shape in enumerate(shapes_on_board(self.state, self.dump)):
            yield pb.SceneryInfo(
                element=FIRST_PIECE + place,
                name=names[place][0],
                corners=[pb.Point(x=x, y=y) for x, y in shape.corners],
                radius=shape.radius,
                obstructing=shape.obstructing,
                zone=shape.zone,
                tainted=bool(self.dump["tainted_pieces"] >> place & 1),
            )

    def loose(self) -> Iterator[pb.UnplacedPiece]:
        if self.state.decision == Decision.SCENERY:
            for number in range(len(self.dump["pieces"]), len(self.rules.pool)):
                piece: CompiledPiece = self.rules.pool[number]
                corners = [pb.Point(x=x, y=y) for x, y in piece.corners]
                yield pb.UnplacedPiece(index=number, name=piece.name, corners=corners, radius=piece.radius)

    # -- cards, effects, what is going on ------------------------------------------------------------------------------

    def pile(self) -> Iterator[pb.ArtefactInfo]:
        for card, copies in zip(self.infos.artefacts, self.dump["pile"], strict=False):
            if copies:
                info = pb.ArtefactInfo()
                info.CopyFrom(card)
                info.copies = copies
                yield info

    def effect(self, effect: dict[str, Any]) -> pb.EffectInfo:
        node = self.rules.nodes[effect["node"]]
        info = pb.EffectInfo(
            node=effect["node"],
            name=self.rules.names[node.name] if node.name >= 0 else self.rules.node_name(node.index),
            until=Until(effect["until"]).name.lower(),
        )
        if effect["subject"] >= 0:
            info.rouage = effect["subject"]
        return info

    def pending(self) -> Iterator[pb.Pending]:
        for kind, rouages, card in self.state.frames():
            name = ""
            if kind == FrameKind.CAPACITY:
                name = capacity_name(self.state, rouages[0], card)
            elif kind == FrameKind.EFFECTS:
                name = self.rules.program_names[card]
            there = [number for number in rouages if 0 <= number < FIRST_MARKER]
            yield pb.Pending(kind=FrameKind(kind).name.lower(), rouages=there, name=name)

    def winners(self) -> Iterator[int]:
        if self.dump["over"]:
            returns = self.state.returns()
            yield from (seat for seat, value in enumerate(returns) if value > 0)

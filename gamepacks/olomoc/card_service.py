"""CardService: the cards of a match, for display and for the names of the numbers in messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from gamepacks.api.services import PackService, VisibleState
from gamepacks.olomoc.constants import AGENDA_CAPACITY, GEAR_CAPACITY, GENERIC_NAMES, PROFILE_CAPACITY, Affiliation
from gamepacks.olomoc.labels import affiliation_name, affiliation_names, faction_names, life_line, line_text
from gamepacks.olomoc.ruleset import CompiledAgenda, CompiledGear, CompiledProfile, Ruleset
from gamepacks.olomoc.v1 import cards_pb2 as pb
from gamepacks.olomoc.v1 import olomoc_pb2
from gamepacks.olomoc.views import artefact_info, capacity_info, card_set_info, ministry_info

if TYPE_CHECKING:
    from gamepacks.olomoc.game import Olomoc


class CardService(PackService):
    """The calls of cards.proto."""

    service = pb.DESCRIPTOR.services_by_name["CardService"]
    game_ids = ("olomoc",)

    def GetCards(self, request: pb.GetCardsRequest, visible: VisibleState) -> pb.GetCardsResponse:
        """Answer with all cards of the match's card set, the same for every viewer."""
        game: Olomoc = visible.game  # type: ignore[assignment]
        rules = game.ruleset
        return pb.GetCardsResponse(
            card_set=card_set_info(rules),
            profiles=[_profile(rules, card) for card in rules.profiles],
            hostiles=[_profile(rules, card) for card in rules.hostiles],
            gear=[_gear(rules, card) for card in rules.gear],
            ministries=[ministry_info(card) for card in rules.ministries],
            artefacts=[artefact_info(card, card.copies) for card in rules.artefacts],
            agendas=[_agenda(rules, card) for card in rules.agendas],
            boards=[pb.BoardCard(index=board.index, id=board.id, name=board.name) for board in rules.layouts],
            generic_capacities=_named(GENERIC_NAMES),
            counters=_named(rules.tokens),
            effects=[olomoc_pb2.Card(index=number, name=name) for number, name in sorted(_effects(rules))],
        )


def _profile(rules: Ruleset, card: CompiledProfile) -> pb.ProfileCard:
    return pb.ProfileCard(
        index=card.index,
        name=card.name,
        rank=card.rank,
        factions=faction_names(rules, card),
        ministries=affiliation_names(rules, card),
        base=card.base,
        stats=card.stats,
        life=life_line(card),
        capacities=_capacities(rules, card.capacities, PROFILE_CAPACITY),
        instinct=[line_text(rules, line) for line in card.instinct],
    )


def _gear(rules: Ruleset, card: CompiledGear) -> pb.GearCard:
    return pb.GearCard(
        index=card.index,
        name=card.name,
        kind=card.kind,  # type: ignore[arg-type]
        belongs_to=_owner(rules, card),
        capacities=_capacities(rules, card.capacities, GEAR_CAPACITY),
    )


def _owner(rules: Ruleset, card: CompiledGear) -> str:
    if card.affiliation is Affiliation.MINISTRY:
        return affiliation_name(rules, card.affiliated)
    if card.affiliation is Affiliation.FACTION:
        return rules.factions[card.affiliated][1]
    return rules.profiles[card.affiliated].name


def _agenda(rules: Ruleset, card: CompiledAgenda) -> pb.AgendaCard:
    capacities = _capacities(rules, card.capacities, AGENDA_CAPACITY)
    return pb.AgendaCard(index=card.index, id=card.id, name=card.name, text=card.text, capacities=capacities)


def _capacities(rules: Ruleset, numbers: Sequence[int], first: int) -> list[olomoc_pb2.CapacityInfo]:
    return [capacity_info(rules.capacities[number], place) for place, number in enumerate(numbers, first)]


def _named(names: Iterable[str]) -> list[olomoc_pb2.Card]:
    return [olomoc_pb2.Card(index=number, name=name) for number, name in enumerate(names)]


def _effects(rules: Ruleset) -> Iterator[tuple[int, str]]:
    """Yield each effect with its own name, or with that of the capacity or card that it is part of."""
    for program, of in zip(rules.programs, rules.program_names, strict=True):
        for node in program:
            name = rules.names[node.name] if node.name >= 0 else of
            if name:
                yield node.index, name

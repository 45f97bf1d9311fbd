"""The view message of a state for one viewer (section 9.5 of RULES.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from gamepacks.api.types import OMNISCIENT, SPECTATOR, Viewer
from gamepacks.omen.cards.compiler import CardFace
from gamepacks.omen.cards.files import OmegaUnit, TraitsUnit, Whim
from gamepacks.omen.cards.program import Edition
from gamepacks.omen.codes import EVERYONE, STOP, Pile
from gamepacks.omen.v1 import omen_pb2 as pb
from gamepacks.omen.v1.omen_enums import Decision, Kind, Phase, Trait, UnitType

if TYPE_CHECKING:
    from gamepacks.omen.engine.rules import OmenState
    from gamepacks.omen.game import OmenGame

Item = tuple[int, int, bool, int]
"""A card of a pile: its index, the viewers who know it, whether it is a prize of this turn, its owner."""


def card_message(face: CardFace) -> pb.Card:
    """The message of a card's face."""
    card = face.card
    message = pb.Card(id=face.id, name=card.name, kind=face.kind, text=card.text)  # type: ignore[arg-type]
    if isinstance(card, OmegaUnit | TraitsUnit):
        message.cost, message.offering, message.strength = card.cost, card.offering, card.strength
    if isinstance(card, OmegaUnit):
        message.type = UnitType[card.type.upper()]  # type: ignore[assignment]
        if card.invoke is not None:
            message.invoke = card.invoke
    if isinstance(card, TraitsUnit):
        message.traits.extend(sorted(Trait[name] for name in card.traits))  # type: ignore[misc]
    if isinstance(card, Whim):
        message.hold_points = card.hold_points
    return message


def viewer_bit(viewer: Viewer) -> int:
    """The bit of a viewer in masks of viewers; all bits for the omniscient viewer."""
    return EVERYONE if viewer == OMNISCIENT else 4 if viewer == SPECTATOR else 1 << viewer


class _ViewBuilder:
    """Builds the parts of one view."""

    def __init__(self, state: OmenState, viewer: Viewer) -> None:
        self.game: OmenGame[Any, Any] = state.game
        self.state, self.viewer = state, viewer
        self.numbers = state.counters()
        self.bit = viewer_bit(viewer)
        self.over = state.phase == Phase.OVER

    def size(self, *numbers: int) -> int:
        """Number of cards in piles."""
        return sum(len(self.state.pile(number)) for number in numbers)

    def faces(self, number: int, *, ordered: bool = False) -> list[pb.Card]:
        """The faces of a public pile, sorted by card unless the pile has an order."""
        cards = [item[0] for item in self.state.pile(number)]
        return [self.game.card_messages[card] for card in (cards if ordered else sorted(cards))]

    def slot(self, item: Item, *, hand: bool = False) -> pb.Slot:
        """The message of a card whose face the viewer may not know."""
        card, known, fresh, _ = item
        kind = self.game.compiled.faces[card].kind
        slot = pb.Slot(kind=kind)  # type: ignore[arg-type]
        # Spectators do not see hands before the end, not even cards that are publicly known.
        if (hand and self.over) or (known & self.bit and not (hand and self.viewer == SPECTATOR)):
            slot.card.CopyFrom(self.game.card_messages[card])
            # On a hidden card the mark would reveal which card has been laid down.
            slot.fresh = fresh and kind in (Kind.REWARD, Kind.KRATER)
        return slot

    def slots(self, number: int, *, hand: bool = False) -> list[pb.Slot]:
        """The cards of a pile without order: known cards first, then the others by kind."""
        slots = [self.slot(item, hand=hand) for item in self.state.pile(number)]
        return sorted(slots, key=lambda slot: (not slot.HasField("card"), slot.kind, slot.card.id, slot.fresh))

    def row(self, numbers: Iterable[int]) -> list[pb.Slot]:
        """The cards of piles with an order."""
        return [self.slot(item) for number in numbers for item in self.state.pile(number)]


def view_message(state: OmenState, viewer: Viewer) -> pb.View:
    """Returns the view message of a state for one viewer."""
    builder = _ViewBuilder(state, viewer)
    game = builder.game
    numbers = builder.numbers
    view = pb.View(
        card_set=game.card_set.title,
        house=game.card_set.house,
        fixture=any(file.status == "fixture" for file in game.files),
        traits=game.compiled.program.edition == Edition.TRAITS,
        phase=state.phase,  # type: ignore[arg-type]
        turn=state.turn,
        players=[_player(builder, seat) for seat in range(2)],
        cities=[_city(builder, city) for city in range(game.config.cities)],
        decks=[_deck(builder, number) for number in range(2 if numbers["drafted"] else 1)],
        challenge_row=builder.faces(Pile.CHALLENGES),
        relic_row=builder.faces(Pile.RELICS),
        whim_pile=builder.size(Pile.WHIM_PILE),
        whims_used=builder.faces(Pile.WHIMS_USED),
        draft_row=builder.faces(Pile.DRAFT_ROW),
        resolving=builder.row((Pile.RESOLVING, Pile.ASIDE)),
        wealth_left=numbers.get("wealth_left", 0),
        offer_left=numbers["offer_left"],
        out=builder.size(Pile.OUT, Pile.DRAFT_POOL),
        winners=state.winners() if builder.over else (),
        decided=_decided(state),
    )
    if numbers["supply"] is not None:
        view.supply = numbers["supply"]
    if viewer >= 0:
        view.viewer = viewer
    if (city := state.war_city()) is not None:
        view.war_city = city
    if state.active is not None and not builder.over:
        view.active_seat = state.active
    if state.first is not None:
        view.first_seat = state.first
    if not builder.over:
        _fill_decision(builder, view)
    return view


def _decided(state: OmenState) -> list[int]:
    decision, _ = state.decision
    return (
        [seat for seat in range(2) if not state.seats_to_act() >> seat & 1]
        if decision in (Decision.EMISSARY, Decision.DRAFT)
        else []
    )


def _fill_decision(builder: _ViewBuilder, view: pb.View) -> None:
    decision, seat = builder.state.decision
    if builder.state.decline_code() != -1 and builder.viewer not in (seat, OMNISCIENT):  # OMENX-HID-05
        return
    view.decision = decision  # type: ignore[assignment]
    if seat >= 0:
        view.deciding_seat = seat
        view.may_stop = builder.viewer in (seat, OMNISCIENT) and STOP() in builder.state.legal(seat)
    source = builder.state.source()
    if source is not None:
        view.source.CopyFrom(builder.game.card_messages[source])


def _player(builder: _ViewBuilder, seat: int) -> pb.Player:
    player = pb.Player(
        coins=builder.numbers["coins"][seat],
        counter=builder.numbers["counter"][seat],
        hand=builder.slots(Pile.HAND + seat, hand=True),
        used=builder.slots(Pile.USED + seat),
        challenges=builder.faces(Pile.TAKEN + seat),
        draft_pile=builder.slots(Pile.CHOSEN + seat),
        dealt=builder.slots(Pile.DEALT + seat),
    )
    feats = [
        (card, down, rotated)
        for pile, down, rotated in (
            (Pile.FEATS_UP, False, False),
            (Pile.FEATS_DOWN, True, False),
            (Pile.FEATS_ROTATED, False, True),
        )
        for card, *_ in builder.state.pile(pile + seat)
    ]
    for card, down, rotated in sorted(feats):
        player.feats.add(card=builder.game.card_messages[card], down=down, rotated=rotated)
    if builder.over:
        player.score = builder.state.scores()[seat]
    return player


def _city(builder: _ViewBuilder, city: int) -> pb.City:
    message = pb.City(
        prizes_left=builder.numbers["left"][city],
        razed=builder.numbers["razed"][city],
        prizes_known=builder.row((Pile.PRIZES + city,)),
        war_torn=builder.state.is_war_torn(city),
    )
    for seat in range(2):
        side = message.sides.add()
        for card, enraged, strength, weight, owner in builder.state.side(city, seat):
            face = builder.game.card_messages[card]
            side.units.add(card=face, owner=owner, enraged=enraged, strength=strength, weight=weight)
        side.count = builder.state.units(city, seat)
        side.strength = builder.state.strength(city, seat)
        for relic in builder.faces(Pile.RELIC + 2 * city + seat):
            side.relic.CopyFrom(relic)
    return message


def _deck(builder: _ViewBuilder, number: int) -> pb.Deck:
    return pb.Deck(
        size=builder.size(Pile.DECK + number, Pile.TOP + number, Pile.BOTTOM + number),
        top=builder.row((Pile.TOP + number,)),
        bottom=builder.row((Pile.BOTTOM + number,)),
        discard=builder.faces(Pile.DISCARD + number, ordered=True),
    )

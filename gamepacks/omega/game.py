"""The game class of OMEGA: metadata, and one line for each method, most of them functions of the other modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from google.protobuf.message import Message

from gamepacks.api.bots import Budget, Level, three_levels
from gamepacks.api.cardgame import CardGame
from gamepacks.api.cards import CardLibrary, CardSource
from gamepacks.api.codec import ActionCodec
from gamepacks.api.game import MessageTypes, typed
from gamepacks.api.types import Capabilities, Code, Seat, Viewer
from gamepacks.omega import events, labels, positions, render, scene, sentences, text_input, views
from gamepacks.omega.cards import SOURCE, OmegaCards
from gamepacks.omega.codes import BOOK
from gamepacks.omega.engine.rules import OmegaGuide, OmegaRules, OmegaState
from gamepacks.omega.options import OmegaOptions
from gamepacks.omega.refusals import refusal
from gamepacks.omega.v1 import omega_pb2 as pb


class Omega(CardGame[OmegaOptions, OmegaCards, OmegaState, pb.View, pb.Action, pb.Event]):
    """OMEGA: the ritual, for two to four players; the rules are in RULES.md."""

    id = "omega"
    title = "OMEGA: the ritual"
    summary = (
        "Two to four initiates summon and capture Egregors with runes, move their pawns past the Eye of Arcana, and "
        "are judged. Played with a house set in place of the printed cards."
    )
    rules_version = "2"
    # OMEGA-INV-12: a game may go on without end; random games take less than a twentieth of this.
    capabilities = Capabilities(
        min_players=2, max_players=4, chance=True, hidden=True, simultaneous=False, max_plies=50_000
    )
    options_type = OmegaOptions
    messages = MessageTypes.of(pb)
    codec = ActionCodec(BOOK, pb.Action)
    card_source: ClassVar[CardSource[Any]] = SOURCE
    guide = OmegaGuide()
    levels = three_levels(
        easy=Level("planner", Budget(playouts=10)),
        normal=Level("planner", Budget(playouts=60)),
        strong=Level("mcts", Budget(playouts=200)),
    )

    def __init__(self, players: int, options: OmegaOptions, library: CardLibrary[OmegaCards]) -> None:
        super().__init__(players, options, library)
        self.rules = OmegaRules(players, self.options, self.cards)

    def initial_state(self) -> OmegaState:
        return OmegaState(self, self.rules)

    def restore(self, position: Message) -> OmegaState:
        return positions.restore(self, typed(position, pb.Position))

    position = staticmethod(positions.to_message)
    view = staticmethod(views.view_message)
    why_illegal = staticmethod(refusal)
    label = staticmethod(labels.label)
    render = staticmethod(render.render)
    svg = staticmethod(scene.svg)
    targets = staticmethod(scene.targets)
    describe_event = staticmethod(sentences.sentence)
    parse_text = staticmethod(text_input.parse)
    explain = staticmethod(sentences.answer)

    def events(
        self, before: OmegaState, seat: Seat | None, code: Code, after: OmegaState, viewer: Viewer
    ) -> Sequence[pb.Event]:
        return events.event_messages(before, code, after, viewer)

    def knows_code(self, before: OmegaState, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return views.knows_code(before, code, viewer)

    def touched(self, view: pb.View, seat: Seat, action: pb.Action) -> Sequence[str]:
        return scene.touched(view, action)

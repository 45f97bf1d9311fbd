"""The game OMEGA: the ritual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from google.protobuf.message import Message

from cext.errors import IllegalAction
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


class Omega(CardGame[OmegaOptions, OmegaCards, OmegaState]):
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

    def position(self, state: OmegaState) -> pb.Position:
        return positions.to_message(state)

    def restore(self, position: Message) -> OmegaState:
        return positions.restore(self, typed(position, pb.Position))

    def view(self, state: OmegaState, viewer: Viewer) -> pb.View:
        return views.view_message(self, state, viewer)

    def why_illegal(self, state: OmegaState, code: int, seat: int = -1) -> IllegalAction:
        return refusal(state, code, seat)

    def label(self, state: OmegaState, code: Code) -> str:
        return labels.label(self, state, code)

    def events(
        self, before: OmegaState, seat: Seat | None, code: Code, after: OmegaState, viewer: Viewer
    ) -> Sequence[pb.Event]:
        return events.event_messages(self, before, code, after, viewer)

    def knows_code(self, before: OmegaState, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return views.knows_code(self, before, code, viewer)

    def render(self, view: Message) -> str:
        return render.render(typed(view, pb.View))

    def svg(self, view: Message) -> str:
        return scene.svg(typed(view, pb.View))

    def targets(self, view: Message, choices: Sequence[Message]) -> Sequence[tuple[str, ...]]:
        return scene.targets(typed(view, pb.View), [typed(choice, pb.Action) for choice in choices])

    def touched(self, view: Message, seat: Seat, action: Message) -> Sequence[str]:
        return scene.touched(typed(view, pb.View), typed(action, pb.Action))

    def describe_event(self, event: Message, view: Message | None = None) -> str:
        return sentences.sentence(typed(event, pb.Event), None if view is None else typed(view, pb.View))

    def parse_text(self, view: Message, text: str) -> Message | None:
        return text_input.parse(typed(view, pb.View), text)

    def explain(self, view: Message, text: str) -> str:
        return sentences.answer(typed(view, pb.View), text)

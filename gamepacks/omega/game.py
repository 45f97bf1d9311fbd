"""OMEGA as the engine sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from google.protobuf.message import Message

from cext.errors import IllegalAction
from cext.state import State
from gamepacks.api.cardgame import CardGame
from gamepacks.api.cards import CardLibrary, CardSource
from gamepacks.api.game import MessageTypes, typed
from gamepacks.api.types import Capabilities, Code, Seat, Viewer
from gamepacks.omega import draw, positions, reading, telling, views, words
from gamepacks.omega.cards import SOURCE, OmegaCards
from gamepacks.omega.engine.state import OmegaState
from gamepacks.omega.engine.table import Rules
from gamepacks.omega.events import event_messages
from gamepacks.omega.options import OmegaOptions
from gamepacks.omega.refusals import refusal
from gamepacks.omega.v1 import omega_pb2 as pb


class Omega(CardGame[OmegaOptions, OmegaCards]):
    """OMEGA: the ritual, for two to four players; the rules are in RULES.md."""

    id = "omega"
    title = "OMEGA: the ritual"
    summary = (
        "Two to four initiates summon and capture Egregors with runes, drive their pawns past the Eye of Arcana, and "
        "are judged. Played with a house set of cards of ours: the printed ones are known to their owners only."
    )
    rules_version = "2"
    # OMEGA-INV-12: a game need not end by itself; random ones take less than a twentieth of this.
    capabilities = Capabilities(
        min_players=2, max_players=4, chance=True, hidden=True, simultaneous=False, max_plies=50_000
    )
    options_type = OmegaOptions
    messages = MessageTypes(options=pb.Options, view=pb.View, action=pb.Action, event=pb.Event, position=pb.Position)
    card_source: ClassVar[CardSource[Any]] = SOURCE

    def __init__(self, players: int, options: OmegaOptions, library: CardLibrary[OmegaCards]) -> None:
        super().__init__(players, options, library)
        self.rules = Rules(players, self.options, self.cards)

    def initial_state(self) -> OmegaState:
        return OmegaState(self, self.rules)

    def position(self, state: State) -> pb.Position:
        return positions.to_message(_ours(state))

    def restore(self, position: Message) -> OmegaState:
        state = self.initial_state()
        positions.load(self, state, typed(position, pb.Position))
        return state

    def view(self, state: State, viewer: Viewer) -> pb.View:
        return views.view_message(self, _ours(state), viewer)

    def action(self, state: State, code: Code) -> pb.Action:
        return words.action_message(code)

    def parse(self, state: State, seat: Seat, action: Message) -> Code:
        return words.action_code(typed(action, pb.Action))

    def why_illegal(self, state: State, code: int, seat: int = -1) -> IllegalAction:
        return refusal(_ours(state), code, seat)

    def label(self, state: State, code: Code) -> str:
        return words.label(self, _ours(state), code)

    def events(self, before: State, seat: Seat | None, code: Code, after: State, viewer: Viewer) -> Sequence[pb.Event]:
        return event_messages(self, _ours(before), code, _ours(after), viewer)

    def knows_code(self, before: State, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return words.knows(self, _ours(before), code, viewer)

    def render(self, view: Message) -> str:
        return draw.render(typed(view, pb.View))

    def describe_event(self, event: Message, view: Message | None = None) -> str:
        return telling.sentence(typed(event, pb.Event), None if view is None else typed(view, pb.View))

    def parse_text(self, view: Message, text: str) -> Message | None:
        return reading.read(typed(view, pb.View), text)

    def explain(self, view: Message, text: str) -> str:
        return telling.answer(typed(view, pb.View), text)


def _ours(state: State) -> OmegaState:
    assert isinstance(state, OmegaState)
    return state

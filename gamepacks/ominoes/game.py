"""The game class of Ominoes: metadata, and one line for each method, most of them functions of the other modules."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.message import Message

from gamepacks.api.bots import Budget, Level, three_levels
from gamepacks.api.game import Game, MessageTypes, typed
from gamepacks.api.types import Capabilities, Code, Seat, Viewer
from gamepacks.ominoes import events, labels, positions, render, scene, sentences, text_input, views
from gamepacks.ominoes.engine.rules import OminoesGuide, OminoesRules, OminoesState
from gamepacks.ominoes.messages import CODEC
from gamepacks.ominoes.options import OminoesOptions
from gamepacks.ominoes.refusals import refusal
from gamepacks.ominoes.v1 import ominoes_pb2 as pb


class Ominoes(Game[OminoesOptions, OminoesState, pb.View, pb.Action, pb.Event]):
    """Ominoes for two to four players; the rules are in RULES.md."""

    id = "ominoes"
    title = "Ominoes"
    summary = (
        "Roll a die, move a die, add a die: two to four players connect the dice of their Egyptian gods into groups of "
        "four and more, with the wild Yay-Ra and Ominotep, and the first to reach the target wins."
    )
    rules_version = "1"
    capabilities = Capabilities(
        min_players=2,
        max_players=4,
        chance=True,
        hidden=False,
        simultaneous=False,
        # Who begins; two dice for each of four players; 1,000 turns of at most four plies (roll, choose a die, reroll
        # it, add) besides the scoring; and 13 groups: each gives 4 points or more, so that nobody can have scored
        # more than 3 (5 with two players, who play to 21) before the one that wins.
        max_plies=1 + 8 + 4 * 1000 + 13,
    )
    options_type = OminoesOptions
    messages = MessageTypes.of(pb)
    codec = CODEC
    guide = OminoesGuide()
    levels = three_levels(
        easy=Level("monte-carlo", Budget(playouts=200)),
        normal=Level("greedy"),
        strong=Level("mcts", Budget(playouts=1000)),
    )

    def __init__(self, players: int, options: OminoesOptions) -> None:
        super().__init__(players, options.resolved(players))
        options = self.options
        assert options.target is not None
        self.rules = OminoesRules(
            gods=[int(god) for god in options.favoured()],
            size=options.board_size,
            target=options.target,
            max_turns=options.max_turns,
            start_player=options.start_player,
            extra_setup_die=options.extra_setup_die,
            late_add=options.late_add,
            all_wild_groups=options.all_wild_groups,
            optional_scoring=options.optional_scoring,
            expert=options.expert,
        )

    def initial_state(self) -> OminoesState:
        return OminoesState(self, self.rules)

    def restore(self, position: Message) -> OminoesState:
        return positions.restore(self, typed(position, pb.Position))

    position = staticmethod(positions.to_message)
    why_illegal = staticmethod(refusal)
    label = staticmethod(labels.label)
    render = staticmethod(render.render)
    svg = staticmethod(scene.svg)
    targets = staticmethod(scene.targets)
    describe_event = staticmethod(sentences.sentence)
    parse_text = staticmethod(text_input.parse)
    explain = staticmethod(sentences.answer)

    def view(self, state: OminoesState, viewer: Viewer) -> pb.View:
        return views.view_message(state)

    def events(
        self, before: OminoesState, seat: Seat | None, code: Code, after: OminoesState, viewer: Viewer
    ) -> Sequence[pb.Event]:
        return events.event_messages(before, code, after)

    def touched(self, view: pb.View, seat: Seat, action: pb.Action) -> Sequence[str]:
        return self.targets(view, [action])[0]

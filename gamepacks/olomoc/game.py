"""The game class of Olomòc: metadata, and one line for each method, most of them functions of the other modules."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from google.protobuf.message import Message

from gamepacks.api.bots import Budget, Level, three_levels
from gamepacks.api.cardgame import CardGame
from gamepacks.api.cards import CardLibrary
from gamepacks.api.errors import Fault, InvalidOptions
from gamepacks.api.game import MessageTypes, typed
from gamepacks.api.types import Capabilities, Code, Seat, Viewer
from gamepacks.olomoc import (
    answers,
    events,
    knowledge,
    labels,
    positions,
    render,
    scene,
    sentences,
    text_input,
    views,
)
from gamepacks.olomoc.cabales import Drafter
from gamepacks.olomoc.cards import SOURCE, OlomocCards, compile_rules
from gamepacks.olomoc.codes import PLACE_DECISIONS
from gamepacks.olomoc.engine.rules import OlomocGuide, OlomocRules, OlomocState
from gamepacks.olomoc.messages import CODEC
from gamepacks.olomoc.options import OlomocOptions
from gamepacks.olomoc.refusals import refusal
from gamepacks.olomoc.ruleset import Ruleset
from gamepacks.olomoc.v1 import olomoc_pb2 as pb

_MAX_COMPILED = 16
_COMPILED: dict[bytes, Ruleset] = {}
"""Card sets in the engine's form, by digest: they are immutable, and a service makes many games of a set."""


class Olomoc(CardGame[OlomocOptions, OlomocCards, OlomocState, pb.View, pb.Action, pb.Event]):
    """Olomòc, a skirmish of two cabales on a square board; the rules are in RULES.md."""

    id = "olomoc"
    title = "Olomòc"
    summary = (
        "Two cabales of three rouages plan in secret, march by rigid rulers, fight, study and fall to the Noirceur on "
        "a board of 16 inches. Played with a house set in place of the printed cards, which only their owners have."
    )
    rules_version = "3"
    capabilities = Capabilities(
        min_players=2,
        max_players=2,
        chance=True,
        hidden=True,
        simultaneous=True,
        max_plies=4_000,
        continuous=True,
        # Both lose where both reach Fiel 3 by one effect (OLO-END-03).
        zero_sum=False,
    )
    options_type = OlomocOptions
    messages = MessageTypes.of(pb)
    codec = CODEC
    card_source = SOURCE
    guide = OlomocGuide()
    levels = three_levels(
        easy=Level("random"),
        normal=Level("mcts", Budget(playouts=25)),
        strong=Level("tactician", Budget(playouts=20)),
    )
    ruleset: Ruleset
    """The card set in the engine's form."""

    def __init__(self, players: int, options: OlomocOptions, library: CardLibrary[OlomocCards]) -> None:
        super().__init__(players, options, library)
        self.values = self.options.values(self.cards.options.model_dump(exclude_none=True))
        digest = self._card_set.digest
        if digest not in _COMPILED:
            if len(_COMPILED) >= _MAX_COMPILED:
                _COMPILED.clear()
            _COMPILED[digest] = compile_rules(self.cards)
        self.ruleset = _COMPILED[digest]
        if faults := [*self.values.faults(), *self._name_faults()]:
            raise InvalidOptions(faults)
        self.rules = OlomocRules(self.ruleset, self.options, self.values, Drafter(self.ruleset))

    def _name_faults(self) -> list[Fault]:
        """Returns the faults of options that name a card which the set does not have."""
        faults = []
        for field, given, there, fixed in (
            ("agenda", self.options.agenda, [card.id for card in self.ruleset.agendas], ("random",)),
            ("bloc", self.options.bloc, [card.id for card in self.ruleset.layouts], ("random", "placed")),
        ):
            if given not in (*fixed, *there):
                faults.append(Fault(field, f"no {given!r}; allowed: {', '.join((*fixed, *there))}"))
        return faults or self._board_faults()

    def _board_faults(self) -> list[Fault]:
        """Returns the faults of options that exclude the board to which an agenda is bound."""
        agendas = {card.id: card for card in self.ruleset.agendas}
        bound = agendas[self.options.agenda].layout if self.options.agenda in agendas else -1
        layouts = [card.id for card in self.ruleset.layouts]
        if not layouts and self.options.bloc != "placed":
            return [Fault("bloc", "the card set has no boards; allowed: placed")]
        if self.options.bloc in layouts and bound not in (-1, layouts.index(self.options.bloc)):
            return [Fault("bloc", f"the agenda {self.options.agenda} is played on {layouts[bound]}")]
        return []

    def initial_state(self) -> OlomocState:
        return OlomocState(self, self.rules)

    def restore(self, position: Message) -> OlomocState:
        return positions.restore(self, typed(position, pb.Position))

    position = staticmethod(positions.to_message)
    view = staticmethod(views.view_message)
    why_illegal = staticmethod(refusal)
    label = staticmethod(labels.label)
    events = staticmethod(events.event_messages)
    render_choices = staticmethod(render.render)
    render = staticmethod(render.render)
    svg = staticmethod(scene.svg)
    targets = staticmethod(scene.targets)
    describe_event = staticmethod(sentences.sentence)
    parse_text = staticmethod(text_input.parse)

    @functools.cached_property
    def card_infos(self) -> views.CardInfos:
        """Messages of the cards, for views."""
        return views.CardInfos(self.ruleset)

    def typed_actions(self, state: OlomocState, codes: Sequence[int]) -> list[tuple[Code, Message, str]]:
        texts = labels.labels(state, codes)
        return [(Code(code), self.action(state, Code(code)), text) for code, text in zip(codes, texts, strict=True)]

    def sampled(self, state: OlomocState) -> bool:
        return state.decision in PLACE_DECISIONS

    def knows_code(self, before: OlomocState, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return knowledge.knows_code(before, seat, viewer)

    def explain(self, view: pb.View, text: str) -> str:
        return answers.answer(self.cards, view, text)

    def touched(self, view: pb.View, seat: Seat, action: pb.Action) -> Sequence[str]:
        return scene.touched(view, action)

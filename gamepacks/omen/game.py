"""The games of the pack, one for each edition, on the same engine."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, ClassVar, Generic, TypeVar

from google.protobuf.message import Message

from gamepacks.api.bots import Budget, Level, three_levels
from gamepacks.api.cardgame import CardGame
from gamepacks.api.cards import CardFileT, CardLibrary
from gamepacks.api.errors import Fault, InvalidOptions
from gamepacks.api.game import MessageTypes, typed
from gamepacks.api.types import Capabilities, CardSet, Code, Seat, Viewer
from gamepacks.omen import events, labels, positions, render, scene, sentences, targets, text_input, views
from gamepacks.omen.cards.compiler import CompiledSet, compile_files
from gamepacks.omen.cards.files import OMEGA_SOURCE, TRAITS_SOURCE, AnyFile, OmegaFile, TraitsFile, setup_numbers
from gamepacks.omen.codes import DRAFT_ROW, DRAFT_ROWS
from gamepacks.omen.engine.rules import GameConfig, OmenGuide, OmenState
from gamepacks.omen.messages import CODEC
from gamepacks.omen.options import OmenOptions, TraitsOptions
from gamepacks.omen.refusals import refusal
from gamepacks.omen.v1 import omen_pb2 as pb
from gamepacks.omen.v1 import position_pb2
from gamepacks.omen.v1.omen_enums import Draft, Kind

OptionsT = TypeVar("OptionsT", OmenOptions, TraitsOptions)

DRAFTED_UNITS = DRAFT_ROW * DRAFT_ROWS
"""Number of Units that either draft deals (OMEN-DRAFT-04, OMEN-DRAFT-06)."""

_compiled: dict[tuple[bytes, ...], CompiledSet] = {}
"""Cache of compiled card sets by the digests of their files."""


def _compile(files: Sequence[AnyFile], digests: tuple[bytes, ...]) -> CompiledSet:
    if digests not in _compiled:
        if len(_compiled) >= 64:
            _compiled.clear()
        _compiled[digests] = compile_files(files)
    return _compiled[digests]


class OmenGame(CardGame[OptionsT, CardFileT, OmenState, pb.View, pb.Action, pb.Event], Generic[OptionsT, CardFileT]):
    """Base class of both editions; the rules are in RULES.md."""

    rules_version = "1"
    guide = OmenGuide()
    levels = three_levels(
        easy=Level("random"),
        normal=Level("greedy"),
        strong=Level("mcts", Budget(playouts=400)),
    )
    codec = CODEC

    compiled: CompiledSet
    config: GameConfig
    files: tuple[AnyFile, ...]

    def __init__(self, players: int, options: OptionsT, library: CardLibrary[CardFileT]) -> None:
        super().__init__(players, options, library)  # type: ignore[arg-type]
        loaded = [library.pick(name) for name in (self.options.card_set, *self._more_sets(library))]
        self.files = tuple(one.data for one in loaded)  # type: ignore[misc]
        digests = tuple(one.card_set.digest for one in loaded)
        self.compiled = _compile(self.files, digests)
        if len(loaded) > 1:
            title = " + ".join(one.card_set.title for one in loaded)
            house = all(one.card_set.house for one in loaded)
            whole = blake2b(b"".join(digests), digest_size=32).digest()
            self._card_set = CardSet(self.options.card_set, title, house, whole)
        values = self.options.rule_values()
        setup = setup_numbers(self.files[0])
        supply = values.pop("coin_supply")
        if supply is not None:
            setup["coin_supply"] = supply or None
        self.config = GameConfig(self.compiled.program, setup, values)
        if any(file.status == "fixture" for file in self.files):
            self._check_counts()
        self.card_messages = tuple(views.card_message(face) for face in self.compiled.faces)
        self.names = tuple(face.card.name for face in self.compiled.faces)

    def _check_counts(self) -> None:
        # A set of status fixture may hold few cards, yet not fewer than the set-up deals (V-24).
        kinds = [face.kind for face in self.compiled.faces]
        copies = list(zip(kinds, self.config.composition(), strict=True))
        prizes = sum(count for kind, count in copies if kind in (Kind.REWARD, Kind.KRATER))
        units = sum(count for kind, count in copies if kind == Kind.UNIT)
        places = self.config.cities * self.config.prizes_per_city
        name, faults = self.options.card_set, []
        if prizes < places:
            faults.append(Fault("card_set", f"{name} has {prizes} prizes; {places} are needed on the Cities (V-24)"))
        if self.config.draft != Draft.NONE and units < DRAFTED_UNITS:
            faults.append(
                Fault("draft", f"{name} has {units} Units; {DRAFTED_UNITS} are dealt in a draft (OMEN-DRAFT-01, V-24)")
            )
        if faults:
            raise InvalidOptions(faults)

    def _more_sets(self, library: CardLibrary[CardFileT]) -> tuple[str, ...]:
        """Names of the card sets that are combined with the first."""
        return ()

    def initial_state(self) -> OmenState:
        return OmenState(self, self.config)

    def restore(self, position: Message) -> OmenState:
        return positions.restore(self, typed(position, position_pb2.Position))

    position = staticmethod(positions.to_message)
    view = staticmethod(views.view_message)
    why_illegal = staticmethod(refusal)
    label = staticmethod(labels.label)
    events = staticmethod(events.event_messages)
    render = staticmethod(render.render)
    svg = staticmethod(scene.svg)
    touched = staticmethod(targets.touched)
    targets = staticmethod(targets.targets)
    describe_event = staticmethod(sentences.sentence)
    parse_text = staticmethod(text_input.parse)
    explain = staticmethod(sentences.answer)

    def knows_code(self, before: OmenState, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        return events.may_know(before.code_viewers(code, -1 if seat is None else seat), viewer)


class Omen(OmenGame[OmenOptions, OmegaFile]):
    """The 2017 edition: Soldiers, Beasts, Oracles; Feats and Rewards."""

    id = "omen"
    title = "Omen (2017 edition)"
    summary = (
        "Two sides of a reign of war put Soldiers, Beasts and Oracles into three Cities, win Rewards in war and "
        "achieve Feats. Played with a house set in place of the published cards, which only their owners have."
    )
    # A turn has at most 200 actions, and random games take a few thousand plies.
    capabilities = Capabilities(
        min_players=2, max_players=2, chance=True, hidden=True, simultaneous=True, max_plies=60_000
    )
    options_type = OmenOptions
    messages = MessageTypes(
        options=pb.Options, view=pb.View, action=pb.Action, event=pb.Event, position=position_pb2.Position
    )
    card_source: ClassVar[Any] = OMEGA_SOURCE

    def __init__(self, players: int, options: OmenOptions, library: CardLibrary[OmegaFile]) -> None:
        if options.draft != "none":
            options = options.model_copy(update={"spirits": True, "heroes": True})
        super().__init__(players, options, library)
        cards, missing = self.cards, []
        if cards.status != "fixture":
            missing = [
                Fault(option, f"the card set {cards.id} has no {option} (V-03, V-05)")
                for option, asked, there in (
                    ("spirits", options.spirits, cards.has("spirit")),
                    ("heroes", options.heroes, cards.has("hero")),
                    ("challenges", options.challenges != "none", cards.challenges),
                    ("whims", options.whims, cards.whims),
                    ("relics", options.relics, cards.relics),
                )
                if asked and not there
            ]
        if missing:
            raise InvalidOptions(missing)


class OmenTraits(OmenGame[TraitsOptions, TraitsFile]):
    """The 2023 edition: Units with traits; Kraters and Razed Cities."""

    id = "omen-traits"
    title = "Omen (2023 edition, traits)"
    summary = (
        "Two sides of a reign of war put Units with thirteen traits into Cities, sack them for Kraters, and raze them. "
        "Played with a house set in place of the published cards, which only their owners have."
    )
    capabilities = Capabilities(
        min_players=2, max_players=2, chance=True, hidden=True, simultaneous=False, max_plies=60_000
    )
    options_type = TraitsOptions
    messages = MessageTypes(
        options=pb.TraitsOptions, view=pb.View, action=pb.Action, event=pb.Event, position=position_pb2.Position
    )
    card_source: ClassVar[Any] = TRAITS_SOURCE

    def _more_sets(self, library: CardLibrary[TraitsFile]) -> tuple[str, ...]:
        if not self.options.combined:
            return ()
        first = self.options.card_set
        wanted = self.options.more_sets or tuple(name for name in self.card_source.own.ids if name != first)
        faults = []
        if not wanted:
            faults.append(Fault("more_sets", "two card sets are needed to be combined (V-21)"))
        if len({first, *wanted}) != 1 + len(wanted):
            faults.append(Fault("more_sets", "a card set is named twice (V-21)"))
        for name in wanted:
            if library.pick(name).data.setup.cities != self.cards.setup.cities:
                faults.append(Fault("more_sets", f"{name} has another number of Cities than {first} (V-21)"))
        if faults:
            raise InvalidOptions(faults)
        self.options = self.options.model_copy(update={"more_sets": wanted})
        return wanted

"""The base class of games, :class:`Game`: one ruleset, configured for a number of players and options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self

from google.protobuf.message import Message
from typing_extensions import TypeVar

from cext.guide import Guide
from cext.state import SIMULTANEOUS, State
from gamepacks.api.bots import GENERAL_LEVELS, Level
from gamepacks.api.codec import ActionCodec
from gamepacks.api.errors import Fault, IllegalAction, InvalidMessage, InvalidPlayerCount
from gamepacks.api.options import Options
from gamepacks.api.scene import generic_scene
from gamepacks.api.types import OMNISCIENT, Capabilities, CardSet, Code, Seat, Viewer

if TYPE_CHECKING:
    from gamepacks.api.cards import CardLibrary, CardSource

OptionsT = TypeVar("OptionsT", bound=Options)
StateT = TypeVar("StateT", bound=State, default=Any)
ViewT = TypeVar("ViewT", bound=Message, default=Any)
ActionT = TypeVar("ActionT", bound=Message, default=Any)
EventT = TypeVar("EventT", bound=Message, default=Any)
M = TypeVar("M", bound=Message)


@dataclass(frozen=True, slots=True)
class MessageTypes:
    """The protobuf message classes of a game."""

    options: type[Message]
    view: type[Message]
    action: type[Message]
    event: type[Message]
    position: type[Message]

    @classmethod
    def of(cls, module: Any) -> MessageTypes:
        """The types with the names Options, View, Action, Event and Position of a generated module."""
        return cls(module.Options, module.View, module.Action, module.Event, module.Position)


def typed(message: Message, kind: type[M]) -> M:
    """Returns the message with its expected type. Raises InvalidMessage if it is of another type."""
    if not isinstance(message, kind):
        raise InvalidMessage(
            [Fault("message", f"must be a {kind.DESCRIPTOR.full_name}, not a {type(message).__name__}")]
        )
    return message


class Game(ABC, Generic[OptionsT, StateT, ViewT, ActionT, EventT]):
    """A ruleset, configured with a number of players and options. Immutable; shared by many states.

    The type parameters are the classes of its options, states, views, actions and events, for type checkers. A method
    can be a function of another module: ``svg = staticmethod(scene.svg)``.

    Games are values: equal where class, players, options and card set are, and pickled by what configures them.

    A game creates states and describes them. Every method that takes a viewer satisfies noninterference: two states
    that differ only in what the viewer cannot know give equal bytes.
    """

    id: ClassVar[str]
    """Unique among all packs, lower-case: ``ominoes``."""
    title: ClassVar[str]
    """Display name."""
    summary: ClassVar[str]
    """Description for people, in one or two sentences."""
    rules_version: ClassVar[str]
    """Version that changes whenever the meaning of a code changes or a log would give other states."""
    capabilities: ClassVar[Capabilities]
    options_type: ClassVar[type[Options]]
    messages: ClassVar[MessageTypes]
    codec: ClassVar[ActionCodec[Any] | None] = None
    """Converts codes to action messages and back; without one, override :meth:`action` and :meth:`parse`."""
    card_source: ClassVar[CardSource[Any] | None] = None
    """The source of its card sets; None for a game without cards. See :mod:`gamepacks.api.cardgame`."""
    guide: ClassVar[Guide | None] = None
    """Knowledge of the game for tree searches: priors, evaluation, play-out policy. See :mod:`cext.guide`."""
    levels: ClassVar[Mapping[str, Level]] = GENERAL_LEVELS
    """The bot and budget of each of the levels ``easy``, ``normal`` and ``strong``; see docs/strength.md."""

    players: int
    options: OptionsT

    def __init__(self, players: int, options: OptionsT) -> None:
        self.players = players
        self.options = options

    @classmethod
    def configure(
        cls,
        players: int,
        options: Mapping[str, Any] | Options | Message | None = None,
        library: CardLibrary[Any] | None = None,
    ) -> Game[OptionsT, StateT]:
        """Returns a configured game. Options are a mapping of names, an options model, or the pack's options message.

        ``library`` has the card sets that the options can name; None: the pack's own.

        Raises InvalidPlayerCount, InvalidOptions (naming every option that is wrong), or InvalidMessage for a message
        of another type.
        """
        card = cls.capabilities
        if not card.min_players <= players <= card.max_players:
            raise InvalidPlayerCount(players, card.min_players, card.max_players)
        wanted = cls.messages.options.DESCRIPTOR.full_name
        if isinstance(options, Message) and options.DESCRIPTOR.full_name != wanted:
            raise InvalidMessage([Fault("options", f"a {options.DESCRIPTOR.full_name}, not a {wanted}")])
        return cls._make(players, cls.options_type.parse(options, players), library)  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Game):
            return NotImplemented
        same = type(self) is type(other) and self.players == other.players and self.options == other.options
        return same and self.card_set == other.card_set

    def __hash__(self) -> int:
        return hash((type(self), self.players))

    def __reduce__(self) -> tuple[Any, ...]:
        return _configured, (type(self), self.players, self.options, self._library())

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    def _library(self) -> CardLibrary[Any] | None:
        """The card sets that another process needs to configure the same game; None: the pack's own."""
        return None

    @classmethod
    def _make(cls, players: int, options: OptionsT, library: CardLibrary[Any] | None) -> Game[OptionsT, StateT]:
        return cls(players, options)

    @property
    def card_set(self) -> CardSet | None:
        """The card set in use, for a game with cards."""
        return None

    def options_message(self) -> Message:
        """The pack's options message with every option set."""
        return self.options.to_message(self.messages.options)

    # -- states ------------------------------------------------------------------------------------------------

    @abstractmethod
    def initial_state(self) -> State:
        """Returns the first state, usually a chance node or the first decision of the set-up."""

    @abstractmethod
    def position(self, state: StateT) -> Message:
        """Returns the whole state as the pack's position message, canonical: equal states give equal messages."""

    @abstractmethod
    def restore(self, position: Message) -> State:
        """Returns the state of a position message. Raises InvalidPosition, which names every fault."""

    # -- explanations -----------------------------------------------------------------------------------------

    @abstractmethod
    def view(self, state: StateT, viewer: Viewer) -> Message:
        """Returns the view message of a state for one viewer."""

    def action(self, state: StateT, code: Code) -> Message:
        """Returns the pack's action message of a code that is legal in ``state``."""
        message: Message = self._codec().message(state, code)
        return message

    def parse(self, state: StateT, seat: Seat, action: ActionT) -> Code:
        """Returns the code of an action message.

        Raises IllegalAction if the message is not an action in any state. The code need not be legal in ``state``: the
        caller checks that, and :meth:`why_illegal` gives the reason.
        """
        return self._codec().code(state, action)

    def _codec(self) -> ActionCodec[Any]:
        if self.codec is None:
            raise NotImplementedError(f"{type(self).__name__} must set codec, or define action() and parse()")
        return self.codec

    def why_illegal(self, state: StateT, code: int, seat: int = -1) -> IllegalAction:
        """Returns why ``seat`` (-1: the seat to act) may not take ``code``, which is not legal in ``state``.

        ``state.apply()`` raises it. The default says no more than whether the seat is to act; packs give exact reasons.
        """
        if seat != -1 and not (seat >= 0 and state.seats_to_act() >> seat & 1):
            return IllegalAction("NOT_YOUR_TURN", f"seat {seat} is not to act", seat=seat)
        return IllegalAction("NOT_LEGAL", f"action {code} is not legal here", code=code)

    def label(self, state: StateT, code: Code) -> str:
        """Returns the English text of a code that is legal in ``state``: an action or an outcome of chance.

        The default is the verb of the codec's book and its arguments: ``bid 7``.
        """
        verb = self._codec().book.verb(code)
        return " ".join([verb.name.lower().replace("_", " "), *map(str, verb.unpack(code))])

    def typed_actions(self, state: StateT, codes: Sequence[int]) -> list[tuple[Code, Message, str]]:
        """Returns codes that are legal in ``state``, each with its action message and its label."""
        return [(Code(code), self.action(state, Code(code)), self.label(state, Code(code))) for code in codes]

    @abstractmethod
    def events(self, before: StateT, seat: Seat | None, code: Code, after: StateT, viewer: Viewer) -> Sequence[Message]:
        """Returns the event messages of the step in which ``seat`` (None: chance) took ``code``, for one viewer."""

    def knows_code(self, before: StateT, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        """Returns whether the viewer may know the code and its label. Override it in a game with secrets.

        By default a simultaneous decision is known to its seat alone, and everything else to all.
        """
        return before.actor() != SIMULTANEOUS or viewer in (seat, OMNISCIENT)

    def sampled(self, state: StateT) -> bool:
        """Returns whether the current legal list is a sample of a finer grid. Override it in a continuous game
        that has other decisions too: only where it is True may ``is_legal`` accept what ``legal`` does not list."""
        return self.capabilities.continuous

    def render(self, view: ViewT) -> str | None:
        """Returns the view drawn for a terminal, as text with Rich markup; None if the pack does not draw.

        Players are written as ``seat 0``, here and in labels; front ends replace that by their names.
        """
        return None

    def render_choices(self, view: ViewT, choices: Sequence[ActionT]) -> str | None:
        """As :meth:`render`, for a person who chooses one of these actions. Override it to mark them."""
        return self.render(view)

    def describe_event(self, event: EventT, view: ViewT | None = None) -> str:
        """Returns the sentence of an event for a person; empty if the label of the action or the drawn view shows it.

        ``view`` is the person's view after the event, for names. Terminals show the sentence, and the service sends it
        to clients that ask for sentences, so it may depend on nothing but the two messages.
        """
        return ""

    def parse_text(self, view: ViewT, text: str) -> Message | None:
        """Returns the action that a person means who sees the view and types ``text``; None for any other text.

        The action need not be listed: a place of a finer grid, or an illegal action, which is refused with its reason.
        """
        return None

    def explain(self, view: ViewT, text: str) -> str:
        """Returns the answer to a question of a person who sees the view, for example about a card; empty if there is
        none.

        The answer to an empty text is a short help: what can be asked and typed.
        """
        return ""

    def svg(self, view: ViewT) -> str:
        """Returns the scene: the view drawn as an SVG document with ids for its parts, see :mod:`gamepacks.api.scene`.

        The default lists the fields of the view with their values.
        """
        return generic_scene(self.title, view)

    def targets(self, view: ViewT, choices: Sequence[ActionT]) -> Sequence[Sequence[str]]:
        """Returns the targets of each of these actions: the ids of the parts of ``svg(view)`` that it touches.

        They are in the order in which a person would click them. ``view`` is that of the seat to act.

        A point of a continuous board is the target ``place:X,Y`` of :func:`gamepacks.api.scene.place`, after the parts.
        A part that is not the last target can be dragged to the next one: give the piece that is moved first.
        Actions with equal targets are distinguished by their labels, and those without targets, as by default all are,
        are chosen from a list.
        """
        return [()] * len(choices)

    def touched(self, view: ViewT, seat: Seat, action: ActionT) -> Sequence[str]:
        """Returns the ids of the parts that an action of ``seat`` touches, to be marked in the scenes after it.

        ``view`` is the view before the action of another viewer who knows it; parts that its scene does not have are
        left out. The default is none. Override it where what just happened shows on a board, say, by the targets.
        """
        return ()


def _configured(kind: type[Game[Any]], players: int, options: Options, library: CardLibrary[Any] | None) -> Game[Any]:
    """Returns a game from its pickled data."""
    return kind._make(players, options, library)


def event_sentences(game: Game[Any], events: Sequence[Message], after: State, viewer: Viewer) -> tuple[str, ...]:
    """Returns the sentences of a step's events for a viewer; makes the view only for packs that have sentences."""
    if not events or type(game).describe_event is Game.describe_event:
        return ()
    view = game.view(after, viewer)
    return tuple(said for event in events if (said := game.describe_event(event, view)))


def viewers(players: int) -> list[Viewer]:
    """Returns all viewers but the omniscient one: each seat and the spectator."""
    return [*(Viewer(seat) for seat in range(players)), Viewer(-1)]

"""Bots that run in the process of the rules: their base class, and the bots that play every game."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from cext.guide import Guide
from cext.random import Rng
from cext.regret_search import RegretSearch
from cext.search import flat_monte_carlo, rank_by_evaluation
from cext.state import State
from cext.tree_search import TreeSearch
from gamepacks.api.errors import PackError
from gamepacks.api.types import Code, Seat
from omnilude.bots import Bot

if TYPE_CHECKING:
    from gamepacks.api.game import Game


WEIGHTS = 1 << 20
"""Sum of the integer weights by which :class:`RegretBot` draws an action."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The limit for one decision of a bot: play-outs, milliseconds, or whichever ends first.

    With neither, the bot chooses its own budget.
    """

    playouts: int | None = None
    milliseconds: int | None = None

    def bounds(self, default_playouts: int) -> tuple[int, float]:
        """Play-outs and seconds, 0 for no such bound; ``default_playouts`` where neither is given."""
        playouts, milliseconds = self.playouts or 0, self.milliseconds or 0
        if not playouts and not milliseconds:
            playouts = default_playouts
        return playouts, milliseconds / 1000


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play: the name of a bot of the game, and its budget."""

    bot: str
    budget: Budget = Budget()


LEVELS = ("easy", "normal", "strong")
"""The levels of every game, the weakest first."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision that a bot must make, with the rules and a state."""

    game: Game[Any]
    state: State
    """A state that the seat cannot distinguish from the true one, drawn anew for each decision. The bot may change
    it."""
    seat: Seat
    rng: Rng
    budget: Budget = Budget()

    @property
    def codes(self) -> list[int]:
        """The legal action codes."""
        return self.state.legal(self.seat)

    @property
    def local(self) -> Turn:
        """This turn itself, so that bots written for ``turn.local`` of the Python client can be used here too."""
        return self


class PackBot(Bot):
    """Base class of bots that use the rules: their turns are :class:`Turn`. Packs register such bots, and the service
    lists them.

    It is an ``omnilude.Bot``, so it plays at a service and in tournaments as well.
    """

    wants = ("rules",)

    name: str
    """Name of the bot, unique in its game: ``monte-carlo``."""
    description: str
    game_id: str | None = None
    """Id of the game that the bot plays; None: every game."""
    takes_budget: bool = False
    """Whether its search takes a :class:`Budget`, which a seat can set; other bots ignore it."""
    inline: bool = False
    """Whether a decision takes well under a millisecond, so that the service can run the bot on its event loop."""
    inline_private: bool = False
    """It needs a few milliseconds at most for a private decision (:meth:`State.decline_code`), so the service may run
    it for those on its event loop, in the place of the game's slower bots too: others would see them pause."""

    @abstractmethod
    def choose(self, turn: Turn) -> Code:
        """Return one of ``turn.codes``."""


def flat_search(state: State, seat: int, rng: Rng, playouts: int, seconds: float) -> list[tuple[int, int, float]]:
    """Run flat Monte Carlo with the settings that follow from the capabilities of the state's game: see
    :func:`cext.search.flat_monte_carlo`."""
    card = state.game.capabilities
    return flat_monte_carlo(
        state,
        seat,
        rng,
        playouts=playouts,
        seconds=seconds,
        resample=card.hidden or card.simultaneous,
        max_plies=card.max_plies,
    )


def tree_search(game: Game[Any]) -> TreeSearch:
    """Returns a new search tree with the settings and the guide of a game."""
    card = game.capabilities
    return TreeSearch(
        game.players,
        hidden=card.hidden or card.simultaneous,
        min_return=card.min_return,
        max_return=card.max_return,
        guide=game.guide,
        widening=4.0 if card.continuous else 0.0,
        max_plies=card.max_plies,
    )


class RandomBot(PackBot):
    """Takes any legal action, each equally likely."""

    name = "random"
    description = "Takes any legal action, each equally likely."
    inline = True

    def choose(self, turn: Turn) -> Code:
        return Code(turn.rng.choice(turn.codes))


class GreedyBot(PackBot):
    """Takes the action with the best evaluation by the game's guide; among equal ones it takes any. It needs no budget.

    :func:`cext.search.rank_by_evaluation`. In a game with hidden or simultaneous decisions the evaluation is averaged
    over states resampled for the seat. A private decision, for which the service waits, is evaluated in one of them and
    with at most one decision more.

    A pack lists one for each of its games; ``inline`` and ``inline_private`` are as in :class:`PackBot`. Without a game
    it plays every game with an evaluation. Raises PackError for a game without.
    """

    name = "greedy"
    description = "Takes the action with the best evaluation, without looking further ahead."

    WORLDS = 4

    def __init__(
        self, game: type[Game[Any]] | None = None, *, inline: bool = False, inline_private: bool = False
    ) -> None:
        if game is not None:
            self.guide_of(game)
            self.game_id = game.id
        self.inline, self.inline_private = inline, inline_private

    def guide_of(self, game: Game[Any] | type[Game[Any]]) -> Guide:
        """Returns the guide by which the bot evaluates the actions of a game."""
        if game.guide is None:
            raise PackError(f"the greedy bot needs an evaluation: {game.id} declares no guide")
        return game.guide

    def choose(self, turn: Turn) -> Code:
        card = turn.game.capabilities
        private = turn.state.decline_code() != -1
        worlds = 1 if private else self.WORLDS
        ranked = rank_by_evaluation(
            turn.state,
            turn.seat,
            turn.rng,
            self.guide_of(turn.game),
            worlds=worlds if card.hidden or card.simultaneous else 0,
            depth=1 if private else -1,
        )
        return Code(ranked[0][0])


class SearchBot(PackBot):
    """Base class of bots that search within a budget. If only one action is legal, it is taken without a search."""

    takes_budget = True

    DEFAULT_PLAYOUTS: int
    """Number of play-outs if the budget has none."""

    def choose(self, turn: Turn) -> Code:
        codes = turn.codes
        if len(codes) == 1:
            return Code(codes[0])
        return Code(self.search(turn, *turn.budget.bounds(self.DEFAULT_PLAYOUTS)))

    @abstractmethod
    def search(self, turn: Turn, playouts: int, seconds: float) -> int:
        """Return the action of a search with at most this many play-outs and seconds; 0 for no such bound."""


class MonteCarloBot(SearchBot):
    """Plays each action out at random many times and takes the one with the best mean return.

    The play-outs run in :func:`cext.search.flat_monte_carlo`, which drops the worse half of the actions again and
    again. In a game with hidden or simultaneous decisions every pass is played in a state resampled for the seat. With
    a budget of play-outs alone it is deterministic: the same state and generator give the same code.
    """

    name = "monte-carlo"
    description = "Plays each action out at random many times and takes the one with the best mean result."

    DEFAULT_PLAYOUTS = 1000

    def search(self, turn: Turn, playouts: int, seconds: float) -> int:
        return flat_search(turn.state, turn.seat, turn.rng, playouts, seconds)[0][0]


class TreeSearchBot(SearchBot):
    """Grows a search tree and takes the action that it visited most.

    :class:`cext.tree_search.TreeSearch` with what the game's ``guide`` knows. A budget's play-outs are iterations. In a
    game with hidden or simultaneous decisions every iteration is played in a state resampled for the seat; in one
    whose lists are samples the actions are widened step by step. With a budget of iterations alone it is deterministic.
    """

    name = "mcts"
    description = "Grows a search tree by play-outs and takes the action that it visited most."

    DEFAULT_PLAYOUTS = 1000

    def search(self, turn: Turn, playouts: int, seconds: float) -> int:
        tree = tree_search(turn.game)
        tree.run(turn.state, turn.seat, turn.rng, iterations=playouts, seconds=seconds)
        return tree.ranking(turn.seat)[0][0]


class RegretBot(SearchBot):
    """Finds a distribution over its actions by regret minimisation and draws one, so that it cannot be predicted.

    :class:`cext.regret_search.RegretSearch`, each iteration in a state resampled for the seat. A budget's play-outs are
    iterations; with a budget of iterations alone the bot is deterministic. It plays the games with hidden or
    simultaneous decisions whose lists of actions are whole.
    """

    name = "regret"
    description = "Mixes its actions in proportions found by regret minimisation, so that it cannot be predicted."

    DEFAULT_PLAYOUTS = 200

    def search(self, turn: Turn, playouts: int, seconds: float) -> int:
        search = RegretSearch(turn.game.players, max_plies=turn.game.capabilities.max_plies)
        search.run(turn.state, turn.seat, turn.rng, iterations=playouts, seconds=seconds)
        strategy = search.strategy(turn.state, turn.seat)
        return turn.rng.weighted([(code, round(WEIGHTS * chance)) for code, chance in strategy])


def three_levels(easy: Level, normal: Level, strong: Level) -> Mapping[str, Level]:
    """The levels of a game."""
    return MappingProxyType(dict(zip(LEVELS, (easy, normal, strong), strict=True)))


GENERAL_LEVELS = three_levels(
    Level("random"), Level("monte-carlo", Budget(playouts=200)), Level("mcts", Budget(playouts=2000))
)
"""The levels of a game that declares none."""

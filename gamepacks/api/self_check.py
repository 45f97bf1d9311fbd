"""The quick check that a game must pass to be loaded: it takes milliseconds and plays nothing. The kit has the thorough
checks."""

from __future__ import annotations

import re
from typing import Any

from google.protobuf.message import Message

from cext.state import CHANCE, SIMULTANEOUS, State
from gamepacks.api.cardgame import CardGame, CardOptions
from gamepacks.api.cards import CardSource
from gamepacks.api.errors import PackError
from gamepacks.api.game import Game, MessageTypes, viewers
from gamepacks.api.options import Options
from gamepacks.api.types import OMNISCIENT, Capabilities

GAME_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAX_PLAYERS = 32
"""``State.seats_to_act()`` is a bit mask of 32 bits."""


def self_check(game_type: type[Game[Any]]) -> None:
    """Check the metadata, the default options and the first state of a game. Raises PackError."""
    _check_facts(game_type)
    game_type.options_type.specs()
    card = game_type.capabilities
    for players in sorted({card.min_players, card.max_players}):
        game = game_type.configure(players)
        _require(isinstance(game, game_type), game_type, f"configure() returned a {type(game).__name__}")
        options = game.options_message()
        _require(isinstance(options, game.messages.options), game_type, "options_message() is not the options message")
        _check_first_state(game)


def _check_facts(game_type: type[Game[Any]]) -> None:
    facts: dict[str, type] = {
        "id": str,
        "title": str,
        "summary": str,
        "rules_version": str,
        "capabilities": Capabilities,
        "options_type": type,
        "messages": MessageTypes,
    }
    for fact, kind in facts.items():
        value = getattr(game_type, fact, None)
        _require(isinstance(value, kind), game_type, f"{fact} is missing or not a {kind.__name__}")
        _require(value != "", game_type, f"{fact} is empty")
    _require(
        GAME_ID.fullmatch(game_type.id) is not None,
        game_type,
        f"id {game_type.id!r} is not lower-case words joined by hyphens",
    )
    _require(issubclass(game_type.options_type, Options), game_type, "options_type is not a subclass of Options")
    for use in ("options", "view", "action", "event", "position"):
        kind = getattr(game_type.messages, use)
        _require(
            isinstance(kind, type) and issubclass(kind, Message), game_type, f"messages.{use} is not a message class"
        )
    if game_type.card_source is not None or issubclass(game_type, CardGame):
        _check_card_source(game_type)
    for problem in card_problems(game_type.capabilities):
        raise PackError(f"{game_type.__name__}: {problem}")


def _check_card_source(game_type: type[Game[Any]]) -> None:
    source = game_type.card_source
    _require(issubclass(game_type, CardGame), game_type, "it has a card_source but is not a CardGame")
    _require(issubclass(game_type.options_type, CardOptions), game_type, "its options are not CardOptions")
    _require(isinstance(source, CardSource), game_type, "card_source is not a CardSource")
    assert source is not None
    _require(source.game_id == game_type.id, game_type, f"card_source belongs to the game {source.game_id!r}")
    _require(bool(source.own.ids), game_type, "card_source has no set of the pack's own")


def card_problems(card: Capabilities) -> list[str]:
    """Yield the contradictions in a capability card."""
    problems = []
    if not 1 <= card.min_players <= card.max_players <= MAX_PLAYERS:
        problems.append(f"capabilities: players from {card.min_players} to {card.max_players} (1 to {MAX_PLAYERS})")
    if card.max_plies < 1:
        problems.append(f"capabilities: max_plies is {card.max_plies}")
    if not card.min_return < card.max_return:
        problems.append(f"capabilities: returns from {card.min_return} to {card.max_return}")
    if card.zero_sum and not card.min_return <= 0 <= card.max_return:
        problems.append("capabilities: zero_sum, but 0 is not a possible return")
    if card.simultaneous and card.max_players < 2:
        problems.append("capabilities: simultaneous, for one player")
    return problems


def _check_first_state(game: Game[Any]) -> None:
    state = game.initial_state()
    kind = type(game)
    _require(isinstance(state, State), kind, "initial_state() did not return a State")
    _require(state.game is game, kind, "the first state has no attribute game with its game")
    actor = state.actor()
    acts = actor in (CHANCE, SIMULTANEOUS) or 0 <= actor < game.players
    _require(acts, kind, f"the first state has no actor: actor() is {actor}")
    position = state.game.position(state)
    _require(isinstance(position, game.messages.position), kind, "position() is not the position message")
    for viewer in [*viewers(game.players), OMNISCIENT]:
        view = game.view(state, viewer)
        _require(isinstance(view, game.messages.view), kind, "view() is not the view message")
        view.SerializeToString()


def _require(holds: bool, game_type: type[Game[Any]], problem: str) -> None:
    if not holds:
        raise PackError(f"{game_type.__name__}: {problem}")

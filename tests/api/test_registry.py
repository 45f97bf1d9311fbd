"""Loading packs: each apart from the others, the broken ones left out with a reason."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pydantic import Field

from gamepacks.api import (
    Code,
    Game,
    Level,
    PackBot,
    PackError,
    RandomBot,
    Registry,
    Turn,
    UnknownGame,
    error_location,
    hookimpl,
)
from tests.support.games import faulty, kuhn, sealed, suits
from tests.support.installed import install

NONE_INSTALLED: tuple[str, ...] = ()


class OwnBot(PackBot):
    name = "own"
    description = "A bot of a pack."

    def __init__(self, name: str = "own", game_id: str | None = None) -> None:
        self.name = name
        self.game_id = game_id

    def choose(self, turn: Turn) -> Code:
        return Code(turn.codes[0])


def pack(games: Any = (), bots: Any = (), name: str = "TestPack") -> object:
    """A pack that brings these."""

    def omnilude_games(self: object) -> Any:
        return games() if callable(games) else games

    def omnilude_bots(self: object) -> Any:
        return bots

    made = type(name, (), {"omnilude_games": hookimpl(omnilude_games), "omnilude_bots": hookimpl(omnilude_bots)})
    return made()


def load(*packs: object) -> Registry:
    return Registry.load(only=NONE_INSTALLED, extra=packs)


def game(base: type[Game[Any]] = sealed.SealedGame, **facts: Any) -> type[Game[Any]]:
    return type("OwnGame", (base,), {"id": "own-game", **facts})


def add(folder: Path, distribution: str, version: str, packs: dict[str, str], **modules: str) -> None:
    """Install a distribution with these packs and modules."""
    install(folder, distribution, version, packs)
    for module, text in modules.items():
        (folder / f"{module}.py").write_text(dedent(text))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of installed distributions, on the path for this test."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


GOOD = """
from gamepacks.api import hookimpl
from tests.support.games.sealed import SealedGame
@hookimpl
def omnilude_games():
    return [type("Installed", (SealedGame,), {"id": "installed"})]
"""


# -- what is loaded ----------------------------------------------------------------------------------------------------


def test_games_of_all_packs_are_there_with_the_general_bots() -> None:
    registry = load(kuhn.PACK, sealed.PACK)
    assert registry.broken == ()
    assert list(registry.games) == ["kuhn", "sealed"]
    loaded = registry.game("kuhn")
    assert loaded.game is kuhn.KuhnGame
    assert (loaded.pack, loaded.distribution, loaded.version) == ("KuhnPack", "", "")
    assert list(loaded.bots) == ["random", "monte-carlo", "mcts", "regret"]
    assert [p.name for p in registry.packs] == ["KuhnPack", "SealedPack"]
    ominoes = Registry.load(only=["ominoes"], strict=True).game("ominoes")
    assert "mcts" in ominoes.bots and "regret" not in ominoes.bots, "nothing is hidden in it"


def test_built_in_packs_load_through_entry_points() -> None:
    registry = Registry.load(strict=True)
    assert registry.broken == ()
    loaded = registry.game("ominoes")
    assert (loaded.pack, loaded.distribution) == ("ominoes", "omnilude")
    assert loaded.version


def test_an_installed_pack_is_found_with_its_distribution(site: Path) -> None:
    add(site, "acme-games", "1.2.3", {"acme": "acme_games"}, acme_games=GOOD)
    loaded = Registry.load(only=["acme"]).game("installed")
    assert (loaded.pack, loaded.distribution, loaded.version) == ("acme", "acme-games", "1.2.3")


def test_packs_are_chosen_by_name(site: Path) -> None:
    add(site, "acme-games", "1", {"acme": "acme_games", "other": "acme_other"}, acme_games=GOOD, acme_other="1/0")
    assert list(Registry.load(only=["acme"]).games) == ["installed"]
    own = sorted({loaded.pack for loaded in Registry.load().games.values() if loaded.distribution == "omnilude"})
    without = Registry.load(without=["other", *own])
    assert list(without.games) == ["installed"]
    assert without.broken == ()
    assert list(Registry.load(only=["acme", "other"], without=["other"]).games) == ["installed"]


@pytest.mark.parametrize("choice", [{"only": ["omnioes"]}, {"without": ["omnioes"]}])
def test_a_misspelt_choice_is_refused(choice: dict[str, list[str]]) -> None:
    with pytest.raises(PackError, match=r"no pack 'omnioes' is installed; installed are: .*ominoes"):
        Registry.load(**choice)  # type: ignore[arg-type]


def test_bots_go_to_the_games_they_play() -> None:
    registry = load(kuhn.PACK, sealed.PACK, pack(bots=[OwnBot("all"), OwnBot("bluffer", "kuhn"), OwnBot("x", "none")]))
    assert list(registry.game("kuhn").bots) == ["random", "monte-carlo", "mcts", "regret", "all", "bluffer"]
    assert list(registry.game("sealed").bots) == ["random", "monte-carlo", "mcts", "regret", "all"]


def test_bots_of_one_name_may_play_different_games() -> None:
    registry = load(kuhn.PACK, sealed.PACK, pack(bots=[OwnBot("greedy", "kuhn"), OwnBot("greedy", "sealed")]))
    assert registry.broken == ()
    assert registry.game("kuhn").bots["greedy"].game_id == "kuhn"
    assert registry.game("sealed").bots["greedy"].game_id == "sealed"


def test_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match=r"there is no game 'chess'; games: kuhn, sealed") as unknown:
        load(sealed.PACK, kuhn.PACK).game("chess")
    assert unknown.value.game_id == "chess"
    assert unknown.value.known == ("kuhn", "sealed")
    with pytest.raises(UnknownGame, match="games: none"):
        load().game("chess")


def test_two_registries_share_nothing() -> None:
    first, second = load(kuhn.PACK), load(kuhn.PACK, sealed.PACK)
    assert list(first.games) == ["kuhn"]
    assert list(second.games) == ["kuhn", "sealed"]
    assert first.game("kuhn").bots["random"] is not second.game("kuhn").bots["random"]


# -- what is left out --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("module", "error", "where", "message"),
    [
        ("import nothing_of_that_name", "ModuleNotFoundError", "broken_games:1", "nothing_of_that_name"),
        ("\n1 / 0", "ZeroDivisionError", "broken_games:2", "division by zero"),
        ("def omnilude_games(:", "SyntaxError", "broken_games.py:1", "invalid syntax"),
        ("import sys\nsys.exit('good bye')", "SystemExit", "broken_games:2", "good bye"),
        ("raise MemoryError", "MemoryError", "broken_games:1", ""),
        ("def omnilude_games(): return []", "PackError", "gamepacks.api.registry", "no function with @hookimpl"),
        (
            """
            from gamepacks.api import hookimpl
            @hookimpl
            def omnilude_gmaes(): return []
            """,
            "PluginValidationError",
            "pluggy._manager",
            "unknown hook 'omnilude_gmaes'",
        ),
        (
            """
            from gamepacks.api import hookimpl
            @hookimpl
            def omnilude_games(registry): return []
            """,
            "PluginValidationError",
            "pluggy._manager",
            "hookimpl definition: omnilude_games(registry)",
        ),
        (
            """
            from gamepacks.api import hookimpl
            @hookimpl
            def omnilude_bots(): return []
            def omnilude_games(): return []
            """,
            "PackError",
            "gamepacks.api.registry",
            "omnilude_games is not marked with @hookimpl",
        ),
        (
            """
            from gamepacks.api import hookimpl
            @hookimpl
            def omnilude_games():
                return {}['games']
            """,
            "KeyError",
            "broken_games:5",
            "games",
        ),
    ],
)
def test_a_broken_pack_is_recorded_with_error_and_place_and_the_others_load(
    site: Path, caplog: pytest.LogCaptureFixture, module: str, error: str, where: str, message: str
) -> None:
    add(site, "broken-games", "0.9", {"broken": "broken_games"}, broken_games=module)
    add(site, "acme-games", "1", {"acme": "acme_games"}, acme_games=GOOD)
    registry = Registry.load(only=["acme", "broken"], extra=[kuhn.PACK])
    (broken,) = registry.broken
    assert (broken.pack, broken.distribution, broken.version) == ("broken", "broken-games", "0.9")
    assert broken.error == error
    assert broken.where.startswith(where)
    assert message in broken.message
    assert broken.summary == f"{broken.error} at {broken.where}: {broken.message}"
    assert list(registry.games) == ["installed", "kuhn"]
    assert [p.name for p in registry.packs] == ["acme", "KuhnPack"]
    assert f"pack broken (broken-games) is left out: {broken.summary}" in caplog.text


def raising() -> Any:
    raise RuntimeError("in the hook")


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (pack(games=raising), "in the hook"),
        (pack(games=[sealed.SealedGame.configure(2)]), "not a type"),
        (pack(games=[int]), "omnilude_games returned int, which is not a Game"),
        (pack(games=None), ""),
        (pack(games=5), "not iterable"),
        (pack(bots=[OwnBot]), "not a PackBot"),
        (pack(bots=[OwnBot("")]), "OwnBot.name is missing"),
        (pack(bots=[OwnBot(5)]), "OwnBot.name is missing or not a text"),  # type: ignore[arg-type]
        (pack(bots=[OwnBot("random")]), "the bot name 'random' is taken by the engine"),
        (pack(bots=[OwnBot("monte-carlo", "kuhn")]), "taken by the engine"),
        (pack(bots=[OwnBot("a"), OwnBot("a", "kuhn")]), "taken by itself"),
        (pack(games=[kuhn.KuhnGame]), "the game id 'kuhn' is taken by the pack KuhnPack"),
        (pack(games=[game(), game()]), "the game id 'own-game' is taken by itself"),
        (pack(games=[game(levels={})]), "they must be easy, normal, strong"),
        (
            pack(games=[game(levels={**game().levels, "easy": Level("own")})], bots=[OwnBot("own", "another")]),
            "the level easy of own-game names the bot 'own', which does not play it",
        ),
        (kuhn.KuhnPack(), "the name is taken by the pack of an object"),
    ],
)
def test_a_pack_that_breaks_the_contract_is_left_out_whole(broken: object, message: str) -> None:
    registry = load(kuhn.PACK, broken, sealed.PACK)
    if message == "":
        # A hook that gives None gives nothing (pluggy's way); such a pack is empty, not broken.
        assert registry.broken == ()
        return
    assert [message in record.message for record in registry.broken] == [True], registry.broken
    assert list(registry.games) == ["kuhn", "sealed"]


def test_a_bot_name_taken_by_another_pack_leaves_the_later_pack_out() -> None:
    registry = load(kuhn.PACK, pack(bots=[OwnBot("a", "kuhn")], name="First"), pack([game()], [OwnBot("a")], "Second"))
    assert [(b.pack, b.message) for b in registry.broken] == [("Second", "the bot name 'a' is taken by the pack First")]
    assert list(registry.games) == ["kuhn"]


class OtherOptions(sealed.SealedOptions):
    rounds: int = Field(99, le=9)


class NotAState:
    def actor(self) -> int:
        return 0


def card(**changes: Any) -> Any:
    return dataclasses.replace(sealed.SealedGame.capabilities, **changes)


SELF_CHECKS: list[tuple[dict[str, Any], str]] = [
    ({"id": "Own Game"}, "id 'Own Game' is not lower-case"),
    ({"title": ""}, "title is empty"),
    ({"summary": None}, "summary is missing or not a str"),
    ({"rules_version": 1}, "rules_version is missing or not a str"),
    ({"capabilities": None}, "capabilities is missing"),
    ({"capabilities": card(min_players=0)}, "players from 0 to 4"),
    ({"capabilities": card(max_players=33)}, "players from 2 to 33"),
    ({"capabilities": card(max_plies=0)}, "max_plies is 0"),
    ({"capabilities": card(min_return=1.0)}, "returns from 1.0 to 1.0"),
    ({"capabilities": card(min_return=0.5)}, "0 is not a possible return"),
    ({"capabilities": card(min_players=1, max_players=1)}, "simultaneous, for one player"),
    ({"options_type": dict}, "options_type is not a subclass of Options"),
    ({"options_type": OtherOptions}, "rounds: Input should be less than"),
    ({"card_source": suits.SOURCE}, "it has a card_source but is not a CardGame"),
    ({"messages": dataclasses.replace(sealed.SealedGame.messages, view=int)}, "messages.view is not a message class"),
    ({"options_message": lambda self: self.messages.view()}, "options_message() is not the options message"),
    ({"configure": classmethod(lambda cls, players: kuhn.KuhnGame.configure(2))}, "configure() returned a KuhnGame"),
    ({"initial_state": lambda self: NotAState()}, "initial_state() did not return a State"),
    ({"initial_state": lambda self: sealed.SealedGame.configure(2).initial_state()}, "has no attribute game"),
    (
        {"initial_state": lambda self: sealed.SealedState(self, self.options.rounds, [1] * 4, [0] * 4, [-1] * 4)},
        "the first state has no actor: actor() is -3",
    ),
    ({"position": lambda self, state: self.messages.view()}, "position() is not the position message"),
    ({"view": lambda self, state, viewer: self.messages.action()}, "view() is not the view message"),
    ({"view": lambda self, state, viewer: 1 / 0}, "division by zero"),
    ({"__abstractmethods__": frozenset({"view"})}, "abstract"),
]


@pytest.mark.parametrize(("facts", "message"), SELF_CHECKS, ids=[message for _, message in SELF_CHECKS])
def test_a_game_that_fails_its_self_check_leaves_its_pack_out(facts: dict[str, Any], message: str) -> None:
    abstract = facts.pop("__abstractmethods__", None)
    own = game(**facts)
    if abstract:
        own.__abstractmethods__ = abstract
    registry = load(pack([own]), kuhn.PACK)
    assert [message in record.message for record in registry.broken] == [True], registry.broken
    assert list(registry.games) == ["kuhn"]


def test_strict_loading_raises_at_a_broken_pack() -> None:
    with pytest.raises(PackError, match=r"pack TestPack: RuntimeError at .*test_registry") as error:
        Registry.load(only=NONE_INSTALLED, extra=[kuhn.PACK, pack(raising)], strict=True)
    assert isinstance(error.value.__cause__, RuntimeError)


def test_keyboard_interrupt_is_not_a_pack_fault() -> None:
    def interrupt() -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load(pack(interrupt))


# -- events of matches -------------------------------------------------------------------------------------------------


class Observer:
    def __init__(self) -> None:
        self.seen: list[tuple[str, str, str]] = []

    @hookimpl
    def omnilude_match_event(self, match: str, game: str, kind: str) -> None:
        self.seen.append((match, game, kind))


def test_a_pack_observes_matches_where_it_has_the_hook() -> None:
    observer = Observer()
    observing, other = load(observer, kuhn.PACK).packs
    assert observing.observes and not other.observes
    for pack in (observing, other):
        pack.notify_match_event("matches/1", "kuhn", "started")
    assert observer.seen == [("matches/1", "kuhn", "started")]


# -- where an error was raised -----------------------------------------------------------------------------------------


def test_the_place_of_an_error_is_in_the_pack_if_it_passed_through_one() -> None:
    state = faulty.FaultyGame.configure(2).initial_state()
    with pytest.raises(ZeroDivisionError) as error:
        state.apply(faulty.BOMB, 0)
    assert error_location(error.value).startswith("tests.support.games.faulty:")
    # Raised in our own code, called by the pack: the pack's line is the one to look at.
    with pytest.raises(ValueError, match="no item") as inner:
        kuhn.KuhnGame.configure(2).initial_state().zones.move(1, 0, 0, kind=3)
    assert error_location(inner.value).startswith("tests.api.test_registry:")
    assert error_location(ValueError("never raised")) == "?:0"


def test_the_general_bots_state_what_they_are() -> None:
    assert RandomBot.inline
    loaded = load(kuhn.PACK).game("kuhn")
    assert [bool(bot.description) for bot in loaded.bots.values()] == [True, True, True, True]
    assert not loaded.bots["monte-carlo"].inline

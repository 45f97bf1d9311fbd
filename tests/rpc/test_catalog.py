"""CatalogService: games, their capabilities and descriptors, and the packs that were left out."""

from __future__ import annotations

from pathlib import Path

import grpc
import pytest
from google.protobuf import descriptor_pool, message_factory
from grpc import StatusCode

from engine_service.server import Server
from gamepacks.api.hooks import hookimpl
from gamepacks.api.registry import Registry
from omnilude.v1 import catalog_pb2 as pb
from omnilude.v1 import catalog_pb2_grpc
from tests.support.games import faulty, kuhn, sealed, suits
from tests.support.rpc_errors import refused
from tests.support.server import running_server, settings_for_tests

PACKS = [sealed.PACK, kuhn.PACK, faulty.PACK]


class BrokenPack:
    """A pack whose hook for games raises."""

    @hookimpl
    def omnilude_games(self) -> list[object]:
        raise RuntimeError("the password is swordfish")


async def test_games_are_listed_with_their_capabilities() -> None:
    async with running_server(packs=PACKS) as running:
        answer = await running.catalog.ListGames(pb.ListGamesRequest())
    assert [game.name for game in answer.games] == ["games/faulty", "games/kuhn", "games/sealed"]
    assert answer.engine_version and not answer.next_page_token and not answer.broken_packs
    game = answer.games[1]
    assert (game.title, game.rules_version) == ("Kuhn's poker", "1")
    card = game.capabilities
    assert (card.min_players, card.max_players, card.max_plies) == (2, 3, 8)
    assert (card.chance, card.hidden, card.simultaneous, card.continuous, card.zero_sum) == (
        True,
        True,
        False,
        False,
        True,
    )
    assert (card.min_return, card.max_return) == (-1.0, 1.0)
    assert game.message_types.view == "tests.kuhn.v1.View"
    bots = {bot.name: bot for bot in game.bots}
    assert not bots["random"].takes_budget and not bots["random"].HasField("largest_budget")
    assert bots["mcts"].takes_budget
    assert [(level.name, level.bot) for level in game.levels] == [
        ("easy", "random"),
        ("normal", "monte-carlo"),
        ("strong", "mcts"),
    ]
    assert [level.budget.playouts for level in game.levels] == [0, 200, 2_000]
    assert (bots["mcts"].default_budget.playouts, bots["mcts"].default_budget.milliseconds) == (2_000, 1_000)
    assert (bots["mcts"].largest_budget.playouts, bots["mcts"].largest_budget.milliseconds) == (1_000_000, 30_000)


async def test_options_have_type_default_and_range() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        game = (await running.catalog.GetGame(pb.GetGameRequest(name="games/kuhn"))).game
    ranks, _, order = game.options
    assert (ranks.name, ranks.type, ranks.default_value) == ("ranks", pb.OPTION_TYPE_INTEGER, "4")
    assert (ranks.minimum, ranks.maximum, ranks.HasField("multiple_of")) == (3, 13, False)
    assert (order.type, order.default_value, list(order.choices)) == (
        pb.OPTION_TYPE_CHOICE,
        "fixed",
        ["fixed", "rotating"],
    )
    assert (order.title, list(order.choice_titles)) == ("Order", ["fixed", "rotating"])


async def test_pages_list_each_game_once() -> None:
    async with running_server(packs=PACKS) as running:
        names: list[str] = []
        token = ""
        while True:
            page = await running.catalog.ListGames(pb.ListGamesRequest(page_size=1, page_token=token))
            assert len(page.games) == 1
            names += [game.name for game in page.games]
            token = page.next_page_token
            if not token:
                break
    assert names == ["games/faulty", "games/kuhn", "games/sealed"]


@pytest.mark.parametrize("token", ["x", "no-such-game", "***", "c2VhbGVk="])
async def test_foreign_page_token_is_refused(token: str) -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        refusal = await refused(running.catalog.ListGames(pb.ListGamesRequest(page_token=token)))
    assert (refusal.code, refusal.reason) == (StatusCode.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN")


async def test_negative_page_size_is_refused() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        refusal = await refused(running.catalog.ListGames(pb.ListGamesRequest(page_size=-1)))
    assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["page_size"])


async def test_descriptors_let_a_client_without_the_pack_build_its_messages() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        answer = await running.catalog.GetGame(pb.GetGameRequest(name="games/kuhn"))
    pool = descriptor_pool.DescriptorPool()
    for file in answer.descriptors.file:
        pool.Add(file)  # in this order: it fails where an import is not there yet
        for message in file.message_type:
            names = {field.name: field.json_name for field in message.field}
            known = pool.FindMessageTypeByName(f"{file.package}.{message.name}")
            assert names == {field.name: field.json_name for field in known.fields}
    kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(answer.game.message_types.view))
    assert kind(deal=1).SerializeToString() == kuhn.messages.View(deal=1).SerializeToString()


async def test_card_sets_are_the_packs_own_and_the_operators(tmp_path: Path) -> None:
    house, _ = suits.SOURCE.own_files
    text = (
        house.read_text(encoding="utf-8").replace("id: house-1", "id: mine").replace("status: house", "status: fixture")
    )
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    async with running_server(packs=[suits.PACK], card_sets=[tmp_path]) as running:
        game = (await running.catalog.GetGame(pb.GetGameRequest(name="games/suits"))).game
    assert [(cards.id, cards.house) for cards in game.card_sets] == [
        ("house-1", True),
        ("short-1", False),
        ("mine", False),
    ]
    assert [len(cards.digest) for cards in game.card_sets] == [32, 32, 32]
    assert game.card_sets[0].digest != game.card_sets[2].digest, "a set's id is a part of what it says"


async def test_unknown_game_is_refused_by_name() -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        refusal = await refused(running.catalog.GetGame(pb.GetGameRequest(name="games/go")))
    assert (refusal.code, refusal.reason) == (StatusCode.NOT_FOUND, "UNKNOWN_GAME")
    assert refusal.metadata == {"game": "go"}


@pytest.mark.parametrize("name", ["", "go", "games/", "matches/go", "games/a/b"])
async def test_malformed_name_is_refused(name: str) -> None:
    async with running_server(packs=[kuhn.PACK]) as running:
        refusal = await refused(running.catalog.GetGame(pb.GetGameRequest(name=name)))
    assert (refusal.code, refusal.reason) == (StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert list(refusal.fields) == ["name"]


async def test_broken_pack_is_listed_without_the_text_of_its_error() -> None:
    registry = Registry.load(only=(), extra=[kuhn.PACK, BrokenPack()])
    server = await Server.start(settings_for_tests(), registry)
    async with grpc.aio.insecure_channel(server.target) as channel:
        answer = await catalog_pb2_grpc.CatalogServiceStub(channel).ListGames(pb.ListGamesRequest())
    await server.stop(0)
    assert [game.name for game in answer.games] == ["games/kuhn"]
    (broken,) = answer.broken_packs
    assert broken.pack == "BrokenPack"
    assert broken.error.startswith("RuntimeError at ")
    assert "swordfish" not in broken.error

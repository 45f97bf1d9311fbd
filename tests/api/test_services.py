"""Services of packs: the registry accepts valid ones, and leaves others out with a reason."""

from __future__ import annotations

from typing import Any

import pytest
from google.protobuf import descriptor_pool

from gamepacks.api import PackError, PackService, Registry, VisibleState, hookimpl
from gamepacks.api.services import calls_of
from gamepacks.api.types import OMNISCIENT
from tests.support.games import kuhn, peek, sealed

POOL = descriptor_pool.Default()


def service(**facts: Any) -> PackService:
    """The test service with some facts changed."""
    return type("Other", (peek.PeekService,), facts)()


def named(name: str) -> Any:
    return POOL.FindServiceByName(f"tests.peek.v1.{name}")


def load(*services: object, before: tuple[object, ...] = ()) -> Registry:
    class Pack(kuhn.KuhnPack):
        @hookimpl
        def omnilude_services(self) -> Any:
            return services

    return Registry.load(only=(), extra=[*before, Pack()])


def test_the_calls_of_a_service() -> None:
    calls = calls_of(peek.PeekService())
    assert [call.path for call in calls] == [
        "/tests.peek.v1.PeekService/TellCard",
        "/tests.peek.v1.PeekService/Misbehave",
    ]
    game = kuhn.KuhnGame.configure(2)
    look = VisibleState("matches/m", 17, game, game.initial_state(), OMNISCIENT)
    answer = calls[0].answer(calls[0].request(seat=1), look)
    assert answer == peek.messages.TellCardResponse(card=-1, viewer=-2, seq=17)
    with pytest.raises(PackError, match="Misbehave answered with a TellCardResponse"):
        calls[1].answer(calls[1].request(how="wrong type"), look)
    # A response without the field gets no seq.
    assert calls[1].answer(calls[1].request(), look) == peek.messages.MisbehaveResponse()


def test_the_registry_knows_which_services_look_at_a_game() -> None:
    registry = Registry.load(only=(), extra=[peek.PeekPack(), sealed.PACK], strict=True)
    assert [found.full_name for found in registry.game("kuhn").services] == ["tests.peek.v1.PeekService"]
    assert registry.game("sealed").services == ()
    assert [len(pack.calls) for pack in registry.packs] == [2, 0]


@pytest.mark.parametrize(
    ("services", "problem"),
    [
        ([object()], "which is not a PackService"),
        ([service(service=None)], "Other.service is not a ServiceDescriptor"),
        ([service(game_ids=())], "Other.game_ids names no game"),
        ([service(game_ids=("kuhn", "chess"))], "names games that are not the pack's: chess"),
        ([service(service=named("Streaming"))], "Follow: calls of packs must be unary"),
        ([service(service=named("Nameless"))], "Ask: tests.peek.v1.TellCardResponse has no string name"),
        ([service(service=named("Borrowed"))], "Ask: tests.peek.v1.MisbehaveResponse has no string name"),
        ([service(TellCard=None)], "TellCard: Other has no method of this name"),
        ([peek.PeekService(), peek.PeekService()], "tests.peek.v1.PeekService is taken by itself"),
    ],
)
def test_a_service_that_is_not_in_order_leaves_its_pack_out(services: list[object], problem: str) -> None:
    registry = load(*services)
    (broken,) = registry.broken
    assert problem in broken.message
    assert not registry.games


def test_two_packs_may_not_bring_the_same_service() -> None:
    class Sealed(type(sealed.PACK)):  # type: ignore[misc]
        @hookimpl
        def omnilude_services(self) -> Any:
            return [service(game_ids=("sealed",))]

    registry = load(peek.PeekService(), before=(Sealed(),))
    (broken,) = registry.broken
    assert "the service tests.peek.v1.PeekService is taken by the pack Sealed" in broken.message
    assert list(registry.games) == ["sealed"]


def test_the_services_of_the_engine_are_not_a_packs_to_bring() -> None:
    from omnilude.v1 import catalog_pb2

    own = catalog_pb2.DESCRIPTOR.services_by_name["CatalogService"]
    assert "packs may not define the service omnilude.v1.CatalogService" in load(service(service=own)).broken[0].message

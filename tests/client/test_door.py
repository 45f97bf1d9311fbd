"""The public door: what it exports, that it opens fast, and that both clients offer the same."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

import omnilude
from omnilude import async_client, client, operations, running
from omnilude.v1 import catalog_pb2, match_service_pb2

EXPORTS = [
    "DEFAULT_TARGET",
    "AsyncClient",
    "AsyncMatchHandle",
    "AsyncSeatHandle",
    "Bot",
    "Catalog",
    "Choice",
    "Client",
    "GameInfo",
    "Invited",
    "Legal",
    "LegalAction",
    "MatchHandle",
    "Observed",
    "OmniludeError",
    "Open",
    "PackMessages",
    "Played",
    "Player",
    "Progress",
    "SeatHandle",
    "ServiceBot",
    "Table",
    "Tls",
    "Turn",
    "clocks",
    "has_ended",
    "play",
    "run",
]


def test_the_door_exports_what_it_is_known_for() -> None:
    assert omnilude.__all__ == EXPORTS
    for name in omnilude.__all__:
        assert getattr(omnilude, name) is not None
    assert set(omnilude.__all__) <= set(dir(omnilude))


def test_what_is_not_there_is_not_there() -> None:
    with pytest.raises(AttributeError, match="Robot"):
        omnilude.Robot  # noqa: B018


def test_importing_it_is_light() -> None:
    code = "import omnilude, sys; print(*[m for m in sys.modules if m.split('.')[0] in ('grpc', 'google', 'asyncio')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_library_stands_apart_from_the_engine() -> None:
    code = (
        "import omnilude, sys; [getattr(omnilude, name) for name in omnilude.__all__];"
        "print(*[m for m in sys.modules if m.split('.')[0] in ('engine_service', 'gamepacks', 'cext', 'omnilude_cli')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def snake(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


SERVICES = (
    catalog_pb2.DESCRIPTOR.services_by_name["CatalogService"],
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],
)
METHODS = [method for service in SERVICES for method in service.methods]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.name)
def test_every_rpc_has_an_operation_and_both_clients_use_it(method: object) -> None:
    name = snake(method.name)  # type: ignore[attr-defined]
    assert inspect.isfunction(getattr(operations, name))
    for module in (client, async_client):
        assert f"operations.{name}(" in inspect.getsource(module)


def test_no_operation_is_without_an_rpc() -> None:
    names = {snake(method.name) for method in METHODS}
    public = {
        name
        for name, value in vars(operations).items()
        if inspect.isfunction(value) and value.__module__ == operations.__name__ and not name.startswith("_")
    }
    assert public - names == {"game_name", "match_name"}


def test_every_write_carries_a_request_id_and_so_may_be_repeated() -> None:
    """What has a request_id field gets one; what is neither that nor a read is never sent twice."""
    samples = [
        operations.create_match("ominoes", []),
        operations.join_match("m", "me"),
        operations.leave_match("m", "t"),
        operations.start_match("m", "t"),
        operations.submit_action("m", "t", 5),
        operations.resign_match("m", "t"),
        operations.cancel_match("m", "t"),
        operations.delete_match("m"),
        operations.request_undo("m", "t"),
        operations.answer_undo("m", "t", 5, True),
        operations.withdraw_undo("m", "t"),
        operations.provide_outcomes("m", "t", [1]),
        operations.fork_match("m"),
    ]
    with_id = {m.name for m in METHODS if "request_id" in m.input_type.fields_by_name}
    assert {sample.method for sample in samples} == with_id
    ids = [sample.request.request_id for sample in samples]  # type: ignore[attr-defined]
    assert all(ids) and len(set(ids)) == len(ids)
    assert all(sample.repeatable for sample in samples)
    assert not operations.import_replay(b"").repeatable


def public_methods(kind: type) -> dict[str, Callable[..., object]]:
    return {
        name: value
        for name, value in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_") and name != "new_channel"  # only grpc.aio has play streams
    }


@pytest.mark.parametrize(
    ("sync", "aio"),
    [
        (client.Client, async_client.AsyncClient),
        (client.MatchHandle, async_client.AsyncMatchHandle),
        (client.SeatHandle, async_client.AsyncSeatHandle),
    ],
)
def test_both_clients_offer_the_same(sync: type, aio: type) -> None:
    ours, theirs = public_methods(sync), public_methods(aio)
    assert ours.keys() == theirs.keys()
    for name, method in ours.items():
        parameters = inspect.signature(method).parameters
        assert parameters == inspect.signature(theirs[name]).parameters, name


def test_run_and_play_take_the_same() -> None:
    assert inspect.signature(running.run).parameters == inspect.signature(running.play).parameters

"""The public names of the client: exports, fast import, operations, and the generated synchronous client."""

from __future__ import annotations

import inspect
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import omnilude
from omnilude import async_client, client, operations
from omnilude.v1 import catalog_pb2, match_service_pb2


def test_package_exports_its_public_names() -> None:
    assert sorted(omnilude.__all__) == sorted(omnilude._MODULE)
    for name in omnilude.__all__:
        assert getattr(omnilude, name) is not None
    assert set(omnilude.__all__) <= set(dir(omnilude))


def test_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Robot"):
        omnilude.Robot  # noqa: B018


def test_importing_the_package_is_fast() -> None:
    code = "import omnilude, sys; print(*[m for m in sys.modules if m.split('.')[0] in ('grpc', 'google', 'asyncio')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_client_does_not_import_the_engine() -> None:
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


def test_every_operation_has_an_rpc() -> None:
    names = {snake(method.name) for method in METHODS}
    public = {
        name
        for name, value in vars(operations).items()
        if inspect.isfunction(value) and value.__module__ == operations.__name__ and not name.startswith("_")
    }
    assert public - names == {"game_name", "match_name", "pack_call"}


def test_every_write_carries_a_request_id_and_so_may_be_repeated() -> None:
    """Requests with a request_id field get one; a write without one is never repeated."""
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


def test_synchronous_client_is_generated_from_the_asyncio_client() -> None:
    source = Path(async_client.__file__)
    generator = runpy.run_path(str(source.parents[1] / "code_generation.py"))
    assert Path(client.__file__).read_text() == generator["synchronous"](source.read_text()), "run `make setup`"

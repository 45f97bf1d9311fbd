"""The reference pages agree with the contract."""

from __future__ import annotations

import pytest

from omnilude.v1 import errors_pb2
from tests.repository.tree import games, text, tracked
from tools.rpc_docs import pages, read_contract

PAGES = pages(read_contract())


def test_there_is_a_page_for_each_part_of_the_contract() -> None:
    # A pack without messages of its own would have no page; each pack has views at least.
    assert sorted(PAGES) == sorted(["errors.md", "rpc.md", *(f"rpc-{game}.md" for game in games())])
    assert [name for name in tracked() if name.startswith("docs/rpc-")] == [f"docs/rpc-{game}.md" for game in games()]


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_page_is_up_to_date(name: str) -> None:
    assert text(f"docs/{name}") == PAGES[name], "run `make docs`"


def test_every_reason_has_its_status_code() -> None:
    rows = [line for line in PAGES["errors.md"].splitlines() if line.startswith("| <a id=")]
    assert len(rows) == len(errors_pb2.ErrorReason.values()) - 1
    assert any("`NOT_YOUR_TURN` | `FAILED_PRECONDITION` | The seat is not to act" in row for row in rows)


def test_services_link_to_messages_and_reasons() -> None:
    page = PAGES["rpc.md"]
    assert "### MatchService.SubmitAction" in page
    assert "stream of [PlayRequest](#playrequest) → stream of [PlayResponse](#playresponse)" in page
    assert "[STALE_SEQUENCE](errors.md#stale_sequence)" in page
    assert "| `labels` | map of string to string | 18 |" in page
    assert "| `expected_seq` | optional int64 | 5 |" in page
    assert "| `code` | int32 | 3 | *One of `action`.* Code of the action. |" in page

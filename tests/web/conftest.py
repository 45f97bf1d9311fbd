"""Fixtures of the tests that drive the page in a browser."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browser import chromium
from tests.support.page import PageService

# Not for the session: Playwright runs an event loop in this thread, and other modules have asynchronous tests.


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageService]:
    with PageService(tmp_path_factory.mktemp("service")) as started:
        yield started

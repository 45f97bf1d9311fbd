"""The page in a real browser: people play whole matches on it, and it copes with what goes wrong."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.browser import AXE, SCREENSHOTS, chromium
from tests.support.server import ServiceProcess

WIDE = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}
MILLISECONDS = 30_000
"""How long the page may take for a step, on a machine that does other things too."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


class Service(ServiceProcess):
    """A service that can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        super().__init__(folder, "--http.port", str(port))


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("service")) as started:
        yield started


class Person:
    """Somebody at a page of their own, in a browser of their own."""

    def __init__(self, browser: Browser, viewport: Any = WIDE) -> None:
        self.context: BrowserContext = browser.new_context(viewport=viewport)
        self.context.set_default_timeout(MILLISECONDS)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._note)

    def _note(self, message: Any) -> None:
        # Lost connections are logged by the browser itself, whatever the page does about them.
        if message.type == "error" and "net::ERR_" not in message.text:
            self.faults.append(message.text)

    def create(self, url: str, game: str, *seats: str, options: dict[str, str] | None = None) -> None:
        """Create a match by the form of the lobby; ``seats`` are the texts of the choices."""
        self.page.goto(url)
        self.page.get_by_role("link", name=f"Play {game}", exact=True).click()
        form = self.page.locator("form")
        for index, seat in enumerate(seats):
            form.get_by_label(f"Seat {index + 1}").select_option(label=seat)
        if options:
            form.get_by_text("Options of the game").click()
            for name, value in options.items():
                field = form.locator("label.option", has=self.page.get_by_text(name, exact=True))
                field.locator("input, select").evaluate(
                    "(field, value) => { field.value = value; for (const kind of ['input', 'change'])"
                    " field.dispatchEvent(new Event(kind, { bubbles: true })); }",
                    value,
                )
        form.get_by_role("button", name="Create the match").click()
        self.page.wait_for_selector(".table")

    def link_for_friend(self) -> str:
        """Return the link of the seat that a friend shall have."""
        self.page.get_by_text("Links", exact=True).click()
        link = self.page.get_by_label(re.compile("Friend")).input_value()
        self.page.get_by_text("Links", exact=True).click()
        return link

    @property
    def over(self) -> bool:
        return self.page.locator(".table[data-over]").count() > 0

    def wait_for_turn(self) -> bool:
        """Wait until the own seat is to act; False if the match has ended."""
        self.page.wait_for_selector(".table[data-turn], .table[data-over]")
        return not self.over

    def turn(self) -> str | None:
        return self.page.locator(".table").get_attribute("data-turn")

    def act(self) -> None:
        """Make one decision: by the parts of the scene where it has targets, else from the list."""
        before = self.turn()
        for _ in range(20):
            if self.turn() != before:
                return
            going_on = self.page.locator(".next button:not(.quiet)")
            part = self.page.locator(".holder .choosable")
            place = self.page.locator(".holder.placing svg")
            if going_on.count() > 0:
                going_on.first.dispatch_event("click")
            elif part.count() > 0:
                part.first.dispatch_event("click")
            elif place.count() > 0:
                place.click()
            else:
                self.page.locator(".actions li button").first.click()
            self.page.wait_for_function(
                "before => document.querySelector('.table')?.dataset.turn !== before"
                " || document.querySelector('.next')",
                arg=before,
            )
        raise AssertionError(f"no action was taken: {self.page.locator('main').inner_text()}")

    def close(self) -> None:
        """Leave, and assert that nothing went wrong on the page."""
        self.context.close()
        assert self.faults == []


def take_screenshots(person: Person, name: str) -> None:
    """Keep pictures of the page as it is, wide and on a phone, for people to look at."""
    SCREENSHOTS.mkdir(exist_ok=True)
    for viewport in (PHONE, WIDE):
        person.page.set_viewport_size(viewport)  # type: ignore[arg-type]
        width = viewport["width"]
        assert person.page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} at {width} px"
        person.page.screenshot(path=SCREENSHOTS / f"{name}-{width}.png", caret="initial")


def violations(person: Person) -> list[str]:
    """Return what axe finds wrong with the page as it is."""
    # The page's own policy forbids script elements with text; this one is the test's.
    person.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = person.page.evaluate("axe.run()")
    return [
        f"{each['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
        for each in found["violations"]
        for node in each["nodes"]
    ]


def test_two_people_play_a_match_of_ominoes_with_a_reload_and_a_kill_of_the_service(
    browser: Browser, service: Service
) -> None:
    ann, bob = Person(browser), Person(browser)
    ann.create(service.url, "Ominoes", "me", "a friend, by a link", options={"target": "20"})
    bob.page.goto(ann.link_for_friend())
    bob.page.wait_for_selector(".table")
    assert "/seat/1" in bob.page.url and len(bob.page.url.rsplit("/", 1)[1]) < 4, "the token stays in the address"
    decisions = 0
    while not ann.over:
        for person in (ann, bob):
            if person.turn() is not None:
                person.act()
                decisions += 1
        if decisions == 6:
            bob.page.reload()
            bob.page.wait_for_selector(".table")
        if decisions == 10:
            service.kill()
            expect(ann.page.get_by_text("The connection is lost")).to_be_visible(timeout=MILLISECONDS)
            service.start()
            expect(ann.page.get_by_text("The connection is lost")).to_be_hidden(timeout=MILLISECONDS)
        if decisions > 400:
            break
    for person in (ann, bob):
        person.page.wait_for_selector(".table[data-over]")
    ann.close()
    bob.close()

"""The page in a real browser: the service that serves it, and the persons who use it.

::

    ann = Person(browser)
    ann.create(service.url, "Ominoes", "me", "bot: random")
    ann.act("mouse")
    ann.close()
"""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import grpc
from playwright.sync_api import Browser, Page, ViewportSize, expect

from omnilude.v1 import match_pb2, match_service_pb2_grpc
from omnilude.v1 import match_service_pb2 as pb
from tests.support.browser import AXE, SCREENSHOTS
from tests.support.server import ServiceProcess

WIDE = ViewportSize(width=1280, height=900)
PHONE = ViewportSize(width=390, height=844)
MILLISECONDS = 30_000
"""Time limit of a step of the page, on a busy machine."""
expect.set_options(timeout=MILLISECONDS)
PLAY = Path(__file__).with_name("play.js").read_text(encoding="utf-8")
POINT_OF_PART = """
part => {
  part.scrollIntoView({ block: 'center', inline: 'center' });
  const box = part.getBoundingClientRect();
  for (let n = 0; n < 81; n += 1) {
    const [x, y] = [box.x + ((n % 9) + .5) / 9 * box.width, box.y + (Math.floor(n / 9) + .5) / 9 * box.height];
    if (document.elementFromPoint(x, y)?.closest('.choosable') === part) return [x, y];
  }
  return null;
}
"""
"""Returns a point at which a click meets a part and no other that can be chosen."""

Way = Literal["mouse", "keys", "list"]


class PageService(ServiceProcess):
    """A service that can be killed and started again at the same address."""

    def __init__(self, folder: Path, *flags: str, env: Mapping[str, str] | None = None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        super().__init__(folder, "--http.port", str(port), *flags, env=env)

    def create(self, request: pb.CreateMatchRequest) -> tuple[str, list[str]]:
        """Create a match, and take its open seats; returns its name and the links of these seats."""
        with grpc.insecure_channel(self.target) as channel:
            matches = match_service_pb2_grpc.MatchServiceStub(channel)
            match = matches.CreateMatch(request).match
            links = []
            for seat in match.seats:
                if seat.kind == match_pb2.SEAT_KIND_OPEN:
                    join = pb.JoinMatchRequest(name=match.name, seat=seat.index, player=f"player {seat.index}")
                    links.append(f"{self.url}/#/{match.name}/seat/{seat.index}/{matches.JoinMatch(join).token}")
            return match.name, links


class Person:
    """A user of the page, in a browser context of their own."""

    def __init__(self, browser: Browser, viewport: ViewportSize = WIDE) -> None:
        self.context = browser.new_context(viewport=viewport)
        self.context.set_default_timeout(MILLISECONDS)
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._note)

    def _note(self, message: Any) -> None:
        # Lost connections are logged by the browser itself, whatever the page does about them.
        if message.type == "error" and "net::ERR_" not in message.text:
            self.faults.append(f"{message.text} ({message.location['url']})")

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
                field = form.locator(f"label.option[data-option={name}]")
                field.locator("input, select").evaluate(
                    "(field, value) => { field.value = value; for (const kind of ['input', 'change'])"
                    " field.dispatchEvent(new Event(kind, { bubbles: true })); }",
                    value,
                )
        form.get_by_role("button", name="Create the match").click()
        self.page.wait_for_selector(".table")

    def link_for_friend(self) -> str:
        """Returns the link of the seat that a friend shall have."""
        self.page.get_by_text("Links", exact=True).click()
        link = self.page.get_by_label(re.compile("Friend")).input_value()
        self.page.get_by_text("Links", exact=True).click()
        return link

    def open(self, link: str) -> None:
        """Open the link of a seat or of a match that is being played."""
        self.page.goto(link)
        self.page.wait_for_selector(".table")

    @property
    def over(self) -> bool:
        return self.page.locator(".table[data-over]").count() > 0

    def wait_for_turn(self) -> bool:
        """Wait until the own seat is to act; False if the match has ended."""
        self.page.wait_for_selector(".table[data-turn], .table[data-over]")
        return not self.over

    def turn(self) -> str | None:
        return self.page.locator(".table").get_attribute("data-turn")

    def act(self, way: Way) -> None:
        """Make one decision by real input; where the scene has no part to choose, from the list."""
        before = self.turn()
        for _ in range(20):
            if self.turn() != before:
                return
            going_on = self.page.locator(".next button:not(.quiet)")
            part = self.page.locator(".holder .choosable")
            if going_on.count() > 0:
                going_on.first.click()
            elif way == "mouse" and part.count() > 0:
                point = part.first.evaluate(POINT_OF_PART)
                assert point is not None, f"no click meets {part.first.evaluate('part => part.outerHTML')}"
                self.page.mouse.click(*point)
            elif way == "keys" and part.count() > 0:
                part.first.focus()
                self.page.keyboard.press("Enter")
            elif way != "list" and self.page.locator(".holder.placing svg").count() > 0:
                self.page.locator(".holder.placing svg").click()
            else:
                self.page.locator(".actions li button").first.click()
            self.page.wait_for_function(
                "before => document.querySelector('.table')?.dataset.turn !== before"
                " || document.querySelector('.next')",
                arg=before,
                polling=20,
            )
        raise AssertionError(f"no action was taken: {self.page.locator('main').inner_text()}")

    def start_playing(self, seed: int, decisions: int | None = None, random: int = 5) -> None:
        """Start to play, from inside the page (see ``play.js``)."""
        how = {"seed": seed, "decisions": decisions, "random": random}
        self.page.evaluate(f"how => {{ window.playing = ({PLAY.rstrip().rstrip(';')})(how); }}", how)

    def played(self) -> bool:
        """Wait until what ``start_playing`` started has ended; returns whether the match has."""
        return bool(self.page.evaluate("window.playing"))

    def look_back(self) -> None:
        """Open the review of the match."""
        self.page.get_by_role("checkbox", name="Look back").check()
        self.page.locator(".review .holder svg").wait_for()

    def save(self, button: str) -> Path:
        """Click a button that saves a file; returns the file."""
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name=button).click()
        return Path(download.value.path())

    def resign(self) -> None:
        """Resign the match."""
        self.page.get_by_role("button", name="Resign").click()
        self.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
        self.page.wait_for_selector(".table[data-over]")

    def screenshot(self, name: str) -> None:
        """Keep pictures of the page, wide and on a phone, for people to look at; assert that it fits both."""
        SCREENSHOTS.mkdir(exist_ok=True)
        for viewport in (PHONE, WIDE):
            self.page.set_viewport_size(viewport)
            width = viewport["width"]
            assert self.page.evaluate("document.documentElement.scrollWidth") <= width, f"{name} at {width} px"
            self.page.screenshot(path=SCREENSHOTS / f"{name}-{width}.png", caret="initial")

    def check_accessibility(self, *viewports: ViewportSize) -> None:
        """Assert that axe finds nothing wrong with the page, in light and dark colours, at these sizes (both)."""
        if not self.page.evaluate("'axe' in window"):
            # The page's own policy forbids script elements with text; this one is the test's.
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
        for viewport in viewports or (PHONE, WIDE):
            self.page.set_viewport_size(viewport)
            for theme in ("light", "dark"):
                self.page.get_by_label("Colours").select_option(theme)
                found = self.page.evaluate("axe.run({ resultTypes: ['violations'] })")
                assert not found["violations"], (
                    viewport,
                    theme,
                    [
                        f"{each['id']}: {node['html'][:200]} {node.get('failureSummary', '')}"
                        for each in found["violations"]
                        for node in each["nodes"]
                    ],
                )

    def close(self, refusals: bool = False) -> None:
        """Leave, and assert that nothing went wrong on the page; with ``refusals``, but for calls that were refused."""
        self.context.close()
        # The browser logs each call that is refused.
        faults = [fault for fault in self.faults if not (refusals and "Failed to load resource" in fault)]
        assert not faults, faults

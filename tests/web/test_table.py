"""The page in a real browser: people play whole matches on it, and it copes with what goes wrong."""

from __future__ import annotations

import random
import re
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.message import Message
from playwright.sync_api import Browser, BrowserContext, Page, Response, expect

from cext.random import Rng
from gamepacks.api.registry import Registry
from gamepacks.api.types import CHANCE, SPECTATOR
from omnilude.v1 import match_pb2, match_service_pb2, match_service_pb2_grpc
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


GAMES = ["Ominoes", "OMEGA: the ritual", "Omen (2017 edition)", "Omen (2023 edition, traits)", "Olomòc"]


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
        assert decisions < 400
    for person in (ann, bob):
        person.page.wait_for_selector(".table[data-over]")
        expect(person.page.locator("h1")).to_have_text(re.compile("wins|draw|share"))
    look_back(ann)
    ann.close()
    bob.close()


def look_back(person: Person) -> None:
    """Go through a match that has ended, see it as others did, check its fairness, and save it."""
    page = person.page
    page.get_by_label("Look back").check()
    scene = page.locator(".review .holder svg")
    scene.wait_for()
    last = scene.inner_html()
    page.keyboard.press("Home")
    expect(page.locator(".review output")).to_have_text(re.compile("^0 /"))
    page.wait_for_function("last => document.querySelector('.review svg').innerHTML !== last", arg=last)
    page.get_by_label("Seen by").select_option(index=2)
    page.keyboard.press("Escape")
    with page.expect_download() as replay:
        page.get_by_role("button", name="Save the replay").click()
    with page.expect_download() as picture:
        page.get_by_role("button", name="Save the picture").click()
    assert "<svg" in Path(picture.value.path()).read_text(encoding="utf-8")
    page.get_by_role("button", name="Check it in this browser").click()
    findings = page.locator(".fairness li")
    findings.first.wait_for()
    assert [text for text in findings.all_inner_texts() if not text.startswith("Holds")] == []
    assert findings.count() == 4
    # The service has the match, and says so when it gets the file.
    file = replay.value.path()
    page.get_by_role("link", name="Omnilude").click()
    page.get_by_label("Open a replay file").set_input_files(file)
    expect(page.get_by_role("alert")).to_contain_text("is here already")


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_played_against_a_friend_and_against_a_bot(browser: Browser, service: Service, game: str) -> None:
    ann, bob = Person(browser), Person(browser)
    ann.create(service.url, game, "me", "a friend, by a link")
    bob.page.goto(ann.link_for_friend())
    bob.page.wait_for_selector(".table")
    for _ in range(8):
        # One of the two is to act, or both are.
        for person in (ann, bob):
            if person.turn() is not None:
                person.act()
    name = re.sub("[^a-z0-9]+", "-", game.lower()).strip("-")
    take_screenshots(ann, name)
    assert violations(ann) == []
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for person in (ann, bob):
        person.page.wait_for_selector(".table[data-over]")
        expect(person.page.locator("h1")).to_contain_text("Friend 1 wins")
    ann.create(service.url, game, "me", "bot: random")
    for _ in range(3):
        if ann.wait_for_turn():
            ann.act()
    ann.close()
    bob.close()


def test_lobby_and_forms_are_accessible_and_fit_a_phone(browser: Browser, service: Service) -> None:
    ann = Person(browser)
    ann.page.goto(service.url)
    ann.page.get_by_role("link", name="Play Ominoes").wait_for()
    take_screenshots(ann, "lobby")
    assert violations(ann) == []
    ann.page.get_by_role("link", name="Play Ominoes").click()
    ann.page.get_by_text("Options of the game").click()
    take_screenshots(ann, "new-match")
    assert violations(ann) == []
    ann.close()


def test_what_cannot_be_shown_has_a_screen_that_says_why(browser: Browser, service: Service) -> None:
    ann = Person(browser)
    for fragment, words in (
        ("#/matches/none", "There is no such match"),
        ("#/new/none", "This game is not here"),
    ):
        ann.page.goto(f"{service.url}/{fragment}")
        expect(ann.page.get_by_role("alert")).to_contain_text(words)
    ann.create(service.url, "Ominoes", "me", "bot: random")
    wrong = re.sub("/seat/0$", "/seat/1/wrong", ann.page.url)
    ann.page.goto("about:blank")
    ann.page.goto(wrong)
    expect(ann.page.get_by_role("alert")).to_contain_text("does not give the seat any more")
    ann.page.get_by_role("link", name="Watch the match").click()
    ann.page.wait_for_selector(".table .holder svg")
    assert ann.turn() is None
    # The browser logs each refused call.
    ann.faults = [fault for fault in ann.faults if "Failed to load resource" not in fault]
    ann.close()


def test_names_and_scenes_are_data_and_never_run(browser: Browser, service: Service) -> None:
    evil = '<img src=x onerror="window.ran = 1"><script>window.ran = 1</script>'
    ann = Person(browser)
    ann.page.goto(service.url)
    ann.page.get_by_role("link", name="Play Ominoes").click()
    ann.page.get_by_label("Your name").fill(evil[:64])
    ann.page.get_by_role("button", name="Create the match").click()
    ann.page.wait_for_selector(".table .holder svg")
    assert evil[:20] in ann.page.locator(".seats").inner_text()
    assert ann.page.evaluate("window.ran") is None
    assert ann.page.locator("main img, main script, main foreignObject").count() == 0
    ann.close()


def test_spectator_receives_the_same_bytes_in_two_worlds(browser: Browser, service: Service) -> None:
    game = Registry.load(only=["omega"]).game("omega").configure(2)
    state, dice = game.initial_state(), random.Random(1)
    for _ in range(12):
        actor = state.actor()
        state.apply(dice.choice([code for code, _ in state.chance()] if actor == CHANCE else list(state.legal())))
    while state.actor() == CHANCE:
        state.apply(state.chance()[0][0])
    other = state.resample(SPECTATOR, Rng(7))
    assert other.to_bytes() != state.to_bytes()
    received = [watched(browser, service, game.position(world)) for world in (state, other)]
    assert len(received[0]) > 2 and received[0] == received[1]


def watched(browser: Browser, service: Service, position: Message) -> list[bytes]:
    """Return what a spectator's page receives of a match from a position, without names, times and commitments."""
    packed = AnyMessage()
    packed.Pack(position)
    ann = Person(browser)
    with grpc.insecure_channel(service.target) as channel:
        matches = match_service_pb2_grpc.MatchServiceStub(channel)
        request = match_service_pb2.CreateMatchRequest(
            game="games/omega", position=packed, seats=[match_service_pb2.SeatSetup()] * 2
        )
        name = matches.CreateMatch(request).match.name
        tokens = [
            matches.JoinMatch(match_service_pb2.JoinMatchRequest(name=name, seat=seat, player=f"player {seat}")).token
            for seat in range(2)
        ]
        answers: list[Response] = []
        ann.page.on("response", lambda answer: answers.append(answer) if "/omnilude." in answer.url else None)
        ann.page.goto(f"{service.url}/#/{name}")
        ann.page.wait_for_selector(".table .holder svg")
        ann.page.get_by_text("For developers").click()
        ann.page.get_by_label("View as JSON").wait_for()
        matches.ResignMatch(match_service_pb2.ResignMatchRequest(name=name, token=tokens[0]))
        ann.page.wait_for_selector(".table[data-over]")
    received = [part for answer in answers for part in comparable(answer.url, answer.body())]
    ann.close()
    return received


def comparable(url: str, body: bytes) -> list[bytes]:
    """Return the messages of an answer, without what differs between any two matches."""
    if url.endswith("/GetGame"):
        return [body]
    if url.endswith("/GetMatch"):
        return [scrubbed(match_service_pb2.GetMatchResponse.FromString(body)).SerializeToString()]
    assert url.endswith("/WatchMatch"), url
    messages = []
    while body and body[0] == 0:
        (length,) = struct.unpack(">I", body[1:5])
        messages.append(scrubbed(match_service_pb2.WatchMatchResponse.FromString(body[5 : 5 + length])))
        body = body[5 + length :]
    return [message.SerializeToString() for message in messages]


def scrubbed(message: Any) -> Any:
    match: match_pb2.Match = message.match
    for field in ("name", "create_time", "start_time", "end_time", "seed_commitment", "seed"):
        match.ClearField(field)  # type: ignore[arg-type]
    for event in getattr(message, "events", ()):
        event.ClearField("time_ms")
    return message

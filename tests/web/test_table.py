"""The page in a real browser: the actions of a person at the table, and the handling of errors."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import grpc
import pytest
from playwright.sync_api import Browser, Response, Route, expect

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL, State
from engine_service.log.replay import read_file
from engine_service.matches.verify import verify
from gamepacks.api.game import Game
from gamepacks.api.registry import Registry
from omnilude.v1 import match_pb2, match_service_pb2_grpc
from omnilude.v1 import match_service_pb2 as pb
from tests.repository.tree import ROOT
from tests.support.games.faulty import BOMB
from tests.support.installed import install
from tests.support.page import WIDE, PageService, Person

OMINOES = pb.CreateMatchRequest(game="games/ominoes", seed=1, seats=[pb.SeatSetup()] * 2)
BOT = pb.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player="random")
EVIL = "<script>window.ran = 1</script>"


def pair(browser: Browser, service: PageService, request: pb.CreateMatchRequest = OMINOES) -> tuple[Person, Person]:
    """Returns two persons at a match, the first of whom is to act."""
    persons = Person(browser), Person(browser)
    for person, link in zip(persons, service.create(request)[1], strict=True):
        person.open(link)
    return persons if persons[0].turn() is not None else (persons[1], persons[0])


def test_match_is_created_by_the_form_and_a_friend_joins_by_the_link(browser: Browser, service: PageService) -> None:
    ann, bob = Person(browser), Person(browser)
    ann.create(service.url, "Ominoes", "me", "a friend, by a link", options={"target": "20"})
    bob.open(ann.link_for_friend())
    assert re.search("/seat/1$", bob.page.url), "the token stays in the address"
    ann.resign()
    for person in (ann, bob):
        expect(person.page.locator("h1")).to_contain_text("Friend 1 wins")
    ann.create(service.url, "Ominoes", "me", "bot: random")
    assert ann.wait_for_turn()
    for person in (ann, bob):
        person.close()


def test_resignation_needs_confirmation_in_the_browser(browser: Browser, service: PageService) -> None:
    ann, bob = pair(browser, service)
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="No").click()
    ann.act("list")
    assert not ann.over
    ann.resign()
    expect(bob.page.locator("h1")).to_contain_text("wins, as all others have given up")
    for person in (ann, bob):
        person.close()


def test_moves_are_undone_only_with_the_consent_of_the_other(browser: Browser, service: PageService) -> None:
    ann, bob = pair(browser, service)
    actions = ann.page.locator(".actions li button")
    before = actions.all_inner_texts()
    ann.act("mouse")
    request = bob.page.get_by_role("alert").filter(has_text="asks to take moves back")
    for answer, told in (("Refuse", "does not agree to take moves back"), ("Agree", "Moves were taken back")):
        assert bob.wait_for_turn()
        ann.page.get_by_role("button", name="Undo").click()
        expect(ann.page.get_by_role("button", name="Withdraw")).to_be_visible()
        request.get_by_role("button", name=answer).click()
        expect(request).to_be_hidden()
        for person in (ann, bob):
            expect(person.page.locator(".log")).to_contain_text(told)
    assert ann.wait_for_turn()
    assert actions.all_inner_texts() == before
    expect(bob.page.locator(".log")).not_to_contain_text(": ")
    ann.act("mouse")
    ann.page.get_by_role("button", name="Undo").click()
    ann.page.get_by_role("button", name="Withdraw").click()
    for person in (ann, bob):
        expect(person.page.locator(".log")).to_contain_text("withdraws the request")
        person.close()


def test_irreversible_actions_need_confirmation(browser: Browser, service: PageService) -> None:
    request = pb.CreateMatchRequest()
    request.CopyFrom(OMINOES)
    request.policy.undo = match_pb2.UNDO_POLICY_NEVER
    ann, bob = pair(browser, service, request)
    expect(ann.page.get_by_role("button", name="Undo")).to_be_hidden()
    before = ann.turn()
    dialog = ann.page.get_by_role("dialog")
    for answer in ("No", "Do it"):
        assert ann.turn() == before
        ann.page.locator(".actions li button").first.click()
        expect(dialog).to_contain_text("cannot be taken back")
        dialog.get_by_role("button", name=answer).click()
    assert bob.wait_for_turn()
    for person in (ann, bob):
        person.close()


def test_clock_runs_down_and_its_end_is_shown(browser: Browser, service: PageService) -> None:
    request = pb.CreateMatchRequest()
    request.CopyFrom(OMINOES)
    request.time_control.per_match.FromSeconds(3)
    ann, bob = pair(browser, service, request)
    clock = bob.page.locator(".seats li.acting").get_by_role("timer")
    shown = float(clock.inner_text())
    assert 0 <= shown <= 3
    expect(clock).not_to_have_text(str(shown))
    for person in (ann, bob):
        expect(person.page.locator(".log")).to_contain_text("is out of time")
        expect(person.page.locator("h1")).to_contain_text("wins")
        person.close()


def test_sound_is_off_until_it_is_switched_on(browser: Browser, service: PageService) -> None:
    ann = Person(browser)
    ann.page.add_init_script("window.tones = 0; window.AudioContext = function () { window.tones += 1; };")
    request = pb.CreateMatchRequest(game="games/ominoes", seats=[pb.SeatSetup(), BOT], seed=1)
    ann.open(service.create(request)[1][0])
    sound = ann.page.get_by_label("Sound")
    for switched_on in (False, True):
        if switched_on:
            sound.check()
        before = ann.page.evaluate("tones")
        assert ann.wait_for_turn()
        ann.act("list")
        assert ann.wait_for_turn()
        assert (ann.page.evaluate("tones") > before) == switched_on
    ann.page.reload()
    expect(sound).to_be_checked()
    ann.close()


def test_refused_actions_are_explained_on_demand(browser: Browser, service: PageService) -> None:
    ann, bob = pair(browser, service)
    cell = f"#{ann.page.locator('.holder .choosable').first.get_attribute('id')}"
    bob.page.locator(cell).click()
    expect(bob.page.get_by_role("status")).to_contain_text("It is the turn of player")
    ann.act("mouse")
    bob.start_playing(seed=1)
    assert ann.wait_for_turn()
    ann.page.locator(cell).click()
    ann.page.get_by_role("group", name="Why can't I?").get_by_role("button").first.click()
    expect(ann.page.get_by_role("status")).to_have_text(re.compile(r"a die that shows \w+ is already on \w+"))
    ann.close(refusals=True)
    bob.close()


def test_event_log_has_sentences_with_player_names(browser: Browser, service: PageService) -> None:
    ann, bob = pair(browser, service)
    ann.act("list")
    newest = ann.page.locator(".log li").first
    expect(newest).to_have_text(re.compile(r"player [01]: \S+ .*"))
    told = ann.page.locator(".log li").all_inner_texts()
    assert told[-3:] == ["Play begins.", "player 1 takes seat 2.", "player 0 takes seat 1."]
    assert not [sentence for sentence in told if re.search(r"\bseat \d", sentence) and "takes" not in sentence]
    for person in (ann, bob):
        person.close()


def test_ended_match_is_reviewed_as_each_seat_saw_it(browser: Browser, service: PageService) -> None:
    ann, bob = pair(browser, service, pb.CreateMatchRequest(game="games/omen", seed=1, seats=[pb.SeatSetup()] * 2))
    for _ in range(3):
        if ann.turn() is not None:
            ann.act("list")
    ann.look_back()
    seen_by, position = ann.page.get_by_label("Seen by"), ann.page.locator(".review output")
    expect(seen_by).to_be_hidden()
    ann.page.get_by_role("checkbox", name="Look back").uncheck()
    ann.resign()
    ann.look_back()
    last = int(position.inner_text().split(" / ")[1])
    assert last > 2
    for key, at in (
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", last),
        ("PageUp", max(0, last - 10)),
    ):
        ann.page.keyboard.press(key)
        expect(position).to_have_text(f"{at} / {last}")
    ann.page.get_by_role("slider", name="Position").fill(str(last))
    expect(position).to_have_text(f"{last} / {last}")
    ann.check_accessibility()

    match, own = re.findall(r"#/(matches/[^/]+)/seat/(\d)", ann.page.url)[0]
    current = ann.page.locator(".review .log li.current")
    shown = ann.page.locator(".review .holder svg")
    scenes = set()
    for viewer, seat in (("a spectator", None), (f"player {1 - int(own)}", 1 - int(own)), ("you", int(own))):
        seen_by.select_option(label=viewer)
        request = pb.ObserveMatchRequest(
            name=match, seq=int(current.get_attribute("data-seq") or ""), seat=seat, scene=True
        )
        with grpc.insecure_channel(service.target) as channel:
            scene = match_service_pb2_grpc.MatchServiceStub(channel).ObserveMatch(request).observation.scene
        texts = ElementTree.fromstring(scene).itertext()
        text = "".join(re.sub(r"(?i)\bseat (\d)\b", r"player \1", text) for text in texts)
        expect(shown).to_have_text(text)
        scenes.add(text)
    assert len(scenes) == 3
    picture = ElementTree.parse(ann.save("Save the picture")).getroot()
    svg = "{http://www.w3.org/2000/svg}"
    assert picture.tag == f"{svg}svg" and picture.find(f"{svg}style") is not None
    for person in (ann, bob):
        person.close()


def test_fairness_is_verified_in_the_browser(browser: Browser, service: PageService) -> None:
    """Each of the four findings holds, and fails if its data was falsified in transit."""
    ann, bob = pair(browser, service, pb.CreateMatchRequest(game="games/ominoes", seats=[pb.SeatSetup()] * 2))
    ann.act("list")
    ann.resign()
    assert findings(ann) == ["Holds:"] * 4

    # The service has the match, and says so when it gets the file.
    ann.look_back()
    file = ann.save("Save the replay")
    verify(read_file(file), Registry.load(only=["ominoes"]))
    address = ann.page.url
    ann.page.get_by_role("link", name="Omnilude").click()
    ann.page.get_by_label("Open a replay file").set_input_files(file)
    expect(ann.page.get_by_role("alert")).to_contain_text("exists already")

    def falsify_replay(response: pb.GetReplayResponse) -> None:
        for record in response.part.records:
            record.code += 1
        response.part.signature = bytes(64)

    def falsify_seed(response: pb.WatchMatchResponse) -> None:
        if response.match.seed:
            response.match.seed = bytes(32)

    replace_stream(ann, "GetReplay", pb.GetReplayResponse, falsify_replay)
    replace_stream(ann, "WatchMatch", pb.WatchMatchResponse, falsify_seed)
    ann.page.evaluate(
        "localStorage['omnilude.matches'] = localStorage['omnilude.matches'].replace(/\"commitment\":\"../g, '$&00')"
    )
    ann.open(address)
    assert findings(ann) == ["Does not hold:"] * 4
    ann.close(refusals=True)
    bob.close()


def findings(person: Person) -> list[str]:
    """Check the fairness of an ended match; returns the verdicts."""
    person.page.get_by_role("button", name="Check it in this browser").click()
    person.page.locator(".fairness li").first.wait_for()
    return person.page.locator(".fairness li strong").all_inner_texts()


def replace_stream(person: Person, call: str, kind: Any, change: Callable[[Any], None]) -> None:
    """Change the messages of a stream that ends, on their way to a page."""

    def handle(route: Route) -> None:
        response = route.fetch()
        body, changed, status = response.body(), b"", b""
        for message, end in framed(body):
            answer = kind.FromString(message)
            change(answer)
            message = answer.SerializeToString()
            changed += struct.pack(">BI", 0, len(message)) + message
            status = body[end:]
        route.fulfill(response=response, body=changed + status)

    person.context.route(f"**/{call}", handle)


def test_names_and_cards_are_untrusted_and_faults_of_packs_are_shown(browser: Browser, tmp_path: Path) -> None:
    cards = (ROOT / "gamepacks" / "omega" / "house.yaml").read_text(encoding="utf-8")
    cards = re.sub(r"(?m)^( +- id: E\d+\n +name: ).*", rf"\1{EVIL}", cards.replace("id: house-1", "id: evil-1", 1))
    (tmp_path / "evil.yaml").write_text(cards, encoding="utf-8")
    install(tmp_path / "packs", "packs", "1", {"faulty": "tests.support.games.faulty:PACK", "broken": "no_such_module"})
    env = {"PYTHONPATH": f"{ROOT}:{tmp_path / 'packs'}"}
    with PageService(tmp_path, "--packs.card_sets", str(tmp_path / "evil.yaml"), env=env) as service:
        ann = Person(browser)
        ann.page.goto(service.url)
        expect(ann.page.get_by_role("alert")).to_contain_text("The pack broken could not be loaded")
        ann.check_accessibility(WIDE)
        ann.page.get_by_role("link", name="Play Ominoes").click()
        ann.page.get_by_label("Your name").fill(EVIL)
        ann.page.get_by_role("button", name="Create the match").click()
        ann.page.wait_for_selector(".table .holder svg")
        expect(ann.page.locator(".seats")).to_contain_text(EVIL)
        nothing_ran(ann)

        request = pb.CreateMatchRequest(
            game="games/omega", option_texts={"card_set": "evil-1"}, seats=[pb.SeatSetup(), BOT]
        )
        ann.open(service.create(request)[1][0])
        expect(ann.page.locator(".holder svg")).to_contain_text(EVIL)
        nothing_ran(ann)

        request = pb.CreateMatchRequest(game="games/faulty", seats=[pb.SeatSetup()] * 2)
        ann.open(service.create(request)[1][0])
        ann.page.locator(".actions li button").filter(has_text=re.compile(rf"\b{BOMB}\b")).click()
        expect(ann.page.locator("h1")).to_have_text("The game's program failed, so the match has no result.")
        ann.close(refusals=True)


def nothing_ran(person: Person) -> None:
    """Assert that texts on the page are texts only."""
    assert person.page.evaluate("window.ran") is None
    assert person.page.locator("main img, main script, main foreignObject").count() == 0


def test_lobby_and_form_are_accessible_and_fit_a_phone(browser: Browser, service: PageService) -> None:
    ann = Person(browser)
    ann.page.goto(service.url)
    ann.page.get_by_role("link", name="Play Ominoes").wait_for()
    ann.screenshot("lobby")
    ann.check_accessibility()
    ann.page.get_by_role("link", name="Play Ominoes").click()
    for part in ("Options of the game", "Clocks and taking back"):
        ann.page.get_by_text(part).click()
    ann.screenshot("new-match")
    ann.check_accessibility()
    ann.close()


def test_page_shows_why_a_match_cannot_be_opened(browser: Browser, service: PageService) -> None:
    ann = Person(browser)
    for fragment, words in (
        ("#/matches/none", "There is no such match"),
        ("#/new/none", "This game is not here"),
    ):
        ann.page.goto(f"{service.url}/{fragment}")
        expect(ann.page.get_by_role("alert")).to_contain_text(words)
    ann.check_accessibility()
    name, links = service.create(OMINOES)
    ann.page.goto("about:blank")
    ann.page.goto(f"{links[0]}x")
    expect(ann.page.get_by_role("alert")).to_contain_text("does not give the seat any more")
    ann.page.get_by_role("link", name="Watch the match").click()
    ann.page.wait_for_selector(".table .holder svg")
    assert ann.turn() is None
    # A seat whose token this browser does not have is watched.
    ann.open(f"{service.url}/#/{name}/seat/1")
    expect(ann.page).to_have_url(f"{service.url}/#/{name}")
    ann.close(refusals=True)


def two_worlds(game: Game[Any], simultaneous: bool) -> tuple[State, State, int]:
    """Returns a state with a secret, another that a seat to act cannot distinguish from it, and this seat."""
    state, dice = game.initial_state(), Rng(1)
    for step in count():
        actor = state.actor()
        assert actor != TERMINAL, "no state with a secret was met"
        if actor == CHANCE:
            state.apply(dice.weighted(state.chance()))
            continue
        seat = actor if actor != SIMULTANEOUS else state.seats_to_act().bit_length() - 1
        # At a simultaneous decision the other seat has chosen already, and this one must not know what.
        ready = state.seats_to_act() == 1 << seat and (actor == SIMULTANEOUS) == simultaneous
        # What is pending is sealed by the service that it comes from.
        ready &= "pending" not in {field.name for field, _ in game.position(state).ListFields()}
        twin = state.resample(seat, Rng(7))
        if step > 20 and ready and twin.to_bytes() != state.to_bytes():
            return state, twin, seat
        state.apply(dice.choice(state.legal(seat)), seat)
    raise AssertionError


@pytest.mark.parametrize("name", ["omega", "omen", "omen-traits", "olomoc"])
def test_pages_receive_the_same_bytes_in_two_worlds(browser: Browser, service: PageService, name: str) -> None:
    """The worlds differ in what neither an opponent nor a spectator may know.

    Ominoes is left out: nothing in it is hidden, as its capability card says and the conformance kit checks.
    """
    game = Registry.load(only=[name.partition("-")[0]]).game(name).configure(2)
    *worlds, seat = two_worlds(game, simultaneous=name == "olomoc")
    ours, theirs = [received(browser, service, game, world, seat) for world in worlds]
    assert ours == theirs
    assert {call for _, call in ours} == {"GetGame", "GetMatch", "WatchMatch", "ObserveMatch"}


def received(
    browser: Browser, service: PageService, game: Game[Any], state: State, seat: int
) -> dict[tuple[str, str], list[bytes]]:
    """Returns the messages to the pages of a seat and of a spectator in a match from a state, by page and call.

    The names of the match, times and commitments are left out: they differ between any two matches.
    """
    request = pb.CreateMatchRequest(game=f"games/{game.id}", seats=[pb.SeatSetup()] * 2)
    request.position.Pack(game.position(state))
    match, links = service.create(request)
    answers: list[tuple[str, Response]] = []
    persons = {"seat": Person(browser), "spectator": Person(browser)}
    for name, person in persons.items():
        person.page.on("response", lambda answer, name=name: answers.append((name, answer)))
        person.open(links[seat] if name == "seat" else f"{service.url}/#/{match}")
        person.page.get_by_text("For developers").click()
        person.page.get_by_label("View as JSON").wait_for()
        person.look_back()
    with grpc.insecure_channel(service.target) as channel:
        token = links[1 - seat].rpartition("/")[2]
        match_service_pb2_grpc.MatchServiceStub(channel).ResignMatch(pb.ResignMatchRequest(name=match, token=token))
    found: dict[tuple[str, str], list[bytes]] = {}
    for person in persons.values():
        person.page.wait_for_selector(".table[data-over]")
    for name, answer in answers:
        if "/omnilude." in answer.url:
            call = answer.url.rpartition("/")[2]
            found.setdefault((name, call), []).extend(comparable(call, answer.body()))
    for person in persons.values():
        person.close()
    return found


def comparable(call: str, body: bytes) -> list[bytes]:
    """Returns the messages of an answer without what differs between any two matches."""
    if call == "GetGame":
        return [body]
    if call != "WatchMatch":
        return [scrubbed(getattr(pb, f"{call}Response").FromString(body))]
    messages = [pb.WatchMatchResponse.FromString(message) for message, _ in framed(body)]
    return [
        scrubbed(message)
        for message in messages
        if message.events or message.HasField("match") or message.HasField("observation")
    ]


def framed(body: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the messages of a stream of the Connect protocol, and where each ends; the status follows the last."""
    start = 0
    while start < len(body) and body[start] == 0:
        (length,) = struct.unpack_from(">I", body, start + 1)
        start += 5 + length
        yield body[start - length : start], start


def scrubbed(message: Any) -> bytes:
    match: match_pb2.Match = message.match
    for field in ("name", "create_time", "start_time", "end_time", "seed_commitment", "seed"):
        match.ClearField(field)  # type: ignore[arg-type]
    for event in getattr(message, "events", ()):
        event.ClearField("time_ms")
    return bytes(message.SerializeToString(deterministic=True))

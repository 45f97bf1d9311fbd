"""Whole matches of every game on the page, between two persons and against a bot of the service."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from engine_service.log.replay import read_file
from engine_service.matches.verify import verify
from gamepacks.api.registry import Registry
from omnilude.v1 import match_pb2
from omnilude.v1.match_service_pb2 import CreateMatchRequest, SeatSetup
from tests.support.page import MILLISECONDS, PageService, Person, Way

REGISTRY = Registry.load()
SHORT: dict[str, dict[str, str]] = {
    "ominoes": {"target": "8"},
    "omega": {"max_turns": "8"},
    "omen": {"max_turns": "20"},
    "omen-traits": {"max_turns": "20"},
    "olomoc": {},
}
"""Options that make matches short, by game."""
WAYS: list[Way] = ["mouse", "keys", "list"]


@pytest.mark.parametrize("game", SHORT)
def test_matches_continue_to_the_end_after_a_reload_and_a_kill_of_the_service(
    browser: Browser, service: PageService, game: str
) -> None:
    """Chance and the choices of the persons are seeded; the choices of the bot are not."""
    request = CreateMatchRequest(game=f"games/{game}", option_texts=SHORT[game], seed=1, seats=[SeatSetup()] * 2)
    _, links = service.create(request)
    request.seats[1].MergeFrom(SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player="random"))
    links += service.create(request)[1]
    persons = ann, bob, cid = [Person(browser) for _ in links]
    for person, link in zip(persons, links, strict=True):
        person.open(link)
        assert re.search("/seat/[01]$", person.page.url), "the token stays in the address"
    for way in WAYS:
        for person in persons:
            if person.turn() is not None:
                person.act(way)

    ann.screenshot(game)
    ann.check_accessibility()

    bob.start_playing(seed=1)
    for person in (ann, cid):
        person.start_playing(seed=2, decisions=3)
    for person in (ann, cid):
        assert not person.played(), "the match was too short"
    for person in (bob, cid):
        person.page.reload()
        person.page.wait_for_selector(".table")
        person.start_playing(seed=3)
    service.kill()
    expect(ann.page.get_by_text("The connection is lost")).to_be_visible(timeout=MILLISECONDS)
    assert not any(person.over for person in persons), "the match was too short"
    service.start()
    expect(ann.page.get_by_text("The connection is lost")).to_be_hidden(timeout=MILLISECONDS)

    ann.start_playing(seed=3)
    for person in persons:
        assert person.played()
        expect(person.page.locator("h1")).to_have_text(re.compile("wins|draw|share"))
    for person in (ann, cid):
        person.look_back()
        report = verify(read_file(person.save("Save the replay")), REGISTRY)
        assert report.result is not None and report.rolls_proved > 0
    for person in persons:
        person.close()

"""Searching a deck, winning ties, extra turns, Cities that are closed or resolved at once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cext.random import Rng
from gamepacks.api import Viewer
from gamepacks.omen.codes import Pile
from gamepacks.omen.engine.rules import OmenState
from gamepacks.omen.v1.omen_enums import Decision, Phase
from tests.omen.scenario import scenario
from tests.omen.test_effects import hero, played, relic, soldier
from tests.omen.test_loader import ability, card, faults, house

Data = dict[str, Any]
SEARCH: list[Data] = [
    {"op": "look", "zone": "deck", "as": "seen"},
    {"op": "put", "sel": {"zone": "set", "same_as": "seen", "type": ["beast"]}, "to": "hand"},
]


@pytest.mark.rule("OMENX-FX-29")
def test_a_deck_is_searched_and_shuffled() -> None:
    found = played({"deck": ["s1a", "b5a", "s2a", "b6a"], "discard": ["s3a"]}, soldier("it", SEARCH))
    assert found.options() == ["b5a", "b6a"]
    found.play("A CARD b6a")
    found.check(A__hand=["b6a", "z11"], deck=3, discard=["s3a"])
    assert sorted(found.pile(Pile.DECK)) == ["b5a", "s1a", "s2a"]
    assert not found.pile(Pile.TOP) and not found.pile(Pile.ASIDE)
    assert found.count("reshuffle") == 1
    # The other seat saw that the deck was searched, and no card.
    assert found.sees(1) == []


@pytest.mark.rule("OMENX-FX-29", "OMENX-HID-03")
def test_searcher_of_a_deck_knows_its_cards_but_not_their_order() -> None:
    found = played({"deck": ["s1a", "b5a", "s2a", "b6a"], "B": {"hand": ["s3a"]}}, soldier("it", SEARCH))
    found.play("A CARD b6a")
    assert all(not known for _, known, *_ in found.state.pile(Pile.DECK))
    hands: Counter[str] = Counter()
    for seed in range(30):
        other = found.state.resample(0, Rng(seed))
        assert isinstance(other, OmenState)
        assert sorted(found.card(item[0]) for item in other.pile(Pile.DECK)) == ["b5a", "s1a", "s2a"]
        other = found.state.resample(1, Rng(seed))
        assert isinstance(other, OmenState)
        hands.update(found.card(item[0]) for item in other.pile(Pile.HAND) if not item[1] >> 1 & 1)
    # A knows that B holds the one Unit that is not there; B knows nothing of the deck.
    assert len(hands) > 2
    again = found.game.restore(found.game.position(found.state))
    assert found.game.view(again, Viewer(0)) == found.game.view(found.state, Viewer(0))


@pytest.mark.rule("OMENX-FX-29", "HI-17")
def test_a_search_that_is_going_on_is_restored() -> None:
    found = played({"deck": ["s2a", "b6a", "s1a", "b5a"]}, soldier("it", SEARCH))
    again = found.game.restore(found.game.position(found.state))
    assert again.to_bytes() == found.state.to_bytes()
    assert again.legal() == found.state.legal()
    code = again.legal()[0]
    again.apply(code)
    found.state.apply(code)
    assert again.to_bytes() == found.state.to_bytes()


@pytest.mark.rule("OMENX-FX-29")
@pytest.mark.parametrize(
    "effect", [{"op": "look", "zone": "deck", "n": 2}, {"op": "look", "zone": "deck", "city": "any"}]
)
def test_search_covers_the_whole_deck(effect: Data) -> None:
    data = house()
    ability(hook="hand_use", do=[effect])(card(data, "cave_bear"))
    assert [fault[1] for fault in faults(data)] == [f"abilities[0].do[0].{[*effect][-1]}"]


@pytest.mark.rule("OMENX-FX-26", "OMEN-WAR-08")
@pytest.mark.parametrize(("winner", "prizes"), [("you", (["w1"], [])), ("opp", ([], ["w1"])), ("each", ([], ["w1"]))])
def test_win_ties_grant_decides_before_soldiers_are_counted(winner: str, prizes: tuple[list[str], list[str]]) -> None:
    # Strength 4 to 4, and B has more Soldiers.
    ties = {"hook": "static", "do": [{"op": "grant", "what": "win_ties", "who": winner}]}
    weak = soldier("weak", [{"op": "draw"}], strength=0)
    found = scenario(
        {
            "step": "war", "A": {"hand": ["z11"]}, "prizes_next": ["w1"], "c2": {"relic": ["fate", "A"]},
            "c1": {"A": ["s3a", "o1a"], "B": ["s2a", "s2b", "weak"]},
        },
        {"relics": True},
        extra={"relics": [relic("fate", ties)], "units": [weak]},
    )  # fmt: skip
    while (found.decision() or "").endswith("KEEP"):
        found.take(found.state.legal()[0], found.state.actor())
    assert (found.value("A.prizes"), found.value("B.prizes")) == prizes


@pytest.mark.rule("OMENX-FX-27", "OMEN-TURN-01")
@pytest.mark.parametrize(("who", "next_"), [("you", "A WEALTH"), ("opp", "B WEALTH")])
def test_an_extra_turn_follows_ones_own(who: str, next_: str) -> None:
    again: Data = {"op": "grant", "what": "extra_turn", "who": who}
    found = played({"turn": 7, "A": {"hand": []}, "B": {"hand": []}}, soldier("again", [again]))
    while found.state.turn == 7:
        found.take(found.state.legal()[-1], found.state.actor())
    assert found.decision() == next_
    assert found.state.turn == 8
    # Only once.
    found.play(*[f"{next_} coin"] * 3)
    while found.state.turn == 8:
        found.take(found.state.legal()[-1], found.state.actor())
    assert found.decision() == ("B WEALTH" if who == "you" else "A WEALTH")


@pytest.mark.rule("V-11")
def test_an_extra_turn_is_granted_once_not_always() -> None:
    data = house()
    ability(hook="static", do=[{"op": "grant", "what": "extra_turn"}])(card(data, "wide_gates"))
    assert [fault[:2] for fault in faults(data)] == [("wide_gates", "abilities[0].do[0].what")]


@pytest.mark.rule("OMEN-SURGE-03")
def test_nobody_enters_a_closed_city() -> None:
    ban: Data = {"op": "forbid", "what": "enter", "city": "here", "until": "your_next_turn"}
    found = played({"A": {"hand": ["s1a", "z11"], "coins": 1}}, soldier("ban", [ban]), city="2")
    found.play("A SURGE s1a")
    assert found.options() == ["1", "3"]
    gate = {"hook": "static", "do": [{"op": "forbid", "what": "enter", "city": "here"}]}
    found = scenario(
        {"step": "surge", "A": {"hand": ["s1a", "z11"], "coins": 1}, "c3": {"relic": ["gate", "B"]}},
        {"relics": True}, extra={"relics": [relic("gate", gate)]},
    )  # fmt: skip
    found.play("A SURGE s1a")
    assert found.options() == ["1", "2"]
    data = house()
    ability(hook="enter", do=[{"op": "forbid", "what": "move", "city": "here"}])(card(data, "bronze_hoplite"))
    assert [fault[1] for fault in faults(data)] == ["abilities[0].do[0].city"]


@pytest.mark.rule("OMENX-FX-34")
@pytest.mark.parametrize(("who", "cities"), [("you", ["1", "2", "3"]), ("opp", ["1", "2"]), ("active", ["1", "2"])])
def test_a_city_is_closed_to_one_seat_alone(who: str, cities: list[str]) -> None:
    gate = {"hook": "static", "do": [{"op": "forbid", "what": "enter", "city": "here", "who": who}]}
    found = scenario(
        {"step": "surge", "A": {"hand": ["s1a", "z11"], "coins": 1}, "c3": {"relic": ["gate", "B"]}},
        {"relics": True}, extra={"relics": [relic("gate", gate)]},
    )  # fmt: skip
    found.play("A SURGE s1a")
    assert found.options() == cities


@pytest.mark.rule("OMENX-FX-34", "OMENX-FX-23")
@pytest.mark.parametrize(("who", "cities"), [("you", ["1", "3"]), ("opp", ["1", "2", "3"])])
def test_an_effect_closes_a_city_to_one_seat_alone(who: str, cities: list[str]) -> None:
    ban: Data = {"op": "forbid", "what": "enter", "city": "here", "who": who, "until": "your_next_turn"}
    found = played({"A": {"hand": ["s1a", "z11"], "coins": 1}}, soldier("ban", [ban]), city="2")
    again = found.game.restore(found.game.position(found.state))
    assert again.to_bytes() == found.state.to_bytes()
    found.play("A SURGE s1a")
    assert found.options() == cities


@pytest.mark.rule("OMENX-FX-34", "OMENX-FX-30")
@pytest.mark.parametrize(("who", "cities"), [("you", ["1", "2", "3"]), ("opp", ["2", "3"]), ("each", ["2", "3"])])
def test_a_unit_costs_one_seat_more_in_a_city(who: str, cities: list[str]) -> None:
    toll = {"hook": "static", "do": [{"op": "mod", "what": "cost", "city": "here", "who": who, "by": 1}]}
    found = scenario(
        {"step": "surge", "A": {"hand": ["s1a", "z11"], "coins": 1}, "c1": {"relic": ["toll", "B"]}},
        {"relics": True}, extra={"relics": [relic("toll", toll)]},
    )  # fmt: skip
    found.play("A SURGE s1a")
    assert found.options() == cities


@pytest.mark.rule("OMENX-FX-34", "V-11")
@pytest.mark.parametrize(
    ("effect", "key"),
    [
        ({"op": "mod", "what": "cost", "sel": {"zone": "hand", "n": "all"}, "who": "opp", "by": 1}, ".who"),
        ({"op": "mod", "what": "city_limit", "city": "here", "who": "opp", "by": 1}, ".who"),
        ({"op": "forbid", "what": "enter", "city": "here", "sel": {"zone": "hand", "n": "all"}}, ""),
    ],
)
def test_a_seat_alone_is_named_only_for_entry_and_cost_in_a_city(effect: Data, key: str) -> None:
    data = house()
    ability(hook="enter", do=[effect])(card(data, "bronze_hoplite"))
    assert [fault[1] for fault in faults(data)] == [f"abilities[0].do[0]{key}"]


@pytest.mark.rule("OMENX-FX-28")
def test_an_effect_resolves_a_city_that_is_not_war_torn() -> None:
    charge = hero(
        "charge", {"hook": "use", "step": ["surge"], "turn": "own", "do": [{"op": "resolve"}, {"op": "coins"}]}
    )
    given: Data = {
        "step": "surge", "A": {"hand": ["charge", "z11"]}, "prizes_next": ["w1"],
        "c1": {"A": ["s3a", "s1a"], "B": ["s2a"]}, "c2": {"left": 0}, "c3": {"A": ["s2b"]},
    }  # fmt: skip
    found = scenario(given, {"heroes": True}, extra={"units": [charge]})
    found.play("A SURGE charge", "A MODE use")
    # City 2 has no prizes: it is not among those.
    assert found.options() == ["1", "3"]
    assert [found.game.label(found.state, code) for code in found.state.legal()] == [  # type: ignore[arg-type]
        "Resolve the left City", "Resolve the right City",
    ]  # fmt: skip
    found.play("A CITY 1")
    seen = found.game.view(found.state, Viewer(1))
    assert seen.HasField("war_city") and seen.war_city == 0
    found.play("A KEEP s3a")
    found.check(A__prizes=["w1"], c1__A=["s3a"], c1__B=["s2a"], c1__left=3, A__coins=1)
    assert found.decision() in ("A SURGE", "A OFFER")


@pytest.mark.rule("OMENX-FX-30", "OMEN-SURGE-03", "OMEN-SURGE-04")
@pytest.mark.parametrize(("coins", "cities"), [(1, ["2", "3"]), (2, ["1", "2", "3"])])
def test_a_unit_costs_more_in_a_city(coins: int, cities: list[str]) -> None:
    toll = {"hook": "static", "do": [{"op": "mod", "what": "cost", "city": "here", "by": 1}]}
    found = scenario(
        {"step": "surge", "A": {"hand": ["s1a", "z11"], "coins": coins}, "c1": {"relic": ["toll", "B"]}},
        {"relics": True}, extra={"relics": [relic("toll", toll)]},
    )  # fmt: skip
    found.play("A SURGE s1a")
    assert found.options() == cities
    found.play(f"A CITY {cities[0]}")
    found.check(A__coins=0)
    data = house()
    ability(hook="static", do=[{"op": "mod", "what": "cost", "city": "here", "set": 1}])(card(data, "wide_gates"))
    assert [fault[1] for fault in faults(data)] == ["abilities[0].do[0].city"]


@pytest.mark.rule("OMENX-FX-30")
def test_a_deployed_unit_pays_what_it_costs_there() -> None:
    toll: Data = {"op": "mod", "what": "cost", "city": "here", "by": 2}
    deploy: Data = {"op": "deploy", "sel": {"zone": "hand", "id": ["s1a"]}, "pay": "full"}
    found = played({"A": {"hand": ["s1a"], "coins": 2}}, soldier("it", [toll, deploy]))
    assert found.options() == ["2", "3"]


def back(zone: str, city: Data, **seat: Any) -> Any:
    """A Hero puts a Reward back on City 1."""
    do = [{"op": "choose_city", "as": "c"},
          {"op": "put", "sel": {"zone": zone, "kind": "reward"}, "to": "prize", "city": "c"}]  # fmt: skip
    found = scenario(
        {"step": "surge", "A": {"hand": ["guide", "z11"], **seat}, "c1": city},
        {"heroes": True},
        extra={"units": [hero("guide", {"hook": "use", "step": ["surge"], "turn": "own", "do": do})]},
    )
    found.play("A SURGE guide", "A MODE use", "A CITY 1")
    return found


@pytest.mark.rule("OMENX-FX-31")
def test_a_prize_goes_back_on_top_of_its_city() -> None:
    found = back("used", {"left": 2}, used=["w1"])
    found.check(A__used=[], c1__left=3)
    assert [found.card(item[0]) for item in found.state.pile(Pile.PRIZES)] == ["w1"]
    assert any(event.text == "W1 goes back to the left City." for event in found.events)
    again = found.game.restore(found.game.position(found.state))
    assert again.to_bytes() == found.state.to_bytes()
    # A City that holds as many as at the start takes none; one that is depleted is so no longer.
    back("used", {"left": 4}, used=["w1"]).check(A__used=["w1"], c1__left=4)
    found = back("used", {"left": 0}, used=["w1"])
    found.check(c1__left=1)


@pytest.mark.rule("OMENX-FX-31", "OMEN-REWARD-01")
def test_a_hidden_prize_that_goes_back_stays_hidden() -> None:
    found = back("hand", {"left": 2}, prizes=["w1"])
    found.check(A__prizes=[], c1__left=3)
    for viewer, faces in ((0, ["w1"]), (1, [])):
        city = found.game.view(found.state, Viewer(viewer)).cities[0]
        assert [slot.card.id for slot in city.prizes_known if slot.HasField("card")] == faces
        assert len(city.prizes_known) == 1


@pytest.mark.rule("V-11")
@pytest.mark.parametrize(
    ("effect", "field"),
    [
        ({"op": "put", "sel": {"zone": "used"}, "to": "prize"}, "city"),
        ({"op": "put", "sel": {"zone": "hand"}, "to": "prize", "city": "here"}, "sel.kind"),
        ({"op": "put", "sel": {"zone": "used"}, "to": "hand", "city": "here"}, "city"),
    ],
)
def test_only_prizes_go_back_and_the_city_is_named(effect: Data, field: str) -> None:
    data = house()
    ability(hook="enter", do=[effect])(card(data, "bronze_hoplite"))
    assert [fault[1] for fault in faults(data)] == [f"abilities[0].do[0].{field}"]


@pytest.mark.rule("OMENX-FX-32")
def test_each_seat_has_a_counter() -> None:
    do: list[Data] = [
        {"op": "counter", "by": 2},
        {"op": "counter", "who": "opp", "set": 5},
        {"op": "counter", "by": {"counter": "opp"}},
        {"op": "coins", "n": {"counter": "you"}},
    ]
    found = played({"A": {"coins": 0}}, soldier("it", do))
    found.check(A__coins=7)
    for viewer in range(2):
        players = found.game.view(found.state, Viewer(viewer)).players
        assert [player.counter for player in players] == [7, 5]
    again = found.game.restore(found.game.position(found.state))
    assert again.counters()["counter"] == (7, 5)
    less = played({"A": {"coins": 0}}, soldier("it", [{"op": "counter", "who": "each", "by": -3}]))
    assert less.state.counters()["counter"] == (0, 0)


@pytest.mark.rule("OMENX-FX-33", "OMEN-TURN-05")
def test_deferred_effect_happens_at_the_end_of_the_turn_before_the_hand_limit() -> None:
    later: Data = {"op": "later", "do": [{"op": "discard", "sel": {"zone": "hand", "n": 2}}, {"op": "coins"}]}
    hand = ["s1a", "s1b", "s2a", "s2b", "s3a", "s3b", "s4a", "o1a"]
    found = played({"A": {"hand": hand, "coins": 0}}, soldier("it", [later, {"op": "coins", "n": 2}]))
    found.check(A__coins=2)
    again = found.game.restore(found.game.position(found.state))
    assert again.to_bytes() == found.state.to_bytes()
    while found.decision() != "A CARD":
        found.take(found.state.legal()[-1], 0)
    assert found.state.phase == Phase.CLOSE
    found.play("A CARD s1a", "A CARD o1a")
    # 8 cards were 1 too many; after that there is nothing to give up.
    assert found.decision() == "B WEALTH"
    found.check(A__coins=3, discard=["o1a", "s1a"])


@pytest.mark.rule("OMENX-FX-33", "OMENX-LOOP-01")
def test_deferred_effect_counts_for_the_trigger_cap() -> None:
    often: Data = {"op": "repeat", "n": 12, "do": [{"op": "later", "do": [{"op": "coins"}]}]}
    found = played({"A": {"hand": [], "coins": 0}}, soldier("it", [often]), options={"trigger_cap": 10})
    assert found.decision() == "B WEALTH"
    # The Soldier's own ability was the first of ten.
    found.check(A__coins=9)


@pytest.mark.rule("OMENX-FX-33", "V-12", "V-13")
def test_deferred_effect_cannot_use_outer_names_or_the_event() -> None:
    data = house()
    let = {"op": "let", "name": "x", "amount": 2}
    use = {"op": "later", "do": [{"op": "coins", "n": {"var": "x"}}]}
    ability(hook="enter", do=[let, use])(card(data, "bronze_hoplite"))
    assert [fault[1] for fault in faults(data)] == ["abilities[0].do[1].do[0].n.var"]
    stop = {
        "hook": "react",
        "timing": "before",
        "event": {"type": "play"},
        "do": [{"op": "later", "do": [{"op": "cancel"}]}],
    }
    data = house()
    ability(**stop)(card(data, "the_just"))
    assert [fault[1] for fault in faults(data)] == ["abilities[0].do[0].do"]


@pytest.mark.rule("OMENX-CHANCE-08")
def test_roll_of_a_die_is_public() -> None:
    do: list[Data] = [{"op": "roll", "sides": 4, "as": "x"}, {"op": "coins", "n": {"var": "x"}}]
    found = played({"A": {"coins": 0}, "dice": ["3"]}, soldier("it", do))
    found.check(A__coins=3)
    state = scenario({"step": "surge", "A": {"hand": ["it", "z11"]}}, extra={"units": [soldier("it", do)]}).state
    state.apply(state.legal()[0])
    state.apply(state.legal()[0])
    assert state.decision == (Decision.CHANCE_DIE, -1)
    assert state.legal() == [] and state.seats_to_act() == 0
    outcomes = state.chance()
    assert [weight for _, weight in outcomes] == [1, 1, 1, 1]
    game = state.game
    assert [game.label(state, code) for code, _ in outcomes] == [f"{n} is rolled" for n in range(1, 5)]
    assert all(game.view(state, Viewer(seat)).decision == Decision.CHANCE_DIE for seat in range(2))
    again = game.restore(state.game.position(state))
    assert again.chance() == outcomes
    action = game.action(state, outcomes[2][0])
    assert action.roll == 3
    assert all(game.knows_code(state, None, outcomes[2][0], Viewer(seat)) for seat in range(2))
    other = state.resample(1, Rng(1))
    assert other.chance() == outcomes

"""The keys limit and event, for every hook that has them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.omen.scenario import Scenario, scenario
from tests.omen.test_effects import hero, played, relic, soldier

Data = dict[str, Any]
COIN: Data = {"op": "coins", "n": 1}
MOVE: Data = {"op": "move", "sel": {"zone": "city", "id": ["it"]}, "city": "other"}


def limited(hook: str, limit: str | None, **more: Any) -> Data:
    """An ability with a limit that gains 1 coin."""
    return {"hook": hook, "do": [COIN], **more, **({"limit": limit} if limit else {})}


@pytest.mark.rule("OMENX-FX-25", "OMEN-SOLD-02")
@pytest.mark.parametrize(("limit", "coins"), [(None, 2), ("turn", 1), ("game", 1)])
def test_enter_ability_obeys_its_limit(limit: str | None, coins: int) -> None:
    it = soldier("it", [])
    it["abilities"] = [limited("enter", limit)]
    found = played({"A": {"hand": ["mover", "z11"]}}, it, soldier("mover", [MOVE]))
    found.play("A SURGE mover", "A CITY 2", "A CITY 3")
    found.check(c3__A=["it"], A__coins=coins)


@pytest.mark.rule("OMENX-FX-25")
@pytest.mark.parametrize(("limit", "coins"), [(None, 2), ("turn", 1), ("game", 1)])
def test_discarded_ability_obeys_its_limit(limit: str | None, coins: int) -> None:
    it = soldier("it", [{"op": "coins", "n": 0}])
    it["abilities"].append(limited("discarded", limit))
    lose: Data = {"op": "discard", "sel": {"zone": "hand", "id": ["it"]}}
    back: Data = {"op": "put", "sel": {"zone": "discard", "id": ["it"]}, "to": "hand"}
    found = played({"A": {"hand": ["it", "z11"]}}, soldier("twice", [lose, back, lose]), it)
    if found.decision() == "A ORDER":
        found.play("A ORDER it")
    found.check(discard=["it"], A__coins=coins)


@pytest.mark.rule("OMENX-FX-25")
@pytest.mark.parametrize(("limit", "offered"), [(None, True), ("turn", False), ("game", False)])
def test_hand_use_ability_obeys_its_limit(limit: str | None, offered: bool) -> None:
    back: Data = {"op": "put", "sel": {"zone": "discard", "id": ["it"]}, "to": "hand"}
    it = {"id": "it", "name": "it", "type": "beast", "cost": 0, "offering": 0, "strength": 9,
          "abilities": [limited("hand_use", limit)]}  # fmt: skip
    found = scenario({"step": "surge", "A": {"hand": ["it", "fetch", "z11"]}},
                  extra={"units": [it, soldier("fetch", [back])]})  # fmt: skip
    found.play("A SURGE it", "A MODE ability", "A SURGE fetch", "A CITY 1", "A SURGE it")
    assert found.decision() == ("A MODE" if offered else "A CITY")


@pytest.mark.rule("OMENX-FX-25", "OMEN-PORT-02")
@pytest.mark.parametrize(("limit", "coins"), [(None, 2), ("turn", 1), ("game", 1)])
def test_portent_ability_obeys_its_limit(limit: str | None, coins: int) -> None:
    renew = {"op": "grant", "what": "portent_use", "sel": {"zone": "city", "id": ["it"]}}
    stats = {"type": "oracle", "cost": 0, "offering": 0, "strength": 0}
    it = {"id": "it", "name": "it", **stats, "abilities": [limited("portent", limit)]}
    again = {"id": "zagain", "name": "zagain", **stats, "abilities": [{"hook": "portent", "do": [renew]}]}
    found = scenario(
        {"step": "portent", "A": {"hand": ["z11"]}, "c1": {"A": ["it", "zagain"]}}, extra={"units": [it, again]}
    )
    found.play("A PORTENT A/1/it")
    found.check(A__coins=coins)


@pytest.mark.rule("OMENX-FX-25")
def test_each_ability_of_an_oracle_has_its_own_condition() -> None:
    never: Data = {"cmp": [1, "eq", 2]}
    stats = {"type": "oracle", "cost": 0, "offering": 0, "strength": 0}
    two = [{"hook": "portent", "do": [COIN]}, {"hook": "portent", "when": never, "do": [{"op": "draw"}]}]
    it = {"id": "it", "name": "it", **stats, "abilities": two}
    found = scenario({"step": "portent", "A": {"hand": ["z11"]}, "c1": {"A": ["it"]}}, extra={"units": [it]})
    found.check(A__coins=1, A__hand=["z11"])


@pytest.mark.rule("OMENX-FX-25")
@pytest.mark.parametrize(
    ("event", "coins"),
    [({}, 1), ({"by": "opp"}, 0), ({"by": "you"}, 1), ({"cause": ["offering"]}, 0), ({"card": {"cost": {"ge": 5}}}, 0)],
)
def test_event_filter_of_a_discarded_ability_is_evaluated(event: Data, coins: int) -> None:
    it = soldier("it", [{"op": "coins", "n": 0}])
    it["abilities"].append({"hook": "discarded", "event": {"type": "discard", **event}, "do": [COIN]})
    lose: Data = {"op": "discard", "sel": {"zone": "hand", "id": ["it"]}}
    found = played({"A": {"hand": ["it", "z11"]}}, soldier("lose", [lose]), it)
    found.check(discard=["it"], A__coins=coins)


# -- other keys that had no reader -------------------------------------------------------------------------------------


@pytest.mark.rule("OMENX-FX-19")
@pytest.mark.parametrize(("n", "seen"), [({}, 3), ({"n": 2}, 2)])
def test_reveal_shows_n_cards_of_a_hand_or_all(n: Data, seen: int) -> None:
    show = {"op": "reveal", "zone": "hand", "side": "opp", "as": "shown", **n}
    count = {"op": "coins", "n": {"count": {"zone": "hand", "side": "opp", "same_as": "shown", "type": ["soldier"]}}}
    found = played({"B": {"hand": ["s1a", "s2a", "s3a"]}}, soldier("it", [show, count]))
    assert len(found.sees(0)) == seen
    found.check(A__coins=seen)


@pytest.mark.rule("OMEN-RELIC-03", "OMEN-RELIC-04")
def test_an_effect_places_and_removes_a_relic() -> None:
    def used(do: Data, **city: Any) -> Scenario:
        found = scenario(
            {"step": "surge", "A": {"hand": ["guide", "z11"]}, "c1": city},
            {"relics": True, "heroes": True},
            extra={"units": [hero("guide", {"hook": "use", "step": ["surge"], "turn": "own", "do": [do]})],
                   "relics": [relic("well", {"hook": "end_game", "do": [{"op": "score"}]})]},
        )  # fmt: skip
        found.play("A SURGE guide", "A MODE use")
        return found

    found = used({"op": "relic", "do": "place", "sel": {"id": ["well"]}})
    found.play("A CITY 2")
    found.check(c2__relic=["well", "A"])
    found = used({"op": "relic", "do": "remove", "sel": {"side": "opp"}}, relic=["well", "B"])
    found.check(c1__relic=None)


@pytest.mark.rule("V-23", "OMENX-HID-07")
def test_event_filters_read_faces_of_seen_cards_only() -> None:
    # A looks at one card of B's hand at random; of the others it learns nothing, whatever they are.
    look = {"op": "look", "zone": "hand", "side": "opp", "n": 1, "as": "seen"}
    count = {"op": "coins", "n": {"count": {"zone": "hand", "side": "opp", "same_as": "seen", "type": ["beast"]}}}
    for other in ("b5a", "s2a"):
        found = played({"B": {"hand": ["b6a", other]}, "random": ["b6a"]}, soldier("it", [look, count]))
        found.check(A__coins=1)

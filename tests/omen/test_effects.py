"""Effects: the tests EF of section 12.5 of RULES.md, and rulings of section 7 that no example shows."""

from __future__ import annotations

from typing import Any

import pytest

from cext.state import CHANCE
from gamepacks.omen.codes import SURGE_END, Pile
from gamepacks.omen.v1.omen_enums import Decision, EventType, Phase
from tests.omen.scenario import Scenario, scenario

Data = dict[str, Any]


def soldier(name: str, do: list[Data], **more: Any) -> Data:
    """A Soldier of Cost 0 with an ability on entering."""
    abilities = [{"hook": "enter", "do": do}] if do else []
    stats = {"cost": 0, "offering": 0, "strength": 1} | more
    return {"id": name, "name": name, "type": "soldier", "abilities": abilities, **stats}


def hero(name: str, ability: Data) -> Data:
    """A Hero."""
    stats = {"cost": 0, "offering": 0, "strength": 1}
    return {"id": name, "name": name, "type": "hero", "abilities": [ability], **stats}


def relic(name: str, *abilities: Data) -> Data:
    """A Relic."""
    return {"id": name, "name": name, "abilities": list(abilities)}


def played(given: Data, *cards: Data, city: str = "1", **more: Any) -> Scenario:
    """Seat A plays the first card, Cost 0, in Surge into a City."""
    mine = {"coins": 0, **given.pop("A", {})}
    mine["hand"] = [cards[0]["id"], *mine.get("hand", ["z11"])]
    units = [card for card in cards if "strength" in card]
    extra = {"units": units} | ({"relics": [c for c in cards if c not in units]} if len(units) < len(cards) else {})
    found = scenario({"step": "surge", "A": mine, **given}, more.pop("options", None), extra=extra, **more)
    names = [found.label(code, 0) for code in found.state.legal()]
    found.play(f"A SURGE {cards[0]['id']}", *(() if len(names) < 1 else (f"A CITY {city}",)))
    return found


@pytest.mark.rule("EF-01", "OMENX-FX-10")
def test_ef_01_a_payment_that_cannot_be_made_is_not_offered() -> None:
    do: list[Data] = [{"op": "pay", "cost": {"coins": 2}, "then": [{"op": "draw", "n": 3}]}, {"op": "coins", "n": 1}]
    found = played({"A": {"coins": 1}}, soldier("pay", do))
    found.check(A__hand=["z11"], A__coins=2)
    found = played({"A": {"coins": 2}}, soldier("pay", do))
    assert found.decision() == "A MAY"
    found.play("A MAY do")
    assert len(found.value("A.hand")) == 4
    assert found.value("A.coins") == 1


@pytest.mark.rule("EF-02", "OMENX-FX-11")
def test_ef_02_costs_end_at_0_and_fixed_values_come_first() -> None:
    cheap = {"op": "mod", "what": "cost", "sel": {"zone": "hand", "n": "all"}, "by": -1, "for": "turn"}
    found = played({"A": {"hand": ["s1a"], "coins": 0}}, soldier("cheap", [cheap, cheap]))
    found.play("A SURGE s1a", "A CITY 2")
    found.check(A__coins=0, c2__A=["s1a"])
    strong = {"hook": "static", "do": [{"op": "mod", "what": "strength", "sel": {"zone": "city", "n": "all"}, "by": 1}]}
    found = scenario(
        {"step": "surge", "A": {"hand": ["z11"], "coins": 9}, "c1": {"A": ["s2a!", "s1a"], "relic": ["strong", "A"]}},
        {"relics": True},
        extra={"relics": [relic("strong", strong)]},
    )
    assert [unit[2] for unit in found.state.side(0, 0)] == [5, 2]


@pytest.mark.rule("EF-03", "OMENX-FX-12", "OMENX-FX-05")
def test_ef_03_up_to_n_draws_are_asked_one_by_one() -> None:
    found = played({"deck": ["s1a", "s2a", "s3a"]}, soldier("upto", [{"op": "draw", "n": 2, "optional": True}]))
    assert found.decision() == "A MAY"
    assert found.value("A.hand") == ["z11"]
    found.play("A MAY do")
    assert found.decision() == "A MAY"
    found.check(A__hand=["z11", "s1a"])
    found.play("A MAY skip")
    found.check(A__hand=["z11", "s1a"], deck=2)


@pytest.mark.rule("EF-04", "OMENX-FX-07")
def test_ef_04_a_queued_ability_happens_though_its_source_has_left() -> None:
    count = soldier("count", [{"op": "coins", "n": {"count": {"zone": "city", "city": "here"}}}])
    kill = soldier("kill", [{"op": "destroy", "sel": {"zone": "city", "id": ["count"]}}])
    both = soldier("both", [
        {"op": "deploy", "sel": {"zone": "hand", "id": ["kill"]}, "city": "any"},
        {"op": "deploy", "sel": {"zone": "hand", "id": ["count"]}, "city": "any"},
    ])  # fmt: skip
    found = scenario(
        {"step": "surge", "A": {"coins": 0, "hand": ["both", "kill", "count", "z11"]}, "c1": {"A": ["s1a", "s1b"]}},
        extra={"units": [both, kill, count]},
    )
    found.play("A SURGE both", "A CITY 2", "A CITY 3", "A CITY 1")
    # The City held the two Soldiers and, when it triggered, the card that is gone: two are left to be counted.
    found.check(discard=["count"], A__coins=2)


@pytest.mark.rule("EF-05", "OMEN-BEAST-05", "OMEN-BEAST-04")
def test_ef_05_a_beast_counts_once_as_a_beast() -> None:
    def when(cond: Data) -> Data:
        return {"op": "if", "cond": cond, "then": [{"op": "coins", "n": 1}]}

    here = {"zone": "city", "city": "here", "not_self": True}
    two_beasts = {"exists": {**here, "type": ["beast"], "n": 2}}
    three_units = {"cmp": [{"units": here}, "eq", 3]}
    two_cards = {"cmp": [{"count": here}, "eq", 2]}
    for cond, coins in ((two_beasts, 0), (three_units, 1), (two_cards, 1)):
        found = played({"c1": {"A": ["b5a", "s1a"]}}, soldier("test", [when(cond)]))
        found.check(A__coins=coins)


@pytest.mark.rule("EF-06", "OMEN-HERO-06", "OMENX-WIN-02")
def test_ef_06_two_heroes_in_one_window() -> None:
    cards = [hero(n, {"hook": "use", "step": ["war"], "do": [{"op": "coins", "n": 2}]}) for n in ("ha", "hb")]
    found = scenario(
        {"step": "war", "A": {"coins": 0, "hand": ["ha", "hb", "z11"]}}, {"heroes": True}, extra={"units": cards}
    )
    found.play("A ACT ha", "A ACT hb")
    found.check(A__coins=4, discard=["ha", "hb"])
    assert found.state.phase == Phase.OFFERING


@pytest.mark.rule("OMEN-HERO-01", "OMENX-FX-25")
def test_a_hero_with_two_uses_is_used_for_the_one_of_the_step() -> None:
    def two(*steps: str) -> Data:
        effects = ({"op": "coins", "n": 2}, {"op": "draw"})
        uses = [{"hook": "use", "step": [step], "do": [effect]} for step, effect in zip(steps, effects, strict=True)]
        return {**hero("h", uses[0]), "abilities": uses}

    given: Data = {"A": {"coins": 0, "hand": ["h", "z11"]}, "deck": ["s1a"]}
    in_surge = scenario({"step": "surge", **given}, {"heroes": True}, extra={"units": [two("surge", "war")]})
    in_surge.play("A SURGE h", "A MODE use")
    in_surge.check(A__coins=2, A__hand=["z11"], discard=["h"])
    in_war = scenario({"step": "war", **given}, {"heroes": True}, extra={"units": [two("surge", "war")]})
    in_war.play("A ACT h")
    in_war.check(A__coins=0, A__hand=["s1a", "z11"])
    # Where both could be used it is the first.
    both = scenario({"step": "surge", **given}, {"heroes": True}, extra={"units": [two("surge", "surge")]})
    both.play("A SURGE h", "A MODE use")
    both.check(A__coins=2, A__hand=["z11"])


@pytest.mark.rule("EF-07", "OMENX-WIN-01")
def test_ef_07_windows_open_at_the_start_and_the_end_of_a_step() -> None:
    spy = hero("spy", {"hook": "use", "step": ["war"], "turn": "opp", "do": [{"op": "coins", "n": 1}]})
    given = {
        "step": "surge", "A": {"coins": 1, "hand": ["s1a", "z11"]}, "B": {"hand": ["spy"]},
        "c1": {"A": ["s2a"], "B": ["s1b", "s2b", "s3b"]}, "c2": {"A": ["s3a"], "B": ["o1a", "s2c", "z12"]},
    }  # fmt: skip
    found = scenario(given, {"heroes": True}, extra={"units": [spy]})
    asked = []
    while found.state.active == 0:
        ask, seat = found.state.decision
        asked.append((ask, seat))
        legal = found.state.legal() or [code for code, _ in found.state.chance()]
        found.take(legal[-1] if ask != Decision.WAR_CITY else legal[0], seat if seat >= 0 else -1)
    wars = [entry for entry in asked if entry[0] in (Decision.ACT, Decision.WAR_CITY, Decision.KEEP)]
    windows = [number for number, entry in enumerate(wars) if entry == (Decision.ACT, 1)]
    assert windows == [0, len(wars) - 1]
    # In his own turn it is never offered.
    own = scenario({**given, "active": "B", "step": "war"}, {"heroes": True}, extra={"units": [spy]})
    while own.state.active == 1:
        assert own.state.decision[0] != Decision.ACT
        legal = own.state.legal() or [code for code, _ in own.state.chance()]
        own.take(legal[-1], own.state.decision[1] if own.state.decision[1] >= 0 else -1)


@pytest.mark.rule("EF-08", "OMENX-FX-14", "OMEN-DECK-04")
def test_ef_08_revealed_cards_are_milled_not_discarded() -> None:
    found = played(
        {"deck": ["s1a", "s2a", "s3a", "s4a"]}, soldier("mill", [{"op": "reveal", "zone": "deck_top", "n": 3}])
    )
    assert found.count("mill") == 3
    assert found.count("discard") == 0
    found.check(discard=["s1a", "s2a", "s3a"], deck=1)


@pytest.mark.rule("EF-09", "OMENX-FX-13", "OMENX-FX-15")
def test_ef_09_a_seized_soldier_stays_in_its_city() -> None:
    seize = soldier("seize", [{"op": "seize", "sel": {"zone": "city", "side": "opp"}}])
    found = played({"c2": {"B": ["sdraw"]}, "deck": ["s1a", "s2a"]}, seize)
    found.check(c2__A=["sdraw"], c2__B=[], A__hand=["z11", "s1a"], B__hand=[])
    assert found.state.units(1, 0) == 1
    assert found.state.units(1, 1) == 0


@pytest.mark.rule("EF-10", "OMEN-WHIM-08", "OMEN-REWARD-06")
def test_ef_10_rewards_and_whims_are_safe() -> None:
    do = [{"op": "discard", "sel": {"zone": "hand", "side": "opp", "n": 2}}]
    found = played({"B": {"whims": ["t2"], "prizes": ["w1"]}}, soldier("disc", do), options={"whims": True})
    found.check(B__whims=["t2"], B__prizes=["w1"], discard=[])
    assert found.count("discard") == 0


@pytest.mark.rule("EF-11", "OMENX-FX-03", "OMENT-TURN-02")
def test_ef_11_a_step_without_may_is_done_to_ones_own_unit() -> None:
    found = played(
        {"c2": {"A": ["s1a"]}}, soldier("own", [{"op": "destroy", "sel": {"zone": "city", "not_self": True}}])
    )
    found.check(c2__A=[], discard=["s1a"])


@pytest.mark.rule("EF-12", "OMENT-TURN-01", "OMENT-PORT-01")
def test_ef_12_steps_of_traits() -> None:
    given = {"A": {"hand": ["z11"]}, "B": {"hand": ["z12"]}, "c1": {"A": ["ugle", "ubol"]}, "c2": {"A": ["uglm"]}}
    found = scenario(given, edition="traits")
    found.play("A WEALTH coin", "A WEALTH coin")
    state, steps = found.state, []
    while state.active == 0:
        if state.decision[0] == Decision.PORTENT:
            assert sorted(found.options()) == ["A/1/ugle", "A/2/uglm"]
        code = state.legal()[-1]
        steps += [event[7] for event in state.trace_of(code) if event[0] == EventType.STEP_START]
        state.apply(code)
    assert steps == [Phase.SURGE, Phase.PORTENT, Phase.WAR, Phase.OFFERING, Phase.WEALTH]


@pytest.mark.rule("EF-13", "OMEN-SURGE-02", "OMENX-ATOM-02")
def test_ef_13_the_surge_menu() -> None:
    use = hero("usehero", {"hook": "use", "step": ["surge"], "turn": "own", "do": [{"op": "coins", "n": 1}]})
    found = scenario(
        {"step": "surge", "A": {"coins": 9, "hand": ["b6a", "p1", "usehero"], "prizes": ["w1"]}},
        {"heroes": True, "spirits": True},
        extra={"units": [use]},
    )
    assert sorted(found.options()) == sorted(["b6a", "p1", "usehero", "w1", "end"])
    found.play("A SURGE b6a")
    assert sorted(found.options()) == ["ability", "play"]
    assert SURGE_END() not in found.state.legal()


@pytest.mark.rule("EF-14", "OMENX-LOOP-03")
def test_ef_14_the_action_cap() -> None:
    found = scenario(
        {"step": "surge", "A": {"hand": ["ufaa", "ufab"], "coins": 0}},
        {"trait_once": False, "action_cap": 50},
        edition="traits",
    )
    state = found.state
    actions = 0
    while state.phase == Phase.SURGE:
        assert actions < 60
        labels = {found.label(code, 0): code for code in state.legal()}
        if state.decision[0] == Decision.SURGE:
            used = labels.get("ufaa", labels.get("ufab"))
            actions += used is not None
            state.apply(labels["end"] if used is None else used)
        elif state.actor() == CHANCE:
            state.apply(state.chance()[0][0])
        else:
            wanted = [code for label, code in labels.items() if label in ("ufaa", "ufab", "FATE")]
            state.apply(wanted[0] if wanted else labels["draw"])
    assert actions == 50


@pytest.mark.rule("EF-15", "OMENX-LOOP-04")
def test_ef_15_a_resolution_that_changes_nothing_is_not_repeated() -> None:
    city = {"A": ["s1a", "s2a"], "B": ["s1b", "s2b"], "relic": ["low", "A"]}
    low = {"hook": "static", "do": [{"op": "mod", "what": "war_total", "city": "here", "set": 4}]}
    found = scenario(
        {"step": "surge", "A": {"hand": ["z11", "s3a"], "coins": 1}, "c1": city},
        {"relics": True},
        extra={"relics": [relic("low", low)]},
    )
    found.play("A SURGE end")
    assert found.count("war_result") == 1
    assert found.state.phase == Phase.OFFERING
    found.check(c1__A=["s1a", "s2a"], c1__B=["s1b", "s2b"], c1__left=4)


@pytest.mark.rule("OMENX-FX-16")
def test_a_protected_unit_stays_in_war_and_counts_first() -> None:
    guard = {"hook": "static", "do": [{"op": "forbid", "what": "destroy", "sel": {"zone": "city", "type": ["beast"]}}]}
    found = scenario(
        {
            "step": "war", "A": {"hand": ["z11"]}, "prizes_next": ["w1"],
            "c1": {"A": ["b5a", "s1a", "s2a"], "B": ["s1b"], "relic": ["guard", "A"]},
        },
        {"relics": True},
        extra={"relics": [relic("guard", guard)]},
    )  # fmt: skip
    # The Beast uses up the one survivor of the winner.
    found.check(c1__A=["b5a"], discard=["s1a", "s2a"])


@pytest.mark.rule("OMENX-FX-17")
def test_a_raised_city_limit_that_lapses() -> None:
    raise_ = {"op": "mod", "what": "city_limit", "city": "here", "by": 2, "for": "step"}
    given = {"c1": {"left": 0, "A": ["b5a", "s1b", "s2b"]}, "A": {"hand": ["s1a", "o1a"], "coins": 9}}
    found = played(given, soldier("wide", [raise_]))
    found.play("A SURGE s1a", "A CITY 1")
    assert found.state.units(0, 0) == 6
    found.play("A SURGE end")
    assert found.state.units(0, 0) == 6
    assert found.state.phase == Phase.OFFERING


@pytest.mark.rule("OMENX-FX-18")
@pytest.mark.parametrize("event", ["play", "enter"])
def test_a_cancelled_card_is_discarded_and_stays_paid(event: str) -> None:
    stop = hero("stop", {
        "hook": "react", "timing": "before", "event": {"type": event, "by": "opp"}, "turn": "opp",
        "do": [{"op": "cancel"}],
    })  # fmt: skip
    found = scenario(
        {"step": "surge", "A": {"coins": 2, "hand": ["sdraw", "z11"]}, "B": {"hand": ["stop"]}},
        {"heroes": True},
        extra={"units": [stop]},
    )
    found.play("A SURGE sdraw", "A CITY 1", "B REACT stop")
    found.check(c1__A=[], A__coins=0, discard=["sdraw", "stop"], A__hand=["z11"])


@pytest.mark.rule("OMENX-FX-18")
def test_a_move_that_is_cancelled_leaves_the_unit_where_it_was() -> None:
    stop = hero("stop", {
        "hook": "react", "timing": "before", "event": {"type": "enter", "cause": ["ability"]}, "turn": "opp",
        "do": [{"op": "cancel"}],
    })  # fmt: skip
    found = scenario(
        {"step": "surge", "A": {"coins": 3, "hand": ["smove", "z11"]}, "B": {"hand": ["stop"]}, "c1": {"A": ["sdraw"]}},
        {"heroes": True},
        extra={"units": [stop]},
    )
    found.play("A SURGE smove", "A CITY 2", "A CITY 3", "B REACT stop")
    found.check(c1__A=["sdraw"], c2__A=["smove"], c3__A=[])


@pytest.mark.rule("OMENX-FX-19")
def test_a_card_revealed_from_a_hand_stays_there() -> None:
    show = soldier("show", [{"op": "reveal", "zone": "hand", "sel": {"zone": "hand", "side": "opp"}}])
    found = played({"B": {"hand": ["s1a"]}}, show)
    found.check(B__hand=["s1a"], discard=[])
    assert found.sees(0) == ["s1a"]


@pytest.mark.rule("ST-09", "OMEN-DRAFT-02", "OMEN-DRAFT-03")
def test_st_09_a_card_belongs_to_the_deck_it_started_in() -> None:
    found = scenario({"step": "setup"}, {"draft": "open20"}, first=True)
    position = found.game.position(found.state)
    # A Unit of A and two of B lie on B's side of City 1; A's War step is about to begin.
    mine = taken(position, Pile.HAND)
    theirs = [taken(position, Pile.HAND_B) for _ in range(2)]
    side = position.piles.add(pile=Pile.SIDE + 1)
    side.cards.extend([mine, *theirs])
    side.known.extend([7, 7, 7])
    side.owners.extend([1, 2, 2])
    piles = sorted(position.piles, key=lambda pile: pile.pile)
    position.ClearField("piles")
    position.piles.extend(piles)
    position.phase, position.stage = Phase.WAR, 0
    state = found.game.restore(position)
    assert state.decision == (Decision.CHANCE_PRIZE, -1)
    state.apply(state.chance()[0][0])
    assert state.decision == (Decision.KEEP, 1)
    assert [unit[4] for unit in state.side(0, 1)] == [0, 1, 1]
    # B keeps his first own Unit; the others go to the piles of their owners.
    keep = next(code for code in state.legal() if code & 0xFFFFFF == 0b010)
    state.apply(keep)
    assert [card for card, *_ in state.pile(Pile.DISCARD)] == [mine]
    assert [card for card, *_ in state.pile(Pile.DISCARD_B)] == [theirs[1]]
    # Each seat draws from its own deck.
    before = len(state.pile(Pile.DECK)), len(state.pile(Pile.DECK_B))
    while state.decision != (Decision.WEALTH, 1):
        state.apply(state.legal()[-1])
    state.apply(state.legal()[0])
    state.apply(state.chance()[0][0])
    assert (len(state.pile(Pile.DECK)), len(state.pile(Pile.DECK_B))) == (before[0], before[1] - 1)


def taken(position: Any, number: int) -> int:
    """Take the first card out of a pile of a position."""
    pile = next(pile for pile in position.piles if pile.pile == number)
    card = int(pile.cards[0])
    for name, each in (("cards", 1), ("known", 1), ("owners", 1), ("since", 3), ("history", 3)):
        values = list(getattr(pile, name))[each:]
        pile.ClearField(name)
        if any(values) or name == "cards":
            getattr(pile, name).extend(values)
    return card


@pytest.mark.rule("OMEN-ENRAGE-07", "OMEN-ENRAGE-02")
@pytest.mark.parametrize("back", ["hand", "deck_top"])
def test_enraged_unit_that_left_the_city_is_played_face_up(back: str) -> None:
    # It goes to the hand of A, by way of the deck or not, and is played again: a Soldier of Strength 2 that draws.
    fetch = soldier("fetch", [{"op": "return", "sel": {"zone": "city", "id": ["sdraw"]}, "to": back}])
    found = played({"A": {"coins": 2}, "c2": {"A": ["sdraw!"]}, "deck": ["s1a", "s2a", "s3a"]}, fetch)
    if back == "deck_top":
        found.play("A OFFER none", *["B WEALTH coin"] * 3, *["A WEALTH draw", "A WEALTH coin", "A WEALTH coin"])
    assert "sdraw" in found.value("A.hand")
    cards = len(found.value("A.hand"))
    found.play("A SURGE sdraw", "A CITY 3")
    found.check(c3__A=["sdraw"])
    assert found.value("c3.strength")[0] == 2
    assert len(found.value("A.hand")) == cards


@pytest.mark.rule("OMEN-SOLD-04")
@pytest.mark.parametrize(("option", "hand"), [(True, ["z11", "s1a"]), (False, ["z11"])])
def test_a_soldier_moved_in_the_other_turn(option: bool, hand: list[str]) -> None:
    # B shoves A's Soldier that draws when it enters a City; and then seizes nothing, but plays his own, which draws.
    found = scenario(
        {
            "step": "surge", "active": "B", "A": {"hand": ["z11"]}, "B": {"hand": ["sshov", "sretu"], "coins": 4},
            "c1": {"A": ["sdraw"]}, "deck": ["s1a", "s2a", "s3a"],
        },
        {"enter_on_opposing_turn": option},
    )  # fmt: skip
    found.play("B SURGE sshov", "B CITY 3", "B CITY 2")
    found.check(c2__A=["sdraw"], A__hand=hand)
    # His own Soldiers enter in his own turn: they always do what they say.
    found.play("B SURGE sretu", "B CITY 2")
    found.check(c2__A=[], A__hand=[*hand, "sdraw"])


@pytest.mark.rule("OMENT-BOLSTER-02")
@pytest.mark.parametrize(("active", "hand"), [("A", ["z11", "u1a"]), ("B", ["z11"])])
def test_a_bolster_unit_moved_in_surge_does_it_in_its_own_turn_only(active: str, hand: list[str]) -> None:
    move = {"op": "move", "sel": {"zone": "city", "side": "any", "trait": ["BOLSTER"]}, "city": "other"}
    wind = {
        "id": "wind", "name": "wind", "cost": 0, "offering": 0, "strength": 1, "traits": ["JILT"],
        "abilities": [{"hook": "hand_use", "do": [move]}],
    }  # fmt: skip
    given: Data = {"step": "surge", "active": active, "A": {"hand": ["z11"]}, "B": {"hand": ["z12"]}}
    given |= {"c1": {"A": ["ubol"]}, "deck": ["u1a", "u2a", "u3a"]}
    given[active]["hand"] = [*given[active]["hand"], "wind"]
    found = scenario(given, edition="traits", extra={"units": [wind]})
    found.play(f"{active} SURGE wind", f"{active} MODE ability", f"{active} CITY 2")
    found.check(c2__A=["ubol"], A__hand=hand)


@pytest.mark.rule("OMEN-ENRAGE-02")
@pytest.mark.parametrize(("mark", "coins"), [("", 1), ("!", 0)])
def test_an_enraged_unit_does_nothing_when_it_is_destroyed(mark: str, coins: int) -> None:
    kill = soldier("kill", [{"op": "destroy", "sel": {"zone": "city", "id": ["last"]}}])
    last = soldier("last", [{"op": "draw", "n": 1}])
    last["abilities"].append({"hook": "destroyed", "do": [{"op": "coins", "n": 1}]})
    found = played({"c2": {"A": [f"last{mark}"]}}, kill, last)
    found.check(c2__A=[], discard=["last"], A__coins=coins)


@pytest.mark.rule("OMENX-FX-18")
@pytest.mark.parametrize(
    ("played_", "hand", "discard"), [(False, ["s1a", "z11"], ["stop"]), (True, ["z11"], ["s1a", "stop"])]
)
def test_a_deployed_card_that_is_cancelled_counts_as_played_if_it_is(
    played_: bool, hand: list[str], discard: list[str]
) -> None:
    stop = hero("stop", {
        "hook": "react", "timing": "before", "event": {"type": "enter", "card": {"id": ["s1a"]}}, "turn": "opp",
        "do": [{"op": "cancel"}],
    })  # fmt: skip
    deploy = {"op": "deploy", "sel": {"zone": "hand", "id": ["s1a"]}, "city": "here", "pay": "full", "played": played_}
    found = scenario(
        {"step": "surge", "A": {"coins": 1, "hand": ["lead", "s1a", "z11"]}, "B": {"hand": ["stop"]}},
        {"heroes": True},
        extra={"units": [soldier("lead", [deploy]), stop]},
    )
    found.play("A SURGE lead", "A CITY 1", "B REACT stop")
    found.check(c1__A=["lead"], A__hand=hand, A__coins=0, discard=discard)

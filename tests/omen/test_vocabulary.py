"""Every amount, predicate, change and permission of the vocabulary does what sections 10.6 to 10.9 of RULES.md say."""

from __future__ import annotations

from typing import Any

import pytest

from gamepacks.omen.v1.omen_enums import Decision
from tests.omen.scenario import Scenario, scenario
from tests.omen.test_effects import hero, played, relic, soldier

Data = dict[str, Any]
OWN: Data = {"zone": "city"}
THEIRS: Data = {"zone": "city", "side": "opp"}
HERE: Data = {"zone": "city", "city": "here"}
HAND: Data = {"zone": "hand"}


def position() -> Data:
    """A scenario in which amounts and predicates have different values."""
    return {
        "A": {"hand": ["z11", "s4a"], "coins": 3, "feats": {"down": ["f1", "f2"]}},
        "B": {"hand": ["z12", "z13", "z14"], "coins": 5},
        "c1": {"A": ["s1a", "b5a"], "B": ["s2a"]},
        "c2": {"A": ["o1a"], "B": ["s3a", "s2b"]},
        "c3": {"left": 0},
    }


# -- amounts -----------------------------------------------------------------------------------------------------------

AMOUNTS: tuple[tuple[Any, int], ...] = (
    (2, 2),
    ({"count": OWN}, 4),
    ({"units": OWN}, 5),
    ({"count": {**HERE, "side": "any"}}, 4),
    ({"count": {"zone": "city", "city": "other", "side": "any"}}, 3),
    ({"count": {**OWN, "type": ["soldier", "oracle"]}}, 3),
    ({"count": {**OWN, "not_type": ["soldier"]}}, 2),
    ({"count": {**OWN, "id": ["s1a", "o1a", "s2b"]}}, 2),
    ({"count": {**OWN, "cost": {"ge": 2}}}, 2),
    ({"count": {**OWN, "cost": {"ge": 2, "lt": 4}}}, 1),
    ({"count": {**OWN, "offering": {"eq": 1}}}, 2),
    ({"count": {**OWN, "strength": {"ne": 1}}}, 1),
    ({"count": {**OWN, "not_self": True}}, 3),
    ({"count": {**OWN, "self": True}}, 1),
    ({"total": "strength", "of": THEIRS}, 7),
    ({"total": "cost", "of": OWN}, 7),
    ({"coins": "opp"}, 5),
    ({"coins": "you"}, 3),
    ({"hand": "opp"}, 3),
    ({"hand": "opposing"}, 3),
    ({"hand": "active"}, 2),
    ({"deck": True}, 10),
    ({"prizes": "here"}, 4),
    ({"feats": "you"}, 2),
    ({"feats": "opp"}, 0),
    ({"turn": True}, 10),
    ({"cities": {"exists": {**HERE, "side": "opp"}}}, 2),
    ({"cities": {"depleted": "here"}}, 1),
    ({"events": {"type": "play", "who": "you"}}, 1),
    ({"events": {"type": "play", "who": "opp"}}, 0),
    ({"add": [1, 2, 3]}, 6),
    ({"min": [4, 2, 3]}, 2),
    ({"max": [4, 2, 5]}, 5),
    ({"sub": [5, 2]}, 3),
    ({"sub": [2, 5]}, 0),
    ({"mul": [2, 3]}, 6),
    ({"half_down": 5}, 2),
    ({"half_up": 5}, 3),
    ({"half_up": 4}, 2),
)


@pytest.mark.parametrize(("amount", "coins"), AMOUNTS, ids=str)
def test_amounts_have_their_values(amount: Any, coins: int) -> None:
    found = played(position(), soldier("it", [{"op": "coins", "n": amount}]))
    found.check(A__coins=3 + coins)


def test_amounts_of_variables() -> None:
    bound = {"op": "mod", "what": "strength", "sel": {**OWN, "type": ["beast"], "as": "b"}, "by": 0}
    found = played(position(), soldier("it", [bound, {"op": "coins", "n": {"stat": "strength", "of": "b"}}]))
    found.check(A__coins=8)
    let = {"op": "let", "name": "x", "amount": {"hand": "opp"}}
    discard = {"op": "discard", "sel": {**HAND, "side": "opp", "n": "all"}}
    # Fixed before the hand goes.
    found = played(position(), soldier("it", [let, discard, {"op": "coins", "n": {"var": "x"}}]))
    found.check(A__coins=6, B__hand=[])


@pytest.mark.parametrize(("since", "coins"), [("turn", 3), ("step", 2), ("ability", 1)])
def test_events_are_counted_since(since: str, coins: int) -> None:
    # A coin in Wealth, one by an ability before, one by this ability; ``sum`` adds up what they were.
    first = soldier("first", [{"op": "coins", "n": 1}])
    counted = {"type": "gain_coins", "who": "you", "since": since}
    second = soldier("second", [{"op": "coins", "n": 1}, {"op": "coins", "n": {"events": counted}}])
    found = scenario(
        {"A": {"hand": ["first", "second", "z11"]}, "deck": ["s1a", "s1b", "s2a", "s2b"]},
        extra={"units": [first, second]},
    )
    found.play(
        "A WEALTH coin", "A WEALTH draw", "A WEALTH draw", "A SURGE first", "A CITY 1", "A SURGE second", "A CITY 1"
    )
    found.check(A__coins=3 + coins)


# -- predicates --------------------------------------------------------------------------------------------------------

TRUE: Data = {"cmp": [1, "eq", 1]}
FALSE: Data = {"cmp": [1, "eq", 2]}
PREDICATES: tuple[tuple[Data, bool], ...] = (
    ({"all": [TRUE, TRUE]}, True),
    ({"all": [TRUE, FALSE]}, False),
    ({"any": [FALSE, TRUE]}, True),
    ({"any": [FALSE, FALSE]}, False),
    ({"not": FALSE}, True),
    ({"cmp": [1, "ne", 2]}, True),
    ({"cmp": [1, "lt", 1]}, False),
    ({"cmp": [1, "le", 1]}, True),
    ({"cmp": [1, "gt", 1]}, False),
    ({"cmp": [1, "ge", 1]}, True),
    ({"exists": {**OWN, "n": 4}}, True),
    ({"exists": {**OWN, "n": 5}}, False),
    ({"exists": {**OWN, "n": 5, "weigh": True}}, True),
    ({"each_city": {"exists": HERE}}, False),
    ({"each_city": {"cmp": [{"units": HERE}, "ge", 0]}}, True),
    ({"some_city": {"exists": {**HERE, "side": "opp", "n": 2}}}, True),
    ({"some_city": {"exists": {**HERE, "side": "opp", "n": 3}}}, False),
    ({"happened": {"type": "play", "by": "you"}}, True),
    ({"happened": {"type": "play", "by": "you"}, "op": "ge", "n": 2}, False),
    ({"happened": {"type": "play", "card": {"type": ["beast"]}}}, False),
    ({"happened": {"type": "enter", "city": "here"}}, True),
    ({"happened": {"type": "play", "cause": ["ability"]}}, False),
    ({"step": ["surge", "war"]}, True),
    ({"step": ["war"]}, False),
    ({"turn_of": "you"}, True),
    ({"turn_of": "opp"}, False),
    ({"first_turn": True}, False),
    ({"war_torn": "here"}, True),
    ({"depleted": "here"}, False),
)


@pytest.mark.parametrize(("pred", "holds"), PREDICATES, ids=str)
def test_predicates_hold_or_fail_as_defined(pred: Data, holds: bool) -> None:
    effect = {"op": "if", "cond": pred, "then": [{"op": "coins", "n": 1}], "else": [{"op": "coins", "n": 2}]}
    found = played(position(), soldier("it", [effect]))
    found.check(A__coins=4 if holds else 5)


@pytest.mark.parametrize(("like", "coins"), [({"type": ["beast"]}, 1), ({"type": ["oracle"]}, 0)])
def test_is_predicate_tests_a_bound_card(like: Data, coins: int) -> None:
    bound = {"op": "mod", "what": "strength", "sel": {**OWN, "id": ["b5a"], "as": "b"}, "by": 0}
    effect = {"op": "if", "cond": {"is": "b", "like": like}, "then": [{"op": "coins", "n": 1}]}
    found = played(position(), soldier("it", [bound, effect]))
    found.check(A__coins=3 + coins)


# -- picks -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sel", "gone"),
    [
        ({**THEIRS, "pick": "highest:strength"}, ["s3a"]),
        ({**THEIRS, "pick": "lowest:strength", "city": "other"}, ["s2b"]),
        ({**OWN, "pick": "highest:cost", "not_self": True}, ["b5a"]),
        ({**THEIRS, "n": "all"}, ["s2a", "s2b", "s3a"]),
        ({**THEIRS, "n": 2, "city": "other"}, ["s2b", "s3a"]),
        ({**THEIRS, "n": 9}, ["s2a", "s2b", "s3a"]),
    ],
    ids=str,
)
def test_picks_without_a_choice_are_made_automatically(sel: Data, gone: list[str]) -> None:
    found = played(position(), soldier("it", [{"op": "destroy", "sel": sel}]))
    found.check(discard=gone)


@pytest.mark.parametrize(("pick", "asked"), [("you", "A UNIT"), ("opp", "B UNIT"), ("owner", "B UNIT")])
def test_pick_key_names_the_picking_seat(pick: str, asked: str) -> None:
    found = played(position(), soldier("it", [{"op": "destroy", "sel": {**THEIRS, "pick": pick}}]))
    assert found.decision() == asked
    assert found.options() == ["B/1/s2a", "B/2/s2b", "B/2/s3a"]


@pytest.mark.rule("OMENX-CHANCE-06", "OMENX-HID-02")
def test_pick_among_unseen_cards_is_random() -> None:
    found = played(position(), soldier("it", [{"op": "discard", "sel": {**HAND, "side": "opp", "pick": "you"}}]))
    assert found.count("discard") == 1
    seen = [{"op": "look", "zone": "hand", "side": "opp"}]
    found = played(position(), soldier("it", [*seen, {"op": "discard", "sel": {**HAND, "side": "opp", "pick": "you"}}]))
    assert found.decision() == "A CARD"
    assert found.options() == ["z12", "z13", "z14"]


@pytest.mark.rule("OMENX-FX-05")
def test_up_to_n_may_be_stopped() -> None:
    found = played(position(), soldier("it", [{"op": "destroy", "sel": {**THEIRS, "n": {"up_to": 2}}}]))
    assert found.options() == ["B/1/s2a", "B/2/s2b", "B/2/s3a", "stop"]
    found.play("A UNIT B/2/s3a")
    assert found.options() == ["B/1/s2a", "B/2/s2b", "stop"]
    found.play("A UNIT stop")
    found.check(discard=["s3a"])


# -- changes -----------------------------------------------------------------------------------------------------------


def change(**mod: Any) -> Data:
    """A soldier with a modifier for this turn."""
    return soldier("it", [{"op": "mod", **mod}])


def test_modifiers_change_cards() -> None:
    def after(given: Data, **mod: Any) -> Scenario:
        return played({**position(), **given}, change(**mod), options={"spirits": True})

    found = after({"A": {"hand": ["p1", "z11"], "coins": 3}}, what="invoke", sel={**HAND, "n": "all"}, by=-2)
    found.play("A SURGE p1")
    assert found.options() == ["play", "invoke"]
    found = after({"A": {"hand": ["s1a"]}, "c1": {}, "c2": {}}, what="offering", sel={**HAND, "n": "all"}, by=1)
    found.play("A OFFER s1a", "A SPLIT coin", "A SPLIT coin")
    found.check(A__coins=2)
    found = after({}, what="weight", sel={**OWN, "type": ["beast"], "n": "all"}, set=1)
    assert found.state.units(0, 0) == 3
    found = after({}, what="type", sel={**OWN, "id": ["s1a"], "n": "all"}, set="beast")
    assert found.state.units(0, 0) == 5
    found = after({}, what="strength", sel={**OWN, "n": "all"}, set=7)
    assert found.state.strength(0, 0) == 21
    found = after({}, what="cost", sel={**HAND, "n": "all"}, set=0)
    assert found.options() == ["s4a", "z11", "end"]


@pytest.mark.rule("OMEN-WAR-12", "OMEN-WAR-13")
@pytest.mark.parametrize(("mods", "kept"), [([], ["s1a"]), ([{"by": -1}], ["b5a", "s1a"])])
def test_a_beast_that_weighs_less_among_survivors(mods: list[Data], kept: list[str]) -> None:
    lighter = [
        {"op": "mod", "what": "keep_weight", "sel": {**OWN, "type": ["beast"], "n": "all"}, **mod} for mod in mods
    ]
    given = {"A": {"hand": ["z11"]}, "c1": {"A": ["s1a", "b5a"], "B": ["s2a", "s2b"]}, "prizes_next": ["w1"]}
    found = played(given, soldier("it", [*lighter, {"op": "coins", "n": 0}]), city="2")
    if mods:
        assert found.decision() == "A KEEP"
        assert sorted(found.options()) == sorted(kept)
    else:
        found.check(c1__A=kept)


@pytest.mark.parametrize(
    ("mod", "given", "asked"),
    [
        ({"what": "hand_limit", "who": "you", "set": 1}, {"A": {"hand": ["z11", "z12"]}}, "A LIMIT"),
        ({"what": "hand_limit", "who": "opp", "set": 1}, {"A": {"hand": ["z11", "z12"]}}, "B WEALTH"),
        ({"what": "offerings", "who": "you", "by": 1}, {"A": {"hand": ["z11", "z12", "z13"]}}, "A OFFER"),
        ({"what": "offerings", "who": "you", "set": 0}, {"A": {"hand": ["z11", "z12"]}}, "B WEALTH"),
    ],
    ids=str,
)
def test_modifiers_change_limits_at_the_end_of_the_turn(mod: Data, given: Data, asked: str) -> None:
    found = played({**given}, change(**mod))
    if found.decision() == "A OFFER":
        found.play(f"A OFFER {found.options()[0] if asked == 'A OFFER' else 'none'}")
    assert found.decision() == asked


def test_modifier_changes_the_coin_limit() -> None:
    found = played({"A": {"coins": 9, "hand": ["z11"]}}, change(what="coin_limit", who="you", set=4))
    found.play("A SURGE end", "A OFFER none")
    found.check(A__coins=4, supply=21)


@pytest.mark.rule("OMEN-REWARD-02")
@pytest.mark.parametrize("more", [False, True])
def test_grant_allows_a_second_reward_in_a_turn(more: bool) -> None:
    effect: Data = {"op": "grant", "what": "prize_use", "n": 1} if more else {"op": "coins", "n": 0}
    found = played({"A": {"hand": ["z11"], "prizes": ["w1", "w2"]}}, soldier("it", [effect]))
    found.play("A SURGE w1")
    assert ("w2" in found.options()) == more
    found = played(
        {"A": {"hand": ["z11"], "prizes": ["w1", "w2"]}}, change(what="prize_uses", who="you", set=2 if more else 1)
    )
    found.play("A SURGE w1")
    assert ("w2" in found.options()) == more


@pytest.mark.parametrize(
    ("mod", "city", "wars"),
    [
        ({"what": "war_opposing", "city": "here", "set": 1}, "1", True),
        ({"what": "war_opposing", "city": "here", "set": 2}, "1", False),
        ({"what": "war_total", "city": "here", "by": -3}, "1", True),
        ({"what": "war_total", "city": "here", "by": -3}, "3", False),
        ({"what": "never_war", "city": "any"}, "2", False),
        ({"what": "strength", "sel": {**OWN, "n": "all"}, "by": 0}, "2", True),
    ],
    ids=str,
)
def test_modifiers_change_a_city(mod: Data, city: str, wars: bool) -> None:
    given = {"A": {"hand": ["z11"]}, "c1": {"B": ["s2a"]}, "c2": {"A": ["s1a", "b5a"], "B": ["s3a"]}}
    if mod["what"] != "never_war" and mod["what"] != "strength":
        given["c2"] = {}
    found = played(given, change(**mod), city=city)
    # A City that stays war-torn is resolved again (OMEN-WAR-16).
    assert (found.count("war_result") > 0) == wars


# -- what is granted ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("OMEN-CHAL-07")
@pytest.mark.parametrize("more", [False, True])
def test_grant_allows_a_second_challenge(more: bool) -> None:
    effect: Data = {"op": "grant", "what": "challenge", "n": 1} if more else {"op": "coins", "n": 0}
    found = played({"A": {"hand": [], "coins": 8}}, soldier("it", [effect]), options={"challenges": "normal"})
    assert found.decision() == "A CHALLENGE"
    found.play("A CHALLENGE c2")
    assert (found.decision() == "A CHALLENGE") == more


@pytest.mark.rule("OMEN-PORT-02", "OMENX-LOOP-01")
def test_one_more_use_in_portent_counts_as_a_trigger() -> None:
    renew = {"op": "grant", "what": "portent_use", "sel": {**OWN, "not_self": True, "type": ["oracle"], "n": "all"}}
    oracle = {
        "id": "again", "name": "again", "type": "oracle", "cost": 0, "offering": 0, "strength": 0,
        "abilities": [{"hook": "portent", "do": [renew]}],
    }  # fmt: skip
    found = scenario(
        {"step": "portent", "A": {"hand": ["z11"]}, "c1": {"A": ["o1a", "again"]}}, extra={"units": [oracle]}
    )
    found.play("A PORTENT A/1/o1a")
    found.check(A__coins=2)
    # Two that renew each other end by the cap.
    twin = {**oracle, "id": "twin", "name": "twin"}
    found = scenario(
        {"step": "portent", "A": {"hand": ["z11"]}, "c1": {"A": ["again", "twin"]}},
        {"trigger_cap": 10},
        extra={"units": [oracle, twin]},
    )
    while found.state.decision[0] == Decision.PORTENT:
        found.take(found.state.legal()[0], 0)
    # Ten renewals, and each of the two once without.
    assert found.count("ability") == 12


def test_units_may_be_played_in_another_step() -> None:
    found = played(
        {"A": {"hand": ["s1a", "z11"], "coins": 1}},
        soldier("it", [{"op": "grant", "what": "play_in", "step": ["portent"]}]),
    )
    found.play("A SURGE end", "A ACT s1a", "A CITY 2")
    found.check(c2__A=["s1a"], A__coins=0)
    assert found.decision() == "A OFFER"


# -- what is forbidden -------------------------------------------------------------------------------------------------


def forbidding(what: str, given: Data, *more: Data, **target: Any) -> Scenario:
    """Returns the scenario after an effect has attempted an act that another one forbids."""
    who = target or {"who": "you"}
    return played({**given}, soldier("it", [{"op": "forbid", "what": what, **who}, *more]), options={"spirits": True})


def test_forbid_stops_actions_of_a_seat() -> None:
    rich: Data = {"hand": ["s1a", "b6a", "p1", "z11"], "prizes": ["w1"], "coins": 9}
    found = forbidding("play", {"A": {**rich}})
    assert found.options() == ["b6a", "p1", "w1", "end"]
    found = forbidding("hand_use", {"A": {**rich}})
    found.play("A SURGE b6a")
    assert found.decision() == "A CITY"
    found = forbidding("invoke", {"A": {**rich}})
    found.play("A SURGE p1")
    assert found.decision() == "A CITY"
    assert "w1" not in forbidding("use_prize", {"A": {**rich}}).options()
    found = forbidding("enter", {"A": {**rich}})
    found.play("A SURGE b6a")
    assert found.decision() == "A SURGE", "it can only be used"
    found = forbidding("draw", {"A": {**rich}}, {"op": "draw", "n": 2})
    assert found.count("draw") == 0
    found = forbidding("draw", {"A": {**rich}}, {"op": "draw", "n": 2}, who="opp")
    assert found.count("draw") == 2
    found = forbidding("coins", {"A": {**rich}}, {"op": "coins", "n": 2})
    found.check(A__coins=9)
    found = forbidding("offer", {"A": {"hand": ["z11"]}})
    assert found.decision() == "B WEALTH"


@pytest.mark.parametrize(
    ("what", "sel", "effect", "event"),
    [
        ("move", OWN, {"op": "move", "sel": {**OWN, "not_self": True}}, "move"),
        ("destroy", THEIRS, {"op": "destroy", "sel": THEIRS}, "destroy"),
        ("discard", HAND, {"op": "discard", "sel": HAND}, "discard"),
        ("enrage", THEIRS, {"op": "enrage", "sel": THEIRS}, "enrage"),
        ("move", THEIRS, {"op": "seize", "sel": THEIRS}, "change_side"),
    ],
)
def test_forbid_stops_actions_with_cards(what: str, sel: Data, effect: Data, event: str) -> None:
    found = forbidding(what, position(), effect, sel={**sel, "n": "all"})
    assert found.count(event) == 0


# -- limits, costs, what happens by itself -----------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "uses"), [(None, [3, 3]), ("turn", [1, 1]), ("game", [1, 0])])
def test_use_ability_of_a_relic_obeys_its_limit(limit: str | None, uses: list[int]) -> None:
    use: Data = {"hook": "use", "step": ["surge"], "turn": "own", "do": [{"op": "coins", "n": 1}]}
    if limit:
        use["limit"] = limit
    found = scenario(
        {
            "step": "surge",
            "A": {"hand": ["z11"], "feats": {"down": ["f4"]}},
            "B": {"hand": ["z12"]},
            "c2": {"relic": ["well", "A"]},
        },
        {"relics": True, "auto_single": False},
        extra={"relics": [relic("well", use)]},
    )
    for expected in uses:
        for _ in range(expected):
            found.play("A SURGE well", "A MODE use")
        assert ("well" in found.options()) == (limit is None)
        found.play("A SURGE end", "A OFFER none", *["B WEALTH coin"] * 3, "B SURGE end", "B OFFER none")
        found.play(*["A WEALTH coin"] * 3)


@pytest.mark.rule("OMENX-FX-10")
@pytest.mark.parametrize(("answer", "coins", "hand"), [("do", 1, 2), ("skip", 3, 1)])
def test_an_ability_with_a_cost_is_asked(answer: str, coins: int, hand: int) -> None:
    costly = soldier("costly", [{"op": "draw", "n": 1}])
    costly["abilities"][0]["cost"] = {"coins": 2}
    found = played({"A": {"hand": ["z11"], "coins": 3}}, costly)
    assert found.decision() == "A MAY"
    found.play(f"A MAY {answer}")
    found.check(A__coins=coins)
    assert len(found.value("A.hand")) == hand
    # With too few coins it does not happen, and nobody is asked.
    found = played({"A": {"hand": ["z11"], "coins": 1}}, costly)
    found.check(A__coins=1, A__hand=["z11"])


@pytest.mark.rule("OMEN-ENRAGE-02")
@pytest.mark.parametrize(("mark", "limit", "coins"), [("", None, 2), ("", "turn", 1), ("!", None, 0)])
def test_abilities_that_happen_by_themselves(mark: str, limit: str | None, coins: int) -> None:
    auto: Data = {"hook": "auto", "event": {"type": "discard", "who": "opp"}, "do": [{"op": "coins", "n": 1}]}
    if limit:
        auto["limit"] = limit
    watcher = soldier("watcher", [{"op": "draw", "n": 1}])
    watcher["abilities"].append(auto)
    disc = soldier("disc", [{"op": "discard", "sel": {**HAND, "side": "opp", "n": 2}}])
    found = played({"c2": {"A": [f"watcher{mark}"]}, "B": {"hand": ["z12", "z13"]}}, disc, watcher)
    if coins == 2:
        # Both discards triggered it at the same moment.
        found.play("A ORDER watcher")
    found.check(A__coins=coins, B__hand=[])


@pytest.mark.rule("OMEN-ENRAGE-02")
@pytest.mark.parametrize(("mark", "strength"), [("", 3), ("!", 2)])
def test_an_enraged_unit_has_no_static_ability(mark: str, strength: int) -> None:
    static = {
        "hook": "static",
        "do": [{"op": "mod", "what": "strength", "sel": {**OWN, "id": ["s2a"], "n": "all"}, "by": 1}],
    }
    chief = soldier("chief", [{"op": "draw", "n": 1}])
    chief["abilities"].append(static)
    found = scenario(
        {"step": "surge", "A": {"hand": ["z11"]}, "c1": {"A": [f"chief{mark}"]}, "c2": {"A": ["s2a"]}},
        extra={"units": [chief]},
    )
    assert found.value("c2.strength")[0] == strength


def test_modifier_for_a_war_ends_with_the_war() -> None:
    brave = hero("brave", {
        "hook": "react", "event": {"type": "war_begin"}, "timing": "before", "turn": "any",
        "do": [{"op": "mod", "what": "strength", "sel": {**HERE, "n": "all"}, "by": 5, "for": "war"}],
    })  # fmt: skip
    found = scenario(
        {"step": "war", "A": {"hand": ["brave", "z11"]}, "c1": {"A": ["s1a", "s2a"], "B": ["s3a", "s3b", "s4a"]},
         "prizes_next": ["w1"]},
        {"heroes": True},
        extra={"units": [brave]},
    )  # fmt: skip
    found.play("A REACT brave", "A KEEP s1a", "B KEEP s3a+s3b")
    found.check(A__prizes=["w1"], c1__A=["s1a"])
    assert found.decision() == "A OFFER"
    assert found.value("c1.strength") == [1, 6]


# -- other effects -----------------------------------------------------------------------------------------------------


def test_return_to_a_named_hand() -> None:
    found = played(position(), soldier("it", [{"op": "return", "sel": {**THEIRS, "city": "here"}, "who": "you"}]))
    found.check(c1__B=[], A__hand=["s2a", "s4a", "z11"])
    found = played(position(), soldier("it", [{"op": "return", "sel": {**THEIRS, "city": "here"}}]))
    found.check(c1__B=[], B__hand=["s2a", "z12", "z13", "z14"])


def test_pay_is_decided_by_the_paying_seat() -> None:
    pay = {"op": "pay", "who": "opp", "cost": {"coins": 4}, "then": [{"op": "draw", "n": 1}], "else": [{"op": "coins"}]}
    found = played(position(), soldier("it", [pay]))
    assert found.decision() == "B MAY"
    found.play("B MAY do")
    found.check(B__coins=1, A__coins=3)
    assert len(found.value("A.hand")) == 3
    # He cannot, and is not asked; that the other could does not help.
    found = played({**position(), "B": {"coins": 2}, "A": {"coins": 9, "hand": ["z11"]}}, soldier("it", [pay]))
    found.check(A__coins=10)
    cost = {"discard": HAND}
    found = played(position(), soldier("it", [{**pay, "cost": cost}]))
    found.play("B MAY do", "B CARD z13")
    found.check(B__hand=["z12", "z14"])


def test_for_each_city_seat_and_card() -> None:
    coin = [{"op": "coins", "n": {"prizes": "c"}}]
    found = played(position(), soldier("it", [{"op": "for_each", "over": "cities", "as": "c", "do": coin}]))
    found.check(A__coins=3 + 4 + 4 + 0)
    one = [{"op": "lose_coins", "who": "p", "n": 1}]
    found = played(position(), soldier("it", [{"op": "for_each", "over": "seats", "as": "p", "do": one}]))
    found.check(A__coins=2, B__coins=4)
    each = {"op": "for_each", "over": {**THEIRS, "city": "other"}, "as": "u",
            "do": [{"op": "coins", "n": {"stat": "strength", "of": "u"}}]}  # fmt: skip
    found = played(position(), soldier("it", [each]))
    assert found.decision() == "A UNIT"
    found.play("A UNIT B/2/s2b")
    found.check(A__coins=3 + 2 + 3)


@pytest.mark.rule("OMENT-RAZE-01")
def test_razed_cities_are_left_out_of_for_each() -> None:
    count = {"op": "for_each", "over": "cities", "as": "c", "do": [{"op": "coins", "n": 1}]}
    krater = {
        "id": "kx",
        "name": "kx",
        "copies": 1,
        "abilities": [{"hook": "use", "step": ["surge"], "turn": "own", "do": [count]}],
    }
    found = scenario(
        {"step": "surge", "A": {"hand": ["z01"], "prizes": ["kx"]}, "c1": {"left": 0, "razed": True}},
        edition="traits",
        extra={"kraters": [krater]},
    )
    found.play("A SURGE kx")
    found.check(A__coins=2)


def test_repeat_asks_before_each_round_if_it_may_be_left() -> None:
    again = {"op": "repeat", "n": 3, "do": [{"op": "coins", "n": 1}]}
    played(position(), soldier("it", [again])).check(A__coins=6)
    found = played(position(), soldier("it", [{**again, "may": True}]))
    found.play("A MAY do", "A MAY do", "A MAY skip")
    found.check(A__coins=5)


def test_choose_several_of_several_options() -> None:
    options = [{"label": str(n), "do": [{"op": "coins", "n": n}]} for n in (1, 2, 3)]
    found = played(position(), soldier("it", [{"op": "choose", "n": 2, "options": options}]))
    assert found.options() == ["1", "2", "3"]
    found.play("A CHOOSE 2")
    assert found.options() == ["1", "3"]
    found.play("A CHOOSE 3")
    found.check(A__coins=8)
    found = played(position(), soldier("it", [{"op": "choose", "who": "opp", "options": options}]))
    assert found.decision() == "B CHOOSE"


def test_named_types_traits_and_seats_are_used_by_selectors() -> None:
    kill = {"op": "destroy", "sel": {**OWN, "type": "t", "not_self": True, "n": "all"}}
    found = played(position(), soldier("it", [{"op": "name", "what": "type", "as": "t"}, kill]))
    found.play("A NAME oracle")
    found.check(discard=["o1a"])
    found = played(position(), soldier("it", [{"op": "name", "what": "seat", "as": "s"}, {"op": "coins", "who": "s"}]))
    found.play("A NAME B")
    found.check(B__coins=6)
    found = played(
        position(),
        soldier("it", [{"op": "name", "what": "number", "as": "n", "max": 3}, {"op": "coins", "n": {"var": "n"}}]),
    )
    assert found.options() == ["0", "1", "2", "3"]
    found.play("A COUNT 3")
    found.check(A__coins=6)


@pytest.mark.rule("OMENX-LOOP-01")
def test_run_is_another_cards_ability_and_never_its_own() -> None:
    run = {"op": "run", "sel": {**OWN, "type": ["oracle"]}, "hook": "portent"}
    found = played(position(), soldier("it", [run]))
    found.check(A__coins=4)
    oracle = {
        "id": "echo", "name": "echo", "type": "oracle", "cost": 0, "offering": 0, "strength": 0,
        "abilities": [{"hook": "portent", "do": [run]}],
    }  # fmt: skip
    found = scenario({"step": "portent", "A": {"hand": ["z11"]}, "c1": {"A": ["echo"]}}, extra={"units": [oracle]})
    assert found.decision() == "A OFFER"
    # Two that carry out each other end by the cap.
    twin = {**oracle, "id": "twin", "name": "twin"}
    found = scenario(
        {"step": "portent", "A": {"hand": ["z11"]}, "c1": {"A": ["echo", "twin"]}},
        {"trigger_cap": 10},
        extra={"units": [oracle, twin]},
    )
    found.play("A PORTENT A/1/echo")
    assert found.state.counters()["triggers"] <= 10


def test_prizes_are_taken_readied_and_laid_down() -> None:
    found = played(
        {"A": {"hand": ["z11"], "used": ["w1"]}}, soldier("it", [{"op": "ready_prize", "sel": {"zone": "used"}}])
    )
    found.check(A__prizes=["w1"], A__used=[])
    assert "w1" in found.options(), "it was earned long ago"
    found = played(
        {"A": {"hand": ["z11"], "used": ["w1"]}}, soldier("it", [{"op": "put", "sel": {"zone": "used"}, "to": "hand"}])
    )
    found.check(A__prizes=["w1"])
    assert found.decision() == "A OFFER", "a Reward that comes to the hand this turn is used in another"
    shed = soldier("it", [{"op": "shed_prize", "who": "each", "n": 1}])
    found = played({"A": {"hand": ["z11"], "prizes": ["w1", "w2"]}, "B": {"prizes": ["w3"]}}, shed)
    assert found.decision() == "A CARD"
    found.play("A CARD w2")
    found.check(A__prizes=["w1"], A__used=["w2"], B__prizes=[], B__used=["w3"])


def test_each_draws_the_active_player_first() -> None:
    found = played(
        {"deck": ["s1a", "s2a", "s3a"], "B": {"hand": ["z12"]}}, soldier("it", [{"op": "draw", "who": "each"}])
    )
    assert [
        event.seat for event in found.events if event.text.endswith(("s1a.", "s2a.")) and "draws" in event.text
    ] == [
        0,
        1,
    ]


def test_remaining_looked_at_and_revealed_cards_are_discarded() -> None:
    do: list[Data] = [
        {"op": "look", "zone": "deck_top", "n": 2, "as": "seen"},
        {"op": "reveal", "zone": "deck_top", "n": 1},
    ]
    found = played({"deck": ["s1a", "s2a", "s3a", "s4a"]}, soldier("it", do))
    # The two that were looked at lie apart; the third is revealed, and goes.
    found.check(discard=["s3a"], deck=3)

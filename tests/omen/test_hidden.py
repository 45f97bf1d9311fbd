"""Hidden information: the tests HI of section 12.5 of RULES.md."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cext.random import Rng
from gamepacks.api import SPECTATOR, Code, Seat, Viewer
from gamepacks.omen import Omen
from gamepacks.omen.codes import BOOK, Pile
from gamepacks.omen.engine.rules import OmenState
from gamepacks.omen.v1.omen_enums import Decision, Phase
from tests.omen.scenario import Scenario, scenario
from tests.omen.test_effects import soldier
from tests.omen.test_set_up import set_up


def view(state: OmenState, seat: int) -> bytes:
    """The bytes of a seat's view."""
    return state.game.view(state, Viewer(seat)).SerializeToString(deterministic=True)


def known(state: OmenState, viewer: int) -> set[int]:
    """Cards (Units; each exists once) whose place a viewer knows."""
    return {
        card for pile in range(Pile.COUNT) for card, seen, *_ in state.pile(pile)
        if seen >> viewer & 1 and state.game.compiled.faces[card].kind.name == "UNIT"
    }  # fmt: skip


@pytest.mark.rule("HI-01", "OMENX-HID-02", "OMENX-HID-04", "OMEN-REWARD-01")
def test_hi_01_unknown_units_after_set_up() -> None:
    state = set_up(Omen.configure(2))
    own = {card for card, *_ in state.pile(Pile.HAND)}
    assert known(state, 0) == own
    seen = state.game.view(state, Viewer(0))
    assert not any(slot.HasField("card") for slot in seen.players[1].hand)
    assert len(seen.players[1].hand) == 4
    rng = Rng(1)
    hits: Counter[int] = Counter()
    rounds = 4000
    for _ in range(rounds):
        other = state.resample(0, rng)
        assert isinstance(other, OmenState)
        assert {card for card, *_ in other.pile(Pile.HAND)} == own
        hits.update(card for card, *_ in other.pile(Pile.HAND_B))
    assert len(hits) == 44
    expected = rounds / 11
    assert all(abs(hits[card] - expected) < 6 * expected**0.5 for card in hits)


@pytest.mark.rule("HI-02", "OMEN-DRAFT-05", "OMEN-DRAFT-04", "OMENX-HID-06")
def test_hi_02_knowledge_after_keep2of3() -> None:
    game = Omen.configure(2, {"draft": "keep2of3"})
    state = game.initial_state()
    rng = Rng(5)
    kept: set[int] = set()
    passed: set[int] = set()
    while state.phase == Phase.DRAFT:
        if state.actor() == -1:
            state.apply(rng.weighted(state.chance()))
            continue
        dealt = {card for card, *_ in state.pile(Pile.DEALT)}
        codes = [rng.choice(state.legal(seat)) for seat in range(2)]
        for seat, code in enumerate(codes):
            state.apply(code, seat)
        passed.add(codes[0] & 0xFF)
        kept |= dealt - {codes[0] & 0xFF} | {codes[1] & 0xFF}
    assert len(kept) == 30
    assert len(passed) == 10
    while state.phase < Phase.WEALTH:
        state.apply(rng.weighted(state.chance()))
    places: Counter[str] = Counter()
    for _ in range(200):
        other = state.resample(0, rng)
        assert isinstance(other, OmenState)
        mine = {card for pile in (Pile.DECK, Pile.TOP, Pile.HAND) for card, *_ in other.pile(pile)}
        theirs = {card for pile in (Pile.DECK_B, Pile.TOP_B, Pile.HAND_B) for card, *_ in other.pile(pile)}
        box = {card for card, *_ in other.pile(Pile.OUT)}
        assert mine == kept
        assert passed <= theirs
        assert len(theirs - passed) == 20
        assert len(box) == 6
        assert not box & (kept | passed)
        places.update(str(card) for card in box)
    # Each of the 26 unknown cards can be in the box.
    assert len(places) == 26


@pytest.mark.rule("HI-04", "HI-05", "OMEN-ENRAGE-10", "OMEN-ENRAGE-07", "OMENX-HID-03", "OMENX-HID-01")
def test_hi_04_and_05_a_card_that_can_be_followed_stays_known() -> None:
    found = scenario({"step": "surge", "A": {"coins": 4, "hand": ["srage", "sretu", "z11"]}, "c2": {"B": ["s2a"]}})
    found.play("A SURGE srage", "A CITY 1")
    for seat in range(2):
        units = found.game.view(found.state, Viewer(seat)).cities[1].sides[1].units
        assert [(unit.card.id, unit.enraged) for unit in units] == [("s2a", True)]
    found.play("A SURGE sretu", "A CITY 2")
    assert found.sees(0) == ["s2a"]
    (item,) = found.state.pile(Pile.HAND_B)
    assert item[1] == 7
    # Put on the deck openly it is known there; shuffled it is not.
    shuffle = {"id": "shf", "name": "shf", "type": "soldier", "cost": 0, "offering": 0, "strength": 1, "abilities": [
        {"hook": "enter", "do": [
            {"op": "return", "sel": {"zone": "city", "side": "opp"}, "to": "deck_top"}, {"op": "shuffle"},
        ]}
    ]}  # fmt: skip
    found = scenario({"step": "surge", "A": {"hand": ["shf", "z11"]}, "c2": {"B": ["s2a"]}}, extra={"units": [shuffle]})
    found.play("A SURGE shf", "A CITY 1")
    assert found.state.pile(Pile.TOP) == []
    assert all(not seen for _, seen, *_ in found.state.pile(Pile.DECK))


@pytest.mark.rule("HI-06", "OMEN-EOT-03", "OMEN-REWARD-04", "OMEN-REWARD-01")
def test_hi_06_used_and_shed_rewards() -> None:
    found = scenario(
        {
            "step": "surge",
            "A": {"coins": 0, "hand": ["s1a", "s1b", "s2a", "s2b", "s3a", "s3b"], "prizes": ["w1", "w3", "w5"]},
            "B": {"prizes": ["w2", "w4"]},
        }
    )  # fmt: skip
    found.play("A SURGE w1", "A SURGE end", "A OFFER none", "A LIMIT w3")
    used = found.game.view(found.state, Viewer(1)).players[0].used
    assert [slot.card.id for slot in used if slot.HasField("card")] == ["w1"]
    assert len(used) == 2
    own = found.game.view(found.state, Viewer(0)).players[0].used
    assert sorted(slot.card.id for slot in own) == ["w1", "w3"]
    unknown = sum(
        not seen >> 1 & 1
        for pile in (Pile.PRIZE_POOL, Pile.USED, Pile.HAND)
        for card, seen, *_ in found.state.pile(pile)
        if found.game.compiled.faces[card].kind.name == "REWARD"
    )  # fmt: skip
    every = sum(
        found.game.compiled.faces[card].kind.name == "REWARD"
        for pile in range(Pile.COUNT)
        for card, *_ in found.state.pile(pile)
    )
    # All but the used one and B's own two.
    assert unknown == every - 1 - 2


@pytest.mark.rule("HI-07", "OMENX-HID-05")
def test_hi_07_no_sign_of_a_reaction_in_the_other_view() -> None:
    given = {
        "step": "war",
        "A": {"hand": ["z11"]},
        "B": {"hand": ["h1"]},
        "c1": {"A": ["s4a"], "B": ["s1a", "s1b", "o1a"]},
    }
    found = scenario(given, {"heroes": True})
    assert found.state.decision == (Decision.REACT, 1)
    assert found.state.legal(0) == []
    text = str(found.game.view(found.state, Viewer(0)))
    assert "h1" not in text
    assert "REACT" not in text
    assert "REACT" in str(found.game.view(found.state, Viewer(1)))


@pytest.mark.rule("HI-08", "OMEN-WHIM-04")
def test_hi_08_whims_are_known_to_their_holder_and_passed_ones_to_both() -> None:
    found = scenario({"step": "setup", "whims_next": ["t3", "t4", "t1"]}, {"whims": True, "oldest_seat": "A"})
    found.play("B WHIM_DRAW draw", "B WHIM_DRAW draw", "B WHIM_DRAW stop", "B WHIM_PASS t3")
    state = found.state
    seen = {found.card(card): mask for seat in range(2) for card, mask, *_ in state.pile(Pile.HAND + seat)
            if found.card(card).startswith("t")}  # fmt: skip
    assert seen == {"t3": 0b011, "t4": 0b010}
    out = [mask for card, mask, *_ in state.pile(Pile.OUT) if found.card(card).startswith("t")]
    assert out == [0, 0, 0]


@pytest.mark.rule("HI-09", "OMEN-DECK-03", "OMENX-HID-01")
def test_hi_09_the_discard_pile_is_public() -> None:
    state = Omen.configure(2, {"spirits": True}).initial_state()
    rng = Rng(9)
    looked = 0
    for _ in range(400):
        actor = state.actor()
        if actor == -3:
            break
        state.apply(rng.weighted(state.chance()) if actor == -1 else rng.choice(state.legal()))
        if state.pile(Pile.DISCARD):
            looked += 1
            wanted = [state.game.compiled.faces[card].id for card, *_ in state.pile(Pile.DISCARD)]
            for viewer in (Viewer(0), Viewer(1), SPECTATOR):
                assert [card.id for card in state.game.view(state, viewer).decks[0].discard] == wanted
    assert looked > 50


def rank(code: int) -> tuple[int, ...]:
    """Units by seat, City and card, other cards by card (ids ascend with their indices)."""
    verb = BOOK.verb(code)
    values = dict(zip(verb.fields, verb.unpack(code), strict=True))
    return tuple(values.get(name, 0) for name in ("seat", "city", "card", "nth"))


@pytest.mark.rule("HI-10", "OMENX-ATOM-01", "OMENX-ATOM-03", "OMENX-ATOM-04", "OMENX-ATOM-05")
@pytest.mark.parametrize("options", [{}, {"relics": True, "heroes": True, "whims": True, "spirits": True}])
def test_hi_10_nodes_have_two_options_in_canonical_order(options: dict[str, Any]) -> None:
    game = Omen.configure(2, options)
    state, again = game.initial_state(), game.initial_state()
    rng = Rng(10)
    while state.actor() != -3:
        if state.actor() == -1:
            code = rng.weighted(state.chance())
        else:
            legal = state.legal()
            assert len(legal) == len(set(legal)) >= (1 if state.decision[0] in (Decision.SURGE, Decision.CARD) else 2)
            assert state.clone().legal() == legal
            ranks = [rank(option) for option in legal if "card" in BOOK.verb(option).fields]
            assert ranks == sorted(ranks)
            for option in legal:
                state.clone().apply(option)
            code = rng.choice(legal)
        state.apply(code)
        again.apply(code)
    assert state.to_bytes() == again.to_bytes()


@pytest.mark.rule("HI-11", "OMENT-TRIUMPH-05")
def test_hi_11_a_unit_in_the_rewards_area_is_named() -> None:
    found = scenario(
        {"step": "surge", "A": {"coins": 1, "hand": ["u1a", "u1b"]}, "c1": {"A": ["utra", "umya"]}}, edition="traits"
    )
    found.play("A SURGE u1a", "A CITY 1")
    used = found.game.view(found.state, Viewer(1)).players[0].used
    assert [slot.card.id for slot in used] == ["utra"]


@pytest.mark.rule("HI-12", "OMENX-HID-06", "OMENT-RECRUIT-02")
def test_hi_12_a_card_put_back_in_secret_is_no_longer_followed() -> None:
    views = set()
    for back in ("u1c", "u2a"):
        found = scenario(
            {
                "step": "surge", "A": {"hand": ["urec", "u1c"], "known": ["u1c"]}, "deck": ["u2a", "ucov", "u1a"],
                "B": {"hand": ["z11"]},
            },
            edition="traits",
        )  # fmt: skip
        assert found.sees(1) == ["u1c"]
        found.play("A SURGE urec")
        labels = {found.label(code, 0): code for code in found.state.legal()}
        found.state.apply(labels[back])
        assert found.sees(1) == []
        views.add(view(found.state, 1))
        tops = Counter()
        rng = Rng(3)
        for _ in range(300):
            other = found.state.resample(1, rng)
            assert isinstance(other, OmenState)
            where = {found.card(card): pile for pile in (Pile.TOP, Pile.HAND) for card, *_ in other.pile(pile)}
            tops[where.get("u1c")] += 1
        # It is in the hand or on top, and nowhere else.
        assert set(tops) == {Pile.TOP, Pile.HAND}
    assert len(views) == 1


@pytest.mark.rule("HI-13", "OMEN-SCORE-06")
def test_hi_13_both_hands_are_open_at_the_end() -> None:
    found = scenario(
        {"step": "offering", "turn": 300, "A": {"hand": ["s1a"], "prizes": ["w1"]}, "B": {"hand": ["s2a"]}}
    )
    found.play("A OFFER none")
    assert found.value("over")
    for viewer in (Viewer(0), Viewer(1)):
        players = found.game.view(found.state, viewer).players
        assert [sorted(slot.card.id for slot in player.hand) for player in players] == [["s1a", "w1"], ["s2a"]]


@pytest.mark.rule("HI-14", "OMENX-ATOM-03")
def test_hi_14_single_end_of_surge_leaks_nothing() -> None:
    all_records, asked = [], []
    for hand in (["s1a"], ["z11"], ["s1a", "z11"]):
        found: Scenario = scenario(
            {"A": {"hand": hand, "coins": 0}, "B": {"hand": ["z12"]}, "deck": [f"z{n}" for n in range(13, 23)]}
        )
        state = found.state
        records = []
        while state.phase < Phase.OFFERING:
            code = state.legal()[-1] if state.actor() == 0 else rng_first(state)
            before = state.clone()
            seat = state.actor() if state.actor() >= 0 else None
            asked.append((before.decision, len(before.legal())))
            state.apply(code)
            # Each step is a record that B counts; the end of Surge is one that it knows.
            assert seat is None or before.decline_code() == -1
            knows = found.game.knows_code(before, seat, code, Viewer(1))
            events = found.game.events(before, seat, code, state, Viewer(1))
            records.append((seat, code if knows else None, [event.SerializeToString() for event in events]))
        all_records.append(records)
    assert all_records[0] == all_records[1]
    assert {options for ask, options in asked if ask == (Decision.SURGE, 0)} == {1, 2}


def rng_first(state: OmenState) -> int:
    """The first outcome of chance."""
    return state.chance()[0][0]


def records_of(found: Scenario, code: int) -> list[bytes]:
    """Events and view of the other seat when A applies a code."""
    before = found.state.clone()
    found.state.apply(code, 0)
    events = found.game.events(before, Seat(0), Code(code), found.state, Viewer(1))
    return [*(event.SerializeToString(deterministic=True) for event in events), view(found.state, 1)]


@pytest.mark.rule("HI-15", "OMENX-HID-01")
def test_hi_15_a_card_picked_in_public_is_known_at_once() -> None:
    deploy = {"op": "deploy", "sel": {"zone": "hand"}, "city": "any"}
    found = scenario(
        {"step": "surge", "A": {"hand": ["lead", "s1a", "s2a"]}, "B": {"hand": ["z12"]}},
        extra={"units": [soldier("lead", [deploy])]},
    )
    found.play("A SURGE lead", "A CITY 1")
    assert found.decision() == "A CARD"
    assert found.sees(1) == []
    found.play("A CARD s2a")
    # Its City is still to be chosen; who saw the choice knows the card, in views and in sampled worlds.
    assert found.decision() == "A CITY"
    assert found.sees(1) == ["s2a"]
    for seed in range(20):
        other = found.state.resample(1, Rng(seed))
        assert found.game.compiled.index("s2a") in {card for card, *_ in other.pile(Pile.HAND)}  # type: ignore[attr-defined]


@pytest.mark.rule("HI-16", "OMEN-EOT-03", "OMEN-REWARD-03")
def test_hi_16_nobody_learns_whether_the_reward_laid_down_was_just_won() -> None:
    given: dict[str, Any] = {
        "step": "close", "B": {"hand": ["z12"]},
        "A": {"hand": ["s1a", "s2a", "s3a", "s1b", "s2b", "s3b"], "prizes": ["w1"], "new_prizes": ["w2"]},
    }  # fmt: skip
    seen = []
    for laid in ("w1", "w2"):
        found = scenario(given)
        hand = found.game.view(found.state, Viewer(1)).players[0].hand
        assert not any(slot.fresh for slot in hand), "a mark on a hidden card would tell, later, which one is gone"
        own = found.game.view(found.state, Viewer(0)).players[0].hand
        assert [slot.card.id for slot in own if slot.fresh] == ["w2"]
        labels = {found.label(code, 0): code for code in found.state.legal()}
        seen.append(records_of(found, labels[laid]))
    assert seen[0] == seen[1]


@pytest.mark.rule("HI-16", "OMENX-HID-04")
def test_hi_16_in_sampled_worlds_either_reward_may_be_the_one_just_won() -> None:
    given: dict[str, Any] = {
        "step": "surge", "A": {"hand": ["shed", "z11"], "prizes": ["w1"], "new_prizes": ["w2"]},
    }  # fmt: skip
    options = [{"label": op, "do": [{"op": op}]} for op in ("coins", "draw")]
    shed = soldier("shed", [{"op": "shed_prize"}, {"op": "choose", "options": options}])
    found = scenario(given, extra={"units": [shed]})
    found.play("A SURGE shed", "A CITY 1", "A CARD w2")
    fresh: Counter[bool] = Counter()
    for seed in range(60):
        other = found.state.resample(1, Rng(seed))
        assert isinstance(other, OmenState)
        marks = {pile: [mark for card, _, mark, _ in other.pile(pile) if found.card(card).startswith("w")]
                 for pile in (Pile.HAND, Pile.USED)}  # fmt: skip
        assert sorted(marks[Pile.HAND] + marks[Pile.USED]) == [False, True]
        fresh[marks[Pile.HAND][0]] += 1
    assert min(fresh[True], fresh[False]) > 10


@pytest.mark.rule("HI-17", "OMENX-ATOM-05")
@pytest.mark.parametrize("options", [{"draft": "open20", "whims": True, "relics": True, "challenges": "normal"}])
def test_hi_17_a_restored_position_looks_like_the_live_one(options: dict[str, Any]) -> None:
    game = Omen.configure(2, options)
    state, rng = game.initial_state(), Rng(17)
    for _ in range(500):
        actor = state.actor()
        if actor == -3:
            break
        again = game.restore(state.game.position(state))
        for viewer in (Viewer(0), Viewer(1), SPECTATOR):
            assert game.view(again, viewer) == game.view(state, viewer)
        assert again.legal() == state.legal()
        state.apply(rng.weighted(state.chance()) if actor == -1 else rng.choice(state.legal()))


@pytest.mark.rule("OMENX-HID-04", "OMENX-ATOM-03")
def test_resampling_finds_a_deal_that_leaves_the_deciding_seat_a_choice() -> None:
    """One hidden card of 161 leaves A an option: 100 random deals miss it half the time, so a search finds it."""
    effect = {"op": "discard", "sel": {"zone": "hand", "trait": ["COVETED"]}}
    caller = {
        "id": "caller", "name": "Caller", "cost": 0, "offering": 0, "strength": 1, "traits": ["BOLSTER"],
        "abilities": [{"hook": "enter", "do": [effect]}],
    }  # fmt: skip
    others = ["u1a", "u1b", "u1c", "u2a", "u3a", "umya", "umyb", "uspa", "uspb", "uvet"]
    given = {"step": "surge", "A": {"hand": ["caller", "ucov"]}, "deck": others * 16}
    found = scenario(given, edition="traits", extra={"units": [caller]})
    found.takes_single = False
    state = found.state
    while state.decision[0] != Decision.CARD:
        code = next(code for code in state.legal() if "end" not in found.label(code, 0))
        state.apply(code, 0)
    seen = found.game.view(state, Viewer(1))
    for seed in range(12):
        other = state.resample(1, Rng(seed))
        assert other.legal(0) == state.legal(0)
        assert found.game.view(other, Viewer(1)) == seen

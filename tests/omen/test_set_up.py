"""Set-up and chance: the tests ST and CH of section 12.5 of RULES.md."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS
from gamepacks.api.errors import InvalidOptions
from gamepacks.omen import Omen, OmenTraits
from gamepacks.omen.codes import BOOK, DRAWN, EMISSARY, PRIZE, Pile
from gamepacks.omen.engine.rules import OmenState
from gamepacks.omen.v1.omen_enums import Decision, EventType, Kind, Phase, UnitType
from tests.omen.scenario import scenario

ALL = {"spirits": True, "heroes": True}


def set_up(game: Any, seed: int = 1, until: int = Phase.WEALTH) -> OmenState:
    """A game played at random to a phase."""
    state: OmenState = game.initial_state()
    rng = Rng(seed)
    while state.phase < until:
        actor = state.actor()
        if actor == CHANCE:
            state.apply(rng.weighted(state.chance()))
        else:
            seat = actor if actor >= 0 else next(seat for seat in range(2) if state.seats_to_act() >> seat & 1)
            state.apply(rng.choice(state.legal(seat)), seat)
    return state


def deck(state: OmenState, seat: int = 0) -> int:
    """Cards in a deck."""
    return sum(len(state.pile(pile + seat)) for pile in (Pile.DECK, Pile.TOP, Pile.BOTTOM))


@pytest.mark.rule(
    "ST-01", "OMEN-SETUP-01", "OMEN-SETUP-02", "OMEN-SETUP-03", "OMEN-SETUP-04", "OMEN-SETUP-05", "OMEN-SETUP-06",
    "OMEN-COMP-01", "OMEN-COMP-03", "OMEN-COMP-07",
)  # fmt: skip
@pytest.mark.parametrize("oldest", [0, 1])
def test_st_01_set_up_without_options(oldest: int) -> None:
    game = Omen.configure(2, {"oldest_seat": "ab"[oldest]})
    state = set_up(game)
    numbers = state.counters()
    assert deck(state) == 40
    assert [len(state.pile(Pile.HAND + seat)) for seat in range(2)] == [4, 4]
    assert numbers["coins"] == (4, 4)
    assert numbers["supply"] == 17 == 25 - 8
    assert numbers["left"] == (4, 4, 4)
    assert len(state.pile(Pile.PRIZE_POOL)) == 12
    assert [len(state.pile(Pile.FEATS_UP + seat)) for seat in range(2)] == [6, 6]
    assert all(known == 7 for seat in range(2) for _, known, *_ in state.pile(Pile.FEATS_UP + seat))
    assert state.pile(Pile.DISCARD) == []
    assert state.active == state.first == oldest


@pytest.mark.rule("ST-02", "OMEN-SETUP-01", "OMEN-COMP-04", "OMEN-COMP-05")
@pytest.mark.parametrize(("options", "size"), [({"spirits": True}, 52), ({"heroes": True}, 46), (ALL, 58)])
def test_st_02_optional_units(options: dict[str, bool], size: int) -> None:
    game = Omen.configure(2, options)
    state = set_up(game)
    assert deck(state) == size
    units = [card for pile in (Pile.DECK, Pile.HAND, Pile.HAND_B) for card, *_ in state.pile(pile)]
    assert len(set(units)) == len(units)
    types = Counter(game.compiled.faces[card].card.type for card in units)
    assert types["soldier"] == 24
    assert types["beast"] == types["oracle"] == 12
    assert types["spirit"] == 12 * options.get("spirits", False)
    assert types["hero"] == 6 * options.get("heroes", False)
    assert len(UnitType) == 5


@pytest.mark.rule("ST-03", "OMEN-DRAFT-01", "OMEN-DRAFT-08", "OMEN-DRAFT-09", "OMEN-DRAFT-10")
@pytest.mark.parametrize("draft", ["keep2of3", "open20"])
def test_st_03_after_a_draft(draft: str) -> None:
    state = set_up(Omen.configure(2, {"draft": draft}), 3)
    assert [deck(state, seat) for seat in range(2)] == [26, 26]
    assert [len(state.pile(Pile.HAND + seat)) for seat in range(2)] == [4, 4]
    assert state.counters()["coins"] == (4, 4)
    box = state.pile(Pile.OUT)
    assert len(box) == 6
    assert all(not known for _, known, *_ in box)
    for seat in range(2):
        own = [*state.pile(Pile.DECK + seat), *state.pile(Pile.HAND + seat)]
        assert all(owner == seat for *_, owner in own)


@pytest.mark.rule("ST-04", "OMEN-EMIS-04", "OMEN-SETUP-07")
def test_st_04_emissary_then_whims() -> None:
    state = set_up(Omen.configure(2, {"start": "emissary", "whims": True}), until=Phase.FIRST)
    assert state.actor() == SIMULTANEOUS
    assert state.counters()["coins"] == (4, 4)
    for seat in range(2):
        state.apply(state.legal(seat)[0], seat)
    first = state.first
    assert first is not None
    second = 1 - first
    assert state.phase == Phase.WHIMS
    for _ in range(3):
        assert state.decision == (Decision.WHIM_DRAW, second)
        state.apply(state.legal()[0])
        state.apply(state.chance()[0][0])
    assert state.decision == (Decision.WHIM_PASS, second)
    state.apply(state.legal()[0])
    kinds = [
        Counter(Kind(state.config.program.cards[11 * card]) for card, *_ in state.pile(Pile.HAND + seat))
        for seat in (first, second)
    ]
    assert kinds == [{Kind.UNIT: 3, Kind.WHIM: 1}, {Kind.UNIT: 4, Kind.WHIM: 2}]
    unseen = [card for card, known, *_ in state.pile(Pile.OUT) if not known]
    assert len(unseen) == 2
    assert len(state.pile(Pile.DISCARD)) == 1
    assert state.phase == Phase.WEALTH


@pytest.mark.rule("ST-05", "OMEN-CHAL-01", "OMEN-RELIC-01", "OMEN-WHIM-01", "OMEN-COMP-06")
def test_st_05_rows_of_the_variants() -> None:
    game = Omen.configure(2, {"challenges": "normal", "relics": True, "whims": True})
    state = set_up(game, until=Phase.WHIMS)
    for pile in (Pile.CHALLENGES, Pile.RELICS):
        row = state.pile(pile)
        assert len(row) == len({card for card, *_ in row}) == 6
        assert all(known == 7 for _, known, *_ in row)
    assert len(state.pile(Pile.WHIM_PILE)) == 5


@pytest.mark.rule("ST-07", "OMENT-COMB-01", "OMENT-SETUP-02")
def test_st_07_combined_kraters() -> None:
    state = set_up(OmenTraits.configure(2, {"combined": True}))
    left, pool = sum(state.counters()["left"]), len(state.pile(Pile.PRIZE_POOL))
    assert left == state.config.cities * state.config.prizes_per_city
    assert pool > left
    assert all(not known for _, known, *_ in state.pile(Pile.PRIZE_POOL))
    files = {face.id.partition(":")[0] for face in state.game.compiled.faces}
    assert len(files) == 2
    assert len(state.pile(Pile.DECK)) + 8 == sum(
        count for card, count in enumerate(state.config.composition())
        if state.config.program.cards[11 * card] == Kind.UNIT
    )  # fmt: skip


@pytest.mark.rule("ST-07", "OMENT-COMB-01")
def test_st_07_another_number_of_cities_is_refused() -> None:
    with pytest.raises(InvalidOptions):
        OmenTraits.configure(2, {"combined": True, "more_sets": ("house-bronze-1",)})


@pytest.mark.rule("ST-08", "OMEN-TURN-01", "OMEN-TURN-02", "OMEN-TURN-03", "OMEN-TURN-04")
@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, ["SURGE", "PORTENT", "FEAT", "WAR", "OFFERING"]),
        ({"challenges": "normal"}, ["SURGE", "PORTENT", "FEAT", "CHALLENGE", "WAR", "OFFERING"]),
        ({"challenges": "long"}, ["SURGE", "PORTENT", "FEAT", "CHALLENGE", "WAR", "OFFERING"]),
    ],
)
def test_st_08_steps_in_printed_order(options: dict[str, str], wanted: list[str]) -> None:
    found = scenario({"A": {"hand": ["z01"]}, "B": {"hand": ["z02"]}}, options)
    found.play("A WEALTH coin", "A WEALTH coin")
    state = found.state
    steps = []
    while state.active == 0:
        code = state.legal()[-1]
        steps += [Phase(event[7]).name for event in state.trace_of(code) if event[0] == EventType.STEP_START]
        state.apply(code)
    # The last one is the other seat's Wealth.
    assert steps == [*wanted, "WEALTH"]
    assert state.decision == (Decision.WEALTH, 1)


@pytest.mark.rule("CH-01", "OMENX-CHANCE-01", "OMENX-CHANCE-02")
def test_ch_01_first_draws() -> None:
    state = Omen.configure(2).initial_state()
    first = state.chance()
    assert len(first) == 48
    assert {weight for _, weight in first} == {1}
    assert {BOOK.verb(code) for code, _ in first} == {DRAWN}
    state.apply(first[7][0])
    assert [code for code, _ in state.chance()] == [code for code, _ in first if code != first[7][0]]


def prizes(state: OmenState) -> dict[str, int]:
    """Weights of the prizes that chance can give."""
    faces = state.game.compiled.faces
    assert state.decision[0] == Decision.CHANCE_PRIZE
    return {faces[PRIZE.unpack(code)[0]].id: weight for code, weight in state.chance()}


def war(given: dict[str, Any], edition: str = "omega") -> OmenState:
    """A state just before the first prize is taken."""
    found = scenario({"step": "surge", **given}, edition=edition)
    state = found.state
    while state.decision[0] != Decision.CHANCE_PRIZE:
        state.apply(state.legal()[-1])
    return state


@pytest.mark.rule("CH-02", "OMENX-CHANCE-05", "OMEN-COMP-02")
def test_ch_02_rewards_share_one_pool() -> None:
    given = {
        "A": {"hand": ["s1a"], "coins": 1},
        "c1": {"A": ["b5a", "b5b", "s2a"]},
        "c2": {"A": ["b6a", "bkill", "s2b"]},
    }
    state = war(given)
    weights = prizes(state)
    assert len(weights) == 6
    assert set(weights.values()) == {2}
    state.apply(next(code for code, _ in state.chance()))
    while state.decision[0] != Decision.CHANCE_PRIZE:
        state.apply(state.legal()[0])
    later = prizes(state)
    assert sum(later.values()) == 11
    assert sorted(later.values()) == [1, 2, 2, 2, 2, 2]


@pytest.mark.rule("CH-03", "OMENX-CHANCE-05")
def test_ch_03_kraters_with_copies() -> None:
    given = {"A": {"hand": ["u1c"], "coins": 1}, "c1": {"A": ["umya", "umyb", "u1b"]}}
    assert prizes(war(given, "traits")) == {"k1": 3, "k2": 3, "k3": 3}


@pytest.mark.rule("CH-04", "OMENX-CHANCE-02", "OMENT-RECRUIT-02")
def test_ch_04_a_known_top_card_is_no_chance() -> None:
    found = scenario(
        {"step": "surge", "A": {"hand": ["urec"], "coins": 0}, "deck": ["u2a", "ucov", "u1a"], "c1": {"A": ["uspa"]}},
        edition="traits",
    )
    found.play("A SURGE urec", "A CARD u2a")
    state = found.state
    # Nothing but draws is left to do: the card on top comes without chance.
    while not (state.decision[0] == Decision.WEALTH and state.active == 1):
        state.apply(state.legal()[-1])
    before = state.clone()
    code = state.legal()[0]
    drawn = [event for event in before.trace_of(code) if event[0] == EventType.DRAW]
    assert [found.card(event[3]) for event in drawn] == ["u2a"]


@pytest.mark.rule("CH-05", "OMENX-CHANCE-03", "OMENX-FX-20")
def test_ch_05_looking_at_the_deck_decides_it() -> None:
    look = {"id": "look", "name": "look", "type": "soldier", "cost": 0, "offering": 0, "strength": 1, "abilities": [
        {"hook": "enter", "do": [
            {"op": "look", "zone": "deck_top", "n": 2, "as": "top"},
            {"op": "put", "sel": {"zone": "set", "same_as": "top", "n": "all"}, "to": "deck_top"},
            {"op": "draw", "n": 2},
        ]}]}  # fmt: skip
    found = scenario({"step": "surge", "A": {"hand": ["look", "z11"]}}, extra={"units": [look]})
    state = found.state
    for option in ("look", "1"):
        labels = {found.label(code, 0): code for code in state.legal()}
        if option in labels:
            state.apply(labels[option])
    weights = []
    for _ in range(2):
        assert state.decision == (Decision.CHANCE_UNIT, -1)
        weights.append(sum(weight for _, weight in state.chance()))
        state.apply(state.chance()[0][0])
    assert weights == [10, 9]
    assert state.decision == (Decision.CARD, 0)
    under, over = state.legal()
    state.apply(under)
    assert state.legal() == [over]
    # The card put last lies on top.
    assert [event[3] for event in state.clone().trace_of(over) if event[0] == EventType.DRAW] == [
        over & 0xFF,
        under & 0xFF,
    ]
    state.apply(over)
    assert state.decision[0] != Decision.CHANCE_UNIT


@pytest.mark.rule("CH-06", "OMENX-CHANCE-06", "OMEN-REWARD-06")
def test_ch_06_a_random_discard() -> None:
    random = {"id": "rnd", "name": "rnd", "type": "soldier", "cost": 0, "offering": 0, "strength": 1, "abilities": [
        {"hook": "enter", "do": [{"op": "discard", "sel": {"zone": "hand", "side": "opp", "pick": "random"}}]}
    ]}  # fmt: skip
    found = scenario(
        {"step": "surge", "A": {"hand": ["rnd", "z11"]}, "B": {"hand": ["s1a", "s2a", "s3a"], "prizes": ["w1"]}},
        extra={"units": [random]},
    )
    state = found.state
    for option in ("rnd", "1"):
        labels = {found.label(code, 0): code for code in state.legal()}
        if option in labels:
            state.apply(labels[option])
    assert state.decision == (Decision.CHANCE_HAND, -1)
    assert {found.card(code & 0xFF): weight for code, weight in state.chance()} == {"s1a": 1, "s2a": 1, "s3a": 1}


@pytest.mark.rule("CH-07", "OMENX-CHANCE-04")
def test_ch_07_a_shuffled_deck_has_no_order() -> None:
    shuffle = {"id": "shf", "name": "shf", "type": "soldier", "cost": 0, "offering": 0, "strength": 1, "abilities": [
        {"hook": "enter", "do": [
            {"op": "put", "sel": {"zone": "hand"}, "to": "deck_top"}, {"op": "shuffle"}, {"op": "draw", "n": 1}
        ]}
    ]}  # fmt: skip
    found = scenario(
        {"step": "surge", "A": {"hand": ["shf", "z11"]}, "discard": ["s1a", "s1b", "s2a", "s2b", "s3a"]},
        extra={"units": [shuffle]},
    )
    state = found.state
    for option in ("shf", "1"):
        labels = {found.label(code, 0): code for code in state.legal()}
        if option in labels:
            state.apply(labels[option])
    assert state.decision == (Decision.CHANCE_UNIT, -1)
    assert len(state.chance()) == 16
    assert state.pile(Pile.TOP) == state.pile(Pile.DISCARD) == []


@pytest.mark.rule("OMENX-SIMUL-01", "OMENX-SIMUL-02", "HI-03")
def test_hi_03_the_second_seat_learns_nothing_of_the_first_emissary() -> None:
    game = Omen.configure(2, {"start": "emissary"})
    state = set_up(game, until=Phase.FIRST)
    seen = set()
    for code in state.legal(0):
        assert BOOK.verb(code) is EMISSARY
        after = state.clone()
        after.apply(code, 0)
        assert after.actor() == SIMULTANEOUS
        assert after.seats_to_act() == 2
        seen.add((game.view(after, 1).SerializeToString(), tuple(after.legal(1))))
    assert len(seen) == 1
    assert len(state.legal(0)) == 4

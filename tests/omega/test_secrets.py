"""Knowledge of the viewers: section 15.6 of RULES.md. The kit tests noninterference; these are its hard cases."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.types import Code, Seat, Viewer
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import BLACK, BOOK
from gamepacks.omega.engine.rules import OmegaState
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.v1.omega_enums import Phase
from tests.omega.fixtures import F, book, library
from tests.omega.invariants import check_state
from tests.omega.scenario import OmegaScenario, Player, counts
from tests.omega.test_invariants import DENSE, preferred

PRIVATE = {"bag", "absent", "deck", "looked", "certain", "seats", "batch", "frames"}


class ShownRunes:
    """The runes that are certain to be in each pyramid, by type, derived from a spectator's events alone."""

    def __init__(self, players: int) -> None:
        self.known = [[0] * 6 for _ in range(players)]

    def observe(self, event: pb.Event) -> None:
        kind = event.WhichOneof("event")
        what = getattr(event, kind or "event")
        if kind == "rune_drawn" and what.rune:
            self.known[what.seat][what.rune - 1] += 1
        elif kind == "runes_recovered":
            for type_, count in enumerate(what.runes):
                self.known[what.seat][type_] += count
        elif kind == "rune_cycled":
            self.known[what.seat][what.rune - 1] += 1
        elif kind == "black_swapped":
            self.known[what.seat][what.rune - 1] += 1
            self._leaves(what.seat, BLACK, 1)
        elif kind == "egregor_gained":
            # Announced now, paid when the loser has picked; either way it is known to be gone by then.
            for type_, count in enumerate(what.batch):
                self._leaves(what.seat, type_, count)
        elif kind == "runes_placed":
            self._leaves(what.seat, what.rune - 1, len(what.places))

    def _leaves(self, seat: int, type_: int, count: int) -> None:
        self.known[seat][type_] = max(0, self.known[seat][type_] - count)


def assert_indistinguishable(game: Omega, state: OmegaState, other: OmegaState, viewer: int) -> None:
    """Assert that a viewer cannot distinguish two states."""
    assert game.view(other, Viewer(viewer)) == game.view(state, Viewer(viewer))
    assert other.actor() == state.actor()
    if viewer >= 0:
        assert other.legal(viewer) == state.legal(viewer)
    ours, theirs = state.dump(), other.dump()
    for name in set(ours) - PRIVATE:
        assert ours[name] == theirs[name], name
    assert ours["absent"] == theirs["absent"]
    for name in ("bag", "batch"):
        assert sum(ours[name]) == sum(theirs[name]), name
    assert len(ours["looked"]) == len(theirs["looked"]) and len(ours["deck"]) == len(theirs["deck"])
    if viewer == ours["active_seat"]:
        assert ours["looked"] == theirs["looked"] and ours["batch"] == theirs["batch"]
        assert ours["frames"] == theirs["frames"]
    for seat, (mine, its) in enumerate(zip(ours["seats"], theirs["seats"], strict=True)):
        for name in set(mine) - {"pyramid"}:
            assert mine[name] == its[name], name
        assert sum(mine["pyramid"]) == sum(its["pyramid"])
        if seat == viewer:
            assert mine["pyramid"] == its["pyramid"]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("dense", [False, True])
def test_resampled_states_agree_with_everything_seen(players: int, dense: bool) -> None:
    """For each viewer, at sampled nodes of random games; the knowledge of a viewer is derived from its events alone."""
    cards = library(DENSE, squares=12, eye=12)
    game = (
        Omega.configure(players, {"card_set": "fixture", "max_turns": 40}, cards) if dense else Omega.configure(players)
    )
    rng, state = Rng(7 * players + dense), game.initial_state()
    witness, resampled = ShownRunes(players), 0
    for step in range(1_500):
        if state.actor() == TERMINAL:
            break
        before = state.clone()
        actor = state.actor()
        code = Code(rng.weighted(state.chance()) if actor == CHANCE else preferred(rng, state))
        state.apply(code)
        for event in game.events(before, Seat(actor) if actor >= 0 else None, code, state, Viewer(-1)):
            witness.observe(event)
        if step % 7 or state.actor() == TERMINAL:
            continue
        shown = [player["shown"] for player in state.dump()["seats"]]
        if not state.dump()["batch_shown"]:
            # The table keeps count of the same; an announced black is known for a moment more.
            for seat in range(players):
                assert all(a <= b for a, b in zip(witness.known[seat], shown[seat], strict=True))
                assert witness.known[seat][:BLACK] == shown[seat][:BLACK]
        for viewer in range(-1, players):
            other = state.resample(viewer, rng)
            resampled += 1
            check_state(game, other)
            assert_indistinguishable(game, state, other, viewer)
            pyramids = [player["pyramid"] for player in other.dump()["seats"]]
            for seat in range(players):
                assert all(a <= b for a, b in zip(shown[seat], pyramids[seat], strict=True))
    assert resampled > 100


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_opponents_unknown_runes_are_drawn_from_all_that_are_unseen(players: int) -> None:
    scenario = OmegaScenario(players).at(
        Player("BGRVW"), Player("BBBGKK", {"Z0": "5R"}, shown="BK"), *[Player("WWV")] * (players - 2), altar="RRVVKK"
    )
    rng, tries = Rng(11), 1_500
    unseen = list(scenario.view(0).unseen)
    assert sum(unseen) == scenario.bag_size + 6 + 3 * (players - 2)
    # What everybody knows to be there is drawn from no more: B and K of the second seat.
    free = [count - known for count, known in zip(unseen, counts("BK"), strict=True)]
    found: Counter[int] = Counter()
    for _ in range(tries):
        hand = scenario.state.resample(0, rng).dump()["seats"][1]["pyramid"]
        for type_, (count, known) in enumerate(zip(hand, counts("BK"), strict=True)):
            assert count >= known
            found[type_] += count - known
    for type_ in range(6):
        expected = 4 * tries * free[type_] / sum(free)
        assert abs(found[type_] - expected) < 6 * expected**0.5 + 5, (type_, found[type_], expected)


def test_spectator_knows_no_pyramid_and_the_host_all() -> None:
    scenario = OmegaScenario(3).at(Player("BBGGRR"), Player("VVWWKK"), Player("BGRVWK"))
    rng, hands = Rng(2), [set[tuple[int, ...]](), set[tuple[int, ...]](), set[tuple[int, ...]]()]
    for _ in range(40):
        for seat, player in enumerate(scenario.state.resample(-1, rng).dump()["seats"]):
            hands[seat].add(tuple(player["pyramid"]))
    assert all(len(seen) > 20 for seen in hands)
    assert scenario.state.resample(-2, rng).to_bytes() == scenario.state.to_bytes()


def test_at_the_judgement_everything_lies_open() -> None:
    scenario = OmegaScenario(3).at(
        Player("BBG", tokens=["five"]), Player("VK"), phase=Phase.OVER, ending=4, announcer=0
    )
    for viewer in (-1, 0, 2):
        view = scenario.view(viewer)
        assert [list(player.pyramid) for player in view.players] == [counts("BBG"), counts("VK"), counts("")]
        assert [token.name for token in view.players[0].tokens] == ["five"]
        assert view.players[1].HasField("score")
        assert scenario.state.resample(viewer, Rng(1)).to_bytes() == scenario.state.to_bytes()


def test_view_shows_only_the_running_score_of_its_viewer() -> None:
    scenario = OmegaScenario(3).at(Player(tokens=["five"]), Player(tokens=["seven"]), Player())
    for viewer in (-1, 0, 1, 2):
        assert [player.HasField("score") for player in scenario.view(viewer).players] == [
            seat == viewer for seat in range(3)
        ]
    assert scenario.view(0).players[0].score.arcana == 5


def most_red(n: int = 7, tie: str = "none", color: str | None = "red") -> dict[str, Any]:
    return {"kind": "most", "what": {"counter": "runes_in_pyramid", "color": color}, "n": n, "tie": tie}


def with_token(points: dict[str, Any], players: int = 3, **options: Any) -> OmegaScenario:
    """Returns a scenario whose token ``it`` has this formula; all others are worth nothing."""
    tokens = (
        {"id": "it", "copies": 12, "points": points},
        {"id": "rest", "copies": 30, "points": {"kind": "fixed", "n": 0}},
    )
    return OmegaScenario(players, set_={"tokens": tokens}, **options)


def arcana(scenario: OmegaScenario) -> tuple[int, int]:
    """Bounds of the points of seat 0's tokens in its own view."""
    score = scenario.view(0).players[0].score
    assert score.total == score.runes + score.gold + score.arcana + score.bonus
    return score.arcana, score.arcana_most


@pytest.mark.parametrize("n", [7, -4])
@pytest.mark.parametrize("others", [("VVVV", "GGG"), ("RRRR", "GGG"), ("VVVV", "RRR")])
def test_score_in_a_view_leaks_nothing_of_other_pyramids(others: tuple[str, str], n: int) -> None:
    scenario = with_token({"kind": "sum", "of": (most_red(n), {"kind": "fixed", "n": 2})})
    scenario.at(Player("RR", tokens=["it"]), *[Player(hand) for hand in others], tops=["rest"] * 6)
    assert arcana(scenario) == (2 + min(n, 0), 2 + max(n, 0))


def test_score_in_a_view_counts_what_is_known_of_other_pyramids() -> None:
    scenario = with_token(most_red())
    for hand, shown, tie, worth in (
        # Too few runes to lead, or to share the lead.
        ("V", "", "none", (7, 7)),
        ("VV", "", "all", (7, 7)),
        ("VV", "", "none", (0, 7)),
        # All of it is known.
        ("VVV", "VVV", "none", (7, 7)),
        ("RRR", "RRR", "none", (0, 0)),
        ("RRV", "RR", "none", (0, 0)),
        ("RRV", "RR", "all", (0, 7)),
        ("RVV", "VV", "none", (7, 7)),
    ):
        scenario = with_token(most_red(tie=tie))
        scenario.at(Player("RR", tokens=["it"]), Player(hand, shown=shown), tops=["rest"] * 6)
        assert arcana(scenario) == worth, (hand, shown, tie)
    # How many runes a pyramid holds in all is public.
    scenario = with_token(most_red(color=None))
    scenario.at(Player("RR", tokens=["it"]), Player("V"), Player("VV"), tops=["rest"] * 6)
    assert arcana(scenario) == (0, 0)
    # The judge sees the truth, and so does everybody at the judgement.
    for phase, viewer in ((Phase.MAIN, -2), (Phase.OVER, 1)):
        scenario = with_token(most_red())
        ending = {"ending": 4, "announcer": 0} if phase is Phase.OVER else {}
        scenario.at(Player("RR", tokens=["it"]), Player("VVVR"), phase=phase, tops=["rest"] * 6, **ending)
        score = scenario.view(viewer).players[0].score
        assert (score.arcana, score.arcana_most) == (7, 7)


@pytest.mark.parametrize("players", [2, 3])
def test_bounds_of_the_score_in_a_view_hold_in_every_world_and_are_reached(players: int) -> None:
    """Compares the bounds with resampled states, also with few runes and after failed searches."""
    rng, reached = Rng(players), Counter[str]()
    for _ in range(60):
        scenario = with_token(most_red(tie=rng.choice(["none", "all"]), color="blue"), players)
        # Twenty blues lie on Egregors; the other five, and a few whites, are where they are by chance.
        hands, bag = [""] * players, ""
        for rune in "BBBBBWWW":
            seat = rng.below(players + 1)
            if seat < players:
                hands[seat] += rune
            else:
                bag += rune
        seats = [Player(hand) for hand in hands]
        seats[0] = Player(hands[0], {"Z0": "10B", "Z1": "10B"}, tokens=["it"])
        none = [letter not in bag and rng.below(2) == 1 for letter in "BGRVWK"]
        position = scenario.position(*seats, bag=bag, rest=players - 1, absent=none, tops=["rest"] * 6)
        # All that is left of other types lies in the last pyramid, and everyone knows it.
        last, hidden = position.seats[players - 1], counts(hands[-1])
        for type_ in range(6):
            last.shown[type_] = last.pyramid[type_] - hidden[type_] + min(hidden[type_], rng.below(2))
        if "W" not in hands[-1]:
            last.shown[4] = last.pyramid[4]
        scenario.state = scenario.game.restore(position)
        low, high = arcana(scenario)
        found = set()
        for _ in range(150):
            other = scenario.state.resample(0, rng)
            score = scenario.game.view(other, Viewer(0)).players[0].score
            assert (score.arcana, score.arcana_most) == (low, high)
            found.add(other.score_parts()[0][2])
        assert low <= min(found) and max(found) <= high
        reached["open" if low < high else "sure"] += 1
        reached["both"] += len(found) == 2
    assert reached["sure"] > 5 and reached["both"] > 5
    # Against one opponent the bounds are exact; against two, what one has the other has not.
    assert players > 2 or reached["both"] == reached["open"]


@pytest.mark.parametrize("viewer", [-1, 1])
def test_a_waiting_green_does_not_betray_the_rune_announced_after_it(viewer: int) -> None:
    seen = set()
    for rune in "VRB":
        scenario = OmegaScenario(2, green_pairing="consecutive").at(
            Player("VVRRBB", {"Z0": "", "Z1": "R", "Z2": "B"}), altar="W"
        )
        scenario.place("V", "Z0")
        assert scenario.view(viewer).green_pending
        scenario.take(codes.PLACE, rune)
        view = scenario.view(viewer)
        seen.add(view.SerializeToString(deterministic=True))
        # It is over as soon as another rune lies.
        scenario.take(codes.TARGET, "Z0")
        assert scenario.view(viewer).green_pending is False
        drawing = scenario.state.pending is not None and scenario.view(viewer).decision == pb.DECISION_GAIN_RUNE
        assert drawing == (rune == "V")
    assert len(seen) == 1


def test_only_the_owner_learns_the_type_of_a_rune_from_the_bag() -> None:
    """Whatever is drawn or dealt, the messages of other viewers are equal to the byte."""
    deal = OmegaScenario(3, start_player=0)
    while deal.phase is not Phase.DEAL:
        deal.take_code(deal.state.chance()[0][0])
    drawn = OmegaScenario(3).at(Player("V"), Player("R"), altar="RR", phase=Phase.DRAW)
    drawn.take(codes.TAKE_BAG)
    for scenario in (deal, drawn):
        messages_by_viewer: dict[int, set[bytes]] = {viewer: set() for viewer in (-1, 0, 1, 2)}
        for outcome, _ in scenario.state.chance():
            after = scenario.state.clone()
            after.apply(outcome)
            for viewer, seen in messages_by_viewer.items():
                events = scenario.game.events(scenario.state, None, Code(outcome), after, Viewer(viewer))
                view = scenario.game.view(after, Viewer(viewer))
                seen.add(b"".join(m.SerializeToString(deterministic=True) for m in (*events, view)))
                assert scenario.game.knows_code(scenario.state, None, Code(outcome), Viewer(viewer)) == (viewer == 0)
        assert [len(seen) for seen in messages_by_viewer.values()] == [1, 6, 1, 1]


@pytest.mark.rule("OMEGA-SETUP-06", "OMEGA-SETUP-07")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_dealt_rune_is_known_to_its_owner_only(players: int) -> None:
    scenario = OmegaScenario(players, start_player=players - 1)
    while scenario.phase is not Phase.DEAL:
        scenario.take_code(scenario.state.chance()[0][0])
    got = []
    while scenario.phase is Phase.DEAL:
        before, code = scenario.state.clone(), Code(scenario.state.chance()[0][0])
        scenario.take_code(code)
        sizes = [[sum(player["pyramid"]) for player in state.dump()["seats"]] for state in (before, scenario.state)]
        (seat,) = (seat for seat in range(players) if sizes[0][seat] != sizes[1][seat])
        knowing = [
            viewer for viewer in range(-1, players) if scenario.game.knows_code(before, None, code, Viewer(viewer))
        ]
        assert knowing == [seat]
        (drawn, *_) = scenario.game.events(before, None, code, scenario.state, Viewer(-1))
        assert (drawn.rune_drawn.seat, drawn.rune_drawn.rune) == (seat, 0)
        got.append(seat)
    hands = {2: (4, 5), 3: (4, 5, 6), 4: (4, 5, 5, 6)}[players]
    assert got == [(players - 1 + place) % players for place, count in enumerate(hands) for _ in range(count)]


HANDS = ("GG", "VV", "RR", "WW")


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_legal_lists_leak_no_pyramid(viewer: int) -> None:
    """States that differ only in the pyramid of the deciding seat look the same to all others."""
    seen: set[tuple[Any, ...]] = set()
    own: set[bytes] = set()
    for hand in (*HANDS, "KK"):
        scenario = OmegaScenario(3).at(
            Player(hand, {"Z0": "K"}), Player("", {"Z1": "V", "Z2": "R"}), Player("", {"Z3": "B"})
        )
        refusals = []
        if viewer >= 0:
            assert scenario.state.legal(viewer) == []
            for code in (codes.PLACE(0), codes.PAIR(), codes.SUMMON(0), codes.PLACE_BLACK(), codes.END_MAIN()):
                assert scenario.refused_code(code, viewer) == "NOT_YOUR_TURN"
                refusals.append(scenario.game.why_illegal(scenario.state, code, viewer).message)
        view = scenario.view(viewer)
        assert view.decision == pb.DECISION_MAIN and view.deciding_seat == 0
        seen.add((view.SerializeToString(deterministic=True), *refusals))
        own.add(scenario.view(0).SerializeToString(deterministic=True))
    assert len(seen) == 1
    assert len(own) == 5


def placing(hand: str) -> list[OmegaScenario]:
    """Returns scenarios in which these runes are being placed: as a batch, alone, or as a pair."""
    single = OmegaScenario(3).at(Player(hand, {"Z0": "K"}), Player("R", {"Z1": "V"}))
    single.take(codes.PLACE, hand[0])
    scenarios = [single]
    if hand == "VV":
        for steps in ((codes.PAIR,), (codes.PAIR, codes.PAIR_FIRST)):
            pair = OmegaScenario(3).at(Player(hand, {"Z0": "K"}), Player("R", {"Z1": "V"}))
            for verb in steps:
                pair.take(verb, *(["Z0"] if verb.fields else []))
            scenarios.append(pair)
    return scenarios


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_announced_rune_is_seen_by_others_when_it_is_placed(viewer: int) -> None:
    seen = set()
    for hand in HANDS:
        for scenario in placing(hand):
            view = scenario.view(viewer)
            assert view.decision == pb.DECISION_PLACING and view.placing == 0
            seen.add(view.SerializeToString(deterministic=True))
            assert scenario.view(0).placing == codes.LETTERS.index(hand[0]) + 1
    assert len(seen) == 1
    # The codes that lead there are kept from all others.
    scenario = OmegaScenario(3).at(Player("VV", {"Z0": "K"}), Player("R", {"Z1": "V"}))
    for code in (codes.PLACE(codes.GREEN), codes.PAIR()):
        assert not scenario.game.knows_code(scenario.state, Seat(0), code, Viewer(viewer))
        after = scenario.state.clone()
        after.apply(code)
        assert scenario.game.events(scenario.state, Seat(0), code, after, Viewer(viewer)) == []


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_a_batch_is_seen_when_it_is_complete_its_target_at_once(viewer: int) -> None:
    seen = set()
    for hand in HANDS:
        scenario = OmegaScenario(3).at(Player(hand, {"Z0": ""}), Player("R", {"Z1": "V", "Z2": ""}, mask="Z2"))
        scenario.take(codes.CAPTURE, 1, "Z1")
        scenario.take(codes.ADD, hand[0])
        view = scenario.view(viewer)
        assert (view.batch_target.seat, view.batch_target.place, list(view.batch)) == (1, 0, [])
        seen.add(view.SerializeToString(deterministic=True))
        assert list(scenario.view(0).batch) == counts(hand[0])
        assert not scenario.game.knows_code(scenario.state, Seat(0), codes.ADD(0), Viewer(viewer))
        scenario.take(codes.ADD, hand[0])
        scenario.take(codes.CONFIRM)
        # The loser picks while the batch lies open, before it is paid.
        assert list(scenario.view(viewer).batch) == counts(hand)
    assert len(seen) == 1


def test_a_batch_in_the_making_is_resampled_to_one_that_can_be_completed() -> None:
    scenario = OmegaScenario(3).at(Player("RRRBVK"), Player("R", {"Z1": "VVV", "Z2": ""}, mask="Z2"), Player("BB"))
    scenario.take(codes.CAPTURE, 1, "Z1")
    scenario.take(codes.ADD, "B")
    rng, batches = Rng(4), Counter[tuple[int, ...]]()
    for _ in range(300):
        other = scenario.state.resample(1, rng)
        values = check_state(scenario.game, other)
        assert_indistinguishable(scenario.game, scenario.state, other, 1)
        batches[tuple(values["batch"])] += 1
        pyramid = values["seats"][0]["pyramid"]
        assert sum(sorted(pyramid[:5])[-2:]) >= 4
        assert all(b <= p for b, p in zip(values["batch"], pyramid, strict=True))
        # It can be completed from here.
        while other.legal() != [codes.CONFIRM()]:
            other.apply(other.legal()[0])
    assert len(batches) == 5


def test_a_batch_that_lies_open_is_known_to_be_in_the_pyramid_until_it_is_paid() -> None:
    scenario = OmegaScenario(3).at(Player("RRRBVK"), Player("R", {"Z1": "VVV", "Z2": ""}, mask="Z2"), Player("BB"))
    scenario.capture(1, "Z1", "RRRB")
    rng, hands = Rng(12), set[tuple[int, ...]]()
    for _ in range(60):
        other = scenario.state.resample(1, rng)
        check_state(scenario.game, other)
        hands.add(tuple(other.dump()["seats"][0]["pyramid"]))
        while other.pending is not None and other.actor() == 1:
            other.apply(other.legal()[0])
        check_state(scenario.game, other)
    # The other two runes are nobody else's business.
    assert len(hands) > 8


def test_an_announced_black_is_known_to_be_there() -> None:
    scenario = OmegaScenario(3).at(Player("GGGK", {"Z0": ""}), Player("RR", {"Z1": "V"}), Player("BB"))
    rng = Rng(13)

    def blacks() -> set[int]:
        found = {scenario.state.resample(viewer, rng).dump()["seats"][0]["pyramid"][5] for viewer in (-1, 1, 2) * 30}
        return {min(count, 1) for count in found}

    assert blacks() == {0, 1}
    scenario.take(codes.PLACE_BLACK)
    assert blacks() == {1}
    scenario.take(codes.BLACK_TARGET, 1, "Z1")
    assert blacks() == {1}
    scenario.take(codes.BLACK_TAKE, "V")
    # It is gone, and what was taken is known instead.
    assert blacks() == {0, 1}
    assert all(scenario.state.resample(1, rng).dump()["seats"][0]["pyramid"][3] for _ in range(20))


KEYS = {"K1": F(1, 1, book(("key", 1))), "K2": F(1, 1, book(("key", 2))), "P": F(1, 1, primitive=True)}


def at_a_key(row: dict[str, str], *names: str, players: int = 3, **fields: Any) -> OmegaScenario:
    scenario = OmegaScenario(players, cards=KEYS).at(Player("R", row), Player("V", {"Z20": ""}), **fields)
    scenario.book(next(iter(row)))
    scenario.look(*names)
    return scenario


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_cards_looked_at_are_seen_by_their_user_alone(viewer: int) -> None:
    seen = set()
    for names in (("Z10", "Z11"), ("P", "Z30"), ("K1", "Z5")):
        scenario = at_a_key({"K2": "GV"}, *names)
        view = scenario.view(viewer)
        assert view.looked_count == 2 and not view.looked
        assert view.decision == pb.DECISION_KEY
        seen.add(view.SerializeToString(deterministic=True))
        assert [card.name for card in scenario.view(0).looked] == sorted(names, key=scenario.card)
        if viewer >= 0:
            assert scenario.state.legal(viewer) == []
        looked = [event.key_looked for event in scenario.events if event.WhichOneof("event") == "key_looked"]
        assert len(looked) == 2 and not any(event.HasField("card") for event in looked)
    assert len(seen) == 1


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_a_look_leaks_nothing_to_other_viewers(viewer: int) -> None:
    scenario = at_a_key({"K2": ""}, "Z10")
    sentences = set()
    for outcome, _ in scenario.state.chance():
        after = scenario.state.clone()
        after.apply(outcome)
        events = scenario.game.events(scenario.state, None, Code(outcome), after, Viewer(viewer))
        sentences.add(b"".join(event.SerializeToString(deterministic=True) for event in events))
        assert not scenario.game.knows_code(scenario.state, None, Code(outcome), Viewer(viewer))
        assert scenario.game.knows_code(scenario.state, None, Code(outcome), Viewer(0))
    assert len(sentences) == 1


def test_a_chosen_card_is_seen_when_it_lies() -> None:
    scenario = at_a_key({"K2": "", "K1": ""}, "Z10", "Z11", "Z12")
    take = scenario.code(codes.KEY_TAKE, "Z11")
    # Which Key it replaces is still to be said: until then it is nobody else's business.
    assert not scenario.game.knows_code(scenario.state, Seat(0), take, Viewer(1))
    assert scenario.game.knows_code(scenario.state, Seat(0), take, Viewer(0))
    before = scenario.view(1)
    scenario.take_code(take)
    after = scenario.view(1)
    assert "Z11" not in str(after)
    assert after.looked_count == before.looked_count
    scenario.take(codes.KEY_PLACE, "K1")
    assert scenario.event("key_replaced").new_card.name == "Z11"
    # With one Key left, the choice is seen at once.
    assert scenario.game.knows_code(scenario.state, Seat(0), scenario.code(codes.KEY_TAKE, "Z10"), Viewer(1))


def test_looked_at_cards_are_resampled_for_others_only() -> None:
    scenario = at_a_key({"K2": "GV", "K1": "V"}, "Z10", "Z11", "P")
    rng, looks = Rng(5), set()
    for _ in range(60):
        other = scenario.state.resample(1, rng)
        check_state(scenario.game, other)
        assert_indistinguishable(scenario.game, scenario.state, other, 1)
        looks.add(tuple(other.dump()["looked"]))
        assert scenario.state.resample(0, rng).dump()["looked"] == scenario.values["looked"]
    assert len(looks) > 50
    # After a card has been chosen, it is one that fits some Key.
    scenario.key("Z10")
    chosen = set()
    for _ in range(60):
        other = scenario.state.resample(1, rng)
        check_state(scenario.game, other)
        assert other.legal()
        assert other.pending is not None
        chosen.add(other.pending[1])
    assert len(chosen) > 20


def test_cards_of_an_emptied_deck_are_known_to_be_looked_at() -> None:
    scenario = OmegaScenario(3, cards=KEYS).at(Player("R", {"K2": "", "K1": ""}), Player("V"), deck=["Z10", "Z11"])
    scenario.book("K2")
    scenario.look("Z10", "Z11", "Z12")
    assert scenario.pile("certain") == {"Z10", "Z11"}
    rng, others = Rng(6), set()
    for _ in range(40):
        looked = {scenario.names[card] for card in scenario.state.resample(1, rng).dump()["looked"]}
        assert {"Z10", "Z11"} < looked and len(looked) == 3
        others |= looked
    assert len(others) > 15
    # One of them is chosen: it lies in the open, and is looked at no more.
    scenario.key("Z10")
    scenario.take(codes.KEY_PLACE, "K1")
    assert scenario.pile("certain") == {"Z11"}


def test_after_a_failed_search_no_resample_has_that_colour_in_the_bag() -> None:
    cards = {"A": F(1, 1, book(("draw", 1, "red")))}
    scenario = OmegaScenario(3, cards=cards).at(Player("", {"A": ""}), Player("VV"), altar="B", bag="5V 5W 5G", rest=2)
    rng = Rng(8)
    before = [scenario.state.resample(viewer, rng).dump()["bag"][2] for viewer in (0, 1, -1) for _ in range(10)]
    assert any(before)
    scenario.book("A")
    assert scenario.values["absent"][2]
    for viewer in (0, 1, -1):
        for _ in range(10):
            other = scenario.state.resample(viewer, rng)
            check_state(scenario.game, other)
            assert other.dump()["bag"][2] == 0


def test_a_rune_that_goes_to_the_bag_ends_the_knowledge_that_it_has_none() -> None:
    cards = {"A": F(0, 1, book(("draw", 1, "red")))}
    scenario = OmegaScenario(3, cards=cards).at(
        Player("", {"A": "RR", "Z9": ""}), altar="B", bag="5V", rest=2, gained="Z9"
    )
    scenario.book("A")
    assert scenario.values["absent"][2]
    scenario.disown("A")
    assert scenario.bag("R") == 2 and not any(scenario.values["absent"])
    assert {scenario.state.resample(1, Rng(seed)).dump()["bag"][2] > 0 for seed in range(40)} == {False, True}


def test_no_viewer_learns_hidden_tokens() -> None:
    scenario = OmegaScenario(3).at(Player(tokens=["five"]), Player(tokens=["seven"]))
    for viewer in (-1, 0, 1, 2):
        view = scenario.view(viewer)
        assert [stack.hidden for stack in view.arcana] == scenario.values["hidden"]
        names = {field.name for field in type(view.arcana[0]).DESCRIPTOR.fields}
        assert names == {"top", "hidden"}


def test_unseen_counts_the_runes_hidden_from_the_viewer() -> None:
    scenario = OmegaScenario(3).at(Player("BB", {"Z0": "GG"}), Player("RRR"), Player("K"), altar="WW")
    whole = [25, 25, 37, 28, 22, 18]
    for viewer, hand in ((-1, ""), (0, "BB"), (1, "RRR"), (2, "K")):
        seen = counts("GG WW" + hand)
        assert list(scenario.view(viewer).unseen) == [a - b for a, b in zip(whole, seen, strict=True)]


def test_only_the_verbs_that_touch_secrets_are_kept_from_others() -> None:
    hidden = {
        verb.name
        for verb in BOOK.verbs
        if verb is not codes.KEY_TAKE
        and not Omega.configure(2).knows_code(
            OmegaScenario(2).at(Player("VV", {"Z0": ""})).state, Seat(0), verb(*[0] * len(verb.fields)), Viewer(1)
        )
    }
    assert hidden == {"DEAL", "BAG_RUNE", "LOOK", "PLACE", "PAIR", "PAIR_FIRST", "ADD"}

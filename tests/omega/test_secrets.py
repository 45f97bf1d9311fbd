"""Who knows what: section 15.6 of RULES.md. The leak law itself is checked by the kit; here stand its hard cases."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cext.random import Rng
from cext.state import CHANCE, TERMINAL
from gamepacks.api.types import Code, Seat, Viewer
from gamepacks.omega import Omega, codes
from gamepacks.omega.codes import BLACK, BOOK, Phase
from gamepacks.omega.engine.state import OmegaState
from gamepacks.omega.v1 import omega_pb2 as pb
from tests.omega.fixtures import F, book, library
from tests.omega.invariants import check_table
from tests.omega.tables import Player, Table, counts
from tests.omega.test_invariants import DENSE, preferred

PRIVATE = {"bag", "absent", "deck", "looked", "certain", "players", "batch", "stack"}


class Witness:
    """What a spectator can tell of the pyramids by the events alone: so many of each type are there for certain."""

    def __init__(self, players: int) -> None:
        self.known = [[0] * 6 for _ in range(players)]

    def hear(self, event: pb.Event) -> None:
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


def same_to(game: Omega, state: OmegaState, other: OmegaState, viewer: int) -> None:
    """Assert that a viewer cannot tell two states apart."""
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
    if viewer == ours["active"]:
        assert ours["looked"] == theirs["looked"] and ours["batch"] == theirs["batch"]
        assert ours["stack"] == theirs["stack"]
    for seat, (mine, its) in enumerate(zip(ours["players"], theirs["players"], strict=True)):
        for name in set(mine) - {"pyramid"}:
            assert mine[name] == its[name], name
        assert sum(mine["pyramid"]) == sum(its["pyramid"])
        if seat == viewer:
            assert mine["pyramid"] == its["pyramid"]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("dense", [False, True])
def test_resampled_tables_agree_with_everything_seen(players: int, dense: bool) -> None:
    """For each viewer, at sampled nodes of random games; what it may know is told by the events alone."""
    cards = library(DENSE, squares=12, eye=12)
    game = (
        Omega.configure(players, {"card_set": "fixture", "max_turns": 40}, cards) if dense else Omega.configure(players)
    )
    rng, state = Rng(7 * players + dense), game.initial_state()
    witness, resampled = Witness(players), 0
    for step in range(1_500):
        if state.actor() == TERMINAL:
            break
        before = state.clone()
        actor = state.actor()
        code = Code(rng.weighted(state.chance()) if actor == CHANCE else preferred(rng, state))
        state.apply(code)
        for event in game.events(before, Seat(actor) if actor >= 0 else None, code, state, Viewer(-1)):
            witness.hear(event)
        if step % 7 or state.actor() == TERMINAL:
            continue
        shown = [player["shown"] for player in state.dump()["players"]]
        if not state.dump()["batch_shown"]:
            # The table keeps count of the same; an announced black is known for a moment more.
            for seat in range(players):
                assert all(a <= b for a, b in zip(witness.known[seat], shown[seat], strict=True))
                assert witness.known[seat][:BLACK] == shown[seat][:BLACK]
        for viewer in range(-1, players):
            other = state.resample(viewer, rng)
            resampled += 1
            check_table(game, other)
            same_to(game, state, other, viewer)
            pyramids = [player["pyramid"] for player in other.dump()["players"]]
            for seat in range(players):
                assert all(a <= b for a, b in zip(shown[seat], pyramids[seat], strict=True))
    assert resampled > 100


@pytest.mark.parametrize("players", [2, 3, 4])
def test_an_opponents_unknown_runes_are_drawn_from_all_that_are_unseen(players: int) -> None:
    table = Table(players).at(
        Player("BGRVW"), Player("BBBGKK", {"Z0": "5R"}, shown="BK"), *[Player("WWV")] * (players - 2), altar="RRVVKK"
    )
    rng, tries = Rng(11), 1_500
    unseen = list(table.view(0).unseen)
    assert sum(unseen) == table.bag_size + 6 + 3 * (players - 2)
    # What everybody knows to be there is drawn from no more: B and K of the second seat.
    free = [count - known for count, known in zip(unseen, counts("BK"), strict=True)]
    found: Counter[int] = Counter()
    for _ in range(tries):
        hand = table.state.resample(0, rng).dump()["players"][1]["pyramid"]
        for type_, (count, known) in enumerate(zip(hand, counts("BK"), strict=True)):
            assert count >= known
            found[type_] += count - known
    for type_ in range(6):
        expected = 4 * tries * free[type_] / sum(free)
        assert abs(found[type_] - expected) < 6 * expected**0.5 + 5, (type_, found[type_], expected)


def test_a_spectator_knows_no_pyramid_and_the_judge_all() -> None:
    table = Table(3).at(Player("BBGGRR"), Player("VVWWKK"), Player("BGRVWK"))
    rng, hands = Rng(2), [set[tuple[int, ...]](), set[tuple[int, ...]](), set[tuple[int, ...]]()]
    for _ in range(40):
        for seat, player in enumerate(table.state.resample(-1, rng).dump()["players"]):
            hands[seat].add(tuple(player["pyramid"]))
    assert all(len(seen) > 20 for seen in hands)
    assert table.state.resample(-2, rng).to_bytes() == table.state.to_bytes()


def test_at_the_judgement_everything_lies_open() -> None:
    table = Table(3).at(Player("BBG", tokens=["five"]), Player("VK"), phase=Phase.OVER, ending=4, announcer=0)
    for viewer in (-1, 0, 2):
        view = table.view(viewer)
        assert [list(player.pyramid) for player in view.players] == [counts("BBG"), counts("VK"), counts("")]
        assert [token.name for token in view.players[0].tokens] == ["five"]
        assert view.players[1].HasField("score")
        assert table.state.resample(viewer, Rng(1)).to_bytes() == table.state.to_bytes()


def test_no_running_score_but_the_own() -> None:
    table = Table(3).at(Player(tokens=["five"]), Player(tokens=["seven"]), Player())
    for viewer in (-1, 0, 1, 2):
        assert [player.HasField("score") for player in table.view(viewer).players] == [
            seat == viewer for seat in range(3)
        ]
    assert table.view(0).players[0].score.arcana == 5


def most_red(n: int = 7, tie: str = "none", color: str | None = "red") -> dict[str, Any]:
    return {"kind": "most", "what": {"counter": "runes_in_pyramid", "color": color}, "n": n, "tie": tie}


def with_token(points: dict[str, Any], players: int = 3, **options: Any) -> Table:
    """A table whose token ``it`` is worth that; all others are worth nothing."""
    tokens = (
        {"id": "it", "copies": 12, "points": points},
        {"id": "rest", "copies": 30, "points": {"kind": "fixed", "n": 0}},
    )
    return Table(players, set_={"tokens": tokens}, **options)


def arcana(table: Table) -> tuple[int, int]:
    """What seat 0 is told that its tokens are worth: at least, at most."""
    score = table.view(0).players[0].score
    assert score.total == score.runes + score.gold + score.arcana + score.bonus
    return score.arcana, score.arcana_most


@pytest.mark.parametrize("n", [7, -4])
@pytest.mark.parametrize("others", [("VVVV", "GGG"), ("RRRR", "GGG"), ("VVVV", "RRR")])
def test_the_own_score_tells_nothing_of_other_pyramids(others: tuple[str, str], n: int) -> None:
    table = with_token({"kind": "sum", "of": (most_red(n), {"kind": "fixed", "n": 2})})
    table.at(Player("RR", tokens=["it"]), *[Player(hand) for hand in others], tops=["rest"] * 6)
    assert arcana(table) == (2 + min(n, 0), 2 + max(n, 0))


def test_the_own_score_counts_what_is_known_of_other_pyramids() -> None:
    table = with_token(most_red())
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
        table = with_token(most_red(tie=tie))
        table.at(Player("RR", tokens=["it"]), Player(hand, shown=shown), tops=["rest"] * 6)
        assert arcana(table) == worth, (hand, shown, tie)
    # How many runes a pyramid holds in all is public.
    table = with_token(most_red(color=None))
    table.at(Player("RR", tokens=["it"]), Player("V"), Player("VV"), tops=["rest"] * 6)
    assert arcana(table) == (0, 0)
    # The judge sees the truth, and so does everybody at the judgement.
    for phase, viewer in ((Phase.MAIN, -2), (Phase.OVER, 1)):
        table = with_token(most_red())
        ending = {"ending": 4, "announcer": 0} if phase is Phase.OVER else {}
        table.at(Player("RR", tokens=["it"]), Player("VVVR"), phase=phase, tops=["rest"] * 6, **ending)
        score = table.view(viewer).players[0].score
        assert (score.arcana, score.arcana_most) == (7, 7)


@pytest.mark.parametrize("players", [2, 3])
def test_the_bounds_of_the_own_score_hold_in_every_world_and_are_reached(players: int) -> None:
    """Where runes are few, and after searches in vain: against resampled tables."""
    rng, reached = Rng(players), Counter[str]()
    for _ in range(60):
        table = with_token(most_red(tie=rng.choice(["none", "all"]), color="blue"), players)
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
        position = table.position(*seats, bag=bag, rest=players - 1, absent=none, tops=["rest"] * 6)
        # All that is left of other types lies in the last pyramid, and everyone knows it.
        last, hidden = position.seats[players - 1], counts(hands[-1])
        for type_ in range(6):
            last.shown[type_] = last.pyramid[type_] - hidden[type_] + min(hidden[type_], rng.below(2))
        if "W" not in hands[-1]:
            last.shown[4] = last.pyramid[4]
        table.state = table.game.restore(position)
        low, high = arcana(table)
        found = set()
        for _ in range(150):
            other = table.state.resample(0, rng)
            score = table.game.view(other, Viewer(0)).players[0].score
            assert (score.arcana, score.arcana_most) == (low, high)
            found.add(other.tallies()[0][2])
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
        table = Table(2, green_pairing="consecutive").at(Player("VVRRBB", {"Z0": "", "Z1": "R", "Z2": "B"}), altar="W")
        table.place("V", "Z0")
        assert table.view(viewer).green_pending
        table.take(codes.PLACE, rune)
        view = table.view(viewer)
        seen.add(view.SerializeToString(deterministic=True))
        # It is over as soon as another rune lies.
        table.take(codes.TARGET, "Z0")
        assert table.view(viewer).green_pending is False
        drawing = table.state.pending is not None and table.view(viewer).decision == pb.DECISION_GAIN_RUNE
        assert drawing == (rune == "V")
    assert len(seen) == 1


def test_nobody_else_is_told_what_comes_out_of_the_bag() -> None:
    """Whatever is drawn or dealt, the others see and hear the same to the byte."""
    deal = Table(3, start_player=0)
    while deal.phase is not Phase.DEAL:
        deal.take_code(deal.state.chance()[0][0])
    drawn = Table(3).at(Player("V"), Player("R"), altar="RR", phase=Phase.DRAW)
    drawn.take(codes.TAKE_BAG)
    for table in (deal, drawn):
        told: dict[int, set[bytes]] = {viewer: set() for viewer in (-1, 0, 1, 2)}
        for outcome, _ in table.state.chance():
            after = table.state.clone()
            after.apply(outcome)
            for viewer, said in told.items():
                events = table.game.events(table.state, None, Code(outcome), after, Viewer(viewer))
                view = table.game.view(after, Viewer(viewer))
                said.add(b"".join(m.SerializeToString(deterministic=True) for m in (*events, view)))
                assert table.game.knows_code(table.state, None, Code(outcome), Viewer(viewer)) == (viewer == 0)
        assert [len(said) for said in told.values()] == [1, 6, 1, 1]


@pytest.mark.rule("OMEGA-SETUP-06", "OMEGA-SETUP-07")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_rune_of_the_deal_is_known_to_who_gets_it_alone(players: int) -> None:
    table = Table(players, start_player=players - 1)
    while table.phase is not Phase.DEAL:
        table.take_code(table.state.chance()[0][0])
    got = []
    while table.phase is Phase.DEAL:
        before, code = table.state.clone(), Code(table.state.chance()[0][0])
        table.take_code(code)
        sizes = [[sum(player["pyramid"]) for player in state.dump()["players"]] for state in (before, table.state)]
        (seat,) = (seat for seat in range(players) if sizes[0][seat] != sizes[1][seat])
        knowing = [viewer for viewer in range(-1, players) if table.game.knows_code(before, None, code, Viewer(viewer))]
        assert knowing == [seat]
        (drawn, *_) = table.game.events(before, None, code, table.state, Viewer(-1))
        assert (drawn.rune_drawn.seat, drawn.rune_drawn.rune) == (seat, 0)
        got.append(seat)
    hands = {2: (4, 5), 3: (4, 5, 6), 4: (4, 5, 5, 6)}[players]
    assert got == [(players - 1 + place) % players for place, count in enumerate(hands) for _ in range(count)]


HANDS = ("GG", "VV", "RR", "WW")


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_option_lists_betray_no_pyramid(viewer: int) -> None:
    """Tables that differ only in the pyramid of the deciding seat look the same to all others."""
    seen: set[tuple[Any, ...]] = set()
    own: set[bytes] = set()
    for hand in (*HANDS, "KK"):
        table = Table(3).at(Player(hand, {"Z0": "K"}), Player("", {"Z1": "V", "Z2": "R"}), Player("", {"Z3": "B"}))
        refusals = []
        if viewer >= 0:
            assert table.state.legal(viewer) == []
            for code in (codes.PLACE(0), codes.PAIR(), codes.SUMMON(0), codes.PLACE_BLACK(), codes.END_MAIN()):
                assert table.refused_code(code, viewer) == "NOT_YOUR_TURN"
                refusals.append(table.game.why_illegal(table.state, code, viewer).message)
        view = table.view(viewer)
        assert view.decision == pb.DECISION_MAIN and view.deciding_seat == 0
        seen.add((view.SerializeToString(deterministic=True), *refusals))
        own.add(table.view(0).SerializeToString(deterministic=True))
    assert len(seen) == 1
    assert len(own) == 5


def placing(hand: str) -> list[Table]:
    """Tables on which that is being placed: as a batch, alone, or as a pair."""
    single = Table(3).at(Player(hand, {"Z0": "K"}), Player("R", {"Z1": "V"}))
    single.take(codes.PLACE, hand[0])
    tables = [single]
    if hand == "VV":
        for steps in ((codes.PAIR,), (codes.PAIR, codes.PAIR_FIRST)):
            pair = Table(3).at(Player(hand, {"Z0": "K"}), Player("R", {"Z1": "V"}))
            for verb in steps:
                pair.take(verb, *(["Z0"] if verb.fields else []))
            tables.append(pair)
    return tables


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_what_is_being_placed_is_seen_when_it_lies(viewer: int) -> None:
    seen = set()
    for hand in HANDS:
        for table in placing(hand):
            view = table.view(viewer)
            assert view.decision == pb.DECISION_PLACING and view.placing == 0
            seen.add(view.SerializeToString(deterministic=True))
            assert table.view(0).placing == codes.LETTERS.index(hand[0]) + 1
    assert len(seen) == 1
    # The codes that lead there are told to nobody else.
    table = Table(3).at(Player("VV", {"Z0": "K"}), Player("R", {"Z1": "V"}))
    for code in (codes.PLACE(codes.GREEN), codes.PAIR()):
        assert not table.game.knows_code(table.state, Seat(0), code, Viewer(viewer))
        after = table.state.clone()
        after.apply(code)
        assert table.game.events(table.state, Seat(0), code, after, Viewer(viewer)) == []


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_a_batch_is_seen_when_it_is_complete_its_target_at_once(viewer: int) -> None:
    seen = set()
    for hand in HANDS:
        table = Table(3).at(Player(hand, {"Z0": ""}), Player("R", {"Z1": "V", "Z2": ""}, mask="Z2"))
        table.take(codes.CAPTURE, 1, "Z1")
        table.take(codes.ADD, hand[0])
        view = table.view(viewer)
        assert (view.batch_target.seat, view.batch_target.place, list(view.batch)) == (1, 0, [])
        seen.add(view.SerializeToString(deterministic=True))
        assert list(table.view(0).batch) == counts(hand[0])
        assert not table.game.knows_code(table.state, Seat(0), codes.ADD(0), Viewer(viewer))
        table.take(codes.ADD, hand[0])
        table.take(codes.CONFIRM)
        # The loser picks while the batch lies open, before it is paid.
        assert list(table.view(viewer).batch) == counts(hand)
    assert len(seen) == 1


def test_a_batch_in_the_making_is_resampled_to_one_that_can_be_completed() -> None:
    table = Table(3).at(Player("RRRBVK"), Player("R", {"Z1": "VVV", "Z2": ""}, mask="Z2"), Player("BB"))
    table.take(codes.CAPTURE, 1, "Z1")
    table.take(codes.ADD, "B")
    rng, batches = Rng(4), Counter[tuple[int, ...]]()
    for _ in range(300):
        other = table.state.resample(1, rng)
        values = check_table(table.game, other)
        same_to(table.game, table.state, other, 1)
        batches[tuple(values["batch"])] += 1
        pyramid = values["players"][0]["pyramid"]
        assert sum(sorted(pyramid[:5])[-2:]) >= 4
        assert all(b <= p for b, p in zip(values["batch"], pyramid, strict=True))
        # It can be completed from here.
        while other.legal() != [codes.CONFIRM()]:
            other.apply(other.legal()[0])
    assert len(batches) == 5


def test_a_batch_that_lies_open_is_known_to_be_in_the_pyramid_until_it_is_paid() -> None:
    table = Table(3).at(Player("RRRBVK"), Player("R", {"Z1": "VVV", "Z2": ""}, mask="Z2"), Player("BB"))
    table.capture(1, "Z1", "RRRB")
    rng, hands = Rng(12), set[tuple[int, ...]]()
    for _ in range(60):
        other = table.state.resample(1, rng)
        check_table(table.game, other)
        hands.add(tuple(other.dump()["players"][0]["pyramid"]))
        while other.pending is not None and other.actor() == 1:
            other.apply(other.legal()[0])
        check_table(table.game, other)
    # The other two runes are nobody else's business.
    assert len(hands) > 8


def test_an_announced_black_is_known_to_be_there() -> None:
    table = Table(3).at(Player("GGGK", {"Z0": ""}), Player("RR", {"Z1": "V"}), Player("BB"))
    rng = Rng(13)

    def blacks() -> set[int]:
        found = {table.state.resample(viewer, rng).dump()["players"][0]["pyramid"][5] for viewer in (-1, 1, 2) * 30}
        return {min(count, 1) for count in found}

    assert blacks() == {0, 1}
    table.take(codes.PLACE_BLACK)
    assert blacks() == {1}
    table.take(codes.BLACK_TARGET, 1, "Z1")
    assert blacks() == {1}
    table.take(codes.BLACK_TAKE, "V")
    # It is gone, and what was taken is known instead.
    assert blacks() == {0, 1}
    assert all(table.state.resample(1, rng).dump()["players"][0]["pyramid"][3] for _ in range(20))


KEYS = {"K1": F(1, 1, book(("key", 1))), "K2": F(1, 1, book(("key", 2))), "P": F(1, 1, primitive=True)}


def at_a_key(row: dict[str, str], *names: str, players: int = 3, **fields: Any) -> Table:
    table = Table(players, cards=KEYS).at(Player("R", row), Player("V", {"Z20": ""}), **fields)
    table.book(next(iter(row)))
    table.look(*names)
    return table


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_cards_looked_at_are_seen_by_their_user_alone(viewer: int) -> None:
    seen = set()
    for names in (("Z10", "Z11"), ("P", "Z30"), ("K1", "Z5")):
        table = at_a_key({"K2": "GV"}, *names)
        view = table.view(viewer)
        assert view.looked_count == 2 and not view.looked
        assert view.decision == pb.DECISION_KEY
        seen.add(view.SerializeToString(deterministic=True))
        assert [card.name for card in table.view(0).looked] == sorted(names, key=table.card)
        if viewer >= 0:
            assert table.state.legal(viewer) == []
        looked = [event.key_looked for event in table.events if event.WhichOneof("event") == "key_looked"]
        assert len(looked) == 2 and not any(event.HasField("card") for event in looked)
    assert len(seen) == 1


@pytest.mark.parametrize("viewer", [-1, 1, 2])
def test_a_look_tells_the_others_nothing_to_the_byte(viewer: int) -> None:
    table = at_a_key({"K2": ""}, "Z10")
    told = set()
    for outcome, _ in table.state.chance():
        after = table.state.clone()
        after.apply(outcome)
        events = table.game.events(table.state, None, Code(outcome), after, Viewer(viewer))
        told.add(b"".join(event.SerializeToString(deterministic=True) for event in events))
        assert not table.game.knows_code(table.state, None, Code(outcome), Viewer(viewer))
        assert table.game.knows_code(table.state, None, Code(outcome), Viewer(0))
    assert len(told) == 1


def test_a_chosen_card_is_seen_when_it_lies() -> None:
    table = at_a_key({"K2": "", "K1": ""}, "Z10", "Z11", "Z12")
    take = table.code(codes.KEY_TAKE, "Z11")
    # Which Key it replaces is still to be said: until then it is nobody else's business.
    assert not table.game.knows_code(table.state, Seat(0), take, Viewer(1))
    assert table.game.knows_code(table.state, Seat(0), take, Viewer(0))
    before = table.view(1)
    table.take_code(take)
    after = table.view(1)
    assert "Z11" not in str(after)
    assert after.looked_count == before.looked_count
    table.take(codes.KEY_PLACE, "K1")
    assert table.event("key_replaced").new_card.name == "Z11"
    # With one Key left, the choice is seen at once.
    assert table.game.knows_code(table.state, Seat(0), table.code(codes.KEY_TAKE, "Z10"), Viewer(1))


def test_looked_at_cards_are_resampled_for_others_only() -> None:
    table = at_a_key({"K2": "GV", "K1": "V"}, "Z10", "Z11", "P")
    rng, looks = Rng(5), set()
    for _ in range(60):
        other = table.state.resample(1, rng)
        check_table(table.game, other)
        same_to(table.game, table.state, other, 1)
        looks.add(tuple(other.dump()["looked"]))
        assert table.state.resample(0, rng).dump()["looked"] == table.values["looked"]
    assert len(looks) > 50
    # After a card has been chosen, it is one that fits some Key.
    table.key("Z10")
    chosen = set()
    for _ in range(60):
        other = table.state.resample(1, rng)
        check_table(table.game, other)
        assert other.legal()
        assert other.pending is not None
        chosen.add(other.pending[1])
    assert len(chosen) > 20


def test_cards_of_an_emptied_deck_are_known_to_be_looked_at() -> None:
    table = Table(3, cards=KEYS).at(Player("R", {"K2": "", "K1": ""}), Player("V"), deck=["Z10", "Z11"])
    table.book("K2")
    table.look("Z10", "Z11", "Z12")
    assert table.pile("certain") == {"Z10", "Z11"}
    rng, others = Rng(6), set()
    for _ in range(40):
        looked = {table.names[card] for card in table.state.resample(1, rng).dump()["looked"]}
        assert {"Z10", "Z11"} < looked and len(looked) == 3
        others |= looked
    assert len(others) > 15
    # One of them is chosen: it lies in the open, and is looked at no more.
    table.key("Z10")
    table.take(codes.KEY_PLACE, "K1")
    assert table.pile("certain") == {"Z11"}


def test_after_a_search_in_vain_nobody_supposes_that_colour_in_the_bag() -> None:
    cards = {"A": F(1, 1, book(("draw", 1, "red")))}
    table = Table(3, cards=cards).at(Player("", {"A": ""}), Player("VV"), altar="B", bag="5V 5W 5G", rest=2)
    rng = Rng(8)
    before = [table.state.resample(viewer, rng).dump()["bag"][2] for viewer in (0, 1, -1) for _ in range(10)]
    assert any(before)
    table.book("A")
    assert table.values["absent"][2]
    for viewer in (0, 1, -1):
        for _ in range(10):
            other = table.state.resample(viewer, rng)
            check_table(table.game, other)
            assert other.dump()["bag"][2] == 0


def test_a_rune_that_goes_to_the_bag_ends_the_knowledge_that_it_has_none() -> None:
    cards = {"A": F(0, 1, book(("draw", 1, "red")))}
    table = Table(3, cards=cards).at(Player("", {"A": "RR", "Z9": ""}), altar="B", bag="5V", rest=2, gained="Z9")
    table.book("A")
    assert table.values["absent"][2]
    table.disown("A")
    assert table.bag("R") == 2 and not any(table.values["absent"])
    assert {table.state.resample(1, Rng(seed)).dump()["bag"][2] > 0 for seed in range(40)} == {False, True}


def test_hidden_tokens_are_told_to_nobody() -> None:
    table = Table(3).at(Player(tokens=["five"]), Player(tokens=["seven"]))
    for viewer in (-1, 0, 1, 2):
        view = table.view(viewer)
        assert [stack.hidden for stack in view.arcana] == table.values["hidden"]
        names = {field.name for field in type(view.arcana[0]).DESCRIPTOR.fields}
        assert names == {"top", "hidden"}


def test_unseen_is_what_the_viewer_does_not_see() -> None:
    table = Table(3).at(Player("BB", {"Z0": "GG"}), Player("RRR"), Player("K"), altar="WW")
    whole = [25, 25, 37, 28, 22, 18]
    for viewer, hand in ((-1, ""), (0, "BB"), (1, "RRR"), (2, "K")):
        seen = counts("GG WW" + hand)
        assert list(table.view(viewer).unseen) == [a - b for a, b in zip(whole, seen, strict=True)]


def test_only_the_verbs_that_touch_secrets_are_kept_from_others() -> None:
    hidden = {
        verb.name
        for verb in BOOK.verbs
        if verb is not codes.KEY_TAKE
        and not Omega.configure(2).knows_code(
            Table(2).at(Player("VV", {"Z0": ""})).state, Seat(0), verb(*[0] * len(verb.fields)), Viewer(1)
        )
    }
    assert hidden == {"DEAL", "BAG_RUNE", "LOOK", "PLACE", "PAIR", "PAIR_FIRST", "ADD"}

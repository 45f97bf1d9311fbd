"""Verification of replays: valid ones are accepted, and a forged one is refused with its first invalid record."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as Any_

from cext.chance import commitment
from cext.random import Rng
from engine_service.errors import CardSetNotLoaded, ReplayInvalid, RulesNotLoaded
from engine_service.log.header import LATEST_MS
from engine_service.log.records import Record
from engine_service.log.replay import encode, read
from engine_service.match_enums import (
    AbsencePolicy,
    ChanceSource,
    EndReason,
    MatchState,
    RecordKind,
    SeatKind,
    UndoPolicy,
)
from engine_service.matches.verify import Verification, verify
from engine_service.model import Origin, Policy, Result, SeatSetup, TimeControl
from tests.support.games import faulty, kuhn, sealed, suits
from tests.support.recorder import REGISTRY, SEED, Recorder, header_of, kuhn_match, pack_any, sealed_match

CLOCKS = TimeControl(per_move_ms=1_000)
K = RecordKind


def prove(match: Recorder, records: list[Record] | None = None, **changed: Any) -> Verification:
    """Verify a match's log after encoding it as a replay and decoding it."""
    return verify(read(encode(match.replay(records, **changed))), REGISTRY)


def refused(match: Recorder, records: list[Record] | None = None, **changed: Any) -> tuple[int, str]:
    with pytest.raises(ReplayInvalid) as refusal:
        prove(match, records, **changed)
    return refusal.value.seq, refusal.value.message


# -- what is true ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_match_with_chance_and_secrets_is_verified(seed: int) -> None:
    match = kuhn_match(seed)
    report = prove(match)
    rolls = sum(record.kind is K.CHANCE for record in match.log)
    assert rolls >= 15
    assert report == Verification(
        match="matches/m1",
        game="kuhn",
        rules_version="1",
        engine_version="0.1.0",
        players=("player 0", "player 1", "player 2"),
        state=MatchState.FINISHED,
        result=match.result,
        records=len(match.log),
        steps=len(match.steps),
        rolls_proved=rolls,
    )
    assert report.result is not None
    assert report.result.reason is EndReason.RULES


def test_simultaneous_decisions_are_verified_in_any_order_of_arrival() -> None:
    match = sealed_match()
    for seats in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        for seat in seats:
            match.act(seat, match.state.legal(seat)[-1 - seat])
    report = prove(match)
    assert report.state is MatchState.FINISHED
    assert report.steps == 9


def test_running_match_is_verified_except_its_rolls() -> None:
    match = Recorder(kuhn.KuhnGame.configure(2)).begin()
    report = prove(match)
    assert (report.state, report.result) == (MatchState.ACTIVE, None)
    assert (report.rolls_proved, report.rolls_unverified) == (0, 2)
    assert prove(match, seed=SEED).rolls_proved == 2
    waiting = Recorder(kuhn.KuhnGame.configure(2))
    waiting.add(K.JOINED, 1, text="Bob")
    report = prove(waiting)
    assert (report.state, report.players, report.records) == (MatchState.WAITING, ("", "Bob"), 1)
    assert prove(Recorder(kuhn.KuhnGame.configure(2))).records == 0


def test_provided_outcomes_are_counted_separately() -> None:
    match = Recorder(kuhn.KuhnGame.configure(2), policy=Policy(chance=ChanceSource.HOST))
    for seat in (0, 1):
        match.add(K.JOINED, seat, text="x")
    match.add(K.STARTED)
    for code in (match.state.chance()[2][0], match.state.chance()[0][0]):
        match.add(K.OUTCOME_PROVIDED, -1, code)
    match.act(0, match.state.legal()[0])
    match.act(1, match.state.legal()[0])
    report = prove(match)
    assert (report.rolls_provided, report.rolls_proved, report.state) == (2, 0, MatchState.FINISHED)


def test_undoing_past_a_roll_gives_the_same_roll() -> None:
    match = Recorder(kuhn.KuhnGame.configure(2, {"deals": 2}), policy=Policy(undo=UndoPolicy.FREE)).begin()
    start = match.log[-1].seq
    check = match.state.legal()[0]
    match.act(0, check)
    match.act(1, check)
    dealt = [record.code for record in match.log if record.kind is K.CHANCE][2:]
    assert len(dealt) == 2
    match.add(K.UNDONE, 1, to_seq=start)
    match.act(0, check)
    match.act(1, check)
    assert [record.code for record in match.log if record.kind is K.CHANCE][4:] == dealt
    report = prove(match.finish(Rng(3)))
    assert report.rolls_proved == 6
    assert report.steps == len(match.steps) < sum(r.kind is K.ACTION or r.kind is K.CHANCE for r in match.log)


def test_repeated_undo_by_consent_is_verified() -> None:
    match = Recorder(kuhn.KuhnGame.configure(3, {"deals": 5, "ranks": 6})).begin()
    rng = Rng(11)
    points = [match.log[-1].seq]
    undone = 0
    while match.result is None:
        match.act_at_random(rng)
        if match.result is None:
            points = [point for point in points if point in match.undo_targets()]
            if points and undone < 40 and rng.below(2):
                match.undo(1, rng.choice(points), agree=(2, 0))
                undone += 1
            points.append(match.log[-1].seq)
    report = prove(match)
    assert undone == 40
    assert report.steps == len(match.steps)


def test_refused_or_outdated_request_changes_nothing() -> None:
    match = Recorder(kuhn.KuhnGame.configure(3)).begin()
    start = match.log[-1].seq
    match.act(0, match.state.legal()[0])
    match.add(K.UNDO_REQUESTED, 0, to_seq=start)
    match.add(K.UNDO_ACCEPTED, 1, to_seq=start)
    match.add(K.UNDO_DECLINED, 2, to_seq=start, text="no")
    match.add(K.UNDO_REQUESTED, 2, to_seq=start)
    match.act(1, match.state.legal()[0])  # which makes the request void
    match.add(K.UNDO_REQUESTED, 0, to_seq=start)
    prove(match.finish(Rng(1)))


def test_consent_of_absent_seats_is_not_needed() -> None:
    seats = (SeatSetup(), SeatSetup(SeatKind.BOT, "random"), SeatSetup())
    match = Recorder(sealed.SealedGame.configure(3), seats=seats).begin()
    start = match.log[-1].seq
    match.act(0, match.state.legal(0)[0])
    match.add(K.UNDO_REQUESTED, 0, to_seq=start)
    match.add(K.RESIGNED, 2)
    match.add(K.UNDONE, 0, to_seq=start)
    report = prove(match.finish(Rng(1)))
    assert report.players == ("player 0", "random", "player 2")


@pytest.mark.parametrize("kind", [K.RESIGNED, K.TIMED_OUT])
def test_last_seat_left_wins(kind: RecordKind) -> None:
    match = sealed_match(3, time_control=CLOCKS)
    match.add(kind, 2)
    match.act(0, 0)
    match.add(kind, 1)
    match.continue_play()
    assert match.result == Result((1.0, -1.0, -1.0), (1, 2, 2), EndReason.FORFEIT)
    assert prove(match).result == match.result


def test_several_seats_can_be_late_at_the_same_moment() -> None:
    match = sealed_match(3, time_control=CLOCKS)
    time_ms = match.time_ms
    for seat in (0, 1, 2):
        match.time_ms = time_ms
        match.add(K.TIMED_OUT, seat)
    match.continue_play()
    assert match.result == Result((-1.0, -1.0, -1.0), (1, 1, 1), EndReason.FORFEIT)
    assert prove(match).result == match.result
    later = [record._replace(time_ms=record.time_ms + 1) if record.seq == 7 else record for record in match.log]
    assert refused(match, later)[0] == 7


def test_forfeited_seat_is_last_whatever_the_absence_bot_wins() -> None:
    match = sealed_match(3)
    match.add(K.RESIGNED, 1)
    for _ in range(3):
        for seat in (0, 1, 2):
            match.act(seat, match.state.legal(seat)[-1 if seat == 1 else 0])
    assert match.result is not None
    assert (match.result.returns[1], match.result.places[1]) == (-1.0, 3)
    assert match.result.reason is EndReason.RULES
    assert prove(match).result == match.result


def test_absence_bot_can_win_under_the_bot_policy() -> None:
    match = sealed_match(3, policy=Policy(absence=AbsencePolicy.BOT))
    for seat in (0, 1, 2):
        match.add(K.RESIGNED, seat)
    for _ in range(3):
        for seat in (0, 1, 2):
            match.act(seat, match.state.legal(seat)[-1 if seat == 1 else 0])
    assert match.result is not None
    assert match.result.places[1] == 1
    assert prove(match).result == match.result


@pytest.mark.parametrize(
    ("kind", "state", "reason"),
    [
        (K.CANCELLED, MatchState.CANCELLED, EndReason.CANCELLED),
        (K.FAULTED, MatchState.FAULTED, EndReason.PACK_FAULT),
    ],
)
def test_match_without_result_is_verified_to_its_last_record(
    kind: RecordKind, state: MatchState, reason: EndReason
) -> None:
    match = Recorder(kuhn.KuhnGame.configure(2)).begin()
    match.add(kind, text="why")
    report = prove(match)
    assert (report.state, report.result) == (state, Result((), (), reason))
    assert report.rolls_proved == 2


def test_fork_inherits_outcomes_of_its_original() -> None:
    game = kuhn.KuhnGame.configure(2, {"deals": 2})
    original = Recorder(game, uid=b"o" * 16, seed_commitment=commitment(b"s" * 32), seed=b"s" * 32).begin()
    original.act(0, original.state.legal()[0])
    steps = original.steps[:]
    copy = Recorder(game, origin=Origin("matches/m0", original.log[-1].seq, len(steps)))
    for step in steps:
        copy.add(step.kind, step.seat, step.code)
    copy.begin().finish(Rng(1))
    report = prove(copy)
    assert (report.rolls_inherited, report.rolls_proved) == (2, 2)
    first_roll = next(record for record in copy.log if record.kind is K.CHANCE)
    assert first_roll.seq == 1

    short = Recorder(game, origin=Origin("matches/m0", 5, len(steps) + 1))
    for step in steps:
        short.add(step.kind, step.seat, step.code)
    assert refused(short.begin().finish(Rng(1))) == (6, "record 6: steps of the original are missing")
    longer = Recorder(game, origin=Origin("matches/m0", 5, len(steps) - 1))
    for step in steps:
        longer.add(step.kind, step.seat, step.code)
    assert refused(longer.begin().finish(Rng(1))) == (3, "record 3: a step was recorded before the start")


def test_match_may_begin_from_a_position() -> None:
    game = sealed.SealedGame.configure(2)
    position = sealed.messages.Position(round=2, coins=[3, 4], points=[1, 0], bids=[-1, -1])
    match = Recorder(game, start=game.restore(position), position=pack_any(position)).begin()
    match.act(1, match.state.legal(1)[-1])
    match.act(0, match.state.legal(0)[0])
    assert prove(match).result == match.result
    position.points[0] = 9
    wrong = Recorder(game, position=pack_any(position)).begin()
    assert refused(wrong)[0] == 0


def test_match_may_start_in_a_terminal_position() -> None:
    game = sealed.SealedGame.configure(2)
    position = sealed.messages.Position(round=3, coins=[3, 4], points=[1, 0], bids=[-1, -1])
    match = Recorder(game, start=game.restore(position), position=pack_any(position)).begin()
    report = prove(match)
    assert (report.steps, report.state, report.records) == (0, MatchState.FINISHED, 4)


# -- what is not -----------------------------------------------------------------------------------------------------


def test_replay_of_other_rules_raises_rules_not_loaded() -> None:
    game = kuhn.KuhnGame.configure(2)
    for changed in ({"game": "chess"}, {"rules_version": "0"}):
        with pytest.raises(RulesNotLoaded) as refusal:
            prove(Recorder(game, **changed).begin().finish(Rng(1)))
        assert set(refusal.value.metadata) == {"game", "rules_version"}


def test_replay_of_other_cards_raises_card_set_not_loaded() -> None:
    with pytest.raises(CardSetNotLoaded) as refusal:
        prove(Recorder(kuhn.KuhnGame.configure(2), card_set_digest=b"d" * 32).begin().finish(Rng(1)))
    assert refusal.value.metadata == {"game": "kuhn", "card_set": "", "digest": "64" * 32}
    game = suits.SuitsGame.configure(2, {"card_set": "short-1"})
    digest = game.card_set.digest
    assert prove(Recorder(game, card_set_digest=digest).begin().finish(Rng(1))).game == "suits"
    with pytest.raises(CardSetNotLoaded, match=f"the loaded one has the digest {digest.hex()[:12]}"):
        prove(Recorder(game, card_set_digest=b"d" * 32).begin().finish(Rng(1)))
    beside = suits.SOURCE.own.pick("short-1")
    beside = dataclasses.replace(beside, card_set=dataclasses.replace(beside.card_set, id="mine"))
    game = suits.SuitsGame.configure(2, {"card_set": "mine"}, suits.SOURCE.own.with_set(beside))
    with pytest.raises(CardSetNotLoaded, match=r"card set 'mine' of game 'suits' with the digest [0-9a-f]{12}\.\.\."):
        prove(Recorder(game, card_set_digest=digest).begin().finish(Rng(1)))


@pytest.mark.parametrize(
    "changed",
    [
        {"options": pack_any(sealed.SealedGame.configure(2).options_message())},
        {"options": pack_any(kuhn.messages.Options(ranks=99))},
        {"position": pack_any(sealed.messages.Position())},
        {"position": pack_any(kuhn.messages.Position(deal=7))},
        {"seats": (SeatSetup(),) * 9},
        {"uid": b"short"},
        {"match": "m1"},
        {"seed_commitment": b""},
        {"match": "matches/../x"},
        {"match": "matches/" + "x" * 65},
        {"create_ms": -1},
        {"create_ms": LATEST_MS + 1},
        {"create_ms": 2**62},
        {"time_control": TimeControl(per_move_ms=-5)},
        {"time_control": TimeControl(per_match_ms=2**61)},
        {"origin": Origin("", 0, 0)},
        {"origin": Origin("matches/m0", -1, 0)},
        {"engine_version": "x" * 65},
        {"policy": Policy(absence_bot="x" * 65)},
        {"options": Any_(type_url="type.googleapis.com/tests.kuhn.v1.Options", value=bytes(2**16 + 1))},
        {"seats": (SeatSetup(),) * 128},
        {"seats": ()},
        {"policy": Policy(undo=7)},  # type: ignore[arg-type]
        {"labels": None},
        {"labels": {"a\x1b[2J": "1"}},
        {"labels": {"a": "1\n2"}},
        {"seats": (SeatSetup(SeatKind.INVITED, "ann\u202e"), SeatSetup())},
        {"engine_version": "1\x07"},
        {"rules_version": "1\x07"},
        {"policy": Policy(absence_bot="random\n")},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_invalid_header_is_refused(changed: dict[str, Any]) -> None:
    match = Recorder(kuhn.KuhnGame.configure(2)).begin().finish(Rng(1))
    if changed == {"labels": None}:
        header = header_of(match.game, labels={"a": "1"}).encode()
        header += header[-8:]  # the same label twice
        replay = match.replay()
        replay.header = header
    else:
        match.header = header_of(match.game, **changed)
        replay = match.replay()
    with pytest.raises(ReplayInvalid) as refusal:
        verify(replay, REGISTRY)
    assert refusal.value.seq == 0


def test_another_seed_is_refused() -> None:
    match = kuhn_match()
    assert refused(match, seed=b"t" * 32) == (0, "the seed does not match the commitment in the header")
    assert refused(match, seed=SEED[:31]) == (0, "the seed does not match the commitment in the header")
    assert refused(match, seed=b"") == (0, "the seed is missing")


def test_chosen_roll_is_found_even_when_it_is_rechained() -> None:
    match = kuhn_match()
    found = 0
    for record in match.log:
        if record.kind is not K.CHANCE:
            continue
        for other in {r.code for r in match.log if r.kind is K.CHANCE} - {record.code}:
            edited = [r._replace(code=other) if r.seq == record.seq else r for r in match.log]
            seq, message = refused(match, edited)
            assert seq == record.seq
            assert "does not follow from the seed" in message
            found += 1
    assert found > 20


@pytest.mark.parametrize(
    "result",
    [
        Result((1.0, -1.0, 0.0), (1, 3, 2), EndReason.RULES),
        Result((), (), EndReason.CANCELLED),
        None,
    ],
)
def test_another_result_is_refused(result: Result | None) -> None:
    assert refused(kuhn_match(), result=result)[0] == 0


def test_results_are_compared_bit_by_bit() -> None:
    match = sealed_match(2)
    for _ in range(3):
        match.act(0, 0)
        match.act(1, 0)
    assert match.result == Result((0.0, 0.0), (1, 1), EndReason.RULES)
    assert prove(match).result == match.result
    assert refused(match, result=Result((-0.0, 0.0), (1, 1), EndReason.RULES))[0] == 0
    assert refused(match, result=Result((float("nan"), 0.0), (1, 1), EndReason.RULES))[0] == 0


def test_result_before_the_end_is_refused() -> None:
    match = Recorder(kuhn.KuhnGame.configure(2)).begin()
    result = Result((0.0, 0.0), (1, 1), EndReason.RULES)
    assert refused(match, result=result) == (0, "it has a result, but the match has not ended")


def test_edit_without_a_new_chain_is_found_by_the_chain() -> None:
    replay = kuhn_match().replay()
    replay.records[0].text = "somebody else"
    with pytest.raises(ReplayInvalid, match="chain"):
        verify(replay, REGISTRY)


def test_exception_of_a_pack_makes_the_replay_invalid_without_its_text() -> None:
    match = Recorder(faulty.FaultyGame.configure(2, {"coins": 9})).begin()
    record = Record(len(match.log) + 1, K.ACTION, 0, faulty.BID(faulty.BOMB), match.time_ms)
    seq, message = refused(match, [*match.log, record])
    assert (seq, message) == (4, "record 4: the rules failed on it (ZeroDivisionError)")


Edit = Callable[[Recorder], list[Record]]


def insert(match: Recorder, at: int, kind: RecordKind, seat: int = -1, **fields: Any) -> list[Record]:
    """Returns the log with another record after record ``at``; the later ones are renumbered."""
    head, tail = match.log[:at], match.log[at:]
    time_ms = head[-1].time_ms if head else 0
    new = Record(at + 1, kind, seat, time_ms=time_ms, **fields)
    return [*head, new, *(record._replace(seq=record.seq + 1) for record in tail)]


def without(match: Recorder, seq: int) -> list[Record]:
    return [
        record if record.seq < seq else record._replace(seq=record.seq - 1) for record in match.log if record.seq != seq
    ]


def changed(match: Recorder, seq: int, **fields: Any) -> list[Record]:
    return [record._replace(**fields) if record.seq == seq else record for record in match.log]


def first(match: Recorder, kind: RecordKind) -> int:
    return next(record.seq for record in match.log if record.kind is kind)


# Each edit is chained anew, as a forger would do it; the number is where it must be found, from the edited record.
FORGERIES: dict[str, tuple[Edit, int, str]] = {
    "a record left out": (lambda m: m.log[:4] + m.log[5:], 5, "its number is 6"),
    "a record twice": (lambda m: [*m.log[:5], *m.log[4:]], 6, "its number is 5"),
    "records after the end": (lambda m: insert(m, len(m.log), K.CANCELLED), 0, "the match has ended before it"),
    "time that goes back": (lambda m: changed(m, 6, time_ms=1), 6, "time"),
    "a time beyond all calendars": (
        lambda m: [*m.log[:-1], m.log[-1]._replace(time_ms=LATEST_MS)],
        0,
        "after the year 9999",
    ),
    "a number out of range": (lambda m: changed(m, 6, to_seq=-1, seat=-128), 6, "seat"),
    "a seat that is not there": (lambda m: changed(m, first(m, K.ACTION), seat=3), 8, "seat 3 is out of range"),
    "an action of nobody": (lambda m: changed(m, first(m, K.ACTION), seat=-1), 8, "seat -1 is out of range"),
    "a start by a seat": (lambda m: changed(m, first(m, K.STARTED), seat=0), 4, "seat 0 is out of range"),
    "an action out of turn": (lambda m: changed(m, first(m, K.ACTION), seat=2), 8, "the seat was not to act"),
    "an action at a chance node": (lambda m: insert(m, 5, K.ACTION, 0), 6, "the seat was not to act"),
    "a roll where none is due": (lambda m: insert(m, 7, K.CHANCE), 8, "no outcome of chance was due"),
    "an illegal action": (
        lambda m: changed(m, first(m, K.ACTION), code=99),
        8,
        "its action is not legal (NO_SUCH_MOVE)",
    ),
    "a roll left out": (lambda m: without(m, 7), 7, "the seat was not to act"),
    "a supplied roll in a match of the seed": (
        lambda m: changed(m, 6, kind=K.OUTCOME_PROVIDED),
        6,
        "does not come from the match's source of chance",
    ),
    "a start without a player": (lambda m: without(m, 2), 3, "seats were still open"),
    "a seat taken twice": (lambda m: changed(m, 2, seat=0), 2, "seat 0 was taken already"),
    "a seat taken in play": (lambda m: insert(m, 7, K.JOINED, 0), 8, "after the start"),
    "a seat left in play": (lambda m: insert(m, 7, K.LEFT, 0), 8, "after the start"),
    "a seat left by nobody": (lambda m: insert(m, 0, K.LEFT, 0), 1, "no player had taken seat 0"),
    "two starts": (lambda m: insert(m, 4, K.STARTED), 5, "the match has started already"),
    "no start": (lambda m: without(m, 4), 4, "a step was recorded before the start"),
    "resigning before the start": (lambda m: insert(m, 2, K.RESIGNED, 0), 3, "the match has not started"),
    "late without clocks": (lambda m: insert(m, 7, K.TIMED_OUT, 0), 8, "the match has no clocks"),
    "an end too early": (lambda m: insert(m, 7, K.FINISHED), 8, "play was not over"),
    "no end": (lambda m: m.log[:-1], -1, "does not end with FINISHED"),
    "a cancellation after the last move": (
        lambda m: [*m.log[:-1], m.log[-1]._replace(kind=K.CANCELLED)],
        0,
        "play was over before it",
    ),
    "going back to the future": (
        lambda m: insert(m, 8, K.UNDO_REQUESTED, 0, to_seq=9),
        9,
        "cannot go back to record 9",
    ),
    "going back to the present record": (
        lambda m: insert(m, 8, K.UNDO_REQUESTED, 0, to_seq=8),
        9,
        "cannot go back to record 8",
    ),
    "going back before the start": (
        lambda m: insert(m, 8, K.UNDO_REQUESTED, 0, to_seq=3),
        9,
        "cannot go back to record 3",
    ),
    "going back without asking": (lambda m: insert(m, 8, K.UNDONE, 0, to_seq=7), 9, "not all seats had agreed"),
    "a name that steers a terminal": (lambda m: changed(m, 1, text="ann\x1b[2J"), 1, "text"),
    "a name of two lines": (lambda m: changed(m, 2, text="ann\nben"), 2, "text"),
    "a player without a name": (lambda m: changed(m, 3, text=""), 3, "text"),
    "an action with a text": (lambda m: changed(m, first(m, K.ACTION), text="hello"), 8, "text"),
    "an answer to no request": (lambda m: insert(m, 8, K.UNDO_ACCEPTED, 1, to_seq=7), 9, "no pending undo request"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forgery_is_found_where_it_was_made(name: str) -> None:
    edit, seq, message = FORGERIES[name]
    match = kuhn_match()
    assert prove(match).state is MatchState.FINISHED
    found, said = refused(match, edit(match))
    last = len(match.log)
    assert found == (seq if seq > 0 else last + seq + 1 if name == "records after the end" else last + seq)
    assert message in said


UNDO_FORGERIES: dict[str, tuple[list[tuple[RecordKind, int, int]], str]] = {
    "before all agreed": (
        [(K.UNDO_REQUESTED, 0, 7), (K.UNDO_ACCEPTED, 1, 7), (K.UNDONE, 0, 7)],
        "not all seats had agreed",
    ),
    "after it was withdrawn": (
        [
            (K.UNDO_REQUESTED, 0, 7),
            (K.UNDO_ACCEPTED, 1, 7),
            (K.UNDO_ACCEPTED, 2, 7),
            (K.UNDO_WITHDRAWN, 0, 7),
            (K.UNDONE, 0, 7),
        ],
        "not all seats had agreed",
    ),
    "withdrawn by another": (
        [(K.UNDO_REQUESTED, 0, 7), (K.UNDO_WITHDRAWN, 1, 7)],
        "no pending undo request to that record",
    ),
    "to somewhere else": (
        [(K.UNDO_REQUESTED, 0, 8), (K.UNDO_ACCEPTED, 1, 8), (K.UNDO_ACCEPTED, 2, 8), (K.UNDONE, 0, 7)],
        "not all seats had agreed",
    ),
    "for another seat": (
        [(K.UNDO_REQUESTED, 0, 7), (K.UNDO_ACCEPTED, 1, 7), (K.UNDO_ACCEPTED, 2, 7), (K.UNDONE, 1, 7)],
        "not all seats had agreed",
    ),
    "agreeing twice": (
        [(K.UNDO_REQUESTED, 0, 7), (K.UNDO_ACCEPTED, 1, 7), (K.UNDO_ACCEPTED, 1, 7)],
        "no pending undo request waits",
    ),
    "agreeing with oneself": ([(K.UNDO_REQUESTED, 0, 7), (K.UNDO_ACCEPTED, 0, 7)], "no pending undo request waits"),
    "agreeing to something else": (
        [(K.UNDO_REQUESTED, 0, 7), (K.UNDO_ACCEPTED, 1, 8)],
        "no pending undo request waits",
    ),
    "asking twice": ([(K.UNDO_REQUESTED, 0, 7), (K.UNDO_REQUESTED, 1, 7)], "another undo request is pending"),
    "after a refusal": (
        [(K.UNDO_REQUESTED, 0, 7), (K.UNDO_DECLINED, 1, 7), (K.UNDO_ACCEPTED, 2, 7)],
        "no pending undo request waits",
    ),
}


@pytest.mark.parametrize("name", UNDO_FORGERIES)
def test_forged_consent_is_found(name: str) -> None:
    extra, message = UNDO_FORGERIES[name]
    match = Recorder(kuhn.KuhnGame.configure(3)).begin()
    for _ in range(2):
        match.act(match.seats_to_act()[0], match.state.legal()[0])
    assert len(match.log) == 9
    records = match.log[:]
    for kind, seat, to_seq in extra:
        records.append(Record(len(records) + 1, kind, seat, time_ms=match.time_ms, to_seq=to_seq))
    seq, said = refused(match, records)
    assert seq == len(records)
    assert message in said


def test_undo_cannot_return_to_undone_records() -> None:
    match = Recorder(kuhn.KuhnGame.configure(3), policy=Policy(undo=UndoPolicy.FREE)).begin()
    for _ in range(2):
        match.act(match.seats_to_act()[0], match.state.legal()[0])
    match.add(K.UNDONE, 0, to_seq=7)
    match.act(0, match.state.legal()[0])
    into = Record(12, K.UNDONE, 0, time_ms=match.time_ms, to_seq=8)
    assert refused(match, [*match.log, into])[0] == 12
    prove(match, [*match.log, into._replace(to_seq=10)])


def test_undo_records_are_refused_under_the_never_policy() -> None:
    for kind in (K.UNDO_REQUESTED, K.UNDONE):
        match = Recorder(kuhn.KuhnGame.configure(3), policy=Policy(undo=UndoPolicy.NEVER)).begin()
        match.act(0, match.state.legal()[0])
        record = Record(9, kind, 0, time_ms=match.time_ms, to_seq=7)
        assert "does not allow undo" in refused(match, [*match.log, record])[1]


def test_second_resignation_and_resignation_of_a_bot_are_refused() -> None:
    seats = (SeatSetup(), SeatSetup(), SeatSetup(SeatKind.BOT, "random"))
    match = Recorder(sealed.SealedGame.configure(3), seats=seats, time_control=CLOCKS).begin()
    match.add(K.RESIGNED, 0)
    for seat in (0, 2):
        record = Record(5, K.RESIGNED, seat, time_ms=match.time_ms)
        assert "is out already or a bot's" in refused(match, [*match.log, record])[1]
    match.act(1, 0)
    record = Record(6, K.TIMED_OUT, 1, time_ms=match.time_ms)
    assert "was not to act" in refused(match, [*match.log, record])[1]

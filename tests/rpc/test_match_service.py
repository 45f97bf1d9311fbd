"""Each call of MatchService, used correctly."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration

from omnilude.v1 import match_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import kuhn, sealed
from tests.support.rpc_errors import refused
from tests.support.server import Running, running_server
from tests.support.wire import RemoteMatch, get_replay, import_replay, new_match

DEAL_2_AND_1 = (kuhn.DEAL(2), kuhn.DEAL(1))
HOST_DICE = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)


@pytest.fixture
async def running() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK, sealed.PACK]) as running:
        yield running


def packed(message: object) -> AnyMessage:
    holder = AnyMessage()
    holder.Pack(message)
    return holder


def view_of(observation: match_pb2.Observation) -> kuhn.messages.View:
    view = kuhn.messages.View()
    assert observation.view.Unpack(view)
    return view


# -- creating, finding ------------------------------------------------------------------------------------------


async def test_new_match_has_all_requested_settings(running: Running) -> None:
    request = pb.CreateMatchRequest(
        game="games/kuhn",
        seats=[
            pb.SeatSetup(),
            pb.SeatSetup(kind=match_pb2.SEAT_KIND_INVITED, player="ada"),
            pb.SeatSetup(kind=match_pb2.SEAT_KIND_BOT, player="random"),
        ],
        options=packed(kuhn.messages.Options(deals=3)),
        option_texts={"ranks": "5"},
        time_control=match_pb2.TimeControl(
            per_move=Duration(seconds=30), per_match=Duration(seconds=600), increment=Duration(nanos=500_000_000)
        ),
        policy=match_pb2.MatchPolicy(
            undo=match_pb2.UNDO_POLICY_NEVER, absence=match_pb2.ABSENCE_POLICY_BOT, manual_start=True
        ),
        ephemeral=True,
        labels={"tournament": "spring"},
    )
    created = await running.matches.CreateMatch(request)
    match = created.match
    assert created.host_token
    assert match.name.startswith("matches/") and match.game == "games/kuhn" and match.rules_version == "1"
    options = kuhn.messages.Options()
    assert match.options.Unpack(options)
    assert (options.deals, options.ranks, options.order) == (3, 5, 1)
    assert match.state == match_pb2.MATCH_STATE_WAITING
    assert [(seat.index, seat.kind, seat.player, seat.taken) for seat in match.seats] == [
        (0, match_pb2.SEAT_KIND_OPEN, "", False),
        (1, match_pb2.SEAT_KIND_INVITED, "ada", False),
        (2, match_pb2.SEAT_KIND_BOT, "random", True),
    ]
    # What was left open has the service's own value.
    request.time_control.private_decision.FromSeconds(30)
    assert match.time_control == request.time_control
    assert match.policy == match_pb2.MatchPolicy(
        undo=match_pb2.UNDO_POLICY_NEVER,
        absence=match_pb2.ABSENCE_POLICY_BOT,
        absence_bot="random",
        chance=match_pb2.CHANCE_SOURCE_SEED,
        manual_start=True,
    )
    assert match.ephemeral and dict(match.labels) == {"tournament": "spring"}
    assert len(match.seed_commitment) == 32 and not match.seed
    assert match.HasField("create_time") and not match.HasField("start_time") and not match.HasField("end_time")
    assert not match.HasField("result") and not match.HasField("origin") and not match.from_position


async def test_match_is_found_by_its_name(running: Running) -> None:
    table = await new_match(running, "kuhn")
    match = await table.match()
    assert match.name == table.name
    assert match.state == match_pb2.MATCH_STATE_ACTIVE
    assert [seat.player for seat in match.seats] == ["player 0", "player 1"]


async def test_matches_are_listed_newest_first_page_by_page_and_by_filter(running: Running) -> None:
    names = []
    for number in range(5):
        game = "kuhn" if number % 2 else "sealed"
        names.append((await new_match(running, game, labels={"round": str(number // 2)})).name)

    async def listed(**request: object) -> list[str]:
        found: list[str] = []
        token = ""
        while True:
            answer = await running.matches.ListMatches(pb.ListMatchesRequest(page_size=2, page_token=token, **request))
            assert len(answer.matches) <= 2
            found += [match.name for match in answer.matches]
            token = answer.next_page_token
            if not token:
                return found

    assert sorted(await listed()) == sorted(names)
    assert sorted(await listed(game="games/kuhn")) == sorted([names[1], names[3]])
    assert sorted(await listed(labels={"round": "1"})) == sorted([names[2], names[3]])
    assert await listed(states=[match_pb2.MATCH_STATE_FINISHED]) == []
    assert sorted(await listed(states=[match_pb2.MATCH_STATE_ACTIVE, match_pb2.MATCH_STATE_WAITING])) == sorted(names)


# -- seats ------------------------------------------------------------------------------------------------------


async def test_joining_gives_the_first_free_seat_or_the_one_asked_for(running: Running) -> None:
    created = await running.matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 3))
    name = created.match.name
    last = await running.matches.JoinMatch(pb.JoinMatchRequest(name=name, seat=2, player="c"))
    free = await running.matches.JoinMatch(pb.JoinMatchRequest(name=name, player="a"))
    assert (last.seat, free.seat) == (2, 0)
    assert last.token and free.token and last.token != free.token
    assert [seat.taken for seat in free.match.seats] == [True, False, True]


async def test_seat_can_be_left_before_the_start(running: Running) -> None:
    created = await running.matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 2))
    joined = await running.matches.JoinMatch(pb.JoinMatchRequest(name=created.match.name, player="a"))
    left = await running.matches.LeaveMatch(pb.LeaveMatchRequest(name=created.match.name, token=joined.token))
    assert [seat.taken for seat in left.match.seats] == [False, False]
    again = await running.matches.JoinMatch(pb.JoinMatchRequest(name=created.match.name, player="b"))
    assert again.seat == 0 and again.token != joined.token


async def test_host_starts_a_match_that_waits_for_it(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=match_pb2.MatchPolicy(manual_start=True))
    assert (await table.match()).state == match_pb2.MATCH_STATE_WAITING
    started = await running.matches.StartMatch(pb.StartMatchRequest(name=table.name, token=table.host))
    assert started.match.state == match_pb2.MATCH_STATE_ACTIVE
    assert started.match.HasField("start_time")


# -- playing ----------------------------------------------------------------------------------------------------


async def test_each_viewer_observes_its_own_view(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=HOST_DICE)
    await table.provide(*DEAL_2_AND_1)
    assert list(view_of(await table.observe(table.seats[0])).cards) == [2, -1]
    assert list(view_of(await table.observe(table.seats[1])).cards) == [-1, 1]
    assert list(view_of(await table.observe()).cards) == [-1, -1]
    host = await table.observe(table.host)
    assert list(view_of(host).cards) == [2, 1]
    position = kuhn.messages.Position()
    assert host.position.Unpack(position)
    assert not (await table.observe(table.seats[0])).HasField("position")


async def test_earlier_views_can_be_observed(running: Running) -> None:
    """The view after a record equals the view that the viewer had then."""
    policy = match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_FREE)
    table = await new_match(running, "kuhn", policy=policy, option_texts={"deals": "2"})
    tokens = ["", table.host, *table.seats]
    now: dict[int, list[match_pb2.Observation]] = {}

    async def observe() -> None:
        seen = [await table.observe(token) for token in tokens]
        now[seen[0].seq] = seen

    await observe()
    for code in (kuhn.CHECK(), kuhn.BET()):
        await table.step(lambda codes, code=code: code)  # type: ignore[misc]
        await observe()
    await running.matches.RequestUndo(pb.RequestUndoRequest(name=table.name, token=table.seats[1]))
    await observe()
    await table.play_out()
    newest = (await table.match()).seq
    assert len(now) == 4 and newest > max(now)
    for seq, seen in now.items():
        for token, expected in zip(tokens, seen, strict=True):
            request = pb.ObserveMatchRequest(name=table.name, token=token, seq=seq)
            past = await running.matches.ObserveMatch(request)
            assert past.observation == expected
            assert past.match.seq == newest
    joined = await running.matches.ObserveMatch(pb.ObserveMatchRequest(name=table.name, seq=2))
    assert not joined.HasField("observation"), "play had not begun"
    last = await running.matches.ObserveMatch(pb.ObserveMatchRequest(name=table.name, seq=newest))
    assert last.observation == await table.observe()
    for wrong in (-1, 0, newest + 1):
        refusal = await refused(running.matches.ObserveMatch(pb.ObserveMatchRequest(name=table.name, seq=wrong)))
        assert (refusal.reason, list(refusal.fields)) == ("INVALID_FIELD", ["seq"])


async def test_match_has_no_view_before_the_start(running: Running) -> None:
    created = await running.matches.CreateMatch(pb.CreateMatchRequest(game="games/kuhn", seats=[pb.SeatSetup()] * 2))
    answer = await running.matches.ObserveMatch(pb.ObserveMatchRequest(name=created.match.name))
    assert answer.match.name == created.match.name
    assert not answer.HasField("observation")


async def test_legal_actions_come_as_codes_or_with_messages_and_labels(running: Running) -> None:
    table = await new_match(running, "kuhn")
    plain = await table.legal(0)
    assert list(plain.codes) == [kuhn.CHECK(), kuhn.BET()] and not plain.actions and not plain.sampled
    typed = await table.legal(0, typed=True)
    assert [(action.code, action.label) for action in typed.actions] == [
        (kuhn.CHECK(), "check"),
        (kuhn.BET(), "bet a chip"),
    ]
    action = kuhn.messages.Action()
    assert typed.actions[1].action.Unpack(action) and action.move == kuhn.MOVES[kuhn.BET]
    assert list((await table.legal(1)).codes) == []


async def test_legal_actions_come_in_pages(running: Running) -> None:
    table = await new_match(running, "sealed")
    codes: list[int] = []
    token = ""
    while True:
        page = await table.legal(0, page_size=4, page_token=token)
        codes += page.codes
        token = page.next_page_token
        if not token:
            break
    assert codes == [sealed.BID(amount) for amount in range(11)]


async def test_action_is_taken_by_code_or_by_message(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=HOST_DICE)
    await table.provide(*DEAL_2_AND_1)
    seq = (await table.match()).seq
    by_code = await table.submit(0, kuhn.CHECK(), expected_seq=seq)
    assert (by_code.action_seq, by_code.seq, by_code.code) == (seq + 1, seq + 1, kuhn.CHECK())
    assert by_code.state == match_pb2.MATCH_STATE_ACTIVE
    typed = packed(kuhn.messages.Action(move=kuhn.MOVES[kuhn.BET]))
    by_message = await running.matches.SubmitAction(
        pb.SubmitActionRequest(name=table.name, token=table.seats[1], typed_action=typed)
    )
    assert (by_message.action_seq, by_message.code) == (seq + 2, kuhn.BET())


async def test_validate_only_changes_nothing(running: Running) -> None:
    table = await new_match(running, "kuhn")
    seq = (await table.match()).seq
    checked = await table.submit(0, kuhn.BET(), validate_only=True)
    assert (checked.action_seq, checked.seq, checked.code) == (seq, seq, kuhn.BET())
    assert (await table.match()).seq == seq


async def test_match_ends_by_its_rules_with_result_and_seed(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=HOST_DICE)
    await table.provide(*DEAL_2_AND_1)
    match = await table.play_out()
    assert match.state == match_pb2.MATCH_STATE_FINISHED
    assert match.result.reason == match_pb2.END_REASON_RULES
    assert list(match.result.returns) == [0.5, -0.5] and list(match.result.places) == [1, 2]
    assert match.HasField("end_time") and len(match.seed) == 32


async def test_simultaneous_decisions_are_hidden_until_all_are_made(running: Running) -> None:
    table = await new_match(running, "sealed")
    seq = (await table.legal(0)).seq
    await table.submit(0, sealed.BID(3), expected_seq=seq)
    assert await table.to_act() == [1]
    await table.submit(1, sealed.BID(2), expected_seq=seq)
    bids = [event for event in await table.events() if event.kind == match_pb2.RECORD_KIND_ACTION]
    assert [event.HasField("code") for event in bids] == [False, False]
    own = [event for event in await table.events(table.seats[0]) if event.kind == match_pb2.RECORD_KIND_ACTION]
    assert [event.code if event.HasField("code") else None for event in own] == [sealed.BID(3), None]


async def test_resigning_ends_a_match_for_two(running: Running) -> None:
    table = await new_match(running, "kuhn")
    answer = await running.matches.ResignMatch(pb.ResignMatchRequest(name=table.name, token=table.seats[0]))
    assert answer.match.state == match_pb2.MATCH_STATE_FINISHED
    assert answer.match.result.reason == match_pb2.END_REASON_FORFEIT
    assert list(answer.match.result.places) == [2, 1]
    assert [seat.out for seat in answer.match.seats] == [True, False]


async def test_host_cancels_a_match(running: Running) -> None:
    table = await new_match(running, "kuhn")
    answer = await running.matches.CancelMatch(
        pb.CancelMatchRequest(name=table.name, token=table.host, reason="the cat is on the board")
    )
    assert answer.match.state == match_pb2.MATCH_STATE_CANCELLED
    assert answer.match.result.reason == match_pb2.END_REASON_CANCELLED
    assert (await table.events())[-1].text == "the cat is on the board"


# -- undoing, chance, copies ----------------------------------------------------------------------------------


async def test_undoing_by_consent_brings_the_decision_back(running: Running) -> None:
    table = await new_match(running, "kuhn")
    before = await table.legal(0)
    await table.submit(0, kuhn.BET())
    asked = await running.matches.RequestUndo(
        pb.RequestUndoRequest(name=table.name, token=table.seats[0], reason="a slip")
    )
    assert not asked.undone
    answered = await running.matches.AnswerUndo(
        pb.AnswerUndoRequest(name=table.name, token=table.seats[1], request_seq=asked.seq, accept=True)
    )
    assert answered.undone
    after = await table.legal(0)
    assert list(after.codes) == list(before.codes) and after.seq > before.seq
    kinds = [event.kind for event in await table.events()]
    assert kinds[-3:] == [
        match_pb2.RECORD_KIND_UNDO_REQUESTED,
        match_pb2.RECORD_KIND_UNDO_ACCEPTED,
        match_pb2.RECORD_KIND_UNDONE,
    ]


async def test_declined_undo_has_its_reason(running: Running) -> None:
    table = await new_match(running, "kuhn")
    await table.submit(0, kuhn.BET())
    asked = await running.matches.RequestUndo(pb.RequestUndoRequest(name=table.name, token=table.seats[0]))
    answered = await running.matches.AnswerUndo(
        pb.AnswerUndoRequest(
            name=table.name, token=table.seats[1], request_seq=asked.seq, accept=False, reason="touched is moved"
        )
    )
    assert not answered.undone
    assert (await table.events())[-1].text == "touched is moved"


async def test_undo_request_is_withdrawn(running: Running) -> None:
    table = await new_match(running, "kuhn")
    await table.submit(0, kuhn.BET())
    asked = await running.matches.RequestUndo(pb.RequestUndoRequest(name=table.name, token=table.seats[0]))
    withdrawn = await running.matches.WithdrawUndo(pb.WithdrawUndoRequest(name=table.name, token=table.seats[0]))
    event = (await table.events())[-1]
    assert (event.kind, event.seat, event.seq) == (match_pb2.RECORD_KIND_UNDO_WITHDRAWN, 0, withdrawn.seq)
    late = pb.AnswerUndoRequest(name=table.name, token=table.seats[1], request_seq=asked.seq, accept=True)
    assert (await refused(running.matches.AnswerUndo(late))).reason == "NO_UNDO_PENDING"


async def test_undo_under_the_free_policy_needs_no_consent(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=match_pb2.MatchPolicy(undo=match_pb2.UNDO_POLICY_FREE))
    start = (await table.legal(0)).seq
    await table.submit(0, kuhn.CHECK())
    await table.submit(1, kuhn.BET())
    answer = await running.matches.RequestUndo(
        pb.RequestUndoRequest(name=table.name, token=table.seats[0], to_seq=start)
    )
    assert answer.undone
    assert list((await table.legal(0)).codes) == [kuhn.CHECK(), kuhn.BET()]


async def test_provided_outcomes_wait_for_their_chance_nodes(running: Running) -> None:
    table = await new_match(running, "kuhn", policy=HOST_DICE)
    assert (await table.observe()).awaits_chance
    answer = await table.provide(kuhn.DEAL(3))
    assert answer.queued == 0
    assert (await table.observe()).awaits_chance
    answer = await table.provide(kuhn.DEAL(0))
    observation = await table.observe()
    assert not observation.awaits_chance and list(observation.to_act) == [0]


async def test_match_can_begin_from_a_position(running: Running) -> None:
    original = await new_match(running, "kuhn", policy=HOST_DICE)
    await original.provide(*DEAL_2_AND_1)
    await original.submit(0, kuhn.BET())
    position = (await original.observe(original.host)).position
    copy = await new_match(running, "kuhn", position=position)
    assert (await copy.match()).from_position
    assert (await copy.observe(copy.host)).position == position
    assert list((await copy.legal(1)).codes) == [kuhn.CALL(), kuhn.FOLD()]


async def test_fork_is_played_independently(running: Running) -> None:
    original = await new_match(running, "kuhn", policy=HOST_DICE)
    await original.provide(*DEAL_2_AND_1)
    seq = (await original.match()).seq
    await original.submit(0, kuhn.BET())
    forked = await running.matches.ForkMatch(
        pb.ForkMatchRequest(name=original.name, token=original.host, seq=seq, seats=[pb.SeatSetup()] * 2)
    )
    copy = RemoteMatch(running, forked.match.name, forked.host_token)
    for seat in range(2):
        joined = await running.matches.JoinMatch(pb.JoinMatchRequest(name=copy.name, seat=seat, player="p"))
        copy.seats.append(joined.token)
    match = await copy.match()
    assert (match.origin.match, match.origin.seq, match.origin.plies) == (original.name, seq, 2)
    assert list(view_of(await copy.observe(copy.host)).cards) == [2, 1]
    await copy.submit(0, kuhn.CHECK())
    assert await copy.to_act() == [1] and await original.to_act() == [1]


async def test_replay_comes_back_as_the_same_match_elsewhere(running: Running) -> None:
    table = await new_match(running, "kuhn", labels={"round": "1"})
    played = await table.play_out()
    replay = await get_replay(running.matches, table.name)
    assert [record.seq for record in replay.records] == list(range(1, played.seq + 1))
    async with running_server(packs=[kuhn.PACK]) as elsewhere:
        imported = await import_replay(elsewhere.matches, replay.SerializeToString())
        again = await get_replay(elsewhere.matches, table.name)
    assert again == replay
    assert imported.match.name == played.name
    assert imported.match.result == played.result and imported.match.seed == played.seed


async def test_replay_of_a_running_match_is_for_the_host(running: Running) -> None:
    table = await new_match(running, "kuhn")
    replay = await get_replay(running.matches, table.name, table.host)
    assert replay.records and not replay.seed


async def test_clocks_are_shown_and_run(running: Running) -> None:
    table = await new_match(running, "kuhn", time_control=match_pb2.TimeControl(per_match=Duration(seconds=60)))
    observation = await table.observe()
    assert len(observation.clocks_ms) == 2
    assert all(0 < left <= 60_000 for left in observation.clocks_ms)
    seats = (await table.match()).seats
    assert all(0 < seat.clock.ToMilliseconds() <= 60_000 for seat in seats)

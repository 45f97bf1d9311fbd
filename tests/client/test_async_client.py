"""The asyncio client against a real service: every call, its result and its errors."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from gamepacks.ominoes.v1 import ominoes_pb2
from omnilude import AsyncClient, AsyncMatchHandle, AsyncSeatHandle, Invited, Open, ServiceBot, clocks, has_ended
from omnilude.errors import (
    IllegalAction,
    InvalidOption,
    InvalidPlayerCount,
    MatchEnded,
    MatchNotEnded,
    MatchNotStarted,
    NotAllowed,
    NotYourTurn,
    NoUndoPending,
    ReplayMalformed,
    SeatTaken,
    StaleSequence,
    TokenInvalid,
    TokenMissing,
    UnknownBot,
    UnknownGame,
    UnknownMatch,
    Unreachable,
)
from omnilude.v1 import match_pb2
from tests.support.games import sealed
from tests.support.server import Running


async def two_seats(
    client: AsyncClient, game: str = "ominoes", **create: object
) -> tuple[AsyncMatchHandle, AsyncSeatHandle, AsyncSeatHandle]:
    """Returns a match with both seats taken by ``join``."""
    match = await client.create(game, [Open(), Open()], **create)  # type: ignore[arg-type]
    return match, await match.join("ann"), await match.join("bob")


async def play_on(*seats: AsyncSeatHandle, moves: int = 10_000) -> int:
    """Take the first legal action at each decision; returns how many were taken."""
    taken = 0
    while taken < moves:
        if has_ended(await seats[0].get()):
            break
        for seat in seats:
            legal = await seat.legal_actions()
            if legal.codes and taken < moves:
                await seat.submit_action(legal.codes[0], expected_seq=legal.seq)
                taken += 1
    return taken


async def test_catalog_lists_games_and_broken_packs(client: AsyncClient) -> None:
    catalog = await client.catalog()
    assert [game.name for game in catalog.games] == ["games/kuhn", "games/ominoes", "games/sealed"]
    assert list(catalog.broken_packs) == []
    assert catalog.engine_version
    info = await client.game("ominoes")
    assert info.id == "ominoes"
    assert info.game.capabilities.max_players == 4
    assert "greedy" in [bot.name for bot in info.game.bots]
    assert await client.game("games/ominoes") is info, "asked for once"
    with pytest.raises(UnknownGame):
        await client.game("chess")


async def test_match_from_creation_to_its_replay(client: AsyncClient) -> None:
    match, ann, bob = await two_seats(client, "sealed", options={"rounds": 2}, labels={"event": "test"})
    assert (ann.seat, bob.seat) == (0, 1)
    info = await match.get()
    assert info.state == match_pb2.MATCH_STATE_ACTIVE
    assert [seat.player for seat in info.seats] == ["ann", "bob"]
    assert info.labels == {"event": "test"}
    legal = await ann.legal_actions(typed=True)
    assert [action.code for action in legal.actions] == list(legal.codes)
    assert legal.actions[3].label
    assert legal.actions[3].action.bid == 3  # type: ignore[attr-defined]
    done = await ann.submit_action(legal.actions[3].action, expected_seq=legal.seq)
    assert done.code == legal.codes[3]
    assert (await ann.legal_actions()).codes == [], "its next decision comes when the others have bid"
    assert await play_on(ann, bob) == 3
    ended = await match.get()
    assert has_ended(ended)
    replay = await match.replay()
    assert await client.match(match.name, match.token)
    assert [found.name async for found in client.matches(game="sealed")] == [match.name]
    assert [found.name async for found in client.matches(labels={"event": "other"})] == []
    spectator = await client.match(match.name)
    assert await spectator.replay() == replay


async def test_each_viewer_gets_its_own_view(client: AsyncClient) -> None:
    match, ann, bob = await two_seats(client, "sealed")
    before = await bob.observation()
    await ann.submit_action((await ann.legal_actions()).codes[5])
    own, other = await ann.observation(), await bob.observation()
    assert (await bob.observation(seq=before.seq)).view == before.view
    assert own.view != other.view, "a bid is hidden from the others"
    assert list(other.to_act) == [1]
    assert before.seq < other.seq
    assert other.position is None
    judge = await match.observation()
    assert isinstance(judge.position, sealed.messages.Position)
    spectator = await client.match(match.name)
    assert (await spectator.observation()).position is None


async def test_match_can_be_observed_before_its_start(client: AsyncClient) -> None:
    match = await client.create("sealed", [Open(), Open()])
    seen = await match.observation()
    assert seen.view is None
    assert seen.match.state == match_pb2.MATCH_STATE_WAITING


async def test_typed_actions_are_checked_and_can_be_validated_only(client: AsyncClient) -> None:
    _, ann, _ = await two_seats(client, "sealed", options={"coins": 5})
    action = sealed.messages.Action()
    action.bid = 9
    with pytest.raises(IllegalAction) as caught:
        await ann.submit_action(action)
    assert caught.value.pack_reason == "TOO_MUCH"
    action.bid = 2
    tried = await ann.submit_action(action, validate_only=True)
    assert tried.code == sealed.BID(2)
    assert (await ann.legal_actions()).codes, "nothing has happened"


async def test_refusals_raise_their_own_errors(client: AsyncClient) -> None:
    with pytest.raises(UnknownGame):
        await client.create("chess", [Open(), Open()])
    with pytest.raises(UnknownBot):
        await client.create("ominoes", [Open(), ServiceBot("deep-thought")])
    with pytest.raises(InvalidPlayerCount):
        await client.create("ominoes", [Open()])
    with pytest.raises(InvalidOption) as caught:
        await client.create("ominoes", [Open(), Open()], options={"board_size": 7, "target": 0})
    assert sorted(fault.field.rpartition(".")[2] for fault in caught.value.faults) == ["board_size", "target"]
    with pytest.raises(UnknownMatch):
        await client.match("matches/none")
    match = await client.create("ominoes", [Open(), Open()])
    ann = await match.join("ann", seat=1)
    assert ann.seat == 1
    with pytest.raises(SeatTaken):
        await match.join("bob", seat=1)
    with pytest.raises(MatchNotStarted):
        await ann.legal_actions()
    with pytest.raises(TokenInvalid):
        await client.seat(match.name, 0, "guessed").resign()
    with pytest.raises(TokenMissing):
        await client.seat(match.name, 0, "").resign()
    with pytest.raises(NotAllowed):
        await AsyncMatchHandle(client, await match.get(), ann.token).cancel()
    with pytest.raises(MatchNotEnded):
        await (await client.match(match.name)).replay()
    with pytest.raises(ReplayMalformed):
        await client.import_replay(b"no replay")


async def test_turns_and_versions_are_checked(client: AsyncClient) -> None:
    _, ann, bob = await two_seats(client, options={"start_player": 0})
    legal = await ann.legal_actions()
    with pytest.raises(NotYourTurn):
        await bob.submit_action(legal.codes[0])
    await ann.submit_action(legal.codes[0], expected_seq=legal.seq)
    with pytest.raises((NotYourTurn, StaleSequence)):
        await ann.submit_action(legal.codes[1], expected_seq=legal.seq)
    again = await ann.submit_action(legal.codes[0], expected_seq=legal.seq)
    assert again.code == legal.codes[0], "the same move sent again is answered as the first time"


async def test_leaving_starting_and_cancelling(client: AsyncClient) -> None:
    policy = match_pb2.MatchPolicy(manual_start=True)
    match = await client.create("ominoes", [Open(), Open()], policy=policy)
    ann, bob = await match.join("ann"), await match.join("bob")
    await bob.leave()
    bob = await match.join("bob again")
    assert (await match.get()).state == match_pb2.MATCH_STATE_WAITING
    assert (await match.start()).state == match_pb2.MATCH_STATE_ACTIVE
    cancelled = await match.cancel("enough")
    assert cancelled.state == match_pb2.MATCH_STATE_CANCELLED
    with pytest.raises(MatchEnded):
        await ann.resign()


async def test_resigning_ends_a_match_of_two(client: AsyncClient) -> None:
    _, ann, _ = await two_seats(client)
    ended = await ann.resign()
    assert ended.result.reason == match_pb2.END_REASON_FORFEIT
    assert list(ended.result.places) == [2, 1]


async def test_undoing_by_consent(client: AsyncClient) -> None:
    _, ann, bob = await two_seats(client, options={"start_player": 0})
    legal = await ann.legal_actions()
    await ann.submit_action(legal.codes[0])
    with pytest.raises(NoUndoPending):
        await bob.answer_undo(1, True)
    asked = await ann.request_undo(reason="slip of the hand")
    assert not asked.undone
    assert (await bob.answer_undo(asked.seq, True)).undone
    after = await ann.legal_actions()
    assert after.codes == legal.codes
    assert after.seq > legal.seq
    await ann.submit_action(legal.codes[0])
    asked = await ann.request_undo()
    assert (await ann.withdraw_undo()).seq == asked.seq + 1
    with pytest.raises(NoUndoPending):
        await bob.answer_undo(asked.seq, True)


async def test_host_provides_outcomes(client: AsyncClient) -> None:
    policy = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)
    match, *_ = await two_seats(client, policy=policy)
    assert (await match.observation()).awaits_chance
    answer = await match.provide_outcomes(1)
    assert answer.queued == 0
    assert list((await match.observation()).to_act) == [1], "the die said that seat 1 begins"


async def test_forks_and_positions(client: AsyncClient) -> None:
    match, ann, bob = await two_seats(client, options={"start_player": 0})
    await play_on(ann, bob, moves=3)
    position = (await match.observation()).position
    assert position is not None
    fork = await match.fork((await match.get()).seq, seats=[Open(), Open()], labels={"a": "fork"})
    await fork.join("ann")
    await fork.join("bob")
    assert (await fork.observation()).position == position
    assert (await fork.get()).origin.match == match.name
    third, *_ = await two_seats(client, position=position, options={"start_player": 0})
    assert (await third.observation()).position == position
    assert (await third.get()).from_position


async def test_options_as_the_packs_message(client: AsyncClient) -> None:
    options = ominoes_pb2.Options(board_size=10, expert=True)
    match = await client.create("ominoes", [Open(), Open()], options=options)
    info = await client.game("ominoes")
    there = info.messages.unpack(match.created.options)
    assert isinstance(there, ominoes_pb2.Options)
    assert (there.board_size, there.expert, there.target) == (10, True, 21)


async def test_clocks_are_set_in_seconds(client: AsyncClient) -> None:
    control = clocks(per_match=90, increment=1.5, private_decision=5)
    match, *_ = await two_seats(client, options={"start_player": 0}, time_control=control)
    assert not match.created.time_control.HasField("per_move")
    assert match.created.time_control.increment.ToMilliseconds() == 1500
    assert match.created.time_control.private_decision.ToMilliseconds() == 5000
    first, second = (await match.observation()).clocks_ms
    assert 0 < first <= second == 90_000


async def test_replays_travel_between_services(client: AsyncClient) -> None:
    match, ann, _ = await two_seats(client)
    await ann.resign()
    replay = await match.replay()
    from tests.support.server import running_server

    async with running_server(only=["ominoes"]) as other, AsyncClient(other.target) as elsewhere:
        imported = await elsewhere.import_replay(replay)
        assert imported.name == match.name
        assert imported.imported.signing_key == await client.signing_key()
        assert imported.imported.signing_key != await elsewhere.signing_key()
        assert imported.result == (await match.get()).result


async def test_legal_actions_come_in_pages(client: AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from omnilude import operations

    _, ann, _ = await two_seats(client, options={"start_player": 0})
    whole = await ann.legal_actions(typed=True)
    original = operations.list_legal_actions
    asked: list[str] = []

    def small_pages(match: str, token: str, *, typed: bool = False, page_token: str = "") -> object:
        asked.append(page_token)
        return original(match, token, typed=typed, page_size=10, page_token=page_token)

    monkeypatch.setattr(operations, "list_legal_actions", small_pages)
    pages = await ann.legal_actions(typed=True)
    assert pages.codes == whole.codes
    assert [action.label for action in pages.actions] == [action.label for action in whole.actions]
    assert len(asked) == -(-len(whole.codes) // 10)


async def test_watch_yields_every_event_once_and_ends_with_the_match(client: AsyncClient) -> None:
    match = await client.create("ominoes", [ServiceBot("random"), ServiceBot("random")], options={"target": 4})
    seqs: list[int] = []
    last = None
    async for update in match.watch(views=True, labels=True):
        seqs += [event.seq for event in update.events]
        last = update
    assert seqs == list(range(1, len(seqs) + 1))
    assert last is not None
    assert last.match.state == match_pb2.MATCH_STATE_FINISHED
    assert last.seq == seqs[-1] == last.match.seq
    assert last.observation is not None
    assert isinstance(last.observation.view, ominoes_pb2.View)
    assert last.observation.view.winners
    info = await client.game("ominoes")
    details = [info.messages.unpack(detail) for event in last.events for detail in event.details]
    assert all(isinstance(detail, ominoes_pb2.Event) for detail in details)


async def test_watch_can_start_in_the_middle_and_be_closed(client: AsyncClient) -> None:
    match, *_ = await two_seats(client)
    newest = (await match.get()).seq
    async with aclosing(match.watch(after_seq=newest - 1)) as watched:
        async for update in watched:
            assert [event.seq for event in update.events] == [newest]
            break


async def test_match_waits_for_an_absent_invited_player(client: AsyncClient) -> None:
    match = await client.create("ominoes", [Invited("carol"), ServiceBot("random")])
    assert match.created.state == match_pb2.MATCH_STATE_WAITING
    stranger = await client.match(match.name)
    with pytest.raises((NotAllowed, SeatTaken)):
        await stranger.join("mallory")
    kept = await match.join("carol", 0)
    assert kept.seat == 0, "the host may let her in by hand"


async def test_unreachable_target_raises() -> None:
    async with AsyncClient("127.0.0.1:1", timeout=0.5) as client:
        with pytest.raises(Unreachable):
            await client.catalog()


async def test_calls_of_one_client_run_concurrently(client: AsyncClient) -> None:
    games = await asyncio.gather(*(client.create("sealed", [Open(), Open()]) for _ in range(20)))
    assert len({game.name for game in games}) == 20


@pytest.mark.parametrize(
    ("text", "seat"),
    [
        ("greedy", ServiceBot("greedy")),
        ("mcts:500", ServiceBot("mcts", 500)),
        ("mcts:250ms", ServiceBot("mcts", 0, 250)),
        ("mcts:10000:2s", ServiceBot("mcts", 10_000, 2_000)),
    ],
)
def test_bot_of_the_service_is_parsed_with_its_budget(text: str, seat: ServiceBot) -> None:
    assert ServiceBot.parse(text) == seat


@pytest.mark.parametrize("text", ["mcts:", "mcts:0", "mcts:-1", "mcts:2h", "mcts:1.5s"])
def test_invalid_budget_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number of play-outs, nor a time"):
        ServiceBot.parse(text)


async def test_bot_of_the_service_is_given_a_budget(service: Running) -> None:
    async with AsyncClient(service.target) as client:
        match = await client.create("ominoes", [Open(), ServiceBot("mcts", playouts=50)])
        budget = match.created.seats[1].budget
        assert (budget.playouts, budget.milliseconds) == (50, 0)
        assert not match.created.seats[0].HasField("budget")

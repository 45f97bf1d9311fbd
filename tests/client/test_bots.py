"""Bots at a real service: the data of their turns, their play, and the handling of their failures."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar

import pytest
from google.protobuf.message import Message

from omnilude import AsyncClient, Bot, BotSeat, Invited, Open, PlayedMatch, Player, Turn, clocks, run_async
from omnilude.bot_executor import IllegalChoice
from omnilude.errors import IllegalAction, PlayerNameTaken, UnexpectedStatus, UnknownBot, UnknownMatch, Unreachable
from omnilude.turns import NotRequested
from omnilude.v1 import match_pb2
from omnilude.v1.match_pb2 import MatchEvent
from omnilude.v1.replay_pb2 import Replay
from tests.support.games import sealed
from tests.support.server import Running
from tests.support.waiting import until

SHORT = {"target": 4}


class RandomBot(Bot):
    def choose(self, turn: Turn) -> int:
        return turn.rng.choice(turn.codes)


@asynccontextmanager
async def playing(service: Running, bot: Bot, name: str, **settings: Any) -> AsyncIterator[Player]:
    """Connect a bot under a name within the block."""
    async with AsyncClient(service.target) as client, Player(bot, client, name=name, **settings) as player:
        async with asyncio.timeout(10):
            await player.connected()
        yield player


async def outcome(client: AsyncClient, game: str, players: Sequence[str], **create: Any) -> match_pb2.Match:
    """Create a match between invited players; returns it when it has ended."""
    match = await client.create(game, [Invited(player) for player in players], **create)
    ended = match.created
    async with asyncio.timeout(30):
        async for update in match.watch():
            ended = update.match
    return ended


async def test_run_plays_a_number_of_matches(service: Running) -> None:
    played = await run_async(RandomBot(), service.target, game="ominoes", against=["greedy"], matches=5, options=SHORT)
    assert [entry.seat for entry in played] == [0, 1, 0, 1, 0], "it sits at each seat in turn"
    for entry in played:
        assert entry.match.state == match_pb2.MATCH_STATE_FINISHED
        assert entry.match.result.reason == match_pb2.END_REASON_RULES
        assert entry.match.seats[entry.seat].player == "RandomBot"
        assert entry.match.seats[1 - entry.seat].player == "greedy"
        assert (entry.place, entry.value) in ((1, 1.0), (2, -1.0))
        assert entry.error is None


async def test_errors_that_prevent_a_match_are_raised(service: Running) -> None:
    with pytest.raises(UnknownBot):
        await run_async(RandomBot(), service.target, game="ominoes", against=["nobody"], matches=3)
    with pytest.raises(Unreachable):
        await run_async(RandomBot(), "127.0.0.1:1", reconnect_timeout=0.3)
    with pytest.raises(TypeError, match=r"^a bot must be an object .*, not the class RandomBot$"):
        await run_async(RandomBot, service.target, game="ominoes", against=["greedy"])  # type: ignore[arg-type]


async def test_invitations_are_played(service: Running, client: AsyncClient) -> None:
    async with playing(service, RandomBot(), "ann"), playing(service, RandomBot(), "bob"):
        ended = await outcome(client, "ominoes", ["ann", "bob"], options=SHORT)
        assert [seat.player for seat in ended.seats] == ["ann", "bob"]
        assert ended.state == match_pb2.MATCH_STATE_FINISHED


async def test_invitation_waits_for_the_player(service: Running, client: AsyncClient) -> None:
    match = await client.create("ominoes", [Invited("ann"), Invited("bob")], options=SHORT)
    async with playing(service, RandomBot(), "ann"), playing(service, RandomBot(), "bob"):
        async with asyncio.timeout(30):
            async for update in match.watch():
                ended = update.match
        assert ended.state == match_pb2.MATCH_STATE_FINISHED


async def test_player_is_invited_only_to_requested_games(service: Running, client: AsyncClient) -> None:
    async with playing(service, RandomBot(), "ann", games=["sealed"]), playing(service, RandomBot(), "bob"):
        other = await client.create("ominoes", [Invited("ann"), Invited("bob")])
        await outcome(client, "sealed", ["ann", "bob"])
        assert (await other.get()).state == match_pb2.MATCH_STATE_WAITING


async def test_many_matches_share_one_stream(service: Running, client: AsyncClient) -> None:
    async with playing(service, RandomBot(), "ann"), playing(service, RandomBot(), "bob"):
        ended = await asyncio.gather(*(outcome(client, "sealed", ["ann", "bob"], ephemeral=True) for _ in range(30)))
        assert {match.state for match in ended} == {match_pb2.MATCH_STATE_FINISHED}
        assert service.server.streams == 2


class Curious(Bot):
    """Reads all data of its turns."""

    wants = ("view", "actions", "position", "events")

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.seqs: list[int] = []
        self.views: list[Message] = []
        self.played: list[PlayedMatch] = []

    def on_start(self, bot_seat: BotSeat) -> None:
        self.calls.append("started")
        assert bot_seat.game.id == "sealed"
        assert bot_seat.name == bot_seat.match.name

    def on_events(self, bot_seat: BotSeat, events: Sequence[MatchEvent]) -> None:
        self.seqs += [event.seq for event in events]

    def choose(self, turn: Turn) -> Message:
        self.calls.append("choose")
        self.views.append(turn.view)
        assert [action.code for action in turn.actions] == list(turn.codes)
        assert all(action.label for action in turn.actions)
        assert isinstance(turn.position, sealed.messages.Position)
        assert turn.time_left is not None and 0 < turn.time_left <= 30
        assert turn.match.seats[turn.seat].player == "ann"
        assert not turn.sampled
        assert f"seat={turn.seat}" in repr(turn)
        turn.memory["turns"] = turn.memory.get("turns", 0) + 1
        return turn.actions[turn.memory["turns"]].action

    def on_end(self, played: PlayedMatch) -> None:
        self.played.append(played)


async def test_turn_has_the_data_that_the_bot_requests(service: Running, client: AsyncClient) -> None:
    curious = Curious()
    async with playing(service, curious, "ann"), playing(service, RandomBot(), "bob"):
        ended = await outcome(client, "sealed", ["ann", "bob"], time_control=clocks(per_move=30))
        await until(lambda: curious.played)
    assert curious.calls == ["started", "choose", "choose", "choose"]
    assert all(isinstance(view, sealed.messages.View) for view in curious.views)
    assert [entry.match.name for entry in curious.played] == [ended.name]
    assert curious.seqs == sorted(set(curious.seqs)), "each event is reported once, in order"
    log = Replay.FromString(await (await client.match(ended.name)).replay()).records
    own = [record.code for record in log if record.kind == match_pb2.RECORD_KIND_ACTION and record.seat == 0]
    assert own == [sealed.BID(1), sealed.BID(2), sealed.BID(3)]


async def test_reading_data_that_was_not_requested_is_an_error(service: Running) -> None:
    class Blind(Bot):
        def choose(self, turn: Turn) -> int:
            for data in ("view", "actions", "position"):
                with pytest.raises(NotRequested, match=f"'{data}'"):
                    getattr(turn, data)
            assert turn.time_left is None
            return turn.codes[0]

    (played,) = await run_async(Blind(), service.target, game="sealed", against=["random"])
    assert played.error is None


def test_unknown_want_is_refused() -> None:
    class Misspelt(RandomBot):
        wants: ClassVar[Any] = ("veiw",)

    with pytest.raises(ValueError, match="unknown value 'veiw'"):
        asyncio.run(run_async(Misspelt(), "127.0.0.1:1"))


async def test_async_bots_choose_concurrently(service: Running) -> None:
    class Dreamer(Bot):
        thinking = most = 0

        async def choose(self, turn: Turn) -> int:
            self.thinking += 1
            self.most = max(self.most, self.thinking)
            await asyncio.sleep(0.02)
            self.thinking -= 1
            return turn.codes[0]

    dreamer = Dreamer()
    played = await run_async(dreamer, service.target, game="sealed", against=["random"], matches=6, at_once=6)
    assert [entry.error for entry in played] == [None] * 6
    assert dreamer.most > 1


async def test_blocking_bots_choose_in_threads(service: Running) -> None:
    class Blocking(Bot):
        threads = 3

        def __init__(self) -> None:
            self.together = threading.Barrier(3)
            self.names: set[str] = set()

        def choose(self, turn: Turn) -> int:
            if not turn.memory:  # the first decision in its match
                turn.memory["thought"] = True
                self.together.wait(timeout=60)
            self.names.add(threading.current_thread().name)
            return turn.codes[0]

    blocking = Blocking()
    played = await run_async(blocking, service.target, game="kuhn", against=["random"], matches=3, at_once=3)
    assert [entry.error for entry in played] == [None] * 3
    assert len(blocking.names) == 3


class Failing(Bot):
    """A bot that fails at every seat of one game, in the given way."""

    def __init__(self, failure: Any) -> None:
        self.failure = failure

    def choose(self, turn: Turn) -> Any:
        if turn.match.labels["event"] == "trouble":
            return self.failure(turn)
        return turn.codes[0]


class Broken(Exception):
    pass


def raises(turn: Turn) -> int:
    raise Broken("a defect of the bot")


async def raises_later(turn: Turn) -> int:
    await asyncio.sleep(0)
    raise Broken("a defect of the bot")


class OwnBaseError(BaseException):
    pass


def raising(error: type[BaseException]) -> Any:
    def choose(turn: Turn) -> int:
        raise error

    return choose


def raising_later(error: type[BaseException]) -> Any:
    async def choose(turn: Turn) -> int:
        await asyncio.sleep(0)
        raise error

    return choose


async def awaits_what_somebody_cancels(turn: Turn) -> int:
    """Returns a bot that awaits a future that other code cancels."""
    reader = asyncio.ensure_future(asyncio.Event().wait())
    asyncio.get_running_loop().call_soon(reader.cancel)
    await reader
    return turn.codes[0]


def illegal_message(turn: Turn) -> Message:
    action = sealed.messages.Action()
    action.bid = 200
    return action


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (raises, Broken),
        (raises_later, Broken),
        *((raising(error), error) for error in (asyncio.CancelledError, GeneratorExit, StopIteration, OwnBaseError)),
        *((raising_later(error), error) for error in (asyncio.CancelledError, GeneratorExit, OwnBaseError)),
        (awaits_what_somebody_cancels, asyncio.CancelledError),
        (lambda turn: max(turn.codes) + 1, IllegalChoice),
        (lambda turn: None, IllegalChoice),
        (lambda turn: "pass", IllegalChoice),
        (illegal_message, IllegalAction),
    ],
)
async def test_bot_that_fails_resigns_that_match_and_plays_the_others(
    service: Running, client: AsyncClient, caplog: pytest.LogCaptureFixture, failure: Any, error: type[Exception]
) -> None:
    ended: list[PlayedMatch] = []

    class Told(Failing):
        def on_end(self, played: PlayedMatch) -> None:
            ended.append(played)

    async with playing(service, Told(failure), "ann"), playing(service, RandomBot(), "bob"):
        trouble, fine = await asyncio.gather(
            outcome(client, "sealed", ["ann", "bob"], labels={"event": "trouble"}),
            outcome(client, "sealed", ["ann", "bob"], labels={"event": "fine"}),
        )
        await until(lambda: len(ended) == 2)
    assert trouble.result.reason == match_pb2.END_REASON_FORFEIT
    assert list(trouble.result.places) == [2, 1]
    assert fine.result.reason == match_pb2.END_REASON_RULES
    failed = {played.match.name: played.error for played in ended}
    assert isinstance(failed[trouble.name], error)
    assert failed[fine.name] is None
    assert [record.levelno for record in caplog.records if record.name == "omnilude"].count(logging.ERROR) == 1


async def test_bot_that_fails_in_its_other_methods_resigns_too(service: Running) -> None:
    class Late(RandomBot):
        def on_start(self, bot_seat: BotSeat) -> None:
            raise Broken("cannot set up")

    (played,) = await run_async(Late(), service.target, game="sealed", against=["random"])
    assert isinstance(played.error, Broken)
    assert played.match.result.reason == match_pb2.END_REASON_FORFEIT


@pytest.mark.parametrize(
    ("error", "reported"),
    [
        (Broken, Broken),
        (asyncio.CancelledError, asyncio.CancelledError),
        (StopIteration, RuntimeError),  # Python's own word for one that comes out of a coroutine
        (OwnBaseError, OwnBaseError),
    ],
)
async def test_bot_that_fails_in_a_thread_resigns_that_match(
    service: Running, error: type[BaseException], reported: type[BaseException]
) -> None:
    class Threaded(Failing):
        threads = 2

        def choose(self, turn: Turn) -> Any:
            if turn.seat == 0:
                raise error
            return turn.codes[0]

    async with asyncio.timeout(30):
        first, second = await run_async(Threaded(None), service.target, game="sealed", against=["random"], matches=2)
    assert isinstance(first.error, reported) and second.error is None
    assert first.match.result.reason == match_pb2.END_REASON_FORFEIT


@pytest.mark.parametrize("error", [asyncio.CancelledError, OwnBaseError])
@pytest.mark.parametrize("method", ["on_start", "on_events", "on_end"])
async def test_exception_in_another_method_leaves_other_matches_alone(
    service: Running, method: str, error: type[BaseException]
) -> None:
    class Late(RandomBot):
        wants = ("events",)

    def fail(self: Late, *given: object) -> None:
        raise error

    setattr(Late, method, fail)
    async with asyncio.timeout(30):
        played = await run_async(Late(), service.target, game="sealed", against=["random"], matches=2)
    assert [type(entry.error) for entry in played] == [type(None) if method == "on_end" else error] * 2


async def test_waiting_for_a_match_raises_when_the_player_stops(
    service: Running, client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(self: object, *given: object) -> None:
        raise Broken("a defect of the client")

    match = await client.create("sealed", [Open(), Open()])
    seat = await match.join("ann", 0)
    await match.join("bob", 1)
    monkeypatch.setattr("omnilude.bot_executor.BotExecutor._decide", defect)
    async with Player(RandomBot(), client) as player:
        with pytest.raises(Broken):
            async with asyncio.timeout(30):
                await player.play_seat(match.name, seat.token)


@pytest.mark.parametrize("agrees", [True, False])
async def test_bot_accepts_or_declines_an_undo(service: Running, client: AsyncClient, agrees: bool) -> None:
    asked: list[str] = []

    class Asked(RandomBot):
        def accepts_undo(self, bot_seat: BotSeat, request: MatchEvent) -> bool:
            asked.append(request.text)
            return agrees

        async def choose(self, turn: Turn) -> int:  # type: ignore[override]
            await asyncio.Event().wait()
            raise AssertionError("it never moves")

    match = await client.create("ominoes", [Open(), Invited("bot")], options={"start_player": 0})
    ann = await match.join("ann")
    async with playing(service, Asked(), "bot"):
        first = await ann.legal_actions()
        await ann.submit_action(first.codes[0])
        await ann.request_undo(reason="please")
        async with asyncio.timeout(10):
            async for update in match.watch():
                kinds = [event.kind for event in update.events]
                if match_pb2.RECORD_KIND_UNDONE in kinds or match_pb2.RECORD_KIND_UNDO_DECLINED in kinds:
                    break
        assert (match_pb2.RECORD_KIND_UNDONE in kinds) is agrees
        assert asked == ["please"]
        assert bool((await ann.legal_actions()).codes) is agrees


async def test_obsolete_decision_is_cancelled(service: Running, client: AsyncClient) -> None:
    thinking: list[int] = []
    cancelled: list[int] = []

    class Pondering(Bot):
        async def choose(self, turn: Turn) -> int:
            thinking.append(turn.seq)
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                cancelled.append(turn.seq)
                raise
            return turn.codes[0]

    async with playing(service, Pondering(), "slow"):
        match = await client.create("ominoes", [Invited("slow"), Open()], options={"start_player": 0})
        bob = await match.join("bob")
        await until(lambda: thinking)
        await bob.resign()
        await until(lambda: cancelled)
        assert cancelled == thinking


async def test_seed_makes_random_numbers_repeatable(service: Running) -> None:
    async def numbers(seed: int) -> list[float]:
        drawn: list[float] = []

        class Drawing(Bot):
            def choose(self, turn: Turn) -> int:
                drawn.append(turn.rng.random())
                return turn.codes[0]

        await run_async(Drawing(), service.target, game="sealed", against=["random"], seed=seed)
        return drawn

    assert await numbers(5) == await numbers(5) != await numbers(6)


async def test_second_player_of_the_same_name_is_refused(service: Running) -> None:
    async with playing(service, RandomBot(), "ann"):
        with pytest.raises(PlayerNameTaken):
            await run_async(RandomBot(), service.target, name="ann", key="another key")


async def test_connected_waits_for_the_first_connection(service: Running) -> None:
    async with AsyncClient("127.0.0.1:1") as client, Player(RandomBot(), client, reconnect_timeout=0.2) as player:
        with pytest.raises(Unreachable):
            await player.wait()
        with pytest.raises(Unreachable):
            await player.connected()
        with pytest.raises(Unreachable):
            player.play_seat("matches/none", "token")


async def test_seat_of_an_unknown_match_raises(service: Running) -> None:
    async with playing(service, RandomBot(), "") as player:
        with pytest.raises(UnknownMatch):
            await player.play_seat("matches/none", "token")


async def test_target_without_play_service_is_not_retried() -> None:
    import grpc

    server = grpc.aio.server()
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        with pytest.raises(UnexpectedStatus, match="UNIMPLEMENTED"):
            await run_async(RandomBot(), f"127.0.0.1:{port}")
    finally:
        await server.stop(None)

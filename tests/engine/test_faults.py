"""A pack that raises ends its own match as a server fault; its text is not disclosed, and other matches go on."""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engine_service import errors
from engine_service.match_enums import EndReason, MatchState
from engine_service.matches.events import EventCursor
from engine_service.matches.verify import verify
from engine_service.model import MatchSetup, Policy, SeatSetup
from engine_service.pack_guard import PackTimeout
from gamepacks.api.hooks import hookimpl
from gamepacks.api.types import SPECTATOR, Seat
from tests.support.games import faulty, kuhn, sealed
from tests.support.hosting import BOT, PACKS, hosting, idle
from tests.support.raising import ERRORS, raise_error

BOMB = sealed.BID(faulty.BOMB)


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_exception_in_an_action_ends_the_match(ephemeral: bool, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    async with hosting() as h:
        t = await h.new_match("faulty", ephemeral=ephemeral)
        other = await h.new_match("faulty")
        await t.play(0, sealed.BID(1))
        before = t.live.snapshot.game_state.to_bytes()
        with pytest.raises(errors.PackFault) as fault:
            await t.play(1, BOMB)
        info = await h.host.get(t.name)
        assert info.state is MatchState.FAULTED and info.result is not None
        assert info.result.reason is EndReason.PACK_FAULT and info.end_ms is not None
        assert t.log()[-2:] == ["ACTION 0 1", f"FAULTED '{fault.value.incident}'"]
        assert t.live.snapshot.game_state.to_bytes() == before
        assert fault.value.incident in caplog.text and "ZeroDivisionError" in caplog.text
        assert "faulty:" in caplog.text
        for shown in (caplog.text, fault.value.message, repr(fault.value.metadata), repr(t.log())):
            assert faulty.LEAKING_TEXT not in shown
        with pytest.raises(errors.MatchEnded):
            await t.play(1, sealed.BID(0))
        assert h.host.stats.pack_faults == 1
        assert (await other.play(0, sealed.BID(1))).state is MatchState.ACTIVE
        report = verify(await h.host.get_replay(t.name), h.registry)
        assert report.state is MatchState.FAULTED


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_pack_fault_is_not_kept_as_an_answer(ephemeral: bool) -> None:
    async with hosting() as h:
        t = await h.new_match("faulty", ephemeral=ephemeral)
        with pytest.raises(errors.PackFault):
            await t.play(1, BOMB, request_id="r")
        with pytest.raises(errors.MatchEnded):
            await t.play(1, BOMB, request_id="r")


async def test_debug_log_has_the_text_of_the_exception(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with hosting() as h:
        t = await h.new_match("faulty")
        with pytest.raises(errors.PackFault):
            await t.play(1, BOMB)
        assert faulty.LEAKING_TEXT in caplog.text


async def test_fault_under_bots_ends_the_match() -> None:
    async with hosting() as h:
        created = await h.host.create(
            MatchSetup("faulty", [SeatSetup(), BOT], option_texts={"rounds": "9", "coins": "6"})
        )
        joined = await h.host.join(created.match.name, "Ada")
        for _ in range(4):
            try:
                await h.host.submit_action(created.match.name, joined.token, sealed.BID(0))
            except errors.PackFault:
                break
        assert (await h.host.get(created.match.name)).state is MatchState.FAULTED


class Broken(sealed.SealedGame):
    """A game that raises in the method named by ``where``."""

    id = "broken"
    where = ""
    error = ""
    """Name of the exception in :mod:`tests.support.raising` that it raises."""
    failures = 0
    with_chance = False

    def fail(self, place: str) -> None:
        if Broken.where == place:
            Broken.failures += 1
            if Broken.error == "PackTimeout":
                raise PackTimeout
            if Broken.error:
                raise_error(Broken.error)
            raise RuntimeError(faulty.LEAKING_TEXT)

    def initial_state(self) -> BrokenState:
        self.fail("initial_state")
        n = self.players
        return BrokenState(self, 0, [self.options.coins] * n, [0] * n, [sealed.NONE] * n)

    def view(self, state: Any, viewer: Any) -> Any:
        self.fail("view")
        return super().view(state, viewer)

    def events(self, *given: Any) -> Any:
        self.fail("events")
        return super().events(*given)

    def action(self, state: Any, code: Any) -> Any:
        self.fail("action")
        return super().action(state, code)

    def parse(self, state: Any, seat: Any, action: Any) -> Any:
        self.fail("parse")
        return super().parse(state, seat, action)


class BrokenState(sealed.SealedState):
    """A state that raises, or violates the contract, in the method named by ``Broken.where``."""

    def legal(self, seat: int = -1) -> list[int]:
        self.game.fail("legal")
        if Broken.where == "nothing_legal":
            return []
        return super().legal(seat)

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        self.game.fail("apply")
        super().apply_unchecked(code, seat)

    def chance(self) -> list[tuple[int, int]]:
        return []

    def actor(self) -> int:
        return kuhn.CHANCE if Broken.where == "no_outcomes" else super().actor()

    def returns(self) -> tuple[float, ...]:
        if Broken.where == "short_returns":
            return (0.0,)
        return super().returns()

    def resample(self, viewer: int, rng: Any) -> BrokenState:
        self.game.fail("resample")
        return self.clone()

    def clone(self) -> BrokenState:
        return BrokenState(self.game, self.round, self.coins[:], self.points[:], self.bids[:])


class BrokenPack:
    @hookimpl
    def omnilude_games(self) -> Sequence[type[Broken]]:
        return [Broken]


@pytest.fixture(autouse=True)
def whole() -> Any:
    Broken.where = Broken.error = ""
    Broken.failures = 0
    yield
    Broken.where = Broken.error = ""


@pytest.fixture
def service_handles_sigint() -> Iterator[None]:
    """Install the signal handler of the service, so that Ctrl-C raises no KeyboardInterrupt."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("ephemeral", [False, True])
@pytest.mark.parametrize("place", ["view", "events", "legal", "action", "resample"])
async def test_exception_in_a_read_does_not_end_the_match(place: str, ephemeral: bool) -> None:
    async with hosting(packs=[*PACKS, BrokenPack()]) as h:
        t = await h.new_match("broken", ephemeral=ephemeral)
        await t.play(0, sealed.BID(1))
        cursor = EventCursor(t.live, SPECTATOR)
        Broken.where = place
        live = t.live

        async def observe() -> object:
            if place == "events":
                return cursor.next()
            if place == "resample":
                return live.resample_position(1)
            if place == "view":
                return await h.host.observe_match(t.name)
            return await h.host.legal_actions(t.name, t.tokens[1], typed=True)

        with pytest.raises(errors.PackFault) as first:
            await observe()
        with pytest.raises(errors.PackFault) as second:
            await observe()
        await idle()
        assert first.value.incident == second.value.incident
        assert t.live.state is MatchState.FAULTED and h.host.stats.pack_faults == 1
        assert t.log()[-1] == f"FAULTED '{first.value.incident}'"
        assert cursor.seq == (3 if place == "events" else 0)
        Broken.where = ""
        assert cursor.next()[-1].text == first.value.incident


@pytest.mark.parametrize("ephemeral", [False, True])
@pytest.mark.parametrize("name", [*ERRORS, "PackTimeout"])
async def test_any_exception_of_rules_ends_their_match_and_answers_the_caller(
    name: str, ephemeral: bool, service_handles_sigint: None
) -> None:
    async with hosting(packs=[*PACKS, BrokenPack()]) as h:
        for place in ("legal", "view", "apply"):
            t = await h.new_match("broken", ephemeral=ephemeral)
            Broken.where, Broken.error = place, name
            with pytest.raises(errors.PackFault):
                if place == "legal":
                    await h.host.legal_actions(t.name, t.tokens[0])
                elif place == "view":
                    await h.host.observe_match(t.name)
                else:
                    await t.play(0, sealed.BID(1))
            await idle()
            Broken.where = ""
            assert t.live.state is MatchState.FAULTED, place
        assert h.host.stats.pack_faults == 3


async def test_timed_out_rules_are_not_called_again() -> None:
    """Rules that have timed out are not called again, because each call would block the event loop."""
    async with hosting(packs=[*PACKS, BrokenPack()]) as h:
        t = await h.new_match("broken", ephemeral=True)
        Broken.where, Broken.error = "apply", "PackTimeout"
        with pytest.raises(errors.PackFault):
            h.host.submit_for_seat(t.live, Seat(0), sealed.BID(1), t.live.decision_seq)
        assert Broken.failures == 1
        await idle()
        assert t.live.state is MatchState.FAULTED


@pytest.mark.parametrize("place", ["nothing_legal", "no_outcomes"])
async def test_contract_violation_at_the_start_is_a_pack_fault(place: str) -> None:
    async with hosting(packs=[*PACKS, BrokenPack()]) as h:
        t = await h.new_match("broken", seats=[SeatSetup(), BOT], policy=Policy(manual_start=True))
        Broken.where = place
        with pytest.raises(errors.PackFault):
            await h.host.start_match(t.name, t.host_token)
        assert t.live.state is MatchState.FAULTED


@pytest.mark.parametrize("place", ["parse", "short_returns"])
async def test_contract_violation_in_a_move_is_a_pack_fault(place: str) -> None:
    async with hosting(packs=[*PACKS, BrokenPack()]) as h:
        t = await h.new_match("broken", option_texts={"rounds": "1"})
        await t.play(0, sealed.BID(1))
        Broken.where = place
        with pytest.raises(errors.PackFault):
            await h.host.submit_action(t.name, t.tokens[1], sealed.messages.Action(bid=0))
        assert t.live.state is MatchState.FAULTED


async def test_pack_that_raises_on_a_new_match_leaves_nothing() -> None:
    async with hosting(packs=[*PACKS, BrokenPack()]) as h:
        Broken.where = "initial_state"
        with pytest.raises(errors.PackFault):
            await h.host.create(MatchSetup("broken", [SeatSetup()] * 2))
        assert h.host.live_count == 0 and h.store.writes == 0 and h.host.stats.pack_faults == 1


async def test_log_that_its_pack_cannot_replay_is_a_pack_fault() -> None:
    async with hosting(packs=[*PACKS, BrokenPack()]) as h:
        running, ended = await h.new_match("broken"), await h.new_match("broken")
        await h.host.resign(ended.name, ended.tokens[0])
        other = h.new_host()
        Broken.where = "initial_state"
        for t in (running, ended):
            with pytest.raises(errors.PackFault):
                await other.live_match(t.name)
        assert (await other.get(running.name)).state is MatchState.FAULTED
        info = await other.get(ended.name)
        assert info.state is MatchState.FINISHED
        assert len((await other.get_replay(ended.name)).records) == info.seq
        with pytest.raises(errors.PackFault):
            await other.live_match(running.name)
        assert len(await running.stored()) == 4


async def test_match_of_missing_rules_is_refused() -> None:
    async with hosting() as h:
        t = await h.new_match("kuhn")
        h.registry = type(h.registry).load(only=(), extra=[sealed.PACK])
        other = h.new_host()
        await other.start()
        for call in (
            other.live_match(t.name),
            other.observe_match(t.name),
            other.submit_action(t.name, t.tokens[0], kuhn.BET()),
        ):
            with pytest.raises(errors.RulesNotLoaded) as missing:
                await call
            assert missing.value.metadata == {"game": "kuhn", "rules_version": "1"}
        assert (await other.get(t.name)).state is MatchState.ACTIVE
        await other.drain(None)

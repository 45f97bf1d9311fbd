"""Random histories of services over one store: every state equals the one that the log gives.

After every step, for every match: its records have no gaps; the store and the cached match agree; loading the log gives
an equal match; nothing that was acknowledged is lost; a refused or failed write has changed nothing. At the end every
log is verified.
"""

from __future__ import annotations

import asyncio
import random
import secrets
from collections.abc import Coroutine
from contextlib import ExitStack
from typing import Any, TypeVar
from unittest.mock import patch

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from engine_service.errors import EngineError, StoreUnavailable
from engine_service.log import history
from engine_service.match_enums import AbsencePolicy, ChanceSource, MatchState, RecordKind, UndoPolicy
from engine_service.matches.snapshot import MatchSnapshot
from engine_service.matches.verify import verify
from engine_service.model import ForkSetup, Policy, SeatSetup, TimeControl
from gamepacks.api.types import Code, Seat
from tests.support.games import kuhn, sealed
from tests.support.hosting import BOT, Hosted, HostedMatch, hosting

T = TypeVar("T")
ANY = st.integers(min_value=0, max_value=999)
POLICIES = st.builds(
    Policy,
    undo=st.sampled_from(UndoPolicy),
    absence=st.sampled_from(AbsencePolicy),
    chance=st.sampled_from(ChanceSource),
    manual_start=st.sampled_from([False, False, True]),
)
CLOCKS = st.sampled_from([None, None, TimeControl(per_move_ms=3_000), TimeControl(5_000, 9_000, 500)])
SEATS = st.lists(st.sampled_from([SeatSetup(), SeatSetup(), BOT]), min_size=2, max_size=3)
CODES = [kuhn.CHECK(), kuhn.BET(), kuhn.CALL(), kuhn.FOLD(), *(sealed.BID(n) for n in range(4)), -5, 1 << 30]
DEALS = [kuhn.DEAL(card) for card in range(4)]


def values(now: MatchSnapshot) -> dict[str, Any]:
    """Returns all fields of a snapshot in a form that compares by value."""
    found = {name: getattr(now, name) for name in MatchSnapshot.__slots__ if name != "game_state"}
    found["game_state"] = now.game_state.to_bytes()
    return found


class Services(RuleBasedStateMachine):
    """Consecutive services over one store, and the answers that their callers have received."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.stack = ExitStack()
        # The same history must do the same again when Hypothesis looks for a shorter one.
        rnd = random.Random(1)
        self.stack.enter_context(patch.object(history, "KEEP_EVERY", 3))
        self.stack.enter_context(patch.object(secrets, "token_bytes", rnd.randbytes))
        self.stack.enter_context(patch.object(secrets, "randbits", rnd.getrandbits))
        self.stack.enter_context(patch.object(secrets, "choice", rnd.choice))
        self.hosting = hosting(packs=[kuhn.PACK, sealed.PACK], queued_outcomes=6)
        self.h: Hosted = self.run(self.hosting.__aenter__())
        self.tables: list[HostedMatch] = []
        self.shown: dict[tuple[str, int], tuple[int, int]] = {}
        self.before: dict[str, dict[str, Any]] = {}

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(coroutine)

    def attempt(self, t: HostedMatch, call: Coroutine[Any, Any, T]) -> T | None:
        """Make a call that may be refused; a refused one must change nothing, except for clocks that have run out."""
        live = self.run(self.h.host.live_match(t.name))
        before = values(live.snapshot)
        try:
            return self.run(call)
        except EngineError as error:
            if not any(record.kind is RecordKind.TIMED_OUT for record in live.log.after(before["seq"])):
                assert values(live.snapshot) == before, error.reason
            return None

    def live(self, t: HostedMatch) -> Any:
        return self.h.host._cache.get_cached(t.name)

    def pick(self, number: int) -> HostedMatch:
        return self.tables[number % len(self.tables)]

    @initialize()
    def first(self) -> None:
        self.create("kuhn", [SeatSetup(), SeatSetup()], Policy(), None, False)

    @rule(
        game=st.sampled_from(["kuhn", "sealed"]), seats=SEATS, policy=POLICIES, clocks=CLOCKS, ephemeral=st.booleans()
    )
    def create(
        self, game: str, seats: list[SeatSetup], policy: Policy, clocks: TimeControl | None, ephemeral: bool
    ) -> None:
        made = self.h.new_match(
            game,
            seats=seats,
            policy=policy,
            time_control=clocks,
            ephemeral=ephemeral,
            option_texts=self.options(game),
            seed=5 if policy.chance is ChanceSource.SEEDED else None,
        )
        try:
            self.tables.append(self.run(made))
        except StoreUnavailable:
            assert self.h.store.failing and not ephemeral

    @staticmethod
    def options(game: str) -> dict[str, str]:
        return {"deals": "5"} if game == "kuhn" else {"rounds": "5", "coins": "3"}

    # -- what players do -------------------------------------------------------------------------------------------

    @rule(number=ANY, choices=st.lists(ANY, min_size=1, max_size=6), stale=st.sampled_from([0, 0, 0, 1]))
    def move(self, number: int, choices: list[int], stale: int) -> None:
        t = self.pick(number)
        live = self.run(self.h.host.live_match(t.name))
        for choice in choices:
            seats = [seat for seat in range(len(t.tokens)) if live.must_act(seat) and t.tokens[seat]]
            if not seats:
                return
            seat = seats[choice % len(seats)]
            legal = live.legal(seat)
            code, seq = legal[choice % len(legal)], live.decision_seq - stale
            done = self.attempt(t, t.play(seat, code, expected_seq=seq))
            if done is not None:
                self.shown[t.name, done.action_seq] = (seat, code)
                again = self.attempt(t, t.play(seat, code, expected_seq=seq))
                assert self.h.store.failing or (again is not None and again.action_seq == done.action_seq)

    @rule(number=ANY, seat=ANY, code=st.sampled_from(CODES))
    def try_any_move(self, number: int, seat: int, code: int) -> None:
        t = self.pick(number)
        seat %= len(t.tokens)
        if t.tokens[seat]:
            done = self.attempt(t, t.play(seat, code))
            if done is not None:
                self.shown[t.name, done.action_seq] = (seat, code)

    @rule(number=ANY, seat=ANY, really=st.sampled_from([True, False, False]))
    def resign(self, number: int, seat: int, really: bool) -> None:
        t = self.pick(number)
        if really:
            self.attempt(t, self.h.host.resign(t.name, t.tokens[seat % len(t.tokens)]))

    @rule(number=ANY, choice=ANY, exactly=st.booleans())
    def request_undo(self, number: int, choice: int, exactly: bool) -> None:
        t = self.pick(number)
        live = self.run(self.h.host.live_match(t.name))
        to_seq = live.decision_points[choice % len(live.decision_points)] if exactly and live.decision_points else None
        for token in t.tokens:
            self.attempt(t, self.h.host.request_undo(t.name, token, to_seq, "oops"))

    @rule(number=ANY, accept=st.sampled_from([True, True, True, False]))
    def answer_undo(self, number: int, accept: bool) -> None:
        t = self.pick(number)
        live = self.run(self.h.host.live_match(t.name))
        asked = live.undo_pending.seq if live.undo_pending is not None else live.seq
        for token in t.tokens:
            self.attempt(t, self.h.host.answer_undo(t.name, token, asked, accept, "so"))

    @rule(number=ANY)
    def withdraw_undo(self, number: int) -> None:
        t = self.pick(number)
        for token in t.tokens:
            self.attempt(t, self.h.host.withdraw_undo(t.name, token))

    # -- what hosts do ---------------------------------------------------------------------------------------------

    @rule(number=ANY, codes=st.lists(st.sampled_from([*DEALS, *DEALS, 7]), min_size=1, max_size=4))
    def supply(self, number: int, codes: list[int]) -> None:
        t = self.pick(number)
        self.attempt(t, self.h.host.provide_outcomes(t.name, t.host_token, [Code(code) for code in codes]))

    @rule(number=ANY)
    def start(self, number: int) -> None:
        t = self.pick(number)
        self.attempt(t, self.h.host.start_match(t.name, t.host_token))

    @rule(number=ANY)
    def cancel(self, number: int) -> None:
        t = self.pick(number)
        if number % 5 == 0:
            self.attempt(t, self.h.host.cancel(t.name, t.host_token, "enough"))

    @rule(number=ANY, seq=st.integers(min_value=0, max_value=30), ephemeral=st.booleans())
    def fork(self, number: int, seq: int, ephemeral: bool) -> None:
        t = self.pick(number)
        made = self.attempt(t, self.h.host.fork(t.name, ForkSetup(ephemeral=ephemeral), seq, t.host_token))
        if made is not None and len(self.tables) < 4:
            copy = HostedMatch(self.h, made.match.name, made.host_token, [""] * len(t.tokens))
            self.tables.append(copy)
            for seat in range(len(copy.tokens)):
                joined = self.attempt(copy, self.h.host.join(copy.name, "x", Seat(seat)))
                copy.tokens[seat] = joined.token if joined else ""

    # -- what the world does ---------------------------------------------------------------------------------------

    @rule(ms=st.sampled_from([1, 1, 300, 300, 700, 2_999, 10_000]))
    def time_passes(self, ms: int) -> None:
        self.run(self.h.time.advance(ms))

    @rule(ms=st.sampled_from([700, 3_000]))
    def time_passes_unseen(self, ms: int) -> None:
        self.h.time.skip(ms)

    @rule()
    def the_store_fails(self) -> None:
        self.h.store.failing = True

    @rule()
    def the_store_is_back(self) -> None:
        self.h.store.failing = False

    @precondition(lambda self: not self.h.store.failing)
    @rule()
    def the_service_restarts(self) -> None:
        ephemeral = {t.name for t in self.tables if (live := self.live(t)) is not None and live.ephemeral}
        self.run(self.h.restart())
        self.tables = [t for t in self.tables if t.name not in ephemeral]
        self.shown = {key: value for key, value in self.shown.items() if key[0] not in ephemeral}
        if not self.tables:
            self.first()

    # -- what always holds -----------------------------------------------------------------------------------------

    @invariant()
    def the_log_is_the_truth(self) -> None:
        for t in self.tables:
            live = self.live(t)
            if live is None:
                continue
            log = live.log.after(0)
            assert [record.seq for record in log] == list(range(1, live.seq + 1))
            assert [record.time_ms for record in log] == sorted(record.time_ms for record in log)
            assert live.write_queue is None
            if not live.ephemeral:
                assert self.run(t.stored()) == log
                other = self.h.new_host()
                # It must not write what is due, such as a time-out that nobody has noticed yet.
                self.run(other.drain(None))
                loaded = self.run(other.live_match(t.name))
                assert values(loaded.snapshot) == values(live.snapshot)
                assert loaded.decision_points == live.decision_points and loaded.chain == live.chain

    @invariant()
    def nothing_acknowledged_is_lost(self) -> None:
        for (name, seq), (seat, code) in self.shown.items():
            live = self.run(self.h.host.live_match(name))
            record = live.log.after(seq - 1, 1)[0]
            assert (record.kind, record.seat, record.code) == (RecordKind.ACTION, seat, code)

    @invariant()
    def somebody_can_go_on(self) -> None:
        """A match in play waits for a player, for the host's outcome, or for a write that the store has refused."""
        for t in self.tables:
            live = self.live(t)
            if live is not None and live.state is MatchState.ACTIVE and not self.h.store.failing:
                players = [seat for seat in range(len(t.tokens)) if live.must_act(seat)]
                assert (
                    players
                    or live.awaits_chance
                    or live.bots_deciding
                    or live.seats_to_act & live.snapshot.service_seats
                )

    def teardown(self) -> None:
        try:
            self.h.store.failing = False
            for t in self.tables:
                replay = self.run(self.h.host.get_replay(t.name, t.host_token))
                verify(replay, self.h.registry)
            self.run(self.hosting.__aexit__(None, None, None))
        finally:
            self.stack.close()
            self.loop.close()


Services.TestCase.settings = settings(
    max_examples=40,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
)
test_random_histories = Services.TestCase

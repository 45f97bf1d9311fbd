"""Decisions of the service seats: those of bots, and of seats that have resigned or timed out.

A bot decides on a state that its seat cannot tell from the true one, resampled for each decision. Quick bots
(``inline``) decide on the event loop, within the write that put the decision before them. The others run in worker
processes, except for private decisions: the pack's bot for these (``inline_private``) makes them at once, and where
there is none they are declined. When a bot raises, answers with an illegal code, exceeds its time or ends its process,
a random action replaces that decision.

:class:`BotFailures` counts failures and says which bots are not asked any more. A failure is disruptive if others had
to wait for it: the bot timed out, or its process ended. A bot is replaced in a match after several failures there, or
one disruptive failure. A bot with disruptive failures in match after match is replaced everywhere until the service is
restarted; an inline bot, for which everybody waits, after the first.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import blake2b

from cext.random import Rng
from cext.state import State
from engine_service.errors import EngineError, PackFault
from engine_service.hosting.bot_pool import BotPool
from engine_service.hosting.bot_worker import BotTask, Failure
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.matches.draft import Draft
from engine_service.matches.idempotency import Answer
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import continue_play, take_action
from engine_service.matches.snapshot import MatchSnapshot
from engine_service.matches.writer import WRITE_RETRY_MS
from engine_service.observability.stats import Stats
from engine_service.pack_guard import PACK_GUARD, ContractViolated, PackRaised, PackTimeout, ProcessLost, await_pack
from engine_service.timing import TimeSource
from gamepacks.api.bots import Budget, PackBot, Turn
from gamepacks.api.errors import error_location
from gamepacks.api.registry import Registry
from gamepacks.api.types import Code, Seat

log = logging.getLogger(__name__)

INLINE_MS = 1
"""Time for which bots may decide within one write; later decisions are made after the event loop has run other
tasks."""
ATTEMPTS = 2
"""Number of attempts at one decision of a bot in a worker process; a time-out is not repeated."""
MAX_FAILURES = 3
"""Failed decisions of one seat after which its bot is replaced in that match."""
MAX_DISRUPTIVE_FAILURES = 3
"""Disruptive failures without a decision in between, after which a bot in a worker process is replaced everywhere."""
MAX_MATCHES = 10_000
"""Maximum number of matches whose failures are remembered; the oldest are dropped."""

WriteSoon = Callable[[LiveMatch, Callable[[Draft], Answer]], Awaitable[Answer]]


def default_budget(limits: Limits) -> Budget:
    """Returns the budget of a bot whose seat has none."""
    return Budget(playouts=limits.bot_playouts, milliseconds=limits.bot_milliseconds)


class BotFailures:
    """Counts the failures of bots, and decides which bots are replaced by random actions."""

    def __init__(self) -> None:
        self._in_match: OrderedDict[str, dict[int, int]] = OrderedDict()
        self._disruptive: dict[tuple[str, str], int] = {}
        self._everywhere: set[tuple[str, str]] = set()

    def replaced(self, game: str, bot: str, match: str, seat: int) -> bool:
        """Returns whether random actions replace a bot, so that it is not asked."""
        if (game, bot) in self._everywhere:
            return True
        counts = self._in_match.get(match)
        return counts is not None and counts.get(seat, 0) >= MAX_FAILURES

    def add(self, game: str, bot: str, match: str, seat: int, *, disruptive: bool, inline: bool) -> str:
        """Count a failed decision. Returns where the bot is replaced from now on, for the log, or ""."""
        counts = self._in_match.setdefault(match, {})
        if len(self._in_match) > MAX_MATCHES:
            self._in_match.popitem(last=False)
        counts[seat] = MAX_FAILURES if disruptive else counts.get(seat, 0) + 1
        if disruptive:
            count = self._disruptive[game, bot] = self._disruptive.get((game, bot), 0) + 1
            if inline or count >= MAX_DISRUPTIVE_FAILURES:
                self._everywhere.add((game, bot))
                return "in all matches until the service is restarted"
        return f"for seat {seat} in {match}" if counts[seat] == MAX_FAILURES else ""

    def succeeded(self, game: str, bot: str) -> None:
        """Note that a bot in a worker process has decided."""
        self._disruptive.pop((game, bot), None)

    def forget(self, match: str) -> None:
        """Forget a match that has ended."""
        self._in_match.pop(match, None)


class ServiceBots:
    """Decides for the service seats."""

    def __init__(
        self,
        registry: Registry,
        time: TimeSource,
        limits: Limits,
        stats: Stats,
        write: WriteSoon,
        has_claim: Callable[[LiveMatch], bool],
    ) -> None:
        """``has_claim`` returns whether this service decides between writes for the bots of a match."""
        self._has_claim = has_claim
        self._registry = registry
        self._time = time
        self._stats = stats
        self._write = write
        self._default_budget = default_budget(limits)
        self._longest_ms = limits.bot_milliseconds_max
        self._workers = BotPool(limits, registry)
        self._failures = BotFailures()
        self._seed_key = secrets.token_bytes(32)
        self._pickled: dict[tuple[str, str], tuple[bytes, bytes]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    # -- within a write ----------------------------------------------------------------------------------------------

    def decide(self, draft: Draft, seat: int) -> Code | None:
        """Returns a legal code from a quick bot; None if the seat's bot is slow, or the time of one write is used up.

        Every bot makes a private decision at once, or others would notice the pause.
        """
        bot = self._bot(draft.header.game, draft.header.policy.absence_bot, draft.after, seat)
        private = draft.after.decline_code != -1
        if private and not (bot.inline or bot.inline_private):
            quick = self._private_decision_bot(draft.header.game)
            if quick is None:
                return Code(draft.after.decline_code)
            bot = quick
        elif not bot.inline and not private:
            return None
        now = self._time.monotonic_ms()
        if draft.bots_until_ms is None:
            draft.bots_until_ms = now + INLINE_MS
        elif now >= draft.bots_until_ms and not private:
            return None
        state, game, match = draft.after.game_state, draft.header.game, draft.header.match
        code: int | None = None
        # A plan that waits for an isolated pack is made again, and must then make the same calls.
        rng = Rng(self._seed(match, draft.after.seq, seat))
        if not self._failures.replaced(game, bot.name, match, seat):
            with PACK_GUARD:
                known = state.resample(seat, rng)
            try:
                with PACK_GUARD:
                    budget = self._budget(draft.header, draft.after, seat)
                    code = int(bot.choose(Turn(draft.game, known, Seat(seat), rng, budget)))
            except PackRaised as raised:
                error = raised.error
                late, lost = isinstance(error, PackTimeout), isinstance(error, ProcessLost)
                failure = Failure(type(error).__name__, error_location(error), timed_out=late, ended_process=lost)
                self._failed(game, bot, match, seat, failure)
        return self._checked(state, seat, code, game, bot, match, rng)

    def _seed(self, match: str, seq: int, seat: int) -> int:
        """Returns the secret seed of a seat's decision after a record."""
        digest = blake2b(f"{match} {seq} {seat}".encode(), digest_size=8, key=self._seed_key).digest()
        return int.from_bytes(digest)

    def _private_decision_bot(self, game: str) -> PackBot | None:
        """Returns the pack's bot for private decisions in its game; None if it has none."""
        bots = self._registry.games[game].bots.values()
        return next((bot for bot in bots if bot.game_id is not None and (bot.inline or bot.inline_private)), None)

    def _checked(
        self, state: State, seat: int, code: int | None, game: str, bot: PackBot, match: str, rng: Rng
    ) -> Code:
        """Returns the code if it is legal, otherwise a random legal one."""
        with PACK_GUARD:
            legal = []
            is_legal = code is not None and -(1 << 31) <= code < 1 << 31 and state.is_legal(code, seat)
            if not is_legal:
                legal = state.legal(seat)
                if not legal:
                    raise ContractViolated("a seat to act has no legal action")
        # Operators, who read the counters, may play as well; so private decisions are not counted.
        self._stats.bot_decisions += state.decline_code() == -1
        if is_legal and code is not None:
            return Code(code)
        if code is not None:
            self._failed(game, bot, match, seat, Failure("illegal code", "choose()"))
        return Code(rng.choice(legal))

    def _bot(self, game: str, absence_bot: str, now: MatchSnapshot, seat: int) -> PackBot:
        row = now.seats[seat]
        return self._registry.games[game].bots[absence_bot if row.out else row.player]

    def _budget(self, header: Header, now: MatchSnapshot, seat: int) -> Budget:
        """Returns the budget of a seat's bot, or the service's default for a seat that is out or has no budget."""
        given = header.seats[seat].budget
        if given is None or now.seats[seat].out:
            return self._default_budget
        return Budget(given.playouts, given.milliseconds or self._longest_ms)

    def _failed(self, game: str, bot: PackBot, match: str, seat: int, failure: Failure) -> None:
        """Count a failed decision, and replace the bot if it has failed too often."""
        self._stats.bot_failures += 1
        log.warning("bot %s in %s failed: %s at %s", bot.name, match, failure.error, failure.where)
        replaced = self._failures.add(game, bot.name, match, seat, disruptive=failure.disruptive, inline=bot.inline)
        if replaced:
            log.error("bot %s of %s is replaced by random actions %s", bot.name, game, replaced)

    def forget(self, match: str) -> None:
        """Forget a match that has ended."""
        self._failures.forget(match)

    # -- between writes ------------------------------------------------------------------------------------------------

    def schedule_decisions(self, live: LiveMatch) -> None:
        """Schedule the decisions of all service seats that are to act."""
        now = live.snapshot
        due = now.seats_to_act & now.service_seats
        if self._closed or not due or not self._has_claim(live):
            return
        for seat in range(len(now.seats)):
            task = (seat, now.decision_seq)
            if due >> seat & 1 and task not in live.bots_deciding:
                live.bots_deciding |= {task}
                self._start(self._decide_soon(live, seat, now.decision_seq))

    async def _decide_soon(self, live: LiveMatch, seat: int, decision_seq: int) -> None:
        bot = self._bot(live.game_id, live.header.policy.absence_bot, live.snapshot, seat)
        try:
            if bot.inline or live.snapshot.decline_code != -1:
                await self._write(live, self._continue)
            else:
                code = await self._choose_in_worker(live, seat, decision_seq, bot)
                checked: list[Code] = []
                await self._write(live, partial(self._act, live.name, seat, decision_seq, bot, code, checked))
        except EngineError as error:
            log.info("bot %s could not act in %s: %s", bot.name, live.name, error.reason)
            if not isinstance(error, PackFault):
                self._time.call_at(self._time.monotonic_ms() + WRITE_RETRY_MS, partial(self.schedule_decisions, live))
            return
        finally:
            live.bots_deciding -= {(seat, decision_seq)}
        self.schedule_decisions(live)

    def _continue(self, draft: Draft) -> Answer:
        continue_play(draft, self.decide)
        return ()

    def _act(
        self,
        match: str,
        seat: int,
        decision_seq: int,
        bot: PackBot,
        code: int | None,
        checked: list[Code],
        draft: Draft,
    ) -> Answer:
        """Take the action that a bot chose. ``checked`` keeps the checked code in case the plan is made again."""
        after = draft.after
        if after.decision_seq == decision_seq and (after.seats_to_act & after.service_seats) >> seat & 1:
            if not checked:
                rng = Rng(self._seed(match, after.seq, seat))
                checked.append(self._checked(after.game_state, seat, code, draft.header.game, bot, match, rng))
            take_action(draft, seat, checked[0], self.decide)
        return ()

    async def _choose_in_worker(self, live: LiveMatch, seat: int, decision_seq: int, bot: PackBot) -> int | None:
        """Returns the choice of a bot in a worker process; None if it fails, or if the decision is no longer due."""
        game, match = live.game_id, live.name
        failure: Failure | None = None
        for _ in range(ATTEMPTS):
            if self._failures.replaced(game, bot.name, match, seat):
                return None
            async with self._workers:
                if live.decision_seq != decision_seq or not live.seats_to_act >> seat & 1:
                    return None
                chosen = await self._ask(live, seat, bot)
            if not isinstance(chosen, Failure):
                self._failures.succeeded(game, bot.name)
                return chosen
            failure = chosen
            if failure.timed_out:
                break
        if failure is not None:
            self._failed(game, bot, match, seat, failure)
        return None

    async def _ask(self, live: LiveMatch, seat: int, bot: PackBot) -> int | Failure:
        """Ask a bot in a worker process once, on a resampled state."""
        state, seed = live.snapshot.game_state, secrets.randbits(64)
        position = await await_pack(lambda: live.call_pack(lambda: state.resample(seat, Rng(seed)).to_bytes()))
        key = live.game_id, bot.name
        try:
            with PACK_GUARD:
                pickled = self._pickled.get(key) or (pickle.dumps(live.loaded.game), pickle.dumps(bot))
        except PackRaised as raised:
            error = raised.error
            return Failure(type(error).__name__, error_location(error), timed_out=isinstance(error, PackTimeout))
        self._pickled[key] = pickled
        task = BotTask(
            game_id=live.game_id,
            game=pickled[0],
            players=live.game.players,
            options=live.header.options.value,
            position=position,
            seat=seat,
            bot=pickled[1],
            seed=secrets.randbits(64),
            budget=self._budget(live.header, live.snapshot, seat),
        )
        return await self._workers.run(task)

    def _start(self, turn: Awaitable[None]) -> None:
        task = asyncio.ensure_future(turn)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Stop deciding and end the worker processes."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._workers.close()

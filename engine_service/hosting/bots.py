"""The seats that the service plays: its bots, and the stand-ins of seats that have given up.

A bot decides on a state that its seat cannot tell from the true one, drawn anew for each decision. Quick bots
(``inline``) decide on the event loop, within the write that put the decision before them. The others think in worker
processes, but for private decisions: those are left to the bot of the pack that makes them at once
(``inline_private``), or declined where it has none. A bot that fails, answers with an illegal code, takes too long or
takes its process down is replaced by a random action for that decision; one that does so again and again is not asked
any more (:mod:`engine_service.hosting.botfailures`).
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import secrets
from collections.abc import Awaitable, Callable
from functools import partial

from cext.random import Rng
from cext.state import State
from engine_service.errors import EngineError, PackFault
from engine_service.guard import RULES, BrokenRules, Overdue, PackRaised
from engine_service.hosting.botfailures import BotFailures
from engine_service.hosting.botworker import Failure, Thought
from engine_service.hosting.workers import Workers
from engine_service.limits import Limits
from engine_service.matches.draft import Draft
from engine_service.matches.match import LiveMatch
from engine_service.matches.play import act, settle
from engine_service.matches.progress import Progress
from engine_service.matches.requests import Answer
from engine_service.stats import Stats
from engine_service.timing import TimeSource
from gamepacks.api.bots import Bot, Budget
from gamepacks.api.raised import error_place
from gamepacks.api.registry import Registry
from gamepacks.api.types import Code, Seat

log = logging.getLogger(__name__)

INLINE_MS = 1
"""How long bots may decide within one write; the rest waits until others have had their turn on the event loop."""
RETRY_MS = 1_000
ATTEMPTS = 2
"""How often a bot in a worker process is asked for one decision, if it fails at first; once where it times out."""

WriteSoon = Callable[[LiveMatch, Callable[[Draft], Answer]], Awaitable[Answer]]


class ServiceBots:
    """Decides for the seats that the service plays."""

    def __init__(self, registry: Registry, time: TimeSource, limits: Limits, stats: Stats, write: WriteSoon) -> None:
        self._registry = registry
        self._time = time
        self._stats = stats
        self._write = write
        self._budget = Budget(playouts=limits.bot_playouts, milliseconds=limits.bot_milliseconds)
        games = registry.games.values()
        self._workers = Workers(limits, {entry.game.id: entry.library for entry in games if entry.library is not None})
        self._failures = BotFailures()
        self._pickled: dict[tuple[str, str], tuple[bytes, bytes]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    # -- within a write ----------------------------------------------------------------------------------------------

    def decide(self, draft: Draft, seat: int) -> Code | None:
        """A legal code from a quick bot; None where the seat's bot thinks long, or enough was decided for one write.

        A private decision is made at once by every bot, or others would see the pause.
        """
        bot = self._bot(draft.header.game, draft.header.policy.absence_bot, draft.after, seat)
        private = draft.after.decline_code != -1
        if private and not (bot.inline or bot.inline_private):
            quick = self._quick(draft.header.game)
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
        if not self._failures.replaced(game, bot.name, match, seat):
            rng = Rng(secrets.randbits(64))
            with RULES:
                known = state.resample(seat, rng)
            try:
                with RULES:
                    code = int(bot.choose(draft.game, known, Seat(seat), rng, self._budget))
            except PackRaised as raised:
                error = raised.error
                failure = Failure(type(error).__name__, error_place(error), timed_out=isinstance(error, Overdue))
                self._failed(game, bot, match, seat, failure)
        return self._checked(state, seat, code, game, bot, match)

    def _quick(self, game: str) -> Bot | None:
        """The bot by which a pack makes private decisions in its game; None where it has none."""
        bots = self._registry.games[game].bots.values()
        return next((bot for bot in bots if bot.game_id is not None and (bot.inline or bot.inline_private)), None)

    def _checked(self, state: State, seat: int, code: int | None, game: str, bot: Bot, match: str) -> Code:
        """The code, if it is a legal one; otherwise a random one that is."""
        with RULES:
            # An operator can be a player, too: private decisions are not counted.
            self._stats.bot_decisions += state.decline_code() == -1
            if code is not None and -(1 << 31) <= code < 1 << 31 and state.is_legal(code, seat):
                return Code(code)
            legal = state.legal(seat)
            if not legal:
                raise BrokenRules("a seat that is to act and has no legal action")
        if code is not None:
            self._failed(game, bot, match, seat, Failure("illegal code", "its choice"))
        return Code(secrets.choice(legal))

    def _bot(self, game: str, absence_bot: str, now: Progress, seat: int) -> Bot:
        row = now.seats[seat]
        return self._registry.games[game].bots[absence_bot if row.out else row.player]

    def _failed(self, game: str, bot: Bot, match: str, seat: int, failure: Failure) -> None:
        """Count a decision that a bot did not make, and replace the bot where that has happened too often."""
        self._stats.bot_failures += 1
        log.warning("bot %s in %s failed: %s at %s", bot.name, match, failure.error, failure.where)
        replaced = self._failures.add(game, bot.name, match, seat, disruptive=failure.disruptive, inline=bot.inline)
        if replaced:
            log.error("bot %s of %s is replaced by random actions %s", bot.name, game, replaced)

    def forget(self, match: str) -> None:
        """A match has ended."""
        self._failures.forget(match)

    # -- between writes ------------------------------------------------------------------------------------------------

    def wake(self, live: LiveMatch) -> None:
        """See to it that every seat which the service plays decides, now or soon."""
        now = live.now
        due = now.seats_to_act & now.served
        if self._closed or not due:
            return
        for seat in range(len(now.seats)):
            task = (seat, now.decision_seq)
            if due >> seat & 1 and task not in live.thinking:
                live.thinking |= {task}
                self._start(self._take_turn(live, seat, now.decision_seq))

    async def _take_turn(self, live: LiveMatch, seat: int, decision_seq: int) -> None:
        bot = self._bot(live.game_id, live.header.policy.absence_bot, live.now, seat)
        try:
            if bot.inline or live.now.decline_code != -1:
                await self._write(live, self._go_on)
            else:
                code = await self._think(live, seat, decision_seq, bot)
                await self._write(live, partial(self._act, live.name, seat, decision_seq, bot, code))
        except EngineError as error:
            log.info("bot %s cannot move in %s now: %s", bot.name, live.name, error.reason)
            if not isinstance(error, PackFault):
                self._time.call_at(self._time.monotonic_ms() + RETRY_MS, partial(self.wake, live))
            return
        finally:
            live.thinking -= {(seat, decision_seq)}
        self.wake(live)

    def _go_on(self, draft: Draft) -> Answer:
        settle(draft, self.decide)
        return ()

    def _act(self, match: str, seat: int, decision_seq: int, bot: Bot, code: int | None, draft: Draft) -> Answer:
        after = draft.after
        if after.decision_seq == decision_seq and (after.seats_to_act & after.served) >> seat & 1:
            checked = self._checked(after.game_state, seat, code, draft.header.game, bot, match)
            act(draft, seat, checked, self.decide)
        return ()

    async def _think(self, live: LiveMatch, seat: int, decision_seq: int, bot: Bot) -> int | None:
        """What a bot in a worker process chooses; None where it fails, or where nobody wants to know any more."""
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

    async def _ask(self, live: LiveMatch, seat: int, bot: Bot) -> int | Failure:
        """Ask a bot in a worker process once, on a state of its own."""
        rng = Rng(secrets.randbits(64))
        position = live.ask(lambda: live.now.game_state.resample(seat, rng).to_bytes())
        key = live.game_id, bot.name
        try:
            with RULES:
                pickled = self._pickled.get(key) or (pickle.dumps(live.loaded.game), pickle.dumps(bot))
        except PackRaised as raised:
            error = raised.error
            return Failure(type(error).__name__, error_place(error), timed_out=isinstance(error, Overdue))
        self._pickled[key] = pickled
        thought = Thought(
            game_id=live.game_id,
            game=pickled[0],
            players=live.game.players,
            options=live.header.options.value,
            position=position,
            seat=seat,
            bot=pickled[1],
            seed=secrets.randbits(64),
            budget=self._budget,
        )
        return await self._workers.run(thought)

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

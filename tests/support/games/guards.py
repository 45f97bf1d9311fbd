"""A tiny game with private decisions: whoever reaches for coins can be stopped by guards that others may have.

Each seat is dealt, or not, a guard that nobody else sees. In turn a seat reaches for one or two coins. Each other seat
that has a guard is asked whether it stops that: nobody may know that it was, unless it does. A guard serves once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from google.protobuf.message import Message
from pydantic import Field

from cext.random import Rng
from cext.state import CHANCE, TERMINAL, State
from gamepacks.api.codes import CodeBook, Verb
from gamepacks.api.errors import Fault, IllegalAction, InvalidPosition
from gamepacks.api.game import Game, MessageTypes
from gamepacks.api.hooks import hookimpl
from gamepacks.api.options import Options
from gamepacks.api.outcome import share_win
from gamepacks.api.types import OMNISCIENT, Capabilities, Code, Seat, Viewer
from tests.support.protos import compile_proto

messages = compile_proto(Path(__file__).with_name("guards.proto"))

BOOK = CodeBook(
    DEAL := Verb("DEAL", guard=1),
    TAKE := Verb("TAKE", coins=2),
    BLOCK := Verb("BLOCK"),
    LET := Verb("LET"),
)
NOBODY = -1


class GuardsOptions(Options):
    turns: int = Field(6, ge=1, le=20, description="Turns to play.")


class GuardsState(State):
    """``pending``: coins that the seat in turn reaches for; ``asked``: whose guard may stop that now."""

    __slots__ = ("asked", "coins", "guards", "pending", "spent", "turn")

    def __init__(self, game: GuardsGame) -> None:
        self.game = game
        self.turn = self.pending = 0
        self.asked = NOBODY
        self.coins = [0] * game.players
        self.guards: list[bool] = []
        self.spent = [False] * game.players

    def mover(self) -> int:
        return self.turn % self.game.players

    def actor(self) -> int:
        if len(self.guards) < self.game.players:
            return CHANCE
        if self.turn == self.game.options.turns:
            return TERMINAL
        return self.asked if self.pending else self.mover()

    def decline_code(self) -> int:
        return LET() if self.pending else -1

    def legal(self, seat: int = -1) -> list[int]:
        actor = self.actor()
        if actor < 0 or seat not in (-1, actor):
            return []
        return [BLOCK(), LET()] if self.pending else [TAKE(1), TAKE(2)]

    def chance(self) -> list[tuple[int, int]]:
        return [(DEAL(0), 1), (DEAL(1), 1)] if self.actor() == CHANCE else []

    def apply_unchecked(self, code: int, seat: int = -1) -> None:
        verb = BOOK.verb(code)
        if verb is DEAL:
            self.guards.append(bool(DEAL.unpack(code)[0]))
        elif verb is TAKE:
            (self.pending,) = TAKE.unpack(code)
            self._ask(self.mover() + 1)
        elif verb is LET:
            self._ask(self.asked + 1)
        else:
            self.guards[self.asked], self.spent[self.asked] = False, True
            self._next_turn()

    def _ask(self, seat: int) -> None:
        players = self.game.players
        while seat % players != self.mover():
            if self.guards[seat % players]:
                self.asked = seat % players
                return
            seat += 1
        self.coins[self.mover()] += self.pending
        self._next_turn()

    def _next_turn(self) -> None:
        self.pending, self.asked = 0, NOBODY
        self.turn += 1

    def clone(self) -> GuardsState:
        other = type(self)(self.game)
        other.turn, other.pending, other.asked = self.turn, self.pending, self.asked
        other.coins, other.guards, other.spent = self.coins[:], self.guards[:], self.spent[:]
        return other

    def returns(self) -> tuple[float, ...]:
        best = max(self.coins)
        return share_win(len(self.coins), [seat for seat, coins in enumerate(self.coins) if coins == best])

    def resample(self, viewer: int, rng: Rng) -> GuardsState:
        other = self.clone()
        if viewer != OMNISCIENT:
            for seat in range(len(self.guards)):
                if seat != viewer and not self.spent[seat] and not (self.pending and seat == self.asked):
                    other.guards[seat] = bool(rng.below(2))
        return other


class GuardsGame(Game[GuardsOptions, GuardsState]):
    id = "guards"
    title = "Guards"
    summary = "Whoever reaches for coins can be stopped by guards that others may have."
    rules_version = "1"
    capabilities = Capabilities(
        min_players=2, max_players=3, chance=True, hidden=True, simultaneous=False, max_plies=70
    )
    options_type = GuardsOptions
    state_type: ClassVar[type[GuardsState]] = GuardsState
    messages = MessageTypes(messages.Options, messages.View, messages.Action, messages.Event, messages.Position)

    def initial_state(self) -> GuardsState:
        return self.state_type(self)

    def position(self, state: GuardsState) -> Message:
        return messages.Position(
            turn=state.turn,
            coins=state.coins,
            guards=state.guards,
            spent=state.spent,
            pending=state.pending,
            asked=max(0, state.asked),
        )

    def restore(self, position: Message) -> GuardsState:
        state, players = self.state_type(self), self.players
        faults = [
            Fault(name, "not as many as seats")
            for name, count in (("coins", len(position.coins)), ("spent", len(position.spent)))
            if count != players
        ]
        if len(position.guards) > players or (position.turn and len(position.guards) < players):
            faults.append(Fault("guards", "one for each seat"))
        if not 0 <= position.turn <= self.options.turns:
            faults.append(Fault("turn", f"from 0 to {self.options.turns}"))
        if not 0 <= position.pending <= 2 or (position.pending and position.turn == self.options.turns):
            faults.append(Fault("pending", "0 to 2, and 0 at the end"))
        faults += [
            Fault(f"coins[{n}]", "from 0 to 40") for n, coins in enumerate(position.coins) if not 0 <= coins <= 40
        ]
        if not faults:
            asked = position.asked
            if position.pending:
                fits = 0 <= asked < players and len(position.guards) == players
                if not fits or not position.guards[asked] or asked == position.turn % players:
                    faults.append(Fault("asked", "another seat with a guard"))
            elif asked:
                faults.append(Fault("asked", "0 while nothing is pending"))
            both = zip(position.guards, position.spent, strict=False)
            faults += [Fault(f"spent[{n}]", "it has a guard") for n, pair in enumerate(both) if all(pair)]
        if faults:
            raise InvalidPosition(faults)
        state.turn, state.pending = position.turn, position.pending
        state.asked = position.asked if position.pending else NOBODY
        state.coins, state.guards, state.spent = [*position.coins], [*position.guards], [*position.spent]
        return state

    def view(self, state: GuardsState, viewer: Viewer) -> Message:
        return messages.View(
            turn=state.turn,
            coins=state.coins,
            spent=[seat for seat, spent in enumerate(state.spent) if spent],
            pending=state.pending,
            own_guard=0 <= viewer < len(state.guards) and state.guards[viewer],
        )

    def action(self, state: GuardsState, code: Code) -> Message:
        verb = BOOK.verb(code)
        if verb is DEAL:
            return messages.Action(guard=bool(DEAL.unpack(code)[0]))
        if verb is TAKE:
            return messages.Action(take=TAKE.unpack(code)[0])
        return messages.Action(block=verb is BLOCK)

    def parse(self, state: GuardsState, seat: Seat, action: Message) -> Code:
        kind = action.WhichOneof("action")
        if kind == "take" and action.take in (1, 2):
            return TAKE(action.take)
        if kind == "block":
            return BLOCK() if action.block else LET()
        raise IllegalAction("NOT_NOW", "that is not an action")

    def why_illegal(self, state: GuardsState, code: int, seat: int = -1) -> IllegalAction:
        return IllegalAction("NOT_NOW", "that cannot be done now")

    def label(self, state: GuardsState, code: Code) -> str:
        verb = BOOK.verb(code)
        if verb is TAKE:
            return f"reach for {TAKE.unpack(code)[0]}"
        if verb is DEAL:
            return "deal a guard" if DEAL.unpack(code)[0] else "deal no guard"
        return "block it" if verb is BLOCK else "let it pass"

    def events(
        self, before: GuardsState, seat: Seat | None, code: Code, after: GuardsState, viewer: Viewer
    ) -> Sequence[Message]:
        verb, mover = BOOK.verb(code), before.mover()
        if verb is DEAL:
            dealt = messages.Dealt(seat=len(before.guards))
            if viewer in (dealt.seat, OMNISCIENT):
                dealt.guard = after.guards[-1]
            return [messages.Event(dealt=dealt)]
        if verb is BLOCK:
            return [messages.Event(blocked_by=before.asked)]
        events = []
        coins = before.pending
        if verb is TAKE:
            (coins,) = TAKE.unpack(code)
            events.append(messages.Event(reached=messages.Coins(seat=mover, coins=coins)))
        if not after.pending:
            events.append(messages.Event(taken=messages.Coins(seat=mover, coins=coins)))
        return events

    def knows_code(self, before: GuardsState, seat: Seat | None, code: Code, viewer: Viewer) -> bool:
        verb = BOOK.verb(code)
        if verb is DEAL:
            return viewer in (len(before.guards), OMNISCIENT)
        return verb is not LET or viewer in (seat, OMNISCIENT)


class GuardsPack:
    """The pack, as an object for ``Registry.load(extra=[PACK])``."""

    @hookimpl
    def omnilude_games(self) -> list[type[GuardsGame]]:
        return [GuardsGame]


PACK = GuardsPack()

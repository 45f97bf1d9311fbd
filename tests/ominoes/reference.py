"""The rules of Ominoes once more, in plain Python, written from the specification alone.

It shares nothing with the pack: no codes, no messages, no compiled code. The differential test plays both in lock-step,
and the benchmark compares the compiled rules with it.

Spaces are ``(row, column)``, faces are words. Actions and outcomes are tuples whose first item is the verb:
``("start", seat)``, ``("roll", face)``, ``("place", space)``, ``("move", space, space)``, ``("reroll", space)``,
``("score", god, frozenset_of_spaces)``, ``("decline",)``, ``("add", space)``.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Space = tuple[int, int]
Action = tuple[Any, ...]

GODS = ("horus", "ra", "apep", "khepri")
WILDS = ("yay-ra", "ominotep")
FACES = GODS + WILDS
DICE = 26

CHANCE = -1
OVER = -3


@dataclass
class Options:
    """Options of a game; the defaults are for two players."""

    gods: tuple[str, ...] = ("ra", "apep")
    board_size: int = 8
    target: int = 21
    start_player: int | None = None
    extra_setup_die: bool = False
    late_add: bool = False
    all_wild_groups: bool = True
    optional_scoring: bool = False
    max_turns: int = 1000
    expert: bool = False


@dataclass
class Reference:
    """A game in progress. ``step`` names the next decision or chance node."""

    options: Options
    board: dict[Space, str] = field(default_factory=dict)
    step: str = "start"
    seat: int = 0
    start: int = 0
    placed: int = 0
    turns: int = 0
    rolled: str | None = None
    last_die: bool = False
    rerolled_space: Space | None = None
    scores: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.scores = [0] * len(self.options.gods)
        if self.options.start_player is not None:
            self.seat = self.start = self.options.start_player
            self.step = "set up"

    def clone(self) -> Reference:
        """An equal table."""
        twin = copy.copy(self)
        twin.board = dict(self.board)
        twin.scores = list(self.scores)
        return twin

    # -- the board ------------------------------------------------------------------------------------------------

    def spaces(self) -> Iterator[Space]:
        """All spaces that may be used."""
        size = self.options.board_size
        middle = (size // 2 - 1, size // 2)
        for row in range(size):
            for column in range(size):
                if not (self.options.expert and row in middle and column in middle):
                    yield row, column

    def is_free(self, space: Space) -> bool:
        """May a die be there?"""
        size = self.options.board_size
        row, column = space
        if not (0 <= row < size and 0 <= column < size) or space in self.board:
            return False
        middle = (size // 2 - 1, size // 2)
        return not (self.options.expert and row in middle and column in middle)

    def ends(self, start: Space) -> set[Space]:
        """Returns the spaces that the die on a space can reach, by trying all walks of 3 steps."""
        ends = set()
        walks = [[start]]
        for _ in range(3):
            walks = [
                [*walk, space]
                for walk in walks
                for space in neighbours(walk[-1])
                if space not in walk and self.is_free(space)
            ]
        for walk in walks:
            ends.add(walk[-1])
        return ends

    def movable(self) -> list[Space]:
        """The dice that the rolled one lets move."""
        if self.rolled == "yay-ra":
            return list(self.board)
        return [space for space, face in self.board.items() if face == self.rolled]

    def collected(self, seat: int) -> list[str]:
        """The gods of a seat: the own one, then those that nobody favours."""
        return [self.options.gods[seat], *(god for god in GODS if god not in self.options.gods)]

    def groups(self, seat: int) -> list[tuple[str, frozenset[Space]]]:
        """The groups that a seat can score, each set of dice once."""
        found: list[tuple[str, frozenset[Space]]] = []
        for god in self.collected(seat):
            members = {space for space, face in self.board.items() if face == god or face in WILDS}
            while members:
                group = grow(members.pop(), members)
                members -= group
                if len(group) < 4 or any(group == other for _, other in found):
                    continue
                if self.options.all_wild_groups or any(self.board[space] == god for space in group):
                    found.append((god, frozenset(group)))
        return found

    # -- whose move, and which --------------------------------------------------------------------------------------

    def actor(self) -> int:
        """The seat to act, CHANCE or OVER."""
        if self.step == "over":
            return OVER
        return CHANCE if self.step in ("start", "extra roll", "roll", "reroll") else self.seat

    def chance(self) -> list[Action]:
        """The outcomes, all equally likely."""
        if self.step == "start":
            return [("start", seat) for seat in range(len(self.options.gods))]
        return [("roll", face) for face in FACES]

    def legal(self) -> list[Action]:
        """The actions of the seat to act."""
        if self.step in ("set up", "extra die"):
            return [("place", space) for space in self.spaces() if space not in self.board]
        if self.step == "add":
            return [("add", space) for space in self.spaces() if space not in self.board]
        if self.step == "move":
            return [("move", start, end) for start in self.movable() for end in self.ends(start)]
        if self.step == "choose reroll":
            return [("reroll", space) for space in self.board]
        actions: list[Action] = [("score", god, group) for god, group in self.groups(self.seat)]
        return [*actions, ("decline",)] if self.options.optional_scoring else actions

    def apply(self, action: Action) -> None:
        """Take an action or an outcome, which must be possible."""
        verb = action[0]
        if verb == "start":
            self.seat = self.start = action[1]
            self.step = "set up"
        elif verb == "place":
            self.board[action[1]] = self.rolled or self.options.gods[self.seat]
            self.rolled = None
            self.placed += 1
            self.go_on_setting_up()
        elif verb == "roll":
            self.roll(action[1])
        elif verb == "move":
            self.board[action[2]] = self.board.pop(action[1])
            self.look_after_move()
        elif verb == "reroll":
            self.rerolled_space = action[1]
            self.step = "reroll"
        elif verb == "add":
            assert self.rolled is not None
            self.board[action[1]] = self.rolled
            self.look_after_add()
        elif verb == "score":
            self.score(action[2])
        elif verb == "decline":
            if self.step == "score after move":
                self.try_to_add()
            else:
                self.end_turn()

    # -- the course of the game ---------------------------------------------------------------------------------------

    def go_on_setting_up(self) -> None:
        """Two own dice each, in turn, and then perhaps one rolled die each."""
        players = len(self.options.gods)
        if self.placed < 2 * players:
            self.step = "set up"
        elif self.options.extra_setup_die and self.placed < 3 * players:
            self.step = "extra roll"
        else:
            self.seat = self.start
            self.step = "roll"
            return
        self.seat = (self.seat + 1) % players

    def roll(self, face: str) -> None:
        """Take the face of a rolled die: that of the turn, the extra one, or the one to reroll."""
        if self.step == "reroll":
            assert self.rerolled_space is not None
            self.board[self.rerolled_space] = face
            self.rerolled_space = None
            self.look_after_move()
            return
        self.rolled = face
        if self.step == "extra roll":
            self.step = "extra die"
            return
        self.last_die = len(self.board) == DICE - 1
        if face == "ominotep" and self.board:
            self.step = "choose reroll"
        elif face != "ominotep" and any(self.ends(space) for space in self.movable()):
            self.step = "move"
        else:
            self.look_after_move()

    def look_after_move(self) -> None:
        """The first look for groups."""
        if self.groups(self.seat):
            self.step = "score after move"
        else:
            self.try_to_add()

    def try_to_add(self) -> None:
        """The last die is not added; by option, it is if dice have been scored meanwhile."""
        reopened = self.options.late_add and len(self.board) < DICE - 1
        if self.last_die and not reopened:
            self.look_after_add()
        else:
            self.step = "add"

    def look_after_add(self) -> None:
        """The second look for groups."""
        self.rolled = None
        self.last_die = False
        if self.groups(self.seat):
            self.step = "score after add"
        else:
            self.end_turn()

    def score(self, group: frozenset[Space]) -> None:
        """A point for each die; then the rest is looked at anew."""
        for space in group:
            del self.board[space]
        self.scores[self.seat] += len(group)
        if self.scores[self.seat] >= self.options.target:
            self.end()
        elif self.step == "score after move":
            self.look_after_move()
        else:
            self.look_after_add()

    def end_turn(self) -> None:
        """The next player clockwise, unless the game has lasted long enough."""
        self.turns += 1
        if self.turns >= self.options.max_turns:
            self.end()
        else:
            self.seat = (self.seat + 1) % len(self.options.gods)
            self.step = "roll"

    def end(self) -> None:
        """The game is over."""
        self.step = "over"
        self.rolled = None
        self.last_die = False

    def winners(self) -> list[int]:
        """The seats with the most points."""
        return [seat for seat, score in enumerate(self.scores) if score == max(self.scores)]

    def returns(self) -> list[float]:
        """Winners share 1 among them; all is shifted and scaled to a sum of 0 and a best of 1."""
        players, winners = len(self.scores), self.winners()
        shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
        return [(players * share - 1) / (players - 1) for share in shares]


def neighbours(space: Space) -> list[Space]:
    """The spaces beside one, on the board or not."""
    row, column = space
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def grow(seed: Space, members: set[Space]) -> set[Space]:
    """The seed and all members that are connected with it."""
    group, border = {seed}, [seed]
    while border:
        for space in neighbours(border.pop()):
            if space in members and space not in group:
                group.add(space)
                border.append(space)
    return group


def play_at_random(table: Reference, rng: random.Random) -> int:
    """Play on to the end; returns how many actions and outcomes it took."""
    plies = 0
    while (actor := table.actor()) != OVER:
        table.apply(rng.choice(table.chance() if actor == CHANCE else table.legal()))
        plies += 1
    return plies

"""Measure the balance of the house sets by mirror games of the greedy bot.

    python tools/omen_balance.py omen --games 2000
    python tools/omen_balance.py omen-traits --games 2000

It tells how often the first player wins (the 2017 edition with the Emissary start; a shared win is half a win each),
and which cards stand out: for each card how often a winner held it in hand in the course of the game, against the share
that is due to it (how often any player held it, halved), and against the mean of all cards of its kind.

``omen-feats`` is not a mirror game: one of the players hunts Feats. It shows that five of them, which end a game, are
in reach; whoever plays for Cities ends it sooner.
"""

from __future__ import annotations

import argparse
import multiprocessing
from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

from cext.random import Rng
from cext.state import State
from gamepacks.api import Budget, GreedyBot, Guide, PackBot, self_play, win_shares
from gamepacks.omen import Omen, OmenTraits
from gamepacks.omen.codes import Pile
from gamepacks.omen.engine.rules import OmenGuide, OmenState
from gamepacks.omen.game import OmenGame
from gamepacks.omen.v1 import omen_pb2 as pb
from gamepacks.omen.v1.omen_enums import Phase

GAMES: dict[str, tuple[type[Any], dict[str, Any]]] = {
    "omen": (Omen, {"start": "emissary"}),
    "omen-feats": (Omen, {"start": "emissary"}),
    "omen-all": (Omen, {"start": "emissary", "spirits": True, "heroes": True}),
    "omen-traits": (OmenTraits, {}),
    "omen-tide": (OmenTraits, {"card_set": "house-tide-1"}),
    "omen-combined": (OmenTraits, {"combined": True}),
}


ENDINGS = ("Cities", "Feats", "Challenges", "the turn cap")
"""End conditions, by bit of OmenState.ending."""
SELDOM = 100
"""A card that half as many players have not held is left out of the comparison with its due share."""


class FeatGuide(OmenGuide):
    """Evaluation of the house set's Feats and little else."""

    _types: ClassVar[dict[str, int]] = {
        "three_garrisons": pb.UNIT_TYPE_SOLDIER,
        "three_temples": pb.UNIT_TYPE_ORACLE,
        "three_lairs": pb.UNIT_TYPE_BEAST,
    }
    _on_the_way = (0.0, 1.5, 4.0, 9.0)
    """Values of Units of a type in 0 to 3 Cities while the Feat that asks for three is not achieved."""

    def evaluate(self, state: State, seat: int, rng: Rng) -> float:
        assert isinstance(state, OmenState)
        game = state.game
        assert isinstance(game, OmenGame)
        achieved = {game.compiled.faces[item[0]].id for item in state.pile(Pile.FEATS_DOWN + seat)}
        scores = state.scores()
        value: float = 10.0 * len(achieved) + 0.05 * (scores[seat] - scores[1 - seat])
        value += 0.12 * len(state.pile(Pile.HAND + seat)) + 0.1 * state.counters()["coins"][seat]
        if state.active == seat and state.phase <= Phase.FEAT:
            value += 9.0 * state.feats_met()
        cities = [{game.card_messages[unit[0]].type for unit in state.side(city, seat)} for city in range(3)]
        for feat, kind in self._types.items():
            if feat not in achieved:
                value += self._on_the_way[sum(kind in types for types in cities)]
        if "full_streets" not in achieved:
            value += 0.3 * max(state.units(city, seat) for city in range(3))
        return value


class FeatHunter(GreedyBot):
    """The greedy bot with an evaluation of Feats."""

    name = "feat-hunter"
    description = "Plays for the house set's Feats."

    def guide_of(self, game: object) -> Guide:
        return FeatGuide()


class Tally:
    """Counters over many games."""

    def __init__(self) -> None:
        self.games = 0
        self.first = 0.0
        self.shared = 0
        self.turns = 0
        self.won: Counter[str] = Counter()
        """Number of times that winners have held a card, by its id: 2 for each game, 1 if the win was shared."""
        self.held: Counter[str] = Counter()
        """Number of times that any player has held a card, by its id: 2 for each player."""
        self.endings: Counter[int] = Counter()
        self.feats: Counter[int] = Counter()
        """Number of players by the number of Feats achieved at the end; of ``omen-feats`` only the hunters."""

    def add(self, other: Tally) -> None:
        """Add another tally."""
        for name, value in vars(other).items():
            own = getattr(self, name)
            if isinstance(own, Counter):
                own.update(value)
            else:
                setattr(self, name, own + value)


def play(name: str, seed: int) -> Tally:
    """Play one game."""
    game_type, options = GAMES[name]
    game = game_type.configure(2, {**options, "oldest_seat": "AB"[seed % 2]})
    assert isinstance(game, OmenGame)
    held: list[set[int]] = [set(), set()]

    def look(state: State) -> None:
        assert isinstance(state, OmenState)
        for owner in range(2):
            held[owner].update(item[0] for item in state.pile(Pile.HAND + owner))

    bots: list[PackBot] = [GreedyBot(), FeatHunter() if name == "omen-feats" else GreedyBot()]
    seated = [(bots[seat ^ seed // 2 & 1], Budget()) for seat in range(2)]
    state = self_play(game, seated, Rng(seed), look).end
    assert isinstance(state, OmenState)
    assert state.first is not None
    tally, won = Tally(), win_shares(state.returns())
    tally.games, tally.turns, tally.shared = 1, state.turn, int(won[0] == won[1])
    tally.first = won[state.first]
    tally.endings[state.ending] += 1
    for owner in range(2) if name != "omen-feats" else [1 ^ seed // 2 & 1]:
        tally.feats[len(state.pile(Pile.FEATS_DOWN + owner)) + len(state.pile(Pile.FEATS_ROTATED + owner))] += 1
        for card in held[owner]:
            card_id = game.compiled.faces[card].id
            tally.held[card_id] += 2
            tally.won[card_id] += round(2 * won[owner])
    return tally


def _share(job: tuple[str, int, int]) -> Tally:
    name, start, count = job
    tally = Tally()
    for seed in range(start, start + count):
        tally.add(play(name, seed))
    return tally


def _ending(bits: int) -> str:
    return " and ".join(word for bit, word in enumerate(ENDINGS) if bits >> bit & 1)


def report(name: str, tally: Tally) -> str:
    """Returns the report as text."""
    lines = [
        f"{name}: {tally.games} games, the first player wins {100 * tally.first / tally.games:.1f} %, "
        f"{tally.shared} shared, {tally.turns / tally.games:.1f} turns",
        "ended by " + ", ".join(f"{_ending(bits)} {count}" for bits, count in sorted(tally.endings.items())),
    ]
    if sum(tally.feats.values()) > tally.feats[0]:
        lines.append("players by Feats achieved " + ", ".join(f"{n}: {tally.feats[n]}" for n in sorted(tally.feats)))
    rates = {card: tally.won[card] / held * 2 for card, held in tally.held.items() if held >= SELDOM}
    game_type, options = GAMES[name]
    faces = {face.id: face.kind.name for face in game_type.configure(2, options).compiled.faces}
    of_kind: dict[str, list[int]] = {}
    for card, kind in faces.items():
        of_kind.setdefault(kind, []).append(tally.won[card])
    against = {
        card: tally.won[card] * sum(map(bool, of_kind[kind])) / max(1, sum(of_kind[kind]))
        for card, kind in faces.items()
    }
    ordered = sorted(rates, key=lambda card: -rates[card])
    lines.append("against its due share   " + ", ".join(f"{card} {rates[card]:.2f}" for card in ordered[:6]))
    lines.append("  lowest                " + ", ".join(f"{card} {rates[card]:.2f}" for card in ordered[-6:]))
    often = sorted(against, key=lambda card: -against[card])
    lines.append("against its kind's mean " + ", ".join(f"{card} {against[card]:.2f}" for card in often[:6]))
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, and print the figures."""
    parser = argparse.ArgumentParser(description="Mirror games of the greedy bot with a house set of Omen.")
    parser.add_argument("name", choices=[*GAMES], help="edition and options")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    given = parser.parse_args(arguments)
    size = -(-given.games // max(1, 4 * given.jobs))
    jobs = [(given.name, start, min(size, given.games - start)) for start in range(0, given.games, size)]
    tally = Tally()
    with multiprocessing.get_context("spawn").Pool(given.jobs) as pool:
        for part in pool.imap(_share, jobs):
            tally.add(part)
    print(report(given.name, tally))


if __name__ == "__main__":
    main()

"""Golden replays: recorded matches as text in the pack's folder, which later versions must replay identically.

A file looks like this (``#`` begins a comment)::

    game kuhn
    rules_version 1
    players 2
    seed 1
    option ranks = 4
    step - 2 3e1f0c2b9a7d8e65 deal the 2
    step 0 33554432 8a0b1c2d3e4f5a6b bet a chip
    end 0.5 -0.5

A step has the seat (``-`` for chance), the code, the digest of the state after it, and the label before it; the last
line is ``cut`` if the match goes on. ``omnilude pack golden NAME`` writes them, and their diffs are reviewed; they
stay unchanged while the rules version does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from cext.state import TERMINAL, State
from gamepacks.api.errors import IllegalAction, InvalidInput
from gamepacks.api.game import Game
from gamepacks.api.kit.base import CheckFailed, GameSetup, Subject, Walk, check
from gamepacks.api.options import message_values
from gamepacks.api.types import Code

CHANGED_PLIES = 100
"""Replays with a changed option are cut here; those with default options are whole matches."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A golden replay, read from its text."""

    facts: dict[str, str]
    """game, rules_version, players, seed."""
    options: dict[str, str]
    steps: tuple[tuple[int, int, str, str], ...]
    """Seat (-1: chance), code, digest, label."""
    end: str


def digest(state: State) -> str:
    """16 hexadecimal digits of BLAKE2b of a state's bytes."""
    return blake2b(state.to_bytes(), digest_size=8).hexdigest()


def write(walk: Walk) -> str:
    """The text of a random match."""
    game = walk.setup.game
    lines = [
        f"game {game.id}",
        f"rules_version {game.rules_version}",
        f"players {game.players}",
        f"seed {walk.seed}",
    ]
    lines += [f"option {name} = {_text(value)}" for name, value in message_values(game.options_message()).items()]
    end = ""
    for node in walk:
        if node.actor == TERMINAL:
            end = _end(node.state)
        else:
            seat = "-" if node.seat < 0 else str(node.seat)
            label = game.label(node.state, Code(node.code))
            lines.append(f"step {seat} {node.code} {digest(node.after())} {label}")
    return "\n".join([*lines, f"end {end}" if end else "cut", ""])


def _end(state: State) -> str:
    return " ".join(f"{value:.9g}" for value in state.returns())


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def read(text: str) -> Transcript:
    """Read a golden replay. Raises CheckFailed for a line that cannot be read."""
    facts: dict[str, str] = {}
    options: dict[str, str] = {}
    steps: list[tuple[int, int, str, str]] = []
    end = ""
    for number, line in enumerate(text.splitlines(), 1):
        word, _, rest = line.partition(" ")
        try:
            if word in ("game", "rules_version", "players", "seed"):
                facts[word] = rest
            elif word == "option":
                name, _, value = rest.partition(" = ")
                options[name] = value
            elif word == "step":
                seat, code, state, label = rest.split(" ", 3)
                steps.append((-1 if seat == "-" else int(seat), int(code), state, label))
            elif word in ("end", "cut"):
                end = rest
            elif line.strip() and not line.startswith("#"):
                raise ValueError(line)
        except ValueError as error:
            raise CheckFailed(f"line {number} of the replay cannot be read: {line!r}") from error
    if missing := {"game", "rules_version", "players"} - set(facts):
        raise CheckFailed(f"the replay lacks {', '.join(sorted(missing))}")
    return Transcript(facts, options, tuple(steps), end)


def replay(game_type: type[Game[Any]], transcript: Transcript) -> None:
    """Play a golden replay again. Raises CheckFailed at the first step that differs."""
    version = transcript.facts["rules_version"]
    if version != game_type.rules_version:
        raise CheckFailed(f"the replay is of rules version {version}, not {game_type.rules_version}: write it again")
    try:
        game = game_type.configure(int(transcript.facts["players"]), transcript.options)
    except InvalidInput as error:
        raise CheckFailed(f"the options of the replay are refused: {error}") from error
    state = game.initial_state()
    for ply, (seat, code, expected, label) in enumerate(transcript.steps):
        if not state.is_legal(code, seat):
            raise CheckFailed(f"ply {ply}: {code} ({label}) is no longer legal")
        now = game.label(state, Code(code))
        if now != label:
            raise CheckFailed(f"ply {ply}: the label of {code} was {label!r} and is {now!r}")
        try:
            state.apply(code, seat)
        except IllegalAction as error:
            raise CheckFailed(f"ply {ply}: {code} ({label}) is refused: {error}") from error
        if digest(state) != expected:
            raise CheckFailed(
                f"ply {ply}: {code} ({label}) leads to another state; changed rules need a new rules version"
            )
    if transcript.end and (state.actor() != TERMINAL or _end(state) != transcript.end):
        raise CheckFailed(f"the match no longer ends with {transcript.end}")


def plan(subject: Subject) -> dict[str, Walk]:
    """Returns the matches to record, by file name: one at each player count, and one for each changed option."""
    walks = {}
    for number, setup in enumerate(subject.setups()):
        limit = subject.game.capabilities.max_plies
        limit = min(limit, CHANGED_PLIES) if setup.changes else limit
        walks[f"{subject.game.id}-{_name(setup)}.txt"] = Walk(subject, setup, subject.seed + number, limit)
    return walks


def _name(setup: GameSetup) -> str:
    players, _, option = setup.name.partition(" players")
    return f"{players}p{option.replace(', ', '-').replace('=', '-')}"


def _own(folder: Path, game_id: str) -> list[Path]:
    """The replays of a game in a folder that it may share with other games of its pack."""
    other = re.compile(re.escape(game_id) + r"-\D.*?-\d+p")
    return sorted(path for path in folder.glob(f"{game_id}-*.txt") if not other.match(path.name))


def rewrite(subject: Subject) -> list[Path]:
    """Write a game's golden replays anew into its folder, and remove its old ones; returns what was written."""
    folder = subject.golden_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for old in _own(folder, subject.game.id):
        old.unlink()
    written = []
    for name, walk in plan(subject).items():
        path = folder / name
        path.write_text(write(walk), encoding="utf-8")
        written.append(path)
    return written


@check("golden", cost="the replays in the pack's folder")
def golden(subject: Subject) -> str:
    """The golden replays in the pack's folder replay identically: every code has the same label and leads to the same
    state. There is at least one; only an installed pack, which comes without its folder of replays, has none."""
    folder = subject.golden_folder()
    paths = _own(folder, subject.game.id)
    if not folder.exists() and any(any(parent.glob("*.dist-info")) for parent in folder.parents):
        return "not checked: golden replays are in the pack's source tree and are not installed"
    if not paths:
        raise CheckFailed(f"there is no golden replay; write some with: omnilude pack golden {subject.game.id}")
    steps = 0
    for path in paths:
        subject.place = path.name
        transcript = read(path.read_text(encoding="utf-8"))
        if transcript.facts["game"] != subject.game.id:
            raise CheckFailed(f"the replay is of the game {transcript.facts['game']}")
        replay(subject.game, transcript)
        steps += len(transcript.steps)
    return f"{len(paths)} replays, {steps} steps"

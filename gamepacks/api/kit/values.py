"""Checks of states as values: determinism, round trips, independent clones, and reading without changes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from google.protobuf.message import Message

from cext.playout import PlayoutTooLong, playout
from cext.random import Rng
from cext.state import TERMINAL, State
from gamepacks.api.errors import IllegalAction, InvalidPosition
from gamepacks.api.game import viewers
from gamepacks.api.kit import digest
from gamepacks.api.kit.base import CheckFailed, GameSetup, Node, Subject, check
from gamepacks.api.kit.messages import changes
from gamepacks.api.kit.play import some
from gamepacks.api.sealed import sealed_states
from gamepacks.api.types import OMNISCIENT, Code, Seat, Viewer

AHEAD = 8
"""Number of plies for which copies of a state are played on."""


@check("determinism", cost="two new processes; two matches in each")
def determinism(subject: Subject) -> str:
    """The same match gives the same bytes, lists, views, events and labels in another process and under another hash
    seed of Python."""
    setups = [subject.setups()[0], subject.setups()[-1]]
    here = [digest.digest(setup.game, subject.seed) for setup in setups]
    for setup, first in zip(setups, here, strict=True):
        subject.place = setup.name
        if digest.digest(setup.game, subject.seed) != first:
            raise CheckFailed("the same match differs when it is played twice in one process")
    # Both run at once; both have ended before either is judged.
    running = {hash_seed: _start(subject, setups, hash_seed) for hash_seed in ("1", "2")}
    ended = {hash_seed: (*process.communicate(), process.returncode) for hash_seed, process in running.items()}
    for hash_seed, (out, errors, status) in ended.items():
        if status:
            last = errors.strip().splitlines()[-1] if errors.strip() else f"exit code {status}"
            raise CheckFailed(f"the match cannot be played in another process: {last}")
        if out.split() != here:
            written = written_since(_LOADED)
            why = f"; files of the code were written meanwhile ({', '.join(written[:5])}): repeat it" if written else ""
            raise CheckFailed(f"the same match differs in another process, with PYTHONHASHSEED={hash_seed}{why}")
    return "3 processes, 2 matches"


_LOADED = time.time()
"""Time at which this process loaded the kit: a later process may load other code, if files have changed since."""


def written_since(then: float) -> list[str]:
    """Names of the loaded modules whose files have been written after a time."""
    files = {name: Path(getattr(module, "__file__", None) or "") for name, module in sys.modules.items()}
    return sorted(name for name, file in files.items() if file.is_file() and file.stat().st_mtime > then)


def _start(subject: Subject, setups: list[GameSetup], hash_seed: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-m", "gamepacks.api.kit.digest", subject.game.__module__, subject.game.__qualname__]
    arguments.append(str(subject.seed))
    for setup in setups:
        arguments += [str(setup.game.players), setup.game.options_message().SerializeToString().hex()]
    path = os.pathsep.join(entry or "." for entry in sys.path)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    return subprocess.Popen(arguments, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@check("round-trips", cost="one walk per game; some positions, each played on 8 plies")
def round_trips(subject: Subject) -> str:
    """A state is restored from its position message with the same bytes, choices and future; and its bytes are those of
    the message."""
    count = 0
    for node in subject.sampled_nodes():
        count += 1
        data = node.state.to_bytes()
        position = node.game.position(node.state)
        node.require(
            position.SerializeToString(deterministic=True) == data, "to_bytes() differs from the bytes of position()"
        )
        for path, sealed in sealed_states(position):
            node.require(bool(sealed.state) and not sealed.seal, f"{path}: a pack must set state and leave seal empty")
        other = node.game.restore(type(position).FromString(data))
        node.require(type(other) is type(node.state), f"restore() returns a {type(other).__name__}")
        node.require(other.game is node.game, "the game of a restored state is another object")
        node.require(other.to_bytes() == data, "a restored state has other bytes")
        _same_choices(node, other)
        original = node.state.clone()
        _play_on(original, Rng(count))
        _play_on(other, Rng(count))
        node.require(original.to_bytes() == other.to_bytes(), "a restored state has another future")
    return f"{count} positions"


def _same_choices(node: Node, other: State) -> None:
    node.require(other.actor() == node.actor, "a restored state has another actor")
    node.require(other.seats_to_act() == node.state.seats_to_act(), "a restored state has other seats to act")
    node.require(other.chance() == node.state.chance(), "a restored state has other outcomes")
    node.require(other.returns() == node.state.returns(), "a restored state has other returns")
    for seat in range(node.game.players):
        node.require(other.legal(seat) == node.state.legal(seat), f"a restored state has other actions for seat {seat}")


def _play_on(state: State, rng: Rng, plies: int = AHEAD) -> None:
    """Play random plies in place."""
    try:
        playout(state, rng, plies)
    except PlayoutTooLong:
        return


@check("clones", cost="one walk per game; p clones, some of them played on 8 plies")
def clones(subject: Subject) -> str:
    """A clone is equal, of the same type and game, and shares nothing: playing on one does not change the other."""
    rng = Rng(subject.seed)
    count = 0
    for walk in subject.walks():
        earlier: list[tuple[Node, State, bytes]] = []
        for node in walk:
            data = node.state.to_bytes()
            clone = node.state.clone()
            count += 1
            node.require(clone is not node.state, "clone() returns the state itself")
            node.require(type(clone) is type(node.state), f"clone() returns a {type(clone).__name__}")
            node.require(clone.game is node.game, "the game of a clone is another object")
            node.require(clone.to_bytes() == data, "a clone has other bytes")
            node.require(clone.legal(node.seat) == node.state.legal(node.seat), "a clone has other legal actions")
            if node.sampled:
                _play_on(clone, rng)
                node.require(node.state.to_bytes() == data, "playing on a clone changes the original state")
                earlier.append((node, node.state.clone(), data))
        for node, clone, data in earlier:
            node.require(clone.to_bytes() == data, "playing on the original changes an earlier clone")
    return f"{count} clones"


@check("explaining", cost="one walk per game; views and events for each viewer at some nodes")
def explaining(subject: Subject) -> str:
    """Views, events, labels and actions are of the pack's message types and the same when repeated; computing
    them (or a resampled state) changes nothing. Typed texts and questions are answered."""
    rng = Rng(subject.seed)
    asked = 0
    for node in subject.sampled_nodes():
        before = node.state.to_bytes()
        after = node.after() if node.actor != TERMINAL else None
        after_bytes = after.to_bytes() if after is not None else b""
        for viewer in [*viewers(node.game.players), OMNISCIENT]:
            asked += 1
            view = node.game.view(node.state, viewer)
            node.require(isinstance(view, node.game.messages.view), f"view() returns a {type(view).__name__}")
            node.require(
                node.game.view(node.state, viewer) == view, f"a second call of view() gives another view of {viewer}"
            )
            drawn = node.game.render(view)
            node.require(drawn is None or isinstance(drawn, str), f"render() returns a {type(drawn).__name__}")
            if viewer == max(node.seat, 0):
                _check_terminal(node, view)
            node.state.resample(viewer, rng)
            if after is not None:
                _check_events(node, after, viewer)
        for code in some(node.choices(), rng):
            node.game.label(node.state, Code(code))
            node.game.action(node.state, Code(code)) if node.seat >= 0 else None
        node.require(
            node.state.to_bytes() == before, "view(), events(), label(), action() or resample() changes the state"
        )
        node.require(after is None or after.to_bytes() == after_bytes, "events() changes the state after the step")
    return f"{asked} views"


def _check_terminal(node: Node, view: Message) -> None:
    """Check the types of answers to typed texts, and that parsed texts give an action or are refused."""
    choices = [node.game.action(node.state, Code(code)) for code in node.choices()[:3]] if node.seat >= 0 else []
    drawn = node.game.render_choices(view, choices)
    node.require(drawn is None or isinstance(drawn, str), f"render_choices() returns a {type(drawn).__name__}")
    labels = [node.game.label(node.state, Code(code)) for code in node.choices()[:1]]
    for text in ("", "3, 4", "nothing of the kind", *labels):
        said, meant = node.game.explain(view, text), node.game.parse_text(view, text)
        node.require(isinstance(said, str), f"explain() returns a {type(said).__name__}")
        if meant is not None:
            node.require(isinstance(meant, node.game.messages.action), f"parse_text() returns a {type(meant).__name__}")
            with suppress(IllegalAction):
                node.game.parse(node.state, Seat(max(node.seat, 0)), meant)


def _check_events(node: Node, after: State, viewer: Viewer) -> None:
    view = node.game.view(after, viewer)
    events = list(node.game.events(node.state, node.mover, Code(node.code), after, viewer))
    for event in events:
        node.require(isinstance(event, node.game.messages.event), f"events() returns a {type(event).__name__}")
        text = node.game.describe_event(event, view)
        node.require(isinstance(text, str), f"describe_event() returns a {type(text).__name__}")
    again = list(node.game.events(node.state, node.mover, Code(node.code), after, viewer))
    node.require(events == again, f"a second call of events() gives other events for {viewer}")
    knows = node.game.knows_code(node.state, node.mover, Code(node.code), viewer)
    node.require(isinstance(knows, bool), f"knows_code() returns {knows!r}, not a bool")
    node.require(knows or viewer != OMNISCIENT, "the omniscient viewer does not know a code")
    node.require(
        knows or node.mover is None or viewer != node.seat, f"seat {node.seat} does not know the code of its own action"
    )


@check("position-faults", cost="3 positions per game; 25 modified copies of each, played on 50 plies if accepted")
def position_faults(subject: Subject) -> str:
    """A modified position is refused with InvalidPosition, which names a field; or it is valid: it is restored from
    its own bytes, has views and can be played. If the bytes of a sealed state were modified, which the service would
    have refused, it is enough that restore() raises only InvalidPosition."""
    rng = Rng(subject.seed)
    refused = accepted = 0
    for walk in subject.walks():
        for node in walk:
            if node.ply not in (0, 5) and node.actor != TERMINAL and rng.below(40):
                continue
            position = node.game.position(node.state)
            sealed = _sealed_bytes(position)
            bent = list(changes(position))
            rng.shuffle(bent)
            for message in [type(position)(), *(change.applied(position) for change in bent[:25])]:
                if _check_bent(node, message, sealed, rng):
                    accepted += 1
                else:
                    refused += 1
    return f"{refused} refused, {accepted} valid"


def _sealed_bytes(position: Message) -> list[bytes]:
    return [sealed.state for _, sealed in sealed_states(position)]


def _check_bent(node: Node, message: Any, sealed: list[bytes], rng: Rng) -> bool:
    """Returns whether a modified position is accepted; it must then be valid, unless its sealed states differ."""
    try:
        state = node.game.restore(message)
    except InvalidPosition as error:
        named = error.faults and all(fault.field and fault.message for fault in error.faults)
        node.require(bool(named), f"the refusal of a modified position names no field: {error}")
        return False
    except Exception as error:
        raise CheckFailed(
            f"a modified position raised {type(error).__name__}, not InvalidPosition: {_excerpt(message)}"
        ) from error
    if _sealed_bytes(message) != sealed:
        return True
    try:
        data = state.to_bytes()
        again = node.game.restore(type(message).FromString(data))
        if again.to_bytes() != data:
            node.fail(f"a modified position is accepted, but not restored from its bytes: {_excerpt(message)}")
        for viewer in [*viewers(node.game.players), OMNISCIENT]:
            node.game.view(state, viewer)
        _play_on(state, rng, 50)
    except CheckFailed:
        raise
    except Exception as error:
        raise CheckFailed(
            f"a modified position is accepted, but then raises {type(error).__name__}: {_excerpt(message)}"
        ) from error
    return True


def _excerpt(message: Message) -> str:
    return str(message).replace("\n", " ")[:200]

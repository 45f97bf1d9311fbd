"""Drawing of scenes and targets by packs, cached for each viewer and record, with a fallback if a pack fails.

A scene marks the parts that the last actions of another seat touched. A failed drawing is logged and does not end the
match, because the rules do not depend on it.
"""

from __future__ import annotations

import logging
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from google.protobuf.message import Message

from cext.state import SIMULTANEOUS, State
from engine_service.log.records import STEPS, Record
from engine_service.match_enums import RecordKind
from engine_service.observability.logs import new_incident_id
from engine_service.pack_guard import PACK_GUARD, ContractViolated, PackRaised, log_pack_error
from gamepacks.api.game import Game
from gamepacks.api.scene import MAX_SCENE_BYTES, generic_scene
from gamepacks.api.types import Code, Seat, Viewer

log = logging.getLogger(__name__)

CACHE_BYTES = 32 << 20

SceneKey = tuple[str, int, int]
"""Name of the match, viewer, and record: together they determine the view."""


class SceneCache:
    """LRU cache of the scenes of all matches, limited to :data:`CACHE_BYTES`."""

    def __init__(self) -> None:
        self._scenes: OrderedDict[SceneKey, str] = OrderedDict()
        self._size = 0

    def scene(self, key: SceneKey, game: Game[Any], view: Message, last: Callable[[], Iterable[str]]) -> str:
        """Returns the scene of a view; the generic one if the pack raises or draws more than is allowed.

        ``last`` returns the ids of the parts to mark; ids that the scene does not have are ignored.
        """
        scene = self._scenes.get(key)
        if scene is None:
            scene = self._scenes[key] = marked(_drawn(key[0], game, view), last())
            self._size += len(scene)
            while self._size > CACHE_BYTES:
                self._size -= len(self._scenes.popitem(last=False)[1])
        else:
            self._scenes.move_to_end(key)
        return scene


def marked(scene: str, ids: Iterable[str]) -> str:
    """Returns a scene in which the parts with these ids have the class ``last``."""
    for part_id in ids:
        scene = re.sub(f'<[^<>]*\\bid="{re.escape(part_id)}"[^<>]*', _with_last, scene, count=1)
    return scene


def _with_last(tag: re.Match[str]) -> str:
    text, found = re.subn(r'\bclass="', 'class="last ', tag[0], count=1)
    return text if found else re.sub(r'\bid="', 'class="last" id="', text, count=1)


def _drawn(match: str, game: Game[Any], view: Message) -> str:
    try:
        with PACK_GUARD:
            scene = game.svg(view)
            if not isinstance(scene, str):
                raise ContractViolated(f"svg() returned a {type(scene).__name__}")
            if len(scene.encode()) > MAX_SCENE_BYTES:
                raise ContractViolated(f"svg() returned more than {MAX_SCENE_BYTES} bytes")
            return scene
    except PackRaised as raised:
        _log(match, game, "scene", raised)
        return generic_scene(game.title, view)


def action_targets(match: str, game: Game[Any], view: Message, actions: Sequence[Message]) -> Sequence[tuple[str, ...]]:
    """Returns the targets of actions; none if the pack raises or returns something else."""
    try:
        with PACK_GUARD:
            targets = [tuple(map(str, entry)) for entry in game.targets(view, actions)]
            if len(targets) != len(actions):
                raise ContractViolated(f"targets() returned {len(targets)} entries for {len(actions)} actions")
            return targets
    except PackRaised as raised:
        _log(match, game, "targets", raised)
        return [()] * len(actions)


def touched_parts(match: str, game: Game[Any], viewer: Viewer, state: State, records: Iterable[Record]) -> list[str]:
    """Returns the parts that the actions among the records touched, as far as the viewer may know the actions.

    Returns none if the pack raises.

    ``state`` is the state before the first record; it is changed.
    """
    found: list[str] = []
    try:
        with PACK_GUARD:
            for record in records:
                if record.kind not in STEPS:
                    continue
                seat, code = Seat(record.seat), Code(record.code)
                if (
                    record.kind is RecordKind.ACTION
                    and state.actor() != SIMULTANEOUS
                    and game.knows_code(state, seat, code, viewer)
                ):
                    found += map(str, game.touched(game.view(state, viewer), seat, game.action(state, code)))
                state.apply_unchecked(code, record.seat)
    except PackRaised as raised:
        _log(match, game, "touched parts", raised)
        return []
    return found


def _log(match: str, game: Game[Any], what: str, raised: PackRaised) -> None:
    log_pack_error(log, new_incident_id(), f"pack of {game.id} failed at {what} of {match}", raised.error)

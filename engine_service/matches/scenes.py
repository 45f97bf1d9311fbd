"""Drawing of scenes and targets by packs: made once for each viewer and record, and replaced where a pack fails.

A drawing that fails is logged and ends no match: the rules do not depend on it.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from google.protobuf.message import Message

from engine_service.observability.logs import new_incident_id
from engine_service.pack_guard import PACK_GUARD, BrokenRules, PackRaised, log_pack_error
from gamepacks.api.game import Game
from gamepacks.api.scene import MAX_SCENE_BYTES, generic_scene

log = logging.getLogger(__name__)

CACHE_BYTES = 32 << 20

SceneKey = tuple[str, int, int]
"""Name of the match, viewer, and record: together they determine the view."""


class SceneCache:
    """The scenes that were drawn or read last, of all matches."""

    def __init__(self) -> None:
        self._scenes: OrderedDict[SceneKey, str] = OrderedDict()
        self._size = 0

    def scene(self, key: SceneKey, game: Game[Any], view: Message) -> str:
        """Returns the scene of a view; the generic one if the pack raises or draws more than is allowed."""
        scene = self._scenes.get(key)
        if scene is None:
            scene = self._scenes[key] = _drawn(key[0], game, view)
            self._size += len(scene)
            while self._size > CACHE_BYTES:
                self._size -= len(self._scenes.popitem(last=False)[1])
        else:
            self._scenes.move_to_end(key)
        return scene


def _drawn(match: str, game: Game[Any], view: Message) -> str:
    try:
        with PACK_GUARD:
            scene = game.svg(view)
            if not isinstance(scene, str):
                raise BrokenRules(f"svg() gives a {type(scene).__name__}")
            if len(scene.encode()) > MAX_SCENE_BYTES:
                raise BrokenRules(f"a scene has more than {MAX_SCENE_BYTES} bytes")
            return scene
    except PackRaised as raised:
        _log(match, game, "scene", raised)
        return generic_scene(game.title, view)


def action_targets(match: str, game: Game[Any], view: Message, actions: Sequence[Message]) -> Sequence[tuple[str, ...]]:
    """Returns the targets of actions; none if the pack raises or gives something else."""
    try:
        with PACK_GUARD:
            targets = [tuple(map(str, entry)) for entry in game.targets(view, actions)]
            if len(targets) != len(actions):
                raise BrokenRules(f"targets() gives {len(targets)} entries for {len(actions)} actions")
            return targets
    except PackRaised as raised:
        _log(match, game, "targets", raised)
        return [()] * len(actions)


def _log(match: str, game: Game[Any], what: str, raised: PackRaised) -> None:
    log_pack_error(log, new_incident_id(), f"pack of {game.id} failed at {what} of {match}", raised.error)

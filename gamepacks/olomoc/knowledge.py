"""Hidden information by viewer (section 5.9 of RULES.md): hands, plans, secret cabales, codes that reveal them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamepacks.api.types import OMNISCIENT, Viewer
from gamepacks.olomoc.codes import HIDDEN_DECISIONS, MINISTRY
from gamepacks.olomoc.constants import AXE
from gamepacks.olomoc.v1.olomoc_enums import Decision

if TYPE_CHECKING:
    from gamepacks.olomoc.engine.rules import OlomocState


def sees_all(state: OlomocState, viewer: Viewer, player: int) -> bool:
    """Whether a viewer sees everything that a player hides."""
    return viewer == OMNISCIENT or (viewer >= 0 and state.player_of(viewer) == player)


def knows_code(state: OlomocState, seat: int | None, viewer: Viewer) -> bool:
    """Whether a viewer may know the code that is taken in a state.

    Hidden decisions are their owner's; the deal of hands is the players': a spectator cannot tell who got what.
    """
    if state.decision in HIDDEN_DECISIONS:
        return viewer == OMNISCIENT or (seat is not None and viewer == seat)
    return not (state.decision == Decision.CHANCE_HAND and viewer == -1)


def known_hand(dump: dict[str, Any], state: OlomocState, viewer: Viewer, player: int) -> int | None:
    """The ministries in a player's hand as a viewer knows them, as a mask; None for what it does not know.

    The other player's follow by elimination, those planned and not shown among them: which is in the plan nobody knows
    but its owner.
    """
    hand = int(dump["hand"][player])
    if sees_all(state, viewer, player):
        return hand
    if viewer < 0:
        return None
    return hand | planned_ministry(dump, player)


def planned_ministry(dump: dict[str, Any], player: int) -> int:
    """Returns the mask of the ministry that is in a plan and not revealed; 0 for none."""
    for slot, card in enumerate(dump["plan"][6 * player : 6 * player + 6]):
        if card >= MINISTRY and not dump["shown"][player] >> slot & 1:
            return 1 << (int(card) - MINISTRY)
    return 0


def known_card(dump: dict[str, Any], state: OlomocState, viewer: Viewer, player: int, slot: int) -> int | None:
    """The card in a slot of a plan as a viewer knows it; None for a face-down one."""
    card = int(dump["plan"][6 * player + slot])
    shown = dump["shown"][player] >> slot & 1
    peeked = dump["peeked"][player] >> slot & 1
    other = viewer >= 0 and state.player_of(viewer) == 1 - player
    return card if shown or sees_all(state, viewer, player) or (peeked and other) else None


def building(state: OlomocState) -> bool:
    """Whether cabales are being built in secret."""
    return bool(state.decision == Decision.BUILD)


__all__ = ["AXE", "building", "known_card", "known_hand", "knows_code", "planned_ministry", "sees_all"]

"""The invariants of section 12 of RULES.md, asserted on a state and on a step."""

from __future__ import annotations

from typing import Any

from gamepacks.omega import Omega
from gamepacks.omega.codes import NONE
from gamepacks.omega.engine.rules import OmegaState
from gamepacks.omega.v1.omega_enums import Phase

TOTALS = [25, 25, 37, 28, 22, 18]
SET_UP = (Phase.SETUP_ALTAR, Phase.SETUP_GALLERY, Phase.SETUP_ARCANA, Phase.START_PLAYER, Phase.DEAL)


def check_state(game: Omega, state: OmegaState) -> dict[str, Any]:
    """Assert OMEGA-INV-01 to OMEGA-INV-10 of a state; returns its values."""
    values = state.dump()
    players = values["seats"]
    rows = [player["egregors"] for player in players]
    for type_, total in enumerate(TOTALS):
        lying = sum(card["load"][type_] for row in rows for card in row)
        held = sum(player["pyramid"][type_] for player in players)
        assert values["bag"][type_] + values["altar"][type_] + held + lying == total, "OMEGA-INV-01"
    gallery = [card for card in values["gallery"] if card != NONE]
    cards = [*values["deck"], *gallery, *values["discard"], *values["looked"]]
    cards += [card["card"] for row in rows for card in row]
    assert sorted(cards) == list(range(42)), "OMEGA-INV-02"
    assert not any(none and count for none, count in zip(values["absent"], values["bag"], strict=True)), "section 15.6"
    assert set(values["certain"]) <= set(values["looked"]), "section 15.6"
    if any(values["batch"]):
        pyramid = players[values["active_seat"]]["pyramid"]
        assert all(b <= p for b, p in zip(values["batch"], pyramid, strict=True)), "OMEGA-INV-01"
    tops = [token for token in values["tops"] if token != NONE]
    held_tokens = [token for player in players for token in player["tokens"]]
    assert sum(values["hidden"]) + len(tops) + len(held_tokens) == 42, "OMEGA-INV-03"
    for kind, token in enumerate(game.cards.arcana):
        seen = tops.count(kind) + held_tokens.count(kind)
        assert seen + values["pool"][kind] == token.copies, "OMEGA-INV-03"
    assert sum(values["pool"]) == sum(values["hidden"]), "OMEGA-INV-03"
    for row in rows:
        for card in row:
            limit = 1 if game.cards.egregors[card["card"]].primitive else 2
            assert 0 <= sum(card["load"]) <= 10, "OMEGA-INV-04"
            assert sum(count > 0 for count in card["load"][:5]) <= limit, "OMEGA-INV-04"
    for seat, row in enumerate(rows):
        main = values["phase"] == Phase.MAIN and seat == values["active_seat"]
        assert len(row) <= (5 if main else 4), "OMEGA-INV-05"
    for player in players:
        mask = player["mask"]
        assert -1 <= mask < len(player["egregors"]), "OMEGA-INV-06"
        assert mask < 0 or not game.cards.egregors[player["egregors"][mask]["card"]].renegade, "OMEGA-INV-06"
    assert sum(values["altar"]) <= 6 and len(gallery) <= 4, "OMEGA-INV-08"
    # OMEGA-INV-09 holds by the form of the table: only Egregors in play have a load.
    actor = state.actor()
    if actor >= 0:
        assert state.legal(), "OMEGA-INV-10"
    elif values["phase"] != Phase.OVER:
        assert sum(weight for _, weight in state.chance()) > 0, "OMEGA-INV-10"
    return values


def check_step(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Assert OMEGA-INV-07 and OMEGA-INV-11 between two tables that follow each other."""
    for old, new in zip(before["seats"], after["seats"], strict=True):
        assert not old["egregors"] or new["egregors"], "OMEGA-INV-07"
        assert old["steps"] <= new["steps"], "OMEGA-INV-11"
        assert old["prestige"] <= new["prestige"], "OMEGA-INV-11"
        assert old["tokens"] == new["tokens"][: len(old["tokens"])], "OMEGA-INV-11"

"""Checks of the loader that both players can build a cabale (OLO-V-09 of RULES.md)."""

from __future__ import annotations

from collections.abc import Iterator

from gamepacks.olomoc.cards.checks import Finding
from gamepacks.olomoc.cards.models import OlomocCards


def cabale_faults(cards: OlomocCards) -> Iterator[Finding]:
    """Check that every faction can build a cabale, and that two players can do so in a draft (OLO-V-09)."""
    from gamepacks.olomoc.cabales import Cabale, Drafter
    from gamepacks.olomoc.cards.compile import compile_rules

    drafter = Drafter(compile_rules(cards))
    names = [faction.id for faction in cards.factions]
    alone = [drafter.completable([Cabale(faction=number)], shared=False) for number in range(len(names))]
    yield from (
        Finding(name, "", "no legal cabale can be built (OLO-V-09)")
        for name, built in zip(names, alone, strict=True)
        if not built
    )
    if cards.exclusive_factions and len(names) < 2:
        yield Finding("", "exclusive_factions", "two players need two factions (OLO-V-09)")
    for one in range(len(names)):
        for other in range(one + cards.exclusive_factions, len(names)):
            both = [Cabale(faction=one), Cabale(faction=other)]
            if alone[one] and alone[other] and not drafter.completable(both, shared=True):
                who = "players of this faction" if one == other else f"players of this faction and of {names[other]}"
                yield Finding(names[one], "", f"two {who} cannot both build a cabale (OLO-V-09)")

"""Checks of the loader that each selector can match an element (OLO-V-25)."""

from __future__ import annotations

from collections.abc import Iterator

from gamepacks.olomoc.cards import effects as ef
from gamepacks.olomoc.cards.checks import Finding
from gamepacks.olomoc.cards.models import Hostile, OlomocCards, Profile
from gamepacks.olomoc.cards.scopes import Source, selectors, sites, sources
from gamepacks.olomoc.cards.vocabulary import Selector


def selector_faults(cards: OlomocCards) -> list[Finding]:
    """Returns a fault for every selector that can never match an element."""
    figures: dict[str, Profile | Hostile] = {card.id: card for card in cards.profiles}
    figures |= {card.id: card for card in cards.hostiles}
    found = []
    for source in sources(cards):
        for field, selector, describes in _selectors(source):
            why = _contradiction(figures, source, selector, describes)
            if why is not None:
                found.append(Finding(source.card, field, f"can never match anything: {why} (OLO-V-25)", source.table))
    return found


def _selectors(source: Source) -> Iterator[tuple[str, Selector, bool]]:
    """Yield the selectors of a list of effects and of its card, and whether each selects the target of a roll."""
    capacity = source.capacity
    if capacity is not None:
        for path, selector in selectors(capacity):
            yield f"{source.field}.{path}", selector, False
    for site in sites(source):
        for path, selector in selectors(site.effect):
            yield f"{site.path}.{path}", selector, path == "on.target" and isinstance(site.effect, ef.Mod | ef.Reroll)


def _contradiction(
    figures: dict[str, Profile | Hostile], source: Source, selector: Selector, describes: bool
) -> str | None:
    low, high = selector.rank_min, selector.rank_max
    if low is not None and high is not None and low > high:
        return f"rank_min {low} is above rank_max {high}"
    if selector.side == "hostile" and selector.status:
        return "hostiles have no status"
    named = figures.get(selector.name or "")
    if named is None:
        return None
    players = isinstance(named, Profile)
    if selector.side == "hostile" and players:
        return f"{named.id} is not a hostile"
    if selector.side == "player" and not players:
        return f"{named.id} is a hostile"
    if selector.status and not players:
        return "hostiles have no status"
    if (low is not None and named.rank < low) or (high is not None and named.rank > high):
        return f"{named.id} has rank {named.rank}"
    side = selector.side or ("ally" if source.owned else "any")
    if source.bearer and side == "ally" and players != (source.table != "hostiles"):
        return f"{named.id} is never an ally of the bearer"
    leaves_out = selector.not_self if selector.not_self is not None else source.bearer and not describes
    # A cabale has no two rouages of one name.
    if leaves_out and side == "ally" and source.table == "profiles" and named.id == source.card:
        return f"{named.id} is the bearer, which not_self excludes"
    return None

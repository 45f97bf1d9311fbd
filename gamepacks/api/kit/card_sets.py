"""The check of a game with cards: that it is played with the set that its options name, and with no other."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from gamepacks.api.cards import CardLibrary, CardSource, LoadedCards, digest
from gamepacks.api.errors import InvalidOptions
from gamepacks.api.kit.base import CheckFailed, GameSetup, Subject, check

BESIDE = "kit-beside"


@check("cards", cost="no play; some tables")
def cards(subject: Subject) -> str:
    """A game with cards is played with the set that its option names, out of those that it is given: each own set, and
    one that is put beside them. The options in force name it; ids that are not there, and paths, are refused. The id of
    an own set ends with its version."""
    source = subject.game.card_source
    if source is None:
        return "a game without cards"
    if unversioned := [name for name in source.own.ids if re.fullmatch(r".+-[1-9][0-9]*", name) is None]:
        raise CheckFailed(f"the ids of the own card sets {unversioned} do not end with a version, as in 'house-1'")
    played = set()
    for table in subject.tables():
        subject.place = table.name
        game = table.game
        if game.card_set is None or game.options.card_set != game.card_set.id:
            raise CheckFailed("the options in force do not name the card set that is played with")
        if game.card_set != source.own.pick(game.card_set.id).card_set and not _combined(table, source):
            raise CheckFailed(f"the card set {game.card_set.id!r} is not the own one of this id")
        played.add(game.card_set.id)
    subject.place = "before play"
    if unplayed := [name for name in source.own.ids if name not in played]:
        raise CheckFailed(f"the own card sets {unplayed} can be played with at no table")
    _check_beside(subject, source)
    return f"{len(played)} own sets, one beside them, {len(_wrong(source))} wrong names"


def _combined(table: GameSetup, source: CardSource[Any]) -> bool:
    """Returns whether an option has added further sets, so that the digest covers all of them."""
    digests = {card_set.digest for card_set in source.own.card_sets}
    return bool(table.changes) and table.game.card_set is not None and table.game.card_set.digest not in digests


def _check_beside(subject: Subject, source: CardSource[Any]) -> None:
    """A copy of a set under another id is played with where it is in the library, and only there."""
    default = subject.tables()[0].game
    assert default.card_set is not None
    beside = _renamed(source.own.pick(default.card_set.id))
    library = source.own.with_set(beside)
    game = subject.game.configure(default.players, {"card_set": BESIDE}, library)
    if game.card_set != beside.card_set or game.options_message().card_set != BESIDE:  # type: ignore[attr-defined]
        raise CheckFailed("a card set that was put beside the own ones is not played with where it is asked for")
    message = game.options_message()
    if subject.game.configure(default.players, message, library).card_set != beside.card_set:
        raise CheckFailed("the card set does not come back from the options message")
    for name in _wrong(source):
        _check_refused(subject, default.players, name, None)
    _check_refused(subject, default.players, "no-such-set", library)


def _wrong(source: CardSource[Any]) -> list[str]:
    """Names that no library has: above all no file may be named."""
    return [BESIDE, "no-such-set", *(str(path) for path in source.own_files), source.own_files[0].name, "../cards.yaml"]


def _check_refused(subject: Subject, players: int, name: str, library: CardLibrary[Any] | None) -> None:
    try:
        subject.game.configure(players, {"card_set": name}, library)
    except InvalidOptions as error:
        if all(fault.field.startswith("card_set") for fault in error.faults):
            return
        raise CheckFailed(f"the card set {name!r} is refused without the option's name: {error}") from error
    raise CheckFailed(f"the card set {name!r} is taken, and there is none of this id")


def _renamed(loaded: LoadedCards[Any]) -> LoadedCards[Any]:
    data = loaded.data.model_copy(update={"id": BESIDE})
    return replace(loaded, data=data, card_set=replace(loaded.card_set, id=BESIDE, digest=digest(data)))

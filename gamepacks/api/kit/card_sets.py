"""The check of card sets: a game uses the set that its options name, and no other."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from gamepacks.api.cards import CardLibrary, CardSource, LoadedCards, digest
from gamepacks.api.errors import InvalidOptions
from gamepacks.api.kit.base import CheckFailed, GameSetup, Subject, check

ADDED = "kit-added"


@check("cards", cost="no play; some setups")
def cards(subject: Subject) -> str:
    """A game with cards uses the set that its option names, out of the given library: each of the pack's own sets, and
    an added one. Its options name that set; unknown ids, and paths, are refused. The id of
    the pack's own sets ends with a version."""
    source = subject.game.card_source
    if source is None:
        return "the game has no cards"
    if unversioned := [name for name in source.own.ids if re.fullmatch(r".+-[1-9][0-9]*", name) is None]:
        raise CheckFailed(f"the ids {unversioned} of the pack's card sets must end with a version, as in 'house-1'")
    played = set()
    for setup in subject.setups():
        subject.place = setup.name
        game = setup.game
        if game.card_set is None or game.options.card_set != game.card_set.id:
            raise CheckFailed("game.options.card_set is not the id of game.card_set")
        if game.card_set != source.own.pick(game.card_set.id).card_set and not _combined(setup, source):
            raise CheckFailed(f"the card set {game.card_set.id!r} is not the pack's own set with this id")
        played.add(game.card_set.id)
    subject.place = "before play"
    if unplayed := [name for name in source.own.ids if name not in played]:
        raise CheckFailed(f"no setup can use the pack's card sets {unplayed}")
    _check_added(subject, source)
    return f"{len(played)} own sets, 1 added set, {len(_wrong(source))} wrong names"


def _combined(setup: GameSetup, source: CardSource[Any]) -> bool:
    """Returns whether an option has added further sets, so that the digest covers all of them."""
    digests = {card_set.digest for card_set in source.own.card_sets}
    return bool(setup.changes) and setup.game.card_set is not None and setup.game.card_set.digest not in digests


def _check_added(subject: Subject, source: CardSource[Any]) -> None:
    """Check that a copy of a set under another id can be used if it is in the library, and only then."""
    default = subject.setups()[0].game
    assert default.card_set is not None
    added = _renamed(source.own.pick(default.card_set.id))
    library = source.own.with_set(added)
    game = subject.game.configure(default.players, {"card_set": ADDED}, library)
    if game.card_set != added.card_set or game.options_message().card_set != ADDED:  # type: ignore[attr-defined]
        raise CheckFailed("a card set that was added to the library is not used although the options name it")
    message = game.options_message()
    if subject.game.configure(default.players, message, library).card_set != added.card_set:
        raise CheckFailed("the options message does not give back the card set")
    for name in _wrong(source):
        _check_refused(subject, default.players, name, None)
    _check_refused(subject, default.players, "no-such-set", library)


def _wrong(source: CardSource[Any]) -> list[str]:
    """Names that no library has, among them paths of files."""
    return [ADDED, "no-such-set", *(str(path) for path in source.own_files), source.own_files[0].name, "../cards.yaml"]


def _check_refused(subject: Subject, players: int, name: str, library: CardLibrary[Any] | None) -> None:
    try:
        subject.game.configure(players, {"card_set": name}, library)
    except InvalidOptions as error:
        if all(fault.field.startswith("card_set") for fault in error.faults):
            return
        raise CheckFailed(f"the refusal of the card set {name!r} does not name the option card_set: {error}") from error
    raise CheckFailed(f"the card set {name!r} is accepted, but there is none with this id")


def _renamed(loaded: LoadedCards[Any]) -> LoadedCards[Any]:
    data = loaded.data.model_copy(update={"id": ADDED})
    return replace(loaded, data=data, card_set=replace(loaded.card_set, id=ADDED, digest=digest(data)))

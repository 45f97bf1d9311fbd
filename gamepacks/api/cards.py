"""Card sets as data: files checked by a game's pydantic model, with errors that name file, line, card and field.

A game with cards has a :class:`CardSource`: its model and the pack's own sets. A :class:`CardLibrary` has the sets that
matches can use: the own ones, and those that the operator of the service has installed. An option names a set by its
id, never by a path, so that remote players cannot name files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cext.errors import PicklableError
from gamepacks.api.cardfaults import FaultWriter
from gamepacks.api.cardfiles import SUFFIXES, CardData, Place, UnreadableFile, read_card_data
from gamepacks.api.errors import Fault, InvalidOptions, error_location, is_interrupt
from gamepacks.api.types import CardSet

ID_LENGTH = 40
SMALL_WORD = "must have small letters, digits and hyphens only, and not begin with a hyphen"

Status = Literal["house", "transcribed", "fixture"]


class CardModel(BaseModel):
    """Base of all models of card data: immutable; unknown fields are faults."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)


@dataclass(frozen=True, slots=True)
class CardFinding:
    """A finding of a game's own checks in a card set: its place and its message."""

    place: Place
    """Path in the file, ``("egregors", 3, "snake")``; () is the whole set."""
    message: str


class CardFile(CardModel):
    """Base of a game's file model. A list of cards is a field that holds models with an ``id``.

    Narrow ``game`` to the game's own id: ``game: Literal["omega"]``.
    """

    schema_version: Literal[1] = Field(1, alias="schema", description="Version of the file format.")
    id: str = Field(
        max_length=ID_LENGTH,
        pattern=r"^[a-z0-9][a-z0-9-]*$",
        description="Name of the set, unique in its game.",
        json_schema_extra={"patternErrorMessage": SMALL_WORD},
    )
    game: str = Field(description="The game that it is a set of.")
    title: str = Field(min_length=1, max_length=120, description="Title of the set, for people.")
    status: Status = Field(
        description="house: ours, not the printed cards; transcribed: by an owner of the game; fixture: for tests."
    )

    def check(self) -> Iterable[CardFinding]:
        """Yield faults that concern several fields or cards; override it."""
        return ()

    def warnings(self) -> Iterable[CardFinding]:
        """Yield warnings about values that are allowed but may be mistakes, for ``omnilude cards check``; override
        it."""
        return ()


CardFileT = TypeVar("CardFileT", bound=CardFile)


@dataclass(frozen=True, slots=True)
class CardFault:
    """A fault of a card file, or a warning."""

    file: str
    line: int
    """Number of the line, from 1; 0 if it is not known."""
    card: str
    """The id of the card, or its place in the file; empty where no single card is at fault."""
    field: str
    message: str

    def __str__(self) -> str:
        file = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (file, self.card, self.field, self.message) if part)


class CardFileError(PicklableError, ValueError):
    """A card file cannot be read, or violates its game's model; ``faults`` has every fault."""

    def __init__(self, faults: Sequence[CardFault]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = tuple(faults)


class UnknownCardSet(InvalidOptions):
    """The game has no card set of this id here; ``known`` are the existing ids."""

    def __init__(self, card_set: str, known: Sequence[str]) -> None:
        super().__init__([Fault("card_set", f"there is no card set {card_set!r}; card sets: {', '.join(known)}")])
        self.card_set = card_set
        self.known = tuple(known)


@dataclass(frozen=True, slots=True)
class LoadedCards(Generic[CardFileT]):
    """A card set that has been read and checked."""

    data: CardFileT
    card_set: CardSet
    path: Path
    warnings: tuple[CardFault, ...] = ()


class CardLibrary(Generic[CardFileT]):
    """The card sets that a game can be played with, by id; the first is the default. Immutable, and can be pickled.

    ``former`` are earlier versions of the pack's own sets: a match that names one goes on with it, and it is offered
    to nobody.
    """

    def __init__(self, sets: Iterable[LoadedCards[CardFileT]], former: Iterable[LoadedCards[CardFileT]] = ()) -> None:
        self._sets = {loaded.card_set.id: loaded for loaded in sets}
        self._former = {loaded.card_set.id: loaded for loaded in former}

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids, in order, without former versions."""
        return tuple(self._sets)

    @property
    def card_sets(self) -> tuple[CardSet, ...]:
        """Descriptions of all sets for the catalogue, without former versions."""
        return tuple(loaded.card_set for loaded in self._sets.values())

    def pick(self, card_set: str) -> LoadedCards[CardFileT]:
        """Returns the set of an id. Raises UnknownCardSet."""
        loaded = self.find(card_set)
        if loaded is None:
            raise UnknownCardSet(card_set, self.ids)
        return loaded

    def find(self, card_set: str) -> LoadedCards[CardFileT] | None:
        """Returns the set of an id, if there is one."""
        return self._sets.get(card_set) or self._former.get(card_set)

    def with_set(self, loaded: LoadedCards[CardFileT]) -> CardLibrary[CardFileT]:
        """Returns a library with one more set."""
        return CardLibrary([*self._sets.values(), loaded], self._former.values())


class CardSource(Generic[CardFileT]):
    """The model of a game's card files, and the pack's own sets; the first of these is the default.

    The id of an own set ends with its version, as in ``house-1``. A released set never changes, because stored matches
    use it: changed cards become ``house-2``, and the file of ``house-1`` stays, listed in ``former``.
    """

    def __init__(self, game_id: str, model: type[CardFileT], *own: Path, former: Iterable[Path] = ()) -> None:
        self.game_id = game_id
        self.model = model
        self.own_files = own
        self.former_files = tuple(former)

    @cached_property
    def own(self) -> CardLibrary[CardFileT]:
        """The pack's own sets. Raises CardFileError."""
        seen: set[str] = set()
        loaded = []
        for path in (*self.own_files, *self.former_files):
            loaded.append(self.read(path))
            name = loaded[-1].card_set.id
            if name in seen:
                raise CardFileError([_taken(path.name, name, "another set of the pack")])
            seen.add(name)
        count = len(self.own_files)
        return CardLibrary(loaded[:count], loaded[count:])

    def read(self, path: Path) -> LoadedCards[CardFileT]:
        """Read and check a file. Raises CardFileError with every fault."""
        return self.check(_read(path), path)

    def check(self, raw: CardData, path: Path) -> LoadedCards[CardFileT]:
        """Check what a file holds. Raises CardFileError with every fault; they quote nothing of the file but names."""
        try:
            data = self.model.model_validate(raw.values)
        except ValidationError as error:
            raise CardFileError(_faults_in_words(raw, self._schema, error.errors())) from None
        findings = list(data.check())
        if data.game != self.game_id:
            findings.insert(0, CardFinding(("game",), f"it is of the game {data.game!r}, not {self.game_id!r}"))
        if findings:
            raise CardFileError([_fault(raw, finding.place, finding.message) for finding in findings])
        card_set = CardSet(data.id, data.title, data.status == "house", digest(data))
        warnings = tuple(_fault(raw, finding.place, finding.message) for finding in data.warnings())
        return LoadedCards(data, card_set, path, warnings)

    def schema(self) -> dict[str, Any]:
        """Returns the JSON Schema of the file format, for editors."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            **self._schema,
            "title": f"Card set of {self.game_id}",
        }

    @cached_property
    def _schema(self) -> dict[str, Any]:
        return self.model.model_json_schema()


def digest(data: CardFile) -> bytes:
    """BLAKE2b-256 of a set's canonical form: its values, not the layout of its file.

    Values that equal their defaults are left out, so that a field added by a later version changes no digest.
    """
    said = data.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    canonical = json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return blake2b(canonical.encode(), digest_size=32).digest()


# -- sets of the operator ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BrokenCards:
    """A card file that was left out."""

    path: Path
    faults: tuple[CardFault, ...]

    @property
    def summary(self) -> str:
        """All faults in one line, for an operator."""
        return "; ".join(map(str, self.faults))


def card_files(path: Path) -> list[Path]:
    """The card files of a path: the file itself, or those in the folder, by name.

    Raises CardFileError where there is nothing.
    """
    if path.is_dir():
        return sorted(entry for entry in path.iterdir() if entry.suffix in SUFFIXES and entry.is_file())
    if not path.exists():
        raise CardFileError([CardFault(str(path), 0, "", "", "the file or folder does not exist")])
    return [path]


def read_any(path: Path, sources: Mapping[str, CardSource[Any]]) -> tuple[str, LoadedCards[Any]]:
    """Read a card file of the game that it names; returns that game's id and the cards. Raises CardFileError."""
    raw = _read(path)
    game = raw.values.get("game")
    source = sources.get(game) if isinstance(game, str) else None
    if source is None:
        known = f"there are: {', '.join(sorted(sources)) or 'none'}"
        wrong = "no game with cards has this id" if "game" in raw.values else "it must name its game"
        raise CardFileError([_fault(raw, ("game",), f"{wrong}; {known}")])
    return source.game_id, source.check(raw, path)


def load_libraries(
    paths: Iterable[Path], sources: Mapping[str, CardSource[Any]]
) -> tuple[dict[str, CardLibrary[Any]], list[BrokenCards]]:
    """Load the card sets of each game: its pack's own, then those of the paths.

    Returns the libraries by game, and the files left out. Raises CardFileError if a path does not exist.
    """
    libraries: dict[str, CardLibrary[Any]] = {game: source.own for game, source in sources.items()}
    broken = []
    for file in (file for path in paths for file in card_files(path)):
        try:
            game, loaded = read_any(file, sources)
            name = loaded.card_set.id
            if (other := libraries[game].find(name)) is not None:
                raise CardFileError([_taken(file.name, name, other.path.name)])
        except CardFileError as error:
            broken.append(BrokenCards(file, error.faults))
        except BaseException as error:
            if is_interrupt(error):
                raise
            # The pack's model of its cards failed: that is not a fault of the file, but the file cannot be used.
            message = f"its game's pack fails on it: {type(error).__name__} at {error_location(error)}"
            broken.append(BrokenCards(file, (CardFault(file.name, 0, "", "", message),)))
        else:
            libraries[game] = libraries[game].with_set(loaded)
    return libraries, broken


def _read(path: Path) -> CardData:
    try:
        return read_card_data(path)
    except UnreadableFile as error:
        raise CardFileError([CardFault(path.name, error.line, "", "", error.message)]) from None


def _taken(file: str, name: str, by: str) -> CardFault:
    return CardFault(file, 0, "", "id", f"the id {name!r} is taken by {by}")


def _faults_in_words(raw: CardData, schema: Mapping[str, Any], entries: Sequence[Any]) -> list[CardFault]:
    found = FaultWriter(schema, raw.values).faults(entries, lambda loc, missing: raw.find(loc, missing=missing))
    return [_fault(raw, place, message) for place, message in found]


def _fault(raw: CardData, place: Place, message: str) -> CardFault:
    card, field = raw.card(place)
    return CardFault(raw.file, raw.line(place), card, field, message)


__all__ = [
    "BrokenCards",
    "CardFault",
    "CardFile",
    "CardFileError",
    "CardFinding",
    "CardLibrary",
    "CardModel",
    "CardSource",
    "LoadedCards",
    "UnknownCardSet",
    "card_files",
    "digest",
    "load_libraries",
    "read_any",
]

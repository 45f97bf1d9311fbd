"""Matches with card sets of the pack, of the operator, and with missing ones."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from engine_service.errors import CardSetNotLoaded, InvalidOption
from engine_service.hosting.endings import OPERATOR
from engine_service.limits import Limits
from engine_service.log.header import Header
from engine_service.log.replay import encode
from engine_service.match_enums import MatchState, SeatKind
from engine_service.matches.verify import verify
from engine_service.model import ForkSetup, MatchSetup, SeatSetup
from gamepacks.api.bots import PackBot, Turn
from gamepacks.api.hooks import hookimpl
from gamepacks.api.registry import Registry
from gamepacks.api.types import Code
from tests.support.games import suits
from tests.support.hosting import BOT, FragileStore, Hosted, ManualTime
from tests.support.waiting import until

OPTIONS = {"card_set": "mine"}


class BestCard(PackBot):
    """Takes the card worth most; in a worker process it must know the cards there."""

    name = "best-card"
    description = "Takes the best card."
    game_id = "suits"

    def choose(self, turn: Turn) -> Code:
        game: Any = turn.game
        return Code(max(turn.codes, key=lambda card: game.cards.cards[card].worth[0].n))


class Pack(suits.SuitsPack):
    @hookimpl
    def omnilude_bots(self) -> list[PackBot]:
        return [BestCard()]


PACK = Pack()


@asynccontextmanager
async def hosting(*card_sets: Path, store: Any = None) -> AsyncIterator[Hosted]:
    """A host of the tiny game with these card sets beside its own."""
    registry = Registry.load(only=(), extra=[PACK], strict=True, card_sets=card_sets)
    hosted = Hosted(store or FragileStore(), ManualTime(), Limits(), registry)
    await hosted.host.start()
    try:
        yield hosted
    finally:
        await hosted.host.drain(None)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.yaml"
    path.write_text(suits.MY_SET, encoding="utf-8")
    return path


async def played(h: Hosted) -> str:
    """Returns the name of a match with the operator's set, played to its end."""
    t = await h.new_match("suits", option_texts=OPTIONS)
    await t.play(0, 0)
    await t.play(1, 1)
    assert t.live.state is MatchState.FINISHED
    return t.name


def other_cards(path: Path) -> None:
    path.write_text(suits.MY_SET.replace("n: 9", "n: 8"), encoding="utf-8")


def gone(path: Path) -> None:
    path.write_text(suits.MY_SET.replace("id: mine", "id: yours"), encoding="utf-8")


async def test_header_names_the_set_and_its_digest(mine: Path) -> None:
    async with hosting(mine) as h:
        t = await h.new_match("suits", option_texts=OPTIONS)
        header = t.live.header
        loaded = h.registry.game("suits")
        assert loaded.library is not None
        wanted = loaded.library.pick("mine").card_set.digest
        assert header.card_set_digest == wanted == t.live.info().card_set_digest
        options = suits.messages.Options()
        assert header.options.Unpack(options) and options.card_set == "mine"
        house = await h.new_match("suits")
        assert house.live.header.options.Unpack(options) and options.card_set == "house-1"
        assert house.live.header.card_set_digest == loaded.library.pick("house-1").card_set.digest


@pytest.mark.parametrize("name", ["", "other", "mine.yaml"])
async def test_set_is_named_by_its_id_and_never_by_a_path(mine: Path, name: str) -> None:
    async with hosting(mine) as h:
        with pytest.raises(InvalidOption) as refusal:
            setup = MatchSetup("suits", [SeatSetup()] * 2, option_texts={"card_set": name or str(mine)})
            await h.host.create(setup)
        (fault,) = refusal.value.faults
        assert fault.field == "options.card_set"
        if name:
            assert fault.message == f"there is no card set {name!r}; card sets: house-1, short-1, mine"


async def test_worker_process_knows_the_operators_cards(mine: Path) -> None:
    async with hosting(mine) as h:
        seats = [SeatSetup(SeatKind.BOT, "best-card"), BOT]
        t = await h.new_match("suits", seats=seats, option_texts=OPTIONS)
        await until(lambda: t.live.state is MatchState.FINISHED)
        assert next(entry for entry in t.log() if entry.startswith("ACTION 0")) == "ACTION 0 1"
        assert h.host.stats.bot_failures == 0


@pytest.mark.parametrize("change", [other_cards, gone])
async def test_match_with_missing_cards_resumes_when_they_are_back(mine: Path, change: Callable[[Path], None]) -> None:
    store = FragileStore()
    async with hosting(mine, store=store) as h:
        t = await h.new_match("suits", option_texts=OPTIONS)
        await t.play(0, 0)
        digest = t.live.header.card_set_digest
    change(mine)
    async with hosting(mine, store=store) as h:
        for _ in range(2):
            assert (await h.host.get(t.name)).card_set_digest == digest
            with pytest.raises(CardSetNotLoaded) as refusal:
                await h.host.observe_match(t.name, t.tokens[0])
        assert refusal.value.metadata == {"game": "suits", "card_set": "mine", "digest": digest.hex()}
        assert ("the loaded one has the digest" in refusal.value.message) == (change is other_cards)
        if change is other_cards:
            # A new match with the new cards shares nothing with the old one.
            new = await h.new_match("suits", option_texts=OPTIONS)
            assert new.live.header.options.value and new.live.header.card_set_digest != digest
            with pytest.raises(CardSetNotLoaded):
                await h.host.observe_match(t.name, t.tokens[0])
    mine.write_text("# as it was\n" + suits.MY_SET, encoding="utf-8")
    async with hosting(mine, store=store) as h:
        await h.host.observe_match(t.name, t.tokens[0])
        assert (await h.host.submit_action(t.name, t.tokens[1], Code(1))).state is MatchState.FINISHED


@pytest.mark.parametrize("change", [other_cards, gone])
async def test_matches_with_missing_cards_can_be_ended_and_deleted(mine: Path, change: Callable[[Path], None]) -> None:
    store = FragileStore()
    async with hosting(mine, store=store) as h:
        tables = [await h.new_match("suits", option_texts=OPTIONS) for _ in range(3)]
    change(mine)
    async with hosting(mine, store=store) as h:
        cancelled, resigned, deleted = tables
        assert (await h.host.cancel(cancelled.name, cancelled.host_token)).state is MatchState.CANCELLED
        info = await h.host.resign(resigned.name, resigned.tokens[0])
        assert (info.state, info.seats[0].out) == (MatchState.ACTIVE, True)
        await h.host.cancel(deleted.name, OPERATOR)
        await h.host.delete(deleted.name)
    mine.write_text("# as it was\n" + suits.MY_SET, encoding="utf-8")
    async with hosting(mine, store=store) as h:
        await h.host.live_match(resigned.name)
        assert (await h.host.get(resigned.name)).state is MatchState.FINISHED
        assert verify(await h.host.get_replay(cancelled.name), h.registry).state is MatchState.CANCELLED


@pytest.mark.parametrize("change", [other_cards, gone])
async def test_replay_is_proved_with_its_own_cards_only(mine: Path, change: Callable[[Path], None]) -> None:
    async with hosting(mine) as h:
        replay = await h.host.get_replay(await played(h))
        assert verify(replay, h.registry).state is MatchState.FINISHED
    assert Header.decode(replay.header).card_set_digest
    change(mine)
    async with hosting(mine) as h:
        with pytest.raises(CardSetNotLoaded, match="card set 'mine' of game 'suits'"):
            verify(replay, h.registry)
        with pytest.raises(CardSetNotLoaded):
            await h.host.import_replay(encode(replay))


async def test_copy_is_played_with_the_same_cards(mine: Path) -> None:
    async with hosting(mine) as h:
        t = await h.new_match("suits", option_texts=OPTIONS)
        await t.play(0, 1)
        forked = await h.host.fork(t.name, ForkSetup(), 4)
        copy = h.host._cache.get_cached(forked.match.name)
        assert copy is not None and copy.header.card_set_digest == t.live.header.card_set_digest
        assert copy.game.card_set == t.live.game.card_set

"""Invited seats and connected players: seating at creation or later, and repeated invitations."""

from __future__ import annotations

import asyncio

import pytest

from engine_service import errors
from engine_service.match_enums import MatchState
from engine_service.matches.match import LiveMatch
from gamepacks.api.types import Seat
from tests.support.games import kuhn
from tests.support.hosting import Hosted, HostedMatch, SeatSetup, hosting, idle, invited

ALL: frozenset[str] = frozenset()


class Player:
    """A connected player that records its notifications."""

    def __init__(self, h: Hosted, name: str, key: str = "key", games: frozenset[str] = ALL) -> None:
        self.h = h
        self.name = name
        self.received: list[tuple[str, int, str]] = []
        self.states: list[MatchState] = []
        self.replaced = 0
        h.host.players.connect(name, key, games, self)

    def on_invited(self, live: LiveMatch, seat: Seat, token: str) -> None:
        assert live.viewer_of(token) == seat
        self.received.append((live.name, seat, token))
        self.states.append(live.state)

    def on_referred(self, address: str) -> None:
        raise AssertionError("no other service shares the store")

    def on_replaced(self) -> None:
        self.replaced += 1

    def leave(self) -> None:
        self.h.host.players.disconnect(self.name, self)


async def new_match(h: Hosted, *seats: SeatSetup, **setup: object) -> HostedMatch:
    return await h.new_match("kuhn", seats=seats, join=False, **setup)  # type: ignore[arg-type]


@pytest.mark.parametrize("ephemeral", [False, True])
async def test_connected_players_are_seated_with_the_creation(ephemeral: bool) -> None:
    async with hosting() as h:
        ada, bob = Player(h, "Ada"), Player(h, "Bob")
        t = await new_match(h, invited("Ada"), invited("Bob"), ephemeral=ephemeral)
        assert t.log()[:3] == ["JOINED 0 'Ada'", "JOINED 1 'Bob'", "STARTED"]
        assert [seat for _, seat, _ in ada.received + bob.received] == [0, 1]
        assert ada.states == [MatchState.ACTIVE] and h.store.writes == (0 if ephemeral else 1)
        await h.host.submit_action(t.name, ada.received[0][2], kuhn.BET())


async def test_players_who_connect_later_are_seated_then() -> None:
    async with hosting() as h:
        t = await new_match(h, invited("Ada"), invited("Bob"))
        ada = Player(h, "Ada")
        await idle()
        assert [received[:2] for received in ada.received] == [(t.name, 0)] and t.live.state is MatchState.WAITING
        await h.restart()
        bob = Player(h, "Bob")
        await idle()
        assert [received[:2] for received in bob.received] == [(t.name, 1)]
        assert (await h.host.get(t.name)).state is MatchState.ACTIVE


async def test_one_player_may_hold_several_seats_and_many_matches() -> None:
    async with hosting() as h:
        matches = [await new_match(h, invited("Ada"), invited("Ada")) for _ in range(40)]
        ada = Player(h, "Ada")
        await idle()
        assert [received[:2] for received in ada.received] == [(t.name, seat) for t in matches for seat in (0, 1)]


async def test_player_is_invited_only_to_requested_games() -> None:
    async with hosting() as h:
        picky = Player(h, "Ada", games=frozenset({"sealed"}))
        t = await new_match(h, invited("Ada"), SeatSetup())
        await idle()
        assert picky.received == [] and t.log() == []


@pytest.mark.parametrize("restart", [False, True])
async def test_invitations_are_repeated_for_the_key(restart: bool) -> None:
    async with hosting() as h:
        ada = Player(h, "Ada")
        t = await new_match(h, invited("Ada"), SeatSetup())
        ended = await new_match(h, invited("Ada"), SeatSetup())
        await h.host.cancel(ended.name, ended.host_token)
        ada.leave()
        if restart:
            await h.restart()
        again = Player(h, "Ada")
        await idle()
        assert again.received == ada.received[:1] and again.received[0][0] == t.name


async def test_invitations_are_sent_to_the_invited_player_only() -> None:
    async with hosting() as h:
        ada = Player(h, "Ada")
        t = await new_match(h, invited("Ada"), SeatSetup())
        assert len(ada.received) == 1
        ada.leave()
        with pytest.raises(errors.PlayerNameTaken):
            Player(h, "Ada", key="other")
        await h.host.cancel(t.name, t.host_token)
        await h.time.advance(300_000)
        thief = Player(h, "Ada", key="other")
        await idle()
        assert thief.received == []


@pytest.mark.parametrize("restart", [False, True])
async def test_name_belongs_to_its_key_while_it_has_seats(restart: bool) -> None:
    async with hosting() as h:
        Player(h, "Ada").leave()
        t = await new_match(h, invited("Ada"), SeatSetup())
        assert t.log() == []
        ada = Player(h, "Ada")
        await idle()
        assert len(ada.received) == 1
        ada.leave()
        await h.time.advance(10_000_000)
        if restart:
            await h.restart()
        with pytest.raises(errors.PlayerNameTaken, match="belongs to another key"):
            Player(h, "Ada", key="other")
        again = Player(h, "Ada")
        await idle()
        assert again.received == ada.received


async def test_reserved_seat_keeps_the_name_reserved() -> None:
    async with hosting() as h:
        ada = Player(h, "Ada", games=frozenset({"sealed"}))
        await new_match(h, invited("Ada"), SeatSetup())
        ada.leave()
        await h.time.advance(10_000_000)
        with pytest.raises(errors.PlayerNameTaken):
            Player(h, "Ada", key="other")


async def test_name_without_seats_is_released_after_its_retention_time() -> None:
    async with hosting(player_name_retention_s=60) as h:
        Player(h, "Ada", key="a").leave()
        await h.time.advance(59_999)
        with pytest.raises(errors.PlayerNameTaken):
            Player(h, "Ada", key="b")
        await h.time.advance(1)
        Player(h, "Ada", key="b").leave()
        with pytest.raises(errors.PlayerNameTaken):
            Player(h, "Ada", key="a")


async def test_newest_unused_names_are_kept() -> None:
    async with hosting(player_names_retained=2) as h:
        for name in ("Ada", "Bob", "Cy"):
            Player(h, name, key="a").leave()
        Player(h, "Ada", key="b")
        for name in ("Bob", "Cy"):
            with pytest.raises(errors.PlayerNameTaken):
                Player(h, name, key="b")


async def test_seat_that_the_host_gave_away_does_not_lock_the_name() -> None:
    async with hosting() as h:
        t = await new_match(h, invited("Ada"), SeatSetup())
        await h.host.join(t.name, "Ada", Seat(0), token=t.host_token)
        await h.restart()
        Player(h, "Ada", key="any")


async def test_seat_taken_by_another_player_is_not_offered_again() -> None:
    async with hosting() as h:
        t = await new_match(h, invited("Ada"), SeatSetup())
        await h.host.join(t.name, "Ada", Seat(0), token=t.host_token)
        ada = Player(h, "Ada")
        await idle()
        assert ada.received == []


async def test_name_has_one_holder() -> None:
    async with hosting() as h:
        ada = Player(h, "Ada", key="a")
        with pytest.raises(errors.PlayerNameTaken):
            Player(h, "Ada", key="b")
        again = Player(h, "Ada", key="a")
        assert (ada.replaced, again.replaced) == (1, 0)
        ada.leave()  # no longer its name to give away
        with pytest.raises(errors.PlayerNameTaken):
            Player(h, "Ada", key="b")
        again.leave()


async def test_invalid_names_and_keys_are_refused() -> None:
    async with hosting() as h:
        for name, key in (("", "k"), ("x" * 65, "k"), ("x", "k" * 65), ("x", "")):
            with pytest.raises(errors.InvalidField):
                Player(h, name, key)


async def test_player_connecting_during_creation_is_seated() -> None:
    async with hosting() as h:
        h.store.gate = asyncio.Event()
        creating = asyncio.ensure_future(new_match(h, invited("Ada"), SeatSetup()))
        await idle()
        ada = Player(h, "Ada")
        h.store.gate.set()
        t = await creating
        await idle()
        assert [received[:2] for received in ada.received] == [(t.name, 0)]


async def test_player_who_left_an_invited_seat_is_invited_when_it_comes_again() -> None:
    async with hosting() as h:
        ada = Player(h, "Ada")
        t = await new_match(h, invited("Ada"), SeatSetup())
        await h.host.leave(t.name, ada.received[0][2])
        await idle()
        assert len(ada.received) == 1
        ada.leave()
        again = Player(h, "Ada")
        await idle()
        assert [received[:2] for received in again.received] == [(t.name, 0)]


async def test_invitation_is_retried_after_a_store_failure() -> None:
    async with hosting() as h:
        t = await new_match(h, invited("Ada"), SeatSetup())
        h.store.failing = True
        ada = Player(h, "Ada")
        await idle()
        assert ada.received == [] and t.log() == []
        ada.leave()
        h.store.failing = False
        again = Player(h, "Ada")
        await idle()
        assert len(again.received) == 1


async def test_disconnected_player_keeps_its_seat_without_a_message() -> None:
    async with hosting() as h:
        ada = Player(h, "Ada")
        h.store.gate = asyncio.Event()
        creating = asyncio.ensure_future(new_match(h, invited("Ada"), SeatSetup()))
        await idle()
        ada.leave()
        h.store.gate.set()
        t = await creating
        await idle()
        assert ada.received == [] and t.log() == ["JOINED 0 'Ada'"]
        again = Player(h, "Ada")
        await idle()
        assert [received[:2] for received in again.received] == [(t.name, 0)]

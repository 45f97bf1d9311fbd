"""The header of a log: encoding, decoding, configuration of the game."""

from __future__ import annotations

import pytest

from engine_service.errors import ReplayInvalid
from engine_service.log.header import Header, configure, set_up, state_at_start
from engine_service.match_enums import AbsencePolicy, ChanceSource, SeatKind, UndoPolicy
from engine_service.model import Origin, Policy, SeatSetup, TimeControl
from gamepacks.api.bots import Budget
from omnilude.v1.replay_pb2 import ReplayHeader
from tests.support.games import kuhn, sealed
from tests.support.recorder import REGISTRY, header_of, pack_any

FULL = header_of(
    sealed.SealedGame.configure(3, {"rounds": 2}),
    card_set_digest=b"c" * 32,
    position=pack_any(sealed.messages.Position(round=1)),
    seats=(SeatSetup(), SeatSetup(SeatKind.INVITED, "Ada"), SeatSetup(SeatKind.BOT, "greedy", Budget(500))),
    time_control=TimeControl(1_500, 60_000, 250),
    policy=Policy(UndoPolicy.FREE, AbsencePolicy.BOT, "greedy", ChanceSource.HOST, True),
    origin=Origin("matches/m0", 17, 5),
    labels={"b": "2", "a": "\u2660"},
)


@pytest.mark.parametrize(
    "header",
    [
        FULL,
        header_of(kuhn.KuhnGame.configure(2)),
        header_of(kuhn.KuhnGame.configure(2), time_control=TimeControl(None, None, 0)),
        header_of(kuhn.KuhnGame.configure(2), time_control=TimeControl(0, None, 0)),
        header_of(kuhn.KuhnGame.configure(2), time_control=TimeControl(None, 2**40, 1)),
    ],
)
def test_header_round_trip(header: Header) -> None:
    assert Header.decode(header.encode()) == header
    assert Header.decode(header.encode()).encode() == header.encode()


def test_header_is_the_message_of_the_wire() -> None:
    message = ReplayHeader.FromString(FULL.encode())
    assert (message.format, message.game, message.players) == (1, "games/sealed", 3)
    assert message.time_control.per_move.ToMilliseconds() == 1_500
    assert message.time_control.increment.ToMilliseconds() == 250
    assert [(label.key, label.value) for label in message.labels] == [("a", "\u2660"), ("b", "2")]
    assert (message.origin.match, message.origin.seq, message.origin.plies) == ("matches/m0", 17, 5)
    assert not ReplayHeader.FromString(header_of(kuhn.KuhnGame.configure(2)).encode()).HasField("time_control")
    assert FULL.inherited_plies == 5
    assert header_of(kuhn.KuhnGame.configure(2)).inherited_plies == 0


@pytest.mark.parametrize("data", [b"\xff", b"\x08\x01", b"", bytes(40)])
def test_invalid_header_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(ReplayInvalid):
        Header.decode(data)


def test_every_invalid_field_is_named() -> None:
    message = ReplayHeader.FromString(header_of(kuhn.KuhnGame.configure(2)).encode())
    message.uid = b"short"
    message.players = 5
    message.match = "matches/"
    with pytest.raises(ReplayInvalid, match="match, uid, seats") as refusal:
        Header.decode(message.SerializeToString())
    assert refusal.value.seq == 0


def test_game_is_configured_from_the_header() -> None:
    header = header_of(kuhn.KuhnGame.configure(3, {"ranks": 7}))
    game, state = set_up(header, REGISTRY)
    assert (game.players, game.options.ranks, game.id) == (3, 7, "kuhn")
    assert state.to_bytes() == game.initial_state().to_bytes()
    assert state_at_start(header, configure(header, REGISTRY)).to_bytes() == state.to_bytes()
    position = sealed.messages.Position(round=1, coins=[3, 4], points=[1, 0], bids=[-1, 2])
    header = header_of(sealed.SealedGame.configure(2), position=pack_any(position))
    state = set_up(header, REGISTRY)[1]
    assert state.game.position(state) == position

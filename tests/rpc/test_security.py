"""Permission to connect and to create matches; secrets on the wire and in the log."""

from __future__ import annotations

import datetime
import io
import ipaddress
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from grpc import StatusCode

from engine_service.config import LogSettings
from engine_service.observability.logs import configure_logging
from omnilude.v1 import match_pb2, match_service_pb2_grpc, play_service_pb2
from omnilude.v1 import match_service_pb2 as pb
from tests.support.games import faulty, kuhn, sealed
from tests.support.play_stream import play_stream
from tests.support.rpc_errors import expect_refusal, refused
from tests.support.server import Running, running_server
from tests.support.wire import RemoteMatch, import_replay, new_match

HOST_DICE = match_pb2.MatchPolicy(chance=match_pb2.CHANCE_SOURCE_HOST)
OPEN = [pb.SeatSetup(), pb.SeatSetup()]
ILLEGAL = 1 << 30
"""A code of no verb of any of these games."""
API_TOKEN = "correct horse battery staple"


# -- TLS ---------------------------------------------------------------------------------------------------------


class Authority:
    """A certificate authority that writes certificates to files."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.file = folder / f"{name}.pem"
        certificate = self._certificate(self._name, self._key, authority=True)
        self.file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))

    def issue(self, name: str) -> tuple[Path, Path]:
        """Certificate and key of a holder at 127.0.0.1."""
        key = ec.generate_private_key(ec.SECP256R1())
        certificate = self._certificate(x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), key)
        files = self._folder / f"{name}.crt", self._folder / f"{name}.key"
        files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        files[1].write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        return files

    def _certificate(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey, *, authority: bool = False
    ) -> x509.Certificate:
        now = datetime.datetime.now(datetime.UTC)
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(hours=1))
            .not_valid_after(now + datetime.timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(names, critical=False)
            .sign(self._key, hashes.SHA256())
        )


async def listing(target: str, credentials: grpc.ChannelCredentials | None) -> Any:
    """Call the service once, with these credentials."""
    channel = grpc.aio.insecure_channel(target) if credentials is None else grpc.aio.secure_channel(target, credentials)
    async with channel:
        return await match_service_pb2_grpc.MatchServiceStub(channel).ListMatches(pb.ListMatchesRequest(), timeout=10)


async def test_calls_are_made_over_tls(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    certificate, key = authority.issue("service")
    settings = {"server.tls_certificate": certificate, "server.tls_key": key}
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:
        trusting = grpc.ssl_channel_credentials(authority.file.read_bytes())
        assert not (await listing(running.target, trusting)).matches
        stranger = grpc.ssl_channel_credentials(Authority(tmp_path, "stranger").file.read_bytes())
        for credentials in (stranger, None):
            assert (await refused(listing(running.target, credentials))).code == StatusCode.UNAVAILABLE


async def test_mutual_tls(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    certificate, key = authority.issue("service")
    settings = {
        "server.tls_certificate": certificate,
        "server.tls_key": key,
        "server.tls_client_ca": authority.file,
    }
    root = authority.file.read_bytes()
    async with running_server(packs=[kuhn.PACK], settings=settings) as running:

        def shown(files: tuple[Path, Path]) -> grpc.ChannelCredentials:
            return grpc.ssl_channel_credentials(root, files[1].read_bytes(), files[0].read_bytes())

        assert not (await listing(running.target, shown(authority.issue("client")))).matches
        nobody = grpc.ssl_channel_credentials(root)
        foreigner = shown(Authority(tmp_path, "stranger").issue("foreigner"))
        for credentials in (nobody, foreigner):
            assert (await refused(listing(running.target, credentials))).code == StatusCode.UNAVAILABLE


# -- the API token -----------------------------------------------------------------------------------------------


@pytest.fixture
async def guarded() -> AsyncIterator[Running]:
    async with running_server(packs=[kuhn.PACK], settings={"auth.api_token": API_TOKEN}) as running:
        yield running


def bearer(token: str) -> tuple[tuple[str, str]]:
    return (("authorization", f"Bearer {token}"),)


async def test_with_an_api_token_only_its_holders_create(guarded: Running) -> None:
    request = pb.CreateMatchRequest(game="games/kuhn", seats=OPEN)
    missing = await refused(guarded.matches.CreateMatch(request))
    assert (missing.code, missing.reason) == (StatusCode.UNAUTHENTICATED, "TOKEN_MISSING")
    for metadata in (bearer("wrong"), bearer(API_TOKEN + "x"), (("authorization", API_TOKEN),)):
        wrong = await refused(guarded.matches.CreateMatch(request, metadata=metadata))
        assert (wrong.code, wrong.reason) == (StatusCode.PERMISSION_DENIED, "TOKEN_INVALID")
        assert API_TOKEN not in wrong.message
    assert not (await guarded.matches.ListMatches(pb.ListMatchesRequest())).matches
    created = await guarded.matches.CreateMatch(request, metadata=bearer(API_TOKEN))
    joined = await guarded.matches.JoinMatch(pb.JoinMatchRequest(name=created.match.name, player="anyone"))
    assert joined.token


async def test_fork_and_import_need_the_api_token(guarded: Running) -> None:
    for call in (
        guarded.matches.ForkMatch(pb.ForkMatchRequest(name="matches/x", seats=OPEN)),
        import_replay(guarded.matches, b"x"),
    ):
        assert (await refused(call)).reason == "TOKEN_MISSING"
    fork = guarded.matches.ForkMatch(pb.ForkMatchRequest(name="matches/x", seats=OPEN), metadata=bearer(API_TOKEN))
    assert (await refused(fork)).reason == "UNKNOWN_MATCH"


async def test_players_name_needs_the_api_token_too(guarded: Running) -> None:
    async with expect_refusal() as refusal, play_stream(guarded, player="ada") as stream:
        while True:
            await stream.receive()
    assert refusal.reason == "TOKEN_MISSING"
    async with play_stream(guarded, metadata=bearer(API_TOKEN), player="ada") as stream:
        assert (await stream.receive()).HasField("welcome")
    async with play_stream(guarded) as stream:
        assert (await stream.receive()).HasField("welcome")


# -- what leaves the service ------------------------------------------------------------------------------------


class SentBytes:
    """Collects all bytes of a match that a viewer is sent, without the match's name and times."""

    def __init__(self) -> None:
        self.displayed: list[bytes] = []

    def add(self, message: Any) -> None:
        self.displayed.append(message.SerializeToString(deterministic=True))

    def events(self, events: Any) -> None:
        for event in events:
            event.time_ms = 0
            self.add(event)


async def everything_sent(table: RemoteMatch, token: str, seat: int | None) -> list[bytes]:
    """Returns the bytes of all responses and streams for a viewer."""
    showing = SentBytes()
    matches = table.running.matches
    showing.add(await table.observe(token))
    everything = {"views": True, "labels": True, "sentences": True, "scenes": True, "legal_actions": True}
    call = matches.WatchMatch(pb.WatchMatchRequest(name=table.name, token=token, **everything))
    newest = (await table.match()).seq
    for seq in range(1, newest + 1):
        past = await matches.ObserveMatch(pb.ObserveMatchRequest(name=table.name, token=token, seq=seq))
        showing.add(past.observation)
    async for message in call:
        showing.events(message.events)
        showing.add(message.observation)
        showing.add(message.legal_actions)
        if message.seq >= newest:
            break
    call.cancel()
    if seat is not None:
        showing.add(await table.legal(seat, typed=True))
        for code in (ILLEGAL, -ILLEGAL):
            refusal = await refused(table.submit(seat, code))
            showing.displayed.append(repr(refusal).encode())
        asked = {"views": True, "typed_actions": True, "events": True, "labels": True}
        async with play_stream(table.running, **asked) as stream:
            await stream.send(attach=[play_service_pb2.Attach(channel=1, match=table.name, token=token)])
            await stream.until(lambda s: 1 in s.attached and len(s.events.get(1, ())) >= newest)
            await stream.send(moves=[play_service_pb2.Move(channel=1, seq=newest, code=ILLEGAL)])
            await stream.result()
            showing.events(stream.events[1])
            for response in stream.responses:
                for update in response.updates:
                    showing.add(update.view)
                for entry in (*response.turns, *response.results):
                    showing.add(entry)
    return showing.displayed


async def test_secret_of_another_seat_changes_no_byte_sent_to_a_viewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two matches that differ only in the card of seat 1 look the same to seat 0 and to a spectator."""
    monkeypatch.setattr(kuhn.KuhnGame, "describe_event", lambda game, event, view=None: f"{event} {view}")
    async with running_server(packs=[kuhn.PACK]) as running:
        tables = []
        for hidden in (0, 3):
            table = await new_match(running, "kuhn", policy=HOST_DICE)
            await table.provide(kuhn.DEAL(1), kuhn.DEAL(hidden))
            tables.append(table)
        for act in (None, kuhn.CHECK(), kuhn.BET()):
            if act is not None:
                for table in tables:
                    await table.submit((await table.to_act())[0], act)
            for seat in (0, None):
                one, other = [
                    await everything_sent(table, "" if seat is None else table.seats[seat], seat) for table in tables
                ]
                assert one == other
            one, other = [await everything_sent(table, table.seats[1], 1) for table in tables]
            assert one != other


async def test_hidden_bid_changes_no_byte_sent_to_others() -> None:
    async with running_server(packs=[sealed.PACK]) as running:
        tables = []
        for bid in (1, 9):
            table = await new_match(running, "sealed")
            await table.submit(0, sealed.BID(bid))
            tables.append(table)
        for seat in (1, None):
            one, other = [
                await everything_sent(table, "" if seat is None else table.seats[seat], seat) for table in tables
            ]
            assert one == other
        one, other = [await everything_sent(table, table.seats[0], 0) for table in tables]
        assert one != other


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    out = io.StringIO()
    configure_logging(LogSettings(level="info", format="json"), out)
    yield out
    root.handlers[:], root.level = handlers, level


@asynccontextmanager
async def played(settings: dict[str, Any]) -> AsyncIterator[tuple[Running, list[RemoteMatch]]]:
    async with running_server(packs=[kuhn.PACK, faulty.PACK], settings=settings) as running:
        table = await new_match(running, "kuhn", request_id="r-1", client_key="k-1")
        await refused(table.submit(0, 99_999_999))
        await refused(running.matches.ObserveMatch(pb.ObserveMatchRequest(name=table.name, token="wrong-token")))
        await table.play_out()
        broken = await new_match(running, "faulty")
        await broken.submit(0, sealed.BID(1))
        await refused(broken.submit(1, sealed.BID(faulty.BOMB)))
        yield running, [table, broken]


async def test_log_contains_no_secret(log: io.StringIO, tmp_path: Path) -> None:
    settings = {"store.in_memory": False, "store.path": tmp_path / "matches.sqlite3"}
    async with played(settings) as (_, tables):
        secrets = [faulty.LEAKING_TEXT, "wrong-token", "99999999"]
        for table in tables:
            secrets += [table.host, *table.seats]
            match = await table.match()
            secrets += [match.seed.hex(), match.seed.decode("latin-1")]
    lines = log.getvalue()
    assert "(incident " in lines, "the fault of the pack is logged"
    for secret in secrets:
        assert secret not in lines

"""TLS, certificates of clients, and the API token."""

from __future__ import annotations

from pathlib import Path

import pytest

from omnilude import AsyncClient, Bot, Open, ServiceBot, Tls, Turn, run_async
from omnilude.errors import TlsFailed, TokenInvalid, TokenMissing, Unreachable
from tests.support.certificates import certificate
from tests.support.server import running_server


class FirstMove(Bot):
    def choose(self, turn: Turn) -> int:
        return turn.codes[0]


async def test_tls_with_certificates_on_both_sides(tmp_path: Path) -> None:
    ca, ca_key = certificate(tmp_path, "games.example")
    own, own_key = certificate(tmp_path, "me.example")
    settings = {
        "server.tls_certificate": str(ca),
        "server.tls_key": str(ca_key),
        "server.tls_client_ca": str(own),
    }
    async with running_server(only=["ominoes"], settings=settings) as service:
        good = Tls(ca=ca, certificate=own, key=own_key)
        (played,) = await run_async(
            FirstMove(), service.target, game="ominoes", against=["random"], options={"target": 1}, tls=good
        )
        assert played.error is None
        named = Tls(ca=ca, certificate=own, key=own_key, server_name="games.example")
        async with AsyncClient(service.target, tls=named) as client:
            assert (await client.catalog()).games
        for tls, kind, words in (
            (Tls(ca=ca), Unreachable, "rejects the client.s certificate"),
            (None, Unreachable, "A service with TLS does so if the client does not use TLS"),
            (Tls(ca=own, certificate=own, key=own_key), TlsFailed, "is not trusted here"),
            (Tls(ca=ca, certificate=own, key=own_key, server_name="other.example"), TlsFailed, "another name"),
        ):
            async with AsyncClient(service.target, tls=tls, timeout=0.5) as stranger:
                with pytest.raises(kind, match=words):
                    await stranger.catalog()


async def test_permanent_errors_are_not_retried(tmp_path: Path) -> None:
    ca, _ = certificate(tmp_path, "games.example")
    async with running_server(only=["ominoes"]) as service:
        async with AsyncClient(service.target, tls=Tls(ca=ca), timeout=1_000) as client:
            with pytest.raises(TlsFailed, match="does not use TLS"):
                await client.catalog()
        with pytest.raises(TlsFailed, match="does not use TLS"):
            await run_async(FirstMove(), service.target, game="ominoes", against=["random"], tls=Tls(ca=str(ca)))


async def test_api_token_is_sent(tmp_path: Path) -> None:
    async with running_server(only=["ominoes"], settings={"auth.api_token": "open sesame"}) as service:
        seats = [Open(), ServiceBot("random")]
        async with AsyncClient(service.target) as client:
            assert (await client.catalog()).games, "looking needs no token"
            with pytest.raises(TokenMissing):
                await client.create("ominoes", seats)
        with pytest.raises(TokenMissing):
            await run_async(FirstMove(), service.target, name="ann")
        with pytest.raises(TokenInvalid):
            await run_async(FirstMove(), service.target, name="ann", api_token="guessed")
        async with AsyncClient(service.target, api_token="open sesame") as client:
            assert await client.create("ominoes", seats)

"""The page over HTTP: its files with the headers that protect it, host names, idle connections."""

from __future__ import annotations

import asyncio
import gzip
import re
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from http.client import HTTPMessage

import pytest

from tests.support.games import kuhn
from tests.support.server import Running, running_server


def answer(url: str, method: str = "GET", **headers: str) -> tuple[int, bytes, HTTPMessage]:
    """Send a request; returns the status, the body and the headers of the answer."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, b"{}" if method == "POST" else None, named, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as found:
            return found.status, found.read(), found.headers
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read(), error.headers


def serving(settings: Mapping[str, object] | None = None) -> AbstractAsyncContextManager[Running]:
    return running_server(packs=[kuhn.PACK], settings=settings)


def url_of(running: Running) -> str:
    assert running.server.url is not None
    return running.server.url


async def test_page_and_all_that_it_loads_are_served_compressed_and_revalidated() -> None:
    async with serving() as running:
        url = url_of(running)
        status, body, headers = await asyncio.to_thread(answer, url + "/")
        assert status == 200
        assert headers["cache-control"] == "no-cache"
        page = body.decode()
        parts = re.findall(r'(?:src|href)="(/[^"]+)"', page)
        assert any(part.endswith(".js") for part in parts) and "/scene.css" in parts
        for part in parts:
            status, plain, headers = await asyncio.to_thread(answer, url + part)
            assert status == 200, part
            assert headers["x-content-type-options"] == "nosniff"
            _, packed, compressed = await asyncio.to_thread(answer, url + part, accept_encoding="gzip")
            assert compressed["content-encoding"] == "gzip" and gzip.decompress(packed) == plain
            again, empty, _ = await asyncio.to_thread(answer, url + part, if_none_match=headers["etag"])
            assert (again, empty) == (304, b"")
        assert (await asyncio.to_thread(answer, url + "/", "POST"))[0] == 405
        assert (await asyncio.to_thread(answer, url + "/assets/none.js"))[0] == 404


async def test_page_may_load_nothing_from_elsewhere_and_run_nothing_inline() -> None:
    async with serving() as running:
        _, body, headers = await asyncio.to_thread(answer, url_of(running) + "/")
    policy = dict(part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["script-src"] == policy["style-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert "<style" not in body.decode() and " style=" not in body.decode()
    assert re.findall(r"<script(?![^>]* src=)", body.decode()) == []


ALLOWED = ("localhost", "localhost:80", "a.localhost", "127.0.0.1:1", "[::1]:7880", "192.168.1.7", "games.example.org")


@pytest.mark.parametrize(
    ("host", "status"),
    [*((host, 200) for host in ALLOWED), *((host, 421) for host in ("evil.example", "example.org", "localhost.evil"))],
)
async def test_requests_for_host_names_that_are_not_allowed_are_refused(host: str, status: int) -> None:
    async with serving({"http.allowed_hosts": ["games.example.org"]}) as running:
        url = url_of(running)
        for path, method in (("/", "GET"), ("/omnilude.v1.CatalogService/ListGames", "POST")):
            sent = {"content_type": "application/json", "host": host}
            assert (await asyncio.to_thread(answer, url + path, method, **sent))[0] == status


async def test_names_below_a_domain_and_any_name_can_be_allowed() -> None:
    for allowed, host in ((".example.org", "a.example.org"), (".example.org", "example.org"), ("*", "evil.example")):
        async with serving({"http.allowed_hosts": [allowed]}) as running:
            assert (await asyncio.to_thread(answer, url_of(running) + "/", host=host))[0] == 200


async def test_connection_without_a_whole_request_is_closed_in_time() -> None:
    async with serving({"http.idle_seconds": 0.05}) as running:
        port = int(url_of(running).rpartition(":")[2])
        for sent in (b"", b"GET / HTTP/1.1\r\nhost: loc"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            assert await asyncio.wait_for(reader.read(), 30) == b""
            writer.close()


async def test_longest_idle_connection_is_closed_when_there_are_too_many() -> None:
    async with serving({"http.max_idle_connections": 3}) as running:
        port = int(url_of(running).rpartition(":")[2])
        connections = []
        for _ in range(5):
            connections.append(await asyncio.open_connection("127.0.0.1", port))
        for reader, _ in connections[:2]:
            assert await asyncio.wait_for(reader.read(), 30) == b""
        for reader, writer in connections[2:]:
            writer.write(b"GET /scene.css HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            assert (await asyncio.wait_for(reader.read(), 30)).startswith(b"HTTP/1.1 ")
        for _, writer in connections:
            writer.close()

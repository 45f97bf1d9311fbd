"""If the service cannot listen, it prints the cause in one line, and gRPC prints nothing."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import grpc
import pytest

from engine_service.config import ConfigError, load_settings
from engine_service.listening import bind_own
from engine_service.server import CannotStart, Server
from gamepacks.api.registry import Registry
from tests.rpc.test_process import run
from tests.rpc.test_security import Authority
from tests.support.server import ROOT, running_server, settings_for_tests


async def refusal(**settings: object) -> str:
    overrides = {f"server.{key}": value for key, value in settings.items()}
    with pytest.raises(CannotStart) as caught:
        await Server.start(settings_for_tests(overrides), Registry.load(only=()))
    return str(caught.value)


async def test_taken_port_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert await refusal(port=port) == f"[server]: cannot listen on 127.0.0.1:{port}: Address already in use"


async def test_address_of_another_machine_is_reported() -> None:
    assert "Cannot assign requested address" in await refusal(address="192.0.2.1")


@pytest.mark.parametrize("address", ["nowhere.invalid", "a" * 300])
async def test_unknown_host_name_is_reported(address: str) -> None:
    shown = await refusal(address=address)
    assert shown.startswith(f"[server]: cannot listen on {address}:0: ") and len(shown.splitlines()) == 1


async def test_ipv6_address_is_accepted() -> None:
    if not socket.has_dualstack_ipv6():
        assert "cannot listen" in await refusal(address="[::1]")
        return
    async with running_server(settings={"server.address": "[::1]"}) as running:
        assert running.target.startswith("[::1]:")


@pytest.mark.parametrize("section", ["server", "metrics", "http"])
@pytest.mark.parametrize("written", ["::1", "[::1]"])
async def test_ipv6_address_with_and_without_brackets(section: str, written: str) -> None:
    settings = settings_for_tests({f"{section}.address": written})
    assert getattr(settings, section).address == "::1"
    if not socket.has_dualstack_ipv6():
        return
    enabled = {"metrics.enabled": True, "metrics.port": 0, "http.enabled": True}
    async with running_server(settings={f"{section}.address": written, **enabled}) as running:
        addresses = {"server": running.target, "http": running.server.url}
        port = running.server.metrics_port if section == "metrics" else int(addresses[section].rpartition(":")[2])
        assert port
        with socket.create_connection(("::1", port)):
            pass
        assert running.target.startswith("[::1]:" if section == "server" else "127.0.0.1:")
        assert running.server.url.startswith("http://[::1]:" if section == "http" else "http://127.0.0.1:")


@pytest.mark.parametrize("section", ["server", "metrics", "http"])
@pytest.mark.parametrize("written", ["127.0.0.1:7878", "[::1", "[localhost]", "::1]", "[::1]:7878", "fe80::zz"])
def test_malformed_address_is_refused_with_the_right_form(section: str, written: str) -> None:
    with pytest.raises(
        ConfigError, match=rf"\[{section}\] address: .*give an IP address \(127.0.0.1, ::1, \[::1\]\) or a host name"
    ):
        load_settings(overrides={f"{section}.address": written})


@pytest.mark.parametrize(
    ("written", "host"), [("::1:0", "[::1]"), ("[::1]:0", "[::1]"), ("games.example:0", "games.example")]
)
async def test_own_address_for_clients_has_an_ipv6_address_in_brackets(written: str, host: str) -> None:
    server = grpc.aio.server()
    own = bind_own(server, settings_for_tests({"server.own_address": written}).server)
    assert own.rpartition(":")[0] == host
    await server.stop(None)


async def test_invalid_metrics_address_is_reported() -> None:
    overrides = {"metrics.enabled": True, "metrics.address": "nowhere.invalid"}
    with pytest.raises(CannotStart, match=r"\[metrics\]: cannot listen on nowhere.invalid:7879: "):
        await Server.start(settings_for_tests(overrides), Registry.load(only=()))


async def test_socket_of_a_running_service_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    async with running_server(settings={"server.unix_socket": path}) as running:
        assert await refusal(unix_socket=path) == f"[server]: cannot listen on unix:{path}: Address already in use"
        async with grpc.aio.insecure_channel(running.target) as channel:
            await channel.channel_ready()


async def test_stale_socket_file_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    async with (
        running_server(settings={"server.unix_socket": path}) as running,
        grpc.aio.insecure_channel(running.target) as channel,
    ):
        await channel.channel_ready()


async def test_invalid_socket_path_is_reported(tmp_path: Path) -> None:
    assert f"{tmp_path / 'none'} is not a folder" in await refusal(unix_socket=tmp_path / "none" / "socket")
    (tmp_path / "file").write_text("dear diary")
    assert "the file exists and is not a socket" in await refusal(unix_socket=tmp_path / "file")
    assert (tmp_path / "file").read_text() == "dear diary"
    assert "too long" in await refusal(unix_socket=tmp_path / ("x" * 200))


async def test_unusable_certificates_are_reported(tmp_path: Path) -> None:
    authority = Authority(tmp_path, "authority")
    certificate, key = authority.issue("service")
    other_key = authority.issue("other")[1]
    diary = tmp_path / "diary"
    diary.write_text("dear diary")
    for wrong in (
        {"tls_certificate": key, "tls_key": certificate},
        {"tls_certificate": certificate, "tls_key": other_key},
        {"tls_certificate": diary, "tls_key": key},
        {"tls_certificate": certificate, "tls_key": diary},
    ):
        assert "tls_certificate and tls_key must be PEM files" in await refusal(**wrong)
    shown = await refusal(tls_certificate=certificate, tls_key=key, tls_client_ca=diary)
    assert "tls_client_ca must be a PEM file of certificates" in shown


def test_announcement_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("--server.port", port, "--store.in_memory", "true", "--metrics.enabled", "false", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        f"[server]: cannot listen on 127.0.0.1:{port}: Address already in use\n",
    )


async def test_untrusted_certificate_is_reported_in_one_line(tmp_path: Path) -> None:
    certificate, key = Authority(tmp_path, "authority").issue("service")
    stranger = Authority(tmp_path, "stranger").file
    async with running_server(settings={"server.tls_certificate": certificate, "server.tls_key": key}) as running:
        command = [sys.executable, "-m", "omnilude_cli", "games", "--server", running.target]
        for flags, words in (
            (["--ca", str(stranger)], "certificate is not trusted here"),
            ([], "closed the connection at once"),
        ):
            # In a thread: the service that it asks runs on this loop.
            done = await asyncio.to_thread(
                subprocess.run, [*command, *flags], cwd=ROOT, capture_output=True, text=True, check=False
            )
            (line,) = done.stderr.splitlines()
            assert done.returncode == 3 and words in line

"""The options by which every command finds a service that wants TLS."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from typer.testing import Result

from tests.support.certificates import certificate
from tests.support.server import ServiceProcess

Run = Callable[..., Result]


def test_service_that_requires_a_client_certificate_is_reached_with_one(run: Run, tmp_path: Path) -> None:
    ca, ca_key = certificate(tmp_path, "games.example")
    own, own_key = certificate(tmp_path, "me.example")
    both = tmp_path / "both.pem"
    both.write_bytes(own_key.read_bytes() + own.read_bytes())
    flags = {"tls_certificate": ca, "tls_key": ca_key, "tls_client_ca": own}
    settings = [part for name, path in flags.items() for part in (f"--server.{name}", str(path))]
    with ServiceProcess(tmp_path, "--store.in_memory", "true", *settings) as service:
        there = ("games", "--server", service.target)
        shown = run(*there, "--ca", ca, "--client-certificate", both)
        assert shown.exit_code == 0, shown.stderr
        assert shown.stdout == run("games").stdout
        without = run(*there, "--ca", ca)
        assert without.exit_code == 3
        assert "--client-certificate" in without.stderr
        untrusted = run(*there, "--client-certificate", both)
        assert untrusted.exit_code == 3
        assert "certificate is not trusted here" in untrusted.stderr

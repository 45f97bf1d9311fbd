"""Options with which a command connects to a service, and the client for them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from omnilude import Client
    from omnilude.connection import Tls

CALL_TIMEOUT = 5.0
"""Timeout of a call in seconds, including the time to wait for a service that is starting."""

ApiTokenOption = Annotated[
    str | None,
    typer.Option(envvar="OMNILUDE_API_TOKEN", help="The service's API token, if it requires one.", show_envvar=True),
]


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """The values of the options with which a command connects to a service."""

    server: str | None = None
    api_token: str | None = None
    tls: bool = False
    ca: Path | None = None
    certificate: Path | None = None

    @property
    def target(self) -> str:
        """Address of the service; without --server, the default one on this machine."""
        from omnilude import DEFAULT_TARGET

        return self.server or DEFAULT_TARGET

    @property
    def tls_settings(self) -> Tls | None:
        """The TLS settings; None if no option asks for TLS."""
        from omnilude import Tls

        if not self.tls and self.ca is None and self.certificate is None:
            return None
        return Tls(ca=self.ca, certificate=self.certificate, key=self.certificate)

    def client(self, target: str | None = None) -> Client:
        """Returns a client of the service, or of another target with the same settings."""
        from omnilude import Client

        return Client(target or self.target, tls=self.tls_settings, api_token=self.api_token, timeout=CALL_TIMEOUT)


def _options(
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            metavar="HOST:PORT",
            envvar="OMNILUDE_TARGET",
            help="Address of the service: host:port, or unix:/path of its socket.",
        ),
    ] = None,
    api_token: ApiTokenOption = None,
    tls: Annotated[bool, typer.Option("--tls", help="Connect with TLS and trust the system's authorities.")] = False,
    ca: Annotated[
        Path | None,
        typer.Option("--ca", metavar="FILE", help="Connect with TLS and trust the authorities in this PEM file."),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(
            "--client-certificate",
            metavar="FILE",
            help="Connect with TLS and this client certificate: a PEM file with the certificate and its key.",
        ),
    ] = None,
) -> None:
    """Declare the options that :func:`connects` adds to a command."""


def connects(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a connection to a command, which takes their values as its parameter ``connection``.

    An option that the command declares itself is passed to the command, and not part of ``connection``.
    """
    own = dict(inspect.signature(command, eval_str=True).parameters)
    del own["connection"]
    added = {
        name: parameter
        for name, parameter in inspect.signature(_options, eval_str=True).parameters.items()
        if name not in own
    }

    @functools.wraps(command)
    def wrapped(**given: Any) -> None:
        connection = ConnectionSettings(**{name: given.pop(name) for name in added})
        command(**given, connection=connection)

    parameters = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*own.values(), *added.values())
    ]
    wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return wrapped

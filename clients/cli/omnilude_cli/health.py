"""``omnilude health``: query the health of a service (``grpc.health.v1``)."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from omnilude_cli.connection_options import CALL_TIMEOUT, ConnectionSettings, connects
from omnilude_cli.console import echo


@connects
def health(
    service: Annotated[
        str, typer.Option(metavar="NAME", help='Full name of one service, or "packs/NAME" for a pack; default: all.')
    ] = "",
    *,
    connection: ConnectionSettings,
) -> None:
    """Print the health of a service; exit with 0 if it is SERVING, otherwise with 1. For health checks.

    \b
    Example:
      omnilude health --server games.example.org:7878
    """
    import grpc
    from grpc_health.v1 import health_pb2, health_pb2_grpc

    from omnilude_cli.errors import EXIT_UNREACHABLE, CommandError

    tls = connection.tls_settings
    channel = (
        grpc.insecure_channel(connection.target)
        if tls is None
        else grpc.secure_channel(connection.target, tls.credentials())
    )
    try:
        with channel:
            request = health_pb2.HealthCheckRequest(service=service)
            stub: Any = health_pb2_grpc.HealthStub(channel)
            found = stub.Check(request, timeout=CALL_TIMEOUT).status
    except grpc.RpcError as error:
        if error.code() is grpc.StatusCode.NOT_FOUND:
            raise CommandError(f"the service has no component {service!r}") from None
        raise CommandError(
            f"the service cannot be reached: {connection.target}: {error.details()}", code=EXIT_UNREACHABLE
        ) from None
    echo(health_pb2.HealthCheckResponse.ServingStatus.Name(found))
    if found != health_pb2.HealthCheckResponse.SERVING:
        raise typer.Exit(1)

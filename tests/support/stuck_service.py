"""A service with a pack whose rules do not return; run as ``python stuck_service.py FLAG=VALUE ...``."""

from __future__ import annotations

import asyncio
import sys

from engine_service.observability.logs import configure_logging
from engine_service.server import Server, serve
from gamepacks.api.registry import Registry
from tests.support.games import stuck
from tests.support.server import settings_for_tests


def announce(server: Server) -> None:
    print(server.target, flush=True)


if __name__ == "__main__":
    given = dict(flag.split("=", 1) for flag in sys.argv[1:])
    settings = settings_for_tests(given)
    configure_logging(settings.log)
    asyncio.run(serve(settings, announce, Registry.load(only=(), extra=[stuck.PACK], strict=True)))

"""A cable between a client and a service that a test can cut, and plug in elsewhere."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self


class Cable:
    """Passes bytes between its own ``address`` and the ``target`` behind it, which may change between connections."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.address = ""
        self._connections: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()[:2]
        self.address = f"{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        await self.cut()

    async def cut(self) -> int:
        """Break off every connection, as a dead network does; returns how many there were."""
        cut = list(self._connections)
        for task in cut:
            task.cancel()
        await asyncio.gather(*cut, return_exceptions=True)
        return len(cut)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            host, _, port = self.target.rpartition(":")
            with suppress(OSError):
                inner_reader, inner_writer = await asyncio.open_connection(host, int(port))
                try:
                    await asyncio.gather(_pass(reader, inner_writer), _pass(inner_reader, writer))
                finally:
                    inner_writer.transport.abort()
        except asyncio.CancelledError:
            pass  # asyncio's stream server would log it
        finally:
            self._connections.discard(task)
            writer.transport.abort()


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()

"""A TCP proxy between a client and a server, which a test can cut, stall or close."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class CuttingProxy:
    """Passes bytes on until it is told otherwise. ``target`` is where clients connect."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        """``host:port`` of the server; may be changed, for connections to come."""
        self.target = ""
        self.connections = 0
        """Accepted since the start."""
        self.is_open = True
        """Are new connections passed on?"""
        self.delay = 0.0
        """Seconds that the server's first bytes take to the client, on connections to come."""
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Break every connection off, with whatever is under way in it."""
        for writer in self._writers:
            writer.transport.abort()

    def stall(self) -> None:
        """Let every connection stand, and nothing through: as a network that drops packets in silence."""
        self._flowing.clear()

    def resume(self) -> None:
        """Let new connections through again; those that were stalled are gone."""
        self.cut()
        self._flowing.set()

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        self.cut()
        self._flowing.set()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self._writers.add(writer)
        host, _, port = self.upstream.rpartition(":")
        try:
            if not self.is_open:
                return
            up_reader, up_writer = await asyncio.open_connection(host, int(port))
            self._writers.add(up_writer)
            await asyncio.sleep(self.delay)
            try:
                pumps = [
                    asyncio.create_task(self._pump(reader, up_writer)),
                    asyncio.create_task(self._pump(up_reader, writer)),
                ]
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
            finally:
                self._writers.discard(up_writer)
                up_writer.transport.abort()
        except OSError:
            pass
        finally:
            self._writers.discard(writer)
            writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._flowing.wait()
                writer.write(data)
                await writer.drain()


@asynccontextmanager
async def cutting_proxy(upstream: str) -> AsyncIterator[CuttingProxy]:
    """A proxy on a free port, in front of ``upstream``."""
    proxy = CuttingProxy(upstream)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.target = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()

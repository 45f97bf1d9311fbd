"""A TCP proxy between a client and a server, which a test can cut, stall or close."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class CuttingProxy:
    """TCP proxy. Clients connect to ``target``."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream
        """``host:port`` of the server for new connections."""
        self.target = ""
        self.connections = 0
        """Number of accepted connections."""
        self.is_open = True
        """Whether new connections are forwarded; otherwise they are closed."""
        self.delay = 0.0
        """Delay in seconds of the first bytes of new connections."""
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    def cut(self) -> None:
        """Abort every connection, with the data in transit."""
        for writer in self._writers:
            writer.transport.abort()

    def stall(self) -> None:
        """Stop forwarding on every connection, like a network that silently drops packets."""
        self._flowing.clear()

    def resume(self) -> None:
        """Forward new connections again; abort those that were stalled."""
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
    """Run a proxy for ``upstream`` on a free port."""
    proxy = CuttingProxy(upstream)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.target = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()

"""Wait for something that no event tells of."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable


async def until(condition: Callable[[], object | Awaitable[object]], seconds: float = 30.0) -> None:
    """Returns as soon as the condition holds; TimeoutError if it does not for so long."""
    async with asyncio.timeout(seconds):
        while True:
            answer = condition()
            if await answer if inspect.isawaitable(answer) else answer:
                return
            await asyncio.sleep(0.01)

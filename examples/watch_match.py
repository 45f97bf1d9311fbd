"""Watch a match as it is played, with labels for people: `python watch_match.py [TARGET]`.

It lets two bots of the service play one match of Ominoes and follows that; `await client.match(name)` would follow any
other. A lost connection is restored automatically, and no event is missed or sent twice.
"""

import asyncio
import sys

from omnilude import AsyncClient, ServiceBot


async def main(target: str = "localhost:7878") -> None:
    async with AsyncClient(target) as client:
        match = await client.create("ominoes", [ServiceBot("greedy"), ServiceBot("random")])
        async for update in match.watch(labels=True):
            for event in update.events:
                who = "chance" if event.seat < 0 else update.match.seats[event.seat].player
                print(f"{event.seq:4}  {who:8}  {event.label}")
        for seat, place in zip(update.match.seats, update.match.result.places, strict=True):
            print(f"{place}. {seat.player}")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

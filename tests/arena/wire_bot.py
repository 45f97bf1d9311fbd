"""``python wire_bot.py MODE``: a bot on the bare play stream that misuses it.

``twice`` sends two moves for each turn; ``nonsense`` sends moves that are illegal, stale or of unknown channels before
a legal one; ``stranger`` attaches and moves for seats that are not its own; ``flood`` sends each move 100 times;
``late`` moves after its time; ``garbage`` sends bytes that are not a message; ``disconnects`` closes its connection and
does nothing more.
"""

from __future__ import annotations

import os
import queue
import random
import sys
import threading
from collections.abc import Iterator

import grpc

from omnilude.v1.play_service_pb2 import Attach, Hello, Move, PlayRequest, PlayResponse, Turn


def answers(mode: str, turn: Turn) -> Iterator[PlayRequest]:
    """The messages with which a mode answers a turn."""
    channel, seq = turn.channel, turn.seq
    move = Move(channel=channel, seq=seq, code=random.choice(turn.codes))
    if mode == "twice":
        yield PlayRequest(moves=[move, Move(channel=channel, seq=seq, code=turn.codes[-1])])
    elif mode == "nonsense":
        yield PlayRequest(
            moves=[
                Move(channel=channel, seq=seq, code=0x7FFF_FFFF),
                Move(channel=channel, seq=seq + 1000, code=turn.codes[0]),
                Move(channel=12345, seq=seq, code=turn.codes[0]),
                Move(channel=channel, seq=seq),
            ],
            detach=[777],
            resign=[888],
        )
        yield PlayRequest(moves=[move])
    elif mode == "stranger":
        attach = Attach(channel=4242, match="matches/other", token="guessed")
        yield PlayRequest(attach=[attach], moves=[Move(channel=4242, seq=seq, code=turn.codes[0])], resign=[4242])
        yield PlayRequest(moves=[move])
    elif mode == "flood":
        for _ in range(100):
            yield PlayRequest(moves=[move])
    else:
        yield PlayRequest(moves=[move])


def main(mode: str) -> None:
    """Play until standard input closes."""
    outgoing: queue.Queue[PlayRequest | bytes] = queue.Queue()
    name, key = os.environ["OMNILUDE_PLAYER"], os.environ["OMNILUDE_PLAYER_KEY"]
    outgoing.put(PlayRequest(hello=Hello(player=name, player_key=key, games=[f"games/{os.environ['OMNILUDE_GAME']}"])))
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
    delay = 6.0 if mode == "late" else 0.0
    turns = 0
    with grpc.insecure_channel(os.environ["OMNILUDE_TARGET"]) as channel:
        open_stream = channel.stream_stream(
            "/omnilude.v1.PlayService/Play",
            request_serializer=lambda sent: sent if isinstance(sent, bytes) else sent.SerializeToString(),
            response_deserializer=PlayResponse.FromString,
        )
        for response in open_stream(iter(outgoing.get, None)):
            for turn in response.turns:
                turns += 1
                failing = turns % int(os.environ.get("FAIL_EVERY", "1")) == 0
                if mode == "disconnects" and failing:
                    channel.close()
                    threading.Event().wait()
                if mode == "garbage" and failing:
                    outgoing.put(b"\xff" * 100)
                for request in answers(mode, turn):
                    if delay:
                        threading.Timer(delay, outgoing.put, (request,)).start()
                    else:
                        outgoing.put(request)


if __name__ == "__main__":
    main(sys.argv[1])

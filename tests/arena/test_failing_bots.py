"""Bots that die, hang, flood, send invalid messages, answer twice, late or for others, or disconnect: their verdicts.

FAILING_BOT_MATCHES=2000 in the environment plays a round robin of about that many matches among all of them, instead of
a few against a bot that behaves.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from omnilude.arena.config import Tournament
from omnilude.arena.results import Conduct
from omnilude.arena.runner import Arena
from tests.support.games import kuhn
from tests.support.server import running_server

HERE = Path(__file__).parent
MATCHES = int(os.environ.get("FAILING_BOT_MATCHES", "0"))
ENGINE = [
    "import json, os, sys",
    "turns = 0",
    "for line in sys.stdin:",
    "    command, _, rest = line.strip().partition(' ')",
    "    if command == 'omnilude': print('ready', flush=True)",
    "    if command == 'turn':",
    "        turns += 1",
    "        number, _, data = rest.partition(' ')",
    "        if turns % int(os.environ['FAIL_EVERY']) == 0: {failure}",
    "        print('move', number, json.loads(data)['codes'][0], flush=True)",
]


def python(name: str, kind: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "python": f"tests.arena.bots:{kind}", **more}


def wire(mode: str) -> dict[str, Any]:
    return {"name": mode, "command": [sys.executable, str(HERE / "wire_bot.py"), mode], "restarts": 1000}


def engine(name: str, failure: str) -> dict[str, Any]:
    program = "\n".join(ENGINE).format(failure=failure)
    return {"name": name, "engine": [sys.executable, "-c", program], "restarts": 1000}


BOTS: list[tuple[dict[str, Any], Conduct]] = [
    (python("good", "Any"), Conduct.PLAYED),
    ({"name": "service", "service": "random"}, Conduct.PLAYED),
    (python("raises", "Raising"), Conduct.CRASHED),
    (python("cheats", "Cheating"), Conduct.ILLEGAL),
    (python("exits", "Exiting", restarts=1000), Conduct.CRASHED),
    (python("forks", "Forking", restarts=1000, processes=4), Conduct.CRASHED),
    (python("allocates", "Allocating", memory_mb=800), Conduct.CRASHED),
    (python("hangs", "Hanging"), Conduct.LATE),
    (python("floods", "Flooding"), Conduct.PLAYED),
    (python("resigns", "Resigning"), Conduct.RESIGNED),
    (wire("twice"), Conduct.PLAYED),
    (wire("nonsense"), Conduct.PLAYED),
    (wire("stranger"), Conduct.PLAYED),
    (wire("flood"), Conduct.PLAYED),
    (wire("late"), Conduct.LATE),
    (wire("garbage"), Conduct.CRASHED),
    (wire("disconnects"), Conduct.DISCONNECTED),
    (engine("engine dies", "sys.exit(3)"), Conduct.CRASHED),
    (engine("engine cheats", "print('move', number, 1, flush=True)"), Conduct.ILLEGAL),
]
ALSO = {"flood": [Conduct.LATE], "disconnects": [Conduct.ABSENT]}
"""A limit may refuse all copies of a move of the bot that floods the stream; a bot that has disconnected is absent from
its next match, and then restarted."""
EXPECTED = {entry["name"]: conduct for entry, conduct in BOTS}
RESTARTED = {entry["name"] for entry, _ in BOTS if "restarts" in entry}


async def test_failing_bots_get_the_right_verdicts(tmp_path: Path) -> None:
    every = "40" if MATCHES else "3"
    entries = [entry if "service" in entry else {**entry, "environment": {"FAIL_EVERY": every}} for entry, _ in BOTS]
    pairs = len(entries) * (len(entries) - 1) // 2
    kind = {"kind": "round-robin", "rounds": max(1, round(MATCHES / 2 / pairs))} if MATCHES else {"kind": "gauntlet"}
    tournament = Tournament.model_validate(
        {
            "game": "kuhn",
            "options": {"deals": 5},
            "format": kind,
            "bots": entries,
            "clock": {"per_move": 4 if MATCHES else 2},
            "at_once": 16 if MATCHES else 6,
            "start_timeout": 20,
        }
    )
    async with running_server(packs=[kuhn.PACK], only=["ominoes"]) as service:
        async with asyncio.timeout(3600):
            results = await Arena(tournament, tmp_path, service.target).run()
    verdicts: Counter[tuple[str, Conduct]] = Counter()
    for result in results.ordered():
        for bot, place, conduct in zip(result.seats, result.places, result.conduct, strict=True):
            verdicts[bot, conduct] += 1
            # A match may end before a bot fails in it; then it was played.
            allowed = {EXPECTED[bot], Conduct.PLAYED, *ALSO.get(bot, ())}
            assert conduct in allowed, (bot, conduct, result)
            others = [other for other in result.conduct if other is not conduct]
            if conduct is not Conduct.PLAYED and others == [Conduct.PLAYED]:
                assert place == 2, result
    print(f"\n{len(results.by_match)} matches")
    for name, conduct in EXPECTED.items():
        print(f"{name:14} {', '.join(f'{count} {kind}' for (bot, kind), count in verdicts.items() if bot == name)}")
        # A bot whose process is started again in time goes on with its match.
        came_back = verdicts[name, Conduct.PLAYED] if name in RESTARTED else 0
        assert verdicts[name, conduct] + came_back > 0, name

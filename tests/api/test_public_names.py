"""The public names of the pack API."""

from __future__ import annotations

import subprocess
import sys

import gamepacks.api

PUBLIC_NAMES = [
    "CHANCE",
    "ENTRY_POINT_GROUP",
    "OMNISCIENT",
    "SIMULTANEOUS",
    "SPECTATOR",
    "TERMINAL",
    "UNKNOWN",
    "ActionCodec",
    "Argument",
    "BrokenCards",
    "BrokenPack",
    "Budget",
    "Capabilities",
    "CardFault",
    "CardFile",
    "CardFileError",
    "CardFinding",
    "CardGame",
    "CardLibrary",
    "CardModel",
    "CardOptions",
    "CardSet",
    "CardSource",
    "Code",
    "CodeBook",
    "Counters",
    "Deck",
    "Fault",
    "Game",
    "GreedyBot",
    "Guide",
    "IllegalAction",
    "InvalidInput",
    "InvalidMessage",
    "InvalidOptions",
    "InvalidPlayerCount",
    "InvalidPosition",
    "Layout",
    "Level",
    "LoadedCards",
    "LoadedGame",
    "LoadedPack",
    "MessageGame",
    "MessageState",
    "MessageTypes",
    "MonteCarloBot",
    "OptionSpec",
    "Options",
    "PackBot",
    "PackError",
    "PackService",
    "Pile",
    "RandomBot",
    "Registry",
    "RegretBot",
    "Rng",
    "SealedState",
    "Seat",
    "SelfPlayGame",
    "State",
    "TreeSearchBot",
    "Turn",
    "UnknownCardSet",
    "UnknownGame",
    "Verb",
    "Viewer",
    "VisibleState",
    "Zones",
    "error_place",
    "hookimpl",
    "message_values",
    "read_pending",
    "sealed_states",
    "self_play",
    "share_win",
    "viewers",
    "win_shares",
    "write_pending",
]


def test_the_package_exports_these_names() -> None:
    assert gamepacks.api.__all__ == PUBLIC_NAMES


def test_every_name_is_there_and_documented() -> None:
    for name in PUBLIC_NAMES:
        value = getattr(gamepacks.api, name)
        if callable(value) and name not in ("Seat", "Code", "Viewer", "SealedState"):
            assert value.__doc__, name


def test_the_package_imports_neither_grpc_nor_a_pack() -> None:
    code = (
        "import sys, gamepacks.api, gamepacks.api.kit.pytest_plugin\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('grpc', 'engine_service', 'omnilude', 'hypothesis')"
        " or m.startswith('gamepacks.') and not m.startswith('gamepacks.api')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # Of the client only the class Bot, which the bots of packs are subclasses of.
    assert done.stdout == "['omnilude', 'omnilude.bots']\n"

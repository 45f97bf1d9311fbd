"""The public API for packs and for hosts of packs.

The conformance kit is a separate package, :mod:`gamepacks.api.kit`.
"""

from __future__ import annotations

from cext.guide import Guide
from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import (
    Budget,
    GreedyBot,
    Level,
    MonteCarloBot,
    PackBot,
    RandomBot,
    RegretBot,
    TreeSearchBot,
    Turn,
)
from gamepacks.api.cardgame import CardGame, CardOptions
from gamepacks.api.cards import (
    BrokenCards,
    CardFault,
    CardFile,
    CardFileError,
    CardFinding,
    CardLibrary,
    CardModel,
    CardSource,
    LoadedCards,
    UnknownCardSet,
)
from gamepacks.api.codec import ActionCodec
from gamepacks.api.codes import Argument, CodeBook, Verb
from gamepacks.api.counters import Counters
from gamepacks.api.errors import (
    Fault,
    IllegalAction,
    InvalidInput,
    InvalidMessage,
    InvalidOptions,
    InvalidPlayerCount,
    InvalidPosition,
    PackError,
    UnknownGame,
    error_location,
)
from gamepacks.api.game import Game, MessageTypes, viewers
from gamepacks.api.hooks import ENTRY_POINT_GROUP, hookimpl
from gamepacks.api.message_state import MessageGame, MessageState
from gamepacks.api.options import Options, OptionSpec, message_values
from gamepacks.api.outcome import share_win, win_shares
from gamepacks.api.registry import BrokenPack, LoadedGame, LoadedPack, Registry
from gamepacks.api.sealed import read_pending, sealed_states, write_pending
from gamepacks.api.selfplay import SelfPlayGame, self_play
from gamepacks.api.services import PackService, VisibleState
from gamepacks.api.types import (
    CHANCE,
    OMNISCIENT,
    SIMULTANEOUS,
    SPECTATOR,
    TERMINAL,
    Capabilities,
    CardSet,
    Code,
    Seat,
    Viewer,
)
from gamepacks.api.v1.sealed_state_pb2 import SealedState
from gamepacks.api.zones import UNKNOWN, Deck, Layout, Pile, Zones

__all__ = [
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
    "error_location",
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

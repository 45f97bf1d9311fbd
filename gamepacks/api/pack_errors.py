"""Inspects exceptions that packs raise: the place in the pack, and whether it was an interrupt from the keyboard."""

from __future__ import annotations

import signal
import threading
import traceback


def error_place(error: BaseException) -> str:
    """Module and line where an exception was raised, without its message: ``acme.rules:31``.

    The innermost place in a pack, if there is one; else the innermost of all. An error that comes from another process
    has the place there as its attribute ``remote_place``.
    """
    remote = getattr(error, "remote_place", None)
    if isinstance(remote, str):
        return remote
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename.rpartition('/')[2]}:{error.lineno}"
    places = [(frame.f_globals.get("__name__", "?"), line) for frame, line in traceback.walk_tb(error.__traceback__)]
    ours = ("gamepacks.api", "engine_service", "cext", "pluggy", "importlib", "_frozen_importlib")
    in_packs = [place for place in places if not place[0].startswith(ours)]
    module, line = (in_packs or places or [("?", 0)])[-1]
    return f"{module}:{line}"


def is_interrupt(error: BaseException) -> bool:
    """Returns whether a person pressed Ctrl-C. Never true in a service, which handles SIGINT by itself."""
    return (
        isinstance(error, KeyboardInterrupt)
        and threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )

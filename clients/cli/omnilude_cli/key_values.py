"""Repeatable options of the form KEY=VALUE."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from omnilude_cli.errors import EXIT_USAGE, CommandError


def key_values(
    texts: Iterable[str] | None, option: str, form: str, is_key: Callable[[str], bool] = bool
) -> dict[str, str]:
    """Parse texts to values by key. Raises CommandError, with ``option`` and ``form``, if one is not KEY=VALUE."""
    values: dict[str, str] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals or not is_key(key):
            raise CommandError(f"{option} {text}: write it as {form}", code=EXIT_USAGE)
        values[key] = value
    return values

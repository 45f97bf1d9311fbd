"""Options of the form KEY=VALUE that may be given again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from omnilude_cli.failures import WRONG_USE, Failure


def assignments(
    texts: Iterable[str] | None, option: str, form: str, is_key: Callable[[str], bool] = bool
) -> dict[str, str]:
    """Values by key. Raises Failure, which names ``option`` and ``form``, where a text is no assignment to a key."""
    values: dict[str, str] = {}
    for text in texts or ():
        key, equals, value = text.partition("=")
        if not equals or not is_key(key):
            raise Failure(f"{option} {text}: write it as {form}", code=WRONG_USE)
        values[key] = value
    return values

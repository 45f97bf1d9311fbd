"""Pages of listings: matches, and the legal actions of a seat."""

from __future__ import annotations

import asyncio
import base64
import binascii
import heapq
import json
from collections.abc import Sequence
from hashlib import blake2b

from engine_service.errors import InvalidField, InvalidPageToken
from engine_service.hosting.match_cache import SWEEP_SLICE, MatchCache
from engine_service.limits import Limits
from engine_service.matches.match import LiveMatch
from engine_service.matches.rows import info_of_row
from engine_service.matches.snapshot import to_act
from engine_service.model import LegalPage, MatchInfo, MatchPage, MatchQuery
from engine_service.store.base import MatchFilter, PageCursor, Store
from gamepacks.api.types import Viewer

TOKEN_LENGTH = 1_000
"""Maximum length of a page token."""


def page_size(requested: int, default: int, maximum: int) -> int:
    """Returns the number of entries of a page. Raises InvalidField if a negative one was requested."""
    if requested < 0:
        raise InvalidField.one("page_size", "must be at least 0")
    return min(requested or default, maximum)


def write_token(*parts: str | int) -> str:
    """Returns an opaque page token."""
    return base64.urlsafe_b64encode(json.dumps(parts, separators=(",", ":")).encode()).rstrip(b"=").decode()


def read_token(token: str, *kinds: type) -> list[str | int]:
    """Returns the parts of a page token, checked to be of these types. Raises InvalidPageToken."""
    if len(token) > TOKEN_LENGTH:
        raise InvalidPageToken()
    try:
        parts = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except (binascii.Error, ValueError, RecursionError):
        raise InvalidPageToken() from None
    if not isinstance(parts, list) or [type(part) for part in parts] != list(kinds):
        raise InvalidPageToken()
    if not all(part.isascii() if isinstance(part, str) else abs(part) < 1 << 63 for part in parts):
        raise InvalidPageToken()  # an edited token: out of the store's range
    return parts


# -- matches -------------------------------------------------------------------------------------------------------


async def list_matches(query: MatchQuery, cache: MatchCache, store: Store, limits: Limits) -> MatchPage:
    """Returns a page of the matches, newest first. Raises InvalidField, InvalidPageToken, StoreUnavailable."""
    size = page_size(query.page_size, limits.list_page_default, limits.list_page_max)
    if len(query.labels) > limits.labels:
        raise InvalidField.one("labels", f"must have at most {limits.labels} entries")
    if len(query.player) > limits.player_name_length:
        raise InvalidField.one("player", f"must have at most {limits.player_name_length} characters")
    after = _cursor(query)
    wanted = MatchFilter(
        game=query.game or "",
        states=tuple(int(state) for state in query.states),
        labels=dict(query.labels),
        player=query.player,
        to_act=query.to_act,
        imported=query.imported,
    )
    rows = await store.find(wanted, after, size + 1)
    found: dict[PageCursor, MatchInfo] = {}
    for row in rows:
        live = cache.get_cached(row.name)
        newest = live is not None and live.seq >= row.last_seq
        found[row.created_ms, row.name] = live.info() if live is not None and newest else info_of_row(row)
    for live in await _ephemeral(wanted, after, cache, size + 1):
        found[live.header.create_ms, live.name] = live.info()
    order = sorted(found, reverse=True)[:size]
    more = len(found) > size
    token = write_token(*order[-1], _digest(query)) if more else ""
    return MatchPage([found[key] for key in order], token)


async def _ephemeral(wanted: MatchFilter, after: PageCursor | None, cache: MatchCache, count: int) -> list[LiveMatch]:
    """Returns the newest ``count`` ephemeral matches behind the cursor.

    All of them are compared: if the machine's clock was set, a later match need not have the later time.
    """
    newest: list[tuple[PageCursor, LiveMatch]] = []  # a heap, the oldest first
    for number, live in enumerate(cache.ephemeral()):
        if number % SWEEP_SLICE == SWEEP_SLICE - 1:
            await asyncio.sleep(0)
        key = (live.header.create_ms, live.name)
        if (after is not None and key >= after) or (len(newest) == count and key < newest[0][0]):
            continue
        now = live.snapshot
        if wanted.accepts(live.game_id, int(now.state), live.header.labels, now.seats, to_act(now)):
            (heapq.heappushpop if len(newest) == count else heapq.heappush)(newest, (key, live))
    return [live for _, live in newest]


def _digest(query: MatchQuery) -> str:
    """Returns the digest that binds a page token to its filters."""
    filters = (
        query.game or "",
        [int(state) for state in query.states],
        sorted(query.labels.items()),
        query.player,
        query.to_act,
        query.imported,
    )
    return blake2b(repr(filters).encode(), digest_size=8).hexdigest()


def _cursor(query: MatchQuery) -> PageCursor | None:
    if not query.page_token:
        return None
    created, name, digest = read_token(query.page_token, int, str, str)
    if digest != _digest(query):
        raise InvalidPageToken()
    return int(created), str(name)


# -- legal actions -------------------------------------------------------------------------------------------------


def legal_page(
    live: LiveMatch, seat: int, typed: bool, targets: bool, size: int, token: str, limits: Limits
) -> LegalPage:
    """Returns a page of a seat's legal actions at the present decision. Raises InvalidField, InvalidPageToken,
    PackFault."""
    size = page_size(size, limits.legal_page_default, limits.legal_page_max)
    start = 0
    # If the seat is not to act, the present decision may be one that it must not know of.
    decision_seq = live.numbering.viewer_seq(
        seat, live.decision_seq if live.must_act(seat) else live.visible_seq(Viewer(seat))
    )
    if token:
        seq, owner, start = (int(part) for part in read_token(token, int, int, int))
        if (seq, owner) != (decision_seq, seat) or start < 1:
            raise InvalidPageToken()
    codes: Sequence[int] = live.legal(seat)
    if start and start >= len(codes):
        raise InvalidPageToken()
    page = codes[start : start + size]
    end = start + len(page)
    return LegalPage(
        seq=decision_seq,
        codes=page,
        actions=live.legal_typed(page, seat if targets else None) if typed or targets else (),
        next_page_token=write_token(decision_seq, seat, end) if end < len(codes) else "",
        sampled=live.sampled,
    )

"""Web page of the service: static files, served from memory with security headers."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gamepacks.api.scene import style_sheet

INDEX = "/index.html"
CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
ONE_YEAR = "public, max-age=31536000, immutable"
"""Cache-Control of the files in ``/assets/``, whose names contain a digest of their content."""
NOT_BUILT = b"""<!doctype html><html lang="en"><title>Omnilude</title>
<p>The page is not built. Run <code>make node</code> in the source tree, or install a wheel.</p></html>
"""


@dataclass(frozen=True)
class _File:
    content: bytes
    compressed: bytes
    headers: Mapping[str, str]


class Page:
    """ASGI application that serves the page at ``/`` and passes all other requests on.

    ``services`` receives every request for a path that is not a file of the page. The files are those in the folder
    ``page`` of this package, which ``tools/web_client.py`` builds, and the style sheet of scenes.
    """

    def __init__(self, services: ASGIApp, connected: str = "") -> None:
        """``connected``: source expression of further origins that the page may call, for the
        Content-Security-Policy."""
        self._services = services
        policy = CONTENT_SECURITY_POLICY + (f"; connect-src 'self' {connected}" if connected else "")
        self._files = {name: _file(name, content, policy) for name, content in _contents().items()}
        self._files["/"] = self._files[INDEX]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        file = self._files.get(scope["path"]) if scope["type"] == "http" else None
        if file is None:
            await self._services(scope, receive, send)
            return
        await _response(file, scope)(scope, receive, send)


def _contents() -> dict[str, bytes]:
    package = resources.files("engine_service.web") / "page"
    contents = dict(_walk(package, "/")) if package.is_dir() else {}
    contents.setdefault(INDEX, NOT_BUILT)
    contents["/scene.css"] = style_sheet().encode()
    return contents


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _walk(entry, f"{prefix}{entry.name}/")
        else:
            found.append((f"{prefix}{entry.name}", entry.read_bytes()))
    return found


def _file(name: str, content: bytes, policy: str) -> _File:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if kind.startswith("text/"):
        kind += "; charset=utf-8"
    headers = {
        **SECURITY_HEADERS,
        "content-security-policy": policy,
        "content-type": kind,
        "cache-control": ONE_YEAR if name.startswith("/assets/") else "no-cache",
        "etag": f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"',
        "vary": "accept-encoding",
    }
    return _File(content, gzip.compress(content, mtime=0), headers)


def _response(file: _File, scope: Scope) -> Response:
    request = Headers(scope=scope)
    if scope["method"] not in ("GET", "HEAD"):
        return PlainTextResponse("Method Not Allowed", 405, {"allow": "GET, HEAD"})
    if request.get("if-none-match") == file.headers["etag"]:
        return Response(status_code=304, headers=dict(file.headers))
    if "gzip" in request.get("accept-encoding", ""):
        return Response(file.compressed, headers={**file.headers, "content-encoding": "gzip"})
    return Response(file.content, headers=dict(file.headers))

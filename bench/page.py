"""Speed of the web page: first paint, the time from a click to the drawn answer, and many pages that watch one match.

``python -m bench.page`` prints the figures that docs/web.md quotes. It has the requirements of the browser tests.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, Request, Response

from tests.support.browser import chromium
from tests.support.server import ServiceProcess

SERVICE = "/omnilude.v1.MatchService/"
NEWS = b'"scene": "'
WATCHERS = 200
MOVES = 12
CLICK_TIME = """
async () => {
    const before = document.querySelector('.holder svg');
    const button = document.querySelector('.actions li button');
    const started = performance.now();
    button.click();
    while (document.querySelector('.holder svg') === before) {
        await new Promise(requestAnimationFrame);
    }
    const drawn = performance.now() - started;
    let submit;
    while (!submit) {
        await new Promise(requestAnimationFrame);
        const calls = performance.getEntriesByType('resource');
        submit = calls.find((it) => it.name.endsWith('/SubmitAction') && it.startTime >= started);
    }
    return [drawn, submit.duration];
}
"""
CALL_TIME = """
async ({ name, token }) => {
    const call = async (method, message) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`/omnilude.v1.MatchService/${method}`, {
            method: 'POST', headers, body: JSON.stringify({ name, token, ...message }),
        });
        return answer.json();
    };
    let legal = {};
    while (!legal.codes?.length) {
        legal = await call('ListLegalActions', {});
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    const started = performance.now();
    await call('SubmitAction', { code: legal.codes[0] });
    return performance.now() - started;
}
"""


def main() -> None:
    """Measure, and print a line for each figure."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        url = f"http://127.0.0.1:{port}"
        with ServiceProcess(Path(folder), "--http.port", str(port), "--log.level", "warning"):
            first_paint(browser, url)
            page = start_match(browser, url)
            clicks(page, start_match(browser, url))
            name, token = seat_of(page)
            page.close()
            # Playwright has an event loop of its own in this thread.
            with ThreadPoolExecutor(1) as thread:
                thread.submit(asyncio.run, watchers(url, name, token)).result()


def first_paint(browser: Browser, url: str) -> None:
    """Load the page with an empty cache, several times."""
    times = []
    for _ in range(5):
        page = browser.new_page()
        received: list[Request] = []
        page.on("response", partial(note, received))
        page.goto(url)
        page.get_by_role("link", name="Play Ominoes").wait_for()
        times.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        sizes = [request.sizes() for request in received]
        page.close()
    print(f"first paint: {median(times):.0f} ms, {sum(map(bytes_of, sizes)) / 1000:.0f} kB in {len(sizes)} answers")


def note(received: list[Request], answer: Response) -> None:
    """Record a request that was answered."""
    received.append(answer.request)


def bytes_of(sizes: Any) -> int:
    """Return the number of bytes of an answer."""
    total: int = sizes["responseBodySize"] + sizes["responseHeadersSize"]
    return total


def start_match(browser: Browser, url: str) -> Page:
    """Create a match against the bot that takes the least time."""
    page = browser.new_page()
    page.goto(f"{url}/#/new/ominoes")
    page.get_by_label("Seat 2").select_option(label="bot: random")
    page.get_by_role("button", name="Create the match").click()
    page.wait_for_selector(".table[data-turn] .holder svg")
    return page


def seat_of(page: Page) -> tuple[str, str]:
    """Return the name of the page's match, and the token of its own seat."""
    name = page.url.split("#/")[1].split("/seat/")[0]
    known = json.loads(page.evaluate("localStorage['omnilude.matches']"))
    return name, known[name]["tokens"]["0"]


def clicks(page: Page, other: Page) -> None:
    """Click actions of the list; compare the time to the drawn answer with that of the call.

    In turn with the clicks, the page ``other`` calls for a match of its own, which no page shows any more.
    """
    name, token = seat_of(other)
    other.goto("about:blank")
    other.goto(page.url.split("#")[0])
    drawn, called, alone = [], [], []
    for _ in range(MOVES):
        page.wait_for_selector(".table[data-turn]")
        page.wait_for_timeout(200)
        total, call = page.evaluate(CLICK_TIME)
        drawn.append(total)
        called.append(call)
        alone.append(other.evaluate(CALL_TIME, {"name": name, "token": token}))
    other.close()
    print(
        f"click to drawn answer: {median(drawn):.0f} ms; its SubmitAction: {median(called):.0f} ms, "
        f"ratio {median(drawn) / median(called):.1f}; SubmitAction where nothing is drawn: {median(alone):.0f} ms"
    )


async def watchers(url: str, match: str, token: str) -> None:
    """Follow a match by the streams that this number of pages would open; measure the time until the last has a
    move."""
    body = json.dumps({"name": match, "scenes": True, "labels": True, "sentences": True}).encode()
    message = b"\0" + struct.pack(">I", len(body)) + body
    head = (
        f"POST {SERVICE}WatchMatch HTTP/1.1\r\nhost: localhost\r\n"
        f"content-type: application/connect+json\r\ncontent-length: {len(message)}\r\n\r\n"
    )
    port = int(url.rpartition(":")[2])
    streams = [await asyncio.open_connection("127.0.0.1", port, limit=1 << 21) for _ in range(WATCHERS)]
    for _, writer in streams:
        writer.write(head.encode() + message)
    for reader, _ in streams:
        await reader.readuntil(NEWS)
    times = []
    for _ in range(MOVES):
        legal = await asyncio.to_thread(call, url, "ListLegalActions", {"name": match, "token": token})
        while not legal.get("codes"):
            legal = await asyncio.to_thread(call, url, "ListLegalActions", {"name": match, "token": token})
        news = [asyncio.create_task(reader.readuntil(NEWS)) for reader, _ in streams]
        started = time.perf_counter()
        action = {"name": match, "token": token, "code": legal["codes"][0], "requestId": str(time.time())}
        await asyncio.to_thread(call, url, "SubmitAction", action)
        await asyncio.gather(*news)
        times.append((time.perf_counter() - started) * 1000)
    print(f"{WATCHERS} watching pages: all have the scene after a move after {median(times):.0f} ms")
    for _, writer in streams:
        writer.close()


def call(url: str, method: str, message: dict[str, Any]) -> dict[str, Any]:
    """Call a method of MatchService in JSON."""
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{url}{SERVICE}{method}", json.dumps(message).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


if __name__ == "__main__":
    main()

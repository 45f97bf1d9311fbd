"""Prometheus metrics of one server, with their own registry and HTTP port.

An action updates no metric: the service counts in plain integers, which are read at each scrape. Only less frequent
events (a call, a commit) are observed as they happen.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from grpc import StatusCode
from prometheus_client import CollectorRegistry, Counter, Histogram, make_wsgi_app
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

RPC_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
COMMIT_SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
BATCH_SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)

MAX_CONNECTIONS = 16
"""Maximum number of concurrent connections to the metrics port; each has a thread."""
SILENT_SECONDS = 10
"""Seconds after which a silent connection is closed."""

ReadValue = Callable[[], float]


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._calls = Counter(
            "omnilude_rpcs",
            "Finished calls and streams, by method and status.",
            ["method", "status"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "omnilude_rpc_seconds",
            "Durations of unary calls and of streams.",
            ["method"],
            buckets=RPC_SECONDS,
            registry=self.registry,
        )
        self._commit_seconds = Histogram(
            "omnilude_store_commit_seconds",
            "Durations of the store's transactions.",
            buckets=COMMIT_SECONDS,
            registry=self.registry,
        )
        self._commit_batch = Histogram(
            "omnilude_store_commit_appends",
            "Writes per transaction of the store.",
            buckets=BATCH_SIZES,
            registry=self.registry,
        )
        self._polled = _PolledMetrics()
        self.registry.register(self._polled)
        self._http: tuple[WSGIServer, threading.Thread] | None = None

    def rpc_observer(self, method: str) -> Callable[[StatusCode, float], None]:
        """Returns the observer to call when a call of the method (``/package.Service/Method``) has ended."""
        name = method.rpartition(".")[2]
        seconds = self._seconds.labels(name)
        counters: dict[StatusCode, Counter] = {}

        def observe(status: StatusCode, duration: float) -> None:
            counter = counters.get(status)
            if counter is None:
                counters[status] = counter = self._calls.labels(name, status.name)
            counter.inc()
            seconds.observe(duration)

        return observe

    def commit(self, writes: int, seconds: float) -> None:
        """Observe a transaction of the store."""
        self._commit_batch.observe(writes)
        self._commit_seconds.observe(seconds)

    def gauge(self, name: str, documentation: str, read: ReadValue) -> None:
        """Register a gauge that is read at each scrape."""
        self._polled.add(name, documentation, read, counter=False)

    def counter(self, name: str, documentation: str, read: ReadValue) -> None:
        """Register a counter that is read at each scrape."""
        self._polled.add(name, documentation, read, counter=True)

    def serve(self, address: str, port: int) -> int:
        """Serve GET /metrics on a port (0: a free one) from a separate thread; returns the port."""
        found = socket.getaddrinfo(address.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, (host, *_) = found[0]
        server_class = type("_Server", (_MetricsServer,), {"address_family": family})
        server: WSGIServer = make_server(str(host), port, make_wsgi_app(self.registry), server_class, _MetricsHandler)
        thread = threading.Thread(target=server.serve_forever, name="metrics", daemon=True)
        thread.start()
        self._http = server, thread
        return int(server.server_port)

    def close(self) -> None:
        """Stop serving."""
        if self._http is not None:
            server, thread = self._http
            self._http = None
            server.shutdown()
            server.server_close()
            thread.join()


class _MetricsServer(ThreadingMixIn, WSGIServer):
    """HTTP server with few connections: a new one replaces the oldest."""

    daemon_threads = True

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._open: dict[Any, None] = {}
        self._changing = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        """Called for each new connection."""
        with self._changing:
            while len(self._open) >= MAX_CONNECTIONS:
                oldest = next(iter(self._open))
                del self._open[oldest]
                with suppress(OSError):
                    oldest.shutdown(socket.SHUT_RDWR)  # its thread ends by that
            self._open[request] = None
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Called when a connection is no longer used."""
        with self._changing:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that were closed or have timed out."""


class _MetricsHandler(WSGIRequestHandler):
    timeout = SILENT_SECONDS

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


class _PolledMetrics(Collector):
    """Collector of metrics whose values are read at each scrape."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, str, ReadValue, type[CounterMetricFamily] | type[GaugeMetricFamily]]] = []

    def add(self, name: str, documentation: str, read: ReadValue, *, counter: bool) -> None:
        self._entries.append((name, documentation, read, CounterMetricFamily if counter else GaugeMetricFamily))

    def collect(self) -> Iterable[Metric]:
        for name, documentation, read, family in self._entries:
            yield family(name, documentation, value=read())

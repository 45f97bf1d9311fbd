"""Metrics: the values counted, and the port that serves them."""

from __future__ import annotations

import socket
import threading
import urllib.request

import pytest
from grpc import StatusCode

from engine_service.observability.metrics import MAX_CONNECTIONS, Metrics


def scrape(metrics: Metrics) -> str:
    port = metrics.serve("127.0.0.1", 0)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
            return str(answer.read().decode())
    finally:
        metrics.close()


def test_calls_are_counted_by_method_and_status() -> None:
    metrics = Metrics()
    observe = metrics.rpc_observer("/omnilude.v1.MatchService/GetMatch")
    observe(StatusCode.OK, 0.002)
    observe(StatusCode.OK, 0.002)
    observe(StatusCode.NOT_FOUND, 0.002)
    text = scrape(metrics)
    assert 'omnilude_rpcs_total{method="MatchService/GetMatch",status="OK"} 2.0' in text
    assert 'omnilude_rpcs_total{method="MatchService/GetMatch",status="NOT_FOUND"} 1.0' in text
    assert 'omnilude_rpc_seconds_count{method="MatchService/GetMatch"} 3.0' in text


def test_commits_are_measured_by_time_and_size() -> None:
    metrics = Metrics()
    metrics.commit(32, 0.004)
    text = scrape(metrics)
    assert "omnilude_store_commit_appends_sum 32.0" in text
    assert "omnilude_store_commit_seconds_count 1.0" in text


def test_gauges_are_read_at_each_scrape() -> None:
    metrics = Metrics()
    figures = {"live": 1, "actions": 10}
    metrics.gauge("omnilude_live_matches", "Matches in memory.", lambda: figures["live"])
    metrics.counter("omnilude_actions", "Actions taken.", lambda: figures["actions"])
    figures.update(live=2, actions=20)
    text = scrape(metrics)
    assert "# TYPE omnilude_live_matches gauge" in text and "omnilude_live_matches 2.0" in text
    assert "# TYPE omnilude_actions_total counter" in text and "omnilude_actions_total 20.0" in text


def test_two_servers_in_one_process_have_metrics_of_their_own() -> None:
    one, other = Metrics(), Metrics()
    one.commit(1, 0.1)
    assert "omnilude_store_commit_appends_sum 0.0" in scrape(other)


def test_closing_twice_is_allowed() -> None:
    metrics = Metrics()
    metrics.serve("127.0.0.1", 0)
    metrics.close()
    metrics.close()


def test_silent_connections_to_the_metrics_port_are_limited_and_block_nobody() -> None:
    metrics = Metrics()
    port = metrics.serve("127.0.0.1", 0)
    threads = threading.active_count()
    silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(5 * MAX_CONNECTIONS)]
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
            assert answer.status == 200
        # The connections came in order, so by now all but the newest are closed.
        for connection in silent[: 3 * MAX_CONNECTIONS]:
            connection.settimeout(60)
            assert connection.recv(1) == b""
        assert threading.active_count() <= threads + 2 * MAX_CONNECTIONS
    finally:
        for connection in silent:
            connection.close()
        metrics.close()


@pytest.mark.parametrize("address", ["127.0.0.1", "::1", "[::1]", "localhost"])
def test_service_listens_on_ipv4_and_ipv6_addresses(address: str) -> None:
    metrics = Metrics()
    assert metrics.serve(address, 0)
    metrics.close()

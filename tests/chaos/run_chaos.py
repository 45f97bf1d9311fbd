"""Three replicas of which one is killed every few seconds, and the database now and then.

``make chaos`` plays ``OMNILUDE_CHAOS_MATCHES`` for ``OMNILUDE_CHAOS_SECONDS``, at most 64 at a time, checks the history
of each, and prints the figures; it is no part of ``make test``.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from omnilude_cli.service import own_command
from tests.chaos.chaos import chaos
from tests.support.postgres import postgres_server

SECONDS = float(os.environ.get("OMNILUDE_CHAOS_SECONDS", "20"))
MATCHES = int(os.environ.get("OMNILUDE_CHAOS_MATCHES", "10"))
AT_ONCE = 64
KILL_EVERY_S = 5.0


async def test_no_acknowledged_action_is_lost_when_replicas_and_the_database_are_killed(tmp_path: Path) -> None:
    with postgres_server() as postgres:
        flags = ["--replicas", "3", "--port", "0", "--http-port", "-1", "--metrics-port", "-1"]
        flags += ["--set", f"store.url={postgres.get_uri()}", "--set", "limits.max_lag_ms=60000"]
        flags += ["--log-level", "warning"]
        with (tmp_path / "log").open("w") as log:
            service = subprocess.Popen(own_command("serve", *flags), stdout=subprocess.PIPE, stderr=log, text=True)
        assert service.stdout is not None
        try:
            with service.stdout:
                target = service.stdout.readline().removeprefix("listening on ").strip()
            assert target, (tmp_path / "log").read_text()
            report = await chaos(
                target,
                service.pid,
                postgres,
                matches=MATCHES,
                at_once=AT_ONCE,
                seconds=SECONDS,
                kill_every_s=KILL_EVERY_S,
            )
        finally:
            service.terminate()
            service.wait(timeout=60)
        print(report.summary())
        assert report.faults == [], (tmp_path / "log").read_text()
        assert report.matches == MATCHES and report.replicas_killed >= 2 and report.acknowledged > 0

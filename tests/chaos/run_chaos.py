"""Three replicas of which one is killed every few seconds, and the database now and then.

``make chaos`` plays ``OMNILUDE_CHAOS_MATCHES`` for ``OMNILUDE_CHAOS_SECONDS``, at most 64 at a time, checks the history
of each, and prints the figures; it is not part of ``make test``.
"""

from __future__ import annotations

import os
from pathlib import Path

from tests.chaos.chaos import chaos
from tests.support.postgres import postgres_server
from tests.support.replicas import running_replicas

SECONDS = float(os.environ.get("OMNILUDE_CHAOS_SECONDS", "20"))
MATCHES = int(os.environ.get("OMNILUDE_CHAOS_MATCHES", "10"))
AT_ONCE = 64
KILL_EVERY_S = 5.0


async def test_no_acknowledged_action_is_lost_when_replicas_and_the_database_are_killed(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with postgres_server() as postgres:
        with running_replicas(postgres.get_uri(), 3, log, "--set", "limits.max_lag_ms=60000") as replicas:
            report = await chaos(
                replicas, postgres, matches=MATCHES, at_once=AT_ONCE, seconds=SECONDS, kill_every_s=KILL_EVERY_S
            )
        print(report.summary())
        assert report.faults == [], log.read_text()
        assert report.matches == MATCHES and report.replicas_killed >= 2 and report.acknowledged > 0

"""For all tests."""

from __future__ import annotations

import os
import signal

# A shell that starts the tests in its background has them ignore Ctrl-C, and so would the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Services that tests start take a free port for HTTP too: the default one can be had once on a machine.
os.environ["OMNILUDE_HTTP__PORT"] = "0"

"""For all tests."""

from __future__ import annotations

import signal

# A shell that starts the tests in its background has them ignore Ctrl-C, and so would the programs that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

"""Logs, metrics, counters and the watchdog of the event loop."""

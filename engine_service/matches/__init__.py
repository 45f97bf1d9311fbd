"""One match in memory: how far it has come, what may be done with it, and how a write becomes true."""

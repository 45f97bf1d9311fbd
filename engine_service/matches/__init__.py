"""Matches in memory: snapshots, drafts, the rules of writes, and the writer that stores and commits them."""

"""The log of a match: its records and their hash chain, its history, header and replay."""

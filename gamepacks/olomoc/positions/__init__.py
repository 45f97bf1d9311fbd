"""Positions as messages, and everything that shows one to be impossible."""

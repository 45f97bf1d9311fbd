"""Simulations: states that the service holds for its clients in worker processes, and operations on many of them."""

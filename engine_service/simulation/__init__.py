"""Simulations: states that worker processes hold for clients, and batched operations on them."""

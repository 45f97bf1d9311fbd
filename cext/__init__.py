"""The ground floor, compiled with Cython: state, random numbers, chance, play-outs, search, grids and geometry.

It knows no game and no service. Packs build on it through :mod:`gamepacks.api`.
"""

"""For the compiled modules of this pack, which cimport it; Python asks :mod:`gamepacks.omen.engine.state`."""

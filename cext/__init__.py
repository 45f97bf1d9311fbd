"""The core, compiled with Cython: state, random numbers, chance, play-outs, search, grids and geometry.

It knows no game and no service. Packs build on it through :mod:`gamepacks.api`.
"""

from pathlib import Path

__all__ = ["get_include"]


def get_include() -> str:
    """The folder from which Cython finds ``cimport cext.state``, for the ``include_path`` of a compiled pack's build.

    Beside an installed wheel Cython finds it by itself; beside a clone, which is not a folder on the path, it does not.
    """
    return str(Path(__file__).resolve().parent.parent)

"""Checks of the arguments of :class:`cext.geometry.table.Table`: each raises ValueError for one out of its range."""

from libc.stdint cimport int64_t

from cext.geometry.board cimport LAST, MAX_DISC_RADIUS, SIDE

cdef enum:
    MAX_DISTANCE = 2 * SIDE
    MAX_STEP = 400


cdef inline int check_place(int x, int y) except -1:
    if not (0 <= x <= LAST and 0 <= y <= LAST):
        raise ValueError(f"({x}, {y}) is not a point of the board's lattice, 0 to {LAST}")
    return 0


cdef inline int check_radius(int radius) except -1:
    if not 1 <= radius <= MAX_DISC_RADIUS:
        raise ValueError(f"a base or marker has a radius of 1 to {MAX_DISC_RADIUS} ticks, not {radius}")
    return 0


cdef inline int check_distance(int64_t distance) except -1:
    if not 0 <= distance <= MAX_DISTANCE:
        raise ValueError(f"a distance is 0 to {MAX_DISTANCE} ticks, not {distance}")
    return 0


cdef inline int check_step(int step) except -1:
    if not 1 <= step <= MAX_STEP:
        raise ValueError(f"the step of a list is 1 to {MAX_STEP} hundredths of an inch, not {step}")
    return 0

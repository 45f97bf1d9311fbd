from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

cdef inline double now() noexcept nogil:
    """Seconds of the monotonic clock, by which searches keep to their budget of time."""
    cdef timespec time
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec + time.tv_nsec * 1e-9

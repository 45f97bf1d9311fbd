from libc.stdint cimport uint64_t

from cext.random cimport Rng

cdef int deal_items(const int* regions, const uint64_t* histories, int count, int* item_at, Rng rng) except -1

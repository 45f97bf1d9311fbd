from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t

from cext.random cimport Rng

cpdef enum:
    MAX_REGIONS = 31
    # Number of the newest regions that are kept when MAX_REGIONS are in use.
    KEPT_REGIONS = 15

# The conclusions of one viewer about an item whose face it does not know.
cdef struct Belief:
    # Regions that the item has been part of, as a mask; it belongs to the item.
    uint32_t history
    # The region in which the viewer lost sight of the face; it belongs to the face.
    uint8_t since

# The items of a table in the memory of their owner. An item is `stride` bytes after the one before it.
cdef struct Items:
    int count
    int viewers
    size_t stride
    # Addresses in the first item: its face (int32_t), the mask of the viewers who know it (uint64_t), the beliefs of all viewers.
    char* faces
    char* known
    char* beliefs
    # Number of regions in use.
    uint8_t* regions

cdef inline int32_t* face_of(const Items* items, int item) noexcept nogil:
    return <int32_t*> (items.faces + item * items.stride)

cdef inline uint64_t* known_of(const Items* items, int item) noexcept nogil:
    return <uint64_t*> (items.known + item * items.stride)

cdef inline Belief* belief_of(const Items* items, int item, int viewer) noexcept nogil:
    return <Belief*> (items.beliefs + item * items.stride) + viewer

cdef inline bint fits(int region, uint32_t history) noexcept nogil:
    # Whether a face that a viewer lost sight of in the region can be on an item with the history.
    return region == 0 or history >> (region - 1) & 1

cdef void mix_items(const Items* items, const int* places, int count, uint64_t known) noexcept nogil
cdef void leave_group(const Items* items, const int* places, int count, int item, uint64_t seen_by) noexcept nogil
cdef void take_known_copy(const Items* items, const int* places, int count, int item, uint64_t seen_by) noexcept nogil
cdef void show_item(const Items* items, int item, uint64_t viewers) noexcept nogil
cdef int redeal_items(const Items* items, int viewer, const int* places, int count, int* data, Rng rng) except -1
cdef bint exchange_faces(const Items* items, int one, int other, int viewer) noexcept nogil
cdef void drop_inconsistent(const Items* items, int viewer) noexcept nogil

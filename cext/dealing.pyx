"""Random deals of hidden items to the places where they can be, for resampling.

A viewer lost sight of an item in a *region*, one event of mixing (0: it never saw the item). A place has a *history*:
the regions that it has been part of, as a mask (bit r-1 for region r). An item can be in each place whose history
contains its region; see :mod:`gamepacks.api.beliefs`.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from cext.random cimport Rng

# Passes of random exchanges; the tests compare the result with an enumeration.
cdef int SWEEPS = 8


cdef int deal_items(const int* regions, const uint64_t* histories, int count, int* item_at, Rng rng) except -1:
    """Deal ``count`` items to as many places: ``item_at[place]`` becomes the number of the item that is there.

    Items without a region are dealt uniformly. If items have regions, the first deal is a matching by augmenting paths
    in random order; random exchanges that both places allow then lead towards the uniform distribution over all
    possible deals. Raises ValueError if no deal is possible.
    """
    cdef int* buffer = <int*> malloc(6 * (count + 1) * sizeof(int))
    cdef int i, item, place = 0
    cdef uint64_t used = 0
    if buffer == NULL:
        raise MemoryError()
    try:
        for i in range(count):
            buffer[i], item_at[i] = i, -1
            if regions[i]:
                used |= <uint64_t> 1 << (regions[i] - 1)
        shuffle(buffer, count, rng)
        for i in range(count if used else 0):
            if regions[buffer[i]] and not give_place(regions, histories, count, item_at, buffer[i], buffer + count, rng):
                raise ValueError("an item that a viewer lost sight of has no place where it can be")
        for i in range(count):
            item = buffer[i]
            if not regions[item]:
                while item_at[place] >= 0:
                    place += 1
                item_at[place] = item
        if used:
            exchange_items(regions, histories, count, item_at, used, buffer, rng)
    finally:
        free(buffer)
    return 0


cdef inline bint fits(int region, uint64_t history) noexcept nogil:
    """Can an item of the region be in a place with the history?"""
    return region == 0 or history >> (region - 1) & 1


cdef void shuffle(int* numbers, int count, Rng rng) noexcept:
    cdef int i, j
    for i in range(count - 1, 0, -1):
        j = rng.bounded(i + 1)
        numbers[i], numbers[j] = numbers[j], numbers[i]


cdef void exchange_items(
    const int* regions, const uint64_t* histories, int count, int* item_at, uint64_t used, int* block, Rng rng
) noexcept:
    # Exchange items between all places, and between those that each used region has in common.
    cdef int sweep, region, size, i, one, other, place
    for sweep in range(SWEEPS):
        for region in range(65):
            if region and not used >> (region - 1) & 1:
                continue
            size = 0
            for place in range(count):
                if fits(region, histories[place]):
                    block[size] = place
                    size += 1
            for i in range(size):
                one, other = block[i], block[rng.bounded(size)]
                if fits(regions[item_at[one]], histories[other]) and fits(regions[item_at[other]], histories[one]):
                    item_at[one], item_at[other] = item_at[other], item_at[one]
    # Items without a region can be anywhere: they are shuffled among themselves.
    size = 0
    for place in range(count):
        if not regions[item_at[place]]:
            block[size] = place
            size += 1
    for i in range(size - 1, 0, -1):
        one, other = block[i], block[rng.bounded(i + 1)]
        item_at[one], item_at[other] = item_at[other], item_at[one]


cdef bint give_place(
    const int* regions, const uint64_t* histories, int count, int* item_at, int start, int* buffer, Rng rng
) noexcept:
    # Give one more item a place, moving others to further places of theirs if needed.
    cdef int* order = buffer
    cdef int* wanted_by = buffer + count
    cdef int* leaving = buffer + 2 * count
    cdef int* waiting = buffer + 3 * count
    cdef int* waiting_at = buffer + 4 * count
    cdef int item, left, depth = 1, i, place, taken
    for place in range(count):
        order[place], wanted_by[place] = place, -1
    waiting[0], waiting_at[0] = start, -1
    while depth:
        depth -= 1
        item, left = waiting[depth], waiting_at[depth]
        shuffle(order, count, rng)
        # Free places first.
        for taken in range(2):
            for i in range(count):
                place = order[i]
                if (
                    wanted_by[place] >= 0 or (item_at[place] >= 0) != (taken == 1)
                    or not fits(regions[item], histories[place])
                ):
                    continue
                wanted_by[place], leaving[place] = item, left
                if not taken:
                    while place >= 0:
                        item_at[place] = wanted_by[place]
                        place = leaving[place]
                    return True
                waiting[depth], waiting_at[depth] = item_at[place], place
                depth += 1
    return False


def deal(list regions not None, list histories not None, Rng rng not None):
    """The number of an item for each place; ``regions`` are those of the items, ``histories`` those of the places.

    Raises ValueError if no deal is possible.
    """
    cdef int count = len(regions), i
    cdef int* numbers = <int*> malloc((2 * count + 1) * sizeof(int))
    cdef uint64_t* masks = <uint64_t*> malloc((count + 1) * sizeof(uint64_t))
    try:
        if numbers == NULL or masks == NULL:
            raise MemoryError()
        for i in range(count):
            numbers[i], masks[i] = regions[i], histories[i]
        deal_items(numbers, masks, count, numbers + count, rng)
        return [numbers[count + i] for i in range(count)]
    finally:
        free(numbers)
        free(masks)

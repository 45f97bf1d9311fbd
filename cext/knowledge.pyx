"""Knowledge of hidden items: which viewer knows which, what else it can conclude, and deals for resampling.

An *item* is a card, tile or token with a hidden side, its *face*; it can be followed wherever it goes, face down too.
Viewers are numbered; a mask says which of them know its face. Of a card that a viewer saw go into a deck, it knows
more: that the card is there or was drawn from there since. So for each viewer

* a face has a ``since``: the *region* in which the viewer lost sight of it; 0 if it never saw it.
* an item has a ``history``: the set of regions that it has been part of (bit r-1 for region r).

A region is one event of mixing: the items of a deck when it was shuffled, or those of a hand that a card left unseen. A
face can be on exactly those items whose history contains its ``since``, so a new deal of what a viewer does not know
follows that rule, and each deal that follows it is equally likely.

Where items of different histories are mixed, each takes the union: what could only be concluded by counting across such
an event is forgotten. Beyond ``MAX_REGIONS`` regions in use the oldest are forgotten too. Equal faces cannot be told
apart, so whoever sees one takes it for the one that it knew most of.

The functions work on items in the memory of their owner: C structs of the pack, or :class:`Knowledge`.
"""

from cpython.array cimport array
from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from cext.random cimport Rng

# Passes of random exchanges; the tests compare the result with an enumeration.
cdef int SWEEPS = 8

# -- mixing -----------------------------------------------------------------------------------------------------------


cdef int new_region(const Items* items) noexcept nogil:
    if items.regions[0] == MAX_REGIONS:
        forget_regions(items)
    items.regions[0] += 1
    return items.regions[0]


cdef void forget_regions(const Items* items) noexcept nogil:
    # Number the newest regions in which a viewer lost sight of a face from 1, and forget the others.
    cdef uint8_t[MAX_REGIONS + 1] number
    cdef int i, viewer, region, found = 0
    cdef uint32_t history
    cdef Belief* belief
    for region in range(MAX_REGIONS + 1):
        number[region] = 0
    for i in range(items.count):
        for viewer in range(items.viewers):
            number[belief_of(items, i, viewer).since] = 1
    number[0] = 0
    for region in range(MAX_REGIONS, 0, -1):
        found += number[region]
        if found > KEPT_REGIONS:
            number[region] = 0
    found = 0
    for region in range(1, MAX_REGIONS + 1):
        if number[region]:
            found += 1
            number[region] = found
    for i in range(items.count):
        for viewer in range(items.viewers):
            belief = belief_of(items, i, viewer)
            history = 0
            for region in range(1, MAX_REGIONS + 1):
                if number[region] and fits(region, belief.history):
                    history |= <uint32_t> 1 << (number[region] - 1)
            belief.history, belief.since = history, number[belief.since]
    items.regions[0] = found


cdef void mix_for(const Items* items, const int* places, int count, int viewer, int region) noexcept nogil:
    # For one viewer these items can no longer be told apart; with a region, not even those whose face it knew.
    cdef uint64_t bit = <uint64_t> 1 << viewer
    cdef uint32_t history = <uint32_t> 1 << (region - 1) if region else 0
    cdef Belief* belief
    cdef int i
    for i in range(count):
        if not known_of(items, places[i])[0] & bit:
            history |= belief_of(items, places[i], viewer).history
    for i in range(count):
        belief = belief_of(items, places[i], viewer)
        if not known_of(items, places[i])[0] & bit:
            belief.history = history
        elif region:
            known_of(items, places[i])[0] &= ~bit
            belief.history, belief.since = history, region


cdef void mix_items(const Items* items, const int* places, int count, uint64_t known) noexcept nogil:
    """Update the knowledge of items that are shuffled. ``known`` is the mask of the viewers who knew the face of one whose
    place was known; they lose sight of it."""
    cdef int viewer, region = new_region(items) if known else 0
    for viewer in range(items.viewers):
        mix_for(items, places, count, viewer, region if known >> viewer & 1 else 0)


cdef void leave_group(const Items* items, const int* places, int count, int item, uint64_t seen_by) noexcept nogil:
    """Update the knowledge of an unordered group of items that one of them is about to leave: a viewer who does not see its
    face is no longer sure of what stays."""
    cdef uint64_t bit
    cdef int viewer, i, sure, first, region = 0
    cdef bint changes = items.regions[0] != 0, varied
    take_known_copy(items, places, count, item, seen_by)
    for i in range(count):
        if known_of(items, places[i])[0] & ~seen_by:
            changes = True
    if count < 2 or not changes:
        return
    for viewer in range(items.viewers):
        bit = <uint64_t> 1 << viewer
        if seen_by & known_of(items, item)[0] & bit:
            continue
        sure, first, varied = 0, -1, False
        for i in range(count):
            if known_of(items, places[i])[0] & bit:
                sure += 1
                if first < 0:
                    first = places[i]
                elif face_of(items, places[i])[0] != face_of(items, first)[0]:
                    varied = True
        # A viewer who does not see the face is no longer sure of any, unless it knows that all are the same.
        if seen_by & bit or not sure:
            mix_for(items, places, count, viewer, 0)
        elif sure < count or varied:
            if not region:
                region = new_region(items)
            mix_for(items, places, count, viewer, region)


# -- showing faces ----------------------------------------------------------------------------------------------------


cdef void take_known_copy(const Items* items, const int* places, int count, int item, uint64_t seen_by) noexcept nogil:
    """Let an item of a group be, for each of these viewers, the one with its face that the viewer knows there, if any."""
    cdef uint64_t* one = known_of(items, item)
    cdef uint64_t* two
    cdef uint64_t new
    cdef int i, viewer
    for i in range(count):
        if places[i] == item or face_of(items, places[i])[0] != face_of(items, item)[0]:
            continue
        two = known_of(items, places[i])
        new = two[0] & seen_by & ~one[0]
        if not new:
            continue
        one[0] |= new
        two[0] &= ~new
        for viewer in range(items.viewers):
            if new >> viewer & 1:
                belief_of(items, item, viewer)[0], belief_of(items, places[i], viewer)[0] = (
                    belief_of(items, places[i], viewer)[0], belief_of(items, item, viewer)[0]
                )


cdef void show_item(const Items* items, int item, uint64_t viewers) noexcept nogil:
    """Show the face of an item to some viewers; each takes it for the item with that face that it knew most of."""
    cdef uint64_t new = viewers & ~known_of(items, item)[0]
    cdef Belief* one
    cdef Belief* two
    cdef Belief* best
    cdef int viewer, other
    known_of(items, item)[0] |= new
    if not items.regions[0] or not new:
        return
    for viewer in range(items.viewers):
        if not new >> viewer & 1:
            continue
        one = best = belief_of(items, item, viewer)
        for other in range(items.count):
            if face_of(items, other)[0] != face_of(items, item)[0] or known_of(items, other)[0] >> viewer & 1:
                continue
            two = belief_of(items, other, viewer)
            if two.since > best.since and fits(two.since, one.history) and fits(one.since, two.history):
                best = two
        best.since = one.since
        one.since, one.history = 0, 0


# -- dealing again ----------------------------------------------------------------------------------------------------


cdef struct Face:
    int data
    int item


cdef int redeal_items(
    const Items* items, int viewer, const int* places, int count, int* data, Rng rng
) except -1:
    """Deal the faces of items that a viewer does not know again among them.

    ``data[i]`` is the face on the item ``places[i]``, with whatever else is bound to it; the function exchanges these
    numbers, and the caller writes them into the items. The deal starts from an order of the faces that does not depend
    on where they are, so the true deal has no influence on it: if ``places`` does not depend on it either, states that the
    viewer cannot tell apart get the same deal with the same generator. Then call :func:`drop_inconsistent`.
    """
    cdef Belief* beliefs = <Belief*> malloc((count * items.viewers + 1) * sizeof(Belief))
    cdef Face* faces = <Face*> malloc((count + 1) * sizeof(Face))
    cdef int* regions = <int*> malloc((2 * count + 1) * sizeof(int))
    cdef uint32_t* histories = <uint32_t*> malloc((count + 1) * sizeof(uint32_t))
    cdef Face one
    cdef int i, j
    try:
        if beliefs == NULL or faces == NULL or regions == NULL or histories == NULL:
            raise MemoryError()
        for i in range(count):
            one.data, one.item = data[i], places[i]
            j = i
            while j and is_before(items, viewer, &one, &faces[j - 1]):
                faces[j] = faces[j - 1]
                j -= 1
            faces[j] = one
        for i in range(count):
            regions[i], histories[i] = belief_of(items, faces[i].item, viewer).since, belief_of(items, places[i], viewer).history
            memcpy(beliefs + i * items.viewers, belief_of(items, faces[i].item, 0), items.viewers * sizeof(Belief))
        deal_items(regions, histories, count, regions + count, rng)
        for i in range(count):
            one = faces[regions[count + i]]
            data[i] = one.data
            for j in range(items.viewers):
                belief_of(items, places[i], j).since = beliefs[regions[count + i] * items.viewers + j].since
    finally:
        free(beliefs)
        free(faces)
        free(regions)
        free(histories)
    return 0


cdef bint is_before(const Items* items, int viewer, const Face* one, const Face* other) noexcept nogil:
    cdef int i, mine = belief_of(items, one.item, viewer).since, theirs = belief_of(items, other.item, viewer).since
    if mine != theirs:
        return mine < theirs
    if one.data != other.data:
        return one.data < other.data
    for i in range(items.viewers):
        mine, theirs = belief_of(items, one.item, i).since, belief_of(items, other.item, i).since
        if mine != theirs:
            return mine < theirs
    return False


cdef bint exchange_faces(const Items* items, int one, int other, int viewer) noexcept nogil:
    """Exchange the faces of two items, if for the viewer both can be on the other item."""
    cdef int i
    cdef Belief* mine = belief_of(items, one, 0)
    cdef Belief* theirs = belief_of(items, other, 0)
    if not fits(mine[viewer].since, theirs[viewer].history) or not fits(theirs[viewer].since, mine[viewer].history):
        return False
    face_of(items, one)[0], face_of(items, other)[0] = face_of(items, other)[0], face_of(items, one)[0]
    for i in range(items.viewers):
        mine[i].since, theirs[i].since = theirs[i].since, mine[i].since
    return True


cdef void drop_inconsistent(const Items* items, int viewer) noexcept nogil:
    """After a deal for a viewer: drop conclusions of other viewers about faces that do not fit it."""
    cdef Belief* belief
    cdef int i, other
    for i in range(items.count):
        if not known_of(items, i)[0] >> viewer & 1:
            for other in range(items.viewers):
                belief = belief_of(items, i, other)
                if not fits(belief.since, belief.history):
                    belief.since = 0


cdef int deal_items(const int* regions, const uint32_t* histories, int count, int* item_at, Rng rng) except -1:
    """Deal ``count`` items to as many places: ``item_at[place]`` becomes the number of the item that is there.

    Items without a region are dealt uniformly. If items have regions, the first deal is a matching by augmenting paths
    in random order; random exchanges that both places allow then lead towards the uniform distribution over all
    possible deals. Raises ValueError if no deal is possible.
    """
    cdef int* buffer = <int*> malloc(6 * (count + 1) * sizeof(int))
    cdef int i, item, place = 0
    cdef uint32_t used = 0
    if buffer == NULL:
        raise MemoryError()
    try:
        for i in range(count):
            buffer[i], item_at[i] = i, -1
            if regions[i]:
                used |= <uint32_t> 1 << (regions[i] - 1)
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


cdef void shuffle(int* numbers, int count, Rng rng) noexcept:
    cdef int i, j
    for i in range(count - 1, 0, -1):
        j = rng.bounded(i + 1)
        numbers[i], numbers[j] = numbers[j], numbers[i]


cdef void exchange_items(
    const int* regions, const uint32_t* histories, int count, int* item_at, uint32_t used, int* block, Rng rng
) noexcept:
    # Exchange items between all places, and between those that each used region has in common.
    cdef int sweep, region, size, i, one, other, place
    for sweep in range(SWEEPS):
        for region in range(MAX_REGIONS + 1):
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
    const int* regions, const uint32_t* histories, int count, int* item_at, int start, int* buffer, Rng rng
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
        # Free places are tried first.
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


# -- for Python -------------------------------------------------------------------------------------------------------


cdef class Knowledge:
    """The faces of some items, numbered from 0, and what viewers know about them; part of :mod:`gamepacks.api.zones`.

    A *group* is an ``array("i")`` of items. The numbers of items are not checked.
    """

    cdef Items items
    cdef uint8_t regions_in_use

    def __init__(self, int viewers, list entries not None, int regions=0):
        """``entries`` are the items as :meth:`entry` returns them; the numbers of the viewers may be left out."""
        cdef int item, viewer
        self.allocate(len(entries), viewers, regions)
        for item, (face, known, *beliefs) in enumerate(entries):
            face_of(&self.items, item)[0], known_of(&self.items, item)[0] = face, known
            for viewer in range(len(beliefs) // 2):
                belief_of(&self.items, item, viewer).since = beliefs[2 * viewer]
                belief_of(&self.items, item, viewer).history = beliefs[2 * viewer + 1]

    def __dealloc__(self):
        free(self.items.known)

    cdef int allocate(self, int count, int viewers, int regions) except -1:
        # An item is the mask of those who know it, the beliefs of all viewers, and its face.
        self.items.count, self.items.viewers = count, viewers
        self.items.stride = sizeof(uint64_t) + sizeof(Belief) * (viewers + 1)
        self.items.known = <char*> calloc(count + 1, self.items.stride)
        if self.items.known == NULL:
            raise MemoryError()
        self.items.beliefs = self.items.known + sizeof(uint64_t)
        self.items.faces = self.items.beliefs + sizeof(Belief) * viewers
        self.items.regions = &self.regions_in_use
        self.regions_in_use = regions
        return 0

    def clone(self):
        """Return equal knowledge that shares nothing with this one."""
        cdef Knowledge other = Knowledge.__new__(Knowledge)
        other.allocate(self.items.count, self.items.viewers, self.regions_in_use)
        memcpy(other.items.known, self.items.known, self.items.count * self.items.stride)
        return other

    @property
    def regions(self):
        """Number of regions in use."""
        return self.regions_in_use

    def entry(self, int item):
        """Return an item as a tuple: face, mask of those who know it, and ``since`` and ``history`` for each viewer."""
        cdef list numbers = [self.face(item), self.known(item)]
        cdef int viewer
        for viewer in range(self.items.viewers):
            numbers += belief_of(&self.items, item, viewer).since, belief_of(&self.items, item, viewer).history
        return tuple(numbers)

    def face(self, int item):
        """Return the face of an item."""
        return face_of(&self.items, item)[0]

    def known(self, int item):
        """Return the mask of the viewers who know an item."""
        return known_of(&self.items, item)[0]

    def show(self, int item, uint64_t viewers):
        """Show an item to the viewers of a mask; each takes it for the one with its face that it knew most of."""
        show_item(&self.items, item, viewers)

    def take_known_copy(self, array group, int item, uint64_t viewers):
        """Let an item of a group be, for each viewer of a mask, the one with its face that it knows there, if any."""
        take_known_copy(&self.items, group.data.as_ints, <int> len(group), item, viewers)

    def leave(self, array group, int item, uint64_t seen_by):
        """Note that an item leaves an unordered group: who does not see its face is no longer sure of what stays."""
        leave_group(&self.items, group.data.as_ints, <int> len(group), item, seen_by)

    def mix(self, array group, uint64_t known):
        """Note that a group is shuffled: the viewers of a mask knew an item whose place was known, and lose sight of it."""
        mix_items(&self.items, group.data.as_ints, <int> len(group), known)

    def forget(self, array group):
        """Make the items of a group unknown to everyone, and drop all conclusions about them."""
        cdef int item
        for item in group:
            known_of(&self.items, item)[0] = 0
            memset(belief_of(&self.items, item, 0), 0, self.items.viewers * sizeof(Belief))

    def redeal(self, int viewer, array group, Rng rng not None):
        """Deal the faces of a group of items that a viewer does not know again, see :func:`redeal_items`.

        Raises ValueError if a face can be on none of the items.
        """
        cdef array faces = array("i", [self.face(item) for item in group])
        cdef int i
        redeal_items(&self.items, viewer, group.data.as_ints, <int> len(group), faces.data.as_ints, rng)
        for i in range(<int> len(group)):
            face_of(&self.items, group.data.as_ints[i])[0] = faces.data.as_ints[i]
        drop_inconsistent(&self.items, viewer)

# Cache of searches for places; valid as long as nothing on the board moves.
#
# To find out whether there is a legal end place, and which one is the best, takes a search (:mod:`cext.geometry.branch_and_bound`).
# It is needed each time that a decision is listed, checked and explained. Clones share a cache until one of them moves something.

cdef class PlaceCache:
    cdef Board board
    cdef Discs discs
    cdef dict found
    cdef dict best

    def __cinit__(self):
        self.found, self.best = {}, {}

    cdef bint fits(self, Board board, const Discs* discs) noexcept:
        """Whether the cache is valid for this position."""
        return self.board is board and memcmp(&self.discs, discs, sizeof(Discs)) == 0

    cdef int32_t find(self, Plan* plan) except -2:
        """A legal place of a plan, packed; -1 if there is none."""
        key = key_of(plan)
        place = self.found.get(key)
        if place is None:
            place = self.found[key] = find_place(plan)
        return place

    cdef int bind_best(self, Plan* plan) except -1:
        """Bind a plan with a direction word to its best places."""
        key = key_of(plan)
        place = self.best.get(key)
        if place is None:
            find_best(plan)
            self.best[key] = plan.best_place
        else:
            set_best(plan, place)
        return 0


cdef tuple key_of(const Plan* plan):
    """Cache key of a plan: its numbers, without the position and the sizes of the rulers."""
    about, distance = 0, 0
    if plan.kind == PLACE:
        about, distance = plan.target, plan.distance
    elif plan.kind == CHARGE:
        about, distance = plan.target, plan.blind
    elif plan.kind == ENTER:
        about = plan.edge
    return (
        plan.kind, plan.element, plan.r, about, distance, plan.reference if plan.towards else -1, plan.towards,
        <size_t> plan.move_ruler, <size_t> plan.push_ruler,
    )

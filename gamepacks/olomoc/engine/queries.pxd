from libc.stdint cimport int32_t, int64_t, uint64_t

from gamepacks.olomoc.engine.state_base cimport StateBase

cdef bint within(StateBase m, int one, int other, int64_t distance) noexcept
cdef bint in_zone(StateBase m, int figure, int element) noexcept
cdef bint engages(StateBase m, int figure, int other) noexcept
cdef bint engaged(StateBase m, int figure) noexcept
cdef bint is_free(StateBase m, int figure) noexcept
cdef bint supported(StateBase m, int figure, int target) noexcept
cdef bint touches(StateBase m, int one, int other) noexcept
cdef bint sees(StateBase m, int one, int other) except -1
cdef bint covered(StateBase m, int figure) except -1
cdef bint far(StateBase m, int one, int other) noexcept
cdef uint64_t figures_where(StateBase m, int where) noexcept
cdef uint64_t foes_of(StateBase m, int figure) noexcept
cdef bint exists(StateBase m, int element) noexcept
cdef uint64_t in_zone_of_tag(StateBase m, int figure, int tag) except? 0xFFFFFFFF
cdef int tag_of(StateBase m, int element) except -2

cdef struct Elements:
    # Figures and markers, and pieces of scenery.
    uint64_t discs
    uint64_t pieces

cdef int new_scope(StateBase m, int32_t* scope, int bearer, int capacity) except -1
cdef int chooser_of(StateBase m, int32_t* scope) noexcept
cdef int decider(StateBase m, int figure) noexcept
cdef int player_of(StateBase m, int player, int32_t* scope) noexcept
cdef int value(StateBase m, object val, int32_t* scope) except? -1000000
cdef bint holds(StateBase m, object cond, int32_t* scope) except -1
cdef bint fits(StateBase m, object sel, int32_t* scope, int element) except -1
cdef Elements select(StateBase m, object sel, int32_t* scope) except *
cdef int count_of(Elements elements) noexcept
cdef Elements narrowed(StateBase m, object sel, int32_t* scope, Elements found) except *
cdef bint is_active(StateBase m, int figure) noexcept

cdef struct Pool:
    int dice
    int difficulty
    # Successes that are added.
    int added

cdef list running(StateBase m, int op)
cdef int sight_rule(StateBase m, int figure, int which) except -2
cdef int stat_of(StateBase m, int figure, int stat) except -1
cdef int protection(StateBase m, int figure) except -1
cdef bint forbidden(StateBase m, int figure, int bit) except -1
cdef bint costs_nothing(StateBase m, int figure, int bit) except -1
cdef int more_uses(StateBase m, int figure, int bit) except -1
cdef bint lifted(StateBase m, int figure, int bit, int condition) except -1
cdef Pool pool_of(
    StateBase m, int figure, int stat, int role, int bit, int target, bint charging, bint shooting, list counted=*
) except *
cdef Pool fixed_pool(StateBase m, int figure, int stat, int role, int bit, int target, bint charging, bint shooting) except *
cdef bint concerns_roll(StateBase m, object on, int32_t* scope, int role, int bit, int stat, int target) except -1
cdef int subject_of(object node, int32_t* scope) except -2
cdef tuple values_of(StateBase m, object node, int32_t* scope)

from cext.geometry.ruler cimport Near, Pose, RulerSize

cdef struct PoseNode:
    # The poses at parameters t - half_t .. t + half_t, v - half_v .. v + half_v of a family: the middle one, its overlap with
    # obstacles, and the largest displacement of a point of the ruler from the middle pose to another one, in ticks.
    Pose pose
    double overlap
    double spread
    double t
    double half_t
    double v
    double half_v
    int family
    # The first of its two children; 0 before it is split.
    int child

cdef struct PoseTree:
    # The poses of a ruler that touch a base at (x, y) with radius r, or a deployment line: edge 0 to 3, -1 for a base.
    const Near* near
    const RulerSize* ruler
    double x
    double y
    double r
    int edge
    int count
    int room
    PoseNode* node

cdef int start_poses(
    PoseTree* tree, const Near* near, const RulerSize* ruler, double x, double y, double r, int edge
) except -1 nogil
cdef void end_poses(PoseTree* tree) noexcept nogil
cdef bint may_touch(PoseTree* tree, double x, double y, double radius) except -1 nogil

"""Tree of the poses of a ruler that touch a base or a deployment line, refined where it is searched.

The poses have two parameters: the direction of the ruler, and the place of the base on its rounded rim (or the place of the
ruler on the line). A node of the tree is a rectangle of parameters. The overlap of its middle pose with obstacles, and its spread,
tell whether a pose within can be free, since a displacement by less than the spread changes an overlap by no more. So
:func:`may_touch` errs only on one side: where it says no, :func:`cext.geometry.reach.find_pose` finds nothing.
"""

from libc.math cimport fabs, sqrt
from libc.stdlib cimport free, malloc, realloc

from cext.geometry.board cimport SIDE
from cext.geometry.entry cimport turn_to_edge
from cext.geometry.ruler cimport Near, Pose, RulerSize, depth, epsilon

cdef enum:
    FIRST_ROOM = 256
    # Four quadrants of directions times four stretches of the rim, which is its own image through its centre.
    BASE_FAMILIES = 16
    LINE_FAMILIES = 2
    MAX_DEPTH = 128

# Tolerance in ticks, far more than the rounding error of a pose.
cdef double SLACK = 1


cdef int start_poses(
    PoseTree* tree, const Near* near, const RulerSize* ruler, double x, double y, double r, int edge
) except -1 nogil:
    """Begin a tree. ``end_poses`` has to be called, whatever happens."""
    cdef int family
    tree.near, tree.ruler = near, ruler
    tree.x, tree.y, tree.r, tree.edge = x, y, r, edge
    tree.count, tree.room = 0, FIRST_ROOM
    tree.node = <PoseNode*> malloc(FIRST_ROOM * sizeof(PoseNode))
    if tree.node == NULL:
        with gil:
            raise MemoryError
    for family in range(BASE_FAMILIES if edge < 0 else LINE_FAMILIES):
        add_node(tree, family, 0.5, 0.5, 0.5, 0.5)
    return 0


cdef void end_poses(PoseTree* tree) noexcept nogil:
    free(tree.node)
    tree.node = NULL


cdef double rim_point(const PoseTree* tree, int stretch, double v, double* px, double* py) noexcept nogil:
    """The point at v, 0 to 1, of a stretch of the rim, in the ruler's frame; returns how fast it moves at most.

    Stretches: the lower side, the lower right corner, the right end, the upper right corner.
    """
    cdef double h = tree.ruler.h, w = tree.ruler.w, r = tree.r
    cdef double cosine = (1 - v * v) / (1 + v * v), sine = 2 * v / (1 + v * v)
    if stretch == 0:
        px[0], py[0] = (2 * v - 1) * h, -(w + r)
        return 2 * h
    if stretch == 1:
        px[0], py[0] = h + r * sine, -w - r * cosine
        return 2 * r
    if stretch == 2:
        px[0], py[0] = h + r, (2 * v - 1) * w
        return 2 * w
    px[0], py[0] = h + r * cosine, w + r * sine
    return 2 * r


cdef double direction_part(const PoseTree* tree, PoseNode* node) noexcept nogil:
    """Set the middle pose and the spread of a node; returns the part of the spread that its directions make."""
    cdef double t = node.t, cosine = (1 - t * t) / (1 + t * t), sine = 2 * t / (1 + t * t), low = t - node.half_t
    # The angle 2 atan(t) grows fastest at the lower end.
    cdef double turn = 2 * node.half_t / (1 + low * low), along, arm, px = 0, py = 0
    cdef Pose* pose = &node.pose
    cdef int quadrant = node.family & 3
    if tree.edge >= 0:
        along, arm = SIDE * node.half_v, 2 * tree.ruler.diagonal
        pose.ux, pose.uy = -cosine if node.family else cosine, sine
        pose.nx, pose.ny = sine if node.family else -sine, cosine
        pose.x, pose.y = SIDE * node.v, tree.ruler.h * sine + tree.ruler.w * cosine
        turn_to_edge(tree.edge, pose)
    else:
        along = node.half_v * rim_point(tree, node.family >> 2, node.v, &px, &py)
        arm = sqrt(px * px + py * py) + along + tree.ruler.diagonal
        if quadrant & 1:
            cosine, sine = -sine, cosine
        if quadrant & 2:
            cosine, sine = -cosine, -sine
        pose.ux, pose.uy, pose.nx, pose.ny = cosine, sine, -sine, cosine
        pose.x = tree.x - (px * pose.ux + py * pose.nx)
        pose.y = tree.y - (px * pose.uy + py * pose.ny)
    node.spread = turn * arm + along
    return turn * arm


cdef int add_node(PoseTree* tree, int family, double t, double half_t, double v, double half_v) noexcept nogil:
    """Append a node, for which there is room."""
    cdef PoseNode* node = &tree.node[tree.count]
    node.family, node.child = family, 0
    node.t, node.half_t, node.v, node.half_v = t, half_t, v, half_v
    direction_part(tree, node)
    node.overlap = depth(tree.near, tree.ruler, &node.pose)
    tree.count += 1
    return 0


cdef int split(PoseTree* tree, int index) except -1 nogil:
    """Halve a node along the parameter that spreads it most."""
    cdef PoseNode* grown
    cdef PoseNode node
    if tree.count + 2 > tree.room:
        grown = <PoseNode*> realloc(tree.node, 2 * tree.room * sizeof(PoseNode))
        if grown == NULL:
            with gil:
                raise MemoryError
        tree.node = grown
        tree.room *= 2
    node = tree.node[index]
    tree.node[index].child = tree.count
    if 2 * direction_part(tree, &node) >= node.spread:
        add_node(tree, node.family, node.t - node.half_t / 2, node.half_t / 2, node.v, node.half_v)
        add_node(tree, node.family, node.t + node.half_t / 2, node.half_t / 2, node.v, node.half_v)
    else:
        add_node(tree, node.family, node.t, node.half_t, node.v - node.half_v / 2, node.half_v / 2)
        add_node(tree, node.family, node.t, node.half_t, node.v + node.half_v / 2, node.half_v / 2)
    return 0


cdef bint may_touch(PoseTree* tree, double x, double y, double radius) except -1 nogil:
    """Whether a free pose may touch a base somewhere within ``radius`` of (x, y), in ticks. False is certain.

    Nodes are refined until they spread less than the radius.
    """
    cdef int[MAX_DEPTH] stack
    cdef int top = 0, index, root
    cdef PoseNode* node
    cdef double dx, dy, along, across, distance
    for root in range(BASE_FAMILIES if tree.edge < 0 else LINE_FAMILIES):
        stack[0], top = root, 1
        while top:
            top -= 1
            index = stack[top]
            node = &tree.node[index]
            if node.overlap > node.spread + epsilon() + SLACK:
                continue
            dx, dy = x - node.pose.x, y - node.pose.y
            along = max(0, fabs(dx * node.pose.ux + dy * node.pose.uy) - tree.ruler.h)
            across = max(0, fabs(dx * node.pose.nx + dy * node.pose.ny) - tree.ruler.w)
            distance = sqrt(along * along + across * across)
            if fabs(distance - tree.r) > radius + node.spread + SLACK:
                continue
            if node.spread <= 0.5 * radius or top + 2 > MAX_DEPTH:
                return True
            if node.child == 0:
                split(tree, index)
            stack[top] = tree.node[index].child
            stack[top + 1] = tree.node[index].child + 1
            top += 2
    return False

from libc.stdint cimport int32_t, uint32_t

from cext.guide cimport Guide
from cext.random cimport Rng
from cext.state cimport Codes, State

cdef struct Edge:
    int32_t parent
    int32_t code
    int32_t child
    int32_t next
    int32_t seat
    uint32_t visits
    uint32_t offers
    float prior
    double total

cdef struct Node:
    uint32_t visits
    int32_t first_edge
    int32_t edge_count
    bint expanded

cdef struct Indices:
    int32_t* item
    Py_ssize_t size
    Py_ssize_t capacity

cdef class TreeSearch:
    cdef readonly int players
    cdef readonly bint hidden
    cdef readonly Guide guide
    cdef readonly double exploration
    cdef readonly double widening
    cdef readonly double widening_power
    cdef readonly int playout_plies
    cdef readonly int max_plies
    cdef readonly int max_nodes
    cdef readonly long iterations
    cdef Node* _nodes
    cdef int32_t _node_count, _root
    cdef Py_ssize_t _node_capacity
    cdef Edge* _edges
    cdef int32_t _edge_count
    cdef Py_ssize_t _edge_capacity
    cdef int32_t* _table
    cdef uint32_t _table_mask
    # The edges and the nodes of the iteration.
    cdef Indices _path
    cdef Indices _visited
    cdef double* _values
    cdef double* _sums
    cdef double _low, _span
    cdef Codes _legal
    cdef Codes _playout_legal
    cdef bint _has_priors, _has_values, _has_policy
    cdef uint32_t _hashed
    cdef int iterate(self, State state, Rng rng) except -1
    cdef int32_t choose_listed(self, State state, int32_t node, int seat, Rng rng) except -2
    cdef int32_t best_by_priors(self, int32_t edge, int32_t last, uint32_t visits) noexcept
    cdef int32_t choose_open(self, State state, int32_t node, int seat, Rng rng) except -2
    cdef int list_edges(self, State state, int32_t node, int seat, Rng rng) except -1
    cdef int sort_by_weight(self) except -1
    cdef int32_t best_open_by_priors(self, State state, int32_t node, int seat, Rng rng) except -2
    cdef double considered(self, uint32_t visits) noexcept
    cdef int play_out(self, State state, Rng rng) except -1
    cdef bint guided_step(self, State state, Rng rng) except -1
    cdef int read_values(self, State state) except -1
    cdef uint32_t slot(self, int32_t node, int seat, int32_t code) noexcept
    cdef int32_t find_edge(self, int32_t node, int seat, int32_t code) noexcept
    cdef int32_t new_edge(self, int32_t node, int seat, int32_t code) except -1
    cdef int32_t add_edge(self, int32_t node, int seat, int32_t code) except -1
    cdef int32_t add_node(self) except -2
    cdef bint extend(self, int32_t edge) except -1
    cdef int grow_table(self) except -1
    cdef int reset(self) except -1

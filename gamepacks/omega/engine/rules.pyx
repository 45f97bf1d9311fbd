"""The rules of OMEGA, compiled as one extension module: :class:`OmegaState`, its search and its guide for tree search.

Each subject is an include file, and all of them share one namespace.
"""

from libc.math cimport tanh
from libc.stdint cimport int16_t, int32_t, int64_t, int8_t, uint16_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from cext.clock cimport now
from cext.guide cimport Guide
from cext.playout cimport random_step
from cext.random cimport Rng
from cext.state cimport C_CHANCE, C_TERMINAL, Codes, State
from gamepacks.omega.codes_enums cimport *
from gamepacks.omega.v1.omega_enums cimport *

from gamepacks.omega import codes, scoring
from gamepacks.omega.v1.omega_enums import RedLimit

include "data.pxi"
include "ruleset.pxi"
include "moves.pxi"
include "actions.pxi"
include "resampling.pxi"
include "scoring.pxi"
include "turn_flow.pxi"
include "state.pxi"
include "search.pxi"
include "guide.pxi"

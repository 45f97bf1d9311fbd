"""The rules of Ominoes, compiled as one extension module: the state, the board, and the guide of bots.

Each subject is an include file, from the ground up; all of them share one namespace. Rule ids (OMI-...) are those of
RULES.md.
"""

from libc.math cimport tanh
from libc.stdint cimport int16_t, int32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from cext.grid cimport (
    Shape, WIDE_STRIDE, WideSet, around64, component64, count64, lowest64, make_shape, three_step_ends64,
    three_step_path, wide_any, wide_around, wide_component, wide_count, wide_has, wide_insert, wide_lowest,
    wide_remove, wide_window,
)
from cext.guide cimport Guide
from cext.random cimport Rng
from cext.state cimport C_CHANCE, C_TERMINAL, Codes, State
from gamepacks.ominoes.codes_enums cimport *
from gamepacks.ominoes.v1.ominoes_enums cimport *

include "data.pxi"
include "board.pxi"
include "state.pxi"
include "evaluation.pxi"

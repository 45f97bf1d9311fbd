"""The rules of both editions of Omen, compiled as one extension module: :class:`OmenState`, its evaluation and its guide.

Each subject is an include file, and all of them share one namespace.
"""

from libc.math cimport tanh
from libc.stdint cimport int16_t, int32_t, uint16_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from cext.guide cimport Guide
from cext.knowledge cimport (
    Belief, drop_inconsistent, exchange_faces, Items, leave_group, mix_items, redeal_items, show_item, take_known_copy,
)
from cext.random cimport Rng
from cext.state cimport C_CHANCE, C_SIMULTANEOUS, C_TERMINAL, Codes, State
from gamepacks.omen.cards.program_enums cimport *
from gamepacks.omen.codes_enums cimport *
from gamepacks.omen.v1.omen_enums cimport *

from gamepacks.omen.cards.analysis import ProgramAnalysis
from gamepacks.omen.v1.omen_enums import Challenges, Draft, SackedTie, Start

include "data.pxi"
include "piles.pxi"
include "values.pxi"
include "modified_values.pxi"
include "operations.pxi"
include "selection.pxi"
include "hidden.pxi"
include "abilities.pxi"
include "ability_resolution.pxi"
include "effects.pxi"
include "card_moves.pxi"
include "control.pxi"
include "modifiers.pxi"
include "playing.pxi"
include "war.pxi"
include "scoring.pxi"
include "turn.pxi"
include "setup.pxi"
include "loop.pxi"
include "dump.pxi"
include "state.pxi"
include "evaluation.pxi"

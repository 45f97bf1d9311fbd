"""The rules of Olomòc, compiled as one extension module: :class:`OlomocState`, its evaluation and its guide for search.

Each subject is an include file. All of them share one namespace, so that a call from one to another is a call in C.
Players are numbered as in the rules, from 0 (player 1); their seats may be the other way round.
Rouages 0 to 2 are player 1's, by rank, 3 to 5 player 2's, 6 to 15 hostiles.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport int16_t, int32_t, int64_t, int8_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

from cext.clock cimport now
from cext.geometry.board cimport (
    Board, compare_gap, compare_roots, DISCS, Discs, FIGURES, in_cover, is_within, is_zone, lowest, nearest_of,
    point_at, Root, root_to, spot_free, touched_discs, touched_pieces, touches_piece, x_of, y_of,
)
from cext.geometry.branch_and_bound cimport find_best, find_place
from cext.geometry.candidates cimport set_best, set_direction
from cext.geometry.places cimport list_capacity, list_places, nearest_free
from cext.geometry.plan cimport (
    is_legal, Plan, plan_charge, plan_entry, plan_move, plan_placement, plan_push, plan_shift,
)
from cext.geometry.ruler cimport Ruler
from cext.geometry.sight cimport sees_disc, sees_piece
from cext.geometry.units_enums cimport *
from cext.guide cimport Guide
from cext.playout cimport random_step
from cext.random cimport Rng
from cext.state cimport C_CHANCE, C_SIMULTANEOUS, C_TERMINAL, Codes, State
from gamepacks.olomoc.codes_enums cimport *
from gamepacks.olomoc.constants_enums cimport *
from gamepacks.olomoc.v1.olomoc_enums cimport *

from itertools import combinations

from cext.geometry import (
    loose_parts, Part, Piece as SceneryPiece, SceneryPlacement, setup_fault, ShapeError, Table as Measuring, turned,
)
from cext.search import rank_by_evaluation
from gamepacks.api.types import OMNISCIENT
from gamepacks.olomoc.cabales import Cabale
from gamepacks.olomoc.codes import Reason
from gamepacks.olomoc.constants import AGENDA_CAPACITY, GEAR_CAPACITY, Op, PROFILE_CAPACITY, Trigger
from gamepacks.olomoc.ruleset import NONE
from gamepacks.olomoc.v1.olomoc_enums import Decision

include "data.pxi"
include "ruleset.pxi"
include "place_cache.pxi"
include "frames.pxi"
include "queries.pxi"
include "selectors.pxi"
include "modifiers.pxi"
include "damage.pxi"
include "combat.pxi"
include "opportunity.pxi"
include "hostiles.pxi"
include "moves.pxi"
include "capacities.pxi"
include "triggers.pxi"
include "effects.pxi"
include "card_moves.pxi"
include "card_rolls.pxi"
include "setup.pxi"
include "turn_flow.pxi"
include "activations.pxi"
include "planning.pxi"
include "main_loop.pxi"
include "choices.pxi"
include "dump.pxi"
include "state.pxi"
include "resampling.pxi"
include "evaluation.pxi"

from libc.stdint cimport int8_t, int16_t, int32_t, uint64_t

from cext.geometry.ruler cimport Ruler

cdef enum:
    MAX_CARDS = 320
    MAX_BOXES = 20
    MAX_CARD_CAPACITIES = 16

cdef struct Card:
    # A profile, or after all profiles, a hostile.
    int32_t rank
    int32_t radius
    int32_t stats[4]
    int32_t boxes
    int8_t life[MAX_BOXES]
    int32_t ap
    int32_t acts
    int32_t reactions[3]
    bint prefer_riposte
    int32_t capacities
    int16_t capacity[MAX_CARD_CAPACITIES]

cdef class Rules:
    cdef readonly object ruleset
    cdef readonly object drafter
    cdef readonly object values
    cdef readonly object options
    cdef readonly Ruler move_ruler
    cdef readonly Ruler push_ruler
    cdef readonly int profiles
    cdef readonly int list_step
    cdef readonly int rest_ap, rest_limit, march_ap, charge_ap, charge_limit, riposte_ap, riposte_limit, dodge_limit
    cdef readonly int opportunity_ap, opportunity_limit, propaganda_rank
    cdef readonly bint any_tie, attack_taints_only, both_reactions, felled_riposte, next_box_only, enter_first
    cdef readonly bint stun_stays, spawn_acts, choose_ap, secret_build, placed
    # The same with places listed farther apart, once it was asked for.
    cdef Rules thinned
    # -1: by a roll; reactions of hostiles: by profile (0), none (1), free (2).
    cdef readonly int start_seat, hostile_reactions, agenda, layout
    cdef Card card[MAX_CARDS]
    # By card, the affiliations as bits.
    cdef readonly list card_ministries
    cdef readonly list capacities
    # By capacity, the effects that it has all the time, as bits of Op; 0 for one that is used or triggered.
    cdef readonly list continuous
    cdef readonly tuple nodes
    cdef readonly tuple programs
    cdef readonly tuple boards
    cdef readonly list plain_program
    cdef Rules coarse(self)

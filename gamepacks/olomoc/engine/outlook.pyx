"""How a position looks for a player: a guess at the result, for bots that cannot play every game out.

Everything is reckoned in victory points: those that are there, what the rouages are worth that may still win some, the
price of wounds, Noirceur and Fiel, and how near they are to what the agenda has laid out. Nothing hidden is looked at.
"""

from libc.math cimport exp, sqrt
from libc.stdint cimport int64_t, uint64_t

from cext.geometry.board cimport FIGURES, INCH, lowest
from gamepacks.olomoc.engine.facts cimport within
from gamepacks.olomoc.engine.rules cimport Card
from gamepacks.olomoc.engine.table cimport BLOC, Figure, OFF, OUT, PLAYERS_FIGURES, are_foes, stunned

cdef enum:
    CYCLES = 4
    PHASES = 6
    CLOSE = 1 * INCH

# What a rouage is worth in play, and unhurt besides; a token while the whole cycle is to come; the base being on the board.
cdef double ALIVE = 1.0
cdef double UNHURT = 2.0
cdef double TOKEN = 0.1
cdef double THERE = 0.4
cdef double STUN = -0.6
# By level.
cdef double[4] NOIRCEUR = [0.0, -0.25, -0.6, -1.4]
cdef double[4] FIEL = [0.0, -1.2, -3.5, -100.0]
# At a marker of the agenda, and a foe within an inch; both fade to nothing at FAR inches.
cdef double AT_GOAL = 0.9
cdef double AT_PREY = 0.6
cdef double FAR = 14.0


cdef double outlook(OlomocTable m, int player) except? -2.0:
    """From -1, a sure loss, to 1, a sure win."""
    cdef double left, score
    if m.t.over:
        return m.t.won[player]
    # The part of the game that is still to come.
    left = (CYCLES - m.t.cycle + (PHASES - m.t.phase) / <double> PHASES) / CYCLES
    left = min(1.0, max(0.0, left))
    score = m.t.vp[player] - m.t.vp[1 - player] + FIEL[m.t.fiel[player]] - FIEL[m.t.fiel[1 - player]]
    score += (0.25 + 0.75 * left) * (band(m, player) - band(m, 1 - player))
    # The less time there is left, the surer a lead.
    return 2.0 / (1.0 + exp(-score * (0.2 + 0.5 * (1.0 - left)))) - 1.0


cdef double band(OlomocTable m, int player) except? -1000.0:
    """What a player's rouages are worth as they stand."""
    cdef double worth = 0.0
    cdef Figure* f
    cdef const Card* card
    # Tokens that are left when the cycle ends are lost.
    cdef double token = TOKEN * max(0, PHASES - 1 - m.t.phase) / (PHASES - 1.0)
    cdef int i
    for i in range(3 * player, 3 * player + 3):
        f = &m.t.figure[i]
        if f.where != BLOC and f.where != OFF:
            continue
        card = &m.rules.card[f.card]
        worth += ALIVE + UNHURT * (card.boxes - f.ticked) / card.boxes + NOIRCEUR[f.noirceur] + token * f.ap
        if stunned(m, i):
            worth += STUN
        if f.where == BLOC:
            worth += THERE + AT_GOAL * (1.0 - goal_distance(m, i) / FAR)
            worth += AT_PREY * card.stats[1] / 4.0 * (1.0 - prey_distance(m, i) / FAR)
    return worth


cdef double gap(OlomocTable m, int one, int other) noexcept:
    """Inches between two elements; about, as it is for a guess."""
    cdef double dx = m.t.discs.x[one] - m.t.discs.x[other], dy = m.t.discs.y[one] - m.t.discs.y[other]
    return (sqrt(dx * dx + dy * dy) - m.t.discs.r[one] - m.t.discs.r[other]) / INCH


cdef double goal_distance(OlomocTable m, int figure) noexcept:
    """Inches to the nearest marker: to its zone, or to an inch from it; 0 where it is reached."""
    cdef uint64_t left = m.t.discs.present >> FIGURES << FIGURES
    cdef double best = FAR, distance
    cdef int i
    while left:
        i = lowest(left)
        left &= left - 1
        distance = gap(m, figure, i) - (m.t.mark[i].zone / <double> INCH if m.t.mark[i].zone >= 0 else 1.0)
        best = min(best, max(0.0, distance))
    return best


cdef double prey_distance(OlomocTable m, int figure) noexcept:
    """Inches to the nearest foe, less the inch of its own threat zone."""
    cdef double best = FAR
    cdef int i
    for i in range(FIGURES):
        if m.t.figure[i].where == BLOC and are_foes(m, figure, i):
            best = min(best, max(0.0, gap(m, figure, i) - 1.0))
    return best

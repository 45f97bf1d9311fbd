"""The state of a game of OMEGA: the table, and the rules that other modules hold, behind the engine's interface.

After each action or outcome the state stands at the next decision, chance node, or end: the phase says where the turn
stands, and the topmost frame of the stack, if there is one, what must be resolved first (OMEGA-MAIN-06).

==============  ====================================================================================
decisions       what each action does
moves           which actions are legal
outcomes        chance: what can come, and what it does
course          what goes on by itself: set-up, phases, endings
gaining         summon, capture, recovery, disowning
placing         runes and their powers
powers          the powers of Egregors
disc            the pawns and the Arcana
judgement       the score
unseen          what a viewer can say about the runes that it does not see
redeal, hands   another table that a viewer cannot tell from this one
values          the table as plain Python values
==============  ====================================================================================
"""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy, memset

from cext.state cimport C_CHANCE, C_TERMINAL, Codes, State
from gamepacks.omega.engine cimport values
from gamepacks.omega.engine.course cimport settle
from gamepacks.omega.engine.decisions cimport draw_step, frame_step, main_step
from gamepacks.omega.engine.judgement cimport Tally, Worth, judge, known_arcana, token_worth
from gamepacks.omega.engine.moves cimport push_draw, push_frame, push_main
from gamepacks.omega.engine.outcomes cimport happen, push_outcomes
from gamepacks.omega.engine.redeal cimport redeal
from gamepacks.omega.engine.table cimport (
    CARDS, F_BAG_DRAW, F_FLIP, F_LOOK, F_RECOVER, Frame, NONE, Notes, P_DRAW, P_MAIN, P_OVER, P_SETUP_ALTAR, Rules, SEATS,
    SLOTS, STACKS, TOKENS, TYPES, Table,
)

from gamepacks.omega import scoring


cdef class OmegaState(State):
    """A table of OMEGA; made by :class:`gamepacks.omega.game.Omega`."""

    def __init__(self, object game, Rules rules not None):
        """The table before the set-up."""
        cdef int i
        self.game = game
        self.rules = rules
        memset(&self.table, 0, sizeof(Table))
        self.table.phase = P_SETUP_ALTAR
        self.table.start = rules.start_player
        self.table.active = rules.start_player
        self.table.announcer = -1
        for i in range(TYPES):
            self.table.bag[i] = rules.total[i]
            self.table.bag_size += rules.total[i]
        for i in range(SLOTS):
            self.table.gallery[i] = NONE
        self.table.deck = (<uint64_t> 1 << CARDS) - 1
        for i in range(STACKS):
            self.table.top[i] = NONE
            self.table.hidden[i] = TOKENS // STACKS
        for i in range(rules.kinds):
            self.table.pool[i] = rules.copies[i]
        for i in range(rules.players):
            self.table.player[i].mask = -1
        self.table.batch_seat = NONE
        self.table.batch_index = NONE

    def dump(self):
        """The whole table as plain Python values, for views and positions; cards and tokens by number, 255 for none."""
        return values.dump(self.rules, &self.table)

    def load(self, table):
        """Put the table into any position; whoever calls has checked that every value is in its range."""
        values.load(&self.table, table)

    def settled(self):
        """Does the table stand where somebody, or chance, has something to choose (or at the end)?"""
        cdef OmegaState other = self.clone()
        cdef Codes out = Codes()
        settle(other.rules, &other.table)
        if other.table.depth != self.table.depth or other.table.phase != self.table.phase:
            return False
        if other.table.turn != self.table.turn:
            return False
        if self.actor() == C_CHANCE:
            self.fill_chance(out)
        elif self.actor() >= 0:
            self.fill_legal(-1, out)
        return self.actor() == C_TERMINAL or out.size > 0

    # -- what there is to see, cheaply ---------------------------------------

    @property
    def phase(self):
        """Where the game stands, a number of codes.Phase."""
        return self.table.phase

    @property
    def active(self):
        """The seat whose turn it is; -1 before the first is known."""
        return self.table.active

    @property
    def pending(self):
        """What must be resolved first: (kind, a, b, c) of codes.Frame; None for nothing."""
        cdef Frame* frame
        if not self.table.depth:
            return None
        frame = &self.table.stack[self.table.depth - 1]
        return (frame.kind, frame.a, frame.b, frame.c)

    @property
    def turn(self):
        """Number of the turn, from 1; 0 in the set-up."""
        return self.table.turn

    @property
    def ending(self):
        """Bits of codes.Ending; 0 while no ending has been announced."""
        return self.table.ending

    @property
    def batch(self):
        """The batch that is being built: (seat, place) or (255, slot) of its target, its runes by type; None for none."""
        if self.table.batch_index == NONE:
            return None
        return (self.table.batch_seat, self.table.batch_index, tuple(self.table.batch[:TYPES]))

    def card_at(self, int seat, int place):
        """The card id of an Egregor in play; None where none lies."""
        if not (0 <= seat < self.rules.players and 0 <= place < self.table.player[seat].owned):
            return None
        return self.table.player[seat].row[place].card

    def load_at(self, int seat, int place):
        """The runes on an Egregor in play, by type."""
        return tuple(self.table.player[seat].row[place].load[:TYPES])

    def gallery_card(self, int slot):
        """The card in a slot of the gallery; None for an empty one."""
        if not 0 <= slot < SLOTS or self.table.gallery[slot] == NONE:
            return None
        return self.table.gallery[slot]

    def token_at(self, int stack):
        """The visible token of a stack; None for none."""
        if not 0 <= stack < STACKS or self.table.top[stack] == NONE:
            return None
        return self.table.top[stack]

    def token_points(self, int seat):
        """The points of a seat's tokens, in order of taking, as things stand."""
        cdef int i
        return [
            token_worth(self.rules, &self.table, self.table.player[seat].token[i], seat, NULL).least
            for i in range(self.table.player[seat].held)
        ]

    def tallies(self):
        """(runes, gold, Arcana, Prestige bonus) of each seat, if it came to judgement now (OMEGA-SCORE-01)."""
        cdef Tally[SEATS] tally
        cdef int seat
        judge(self.rules, &self.table, tally)
        return [
            (tally[seat].runes, tally[seat].gold, tally[seat].arcana, tally[seat].bonus)
            for seat in range(self.rules.players)
        ]

    def known_arcana(self, int seat):
        """(least, most) that a seat's tokens are worth now by what the seat itself knows; they differ only where a
        token asks who has most runes of a type in the pyramid."""
        cdef Worth points = known_arcana(self.rules, &self.table, seat)
        return (points.least, points.most)

    def narrate(self, int32_t code):
        """What a step does besides what its code says: (kind of codes.Note, a, b, c), in order of time."""
        cdef OmegaState other = self.clone()
        cdef Notes notes
        cdef int i
        notes.count = 0
        other.table.notes = &notes
        try:
            other.step(code, -1)
        finally:
            other.table.notes = NULL
        return [(notes.note[i].kind, notes.note[i].a, notes.note[i].b, notes.note[i].c) for i in range(notes.count)]

    # -- State ---------------------------------------

    cpdef int actor(self) except? -100:
        cdef int phase = self.table.phase, kind
        if self.table.depth:
            kind = self.table.stack[self.table.depth - 1].kind
            if kind == F_BAG_DRAW or kind == F_FLIP or kind == F_LOOK:
                return C_CHANCE
            if kind == F_RECOVER:
                # OMEGA-TURN-02
                return self.table.stack[self.table.depth - 1].a
            return self.table.active
        if phase == P_OVER:
            return C_TERMINAL
        if phase == P_DRAW or phase == P_MAIN:
            return self.table.active
        return C_CHANCE

    cpdef State clone(self):
        cdef OmegaState copy = OmegaState.__new__(OmegaState)
        copy.game = self.game
        copy.rules = self.rules
        memcpy(&copy.table, &self.table, sizeof(Table))
        return copy

    cpdef tuple returns(self):
        return scoring.returns(self.game, self)

    cpdef State resample(self, int viewer, object rng):
        cdef OmegaState other = self.clone()
        # OMEGA-SCORE: at the judgement everything lies open.
        if viewer != -2 and self.table.phase != P_OVER:
            redeal(self.rules, &self.table, &other.table, viewer, rng)
        return other

    cdef int fill_legal(self, int seat, Codes out) except -1:
        cdef int actor = self.actor()
        out.size = 0
        if actor < 0 or seat != -1 and seat != actor:
            return 0
        if self.table.depth:
            return push_frame(self.rules, &self.table, out)
        if self.table.phase == P_DRAW:
            return push_draw(&self.table, out)
        return push_main(self.rules, &self.table, out)

    cdef int fill_chance(self, Codes out) except -1:
        out.size = 0
        if self.actor() != C_CHANCE:
            return 0
        return push_outcomes(self.rules, &self.table, out)

    cdef int step(self, int32_t code, int seat) except -1:
        if self.actor() == C_CHANCE:
            happen(self.rules, &self.table, code)
        elif self.table.depth:
            frame_step(self.rules, &self.table, code)
        elif self.table.phase == P_DRAW:
            draw_step(&self.table, code)
        else:
            main_step(self.rules, &self.table, code)
        settle(self.rules, &self.table)
        if self.table.overflow:
            raise RuntimeError(f"more is pending, or happens in one step, than OMEGA has room for (code {code})")
        return 0

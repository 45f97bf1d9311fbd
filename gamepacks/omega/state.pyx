"""The course of the game, compiled. Rule ids (OMEGA-...) are those of RULES.md.

After each action or outcome the state stands at the next decision, chance node, or end: the phase says where the turn
stands, and the topmost frame of the stack, if there is one, what must be resolved first (OMEGA-MAIN-06).
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cext.state cimport C_CHANCE, C_TERMINAL, Codes, State
from gamepacks.omega.moves cimport push_draw, push_frame, push_main
from gamepacks.omega.redeal cimport redeal
from gamepacks.omega.table cimport (
    BLACK, BLUE, BOOK, CARDS, E_ARCANIC, E_EXHAUSTION, E_MAX_TURNS, E_RUNIC, Effect, Egregor, F_ARCANA, F_BAG_DRAW,
    F_BATCH, F_BLACK_TAKE, F_BLACK_TARGET, F_BOOK, F_CYCLE, F_DRAW, F_FLIP, F_KEY, F_KEY_PLACE, F_LIGHTNING, F_LOOK,
    F_PAIR_FIRST, F_PAIR_SECOND, F_RECOVER, F_RED, F_TARGET, FULL, FULL_ALTAR, Frame, GREEN, LIGHTNING, MOST_FRAMES,
    NONE, NO_COLOUR, OP_ADVANCE, OP_CYCLE, OP_DRAW, OP_KEY, P_DEAL, P_DRAW, P_END, P_MAIN, P_OVER, P_SETUP_ALTAR,
    P_SETUP_ARCANA, P_SETUP_GALLERY, P_START_PLAYER, P_UPKEEP_ALTAR, P_UPKEEP_GALLERY, Player, RED, ROW, Rules,
    SECOND, SLOTS, STACKS, TOKENS, TYPES, Table, V_ADD, V_ALTAR_RUNE, V_ARCANA, V_BAG_RUNE, V_BLACK, V_BLACK_TAKE,
    V_BLACK_TARGET, V_BOOK, V_CAPTURE, V_CONFIRM, V_CYCLE, V_DEAL, V_DECLINE, V_DISOWN, V_END, V_FLIP, V_GALLERY_CARD,
    V_KEY_NONE, V_KEY_PLACE, V_KEY_TAKE, V_LOOK, V_MASK, V_PAIR, V_PAIR_FIRST, V_PAIR_SECOND, V_PLACE, V_PULL,
    V_RECOVER, V_SEARCH_BAG, V_START_PLAYER, V_STOP, V_SUMMON, V_TAKE_ALTAR, V_TAKE_BAG, V_TARGET, WHITE,
)

from gamepacks.omega import scoring
from gamepacks.omega.refusals import refusal

cdef int[3][4] HANDS
# OMEGA-SETUP-06, added up
HANDS[0][:] = [4, 9, 9, 9]
HANDS[1][:] = [4, 9, 15, 15]
HANDS[2][:] = [4, 9, 14, 20]

cdef uint64_t ALL_CARDS = (<uint64_t> 1 << CARDS) - 1
cdef int PER_BATCH = 1
cdef int PER_TURN = 2


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
        self.table.deck = ALL_CARDS
        for i in range(STACKS):
            self.table.top[i] = NONE
            self.table.hidden[i] = TOKENS // STACKS
        for i in range(rules.kinds):
            self.table.pool[i] = rules.copies[i]
        for i in range(rules.players):
            self.table.player[i].mask = -1
        self.table.batch_seat = NONE
        self.table.batch_index = NONE

    # -- as plain values -----------------------------------------------------------------------------------------------

    def dump(self):
        """The whole table as plain Python values, for views and positions; see :mod:`gamepacks.omega.values`."""
        cdef Table* t = &self.table
        cdef Player* p
        cdef int i, j
        players = []
        for i in range(self.rules.players):
            p = &t.player[i]
            players.append({
                "pyramid": list(p.pyramid[:TYPES]), "shown": list(p.shown[:TYPES]), "mask": p.mask, "lost": bool(p.lost),
                "prestige": p.prestige, "steps": p.steps, "tokens": list(p.token[:p.held]),
                "row": [
                    {
                        "card": p.row[j].card, "load": list(p.row[j].load[:TYPES]), "gained": bool(p.row[j].gained),
                        "used": p.row[j].used, "old_blacks": p.row[j].old_blacks,
                    }
                    for j in range(p.owned)
                ],
            })
        return {
            "phase": t.phase, "start": t.start, "active": t.active, "dealt": t.dealt, "bag": list(t.bag[:TYPES]),
            "absent": list(t.absent[:TYPES]), "altar": list(t.altar[:TYPES]), "gallery": list(t.gallery[:SLOTS]),
            "deck": cards_of(t.deck), "discard": cards_of(t.discard), "looked": cards_of(t.looked),
            "certain": cards_of(t.certain), "top": list(t.top[:STACKS]), "hidden": list(t.hidden[:STACKS]),
            "pool": list(t.pool[:self.rules.kinds]), "players": players, "turn": t.turn,
            "gain_used": bool(t.gain_used), "disowned": t.disowned, "last_mask": bool(t.last_mask),
            "mask_moved": bool(t.mask_moved), "latch": bool(t.latch), "red_used": bool(t.red_used),
            "green_pending": bool(t.green_pending), "batch": list(t.batch[:TYPES]), "batch_seat": t.batch_seat,
            "batch_index": t.batch_index, "batch_shown": bool(t.batch_shown), "keys": t.keys,
            "done": list(t.done[:t.keys_done]), "ending": t.ending, "announcer": t.announcer,
            "final_left": t.final_left,
            "stack": [(t.stack[i].kind, t.stack[i].a, t.stack[i].b, t.stack[i].c) for i in range(t.depth)],
        }

    def load(self, values):
        """Put the table into any position; whoever calls has checked that every value is in its range."""
        cdef Table* t = &self.table
        cdef Player* p
        cdef int i, j, k
        memset(t, 0, sizeof(Table))
        t.phase, t.start, t.active, t.dealt = values["phase"], values["start"], values["active"], values["dealt"]
        for i in range(TYPES):
            t.bag[i], t.absent[i], t.altar[i] = values["bag"][i], values["absent"][i], values["altar"][i]
            t.batch[i] = values["batch"][i]
            t.bag_size += t.bag[i]
            t.altar_size += t.altar[i]
            t.batch_size += t.batch[i]
        for i in range(SLOTS):
            t.gallery[i] = values["gallery"][i]
        t.deck, t.discard = mask_of(values["deck"]), mask_of(values["discard"])
        t.looked, t.certain = mask_of(values["looked"]), mask_of(values["certain"])
        for i in range(STACKS):
            t.top[i], t.hidden[i] = values["top"][i], values["hidden"][i]
        for i, count in enumerate(values["pool"]):
            t.pool[i] = count
        for i, player in enumerate(values["players"]):
            p = &t.player[i]
            for j in range(TYPES):
                p.pyramid[j], p.shown[j] = player["pyramid"][j], player["shown"][j]
            p.mask, p.lost, p.prestige, p.steps = player["mask"], player["lost"], player["prestige"], player["steps"]
            p.held = len(player["tokens"])
            for j, token in enumerate(player["tokens"]):
                p.token[j] = token
            p.owned = len(player["row"])
            for j, card in enumerate(player["row"]):
                p.row[j].card, p.row[j].gained, p.row[j].used = card["card"], card["gained"], card["used"]
                p.row[j].old_blacks = card["old_blacks"]
                for k in range(TYPES):
                    p.row[j].load[k] = card["load"][k]
                    p.row[j].total += p.row[j].load[k]
        t.turn, t.gain_used, t.disowned = values["turn"], values["gain_used"], values["disowned"]
        t.last_mask, t.mask_moved, t.latch = values["last_mask"], values["mask_moved"], values["latch"]
        t.red_used, t.green_pending = values["red_used"], values["green_pending"]
        t.batch_seat, t.batch_index = values["batch_seat"], values["batch_index"]
        t.batch_shown = values["batch_shown"]
        t.keys, t.keys_done = values["keys"], len(values["done"])
        for i, place in enumerate(values["done"]):
            t.done[i] = place
        t.ending, t.announcer, t.final_left = values["ending"], values["announcer"], values["final_left"]
        t.depth = len(values["stack"])
        for i, (kind, a, b, c) in enumerate(values["stack"]):
            t.stack[i].kind, t.stack[i].a, t.stack[i].b, t.stack[i].c = kind, a, b, c

    def settled(self):
        """Does the table stand where somebody, or chance, has something to choose (or at the end)?"""
        cdef OmegaState other = self.clone()
        cdef Codes out = Codes()
        other.settle()
        if other.table.depth != self.table.depth or other.table.phase != self.table.phase:
            return False
        if other.table.turn != self.table.turn:
            return False
        if self.actor() == C_CHANCE:
            self.fill_chance(out)
        elif self.actor() >= 0:
            self.fill_legal(-1, out)
        return self.actor() == C_TERMINAL or out.size > 0

    # -- what there is to see, cheaply ------------------------------------------------------------------------------

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
        cdef Frame* top
        if not self.table.depth:
            return None
        top = self.top()
        return (top.kind, top.a, top.b, top.c)

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

    # -- State ------------------------------------------------------------------------------------------------------

    cpdef int actor(self) except? -100:
        cdef int phase = self.table.phase, kind
        if self.table.depth:
            kind = self.table.stack[self.table.depth - 1].kind
            if kind == F_BAG_DRAW or kind == F_FLIP or kind == F_LOOK:
                return C_CHANCE
            if kind == F_RECOVER:
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

    cpdef object why_illegal(self, int32_t code, int seat=-1):
        return refusal(self, code, seat)

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
        cdef int kind = self.table.stack[self.table.depth - 1].kind if self.table.depth else 0
        cdef int phase = self.table.phase, i
        out.size = 0
        if self.actor() != C_CHANCE:
            return 0
        if kind == F_FLIP or kind == 0 and phase == P_SETUP_ARCANA:
            for i in range(self.rules.kinds):
                if self.table.pool[i]:
                    out.push_weighted(V_FLIP | i, self.table.pool[i])
        elif kind == F_LOOK or kind == 0 and (phase == P_SETUP_GALLERY or phase == P_UPKEEP_GALLERY):
            for i in range(CARDS):
                if self.table.deck >> i & 1:
                    out.push_weighted((V_LOOK if kind else V_GALLERY_CARD) | i, 1)
        elif phase == P_START_PLAYER and kind == 0:
            for i in range(self.rules.players):
                out.push_weighted(V_START_PLAYER | i, 1)
        else:
            for i in range(TYPES):
                if self.table.bag[i]:
                    if kind == F_BAG_DRAW:
                        out.push_weighted(V_BAG_RUNE | i, self.table.bag[i])
                    else:
                        out.push_weighted((V_DEAL if phase == P_DEAL else V_ALTAR_RUNE) | i, self.table.bag[i])
        return 0

    cdef int step(self, int32_t code, int seat) except -1:
        if self.actor() == C_CHANCE:
            self.chance_step(code)
        elif self.table.depth:
            self.frame_step(code)
        elif self.table.phase == P_DRAW:
            # OMEGA-DRAW-01
            self.table.phase = P_MAIN
            if code & ~0xFFFFFF == V_TAKE_BAG:
                self.push(F_BAG_DRAW, 0, 0, 0)
            else:
                self.from_altar(code & 0xFF)
                self.into_pyramid(self.table.active, code & 0xFF)
        else:
            self.main_step(code)
        self.settle()
        return 0

    # -- runes --------------------------------------------------------------------------------------------------------

    cdef Frame* top(self) noexcept nogil:
        return &self.table.stack[self.table.depth - 1]

    cdef void push(self, int kind, int a, int b, int c) noexcept nogil:
        cdef Frame* frame
        if self.table.depth == MOST_FRAMES:
            return
        frame = &self.table.stack[self.table.depth]
        frame.kind, frame.a, frame.b, frame.c = kind, a, b, c
        self.table.depth += 1

    cdef void into_pyramid(self, int seat, int type) noexcept nogil:
        # In the open: everyone knows now that one of that type is there.
        self.table.player[seat].pyramid[type] += 1
        self.table.player[seat].shown[type] += 1

    cdef void from_pyramid(self, int seat, int type) noexcept nogil:
        cdef Player* player = &self.table.player[seat]
        player.pyramid[type] -= 1
        if player.shown[type]:
            player.shown[type] -= 1

    cdef void into_bag(self, int type) noexcept nogil:
        self.table.bag[type] += 1
        self.table.bag_size += 1
        self.table.absent[type] = 0

    cdef void from_bag(self, int type) noexcept nogil:
        self.table.bag[type] -= 1
        self.table.bag_size -= 1
        if not self.table.bag_size:
            # OMEGA-END-05
            self.table.latch = 1

    cdef void from_altar(self, int type) noexcept nogil:
        self.table.altar[type] -= 1
        self.table.altar_size -= 1

    # -- steps --------------------------------------------------------------------------------------------------------

    cdef int chance_step(self, int32_t code) except -1:
        cdef int verb = code & ~0xFFFFFF, what = code & 0xFF, i
        cdef Table* t = &self.table
        if verb == V_ALTAR_RUNE:
            self.from_bag(what)
            t.altar[what] += 1
            t.altar_size += 1
        elif verb == V_DEAL:
            self.from_bag(what)
            t.player[self.receiver()].pyramid[what] += 1
            t.dealt += 1
        elif verb == V_BAG_RUNE:
            t.depth -= 1
            self.from_bag(what)
            t.player[t.active].pyramid[what] += 1
        elif verb == V_GALLERY_CARD:
            t.deck &= ~(<uint64_t> 1 << what)
            for i in range(SLOTS):
                if t.gallery[i] == NONE:
                    t.gallery[i] = what
                    break
        elif verb == V_LOOK:
            t.deck &= ~(<uint64_t> 1 << what)
            t.looked |= <uint64_t> 1 << what
            self.top().a -= 1
        elif verb == V_FLIP:
            if t.depth:
                i = self.top().a
                t.depth -= 1
            else:
                i = 0
                while t.top[i] != NONE:
                    i += 1
            t.top[i] = what
            t.hidden[i] -= 1
            t.pool[what] -= 1
        else:
            t.start = t.active = what
        return 0

    cdef int receiver(self) noexcept nogil:
        # The seat to which the next rune is dealt.
        cdef int place = 0
        while self.table.dealt >= HANDS[self.rules.players - 2][place]:
            place += 1
        return (self.table.start + place) % self.rules.players

    cdef void main_step(self, int32_t code) noexcept nogil:
        cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, second = code >> SECOND & 0xFF
        cdef Table* t = &self.table
        t.last_mask = verb == V_MASK
        if verb != V_PLACE or first != GREEN:
            t.green_pending = 0
        if verb == V_END:
            t.phase = P_END
            first = 0
            for second in range(t.player[t.active].owned):
                first += self.rules.card[t.player[t.active].row[second].card].thrust
            # OMEGA-ENDPH-01
            self.advance(first)
        elif verb == V_SUMMON:
            t.batch_seat, t.batch_index = NONE, first
            self.push(F_BATCH, 0, 0, 0)
        elif verb == V_CAPTURE:
            t.batch_seat, t.batch_index = first, second
            self.push(F_BATCH, 0, 0, 0)
        elif verb == V_PLACE:
            self.push(F_TARGET, first, 0, 0)
        elif verb == V_BLACK:
            # Announced in the open: everyone knows now that a black is there.
            if not t.player[t.active].shown[BLACK]:
                t.player[t.active].shown[BLACK] = 1
            self.push(F_BLACK_TARGET, 0, 0, 0)
        elif verb == V_PAIR:
            self.push(F_PAIR_FIRST, 0, 0, 0)
        elif verb == V_DISOWN:
            t.disowned += 1
            self.lose(t.active, first)
        elif verb == V_MASK:
            t.mask_moved = 1
            t.player[t.active].mask = first
        else:
            self.push(F_BOOK, first, t.player[t.active].row[first].card, second << 4)
            # A Key looks at the marks as they were, and sets them (OMEGA-KEY-12).
            if self.rules.card[self.top().b].power[second].effect[0].op != OP_KEY:
                t.player[t.active].row[first].used |= 1 << second

    cdef void frame_step(self, int32_t code) noexcept nogil:
        cdef int verb = code & ~0xFFFFFF, first = code & 0xFF, second = code >> SECOND & 0xFF, i
        cdef Table* t = &self.table
        cdef Player* player = &t.player[t.active]
        cdef Egregor* egregor
        cdef Frame frame = self.top()[0]
        if verb == V_ADD:
            t.batch[first] += 1
            t.batch_size += 1
        elif verb == V_CONFIRM:
            t.depth -= 1
            self.confirm()
        elif verb == V_TARGET:
            t.depth -= 1
            self.from_pyramid(t.active, frame.a)
            self.placed(first, frame.a)
        elif verb == V_PAIR_FIRST:
            t.depth -= 1
            self.push(F_PAIR_SECOND, first, 0, 0)
        elif verb == V_PAIR_SECOND:
            # OMEGA-GREEN-01, OMEGA-GREEN-02
            t.depth -= 1
            for i in range(2):
                self.from_pyramid(t.active, GREEN)
                egregor = &player.row[frame.a if i == 0 else first]
                egregor.load[GREEN] += 1
                egregor.total += 1
            self.push(F_DRAW, 1, NO_COLOUR, 0)
        elif verb == V_BLACK_TARGET:
            t.depth -= 1
            self.push(F_BLACK_TAKE, first, second, 0)
        elif verb == V_BLACK_TAKE:
            # A swap (OMEGA-BLACK-02, OMEGA-BLACK-03)
            t.depth -= 1
            egregor = &t.player[frame.a].row[frame.b]
            egregor.load[first] -= 1
            egregor.load[BLACK] += 1
            if first == BLACK:
                egregor.old_blacks -= 1
            self.from_pyramid(t.active, BLACK)
            self.into_pyramid(t.active, first)
        elif verb == V_PULL:
            # OMEGA-RED-01, OMEGA-RED-03
            self.from_altar(RED)
            player.row[frame.a].load[RED] += 1
            player.row[frame.a].total += 1
            t.red_used = 1
            self.top().b -= 1
        elif verb == V_DECLINE:
            t.red_used = 1
            self.top().b -= 1
        elif verb == V_TAKE_ALTAR:
            self.from_altar(first)
            self.into_pyramid(t.active, first)
            self.top().a -= 1
        elif verb == V_TAKE_BAG:
            self.top().a -= 1
            self.push(F_BAG_DRAW, 0, 0, 0)
        elif verb == V_SEARCH_BAG:
            self.top().a -= 1
            self.draw_colour(first)
        elif verb == V_ARCANA:
            # OMEGA-ARCANA-01, OMEGA-ARCANA-02
            player.token[player.held] = t.top[first]
            player.held += 1
            t.top[first] = NONE
            self.top().a -= 1
            self.push(F_FLIP, first, 0, 0)
        elif verb == V_RECOVER:
            egregor = &t.player[frame.a].row[frame.b]
            egregor.load[first] -= 1
            egregor.total -= 1
            self.into_pyramid(frame.a, first)
            self.top().c -= 1
        elif verb == V_CYCLE:
            egregor = &player.row[first]
            egregor.load[second] -= 1
            egregor.total -= 1
            self.into_pyramid(t.active, second)
            self.top().a -= 1
        elif verb == V_STOP:
            if frame.kind == F_RECOVER:
                self.top().c = 0
            else:
                self.top().a = 0
        elif verb == V_KEY_NONE:
            t.keys = 0
        elif verb == V_KEY_TAKE:
            if t.keys & (t.keys - 1):
                self.push(F_KEY_PLACE, first, 0, 0)
            else:
                i = 0
                while not t.keys >> i & 1:
                    i += 1
                self.replace(i, first)
        elif verb == V_KEY_PLACE:
            t.depth -= 1
            self.replace(first, frame.a)

    cdef void placed(self, int place, int type) noexcept nogil:
        # OMEGA-ORDER-01
        cdef Egregor* egregor = &self.table.player[self.table.active].row[place]
        egregor.load[type] += 1
        egregor.total += 1
        if type == BLUE:
            self.advance(2)
        elif type == RED:
            self.push(F_RED, place, 1, 0)
        elif type == GREEN and self.rules.consecutive:
            self.table.green_pending = not self.table.green_pending
            if not self.table.green_pending:
                self.push(F_DRAW, 1, NO_COLOUR, 0)

    cdef void advance(self, int squares) noexcept nogil:
        # OMEGA-DISC-01 to OMEGA-DISC-03
        cdef Player* player = &self.table.player[self.table.active]
        cdef int before = self.rules.passed(player.steps), passings
        player.steps += squares
        passings = self.rules.passed(player.steps) - before
        if passings > 0:
            # Beyond all tokens a passing gives nothing (OMEGA-ARCANA-03).
            self.push(F_ARCANA, TOKENS if passings > TOKENS else passings, 0, 0)

    # -- gaining and losing ---------------------------------------------------------------------------------------------

    cdef void confirm(self) noexcept nogil:
        cdef Table* t = &self.table
        cdef Player* player = &t.player[t.active]
        cdef int i, card
        t.gain_used = 1
        t.batch_shown = 1
        for i in range(TYPES):
            if player.shown[i] < t.batch[i]:
                player.shown[i] = t.batch[i]
        if t.batch_seat == NONE:
            card = t.gallery[t.batch_index]
            t.gallery[t.batch_index] = NONE
            self.gain(card)
        else:
            # OMEGA-CAPTURE-10, OMEGA-CAPTURE-11
            player.prestige += 1
            self.lose(t.batch_seat, t.batch_index)

    cdef void lose(self, int seat, int place) noexcept nogil:
        # OMEGA-RECOVER-01, OMEGA-RECOVER-02
        cdef Egregor* egregor = &self.table.player[seat].row[place]
        cdef int snake = self.rules.card[egregor.card].snake
        while egregor.load[WHITE]:
            egregor.load[WHITE] -= 1
            egregor.total -= 1
            self.into_pyramid(seat, WHITE)
        self.push(F_RECOVER, seat, place, snake if snake < egregor.total else egregor.total)

    cdef void recovered(self) noexcept nogil:
        # The loser has picked: the rest goes to the bag, and the card on.
        cdef Table* t = &self.table
        cdef Frame frame = self.top()[0]
        cdef Egregor* egregor = &t.player[frame.a].row[frame.b]
        cdef int type, card = egregor.card
        t.depth -= 1
        for type in range(TYPES):
            while egregor.load[type]:
                egregor.load[type] -= 1
                self.into_bag(type)
        egregor.total = 0
        self.remove(frame.a, frame.b)
        if frame.a == t.active:
            # OMEGA-DISOWN-05
            t.discard |= <uint64_t> 1 << card
        else:
            t.player[frame.a].lost = 1
            self.gain(card)

    cdef void remove(self, int seat, int place) noexcept nogil:
        cdef Player* player = &self.table.player[seat]
        cdef int i
        for i in range(place, player.owned - 1):
            player.row[i] = player.row[i + 1]
        player.owned -= 1
        memset(&player.row[player.owned], 0, sizeof(Egregor))
        if player.mask == place:
            # OMEGA-DISOWN-06
            player.mask = -1
        elif player.mask > place:
            player.mask -= 1

    cdef void gain(self, int card) noexcept nogil:
        cdef Table* t = &self.table
        cdef Player* player = &t.player[t.active]
        cdef int place = player.owned, type, reds
        cdef Egregor* egregor = &player.row[place]
        cdef uint8_t[TYPES] batch
        memset(egregor, 0, sizeof(Egregor))
        egregor.card = card
        egregor.gained = 1
        for type in range(TYPES):
            batch[type] = t.batch[type]
            egregor.load[type] = t.batch[type]
            egregor.total += t.batch[type]
            while t.batch[type]:
                t.batch[type] -= 1
                self.from_pyramid(t.active, type)
        t.batch_size = t.batch_shown = 0
        t.batch_seat = t.batch_index = NONE
        player.owned += 1
        if place == 0 and not self.rules.card[card].renegade:
            # OMEGA-MASK-02
            player.mask = 0
        # OMEGA-ORDER-02: what is pushed last comes first.
        self.push(F_LIGHTNING, place, card, 0)
        t.green_pending = self.rules.consecutive and batch[GREEN] & 1
        if batch[GREEN] >= 2:
            self.push(F_DRAW, batch[GREEN] // 2, NO_COLOUR, 0)
        reds = batch[RED]
        if reds and self.rules.red_limit == PER_BATCH:
            reds = 1
        self.push(F_RED, place, reds, 0)
        if batch[BLUE]:
            self.advance(2 * batch[BLUE])

    # -- powers ---------------------------------------------------------------------------------------------------------

    cdef void effect(self, int place, int card, int power, int number) noexcept nogil:
        cdef Effect* effect = &self.rules.card[card].power[power].effect[number]
        if effect.op == OP_ADVANCE:
            self.advance(effect.n)
        elif effect.op == OP_DRAW:
            self.push(F_DRAW, effect.n, effect.colour, 1)
        elif effect.op == OP_CYCLE:
            self.push(F_CYCLE, effect.n, effect.colour, 0)
        else:
            self.begin_key(place)

    cdef void begin_key(self, int place) noexcept nogil:
        # OMEGA-KEY-01, OMEGA-KEY-02, OMEGA-KEY-12
        cdef Player* player = &self.table.player[self.table.active]
        cdef int i, power, card, total = 0
        self.table.keys = self.table.keys_done = 0
        for i in range(player.owned):
            card = player.row[i].card
            if not self.rules.card[card].key:
                continue
            for power in range(self.rules.card[card].powers):
                if self.rules.card[card].power[power].effect[0].op == OP_KEY:
                    break
            if self.rules.card[card].key_book and player.row[i].used >> power & 1 and i != place:
                continue
            if self.rules.card[card].key_book:
                player.row[i].used |= 1 << power
            total += self.rules.card[card].key
            self.table.keys |= 1 << i
        self.push(F_LOOK, CARDS if total > CARDS else total, 0, 0)

    cdef void replace(self, int place, int card) noexcept nogil:
        # OMEGA-KEY-05 to OMEGA-KEY-09
        cdef Table* t = &self.table
        cdef Player* player = &t.player[t.active]
        t.looked &= ~(<uint64_t> 1 << card)
        t.certain &= t.looked
        t.discard |= <uint64_t> 1 << player.row[place].card
        player.row[place].card = card
        player.row[place].used = 0
        if player.mask == place and self.rules.card[card].renegade:
            player.mask = -1
        t.keys &= ~(1 << place)
        t.done[t.keys_done] = place
        t.keys_done += 1

    cdef void end_key(self) noexcept nogil:
        cdef Table* t = &self.table
        cdef int i
        t.depth -= 1
        if self.rules.key_discard:
            t.discard |= t.looked
        else:
            # OMEGA-KEY-10
            t.deck |= t.looked
        t.looked = t.certain = 0
        if self.rules.key_fires:
            for i in range(t.keys_done - 1, -1, -1):
                self.push(F_LIGHTNING, t.done[i], t.player[t.active].row[t.done[i]].card, 0)
        t.keys_done = 0
        memset(t.done, 0, sizeof(t.done))

    cdef bint draw_colour(self, int type) noexcept nogil:
        # OMEGA-HAND-02
        if self.table.altar[type]:
            self.from_altar(type)
        elif self.table.bag[type]:
            self.from_bag(type)
        else:
            if self.table.bag_size:
                self.table.absent[type] = 1
            return False
        self.into_pyramid(self.table.active, type)
        return True

    # -- the course of the game ---------------------------------------------------------------------------------------

    cdef void settle(self) noexcept nogil:
        # Go on by itself until somebody, or chance, has something to choose.
        while True:
            if self.table.depth:
                if self.settle_frame():
                    return
            elif self.settle_phase():
                return

    cdef bint settle_frame(self) noexcept nogil:
        """Is the topmost frame one that waits? Else it has been resolved."""
        cdef Table* t = &self.table
        cdef Player* player = &t.player[t.active]
        cdef Frame* top = self.top()
        cdef int kind = top.kind, place, power, number
        if kind == F_RED:
            # OMEGA-RED-04, OMEGA-RED-05
            if top.b and t.altar[RED] and player.row[top.a].total < FULL:
                if not (self.rules.red_limit == PER_TURN and t.red_used):
                    return True
        elif kind == F_DRAW:
            if top.a and top.b == NO_COLOUR:
                # OMEGA-GREEN-05
                if t.altar_size or t.bag_size:
                    return True
            elif top.a and self.rules.up_to_power and top.c:
                if t.altar[top.b] or t.bag_size and not t.absent[top.b]:
                    return True
            elif top.a:
                top.a -= 1
                if self.draw_colour(top.b):
                    return False
        elif kind == F_ARCANA:
            # OMEGA-ARCANA-03
            if top.a and not (self.rules.arcana_cap and player.held >= self.rules.arcanic):
                for place in range(STACKS):
                    if t.top[place] != NONE:
                        return True
        elif kind == F_FLIP:
            if t.hidden[top.a]:
                return True
        elif kind == F_BAG_DRAW:
            if t.bag_size:
                return True
        elif kind == F_RECOVER:
            if top.c and t.player[top.a].row[top.b].total:
                return True
            self.recovered()
            return False
        elif kind == F_CYCLE:
            if top.a:
                for place in range(player.owned):
                    if player.row[place].total if top.b == NO_COLOUR else player.row[place].load[top.b]:
                        return True
        elif kind == F_LOOK:
            if top.a and not t.deck and t.discard:
                # OMEGA-KEY-11
                t.certain = t.looked
                t.deck, t.discard = t.discard, 0
            if top.a and t.deck:
                return True
            t.depth -= 1
            self.push(F_KEY, 0, 0, 0)
            return False
        elif kind == F_KEY:
            if t.keys:
                return True
            self.end_key()
            return False
        elif kind == F_LIGHTNING or kind == F_BOOK:
            power, number = top.c >> 4, top.c & 15
            place = top.b
            if kind == F_LIGHTNING:
                while power < self.rules.card[place].powers and (
                    self.rules.card[place].power[power].trigger != LIGHTNING
                    or number >= self.rules.card[place].power[power].effects
                ):
                    power += 1
                    number = 0
            if power < self.rules.card[place].powers and number < self.rules.card[place].power[power].effects:
                top.c = power << 4 | number + 1
                self.effect(top.a, place, power, number)
                return False
        else:
            return True
        t.depth -= 1
        return False

    cdef bint settle_phase(self) noexcept nogil:
        """Does the phase wait for somebody or chance? Else it has gone on."""
        cdef Table* t = &self.table
        cdef int phase = t.phase, i
        if phase == P_SETUP_ALTAR or phase == P_UPKEEP_ALTAR:
            # OMEGA-UPKEEP-05
            if t.altar_size < FULL_ALTAR and t.bag_size:
                return True
            t.phase = P_SETUP_GALLERY if phase == P_SETUP_ALTAR else P_UPKEEP_GALLERY
        elif phase == P_SETUP_GALLERY or phase == P_UPKEEP_GALLERY:
            for i in range(SLOTS):
                if t.gallery[i] == NONE:
                    if not t.deck:
                        # OMEGA-UPKEEP-04
                        t.deck, t.discard = t.discard, 0
                    if t.deck:
                        return True
            t.phase = P_SETUP_ARCANA if phase == P_SETUP_GALLERY else P_DRAW
        elif phase == P_SETUP_ARCANA:
            for i in range(STACKS):
                if t.top[i] == NONE:
                    return True
            t.phase = P_START_PLAYER
        elif phase == P_START_PLAYER:
            if t.start < 0:
                return True
            t.phase = P_DEAL
        elif phase == P_DEAL:
            if t.dealt < HANDS[self.rules.players - 2][self.rules.players - 1]:
                return True
            self.begin_turn()
        elif phase == P_DRAW:
            # OMEGA-DRAW-03
            if t.altar_size or t.bag_size:
                return True
            t.phase = P_MAIN
        elif phase == P_END:
            self.end_turn()
        else:
            return True
        return False

    cdef void begin_turn(self) noexcept nogil:
        # OMEGA-TURN-03
        cdef Table* t = &self.table
        cdef int seat, place
        t.turn += 1
        t.gain_used = t.disowned = t.last_mask = t.mask_moved = t.red_used = t.green_pending = 0
        t.latch = t.bag_size == 0
        t.player[t.active].lost = 0
        for seat in range(self.rules.players):
            for place in range(t.player[seat].owned):
                t.player[seat].row[place].gained = t.player[seat].row[place].used = 0
                t.player[seat].row[place].old_blacks = t.player[seat].row[place].load[BLACK]
        t.phase = P_UPKEEP_ALTAR

    cdef void end_turn(self) noexcept nogil:
        # OMEGA-END-06
        cdef Table* t = &self.table
        cdef Player* player = &t.player[t.active]
        cdef int place, full = 0, ending = 0
        if t.announcer < 0:
            for place in range(player.owned):
                full += player.row[place].total == FULL
            if player.held >= self.rules.arcanic:
                ending |= E_ARCANIC
            if full == SLOTS:
                ending |= E_RUNIC
            if t.bag_size == 0 and self.rules.end_of_turn or t.latch and not self.rules.end_of_turn:
                ending |= E_EXHAUSTION
            if ending:
                t.ending = ending
                t.announcer = t.active
                t.final_left = self.rules.players - 1
        else:
            # OMEGA-FINAL-01
            t.final_left -= 1
        if self.rules.max_turns and t.turn >= self.rules.max_turns and not (t.announcer >= 0 and t.final_left == 0):
            t.ending |= E_MAX_TURNS
            t.phase = P_OVER
        elif t.announcer >= 0 and t.final_left == 0:
            t.phase = P_OVER
        else:
            t.active = (t.active + 1) % self.rules.players
            self.begin_turn()


cdef list cards_of(uint64_t mask):
    cdef int i
    return [i for i in range(CARDS) if mask >> i & 1]


cdef uint64_t mask_of(cards) except? 0:
    cdef uint64_t mask = 0
    cdef int card
    for card in cards:
        mask |= <uint64_t> 1 << card
    return mask

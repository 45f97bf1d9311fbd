# The compiled card set and options of a match: immutable, shared by all of its states.

# Effects of a continuous capacity, and effects that have no decision, no chance and no change of place.
CONTINUOUS_OPS = frozenset({Op.MOD, Op.STAT, Op.PROTECT, Op.FORBID, Op.PERMIT, Op.SIGHT})
PLAIN_OPS = CONTINUOUS_OPS | {
    Op.WOUND, Op.HEAL, Op.NOIRCEUR, Op.FIEL, Op.TRAQUE, Op.STATE, Op.AP, Op.TAINT, Op.TOKEN, Op.VP, Op.PRIORITY, Op["IF"],
    Op.EACH,
}


cdef class OlomocRules:
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
    # Cache of the same rules with places listed farther apart.
    cdef OlomocRules coarse_rules
    # -1: by a roll; reactions of hostiles: by profile (0), none (1), free (2).
    cdef readonly int start_seat, hostile_reactions, agenda, layout
    cdef Card card[MAX_CARDS]
    # The affiliations of each card, as bits.
    cdef readonly list card_ministries
    cdef readonly list capacities
    # The continuous effects of each capacity, as bits of Op; 0 for one that is used or triggered.
    cdef readonly list continuous
    cdef readonly tuple nodes
    cdef readonly tuple programs
    cdef readonly tuple boards
    cdef readonly list plain_program

    def __init__(self, ruleset, options, values, drafter):
        cdef int i
        self.ruleset, self.options, self.values, self.drafter = ruleset, options, values, drafter
        self.move_ruler = Ruler(values.move_ruler_length, values.move_ruler_width)
        self.push_ruler = Ruler(values.push_ruler_length, values.push_ruler_width)
        self.rest_ap, self.rest_limit, self.march_ap = values.rest_ap, values.rest_limit, values.march_ap
        self.charge_ap, self.charge_limit = values.charge_ap, values.charge_limit
        self.riposte_ap, self.riposte_limit, self.dodge_limit = values.riposte_ap, values.riposte_limit, values.dodge_limit
        self.opportunity_ap, self.opportunity_limit = values.opportunity_ap, values.opportunity_limit
        self.propaganda_rank = values.propaganda_rank
        self.list_step = options.list_step
        self.any_tie = options.tie_rule == "any"
        self.attack_taints_only = options.tainted_box == "attack_only"
        self.both_reactions = options.reaction_limit == "both"
        self.felled_riposte = options.felled_riposte
        self.next_box_only = options.reinforced_scope == "next_box"
        self.enter_first = options.entry == "compulsory"
        self.stun_stays = options.hostile_stun == "permanent"
        self.spawn_acts = options.spawn_acts
        self.choose_ap = options.propaganda_ap == "choose"
        self.secret_build = options.build == "secret"
        self.placed = options.bloc == "placed"
        self.start_seat = {"random": -1, "seat0": 0, "seat1": 1}[options.start_number]
        self.hostile_reactions = ("profile", "none", "free").index(options.hostile_reactions)
        self.agenda = _number(options.agenda, ruleset.agendas)
        self.layout = NONE if self.placed else _number(options.bloc, ruleset.layouts)
        cards = [*ruleset.profiles, *ruleset.hostiles]
        if len(cards) > MAX_CARDS:
            raise ValueError(f"a card set has at most {MAX_CARDS} profiles and hostiles, not {len(cards)}")
        self.profiles = len(ruleset.profiles)
        self.card_ministries = [card.ministries for card in cards]
        for i, card in enumerate(cards):
            self.set_card(i, card)
        self.capacities = list(ruleset.capacities)
        self.nodes, self.programs = ruleset.nodes, ruleset.programs
        self.continuous = [self.find_continuous(capacity) for capacity in self.capacities]
        self.boards = tuple(Board([piece.shape for piece in layout.pieces]) for layout in ruleset.layouts)
        self.plain_program = [self.is_plain(program) for program in range(len(self.programs))]

    cdef OlomocRules coarse(self):
        """Returns the same rules with places listed twice as far apart, and an inch at least, for bots that search (OLO-GEO-62)."""
        if self.coarse_rules is None:
            self.coarse_rules = OlomocRules(self.ruleset, self.options, self.values, self.drafter)
            self.coarse_rules.list_step = max(100, 2 * self.list_step)
        return self.coarse_rules

    def set_card(self, int number, profile):
        cdef Card* card = &self.card[number]
        cdef int i
        card.rank, card.radius, card.ap, card.acts = profile.rank, profile.radius, profile.ap, profile.acts
        card.prefer_riposte = profile.prefer_riposte
        for i in range(4):
            card.stats[i + 1] = profile.stats[i]
        for i in range(3):
            card.reactions[i] = profile.reactions[i]
        card.boxes = len(profile.life)
        for i in range(card.boxes):
            card.life[i] = profile.life[i]
        card.capacities = min(len(profile.capacities), MAX_CARD_CAPACITIES)
        for i in range(card.capacities):
            card.capacity[i] = profile.capacities[i]

    def is_plain(self, int program):
        """Whether a list of effects has no decision, no chance and no change of place."""
        if program < 0:
            return True
        return all(
            node.op in PLAIN_OPS and self.is_plain(node.then) and self.is_plain(node.otherwise)
            for node in self.programs[program]
        )

    def find_continuous(self, found):
        if found.active or found.trigger != Trigger.CONTINUOUS:
            return 0
        return self.program_ops(found.program)

    def program_ops(self, int program):
        """The effects that last, in a list and those within it, as bits of Op."""
        cdef uint64_t bits = 0
        if program < 0:
            return 0
        for node in self.programs[program]:
            if node.op in CONTINUOUS_OPS:
                bits |= <uint64_t> 1 << <int> node.op
            elif node.op == OP_IF:
                bits |= <uint64_t> self.program_ops(node.then) | <uint64_t> self.program_ops(node.otherwise)
        return bits

    def __reduce__(self):
        return OlomocRules, (self.ruleset, self.options, self.values, self.drafter)


cdef int _number(str wanted, tuple among) except -2:
    for one in among:
        if one.id == wanted:
            return one.index
    return NONE

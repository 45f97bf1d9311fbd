# The main loop: runs the top frame until a player or chance has to decide.

# The function of a kind of frame, which carries out the next step of a frame. Called with -1, it continues, or asks for a decision
# and returns 1; called with the code of a decision, it applies that code.
ctypedef int (*Step)(StateBase s, Frame* frame, int code) except -1

cdef Step[FRAME_KINDS] STEPS
STEPS[F_GAME] = game_step
STEPS[F_BUILD] = build_step
STEPS[F_CYCLE] = cycle_step
STEPS[F_PLANNING] = planning_step
STEPS[F_PHASE] = phase_step
STEPS[F_CARD] = card_step
STEPS[F_ACTIVATION] = activation_step
STEPS[F_CAPACITY] = capacity_step
STEPS[F_MOVE] = move_step
STEPS[F_WINDOW] = window_step
STEPS[F_ATTACK] = attack_step
STEPS[F_EFFECTS] = effects_step
STEPS[F_TRIGGERS] = triggers_step
STEPS[F_HOSTILE_PHASE] = hostiles_step
STEPS[F_HOSTILE] = hostile_step
STEPS[F_MECHANISM] = mechanism_step
STEPS[F_END_OF_CYCLE] = end_step
STEPS[F_GO] = go_step
STEPS[F_PICK] = pick_step
STEPS[F_ROLL] = roll_step
STEPS[F_DIE] = die_step


cdef int start_game(StateBase s) except -1:
    """Set the data to the beginning of a game."""
    cdef int player, slot, i
    memset(&s.d, 0, sizeof(StateData))
    s.d.first_seat = s.d.agenda = s.d.layout = s.d.fallen = s.d.open_card = -1
    for player in range(2):
        s.d.line[player] = s.d.committed[player] = -1
        for slot in range(6):
            s.d.plan[player][slot] = NO_CARD
        for i in range(3):
            s.d.profile[player][i] = s.d.equipment[player][i] = -1
    for i in range(FIGURES):
        s.d.figure[i].card = s.d.figure[i].gear = -1
    push_frame(s, F_GAME)
    return run(s)


cdef int run(StateBase s) except -1:
    """Run to the next decision, roll, or the end."""
    while not s.d.over:
        # If several figures are hit at once, capacities answer when all are hit (OLO-END-05, OLO-GEN-02).
        if s.d.raised_count and not s.d.held:
            flush_events(s)
        if STEPS[top(s).kind](s, top(s), -1):
            s.d.result = 0
            return 0
    s.d.depth = s.d.raised_count = s.d.result = s.d.starting = s.d.held = 0
    s.d.decision, s.d.deciding_player = NO_DECISION, -1
    return 0


cdef int apply_code(StateBase s, int32_t code) except -1:
    """Apply a decision or outcome, and run to the next one."""
    STEPS[top(s).kind](s, top(s), code)
    return run(s)

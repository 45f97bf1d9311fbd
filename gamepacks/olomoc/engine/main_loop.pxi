# The main loop: runs the top frame until a player or chance has to decide.

# Carries out the next step of a frame. Called with -1 it goes on, or asks (and answers 1); called with the code that answers what
# was asked, it takes that.
ctypedef int (*Step)(StateBase m, Frame* frame, int code) except -1

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


cdef int start_game(StateBase m) except -1:
    """Set the data to the beginning of a game."""
    cdef int player, slot, i
    memset(&m.t, 0, sizeof(StateData))
    m.t.first_seat = m.t.agenda = m.t.layout = m.t.fallen = m.t.open_card = -1
    for player in range(2):
        m.t.line[player] = m.t.committed[player] = -1
        for slot in range(6):
            m.t.plan[player][slot] = NO_CARD
        for i in range(3):
            m.t.profile[player][i] = m.t.equipment[player][i] = -1
    for i in range(FIGURES):
        m.t.figure[i].card = m.t.figure[i].gear = -1
    push_frame(m, F_GAME)
    return run(m)


cdef int run(StateBase m) except -1:
    """Go on to the next decision, roll, or the end."""
    while not m.t.over:
        # If several are hit at once, capacities answer when all are hit (OLO-END-05, OLO-GEN-02).
        if m.t.raised_count and not m.t.held:
            flush_events(m)
        if STEPS[top(m).kind](m, top(m), -1):
            m.t.result = 0
            return 0
    m.t.depth = m.t.raised_count = m.t.result = m.t.starting = m.t.held = 0
    m.t.decision, m.t.deciding_player = NO_DECISION, -1
    return 0


cdef int answer(StateBase m, int32_t code) except -1:
    """Apply a decision or outcome, and run to the next one."""
    STEPS[top(m).kind](m, top(m), code)
    return run(m)

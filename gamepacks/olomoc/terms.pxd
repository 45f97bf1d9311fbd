# The words of gamepacks.olomoc.terms as C constants; tests hold the two together.

cdef enum:
    # Player
    OWNER_PLAYER = 0
    OPPONENT_PLAYER = 1
    ACTIVE_PLAYER = 2
    PASSIVE_PLAYER = 3
    PRIORITY_PLAYER = 4
    BOTH_PLAYERS = 5
    OF = 8

cdef enum:
    # ValKind
    V_CONST = 0
    V_COUNTED = 1
    V_SHOWN = 2
    V_ELEMENTS = 3
    V_STAT = 4
    V_AP = 5
    V_NOIRCEUR = 6
    V_RANK = 7
    V_TICKED = 8
    V_LEFT = 9
    V_TOKEN = 10

cdef enum:
    # CondKind
    K_EXISTS = 0
    K_FREE = 1
    K_ENGAGED = 2
    K_ENGAGES = 3
    K_ON_BLOC = 4
    K_COVER = 5
    K_STATUS = 6
    K_STATE = 7
    K_NOIRCEUR = 8
    K_RANKS = 9
    K_CONTACT = 10
    K_WITHIN = 11
    K_CYCLE = 12
    K_PHASE = 13
    K_PRIORITY = 14
    K_SHOWN = 15
    K_ACTIVE = 16
    K_CMP = 17
    K_USED = 18
    K_CAUSE = 19
    K_NOT = 20
    K_ALL = 21
    K_ANY = 22
    K_IS = 23
    K_SAME = 24

cdef enum:
    # Pick
    P_ALL = 0
    P_NEAREST = 1
    P_FARTHEST = 2
    P_HIGHEST = 3
    P_LOWEST = 4
    P_CHOOSE = 5

cdef enum:
    # Kind
    E_ROUAGE = 0
    E_MARKER = 1
    E_SCENERY = 2

cdef enum:
    # Side
    S_ALLY = 0
    S_ENEMY = 1
    S_FOE = 2
    S_HOSTILE = 3
    S_PLAYER = 4
    S_ANY = 5

cdef enum:
    # Where
    W_BLOC = 0
    W_OFF = 1
    W_ANY = 2

cdef enum:
    # Op
    OP_WOUND = 0
    OP_HEAL = 1
    OP_NOIRCEUR = 2
    OP_FIEL = 3
    OP_TRAQUE = 4
    OP_STATE = 5
    OP_PUSH = 6
    OP_PLACE = 7
    OP_MOVE = 8
    OP_AP = 9
    OP_MOD = 10
    OP_STAT = 11
    OP_REROLL = 12
    OP_PROTECT = 13
    OP_ROLL = 14
    OP_DIE = 15
    OP_ATTACK = 16
    OP_SPAWN = 17
    OP_DESPAWN = 18
    OP_MARKER = 19
    OP_TAINT = 20
    OP_TOKEN = 21
    OP_VP = 22
    OP_MECHANISM = 23
    OP_PRIORITY = 24
    OP_FORBID = 25
    OP_PERMIT = 26
    OP_ACTIVATE = 27
    OP_PLAN = 28
    OP_SIGHT = 29
    OP_PICK = 30
    OP_EACH = 31
    OP_CHOOSE = 32
    OP_IF = 33
    OP_SKIP = 34

cdef enum:
    # Trigger
    T_CONTINUOUS = 0
    T_CYCLE_START = 1
    T_MECHANISM = 2
    T_PLANNED = 3
    T_REVEALED = 4
    T_ACTIVATED = 5
    T_ACTIVATION_END = 6
    T_CARD_END = 7
    T_PHASE_END = 8
    T_HOSTILE_PHASE_START = 9
    T_HOSTILE_PHASE_END = 10
    T_CYCLE_END = 11
    T_GAME_END = 12
    T_ENTERED_BLOC = 13
    T_MOVE_ANNOUNCED = 14
    T_MOVED = 15
    T_ENTERED = 16
    T_LEFT = 17
    T_CONTACT = 18
    T_ATTACK_DECLARED = 19
    T_REACTION = 20
    T_ROLLED = 21
    T_ATTACK_END = 22
    T_WOUNDED = 23
    T_OUT = 24
    T_NOIRCEUR = 25
    T_STUNNED = 26
    T_USED = 27
    T_COORDINATED = 28

cdef enum:
    # Until
    U_ROLL = 0
    U_ATTACK = 1
    U_CARD = 2
    U_PHASE = 3
    U_NEXT_PHASE = 4
    U_HOSTILE_PHASE = 5
    U_CYCLE = 6
    U_GAME = 7

cdef enum:
    # AttackKind
    A_NONE = 0
    A_FRONTAL = 1
    A_RANGED = 2
    A_OTHER = 3
    A_CHARGE = 4

cdef enum:
    # Ignore
    I_FREE = 0
    I_NEAREST = 1
    I_SIGHT = 2
    I_COVER = 3
    I_LONG_RANGE = 4
    I_ENGAGED = 5

cdef enum:
    # Act
    ACT_FRONTAL = 0
    ACT_SHOOT = 1
    ACT_CHARGE = 2
    ACT_MOVE = 3
    ACT_REST = 4
    ACT_USE = 5
    ACT_STOP = 6

cdef enum:
    # Criterion
    BY_HIGHEST_RANK = 0
    BY_NEAREST = 1
    BY_LOWEST_RANK = 2
    BY_FARTHEST = 3
    BY_MOST_NOIRCEUR = 4
    BY_FEWEST_BOXES = 5
    BY_CORRUPTED_FIRST = 6
    BY_ENGAGED_BY_ME = 7
    BY_IN_SIGHT = 8

cdef enum:
    # SpotKind
    SPOT_AT = 0
    SPOT_NEAR = 1
    SPOT_NEAR_TAG = 2
    SPOT_EDGE = 3
    SPOT_CENTRE = 4

cdef enum:
    # Who
    WHO_SELF = 0
    WHO_TARGET = 1
    WHO_ATTACKER = 2
    WHO_DEFENDER = 3
    WHO_MOVER = 4
    WHO_VICTIM = 5
    WHO_KILLER = 6
    WHO_EACH = 7
    WHO_PICKED = 8
    WHO_MAIN = 9

cdef enum:
    # Stat
    STAT_TECHNIQUE = 0
    STAT_COMBAT = 1
    STAT_SHOOT = 2
    STAT_DODGE = 3

cdef enum:
    # Cause
    CAUSE_START = 0
    CAUSE_TIE = 1
    CAUSE_EFFECT = 2

cdef enum:
    # Per
    PER_PHASE = 0
    PER_CYCLE = 1
    PER_GAME = 2

cdef enum:
    # Role
    ROLE_ANY = 0
    ROLE_ATTACKER = 1
    ROLE_DEFENDER = 2

cdef enum:
    # Way
    WAY_ANY = 0
    WAY_MOVE_RULER = 1
    WAY_PUSH_RULER = 2
    WAY_BASE = 3

cdef enum:
    # MarkerDo
    MARKER_PUT = 0
    MARKER_MOVE = 1
    MARKER_REMOVE = 2

cdef enum:
    # PlanDo
    PLAN_PEEK = 0
    PLAN_REVEAL = 1
    PLAN_SWAP = 2
    PLAN_MOVE = 3

cdef enum:
    # Skip
    SKIP_REST = 0
    SKIP_ENTRY = 1
    SKIP_ACTIVATION = 2

cdef enum:
    # EventKind
    N_GAME_STARTED = 1
    N_NUMBERS_ROLLED = 2
    N_AGENDA_CHOSEN = 3
    N_LAYOUT_CHOSEN = 4
    N_LINE_CHOSEN = 5
    N_SCENERY_PLACED = 6
    N_MARKER_PLACED = 7
    N_MARKER_MOVED = 8
    N_MARKER_REMOVED = 9
    N_TAINT_CHANGED = 10
    N_FALLEN_MINISTRY = 11
    N_MINISTRIES_DEALT = 12
    N_ROUAGE_RECRUITED = 13
    N_GEAR_ASSIGNED = 14
    N_CABALES_REVEALED = 15
    N_CYCLE_STARTED = 16
    N_TOKENS_GIVEN = 17
    N_MECHANISM = 18
    N_ARTEFACT_RESHUFFLED = 19
    N_PRIORITY_CHANGED = 20
    N_PLAN_LAID = 21
    N_PLANNED = 22
    N_CARDS_REVEALED = 23
    N_PLAN_PEEKED = 24
    N_PLAN_CHANGED = 25
    N_MINISTRY_RESOLVED = 26
    N_CARD_BLOCKED = 27
    N_CARD_VOID = 28
    N_ROUAGE_ACTIVATED = 29
    N_COORDINATION_ANNOUNCED = 30
    N_ACTIVATION_ENDED = 31
    N_AP_CHANGED = 32
    N_ENTERED_BLOC = 33
    N_MOVE_ANNOUNCED = 34
    N_MOVED = 35
    N_OPPORTUNITY_OFFERED = 36
    N_OPPORTUNITY_ATTACK = 37
    N_OPPORTUNITY_DECLINED = 38
    N_CAPACITY_USED = 39
    N_ATTACK_DECLARED = 40
    N_REACTION_DECLARED = 41
    N_ROLL_SET = 42
    N_DICE_ROLLED = 43
    N_DIE_ROLLED = 44
    N_FATE_TEMPTED = 45
    N_ATTACK_RESOLVED = 46
    N_TACTIC_CHOSEN = 47
    N_WOUNDS_TAKEN = 48
    N_HEALED = 49
    N_ROUAGE_OUT = 50
    N_NOIRCEUR_CHANGED = 51
    N_FIEL_CHANGED = 52
    N_TRAQUE_CHANGED = 53
    N_VP_CHANGED = 54
    N_TOKEN_CHANGED = 55
    N_STATE_CHANGED = 56
    N_CONTACT_TAINTED = 57
    N_HOSTILE_SPAWNED = 58
    N_HOSTILE_REMOVED = 59
    N_HOSTILE_ACTIVATED = 60
    N_HOSTILE_LINE = 61
    N_HOSTILE_DONE = 62
    N_EFFECT_STARTED = 63
    N_EFFECT_ENDED = 64
    N_EFFECT_SKIPPED = 65
    N_CHOICE_MADE = 66
    N_PHASE_STARTED = 67
    N_CARD_ENDED = 68
    N_PHASE_ENDED = 69
    N_HOSTILE_PHASE_STARTED = 70
    N_HOSTILE_PHASE_ENDED = 71
    N_CYCLE_ENDED = 72
    N_GAME_OVER = 73
    N_STATUS_CHANGED = 74
    N_MODIFIER = 75

cdef enum:
    # Why
    WHY_COST = 0
    WHY_ENTRY = 1
    WHY_PROPAGANDA = 2
    WHY_EFFECT = 3
    WHY_REST = 4
    WHY_FATE = 5
    WHY_BOX = 6
    WHY_CONTACT = 7
    WHY_LOSS = 8
    WHY_CORRUPTED = 9
    WHY_CYCLE_END = 10

cdef enum:
    # By
    BY_GENERIC = 1
    BY_CAPACITY = 2
    BY_MINISTRY = 3
    BY_ARTEFACT = 4

cdef enum:
    # Modifier
    M_SUPPORT = 0
    M_CHARGE = 1
    M_LONG_RANGE = 2
    M_COVER = 3
    M_STAT = 4
    M_CARD = 5

cdef enum:
    # EndCause
    END_BY_CYCLES = 1
    END_BY_TRAQUE = 2
    END_BY_FIEL = 3
    END_BY_BOTH_FIEL = 4

cdef enum:
    # Movement
    HOW_MOVE = 0
    HOW_PUSH = 1
    HOW_PLACEMENT = 2

cdef enum:
    # Direction
    WORD_NONE = 0
    WORD_TOWARDS = 1
    WORD_AWAY = 2
    WORD_DIRECTLY_TOWARDS = 3
    WORD_DIRECTLY_AWAY = 4

"""The numbers of program.py as C constants; tests/omen/test_numbers.py compares them."""

cdef enum:
    MAX_VARS = 8
    MAX_CARDS = 240
    MAX_CITIES = 6
    VAR = 16

# Edition
cdef enum:
    ED_OMEGA = 0
    ED_TRAITS = 1

# CardKind
cdef enum:
    K_UNIT = 0
    K_REWARD = 1
    K_KRATER = 2
    K_FEAT = 3
    K_CHALLENGE = 4
    K_WHIM = 5
    K_RELIC = 6

# UnitType
cdef enum:
    T_SOLDIER = 0
    T_BEAST = 1
    T_ORACLE = 2
    T_SPIRIT = 3
    T_HERO = 4
    T_NONE = 5

# Trait
cdef enum:
    TR_BOLSTER = 0
    TR_JILT = 1
    TR_GLEAN = 2
    TR_MYRIAD = 3
    TR_TRIUMPH = 4
    TR_COVETED = 5
    TR_WRATH = 6
    TR_SPOILS = 7
    TR_FATE = 8
    TR_RECRUIT = 9
    TR_PILFER = 10
    TR_VETERAN = 11
    TR_CURSE = 12

# Hook
cdef enum:
    H_ENTER = 0
    H_HAND_USE = 1
    H_PORTENT = 2
    H_USE = 3
    H_REACT = 4
    H_AUTO = 5
    H_OFFERED = 6
    H_DISCARDED = 7
    H_DESTROYED = 8
    H_STATIC = 9
    H_CLAIM = 10
    H_TRIUMPH = 11
    H_END_GAME = 12

# Step
cdef enum:
    STEP_WEALTH = 0
    STEP_SURGE = 1
    STEP_PORTENT = 2
    STEP_FEAT = 3
    STEP_CHALLENGE = 4
    STEP_WAR = 5
    STEP_OFFERING = 6
    STEP_CLOSE = 7

# Turn
cdef enum:
    TURN_ANY = 0
    TURN_OWN = 1
    TURN_OPP = 2

# Limit
cdef enum:
    LIMIT_NONE = 0
    LIMIT_TURN = 1
    LIMIT_GAME = 2

# SeatRef
cdef enum:
    SR_YOU = 0
    SR_OPP = 1
    SR_EACH = 2
    SR_ACTIVE = 3
    SR_OPPOSING = 4
    SR_ANY = 5

# CityRef
cdef enum:
    CR_ANY = 0
    CR_HERE = 1
    CR_OTHER = 2

# Zone
cdef enum:
    Z_CITY = 0
    Z_HAND = 1
    Z_DISCARD = 2
    Z_DECK_TOP = 3
    Z_REVEAL = 4
    Z_USED = 5
    Z_SET = 6
    Z_DECK_BOTTOM = 7
    Z_OUT = 8
    Z_PRIZE = 9
    Z_RESOLVING = 10
    Z_DECK = 11
    Z_SIDE = 12

# Stat
cdef enum:
    ST_COST = 0
    ST_OFFERING = 1
    ST_STRENGTH = 2
    ST_INVOKE = 3

# Cmp
cdef enum:
    CMP_EQ = 0
    CMP_NE = 1
    CMP_LT = 2
    CMP_LE = 3
    CMP_GT = 4
    CMP_GE = 5

# Pick
cdef enum:
    PICK_DEFAULT = 0
    PICK_YOU = 1
    PICK_OPP = 2
    PICK_OWNER = 3
    PICK_RANDOM = 4
    PICK_HIGHEST = 8
    PICK_LOWEST = 12

# Count
cdef enum:
    N_EXACT = 0
    N_UP_TO = 1
    N_ALL = 2

# Sel
cdef enum:
    S_ZONE = 0
    S_SIDE = 1
    S_OWNER = 2
    S_CITY = 3
    S_KIND = 4
    S_TYPE = 5
    S_NOT_TYPE = 6
    S_TRAIT = 7
    S_ENRAGED = 8
    S_IDS = 9
    S_COST = 10
    S_OFFERING = 11
    S_STRENGTH = 12
    S_SELF = 13
    S_SAME_AS = 14
    S_NOT = 15
    S_TOP = 16
    S_WEIGH = 17
    S_COUNT = 18
    S_N = 19
    S_PICK = 20
    S_AS = 21
    S_LENGTH = 22

# Evf
cdef enum:
    F_TYPE = 0
    F_BY = 1
    F_WHO = 2
    F_CARD = 3
    F_CITY = 4
    F_FROM = 5
    F_TO = 6
    F_CAUSE = 7
    F_SINCE = 8
    F_SUM = 9
    F_SELF = 10
    F_LENGTH = 11

# Since
cdef enum:
    SINCE_TURN = 0
    SINCE_STEP = 1
    SINCE_ABILITY = 2

# Amount
cdef enum:
    A_INT = 0
    A_COUNT = 1
    A_UNITS = 2
    A_STAT = 3
    A_TOTAL = 4
    A_COINS = 5
    A_HAND = 6
    A_DECK = 7
    A_PRIZES = 8
    A_FEATS = 9
    A_TURN = 10
    A_CITIES = 11
    A_EVENTS = 12
    A_VAR = 13
    A_ADD = 14
    A_MIN = 15
    A_MAX = 16
    A_SUB = 17
    A_MUL = 18
    A_HALF_DOWN = 19
    A_HALF_UP = 20
    A_COUNTER = 21

# Pred
cdef enum:
    P_ALL = 0
    P_ANY = 1
    P_NOT = 2
    P_CMP = 3
    P_EXISTS = 4
    P_EACH_CITY = 5
    P_SOME_CITY = 6
    P_HAPPENED = 7
    P_IS = 8
    P_STEP = 9
    P_TURN_OF = 10
    P_FIRST_TURN = 11
    P_WAR_TORN = 12
    P_DEPLETED = 13

# Cost
cdef enum:
    COST_COINS = 0
    COST_DISCARD = 1
    COST_DESTROY = 2
    COST_RETURN = 3

# Pay
cdef enum:
    PAY_FREE = 0
    PAY_FULL = 1
    PAY_LESS = 2

# What
cdef enum:
    W_COST = 0
    W_INVOKE = 1
    W_OFFERING = 2
    W_STRENGTH = 3
    W_WEIGHT = 4
    W_KEEP_WEIGHT = 5
    W_TYPE = 6
    W_WEALTH_ACTIONS = 7
    W_PRIZE_USES = 8
    W_OFFERINGS = 9
    W_HAND_LIMIT = 10
    W_COIN_LIMIT = 11
    W_CITY_LIMIT = 12
    W_WAR_TOTAL = 13
    W_WAR_OPPOSING = 14
    W_NEVER_WAR = 15
    W_CHALLENGES = 16
    W_PORTENT_USE = 17
    W_PLAY_IN = 18
    W_PLAY = 19
    W_HAND_USE = 20
    W_USE_INVOKE = 21
    W_USE_PRIZE = 22
    W_DRAW = 23
    W_COINS = 24
    W_OFFER = 25
    W_ENTER = 26
    W_MOVE = 27
    W_DESTROY = 28
    W_DISCARD = 29
    W_ENRAGE = 30
    W_WIN_TIES = 31
    W_EXTRA_TURN = 32

# Target
cdef enum:
    TG_SEL = 0
    TG_SEAT = 1
    TG_CITY = 2

# For
cdef enum:
    FOR_WAR = 0
    FOR_STEP = 1
    FOR_TURN = 2
    FOR_NEXT_OWN_TURN = 3
    FOR_STATIC = 4
    FOR_YOUR_NEXT_TURN = 5

# Over
cdef enum:
    OVER_SEL = 0
    OVER_CITIES = 1
    OVER_SEATS = 2

# Name
cdef enum:
    NAME_TYPE = 0
    NAME_TRAIT = 1
    NAME_NUMBER = 2
    NAME_SEAT = 3

# Effect
cdef enum:
    E_DRAW = 0
    E_COINS = 1
    E_LOSE_COINS = 2
    E_TAKE_COINS = 3
    E_DISCARD = 4
    E_LOOK = 5
    E_REVEAL = 6
    E_PUT = 7
    E_SHUFFLE = 8
    E_DEPLOY = 9
    E_DESTROY = 10
    E_RETURN = 11
    E_MOVE = 12
    E_SEIZE = 13
    E_GIVE = 14
    E_SWAP = 15
    E_ENRAGE = 16
    E_UNRAGE = 17
    E_RUN = 18
    E_TAKE_PRIZE = 19
    E_READY_PRIZE = 20
    E_SHED_PRIZE = 21
    E_RELIC = 22
    E_CLAIM = 23
    E_MOD = 24
    E_GRANT = 25
    E_FORBID = 26
    E_CANCEL = 27
    E_REPLACE = 28
    E_SCORE = 29
    E_CHOOSE = 30
    E_MAY = 31
    E_PAY = 32
    E_IF = 33
    E_FOR_EACH = 34
    E_REPEAT = 35
    E_LET = 36
    E_NAME = 37
    E_CHOOSE_CITY = 38
    E_RESOLVE = 39
    E_COUNTER = 40
    E_LATER = 41
    E_ROLL = 42

# Event
cdef enum:
    EV_GAME_START = 0
    EV_GAME_OVER = 1
    EV_TURN_START = 2
    EV_TURN_END = 3
    EV_STEP_START = 4
    EV_STEP_END = 5
    EV_DRAW = 6
    EV_TO_HAND = 7
    EV_TO_DECK = 8
    EV_RESHUFFLE = 9
    EV_LOOK = 10
    EV_REVEAL = 11
    EV_GAIN_COINS = 12
    EV_LOSE_COINS = 13
    EV_TAKE_COINS = 14
    EV_PAY = 15
    EV_PLAY = 16
    EV_DEPLOY = 17
    EV_ENTER = 18
    EV_MOVE = 19
    EV_CHANGE_SIDE = 20
    EV_RETURN_HAND = 21
    EV_DISCARD = 22
    EV_DESTROY = 23
    EV_MILL = 24
    EV_ABILITY = 25
    EV_PRIZE_USED = 26
    EV_PRIZE_TAKEN = 27
    EV_PRIZE_SHED = 28
    EV_ENRAGE = 29
    EV_UNRAGE = 30
    EV_WAR_BEGIN = 31
    EV_WAR_RESULT = 32
    EV_CITY_DEPLETED = 33
    EV_CITY_RAZED = 34
    EV_FEAT = 35
    EV_FEAT_ROTATED = 36
    EV_CHALLENGE = 37
    EV_RELIC_PLACED = 38
    EV_RELIC_REMOVED = 39
    EV_TRIUMPH = 40
    EV_WHIM_USED = 41
    EV_WHIM_PASSED = 42
    EV_FINAL_TURN = 43
    EV_COMMIT = 44
    EV_TRIGGER_CAP_HIT = 45
    EV_ACTION_CAP_HIT = 46
    EV_TURN_CAP = 47
    EV_AUTOMATIC = 48

# Cause
cdef enum:
    BY_RULE = 0
    BY_WEALTH = 1
    BY_PLAY = 2
    BY_ABILITY = 3
    BY_OFFERING = 4
    BY_LIMIT = 5
    BY_WAR = 6
    BY_RAZE = 7
    BY_BEAST = 8
    BY_JILT = 9
    BY_INVOKE = 10
    BY_HERO = 11
    BY_FREE_TRAIT = 12
    BY_REWARD = 13
    BY_KRATER = 14
    BY_WHIM = 15
    BY_RELIC = 16
    BY_SETUP = 17

# CardField
cdef enum:
    CF_KIND = 0
    CF_TYPE = 1
    CF_COST = 2
    CF_OFFERING = 3
    CF_STRENGTH = 4
    CF_INVOKE = 5
    CF_TRAITS = 6
    CF_HOLD_POINTS = 7
    CF_COPIES = 8
    CF_FIRST_ABILITY = 9
    CF_ABILITIES = 10
    CF_LENGTH = 11

# AbilityField
cdef enum:
    AF_HOOK = 0
    AF_CARD = 1
    AF_LABEL = 2
    AF_MAY = 3
    AF_WHEN = 4
    AF_IN = 5
    AF_STEPS = 6
    AF_TURN = 7
    AF_EVENT = 8
    AF_BEFORE = 9
    AF_LIMIT = 10
    AF_COST = 11
    AF_COND = 12
    AF_DO = 13
    AF_VARS = 14
    AF_LENGTH = 15

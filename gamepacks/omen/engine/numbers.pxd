"""The numbers of codes.py as C constants; tests/omen/test_numbers.py compares them."""

cdef enum:
    NONE = 255

# Phase
cdef enum:
    PH_DRAFT = 0
    PH_DEAL = 1
    PH_FIRST = 2
    PH_WHIMS = 3
    PH_WEALTH = 4
    PH_SURGE = 5
    PH_PORTENT = 6
    PH_FEAT = 7
    PH_CHALLENGE = 8
    PH_WAR = 9
    PH_OFFERING = 10
    PH_CLOSE = 11
    PH_OVER = 12

# Mode
cdef enum:
    M_PLAY = 0
    M_ABILITY = 1
    M_INVOKE = 2
    M_USE = 3
    M_FATE = 4
    M_RECRUIT = 5
    M_PILFER = 6

# Ask
cdef enum:
    ASK_NOTHING = 0
    ASK_C_UNIT = 1
    ASK_C_PRIZE = 2
    ASK_C_WHIM = 3
    ASK_C_DEAL = 4
    ASK_C_HAND = 5
    ASK_C_FIRST = 6
    ASK_EMISSARY = 7
    ASK_DRAFT = 8
    ASK_PICK = 9
    ASK_WHIMDRAW = 10
    ASK_WHIMPASS = 11
    ASK_WEALTH = 12
    ASK_SURGE = 13
    ASK_MODE = 14
    ASK_CITY = 15
    ASK_SPIRIT = 16
    ASK_PORTENT = 17
    ASK_FEAT = 18
    ASK_FEATRELIC = 19
    ASK_RELIC = 20
    ASK_CHALLENGE = 21
    ASK_WARCITY = 22
    ASK_KEEP = 23
    ASK_OFFER = 24
    ASK_SPLIT = 25
    ASK_LIMIT = 26
    ASK_TRIUMPH = 27
    ASK_UNIT = 28
    ASK_CARD = 29
    ASK_CHOOSE = 30
    ASK_MAY = 31
    ASK_COUNT = 32
    ASK_NAME = 33
    ASK_ORDER = 34
    ASK_ACT = 35
    ASK_REACT = 36
    ASK_C_DIE = 37

# Trigger
cdef enum:
    Q_ABILITY = 0
    Q_SPIRIT = 1
    Q_WRATH = 2
    Q_CURSE = 3

# Pile
cdef enum:
    PILE_DECK = 0
    PILE_DECK_B = 1
    PILE_TOP = 2
    PILE_TOP_B = 3
    PILE_BOTTOM = 4
    PILE_BOTTOM_B = 5
    PILE_DISCARD = 6
    PILE_DISCARD_B = 7
    PILE_HAND = 8
    PILE_HAND_B = 9
    PILE_USED = 10
    PILE_USED_B = 11
    PILE_FEATS_UP = 12
    PILE_FEATS_UP_B = 13
    PILE_FEATS_DOWN = 14
    PILE_FEATS_DOWN_B = 15
    PILE_FEATS_ROTATED = 16
    PILE_FEATS_ROTATED_B = 17
    PILE_TAKEN = 18
    PILE_TAKEN_B = 19
    PILE_CHOSEN = 20
    PILE_CHOSEN_B = 21
    PILE_DEALT = 22
    PILE_DEALT_B = 23
    PILE_PRIZE_POOL = 24
    PILE_WHIM_PILE = 25
    PILE_WHIMS_USED = 26
    PILE_CHALLENGES = 27
    PILE_RELICS = 28
    PILE_RESOLVING = 29
    PILE_ASIDE = 30
    PILE_DRAFT_POOL = 31
    PILE_DRAFT_ROW = 32
    PILE_OUT = 33
    PILE_PRIZES = 34
    PILE_SIDE = 40
    PILE_RELIC = 52
    PILE_COUNT = 64

# Verbs, in their place in a code
cdef enum:
    V_DRAWN = 0 << 24
    V_PRIZE = 1 << 24
    V_WHIM = 2 << 24
    V_DEALT = 3 << 24
    V_RANDOM = 4 << 24
    V_FIRST = 5 << 24
    V_EMISSARY = 6 << 24
    V_PASS_ON = 7 << 24
    V_PICK = 8 << 24
    V_WHIM_DRAW = 9 << 24
    V_WHIM_STOP = 10 << 24
    V_WHIM_PASS = 11 << 24
    V_WHIM_KEEP = 12 << 24
    V_WEALTH = 13 << 24
    V_SURGE = 14 << 24
    V_SURGE_END = 15 << 24
    V_MODE = 16 << 24
    V_CITY = 17 << 24
    V_SPIRIT = 18 << 24
    V_PORTENT = 19 << 24
    V_FEAT = 20 << 24
    V_FEAT_DONE = 21 << 24
    V_ROTATE = 22 << 24
    V_ROTATE_NONE = 23 << 24
    V_RELIC = 24 << 24
    V_CHALLENGE = 25 << 24
    V_CHALLENGE_NONE = 26 << 24
    V_WAR_CITY = 27 << 24
    V_KEEP = 28 << 24
    V_OFFER = 29 << 24
    V_OFFER_NONE = 30 << 24
    V_SPLIT = 31 << 24
    V_LIMIT = 32 << 24
    V_TRIUMPH = 33 << 24
    V_UNIT = 34 << 24
    V_CARD = 35 << 24
    V_STOP = 36 << 24
    V_FATE_DRAW = 37 << 24
    V_CHOOSE = 38 << 24
    V_DO = 39 << 24
    V_SKIP = 40 << 24
    V_COUNT = 41 << 24
    V_NAME = 42 << 24
    V_ORDER = 43 << 24
    V_ACT = 44 << 24
    V_REACT = 45 << 24
    V_PASS = 46 << 24
    V_ROLL = 47 << 24

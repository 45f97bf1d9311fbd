"""The table as plain Python values, for views and positions, and back."""

from libc.stdint cimport uint64_t
from libc.string cimport memset

from gamepacks.omega.engine.table cimport CARDS, Egregor, Player, Rules, SLOTS, STACKS, TYPES, Table


cdef dict dump(Rules rules, const Table* t):
    """Everything that the table holds; cards and tokens by number, 255 for none."""
    cdef int i
    return {
        "phase": t.phase, "start": t.start, "active": t.active, "dealt": t.dealt, "bag": runes(t.bag),
        "absent": runes(t.absent), "altar": runes(t.altar), "gallery": [t.gallery[i] for i in range(SLOTS)],
        "deck": cards_of(t.deck), "discard": cards_of(t.discard), "looked": cards_of(t.looked),
        "certain": cards_of(t.certain), "top": [t.top[i] for i in range(STACKS)],
        "hidden": [t.hidden[i] for i in range(STACKS)], "pool": [t.pool[i] for i in range(rules.kinds)],
        "players": [dump_player(&t.player[i]) for i in range(rules.players)], "turn": t.turn,
        "gain_used": bool(t.gain_used), "disowned": t.disowned, "last_mask": bool(t.last_mask),
        "mask_moved": bool(t.mask_moved), "latch": bool(t.latch), "red_used": bool(t.red_used),
        "green_pending": bool(t.green_pending), "batch": runes(t.batch), "batch_seat": t.batch_seat,
        "batch_index": t.batch_index, "batch_shown": bool(t.batch_shown), "keys": t.keys,
        "done": [t.done[i] for i in range(t.keys_done)], "ending": t.ending, "announcer": t.announcer,
        "final_left": t.final_left,
        "stack": [(t.stack[i].kind, t.stack[i].a, t.stack[i].b, t.stack[i].c) for i in range(t.depth)],
    }


cdef dict dump_player(const Player* player):
    cdef int i
    return {
        "pyramid": runes(player.pyramid), "shown": runes(player.shown), "mask": player.mask,
        "lost": bool(player.lost), "prestige": player.prestige, "steps": player.steps,
        "tokens": [player.token[i] for i in range(player.held)],
        "row": [dump_egregor(&player.row[i]) for i in range(player.owned)],
    }


cdef dict dump_egregor(const Egregor* egregor):
    return {
        "card": egregor.card, "load": runes(egregor.load), "gained": bool(egregor.gained), "used": egregor.used,
        "old_blacks": egregor.old_blacks,
    }


cdef list runes(const unsigned char* counts):
    cdef int type
    return [counts[type] for type in range(TYPES)]


cdef list cards_of(uint64_t mask):
    cdef int card
    return [card for card in range(CARDS) if mask >> card & 1]


cdef int load(Table* t, values) except -1:
    """Put the table into any position; whoever calls has checked that every value is in its range."""
    cdef int i
    memset(t, 0, sizeof(Table))
    t.phase, t.start, t.active, t.dealt = values["phase"], values["start"], values["active"], values["dealt"]
    t.bag_size = fill(t.bag, values["bag"])
    fill(t.absent, values["absent"])
    t.altar_size = fill(t.altar, values["altar"])
    fill(t.gallery, values["gallery"])
    t.deck, t.discard = mask_of(values["deck"]), mask_of(values["discard"])
    t.looked, t.certain = mask_of(values["looked"]), mask_of(values["certain"])
    fill(t.top, values["top"])
    fill(t.hidden, values["hidden"])
    fill(t.pool, values["pool"])
    for i, player in enumerate(values["players"]):
        load_player(&t.player[i], player)
    t.turn, t.gain_used, t.disowned = values["turn"], values["gain_used"], values["disowned"]
    t.last_mask, t.mask_moved, t.latch = values["last_mask"], values["mask_moved"], values["latch"]
    t.red_used, t.green_pending = values["red_used"], values["green_pending"]
    t.batch_size = fill(t.batch, values["batch"])
    t.batch_seat, t.batch_index = values["batch_seat"], values["batch_index"]
    t.batch_shown = values["batch_shown"]
    t.keys, t.keys_done = values["keys"], len(values["done"])
    fill(t.done, values["done"])
    t.ending, t.announcer, t.final_left = values["ending"], values["announcer"], values["final_left"]
    t.depth = len(values["stack"])
    for i, (kind, a, b, c) in enumerate(values["stack"]):
        t.stack[i].kind, t.stack[i].a, t.stack[i].b, t.stack[i].c = kind, a, b, c
    return 0


cdef int load_player(Player* player, values) except -1:
    cdef int i
    fill(player.pyramid, values["pyramid"])
    fill(player.shown, values["shown"])
    player.mask, player.lost = values["mask"], values["lost"]
    player.prestige, player.steps = values["prestige"], values["steps"]
    player.held = len(values["tokens"])
    fill(player.token, values["tokens"])
    player.owned = len(values["row"])
    for i, egregor in enumerate(values["row"]):
        player.row[i].card, player.row[i].gained, player.row[i].used = egregor["card"], egregor["gained"], egregor["used"]
        player.row[i].old_blacks = egregor["old_blacks"]
        player.row[i].total = fill(player.row[i].load, egregor["load"])
    return 0


cdef int fill(unsigned char* counts, values) except -1:
    """Copy numbers; returns their sum, which matters for runes only."""
    cdef int i, number, total = 0
    for i, number in enumerate(values):
        counts[i] = number
        total += number
    return total


cdef uint64_t mask_of(cards) except? 0:
    cdef uint64_t mask = 0
    cdef int card
    for card in cards:
        mask |= <uint64_t> 1 << card
    return mask

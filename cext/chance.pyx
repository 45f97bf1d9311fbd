"""Chance outcomes of matches, drawn by a keyed hash: nobody can predict them, and anyone can verify them afterwards.

A match has a secret seed of 32 random bytes and a public uid of 16 bytes. The commitment, BLAKE2b-256 of the seed
(no key), is published before the first roll and the seed at the end. The outcome of a roll depends on nothing but the
seed, the uid, the ply (how many actions and outcomes stand before it in the line of play) and the outcomes that the
rules offer there. So undoing past a roll gives the same roll again.

To check a roll in any language:

1. ``digest`` = BLAKE2b with a digest of 32 bytes and the seed as its key (RFC 7693; libsodium's
   ``crypto_generichash``), of the message ``uid`` (16 bytes), ``ply`` (8 bytes, little-endian), ``counter`` (4 bytes,
   little-endian), 28 bytes in all. ``counter`` is 0 at first.
2. ``draw`` = the first 8 bytes of the digest, read as an unsigned little-endian number.
3. ``total`` = the sum of the weights of all outcomes. If ``draw`` >= 2**64 - (2**64 mod ``total``), add 1 to
   ``counter`` and go back to 1: the draws that are left fall evenly on 0 .. ``total`` - 1.
4. ``pick`` = ``draw`` mod ``total``. Go through the outcomes in the order in which the rules list them. If the weight
   of one is greater than ``pick``, it is the outcome; otherwise subtract its weight from ``pick`` and go on.
"""

from hashlib import blake2b

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from cext.state cimport C_CHANCE, Codes, State

SEED_BYTES = 32
UID_BYTES = 16


def commitment(bytes seed):
    """Returns the commitment to a seed, which is published before its use: its BLAKE2b-256. Raises ValueError if it is not 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return blake2b(seed, digest_size=32).digest()


def seed_of_number(object number):
    """The seed of a match whose host gave a number: BLAKE2b-256 (no key) of the number's 8 bytes, little-endian, after
    the 13 bytes ``omnilude seed``. Such a match draws with a uid of zeros.

    Raises OverflowError unless it is at least 0 and has at most 64 bits.
    """
    return blake2b(b"omnilude seed" + number.to_bytes(8, "little"), digest_size=32).digest()


def outcome(bytes seed, bytes uid, int64_t ply, list outcomes):
    """Returns the code of the outcome of the chance node at ``ply`` (from 0) of the match ``uid``.

    ``outcomes`` is what ``State.chance()`` returns there: ``(code, weight)`` in the order of the rules, the weights whole
    numbers from 1 that add up to less than 2**64. Raises ValueError for an invalid seed, uid or ply, and if there is no
    outcome or a weight is out of range.
    """
    cdef uint64_t total = 0
    cdef uint64_t drawn, weight
    _check(seed, uid, ply)
    for _, given in outcomes:
        if not 0 < given <= 0xFFFFFFFFFFFFFFFF - total:
            raise ValueError("weights must be at least 1 and add up to less than 2**64")
        total += <uint64_t> given
    if total == 0:
        raise ValueError("a chance node without outcomes")
    drawn = _draw(seed, uid, ply, total)
    for code, given in outcomes:
        weight = given
        if drawn < weight:
            return code
        drawn -= weight
    raise AssertionError("unreachable")


def advance(State state not None, int32_t code, int seat, bytes seed, bytes uid, int64_t ply, int max_rolls):
    """Apply a seat's action and draw the chance outcomes that follow it, in one call.

    ``ply`` counts the actions and outcomes before this action. Returns ``(after, rolls, actor, seats_to_act)``: a new state, the
    outcomes of the chance nodes that followed, ``max_rolls`` at most, drawn as by :func:`outcome`, the actor of the new
    state, and the seats to act if that is a single seat, else 0. Returns None if the action is illegal, or if the decision
    before or after it is private. ``state`` itself never changes. Raises ValueError as :func:`outcome`, and what the rules raise.
    """
    cdef State after
    cdef Codes outcomes
    cdef list rolls = []
    cdef uint64_t total, drawn
    cdef Py_ssize_t i
    cdef int actor
    _check(seed, uid, ply)
    if not state.is_legal(code, seat) or state.decline_code() != -1:
        return None
    after = state.clone()
    after.apply_unchecked(code, seat)
    actor = after.actor()
    if actor == C_CHANCE:
        outcomes = Codes()
        while actor == C_CHANCE and len(rolls) < max_rolls:
            ply += 1
            after.fill_chance(outcomes)
            total = 0
            for i in range(outcomes.size):
                if outcomes.weight[i] == 0:
                    raise ValueError("weights must be at least 1")
                total += outcomes.weight[i]  # 32 bits each
            if total == 0:
                raise ValueError("a chance node without outcomes")
            drawn = _draw(seed, uid, ply, total)
            i = 0
            while drawn >= outcomes.weight[i]:
                drawn -= outcomes.weight[i]
                i += 1
            after.apply_unchecked(outcomes.code[i], -1)
            rolls.append(outcomes.code[i])
            actor = after.actor()
    if after.decline_code() != -1:
        return None
    return after, rolls, actor, after.seats_to_act() if actor >= 0 else 0


cdef int _check(bytes seed, bytes uid, int64_t ply) except -1:
    if len(seed) != SEED_BYTES or len(uid) != UID_BYTES or ply < 0:
        raise ValueError(f"a seed of 32 bytes, a uid of 16, a ply from 0 are needed, not {len(seed)}, {len(uid)}, {ply}")
    return 0


cdef uint64_t _draw(bytes seed, bytes uid, int64_t ply, uint64_t total) except? 0:
    """A number from 0 to ``total`` - 1."""
    cdef uint64_t draw, uneven = (0 - total) % total  # 2**64 mod total, in 64 bits
    cdef uint32_t counter = 0
    cdef int i
    cdef unsigned char[28] message
    cdef const unsigned char* head = uid
    cdef bytes digest
    memcpy(message, head, 16)
    for i in range(8):
        message[16 + i] = (ply >> (8 * i)) & 0xFF
    while True:
        for i in range(4):
            message[24 + i] = (counter >> (8 * i)) & 0xFF
        digest = blake2b(message[:28], digest_size=32, key=seed).digest()
        head = digest
        draw = 0
        for i in range(8):
            draw |= (<uint64_t> head[i]) << (8 * i)
        if draw <= 0xFFFFFFFFFFFFFFFF - uneven:
            return draw % total
        counter += 1

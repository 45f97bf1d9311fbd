"""The chance of matches: keyed, so that nobody can foresee it, and verifiable, so that anyone can check it afterwards.

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
4. ``pick`` = ``draw`` mod ``total``. Walk through the outcomes in the order in which the rules list them: the first
   whose weight is greater than ``pick`` is the outcome; otherwise take its weight off ``pick`` and go on.
"""

from hashlib import blake2b

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

SEED_BYTES = 32
UID_BYTES = 16


def commitment(bytes seed):
    """What is published of a seed before it is used: its BLAKE2b-256. Raises ValueError if it is not 32 bytes."""
    if len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, not {len(seed)}")
    return blake2b(seed, digest_size=32).digest()


def outcome(bytes seed, bytes uid, int64_t ply, list outcomes):
    """The code of the outcome of the chance node at ``ply`` (from 0) of the match ``uid``.

    ``outcomes`` is what ``State.chance()`` says there: ``(code, weight)`` in the order of the rules, the weights whole
    numbers from 1 that add up to less than 2**64. Raises ValueError for a seed, uid or ply that cannot be one, and
    where there is no outcome or a weight is out of range.
    """
    cdef uint64_t total = 0
    cdef uint64_t draw, uneven, weight
    cdef uint32_t counter = 0
    cdef int i
    cdef unsigned char[28] message
    cdef const unsigned char* head
    cdef bytes digest
    if len(seed) != 32 or len(uid) != 16 or ply < 0:
        raise ValueError(f"a seed of 32 bytes, a uid of 16, a ply from 0 are needed, not {len(seed)}, {len(uid)}, {ply}")
    for _, given in outcomes:
        if not 0 < given <= 0xFFFFFFFFFFFFFFFF - total:
            raise ValueError("weights must be at least 1 and add up to less than 2**64")
        total += <uint64_t> given
    if total == 0:
        raise ValueError("a chance node without outcomes")
    uneven = (0 - total) % total  # 2**64 mod total, in 64 bits
    head = uid
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
            break
        counter += 1
    draw %= total
    for code, given in outcomes:
        weight = given
        if draw < weight:
            return code
        draw -= weight
    raise AssertionError("unreachable")

"""A fast seedable generator for play-outs, bots and resampling: xoshiro256**, seeded by splitmix64.

Never for the chance of matches: that is :mod:`cext.chance`, keyed and verifiable.
Source of the algorithms: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2018);
Lemire, "Fast random integer generation in an interval" (2019).
"""

from libc.stdint cimport uint32_t, uint64_t


cdef class Rng:
    """Random numbers from a seed (any Python int, taken modulo 2**64): the same on every machine."""

    def __init__(self, seed):
        cdef uint64_t x = <uint64_t> (seed & 0xFFFFFFFFFFFFFFFF)
        cdef uint64_t z
        cdef uint64_t[4] words
        cdef int i
        for i in range(4):
            x += <uint64_t> 0x9E3779B97F4A7C15
            z = x
            z = (z ^ (z >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
            z = (z ^ (z >> 27)) * <uint64_t> 0x94D049BB133111EB
            words[i] = z ^ (z >> 31)
        self.s0, self.s1, self.s2, self.s3 = words[0], words[1], words[2], words[3]

    def below(self, uint32_t n):
        """A whole number from 0 to n - 1, each equally likely. Raises ValueError if n is 0."""
        if n == 0:
            raise ValueError("below() needs at least 1")
        return self.bounded(n)

    def bits64(self):
        """64 random bits."""
        return self.next64()

    def choice(self, items):
        """One item of a non-empty sequence, each equally likely."""
        return items[self.below(len(items))]

    def shuffle(self, list items):
        """Shuffle a list in place (Fisher and Yates)."""
        cdef Py_ssize_t i, j
        for i in range(len(items) - 1, 0, -1):
            j = self.bounded(<uint32_t> (i + 1))
            items[i], items[j] = items[j], items[i]

    def weighted(self, outcomes):
        """The code of one ``(code, weight)``, likely in proportion to its integer weight."""
        cdef uint64_t total = 0
        cdef uint64_t pick
        for _, weight in outcomes:
            total += <uint64_t> weight
        if total == 0 or total > 0xFFFFFFFF:
            raise ValueError(f"weights must add up to 1..2**32-1, not {total}")
        pick = self.bounded(<uint32_t> total)
        for code, weight in outcomes:
            if pick < <uint64_t> weight:
                return code
            pick -= <uint64_t> weight
        raise AssertionError("unreachable")

    def fork(self):
        """An independent generator, seeded by this one."""
        return Rng(self.next64())

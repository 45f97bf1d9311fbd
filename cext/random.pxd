from libc.stdint cimport uint32_t, uint64_t

cdef class Rng:
    cdef uint64_t s0, s1, s2, s3
    cdef inline uint64_t next64(self) noexcept nogil:
        cdef uint64_t x = self.s1 * 5
        cdef uint64_t result = ((x << 7) | (x >> 57)) * 9
        cdef uint64_t t = self.s1 << 17
        self.s2 ^= self.s0
        self.s3 ^= self.s1
        self.s1 ^= self.s2
        self.s0 ^= self.s3
        self.s2 ^= t
        self.s3 = (self.s3 << 45) | (self.s3 >> 19)
        return result
    cdef inline uint32_t bounded(self, uint32_t n) noexcept nogil:
        # Lemire's multiply-and-reject: unbiased for every n from 1.
        cdef uint64_t m = (self.next64() >> 32) * <uint64_t> n
        cdef uint32_t low = <uint32_t> m
        cdef uint32_t threshold
        if low < n:
            threshold = (<uint32_t> (0 - n)) % n
            while low < threshold:
                m = (self.next64() >> 32) * <uint64_t> n
                low = <uint32_t> m
        return <uint32_t> (m >> 32)

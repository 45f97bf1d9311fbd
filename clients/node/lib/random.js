/**
 * Repeatable random choice.
 */

/** @typedef {() => number} Random from 0, below 1 */

/**
 * Returns a random item.
 *
 * @template T
 * @param {T[]} items at least one
 * @param {Random} random
 * @returns {T}
 */
export function pick(items, random) {
  return /** @type {T} */ (items[Math.floor(random() * items.length)]);
}

/**
 * Returns the random number generator mulberry32 with a seed.
 *
 * @param {number} seed
 * @returns {Random}
 */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

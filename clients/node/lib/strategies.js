/**
 * Strategies of the bot: greedy for Ominoes, random for every other game.
 */

/** @import { Choose } from './play.js' */
/** @import { Random } from './random.js' */

import { chooseOminoes } from './ominoes.js';
import { typeName } from './protos.js';
import { pick } from './random.js';

/** Strategies by the type of the view that they read. */
const BY_VIEW = new Map([['gamepacks.ominoes.v1.View', chooseOminoes]]);

/**
 * Returns the strategy for all games.
 *
 * @param {Random} random
 * @returns {Choose}
 */
export function strategy(random) {
  return (turn, seat) => {
    const choose = BY_VIEW.get(typeName(turn.view));
    return choose === undefined ? pick(turn.codes, random) : choose(turn, seat.seat, random);
  };
}

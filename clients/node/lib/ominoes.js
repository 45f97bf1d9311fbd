/**
 * A greedy strategy for Ominoes: evaluates the board after each action and chooses the best. It reads the pack's typed
 * view and actions, and does not decode action codes.
 */

/** @import { Random } from './random.js' */
/** @import { Turn } from './wire.js' */

import { pick } from './random.js';

/**
 * The fields of gamepacks.ominoes.v1 that this strategy uses.
 *
 * @typedef {{ row: number, column: number }} Cell
 * @typedef {{ god: string, collects: string[], score: number }} OminoesPlayer
 * @typedef {{ board_size: number, board: string[], rolled: string, players: OminoesPlayer[] }} View
 * @typedef {object} Action exactly one of its fields is set; `action` is its name
 * @property {string} action
 * @property {{ cell: Cell }} [place]
 * @property {{ from_cell: Cell, to_cell: Cell }} [move]
 * @property {{ cell: Cell }} [reroll]
 * @property {{ god: string, cells: Cell[] }} [score]
 * @property {{ cell: Cell }} [add]
 */

const EMPTY = 'FACE_UNSPECIFIED';
const WILDS = ['FACE_YAY_RA', 'FACE_OMINOTEP'];
const FACES = ['FACE_HORUS', 'FACE_RA', 'FACE_APEP', 'FACE_KHEPRI', ...WILDS];
// Number of dice of the smallest group that can be scored (OMI-SCORE-01).
const GROUP = 4;

// Value of a die of a complete group; a single die has the value 1. An own group can be scored at once, that of a rival
// only on the rival's turn.
const OWN_POINT = 100;
const RIVAL_POINT = 20;

/**
 * @param {Turn} turn
 * @param {number} me the seat
 * @param {Random} random breaks ties
 * @returns {number} the code of the best action
 */
export function chooseOminoes(turn, me, random) {
  const view = /** @type {View} */ (/** @type {unknown} */ (turn.view));
  let best = -Infinity;
  /** @type {number[]} */
  let codes = [];
  for (const { code, action } of turn.actions) {
    const value = valueOf(/** @type {Action} */ (/** @type {unknown} */ (action)), view, me);
    if (value > best) {
      best = value;
      codes = [];
    }
    if (value === best) {
      codes.push(code);
    }
  }
  return pick(codes, random);
}

/**
 * @param {Action} action
 * @param {View} view
 * @param {number} me
 * @returns {number} value of the action, comparable within one turn only
 */
function valueOf(action, view, me) {
  const { board, board_size: size } = view;
  const at = (/** @type {Cell} */ { row, column }) => row * size + column;
  const after = (/** @type {[number, string][]} */ changes) => {
    const changed = [...board];
    changes.forEach(([cell, face]) => (changed[cell] = face));
    return boardValue(changed, view, me);
  };
  if (action.place !== undefined) {
    // During the setup the die to place shows the player's own god, and no die has been rolled.
    const face = view.rolled === EMPTY ? /** @type {OminoesPlayer} */ (view.players[me]).god : view.rolled;
    return after([[at(action.place.cell), face.replace('GOD_', 'FACE_')]]);
  }
  if (action.move !== undefined) {
    const from = at(action.move.from_cell);
    return after([
      [from, EMPTY],
      [at(action.move.to_cell), /** @type {string} */ (board[from])],
    ]);
  }
  if (action.add !== undefined) {
    return after([[at(action.add.cell), view.rolled]]);
  }
  if (action.reroll !== undefined) {
    const cell = at(action.reroll.cell);
    return FACES.reduce((sum, face) => sum + after([[cell, face]]), 0) / FACES.length;
  }
  if (action.score !== undefined) {
    return action.score.cells.length;
  }
  return 0; // declining to score
}

/**
 * Evaluates a board: the sum of the squared group sizes over the own gods, more for complete groups, minus half of it
 * for the gods of the rivals. A god that both sides collect counts for the own side, which is to act.
 *
 * @param {string[]} board
 * @param {View} view
 * @param {number} me
 * @returns {number}
 */
export function boardValue(board, view, me) {
  const mine = /** @type {OminoesPlayer} */ (view.players[me]).collects;
  const theirs = new Set(view.players.flatMap(({ collects }) => collects).filter((god) => !mine.includes(god)));
  let value = 0;
  for (const god of mine) {
    for (const dice of groupSizes(board, view.board_size, god.replace('GOD_', 'FACE_'))) {
      value += dice >= GROUP ? OWN_POINT * dice : dice * dice;
    }
  }
  for (const god of theirs) {
    for (const dice of groupSizes(board, view.board_size, god.replace('GOD_', 'FACE_'))) {
      value -= dice >= GROUP ? RIVAL_POINT * dice : (dice * dice) / 2;
    }
  }
  return value;
}

/**
 * Returns the sizes of all groups of a god: dice connected by edges that show the god or a wild, at least one the god.

 *
 * @param {string[]} board
 * @param {number} size of a side
 * @param {string} god a face
 * @returns {number[]}
 */
export function groupSizes(board, size, god) {
  const fits = board.map((face) => face === god || WILDS.includes(face));
  const sizes = [];
  for (let start = 0; start < board.length; start += 1) {
    if (board[start] !== god || !fits[start]) {
      continue;
    }
    fits[start] = false;
    const found = [start];
    for (let next = 0; next < found.length; next += 1) {
      for (const cell of neighbours(/** @type {number} */ (found[next]), size)) {
        if (fits[cell]) {
          fits[cell] = false;
          found.push(cell);
        }
      }
    }
    sizes.push(found.length);
  }
  return sizes;
}

/**
 * @param {number} cell
 * @param {number} size
 * @returns {number[]}
 */
function neighbours(cell, size) {
  const column = cell % size;
  const cells = [];
  if (cell >= size) cells.push(cell - size);
  if (column > 0) cells.push(cell - 1);
  if (column < size - 1) cells.push(cell + 1);
  if (cell < size * (size - 1)) cells.push(cell + size);
  return cells;
}

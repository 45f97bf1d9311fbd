import assert from 'node:assert/strict';
import { test } from 'node:test';

import { boardValue, chooseOminoes, groupSizes } from '../lib/ominoes.js';
import { pick, seeded } from '../lib/random.js';
import { strategy } from '../lib/strategies.js';

/** @import { HeldSeat } from '../lib/play.js' */
/** @import { Turn } from '../lib/wire.js' */

const LETTERS = /** @type {Record<string, string>} */ ({
  '.': 'FACE_UNSPECIFIED',
  H: 'FACE_HORUS',
  R: 'FACE_RA',
  A: 'FACE_APEP',
  K: 'FACE_KHEPRI',
  Y: 'FACE_YAY_RA',
  O: 'FACE_OMINOTEP',
});
const PLAYERS = [
  { god: 'GOD_RA', collects: ['GOD_RA', 'GOD_KHEPRI', 'GOD_HORUS'], score: 0 },
  { god: 'GOD_APEP', collects: ['GOD_APEP', 'GOD_KHEPRI', 'GOD_HORUS'], score: 0 },
];

/** @param {string[]} rows @param {string} rolled a letter */
function view(rows, rolled = '.') {
  const board = rows.flatMap((row) => [...row].map((letter) => /** @type {string} */ (LETTERS[letter])));
  const face = /** @type {string} */ (LETTERS[rolled]);
  return {
    '@type': 'type.googleapis.com/gamepacks.ominoes.v1.View',
    board_size: rows.length,
    board,
    rolled: face,
    players: PLAYERS,
  };
}

/** @param {number} row @param {number} column */
const cell = (row, column) => ({ row, column });

/**
 * @param {ReturnType<typeof view>} seen
 * @param {Record<string, unknown>[]} actions the code is the index
 * @returns {Turn}
 */
function turn(seen, actions) {
  return {
    channel: 1,
    seq: 1,
    codes: actions.map((_, code) => code),
    sampled: false,
    view: seen,
    actions: actions.map((action, code) => ({ code, action, label: '' })),
    time_left_ms: 0,
  };
}

const RANDOM = seeded(1);

test('finds groups through edges, with wilds, never of wilds alone', () => {
  const rows = ['RR..', '.YR.', '...R', 'OY..'];
  assert.deepEqual(groupSizes(view(rows).board, 4, 'FACE_RA'), [4, 1]);
  assert.deepEqual(groupSizes(view(rows).board, 4, 'FACE_APEP'), []);
});

test('does not join the ends of two rows', () => {
  assert.deepEqual(groupSizes(view(['..R', 'R..', '...']).board, 3, 'FACE_RA'), [1, 1]);
});

test('prefers the move that completes a group of its own', () => {
  const seen = view(['RRR.', '....', '....', 'R..A'], 'R');
  const moves = [
    { action: 'move', move: { from_cell: cell(3, 0), to_cell: cell(0, 3) } },
    { action: 'move', move: { from_cell: cell(3, 0), to_cell: cell(3, 1) } },
    { action: 'move', move: { from_cell: cell(3, 0), to_cell: cell(2, 1) } },
  ];
  assert.equal(chooseOminoes(turn(seen, moves), 0, RANDOM), 0);
});

test('breaks up a group of a rival', () => {
  const seen = view(['AAA.', '....', '....', '....'], 'A');
  const moves = [
    { action: 'move', move: { from_cell: cell(0, 2), to_cell: cell(1, 2) } },
    { action: 'move', move: { from_cell: cell(0, 1), to_cell: cell(3, 1) } },
  ];
  assert.equal(chooseOminoes(turn(seen, moves), 0, RANDOM), 1);
});

test('adds the rolled die next to dice of the same god', () => {
  const seen = view(['RR..', '....', '....', '....'], 'R');
  const adds = [cell(3, 3), cell(0, 2), cell(2, 2)].map((where) => ({ action: 'add', add: { cell: where } }));
  assert.equal(chooseOminoes(turn(seen, adds), 0, RANDOM), 1);
});

test('places its own god in the setup, which the view does not show in hand', () => {
  const seen = view(['A...', '....', '....', '...R']);
  const places = [cell(0, 1), cell(3, 2)].map((where) => ({ action: 'place', place: { cell: where } }));
  assert.equal(chooseOminoes(turn(seen, places), 0, RANDOM), 1);
  assert.equal(chooseOminoes(turn(seen, places), 1, RANDOM), 0);
});

test('rerolls the die whose loss costs the least', () => {
  const seen = view(['RRR.', '....', '....', '...A']);
  const rerolls = [cell(0, 1), cell(3, 3)].map((where) => ({ action: 'reroll', reroll: { cell: where } }));
  assert.equal(chooseOminoes(turn(seen, rerolls), 0, RANDOM), 1);
});

test('scores the largest group, and prefers scoring to declining', () => {
  const seen = view(['RRRR', '....', '....', '....']);
  const cells = [cell(0, 0), cell(0, 1), cell(0, 2), cell(0, 3)];
  const actions = [
    { action: 'decline_score', decline_score: {} },
    { action: 'score', score: { god: 'GOD_RA', cells } },
    { action: 'score', score: { god: 'GOD_HORUS', cells: [...cells, cell(1, 0)] } },
  ];
  assert.equal(chooseOminoes(turn(seen, actions), 0, RANDOM), 2);
});

test('counts a god that both collect for the side to act', () => {
  const { board, ...seen } = view(['KK..', '....', '....', '....']);
  assert.equal(boardValue(board, { board, ...seen }, 0), 4);
  assert.equal(boardValue(board, { board, ...seen }, 1), 4);
});

test('plays any other game at random, the same for the same seed', () => {
  const other = { ...turn(view(['.']), []), view: { type_url: 'x/some.other.View' }, codes: [3, 4, 5] };
  const seat = /** @type {HeldSeat} */ ({ seat: 0 });
  const series = (/** @type {number} */ seed) => {
    const choose = strategy(seeded(seed));
    return Array.from({ length: 50 }, () => choose(other, seat));
  };
  assert.deepEqual(series(7), series(7));
  assert.notDeepEqual(series(7), series(8));
  assert.deepEqual([...new Set(series(7))].sort(), [3, 4, 5]);
});

test('recognises Ominoes by the type of its view', () => {
  const seen = view(['RR..', '....', '....', '....'], 'R');
  const adds = [cell(3, 3), cell(0, 2)].map((where) => ({ action: 'add', add: { cell: where } }));
  const seat = /** @type {HeldSeat} */ ({ seat: 0 });
  assert.equal(strategy(seeded(1))(turn(seen, adds), seat), 1);
});

test('random numbers stay below 1 and reach every item', () => {
  const random = seeded(42);
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 4000; i += 1) {
    const item = pick([0, 1, 2, 3], random);
    counts[item] = (counts[item] ?? 0) + 1;
  }
  counts.forEach((count) => assert.ok(count > 800 && count < 1200, String(counts)));
});

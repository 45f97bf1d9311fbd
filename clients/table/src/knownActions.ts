/**
 * The actions that were legal at some time, by game. When a person clicks a part that cannot be chosen now, the page
 * offers the actions for which it is chosen at other times, and the service gives the reason why they are not legal now.
 */

import type { LegalMove } from '@omnilude/client';

/** Actions that are kept of a game: the oldest are forgotten first. */
const MOST = 5000;

const seen = new Map<string, Map<number, LegalMove>>();

export function rememberActions(game: string, moves: LegalMove[]): void {
  const known = seen.get(game) ?? new Map<number, LegalMove>();
  seen.set(game, known);
  for (const move of moves) {
    known.delete(move.code);
    known.set(move.code, move);
  }
  for (const code of known.keys()) {
    if (known.size <= MOST) {
      break;
    }
    known.delete(code);
  }
}

/** Returns actions that touch a part and are not among the legal ones, the newest first. */
export function actionsTouching(game: string, part: string, legal: LegalMove[]): LegalMove[] {
  const codes = new Set(legal.map((move) => move.code));
  const known = [...(seen.get(game)?.values() ?? [])].reverse();
  const touching = known.filter((move) => move.targets.includes(part) && !codes.has(move.code));
  // Those that begin with the part are more likely meant.
  return touching.sort((a, b) => a.targets.indexOf(part) - b.targets.indexOf(part));
}

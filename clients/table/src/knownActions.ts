/**
 * The actions that have been legal at some time, by game. When a person clicks a part that cannot be chosen now, the page
 * offers the known actions that target it, and the service gives the reason why they are not legal now.
 */

import type { LegalMove } from '@omnilude/client';

/** Maximum number of actions stored for each game; the oldest are removed first. */
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

/** Returns known actions that target a part and are not legal now, the newest first. */
export function actionsTouching(game: string, part: string, legal: LegalMove[]): LegalMove[] {
  const codes = new Set(legal.map((move) => move.code));
  const known = [...(seen.get(game)?.values() ?? [])].reverse();
  const touching = known.filter((move) => move.targets.includes(part) && !codes.has(move.code));
  // Actions whose first target is the part are more likely meant.
  return touching.sort((a, b) => a.targets.indexOf(part) - b.targets.indexOf(part));
}

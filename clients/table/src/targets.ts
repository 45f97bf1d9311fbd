/** How a person chooses an action: by the parts of the scene that it touches, one after the other. */

import type { LegalMove } from '@omnilude/client';

const PLACE = /^place:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/;

export interface Place {
  target: string;
  x: number;
  y: number;
}

/** What can be chosen after some parts have been. */
export interface Choice {
  /** Actions that touch these parts first. */
  moves: LegalMove[];
  /** Actions that touch these parts and no more. */
  complete: LegalMove[];
  /** Parts that one of the actions touches next. */
  parts: Set<string>;
  /** Points that one of the actions touches next. */
  places: Place[];
  /** Parts that can be dragged: an action touches them next, and something else after them. */
  draggable: Set<string>;
}

/** Returns what can be chosen when `chosen` are the parts chosen so far. */
export function choiceAfter(moves: LegalMove[], chosen: string[]): Choice {
  const found = moves.filter(({ targets }) => isBegun(targets, chosen));
  const parts = new Set<string>();
  const draggable = new Set<string>();
  const places = new Map<string, Place>();
  for (const { targets } of found) {
    for (const next of nextTargets(targets, chosen)) {
      const point = PLACE.exec(next);
      if (point !== null) {
        places.set(next, { target: next, x: Number(point[1]), y: Number(point[2]) });
        continue;
      }
      parts.add(next);
      if (targets.length > chosen.length + 1) {
        draggable.add(next);
      }
    }
  }
  const complete = chosen.length === 0 ? [] : found.filter(({ targets }) => targets.length === chosen.length);
  return { moves: found, complete, parts, places: [...places.values()], draggable };
}

/**
 * Returns the first target of all actions that have targets, where it is the same and more follow: a person may leave it
 * out, as with the only piece that can be moved.
 */
export function sharedTarget(moves: LegalMove[]): string | undefined {
  const [first, ...others] = moves.filter(({ targets }) => targets.length > 0);
  const shared = first?.targets[0];
  const all = first !== undefined && [first, ...others].every((it) => it.targets.length > 1 && it.targets[0] === shared);
  return all ? shared : undefined;
}

/** Whether the chosen parts are the first targets, in this order. */
function isPrefix(targets: string[], chosen: string[]): boolean {
  return chosen.every((target, index) => targets[index] === target);
}

/**
 * Whether an action can still be meant. Of one with three targets and more, all but the last can be chosen in any order:
 * they are a set of parts and what is done with it.
 */
function isBegun(targets: string[], chosen: string[]): boolean {
  if (isPrefix(targets, chosen)) {
    return true;
  }
  const last = targets[targets.length - 1]!;
  return (
    targets.length >= 3 &&
    chosen.every((target) => targets.includes(target)) &&
    (!chosen.includes(last) || chosen.length === targets.length)
  );
}

function nextTargets(targets: string[], chosen: string[]): string[] {
  if (isPrefix(targets, chosen)) {
    return targets.slice(chosen.length, chosen.length + 1);
  }
  const left = targets.filter((target) => !chosen.includes(target));
  return left.length > 1 ? left.slice(0, -1) : left;
}

/** Returns the place nearest to a point. */
export function nearest(places: Place[], x: number, y: number): Place | undefined {
  const distance = (place: Place) => (place.x - x) ** 2 + (place.y - y) ** 2;
  return places.reduce<Place | undefined>(
    (best, place) => (best === undefined || distance(place) < distance(best) ? place : best),
    undefined,
  );
}

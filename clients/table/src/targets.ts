/** Selection of an action by clicks on its targets, the parts of the scene, one after the other. */

import type { LegalMove } from '@omnilude/client';

const PLACE = /^place:(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/;

export interface Place {
  target: string;
  x: number;
  y: number;
}

/** Possible choices after some parts have been chosen. */
export interface Choice {
  /** Actions whose first targets are the chosen parts. */
  moves: LegalMove[];
  /** Actions whose targets are exactly the chosen parts. */
  complete: LegalMove[];
  /** Parts that are the next target of one of the actions. */
  parts: Set<string>;
  /** Points that are the next target of one of the actions. */
  places: Place[];
  /** Draggable parts: the next target of an action that has another target after it. */
  draggable: Set<string>;
}

/** Returns the possible choices after the parts `chosen`. */
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
 * Returns the common first target of all actions that have targets, if each has further targets: a person need not click
 * it, for example the only piece that can be moved.
 */
export function sharedTarget(moves: LegalMove[]): string | undefined {
  const [first, ...others] = moves.filter(({ targets }) => targets.length > 0);
  const shared = first?.targets[0];
  const all = first !== undefined && [first, ...others].every((it) => it.targets.length > 1 && it.targets[0] === shared);
  return all ? shared : undefined;
}

/** Returns whether the chosen parts are the first targets, in this order. */
function isPrefix(targets: string[], chosen: string[]): boolean {
  return chosen.every((target, index) => targets[index] === target);
}

/**
 * Returns whether the chosen parts are compatible with an action. If it has three or more targets, all but the last can be
 * chosen in any order: they are a set of parts, and the last target says what to do with them.
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

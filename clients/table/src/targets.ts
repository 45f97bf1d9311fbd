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
}

/** Returns what can be chosen when `chosen` are the parts chosen so far. */
export function choiceAfter(moves: LegalMove[], chosen: string[]): Choice {
  const found = moves.filter(({ targets }) => chosen.every((target, index) => targets[index] === target));
  const parts = new Set<string>();
  const places = new Map<string, Place>();
  for (const { targets } of found) {
    const next = targets[chosen.length];
    const point = next === undefined ? null : PLACE.exec(next);
    if (next === undefined) {
      continue;
    } else if (point === null) {
      parts.add(next);
    } else {
      places.set(next, { target: next, x: Number(point[1]), y: Number(point[2]) });
    }
  }
  const complete = chosen.length === 0 ? [] : found.filter(({ targets }) => targets.length === chosen.length);
  return { moves: found, complete, parts, places: [...places.values()] };
}

/** Returns the place nearest to a point. */
export function nearest(places: Place[], x: number, y: number): Place | undefined {
  const distance = (place: Place) => (place.x - x) ** 2 + (place.y - y) ** 2;
  return places.reduce<Place | undefined>(
    (best, place) => (best === undefined || distance(place) < distance(best) ? place : best),
    undefined,
  );
}

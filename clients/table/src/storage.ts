/** Local storage of the page: tokens of seats, commitments to seeds, the player's name. */

export interface KnownMatch {
  game: string;
  /** Tokens by seat. */
  tokens: Record<string, string>;
  hostToken?: string;
  /** Commitment to the seed, in hexadecimal, at the time when this browser first opened the match. */
  commitment?: string;
  /** Time of the last use, in milliseconds since 1970. */
  usedAt: number;
}

const MATCHES = 'omnilude.matches';
/** Maximum number of stored matches; the least recently used one is removed first. */
const MAX_MATCHES = 200;

function read<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is full or disabled: the page works without it until the next reload.
  }
}

export function knownMatches(): Record<string, KnownMatch> {
  return read<Record<string, KnownMatch>>(MATCHES, {});
}

export function knownMatch(name: string): KnownMatch | undefined {
  return knownMatches()[name];
}

/** Updates the stored data of a match. New tokens are added; a commitment is never replaced. */
export function remember(name: string, game: string, news: Partial<Pick<KnownMatch, 'tokens' | 'hostToken' | 'commitment'>>) {
  const all = knownMatches();
  const before = all[name] ?? { game, tokens: {}, usedAt: 0 };
  const commitment = before.commitment ?? news.commitment;
  const match = { ...before, ...news, tokens: { ...before.tokens, ...news.tokens }, usedAt: Date.now() };
  all[name] = commitment === undefined ? match : { ...match, commitment };
  const newest = Object.entries(all).sort(([, a], [, b]) => b.usedAt - a.usedAt);
  write(MATCHES, Object.fromEntries(newest.slice(0, MAX_MATCHES)));
}

/** Removes a token that the service no longer accepts. */
export function forgetToken(name: string, seat: number): void {
  const all = knownMatches();
  if (all[name] !== undefined) {
    delete all[name].tokens[seat];
    write(MATCHES, all);
  }
}

export function readText(key: string): string {
  return read(`omnilude.${key}`, '');
}

export function writeText(key: string, value: string): void {
  write(`omnilude.${key}`, value);
}

/** Router: the fragment of the address, which browsers never send to the service, selects the page. */

export type Route =
  | { page: 'lobby' }
  | { page: 'new'; game: string }
  /** `seat` is -1 for a spectator; `token` is set only in shared links. */
  | { page: 'match'; match: string; seat: number; token: string };

function parse(fragment: string): Route {
  const [first, id, word, seat, token] = fragment.replace(/^#?\/?/, '').split('/').map(decode);
  if (first === 'new' && id) {
    return { page: 'new', game: `games/${id}` };
  }
  if (first === 'matches' && id) {
    const index = word === 'seat' && /^\d+$/.test(seat ?? '') ? Number(seat) : -1;
    return { page: 'match', match: `matches/${id}`, seat: index, token: index < 0 ? '' : (token ?? '') };
  }
  return { page: 'lobby' };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the fragment of a match for a seat or a spectator (-1). With the token it is a link to share the seat. */
export function matchFragment(match: string, seat = -1, token = ''): string {
  return `#/${match}${seat < 0 ? '' : `/seat/${seat}`}${token === '' ? '' : `/${encodeURIComponent(token)}`}`;
}

class CurrentRoute {
  value: Route = $state(parse(location.hash));

  constructor() {
    addEventListener('hashchange', () => (this.value = parse(location.hash)));
  }

  go(fragment: string): void {
    location.hash = fragment;
  }

  /** Changes the address without an entry in the browser's history. */
  replace(fragment: string): void {
    history.replaceState(null, '', fragment);
    this.value = parse(fragment);
  }
}

export const route = new CurrentRoute();

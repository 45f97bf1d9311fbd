/** Preferences stored in this browser: colours, sound, player name. */

import { readText, writeText } from './storage.ts';

class Preference {
  #value: string = $state('');

  constructor(
    private readonly key: string,
    otherwise: string,
    private readonly onChange: () => void = () => {},
  ) {
    this.#value = readText(key) || otherwise;
  }

  get value(): string {
    return this.#value;
  }

  set value(value: string) {
    this.#value = value;
    writeText(this.key, value);
    this.onChange();
  }
}

/** Applies the colour preferences: the style sheet of scenes reads these attributes. */
export function applyPreferences(): void {
  const root = document.documentElement;
  root.toggleAttribute('data-theme', theme.value !== 'system');
  if (theme.value !== 'system') {
    root.dataset['theme'] = theme.value;
  }
  root.dataset['colors'] = colors.value;
}

/** "system", "light" or "dark". */
export const theme = new Preference('theme', 'system', applyPreferences);
/** "normal", or "safe" for colours that colour-blind people can tell apart. */
export const colors = new Preference('colors', 'normal', applyPreferences);
/** "off" or "on". */
export const sound = new Preference('sound', 'off');
export const playerName = new Preference('player', '');
/** The service's API token; needed if the service requires one to create matches. */
export const apiToken = new Preference('api-token', '');

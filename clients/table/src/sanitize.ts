/**
 * Sanitises scenes, which come from packs and contain untrusted card names: only the elements and attributes that the pack API
 * allows reach the page. A scene is parsed as XML into a separate inert document, and its nodes are moved: nothing is parsed as HTML.
 */

import { ATTRIBUTES, ELEMENTS } from './gen/scene.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** Maximum depth of nested elements; deeper elements are removed. */
const MAX_DEPTH = 64;
/** Prefix of the ids of the page itself, which a scene must not use. */
const PAGE_IDS = 'page-';

/** Returns a scene that is safe to put into the page. Throws an Error if the text is not SVG. */
export function safeScene(text: string, onText: (text: string) => string): SVGSVGElement {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (root.namespaceURI !== SVG || root.localName !== 'svg') {
    throw new Error('the scene is not SVG');
  }
  clean(root, onText, new Set(), 0);
  return document.adoptNode(root) as Element as SVGSVGElement;
}

/** Removes everything from an element that is not listed, and passes its texts through `onText`. */
function clean(element: Element, onText: (text: string) => string, used: Set<string>, depth: number): void {
  for (const { name, value } of [...element.attributes]) {
    const idTaken = name === 'id' && (value.startsWith(PAGE_IDS) || used.has(value));
    if (!ATTRIBUTES.includes(name) || idTaken || (name === 'role' && value !== 'img')) {
      element.removeAttribute(name);
    } else if (name === 'id') {
      used.add(value);
    }
  }
  for (const child of [...element.childNodes]) {
    if (child instanceof Text) {
      const shown = onText(child.data);
      if (shown !== child.data) {
        child.data = shown;
      }
    } else if (
      child instanceof Element &&
      child.namespaceURI === SVG &&
      ELEMENTS.includes(child.localName) &&
      child.localName !== 'svg' &&
      depth < MAX_DEPTH
    ) {
      clean(child, onText, used, depth + 1);
    } else {
      child.remove();
    }
  }
}

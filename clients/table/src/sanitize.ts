/**
 * Scenes come from packs, and card names in them are data: only what is listed here gets into the page. The elements
 * are made anew, so nothing that a parser of HTML would read differently can slip through.
 */

const SVG = 'http://www.w3.org/2000/svg';

const ELEMENTS = new Set(
  'svg title desc g rect circle ellipse line polyline polygon path text tspan'.split(' '),
);
const ATTRIBUTES = new Set(
  (
    'viewBox role id class data-when transform x y width height rx ry cx cy r x1 y1 x2 y2 dx dy points d text-anchor ' +
    'font-size stroke-width'
  ).split(' '),
);
/** Depth of nested elements beyond which a scene is cut. */
const DEEPEST = 64;
/** Ids of the page itself begin so; a scene has none of them. */
const PAGE_IDS = 'page-';

/** Returns a scene that is safe to put into the page. Throws an Error if the text is not SVG. */
export function safeScene(text: string, onText: (text: string) => string): SVGSVGElement {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  if (root.namespaceURI !== SVG || root.localName !== 'svg') {
    throw new Error('the scene is not SVG');
  }
  const used = new Set<string>();
  return copy(root, onText, used, 0) as SVGSVGElement;
}

function copy(from: Element, onText: (text: string) => string, used: Set<string>, depth: number): SVGElement {
  const made = document.createElementNS(SVG, from.localName);
  for (const { name, value } of from.attributes) {
    if (!ATTRIBUTES.has(name) || (name === 'role' && value !== 'img')) {
      continue;
    }
    if (name === 'id') {
      if (value.startsWith(PAGE_IDS) || used.has(value)) {
        continue;
      }
      used.add(value);
    }
    made.setAttribute(name, value);
  }
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE || child.nodeType === Node.CDATA_SECTION_NODE) {
      made.append(onText(child.nodeValue ?? ''));
    } else if (
      child instanceof Element &&
      child.namespaceURI === SVG &&
      ELEMENTS.has(child.localName) &&
      child.localName !== 'svg' &&
      depth < DEEPEST
    ) {
      made.append(copy(child, onText, used, depth + 1));
    }
  }
  return made;
}

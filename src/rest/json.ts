import { Recent } from './recent.ts';

const texts = new Recent<string>();

/**
 * The JSON text of an answer. Letters beyond ASCII are escaped; such a text is its own bytes, so nothing has to be
 * encoded on the way out. Frozen answers, and the frozen items of a page, never change: their text is kept a while.
 */
export function jsonOf(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return asciiJson(answer);
  return isPage(answer) ? pageText(answer) : textOf(answer);
}

interface PageLike {
  readonly _embedded: { readonly items: readonly object[] };
}

function isPage(answer: object): answer is PageLike {
  return '_embedded' in answer;
}

/** The items come last in their envelope, so theirs can be put in where an empty list ends. */
function pageText(page: PageLike): string {
  const envelope = asciiJson({ ...page, _embedded: { items: [] } });
  return `${envelope.slice(0, -3)}${page._embedded.items.map(textOf).join(',')}]}}`;
}

function textOf(value: object): string {
  if (!Object.isFrozen(value)) return asciiJson(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = asciiJson(value);
  texts.set(value, text);
  return text;
}

function asciiJson(value: unknown): string {
  const text = JSON.stringify(value);
  return /[^\0-\x7f]/.test(text) ? text.replaceAll(/[^\0-\x7f]/g, escaped) : text;
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

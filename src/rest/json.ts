import { Recent } from '../recent.ts';

const texts = new Recent<object, string>();

/**
 * The JSON text of an answer. The frozen items of a page never change: their text is kept a while, since most of them
 * are in its next answer again.
 */
export function jsonOf(answer: unknown): string {
  return isPage(answer) ? pageText(answer) : JSON.stringify(answer);
}

interface PageLike {
  readonly _embedded: { readonly items: readonly object[] };
}

function isPage(answer: unknown): answer is PageLike {
  return typeof answer === 'object' && answer !== null && '_embedded' in answer;
}

/** The items come last in their envelope, so theirs can be put in where an empty list ends. */
function pageText(page: PageLike): string {
  const envelope = JSON.stringify({ ...page, _embedded: { items: [] } });
  return `${envelope.slice(0, -3)}${page._embedded.items.map(textOf).join(',')}]}}`;
}

function textOf(item: object): string {
  if (!Object.isFrozen(item)) return JSON.stringify(item);
  const known = texts.get(item);
  if (known !== undefined) return known;
  const text = JSON.stringify(item);
  texts.set(item, text);
  return text;
}

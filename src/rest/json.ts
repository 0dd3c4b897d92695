import { LruCache } from '../lib/lru-cache.ts';

/**
 * Returns the same text as `JSON.stringify`. Memoizes the text of frozen views in an LRU cache: they never change, and
 * most of them recur in the next response.
 */
export function jsonOf(answer: unknown): string {
  if (isPage(answer)) return pageText(answer);
  return isRecord(answer) ? recordText(answer) : JSON.stringify(answer);
}

interface PageLike {
  readonly _embedded: { readonly items: readonly object[] };
}

type PlainRecord = Readonly<Record<string, unknown>>;

function isPage(answer: unknown): answer is PageLike {
  return typeof answer === 'object' && answer !== null && '_embedded' in answer;
}

function isRecord(answer: unknown): answer is PlainRecord {
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer);
}

/** Inserts the items into the text of an empty page, whose last property is the list of items. */
function pageText(page: PageLike): string {
  const envelope = JSON.stringify({ ...page, _embedded: { items: [] } });
  return `${envelope.slice(0, -3)}${page._embedded.items.map(viewText).join(',')}]}}`;
}

function recordText(record: PlainRecord): string {
  let text = '';
  for (const name in record) {
    const value = record[name];
    if (value === undefined) continue;
    text += text === '' ? '{' : ',';
    text += nameText(name);
    text += valueText(value);
  }
  return text === '' ? '{}' : `${text}}`;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return special.test(value) ? JSON.stringify(value) : `"${value}"`;
  if (typeof value === 'boolean' || isFiniteNumber(value)) return `${value}`;
  if (Array.isArray(value)) return listText(value);
  return isRecord(value) ? viewText(value) : JSON.stringify(value);
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Characters that JSON escapes, or may escape. */
// oxlint-disable-next-line no-control-regex -- JSON escapes control characters
const special = /["\\\u0000-\u001F\uD800-\uDFFF]/;

function listText(list: readonly unknown[]): string {
  if (list.length === 0) return '[]';
  return list.every(isRecord) ? `[${list.map(viewText).join(',')}]` : JSON.stringify(list);
}

function viewText(view: object): string {
  if (!Object.isFrozen(view)) return JSON.stringify(view);
  const known = texts.get(view);
  if (known !== undefined) return known;
  const text = JSON.stringify(view);
  texts.set(view, text);
  return text;
}

const texts = new LruCache<object, string>();

function nameText(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  const text = `${JSON.stringify(name)}:`;
  names.set(name, text);
  return text;
}

const names = new LruCache<string, string>();

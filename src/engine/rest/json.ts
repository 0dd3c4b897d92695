import { isObject } from '../lib/json-value.ts';

/** The JSON texts of views that are cached. Such a view never changes. */
const texts = new WeakMap<object, string>();

/** Returns the JSON text of a view that will be cached, which pages with it have from then on. */
export function textOfCached(view: object): string {
  const text = JSON.stringify(view);
  texts.set(view, text);
  return text;
}

/** Returns the same text as `JSON.stringify`. */
export function jsonOf(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value);
  const items = itemsOf(value);
  if (items === undefined) return JSON.stringify(value);
  const views = items.map((item) => texts.get(item) ?? JSON.stringify(item));
  const empty = JSON.stringify({ ...value, _embedded: { items: [] } });
  return `${empty.slice(0, -3)}${views.join()}]}}`;
}

/** Returns the items of a page, of which the list of items is the last property; undefined for other values. */
function itemsOf(value: object): readonly object[] | undefined {
  if (!('_embedded' in value) || Object.keys(value).at(-1) !== '_embedded') return undefined;
  const { _embedded: embedded } = value;
  if (!isObject(embedded) || Object.keys(embedded).length !== 1) return undefined;
  const { items } = embedded;
  return Array.isArray(items) && items.every(isObject) ? items : undefined;
}

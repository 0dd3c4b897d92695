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
  if (!isPage(value)) return JSON.stringify(value);
  const items = value._embedded.items.map((item) => texts.get(item) ?? JSON.stringify(item));
  // The list of items is the last property of a page.
  const empty = JSON.stringify({ ...value, _embedded: { items: [] } });
  return `${empty.slice(0, -3)}${items.join()}]}}`;
}

interface PageOfViews {
  readonly _embedded: { readonly items: readonly object[] };
}

function isPage(value: unknown): value is PageOfViews {
  return typeof value === 'object' && value !== null && '_embedded' in value;
}

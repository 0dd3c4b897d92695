import { LruCache } from '../lib/maps.ts';
import type { ApiResponse } from './message.ts';
import { DetailText, joinParts, SharedText, type TextParts } from './text-parts.ts';

/**
 * A response with a JSON body. Hosts that send bytes can send the parts of the body, of which the shared ones are
 * encoded already.
 */
export class JsonResponse implements ApiResponse {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly body: string;
  readonly #encoded: EncodedBody;

  constructor(status: number, headers: ApiResponse['headers'], value: unknown) {
    this.status = status;
    this.headers = headers;
    const parts = jsonParts(value);
    this.body = joinParts(parts);
    this.#encoded = { parts, sent: undefined };
  }

  /** Returns the body for a host that sends bytes. A response of another kind, such as a changed copy, has one part. */
  static encoded(response: ApiResponse, body: string): EncodedBody {
    return #encoded in response ? response.#encoded : { parts: [body], sent: undefined };
  }
}

/** A body in parts. */
export interface EncodedBody {
  readonly parts: TextParts;
  /** What the host noted when it sent the response: the body in UTF-8 if it did more than once, because it is cached. */
  sent: Uint8Array | 'once' | undefined;
}

/** What the writer writes for a fragment: a shared text, details, or the text of a record. */
type Content = SharedText | DetailText | TextParts;

/**
 * Stands in a value for a part whose text is known already. The writer of this module writes that text; any other reader
 * of the value sees the part itself.
 */
export class Fragment {
  readonly content: Content;
  /** The cached text that the content was taken from; undefined if it was made for this fragment. */
  readonly source: object | undefined;
  readonly #part: unknown;

  /** @param part what the content shows, if it is known: who reads it need not parse its text */
  constructor(content: Content, part?: unknown, source?: object) {
    this.content = content;
    this.source = source;
    this.#part = part;
  }

  /** Returns a fragment as the part that it stands for, because views say what they show. */
  static of<Part>(content: Content, part?: Part, source?: object): Part {
    return new Fragment(content, part, source) as Part;
  }

  /** The part that it stands for. */
  get value(): unknown {
    const { content } = this;
    if (this.#part !== undefined) return this.#part;
    if (content instanceof SharedText) return content.value;
    const text = content instanceof DetailText ? content.text : joinParts(content);
    const value: unknown = JSON.parse(text);
    return value;
  }

  /** `JSON.stringify` calls it. */
  toJSON(): unknown {
    if (met === undefined) return this.value;
    met.push(this);
    return mark;
  }
}

/** What `JSON.stringify` writes for each fragment, and the fragments in their order, while this module calls it. */
let mark = '';
let met: Fragment[] | undefined;

/** A character that JSON does not escape, and that is rare: DEL. */
const firstMark = '\u007F';

/** Returns the same text as `JSON.stringify`. */
export function jsonOf(value: unknown): string {
  return joinParts(jsonParts(value));
}

function jsonParts(value: unknown): TextParts {
  if (!isPage(value)) return textParts(value);
  const parts: (string | SharedText)[] = [];
  addPage(value, parts);
  return parts;
}

/** What becomes of details: their text in a response, themselves in a text that will be cached. */
type Keep<Kept> = (detail: DetailText) => string | Kept;
const textOf: Keep<never> = ({ text }) => text;
const keepDetails: Keep<DetailText> = (detail) => detail;

interface PageLike {
  readonly _embedded: { readonly items: readonly unknown[] };
}

function isPage(value: unknown): value is PageLike {
  return typeof value === 'object' && value !== null && '_embedded' in value;
}

/**
 * Adds the items of a page one by one, inside the text of an empty page, whose last property is the list of items. A
 * single character beyond Latin-1 makes a whole text take two bytes for each character.
 */
function addPage(page: PageLike, parts: (string | SharedText)[]): void {
  const { items } = page._embedded;
  parts.push(JSON.stringify({ ...page, _embedded: { items: [] } }).slice(0, -3));
  for (let at = 0; at < items.length; at++) {
    if (at > 0) parts.push(',');
    addValue(items[at], parts, textOf);
  }
  parts.push(']}}');
}

function addValue<Kept>(
  value: unknown,
  parts: (string | SharedText | Kept)[],
  keep: Keep<Kept>,
): void {
  if (value instanceof Fragment) return addContent(value.content, parts, keep);
  const { texts, fragments } = split(value);
  parts.push(texts[0]!);
  for (let at = 0; at < fragments.length; at++) {
    addContent(fragments[at]!.content, parts, keep);
    parts.push(texts[at + 1]!);
  }
}

/**
 * Returns the text of a value, split where fragments are. Each fragment is one mark, so there are as many marks as
 * fragments, unless the value has a text that looks like the mark: then another mark is tried.
 */
function split(value: unknown): { readonly texts: string[]; readonly fragments: Fragment[] } {
  for (mark = firstMark; ; mark += '+') {
    const { text, fragments } = stringify(value);
    if (fragments.length === 0) return { texts: [text], fragments };
    const texts = text.split(`"${mark}"`);
    if (texts.length === fragments.length + 1) return { texts, fragments };
  }
}

function stringify(value: unknown): { readonly text: string; readonly fragments: Fragment[] } {
  const fragments: Fragment[] = [];
  met = fragments;
  try {
    return { text: JSON.stringify(value), fragments };
  } finally {
    met = undefined;
  }
}

function addContent<Kept>(
  content: Content,
  parts: (string | SharedText | Kept)[],
  keep: Keep<Kept>,
): void {
  if (content instanceof SharedText) parts.push(content);
  else if (content instanceof DetailText) parts.push(keep(content));
  else for (const part of content) parts.push(part);
}

/**
 * Returns a function that shares the text of a view between responses. In place of the view, it returns a fragment. Rows
 * never change, so a text is valid for the same row and the same parts: the other rows that the view shows.
 */
export function shareView<View>(): (
  row: object,
  parts: readonly unknown[],
  make: () => View,
) => View {
  const cache = new LruCache<object, SharedView<View>>({
    budget: sharedBudget,
    sizeOf: ({ length }) => length,
  });
  return (row, parts, make) => {
    let entry = cache.get(row);
    if (entry === undefined || entry.parts.some((part, at) => part !== parts[at])) {
      const text = joinParts(textParts(make()));
      entry = { parts, view: Fragment.of<View>(new SharedText(text)), length: text.length };
      cache.set(row, entry);
    }
    return entry.view;
  };
}

interface SharedView<View> {
  readonly parts: readonly unknown[];
  readonly view: View;
  /** Of its text, in characters. */
  readonly length: number;
}

/** Returns the JSON text of a view, in which details stay apart. */
export function viewParts(view: unknown): (string | SharedText | DetailText)[] {
  const parts: (string | SharedText | DetailText)[] = [];
  addValue(view, parts, keepDetails);
  return parts;
}

/** Returns the JSON text of a part of a value. */
export function textParts(value: unknown): TextParts {
  const parts: (string | SharedText)[] = [];
  addValue(value, parts, textOf);
  return parts;
}

/** About how many characters of shared texts each function keeps for recent use. */
const sharedBudget = 1_048_576;

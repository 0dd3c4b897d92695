import { LruCache } from '../lib/maps.ts';
import type { ApiResponse } from './message.ts';

/** A JSON text that many responses contain, such as that of a product in the items of orders. */
export class SharedText {
  readonly text: string;
  #bytes: Uint8Array | undefined;
  #value: unknown;

  constructor(text: string) {
    this.text = text;
  }

  /** The text in UTF-8, encoded once. */
  get bytes(): Uint8Array {
    return (this.#bytes ??= new TextEncoder().encode(this.text));
  }

  /** The value of the text, parsed once. */
  get value(): unknown {
    this.#value ??= JSON.parse(this.text);
    return this.#value;
  }
}

/** A JSON text in parts, in order. */
export type TextParts = readonly (string | SharedText)[];

/**
 * A response with a JSON body. Hosts that send bytes can send the parts of the body, of which the shared ones are
 * encoded already.
 */
export class JsonResponse implements ApiResponse {
  readonly status: number;
  readonly headers: ApiResponse['headers'];
  readonly body: string;
  readonly #parts: TextParts;
  #sent: Sent;

  constructor(status: number, headers: ApiResponse['headers'], value: unknown) {
    this.status = status;
    this.headers = headers;
    this.#parts = jsonParts(value);
    this.body = joinParts(this.#parts);
  }

  /** Returns the parts of a body. A response of another kind, such as a changed copy, has one. */
  static partsOf(response: ApiResponse, body: string): TextParts {
    return #parts in response ? response.#parts : [body];
  }

  /** Returns what a host noted when it sent the response. */
  static sentOf(response: ApiResponse): Sent {
    return #sent in response ? response.#sent : undefined;
  }

  /** Notes that a host sends the response. */
  static setSent(response: ApiResponse, sent: Sent): void {
    if (#sent in response) response.#sent = sent;
  }
}

/** The body in UTF-8, if the response was sent more than once, because it is cached. */
type Sent = Uint8Array | 'once' | undefined;

/** Returns the same text as `JSON.stringify`, with shared texts in place of their placeholders. */
export function jsonOf(value: unknown): string {
  return joinParts(jsonParts(value));
}

function joinParts(parts: TextParts): string {
  let text = '';
  for (const part of parts) text += typeof part === 'string' ? part : part.text;
  return text;
}

function jsonParts(value: unknown): TextParts {
  const parts: (string | SharedText)[] = [];
  try {
    if (isPage(value)) addPage(value, parts);
    else addValue(value, parts);
  } finally {
    placed = [];
    madeViews = new Map();
  }
  return parts;
}

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
    addValue(items[at], parts);
  }
  parts.push(']}}');
}

function addValue(value: unknown, parts: (string | SharedText)[]): void {
  const whole = placedAt(value);
  if (whole !== undefined) return addPlaced(whole, parts);
  const text = JSON.stringify(value);
  if (placed.length === 0) {
    parts.push(text);
    return;
  }
  let rest = 0;
  for (let point = text.indexOf('.'); point !== -1; point = text.indexOf('.', point + 1)) {
    const from = point - placeholderDigits;
    if (!text.startsWith(placeholderStart, from - 2)) continue;
    const shared = placed[Number(text.slice(from, point)) - firstPlaceholder];
    // In a string, a backslash is before a quote.
    if (shared === undefined || text[from - 3] === '\\') continue;
    parts.push(text.slice(rest, from));
    addPlaced(shared, parts);
    rest = point + 2;
  }
  parts.push(text.slice(rest));
}

/**
 * A placeholder is a number in a view, in place of a shared text: the position of the text in a list, above this number
 * and with a half. The numbers of records are integers. A point is rare in JSON, so it is found fast.
 */
const firstPlaceholder = 9_200_000_000_000;
const placeholderDigits = 13;

/** How a placeholder starts in a JSON text, after the name of its property. */
const placeholderStart = '":92000000';

/** The texts in the value that is being made. Each placeholder is the position of its text in this list. */
let placed: (SharedText | TextParts)[] = [];

/** The views in the value that is being made whose texts were not cached. */
let madeViews = new Map<TextParts, unknown>();

/** Puts a text into the value that is being made. Returns its placeholder. */
function place(text: SharedText | TextParts): number {
  return firstPlaceholder + placed.push(text) - 0.5;
}

function placedAt(value: unknown): SharedText | TextParts | undefined {
  return typeof value === 'number' ? placed[value - firstPlaceholder - 0.5] : undefined;
}

function addPlaced(text: SharedText | TextParts, parts: (string | SharedText)[]): void {
  if (text instanceof SharedText) parts.push(text);
  else for (const part of text) parts.push(part);
}

/**
 * Returns a function that shares the text of a view between responses. In place of the view, it returns a placeholder,
 * which only the writers of this module can read. Rows never change, so a text is valid for the same row and the same
 * parts: the other rows that the view shows.
 */
export function shareView<View>(): (
  row: object,
  parts: readonly unknown[],
  make: () => View,
) => View {
  const cache = new LruCache<object, { readonly parts: readonly unknown[]; shared: SharedText }>({
    budget: sharedBudget,
    sizeOf: ({ shared }) => shared.text.length,
  });
  return (row, parts, make) => {
    let entry = cache.get(row);
    if (entry === undefined || entry.parts.some((part, at) => part !== parts[at])) {
      entry = { parts, shared: new SharedText(joinParts(partsOfView(make()))) };
      cache.set(row, entry);
    }
    // The type says what the text shows.
    return place(entry.shared) as View;
  };
}

/** Texts of views by the ids of records. Each stays until something that was read for it changes. */
export interface ViewTexts {
  get(id: number, make: () => TextParts): TextParts;
}

/** Returns a placeholder for the text of a view, which is made unless it is cached. Without a cache, returns the view. */
export function cachedView<View>(texts: ViewTexts | undefined, id: number, make: () => View): View {
  if (texts === undefined) return make();
  let view: View | undefined;
  const text = texts.get(id, () => partsOfView((view = make())));
  if (view !== undefined) madeViews.set(text, view);
  return place(text) as View;
}

/** Returns about the size of a text in bytes, without the parts that others share. */
export function sizeOfParts(parts: TextParts): number {
  let size = 0;
  for (const part of parts) size += typeof part === 'string' ? 24 + part.length : 8;
  return size;
}

/**
 * Returns the view that a placeholder stands for, until the text with it is made; undefined for any other number.
 *
 * @param seen has the cached texts whose views were returned before, which are not parsed again
 */
export function sharedView(placeholder: number, seen: WeakSet<object>): unknown {
  const text = placedAt(placeholder);
  if (text === undefined || text instanceof SharedText) return text?.value;
  if (seen.has(text)) return undefined;
  seen.add(text);
  return madeViews.get(text) ?? JSON.parse(joinParts(text));
}

/** Returns the JSON text of a part of the value that is being made. */
function partsOfView(value: unknown): TextParts {
  const parts: (string | SharedText)[] = [];
  addValue(value, parts);
  return parts;
}

/** About how many characters of shared texts each function keeps for recent use. */
const sharedBudget = 1_048_576;

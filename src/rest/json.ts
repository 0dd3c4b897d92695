import { LruCache } from '../lib/maps.ts';
import type { ApiResponse } from './message.ts';
import { DetailText, joinParts, SharedText, type TextParts } from './text-parts.ts';
import type { ViewText } from './view-text.ts';

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

function jsonParts(value: unknown): TextParts {
  const parts: (string | SharedText)[] = [];
  try {
    if (isPage(value)) addPage(value, parts);
    else addValue(value, parts, textOf);
  } finally {
    placed = [];
    if (madeViews.size > 0) madeViews = new Map();
  }
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
  const whole = placedAt(value);
  if (whole !== undefined) return addPlaced(whole, parts, keep);
  const text = JSON.stringify(value);
  if (placed.length === 0) {
    parts.push(text);
    return;
  }
  let rest = 0;
  for (let point = text.indexOf('.5'); point !== -1; point = text.indexOf('.5', point + 1)) {
    const from = point - placeholderDigits;
    if (!isPlaceholder(text, from)) continue;
    const found = placed[Number(text.slice(from, point)) - firstPlaceholder];
    if (found === undefined) continue;
    parts.push(text.slice(rest, from));
    addPlaced(found, parts, keep);
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

/** Whether a text has a placeholder at a position: as the value of a property, or in a list that is one. */
function isPlaceholder(text: string, from: number): boolean {
  if (!text.startsWith('92000000', from)) return false;
  const colon = text[from - 1] === '[' ? from - 2 : from - 1;
  // Names of properties are words. A quote inside a string has a backslash, and one that opens it no letter before it.
  return text.startsWith('":', colon - 1) && /\w/.test(text.charAt(colon - 2));
}

/** What a placeholder stands for: a shared text, details, the text of a record alone, or its text in a list. */
type Placed = SharedText | DetailText | ViewText | TextParts;

/** The texts in the value that is being made. Each placeholder is the position of its text in this list. */
let placed: Placed[] = [];

/** The views in the value that is being made whose texts were not cached. */
let madeViews = new Map<Placed, unknown>();

/**
 * Puts a text into the value that is being made. Returns its placeholder, as the view that it stands for.
 *
 * @param view that view, if it is known
 */
export function place<View>(text: Placed, view?: View): View {
  if (view !== undefined) madeViews.set(text, view);
  // The type says what the text shows.
  return (firstPlaceholder + placed.push(text) - 0.5) as View;
}

function placedAt(value: unknown): Placed | undefined {
  return typeof value === 'number' ? placed[value - firstPlaceholder - 0.5] : undefined;
}

function addPlaced<Kept>(
  text: Placed,
  parts: (string | SharedText | Kept)[],
  keep: Keep<Kept>,
): void {
  if (text instanceof SharedText) parts.push(text);
  else if (text instanceof DetailText) parts.push(keep(text));
  else for (const part of partsOf(text)) parts.push(part);
}

function partsOf(text: ViewText | TextParts): TextParts {
  return 'alone' in text ? text.alone : text;
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
      entry = { parts, shared: new SharedText(joinParts(textParts(make()))) };
      cache.set(row, entry);
    }
    return place(entry.shared);
  };
}

/** Returns the JSON text of a view, in which details stay apart. */
export function viewParts(view: unknown): (string | SharedText | DetailText)[] {
  const parts: (string | SharedText | DetailText)[] = [];
  addValue(view, parts, keepDetails);
  return parts;
}

/**
 * Returns the view, or the list of details, that a placeholder stands for, until the text with it is made; undefined for
 * any other number.
 *
 * @param seen has the cached texts whose views were returned before, which are not parsed again
 */
export function sharedView(placeholder: number, seen: WeakSet<object>): unknown {
  const text = placedAt(placeholder);
  if (text === undefined || text instanceof SharedText) return text?.value;
  if (text instanceof DetailText) return JSON.parse(`[${text.text}]`);
  if (seen.has(text)) return undefined;
  seen.add(text);
  return madeViews.get(text) ?? JSON.parse(joinParts(partsOf(text)));
}

/** Returns the JSON text of a part of the value that is being made. */
export function textParts(value: unknown): TextParts {
  const parts: (string | SharedText)[] = [];
  addValue(value, parts, textOf);
  return parts;
}

/** About how many characters of shared texts each function keeps for recent use. */
const sharedBudget = 1_048_576;

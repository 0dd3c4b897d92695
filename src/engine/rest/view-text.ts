import { SharedText, type DetailText, type TextParts } from './text-parts.ts';

/** The JSON text of a record, in a list and alone. */
export class ViewText {
  /** The text in a list. */
  readonly listed: TextParts;
  /** What stands between its characters where the record is alone; undefined if that is not known. */
  readonly #details: readonly Detail[] | undefined;

  private constructor(listed: TextParts, details: readonly Detail[] | undefined) {
    this.listed = listed;
    this.#details = details;
  }

  /** @param isWhole whether the parts have the details of the record, if it has any */
  static of(parts: ReadonlyArray<string | SharedText | DetailText>, isWhole: boolean): ViewText {
    const listed: (string | SharedText)[] = [];
    const details: Detail[] = [];
    let pieces: string[] = [];
    for (const part of parts) {
      if (typeof part === 'string') pieces.push(part);
      else if (part instanceof SharedText && isShort(part)) pieces.push(part.text);
      else if (part instanceof SharedText) {
        listed.push(flat(pieces), part);
        pieces = [];
      } else {
        pieces.push('[');
        const at = pieces.reduce((length, piece) => length + piece.length, 0);
        pieces.push(']');
        details.push({ part: listed.length, at, text: part.text.slice(1, -1) });
      }
    }
    listed.push(flat(pieces));
    // Lists that grow have room for more.
    return new ViewText(listed.slice(), isWhole ? details.slice() : undefined);
  }

  /** Whether it can be shown alone. */
  get isWhole(): boolean {
    return this.#details !== undefined;
  }

  /** The text of the record alone. */
  get alone(): TextParts {
    const parts = [...this.listed];
    const details = this.#details ?? [];
    for (let next = 0; next < details.length;) {
      const { part } = details[next]!;
      const text = parts[part] as string;
      const pieces: string[] = [];
      let from = 0;
      for (; details[next]?.part === part; next++) {
        const detail = details[next]!;
        pieces.push(text.slice(from, detail.at), detail.text);
        from = detail.at;
      }
      pieces.push(text.slice(from));
      parts[part] = pieces.join('');
    }
    return parts;
  }

  /** About its size in bytes, without the parts that others share. */
  get size(): number {
    let size = 0;
    for (const part of this.listed) size += typeof part === 'string' ? part.length + 40 : 8;
    for (const { text } of this.#details ?? []) size += text.length + 80;
    return size;
  }
}

/**
 * Whether a copy is cheaper than a shared text, which splits the text around it into one more part. Beyond ASCII, it could
 * make all of that text take two bytes for each character.
 */
function isShort({ text, bytes }: SharedText): boolean {
  return text.length < 200 && bytes.length === text.length;
}

/**
 * Joins pieces into a text of its own. What `slice` and `+` return refers to other texts, and is written into a response
 * in four times the time.
 */
function flat(pieces: readonly string[]): string {
  const [text = ''] = pieces;
  return pieces.length > 1 ? pieces.join('') : [text.slice(0, 1), text.slice(1)].join('');
}

/** Where a text stands in another one. */
interface Detail {
  /** Number of the part before it. */
  readonly part: number;
  /** Number of characters of that part before it. */
  readonly at: number;
  readonly text: string;
}

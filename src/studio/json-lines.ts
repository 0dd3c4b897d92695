import { foldCase } from '../engine/lib/fold-case.ts';

/** A line of a value of JSON that is written over several lines. */
export interface JsonLine {
  /** Of the value: `items.0.id`; that of its container where it closes one. */
  readonly path: string;
  readonly depth: number;
  /** The name of the field, in quotes. */
  readonly name?: string;
  /** The value, or the brackets of a container. */
  readonly text: string;
  readonly kind: 'string' | 'other' | 'open' | 'close';
  /** Number of fields or of elements of a container that opens. */
  readonly size?: number;
  /** Whether another value follows in the same container. */
  readonly hasNext: boolean;
}

/** Returns the lines of a value as `JSON.stringify(value, null, 2)` has them. */
export function jsonLines(value: unknown): readonly JsonLine[] {
  const lines: JsonLine[] = [];
  const add = (
    one: unknown,
    { path, depth, hasNext }: Pick<JsonLine, 'path' | 'depth' | 'hasNext'>,
    name?: string,
  ): void => {
    const start = { path, depth, ...(name !== undefined && { name: JSON.stringify(name) }) };
    if (typeof one !== 'object' || one === null || Object.keys(one).length === 0) {
      const kind = typeof one === 'string' ? 'string' : 'other';
      lines.push({ ...start, text: JSON.stringify(one) ?? 'null', kind, hasNext });
      return;
    }
    const isList = Array.isArray(one);
    const fields = Object.entries(one);
    lines.push({ ...start, text: isList ? '[' : '{', kind: 'open', size: fields.length, hasNext });
    for (const [at, [key, field]] of fields.entries()) {
      const inner = {
        path: path === '' ? key : `${path}.${key}`,
        depth: depth + 1,
        hasNext: at < fields.length - 1,
      };
      add(field, inner, isList ? undefined : key);
    }
    lines.push({ path, depth, text: isList ? ']' : '}', kind: 'close', hasNext });
  };
  add(value, { path: '', depth: 0, hasNext: false });
  return lines;
}

/** Returns the lines without those inside of folded containers, and without the ends of these. */
export function visibleLines(
  lines: readonly JsonLine[],
  isFolded: (path: string) => boolean,
): readonly JsonLine[] {
  const shown: JsonLine[] = [];
  let hidden: JsonLine | undefined;
  for (const line of lines) {
    if (hidden !== undefined) {
      if (line.kind === 'close' && line.path === hidden.path) hidden = undefined;
      continue;
    }
    shown.push(line);
    if (line.kind === 'open' && isFolded(line.path)) hidden = line;
  }
  return shown;
}

/** Returns the lines that have a text, with those that open what they are in. */
export function found(lines: readonly JsonLine[], text: string): readonly JsonLine[] {
  const wanted = foldCase(text);
  const way: JsonLine[] = [];
  const shown = new Set<JsonLine>();
  for (const line of lines) {
    if (line.kind === 'close') continue;
    way.length = line.depth;
    way[line.depth] = line;
    if (has(line, wanted)) for (const one of way) shown.add(one);
  }
  return [...shown];
}

/** @param wanted as `foldCase` returns it */
export function has({ name = '', text, kind }: JsonLine, wanted: string): boolean {
  return foldCase(`${name}: ${kind === 'open' ? '' : text}`).includes(wanted);
}

/**
 * Returns where a text has another one, without regard to case. The folded text may be longer than the text.
 *
 * @param wanted as `foldCase` returns it
 */
export function rangeOf(text: string, wanted: string): readonly [number, number] | undefined {
  let folded = '';
  let at = 0;
  const places: number[] = [];
  for (const character of text) {
    const one = foldCase(character);
    for (let part = 0; part < one.length; part++) places.push(at);
    folded += one;
    at += character.length;
  }
  const start = folded.indexOf(wanted);
  if (start === -1) return undefined;
  const last = places[start + wanted.length - 1]!;
  return [places[start]!, last + String.fromCodePoint(text.codePointAt(last)!).length];
}

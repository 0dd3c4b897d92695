import type { Schema } from '../openapi.ts';

/** Reads the value of a field from a text. A schema of any value takes JSON; one with `from` a range: `500-3000`. */
export function typed(text: string, { type, anyOf }: Schema = {}): unknown {
  if (anyOf?.some(({ properties }) => properties?.['from'])) return rangeOf(text);
  if (type === undefined) return jsonOrText(text.trim());
  if (type === 'boolean') return text === 'true';
  return type === 'integer' || type === 'number' ? numberOf(text) : text;
}

function rangeOf(text: string): unknown {
  const [from = '', to] = text.split(/\s*[-–]\s*/);
  return to === undefined ? numberOf(from) : { from: numberOf(from), to: numberOf(to) };
}

/** Text that is no number stays as it is, so that the server says what is wrong. */
export function numberOf(text: string): number {
  const value = Number(text);
  return text.trim() === '' || Number.isNaN(value) ? (text as never) : value;
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

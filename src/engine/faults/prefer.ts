import { memoized } from '../lib/memoized.ts';
import { Problem } from '../lib/problem.ts';
import { weatherNames, type WeatherName } from './weather.ts';
import { hasKind, listKinds, type FaultKinds, type RuleFields } from './fault-kind.ts';

/** The faults that a request injects into its own response by the header `Prefer`: `status=503, delay=2s`. */
export interface Preference {
  /** The same fields as those of a rule. */
  readonly fields: RuleFields;
  /** The named faults that it may have as well. */
  readonly weather: WeatherName | undefined;
  /** Whether the response says why, in the header `X-Backlot-Why`. */
  readonly explains: boolean;
  /** Whether the response is brief: `return=minimal`. */
  readonly isMinimal: boolean;
  /** The value of the header `Preference-Applied`. */
  readonly applied: string;
}

/** The meaning of a name in the header. */
interface Meaning {
  /** The field of a rule. */
  readonly field: string;
  readonly expected: string;
  /** Returns the value of a text; undefined for an invalid one. */
  readonly parse: (text: string) => unknown;
}

/**
 * Parses the header `Prefer` (RFC 7240): any kind of fault that has a `prefer`, `after`, `explain` and `return`. As the RFC requires,
 * preferences of other names are ignored, and so are other values of `return`, which other standards define.
 *
 * @returns undefined if the header has no known preference
 * @throws Problem `malformed` for a known preference with an invalid value
 */
export function parsePrefer(kinds: FaultKinds, header: string): Preference | undefined {
  const meanings = meaningsOf(kinds);
  const known = new Map<string, string>();
  for (const preference of splitUnquoted(header, ',')) {
    const [pair = ''] = splitUnquoted(preference, ';');
    const [name = '', ...value] = pair.split('=');
    const key = name.trim().toLowerCase();
    if (meanings.has(key) && !known.has(key)) known.set(key, unquoted(value.join('=').trim()));
  }
  if (!isReturn(known.get('return'))) known.delete('return');
  if (known.size === 0) return undefined;
  const fields = Object.fromEntries(
    Array.from(known, ([name, text]) => {
      const { field, expected, parse } = meanings.get(name)!;
      const value = parse(text);
      if (value !== undefined) return [field, value];
      throw new Problem('malformed', `Prefer: ${name} must be ${expected}, not '${text}'.`);
    }),
  );
  if (fields['after'] !== undefined && !hasKind(kinds, fields, ({ allowsAfter }) => allowsAfter)) {
    const required = listKinds(kinds, 'or', ({ allowsAfter }) => allowsAfter);
    throw new Problem('malformed', `Prefer: after requires ${required}.`);
  }
  const applied = Array.from(known, ([name, value]) => (value === '' ? name : `${name}=${value}`));
  const {
    weather,
    return: returned,
    ...others
  } = fields as { readonly weather?: WeatherName; readonly return?: string };
  return {
    fields: others,
    weather,
    explains: known.has('explain'),
    isMinimal: returned === 'minimal',
    applied: applied.join(', '),
  };
}

function isReturn(value: string | undefined): boolean {
  return value === 'minimal' || value === 'representation';
}

/** Splits a text at a separator, but not within a quoted string. */
function splitUnquoted(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (isQuoted && text[at] === '\\') at++;
    else if (!isQuoted && text[at] === separator) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function unquoted(value: string): string {
  return /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/\\(.)/gs, '$1') : value;
}

/** Returns the known preferences, by name in lower case, as the RFC ignores the case of names. */
const meaningsOf = memoized((kinds: FaultKinds): ReadonlyMap<string, Meaning> => {
  const ofKinds = Object.entries(kinds).flatMap(([field, { value, prefer }]) => {
    if (prefer === undefined) return [];
    const byDefault = (text: string): unknown =>
      readings(text).find((one) => value.safeParse(one).success);
    const { expected, parse = byDefault } = prefer;
    return [[field.toLowerCase(), { field, expected, parse }] as const];
  });
  const flags = [
    ['after', { ...after, field: 'after' }],
    ['explain', { ...flag, field: 'explain' }],
    ['return', { field: 'return', expected: 'a known value', parse: (text: string) => text }],
    [
      'weather',
      {
        field: 'weather',
        expected: `one of ${weatherNames.join(', ')}`,
        parse: (text: string) => weatherNames.find((name) => name === text),
      },
    ],
  ] as const;
  return new Map([...ofKinds, ...flags]);
});

const flag = {
  expected: 'without a value',
  parse: (text: string) => (text === '' || text === 'true' ? true : undefined),
};

const after = {
  expected: 'without a value, true or false',
  parse: (text: string) => (text === 'false' ? false : flag.parse(text)),
};

/** Returns the possible values of a text of the header. Without a value, it switches a flag on. */
export function readings(text: string): unknown[] {
  if (text === '' || text === 'true') return [text, true];
  if (text === 'false') return [text, false];
  return /^-?\d+(\.\d+)?$/.test(text) ? [text, Number(text)] : [text];
}

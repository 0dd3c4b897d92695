import { Problem } from '../lib/problem.ts';
import { oldNames } from '../lib/fields.ts';
import { hasKind, listKinds, type FaultEffect, type FaultKinds } from './fault-kind.ts';

/** The faults that a request injects into its own response by the header `Prefer`: `status=503, delay=2s`. */
export interface Preference {
  readonly effect: FaultEffect;
  /** Whether the response says why, in the header `X-Backlot-Why`. */
  readonly explains: boolean;
  /** The value of the header `Preference-Applied`. */
  readonly applied: string;
}

/**
 * Parses the header `Prefer` (RFC 7240): any kind of fault that has a `prefer`, `after` and `explain`. As the RFC requires,
 * preferences of other names are ignored.
 *
 * @returns undefined if the header has no known preference
 * @throws Problem `malformed` for a known preference with an invalid value
 */
export function parsePrefer(kinds: FaultKinds, header: string): Preference | undefined {
  const parsers = parsersOf(kinds);
  const known = new Map<string, string>();
  for (const preference of header.split(',')) {
    const [name = '', value = ''] = (preference.split(';', 1)[0] ?? '').split('=', 2);
    const key = name.trim().toLowerCase();
    if (parsers.has(key) && !known.has(key)) known.set(key, value.trim().replaceAll('"', ''));
  }
  if (known.size === 0) return undefined;
  const effect: FaultEffect = {};
  for (const [name, value] of known) Object.assign(effect, parsers.get(name)?.(value));
  if (effect.after === true && !hasKind(kinds, effect, ({ allowsAfter }) => allowsAfter)) {
    const required = listKinds(kinds, 'or', ({ allowsAfter }) => allowsAfter);
    throw new Problem('malformed', `Prefer: after requires ${required}.`);
  }
  const applied = Array.from(known, ([name, value]) => (value === '' ? name : `${name}=${value}`));
  return { effect, explains: known.has('explain'), applied: applied.join(', ') };
}

/** Returns the parsers of preferences, by name in lower case, as the RFC ignores the case of names. */
function parsersOf(kinds: FaultKinds): ReadonlyMap<string, (value: string) => FaultEffect> {
  return new Map([
    ...Object.entries(kinds).flatMap(([name, { prefer }]) =>
      prefer === undefined
        ? []
        : [name.toLowerCase(), ...oldNamesOf(name)].map(
            (key) => [key, parser(key, prefer)] as const,
          ),
    ),
    ['after', parser('after', withoutValue({ after: true }))],
    ['explain', parser('explain', withoutValue({}))],
  ]);
}

function parser(
  name: string,
  {
    expected,
    parse,
  }: { readonly expected: string; readonly parse: (value: string) => FaultEffect | undefined },
): (value: string) => FaultEffect {
  return (value) => {
    const effect = parse(value);
    if (effect !== undefined) return effect;
    throw new Problem('malformed', `Prefer: ${name} must be ${expected}, not '${value}'.`);
  };
}

function withoutValue(effect: FaultEffect): Parameters<typeof parser>[1] {
  return {
    expected: 'without a value',
    parse: (value) => (value === '' || value === 'true' ? effect : undefined),
  };
}

function oldNamesOf(name: string): string[] {
  return Object.entries(oldNames).flatMap(([old, current]) => (current === name ? [old] : []));
}

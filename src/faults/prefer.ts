import { maxDelay } from '../models/fault-rule.ts';
import { Problem } from '../lib/problem.ts';
import type { FaultEffect } from './fault-effect.ts';

/** What a request asks for by its header `Prefer`: `status=503, delay=2s`. */
export interface Preference {
  readonly effect: FaultEffect;
  /** What of the header is heeded: the value of `Preference-Applied`. */
  readonly applied: string;
}

/**
 * Reads `status`, `delay`, `connection=drop`, `spoil=malformed`, `spoil=cut-off` and `after`. Preferences of other
 * names are passed over, as their own specification wants it.
 *
 * @returns undefined where there is none of these
 * @throws Problem `malformed` for one of these with another value than it takes
 */
export function parsePrefer(header: string): Preference | undefined {
  const known = new Map<string, string>();
  for (const preference of header.split(',')) {
    const [name = '', value = ''] = (preference.split(';', 1)[0] ?? '').split('=', 2);
    const key = name.trim().toLowerCase();
    if (Object.hasOwn(readers, key) && !known.has(key))
      known.set(key, value.trim().replaceAll('"', ''));
  }
  if (known.size === 0) return undefined;
  const effect: FaultEffect = {};
  for (const [name, value] of known) Object.assign(effect, readers[name]?.(value));
  if (effect.after === true && effect.status === undefined && !effect.connection && !effect.spoil) {
    throw malformed('after', 'comes with status, connection or spoil');
  }
  const applied = Array.from(known, ([name, value]) => (value === '' ? name : `${name}=${value}`));
  return { effect, applied: applied.join(', ') };
}

const readers: Readonly<Record<string, (value: string) => FaultEffect>> = {
  status(value) {
    if (/^[2-5]\d\d$/.test(value)) return { status: Number(value) };
    throw malformed('status', `takes a status from 200 to 599, not '${value}'`);
  },
  delay(value) {
    const [, amount, unit] = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s)$/.exec(value) ?? [];
    const delay = Math.round(Number(amount) * (unit === 's' ? 1000 : 1));
    if (delay <= maxDelay) return { delay };
    throw malformed(
      'delay',
      `takes up to ${maxDelay / 1000}s, such as 2s or 500ms, not '${value}'`,
    );
  },
  connection(value) {
    if (value === 'drop') return { connection: 'drop' };
    throw malformed('connection', `takes drop, not '${value}'`);
  },
  spoil(value) {
    if (value === 'malformed' || value === 'cut-off') return { spoil: value };
    throw malformed('spoil', `takes malformed or cut-off, not '${value}'`);
  },
  after(value) {
    if (value === '' || value === 'true') return { after: true };
    throw malformed('after', `takes no value, not '${value}'`);
  },
};

function malformed(name: string, what: string): Problem {
  return new Problem('malformed', `Prefer: ${name} ${what}.`);
}

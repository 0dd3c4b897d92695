import { isObject } from '../lib/json-value.ts';
import type { FormChildren } from './form.ts';

/** Removes the known parameters that are blank: a cleared field of a search is no filter. Unknown ones are reported. */
export function withoutBlanks(
  sent: Readonly<Record<string, unknown>>,
  children: FormChildren,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(sent).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(children, name)) return [[name, value]];
    const inner = children[name];
    if (inner !== undefined && isObject(value)) return [[name, withoutBlanks(value, inner)]];
    return isBlank(value) ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

function isBlank(value: unknown): boolean {
  return isObject(value)
    ? Object.values(value).every(isBlank)
    : typeof value === 'string' && value.trim() === '';
}

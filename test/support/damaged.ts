import * as fc from 'fast-check';
import type { FormChildren } from '../../src/engine/rest/form.ts';
import { anyCharacter } from './any-character.ts';

/** Values that most parameters reject. */
export const wrong: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, '', ' ', true, false, [], {}, [[]], [{}], { 0: {} }, { 0: [] }, { x: 1 }),
  fc.constantFrom(-1, 0, 0.5, 99, 2 ** 53, -(2 ** 53), 1e13, 1e21, 1e300, Number.MIN_VALUE),
  fc.constantFrom('1', '-1', '1.5', '1e3', '9'.repeat(30), 'on', 'é'.repeat(300), '\u0000', '😀'),
  fc.constantFrom('2026-03-02', '4242424242424242', 'customer@example.com', 'EUR', 'desc'),
  // Existing unique values: codes and an e-mail.
  fc.constantFrom('WEB-IE', 'GWY', 'WELCOME10', 'api@example.com', 'CHANNEL-1'),
  fc.integer({ min: -2, max: 3 }),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
  fc.constant({ a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Forms with any of their parameters, and those of blocks, wrong or missing. */
export function damaged(
  children: FormChildren,
  good: unknown,
): fc.Arbitrary<Record<string, unknown>> {
  const values = (typeof good === 'object' && good !== null ? good : {}) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(children), ...Object.keys(values), 'nothing'])];
  const fields = names.map((name) => {
    const block = children[name] ?? {};
    const inner = values[name];
    const isBlock = Object.keys(block).length > 0 || (typeof inner === 'object' && inner !== null);
    return fc.oneof(
      { arbitrary: fc.constant(name === 'nothing' ? [] : [[name, inner]]), weight: 4 },
      { arbitrary: fc.constant([]), weight: 1 },
      { arbitrary: wrong.map((value) => [[name, value]]), weight: 2 },
      ...(isBlock
        ? [{ arbitrary: damaged(block, inner).map((value) => [[name, value]]), weight: 2 }]
        : []),
    );
  });
  return fc.tuple(...fields).map((entries) => Object.fromEntries(entries.flat()));
}

/** Encodes parameters as a form or a query: `shippingAddress[city]=Galway`. */
export function parametersOf(sent: unknown): URLSearchParams {
  return new URLSearchParams(entriesOf(sent).map(([name, value]) => [name, textOf(value)]));
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** `[['shippingAddress[city]', 'Galway'], ['locales[0]', 1]]` */
export function entriesOf(sent: unknown): [name: string, value: unknown][] {
  if (typeof sent !== 'object' || sent === null) return [['', sent]];
  const walk = (name: string, value: unknown): [string, unknown][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => walk(`${name}[${key}]`, inner))
      : [[name, value]];
  return Object.entries(sent).flatMap(([name, value]) => walk(name, value));
}

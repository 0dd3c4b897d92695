import fc from 'fast-check';

/** Any value in the place of any part of an entry. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    [],
    {},
    '',
    -1,
    1e300,
    '***',
    'base64',
    'https://shop.test/api/orders/1/',
    '/_backlot/reset',
  ),
);

function damaged(value: unknown, path: readonly number[], by: unknown): unknown {
  const [at, ...rest] = path;
  if (at === undefined || typeof value !== 'object' || value === null) return by;
  const names = Object.keys(value);
  if (names.length === 0) return by;
  const name = names[at % names.length]!;
  const inner = damaged((value as Record<string, unknown>)[name], rest, by);
  if (Array.isArray(value)) return value.with(Number(name), inner);
  return { ...value, [name]: inner };
}

/** A JSON value with one to six of its parts replaced by others. */
export function damagedJson(value: unknown): fc.Arbitrary<unknown> {
  const path = fc.array(fc.nat(20), { minLength: 1, maxLength: 5 });
  const damages = fc.array(fc.tuple(path, anything), { minLength: 1, maxLength: 6 });
  return damages.map((all) => all.reduce((whole, [at, by]) => damaged(whole, at, by), value));
}

/** Texts that begin as that of a value, and are not what its reader expects. */
export function damagedText(value: unknown): fc.Arbitrary<string> {
  const text = JSON.stringify(value);
  const at = fc.nat(text.length);
  return fc.oneof(
    { weight: 4, arbitrary: damagedJson(value).map((changed) => JSON.stringify(changed) ?? '') },
    at.map((end) => text.slice(0, end)),
    fc.tuple(at, fc.string({ unit: 'binary' })).map(([end, by]) => text.slice(0, end) + by),
    fc
      .tuple(at, fc.constantFrom(...insertions))
      .map(([from, by]) => text.slice(0, from) + text.slice(from).replace(/(?<=[{,])/, by)),
    fc.constantFrom('', '\uFEFF', `\uFEFF${text}`, 'null', '[]', '{}', '"\\ud800"', '1e999'),
    fc.constantFrom('[', '{"a":').map((open) => open.repeat(100_000)),
    fc.constant(`[${'1,'.repeat(200_000)}1]`),
  );
}

/** Members that an object may not have, or has twice. */
const insertions = [
  '"__proto__":{"polluted":1},',
  '"constructor":{"prototype":{"polluted":1}},',
  '"\\ud800":1,',
  '"tables":{},"tables":[],',
  '"version":1,"version":2,',
];

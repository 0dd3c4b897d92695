import fc from 'fast-check';
import { expect, test } from 'vitest';
import { observed } from '../../src/suite/json-reads.ts';
import { jsonSource } from '../../src/suite/mutation-report.ts';
import {
  controlOf,
  fieldText,
  mutate,
  mutationsOf,
  mutationText,
  type FieldPath,
} from '../../src/suite/mutations.ts';

/** Returns the paths and values of all fields of a JSON value. */
function fieldsOf(value: unknown, path: FieldPath = []): [path: FieldPath, value: unknown][] {
  if (Array.isArray(value)) return value.flatMap((one) => fieldsOf(one, [...path, '[]']));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => [
    [[...path, key], one] as [FieldPath, unknown],
    ...fieldsOf(one, [...path, key]),
  ]);
}

const json = fc
  .jsonValue({ maxDepth: 4 })
  .filter(
    (value) =>
      !JSON.stringify(value).includes('__proto__') &&
      !/"(\[\]|[^"]*\.[^"]*)":/.test(JSON.stringify(value)),
  );

test('each mutation of a field changes a copy of the body, which stays JSON', () => {
  fc.assert(
    fc.property(json, (body) => {
      const before = JSON.stringify(body);
      for (const [path, value] of fieldsOf(body)) {
        for (const mutation of mutationsOf(path, value)) {
          const wrong = mutate(body, mutation);
          expect(JSON.stringify(wrong), fieldText(path)).not.toBe(before);
          expect(JSON.stringify(JSON.parse(JSON.stringify(wrong)))).toBe(JSON.stringify(wrong));
        }
      }
      expect(JSON.stringify(body)).toBe(before);
    }),
  );
});

test('the location of a field in the source of a report is that of its text', () => {
  fc.assert(
    fc.property(json, (body) => {
      const { source, locationOf } = jsonSource(body);
      expect(JSON.parse(source)).toEqual(JSON.parse(JSON.stringify(body)));
      const lines = source.split('\n');
      for (const [path] of fieldsOf(body)) {
        const { start } = locationOf(path);
        const there = lines[start.line - 1]!.slice(start.column - 1);
        expect(there.startsWith(`${JSON.stringify(path.at(-1))}: `), there).toBe(true);
      }
    }),
  );
});

test('parsed JSON that notes reads is as plain JSON is: to read, to copy, to write and to delete', () => {
  fc.assert(
    fc.property(json, (body) => {
      const read = observed(body, () => undefined);
      expect(read).toEqual(body);
      expect(JSON.stringify(read)).toBe(JSON.stringify(body));
      expect(structuredClone(read)).toEqual(body);
    }),
  );
  const order = observed({ total: 1, items: [{ id: 7 }] }, () => undefined) as {
    total?: number;
    items: { id: number }[];
  };
  order.total = 2;
  expect({ ...order }).toEqual({ total: 2, items: [{ id: 7 }] });
  delete order.total;
  expect(order).toEqual({ items: [{ id: 7 }] });
});

test('only the fields that code reads are noted', () => {
  const read: string[] = [];
  const body = { id: 1, total: 2, items: [{ id: 3, name: 'mug' }] };
  const order = observed(body, (path) => read.push(fieldText(path))) as typeof body;
  const { total, items } = order;
  expect([total, items[0]!.name]).toEqual([2, 'mug']);
  expect(read).toEqual(['total', 'items', 'items[].name']);
});

test('an error can be at another field', () => {
  const tree = { errors: { children: { email: { errors: ['Wrong.'] }, name: {} } } };
  const [mutation] = mutationsOf(['errors', 'children'], tree.errors.children);
  expect(mutate(tree, mutation!)).toEqual({
    errors: { children: { email: {}, name: {}, other_email: { errors: ['Wrong.'] } } },
  });
});

/** Returns the texts of the ways in which a value can be wrong. */
function textsOf(value: unknown, path: FieldPath = []): string[] {
  return mutationsOf(path, value).map((one) => mutationText(one, value));
}

test('a list at the root, the texts of a list and numbers that are times can be wrong', () => {
  expect(textsOf([{ id: 1 }])).toEqual([
    'body: empty list',
    'body: one item less',
    'body: one item more',
  ]);
  expect(textsOf('new', ['tags', '[]'])).toEqual([
    'tags[]: "new" → "ne (wrong)"',
    'tags[]: "new" → null',
  ]);
  expect(textsOf(1_790_000_000_000, ['at'])[0]).toBe('at: 1790000000000 → 1790086400000');
  expect(textsOf(1_790_000_000, ['at'])[0]).toBe('at: 1790000000 → 1790086400');
  expect(textsOf('', ['text'])).toEqual(['text: "" → null', 'text: missing']);
  expect(textsOf('x'.repeat(200), ['text'])[0]).toBe('text: other text');
  const read: string[] = [];
  const tags = observed({ tags: ['new', 'old'] }, (path) => read.push(fieldText(path)));
  expect((tags as { tags: string[] }).tags[0]).toBe('new');
  expect(read).toEqual(['tags', 'tags[]']);
});

test('a control makes all values wrong, each in another way', () => {
  const body = { total: 2, tax: 2, name: 'Mug', code: 'Mug', items: [{ total: 2 }] };
  const mutations = fieldsOf(body).flatMap(([path, value]) => mutationsOf(path, value));
  const { total, tax, name, code, items } = mutate(body, controlOf(mutations)) as typeof body;
  expect(new Set([2, total, tax]).size).toBe(3);
  expect(new Set(['Mug', name, code]).size).toBe(3);
  expect(items).toEqual([]);
});

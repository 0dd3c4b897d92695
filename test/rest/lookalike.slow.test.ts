import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openOffice, type Office } from '../support/office.ts';
import { runs, sample } from '../support/runs.ts';

const exported = openOffice({ scenario: 'sale' }).export();

/** A value of a record, by its table and the names that lead to it: `shipping_methods` and `configuration`, `amount`. */
interface Place {
  readonly table: string;
  readonly path: readonly string[];
}

/** The values of all records that are numbers or texts. */
const places = Object.entries(exported.tables).flatMap(([table, { rows }]): Place[] => {
  const paths = new Set(rows.flatMap((row) => pathsOf(row).map((path) => JSON.stringify(path))));
  return [...paths].map((path) => ({ table, path: JSON.parse(path) }));
});

/** What stood for a cached text in a response once, by what marks a place that takes it. */
const kinds = [
  { mark: 1_234_567.25, lookalike: fc.nat({ max: 20 }).map((at) => 9_200_000_000_000.5 + at) },
  { mark: 1_234_567, lookalike: fc.nat({ max: 20 }).map((at) => 9_200_000_000_000 + at) },
  {
    mark: 'a text',
    lookalike: fc.nat({ max: 3 }).map((length) => `\u007F${'+'.repeat(length)}`),
  },
];

test.each(sample(kinds, 1))(
  'a response shows what stands in the records that take $mark',
  async ({ mark, lookalike }) => {
    const taken: Place[] = [];
    for (const place of places)
      if (opened([...taken, place], mark) !== undefined) taken.push(place);
    const expected = await textsOf(opened(taken, mark)!);
    expect(expected.join('')).toContain(JSON.stringify(mark));
    await fc.assert(
      fc.asyncProperty(lookalike, async (value) => {
        const text = JSON.stringify(value);
        expect(await textsOf(opened(taken, value)!)).toEqual(
          expected.map((one) => one.replaceAll(JSON.stringify(mark), text)),
        );
      }),
      { numRuns: runs(60) },
    );
  },
);

/** Returns the paths of the numbers and texts of a record that are in no list. */
function pathsOf(value: unknown): string[][] {
  if (typeof value === 'number' || typeof value === 'string') return [[]];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    pathsOf(inner).map((path) => [key, ...path]),
  );
}

/** Opens a shop with a value in some places of all records; undefined if it is refused. */
function opened(at: readonly Place[], value: unknown): Office | undefined {
  const file = structuredClone(exported);
  for (const { table, path } of at) {
    for (const row of file.tables[table]!.rows) {
      let owner = row as Record<string, unknown> | undefined;
      for (const key of path.slice(0, -1)) owner = owner?.[key] as typeof owner;
      const name = path.at(-1)!;
      if (owner?.[name] !== undefined) owner[name] = value;
    }
  }
  const office = openOffice({ scenario: 'empty', settings: { listCarts: true } });
  try {
    office.import(file);
    return office;
  } catch {
    return undefined;
  }
}

/** Returns the bodies of what shows records of other tables, each read twice. */
async function textsOf(office: Office): Promise<string[]> {
  const lists = ['orders', 'payments', 'shipments', 'shipping-methods', 'promotions', 'products'];
  const urls = [
    ...lists.map((list) => `/api/${list}/?limit=100`),
    '/api/orders/1/',
    '/api/shipments/1',
    '/api/payments/1',
  ];
  const texts: string[] = [];
  for (const url of [...urls, ...urls])
    texts.push(await (await office.fetch(`http://shop.test${url}`)).text());
  return texts;
}

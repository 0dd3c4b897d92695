import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contract } from '../../src/shop/resources/index.ts';
import { anyCharacter } from '../support/any-character.ts';
import { contents, type Answered } from '../support/office.ts';
import { openSmallShop } from '../support/small-shop.ts';
import { runs } from '../support/runs.ts';

const office = openSmallShop();
const start = contents(office);
const writes = contract.filter(({ method }) => method !== 'GET');
const reads = contract.filter(({ method }) => method === 'GET');

/** Values that a careless client could send for a parameter. */
const value = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '1',
    '-1',
    '1e9',
    'true',
    'on',
    '4242424242424242',
    'ä'.repeat(300),
  ),
  fc.constantFrom(2 ** 31, 2 ** 53, 1e21, 1e300, -0, 0.1, 10_000, 10_001),
  fc.integer({ min: -5, max: 200 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Ids of existing records, at every step of the checkout, and of missing ones. */
const ids = fc.oneof(
  fc.integer({ min: 1, max: 9 }).map(String),
  fc.constantFrom('0', '-1', '9999999', 'x', '1.5', '%00', '1e1', '９'),
);

/** Bodies that mix the parameters of a row, of other rows, and none that exist. */
function bodiesOf(row: (typeof contract)[number]): fc.Arbitrary<unknown> {
  const names = [
    ...Object.keys(row.body?.children ?? {}),
    ...(row.chosenBy ?? []),
    'nothing',
    '__proto__',
  ];
  const random = fc.dictionary(fc.constantFrom(...names), value);
  const damaged = fc
    .tuple(fc.constantFrom(...names), value)
    .map(([name, damage]) => ({ ...row.example.body, [name]: damage }));
  return fc.oneof(random, damaged, value);
}

test.each(writes.map((row) => ({ name: `${row.method} ${row.path}: ${row.summary}`, row })))(
  '$name rejects or accepts any input, without a 500, and rejected input changes nothing',
  async ({ row }) => {
    await fc.assert(
      fc.asyncProperty(bodiesOf(row), ids, async (body, id) => {
        const url = row.path.replaceAll(/:\w+/g, id);
        expectHandled(await office.call(`${row.method} ${url}`, JSON.stringify(body)));
      }),
      { numRuns: runs(60) },
    );
  },
);

const names = [
  'page',
  'limit',
  'criteria',
  'sorting',
  'criteria[query]',
  'criteria[name]',
  'criteria[channel]',
  'criteria[createdAtTo]',
  'sorting[id]',
  'sorting[id][x]',
  'criteria[[x]',
  'a[b][c][d][e][f][g][h][i][j][k]',
];

test.each(reads.map(({ path }) => path))(
  'GET %s accepts or rejects any query, without a 500, and changes nothing',
  async (path) => {
    const query = fc
      .array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 3 })
      .map(
        (pairs) =>
          new URLSearchParams(
            pairs.map(([name, one]) => [name, typeof one === 'string' ? one : JSON.stringify(one)]),
          ),
      );
    await fc.assert(
      fc.asyncProperty(ids, fc.oneof(query, fc.webQueryParameters()), async (id, asked) => {
        expectHandled(await office.call(`GET ${path.replaceAll(/:\w+/g, id)}?${asked}`));
        expect(contents(office)).toBe(start);
      }),
      { numRuns: runs(30) },
    );
  },
);

test('no endpoint responds with 500 to any input in any encoding', async () => {
  const methods = fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS');
  const paths = fc
    .array(
      fc.oneof(
        fc.constantFrom('api', 'users', 'orders', 'checkouts', 'items', '1', '3'),
        fc.webSegment(),
      ),
      {
        maxLength: 5,
      },
    )
    .map((segments) => `/${segments.join('/')}`);
  const types = fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a-boundary-of-its-own',
    'multipart/form-data',
    'text/plain',
    'nonsense',
  );
  const bodies = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.json(),
    fc.webQueryParameters(),
    fc
      .string()
      .map((text) => `--a-boundary-of-its-own\r\n${text}\r\n--a-boundary-of-its-own--\r\n`),
    fc.constantFrom('a[', 'a[b]]=1', '[=', '&&&', '%', '%E0%A4%A', 'a[b][c]=1&a[b]=2', '{"a[b":1}'),
    fc.integer({ min: 1000, max: 12_000 }).map((count) => 'a[]=1&'.repeat(count)),
    fc.integer({ min: 10, max: 5000 }).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
    fc
      .integer({ min: 10, max: 5000 })
      .map((depth) => `{"a":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`),
  );
  await fc.assert(
    fc.asyncProperty(methods, paths, types, bodies, async (method, path, type, body) => {
      expectHandled(await office.call(`${method} ${path}`, body, { 'content-type': type }));
    }),
    { numRuns: runs(300) },
  );
});

test('a deeply nested body of the maximum size is parsed or rejected without a 500', async () => {
  for (const body of [
    `{"firstName":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    `{"nothing":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`,
    `firstName${'[a]'.repeat(100_000)}=1`,
    'firstName[]=1&'.repeat(60_000),
  ]) {
    const type = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
    const answer = await office.call('POST /api/users/', body, { 'content-type': type });
    expect(answer.status).toBe(400);
    expectHandled(answer);
  }
});

/** Expects no 500, and that a rejected request has an error body and changes nothing. */
function expectHandled({ status, body }: Answered): void {
  expect(status).toBeLessThan(500);
  if (status < 400) {
    office.reset();
    return;
  }
  expect(body).toMatchObject({ code: status, message: expect.any(String) });
  const validation = body.message === 'Validation Failed';
  expect(Object.keys(body)).toEqual(['code', 'message', ...(validation ? ['errors'] : [])]);
  expect(contents(office)).toBe(start);
}

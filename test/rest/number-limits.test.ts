import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSmallShop } from '../support/small-shop.ts';
import { runs } from '../support/runs.ts';

const office = openSmallShop();
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Sends a number of parameters to a form, in each encoding that counts them as parameters. */
async function messagesOf(count: number): Promise<unknown[]> {
  const names = Array.from({ length: count }, (_, at) => `a${at}`);
  const multipart = new FormData();
  for (const name of names) multipart.append(name, '1');
  const sent = await office.fetch('/api/channels/', { method: 'POST', body: multipart });
  const fromForm = (await sent.json()) as { readonly message: unknown };
  const pairs = names.map((name) => `${name}=1`).join('&');
  const criteria = names.map((name) => `criteria[${name}]=1`).join('&');
  const brackets = Object.fromEntries(names.map((name) => [`${name}[b]`, 1]));
  const others = [
    await office.call(`GET /api/channels/?${criteria}`),
    await office.call('POST /api/channels/', pairs, form),
    await office.call('POST /api/channels/', brackets),
  ];
  return [fromForm.message, ...others.map(({ body }) => body.message)];
}

test('a thousand parameters are accepted in every encoding', async () => {
  expect(new Set(await messagesOf(1000))).toEqual(new Set(['Validation Failed']));
});

test('more than a thousand parameters are rejected in every encoding, with their number', async () => {
  expect(new Set(await messagesOf(1001))).toEqual(
    new Set(['Parameters cannot be read: there are 1,001, at most 1,000 are accepted']),
  );
});

test('repeated parameters are counted separately', async () => {
  const pairs = Array.from({ length: 12_400 }, () => 'a=1').join('&');
  const { status, body } = await office.call('POST /api/channels/', pairs, form);
  expect(status).toBe(400);
  expect(body.message).toContain('there are 12,400, at most 1,000');
});

test('JSON with more than 20,000 values is rejected, at whatever depth they are', async () => {
  const tree = fc.jsonValue({ maxDepth: 5 });
  const space = fc.constantFrom('', ' ', '\n\t');
  await fc.assert(
    fc.asyncProperty(tree, space, fc.boolean(), async (value, blank, isLess) => {
      const inner = countValues(value);
      const most = isLess ? 20_000 : 20_001;
      const rest = Array.from({ length: most - inner - 2 }, () => 0);
      const text = JSON.stringify({ nothing: value, more: rest }, null, blank);
      const { status, body } = await office.call('POST /api/channels/', text);
      expect(status).toBe(400);
      expect(body.message).toBe(
        isLess
          ? 'Validation Failed'
          : 'Parameters cannot be read: the body has more than 20,000 values',
      );
    }),
    { numRuns: runs(60) },
  );
});

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  return inner.reduce<number>((sum, one) => sum + 1 + countValues(one), 0);
}

const wrong = { code: 'NEW', color: 'red' };

test.each([101, 500, 998])(
  'a response to %i issues lists 100 and counts the others, in every encoding',
  async (count) => {
    const list = Array.from({ length: count }, (_, at) => `x${at}`);
    const pairs = list.map((value) => `locales[]=${value}`).join('&');
    const multipart = new FormData();
    for (const [name, value] of Object.entries(wrong)) multipart.append(name, value);
    for (const value of list) multipart.append('locales[]', value);
    const sent = await office.fetch('/api/channels/', { method: 'POST', body: multipart });
    const answers: unknown[] = [
      await sent.json(),
      (await office.call('POST /api/channels/', { ...wrong, locales: list })).body,
      (await office.call('POST /api/channels/', `code=NEW&color=red&${pairs}`, form)).body,
    ];
    for (const answer of answers) {
      const { errors } = answer as { readonly errors: Tree };
      expect(errors.errors).toEqual([`and ${count - 100} more`]);
      const listed = Object.keys(errors.children?.['locales']?.children ?? {});
      expect(listed).toEqual(Array.from({ length: 100 }, (_, at) => String(at)));
    }
  },
);

interface Tree {
  readonly errors?: readonly string[];
  readonly children?: Readonly<Record<string, Tree>>;
}

test('a response to 100 issues lists all of them', async () => {
  const locales = Array.from({ length: 100 }, (_, at) => `x${at}`);
  const { body } = await office.call('POST /api/channels/', { ...wrong, locales });
  expect(body.errors).not.toHaveProperty('errors');
  expect(Object.keys(body.errors.children.locales.children)).toHaveLength(100);
});

test('the number of more than a thousand issues has a separator', async () => {
  const locales = Array.from({ length: 12_500 }, (_, at) => `x${at}`);
  const { body } = await office.call('POST /api/channels/', { ...wrong, locales });
  expect(body.errors.errors).toEqual(['and 12,400 more']);
});

test('the message shortens a long path', async () => {
  const { status, body } = await office.call(`GET /api/${'nothing'.repeat(10_000)}`);
  expect(status).toBe(404);
  expect(JSON.stringify(body).length).toBeLessThan(9000);
});

test('the message shortens a long content type', async () => {
  const type = { 'content-type': 'nothing'.repeat(10_000) };
  const { status, body } = await office.call('POST /api/channels/', 'a', type);
  expect(status).toBe(415);
  expect(JSON.stringify(body).length).toBeLessThan(9000);
});

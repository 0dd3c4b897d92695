import { expect, test } from 'vitest';
import { verifyStore } from '../support/drift.ts';
import { groupFindings } from '../../src/verify/drift/report.ts';
import type { MountOptions } from '../../src/index.ts';
import { openOffice } from '../support/office.ts';
import { sample } from '../support/runs.ts';
import { mutants } from './mutants.ts';
import { mutated, type Answer } from './mutator.ts';

const login = {
  username: 'api@example.com',
  password: 'api',
  clientId: 'demo_client',
  clientSecret: 'secret_demo_client',
};
const url = 'http://shop.test';

test('verify finds each mutant of a server', async () => {
  const missed: string[] = [];
  for (const mutant of sample(mutants, 10)) {
    const office = openOffice();
    const send = mutated((target, init) => office.fetch(target, init), mutant);
    const { findings } = await verifyStore({
      url,
      fetch: send,
      login,
      write: true,
      maxFindings: 1,
    });
    if (findings.length === 0) missed.push(mutant.name);
  }
  expect(missed).toEqual([]);
});

const servers: readonly MountOptions[] = [
  {},
  { scenario: 'empty', seed: 7 },
  { scenario: 'sale', now: '2027-05-04T03:02:01+0000' },
  { scenario: 'backorders', settings: { backorders: false } },
  { scenario: 'filled-cart', settings: { listCarts: true, totals: 'at-steps', stepBack: true } },
  { scenario: 'awaiting-payment', settings: { requestMoney: 'major', declinedStatus: 402 } },
  { scenario: 'slow-payments', settings: { unknownParameters: 'ignore', itemCount: 'quantity' } },
  { scenario: 'awaiting-purchase', settings: { repriceAtConfirm: true, maxLimit: 20 }, seed: 3 },
  { scenario: 'authenticated', settings: { cartLifetime: 'PT90M', expiry: 'ignore' } },
  {
    settings: { pendingLifetime: 'P2D', defaultTaxZone: 1, journalSize: 0 },
    now: '2026-12-31T23:59:59+0000',
  },
];

test.for(sample(servers, 4).map((options) => [JSON.stringify(options), options] as const))(
  'a server with %s keeps the contract, and its settings are found out',
  async ([, options]) => {
    const office = openOffice(options);
    const { findings, notes, settings } = await verifyStore({
      url,
      fetch: (target, init) => office.fetch(target, init),
      login,
      write: true,
    });
    expect(findings).toEqual([]);
    for (const note of notes) expect(note).toMatch(/outcome|stock/);
    expect(office.settings).toMatchObject(settings);
    expect(Object.keys(settings)).toEqual(expect.arrayContaining([...detectable]));
  },
);

const detectable = [
  'auth',
  'backorders',
  'cartLifetime',
  'declinedStatus',
  'listCarts',
  'maxLimit',
  'repriceAtConfirm',
  'requestMoney',
  'stepBack',
  'totals',
  'unknownParameters',
];

test('a check that only reads changes nothing', async () => {
  for (const scenario of ['default', 'filled-cart', 'sale'] as const) {
    const office = openOffice({ scenario });
    const before = JSON.stringify(office.export());
    const methods = new Set<string | undefined>();
    const { findings } = await verifyStore({
      url,
      fetch(target, init) {
        methods.add(init.method);
        return office.fetch(target, init);
      },
    });
    expect(findings).toEqual([]);
    expect(JSON.stringify(office.export())).toBe(before);
    expect(methods).toEqual(new Set(['GET', 'HEAD', 'OPTIONS']));
  }
});

test('a check that writes deletes what it made', async () => {
  const office = openOffice();
  const before = counts(office);
  await verifyStore({ url, fetch: (target, init) => office.fetch(target, init), write: true });
  expect(counts(office)).toEqual(before);
});

function counts({ db }: ReturnType<typeof openOffice>): Record<string, number> {
  const names = [
    'orders',
    'users',
    'products',
    'channels',
    'stockLocations',
    'payments',
    'shipments',
    'coupons',
  ] as const;
  return Object.fromEntries(names.map((name) => [name, db[name].all().length]));
}

test('a server that lists the orders of other users, too, is found out', async () => {
  const office = openOffice();
  const { findings } = await verifyStore({
    url,
    only: ['users'],
    fetch: (target, init) => office.fetch(target.replace(/users\/\d+\/orders/, 'orders'), init),
  });
  const endpoints = new Set(findings.map(({ endpoint }) => endpoint));
  expect([...endpoints]).toEqual(['GET /api/users/:user_id/orders/']);
  expect(findings.map(({ at }) => at).join(' ')).toContain('body._embedded.items[1].user.id');
});

test('only the resources that are named are checked', async () => {
  const office = openOffice();
  const paths = new Set<string>();
  const gone = {
    name: 'no users',
    change: (answer: Answer) =>
      void (answer.status = answer.path.startsWith('/api/users') ? 500 : answer.status),
  };
  const { findings } = await verifyStore({
    url,
    only: ['zones'],
    fetch: mutated((target, init) => {
      paths.add(new URL(target).pathname.split('/')[2] ?? '');
      return office.fetch(target, init);
    }, gone),
  });
  expect(findings).toEqual([]);
  expect(paths).toContain('zones');
  expect(paths).not.toContain('promotions');
});

test('a finding names the place, the row, both values and a curl line', async () => {
  const office = openOffice();
  const { findings } = await verifyStore({
    url,
    only: ['zones'],
    fetch: mutated((target, init) => office.fetch(target, init), {
      name: 'gone',
      change: ({ of }) => {
        for (const zone of of('Zone')) delete zone.name;
      },
    }),
  });
  expect(
    groupFindings(findings).find(({ endpoint }) => endpoint === 'GET /api/zones/:zone_id'),
  ).toEqual({
    kind: 'shape',
    endpoint: 'GET /api/zones/:zone_id',
    row: 'Read a zone',
    at: 'body.name',
    expected: 'string',
    received: 'nothing',
    request: expect.stringMatching(/^GET \/api\/zones\/\d+$/),
    curl: expect.stringMatching(/^curl -i -g 'http:\/\/shop\.test\/api\/zones\/\d+'$/),
    count: expect.any(Number),
  });
});

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';
import { noCounts, mergeCounts } from '../../src/engine/coverage/counts.ts';
import { Coverage } from '../../src/engine/coverage/recorder.ts';
import { coverageReport } from '../../src/engine/coverage/report.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { runs } from '../support/runs.ts';
import { storeContract } from '../../src/shop/store-contract.ts';

const list = storeContract();

/** Requests to all endpoints and to none, with right and wrong ids and bodies, and with faults. */
const request = fc
  .record({
    row: fc.constantFrom(...storeApi.endpoints),
    target: fc.constantFrom('example', 'example', 'missing', 'unknown path'),
    body: fc.constantFrom('example', 'example', 'none', 'broken', 'text', 'other'),
    prefer: fc.constantFrom(undefined, undefined, undefined, 'status=503', 'status=418', 'x'),
    method: fc.constantFrom(undefined, undefined, undefined, 'HEAD', 'OPTIONS', 'PATCH'),
    reset: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ row, target, body, prefer, method = row.method, reset }) => {
    const [path = ''] = row.example.url.split('?');
    const urls = {
      example: row.example.url,
      missing: row.path.replaceAll(/:\w+/g, '999999'),
      'unknown path': path.replace(/s?\/?$/, 'z'),
    };
    const bodies = {
      example: [JSON.stringify(row.example.body), 'application/json'],
      none: [undefined, 'application/json'],
      broken: ['{', 'application/json'],
      text: ['x', 'text/plain'],
      other: ['{"nothing":1}', 'application/json'],
    } as const;
    const [text, type] = bodies[body];
    const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method) && text !== undefined;
    const headers = { 'content-type': type, ...(prefer !== undefined && { prefer }) };
    const url = urls[target];
    return { url, method, headers, reset, ...(hasBody && { body: text }) };
  });

/** Finds the operation of a request by its path, without the router. */
function operationOf(method: string, url: string): string | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const [path = ''] = url.split('?');
  const sent = path.replace(/\/$/, '').split('/');
  const row = storeApi.endpoints.find((one) => {
    const parts = one.path.replace(/\/$/, '').split('/');
    return (
      one.method === wanted &&
      parts.length === sent.length &&
      parts.every((part, at) => part.startsWith(':') || part === sent[at])
    );
  });
  return row && `${row.method} ${row.path}`;
}

test('the counts of 10,000 random requests are those of a count by hand', async () => {
  const coverage = new Coverage();
  // Two back offices, as the sessions of a server, and two settings.
  const offices = [
    createBackOffice({ coverage }),
    createBackOffice({ coverage, settings: { auth: 'oauth2' } }),
  ];
  const byHand = new Map<string, number>();
  const unmatched = new Map<string, number>();
  let counted = 0;
  const requests = fc.sample(request, { numRuns: runs(10_000), seed: 1 });
  for (const [at, { url, reset, ...init }] of requests.entries()) {
    const office = offices[at % 3 === 0 ? 1 : 0];
    if (reset === 0) office?.reset();
    const response = await office?.fetch(url, init);
    if (init.method === 'OPTIONS') continue;
    counted += 1;
    const operation = operationOf(init.method, url);
    const map = operation === undefined ? unmatched : byHand;
    const name =
      operation === undefined
        ? `${init.method} ${url.split('?')[0]}`
        : `${operation} ${response?.status}`;
    map.set(name, (map.get(name) ?? 0) + 1);
  }
  const counts = coverage.counts();
  const statuses = Object.entries(counts.items)
    .filter(([key]) => key.startsWith('statuses: '))
    .map(([key, count]) => [key.slice('statuses: '.length), count] as const);
  const { undocumented } = coverageReport(counts, list);
  const others = undocumented.filter(({ name }) => / \d{3}$/.test(name));
  expect(counts.requests).toBe(counted);
  expect(new Map(statuses)).toEqual(byHand);
  expect(new Map(Object.entries(counts.unmatched))).toEqual(unmatched);
  expect(others.filter(({ name }) => !name.endsWith(' 418'))).toEqual([]);
});

test('reports add up, whatever the order', () => {
  const one = { ...noCounts, requests: 2, items: { 'statuses: GET /api/zones/ 200': 2 } };
  const other = {
    ...noCounts,
    requests: 3,
    items: { 'statuses: GET /api/zones/ 200': 1, 'states: order.confirmed': 1 },
    unmatched: { 'GET /api/zone': 1 },
  };
  expect(mergeCounts([one, other])).toEqual(mergeCounts([other, one]));
  const report = coverageReport(mergeCounts([one, other]), list);
  expect(report.requests).toBe(5);
  expect(report.summary.states.met).toBe(1);
  expect(report.unmatched).toEqual([
    { name: 'GET /api/zone', count: 1, nearest: 'GET /api/zones/' },
  ]);
});

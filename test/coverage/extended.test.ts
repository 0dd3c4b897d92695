import { expect, test } from 'vitest';
import { coverageText } from '../../src/engine/coverage/text.ts';
import { contractFor } from '../../src/engine/coverage/contract.ts';
import { todoApi } from '../todo/api.ts';
import { Coverage } from '../../src/engine/coverage/recorder.ts';
import { coverageReport, mergeReports } from '../../src/engine/coverage/report.ts';
import { createBackOffice, type BackOfficeOptions } from '../../src/index.ts';
import { openapi } from '../../src/engine/sessions/openapi.ts';
import { company } from '../support/company-api.ts';
import { storeContract } from '../../src/shop/store-contract.ts';

const list = storeContract();

const json = { 'content-type': 'application/json' };

/** Sends the same requests to a back office, and returns what was met. */
async function reportOf(options: BackOfficeOptions) {
  const coverage = new Coverage();
  const office = createBackOffice({ ...options, coverage });
  const path = office.shop.api.path;
  for (const url of ['users/1', 'users/', 'orders/', 'orders/1', 'products/']) {
    expect((await office.fetch(`${path}/${url}`)).status).toBe(200);
  }
  if (options.api !== undefined) {
    await office.fetch(`${path}/wishlists/`);
    await office.fetch(`${path}/wishlists/1`);
    await office.fetch(`${path}/wishlists/9`);
  }
  return coverageReport(coverage.counts(), list);
}

test('an extended API meets the same items of the contract, and its own endpoints are told apart', async () => {
  const plain = await reportOf({});
  const own = await reportOf({ api: company });
  expect(own.summary).toEqual(plain.summary);
  expect(own.counts.items).toEqual(plain.counts.items);
  expect(own.undocumented).toEqual([]);
  const extensions = [
    { name: 'GET /api/wishlists/ 200', count: 1 },
    { name: 'GET /api/wishlists/:id 200', count: 1 },
    { name: 'GET /api/wishlists/:id 404', count: 1 },
  ];
  expect(own.extensions).toEqual(extensions);
  const reports = [
    ['one', own],
    ['two', JSON.parse(JSON.stringify(own))],
  ] as const;
  const merged = mergeReports(reports, list);
  expect(merged.extensions).toEqual(extensions.map((one) => ({ ...one, count: 2 })));
  const brief = coverageText(own);
  expect(brief.split('\n').length).toBeLessThan(20);
  expect(brief).toContain('`maxGaps: 5` lists some of each measure');
  const text = coverageText(own, { maxGaps: 5 });
  expect(text).toMatch(/Never met: transitions\n(.*\n){5} {2}and 22 more/);
  expect(text).toContain('Endpoints that a definition adds\n  GET /api/wishlists/ 200\n');
  expect(text).toContain('Added by a definition: 2 of 7 operations, 3 of ');
  expect(coverageText(plain)).not.toContain('definition');
});

test('coverage lists the documented responses of added endpoints, met or not, apart from the contract', async () => {
  const { added, gaps, counts } = await reportOf({ api: company });
  const { paths } = openapi(company, '1.0.0', company.endpoints);
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    path.startsWith('/api/wishlists/')
      ? Object.entries(methods).flatMap(([method, { responses }]) =>
          Object.keys(responses).map(
            (status) => `${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')} ${status}`,
          ),
        )
      : [],
  );
  const { total, met, ignored, percent } = added.responses;
  expect({ total, met, ignored }).toEqual({ total: documented.length, met: 3, ignored: 0 });
  expect(percent).toBeCloseTo((3 / total) * 100, 1);
  expect([...added.gaps, ...Object.keys(counts.extensions)].toSorted()).toEqual(
    documented.toSorted(),
  );
  expect(gaps.filter(({ id }) => id.includes('wishlist'))).toEqual([]);
  const usual = coverageReport(counts, list, { ignore: ['unusual', 'DELETE /api/wishlists/*'] });
  expect(usual.added.gaps.filter((one) => / (401|503)$|^DELETE/.test(one))).toEqual([]);
  expect(usual.added.gaps).toContain('POST /api/wishlists/ 201');
  expect(usual.unusedIgnores).toEqual([]);
});

test('an added endpoint that answers before it is routed is counted as its own', async () => {
  const coverage = new Coverage();
  const office = createBackOffice({ api: company, coverage });
  await office.fetch('/api/v1/wishlists/', { method: 'POST', body: '{', headers: json });
  const { extensions, unmatched } = coverage.counts();
  expect([extensions, unmatched]).toEqual([{ 'POST /api/wishlists/ 400': 1 }, {}]);
});

test('a report of an API from nothing lists no endpoint of the store', async () => {
  const coverage = new Coverage();
  const office = createBackOffice({ api: todoApi, coverage });
  await office.fetch('/api/todos/');
  await office.fetch('/api/tods/');
  const report = coverageReport(coverage.counts(), contractFor(todoApi, list));
  expect(report.gaps).toEqual([]);
  expect(report.added.operations).toEqual({ total: 6, met: 1 });
  expect(report.unmatched).toEqual([
    { name: 'GET /api/tods/', count: 1, nearest: 'GET /api/todos/' },
  ]);
  expect(contractFor(company, list)).toBe(list);
});

import { expect, test } from 'vitest';
import { coverageText } from '../../src/coverage/formats.ts';
import { Coverage } from '../../src/coverage/recorder.ts';
import { coverageReport, mergeReports } from '../../src/coverage/report.ts';
import { createBackOffice, type BackOfficeOptions } from '../../src/index.ts';
import { company } from '../support/company-api.ts';

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
  return coverageReport(coverage.counts());
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
  const merged = mergeReports([
    ['one', own],
    ['two', JSON.parse(JSON.stringify(own))],
  ]);
  expect(merged.extensions).toEqual(extensions.map((one) => ({ ...one, count: 2 })));
  const text = coverageText(own);
  expect(text).toContain('Endpoints that a definition adds\n  GET /api/wishlists/ 200\n');
});

import { mkdtempSync, openAsBlob, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readApiDocument } from '../../src/cli/api-document.ts';
import { Baseline } from '../../src/cli/baseline.ts';
import { findScenario } from '../../src/cli/scenarios.ts';
import { UsageError } from '../../src/cli/values.ts';
import { readSettings } from '../../src/cli/verify.ts';
import { countsOf } from '../../src/engine/coverage/report.ts';
import { ForeignTextError, jsonLimits } from '../../src/engine/lib/json-limits.ts';
import { Problem } from '../../src/engine/lib/problem.ts';
import { traceIn } from '../../src/engine/lib/trace-file.ts';
import { readForeignJson, readForeignText } from '../../src/mounts/node/read-file.ts';
import { endpointNames } from '../../src/suite/endpoint-names.ts';
import { findings } from '../support/chaos-findings.ts';
import { damagedText } from '../support/damaged-json.ts';
import { openOffice } from '../support/office.ts';
import { runs } from '../support/runs.ts';
import { openServer } from '../support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'backlot-foreign-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'foreign.json');

const office = openOffice({ scenario: 'filled-cart', history: true });
await office.call('POST /api/orders/', { channel: 1, user: 3, currency: 'EUR' });
const scenario = { name: 'own', description: 'Mine', extends: 'empty', settings: { maxLimit: 7 } };

/** Its servers have paths and variables. */
const openapi = {
  openapi: '3.1.0',
  servers: [{ url: 'https://{region}.shop.test/{base}', variables: { base: { default: 'v1' } } }],
  paths: { '/a/{id}': { get: { responses: {} } }, '/b': {} },
};

/** What a server with findings of `chaos` returns for them. */
function chaosReport(): unknown {
  const chaos = {
    exist: () => true,
    read: () => readForeignJson(file, jsonLimits.report),
    readTrace: () => readForeignText(file, jsonLimits.trace.bytes),
  };
  return openServer({ chaos }).call('GET /_backlot/chaos').status;
}

/** Readers of files, each with what it reads. */
const readers: readonly (readonly [what: string, good: unknown, read: () => unknown])[] = [
  [
    'a baseline',
    { backlot: 'chaos', version: 1, findings: ['a'] },
    () => new Baseline('chaos', file).has('a'),
  ],
  ['findings of chaos', findings, chaosReport],
  [
    'a report of contract coverage',
    { backlot: 'coverage', version: 1, requests: 0, counts: { statuses: {} } },
    () => countsOf(readForeignJson(file, jsonLimits.report), file),
  ],
  ['a scenario', scenario, () => findScenario(file)],
  ['settings', { settings: { maxLimit: 7, auth: 'oauth2' } }, () => readSettings(file)],
  [
    'an OpenAPI document',
    openapi,
    async () => endpointNames((await readApiDocument(file)).paths)('GET', '/v1/a/7'),
  ],
  ['a trace', office.history.trace(), async () => traceIn(await openAsBlob(file))],
];

test.each(readers)(
  'any damage of %s ends in what it says or in one error',
  async (_, good, read) => {
    await fc.assert(
      fc.asyncProperty(damagedText(good), async (text) => {
        writeFileSync(file, text);
        try {
          expect(await read()).not.toBe(500);
        } catch (error) {
          const isExpected = [ForeignTextError, UsageError, Problem].some(
            (known) => error instanceof known,
          );
          if (!isExpected) throw error;
          expect((error as Error).message.length).toBeLessThan(5000);
        }
        expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
      }),
      { numRuns: runs(200) },
    );
  },
);

test.each([
  ['an export', office.export()],
  ['a trace', office.history.trace()],
  ['a scenario', scenario],
])('any damage of %s is imported, or refused and changes nothing', (_, good) => {
  const { call } = openServer({ history: true });
  const state = (): string => JSON.stringify(call('GET /_backlot/export').body);
  fc.assert(
    fc.property(damagedText(good), (text) => {
      const before = state();
      const { status } = call('POST /_backlot/import', text === '' ? ' ' : text);
      expect(status).not.toBe(500);
      if (status >= 300) expect(state()).toBe(before);
      else expect(call('POST /_backlot/reset').status).toBe(200);
    }),
    { numRuns: runs(200) },
  );
});

test('a file that is too large is refused with its size before it is read, a pipe without one', () => {
  writeFileSync(file, '[]');
  truncateSync(file, 80 * 1_048_576);
  const refused = 'it must be at most 64 MiB, is 80 MiB';
  expect(() => readForeignJson(file, jsonLimits.scenario)).toThrow(refused);
  expect(() => new Baseline('chaos', file)).toThrow(
    `Cannot read ${file}: it must be at most 16 MiB, is 80 MiB.`,
  );
  expect(() => readForeignText('/dev/zero', 2 * 1_048_576)).toThrow('it is larger than 2 MiB');
});

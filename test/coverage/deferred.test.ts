import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';
import { noCounts } from '../../src/engine/coverage/counts.ts';
import { DeferredCoverage } from '../../src/engine/coverage/deferred-coverage.ts';
import { Coverage, type CoverageRecorder } from '../../src/engine/coverage/recorder.ts';

/** Sends requests of all kinds: transitions, enums, issues, an unknown path. */
async function visit(coverage: CoverageRecorder): Promise<void> {
  const office = createBackOffice({ coverage });
  const { id } = office.given.anOrder({ at: 'finalize' });
  office.checkout.submit(id, 'purchase');
  for (const url of [`/api/orders/${id}/`, '/api/zones/', '/api/zone', '/api/orders/?limit=0'])
    await office.fetch(url);
}

test('a recorder that is loaded later counts what came before, in the same order', async () => {
  const direct = new Coverage();
  await visit(direct);
  const loaded = Promise.withResolvers<Coverage>();
  const deferred = new DeferredCoverage(() => loaded.promise);
  await visit(deferred);
  loaded.resolve(new Coverage());
  expect(await deferred.takeCounts()).toEqual(direct.counts());
});

test('a recorder that is loaded later counts what comes after, from zero', async () => {
  const direct = new Coverage();
  await visit(direct);
  const deferred = new DeferredCoverage(() => Promise.resolve(new Coverage()));
  await visit(deferred);
  await deferred.takeCounts();
  await visit(deferred);
  expect(await deferred.takeCounts()).toEqual(direct.counts());
  expect(await deferred.takeCounts()).toEqual(noCounts);
});

test('without a back office, no recorder is loaded', async () => {
  const deferred = new DeferredCoverage(() => Promise.reject(new Error('loaded')));
  expect(await deferred.takeCounts()).toEqual(noCounts);
});

test('a recorder that cannot be loaded is reported when the counts are taken', async () => {
  const deferred = new DeferredCoverage(() => Promise.reject(new Error('not found')));
  await visit(deferred);
  await expect(deferred.takeCounts()).rejects.toThrow('not found');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { play, randomShop, serveShop } from '../support/random-shop.ts';
import { runs } from '../support/runs.ts';

const numRuns = runs(60);
const timeout = 60_000 + numRuns * 4000;

test('an exported file opens to a shop that exports the same bytes', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(randomShop, async (of) => {
      const { body: file } = await (await play(of)).call('GET /_backlot/export');
      const other = serveShop({ ...of, scenario: file.scenario });
      expect((await other.call('POST /_backlot/import', file)).status).toBe(200);
      const { body: again } = await other.call('GET /_backlot/export');
      expect(JSON.stringify(again)).toBe(JSON.stringify(file));
    }),
    { numRuns },
  );
});

test('the scenario that a link holds opens to the same records and time', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(randomShop, async (of) => {
      const office = await play(of);
      // A history without an entry has nothing to export.
      await office.call('GET /api/channels/1').catch(() => undefined);
      const { body: held } = await office.call('GET /_backlot/journal/export?as=scenario');
      const other = serveShop({ ...of, scenario: 'default' });
      expect((await other.call('POST /_backlot/import', held)).status).toBe(200);
      const [wanted, opened] = [office, other].map((one) => one.export());
      expect(opened?.tables).toEqual(wanted?.tables);
      expect(opened?.now).toBe(wanted?.now);
    }),
    { numRuns },
  );
});

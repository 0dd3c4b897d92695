import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storeApi } from '../../src/define.ts';
import type { ScenarioInput } from '../../src/index.ts';
import { verifyServer } from '../../src/verify/drift/verify.ts';
import { caller, openOffice, type Office } from '../support/office.ts';
import { runProgramWith } from '../support/program.ts';
import { Recording } from '../support/recording.ts';
import { runs } from '../support/runs.ts';
import { placeOrder, writtenPerson } from './written-persons.ts';

/** Returns a text in lower case, with one space between its words and around it. */
function words(text: string): string {
  return ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')} `;
}

/** Whether a text has a name: as a word, or anywhere if its script has no spaces. */
function has(text: string, name: string): boolean {
  return /\p{Script=Han}/u.test(name) ? text.includes(name) : words(text).includes(words(name));
}

async function totalsOf({ call }: Office, orders: readonly number[]): Promise<unknown[]> {
  return Promise.all(
    orders.map(async (order) => {
      const { body } = await call(`GET /api/orders/${order}/`);
      const { items_total, adjustments_total, total, items, payments, adjustments } = body;
      return {
        of: [items_total, adjustments_total, total],
        items: items.map((item: { total: number }) => item.total),
        payments: payments.map((payment: { amount: number }) => payment.amount),
        adjustments: adjustments.map((one: { amount: number }) => one.amount),
      };
    }),
  );
}

test('an anonymised recording has no person of the original, and the totals of its orders', async () => {
  const shop = fc.array(fc.tuple(writtenPerson, fc.boolean()), { minLength: 2, maxLength: 6 });
  const property = fc.asyncProperty(shop, async (persons) => {
    const office = openOffice({ scenario: 'empty' });
    const placed = [];
    for (const [person, isPaid] of persons)
      placed.push(await placeOrder(office.call, person, isPaid));
    const recording = new Recording();
    const call = caller(recording.recorded((url, init) => office.fetch(url, init)));
    const secrets: string[] = [];
    for (const { user, order } of placed) {
      const { body } = await call(`GET /api/users/${user}`);
      secrets.push(body.password, body.salt);
      await call(`GET /api/orders/${order}/`);
    }
    const file = recording.save();
    const out = join(dirname(file), 'out', 'shop.json');
    // The command can write nowhere else: no temporary file has a person, either.
    const NODE_OPTIONS = `--permission --allow-fs-read=* --allow-fs-write=${dirname(out)}/*`;
    const args = ['pull', file, '--anonymise', '--out', out];
    const ended = await runProgramWith({ NODE_OPTIONS }, process.cwd(), ...args);
    expect(ended).toMatchObject({ code: 0, out: '' });
    expect(readdirSync(dirname(out))).toEqual(['shop.json']);
    const text = readFileSync(out, 'utf8');
    const shown = text + ended.err;
    for (const [{ first, last, street, email, password }] of persons) {
      expect([first, last].filter((name) => has(shown, name))).toEqual([]);
      expect([street, email, password].filter((one) => shown.includes(one))).toEqual([]);
    }
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
    const opened = openOffice({ scenario: JSON.parse(text) as ScenarioInput });
    const orders = placed.map(({ order }) => order);
    expect(await totalsOf(opened, orders)).toEqual(await totalsOf(office, orders));
    const { findings } = await verifyServer({
      url: 'http://shop.test',
      api: storeApi,
      fetch: (url, init) => opened.fetch(url, init),
    });
    expect(findings).toEqual([]);
  });
  await fc.assert(property, { numRuns: runs(16) });
});

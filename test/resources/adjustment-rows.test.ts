import { expect, test } from 'vitest';
import { builtInScenarios } from '../../src/shop/store-api.ts';
import { checkoutOf, steps } from '../support/checkout-steps.ts';
import { openOffice, type Office } from '../support/office.ts';

interface Row {
  readonly id: number;
  readonly label: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const item = { variant: 1, quantity: 4, unitPrice: 12_900 };

/** Sends a request and returns the adjustments of order 4: their labels, ids and timestamps. */
async function rowsAfter({ call, clock }: Office, line: string, body?: object): Promise<Row[]> {
  clock.advance('PT1M');
  expect((await call(line, body)).status).toBeLessThan(300);
  return (await call('GET /api/orders/4')).body.adjustments;
}

function labels(rows: readonly Row[]): string[] {
  return rows.map(({ label }) => label);
}

/** Returns the labels in the expected order, which is reverse alphabetical. */
function inOrder(rows: readonly Row[]): string[] {
  return labels(rows).toSorted().toReversed();
}

/** Expects rows with ids above `lastId` and the current time as timestamps. */
function expectNew(rows: readonly Row[], lastId: number, { clock }: Office): void {
  expect(rows).not.toEqual([]);
  for (const row of rows) {
    expect(row.id).toBeGreaterThan(lastId);
    expect([row.created_at, row.updated_at]).toEqual([clock.now(), clock.now()]);
  }
}

test('adjustments are listed as taxes, shipping, promotions, and each step replaces its own', async () => {
  const office = openOffice({ scenario: 'sale' });
  const { db } = office;
  await office.call('POST /api/orders/4/items/', item);
  const path = checkoutOf(4);

  const addressed = await rowsAfter(office, path, steps.addressing);
  expect(labels(addressed)).toEqual(['tax', 'promotion', 'promotion']);

  let last = Math.max(...db.adjustments.all().map(({ id }) => id));
  const shipped = await rowsAfter(office, path, steps.shipping);
  expect(labels(shipped)).toEqual(['tax', 'shipping', 'promotion', 'promotion']);
  expect(shipped[0]).toEqual(addressed[0]);
  expectNew(shipped.slice(1), last, office);

  last = Math.max(...shipped.map(({ id }) => id));
  const late = await rowsAfter(office, 'POST /api/orders/4/items/', item);
  expect(labels(late)).toEqual(['tax', 'promotion', 'promotion']);
  expectNew(late, last, office);

  last = Math.max(...late.map(({ id }) => id));
  const again = await rowsAfter(office, path, steps.shipping);
  expect(labels(again)).toEqual(labels(shipped));
  expect(again[0]).toEqual(late[0]);
  expectNew(again.slice(1), last, office);
});

test('with `repriceAtConfirm`, the confirm step replaces all adjustments in the same order', async () => {
  const office = openOffice({ scenario: 'sale', settings: { repriceAtConfirm: true } });
  const path = checkoutOf(4);
  await office.call('POST /api/orders/4/items/', item);
  await office.call(path, steps.addressing);
  const shipped = await rowsAfter(office, path, steps.shipping);
  await office.call(path, steps.payment);
  const confirmed = await rowsAfter(office, path);
  expect(labels(confirmed)).toContain('shipping');
  expect(labels(confirmed)).toEqual(inOrder(confirmed));
  expectNew(confirmed, Math.max(...shipped.map(({ id }) => id)), office);
});

test('orders of every scenario list taxes, then shipping, then promotions', () => {
  const lists = builtInScenarios
    .filter((scenario) => scenario !== 'large')
    .flatMap((scenario) => {
      const { db } = openOffice({ scenario });
      return db.orders.all().map(({ id }) => db.adjustments.by('order', id));
    });
  expect(lists.map(labels)).toEqual(lists.map(inOrder));
  expect(new Set(lists.flatMap(labels)).size).toBe(3);
});

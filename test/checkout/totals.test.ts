import fc from 'fast-check';
import { expect, test } from 'vitest';
import { totalsOf } from '../../src/checkout/totals.ts';

const line = { quantity: 2, unit_price: 1000, adjustments: [] };

test('an order without items comes to nothing', () => {
  expect(totalsOf([], [])).toEqual({ lines: [], items_total: 0, adjustments_total: 0, total: 0 });
});

test('items and adjustments add up', () => {
  const amount = { amount: 500, neutral: false };
  expect(totalsOf([line, { ...line, quantity: 1 }], [amount, { ...amount, amount: -200 }])).toEqual(
    {
      lines: [
        { adjustments_total: 0, total: 2000 },
        { adjustments_total: 0, total: 1000 },
      ],
      items_total: 3000,
      adjustments_total: 300,
      total: 3300,
    },
  );
});

test('neutral adjustments are not counted, neither on an item nor on the order', () => {
  const neutral = { amount: 230, neutral: true };
  expect(totalsOf([{ ...line, adjustments: [neutral] }], [neutral])).toMatchObject({
    lines: [{ adjustments_total: 0, total: 2000 }],
    adjustments_total: 0,
    total: 2000,
  });
});

test.each([
  [-1999, 1],
  [-2000, 0],
  [-2001, 0],
])('an item with an adjustment of %d comes to %d', (amount, total) => {
  const adjusted = { ...line, adjustments: [{ amount, neutral: false }] };
  expect(totalsOf([adjusted], [])).toMatchObject({
    lines: [{ adjustments_total: amount, total }],
    items_total: total,
  });
});

test.each([
  [-1999, 1],
  [-2000, 0],
  [-2001, 0],
])('an order with an adjustment of %d comes to %d', (amount, total) => {
  expect(totalsOf([line], [{ amount, neutral: false }])).toMatchObject({
    items_total: 2000,
    adjustments_total: amount,
    total,
  });
});

test('totals always add up', () => {
  const amount = fc.record({
    amount: fc.integer({ min: -100_000, max: 100_000 }),
    neutral: fc.boolean(),
  });
  const lines = fc.record({
    quantity: fc.integer({ min: 1, max: 20 }),
    unit_price: fc.nat(100_000),
    adjustments: fc.array(amount, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(lines), fc.array(amount), (items, adjustments) => {
      const totals = totalsOf(items, adjustments);
      expect(totals.lines).toHaveLength(items.length);
      expect(totals.items_total).toBe(totals.lines.reduce((sum, { total }) => sum + total, 0));
      expect(totals.total).toBe(Math.max(0, totals.items_total + totals.adjustments_total));
    }),
  );
});

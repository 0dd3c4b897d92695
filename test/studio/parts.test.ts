import { expect, test } from 'vitest';
import { machines } from '../../src/shop/checkout/machines/transition.ts';
import { boxHeight, boxWidth, cornerOf, pathOf } from '../../src/studio/shop/orders/chart-paths.ts';
import { layouts, type Position } from '../../src/studio/shop/orders/chart-layouts.ts';
import { singularOf } from '../../src/engine/lib/words.ts';
import { formatMoney } from '../../src/studio/shop/money.ts';
import { parseFilter, passes } from '../../src/studio/filter.ts';
import { namesOrder } from '../../src/studio/shop/orders/names-order.ts';
import * as views from '../../src/studio/views.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { storePages } from '../../src/studio/shop/pages.ts';
import { officeSource, type Summary } from '../../src/studio/source.ts';
import { createBackOffice } from '../../src/index.ts';
import { firstScripts, gzipSize } from '../support/first-scripts.ts';

const studio = createStudio(officeSource(createBackOffice()), storePages, views);

test('every state of every machine has a place of its own in the charts', () => {
  expect(Object.keys(layouts).toSorted()).toEqual(Object.keys(machines).toSorted());
  for (const { name, states } of Object.values(machines)) {
    const chart = layouts[name] ?? {};
    expect(Object.keys(chart).toSorted()).toEqual([...states].toSorted());
    const spots = Object.values(chart).map((place) => place.join());
    expect(new Set(spots).size).toBe(spots.length);
  }
});

test('no transition in the charts is drawn across the box of another state', () => {
  const crossed: string[] = [];
  for (const { name, transitions } of Object.values(machines)) {
    const chart = layouts[name] ?? {};
    for (const { from, to } of transitions) {
      for (const start of from) {
        const points = pointsOf(pathOf(chart[start], chart[to]));
        for (const [state, place] of Object.entries(chart))
          if (state !== start && state !== to && points.some((point) => isInside(point, place)))
            crossed.push(`${name}: ${start} → ${to} crosses ${state}`);
      }
    }
  }
  expect(crossed).toEqual([]);
});

type Point = readonly [x: number, y: number];

/** Points of a path of lines and cubic curves, close to each other. */
function pointsOf(path: string): Point[] {
  const [from, ...pieces] = Array.from(path.matchAll(/[MLC][^MLC]+/g), ([piece]) => {
    const numbers = piece.slice(1).split(' ').map(Number);
    return numbers.flatMap((x, at): Point[] => (at % 2 === 0 ? [[x, numbers[at + 1]!]] : []));
  });
  let last = from![0]!;
  return pieces.flatMap((piece) => {
    const end = piece.at(-1)!;
    const [one, other] = piece.length === 1 ? [last, end] : [piece[0]!, piece[1]!];
    const curve = [last, one, other, end] as const;
    last = end;
    return Array.from({ length: 101 }, (_, at): Point => {
      const t = at / 100;
      const parts = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t ** 2 * (1 - t), t ** 3];
      const sum = (axis: 0 | 1) =>
        curve.reduce((total, point, index) => total + point[axis] * parts[index]!, 0);
      return [sum(0), sum(1)];
    });
  });
}

function isInside([x, y]: Point, place: Position): boolean {
  const [left, top] = cornerOf(place);
  return x > left && x < left + boxWidth && y > top && y < top + boxHeight;
}

test('the scripts that the page loads first have at most 30 kB, its style sheet 8 kB, compressed', () => {
  const scripts = firstScripts();
  expect(scripts.size).toBeGreaterThan(1);
  expect(gzipSize(scripts)).toBeLessThanOrEqual(30_000);
  expect(gzipSize(['studio.css'])).toBeLessThanOrEqual(8_000);
});

test('the font has at most 30 kB, compressed', () => {
  expect(gzipSize(['inter.css'])).toBeLessThanOrEqual(30_000);
});

test.each([
  [544_000, 'EUR', '5,440.00 EUR'],
  [5440, 'KWD', '5.440 KWD'],
  [5440, 'JPY', '5,440 JPY'],
  [-1, 'USD', '-0.01 USD'],
  [100, 'no code', '1.00 no code'],
])('an amount of %s in %s is shown as %s', (minor, currency, text) => {
  expect(formatMoney(minor, currency)).toBe(text);
});

test.each([
  ['order_items', 'order item'],
  ['addresses', 'address'],
  ['currencies', 'currency'],
  ['inventory_units', 'inventory unit'],
])('one record of %s is called %s', (table, name) => {
  expect(singularOf(table)).toBe(name);
});

test('an entry passes a filter by its outcome, step, method, status, words and records', () => {
  const one = entry(7, {
    title: 'PUT /api/checkouts/105',
    status: 400,
    step: 'purchase',
    outcome: 'rejected',
    reason: 'cardholderName: This value is too short.',
  });
  const record = { table: 'stock_items', id: 3 };
  const fits = (text: string, touched = new Map([[7, [record]]])) =>
    passes(parseFilter(studio, text), touched, one);
  expect(fits('')).toBe(true);
  expect(fits('is:rejected step:purchase order:105 short')).toBe(true);
  expect(fits('is:ok')).toBe(false);
  expect(fits('status:4xx method:PUT by:request')).toBe(true);
  expect(fits('status:5xx')).toBe(false);
  expect(fits('order:10')).toBe(false);
  expect(fits('stock-item:3')).toBe(true);
  expect(fits('stock-item:3', new Map())).toBe(false);
  expect(parseFilter(studio, 'stock-item:3 address:4').records).toEqual([
    record,
    { table: 'addresses', id: 4 },
  ]);
  expect(parseFilter(studio, 'is:wrong').issue).toMatch(/is/);
  expect(namesOrder('GET /api/orders/1050', 105)).toBe(false);
  expect(namesOrder('POST /_backlot/orders/105/next', 105)).toBe(true);
});

function entry(id: number, changes: Partial<Summary> = {}): Summary {
  const title = 'PUT /api/checkouts/1';
  return { id, at: '', by: 'request', title, meaning: '', outcome: 'ok', changed: 1, ...changes };
}

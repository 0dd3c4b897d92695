import { defineApi, extendApi, field, resource, storeApi } from '../../src/define.ts';
import { createBackOffice } from '../../src/index.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';
import { median, type Figure } from './report.ts';

const fields = {
  text: field.text({ default: 'Lamp', filter: true }),
  integer: field.integer({ default: 3, sort: true }),
  decimal: field.decimal({ default: 1.5 }),
  money: field.money({ default: 500 }),
  flag: field.flag({ default: false }),
  time: field.time({ default: '2026-03-02T09:00:00+0000' }),
  choice: field.oneOf(['red', 'green'], { default: 'red' }),
  texts: field.texts({ default: ['new'] }),
  mentor: field.ref('users', { default: 1, onDelete: 'clear', optional: true }),
  twice: field.computed((order: { integer: number }) => order.integer * 2, field.integer()),
};

const notes = (singular: string) =>
  resource({ singular, fields: { order: field.ref('orders'), text: field.text() } });

/** Ten fields of all kinds, and three resources. */
const extended = extendApi(storeApi, {
  fields: { orders: fields },
  resources: { notes: notes('note'), gifts: notes('gift'), returns: notes('return') },
});

type Change = (office: StoreOffice) => void;

/** What an extension costs. */
export async function extendedFigures(): Promise<Figure[]> {
  return [...requestFigures(), await deletionFigure()];
}

/** What an extension costs a request: the ratio of the same one to a back office with it and to one without, in turn. */
function requestFigures(): Figure[] {
  const offices = [openStoreOffice({ api: extended }), openStoreOffice()] as const;
  const changes: readonly (readonly [what: string, change: Change])[] = [
    ['from the cache', () => undefined],
    ['after a change of another record', ({ db }) => db.stockLocations.change(1, {})],
    ['after a change of it', ({ db }) => db.orders.change(1, { confirmed: true })],
  ];
  return changes.map(([what, change]) => {
    const runs = Array.from({ length: 6 }, () => compareAfter(change, offices)).slice(1);
    const ratios = runs.map(({ ratio }) => ratio);
    const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
    const [ours, plain] = [median(runs.map(({ a }) => a)), median(runs.map(({ b }) => b))];
    return {
      name: `GET one order ${what}, 10 fields and 3 resources`,
      value: median(ratios),
      unit: 'x' as const,
      limit: 1.05,
      detail: `${ours.toFixed(1)} µs over ${plain.toFixed(1)} µs; ${low.toFixed(2)} to ${high.toFixed(2)}`,
    };
  });
}

/** Compares requests, without the changes before them, in pairs of rounds. */
function compareAfter(change: Change, [ours, plain]: readonly [StoreOffice, StoreOffice]) {
  const pairs = Array.from({ length: 15 }, () => ({
    a: timeOf(ours, change),
    b: timeOf(plain, change),
  }));
  return {
    a: median(pairs.map(({ a }) => a)),
    b: median(pairs.map(({ b }) => b)),
    ratio: median(pairs.map(({ a, b }) => a / b)),
  };
}

/** Returns the microseconds of a request: the median of many, because a collection of garbage is part of few. */
function timeOf(office: StoreOffice, change: Change): number {
  const times = Array.from({ length: 400 }, () => {
    change(office);
    const start = performance.now();
    office.answer({ method: 'GET', url: '/api/orders/1', headers: {} });
    return (performance.now() - start) * 1000;
  });
  return median(times);
}

/** What a record costs that is deleted with others: the ratio of a long chain to one of a tenth of its length. */
async function deletionFigure(): Promise<Figure> {
  const ratios: number[] = [];
  for (let run = 0; run < 5; run++) {
    const few = await deletionTime(1000);
    ratios.push((await deletionTime(10_000)) / few);
  }
  return {
    name: 'delete a record of a chain of 10,000, over one of 1,000',
    value: median(ratios),
    unit: 'x',
    limit: 5,
  };
}

/** Returns the milliseconds in which a record of a chain is deleted, each of which refers to the one before it. */
async function deletionTime(length: number): Promise<number> {
  const links = Array.from({ length }, (_, at) => (at === 0 ? {} : { last: at }));
  const last = field.ref('links', { optional: true, onDelete: 'delete' });
  const api = defineApi({
    name: 'chain',
    resources: { links: resource({ singular: 'link', fields: { last } }) },
    scenarios: { default: { data: { links } } },
  });
  const office = createBackOffice({ api });
  const start = performance.now();
  await office.fetch('/api/links/1', { method: 'DELETE' });
  return (performance.now() - start) / length;
}

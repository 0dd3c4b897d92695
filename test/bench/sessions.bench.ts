import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';
import { median, type Figure } from './report.ts';

/** Time and memory of resets, snapshots and sessions, in a small and in a large shop. */
export function sessionFigures(): Figure[] {
  const shops = [100, 20_000].map((orders) => ({ orders, office: withOrders(orders) }));
  return [
    ...shops.map(({ orders, office }) => ({
      name: `reset after 10 changes, ${orders.toLocaleString('en')} orders`,
      value: timed(
        () => tenChanges(office),
        () => office.reset(),
      ),
      unit: 'µs' as const,
      limit: 2,
    })),
    ...shops.map(({ orders, office }) => ({
      name: `snapshot after 10 changes, ${orders.toLocaleString('en')} orders`,
      value: timed(
        () => tenChanges(office),
        () => office.snapshot(),
      ),
      unit: 'µs' as const,
      limit: 100,
    })),
    ...shops.map(({ orders, office }) => ({
      name: `restore of a snapshot, ${orders.toLocaleString('en')} orders`,
      value: timed(
        () => tenChanges(office),
        () => office.restore(office.snapshot()),
      ),
      unit: 'µs' as const,
      limit: 100,
    })),
    ...memoryFigures(),
  ];
}

function memoryFigures(): Figure[] {
  const large = crowd(500, 20_000, 0);
  const thousand = crowd(1000, 0, 1);
  return [
    {
      name: 'a new session, 20,000 orders',
      value: large.milliseconds,
      unit: 'ms',
      limit: 0.1,
    },
    {
      name: 'memory of a new session, 20,000 orders',
      value: large.bytes / 1024,
      unit: 'KiB',
      limit: 64,
    },
    {
      name: '1,000 sessions after ten requests each, the whole process',
      value: thousand.resident / 1_048_576,
      unit: 'MiB',
      limit: 400,
      detail: `${(thousand.bytes / 1024).toFixed(0)} KiB each`,
    },
  ];
}

interface Crowd {
  readonly milliseconds: number;
  readonly bytes: number;
  readonly resident: number;
}

/** Measures in a separate process, so that nothing else is counted. */
function crowd(sessions: number, orders: number, writes: number): Crowd {
  const script = fileURLToPath(new URL('session-memory.ts', import.meta.url));
  const args = ['--expose-gc', script, ...[sessions, orders, writes].map(String)];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Crowd;
}

function withOrders(orders: number): StoreOffice {
  return openStoreOffice({
    scenario: {
      name: 'orders',
      description: 'For measuring',
      extends: 'default',
      generate: { orders },
    },
  });
}

function tenChanges({ db }: StoreOffice): void {
  for (let id = 1; id <= 5; id++) {
    db.users.change(id, { first_name: 'Eve' });
    db.orders.change(id, { email: 'eve@example.com' });
  }
}

/** Returns the median time of the work after its preparation, in microseconds, once V8 has compiled both. */
function timed(prepare: () => void, work: () => void): number {
  const times = Array.from({ length: 6000 }, () => {
    prepare();
    const start = performance.now();
    work();
    return (performance.now() - start) * 1000;
  });
  return median(times.slice(3000));
}

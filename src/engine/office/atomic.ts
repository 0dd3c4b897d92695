import { tablesOf, type DatabaseState } from '../store/database.ts';
import { memoized } from '../lib/memoized.ts';
import { Problem } from '../lib/problem.ts';
import type { Atomic } from '../store/transaction.ts';
import type { OpenShop, Start } from '../scenario/start.ts';

/**
 * Creates the function that runs work on a shop atomically: it rolls back if the work throws or adds too many records.
 *
 * @param maxRows maximum number of records in addition to those of the start (default: unlimited)
 */
export function createAtomic(shop: OpenShop, maxRows: number | undefined): Atomic {
  if (maxRows === undefined) return (work) => shop.transaction.run(work);
  return (work) =>
    shop.transaction.run(() => {
      const result = work();
      assertRowLimit(tablesOf(shop.db).rowCount(), shop.start, maxRows);
      return result;
    });
}

/** @throws Problem `too many` for more than `maxRows` records in addition to those of the start */
export function assertRowLimit(count: number, start: Start, maxRows: number | undefined): void {
  if (maxRows === undefined) return;
  if (count - startCountOf(start.counted ?? start.state) <= maxRows) return;
  throw new Problem(
    'too many',
    `Limit of records beside those of the scenario (${maxRows}) reached. Reset to continue.`,
  );
}

const startCountOf = /* @__PURE__ */ memoized(rowCountOf);

/** Returns the number of records, deleted ones included. */
export function rowCountOf(state: DatabaseState): number {
  return Object.values(state).reduce((sum, { rows, deleted }) => sum + rows.size + deleted.size, 0);
}

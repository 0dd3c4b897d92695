import { rowCount, tableNames, type DatabaseState } from '../models/database.ts';
import { Problem } from '../lib/problem.ts';
import type { Atomic } from '../store/transaction.ts';
import type { OpenShop, Start } from '../scenario/start.ts';

/**
 * Work on a shop that may hold only so much.
 *
 * @param most how many records it may hold beside those that it began with; none: any number
 */
export function createAtomic(shop: OpenShop, most: number | undefined): Atomic {
  if (most === undefined) return (work) => shop.transaction.run(work);
  return (work) =>
    shop.transaction.run(() => {
      const result = work();
      refuseMore(rowCount(shop.db), shop.start, most);
      return result;
    });
}

/** @throws Problem as `refuseMore` */
export function limitState(state: DatabaseState, start: Start, most: number | undefined): void {
  if (most !== undefined) refuseMore(heldIn(state), start, most);
}

/** @throws Problem `too many` for more than so many records beside those of the start */
export function refuseMore(held: number, start: Start, most: number | undefined): void {
  if (most === undefined) return;
  const atStart = counted.get(start.state) ?? heldIn(start.state);
  counted.set(start.state, atStart);
  if (held - atStart <= most) return;
  throw new Problem(
    'too many',
    `There can be no more than ${most} records beside those of the scenario; reset to go on.`,
  );
}

const counted = new WeakMap<DatabaseState, number>();

function heldIn(state: DatabaseState): number {
  return tableNames.reduce(
    (sum, name) => sum + state[name].rows.size + state[name].deleted.size,
    0,
  );
}

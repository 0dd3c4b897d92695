import { Problem } from '../lib/problem.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import type { OpenShop } from '../scenario/start.ts';
import type { Writes } from '../store/transaction.ts';
import type { HistoryParts, Recorded } from './history-api.ts';
import { changedBy } from './history-summary.ts';
import { isState, stateDifferences } from './changes.ts';
import { historyIsOff } from './timeline-view.ts';
import { restoreState, shopState, type ShopState } from './snapshots.ts';

/** Bounds the entries of a history whose changes are kept, so that they can be undone. */
export class KeptChanges {
  /** The last entry whose changes are lost: the state before it cannot be restored. */
  lost = 0;
  readonly #parts: Pick<HistoryParts, 'shop' | 'maxEntries' | 'budget' | 'journal'>;
  /** The ids of the entries whose changes are kept with their sizes, oldest first. */
  #kept: { readonly id: number; readonly size: number }[] = [];
  #bytes = 0;

  constructor(parts: Pick<HistoryParts, 'shop' | 'maxEntries' | 'budget' | 'journal'>) {
    this.#parts = parts;
  }

  /** The ids of all entries, oldest first. */
  get ids(): readonly number[] {
    return this.#parts.journal.all.map(({ id }) => id);
  }

  /** Keeps what an entry changed, and drops the oldest changes beyond the limits. */
  add({ id, details }: Recorded): void {
    this.#kept.push({ id, size: details?.size ?? 0 });
    this.#bytes += details?.size ?? 0;
    const { maxEntries, budget, journal } = this.#parts;
    while (this.#kept.length > maxEntries || this.#bytes > budget) this.#loseOldest();
    while (this.#kept.length > 0 && this.#kept[0]!.id < journal.firstId) this.#loseOldest();
  }

  clear(): void {
    this.#kept = [];
    this.#bytes = 0;
    this.lost = this.#parts.journal.nextId - 1;
  }

  /** @throws Problem `refused` if the changes since an entry are not kept, so that its state cannot be restored */
  assertReaches(last: number, id = last): void {
    if (last >= this.lost) return;
    throw new Problem(
      'refused',
      `The changes of entry ${this.lost} are no longer kept, so the history cannot go back to entry ${id}.`,
    );
  }

  /**
   * Returns the states after entries, by id, and leaves the present one as it is.
   *
   * @throws Problem `refused` if they are not kept
   */
  statesAfter(from: number, to: number): ReadonlyMap<number, ShopState> {
    const { shop, journal, maxEntries } = this.#parts;
    const now = shopState(shop);
    const newest = journal.nextId - 1;
    const states = new Map([[newest, now]]);
    if (from >= newest) return states;
    if (maxEntries === 0) throw new Problem('refused', historyIsOff);
    this.assertReaches(from);
    try {
      for (let id = newest; id > from; id--) {
        undoFrom(shop, journal, id, id);
        if (id - 1 <= to) states.set(id - 1, shopState(shop));
      }
      return states;
    } finally {
      restoreState(shop, now);
      shop.transaction.take();
    }
  }

  /** Does work in the state after an entry, and returns to the present one. @throws Problem as `statesAfter` */
  within<Result>(last: number, work: () => Result): Result {
    const { shop } = this.#parts;
    const now = shopState(shop);
    try {
      restoreState(shop, this.statesAfter(last, last).get(last) ?? now);
      return work();
    } finally {
      restoreState(shop, now);
      shop.transaction.take();
    }
  }

  #loseOldest(): void {
    const { id, size } = this.#kept.shift()!;
    this.#bytes -= size;
    this.lost = id;
    const recorded = this.#parts.journal.get(id);
    const details = recorded?.details;
    if (recorded === undefined || details === undefined) return;
    // Their number stays.
    changedBy(recorded);
    details.writes = undefined;
    details.made = undefined;
    details.states = undefined;
  }
}

/** About the bytes of a write without its texts, and of a row. */
const writeSize = 200;
const rowSize = 600;

/** Returns about the bytes that writes keep in memory: earlier rows, which nothing else may refer to. */
export function sizeOf({ list }: Writes): number {
  let size = 0;
  for (const { before } of list) {
    size += writeSize;
    if (before === undefined) continue;
    if (isState(before)) size += before.rows.size * rowSize;
    else for (const value of Object.values(before)) size += valueSize(value);
  }
  return size;
}

function valueSize(value: unknown): number {
  if (typeof value === 'string') return 20 + value.length;
  return typeof value === 'object' && value !== null ? 40 + 20 * Object.keys(value).length : 8;
}

/** Returns about the bytes that an entry keeps which has replaced one state by another. */
export function sizeOfStates(before: ShopState, after: ShopState): number {
  return stateDifferences(before.state, after.state).length * rowSize;
}

/** Undoes all entries from an id on, up to another one that is the last in effect, the newest first. */
export function undoFrom(
  shop: OpenShop,
  journal: HistoryParts['journal'],
  first: number,
  last = journal.nextId - 1,
): void {
  let clock: ClockState | undefined;
  for (let id = last; id >= first; id--) {
    const details = journal.get(id)?.details;
    if (details === undefined) continue;
    if (details.states !== undefined) restoreState(shop, details.states.before);
    else if (details.writes !== undefined) shop.transaction.revert(details.writes);
    ({ clock } = details);
  }
  if (clock !== undefined) shop.clock.restore(clock);
}

import type { Recorded } from '../journal/journal.ts';
import { Problem } from '../lib/problem.ts';
import type { Moment, RewindEffects } from './history-api.ts';
import { summaryOf } from './history-summary.ts';

/** Number of ids that are listed: those of the newest entries. */
const maxIds = 20;

/**
 * Returns which entries beside `id` a rewind undoes, and which it brings back.
 *
 * @param all the entries of the history, oldest first
 * @param first the oldest entry that the rewind undoes
 */
export function rewindEffects(all: readonly Recorded[], id: number, first: number): RewindEffects {
  const now = inEffect(all, Infinity);
  const then = inEffect(all, first - 1);
  return { undone: listed(now, then, id), redone: listed(then, now, id) };
}

/** Returns the entries that the state after an entry comes from: all before it that no rewind has undone. */
function inEffect(all: readonly Recorded[], last: number): Set<Recorded> {
  const found = new Set<Recorded>();
  let next = last;
  for (const recorded of all.toReversed()) {
    if (recorded.id > next) continue;
    const { rewoundTo } = (recorded.moment ?? {}) as Partial<Moment>;
    if (rewoundTo === undefined) found.add(recorded);
    else next = rewoundTo;
  }
  return found;
}

function listed(
  entries: ReadonlySet<Recorded>,
  others: ReadonlySet<Recorded>,
  id: number,
): RewindEffects['undone'] {
  const ids = [...entries.difference(others)]
    .filter((one) => one.id !== id && changesShop(one))
    .map((one) => one.id)
    .toReversed();
  return { count: ids.length, ids: ids.slice(-maxIds) };
}

/** Whether an entry changed the shop, or its clock alone. */
function changesShop(recorded: Recorded): boolean {
  const { by, changed } = summaryOf(recorded);
  return changed > 0 || by !== 'request';
}

/** Returns the id of the oldest entry that a rewind undoes. */
export function firstUndone(id: number, to: 'before' | 'after'): number {
  return to === 'before' ? id : id + 1;
}

export function tooFarBack(id: number, lost: number): Problem {
  return new Problem(
    'refused',
    `The changes of entry ${lost} are no longer kept, so the history cannot go back to entry ${id}.`,
  );
}

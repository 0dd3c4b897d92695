import type { Recorded, RewindEffects } from './history-api.ts';
import { includes, type IdRanges, type Timeline } from './timeline.ts';

/** Number of ids that are listed: those of the newest entries. */
const maxIds = 20;

/**
 * Returns which entries beside `id` a rewind undoes, and which it brings back.
 *
 * @param all the entries of the history, oldest first
 * @param first the oldest entry that the rewind undoes
 */
export function rewindEffects(
  all: readonly Recorded[],
  timeline: Timeline,
  id: number,
  first: number,
): RewindEffects {
  const [now, then] = [timeline.inEffect(), timeline.inEffect(first - 1)];
  const changes = all.map((recorded) => recorded.id).filter((one) => timeline.isChange(one));
  const listed = (from: IdRanges, to: IdRanges): RewindEffects['undone'] => {
    const ids = changes.filter((one) => one !== id && includes(from, one) && !includes(to, one));
    return { count: ids.length, ids: ids.slice(-maxIds) };
  };
  return { undone: listed(now, then), redone: listed(then, now), idsInEffect: then };
}

/** Returns the id of the oldest entry that a rewind undoes. */
export function firstUndone(id: number, to: 'before' | 'after'): number {
  return to === 'before' ? id : id + 1;
}

/** The message where the history is needed. */
export const historyIsOff = 'The history is off. Open the back office with `history: true`.';

import type {
  HistoryReach,
  HistorySummary,
  Recorded,
  RewindEffects,
  TimelineView,
} from './history-api.ts';
import { counted } from '../lib/problem.ts';
import { includes, type IdRanges, type Timeline } from './timeline.ts';

/**
 * Describes where a shop stands in its history.
 *
 * @param kept the entries whose changes are kept, oldest first
 * @param maxBins maximum number of bins
 */
export function timelineView(
  kept: readonly Recorded[],
  timeline: Timeline,
  summarize: (recorded: Recorded) => HistorySummary,
  maxBins: number,
): Omit<TimelineView, keyof HistoryReach> {
  const { position, present, length } = timeline;
  const line = timeline.line();
  const changes = kept
    .filter(({ id }) => timeline.isChange(id) && includes(line, id))
    .map((recorded) => summarize(recorded));
  const done = changes.findIndex((change) => change.position === position + 1);
  const undo = changes.find(({ id }) => id === present);
  const redo = changes[done];
  return {
    position,
    of: length,
    ...(undo !== undefined && { undo }),
    ...(redo !== undefined && { redo }),
    idsInEffect: timeline.inEffect(),
    bins: binsOf(changes, done === -1 ? changes.length : done, maxBins),
  };
}

/** @param done number of changes that are in effect, after which a bin ends */
function binsOf(
  changes: readonly HistorySummary[],
  done: number,
  maxBins: number,
): TimelineView['bins'] {
  const count = Math.min(maxBins, changes.length);
  const ends = Array.from({ length: count }, (_, at) =>
    Math.round(((at + 1) * changes.length) / count),
  );
  const last = ends.findIndex((end) => end >= done);
  if (done > 0) ends[last === count - 1 && done < changes.length ? last - 1 : last] = done;
  return ends.flatMap((end, at) => {
    const within = changes.slice(ends[at - 1] ?? 0, end);
    const [first, to] = [within[0], within.at(-1)];
    if (first === undefined || to === undefined) return [];
    return {
      from: first.id,
      to: to.id,
      position: to.position ?? 0,
      changes: within.length,
      records: within.reduce((sum, { changed }) => sum + changed, 0),
      ...kindOf(within),
    };
  });
}

/** Returns the kind of the last change that was not an accepted request, which marks the bin. */
function kindOf(changes: readonly HistorySummary[]): Pick<TimelineView['bins'][number], 'kind'> {
  const kinds = changes.flatMap(({ by, outcome }) => {
    if (by !== 'request') return [by];
    return outcome === 'ok' ? [] : [outcome];
  });
  const kind = kinds.at(-1);
  return kind === undefined ? {} : { kind };
}

/** Number of ids that are listed: those of the newest entries. */
const maxIds = 20;

/**
 * Returns which entries other than `id` a rewind undoes, and which it brings back.
 *
 * @param all the entries of the history, oldest first
 * @param first the oldest entry that the rewind undoes
 */
export function rewindEffects(
  all: readonly Recorded[],
  timeline: Timeline,
  id: number,
  first: number,
): Omit<RewindEffects, 'clock'> {
  const [now, then] = [timeline.inEffect(), timeline.inEffect(first - 1)];
  const changes = all.map((recorded) => recorded.id).filter((one) => timeline.isChange(one));
  const listed = (from: IdRanges, to: IdRanges): RewindEffects['undone'] => {
    const ids = changes.filter((one) => one !== id && includes(from, one) && !includes(to, one));
    return { count: ids.length, ids: ids.slice(-maxIds) };
  };
  return { undone: listed(now, then), redone: listed(then, now), idsInEffect: then };
}

/** Tells what a rewind does: `took back: shipped order 105`, `brought back 3 changes`. */
export function rewindMeaning(
  all: readonly Recorded[],
  timeline: Timeline,
  first: number,
  summarize: (recorded: Recorded) => HistorySummary,
): string {
  const { undone, redone } = rewindEffects(all, timeline, 0, first);
  const [did, { count, ids }] = undone.count > 0 ? ['took back', undone] : ['brought back', redone];
  const only = count === 1 ? all.find(({ id }) => id === ids[0]) : undefined;
  return only === undefined
    ? `${did} ${counted(count, 'change')}`
    : `${did}: ${summarize(only).meaning}`;
}

/** Returns the id of the oldest entry that a rewind undoes. */
export function firstUndone(id: number, to: 'before' | 'after'): number {
  return to === 'before' ? id : id + 1;
}

/** The message where the history is needed. */
export const historyIsOff = 'The history is off. Open the back office with `history: true`.';

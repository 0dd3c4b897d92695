import type { HistorySummary, Recorded, TimelineBin, TimelineView } from './history-api.ts';
import { includes, type Timeline } from './timeline.ts';

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
): TimelineView {
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
function binsOf(changes: readonly HistorySummary[], done: number, maxBins: number): TimelineBin[] {
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

/** The last change that was not an accepted request. */
function kindOf(changes: readonly HistorySummary[]): Pick<TimelineBin, 'kind'> {
  const kinds = changes.flatMap(({ by, outcome }) => {
    if (by !== 'request') return [by];
    return outcome === 'ok' ? [] : [outcome];
  });
  const kind = kinds.at(-1);
  return kind === undefined ? {} : { kind };
}

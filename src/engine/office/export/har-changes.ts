import { RecordedAction } from '../../journal/recorded-action.ts';
import type { ChangeLog } from '../change-log.ts';
import type { HistoryEntry } from '../history-api.ts';
import { Secrets } from '../trace/secrets.ts';
import { stateOf, tablesOf } from '../trace/write-trace.ts';
import type { HarBefore } from './har-format.ts';

/**
 * Returns what has changed the shop between the requests among entries, by the id of the request after it: the whole state before the
 * first one and after a reset or a restore, and otherwise the records that have changed. A move of the clock is none: each request
 * has its time. Without a history, and before the first entry whose changes are kept, nothing is known.
 */
export function changesBefore(
  entries: readonly HistoryEntry[],
  log: Pick<ChangeLog, 'entries' | 'lost' | 'max' | 'statesAfter'>,
): ReadonlyMap<number, HarBefore> {
  const found = new Map<number, HarBefore>();
  const requests = entries.filter(({ id, exchange }) => exchange !== undefined && id > log.lost);
  const [first, last] = [requests[0], requests.at(-1)];
  if (first === undefined || last === undefined || log.max === 0) return found;
  const states = log.statesAfter(first.id - 1, last.id);
  const secrets = new Secrets(states.after(last.id).start.scenario.api.tables);
  const others = log.entries.filter((one) => one instanceof RecordedAction);
  let previous: number | undefined;
  for (const { id } of requests) {
    const before = states.after(id - 1);
    const between = others.filter((one) => one.id > (previous ?? 0) && one.id < id);
    const isWhole =
      previous === undefined || between.some(({ by }) => by === 'restore' || by === 'reset');
    if (isWhole) found.set(id, { state: stateOf(before, secrets) });
    else if (between.some(({ by }) => by === 'page')) {
      const since = states.after(previous ?? 0);
      const tables = tablesOf(since.state, before.state, secrets.of(before.start));
      if (Object.keys(tables).length > 0) found.set(id, { tables });
    }
    previous = id;
  }
  return found;
}

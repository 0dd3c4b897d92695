import type { Recorded } from '../journal/journal.ts';
import { RecordedAction } from '../journal/recorded-action.ts';
import type { Writes } from '../store/transaction.ts';
import {
  changesOf,
  isState,
  netWrites,
  rowWrites,
  stateDifferences,
  type RowWrite,
} from './changes.ts';
import type { HistorySummary, Moment, RequestMoment } from './history-api.ts';
import { outcomeOf } from './outcome.ts';

const maxTitle = 80;
/** About the bytes of a write without its texts, and of a row. */
const writeSize = 200;
export const rowSize = 600;

/** Returns about the bytes that writes keep in memory: earlier rows, which nothing else may refer to. */
export function sizeOf({ list }: Writes): number {
  let size = 0;
  for (const { before } of list) {
    size += writeSize;
    if (before === undefined) continue;
    if (isState(before)) size += before.rows.size * rowSize;
    else for (const value of Object.values(before) as unknown[]) size += valueSize(value);
  }
  return size;
}

function valueSize(value: unknown): number {
  if (typeof value === 'string') return 20 + value.length;
  return typeof value === 'object' && value !== null ? 40 + 20 * Object.keys(value).length : 8;
}

export function writesOf({ moment }: Recorded): RowWrite[] {
  const { writes, states } = (moment ?? {}) as Partial<Moment>;
  if (states !== undefined) return stateDifferences(states.before.state, states.after.state);
  return writes === undefined ? [] : rowWrites(writes.list);
}

/** Returns the number of records that an entry changed. Memoized, because lists are read again and again. */
function changedBy(recorded: Recorded): number {
  const moment = recorded.moment as Moment | undefined;
  if (moment === undefined) return 0;
  const writes = (): RowWrite[] => writesOf(recorded);
  moment.changed ??=
    moment.states === undefined ? netWrites(writes()).length : changesOf(writes()).length;
  return moment.changed;
}

export function declineReason(writes: Writes | undefined): string | undefined {
  if (writes === undefined) return undefined;
  const payment = rowWrites(writes.list).findLast(({ table }) => table === 'payments')?.after;
  return (payment as { readonly reason?: string } | undefined)?.reason;
}

export function summaryOf(recorded: Recorded): HistorySummary {
  const changed = changedBy(recorded);
  const { id, at } = recorded;
  if (recorded instanceof RecordedAction) {
    const { by, title } = recorded;
    return { id, at, by, title: shorten(title), outcome: 'ok', changed };
  }
  const { method, url, status, step } = recorded.head;
  const { ms, outcome } = (recorded.moment ?? {}) as Partial<RequestMoment>;
  return {
    id,
    at,
    by: 'request',
    title: shorten(`${method} ${url}`),
    status,
    ...(outcome ?? outcomeOf(recorded)),
    ...(step !== undefined && { step }),
    ...(ms !== undefined && { ms: Math.round(ms * 100) / 100 }),
    changed,
  };
}

function shorten(text: string): string {
  return text.length <= maxTitle ? text : `${text.slice(0, maxTitle - 1)}…`;
}

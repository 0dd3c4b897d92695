import type { Recorded } from '../journal/journal.ts';
import { RecordedAction } from '../journal/recorded-action.ts';
import type { RecordedExchange } from '../journal/recorded-exchange.ts';
import type { Writes } from '../store/transaction.ts';
import {
  type Transition,
  differs,
  netWrites,
  rowWrites,
  stateDifferences,
  type RowWrite,
} from './changes.ts';
import type { HistorySummary, EntryDetails, RequestDetails } from './history-api.ts';
import { outcomeOf } from './outcome.ts';

const maxTitle = 80;

export function writesOf({ details }: Recorded): RowWrite[] {
  const { writes, states } = (details ?? {}) as Partial<EntryDetails>;
  if (states !== undefined) return stateDifferences(states.before.state, states.after.state);
  return writes === undefined ? [] : rowWrites(writes.list);
}

/** Returns the transitions that were applied in an entry. */
export function madeIn({ details }: Recorded): readonly Transition[] {
  return ((details ?? {}) as Partial<EntryDetails>).made ?? [];
}

/** Returns the number of records that an entry changed. Memoized, because lists are read again and again. */
export function changedBy(recorded: Recorded): number {
  const details = recorded.details as EntryDetails | undefined;
  if (details === undefined) return 0;
  const writes = (): RowWrite[] => writesOf(recorded).filter((one) => !isCount(one));
  details.changed ??=
    details.states === undefined
      ? netWrites(writes()).length
      : writes().filter((one) => differs(one)).length;
  return details.changed;
}

/** Whether an entry changed the shop, or its clock alone. A rewind restores it. */
export function isChange(recorded: Recorded): boolean {
  return recorded instanceof RecordedAction || changedBy(recorded) > 0;
}

/** Determines the outcome of a request while its writes are kept, unless it is plain from its status. */
export function setOutcome(recorded: RecordedExchange): void {
  const details = recorded.details as RequestDetails;
  const { status, step } = recorded.head;
  if (status === 0 || status >= 400 || step === 'purchase')
    details.outcome = outcomeOf(recorded, declineReason(details.writes));
}

/** Whether a rule has only counted a request: a read that a rule met changes nothing. */
function isCount({ table, before, after }: RowWrite): boolean {
  if (!/^(fault|script)_rules$/.test(table)) return false;
  if (before === undefined || after === undefined) return false;
  const [from, to] = [before, after].map((row) =>
    JSON.stringify({ ...row, matched: 0, window: 0, updated_at: '' }),
  );
  return from === to;
}

function declineReason(writes: Writes | undefined): string | undefined {
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
  const { ms, received, outcome } = (recorded.details ?? {}) as Partial<RequestDetails>;
  return {
    id,
    at,
    by: 'request',
    title: shorten(`${method} ${url}`),
    status,
    ...(outcome ?? outcomeOf(recorded)),
    ...(step !== undefined && { step }),
    ...(ms !== undefined && { ms: Math.round(ms * 100) / 100 }),
    ...(received !== undefined && { received }),
    changed,
  };
}

function shorten(text: string): string {
  return text.length <= maxTitle ? text : `${text.slice(0, maxTitle - 1)}…`;
}

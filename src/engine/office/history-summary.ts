import { RecordedAction } from '../journal/recorded-action.ts';
import type { RecordedExchange } from '../journal/recorded-exchange.ts';
import { valueAt } from '../lib/json-value.ts';
import type { EngineShop, StepRow } from '../definition/api.ts';
import { isDelivered } from '../rest/delivery.ts';
import type { Writes } from '../store/transaction.ts';
import {
  type Transition,
  differs,
  netWrites,
  rowWrites,
  stateDifferences,
  type RowWrite,
} from './changes.ts';
import type { HistoryParts, HistorySummary, EntryDetails, Recorded } from './history-api.ts';
import { meaningOf } from './meaning.ts';
import { outcomeOf, failureOf, type RequestOutcome } from './outcome.ts';
import { beginningOf } from '../lib/problem.ts';

const maxTitle = 80;

export function writesOf(recorded: Recorded): RowWrite[] {
  const { writes, states } = recorded.details ?? {};
  if (states !== undefined) return stateDifferences(states.before.state, states.after.state);
  return writes === undefined ? [] : rowWrites(writes.list);
}

/** Returns the real time in milliseconds. A shop without one is the same each time. */
export function realTime({ milliseconds, currentTime }: HistoryParts): number | undefined {
  return milliseconds === undefined ? undefined : currentTime?.();
}

/** Returns the transitions that were applied in an entry. */
export function madeIn(recorded: Recorded): readonly Transition[] {
  return recorded.details?.made ?? [];
}

/** Returns the number of records that an entry changed. Memoized, because lists are read again and again. */
export function changedBy(recorded: Recorded): number {
  const { details } = recorded;
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
export function setOutcome(
  recorded: RecordedExchange<EntryDetails>,
  steps: readonly StepRow[],
): void {
  const { details } = recorded;
  const { status, step } = recorded.head;
  const failedWhen = failureOf(step, steps);
  if (details !== undefined && (status === 0 || status >= 400 || failedWhen !== undefined))
    details.outcome ??= outcomeOf(recorded, steps, reasonIn(details.writes, failedWhen?.table));
}

/** Whether an entry has written counts of rules, and nothing else. */
export function writesCountsOnly({ details }: Recorded): boolean {
  if (details?.writes === undefined) return false;
  return details.writes.list.every((write) => {
    const [one, ...others] = rowWrites([write]);
    return one !== undefined && others.length === 0 && isCount(one);
  });
}

/** Whether a rule has only counted a request: a read that a rule met changes nothing. */
function isCount(write: RowWrite): boolean {
  const { table, before, after } = write;
  if (before === undefined || after === undefined) return false;
  if (!/^(fault|script)_rules$/.test(table)) return false;
  const counts = { matched: 0, window: 0, updated_at: '' };
  return !differs({ ...write, before: { ...before, ...counts }, after: { ...after, ...counts } });
}

function reasonIn(writes: Writes | undefined, settled: string | undefined): string | undefined {
  if (writes === undefined || settled === undefined) return undefined;
  const last = rowWrites(writes.list).findLast(({ table }) => table === settled)?.after;
  const reason = valueAt(last, ['reason']);
  return typeof reason === 'string' ? reason : undefined;
}

export function summaryOf(shop: EngineShop, recorded: Recorded): HistorySummary {
  const changed = changedBy(recorded);
  const { id, at } = recorded;
  const { ms, received, outcome }: Partial<EntryDetails> = recorded.details ?? {};
  const arrived = received === undefined ? {} : { received };
  if (recorded instanceof RecordedAction) {
    const { by, title, actor } = recorded;
    const acted = actor === undefined ? {} : { actor };
    const result: RequestOutcome = { outcome: 'ok' };
    const meaning = meaningIn(shop, recorded, result);
    return { id, at, by, title: shorten(title), ...result, meaning, ...acted, ...arrived, changed };
  }
  const { method, url, status, state, step, delay, hold, client, actor } = recorded.head;
  const result = outcome ?? outcomeOf(recorded, shop.api.steps);
  return {
    id,
    at,
    by: 'request',
    title: shorten(`${method} ${url}`),
    ...(isDelivered(state) && { status }),
    state,
    ...(state === 'held' && hold !== undefined && { hold: [...hold] }),
    ...result,
    meaning: meaningIn(shop, recorded, result),
    ...(step !== undefined && { step }),
    ...(client !== undefined && { client }),
    ...(actor !== undefined && { actor }),
    ...(ms !== undefined && { ms: Math.round(ms * 100) / 100 }),
    ...(delay !== undefined && { delay }),
    ...arrived,
    changed,
  };
}

/** Returns the meaning of an entry. Memoized, as the number of its changes, once its response is sent. */
function meaningIn(shop: EngineShop, recorded: Recorded, result: RequestOutcome): string {
  const { details } = recorded;
  if (details?.meaning !== undefined) return details.meaning;
  const isWritten = details?.writes !== undefined && changedBy(recorded) > 0;
  const writes = isWritten ? writesOf(recorded).filter((one) => !isCount(one)) : [];
  const written = isWritten ? { writes, made: madeIn(recorded) } : undefined;
  const meaning = meaningOf(shop, recorded, result, written);
  // Entries whose changes are lost keep what was said of them before.
  if (details !== undefined && (recorded instanceof RecordedAction || !isPending(recorded)))
    details.meaning = meaning;
  return meaning;
}

function isPending({ head: { state } }: RecordedExchange): boolean {
  return state === 'held' || state === 'delayed';
}

function shorten(text: string): string {
  return text.length <= maxTitle ? text : `${beginningOf(text, maxTitle - 1)}…`;
}

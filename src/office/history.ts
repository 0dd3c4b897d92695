import type { Recorded } from '../journal/journal.ts';
import { RecordedAction } from '../journal/recorded-action.ts';
import type { RecordedExchange } from '../journal/recorded-exchange.ts';
import { Problem } from '../lib/problem.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import {
  changesOf,
  movesOf,
  stateDifferences,
  type RecordChange,
  type Transition,
} from './changes.ts';
import { exportHistory, requestAs } from './export/export.ts';
import type {
  HistoryApi,
  HistoryEntry,
  HistoryExportOptions,
  HistoryParts,
  HistoryRange,
  HistoryRecorder,
  HistorySummary,
  Moment,
  RequestMoment,
  RequestStart,
  RewindEffects,
} from './history-api.ts';
import { declineReason, rowSize, sizeOf, summaryOf, writesOf } from './history-summary.ts';
import { outcomeOf } from './outcome.ts';
import { firstUndone, rewindEffects, tooFarBack } from './rewind-effects.ts';
import { restoreState, shopState, type ShopState } from './snapshots.ts';

/** Opens the history of a shop. One with `maxEntries` over 0 records from now on. */
export function openHistory(parts: HistoryParts): HistoryRecorder {
  return new History(parts);
}

class History implements HistoryRecorder {
  readonly isOn: boolean;
  readonly #parts: HistoryParts;
  /** The ids of the entries whose changes are kept with their sizes, oldest first. */
  #kept: { readonly id: number; readonly size: number }[] = [];
  #bytes = 0;
  readonly #listeners = new Set<(entry: HistorySummary) => void>();
  /** The last entry whose changes are lost: the state before it cannot be restored. */
  #lost = 0;
  #mode: ClockState['mode'];
  /** The transitions since the last entry. */
  #made: Transition[] = [];

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    this.isOn = parts.maxEntries > 0;
    this.#mode = parts.shop.clock.mode;
    parts.journal.onRecord = (recorded) => {
      if (this.isOn && !(recorded instanceof RecordedAction)) this.#requestRecorded(recorded);
      if (this.#listeners.size === 0) return;
      const summary = summaryOf(recorded);
      for (const listen of this.#listeners) listen(summary);
    };
    if (!this.isOn) return;
    parts.shop.transaction.keep();
    parts.shop.onMove = (machine, id, { name, to }) => {
      this.#made.push({ machine, id, name, to });
    };
    parts.journal.onClear = () => this.clear();
  }

  flush(by: 'page' | 'clock' = 'page', title = 'outside of requests', now?: string): void {
    const { shop } = this.#parts;
    const mode = this.#mode;
    const taken = this.#take();
    if (taken.writes === undefined && shop.clock.mode === mode) return;
    const clock = { now: now ?? shop.clock.now(), mode };
    this.#mode = shop.clock.mode;
    this.#record(by, title, { clock, ...taken }, clock.now);
  }

  beginRequest(): RequestStart {
    this.flush();
    return { clock: this.#parts.shop.clock.state, time: this.#parts.milliseconds?.() };
  }

  endRequest({ clock, time }: RequestStart): RequestMoment {
    const taken = this.#take();
    const end = this.#parts.milliseconds?.();
    const ms = end === undefined || time === undefined ? undefined : end - time;
    return { clock, ...taken, ms };
  }

  /** Takes what was written since the last entry, unless a transaction is open that may roll it back. */
  #take(): Pick<Moment, 'writes' | 'made' | 'size'> {
    const { transaction } = this.#parts.shop;
    const writes = transaction.take();
    if (writes === undefined && transaction.isMarked) return { size: 0 };
    const made = this.#made;
    if (made.length > 0) this.#made = [];
    return writes === undefined ? { size: 0 } : { writes, made, size: sizeOf(writes) };
  }

  #requestRecorded(recorded: RecordedExchange): void {
    const moment = recorded.moment as RequestMoment;
    const { status, step } = recorded.head;
    if (status === 0 || status >= 400 || step === 'purchase')
      moment.outcome = outcomeOf(recorded, declineReason(moment.writes));
    if (moment.writes !== undefined) this.#keep(recorded);
  }

  clockMoved(before: ClockState, runDue: () => void): void {
    const { shop } = this.#parts;
    // What was written before the move was written at the earlier time.
    this.flush('page', undefined, before.now);
    runDue();
    this.#mode = shop.clock.mode;
    this.#record('clock', `clock to ${shop.clock.now()}`, { clock: before, ...this.#take() });
  }

  replace(by: 'restore' | 'reset', title: string, work: () => void, rewoundTo?: number): void {
    const { shop, journal } = this.#parts;
    this.flush();
    const before = shopState(shop);
    work();
    this.#take();
    const after = shopState(shop);
    this.#mode = shop.clock.mode;
    const size = stateDifferences(before.state, after.state).length * rowSize;
    if (by === 'reset') journal.startAnew();
    const moment = { clock: before.clock, states: { before, after }, size, rewoundTo };
    this.#record(by, title, moment);
  }

  clear(): void {
    this.#take();
    this.#mode = this.#parts.shop.clock.mode;
    this.#kept = [];
    this.#bytes = 0;
    this.#lost = this.#parts.journal.nextId - 1;
  }

  entries({ since = 0, before = Infinity, limit = 100 }: HistoryRange = {}): HistorySummary[] {
    this.flush();
    const found: HistorySummary[] = [];
    const { all } = this.#parts.journal;
    for (let at = all.length - 1; at >= 0 && found.length < limit; at--) {
      const { id } = all[at]!;
      if (id <= since) break;
      if (id < before) found.push(summaryOf(all[at]!));
    }
    return found.toReversed();
  }

  entry(id: number): HistoryEntry {
    this.flush();
    const recorded = this.#find(id);
    const writes = writesOf(recorded);
    return {
      ...summaryOf(recorded),
      ...(!(recorded instanceof RecordedAction) && {
        exchange: structuredClone(this.#parts.journal.entryOf(recorded)),
      }),
      changes: changesOf(writes),
      moves: movesOf(writes, (recorded.moment as Moment | undefined)?.made ?? []),
      rewindable: this.isOn && id > this.#lost,
    };
  }

  of(table: string, id: number): (HistorySummary & { readonly change: RecordChange })[] {
    this.flush();
    return this.#parts.journal.all.flatMap((recorded) => {
      const own = writesOf(recorded).filter((one) => one.id === id && one.table === table);
      const [change] = changesOf(own);
      return change === undefined ? [] : [{ ...summaryOf(recorded), change }];
    });
  }

  rewind(id: number, to: 'before' | 'after' = 'before'): HistorySummary & RewindEffects {
    const effects = this.previewRewind(id, to);
    const { journal } = this.#parts;
    const first = firstUndone(id, to);
    this.replace('restore', `rewind to ${to} #${id}`, () => this.#undoFrom(first), first - 1);
    return { ...summaryOf(this.#find(journal.nextId - 1)), ...effects };
  }

  previewRewind(id: number, to: 'before' | 'after' = 'before'): RewindEffects {
    if (!this.isOn) throw new Problem('refused', historyIsOff);
    this.flush();
    this.#find(id);
    const first = firstUndone(id, to);
    if (first <= this.#lost) throw tooFarBack(id, this.#lost);
    return rewindEffects(this.#parts.journal.all, id, first);
  }

  export = ((options: HistoryExportOptions) => {
    this.flush();
    return exportHistory(
      {
        ids: this.#parts.journal.all.map(({ id }) => id),
        lost: this.#lost,
        entry: (id) => this.entry(id),
        statesAfter: (from, to) => this.#statesAfter(from, to),
        maxLength: this.#parts.maxTest,
      },
      options,
    );
  }) as HistoryApi['export'];

  as(id: number, format: 'curl' | 'fetch', address?: string, withSession = true): string {
    return requestAs(this.entry(id), format, { address, withSession });
  }

  on(listener: (entry: HistorySummary) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the states after entries, by id, and leaves the present one as it is. */
  #statesAfter(from: number, to: number): ReadonlyMap<number, ShopState> {
    const { shop, journal } = this.#parts;
    const now = shopState(shop);
    const states = new Map([[journal.nextId - 1, now]]);
    if (from === journal.nextId - 1) return states;
    if (!this.isOn) throw new Problem('refused', historyIsOff);
    if (from < this.#lost) throw tooFarBack(from, this.#lost);
    try {
      for (let id = journal.nextId - 1; id > from; id--) {
        this.#undoFrom(id, id);
        if (id - 1 <= to) states.set(id - 1, shopState(shop));
      }
      return states;
    } finally {
      restoreState(shop, now);
      this.#take();
    }
  }

  /** Undoes all entries from an id on, up to another one that is the last in effect, the newest first. */
  #undoFrom(first: number, last = this.#parts.journal.nextId - 1): void {
    const { shop, journal } = this.#parts;
    let clock: ClockState | undefined;
    for (let id = last; id >= first; id--) {
      const moment = journal.get(id)?.moment as Moment | undefined;
      if (moment === undefined) continue;
      if (moment.states !== undefined) restoreState(shop, moment.states.before);
      else if (moment.writes !== undefined) shop.transaction.revert(moment.writes);
      ({ clock } = moment);
    }
    if (clock !== undefined) shop.clock.restore(clock);
  }

  #record(by: RecordedAction['by'], title: string, moment: Moment, now?: string): void {
    const { journal, shop } = this.#parts;
    const at = now ?? shop.clock.now();
    const action = new RecordedAction(journal.nextId, at, { by, title }, moment);
    journal.addAction(action);
    this.#keep(action);
  }

  /** Keeps what an entry changed, and drops the oldest changes beyond the limits. */
  #keep({ id, moment }: Recorded): void {
    this.#kept.push({ id, size: moment?.size ?? 0 });
    this.#bytes += moment?.size ?? 0;
    const { maxEntries, budget, journal } = this.#parts;
    while (this.#kept.length > maxEntries || this.#bytes > budget) this.#loseOldest();
    while (this.#kept.length > 0 && journal.get(this.#kept[0]!.id) === undefined)
      this.#loseOldest();
  }

  #loseOldest(): void {
    const { id, size } = this.#kept.shift()!;
    this.#bytes -= size;
    this.#lost = id;
    const moment = this.#parts.journal.get(id)?.moment as Moment | undefined;
    if (moment === undefined) return;
    moment.writes = undefined;
    moment.made = undefined;
    moment.states = undefined;
  }

  #find(id: number): Recorded {
    const recorded = this.#parts.journal.get(id);
    if (recorded !== undefined) return recorded;
    throw new Problem('missing', `Entry ${id} of the history not found.`);
  }
}

const historyIsOff = 'The history is off. Open the back office with `history: true`.';

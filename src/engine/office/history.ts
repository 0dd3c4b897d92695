import { RecordedAction } from '../journal/recorded-action.ts';
import { shortMeaning } from '../journal/sentence.ts';
import { lostText } from '../lib/lost-text.ts';
import { Problem } from '../lib/problem.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import { briefOf, type Brief } from './brief.ts';
import { changesOf, movesOf, type RecordChange, type Transition } from './changes.ts';
import { exporterOf, requestAs } from './export/export.ts';
import type {
  HistoryApi,
  HistoryEntry,
  HistoryParts,
  HistoryRange,
  HistoryReach,
  HistorySummary,
  EntryDetails,
  Recorded,
  RecordPast,
  Replaced,
  RequestStart,
  RewindEffects,
  TimelineView,
} from './history-api.ts';
import { isChange, madeIn, realTime, setOutcome, summaryOf, writesOf } from './history-summary.ts';
import { ChangeLog, sizeOf, sizeOfStates } from './change-log.ts';
import { recordAt } from './record-past.ts';
import { shopState, type ShopState } from './snapshots.ts';
import { Timeline } from './timeline.ts';
import {
  firstUndone,
  historyIsOff,
  rewindEffects,
  rewindMeaning,
  timelineView,
} from './timeline-view.ts';
import type { ImportLimits } from './file.ts';
import { replayTrace } from './trace/open-trace.ts';
import type { Trace } from './trace/trace-format.ts';
import { traceOf } from './trace/write-trace.ts';

/** The history as the stages of a back office record it. One with `maxEntries` over 0 records from now on. */
export class HistoryRecorder implements HistoryApi {
  isOn = false;
  #parts: HistoryParts;
  #log: ChangeLog;
  readonly #listeners = new Set<(entry: HistorySummary) => void>();
  #mode: ClockState['mode'];
  /** The transitions since the last entry. */
  #made: Transition[] = [];
  readonly #timeline = new Timeline();
  /** The actor of the entries of the action that has begun, and the last of them. */
  #actor: string | undefined;
  #acted: number | undefined;
  /** The last entry before each state that was taken. */
  #taken = new WeakMap<ShopState, number>();

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    this.#log = new ChangeLog(parts);
    this.#mode = parts.shop.clock.mode;
    parts.journal.onRecord = (recorded) => {
      if (this.isOn) this.#recorded(recorded);
      if (this.#listeners.size === 0) return;
      const place = this.isOn && this.#timeline.newest();
      const summary = { ...summaryOf(parts.shop, recorded), ...place };
      for (const listen of this.#listeners) listen(summary);
    };
    parts.journal.onDeliver = (recorded) => {
      if (this.#listeners.size === 0) return;
      const summary = this.#summarizer()(recorded);
      for (const listen of this.#listeners) listen(summary);
    };
    if (parts.maxEntries !== 0) this.start(parts.maxEntries);
  }

  /**
   * Records changes from now on.
   *
   * @param maxEntries maximum number of changes to keep (default: as many as the journal has entries, or 500)
   */
  start(maxEntries?: number): void {
    const { shop, journal } = (this.#parts = { ...this.#parts, maxEntries });
    this.#log = new ChangeLog(this.#parts);
    this.isOn = true;
    shop.transaction.record();
    shop.onMove = (machine, id, { name, to }) => void this.#made.push({ machine, id, name, to });
    journal.onDrop = (recorded) => this.#log.dropped(recorded);
    journal.onClear = () => this.clear();
    this.clear();
  }

  /** Records what was written since the last entry, if anything was. */
  flush(by: 'page' | 'clock' = 'page', title = 'outside of requests', now?: string): void {
    const { shop } = this.#parts;
    const taken = this.#take();
    if (taken.writes === undefined && shop.clock.mode === this.#mode) return;
    const clock = { now: now ?? shop.clock.now(), mode: this.#mode };
    this.#mode = shop.clock.mode;
    const did = taken.writes === undefined ? `set the clock ${this.#mode}` : title;
    this.#record(by, did, { clock, ...taken }, clock.now);
  }

  /**
   * Called before an action that is no request of the API.
   *
   * @param actor who does it, if that is known
   * @returns the function that records the action under a title, and returns the id of its last entry, if it has any
   */
  beginAction(actor: string | undefined): (title: string) => number | undefined {
    this.flush();
    [this.#actor, this.#acted] = [actor, undefined];
    return (title) => {
      this.flush('page', title);
      this.#actor = undefined;
      return this.#acted;
    };
  }

  /** Called before a request, and returns what `endRequest` needs. */
  beginRequest(): RequestStart {
    this.flush();
    const { shop, milliseconds } = this.#parts;
    return { clock: shop.clock.state, time: milliseconds?.(), received: realTime(this.#parts) };
  }

  /**
   * Returns the details that the history adds to a request in the journal.
   *
   * @param isSent whether its response is sent at once
   */
  endRequest(start: RequestStart, isSent: boolean): EntryDetails {
    const { clock, received } = start;
    const { writes, made, size } = this.#take();
    const ms = isSent ? this.since(start) : undefined;
    return { clock, writes, made, size, ms, received };
  }

  /** Returns the real time since a request began, in milliseconds. */
  since({ time }: RequestStart): number | undefined {
    return time === undefined ? undefined : (this.#parts.milliseconds?.() ?? 0) - time;
  }

  /** Takes what was written since the last entry, unless a transaction is open that may roll it back. */
  #take(): Pick<EntryDetails, 'writes' | 'made' | 'size'> {
    const { transaction } = this.#parts.shop;
    const writes = transaction.take();
    if (writes === undefined && transaction.isMarked) return { size: 0 };
    const made = this.#made;
    this.#made = [];
    return writes === undefined ? { size: 0 } : { writes, made, size: sizeOf(writes) };
  }

  #recorded(recorded: Recorded): void {
    const { jump, writes } = recorded.details ?? {};
    if (jump !== undefined) this.#timeline.addJump(recorded.id, jump);
    else this.#timeline.add(recorded.id, isChange(recorded));
    const isAction = recorded instanceof RecordedAction;
    if (!isAction) setOutcome(recorded, this.#parts.shop.api.steps);
    if ((isAction || writes !== undefined) && recorded.id > this.#log.lost) this.#log.add(recorded);
    this.#timeline.forget(Math.min(this.#log.lost, this.#parts.journal.firstId - 1));
  }

  /** Records a move of the clock, after its due events. */
  clockMoved(before: ClockState, runDue: () => void): void {
    const { shop } = this.#parts;
    // What was written before the move was written at the earlier time.
    this.flush('page', undefined, before.now);
    runDue();
    this.#mode = shop.clock.mode;
    this.#record('clock', `clock to ${shop.clock.now()}`, { clock: before, ...this.#take() });
  }

  /** Does work that replaces the whole state, by `origin` if it is one that was taken before, and records it. */
  replace(by: 'restore' | 'reset', title: string, work: () => void, origin?: ShopState): void {
    const to = origin === undefined ? 0 : (this.#taken.get(origin) ?? 0);
    this.#replace(by, title, work, { jump: { to, isRewind: false } });
  }

  /** Returns the function that forgets all later entries, once the journal has removed them. */
  savepoint(): () => void {
    const undo = this.#timeline.savepoint();
    return () => {
      this.#take();
      this.#mode = this.#parts.shop.clock.mode;
      this.#log.forgetAfter(this.#parts.journal.nextId - 1);
      undo();
    };
  }

  /** Remembers after which entry a state was taken, for the time when it is restored. */
  stateTaken(state: ShopState): void {
    this.flush();
    this.#taken.set(state, this.#parts.journal.nextId - 1);
  }

  #replace(by: 'restore' | 'reset', title: string, work: () => void, more: Replaced): void {
    const { shop } = this.#parts;
    this.flush();
    const before = shopState(shop);
    work();
    this.#take();
    const after = shopState(shop);
    this.#mode = shop.clock.mode;
    const size = sizeOfStates(before, after);
    const details = { clock: before.clock, states: { before, after }, size, ...more };
    this.#record(by, title, details);
  }

  /** Forgets everything. */
  clear(): void {
    this.#take();
    this.#mode = this.#parts.shop.clock.mode;
    this.#taken = new WeakMap();
    this.#log.clear();
    this.#timeline.clear(this.#log.lost);
  }

  get reach(): HistoryReach {
    const { firstId, nextId } = this.#parts.journal;
    return { changesFrom: this.isOn ? this.#log.lost + 1 : nextId, entriesFrom: firstId };
  }

  entries({ since = 0, before = Infinity, limit = 100 }: HistoryRange = {}): HistorySummary[] {
    this.flush();
    const found = this.#log.entries.filter(({ id }) => id > since && id < before);
    return found.slice(Math.max(0, found.length - limit)).map(this.#summarizer());
  }

  changedSince(id: number): HistorySummary[] {
    const changed = this.#parts.journal.all.filter(
      (one) => one.id <= id && !(one instanceof RecordedAction) && one.changedAt >= id,
    );
    return changed.map(this.#summarizer());
  }

  entry(id: number): HistoryEntry {
    this.flush();
    const recorded = this.#find(id);
    const writes = writesOf(recorded);
    return {
      ...this.#summarizer()(recorded),
      ...(!(recorded instanceof RecordedAction) && {
        exchange: structuredClone(this.#parts.journal.entryOf(recorded)),
      }),
      changes: changesOf(writes),
      moves: movesOf(this.#parts.shop.api.machines, writes, madeIn(recorded)),
      rewindable: this.isOn && id > this.#log.lost,
    };
  }

  brief(id: number): Brief {
    const { exchange, rewindable, ...entry } = this.entry(id);
    const brief = (): Brief => briefOf(this.#parts.shop, exchange, this.isOn ? entry : undefined);
    return rewindable ? this.within(id, brief) : brief();
  }

  of(table: string, id: number): (HistorySummary & { readonly change: RecordChange })[] {
    this.flush();
    const summarize = this.#summarizer();
    return this.#log.entries.flatMap((recorded) => {
      const own = writesOf(recorded).filter((one) => one.id === id && one.table === table);
      const [change] = changesOf(own);
      return change === undefined ? [] : [{ ...summarize(recorded), change }];
    });
  }

  rewind(id: number, to: 'before' | 'after' = 'before'): HistorySummary & RewindEffects {
    const effects = this.previewRewind(id, to);
    const first = firstUndone(id, to);
    const did = rewindMeaning(this.#log.entries, this.#timeline, first, this.#summarizer());
    const meaning = shortMeaning(did, { actor: this.#actor });
    const more = { jump: { to: first - 1, isRewind: true }, meaning };
    this.#replace('restore', `rewound to ${to} #${id}`, () => this.#log.undoAfter(first - 1), more);
    return { ...this.#summarizer()(this.#find(this.#parts.journal.nextId - 1)), ...effects };
  }

  previewRewind(id: number, to: 'before' | 'after' = 'before'): RewindEffects {
    if (!this.isOn) throw new Problem('refused', historyIsOff);
    this.flush();
    this.#find(id);
    const first = firstUndone(id, to);
    this.#log.assertReaches(first - 1);
    const clock = this.#log.clockAfter(first - 1);
    return { ...rewindEffects(this.#log.entries, this.#timeline, id, first), clock };
  }

  timeline(bins = 200): TimelineView {
    if (!this.isOn) throw new Problem('refused', historyIsOff);
    this.flush();
    const changes = this.#log.entries.filter(({ id }) => id > this.#log.lost);
    return { ...timelineView(changes, this.#timeline, this.#summarizer(), bins), ...this.reach };
  }

  past(table: string, id: number, at?: number): RecordPast {
    this.flush();
    const { shop, journal } = this.#parts;
    const last = at ?? journal.nextId - 1;
    const read = () =>
      recordAt(shop, this.#log.entries, this.#timeline.inEffect(last), { table, id, last });
    return at === undefined ? read() : this.within(at, read);
  }

  within<Result>(last: number, read: () => Result): Result {
    this.flush();
    if (last >= this.#parts.journal.nextId) this.#find(last);
    this.#log.assertReaches(last);
    return this.#log.within(last, read);
  }

  readonly export = exporterOf(() => {
    this.flush();
    const { shop, maxTest } = this.#parts;
    return { api: shop.api, log: this.#log, entry: (id) => this.entry(id), maxLength: maxTest };
  });

  trace(withSession = true): Trace {
    if (!this.isOn) throw new Problem('refused', historyIsOff);
    this.flush();
    return traceOf(this.#parts, this.#log, withSession);
  }

  /**
   * Replaces the shop and the history by those of a trace. The clock is frozen.
   *
   * @throws Problem `malformed`, `invalid` or `too many`; then nothing changes
   */
  open(content: unknown, limits: ImportLimits): void {
    const { shop, journal } = this.#parts;
    this.flush();
    const { lost, entriesFrom, entries } = replayTrace(shop, content, limits);
    journal.reset(entriesFrom);
    this.start(Math.max(this.#log.max, entries.length));
    this.#log.clear(lost);
    this.#timeline.clear((entries[0]?.id ?? entriesFrom) - 1);
    for (const recorded of entries)
      if (recorded.id < entriesFrom) this.#recorded(recorded);
      else journal.add(recorded);
  }

  as(id: number, format: 'curl' | 'fetch', address?: string, withSession = true): string {
    return requestAs(this.entry(id), format, { address, withSession });
  }

  on(listener: (entry: HistorySummary) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Returns the function that summarizes entries, as long as none is added. */
  #summarizer(): (recorded: Recorded) => HistorySummary {
    const placeOf = this.isOn ? this.#timeline.places() : () => undefined;
    return (one) => ({ ...summaryOf(this.#parts.shop, one), ...placeOf(one.id) });
  }

  #record(by: RecordedAction['by'], title: string, details: EntryDetails, now?: string): void {
    const { journal, shop } = this.#parts;
    const at = now ?? shop.clock.now();
    const all = { ...details, received: realTime(this.#parts) };
    this.#acted = journal.nextId;
    journal.add(new RecordedAction(this.#acted, at, { by, title, actor: this.#actor }, all));
  }

  #find(id: number): Recorded {
    const recorded = this.#log.get(id);
    if (recorded !== undefined) return recorded;
    const gone = id < this.#parts.journal.nextId ? lostText(this.reach, id) : undefined;
    const text = [`Entry #${id} of the history not found.`, gone ?? []].flat().join(' ');
    throw new Problem('missing', text);
  }
}

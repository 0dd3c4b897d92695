import type * as z from 'zod';
import type { Journal, Recorded as RecordedWith } from '../journal/journal.ts';
import type { RecordedDetails } from '../journal/recorded-action.ts';
import type { JournalEntry } from '../journal/recorded-exchange.ts';
import type { ClockState } from '../lib/virtual-clock.ts';
import type { ScenarioSource } from '../scenario/scenario.ts';
import type { OpenShop } from '../scenario/start.ts';
import type { Row } from '../store/row.ts';
import type { Writes } from '../store/transaction.ts';
import type { Brief } from './brief.ts';
import type { Move, RecordChange, Transition } from './changes.ts';
import type { HarFile } from './export/har-format.ts';
import type { EffectsView, Reach, SummaryView, TimelineView as View } from './history-view.ts';
import type { RequestOutcome } from './outcome.ts';
import type { ShopState } from './snapshots.ts';
import type { IdRanges, StateJump } from './timeline.ts';
import type { Trace } from './trace/trace-format.ts';

/** The entries of a list, newest last: after the id `since`, before the id `before`, at most `limit` (default: 100). */
export interface HistoryRange {
  readonly since?: number | undefined;
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

/**
 * An entry in a list. Its title has at most 80 characters. It has a place on the time line only if the back office keeps a
 * history of changes.
 */
export type HistorySummary = Readonly<SummaryView>;

/** Entries that a rewind undoes or brings back, in addition to the one that it leads to. */
export type RewindEffects = WithRanges<EffectsView>;

/** From which entries on a history is complete. The state before `changesFrom` is the earliest one that is known. */
export type HistoryReach = Readonly<z.output<typeof Reach>>;

/** The position of a shop in its history. */
export type TimelineView = WithRanges<View>;

type WithRanges<Shown> = Readonly<Omit<Shown, 'idsInEffect'>> & { readonly idsInEffect: IdRanges };

/** A record as it was, with those that belong to it, by table. */
export interface RecordPast {
  readonly record: Row;
  /** Of an order: `order_items`, `payments`, `shipments`, `inventory_units`, `adjustments`. */
  readonly tables: Readonly<Record<string, readonly Row[]>>;
  /** The way of the states of these records, as far as the history knows it, oldest first. */
  readonly moves: readonly Move[];
}

/** An entry of the history with all that it changed. */
export interface HistoryEntry extends HistorySummary {
  /** The request and its response. */
  readonly exchange?: JournalEntry;
  readonly changes: readonly RecordChange[];
  readonly moves: readonly Move[];
  /** Whether `rewind` can lead to before it. */
  readonly rewindable: boolean;
}

/** The range of a history to export, and the format. */
export interface HistoryExportOptions {
  /** The first entry (default: the first one that is kept). A scenario does not depend on it. */
  readonly from?: number | undefined;
  /** The last entry (default: the last one). */
  readonly to?: number | undefined;
  readonly as: 'scenario' | 'vitest' | 'har';
  /** `writes` leaves GET and HEAD requests that changed nothing out of a test and of a HAR file (default: all entries). */
  readonly only?: 'writes' | undefined;
  /** URL of the server in a HAR file (default: that of each request, or else `http://127.0.0.1:4000`). */
  readonly address?: string | undefined;
  /** Whether a HAR file names the session, whose name gives access to it (default: true). */
  readonly withSession?: boolean | undefined;
}

/** The history of changes by requests, pages, the clock, restores and resets, with rewind and redo. */
export interface HistoryApi<Scenario = ScenarioSource> {
  /** Whether changes are recorded. If not, the entries are the requests only, without their changes. */
  readonly isOn: boolean;
  /** From which entries on it is complete. */
  readonly reach: HistoryReach;
  /** Returns entries, oldest first. */
  entries(range?: HistoryRange): readonly HistorySummary[];
  /** Returns the entries up to an id whose `state` has changed since this was the id of the newest entry, oldest first. */
  changedSince(id: number): readonly HistorySummary[];
  /** @throws Problem `missing` for an entry that is not or no longer recorded */
  entry(id: number): HistoryEntry;
  /**
   * Returns an entry as a response to `Prefer: return=minimal` has it: what it changed, why not, and what is due and next after
   * it.
   *
   * @throws Problem `missing` as `entry`
   */
  brief(id: number): Brief;
  /** Returns the entries that changed a record, oldest first, each with the change: `of('orders', 105)`. */
  of(table: string, id: number): readonly (HistorySummary & { readonly change: RecordChange })[];
  /**
   * Restores the state before or after an entry: records, clock and settings. It is an entry itself, so it can be undone by
   * `rewind(id, 'before')`.
   *
   * @returns the entry of the rewind, and which other entries it has undone
   * @throws Problem `missing` as `entry`, `refused` if the history is off or no longer reaches back to the entry
   */
  rewind(id: number, to?: 'before' | 'after'): HistorySummary & RewindEffects;
  /** Returns which other entries `rewind` would undo. @throws Problem as `rewind` */
  previewRewind(id: number, to?: 'before' | 'after'): RewindEffects;
  /**
   * Returns where the shop stands in its history.
   *
   * @param bins maximum number of bins (default: 200)
   */
  timeline(bins?: number): TimelineView;
  /**
   * Returns a record with those that belong to it as they were after an entry, and the way of their states up to then:
   * `past('orders', 105, 3)`.
   *
   * @param at id of the entry; 0: before the first one (default: the last one)
   * @throws Problem `missing` if there was no such record or is no such entry yet, `refused` if the changes since are not
   *   kept
   */
  past(table: string, id: number, at?: number): RecordPast;
  /**
   * Reads the shop as it was after an entry, its clock included, and returns to the present state.
   *
   * @param last id of the entry; 0: before the first one
   * @throws Problem `missing` for an entry to come, `refused` if the state is not kept
   */
  within<Result>(last: number, read: () => Result): Result;
  /**
   * Exports the entries from one to another: as a scenario that opens to the state after the last entry, as the
   * source of a test file for vitest that sends the requests again, or as an HTTP archive (HAR 1.2). Secrets are masked,
   * except in the records of a scenario, which has hashed passwords and tokens as `export()` has.
   *
   * @throws Problem `missing` as `entry`, `refused` if the changes of the entries are not kept or a test has more than 1 MiB
   *   (64 MiB without a server), `invalid` if `to` is before `from`
   */
  export(options: HistoryExportOptions & { readonly as: 'scenario' }): Scenario;
  export(options: HistoryExportOptions & { readonly as: 'vitest' }): string;
  export(options: HistoryExportOptions & { readonly as: 'har' }): HarFile;
  export(options: HistoryExportOptions): Scenario | string | HarFile;
  /**
   * Returns a request as a command of curl or a call of `fetch`. `SECRET-NOT-RECORDED` stands for each secret.
   *
   * @param address URL of the server (default: that of the request, or else `http://127.0.0.1:4000`)
   * @param withSession whether to name the session, whose name gives access to it (default: true)
   * @throws Problem `missing` as `entry`, `refused` for an entry that is no request
   */
  as(id: number, format: 'curl' | 'fetch', address?: string, withSession?: boolean): string;
  /**
   * Returns the whole history with the state that it began with, which `import` of a back office opens again. Secrets are
   * masked, in records too.
   *
   * @param withSession whether to name the session, whose name gives access to it (default: true)
   * @throws Problem `refused` if the history is off
   */
  trace(withSession?: boolean): Trace;
  /** Calls a listener with each new entry, and again when its `state` changes. Returns the function that stops it. */
  on(listener: (entry: HistorySummary) => void): () => void;
}

export interface RequestStart {
  readonly clock: ClockState;
  readonly time: number | undefined;
  readonly received: number | undefined;
}

/** The details of an entry. */
export interface EntryDetails extends RecordedDetails {
  size: number;
  /** Number of records that were changed, once it has been read. */
  changed?: number;
  /** Its meaning, once it has been read. */
  meaning?: string;
  /** The clock before. */
  readonly clock: ClockState;
  writes?: Writes | undefined;
  /** The transitions that state machines applied meanwhile. */
  made?: readonly Transition[] | undefined;
  /** Of an entry that replaced the whole state. */
  readonly jump?: StateJump | undefined;
  states?: { readonly before: ShopState; readonly after: ShopState } | undefined;
  /** Of a request: its real time in milliseconds, once it has ended, and when it arrived. */
  ms?: number | undefined;
  readonly received?: number | undefined;
  outcome?: RequestOutcome;
}

/** The details of an entry that replaces the whole state. */
export type Replaced = Pick<EntryDetails, 'jump' | 'meaning'>;

/** An entry of the journal with what the history keeps of it. */
export type Recorded = RecordedWith<EntryDetails>;

export interface HistoryParts {
  readonly shop: OpenShop;
  readonly journal: Journal<EntryDetails>;
  /** Maximum number of changes to keep (default: as many as the journal has entries, or 500); 0 if the history is off. */
  readonly maxEntries?: number | undefined;
  /** Approximate maximum number of bytes of the rows that are kept. */
  readonly budget: number;
  /** Maximum number of characters of an exported test. */
  readonly maxTest: number;
  readonly milliseconds: (() => number) | undefined;
  /** Returns the milliseconds since 1970. */
  readonly currentTime: (() => number) | undefined;
}

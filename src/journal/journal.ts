import type { Clock } from '../lib/clock.ts';
import type { JournalEntry } from './journal-entry.ts';
import { parseFilter, type JournalFilterInput, type ParsedFilter } from './journal-filter.ts';
import { RecordedExchange, type Exchange } from './recorded-exchange.ts';
import {
  matchesFilter,
  createVerificationProblem,
  verificationFailure,
  type Expected,
  type RecordedEntries,
} from './verify.ts';

/** Every request with its answer: what was called, what came back, what acted. It holds no secrets. */
export interface JournalApi {
  /** How many entries there was no room for, since it began or was cleared. */
  readonly dropped: number;
  /**
   * The entries that are meant, the oldest first: `entries('PUT /api/checkouts/:order_id')`. They are the caller's own.
   *
   * @throws Problem `invalid` for a filter that no request can fit
   */
  entries(filter?: JournalFilterInput): readonly JournalEntry[];
  /** How many there are. @throws Problem as `entries` */
  count(filter?: JournalFilterInput): number;
  /**
   * Refuses where there were not as many requests as expected; one or more, if nothing else is said.
   *
   * @throws Problem `refused` that says what there was instead, and as `entries`
   */
  verify(filter: JournalFilterInput, expected?: Expected): void;
  /**
   * The entry that makes it so many (one, if nothing else is said), be it there already or still to come.
   *
   * @throws Problem `refused` as `verify` when the signal aborts, and as `entries`
   */
  waitFor(filter: JournalFilterInput, options?: WaitOptions): Promise<JournalEntry>;
  /** Forgets every entry. Later ones go on counting. */
  clear(): void;
}

export interface WaitOptions {
  readonly times?: number;
  /** Gives up waiting: `AbortSignal.timeout(1000)`. */
  readonly signal?: AbortSignal;
}

/** What a journal needs of a shop. */
interface JournaledShop {
  readonly clock: Clock;
  readonly settings: { readonly journalSize: number };
}

/** What it is written by: one entry for each request. */
export class Journal implements JournalApi {
  readonly #shop: JournaledShop;
  readonly #session: string | undefined;
  readonly #room: number;
  /** The oldest first, behind those that are gone. */
  #traces: (RecordedExchange | undefined)[] = [];
  #gone = 0;
  readonly #waiting = new Set<(entry: JournalEntry) => void>();
  #next = 1;
  /** Entries before this one have lost the bodies of their answers. */
  #whole = 1;
  #characters = 0;
  #dropped = 0;

  /** @param room about how many characters it may hold on to; the oldest answers lose their bodies first */
  constructor(
    shop: JournaledShop,
    { session, room }: { readonly session: string | undefined; readonly room: number },
  ) {
    this.#shop = shop;
    this.#session = session;
    this.#room = room;
  }

  get dropped(): number {
    return this.#dropped;
  }

  record(happened: Exchange): void {
    const most = this.#shop.settings.journalSize;
    if (most === 0 && this.#waiting.size === 0) return;
    const trace = new RecordedExchange(this.#next, this.#shop.clock.now(), happened);
    this.#next += 1;
    this.#traces.push(trace);
    this.#characters += trace.size;
    while (this.#size > most) this.#drop();
    while (this.#characters > this.#room && this.#size > 1) this.#giveWay();
    if (this.#waiting.size === 0) return;
    const entry = trace.entry(this.#session);
    for (const hear of this.#waiting) hear(entry);
  }

  entries(filter?: JournalFilterInput): readonly JournalEntry[] {
    return this.#fitting(parseFilter(filter)).map((entry) => structuredClone(entry));
  }

  count(filter?: JournalFilterInput): number {
    return filter === undefined ? this.#size : this.#fitting(parseFilter(filter)).length;
  }

  verify(filter: JournalFilterInput, expected: Expected = {}): void {
    const wanted = parseFilter(filter);
    const problem = verificationFailure(wanted, expected, this.#seen());
    if (problem !== undefined) throw problem;
  }

  async waitFor(filter: JournalFilterInput, options: WaitOptions = {}): Promise<JournalEntry> {
    const { times = 1, signal } = options;
    const wanted = parseFilter(filter);
    const there = this.#fitting(wanted);
    const enough = there[times - 1];
    if (enough !== undefined) return structuredClone(enough);
    return new Promise((resolve, reject) => {
      let missing = times - there.length;
      const stop = (): void => {
        this.#waiting.delete(hear);
        signal?.removeEventListener('abort', giveUp);
      };
      const hear = (entry: JournalEntry): void => {
        if (!matchesFilter(wanted, entry) || --missing > 0) return;
        stop();
        resolve(structuredClone(entry));
      };
      const giveUp = (): void => {
        stop();
        reject(createVerificationProblem(wanted, { atLeast: times }, this.#seen()));
      };
      this.#waiting.add(hear);
      signal?.addEventListener('abort', giveUp);
      if (signal?.aborted === true) giveUp();
    });
  }

  clear(): void {
    this.#traces = [];
    this.#gone = 0;
    this.#characters = 0;
    this.#dropped = 0;
  }

  /** Begins anew, with entry 1. */
  reset(): void {
    this.clear();
    this.#next = 1;
    this.#whole = 1;
  }

  get #size(): number {
    return this.#traces.length - this.#gone;
  }

  /** The oldest answer that has a body loses it; when only the last one has, the oldest entry goes. */
  #giveWay(): void {
    const id = Math.max(this.#whole, this.#next - this.#size);
    const at = this.#traces.length - (this.#next - id);
    const trace = this.#traces[at];
    if (trace === undefined || id === this.#next - 1) return this.#drop();
    const { size } = trace;
    trace.discardBody();
    this.#characters += trace.size - size;
    this.#whole = id + 1;
  }

  #drop(): void {
    this.#characters -= this.#traces[this.#gone]?.size ?? 0;
    this.#traces[this.#gone] = undefined;
    this.#gone += 1;
    this.#dropped += 1;
    if (this.#gone < this.#size) return;
    this.#traces = this.#traces.slice(this.#gone);
    this.#gone = 0;
  }

  #fitting(filter: ParsedFilter): JournalEntry[] {
    return this.#seen().entries.filter((entry) => matchesFilter(filter, entry));
  }

  #seen(): RecordedEntries {
    const entries = this.#traces
      .filter((trace) => trace !== undefined)
      .map((trace) => trace.entry(this.#session));
    return { entries, dropped: this.#dropped };
  }
}

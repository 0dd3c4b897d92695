import type { Clock } from '../lib/virtual-clock.ts';
import {
  matchesFilter,
  parseFilter,
  type FilteredApi,
  type JournalFilterInput,
  type ParsedFilter,
} from './journal-filter.ts';
import type { DeliveryState } from '../rest/delivery.ts';
import type { ApiResponse } from '../rest/message.ts';
import type { RecordedDetails, RecordedAction } from './recorded-action.ts';
import {
  RecordedExchange,
  type Exchange,
  type JournalEntry,
  type Why,
} from './recorded-exchange.ts';
import { verificationFailure, type Expected, type RecordedEntries } from './verify.ts';

/** The recorded requests with their responses and the rules that were applied, without secrets. */
export interface JournalApi<Step extends string = string> {
  /** Number of entries dropped because the journal was full, since it was created or cleared. */
  readonly dropped: number;
  /** The id of the next entry. */
  readonly nextId: number;
  /**
   * Returns copies of the matching entries, oldest first: `entries('PUT /api/checkouts/:order_id')`.
   *
   * @throws Problem `invalid` for a filter that no request can match
   */
  entries(filter?: JournalFilterInput<Step>): readonly JournalEntry[];
  /** Returns the number of matching entries. @throws Problem as `entries` */
  count(filter?: JournalFilterInput<Step>): number;
  /**
   * Verifies the number of matching requests (default: one or more).
   *
   * @throws Problem `refused` that lists the most similar requests if the number differs, and as `entries`
   */
  verify(filter: JournalFilterInput<Step>, expected?: Expected): void;
  /**
   * Waits for a number of matching requests (default: one), including those already recorded. A request counts when it
   * arrives, and with a filter of the status when its response was sent.
   *
   * @returns the last entry of that number
   * @throws Problem `refused` as `verify` when the signal aborts, and as `entries`
   */
  waitFor(filter: JournalFilterInput<Step>, options?: WaitOptions): Promise<JournalEntry>;
  /** Deletes all entries. The ids of later ones continue. */
  clear(): void;
  /** Deletes all entries. @param id that of the next one (default: 1) */
  reset(id?: number): void;
}

export interface WaitOptions {
  readonly times?: number;
  /** Ends the wait: `AbortSignal.timeout(1000)`. */
  readonly signal?: AbortSignal;
}

/** The parts of a shop that a journal uses. */
interface JournalShop {
  readonly api: FilteredApi;
  readonly clock: Clock;
  readonly settings: { readonly journalSize: number };
}

/** An entry as the journal keeps it. */
export type Recorded<Details extends RecordedDetails = RecordedDetails> =
  | RecordedExchange<Details>
  | RecordedAction<Details>;

/**
 * Records requests, and for a history also what else changes the shop.
 *
 * @typeParam Details what the history keeps of an entry
 */
export class Journal<Details extends RecordedDetails = RecordedDetails> implements JournalApi {
  readonly #shop: JournalShop;
  readonly #session: string | undefined;
  readonly #budget: number;
  /** Oldest first, after the empty places of dropped ones. These are removed once they are half of the list. */
  #exchanges: (Recorded<Details> | undefined)[] = [];
  /** Number of recorded entries, without the empty places. */
  #count = 0;
  /** Number of those that only a history shows: no requests, or from before the last reset. */
  #hidden = 0;
  /** The first id since the last reset. */
  #start = 1;
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  /** Called with each new entry. */
  onRecord: ((recorded: Recorded<Details>) => void) | undefined;
  /** Called when the state of a response changes. */
  onDeliver: ((recorded: RecordedExchange<Details>) => void) | undefined;
  /** Says why a request has its response. */
  why: Why | undefined;
  /** Called with each entry that is dropped because the journal is full. */
  onDrop: ((recorded: Recorded<Details>) => void) | undefined;
  /** Called when all entries are deleted. */
  onClear: (() => void) | undefined;
  #nextId = 1;
  /** Entries before this id have no response bodies any more. */
  #firstWithBody = 1;
  #characters = 0;
  #dropped = 0;

  /** @param options.budget approximate number of characters to keep; the oldest response bodies are discarded first */
  constructor(
    shop: JournalShop,
    {
      session,
      budget,
    }: {
      readonly session: string | undefined;
      readonly budget: number;
    },
  ) {
    this.#shop = shop;
    this.#session = session;
    this.#budget = budget;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /**
   * @param details what a history keeps of the request
   * @returns undefined if nothing is recorded
   */
  record(exchange: Exchange, details?: Details): RecordedExchange<Details> | undefined {
    const isOff = this.#shop.settings.journalSize === 0 && this.#listeners.size === 0;
    // A history keeps what was written.
    if (isOff && (details === undefined || details.size === 0)) return undefined;
    const recorded = new RecordedExchange(this.#nextId, this.#shop.clock.now(), exchange, details);
    const entry = this.#listeners.size === 0 ? undefined : recorded.entry(this.#session);
    this.add(recorded);
    if (entry !== undefined) this.#tell(entry);
    return recorded;
  }

  /** Notes what has become of the response to a recorded request. */
  deliver(recorded: RecordedExchange<Details>, state: DeliveryState, instead?: ApiResponse): void {
    const { size } = recorded;
    recorded.deliver(state, this.#nextId - 1, instead);
    if (this.get(recorded.id) !== recorded) return;
    this.#characters += recorded.size - size;
    this.onDeliver?.(recorded);
    if (this.#listeners.size > 0) this.#tell(recorded.entry(this.#session));
  }

  #tell(entry: JournalEntry): void {
    for (const listen of this.#listeners) listen(entry);
  }

  get nextId(): number {
    return this.#nextId;
  }

  /** The id of the oldest entry; that of the next one if there is none. */
  get firstId(): number {
    return this.#nextId - this.#count;
  }

  /** All entries, oldest first, also those that are no requests or were recorded before a reset. */
  get all(): readonly Recorded<Details>[] {
    return this.#exchanges.slice(this.#exchanges.length - this.#count) as Recorded<Details>[];
  }

  /** Returns the entry with an id. */
  get(id: number): Recorded<Details> | undefined {
    const at = this.#exchanges.length - (this.#nextId - id);
    return Number.isInteger(at) ? this.#exchanges[at] : undefined;
  }

  /** Returns the whole entry of a request. */
  entryOf(recorded: RecordedExchange): JournalEntry {
    return recorded.entry(this.#session);
  }

  /** Adds an entry with the next id: of what is no request, for a history. */
  add(recorded: Recorded<Details>): void {
    if (!(recorded instanceof RecordedExchange)) {
      if (recorded.by === 'reset') this.#startAnew();
      this.#hidden += 1;
    }
    const max = this.#shop.settings.journalSize;
    this.#nextId += 1;
    this.#exchanges.push(recorded);
    this.#characters += recorded.size;
    this.#count += 1;
    while (this.#count > max) this.#drop();
    while (this.#characters > this.#budget && this.#count > 1) this.#discardBody();
    this.onRecord?.(recorded);
  }

  entries(filter?: JournalFilterInput): readonly JournalEntry[] {
    return this.#matching(parseFilter(this.#shop.api, filter)).map((entry) =>
      structuredClone(entry),
    );
  }

  count(filter?: JournalFilterInput): number {
    return filter === undefined
      ? this.#count - this.#hidden
      : this.#matching(parseFilter(this.#shop.api, filter)).length;
  }

  verify(filter: JournalFilterInput, expected: Expected = {}): void {
    const parsed = parseFilter(this.#shop.api, filter);
    const problem = verificationFailure(parsed, expected, this.#recorded());
    if (problem !== undefined) throw problem;
  }

  async waitFor(filter: JournalFilterInput, options: WaitOptions = {}): Promise<JournalEntry> {
    const { times = 1, signal } = options;
    const parsed = parseFilter(this.#shop.api, filter);
    const found = this.#matching(parsed);
    const last = found[times - 1];
    if (last !== undefined) return structuredClone(last);
    return new Promise((resolve, reject) => {
      const ids = new Set(found.map(({ id }) => id));
      const stop = (): void => {
        this.#listeners.delete(listen);
        signal?.removeEventListener('abort', abort);
      };
      const listen = (entry: JournalEntry): void => {
        if (ids.has(entry.id) || !matchesFilter(parsed, entry)) return;
        if (ids.add(entry.id).size < times) return;
        stop();
        resolve(structuredClone(entry));
      };
      const abort = (): void => {
        stop();
        // It waits as long as there are too few.
        reject(verificationFailure(parsed, { atLeast: times }, this.#recorded())!);
      };
      this.#listeners.add(listen);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted === true) abort();
    });
  }

  clear(): void {
    this.#exchanges = [];
    this.#count = 0;
    this.#hidden = 0;
    this.#characters = 0;
    this.#dropped = 0;
    this.onClear?.();
  }

  /** Shows no more entries of before, which a history still keeps. */
  #startAnew(): void {
    this.#hidden = this.#count;
    this.#start = this.#nextId;
    this.#dropped = 0;
  }

  reset(id = 1): void {
    this.#nextId = id;
    this.#start = id;
    this.#firstWithBody = id;
    this.clear();
  }

  /** Returns the function that removes all later entries, so that their ids are given again. */
  savepoint(): () => void {
    const [nextId, start, dropped] = [this.#nextId, this.#start, this.#dropped];
    return () => {
      this.#exchanges = this.all.filter(({ id }) => id < nextId);
      this.#count = this.#exchanges.length;
      this.#nextId = nextId;
      this.#start = start;
      this.#dropped = dropped;
      this.#firstWithBody = Math.min(this.#firstWithBody, nextId);
      this.#characters = this.all.reduce((sum, { size }) => sum + size, 0);
      this.#hidden = this.all.filter((one) => !this.#isShown(one)).length;
    };
  }

  /** Discards the oldest response body; if only the last entry has one, drops the oldest entry. */
  #discardBody(): void {
    const id = Math.max(this.#firstWithBody, this.#nextId - this.#count);
    const at = this.#exchanges.length - (this.#nextId - id);
    const exchange = this.#exchanges[at];
    if (exchange === undefined || id === this.#nextId - 1) return this.#drop();
    const { size } = exchange;
    exchange.discardBody();
    this.#characters += exchange.size - size;
    this.#firstWithBody = id + 1;
  }

  #drop(): void {
    const first = this.#exchanges.length - this.#count;
    const dropped = this.#exchanges[first];
    this.#characters -= dropped?.size ?? 0;
    this.#exchanges[first] = undefined;
    this.#count -= 1;
    if (this.#isShown(dropped)) this.#dropped += 1;
    else this.#hidden -= 1;
    if (first + 1 >= this.#count) this.#exchanges = this.#exchanges.slice(first + 1);
    if (dropped !== undefined) this.onDrop?.(dropped);
  }

  #matching(filter: ParsedFilter): JournalEntry[] {
    return this.#recorded().entries.filter((entry) => matchesFilter(filter, entry));
  }

  #recorded(): RecordedEntries {
    const entries = this.#exchanges
      .filter((recorded) => this.#isShown(recorded))
      .map((recorded) => recorded.entry(this.#session));
    return { entries, dropped: this.#dropped, why: this.why };
  }

  #isShown(recorded: Recorded<Details> | undefined): recorded is RecordedExchange<Details> {
    return recorded instanceof RecordedExchange && recorded.id >= this.#start;
  }
}

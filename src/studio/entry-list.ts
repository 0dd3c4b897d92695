import { batch, computed, signal } from '@preact/signals';
import type { SummariesView } from '../engine/control/endpoints/journal.ts';
import type { Client } from './client.ts';
import type { ShopState } from './shop-state.ts';
import type { Batch, Summary } from './source.ts';

/** Maximum number of entries that the page lists, and of new ones that wait while the list is held. */
const [maxSummaries, maxWaiting] = [2000, 500];
/** Number of entries after which what the server keeps is loaded again: reads do not load the time line. */
const reachInterval = 100;

interface EntryListParts {
  readonly client: Client;
  readonly shop: ShopState;
}

/** The entries of the history as a studio lists them. */
export class EntryList {
  /** Oldest first. Ids between two of them may be missing: `loadGap` loads these. */
  readonly summaries = signal<readonly Summary[]>([]);
  /** The id of the first entry to list. The first batch of events may have left it out. */
  readonly firstId = signal(0);
  /** Ids between which the server has no entries, by the first of both. */
  readonly emptyGaps = signal<ReadonlyMap<number, number>>(new Map());
  /** The id of the newest entry, listed or not. */
  readonly lastId = signal(0);
  /** Whether new entries are counted only, so that what is listed does not move. */
  readonly isPaused = signal(false);
  readonly #parts: EntryListParts;
  /** New entries that are not listed yet. */
  readonly #waiting = signal<readonly Summary[]>([]);
  /** The number of requests whose responses are held or delayed, listed or not. */
  readonly pending = computed(
    () => [...this.summaries.value, ...this.#waiting.value].filter(isPending).length,
  );
  /** The id of the newest entry when what the server keeps was loaded last. */
  #reachedAt = 0;

  constructor(parts: EntryListParts) {
    this.#parts = parts;
  }

  async load(): Promise<void> {
    const { client, shop } = this.#parts;
    const limit = 500;
    const path = `/_backlot/journal?view=summary&limit=${limit}`;
    const loaded = await client.read<SummariesView>(`GET ${path}`);
    if (loaded === undefined) return;
    batch(() => {
      shop.hasHistory.value = loaded.history;
      this.#waiting.value = [];
      this.summaries.value = [];
      this.emptyGaps.value = new Map();
      this.merge(loaded.summaries);
      this.#noteGaps(loaded);
      // There may be earlier ones, which the list offers to load.
      if (loaded.summaries.length === limit)
        this.firstId.value = Math.min(loaded.changesFrom, loaded.entriesFrom);
      this.lastId.value = this.summaries.value.at(-1)?.id ?? 0;
    });
    await shop.loadTimeline();
  }

  /** Loads the entries between two ids, which are not listed: the newest of them. */
  async loadGap(since: number, before: number): Promise<void> {
    const limit = 1000;
    const path = `/_backlot/journal?view=summary&since=${since}&before=${before}&limit=${limit}`;
    const loaded = await this.#parts.client.read<SummariesView>(`GET ${path}`);
    if (loaded === undefined) return;
    const isWhole = loaded.summaries.length < limit;
    batch(() => {
      this.merge(loaded.summaries);
      this.#noteGaps(loaded, isWhole ? since : undefined, before);
    });
  }

  /** Notes between which ids a response has no entries: the server keeps changes longer than reads. */
  #noteGaps({ summaries: listed, ...kept }: SummariesView, since?: number, before?: number): void {
    this.#parts.shop.reach.value = kept;
    const ids = [since ?? [], listed.map(({ id }) => id), before ?? []].flat(2);
    const gaps = ids.flatMap((id, at) => {
      const end = ids[at + 1] ?? id;
      return end > id + 1 ? [[id, end] as const] : [];
    });
    if (gaps.length > 0) this.emptyGaps.value = new Map([...this.emptyGaps.value, ...gaps]);
  }

  async #loadReach(): Promise<void> {
    const { client, shop } = this.#parts;
    this.#reachedAt = this.lastId.value;
    const path = '/_backlot/journal?view=summary&limit=1';
    const loaded = await client.peek<SummariesView>(`GET ${path}`);
    if (loaded !== undefined) shop.reach.value = loaded;
  }

  receive({ entries: received, more = 0 }: Batch): void {
    const { shop } = this.#parts;
    const entries = received.filter(({ id }) => id > this.lastId.value);
    this.#update(received);
    if (more > 0) void this.#loadPending();
    // Nothing is listed that could move.
    if (this.isPaused.value && this.summaries.value.length > 0) {
      this.#waiting.value = [...this.#waiting.value, ...entries].slice(-maxWaiting);
    } else this.merge(entries, more);
    this.lastId.value = Math.max(this.lastId.value, entries.at(-1)?.id ?? 0);
    // What its own actions changed, the page has loaded.
    const others = entries.filter((entry) => !this.isOwn(entry));
    shop.isAll ||= more > 0 || others.some(({ by }) => by !== 'request');
    const isWritten = shop.isAll || others.some(({ changed: count }) => count > 0);
    if (isWritten) shop.changed(more > 0 ? 'flood' : 'usual');
    else if (this.lastId.value >= this.#reachedAt + reachInterval) void this.#loadReach();
  }

  /** Whether this page has made an entry. */
  isOwn({ actor }: Summary): boolean {
    return actor === this.#parts.client.actor;
  }

  /** The entry that led to the present state: the last change, or what has taken back or restored others. */
  readonly latest = computed(() =>
    [...this.summaries.value, ...this.#waiting.value].findLast(
      ({ by, changed }) => by !== 'request' || changed > 0,
    ),
  );

  /** Returns an entry that has arrived, listed or not. */
  find(id: number): Summary | undefined {
    return [...this.summaries.value, ...this.#waiting.value].find((one) => one.id === id);
  }

  /** Lists the entries that have arrived meanwhile. */
  listWaiting(): void {
    const entries = this.#waiting.value;
    this.#waiting.value = [];
    if (entries.length > 0) this.merge(entries);
  }

  /** While the list is held, it may grow by what was asked for. */
  merge(entries: readonly Summary[], more = 0): void {
    const max = this.isPaused.value ? Infinity : maxSummaries;
    const known = this.summaries.value;
    if (known.length === 0) this.firstId.value = (entries[0]?.id ?? 0) - more;
    const kept = withEntries(known, entries).slice(-max);
    if (kept.length === max) this.firstId.value = kept[0]!.id;
    this.summaries.value = kept;
  }

  /** Notes which listed entries have another state now. Their rows do not move. */
  #update(received: readonly Summary[]): void {
    const newer = new Map(received.map((entry) => [entry.id, entry]));
    const update = (known: readonly Summary[]): readonly Summary[] =>
      known.some(({ id }) => newer.has(id)) ? known.map((one) => newer.get(one.id) ?? one) : known;
    this.summaries.value = update(this.summaries.value);
    this.#waiting.value = update(this.#waiting.value);
  }

  /** Loads the listed entries whose responses were not sent: a batch may have left out that they were. */
  async #loadPending(): Promise<void> {
    const ids = this.summaries.value.flatMap((one) => (isPending(one) ? [one.id] : []));
    const [first, last] = [ids[0], ids.at(-1)];
    if (first === undefined || last === undefined) return;
    const path = `/_backlot/journal?view=summary&since=${first - 1}&before=${last + 1}&limit=1000`;
    const loaded = await this.#parts.client.peek<SummariesView>(`GET ${path}`);
    this.#update(loaded?.summaries ?? []);
  }
}

/** Whether a response is held or delayed. */
export function isPending({ state }: Summary): boolean {
  return state === 'held' || state === 'delayed';
}

/** Returns entries with others, oldest first, each once. Mostly, the others are newer. */
function withEntries(known: readonly Summary[], others: readonly Summary[]): Summary[] {
  const last = known.at(-1)?.id ?? -1;
  const isNewer = others.every(({ id }, at) => id > (others[at - 1]?.id ?? last));
  const all = [...known, ...others];
  if (isNewer) return all;
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  return [...byId.values()].toSorted((one, other) => one.id - other.id);
}

import { batch, computed, signal } from '@preact/signals';
import type { ClockView } from '../control/endpoints/clock.ts';
import type { Health } from '../control/endpoints/health.ts';
import type { SummariesView } from '../control/endpoints/journal.ts';
import type { HistoryReach } from '../office/history-api.ts';
import { hasPages } from './api-pages.ts';
import { attached, bodyOf, call } from './calls.ts';
import { addOwn, expectOwn, isOwn, recallOwn } from './own-entries.ts';
import { messageOf } from './reply-message.ts';
import type { Source, Batch, Connection, Reply, Summary, Timeline } from './source.ts';

/** A message at the top of the page. `undo` is the entry before which the shop is restored. */
export interface Notice extends Partial<Rewound> {
  readonly kind: 'done' | 'error';
  readonly text: string;
  readonly undo?: number;
}

/** What an action has undone or brought back. */
export interface Rewound {
  readonly what: string;
  readonly way: 'undone' | 'redone';
}

/** Maximum number of entries that the page lists, and of new ones that wait while the list is held. */
const [maxSummaries, maxWaiting] = [2000, 500];
/** How long views wait before they load again, in milliseconds: after an action of the page, usually, and in a flood. */
const pauses = { own: 0, usual: 250, flood: 5000 };

export const health = signal<Health | undefined>(undefined);

/** What the API is called: `store`. */
export const apiName = computed(() => health.value?.api ?? 'store');
export const clock = signal<ClockView | undefined>(undefined);
/** The entries of the history, oldest first. Ids between two of them may be missing: `loadGap` loads these. */
export const summaries = signal<readonly Summary[]>([]);
/** The id of the first entry to list. The first batch of events may have left it out. */
export const firstId = signal(0);
/** From which entries on the server has changes, and all entries. */
export const reach = signal<HistoryReach>({ changesFrom: 1, entriesFrom: 1 });
/** Ids between which the server has no entries, by the first of both. */
export const emptyGaps = signal<ReadonlyMap<number, number>>(new Map());
/** Whether the server records changes. */
export const hasHistory = signal(true);
/** Grows when the shop has changed. Views that show records load them again. */
export const revision = signal(0);
export const connection = signal<Connection>('closed');
/** Why no events arrive, while the connection waits. */
export const waitingFor = signal('');
export const notice = signal<Notice | undefined>(undefined);
/** Whether the control API requires a token. */
export const needsToken = signal(false);
/** Where the shop stands in its history; undefined before it is loaded, and without a history. */
export const timeline = signal<Timeline | undefined>(undefined);
/** Whether the URL names a session that is not open. A request of the page would begin it. */
export const isMissing = signal(false);
/** Whether the history is loaded. What a view loads after that is changed by later events only. */
export const isReady = signal(false);
/** The id of the newest entry, listed or not. */
export const lastId = signal(0);
/** Whether new entries are counted only, so that what is listed does not move. */
export const isHeld = signal(false);

/** The source whose events are received, or will be once the history is loaded. */
let followed: Source | undefined;
let stopEvents: (() => void) | undefined;
let next:
  | { readonly timer: ReturnType<typeof setTimeout>; readonly how: keyof typeof pauses }
  | undefined;
/** Whether the clock and the scenario may have changed, too: requests change neither. */
let isAll = false;
/** New entries that are not listed yet. */
let waiting: readonly Summary[] = [];
/** Runs when the session ends if it is not used. */
let endTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * Loads the state of the page and keeps it up to date.
 *
 * @param begins whether the session is begun if it has ended, or if the URL names one that is not open
 * @returns the function that ends it
 */
export function connect(begins = false): () => void {
  disconnect();
  const to = attached();
  followed = to;
  isReady.value = false;
  void follow(to, begins);
  return () => {
    if (followed !== to) return;
    followed = undefined;
    disconnect();
  };
}

async function follow(to: Source, begins: boolean): Promise<void> {
  try {
    await loadHealth();
    const { ended, scenario } = health.value?.session ?? {};
    const isOpen = begins || scenario !== undefined || !/\/s\/[^/]+$/.test(to.root);
    isMissing.value = !isOpen && ended === undefined;
    if (!isOpen || (ended !== undefined && !begins)) return;
    needsToken.value = health.value?.may.control === false;
    if (needsToken.value) return;
    await Promise.all([loadClock(), loadHistory()]);
  } catch (error) {
    show(error);
  }
  // A panel that was closed, or opened again, in the meantime.
  if (followed !== to) return;
  isReady.value = !needsToken.value;
  if (needsToken.value) return;
  stopEvents = to.events(lastId.value, receive, (state, reason) => {
    waitingFor.value = reason ?? noResponse;
    if (state === 'open' && connection.value === 'waiting') void reload();
    if (state === 'closed') void loadHealth();
    if (state === 'closed' && reason !== undefined) notice.value = { kind: 'error', text: reason };
    connection.value = state;
  });
  // The first request to a demo begins a session, also with a token. Nothing waits between the history and its events.
  if (begins || health.value?.session === undefined) await loadHealth();
}

/** Loads what was missed while the server did not respond. It may have started again since. */
async function reload(): Promise<void> {
  if (notice.value?.text === noResponse) notice.value = undefined;
  await loadHistory();
  isAll = true;
  changed();
}

function disconnect(): void {
  stopEvents?.();
  stopEvents = undefined;
  clearTimeout(next?.timer);
  clearTimeout(endTimer);
  next = undefined;
}

async function loadClock(): Promise<void> {
  clock.value = (await read<ClockView>('GET /_backlot/clock')) ?? clock.value;
}

/** Loads what changes without an event: how many sessions there are, and how long the own one is left. */
export async function loadHealth(): Promise<void> {
  health.value = (await read<Health>('GET /_backlot/health')) ?? health.value;
  hasPages.value = health.value?.pages !== false;
  const { ended, seconds_left: left } = health.value?.session ?? {};
  if (ended !== undefined) disconnect();
  clearTimeout(endTimer);
  if (left !== undefined) endTimer = setTimeout(() => void loadHealth(), (left + 1) * 1000);
}

export async function loadHistory(): Promise<void> {
  const limit = 500;
  const loaded = await read<SummariesView>(`GET /_backlot/journal?view=summary&limit=${limit}`);
  if (loaded === undefined) return;
  batch(() => {
    hasHistory.value = loaded.history;
    waiting = [];
    summaries.value = [];
    emptyGaps.value = new Map();
    merge(loaded.summaries);
    noteGaps(loaded);
    // There may be earlier ones, which the list offers to load.
    if (loaded.summaries.length === limit)
      firstId.value = Math.min(loaded.changesFrom, loaded.entriesFrom);
    lastId.value = summaries.value.at(-1)?.id ?? 0;
    recallOwn(summaries.value);
  });
  await loadTimeline();
}

async function loadTimeline(): Promise<void> {
  if (!hasHistory.value) return;
  const loaded = await peek<Timeline>('GET /_backlot/timeline');
  if (loaded === undefined) return;
  batch(() => {
    timeline.value = loaded;
    reach.value = loaded;
  });
}

/** Loads the entries between two ids, which are not listed: the newest of them. */
export async function loadGap(since: number, before: number): Promise<void> {
  const limit = 1000;
  const path = `/_backlot/journal?view=summary&since=${since}&before=${before}&limit=${limit}`;
  const loaded = await read<SummariesView>(`GET ${path}`);
  if (loaded === undefined) return;
  const isWhole = loaded.summaries.length < limit;
  batch(() => {
    merge(loaded.summaries);
    noteGaps(loaded, isWhole ? since : undefined, before);
  });
}

/** Notes between which ids a response has no entries: the server keeps changes longer than reads. */
function noteGaps({ summaries: listed, ...kept }: SummariesView, since?: number, before?: number) {
  reach.value = kept;
  const ids = [since ?? [], listed.map(({ id }) => id), before ?? []].flat(2);
  const gaps = ids.flatMap((id, at) => {
    const end = ids[at + 1] ?? id;
    return end > id + 1 ? [[id, end] as const] : [];
  });
  if (gaps.length > 0) emptyGaps.value = new Map([...emptyGaps.value, ...gaps]);
}

/** Number of entries after which what the server keeps is loaded again: reads do not load the time line. */
const reachInterval = 100;
let reachedAt = 0;

async function loadReach(): Promise<void> {
  reachedAt = lastId.value;
  const loaded = await peek<SummariesView>('GET /_backlot/journal?view=summary&limit=1');
  if (loaded !== undefined) reach.value = loaded;
}

/** Reads a path of the control API. Shows an error as a notice and returns undefined then. */
export async function read<Body>(line: string): Promise<Body | undefined> {
  try {
    const reply = await call<Body>(line);
    if (reply.status < 400) return reply.body;
    if (reply.status === 401) needsToken.value = true;
    notice.value = { kind: 'error', text: messageOf(reply) };
  } catch (error) {
    show(error);
  }
  return undefined;
}

/** Reads a path of the control API. Returns undefined for an error, and without a response. */
export async function peek<Body>(line: string): Promise<Body | undefined> {
  return bodyOf<Body>(line).catch(() => undefined);
}

function receive({ entries: received, more = 0 }: Batch): void {
  // The page has listed those of its own actions, and has loaded what they changed.
  const entries = received.filter(({ id }) => id > lastId.value);
  mergeChanged(received);
  if (more > 0) void loadPending();
  // Nothing is listed that could move.
  if (isHeld.value && summaries.value.length > 0) {
    waiting = [...waiting, ...entries].slice(-maxWaiting);
  } else merge(entries, more);
  lastId.value = Math.max(lastId.value, entries.at(-1)?.id ?? 0);
  const others = entries.filter(({ by }) => by !== 'request');
  isAll ||= more > 0 || others.length > 0;
  const isWritten = isAll || entries.some(({ changed: count }) => count > 0);
  if (isWritten) changed(more > 0 ? 'flood' : 'usual');
  else if (lastId.value >= reachedAt + reachInterval) void loadReach();
  const taken = others.findLast(({ id, by }) => by === 'restore' && !isOwn(id));
  if (taken !== undefined)
    notice.value = { kind: 'done', text: `Not by this page: ${taken.title}`, undo: taken.id };
}

/** Notes which listed entries have another state now. Their rows do not move. */
function mergeChanged(received: readonly Summary[]): void {
  const newer = new Map(received.map((entry) => [entry.id, entry]));
  const update = (known: readonly Summary[]): readonly Summary[] =>
    known.some(({ id }) => newer.has(id)) ? known.map((one) => newer.get(one.id) ?? one) : known;
  summaries.value = update(summaries.value);
  waiting = update(waiting);
}

/** Loads the listed entries whose responses were not sent: a batch may have left out that they were. */
async function loadPending(): Promise<void> {
  const ids = summaries.value.flatMap((one) => (isPending(one) ? [one.id] : []));
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return;
  const path = `/_backlot/journal?view=summary&since=${first - 1}&before=${last + 1}&limit=1000`;
  mergeChanged((await peek<SummariesView>(`GET ${path}`))?.summaries ?? []);
}

function isPending({ state }: Summary): boolean {
  return state === 'held' || state === 'delayed';
}

/** Lists the entries that have arrived meanwhile. */
export function listWaiting(): void {
  const entries = waiting;
  waiting = [];
  if (entries.length > 0) merge(entries);
}

/** While the list is held, it may grow by what was asked for. */
function merge(entries: readonly Summary[], more = 0): void {
  const max = isHeld.value ? Infinity : maxSummaries;
  const known = summaries.value;
  if (known.length === 0) firstId.value = (entries[0]?.id ?? 0) - more;
  const kept = withEntries(known, entries).slice(-max);
  if (kept.length === max) firstId.value = kept[0]!.id;
  summaries.value = kept;
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

/** Has all views load again, soon. */
export function changed(how: keyof typeof pauses = 'usual'): void {
  // What was done here does not wait as long as a flood.
  if (next !== undefined && pauses[next.how] <= pauses[how]) return;
  clearTimeout(next?.timer);
  const timer = setTimeout(() => {
    next = undefined;
    revision.value += 1;
    void loadTimeline();
    // A session that is used lives longer, and a clock that ticks goes on. Without a history, no event says that it was set.
    if (isAll || health.value?.session !== undefined) void loadHealth();
    if (isAll || !hasHistory.value || clock.value?.mode !== 'frozen') void loadClock();
    isAll = false;
  }, pauses[how]);
  next = { timer, how };
}

/**
 * Runs a write. Shows what it did, with a button that undoes it, or the error as the server describes it.
 *
 * @param title what is done, for a person: `Order 105: addressing`
 * @param line of the request: `PUT /api/checkouts/105`
 * @param send sends it in another way than `Source.call`
 * @param rewound what it undoes or brings back
 * @returns the reply, undefined if it is an error
 */
export async function act<Body>(
  title: string,
  line: string,
  body?: unknown,
  send = () => call<Body>(line, body),
  rewound?: Rewound,
): Promise<Reply<Body> | undefined> {
  const before = lastId.value;
  expectOwn(before);
  try {
    const reply = await send();
    if (reply.status === 401) needsToken.value = true;
    if (reply.status >= 400) {
      notice.value = { kind: 'error', text: `${title}: ${messageOf(reply)}` };
      return undefined;
    }
    notice.value = { kind: 'done', text: title, ...rewound };
    // A reset, a restore or the clock, which are no events of the store API.
    isAll ||= line.includes('/_backlot/');
    changed('own');
    await offerUndo(line, before, { kind: 'done', text: title, ...rewound });
    return reply;
  } catch (error) {
    show(error);
    return undefined;
  } finally {
    expectOwn();
  }
}

/** Adds "undo" to the notice if the write is an entry of the history. */
async function offerUndo(line: string, before: number, done: Notice): Promise<void> {
  if (!hasHistory.value) return;
  const path = `/_backlot/journal?view=summary&since=${before}&limit=200`;
  const { status, body } = await call<SummariesView>(`GET ${path}`);
  if (status !== 200) return;
  const own =
    body.summaries.find((entry) => entry.title === line.split('?')[0]) ??
    body.summaries.find(({ by }) => by !== 'request');
  if (own !== undefined) addOwn(own);
  expectOwn();
  // What others did meanwhile is listed here, so its events do not load it.
  const missed = body.summaries.filter(({ id }) => id > lastId.value && id !== own?.id);
  merge(body.summaries);
  lastId.value = Math.max(lastId.value, body.summaries.at(-1)?.id ?? 0);
  isAll ||= missed.some(({ by }) => by !== 'request');
  if (missed.length > 0) changed();
  if (own !== undefined && (own.by !== 'request' || own.changed > 0))
    notice.value = { ...done, undo: own.id };
}

/** Restores the state before or after an entry. */
export async function rewind(id: number, to: 'before' | 'after'): Promise<void> {
  const title = to === 'before' ? `Went back to before #${id}` : `Went to #${id}`;
  await act(title, `POST /_backlot/journal/${id}/rewind`, { to });
}

export const noResponse = 'The server does not respond.';

/** Shows an error of the page or of the network. */
export function show(error: unknown): void {
  notice.value = { kind: 'error', text: error instanceof TypeError ? noResponse : String(error) };
}

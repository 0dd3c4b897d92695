import { limitedHeaderIssues } from '../../faults/fault-response.ts';
import { RecordedAction } from '../../journal/recorded-action.ts';
import { RecordedExchange, type JournalEntry } from '../../journal/recorded-exchange.ts';
import { valueAt } from '../../lib/json-value.ts';
import { getOrCreate } from '../../lib/maps.ts';
import { Problem, truncate } from '../../lib/problem.ts';
import type { ClockState } from '../../lib/virtual-clock.ts';
import { assertNoIssues, parseOrThrow } from '../../scenario/issues.ts';
import { openState } from '../../scenario/built-in.ts';
import { assertRecords } from '../../scenario/record-check.ts';
import { startOf, type OpenShop } from '../../scenario/start.ts';
import { tablesOf } from '../../store/database.ts';
import { inOrderOf, type Row } from '../../store/row.ts';
import { assertRowLimit, rowCountOf } from '../atomic.ts';
import { responseText } from '../export/request-text.ts';
import type { ImportLimits } from '../file.ts';
import type { EntryDetails, Recorded } from '../history-api.ts';
import { sizeOf, sizeOfStates } from '../change-log.ts';
import type { RequestOutcome } from '../outcome.ts';
import { initialState, restoreState, shopState, type ShopState } from '../snapshots.ts';
import { tableOf, writeChanges } from './table-changes.ts';
import {
  misnumbered,
  Trace,
  traceVersion,
  type TraceEntry,
  type TraceState,
  type TraceWrite,
} from './trace-format.ts';

/**
 * Replaces the shop by that of a trace: does again what its entries have written, on the state that they began with.
 *
 * @returns the entries as a journal keeps them
 * @throws Problem as `readTrace`; then nothing changes
 */
export function replayTrace(
  shop: OpenShop,
  content: unknown,
  limits: ImportLimits,
): { readonly lost: number; readonly entriesFrom: number; readonly entries: readonly Recorded[] } {
  const trace = readTrace(shop, content, limits);
  const now = shopState(shop);
  const open = stateOpener(shop, limits);
  const states = new Map([[trace.lost, open(trace.start)]]);
  const wanted = new Set(trace.entries.map(({ jump }) => jump?.to));
  try {
    restoreState(shop, states.get(trace.lost) ?? now);
    shop.transaction.take();
    const entries = trace.entries.map((entry) => {
      const recorded = replayEntry({ shop, lost: trace.lost, states, open }, entry);
      assertRowLimit(tablesOf(shop.db).rowCount(), shop.start, limits.maxRows);
      if (wanted.has(entry.id)) states.set(entry.id, shopState(shop));
      return recorded;
    });
    shop.clock.restore(frozen(trace.clock));
    const { lost, entries_from: entriesFrom = entries[0]?.id ?? lost + 1 } = trace;
    return { lost, entriesFrom, entries };
  } catch (error) {
    restoreState(shop, now);
    shop.transaction.take();
    throw error;
  }
}

/**
 * Parses a trace for an API.
 *
 * @throws Problem `malformed` for a trace of another version or API, `invalid` with every issue, `too many` beyond a limit
 */
function readTrace(
  shop: OpenShop,
  content: unknown,
  { limitFaultHeaders = false }: ImportLimits,
): Trace {
  const [version, api] = ['version', 'api'].map((name) => valueAt(content, [name]));
  if (version !== traceVersion) throw malformed(`version ${shown(version)}`, `${traceVersion}`);
  if (api !== shop.api.name) throw malformed(`API ${shown(api)}`, shop.api.name);
  const trace = parseOrThrow(Trace, content, 'trace');
  assertNoIssues('trace', misnumbered(trace));
  const rows = rowsIn(trace);
  assertRecords(
    { tables: Object.fromEntries(Array.from(rows, ([name, all]) => [name, { rows: all }])) },
    shop.api,
    'trace',
  );
  if (limitFaultHeaders) {
    const faults = rows.get(shop.api.tables.faultRules.name) ?? [];
    assertNoIssues('trace', faults.flatMap(limitedHeaderIssues));
  }
  return trace;
}

function malformed(what: string, known: string): Problem {
  return new Problem('malformed', `This trace has ${what}; ${known} can be read.`);
}

function shown(value: unknown): string {
  return truncate(JSON.stringify(value) ?? 'undefined');
}

/** Returns all rows of a trace, by the names of their tables. */
function rowsIn({ start, entries }: Trace): ReadonlyMap<string, Row[]> {
  const rows = new Map<string, Row[]>();
  const add = (table: string, ...lists: readonly (readonly Row[] | undefined)[]): void => {
    const known = rows.get(table) ?? [];
    rows.set(table, known);
    for (const list of lists) for (const row of list ?? []) known.push(row);
  };
  const addState = ({ changes }: TraceState): void => {
    for (const [name, { rows: live, gone }] of Object.entries(changes.tables))
      add(name, live, gone);
  };
  addState(start);
  for (const { writes = [], next_ids: nextIds = {}, jump } of entries) {
    if (jump?.state !== undefined) addState(jump.state);
    for (const name of Object.keys(nextIds)) add(name);
    for (const write of writes) {
      if ('changes' in write) add(write.table, write.changes.rows, write.changes.gone);
      else add(write.table, write.row && [{ ...write.row, id: write.id }]);
    }
  }
  return rows;
}

/** The back office on which entries are replayed. */
interface Replay {
  readonly shop: OpenShop;
  /** The last entry whose changes are not kept. */
  readonly lost: number;
  /** The states that were after earlier entries, by the ids of these. */
  readonly states: ReadonlyMap<number, ShopState>;
  readonly open: (state: TraceState) => ShopState;
}

function replayEntry(on: Replay, entry: TraceEntry): Recorded {
  const { id, at, title = '', actor, exchange } = entry;
  const details = { ...detailsOf(entry), ...replay(on, entry) };
  return exchange === undefined
    ? new RecordedAction(id, at, { by: actionOf(entry), title, actor }, details)
    : new TracedExchange(exchange, details);
}

function actionOf({ by }: TraceEntry): RecordedAction['by'] {
  return by === 'request' ? 'page' : by;
}

/** The past does not go by. */
function frozen({ now }: ClockState): ClockState {
  return { now, mode: 'frozen' };
}

function detailsOf({ clock, changed, meaning, ms, received, outcome, made, jump }: TraceEntry) {
  return {
    clock: frozen(clock),
    changed,
    meaning,
    ms,
    received,
    ...(outcome && { outcome: outcomeFrom(outcome) }),
    made,
    jump: jump && { to: jump.to, isRewind: jump.isRewind },
  } satisfies Omit<EntryDetails, 'size'>;
}

function outcomeFrom({ outcome, reason }: NonNullable<TraceEntry['outcome']>): RequestOutcome {
  return { outcome, ...(reason !== undefined && { reason }) };
}

function replay(
  { shop, states, open, lost }: Replay,
  { id, by, writes = [], next_ids: nextIds = {}, jump, clock }: TraceEntry,
): Pick<EntryDetails, 'writes' | 'states' | 'size'> {
  shop.clock.restore(frozen(clock));
  if (jump !== undefined && id > lost) {
    if (jump.clock === undefined)
      throw new Problem('invalid', `The jump of entry ${id} of the trace has no clock.`);
    const before = shopState(shop);
    const known = jump.state === undefined ? states.get(jump.to) : open(jump.state);
    if (known === undefined)
      throw new Problem('invalid', `The trace has no state after entry #${jump.to}.`);
    // Only a reset and a snapshot of another scenario change what a reset restores.
    const isOther = by === 'reset' || known.start.scenario.name !== shop.start.scenario.name;
    const start = jump.state === undefined || isOther ? known.start : shop.start;
    restoreState(shop, { ...known, start, clock: frozen(jump.clock) });
    shop.transaction.take();
    const after = shopState(shop);
    return { states: { before, after }, size: sizeOfStates(before, after) };
  }
  for (const write of writes) apply(shop, write);
  for (const [name, next] of Object.entries(nextIds)) tableOf(shop, name).reserveIds(next);
  const taken = shop.transaction.take();
  return taken === undefined ? { size: 0 } : { writes: taken, size: sizeOf(taken) };
}

function apply(shop: OpenShop, write: TraceWrite): void {
  const { rows, builder } = tableOf(shop, write.table).parts;
  if ('changes' in write) writeChanges(shop, { [write.table]: write.changes });
  else if (write.row === undefined) rows.remove(write.id);
  else {
    const sent = { ...write.row, id: write.id };
    for (const fields of builder.parseAll([sent], 1)) {
      const row = builder.seal(inOrderOf(sent, fields));
      if (rows.current.rows.has(row.id)) rows.replace(row);
      else rows.insert(row);
    }
  }
}

/** Returns the function that opens the states of a trace, each only once: a trace may have hundreds of resets. */
function stateOpener(
  { api, start: { counted, state: present } }: OpenShop,
  { maxRows }: ImportLimits,
): (trace: TraceState) => ShopState {
  const opened = new Map<string, ShopState>();
  return (trace) =>
    getOrCreate(opened, JSON.stringify(trace), () => {
      const start = { ...startOf(openState(api, trace)), counted: counted ?? present };
      assertRowLimit(rowCountOf(start.state), start, maxRows);
      return initialState(start, { clockMode: 'frozen' });
    });
}

/** A request of a trace: its secrets are masked already. */
class TracedExchange extends RecordedExchange<EntryDetails> {
  #entry: JournalEntry;

  constructor(entry: JournalEntry, details: EntryDetails) {
    const { method, url, request, answer, state, faults, script, prefer, id, at } = entry;
    const { status, headers, body, delay, hold, connection } = answer;
    const text = responseText(body);
    super(
      id,
      at,
      {
        request: { method, url, headers: request.headers },
        routed: undefined,
        answer: {
          status,
          headers,
          ...(text !== undefined && { body: text }),
          ...(delay !== undefined && { delay }),
          ...(hold !== undefined && { hold }),
          ...(connection !== undefined && { connection }),
        },
        state,
        faults,
        script,
        prefer,
      },
      details,
    );
    this.#entry = entry;
  }

  override get head(): RecordedExchange['head'] {
    const { endpoint, step } = this.#entry;
    return { ...super.head, endpoint, step };
  }

  override entry(): JournalEntry {
    return this.#entry;
  }

  override discardBody(): void {
    super.discardBody();
    const { body: _, ...answer } = this.#entry.answer;
    this.#entry = { ...this.#entry, answer: { ...answer, left_out: 'discarded to make room' } };
  }
}

import type { ApiDefinition } from '../../definition/api.ts';
import { limitedHeaderIssues } from '../../faults/fault-response.ts';
import { RecordedAction } from '../../journal/recorded-action.ts';
import { RecordedExchange, type JournalEntry } from '../../journal/recorded-exchange.ts';
import { valueAt } from '../../lib/json-value.ts';
import { Problem, truncate } from '../../lib/problem.ts';
import type { ClockState } from '../../lib/virtual-clock.ts';
import { assertNoIssues, parseOrThrow } from '../../scenario/issues.ts';
import { openBuiltIn } from '../../scenario/built-in.ts';
import { changedState } from '../../scenario/changes.ts';
import { startOf, type OpenShop } from '../../scenario/start.ts';
import { definitionsByName, type AnyTable } from '../../store/database.ts';
import type { Row, Values } from '../../store/row.ts';
import { assertRowLimit } from '../atomic.ts';
import { responseText } from '../export/request-text.ts';
import type { ImportLimits } from '../file.ts';
import { fieldIssues } from '../file-check.ts';
import type { EntryDetails, Recorded } from '../history-api.ts';
import { sizeOf, sizeOfStates } from '../kept-changes.ts';
import type { RequestOutcome } from '../outcome.ts';
import { restoreState, shopState, type ShopState } from '../snapshots.ts';
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
): { readonly first: number; readonly lost: number; readonly entries: readonly Recorded[] } {
  const trace = readTrace(shop, content, limits);
  const now = shopState(shop);
  const states = new Map([[trace.lost, openState(shop.api, trace.start)]]);
  const wanted = new Set(trace.entries.map(({ jump }) => jump?.to));
  try {
    restoreState(shop, states.get(trace.lost) ?? now);
    shop.transaction.take();
    const entries = trace.entries.map((entry) => {
      const recorded = replayEntry(shop, entry, states);
      if (wanted.has(entry.id)) states.set(entry.id, shopState(shop));
      return recorded;
    });
    shop.clock.restore(frozen(trace.clock));
    return { first: entries[0]?.id ?? trace.lost + 1, lost: trace.lost, entries };
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
  { maxRows, limitFaultHeaders = false }: ImportLimits,
): Trace {
  const [version, api] = ['version', 'api'].map((name) => valueAt(content, [name]));
  if (version !== traceVersion) throw malformed(`version ${shown(version)}`, `${traceVersion}`);
  if (api !== shop.api.name) throw malformed(`API ${shown(api)}`, shop.api.name);
  const trace = parseOrThrow(Trace, content, 'trace');
  assertNoIssues('trace', misnumbered(trace));
  const rows = rowsIn(trace);
  const known = definitionsByName(shop.api.tables);
  const unknown = [...rows.keys()].filter((name) => !known.has(name));
  const issues = [
    ...unknown.map((name) => `There is no table ${name}.`),
    ...fieldIssues([...rows].map(([name, all]) => [known.get(name)?.[1], all] as const)),
  ];
  if (issues.length > 0) throw new Problem('malformed', `The trace: ${issues.join(' ')}`);
  assertRowLimit([...rows.values()].flat().length, shop.start, maxRows);
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
  const addState = ({ tables }: TraceState): void => {
    for (const [name, { rows: live, gone }] of Object.entries(tables)) add(name, live, gone);
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

function replayEntry(
  shop: OpenShop,
  entry: TraceEntry,
  states: ReadonlyMap<number, ShopState>,
): Recorded {
  const { id, at, title = '', exchange } = entry;
  const details = { ...detailsOf(entry), ...replay(shop, entry, states) };
  return exchange === undefined
    ? new RecordedAction(id, at, { by: actionOf(entry), title }, details)
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
  shop: OpenShop,
  { writes = [], next_ids: nextIds = {}, jump, clock }: TraceEntry,
  states: ReadonlyMap<number, ShopState>,
): Pick<EntryDetails, 'writes' | 'states' | 'size'> {
  shop.clock.restore(frozen(clock));
  if (jump !== undefined) {
    const before = shopState(shop);
    const known = jump.state === undefined ? states.get(jump.to) : openState(shop.api, jump.state);
    if (known === undefined)
      throw new Problem('invalid', `The trace has no state after entry ${jump.to}.`);
    restoreState(shop, { ...known, clock: frozen(jump.clock) });
    shop.transaction.take();
    const after = shopState(shop);
    return { states: { before, after }, size: sizeOfStates(before, after) };
  }
  for (const write of writes) apply(shop, write);
  for (const [name, next] of Object.entries(nextIds)) tableOf(shop, name)[1].reserveIds(next);
  const taken = shop.transaction.take();
  return taken === undefined ? { size: 0 } : { writes: taken, size: sizeOf(taken) };
}

function tableOf({ api, db }: OpenShop, name: string): readonly [key: string, table: AnyTable] {
  const [key = ''] = definitionsByName(api.tables).get(name) ?? [];
  const table = db[key];
  if (table === undefined) throw new Problem('malformed', `There is no table ${name}.`);
  return [key, table];
}

function apply(shop: OpenShop, write: TraceWrite): void {
  const [key, table] = tableOf(shop, write.table);
  const { rows, builder } = table.parts;
  if ('changes' in write) {
    const tables = { [write.table]: write.changes };
    const changed = changedState({ [key]: table.state }, shop.api, { since: '', tables }, 'trace');
    rows.restore(changed[key] ?? table.state);
  } else if (write.row === undefined) rows.remove(write.id);
  else {
    const sent = { ...write.row, id: write.id };
    for (const fields of builder.parseAll([sent], 1)) {
      const row = builder.seal(inOrderOf(sent, fields));
      if (rows.current.rows.has(row.id)) rows.replace(row);
      else rows.insert(row);
    }
  }
}

/** Returns fields in the order of other ones: the schema has its own. */
function inOrderOf<Fields extends Values>(row: Row, fields: Fields): Fields {
  const names = Object.keys(row).filter((name) => Object.hasOwn(fields, name));
  return { ...Object.fromEntries(names.map((name) => [name, fields[name]])), ...fields };
}

function openState(api: ApiDefinition, trace: TraceState): ShopState {
  const { scenario: name, seed, settings: values, since, clock, tables } = trace;
  const base = openBuiltIn(api, trace.extends);
  const start = startOf(base, { seed, now: since, settings: values });
  const { settings } = start;
  const state = changedState(start.state, api, { since, tables }, 'trace');
  const scenario = { ...base, name };
  return {
    start: { scenario, settings, seed, now: clock.now, state },
    settings,
    seed,
    state,
    clock: frozen(clock),
  };
}

/** A request of a trace: its secrets are masked already. */
class TracedExchange extends RecordedExchange<EntryDetails> {
  #entry: JournalEntry;

  constructor(entry: JournalEntry, details: EntryDetails) {
    const { method, url, request, answer, faults, script, prefer, id, at } = entry;
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

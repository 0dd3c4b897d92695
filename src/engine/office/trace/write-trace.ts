import { RecordedAction } from '../../journal/recorded-action.ts';
import type { JournalEntry } from '../../journal/recorded-exchange.ts';
import { mapValues } from '../../lib/json-value.ts';
import { scenarioOf } from '../export/scenario-export.ts';
import { isDelivered } from '../../rest/delivery.ts';
import type { DatabaseState } from '../../store/database.ts';
import {
  isSameText,
  tablesBetween,
  type TableChanges,
  type TablesChanges,
} from '../../store/state-difference.ts';
import type { Write } from '../../store/transaction.ts';
import { isRow, isState } from '../changes.ts';
import type { EntryDetails, HistoryParts, Recorded } from '../history-api.ts';
import { summaryOf } from '../history-summary.ts';
import type { ChangeLog, PastStates } from '../change-log.ts';
import type { ShopState } from '../snapshots.ts';
import { traceFormat } from './trace-mark.ts';
import { Secrets, type RedactRows } from './secrets.ts';
import {
  traceVersion,
  type Trace,
  type TraceEntry,
  type TraceState,
  type TraceWrite,
} from './trace-format.ts';

interface TraceSource extends Pick<HistoryParts, 'shop' | 'journal'> {
  /** The last entry whose changes are lost. */
  readonly lost: number;
  /** The ids of all entries of the trace. */
  readonly ids: ReadonlySet<number>;
  /** The states after this entry and all later ones. */
  readonly states: PastStates;
  readonly secrets: Secrets;
  /** Whether to name the session. */
  readonly withSession: boolean;
}

/** Returns a history as a value that JSON can represent. Secrets are masked, in records too. */
export function traceOf(
  { shop, journal }: Pick<HistoryParts, 'shop' | 'journal'>,
  log: Pick<ChangeLog, 'lost' | 'statesAfter' | 'steps'>,
  withSession: boolean,
): Trace {
  const { lost, steps } = log;
  const states = log.statesAfter(lost, journal.nextId - 1);
  const secrets = new Secrets(shop.api.tables);
  const ids = new Set(steps.map(({ id }) => id));
  const source = { shop, journal, lost, ids, states, secrets, withSession };
  return {
    format: traceFormat,
    version: traceVersion,
    api: shop.api.name,
    api_path: shop.api.path,
    start: stateOf(states.after(lost), secrets),
    lost,
    clock: shop.clock.state,
    ...(steps.length > journal.all.length && { entries_from: journal.firstId }),
    entries: steps.map((recorded) => entryOf(source, recorded)),
  };
}

function entryOf(source: TraceSource, recorded: Recorded): TraceEntry {
  const { shop, states, lost } = source;
  const { id, at } = recorded;
  const { clock, made, jump, writes, received } = recorded.details ?? {};
  const { meaning, changed, outcome, reason } = summaryOf(shop, recorded);
  const isKept = id > lost;
  const redact = source.secrets.of(isKept ? states.after(id).start : undefined);
  return {
    id,
    at,
    clock: clock ?? { now: at, mode: 'frozen' },
    changed,
    meaning,
    ...(received !== undefined && { received }),
    ...(recorded instanceof RecordedAction
      ? actionOf(recorded)
      : requestOf(source, source.journal.entryOf(recorded), {
          ...recorded.details,
          // The response that was made is not in a trace if no client has it.
          ...(!isDelivered(recorded.head.state) && {
            outcome: { outcome, ...(reason !== undefined && { reason }) },
          }),
        })),
    ...(isKept &&
      writes !== undefined && {
        writes: writes.list.flatMap((write) => writeOf(write, redact)),
      }),
    ...(isKept && nextIdsOf(states.after(id - 1).state, states.after(id).state)),
    ...(made !== undefined && made.length > 0 && { made: [...made] }),
    ...(jump !== undefined && { jump: isKept ? jumpOf(source, jump, states.after(id)) : jump }),
  };
}

function actionOf({
  by,
  title,
  actor,
}: RecordedAction): Pick<TraceEntry, 'by' | 'title' | 'actor'> {
  return { by, title, ...(actor !== undefined && { actor }) };
}

function requestOf(
  { withSession }: TraceSource,
  entry: JournalEntry,
  { outcome, ms }: Partial<EntryDetails> = {},
): Pick<TraceEntry, 'by' | 'exchange' | 'outcome' | 'ms'> {
  return {
    by: 'request',
    exchange: withSession ? entry : withoutSession(entry),
    ...(outcome !== undefined && { outcome }),
    ...(ms !== undefined && { ms: Math.round(ms * 100) / 100 }),
  };
}

function withoutSession({ session: _session, request, ...entry }: JournalEntry): JournalEntry {
  const { 'x-backlot-session': _name, ...headers } = request.headers;
  return { ...entry, request: { ...request, headers } };
}

function jumpOf(
  { lost, ids, secrets }: TraceSource,
  { to, isRewind }: NonNullable<EntryDetails['jump']>,
  after: ShopState,
): NonNullable<TraceEntry['jump']> {
  // That after a read that is no longer kept is of no entry.
  const isKnown = to === lost ? isRewind || to > 0 : to > lost && ids.has(to);
  return { to, isRewind, clock: after.clock, ...(!isKnown && { state: stateOf(after, secrets) }) };
}

/** Returns a state as a scenario that opens to it. */
export function stateOf(shop: ShopState, secrets: Secrets): TraceState {
  const { name, description } = shop.start.scenario;
  const scenario = scenarioOf(shop, { name, description });
  const { since, tables } = scenario.changes;
  const settings = { ...shop.settings };
  return {
    ...scenario,
    settings,
    changes: { since, tables: redacted(tables, secrets.of(shop.start)) },
  };
}

/** Returns the records that have changed from one state to another, by table. */
export function tablesOf(
  before: DatabaseState,
  after: DatabaseState,
  redact: RedactRows,
): Record<string, TableChanges> {
  return redacted(tablesBetween(before, after, isSameText), redact);
}

function redacted(tables: TablesChanges, redact: RedactRows): Record<string, TableChanges> {
  return mapValues(tables, ({ rows, gone, ...others }, name) => ({
    ...others,
    ...(rows && { rows: redact(name, rows) }),
    ...(gone && { gone: redact(name, gone) }),
  }));
}

/** Of writes that only took an id, `nextIdsOf` tells. */
function writeOf({ rows, before, after }: Write, redact: RedactRows): TraceWrite[] {
  if (rows === undefined) return [];
  const table = rows.definition.name;
  if (isState(before) && isState(after)) {
    const changes = tablesOf({ [table]: before }, { [table]: after }, redact)[table];
    return changes === undefined ? [] : [{ table, changes }];
  }
  if (isRow(after))
    return redact(table, [after]).map((row) => ({ table, id: row.id, row: { ...row } }));
  return isRow(before) ? [{ table, id: before.id }] : [];
}

function nextIdsOf(before: DatabaseState, after: DatabaseState): Pick<TraceEntry, 'next_ids'> {
  const changed = Object.entries(after).filter(
    ([key, { nextId }]) => before[key]?.nextId !== nextId,
  );
  if (changed.length === 0) return {};
  return {
    next_ids: Object.fromEntries(
      changed.map(([, { definition, nextId }]) => [definition.name, nextId]),
    ),
  };
}

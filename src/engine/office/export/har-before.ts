import * as z from 'zod';
import { asAddress, nameOf } from '../../lib/api-path.ts';
import { valueAt, withValue } from '../../lib/json-value.ts';
import type { BackOffice } from '../back-office.ts';
import { writeChanges } from '../trace/table-changes.ts';
import { TraceState } from '../trace/trace-format.ts';
import type { HarBefore } from './har-format.ts';

/** What an export of a history says of the shop before a request: see `HarBefore`. */
const Before = z.union([
  z.object({ state: TraceState }),
  z.object({ tables: TraceState.shape.changes.shape.tables }),
]) satisfies z.ZodType<HarBefore>;

/**
 * Returns what is recorded of the shop before a request, with the paths of the contract; undefined for what cannot be read.
 *
 * @param apiPath the path of the API of the recording
 */
export function beforeIn(value: unknown, apiPath: string): HarBefore | undefined {
  const before = Before.safeParse(value).data;
  if (before === undefined) return undefined;
  if ('tables' in before) return { tables: withNamedPaths(before.tables, apiPath) };
  const { state } = before;
  const { since, tables } = state.changes;
  return { state: { ...state, changes: { since, tables: withNamedPaths(tables, apiPath) } } };
}

type Tables = TraceState['changes']['tables'];

function withNamedPaths(tables: Tables, apiPath: string): Tables {
  const faults = tables['fault_rules'];
  if (faults?.rows === undefined) return tables;
  const rows = faults.rows.map((row) => {
    const path = valueAt(row, ['match', 'path']);
    if (typeof path !== 'string') return row;
    const named = nameOf(apiPath, asAddress(apiPath, path));
    return { ...withValue(row, ['match', 'path'], named), id: row.id };
  });
  return { ...tables, fault_rules: { ...faults, rows } };
}

/**
 * Brings a shop into the state that a request met.
 *
 * @param settings in addition to those of the state
 * @throws Problem if the shop has no such state
 */
export function enterState(office: BackOffice, before: HarBefore, settings: object): void {
  if ('state' in before) {
    const { name, settings: own } = before.state;
    const description = 'The shop as a request of a recording met it';
    const all = { ...own, ...settings };
    office.reset({ ...before.state, name: `${name} as recorded`, description, settings: all });
    return;
  }
  const end = office.beginAction(undefined);
  try {
    writeChanges(office.shop, before.tables);
  } finally {
    end('changed by other means than requests');
  }
}

import * as z from 'zod';
import { lazyStrictObject } from '../lib/lazy-object.ts';
import type { MachineRow } from '../definition/api.ts';
import type { DatabaseState } from '../store/database.ts';
import { mask, redactRecord, type SecretNames } from '../journal/redaction.ts';
import { rowChanges } from '../store/state-difference.ts';
import type { Row, Values } from '../store/row.ts';
import type { TableState } from '../store/table-state.ts';
import type { Write } from '../store/transaction.ts';

const FieldChange = lazyStrictObject(() => ({
  field: z.string(),
  before: z.unknown().optional().describe('Absent if the record had no such field'),
  after: z.unknown().optional().describe('Absent if the record has no such field any more'),
}));

/** The change of one record. */
export const RecordChange = lazyStrictObject(() => ({
  table: z.string().describe('As in an export: `order_items`'),
  id: z.int(),
  kind: z.enum(['add', 'change', 'delete']),
  fields: z.array(FieldChange),
}));
export type RecordChange = z.output<typeof RecordChange>;

/** A state of a record, and the next one. */
export const Move = lazyStrictObject(() => ({
  machine: z.string(),
  id: z.int(),
  from: z.string().optional().describe('Absent for a new record'),
  to: z.string(),
  transition: z
    .string()
    .optional()
    .describe('The transition that was applied; absent if the state was set otherwise'),
}));
export type Move = z.output<typeof Move>;

/** One version of a row that was replaced by another. */
export interface RowWrite {
  /** The name of the table in an export. */
  readonly table: string;
  /** The fields whose values are secret, in addition to those that are by their names. */
  readonly secret: SecretNames | undefined;
  readonly id: number;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
}

/** Returns writes row by row, in the order in which they were made: one to a whole table becomes those of the rows that differ. */
export function rowWrites(writes: readonly Write[]): RowWrite[] {
  const list: RowWrite[] = [];
  for (const { rows, before, after } of writes) {
    if (rows === undefined) continue;
    const { name: table, secret } = rows.definition;
    if (isState(before) && isState(after)) {
      for (const one of rowChanges(before, after)) list.push({ table, secret, ...one });
      continue;
    }
    const from = isRow(before) ? before : undefined;
    const to = isRow(after) ? after : undefined;
    list.push({ table, secret, id: (to ?? from)?.id ?? 0, before: from, after: to });
  }
  return list;
}

/** Returns the rows in which two states of a shop differ. */
export function stateDifferences(before: DatabaseState, after: DatabaseState): RowWrite[] {
  return Object.entries(after).flatMap(([name, state]) => {
    const { name: table, secret } = state.definition;
    return rowChanges(before[name] ?? state, state).map((one) => ({ table, secret, ...one }));
  });
}

/** Whether a write was to the whole content of a table. */
export function isState(value: object | undefined): value is TableState {
  return value !== undefined && 'definition' in value && 'rows' in value;
}

/** Whether a write was to one row. */
export function isRow(value: object | undefined): value is Row {
  return value !== undefined && 'id' in value && typeof value.id === 'number';
}

/** Returns the final change of each record by writes, by table and id. Secrets are masked. */
export function changesOf(writes: readonly RowWrite[]): RecordChange[] {
  return netWrites(writes).flatMap(({ table, secret, id, before, after }): RecordChange[] => {
    const kind = before === undefined ? 'add' : after === undefined ? 'delete' : 'change';
    const fields = fieldChanges(before, after, secret);
    return fields.length === 0 ? [] : [{ table, id, kind, fields }];
  });
}

/** Returns the values of changed records, by table and id: `orders 3`; null for a deleted one. Secrets are left out. */
export function valuesAfter(
  changes: readonly RecordChange[],
): Readonly<Record<string, Values | null>> {
  return Object.fromEntries(
    changes.flatMap(({ table, id, kind, fields }) => {
      const shown = fields.filter(({ after }) => after !== mask);
      const values = Object.fromEntries(shown.map(({ field, after }) => [field, after ?? null]));
      return shown.length === 0 ? [] : [[`${table} ${id}`, kind === 'delete' ? null : values]];
    }),
  );
}

/** Returns the first version before and the last one after, for each row that differs. */
export function netWrites(writes: readonly RowWrite[]): RowWrite[] {
  // Most requests write one row.
  if (writes.length < 2) return writes.filter(({ before, after }) => before !== after);
  const net = new Map<string, RowWrite>();
  for (const write of writes) {
    const key = `${write.table} ${write.id}`;
    const first = net.get(key);
    net.set(key, first === undefined ? write : { ...write, before: first.before });
  }
  return [...net.values()].filter(({ before, after }) => before !== after);
}

function fieldChanges(
  before: Row | undefined,
  after: Row | undefined,
  secret: SecretNames | undefined,
): RecordChange['fields'] {
  const [from, to] = [valuesOf(before), valuesOf(after)];
  return changedFields(from, to).map((field) => ({
    field,
    ...(from[field] !== undefined && {
      before: redactRecord({ [field]: from[field] }, secret)[field],
    }),
    ...(to[field] !== undefined && { after: redactRecord({ [field]: to[field] }, secret)[field] }),
  }));
}

/** Whether the versions of a row differ in a field. */
export function differs({ before, after }: RowWrite): boolean {
  return changedFields(valuesOf(before), valuesOf(after)).length > 0;
}

/** The id comes first: new rows get it last, and parsed rows have it first. */
function changedFields(from: Values, to: Values): string[] {
  return Object.keys({ id: undefined, ...from, ...to }).filter((field) => {
    const [one, other] = [from[field], to[field]];
    return one !== other && JSON.stringify(one) !== JSON.stringify(other);
  });
}

function valuesOf(row: Row | undefined): Values {
  return { ...row };
}

/** A transition that a state machine has applied. */
export interface Transition extends Pick<Move, 'id' | 'to'> {
  readonly machine: string;
  readonly name: string;
}

/**
 * Returns every state that writes led to, in order: a payment that is created and completed has two moves.
 *
 * @param machines those of the API
 * @param made the transitions that were applied, in order; those of writes that were rolled back, too
 */
export function movesOf(
  machines: readonly MachineRow[],
  writes: readonly RowWrite[],
  made: readonly Transition[],
): Move[] {
  const left = [...made];
  return writes.flatMap(({ table, id, before, after }) => {
    const known = machines.find((one) => one.table === table);
    if (known === undefined || after === undefined) return [];
    const { name: machine, field } = known;
    const from = valuesOf(before)[field];
    const to = valuesOf(after)[field];
    if (typeof to !== 'string' || from === to) return [];
    if (typeof from !== 'string') return [{ machine, id, to }];
    const at = left.findIndex((one) => one.machine === machine && one.id === id && one.to === to);
    const transition = at === -1 ? undefined : left.splice(at, 1)[0]?.name;
    return [{ machine, id, from, to, ...(transition !== undefined && { transition }) }];
  });
}

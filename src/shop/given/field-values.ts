import * as z from 'zod';
import type { AnyField } from '../../engine/extend/field.ts';
import type { ResourceOptions } from '../../engine/extend/resource.ts';
import { toDate, toTimestamp } from '../../engine/lib/duration.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import { snakeCase } from '../../engine/lib/names.ts';

/** The records that references can name. */
export interface KnownRecords {
  /** Returns the id of the record at a position of a table. */
  idAt(key: string, position: number): number | undefined;
  /** Creates a record of a table, and returns its id. */
  create(key: string): number;
}

interface ValueContext {
  readonly resource: ResourceOptions;
  /** The number of the record, from 1. */
  readonly count: number;
  /** The number of values that were taken before, in the same call. */
  readonly attempt: number;
  /** Whether the value depends on these numbers. A text always does. */
  readonly isVaried: boolean;
  readonly records: KnownRecords;
}

/** Returns a value of a parameter that its form accepts. */
export function valueOf(parameter: string, context: ValueContext): unknown {
  const { resource, count, attempt, isVaried, records } = context;
  const field = resource.fields[parameter];
  if (field?.sent === undefined) return undefined;
  const { sent, reference, stored, options, example } = field;
  const offset = isVaried ? count - 1 : 0;
  if (reference !== undefined) {
    const { table, isList } = reference;
    const first = isVaried ? attempt : 0;
    const idAt = (at: number): number => records.idAt(table, first + at) ?? records.create(table);
    if (!isList) return idAt(0);
    const mayLack = accepts(field, []) && records.idAt(table, first) === undefined;
    return mayLack ? [] : listOf(field, idAt);
  }
  if (options.example !== undefined && !isVaried) return options.example;
  const label = `${resource.singular} ${snakeCase(parameter).replaceAll('_', ' ')}`;
  if (sent instanceof z.ZodEnum) return sent.options[offset % sent.options.length];
  if (typeof example === 'boolean') return offset % 2 === 0 ? example : !example;
  if (typeof example === 'number') return numberOf(field, example + offset, offset);
  if (Array.isArray(example)) return listOf(field, (at) => `${label} ${count + at}`);
  if (stored === Timestamp)
    return toTimestamp(new Date(toDate(String(example)).getTime() + 1000 * offset));
  return textOf(field, typeof options.example === 'string' ? options.example : label, count);
}

function accepts({ sent }: AnyField, value: unknown): boolean {
  return sent?.safeParse(value).success === true;
}

/** Maximum number of items of a list. */
const maxItems = 1000;

/** Returns a list of one item, or of as many as the field requires. */
function listOf<Item>(field: AnyField, itemAt: (position: number) => Item): Item[] {
  const items = [itemAt(0)];
  while (!accepts(field, items) && items.length < maxItems) items.push(itemAt(items.length));
  return items;
}

function numberOf(field: AnyField, wanted: number, offset: number): number {
  if (accepts(field, wanted)) return wanted;
  if (!(field.sent instanceof z.ZodNumber)) return wanted;
  const low = field.sent.minValue ?? wanted;
  return low + (offset % (Math.floor((field.sent.maxValue ?? wanted) - low) + 1));
}

/** Returns a text with a number at its end. */
function textOf(field: AnyField, label: string, count: number): string {
  const text = `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
  const number = String(count);
  const { length } = String(field.example);
  const usual = `${text} ${number}`;
  const rest = text.padEnd(length, '.').slice(0, Math.max(0, length - number.length));
  return accepts(field, usual) ? usual : `${rest}${number}`;
}

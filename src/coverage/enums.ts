import * as z from 'zod';
import type { MachineName } from '../checkout/machines/machine.ts';
import { InventoryState, OrderState } from '../models/order.ts';
import { PaymentState } from '../models/payment.ts';
import { ShipmentState } from '../models/shipment.ts';
import { views } from '../resources/endpoint.ts';
import { sharedView } from '../rest/json.ts';

/** Receives each value of an enum in a response. */
export type EnumSink = (point: EnumPoint, value: string) => void;

/** A place in responses that has one of several values: `Order.state`. */
export interface EnumPoint {
  readonly name: string;
  readonly values: readonly string[];
  /** The state machine whose states the values are. */
  readonly machine: MachineName | undefined;
}

/** Finds the values of enums in responses of one schema. */
export interface EnumReader {
  readonly points: readonly EnumPoint[];
  read(value: unknown, sink: EnumSink): void;
}

const machineOf = new Map<unknown, MachineName>([
  [OrderState, 'order'],
  [PaymentState, 'payment'],
  [ShipmentState, 'shipment'],
  [InventoryState, 'inventory_unit'],
]);

/** The readers of named views, which many responses share. */
const named = new Map<z.ZodType, EnumReader>();

const nothing: EnumReader = { points: [], read: () => undefined };

/** Returns the reader of a schema. `name` is that of the closest view with a name, and the path below it. */
export function enumReader(schema: z.ZodType, name: string): EnumReader {
  const id = views.get(schema)?.id;
  if (id === undefined) return createReader(schema, name);
  const known = named.get(schema) ?? createReader(schema, id);
  named.set(schema, known);
  return known;
}

function createReader(schema: z.ZodType, name: string): EnumReader {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly
  ) {
    return enumReader(schema.unwrap() as z.ZodType, name);
  }
  if (schema instanceof z.ZodEnum) return readerOfEnum(schema, name);
  if (schema instanceof z.ZodObject) return readerOfObject(schema, name);
  if (schema instanceof z.ZodArray) return readerOfList(schema.element as z.ZodType, name);
  if (schema instanceof z.ZodUnion) return readerOfUnion(schema.options as z.ZodType[], name);
  return nothing;
}

function readerOfEnum(schema: z.ZodEnum, name: string): EnumReader {
  const values = schema.options.map(String);
  const point = { name, values, machine: machineOf.get(schema) };
  return {
    points: [point],
    read(value, sink) {
      if (typeof value === 'string') sink(point, value);
    },
  };
}

function readerOfObject({ shape }: z.ZodObject, name: string): EnumReader {
  const fields = Object.entries(shape)
    .map(([key, field]) => [key, enumReader(field as z.ZodType, `${name}.${key}`)] as const)
    .filter(([, { points }]) => points.length > 0);
  return {
    points: fields.flatMap(([, { points }]) => points),
    read(value, sink) {
      const view = typeof value === 'number' ? sharedView(value) : value;
      if (typeof view !== 'object' || view === null) return;
      for (const [key, reader] of fields) {
        const inner = (view as Readonly<Record<string, unknown>>)[key];
        if (inner !== undefined) reader.read(inner, sink);
      }
    },
  };
}

function readerOfList(element: z.ZodType, name: string): EnumReader {
  const item = enumReader(element, `${name}[]`);
  if (item.points.length === 0) return nothing;
  return {
    points: item.points,
    read(value, sink) {
      if (Array.isArray(value)) for (const one of value as unknown[]) item.read(one, sink);
    },
  };
}

/** Of the options, the first one that a value fits by its kind and its fields reads it. */
function readerOfUnion(options: readonly z.ZodType[], name: string): EnumReader {
  const readers = options.map((option) => ({ option, reader: enumReader(option, name) }));
  const points = readers.flatMap(({ reader }) => reader.points);
  if (points.length === 0) return nothing;
  return {
    points,
    read(value, sink) {
      readers.find(({ option }) => fits(option, value))?.reader.read(value, sink);
    },
  };
}

function fits(option: z.ZodType, value: unknown): boolean {
  if (option instanceof z.ZodArray) return Array.isArray(value);
  if (!(option instanceof z.ZodObject)) return option.safeParse(value).success;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(option.shape).every(
    ([key, field]) => field instanceof z.ZodOptional || key in value,
  );
}

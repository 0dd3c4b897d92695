import * as z from 'zod';
import { isObject } from '../lib/json-value.ts';
import { getOrCreate } from '../lib/maps.ts';
import { memoized } from '../lib/memoized.ts';
import type { ApiDefinition } from '../definition/api.ts';

/** Receives each value of an enum in a response. */
export type EnumSink = (point: EnumPoint, value: string) => void;

/** A place in responses that has one of several values: `Order.state`. */
export interface EnumPoint {
  readonly name: string;
  readonly values: readonly string[];
  /** The state machine whose states the values are. */
  readonly machine: string | undefined;
}

/** Finds the values of enums in responses of one schema. */
export interface EnumReader {
  readonly points: readonly EnumPoint[];
  read(value: unknown, sink: EnumSink): void;
  /**
   * Returns a reader of values that are left to find, which looks only where one can be; undefined if none is left.
   *
   * @param openOf returns the values of a point that are left
   */
  prune(openOf: (point: EnumPoint) => ReadonlySet<string>): EnumReader | undefined;
}

/** The part of an API that a reader needs. */
export type EnumApi = Pick<ApiDefinition, 'machines' | 'views' | 'unreachableValues'>;

/** Returns the readers of named views, which many responses share. Memoized. */
const namedReaders = memoized<EnumApi, Map<z.core.$ZodType, EnumReader>>(() => new Map());

export const noReader: EnumReader = {
  points: [],
  read: () => undefined,
  prune: () => undefined,
};

/** Returns the reader of a schema. `name` is that of the closest view with a name, and the path below it. */
export function enumReader(schema: z.core.$ZodType, name: string, api: EnumApi): EnumReader {
  const id = api.views().get(schema)?.id;
  if (id === undefined) return createReader(schema, name, api);
  return getOrCreate(namedReaders(api), schema, () => createReader(schema, id, api));
}

function createReader(schema: z.core.$ZodType, name: string, api: EnumApi): EnumReader {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly
  ) {
    return enumReader(schema.unwrap(), name, api);
  }
  if (schema instanceof z.ZodEnum) return readerOfEnum(schema, name, api);
  if (schema instanceof z.ZodObject) return readerOfObject(schema, name, api);
  if (schema instanceof z.ZodArray)
    return readerOfList(enumReader(schema.element, `${name}[]`, api));
  if (schema instanceof z.ZodUnion) {
    return readerOfUnion(
      schema.options.map((one) => ({ fits: fitOf(one), reader: enumReader(one, name, api) })),
    );
  }
  return noReader;
}

function readerOfEnum(schema: z.ZodEnum, name: string, { machines, unreachableValues }: EnumApi) {
  const all = schema.options.map(String);
  const values = all.filter((value) => unreachableValues?.has(`${name}=${value}`) !== true);
  const machine = machines.find((one) => one.schema === schema)?.name;
  return readerOfValues({ name, values, machine }, new Set(values));
}

function readerOfValues(point: EnumPoint, values: ReadonlySet<string>): EnumReader {
  return {
    points: [point],
    read(value, sink) {
      if (typeof value === 'string' && values.has(value)) sink(point, value);
    },
    prune(openOf) {
      const open = openOf(point);
      return open.size === 0 ? undefined : readerOfValues(point, open);
    },
  };
}

type Fields = readonly (readonly [key: string, reader: EnumReader])[];

function readerOfObject({ shape }: z.ZodObject, name: string, api: EnumApi): EnumReader {
  const fields = Object.entries<z.core.$ZodType>(shape)
    .map(([key, field]) => [key, enumReader(field, `${name}.${key}`, api)] as const)
    .filter(([, { points }]) => points.length > 0);
  return readerOfFields(fields);
}

function readerOfFields(fields: Fields): EnumReader {
  return {
    points: fields.flatMap(([, { points }]) => points),
    read(value, sink) {
      if (!isObject(value)) return;
      if (Array.isArray(value)) {
        for (const one of value) this.read(one, sink);
        return;
      }
      for (const [key, reader] of fields) {
        const inner = value[key];
        if (inner !== undefined && inner !== null) reader.read(inner, sink);
      }
    },
    prune(openOf) {
      const left = fields.flatMap(([key, reader]) => {
        const pruned = reader.prune(openOf);
        return pruned === undefined ? [] : [[key, pruned] as const];
      });
      return left.length === 0 ? undefined : readerOfFields(left);
    },
  };
}

function readerOfList(item: EnumReader): EnumReader {
  if (item.points.length === 0) return noReader;
  return {
    points: item.points,
    read(value, sink) {
      if (Array.isArray(value)) for (const one of value) item.read(one, sink);
    },
    prune(openOf) {
      const left = item.prune(openOf);
      return left && readerOfList(left);
    },
  };
}

interface Option {
  readonly fits: (value: unknown) => boolean;
  readonly reader: EnumReader;
}

/** Of the options, the first one that a value fits by its kind and its fields reads it. */
function readerOfUnion(options: readonly Option[]): EnumReader {
  const points = options.flatMap(({ reader }) => reader.points);
  if (points.length === 0) return noReader;
  return {
    points,
    read(value, sink) {
      options.find(({ fits }) => fits(value))?.reader.read(value, sink);
    },
    prune(openOf) {
      const left = options.map(({ fits, reader }) => ({
        fits,
        reader: reader.prune(openOf) ?? noReader,
      }));
      return left.every(({ reader }) => reader === noReader) ? undefined : readerOfUnion(left);
    },
  };
}

function fitOf(option: z.core.$ZodType): Option['fits'] {
  if (option instanceof z.ZodArray) return Array.isArray;
  if (!(option instanceof z.ZodObject)) return (value) => z.safeParse(option, value).success;
  const required = Object.entries(option.shape).flatMap(([key, field]) =>
    field instanceof z.ZodOptional ? [] : [key],
  );
  return (value) =>
    isObject(value) && !Array.isArray(value) && required.every((key) => key in value);
}

import type * as z from 'zod';
import type { AnyField } from './field.ts';
import {
  bodyShape,
  criteriaShape,
  filterOf,
  recordShape,
  storedName,
  type Fields,
  type StoredName,
} from './field-set.ts';

/** The fields of a record's schema. */
export type RecordShape<All extends Fields> = {
  readonly [Name in keyof All as StoredName<Name, All[Name]>]: All[Name]['isOptional'] extends true
    ? z.ZodOptional<All[Name]['stored']>
    : All[Name]['stored'];
};

type SentOf<One extends AnyField> = NonNullable<One['sent']>;

/** The parameters of a form. */
export type BodyShape<All extends Fields> = {
  readonly [Name in keyof All]: All[Name]['isOptional'] extends true
    ? z.ZodOptional<z.ZodNullable<SentOf<All[Name]>>>
    : SentOf<All[Name]>;
};

/** The filters of a list. */
export type CriteriaShape<All extends Fields> = {
  readonly [
    Name in keyof All as All[Name]['options'] extends { readonly filter: true } ? Name : never
  ]: z.ZodOptional<SentOf<All[Name]>>;
};

type Cleared<Shape> = {
  readonly [Name in keyof Shape as Shape[Name] extends z.ZodOptional ? Name : never]?: undefined;
};

/** The parts of a resource that follow from the fields of its table. */
export interface BaseFields<All extends Fields> {
  /** Their names in records and responses. */
  readonly names: (keyof RecordShape<All> & string)[];
  readonly record: () => RecordShape<All>;
  readonly body: BodyShape<All>;
  readonly criteria: CriteriaShape<All>;
  /** Returns the filter of a list by the criteria of a request. */
  filter(criteria: object | undefined): ReturnType<typeof filterOf>;
  /** Returns the changes of a request in addition to what it sends: a PUT clears optional fields that it omits. */
  cleared(method: string): Cleared<RecordShape<All>>;
}

/**
 * Returns the parts that follow from the fields of a table of an API that is no extension: documents mark none of them.
 * Responses show them all.
 */
export function baseFields<const All extends Fields>(fields: All): BaseFields<All> {
  const entries = Object.entries(fields);
  const optional = entries.filter(([, { isOptional }]) => isOptional);
  const cleared = optional.map((one) => [storedName(...one), undefined] as const);
  const all = {
    names: entries.map((one) => storedName(...one)),
    record: () => recordShape(fields),
    body: bodyShape(fields, withText),
    criteria: criteriaShape(fields, (schema) => schema),
    filter: (criteria: object | undefined) => filterOf(fields, criteria),
    cleared: (method: string) => Object.fromEntries(method === 'PUT' ? cleared : []),
  };
  // The names in the types are those of the fields, which TypeScript does not follow through entries.
  return all as BaseFields<All>;
}

function withText(schema: z.ZodType, _: string, { options }: AnyField): z.ZodType {
  return options.description === undefined ? schema : schema.describe(options.description);
}

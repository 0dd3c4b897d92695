import * as z from 'zod';
import { Timestamp } from '../lib/fields.ts';
import {
  anyText,
  decimal,
  flag,
  integer,
  listOf,
  oneOf,
  reference,
  referred,
  text,
} from '../rest/field.ts';
import { notValid } from '../rest/form.ts';

/** The options of every kind of field. */
export interface FieldOptions<Value> {
  /** Its name in records and responses (default: the name of the parameter in snake_case). */
  readonly as?: string;
  /** Says in documents what it is. */
  readonly description?: string;
  /** Whether records may lack it (default: false). A request that omits it in a PUT, or sends it empty, clears it. */
  readonly optional?: boolean;
  /** The value of records that were created without it. */
  readonly default?: Value;
  /** Whether lists can be filtered by it: `criteria[loyaltyPoints]=5`. A text matches its parts. */
  readonly filter?: boolean;
  /** Whether lists can be sorted by it: `sorting[loyaltyPoints]=desc`. */
  readonly sort?: boolean;
  /** A value for the examples of documents. */
  readonly example?: Value;
  /**
   * Whether its values are masked wherever requests are recorded and records are shown (default: false): in the journal, the history,
   * traces, HAR, the studio. Responses to clients and exports of the back office have them.
   */
  readonly secret?: boolean;
  /** Whether its texts are about no person, so that `pull --anonymise` leaves them (default: false, they are replaced). */
  readonly public?: boolean;
}

/** The effect on records whose field refers to a record that a client deletes. */
export type OnDelete = 'refuse' | 'delete' | 'clear';

/** A reference to records of a table. */
export interface Reference {
  /** The key of the table: `users`, `blogArticles`. */
  readonly table: string;
  readonly onDelete: OnDelete;
  readonly isList: boolean;
}

/**
 * One field: its parameter in requests, its value in records and in responses, and its filter.
 *
 * @property Value the type of its value in records
 * @property Optional whether records may lack it
 * @property As its name in records, if its option `as` says so
 */
export interface Field<
  Value = unknown,
  Optional extends boolean = boolean,
  As extends string = string,
> {
  readonly isOptional: Optional;
  readonly options: FieldOptions<unknown> & { readonly as?: As };
  /** The schema of its value in records and responses. */
  readonly stored: z.ZodType<Value>;
  /** The schema of its parameter. A computed field has none. */
  readonly sent?: z.ZodType | undefined;
  /** The schema of its filter (default: that of its parameter). */
  readonly criterion?: z.ZodType;
  readonly reference?: Reference;
  /** Whether requests send it in the unit of the setting `requestMoney`. */
  readonly isMoney?: true;
  readonly example: Value | undefined;
  compute?(record: never): Value;
}

/** Any field, of which nothing is known but that it is one. */
export type AnyField = Field;

type IsOptional<Options> = Options extends { readonly optional: true } ? true : false;
type AsOf<Options> = Options extends { readonly as: infer As extends string } ? As : string;
type FieldWith<Value, Options> = Field<Value, IsOptional<Options>, AsOf<Options>>;

/** A field whose schemas have the methods of their kind. */
type KindOf<Value, Options, Schema extends z.ZodType<Value>> = FieldWith<Value, Options> & {
  readonly stored: Schema;
  readonly sent: Schema;
  readonly options: Options;
};

function fieldOf<Value, const Options extends FieldOptions<Value>>(
  parts: Pick<Field<Value>, 'stored' | 'sent' | 'example' | 'criterion' | 'reference' | 'isMoney'>,
  options: Options | undefined,
): FieldWith<Value, Options> {
  const isOptional = options?.optional === true;
  const example = options?.example ?? options?.default ?? parts.example;
  // No type follows whether a part of a generic type is there.
  return { ...parts, isOptional, options: options ?? {}, example } as FieldWith<Value, Options>;
}

export interface TextOptions extends Bounds {
  /** Its name in messages: `Brand must be at least 2 characters long.` (default: `This value`) */
  readonly label?: string;
}

export interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

function withMax<Schema extends z.ZodNumber>(schema: Schema, max: number | undefined): Schema {
  return max === undefined ? schema : schema.max(max, `This value should be ${max} or less.`);
}

/** A text of 1 to 255 characters, or as `min` and `max` say: without a maximum if it is `Infinity`. */
export function textField<const Options extends FieldOptions<string> & TextOptions>(
  options?: Options,
): KindOf<string, Options, z.ZodString> {
  const { min = 1, max = 255, label } = options ?? {};
  const about = label === undefined ? { min } : { min, label };
  const stored = z.string();
  const sent = max === Infinity ? anyText(about) : text({ ...about, max });
  const example = 'An example'.padEnd(min, '.').slice(0, max);
  const field = fieldOf<string, Options>({ stored, sent, criterion: anyText(), example }, options);
  return { ...field, stored, sent, options: field.options as typeof field.options & Options };
}

/** A field of these schemas. */
export function schemaField<Value, Stored extends z.ZodType<Value>, Sent extends z.ZodType>(
  stored: Stored,
  sent: Sent,
) {
  return { ...fieldOf<Value, object>({ stored, sent, example: undefined }, {}), stored, sent };
}

/** An integer. */
function integerField<const Options extends FieldOptions<number> & Bounds>(options?: Options) {
  const { min, max } = options ?? {};
  const schema = withMax(integer(min === undefined ? {} : { min }), max);
  return fieldOf<number, Options>(
    {
      stored: schema,
      sent: schema,
      criterion: z.int({ error: notValid }),
      example: Math.max(min ?? 1, 1),
    },
    options,
  );
}

/** A number with or without decimals, 0 or more unless `min` says otherwise. */
function decimalField<const Options extends FieldOptions<number> & Bounds>(options?: Options) {
  const { min = 0, max } = options ?? {};
  const tooSmall = `This value should be ${min} or more.`;
  const schema = withMax(decimal({ min, tooSmall }), max);
  return fieldOf<number, Options>(
    {
      stored: schema,
      sent: schema,
      criterion: z.number({ error: notValid }),
      example: Math.max(min, 1.5),
    },
    options,
  );
}

/**
 * An amount of money in minor units, from 0 to 10^12 unless `min` and `max` say otherwise. Requests send it as the contract's
 * prices.
 */
function moneyField<const Options extends FieldOptions<number> & Bounds>(options?: Options) {
  const { min = 0, max = 1e12 } = options ?? {};
  const sent = withMax(decimal({ min, tooSmall: `This value should be ${min} or more.` }), max);
  return fieldOf<number, Options>(
    {
      stored: z.int().min(min),
      sent,
      criterion: z.int({ error: notValid }),
      example: Math.max(min, 500),
      isMoney: true,
    },
    options,
  );
}

/** A boolean. */
function flagField<const Options extends FieldOptions<boolean>>(options?: Options) {
  return fieldOf<boolean, Options>({ stored: z.boolean(), sent: flag(), example: true }, options);
}

/** A part of a time, by which a list is filtered: `2026-03-02`. */
const partOfTime = anyText().regex(/^[\d:+TZ -]+$/, notValid);

/** A time: `2026-03-02T09:00:00+0000`. */
function timeField<const Options extends FieldOptions<string>>(options?: Options) {
  const sent = anyText().refine((value) => Timestamp.safeParse(value).success, notValid);
  const example = '2026-03-02T09:00:00+0000';
  return fieldOf<string, Options>(
    { stored: Timestamp, sent, criterion: partOfTime, example },
    options,
  );
}

/** One of some texts. */
function oneOfField<const Value extends string, const Options extends FieldOptions<NoInfer<Value>>>(
  values: readonly Value[],
  options?: Options,
) {
  const schema = oneOf(values);
  const stored = schema as z.ZodType<Value>;
  return fieldOf<Value, Options>({ stored, sent: schema, example: values[0] }, options);
}

/** A list of texts. */
function textsField<const Options extends FieldOptions<readonly string[]> & Bounds>(
  options?: Options,
) {
  return listField({ item: text(), stored: z.string(), example: ['an example'] }, options);
}

/** The id of a record of a table. Clients send it as a number and get it as one, with a link to the record. */
function refField<const Options extends FieldOptions<number> & ReferenceOptions>(
  table: string,
  options?: Options,
) {
  return fieldOf<number, Options>(
    {
      stored: z.int().register(referred, { table }),
      sent: reference(table),
      example: 1,
      reference: referenceTo(table, false, options),
    },
    options,
  );
}

/** The ids of records of a table. */
function refsField<
  const Options extends FieldOptions<readonly number[]> & ReferenceOptions & Bounds,
>(table: string, options?: Options) {
  return {
    ...listField(
      {
        item: reference(table),
        stored: z.int().register(referred, { table }),
        example: [1],
      },
      options,
    ),
    reference: referenceTo(table, true, options),
  };
}

export interface ReferenceOptions {
  /** When a client deletes the record that it refers to (default: the deletion is refused). */
  readonly onDelete?: OnDelete;
}

function referenceTo(
  table: string,
  isList: boolean,
  { onDelete = 'refuse' }: ReferenceOptions = {},
): Reference {
  return { table, isList, onDelete };
}

function listField<Item, const Options extends FieldOptions<readonly Item[]> & Bounds>(
  parts: {
    readonly item: z.ZodType;
    readonly stored: z.ZodType<Item>;
    readonly example: readonly Item[];
  },
  options?: Options,
) {
  const { min = 0, max = 1000 } = options ?? {};
  const sent = listOf(parts.item)
    .min(min, `This collection should contain ${min} elements or more.`)
    .max(max, `This collection should contain ${max} elements or less.`);
  const { item: criterion, example } = parts;
  const stored = z.array(parts.stored).readonly() as z.ZodType<readonly Item[]>;
  return fieldOf<readonly Item[], Options>({ stored, sent, criterion, example }, options);
}

/** A field of which records have no value. */
export interface ComputedField<Value = unknown> extends Field<Value, true> {
  compute(record: never): Value;
}

/**
 * A value that is computed from the record whenever it is shown. It must depend on nothing else.
 *
 * @param compute gets the record: `(user: { loyalty_points: number }) => …`
 * @param like a field with the schema of the value, for documents (default: any value)
 */
function computedField<Value>(
  compute: (record: never) => Value,
  like?: Field<Value>,
): ComputedField<Value> {
  const options = like?.options ?? {};
  const stored = like?.stored ?? (z.unknown() as z.ZodType<Value>);
  return { stored, compute, options, isOptional: true, example: undefined };
}

/** The kinds of fields. */
export const field = {
  text: textField,
  integer: integerField,
  decimal: decimalField,
  money: moneyField,
  flag: flagField,
  time: timeField,
  oneOf: oneOfField,
  texts: textsField,
  ref: refField,
  refs: refsField,
  computed: computedField,
};

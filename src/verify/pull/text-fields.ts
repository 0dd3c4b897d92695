import * as z from 'zod';
import type { ApiDefinition } from '../../engine/definition/api.ts';
import { Timestamp } from '../../engine/lib/fields.ts';
import { isObject } from '../../engine/lib/json-value.ts';
import { fieldsOf, unwrapped } from '../../engine/lib/schema-parts.ts';
import type { AnyDefinition } from '../../engine/store/database.ts';

type Values = Readonly<Record<string, unknown>>;

type TextKind = NonNullable<AnyDefinition['texts']>[string];

/** The kinds of texts that are about persons. */
export type PersonKind = Exclude<TextKind, 'public' | 'code'>;

/** What is replaced. */
export type ReplacedKind = PersonKind | 'dates' | 'other texts';

/** What stays: `listed` is one of the texts that a schema lists, or has its pattern; `kept` is kept on request. */
export type FieldKind = TextKind | ReplacedKind | 'kept' | 'listed' | 'times';

/** A text of a record, and where it is. */
export interface RecordText {
  readonly definition: AnyDefinition;
  readonly record: Values;
  /** `note`, or `recipient.note` of a group of fields. */
  readonly field: string;
  readonly text: string;
  readonly kind: FieldKind;
}

/** Fields by their tables: `products.description`. Those of a group have all fields in it. */
export interface FieldChoices {
  /** Fields that are replaced, too. */
  readonly replace: readonly string[];
  /** Fields that stay as they are. */
  readonly keep: readonly string[];
}

export function isReplaced(kind: FieldKind): kind is ReplacedKind {
  return !['public', 'code', 'kept', 'listed', 'times'].includes(kind);
}

/** Finds out what each text of some records is about. What is known to be about no person stays, and all else is replaced. */
export class TextFields {
  readonly #choices: FieldChoices;

  constructor(choices: FieldChoices) {
    this.#choices = choices;
  }

  /** Calls a function with each text of a record, and returns the record with what the function returns. */
  map(definition: AnyDefinition, record: Values, map: (text: RecordText) => string): Values {
    const mapped = (
      value: unknown,
      schema: z.core.$ZodType | undefined,
      field: string,
    ): unknown => {
      if (typeof value === 'string') {
        const kind = this.#kindOf(definition, field, schema);
        return map({ definition, record, field, text: value, kind });
      }
      if (Array.isArray(value)) return value.map((one) => mapped(one, innerOf(schema), field));
      return isObject(value) ? inside(value, schema, field) : value;
    };
    const inside = (value: Values, schema: z.core.$ZodType | undefined, field: string): Values => {
      const shape = schema && unwrapped(schema);
      // What a schema does not know, no shop reads.
      const names = Object.keys(value).filter(
        (name) => !(shape instanceof z.ZodObject) || Object.hasOwn(shape.shape, name),
      );
      const entries = names.map((name) => {
        const path = field === '' ? name : `${field}.${name}`;
        return [name, mapped(value[name], innerOf(schema, name), path)] as const;
      });
      return Object.fromEntries(entries);
    };
    return inside(record, definition.schema, '');
  }

  #kindOf(
    { name: table, secret, texts = {} }: AnyDefinition,
    field: string,
    schema: z.core.$ZodType | undefined,
  ): FieldKind {
    const path = `${table}.${field}`;
    const isChosen = (one: string): boolean => path === one || path.startsWith(`${one}.`);
    const isReplacedToo = this.#choices.replace.some(isChosen);
    if (this.#choices.keep.some(isChosen)) return 'kept';
    const [name = ''] = field.split('.');
    if (schema !== undefined && unwrapped(schema) === Timestamp) {
      const isEvent = event.test(field) || texts[name] === 'public';
      return isEvent && !isReplacedToo ? 'times' : 'dates';
    }
    if (isReplacedToo) return 'other texts';
    if (isListed(schema)) return 'listed';
    return secret?.has(name) === true ? 'tokens' : (texts[name] ?? 'other texts');
  }
}

/** Returns the paths of all fields of text and of times: `products.attributes.value`. */
export function textFieldsOf({ tables }: ApiDefinition): string[] {
  const pathsIn = (schema: z.core.$ZodType, path: string): string[] => {
    const inner = unwrapped(schema);
    if (inner instanceof z.ZodArray) return pathsIn(inner.element, path);
    if (inner instanceof z.ZodRecord) return [path];
    if (!(inner instanceof z.ZodObject))
      return inner === Timestamp || !isListed(inner) ? [path] : [];
    const fields = Object.entries<z.core.$ZodType>(inner.shape);
    return fields.flatMap(([name, one]) => pathsIn(one, `${path}.${name}`));
  };
  return Object.values(tables).flatMap(({ name, schema }) => pathsIn(schema, name));
}

/** The names of times at which something happens in a shop. */
const event = /(^|_)(at|on|login)$/;

/** Returns the schema of an element of a list, or of a field of an object. */
function innerOf(schema: z.core.$ZodType | undefined, name?: string): z.core.$ZodType | undefined {
  const outer = schema && unwrapped(schema);
  if (name === undefined) return outer instanceof z.ZodArray ? outer.element : undefined;
  return outer instanceof z.ZodRecord ? outer.valueType : fieldsOf(outer)[name];
}

/** Whether a schema accepts some texts only: those that it lists, or those of a pattern. */
function isListed(schema: z.core.$ZodType | undefined): boolean {
  if (schema === undefined) return false;
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion) return inner.options.every((one) => isListed(one));
  return inner instanceof z.ZodEnum || inner instanceof z.ZodLiteral || !mayBeText(inner);
}

function mayBeText(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodString)
    return !(schema.def.checks ?? []).some(({ _zod: { def } }) => def.check === 'string_format');
  return !(schema instanceof z.ZodNumber || schema instanceof z.ZodBoolean);
}

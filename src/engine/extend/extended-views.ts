import * as z from 'zod';
import { lazyObject } from '../lib/lazy-object.ts';
import { Fragment } from '../rest/json.ts';
import type { TextParts } from '../rest/text-parts.ts';
import type { SchemaNames } from '../rest/openapi-schemas.ts';
import type { EngineShop } from '../definition/api.ts';
import type { Row } from '../store/row.ts';
import { noteBase } from './base-views.ts';
import { shownFields, shownText, viewShape, type Fields } from './field-set.ts';

/** What changes in a view. */
export interface ViewChange {
  /** Returns fields of its schema, in the place of those of the same names. */
  shape(): z.ZodRawShape;
  /** Returns the same fields of a value of the view. */
  values(view: Readonly<Record<string, unknown>>, shop: EngineShop): object | undefined;
  /** Changes the cached text of a value that has no other view in it. */
  text?(text: TextParts, shop: EngineShop): TextParts;
}

type Change = (value: unknown, shop: EngineShop) => unknown;

/** Changes views in responses, wherever they stand, and the schemas of responses. */
export class ExtendedViews {
  readonly #added: ReadonlyMap<z.ZodType, ViewChange>;
  readonly #schemas: Map<z.ZodType, z.ZodType>;
  /** The views without what changes. */
  readonly #bare: ExtendedViews | undefined;
  readonly #changes = new Map<z.ZodType, Change | undefined>();

  /**
   * @param added what changes, by the schema of the view
   * @param replaced schemas that stand in the place of others
   */
  constructor(
    added: ReadonlyMap<z.ZodType, ViewChange>,
    replaced: ReadonlyMap<z.ZodType, z.ZodType>,
  ) {
    this.#added = added;
    this.#schemas = new Map(replaced);
    this.#bare = added.size === 0 ? undefined : new ExtendedViews(new Map(), replaced);
  }

  /** Returns the schema of an extended response: the same one if nothing in it is extended. */
  schemaOf(schema: z.ZodType): z.ZodType {
    const known = this.#schemas.get(schema);
    if (known !== undefined) return known;
    const extended = this.#extend(schema);
    const description = z.globalRegistry.get(schema)?.description;
    if (extended !== schema && description !== undefined) extended.meta({ description });
    if (extended !== schema) noteBase(extended, schema);
    this.#schemas.set(schema, extended);
    return extended;
  }

  #extend(schema: z.ZodType): z.ZodType {
    if (schema instanceof z.ZodOptional) return this.#wrap(schema, schema.unwrap(), z.optional);
    if (schema instanceof z.ZodNullable) return this.#wrap(schema, schema.unwrap(), z.nullable);
    if (schema instanceof z.ZodArray) return this.#wrap(schema, schema.element, z.array);
    if (schema instanceof z.ZodRecord)
      return this.#wrap(schema, schema.valueType, (inner) => z.record(z.string(), inner));
    if (schema instanceof z.ZodUnion) {
      const options = schema.options as readonly z.ZodType[];
      const extended = options.map((option) => this.schemaOf(option));
      return extended.some((option, at) => option !== options[at]) ? z.union(extended) : schema;
    }
    if (!(schema instanceof z.ZodObject)) return schema;
    const { catchall } = schema.def;
    const own = this.#added.get(schema);
    const shape = schema.shape as Readonly<Record<string, z.ZodType>>;
    const parts = Object.entries(shape).map(([name, part]) => [name, this.schemaOf(part)] as const);
    if (own === undefined && parts.every(([name, part]) => part === shape[name])) return schema;
    return lazyObject(
      () => ({ ...Object.fromEntries(parts), ...own?.shape() }),
      catchall && { catchall },
    );
  }

  #wrap(
    schema: z.ZodType,
    inner: z.core.$ZodType,
    again: (inner: z.ZodType) => z.ZodType,
  ): z.ZodType {
    const extended = this.schemaOf(inner as z.ZodType);
    return extended === inner ? schema : again(extended);
  }

  /** Returns what extends a value of a schema, if something in it is extended. */
  changeOf(schema: z.ZodType): Change | undefined {
    if (!this.#changes.has(schema)) this.#changes.set(schema, this.#changeOf(schema));
    return this.#changes.get(schema);
  }

  #changeOf(schema: z.ZodType): Change | undefined {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
      const change = this.changeOf(schema.unwrap() as z.ZodType);
      return (
        change &&
        ((value, shop) => (value === null || value === undefined ? value : change(value, shop)))
      );
    }
    if (schema instanceof z.ZodArray) {
      const change = this.changeOf(schema.element as z.ZodType);
      return (
        change && ((value, shop) => (partOf(value) as unknown[]).map((item) => change(item, shop)))
      );
    }
    if (schema instanceof z.ZodRecord) return this.#changeOfRecord(schema);
    if (schema instanceof z.ZodUnion) return this.#changeOfUnion(schema);
    return schema instanceof z.ZodObject ? this.#changeOfObject(schema) : undefined;
  }

  /** A value is of the first option whose schema accepts it. */
  #changeOfUnion(schema: z.ZodUnion): Change | undefined {
    const options = (schema.options as readonly z.ZodType[]).map((option) => ({
      option: this.#bare?.schemaOf(option) ?? option,
      change: this.changeOf(option),
    }));
    if (options.every(({ change }) => change === undefined)) return undefined;
    return (value, shop) => {
      // Fragments stand for parts at any depth.
      const plain: unknown = JSON.parse(JSON.stringify(value));
      const found = options.find(({ option }) => option.safeParse(plain).success);
      return found?.change === undefined ? value : found.change(value, shop);
    };
  }

  /** Views in a record are by their ids. */
  #changeOfRecord(schema: z.ZodRecord): Change | undefined {
    const change = this.changeOf(schema.valueType as z.ZodType);
    return (
      change &&
      ((value, shop) => {
        const changed = Object.entries(partOf(value) as object).map(([key, view]) => {
          const one = change(view, shop);
          const { id = key } = partOf(one) as { readonly id?: number | string };
          return [id, one] as const;
        });
        return Object.fromEntries(changed);
      })
    );
  }

  #changeOfObject(schema: z.ZodObject): Change | undefined {
    const parts = Object.entries(schema.shape).flatMap(([name, part]) => {
      const change = this.changeOf(part as z.ZodType);
      return change === undefined ? [] : [{ name, change }];
    });
    const own = this.#added.get(schema);
    if (own === undefined && parts.length === 0) return undefined;
    return (value, shop) => {
      const text = parts.length === 0 && own?.text !== undefined ? textOf(value) : undefined;
      if (text !== undefined) return Fragment.of(own!.text!(text, shop));
      const view = partOf(value) as Readonly<Record<string, unknown>>;
      const extended = { ...view };
      for (const { name, change } of parts)
        if (view[name] !== undefined) extended[name] = change(view[name], shop);
      return Object.assign(extended, own?.values(view, shop));
    };
  }

  /** Returns the names of views, with those that were extended so far in the place of the original ones. */
  namesOf(names: SchemaNames): SchemaNames {
    const extended: SchemaNames = z.registry<{ id: string }>();
    for (const [id, schema] of names._idmap)
      extended.add(this.schemaOf(schema as z.ZodType), { id });
    return extended;
  }
}

/** Returns the part for which a fragment stands. */
function partOf(value: unknown): unknown {
  return value instanceof Fragment ? value.value : value;
}

/** Returns the cached text of a record, if a value stands for it. */
function textOf(value: unknown): TextParts | undefined {
  if (!(value instanceof Fragment)) return undefined;
  const { content } = value;
  return Array.isArray(content) && typeof content[0] === 'string' ? content : undefined;
}

/** Adds fields to the views of a table. @param key the key of the table */
export function addedFields(key: string, fields: Fields): ViewChange {
  const shown = shownFields(fields);
  const textOfFields = shownText(fields);
  const find = (id: unknown, { db }: EngineShop): Row | undefined =>
    db[key]?.getWithDeleted(id as number);
  return {
    shape: () => viewShape(fields),
    values({ id }, shop) {
      const record = find(id, shop);
      return record && shown(record);
    },
    // The text of a record begins with its id.
    text(text, shop) {
      const record = find(Number.parseInt((text[0] as string).slice(6), 10), shop);
      const last = text.at(-1) as string;
      return record === undefined
        ? text
        : [...text.slice(0, -1), `${last.slice(0, -1)}${textOfFields(record)}}`];
    },
  };
}

import * as z from 'zod';
import type { SchemaNames } from '../rest/openapi-schemas.ts';
import type { EngineShop } from '../definition/api.ts';
import type { Row } from '../store/row.ts';
import { noteBase } from './base-views.ts';
import { extended, withParts, type Change, type Changed } from './changed-schema.ts';
import { shownFields, valuesOf, viewShape, type Fields } from './field-set.ts';

/** The change of a view. */
export interface ViewChange {
  /** Returns fields of its schema, in the place of those of the same names. */
  shape(): z.ZodRawShape;
  /** Returns the same fields of a value of the view. */
  values(view: Readonly<Record<string, unknown>>, shop: EngineShop): object | undefined;
}

type ChangedView = Changed<EngineShop>;

/** Changes views in responses, wherever they stand, and the schemas of responses. */
export class ExtendedViews {
  readonly #added: ReadonlyMap<z.core.$ZodType, ViewChange>;
  readonly #replaced: ReadonlyMap<z.core.$ZodType, z.ZodType>;
  /** The views without what changes. */
  readonly #bare: ExtendedViews | undefined;
  readonly #known = new Map<z.core.$ZodType, ChangedView | undefined>();

  /**
   * @param added what changes, by the schema of the view
   * @param replaced schemas that stand in the place of others
   */
  constructor(
    added: ReadonlyMap<z.core.$ZodType, ViewChange>,
    replaced: ReadonlyMap<z.core.$ZodType, z.ZodType>,
  ) {
    this.#added = added;
    this.#replaced = replaced;
    this.#bare = added.size === 0 ? undefined : new ExtendedViews(new Map(), replaced);
  }

  /** Returns the schema of an extended response: the same one if nothing in it is extended. */
  schemaOf<Schema extends z.core.$ZodType>(schema: Schema): Schema | z.ZodType {
    return this.#changed(schema)?.schema ?? schema;
  }

  /** Returns the function that extends a value of a schema, if something in it is extended. */
  changeOf(schema: z.core.$ZodType): Change<EngineShop> | undefined {
    return this.#changed(schema)?.change;
  }

  #changed(schema: z.core.$ZodType): ChangedView | undefined {
    if (!this.#known.has(schema)) {
      const changed = this.#make(schema);
      if (changed !== undefined) noteBase(changed.schema, schema);
      this.#known.set(schema, changed);
    }
    return this.#known.get(schema);
  }

  #make(schema: z.core.$ZodType): ChangedView | undefined {
    const replaced = this.#replaced.get(schema);
    if (replaced !== undefined) return { schema: replaced };
    if (schema instanceof z.ZodUnion) return this.#ofUnion(schema.options);
    const changed = withParts<EngineShop>(schema, (part) => this.#changed(part));
    const addition = this.#added.get(schema);
    if (addition === undefined || !(schema instanceof z.ZodObject)) return changed;
    return withOwn(addition, changed ?? { schema });
  }

  /** A value is of the first option whose schema accepts it. */
  #ofUnion(options: readonly z.core.$ZodType[]): ChangedView | undefined {
    if (options.every((option) => this.#changed(option) === undefined)) return undefined;
    const schema = z.union(options.map((option) => this.schemaOf(option)));
    if (options.every((option) => this.changeOf(option) === undefined)) return { schema };
    const change: Change<EngineShop> = (value, shop) => {
      const found = options.find(
        (option) => z.safeParse(this.#bare?.schemaOf(option) ?? option, value).success,
      );
      return (found && this.changeOf(found)?.(value, shop)) ?? value;
    };
    return { schema, change };
  }

  /** Returns the names of views, with those that were extended so far in the place of the original ones. */
  namesOf(names: SchemaNames): SchemaNames {
    const all: SchemaNames = z.registry<{ id: string }>();
    for (const [id, schema] of names._idmap) all.add(this.schemaOf(schema), { id });
    return all;
  }
}

function withOwn(addition: ViewChange, { schema, change }: ChangedView): ChangedView {
  if (!(schema instanceof z.ZodObject)) return { schema, change };
  return {
    schema: extended(schema, addition.shape()),
    change(value, shop) {
      const view = valuesOf(value);
      return { ...valuesOf(change?.(view, shop) ?? view), ...addition.values(view, shop) };
    },
  };
}

/** Adds fields to the views of a table. @param key the key of the table */
export function addedFields(key: string, fields: Fields): ViewChange {
  const shown = shownFields(fields);
  const find = (id: unknown, { db }: EngineShop): Row | undefined =>
    typeof id === 'number' ? db[key]?.getWithDeleted(id) : undefined;
  return {
    shape: () => viewShape(fields),
    values({ id }, shop) {
      const record = find(id, shop);
      return record && shown(record);
    },
  };
}

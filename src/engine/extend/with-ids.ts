import * as z from 'zod';
import type { ApiDefinition, ApiEndpoint, EngineShop, IdTranslations } from '../definition/api.ts';
import { isObject, mapValues, valueAt } from '../lib/json-value.ts';
import { once } from '../lib/memoized.ts';
import { snakeCase } from '../lib/names.ts';
import { Problem, truncate } from '../lib/problem.ts';
import type { Example } from '../rest/endpoint.ts';
import { ExtendedViews, type ViewChange } from './extended-views.ts';
import type { ExtendedApi, IdKinds } from './extension.ts';
import { camelCase, valuesOf } from './field-set.ts';
import { IdPaths } from './id-paths.ts';
import { idRow } from './id-row.ts';
import { idFields, outsideOf, type IdTables } from './id-schemas.ts';
import { RowTables } from './row-tables.ts';
import type { Resources } from './resource.ts';
import { memoizedUuids, type UuidsOf } from './record-uuids.ts';
import { shownIds, type Uuids } from './shown-ids.ts';

/** Returns the API whose clients know the records of some tables by UUIDs. */
export function withIds(plain: ExtendedApi, kinds: IdKinds): ExtendedApi {
  const keys = Object.keys(kinds);
  if (keys.length === 0) return plain;
  const { resources, endpoints } = plain;
  const uuidsOf = memoizedUuids();
  const tables = { names: namesOf(plain, keys), isShown: (key: string) => keys.includes(key) };
  const views = new ExtendedViews(idViews(resources, tables, uuidsOf), new Map());
  const paths = new IdPaths(endpoints, new RowTables(endpoints, resources), tables);
  const context = { tables, views, paths, uuidsOf };
  const rows = endpoints.map((row) => idRow(row, context));
  const ids = shownIds(rows, context);
  return {
    ...plain,
    plain,
    ids,
    kinds,
    endpoints: rows.map(({ row }) => {
      // The scenario may be a file, which is read when it is needed.
      const example = once(() => exampleOf(row, ids, { seed: seedOf(plain) }));
      return Object.defineProperty({ ...row }, 'example', { enumerable: true, get: example });
    }),
    resources: mapValues(resources, (one) => ({
      ...one,
      views: mapValues(one.views, (view) => views.schemaOf(view)),
    })),
    officeMethods(shop, atomic) {
      const methods = valuesOf(plain.officeMethods?.(shop, atomic));
      return {
        ...mapValues(methods, (part) => (isObject(part) ? ids.accepting(shop, part) : part)),
        ...translations(shop, ids, keys),
        db: ids.collections(shop),
      };
    },
    views: once(() => views.namesOf(plain.views())),
  };
}

/** Returns the names that refer to records with UUIDs: `order`, `order_id`, and the parameters of requests. */
function namesOf(
  { tables, resources }: ExtendedApi,
  keys: readonly string[],
): ReadonlyMap<string, string> {
  const names = keys.flatMap((key) => {
    const singular = snakeCase(tables[key]?.singular ?? key).replaceAll(' ', '_');
    const all = [camelCase(singular), `${singular}_id`, ...(resources[key]?.parameters ?? [])];
    return all.map((name) => [name, key] as const);
  });
  return new Map(names);
}

/** Returns the changes of the views of all tables: their ids, and their references to records with UUIDs. */
function idViews(
  resources: Resources,
  tables: IdTables,
  uuidsOf: UuidsOf,
): ReadonlyMap<z.ZodType, ViewChange> {
  const changes = Object.entries(resources).flatMap(([key, { views, parts = [] }]) =>
    [...Object.values(views), ...parts].flatMap((view) => {
      const fields = view instanceof z.ZodObject ? idFields(view, key, tables) : [];
      return fields.length === 0 ? [] : [[view, viewChange(fields, uuidsOf)] as const];
    }),
  );
  return new Map(changes);
}

function viewChange(fields: ReturnType<typeof idFields>, uuidsOf: UuidsOf): ViewChange {
  return {
    shape: () => Object.fromEntries(fields.map(([name, { schema }]) => [name, schema])),
    values(view, shop) {
      const each = outsideOf(uuidsOf(shop));
      const shown = fields.filter(([name]) => view[name] !== undefined);
      return Object.fromEntries(
        shown.map(([name, { change }]) => [name, change?.(view[name], each)]),
      );
    },
  };
}

/** Returns an example with the UUIDs of the default scenario. */
function exampleOf(
  { method, example }: ApiEndpoint,
  ids: Uuids,
  shop: { readonly seed: number },
): Example {
  const before = example.before?.map((one) => ({ ...one, ...ids.sent(shop, one) }));
  return { ...example, ...ids.sent(shop, { ...example, method }), ...(before && { before }) };
}

function seedOf({ sources }: ApiDefinition): number {
  const seed = valueAt(sources.scenarios, ['default', 'seed']);
  return typeof seed === 'number' ? seed : 1;
}

function translations(shop: EngineShop, ids: Uuids, keys: readonly string[]): IdTranslations {
  return {
    uuidOf(table, id) {
      const shown = ids.of(shop, table, id);
      if (typeof shown === 'string') return shown;
      throw new Problem('missing', `There are no UUIDs of ${table}: ${keys.join(', ')} have some.`);
    },
    idOf(table, uuid) {
      const id = ids.idOf(shop, table, uuid);
      if (id !== undefined) return id;
      throw new Problem('missing', `No record of ${table} has the UUID ${truncate(uuid)}.`);
    },
  };
}

import * as z from 'zod';
import type { ApiDefinition, ApiEndpoint, IdTranslations } from '../definition/api.ts';
import { isObject, mapValues, valueAt } from '../lib/json-value.ts';
import { once } from '../lib/memoized.ts';
import { snakeCase } from '../lib/names.ts';
import { Problem, truncate } from '../lib/problem.ts';
import type { Example } from '../rest/endpoint.ts';
import { changeFields } from './changed-schema.ts';
import { ExtendedViews, type ViewChange } from './extended-views.ts';
import type { ExtendedApi, IdKinds } from './extension.ts';
import { camelCase, valuesOf } from './field-set.ts';
import { IdMessages } from './id-messages.ts';
import { IdPaths } from './id-paths.ts';
import { idRow } from './id-row.ts';
import { idFields, outsideOf, uuidSchema, type IdTables } from './id-schemas.ts';
import { RowTables } from './row-tables.ts';
import type { Resources } from './resource.ts';
import { memoizedUuids, type RecordUuids, type UuidsOf } from './record-uuids.ts';
import { ShownUuids } from './shown-uuids.ts';

/** Returns the API whose clients know the records of some tables by UUIDs. */
export function withIds(plain: ExtendedApi, kinds: IdKinds): ExtendedApi {
  const keys = Object.keys(kinds);
  if (keys.length === 0) return plain;
  const { resources, endpoints } = plain;
  const uuidsOf = memoizedUuids();
  const tables = idTables(resources, keys);
  const views = new ExtendedViews(idViews(resources, tables, uuidsOf), new Map());
  const paths = new IdPaths(endpoints, new RowTables(endpoints, resources), tables);
  const messages = new IdMessages(plain.tables, keys);
  const context = { tables, views, paths, messages, uuidsOf };
  const rows = endpoints.map((row) => idRow(row, context));
  const ids = new ShownUuids(rows, context, namesOf(plain, keys));
  return {
    ...plain,
    plain,
    ids,
    kinds,
    endpoints: rows.map(({ row }) => {
      // The scenario may be a file, which is read when it is needed.
      const example = once(() => exampleOf(row, ids, seedOf(plain)));
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
        ...translations(() => uuidsOf(shop), keys),
        get db() {
          return ids.collections(shop);
        },
      };
    },
    views: once(() => views.namesOf(plain.views())),
  };
}

function idTables(resources: Resources, keys: readonly string[]): IdTables {
  const named = Object.entries(resources).flatMap(([key, { parameters = [] }]) =>
    parameters.map((name) => [name, key] as const),
  );
  const byName = new Map(named);
  return { named: (name) => byName.get(name), isShown: (table) => keys.includes(table) };
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
      if (!(view instanceof z.ZodObject)) return [];
      const change = idsOf(key, idFields(view, tables), tables.isShown(key), uuidsOf);
      return change === undefined ? [] : [[view, change] as const];
    }),
  );
  return new Map(changes);
}

function idsOf(
  key: string,
  references: ReturnType<typeof idFields>,
  isShown: boolean,
  uuidsOf: UuidsOf,
): ViewChange | undefined {
  if (!isShown && references.length === 0) return undefined;
  const fields = new Map(references.map(([name, { schema }]) => [name, schema]));
  if (isShown) fields.set('id', uuidSchema());
  const changeReferences = changeFields(references);
  return {
    shape: () => Object.fromEntries(fields),
    values(view, shop) {
      const each = outsideOf(uuidsOf(shop));
      const changed = valuesOf(changeReferences?.(view, each));
      return isShown ? { ...changed, id: each(key, view['id']) } : changed;
    },
  };
}

/** Returns an example with the UUIDs of the default scenario. */
function exampleOf({ method, example }: ApiEndpoint, ids: ShownUuids, seed: number): Example {
  const before = example.before?.map((one) => ({ ...one, ...ids.sent(seed, one) }));
  return { ...example, ...ids.sent(seed, { ...example, method }), ...(before && { before }) };
}

function seedOf({ sources }: ApiDefinition): number {
  const seed = valueAt(sources.scenarios, ['default', 'seed']);
  return typeof seed === 'number' ? seed : 1;
}

function translations(uuids: () => RecordUuids, keys: readonly string[]): IdTranslations {
  return {
    uuidOf(table, id) {
      if (keys.includes(table)) return uuids().uuidOf(table, id);
      throw new Problem('missing', `There are no UUIDs of ${table}: ${keys.join(', ')} have some.`);
    },
    idOf(table, uuid) {
      const id = keys.includes(table) ? uuids().idOf(table, uuid) : undefined;
      if (id !== undefined) return id;
      throw new Problem('missing', `No record of ${table} has the UUID ${truncate(uuid)}.`);
    },
  };
}

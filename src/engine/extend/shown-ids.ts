import type { EngineShop, ShownIds } from '../definition/api.ts';
import { addressOf, nameOf } from '../lib/api-path.ts';
import { mapValues, parseJson } from '../lib/json-value.ts';
import { lazyRecord } from '../lib/lazy-object.ts';
import { once } from '../lib/memoized.ts';
import type { Example } from '../rest/endpoint.ts';
import { createApiRouter } from '../rest/router.ts';
import { collections } from '../store/collections-part.ts';
import { definitionsByName } from '../store/database.ts';
import { isPlain } from '../store/row.ts';
import { valuesOf } from './field-set.ts';
import type { IdContext, IdRow } from './id-row.ts';
import { outsideOf } from './id-schemas.ts';

/** The UUIDs of an API for the rest of the package. */
export interface Uuids extends ShownIds {
  /** Writes a request with UUIDs. @param request one with ids, at the path of the contract */
  sent(
    shop: { readonly seed: number },
    request: Example & { readonly method: string },
  ): Pick<Example, 'url' | 'body'>;
  /** Returns the collections of a back office, whose functions accept UUIDs, too. */
  collections(shop: EngineShop): object;
}

export function shownIds(rows: readonly IdRow[], { tables, paths, uuidsOf }: IdContext): Uuids {
  const { names, isShown } = tables;
  const router = once(() => createApiRouter(rows.map(({ row }) => row)));
  const bodies = new Map(rows.map(({ row, body }) => [row, body]));
  const ids: Uuids = {
    names,
    of: (shop, table, id) => (isShown(table) ? uuidsOf(shop).uuidOf(table, id) : id),
    idOf: (shop, table, uuid) => (isShown(table) ? uuidsOf(shop).idOf(table, uuid) : undefined),
    linkOf: (shop, link) => paths.outside(link, uuidsOf(shop)),
    sent(shop, { method, url, body }) {
      const uuids = uuidsOf(shop);
      const filtered = url.replaceAll(
        /(criteria\[(\w+)\]=)(\d+)/g,
        (all, start: string, name: string, id: string) => {
          const table = names.get(name);
          return table === undefined ? all : start + uuids.uuidOf(table, Number(id));
        },
      );
      const there = paths.outside(filtered, uuids);
      if (body === undefined) return { url: there };
      const [path = ''] = url.split('?', 1);
      const all = router().find(path)?.route.methods.get(method) ?? [];
      const converted = all.reduce<unknown>(
        (value, row) => bodies.get(row)?.(value, outsideOf(uuids)) ?? value,
        body,
      );
      return { url: there, body: valuesOf(converted) };
    },
    outside(shop, request) {
      const { method, url, body: text } = request;
      const { path } = shop.api;
      const parsed = typeof text === 'string' ? parseJson(text) : undefined;
      const body = parsed === undefined ? {} : { body: valuesOf(parsed) };
      const there = ids.sent(shop, { method, url: nameOf(path, url), ...body });
      return {
        ...request,
        url: addressOf(path, there.url),
        target: undefined,
        ...(there.body && { body: JSON.stringify(there.body) }),
      };
    },
    accepting: (shop, functions, own) => accepting({ shop, ids, own }, functions),
    collections(shop) {
      const made: Readonly<Record<string, object>> = collections.parts().createCollections(shop.db);
      return lazyRecord(Object.keys(made), (key) => ids.accepting(shop, made[key] ?? {}, key));
    },
  };
  return ids;
}

interface Accepting {
  readonly shop: EngineShop;
  readonly ids: ShownIds;
  readonly own: string | undefined;
}

function accepting<Functions extends object>(
  { shop, ids, own }: Accepting,
  functions: Functions,
): Functions {
  const idOf = (table: string | undefined, value: unknown): unknown =>
    table === undefined || typeof value !== 'string'
      ? value
      : (ids.idOf(shop, table, value) ?? value);
  const inside = (table: string | undefined, value: unknown): unknown =>
    isPlain(value) && Object.keys(value).some(isReference)
      ? mapValues(value, (part, name) =>
          isReference(name) ? idOf(ids.names.get(name), part) : part,
        )
      : idOf(table, value);
  return new Proxy(functions, {
    get(target, key) {
      const part: unknown = Reflect.get(target, key, target);
      if (typeof part !== 'function') return part;
      const declared = own === undefined ? shop.api.idParameters?.[String(key)] : [own];
      return (...given: readonly unknown[]): unknown => {
        const ofMachine = (at: number): string | undefined => machineTable(shop, given[at - 1]);
        const all = given.map((value, at) => inside(ofMachine(at) ?? declared?.[at], value));
        return Reflect.apply(part, target, all);
      };
    },
  });
}

function isReference(name: string): boolean {
  return name.endsWith('_id');
}

/** Returns the key of the table of a state machine; undefined for other values. */
function machineTable({ api }: EngineShop, name: unknown): string | undefined {
  const machine = api.machines.find((one) => one.name === name);
  return machine && definitionsByName(api.tables).get(machine.table)?.[0];
}

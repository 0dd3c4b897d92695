import type { EngineShop, ShownIds } from '../definition/api.ts';
import { addressOf, nameOf } from '../lib/api-path.ts';
import { parseJson, valueAt } from '../lib/json-value.ts';
import type { Example } from '../rest/endpoint.ts';
import type { ApiRequest } from '../rest/message.ts';
import { collections } from '../store/collections-part.ts';
import { definitionsByName } from '../store/database.ts';
import { isPlain } from '../store/row.ts';
import { valuesOf } from './field-set.ts';
import type { IdContext, IdRow } from './id-row.ts';
import { outsideOf, type ConvertId } from './id-schemas.ts';

/** Conversions between ids and UUIDs, for the rest of the package. */
export class ShownUuids implements ShownIds {
  readonly #rows: readonly IdRow[];
  readonly #context: IdContext;
  readonly names: ReadonlyMap<string, string>;

  constructor(rows: readonly IdRow[], context: IdContext, names: ReadonlyMap<string, string>) {
    this.#rows = rows;
    this.names = names;
    this.#context = context;
  }

  of(shop: EngineShop, table: string, id: number): string | number {
    const { tables, uuidsOf } = this.#context;
    return tables.isShown(table) ? uuidsOf(shop).uuidOf(table, id) : id;
  }

  /** Writes a request with UUIDs. @param request one with ids, at the path of the contract */
  sent(
    seed: number,
    { method, url, body }: Example & { readonly method: string },
  ): Pick<Example, 'url' | 'body'> {
    const uuids = this.#context.uuidsOf({ seed });
    const each = outsideOf(uuids);
    const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(url) ?? [];
    const rows = this.#rows.filter(({ row }) => row.method === method && isOf(path, row.path));
    const there = this.#context.paths.outside(path, uuids) + outsideQuery(query, rows, each);
    if (body === undefined) return { url: there };
    const converted = rows.reduce<unknown>((value, row) => row.body(value, each), body);
    return { url: there, body: valuesOf(converted) };
  }

  outside({ seed, api }: EngineShop, request: ApiRequest): ApiRequest {
    const { method, url, body: text } = request;
    const parsed = typeof text === 'string' ? parseJson(text) : undefined;
    const sent = parsed === undefined ? {} : { body: valuesOf(parsed) };
    const there = this.sent(seed, { method, url: nameOf(api.path, url), ...sent });
    return {
      ...request,
      url: addressOf(api.path, there.url),
      target: undefined,
      ...(there.body && { body: JSON.stringify(there.body) }),
    };
  }

  idOf(shop: EngineShop, table: string, uuid: string): number | undefined {
    const { tables, uuidsOf } = this.#context;
    return tables.isShown(table) ? uuidsOf(shop).idOf(table, uuid) : undefined;
  }

  linkOf(shop: EngineShop, link: string): string {
    return this.#context.paths.outside(link, this.#context.uuidsOf(shop));
  }

  accepting<Functions extends object>(
    shop: EngineShop,
    functions: Functions,
    own?: string,
  ): Functions {
    const idOf = (table: string | undefined, value: unknown): unknown =>
      table === undefined || typeof value !== 'string'
        ? value
        : (this.idOf(shop, table, value) ?? value);
    const argument = (table: string | undefined, value: unknown): unknown => {
      if (!isPlain(value)) return idOf(table, value);
      const ids = Object.entries(value).filter(([name]) => name.endsWith('_id'));
      if (ids.length === 0) return value;
      const inside = ids.map(([name, part]) => [name, idOf(this.names.get(name), part)] as const);
      return { ...value, ...Object.fromEntries(inside) };
    };
    return new Proxy(functions, {
      get(target, key) {
        const part: unknown = Reflect.get(target, key, target);
        if (typeof part !== 'function') return part;
        const declared = own === undefined ? shop.api.idParameters?.[String(key)] : [own];
        return (...given: readonly unknown[]): unknown => {
          const inside = given.map((value, at) =>
            argument(machineTable(shop, given[at - 1]) ?? declared?.[at], value),
          );
          return Reflect.apply(part, target, inside);
        };
      },
    });
  }

  /** Returns the collections of a back office, whose functions accept UUIDs, too. */
  collections(shop: EngineShop): object {
    const made: Readonly<Record<string, object>> = collections.parts().createCollections(shop.db);
    const known = new Map<string, object>();
    const getters = Object.keys(made).map((key) => {
      const get = (): object => {
        const accepting = known.get(key) ?? this.accepting(shop, made[key] ?? {}, key);
        known.set(key, accepting);
        return accepting;
      };
      return [key, { enumerable: true, get }] as const;
    });
    return Object.defineProperties({}, Object.fromEntries(getters));
  }
}

/** Whether a path is one of an endpoint. */
function isOf(path: string, pattern: string): boolean {
  const [sent, wanted] = [segmentsOf(path), segmentsOf(pattern)];
  return (
    sent.length === wanted.length &&
    wanted.every((part, at) => (part.startsWith(':') ? sent[at] !== '' : part === sent[at]))
  );
}

function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/');
}

/** Returns the key of the table of a state machine; undefined for other values. */
function machineTable({ api }: EngineShop, name: unknown): string | undefined {
  const machine = api.machines.find((one) => one.name === name);
  return machine && definitionsByName(api.tables).get(machine.table)?.[0];
}

/** Filters have one id at most. */
function outsideQuery(query: string, rows: readonly IdRow[], each: ConvertId): string {
  return query.replaceAll(
    /(criteria(?:\[|%5B)(\w+)(?:\]|%5D)=)(\d+)(?=&|$)/gi,
    (all, start: string, name: string, id: string) => {
      for (const row of rows) {
        const there = row.query({ criteria: { [name]: Number(id) } }, each);
        const uuid = valueAt(there, ['criteria', name]);
        if (typeof uuid === 'string') return start + uuid;
      }
      return all;
    },
  );
}

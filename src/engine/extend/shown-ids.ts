import type { EngineShop, ShownIds } from '../definition/api.ts';
import { addressOf, nameOf } from '../lib/api-path.ts';
import { parseJson, valueAt } from '../lib/json-value.ts';
import type { Example } from '../rest/endpoint.ts';
import type { ApiRequest, ApiResponse } from '../rest/message.ts';
import { valuesOf } from './field-set.ts';
import type { IdPaths } from './id-paths.ts';
import type { IdRow } from './id-row.ts';
import { outsideOf, type ConvertId } from './id-schemas.ts';
import { createCollections } from '../store/database.ts';
import { RecordUuids } from './record-uuids.ts';

/** Keeps what is computed from the seed of a shop until that changes. */
export class SeededUuids {
  readonly tables: readonly string[];
  #last: { readonly seed: number; readonly uuids: RecordUuids } | undefined;

  /** @param tables the keys of the tables whose records have UUIDs */
  constructor(tables: readonly string[]) {
    this.tables = tables;
  }

  of({ seed }: Pick<EngineShop, 'seed'>): RecordUuids {
    if (this.#last?.seed !== seed) this.#last = { seed, uuids: new RecordUuids(seed, this.tables) };
    return this.#last.uuids;
  }
}

/** A request in parts. */
interface SentParts {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
}

/** Writes requests with UUIDs. */
export interface RequestIds {
  /** Returns the collections of a back office, whose functions accept UUIDs, too. */
  collections(shop: EngineShop): object;
  /** @param request one with ids, at the path of the contract */
  sent(seed: number, request: SentParts): Pick<Example, 'url' | 'body'>;
}

/** What the rest of the package needs to know of UUIDs. */
export class ShownUuids implements ShownIds, RequestIds {
  readonly #rows: readonly IdRow[];
  readonly #paths: IdPaths;
  readonly #seeded: SeededUuids;

  constructor(rows: readonly IdRow[], paths: IdPaths, seeded: SeededUuids) {
    this.#rows = rows;
    this.#paths = paths;
    this.#seeded = seeded;
  }

  of(shop: EngineShop, table: string, id: number): string | number {
    return this.#seeded.tables.includes(table) ? this.#seeded.of(shop).uuidOf(table, id) : id;
  }

  sent(seed: number, { method, url, body }: SentParts): Pick<Example, 'url' | 'body'> {
    const uuids = this.#seeded.of({ seed });
    const each = outsideOf(uuids);
    const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(url) ?? [];
    const rows = this.#rows.filter(({ row }) => row.method === method && isOf(path, row.path));
    const there = this.#paths.outside(path, uuids) + outsideQuery(query, rows, each);
    if (body === undefined) return { url: there };
    const converted = rows.reduce<unknown>((value, row) => row.body(value, each), body);
    return { url: there, body: valuesOf(converted) };
  }

  outside({ seed, api }: EngineShop, request: ApiRequest): ApiRequest {
    const { method, url, body: text } = request;
    const body = typeof text === 'string' ? parseJson(text) : undefined;
    const there = this.sent(seed, { method, url: nameOf(api.path, url), body });
    return {
      ...request,
      url: addressOf(api.path, there.url),
      target: undefined,
      ...(there.body && { body: JSON.stringify(there.body) }),
    };
  }

  inside(shop: EngineShop, text: string): string {
    const uuids = this.#seeded.of(shop);
    return text.replaceAll(anyUuid, (found, name: string | undefined, uuid: string) => {
      const record = uuids.find(uuid.replaceAll('"', ''));
      const table = this.#paths.tableOf(name ?? '') ?? record?.table;
      if (record === undefined || record.table !== table) return found;
      return `${found.slice(0, -uuid.length)}${record.id}`;
    });
  }

  withLinks(shop: EngineShop, answer: ApiResponse): ApiResponse {
    const uuids = this.#seeded.of(shop);
    const { headers, body, bodyOfGet } = answer;
    const { location } = headers;
    const moved =
      location === undefined
        ? headers
        : { ...headers, location: this.#paths.outside(location, uuids) };
    const links = (text: string): string =>
      text.replaceAll(
        /"href":"(\/api\/[^"]*)"/g,
        (_, href: string) => `"href":"${this.#paths.outside(href, uuids)}"`,
      );
    return {
      ...answer,
      headers: moved,
      ...(body !== undefined && { body: links(body) }),
      ...(bodyOfGet !== undefined && { bodyOfGet: links(bodyOfGet) }),
    };
  }

  accepting<Functions extends object>(shop: EngineShop, functions: Functions): Functions {
    return accepting(() => this.#seeded.of(shop), functions);
  }

  collections(shop: EngineShop): object {
    const collections: Readonly<Record<string, object>> = createCollections(shop.db);
    const known = new Map<string, object>();
    const getters = Object.keys(collections).map((key) => {
      const get = (): object => {
        const made = known.get(key) ?? this.accepting(shop, collections[key] ?? {});
        known.set(key, made);
        return made;
      };
      return [key, { enumerable: true, get }] as const;
    });
    return Object.defineProperties({}, Object.fromEntries(getters));
  }
}

/** Whether a path is one of an endpoint. */
function isOf(path: string, pattern: string): boolean {
  const segments = pattern.replace(/\/$/, '').replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${segments}/?$`).test(path);
}

/** A UUID, with its quotes and its name if it is a JSON text. */
const anyUuid = /(?:"(\w+)":\s*)?("?\b[\da-f]{8}(?:-[\da-f]{4}){4}[\da-f]{8}"?)/gi;

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

/** Returns an object whose functions accept UUIDs where the functions of another one accept ids. */
function accepting<Functions extends object>(
  uuids: () => RecordUuids,
  functions: Functions,
): Functions {
  const idOf = (value: unknown): unknown =>
    typeof value === 'string' ? (uuids().find(value)?.id ?? value) : value;
  const argument = (value: unknown): unknown => {
    if (!isPlain(value)) return idOf(value);
    const ids = Object.entries(value).filter(
      ([name, part]) => name.endsWith('_id') && idOf(part) !== part,
    );
    if (ids.length === 0) return value;
    return { ...value, ...Object.fromEntries(ids.map(([name, part]) => [name, idOf(part)])) };
  };
  return new Proxy(functions, {
    get(target, key) {
      const part: unknown = Reflect.get(target, key, target);
      if (typeof part !== 'function') return part;
      return (...given: readonly unknown[]): unknown =>
        Reflect.apply(part, target, given.map(argument));
    },
  });
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}

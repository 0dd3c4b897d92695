import type { ApiDefinition } from '../../engine/definition/api.ts';
import { decoded } from '../../engine/lib/api-path.ts';
import { isTimestamp, secondsBetween, toDate, toTimestamp } from '../../engine/lib/duration.ts';
import { isObject, mapValues, parseJson } from '../../engine/lib/json-value.ts';
import { memoized } from '../../engine/lib/memoized.ts';
import type { BackOffice } from '../../engine/office/open-back-office.ts';
import { tablesOf } from '../../engine/store/database.ts';

type Id = number | string;

/** How far two times may be apart, in seconds: a second may end between two requests. */
const maxApart = 2;

/**
 * Knows which value of the replay stands for a value of the recording: ids and texts that a server makes up, by where they
 * first appear, and times, by the shift between the two clocks.
 */
export class Counterparts {
  /** By the noun of a record, `order`: ids of the replay by those of the recording. */
  readonly #ids = new Map<string, Map<Id, Id>>();
  /** `order 122`: the records of the replay that stand for one of the recording. */
  readonly #taken = new Set<string>();
  readonly #texts = new Map<string, string>();
  readonly #nouns: ReadonlyMap<string, string>;
  /** Whether a record of the replay was made by it. */
  readonly isNew: (noun: string, id: Id) => boolean;
  /** When the replay begins, by its clock. */
  start: string;
  /** From the clock of the replay to that of the recording, in seconds. */
  shift = 0;

  /**
   * @param isNew whether a record of the replay was made by it
   */
  constructor(api: ApiDefinition, start: string, isNew: (noun: string, id: Id) => boolean) {
    this.#nouns = nounsOf(api);
    this.start = start;
    this.isNew = isNew;
  }

  /** Returns the noun of a collection in a path or of a field: `order` of `orders`, `checkouts` and `order_id`. */
  nounOf(name: string): string {
    return this.#nouns.get(name) ?? nounIn(name);
  }

  /** Notes that a record of the replay stands for one of the recording, unless one of them has another counterpart. */
  learnId(noun: string, recorded: Id, replayed: Id): void {
    const ids = this.#ids.get(noun) ?? new Map<Id, Id>();
    const taken = `${noun} ${replayed}`;
    if (ids.has(recorded) || this.#taken.has(taken)) return;
    if (recorded !== replayed && !this.isNew(noun, replayed)) return;
    this.#ids.set(noun, ids.set(recorded, replayed));
    this.#taken.add(taken);
  }

  learnText(recorded: string, replayed: string): void {
    if (!this.#texts.has(recorded)) this.#texts.set(recorded, replayed);
  }

  idOf(noun: string, recorded: Id): Id {
    return this.#ids.get(noun)?.get(recorded) ?? recorded;
  }

  /** Whether an id of the replay stands for one of the recording, of whatever record. */
  areCounterparts(recorded: Id, replayed: Id): boolean {
    return [...this.#ids.values()].some((ids) => ids.get(recorded) === replayed);
  }

  textOf(recorded: string): string | undefined {
    return this.#texts.get(recorded);
  }

  /** Whether a time of the replay stands for one of the recording: the same, or as much later as the clock. */
  isSameTime(recorded: string, replayed: string): boolean {
    if (recorded === replayed) return true;
    const apart = Math.abs(secondsBetween(replayed, recorded) - this.shift);
    return apart === 0 || (apart <= maxApart && replayed >= this.start);
  }

  /** Returns the path of the replay for one of the recording: `/api/orders/122/` for `/api/orders/5012/`. */
  pathOf(path: string): string {
    const parts = path.split('/');
    return parts
      .map((part, at) => {
        const id = /^[1-9]\d*$/.test(part) ? Number(part) : part;
        return String(this.idOf(this.nounOf(parts[at - 1] ?? ''), id));
      })
      .join('/');
  }

  /** Returns the path and the query of the replay for those of the recording. */
  urlOf(url: string): string {
    const [path = '', query] = url.split(/\?(.*)/s);
    const target = this.pathOf(path);
    if (query === undefined) return target;
    const pairs = query.split('&').map((pair) => {
      const [name = '', value] = pair.split(/=(.*)/s);
      return value === undefined ? pair : `${name}=${this.#parameterOf(name, value)}`;
    });
    return `${target}?${pairs.join('&')}`;
  }

  /** Returns the body of the replay for that of the recording, which is JSON or a URL-encoded form. */
  bodyOf(body: string): string {
    const json = parseJson(body);
    if (isObject(json)) return JSON.stringify(this.#valueOf(json, ''));
    return body.includes('=') ? this.urlOf(`?${body}`).slice(1) : body;
  }

  #parameterOf(name: string, value: string): string {
    const text = decoded(value.replaceAll('+', ' '));
    const noun = decoded(name).replace(/\]$/, '').split('[').at(-1) ?? '';
    const isId = /^[1-9]\d*$/.test(text);
    const sent = isId ? String(this.#valueOf(Number(text), noun)) : this.#valueOf(text, noun);
    return sent === text ? value : encodeURIComponent(String(sent));
  }

  #valueOf(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#valueOf(one, name));
    if (isObject(value)) return mapValues(value, (one, inner) => this.#valueOf(one, inner));
    if (typeof value === 'number') return this.idOf(this.nounOf(name), value);
    if (typeof value !== 'string') return value;
    const text = this.textOf(value);
    if (text !== undefined) return text;
    return isTimestamp(value) ? this.#timeOf(value) : this.idOf(this.nounOf(name), value);
  }

  #timeOf(recorded: string): string {
    if (this.shift === 0) return recorded;
    const moved = toTimestamp(new Date(toDate(recorded).getTime() - this.shift * 1000));
    return moved >= this.start ? moved : recorded;
  }
}

/** Returns the nouns of collections whose parameter has another name, such as `checkouts/:order_id`. Memoized. */
const nounsOf = memoized(({ endpoints }: ApiDefinition): ReadonlyMap<string, string> => {
  const pairs = endpoints.flatMap(({ path }) =>
    Array.from(
      path.matchAll(/(?<![\w-])([\w-]+)\/:(\w+)_id/g),
      ([, name = '', noun = '']) => [name, noun] as const,
    ),
  );
  return new Map(pairs.map(([name, noun]) => [name, nounIn(noun)]));
});

/** Returns the last word of a name, as one: `unit` of `inventory_units`, `variant` of `masterVariant`. */
export function nounIn(name: string): string {
  const words = name
    .replace(/(^|_)ids?$|Ids?$/, '')
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .split(/[^a-z\d]+/);
  return (words.at(-1) ?? '')
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}

/** Returns a function that tells by an id whether a record was made after now. Records that no table has are always new. */
export function idTest({ shop }: BackOffice): (noun: string, id: number | string) => boolean {
  const next = new Map<string, number>();
  for (const { definition, state } of tablesOf(shop.db).all()) {
    const noun = nounIn(definition.singular);
    next.set(noun, Math.min(next.get(noun) ?? Infinity, state.nextId));
  }
  return (noun, id) => typeof id === 'string' || id >= (next.get(noun) ?? 0);
}

/** Returns the last name in a path: `orders` of `/api/orders/122/`. */
export function collectionIn(url: string): string {
  const names = url
    .replace(/[?#].*/s, '')
    .split('/')
    .filter((part) => /^[a-z]/i.test(part));
  return names.at(-1) ?? '';
}

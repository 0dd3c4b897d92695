import { pseudoRandomBytes } from '../lib/pseudo-random.ts';

/**
 * UUIDs of records. They follow from a seed, the table and the id, so that no list of them is kept. Not secret.
 *
 * Their first and last 32 bits are the id, encrypted by a Feistel network (https://en.wikipedia.org/wiki/Feistel_cipher); the
 * bits between are a checksum, and version 4 of RFC 9562.
 */
export class RecordUuids {
  readonly seed: number;
  readonly #keys = new Map<string, Keys>();

  constructor(seed: number) {
    this.seed = seed;
  }

  uuidOf(table: string, id: number): string {
    const { turns, first, second } = this.#keysOf(table);
    let left = Math.floor(id / 2 ** 32);
    let right = id | 0;
    for (const key of turns) [left, right] = [right, left ^ mixed(right, key)];
    const version = hex((mixed(mixed(left, first) ^ right, second) & 0xff_ff_0f_ff) | 0x40_00);
    const variant = hex(
      (mixed(mixed(right, second) ^ left, first) & 0x3f_ff_ff_ff) | 0x80_00_00_00,
    );
    return `${hex(left)}-${halves(version)}-${halves(variant)}${hex(right)}`;
  }

  /** Returns the id of a record of a table; undefined for other UUIDs, and for other texts. */
  idOf(table: string, uuid: string): number | undefined {
    const text = uuid.toLowerCase();
    if (!/^[\da-f]{8}(-[\da-f]{4}){4}[\da-f]{8}$/.test(text)) return undefined;
    let left = Number.parseInt(text.slice(0, 8), 16) | 0;
    let right = Number.parseInt(text.slice(-8), 16) | 0;
    for (const key of this.#keysOf(table).turns.toReversed())
      [left, right] = [right ^ mixed(left, key), left];
    const id = left * 2 ** 32 + (right >>> 0);
    return Number.isSafeInteger(id) && id > 0 && this.uuidOf(table, id) === text ? id : undefined;
  }

  #keysOf(table: string): Keys {
    const known = this.#keys.get(table);
    if (known !== undefined) return known;
    const bytes = pseudoRandomBytes(`${this.seed} ids ${table}`, 24);
    const [first = 0, second = 0, ...turns] = Array.from({ length: 6 }, (_, at) =>
      bytes.slice(4 * at, 4 * at + 4).reduce((key, byte) => (key << 8) | byte, 0),
    );
    const keys = { first, second, turns };
    this.#keys.set(table, keys);
    return keys;
  }
}

/** Returns the UUIDs of a shop. */
export type UuidsOf = (shop: { readonly seed: number }) => RecordUuids;

/** Returns a function that keeps what is computed from the seed of a shop until that changes. */
export function memoizedUuids(): UuidsOf {
  let last: RecordUuids | undefined;
  return ({ seed }) => (last?.seed === seed ? last : (last = new RecordUuids(seed)));
}

interface Keys {
  readonly turns: readonly number[];
  readonly first: number;
  readonly second: number;
}

/** The final mix of MurmurHash3. */
function mixed(value: number, key: number): number {
  let mix = value ^ key;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85_eb_ca_6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2_b2_ae_35);
  return mix ^ (mix >>> 16);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/** `1baf4f07` → `1baf-4f07` */
function halves(digits: string): string {
  return `${digits.slice(0, 4)}-${digits.slice(4)}`;
}

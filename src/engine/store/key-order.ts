/** Sorts after every other part of a key: `[3, AFTER]` is after `[3, 'z']` and before `[4]`. */
export const AFTER = Symbol('after');

/** A key of an index, or a position between two keys. */
export type Bound = ReadonlyArray<string | number | typeof AFTER>;

/** The order of the keys of a map. */
export interface KeyOrder<K> {
  compare(a: K, b: K): number;
  /** Returns the position of the key among sorted keys, or `~position` of where it would be inserted. */
  find(keys: readonly K[], key: K): number;
}

class NumberOrder implements KeyOrder<number> {
  compare(a: number, b: number): number {
    return a - b;
  }

  find(keys: readonly number[], key: number): number {
    const position = guess(keys, key);
    if (position !== undefined) return position;
    let low = 0;
    let high = keys.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = keys[middle]!;
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return ~low;
  }
}

class TextOrder implements KeyOrder<string> {
  compare(a: string, b: string): number {
    if (a === b) return 0;
    return a < b ? -1 : 1;
  }

  find(keys: readonly string[], key: string): number {
    return search(keys, key, this);
  }
}

class TupleOrder implements KeyOrder<Bound> {
  compare(a: Bound, b: Bound): number {
    const length = Math.min(a.length, b.length);
    for (let at = 0; at < length; at++) {
      const one = a[at]!;
      const other = b[at]!;
      if (one === other) continue;
      if (one === AFTER) return 1;
      if (other === AFTER) return -1;
      if (typeof one === typeof other) return one < other ? -1 : 1;
      return typeof one === 'number' ? -1 : 1;
    }
    return a.length - b.length;
  }

  find(keys: readonly Bound[], key: Bound): number {
    // Most keys begin with a time or an id, so that new keys are the last.
    const last = keys.at(-1);
    if (last !== undefined && this.compare(last, key) < 0) return ~keys.length;
    return search(keys, key, this);
  }
}

function search<K>(keys: readonly K[], key: K, order: KeyOrder<K>): number {
  let low = 0;
  let high = keys.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const difference = order.compare(keys[middle]!, key);
    if (difference === 0) return middle;
    if (difference < 0) low = middle + 1;
    else high = middle - 1;
  }
  return ~low;
}

/** Numbers, lowest first. */
export const byNumber: KeyOrder<number> = new NumberOrder();

/** Texts, by code units. */
export const byText: KeyOrder<string> = new TextOrder();

/** Keys by their parts: a prefix is before the keys that begin with it, numbers are before texts. */
export const byTuple: KeyOrder<Bound> = new TupleOrder();

/** Guesses the position of an id, since ids mostly have equal distances. Returns undefined if the guess is wrong. */
function guess(keys: readonly number[], key: number): number | undefined {
  const first = keys[0];
  const second = keys[1];
  if (first === undefined || second === undefined || key < first) return undefined;
  const step = second - first;
  const at = step === 1 ? key - first : Math.trunc((key - first) / step);
  if (at >= keys.length) return undefined;
  const found = keys[at]!;
  if (found === key) return at;
  const isBehind = found < key && (at + 1 === keys.length || keys[at + 1]! > key);
  return isBehind ? ~(at + 1) : undefined;
}

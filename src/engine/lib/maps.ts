/** The limits of an LRU cache. */
export interface LruOptions<Value> {
  /** The size of the values that are kept at least, if there are as many; at most twice as much (default: 1000). */
  readonly budget?: number;
  /** Returns the size of a value (default: 1). */
  readonly sizeOf?: (value: Value) => number;
}

/**
 * An approximate LRU cache of two generations, as in https://github.com/dominictarr/hashlru. For values that can be made
 * again.
 *
 * The library quick-lru works in the same way, is larger, and adds expiry and events.
 */
export class LruCache<Key, Value> {
  readonly #budget: number;
  readonly #sizeOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngSize = 0;

  constructor({ budget = 1000, sizeOf = () => 1 }: LruOptions<Value> = {}) {
    this.#budget = budget;
    this.#sizeOf = sizeOf;
  }

  get(key: Key): Value | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    if (this.#youngSize >= this.#budget) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSize = 0;
    }
    this.#young.set(key, value);
    this.#youngSize += this.#sizeOf(value);
  }
}

/** Returns the value of a key. If there is none, creates and inserts it. */
export function getOrCreate<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  create: () => Value,
): Value {
  const found = map.get(key);
  if (found !== undefined) return found;
  const value = create();
  map.set(key, value);
  return value;
}

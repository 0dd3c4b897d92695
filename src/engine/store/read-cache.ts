import { ReadLog, ReadShapes } from './read-log.ts';
import type { Transaction } from './transaction.ts';

interface Entry<Value> {
  readonly value: Value;
  readonly reads: ReadLog;
  /** Approximate size in bytes. */
  readonly size: number;
  /** Whether it was read again since the hand of the clock passed. */
  isUsed: boolean;
}

/**
 * Caches values that are made of rows, each until something that was read for it changes. What was not read
 * again goes first: https://en.wikipedia.org/wiki/Page_replacement_algorithm#Clock
 */
export class ReadCache<Key, Value> {
  readonly #transaction: Transaction;
  readonly #budget: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #shapes = new ReadShapes();
  #entries = new Map<Key, Entry<Value>>();
  /** Number of entries that were removed from the map. */
  #removed = 0;
  /** Size of the entries in bytes. */
  #size = 0;
  /**
   * The position of the search for entries that were not read again; undefined until the cache is full,
   * because an iterator keeps removed entries in memory.
   */
  #hand: MapIterator<[Key, Entry<Value>]> | undefined;

  /**
   * @param budget approximate maximum size of the cache, in bytes
   * @param sizeOf returns the size of a value in bytes
   */
  constructor(transaction: Transaction, budget: number, sizeOf: (value: Value) => number) {
    this.#transaction = transaction;
    this.#budget = budget;
    this.#sizeOf = sizeOf;
  }

  /**
   * Returns the cached value of a key, or the one that `make` returns, which is cached if it wrote nothing.
   *
   * @param serves whether the cached value can be used (default: always)
   */
  get(key: Key, make: () => Value, serves: (value: Value) => boolean = always): Value {
    const transaction = this.#transaction;
    const { writes, reads: outer } = transaction;
    const cached = this.#entries.get(key);
    if (cached !== undefined && serves(cached.value) && cached.reads.isCurrent(writes)) {
      cached.isUsed = true;
      outer?.addLog(cached.reads);
      return cached.value;
    }
    const reads = new ReadLog(writes);
    transaction.reads = reads;
    try {
      const value = make();
      const size = entrySize + reads.close(this.#shapes) + this.#sizeOf(value);
      // Not the entry from before: what was made may have read this cache, or cleared it.
      const stale = this.#entries.get(key);
      if (stale !== undefined) this.#remove(key, stale);
      if (transaction.writes === writes && size <= this.#budget)
        this.#add(key, { value, reads, size, isUsed: false });
      return value;
    } finally {
      transaction.reads = outer;
      outer?.addLog(reads);
    }
  }

  clear(): void {
    if (this.#entries.size === 0) return;
    this.#entries = new Map();
    this.#hand = undefined;
    this.#removed = 0;
    this.#size = 0;
  }

  #add(key: Key, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    this.#size += entry.size;
    while (this.#size > this.#budget) {
      this.#hand ??= this.#entries.entries();
      const { done, value } = this.#hand.next();
      if (done === true) this.#hand = undefined;
      else if (value[1].isUsed) value[1].isUsed = false;
      else this.#remove(...value);
    }
  }

  #remove(key: Key, entry: Entry<Value>): void {
    this.#entries.delete(key);
    this.#size -= entry.size;
    this.#removed += 1;
    if (this.#removed > this.#entries.size) this.#renew();
  }

  /**
   * Copies the entries to a new map, first those that the hand has not passed, because a map can keep removed entries in
   * memory (`.github/decisions/0015-little-garbage.md`).
   */
  #renew(): void {
    const entries = new Map(this.#hand ?? this.#entries);
    if (entries.size < this.#entries.size)
      for (const [key, entry] of this.#entries) entries.set(key, entry);
    this.#entries = entries;
    this.#hand = undefined;
    this.#removed = 0;
  }
}

const always = (): boolean => true;

/** About the size of an entry without its value and its reads, in bytes. */
const entrySize = 500;

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
  #hand = this.#entries.entries();

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
   * @param isEnough whether the cached value serves (default: always)
   */
  get(key: Key, make: () => Value, isEnough: (value: Value) => boolean = always): Value {
    const transaction = this.#transaction;
    const { writes, reads: outer } = transaction;
    const cached = this.#entries.get(key);
    if (cached !== undefined && isEnough(cached.value) && cached.reads.isCurrent(writes)) {
      cached.isUsed = true;
      outer?.addLog(cached.reads);
      return cached.value;
    }
    const reads = new ReadLog(writes);
    transaction.reads = reads;
    try {
      const value = make();
      const size = entrySize + reads.close(this.#shapes) + this.#sizeOf(value);
      if (cached !== undefined) this.#remove(key, cached);
      if (transaction.writes === writes && size <= this.#budget)
        this.#add(key, { value, reads, size, isUsed: false });
      return value;
    } finally {
      transaction.reads = outer;
      outer?.addLog(reads);
    }
  }

  clear(): void {
    if (this.#size === 0) return;
    this.#entries = new Map();
    this.#hand = this.#entries.entries();
    this.#removed = 0;
    this.#size = 0;
  }

  #add(key: Key, entry: Entry<Value>): void {
    this.#entries.set(key, entry);
    this.#size += entry.size;
    while (this.#size > this.#budget) {
      const { done, value } = this.#hand.next();
      if (done === true) this.#hand = this.#entries.entries();
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
   * Copies the entries to a new map. V8 moves a map from which keys are deleted to a new table again and again, and each
   * table refers to the next. As soon as one is in the old generation, all later ones get there, too, with everything
   * that was removed from them.
   */
  #renew(): void {
    this.#entries = new Map(this.#entries);
    this.#hand = this.#entries.entries();
    this.#removed = 0;
  }
}

const always = (): boolean => true;

/** About the size of an entry without its value and its reads, in bytes. */
const entrySize = 500;

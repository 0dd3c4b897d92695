import { TupleMap } from '../lib/maps.ts';
import type { Key, Row } from './row.ts';

/** Rows that are read, or fields of them. */
export interface ReadSource {
  /** Unique among the sources of a database. */
  readonly id: number;
  /** The number of the write that changed it last. */
  readonly changed: number;
  /** Returns whether the same is found as before. */
  finds(found: Found, how: How, key: ReadKey): boolean;
}

/**
 * How rows are read: a row by its id (undefined), the rows under a key of an index (its name), or in another way, which any
 * change may affect.
 */
export type How = string | undefined | typeof inAnotherWay;
export const inAnotherWay = Symbol('in another way');

/** An id, or the key in an index. */
export type ReadKey = number | Key | undefined;
export type Found = Row | readonly Row[] | undefined;

/**
 * Logs what is read of tables, to find out later whether the same would still be read: rows by id, fields of rows, and
 * the rows under a key of an index are compared; for any other read, the table must not have changed.
 */
export class ReadLog {
  /** The number of writes when the log was last current. */
  #writes: number;
  /**
   * Three items for each read: how, the key and what was found. An object for each would take twice the memory. Until the
   * log is closed, the source comes before them.
   */
  #reads: (ReadSource | How | ReadKey | Found)[] = [];
  #shape = noReads;
  /** The logs of the parts that the reader received ready-made. */
  #parts: readonly ReadLog[] = none;

  /** @param writes the number of writes before the first read */
  constructor(writes: number) {
    this.#writes = writes;
  }

  /** Logs what was found. */
  add(source: ReadSource, found: Found, how?: How, key?: ReadKey): void {
    this.#reads.push(source, how, key, found);
  }

  /** Logs that something was read for which there is a log. */
  addLog(log: ReadLog): void {
    if (this.#parts === none) this.#parts = [log];
    else (this.#parts as ReadLog[]).push(log);
  }

  /** Ends the log: returns its approximate size in bytes, without that of parts. */
  close(shapes: ReadShapes): number {
    const logged = this.#reads;
    const sources: ReadSource[] = [];
    for (let at = 0; at < logged.length; at += 4) {
      const source = logged[at] as ReadSource;
      if (!sources.includes(source)) sources.push(source);
    }
    const reads: typeof logged = [];
    const ends = sources.map((source) => {
      for (let at = 0; at < logged.length; at += 4) {
        if (logged[at] !== source) continue;
        reads.push(logged[at + 1], logged[at + 2], logged[at + 3]);
      }
      return reads.length;
    });
    // A list that grows has room for more.
    this.#reads = reads.slice();
    this.#shape = shapes.get(sources, ends);
    return reads.length * itemSize;
  }

  /**
   * Returns whether the same would be read now.
   *
   * @param writes the number of writes until now
   */
  isCurrent(writes: number): boolean {
    if (this.#writes === writes) return true;
    if (this.#shape.changed(writes) > this.#writes && !this.#findsSame()) return false;
    for (const part of this.#parts) if (!part.isCurrent(writes)) return false;
    this.#writes = writes;
    return true;
  }

  #findsSame(): boolean {
    const reads = this.#reads;
    const { sources, ends } = this.#shape;
    for (let place = 0; place < sources.length; place++) {
      const source = sources[place]!;
      if (source.changed <= this.#writes) continue;
      for (let at = ends[place - 1] ?? 0; at < ends[place]!; at += 3) {
        const [how, key, found] = [reads[at], reads[at + 1], reads[at + 2]];
        if (!source.finds(found as Found, how as How, key as ReadKey)) return false;
      }
    }
    return true;
  }
}

/** The sources of a log, with the position after the last read of each. Most orders have the same. */
class ReadShape {
  readonly sources: readonly ReadSource[];
  readonly ends: readonly number[];
  #writes = -1;
  #changed = 0;

  constructor(sources: readonly ReadSource[], ends: readonly number[]) {
    this.sources = sources;
    this.ends = ends;
  }

  /** Returns the number of the write that changed one of the sources last. */
  changed(writes: number): number {
    if (this.#writes === writes) return this.#changed;
    this.#writes = writes;
    this.#changed = 0;
    for (const { changed } of this.sources) if (changed > this.#changed) this.#changed = changed;
    return this.#changed;
  }
}

/** The shapes of logs, each once. */
export class ReadShapes {
  #shapes = new TupleMap<ReadShape>();
  #count = 0;

  get(sources: readonly ReadSource[], ends: readonly number[]): ReadShape {
    if (sources.length === 0) return noReads;
    const key = sources.flatMap(({ id }, place) => [id, ends[place]!]);
    return this.#shapes.getOrCreate(key, () => {
      if (++this.#count > maxShapes) {
        this.#shapes = new TupleMap();
        this.#count = 0;
      }
      return new ReadShape(sources, ends);
    });
  }
}

const none: readonly never[] = [];
const noReads = new ReadShape(none, none);
const maxShapes = 1000;
/** About the size of an item, with its share of the key and of the rows found. */
const itemSize = 16;

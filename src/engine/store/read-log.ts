import { TupleMap } from '../lib/maps.ts';
import type { Key, Row } from './row.ts';

/** A source of reads: rows by their ids, fields of them, or the rows under the keys of one index. */
export interface ReadSource {
  /** Unique among the sources of a database. */
  readonly id: number;
  /** The number of the write that changed it last. */
  readonly changed: number;
  /** Returns whether a read finds the same as before. */
  finds(found: Logged, key: Logged): boolean;
}

/** An id, or the key in an index: a list only if it has several parts, or none. */
export type ReadKey = number | string | Key | undefined;
/** A list only if it has several rows. */
export type ReadResult = Row | readonly Row[] | undefined;
/** An item of a log. Which of the two it is, its place says. */
export type Logged = ReadKey | ReadResult;

/**
 * Logs what is read of tables, to find out later whether the same would still be read: each source compares what it found
 * under a key with what it finds now.
 */
export class ReadLog {
  /** The number of writes when the log was last current. */
  #writes: number;
  /** The source of each read, until the log is closed. */
  #sources: ReadSource[] = [];
  /** Two items for each read: the key and what was found. An object for each would take twice the memory. */
  #reads: Logged[] = [];
  #shape = noReads;
  /** The logs of the parts that were cached before. */
  #parts: ReadLog[] | undefined;

  /** @param writes the number of writes before the first read */
  constructor(writes: number) {
    this.#writes = writes;
  }

  /** Logs what was found. */
  add(source: ReadSource, key?: ReadKey, found?: ReadResult): void {
    this.#sources.push(source);
    this.#reads.push(key, found);
  }

  /** Logs the rows that were found under a key of an index. */
  addByKey(source: ReadSource, key: Key, rows: readonly Row[]): void {
    // Most keys have one part and most lists at most one row, whose lists would take half of the memory of a log.
    this.add(source, key.length === 1 ? key[0] : key, rows.length < 2 ? rows[0] : rows);
  }

  /** Logs that something was read for which there is a log. */
  addLog(log: ReadLog): void {
    (this.#parts ??= []).push(log);
  }

  /** Ends the log: returns its approximate size in bytes, without that of parts. */
  close(shapes: ReadShapes): number {
    const logged = this.#sources;
    const sources: ReadSource[] = [];
    for (const source of logged) if (!sources.includes(source)) sources.push(source);
    const reads: Logged[] = [];
    const ends = sources.map((source) => {
      for (let at = 0; at < logged.length; at++) {
        if (logged[at] === source) reads.push(this.#reads[2 * at], this.#reads[2 * at + 1]);
      }
      return reads.length;
    });
    this.#sources = none;
    // A list that grows has room for more.
    this.#reads = reads.slice();
    this.#shape = shapes.get(sources, ends);
    return reads.length * itemSize;
  }

  /**
   * Returns whether all reads would find the same now.
   *
   * @param writes the number of writes until now
   */
  isCurrent(writes: number): boolean {
    if (this.#writes === writes) return true;
    if (this.#shape.changed(writes) > this.#writes && !this.#findsSame()) return false;
    for (const part of this.#parts ?? none) if (!part.isCurrent(writes)) return false;
    this.#writes = writes;
    return true;
  }

  #findsSame(): boolean {
    const reads = this.#reads;
    const { sources, ends } = this.#shape;
    for (let place = 0; place < sources.length; place++) {
      const source = sources[place]!;
      if (source.changed <= this.#writes) continue;
      for (let at = ends[place - 1] ?? 0; at < ends[place]!; at += 2) {
        if (!source.finds(reads[at + 1], reads[at])) return false;
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

const none: never[] = [];
const noReads = new ReadShape(none, none);
const maxShapes = 1000;
/** About the size of an item, with its share of the lists among them. */
const itemSize = 10;

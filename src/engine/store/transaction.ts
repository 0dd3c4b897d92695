import { Problem } from '../lib/problem.ts';

/**
 * A token of ownership for copy-on-write. A node of an ordered map is changed in place under the token that it was made
 * under, and copied under any other. So a new token freezes everything that was written before it.
 */
export type Edit = object;

/** Something that is read: a table, or a field of its rows. */
export interface ReadSource {
  /** The number of the write that changed it last. */
  written: number;
}

/** A point that a transaction can be rolled back to. */
export interface Mark {
  /** The length of the undo log at this point. */
  readonly written: number;
}

/** One write to a table, as a history keeps it: of a row, or of the whole content. */
export interface Write {
  /** The rows that were written to; undefined if only the next id has changed. */
  readonly rows:
    | { readonly definition: { readonly name: string; readonly secret?: ReadonlySet<string> } }
    | undefined;
  /** The row or the state of the table; undefined if the row was inserted. */
  readonly before: object | undefined;
  /** Undefined if the row was removed. */
  readonly after: object | undefined;
}

/** Writes, and the functions that revert them, in the order in which they were made. */
export interface Writes {
  readonly list: readonly Write[];
  readonly undoLog: ReadonlyArray<() => void>;
}

/** Runs work atomically: if it throws, everything that it wrote is rolled back. */
export type Atomic = <Result>(work: () => Result) => Result;

/**
 * Rolls back the tables of one database together. Two mechanisms restore earlier content:
 *
 * - An undo log, for rollback. While a mark is open, each write adds a function that reverts it. A rollback runs these in
 *   reverse order, so it costs as much as was written since the mark. `run` releases its mark; other callers have to,
 *   since an open mark keeps the log in memory.
 * - Copy-on-write, for states: `Table.state` returns the maps as they are and `freeze` changes the token, so that later
 *   writes copy what they share with that state. So snapshots, resets and sessions take constant time.
 *
 * Copy-on-write alone could do both, but each transaction would copy the nodes that it writes to. An undo log alone
 * could not share rows between sessions.
 */
export class Transaction {
  /** The token to write under. Only `freeze` changes it. */
  edit: Edit = {};
  /** A counter of writes and rollbacks. While it stays the same, no table has changed. */
  writes = 0;
  /** Called after each write and each rollback. */
  onChange: () => void = () => undefined;
  readonly #open: Mark[] = [];
  /** Functions that revert the writes since the first open mark, or since they were last taken; the latest last. */
  #undoLog: Array<() => void> = [];
  /** The writes that the undo log reverts, at the same positions, if a history takes them. */
  #recorded: Write[] | undefined;

  /** Whether a mark is open, so that writes are logged. */
  get isMarked(): boolean {
    return this.#open.length > 0;
  }

  /** Receives what is read of the tables while it is set. */
  reads: Set<ReadSource> | undefined;

  /** Freezes everything that was written before: later writes copy it. */
  freeze(): void {
    this.edit = {};
  }

  /** Called by a table after each write, with a function that reverts it, and the row or the content that it changed. */
  wrote(
    undo?: () => void,
    rows?: Write['rows'],
    before?: Write['before'],
    after?: Write['after'],
  ): void {
    this.#changed();
    if (undo === undefined) return;
    if (this.#recorded !== undefined) this.#recorded.push({ rows, before, after });
    else if (this.#open.length === 0) return;
    this.#undoLog.push(undo);
  }

  /** Records all writes from now on, until `take` returns them. */
  record(): void {
    this.#recorded ??= [];
  }

  /** Returns the writes that were recorded since the last call; undefined if there are none, or while a mark is open. */
  take(): Writes | undefined {
    const list = this.#recorded;
    if (list === undefined || list.length === 0 || this.#open.length > 0) return undefined;
    const undoLog = this.#undoLog;
    this.#recorded = [];
    this.#undoLog = [];
    return { list, undoLog };
  }

  /** Reverts writes that were taken. No later ones may be left, other than those that were reverted before. */
  revert({ undoLog }: Writes): void {
    for (let at = undoLog.length - 1; at >= 0; at--) undoLog[at]!();
    this.#changed();
  }

  mark(): Mark {
    const mark: Mark = { written: this.#undoLog.length };
    this.#open.push(mark);
    return mark;
  }

  /**
   * Reverts what all tables have written since the mark, which stays open. Closes later marks.
   *
   * @throws Problem `fault` if the mark is not open
   */
  rollback(mark: Mark): void {
    this.#open.length = this.#placeOf(mark) + 1;
    const isChanged = this.#undoLog.length > mark.written;
    while (this.#undoLog.length > mark.written) {
      this.#undoLog.pop()!();
      this.#recorded?.pop();
    }
    if (isChanged) this.#changed();
  }

  /**
   * Closes the mark and later ones. What was written since can only be rolled back to an earlier mark.
   *
   * @throws Problem `fault` if the mark is not open
   */
  release(mark: Mark): void {
    if (this.#open.at(-1) === mark) this.#open.pop();
    else this.#open.length = this.#placeOf(mark);
    if (this.#open.length === 0 && this.#recorded === undefined) this.#undoLog = [];
  }

  /** Runs work atomically: if it throws, everything that it wrote is rolled back. */
  run<Result>(work: () => Result): Result {
    const mark = this.mark();
    try {
      return work();
    } catch (error) {
      this.rollback(mark);
      throw error;
    } finally {
      this.release(mark);
    }
  }

  #changed(): void {
    this.writes += 1;
    this.onChange();
  }

  #placeOf(mark: Mark): number {
    const at = this.#open.indexOf(mark);
    if (at >= 0) return at;
    throw new Problem('fault', 'this mark is not open: it was released, or rolled back over');
  }
}

import { Problem } from '../lib/problem.ts';

/**
 * A token of ownership. Whoever holds it may change in place what was made under the same token, and copies the
 * rest first; so a new token freezes all that was made before it.
 */
export type Edit = object;

/** A moment to which a transaction can go back. */
export interface Mark {
  /** How much had been written then, of what can be taken back. */
  readonly written: number;
}

/** Runs work atomically: if it throws, everything that it wrote is rolled back. */
export type Atomic = <Result>(work: () => Result) => Result;

/**
 * What the tables of one database share, so that they can be marked and rolled back together. A mark costs the same
 * however many tables there are; a rollback costs as much as what was written since.
 *
 * An open mark keeps in memory how to take back what was written, so every mark has to be released. For the length of
 * a piece of work `run` sees to that; for longer, take the `state` of each table.
 */
export class Transaction {
  #edit: Edit = {};
  #writes = 0;
  readonly #open: Mark[] = [];
  /** How to take back each write since the first open mark, the last one at the end. */
  #takeBacks: Array<() => void> = [];

  /** The token to write under, now. */
  get edit(): Edit {
    return this.#edit;
  }

  /** Whether what is written now can still be taken back. */
  get isMarked(): boolean {
    return this.#open.length > 0;
  }

  /** Grows whenever something is written or taken back: while it is the same, no table has changed. */
  get writes(): number {
    return this.#writes;
  }

  /** Freezes all that has been written until now: later writes make copies. */
  freeze(): void {
    this.#edit = {};
  }

  /** Called by a table at every write, with how to take it back from what has been written until then. */
  wrote(takeBack?: () => void): void {
    this.#writes += 1;
    if (takeBack !== undefined && this.isMarked) this.#takeBacks.push(takeBack);
  }

  mark(): Mark {
    const mark: Mark = { written: this.#takeBacks.length };
    this.#open.push(mark);
    return mark;
  }

  /**
   * Takes back what all tables have written since the mark, which stays open. Marks made after it are no more.
   *
   * @throws Problem `fault` for a mark that is not open
   */
  rollback(mark: Mark): void {
    this.#open.length = this.#placeOf(mark) + 1;
    if (this.#takeBacks.length > mark.written) this.#writes += 1;
    while (this.#takeBacks.length > mark.written) this.#takeBacks.pop()!();
  }

  /**
   * Keeps what was written since the mark; an earlier mark can still take it back. Marks made after it are no more.
   *
   * @throws Problem `fault` for a mark that is not open
   */
  release(mark: Mark): void {
    if (this.#open.at(-1) === mark) this.#open.pop();
    else this.#open.length = this.#placeOf(mark);
    if (!this.isMarked) this.#takeBacks = [];
  }

  /** Does the work wholly or, where it throws, not at all. */
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

  #placeOf(mark: Mark): number {
    const at = this.#open.indexOf(mark);
    if (at >= 0) return at;
    throw new Problem('fault', 'this mark is not open: it was released, or rolled back over');
  }
}

import { Problem } from '../problem.ts';

/**
 * A token of ownership. Whoever holds it may change in place what was made under the same token, and copies the
 * rest first; so a new token freezes all that was made before it.
 */
export type Edit = object;

/** A moment to which a transaction can go back: how each table that was written to since goes back to it. */
export interface Mark {
  readonly before: Map<object, () => void>;
}

/**
 * What the tables of one database share, so that they can be marked and rolled back together. A mark costs the
 * same however many tables there are; a rollback costs as much as there are tables that were written to.
 *
 * An open mark keeps what it would go back to in memory, so every mark has to be released. For the length of a piece
 * of work `run` sees to that; for longer, take the `state` of each table.
 */
export class Transaction {
  #edit: Edit = {};
  readonly #open: Mark[] = [];

  /** The token to write under, now. */
  get edit(): Edit {
    return this.#edit;
  }

  /** Whether what is written now can still be taken back. */
  get isMarked(): boolean {
    return this.#open.length > 0;
  }

  /** Freezes all that has been written until now: later writes make copies. */
  freeze(): void {
    this.#edit = {};
  }

  /** Called by a table before it writes under a token that it has not written under before. */
  remember(table: object, takeBack: () => void): void {
    const before = this.#open.at(-1)?.before;
    if (before?.has(table) === false) before.set(table, takeBack);
  }

  mark(): Mark {
    const mark: Mark = { before: new Map() };
    this.#open.push(mark);
    this.freeze();
    return mark;
  }

  /**
   * Takes back what all tables have written since the mark, which stays open. Marks made after it are no more.
   *
   * @throws Problem `fault` for a mark that is not open
   */
  rollback(mark: Mark): void {
    const marks = this.#since(mark);
    const done = new Set<object>();
    for (const { before } of marks) {
      for (const [table, takeBack] of before) {
        if (!done.has(table)) takeBack();
        done.add(table);
      }
    }
    this.#open.length -= marks.length - 1;
    this.freeze();
  }

  /**
   * Keeps what was written since the mark; an earlier mark can still take it back. Marks made after it are no more.
   *
   * @throws Problem `fault` for a mark that is not open
   */
  release(mark: Mark): void {
    const marks = this.#since(mark);
    this.#open.length -= marks.length;
    for (const { before } of marks) {
      for (const [table, takeBack] of before) this.remember(table, takeBack);
    }
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

  /** The marks that are open from this one on. */
  #since(mark: Mark): Mark[] {
    const at = this.#open.indexOf(mark);
    if (at < 0)
      throw new Problem('fault', 'this mark is not open: it was released, or rolled back over');
    return this.#open.slice(at);
  }
}

import type { ReadSource } from './read-log.ts';
import type { RowReads as Reads } from './row-reads.ts';
import type { Row } from './row.ts';

/** Replaces that of `row-reads.ts` in the bundle for browsers, where nothing is cached and no reads are logged. */
export class RowReads<R extends Row> implements Pick<Reads<R>, 'noteRow' | 'noteWrite'> {
  readonly id = 0;
  readonly changed = 0;
  readonly inAnotherWay: ReadSource = this;

  finds(): boolean {
    return false;
  }

  by(): ReadSource {
    return this;
  }

  firstBy(): ReadSource {
    return this;
  }

  ofFields(): ReadSource {
    return this;
  }

  noteWrite(): void {
    // Nothing depends on it.
  }

  noteRow(): void {
    // Nothing depends on it.
  }
}

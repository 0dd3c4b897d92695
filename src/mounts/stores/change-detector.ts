import type { BackOffice } from '../../engine/office/open-back-office.ts';
import type { Snapshot } from '../../engine/office/snapshots.ts';

/** Detects whether a back office has changed since it was last asked, at a cost that does not matter to a request. */
export class ChangeDetector {
  #writes = -1;
  #moves = -1;
  #count = 0;
  #last: Snapshot['state'] | undefined;

  /** Returns whether the back office has changed since the last call. */
  detect({ shop, snapshots }: BackOffice): boolean {
    const { writes } = shop.transaction;
    const { moves } = shop.clock;
    const list = snapshots.list();
    const last = list.at(-1)?.state;
    const isChanged =
      writes !== this.#writes ||
      moves !== this.#moves ||
      list.length !== this.#count ||
      last !== this.#last;
    this.#writes = writes;
    this.#moves = moves;
    this.#count = list.length;
    this.#last = last;
    return isChanged;
  }
}

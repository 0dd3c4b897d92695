import type { BackOffice } from '../../engine/office/open-back-office.ts';
import type { Snapshot } from '../../engine/office/snapshots.ts';

/** Detects whether a back office has changed since it was last asked, at a cost that does not matter to a request. */
export class ChangeDetector {
  #writes = -1;
  #moves = -1;
  #count = 0;
  #last: Snapshot['state'] | undefined;

  /** Takes the present state as unchanged. */
  reset(office: BackOffice): void {
    this.detect(office, false);
  }

  /**
   * Returns whether the back office has changed since the last call.
   *
   * @param isRead whether only a read has happened, which changes no snapshots
   */
  detect({ shop, snapshots }: BackOffice, isRead: boolean): boolean {
    const { writes } = shop.transaction;
    const { moves } = shop.clock;
    let isChanged = writes !== this.#writes || moves !== this.#moves;
    this.#writes = writes;
    this.#moves = moves;
    if (isRead) return isChanged;
    const list = snapshots.list();
    const last = list.at(-1)?.state;
    isChanged ||= list.length !== this.#count || last !== this.#last;
    this.#count = list.length;
    this.#last = last;
    return isChanged;
  }
}

import type { BackOffice } from '../../office/open-back-office.ts';
import type { Snapshot } from '../../office/snapshots.ts';

/** What tells that a back office has changed, at a cost that does not matter to a request. */
export class Marks {
  #writes = -1;
  #moves = -1;
  #count = 0;
  #last: Snapshot['state'] | undefined;

  /** Takes the present marks. */
  take(office: BackOffice): void {
    this.note(office, false);
  }

  /**
   * Takes the present marks, and returns whether they differ from those before.
   *
   * @param isRead whether only a read has happened, which changes no snapshots
   */
  note({ shop, snapshots }: BackOffice, isRead: boolean): boolean {
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

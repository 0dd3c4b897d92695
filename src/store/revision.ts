import { create as draftOf } from 'mutative';
import { typed } from './recorded.ts';
import type { Fields, Path } from './row-hooks.ts';
import type { Row } from './row.ts';
import { whenever, type Soon } from './schema-check.ts';

/** Changes a draft of a record, perhaps taking its time over it. */
export type Updater = (draft: never) => Soon<void>;

/** A copy of a row with changes, and where they are. */
export interface Revision {
  readonly next: Fields;
  readonly paths: Path[];
}

/** Lets the updater change a draft of the row; the row stays as it is. */
export function revise(row: Row, updater: Updater): Soon<Revision> {
  const [draft, finish] = draftOf(row, { enablePatches: true });
  return whenever(updater(typed<never>(draft)), () => {
    const [next, patches] = finish();
    return { next: typed<Fields>({ ...next }), paths: patches.map(({ path }) => path) };
  });
}

import { byText } from './key-order.ts';
import { OrderedMap } from './ordered-map.ts';
import type { IndexMap } from './row-index.ts';
import type { Key, Row } from './row.ts';

/** The content of a table as a value: later writes do not change it. */
export interface TableState {
  readonly definition: { readonly name: string; readonly secret?: ReadonlySet<string> };
  readonly rows: OrderedMap<number, Row>;
  readonly deleted: OrderedMap<number, Row>;
  readonly unique: readonly UniqueMap[];
  readonly indexes: readonly IndexMap[];
  readonly nextId: number;
}

/** The order of a page, and a prefix of its keys: `{ by: 'begun', prefix: [3], descending: true }` (default: all by id). */
export interface PageOrder<IndexName extends string = string> {
  readonly by?: IndexName | undefined;
  readonly prefix?: Key | undefined;
  readonly descending?: boolean | undefined;
}

/** The state that a table writes to, under the token of the transaction. */
export interface OwnState<R extends Row> extends TableState {
  rows: OrderedMap<number, R>;
  deleted: OrderedMap<number, R>;
  readonly unique: UniqueMap[];
  readonly indexes: IndexMap[];
  nextId: number;
}

/** A unique key of a table: its name, and the key of a row. */
export interface Unique<R> {
  readonly name: string;
  readonly keyOf: (row: R) => string | undefined;
}

/** The id of the row that has a unique key. */
export type UniqueMap = OrderedMap<string, number>;

export function emptyUnique(): UniqueMap {
  return new OrderedMap(byText);
}

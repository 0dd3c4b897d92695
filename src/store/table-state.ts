import type { OrderedMap } from './ordered-map.ts';
import type { IndexMap, UniqueMap } from './row-keys.ts';
import type { Key, Row } from './row.ts';

/** Everything that a table holds, as it was at one moment. Nothing that happens later changes it. */
export interface TableState {
  readonly definition: object;
  readonly rows: OrderedMap<number, Row>;
  readonly deleted: OrderedMap<number, Row>;
  readonly unique: readonly UniqueMap[];
  readonly indexes: readonly IndexMap[];
  readonly nextId: number;
}

/** In which order, and of which part, a page is: `{ by: 'begun', prefix: [3], descending: true }`. Without, all by id. */
export interface PageOrder<IndexName extends string = string> {
  readonly by?: IndexName | undefined;
  readonly prefix?: Key | undefined;
  readonly descending?: boolean | undefined;
}

/** The state that is being written to, under the token of the transaction. */
export interface OwnState<R extends Row> extends TableState {
  rows: OrderedMap<number, R>;
  deleted: OrderedMap<number, R>;
  readonly unique: UniqueMap[];
  readonly indexes: IndexMap[];
  nextId: number;
}

import type { TypedApi } from '../definition/api.ts';
import type { CollectionsOf } from '../store/database.ts';

/** Options for an API of whose tables TypeScript knows the types. */
export interface TypedOptions<Tables> {
  /** The API that it serves (default: that of the store). */
  readonly api?: TypedApi<Tables> | undefined;
}

/** A back office with the tables of such an API. */
export type WithTables<Office extends { readonly db: object }, Tables> = unknown extends Tables
  ? Office
  : Omit<Office, 'db'> & {
      readonly db: Omit<Office['db'], keyof Tables> & CollectionsOf<Tables>;
    };

import { lazyRecord } from '../lib/lazy-object.ts';
import { tablesOf, type CollectionsOf, type DatabaseOf } from './database.ts';
import type { Definitions } from './lazy-tables.ts';
import { TableCollection } from './msw-data/table-collection.ts';

/** Creates the collections over the tables of a database, each when it is first read. */
export function createCollections<Tables extends Definitions>(
  db: DatabaseOf<Tables>,
): CollectionsOf<Tables> {
  const lazy = tablesOf(db);
  const collections = lazyRecord(
    lazy.names,
    (name) => new TableCollection(lazy.at(lazy.names.indexOf(name))),
  );
  return collections as CollectionsOf<Tables>;
}

import { tableNames, type Database, type TableName } from '../models/database.ts';
import { Problem, type FieldProblem } from '../lib/problem.ts';
import { invalidRules } from './invalid-rules.ts';
import { below } from './issues.ts';
import { brokenReferences, misplacedIn } from './references.ts';

/**
 * Puts a scenario's records, which are checked already, into their tables.
 *
 * @returns what is wrong with them beside each other: ids and unique keys that two have, ids that lead
 *   nowhere, provinces of another country, rules that could never act
 */
export function loadRecords(
  db: Database,
  data: ReadonlyMap<string, readonly object[]>,
): FieldProblem[] {
  const tables = tableNames.flatMap((name) => {
    const table = db[name].definition.name;
    const records = data.get(table);
    return records === undefined ? [] : [{ name, table, records }];
  });
  const taken = tables.flatMap(({ name, table, records }) =>
    below(['data', table], addAll(db, name, records)),
  );
  if (taken.length > 0) return taken;
  const dangling = tables.flatMap(({ name, table, records }) =>
    records.flatMap((record, at) =>
      below(
        ['data', table, at],
        [...brokenReferences(db, name, record), ...misplacedIn(db, name, record)],
      ),
    ),
  );
  return [...dangling, ...invalidRules(db, (table) => ['data', table])];
}

function addAll(db: Database, name: TableName, records: readonly object[]): FieldProblem[] {
  try {
    // Which table's records they are is known to `name` alone; the table's schema has passed them.
    db[name].addAll(records as readonly never[]);
    return [];
  } catch (error) {
    if (error instanceof Problem) return [{ path: [], message: error.message }];
    throw error;
  }
}

import { expect, test } from 'vitest';
import { definitions, tableNames } from '../../src/models/database.ts';

test.each(tableNames)('every reference of %s names a field and a table', (name) => {
  const { references = {}, schema } = definitions[name];
  const fields = Object.keys(schema.shape);
  expect(Object.keys(references).filter((field) => !fields.includes(field))).toEqual([]);
  const targets: unknown[] = Object.values(references);
  expect(targets.filter((target) => !tableNames.some((table) => table === target))).toEqual([]);
});

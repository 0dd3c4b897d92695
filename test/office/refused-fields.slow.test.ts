import { test } from 'vitest';
import type { ApiEndpoint } from '../../src/engine/definition/api.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { contract } from '../../src/shop/resources/index.ts';
import { expectCorrectable } from './correctable.ts';
import { explainedApi } from '../support/explained-api.ts';
import { openOffice } from '../support/office.ts';
import { sample } from '../support/runs.ts';

function formsOf(rows: readonly ApiEndpoint[]) {
  return rows
    .filter(({ body, query }) => (body ?? query) !== undefined)
    .map((row) => ({ name: `${row.method} ${row.path}: ${row.step ?? row.summary}`, row }));
}

const office = openOffice();

test.each(sample(formsOf(contract), 15))(
  'a refused $name is accepted with what each explanation accepts in the place of what was sent',
  ({ row }) => expectCorrectable(office, row),
);

const own = openOffice({ api: explainedApi });
// Those that the extension changed, or added.
const extended = explainedApi.endpoints.filter((row) => !storeApi.endpoints.includes(row));

test.each(sample(formsOf(extended), 8))(
  'a refused $name of an extension is accepted with what each explanation accepts in the place of what was sent',
  ({ row }) => expectCorrectable(own, row),
);

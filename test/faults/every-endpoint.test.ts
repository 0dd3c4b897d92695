import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/mounts/node.ts';
import { storeApi } from '../../src/shop/store-api.ts';

const rows = storeApi.endpoints.map((row) => ({
  name: `${row.method} ${row.path}: ${row.summary}`,
  row,
}));

/** What a server or a proxy may answer in place of any endpoint. */
const statuses = [403, 413, 429, 500, 503];

test.each(rows)('a fault sets each status of a server for $name', async ({ row }) => {
  const office = createBackOffice();
  const { method, path, example } = row;
  for (const status of statuses) {
    const match = { method, path: path.replace(/(.)\/$/, '$1') };
    office.given.aFault({ match, first: 1, status });
    const response = await office.fetch(example.url, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code: status });
  }
});

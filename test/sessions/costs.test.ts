import { expect, test } from 'vitest';
import { documentedEndpoints } from '../../src/engine/sessions/openapi.ts';
import { parseRequestTarget } from '../../src/engine/sessions/request-target.ts';
import { openSessions } from '../../src/engine/sessions/server.ts';
import { openStoreOffice } from '../../src/shop/open-store-office.ts';
import { storeApi } from '../../src/shop/store-api.ts';
import { createHttpServer } from '../../src/mounts/server/server.ts';
import { costTable, matches, rowOf } from '../support/cost-table.ts';
import { ask, listen } from '../support/raw-http.ts';
import { openServer } from '../support/server.ts';

/** Requests in a full bucket. */
const budget = 20;
const requestRate = budget / 5;

const paths = [...new Set(documentedEndpoints(storeApi).map(({ path }) => path))];

test('each endpoint counts as the requests that the table of demos says', () => {
  const { sessions } = openServer({ requestRate });
  const counted = paths.map((path, at) => {
    const client = `192.0.${at}.1`;
    const target = parseRequestTarget(path.replaceAll(/:\w+/g, '1'), {});
    const fits = Array.from({ length: budget + 1 }, () =>
      sessions.admit({ target, headers: {}, client }),
    ).filter((refusal) => refusal === undefined).length;
    return [path, budget / fits];
  });
  expect(counted).toEqual(paths.map((path) => [path, rowOf(path).requests]));
});

test('each pattern of the table of demos has an endpoint', () => {
  const patterns = costTable().flatMap((row) => row.patterns);
  const unused = patterns.filter((pattern) => !paths.some((path) => matches(pattern, path)));
  expect(unused).toEqual([]);
  expect(patterns).toEqual([...new Set(patterns)]);
});

test.each([
  ['GET', '/_backlot/export', 10],
  ['HEAD', '/_backlot/export', 10],
  ['OPTIONS', '/_backlot/export', 10],
  ['POST', '/_backlot/export', 10],
  ['GET', '/_backlot/%65xport/', 10],
  ['GET', '/_backlot/trace.html', 1],
  ['HEAD', '/_backlot/trace.html', 1],
  ['HEAD', '/api/orders/', 1],
  ['GET', '/nowhere', 1],
])('%s %s counts as %i over HTTP', async (method, path, cost) => {
  const { statuses } = await statusesOf(`${method} ${path}`);
  expect(statuses).toHaveLength(budget / cost);
});

test.each([
  ['GET', '/_backlot/export', 10],
  ['HEAD', '/_backlot/export', 10],
  ['GET', '/_backlot/%65xport/', 10],
])('%s %s counts as %i with status 304, too', async (method, path, cost) => {
  const first = await statusesOf(`${method} ${path}`);
  const { statuses } = await statusesOf(`${method} ${path}`, { 'if-none-match': first.etag! });
  expect(statuses).toEqual(Array.from({ length: budget / cost }, () => 304));
});

/** Sends a request to a new server until it is beyond the rate. Returns the statuses before, and the `ETag`. */
async function statusesOf(line: string, headers: Readonly<Record<string, string>> = {}) {
  const server = openSessions(openStoreOffice(), { requestRate, milliseconds: () => 0 });
  const url = await listen(createHttpServer(server, {}));
  const responses = [];
  for (let sent = 0; sent <= budget; sent++) responses.push(await ask(url, line, headers));
  const served = responses.filter(({ status }) => status !== 429);
  return { statuses: served.map(({ status }) => status), etag: served[0]?.headers['etag'] };
}

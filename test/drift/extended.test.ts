import { expect, test } from 'vitest';
import { extendApi, field, resource, step, storeApi } from '../../src/define.ts';
import { ExchangeMonitor } from '../../src/verify/drift/exchange-monitor.ts';
import { textReport } from '../../src/verify/drift/report.ts';
import { verifyServer } from '../../src/verify/drift/verify.ts';
import { createBackOffice } from '../../src/index.ts';
import { checkExchange } from '../../src/verify/drift/exchange.ts';
import { company } from '../support/company-api.ts';
import { uuidShop } from '../support/uuid-api.ts';
import { todoApi } from '../todo/api.ts';
import { ofStore } from '../support/drift.ts';

const url = 'http://shop.test';

/** Checks a back office of one API as if it had to have that of another. */
function verify(has: typeof storeApi, api: typeof storeApi, write = false) {
  const office = createBackOffice({ api: has });
  return verifyServer({
    url,
    api,
    apiPath: api.path,
    write,
    tag: 'drift',
    fetch: (path, init) => office.fetch(path.slice(url.length), init),
  });
}

test('a server with a definition keeps it, with its own endpoints', async () => {
  const found = await verify(company, company, true);
  expect(found.findings).toEqual([]);
  const { endpoints } = await verify(storeApi, storeApi, true);
  expect(found.endpoints - endpoints).toBe(7);
});

test('a server whose records have UUIDs keeps its definition, and differs from the contract', async () => {
  const found = await verify(uuidShop, uuidShop, true);
  expect(found.findings).toEqual([]);
  const { findings } = await verify(uuidShop, storeApi);
  expect(findings.map(({ at }) => at)).toContain('body._embedded.items[0].id');
});

test('a check goes through the steps that a definition adds', async () => {
  const age_check = step({ after: 'payment', body: { adult: field.flag() }, submit() {} });
  const api = extendApi(storeApi, { steps: { age_check } });
  const { findings } = await verify(api, api, true);
  expect(findings).toEqual([]);
});

test('a server of another API keeps it, without a request for what only the store has', async () => {
  const { findings, endpoints, notes } = await verify(todoApi, todoApi, true);
  expect({ findings, endpoints, notes }).toEqual({ findings: [], endpoints: 6, notes: [] });
  await expect(verify(storeApi, todoApi)).rejects.toThrow('has no /api/todos/');
});

test('a server that lacks what a definition adds differs, and its endpoints are told apart', async () => {
  const resources = {
    wishlists: resource({ singular: 'wishlist', fields: { name: field.text() } }),
    notes: resource({ singular: 'note', fields: { text: field.text() } }),
  };
  const wanted = extendApi(storeApi, {
    fields: { users: { points: field.integer({ default: 0 }) } },
    resources,
  });
  const found = await verify(
    extendApi(storeApi, { resources: { notes: resources.notes } }),
    wanted,
  );
  const places = new Set(found.findings.map(({ endpoint, at }) => `${endpoint} ${at}`));
  expect(places).toContain('GET /api/wishlists/ status');
  expect(places).toContain('GET /api/users/:user_id body.points');
  const own = found.findings.filter(({ extension }) => extension === true);
  expect(new Set(own.map(({ endpoint }) => endpoint.split(' ')[1]?.split('/')[2]))).toEqual(
    new Set(['wishlists']),
  );
  expect(textReport(found)).toContain(
    'GET /api/wishlists/ (List wishlists), added by the definition',
  );
});

test('a proxy knows the endpoints and the parameters of a definition', () => {
  const watch = new ExchangeMonitor({ ...ofStore, api: company });
  const request = { method: 'POST', url: '/api/wishlists/', body: '{"name":"x"}' };
  const headers = { 'content-type': 'application/json' };
  const response = { status: 201, headers, body: '{"id":1,"name":"x"}' };
  const texts = watch
    .observe({ request: { ...request, headers }, response })
    .map(({ side, endpoint, text }) => `${side} ${endpoint} ${text}`);
  expect(texts).toContainEqual(expect.stringMatching(/^request POST \/api\/wishlists\/ name: /));
  expect(texts).toContainEqual(expect.stringMatching(/^response POST \/api\/wishlists\/ /));
});

test('a cart at an added step is as the definition says', async () => {
  const body = { wrap: field.flag() };
  const steps = { wrapping: step({ after: 'shipping', optional: true, body, submit() {} }) };
  const api = extendApi(company, { steps });
  const office = createBackOffice({ api });
  office.checkout.walk(109, 'wrapping');
  const request = { method: 'GET', url: '/api/v1/orders/109', headers: {} };
  const answer = office.answer(request);
  const check = (of: typeof storeApi) =>
    checkExchange(
      {
        request: { ...request, url: '/api/orders/109' },
        response: { ...answer, body: answer.body ?? '' },
      },
      { ...ofStore, api: of, apiPath: '/api/v1' },
    );
  expect(answer.body).toContain('"checkout_state":"wrapping"');
  expect(check(api)).toEqual([]);
  expect(check(company).map(({ kind }) => kind)).toContain('shape');
});

test('a server with tokens of its own keeps the contract for a client that has one', async () => {
  const api = extendApi(company, {
    auth: ({ request }) => request.headers['x-api-key'] === 'right',
  });
  const office = createBackOffice({ api });
  const { findings } = await verifyServer({
    url,
    api,
    apiPath: api.path,
    only: ['zones', 'users'],
    fetch(path, init) {
      const headers = { ...(init?.headers as object), 'x-api-key': 'right' };
      return office.fetch(path.slice(url.length), { ...init, headers });
    },
  });
  expect(findings).toEqual([]);
});

import { expect, test } from 'vitest';
import { storeApi } from '../../src/shop/store-api.ts';
import { controlEndpoints } from '../../src/engine/control/endpoints/index.ts';
import { operationIdOf } from '../../src/engine/rest/operation-id.ts';
import { checkAgainst } from '../support/document.ts';
import { declinedCard } from '../support/checkout-steps.ts';
import { openServer, type TestServer } from '../support/server.ts';

const document = openServer({ version: '1.2.3' }).call('GET /_backlot/openapi.json').body;
const check = checkAgainst(document);
const rows = [...storeApi.endpoints, ...controlEndpoints(storeApi)];
const writes = rows.filter(({ method }) => method !== 'GET');

interface Example {
  readonly value: { readonly _links?: Readonly<Record<string, { readonly href: string }>> };
}

interface Content {
  readonly examples: Readonly<Record<string, Example>>;
}

interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly tags: string[];
  readonly security: unknown;
  readonly parameters: readonly {
    readonly name: string;
    readonly description: string;
    readonly schema: { readonly properties?: Readonly<Record<string, { description: string }>> };
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Content>> }>
  >;
}

const operations = new Map(
  Object.values(document.paths as Readonly<Record<string, Readonly<Record<string, Described>>>>)
    .flatMap((methods) => Object.values(methods))
    .map((operation) => [operation.operationId, operation]),
);

type Sent = Parameters<TestServer['call']>;

/** Sends a request and expects a documented response. Returns its status. */
function probe(server: Pick<TestServer, 'call'>, ...[line, ...sent]: Sent): number {
  const answer = server.call(line, ...sent);
  expect(check(line, answer)).toBeUndefined();
  return answer.status;
}

function lineOf({ method, path }: (typeof rows)[number], id = '1'): string {
  return `${method} ${path.replaceAll(/:\w+/g, id)}`;
}

test('the check finds an undocumented status, a wrong body and a wrong content type', () => {
  const { call } = openServer();
  const good = call('GET /api/orders/1');
  expect(check('GET /api/orders/1', good)).toBeUndefined();
  expect(check('GET /api/orders/1', { ...good, status: 201 })).toBe('getOrder 201: not documented');
  const { id: _, ...other } = good.body;
  expect(check('GET /api/orders/1', { ...good, body: other })).toContain("property 'id'");
  const text = { 'content-type': 'text/plain' };
  expect(check('GET /api/orders/1', { ...good, headers: text })).toContain('content type');
});

test('every operation documents all query parameters that it reads', () => {
  for (const row of rows) {
    const documented = operations.get(operationIdOf(row))!.parameters.map(({ name }) => name);
    for (const [name, block] of Object.entries(row.query?.children ?? {})) {
      const names =
        block === undefined ? [name] : Object.keys(block).map((inner) => `${name}[${inner}]`);
      expect(documented, lineOf(row)).toEqual(expect.arrayContaining(names));
    }
  }
});

test('a parameter whose fields can have any name is documented', () => {
  const { parameters } = operations.get('listRecords')!;
  expect(parameters.find(({ name }) => name === 'where')).toMatchObject({
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  });
});

test('every operation documents the response to a body that cannot be read', () => {
  const server = openServer({
    settings: { maxBodyBytes: 5000 },
    maxControlBytes: 5000,
    maxImportBytes: 5000,
  });
  const json = { 'content-type': 'application/json' };
  for (const row of writes) {
    const line = lineOf(row);
    expect(probe(server, line, 'a', { 'content-type': 'text/plain' })).toBe(415);
    expect(probe(server, line, '{"a":', json)).toBe(400);
    expect(probe(server, line, '[1]', json)).toBe(400);
    expect(probe(server, line, JSON.stringify({ a: 'b'.repeat(6000) }), json)).toBe(413);
    expect(probe(server, line, { nothing: 1 })).toBeGreaterThanOrEqual(400);
    expect(probe(server, `${line}?${'a=1&'.repeat(1001)}`, {})).toBeGreaterThanOrEqual(400);
  }
});

test('every operation documents the response to an id that does not exist, and to unreadable queries', () => {
  const server = openServer();
  for (const row of rows) {
    probe(server, lineOf(row, '9999999'));
    probe(server, lineOf(row, 'x%00'));
    probe(server, `${lineOf(row, '9999999')}?${'a=1&'.repeat(1001)}`);
    probe(server, `${lineOf(row, '1')}?page=x&limit=0&sorting[x]=1&criteria=1&status=&nothing=1`);
    const body =
      row.method === 'GET'
        ? []
        : [Object.fromEntries(Object.keys(row.body?.children ?? {}).map((name) => [name, {}]))];
    probe(server, lineOf(row), ...body);
  }
});

test('every operation of the store API documents the responses of faults', () => {
  for (const row of storeApi.endpoints) {
    for (const status of [500, 503]) {
      const prefer = { prefer: `status=${status}` };
      expect(probe(openServer(), lineOf(row), undefined, prefer)).toBe(status);
    }
  }
});

test('every operation documents the response to a request without a token, a session or a free place', () => {
  const guarded = openServer({ scenario: 'authenticated', controlToken: 'sesame' });
  const off = openServer({ control: false });
  const nameless = openServer({ sessions: 'required' });
  const small = openServer({ maxRows: 1 });
  for (const row of rows) {
    const line = `${row.method} ${row.example.url}`;
    const { body } = row.example;
    for (const server of [guarded, off, nameless, small]) probe(server, line, body);
    const invalidName = { 'x-backlot-session': 'a b' };
    probe(openServer(), line, body, invalidName);
    const limited = openServer({ requestRate: 1 });
    for (let sent = 0; sent < 20; sent += 1) limited.call('GET /api/orders/9999');
    expect(probe(limited, line, body)).toBe(429);
  }
});

test('each example of the store API has the response of its row, which the document has, as has that to its repetition', () => {
  for (const { method, status, answer, example } of storeApi.endpoints) {
    const server = openServer();
    for (const one of example.before ?? []) server.call(`${one.method} ${one.url}`, one.body);
    const line = `${method} ${example.url}`;
    const response = server.call(line, example.body);
    expect([line, response.status, check(line, response)]).toEqual([line, status, undefined]);
    expect(answer === undefined ? undefined : answer.parse(response.body)).toEqual(response.body);
    probe(server, line, example.body);
  }
});

test('every control operation documents the responses to its example', () => {
  for (const { method, example } of controlEndpoints(storeApi)) {
    const server = openServer();
    for (let sent = 0; sent < 2; sent += 1) probe(server, `${method} ${example.url}`, example.body);
  }
});

test('the status of a declined card that a setting chooses is documented', () => {
  const { call } = openServer({ settings: { declinedStatus: 402 } });
  const { example } = storeApi.endpoints.find(({ step }) => step === 'purchase')!;
  const body = { ...example.body, number: declinedCard.number };
  expect(probe({ call }, `PUT ${example.url}`, body)).toBe(402);
});

test('the examples of the document are valid, and the same each time', () => {
  expect(openServer({ version: '1.2.3' }).call('GET /_backlot/openapi.json').body).toEqual(
    document,
  );
  let checked = 0;
  for (const [path, methods] of Object.entries<Record<string, Described>>(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const statuses = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
      for (const status of statuses) {
        const content = operation.responses[status]?.content;
        if (content === undefined) continue;
        const [[type, { examples }]] = Object.entries<Content>(content) as [[string, Content]];
        const requested = Object.keys(
          operation.requestBody?.content['application/json']?.examples ?? examples,
        );
        expect({ path, method, names: Object.keys(examples) }).toEqual({
          path,
          method,
          names: requested,
        });
        for (const { value } of Object.values(examples)) {
          const answer = { status: Number(status), headers: { 'content-type': type }, body: value };
          expect(
            check(`${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '1')}`, answer),
          ).toBeUndefined();
          checked += 1;
        }
      }
    }
  }
  expect(checked).toBeGreaterThan(100);
});

test('the document says what each operation and each parameter is', () => {
  const tags = document.tags.map(({ name }: { name: string }) => name);
  for (const methods of Object.values<Record<string, Described>>(document.paths)) {
    for (const { description, parameters, tags: own, security, operationId } of Object.values(
      methods,
    )) {
      expect({ operationId, described: description !== '' }).toEqual({
        operationId,
        described: true,
      });
      expect(tags).toEqual(expect.arrayContaining(own));
      expect(security).toBeInstanceOf(Array);
      for (const { name, description: text, schema } of parameters) {
        const inner = Object.values(schema.properties ?? {});
        const missing = [text, ...inner.map((one) => one.description)].filter((one) => !one);
        expect({ operationId, name, missing }).toEqual({ operationId, name, missing: [] });
      }
    }
  }
});

test('schemas have `items` on every array, no generated names, and do not refer to themselves', () => {
  const { schemas } = document.components;
  expect(JSON.stringify(document)).not.toContain('__schema');
  const reached = (name: string, above: readonly string[]): void => {
    expect(above).not.toContain(name);
    const inner = JSON.stringify(schemas[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g);
    for (const [, next = ''] of inner) reached(next, [...above, name]);
  };
  for (const name of Object.keys(schemas)) reached(name, []);
  const arrays = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, items } = value as { readonly type?: unknown; readonly items?: unknown };
    if (type === 'array') expect(value).toEqual({ ...value, items: items ?? 'missing' });
    if (type === 'array') expect(items).toBeDefined();
    for (const inner of Object.values(value)) arrays(inner);
  };
  arrays(schemas);
});

test('links lead from an order to its items, its checkout and its payments', () => {
  const server = openServer();
  const { links } = document.paths['/api/orders/{order_id}'].get.responses['200'];
  expect(Object.keys(links)).toEqual(
    expect.arrayContaining([
      'listOrderItems',
      'addOrderItem',
      'getCheckout',
      'submitCheckoutStep',
      'getPayment',
      'getShipment',
    ]),
  );
  expect(links.getPayment.parameters).toEqual({ payment_id: '$response.body#/payments/0/id' });
  const { body } = server.call('GET /api/orders/1');
  expect(server.call(`GET /api/payments/${body.payments[0].id}`).status).toBe(200);
  const created = document.paths['/api/promotions/{promotion_id}/coupons/'].post.responses['201'];
  expect(created.links.getPromotionCoupon.parameters).toEqual({
    promotion_id: '$request.path.promotion_id',
    coupon_id: '$response.body#/id',
  });
});

test('the paths of the document are spelled as links in responses are', () => {
  const { call } = openServer();
  const spelled = new Set(Object.keys(document.paths));
  let compared = 0;
  for (const path of spelled) {
    const { get } = document.paths[path];
    const examples = Object.values<Example>(
      get?.responses['200']?.content?.['application/json']?.examples ?? {},
    );
    for (const { value } of examples) {
      const self = value._links?.self?.href ?? value._links?.first?.href;
      if (self === undefined || !self.startsWith('/api/')) continue;
      expect(String(self.split('?')[0]).replaceAll(/\d+/g, '1')).toBe(
        path.replaceAll(/\{\w+\}/g, '1'),
      );
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(20);
  expect(call('GET /api/orders/').body._links.self.href).toMatch(/^\/api\/orders\/\?/);
});

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openServer, type TestServer } from '../support/server.ts';
import { company } from '../support/company-api.ts';

type Operations = Readonly<Record<string, { readonly operationId: string }>>;

function operationsOf(document: { readonly paths: Readonly<Record<string, Operations>> }) {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operationId,
    })),
  );
}

const { call } = openServer();
const document = call('GET /_backlot/openapi.json').body;

function slice(only: string, send: TestServer['call'] = call) {
  return send(`GET /_backlot/openapi.json?only=${encodeURIComponent(only)}`);
}

/** Returns the names of components that a document has and does not use, or uses and does not have. */
function looseComponents(part: {
  readonly components: Readonly<Record<string, object>>;
}): string[] {
  const text = JSON.stringify(part);
  const { securitySchemes: _, ...listed } = part.components;
  const names = Object.entries(listed).flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `#/components/${kind}/${name}`),
  );
  const used = new Set(Array.from(text.matchAll(/"\$ref":"([^"]+)"/g), ([, ref = '']) => ref));
  return [...used.symmetricDifference(new Set(names))];
}

function namesIn(only: string): string[] {
  return operationsOf(slice(only).body).map(({ name }) => name);
}

test('the slice of each operation is a valid document with the components that it needs', async () => {
  const sizes: number[] = [];
  const validator = new Validator();
  for (const { name, operationId } of operationsOf(document)) {
    const { status, body } = slice(name);
    expect({ name, status }).toEqual({ name, status: 200 });
    expect(operationsOf(body)).toEqual([{ name, operationId }]);
    expect({ name, loose: looseComponents(body) }).toEqual({ name, loose: [] });
    const { valid, errors } = await validator.validate(structuredClone(body));
    expect({ name, valid, errors }).toMatchObject({ valid: true });
    sizes.push(JSON.stringify(body).length);
  }
  // An order has most of the schemas of the store.
  expect(Math.max(...sizes)).toBeLessThan(15_000);
  const small = sizes.filter((size) => size <= 10_000);
  expect(small.length / sizes.length).toBeGreaterThan(0.96);
});

test('a slice keeps what a request has to be, and loosens responses', () => {
  const { schemas } = slice('createOrder').body.components;
  expect(schemas.CreateOrderBody.required).toEqual(['channel', 'user', 'currency']);
  expect(document.components.schemas.Order.required).toContain('total');
  expect(schemas.Order).not.toHaveProperty('required');
  expect(schemas.Order.properties).toHaveProperty('total');
});

test('a slice takes several operations, tags in the singular or the plural, paths and operation ids', () => {
  const checkout = ['GET /api/checkouts/{order_id}', 'PUT /api/checkouts/{order_id}'];
  expect(namesIn('checkout')).toEqual(checkout);
  expect(namesIn('checkouts')).toEqual(checkout);
  expect(namesIn('/api/checkouts/:order_id')).toEqual(checkout);
  expect(namesIn('createOrder, PUT /api/checkouts/{id}')).toEqual([
    'POST /api/orders/',
    'PUT /api/checkouts/{order_id}',
  ]);
});

test('a slice of an API at another path takes its paths and those of the contract', () => {
  const server = openServer({ api: company });
  for (const only of ['POST /api/v1/orders/', 'POST /api/orders'])
    expect(operationsOf(slice(only, server.call).body)).toMatchObject([
      { name: 'POST /api/v1/orders/' },
    ]);
});

test('llms.txt has a line for each operation, of 1,500 tokens, and links to parts that there are', () => {
  const { body, headers } = call('GET /_backlot/llms.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body).toContain('- PUT /api/checkouts/:order_id (payment): ');
  expect(body).toContain('GET /_backlot/transitions/:machine/:id');
  expect(Buffer.byteLength(body)).toBeLessThan(6000);
  const links = [...body.matchAll(/\]\((\/.+?)\)/g)].map(([, path = '']) => path);
  expect(links).toHaveLength(4);
  call('POST /api/orders/', {});
  for (const link of links) expect([link, call(`GET ${link}`).status]).toEqual([link, 200]);
});

test('the name of no operation is rejected with a similar one', () => {
  const { status, body } = slice('POST /api/oders/');
  expect(status).toBe(404);
  expect(body.message).toMatch(
    /^Operation 'POST \/api\/oders\/' not found\. Did you mean POST \/api\/orders\/\?/,
  );
});

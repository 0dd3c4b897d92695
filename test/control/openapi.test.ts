import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { storeApi } from '../../src/shop/store-api.ts';
import { controlEndpoints } from '../../src/engine/control/endpoints/index.ts';
import { openServer } from '../support/server.ts';

interface Described {
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly { readonly name: string; readonly schema: object }[];
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

const { call } = openServer({ version: '1.2.3' });
const document = call('GET /_backlot/openapi.json').body;
const operations = Object.entries<Record<string, Described>>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const rows = [...storeApi.endpoints, ...controlEndpoints(storeApi)];

test('the document has the version of the server', () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Backlot', version: '1.2.3' },
  });
});

test.each(rows.map((row) => ({ name: `${row.method} ${row.path}: ${row.summary}`, row })))(
  'the document describes $name with its responses and errors',
  ({ row }) => {
    const found = operations.find(
      ({ path, method }) => key(path) === key(row.path) && method === row.method.toLowerCase(),
    );
    expect(found?.operation.responses).toHaveProperty(String(row.status));
    const described = `${found?.operation.summary}\n${found?.operation.description}`;
    expect(described).toContain(row.summary);
    const parameters = found?.operation.parameters.map(({ name }) => name);
    for (const [, name] of found?.path.matchAll(/\{(\w+)\}/g) ?? []) {
      expect(parameters).toContain(name);
    }
  },
);

test('every parameter has one value and is named as clients send it, which all tools support', () => {
  const all = operations.flatMap(({ operation }) => operation.parameters);
  expect(all.filter(({ schema }) => 'properties' in schema || 'items' in schema)).toEqual([]);
  const names = operations.find(({ operation }) => operation.operationId === 'listProducts');
  expect(names?.operation.parameters.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['page', 'criteria[name]', 'sorting[created_at]']),
  );
});

test('the document passes an OpenAPI validator that rejects a broken one', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  const { paths: _, ...other } = document;
  expect(await validator.validate({ ...other, servers: 1 })).toMatchObject({ valid: false });
});

test('every reference in the document resolves, and every operation has a unique name', () => {
  const text = JSON.stringify(document);
  const names = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  );
  expect(names).toContain('Order');
  expect(names.filter((name = '') => !(name in document.components.schemas))).toEqual([]);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('operations are named by what they do', () => {
  const names = Object.fromEntries(
    operations.map(({ method, path, operation: { operationId } }) => [
      `${method.toUpperCase()} ${key(path)}`,
      operationId,
    ]),
  );
  expect(names).toMatchObject({
    'GET /api/orders': 'listOrders',
    'GET /api/orders/:': 'getOrder',
    'POST /api/orders': 'createOrder',
    'DELETE /api/orders/:': 'deleteOrder',
    'GET /api/orders/:/items': 'listOrderItems',
    'POST /api/orders/:/items': 'addOrderItem',
    'DELETE /api/orders/:/items/:': 'removeOrderItem',
    'PUT /api/checkouts/:': 'submitCheckoutStep',
    'GET /api/countries/:': 'getCountry',
    'GET /api/countries/:/provinces/:': 'getCountryProvince',
    'PATCH /api/stock-locations/:': 'patchStockLocation',
    'POST /api/password-resetting-requests': 'requestPasswordReset',
    'POST /oauth/v2/token': 'getToken',
    'POST /_backlot/orders/:/coupons': 'addOrderCoupon',
    'GET /_backlot/sessions/:': 'getSession',
  });
  for (const name of Object.values(names)) expect(name).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
});

test('the document describes response headers, and Location for 201', () => {
  const { post, get } = document.paths['/api/channels/'];
  const notice = { $ref: '#/components/headers/Notice' };
  expect(get.responses['200'].headers).toEqual({ 'X-Backlot-Notice': notice });
  expect(post.responses['201'].headers).toEqual({
    Location: { $ref: '#/components/headers/Location' },
    'X-Backlot-Notice': notice,
  });
  expect(Object.keys(document.components.headers)).toEqual(
    expect.arrayContaining(['Location', 'Notice']),
  );
});

test('the steps of the checkout are one operation whose body is one of several schemas', () => {
  const { put } = document.paths['/api/checkouts/{order_id}'];
  expect(put.description.split('\n')).toHaveLength(5);
  const body = document.components.schemas.SubmitCheckoutStepBody;
  expect(body.anyOf.map(({ required }: { required: string[] }) => required)).toEqual([
    ['shippingAddress'],
    ['shipments'],
    ['paymentMethod'],
    ['type', 'cardholderName', 'number', 'securityCode', 'expiryMonth', 'expiryYear'],
    undefined,
  ]);
  expect(put.requestBody.required).toBe(false);
});

test('the document describes which paths require a token, how to get one, and the error without one', () => {
  const { securitySchemes: schemes, schemas, responses } = document.components;
  expect(schemes).toMatchObject({
    oauth2: {
      type: 'oauth2',
      flows: { password: { tokenUrl: '/oauth/v2/token', refreshUrl: '/oauth/v2/token' } },
      description: expect.stringContaining('if the setting `auth` is `oauth2`'),
    },
    bearer: { type: 'http', scheme: 'bearer' },
    controlToken: { type: 'apiKey', in: 'header', name: 'X-Backlot-Token' },
  });
  const guarded = openServer({ scenario: 'authenticated', controlToken: 'sesame' });
  const shapes: string[][] = [];
  for (const { path, method, operation } of operations) {
    const denied = guarded.call(`${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '1')}`, {});
    const means = (operation.security ?? []).flatMap((one) => Object.keys(one));
    expect({ path, denied: denied.status === 401 }).toEqual({ path, denied: means.length > 0 });
    expect(means.filter((name) => !(name in schemes))).toEqual([]);
    if (means.length === 0) continue;
    // Only where it is set so: the empty requirement is met by anybody.
    expect(operation.security?.[0]).toEqual({});
    const shape = Object.keys(denied.body).toSorted();
    const response = responses[nameOf(operation.responses['401'])];
    expect(
      schemas[nameOf(response.content['application/json'].schema)].required.toSorted(),
    ).toEqual(shape);
    shapes.push(shape);
  }
  expect(new Set(shapes.map(String)).size).toBeGreaterThan(1);
});

test('the token endpoint is described with its response and its errors', () => {
  for (const method of ['get', 'post']) {
    const { responses } = document.paths['/oauth/v2/token'][method];
    expect(JSON.stringify(responses)).toMatch(/schemas\/Token".*schemas\/OAuthError"/);
  }
  expect(document.paths['/oauth/v2/token'].get.parameters).toContainEqual(
    expect.objectContaining({ name: 'grant_type', in: 'query', required: false }),
  );
});

test.each(['/_backlot/', '/_backlot/docs'])('the control API serves the page %s', (path) => {
  const { headers, body } = call(`GET ${path}`);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(body).toMatch(/^<!doctype html>/);
});

/** Returns the name that a reference ends with. */
function nameOf({ $ref = '' }: { readonly $ref?: string } = {}): string {
  return $ref.split('/').at(-1) ?? '';
}

/** Returns a path without parameter names and trailing slash, to compare it. */
function key(path: string): string {
  return path.replaceAll(/[:{]\w+\}?/g, ':').replace(/(.)\/$/, '$1');
}

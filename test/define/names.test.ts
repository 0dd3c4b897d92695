import { expect, test } from 'vitest';
import { extendApi, field, resource, storeApi } from '../../src/define.ts';
import { openServer } from '../support/server.ts';

const api = extendApi(storeApi, {
  resources: {
    returnRequests: resource({
      singular: 'return request',
      fields: {
        order: field.ref('orders'),
        return_reason: field.text({ filter: true, max: 100 }),
      },
    }),
  },
  scenarios: {
    default: { data: { returnRequests: [{ order: 1, return_reason: 'Too small' }] } },
  },
});

test('records of a scenario are named as the resource of the definition is', () => {
  const { call } = openServer({ api });
  expect(call('GET /api/return-requests/1').body.return_reason).toBe('Too small');
  const scenario = {
    name: 'mine',
    description: 'Mine',
    data: { returnRequests: 4 },
  };
  expect(() => openServer({ api, scenario: scenario as never })).toThrow('data.return_requests: ');
});

test.each(['returnRequests', 'return_requests', 'return-requests'])(
  'tables and parts of the document know the resource returnRequests as %s',
  (name) => {
    const { call } = openServer({ api });
    expect(call(`GET /_backlot/tables/${name}/1`).body.return_reason).toBe('Too small');
    const { paths } = call(`GET /_backlot/openapi.json?only=${name}`).body;
    expect(Object.keys(paths)).toEqual(['/api/return-requests/', '/api/return-requests/{id}']);
  },
);

test('a parameter in snake_case has this name in requests, records and filters', () => {
  const { call } = openServer({ api });
  const sent = { order: 3, return_reason: 'Broken' };
  expect(call('POST /api/return-requests/', sent)).toMatchObject({ status: 201, body: sent });
  const { body } = call('GET /api/return-requests/?criteria[return_reason]=brok');
  expect(body.total).toBe(1);
});

test('two fields of a resource cannot have one name in records', () => {
  const fields = { returnReason: field.text(), return_reason: field.text() };
  const resources = { returns: resource({ singular: 'return', fields }) };
  expect(() => extendApi(storeApi, { resources })).toThrow(
    'resources.returns.fields.return_reason: has the name return_reason in records, as another one has',
  );
});

test('a rule of an endpoint that there is not has a suggestion, and names ten endpoints', () => {
  const rules = { 'POST /api/oders/': { check: () => [] } };
  const message = messageOf(() => Reflect.apply(extendApi, undefined, [storeApi, { rules }]));
  expect(message).toContain('(did you mean "POST /api/orders/"?); known: GET /api/promotions, ');
  expect(message).toMatch(/ and \d+ more$/m);
  expect(message.match(/\/api\//g)).toHaveLength(13);
});

function messageOf(work: () => unknown): string {
  try {
    work();
    return '';
  } catch (error) {
    return String(error);
  }
}

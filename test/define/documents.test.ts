import { expect, test } from 'vitest';
import { createBackOffice } from '../../src/index.ts';
import { describeApis, finish } from '../../src/engine/sessions/control-api.ts';
import { checkAgainst } from '../support/document.ts';
import { everyField } from '../support/every-field-api.ts';
import { everyPart } from '../support/every-part-api.ts';
import { caller, type Call } from '../support/office.ts';
import { openServer } from '../support/server.ts';

const document = finish(describeApis(everyField, '0'));

test('responses are as the document of a definition with every kind of field says, and so do the control endpoints', async () => {
  const check = checkAgainst(JSON.parse(JSON.stringify(document)));
  const office = createBackOffice({ api: everyField });
  const call: Call = async (line, body) => {
    office.reset();
    return caller((url, init) => office.fetch(url, init))(line, body);
  };
  const { call: control } = openServer({ api: everyField });
  const rows = everyField.endpoints.filter(({ isExtension }) => isExtension);
  expect(rows).toHaveLength(8);
  for (const { method, status, example } of rows.filter((row) => row.method !== 'DELETE')) {
    const line = `${method} ${example.url}`;
    const answer = await call(line, example.body);
    expect([line, answer.status]).toEqual([line, status]);
    expect(check(line, answer)).toBeUndefined();
  }
  for (const line of [
    'GET /api/users/1',
    'GET /api/users/',
    'GET /api/products/1',
    'GET /api/orders/1',
  ]) {
    expect(check(line, await call(line))).toBeUndefined();
  }
  for (const name of ['aUser', 'aProduct', 'anOrder', 'aGadget']) {
    const line = `POST /_backlot/given/${name}`;
    expect(check(line, control(line, {}))).toBeUndefined();
  }
});

test('the control API accepts UUIDs beside integers where its document says so', () => {
  const { paths, components } = finish(describeApis(everyPart, '0'));
  const { parameters } = paths['/_backlot/orders/{order_id}']?.['get'] ?? {};
  const either = [
    { type: 'integer', minimum: 1 },
    { type: 'string', format: 'uuid' },
  ];
  expect(parameters?.[0]).toMatchObject({ name: 'order_id', schema: { anyOf: either } });
  expect(components.schemas['SetUpOrderBody']).toMatchObject({
    properties: {
      user: { anyOf: either },
      channel: either[0],
      at: { description: expect.stringContaining('shipping, gift_wrapping, payment') },
    },
  });
  const { call } = openServer({ api: everyPart });
  const [user, order] = ['users', 'orders'].map(
    (list) => call(`GET /rest/V1/${list}/?limit=1`).body._embedded.items[0].id as string,
  );
  expect(call('POST /_backlot/given/anOrder', { user }).body.user.id).toBe(user);
  expect(call('POST /_backlot/given/anOrder', { user: order }).status).toBe(400);
  expect(call('POST /_backlot/given/anOrder', { user: 2, at: 'gift_wrapping' }).status).toBe(201);
  const rule = { on: 'purchase', match: { order }, outcome: 'declined' };
  expect(call('POST /_backlot/script', rule).status).toBe(201);
  expect(call(`GET /_backlot/orders/${order}`).status).toBe(200);
});

test('each added endpoint has an example of its response, which was run', () => {
  const lacking = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/api/gadgets/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) => {
        const success = responses['200'] ?? responses['201'];
        const isShown = success === undefined || JSON.stringify(success).includes('"examples"');
        return isShown ? [] : [`${method} ${path}`];
      }),
    );
  expect(lacking).toEqual([]);
});

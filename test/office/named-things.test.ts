import { expect, test } from 'vitest';
import { commandOf } from '../../src/cli/arguments.ts';
import { defineApi, field, resource } from '../../src/define.ts';
import { openServer } from '../support/server.ts';

test('the explanation of a currency that there is not says which there are', () => {
  const { call, shared } = openServer({ history: true });
  const order = { channel: 1, user: 1, currency: 'XXX' };
  expect(call('POST /api/orders/', order).status).toBe(400);
  const [refused] = shared.explain.entry(1).refused;
  expect(refused).toMatchObject({
    rule: 'exists',
    accepts: 'the code of a currency, such as "EUR"',
    example: 'EUR',
  });
  const mended = { ...order, currency: refused?.example };
  expect(call('POST /api/orders/', mended).status).toBe(201);
});

test.each([
  [
    { items: [{ variant: 9999 }] },
    'items/ returned 400: variant: This value is not valid. It was 9999.',
  ],
  [{ currency: 'XXX' }, 'orders/ returned 400: currency: This value is not valid. It was "XXX".'],
])('an order that cannot be set up by %j says which value was refused', (values, message) => {
  const { call } = openServer();
  expect(call('POST /_backlot/given/anOrder', values).body.message).toContain(message);
});

test.each([
  [
    '42001',
    'Did you mean --port 42001? In a script of npm, flags follow `--`: `npm start -- --port 42001`.',
  ],
  ['sale', 'Did you mean --scenario sale? In a script of npm, '],
  ['my/shop.json', 'Did you mean --scenario my/shop.json? '],
  ['opn', 'Did you mean open?'],
])('a command line whose command is %s has a suggestion', (word, hint) => {
  expect(() => commandOf([word])).toThrow(`Unknown command '${word}'. ${hint}`);
});

test('the counts and the description of an API of a user are sentences', () => {
  const api = defineApi({
    name: 'help desk',
    description: 'A help desk',
    path: '/v2',
    resources: {
      agents: resource({ singular: 'agent', fields: { name: field.text() } }),
      tickets: resource({ singular: 'ticket', fields: { title: field.text() } }),
    },
    scenarios: {
      default: { data: { agents: [{ name: 'Ada' }], tickets: [{ title: 'A' }, { title: 'B' }] } },
    },
  });
  const { call, shared } = openServer({ api });
  const { counts } = api.control!.parts().overview;
  expect(counts(shared.shop.db)).toBe('1 agent, 2 tickets');
  const { info } = call('GET /_backlot/openapi.json').body;
  expect(info.description).toMatch(/^A help desk\. Paths under \/v2/);
});

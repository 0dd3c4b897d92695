import { expect, test } from 'vitest';
import { storeApi } from '../../src/define.ts';
import type { ScenarioName } from '../../src/shop/office/scenario.ts';
import { company } from '../support/company-api.ts';
import { everyPart } from '../support/every-part-api.ts';
import { openServer, type TestServer } from '../support/server.ts';
import { uuidShop } from '../support/uuid-api.ts';

/** A request as an answer has it. */
interface Deed {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

const builtIn = Object.keys(storeApi.sources.scenarios).filter(
  (name): name is ScenarioName => name !== 'large',
);
const shops = [
  { name: 'with declinedStatus 402', api: storeApi, settings: { declinedStatus: 402 } as const },
  ...builtIn.map((scenario) => ({ name: scenario, api: storeApi, scenario })),
  ...Object.entries({ company, everyPart, uuidShop }).map(([name, api]) => ({ name, api })),
];

/** Names of the states of orders and their records. */
function statesOf({ call }: TestServer): string[] {
  const states: { name: string }[] = call('GET /_backlot/states').body;
  return states.map(({ name }) => name).filter((name) => name.includes('.'));
}

function send({ call }: TestServer, { method, url, body }: Deed, token?: string) {
  const headers = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  return call(`${method} ${url}`, body, headers);
}

function tokenOf({ call }: TestServer): string {
  const client = 'client_id=demo_client&client_secret=secret_demo_client';
  const user = 'grant_type=password&username=api@example.com&password=api';
  return call(`GET /oauth/v2/token?${client}&${user}`).body.access_token;
}

test.each(shops)(
  'each state opens with the scenario or API $name, and its next request is accepted',
  ({ name: _name, ...options }) => {
    const server = openServer(options);
    for (const name of statesOf(server)) {
      server.shared.reset();
      const { status, body } = server.call(`POST /_backlot/states/${name}`);
      expect({ name, status, body }).toMatchObject({ status: 200, body: { state: name } });
      if (body.next === undefined) {
        expect(name).toMatch(/abandoned|cancelled|returned|refunded/);
        continue;
      }
      const token = body.needsToken === true ? tokenOf(server) : undefined;
      const taken = send(server, body.next, token);
      expect({ name, status: taken.status, body: taken.body }).toMatchObject({ status: 200 });
    }
  },
);

test('only a state before the step confirm is that of a cart: others have a number, and a state of the shipment that fits', () => {
  const server = openServer();
  for (const name of statesOf(server)) {
    const { url } = server.call(`POST /_backlot/states/${name}`).body;
    const { number, state, checkout_state, shipments } = server.call(`GET ${url}`).body;
    const isCart = /awaiting-(?!purchase)|order.cart|abandoned|payment.new|checkout$/.test(name);
    expect({ name, number }).toEqual({ name, number: isCart ? undefined : expect.any(String) });
    if (isCart) continue;
    const isPaid = checkout_state === 'completed';
    const parts = shipments.map((one: { readonly state: string }) => one.state);
    const unpaid =
      state === 'released' ? 'checkout' : name === 'shipment.pending' ? 'pending' : 'onhold';
    if (!isPaid) expect({ name, parts }).toEqual({ name, parts: [unpaid] });
    else expect({ name, parts }).not.toEqual({ name, parts: expect.arrayContaining(['checkout']) });
  }
});

test.each([
  ['order.awaiting-confirm', 3, {}],
  ['order.pending', 4, {}],
  ['payment.failed', 5, { number: '4000000000000002' }],
  ['shipment.ready', 5, {}],
])('%s opens the order that %i steps of the store API lead to', (name, steps, card) => {
  const [opened, walked] = [openServer(), openServer()];
  const { id } = opened.call(`POST /_backlot/states/${name}`).body;
  const { channels, users, variants, currencies } = walked.shared.db;
  const first = { channel: channels.all()[0]!.id, user: users.all()[0]!.id };
  const currency = currencies.all().find((one) => one.id === channels.all()[0]!.currencies[0])!;
  const { id: cart } = walked.call('POST /api/orders/', { ...first, currency: currency.code }).body;
  const { id: variant, price } = variants.all()[0]!;
  walked.call(`POST /api/orders/${cart}/items/`, { variant, quantity: 1, unitPrice: price });
  for (let step = 1; step <= steps; step++) {
    const { request } = walked.call(`GET /_backlot/orders/${cart}/next`).body;
    const body = step === 5 ? { ...request.body, ...card } : request.body;
    expect(walked.call(`PUT ${request.url}`, body).status).toBe(200);
  }
  expect(opened.call(`GET /api/orders/${id}`).body).toEqual(
    walked.call(`GET /api/orders/${cart}`).body,
  );
});

test('each transition that a list or an explanation says is possible has a request, which is accepted', () => {
  const server = openServer({ history: true });
  for (const name of statesOf(server)) {
    server.shared.reset();
    const { id, part } = server.call(`POST /_backlot/states/${name}`).body;
    const path = part === undefined ? `order/${id}` : `${part.record}/${part.id}`;
    const { transitions } = server.call(`GET /_backlot/transitions/${path}`).body;
    const { next } = server.call(`GET /_backlot/transitions/${path}/why`).body;
    expect(next).toEqual(transitions);
    for (const { transition, to, possible, request } of next) {
      expect({ transition, isThere: request !== undefined }).toEqual({
        transition,
        isThere: possible,
      });
      if (!possible) continue;
      server.shared.reset();
      server.call(`POST /_backlot/states/${name}`);
      const taken = send(server, request);
      expect({ name, transition, ...taken }).toMatchObject({ status: 200, body: { state: to } });
    }
  }
});

test('a state opens whatever the script decides, and the counts of its rules stay', () => {
  const server = openServer();
  const rules = [
    { on: 'purchase', outcome: 'declined', first: 2 },
    { on: 'confirm', refuse: { message: 'Closed.' } },
    { on: 'order.ship', refuse: { message: 'On strike.' } },
  ];
  for (const rule of rules) server.call('POST /_backlot/script', rule);
  const before = server.call('GET /_backlot/script').body;
  for (const name of ['payment.completed', 'payment.unknown', 'order.shipped'])
    expect(server.call(`POST /_backlot/states/${name}`).status).toBe(200);
  expect(server.call('GET /_backlot/script').body).toEqual(before);
});

import { expect, test } from 'vitest';
import { storeApi } from '../../src/define.ts';
import type { ApiDefinition } from '../../src/engine/definition/api.ts';
import { createBackOffice, type NodeBackOffice } from '../../src/mounts/node.ts';
import { company } from '../support/company-api.ts';
import { everyPart } from '../support/every-part-api.ts';
import { openServer } from '../support/server.ts';
import { uuidShop } from '../support/uuid-api.ts';
import { todoApi } from '../todo/api.ts';

/** Names of steps that lead from a state, and of states of machines, as the list has them. */
function expectedNames({ steps, machines }: ApiDefinition): string[] {
  return [
    ...steps.flatMap(({ name, from }) => (from === undefined ? [] : [`order.awaiting-${name}`])),
    ...machines.flatMap(({ name, states }) => states.map((state) => `${name}.${state}`)),
  ];
}

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (office: NodeBackOffice) => Promise<void>;

/** Whether it can be opened at once. Others test the scenario with 3,000 orders. */
function isFast({ name }: { readonly name: string }): boolean {
  return name !== 'large';
}

const apis = { store: storeApi, company, everyPart, uuidShop, todo: todoApi };

test.each(Object.entries(apis))(
  'each scenario, step and state of %s is listed and can be opened',
  (_, api) => {
    const server = openServer({ api });
    const states: { name: string; about: string }[] = server.call('GET /_backlot/states').body;
    const scenarios = Object.keys(api.sources.scenarios);
    expect(states.map(({ name }) => name)).toEqual([...scenarios, ...expectedNames(api)]);
    server.shared.reset();
    for (const { name, about } of states.toReversed().filter(isFast)) {
      expect(about, name).toMatch(/\w/);
      const { status, body } = server.call(`POST /_backlot/states/${name}`);
      expect({ name, status, body }).toMatchObject({ status: 200, body: { state: name } });
      if (scenarios.includes(name)) expect(server.shared.scenario.name).toBe(name);
      else expectState(server, name, body);
    }
  },
);

/** Expects that the order of a response is there, and it or one of its records in the state. */
function expectState(
  { call, shared }: ReturnType<typeof openServer>,
  name: string,
  body: { readonly id: number | string; readonly url: string; readonly part?: unknown },
): void {
  const { status, body: order } = call(`GET ${body.url}`);
  expect({ name, status }).toEqual({ name, status: 200 });
  expect(order.id).toBe(body.id);
  const { api, db } = shared.shop;
  const [machine = '', state = ''] = name.split('.');
  if (state.startsWith('awaiting-')) {
    const step = api.steps.find((one) => name === `order.awaiting-${one.name}`);
    expect({ name, from: order.checkout_state }).toEqual({ name, from: step?.from });
    return;
  }
  const { table, field } = api.machines.find((one) => one.name === machine)!;
  const key = machine === 'order' ? 'id' : 'order_id';
  const id = api.ids?.idOf(shared.shop, 'orders', String(body.id)) ?? body.id;
  const tables = Object.values(db).filter((one) => one.definition.name === table);
  const part = machine === 'order' ? undefined : expect.objectContaining({ record: machine });
  expect(body.part, name).toEqual(part);
  const rows: readonly object[] = tables.flatMap((one) => one.all());
  const values = rows.map((row) => new Map(Object.entries(row)));
  const found = values.filter((row) => row.get(key) === id).map((row) => row.get(field));
  expect(found, name).toContain(state);
}

test('the line of each state opens it in a test', async () => {
  const states: { name: string; line: string }[] = openServer().call('GET /_backlot/states').body;
  const office = createBackOffice();
  const { machines } = office.checkout;
  for (const { name, line } of states.filter(isFast)) {
    office.reset('default');
    await new AsyncFunction('office', line)(office);
    const [machine = '', state = ''] = name.split('.');
    if (state === '') expect(office.scenario.name).toBe(name);
    else if (state.startsWith('awaiting-')) {
      const id = office.db.orders.all().at(-1)?.id ?? 0;
      expect(`order.awaiting-${office.checkout.awaited(id)}`).toBe(name);
    } else {
      const { table, field } = machines[machine as keyof typeof machines];
      const rows = office.export().tables[table]?.rows ?? [];
      expect(
        rows.some((row: Readonly<Record<string, unknown>>) => row[field] === state),
        name,
      ).toBe(true);
    }
  }
});

test('an opened state has a request for its next step, which is accepted', () => {
  const { call } = openServer();
  const { body } = call('POST /_backlot/states/order.awaiting-payment');
  expect(body).toMatchObject({
    record: 'order',
    url: `/api/orders/${body.id}/`,
    awaits: 'payment',
  });
  expect(call(`${body.next.method} ${body.next.url}`, body.next.body).status).toBe(200);
});

test('the name of no state is rejected with a similar one, and begins no session', () => {
  const { call, sessions } = openServer({ sessions: 'own', newName: () => 'ada' });
  const { status, body } = call('POST /_backlot/states/order.awaiting-paymnt');
  expect(status).toBe(404);
  expect(body.message).toContain(
    "State 'order.awaiting-paymnt' not found. Did you mean order.awaiting-payment?",
  );
  const open = sessions.sessions.list().length;
  expect(call('GET /_backlot/begin?state=order.lost').status).toBe(404);
  expect(sessions.sessions.list()).toHaveLength(open);
});

test('a link begins a session in a state and leads to a page of its record', () => {
  const { call } = openServer({ sessions: 'own', newName: () => 'ada' });
  const { status, headers } = call(
    'GET /_backlot/begin?scenario=sale&state=order.shipped&to=/shop/orders/{id}',
  );
  expect(status).toBe(303);
  const [, id] = /^\/shop\/orders\/(\d+)$/.exec(headers['location'] ?? '') ?? [];
  const cookie = { cookie: 'backlot-session=ada' };
  expect(call(`GET /api/orders/${id}`, undefined, cookie).body.state).toBe('shipped');
});

test('a state that the shop cannot have is refused, and nothing of it stays', () => {
  const { call, shared } = openServer({ settings: { backorders: false } });
  const before = JSON.stringify(shared.export().tables);
  const { status, body } = call('POST /_backlot/states/shipment.backordered');
  expect(status).toBe(400);
  expect(body.message).toMatch(/Only 0 .* on hand/);
  expect(JSON.stringify(shared.export().tables)).toBe(before);
});

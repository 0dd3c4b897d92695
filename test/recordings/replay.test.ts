import { expect, test } from 'vitest';
import { runWorkflow } from '../../src/verify/workflows/run.ts';
import { workflowsOf } from '../../src/verify/workflows/workflows-of.ts';
import { replayRecording } from '../../src/verify/replay/replay.ts';
import type { Replay } from '../../src/verify/replay/report.ts';
import { storeApi } from '../../src/define.ts';
import type { MountOptions } from '../../src/index.ts';
import { mutants } from '../drift/mutants.ts';
import { mutated, type Mutant } from '../drift/mutator.ts';
import { steps } from '../support/checkout-steps.ts';
import { caller, openOffice, type Call } from '../support/office.ts';
import { Recording } from '../support/recording.ts';
import { sample } from '../support/runs.ts';

const api = storeApi;
const workflows = await workflowsOf(api);

type Conversation = (call: Call) => Promise<void>;

/** Records a conversation with a new back office, whose responses may have the change of a mutant. */
async function recordingOf(
  converse: Conversation,
  options: MountOptions = {},
  mutant?: Mutant,
): Promise<Recording> {
  const office = openOffice(options);
  const send = (url: string, init: RequestInit) => office.fetch(url, init);
  const recording = new Recording();
  const server = mutant === undefined ? send : mutated(send, mutant);
  // A changed server may send what is no JSON.
  await converse(tolerant(caller(recording.recorded(server))));
  return recording;
}

function tolerant(call: Call): Call {
  return (...request) =>
    call(...request).catch(() => ({ status: 0, headers: {}, body: undefined }));
}

function replay(recording: Recording, options: object = {}): Promise<Replay> {
  return replayRecording(recording.save(), { api, ...options });
}

function running(chosen: typeof workflows): Conversation {
  return async (call) => {
    for (const workflow of chosen) {
      await runWorkflow(workflow, {
        send: ({ method, path, headers, body }) => call(`${method} ${path}`, body, headers),
      });
    }
  };
}

/** Reads each endpoint, sends what is rejected, sends the example of each row, and runs each workflow. */
const everything: Conversation = async (call) => {
  for (const { method, example } of api.endpoints.filter((row) => row.method === 'GET'))
    for (const one of [method, 'HEAD', 'OPTIONS']) await call(`${one} ${example.url}`);
  for (const url of ['users/?page=0', 'users/9999', 'orders/9999/', 'orders/?limit=3&page=2'])
    await call(`GET /api/${url}`);
  for (const list of ['orders/', 'users/', 'products/', 'zones/', 'promotions', 'countries/1'])
    await call(`GET /api/${list}`);
  for (const sorting of ['orders/?sorting[total]=desc', 'users/?sorting[id]=desc'])
    await call(`GET /api/${sorting}`);
  await call('POST /api/users/', {});
  await call('POST /api/users/', '<user/>', { 'content-type': 'text/xml' });
  await call('POST /api/users/', {
    firstName: 'Ada',
    lastName: 'No',
    email: 'no',
    plainPassword: 'x',
  });
  await call('DELETE /api/orders/');
  await call('POST /oauth/v2/token', {});
  const { body: cart } = await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  await call(`PUT /api/checkouts/${cart?.id}`, steps.addressing);
  await call(`POST /api/orders/${cart?.id}/items/`, { variant: 1, quantity: 0 });
  await call(`DELETE /api/orders/${cart?.id}`);
  await call(`GET /api/orders/${cart?.id}/`);
  for (const { method, example } of api.endpoints.filter((row) => row.method !== 'GET'))
    await call(`${method} ${example.url}`, example.body);
  await running(workflows)(call);
};

test.each(workflows)('a recording of the workflow $id has no differences', async (workflow) => {
  const { findings, requests } = await replay(await recordingOf(running([workflow])));
  expect(findings).toEqual([]);
  expect(requests).toBeGreaterThan(2);
});

/** What a server has done before it is recorded, so that it counts differently. */
const earlier: Conversation = async (call) => {
  const { body: user } = await call('POST /api/users/', {
    firstName: 'Eve',
    lastName: 'Early',
    email: 'eve@example.com',
    plainPassword: 'correct horse',
  });
  const { body: cart } = await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  await call(`POST /api/orders/${cart.id}/items/`, { variant: 1, quantity: 2 });
  await call(`DELETE /api/orders/${cart.id}`);
  await call(`DELETE /api/users/${user.id}`);
};

test.each<[string, MountOptions]>([
  ['a clock of another decade', { now: '2016-03-02T09:00:00+0000' }],
  ['other tokens', { seed: 7 }],
  ['another scenario and settings', { scenario: 'sale', settings: { declinedStatus: 402 } }],
])('a recording of a server with %s has no differences', async (_, options) => {
  const recording = await recordingOf(running(workflows), options);
  const { scenario, settings } = options;
  const { findings, leftOut } = await replay(recording, { scenario, settings });
  expect(findings).toEqual([]);
  expect(leftOut).toEqual({});
});

test('a recording of a server that counts differently has no differences', async () => {
  const office = openOffice();
  await earlier(office.call);
  const recording = new Recording();
  const send = recording.recorded((url, init) => office.fetch(url, init));
  await running(workflows)(caller(send));
  expect((await replay(recording)).findings).toEqual([]);
});

test('a shop with what the reads of a recording show has no differences', async () => {
  const office = openOffice();
  const { body: user } = await office.call('POST /api/users/', {
    firstName: 'Eve',
    lastName: 'Early',
    email: 'eve@example.com',
    plainPassword: 'correct horse',
  });
  const { body: product } = await office.call('POST /api/products/', {
    name: 'Desk lamp',
    description: 'A lamp for a desk.',
    price: 2490,
  });
  const lamp = { variant: product.masterVariant.id, unitPrice: 2490 };
  const { body: cart } = await office.call('POST /api/orders/', {
    channel: 1,
    user: user.id,
    currency: 'EUR',
  });
  await office.call(`POST /api/orders/${cart.id}/items/`, { ...lamp, quantity: 2 });
  const recording = new Recording();
  const call = caller(recording.recorded((url, init) => office.fetch(url, init)));
  for (const path of [`users/${user.id}`, `products/${product.id}`, `orders/${cart.id}/`])
    await call(`GET /api/${path}`);
  await call(`POST /api/orders/${cart.id}/items/`, { ...lamp, quantity: 1 });
  for (const body of Object.values(steps))
    expect(await call(`PUT /api/checkouts/${cart.id}`, body)).toMatchObject({ status: 200 });
  expect((await replay(recording, { scenario: 'auto' })).findings).toEqual([]);
  expect((await replay(recording)).findings.map(({ at }) => at)).toContain('status');
});

test('a recording of each endpoint has no differences', async () => {
  const { findings, endpoints } = await replay(await recordingOf(everything));
  expect(findings).toEqual([]);
  expect(endpoints).toBeGreaterThan(60);
});

/** Thirty changes of a server, of each kind. */
const changes = mutants.filter((_, at) => at % 4 === 0);

test('each of 30 changes of a server is found in a recording of it', async () => {
  expect(changes).toHaveLength(30);
  const missed: string[] = [];
  for (const change of sample(changes, 5)) {
    const { findings } = await replay(await recordingOf(everything, {}, change));
    if (findings.length === 0) missed.push(change.name);
  }
  expect(missed).toEqual([]);
});

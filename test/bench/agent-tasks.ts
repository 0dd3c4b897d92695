import assert from 'node:assert/strict';
import type { StoreOffice } from '../../src/shop/office/store-office.ts';

export interface CurlOptions {
  /** The header `Prefer`. */
  readonly prefer?: string;
  /** A file of the folder as body, which is sent unread. */
  readonly file?: string;
}

/** What an agent can do. Each text that it sends or reads is counted. */
export interface Agent {
  readonly url: string;
  bytes: number;
  /** Reads a document of the project. */
  doc(path: string): string;
  /** Sends a request, and reads the body of its response. */
  curl(line: string, body?: unknown, options?: CurlOptions): Promise<string>;
  /** Reads an operation with its schemas, as `jq` finds them in the document of all operations. */
  jq(method: string, path: string): Promise<string>;
  /** Runs a command of Backlot in the folder of the agent, and reads what it prints. */
  run(...words: string[]): Promise<string>;
  /** Writes a file into the folder of the agent. */
  write(name: string, text: string): void;
  /** Reads a file of the folder of the agent. */
  read(name: string): string;
  /** Runs a test that imports `backlot/node`. @throws Error if it fails */
  test(text: string): Promise<void>;
}

export type Way = 'plain' | 'brief';

/** A task, which is solved in two ways, and checked. */
export interface AgentTask {
  readonly name: string;
  /** @throws Error if the solution is not right */
  solve(way: Way, agent: Agent, office: StoreOffice): Promise<void>;
}

interface Parts<Given> {
  /** Creates what the task is about. */
  readonly prepare: (agent: Agent, office: StoreOffice) => Promise<Given>;
  /** A solution by documents and whole responses. Returns what was found. */
  readonly plain: (agent: Agent, given: Given) => Promise<unknown>;
  /** A solution by the skill, parts and brief responses. */
  readonly brief: Parts<Given>['plain'];
  readonly check: (office: StoreOffice, given: Given, found: unknown) => void;
}

function task<Given>(name: string, { prepare, check, ...ways }: Parts<Given>): AgentTask {
  return {
    name,
    async solve(way, agent, office) {
      const given = await prepare(agent, office);
      agent.bytes = 0;
      if (way === 'plain') agent.doc('README.md');
      else agent.doc('docs/skill/SKILL.md');
      check(office, given, await ways[way](agent, given));
    },
  };
}

const minimal = { prefer: 'return=minimal' };

/** Asserts that a document says something. */
function assertSays(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `the documents do not say ${part}`);
}

/** Sends a request that a brief response, or the next step of an order, names: `PUT /api/checkouts/3 {…}`. */
function sendNext(agent: Agent, next: string, options?: CurlOptions): Promise<string> {
  const [, line = '', body] = /^(\w+ \S+) (.*)$/s.exec(next) ?? [];
  return agent.curl(line, body, options);
}

const declinedTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBackOffice } from 'backlot/node';

test('a declined card leaves the order unpaid', async () => {
  const office = createBackOffice();
  office.given.theScript({ on: 'purchase', outcome: 'declined' });
  const { id } = office.given.anOrder({ at: 'completed' });
  const { payments } = await (await office.fetch(\`/api/orders/\${id}\`)).json();
  assert.equal(payments[0].state, 'failed');
});
`;

const giftNote = `import { extendApi, field, storeApi } from 'backlot/define';

export default extendApi(storeApi, {
  fields: { orders: { giftNote: field.text({ max: 80, optional: true }) } },
});
`;

const slowPayment = {
  on: 'purchase',
  outcome: 'pending',
  settle: { after: 'PT30M', outcome: 'approved' },
};

/** Adds a rule for a payment that settles later, purchases by a request, and moves the clock past the payment. */
async function paySlowly(
  agent: Agent,
  { next, paid, options }: { next: string; paid: RegExp; options?: CurlOptions },
): Promise<void> {
  await agent.curl('POST /_backlot/script', slowPayment);
  assert.match(await sendNext(agent, next, options), paid);
  await agent.curl('PUT /_backlot/clock', { advance: 'PT1H' });
}

async function anOrder(agent: Agent, awaits: string): Promise<number> {
  return JSON.parse(await agent.curl('POST /_backlot/given/anOrder', { awaits })).id;
}

/** Sends requests of another client: an item that is refused, and one that is accepted. */
async function useShop(agent: Agent): Promise<number> {
  const id = await anOrder(agent, 'addressing');
  await agent.curl(`GET /api/orders/${id}`);
  for (const quantity of [0, 1]) {
    const item = { variant: 7, quantity, unitPrice: 4200 };
    await agent.curl(`POST /api/orders/${id}/items/`, item);
    await agent.curl(`GET /api/orders/${id}`);
  }
  await agent.curl('PATCH /api/users/1', { firstName: 'Grace' });
  await agent.curl(`GET /api/orders/${id}`);
  return id;
}

export const agentTasks: readonly AgentTask[] = [
  task('find why a checkout is refused, and mend it', {
    prepare: (agent) => anOrder(agent, 'payment'),
    async plain(agent, id) {
      assertSays(await agent.curl(`PUT /api/checkouts/${id}`, { payment: 1 }), 'payment');
      assertSays(await agent.jq('put', '/api/checkouts/{order_id}'), 'paymentMethod');
      assertSays(await agent.curl(`GET /api/checkouts/${id}`), 'payment');
      await agent.curl(`PUT /api/checkouts/${id}`, { paymentMethod: 1 });
    },
    async brief(agent, id) {
      const refused = await agent.curl(`PUT /api/checkouts/${id}`, { payment: 1 }, minimal);
      assertSays(refused, 'payment');
      await sendNext(agent, JSON.parse(refused).next, minimal);
    },
    check: (office, id) => assert.equal(office.db.orders.get(id)?.checkout_state, 'payment'),
  }),
  task('write a test of a declined card', {
    prepare: async () => undefined,
    async plain(agent) {
      const pages = ['five-minutes', 'in-tests', 'coverage'];
      const read = pages.map((page) => agent.doc(`docs/${page}.md`)).join('\n');
      assertSays(read, 'createBackOffice', 'office.given.theScript({', 'outcome=declined');
      await agent.test(declinedTest);
    },
    async brief(agent) {
      const read = agent.doc('docs/skill/references/tests.md');
      assertSays(read, 'createBackOffice', "theScript({ on: 'purchase', outcome: 'declined' })");
      await agent.test(declinedTest);
    },
    // The test has passed.
    check: () => undefined,
  }),
  task('find which request changed a total', {
    prepare: useShop,
    async plain(agent, id) {
      const { entries } = JSON.parse(await agent.curl('GET /_backlot/journal'));
      for (const entry of entries.toReversed()) {
        if (entry.method === 'GET' || !entry.url.includes(`/orders/${id}/`)) continue;
        const read = await agent.curl(`GET /_backlot/journal/${entry.id}`);
        if (read.includes('"field":"total"')) return entry.id;
      }
    },
    async brief(agent, id) {
      const list = await agent.curl('GET /_backlot/journal?view=summary&request=POST');
      const { summaries } = JSON.parse(list);
      for (const { id: entry } of summaries.toReversed()) {
        const read = await agent.curl(`GET /_backlot/journal/${entry}?view=brief`);
        if (read.includes(`orders/${id} total: `)) return entry;
      }
    },
    check(office, id, found) {
      const all = office.history.of('orders', id);
      const last = all.findLast(({ change }) => JSON.stringify(change).includes('"field":"total"'));
      assert.equal(found, last?.id);
    },
  }),
  task('add a field to the shop', {
    prepare: async () => undefined,
    async plain(agent) {
      assertSays(agent.doc('docs/your-shop.md'), 'field.integer', 'optional: true');
      agent.write('backlot.config.ts', giftNote);
      return agent.run('check');
    },
    async brief(agent) {
      assertSays(agent.doc('docs/skill/references/definitions.md'), 'field.text', 'optional: true');
      agent.write('backlot.config.ts', giftNote);
      return agent.run('check');
    },
    check: (_, __, found) => assert.match(String(found), /are sound/),
  }),
  task('mock a slow payment', {
    prepare: (agent) => anOrder(agent, 'purchase'),
    async plain(agent, id) {
      assertSays(agent.doc('docs/scenarios.md'), 'slow-payments');
      assertSays(agent.doc('scenarios/slow-payments.json'), 'settle');
      assertSays(agent.doc('docs/control-api.md'), '/_backlot/script', '/orders/:id/next');
      const { request } = JSON.parse(await agent.curl(`GET /_backlot/orders/${id}/next`));
      const next = `PUT ${request.url} ${JSON.stringify(request.body)}`;
      await paySlowly(agent, { next, paid: /"state":"processing"/ });
      assertSays(await agent.curl(`GET /api/orders/${id}`), '"state":"completed"');
    },
    async brief(agent, id) {
      assertSays(agent.doc('docs/skill/references/faults.md'), 'settle');
      const refused = JSON.parse(await agent.curl(`PUT /api/checkouts/${id}`, {}, minimal));
      const paid = /payment \d+: new → processing/;
      await paySlowly(agent, { next: refused.next, paid, options: minimal });
      const last = await agent.curl('GET /_backlot/journal?view=summary&limit=1');
      assertSays(last, 'payment');
    },
    check(office, id) {
      const payment = office.db.payments.all().find(({ order_id }) => order_id === id);
      assert.equal(payment?.state, 'completed');
    },
  }),
  task('reproduce a bug from a trace', {
    async prepare(agent, office) {
      await useShop(agent);
      agent.write('trace.json', JSON.stringify(office.history.trace()));
      office.reset();
    },
    async plain(agent) {
      assertSays(agent.doc('docs/trace.md'), 'replay');
      const { entries } = JSON.parse(agent.read('trace.json'));
      const wanted = entries.findIndex(
        (entry: { readonly exchange?: { readonly answer: { readonly status: number } } }) =>
          (entry.exchange?.answer.status ?? 0) >= 400,
      );
      const { request, method, url } = entries[wanted].exchange;
      assertSays(url, `/orders/${await anOrder(agent, 'addressing')}/`);
      return agent.curl(`${method} ${url}`, request.body);
    },
    async brief(agent) {
      await agent.curl('POST /_backlot/import', undefined, { file: 'trace.json' });
      const list = await agent.curl('GET /_backlot/journal?view=summary&status=4xx');
      const { id } = JSON.parse(list).summaries[0];
      const command = await agent.curl(`GET /_backlot/journal/${id}/as?format=curl`);
      await agent.curl(`POST /_backlot/journal/${id}/rewind`, { to: 'before' });
      const [, url = ''] = /http:\/\/[^/]+(\/[^' ]+)/.exec(command) ?? [];
      const [, body = ''] = /--data-raw '(.*)'/.exec(command) ?? [];
      return agent.curl(`POST ${url}`, body, minimal);
    },
    check: (_, __, found) => assertSays(String(found), '400', 'quantity'),
  }),
];

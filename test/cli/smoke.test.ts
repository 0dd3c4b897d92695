import { expect, test } from 'vitest';
import { stepNames, submitStep } from '../support/checkout-steps.ts';
import { runScript, startScript, type Ended } from '../support/program.ts';
import { read, root } from '../support/tree.ts';

const manifest = JSON.parse(read('package.json')) as {
  readonly version: string;
  readonly scripts: { readonly start: string };
};

/** What `npm start` has Node.js run: the sources, which need no build. */
const main = manifest.scripts.start.replace(/^node /, '');

const run = (...args: string[]): Promise<Ended> => runScript(main, {}, root, args);

test('npm start serves a shop, in which an order gets to its purchase', async () => {
  const { call } = await startScript(main, {}, root, []);
  const created = await call('POST /api/orders/', { channel: 1, user: 1, currency: 'EUR' });
  expect(created.status).toBe(201);
  const { id } = created.body;
  const item = { variant: 7, unitPrice: 1500, quantity: 2 };
  expect((await call(`POST /api/orders/${id}/items/`, item)).status).toBe(201);
  for (const step of stepNames)
    expect((await submitStep(call, id, step)).status, step).toBeLessThan(300);
  expect((await call(`GET /api/orders/${id}`)).body).toMatchObject({
    state: 'confirmed',
    checkout_state: 'completed',
  });
});

test('the program prints its version', async () => {
  expect(await run('--version')).toEqual({ code: 0, out: `${manifest.version}\n`, err: '' });
});

test('a wrong flag ends the program with exit code 2 and the flag that was meant', async () => {
  expect(await run('--prot', '4000')).toEqual({
    code: 2,
    out: '',
    err: "backlot: Unknown option '--prot'. Did you mean --port?\n",
  });
});

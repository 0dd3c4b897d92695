import { expect, test } from 'vitest';
import { workflowsOf } from '../../src/verify/workflows/workflows-of.ts';
import { runWorkflow, type RunOptions, type StepResult } from '../../src/verify/workflows/run.ts';
import { needsControlApi, type Workflow } from '../../src/engine/definition/workflow.ts';
import { atPath } from '../../src/engine/definition/at-path.ts';
import { extendApi, field, step as addedStep, storeApi } from '../../src/define.ts';
import { company } from '../support/company-api.ts';
import { todoApi } from '../todo/api.ts';
import { openServer, type TestServer } from '../support/server.ts';
import type { Answered } from '../support/office.ts';

const workflows = await workflowsOf(storeApi);

function run(
  workflow: Workflow,
  { call }: TestServer,
  inputs: RunOptions<Answered>['inputs'] = {},
): Promise<readonly StepResult<Answered>[]> {
  return runWorkflow(workflow, {
    inputs,
    send: ({ method, path, headers, body }) => call(`${method} ${path}`, body, headers),
  });
}

function failed(results: readonly StepResult<Answered>[]): unknown[] {
  return results
    .filter(({ issues }) => issues.length > 0)
    .map(({ step, issues, response }) => [step.id, issues, response.body]);
}

test.each(workflows)('the workflow $id runs on a new server', async (workflow) => {
  const results = await run(workflow, openServer());
  expect(failed(results)).toEqual([]);
  const ran = results.map(({ step }) => step.id);
  expect(ran).toEqual([...workflow.steps, ...workflow.cleanUp].map(({ id }) => id));
});

test.each(workflows)('the workflow $id runs again on the same server', async (workflow) => {
  const server = openServer();
  await run(workflow, server);
  expect(failed(await run(workflow, server, { coupon: 'ONCE-AGAIN' }))).toEqual([]);
});

test.each(workflows)('the workflow $id runs with other settings', async (workflow) => {
  const server = openServer({
    settings: {
      totals: 'at-steps',
      declinedStatus: 402,
      unknownParameters: 'ignore',
      stepBack: true,
      listCarts: true,
    },
  });
  expect(failed(await run(workflow, server))).toEqual([]);
});

test('the workflows of a checkout, a declined card, a password reset and OAuth need no control API', () => {
  const ids = workflows.filter((workflow) => !needsControlApi(workflow)).map(({ id }) => id);
  expect(ids).toEqual(['checkout', 'declinedCard', 'passwordReset', 'oauth']);
});

test('a workflow ends at a step that fails, then deletes what it made', async () => {
  const server = openServer();
  const [checkout] = workflows;
  if (checkout === undefined) throw new Error('no workflow');
  const results = await run(checkout, server, { paymentMethod: 999 });
  expect(failed(results)).toMatchObject([
    ['choosePayment', ['Expected status 200, not 400.'], { code: 400 }],
  ]);
  const last = results.slice(-4).map(({ step }) => step.id);
  expect(last).toEqual(['choosePayment', 'deleteOrder', 'deleteProduct', 'deleteCustomer']);
});

test('a workflow deletes only what its steps have made', async () => {
  const [checkout] = workflows;
  if (checkout === undefined) throw new Error('no workflow');
  const results = await run(checkout, openServer(), { currency: 'no currency' });
  expect(results.map(({ step }) => step.id)).toEqual([
    'createCustomer',
    'createProduct',
    'findChannel',
    'openCart',
    'deleteProduct',
    'deleteCustomer',
  ]);
});

test("an API of one's own has a workflow for each resource that it adds, which runs", async () => {
  const all = await workflowsOf(company);
  const own = all.filter(({ isExtension }) => isExtension === true);
  expect(own.map(({ id }) => id)).toEqual(['wishlists']);
  expect(all).toHaveLength(workflows.length + 1);
  for (const workflow of own) {
    const results = await run(workflow, openServer({ api: atPath(company, '/api') }));
    expect(failed(results)).toEqual([]);
    expect(results.map(({ step }) => step.id)).toEqual(['create', 'read', 'change', 'delete']);
  }
  expect((await workflowsOf(todoApi)).map(({ id }) => id)).toEqual(['todos']);
});

test('the workflows of the store take the steps that a definition adds', async () => {
  const age_check = addedStep({ after: 'payment', body: { adult: field.flag() }, submit() {} });
  const api = extendApi(storeApi, { steps: { age_check } });
  for (const workflow of await workflowsOf(api)) {
    const results = await run(workflow, openServer({ api }));
    expect(failed(results)).toEqual([]);
    const taken = results.map((one) => one.step.id);
    expect(taken.includes('age_check')).toBe(taken.includes('confirm'));
  }
});

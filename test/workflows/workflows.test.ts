import { expect, test } from 'vitest';
import { workflows } from '../../src/workflows/index.ts';
import { runWorkflow } from '../../src/workflows/run.ts';
import { openServer } from '../support/server.ts';

test.each(workflows)('the workflow $id runs on a new server', async (workflow) => {
  const { call } = openServer();
  const results = await runWorkflow(workflow, {
    send: ({ method, path, headers, body }) => call(`${method} ${path}`, body, headers),
  });
  const failed = results.filter(({ issues }) => issues.length > 0);
  expect(failed.map(({ step, issues, response }) => [step.id, issues, response.body])).toEqual([]);
  const ran = results.map(({ step }) => step.id);
  expect(ran).toEqual([...workflow.steps, ...workflow.cleanUp].map(({ id }) => id));
});

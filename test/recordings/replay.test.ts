import { expect, test } from 'vitest';
import { runWorkflow } from '../../src/verify/workflows/run.ts';
import { workflowsOf } from '../../src/verify/workflows/workflows-of.ts';
import { replayRecording } from '../../src/verify/replay/replay.ts';
import { storeApi } from '../../src/define.ts';
import type { MountOptions } from '../../src/index.ts';
import { caller, openOffice } from '../support/office.ts';
import { Recording } from '../support/recording.ts';

const api = storeApi;
const workflows = await workflowsOf(api);

/** Returns a recording of workflows, one after the other, on a new back office. */
async function recordingOf(
  chosen: typeof workflows,
  options: MountOptions = {},
): Promise<Recording> {
  const office = openOffice(options);
  const recording = new Recording();
  const call = caller(recording.recorded((url, init) => office.fetch(url, init)));
  for (const workflow of chosen)
    await runWorkflow(workflow, {
      send: ({ method, path, headers, body }) => call(`${method} ${path}`, body, headers),
    });
  return recording;
}

test.each(workflows)('a recording of the workflow $id has no differences', async (workflow) => {
  const recording = await recordingOf([workflow]);
  const { findings, requests } = await replayRecording(recording.save(), { api });
  expect(findings).toEqual([]);
  expect(requests).toBeGreaterThan(2);
});

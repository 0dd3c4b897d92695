import type { ApiDefinition, ApiEndpoint } from '../../engine/definition/api.ts';
import type { Login, ProbeRun } from '../../engine/definition/drift.ts';
import type { WorkflowStep } from '../../engine/definition/workflow.ts';
import { extensionWorkflows } from '../workflows/extension-workflows.ts';
import { withSteps } from '../workflows/with-steps.ts';
import { runWorkflow, type WorkflowRequest } from '../workflows/run.ts';
import { bodyPath } from './finding.ts';
import { inParallel } from './in-parallel.ts';
import type { Inspection } from './inspection.ts';
import { jsonRequest } from './json-request.ts';
import { valueAt } from '../../engine/lib/json-value.ts';

/** Runs the workflows and the probes that write, and checks each response. */
export async function checkWrites(inspection: Inspection, login: Login | undefined): Promise<void> {
  const probes = (await inspection.drift?.probes(inspection, login)) ?? [];
  await inspection.cleanUp();
  await checkRejections(inspection);
  const own = extensionWorkflows(inspection.api.endpoints).map((workflow) => ({
    workflow,
    inputs: {},
  }));
  for (const list of [...probes, own])
    await inParallel(list, (probe) => runChecked(inspection, probe));
}

async function runChecked(
  inspection: Inspection,
  { workflow: one, inputs }: ProbeRun,
): Promise<void> {
  const { drift, api } = inspection;
  const workflow = withSteps(one, api);
  const all = [...workflow.steps, ...workflow.cleanUp];
  if (!all.some(({ endpoint }) => inspection.includes(endpoint.split(' ')[1] ?? ''))) return;
  const send = async (request: WorkflowRequest, step: WorkflowStep) => {
    const seen = await inspection.ask(sentRequest(request));
    drift?.afterStep(inspection, step, seen);
    return { ...seen, body: seen.json };
  };
  const results = await runWorkflow(workflow, { inputs, send });
  for (const { step, request, response, issues } of results) {
    const other = issues.length > 0 ? drift?.otherOutcome(step, response.json) : undefined;
    if (other !== undefined) {
      inspection.notes.push(other);
      continue;
    }
    const report = inspection.reporter(sentRequest(request));
    for (const issue of issues) {
      const place = /^Expected (\/\S+) to be/.exec(issue)?.[1];
      const isState = place === undefined ? step.path !== undefined : place.endsWith('state');
      const at = place === undefined ? 'status' : bodyPath(place.split('/').slice(1));
      const why = `in step ${step.id} of the workflow ${workflow.id}`;
      report(
        isState ? 'transition' : 'value',
        at,
        `${issue} (${why})`,
        place === undefined ? response.status : valueAt(response.json, place.split('/').slice(1)),
      );
    }
  }
}

function sentRequest({ method, path, headers, body }: WorkflowRequest) {
  const json = jsonRequest(method, path, body);
  const all: Record<string, string | undefined> = { ...json.headers };
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value;
  return { ...json, headers: all };
}

const unknownId = '999999999';

/** Sends requests that every server must reject, whatever its data: unknown ids, and bodies without what is required. */
async function checkRejections(inspection: Inspection): Promise<void> {
  const isAlike = new Set<string>();
  await inParallel(endpointsOf(inspection.api), async ({ method, path, body, chosenBy }) => {
    if (method === 'GET' || !inspection.includes(path)) return;
    const url = path.replaceAll(/:\w+/g, unknownId);
    const sample = Object.fromEntries((chosenBy ?? []).map((name) => [name, '1']));
    if (path.includes(':')) {
      if (isAlike.has(`${method} ${path}`)) return;
      isAlike.add(`${method} ${path}`);
      await inspection.askForError(jsonRequest(method, url, body && sample));
      return;
    }
    if (body === undefined) return;
    const names = Object.keys(body.children);
    const bodies = [
      {},
      Object.fromEntries(names.map((name) => [name, ''])),
      Object.fromEntries(names.map((name) => [name, { no: 'object' }])),
      Object.fromEntries(names.map((name) => [name, 999_999_999])),
    ];
    for (const sent of bodies) {
      if (inspection.drift?.dependsOnData(path, sent) === true) continue;
      await inspection.askForError(jsonRequest(method, url, sent));
    }
    await inspection.askForError({ ...jsonRequest(method, url, {}), body: '{"' });
    await inspection.askForError({
      method,
      url,
      headers: { 'content-type': 'text/csv' },
      body: 'a,b',
    });
    await inspection.askForError({
      method,
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${names[0]}=`,
    });
  });
}

/** Returns the endpoints without those of tokens. */
function endpointsOf({ endpoints }: ApiDefinition): readonly ApiEndpoint[] {
  return endpoints.filter(({ path }) => path.startsWith('/api/'));
}

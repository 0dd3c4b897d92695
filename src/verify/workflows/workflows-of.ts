import type { ApiDefinition } from '../../engine/definition/api.ts';
import type { Workflow } from '../../engine/definition/workflow.ts';
import { extensionWorkflows } from './extension-workflows.ts';
import { withSteps } from './with-steps.ts';

/**
 * Returns the workflows of an API: those of its definition whose endpoints it has, and one for each resource that an
 * extension added.
 */
export async function workflowsOf(api: ApiDefinition): Promise<readonly Workflow[]> {
  const { endpoints, workflows } = api;
  const names = new Set(endpoints.map(({ method, path }) => keyOf(`${method} ${path}`)));
  const isServed = ({ steps, cleanUp }: Workflow): boolean =>
    [...steps, ...cleanUp].every(
      ({ endpoint }) => endpoint.includes(' /_backlot/') || names.has(keyOf(endpoint)),
    );
  const known = ((await workflows?.()) ?? []).filter(isServed);
  return [...known.map((one) => withSteps(one, api)), ...extensionWorkflows(endpoints)];
}

/** `GET /api/users/:user_id` and `GET /api/users/{user_id}/` are the same endpoint. */
export function keyOf(endpoint: string): string {
  return endpoint.replaceAll(/:(\w+)/g, '{$1}').replace(/\/$/, '');
}

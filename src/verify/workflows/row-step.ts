import * as z from 'zod';
import type { WorkflowStep } from '../../engine/definition/workflow.ts';
import type { ApiEndpoint } from '../../engine/definition/api.ts';

const Body = z.record(z.string(), z.json());

/** Returns a step that sends the example of an endpoint, without the parameters of its path. */
export function rowStep(
  { method, path, summary, status, example: { body } }: ApiEndpoint,
  id: string,
): WorkflowStep {
  return {
    id,
    summary: `${summary}.`,
    endpoint: `${method} ${path}`,
    status,
    ...(body !== undefined && { body: Body.parse(body) }),
  };
}

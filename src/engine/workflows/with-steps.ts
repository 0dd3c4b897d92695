import type { ApiDefinition, StepRow } from '../definition/api.ts';
import type { JsonRecord, Workflow, WorkflowStep } from '../definition/workflow.ts';

/**
 * Returns a workflow that takes each step of an API which no record may go past: those that it lacks come before the next one
 * that it takes, with the parameters of their examples.
 */
export function withSteps(
  workflow: Workflow,
  { steps, endpoints }: Pick<ApiDefinition, 'steps' | 'endpoints'>,
): Workflow {
  const required = steps.filter(({ from, optional }) => from !== undefined && optional !== true);
  const own = new Set(workflow.steps.map(({ takes }) => takes));
  const requestOf = ({ name }: StepRow, { path }: WorkflowStep): WorkflowStep[] =>
    endpoints
      .filter((row) => row.step === name)
      .map(({ method, path: of, summary, status, example }) => ({
        id: name,
        summary: `${summary}.`,
        endpoint: `${method} ${of}`,
        ...(path !== undefined && { path }),
        body: (example.body ?? {}) as JsonRecord,
        status,
      }));
  let taken = 0;
  return {
    ...workflow,
    steps: workflow.steps.flatMap((step) => {
      const at = required.findIndex(({ name }) => name === step.takes);
      if (at === -1) return [step];
      const missing = required.slice(taken, at).filter(({ name }) => !own.has(name));
      taken = at + 1;
      return [...missing.flatMap((row) => requestOf(row, step)), step];
    }),
  };
}

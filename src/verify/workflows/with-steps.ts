import type { ApiDefinition, StepRow } from '../../engine/definition/api.ts';
import type { Workflow, WorkflowStep } from '../../engine/definition/workflow.ts';
import { rowStep } from './row-step.ts';

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
      .map((row) => ({ body: {}, ...rowStep(row, name), ...(path !== undefined && { path }) }));
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

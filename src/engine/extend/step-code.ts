import { extendedSteps, statesWith, stepEndpoints, withPreparations } from './compile-step.ts';
import { extendedFaultRules } from './own-fault.ts';
import { issuesOfStep } from './step-issues.ts';

/** What steps need. */
export const stepCode = {
  extendedSteps,
  extendedFaultRules,
  statesWith,
  stepEndpoints,
  withPreparations,
  issuesOf: issuesOfStep,
};

export type StepCode = typeof stepCode;

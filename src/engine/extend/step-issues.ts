import type { FieldIssue } from '../lib/problem.ts';
import { issueIf, issuesOfBody, type KnownNames } from './field-issues.ts';
import type { StepOptions } from './resource.ts';

export function issuesOfStep(
  name: string,
  { after, body }: StepOptions,
  known: KnownNames,
): FieldIssue[] {
  const { api, checkout } = known;
  const { steps, endpoints } = api;
  if (checkout === undefined) return issueIf(true, 'cannot be added: this API has no steps');
  const added = Object.entries(known.steps);
  const addedEarlier = added.slice(
    0,
    added.findIndex(([one]) => one === name),
  );
  const earlier = steps.slice(
    0,
    steps.findIndex((row) => row.name === checkout.last),
  );
  const possible = [
    ...earlier.flatMap((row) => (row.to === undefined ? [] : [row.name])),
    ...addedEarlier.map(([one]) => one),
  ];
  const rows = endpoints.filter((row) => steps.some((one) => one.to && one.name === row.step));
  const sent = [
    ...rows.flatMap((row) => Object.keys(row.body?.children ?? {})),
    ...addedEarlier.flatMap(([, one]) => Object.keys(one.body)),
  ];
  return [
    ...issueIf(
      !/^[a-z][a-z0-9_]*$/.test(name),
      'must be in snake_case, as states are: `gift_wrapping`',
    ),
    ...issueIf(
      steps.some((row) => [row.name, row.from, row.to].includes(name)),
      'exists already: choose another name',
    ),
    ...issueIf(
      !possible.includes(after),
      `must be one of ${possible.join(', ')}, not ${after}`,
      'after',
    ),
    ...issueIf(
      Object.keys(body).length === 0,
      'needs a parameter: it tells the request of this step from others',
      'body',
    ),
    ...issuesOfBody(body, known, sent, 'is a parameter of another step: choose another name'),
  ];
}

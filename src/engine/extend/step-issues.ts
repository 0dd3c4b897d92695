import type { ApiDefinition, SteppedRecords } from '../definition/api.ts';
import type { FieldIssue } from '../lib/problem.ts';
import type { Steps } from './compile-step.ts';
import { issue, issuesOfField, nest } from './field-issues.ts';
import type { StepOptions } from './resource.ts';

export interface KnownNames {
  /** The keys of tables. */
  readonly known: readonly string[];
  readonly steps: Steps;
  readonly stepped: SteppedRecords | undefined;
}

export function issuesOfStep(
  { steps, endpoints }: ApiDefinition,
  name: string,
  { after, body }: StepOptions,
  { known, steps: added, stepped }: KnownNames,
): FieldIssue[] {
  if (stepped === undefined) return [issue([], 'cannot be added: this API has no steps')];
  const own = Object.keys(added);
  const earlier = steps.slice(
    0,
    steps.findIndex((row) => row.name === stepped.last),
  );
  const possible = [
    ...earlier.flatMap((row) => (row.to === undefined ? [] : [row.name])),
    ...own.slice(0, own.indexOf(name)),
  ];
  const rows = endpoints.filter((row) => steps.some((one) => one.to && one.name === row.step));
  const sent = rows.flatMap((row) => Object.keys(row.body?.children ?? {}));
  const others = own.slice(0, own.indexOf(name)).flatMap((one) => Object.keys(added[one]!.body));
  const states = steps.flatMap(({ from, to }) => [from, to]);
  const isTaken = states.includes(name) || steps.some((row) => row.name === name);
  return [
    ...(/^[a-z][a-z0-9_]*$/.test(name)
      ? []
      : [issue([], 'must be in snake_case, as states are: `gift_wrapping`')]),
    ...(isTaken ? [issue([], 'exists already: choose another name')] : []),
    ...(possible.includes(after)
      ? []
      : [issue(['after'], `must be one of ${possible.join(', ')}, not ${after}`)]),
    ...(Object.keys(body).length > 0
      ? []
      : [issue(['body'], 'needs a parameter: it tells the request of this step from others')]),
    ...Object.entries(body).flatMap(([parameter, one]) =>
      nest(
        ['body', parameter],
        [
          ...(sent.includes(parameter) || others.includes(parameter)
            ? [issue([], 'is a parameter of another step: choose another name')]
            : []),
          ...issuesOfField(parameter, one, known),
        ],
      ),
    ),
  ];
}

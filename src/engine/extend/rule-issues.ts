import type { ApiDefinition } from '../definition/api.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { issue, issuesOfField, nest, unknownName } from './field-issues.ts';
import type { Rule } from './resource.ts';
import type { KnownNames } from './step-issues.ts';

export function issuesOfEvent({ machines }: ApiDefinition, name: string): FieldIssue[] {
  const events = machines.flatMap((one) => one.states.map((state) => `${one.name}.${state}`));
  return events.includes(name) ? [] : [issue([], unknownName('state', name, events))];
}

export function issuesOfRule(
  api: ApiDefinition,
  name: string,
  { body = {} }: Rule,
  { known, steps: added }: KnownNames,
): FieldIssue[] {
  const routes = api.endpoints.map(({ method, path }) => `${method} ${path}`);
  const own = Object.keys(added);
  const steps = [...new Set(api.endpoints.flatMap(({ step }) => step ?? [])), ...own];
  const rows = api.endpoints.filter(
    (row) => row.step === name || `${row.method} ${row.path}` === name,
  );
  const sent = [
    ...rows.flatMap((row) => Object.keys(row.body?.children ?? {})),
    ...Object.keys(added[name]?.body ?? {}),
  ];
  return [
    ...(rows.length > 0 || own.includes(name)
      ? []
      : [
          issue(
            [],
            name.includes('/')
              ? unknownName('endpoint', name, routes)
              : unknownName('step', name, steps),
          ),
        ]),
    ...Object.entries(body).flatMap(([parameter, one]) =>
      nest(
        ['body', parameter],
        [
          ...(sent.includes(parameter) ? [issue([], 'exists already: choose another name')] : []),
          ...issuesOfField(parameter, one, known),
        ],
      ),
    ),
  ];
}

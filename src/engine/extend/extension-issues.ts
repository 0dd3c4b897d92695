import type { ApiDefinition } from '../definition/api.ts';
import type { FieldIssue } from '../lib/problem.ts';
import type { ApiParts, Extension } from './extension.ts';
import { issuesOfNames, issuesOfShape } from './extension-shape.ts';
import { issue, issuesOfField, nest, unknownName } from './field-issues.ts';
import { storedName, type Fields } from './field-set.ts';
import type { FaultCode } from './fault-code.ts';
import { codeOf } from './own-code.ts';
import type { ResourceCode } from './resource-code.ts';
import { pathOf, viewName } from './resource-parts.ts';
import type { Resources } from './resource.ts';
import { issuesOfEvent, issuesOfRule } from './rule-issues.ts';
import type { StepCode } from './step-code.ts';

/** Returns every issue of an extension. */
export function issuesOfExtension(
  api: ApiDefinition,
  extension: Extension,
  { resources, stepped }: ApiParts,
): FieldIssue[] {
  const wrong = issuesOfShape(extension);
  if (wrong.length > 0) return wrong;
  const {
    fields = {},
    resources: own = {},
    rules = {},
    steps = {},
    on = {},
    faults = {},
    ids = {},
  } = extension;
  const known = [...Object.keys(api.tables), ...Object.keys(own)];
  const views = [
    ...Object.values(resources).flatMap(({ views: all }) => Object.keys(all)),
    ...Object.values(own).map(({ singular }) => viewName(singular)),
  ];
  return [
    ...issuesOfNames(extension),
    ...Object.entries(fields).flatMap(([key, added]) =>
      nest(['fields', key], issuesOfFields(api, key, added, { resources, known })),
    ),
    ...issuesOfMade('resource', own, (key, one) =>
      codeOf<ResourceCode>(one)?.issuesOf(api, key, one, { own, known, views }),
    ),
    ...Object.entries(rules).flatMap(([name, rule]) =>
      nest(['rules', name], issuesOfRule(api, name, rule, { known, steps, stepped })),
    ),
    ...issuesOfMade('step', steps, (name, one) =>
      codeOf<StepCode>(one)?.issuesOf(api, name, one, { known, steps, stepped }),
    ),
    ...issuesOfMade('fault', faults, (name, one) =>
      codeOf<FaultCode>(one)?.issuesOf(api, name, one),
    ),
    ...Object.keys(on).flatMap((name) => nest(['on', name], issuesOfEvent(api, name))),
    ...Object.entries(ids).flatMap(([key, kind]) =>
      nest(['ids', key], issuesOfIds(key, kind, [...Object.keys(resources), ...Object.keys(own)])),
    ),
  ];
}

/** @param issuesOf returns the issues of a part; undefined if it is not made by that function of `backlot/define` */
function issuesOfMade<Part>(
  by: string,
  parts: Readonly<Record<string, Part>>,
  issuesOf: (name: string, part: Part) => FieldIssue[] | undefined,
): FieldIssue[] {
  return Object.entries(parts).flatMap(([name, part]) => {
    const fix = `must be made by \`${by}\` of backlot/define: \`${name}: ${by}({ … })\``;
    return nest([`${by}s`, name], issuesOf(name, part) ?? [issue([], fix)]);
  });
}

/** @param shown the tables whose ids clients see */
function issuesOfIds(key: string, kind: string, shown: readonly string[]): FieldIssue[] {
  if (!shown.includes(key)) return [issue([], unknownName('resource', key, shown))];
  return kind === 'uuid' ? [] : [issue([], `must be 'uuid', not ${JSON.stringify(kind)}`)];
}

function issuesOfFields(
  api: ApiDefinition,
  key: string,
  added: Fields,
  { resources, known }: { readonly resources: Resources; readonly known: readonly string[] },
): FieldIssue[] {
  const table = api.tables[key];
  if (table === undefined || !Object.hasOwn(resources, key))
    return [issue([], unknownName('resource', key, Object.keys(resources)))];
  const existing = Object.keys(table.schema.shape);
  const sent = api.endpoints.flatMap(({ path, body }) =>
    path.startsWith(pathOf(key).slice(0, -1)) ? Object.keys(body?.children ?? {}) : [],
  );
  return Object.entries(added).flatMap(([name, field]) => {
    const stored = storedName(name, field);
    const isTaken = existing.includes(stored) || sent.includes(name);
    const lacks =
      !field.isOptional && field.options.default === undefined
        ? [issue([], 'needs a `default`, or `optional: true`: the records that exist lack it')]
        : [];
    return nest(
      [name],
      [
        ...(isTaken
          ? [issue([], `exists already: ${stored} of ${table.name} cannot be changed`)]
          : []),
        ...lacks,
        ...issuesOfField(name, field, known),
      ],
    );
  });
}

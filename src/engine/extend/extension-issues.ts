import type { ApiDefinition } from '../definition/api.ts';
import { snakeCase } from '../lib/names.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { unknownKeys } from '../lib/unknown-keys.ts';
import type { ApiParts, Extension } from './extension.ts';
import { issue, issuesOfField, nest, unknownName } from './field-issues.ts';
import { storedName, type Fields } from './field-set.ts';
import { issuesOfFault } from './own-fault.ts';
import { pathOf, viewName } from './resource-parts.ts';
import type { ResourceOptions, Resources } from './resource.ts';
import { issuesOfEvent, issuesOfRule, issuesOfStep } from './step-issues.ts';

const keys = [
  'path',
  'fields',
  'resources',
  'rules',
  'steps',
  'on',
  'auth',
  'faults',
  'ids',
  'scenarios',
];

/** Returns every issue of an extension. */
export function issuesOfExtension(
  api: ApiDefinition,
  extension: Extension,
  { resources, stepped }: ApiParts,
): FieldIssue[] {
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
  const unknown = Object.keys(extension).filter((key) => !keys.includes(key));
  return [
    ...(unknown.length > 0 ? [issue([], unknownKeys(unknown, keys))] : []),
    ...Object.entries(fields).flatMap(([key, added]) =>
      nest(['fields', key], issuesOfFields(api, key, added, { resources, known })),
    ),
    ...Object.entries(own).flatMap(([key, options]) =>
      nest(['resources', key], issuesOfResource(api, key, options, { own, known, views })),
    ),
    ...Object.entries(rules).flatMap(([name, rule]) =>
      nest(['rules', name], issuesOfRule(api, name, rule, { known, steps, stepped })),
    ),
    ...Object.entries(steps).flatMap(([name, one]) =>
      nest(['steps', name], issuesOfStep(api, name, one, { known, steps, stepped })),
    ),
    ...Object.entries(faults).flatMap(([name, one]) =>
      nest(['faults', name], issuesOfFault(api, name, one)),
    ),
    ...Object.keys(on).flatMap((name) => nest(['on', name], issuesOfEvent(api, name))),
    ...Object.entries(ids).flatMap(([key, kind]) =>
      nest(['ids', key], issuesOfIds(key, kind, [...Object.keys(resources), ...Object.keys(own)])),
    ),
  ];
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

function issuesOfResource(
  api: ApiDefinition,
  key: string,
  { singular, fields, unique = {}, endpoints = {} }: ResourceOptions,
  {
    own,
    known,
    views,
  }: {
    readonly own: Readonly<Record<string, ResourceOptions>>;
    readonly known: readonly string[];
    readonly views: readonly string[];
  },
): FieldIssue[] {
  const path = pathOf(key);
  const isServed = api.endpoints.some((row) => `${row.path}/`.startsWith(path));
  const names = Object.keys(fields);
  const sameView = views.filter((name) => name === viewName(singular)).length > 1;
  return [
    ...(/^[a-z][A-Za-z0-9]*$/.test(key)
      ? []
      : [issue([], 'must be in camelCase: `stockLocations`')]),
    ...(api.tables[key] !== undefined
      ? [issue([], 'exists already: add to it by `fields`')]
      : isServed
        ? [issue([], `cannot be served at ${path}, where the API has endpoints already`)]
        : []),
    ...(sameView ? [issue(['singular'], `is the name of another one: ${singular}`)] : []),
    ...Object.entries(fields).flatMap(([name, one]) =>
      nest(['fields', name], issuesOfField(name, one, known)),
    ),
    ...(requires(own, key, key)
      ? [issue([], 'no record can be the first: its required references lead back to it')]
      : []),
    ...Object.entries(unique).flatMap(([name, all = []]) =>
      [name, ...all]
        .filter((one) => !names.includes(one))
        .map((one) => issue(['unique', name], unknownName('field', one, names))),
    ),
    ...issuesOfEndpoints(key, endpoints, { known, views }),
  ];
}

function issuesOfEndpoints(
  key: string,
  endpoints: NonNullable<ResourceOptions['endpoints']>,
  { known, views }: { readonly known: readonly string[]; readonly views: readonly string[] },
): FieldIssue[] {
  return Object.entries(endpoints).flatMap(([route, { answer, body = {} }]) =>
    nest(
      ['endpoints', route],
      [
        ...routeIssues(route, key),
        ...(answer === undefined || views.includes(answer)
          ? []
          : [issue(['answer'], unknownName('view', answer, views))]),
        ...Object.entries(body).flatMap(([name, one]) =>
          nest(['body', name], issuesOfField(name, one, known)),
        ),
      ],
    ),
  );
}

/** Whether a record requires another one of the table, by references that it cannot lack. */
function requires(
  own: Readonly<Record<string, ResourceOptions>>,
  from: string,
  to: string,
  seen: readonly string[] = [],
): boolean {
  const needed = Object.values(own[from]?.fields ?? {}).flatMap(
    ({ reference, isOptional, options }) =>
      reference === undefined || reference.isList || isOptional || options.default !== undefined
        ? []
        : [reference.table],
  );
  return needed.some(
    (table) =>
      table === to || (!seen.includes(table) && requires(own, table, to, [...seen, table])),
  );
}

function routeIssues(route: string, key: string): FieldIssue[] {
  const isRoute = /^(GET|POST|PUT|PATCH|DELETE) (\/:?[a-z][a-z0-9_-]*)+\/?$/.test(route);
  if (!isRoute)
    return [issue([], 'must be a method and a path below the resource: `POST /:id/cart`')];
  const isTaken = /^(GET|PUT|PATCH|DELETE) \/:[a-z_]+\/?$/.test(route);
  return isTaken ? [issue([], `is an endpoint that ${snakeCase(key)} have already`)] : [];
}

import type { ApiDefinition } from '../definition/api.ts';
import { snakeCase } from '../lib/names.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { issue, issuesOfField, nest, unknownName } from './field-issues.ts';
import { pathOf, viewName } from './resource-parts.ts';
import type { ResourceOptions } from './resource.ts';

const noFirst =
  'no record can be the first: its required references lead back to it; make one `optional: true`';

/** Returns the issues of a resource. */
export function issuesOfResource(
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
    ...(/^[a-z][A-Za-z0-9]*$/.test(key) ? [] : [issue([], 'must be in camelCase: `blogArticles`')]),
    ...(api.tables[key] !== undefined
      ? [issue([], 'exists already: add to it by `fields`')]
      : isServed
        ? [
            issue(
              [],
              `cannot be served at ${path}, where the API has endpoints already: choose another name`,
            ),
          ]
        : []),
    ...(sameView
      ? [issue(['singular'], `is the name of another one: ${singular}; choose another name`)]
      : []),
    ...Object.entries(fields).flatMap(([name, one]) =>
      nest(['fields', name], issuesOfField(name, one, known)),
    ),
    ...(requires(own, key, key) ? [issue([], noFirst)] : []),
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
    return [issue([], 'must be a method and a path below the resource: `POST /:id/publish`')];
  const isTaken = /^(GET|PUT|PATCH|DELETE) \/:[a-z_]+\/?$/.test(route);
  return isTaken
    ? [issue([], `is an endpoint that ${snakeCase(key)} have already: choose another path`)]
    : [];
}

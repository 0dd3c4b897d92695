import { storedName } from './field-set.ts';
import { snakeCase } from '../lib/names.ts';
import type { FieldIssue } from '../lib/problem.ts';
import {
  issueIf,
  issueOfName,
  issuesOfBody,
  issuesOfEach,
  issuesOfField,
  type KnownNames,
} from './field-issues.ts';
import { pathOf, viewName } from './resource-parts.ts';
import type { ResourceOptions } from './resource.ts';

const noFirst =
  'no record can be the first: its required references lead back to it; make one `optional: true`';

/** Returns the issues of a resource. */
export function issuesOfResource(
  key: string,
  { singular, fields, unique = {}, endpoints = {} }: ResourceOptions,
  known: KnownNames,
): FieldIssue[] {
  const { api, tables, views, resources } = known;
  const path = pathOf(key);
  const isTable = api.tables[key] !== undefined;
  const isServed = api.endpoints.some((row) => `${row.path}/`.startsWith(path));
  const sameView = views.filter((name) => name === viewName(singular));
  return [
    ...issueIf(!/^[a-z][A-Za-z0-9]*$/.test(key), 'must be in camelCase: `blogArticles`'),
    ...issueIf(isTable, 'exists already: add to it by `fields`'),
    ...issueIf(
      isServed && !isTable,
      `cannot be served at ${path}, where the API has endpoints already: choose another name`,
    ),
    ...issueIf(
      sameView.length > 1,
      `is the name of another one: ${singular}; choose another name`,
      'singular',
    ),
    ...issuesOfEach('fields', fields, (name, one) => [
      ...issuesOfField(name, one, tables),
      ...issueIf(
        Object.entries(fields).some(
          ([other, field]) => other !== name && storedName(other, field) === storedName(name, one),
        ),
        `has the name ${storedName(name, one)} in records, as another one has: choose another name`,
      ),
    ]),
    ...issueIf(requires(resources, key, key), noFirst),
    ...issuesOfEach('unique', unique, (name, all = []) =>
      [name, ...all].flatMap((one) => issueOfName('field', one, Object.keys(fields))),
    ),
    ...issuesOfEach('endpoints', endpoints, (route, { answer, body = {} }) => [
      ...routeIssues(route, key),
      ...(answer === undefined ? [] : issueOfName('view', answer, views, 'answer')),
      ...issuesOfBody(body, known),
    ]),
  ];
}

/** Whether a record requires another one of the table, by references that it cannot lack. */
function requires(
  resources: KnownNames['resources'],
  from: string,
  to: string,
  seen: readonly string[] = [],
): boolean {
  const needed = Object.values(resources[from]?.fields ?? {}).flatMap(
    ({ reference, isOptional, options }) =>
      reference === undefined || reference.isList || isOptional || options.default !== undefined
        ? []
        : [reference.table],
  );
  return needed.some(
    (table) =>
      table === to || (!seen.includes(table) && requires(resources, table, to, [...seen, table])),
  );
}

function routeIssues(route: string, key: string): FieldIssue[] {
  if (!/^(GET|POST|PUT|PATCH|DELETE) (\/:?[a-z][a-z0-9_-]*)+\/?$/.test(route))
    return issueIf(true, 'must be a method and a path below the resource: `POST /:id/publish`');
  // `resourceEndpoints` serves a record by these methods.
  return issueIf(
    /^(GET|PUT|PATCH|DELETE) \/:[a-z_]+\/?$/.test(route),
    `is an endpoint that ${snakeCase(key)} have already: choose another path`,
  );
}

import type { ApiDefinition } from '../definition/api.ts';
import type { FieldIssue } from '../lib/problem.ts';
import { nestIssues } from '../scenario/issues.ts';
import type { ApiParts, Extension } from './extension.ts';
import { issuesOfShape } from './extension-shape.ts';
import {
  isOfJavaScript,
  issueIf,
  issueOfName,
  issuesOfBody,
  issuesOfEach,
  issuesOfField,
  ofJavaScript,
  type KnownNames,
} from './field-issues.ts';
import { storedName, type Fields } from './field-set.ts';
import { isMadeBy, type Maker } from './made-part.ts';
import { issuesOfFault } from './user-fault.ts';
import { issuesOfResource } from './resource-issues.ts';
import { pathOf, routesOf, viewName } from './resource-parts.ts';
import type { Resources, Rule } from './resource.ts';
import { issuesOfStep } from './step-issues.ts';
import { asyncIssues } from './user-code.ts';

/** Returns every issue of an extension. */
export function issuesOfExtension(
  api: ApiDefinition & ApiParts,
  extension: Extension,
): FieldIssue[] {
  const { resources: shown, checkout } = api;
  const { fields = {}, resources = {}, rules = {}, steps = {}, on = {} } = extension;
  const { faults = {}, ids = {} } = extension;
  const views = [
    ...Object.values(shown).flatMap((one) => Object.keys(one.views)),
    ...Object.values(resources).map(({ singular }) => viewName(singular)),
  ];
  const tables = [...Object.keys(api.tables), ...Object.keys(resources)];
  const known: KnownNames = { api, tables, views, resources, steps, checkout };
  const events = api.machines.flatMap(({ name, states }) =>
    states.map((state) => `${name}.${state}`),
  );
  return [
    ...issuesOfShape(extension),
    ...asyncIssues(extension),
    ...issuesOfEach('fields', fields, (key, added) => issuesOfFields(key, added, shown, known)),
    ...issuesOfMade('resource', resources, issuesOfResource, known),
    ...issuesOfEach('rules', rules, (name, rule) => issuesOfRule(name, rule, known)),
    ...issuesOfMade('step', steps, issuesOfStep, known),
    ...issuesOfMade('fault', faults, issuesOfFault, known),
    ...issuesOfEach('on', on, (name) => issueOfName('state', name, events)),
    ...issuesOfEach('ids', ids, (key, kind) =>
      issuesOfIds(key, kind, [...Object.keys(shown), ...Object.keys(resources)]),
    ),
  ];
}

function issuesOfMade<Part extends object>(
  by: Maker,
  parts: Readonly<Record<string, Part>>,
  issuesOf: (name: string, part: Part, known: KnownNames) => FieldIssue[],
  known: KnownNames,
): FieldIssue[] {
  return issuesOfEach(`${by}s`, parts, (name, part) => {
    const fix = `must be made by \`${by}\` of backlot/define: \`${name}: ${by}({ … })\``;
    return [
      ...issueIf(isOfJavaScript(name), ofJavaScript),
      ...(isMadeBy(by, part) ? issuesOf(name, part, known) : issueIf(true, fix)),
    ];
  });
}

/** @param shown the tables whose ids clients see */
function issuesOfIds(key: string, kind: string, shown: readonly string[]): FieldIssue[] {
  return shown.includes(key)
    ? issueIf(kind !== 'uuid', `must be 'uuid', not ${JSON.stringify(kind)}`)
    : issueOfName('resource', key, shown);
}

function issuesOfFields(
  key: string,
  added: Fields,
  shown: Resources,
  { api, tables }: KnownNames,
): FieldIssue[] {
  const table = api.tables[key];
  if (table === undefined || !Object.hasOwn(shown, key))
    return issueOfName('resource', key, Object.keys(shown));
  const sent = api.endpoints.flatMap(({ path, body }) =>
    path.startsWith(pathOf(key).slice(0, -1)) ? Object.keys(body?.children ?? {}) : [],
  );
  return Object.entries(added).flatMap(([name, field]) => {
    const stored = storedName(name, field);
    return [
      ...issueIf(
        Object.hasOwn(table.schema.shape, stored) || sent.includes(name),
        `exists already: ${stored} of ${table.name} cannot be changed`,
        name,
      ),
      ...issueIf(
        !field.isOptional && field.options.default === undefined,
        'needs a `default`, or `optional: true`: the records that exist lack it',
        name,
      ),
      ...nestIssues([name], issuesOfField(name, field, tables)),
    ];
  });
}

function issuesOfRule(name: string, { body = {} }: Rule, known: KnownNames): FieldIssue[] {
  const { api, steps, resources } = known;
  const { endpoints } = api;
  const stepNames = new Set([
    ...endpoints.flatMap(({ step }) => step ?? []),
    ...Object.keys(steps),
  ]);
  const routes = [
    ...endpoints.map(({ method, path, step, body: sentBody }) => ({
      name: `${method} ${path}`,
      step,
      sent: Object.keys(sentBody?.children ?? {}),
    })),
    ...Object.entries(resources).flatMap(([key, one]) =>
      routesOf(key, one).map((route) => ({ ...route, step: undefined })),
    ),
  ];
  const sent = [
    ...routes.flatMap((one) => (one.step === name || one.name === name ? one.sent : [])),
    ...Object.keys(steps[name]?.body ?? {}),
  ];
  return [
    ...(name.includes('/')
      ? issueOfName('endpoint', name, [...new Set(routes.map((one) => one.name))])
      : issueOfName('step', name, [...stepNames])),
    ...issuesOfBody(body, known, sent),
  ];
}

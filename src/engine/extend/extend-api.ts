import * as z from 'zod';
import type {
  ApiDefinition,
  ApiEndpoint,
  ControlDefinition,
  CheckoutDefinition,
} from '../definition/api.ts';
import { faultInput } from '../faults/fault-rule.ts';
import { assertApiPath, isBelow, namedPath } from '../lib/api-path.ts';
import { Id } from '../lib/fields.ts';
import { mapValues } from '../lib/json-value.ts';
import { lazyRecord } from '../lib/lazy-object.ts';
import { once } from '../lib/memoized.ts';
import { Problem } from '../lib/problem.ts';
import { derived, type Derived } from '../lib/on-demand.ts';
import { extendedScenario } from '../scenario/format.ts';
import { assertNoIssues } from '../scenario/issues.ts';
import { definitionOf, type Definitions } from '../store/database.ts';
import { compileResource, type CompiledResource } from './compile-resource.ts';
import { extendedSteps, statesWith, stepEndpoints, withPreparations } from './compile-step.ts';
import { extendedRow } from './extended-row.ts';
import { addedFields, ExtendedViews, type ViewChange } from './extended-views.ts';
import { isExtended, type ApiParts, type ExtendedApi, type Extension } from './extension.ts';
import { issuesOfExtension } from './extension-issues.ts';
import { assertShape } from './extension-shape.ts';
import {
  camelCase,
  defaultsOf,
  recordShape,
  referencesIn,
  publicTexts,
  secretFields,
  valuesOf,
  type Fields,
} from './field-set.ts';
import { workOf } from './user-endpoint.ts';
import { extendedFaultRules, extendedFaults } from './user-fault.ts';
import { RowTables } from './row-tables.ts';
import { pathOf } from './resource-parts.ts';
import type { Resources } from './resource.ts';
import { withoutPromises } from './user-code.ts';
import { withSecrets } from './secret-fields.ts';
import { withIds } from './with-ids.ts';

/**
 * Adds to an API. The API itself stays as it is.
 *
 * @param parts how responses show the tables of the API, and which of its records take steps
 * @throws Problem `invalid` with every issue of the extension: its place and what would be right
 */
export function extend(api: ApiDefinition, extension: object, parts: ApiParts): ExtendedApi {
  assertShape(extension);
  const known = isExtended(api) ? (api.plain ?? api) : { ...api, ...parts };
  const kinds = isExtended(api) ? api.kinds : {};
  return withIds(extendPlain(known, extension), { ...kinds, ...extension.ids });
}

function extendPlain(api: ExtendedApi, given: Extension): ExtendedApi {
  const { resources, checkout } = api;
  assertNoIssues('definition', issuesOfExtension(api, given), 0, 'invalid-definition');
  const extension = withoutPromises(given);
  const { path = api.path, fields: added = {}, rules = {} } = extension;
  assertApiPath(path);
  const compiled = mapValues(extension.resources ?? {}, (options, key) =>
    compileResource(key, options),
  );
  const { kinds, steps, states, faultRules, stepRows } = changedSteps(api, extension, checkout);
  const withStates = states.size > 0 && checkout ? { [checkout.table]: {}, ...added } : added;
  const tables = {
    ...api.tables,
    faultRules,
    ...extendedTables(api.tables, withStates, states),
    ...mapValues(compiled, ({ table }) => table),
  };
  const views = new ExtendedViews(addedViews(added, resources), states);
  const unchanged: Resources = { ...resources, ...compiled };
  const all = extendedResources(unchanged, views);
  const own = Object.values(compiled).flatMap((one) => one.endpoints((name) => viewsOf(all, name)));
  const fieldsOf = mapValues(extension.resources ?? {}, ({ fields }) => fields);
  const referring = mapValues({ ...added, ...fieldsOf }, referencesIn);
  const rows = [...api.endpoints, ...stepRows, ...own];
  const rowTables = new RowTables(rows, unchanged);
  const context = { added, views, rowTables, rules, referring, singular: checkout?.singular };
  const endpoints = withPreparations(rows, steps).map((row) =>
    withSecrets(extendedRow(row, context)),
  );
  const sources = { ...api.sources, scenarios: mergeScenarios(api, extension.scenarios) };
  const isSame = addsNoRecords(extension);
  return {
    ...api,
    // Builds have the start of the store, whose tables these are if nothing is added to them.
    ...(!isSame && { name: `${api.name}, extended` }),
    isExtension: true,
    path,
    tables: isSame ? api.tables : tables,
    faultKinds: kinds,
    endpoints,
    steps,
    resources: all,
    addedResources: { ...api.addedResources, ...extension.resources },
    sources,
    scenario: extendedScenario(api.scenario, tables, faultInput(tables.faultRules)),
    ...withHandlers(api, extension.on),
    ...(extension.auth && {
      credentials: 'what `auth` of the definition accepts',
      tokenUrl: undefined,
      authenticate: authentication(endpoints, extension.auth),
    }),
    views: once(() => namesOf(api, compiled, views)),
    ...(api.control && { control: extendedControl(api.control, extension) }),
  };
}

/** Returns the parts of an API that the steps and the kinds of fault of an extension change. */
function changedSteps(
  api: ApiDefinition,
  { steps: added = {}, faults = {} }: Extension,
  checkout: CheckoutDefinition | undefined,
) {
  const steps = extendedSteps(api, added, checkout);
  const states = statesWith(api, added, checkout);
  const kinds = extendedFaults(api.faultKinds, faults);
  const names = states.size > 0 ? steps.map(({ name }) => name) : undefined;
  return {
    steps,
    states,
    kinds,
    faultRules: extendedFaultRules(api.tables.faultRules, kinds, names),
    stepRows: stepEndpoints(api, steps, added, checkout),
  };
}

/** Whether the tables and the scenarios of an API stay as they are. */
function addsNoRecords({ fields, resources, steps, faults, scenarios }: Extension): boolean {
  return [fields, resources, steps, faults, scenarios].every(
    (parts = {}) => Object.keys(parts).length === 0,
  );
}

function withHandlers(
  { onState, machines, tables }: ApiDefinition,
  on: NonNullable<Extension['on']> = {},
): Pick<ApiDefinition, 'onState'> {
  if (Object.keys(on).length === 0) return {};
  const keys = new Map(
    machines.map((machine) => {
      const found = Object.entries(tables).find(([, { name }]) => name === machine.table);
      return [machine.name, found?.[0] ?? ''] as const;
    }),
  );
  return {
    onState(shop, machine, id, state) {
      onState?.(shop, machine, id, state);
      const record = shop.db[keys.get(machine) ?? '']?.get(id);
      on[`${machine}.${state}`]?.({ ...workOf(shop), [camelCase(machine)]: record });
    },
  };
}

/** Endpoints outside the path of the API, such as that of tokens, are open to all. */
function authentication(
  endpoints: readonly ApiEndpoint[],
  mayPass: NonNullable<Extension['auth']>,
): ApiDefinition['authenticate'] {
  const open = new Set(endpoints.map(({ path }) => path).filter((one) => !isBelow(namedPath, one)));
  return (shop, { method, headers }, { path }) => {
    if (method === 'OPTIONS' || !isBelow(shop.api.path, path) || open.has(path)) return;
    const sent = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const request = { method, path, headers: Object.fromEntries(sent) };
    const passes: unknown = mayPass({ ...workOf(shop), request });
    if (passes === true) return;
    if (passes !== false)
      throw new Problem(
        'fault',
        `auth of the definition must return true or false, not ${typeof passes}`,
      );
    throw new Problem('denied', 'Authentication required.', {
      headers: { 'www-authenticate': 'Bearer realm="Service"' },
    });
  };
}

/** Returns how responses of the extended API show its tables. */
function extendedResources(resources: Resources, views: ExtendedViews): Resources {
  return mapValues(resources, (one, key) => {
    const schemas = mapValues(one.views, (view) => views.schemaOf(view));
    const [view] = Object.values(one.views);
    const change = view && views.changeOf(view);
    const show: typeof one.show = (shop, record) => {
      // What a handler returns may be the record as it was before its last change.
      const shown = one.show(shop, shop.db[key]?.get(record.id) ?? record);
      return change === undefined ? shown : change(shown, shop);
    };
    const parts = (one.parts ?? []).map((part) => views.schemaOf(part));
    return { ...one, views: schemas, parts, show };
  });
}

function viewsOf(resources: Resources, name: string) {
  return Object.values(resources).find(({ views }) => Object.hasOwn(views, name));
}

function extendedTables(
  tables: ApiDefinition['tables'],
  added: Readonly<Record<string, Fields>>,
  states: ReadonlyMap<z.ZodType, z.ZodType>,
): Definitions {
  return mapValues(added, (fields, key) => {
    const table = definitionOf(tables, key);
    const shape = mapValues<z.ZodType, z.ZodType>(
      table.schema.shape,
      (part) => states.get(part) ?? part,
    );
    const schema = z.object({ id: Id, ...shape, ...recordShape(fields) });
    const secret = new Set([...(table.secret ?? []), ...secretFields(fields)]);
    const texts = { ...table.texts, ...publicTexts(fields) };
    const defaults = { ...table.defaults, ...defaultsOf(fields) };
    const optional = referencesIn(fields).filter((one) => fields[one.parameter]?.options.optional);
    const names = optional.map(({ name }) => name);
    const references = {
      ...table.references,
      ...Object.fromEntries(optional.map(({ name, table: to }) => [name, to])),
    };
    return {
      ...table,
      schema,
      secret,
      texts,
      defaults,
      references,
      added: new Set([...(table.added ?? []), ...names]),
    };
  });
}

function addedViews(
  added: Readonly<Record<string, Fields>>,
  resources: Resources,
): ReadonlyMap<z.ZodType, ViewChange> {
  return new Map(
    Object.entries(added).flatMap(([key, fields]) => {
      const change = addedFields(key, fields);
      return Object.values(resources[key]?.views ?? {}).map((view) => [view, change] as const);
    }),
  );
}

/** Adds records to the scenarios of an API, and scenarios of their own. Each is read when it is needed: it may be a file. */
function mergeScenarios(
  { sources: { scenarios } }: ApiDefinition,
  own: Extension['scenarios'] = {},
): ApiDefinition['sources']['scenarios'] {
  return lazyRecord(new Set([...Object.keys(scenarios), ...Object.keys(own)]), (name) => {
    const added = own[name];
    if (added === undefined) return scenarios[name];
    const base = valuesOf(scenarios[name]);
    const data = { ...valuesOf(base['data']), ...valuesOf(added['data']) };
    return { name, description: '', ...base, ...added, data };
  });
}

/** Returns the names of the views of an API, with those that are added. */
function namesOf(
  api: ApiDefinition,
  compiled: Readonly<Record<string, CompiledResource>>,
  views: ExtendedViews,
): ReturnType<ApiDefinition['views']> {
  const names = views.namesOf(api.views());
  for (const one of Object.values(compiled))
    for (const [id, view] of Object.entries(one.views)) names.add(view, { id });
  return names;
}

/** Adds a text for each resource to the documents, under the tag of its rows: the part of their paths after `/api/`. */
function extendedControl(
  base: Derived<ControlDefinition>,
  { resources = {} }: Extension,
): Derived<ControlDefinition> {
  return derived(base, (parts) => {
    const { documents, ...others } = parts();
    const tags: Record<string, string> = { ...documents.tags };
    for (const [key, { singular, description }] of Object.entries(resources))
      tags[pathOf(key).split('/')[2] ?? key] = description ?? `Each ${singular}`;
    return { ...others, documents: { ...documents, tags } };
  });
}

import * as z from 'zod';
import type { ApiDefinition, ControlDefinition } from '../definition/api.ts';
import { faultKinds } from '../faults/fault-kinds.ts';
import { defineFaultRules, faultInput } from '../faults/fault-rule.ts';
import { namedPath } from '../lib/api-path.ts';
import { Id } from '../lib/fields.ts';
import { derived, type Derived } from '../lib/on-demand.ts';
import { Problem } from '../lib/problem.ts';
import { recordsFormat } from '../scenario/data.ts';
import { scenarioFormat, settingsFormat } from '../scenario/format.ts';
import type { AnyDatabase } from '../store/database.ts';
import { extend } from './extend-api.ts';
import type { ExtendedApi } from './extension.ts';

/** The definition of an API that does not extend the store: an extension, with a name and a description. */
export interface NewApi {
  /** Its name in messages: `todo`. */
  readonly name: string;
  /** Says in documents what it is. */
  readonly description?: string;
}

/**
 * Creates an API that has nothing but what it says, and a scenario `default`.
 *
 * @param others what sets up its records
 * @throws Problem `invalid` with every issue of the definition
 */
export function defineAny(
  { name, description = '', ...extension }: NewApi,
  others: Derived<ControlDefinition>,
): ExtendedApi {
  return { ...extend(bareApi(name, description, others), extension, bare), name };
}

const bare = { resources: {}, checkout: undefined, addedResources: {} };

const noRules = {
  page: () => [],
  count: () => 0,
  remove(id: number): never {
    throw new Problem('missing', `There is no script ${id}.`);
  },
};

function refuse(): never {
  throw new Problem('refused', 'This API has no steps, which a script is for.');
}

const noScript: ApiDefinition['script'] = {
  input: z.object({}),
  rule: z.object({ id: Id }),
  issues: () => [],
  add: refuse,
  replace: refuse,
  rules: () => noRules,
  restoreCounts() {},
};

function controlDefinition(
  name: string,
  description: string,
  others: Derived<ControlDefinition>,
): Derived<ControlDefinition> {
  const part: ControlDefinition = {
    endpoints: [],
    setUp: (api) => others.parts().setUp(api),
    states: (api) => others.parts().states(api),
    documents: {
      title: name,
      description,
      guards: [],
      tags: {},
      parameters: {},
      fields: {},
      preparations: [],
    },
    overview: { counts: countsOf, lists: [] },
    matchesScript: () => false,
  };
  return derived(others, () => part);
}

/** Returns an API without endpoints. */
function bareApi(
  name: string,
  description: string,
  others: Derived<ControlDefinition>,
): ApiDefinition {
  const tables = { faultRules: defineFaultRules(z.string()) };
  const settings = settingsFormat({});
  const views = z.registry<{ id: string }>();
  return {
    name,
    path: namedPath,
    tables,
    faultKinds,
    endpoints: [],
    views: () => views,
    settings,
    settingReferences: {},
    scenarioParts: {},
    checks: {},
    steps: [],
    machines: [],
    owned: {},
    scenario: scenarioFormat({
      tables,
      settings,
      name: z.string(),
      data: recordsFormat(tables),
      parts: () => ({}),
      script: z.never(),
      fault: faultInput(tables.faultRules),
    }),
    sources: {
      scenarios: {
        default: { name: 'default', description },
        empty: { name: 'empty', description },
      },
      fixtures: {},
    },
    script: noScript,
    control: controlDefinition(name, description, others),
    missingRecords: () => [],
    runDueEvents() {},
    authenticate() {},
  };
}

/** Says how many records each table has. */
function countsOf(db: AnyDatabase): string {
  return Object.entries(db)
    .filter(([key]) => key !== 'faultRules')
    .map(([, table]) => {
      const { name: many, singular } = table.definition;
      return table.count() === 1
        ? `1 ${singular}`
        : `${table.count()} ${many.replaceAll('_', ' ')}`;
    })
    .join(', ');
}

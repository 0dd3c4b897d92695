import { hintOf } from '../lib/unknown-keys.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { getOrCreate } from '../lib/maps.ts';
import { memoized } from '../lib/memoized.ts';
import { Problem } from '../lib/problem.ts';
import { openScenario } from './open-scenario.ts';
import { prebuiltStarts } from './prebuilt-part.ts';
import type { ReadyScenario, ScenarioSource } from './scenario.ts';
import { withPage } from '../lib/error-page.ts';

/** Returns the names of the scenarios that an API comes with. */
export function builtInNames({ sources }: ApiDefinition): readonly string[] {
  return Object.keys(sources.scenarios);
}

/**
 * Returns a scenario that an API comes with.
 *
 * @throws Problem `missing` that lists the names of all of them
 */
export function openBuiltIn(api: ApiDefinition, name: string): ReadyScenario {
  return getOrCreate(openedOf(api), name, () => prebuilt(api, name) ?? open(api, name));
}

function prebuilt(api: ApiDefinition, name: string): ReadyScenario | undefined {
  return prebuiltStarts.isLoaded() ? prebuiltStarts.parts().openPrebuilt(api, name) : undefined;
}

const openedOf = memoized<ApiDefinition, Map<string, ReadyScenario>>(() => new Map());

/** Whether an API comes with a scenario, so that another one can extend it by its name. */
export function isBuiltIn(scenario: ReadyScenario): boolean {
  const { api, name } = scenario;
  return builtInNames(api).includes(name) && openBuiltIn(api, name) === scenario;
}

/** Opens a scenario that no name finds, such as that of a trace. @throws Problem as `openScenario` */
export function openState(api: ApiDefinition, source: ScenarioSource): ReadyScenario {
  const base = (name: string): ReadyScenario => openBuiltIn(api, name);
  const scenario = openScenario(source, { api, records: noFiles, base });
  return { ...scenario, source };
}

/** @throws Problem `invalid` */
export function noFiles(path: string): never {
  throw new Problem('invalid', `must be a list of records, not the file ${path}`);
}

function open(api: ApiDefinition, name: string): ReadyScenario {
  const { scenarios, fixtures } = api.sources;
  if (!Object.hasOwn(scenarios, name)) {
    const names = builtInNames(api);
    throw new Problem(
      'missing',
      withPage(
        'unknown-scenario',
        `Scenario '${name}' not found.${hintOf(name, names)} The built-in scenarios are ${names.join(', ')}.`,
      ),
    );
  }
  const loader = {
    api,
    records: (path: string) => fixture(fixtures, path),
    base: (base: string) => openBuiltIn(api, base),
  };
  return openScenario(scenarios[name], loader, `scenario ${name}`);
}

/** Returns the content of a fixture file, by its path relative to the scenarios. */
function fixture(fixtures: Readonly<Record<string, unknown>>, path: string): unknown {
  const [, name = ''] = /^\.\.\/fixtures\/(.*)\.json$/.exec(path) ?? [];
  if (Object.hasOwn(fixtures, name)) return fixtures[name];
  throw new Problem('missing', `File ${path} not found`);
}

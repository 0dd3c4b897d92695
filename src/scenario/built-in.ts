import { Problem } from '../lib/problem.ts';
import { fixtures, scenarios } from './built-in-files.ts';
import { openScenario } from './open-scenario.ts';
import { openPrebuilt } from './prebuilt-starts.ts';
import type { ReadyScenario, ScenarioName } from './scenario.ts';

/** The names of the built-in scenarios. */
export const builtInScenarios = Object.keys(scenarios) as readonly ScenarioName[];

/**
 * Returns a built-in scenario.
 *
 * @throws Problem `missing` that lists the names of the built-in scenarios
 */
export function builtInScenario(name: string): ReadyScenario {
  const scenario = opened.get(name) ?? openPrebuilt(name) ?? open(name);
  opened.set(name, scenario);
  return scenario;
}

const opened = new Map<string, ReadyScenario>();

function open(name: string): ReadyScenario {
  const source = isBuiltIn(name) ? scenarios[name] : undefined;
  if (source === undefined) {
    const names = builtInScenarios.join(', ');
    throw new Problem(
      'missing',
      `Scenario '${name}' not found. The built-in scenarios are ${names}.`,
    );
  }
  return openScenario(source, { records: fixture, base: builtInScenario }, `scenario ${name}`);
}

function isBuiltIn(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name);
}

/** Returns the content of a fixture file, by its path relative to the scenarios. */
function fixture(path: string): unknown {
  const [, name = ''] = /^\.\.\/fixtures\/(.*)\.json$/.exec(path) ?? [];
  if (Object.hasOwn(fixtures, name)) return fixtures[name];
  throw new Problem('missing', `File ${path} not found`);
}

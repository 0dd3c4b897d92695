import { builtInNames, openBuiltIn } from '../scenario/built-in.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import type { ScenarioName } from './scenario.ts';
import { storeApi } from './store-api.ts';

/** The names of the built-in scenarios. */
export const builtInScenarios = builtInNames(storeApi) as readonly ScenarioName[];

/**
 * Returns a built-in scenario.
 *
 * @throws Problem `missing` that lists the names of the built-in scenarios
 */
export function builtInScenario(name: string): ReadyScenario {
  return openBuiltIn(storeApi, name);
}

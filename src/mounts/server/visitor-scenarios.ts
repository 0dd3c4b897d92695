import type { ApiDefinition } from '../../engine/definition/api.ts';
import { builtInNames } from '../../engine/scenario/built-in.ts';

/** Returns the names of the scenarios that visitors of a server may open: not the one that takes the most time and memory. */
export function visitorScenarios(api: ApiDefinition): readonly string[] {
  return builtInNames(api).filter((name) => name !== 'large');
}

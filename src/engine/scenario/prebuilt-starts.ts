import type { ApiDefinition } from '../definition/api.ts';
import type { ReadyScenario } from './scenario.ts';

/**
 * Opens a scenario with its prebuilt start, if there is one: there is none in the sources and in pages. The builds for
 * Node.js replace this module.
 */
export function openPrebuilt(_api: ApiDefinition, _name: string): ReadyScenario | undefined {
  return undefined;
}

import type { ApiDefinition } from '../engine/definition/api.ts';

/** What commands of the program need of the store, and nothing else. */
export const commandParts: Pick<ApiDefinition, 'workflows' | 'drift'> = {
  workflows: async () => (await import('./workflows/index.ts')).workflows,
  drift: async () => (await import('./drift/index.ts')).storeDrift,
};

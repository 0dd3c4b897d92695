import { existsSync } from 'node:fs';
import path from 'node:path';
import { atPath } from '../engine/definition/at-path.ts';
import type { ApiDefinition } from '../engine/definition/api.ts';
import { namedPath } from '../engine/lib/api-path.ts';
import { Problem } from '../engine/lib/problem.ts';
import { storeApi } from '../shop/store-api.ts';
import { canHook, importAgain } from './import-default.ts';
import { UsageError } from './values.ts';
import { withPage } from '../engine/lib/error-page.ts';

const names = ['backlot.config.ts', 'backlot.config.js', 'backlot.config.mjs'];

/** The source of the definition of an API and of its path. */
export interface ApiFlags {
  readonly config?: string | undefined;
  readonly apiPath?: string | undefined;
}

/** Returns the file of the definition: the one that a flag names, or that of the working directory, if there is one. */
export function configFile({ config }: Pick<ApiFlags, 'config'>): string | undefined {
  if (config === undefined) return names.find((name) => existsSync(name));
  if (existsSync(config)) {
    if (/\.[cm]?[jt]s$/.test(config)) return config;
    throw new UsageError(`--config requires a file of TypeScript or JavaScript, not ${config}.`);
  }
  throw new UsageError(
    withPage(
      'no-definition',
      `File ${config} not found. --config requires the file of a definition.`,
    ),
  );
}

/**
 * Returns the API that flags and the working directory say (default: that of the store), at the path that flags say.
 *
 * @param onRead receives the path of each file before it is read: that of the definition, and those that it imports, apart
 *   from packages. They are read even if they were before
 * @throws UsageError if the file of a flag does not exist
 * @throws Problem `invalid` with every issue of the definition
 */
export async function loadApi(
  { apiPath, ...flags }: ApiFlags,
  onRead?: (file: string) => void,
): Promise<ApiDefinition> {
  const file = configFile(flags);
  return atPath(
    file === undefined ? storeApi : await importApi(path.resolve(file), onRead),
    apiPath,
  );
}

/**
 * Returns the API that another server has.
 *
 * @returns also its path, if a flag or the definition says it
 * @throws as `loadApi`
 */
export async function loadRemoteApi(
  flags: ApiFlags,
): Promise<{ readonly api: ApiDefinition; readonly apiPath: string | undefined }> {
  const api = await loadApi(flags);
  return { api, apiPath: flags.apiPath ?? (api.path === namedPath ? undefined : api.path) };
}

async function importApi(file: string, onRead?: (file: string) => void): Promise<ApiDefinition> {
  if (!canHook)
    throw new UsageError(
      withPage(
        'old-node',
        `Definitions require Node.js 22.18 or later, and this is ${process.version}. Update Node.js.`,
      ),
    );
  const example = 'export default extendApi(storeApi, { … })';
  const what = 'an API';
  onRead?.(file);
  const api = await importAgain(file, { plural: 'definitions', what, example }, onRead);
  if (isApi(api)) return api;
  throw new Problem('invalid', `${file} must export ${what} as its default: ${example}`);
}

function isApi(value: unknown): value is ApiDefinition {
  return typeof value === 'object' && value !== null && 'tables' in value && 'endpoints' in value;
}

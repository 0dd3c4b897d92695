import { parsedUrl } from '../lib/api-path.ts';
import type { ApiDefinition } from '../definition/api.ts';
import { openStart, readStart } from './prebuilt.ts';
import type { ReadyScenario } from './scenario.ts';

/** Returns the name of the file of a prebuilt start, which the build writes here: `store-default-start.txt`. */
export function startFile(api: Pick<ApiDefinition, 'name'>, name: string): string {
  return `${encodeURIComponent(api.name)}-${encodeURIComponent(name)}-start.txt`;
}

/** Opens a scenario with its prebuilt start, if there is a file of it: not next to the sources, nor in pages. */
export function openPrebuilt(api: ApiDefinition, name: string): ReadyScenario | undefined {
  const host: { readonly process?: Partial<NodeJS.Process> } = globalThis;
  const fs = host.process?.getBuiltinModule?.('node:fs');
  const path = `./${startFile(api, name)}`;
  // Workers have no files and no URL of their module. The bundler of a user may have left the file out.
  const file = parsedUrl(path, import.meta.url);
  if (fs === undefined || file?.protocol !== 'file:' || !fs.existsSync(file)) return undefined;
  return openStart(readStart(fs.readFileSync(file), api), api);
}

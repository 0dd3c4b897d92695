import { hintOf } from '../engine/lib/unknown-keys.ts';
import { documentedEndpoints, openapi } from '../engine/sessions/openapi.ts';
import { workflowsOf } from '../verify/workflows/workflows-of.ts';
import { version } from './arguments.ts';
import { arazzoOf } from './arazzo-document.ts';
import type { Arguments } from './commands.ts';
import { loadApi } from './config.ts';
import { httpUrl } from './running-server.ts';
import { UsageError } from './values.ts';

/** Prints the Arazzo document of the workflows of an API. @throws UsageError for the name of no workflow */
export async function printArazzo({
  names,
  host,
  port,
  basePath,
  ...flags
}: Arguments<'arazzo'>): Promise<void> {
  const api = await loadApi(flags);
  const known = await workflowsOf(api);
  const ids = known.map(({ id }) => id);
  const unknown = names.find((name) => !ids.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      `Workflow '${unknown}' not found.${hintOf(unknown, ids)} Use one of ${ids.join(', ')}.`,
    );
  }
  const chosen = known.filter(({ id }) => names.length === 0 || names.includes(id));
  const server = httpUrl(host, port, basePath);
  const rows = documentedEndpoints(api);
  const document = arazzoOf(chosen, { openapi: openapi(api, version(), rows), server });
  console.log(JSON.stringify(document, null, 2));
}

import { hintOf } from '../engine/lib/unknown-keys.ts';
import { existsSync } from 'node:fs';
import { namedPath } from '../engine/lib/api-path.ts';
import { printable } from '../engine/lib/printable.ts';
import { counted, formatCount } from '../engine/lib/problem.ts';
import { Unreachable } from '../verify/drift/client.ts';
import { readRecording, readShop, scenarioOfShop, type ShownShop } from '../verify/pull/pull.ts';
import { RecordingError } from '../verify/replay/har-file.ts';
import type { Arguments } from './commands.ts';
import { loadRemoteApi } from './config.ts';
import { preferSmallHeap } from './memory.ts';
import { createProgressLine, printIssue } from './terminal.ts';
import { UsageError } from './values.ts';
import { isHttpUrl, loginOf } from './verify.ts';
import { assertWritable, writeWhole } from './whole-file.ts';

/** Maximum number of places that an error lists. */
const maxPlaces = 20;

/**
 * Writes the scenario of a server or of a recording, with other persons if it is to be anonymised. Nothing of the original is
 * written before that.
 *
 * @returns the exit code: 1 if a text is left that may be about a person, 2 if there is nothing to read
 * @throws UsageError for a command line that cannot be run, Problem for a scenario that cannot be opened
 */
export async function pull(args: Arguments<'pull'>): Promise<number> {
  const { seed, anonymise, replace, keep, out } = args;
  const [source, ...others] = args.names;
  if (source === undefined || others.length > 0 || !(isHttpUrl(source) || existsSync(source)))
    throw new UsageError(
      'pull requires the URL of a server, or a recording: pull https://shop.test, pull shop.har.',
    );
  const unused = ['seed', 'replace', 'keep'] as const;
  const ignored = unused.find((name) => !anonymise && [args[name] ?? []].flat().length > 0);
  if (ignored !== undefined) throw new UsageError(`--${ignored} requires --anonymise.`);
  if (out !== undefined) assertWritable(out);
  const { api, apiPath } = await loadRemoteApi(args);
  const tables = Object.values(api.tables).map(({ name }) => name);
  for (const field of [...replace, ...keep]) assertField(field, tables);
  preferSmallHeap();
  try {
    const shop = await readSource(source, args, { api, apiPath });
    const options = { api, replace, keep, seed: anonymise ? (seed ?? 1) : undefined };
    const { scenario, replaced, left } = scenarioOfShop(shop, options);
    if (left.length > 0) {
      printIssue(leftMessage(left));
      return 1;
    }
    const text = `${JSON.stringify(scenario, null, 2)}\n`;
    if (out === undefined) process.stdout.write(text);
    else writeWhole(out, text);
    const counts = Array.from(replaced, ([kind, count]) => `${formatCount(count)} ${kind}`);
    if (anonymise) console.error(`Replaced: ${counts.join(', ') || 'nothing'}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof RecordingError || error instanceof Unreachable)) throw error;
    printIssue(printable(error.message));
    return 2;
  }
}

async function readSource(
  source: string,
  { user, client, token, timeout, maxTime }: Arguments<'pull'>,
  { api, apiPath }: Awaited<ReturnType<typeof loadRemoteApi>>,
): Promise<ShownShop> {
  if (!isHttpUrl(source)) return readRecording(source, { api, apiPath: apiPath ?? namedPath });
  const progress = createProgressLine(`reading ${new URL(source).host}`);
  try {
    return await readShop({
      url: source,
      api,
      apiPath,
      token,
      login: user === undefined ? undefined : loginOf(user, client),
      timeout: timeout * 1000,
      maxTime: maxTime * 1000,
      onRequest: (count) => progress.report(counted(count, 'request')),
    });
  } finally {
    progress.end();
  }
}

function assertField(field: string, tables: readonly string[]): void {
  const [table = '', name] = field.split('.');
  if (name !== undefined && tables.includes(table)) return;
  throw new UsageError(
    `'${field}' is no field of a table, such as products.description.${hintOf(table, tables)}`,
  );
}

/** The message has no text of a person. */
function leftMessage(left: readonly string[]): string {
  const more = left.length - maxPlaces;
  return [
    `Nothing is written. ${counted(left.length, 'text')} may be about persons:`,
    ...left.slice(0, maxPlaces).map((place) => `  ${place}`),
    ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
    'Replace the texts of a field (--replace products.description), or keep them (--keep products.description).',
  ].join('\n');
}

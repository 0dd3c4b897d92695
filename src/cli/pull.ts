import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { ApiDefinition } from '../engine/definition/api.ts';
import { hintOf } from '../engine/lib/unknown-keys.ts';
import { namedPath } from '../engine/lib/api-path.ts';
import { printable } from '../engine/lib/printable.ts';
import { quoted } from '../engine/office/export/request-text.ts';
import { counted, formatCount } from '../engine/lib/problem.ts';
import { Unreachable } from '../verify/drift/client.ts';
import type { Anonymised } from '../verify/pull/anonymise.ts';
import { readRecording, readShop, scenarioOfShop, type ShownShop } from '../verify/pull/pull.ts';
import { textFieldsOf, type FieldKind } from '../verify/pull/text-fields.ts';
import { RecordingError } from '../verify/replay/har-file.ts';
import type { Arguments } from './commands.ts';
import { loadRemoteApi } from './config.ts';
import { preferSmallHeap } from './memory.ts';
import { createProgressLine, printIssue, widthOf, wrapText } from './terminal.ts';
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
  const fields = textFieldsOf(api);
  for (const field of [...replace, ...keep]) assertField(field, fields);
  preferSmallHeap();
  try {
    const shop = await readSource(source, args, { api, apiPath });
    const options = { api, replace, keep, seed: anonymise ? (seed ?? 1) : undefined };
    const { scenario, anonymised, left } = scenarioOfShop(shop, options);
    if (left.length > 0) {
      printIssue(leftMessage(left));
      return 1;
    }
    const text = `${JSON.stringify(scenario, null, 2)}\n`;
    if (out === undefined) process.stdout.write(text);
    else writeWhole(out, text);
    const lines = [
      ...readLines(shop, isHttpUrl(source) ? new URL(source).host : basename(source), api),
      ...(anonymised === undefined ? [] : personLines(anonymised)),
      ...openLines(out, args),
    ];
    for (const line of lines) console.error(wrapText(line, widthOf(process.stderr) ?? Infinity));
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

/** @param fields the paths of all fields of text; the name of a group stands for all in it */
function assertField(field: string, fields: readonly string[]): void {
  if (fields.some((one) => one === field || one.startsWith(`${field}.`)) && field.includes('.'))
    return;
  throw new UsageError(
    `'${field}' is no text field of a table, such as products.description.${hintOf(field, fields)}`,
  );
}

function words(table: string): string {
  return table.replaceAll('_', ' ');
}

/** Says what was read, and what was not. */
function readLines(
  { records, isWhole }: ShownShop,
  source: string,
  { tables }: ApiDefinition,
): string[] {
  const all = Object.entries(tables).map(([key, one]) => {
    return { ...one, key, size: records.tables.get(one.name)?.size ?? 0 };
  });
  const read = all
    .filter(({ size }) => size > 0)
    .map(
      ({ name, singular, size }) => `${formatCount(size)} ${size === 1 ? singular : words(name)}`,
    );
  const referred = new Set(all.flatMap(({ references = {} }) => Object.values(references)));
  const missing = all
    .filter(({ key, size, references }) => size === 0 && (references ?? referred.has(key)))
    .map(({ name }) => words(name));
  const others = isWhole
    ? `Not shown there, so the scenario has none: ${missing.join(', ')}.`
    : 'What it does not show is as in the scenario empty.';
  return [`Read from ${source}: ${read.join(', ')}.`, ...(missing.length > 0 ? [others] : [])];
}

/** Says which texts were replaced, and which fields were kept, with the reason. */
function personLines({ counts, fields }: Pick<Anonymised, 'counts' | 'fields'>): string[] {
  const replaced = Array.from(counts, ([kind, count]) => `${formatCount(count)} ${kind}`);
  const list = (kind: FieldKind): string => [...(fields.get(kind) ?? [])].toSorted().join(', ');
  const others = list('other texts');
  const reasons: readonly (readonly [string, FieldKind])[] = [
    ['public, and checked', 'public'],
    ['codes and places, and checked', 'code'],
    ['--keep, not checked', 'kept'],
    ['only texts that the definition lists', 'listed'],
    ['times', 'times'],
  ];
  return [
    `Replaced: ${replaced.join(', ') || 'nothing'}.`,
    ...(others === '' ? [] : [`Other texts: ${others}. Keep what is about no person with --keep.`]),
    ...reasons
      .filter(([, kind]) => fields.has(kind))
      .map(([reason, kind]) => `Kept (${reason}): ${list(kind)}.`),
  ];
}

/** Says how the scenario is opened. */
function openLines(out: string | undefined, { config }: Arguments<'pull'>): string[] {
  const flags = [
    '--scenario',
    out ?? 'shop.json',
    ...(config === undefined ? [] : ['--config', config]),
  ];
  const command = `npx backlot ${flags.map(quoted).join(' ')}`;
  return [
    ...(out === undefined ? ['Save it with -o shop.json, then open it:'] : ['Open it:']),
    `  ${command}`,
  ];
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

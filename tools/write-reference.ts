/**
 * Writes `docs/reference.md` and `docs/commands.md` of the site from the code: options and members of what the package exports,
 * fields of scenarios, faults and scripts, preferences, and the flags of each command. `npm run site` runs it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, type CommandName } from '../src/cli/commands.ts';
import { overview, usage } from '../src/cli/arguments.ts';
import { provideParts } from '../src/shop/parts.ts';
import { scenarioJsonSchema } from '../src/engine/scenario/json-schema.ts';
import * as z from 'zod';
import { journalFilter } from '../src/engine/journal/journal-filter.ts';
import { Expected } from '../src/engine/journal/verify.ts';
import { storeApi } from '../src/shop/store-api.ts';
import { root } from './run.ts';
import { examples, inNode } from '../docs/.vitepress/reference-examples.ts';
import { fieldTable, table, type Schema } from './reference-tables.ts';
import { exportOf, membersOf, shownType, textOf } from './reference-types.ts';

/** A type, which has an example of its use. */
interface Section {
  readonly title: string;
  /** The entry point, and the type that it exports. */
  readonly of: readonly [file: string, type: string];
  /** What is said below the table, which leaves out the options of `createBackOffice` then. */
  readonly after?: string;
  /** What it has, too, and is listed elsewhere. */
  readonly exclude?: readonly string[];
  /** What the schema of a type says of its fields, which the type itself does not. */
  readonly schema?: z.ZodType;
}

const officeOptions = 'Its other options are those of [createBackOffice](#createbackoffice).';

const sections: readonly Section[] = [
  {
    title: 'createBackOffice',
    of: ['src/index.ts', 'MountOptions'],
  },
  {
    title: 'A back office',
    of: ['src/mounts/node.ts', 'NodeBackOffice'],
    exclude: ['shop', 'sibling', 'requestUnobserved', 'recordAction'],
  },
  {
    title: 'given',
    of: ['src/mounts/node.ts', 'Given'],
  },
  { title: 'given.anOrder', of: ['src/mounts/node.ts', 'GivenOrder'] },
  {
    title: 'toHaveReceived',
    of: ['src/mounts/node.ts', 'ExpectedRequest'],
    schema: journalFilter(storeApi).extend(Expected.shape).omit({ request: true }),
  },
  { title: 'listen', of: ['src/mounts/node.ts', 'ListenOptions'] },
  { title: 'backlot/vitest', of: ['src/mounts/vitest.ts', 'OfficeOptions'], after: officeOptions },
  { title: 'startWorker', of: ['src/mounts/browser.ts', 'WorkerOptions'], after: officeOptions },
  {
    title: 'createFetchHandler',
    of: ['src/mounts/fetch-handler.ts', 'FetchHandlerOptions'],
    after: officeOptions,
  },
  { title: 'createExpressRouter', of: ['src/mounts/express.ts', 'ExpressOptions'] },
  { title: 'backlot/playwright', of: ['src/mounts/playwright.ts', 'BacklotOptions'] },
];

provideParts();
writeFileSync(join(root, 'docs/reference.md'), withContents(reference()));
writeFileSync(join(root, 'docs/commands.md'), withContents(commandLine()));

/** Puts links to all sections before the first one, by the ids that the site gives them. */
function withContents(page: string): string {
  const titles = Array.from(page.matchAll(/^## (.+)$/gm), ([, title = '']) => title);
  const links = titles.map(
    (title) => `[${title}](#${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')})`,
  );
  return page.replace('\n## ', () => `\n${links.join(' · ')}\n\n## `);
}

function reference(): string {
  const { properties } = scenarioJsonSchema(storeApi) as unknown as Schema;
  const { script, faults, settings } = properties as Record<string, Schema>;
  return `${[
    '# Reference',
    'Written from the code. Amounts are in minor units; times are date-times such as `2026-03-02T09:00:00+0000` or durations such as `P1D`.',
    ...sections.flatMap(ofType),
    '## Scenarios',
    example('Scenarios'),
    fieldTable({ properties: properties ?? {} }, ['$schema']),
    '## Settings',
    example('Settings'),
    `${fieldTable(settings ?? {})}\n\n[Settings and decisions](decisions.md) says what each is for.`,
    '## Faults',
    example('Faults'),
    fieldTable(faults?.items ?? {}),
    '## Scripts',
    example('Scripts'),
    fieldTable(script?.items ?? {}),
    '## Prefer',
    'A header of one request, on any endpoint: `Prefer: status=503, delay=2s`.',
    example('Prefer'),
    preferences(),
    '## Errors',
    '[Each error](errors.md) that you can act on has a page of its own, with an example.',
  ].join('\n\n')}\n`;
}

function preferences(): string {
  const rows = Object.entries(storeApi.faultKinds).flatMap(([name, { prefer }]) =>
    prefer === undefined ? [] : [[`\`${name}\``, prefer.expected] as const],
  );
  return table(
    ['preference', 'value'],
    [
      ...rows,
      ['`after`', 'without a value: the endpoint runs, and what it wrote is kept'],
      ['`explain`', 'without a value: the response has the header `X-Backlot-Why`'],
    ],
  );
}

function ofType({ title, of: [file, name], exclude = [], after, schema }: Section): string[] {
  const symbol = exportOf(file, name);
  const left = after === undefined ? exclude : [...exclude, ...optionsOfOffices()];
  const rows = membersOf(symbol)
    .filter((one) => !left.includes(one.name))
    .map((one) => [`\`${one.name}\``, shownType(one, file), textOf(one)]);
  return [
    `## ${title}`,
    ...[textOf(symbol)].filter(Boolean),
    example(title),
    schema === undefined
      ? table(['name', 'type', 'what it does'], rows)
      : fieldTable(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema),
    ...(after === undefined ? [] : [after]),
  ];
}

function optionsOfOffices(): string[] {
  return membersOf(exportOf('src/index.ts', 'MountOptions')).map(({ name }) => name);
}

function commandLine(): string {
  const names = Object.keys(commands) as CommandName[];
  const helps = names
    .filter((name) => !['help', 'version'].includes(name))
    .map((name) => [name, usage(name, 100)] as const);
  const parts = [['backlot', overview(100)] as const, ...helps].map(
    ([title, help]) => `## ${title}\n\n\`\`\`text\n${help}\n\`\`\``,
  );
  return `${['# Command line', 'What `npx backlot <command> --help` prints.', ...parts].join('\n\n')}\n`;
}

/** Returns the example of a section. `test` says that no page runs it. @throws Error if it has none */
function example(title: string): string {
  const code = examples[title] ?? inNode[title];
  if (code === undefined) throw new Error(`${title} has no example`);
  return `\`\`\`ts${title in inNode ? ' test' : ''}${code}\n\`\`\``;
}

/**
 * Writes `docs/reference.md` and `docs/commands.md` of the site from the code: options and members of what the package exports,
 * fields of scenarios, faults and script rules, preferences, and the flags of each command. `npm run site` runs it.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, type CommandName } from '../src/cli/commands.ts';
import { usage } from '../src/cli/arguments.ts';
import { scenarioJsonSchema } from '../src/engine/scenario/format.ts';
import * as z from 'zod';
import { journalFilter } from '../src/engine/journal/journal-filter.ts';
import { Expected } from '../src/engine/journal/verify.ts';
import { storeApi } from '../src/shop/store-api.ts';
import { root } from './bundle-parts.ts';
import { fieldTable, table, type Schema } from './reference-tables.ts';
import { exportOf, membersOf, shownType, textOf } from './reference-types.ts';

/** A type, and an example of its use that a page can run. */
interface Section {
  readonly title: string;
  /** The entry point, and the type that it exports. */
  readonly of: readonly [file: string, type: string];
  readonly example?: string;
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
    example: `
      import { createBackOffice } from 'backlot/node';

      const office = createBackOffice({ scenario: 'sale', seed: 2, settings: { maxLimit: 50 } });
      const response = await office.fetch('/api/orders/?limit=1');
      response.status;`,
  },
  {
    title: 'A back office',
    of: ['src/mounts/node.ts', 'NodeBackOffice'],
    exclude: ['shop', 'sibling', 'requestUnobserved', 'recordAction'],
    example: `
      import { createBackOffice } from 'backlot/node';

      const office = createBackOffice({ history: true });
      office.clock.advance('P1D');
      office.clock.now();
      office.faults.add({ match: { path: '/api/orders/*' }, status: 503, first: 1 });
      (await office.fetch('/api/orders/1')).status;
      office.reset();
      (await office.fetch('/api/orders/1')).status;`,
  },
  {
    title: 'given',
    of: ['src/mounts/node.ts', 'Given'],
    example: `
      import { createBackOffice } from 'backlot/node';

      const { given } = createBackOffice();
      const { id: user } = given.aUser({ firstName: 'Grace' });
      const { id: variant } = given.aProduct({ price: 2500, stock: 3 }).masterVariant;
      const order = given.anOrder({ awaits: 'payment', user, items: [{ variant, quantity: 2 }] });
      ({ total: order.total, checkout_state: order.checkout_state });`,
  },
  { title: 'given.anOrder', of: ['src/mounts/node.ts', 'GivenOrder'] },
  {
    title: 'toHaveReceived',
    of: ['src/mounts/node.ts', 'ExpectedRequest'],
    schema: journalFilter(storeApi).extend(Expected.shape).omit({ request: true }),
    example: `
      import { test } from 'backlot/vitest';
      import { expect } from 'vitest';

      test('a user is read once', async ({ office }) => {
        await fetch('https://shop.test/api/users/3');
        expect(office).toHaveReceived('GET /api/users/:user_id', { times: 1, status: 200 });
      });`,
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

writeFileSync(join(root, 'docs/reference.md'), reference());
writeFileSync(join(root, 'docs/commands.md'), commandLine());

function reference(): string {
  const { properties } = scenarioJsonSchema(storeApi) as unknown as Schema;
  const { script, faults, settings } = properties as Record<string, Schema>;
  return `${[
    '# Reference',
    'Written from the code. Amounts are in minor units; times are date-times such as `2026-03-02T09:00:00Z` or durations such as `P1D`.',
    ...sections.flatMap(ofType),
    '## Scenarios',
    fieldTable({ properties: properties ?? {} }, ['$schema']),
    '## Settings',
    `${fieldTable(settings ?? {})}\n\n[Settings and decisions](decisions.md) says what each is for.`,
    '## Faults',
    block(`
      import { createBackOffice } from 'backlot/node';

      const office = createBackOffice();
      office.faults.add({ match: { method: 'GET', path: '/api/orders/:id' }, every: 2, status: 503 });
      const statusOf = async (path: string) => (await office.fetch(path)).status;
      [await statusOf('/api/orders/1'), await statusOf('/api/orders/2')];`),
    fieldTable(faults?.items ?? {}),
    '## Script rules',
    block(`
      import { createBackOffice } from 'backlot/node';

      const office = createBackOffice();
      office.script.add({ on: 'purchase', match: { totalFrom: 100_000 }, outcome: 'declined' });
      office.script.list();`),
    fieldTable(script?.items ?? {}),
    '## Prefer',
    'A header of one request, on any endpoint: `Prefer: status=503, delay=2s`.',
    block(`
      import { createBackOffice } from 'backlot/node';

      const { fetch: send } = createBackOffice();
      const response = await send('/api/orders/1', { headers: { Prefer: 'status=429' } });
      [response.status, await response.text()];`),
    preferences(),
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

function ofType({
  title,
  of: [file, name],
  example,
  exclude = [],
  after,
  schema,
}: Section): string[] {
  const symbol = exportOf(file, name);
  const left = after === undefined ? exclude : [...exclude, ...optionsOfOffices()];
  const rows = membersOf(symbol)
    .filter((one) => !left.includes(one.name))
    .map((one) => [`\`${one.name}\``, shownType(one, file), textOf(one)]);
  return [
    `## ${title}`,
    ...[textOf(symbol)].filter(Boolean),
    ...(example === undefined ? [] : [block(example)]),
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
  const parts = names
    .filter((name) => !['help', 'version'].includes(name))
    .map((name) => {
      const title = name === 'serve' ? 'backlot' : name;
      return `## ${title}\n\n\`\`\`text\n${usage(name, 100)}\n\`\`\``;
    });
  return `${['# Command line', 'What `npx backlot <command> --help` prints.', ...parts].join('\n\n')}\n`;
}

function block(code: string): string {
  const lines = code.replace(/^\n/, '').split('\n');
  return `\`\`\`ts\n${lines.map((line) => line.replace(/^ {6}/, '')).join('\n')}\n\`\`\``;
}

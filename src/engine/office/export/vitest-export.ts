import type { ApiDefinition } from '../../definition/api.ts';
import { namedPath } from '../../lib/api-path.ts';
import { Problem } from '../../lib/problem.ts';
import { isBuiltIn } from '../../scenario/built-in.ts';
import type { ScenarioSource } from '../../scenario/scenario.ts';
import type { HistoryEntry } from '../history-api.ts';
import type { PastStates } from '../change-log.ts';
import type { ShopState } from '../snapshots.ts';
import { scenarioOf } from './scenario-export.ts';
import { sentLines, type Sending } from './sent-lines.ts';
import { commentOf, sourceOf } from './source-text.ts';

/** The source of a test: entries, and the states after each of them and before the first one. */
export interface TestSource {
  readonly api: Pick<ApiDefinition, 'isExtension' | 'path'>;
  readonly entries: readonly HistoryEntry[];
  /** By the id of the entry. */
  readonly states: PastStates;
  /** Maximum number of characters. */
  readonly maxLength: number;
}

/**
 * Returns the source of a test file for vitest: it opens the state before the first entry, sends every request again, and
 * expects its status and what it changed. What cannot be sent again is replaced by the state that it led to, which the
 * file has as the changes since the last one.
 *
 * @throws Problem `refused` for more than `maxLength` characters
 */
export function vitestFileOf({ api, entries, states, maxLength }: TestSource): string {
  const [first, last] = [entries[0]?.id ?? 1, entries.at(-1)?.id ?? 0];
  const before = states.after(first - 1);
  let opened = { name: `before${first}`, state: before };
  const parts = [
    `${originOf(opened)}${constant(opened.name, scenarioAt(before, `before-${first}`))}`,
  ];
  let length = parts[0]!.length;
  const lines: string[] = [];
  const sending: Sending = {
    clock: before.clock.now,
    settings: before.settings,
    testCards: before.start.scenario.api.testCards ?? [],
    usesToken: false,
  };
  for (const entry of entries) {
    const sent = sentLines(entry, sending);
    lines.push(`// ${titleOf(entry)}`, ...(sent ?? [`office.reset(after${entry.id});`]));
    if (sent === undefined) {
      const after = { name: `after${entry.id}`, state: states.after(entry.id) };
      parts.push(constantAfter(after, opened, `after-${entry.id}`));
      length += parts.at(-1)!.length;
      opened = after;
      sending.clock = after.state.clock.now;
      sending.settings = after.state.settings;
    }
    for (const line of sent ?? []) length += line.length;
    if (length > maxLength) throw tooLong(maxLength, entry.id);
  }
  const delays = entries.reduce((sum, { exchange }) => sum + (exchange?.answer.delay ?? 0), 0);
  const name = first === last ? `entry #${first}` : `entries #${first} to #${last}`;
  const title = `${name} of ${before.start.scenario.name}`;
  return fileOf({ api, title, first, parts, lines, delays, usesToken: sending.usesToken });
}

/** Returns a comment if a state has all records, because its scenario cannot be named in a file. */
function originOf({ name, state }: NamedState): string {
  const { scenario } = state.start;
  if (isBuiltIn(scenario)) return '';
  return `// The scenario ${commentOf(scenario.name)} is not built in, so that ${name} has all of its records.\n`;
}

function tooLong(maxLength: number, id: number): Problem {
  return new Problem(
    'refused',
    `The test has more than ${maxLength} characters at entry #${id}. Export fewer entries, with from and to.`,
  );
}

interface NamedState {
  readonly name: string;
  readonly state: ShopState;
}

/** Returns a scenario that opens to a state, if possible as the changes since an earlier scenario of the file. */
function constantAfter(after: NamedState, earlier: NamedState, moment: string): string {
  const isSameStart =
    earlier.state.start === after.state.start &&
    earlier.state.seed === after.state.seed &&
    earlier.state.settings === after.state.settings;
  if (!isSameStart) return constant(after.name, scenarioAt(after.state, moment));
  const { name, description, now, changes } = scenarioAt(after.state, moment, earlier.state);
  const changed = sourceOf({ name, description, now, tables: changes?.tables }, 2);
  return `const ${after.name} = changedSince(${earlier.name}, ${changed});`;
}

function scenarioAt(state: ShopState, moment: string, earlier?: ShopState): ScenarioSource {
  const { name } = state.start.scenario;
  const description = `The shop ${moment.replace('-', ' entry ')} of a history of ${name}`;
  return scenarioOf(state, { name: `${name}-${moment}`, description }, earlier);
}

function constant(name: string, scenario: ScenarioSource): string {
  return `const ${name} = defineScenario(${sourceOf(scenario, 2)});`;
}

/** `#4 PUT /api/checkouts/121 → 400 rejected: shippingAddress: …` */
function titleOf({ id, title, status, outcome, reason }: HistoryEntry): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  const text = `#${id} ${title}${status === undefined ? '' : ` → ${status} ${outcome}${why}`}`;
  return commentOf(text);
}

function fileOf(file: {
  readonly api: TestSource['api'];
  readonly title: string;
  readonly first: number;
  readonly parts: readonly string[];
  readonly lines: readonly string[];
  readonly delays: number;
  readonly usesToken: boolean;
}): string {
  const { api, title, first, parts: scenarios, lines, delays, usesToken } = file;
  const usesChanges = scenarios.some((text) => text.includes(' = changedSince('));
  const options = [
    ...(api.isExtension ? ['api'] : []),
    ...(api.path === namedPath ? [] : [`apiPath: ${sourceOf(api.path)}`]),
    `scenario: before${first}`,
    'history: true',
  ].join(', ');
  const timeout = delays === 0 ? '' : `, { timeout: ${5000 + 2 * delays} }`;
  return `// Exported from the history of Backlot. Secrets are not recorded, so that others stand for them.
import { defineScenario${usesChanges ? ', type ScenarioInput' : ''} } from 'backlot';
import { test as base, type NodeBackOffice } from 'backlot/vitest';
import { expect } from 'vitest';
${api.isExtension ? importedDefinition : ''}
${scenarios.join('\n\n')}

const test = base.extend({ officeOptions: { ${options} } });

test(${sourceOf(title)}${timeout}, async ({ office }) => {
${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}
});

/** Sends a request and returns the status of the response; 0 if the connection is dropped. */
async function send(
  office: NodeBackOffice,
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<number> {
  const init = { method, headers, ...(body !== undefined && { body }) };
  return office.fetch(url, init).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Returns the values, except secrets, that the last entry of the history gave to records; null for one that it removed. */
function changed(office: NodeBackOffice): Record<string, unknown> {
  const id = office.history.entries({ limit: 1 })[0]?.id ?? 0;
  const records: Record<string, unknown> = {};
  for (const { table, id: record, kind, fields } of office.history.entry(id).changes) {
    const shown = fields.filter(({ after }) => after !== '***');
    const values = Object.fromEntries(shown.map(({ field, after }) => [field, after ?? null]));
    if (kind === 'delete') records[\`\${table} \${record}\`] = null;
    else if (shown.length > 0) records[\`\${table} \${record}\`] = values;
  }
  return records;
}
${usesChanges ? changesHelper : ''}${usesToken ? tokenHelper : ''}`;
}

const importedDefinition = `// The definition of the shop, which may be elsewhere.
import api from './backlot.config.ts';
`;

const tokenHelper = `
/** Returns the last token that the shop has given to a client. */
function token(office: NodeBackOffice): string {
  const tokens = office.export().tables['tokens']?.rows ?? [];
  return String(tokens.findLast((one) => one['kind'] === 'access')?.['value']);
}
`;

const changesHelper = `
/** Returns a scenario with what has changed since another one: records that are new or changed, and ids of removed ones. */
function changedSince(
  earlier: ScenarioInput,
  { tables, ...texts }: Pick<ScenarioInput, 'name' | 'description' | 'now'> & {
    readonly tables: NonNullable<ScenarioInput['changes']>['tables'];
  },
): ScenarioInput {
  const all = { ...earlier.changes?.tables };
  for (const table of Object.keys(tables) as (keyof typeof tables)[]) {
    const { next_id = 1, rows = [], gone = [], removed = [] } = tables[table] ?? {};
    const changed = new Set([...removed, ...[...rows, ...gone].map(({ id }) => id)]);
    const before = all[table];
    all[table] = {
      next_id,
      rows: [...(before?.rows ?? []).filter(({ id }) => !changed.has(id)), ...rows],
      gone: [...(before?.gone ?? []).filter(({ id }) => !changed.has(id)), ...gone],
      removed: [...new Set([...(before?.removed ?? []), ...removed])],
    };
  }
  const since = earlier.changes?.since ?? '';
  return defineScenario({ ...earlier, ...texts, changes: { since, tables: all } });
}
`;

import type { ScenarioInput } from '../../scenario/scenario.ts';
import type { HistoryEntry } from '../history-api.ts';
import type { ShopState } from '../snapshots.ts';
import { scenarioOf } from './scenario-export.ts';
import { sentLines, type Sending } from './sent-lines.ts';

/** What a test is made of: entries, and the states between them. */
export interface TestSource {
  readonly entries: readonly HistoryEntry[];
  /** Returns the state after an entry, or before the first one for the id before it. */
  readonly stateAfter: (id: number) => ShopState;
}

/**
 * Returns the source of a test file for vitest: it opens the state before the first entry, sends every request again, and
 * expects its status and what it changed. What cannot be sent again is replaced by the state that it led to.
 */
export function vitestFileOf({ entries, stateAfter }: TestSource): string {
  const [first, last] = [entries[0]?.id ?? 1, entries.at(-1)?.id ?? 0];
  const before = stateAfter(first - 1);
  const scenarios = [constant(`before${first}`, scenarioAt(before, `before-${first}`))];
  const lines: string[] = [];
  const sending: Sending = { clock: before.clock.now, settings: before.settings, usesToken: false };
  for (const entry of entries) {
    lines.push(`// ${titleOf(entry)}`);
    const sent = sentLines(entry, sending);
    if (sent !== undefined) lines.push(...sent);
    else {
      const after = stateAfter(entry.id);
      scenarios.push(constant(`after${entry.id}`, scenarioAt(after, `after-${entry.id}`)));
      lines.push(`office.reset(after${entry.id});`);
      sending.clock = after.clock.now;
      sending.settings = after.settings;
    }
  }
  const delays = entries.reduce((sum, { exchange }) => sum + (exchange?.answer.delay ?? 0), 0);
  const name = first === last ? `entry ${first}` : `entries ${first} to ${last}`;
  const title = `${name} of ${before.start.scenario.name}`;
  return fileOf({ title, first, scenarios, lines, delays, usesToken: sending.usesToken });
}

function scenarioAt(state: ShopState, moment: string): ScenarioInput {
  const { name } = state.start.scenario;
  const description = `The shop ${moment.replace('-', ' entry ')} of a history of ${name}`;
  return scenarioOf(state, { name: `${name}-${moment}`, description });
}

function constant(name: string, scenario: ScenarioInput): string {
  return `const ${name} = defineScenario(${JSON.stringify(scenario, null, 2)});`;
}

/** `#4 PUT /api/checkouts/121 → 400 rejected: shippingAddress: …` */
function titleOf({ id, title, status, outcome, reason }: HistoryEntry): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  const text = `#${id} ${title}${status === undefined ? '' : ` → ${status} ${outcome}${why}`}`;
  return text.replaceAll(/\s+/g, ' ');
}

function fileOf(parts: {
  readonly title: string;
  readonly first: number;
  readonly scenarios: readonly string[];
  readonly lines: readonly string[];
  readonly delays: number;
  readonly usesToken: boolean;
}): string {
  const { title, first, scenarios, lines, delays, usesToken } = parts;
  const timeout = delays === 0 ? '' : `, { timeout: ${5000 + 2 * delays} }`;
  return `// Exported from the history of Backlot. Secrets are not recorded, so that others stand for them.
import { defineScenario } from 'backlot';
import { test as base, type NodeBackOffice } from 'backlot/vitest';
import { expect } from 'vitest';

${scenarios.join('\n\n')}

const test = base.extend({ officeOptions: { scenario: before${first}, history: true } });

test(${JSON.stringify(title)}${timeout}, async ({ office }) => {
${lines.map((line) => line.replaceAll(/^/gm, '  ')).join('\n')}
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

/** Returns the values that the last entry of the history gave to records; null for one that it removed. */
function changed(office: NodeBackOffice): Record<string, unknown> {
  const id = office.history.entries({ limit: 1 })[0]?.id ?? 0;
  return Object.fromEntries(
    office.history
      .entry(id)
      .changes.map(({ table, id: record, kind, fields }) => [
        \`\${table} \${record}\`,
        kind === 'delete'
          ? null
          : Object.fromEntries(fields.map(({ field, after }) => [field, after ?? null])),
      ]),
  );
}
${usesToken ? tokenHelper : ''}`;
}

const tokenHelper = `
/** Returns the last token that the shop has given to a client. */
function token(office: NodeBackOffice): string {
  const tokens = office.export().tables['tokens']?.rows ?? [];
  return String(tokens.findLast((one) => one['kind'] === 'access')?.['value']);
}
`;

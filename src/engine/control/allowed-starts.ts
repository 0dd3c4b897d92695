import { parseDateTime } from '../lib/duration.ts';
import { isObject, valueAt } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import type { BackOffice } from '../office/back-office.ts';
import { traceFormat } from '../office/trace/trace-mark.ts';
import type { ScenarioSource } from '../scenario/scenario.ts';
import type { Start } from '../scenario/start.ts';
import type { ControlledServer } from './endpoint.ts';

/** The start that a reset or a file names, as a client sent it. */
export interface NamedStart {
  readonly scenario?: unknown;
  /** The scenario that a state of a trace extends. */
  readonly base?: unknown;
  readonly seed?: unknown;
  readonly now?: unknown;
  readonly settings?: unknown;
}

type Server = Pick<ControlledServer, 'fixedStarts' | 'scenario' | 'shared'>;

/**
 * Checks that a client may have a start, for resets and for all files: each start is set up and cached separately.
 *
 * @param office returns the back office that is to begin there
 * @throws Problem `missing` for a scenario that clients of the server cannot choose, `forbidden` for what only its owner chooses
 */
export function assertAllowedStart(
  server: Server,
  office: () => BackOffice,
  { scenario, base, ...chosen }: NamedStart,
): void {
  for (const name of [base, server.fixedStarts ? scenario : undefined])
    if (typeof name === 'string') server.scenario(name);
  if (!server.fixedStarts || Object.values(chosen).every((value) => value === undefined)) return;
  const starts = startsOf(server, office().shop.start, scenario);
  if (starts.some((start) => isStart(start, chosen))) return;
  throw new Problem(
    'forbidden',
    'This server accepts no seed and no start time but those of its scenarios, and no settings. Set the clock after the reset instead.',
  );
}

/** Returns the starts that a reset leads to: with the name of a scenario, and without one. */
function startsOf({ scenario: find, shared }: Server, present: Start, name: unknown): Start[] {
  if (typeof name !== 'string') return [present];
  const { start } = shared.sibling('reset', find(name)).shop;
  return name === present.scenario.name ? [present, start] : [start];
}

function isStart(start: Start, { seed, now, settings }: NamedStart): boolean {
  const { api, changes } = start.scenario;
  const time = typeof now === 'string' ? (parseDateTime(now) ?? now) : '';
  const isThen = now === undefined || [start.now, changes?.since].includes(time);
  if (!isThen || (seed !== undefined && seed !== start.seed)) return false;
  if (settings === undefined) return true;
  const { success, data } = api.settings.safeParse(settings);
  // The import says what is wrong with them.
  return !success || JSON.stringify(data) === JSON.stringify(start.settings);
}

/**
 * Checks that a client may open a file.
 *
 * @throws Problem as `assertAllowedStart`
 */
export function assertAllowedFile(server: Server, office: () => BackOffice, file: unknown): void {
  if (server.fixedStarts && isScenario(file))
    throw new Problem('forbidden', 'This server accepts no scenarios of its clients.');
  for (const start of startsIn(file)) assertAllowedStart(server, office, start);
}

/** Exports and traces have a format, and scenarios a name. */
export function isScenario(file: unknown): file is ScenarioSource {
  return isObject(file) && !('format' in file) && 'name' in file;
}

/** Returns the starts of all states that a file has. The `now` of an export is the time of the clock, which clients can set. */
function startsIn(file: unknown): NamedStart[] {
  const known: Readonly<Record<string, unknown>> = isObject(file) ? file : {};
  const { format, entries, start, extends: extended, ...own } = known;
  if (format !== traceFormat) {
    const { scenario, seed, settings } = own;
    return [isScenario(file) ? { base: extended } : { scenario, seed, settings }];
  }
  const jumps = Array.isArray(entries) ? entries : [];
  const states = [start, ...jumps.map((entry) => valueAt(entry, ['jump', 'state']))];
  return states
    .filter(isObject)
    .map(({ name: scenario, extends: base, seed, settings, changes }) => {
      return { scenario, base, seed, settings, now: valueAt(changes, ['since']) };
    });
}

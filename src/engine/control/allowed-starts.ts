import { parseDateTime } from '../lib/duration.ts';
import { isObject, valueAt } from '../lib/json-value.ts';
import { Problem } from '../lib/problem.ts';
import type { BackOffice } from '../office/back-office.ts';
import { traceFormat } from '../office/trace/trace-mark.ts';
import type { ScenarioSource } from '../scenario/scenario.ts';
import type { Start } from '../scenario/start.ts';
import type { ControlledServer } from './endpoint.ts';

/** The requests that name a start: a reset, or a kind of file. */
type Kind = 'reset' | 'export' | 'trace' | 'scenario';

interface Part {
  /** Its name in each kind that has it. */
  readonly names: Partial<Record<Kind, string>>;
  /** Whether a value is that of a start that a reset leads to. Absent for the name of a scenario. */
  readonly isThatOf?: (start: Start, value: unknown) => boolean;
}

/** The parts of a start that a client may not choose freely: each start is set up and cached separately. */
export const startParts = {
  scenario: { names: { reset: 'scenario', export: 'scenario', trace: 'scenario' } },
  base: { names: { trace: 'extends', scenario: 'extends' } },
  seed: {
    names: { reset: 'seed', export: 'seed', trace: 'seed' },
    isThatOf: (start, seed) => start.seed === seed,
  },
  now: {
    // In an export, it is the time of the clock, which clients can set.
    names: { reset: 'now', trace: 'since' },
    isThatOf: ({ now, base }, sent) =>
      [now, base?.now].includes(parseDateTime(String(sent)) ?? String(sent)),
  },
  settings: { names: { export: 'settings', trace: 'settings' }, isThatOf: hasSettings },
} satisfies Record<string, Part>;

const parts: readonly (readonly [name: string, part: Part])[] = Object.entries(startParts);

/** A start as a reset or a file names it. */
export type NamedStart = Partial<Record<keyof typeof startParts, unknown>>;

type Server = Pick<ControlledServer, 'fixedStarts' | 'scenario' | 'shared'>;

/**
 * Checks that a client may have a start: for resets, and for all files.
 *
 * @param office returns the back office that is to begin there
 * @throws Problem `missing` for a scenario that clients of the server cannot choose, `forbidden` for what only its owner chooses
 */
export function assertAllowedStart(
  server: Server,
  office: () => BackOffice,
  named: NamedStart,
): void {
  const { scenario, base } = named;
  for (const name of [base, server.fixedStarts ? scenario : undefined])
    if (typeof name === 'string') server.scenario(name);
  if (!server.fixedStarts) return;
  const given = parts.flatMap(([name, { isThatOf }]) => {
    const value = valueAt(named, [name]);
    return isThatOf === undefined || value === undefined ? [] : [{ isThatOf, value }];
  });
  if (given.length === 0) return;
  const starts = startsOf(server, office().shop.start, scenario);
  if (starts.some((start) => given.every(({ isThatOf, value }) => isThatOf(start, value)))) return;
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

/** Whether settings of a file, of which some may be absent, are those of a start. */
function hasSettings({ settings, scenario }: Start, sent: unknown): boolean {
  const { success, data } = scenario.api.settings.safeParse(sent);
  // The import says what is wrong with them.
  return !success || JSON.stringify(data) === JSON.stringify(settings);
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

function startsIn(file: unknown): NamedStart[] {
  if (isScenario(file)) return [startIn(file, 'scenario')];
  if (valueAt(file, ['format']) !== traceFormat) return [startIn(file, 'export')];
  return statesIn(file).map((state) => startIn(state, 'trace'));
}

/** Returns each state that a trace has whole. */
function statesIn(trace: unknown): unknown[] {
  const entries = valueAt(trace, ['entries']);
  const jumps = (Array.isArray(entries) ? entries : []).map((entry) =>
    valueAt(entry, ['jump', 'state']),
  );
  return [valueAt(trace, ['start']), ...jumps].filter(isObject);
}

function startIn(value: unknown, kind: Kind): NamedStart {
  const named = parts.flatMap(([name, { names }]) => {
    const key = names[kind];
    return key === undefined ? [] : [[name, valueAt(value, [key])] as const];
  });
  return Object.fromEntries(named);
}

import * as z from 'zod';
import { JournalEntry } from '../../journal/recorded-exchange.ts';
import { redactText } from '../../journal/redaction.ts';
import { Id, Timestamp } from '../../lib/fields.ts';
import { lazyStrictObject } from '../../lib/lazy-object.ts';
import { truncate, type FieldIssue } from '../../lib/problem.ts';
import { TableChanges } from '../../scenario/format.ts';
import { Outcome } from '../outcome.ts';
import { traceFormat } from './trace-mark.ts';

/** Version of the format. */
export const traceVersion = 2;

const Clock = lazyStrictObject(() => ({
  now: Timestamp,
  mode: z.enum(['frozen', 'ticking']),
}));

/** A state of a shop: the changes of a built-in scenario, as a scenario of its own. */
export const TraceState = lazyStrictObject(() => ({
  name: z.string().describe('The scenario that the shop had'),
  description: z.string(),
  extends: z.string().describe('The built-in scenario that the changes begin with'),
  seed: z.int(),
  now: Timestamp.describe('Time of the clock'),
  settings: z.record(z.string(), z.unknown()),
  changes: z.strictObject({
    since: Timestamp.describe('When the built-in scenario is set up'),
    tables: z.record(z.string(), TableChanges),
  }),
}));
export type TraceState = z.output<typeof TraceState>;

/** One write, in the order in which they were made: a row that was added, changed or removed, or many at once. */
const TraceWrite = z.union([
  z.strictObject({
    table: z.string(),
    id: Id,
    row: z.looseObject({}).optional().describe('Absent if it was removed'),
  }),
  z.strictObject({ table: z.string(), changes: TableChanges }),
]);
export type TraceWrite = z.output<typeof TraceWrite>;

const TraceEntry = lazyStrictObject(() => ({
  id: Id,
  at: Timestamp,
  by: z.enum(['request', 'page', 'clock', 'restore', 'reset']),
  title: z.string().optional().describe('Of what is no request'),
  actor: z.string().optional().describe('Who did what is no request'),
  exchange: JournalEntry.optional().describe('The request and its response'),
  outcome: z.strictObject({ outcome: Outcome, reason: z.string().optional() }).optional(),
  ms: z.number().optional(),
  received: z.number().optional(),
  clock: Clock.describe('The clock before it'),
  changed: z.int().describe('Number of records that it changed'),
  meaning: z.string(),
  writes: z.array(TraceWrite).optional(),
  next_ids: z.record(z.string(), Id).optional().describe('Ids of the next records, after it'),
  made: z
    .array(z.strictObject({ machine: z.string(), id: z.int(), name: z.string(), to: z.string() }))
    .optional()
    .describe('The transitions that state machines applied'),
  jump: z
    .strictObject({
      to: z.int().min(0).describe('The entry whose state it restored; 0 if it is none of these'),
      isRewind: z.boolean(),
      clock: Clock.optional().describe('The clock after it, if its changes are kept'),
      state: TraceState.optional().describe(
        'The state after it, if its changes are kept and it is that of no entry',
      ),
    })
    .optional()
    .describe('Of a rewind, a restore, an import or a reset'),
}));
export type TraceEntry = z.output<typeof TraceEntry>;

/** The history of a back office with the state that it began with, without secrets. */
export const Trace = lazyStrictObject(() => ({
  format: z.literal(traceFormat).describe('Marks a trace of Backlot'),
  version: z.literal(traceVersion).describe('Version of this format'),
  api: z.string().describe('Name of the API: `store`'),
  api_path: z.string().describe('Where clients found it: `/api`'),
  start: TraceState.describe('The state before the first entry whose changes are kept'),
  lost: z.int().min(0).describe('The last entry whose changes are not kept; 0 if all are'),
  clock: Clock.describe('The clock at the end'),
  test: z
    .strictObject({
      name: z.string().describe('With the names of its file and groups'),
      error: z.string().optional().describe('Why it has failed'),
    })
    .optional()
    .describe('The test that it is of'),
  entries_from: Id.optional().describe(
    'Id of the entry from which on all entries are there; only changes are of those before (default: the first one)',
  ),
  entries: z.array(TraceEntry).describe('The entries, oldest first'),
}));
export type Trace = z.output<typeof Trace>;

/** Returns a trace that names its test, without secrets in the error of the test. @param errors their messages, the last one last */
export function ofTest(
  trace: Trace,
  name: string,
  errors: readonly (string | undefined)[] = [],
): Trace {
  const error = errors.findLast((one) => one !== undefined);
  const test = {
    name: truncate(name, maxName),
    ...(error !== undefined && { error: truncate(redactText(plain(error)), maxError) }),
  };
  return { ...trace, test };
}

/** In characters. */
const [maxName, maxError] = [300, 4000];

/** Returns a text without the escape sequences of colours: https://en.wikipedia.org/wiki/ANSI_escape_code */
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the sequences begin with a control character
  return text.replaceAll(/\u{1B}\[[\d;]*m/gu, '');
}

/** Returns an issue for each entry whose id is not the next one; before `entries_from`, for each that is not a later one. */
export function misnumbered({ entries, entries_from: from }: Trace): FieldIssue[] {
  const first = from ?? entries[0]?.id ?? 1;
  return entries.flatMap(({ id, exchange }, at) => {
    const least = (entries[at - 1]?.id ?? 0) + 1;
    const expected = Math.max(least, Math.min(id, first));
    if (id === expected && (exchange?.id ?? id) === id) return [];
    const message = `expected ${expected}, in its exchange too: entries are numbered without a gap`;
    return [{ path: ['entries', String(at), 'id'], message }];
  });
}

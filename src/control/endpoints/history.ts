import * as z from 'zod';
import { parseId } from '../../lib/names.ts';
import { JournalEntry } from '../../journal/recorded-exchange.ts';
import { Timestamp } from '../../models/fields.ts';
import { Move, RecordChange } from '../../office/changes.ts';
import type { HistoryEntry, RewindEffects } from '../../office/history-api.ts';
import { Outcome } from '../../office/outcome.ts';
import { integer, oneOf } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';

/** An entry of the history in a list. */
export const SummaryView = z.strictObject({
  id: z.int(),
  at: Timestamp.describe('Time by the clock of the back office'),
  by: z
    .enum(['request', 'page', 'clock', 'restore', 'reset'])
    .describe('`page`: the control API, or code beside the store API'),
  title: z.string().describe('`PUT /api/checkouts/3`, `snapshot paid`'),
  status: z.int().optional().describe('Of a request; 0 if the connection was dropped'),
  outcome: Outcome,
  reason: z
    .string()
    .optional()
    .describe('The first error with its field, or why a card was declined'),
  step: z.string().optional().describe('Checkout step of a request'),
  ms: z.number().optional().describe('Real time in milliseconds, without delays'),
  changed: z.int().describe('Number of records that were changed'),
});

const EntryView = z.strictObject({
  ...SummaryView.shape,
  request: JournalEntry.shape.request.optional(),
  answer: JournalEntry.shape.answer.optional(),
  method: z.string().optional(),
  url: z.string().optional().describe('Path and query'),
  endpoint: JournalEntry.shape.endpoint,
  session: z.string().optional(),
  faults: JournalEntry.shape.faults.optional(),
  script: JournalEntry.shape.script.optional(),
  prefer: JournalEntry.shape.prefer,
  changes: z.array(RecordChange),
  moves: z.array(Move).describe('Every state that the entry led to, in order'),
  rewindable: z.boolean().describe('Whether the state before it can be restored'),
});

const Entries = z.strictObject({
  count: z.int(),
  ids: z.array(z.int()).describe('Those of the newest 20, newest last'),
});

const EffectsView = z.strictObject({
  undone: Entries.describe('Other entries that changed the shop, and are not in effect after it'),
  redone: Entries.describe('Other entries that a rewind has undone, and are in effect again'),
});

const RewindView = z.strictObject({ ...SummaryView.shape, ...EffectsView.shape });

const rewindForm = form({
  to: oneOf(['before', 'after'])
    .optional()
    .describe('Which state of the entry to restore (default: `before`)'),
});

const path = '/_backlot/journal/:entry_id';
const entryNumber = integer({ min: 1 }).optional();

const ExportView = z.union([
  z.looseObject({ name: z.string(), extends: z.string() }).describe('`as=scenario`: a scenario'),
  z.strictObject({ log: z.looseObject({ version: z.string() }) }).describe('`as=har`: HAR 1.2'),
  z.string().describe('`as=vitest`: the source of a test file'),
]);

export const historyEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/journal/export',
    operationId: 'exportJournal',
    summary:
      'Export what happened from one entry to another: as the scenario of the state after it, as a test for vitest, or as HAR',
    query: form({
      from: entryNumber.describe('The first entry (default: the first one that is kept)'),
      to: entryNumber.describe('The last entry (default: the last one)'),
      as: oneOf(['scenario', 'vitest', 'har']).describe('The format of the export'),
    }),
    status: 200,
    textType: 'text/plain; charset=utf-8',
    answer: ExportView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/journal/export?as=har' },
    handle: ({ office, basePath, withSession, query }) =>
      office().history.export({ ...query, address: basePath || '/', withSession }) as z.output<
        typeof ExportView
      >,
  }),
  endpoint({
    method: 'GET',
    path: `${path}/as`,
    operationId: 'getRequestAs',
    summary: 'Get a recorded request as a command of curl or a call of fetch, without its secrets',
    query: form({
      format: oneOf(['curl', 'fetch']).optional().describe('The format (default: `curl`)'),
    }),
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    answer: z.string(),
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/journal/3/as?format=curl' },
    handle: ({ office, basePath, withSession, params, query: { format = 'curl' } }) =>
      office().history.as(parseId('entry', params.entry_id), format, basePath || '/', withSession),
  }),
  endpoint({
    method: 'GET',
    path,
    operationId: 'getJournalEntry',
    summary: 'Get an entry of the journal or the history, with what it changed',
    status: 200,
    answer: EntryView,
    errors: ['missing'],
    example: { url: '/_backlot/journal/1' },
    handle: ({ office, params }) =>
      entryView(office().history.entry(parseId('entry', params.entry_id))),
  }),
  endpoint({
    method: 'GET',
    path: `${path}/rewind`,
    operationId: 'previewRewind',
    summary:
      'Get which other entries of the history a rewind would undo, and which it would bring back',
    query: rewindForm,
    status: 200,
    answer: EffectsView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/journal/1/rewind?to=after' },
    handle: ({ office, params, query: { to } }) =>
      effectsView(office().history.previewRewind(parseId('entry', params.entry_id), to)),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/rewind`,
    operationId: 'rewind',
    summary: 'Restore the state before or after an entry of the history',
    body: rewindForm,
    status: 200,
    answer: RewindView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/journal/1/rewind', body: { to: 'after' } },
    handle({ office, params, body: { to } }) {
      const rewind = office().rewind(parseId('entry', params.entry_id), to);
      return { ...rewind, ...effectsView(rewind) };
    },
  }),
];

function effectsView({ undone, redone }: RewindEffects): z.output<typeof EffectsView> {
  return {
    undone: { ...undone, ids: [...undone.ids] },
    redone: { ...redone, ids: [...redone.ids] },
  };
}

function entryView({ exchange, ...entry }: HistoryEntry): z.output<typeof EntryView> {
  return { ...exchange, ...entry, changes: [...entry.changes], moves: [...entry.moves] };
}

import * as z from 'zod';
import { parseId } from '../../lib/names.ts';
import { JournalEntry } from '../../journal/recorded-exchange.ts';
import { Timestamp } from '../../models/fields.ts';
import { Move, RecordChange } from '../../office/changes.ts';
import type { HistoryEntry } from '../../office/history-api.ts';
import { Outcome } from '../../office/outcome.ts';
import { oneOf } from '../../rest/field.ts';
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
  step: JournalEntry.shape.step,
  session: z.string().optional(),
  faults: JournalEntry.shape.faults.optional(),
  script: JournalEntry.shape.script.optional(),
  prefer: JournalEntry.shape.prefer,
  changes: z.array(RecordChange),
  moves: z.array(Move).describe('Every state that the entry led to, in order'),
  rewindable: z.boolean().describe('Whether the state before it can be restored'),
});

const path = '/_backlot/journal/:entry_id';

export const historyEndpoints = [
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
    method: 'POST',
    path: `${path}/rewind`,
    operationId: 'rewind',
    summary: 'Restore the state before or after an entry of the history',
    body: form({
      to: oneOf(['before', 'after'])
        .optional()
        .describe('Which state of the entry to restore (default: `before`)'),
    }),
    status: 200,
    answer: SummaryView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/journal/1/rewind', body: { to: 'after' } },
    handle({ office, params, body: { to = 'before' } }) {
      const backOffice = office();
      return { ...backOffice.rewind(parseId('entry', params.entry_id), to) };
    },
  }),
];

function entryView({ exchange, ...entry }: HistoryEntry): z.output<typeof EntryView> {
  return { ...exchange, ...entry, changes: [...entry.changes], moves: [...entry.moves] };
}

import * as z from 'zod';
import { parseId } from '../../lib/names.ts';
import {
  BriefView,
  EffectsView,
  EntryView,
  RewindView,
  TimelineView,
} from '../../office/history-view.ts';
import { integer, oneOf } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint, wholeSession } from '../endpoint.ts';

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
    path: '/_backlot/timeline',
    operationId: 'getTimeline',
    summary: 'Get where the shop stands in its history, and the changes that can be gone back to',
    query: form({
      bins: integer({ min: 1 })
        .max(1000, 'This value should be 1000 or less.')
        .optional()
        .describe('Maximum number of bins (default: 200)'),
    }),
    answer: TimelineView,
    errors: ['invalid', 'refused'],
    example: { url: '/_backlot/timeline?bins=5' },
    handle({ office, query }) {
      const { idsInEffect, bins, ...place } = office().history.timeline(query.bins);
      return { ...place, idsInEffect, bins };
    },
  }),
  endpoint({
    method: 'GET',
    path: '/_backlot/journal/export',
    operationId: 'exportJournal',
    cost: wholeSession,
    summary:
      'Export what happened from one entry to another: as the scenario of the state after it, as a test for vitest, or as HAR',
    query: form({
      from: entryNumber.describe('The first entry (default: the first one that is kept)'),
      to: entryNumber.describe('The last entry (default: the last one)'),
      as: oneOf(['scenario', 'vitest', 'har']).describe('The format of the export'),
      only: oneOf(['writes'])
        .optional()
        .describe('`writes` leaves out GET and HEAD requests that changed nothing'),
    }),
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
    summary:
      'Get an entry of the journal or the history, with what it changed; with `view=brief`, in at most 1,000 bytes',
    query: form({
      view: oneOf(['brief']).optional().describe('`brief`: as `Prefer: return=minimal` has it'),
    }),
    answer: z.union([EntryView, BriefView]),
    handle({ office, params, query: { view } }) {
      const { history } = office();
      const id = parseId('entry', params.entry_id);
      if (view === 'brief') {
        const { changed, moves, ...brief } = history.brief(id);
        return { ...brief, changed, moves };
      }
      const { exchange, ...entry } = history.entry(id);
      return { ...exchange, ...entry };
    },
  }),
  endpoint({
    method: 'GET',
    path: `${path}/rewind`,
    operationId: 'previewRewind',
    summary:
      'Get which other entries of the history a rewind would undo, and which it would bring back',
    query: rewindForm,
    answer: EffectsView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/journal/1/rewind?to=after' },
    handle: ({ office, params, query: { to } }) =>
      office().history.previewRewind(parseId('entry', params.entry_id), to),
  }),
  endpoint({
    method: 'POST',
    path: `${path}/rewind`,
    operationId: 'rewind',
    summary: 'Restore the state before or after an entry of the history',
    body: rewindForm,
    answer: RewindView,
    errors: ['missing', 'invalid', 'refused'],
    example: { url: '/_backlot/journal/1/rewind', body: { to: 'after' } },
    handle: ({ office, params, body: { to } }) =>
      office().rewind(parseId('entry', params.entry_id), to),
  }),
];

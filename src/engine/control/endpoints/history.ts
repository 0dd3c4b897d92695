import * as z from 'zod';
import { parseId } from '../../lib/names.ts';
import { ChangesFrom } from '../../definition/explanation-view.ts';
import { DeliveryView, JournalEntry } from '../../journal/recorded-exchange.ts';
import { Timestamp } from '../../lib/fields.ts';
import type { Brief } from '../../office/brief.ts';
import { Move, RecordChange } from '../../office/changes.ts';
import type {
  HistoryEntry,
  RewindEffects,
  TimelineView as Timeline,
} from '../../office/history-api.ts';
import { Outcome } from '../../office/outcome.ts';
import type { IdRanges } from '../../office/timeline.ts';
import { integer, oneOf } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint, wholeSession } from '../endpoint.ts';
import { ClockView } from './clock.ts';
import { documentTexts } from '../../lib/document-texts.ts';

/** An entry of the history in a list. */
export const SummaryView = z.strictObject({
  id: z.int(),
  at: Timestamp.describe('Time by the clock of the back office'),
  by: z
    .enum(['request', 'page', 'clock', 'restore', 'reset'])
    .describe('`page`: the control API, or code beside the store API'),
  title: z.string().describe(documentTexts.entryTitle),
  status: z
    .int()
    .optional()
    .describe('Of a request, once its response is sent; 0 if the connection was dropped'),
  state: DeliveryView.optional().describe('Of a request: what has become of its response'),
  hold: z
    .array(z.string())
    .optional()
    .describe('The names that release its response, while that is held'),
  outcome: Outcome,
  reason: z
    .string()
    .optional()
    .describe('The first error with its field and the other fields, or why a card was declined'),
  meaning: z.string().describe(documentTexts.entryMeaning),
  step: z.string().optional().describe(documentTexts.entryStep),
  client: z.string().optional().describe(documentTexts.entryClient),
  actor: z
    .string()
    .optional()
    .describe('Who sent it, or did it: the first 40 characters of the header `X-Backlot-Actor`'),
  ms: z
    .number()
    .optional()
    .describe(
      'Real time until the response was sent or the client left, in milliseconds, delays and holds included',
    ),
  delay: z.int().optional().describe('Delay of the response in milliseconds'),
  received: z
    .int()
    .optional()
    .describe('Real time at which it arrived or was done, in milliseconds since 1970'),
  changed: z.int().describe('Number of records that were changed'),
  position: z
    .int()
    .optional()
    .describe(
      'Number of changes on the way to the state after it; absent if it is not on the time line, or the history is off',
    ),
  of: z.int().optional().describe('Number of changes on the time line'),
  inEffect: z
    .boolean()
    .optional()
    .describe('Whether the present state comes from it; absent if the history is off'),
});
export type SummaryView = z.output<typeof SummaryView>;

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
export type EntryView = z.output<typeof EntryView>;

export const BriefView = z.strictObject({
  status: z.int().optional().describe('Of a request'),
  read: z
    .record(z.string(), z.unknown())
    .readonly()
    .optional()
    .describe('The first fields of what a GET has read: the id, the state, the total'),
  changed: z
    .array(z.string())
    .optional()
    .describe('`orders/3 total: 4200 → 3800`, `+ payments/7`; absent if the history is off'),
  moves: z.array(z.string()).optional().describe('`order 121: cart → pending`'),
  why: z.string().optional().describe('The reason of a refusal'),
  due: z.string().optional().describe('What the clock does next: `abandon at 2026-03-09T…`'),
  awaits: z.string().optional().describe('The step that the order awaits'),
  next: z
    .string()
    .optional()
    .describe('A request that submits it, or applies a transition, or why there is none'),
});

/** From which entries on a history is complete. */
export const Reach = z.strictObject({
  changesFrom: ChangesFrom,
  entriesFrom: z
    .int()
    .describe('Id of the entry from which on all entries are kept; of those before, only changes'),
});

const Entries = z.strictObject({
  count: z.int(),
  ids: z.array(z.int()).describe('Those of the newest 20, newest last'),
});

const IdsInEffect = z
  .array(z.array(z.int()).length(2))
  .describe('Ids of the entries that are in effect, as ranges: `[[1, 3], [7, 9]]`');

const EffectsView = z.strictObject({
  undone: Entries.describe('Other entries that changed the shop, and are not in effect after it'),
  redone: Entries.describe(
    'Other entries that a rewind, a restore or a reset has undone, and are in effect again',
  ),
  idsInEffect: IdsInEffect.describe('Ids of the entries that are in effect after it, as ranges'),
  clock: ClockView.describe('The clock after it'),
});
export type EffectsView = z.output<typeof EffectsView>;

const TimelineView = z.strictObject({
  ...Reach.shape,
  position: z.int().describe('Number of changes on the way to the present state'),
  of: z.int().describe('Number of changes on the time line, those that can be redone included'),
  undo: SummaryView.optional().describe('The last change, if the state before it can be restored'),
  redo: SummaryView.optional().describe('The next change, if a rewind has taken it back'),
  idsInEffect: IdsInEffect,
  bins: z
    .array(
      z.strictObject({
        from: z.int().describe('Id of its first change'),
        to: z.int().describe('Id of its last change'),
        position: z.int().describe('Position of its last change'),
        changes: z.int(),
        records: z.int().describe('Number of records that its changes changed'),
        kind: z
          .enum(['page', 'clock', 'restore', 'reset', ...Outcome.exclude(['ok']).options])
          .optional()
          .describe('What its last change was, unless all are requests that were accepted'),
      }),
    )
    .describe('The changes that can be gone back to, oldest first; one bin ends at `position`'),
});
export type TimelineView = z.output<typeof TimelineView>;

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
    handle: ({ office, query: { bins } }) => timelineView(office().history.timeline(bins)),
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
    errors: ['missing', 'invalid'],
    example: { url: '/_backlot/journal/1' },
    handle({ office, params, query: { view } }) {
      const { history } = office();
      const id = parseId('entry', params.entry_id);
      return view === 'brief' ? briefView(history.brief(id)) : entryView(history.entry(id));
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
      effectsView(office().history.previewRewind(parseId('entry', params.entry_id), to)),
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
    handle({ office, params, body: { to } }) {
      const rewind = office().rewind(parseId('entry', params.entry_id), to);
      return { ...rewind, ...effectsView(rewind) };
    },
  }),
];

function effectsView({
  undone,
  redone,
  idsInEffect,
  clock,
}: RewindEffects): z.output<typeof EffectsView> {
  return {
    undone: { ...undone, ids: [...undone.ids] },
    redone: { ...redone, ids: [...redone.ids] },
    idsInEffect: rangesView(idsInEffect),
    clock,
  };
}

function timelineView({ idsInEffect, bins, ...view }: Timeline): z.output<typeof TimelineView> {
  return { ...view, idsInEffect: rangesView(idsInEffect), bins: [...bins] };
}

function rangesView(ranges: IdRanges): [first: number, last: number][] {
  return ranges.map(([first, last]) => [first, last]);
}

function briefView({ changed, moves, ...brief }: Brief): z.output<typeof BriefView> {
  return {
    ...brief,
    ...(changed && { changed: [...changed] }),
    ...(moves && { moves: [...moves] }),
  };
}

function entryView({ exchange, ...entry }: HistoryEntry): z.output<typeof EntryView> {
  return { ...exchange, ...entry, changes: [...entry.changes], moves: [...entry.moves] };
}

import * as z from 'zod';
import { ChangesFrom, FollowingView } from '../definition/explanation-view.ts';
import { DeliveryView, JournalEntry } from '../journal/recorded-exchange.ts';
import { documentTexts } from '../lib/document-texts.ts';
import { Timestamp } from '../lib/fields.ts';
import { clockModes } from '../lib/virtual-clock.ts';
import { Move, RecordChange } from './changes.ts';
import { Outcome } from './outcome.ts';

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

export const EntryView = z.strictObject({
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
  ...FollowingView.shape,
});

/** From which entries on a history is complete. */
export const Reach = z.strictObject({
  changesFrom: ChangesFrom,
  entriesFrom: z
    .int()
    .describe('Id of the entry from which on all entries are kept; of those before, only changes'),
});

export const ClockView = z.strictObject({ now: Timestamp, mode: z.enum(clockModes) });
export type ClockView = z.output<typeof ClockView>;

const Entries = z.strictObject({
  count: z.int(),
  ids: z.array(z.int()).describe('Those of the newest 20, newest last'),
});

const IdsInEffect = z
  .array(z.array(z.int()).length(2))
  .describe('Ids of the entries that are in effect, as ranges: `[[1, 3], [7, 9]]`');

export const EffectsView = z.strictObject({
  undone: Entries.describe('Other entries that changed the shop, and are not in effect after it'),
  redone: Entries.describe(
    'Other entries that a rewind, a restore or a reset has undone, and are in effect again',
  ),
  idsInEffect: IdsInEffect.describe('Ids of the entries that are in effect after it, as ranges'),
  clock: ClockView.describe('The clock after it'),
});
export type EffectsView = z.output<typeof EffectsView>;

export const TimelineView = z.strictObject({
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

export const RewindView = z.strictObject({ ...SummaryView.shape, ...EffectsView.shape });

import * as z from 'zod';
import { Problem } from '../../lib/problem.ts';
import type { Immutable } from '../../rest/endpoint.ts';
import { flag, integer, oneOf, text } from '../../rest/field.ts';
import { form, jsonForm } from '../../rest/form.ts';
import type { BackOffice } from '../../office/back-office.ts';
import { endpoint, type ControlEndpoint } from '../endpoint.ts';
import type { HistoryRange } from '../../office/history-api.ts';
import { Reach, SummaryView } from '../../office/history-view.ts';
import { JournalEntry } from '../../journal/recorded-exchange.ts';
import {
  journalFilter,
  type FilteredApi,
  type JournalFilter,
} from '../../journal/journal-filter.ts';
import type { JournalApi } from '../../journal/journal.ts';
import { Expected } from '../../journal/verify.ts';

const EntriesView = z.strictObject({
  dropped: z.int().describe('Number of entries dropped because the journal was full'),
  entries: z.array(JournalEntry),
});

/** The journal with all other entries of the history, for a page that polls. */
const SummariesView = z.strictObject({
  dropped: EntriesView.shape.dropped,
  history: z.boolean().describe('Whether changes are recorded'),
  ...Reach.shape,
  summaries: z.array(SummaryView),
});
export type SummariesView = z.output<typeof SummariesView>;

const CountView = z.strictObject({ count: z.int(), dropped: z.int() });

/** Default and maximum time that a request waits, in milliseconds. */
const timeouts = { standard: 5000, max: 60_000 };

const waitFields = {
  times: z.int().min(1).default(1).describe('Number of matching requests to wait for'),
  timeout: z
    .int()
    .min(0)
    .max(timeouts.max)
    .default(timeouts.standard)
    .describe('Maximum time to wait, in milliseconds of real time'),
};

/** The entries to list. */
type Range = Pick<HistoryRange, 'before' | 'limit'>;

/** The endpoints of the journal of an API. */
export function journalEndpoints(api: FilteredApi): readonly ControlEndpoint[] {
  return [
    listEntries(api),
    countEntries(api),
    findEntries(api),
    verifyRequests(api),
    waitForRequest(api),
    clearEntries,
  ];
}

/** The fields of the filter that a query can express. */
function filterFields({ steps }: FilteredApi) {
  return {
    request: text().optional(),
    status: text().optional(),
    step: oneOf(steps.map(({ name }) => name)).optional(),
    reached: flag().optional(),
    since: integer({ min: 0 }).optional(),
  };
}

function listEntries(api: FilteredApi) {
  return endpoint({
    method: 'GET',
    path: '/_backlot/journal',
    operationId: 'listJournalEntries',
    summary:
      'List journal entries, oldest first; with `view=summary`, short ones of everything that changed the shop',
    query: form({
      ...filterFields(api),
      view: oneOf(['summary'])
        .optional()
        .describe('`summary`: short entries of everything that changed the shop'),
      before: integer({ min: 1 }).optional().describe('Entries with a lower id only'),
      limit: integer({ min: 1 })
        .max(1000, 'This value should be 1000 or less.')
        .optional()
        .describe('Maximum number of entries: the newest'),
    }),
    answer: z.union([EntriesView, SummariesView]),
    example: { url: '/_backlot/journal?request=PUT&status=4xx' },
    handle({ office, query: { view, before, limit, ...query } }) {
      const range = { before, limit };
      return view === 'summary'
        ? summariesOf(office(), query, range)
        : entriesOf(office().journal, filterOf(query), range);
    },
  });
}

function countEntries(api: FilteredApi) {
  return endpoint({
    method: 'GET',
    path: '/_backlot/journal/count',
    operationId: 'countJournalEntries',
    summary: 'Count journal entries',
    query: form(filterFields(api)),
    answer: CountView,
    example: { url: '/_backlot/journal/count?status=2xx' },
    handle({ office, query }) {
      const { journal } = office();
      return { count: journal.count(filterOf(query)), dropped: journal.dropped };
    },
  });
}

function findEntries(api: FilteredApi) {
  return endpoint({
    method: 'POST',
    path: '/_backlot/journal/find',
    operationId: 'findJournalEntries',
    summary: 'Find journal entries, also by parameters of query and body',
    body: jsonForm(journalFilter(api)),
    answer: EntriesView,
    example: {
      url: '/_backlot/journal/find',
      body: { request: 'POST', body: { name: 'Ada' } },
    },
    handle: ({ office, body }) => entriesOf(office().journal, body),
  });
}

function verifyRequests(api: FilteredApi) {
  return endpoint({
    method: 'POST',
    path: '/_backlot/journal/verify',
    operationId: 'verifyRequests',
    summary: 'Verify the number of matching requests',
    body: jsonForm(z.strictObject({ ...journalFilter(api).shape, ...Expected.shape })),
    answer: CountView,
    errors: ['invalid', 'refused'],
    example: {
      url: '/_backlot/journal/verify',
      body: { request: 'DELETE /api/orders/:order_id', times: 0 },
    },
    handle({ office, body: { times, atLeast, atMost, ...conditions } }) {
      const { journal } = office();
      journal.verify(conditions, { times, atLeast, atMost });
      return { count: journal.count(conditions), dropped: journal.dropped };
    },
  });
}

function waitForRequest(api: FilteredApi) {
  return endpoint({
    method: 'POST',
    path: '/_backlot/journal/wait',
    operationId: 'waitForRequest',
    summary: 'Wait for a matching request; fail as verify does after the timeout',
    body: jsonForm(z.strictObject({ ...journalFilter(api).shape, ...waitFields })),
    answer: JournalEntry,
    errors: ['invalid', 'refused', 'too many'],
    example: {
      url: '/_backlot/journal/wait',
      body: { request: 'GET /api/orders/:order_id', times: 1, timeout: 2000 },
    },
    handle({ office, longPoll, body: { times, timeout, ...conditions } }) {
      const { journal } = office();
      const recorded = journal.entries(conditions)[times - 1];
      if (recorded !== undefined) return recorded;
      return longPoll({
        timeout,
        current() {
          journal.verify(conditions, { atLeast: times });
          throw new Problem('refused', 'The request has not been received yet.');
        },
        wait: (signal) => journal.waitFor(conditions, { times, signal }),
      });
    },
  });
}

const clearEntries = endpoint({
  method: 'DELETE',
  path: '/_backlot/journal',
  operationId: 'clearJournal',
  summary: 'Clear the journal',
  handle: ({ office }) => office().journal.clear(),
});

function filterOf({ status, ...rest }: { readonly status?: string | undefined }): JournalFilter {
  if (status === undefined) return rest;
  return { ...rest, status: /^\d+$/.test(status) ? Number(status) : status };
}

function entriesOf(
  journal: JournalApi,
  filter: JournalFilter,
  { before = Infinity, limit = Infinity }: Range = {},
): z.output<typeof EntriesView> {
  const entries = journal.entries(filter).filter(({ id }) => id < before);
  return { dropped: journal.dropped, entries: entries.slice(-limit) };
}

/** A filter other than `since` lists requests only. */
function summariesOf(
  { journal, history }: BackOffice,
  { since, ...filter }: Parameters<typeof filterOf>[0] & { readonly since?: number | undefined },
  { before, limit = 100 }: Range,
): Immutable<SummariesView> {
  const head = { dropped: journal.dropped, history: history.isOn, ...history.reach };
  if (Object.values(filter).every((value) => value === undefined))
    return { ...head, summaries: history.entries({ since, before, limit }) };
  const ids = new Set(journal.entries({ ...filterOf(filter), since }).map(({ id }) => id));
  const all = history.entries({ since, before, limit: Infinity });
  return { ...head, summaries: all.filter(({ id }) => ids.has(id)).slice(-limit) };
}

import * as z from 'zod';
import type { BackOffice } from '../../office/back-office.ts';
import { eventStreamHeaders, lastEventIdOf, maxBatch, sentEvents } from '../../rest/events.ts';
import { integer } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';

/**
 * Returns the first event of a client. It has no data, so it is not dispatched: its id is that of the newest entry, after
 * which an `EventSource` goes on when it connects again, and the milliseconds are those until then.
 */
function connected(history: BackOffice['history']): string {
  const newest = history.entries({ limit: 1 }).at(-1)?.id ?? history.reach.entriesFrom - 1;
  return `id: ${newest}\nretry: 1000\n\n`;
}

export const eventEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/events',
    operationId: 'receiveEvents',
    summary:
      'Receive new entries of the history, and those whose `state` has changed, as server-sent events, at most four batches a second; after `since` or `Last-Event-ID`, first those that were missed',
    query: form({
      since: integer({ min: 0 })
        .optional()
        .describe('Id of the last entry that the client has (default: the header `Last-Event-ID`)'),
    }),
    headers: eventStreamHeaders,
    answer: z.string(),
    handle({ office, headers, query: { since = lastEventIdOf({ headers }) } }) {
      const { history } = office();
      if (since === undefined) return connected(history);
      const changed = history.changedSince(since).slice(-maxBatch / 2);
      const missed = history.entries({ since, limit: Infinity });
      const sent = [...missed.slice(changed.length - maxBatch), ...changed];
      return sentEvents(sent, missed.length + changed.length, since) ?? ': connected\n\n';
    },
  }),
];

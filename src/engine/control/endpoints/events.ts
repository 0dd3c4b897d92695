import * as z from 'zod';
import { eventStreamHeaders, maxBatch, sentEvents } from '../../rest/events.ts';
import { integer } from '../../rest/field.ts';
import { form } from '../../rest/form.ts';
import { endpoint } from '../endpoint.ts';

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
    errors: ['invalid'],
    handle({ office, lastEventId, query: { since = lastEventId } }) {
      const { history } = office();
      if (since === undefined) return ': connected\n\n';
      const changed = history.changedSince(since).slice(-maxBatch / 2);
      const missed = history.entries({ since, limit: Infinity });
      const sent = [...missed.slice(changed.length - maxBatch), ...changed];
      return sentEvents(sent, missed.length + changed.length, since) ?? ': connected\n\n';
    },
  }),
];

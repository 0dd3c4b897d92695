import * as z from 'zod';
import { Problem } from '../../lib/problem.ts';
import { Trace } from '../../office/trace/trace-format.ts';
import { fileForm } from '../../rest/form.ts';
import { endpoint, wholeSession } from '../endpoint.ts';

const RecordingForm = z.object({
  log: z.looseObject({ entries: z.array(z.unknown()) }).describe('HAR 1.2'),
});

/** Maximum time for the replay of a recording, in milliseconds. */
const maxReplay = 120_000;

export const traceEndpoints = [
  endpoint({
    method: 'GET',
    path: '/_backlot/trace',
    operationId: 'getTrace',
    // It has the state that the history began with, and all entries.
    cost: 2 * wholeSession,
    summary: 'Get the whole history with the state that it began with, which an import opens again',
    answer: Trace,
    errors: ['refused'],
    handle: ({ office, withSession }) => office().history.trace(withSession),
  }),
  endpoint({
    method: 'POST',
    path: '/_backlot/trace',
    operationId: 'replayRecording',
    cost: 2 * wholeSession,
    summary:
      'Replay a recording (HAR) in a shop of its own, and get the trace of that, which says what differs',
    body: fileForm(RecordingForm),
    answer: Trace,
    errors: ['malformed', 'refused', 'too many', 'unsupported'],
    example: { url: '/_backlot/trace', body: { log: { entries: [] } } },
    handle({ office, server: { replayRecording }, body, longPoll }) {
      if (replayRecording === undefined)
        throw new Problem(
          'refused',
          'Recordings are replayed by a server only: npx backlot replay shop.har --trace shop.html.',
        );
      const { scenario } = office();
      return longPoll({
        timeout: maxReplay,
        current() {
          throw new Problem('refused', 'The recording is being replayed.');
        },
        wait: (signal) => replayRecording(body, scenario, signal),
      });
    },
  }),
];

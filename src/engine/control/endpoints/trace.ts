import * as z from 'zod';
import { Problem } from '../../lib/problem.ts';
import { Trace } from '../../office/trace/trace-format.ts';
import { traceFormat } from '../../office/trace/trace-mark.ts';
import { receivedFileForm } from '../../rest/form.ts';
import { endpoint, wholeSession } from '../endpoint.ts';

const RecordingForm = z.object({
  log: z
    .looseObject({ entries: z.array(z.unknown()).describe('Its requests') })
    .describe('HAR 1.2'),
});

/** The trace of a replay, or how to get one where recordings are not replayed. */
const ReplayedView = z.union([
  z.looseObject({ format: z.literal(traceFormat) }).describe('A trace: see `GET /_backlot/trace`'),
  z.strictObject({ help: z.string() }),
]);

const help = 'Recordings are not replayed here. Run npx backlot replay shop.har --trace shop.html.';

/** Maximum time for the upload and the replay of a recording, in milliseconds. */
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
    body: receivedFileForm(RecordingForm),
    answer: ReplayedView,
    errors: ['malformed', 'invalid', 'refused', 'too many', 'unsupported'],
    example: { url: '/_backlot/trace', body: { log: { entries: [] } } },
    handle({ office, server: { replayRecording }, body: { chunks, elapsed }, longPoll }) {
      if (replayRecording === undefined) return { help };
      const { scenario } = office();
      return longPoll({
        timeout: Math.max(0, maxReplay - elapsed),
        current() {
          throw new Problem('refused', 'The recording is being replayed.');
        },
        wait: (signal) => replayRecording(chunks, scenario, signal),
      });
    },
  }),
];

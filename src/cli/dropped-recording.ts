import { setImmediate } from 'node:timers/promises';
import type { ReplayRecording } from '../engine/control/endpoint.ts';
import { Problem } from '../engine/lib/problem.ts';

/** Replays a recording that was dropped on the studio. Other requests are answered between its requests. */
export const replayRecording: ReplayRecording = async (entries, scenario, signal) => {
  const { traceRecording, RecordingError } = await import('../verify/replay/recording-trace.ts');
  try {
    const { trace } = await traceRecording(
      { name: 'The recording', entries },
      {
        api: scenario.api,
        apiPath: scenario.api.path,
        scenario,
        async onRequest() {
          await setImmediate();
          if (!signal.aborted) return;
          throw new Problem(
            'refused',
            'The recording takes too long: npx backlot replay shop.har.',
          );
        },
      },
    );
    return trace;
  } catch (error) {
    if (error instanceof RecordingError) throw new Problem('malformed', error.message);
    throw error;
  }
};

import { setImmediate } from 'node:timers/promises';
import type { ReplayRecording } from '../engine/control/endpoint.ts';
import { Problem } from '../engine/lib/problem.ts';

/** Milliseconds in which the replay of a recording may keep others waiting. */
const maxTurn = 20;

/** Resolves in a later turn of the event loop. Each turn is of one replay, so that several wait for each other. */
let lastTurn = Promise.resolve();
function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** Replays a recording that was dropped on the studio. Other requests are answered between its steps. */
export const replayRecording: ReplayRecording = async (chunks, scenario, signal) => {
  const { traceRecording } = await import('../verify/replay/replay.ts');
  const { RecordingError } = await import('../verify/replay/har-file.ts');
  await nextTurn();
  let began = performance.now();
  const pause = async (): Promise<void> => {
    if (performance.now() - began < maxTurn) return;
    await nextTurn();
    began = performance.now();
    if (!signal.aborted) return;
    throw new Problem('refused', 'The recording takes too long: npx backlot replay shop.har.');
  };
  try {
    const { trace } = await traceRecording(
      { name: 'The recording', chunks, pause },
      {
        api: scenario.api,
        apiPath: scenario.api.path,
        scenario,
        fromRecorded: true,
        asVisitor: true,
        onRequest: pause,
      },
    );
    return trace;
  } catch (error) {
    if (error instanceof RecordingError) throw new Problem('malformed', error.message);
    throw error;
  }
};

import { ofTest, type Trace } from '../../engine/office/trace/trace-format.ts';
import type { Recording } from './har-file.ts';
import { replayRecording, type Replay } from './replay.ts';
import type { ReplayOptions } from './replay-run.ts';
import { summaryOf } from './report.ts';

export { RecordingError } from './har-file.ts';

/**
 * Replays a recording as `replayRecording` does.
 *
 * @returns the trace of the shop that the requests were sent to, whose head says how much differs
 */
export async function traceRecording(
  recording: Recording,
  options: ReplayOptions,
): Promise<{ readonly replay: Replay; readonly trace: Trace }> {
  const { trace: whole, ...replay } = await replayRecording(recording, {
    ...options,
    isTraced: true,
  });
  const errors = replay.findings.length > 0 ? [summaryOf(replay)] : [];
  return { replay, trace: ofTest(whole, `Replay of ${replay.url}`, errors) };
}

import { namedPath } from '../../engine/lib/api-path.ts';
import { formatCount, truncate } from '../../engine/lib/problem.ts';
import { recordsOfReads, scenarioOfRecords } from './first-records.ts';
import { readEntry, type PackedEntry, type RecordedExchange } from './har-entry.ts';
import { nameOf, pauseOf, readHar, type Recording } from './har-file.ts';
import { ReplayRun, type ReplayOptions } from './replay-run.ts';
import { summaryOf, type Replay } from './report.ts';
import { surveyRecording, type Survey } from './survey.ts';

/** Number of findings after which a replay ends. */
const maxFindings = 2000;

/**
 * Sends the requests of an HTTP archive to a shop of its own, and compares each recorded response with the contract and with
 * that of the shop.
 *
 * @throws RecordingError if the file cannot be replayed
 */
export async function replayRecording(
  recording: Recording,
  options: ReplayOptions,
): Promise<Replay> {
  return (await replayWith(recording, options, false)).replay;
}

/**
 * Replays a recording as `replayRecording` does.
 *
 * @returns the trace of the shop that the requests were sent to, whose head says how much differs
 */
export async function traceRecording(recording: Recording, options: ReplayOptions) {
  const { replay, run } = await replayWith(recording, options, true);
  const error = replay.findings.length > 0 ? { error: summaryOf(replay) } : {};
  const test = { name: truncate(`Replay of ${replay.url}`, 300), ...error };
  return { replay, trace: { ...run.trace(), test } };
}

async function replayWith(
  recording: Recording,
  options: ReplayOptions,
  isTraced: boolean,
): Promise<{ readonly replay: Replay; readonly run: ReplayRun }> {
  const { api, apiPath = namedPath, onRequest } = options;
  const survey = await surveyRecording(recording, api, apiPath);
  const scenario =
    options.scenario === 'auto'
      ? scenarioOfRecords(await recordsOfReads(inOrder(recording, survey), survey.place, api), api)
      : options.scenario;
  const run = new ReplayRun(survey, { ...options, scenario }, await api.drift?.(), isTraced);
  for await (const exchange of inOrder(recording, survey)) {
    await run.replay(exchange, () => pauseOf(recording));
    await onRequest?.(run.requests);
    if (run.findings.length < maxFindings) continue;
    for (const position of survey.order.slice(survey.order.indexOf(exchange.position) + 1))
      survey.leftOut.add(`after ${formatCount(maxFindings)} differences`, position);
    break;
  }
  await pauseOf(recording);
  const replay = {
    file: nameOf(recording),
    url: `${survey.place.origin}${survey.place.prefix}`,
    findings: run.findings,
    requests: run.requests,
    endpoints: run.endpoints.size,
    leftOut: survey.leftOut.counts(),
  };
  return { replay, run };
}

/**
 * Reads the requests of a recording in the order in which they began. Those that wait for an earlier one are in memory as the
 * recording has them.
 */
export async function* inOrder(
  recording: Recording,
  { order, bodies, leftOut }: Pick<Survey, 'order' | 'bodies' | 'leftOut'>,
): AsyncGenerator<RecordedExchange> {
  const places = new Map(order.map((position, place) => [position, place]));
  const waiting = new Map<number, PackedEntry>();
  let [position, next] = [0, 0];
  for await (const read of readHar(recording)) {
    position += 1;
    const place = places.get(position);
    if (place === undefined || 'leftOut' in read) continue;
    const entry = readEntry(read.value, position);
    if (typeof entry !== 'string') waiting.set(place, entry);
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next);
      next += 1;
      const exchange = await bodies.unpack(ready);
      if (typeof exchange === 'string') leftOut.add(exchange, ready.position);
      else yield exchange;
    }
  }
}

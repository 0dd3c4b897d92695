import { namedPath } from '../../engine/lib/api-path.ts';
import { formatCount } from '../../engine/lib/problem.ts';
import type { Trace } from '../../engine/office/trace/trace-format.ts';
import { recordsOfReads, scenarioOfRecords } from './first-records.ts';
import { readEntry, type PackedEntry, type RecordedExchange } from './har-entry.ts';
import { nameOf, pauseOf, readHar, type Recording } from './har-file.ts';
import type { ReplayFinding } from './replay-finding.ts';
import { ReplayRun, type ReplayOptions } from './replay-run.ts';
import { surveyRecording, type Survey } from './survey.ts';

/** The result of replaying one recording. */
export interface Replay {
  readonly file: string;
  /** The server: `https://shop.test/backend`. */
  readonly url: string;
  readonly findings: readonly ReplayFinding[];
  /** Number of requests replayed, and of endpoints that they met. */
  readonly requests: number;
  readonly endpoints: number;
  /** How many entries were not replayed, by the reason: `{ "aborted": 2 }`. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** A replay with the trace of the shop that the requests were sent to. */
export interface TracedReplay extends Replay {
  /** The outcome of an entry says how the recorded response differs. */
  readonly trace: Trace;
}

/** Number of findings after which a replay ends. */
const maxFindings = 2000;

/**
 * Sends the requests of an HTTP archive to a shop of its own, and compares each recorded response with the contract and with
 * that of the shop.
 *
 * @throws RecordingError if the file cannot be replayed
 */
export function replayRecording(recording: Recording, options: ReplayOptions): Promise<Replay>;
export function replayRecording(
  recording: Recording,
  options: ReplayOptions & { readonly isTraced: true },
): Promise<TracedReplay>;
export async function replayRecording(
  recording: Recording,
  options: ReplayOptions & { readonly isTraced?: true },
): Promise<Replay | TracedReplay> {
  const { api, apiPath = namedPath, onRequest } = options;
  const survey = await surveyRecording(recording, api, apiPath);
  const scenario =
    options.scenario === 'auto'
      ? scenarioOfRecords(await recordsOfReads(inOrder(recording, survey), survey.place, api), api)
      : options.scenario;
  const run = new ReplayRun(survey, { ...options, scenario }, await api.drift?.());
  for await (const exchange of inOrder(recording, survey)) {
    await run.replay(exchange, () => pauseOf(recording));
    await onRequest?.(run.requests);
    if (run.findings.length < maxFindings) continue;
    for (const position of survey.order.slice(survey.order.indexOf(exchange.position) + 1))
      survey.leftOut.add(`after ${formatCount(maxFindings)} differences`, position);
    break;
  }
  await pauseOf(recording);
  return {
    file: nameOf(recording),
    url: `${survey.place.origin}${survey.place.prefix}`,
    findings: run.findings,
    requests: run.requests,
    endpoints: run.endpoints.size,
    leftOut: survey.leftOut.counts(),
    ...(options.isTraced === true && { trace: run.trace() }),
  };
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

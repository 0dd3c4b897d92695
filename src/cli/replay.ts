import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { namedPath } from '../engine/lib/api-path.ts';
import { printable } from '../engine/lib/printable.ts';
import { counted } from '../engine/lib/problem.ts';
import { saveTrace } from '../mounts/node/save-trace.ts';
import { isHar, RecordingError } from '../verify/replay/har-file.ts';
import { replayRecording, traceRecording } from '../verify/replay/replay.ts';
import {
  findingId,
  jsonReport,
  junitReportOf,
  textReport,
  type Replay,
} from '../verify/replay/report.ts';
import { Baseline } from './baseline.ts';
import type { Arguments } from './commands.ts';
import { loadRemoteApi } from './config.ts';
import { preferSmallHeap } from './memory.ts';
import { recording } from './remote-flags.ts';
import { findScenario } from './scenarios.ts';
import { createProgressLine, printIssue, printWrapped } from './terminal.ts';
import { flagName, UsageError, type Flag } from './values.ts';
import { readSettings } from './verify.ts';

const reports = { text: textReport, json: jsonReport, junit: junitReportOf };

/**
 * Sends the requests of a recording, or of each in a folder, to a shop of its own, and prints where the recorded responses
 * differ. A trace is repeated.
 *
 * @returns the exit code: 0 if nothing differs, 1 if something does, 2 for a recording that cannot be replayed
 * @throws UsageError for a command line that cannot be run, Problem for a scenario or trace that is not valid
 */
export async function replay(args: Arguments<'replay'>): Promise<number> {
  const files = recordingsIn(args.names);
  const [first = ''] = files;
  if (!(await isHar(first))) {
    assertNoRecordingFlags(first, args);
    return (await import('./replay-trace.ts')).replayTrace(first, { config: args.config });
  }
  if (args.trace !== undefined && files.length > 1)
    throw new UsageError(`--trace is for one recording, and there are ${files.length}.`);
  const { api, apiPath = namedPath } = await loadRemoteApi(args);
  const scenario =
    args.scenario === 'auto' ? args.scenario : await findScenario(args.scenario, undefined, api);
  // An export of a history says how the shop was.
  const fromRecorded = args.scenario === recording.scenario.default;
  const baseline = new Baseline('replay', args.baseline);
  const settings = args.settings === undefined ? undefined : readSettings(args.settings);
  preferSmallHeap();
  const progress = createProgressLine('replay');
  try {
    const replays: Replay[] = [];
    for (const file of files) {
      const onRequest = (count: number): void =>
        progress.report(`${file}, ${counted(count, 'request')}`);
      const options = { api, apiPath, scenario, settings, fromRecorded, onRequest };
      if (args.trace === undefined) replays.push(await replayRecording(file, options));
      else {
        const { replay: one, trace } = await traceRecording(file, options);
        replays.push(one);
        await saveTrace(trace, args.trace);
      }
    }
    progress.end();
    const report = reports[args.reporter](replays.map((one) => withoutKnown(one, baseline)));
    if (args.reporter === 'text') printWrapped(report);
    else console.log(report);
    const found = replays.flatMap(({ findings }) => findings).map(findingId);
    return baseline.close([...new Set(found)], console.error);
  } catch (error) {
    progress.end();
    if (!(error instanceof RecordingError)) throw error;
    printIssue(printable(error.message));
    return 2;
  }
}

/** A trace has its own state, settings and path. @throws UsageError */
function assertNoRecordingFlags(file: string, args: Arguments<'replay'>): void {
  const { config: _, ...flags } = recording;
  const used = Object.entries<Flag>(flags).find(
    ([name, flag]) => args[name as keyof typeof flags] !== flag.default,
  );
  if (used === undefined) return;
  throw new UsageError(`${flagName(used[0])} is for recordings (HAR), and ${file} is none.`);
}

/** Returns the files of a command line: the one that it names, or the recordings in that folder. */
function recordingsIn(names: readonly string[]): readonly string[] {
  const [path, ...others] = names;
  if (path === undefined || others.length > 0) {
    throw new UsageError(
      'replay requires one recording, a folder of them, or a trace: replay shop.har.',
    );
  }
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`File ${path} not found.`);
  if (!found.isDirectory()) return [path];
  const files = readdirSync(path).filter((name) => /\.har(\.gz)?$/i.test(name));
  if (files.length === 0)
    throw new UsageError(`The folder ${path} has no recording: no file ends with .har or .har.gz.`);
  return files.toSorted().map((name) => join(path, name));
}

function withoutKnown(replayed: Replay, baseline: Baseline): Replay {
  return {
    ...replayed,
    findings: replayed.findings.filter((one) => !baseline.has(findingId(one))),
  };
}

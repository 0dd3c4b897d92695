import { openAsBlob } from 'node:fs';
import { atPath } from '../engine/definition/at-path.ts';
import { isObject } from '../engine/lib/json-value.ts';
import { printable } from '../engine/lib/printable.ts';
import { truncate } from '../engine/lib/problem.ts';
import { thrownMessage } from '../engine/lib/thrown.ts';
import { traceIn } from '../engine/lib/trace-file.ts';
import type { ScenarioSource } from '../engine/scenario/scenario.ts';
import { openBackOffice } from '../engine/office/open-back-office.ts';
import { replaySession, type Replayed } from '../engine/office/trace/replay-session.ts';
import { traceFormat } from '../engine/office/trace/trace-mark.ts';
import { loadApi, type ApiFlags } from './config.ts';
import { UsageError } from './values.ts';

/**
 * Does again what a trace has, and prints what comes out differently.
 *
 * @returns the exit code: 1 if anything differs
 * @throws UsageError for another file, Problem if it is no trace, or one of another API
 */
export async function replayTrace(file: string, flags: ApiFlags): Promise<number> {
  const trace = await traceIn(await openAsBlob(file)).catch((error: unknown) => {
    throw new UsageError(`${file}: ${thrownMessage(error)}.`);
  });
  if (!isObject(trace) || trace['format'] !== traceFormat)
    throw new UsageError(
      `${file} is neither a recording (HAR) nor a trace. “Share” of the studio and the fixtures of tests write one.`,
    );
  // The import says what else it has to be.
  const path = trace['api_path'];
  const api = atPath(await loadApi(flags), typeof path === 'string' ? path : undefined);
  const recorded = openBackOffice({ api, scenario: 'empty', history: true });
  recorded.import(trace);
  // The import has parsed it.
  const scenario = trace['start'] as ScenarioSource;
  const all = [...replaySession(recorded, openBackOffice({ api, scenario, history: true }))];
  const different = all.filter(({ differences }) => differences.length > 0);
  for (const entry of different) console.log(textOf(entry));
  console.log(summary(all, different.length));
  return different.length > 0 ? 1 : 0;
}

/** Maximum number of differences of an entry that are printed. */
const maxShown = 20;

function textOf({ id, title, differences }: Replayed): string {
  const shown = differences
    .slice(0, maxShown)
    .map(({ path, recorded, now }) => `  ${path}: ${valueText(recorded)} → ${valueText(now)}`);
  const more = differences.length - shown.length;
  return [`#${id} ${title}`, ...shown, ...(more > 0 ? [`  and ${more} more`] : []), '']
    .map((line) => printable(line))
    .join('\n');
}

function valueText(value: unknown): string {
  return value === undefined ? '(none)' : truncate(JSON.stringify(value));
}

function summary(all: readonly Replayed[], different: number): string {
  const repeated = all.filter(({ isRepeated }) => isRepeated).length;
  const taken = all.filter(({ isRepeated }) => !isRepeated);
  const same = different === 0 ? 'all with the same outcome' : `${different} with another outcome`;
  const others = taken.map(({ id, title }) => `#${id} ${title}`).join(', ');
  return printable(
    `Repeated ${repeated} of ${all.length} entries, ${same}.` +
      (taken.length > 0 ? ` Taken from the trace: ${others}.` : ''),
  );
}

import { escapeControls } from '../../engine/lib/printable.ts';
import { formatCount } from '../../engine/lib/problem.ts';
import { jsonText } from '../../reports/json.ts';
import { findingLines, groupFindings, junitReport } from '../drift/report.ts';
import type { ReplayFinding } from './replay-finding.ts';

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

/** Returns what names a finding in a file of known ones: it is the same for other records, and in other recordings. */
export function findingId({ endpoint, kind, at, received }: ReplayFinding): string {
  const place = at.replaceAll(/\[\d+\]/g, '[]');
  return `${endpoint} ${kind} ${at === 'status' ? `${place} ${received}` : place}`;
}

/** Formats replays for people: each difference with the request and both responses. */
export function textReport(replays: readonly Replay[]): string {
  return replays
    .flatMap((replay) => [...differencesIn(replay), summaryOf(replay)])
    .map(escapeControls)
    .join('\n');
}

function differencesIn({ file, findings }: Replay): string[] {
  return groupFindings(findings).flatMap((group) => [
    ...findingLines(group),
    `  rule      ${group.kind}`,
    `  request   ${group.request} (entry ${group.entry} of ${file})`,
    `  recorded  ${group.recorded}`,
    `  replayed  ${group.replayed}`,
    '',
  ]);
}

/** Says in one line how much differs, and what was left out. */
export function summaryOf({ file, url, findings, requests, endpoints, leftOut }: Replay): string {
  const places = groupFindings(findings).length;
  const verdict =
    places === 0
      ? 'no differences'
      : `${formatCount(places)} ${places === 1 ? 'difference' : 'differences'}`;
  const others = Object.entries(leftOut).map(([why, count]) => `${formatCount(count)} ${why}`);
  return (
    `${file}: ${verdict} in ${formatCount(requests)} requests to ${endpoints} endpoints of ${url}.` +
    (others.length > 0 ? ` Left out: ${others.join(', ')}.` : '')
  );
}

/** Formats replays as JSON: a list with an object for each file. */
export function jsonReport(replays: readonly Replay[]): string {
  const shown = replays.map((replay) => ({ ...replay, findings: groupFindings(replay.findings) }));
  return jsonText(shown);
}

/** Formats replays as JUnit XML. */
export function junitReportOf(replays: readonly Replay[]): string {
  const whole = {
    url: replays.map(({ file }) => file).join(', '),
    findings: replays.flatMap(({ findings }) => findings),
    requests: replays.reduce((sum, { requests }) => sum + requests, 0),
  };
  return junitReport(whole, 'replay');
}

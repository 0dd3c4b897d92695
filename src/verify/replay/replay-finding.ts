import type { ReceivedResponse, SentRequest } from '../../engine/definition/drift.ts';
import { mask, redactText, redactUrl } from '../../engine/journal/redaction.ts';
import { truncate } from '../../engine/lib/problem.ts';
import { shown, type Finding } from '../drift/finding.ts';
import { madeUp } from './compare.ts';

/** A difference between a recorded response and the contract, or that of the replay. */
export interface ReplayFinding extends Finding {
  /** The position of the request in its file, from 1. */
  readonly entry: number;
  /** Status and body, without secrets, shortened. */
  readonly recorded: string;
  readonly replayed: string;
}

/** A recording has the secrets of its users, a report has none. */
export function withoutSecrets({ url, body, ...request }: SentRequest): SentRequest {
  return { ...request, url: redactUrl(url), body: body && redactText(body) };
}

export function shownFinding(finding: ReplayFinding): ReplayFinding {
  const [expected, received] = [finding.expected, finding.received].map((value) =>
    finding.kind !== 'error' && madeUp.test(finding.at) ? mask : redactText(value),
  );
  return { ...finding, expected: expected ?? '', received: received ?? '' };
}

/** Number of differences of a request that its entry in a trace has at most. */
const maxShown = 20;

/** Returns what the entry of a trace says of its differences. */
export function differenceText(findings: readonly ReplayFinding[]): string {
  const lines = findings
    .slice(0, maxShown)
    .map((one) => `${one.at}: recorded ${one.received}, expected ${one.expected} (${one.kind})`);
  const more = findings.length - lines.length;
  const recorded = findings.slice(0, 1).map((one) => `Recorded response: ${one.recorded}`);
  return [...lines, ...(more > 0 ? [`and ${more} more`] : []), ...recorded].join('\n');
}

/** Maximum number of characters of a response that a finding has. */
const maxExcerpt = 200;

/** Returns the beginning of a response. */
export function excerpt({ status, body, json }: ReceivedResponse): string {
  // What is masked takes less than half of it.
  const text = json === undefined ? body.slice(0, 2 * maxExcerpt) : shown(json);
  return truncate(redactText(body === '' ? String(status) : `${status} ${text}`), maxExcerpt);
}

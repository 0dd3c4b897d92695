import { escapeControls, escapeMarkup } from '../../engine/lib/printable.ts';
import type { Finding } from './finding.ts';
import type { Verification } from './verify.ts';

/** Findings that differ only in records: one of them, and how many there are. */
export type FindingGroup<One extends Finding = Finding> = One & { readonly count: number };

/** Groups findings of one endpoint, place and expectation. */
export function groupFindings<One extends Finding>(findings: readonly One[]): FindingGroup<One>[] {
  const groups = Map.groupBy(findings, ({ endpoint, kind, at, expected }) =>
    [endpoint, kind, at, expected].join('\n').replaceAll(/\d+/g, '#'),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first, count: group.length }];
  });
}

/** Formats a verification for people. */
export function textReport(verification: Verification): string {
  const { url, wrote, findings, requests, endpoints, notes } = verification;
  const groups = groupFindings(findings);
  const sent = `${requests} ${wrote ? 'requests' : 'requests that read'} to ${endpoints} endpoints`;
  const verdict =
    groups.length === 0
      ? `${url} keeps the contract: ${sent}.`
      : `${url} differs from the contract in ${groups.length} ${groups.length === 1 ? 'place' : 'places'}: ${sent}.`;
  return [
    ...groups.flatMap((group) => [...findingLines(group), `  ${group.curl}`, '']),
    verdict,
    ...notes,
    '',
    'Settings of a scenario that behaves like this server:',
    ...JSON.stringify({ settings: verification.settings }, null, 2).split('\n'),
    `Not found out: ${verification.unknownSettings.join(', ')}.${wrote ? '' : ' --write finds out more.'}`,
  ]
    .map(escapeControls)
    .join('\n');
}

/** Formats a group of findings for people, without the lines that show the request. */
export function findingLines(group: FindingGroup): string[] {
  const { endpoint, row, extension, at, expected, received, count } = group;
  const mark = extension === true ? ', added by the definition' : '';
  return [
    `${endpoint} (${row})${mark}${count === 1 ? '' : `, ${count} times`}`,
    `  at        ${at}`,
    `  expected  ${expected}`,
    `  received  ${received}`,
  ];
}

/** Formats a verification as JSON. */
export function jsonReport(verification: Verification): string {
  const { findings, ...rest } = verification;
  return JSON.stringify({ ...rest, findings: groupFindings(findings) }, null, 2)
    .split('\n')
    .map(escapeControls)
    .join('\n');
}

/**
 * Formats findings as JUnit XML: a test case for each endpoint with a difference, and one for the whole.
 *
 * @param suite the command that has found them
 */
export function junitReport(
  { url, findings, requests }: Pick<Verification, 'url' | 'findings' | 'requests'>,
  suite = 'verify',
): string {
  const groups = groupFindings(findings);
  const cases = groups.map(
    ({ endpoint, kind, row, at, expected, received, curl, count }) =>
      `    <testcase classname="${escaped(endpoint)}" name="${escaped(`${row}: ${at}`)}">\n` +
      `      <failure type="${kind}" message="${escaped(`expected ${expected}, received ${received}`)}">${escaped(
        `${count} times\n${curl}`,
      )}</failure>\n    </testcase>\n`,
  );
  const whole = `    <testcase classname="${escaped(url)}" name="keeps the contract in ${requests} requests"${
    groups.length === 0 ? '/>' : '><failure message="differs from the contract"/></testcase>'
  }\n`;
  const failures = groups.length === 0 ? 0 : groups.length + 1;
  const counts = `tests="${groups.length + 1}" failures="${failures}"`;
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n` +
    `  <testsuite name="backlot ${suite}" ${counts}>\n${cases.join('')}${whole}  </testsuite>\n</testsuites>`
  );
}

/** Escapes a text for XML, with control characters as JSON has them: XML does not allow all of them. */
function escaped(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeMarkup(escapeControls(line)))
    .join('&#10;')
    .replaceAll(/[^\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '�');
}

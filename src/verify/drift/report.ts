import { escapeControls } from '../../engine/lib/printable.ts';
import { jsonText } from '../../reports/json.ts';
import { junitXml, type JunitCase } from '../../reports/junit.ts';
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
  return jsonText({ ...rest, findings: groupFindings(findings) });
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
    ({ endpoint, kind, row, at, expected, received, curl, count }): JunitCase => ({
      classname: endpoint,
      name: `${row}: ${at}`,
      outcome: {
        type: kind,
        message: `expected ${expected}, received ${received}`,
        text: `${count} times\n${curl}`,
      },
    }),
  );
  const outcome = groups.length === 0 ? undefined : { message: 'differs from the contract' };
  const whole = { classname: url, name: `keeps the contract in ${requests} requests`, outcome };
  return junitXml(`backlot ${suite}`, [...cases, whole]);
}

import { printable } from '../engine/lib/printable.ts';
import { counted } from '../engine/lib/problem.ts';
import type { ReportedFinding, ReportedFindings } from './findings.ts';

/** Maximum number of annotations: more are not read. */
const maxAnnotations = 7;

/**
 * Returns the worst findings as commands that GitHub Actions shows as annotations, at the lines of code that read the fields.
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function workflowCommands({ findings }: ReportedFindings): string[] {
  const more = findings.length - maxAnnotations;
  return findings.slice(0, maxAnnotations).map(({ at, title, text }, index) => {
    const isLast = more > 0 && index === maxAnnotations - 1;
    const message = isLast
      ? `${text}\n${counted(more, 'more finding')} in the summary of this step.`
      : text;
    const place = at === undefined ? {} : { file: at.file, line: String(at.line) };
    const properties = Object.entries({ ...place, title: `Backlot: ${title}` });
    const told = properties.map(([name, value]) => `${name}=${escapeProperty(value)}`);
    return `::warning ${told.join(',')}::${escapeData(message)}`;
  });
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Maximum number of findings in Markdown: a summary of GitHub Actions has at most 1 MiB. */
const maxRows = 200;

/** Returns findings as Markdown, which GitHub and GitLab show. */
export function markdownReport({ command, summary, findings }: ReportedFindings): string {
  const rows = findings.slice(0, maxRows).map(({ title, text, at, test }) => {
    const line = at === undefined ? '' : `${at.file}:${at.line}`;
    const cells = [title, text, line, test === undefined ? '' : `${test.name} (${test.file})`];
    return `| ${cells.map(markdownText).join(' | ')} |`;
  });
  const more = findings.length - rows.length;
  return [
    `### Backlot ${command}`,
    '',
    markdownText(summary),
    '',
    ...(rows.length === 0 ? [] : ['| finding | why | line | test |', '| --- | --- | --- | --- |']),
    ...rows,
    ...(more > 0 ? ['', `${counted(more, 'more finding')} left out.`] : []),
    '',
  ].join('\n');
}

/** Returns a text that Markdown shows as it is, on one line. */
function markdownText(text: string): string {
  const lines = text
    .split('\n')
    .map((line) =>
      printable(line).replaceAll(/[&<>"\\`*_[\]|~#!@]/g, (mark) => `&#${mark.charCodeAt(0)};`),
    );
  return lines.join('<br>');
}

/**
 * Returns the findings whose line is known in the format of code scanning:
 * https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
 */
export function sarifReport({ command, findings }: ReportedFindings, version: string) {
  const rule = { id: `backlot/${command}`, shortDescription: { text: rules[command] } };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'backlot', version, rules: [rule] } },
        results: findings.flatMap((one) => sarifResult(one, rule.id)),
      },
    ],
  };
}

const rules = {
  mutate: 'No test notices that a field of a response is wrong',
  chaos: 'A page does not survive that a request fails',
} as const;

function sarifResult({ id, title, text, at }: ReportedFinding, ruleId: string): object[] {
  if (at === undefined) return [];
  const artifactLocation = { uri: at.file.split('/').map(encodeURIComponent).join('/') };
  const region = { startLine: at.line };
  return [
    {
      ruleId,
      level: 'warning',
      message: { text: `${title}\n${text}` },
      locations: [{ physicalLocation: { artifactLocation, region } }],
      partialFingerprints: { 'backlot/v1': id },
    },
  ];
}

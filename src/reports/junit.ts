import { escapeControls, escapeMarkup } from '../engine/lib/printable.ts';

/** A test case of a JUnit report. */
export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  /** The outcome (default: it passed). */
  readonly outcome?: 'skipped' | JunitFailure | undefined;
}

export interface JunitFailure {
  readonly message: string;
  readonly type?: string | undefined;
  readonly text?: string | undefined;
}

/** Returns a report as JUnit XML. @param suite its name: `backlot verify` */
export function junitXml(suite: string, cases: readonly JunitCase[]): string {
  const failures = cases.filter(({ outcome }) => typeof outcome === 'object').length;
  const counts = `tests="${cases.length}" failures="${failures}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(suite)}" ${counts}>`,
    ...cases.map(caseXml),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}

function caseXml({ classname, name, outcome }: JunitCase): string {
  const head = `    <testcase classname="${escaped(classname)}" name="${escaped(name)}"`;
  if (outcome === undefined) return `${head}/>`;
  if (outcome === 'skipped') return `${head}><skipped/></testcase>`;
  const { message, type, text = '' } = outcome;
  const kind = type === undefined ? '' : ` type="${escaped(type)}"`;
  return `${head}><failure${kind} message="${escaped(message)}">${escaped(text)}</failure></testcase>`;
}

/** Escapes a text for XML, with control characters as JSON has them: XML does not allow all of them. */
function escaped(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeMarkup(escapeControls(line)))
    .join('&#10;')
    .replaceAll(/[^\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '�');
}

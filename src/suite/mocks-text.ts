import { printable } from '../engine/lib/printable.ts';
import { counted, truncate } from '../engine/lib/problem.ts';
import { jsonText } from '../reports/json.ts';
import { junitXml, type JunitCase } from '../reports/junit.ts';
import type { MockFinding, MocksReport } from './mocks.ts';
import type { Paint } from './mutate-text.ts';
import { reportPage, shown, tableHtml } from './report-page.ts';

/** Returns a finding in one line, and below it one of the tests that met it. */
export function mockText(finding: MockFinding, paint: Paint): string {
  return `${paint('red', '✗')} ${printable(headOf(finding))}\n${paint('dim', `  ${printable(testsText(finding))}`)}`;
}

/** `GET /pets/:id 200 owner.email: is missing, expected string` */
function headOf({ subject, field, text }: MockFinding): string {
  return `${field === '' ? subject : `${subject} ${field}`}: ${text}`;
}

/** `shows a pet (pets.test.ts), and 2 more tests` */
function testsText({ tests: [first, ...others] }: MockFinding): string {
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'more test')}`;
  return `${truncate(first?.name ?? '')} (${first?.file ?? ''})${more}`;
}

/** `34 tests received 120 responses of 14 kinds: 3 findings.`, and what was not judged. */
export function mocksSummary(report: MocksReport, paint: Paint): string {
  const notes = report.notes.map((note) => paint('yellow', printable(note)));
  return [paint('bold', countsText(report)), ...notes].join('\n');
}

function countsText({ tests, judged, subjects, findings }: MocksReport): string {
  const kinds = subjects.length === 1 ? 'one kind' : `${subjects.length} kinds`;
  return `${counted(tests.length, 'test')}, ${counted(judged, 'response')} of ${kinds}: ${counted(findings.length, 'finding')}.`;
}

/** Returns a report in the format that the name of its file says: `.html`, `.xml` for JUnit, or else `.json`. */
export function mocksReportText(report: MocksReport, file: string): string {
  if (file.endsWith('.html')) return page(report);
  if (file.endsWith('.xml')) return junit(report);
  const { tests, ...others } = report;
  const json = { backlot: 'mocks', version: 1, tests: tests.length, ...others };
  return `${jsonText(json)}\n`;
}

/** A kind of response without a finding is a test case, and so is each finding. */
function junit({ subjects, findings }: MocksReport): string {
  const bySubject = Map.groupBy(findings, ({ subject }) => subject);
  const cases = subjects.flatMap((subject): JunitCase[] => {
    const failures = (bySubject.get(subject) ?? []).map((one) => ({
      classname: 'mocks',
      name: headOf(one),
      outcome: { message: one.text, type: one.kind, text: testsText(one) },
    }));
    return failures.length === 0 ? [{ classname: 'mocks', name: subject }] : failures;
  });
  return `${junitXml('backlot mocks', cases)}\n`;
}

function page(report: MocksReport): string {
  const rows = report.findings.map((one) => {
    const cells = [one.subject, one.field, one.text, testsText(one)].map(shown);
    const [subject, field, text, tests] = cells;
    return `<tr><th scope="row"><code>${subject}</code></th><td><code>${field}</code></td><td>${text}</td><td>${tests}</td></tr>`;
  });
  const notes = report.notes.map((note) => `<p>${shown(note)}</p>`);
  return reportPage(
    'What the mocks say that the API does not',
    `<p><b>${shown(countsText(report))}</b></p>
      ${notes.join('\n')}
      ${tableHtml('Findings', ['response', 'field', 'what', 'test'], rows)}`,
  );
}

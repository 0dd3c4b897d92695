import { counted } from '../engine/lib/problem.ts';
import { jsonText } from '../reports/json.ts';
import type { JunitCase } from '../reports/junit.ts';
import { callText, orderText } from './calls.ts';
import {
  changeText,
  columnOf,
  columnsOf,
  findingsIn,
  headOf,
  rowsOf,
  signs,
  titleOf,
  type Finding,
} from './chaos-text.ts';
import type { CellResult, ChaosReport } from './chaos.ts';
import { reportPage, shown, tableHtml } from './report-page.ts';

/** Returns a report in the format that the name of its file says: `.html`, or else `.json`. */
export function chaosReportText(report: ChaosReport, file: string, ended: Date): string {
  return file.endsWith('.html') ? gridHtml(report) : `${jsonText(json(report, ended))}\n`;
}

function json(report: ChaosReport, ended: Date) {
  const { results, flaky, failing, failingCalls, tests, ms } = report;
  return {
    backlot: 'chaos',
    version: 1,
    ended: ended.toISOString(),
    ms: Math.round(ms),
    tests: tests.map(({ name, file }) => ({ name, file })),
    flaky: flaky.map(({ name, file }) => ({ name, file })),
    failing: failing.map(({ name, file }) => ({ name, file })),
    failingCalls: failingCalls.map((one) => ({ test: one.test.name, title: callText(one) })),
    columns: columnsOf(report),
    findings: findingsIn(results).map((finding) => ({
      title: headOf(finding),
      cells: finding.cells.map((cell) => results.indexOf(cell)),
    })),
    cells: results.map((cell) => ({
      test: cell.test.name,
      file: cell.test.file,
      row: cell.row,
      title: titleOf(cell),
      column: columnOf(cell),
      ...changeOf(cell),
      ...cell.verdict,
    })),
  };
}

/** Returns what differs in a cell from the test as it is. */
function changeOf(cell: CellResult): object {
  if ('order' in cell) return { order: orderText(cell.order) };
  const { endpoint, nth, fault } = cell;
  return { endpoint, nth, fault };
}

/** Returns each cell as JUnit lists it. */
export function chaosCases({ results }: ChaosReport): JunitCase[] {
  return results.map(({ test, id, verdict }) => {
    const other = verdict?.tone === 'green' ? undefined : ('skipped' as const);
    const failure = { message: verdict?.reason ?? '', text: verdict?.trace };
    return { classname: test.name, name: id, outcome: verdict?.tone === 'red' ? failure : other };
  });
}

function gridHtml(report: ChaosReport): string {
  const columns = columnsOf(report);
  const rows = rowsOf(report).map(({ test, title: row, cells }, at, all) => {
    const isFirst = all[at - 1]?.test.id !== test.id;
    const title = isFirst
      ? `<tr class="test"><th colspan="${columns.length + 1}" scope="rowgroup">${shown(test.name)} <small>${shown(test.file)}</small></th></tr>`
      : '';
    const marks = columns.map(({ name }) =>
      cellHtml(cells.find((cell) => columnOf(cell) === name)),
    );
    return `${title}<tr><th scope="row"><code>${shown(row)}</code></th>${marks.join('')}</tr>`;
  });
  const findings = findingsIn(report.results).map(findingHtml);
  return reportPage(
    'What the pages survive',
    `<p>${counted(report.tests.length, 'test')}, ${counted(report.results.length, 'cell')}, ${counted(findings.length, 'finding')}. Each cell is one run of a test with one fault in one request, or with another order of responses.</p>
      ${tableHtml('Grid', ['request', ...columns.map(({ name }) => name)], rows)}
      <h2>Findings</h2>
      ${findings.length === 0 ? '<p>None.</p>' : `<ol>${findings.join('\n')}</ol>`}
      <h2>Columns</h2>
      <dl>${columns.map(({ name, text }) => `<dt>${name}</dt><dd>${text}</dd>`).join('')}</dl>`,
  );
}

const words = { red: 'red', yellow: 'advice', green: 'green', grey: 'no verdict' } as const;

function cellHtml(cell: CellResult | undefined): string {
  const { verdict } = cell ?? {};
  if (verdict === undefined) return '<td></td>';
  const { tone, reason, trace } = verdict;
  const mark = `<span aria-hidden="true">${signs[tone]}</span><span class="unseen">${words[tone]}</span>`;
  const linked = trace === undefined ? mark : `<a href="${linkTo(trace)}">${mark}</a>`;
  const title = [reason, changeText(verdict) ?? ''].join(' ').trim();
  return `<td class="verdict ${tone}" title="${shown(title)}">${linked}</td>`;
}

function findingHtml(finding: Finding): string {
  const [{ verdict }] = finding.cells as [CellResult, ...CellResult[]];
  const trace =
    verdict?.trace === undefined ? '' : ` <a href="${linkTo(verdict.trace)}">Open its trace</a>`;
  const tests = [...new Set(finding.cells.map(({ test }) => test.name))];
  const lines = [verdict?.reason, changeText(verdict), ...tests].flatMap((one) => one ?? []);
  return `<li><b>${shown(headOf(finding))}</b><br />${lines.map(shown).join('<br />')}${trace}</li>`;
}

/** Reports are written to the working directory, as a rule, and traces below it. */
function linkTo(file: string): string {
  return file.split('/').map(encodeURIComponent).join('/');
}

import {
  assertionsText,
  isFinding,
  leftOutLines,
  scoresOf,
  scoreText,
  unjudgedLines,
  type Paint,
} from './mutate-text.ts';
import { isNoticed, type MutantResult, type MutateReport } from './mutate.ts';
import { survival } from './mutation-report.ts';
import { reportPage, shown, tableHtml } from './report-page.ts';
import { escapeMarkup } from '../engine/lib/printable.ts';

const plain: Paint = (_, text) => text;

/** Returns a page with what the command prints, and with what became of each mutant. */
export function mutationPage(report: MutateReport): string {
  const findings = report.results.filter(isFinding);
  const said = [...leftOutLines(report), ...unjudgedLines(report, plain)];
  const noticing =
    findings.length === 0
      ? '<p>No mutant survived.</p>'
      : `<pre><code>${escapeMarkup(assertionsText(findings, plain, report.assertions))}</code></pre>`;
  return reportPage(
    'What the tests notice',
    `<p><b>${shown(scoreText(report))}</b></p>
      ${said.map((line) => `<p>${shown(line)}</p>`).join('\n')}
      <h2>What would notice</h2>
      ${noticing}
      <h2>Responses</h2>
      ${tableHtml('Responses', ['response', 'mutants', 'noticed', 'survived', 'score'], scoresOf(report).map(scoreRow))}
      <h2>Mutants</h2>
      ${Array.from(
        Map.groupBy(report.results, ({ subject }) => subject),
        ([subject, all]) => mutantsOf(subject, all),
      ).join('\n')}`,
  );
}

function scoreRow({ subject, ...counts }: ReturnType<typeof scoresOf>[number]): string {
  const { mutants, noticed, findings, score } = counts;
  const cells = [mutants, noticed, findings, score].map((one) => `<td class="number">${one}</td>`);
  return `<tr><th scope="row"><code>${shown(subject)}</code></th>${cells.join('')}</tr>`;
}

/** Returns the mutants of a response: open if one has survived. */
function mutantsOf(subject: string, results: readonly MutantResult[]): string {
  const isOpen = results.some(isFinding) ? ' open' : '';
  const table = tableHtml(shown(subject), ['mutant', 'result', 'why'], results.map(mutantRow));
  return `<details${isOpen}><summary><code>${shown(subject)}</code></summary>${table}</details>`;
}

function mutantRow(result: MutantResult): string {
  const { by, reason = '', text } = result;
  const why = isNoticed(result) ? `'${by?.name}': ${reason.split('\n', 1)[0]}` : survival(result);
  const rest = isFinding(result) ? (['red', 'survived'] as const) : ['grey', 'not judged'];
  const [tone, word] = isNoticed(result) ? ['green', 'noticed'] : rest;
  return `<tr><td><code>${shown(text)}</code></td><td class="${tone}">${word}</td><td>${shown(why)}</td></tr>`;
}

import { escapeMarkup } from '../engine/lib/printable.ts';
import {
  assertionsText,
  isFinding,
  leftOutLines,
  scoresOf,
  scoreText,
  unjudgedLines,
  type Paint,
} from './mutate-text.ts';
import type { MutantResult, MutateReport } from './mutate.ts';
import { survival } from './mutation-report.ts';
import { reportPage } from './report-page.ts';

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
    `<p><b>${escapeMarkup(scoreText(report))}</b></p>
      ${said.map((line) => `<p>${escapeMarkup(line)}</p>`).join('\n')}
      <h2>What would notice</h2>
      ${noticing}
      <h2>Responses</h2>
      <div class="grid" role="region" aria-label="Responses" tabindex="0"><table>
        <thead><tr>${heads(['response', 'mutants', 'noticed', 'survived', 'score'])}</tr></thead>
        <tbody>${scoresOf(report).map(scoreRow).join('\n')}</tbody>
      </table></div>
      <h2>Mutants</h2>
      ${Array.from(
        Map.groupBy(report.results, ({ subject }) => subject),
        ([subject, all]) => mutantsOf(subject, all),
      ).join('\n')}`,
  );
}

function heads(names: readonly string[]): string {
  return names.map((name) => `<th scope="col">${name}</th>`).join('');
}

function scoreRow({ subject, ...counts }: ReturnType<typeof scoresOf>[number]): string {
  const { mutants, noticed, findings, score } = counts;
  const cells = [mutants, noticed, findings, score].map((one) => `<td class="number">${one}</td>`);
  return `<tr><th scope="row"><code>${escapeMarkup(subject)}</code></th>${cells.join('')}</tr>`;
}

/** Returns the mutants of a response: open if one has survived. */
function mutantsOf(subject: string, results: readonly MutantResult[]): string {
  const isOpen = results.some(isFinding) ? ' open' : '';
  return `<details${isOpen}><summary><code>${escapeMarkup(subject)}</code></summary>
      <div class="grid"><table>
        <thead><tr>${heads(['mutant', 'result', 'why'])}</tr></thead>
        <tbody>${results.map(mutantRow).join('\n')}</tbody>
      </table></div></details>`;
}

function mutantRow(result: MutantResult): string {
  const isRed = isFinding(result);
  const isGreen = result.status === 'Killed' || result.status === 'Timeout';
  const tone = isRed ? 'red' : isGreen ? 'green' : 'grey';
  return `<tr><td><code>${escapeMarkup(result.text)}</code></td><td class="${tone}">${wordFor(result)}</td><td>${escapeMarkup(reasonFor(result))}</td></tr>`;
}

function wordFor(result: MutantResult): string {
  switch (result.status) {
    case 'Killed':
    case 'Timeout':
      return 'noticed';
    case 'Survived':
      return isFinding(result) ? 'survived' : 'not shown';
    case 'NoCoverage':
      return 'not applied';
    case 'RuntimeError':
      return 'lost';
    case 'Ignored':
    case 'Pending':
      return 'not tried';
  }
}

/** Says which test has noticed a mutant, or why none has. */
function reasonFor(result: MutantResult): string {
  const { status, by, reason = '' } = result;
  switch (status) {
    case 'Killed':
    case 'Timeout':
      return `'${by?.name ?? ''}': ${reason.split('\n', 1)[0]}`;
    case 'Survived':
      return survival(result);
    case 'NoCoverage':
      return 'No test received the wrong response.';
    case 'RuntimeError':
      return 'Its run did not come to an end.';
    case 'Ignored':
      return 'No test looks at the response.';
    case 'Pending':
      return 'It was left out.';
  }
}

import { escapeMarkup } from '../lib/printable.ts';
import type { CoverageReport, Gap, Unmatched } from './report.ts';
import { itemKey, measures, type Measure } from './keys.ts';
import type { ContractList, ListedItem } from './contract-list.ts';

/** Returns a report as one HTML page, which loads nothing. */
export function coverageHtml(report: CoverageReport, list: ContractList): string {
  const { summary, requests, operations, gaps } = report;
  const tiles = [...measures, 'all' as const].map((measure) => {
    const { met, total, percent, ignored } = summary[measure];
    const note = ignored === 0 ? '' : `, ${ignored} ignored`;
    const target = measure === 'all' ? 'top' : measure;
    return `<a class="tile" href="#${target}"><b>${measure}</b><span class="${gradeOf(percent)}">${percent.toFixed(1)} %</span><progress max="100" value="${percent}" aria-label="${measure}"></progress><small>${met} of ${total}${note}</small></a>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Contract coverage</title>
<style>${style}</style>
</head>
<body id="top">
<h1>Contract coverage</h1>
<p class="soft">${requests} requests, which met ${operations.met} of ${operations.total} operations. Each line closes its gap in a test, where <code>office</code> is a back office of the scenario <code>default</code>.</p>
<nav aria-label="Measures">${tiles.join('')}</nav>
${matrix(report, list)}
${measures
  .map((measure) =>
    section(
      measure,
      gaps.filter((gap) => gap.measure === measure),
    ),
  )
  .join('\n')}
${unmatchedSection('Requests without an endpoint', report.unmatched)}
${unmatchedSection('Unknown parameters', report.parameters)}
${addedSection(report)}
${unmatchedSection('Not documented', report.undocumented)}
</body>
</html>
`;
}

/** The table of operations and statuses. */
function matrix({ counts, gaps }: CoverageReport, list: ContractList): string {
  const missing = new Set(gaps.map(({ measure, id }) => itemKey(measure, id)));
  const items = list.items.filter(({ measure }) => measure === 'statuses');
  const byOperation = Map.groupBy(items, operationOf);
  const statuses = [...new Set(items.map(statusOf))].toSorted();
  const rows = Array.from(byOperation, ([operation, own]) => {
    const cells = statuses.map((status) => {
      const item = own.find((one) => statusOf(one) === status);
      if (item === undefined) return '<td></td>';
      const key = itemKey('statuses', item.id);
      const count = counts.items[key];
      if (count !== undefined)
        return `<td class="good" title="${count} times">${short(count)}</td>`;
      return missing.has(key)
        ? '<td class="bad" title="never met">✗</td>'
        : '<td class="soft" title="ignored">–</td>';
    });
    return `<tr><th scope="row">${escapeMarkup(operation)}</th>${cells.join('')}</tr>`;
  });
  const head = statuses.map((status) => `<th scope="col">${status}</th>`).join('');
  return `<details open><summary><h2>Operations and statuses</h2></summary><div class="wide" tabindex="0" role="region" aria-label="Operations and statuses"><table><thead><tr><th scope="col">Operation</th>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`;
}

function operationOf({ id }: ListedItem): string {
  return id.slice(0, id.lastIndexOf(' '));
}

function statusOf({ id }: ListedItem): string {
  return id.slice(id.lastIndexOf(' ') + 1);
}

/** `12`, `3k` */
function short(count: number): string {
  return count < 1000 ? String(count) : `${Math.floor(count / 1000)}k`;
}

function section(measure: Measure, gaps: readonly Gap[]): string {
  const list = gaps.map(
    ({ id, hint }) => `<li>${escapeMarkup(id)}<pre tabindex="0">${escapeMarkup(hint)}</pre></li>`,
  );
  const body =
    gaps.length === 0 ? '<p class="good">Everything was met.</p>' : `<ul>${list.join('')}</ul>`;
  return `<details id="${measure}"${gaps.length > 0 && gaps.length <= 20 ? ' open' : ''}><summary><h2>Never met: ${measure} <small>${gaps.length}</small></h2></summary>${body}</details>`;
}

function unmatchedSection(title: string, list: readonly Unmatched[]): string {
  if (list.length === 0) return '';
  const rows = list.map(({ name, count, nearest }) => {
    const hint = nearest === undefined ? '' : `<small>nearest: ${escapeMarkup(nearest)}</small>`;
    return `<li>${escapeMarkup(name)} <small>× ${count}</small> ${hint}</li>`;
  });
  return `<details open><summary><h2>${title} <small>${list.length}</small></h2></summary><ul>${rows.join('')}</ul></details>`;
}

/** The section on the endpoints that a definition adds. */
function addedSection({
  added: { operations, responses, gaps },
  extensions,
}: CoverageReport): string {
  if (operations.total === 0) return '';
  const missing = gaps.map((name) => `<li class="bad">${escapeMarkup(name)}</li>`).join('');
  return `<h2>Added by a definition</h2>
<p class="soft">${operations.met} of ${operations.total} operations, ${responses.met} of ${responses.total} documented responses. They count for no measure of the contract.</p>
${unmatchedSection('Endpoints that a definition adds', extensions)}
<details><summary><h2>Never met: responses of these endpoints <small>${gaps.length}</small></h2></summary><ul>${missing}</ul></details>`;
}

function gradeOf(percent: number): 'good' | 'warm' | 'bad' {
  if (percent >= 80) return 'good';
  return percent >= 50 ? 'warm' : 'bad';
}

const style = `
:root{color-scheme:light dark;--ink:light-dark(#1d2129,#e4e6ea);--soft:light-dark(#5d6573,#9aa3b2);--paper:light-dark(#f6f6f3,#14161a);--card:light-dark(#fff,#1c1f25);--line:light-dark(#dfe0dc,#31353d);--good:light-dark(#0b6e4f,#5fd0a5);--bad:light-dark(#b3261e,#ff8a80);--warm:light-dark(#8a5a00,#f0c060);font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.25rem clamp(.75rem,3vw,2rem) 4rem;max-width:80rem}
h1{font-size:1.35rem;margin:0}h2{display:inline;font-size:1rem;margin:0}
small,.soft{color:var(--soft);font-weight:400}.good{color:var(--good)}.bad{color:var(--bad)}.warm{color:var(--warm)}
nav{display:grid;gap:.75rem;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));margin:1rem 0}
.tile{display:grid;align-content:start;gap:.1rem;padding:.75rem;background:var(--card);border:1px solid var(--line);border-radius:8px;color:inherit;text-decoration:none}
.tile span{font-size:1.3rem}
progress{appearance:none;width:100%;height:.4rem;border:0;border-radius:3px;overflow:hidden;background:var(--line)}
progress::-webkit-progress-bar{background:var(--line)}progress::-webkit-progress-value{background:var(--good)}progress::-moz-progress-bar{background:var(--good)}
details{margin:.75rem 0;padding:.75rem;background:var(--card);border:1px solid var(--line);border-radius:8px}
summary{cursor:pointer}
.wide{overflow-x:auto;margin-top:.6rem}
table{border-collapse:collapse;font-size:.86em}
th,td{padding:.15rem .5rem;border-bottom:1px solid var(--line);text-align:right;font-variant-numeric:tabular-nums}
th[scope=row],th:first-child{text-align:left;font-weight:400;font-family:ui-monospace,monospace;white-space:nowrap}
ul{margin:.6rem 0 0;padding:0;list-style:none}li{margin:.4rem 0;overflow-wrap:anywhere;font-family:ui-monospace,monospace;font-size:.86em}
code,pre{font-family:ui-monospace,monospace}
pre{margin:.2rem 0 0;padding:.4rem .6rem;background:var(--paper);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;user-select:all}
:focus-visible{outline:2px solid var(--good);outline-offset:2px}
@media(max-width:40rem){.wide table{font-size:.78em}th,td{padding:.15rem .3rem}th[scope=row]{white-space:normal;overflow-wrap:anywhere;min-width:11rem}}
`;

import { itemKey, type Contract } from '../engine/coverage/contract.ts';
import type { CoverageReport } from '../engine/coverage/report.ts';
import { jsonText } from './json.ts';
import { junitXml, type JunitCase } from './junit.ts';

/** Returns a report of contract coverage in the format that the name of its file says: `.xml` for JUnit, or else JSON. */
export function coverageFile(file: string, report: CoverageReport, contract: Contract): string {
  if (!file.endsWith('.xml')) return `${jsonText(report)}\n`;
  const gaps = new Set(report.gaps.map(({ measure, id }) => itemKey(measure, id)));
  // An item that was met is a passed test, a gap a failed one, and an ignored one is skipped.
  const cases = contract.items.map(({ measure, id }): JunitCase => {
    const key = itemKey(measure, id);
    const other = Object.hasOwn(report.counts.items, key) ? undefined : ('skipped' as const);
    const outcome = gaps.has(key) ? { message: 'Never met' } : other;
    return { classname: measure, name: id, outcome };
  });
  return `${junitXml('backlot coverage', cases)}\n`;
}

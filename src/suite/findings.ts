import type { SourceLine } from './callers.ts';
import { changeText, findingsIn, headOf, reasonOf } from './chaos-text.ts';
import type { ChaosReport } from './chaos.ts';
import { assertionFor, fieldOf, findingText, isFinding, scoreText } from './mutate-text.ts';
import type { MutateReport } from './mutate.ts';
import { survival } from './mutation-report.ts';
import type { SuiteTest } from './suite-runner.ts';

/** A finding of `mutate` or `chaos`, as reports have it. */
export interface ReportedFinding {
  /** Its name in a baseline. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The line of the code under test that reads the field or sends the request, if it is known. */
  readonly at?: SourceLine | undefined;
  /** The test that meets it. */
  readonly test: SuiteTest | undefined;
}

/** What a report says in any format: the worst findings first. */
export interface ReportedFindings {
  readonly command: 'mutate' | 'chaos';
  readonly summary: string;
  readonly findings: readonly ReportedFinding[];
}

/** Whether a finding is left out. */
export type IsKnown = (id: string) => boolean;

/** Returns the survivors of a report, one of each field. */
export function mutateFindings(report: MutateReport, isKnown: IsKnown): ReportedFindings {
  const survivors = report.results.filter((one) => isFinding(one) && !isKnown(one.id));
  const byField = Map.groupBy(survivors, fieldOf);
  const findings = Array.from(byField.values(), ([first]): ReportedFinding => {
    const { id, at, by } = first!;
    const why = first!.gone.length > 0 ? ` ${survival(first!)}` : '';
    const assertion = assertionFor(first!, report.assertions);
    const text = `No test notices it.${why}\nWhat would notice: ${assertion}`;
    return { id, title: findingText(first!), text, at, test: by };
  });
  return { command: 'mutate', summary: scoreText(report), findings };
}

/** Returns the red cells of a report, one of each cause. */
export function chaosFindings({ results, tests }: ChaosReport, isKnown: IsKnown): ReportedFindings {
  const unknown = findingsIn(results.filter(({ id }) => !isKnown(id)));
  const findings = unknown.map((finding): ReportedFinding => {
    const { id, verdict, test, at } = finding.cells[0]!;
    const text = [reasonOf(finding.cells), changeText(verdict)].filter((one) => one !== undefined);
    return { id, title: headOf(finding), text: text.join('\n'), at, test };
  });
  const summary = `${tests.length} tests, ${results.length} cells, ${findings.length} findings.`;
  return { command: 'chaos', summary, findings };
}

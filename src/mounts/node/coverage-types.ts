import type { ReportOptions, Thresholds } from '../../engine/coverage/report.ts';

export type { CoverageCounts } from '../../engine/coverage/counts.ts';
export type { Measure } from '../../engine/coverage/contract.ts';
export type {
  CoverageReport,
  Gap,
  MeasureSummary,
  ReportOptions,
  Unmatched,
  Thresholds,
} from '../../engine/coverage/report.ts';

/** Options of the reporter. All of them are optional. */
export interface ContractCoverageOptions extends ReportOptions {
  /** The formats to write (default: text and json): text to the terminal, the others to files. */
  readonly reporters?: readonly ('text' | 'json' | 'junit')[] | undefined;
  /** Folder of the files `coverage.json` and `junit.xml` (default: `coverage/backlot`). */
  readonly directory?: string | undefined;
  /**
   * Minimum percentages by measure, or of all items. A negative number is a maximum of items that are not met. A run
   * that does not reach them fails.
   */
  readonly thresholds?: Thresholds | undefined;
  /** Maximum number of gaps of each measure in the text (default: 0, only how many there are). */
  readonly maxGaps?: number | undefined;
}

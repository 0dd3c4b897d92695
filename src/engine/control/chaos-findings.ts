/** The findings of the last run of `backlot chaos`, as a server reads them when they are requested. */
export interface ChaosFindings {
  readonly exist: () => boolean;
  /** Returns the report. @throws ForeignTextError for a file that cannot be read as one */
  readonly read: () => unknown;
  /**
   * Returns the file of a trace that the report names; undefined if it is not there any more, or not of a run.
   *
   * @throws ForeignTextError for one that is too large
   */
  readonly readTrace: (file: string) => string | undefined;
}

/** Where the time comes from: the back office's own clock, never the machine's. */
export interface Clock {
  /** The present moment in UTC, whole seconds: `2026-03-02T09:00:00+0000`. */
  now(): string;
}

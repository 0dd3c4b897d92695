import type { CoverageCounts } from './counts.ts';
import { Coverage, type CoverageRecorder } from './recorder.ts';

/** Maximum number of sessions whose counts are kept: the latest ones. */
const maxSessions = 2000;

/** Counts for a server: for all its back offices, and for each session. */
export class SessionCoverage extends Coverage {
  readonly #sessions = new Map<string, Coverage>();

  /** Returns the recorder of a session. A session that opens again goes on counting. */
  ofSession(name: string): CoverageRecorder {
    const coverage = this.#sessions.get(name) ?? new Coverage();
    this.#sessions.delete(name);
    this.#sessions.set(name, coverage);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) this.#sessions.delete(oldest);
    return {
      request: (...made) => {
        this.request(...made);
        coverage.request(...made);
      },
      add: (...made) => {
        this.add(...made);
        coverage.add(...made);
      },
    };
  }

  /** Returns the counts of a session: zero if none of this name was opened. */
  countsOf(name: string): CoverageCounts {
    return (this.#sessions.get(name) ?? new Coverage()).counts();
  }
}

import { Coverage } from '../engine/coverage/recorder.ts';

/** Returns what counts in a test file. Loaded with it: Vite loads a page again if it finds a dependency during a test. */
export function loadCoverage(): Coverage {
  return new Coverage();
}

import { offeredCoverage } from '../engine/coverage/active.ts';
import type { Coverage } from '../engine/coverage/recorder.ts';

/** Returns what counts in a test file. In browser mode, another module takes the place of this one. */
export function loadCoverage(): Coverage | Promise<Coverage> {
  return offeredCoverage() ?? importCoverage();
}

async function importCoverage(): Promise<Coverage> {
  const { Coverage } = await import('../engine/coverage/recorder.ts');
  return new Coverage();
}

import { offeredCoverage } from '../engine/coverage/active.ts';
import type { Coverage } from '../engine/coverage/recorder.ts';
import { countFile } from './vitest-counts.ts';

// Most files have loaded a library that offers a recorder.
countFile(() => offeredCoverage() ?? importCoverage());

async function importCoverage(): Promise<Coverage> {
  const { Coverage } = await import('../engine/coverage/recorder.ts');
  return new Coverage();
}

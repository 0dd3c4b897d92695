import type { Coverage } from '../coverage/recorder.ts';

/** Loads what counts in a test file. In browser mode, another module takes the place of this one. */
export async function loadCoverage(): Promise<Coverage> {
  const { Coverage } = await import('../coverage/recorder.ts');
  return new Coverage();
}

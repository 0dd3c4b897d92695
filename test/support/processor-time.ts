import { runInNewContext } from 'node:vm';

/**
 * Returns the processor time of a function in milliseconds, Infinity if it does not end.
 *
 * @param timeout milliseconds after which it is ended
 */
export function processorTime(run: () => unknown, timeout = 20_000): number {
  const before = process.threadCpuUsage().user;
  try {
    runInNewContext('run()', { run }, { timeout });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return Infinity;
    throw error;
  }
  return (process.threadCpuUsage().user - before) / 1000;
}

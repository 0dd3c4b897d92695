import { expect, onTestFinished, test, vi } from 'vitest';
import { createSuiteProgress } from '../../src/cli/suite-progress.ts';

test('without a terminal, a line follows ten seconds in which nothing was printed, until the run ends', () => {
  vi.useFakeTimers();
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  onTestFinished(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
  const progress = createSuiteProgress('mutate');
  vi.advanceTimersByTime(9000);
  expect(told).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2000);
  expect(told.mock.calls).toEqual([['backlot: mutate: running the tests as they are, 10 s']]);
  progress.print('✗ GET /todos 200 done: missing');
  expect(printed).toHaveBeenCalledTimes(1);
  progress.report('3 mutants');
  vi.advanceTimersByTime(9000);
  expect(told).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(2000);
  expect(told).toHaveBeenLastCalledWith('backlot: mutate: 3 mutants, 21 s');
  progress.end();
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveBeenCalledTimes(2);
});

import { siblingPaths, withPaths } from './sibling-paths.ts';
import type { Recording, TestRuns, UntriedCall } from './suite-runner.ts';

/** A suite as it is, with the files whose hooks run around each test, and the calls that no trial changes. */
export interface HookedRecording extends Omit<Recording, 'outside'> {
  readonly hooked: readonly string[];
  /** Paths of requests, as their endpoints are named. */
  readonly paths: readonly string[];
  readonly untried: readonly UntriedCall[];
}

/**
 * Records a suite, and again the files whose hooks `beforeAll` call an API: there, these hooks and `afterAll` run around each test,
 * so that they can be tried with it. If its tests do not pass so, a file remains as it is.
 *
 * @param record runs each test twice. @param hooked the files that it runs so; undefined for all, as they are
 * @param known known paths of requests
 */
export async function recordHooked(
  record: (hooked?: readonly string[]) => Promise<Recording>,
  known: readonly string[] = [],
): Promise<HookedRecording> {
  const { tests, errors, outside } = await record();
  const calling = Object.keys(outside).filter((file) => outside[file]!.hooks.length > 0);
  const again = calling.length === 0 ? undefined : await record(calling);
  const passing = new Set(again?.tests.filter(isGreen).map(({ id }) => id));
  const hooked = calling.filter((file) =>
    tests.every((one) => one.file !== file || !isGreen(one) || passing.has(one.id)),
  );
  const isHooked = ({ file }: TestRuns): boolean => hooked.includes(file);
  const recorded = [
    ...tests.filter((one) => !isHooked(one)),
    ...(again?.tests.filter(isHooked) ?? []),
  ];
  const siblings = siblingPaths(recorded, known);
  return {
    tests: withPaths(recorded, siblings),
    errors,
    hooked,
    paths: [...known, ...siblings],
    untried: Object.entries(outside).flatMap(([file, { loading, hooks }]) => [
      ...loading.map((endpoint) => ({ file, endpoint, at: 'loading' as const })),
      ...(hooked.includes(file) ? [] : hooks).map((endpoint) => ({
        file,
        endpoint,
        at: 'beforeAll' as const,
      })),
    ]),
  };
}

function isGreen({ attempts }: TestRuns): boolean {
  return attempts.length > 0 && attempts.every(({ error }) => error === undefined);
}

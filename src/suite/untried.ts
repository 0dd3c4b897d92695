import { counted } from '../engine/lib/problem.ts';
import type { TestRuns, UntriedCall } from './suite-runner.ts';

/** Says which call no trial changes, and why. */
export function untriedText({ file, endpoint, at }: UntriedCall): string {
  return at === 'loading'
    ? `${endpoint} was called when ${file} was loaded: not tried. Call it in a test or in beforeAll.`
    : `${endpoint} was called in beforeAll of ${file}, whose tests fail if it runs for each test: not tried.`;
}

/** Maximum number of files with mocks that are named. */
const maxNamed = 5;

/** Says which files mock modules, of those whose tests send no request. */
export function mocksTexts(tests: readonly TestRuns[]): string[] {
  const silent = [...Map.groupBy(tests, ({ file }) => file)].filter(([, ofFile]) =>
    ofFile.every(({ mocks = [], plain }) => mocks.length > 0 && (plain?.calls.length ?? 0) === 0),
  );
  const named = silent.slice(0, maxNamed).map(([file, [first]]) => {
    const modules = first?.mocks?.map((one) => `'${one}'`).join(', ');
    return `${file} mocks ${modules}, and sends no request: what a mock returns is not changed. Mock the response instead, with MSW or a stub of fetch.`;
  });
  const left = silent.length - named.length;
  return left === 0 ? named : [...named, `${counted(left, 'more file')} mock modules, too.`];
}

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

/** Says what files mock, of those whose tests send no request and receive no response. */
export function mocksTexts(tests: readonly TestRuns[]): string[] {
  const silent = [...Map.groupBy(tests, ({ file }) => file)].flatMap(([file, ofFile]) => {
    const text = mockText(file, ofFile[0]!);
    return text !== undefined && ofFile.every(receivesNothing) ? [text] : [];
  });
  const left = silent.length - maxNamed;
  return left <= 0
    ? silent
    : [...silent.slice(0, maxNamed), `${counted(left, 'more file')} mock what they receive, too.`];
}

function receivesNothing({ plain, subjects }: TestRuns): boolean {
  return (plain?.calls.length ?? 0) + subjects.length === 0;
}

function mockText(file: string, { mocks = [], hasOwnFetch }: TestRuns): string | undefined {
  if (mocks.length > 0)
    return `${file} mocks ${mocks.map((one) => `'${one}'`).join(', ')}, and sends no request: what a mock returns is not changed. Mock the response instead, with MSW or a stub of fetch.`;
  if (hasOwnFetch === true)
    return `${file} gives its client a function in place of fetch: mutate changes what it returns if the test makes it by new Response() or Response.json(), and chaos nothing. Stub the global fetch instead, or use MSW.`;
  return undefined;
}

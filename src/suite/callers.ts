/**
 * Returns the file that has called a function: its path in the folder of the suite, or the name of its package. Undefined where
 * the host does not tell.
 *
 * @param transparent packages that call it for others
 */
function callerOf(called: object, transparent: RegExp): string | undefined {
  const holder: { stack?: string } = {};
  if (typeof Error.captureStackTrace !== 'function') return undefined;
  Error.captureStackTrace(holder, called as () => unknown);
  return filesIn(holder.stack ?? '').find((file) => !transparent.test(file));
}

/** Whether a function that makes a response was called by a file of tests or of mocks. */
export function isMadeByTests(makes: object): boolean {
  return isOfTests(callerOf(makes, /^(msw|@mswjs\/interceptors)$/));
}

/** Whether a method of a response was called by such a file: `fetch-mock` stands between its responses and their readers. */
export function isReadByTests(reads: object): boolean {
  return isOfTests(callerOf(reads, /^(msw|@mswjs\/interceptors|fetch-mock)$/));
}

/** Ends the line of a call: `?v=1:3:9`. */
const location = /(?:\?[^:?]*)?:\d+:\d+\)?$/;

/** Returns the files of a stack: of `at load (file:///shop/src/api.ts:3:9)`, `at http://localhost:5173/src/api.ts?v=1:3:9`. */
export function filesIn(stack: string): string[] {
  const { process: host }: Partial<typeof globalThis> = globalThis;
  const folder = host?.cwd?.() ?? '';
  return stack.split('\n').flatMap((line) => {
    const end = line.includes('node:') ? undefined : location.exec(line)?.index;
    const start = line.indexOf(' (');
    const url = start === -1 ? line.replace(/^ *at (async )?/, '') : line.slice(start + 2);
    const path = url
      .slice(0, end && end - line.length)
      .replace(/^(file:\/\/|https?:\/\/[^/]+)/i, '');
    if (end === undefined || !/^([a-z]:)?[\\/]/i.test(path)) return [];
    return [packageOf(path) ?? (path.startsWith(folder) ? path.slice(folder.length) : path)];
  });
}

/** Returns the name of the package that has a file. */
function packageOf(path: string): string | undefined {
  const parts = path.split(/[\\/]/);
  const at = parts.lastIndexOf('node_modules');
  if (at === -1) return undefined;
  const [scope = '', name = ''] = parts.slice(at + 1);
  return scope.startsWith('@') ? `${scope}/${name}` : scope;
}

/** Whether a file is one of tests or of their mocks, by its name or its folder: `test/api.ts`, `api.spec.ts`, `mockServer.ts`. */
export function isOfTests(file: string | undefined): boolean {
  return file !== undefined && ofTests.test(file);
}

const ofTests =
  /(?:(?<![a-z])(?:test|spec|e2e|mock|stub|fake|fixture|setup)|Test|Spec|Mock|Stub|Fake|Fixture)(?:s|ing)?(?![a-z])/;

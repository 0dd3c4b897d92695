/**
 * Returns the file that has called a function: its path in the folder of the suite, or the name of its package. Undefined where
 * the host does not tell.
 */
export function callerOf(called: object): string | undefined {
  const holder: { stack?: string } = {};
  if (typeof Error.captureStackTrace !== 'function') return undefined;
  Error.captureStackTrace(holder, called as () => unknown);
  return filesIn(holder.stack ?? '').find((file) => !transparent.test(file));
}

/** Packages that make responses for the file that calls them. */
const transparent = /^(msw|@mswjs\/interceptors)$/;

/** `at load (file:///shop/src/api.ts:3:9)`, `at http://localhost:5173/src/api.ts?v=1:3:9` */
const frame = /(?:file:\/\/|https?:\/\/[^/]+)?((?:[a-z]:)?[\\/][^?]*?)(?:\?[^:]*)?:\d+:\d+\)?$/i;

function filesIn(stack: string): string[] {
  const { process: host }: Partial<typeof globalThis> = globalThis;
  const folder = host?.cwd?.() ?? '';
  return stack.split('\n').flatMap((line) => {
    const [, path] = line.includes('node:') ? [] : (frame.exec(line) ?? []);
    if (path === undefined) return [];
    const [, name] = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path) ?? [];
    return [name ?? (path.startsWith(folder) ? path.slice(folder.length) : path)];
  });
}

/** Whether a file is one of tests or of their mocks, by its name or its folder: `test/api.ts`, `api.spec.ts`, `mockServer.ts`. */
export function isOfTests(file: string | undefined): boolean {
  return file !== undefined && ofTests.test(file);
}

const ofTests =
  /(?:(?<![a-z])(?:test|spec|e2e|mock|stub|fake|fixture|setup)|Test|Spec|Mock|Stub|Fake|Fixture)(?:s|ing)?(?![a-z])/;

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

/** A line of the code under test. */
export interface SourceLine {
  /** Its path in the folder of the suite, or the full path of another file. */
  readonly file: string;
  /** The first one is 1. */
  readonly line: number;
}

/** Maximum number of calls between a line of the code under test and what it reads, such as those of a framework. */
const maxCalls = 100;

/** What has called a function. */
export interface Caller {
  /** The line of the code under test; undefined for one of tests. */
  readonly at: SourceLine | undefined;
  /** The package that has called it by itself, after what it has awaited: no other code stands in between. */
  readonly library: string | undefined;
}

/**
 * Returns what has called a function; nothing of it where the host does not tell.
 *
 * @param test the file of the test, whatever its name is
 */
export function callerOfRead(called: () => unknown, test: string): Caller {
  const [reader, ...others] = callsUntilAwait(called);
  const isOfLibrary = reader !== undefined && ![reader, ...others].some(isOwn);
  const library = isOfLibrary && !ofRunners.test(reader.file) ? reader.file : undefined;
  return { at: ownLines(called, test)[0], library };
}

/**
 * Returns the line of the code under test that has sent a request: of what calls the functions of the project that send it, and not of
 * these, which send others, too.
 *
 * @param send the client
 * @param test the file of the test
 */
export function senderLineOf(send: () => unknown, test: string): SourceLine | undefined {
  return ownLines(send, test).at(-1);
}

/** Returns the lines of the code under test on the way to a function: from the last one to where a package or a test has called it. */
function ownLines(called: () => unknown, test: string): SourceLine[] {
  const stack = stackTo(called);
  // A browser tells the lines of what a server has made of the sources.
  if (/https?:\/\//.test(stack)) return [];
  const frames = framesIn(stack);
  const start = frames.findIndex(isOwn);
  if (start === -1) return [];
  const from = frames.slice(start);
  const isOfTest = ({ file }: Frame): boolean =>
    isOfTests(file) || file.replaceAll('\\', '/').endsWith(`/${test}`);
  const end = from.findIndex((frame) => !isOwn(frame) || isOfTest(frame));
  return from.slice(0, end === -1 ? undefined : end).map(({ file, path, line }) => {
    return { file: file === path ? path : file.slice(1), line };
  });
}

/** Returns the stack of calls that lead to a function; empty where the host does not tell. */
function stackTo(called: () => unknown): string {
  const holder: { stack?: string } = {};
  if (typeof Error.captureStackTrace !== 'function') return '';
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = maxCalls;
  Error.captureStackTrace(holder, called);
  const stack = holder.stack ?? '';
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

/** Returns the calls that lead to one without an `await` in between, which stacks with source maps do not tell. */
function callsUntilAwait(called: () => unknown): Frame[] {
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was
  const { prepareStackTrace } = Error;
  let calls: readonly NodeJS.CallSite[] = [];
  Error.prepareStackTrace = (_, sites) => {
    const at = sites.findIndex((one) => one.isAsync());
    calls = at === -1 ? sites : sites.slice(0, at);
    return '';
  };
  stackTo(called);
  Error.prepareStackTrace = prepareStackTrace;
  return framesIn(calls.map((one) => `at ${one.getFileName()}:1:1`).join('\n'));
}

/** Packages that read for a test or for this one: those of assertions, for example. */
const ofRunners = /^(@?vitest|@?jest|expect|chai|@testing-library|@playwright|backlot)(?![a-z])/;

/** Whether a call is none of a package. */
function isOwn({ file }: Frame): boolean {
  return /^([a-z]:)?[\\/]/i.test(file);
}

/** Ends the line of a call: `?v=1:3:9`. */
const location = /(?:\?[^:?]*)?:(\d+):\d+\)?$/;

/** Returns the files of a stack. */
export function filesIn(stack: string): string[] {
  return framesIn(stack).map(({ file }) => file);
}

interface Frame extends SourceLine {
  readonly path: string;
}

/** Returns the files and lines of a stack: of `at load (file:///shop/src/api.ts:3:9)`, `at http://localhost:5173/src/api.ts?v=1:3:9`. */
function framesIn(stack: string): Frame[] {
  const { process: host }: Partial<typeof globalThis> = globalThis;
  const folder = host?.cwd?.() ?? '';
  return stack.split('\n').flatMap((line) => {
    const found = line.includes('node:') ? null : location.exec(line);
    const end = found?.index;
    const start = line.indexOf(' (');
    const url = start === -1 ? line.replace(/^ *at (async )?/, '') : line.slice(start + 2);
    const path = url
      .slice(0, end && end - line.length)
      .replace(/^(file:\/\/|https?:\/\/[^/]+)/i, '');
    if (end === undefined || !/^([a-z]:)?[\\/]/i.test(path)) return [];
    const file = packageOf(path) ?? (path.startsWith(folder) ? path.slice(folder.length) : path);
    return [{ file, path, line: Number(found?.[1]) }];
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

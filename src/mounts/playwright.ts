import { trimSlashes } from '../engine/lib/api-path.ts';
import './node/require-node.ts';
import {
  expect,
  test as base,
  type APIRequestContext,
  type ExpectMatcherState,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test';
import type { FaultRuleInput } from '../shop/office/scenario.ts';
import type { ScriptRuleInput } from '../shop/checkout/script-rules.ts';
import { valueAt } from '../engine/lib/json-value.ts';
import { jsonLimits } from '../engine/lib/json-limits.ts';
import { Problem, truncate } from '../engine/lib/problem.ts';
import { readJson, readText } from '../engine/lib/read-text.ts';
import { wait } from './fetch/wait.ts';
import { sessionCookie, sessionHeader } from '../engine/sessions/request-target.ts';
import { verificationOf, type ExpectedRequest, type RequestName } from './node/expected-request.ts';
import { saveReport } from './node/tried-counts.ts';
import { attachJournal, attachTrace } from './playwright/attachments.ts';
import type { TestRun } from '../suite/playwright/run.ts';
import { remoteOffice, type RemoteGiven, type RemoteOffice } from './remote/office.ts';
import { noResponse } from './remote/call.ts';

export { expect } from '@playwright/test';
export { Problem } from '../engine/lib/problem.ts';
export { remoteOffice } from './remote/office.ts';
export type {
  Remote,
  RemoteCheckout,
  RemoteClock,
  RemoteGiven,
  RemoteJournal,
  RemoteOffice,
  RemoteOptions,
} from './remote/office.ts';
export type { ExpectedRequest, RequestName } from './node/expected-request.ts';

/** The start of the back office of a test: `test.use({ backlot: { scenario: 'empty' } })`. */
export interface BacklotOptions<Api = unknown> {
  /** Name of a scenario of the server (default: that with which the server was started). */
  readonly scenario?: string;
  /** Seed of passwords, tokens and generated data (default: that of the scenario). */
  readonly seed?: number;
  /** Start time of the clock: `2026-03-02T09:00:00Z`. */
  readonly now?: string;
  /** Sets up data: `(given) => given.anOrder({ awaits: 'payment' })`. */
  readonly given?: (given: RemoteGiven<Api>, office: RemoteOffice<Api>) => unknown;
  /** Faults that apply from the start: `[{ match: { path: '/api/orders' }, status: 503 }]`. */
  readonly faults?: readonly FaultRuleInput[];
  /** Rules of the checkout script: `[{ on: 'purchase', outcome: 'declined' }]`. */
  readonly script?: readonly ScriptRuleInput[];
}

/** The fixtures of each test, and their options. */
export interface OfficeFixtures<Api = unknown> {
  /** The start of the back office: scenario, seed, time, data, faults, script. An option. */
  backlot: BacklotOptions<Api>;
  /**
   * The back office of the test: a session of its own on the server. Pages, `request` and every further context of the
   * test use it, by header; pages also by cookie.
   */
  office: RemoteOffice<Api>;
  /**
   * When the report of a test has the trace of its back office, a page that shows what happened: after a failed test, after
   * each, or never. An option (default: `on-failure`).
   */
  backlotTrace: 'on-failure' | 'on' | 'off';
  /** @internal */
  _backlotRun: TestRun | undefined;
}

/** The fixtures of each worker, and their options. */
export interface ServerFixtures {
  /** URL of the server, as seen by the tests: an option for `use` in the configuration (default: `http://127.0.0.1:4000`). */
  backlotURL: string;
  /** Token of the control API, if the server requires one. An option. */
  backlotToken: string | undefined;
  /** @internal */
  _backlotServer: WorkerServer;
}

/** A server that responds, as a worker uses it. @internal */
export interface WorkerServer {
  readonly url: string;
  open(session: string): RemoteOffice;
  /** Closes a back office in the background, after `finish`. */
  drop(office: RemoteOffice, finish: () => Promise<void>): void;
}

/** A back office whose journal can be verified. */
interface Received {
  readonly journal: {
    verify(...expected: ReturnType<typeof verificationOf>): Promise<void> | void;
  };
}

declare global {
  // oxlint-disable-next-line typescript/no-namespace -- Playwright declares its matchers so
  namespace PlaywrightTest {
    // The declaration must have the type parameters of Playwright's own.
    interface Matchers<R, T> {
      /**
       * Asserts that the back office received matching requests (default: at least one). Waits until it has, as long as
       * other assertions of Playwright do.
       *
       * @example await expect(office).toHaveReceived('PUT /api/checkouts/:order_id', { times: 1 })
       */
      toHaveReceived: T extends Received
        ? <Name extends RequestName>(
            request: Name,
            expected?: ExpectedRequest<Name> & { readonly timeout?: number },
          ) => Promise<R>
        : never;
    }
  }
}

expect.extend({
  async toHaveReceived(
    this: ExpectMatcherState,
    received: Received,
    request: RequestName,
    { timeout = this.timeout, ...expected }: ExpectedRequest & { readonly timeout?: number } = {},
  ) {
    const [filter, counts] = verificationOf(request, expected);
    const end = performance.now() + timeout;
    let failure = await failureOf(received, filter, counts);
    for (let pause = 20; isWrong(failure, this.isNot) && performance.now() < end; pause *= 1.5) {
      await wait(Math.min(pause, 250));
      failure = await failureOf(received, filter, counts);
    }
    const unexpected = failure === undefined && this.isNot;
    const message = unexpected
      ? ((await failureOf(received, filter, { times: 0 })) ?? `Expected not: ${request}`)
      : (failure ?? '');
    return { pass: failure === undefined, message: () => message };
  },
});

function isWrong(failure: string | undefined, isNot: boolean): boolean {
  return (failure === undefined) === isNot;
}

/** Returns the message of a failed verification. Throws for an invalid filter, which is an error in the test. */
async function failureOf(
  received: Received,
  ...wanted: ReturnType<typeof verificationOf>
): Promise<string | undefined> {
  try {
    await received.journal.verify(...wanted);
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'refused') return error.message;
    throw error;
  }
}

/** The `test` function of Playwright with a back office for each test, on one running server. */
export const test = base.extend<OfficeFixtures, ServerFixtures>({
  backlotURL: ['http://127.0.0.1:4000', { option: true, scope: 'worker' }],
  backlotToken: [undefined, { option: true, scope: 'worker' }],
  backlot: [{}, { option: true }],
  backlotTrace: ['on-failure', { option: true }],
  _backlotServer: [
    async ({ backlotURL, backlotToken }, use) => {
      const dropping = new Set<Promise<void>>();
      await assertServer(backlotURL);
      await use({
        url: backlotURL,
        open: (session) => remoteOffice({ url: backlotURL, session, token: backlotToken }),
        drop(office, finish) {
          const dropped = finish().then(() => office.close());
          // It is reported when the worker ends.
          dropped.catch(() => undefined);
          dropping.add(dropped);
        },
      });
      await Promise.all(dropping);
    },
    { scope: 'worker', box: true },
  ],
  // Before browsers start, because it may skip the test.
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from a pattern
  _backlotRun: [({}, use, testInfo) => openRun(testInfo).then(use), { auto: true, box: true }],
  office: async (
    { backlot, backlotToken, backlotTrace, _backlotServer, _backlotRun },
    use,
    testInfo,
  ) => {
    const office = _backlotServer.open(nameOf(testInfo));
    await start(office, backlot);
    await _backlotRun?.begin(office, _backlotServer.url);
    await use(_backlotRun?.ofTest(office) ?? office);
    if (_backlotRun !== undefined) {
      await _backlotRun.end(office);
      return _backlotServer.drop(office, () => Promise.resolve());
    }
    const isFailed = testInfo.status !== testInfo.expectedStatus;
    if (isFailed) await attachJournal(office, testInfo);
    if (backlotTrace === 'on' || (isFailed && backlotTrace === 'on-failure'))
      await attachTrace(office, testInfo);
    _backlotServer.drop(office, () => saveCoverage(office, testInfo, backlotToken));
  },
  // Every context of the test gets these headers, `request` included.
  extraHTTPHeaders: async ({ extraHTTPHeaders, office }, use) => {
    await use({ ...extraHTTPHeaders, [sessionHeader]: office.session });
  },
  storageState: async ({ storageState, office, baseURL, _backlotServer: { url } }, use) => {
    if (typeof storageState === 'string') return use(storageState);
    const { cookies = [], origins = [] } = storageState ?? {};
    return use({ cookies: [...cookies, ...cookiesOf(office, [url, baseURL ?? url])], origins });
  },
  // A test can replace both by its own: `test.use({ storageState: 'signed-in.json', extraHTTPHeaders: … })`.
  context: async (
    {
      context,
      storageState,
      extraHTTPHeaders,
      baseURL,
      office,
      _backlotServer: { url },
      _backlotRun,
    },
    use,
  ) => {
    if (!hasCookie(storageState)) {
      await context.addCookies(cookiesOf(office, [url, baseURL ?? url]));
    }
    if (!hasSession(extraHTTPHeaders)) {
      await context.setExtraHTTPHeaders({ ...extraHTTPHeaders, [sessionHeader]: office.session });
    }
    await _backlotRun?.watch(context);
    await use(context);
    await _backlotRun?.look(context);
  },
  request: async ({ request, playwright, extraHTTPHeaders, office, _backlotRun }, use) => {
    if (hasSession(extraHTTPHeaders) && _backlotRun === undefined) return use(request);
    const session = { [sessionHeader]: office.session };
    const headers = { ...session, ...extraHTTPHeaders, ..._backlotRun?.headersOfTest };
    const own: APIRequestContext = await playwright.request.newContext({
      extraHTTPHeaders: headers,
    });
    await use(own);
    return own.dispose();
  },
});

/**
 * Returns `test` for the API of a definition, which the server has by `--config`: `createTest<typeof api>()`. `office.given`
 * has its records.
 */
export function createTest<Api>(): TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & OfficeFixtures<Api>,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & ServerFixtures
> {
  const withoutApi: object = test;
  // One `test` for all APIs: Playwright would start other workers for another one.
  return withoutApi as ReturnType<typeof createTest<Api>>;
}

/** Returns the run of a test if a command runs the suite again and again. Without one, nothing is loaded. */
async function openRun(testInfo: TestInfo): Promise<TestRun | undefined> {
  const folder = process.env['BACKLOT_SUITE'];
  if (folder === undefined) return undefined;
  const { openTestRun } = await import('../suite/playwright/run.ts');
  return openTestRun(folder, testInfo);
}

/** @throws Error that says what to do if the server does not respond, or has no control API */
async function assertServer(url: string): Promise<void> {
  const health = `${trimSlashes(url)}/_backlot/health`;
  const response = await fetch(health).catch((cause: unknown) => {
    const fix =
      'Start it by webServer in the configuration of Playwright, or set backlotURL to the URL of a running server.';
    throw noResponse(url, fix, cause);
  });
  if (response.ok) return;
  const text = await readText({ response, name: health }, jsonLimits.report.bytes);
  throw new Error(`${health} returned ${response.status}: ${truncate(text)}`);
}

/** Returns a unique name for a session, in which the title of the test can be recognised. */
function nameOf({ title }: TestInfo): string {
  const words = title.normalize('NFKD').match(/[A-Za-z0-9]+/g) ?? ['test'];
  const readable = words.join('-').slice(0, 48).toLowerCase();
  return `${readable}-${crypto.randomUUID().slice(-12)}`;
}

async function start(office: RemoteOffice, options: BacklotOptions): Promise<void> {
  const { scenario, seed, now, given, script = [], faults = [] } = options;
  if ((scenario ?? seed ?? now) !== undefined) {
    const moved = { ...(seed !== undefined && { seed }), ...(now !== undefined && { now }) };
    await office.reset(scenario, moved);
  }
  await given?.(office.given, office);
  await office.given.theScript(...script);
  await office.given.aFault(...faults);
}

type StorageState = Exclude<PlaywrightTestOptions['storageState'], string | undefined>;

/** Returns cookies that name a session: for the server of the pages, and for that of Backlot. */
function cookiesOf({ session }: RemoteOffice, urls: readonly string[]): StorageState['cookies'] {
  const hosts = new Set(urls.map((url) => new URL(url).hostname));
  return Array.from(hosts, (domain) => ({
    name: sessionCookie,
    value: session,
    domain,
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax',
  }));
}

function hasCookie(state: PlaywrightTestOptions['storageState']): boolean {
  return typeof state === 'object' && state.cookies.some(({ name }) => name === sessionCookie);
}

function hasSession(headers: Readonly<Record<string, string>> = {}): boolean {
  return sessionHeader in headers;
}

/** Saves what a try of a test has met of the contract for the reporter, if there is one. */
async function saveCoverage(
  office: RemoteOffice,
  testInfo: TestInfo,
  token: string | undefined,
): Promise<void> {
  const run = process.env['BACKLOT_COVERAGE'];
  if (run === undefined) return;
  const headers = token === undefined ? {} : { 'x-backlot-token': token };
  const response = await office.fetch(`/_backlot/coverage?session=${office.session}`, { headers });
  const report = await readJson({ response, name: 'The contract coverage' }, jsonLimits.report);
  if (valueAt(report, ['counts']) !== undefined) saveReport(run, testInfo, report);
}

import './node/require-node.ts';
import { createRequire } from 'node:module';
import type { HttpHandler } from 'msw';
import { createBackOffice as mount } from './node/create-back-office.ts';
import { createFetch, type MountedBackOffice, type MountOptions } from './mount.ts';
import { withTables, type TypedOptions, type WithTables } from '../engine/office/typed-office.ts';
import { assertOptions, type NamesOf } from '../engine/lib/unknown-keys.ts';
import { givenFor, type Given } from '../shop/given/given.ts';
import { LazyInterception } from './node/lazy-interception.ts';
import { ListenerGroup } from './node/listener-group.ts';
import type { Listener } from './node/listeners.ts';
import { FetchInterception, NetworkInterception } from './node/network.ts';
import { mswVersion, requireMswWith } from './node/load-msw.ts';
import { UndiciInterception } from './node/undici.ts';
import { createDispatcher, UndiciClients, type OfficeDispatcher } from './node/undici-clients.ts';
import type { UnhandledRequest } from './node/unhandled.ts';
import { withPage } from '../engine/lib/error-page.ts';

// All that `backlot` exports, so that a suite imports from one entry point.
export { Problem, type FieldIssue, type ProblemKind } from '../engine/lib/problem.ts';
export { defineScenario, type Scenario, type ScenarioInput } from '../shop/office/scenario.ts';
export type { ScenarioName, Settings, SettingsInput } from '../shop/office/scenario.ts';
export type { RuleTarget, ScriptRuleInput } from '../shop/checkout/script-rules.ts';
export type { FaultRuleInput } from '../shop/office/scenario.ts';
export type { JournalEntry } from '../engine/journal/recorded-exchange.ts';
export type { JournalFilterInput } from '../engine/journal/journal-filter.ts';
export type { Collections as Database } from '../shop/models/database.ts';
export type {
  StoreOffice as BackOffice,
  StoreOptions as BackOfficeOptions,
} from '../shop/office/store-office.ts';
export type { ApiResponse, ApiRequest } from '../engine/rest/message.ts';
export { saveTrace } from './node/save-trace.ts';
export { storeAt } from './stores/store-at.ts';
export type { Trace } from '../engine/office/trace/trace-format.ts';
export type { HistoryApi, HistoryEntry, HistorySummary } from '../engine/office/history-api.ts';
export type { BackOfficeFile } from '../engine/office/file.ts';
export type { HeldRequest } from '../engine/office/held-responses.ts';
export type { Given, GivenOrder, GivenProduct } from '../shop/given/given.ts';
export type { MountedBackOffice, MountOptions } from './mount.ts';
export { toHaveReceived, type ExpectedRequest, type RequestName } from './node/received.ts';
export type { OfficeDispatcher } from './node/undici-clients.ts';
export type { UnhandledRequest } from './node/unhandled.ts';

/** Options of `listen`. */
export interface ListenOptions {
  /** The treatment of requests that no endpoint's base URL covers (default: `error`). */
  readonly onUnhandledRequest?: UnhandledRequest;
  /**
   * The clients whose requests are intercepted: `all` (`fetch`, `node:http`, axios, undici), or only the global `fetch`,
   * which is faster (default: `all`).
   */
  readonly clients?: 'all' | 'fetch';
  /**
   * Your MSW handlers, which run before the back office: `[http.get('/api/reports/:year', …)]`. A path without an origin
   * matches any origin. What they answer is not in the journal.
   */
  readonly handlers?: readonly HttpHandler[] | undefined;
}

const listenOptionNames: NamesOf<ListenOptions> = {
  onUnhandledRequest: true,
  clients: true,
  handlers: true,
};

/** A back office that can intercept the network requests of the code under test. */
export interface NodeBackOffice extends MountedBackOffice {
  /** Functions for test set-up: `given.anOrder({ awaits: 'payment' })`. */
  readonly given: Given;
  /**
   * Starts to intercept the requests of this process. Unless `clients` is `fetch`, this requires MSW.
   *
   * @throws Error if it already listens, or if MSW is required and not installed
   */
  listen(options?: ListenOptions): void;
  /** Whether it intercepts the requests of this process. */
  listening(): boolean;
  /** Ends the interception, and sends all held responses. */
  close(): void;
  /**
   * Runs a function whose requests, and no others, go to this back office: for concurrent tests. Those that it sends after `close`
   * are rejected.
   *
   * @throws Error if it does not listen
   */
  within<Result>(work: () => Result): Result;
  /**
   * Sends all later requests of the current asynchronous context (`AsyncLocalStorage.enterWith`) to this back office. After `close`,
   * they are rejected.
   *
   * @throws Error if it does not listen
   */
  enter(): void;
  /**
   * Returns a dispatcher for undici 6, 7 and 8 and for `fetch` of Node.js, whose requests go to this back office, whether
   * it listens or not: `undici.request(url, { dispatcher: office.dispatcher() })`. A URL that the base URL does not cover
   * is rejected. Its type is that of the place where it is passed, which depends on the version of undici.
   */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- inferred from where it is passed
  dispatcher<Type extends object = OfficeDispatcher>(): Type;
  [Symbol.dispose](): void;
}

requireMswWith(createRequire(import.meta.url));

/** An interception affects the whole process, so there is one of each kind. */
const allClients = new ListenerGroup((listeners) => {
  const undici = new UndiciInterception(listeners);
  const network = new NetworkInterception(listeners);
  const msw = new LazyInterception(network, () => usesNativeFetch() && undici.isCurrent, undici);
  const clients = new UndiciClients(listeners, () => undici.isPassing || network.isSending);
  return [undici, msw, clients];
});

/** Whether `fetch` stays native under this version of MSW. Version 2 responds in its place. */
function usesNativeFetch(): boolean {
  return Number.parseInt(mswVersion()) >= 3;
}

/** MSW 3 intercepts the sockets of Node.js, which `fetch` of Bun and Deno does not use. */
function missesFetch(): boolean {
  const { bun, deno } = process.versions;
  return (bun ?? deno) !== undefined && usesNativeFetch();
}

const fetchOnly = new ListenerGroup((listeners) => [new FetchInterception(listeners)]);

/**
 * Opens an isolated back office that can intercept the requests of a test suite.
 *
 * @throws Problem `missing` if there is no scenario of this name; `invalid` with every issue of a scenario object
 */
export function createBackOffice<Tables = unknown>(
  options: MountOptions & TypedOptions<Tables> = {},
): WithTables<NodeBackOffice, Tables> {
  const given: MountOptions = options;
  const mounted = mount(given);
  const { baseUrl = '*' } = options;
  const fetch = createFetch(mounted, baseUrl, { isUnderTest: true });
  let open: { listener: Listener; group: ListenerGroup } | undefined;
  const close = (): void => {
    open?.group.remove(open.listener);
    open = undefined;
    mounted.releaseAll();
  };
  const office: NodeBackOffice = Object.assign(mounted, {
    given: givenFor(mounted),
    listen(listenOptions: ListenOptions = {}) {
      assertOptions('listen', listenOptions, listenOptionNames);
      const { onUnhandledRequest = 'error', clients = 'all', handlers = [] } = listenOptions;
      if (open !== undefined) throw new Error('Failed to listen: this back office already listens');
      const listener = { backOffice: mounted, fetch, baseUrl, onUnhandledRequest, handlers };
      const isOfFetch = clients === 'fetch' || missesFetch();
      // oxlint-disable-next-line no-console -- other clients reach the network
      if (isOfFetch && clients === 'all') console.warn(fetchIsAll);
      const group = isOfFetch ? fetchOnly : allClients;
      group.add(listener);
      open = { listener, group };
    },
    close,
    listening: () => open !== undefined,
    enter() {
      if (open === undefined) throw new Error(notListening);
      open.group.listeners.enter(open.listener);
    },
    within<Result>(work: () => Result): Result {
      if (open === undefined) throw new Error(notListening);
      return open.group.listeners.within(open.listener, work);
    },
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as declared
    dispatcher<Type extends object>() {
      const dispatcher: object = createDispatcher({ shop: mounted.shop, fetch }, baseUrl);
      return dispatcher as Type;
    },
    [Symbol.dispose]: close,
  });
  return withTables(office, options);
}

const fetchIsAll =
  "MSW 3 cannot intercept requests in Bun and Deno: only the global fetch is intercepted, and other clients reach the network. Install msw@2 to intercept all, or choose `clients: 'fetch'`.";

const notListening = withPage(
  'not-listening',
  'Failed to send requests to a back office that does not listen: call listen() first.',
);

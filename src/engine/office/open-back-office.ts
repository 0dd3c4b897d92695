import { createPipeline, createUnobserved, createDryRun } from './pipeline.ts';
import { createScriptApi } from './script-api.ts';
import { createFaultsApi } from '../faults/fault-rules.ts';
import { exportShop, importShop } from './file.ts';
import { activeCoverage } from '../coverage/active.ts';
import { countTransition } from '../coverage/count-exchange.ts';
import type { CoverageRecorder } from '../coverage/recorder.ts';
import { createAtomic } from './atomic.ts';
import type { AnyScenario, BackOffice } from './back-office.ts';
import { HeldResponses } from './held-responses.ts';
import { intercepted } from './interceptor.ts';
import { historyAccess, type HistoryAccess } from './history-access.ts';
import { budgetOf } from './budget.ts';
import { ResponseCache } from './response-cache.ts';
import type { Journal } from '../journal/journal.ts';
import type { Exchange } from '../journal/recorded-exchange.ts';
import { redactText, redactUrl } from '../journal/redaction.ts';
import {
  createSnapshots,
  initialState,
  restoreState,
  shopState,
  type Snapshots,
  type SnapshotStore,
} from './snapshots.ts';
import { collections } from '../store/collections-part.ts';
import { addressOf, namedPath } from '../lib/api-path.ts';
import { valueAt } from '../lib/json-value.ts';
import { assertOptions } from '../lib/unknown-keys.ts';
import { traceFormat } from './trace/trace-mark.ts';
import { routerOf } from '../definition/api-router.ts';
import { atPath } from '../definition/at-path.ts';
import type { ApiContext, ApiDefinition } from '../definition/api.ts';
import type { ApiRequest } from '../rest/message.ts';
import { changeLinks } from '../rest/page.ts';
import type { Host } from '../rest/serve.ts';
import { limitedHeaderIssues } from '../faults/fault-response.ts';
import { assertNoIssues, nestIssues } from '../scenario/issues.ts';
import { openScenario } from '../scenario/open-scenario.ts';
import type { ReadyScenario } from '../scenario/scenario.ts';
import { moveToToday } from '../scenario/today.ts';
import { noFiles, openBuiltIn } from '../scenario/built-in.ts';
import {
  openShop,
  startOf,
  startOptions,
  type ClockOptions,
  type OpenShop,
  type StartOptions,
  type Start,
} from '../scenario/start.ts';

export type { AnyScenario, BackOffice } from './back-office.ts';

/** Options of a back office. All of them are optional but its API. */
export interface BackOfficeOptions extends StartOptions, ClockOptions {
  /** The API that it serves. */
  readonly api: ApiDefinition;
  /** The path of the endpoints for clients: `/api/v1`, `/rest/V1`, or an empty text for none (default: `/api`). */
  readonly apiPath?: string | undefined;
  /** Name of a built-in scenario, a scenario of your own, or an opened one (default: `default`). */
  readonly scenario?: AnyScenario | undefined;
  /** Name of the session, on a server with sessions. */
  readonly session?: string | undefined;
  /** Maximum number of records in addition to those of the scenario (default: unlimited). */
  readonly maxRows?: number | undefined;
  /**
   * Whether faults may set only headers that affect no other response of the origin, such as `retry-after` (default:
   * false). For servers on which every client can add faults.
   */
  readonly limitFaultHeaders?: boolean | undefined;
  /** Maximum number of named snapshots (default: 1000). */
  readonly maxSnapshots?: number | undefined;
  /** About how many bytes of responses are cached (default: 104,857,600). A session has 49,152. */
  readonly maxCachedBytes?: number | undefined;
  /** Counts what requests meet of the contract (default: that of the process, if it has one). */
  readonly coverage?: CoverageRecorder | undefined;
  /**
   * Whether every change is recorded, so that `office.history` shows what a request changed and can go back to before it;
   * or the maximum number of changes that are kept (default: false; true: the setting `journalSize`, at least 500).
   */
  readonly history?: boolean | { readonly maxEntries: number } | undefined;
  /** Receives errors of this program, which a client sees as status 500 (default: prints them to the console). */
  readonly report?: ((fault: unknown, request: ApiRequest) => void) | undefined;
}

/**
 * Opens a scenario: loads its records, sets up what else it lists and sets the clock to its `now`.
 *
 * @throws Problem `missing` if the scenario is not found, `invalid` with every issue of a scenario of your own
 */
export function openBackOffice(options: BackOfficeOptions): BackOffice {
  const { session, report = reportToConsole } = options;
  const shop = shopOf(options);
  let db: BackOffice['db'] | undefined;
  const coverage = options.coverage ?? activeCoverage();
  if (coverage !== undefined) shop.onTransition = (...made) => countTransition(coverage, ...made);
  const budget = budgetOf(options);
  const atomic = createAtomic(shop, options.maxRows);
  const snapshots = createSnapshots(shop, options.maxSnapshots ?? 1000);
  const cache = new ResponseCache(shop, budget.cached);
  const context = { shop };
  const host = hostOf(shop, { report, transaction: atomic, context });
  const holds = new HeldResponses(shop, budget.held);
  const history = historyAccess(shop, options, budget);
  const recording = { journal: history.journal, history, session, coverage };
  const parts = { shop, router: routerOf(shop.api), host, cache, holds, ...recording };
  shop.clock.onMove((before) => history.moveClock(before, () => shop.api.runDueEvents(shop)));
  const office: BackOffice = {
    session,
    get scenario() {
      return shop.start.scenario;
    },
    get settings() {
      return shop.settings;
    },
    get db() {
      return (db ??= collections.parts().createCollections(shop.db));
    },
    clock: shop.clock,
    shop,
    get explain() {
      return history.explain();
    },
    script: createScriptApi(shop, atomic),
    faults: createFaultsApi(shop, atomic, { ...options, holds }),
    journal: history.journal,
    get history() {
      return history.api();
    },
    ...historyMethods(history),
    snapshots,
    ...holdMethods(holds),
    sibling: (name, other) => openBackOffice({ ...optionsOf(name, options), scenario: other }),
    answer: intercepted(() => office, createPipeline(parts)),
    dryRun: createDryRun({ ...parts, coverage: undefined }),
    requestUnobserved: createUnobserved(parts),
    ...stateMethods(shop, options, { snapshots, holds, history }),
    ...shop.api.officeMethods?.(shop, atomic),
  };
  return office;
}

function historyMethods(
  history: HistoryAccess,
): Pick<BackOffice, 'beginAction' | 'on' | 'recordHistory'> {
  return {
    beginAction: (actor) => history.recorder?.beginAction(actor) ?? (() => undefined),
    on: (listener) => history.api().on(listener),
    recordHistory: () => history.start(),
  };
}

/** Opens the shop of a scenario. One that is open already may be of the API at another path. */
function shopOf({ scenario = 'default', ...options }: BackOfficeOptions): OpenShop {
  const api = atPath(options.api, options.apiPath);
  const shop = openShop(startWithinLimits(readyScenario(api, scenario), options), options);
  const { onState } = api;
  return { ...shop, api: atPath(shop.api, api.path), ...(onState && { onState }) };
}

function holdMethods(holds: HeldResponses): Pick<BackOffice, 'held' | 'release' | 'releaseAll'> {
  return {
    held: () => holds.list(),
    release: (name) => holds.release(name),
    releaseAll: () => holds.releaseAll(),
  };
}

interface StateParts {
  readonly snapshots: SnapshotStore;
  readonly holds: HeldResponses;
  readonly history: HistoryAccess;
}

/** Creates the functions that replace the whole state. */
function stateMethods(
  shop: OpenShop,
  options: BackOfficeOptions,
  { snapshots, holds, history }: StateParts,
): Pick<
  BackOffice,
  'reset' | 'snapshot' | 'restore' | 'rewind' | 'savepoint' | 'follow' | 'export' | 'import'
> {
  const replaceSnapshots = (named: ReturnType<Snapshots['list']>): void => {
    snapshots.clear();
    for (const one of named) snapshots.put(one.name, one);
  };
  return {
    reset(scenario, given) {
      assertOptions('reset', given ?? {}, startOptions);
      const start = otherStartOf(shop, options, scenario, given);
      history.replace('reset', `reset the shop to ${start.scenario.name}`, () =>
        restoreState(shop, initialState(start, shop)),
      );
      if (history.recorder === undefined) history.journal.reset();
      holds.releaseAll();
    },
    snapshot(name) {
      const taken = snapshots.take(name);
      history.recorder?.stateTaken(taken.state);
      return taken;
    },
    restore: holds.releaseAfter((snapshot) => {
      const { name, state } = typeof snapshot === 'string' ? snapshots.get(snapshot) : snapshot;
      const restore = (): void => restoreState(shop, state);
      const title = name === undefined ? 'restored a snapshot' : `restored the snapshot ${name}`;
      history.replace('restore', title, restore, state);
    }),
    rewind(id, to) {
      const entry = history.api().rewind(id, to);
      holds.releaseAll();
      return entry;
    },
    savepoint() {
      const removeEntries = history.savepoint();
      const [state, named] = [shopState(shop), snapshots.list()];
      return () => {
        restoreState(shop, state);
        replaceSnapshots(named);
        removeEntries();
      };
    },
    follow(other, title) {
      const restore = (): void => restoreState(shop, shopState(other.shop));
      holds.sendReleasedBy(() => history.replace('restore', title, restore));
      replaceSnapshots(other.snapshots.list());
    },
    export: () => exportShop(shop),
    import: holds.releaseAfter((file) =>
      valueAt(file, ['format']) === traceFormat
        ? history.open(file, options)
        : history.replace('restore', 'imported a file', () => importShop(shop, file, options)),
    ),
  };
}

/** Returns the options of a session of the same server. */
function optionsOf(session: string, { coverage, ...others }: BackOfficeOptions): BackOfficeOptions {
  return { ...others, session, coverage: coverage?.ofSession?.(session) ?? coverage };
}

function hostOf(
  shop: OpenShop,
  parts: Pick<Host<ApiContext>, 'report' | 'transaction' | 'context'>,
): Host<ApiContext> {
  const { path, ids } = shop.api;
  return {
    ...parts,
    ...((path !== namedPath || ids) && {
      withLinks: (answer) =>
        changeLinks(answer, (link) => addressOf(path, ids?.linkOf(shop, link) ?? link)),
    }),
    get settings() {
      return shop.settings;
    },
  };
}

/** Returns the start that a reset leads to (default: the start of this back office). */
function otherStartOf(
  { start }: OpenShop,
  options: BackOfficeOptions,
  scenario?: AnyScenario,
  other?: StartOptions,
): Start {
  if (scenario === undefined && other === undefined) {
    return start.origin === undefined ? start : moveToToday(start.origin, options.currentTime);
  }
  const { seed = options.seed, now = options.now, settings = options.settings } = other ?? {};
  const { today = options.today, currentTime = options.currentTime } = other ?? {};
  const changed = { ...options, seed, now, today, currentTime, settings };
  return startWithinLimits(readyScenario(start.scenario.api, scenario ?? start.scenario), changed);
}

/** Starts a scenario within the limits of a server. @throws Problem `invalid` as `startOf`, and for faults with headers that may not be set */
function startWithinLimits(scenario: ReadyScenario, options: BackOfficeOptions): Start {
  const start = startOf(scenario, options);
  if (options.limitFaultHeaders === true) {
    const faults = start.state['faultRules']?.rows.values() ?? [];
    const issues = [...faults].flatMap((rule, at) =>
      nestIssues(['faults', at], limitedHeaderIssues(rule)),
    );
    assertNoIssues(`scenario ${scenario.name}`, issues);
  }
  return start;
}

function readyScenario(api: ApiDefinition, scenario: AnyScenario): ReadyScenario {
  const base = (name: string): ReadyScenario => openBuiltIn(api, name);
  if (typeof scenario === 'string') return base(scenario);
  return isReady(scenario)
    ? scenario
    : // It validates what the type of a JSON file does not say.
      openScenario(scenario, { api, records: noFiles, base });
}

function isReady(scenario: Exclude<AnyScenario, string>): scenario is ReadyScenario {
  return 'data' in scenario && scenario.data instanceof Map;
}

/** Records a request that another server has answered. */
export function recordExchange({ journal }: BackOffice, exchange: Exchange): void {
  (journal as Journal).record(exchange);
}

/** Prints an unexpected error, for hosts without a `report` of their own. */
export function reportToConsole(fault: unknown, { method, url }: ApiRequest): void {
  // oxlint-disable-next-line no-console -- the log of last resort
  console.error(`Failed to answer ${redactText(method)} ${redactUrl(url)}:`, shownFault(fault));
}

/** Redacts the secrets of the request, which a message of the platform may repeat. */
function shownFault(fault: unknown): unknown {
  const text = fault instanceof Error ? String(fault.stack) : String(fault);
  const shown = redactText(text);
  return shown === text ? fault : shown;
}

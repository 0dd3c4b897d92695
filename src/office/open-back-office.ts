import { runDueEvents } from '../checkout/time.ts';
import { createPipeline, createUnobserved, createDryRun } from './pipeline.ts';
import { createCheckoutApi } from './checkout-api.ts';
import { createFaultsApi } from '../faults/faults-api.ts';
import { exportShop, importShop } from './file.ts';
import { Journal } from '../journal/journal.ts';
import { createAtomic } from './atomic.ts';
import type { AnyScenario, BackOffice } from './back-office.ts';
import { ResponseCache } from './response-cache.ts';
import { redactText, redactUrl } from '../journal/redaction.ts';
import { createScriptApi } from './script-api.ts';
import { createSnapshots } from './snapshots.ts';
import type { FaultRule } from '../models/fault-rule.ts';
import { createCollections, type Collections } from '../models/database.ts';
import { Problem } from '../lib/problem.ts';
import type { ShopContext, ShopEndpoint } from '../resources/endpoint.ts';
import { contract } from '../resources/index.ts';
import { oauthEndpoints, assertToken } from '../resources/oauth.ts';
import type { ApiRequest } from '../rest/message.ts';
import { createServe, type Host } from '../rest/serve.ts';
import { limitedHeaderIssues } from '../faults/fault-headers.ts';
import { assertNoIssues, nestIssues } from '../scenario/issues.ts';
import { initialState, restoreState } from './shop-state.ts';
import { openScenario } from '../scenario/open-scenario.ts';
import type { ReadyScenario, ScenarioInput } from '../scenario/scenario.ts';
import { builtInScenario } from '../scenario/built-in.ts';
import {
  openShop,
  startOf,
  type ClockOptions,
  type OpenShop,
  type Start,
  type StartOptions,
} from '../scenario/start.ts';

export type { AnyScenario, BackOffice } from './back-office.ts';

/** What a back office is opened with; all of it may be left out. */
export interface BackOfficeOptions extends StartOptions, ClockOptions {
  /** A scenario that comes with the package, by name (`default`), one of your own, or one that is open already. */
  readonly scenario?: AnyScenario | undefined;
  /** Another seed than the scenario's. */
  readonly seed?: number | undefined;
  /** Another moment to start at: `2026-03-02T09:00:00+0000`. */
  readonly now?: string | undefined;
  /** Settings over those of the scenario, from `now` on. Orders of the scenario are made under its own. */
  readonly settings?: StartOptions['settings'];
  /** Its name among the sessions of a server. */
  readonly session?: string | undefined;
  /** How many records it may hold beside those of the scenario; any number if not given. */
  readonly maxRows?: number | undefined;
  /**
   * Whether faults may set only headers that affect no other response of the origin, such as `retry-after` (default:
   * false). For servers that anyone can add faults to.
   */
  readonly limitFaultHeaders?: boolean | undefined;
  /** How many named snapshots are kept: 1000 if not given. */
  readonly maxSnapshots?: number | undefined;
  /** Hears of faults of this program, which a client sees as status 500; they go to the console if not given. */
  readonly report?: ((fault: unknown, request: ApiRequest) => void) | undefined;
}

/** Every endpoint of the interface, for those who mount them one by one. */
export const endpoints: readonly ShopEndpoint[] = [...contract, ...oauthEndpoints];

const serve = createServe(endpoints);

/** How many characters are kept of what was asked and answered. There can be a thousand sessions. */
const roomAlone = { journal: 1_048_576, readings: 262_144 };
const roomAmongOthers = { journal: 65_536, readings: 16_384 };

/**
 * Opens a scenario: its records loaded, its orders taken through the shop, ready at its `now`.
 *
 * @throws Problem `missing` for a scenario that is not there, `invalid` with every mistake of one that is given
 */
export function openBackOffice(options: BackOfficeOptions = {}): BackOffice {
  const { scenario = 'default', report = reportToConsole, maxRows, maxSnapshots = 1000 } = options;
  const shop = openShop(startWithin(readyScenario(scenario), options), options);
  const { clock } = shop;
  let collections: Collections | undefined;
  const { session } = options;
  const room = session === undefined ? roomAlone : roomAmongOthers;
  const journal = new Journal(shop, { session, budget: room.journal });
  const whole = createAtomic(shop, maxRows);
  const snapshots = createSnapshots(shop, maxSnapshots);
  const host = hostOf(shop, { report, transaction: whole }, new ResponseCache(shop, room.readings));
  const answering = { shop, serve, host, journal, session };
  clock.onMove(() => runDueEvents(shop));
  return {
    session,
    get scenario() {
      return shop.start.scenario;
    },
    get settings() {
      return shop.settings;
    },
    get db() {
      return (collections ??= createCollections(shop.db));
    },
    clock,
    shop,
    checkout: createCheckoutApi(shop, whole),
    script: createScriptApi(shop, whole),
    faults: createFaultsApi(shop, whole, options),
    journal,
    snapshots,
    sibling: (name, other) => openBackOffice({ ...options, session: name, scenario: other }),
    answer: createPipeline(answering),
    dryRun: createDryRun(answering),
    requestUnobserved: createUnobserved({ shop, serve, host }),
    reset(other, otherStart) {
      restoreState(shop, initialState(otherStartOf(shop, options, other, otherStart), shop));
      journal.reset();
    },
    snapshot: (name) => snapshots.take(name),
    restore: (snapshot) => snapshots.restore(snapshot),
    export: () => exportShop(shop),
    import: (file) => importShop(shop, file, options),
  };
}

/** What stands behind the endpoints. */
function hostOf(
  shop: OpenShop,
  given: Pick<Host<ShopContext>, 'report' | 'transaction'>,
  readings: ResponseCache,
): Host<ShopContext> {
  return {
    ...given,
    get settings() {
      return shop.settings;
    },
    context: { shop },
    reading: ({ path, query }, read) => readings.answer(`${path}?${query}`, read),
    admit: (request, target) => assertToken(shop, request, target),
  };
}

/** Where a reset leads to: where it began, unless something else is said. */
function otherStartOf(
  { start }: OpenShop,
  options: BackOfficeOptions,
  scenario?: AnyScenario,
  other?: StartOptions,
): Start {
  if (scenario === undefined && other === undefined) return start;
  const { seed = options.seed, now = options.now, settings = options.settings } = other ?? {};
  const wanted = { ...options, seed, now, settings };
  return startWithin(readyScenario(scenario ?? start.scenario), wanted);
}

/** @throws Problem `invalid` as `startOf`, and for faults with headers that may not be set */
function startWithin(scenario: ReadyScenario, options: BackOfficeOptions): Start {
  const start = startOf(scenario, options);
  if (options.limitFaultHeaders === true) {
    const faults = [...start.state.faultRules.rows.values()] as FaultRule[];
    const mistakes = faults.flatMap((rule, at) =>
      nestIssues(['faults', at], limitedHeaderIssues(rule)),
    );
    assertNoIssues(`scenario ${scenario.name}`, mistakes);
  }
  return start;
}

function readyScenario(scenario: AnyScenario): ReadyScenario {
  if (typeof scenario === 'string') return builtInScenario(scenario);
  return isReady(scenario)
    ? scenario
    : openScenario(scenario, { records: noFiles, base: builtInScenario });
}

function isReady(scenario: ScenarioInput | ReadyScenario): scenario is ReadyScenario {
  return scenario.data instanceof Map;
}

function noFiles(path: string): never {
  throw new Problem('invalid', `${path} names a file; give the records themselves`);
}

/** Where faults go that nobody else hears of. */
export function reportToConsole(fault: unknown, { method, url }: ApiRequest): void {
  // oxlint-disable-next-line no-console -- the log of last resort, where the host gave none
  console.error(`Failed to answer ${redactText(method)} ${redactUrl(url)}:`, shownFault(fault));
}

/** A message of the platform may repeat what was sent. */
function shownFault(fault: unknown): unknown {
  const text = fault instanceof Error ? String(fault.stack) : String(fault);
  const shown = redactText(text);
  return shown === text ? fault : shown;
}

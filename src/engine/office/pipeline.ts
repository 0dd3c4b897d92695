import { FaultInjection } from '../faults/fault-injection.ts';
import type { ApiContext } from '../definition/api.ts';
import { countExchange, type CoveredExchange } from '../coverage/count-exchange.ts';
import type { CoverageRecorder } from '../coverage/recorder.ts';
import { actorHeader, entryHeader } from '../journal/actor.ts';
import type { Journal } from '../journal/journal.ts';
import type { Exchange } from '../journal/recorded-exchange.ts';
import type { DeliveryState } from '../rest/delivery.ts';
import { asAddress } from '../lib/api-path.ts';
import { Problem } from '../lib/problem.ts';
import { problemResponse } from '../rest/errors.ts';
import { headless, mapResponse, withHeaders } from '../rest/message.ts';
import type { ApiResponse, ApiRequest } from '../rest/message.ts';
import { optionsResponse, type Route, type Router } from '../rest/router.ts';
import {
  respond,
  decodeRequest,
  errorResponse,
  parseTarget,
  serve,
  type Host,
  type Routed,
} from '../rest/serve.ts';
import type { OpenShop } from '../scenario/start.ts';
import type { HistoryRecorder } from './history.ts';
import type { EntryDetails, RequestStart } from './history-api.ts';
import { historyParts } from './history-parts.ts';
import type { HeldResponses } from './held-responses.ts';
import type { ResponseCache } from './response-cache.ts';

/** The parts that the stages of the pipeline share. */
export interface PipelineParts {
  readonly shop: OpenShop;
  readonly router: Router<ApiContext>;
  readonly host: Host<ApiContext>;
  readonly cache: ResponseCache;
  readonly holds: HeldResponses;
  readonly journal: Pick<Journal<EntryDetails>, 'record' | 'deliver'>;
  /** Its recorder is undefined while the history is off. */
  readonly history: { readonly recorder: HistoryRecorder | undefined };
  readonly session: string | undefined;
  readonly coverage: CoverageRecorder | undefined;
}

type Answer = (request: ApiRequest) => ApiResponse;

/** Creates the function that answers requests, in the stages below from top to bottom. Errors are responses. */
export function createPipeline(parts: PipelineParts): Answer {
  const { shop, router, host, cache, holds, history, session } = parts;
  const { api } = shop;
  const record = createRecord(parts);
  return (request) => {
    try {
      // Due events
      if (shop.firedRules.length > 0) shop.firedRules.length = 0;
      const start = history.recorder?.beginRequest();
      if (!cache.revalidate()) {
        api.runDueEvents(shop);
        // The history records them as those of the clock.
        history.recorder?.flush('clock', 'due events');
      }

      // Faults
      let faults = faultsOf(shop, request, session);

      // Route, decode, validate, handle, respond
      let route: Route<ApiContext> | undefined;
      let routed: Routed<ApiContext> | undefined;
      let answer: ApiResponse;
      let thrown: unknown;
      try {
        const target = request.target ?? parseTarget(request.url);
        api.authenticate(shop, request, target);
        const found = router.match(request.method, target.path);
        ({ route } = found);
        if (request.method === 'OPTIONS') answer = optionsResponse(route);
        else {
          const decoded = decodeRequest(request, target, route, found.params, shop.settings);
          routed = decoded;
          const run = (): ApiResponse => respond(decoded, host);
          answer =
            faults?.before(decoded) ??
            (decoded.row.method === 'GET'
              ? cache.response(`${target.path}?${target.query}`, () => host.transaction(run))
              : host.transaction(run));
        }
      } catch (error) {
        thrown = error;
        answer = errorResponse(error, request, host, routed, route);
      }

      // Faults: change, delay and hold the response; add the delays of the script
      if (shop.firedRules.length > 0) faults ??= new FaultInjection(shop, request, session);
      answer = headless(request, faults?.after(answer) ?? answer);
      if (answer.hold !== undefined) answer = holds.defer(answer, request);
      if (shop.matchedRules.length > 0) api.script.restoreCounts(shop);

      // Journal, history and coverage
      return record({ request, routed, answer, error: thrown }, faults, start);
    } catch (error) {
      host.report(error, request);
      return problemResponse(new Problem('fault', 'unexpected'));
    }
  };
}

type RecordExchange = (
  exchange: Pick<Exchange, 'request' | 'routed' | 'answer'> & { readonly error: unknown },
  faults: FaultInjection | undefined,
  start: RequestStart | undefined,
) => ApiResponse;

/**
 * Creates the function that records an exchange in the journal, the history and the contract coverage, and returns the
 * response, which may say why.
 */
function createRecord(parts: PipelineParts): RecordExchange {
  const { shop, journal, history, coverage, session } = parts;
  const count = (exchange: CoveredExchange): void => {
    if (coverage !== undefined) countExchange(coverage, exchange, shop.api);
  };
  return (exchange, faults, start) => {
    const { request, routed } = exchange;
    let { answer } = exchange;
    let recorded = {
      request,
      routed,
      answer,
      faults: faults?.faults ?? none,
      script: shop.firedRules.length === 0 ? none : shop.firedRules.map(({ id }) => id),
      prefer: faults?.preferred,
    };
    const why =
      faults?.explains === true && historyParts.isLoaded()
        ? historyParts.parts().whyHeader(shop, recorded, session)
        : undefined;
    if (why !== undefined) {
      answer = { ...answer, headers: { ...answer.headers, 'x-backlot-why': why } };
      recorded = { ...recorded, answer };
    }
    const { recorder } = history;
    const { delivery } = request;
    const last = answer.connection === 'drop' ? 'dropped' : 'sent';
    const state = delivery === undefined ? last : (waitOf(answer) ?? last);
    const details = start && recorder?.endRequest(start, state === last);
    const entry = journal.record({ ...recorded, state }, details);
    if (faults?.isMinimal === true && answer.connection !== 'drop' && historyParts.isLoaded()) {
      const { briefResponse } = historyParts.parts();
      const changed = entry && recorder?.entry(entry.id);
      const full = recorded;
      answer = mapResponse(answer, (one) => briefResponse(shop, { ...full, answer: one }, changed));
    }
    if (entry !== undefined && request.headers[actorHeader] !== undefined)
      answer = mapResponse(answer, (one) => withHeaders(one, { [entryHeader]: String(entry.id) }));
    if (delivery !== undefined) delivery.ms = details?.ms;
    if (delivery === undefined || state === last) {
      count(exchange);
      return answer;
    }
    delivery.follow((next, instead) => {
      if (next !== 'delayed' && start !== undefined && details !== undefined)
        delivery.ms = details.ms = recorder?.since(start);
      if (entry !== undefined) journal.deliver(entry, next, instead);
      if (next === 'sent') count(instead ? { ...exchange, answer: instead } : exchange);
    }, last);
    return answer;
  };
}

/** Returns the state in which a response waits; undefined if it is sent at once. */
function waitOf({ hold, delay }: Pick<ApiResponse, 'hold' | 'delay'>): DeliveryState | undefined {
  if (hold !== undefined) return 'held';
  return delay === undefined ? undefined : 'delayed';
}

/** Returns the faults of a request. Most requests have none. */
function faultsOf(
  shop: OpenShop,
  request: ApiRequest,
  session: string | undefined,
): FaultInjection | undefined {
  const isFaultless = request.headers['prefer'] === undefined && shop.db.faultRules.count() === 0;
  return isFaultless ? undefined : new FaultInjection(shop, request, session);
}

const none: readonly number[] = [];

/** Creates the function that answers requests, rolls back their changes and adds no journal entries. */
export function createDryRun(parts: PipelineParts): Answer {
  const { shop } = parts;
  const { api } = shop;
  const answer = createPipeline({
    ...parts,
    history: { recorder: undefined },
    journal: { record: () => undefined, deliver: () => undefined },
  });
  return (request) => {
    // Due events are an effect of the clock, not of the request, and stay.
    api.runDueEvents(shop);
    const mark = shop.transaction.mark();
    try {
      return answer(request);
    } finally {
      shop.transaction.rollback(mark);
      shop.transaction.release(mark);
    }
  };
}

/**
 * Creates the function that serves requests without faults, authentication, journal entries or coverage. It finds
 * endpoints by the paths of the contract, too.
 */
export function createUnobserved({ shop, router, host }: PipelineParts): Answer {
  const { api } = shop;
  return (sent) => {
    const url = asAddress(api.path, sent.url);
    const there = url === sent.url ? sent : { ...sent, url, target: undefined };
    const request = api.ids?.outside(shop, there) ?? there;
    api.runDueEvents(shop);
    const { onTransition } = shop;
    shop.onTransition = undefined;
    const answer = serve(router, request, host);
    shop.onTransition = onTransition;
    shop.firedRules.length = 0;
    if (shop.matchedRules.length > 0) api.script.restoreCounts(shop);
    return headless(request, answer);
  };
}

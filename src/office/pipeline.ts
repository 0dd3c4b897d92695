import { storeCounts } from '../checkout/script.ts';
import { runDueEvents } from '../checkout/time.ts';
import { Problem } from '../lib/problem.ts';
import { problemResponse } from '../rest/errors.ts';
import { headless, type ApiAnswer, type ApiRequest } from '../rest/message.ts';
import type { Host, Serve } from '../rest/serve.ts';
import type { OpenShop } from '../scenario/start.ts';
import { FaultInjection } from '../faults/fault-injection.ts';
import type { Journal } from '../journal/journal.ts';
import { ShopVersion } from './stillness.ts';

/** What a back office answers with. */
export interface PipelineParts<Context> {
  readonly shop: OpenShop;
  readonly serve: Serve<Context>;
  readonly host: Host<Context>;
  readonly journal: Pick<Journal, 'record'>;
  readonly session: string | undefined;
}

type Answer = (request: ApiRequest) => ApiAnswer;

/**
 * Answers requests: what is due happens first, faults come between, and one entry of the journal is kept of each. Never
 * throws.
 */
export function createPipeline<Context>(parts: PipelineParts<Context>): Answer {
  return withoutThrowing(parts.host, createStages(parts));
}

/** Answers as `createAnswering` does, and rolls back what that changed. The journal has no entry of it. */
export function createDryRun<Context>(parts: PipelineParts<Context>): Answer {
  const { shop, host } = parts;
  let stages: Answer | undefined;
  return withoutThrowing(host, (request) => {
    stages ??= createStages({ ...parts, journal: { record: () => undefined } });
    // What the clock has brought is no effect of the request, and stays.
    runDueEvents(shop);
    const mark = shop.transaction.mark();
    try {
      return stages(request);
    } finally {
      shop.transaction.rollback(mark);
      shop.transaction.release(mark);
    }
  });
}

function withoutThrowing<Context>(host: Host<Context>, answer: Answer): Answer {
  return (request) => {
    try {
      return answer(request);
    } catch (error) {
      host.report(error, request);
      return problemResponse(new Problem('fault', 'unexpected'));
    }
  };
}

function createStages<Context>(parts: PipelineParts<Context>): Answer {
  const { shop, serve, host, journal, session } = parts;
  const stillness = new ShopVersion(shop);
  return (request) => {
    if (shop.firedRules.length > 0) shop.firedRules.length = 0;
    if (!stillness.isUnbroken()) runDueEvents(shop);
    // Nothing comes between most requests and their answers.
    const isQuiet = request.headers['prefer'] === undefined && shop.db.faultRules.count() === 0;
    let intervention = isQuiet ? undefined : new FaultInjection(shop, request, session);
    const served = serve(request, host, intervention && ((routed) => intervention?.before(routed)));
    if (shop.firedRules.length > 0) intervention ??= new FaultInjection(shop, request, session);
    const answer = headless(request, intervention?.after(served.answer) ?? served.answer);
    storeCounts(shop);
    journal.record({
      request,
      routed: served.routed,
      answer,
      faults: intervention?.faults ?? none,
      script: shop.firedRules.length === 0 ? none : shop.firedRules.map(({ id }) => id),
      prefer: intervention?.preferred,
    });
    return answer;
  };
}

/** Answers past faults, tokens and the journal: for whoever sets the stage and is none of those who play on it. */
export function createUnobserved<Context>({
  shop,
  serve,
  host,
}: Pick<PipelineParts<Context>, 'shop' | 'serve' | 'host'>): Answer {
  return (request) => {
    runDueEvents(shop);
    const { answer } = serve(request, {
      context: host.context,
      settings: host.settings,
      transaction: (work) => host.transaction(work),
      report: (fault, asked) => host.report(fault, asked),
    });
    shop.firedRules.length = 0;
    storeCounts(shop);
    return headless(request, answer);
  };
}

const none: readonly number[] = [];

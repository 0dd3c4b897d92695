import type { Mark } from '../store/transaction.ts';
import { Problem } from '../lib/problem.ts';
import { decodeBrackets } from '../rest/body.ts';
import type { ApiAnswer, ApiRequest } from '../rest/message.ts';
import { parseTarget, type Routed } from '../rest/serve.ts';
import { parseParameterName } from './endpoint-match.ts';
import { maxDelay } from '../models/fault-rule.ts';
import { selectFaults, type FaultFacts, type FaultShop } from './select-faults.ts';
import { applyEffect, isChange, isReplacement, type FaultEffect } from './fault-effect.ts';
import { parsePrefer, type Preference } from './prefer.ts';

/** What is done to one request beside what its endpoint does. */
export class FaultInjection {
  readonly #shop: FaultShop;
  readonly #request: ApiRequest;
  readonly #session: string | undefined;
  #chosen = false;
  #delay = 0;
  #change: FaultEffect | undefined;
  #preference: Preference | undefined;
  #mark: Mark | undefined;
  #faults: readonly number[] = [];

  constructor(shop: FaultShop, request: ApiRequest, session: string | undefined) {
    this.#shop = shop;
    this.#request = request;
    this.#session = session;
  }

  /** The ids of the faults that acted. */
  get faults(): readonly number[] {
    return this.#faults;
  }

  /** What of the header `Prefer` was heeded. */
  get preferred(): string | undefined {
    return this.#preference?.applied;
  }

  /**
   * Before the endpoint does anything. Answers in its place where nothing of its answer is wanted.
   *
   * @throws Problem `malformed` for a `Prefer` that cannot be read
   */
  before(
    routed: Pick<Routed<unknown>, 'address' | 'params' | 'sent' | 'row'>,
  ): ApiAnswer | undefined {
    this.#choose(() => routedFacts(routed, this.#request, this.#session));
    const change = this.#change;
    if (change === undefined) return undefined;
    if (isReplacement(change)) return { status: 204, headers: {} };
    if (change.after !== true) this.#mark = this.#shop.transaction.mark();
    return undefined;
  }

  /** What the answer becomes. */
  after(answer: ApiAnswer): ApiAnswer {
    this.#takeBack();
    if (!this.#chosen && this.#request.method !== 'OPTIONS') this.#chooseUnrouted();
    const given = this.#change === undefined ? answer : applyEffect(answer, this.#change);
    const delay = Math.min(this.#delay + scriptDelay(this.#shop), maxDelay);
    if (given === answer && delay === 0 && this.#preference === undefined) return answer;
    const { status, headers, body, connection } = given;
    return {
      status,
      headers: this.#withPreference(headers),
      ...(body !== undefined && { body }),
      ...(delay > 0 && { delay }),
      ...(connection !== undefined && { connection }),
    };
  }

  #choose(facts: () => FaultFacts): void {
    this.#chosen = true;
    const { prefer } = this.#request.headers;
    this.#preference = prefer === undefined ? undefined : parsePrefer(prefer);
    const isRuled = this.#shop.db.faultRules.count() > 0;
    if (!isRuled && this.#preference === undefined) return;
    const due = isRuled ? selectFaults(this.#shop, facts()) : [];
    const effects = [this.#preference?.effect ?? {}, ...due.map(({ effect }) => effect)];
    const change = (this.#change = effects.find(isChange));
    this.#delay = effects.reduce((sum, { delay = 0 }) => sum + delay, 0);
    this.#faults = due
      .filter(({ effect }) => effect === change || effect.delay !== undefined)
      .map(({ id }) => id);
  }

  /** No endpoint was reached. What the answer says is wrong comes before a `Prefer` that cannot be read. */
  #chooseUnrouted(): void {
    const { method, url } = this.#request;
    const { path } = parseTarget(url);
    const facts = { method, path, session: this.#session, step: undefined };
    try {
      this.#choose(() => ({ ...facts, parameter: () => undefined }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  /** What the endpoint wrote for an answer that nobody gets to see. */
  #takeBack(): void {
    const { transaction } = this.#shop;
    if (this.#mark === undefined) return;
    transaction.rollback(this.#mark);
    transaction.release(this.#mark);
  }

  #withPreference(headers: ApiAnswer['headers']): ApiAnswer['headers'] {
    const applied = this.#preference?.applied;
    return applied === undefined ? headers : { ...headers, 'preference-applied': applied };
  }
}

function routedFacts(
  { address, params, sent, row }: Pick<Routed<unknown>, 'address' | 'params' | 'sent' | 'row'>,
  { method }: ApiRequest,
  session: string | undefined,
): FaultFacts {
  let query: unknown;
  return {
    method,
    path: address.path,
    session,
    step: row.step,
    parameter(name) {
      query ??= decodeBrackets(address.query);
      const path = parseParameterName(name);
      return params[name] ?? valueAt(query, path) ?? valueAt(sent, path);
    },
  };
}

/** What stands at `['shippingAddress', 'city']` of a tree of parameters. */
function valueAt(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    tree,
  );
}

function scriptDelay({ firedRules: acted }: FaultShop): number {
  return acted.reduce((sum, { delay = 0 }) => sum + delay, 0);
}

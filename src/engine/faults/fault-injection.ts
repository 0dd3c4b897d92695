import { valueAt } from '../lib/json-value.ts';
import type { Mark, Transaction } from '../store/transaction.ts';
import { addressOf } from '../lib/api-path.ts';
import { Problem } from '../lib/problem.ts';
import { pseudoRandom } from '../lib/pseudo-random.ts';
import { parseBrackets } from '../rest/body.ts';
import type { ApiResponse, ApiRequest } from '../rest/message.ts';
import { parseTarget, type Routed } from '../rest/serve.ts';
import { parseParameterName } from './endpoint-match.ts';
import { meetsAll, selectFaults, type FaultFacts, type RuledShop } from './select-faults.ts';
import {
  applyKinds,
  changes,
  delays,
  hasKind,
  replaces,
  type FaultEffect,
  type FaultKinds,
  type RuleFields,
} from './fault-kind.ts';
import { parsePrefer, type Preference } from './prefer.ts';
import { drawWeather } from './weather.ts';

/** The parts of a shop that the injection of faults uses. */
export interface FaultShop extends RuledShop {
  readonly transaction: Transaction;
  /** The scripts that applied to the request. */
  readonly firedRules: readonly { readonly delay?: number | string | undefined }[];
}

type RoutedRequest = Pick<Routed<unknown>, 'target' | 'params' | 'sent' | 'row'>;

/** Injects into one request the faults of rules and of its header `Prefer`, and the delays of the script. */
export class FaultInjection {
  readonly #shop: FaultShop;
  readonly #request: ApiRequest;
  readonly #session: string | undefined;
  #isSelected = false;
  #effects: readonly FaultEffect[] = [];
  /** The one effect that changes or replaces the response. */
  #change: FaultEffect | undefined;
  #preference: Preference | undefined;
  #mark: Mark | undefined;
  #faults: readonly number[] = [];

  constructor(shop: FaultShop, request: ApiRequest, session: string | undefined) {
    this.#shop = shop;
    this.#request = request;
    this.#session = session;
  }

  get #kinds(): FaultKinds {
    return this.#shop.api.faultKinds;
  }

  /** The ids of the faults that were applied. */
  get faults(): readonly number[] {
    return this.#faults;
  }

  /** The preferences that were applied, as in `Preference-Applied`. */
  get preferred(): string | undefined {
    return this.#preference?.applied;
  }

  /** Whether the response says why, in the header `X-Backlot-Why`. */
  get explains(): boolean {
    return this.#preference?.explains === true;
  }

  /** Whether the response is brief. */
  get isMinimal(): boolean {
    return this.#preference?.isMinimal === true;
  }

  /**
   * Selects the faults before the endpoint runs.
   *
   * @returns a placeholder for the response if the endpoint need not run
   * @throws Problem `malformed` for an invalid `Prefer`
   */
  before(routed: RoutedRequest): ApiResponse | undefined {
    this.#select(() => factsOf(routed, this.#request, this.#session, this.#shop.api.path));
    const change = this.#change;
    if (change === undefined) return undefined;
    const isReplaced = hasKind(this.#kinds, change.fields, replaces);
    const after = change.fields['after'] ?? !isReplaced;
    if (after === true) return undefined;
    if (isReplaced) return { status: 204, headers: {} };
    this.#mark = this.#shop.transaction.mark();
    return undefined;
  }

  /** Applies the faults to the response. */
  after(answer: ApiResponse): ApiResponse {
    this.#rollBack();
    if (!this.#isSelected && this.#request.method !== 'OPTIONS') this.#selectUnrouted();
    const changed =
      this.#change === undefined ? answer : applyKinds(this.#kinds, changes, answer, this.#change);
    const scripted = this.#shop.firedRules.map(({ delay }) => this.#effectOf({ delay }));
    const delayed = [...this.#effects, ...scripted].reduce(
      applyKinds.bind(undefined, this.#kinds, delays),
      changed,
    );
    return this.#withPreference(delayed);
  }

  #select(facts: () => FaultFacts): void {
    this.#isSelected = true;
    const { prefer } = this.#request.headers;
    this.#preference = prefer === undefined ? undefined : parsePrefer(this.#kinds, prefer);
    const hasRules = this.#shop.db.faultRules.count() > 0;
    if (!hasRules && this.#preference === undefined) return;
    const selected = hasRules ? selectFaults(this.#shop, facts()) : [];
    const preferred = this.#preferredEffects(facts);
    this.#effects = [...preferred, ...selected];
    const isChange = ({ fields }: FaultEffect): boolean => hasKind(this.#kinds, fields, changes);
    const change = (this.#change = this.#effects.find(isChange));
    this.#faults = selected
      .filter((one) => one === change || hasKind(this.#kinds, one.fields, delays))
      .map(({ id }) => id);
  }

  /** The effects of the header `Prefer`. The same request at the same time has the same weather. */
  #preferredEffects(facts: () => FaultFacts): readonly FaultEffect[] {
    if (this.#preference === undefined) return [];
    const { fields, weather } = this.#preference;
    const own = this.#effectOf(fields);
    if (weather === undefined) return [own];
    const { api, seed, clock } = this.#shop;
    const { method, url } = this.#request;
    const drawn = drawWeather(weather, `${seed} ${clock.now()} ${method} ${url}`);
    const request = facts();
    return [
      own,
      ...drawn
        .filter(({ match = {} }) => meetsAll(match, request, api.path))
        .map((rule) => this.#effectOf(rule)),
    ];
  }

  /** Returns the effect of fields that no rule has. */
  #effectOf(fields: RuleFields): FaultEffect {
    return { fields, call: { now: this.#shop.clock.now(), random: pseudoRandom } };
  }

  /** Selects the faults if no endpoint was reached. The error of the response precedes that of an invalid `Prefer`. */
  #selectUnrouted(): void {
    const { method, url } = this.#request;
    const { path } = parseTarget(url);
    const facts = { method, path, session: this.#session, step: undefined };
    try {
      this.#select(() => ({ ...facts, parameter: () => undefined }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  /** Rolls back what the endpoint wrote, if its response is not sent. */
  #rollBack(): void {
    const { transaction } = this.#shop;
    if (this.#mark === undefined) return;
    transaction.rollback(this.#mark);
    transaction.release(this.#mark);
  }

  #withPreference(answer: ApiResponse): ApiResponse {
    const applied = this.#preference?.applied;
    if (applied === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, 'preference-applied': applied } };
  }
}

function factsOf(
  { target, params, sent, row }: RoutedRequest,
  { method }: ApiRequest,
  session: string | undefined,
  apiPath: string,
): FaultFacts {
  let query: unknown;
  return {
    method,
    path: addressOf(apiPath, target.path),
    session,
    step: row.step,
    parameter(name) {
      query ??= parseBrackets(target.query);
      const path = parseParameterName(name);
      return params[name] ?? valueAt(query, path) ?? valueAt(sent, path);
    },
  };
}

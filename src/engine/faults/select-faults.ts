import type { Changes } from '../store/row.ts';
import type { Clock } from '../lib/virtual-clock.ts';
import { asAddress } from '../lib/api-path.ts';
import { addDuration } from '../lib/duration.ts';
import type { FaultRule, FaultTable } from './fault-rule.ts';
import { increment } from '../lib/numbers.ts';
import { pseudoRandom } from '../lib/pseudo-random.ts';
import { matchesParts, partsOf, parsePattern } from './endpoint-match.ts';
import type { FaultEffect, FaultKinds } from './fault-kind.ts';

/** The parts of a shop that the selection of faults uses. */
export interface RuledShop {
  readonly api: { readonly path: string; readonly faultKinds: FaultKinds };
  readonly db: FaultTable;
  readonly clock: Clock;
  readonly seed: number;
}

/** The parts of a request that a fault can match. */
export interface FaultFacts {
  readonly method: string;
  readonly path: string;
  readonly session: string | undefined;
  readonly step: string | undefined;
  /** Returns a parameter of path, query or body as it was sent. */
  parameter(name: string): unknown;
}

export interface SelectedFault extends FaultEffect {
  readonly id: number;
}

/**
 * Selects the faults that apply to a request, in the order of their rules. Each rule that matches counts the request,
 * whether or not another rule applies.
 */
export function selectFaults(
  { api, db: { faultRules }, clock, seed }: RuledShop,
  facts: FaultFacts,
): SelectedFault[] {
  const parts = partsOf(facts.path);
  const now = clock.now();
  return faultRules
    .page(0, faultRules.count())
    .filter(
      ({ match, off }) => off !== true && unmetOf(match, facts, parts, api.path) === undefined,
    )
    .map((rule) => faultRules.change(rule.id, countRequest(rule, now)))
    .filter((rule) => applies(rule, seed))
    .map((rule) => effectOf(rule, now, seed));
}

function effectOf(rule: FaultRule, now: string, seed: number): SelectedFault {
  const { id, matched, window, released } = rule;
  return {
    id,
    fields: released === true ? { ...rule, hold: undefined } : rule,
    call: {
      now,
      window,
      random: (kind) => pseudoRandom(`${seed} ${kind} ${id} ${matched}`),
    },
  };
}

/**
 * Returns the first condition that a request does not meet: `path`, `parameters.order_id`; undefined if the fault applies
 * to it, however often it applies.
 *
 * @param parts those of the path
 * @param apiPath where clients find the paths below `/api`
 */
export function unmetOf(
  match: FaultRule['match'],
  facts: FaultFacts,
  parts: readonly string[],
  apiPath: string,
): string | undefined {
  const { path, parameters = {} } = match;
  for (const name of ['method', 'session', 'step'] as const) {
    // GET also matches HEAD.
    const actual = facts[name] === 'HEAD' ? 'GET' : facts[name];
    if (match[name] !== undefined && match[name] !== actual) return name;
  }
  if (path !== undefined && !matchesParts(parsePattern(asAddress(apiPath, path)), parts)) {
    return 'path';
  }
  for (const name in parameters) {
    if (asText(facts.parameter(name)) !== String(parameters[name])) return `parameters.${name}`;
  }
  return undefined;
}

/** Whether a request meets all conditions of a fault, as `unmetOf` says. */
export function meetsAll(match: FaultRule['match'], facts: FaultFacts, apiPath: string): boolean {
  return unmetOf(match, facts, partsOf(facts.path), apiPath) === undefined;
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/** Counts a request, and begins a new window of the rate limit if the current one has ended. */
function countRequest({ matched, limit, window }: FaultRule, now: string): Changes<FaultRule> {
  const next = increment(matched);
  if (limit === undefined) return { matched: next };
  const isCurrent =
    window !== undefined && now >= window.from && now < addDuration(window.from, limit.per);
  return {
    matched: next,
    window: isCurrent
      ? { ...window, requests: increment(window.requests) }
      : { from: now, requests: 1 },
  };
}

/** Whether a rule applies to the request that it has just counted. */
function applies(rule: FaultRule, seed: number): boolean {
  const { id, matched, first, every, probability, limit, window } = rule;
  if (limit !== undefined) return (window?.requests ?? 0) > limit.requests;
  if (first !== undefined) return matched <= first;
  if (every !== undefined) return matched % every === 0;
  return (
    probability === undefined || pseudoRandom(`${seed} fault ${id} ${matched}`)() < probability
  );
}

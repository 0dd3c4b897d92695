import type { Changes } from '../store/row.ts';
import { addDuration, secondsBetween } from '../lib/duration.ts';
import type { FaultRule } from '../models/fault-rule.ts';
import { oneMore } from '../lib/numbers.ts';
import { pseudoRandom } from '../lib/pseudo-random.ts';
import { matchesParts, partsOf, parsePattern } from './path-pattern.ts';
import type { Shop } from '../resources/endpoint.ts';
import type { Transaction } from '../store/transaction.ts';
import type { FaultEffect } from './fault-effect.ts';

/** What faults need of a shop. */
export interface FaultShop extends Pick<Shop, 'db' | 'clock' | 'seed' | 'firedRules'> {
  readonly transaction: Transaction;
}

/** What a fault can ask about a request. */
export interface FaultFacts {
  readonly method: string;
  readonly path: string;
  readonly session: string | undefined;
  readonly step: string | undefined;
  /** Of path, query or body, as it was sent. */
  parameter(name: string): unknown;
}

export interface SelectedFault {
  readonly id: number;
  readonly effect: FaultEffect;
}

/**
 * The faults that are due at this request, in the order of their rules. Every rule that matches counts it, whatever
 * the others do.
 */
export function selectFaults(shop: FaultShop, facts: FaultFacts): SelectedFault[] {
  const { db, clock } = shop;
  const parts = partsOf(facts.path);
  return db.faultRules
    .page(0, db.faultRules.count())
    .filter(({ match }) => matches(match, facts, parts))
    .map((rule) => db.faultRules.change(rule.id, counted(rule, clock.now())))
    .filter((rule) => isDue(rule, shop.seed))
    .map((rule) => ({ id: rule.id, effect: effectOf(rule, shop) }));
}

function matches(match: FaultRule['match'], facts: FaultFacts, parts: readonly string[]): boolean {
  const { method, path, session, step, parameters } = match;
  return (
    (method === undefined || method === (facts.method === 'HEAD' ? 'GET' : facts.method)) &&
    (session === undefined || session === facts.session) &&
    (step === undefined || step === facts.step) &&
    (path === undefined || matchesParts(parsePattern(path), parts)) &&
    Object.entries(parameters ?? {}).every(
      ([name, value]) => asText(facts.parameter(name)) === String(value),
    )
  );
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

function counted({ fitted, limit, window }: FaultRule, now: string): Changes<FaultRule> {
  const next = oneMore(fitted);
  if (limit === undefined) return { fitted: next };
  const runs = window !== undefined && now >= window.from && now < endOf(window.from, limit.per);
  return {
    fitted: next,
    window: runs ? { ...window, requests: oneMore(window.requests) } : { from: now, requests: 1 },
  };
}

function endOf(from: string, per: string): string {
  return addDuration(from, per);
}

function isDue(rule: FaultRule, seed: number): boolean {
  const { id, fitted, first, every, probability, limit, window } = rule;
  if (limit !== undefined) return (window?.requests ?? 0) > limit.requests;
  if (first !== undefined) return fitted <= first;
  if (every !== undefined) return fitted % every === 0;
  return probability === undefined || pseudoRandom(`${seed} fault ${id} ${fitted}`)() < probability;
}

function effectOf(rule: FaultRule, shop: FaultShop): FaultEffect {
  const { status, headers, body, connection, spoil, after } = rule;
  const delay = delayOf(rule, shop.seed);
  if (rule.limit !== undefined) return { ...tooMany(rule, shop.clock.now()), delay };
  return { status, headers, body, connection, spoil, after, delay };
}

function tooMany({ limit, window }: FaultRule, now: string): FaultEffect {
  const { requests = 0, per = 'PT1S' } = limit ?? {};
  const seconds = secondsBetween(now, endOf(window?.from ?? now, per));
  const message = `Too many requests: ${requests} are answered in ${per}; try again in ${seconds} s.`;
  return {
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: { code: 429, message },
  };
}

function delayOf({ id, fitted, delay }: FaultRule, seed: number): number | undefined {
  if (delay === undefined || typeof delay === 'number') return delay;
  const random = pseudoRandom(`${seed} delay ${id} ${fitted}`);
  if ('from' in delay) return delay.from + Math.floor(random() * (delay.to - delay.from + 1));
  return Math.round(delay.median * (delay.p95 / delay.median) ** (normal(random) / normal95));
}

/** So many standard deviations above the mean is what only one in twenty exceeds. */
const normal95 = 1.6449;

/** A number of the standard normal distribution, by Box and Muller; four deviations away at the most. */
function normal(random: () => number): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return Math.max(-4, Math.min(4, radius * Math.cos(2 * Math.PI * random())));
}

import type { Order } from '../models/order.ts';
import { ScriptMatch, type ScriptRule } from '../models/script-rule.ts';
import { increment } from '../../engine/lib/numbers.ts';
import type { Frozen } from '../../engine/store/row.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { Shop } from './shop.ts';

/** The facts that a rule of the script can match. */
export interface Facts {
  readonly order?: number;
  readonly user?: number;
  readonly channel?: number;
  readonly currency?: string;
  /** Of the shipping address. */
  readonly country?: number | undefined;
  /** Minor units. */
  readonly total?: number;
  readonly card?: string;
}

/**
 * Returns the rule that applies to a step or a transition: the first one that matches and is due. Every match is
 * counted, so that `nth` and `first` do not depend on other rules.
 */
function matchRule(shop: Shop, on: string, collectFacts: () => Facts): ScriptRule | undefined {
  const { db } = shop;
  if (db.scriptRules.count() === 0 || db.scriptRules.countBy('on', on) === 0) return undefined;
  const facts = collectFacts();
  const matched = db.scriptRules
    .by('on', on)
    .filter(({ match, off }) => off !== true && unmetFact(match, facts) === undefined)
    .map((rule) => db.scriptRules.change(rule.id, { matched: increment(rule.matched) }));
  const rule = matched.find(isDue);
  for (const one of matched) shop.matchedRules.push(one);
  if (rule !== undefined) shop.firedRules.push(rule);
  return rule;
}

/**
 * Applies the script to a step or a transition.
 *
 * @returns the rule that applies, which may decide the outcome of a purchase
 * @throws Problem `invalid`, or `refused` at a transition, if the rule rejects it
 */
export function applyScript(shop: Shop, on: string, factsNow: () => Facts): ScriptRule | undefined {
  const rule = matchRule(shop, on, factsNow);
  if (rule?.refuse === undefined) return rule;
  const { message, path = [] } = rule.refuse;
  if (on.includes('.')) throw new Problem('refused', message);
  throw new Problem('invalid', message, { fields: [{ path, message }] });
}

/**
 * Restores the counts that were rolled back with a rejected request: a rule that rejects the first two attempts counts
 * both. Must be called after every request in which rules have matched.
 */
export function restoreCounts({ db, matchedRules: counted }: Shop): void {
  for (const { id, matched } of counted) {
    const rule = db.scriptRules.get(id);
    if (rule !== undefined && rule.matched < matched) db.scriptRules.change(id, { matched });
  }
  counted.length = 0;
}

export function factsOf({ db }: Shop, order: Order, more: Facts = {}): Facts {
  const { id, user_id, channel_id, currency, total, shipping_address_id } = order;
  const address =
    shipping_address_id === undefined ? undefined : db.addresses.get(shipping_address_id);
  return {
    order: id,
    user: user_id,
    channel: channel_id,
    currency,
    total,
    country: address?.country_id,
    ...more,
  };
}

/** Returns the first condition that is not met. */
export function unmetFact(match: Frozen<ScriptMatch>, facts: Facts): keyof ScriptMatch | undefined {
  return ScriptMatch.keyof().options.find((name) => {
    const wanted = match[name];
    const actual = name === 'totalFrom' || name === 'totalTo' ? facts.total : facts[name];
    return wanted !== undefined && !isMet(name, wanted, actual);
  });
}

/** Compares the complete number of a card, or its last four digits. */
function isMet(
  name: keyof ScriptMatch,
  wanted: string | number,
  actual: string | number | undefined,
): boolean {
  if (actual === undefined) return false;
  if (name === 'totalFrom') return actual >= wanted;
  if (name === 'totalTo') return actual <= wanted;
  return wanted === actual || (name === 'card' && wanted === String(actual).slice(-4));
}

function isDue({ nth, first, matched }: ScriptRule): boolean {
  return (nth === undefined || matched === nth) && (first === undefined || matched <= first);
}

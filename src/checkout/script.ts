import type { Order } from '../models/order.ts';
import type { ScriptMatch, ScriptRule } from '../models/script-rule.ts';
import { increment } from '../lib/numbers.ts';
import type { Frozen } from '../store/row.ts';
import { Problem } from '../lib/problem.ts';
import type { Shop } from './shop.ts';

/** What a rule of the script can ask about. */
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
 * The rule that says what happens at a step or a transition: the first one that fits. Every rule whose match is met
 * is counted, so that `nth` and `first` count what happens, whatever other rules there are.
 */
export function matchRule(shop: Shop, on: string, factsNow: () => Facts): ScriptRule | undefined {
  const { db } = shop;
  if (db.scriptRules.count() === 0 || db.scriptRules.countBy('on', on) === 0) return undefined;
  const facts = factsNow();
  const met = db.scriptRules
    .by('on', on)
    .filter(({ match }) => isMet(match, facts))
    .map(({ id, matched }) => db.scriptRules.change(id, { matched: increment(matched) }));
  const rule = met.find(isDue);
  for (const one of met) shop.matchedRules.push(one);
  if (rule !== undefined) shop.firedRules.push(rule);
  return rule;
}

/**
 * Asks the script at a step or a transition.
 *
 * @returns the rule that applies, which may say what a purchase comes to
 * @throws Problem `invalid`, or `refused` at a transition, where the rule refuses
 */
export function applyScript(shop: Shop, on: string, factsNow: () => Facts): ScriptRule | undefined {
  const rule = matchRule(shop, on, factsNow);
  if (rule?.refuse === undefined) return rule;
  const { message, path = [] } = rule.refuse;
  if (on.includes('.')) throw new Problem('refused', message);
  throw new Problem('invalid', message, { fields: [{ path, message }] });
}

/**
 * Writes counts again that were taken back with a refused request: a rule that refuses the first two tries has to
 * know of both. Call it after a request, be it refused or not.
 */
export function storeCounts({ db, matchedRules: counted }: Shop): void {
  if (counted.length === 0) return;
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

function isMet(match: Frozen<ScriptMatch>, facts: Facts): boolean {
  const { totalFrom, totalTo, card, ...same } = match;
  const { total } = facts;
  return (
    (Object.keys(same) as (keyof typeof same)[]).every(
      (key) => same[key] === undefined || same[key] === facts[key],
    ) &&
    (totalFrom === undefined || (total !== undefined && total >= totalFrom)) &&
    (totalTo === undefined || (total !== undefined && total <= totalTo)) &&
    (card === undefined || isCard(card, facts.card))
  );
}

/** The whole number, or its last four digits. */
function isCard(named: string, card = ''): boolean {
  return named === card || named === card.slice(-4);
}

function isDue({ nth, first, matched }: ScriptRule): boolean {
  return (nth === undefined || matched === nth) && (first === undefined || matched <= first);
}

import { factsOf, unmetFact, type Facts } from './checkout/script.ts';
import type { RecordedStep } from '../engine/definition/api.ts';
import { isObject } from '../engine/lib/json-value.ts';
import { unmet, type Fact } from '../engine/definition/explanation.ts';
import type { ScriptMatch } from './models/script-rule.ts';
import { orderInPath, orderKnownBy } from './order-in-path.ts';
import type { Shop } from './resources/endpoint.ts';
import type { Frozen } from '../engine/store/row.ts';

/** Whether a recorded request matches a rule of the script. */
export function matchesRecorded(
  shop: Shop,
  request: RecordedStep,
  { on, match }: { readonly on: string; readonly match: Frozen<ScriptMatch> },
): boolean {
  return request.step === on && unmetByRequest(shop, request, match) === undefined;
}

/**
 * Returns why a recorded request does not match the conditions of a rule; undefined if it does. It compares the order of the
 * present, and the last four digits of a card, because no others are recorded.
 */
export function unmetByRequest(
  shop: Shop,
  { url, request }: RecordedStep,
  match: Frozen<ScriptMatch>,
): Fact | undefined {
  const order = shop.db.orders.getWithDeleted(orderKnownBy(shop, orderInPath(url)));
  const { number } = isObject(request.body) ? request.body : {};
  const card = typeof number === 'string' ? { card: number.slice(-4) } : {};
  const facts: Facts = { ...(order !== undefined && factsOf(shop, order)), ...card };
  const lastFour = match.card === undefined ? {} : { card: match.card.slice(-4) };
  const name = unmetFact({ ...match, ...lastFour }, facts);
  if (name === undefined) return undefined;
  const actual = name === 'totalFrom' || name === 'totalTo' ? facts.total : facts[name];
  return unmet(`${name} ${match[name]}`, actual);
}

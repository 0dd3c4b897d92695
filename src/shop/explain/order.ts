import { shippingAddressOf, totalsOfItem } from '../checkout/totals.ts';
import type { Shop } from '../checkout/shop.ts';
import type { EngineShop } from '../../engine/definition/api.ts';
import type { Fact } from '../../engine/definition/explanation.ts';
import type { ChangedLine, Line, OrderExplanation } from './explanation.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { Adjustment, Order } from '../models/order.ts';
import { storeShop } from '../resources/endpoint.ts';
import { itemParts, shippingParts, storedGift, taxParts } from './charges.ts';
import {
  adjustmentPart,
  byRank,
  calculatedKind,
  discountKey,
  limitPart,
  plain,
  shippingKey,
  sumOf,
  taxKey,
  type Part,
} from './part.ts';
import {
  exclusiveFacts,
  idleKey,
  idlePart,
  explainPromotions,
  type ExplainedPromotion,
} from './promotions.ts';
import { money } from './words.ts';

/**
 * Explains the total of an order: the stored one, and the one that it would have if it was calculated now.
 *
 * @throws Problem `missing`
 */
export function explainOrder(engine: EngineShop, id: number): OrderExplanation {
  const shop = storeShop(engine);
  const order = shop.db.orders.get(id);
  if (order === undefined) throw new Problem('missing', `There is no order ${id}.`);
  const { parts: current, promotions } = calculate(shop, order);
  const stored = storedParts(shop, order, current, promotions);
  const { state, currency, total } = order;
  const changes = changesOf(stored, current, promotions);
  const totalNow = Math.max(0, sumOf(current));
  const isSame = changes.length === 0 && totalNow === total;
  return {
    order: id,
    state,
    currency,
    total,
    lines: linesOf(stored, total),
    ...(!isSame && { now: { total: totalNow, lines: linesOf(current, totalNow), changes } }),
  };
}

/** Adds the lines that make the sum the total: at least 0, and as it is stored. */
function linesOf(parts: readonly Part[], total: number): Line[] {
  const sum = sumOf(parts);
  const ends = [limitPart('limit', 'A total is at least 0', sum), otherPart(total, sum)];
  let running = 0;
  return [...parts, ...ends.flatMap((end) => end ?? [])].map((part) => {
    const { key: _, ...line } = part;
    if (line.counts) running += line.amount;
    return { ...line, running };
  });
}

function otherPart(total: number, sum: number): Part | undefined {
  const amount = total - Math.max(0, sum);
  if (amount === 0) return undefined;
  return { ...plain, key: 'other', kind: 'other', label: 'Not from these lines', amount };
}

interface Calculation {
  readonly parts: readonly Part[];
  readonly promotions: readonly ExplainedPromotion[];
}

/** Recalculates an order, with its shipments as they are. Changes nothing. */
function calculate(shop: Shop, order: Order): Calculation {
  const { db, settings } = shop;
  const ofItems = db.adjustments.by('itemsOf', order.id);
  const adjustments = db.adjustments.by('order', order.id);
  const kept = adjustments.filter((row) => row.locked || calculatedKind(row) === undefined);
  const items = db.orderItems
    .by('order', order.id)
    .filter(({ promotion_id }) => promotion_id === undefined)
    .map((item) => ({ ...item, ...totalsOfItem(item, ofItems) }));
  const isAddressed = order.checkout_state !== 'cart';
  const place = isAddressed ? shippingAddressOf(shop, order) : undefined;
  const counts = settings.totals === 'live' || isAddressed;
  const rest = [
    ...shippingParts(shop, adjustments, place),
    ...kept.map((row) => adjustmentPart(shop, row)),
  ];
  const shipping_total = sumOf(rest.filter(({ kind }) => kind === 'shipping'));
  const promotions = explainPromotions(shop, order, { items, place, shipping_total });
  const applied = promotions
    .filter(({ isApplied }) => isApplied)
    .map(({ promotion }) => promotion.id);
  const parts = [
    ...items.flatMap((item) => itemParts(shop, item, ofItems, counts)),
    ...byRank([
      ...(place === undefined ? [] : taxParts(shop, items, place)),
      ...rest,
      ...promotions.flatMap((one) => promotionParts(one, exclusiveFacts(shop, applied))),
    ]),
  ];
  return { parts, promotions };
}

function promotionParts(
  { promotion, isApplied, facts, parts }: ExplainedPromotion,
  prevented: readonly Fact[],
): readonly Part[] {
  if (!isApplied) return [idlePart(promotion, false, [...facts, ...prevented])];
  return parts.length > 0 ? parts : [idlePart(promotion, true, facts)];
}

/** Returns the parts of the stored total, with the reasons of those that would be the same now. */
function storedParts(
  shop: Shop,
  order: Order,
  current: readonly Part[],
  promotions: readonly ExplainedPromotion[],
): Part[] {
  const { db } = shop;
  const now = new Map(current.map((part) => [part.key, part]));
  const items = db.orderItems.by('order', order.id);
  const ofItems = db.adjustments.by('itemsOf', order.id);
  const given = [
    ...items.flatMap((item) => storedGift(shop, item) ?? []),
    ...storedCharges(shop, db.adjustments.by('order', order.id)),
  ].map((part) => explained(part, now.get(part.key)));
  return [
    ...items
      .filter(({ promotion_id }) => promotion_id === undefined)
      .flatMap((item) => {
        const isCounted = item.total > 0 || totalsOfItem(item, ofItems).total === 0;
        return itemParts(shop, item, ofItems, isCounted);
      }),
    ...byRank([...given, ...storedIdle(shop, order, given, promotions)]),
  ];
}

function explained(part: Part, now: Part | undefined): Part {
  if (now === undefined) return part;
  const { label, detail, because, amount } = now;
  return { ...part, label, because, ...(amount === part.amount && { detail }) };
}

function storedCharges(shop: Shop, rows: readonly Adjustment[]): Part[] {
  const discounts = new Map<number, number>();
  return rows.map((row): Part => {
    const { label, promotion_id, description, neutral, locked } = row;
    const part = adjustmentPart(shop, row);
    if (locked) return part;
    if (label === 'tax') return { ...part, key: taxKey(description, neutral) };
    if (label === 'shipping') return { ...part, key: shippingKey(row) };
    if (label !== 'promotion' || promotion_id === undefined) return part;
    const at = discounts.get(promotion_id) ?? 0;
    discounts.set(promotion_id, at + 1);
    return { ...part, key: discountKey(promotion_id, at), promotion: promotion_id };
  });
}

/** The promotions that gave nothing to an order. Why one did not apply that would now is not known. */
function storedIdle(
  shop: Shop,
  { promotion_ids }: Order,
  given: readonly Part[],
  promotions: readonly ExplainedPromotion[],
): Part[] {
  const prevented = exclusiveFacts(shop, promotion_ids);
  const idle = promotion_ids.filter((id) => given.every(({ promotion }) => promotion !== id));
  return [
    ...idle.map((id) => {
      const one = promotions.find(({ promotion }) => promotion.id === id);
      const because = one?.isApplied === true ? one.facts : [];
      return idlePart(one?.promotion ?? { id, name: `Promotion ${id}` }, true, because);
    }),
    ...promotions
      .filter(({ promotion }) => !promotion_ids.includes(promotion.id))
      .map(({ promotion, facts }) => idlePart(promotion, false, [...facts, ...prevented]))
      .filter(({ because }) => because.some(({ met }) => !met)),
  ];
}

/** Compares the parts that an order has with those that it would have now. */
function changesOf(
  stored: readonly Part[],
  current: readonly Part[],
  promotions: readonly ExplainedPromotion[],
): ChangedLine[] {
  const [was, now] = [appliedByKey(stored), appliedByKey(current)];
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((key) => {
    const [one, other] = [was.get(key), now.get(key)];
    if (one?.amount === other?.amount && one?.counts === other?.counts) return [];
    const { kind, label } = (other ?? one)!;
    return {
      kind,
      label,
      ...(one !== undefined && { was: one.amount }),
      ...(other !== undefined && { now: other.amount }),
      because: reasonsOf(one, other, current, promotions),
    };
  });
}

function appliedByKey(parts: readonly Part[]): Map<string, Part> {
  return new Map(parts.filter(({ applied }) => applied).map((part) => [part.key, part]));
}

function reasonsOf(
  was: Part | undefined,
  now: Part | undefined,
  current: readonly Part[],
  promotions: readonly ExplainedPromotion[],
): readonly Fact[] {
  if (was === undefined) return now?.because ?? [];
  const { promotion: id = 0, label, amount } = was;
  if (now !== undefined) {
    const calculation = now.detail === undefined ? '' : `: ${now.detail}`;
    return [{ wanted: money(amount), actual: `${money(now.amount)}${calculation}`, met: false }];
  }
  const unmet = current.find(({ key }) => key === idleKey(id))?.because.filter(({ met }) => !met);
  if (unmet !== undefined && unmet.length > 0) return unmet;
  const name = promotions.find(({ promotion }) => promotion.id === id)?.promotion.name ?? label;
  return [{ wanted: name, actual: 'not there any more', met: false }];
}

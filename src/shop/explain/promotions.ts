import type { Candidate } from '../checkout/promotion-rules.ts';
import { promotionResult, promotionsFor, type TakenAction } from '../checkout/promotions.ts';
import type { Shop } from '../checkout/shop.ts';
import type { Fact } from '../../engine/definition/explanation.ts';
import type { Order } from '../models/order.ts';
import type { Promotion } from '../models/promotion.ts';
import { discountKey, giftKey, noAddress, type Part } from './part.ts';
import { discountInWords, money, promotionFacts, variantName } from './words.ts';

/** A promotion, and what it would give to an order now. */
export interface ExplainedPromotion {
  readonly promotion: Promotion;
  readonly isApplied: boolean;
  /** Whether an exclusive promotion prevents it is not one of them. */
  readonly facts: readonly Fact[];
  readonly parts: readonly Part[];
}

/** An order as its promotions see it. */
export interface PromotionSubject extends Pick<Candidate, 'items' | 'place'> {
  readonly shipping_total: number;
}

/** Judges all promotions as the checkout does, highest priority first. */
export function explainPromotions(
  shop: Shop,
  order: Order,
  subject: PromotionSubject,
): ExplainedPromotion[] {
  const { db } = shop;
  const { items, place, shipping_total } = subject;
  const items_total = items.reduce((sum, { total }) => sum + total, 0);
  const candidate = { order, items, items_total, place, paidBefore: paidBefore(shop, order) };
  const promotions = db.promotions.by('priority').map((one) => beforeUse(one, order));
  const applied = place === undefined ? [] : promotionsFor(shop, candidate, promotions);
  const variants = new Set(items.map(({ variant_id }) => variant_id));
  const taken: TakenAction[] = [];
  promotionResult(shop, applied, { items_total, shipping_total, variants }, (one) =>
    taken.push(one),
  );
  return promotions.map((promotion) => {
    const facts = promotionFacts(shop, promotion, candidate);
    const own = taken.filter((one) => one.promotion === promotion);
    return {
      promotion,
      isApplied: applied.includes(promotion),
      facts: place === undefined ? [...facts, noAddress] : facts,
      parts: partsOf(shop, own, facts),
    };
  });
}

function partsOf(shop: Shop, taken: readonly TakenAction[], because: readonly Fact[]): Part[] {
  let discounts = 0;
  return taken.map((one): Part => {
    const { promotion, discount, bonusItem } = one;
    const shared = {
      counts: true,
      applied: true,
      promotion: promotion.id,
      record: { table: 'promotions', id: promotion.id },
      because,
    };
    if (bonusItem === undefined) {
      const { amount = 0 } = discount ?? {};
      const key = discountKey(promotion.id, discounts++);
      return {
        ...shared,
        key,
        kind: 'promotion',
        label: promotion.name,
        detail: discountInWords(one),
        amount,
      };
    }
    const { variant_id, quantity, unit_price } = bonusItem;
    return {
      ...shared,
      key: giftKey(bonusItem),
      kind: 'gift',
      label: variantName(shop, variant_id),
      detail: `${quantity} × ${money(unit_price)}, added by ${promotion.name}`,
      amount: quantity * unit_price,
    };
  });
}

/** A promotion that gives nothing. */
export function idlePart(
  { id, name }: Pick<Promotion, 'id' | 'name'>,
  applied: boolean,
  because: readonly Fact[],
): Part {
  return {
    key: idleKey(id),
    kind: 'promotion',
    label: name,
    amount: 0,
    counts: false,
    applied,
    promotion: id,
    record: { table: 'promotions', id },
    because,
  };
}

export function idleKey(promotion_id: number): string {
  return `promotion ${promotion_id}`;
}

/** Returns the fact that keeps other promotions from an order with these ones: beside an exclusive one, none applies. */
export function exclusiveFacts({ db }: Shop, applied: Iterable<number>): Fact[] {
  return [...applied].flatMap((id) => {
    const promotion = db.promotions.get(id);
    if (promotion?.exclusive !== true) return [];
    const record = { table: 'promotions', id };
    return { wanted: 'no exclusive promotion', actual: promotion.name, met: false, record };
  });
}

/** A paid order does not count itself. */
function paidBefore({ db }: Shop, { user_id, checkout_state }: Order): number {
  return db.orders.countBy('paid', user_id) - (checkout_state === 'completed' ? 1 : 0);
}

/** Confirming an order counts a use of each of its promotions, without which this order had been calculated. */
function beforeUse(promotion: Promotion, { completed_at, promotion_ids }: Order): Promotion {
  const isUsed = completed_at !== undefined && promotion_ids.includes(promotion.id);
  return isUsed ? { ...promotion, used: promotion.used - 1 } : promotion;
}

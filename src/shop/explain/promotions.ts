import { promotionsOn, type PromotionSubject, type TakenAction } from '../checkout/promotions.ts';
import type { Shop } from '../checkout/shop.ts';
import type { Fact } from '../../engine/definition/explanation.ts';
import type { Adjustment, OrderItem } from '../models/order.ts';
import type { Promotion } from '../models/promotion.ts';
import { noAddress, piecesOf, type Part } from './part.ts';
import { discountInWords, promotionFacts } from './words.ts';

/** A promotion, and what it gives to an order now. */
export interface ExplainedPromotion {
  readonly promotion: Promotion;
  readonly isApplied: boolean;
  /** Whether an exclusive promotion prevents it is not one of them. */
  readonly facts: readonly Fact[];
  /** One or more. */
  readonly parts: readonly Part[];
}

/** The rows that an order has of its promotions. */
interface GivenRows {
  readonly gifts: readonly OrderItem[];
  readonly discounts: readonly Adjustment[];
}

/** Explains all promotions, highest priority first. */
export function explainPromotions(
  shop: Shop,
  subject: PromotionSubject,
  given: GivenRows,
): ExplainedPromotion[] {
  const { candidate, promotions, applied, actions } = promotionsOn(shop, subject);
  const awaited = subject.place === undefined ? [noAddress] : [];
  const prevented = exclusiveFacts(
    shop,
    applied.map(({ id }) => id),
  );
  return promotions.map((promotion) => {
    const isApplied = applied.includes(promotion);
    const facts = [...promotionFacts(shop, promotion, candidate), ...awaited];
    const because = isApplied ? facts : [...facts, ...prevented];
    const taken = actions.filter((one) => one.promotion === promotion);
    const parts =
      taken.length === 0
        ? [idlePart(promotion, isApplied, because)]
        : takenParts(shop, promotion, { taken, because, given });
    return { promotion, isApplied, facts, parts };
  });
}

interface Taken {
  readonly taken: readonly TakenAction[];
  readonly because: readonly Fact[];
  readonly given: GivenRows;
}

function takenParts(shop: Shop, { id, name }: Promotion, { taken, because, given }: Taken): Part[] {
  const gifts = given.gifts.filter(({ promotion_id }) => promotion_id === id);
  // The discounts of a promotion are told apart by their order.
  const discounts = given.discounts.filter(({ promotion_id }) => promotion_id === id).values();
  const record = { table: 'promotions', id };
  const shared = { counts: true, applied: true, promotion: id, record, because };
  return taken.map((one): Part => {
    const { discount, bonusItem } = one;
    // Without one, it is a discount: `of` is its stored row, and the amount is that of now.
    if (bonusItem === undefined) {
      const of = discounts.next().value;
      const detail = discountInWords(one);
      return {
        ...shared,
        of,
        kind: 'promotion',
        label: name,
        detail,
        amount: discount?.amount ?? 0,
      };
    }
    const of = gifts.find(({ variant_id }) => variant_id === bonusItem.variant_id);
    const { label, detail, amount } = piecesOf(shop, bonusItem);
    return { ...shared, of, kind: 'gift', label, detail: `${detail}, added by ${name}`, amount };
  });
}

/** A promotion that gives nothing. */
export function idlePart(
  promotion: Pick<Promotion, 'id' | 'name'>,
  applied: boolean,
  because: readonly Fact[],
): Part {
  const { id, name: label } = promotion;
  const record = { table: 'promotions', id };
  const none = { amount: 0, counts: false };
  return {
    of: promotion,
    kind: 'promotion',
    label,
    ...none,
    applied,
    promotion: id,
    record,
    because,
  };
}

/** Returns the fact that keeps other promotions from an order with these ones: beside an exclusive one, none applies. */
export function exclusiveFacts({ db }: Shop, applied: readonly number[]): Fact[] {
  return applied.flatMap((id) => {
    const promotion = db.promotions.get(id);
    if (promotion?.exclusive !== true) return [];
    const record = { table: 'promotions', id };
    return { wanted: 'no exclusive promotion', actual: promotion.name, met: false, record };
  });
}

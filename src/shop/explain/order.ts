import { shippingAddressOf, totalsOfItem } from '../checkout/totals.ts';
import { chargesOf } from '../checkout/order-rows.ts';
import type { Shop } from '../checkout/shop.ts';
import type { EngineShop } from '../../engine/definition/api.ts';
import type { Fact } from '../../engine/definition/explanation.ts';
import type { ChangedLine, Line, OrderExplanation } from '../office/explanation.ts';
import { Problem } from '../../engine/lib/problem.ts';
import type { Adjustment, Order, OrderItem } from '../models/order.ts';
import { storeShop } from '../resources/endpoint.ts';
import { itemParts, shippingParts, taxParts } from './charges.ts';
import {
  adjustmentPart,
  byRank,
  calculatedKind,
  limitPart,
  noAddress,
  piecesOf,
  plain,
  sumOf,
  type Part,
} from './part.ts';
import {
  exclusiveFacts,
  explainPromotions,
  idlePart,
  type ExplainedPromotion,
} from './promotions.ts';
import { itemRef, money } from './words.ts';

/**
 * Explains the total of an order: the stored one, and the one that it would have if it was calculated now.
 *
 * @throws Problem `missing`
 */
export function explainOrder(engine: EngineShop, id: number): OrderExplanation {
  const shop = storeShop(engine);
  const order = shop.db.orders.get(id);
  if (order === undefined) throw new Problem('missing', `There is no order ${id}.`);
  const rows = rowsOf(shop, order);
  const { charges, promotions } = calculate(shop, order, rows);
  const items = rows.items.map((item) => ({ item, parts: itemParts(shop, item, rows.ofItems) }));
  const counts = shop.settings.totals === 'live' || order.checkout_state !== 'cart';
  const current = [
    ...items.flatMap(({ parts }) => (counts ? parts : uncounted(parts))),
    ...charges,
  ];
  const stored = [
    ...items.flatMap(({ item, parts }) => {
      const isCounted = item.total > 0 || totalsOfItem(item, rows.ofItems).total === 0;
      return isCounted ? parts : uncounted(parts);
    }),
    ...storedCharges(shop, order, rows, { charges, promotions }),
  ];
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

/** The rows that the total of an order is made of. */
interface OrderRows {
  /** The customer's own items. */
  readonly items: readonly OrderItem[];
  readonly gifts: readonly OrderItem[];
  readonly ofItems: readonly Adjustment[];
  readonly adjustments: readonly Adjustment[];
}

function rowsOf({ db }: Shop, { id }: Order): OrderRows {
  const all = db.orderItems.by('order', id);
  return {
    items: all.filter(({ promotion_id }) => promotion_id === undefined),
    gifts: all.filter(({ promotion_id }) => promotion_id !== undefined),
    ofItems: db.adjustments.by('itemsOf', id),
    adjustments: db.adjustments.by('order', id),
  };
}

/** Under the setting `totals: at-steps`, items count from addressing on. */
function uncounted(parts: readonly Part[]): Part[] {
  return parts.map((part) => ({ ...part, counts: false, because: [noAddress] }));
}

/** Adds the lines that make the sum the total: at least 0, and as it is stored. */
function linesOf(parts: readonly Part[], total: number): Line[] {
  const sum = sumOf(parts);
  const other = total - Math.max(0, sum);
  const label = 'Not from these lines';
  let running = 0;
  return [
    ...parts,
    ...limitPart('A total is at least 0', sum),
    ...(other === 0 ? [] : [{ ...plain, kind: 'other' as const, label, amount: other }]),
  ].map((part) => {
    const { of: _, ...line } = part;
    if (line.counts) running += line.amount;
    return { ...line, running };
  });
}

interface Calculation {
  readonly charges: readonly Part[];
  readonly promotions: readonly ExplainedPromotion[];
}

/** Recalculates an order, with its shipments as they are. Changes nothing. */
function calculate(
  shop: Shop,
  order: Order,
  { items, gifts, ofItems, adjustments }: OrderRows,
): Calculation {
  const place = order.checkout_state === 'cart' ? undefined : shippingAddressOf(shop, order);
  const totalled = items.map((item) => ({ ...item, ...totalsOfItem(item, ofItems) }));
  const kept = adjustments.filter((row) => row.locked || calculatedKind(row) === undefined);
  const rest = [
    ...shippingParts(shop, adjustments, place),
    ...kept.map((row) => adjustmentPart(shop, row)),
  ];
  const shipping_total = sumOf(rest.filter(({ kind }) => kind === 'shipping'));
  const promotions = explainPromotions(
    shop,
    { order, items: totalled, place, shipping_total },
    { gifts, discounts: chargesOf(adjustments, 'promotion') },
  );
  const charges = byRank([
    ...(place === undefined ? [] : taxParts(shop, totalled, place, adjustments)),
    ...rest,
    ...promotions.flatMap(({ parts }) => parts),
  ]);
  return { charges, promotions };
}

/** Returns the parts of the stored total, with the reasons of those that would be the same now. */
function storedCharges(
  shop: Shop,
  { promotion_ids }: Order,
  { gifts, adjustments }: OrderRows,
  { charges, promotions }: Calculation,
): Part[] {
  const now = new Map(charges.map((part) => [part.of, part]));
  const given = [
    ...gifts.map((gift) => giftPart(shop, gift)),
    ...adjustments.map((row) => adjustmentPart(shop, row)),
  ].map((part) => explained(part, now.get(part.of)));
  const idle = promotion_ids.filter((id) => given.every(({ promotion }) => promotion !== id));
  const prevented = exclusiveFacts(shop, promotion_ids);
  return byRank([
    ...given,
    ...idle.map((id) => {
      const {
        promotion = { id, name: `Promotion ${id}` },
        isApplied,
        facts = [],
      } = promotions.find((one) => one.promotion.id === id) ?? {};
      return idlePart(promotion, true, isApplied === true ? facts : []);
    }),
    // Why one did not apply that would now is not known.
    ...promotions
      .filter(({ promotion }) => !promotion_ids.includes(promotion.id))
      .map(({ promotion, facts }) => idlePart(promotion, false, [...facts, ...prevented]))
      .filter(({ because }) => because.some(({ met }) => !met)),
  ]);
}

/** An item that a promotion has added. */
function giftPart(shop: Shop, item: OrderItem): Part {
  const { promotion_id: promotion } = item;
  const pieces = piecesOf(shop, item);
  return { ...plain, of: item, kind: 'gift', ...pieces, promotion, record: itemRef(item) };
}

function explained(part: Part, now: Part | undefined): Part {
  if (now === undefined) return part;
  const { label, detail, because, amount } = now;
  return { ...part, label, because, ...(amount === part.amount && { detail }) };
}

/** Compares the parts that an order has with those that it would have now. */
function changesOf(
  stored: readonly Part[],
  current: readonly Part[],
  promotions: readonly ExplainedPromotion[],
): ChangedLine[] {
  const was = stored.filter(({ applied }) => applied);
  const now = current.filter(({ applied }) => applied);
  const had = new Set(was.map(({ of }) => of));
  const has = new Map(now.map((part) => [part.of, part]));
  const pairs = [
    ...was.map((one) => [one, has.get(one.of)] as const),
    ...now.filter(({ of }) => !had.has(of)).map((one) => [undefined, one] as const),
  ];
  return pairs.flatMap(([one, other]) => {
    if (one?.amount === other?.amount && one?.counts === other?.counts) return [];
    const { kind, label } = (other ?? one)!;
    return {
      kind,
      label,
      ...(one !== undefined && { was: one.amount }),
      ...(other !== undefined && { now: other.amount }),
      because: reasonsOf(one, other, promotions),
    };
  });
}

function reasonsOf(
  was: Part | undefined,
  now: Part | undefined,
  promotions: readonly ExplainedPromotion[],
): readonly Fact[] {
  if (was === undefined) return now?.because ?? [];
  const { promotion: id, label, amount } = was;
  if (now !== undefined) {
    const calculation = now.detail === undefined ? '' : `: ${now.detail}`;
    return [{ wanted: money(amount), actual: `${money(now.amount)}${calculation}`, met: false }];
  }
  const { promotion, parts = [] } = promotions.find((one) => one.promotion.id === id) ?? {};
  const unmet = parts[0]?.because.filter(({ met }) => !met) ?? [];
  if (unmet.length > 0) return unmet;
  return [{ wanted: promotion?.name ?? label, actual: 'not there any more', met: false }];
}

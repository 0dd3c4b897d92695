import type { EngineShop, RecordWrite, Task } from '../../engine/definition/api.ts';
import type { Row } from '../../engine/store/row.ts';
import type { Shop } from '../checkout/shop.ts';
import type { Address } from '../models/user.ts';
import { checkoutSteps, type Order, type OrderItem } from '../models/order.ts';
import type { Payment } from '../models/payment.ts';
import type { Shipment } from '../models/shipment.ts';
import type { StockItem } from '../models/stock.ts';
import { orderInPath } from '../order-in-path.ts';
import { storeShop } from '../resources/endpoint.ts';
import { money } from './words.ts';

/** The records of a table before and after. */
interface Change<Record extends Row> {
  readonly before: Record | undefined;
  readonly after: Record | undefined;
}

/** Says what writes did to orders, payments and stock: `paid order 119, 54.40 EUR`; undefined for other records. */
export function deedOf(engine: EngineShop, writes: readonly RecordWrite[]): string | undefined {
  const shop = storeShop(engine);
  const [order, ...others] = changesIn<Order>(writes, 'orders');
  if (others.length > 0) return undefined;
  const { before, after } = order ?? {};
  if (order !== undefined && (before === undefined || after === undefined))
    return after && `added order ${after.id}${after.total === 0 ? '' : sumOf(after)}`;
  return (
    itemText(shop, writes, after) ??
    stepText(shop, writes, order) ??
    couponText(shop, order) ??
    methodText(shop, writes) ??
    // What follows from the new state of an order goes without saying.
    (before?.state === after?.state ? (paymentText(writes) ?? stockText(shop, writes)) : undefined)
  );
}

/** Returns what a request of the checkout is for: to pay order 119. */
export function taskOf(step: string, url: string): Task | undefined {
  const id = orderInPath(url);
  if (id === '' || step === 'item') return undefined;
  const { verb = [`take the step ${step} of`, `took the step ${step} of`] as const } =
    checkoutSteps.find(({ name }) => name === step) ?? {};
  return { verb, object: `order ${id}` };
}

/** The type of the rows of a table is that of its records. */
function changesIn<Record extends Row>(
  writes: readonly RecordWrite[],
  table: string,
): Change<Record>[] {
  return writes.filter((write) => write.table === table) as Change<Record>[];
}

function sumOf({ total, currency }: Pick<Order, 'total' | 'currency'>): string {
  return `, ${money(total)} ${currency}`;
}

/** `added 2 × CF-INB to order 121, 29.00 EUR` */
function itemText(
  { db }: Shop,
  writes: readonly RecordWrite[],
  order: Order | undefined,
): string | undefined {
  const [item, ...others] = changesIn<OrderItem>(writes, 'order_items');
  const { order_id: id, variant_id: variant = 0 } = item?.after ?? item?.before ?? {};
  const count = (item?.after?.quantity ?? 0) - (item?.before?.quantity ?? 0);
  if (count === 0 || others.length > 0) return undefined;
  const name = db.variants.getWithDeleted(variant)?.sku ?? `variant ${variant}`;
  const items = `${Math.abs(count)} × ${name}`;
  const did = count > 0 ? `added ${items} to` : `removed ${items} from`;
  return `${did} order ${id}${order === undefined ? '' : sumOf(order)}`;
}

/** `addressed order 119 to Cork, Ireland`, `paid order 119, 54.40 EUR` */
function stepText(
  shop: Shop,
  writes: readonly RecordWrite[],
  order: Change<Order> | undefined,
): string | undefined {
  const { before, after } = order ?? {};
  if (after === undefined || before?.checkout_state === after.checkout_state) return undefined;
  const { id, checkout_state: reached } = after;
  if (reached === 'addressing') return `addressed order ${id}${placeText(shop, writes, after)}`;
  if (reached === 'finalize') return `placed order ${id}${sumOf(after)}`;
  if (reached === 'completed') return `paid order ${id}${sumOf(after)}`;
  return ['cart', 'shipping', 'payment'].includes(reached)
    ? undefined
    : `took the step ${reached} of order ${id}`;
}

/** `added coupon SPRING10 to order 105, 80.10 EUR` */
function couponText({ db }: Shop, order: Change<Order> | undefined): string | undefined {
  const { before, after } = order ?? {};
  const [from, to] = [before?.coupon_ids ?? [], after?.coupon_ids ?? []];
  const coupon = to.find((id) => !from.includes(id)) ?? from.find((id) => !to.includes(id));
  if (after === undefined || coupon === undefined) return undefined;
  const code = db.coupons.get(coupon)?.code ?? coupon;
  const did = to.includes(coupon) ? `added coupon ${code} to` : `removed coupon ${code} from`;
  return `${did} order ${after.id}${sumOf(after)}`;
}

/** ` to Cork, Ireland` */
function placeText(
  { db }: Shop,
  writes: readonly RecordWrite[],
  { shipping_address_id: id = 0 }: Order,
): string {
  const added = changesIn<Address>(writes, 'addresses').find(({ after }) => after?.id === id);
  const address = added?.after ?? db.addresses.get(id);
  if (address === undefined) return '';
  return ` to ${[address.city, db.countries.get(address.country_id)?.name ?? []].flat().join(', ')}`;
}

/** `chose An Post Standard for order 119` */
function methodText({ db }: Shop, writes: readonly RecordWrite[]): string | undefined {
  const [shipment, payment] = ['shipments', 'payments'].map(
    (table) =>
      changesIn<Shipment | Payment>(writes, table).find(
        ({ before, after }) => after !== undefined && before?.method_id !== after.method_id,
      )?.after,
  );
  const method = payment
    ? db.paymentMethods.getWithDeleted(payment.method_id ?? 0)
    : db.shippingMethods.getWithDeleted(shipment?.method_id ?? 0);
  const order = (payment ?? shipment)?.order_id;
  return method === undefined ? undefined : `chose ${method.name} for order ${order}`;
}

/** `refunded payment 97, 54.40 EUR` */
function paymentText(writes: readonly RecordWrite[]): string | undefined {
  const [payment, ...others] = changesIn<Payment>(writes, 'payments');
  const { before, after } = payment ?? {};
  if (after === undefined || others.length > 0 || before?.state === after.state) return undefined;
  const { id, state, amount: total, currency } = after;
  return /(?<!fail)ed$/.test(state)
    ? `${state} payment ${id}${sumOf({ total, currency })}`
    : undefined;
}

/** `set the stock of CF-INB to 3` */
function stockText({ db }: Shop, writes: readonly RecordWrite[]): string | undefined {
  const [stock, ...others] = changesIn<StockItem>(writes, 'stock_items');
  const { before, after } = stock ?? {};
  if (after === undefined || others.length > 0 || before?.on_hand === after.on_hand)
    return undefined;
  const name = db.variants.getWithDeleted(after.variant_id)?.sku ?? `variant ${after.variant_id}`;
  return `set the stock of ${name} to ${after.on_hand}`;
}

import type { AddressInput } from '../../checkout/addressing.ts';
import type { Charge, Label } from '../../checkout/adjustments.ts';
import type { Order } from '../../models/order.ts';
import type { OrderItem } from '../../models/order-item.ts';
import type { Shipment } from '../../models/shipment.ts';
import type { Bill } from './bill.ts';
import type { Catalogue } from './catalogue.ts';
import { hasReached } from './life.ts';
import type { OrderRows } from './order-rows.ts';
import { stepOf, type Plan } from './plan.ts';
import type { Stamp } from './seconds.ts';
import type { Standing } from './standing.ts';

/** An order with all that is known of it. */
export interface Sketch {
  readonly plan: Plan;
  readonly standing: Standing;
  /** From addressing on. */
  readonly bill: Bill | undefined;
  /** As it is without what the checkout has given it. */
  readonly order: Order;
  /** What the customer has put into the cart. */
  readonly items: readonly OrderItem[];
  /** From confirm on. */
  readonly number: string | undefined;
}

/** Writes the rows of orders as a checkout would have left them. */
export class OrderWriter {
  readonly #rows: OrderRows;
  readonly #catalogue: Catalogue;
  readonly #stampOf: Stamp;

  constructor(rows: OrderRows, catalogue: Catalogue, stampOf: Stamp) {
    this.#rows = rows;
    this.#catalogue = catalogue;
    this.#stampOf = stampOf;
  }

  write(sketch: Sketch): void {
    const { plan, standing, bill, order, items, number } = sketch;
    const gifts = bill === undefined ? [] : this.#gifts(plan, order, bill);
    const shipments = this.#shipments(sketch);
    if (bill !== undefined) this.#adjustments(plan, order, bill, shipments);
    for (const item of items) this.#item(sketch, item, shipments);
    for (const item of gifts) this.#item(sketch, item, shipments);
    if (hasReached(plan, 'payment')) this.#payment(sketch);
    this.#rows.orders.push({
      ...order,
      ...(bill !== undefined && this.#addresses(plan)),
      ...(number !== undefined && { number, completed_at: this.#stamp(plan, 4) }),
      ...bill?.totals,
      ...(bill !== undefined && { promotion_ids: Object.freeze(bill.promotion_ids) }),
      state: standing.order.state,
      checkout_state: standing.checkout,
      updated_at: this.#stampOf(standing.order.at),
    });
  }

  /** Shipping and billing address, each a row of its own. */
  #addresses(plan: Plan): Pick<Order, 'shipping_address_id' | 'billing_address_id'> {
    const at = this.#stamp(plan, 1);
    return {
      shipping_address_id: this.#address(plan.address, at),
      billing_address_id: this.#address(plan.address, at),
    };
  }

  #address({ province_id, ...address }: AddressInput, at: string): number {
    const id = this.#rows.addresses.nextId();
    this.#rows.addresses.push({
      id,
      ...address,
      ...(province_id !== undefined && { province_id }),
      created_at: at,
      updated_at: at,
    });
    return id;
  }

  #gifts(plan: Plan, order: Order, { gifts }: Bill): OrderItem[] {
    const at = this.#stamp(plan, 1);
    return gifts.map((gift) => ({
      id: this.#rows.orderItems.nextId(),
      order_id: order.id,
      ...gift,
      immutable: true,
      adjustments_total: 0,
      total: gift.quantity * gift.unit_price,
      created_at: at,
      updated_at: at,
    }));
  }

  #shipments({ plan, standing, bill, order }: Sketch): readonly Shipment[] {
    if (bill === undefined || bill.parcels.length === 0) return [];
    const created_at = this.#stamp(plan, 2);
    const { state, at } = standing.shipments;
    const shipments = bill.parcels.map(({ location }) => ({
      id: this.#rows.shipments.nextId(),
      order_id: order.id,
      method_id: plan.shippingMethod,
      ...(location !== undefined && { stock_location_id: location }),
      state,
      created_at,
      updated_at: this.#stampOf(at),
    }));
    for (const shipment of shipments) this.#rows.shipments.push(shipment);
    return shipments;
  }

  /** Taxes and promotions come with addressing, charges with shipping. */
  #adjustments(plan: Plan, order: Order, bill: Bill, shipments: readonly Shipment[]): void {
    const addressing = this.#stamp(plan, 1);
    const shipping = this.#stamp(plan, 2);
    for (const tax of bill.taxes) this.#adjustment(order, 'tax', tax, [addressing, addressing]);
    for (const { before, ...discount } of bill.discounts) {
      const changed = before === discount.amount ? addressing : shipping;
      this.#adjustment(order, 'promotion', discount, [addressing, changed]);
    }
    for (const [at, { cost }] of bill.parcels.entries()) {
      const charge = { ...cost, shipment_id: shipments[at]?.id };
      this.#adjustment(order, 'shipping', charge, [shipping, shipping]);
    }
  }

  #adjustment(
    { id: order_id }: Order,
    label: Label,
    { shipment_id, promotion_id, ...charge }: Charge,
    [created_at, updated_at]: readonly [string, string],
  ): void {
    this.#rows.adjustments.push({
      id: this.#rows.adjustments.nextId(),
      order_id,
      ...(shipment_id !== undefined && { shipment_id }),
      ...(promotion_id !== undefined && { promotion_id }),
      label,
      ...charge,
      locked: false,
      created_at,
      updated_at,
    });
  }

  /** An item with a unit for each piece of it. */
  #item({ standing }: Sketch, item: OrderItem, shipments: readonly Shipment[]): void {
    this.#rows.orderItems.push(item);
    const location = this.#catalogue.sourceOf(item.variant_id)?.stock_location_id;
    const shipment =
      shipments.find(({ stock_location_id }) => stock_location_id === location) ?? shipments[0];
    const { state: inventory_state, at } = standing.units;
    const moved = this.#stampOf(at);
    for (let piece = 0; piece < item.quantity; piece++) {
      this.#rows.inventoryUnits.push({
        id: this.#rows.inventoryUnits.nextId(),
        order_id: item.order_id,
        order_item_id: item.id,
        variant_id: item.variant_id,
        ...(shipment !== undefined && { shipment_id: shipment.id }),
        ...(shipment !== undefined && location !== undefined && { stock_location_id: location }),
        inventory_state,
        created_at: item.created_at,
        updated_at: moved < item.created_at ? item.created_at : moved,
      });
    }
  }

  #payment({ plan, standing, order, bill }: Sketch): void {
    const { at, ...payment } = standing.payment;
    this.#rows.payments.push({
      id: this.#rows.payments.nextId(),
      order_id: order.id,
      method_id: plan.paymentMethod,
      amount: bill?.totals.total ?? 0,
      currency: order.currency,
      ...payment,
      created_at: this.#stamp(plan, 3),
      updated_at: this.#stampOf(at),
    });
  }

  #stamp(plan: Plan, step: number): string {
    return this.#stampOf(stepOf(plan, step));
  }
}

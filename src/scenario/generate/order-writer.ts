import type { AddressInput } from '../../checkout/addressing.ts';
import type { Charge } from '../../checkout/adjustments.ts';
import type { InventoryState, InventoryUnit } from '../../models/inventory-unit.ts';
import type { Order } from '../../models/order.ts';
import type { OrderItem } from '../../models/order-item.ts';
import type { Shipment } from '../../models/shipment.ts';
import type { Discount } from '../../checkout/promotions.ts';
import type { Bill } from './bill.ts';
import type { Catalogue } from './catalogue.ts';
import { hasReached } from './life.ts';
import type { OrderRows } from './order-rows.ts';
import { stepOf, type Plan } from './plan.ts';
import type { Stamp } from './seconds.ts';
import type { OrderOutcome } from './standing.ts';

/** An order with all that is known of it. */
export interface Sketch {
  readonly plan: Plan;
  readonly standing: OrderOutcome;
  /** From addressing on. */
  readonly bill: Bill | undefined;
  /** As it is without what the checkout has given it. */
  readonly order: Order;
  /** What the customer has put into the cart. */
  readonly items: readonly OrderItem[];
  /** From confirm on. */
  readonly number: string | undefined;
}

/**
 * Writes the rows of orders as a checkout would have left them. Each shape that a row can have stands for itself: to
 * spread fields that may be there takes longer, and an order has many rows.
 */
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
    const { plan, bill, order, items } = sketch;
    const gifts = bill === undefined ? [] : this.#gifts(plan, order, bill);
    const shipments = this.#shipments(sketch);
    if (bill !== undefined) this.#adjustments(plan, order, bill, shipments);
    for (const item of items) this.#item(sketch, item, shipments);
    for (const item of gifts) this.#item(sketch, item, shipments);
    if (hasReached(plan, 'payment')) this.#payment(sketch);
    this.#rows.orders.push(this.#order(sketch));
  }

  #order({ plan, standing, bill, order, number }: Sketch): Order {
    const { state, at } = standing.order;
    const { checkout: checkout_state } = standing;
    const updated_at = this.#stampOf(at);
    if (bill === undefined) return { ...order, state, checkout_state, updated_at };
    const { items_total, adjustments_total, total } = bill.totals;
    const addressing = this.#stamp(plan, 1);
    const addressed = {
      ...order,
      state,
      checkout_state,
      items_total,
      adjustments_total,
      total,
      promotion_ids: bill.promotion_ids,
      updated_at,
      shipping_address_id: this.#address(plan.address, addressing),
      billing_address_id: this.#address(plan.address, addressing),
    };
    if (number === undefined) return addressed;
    return { ...addressed, number, completed_at: this.#stamp(plan, 4) };
  }

  /** Each address of an order is a row of its own. */
  #address(address: AddressInput, at: string): number {
    const { first_name, last_name, street, city, postcode, country_id, province_id } = address;
    const { addresses } = this.#rows;
    const id = addresses.nextId();
    const place = { id, first_name, last_name, street, city, postcode, country_id };
    addresses.push(
      province_id === undefined
        ? { ...place, created_at: at, updated_at: at }
        : { ...place, province_id, created_at: at, updated_at: at },
    );
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
    if (bill === undefined) return [];
    const { id: order_id } = order;
    const { shippingMethod: method_id } = plan;
    const { state } = standing.shipments;
    const created_at = this.#stamp(plan, 2);
    const updated_at = this.#stampOf(standing.shipments.at);
    return bill.parcels.map(({ location: stock_location_id }) => {
      const id = this.#rows.shipments.nextId();
      const shipment =
        stock_location_id === undefined
          ? { id, order_id, method_id, state, created_at, updated_at }
          : { id, order_id, method_id, stock_location_id, state, created_at, updated_at };
      this.#rows.shipments.push(shipment);
      return shipment;
    });
  }

  /** Taxes come with addressing, charges with shipping; discounts are written anew with those. */
  #adjustments(plan: Plan, order: Order, bill: Bill, shipments: readonly Shipment[]): void {
    const addressing = this.#stamp(plan, 1);
    const shipping = this.#stamp(plan, 2);
    for (const tax of bill.taxes) this.#tax(order, tax, addressing);
    for (const [at, { cost }] of bill.parcels.entries())
      this.#charge(order, cost, shipments[at]!, shipping);
    const at = hasReached(plan, 'shipping') ? shipping : addressing;
    for (const discount of bill.discounts) this.#discount(order, discount, at);
  }

  #tax({ id: order_id }: Order, { description, amount, neutral }: Charge, at: string): void {
    this.#rows.adjustments.push({
      id: this.#rows.adjustments.nextId(),
      order_id,
      label: 'tax',
      description,
      amount,
      neutral,
      locked: false,
      created_at: at,
      updated_at: at,
    });
  }

  #discount(
    { id: order_id }: Order,
    { promotion_id, description, amount, neutral }: Discount,
    at: string,
  ): void {
    this.#rows.adjustments.push({
      id: this.#rows.adjustments.nextId(),
      order_id,
      promotion_id,
      label: 'promotion',
      description,
      amount,
      neutral,
      locked: false,
      created_at: at,
      updated_at: at,
    });
  }

  #charge(
    { id: order_id }: Order,
    { description, amount, neutral }: Charge,
    { id: shipment_id }: Shipment,
    at: string,
  ): void {
    this.#rows.adjustments.push({
      id: this.#rows.adjustments.nextId(),
      order_id,
      shipment_id,
      label: 'shipping',
      description,
      amount,
      neutral,
      locked: false,
      created_at: at,
      updated_at: at,
    });
  }

  /** An item with a unit for each piece of it. */
  #item({ standing }: Sketch, item: OrderItem, shipments: readonly Shipment[]): void {
    this.#rows.orderItems.push(item);
    const location = this.#catalogue.sourceOf(item.variant_id)?.stock_location_id;
    const shipment =
      shipments.find(({ stock_location_id }) => stock_location_id === location) ?? shipments[0];
    const { state, at } = standing.units;
    const moved = this.#stampOf(at);
    const updated_at = moved < item.created_at ? item.created_at : moved;
    const { inventoryUnits } = this.#rows;
    for (let piece = 0; piece < item.quantity; piece++) {
      const id = inventoryUnits.nextId();
      inventoryUnits.push(unitOf({ id, item, shipment, location, state, updated_at }));
    }
  }

  #payment({ plan, standing, order, bill }: Sketch): void {
    const { state, card, reason, at } = standing.payment;
    const payment = {
      id: this.#rows.payments.nextId(),
      order_id: order.id,
      method_id: plan.paymentMethod,
      amount: bill?.totals.total ?? 0,
      currency: order.currency,
      state,
    };
    const created_at = this.#stamp(plan, 3);
    const updated_at = this.#stampOf(at);
    if (card === undefined) this.#rows.payments.push({ ...payment, created_at, updated_at });
    else if (reason === undefined)
      this.#rows.payments.push({ ...payment, card, created_at, updated_at });
    else this.#rows.payments.push({ ...payment, card, reason, created_at, updated_at });
  }

  #stamp(plan: Plan, step: number): string {
    return this.#stampOf(stepOf(plan, step));
  }
}

/** A piece of an item, and where it is. */
interface Piece {
  readonly id: number;
  readonly item: OrderItem;
  readonly shipment: Shipment | undefined;
  readonly location: number | undefined;
  readonly state: InventoryState;
  readonly updated_at: string;
}

function unitOf({ id, item, shipment, location, state, updated_at }: Piece): InventoryUnit {
  const { id: order_item_id, order_id, variant_id, created_at } = item;
  const unit = { id, order_id, order_item_id, variant_id };
  if (shipment === undefined) return { ...unit, inventory_state: state, created_at, updated_at };
  const shipped = { ...unit, shipment_id: shipment.id };
  return location === undefined
    ? { ...shipped, inventory_state: state, created_at, updated_at }
    : { ...shipped, stock_location_id: location, inventory_state: state, created_at, updated_at };
}

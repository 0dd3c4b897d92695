import type { AddressInput } from '../checkout/addressing.ts';
import type {
  Adjustment,
  InventoryState,
  InventoryUnit,
  Order,
  OrderItem,
} from '../models/order.ts';
import type { Shipment } from '../models/shipment.ts';
import type { OrderPricing } from './pricing.ts';
import type { Catalogue } from './catalogue.ts';
import { hasReached, type Stage } from './lifecycle.ts';
import type { OrderRows } from './cart.ts';
import { stepTime, type Plan } from './plan.ts';
import type { TimestampOf } from './timestamps.ts';
import type { OrderOutcome } from './outcome.ts';

/** An order before its rows are written. */
export interface PlannedOrder {
  readonly plan: Plan;
  readonly outcome: OrderOutcome;
  /** Undefined before the addressing step. */
  readonly pricing: OrderPricing | undefined;
  /** The order as a cart, before the checkout. */
  readonly order: Order;
  /** The items that the customer added. */
  readonly items: readonly OrderItem[];
  /** The order number, undefined before the confirm step. */
  readonly number: string | undefined;
}

/**
 * Writes the rows of orders as the checkout would. Each possible set of fields is an object literal of its own, since
 * conditional spreads are slower and an order has many rows.
 */
export class OrderWriter {
  readonly #rows: OrderRows;
  readonly #catalogue: Catalogue;
  readonly #timestampOf: TimestampOf;

  constructor(rows: OrderRows, catalogue: Catalogue, timestampOf: TimestampOf) {
    this.#rows = rows;
    this.#catalogue = catalogue;
    this.#timestampOf = timestampOf;
  }

  write(planned: PlannedOrder): void {
    const { plan, pricing, order, items } = planned;
    const gifts = pricing === undefined ? [] : this.#gifts(plan, order, pricing);
    const shipments = this.#shipments(planned);
    if (pricing !== undefined) this.#adjustments(plan, order, pricing, shipments);
    for (const item of items) this.#item(planned, item, shipments);
    for (const item of gifts) this.#item(planned, item, shipments);
    if (hasReached(plan, 'payment')) this.#payment(planned);
    this.#rows.orders.push(this.#order(planned));
  }

  #order({ plan, outcome, pricing, order, number }: PlannedOrder): Order {
    const { state, at } = outcome.order;
    const { checkout: checkout_state } = outcome;
    const updated_at = this.#timestampOf(at);
    if (pricing === undefined) return { ...order, state, checkout_state, updated_at };
    const { items_total, adjustments_total, total } = pricing.totals;
    const addressing = this.#timestamp(plan, 'addressing');
    const addressed = {
      ...order,
      state,
      checkout_state,
      items_total,
      adjustments_total,
      total,
      promotion_ids: pricing.promotion_ids,
      updated_at,
      shipping_address_id: this.#address(plan.address, addressing),
      billing_address_id: this.#address(plan.address, addressing),
    };
    if (number === undefined) return addressed;
    return { ...addressed, number, completed_at: this.#timestamp(plan, 'confirm') };
  }

  /** Adds an address. The two addresses of an order are separate rows. */
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

  #gifts(plan: Plan, order: Order, { gifts }: OrderPricing): OrderItem[] {
    const at = this.#timestamp(plan, 'addressing');
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

  #shipments({ plan, outcome, pricing, order }: PlannedOrder): readonly Shipment[] {
    if (pricing === undefined) return [];
    const { id: order_id } = order;
    const { shippingMethod: method_id } = plan;
    const { state } = outcome.shipments;
    const created_at = this.#timestamp(plan, 'shipping');
    const updated_at = this.#timestampOf(outcome.shipments.at);
    return pricing.parcels.map(({ location: stock_location_id }) => {
      const id = this.#rows.shipments.nextId();
      const shipment =
        stock_location_id === undefined
          ? { id, order_id, method_id, state, created_at, updated_at }
          : { id, order_id, method_id, stock_location_id, state, created_at, updated_at };
      this.#rows.shipments.push(shipment);
      return shipment;
    });
  }

  /** The addressing step adds taxes, the shipping step adds shipping costs. Both replace the discounts. */
  #adjustments(
    plan: Plan,
    order: Order,
    pricing: OrderPricing,
    shipments: readonly Shipment[],
  ): void {
    const addressing = this.#timestamp(plan, 'addressing');
    const shipping = this.#timestamp(plan, 'shipping');
    const { id: order_id } = order;
    for (const { description, amount, neutral } of pricing.taxes)
      this.#adjustment({ order_id, label: 'tax', description, amount, neutral }, addressing);
    for (const [at, { cost }] of pricing.parcels.entries()) {
      const { id: shipment_id } = shipments[at]!;
      const { description, amount, neutral } = cost;
      const fields = { order_id, shipment_id, label: 'shipping', description, amount, neutral };
      this.#adjustment(fields, shipping);
    }
    const at = hasReached(plan, 'shipping') ? shipping : addressing;
    for (const { promotion_id, description, amount, neutral } of pricing.discounts) {
      const fields = { order_id, promotion_id, label: 'promotion', description, amount, neutral };
      this.#adjustment(fields, at);
    }
  }

  #adjustment(
    fields: Omit<Adjustment, 'id' | 'locked' | 'created_at' | 'updated_at'>,
    at: string,
  ): void {
    const id = this.#rows.adjustments.nextId();
    const row = { id, ...fields, locked: false, created_at: at, updated_at: at };
    this.#rows.adjustments.push(row);
  }

  /** Adds an item, and an inventory unit for each piece. */
  #item({ outcome }: PlannedOrder, item: OrderItem, shipments: readonly Shipment[]): void {
    this.#rows.orderItems.push(item);
    const location = this.#catalogue.sourceOf(item.variant_id)?.stock_location_id;
    const shipment =
      shipments.find(({ stock_location_id }) => stock_location_id === location) ?? shipments[0];
    const { state, at } = outcome.units;
    const changed = this.#timestampOf(at);
    const updated_at = changed < item.created_at ? item.created_at : changed;
    const { inventoryUnits } = this.#rows;
    for (let piece = 0; piece < item.quantity; piece++) {
      const id = inventoryUnits.nextId();
      inventoryUnits.push(unitOf({ id, item, shipment, location, state, updated_at }));
    }
  }

  #payment({ plan, outcome, order, pricing }: PlannedOrder): void {
    const { state, card, reason, at } = outcome.payment;
    const payment = {
      id: this.#rows.payments.nextId(),
      order_id: order.id,
      method_id: plan.paymentMethod,
      amount: pricing?.totals.total ?? 0,
      currency: order.currency,
      state,
    };
    const created_at = this.#timestamp(plan, 'payment');
    const updated_at = this.#timestampOf(at);
    if (card === undefined) this.#rows.payments.push({ ...payment, created_at, updated_at });
    else if (reason === undefined)
      this.#rows.payments.push({ ...payment, card, created_at, updated_at });
    else this.#rows.payments.push({ ...payment, card, reason, created_at, updated_at });
  }

  #timestamp(plan: Plan, step: Stage): string {
    return this.#timestampOf(stepTime(plan, step));
  }
}

interface UnitFields {
  readonly id: number;
  readonly item: OrderItem;
  readonly shipment: Shipment | undefined;
  readonly location: number | undefined;
  readonly state: InventoryState;
  readonly updated_at: string;
}

function unitOf({ id, item, shipment, location, state, updated_at }: UnitFields): InventoryUnit {
  const { id: order_item_id, order_id, variant_id, created_at } = item;
  const unit = { id, order_id, order_item_id, variant_id };
  if (shipment === undefined) return { ...unit, inventory_state: state, created_at, updated_at };
  const shipped = { ...unit, shipment_id: shipment.id };
  return location === undefined
    ? { ...shipped, inventory_state: state, created_at, updated_at }
    : { ...shipped, stock_location_id: location, inventory_state: state, created_at, updated_at };
}

import type { Database } from '../../models/database.ts';
import { increment } from '../../../engine/lib/numbers.ts';
import { refusedProblem } from '../../../engine/lib/problem.ts';
import {
  confirming,
  maxOrderNumber,
  orders,
  type Order,
  type OrderState,
} from '../../models/order.ts';
import type { Changes } from '../../../engine/store/row.ts';
import type { Shop } from '../shop.ts';
import { awaitedStep } from '../step.ts';
import { shortageOf } from '../stock.ts';
import { isSoldOrReturned, createMachine, type Cascade } from './machine.ts';

/** An order, from the cart to its delivery or return. */
export const orderMachine = createMachine<Order, OrderState, 'order'>({
  name: 'order',
  table: orders,
  field: 'state',
  initial: 'cart',
  transitions: [
    {
      name: 'create',
      from: ['cart'],
      to: 'pending',
      guard: whyNotComplete,
      fields: (shop) => ({ ...placementFields(shop), checkout_state: 'finalize' }),
      effect: (shop, order, { cascade }) => placeOrder(shop, order, cascade),
    },
    {
      name: 'release',
      from: ['pending'],
      to: 'released',
      effect({ db }, { id }, { cascade }) {
        cascade('inventory_unit', db.inventoryUnits.by('order', id), 'release');
        cascade('shipment', db.shipments.by('order', id), 'release');
        cascade('payment', db.payments.by('order', id), 'void');
      },
    },
    {
      name: 'confirm',
      from: ['cart', 'pending', 'released'],
      to: 'confirmed',
      guard: (shop, order) =>
        (order.state === 'cart' ? whyNotComplete(shop, order) : undefined) ??
        whyNotPaid(shop, order),
      fields: (shop, { state }) => ({
        ...(state === 'cart' && placementFields(shop)),
        checkout_state: 'completed',
      }),
      effect(shop, order, { before, cascade }) {
        if (before.state === 'cart') placeOrder(shop, order, cascade);
        sellStock(shop.db, order, cascade);
        for (const coupon of order.coupon_ids) countUse(shop.db.coupons, coupon);
        // An order is not paid twice.
        cascade('payment', shop.db.payments.by('order', order.id), 'cancel');
      },
    },
    {
      name: 'ship',
      from: ['confirmed'],
      to: 'shipped',
      guard({ db }, { id }) {
        const late = db.shipments.by('order', id).find(({ state }) => !deliverable.has(state));
        return late && `Shipment ${late.id} is in state ${late.state}.`;
      },
      effect: ({ db }, { id }, { cascade }) =>
        cascade('shipment', db.shipments.by('order', id), 'ship'),
    },
    {
      name: 'abandon',
      from: ['cart', 'pending'],
      to: 'abandoned',
      effect({ db }, { id }, { cascade }) {
        cascade('shipment', db.shipments.by('order', id), 'cancel');
        cascade('inventory_unit', db.inventoryUnits.by('order', id), 'release');
        cascade('payment', db.payments.by('order', id), 'void');
        cascade('payment', db.payments.by('order', id), 'cancel');
      },
    },
    {
      name: 'cancel',
      from: ['confirmed'],
      to: 'cancelled',
      // Shipped shipments stay so until they are returned, and completed payments until they are refunded.
      effect({ db }, { id }, { cascade }) {
        cascade('shipment', db.shipments.by('order', id), 'cancel');
        cascade('inventory_unit', unitsWithoutShipment(db, id), 'return');
        cascade('payment', db.payments.by('order', id), 'cancel');
      },
    },
    {
      name: 'return',
      from: ['shipped'],
      to: 'returned',
      effect({ db }, { id }, { cascade }) {
        cascade('shipment', db.shipments.by('order', id), 'return');
        cascade('inventory_unit', unitsWithoutShipment(db, id), 'return');
      },
    },
  ],
  get: (db, id) => db.orders.get(id),
  stateOf: ({ state }) => state,
  write: (db, id, state, fields) => db.orders.change(id, { ...fields, state }),
  orderOf: ({ id }) => id,
});

/** Returns the next order number: nine digits, from `000000001`. No number is assigned twice. */
function nextNumber(db: Database): string {
  const name = 'order_number';
  const sequence = db.sequences.findUnique('name', name) ?? db.sequences.add({ name, value: 0 });
  let { value } = sequence;
  let number: string;
  // Orders among the records of a scenario may already have numbers.
  do {
    if (value >= maxOrderNumber) {
      throw refusedProblem(`No order number is left: ${value}, the highest one, is assigned.`);
    }
    value++;
    number = String(value).padStart(9, '0');
  } while (db.orders.findUnique('number', number) !== undefined);
  db.sequences.change(sequence.id, { value });
  return number;
}

const deliverable: ReadonlySet<string> = new Set(['ready', 'shipped', 'cancelled', 'returned']);

function whyNotComplete(shop: Shop, order: Order): string | undefined {
  const step = awaitedStep(shop, order);
  if (step !== confirming) return `Order ${order.id} awaits ${step}.`;
  return shop.settings.backorders ? undefined : shortageOf(shop.db, order);
}

function whyNotPaid({ db }: Shop, { id, total, currency }: Order): string | undefined {
  const paid = db.payments
    .by('order', id)
    .reduce((sum, { state, amount }) => (state === 'completed' ? sum + amount : sum), 0);
  return paid < total
    ? `Order ${id} is not paid in full: ${paid} of ${total} ${currency} (minor units).`
    : undefined;
}

function placementFields({ db, clock }: Shop): Changes<Order> {
  return { number: nextNumber(db), completed_at: clock.now() };
}

function placeOrder({ db }: Shop, order: Order, cascade: Cascade): void {
  for (const promotion of order.promotion_ids) countUse(db.promotions, promotion);
  cascade('inventory_unit', db.inventoryUnits.by('order', order.id), 'hold');
  cascade('shipment', db.shipments.by('order', order.id), 'hold');
}

/** Sells what is on hand and backorders the rest. One backordered unit delays all shipments. */
function sellStock(db: Database, order: Order, cascade: Cascade): void {
  cascade('inventory_unit', db.inventoryUnits.by('order', order.id), 'sell');
  const unsold = db.inventoryUnits.by('order', order.id).filter((unit) => !isSoldOrReturned(unit));
  cascade('inventory_unit', unsold, 'backorder');
  const shipments = db.shipments.by('order', order.id);
  cascade('shipment', shipments, unsold.length > 0 ? 'backorder' : 'prepare');
}

/** Returns the units without a shipment, or whose shipment was deleted. */
function unitsWithoutShipment(db: Database, order_id: number) {
  return db.inventoryUnits
    .by('order', order_id)
    .filter(({ shipment_id }) => shipment_id === undefined || !db.shipments.get(shipment_id));
}

interface Used {
  get(id: number): { readonly used: number } | undefined;
  change(id: number, changes: { readonly used: number }): unknown;
}

function countUse(table: Used, id: number): void {
  const row = table.get(id);
  if (row !== undefined) table.change(id, { used: increment(row.used) });
}
